"""The diagram of all solutions of a board: decisions and independent components, each remembered by a key.

A *node* stands for a component. Its solutions are those of its *branches*, which have none in common. A branch fixes
some cells (*literals*, ``cell * values + value``) and leaves some components (its *children*): its solutions are all
combinations of theirs. In knowledge compilation this is a deterministic decomposable negation normal form (Darwiche and
Marquis 2002). A counting search leaves one behind (Bacchus, Dalmao and Pitassi 2003; Huang and Darwiche 2005). Node 0
has no solution. Children come before their parents, so that one pass from first to last sums up.

``solutions``: of each node, exact below ``MANY``, which stands for so many or more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined
from nonosat.compiled.words import ONE, ZERO, Bytes, Int, Ints, Word, Words
from nonosat.rng import Rng
from nonosat.solvers.propagation.board import TRAIL, PropagationBoard

MANY = np.uint64(2**64 - 1)
HALF_WORD = np.uint64(0xFFFFFFFF)

Shorts = npt.NDArray[np.int32]

# The entries of ``Diagram.top``: the next free place of each array.
NODE, BRANCH, LITERAL, CHILD, KNOWN = range(5)
NONE = -1


class Diagram(NamedTuple):
    """``head``: of each node, its first branch. Of each branch: ``next``, the node's next one; ``literal``, ``child``:
    where its literals and children begin (they end where those of the branch with the next number begin).

    ``key``, ``node``: a table of the nodes that are remembered by a key of two words.
    """

    head: Ints
    solutions: Words
    next: Ints
    literal: Ints
    child: Ints
    literals: Shorts
    children: Shorts
    key: Words
    node: Shorts
    top: Ints


def empty_diagram() -> Diagram:
    """The diagram with node 0 alone."""
    shape = dict.fromkeys(("head", "next", "literal", "child"), np.dtype(np.int64))
    arrays = {name: np.zeros(1 << 10, dtype=kind) for name, kind in shape.items()}
    diagram = Diagram(
        **arrays,
        solutions=np.zeros(1 << 10, dtype=np.uint64),
        literals=np.zeros(1 << 12, dtype=np.int32),
        children=np.zeros(1 << 11, dtype=np.int32),
        key=np.zeros(1 << 12, dtype=np.uint64),
        node=np.full(1 << 11, NONE, dtype=np.int32),
        top=np.zeros(5, dtype=np.int64),
    )
    diagram.top[NODE] = 1
    diagram.head[0] = NONE
    return diagram


def bytes_of(diagram: Diagram) -> int:
    """The bytes of its arrays."""
    return sum(array.nbytes for array in diagram)


def grown(diagram: Diagram, cells: int) -> Diagram:
    """The same diagram with room for a branch of a board of ``cells`` cells, and at least twice what it holds."""
    tops = {
        "head": NODE, "solutions": NODE, "next": BRANCH, "literal": BRANCH, "child": BRANCH,
        "literals": LITERAL, "children": CHILD,
    }  # fmt: skip
    new = {}
    for name, which in tops.items():
        array, used = getattr(diagram, name), int(diagram.top[which])
        if len(array) < used + cells + 4:
            longer = np.zeros(2 * used + cells + 1024, dtype=array.dtype)
            longer[: used + 1] = array[: used + 1]
            new[name] = longer
    if 2 * diagram.top[KNOWN] > len(diagram.node) - 4:
        new["key"] = np.zeros(2 * len(diagram.key), dtype=np.uint64)
        new["node"] = np.full(2 * len(diagram.node), NONE, dtype=np.int32)
        copy_known(diagram.key, diagram.node, new["key"], new["node"])
    return diagram._replace(**new)


@inlined
def has_room(d: Diagram, cells: int) -> bool:
    """Is there room for a branch of a board of ``cells`` cells, and its node?"""
    return bool(
        d.top[NODE] + 2 < len(d.head)
        and d.top[BRANCH] + 2 < len(d.next)
        and d.top[LITERAL] + cells < len(d.literals)
        and d.top[CHILD] + cells < len(d.children)
        and 2 * d.top[KNOWN] <= len(d.node) - 4
    )


@inlined
def slot_of(key: Words, node: Shorts, k0: Word, k1: Word) -> int:
    """Where a key is in the table, or would be."""
    slot: Int = np.int64(k0 & np.uint64(len(node) - 1))
    while node[slot] != NONE and not (key[2 * slot] == k0 and key[2 * slot + 1] == k1):
        slot = slot + 1 if slot + 1 < len(node) else 0
    return int(slot)


@compiled
def copy_known(key: Words, node: Shorts, new_key: Words, new_node: Shorts) -> None:
    """Copy all entries of a table into a larger one."""
    for old in range(len(node)):
        if node[old] != NONE:
            slot = slot_of(new_key, new_node, key[2 * old], key[2 * old + 1])
            new_key[2 * slot], new_key[2 * slot + 1] = key[2 * old], key[2 * old + 1]
            new_node[slot] = node[old]


@inlined
def known(d: Diagram, k0: Word, k1: Word) -> int:
    """The node of a key, or NONE."""
    return int(d.node[slot_of(d.key, d.node, k0, k1)])


@inlined
def remember(d: Diagram, k0: Word, k1: Word, node: int) -> None:
    """Keep the node of a key, unless there is one."""
    slot = slot_of(d.key, d.node, k0, k1)
    if d.node[slot] == NONE:
        d.key[2 * slot], d.key[2 * slot + 1] = k0, k1
        d.node[slot] = node
        d.top[KNOWN] += 1


@inlined
def plus(a: Word, b: Word) -> Word:
    """The sum, or MANY if it is too large."""
    total = a + b
    return MANY if total < a else total


@inlined
def times(a: Word, b: Word) -> Word:
    """The product, or MANY if it is too large."""
    if a == ZERO or b == ZERO:
        return ZERO
    shift = np.uint64(32)
    a1, a0, b1, b0 = a >> shift, a & HALF_WORD, b >> shift, b & HALF_WORD
    if a1 != ZERO and b1 != ZERO:
        return MANY
    middle = a1 * b0 + a0 * b1  # one of the two is 0
    if middle >> shift != ZERO:
        return MANY
    return plus(middle << shift, a0 * b0)


@inlined
def new_node(d: Diagram, head: int, solutions: Word) -> int:
    """Add a node with the branches from ``head`` on; its number."""
    number = d.top[NODE]
    d.head[number], d.solutions[number] = head, solutions
    d.top[NODE] = number + 1
    return int(number)


@inlined
def close_branch(d: Diagram, after: int) -> int:
    """Make a branch of the literals and children written since the last one; its number."""
    number = d.top[BRANCH]
    d.next[number] = after
    d.top[BRANCH] = number + 1
    d.literal[number + 1], d.child[number + 1] = d.top[LITERAL], d.top[CHILD]
    return int(number)


@compiled
def sums(d: Diagram, solutions: Words) -> None:
    """Recompute the number of solutions of every node: a check of the search."""
    solutions[0] = ZERO
    for node in range(1, d.top[NODE]):
        total, branch = ZERO, d.head[node]
        while branch != NONE:
            product = ONE
            for i in range(d.child[branch], d.child[branch + 1]):
                product = times(product, solutions[d.children[i]])
            total = plus(total, product)
            branch = d.next[branch]
        solutions[node] = total


# The stack of the search: a frame for each component between the root and the current one.


# The entries of ``Frames.state``: the current frame (NONE: none yet), its phase, the ends of ``cells``, of pending
# components and of ``kids_of``, the last name of a component, counters, and the end of ``windows``.
DEPTH, PHASE, CELLS, PENDING, KIDS, NAME, NODES, GUESSES, HITS, RESULT, WINDOWS = range(11)

PROBE, GUESS, NEXT, SPLIT, CHILDREN, FINISH, OVER = range(7)


class Frames(NamedTuple):
    """The stack as columns, an entry for each frame.

    ``begin``, ``end``: the component's cells in ``cells``; ``key``: two words; ``guess``: the guessed cell (NONE: the
    branch is what probing left), and ``value``; ``mark``: the trail's length before the branch; ``quiet``: how many
    probes in succession changed nothing; ``cursor``: the next cell to probe; ``focus``: the row or column that is
    probed; ``head``: the last branch written; ``total``: the solutions of all branches written.

    Of the current branch: ``pending``: where its components begin in ``pending_begin``, ``pending_end`` and
    ``pending_key``; ``next``: the next one of them; ``kids``: where its children begin in ``kids_of``. ``windows``: of
    pending components and of those in frames, as ``components.windows_of`` writes them, from ``pending_windows``
    (``window_begin``) to ``pending_windows_end`` (``window_end``).
    """

    begin: Ints
    end: Ints
    key: Words
    guess: Ints
    value: Ints
    mark: Ints
    quiet: Ints
    cursor: Ints
    focus: Ints
    head: Ints
    total: Words
    pending: Ints
    next: Ints
    kids: Ints
    cells: Ints
    pending_begin: Ints
    pending_end: Ints
    pending_key: Words
    pending_windows: Ints
    pending_windows_end: Ints
    window_begin: Ints
    window_end: Ints
    windows: Ints
    kids_of: Ints
    state: Ints


def frames_of(board: PropagationBoard) -> Frames:
    """The frames at the start of a search: one, of all cells of a board that is propagated."""
    cells = board.height * board.width
    deepest = 2 * cells * board.colours + 3

    def zeros(size: int) -> Ints:
        return np.zeros(size, dtype=np.int64)

    frames = Frames(
        begin=zeros(deepest),
        end=zeros(deepest),
        key=np.zeros(2 * deepest, dtype=np.uint64),
        guess=zeros(deepest),
        value=zeros(deepest),
        mark=zeros(deepest),
        quiet=zeros(deepest),
        cursor=zeros(deepest),
        focus=zeros(deepest),
        head=zeros(deepest),
        total=np.zeros(deepest, dtype=np.uint64),
        pending=zeros(deepest),
        next=zeros(deepest),
        kids=zeros(deepest),
        cells=np.arange(4 * cells + 64, dtype=np.int64),
        pending_begin=zeros(2 * cells + 64),
        pending_end=zeros(2 * cells + 64),
        pending_key=np.zeros(4 * cells + 128, dtype=np.uint64),
        pending_windows=zeros(2 * cells + 64),
        pending_windows_end=zeros(2 * cells + 64),
        window_begin=zeros(deepest),
        window_end=zeros(deepest),
        windows=zeros(5 * (4 * cells + 64) if int(board.words.max()) > 2 else 0),
        kids_of=zeros(2 * cells + 64),
        state=zeros(11),
    )
    frames.end[0], frames.guess[0], frames.head[0] = cells, NONE, NONE
    frames.mark[0] = board.state[TRAIL]
    frames.state[PHASE], frames.state[CELLS] = SPLIT, cells
    return frames


def grown_frames(frames: Frames, cells: int) -> Frames:
    """The same frames with room for one more level of a board of ``cells`` cells."""
    new = {}
    pending = dict.fromkeys(("pending_begin", "pending_end", "pending_windows", "pending_windows_end"), (PENDING, 1))
    which = {"cells": (CELLS, 1), "kids_of": (KIDS, 1), "pending_key": (PENDING, 2), **pending}
    if len(frames.windows):
        which["windows"] = (WINDOWS, 10)  # a cell is in two lines, and an entry takes five numbers
    for name, (end, words) in which.items():
        array = getattr(frames, name)
        used = words * int(frames.state[end])
        if len(array) < used + words * (cells + 4):
            new[name] = np.zeros(2 * used + words * (cells + 64), dtype=array.dtype)
            new[name][:used] = array[:used]
    return frames._replace(**new)


@inlined
def frames_have_room(f: Frames, cells: int) -> bool:
    """Is there room for one more level?"""
    return bool(
        f.state[CELLS] + cells + 2 < len(f.cells)
        and f.state[PENDING] + cells + 2 < len(f.pending_begin)
        and f.state[KIDS] + cells + 2 < len(f.kids_of)
        and (len(f.windows) == 0 or 5 * (f.state[WINDOWS] + 2 * cells + 2) < len(f.windows))
    )


@inlined
def push(f: Frames, begin: int, end: int, k0: Word, k1: Word, mark: int, phase: int) -> None:
    """Push a frame for a component."""
    depth = f.state[DEPTH] + 1
    f.state[DEPTH], f.state[PHASE] = depth, phase
    f.begin[depth], f.end[depth], f.cursor[depth], f.quiet[depth] = begin, end, begin, 0
    f.key[2 * depth], f.key[2 * depth + 1] = k0, k1
    f.focus[depth] = NONE
    f.guess[depth], f.head[depth], f.total[depth], f.mark[depth] = NONE, NONE, ZERO, mark
    f.state[NODES] += 1


# What a complete diagram gives: exact numbers of any size, uniform draws, and shares of all solutions.


Floats = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int8]


@compiled
def reached(head: Ints, ahead: Ints, child: Ints, children: Shorts, root: int, found: Bytes) -> None:
    """Mark the descendants of ``root``, and ``root``."""
    found[root] = 1
    for node in range(root, 0, -1):
        if found[node] == 1:
            branch = head[node]
            while branch != NONE:
                for i in range(child[branch], child[branch + 1]):
                    found[children[i]] = 1
                branch = ahead[branch]


@compiled
def weigh(d: Diagram, weight: Floats) -> None:
    """The share of each branch in the solutions of its node, if the node has fewer than MANY."""
    for node in range(1, d.top[NODE]):
        branch = d.head[node]
        while d.solutions[node] != MANY and branch != NONE:
            product = ONE
            for i in range(d.child[branch], d.child[branch + 1]):
                product *= d.solutions[d.children[i]]
            weight[branch] = float(product) / float(d.solutions[node])
            branch = d.next[branch]


@compiled
def hand_down(d: Diagram, root: int, weight: Floats, flow: Floats, share: Floats, possible: Signs) -> None:
    """Propagate the share of all solutions from each node down to its branches, their children and literals."""
    flow[root] = 1.0
    for node in range(root, 0, -1):
        if flow[node] > 0.0:
            branch = d.head[node]
            while branch != NONE:
                part = flow[node] * weight[branch]
                for i in range(d.literal[branch], d.literal[branch + 1]):
                    share[d.literals[i]] += part
                    possible[d.literals[i]] = 1
                for i in range(d.child[branch], d.child[branch + 1]):
                    flow[d.children[i]] += part
                branch = d.next[branch]


class DiagramValues:
    """The exact numbers of solutions of ``root`` and its descendants."""

    def __init__(self, diagram: Diagram, root: int) -> None:
        self.diagram, self.root = diagram, root
        found = np.zeros(int(diagram.top[NODE]), dtype=np.uint8)
        reached(diagram.head, diagram.next, diagram.child, diagram.children, root, found)
        self.nodes = np.flatnonzero(found)
        self._large: dict[int, int] = {}
        for node in self.nodes[diagram.solutions[self.nodes] == MANY].tolist():  # children come first
            self._large[node] = sum(self.product(branch) for branch in self.branches(node))

    @property
    def solutions(self) -> int:
        """The number of solutions of the root."""
        return self.number(self.root)

    def number(self, node: int) -> int:
        """How many solutions ``node`` has."""
        return self._large[node] if node in self._large else int(self.diagram.solutions[node])

    def branches(self, node: int) -> list[int]:
        """The branches of ``node``."""
        found, branch = [], int(self.diagram.head[node])
        while branch != NONE:
            found.append(branch)
            branch = int(self.diagram.next[branch])
        return found

    def children(self, branch: int) -> list[int]:
        """The components that a branch leaves."""
        begin, end = self.diagram.child[branch : branch + 2].tolist()
        found: list[int] = self.diagram.children[begin:end].tolist()
        return found

    def literals(self, branch: int) -> Shorts:
        """The literals of a branch."""
        begin, end = self.diagram.literal[branch : branch + 2].tolist()
        return self.diagram.literals[begin:end]

    def product(self, branch: int) -> int:
        """How many solutions a branch has."""
        found = 1
        for child in self.children(branch):
            found *= self.number(child)
        return found

    def draw(self, rng: Rng, cells: int, values: int) -> npt.NDArray[np.uint8]:
        """A solution, each as likely as any other: its cells, flat."""
        board = np.zeros(cells, dtype=np.uint8)
        todo = [self.root]
        while todo:
            node = todo.pop()
            branches = self.branches(node)
            if len(branches) > 1:
                left = rng.below_any(self.number(node))
                for branch in branches:
                    left -= self.product(branch)
                    if left < 0:
                        break
            else:
                branch = branches[0]
            literals = self.literals(branch)
            board[literals // values] = literals % values
            todo += self.children(branch)
        return board

    def shares(self, cells: int, values: int) -> tuple[Floats, npt.NDArray[np.int8]]:
        """Of each cell and value, shape (cells, values): the share of the solutions that have it; has any?"""
        d, weight = self.diagram, np.zeros(int(self.diagram.top[BRANCH]) + 1)
        weigh(d, weight)
        for node in self._large:
            for branch in self.branches(node):
                weight[branch] = self.product(branch) / self.number(node)
        share, flow = np.zeros(cells * values), np.zeros(self.root + 1)
        possible = np.zeros(cells * values, dtype=np.int8)
        hand_down(d, self.root, weight, flow, share, possible)
        return share.reshape(cells, values), possible.reshape(cells, values)
