"""All solutions of a board in one diagram of decisions and independent components, and what is remembered of it.

A *node* stands for a component: its solutions are those of its *branches*, of which no two have one in common. A
branch says what some cells are (*literals*, ``cell * values + value``), and which components are left then (its
*children*): its solutions are all combinations of theirs. (In the terms of knowledge compilation that is a
deterministic decomposable negation normal form: Darwiche and Marquis 2002; that a search which counts leaves one
behind, and the memory of components, are in Bacchus, Dalmao and Pitassi 2003, and Huang and Darwiche 2005.) Node 0 has
no solution. Children come before their parents, so that a pass from first to last sums up.

``solutions``: of each node, exact as long as it is less than ``MANY``; that stands for so many, or more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.solvers.arrays import Int, Ints, Words
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.words import ONE, ZERO, Word

MANY = np.uint64(2**64 - 1)
HALF_WORD = np.uint64(0xFFFFFFFF)

Shorts = npt.NDArray[np.int32]

# Where ``Diagram.top`` holds what: how many there are of each, beginning with the next that is free.
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
    """A diagram of node 0 alone."""
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
    """The memory that its arrays take."""
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
    """Enter all that a table has into a larger one."""
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
    """The sum, or MANY."""
    total = a + b
    return MANY if total < a else total


@inlined
def times(a: Word, b: Word) -> Word:
    """The product, or MANY; of 0 with anything 0."""
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
    """A node of the branches from ``head`` on; its number."""
    number = d.top[NODE]
    d.head[number], d.solutions[number] = head, solutions
    d.top[NODE] = number + 1
    return int(number)


@inlined
def close_branch(d: Diagram, after: int) -> int:
    """Make a branch of the literals and children that were entered since the last one; its number."""
    number = d.top[BRANCH]
    d.next[number] = after
    d.top[BRANCH] = number + 1
    d.literal[number + 1], d.child[number + 1] = d.top[LITERAL], d.top[CHILD]
    return int(number)


@compiled
def sums(d: Diagram, solutions: Words) -> None:
    """Fill in the number of solutions of every node anew: a check of what the search entered."""
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
