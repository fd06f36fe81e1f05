"""Criteria that a made puzzle can be required to meet: unique, so many solutions, a difficulty, a technique.

Each is a judge, a function from a puzzle to True, False, or None: too much work to decide. The limit is one
of work, not of time, so that a puzzle always gets the same judgement. The unit of work is a line checked once;
``propagation`` checks some four million a second on boards of 20x20.
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
from nonosat.errors import InterruptedSolve, UnknownNameError, UnsupportedError
from nonosat.explanations.measures import LABELS, explained, needs
from nonosat.explanations.techniques import TECHNIQUES, level
from nonosat.making.repair import Repair, repairing
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture, nonogram_of
from nonosat.puzzles.puzzle import PuzzleOrFile, puzzle_from
from nonosat.runs.events import Stopped
from nonosat.runs.run import values_within
from nonosat.solvers.propagation.difficulty import difficulty, line_solvable, propagated
from nonosat.solvers.propagation.tree import TreeSearch

if TYPE_CHECKING:
    from nonosat.generators.registry import Generator


LINES_COUNTED = 2_000_000
"""Checked lines of one count: a second or so."""
QUICK_COUNT = 200_000
"""The same where a count is made often and its answer can be missed."""


def solutions_of(puzzle: Any, most: int | None = None, work: int = LINES_COUNTED) -> tuple[int, bool]:
    """(how many solutions ``puzzle`` has at least, whether it has no more); ``work``: lines that may be checked.

    ``most``: the count stops when there are more than so many.

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


def technique_judge(criterion: str) -> Callable[[Any], bool]:
    """The judge of a criterion for puzzles of any kind: a technique's name, or a label of ``explain.measures``.

    A technique: the puzzle's explanation takes it, and nothing harder.

    >>> from nonosat.puzzles.skyscrapers import Skyscrapers
    >>> puzzle = Skyscrapers((1, 0), (0, 0), (0, 0), (0, 0))
    >>> [technique_judge(name)(puzzle) for name in ("clue-one", "last-cell", "easy")]
    [False, True, True]
    """
    if criterion in TECHNIQUES:
        return partial(_takes_technique, technique=criterion)
    if criterion not in LABELS:
        raise UnknownNameError("label", criterion, LABELS)
    return partial(_labelled, label=criterion)


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
"""The same for repairs, which search often and can miss an answer. Ten times as much saves 6 % of the changes."""

BEFORE_SEARCH = ("trivial", "easy", "medium", "long", "hard")
LINE_LABELS = (*BEFORE_SEARCH, "very hard", "extreme", "ambiguous")
"""The labels of ``difficulty`` that puzzles with a goal can have."""


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
    if label in BEFORE_SEARCH:  # lines and probing suffice: the search, whose time limit this is, may end at once
        return difficulty(puzzle, 0.0).label == label
    return None if solutions(puzzle) is None else difficulty(puzzle).label == label


JUDGES: dict[str, Callable[[Nonogram], bool | None]] = {
    "unique": unique,
    "line-solvable": line_solvable,
    **{label: partial(labelled, label=label) for label in LINE_LABELS},
}


def judge(criterion: str) -> Callable[[Nonogram], bool | None]:
    """The judge of a criterion for nonograms.

    ``unique``, ``line-solvable``, ``3-solution`` (exactly so many), one of ``LINE_LABELS``, or a technique's name (the
    puzzle's explanation takes it, and nothing harder). UnknownNameError: it is none of these.
    """
    if (number := re.fullmatch(r"([1-9][0-9]*)-solution", criterion)) is not None:
        return partial(has_exactly, wanted=int(number[1]))
    if criterion not in JUDGES and criterion in TECHNIQUES:
        return partial(_takes, technique=criterion)
    if criterion not in JUDGES:
        raise UnknownNameError("label", criterion, LINE_LABELS)
    return JUDGES[criterion]


def _takes(puzzle: Nonogram, technique: str) -> bool:
    if level(technique) <= level("any-placement") and not line_solvable(puzzle):  # the quicker test
        return False
    return technique_judge(technique)(puzzle)


def repair(
    puzzle: PuzzleOrFile,
    *,
    line_solvable: bool = False,
    max_changes: int | None = None,
    seed: int = 0,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Repair:
    """Change the goal of ``puzzle`` until it is the only solution; ``line_solvable``: until lines alone find it.

    ``max_changes`` and ``seed`` as for ``nonosat.making.repair.repaired``. Limits as for ``nonosat.solve``: where one
    is reached, the repair has the changes so far, and a ``reason``. InterruptedSolve: Ctrl-C, with such a repair.
    ``on_progress`` is called with the stage and the number of changed cells.

    >>> done = repair(Nonogram.from_picture([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))
    >>> len(done.changes), unique(done.puzzle)
    (1, True)
    """
    limits = {"time_limit_s": time_limit_s, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}
    puzzle = nonogram_of(puzzle_from(puzzle), "repair")
    done, reason = Repair(puzzle, ()), None
    try:
        with closing(values_within(_repairing, (puzzle, line_solvable, max_changes, seed), limits)) as found:  # type: ignore[type-var]
            for event in found:
                if isinstance(event, Stopped):
                    reason = event.reason
                    continue
                done = event
                if on_progress is not None:
                    on_progress("repairing", len(done.changes))
    except KeyboardInterrupt:
        raise InterruptedSolve(replace(done, reason="interrupted")) from None
    return replace(done, reason=reason)


def _repairing(puzzle: Nonogram, by_lines: bool, max_changes: int | None, seed: int) -> Iterator[Repair]:
    solvers = () if by_lines else (solutions, quick_solutions)
    return repairing(puzzle, propagated, *solvers, max_changes=max_changes, seed=seed)


# Random boards by rejection sampling: the distribution is that of the draw, given that the criterion is met.


Board = TypeVar("Board")
Judge = Callable[[Board], bool | None]
"""Is a criterion met? None: it takes too much work to decide; then the puzzle is rejected, and counted as such."""

ATTEMPTS = 10_000


def accepted(
    boards: Iterable[Board], wanted: Judge[Board], what: str, count: int = 1, attempts: int = ATTEMPTS
) -> Iterator[tuple[int, Board]]:
    """The first ``count`` of ``boards`` that ``wanted`` accepts, each with its place among the boards (from 0).

    ``what`` names the criterion, for the error.

    UnsupportedError: there are fewer among the first ``attempts`` boards.

    >>> from nonosat.generators.density import random_density
    >>> boards = (random_density(2, 2, 0.5, seed) for seed in range(100))
    >>> [place for place, _ in accepted(boards, lambda board: bool(board.goal.cells.all()), "full", count=2)]
    [25, 85]
    """
    tried = found = unknown = 0
    for place, board in enumerate(islice(boards, attempts)):
        tried += 1
        verdict = wanted(board)
        unknown += verdict is None
        if verdict:
            found += 1
            yield place, board
            if found == count:
                return
    missed = f" ({unknown:,} too hard to tell)" if unknown else ""
    raise UnsupportedError(f"{found:,} of {tried:,} boards tried are {what}{missed}; {count:,} wanted")


# Advice where rejection finds too few boards: no formula gives the difficulty of a density, so some are tried.


TRIED = tuple(percent / 100 for percent in range(20, 85, 5))
"""Shares of filled cells, of all colours together."""
EACH = 20
"""Boards of each density, at most."""
PATIENCE_S = 20.0
"""Seconds in all: advice is no part of the result."""


def advice(
    generator: Generator, texts: Sequence[str], wanted: Judge[Any], show: Callable[[str], None] = lambda text: None
) -> str:
    """At which densities ``wanted`` accepts boards like those of ``texts``, as the end of an error.

    ``show`` is called with a text for the progress line. "": the generator has no density, or the time was too short.
    """
    places = [place for place, parameter in enumerate(generator.parameters) if parameter.word == "density"]
    if not places:
        return ""
    tries = {density: [0, 0] for density in _densities(generator, texts, places[0])}
    begin = monotonic()
    for seed in range(EACH):
        for density, counts in tries.items():
            if monotonic() - begin > PATIENCE_S:
                return _format_share(tries)
            show(f"looking for a density that has such boards: {density}")
            board = generator.puzzle([*texts[: places[0]], density, *texts[places[0] + 1 :]], seed)
            counts[0] += bool(wanted(board))
            counts[1] += 1
    return _format_share(tries)


def _densities(generator: Generator, texts: Sequence[str], place: int) -> Iterator[str]:
    """The densities to try, as texts, with the colours in the same proportions."""
    parameter = generator.parameters[place]
    shares = parameter.read(texts[place])
    total = sum(shares) or 1.0
    for share in TRIED:
        yield parameter.format(tuple(round(each / total * share, 6) if sum(shares) else share for each in shares))


def _format_share(tries: dict[str, list[int]]) -> str:
    found = sorted(((found / of, density) for density, (found, of) in tries.items() if found), reverse=True)
    if not found:
        least = min(of for _, of in tries.values())
        return f"; nor is one of {least} each at densities from {TRIED[0]:g} to {TRIED[-1]:g}" if least else ""
    best = ", ".join("{} of {} at --density {}".format(*tries[density], density) for _, density in found[:3])
    return f"; of other boards of this size {best}"
