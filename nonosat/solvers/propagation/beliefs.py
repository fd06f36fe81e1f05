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
from nonosat.compiled.words import (
    FULL,
    ONE,
    TWO,
    ZERO,
    Floats,
    FloatTable,
    Ints,
    IntTable,
    Words,
    leading_zeros,
    lowest,
)
from nonosat.solvers.propagation.board import KEPT_SIZES, PropagationBoard
from nonosat.solvers.propagation.lines import fits

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
    ``waits``: whether a line has received something new. ``few_places``: whether ``exchange_one_colour`` is for a line.
    ``start``: where a run begins in its leftmost place on a blank line. ``leftmost``, ``rightmost``: between which
    places it may be, as cells right of that one. They get closer as cells are fixed; where cells get values back, call
    ``allow_all_places``.

    The other arrays are scratch for one line: ``factor``, the odds of each cell's colours, and ``inverse``; ``ahead``,
    the product of the odds of the cells before one, and ``behind``, its inverse; ``places``, where each run may be;
    ``never``, how many cells before this one cannot have the colour; ``blank``, whether a cell may be blank (0 or 1);
    ``before``, sums over the runs before one; ``run``, weights of its places; ``after``, sums over later runs;
    ``step``, how the probability of a colour changes from cell to cell.
    """

    free: Ints
    odds: Floats
    across: Floats
    down: Floats
    field: Floats
    waits: npt.NDArray[np.uint8]
    few_places: npt.NDArray[np.uint8]
    start: Ints
    leftmost: Ints
    rightmost: Ints
    factor: FloatTable
    inverse: FloatTable
    ahead: Floats
    behind: Floats
    places: Words
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
    fill_beliefs(board, beliefs)
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
        "never": table,
    }
    unset = {
        "across": messages,
        "down": messages,
        "field": messages,
        "free": (height + width,),
        "few_places": (height + width,),
        "start": (room,),
        "leftmost": (room,),
        "rightmost": (room,),
        "ahead": (longest,),
        "behind": (longest,),
        "places": (runs,),
        "blank": (longest,),
        "before": (runs, longest),
        "run": (runs, longest),
        "after": (longest,),
        "step": table,
    }
    return RecordLayout(Beliefs, {"odds": np.minimum(np.maximum(odds, 1.0), LONGEST)}, own, unset)


@compiled
def fill_beliefs(b: PropagationBoard, m: Beliefs) -> None:
    """Fill in what is the same all the time, and begin without a message."""
    for k in range(len(m.across)):
        m.across[k] = m.down[k] = m.field[k] = 1.0
    for line in range(b.height + b.width):
        free, longest = b.size[line], np.int64(0)
        for run in range(b.first[line], b.first[line + 1]):
            gap = run > b.first[line] and b.colour[run] == b.colour[run - 1]
            m.start[run] = b.size[line] - free + (1 if gap else 0)
            free -= np.int64(b.length[run]) + (1 if gap else 0)
            longest = max(longest, np.int64(b.length[run]))
        m.free[line] = free
        m.few_places[line] = 1 if b.colours == 1 and free + max(longest, 1) <= 64 else 0
    allow_all_places(b, m)


@compiled
def allow_all_places(b: PropagationBoard, m: Beliefs) -> None:
    """Let every run be anywhere again: cells have got values back."""
    for line in range(b.height + b.width):
        for run in range(b.first[line], b.first[line + 1]):
            m.leftmost[run], m.rightmost[run] = 0, m.free[line]


def filled(beliefs: Beliefs, colours: int) -> Floats:
    """How likely each cell is filled, with any colour, by the last messages of both its lines; a number a cell."""
    odds = beliefs.across * beliefs.down * beliefs.field
    all_colours: Floats = odds.reshape(-1, colours).sum(axis=1)
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
def tell(m: Beliefs, messages: Floats, k: int, new: float, line: int) -> None:
    """Make the odds ``new`` the message ``k``; ``line``, which it goes to, waits if that changes it."""
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
    most = m.odds[line]
    least = 1.0 / most
    for j in range(b.size[line]):
        may, blank = m.blank[j], 1.0
        for c in range(b.colours):
            blank -= m.step[c, j]
            may += 1.0 + m.never[c, j] - m.never[c, j + 1]
        if may >= 2.0:
            base = max(LEAST, blank) if m.blank[j] > 0.0 else 1.0
            for c in range(b.colours):
                odds = max(LEAST, m.step[c, j]) * m.inverse[c, j] / base
                tell(m, messages, cell * b.colours + c, min(most, max(least, odds)), crossing + j)
        cell += stride


# Lines of one colour whose runs have at most 64 places each. The places that are allowed are bits of a word.
#
# A run's weight is a quotient: the product of the odds up to its end by that up to its begin. What is summed up for a
# cell is the fillings in which it is blank, for each number of runs before it. Runs at both ends that have one place
# are passed over, and the cells there.


@inlined
def cells_from(b: PropagationBoard, line: int, value: int, first: int | np.int64) -> np.uint64:
    """Which of 64 cells of ``line``, from the ``first`` on, may have ``value``."""
    block, shift, words = first >> 6, np.uint64(first & 63), b.words[line]
    at = b.at[line] + value * words
    cells: np.uint64 = b.may[at + block] >> shift
    if shift > ZERO and block + 1 < words:
        cells |= b.may[at + block + 1] << (FULL - shift)
    return cells


@inlined
def is_set(bits: np.uint64, place: int | np.int64) -> bool:
    """Is this bit set?"""
    return bool((bits >> np.uint64(place)) & ONE != ZERO)


@inlined
def all_set(bits: np.uint64, first: int | np.int64, last: int | np.int64) -> bool:
    """Are the bits ``first`` .. ``last`` set?"""
    return bool((~bits >> np.uint64(first)) & ((TWO << np.uint64(max(last - first, 0))) - ONE) == ZERO)


@inlined
def gaps_before(b: PropagationBoard, m: Beliefs, line: int, run: int) -> np.uint64:
    """At which of its places ``run`` has a cell that may be blank before it, or the line's begin.

    ``run`` may be the one after the last, which begins at the line's end, behind a blank cell that is not there.
    """
    if run == b.first[line]:
        return (cells_from(b, line, 0, 0) << ONE) | ONE
    if run == b.first[line + 1]:
        return cells_from(b, line, 0, b.size[line] - m.free[line]) | (ONE << np.uint64(m.free[line]))
    return cells_from(b, line, 0, m.start[run] - 1)


@inlined
def find_places(b: PropagationBoard, m: Beliefs, line: int) -> tuple[int, int]:
    """Between which places each run may be, by the leftmost and the rightmost filling, and which ``places``.

    Gives the first run that may be in several, and the one after the last such run.
    """
    first, last, right = b.first[line], b.first[line + 1], m.free[line]
    for run in range(last - 1, first - 1, -1):
        places = fits(cells_from(b, line, 1, m.start[run]), b.length[run]) & ((TWO << np.uint64(right)) - ONE)
        right = max(0, 63 - leading_zeros(places))
        m.places[run - first], m.rightmost[run] = places, right
    left, begin, end = np.int64(0), first, first
    for run in range(first, last):
        places = m.places[run - first] >> np.uint64(left)
        left += lowest(places) if places != ZERO else 0
        m.leftmost[run] = left
        end = run + 1 if left != m.rightmost[run] else end
        begin = run + 1 if end == first else begin
    return begin, end


@inlined
def sum_before(b: PropagationBoard, m: Beliefs, line: int, begin: int, end: int, left: int | np.int64) -> None:
    """Sum up, from run ``begin``, which has at least ``left`` free cells before it, what stands before each place."""
    first, last, free = b.first[line], b.first[line + 1], m.free[line]
    ahead, behind = m.ahead, m.behind
    gaps, alive, before = gaps_before(b, m, line, begin), 1.0, m.before[begin - first]
    for d in range(left, m.rightmost[begin] + 1):
        alive = alive if is_set(gaps, d) else 0.0
        before[d] = alive
    for run in range(begin, end):
        start, stop, places = m.start[run], m.start[run] + np.int64(b.length[run]), m.places[run - first]
        gaps, total = gaps_before(b, m, line, run + 1), 0.0
        before, after, weights = m.before[run - first], m.before[run + 1 - first], m.run[run - first]
        if all_set(places & gaps, m.leftmost[run], m.rightmost[run]):
            for d in range(m.leftmost[run], m.rightmost[run] + 1):
                weights[d] = ahead[stop + d] * behind[start + d]
                total += before[d] * weights[d]
                after[d] = total
        else:
            for d in range(m.leftmost[run], m.rightmost[run] + 1):
                weight = ahead[stop + d] * behind[start + d]
                weight = weight if is_set(places, d) else 0.0
                weights[d] = weight
                total += before[d] * weight
                total = total if is_set(gaps, d) else 0.0
                after[d] = total
        for d in range(m.rightmost[run] + 1, (m.rightmost[run + 1] if run + 1 < last else free) + 1):
            total = total if is_set(gaps, d) else 0.0
            after[d] = total


@inlined
def sum_blanks(
    b: PropagationBoard, m: Beliefs, line: int, begin: int, end: int, left: int | np.int64, right: int | np.int64
) -> None:
    """Sum up what stands behind each place, and with both sums the fillings in which a cell is blank.

    That is ``step[0, j + 1]`` of cell j. ``right``: how many free cells are before run ``end``, at most.
    """
    first, after, blanks = b.first[line], m.after, m.step[0]
    gaps, alive, before = gaps_before(b, m, line, end), 1.0, m.before[end - first]
    start = m.start[end] if end < b.first[line + 1] else b.size[line] + 1 - m.free[line]
    for d in range(right, m.leftmost[end - 1] - 1, -1):
        alive = alive if is_set(gaps, d) else 0.0
        after[d] = alive
        blanks[start + d] = before[d] * alive
    for run in range(end - 1, begin - 1, -1):
        gaps, later, start = gaps_before(b, m, line, run), 0.0, m.start[run]
        before, weights = m.before[run - first], m.run[run - first]
        if all_set(gaps, m.leftmost[run], m.rightmost[run]):
            for d in range(m.rightmost[run], m.leftmost[run] - 1, -1):
                later += weights[d] * after[d]
                after[d] = later
                blanks[start + d] += before[d] * later
        else:
            for d in range(m.rightmost[run], m.leftmost[run] - 1, -1):
                later += weights[d] * after[d]
                later = later if is_set(gaps, d) else 0.0
                after[d] = later
                blanks[start + d] += before[d] * later
        for d in range(m.leftmost[run] - 1, (m.leftmost[run - 1] if run > begin else left) - 1, -1):
            later = later if is_set(gaps, d) else 0.0
            after[d] = later
            blanks[start + d] += before[d] * later


@inlined
def exchange_one_colour(b: PropagationBoard, m: Beliefs, line: int) -> None:
    """Let ``line`` receive and send the same messages as by the functions for any line, in two thirds of the time."""
    first, last = b.first[line], b.first[line + 1]
    begin, end = find_places(b, m, line)
    if begin >= end:
        return
    # Receive. Cells from ``low`` to before ``high`` may have several values.
    left = m.leftmost[begin - 1] if begin > first else np.int64(0)
    right = m.rightmost[end] if end < last else m.free[line]
    low = m.start[begin] - 1 + left if begin > first else np.int64(0)
    high = m.start[end] + right if end < last else b.size[line]
    received, sent, crossing = (m.down, m.across, b.height) if line < b.height else (m.across, m.down, 0)
    cell, stride = cells_of_line(b, line)
    factor, ahead, behind, blanks = m.factor[0], m.ahead, m.behind, m.step[0]
    most, product, k = m.odds[line], 1.0, cell + low * stride
    least = 1.0 / most
    ahead[low] = 1.0
    for j in range(low, high):
        weight = min(most, max(least, received[k] * m.field[k]))
        factor[j] = weight
        product *= weight
        ahead[j + 1] = product
        k += stride
    for j in range(low, high + 1):
        behind[j] = 1.0 / ahead[j]
    for j in range(low, high + 2):
        blanks[j] = 0.0
    sum_before(b, m, line, begin, end, left)
    total = m.before[end - first, right]
    if not 0.0 < total < np.inf:
        return
    sum_blanks(b, m, line, begin, end, left, right)
    # Send. The crossing lines whose message changed wait.
    unit = 1.0 / total
    for j in range(low, high):
        blank = blanks[j + 1] * unit
        factor[j] = min(most, max(least, max(LEAST, 1.0 - blank) / (factor[j] * max(LEAST, blank))))
    at, words = b.at[line], b.words[line]
    for block in range(words):
        still_open = b.may[at + block] & b.may[at + words + block]
        while still_open != ZERO:
            j = (block << 6) + lowest(still_open)
            still_open &= still_open - ONE
            tell(m, sent, cell + j * stride, factor[j], crossing + j)


@compiled
def exchange(b: PropagationBoard, m: Beliefs) -> int:
    """One round on a board whose lines are filtered: each that waits sends once, the rows first. How many did."""
    sent = 0
    for line in range(b.height + b.width):
        if m.waits[line] == 1:
            m.waits[line] = 0
            sent += 1
            if m.few_places[line] == 1:
                exchange_one_colour(b, m, line)
            else:
                receive(b, m, line)
                if weigh(b, m, line):
                    send(b, m, line)
    return sent


@compiled
def wake(b: PropagationBoard, m: Beliefs, mark: int, top: int) -> None:
    """Let the lines wait of which words were written between ``mark`` and ``top`` of the trail."""
    for i in range(mark, top):
        m.waits[b.owner[b.trail_at[i]]] = 1
