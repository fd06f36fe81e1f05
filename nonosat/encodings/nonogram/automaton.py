"""A line as a layered automaton: its placements are the paths of a graph.

Node (k, p) says: k runs are placed, and position p is next. A blank leads from (k, p) to (k, p + 1); run k + 1 leads
from (k, p) to the position behind it and the blank that it needs. Only nodes on some path are there. A run is one arc,
so that there are (slack + 1) nodes for every k, where the slack of a line is its blanks beyond the needed ones.

Source: the regular constraint's graph (Pesant 2004), encoded as in Bacchus, *GAC via unit propagation* (CP 2007).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

import numpy as np

from nonosat.csp.meanings import Entry, Means, Within
from nonosat.csp.model import Ints, Paths, ints, ranges
from nonosat.encodings.nonogram.channels import between_first
from nonosat.encodings.nonogram.runs import Runs


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
