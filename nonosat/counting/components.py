"""Components: sets of open cells that do not depend on each other, and the keys by which they are remembered.

A line is cut into independent parts. Cells that share a part are in one component. The parts alone determine what is
inside a component: their places, the states at both ends, and the values that their cells may have. So equal parts have
equal counts, whatever led to them, and a key of the parts is a key of the count.

For the same reason propagation inside a component needs its parts alone. A line of more than two words takes long to
propagate and to cut. The search therefore looks only at its *window*, the section in which the component has parts. A
board of many components in the same lines then costs the sum of these sections, not each time the whole line.

The key is a hash of 128 bits (the mixing steps are those of Appleby's MurmurHash3, with every word fed to both halves).
If the hash is random, two different components among n share a key with a probability of n² / 2**129: 10^-25 for ten
million.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.compiled import compiled, inlined
from nonosat.compiled.words import ONE, ZERO, ByteTable, Ints, Word, Words, lowest
from nonosat.solvers.propagation.board import LINES, PropagationBoard, choices
from nonosat.solvers.propagation.lines import backwards, levels, sweep_forwards

# Cuts. Between two cells a line is in a *state*: so many runs are done, or it is so many cells inside a run. (The blank
# that must follow a run counts as its last cell.) Where all fillings that are still possible are in the same state, the
# cells left and right of this boundary are independent: a *cut*. The part between two cuts, with their states and the
# values of its cells, is a subproblem of the count. ``state_at[p]`` becomes the state before cell p at every cut.


INSIDE = 1 << 20
"""The state ``o`` cells inside run k is ``k * INSIDE + o``; o is 0 where no run is under way."""


@inlined
def gather(where: Word, state: int, once: Word, twice: Word, state_at: Ints, at: int) -> tuple[Word, Word]:
    """Record a state that is possible at the boundaries ``where``: ``once`` and ``twice`` are those with 1 and 2."""
    new = where & ~once
    while new:
        state_at[at + lowest(new)] = state
        new &= new - ONE
    return once | where, twice | (once & where)


@compiled
def cuts_short(
    may: Words, base: int, size: int, length: Words, colour: Ints, first: int, last: int,
    ready: Words, fit: Words, state_at: Ints, at: int,
) -> Word:  # fmt: skip
    """The cuts of a line of ``size`` < 64 cells that has a filling, as bits; arrays as for ``filter_short``."""
    b1 = may[base]
    reached = sweep_forwards(b1, may, base, length, colour, first, last, ready, fit)
    b2, b4, b8, b16, b32 = levels(b1)
    left = backwards(ONE << np.uint64(size), b1, b2, b4, b8, b16, b32, size)
    once, twice = gather(reached & left, (last - first) * INSIDE, ZERO, ZERO, state_at, at)
    for run in range(last - 1, first - 1, -1):
        k = run - first
        gap = run + 1 < last and colour[run + 1] == colour[run]
        after = (left >> ONE) & b1 if gap else left
        begins = fit[k] & (after >> length[run])
        starts = begins & ready[k]
        left = backwards(begins, b1, b2, b4, b8, b16, b32, size)
        once, twice = gather(ready[k] & left, k * INSIDE, once, twice, state_at, at)
        for inside in range(1, np.int64(length[run]) + (1 if gap else 0)):
            once, twice = gather(starts << np.uint64(inside), k * INSIDE + inside, once, twice, state_at, at)
    return once & ~twice


@inlined
def may_have(may: Words, base: int, words: int, value: int, cell: int) -> bool:
    """May a cell of the line at ``base`` have ``value``?"""
    return bool((may[base + value * words + (cell >> 6)] >> np.uint64(cell & 63)) & ONE == ONE)


@inlined
def reach_forwards(
    may: Words, base: int, words: int, start: int, size: int, length: Words, colour: Ints, first: int, last: int,
    most: int, ahead: ByteTable, fits: ByteTable,
) -> None:  # fmt: skip
    """``ahead[k, p]``: can k runs (and the blank behind them) be done before p? ``fits[k, p]``: run k from p on."""
    ahead[: last - first + 1, start : size + 2] = 0
    ahead[0, start] = 1
    for k in range(last - first + 1):
        for p in range(start, size):
            if ahead[k, p] == 1 and may_have(may, base, words, 0, p):
                ahead[k, p + 1] = 1
        if k == last - first:
            break
        run = first + k
        gap = 1 if run + 1 < most and colour[run + 1] == colour[run] else 0
        need, streak = int(length[run]), 0
        fits[k, start : size + 1] = 0
        for p in range(start, size):
            streak = streak + 1 if may_have(may, base, words, colour[run], p) else 0
            begin = p + 1 - need
            if streak >= need and (gap == 0 or (p + 1 < size and may_have(may, base, words, 0, p + 1))):
                fits[k, begin] = 1
                if ahead[k, begin] == 1:
                    ahead[k + 1, p + 1 + gap] = 1


@compiled
def cuts_long(
    may: Words, base: int, words: int, start: int, size: int, length: Words, colour: Ints, first: int, last: int,
    done: int, most: int, ahead: ByteTable, fits: ByteTable, back: ByteTable, state_at: Ints, at: int, many: Ints,
) -> None:  # fmt: skip
    """The cuts of a line of any length: those boundaries p for which ``many[p]`` becomes 1.

    The window is the cells ``start`` .. ``size`` - 1 with the runs ``first`` .. ``last`` - 1, before which there are
    ``done`` others; ``most``: behind the line's last run. At both ends no run is under way. ``ahead``, ``fits``,
    ``back``: scratch of shape (at least runs + 1, at least size + 2).
    """
    reach_forwards(may, base, words, start, size, length, colour, first, last, most, ahead, fits)
    runs = last - first
    many[start : size + 1] = 0
    for k in range(runs, -1, -1):
        need = gap = 0
        if k < runs:
            gap = 1 if first + k + 1 < most and colour[first + k + 1] == colour[first + k] else 0
            need = int(length[first + k]) + gap
        back[k, start : size + 2] = 0
        if k == runs:
            back[k, size] = 1
        for p in range(size, start - 1, -1):
            starts = k < runs and p < size and fits[k, p] == 1 and p + need <= size and back[k + 1, p + need] == 1
            if starts or (p < size and back[k, p + 1] == 1 and may_have(may, base, words, 0, p)):
                back[k, p] = 1
            if back[k, p] == 1 and ahead[k, p] == 1:
                many[p] += 1
                state_at[at + p] = (done + k) * INSIDE
            if starts and ahead[k, p] == 1:
                for inside in range(1, need):
                    many[p + inside] += 1
                    state_at[at + p + inside] = (done + k) * INSIDE + inside


# Where ``Parts.state`` holds what: the number of this call of ``split``, and how many components it found.
CALL, FOUND = range(2)


class Splitter(NamedTuple):
    """The arrays of ``split``. The number of a part is ``base[line] + its first cell``.

    ``start``: of each cell of a line, the first cell of its part; ``end``: of each part, the cell behind it.
    ``state_at``: the states at cuts. ``seen``: the call in which a line was cut last. ``parent``: a part that belongs
    to the same component (itself: it stands for all). ``met``, ``group``: the call in which a component was numbered,
    and its number. ``hashed``: the call, or component, that hashed a part last. ``many``, ``fill``: of each component,
    its size and where its next cell goes; ``order``: their numbers, the smallest first; ``sizes``: the number of
    components of each size, then where these go. ``named``, ``entry``: the component that entered a line last, and
    where. ``ahead``, ``fits``, ``back``, ``ways``: scratch of long lines.
    """

    base: Ints
    start: Ints
    end: Ints
    state_at: Ints
    seen: Ints
    parent: Ints
    met: Ints
    group: Ints
    hashed: Ints
    many: Ints
    fill: Ints
    order: Ints
    sizes: Ints
    named: Ints
    entry: Ints
    ahead: ByteTable
    fits: ByteTable
    back: ByteTable
    ways: Ints
    state: Ints


def parts_of(board: PropagationBoard) -> Splitter:
    """The arrays for splitting ``board``."""
    longest, lines = max(board.height, board.width) + 2, len(board.queue)
    base = np.concatenate(([0], np.cumsum(board.size + 2)))  # each line has its own room: some are much longer
    places = int(base[-1])
    cells = board.height * board.width
    shape = (int(np.diff(board.first).max()) + 1, longest) if max(board.words) > 1 else (1, 1)

    def zeros(size: int) -> Ints:
        return np.zeros(size, dtype=np.int64)

    return Splitter(
        base=base[:-1],
        start=zeros(places),
        end=zeros(places),
        state_at=zeros(places),
        seen=zeros(lines),
        parent=zeros(places),
        met=zeros(places),
        group=zeros(places),
        hashed=zeros(places),
        many=zeros(cells + 1),
        fill=zeros(cells + 1),
        order=zeros(cells + 1),
        sizes=zeros(cells + 2),
        named=zeros(lines),
        entry=zeros(lines),
        ahead=np.zeros(shape, dtype=np.uint8),
        fits=np.zeros(shape, dtype=np.uint8),
        back=np.zeros(shape, dtype=np.uint8),
        ways=zeros(longest),
        state=zeros(2),
    )


@inlined
def cut(b: PropagationBoard, s: Splitter, line: int) -> None:
    """Find the parts in the window of ``line``; each stands for itself."""
    b.state[LINES] += 1
    size, words, at, first, last = b.size[line], b.words[line], s.base[line], b.first[line], b.first[line + 1]
    if words == 1:
        cuts = cuts_short(b.may, b.at[line], size, b.length, b.colour, first, last, b.ready, b.fit, s.state_at, at)
        begin = 0
        for p in range(size):
            if (cuts >> np.uint64(p)) & ONE == ONE:
                s.end[at + begin] = p
                s.parent[at + p] = at + p
                begin = p
            s.start[at + p] = begin
        s.end[at + begin] = size
    else:
        begin, end = b.window[4 * line], b.window[4 * line + 1]
        from_run, to_run = b.window[4 * line + 2], b.window[4 * line + 3]
        cuts_long(
            b.may,
            b.at[line],
            words,
            begin,
            end,
            b.length,
            b.colour,
            from_run,
            to_run,
            from_run - first,
            last,
            s.ahead,
            s.fits,
            s.back,
            s.state_at,
            at,
            s.ways,
        )
        for p in range(begin, end):
            if s.ways[p] == 1:
                s.end[at + begin] = p
                s.parent[at + p] = at + p
                begin = p
            s.start[at + p] = begin
        s.end[at + begin] = end


@inlined
def top(parent: Ints, part: int) -> int:
    """The part that stands for ``part``; the way there is halved."""
    while parent[part] != part:
        parent[part] = parent[parent[part]]
        part = parent[part]
    return part


@inlined
def rotated(word: Word, by: int) -> Word:
    """``word`` with its bits turned left."""
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@inlined
def mixed(x: Word, k0: Word, k1: Word) -> tuple[Word, Word]:
    """The two halves of a key with one more word."""
    k0 = k0 ^ (rotated(x * np.uint64(0x87C37B91114253D5), 31) * np.uint64(0x4CF5AD432745937F))
    k0 = (rotated(k0, 27) + k1) * np.uint64(5) + np.uint64(0x52DCE729)
    k1 = k1 ^ (rotated(x * np.uint64(0x4CF5AD432745937F), 33) * np.uint64(0x87C37B91114253D5))
    k1 = (rotated(k1, 31) + k0) * np.uint64(5) + np.uint64(0x38495AB5)
    return k0, k1


@inlined
def finished(x: Word) -> Word:
    """The last mixing of a half."""
    x = (x ^ (x >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    x = (x ^ (x >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return x ^ (x >> np.uint64(33))


@inlined
def absorbed(b: PropagationBoard, s: Splitter, line: int, begin: int, k0: Word, k1: Word) -> tuple[Word, Word]:
    """The two halves of a key with the part of ``line`` that begins at the cell ``begin``."""
    at, words = s.base[line], b.words[line]
    end = s.end[at + begin]
    k0, k1 = mixed(np.uint64((line << 42) | (begin << 21) | end), k0, k1)
    k0, k1 = mixed(np.uint64(s.state_at[at + begin]), k0, k1)
    k0, k1 = mixed(np.uint64(s.state_at[at + end]), k0, k1)
    for i in range(begin >> 6, ((end - 1) >> 6) + 1):
        inside = ~ZERO
        if i == begin >> 6:
            inside &= ~ZERO << np.uint64(begin & 63)
        if i == (end - 1) >> 6:
            inside &= ~ZERO >> np.uint64(63 - ((end - 1) & 63))
        for v in range(b.colours + 1):
            k0, k1 = mixed(b.may[b.at[line] + v * words + i] & inside, k0, k1)
    return k0, k1


@compiled
def key_of(b: PropagationBoard, s: Splitter, cells: Ints, begin: int, end: int, name: int) -> tuple[Word, Word]:
    """The key of the component of the cells ``cells[begin:end]``, whose lines have been cut.

    ``name``: one that no component has had before.
    """
    k0 = k1 = ZERO
    for i in range(begin, end):
        row, column = cells[i] // b.width, cells[i] % b.width
        for line, place in ((row, column), (b.height + column, row)):
            here = s.start[s.base[line] + place]
            part = s.base[line] + here
            if s.hashed[part] != name:
                s.hashed[part] = name
                k0, k1 = absorbed(b, s, line, here, k0, k1)
    k0 += k1
    k1 += k0
    return finished(k0), finished(k1) + finished(k0)


@inlined
def windows_of(
    b: PropagationBoard, s: Splitter, cells: Ints, begin: int, end: int, name: int, windows: Ints, top: int
) -> int:
    """Enter the windows of a component's lines of more than two words from ``windows[5 * top]`` on; where they end.

    Of each line: its number, then as in ``Board.window``. A window begins and ends where no run is under way: at a cut
    inside of one all fillings have this run at one place. Arguments as for ``key_of``.
    """
    for i in range(begin, end):
        row, column = cells[i] // b.width, cells[i] % b.width
        for line, place in ((row, column), (b.height + column, row)):
            if b.words[line] < 3:
                continue
            at, first = s.base[line], b.first[line]
            low = s.start[at + place]
            high = s.end[at + low]
            before, behind = s.state_at[at + low], s.state_at[at + high]
            low -= before % INSIDE
            first_run, last_run = first + before // INSIDE, first + behind // INSIDE
            if behind % INSIDE > 0:
                gap = last_run + 1 < b.first[line + 1] and b.colour[last_run + 1] == b.colour[last_run]
                high += np.int64(b.length[last_run]) + (1 if gap else 0) - behind % INSIDE
                last_run += 1
            if s.named[line] != name:
                s.named[line], s.entry[line] = name, 5 * top
                windows[5 * top], windows[5 * top + 1], windows[5 * top + 2] = line, low, high
                windows[5 * top + 3], windows[5 * top + 4] = first_run, last_run
                top += 1
            else:
                here = s.entry[line]
                windows[here + 1], windows[here + 2] = min(windows[here + 1], low), max(windows[here + 2], high)
                windows[here + 3] = min(windows[here + 3], first_run)
                windows[here + 4] = max(windows[here + 4], last_run)
    return top


@inlined
def exchange_windows(b: PropagationBoard, windows: Ints, begin: int, end: int) -> None:
    """Give the lines of the entries ``begin`` .. ``end`` - 1 their windows; what they had is entered instead."""
    for i in range(begin, end):
        here = 4 * windows[5 * i]
        for k in range(4):
            windows[5 * i + 1 + k], b.window[here + k] = b.window[here + k], windows[5 * i + 1 + k]


@inlined
def unite(b: PropagationBoard, s: Splitter, cells: Ints, begin: int, end: int) -> None:
    """Cut the lines of the open cells of ``cells[begin:end]`` and unite the parts that share one."""
    for i in range(begin, end):
        row, column = cells[i] // b.width, cells[i] % b.width
        if choices(b, row, column) < 2:
            continue
        for line in (row, b.height + column):
            if s.seen[line] != s.state[CALL]:
                s.seen[line] = s.state[CALL]
                cut(b, s, line)
        across, down = s.base[row], s.base[b.height + column]
        one, other = top(s.parent, across + s.start[across + column]), top(s.parent, down + s.start[down + row])
        s.parent[one] = other


@compiled
def split(b: PropagationBoard, s: Splitter, cells: Ints, begin: int, end: int, to: int) -> int:
    """Write the open cells of ``cells[begin:end]`` to ``cells[to:]``, component by component, the smallest first.

    How many components there are; ``order[i]`` is the number of the i-th, ``many[number]`` its size. In each the cells
    are in the order in which they were. Their lines are solved: nothing on them waits.
    """
    s.state[CALL] += 1
    call, found = s.state[CALL], 0
    unite(b, s, cells, begin, end)
    for i in range(begin, end):
        row, column = cells[i] // b.width, cells[i] % b.width
        if choices(b, row, column) < 2:
            continue
        part = top(s.parent, s.base[row] + s.start[s.base[row] + column])
        if s.met[part] != call:
            s.met[part] = call
            s.group[part] = found
            s.many[found] = 0
            found += 1
        s.many[s.group[part]] += 1
    s.sizes[: end - begin + 2] = 0
    for i in range(found):
        s.sizes[s.many[i] + 1] += 1
    for size in range(1, end - begin + 2):
        s.sizes[size] += s.sizes[size - 1]
    for i in range(found):
        s.order[s.sizes[s.many[i]]] = i
        s.sizes[s.many[i]] += 1
    where = to
    for i in range(found):
        s.fill[s.order[i]] = where
        where += s.many[s.order[i]]
    for i in range(begin, end):
        row, column = cells[i] // b.width, cells[i] % b.width
        if choices(b, row, column) < 2:
            continue
        number = s.group[top(s.parent, s.base[row] + s.start[s.base[row] + column])]
        cells[s.fill[number]] = cells[i]
        s.fill[number] += 1
    return found
