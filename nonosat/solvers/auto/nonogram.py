"""The strategy of ``auto`` for nonograms: lines and probing first, then beliefs, and SAT for what is left.

The tree search (``propagation``) gets a bounded amount of work (``WORK``), which is enough for most puzzles that people
make. In between come a greedy search, for boards on which nearly any choice leads to a solution (``GREEDY``),
decimation (``EARLY``), and the greedy search from other corners. If that is not enough, and no guess was
needed so far, the root of the search tree is probed to the end (``ROOT``). The next parts begin with what is known
there:

- Decimation looks for a solution (``solvers/propagation/decimation.py``); the clues' symmetries may give several at
  once.
- If one more is wanted than there are, it is looked for near the first (``solvers/propagation/greedy.py``).
- MiniSat 2.2 gets the formula of ``tight+r3+order``. Known cells are unit clauses. In black and white, what each value
  of each open cell implies for others by complete line solving is binary clauses, which unit propagation alone would
  miss. Until there is a solution, SAT alternates between completing what decimation begins and working alone
  (``CompletionSchedule``). Then it looks for further solutions near the first one, and proves that there is none.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count, product
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Given
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
from nonosat.puzzles.puzzle import derived, given_board
from nonosat.runs.events import Event, Finished, Found, Progress, Statistics
from nonosat.runs.watched import watch
from nonosat.solvers.auto.presolve import Presolve
from nonosat.solvers.auto.search import by_sat

if TYPE_CHECKING:
    from nonosat.encodings.formula import Formula
    from nonosat.solvers.propagation.decimation import Decimation
    from nonosat.solvers.sat.search import Stage


# Symmetries of a nonogram's clues: ways to turn or mirror the board after which the puzzle is the same.
#
# A solution turned or mirrored so is a solution again: the same one, or another. Empty outer lines are left out, since
# many drawings have them on one side only.


CellNumbers = npt.NDArray[np.int64]


def symmetries(puzzle: Nonogram) -> list[CellNumbers]:
    """All symmetries but the identity, as arrays of shape (height * width,).

    With ``x`` a solution, row by row, ``x[symmetry]`` is one too. Together with the identity they are a group.

    >>> len(symmetries(Nonogram.from_picture([[0, 1, 0], [1, 1, 1], [0, 1, 0]])))
    7
    >>> [s.tolist() for s in symmetries(Nonogram.from_picture([[1, 1], [1, 0]]))]  # along its diagonal
    [[0, 2, 1, 3]]
    """
    (top, bottom), (left, right) = _used(puzzle.rows), _used(puzzle.columns)
    rows, columns = list(puzzle.rows[top:bottom]), list(puzzle.columns[left:right])
    known = np.array(given_board(puzzle, still_open=-1)).reshape(-1)
    whole = np.arange(puzzle.height * puzzle.width).reshape(puzzle.shape)
    found: dict[bytes, CellNumbers] = {}
    for turned, upside_down, mirrored in product((False, True), repeat=3):
        if not (turned or upside_down or mirrored) or (turned and len(rows) != len(columns)):
            continue
        across, down, cells = rows, columns, whole[top:bottom, left:right]
        if turned:
            across, down, cells = down, across, cells.T
        if upside_down:
            across, down, cells = across[::-1], [clue[::-1] for clue in down], cells[::-1]
        if mirrored:
            across, down, cells = [clue[::-1] for clue in across], down[::-1], cells[:, ::-1]
        if (across, down) != (rows, columns):
            continue
        turn = whole.copy()
        turn[top:bottom, left:right] = cells
        image = turn.reshape(-1)
        if (known[image] == known).all():
            found[image.tobytes()] = image  # of a single line, two of them are the same
    found.pop(whole.tobytes(), None)
    return list(found.values())


def _used(clues: tuple[Clue, ...]) -> tuple[int, int]:
    """From where to where there are clues that are not empty."""
    used = [index for index, clue in enumerate(clues) if clue]
    return (used[0], used[-1] + 1) if used else (0, 0)


# Decimation and SAT together: decimation fixes the cells that beliefs are surest of, SAT the others; or SAT fixes all.
#
# A whole attempt fails where one cell of hundreds is wrong, and SAT by itself sees nothing of the board as a whole.
# With the surest cells fixed, a few hundred conflicts mostly decide whether there is a solution that has them, and the
# clauses learnt stay true. The further an attempt goes, the likelier a cell is wrong; the sooner it ends, the more SAT
# has to do. The best length is not known beforehand, so attempts go to different lengths.


TRIES, CONFLICTS, MOST_CONFLICTS = 20, 20, 10**9
"""The first round: attempts that SAT completes, and conflicts of SAT alone for each line. Later rounds double."""
BUDGET, MORE = 4, 0.2
"""Conflicts for each line to complete the first attempt, and how many more each later one has."""
LEAST, DEPTHS, SPREAD, LARGEST_SHARE = 8, 13, 7, 0.85
"""How much an attempt leaves unknown: ``LEAST`` to ``LEAST + DEPTHS - 1`` times the root of what is unknown when it
begins, each time ``SPREAD`` more (cyclically), but at most this share of it."""
MESSAGES, WORTH, LEAST_WORTH, MOST_WORTH = 32, 0.01, 0.1, 1.0
"""Messages that take as long as a conflict; and how much work whole attempts get, for the work of SAT alone.

On large random boards whole attempts find a solution, while SAT alone finds none. On drawings of waves it is the other
way round. How near the best attempt came mostly distinguishes them (results/what-we-tried.md), but not always: so all
get a little. As attempts get no more than SAT, a board that only SAT solves takes at most twice as long.
"""


def worth(decimation: Decimation) -> float:
    """How much more work decimation is worth, by how near to a solution it came; ``MOST_WORTH`` at most."""
    return min(MOST_WORTH, WORTH * (1 / max(decimation.nearest, 1e-3) - 1) ** 2)


LARGE, OPEN, FAR = 10_000, 0.9, 0.5
"""Where of so many cells lines leave such a share open, and the best contradiction such a share of that, SAT is next.

That is so on large drawings of waves. Probing all cells and further attempts take longer there than SAT does. On small
boards they take little, and SAT may take long.
"""


def hopeless(decimation: Decimation | None) -> bool:
    """Did the first attempts, if there were any, end so far from a solution that SAT is to begin at once?"""
    if decimation is None:
        return False
    cells = decimation.board.height * decimation.board.width
    far = decimation.opened > OPEN * cells and decimation.nearest > FAR
    return bool(cells >= LARGE and decimation.repairs and far and not decimation.found)


class CompletionSchedule:
    """The stages of SAT's search on a board of so many ``lines``. ``guided``: SAT completes an attempt now.

    ``alone_first``: it begins without one.

    Each round has a turn of decimation ``whole``, attempts ``parts`` that SAT completes, and SAT alone. If the attempts
    of a round are stuck, one after the other, it ends after as many as in the first round, or half as many as the last
    time.
    """

    def __init__(self, decimation: Decimation, lines: int, alone_first: bool = False) -> None:
        self.whole, self.parts, self.lines = decimation, decimation.beside(), lines
        self.alone_first = alone_first
        self.opened, self.before = decimation.unknown, decimation.updates
        self.tries, self.stuck, self.alone, self.guided = 0, 0, 0, False

    def __iter__(self) -> Iterator[Stage]:
        from nonosat.solvers.sat.search import Stage  # python-sat: an easy board does without it

        patience = TRIES
        if self.alone_first:
            yield from self.by_itself(CONFLICTS * self.lines)
        for turn in count():
            if self.owed() > 0:
                yield Stage(begin=self.go_on)
            self.guided, self.stuck = True, 0
            for made in count():
                if self.stuck >= patience or made >= TRIES << turn:
                    break
                before, conflicts = self.tries, int((BUDGET + MORE * self.tries) * self.lines)
                yield Stage(conflicts, begin=self.next_attempt, end=self.to_the_end)
                if self.tries == before:  # a solution is known: attempts look for the first alone
                    break
            self.guided, patience = False, TRIES if self.stuck < patience else max(1, patience // 2)
            yield from self.by_itself(min(CONFLICTS * self.lines << turn, MOST_CONFLICTS))

    def by_itself(self, conflicts: int) -> Iterator[Stage]:
        """SAT alone."""
        from nonosat.solvers.sat.search import Stage

        yield Stage(conflicts)
        self.alone += conflicts

    def owed(self) -> int:
        """The messages that whole attempts are worth, for the work of SAT alone, and have not sent."""
        share = max(LEAST_WORTH, worth(self.whole))
        return int(share * MESSAGES * self.alone) - (self.whole.updates - self.before)

    def go_on(self) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """The solution that decimation comes to in its turn."""
        return (yield from self.whole.within(self.owed()))

    def next_attempt(self) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        """The cells that the next attempt has fixed when it has gone far enough; None: it was stuck."""
        left = (LEAST + SPREAD * self.tries % DEPTHS) * sqrt(self.opened)
        self.tries += 1
        cells = yield from self.parts.partly(int(min(left, LARGEST_SHARE * self.opened)))
        self.stuck = self.stuck + 1 if cells is None else 0
        return cells

    def to_the_end(self) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        """The solution that the attempt which SAT gave up leads to; None: it was stuck."""
        self.guided = False
        cells = yield from self.parts.to_the_end()
        self.guided = cells is None
        return cells


LEAST_LINES, FIRST, FEW = 1_500, 20, 28
"""Lines filtered before the greedy search, at least, and for each line; and for each line before the first attempts of
decimation.

On small boards what comes next costs more than the rest of the tree. On large ones an attempt costs less than probing
all cells once.
"""
GREEDY = 2
"""Lines filtered for each cell by the greedy search, at most, in each of its ways."""
WORK, ROOT = 8, 100
"""Lines filtered for each cell before the next part begins: at first, and as long as no guess was needed."""
AGAIN = 15_000
"""Lines filtered by the tree search after that, guesses and all, if a solution is known and not whether it is the only
one: SAT comes next, which takes 10 ms to begin. A tree of that size takes 1 ms.
"""
EARLY = 100
"""How often each line sends messages in the early attempts: enough for two."""
UPDATES, MORE_UPDATES = 300, 300
"""How often each line sends messages before the formula is made: it takes about as long, at 25x25 as at 80x80; and how
often after that, at most, where attempts came near.
"""
PAIRS = 200_000
"""Implications that are added at most."""
NO_PAIRS = np.empty((0, 2), dtype=np.int64)

Cells = npt.NDArray[Any]
SOLVING = Progress("solving")


def search(puzzle: Nonogram, at_most: int | None) -> Iterable[Event]:
    """Find at most ``at_most`` solutions (None: all).

    Where the first piece of the tree search is enough, the events are a list: generators within generators take longer.
    """
    start = Presolve(puzzle, at_most)
    if watch() is None and start.at_once(_first_lines(puzzle)):
        events: list[Event] = [SOLVING, *map(Found, start.solutions), start.finished(start.complete)]
        start.release()
        return events
    return _in_parts(puzzle, start)


def _first_lines(puzzle: Nonogram) -> int:
    """How many lines the first piece of the tree search filters, at most."""
    return min(WORK * puzzle.height * puzzle.width, max(LEAST_LINES, FIRST * sum(puzzle.shape)))


def _in_parts(puzzle: Nonogram, start: Presolve) -> Iterator[Event]:
    """One part of the search after the other."""
    yield SOLVING
    try:
        yield from start.go_on_from_there()
        if not ((yield from _soon(puzzle, start)) or (yield from _at_root(start))):
            yield from _rest(puzzle, start)
            return
        yield from map(Found, start.solutions)
        yield start.finished(start.complete)
    finally:
        start.release()


def _soon(puzzle: Nonogram, start: Presolve) -> Generator[Event, None, bool]:
    """What is enough for most boards; is all done?"""
    lines, most = sum(puzzle.shape), WORK * start.cells
    if (yield from start.search_tree(_first_lines(puzzle), guesses=True)):
        return True
    if (yield from start.search_greedily(min(most, GREEDY * start.cells), slice(1))):
        return True
    if (yield from start.search_tree(min(most, FEW * lines), guesses=True)):
        return True
    yield from start.decimate(EARLY * lines)
    if start.done:
        return True
    if hopeless(start.decimation):
        return False
    if not start.solutions and (yield from start.search_greedily(min(most, GREEDY * start.cells), slice(1, None))):
        return True
    return (yield from start.search_tree(most, guesses=True))


def _at_root(start: Presolve) -> Generator[Event, None, bool]:
    """Probe the root to the end, and look whether a known solution is the only one; is all done?"""
    if hopeless(start.decimation):
        return False
    return (yield from start.search_tree(ROOT * start.cells, guesses=False)) or bool(
        start.solutions and (yield from start.search_small_tree(min(AGAIN, ROOT * start.cells)))
    )


def _rest(puzzle: Nonogram, start: Presolve) -> Iterator[Event]:
    """Decimation and SAT on what is known at the root; all solutions but the first two are SAT's."""
    from nonosat.solvers.auto.regions import regions, search_regions
    from nonosat.solvers.propagation.board import cells_of
    from nonosat.solvers.sat.search import SearchStages, orbit

    tree, decimation, at_most = start.tree, start.decimator(), start.at_most
    dead = tree.back_to_root()
    root, images, many = cells_of(tree.board), symmetries(puzzle), sum(puzzle.shape)
    if not dead and not start.solutions:
        # Many solutions are enumerated by SAT, and a region by itself may have far too many.
        if at_most in (1, 2) and len(parts := regions(root < 0)) > 1:
            yield from search_regions(puzzle, root, parts, at_most, start.spent(), search)
            return
        if not hopeless(decimation):
            yield from start.decimate(UPDATES * many)
            yield from start.decimate(int(worth(decimation) * MORE_UPDATES * many))
    known: dict[bytes, Cells] = {}
    for board in start.solutions:
        for cells in orbit(board, images):
            if len(known) != at_most and cells.tobytes() not in known:
                known[cells.tobytes()] = cells
                yield Found(cells)
    if dead or start.complete or len(known) == at_most:
        yield start.finished(dead or start.complete, None if start.by_tree else "lines and probing")
        return
    pairs = start.implications(PAIRS) if puzzle.colours == 1 else NO_PAIRS
    given = tuple(Given(row, column, int(root[row, column])) for row, column in np.argwhere(root >= 0).tolist())
    schedule, guided = CompletionSchedule(decimation, many, hopeless(decimation)), False
    plan = SearchStages(schedule, list(known.values()), images)

    def spent() -> Statistics:
        return start.spent().plus(Statistics.of(schedule.parts.costs()))

    for event in by_sat(derived(puzzle, given=given), spent, at_most, plan, partial(with_pairs, pairs=pairs)):
        if isinstance(event, Found) and not known:
            known[event.cells.tobytes()], guided = event.cells, schedule.guided
        if isinstance(event, Finished):
            who = event.reason or ""
            if guided:
                who = f"by beliefs and {who.removeprefix('by ')}"
            elif decimation.found or schedule.parts.found:
                who = "by beliefs" if at_most == 1 else f"by beliefs, then {who.removeprefix('by ')}"
            event = replace(event, reason=f"{who} after lines and probing")
        yield event


def with_pairs(formula: Formula, pairs: npt.NDArray[np.int64]) -> Formula:
    """``formula`` and the implications ``pairs``, shape (n, 2), of ``cell * 2 + value``; cells are black or white."""
    if not len(pairs):
        return formula
    first = formula.map.first[: formula.board.size].astype(np.int64)
    literals = first[pairs // 2] * np.where(pairs % 2, -1, 1)  # a cell's Boolean is true where it is blank
    cnf, base = formula.cnf, 2 * formula.cnf.variables + 1
    one, two = np.sort(np.stack((-literals[:, 0], literals[:, 1])), axis=0) + formula.cnf.variables
    clauses = np.stack(np.divmod(np.unique(one * base + two), base), axis=1) - cnf.variables  # many are there twice
    return replace(formula, cnf=cnf.extended(clauses))
