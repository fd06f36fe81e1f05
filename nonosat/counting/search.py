"""The count by components: a depth-first search that writes the diagram of all solutions; compiled.

Every component is looked up first. One that is not remembered gets a *frame*. The search probes its cells, if the order
says so. If probing fixes something, the frame has one branch: what is left. Else a cell is guessed, and each of its
values is a branch. What a branch leaves falls into components. They are solved one after the other, the smallest first,
and the first one without a solution ends the branch. Propagation stays inside the frame's component, since its lines
are cut at its border.

The search pauses when its budget is spent, and continues at the next call.
"""

from __future__ import annotations

from nonosat.compiled import compiled, inlined
from nonosat.compiled.words import ONE, ZERO, Word
from nonosat.counting.components import Splitter, exchange_windows, key_of, split, windows_of
from nonosat.counting.diagram import (
    CELLS,
    CHILD,
    CHILDREN,
    DEPTH,
    FINISH,
    GUESS,
    GUESSES,
    HITS,
    KIDS,
    LITERAL,
    NAME,
    NEXT,
    NONE,
    OVER,
    PENDING,
    PHASE,
    PROBE,
    RESULT,
    SPLIT,
    WINDOWS,
    Diagram,
    Frames,
    close_branch,
    frames_have_room,
    has_room,
    known,
    new_node,
    plus,
    push,
    remember,
    times,
)
from nonosat.solvers.propagation.board import (
    DEAD,
    LINES,
    NEVER,
    PAUSED,
    TRAIL,
    PropagationBoard,
    assume,
    choices,
    mark_changed,
    may_be,
    propagate,
    undo,
)
from nonosat.solvers.propagation.probing import LEARNT, NOTHING, Probes, probe

# The order of guesses, and the probing before a guess.


BY_PROBES, BY_ROWS, BY_COLUMNS, ALONG_ROWS, ALONG_COLUMNS = range(5)
"""The orders. BY_PROBES: the cell whose probes changed most. BY_ROWS, BY_COLUMNS: the first open cell, without probing.
ALONG_ROWS, ALONG_COLUMNS: the first open cell, after probes of the open cells of its row (column)."""


@inlined
def first_guess(b: PropagationBoard, f: Frames, d: int, order: int) -> int:
    """The first of the cells, row by row or column by column; all are open."""
    best = int(f.cells[f.begin[d]])
    if order in (BY_COLUMNS, ALONG_COLUMNS):
        for i in range(f.begin[d], f.end[d]):
            cell = int(f.cells[i])
            column, row = cell % b.width, cell // b.width
            if column < best % b.width or (column == best % b.width and row < best // b.width):
                best = cell
    return best


@inlined
def in_focus(b: PropagationBoard, f: Frames, d: int, cell: int, order: int) -> bool:
    """Is the cell probed in this frame? All are, or those of the first row or column."""
    if order == ALONG_ROWS:
        return bool(cell // b.width == f.focus[d])
    return bool(order != ALONG_COLUMNS or cell % b.width == f.focus[d])


@inlined
def probe_frame(b: PropagationBoard, p: Probes, f: Frames, order: int, until: int) -> int:
    """Probe the open cells of the current frame until a whole round changes nothing (NOTHING), or LEARNT, or DEAD."""
    d = f.state[DEPTH]
    if f.focus[d] == NONE:
        first = first_guess(b, f, d, order)
        f.focus[d] = first % b.width if order == ALONG_COLUMNS else first // b.width
    while f.quiet[d] < f.end[d] - f.begin[d]:
        cell = f.cells[f.cursor[d]]
        f.cursor[d] = f.cursor[d] + 1 if f.cursor[d] + 1 < f.end[d] else f.begin[d]
        f.quiet[d] += 1
        if choices(b, cell // b.width, cell % b.width) > 1 and in_focus(b, f, d, cell, order):
            result = probe(b, p, cell)
            if result == DEAD:
                return DEAD
            if result == LEARNT:
                f.quiet[d] = 0
            if b.state[LINES] > until:
                return LEARNT
    return NOTHING


@inlined
def likeliest_guess(b: PropagationBoard, p: Probes, f: Frames, d: int) -> int:
    """The cell whose probes changed most: the least changes squared, times the most (as ``tree.best_guess``)."""
    values = b.colours + 1
    best, best_score = NONE, -1.0
    for i in range(f.begin[d], f.end[d]):
        cell = f.cells[i]
        least, most = NEVER, 0
        for v in range(values):
            if may_be(b, cell // b.width, cell % b.width, v):
                gain = p.gain[cell * values + v]
                least, most = min(least, gain), max(most, gain)
        score = float(least) * float(least) * float(most)
        if score > best_score:
            best, best_score = int(cell), score
    return best


FULL, DONE = 2, 3
"""Further statuses of ``search``. FULL: the arrays need more room. DONE: the last node is the whole board."""


@inlined
def next_value(b: PropagationBoard, f: Frames, d: int) -> int:
    """The next value to try of the guessed cell, or NONE."""
    cell, value = int(f.guess[d]), int(f.value[d]) + 1
    while value <= b.colours and not may_be(b, cell // b.width, cell % b.width, value):
        value += 1
    f.value[d] = value
    return value if value <= b.colours else NONE


@inlined
def split_frame(b: PropagationBoard, s: Splitter, f: Frames) -> None:
    """Find the components that are left of the current frame; they are pending."""
    d, to = f.state[DEPTH], f.state[CELLS]
    f.pending[d] = f.next[d] = f.state[PENDING]
    f.kids[d] = f.state[KIDS]
    found = split(b, s, f.cells, f.begin[d], f.end[d], to)
    for i in range(found):
        n = f.state[PENDING] + i
        f.pending_begin[n], f.pending_end[n] = to, to + s.many[s.order[i]]
        to = f.pending_end[n]
        f.state[NAME] += 1
        k0, k1 = key_of(b, s, f.cells, f.pending_begin[n], to, f.state[NAME])
        f.pending_key[2 * n], f.pending_key[2 * n + 1] = k0, k1
        top = f.state[WINDOWS]
        if len(f.windows) > 0:
            f.state[WINDOWS] = windows_of(b, s, f.cells, f.pending_begin[n], to, f.state[NAME], f.windows, top)
        f.pending_windows[n], f.pending_windows_end[n] = top, f.state[WINDOWS]
    f.state[PENDING] += found
    f.state[CELLS] = to


@inlined
def leave_branch(b: PropagationBoard, f: Frames) -> None:
    """Undo the current branch."""
    d = f.state[DEPTH]
    if f.pending[d] < f.state[PENDING]:
        f.state[CELLS] = f.pending_begin[f.pending[d]]
        f.state[WINDOWS] = f.pending_windows[f.pending[d]]
    f.state[PENDING], f.state[KIDS] = f.pending[d], f.kids[d]
    mark_changed(b, f.mark[d])
    undo(b, f.mark[d])
    f.state[PHASE] = FINISH if f.guess[d] == NONE else NEXT


@inlined
def keep_branch(b: PropagationBoard, d: Diagram, f: Frames) -> None:
    """Write the current branch, all of whose components have solutions, to the diagram."""
    depth, values = f.state[DEPTH], b.colours + 1
    for i in range(f.begin[depth], f.end[depth]):
        cell = f.cells[i]
        if choices(b, cell // b.width, cell % b.width) == 1:
            value = 0
            while not may_be(b, cell // b.width, cell % b.width, value):
                value += 1
            d.literals[d.top[LITERAL]] = cell * values + value
            d.top[LITERAL] += 1
    product = ONE
    for i in range(f.kids[depth], f.state[KIDS]):
        node = f.kids_of[i]
        product = times(product, d.solutions[node])
        d.children[d.top[CHILD]] = node
        d.top[CHILD] += 1
    f.head[depth] = close_branch(d, f.head[depth])
    f.total[depth] = plus(f.total[depth], product)


@inlined
def take_child(b: PropagationBoard, f: Frames, node: int) -> None:
    """The next component of the current branch is ``node``; node 0 ends the branch."""
    d = f.state[DEPTH]
    if node == 0:
        leave_branch(b, f)
    else:
        f.kids_of[f.state[KIDS]] = node
        f.state[KIDS] += 1
        f.next[d] += 1
        f.state[PHASE] = CHILDREN


@inlined
def finish_frame(b: PropagationBoard, d: Diagram, f: Frames) -> None:
    """All branches are written: the frame becomes a node."""
    depth = f.state[DEPTH]
    node = new_node(d, f.head[depth], f.total[depth]) if f.head[depth] != NONE else 0
    if depth == 0:
        f.state[RESULT], f.state[PHASE] = node, OVER
        return
    remember(d, f.key[2 * depth], f.key[2 * depth + 1], node)
    exchange_windows(b, f.windows, f.window_begin[depth], f.window_end[depth])
    f.state[DEPTH] = depth - 1
    take_child(b, f, node)


@inlined
def solve_children(b: PropagationBoard, d: Diagram, f: Frames, probing: bool) -> None:
    """Look up the components of the current branch, until one is not remembered or the branch is complete."""
    depth = f.state[DEPTH]
    n = f.next[depth]
    if n == f.state[PENDING]:
        keep_branch(b, d, f)
        leave_branch(b, f)
        return
    k0, k1 = f.pending_key[2 * n], f.pending_key[2 * n + 1]
    node = known(d, k0, k1)
    if node == NONE:
        push(f, f.pending_begin[n], f.pending_end[n], k0, k1, b.state[TRAIL], PROBE if probing else GUESS)
        f.window_begin[depth + 1], f.window_end[depth + 1] = f.pending_windows[n], f.pending_windows_end[n]
        exchange_windows(b, f.windows, f.pending_windows[n], f.pending_windows_end[n])
    else:
        f.state[HITS] += 1
        take_child(b, f, node)


@inlined
def try_value(b: PropagationBoard, f: Frames) -> None:
    """Begin the next branch of the current guess."""
    d = f.state[DEPTH]
    value = next_value(b, f, d)
    if value == NONE:
        f.state[PHASE] = FINISH
        return
    f.mark[d] = b.state[TRAIL]
    f.state[GUESSES] += 1
    assume(b, f.guess[d] // b.width, f.guess[d] % b.width, value)
    if propagate(b, NEVER) == DEAD:
        undo(b, f.mark[d])
    else:
        mark_changed(b, f.mark[d])
        f.state[PHASE] = SPLIT


@inlined
def probe_on(b: PropagationBoard, p: Probes, f: Frames, order: int, until: int) -> None:
    """Probe the current frame. The next phase is in its PHASE, which stays PROBE if there is more to probe."""
    d = f.state[DEPTH]
    result = probe_frame(b, p, f, order, until)
    if result == DEAD:
        mark_changed(b, f.mark[d])
        undo(b, f.mark[d])
        f.state[PHASE] = FINISH
    elif result == NOTHING:
        f.state[PHASE] = GUESS if b.state[TRAIL] == f.mark[d] else SPLIT


@compiled
def search(b: PropagationBoard, p: Probes, s: Splitter, d: Diagram, f: Frames, order: int, budget: int) -> int:
    """Search until DONE, or FULL, or PAUSED after some ``budget`` more lines that were checked or cut."""
    until, cells = b.state[LINES] + budget, b.height * b.width
    while f.state[PHASE] != OVER:
        if not (has_room(d, cells) and frames_have_room(f, cells)):
            return FULL
        if b.state[LINES] > until:
            return PAUSED
        phase, depth = f.state[PHASE], f.state[DEPTH]
        if phase == PROBE:
            probe_on(b, p, f, order, until)
        elif phase == GUESS:
            cell = likeliest_guess(b, p, f, depth) if order == BY_PROBES else first_guess(b, f, depth, order)
            f.guess[depth], f.value[depth] = cell, -1
            f.state[PHASE] = NEXT
        elif phase == NEXT:
            try_value(b, f)
        elif phase == SPLIT:
            split_frame(b, s, f)
            f.state[PHASE] = CHILDREN
        elif phase == CHILDREN:
            solve_children(b, d, f, order != BY_ROWS and order != BY_COLUMNS)
        else:
            finish_frame(b, d, f)
    return DONE


@compiled
def at_least(d: Diagram, f: Frames) -> Word:
    """How many solutions the search has counted so far, in complete branches and in the complete parts of others.

    MANY: so many, or more.
    """
    below = ZERO
    for depth in range(f.state[DEPTH], -1, -1):
        here = f.total[depth]
        working = depth < f.state[DEPTH] and f.next[depth] + 1 == (
            f.pending[depth + 1] if depth + 1 < f.state[DEPTH] or f.state[PHASE] == CHILDREN else f.state[PENDING]
        )
        if working:
            product = below
            for i in range(f.kids[depth], f.next[depth] - f.pending[depth] + f.kids[depth]):
                product = times(product, d.solutions[f.kids_of[i]])
            here = plus(here, product)
        below = here
    return below
