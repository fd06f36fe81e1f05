"""Which run a filled cell belongs to: that limits how far this run and its neighbours can reach."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from nonosat.explanations.nonogram.line import OPEN, ClueLine, LineFinding
from nonosat.explanations.words import listed, many, stretches
from nonosat.puzzles.nonogram.placements import bits, spread

# The techniques of a line, a file each: ``find(line)`` gives all that the technique sees in it, as ``Finding``s.


# Overlap: a run that has little room covers the same cells wherever it stands.


def overlap(line: ClueLine) -> Iterator[LineFinding]:
    """Blanks, cells of other colours and walls say how early and how late each run can begin; more is not looked at.

    >>> line = ClueLine.drawn([4, 2], "??????.??")
    >>> for found in overlap(line):
    ...     print(line.says(found))
    the 4 fits in columns 1 to 6 only, so columns 3 and 4 are filled
    the 2 fits in columns 8 and 9 only, so columns 8 and 9 are filled
    >>> line = ClueLine.drawn([1, 1], "???")
    >>> print(line.says(next(overlap(line))))
    its runs, with a blank between neighbours, need all 3 cells, so columns 1 and 3 are filled and column 2 is blank
    """
    starts = [list(bits(begins)) for begins in line.bare.starts]
    if not all(starts):
        return
    if all(len(begins) == 1 for begins in starts) and line.clue:
        fixes = dict.fromkeys(range(line.size), 0)
        for (length, colour), (begin,) in zip(line.clue, starts, strict=True):
            fixes |= dict.fromkeys(range(begin, begin + length), colour)
        walls = [value for value in line.cells if value == 0 or (value > 0 and not line.one_colour)]
        cells = f"all {line.size} cells" if line.size > 1 else "the only cell"
        among = "blanks" if not any(walls) else "cells"
        why = f"fit between the known {among} in one way only" if walls else f"need {cells}"
        between = ", with a blank between neighbours," if line.one_colour and len(line.clue) > 1 else ""
        if not line.one_colour and any(a.colour == b.colour for a, b in pairwise(line.clue)):
            between = ", with a blank between neighbours of one colour,"
        runs = "its runs" if len(line.clue) > 1 else line.run(0)
        why = why.replace("need", "needs").replace("fit ", "fits ") if len(line.clue) == 1 else why
        yield LineFinding(fixes, f"{runs}{between} {why}", whole=True)
        return
    for k, (begins, (length, colour)) in enumerate(zip(starts, line.clue, strict=True)):
        sure = range(begins[-1], begins[0] + length)
        if line.open(sure):
            room = range(begins[0], begins[-1] + length)
            fits = f"{line.run(k)} fits in {line.format_cells(room)} only", ", so"
            anywhere = f"wherever {line.run(k)} stands", ","
            yield LineFinding(dict.fromkeys(sure, colour), *(fits if len(room) < line.size else anywhere), whole=True)


# Edge: from the end of a line on, all is known up to a filled cell, so that the next run must begin just there.


def edge(line: ClueLine) -> Iterator[LineFinding]:
    """From both ends.

    >>> line = ClueLine.drawn([3, 1, 2], ".#??????#")
    >>> for found in edge(line):
    ...     print(line.says(found))
    column 2 is the first that is not blank, so the 3 begins there: columns 3 and 4 are filled and column 5 is blank
    column 9 is filled, at the end of the line, so the 2 ends there: column 8 is filled and column 7 is blank
    """
    for turned in (False, True):
        if (seen := _next_run(line.mirrored() if turned else line)) is not None:
            k, at, fixes = seen
            yield _format_edge(line, turned, k, at, fixes)


def _next_run(line: ClueLine) -> tuple[int, int, dict[int, int]] | None:
    """(run, the cell that it begins with, the cells that are fixed), if anything is."""
    k, at = 0, 0
    while at < line.size and line.cells[at] != OPEN:
        if line.cells[at] == 0:
            at += 1
            continue
        if k == len(line.clue) or line.cells[at] != line.clue[k].colour:
            return None
        length, colour = line.clue[k]
        end = at + length
        fixes = dict.fromkeys(range(at, end), colour)
        if end < line.size and (k + 1 == len(line.clue) or line.clue[k + 1].colour == colour):
            fixes[end] = 0
        if end > line.size or any(line.cells[cell] not in (OPEN, value) for cell, value in fixes.items()):
            return None
        if line.open(fixes):
            return k, at, fixes
        k, at = k + 1, end
    return None


def _format_edge(line: ClueLine, turned: bool, k: int, at: int, fixes: dict[int, int]) -> LineFinding:
    if turned:
        k, at = len(line.clue) - 1 - k, line.size - 1 - at
        fixes = {line.size - 1 - cell: value for cell, value in fixes.items()}
    outer = k == (len(line.clue) - 1 if turned else 0)
    begins = "ends" if turned else "begins"
    if at == (line.size - 1 if turned else 0):
        why = f"{line.filled([at], line.cells[at])}, at the {'end' if turned else 'beginning'} of the line"
    elif outer:
        why = f"{line.format_cells([at])} is the {'last' if turned else 'first'} that is not blank"
    else:
        why = f"all is known {'after' if turned else 'before'} {line.format_cells([at])}, which is {_is(line, at)}"
    return LineFinding(fixes, f"{why}, so {line.run(k)} {begins} there", ":")


def _is(line: ClueLine, cell: int) -> str:
    return line.filled([cell], line.cells[cell]).rpartition(" is ")[2]


# Finished run: filled cells that are as long as any run that can be there are a whole run; its neighbours are blank.


def finished_run(line: ClueLine) -> Iterator[LineFinding]:
    """With colours, a cell next to it is blank only if no run of another colour can touch it there.

    >>> line = ClueLine.drawn([2, 1, 2], "???##?????")
    >>> for found in finished_run(line):
    ...     print(line.says(found))
    no run longer than 2 can cover columns 4 and 5, so these are a whole run: columns 3 and 6 are blank
    """
    for first, end, colour in line.groups():
        runs = [k for k in line.placements.covering(first) if line.clue[k].colour == colour]
        if not runs or max(line.clue[k].length for k in runs) != end - first:
            continue
        blank = []
        if first > 0 and all(k == 0 or line.clue[k - 1].colour == colour for k in runs):
            blank.append(first - 1)
        if end < line.size and all(k + 1 == len(line.clue) or line.clue[k + 1].colour == colour for k in runs):
            blank.append(end)
        if line.open(blank):
            group = range(first, end)
            whole = f"no run longer than {end - first} can cover {line.format_cells(group)}"
            these = "this is" if end - first == 1 else "these are"
            yield LineFinding(dict.fromkeys(blank, 0), f"{whole}, so {these} a whole run", ":")


# Finished line: all runs are there, or there are just as many cells left as they need.


def finished_line(line: ClueLine) -> Iterator[LineFinding]:
    """The rest is blank, or the rest is filled.

    >>> for text in ("?##?#??", "?.?##.#?", "..#?.?."):
    ...     line = ClueLine.drawn([2, 1], text)
    ...     print(line.says(next(finished_line(line))))
    all its runs are there, so columns 1, 4, 6 and 7 are blank
    all its runs are there, so columns 1, 3 and 8 are blank
    its runs need 3 cells, and no more than columns 3, 4 and 6 are left, so columns 4 and 6 are filled
    """
    rest = line.open(range(line.size))
    if not rest:
        return
    if not line.clue:
        yield LineFinding(dict.fromkeys(rest, 0), "its clue is 0: it has no runs")
        return
    needed = sum(run.length for run in line.clue)
    if sum(value > 0 for value in line.cells) == needed:
        there = "its run is" if len(line.clue) == 1 else "all its runs are"
        yield LineFinding(dict.fromkeys(rest, 0), f"{there} there")
        return
    left = [cell for cell, value in enumerate(line.cells) if value == OPEN or value > 0]
    if line.one_colour and len(left) == needed:
        need = f"{line.run(0)} needs" if len(line.clue) == 1 else "its runs need"
        more = f"no more than {line.format_cells(left)} {'is' if needed == 1 else 'are'} left"
        yield LineFinding(dict.fromkeys(left, line.clue[0].colour), f"{need} {many(needed, 'cell')}, and {more}")


# Glue: filled cells near a wall or a known blank are of a run that can only grow away from it.


def glue(line: ClueLine) -> Iterator[LineFinding]:
    """The least run that can have the cells, pushed against what stops it.

    >>> for text in ("??#?????", "?.?#???."):
    ...     line = ClueLine.drawn([4], text)
    ...     print(line.says(next(glue(line))))
    column 3 is part of a run of 4 or more, which begins in column 1 at the earliest, so column 4 is filled
    column 4 is part of a run of 4 or more, which begins in column 3 at the earliest, so columns 5 and 6 are filled
    """
    for first, end, colour in line.groups():
        runs = [k for k in line.placements.covering(first) if line.clue[k].colour == colour]
        if not runs:
            continue
        least = min(line.clue[k].length for k in runs)
        left, right = first, end
        while left > 0 and line.cells[left - 1] in (OPEN, colour):
            left -= 1
        while right < line.size and line.cells[right] in (OPEN, colour):
            right += 1
        this = line.format_cells(range(first, end))
        of = f"{this} {'is' if end - first == 1 else 'are'} part of a run of {least} or more, which"
        for grown, stop in (
            (range(end, left + least), f"begins in {line.format_cells([left])} at the earliest"),
            (range(right - least, first), f"ends in {line.format_cells([right - 1])} at the latest"),
        ):
            if line.open(grown):
                yield LineFinding(dict.fromkeys(grown, colour), f"{of} {stop}")


# Joining: filled cells that can only be of one and the same run are filled between, too.


def joining(line: ClueLine) -> Iterator[LineFinding]:
    """Neighbouring groups of filled cells that one run alone can reach.

    >>> line = ClueLine.drawn([4, 1], "??#?#????")
    >>> line.says(next(joining(line)))
    'only the 4 can cover columns 3 and 5, so column 4 is filled'
    """
    for (first, end, colour), (begin, last, other) in pairwise(line.groups()):
        between = range(end, begin)
        if colour != other or not line.open(between) or 0 in line.cells[end:begin]:
            continue
        runs = {*line.placements.covering(end - 1), *line.placements.covering(begin)}
        if len(runs) == 1:
            (k,) = runs
            both = line.format_cells([*range(first, end), *range(begin, last)])
            yield LineFinding(dict.fromkeys(between, colour), f"only {line.run(k)} can cover {both}")


# Splitting: a cell that would join filled cells to a run that is too long is blank.


def splitting(line: ClueLine) -> Iterator[LineFinding]:
    """An open cell between two groups of one colour. With colours, only where no run of a single other cell fits in.

    >>> line = ClueLine.drawn([3, 2], "?##?#???")
    >>> print(line.says(next(splitting(line))))
    if column 4 were filled, columns 2 to 5 would be a run of 4, and no run that long can be there, so column 4 is blank
    """
    for (first, end, colour), (begin, last, other) in pairwise(line.groups()):
        if colour != other or begin != end + 1 or not line.open([end]):
            continue
        if any(run.length == 1 and run.colour != colour for run in line.clue):
            continue
        runs = [*line.placements.covering(end - 1), *line.placements.covering(begin)]
        if runs and last - first > max(line.clue[k].length for k in runs):
            joined = f"{line.format_cells(range(first, last))} would be a run of {last - first}"
            were = line.filled([end], colour).replace(" is ", " were ")
            yield LineFinding({end: 0}, f"if {were}, {joined}, and no run that long can be there")


# Gaps too small: between blanks (or a blank and the end) there is no room for any run, or none for the next one.


def small_gap(line: ClueLine) -> Iterator[LineFinding]:
    """Smaller than the smallest run; or, where all before is known, than the run that comes next.

    >>> line = ClueLine.drawn([3, 2], "??.????.?")
    >>> for found in small_gap(line):
    ...     print(line.says(found))
    there is no room for a run in column 9, so column 9 is blank
    the 3 comes first, and there is no room for it in columns 1 and 2, so columns 1 and 2 are blank
    """
    least = min((run.length for run in line.clue), default=0)
    rooms = [room for room in line.rooms() if all(value == OPEN for value in line.cells[slice(*room)])]
    for first, end in rooms:
        if end - first < least:
            gap = range(first, end)
            yield LineFinding(dict.fromkeys(gap, 0), f"there is no room for a run in {line.format_cells(gap)}")
    yield from _beside_the_next(line)


def _beside_the_next(line: ClueLine) -> Iterator[LineFinding]:
    """The first room from an end, too small for the run that comes first from there."""
    for turned in (False, True):
        if not line.clue:
            return
        rooms = line.rooms()[::-1] if turned else line.rooms()
        k = len(line.clue) - 1 if turned else 0
        done = True
        for first, end in rooms:
            values = line.cells[first:end]
            if all(value == OPEN for value in values) and done and end - first < line.clue[k].length:
                gap = range(first, end)
                if end - first >= min(run.length for run in line.clue):
                    yield _format_gap(line, k, gap, turned)
            else:
                done = False


def _format_gap(line: ClueLine, k: int, gap: range, turned: bool) -> LineFinding:
    comes = f"{line.run(k)} comes {'last' if turned else 'first'}"
    return LineFinding(dict.fromkeys(gap, 0), f"{comes}, and there is no room for it in {line.format_cells(gap)}")


NAMED = 3
"""Where there are more runs, only those next to the blank cells are named."""
SINCE = 5
"""So many known cells are named, at most."""


def runs_apart(line: ClueLine) -> Iterator[LineFinding]:
    """Cells that no run can reach are blank; cells that a run has wherever it can stand now are its.

    >>> for text in ("?#????????", "?##???"):
    ...     line = ClueLine.drawn([3], text)
    ...     print(line.says(next(runs_apart(line))))
    column 2 is filled, so the 3 lies within columns 1 to 4, and column 3 is filled
    columns 2 and 3 are filled, so the 3 lies within columns 1 to 4, and columns 5 and 6 are blank
    """
    if line.placements.none or not line.clue:
        return
    reached, reaches = 0, []
    for k, ((length, colour), starts) in enumerate(zip(line.clue, line.placements.starts, strict=True)):
        begins = list(bits(starts))
        cells = spread(starts, length)
        reached |= cells
        reaches.append(list(bits(cells)))
        sure = range(begins[-1], begins[0] + length)
        if line.open(sure):
            lies = f"{line.run(k)} lies {_within(line, k, reaches[-1])}"
            yield LineFinding(dict.fromkeys(sure, colour), f"{_since(line)}{lies}", ", and")
    blank = line.open(cell for cell in range(line.size) if not reached >> cell & 1)
    if blank:
        why, so = _lie(line, reaches, blank)
        yield LineFinding(dict.fromkeys(blank, 0), f"{_since(line)}{why}", so)


def _lie(line: ClueLine, reaches: list[list[int]], blank: list[int]) -> tuple[str, str]:
    """Where the runs can be (of many, those next to the blank cells), so that no run reaches these; and what joins
    that to the conclusion.
    """
    near = list(range(len(reaches)))
    if len(near) > NAMED:
        near = sorted({k for first, last in stretches(blank) for k in _beside(reaches, first, last)})
    reaching = [f"{line.run(k)} {'lies ' if k == near[0] else ''}{_within(line, k, reaches[k])}" for k in near]
    if len(near) == len(reaches):
        return listed(reaching), ", and"
    return f"{listed(reaching)}, and no other run reaches {line.format_cells(blank)}", ", so"


def _since(line: ClueLine) -> str:
    """The known cells, if a sentence can name them."""
    known = {cell: value for cell, value in enumerate(line.cells) if value != OPEN}
    return f"{line.format_values(known)}, so " if 0 < len(known) <= SINCE else ""


def _within(line: ClueLine, k: int, cells: list[int]) -> str:
    shown = line.format_cells(cells)
    return f"within {shown}" if line.clue[k].length > 1 else f"in {shown.replace(' and ', ' or ')}"


def _beside(reaches: list[list[int]], first: int, last: int) -> list[int]:
    """The runs next to neighbours that none can reach: the last that can be before them, the first behind them."""
    before = [k for k, reach in enumerate(reaches) if reach[0] < first][-1:]
    behind = [k for k, reach in enumerate(reaches) if reach[-1] > last][:1]
    return [*before, *behind]


# Any placement: what all placements of the line's runs share. Nothing more follows from a line by itself.


SHOWN = 12
"""Placements that a finding shows, at most."""


def any_placement(line: ClueLine) -> Iterator[LineFinding]:
    """Every cell that has the same value in all of them.

    >>> line = ClueLine.drawn([1, 2], "??#??#?")
    >>> found = next(any_placement(line))
    >>> line.says(found), len(found.placements)
    ('its runs can stand in 2 ways, and in both of them columns 1, 2 and 4 are blank', 2)
    """
    possible = line.placements.possible
    sure = {}
    for cell in range(line.size):
        values = [value for value, cells in enumerate(possible) if cells >> cell & 1]
        if len(values) == 1:
            sure[cell] = values[0]
    new = {cell: value for cell, value in sure.items() if cell in set(line.open(sure))}
    if not new:
        return
    if not line.clue:
        yield LineFinding(new, "its clue is 0: it has no runs")
        return
    count = line.placements.count
    shown = tuple(line.placements.some(SHOWN))
    runs = "its runs" if len(line.clue) > 1 else line.run(0)
    if count == 1:
        yield LineFinding(new, f"{runs} can stand in one way only", placements=shown)
        return
    both = "both" if count == 2 else "all"
    ways = many(count, "way") if count < 1_000_000 else "many ways"
    yield LineFinding(new, f"{runs} can stand in {ways}", f", and in {both} of them", shown)
