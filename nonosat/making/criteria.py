"""What generators ask of solvers: is a puzzle unique, how hard is it? Bounded by work, not by time: always the same.

The unit of work is the settling of a line; ``propagation`` does some four million a second on boards of 20x20.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from nonosat.counting.native import CounterPortfolio
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.explain.measures import LABELS, explained, needs
from nonosat.explain.techniques import TECHNIQUES, level
from nonosat.making.repair import Repair, repairing
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture
from nonosat.runs.events import Stopped
from nonosat.runs.run import values_within
from nonosat.solvers.propagation.difficulty import difficulty, line_solvable, propagated
from nonosat.solvers.propagation.tree import TreeSearch

if TYPE_CHECKING:
    from nonosat.generators.registry import Generator


# What generators ask of counters: has a nonogram exactly so many solutions? Bounded by work, so always the same.


LINES_COUNTED = 2_000_000
"""Settled lines of one count: a second or so."""
QUICK_COUNT = 200_000
"""For those who ask often, and can do without an answer."""


def solutions_of(puzzle: Any, most: int | None = None, work: int = LINES_COUNTED) -> tuple[int, bool]:
    """(how many solutions ``puzzle`` has at least, whether it has no more); ``work``: lines that may be settled.

    ``most``: more than so many are not counted to their end.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> solutions_of(Nonogram.from_lengths([[1]] * 4, [[1]] * 4))
    (24, True)
    """
    portfolio = CounterPortfolio(puzzle, sweeping=False)  # whose work is counted in lines
    for _ in portfolio.steps(work):
        if most is not None and portfolio.at_least() > most:
            break
    return (portfolio.solutions, True) if portfolio.done else (portfolio.at_least(), False)


def solutions_up_to(puzzle: Any, most: int) -> int:
    """How many solutions ``puzzle`` has; ``most`` + 1 stands for more, or for a count that takes too much work."""
    found, whole = solutions_of(puzzle, most, QUICK_COUNT)
    return min(found, most + 1) if whole else most + 1


def has_exactly(puzzle: Any, wanted: int) -> bool | None:
    """Has ``puzzle`` exactly so many solutions? None: that takes too much work."""
    found, whole = solutions_of(puzzle, wanted)
    return found == wanted if whole else False if found > wanted else None


# What is asked of explanations: does a puzzle take a technique and nothing harder, which label does it have?


def technique_judge(wish: str) -> Callable[[Any], bool]:
    """Who tells whether a puzzle of any kind is ``wish``: a technique's name, or a label of ``measures``.

    >>> from nonosat.puzzles.skyscrapers import Skyscrapers
    >>> puzzle = Skyscrapers((1, 0), (0, 0), (0, 0), (0, 0))
    >>> judge("clue-one")(puzzle), judge("last-cell")(puzzle), judge("easy")(puzzle)
    (False, True, True)
    """
    if wish in TECHNIQUES:
        return partial(_takes_technique, technique=wish)
    if wish not in LABELS:
        raise UnknownNameError("label", wish, LABELS)
    return partial(_labelled, label=wish)


def _takes_technique(puzzle: Any, technique: str) -> bool:
    kind = TECHNIQUES.named(technique).kind
    if kind not in (None, puzzle.kind):
        raise UnsupportedError(f"the technique {technique} is for {kind}, not for {puzzle.kind}")
    return needs(puzzle, technique)


def _labelled(puzzle: Any, label: str) -> bool:
    return explained(puzzle).label == label


WORK = 20_000_000
"""About five seconds for a puzzle."""
QUICK = 20_000
"""For repairs, which ask often, and can do without an answer. Ten times as much saves 6 % of the changes."""

BEFORE_SEARCH = ("trivial", "easy", "medium", "long", "hard")
LINE_LABELS = (*BEFORE_SEARCH, "very hard", "extreme", "ambiguous")
"""The labels of ``difficulty`` that puzzles made from pictures can have."""


def solutions(puzzle: Nonogram, at_most: int = 2, work: int | None = WORK) -> list[Picture] | None:
    """``at_most`` solutions of ``puzzle``, or all if there are fewer; None: ``work`` (None: no limit) did not suffice.

    >>> len(solutions(Nonogram.from_lengths([[1], [1]], [[1], [1]])))
    2
    """
    search = TreeSearch(puzzle)
    found = [puzzle.picture(cells) for cells in islice(search.solutions(work), at_most)]
    return found if len(found) == at_most or search.complete else None


def quick_solutions(puzzle: Nonogram) -> list[Picture] | None:
    """Two ``solutions`` with little work."""
    return solutions(puzzle, work=QUICK)


def unique(puzzle: Nonogram) -> bool | None:
    """Has ``puzzle`` exactly one solution? None: that takes too much work."""
    found = solutions(puzzle)
    return None if found is None else len(found) == 1


def labelled(puzzle: Nonogram, label: str) -> bool | None:
    """Has ``puzzle`` this label of ``difficulty``? None: that takes too much work."""
    if label in BEFORE_SEARCH:  # known without the search, whose time limit this is
        return difficulty(puzzle, 0.0).label == label
    return None if solutions(puzzle) is None else difficulty(puzzle).label == label


JUDGES: dict[str, Callable[[Nonogram], bool | None]] = {
    "unique": unique,
    "line-solvable": line_solvable,
    **{label: partial(labelled, label=label) for label in LINE_LABELS},
}


def judge(wish: str) -> Callable[[Nonogram], bool | None]:
    """Who tells whether a puzzle is ``wish``: "unique", "line-solvable", "3-solution" (with exactly so many), one of
    ``LABELS``, or a technique's name.

    A technique: the puzzle's explanation takes it, and nothing harder.
    """
    if (number := re.fullmatch(r"([1-9][0-9]*)-solution", wish)) is not None:
        return partial(has_exactly, wanted=int(number[1]))
    if wish not in JUDGES and wish in TECHNIQUES:
        return partial(_takes, technique=wish)
    if wish not in JUDGES:
        raise UnknownNameError("label", wish, LINE_LABELS)
    return JUDGES[wish]


def _takes(puzzle: Nonogram, technique: str) -> bool:
    if level(technique) <= level("any-placement") and not line_solvable(puzzle):  # which is quicker to tell
        return False
    return technique_judge(technique)(puzzle)


def repair(
    puzzle: Nonogram,
    *,
    by_lines: bool = False,
    max_changes: int | None = None,
    seed: int = 0,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Repair:
    """Change the goal picture of ``puzzle`` until it is the only solution; ``by_lines``: until lines alone find it.

    See ``nonosat.making.repair.repaired``, whose solvers these are. Limits as for ``nonosat.solve``: where one is
    reached, the repair has the changes so far, and a ``reason``. ``on_progress`` is told the stage and how many cells
    have been changed.

    >>> done = repair(Nonogram.from_picture([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))
    >>> len(done.changes), unique(done.puzzle)
    (1, True)
    """
    limits = {"time_limit_s": time_limit_s, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}
    done, reason = Repair(puzzle, ()), None
    with closing(values_within(_repairing, (puzzle, by_lines, max_changes, seed), limits)) as found:  # type: ignore[type-var]
        for event in found:
            if isinstance(event, Stopped):
                reason = event.reason
                continue
            done = event
            if on_progress is not None:
                on_progress("repairing", len(done.changes))
    return replace(done, reason=reason)


def _repairing(puzzle: Nonogram, by_lines: bool, max_changes: int | None, seed: int) -> Iterator[Repair]:
    solvers = () if by_lines else (solutions, quick_solutions)
    return repairing(puzzle, propagated, *solvers, max_changes=max_changes, seed=seed)


# Random boards by rejection: draw until one is as wanted. The draw keeps its distribution, given that it is wanted.


Board = TypeVar("Board")
Judge = Callable[[Board], bool | None]
"""Is a puzzle wanted? None: that could not be settled; the puzzle is then passed over, and counted."""

ATTEMPTS = 10_000


def accepted(
    boards: Iterable[Board], wanted: Judge[Board], what: str, count: int = 1, attempts: int = ATTEMPTS
) -> Iterator[tuple[int, Board]]:
    """The first ``count`` of ``boards`` that are ``wanted``, each with its place among the boards (from 0).

    ``what`` names what is wanted, for the error.

    UnsupportedError: there are fewer among the first ``attempts`` boards.

    >>> from nonosat.generators.density import random_density
    >>> boards = (random_density(2, 2, 0.5, seed) for seed in range(100))
    >>> [place for place, _ in accepted(boards, lambda board: bool(board.goal.cells.all()), "full", count=2)]
    [25, 85]
    """
    tried = found = unsettled = 0
    for place, board in enumerate(islice(boards, attempts)):
        tried += 1
        verdict = wanted(board)
        unsettled += verdict is None
        if verdict:
            found += 1
            yield place, board
            if found == count:
                return
    told = f" ({unsettled:,} too hard to tell)" if unsettled else ""
    raise UnsupportedError(f"{found:,} of {tried:,} boards tried are {what}{told}; {count:,} wanted")


# Which density has the boards that are wanted? Found by trying some, since no formula tells how hard a board is.


TRIED = tuple(percent / 100 for percent in range(20, 85, 5))
"""Shares of filled cells, of all colours together."""
EACH = 20
"""Boards of each density, at most."""
PATIENCE_S = 20.0
"""Seconds in all: this is advice, and not what was asked for."""


def advice(
    generator: Generator, texts: Sequence[str], wanted: Judge[Any], show: Callable[[str], None] = lambda text: None
) -> str:
    """At which densities boards like those of ``texts`` are ``wanted``, as the end of an error; "": no density is told.

    ``show`` is told what goes on.
    """
    places = [place for place, parameter in enumerate(generator.parameters) if parameter.word == "density"]
    if not places:
        return ""
    tries = {told: [0, 0] for told in _others(generator, texts, places[0])}
    begin = monotonic()
    for seed in range(EACH):
        for told, counts in tries.items():
            if monotonic() - begin > PATIENCE_S:
                return _format_share(tries)
            show(f"looking for a density that has such boards: {told}")
            board = generator.puzzle([*texts[: places[0]], told, *texts[places[0] + 1 :]], seed)
            counts[0] += bool(wanted(board))
            counts[1] += 1
    return _format_share(tries)


def _others(generator: Generator, texts: Sequence[str], place: int) -> Iterator[str]:
    """The densities to try as names tell them, with the colours in the same proportions."""
    parameter = generator.parameters[place]
    shares = parameter.read(texts[place])
    total = sum(shares) or 1.0
    for share in TRIED:
        yield parameter.told(tuple(round(each / total * share, 6) if sum(shares) else share for each in shares))


def _format_share(tries: dict[str, list[int]]) -> str:
    found = sorted(((found / of, told) for told, (found, of) in tries.items() if found), reverse=True)
    if not found:
        least = min(of for _, of in tries.values())
        return f"; nor is one of {least} each at densities from {TRIED[0]:g} to {TRIED[-1]:g}" if least else ""
    best = ", ".join("{} of {} at --density {}".format(*tries[told], told) for _, told in found[:3])
    return f"; of other boards of this size {best}"
