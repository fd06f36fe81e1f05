"""The gate on the work of ``auto``, benchmarks/work.py: what it lets through. CI runs it (``make work``)."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pytest
from pages import ROOT

LINES, CONFLICTS, ANSWER = range(3)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import work  # type: ignore[import-not-found]

    yield work
    for name in ("work", "classes", "encoding", "tables"):
        sys.modules.pop(name, None)


@dataclass
class Change:
    """``by`` is multiplied to what ``place`` of the first board of a class says."""

    place: int
    by: float

    def made(self, counts: Any, name: str) -> Any:
        key = next(key for key in counts if key[0] == name)
        values = list(counts[key])
        values[self.place] = int(values[self.place] * self.by)
        return {**counts, key: tuple(values)}


def test_the_table_is_of_all_classes(work: Any) -> None:
    counts = work.read()
    assert {name for name, _ in counts} == set(work.CLASSES)
    assert len(counts) == 63
    assert {answer for *_, answer in counts.values()} <= {"SAT", "True", "False"}


@pytest.mark.parametrize(
    ("change", "code"), [(Change(LINES, 1.1), 1), (Change(LINES, 1.01), 0), (Change(LINES, 0.5), 0)]
)
def test_more_work_in_one_class_is_an_error(work: Any, change: Change, code: int) -> None:
    before = {(name, "0"): (1000, 10, "SAT") for name in ("a", "b", "c")}
    before["c", "1"] = (10**6, 0, "SAT")  # the sum of all hardly notices
    assert work.verdict(change.made(before, "a"), before) == code


def test_conflicts_are_work(work: Any) -> None:
    before = {("a", "0"): (1000, 10, "SAT")}
    assert work.verdict(Change(CONFLICTS, 2).made(before, "a"), before) == 1


def test_other_answers_and_boards_are_errors(work: Any) -> None:
    before = {("a", "0"): (1000, 10, "True"), ("a", "1"): (1000, 10, "True")}
    assert work.verdict({**before, ("a", "0"): (1000, 10, "False")}, before) == 2
    assert work.verdict({("a", "0"): (1000, 10, "True")}, before) == 2
    assert work.verdict({**before, ("a", "2"): (0, 0, "True")}, before) == 2
