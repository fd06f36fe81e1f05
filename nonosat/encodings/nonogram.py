"""The rules of nonograms as a CSP: domains, orderings, channels, automata."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from nonosat.csp.meanings import Entry, LemmaMeaning, Meanings, Means, Within
from nonosat.csp.model import (
    CSP,
    NEVER,
    Block,
    Clauses,
    Comparison,
    Constraint,
    Ints,
    Paths,
    Precedes,
    at_least,
    at_most,
    ints,
    outside,
    ranges,
    within,
)
from nonosat.encodings.parts import INTEGERS, OURS, Chosen, Kind, Listed, Part
from nonosat.puzzles.nonogram import Nonogram

# All runs of a puzzle as one table, the common ground of the rules.


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of every line (rows, then columns), in order; each array has one entry a run, or one a line.

    A run's *position* is counted along its line from 0. The cell at position j of line l is the CSP variable
    ``base[l] + j * stride[l]`` (cells come first, row by row), and run r starts at the variable ``start[r]``.
    """

    length: Ints
    colour: Ints
    line: Ints
    start: Ints
    first: Ints
    """Per line: its first run; one more entry at the end, so that line l has the runs ``first[l]:first[l+1]``."""
    size: Ints
    """Per line: its number of cells."""
    base: Ints
    stride: Ints
    colours: int

    @classmethod
    def of(cls, puzzle: Nonogram) -> Runs:
        """The table of ``puzzle``'s runs."""
        clues = puzzle.rows + puzzle.columns
        height, width = puzzle.shape
        counts = np.fromiter(map(len, clues), dtype=np.int32, count=len(clues))
        first = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
        flat = np.fromiter(chain.from_iterable(chain.from_iterable(clues)), dtype=np.int32, count=2 * int(first[-1]))
        rows, columns = np.arange(height, dtype=np.int32), np.arange(width, dtype=np.int32)
        return cls(
            length=flat[0::2].copy(),
            colour=flat[1::2].copy(),
            line=np.repeat(np.arange(len(clues), dtype=np.int32), counts),
            start=np.arange(height * width, height * width + first[-1], dtype=np.int32),
            first=first,
            size=np.repeat(np.array([width, height], dtype=np.int32), [height, width]),
            base=np.concatenate((rows * width, columns)),
            stride=np.repeat(np.array([1, width], dtype=np.int32), [height, width]),
            colours=puzzle.colours,
        )

    def __len__(self) -> int:
        return len(self.length)

    @property
    def with_next(self) -> Ints:
        """The runs that have a run behind them on their line; run r's is r + 1."""
        return np.flatnonzero(self.line[1:] == self.line[:-1]).astype(np.int32)

    @property
    def gap(self) -> Ints:
        """Per run: the blanks that must lie between it and the next run of its line; 0 for the last run of a line."""
        gap = np.zeros(len(self), dtype=np.int32)
        gap[:-1] = (self.line[1:] == self.line[:-1]) & (self.colour[1:] == self.colour[:-1])
        return gap

    def names(self, height: int) -> list[str]:
        """Per run: what its start is called, by variables and by the puzzle's statement: ``h_0_1``."""
        axes = np.where(self.line < height, "h", "v").tolist()
        return [f"{axis}_{line}_{k}" for axis, (line, k) in zip(axes, self.index(height).tolist(), strict=True)]

    def index(self, height: int) -> Ints:
        """Per run: (line within its axis, number within its line), for names."""
        line = np.where(self.line < height, self.line, self.line - height)
        return np.stack((line, np.arange(len(self)) - self.first[self.line]), axis=1).astype(np.int32)


# Rule 2: where a run may start. Both give (lowest, highest) start of every run.


def plain(runs: Runs) -> tuple[Ints, Ints]:
    """Rule 2: ``0 <= s_k <= n - T_k``: the run fits on its line."""
    return np.zeros(len(runs), dtype=np.int32), runs.size[runs.line] - runs.length


def tight(runs: Runs) -> tuple[Ints, Ints]:
    """Rule 2-alt: the runs before it and behind it fit too, with the blanks between them."""
    before = _sums_before(runs)
    total = before[runs.first[1:][runs.line]]
    lowest = before[:-1] - before[runs.first[runs.line]]
    return lowest, runs.size[runs.line] - (total - before[:-1])


def _sums_before(runs: Runs) -> Ints:
    """Per run, and once at the end: the length of all runs before it in the table, and of the blanks behind them."""
    return np.concatenate(([0], np.cumsum(runs.length + runs.gap))).astype(np.int32)


# Rules 3 to 6: how the runs of a line follow each other. Every rule is a family of precedences between starts.
#
# T is a run's length; the gap between two runs is 1 if they have one colour and 0 otherwise, in every rule. Rules 4 and
# 6 of the report have three readings: what its prose says (*ends*), what its formula says (*printed*), and what was
# probably intended (*mirrored*). The first two are no sound rules; they are here because the report may have measured
# one of them.


def rule_3(runs: Runs) -> Constraint:
    """``s_k + T_k + gap <= s_{k+1}``: run k is before run k + 1, with a blank between runs of one colour."""
    return _before(runs, *_neighbours(runs))


def rule_4_ends(runs: Runs) -> Constraint:
    """``s_k + T_k + gap <= s_{k+1} + T_{k+1}``: run k ends before run k + 1 ends. Runs may overlap: a relaxation."""
    return _ends_before(runs, *_neighbours(runs))


def rule_4_printed(runs: Runs) -> Constraint:
    """``s_{k+1} + T_k + gap <= s_k``: as printed, ``(> h_k (+ h_{k+1} T))``. The order is reversed."""
    return _behind(runs, *_neighbours(runs))


def rule_4_mirrored(runs: Runs) -> Constraint:
    """``s_{k+1} >= s_k + T_k + gap``: rule 3, written from the other side."""
    return rule_3(runs)


def rule_5(runs: Runs) -> Constraint:
    """``s_i + T_i + gap <= s_j`` for all i < j of a line: the closure of rule 3."""
    return _before(runs, *_pairs(runs))


def rule_6_ends(runs: Runs) -> Constraint:
    """Rule 4 (ends) for all i < j of a line."""
    return _ends_before(runs, *_pairs(runs))


def rule_6_printed(runs: Runs) -> Constraint:
    """Rule 4 (printed) for all i < j of a line."""
    return _behind(runs, *_pairs(runs))


def rule_6_mirrored(runs: Runs) -> Constraint:
    """Rule 4 (mirrored) for all i < j of a line, which is rule 5."""
    return rule_5(runs)


def accumulated(runs: Runs) -> Constraint:
    """``s_i + (lengths and gaps from i to j - 1) <= s_j`` for all i < j: what rule 3 implies; the report lacks it."""
    i, j = _pairs(runs)
    before = np.concatenate(([0], np.cumsum(runs.length + runs.gap)))
    return Precedes(runs.start[i], (before[j] - before[i]).astype(np.int32), runs.start[j])


def _neighbours(runs: Runs) -> tuple[Ints, Ints]:
    """Each run that has one behind it on its line, and that one."""
    here = runs.with_next
    return here, here + np.int32(1)


def _pairs(runs: Runs) -> tuple[Ints, Ints]:
    """All pairs of runs i < j of a line."""
    every = np.arange(len(runs), dtype=np.int32)
    i, j = ranges(every + 1, runs.first[runs.line + 1])
    return i.astype(np.int32), j


def _gap(runs: Runs, i: Ints, j: Ints) -> Ints:
    return ints(runs.colour[i] == runs.colour[j])


def _before(runs: Runs, i: Ints, j: Ints) -> Precedes:
    return Precedes(runs.start[i], runs.length[i] + _gap(runs, i, j), runs.start[j])


def _ends_before(runs: Runs, i: Ints, j: Ints) -> Precedes:
    return Precedes(runs.start[i], runs.length[i] + _gap(runs, i, j) - runs.length[j], runs.start[j])


def _behind(runs: Runs, i: Ints, j: Ints) -> Precedes:
    return Precedes(runs.start[j], runs.length[i] + _gap(runs, i, j), runs.start[i])


def gaps(runs: Runs, lower: Ints, upper: Ints) -> list[Constraint]:
    """A covered cell has the run's colour; a cell between two consecutive runs is blank. No auxiliaries.

    Needs the runs of a line to be in order (rule 3 or what implies it): then every cell is covered by one run or
    lies between two consecutive ones (or before the first, or behind the last), so that the cell is determined.
    """
    return [_covered(runs, lower, upper), _between(runs, lower, upper)]


def iff(runs: Runs, lower: Ints, upper: Ints) -> list[Constraint]:
    """A cell has a colour iff some run of that colour covers it, as in the report. Needs no order of the runs.

    The order encoding names "run k covers cell j" by an auxiliary (one a run and cell), as Sugar does. Proofs know
    what ``gaps`` would say, first: unit propagation does not add up which runs cover a cell.
    """
    first = Meanings(partial(between_first, runs, lower, upper))
    return [first, _covered(runs, lower, upper), _needs_cover(runs, lower, upper)]


def between_first(runs: Runs, lower: Ints, upper: Ints, starts: Sequence[str] = ()) -> Iterator[LemmaMeaning]:
    """For proofs: a cell between consecutive runs is blank. ``starts``: their names, where they are no variables."""
    cells = int(runs.start[0]) if len(runs) else 0
    columns = []
    for column in _between(runs, lower, upper).columns:
        assert isinstance(column, Comparison)
        bounds = [None] * len(column.bounds), column.bounds.tolist()
        quantities = [starts[v - cells] if starts and v >= cells else v for v in column.variables.tolist()]
        columns.append(map(Within, quantities, *(bounds[::-1] if column.at_least else bounds)))
    for alternatives in zip(*columns, strict=True):
        yield LemmaMeaning((), [[alternative] for alternative in alternatives])


def _covered(runs: Runs, lower: Ints, upper: Ints) -> Constraint:
    """``s_k <= j < s_k + T_k`` implies ``x_j = colour_k``, for every position j that run k can reach."""
    run, j = ranges(lower, upper + runs.length)
    line = runs.line[run]
    elsewhere = outside(runs.start[run], j - runs.length[run] + 1, j)
    cell, colour = runs.base[line] + j * runs.stride[line], runs.colour[run]
    return Clauses((elsewhere, within(cell, colour, colour)))


def _between(runs: Runs, lower: Ints, upper: Ints) -> Clauses:
    """``s_k + T_k <= j < s_{k+1}`` implies ``x_j = 0``; the ends of the line stand for the runs that aren't there."""
    # Gap g of line l lies before run first[l] + g; a line of K runs has K + 1 gaps.
    counts = np.diff(runs.first) + 1
    line = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    right = np.arange(len(line), dtype=np.int32) - line
    is_first, is_last = right == runs.first[line], right == runs.first[line + 1]
    # A run that isn't there gets an end (a start) that no position lies before (behind): the comparison is false.
    padded_start = np.append(runs.start, np.int32(0))
    left_start, right_start = padded_start[right - 1], padded_start[right]
    left_length = np.where(is_first, NEVER, np.append(runs.length, np.int32(0))[right - 1]).astype(np.int32)
    shift = np.where(is_last, NEVER, 0).astype(np.int32)
    begin = np.where(is_first, 0, np.append(lower + runs.length, np.int32(0))[right - 1]).astype(np.int32)
    end = np.where(is_last, runs.size[line], np.append(upper, np.int32(0))[right]).astype(np.int32)
    gap, j = ranges(begin, end)
    cell = runs.base[line[gap]] + j * runs.stride[line[gap]]
    return Clauses(
        (
            at_least(left_start[gap], j - left_length[gap] + 1),
            at_most(right_start[gap], j + shift[gap]),
            at_most(cell, 0),
        )
    )


def _needs_cover(runs: Runs, lower: Ints, upper: Ints) -> Constraint:
    """``x_j = colour`` implies that some run of that colour covers j: one clause a line, cell and colour."""
    run, j = ranges(lower, upper + runs.length)
    # Clause number of (line, position, colour): lines in order, colours of a cell next to each other.
    offset = np.concatenate(([0], np.cumsum(runs.size)))
    number = (offset[runs.line[run]] + j) * runs.colours + runs.colour[run] - 1
    order = np.argsort(number, kind="stable")
    run, j = run[order], j[order]
    count = int(offset[-1]) * runs.colours
    line, position = ranges(np.zeros_like(runs.size), runs.size)
    cell = np.repeat(runs.base[line] + position * runs.stride[line], runs.colours)
    colour = np.tile(np.arange(1, runs.colours + 1, dtype=np.int32), len(line))
    covers = within(runs.start[run], j - runs.length[run] + 1, j, rows=number[order].astype(np.int32))
    return Clauses((outside(cell, colour, colour), covers), count)


# A line as a layered automaton: its placements are the paths of a graph.
#
# Node (k, p) says: k runs are placed, and position p is next. A blank leads from (k, p) to (k, p + 1); run k + 1 leads
# from (k, p) to the position behind it and the blank that it needs. Only nodes on some path are there. A run is one
# arc,
# so that there are (slack + 1) nodes for every k, where the slack of a line is its blanks beyond the needed ones.
#
# Source: the regular constraint's graph (Pesant 2004), encoded as in Bacchus, *GAC via unit propagation* (CP 2007).


def automaton(runs: Runs, lower: Ints, upper: Ints, height: int) -> Paths:
    """The paths of all lines, ``height`` of them rows; ``lower`` and ``upper`` are the tight starts of the runs."""
    lines = len(runs.size)
    counts = np.diff(runs.first)
    owner_slack = np.zeros(lines, dtype=np.int32)
    has = counts > 0
    owner_slack[has] = (upper - lower)[runs.first[:-1][has]]
    owner_slack[~has] = runs.size[~has]
    # Nodes: line by line, k by k, then by how many of the free blanks are used: number = base + k (slack + 1) + used.
    per_line = (counts + 1) * (owner_slack + 1)
    base = np.concatenate(([0], np.cumsum(per_line))).astype(np.int32)

    layer_line = np.repeat(np.arange(lines, dtype=np.int32), counts + 1)
    layer_k = np.arange(len(layer_line), dtype=np.int32) - (runs.first[:-1] + np.arange(lines))[layer_line]
    layer, used = ranges(np.zeros_like(layer_line), owner_slack[layer_line])
    line, k = layer_line[layer], layer_k[layer]
    # Where the cells of layer k begin: behind k runs and the blanks that they need.
    needed = np.concatenate(([0], np.cumsum(runs.length + runs.gap))).astype(np.int32)
    begin = (needed[runs.first[line] + k] - needed[runs.first[line]]).astype(np.int32)
    blank_tail = base[line] + k * (owner_slack[line] + 1) + used
    blank_cell = _cell(runs, line, begin + used)

    run, used_by_run = ranges(np.zeros_like(lower), upper - lower + 1)
    run_line = runs.line[run]
    run_k = (run - runs.first[run_line]).astype(np.int32)
    run_tail = base[run_line] + run_k * (owner_slack[run_line] + 1) + used_by_run
    covered, offset = ranges(np.zeros(len(run), dtype=np.int32), (runs.length + runs.gap)[run])
    run_cell = _cell(runs, run_line[covered], (lower[run] + used_by_run)[covered] + offset)
    run_value = np.where(offset < runs.length[run[covered]], runs.colour[run[covered]], 0)

    widths = np.concatenate((np.ones(len(blank_tail), dtype=np.int32), (runs.length + runs.gap)[run]))
    return Paths(
        nodes=int(base[-1]),
        sources=base[:-1],
        sinks=base[1:] - 1,
        tail=ints(np.concatenate((blank_tail, run_tail))),
        head=ints(np.concatenate((blank_tail + 1, run_tail + owner_slack[run_line] + 1))),
        variables=ints(np.concatenate((blank_cell, run_cell))),
        values=ints(np.concatenate((np.zeros(len(blank_cell)), run_value))),
        ends=ints(np.cumsum(widths)),
        meanings=partial(_meanings, runs, lower, upper, height),
    )


def _meanings(runs: Runs, lower: Ints, upper: Ints, height: int, node: Ints, arc: Ints) -> Iterator[Entry]:
    """For proofs, in the order of nodes and arcs: which runs lie before a place, and where the next one starts.

    Node (k, p): run k - 1 starts early enough for p to be next, run k at p or behind it; then a blank (it starts behind
    p), or the run itself (at p).
    """
    starts = runs.names(height)
    yield from between_first(runs, lower, upper, starts)
    places: list[tuple[list[Within], str | None, int, bool]] = []  # before it, the next run, the place, is it the last
    needs, first = (runs.length + runs.gap).tolist(), runs.first.tolist()
    for line, size in enumerate(runs.size.tolist()):
        own = range(first[line], first[line + 1])
        free = int(upper[own[0]] - lower[own[0]]) if own else size
        begin = 0
        for k in (*own, own.stop):
            for p in range(begin, begin + free + 1):
                before = [Within(starts[k - 1], None, p - needs[k - 1])] if k > own.start else []
                places.append((before, starts[k] if k < own.stop else None, p, p == begin + free))
            begin += needs[k] if k < own.stop else 0
    conditions = chain(
        ([*before, *([Within(run, p)] if run else [])] for before, run, p, _ in places),
        ([*before, *([Within(run, p + 1)] if run else [])] for before, run, p, last in places if not last),
        ([*before, Within(run, p, p)] for before, run, p, _ in places if run),
    )
    for variable, all_of in zip(chain(node.tolist(), arc.tolist()), conditions, strict=True):
        yield Means(variable, all_of)


def _cell(runs: Runs, line: Ints, position: Ints) -> Ints:
    return runs.base[line] + position * runs.stride[line]


# Puzzle to CSP: rule 1 and the given cells, and the parts that an encoding's name picks.


Domain = Callable[[Runs], tuple[Ints, Ints]]
Ordering = Callable[[Runs], Constraint]
Channel = Callable[[Runs, Ints, Ints], list[Constraint]]


def by_starts(puzzle: Nonogram, domain: Domain, orderings: Sequence[Ordering], channel: Channel) -> CSP:
    """Cells ``x_row_column`` in 0..C (rule 1), starts ``h_row_k`` and ``v_column_k``, and the rules about them."""
    runs = Runs.of(puzzle)
    lower, upper = domain(runs)
    constraints = [ordering(runs) for ordering in orderings]
    constraints += channel(runs, lower, upper)
    across = int(runs.first[puzzle.height])
    index = runs.index(puzzle.height)
    count = puzzle.height * puzzle.width
    starts = (Block("h", count, index[:across]), Block("v", count + across, index[across:]))
    return _with_cells(puzzle, lower, upper, constraints, starts)


def by_automaton(puzzle: Nonogram) -> CSP:
    """Cells alone, and for every line the paths of its automaton."""
    runs = Runs.of(puzzle)
    none = np.empty(0, dtype=np.int32)
    return _with_cells(puzzle, none, none, [automaton(runs, *tight(runs), puzzle.height)], ())


def _with_cells(
    puzzle: Nonogram, lower: Ints, upper: Ints, constraints: list[Constraint], blocks: tuple[Block, ...]
) -> CSP:
    """The CSP with the cells before the variables ``lower..upper``.

    Given cells are clauses, not domains, so that a cell's number does not depend on what is given.
    """
    height, width = puzzle.shape
    count = height * width
    if puzzle.given:
        given = ints(puzzle.given)
        cells, values = given[:, 0] * width + given[:, 1], given[:, 2]
        constraints = [*constraints, Clauses((within(cells, values, values),))]
    rows, columns = np.divmod(np.arange(count, dtype=np.int32), width)
    return CSP(
        np.concatenate((np.zeros(count, dtype=np.int32), lower)),
        np.concatenate((np.full(count, puzzle.colours, dtype=np.int32), upper)),
        tuple(constraints),
        np.arange(count, dtype=np.int32).reshape(height, width),
        (Block("x", 0, np.stack((rows, columns), axis=1)), *blocks),
    )


# The parts of nonograms' encodings: the rules of Castilho & Welter in their readings, and others.


CASTILHO = "Castilho & Welter 2018"

PARTS: tuple[Part, ...] = (
    Part("plain", "domain", plain, "rule 2: a run fits on its line", CASTILHO),
    Part("tight", "domain", tight, "rule 2-alt: so do the runs before and behind it", CASTILHO),
    Part("r3", "ordering", rule_3, "rule 3: run k is before run k+1", CASTILHO),
    Part("r4ends", "ordering", rule_4_ends, "rule 4 by its prose: run k ends before k+1 ends", CASTILHO, False),
    Part(
        "r4printed",
        "ordering",
        rule_4_printed,
        "rule 4 by its formula: run k is behind run k+1",
        CASTILHO,
        False,
        False,
    ),
    Part("r4mirrored", "ordering", rule_4_mirrored, "rule 4 as probably intended: rule 3 mirrored", CASTILHO),
    Part("r5", "ordering", rule_5, "rule 5: run i is before run j, for all i < j", CASTILHO),
    Part("r6ends", "ordering", rule_6_ends, "rule 6 by rule 4's prose, for all i < j", CASTILHO, False),
    Part(
        "r6printed",
        "ordering",
        rule_6_printed,
        "rule 6 by rule 4's formula, for all i < j",
        CASTILHO,
        False,
        False,
    ),
    Part("r6mirrored", "ordering", rule_6_mirrored, "rule 6 as probably intended: rule 5 mirrored", CASTILHO),
    Part("accumulated", "ordering", accumulated, "all that rule 3 implies of i < j: lengths between", OURS),
    Part("gaps", "channel", gaps, "a cell is blank exactly between consecutive runs", OURS),
    Part("iff", "channel", iff, "a cell is coloured iff a run covers it", CASTILHO),
    Part("automaton", "lines", by_automaton, "a line is a path through its automaton", "Bacchus, CP 2007"),
)

REPORT: dict[str, str] = {
    f"{two}/{'+'.join(rules)}": "+".join(
        (domain, *(f"r{rule}{'ends' if rule in '46' else ''}" for rule in rules), "iff")
    )
    for rules in (("3",), ("4",), ("5",), ("6",), ("3", "4"), ("5", "6"))
    for two, domain in (("2", "plain"), ("2alt", "tight"))
}
"""The twelve encodings of the report by its rules' numbers (``2alt/3+4``), rules 4 and 6 read as their prose says."""

FIGURES: dict[str, str] = {
    name: "5.1-5.5" + {"3": ", 5.6", "6": ", 5.7"}.get(name.partition("/")[2], "") for name in REPORT
}
"""The report's figures that show each of its encodings (5.6 and 5.7 do not say which rule 2 they use)."""

_OTHER_INTEGERS = tuple(
    f"{rules}+{integers}"
    for integers in INTEGERS.own
    for rules in ("tight+r3", "tight+r3+iff", "plain+r3+iff")
    if integers != "order" and (rules, integers) not in (("tight+r3+iff", "log"), ("plain+r3+iff", "coupled"))
)
"""The rules that are tested with every integer encoding; two of these pairs only have their counts tested."""

ENCODINGS: tuple[str, ...] = (
    "tight+r3+order",
    "plain+r3+order",
    "tight+r5+order",
    "tight+accumulated+order",
    "tight+r3+r4ends+order",
    "tight+r3+r4mirrored+order",
    "plain+r5+r6ends+order",
    "plain+r4mirrored+iff+order",
    "tight+r6mirrored+iff+order",
    "tight+r3+iff+order",
    "plain+r3+iff+order",
    *_OTHER_INTEGERS,
    *(f"automaton+{integers}" for integers in INTEGERS.own),
)
"""Sound encodings that are tested as a whole; any other combination of parts can be written out too."""

RELAXED: tuple[str, ...] = tuple(
    f"{domain}+{rule}+{channel}+order"
    for domain in ("plain", "tight")
    for rule in ("r4ends", "r6ends", "r4printed", "r6printed")
    for channel in ("gaps", "iff")
)
"""Readings of the report whose models may be wrong pictures (verdict WRONG); studied, not recommended."""


def state(puzzle: Nonogram, chosen: Chosen) -> CSP:
    """The rules applied to ``puzzle``."""
    if whole := chosen("lines"):
        stated: CSP = whole[0](puzzle)
        return stated
    return by_starts(puzzle, chosen("domain")[0], chosen("ordering"), chosen("channel")[0])


NONOGRAM = Kind(
    "nonogram",
    PARTS,
    (("domain", "ordering", "channel"), ("lines",)),
    state,
    "tight+r3+order",
    ENCODINGS,
    several=frozenset(("ordering",)),
    omitted={"channel": "gaps"},
    aliases=REPORT,
    lists=(
        Listed(
            "report",
            "the twelve of Castilho & Welter 2018, by its rules' numbers",
            {name: f"{parts}+order; figures {FIGURES[name]}" for name, parts in REPORT.items()},
        ),
        Listed("relaxed", "readings of rules 4 and 6 alone, whose models may be WRONG", dict.fromkeys(RELAXED, "")),
    ),
)
