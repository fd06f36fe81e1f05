"""The inner loops: constraints as columns of numbers, and what unit propagation makes of them.

The *slack* of a sum is how far all of its literals that are not false go beyond its degree. One whose coefficient is
above the slack must be true; a slack below 0 is a conflict. Clauses (all coefficients and the degree 1) do it by two
watched literals: while neither is false, there is nothing to do. What is true without assumptions, at the *root*,
stays true.

A literal is 2v for variable v, or 2v + 1 for its negation; a constraint is its number in the proof, from 1; 0 is none.
All is plain Python; numba makes machine code of it, unless it is missing or NUMBA_DISABLE_JIT=1 is set.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any, NamedTuple

HEAD, TRAIL, COUNT, DEAD, STATED, VARIABLES = range(6)  # what State.n tells
AXIOM, RUP, SOLUTION, HELD, FIXED, GONE = range(6)  # constraints: three that wait; deletable, not deletable, deleted
GOOD, NOT_DELETED, NOT_IMPLIED, NO_SOLUTION, OPEN, BROKEN, NOT_THERE = range(7)  # what became of a step


class State(NamedTuple):
    """The columns. A chain begins in one and goes on in another: a literal's places in sums, its watches in clauses."""

    n: Any  # how much of the trail is propagated, how long it is, ...; DEAD: 1 if there is a conflict at the root
    true: Any  # by literal: 1 if it is
    occurs: Any  # by literal: its first place in a sum
    watched: Any  # by literal: its first watch; 2c watches the first literal of clause c, 2c + 1 the second
    cause: Any  # by variable: the constraint that settled it
    trail: Any  # what is true, in order
    next_watch: Any  # by watch
    slack: Any  # by constraint, as all up to ``end``
    largest: Any  # its largest coefficient
    status: Any
    degree: Any
    end: Any  # the place behind its last one; it begins where the one before ends
    literal: Any  # by place, as all that follow
    coefficient: Any
    owner: Any  # the constraint, if it is a sum
    next_place: Any


def assign(s: State, literal: int, cause: int) -> None:
    """The literal is true from now on."""
    s.true[literal] = 1
    s.cause[literal >> 1] = cause
    s.trail[s.n[TRAIL]] = literal
    s.n[TRAIL] += 1


def scan(s: State, number: int) -> bool:
    """Make true what a sum asks for. True: a conflict."""
    slack: int = s.slack[number]
    if 0 <= slack < s.largest[number]:
        for place in range(s.end[number - 1], s.end[number]):
            literal = s.literal[place]
            if s.coefficient[place] > slack and not s.true[literal] and not s.true[literal ^ 1]:
                assign(s, literal, number)
    return slack < 0


def visit(s: State, false: int) -> bool:
    """Look at the clauses that watch a literal which has become false. True: a conflict."""
    before, watch = 0, s.watched[false]
    while watch:
        number, following = watch >> 1, s.next_watch[watch]
        start = s.end[number - 1]
        mine, other = start + (watch & 1), s.literal[start + 1 - (watch & 1)]
        leaves = s.status[number] == GONE
        if not leaves and not s.true[other]:
            for place in range(start + 2, s.end[number]):
                literal = s.literal[place]
                if not s.true[literal ^ 1]:  # it is watched instead
                    s.literal[mine], s.literal[place] = literal, false
                    s.next_watch[watch], s.watched[literal] = s.watched[literal], watch
                    leaves = True
                    break
            if not leaves:
                if s.true[other ^ 1]:
                    return True
                assign(s, other, number)
        if not leaves:
            before = watch
        elif before:
            s.next_watch[before] = following
        else:
            s.watched[false] = following
        watch = following
    return False


def propagate(s: State) -> bool:
    """Until nothing changes. True: a conflict."""
    while s.n[HEAD] < s.n[TRAIL]:
        false = s.trail[s.n[HEAD]] ^ 1
        s.n[HEAD] += 1
        conflict, place = False, s.occurs[false]
        while place:  # to the end of the chain, since ``undo`` goes to its end
            number = s.owner[place]
            s.slack[number] -= s.coefficient[place]
            if s.slack[number] < s.largest[number] and scan(s, number):
                conflict = True
            place = s.next_place[place]
        if conflict or visit(s, false):
            return True
    return False


def undo(s: State, mark: int) -> None:
    """Forget what became true behind ``mark``, and what its propagation did to the slacks."""
    for at in range(mark, s.n[TRAIL]):
        s.true[s.trail[at]] = 0
        place = s.occurs[s.trail[at] ^ 1] if at < s.n[HEAD] else 0
        while place:
            s.slack[s.owner[place]] += s.coefficient[place]
            place = s.next_place[place]
    s.n[HEAD] = s.n[TRAIL] = mark


def sum_up(s: State, number: int) -> bool:
    """Put a sum in force. True: a conflict. All that was true before has been propagated."""
    slack = -s.degree[number]
    for place in range(s.end[number - 1], s.end[number]):
        literal, coefficient = s.literal[place], s.coefficient[place]
        s.owner[place], s.next_place[place], s.occurs[literal] = number, s.occurs[literal], place
        slack += 0 if s.true[literal ^ 1] else coefficient
    s.slack[number] = slack
    return scan(s, number) or propagate(s)


def watch(s: State, number: int) -> bool:
    """Put a clause in force, at the root: two literals that are not false come first. True: a conflict."""
    start, end, free = s.end[number - 1], s.end[number], 0
    for place in range(start, end):
        literal = s.literal[place]
        if free < 2 and not s.true[literal ^ 1]:
            s.literal[place], s.literal[start + free] = s.literal[start + free], literal
            free += 1
    for side in range(2 if end - start > 1 else 0):
        literal = s.literal[start + side]
        s.next_watch[2 * number + side], s.watched[literal] = s.watched[literal], 2 * number + side
    if free == 1 and not s.true[s.literal[start]]:
        assign(s, s.literal[start], number)
    return free == 0 or propagate(s)


def normalise(s: State, number: int) -> bool:
    """Make all coefficients of a constraint positive. Is it a clause?"""
    least, largest = 1, 0
    for place in range(s.end[number - 1], s.end[number]):
        if s.coefficient[place] < 0:  # a x = a - a ~x
            s.degree[number] -= s.coefficient[place]
            s.literal[place] ^= 1
            s.coefficient[place] *= -1
        least, largest = min(least, s.coefficient[place]), max(largest, s.coefficient[place])
    s.degree[number], s.largest[number] = max(s.degree[number], 0), largest
    clause: bool = least == largest == s.degree[number] == 1
    return clause


def negate(s: State, number: int) -> None:
    """Turn a constraint that is not in force into its opposite."""
    total = 0
    for place in range(s.end[number - 1], s.end[number]):
        s.literal[place] ^= 1
        total += s.coefficient[place]
    s.degree[number] = total - s.degree[number] + 1


def tried(s: State, number: int) -> int:
    """Suppose the opposite of a constraint: a lemma's leads to a conflict; of what leaves a solution out, to that."""
    rup, mark = s.status[number] == RUP, s.n[TRAIL]
    if s.n[DEAD]:
        return GOOD if rup else NO_SOLUTION
    negate(s, number)
    conflict = sum_up(s, number)
    found = (GOOD if conflict else NOT_IMPLIED) if rup else NO_SOLUTION if conflict else judged(s)
    undo(s, mark)
    for place in range(s.end[number - 1], s.end[number]):  # the first of their chains
        s.occurs[s.literal[place]] = s.next_place[place]
    negate(s, number)
    return found


def judged(s: State) -> int:
    """Whether what is true is a model of the statement that has not been left out yet, by plain evaluation."""
    for literal in range(0, 2 * s.n[VARIABLES], 2):
        if not s.true[literal] and not s.true[literal + 1]:
            return OPEN
    for number in range(1, s.n[COUNT] + 1):
        if number <= s.n[STATED] or s.status[number] == FIXED:
            reached = 0
            for place in range(s.end[number - 1], s.end[number]):
                reached += s.coefficient[place] if s.true[s.literal[place]] else 0
            if reached < s.degree[number]:
                return BROKEN
    return GOOD


def delete(s: State, number: int) -> int:
    """Take a constraint out of force, unless something at the root rests on it."""
    if not s.n[STATED] < number <= s.n[COUNT] or s.status[number] != HELD:
        return NOT_THERE
    s.status[number] = GONE  # those who watch a clause see that
    for place in range(s.end[number - 1], s.end[number]):
        if s.true[s.literal[place]] and s.cause[s.literal[place] >> 1] == number:
            return NOT_DELETED  # a clause is true for good, and a sum goes on
    for place in range(s.end[number - 1], s.end[number]):
        s.coefficient[place] = 0  # a sum says nothing any more
    s.slack[number] = s.largest[number] = 0
    return GOOD


def run(s: State, steps: Any, results: Any) -> int:
    """Take steps (0: the next constraint; else the deletion of one), up to one that fails: how many were taken."""
    for at in range(len(steps)):
        number, result, clause = s.n[COUNT] + 1, GOOD, False
        if steps[at]:
            result = delete(s, steps[at])
        else:
            clause = normalise(s, number)
            if s.status[number] != AXIOM:
                result = tried(s, number)
        results[at] = result
        if result > NOT_DELETED:
            return at
        if not steps[at]:
            s.status[number] = FIXED if s.status[number] == SOLUTION else HELD
            s.n[COUNT] = number
            if watch(s, number) if clause else sum_up(s, number):
                s.n[DEAD] = 1
    return len(steps)


def compiled(function: Any) -> Any:
    """Machine code, which is kept beside this file, if files can be."""
    options: Any = {"nogil": True, "_nrt": False}  # nothing is allocated: there are no references to count
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:
        return numba.njit(**options)(function)


def view(column: Any) -> Any:
    """A column as the functions take it. While there is a view for machine code, it cannot grow."""
    return np.asarray(column) if MACHINE_CODE else column


if MACHINE_CODE := os.environ.get("NUMBA_DISABLE_JIT", "0") == "0" and find_spec("numba") is not None:
    import numba
    import numpy as np

    assign, scan, visit, propagate, undo, sum_up = map(compiled, (assign, scan, visit, propagate, undo, sum_up))
    watch, normalise, negate, tried, judged = map(compiled, (watch, normalise, negate, tried, judged))
    delete, run = map(compiled, (delete, run))
