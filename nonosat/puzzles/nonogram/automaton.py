"""The automaton of a clue: it reads the cells of a line and accepts the fillings of the clue (Pesant, CP 2004).

CP-SAT, XCSP3 and counting by sweeps use it. The formulas ``automaton+...`` do not: an arc of theirs is a whole run.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from nonosat.puzzles.nonogram.puzzle import Clue

Blanks = Literal["needed", "between", "all"]


class ClueAutomaton(NamedTuple):
    """A deterministic automaton over the values of cells. It starts in state 0; a missing transition refuses.

    ``transitions``: (state, value, next state). ``accepting``: the states in which a line may end.
    """

    transitions: list[tuple[int, int, int]]
    accepting: list[int]


def clue_automaton(clue: Clue, blanks: Blanks = "needed") -> ClueAutomaton:
    """The automaton of ``clue``. Its states are numbered as a line that begins with a blank meets them.

    ``blanks`` are those that have a state of their own. "needed": between runs of one colour; this is the smallest
    automaton, and its states count the cells that must be read. "between": between any two runs, as in the models of
    the XCSP3 competitions. "all": also behind the last run.

    >>> from nonosat.puzzles.nonogram.puzzle import Run
    >>> clue_automaton((Run(1), Run(1)))
    ClueAutomaton(transitions=[(0, 0, 0), (0, 1, 1), (1, 0, 2), (2, 0, 2), (2, 1, 3), (3, 0, 3)], accepting=[3])
    >>> clue_automaton((Run(2),), "all")
    ClueAutomaton(transitions=[(0, 0, 0), (0, 1, 1), (1, 1, 2), (2, 0, 3), (3, 0, 3)], accepting=[2, 3])
    """
    transitions = [(0, 0, 0)]
    last, former = 0, 0  # the last state so far, in which the former run is read in full, and that run's colour
    for length, colour in clue:
        full = last
        if former and (blanks != "needed" or colour == former):
            last += 1
            transitions += [(full, 0, last), (last, 0, last)]
        elif former:
            transitions.append((full, 0, full))
        transitions.append((last, colour, last + 1))
        if former and last > full and colour != former:  # runs of different colours may touch
            transitions.append((full, colour, last + 1))
        transitions += [(last + read, colour, last + read + 1) for read in range(1, length)]
        last, former = last + length, colour
    if not clue:
        return ClueAutomaton(transitions, [0])
    if blanks == "all":
        return ClueAutomaton([*transitions, (last, 0, last + 1), (last + 1, 0, last + 1)], [last, last + 1])
    return ClueAutomaton([*transitions, (last, 0, last)], [last])
