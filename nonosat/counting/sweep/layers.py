"""The states of all columns between two rows: pairs of one state of the left half and one of the right, and counts.

Two of them are a state of the board only if together they have as many coloured cells as the rows above, so they come
in *panels*: all left states with so many, and all right ones with the rest. The rows next to them must fit, too: both
halves must know a common state of the row in the middle. That is the same for all right states of one *class*. So a
panel is some *blocks*, each for a class, that have a line for every left state that may go with it. No state needs a
key: where its count stands says which it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.halves import Places
from nonosat.solvers.arrays import Ints, IntTable, Words


class Panel(NamedTuple):
    """``left``, ``right``: the first of its states in each half. ``edge``: where classes of right states begin, and
    where the last ends; ``line[class, left state]``: its line of the block, or -1; ``at``: where each class's block
    begins in the layer's counts.
    """

    left: int
    right: int
    edge: Ints
    line: IntTable
    at: Ints


class Shape(NamedTuple):
    """The ``panels`` of a layer, by how many coloured cells the left half has, and how many ``states`` they have."""

    panels: dict[int, Panel]
    states: int


def shape_of(left: Places, right: Places, coloured: int) -> Shape:
    """That of the layer between rows of which those above have so many ``coloured`` cells."""
    panels: dict[int, Panel] = {}
    states = 0
    for many in np.unique(left.coloured).tolist():
        one, other = range_of(left.coloured, many), range_of(right.coloured, coloured - many)
        if other[0] == other[1]:
            continue
        marks = np.stack([right.before[slice(*other)], right.behind[slice(*other)]])
        edge = np.concatenate([[0], 1 + np.flatnonzero((marks[:, 1:] != marks[:, :-1]).any(axis=0)), [marks.shape[1]]])
        before, behind = (known[slice(*one)] for known in (left.before, left.behind))
        fits = ((marks[0, edge[:-1], None] & before) != 0) & ((marks[1, edge[:-1], None] & behind) != 0)
        sizes = fits.sum(axis=1) * np.diff(edge)
        line = np.where(fits, np.cumsum(fits, axis=1) - 1, -1)
        panels[many] = Panel(one[0], other[0], edge, line, states + np.cumsum(sizes) - sizes)
        states += int(sizes.sum())
    return Shape(panels, states)


def range_of(sorted_numbers: Ints, number: int) -> tuple[int, int]:
    """From where to where ``number`` stands."""
    begin, end = np.searchsorted(sorted_numbers, [number, number + 1]).tolist()
    return begin, end


class Layer(NamedTuple):
    """A count for every state of a ``shape``."""

    shape: Shape
    counts: Words

    def at(self, many: int, left: Ints, right: Ints) -> npt.NDArray[np.uint64]:
        """The counts of all pairs of these states of a panel, shape (left, right)."""
        panel = self.shape.panels[many]
        right = right - panel.right
        known = np.searchsorted(panel.edge, right, side="right") - 1
        size = panel.edge[known + 1] - panel.edge[known]
        line = panel.line[known][:, left - panel.left]
        place = panel.at[known, None] + line * size[:, None] + (right - panel.edge[known])[:, None]
        return np.where(line < 0, np.uint64(0), self.counts[np.where(line < 0, 0, place)]).T

    def pair(self, place: int) -> tuple[int, int]:
        """The states, left and right, whose count is at ``place``."""
        panel = next(p for p in reversed(self.shape.panels.values()) if len(p.at) and p.at[0] <= place)
        known = int(np.searchsorted(panel.at, place, side="right")) - 1
        begin, end = panel.edge[known : known + 2].tolist()
        line, column = divmod(place - int(panel.at[known]), end - begin)
        left = int(np.flatnonzero(panel.line[known] >= 0)[line])
        return panel.left + left, panel.right + begin + column
