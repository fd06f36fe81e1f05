"""One line, as whole numbers whose bits are its cells or boundaries: where its runs may start, and what cells may be.

The dynamic program of ``solvers/propagation/lines.py``, written again in plain Python: whoever writes a proof needs the
starts themselves, on lines of any length, and compiled code would take longer to load than most proofs to write.

``may``: a number a value (0 is blank), whose bit j says whether cell j may have it. Bit p of a set of starts: a run may
start at p. Boundary p lies before cell p.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from nonosat.puzzles.nonogram.puzzle import Clue, gap

May = tuple[int, ...]


class StatementLine(NamedTuple):
    """A line of ``size`` cells called ``name`` in the statement; ``gaps[k]``: the blanks needed behind run k."""

    name: str
    size: int
    lengths: tuple[int, ...]
    colours: tuple[int, ...]
    gaps: tuple[int, ...]


def line_of(name: str, size: int, clue: Clue) -> StatementLine:
    """The line of a clue."""
    gaps = [gap(run, following) for run, following in pairwise(clue)]
    return StatementLine(name, size, tuple(run.length for run in clue), tuple(run.colour for run in clue), (*gaps, 0))


def prefixes(line: StatementLine, may: May) -> tuple[list[int], list[int]]:
    """By run: the starts at which it and all runs before it fit; the boundaries that the blanks before it reach.

    The latter have one entry more: what the blanks behind the last run reach.
    """
    blank = may[0]
    found, before = [], []
    reached = _walked_up(1, blank)
    for length, colour, space in zip(line.lengths, line.colours, line.gaps, strict=False):
        before.append(reached)
        starts = reached & _stretches(may[colour], length)
        found.append(starts)
        ends = starts << length
        reached = _walked_up((ends & blank) << 1 if space else ends, blank)
    before.append(reached)
    return found, before


def suffixes(line: StatementLine, may: May) -> tuple[list[int], list[int]]:
    """By run: the starts at which it and all later runs fit; the boundaries from which these can be reached.

    The latter have one entry more: the boundaries behind which all may be blank.
    """
    blank = may[0]
    steps, size = [], 1
    stretch = blank
    while size <= line.size:
        steps.append((size, stretch))
        stretch &= stretch >> size
        size *= 2
    reached = _walked_down(1 << line.size, steps)
    found, behind = [], [reached]
    for k in range(len(line.lengths) - 1, -1, -1):
        length = line.lengths[k]
        after = (reached >> 1) & blank if line.gaps[k] else reached
        starts = _stretches(may[line.colours[k]], length) & (after >> length)
        found.append(starts)
        reached = _walked_down(starts, steps)
        behind.append(reached)
    return found[::-1], behind[::-1]


def consequences(line: StatementLine, may: May) -> May | None:
    """What the cells may be as far as this line is concerned; None: nothing fits.

    >>> from nonosat.puzzles.nonogram import Run
    >>> [format(cells, "04b") for cells in settled(line_of("h0", 4, (Run(3),)), (0b1111, 0b1111))]
    ['1001', '1111']
    """
    before, left = prefixes(line, may)
    if not left[-1] >> line.size & 1:
        return None
    after, right = suffixes(line, may)
    out = [0] * len(may)
    blank = left[0] & right[0] >> 1
    for k, length in enumerate(line.lengths):
        starts = before[k] & after[k]
        out[line.colours[k]] |= _covered(starts, length)
        if line.gaps[k]:
            blank |= starts << length
        blank |= left[k + 1] & right[k + 1] >> 1
    out[0] = blank & may[0]
    return tuple(out)


def _walked_up(ends: int, blank: int) -> int:
    """The boundaries that are come to from ``ends`` over cells that may be blank: a carry runs through these."""
    return ((ends & blank) + blank ^ blank) | ends


def _walked_down(ends: int, steps: list[tuple[int, int]]) -> int:
    """The boundaries from which one comes to ``ends``; ``steps``: (1, 2, 4, ...; where so many cells may be blank)."""
    for size, stretch in steps:
        ends |= ends >> size & stretch
    return ends


def _stretches(cells: int, length: int) -> int:
    """Where ``length`` of the ``cells`` stand side by side."""
    done = 1
    while done < length:
        step = min(done, length - done)
        cells &= cells >> step
        done += step
    return cells


def _covered(starts: int, length: int) -> int:
    """The cells that runs from these ``starts`` cover."""
    done = 1
    while done < length:
        step = min(done, length - done)
        starts |= starts << step
        done += step
    return starts
