"""What is read off a diagram: exact numbers of any size, solutions drawn at random, and shares of all solutions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.chance import Chance
from nonosat.counting.diagram import BRANCH, MANY, NODE, NONE, Diagram, Shorts
from nonosat.solvers.arrays import Bytes, Ints
from nonosat.solvers.compiled import compiled
from nonosat.solvers.propagation.words import ONE

Floats = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int8]


@compiled
def reached(head: Ints, ahead: Ints, child: Ints, children: Shorts, root: int, found: Bytes) -> None:
    """Mark the nodes of the diagram that ``root`` rests on."""
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
    """The share that each branch has in the solutions of its node, if that has less than MANY."""
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
    """Hand the share of the solutions that a node is part of down to its branches, their children and literals."""
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


class Reading:
    """The nodes that ``root`` rests on, with their exact numbers of solutions."""

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
        """Of the root."""
        return self.number(self.root)

    def number(self, node: int) -> int:
        """How many solutions ``node`` has."""
        return self._large[node] if node in self._large else int(self.diagram.solutions[node])

    def branches(self, node: int) -> list[int]:
        """Those of ``node``."""
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
        """What a branch says of cells."""
        begin, end = self.diagram.literal[branch : branch + 2].tolist()
        return self.diagram.literals[begin:end]

    def product(self, branch: int) -> int:
        """How many solutions a branch has."""
        found = 1
        for child in self.children(branch):
            found *= self.number(child)
        return found

    def draw(self, chance: Chance, cells: int, values: int) -> npt.NDArray[np.uint8]:
        """A solution, each as likely as any other: its cells in a row."""
        board = np.zeros(cells, dtype=np.uint8)
        todo = [self.root]
        while todo:
            node = todo.pop()
            branches = self.branches(node)
            if len(branches) > 1:
                left = chance.below_any(self.number(node))
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
        """Of each cell and value, shape (cells, values): the share of the solutions that have it, and if some do."""
        d, weight = self.diagram, np.zeros(int(self.diagram.top[BRANCH]) + 1)
        weigh(d, weight)
        for node in self._large:
            for branch in self.branches(node):
                weight[branch] = self.product(branch) / self.number(node)
        share, flow = np.zeros(cells * values), np.zeros(self.root + 1)
        possible = np.zeros(cells * values, dtype=np.int8)
        hand_down(d, self.root, weight, flow, share, possible)
        return share.reshape(cells, values), possible.reshape(cells, values)
