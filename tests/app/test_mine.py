"""One's own puzzles as a pack to play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from nonosat.app import generated, own
from nonosat.app.game import PlayStore, goal_of, handle, opened
from nonosat.app.packs import GENERATED, MINE, packs
from nonosat.app.requests import RequestError
from nonosat.app.rooms import play as rooms
from nonosat.errors import FormatError
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Given, Puzzle, derived
from nonosat.puzzles.skyscrapers import Skyscrapers

CORNER = Nonogram.from_lengths([[2], [1]], [[2], [1]], title="Corner")  # typed: nobody has said what its solution is
DOTS = Nonogram.from_picture([[1, 0], [0, 1]], "Dots")  # drawn, with two solutions
TOWERS = Skyscrapers.from_heights([[2, 1, 3], [3, 2, 1], [1, 3, 2]], "Towers")


@pytest.fixture
def progress(tmp_path: Path) -> PlayStore:
    return PlayStore(tmp_path / "progress.sqlite")


def play(progress: PlayStore, number: int, *cells: tuple[int, int]) -> dict[str, object]:
    packed = own.packed(progress, str(number))
    version = opened(progress, (MINE, packed.name), packed)["version"]
    body = {"do": "move", "version": version, "changes": [list(cell) for cell in cells]}
    return handle(progress, (MINE, packed.name), packed, body)


@pytest.mark.parametrize(
    ("puzzle", "goal", "label"),
    [
        (CORNER, [1, 1, 1, 0], "trivial"),
        (DOTS, None, "several solutions"),
        (TOWERS, [2, 1, 3, 3, 2, 1, 1, 3, 2], "unique"),
        (Nonogram.from_lengths([[1], []], [[2], []]), None, "no solution"),
    ],
)
def test_lives_are_for_what_has_one_solution(
    progress: PlayStore, puzzle: Puzzle, goal: list[int] | None, label: str
) -> None:
    packed = own.packed(progress, str(own.save(progress, puzzle, None)))
    found = goal_of(packed.puzzle)
    assert (None if found is None else found.tolist()) == goal
    assert packed.label == label
    assert opened(progress, (MINE, packed.name), packed)["style"] == ("free" if goal is None else "lives")


def test_free_play_ends_with_any_solution(progress: PlayStore) -> None:
    number = own.save(progress, DOTS, None)
    assert play(progress, number, (1, 1), (2, 1))["state"] == "won"  # not the one that was drawn


def test_the_pack_has_all_the_newest_first(progress: PlayStore) -> None:
    assert own.pack(progress).puzzles == ()
    numbers = [own.save(progress, puzzle, None) for puzzle in (CORNER, TOWERS)]
    assert [packed.name for packed in own.pack(progress).puzzles] == [str(number) for number in reversed(numbers)]


def test_a_play_goes_with_its_puzzle_and_with_its_clues(progress: PlayStore) -> None:
    first, second = (own.save(progress, DOTS, None) for _ in range(2))
    for number in (first, second):
        play(progress, number, (0, 1))
    own.save(progress, Nonogram.from_picture([[1, 0], [0, 1]], "Another title"), first)
    assert progress.summary(MINE)[str(first)][0] == "playing"
    own.save(progress, Nonogram.from_picture([[1, 1], [0, 1]], "Another picture"), first)
    assert list(progress.summary(MINE)) == [str(second)]
    own.delete(progress, second)
    assert progress.summary(MINE) == {}
    with progress.transaction() as connection:
        assert connection.execute("SELECT * FROM moves").fetchall() == []
    with pytest.raises(RequestError, match="not here any more"):
        play(progress, second, (0, 1))


def test_a_puzzle_is_found_by_its_clues(progress: PlayStore) -> None:
    number = own.save(progress, CORNER, None)
    solved = replace(CORNER, title="Another title", goal=CORNER.picture([[1, 1], [1, 0]]))
    assert own.same(progress, solved) == number
    assert own.same(progress, DOTS) is None
    assert own.same(progress, derived(CORNER, given=(Given(0, 0, 1),))) is None
    assert own.same(progress, CORNER) == number < own.save(progress, CORNER, None) == own.same(progress, CORNER)


def test_the_title_of_a_puzzle_that_was_shared_is_secret_until_it_is_solved(progress: PlayStore) -> None:
    made, shared = own.save(progress, CORNER, None), own.save(progress, CORNER, None, received=True)
    assert [(card.id, card.secret) for card in own.cards(progress)] == [(shared, True), (made, False)]
    assert own.packed(progress, str(shared)).secret
    play(progress, shared, (0, 1))
    assert own.packed(progress, str(shared)).secret
    play(progress, shared, (1, 1), (2, 1))
    assert not own.packed(progress, str(shared)).secret
    assert not any(card.secret for card in own.cards(progress))
    edited = own.save(progress, DOTS, None, received=True)
    own.save(progress, DOTS, edited)  # from Make, where the title stands in a field
    assert not own.packed(progress, str(edited)).secret


def test_boards_under_way_are_listed_without_making_or_solving_one(
    progress: PlayStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = own.save(progress, CORNER, None)
    play(progress, number, (0, 1))
    daily = generated.puzzle_of("daily-2026-11-23")
    cell = int(np.flatnonzero(goal_of(daily.puzzle))[0])
    handle(progress, (GENERATED, daily.name), daily, {"do": "move", "version": 0, "changes": [[cell, 1]]})
    for module, name in ((generated, "_made"), (own, "judged")):
        monkeypatch.setattr(module, name, None)
    state = SimpleNamespace(progress=progress, packs=packs(tmp_path))
    listed = rooms.begun(SimpleNamespace(app=SimpleNamespace(state=state)))  # type: ignore[arg-type]
    assert isinstance(listed, list)
    shown = [(one["shelf"], one["title"], one["height"], one["share"], one["palette"][1:]) for one in listed]
    assert shown == [
        ("New puzzles", "Puzzle of the day, 23 November 2026", 10, round(1 / daily.filled, 3), ["#000000"]),
        ("My puzzles", "Corner", 2, round(1 / 3, 3), ["#000000"]),
    ]


@pytest.mark.parametrize("name", ["", "x", "-1", "0", "9" * 99, "²"])
def test_a_name_that_is_no_number_is_not_here(progress: PlayStore, name: str) -> None:
    with pytest.raises(RequestError, match="not here any more"):
        own.packed(progress, name)


def test_no_file_takes_the_packs_name(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text("{}")
    with pytest.raises(FormatError, match=r"own\.json: this name is for the puzzles that are made here"):
        packs(tmp_path)
