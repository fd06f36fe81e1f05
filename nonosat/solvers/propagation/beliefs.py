"""Belief propagation: how likely each value of each cell is, estimated from the lines (Pearl 1988), compiled.

Every line sends a message to each of its cells: the odds of each colour (to blank) among the line's fillings. A filling
is weighed by the messages that the cells received from the crossing lines; the crossing line's message to the cell
itself is divided out. On a graph without cycles the messages converge to the true shares of the solutions. On a board
they are a guess, and a good one. Nothing here rules out a value: only fillings that the board allows are counted, and
the line solver checks what is decided from the counts.

A dynamic program over (run, how far it is right of its leftmost place), forwards and backwards, sums up a line's
fillings: O(runs * (1 + free cells)). A filling's weight is a product of odds. The longer a line, the smaller the
largest odds x that it sends and receives, so that no sum, at most (1 + x) ** cells, leaves the range of a float. (Lines
of a thousand cells and more do leave it, and send nothing.)
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined
from nonosat.compiled.kernel import RecordLayout, record
from nonosat.compiled.words import ONE, ZERO, Floats, FloatTable, Ints, IntTable, lowest
from nonosat.solvers.propagation.board import KEPT_SIZES, PropagationBoard

NARROWED = 12
"""Lines with so many cells more than they need keep the places that runs may have: on a board of 80x80 at 40 % they are
a quarter of all. On lines with fewer it takes longer than it saves.
"""
LONGEST = 1e6
"""The largest odds in a message."""


@record
class Beliefs(NamedTuple):
    """The last messages from lines to cells; entry ``cell * colours + colour - 1`` is of a colour.

    ``free``: how many cells each line has more than its runs need. ``odds``: the largest that it receives and sends.
    ``across``, ``down``: odds from the row and from the column. ``field``: odds that are multiplied to both (1: none).
    ``value``: each cell's likeliest value, and ``share``, how likely it is, by the last of its lines that sent.
    ``waits``: whether a line has received something new.
    ``leftmost``, ``rightmost``: between which places a run may be, as cells right of its leftmost place on a blank
    line. They get closer as cells are fixed; where cells get values back, call ``allow_all_places``.

    The other arrays are scratch for one line: ``factor``, the odds of each cell's colours, and ``inverse``; ``never``,
    how many cells before this one cannot have the colour; ``blank``, whether a cell may be blank (0 or 1); ``before``,
    sums over the runs before one; ``run``, weights of its places; ``after``, sums over later runs; ``step``, how the
    probability of a colour changes from cell to cell.
    """

    free: Ints
    odds: Floats
    across: Floats
    down: Floats
    field: Floats
    value: Ints
    share: Floats
    waits: npt.NDArray[np.uint8]
    leftmost: Ints
    rightmost: Ints
    factor: FloatTable
    inverse: FloatTable
    never: IntTable
    blank: Floats
    before: FloatTable
    run: FloatTable
    after: Floats
    step: FloatTable


def beliefs_of(board: PropagationBoard) -> Beliefs:
    """The arrays for ``board``, with no message sent yet and every line waiting."""
    most = int((board.first[1:] - board.first[:-1]).max())  # a line of a million cells may have ten runs
    runs = most + -most % 8 + 2  # so that there are few layouts of a size
    beliefs = _beliefs_layout(board.height, board.width, board.colours, runs, len(board.length)).record()
    beliefs.across[:] = beliefs.down[:] = beliefs.field[:] = 1.0
    fill_free_cells(board, beliefs.free)
    allow_all_places(board, beliefs)
    return beliefs


@lru_cache(maxsize=KEPT_SIZES)
def _beliefs_layout(height: int, width: int, colours: int, runs: int, room: int) -> RecordLayout[Beliefs]:
    cells, longest = height * width, max(height, width) + 2
    odds = 10.0 ** (300.0 / np.repeat((width, height), (height, width))) - 1.0
    messages, table = (cells * colours,), (colours, longest)
    own = {
        "waits": np.ones(height + width, dtype=np.uint8),
        "factor": np.ones(table),
        "inverse": np.ones(table),
        "value": (cells,),
        "share": (cells,),
        "never": table,
    }
    unset = {
        "across": messages,
        "down": messages,
        "field": messages,
        "free": (height + width,),
        "leftmost": (room,),
        "rightmost": (room,),
        "blank": (longest,),
        "before": (runs, longest),
        "run": (runs, longest),
        "after": (longest,),
        "step": table,
    }
    return RecordLayout(Beliefs, {"odds": np.minimum(np.maximum(odds, 1.0), LONGEST)}, own, unset)


@compiled
def fill_free_cells(b: PropagationBoard, free: Ints) -> None:
    """How many cells each line has more than its runs and the blanks between them need."""
    for line in range(len(free)):
        free[line] = b.size[line]
        for run in range(b.first[line], b.first[line + 1]):
            gap = run > b.first[line] and b.colour[run] == b.colour[run - 1]
            free[line] -= np.int64(b.length[run]) + (1 if gap else 0)


@compiled
def allow_all_places(b: PropagationBoard, m: Beliefs) -> None:
    """Let every run be anywhere again: cells have got values back."""
    for line in range(b.height + b.width):
        for run in range(b.first[line], b.first[line + 1]):
            m.leftmost[run], m.rightmost[run] = 0, m.free[line]


def filled(beliefs: Beliefs) -> Floats:
    """How likely each cell is filled, with any colour, by the last messages of both its lines; a number a cell."""
    odds = beliefs.across * beliefs.down * beliefs.field
    all_colours: Floats = odds.reshape(len(beliefs.value), -1).sum(axis=1)
    return all_colours / (1.0 + all_colours)


# Messages: a line receives those of the crossing lines through its cells, and sends its own.


STILL = 0.01
"""A message that changes a probability by no more is not passed on."""
LEAST = 1e-7
"""The least probability that is sent: sums of many terms are not more exact."""


@inlined
def cells_of_line(b: PropagationBoard, line: int) -> tuple[int, int]:
    """The first cell of ``line``, and how far from each to the next one."""
    if line < b.height:
        return line * b.width, 1
    return line - b.height, b.width


@inlined
def receive(b: PropagationBoard, m: Beliefs, line: int) -> None:
    """Fill the scratch arrays with the messages of the lines that cross ``line``."""
    messages = m.down if line < b.height else m.across
    at, words, size = b.at[line], b.words[line], b.size[line]
    most = m.odds[line]
    least = 1.0 / most
    for j in range(size):
        m.blank[j] = float((b.may[at + (j >> 6)] >> np.uint64(j & 63)) & ONE)
    m.blank[size] = 1.0
    begin, stride = cells_of_line(b, line)
    for c in range(b.colours):
        factor, inverse, never, step, never_yet = m.factor[c], m.inverse[c], m.never[c], m.step[c], 0
        colour, k = at + (c + 1) * words, begin * b.colours + c
        for j in range(size):
            never_yet += 1 - int((b.may[colour + (j >> 6)] >> np.uint64(j & 63)) & ONE)
            never[j + 1] = never_yet
            weight = min(most, max(least, messages[k] * m.field[k]))
            factor[j] = weight
            inverse[j] = 1.0 / weight
            step[j] = 0.0
            k += stride * b.colours
        step[size] = 0.0


@inlined
def forwards(b: PropagationBoard, m: Beliefs, line: int, narrow: bool) -> int:
    """Sum up, run after run, what stands before each of its places (``before``); gives the cell behind the last run."""
    first, last, free, blank = b.first[line], b.first[line + 1], m.free[line], m.blank
    m.before[0, 0] = 1.0
    for d in range(1, (m.rightmost[first] if narrow and last > first else free) + 1):
        m.before[0, d] = m.before[0, d - 1] * blank[d - 1]
    begin = np.int64(0)
    for i in range(last - first):
        length, c = np.int64(b.length[first + i]), b.colour[first + i] - 1
        gap = first + i + 1 < last and b.colour[first + i + 1] == b.colour[first + i]
        factor, inverse, never = m.factor[c], m.inverse[c], m.never[c]
        before, sums, run = m.before[i], m.before[i + 1], m.run[i]
        left, right = (m.leftmost[first + i], m.rightmost[first + i]) if narrow else (np.int64(0), free)
        further = m.rightmost[first + i + 1] if narrow and first + i + 1 < last else free
        weight = 1.0
        end = begin + length
        for j in range(begin + left, end + left):
            weight *= factor[j]
        total = 0.0
        if gap:
            for d in range(left, right + 1):
                here = weight if never[end + d] == never[begin + d] else 0.0
                run[d] = here
                total = (total + before[d] * here) * blank[end + d]
                sums[d] = total
                weight *= factor[end + d] * inverse[begin + d]
            for d in range(right + 1, further + 1):
                total *= blank[end + d]
                sums[d] = total
        else:
            for d in range(left, right + 1):
                here = weight if never[end + d] == never[begin + d] else 0.0
                run[d] = here
                total = total * blank[end - 1 + d] + before[d] * here
                sums[d] = total
                weight *= factor[end + d] * inverse[begin + d]
            for d in range(right + 1, further + 1):
                total *= blank[end - 1 + d]
                sums[d] = total
        begin = end + 1 if gap else end
    return int(begin)


@inlined
def backwards(b: PropagationBoard, m: Beliefs, line: int, end: int, unit: float, narrow: bool) -> None:
    """Sum up from ``end`` back what stands behind each place, and with that, times ``unit``, fill ``step``.

    Places that are in no filling at either end of a run's places are passed over from now on.
    """
    first, last, free = b.first[line], b.first[line + 1], m.free[line]
    blank, after, begin = m.blank, m.after, np.int64(end)
    after[free] = 1.0
    for d in range(free - 1, (m.leftmost[last - 1] if narrow and last > first else 0) - 1, -1):
        after[d] = after[d + 1] * blank[begin + d]
    for i in range(last - first - 1, -1, -1):
        length, c = np.int64(b.length[first + i]), b.colour[first + i] - 1
        gap = first + i + 1 < last and b.colour[first + i + 1] == b.colour[first + i]
        tied = i > 0 and b.colour[first + i - 1] == b.colour[first + i]
        begin -= length + 1 if gap else length
        before, run, step = m.before[i], m.run[i], m.step[c]
        left, right = (m.leftmost[first + i], m.rightmost[first + i]) if narrow else (np.int64(0), free)
        later = 0.0
        for d in range(right, left - 1, -1):
            rest = run[d] * after[d]
            x = before[d] * rest
            if narrow:
                run[d] = x  # not times unit: it is 0 only of a place that is in no filling
            x *= unit
            step[begin + d] += x
            step[begin + length + d] -= x
            later = (rest + later) * blank[begin - 1 + d] if tied else rest + later * blank[begin + d]
            after[d] = later
        if not narrow:
            continue
        for d in range(left - 1, (m.leftmost[first + i - 1] if i > 0 else left) - 1, -1):
            later *= blank[begin - 1 + d] if tied else blank[begin + d]
            after[d] = later
        while left < right and run[left] == 0.0:
            left += 1
        while left < right and run[right] == 0.0:
            right -= 1
        if run[left] > 0.0:
            m.leftmost[first + i], m.rightmost[first + i] = left, right


@inlined
def weigh(b: PropagationBoard, m: Beliefs, line: int) -> bool:
    """Leave in ``step`` how the probability of each colour changes from cell to cell. False: the sums are lost."""
    narrow = m.free[line] >= NARROWED  # a constant in each call, so that the simple case has code of its own
    end = forwards(b, m, line, True) if narrow else forwards(b, m, line, False)
    total = m.before[b.first[line + 1] - b.first[line], m.free[line]]
    unit = 1.0 / total if total > 0.0 else 0.0  # 0, too, of sums that left the range of a float
    if narrow:
        backwards(b, m, line, end, unit, True)
    else:
        backwards(b, m, line, end, unit, False)
    return bool(unit > 0.0)


@inlined
def tell(m: Beliefs, messages: Floats, k: int, odds: float, most_odds: float, line: int) -> None:
    """Make ``odds`` the message ``k``; ``line``, which it goes to, waits if that changes it."""
    new = min(most_odds, max(1.0 / most_odds, odds))
    old = messages[k]
    messages[k] = new
    # Odds x are a probability of x / (1 + x). Half of all messages change: a branch would be mispredicted.
    m.waits[line] |= abs(new - old) > STILL * (1.0 + new) * (1.0 + old)


@inlined
def send(b: PropagationBoard, m: Beliefs, line: int) -> None:
    """Send what ``weigh`` found to the cells of ``line``; the crossing lines whose message changed wait."""
    messages, crossing = (m.across, b.height) if line < b.height else (m.down, 0)
    cell, stride = cells_of_line(b, line)
    for c in range(b.colours):
        step, share = m.step[c], 0.0
        for j in range(b.size[line]):
            share += step[j]
            step[j] = share
    for j in range(b.size[line]):
        value, may = 0, m.blank[j]
        blank, most = 1.0, 0.0
        for c in range(b.colours):
            share = m.step[c, j]
            blank -= share
            may += 1.0 + m.never[c, j] - m.never[c, j + 1]
            if share > most:
                most, value = share, c + 1
        if blank > most:
            most, value = blank, 0
        if may >= 2.0:
            m.value[cell], m.share[cell] = value, most
            base = max(LEAST, blank) if m.blank[j] > 0.0 else 1.0
            for c in range(b.colours):
                odds = max(LEAST, m.step[c, j]) * m.inverse[c, j] / base
                tell(m, messages, cell * b.colours + c, odds, m.odds[line], crossing + j)
        cell += stride


@inlined
def send_one_colour(b: PropagationBoard, m: Beliefs, line: int) -> None:
    """``send`` on a board of one colour: the same messages, in half the time."""
    messages, crossing = (m.across, b.height) if line < b.height else (m.down, 0)
    begin, stride = cells_of_line(b, line)
    step, inverse, at, words = m.step[0], m.inverse[0], b.at[line], b.words[line]
    share = 0.0
    for j in range(b.size[line]):
        share += step[j]
        step[j] = share
    for block in range(words):
        still_open = b.may[at + block] & b.may[at + words + block]
        while still_open != ZERO:
            j = (block << 6) + lowest(still_open)
            still_open &= still_open - ONE
            cell, share = begin + j * stride, step[j]
            blank = 1.0 - share
            filled = share > 0.0 and share >= blank
            m.value[cell], m.share[cell] = (1, share) if filled else (0, max(blank, 0.0))
            odds = max(LEAST, share) * inverse[j] / max(LEAST, blank)
            tell(m, messages, cell, odds, m.odds[line], crossing + j)


@compiled
def exchange(b: PropagationBoard, m: Beliefs) -> int:
    """One round: every line that waits sends once, the rows first. How many lines did."""
    sent = 0
    for line in range(b.height + b.width):
        if m.waits[line] == 1:
            m.waits[line] = 0
            sent += 1
            receive(b, m, line)
            if weigh(b, m, line):
                if b.colours == 1:
                    send_one_colour(b, m, line)
                else:
                    send(b, m, line)
    return sent


@compiled
def wake(b: PropagationBoard, m: Beliefs, mark: int, top: int) -> None:
    """Let the lines wait of which words were written between ``mark`` and ``top`` of the trail."""
    for i in range(mark, top):
        m.waits[b.owner[b.trail_at[i]]] = 1
