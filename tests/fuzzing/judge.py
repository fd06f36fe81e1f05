"""What is wrong with what ways said: held against the truth, as far as it is known, and against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fuzzing.cases import Case, wrong
from fuzzing.truth import Truth, truth_of
from fuzzing.ways import COUNTS, Formulas, Question, Said, Way, ask, is_complete

Step = tuple[Way, Question]


@dataclass(frozen=True)
class Finding:
    """Something wrong: ``sort`` names what in a word or two, ``said`` tells it, ``true`` what is known to be right."""

    way: Way
    question: Question
    sort: str
    said: str
    true: str

    @property
    def signature(self) -> str:
        """The same for findings that are probably one bug: solver and sort, and of lost processes the last words."""
        last = self.said if self.sort == "lost" else ""
        return f"{self.way.solver.partition('+')[0]}: {self.sort} {last}".strip()

    def __str__(self) -> str:
        return f"{self.way}, asked for {self.question}: {self.sort}: {self.said}; true: {self.true}"


def examine(
    case: Case, steps: Iterable[Step], at: Callable[[int], None] = lambda _: None, truth: Truth | None = None
) -> list[Finding]:
    """Ask every one of ``steps``, and tell what is wrong. ``at`` is told the number of each step before it is taken."""
    truth = truth or truth_of(case)
    formulas = Formulas(case)
    findings: list[Finding] = []
    heard: list[tuple[Way, Question, Said]] = []
    for number, (way, question) in enumerate(steps):
        at(number)
        said = ask(case, way, question, formulas)
        fault = said.complaint or _fault(case, question, said, truth)
        if fault is None:
            truth.boards.update(said.boards)
            heard.append((way, question, said))
        else:
            findings.append(Finding(way, question, *fault, str(truth)))
    # Only now is everything known that anybody has found.
    counted = {said.solutions for *_, said in heard} - {None}
    for way, question, said in heard:
        if len(counted) > 1 and said.solutions is not None:
            findings.append(Finding(way, question, "counts differ", f"{said.solutions} of {counted}", str(truth)))
        if (fault := _missing(way, question, said, truth)) is not None:
            findings.append(Finding(way, question, *fault, str(truth)))
    return findings


def _fault(case: Case, question: Question, said: Said, truth: Truth) -> tuple[str, str] | None:
    """What can be told of an answer by itself."""
    for board in said.boards:
        if board in truth.boards:
            continue
        fault = wrong(case, board)
        if fault is not None or truth.whole:
            return "wrong board", f"{board.hex()}: {fault or 'not found by brute force'}"
    if len(set(said.boards)) < len(said.boards):
        return "twice", f"{len(said.boards)} boards, {len(set(said.boards))} of them different"
    if question.at_most is not None and len(said.boards) > question.at_most:
        return "too many", f"{len(said.boards)} boards"
    return None


def _missing(way: Way, question: Question, said: Said, truth: Truth) -> tuple[str, str] | None:
    """What an answer lacks that others know of."""
    told = f"{len(said.boards)} boards, exhausted={said.exhausted}, unique={said.unique}"
    known = len(truth.boards)
    if said.solutions is not None and (said.solutions < known or (truth.whole and said.solutions != known)):
        return "wrong count", f"{said.solutions} solutions"
    if said.shared is not None and (fault := _not_shared(way, said.shared, truth)) is not None:
        return "wrong backbone", fault
    if said.exhausted and set(said.boards) != truth.boards:
        return "missing", told
    if said.unique is not None and (said.unique != (len(truth.boards) == 1)):
        return "unique", told
    if is_complete(way) and not said.exhausted and len(said.boards) != question.at_most:
        return "gave up", told
    return None


def _not_shared(way: Way, shared: list[int], truth: Truth) -> str | None:
    """A cell that is said to have one value in all solutions and has another in one; or has one, which is not said."""
    for place, value in enumerate(shared):
        values = {board[place] for board in truth.boards}
        if value >= 0 and values - {value}:
            return f"cell {place} is {value}, and {sorted(values)} in solutions"
        if value < 0 and truth.whole and len(values) == 1 and way.through == COUNTS:
            return f"cell {place} is {values} in all solutions"
    return None
