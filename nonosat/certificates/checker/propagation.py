"""The inner loops: constraints as columns of numbers, and what unit propagation makes of them.

The *slack* of a constraint is how far all of its literals that are not false go beyond its degree. One with a larger
coefficient must be true; a slack below 0 is a conflict. Whatever becomes true does so in ``demand``, which finds the
slack anew. Watched literals show when: while none of them is false, nothing can follow. What is true without
assumptions, at the *root*, stays true; all else is assumed at one go, and undone at one go.

A constraint is stored in normal form: coefficients above 0, each variable once. After that, only the order of its terms
changes, by whole terms. ``degree + 1`` watched literals are enough, whatever the coefficients: while none is false, any
other term can be left out, and so can any one of them, as each of those that remain adds 1 at least.

A literal is 2v for variable v, or 2v + 1 for its negation; a constraint is its number in the proof, from 1; 0 is none.
All is plain Python; numba makes machine code of it, unless it is missing or NUMBA_DISABLE_JIT=1 is set.
"""

from __future__ import annotations

import os
from collections import namedtuple
from importlib import import_module, util
from typing import Any

HEAD, TRAIL, COUNT, DEAD, STATED, VARIABLES = range(6)  # the entries of State.n
AXIOM, RUP, SOLUTION, DELETED, HINTS = range(5)  # what a step does; of a constraint, what made or ended it
GOOD, NOT_DELETED, NOT_IMPLIED, NO_SOLUTION, OPEN, NOT_THERE, MALFORMED = range(7)  # what became of a step
AT_LEAST, LITERALS, NUMBER = -1, 2**31, 2**40  # words as numbers: ``>=``; literals are below; n is NUMBER + n


State = namedtuple("State", "n true seen watched cause trail watches status degree end literal coefficient owner chain")
"""The columns. ``n``: how much of the trail is propagated, how long it is, ...; DEAD: 1 after a conflict at the root.

By literal, if it is ``true`` (1); the first place that it is ``watched`` at (0: none), where a ``chain`` begins. By
variable, the constraint in which it was ``seen`` last, and the one that is the ``cause`` of its value. In order, the
``trail`` of what is true.

By constraint, how many of its places, the first ones, are ``watches``; ``status``; ``degree``; the ``end``, a place
behind its last one: it begins where the one before ends. By place, ``literal``, ``coefficient``, the constraint that is
its ``owner``, and the next place of its ``chain``.
"""


def demand(s: State, number: int, opposite: int) -> bool:
    """Make true what a constraint asks for (``opposite``: that its sum is below its degree). True: a conflict."""
    slack = s.degree[number] - 1 if opposite else -s.degree[number]
    for place in range(s.end[number - 1], s.end[number]):
        false = s.true[s.literal[place] ^ 1 ^ opposite]
        slack += s.coefficient[place] * (1 - opposite - false)
    if slack < 0:
        return True
    for place in range(s.end[number - 1], s.end[number]):
        literal = s.literal[place] ^ opposite
        if s.coefficient[place] > slack and not s.true[literal] and not s.true[literal ^ 1]:
            s.true[literal], s.cause[literal >> 1], s.trail[s.n[TRAIL]] = 1, number, literal
            s.n[TRAIL] += 1
    return False


def watch(s: State, mine: int) -> bool:
    """Let a place watch a literal that is not false; if none is left in its constraint, demand. True: a conflict."""
    number = s.owner[mine]
    first = s.end[number - 1]
    satisfied = s.degree[number] == 1 and (s.true[s.literal[first]] or s.true[s.literal[first + s.watches[number] - 1]])
    if not satisfied and s.true[s.literal[mine] ^ 1]:
        for place in range(first + s.watches[number], s.end[number]):  # not watched
            if not s.true[s.literal[place] ^ 1]:  # whole terms change places, so that the constraint stays what it is
                s.literal[mine], s.literal[place] = s.literal[place], s.literal[mine]
                s.coefficient[mine], s.coefficient[place] = s.coefficient[place], s.coefficient[mine]
                break
    literal = s.literal[mine]
    s.chain[mine], s.watched[literal] = s.watched[literal], mine
    return not satisfied and s.true[literal ^ 1] == 1 and demand(s, number, 0)


def propagate(s: State) -> bool:
    """Until nothing changes. True: a conflict."""
    conflict = False
    while not conflict and s.n[HEAD] < s.n[TRAIL]:
        false = s.trail[s.n[HEAD]] ^ 1
        s.n[HEAD] += 1
        following, s.watched[false] = s.watched[false], 0
        while following:
            mine, following = following, s.chain[following]
            if s.status[s.owner[mine]] != DELETED:
                conflict = watch(s, mine) or conflict
    return conflict


def undo(s: State, mark: int) -> None:
    """Forget what became true behind ``mark``."""
    for at in range(mark, s.n[TRAIL]):
        s.true[s.trail[at]] = 0
    s.n[HEAD] = s.n[TRAIL] = mark


def judged(s: State) -> int:
    """Whether what is true is a model of the statement that has not been left out yet, by plain evaluation."""
    for literal in range(0, 2 * s.n[VARIABLES], 2):
        if not s.true[literal] and not s.true[literal + 1]:
            return OPEN
    for number in range(1, s.n[COUNT] + 1):
        if (number <= s.n[STATED] or s.status[number] == SOLUTION) and demand(s, number, 0):
            return NO_SOLUTION
    return GOOD


def tried(s: State, number: int, steps: Any, hints: range) -> int:
    """Suppose the opposite of a constraint, and see what follows: from all that is in force, or from hints alone."""
    conflict, mark, before = s.n[DEAD] == 1, s.n[TRAIL], -1
    while not conflict and before < s.n[TRAIL]:
        before = s.n[TRAIL]
        conflict = demand(s, number, 1) or (len(hints) == 0 and propagate(s))
        for at in hints:
            conflict = conflict or demand(s, steps[at], 0)
    found = GOOD if conflict else NOT_IMPLIED
    if s.status[number] == SOLUTION:
        found = NO_SOLUTION if conflict else judged(s)
    undo(s, mark)
    return found


def add(s: State, clean: State, kind: int, steps: Any, codes: range, hints: range) -> int:
    """The next constraint: bring it to normal form, see if it holds, put it in force; in ``clean`` nothing is true."""
    number, place, last = s.n[COUNT] + 1, s.end[s.n[COUNT]], codes.stop - 1
    if len(codes) % 2 or len(codes) < 2 or steps[last - 1] != AT_LEAST or steps[last] < LITERALS:
        return MALFORMED
    s.degree[number], s.status[number] = steps[last] - NUMBER, kind
    for at in range(codes.start, last - 1, 2):
        coefficient, literal = steps[at] - NUMBER, steps[at + 1]
        if steps[at] < LITERALS or not 0 <= literal < LITERALS or s.seen[literal >> 1] == number:
            return MALFORMED
        s.seen[literal >> 1] = number
        if coefficient < 0:  # a x = a - a ~x
            coefficient, literal, s.degree[number] = -coefficient, literal ^ 1, s.degree[number] - coefficient
        if coefficient:
            s.coefficient[place], s.literal[place], s.owner[place] = coefficient, literal, number
            place += 1
    first, s.end[number], s.degree[number] = s.end[number - 1], place, max(s.degree[number], 0)
    s.watches[number] = min(place - first, s.degree[number] + 1)
    if kind != AXIOM:
        found = tried(clean if len(hints) else s, number, steps, hints)
        if found != GOOD:
            return found
    s.n[COUNT] = number
    for place in range(first, first + s.watches[number]):
        watch(s, place)
    if demand(s, number, 0) or propagate(s):
        s.n[DEAD] = 1
    return GOOD


def delete(s: State, number: int) -> int:
    """Take a constraint out of force; what it made true at the root stays true."""
    if number <= s.n[STATED] or s.status[number] == SOLUTION or s.status[number] == DELETED:
        return NOT_THERE
    s.status[number] = DELETED
    for place in range(s.end[number - 1], s.end[number]):
        if s.true[s.literal[place]] and s.cause[s.literal[place] >> 1] == number:
            return NOT_DELETED
    return GOOD


def run(s: State, clean: State, steps: Any, results: Any) -> int:
    """Take steps up to one that fails: how many were taken. Each is its kind, how many numbers, and these.

    Hints are for the constraint that is next.
    """
    end, hints = 0, range(0)
    for step in range(len(results)):
        what, numbers = steps[end], range(end + 2, end + 2 + steps[end + 1])
        end = numbers.stop
        if what <= SOLUTION:
            results[step] = add(s, clean, what, steps, numbers, hints)
        for at in numbers:
            if what == DELETED:
                results[step] = max(results[step], delete(s, steps[at]))
            elif what == HINTS and s.status[steps[at]] == DELETED:
                results[step] = NOT_THERE
        if results[step] > NOT_DELETED:
            return step
        hints = numbers if what == HINTS else range(0)
    return len(results)


def compiled(function: Any) -> Any:
    """Machine code, which is kept in this folder if it is writable. Nothing is allocated: no reference is counted."""
    try:
        return numba.njit(function, cache=True, nogil=True, _nrt=False, forceinline=True)
    except RuntimeError:
        return numba.njit(function, nogil=True, _nrt=False, forceinline=True)


if MACHINE_CODE := os.environ.get("NUMBA_DISABLE_JIT", "0") == "0" and util.find_spec("numba") is not None:
    numba = import_module("numba")

    demand, watch, propagate, undo = map(compiled, (demand, watch, propagate, undo))
    judged, tried, add, delete, run = map(compiled, (judged, tried, add, delete, run))
