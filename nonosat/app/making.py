"""The puzzle that a page draws or types: how it is read, judged while it is edited, and written to files."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nonosat.app import generated, requests
from nonosat.app.bundle import standalone
from nonosat.app.guard import MAX_BODY
from nonosat.app.own import Draft
from nonosat.app.requests import Body, RequestError
from nonosat.app.wire import MAX_SIDE, cells_of, native_text, puzzle_from_wire, puzzle_to_wire
from nonosat.errors import FormatError, NonosatError
from nonosat.printing.booklet import PAPERS, alone, booklet
from nonosat.puzzles.drawing import pixel_art, png, svg
from nonosat.puzzles.formats import FORMATS, detected, drawn, dumps, loads
from nonosat.puzzles.formats.texts import game_id
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.images import DITHERS, ImageOptions, opened, read_image
from nonosat.puzzles.nonogram.puzzle import Picture, lettered
from nonosat.puzzles.puzzle import Board, Format, Puzzle, fault, kind_of
from nonosat.solvers.solve import solve

if TYPE_CHECKING:
    from nonosat.making.editing import Analysis, EditVerdict
    from nonosat.making.unique_changes import UniqueChanges


LONGEST = 4_000_000
"""Characters of a text or an image that a page brings."""
SOLVING_S = 8.0
"""For the solutions of a booklet; ``jobs.call_isolated`` ends all of it after 20 seconds."""
REPAIR_S = 60.0
"""Wall seconds of a repair: 100x100 with both diagonals takes 20."""
PIXELS = "png, a pixel a cell"
"""The export of a solution's picture."""
MOST_READ = 200
"""Puzzles of a text that are shown."""


def made(body: Body) -> Puzzle:
    """The puzzle of a page: drawn (``cells``, with the puzzle's size, palette and title), or its clues as they are."""
    stated = body.get("puzzle")
    if body.get("cells") is None or not isinstance(stated, dict) or stated.get("kind") != "nonogram":
        puzzle = puzzle_from_wire(stated)
        return puzzle if body.get("goal") is None else _with_goal(puzzle, body["goal"])
    height, width = (requests.integer(stated, key, 1, MAX_SIDE) for key in ("height", "width"))
    cells = requests.integers(body["cells"], '"cells"', height * width)
    shades = stated.get("palette")
    if not isinstance(shades, list) or not all(isinstance(shade, str) for shade in shades):
        raise RequestError('"palette" is a list of shades, blank first')
    palette = lettered(tuple(shades[1:]))
    board = np.clip(np.array(cells), 0, 255).reshape(height, width)
    return Nonogram.from_picture(Picture(board, palette), requests.text(stated, "title", ""))


def _with_goal(puzzle: Puzzle, goal: object) -> Puzzle:
    """``puzzle`` with a solution, if the cells are one."""
    height, width = puzzle.shape
    cells = requests.integers(goal, '"goal"', height * width)
    board = puzzle.picture(np.clip(np.array(cells), 0, 255).reshape(height, width))
    return replace(puzzle, goal=board) if fault(puzzle, board) is None else puzzle  # type: ignore[type-var]


def draft(body: Body) -> Draft:
    """What a page has under its hands, be it a puzzle or not: checked as far as a list of drafts shows it."""
    name, version = requests.text(body, "draft", longest=64), requests.integer(body, "version", 0, 2**53, 0)
    number = None if body.get("id") is None else requests.integer(body, "id", 1, 2**53)
    shown = body.get("puzzle")
    if not isinstance(shown, dict) or not name:
        raise RequestError('a draft has a name, "draft", and "puzzle", an object')
    height, width = (requests.integer(shown, key, 1, MAX_SIDE) for key in ("height", "width"))
    cells = None if body.get("cells") is None else requests.integers(body["cells"], '"cells"', height * width)
    text = json.dumps({"puzzle": shown, "cells": cells, "drawn": body.get("drawn") is True}, separators=(",", ":"))
    kind, title = requests.text(shown, "kind"), requests.text(shown, "title", "")
    return Draft(name, version, number, title, kind, height, width, text)


def puzzle_json(puzzle: Puzzle) -> Body:
    """A puzzle and its goal for the page."""
    return {"puzzle": puzzle_to_wire(puzzle), "cells": None if puzzle.goal is None else cells_of(puzzle.goal)}


def repaired(puzzle: Puzzle, by_lines: bool) -> Body:
    """The repaired puzzle, and which cells were changed; of clues alone, one of their solutions is repaired."""
    from nonosat.making.criteria import repair

    if not isinstance(puzzle, Nonogram):
        raise RequestError(f"repair is for nonograms, not for {puzzle.kind}")
    if puzzle.goal is None:
        found = solve(puzzle, time_limit_s=5).picture
        if found is None:
            raise RequestError("no solution is known, so there is no picture to repair")
        puzzle = replace(puzzle, goal=puzzle.picture(found.cells))
    done = repair(puzzle, line_solvable=by_lines)
    return {
        **puzzle_json(done.puzzle),
        "changes": [list(map(int, change)) for change in done.changes],
    }


def read(text: str) -> list[Body]:
    """The puzzles of a text in any format, of a drawing, or of the address of a new puzzle. RequestError: none.

    A format that marks the text reads it, or the first that can. Drawings come first, as in files without a suffix.
    """
    if found := re.fullmatch(r"\S*#/play/new/(\S+)", text.strip()):
        return [puzzle_json(generated.puzzle_of(found[1]).puzzle)]
    try:
        boards = drawn(text)
    except FormatError as error:
        raise RequestError(f"no format that we know; {error}") from None
    if boards is not None:
        return [puzzle_json(puzzle) for puzzle in boards[:MOST_READ]]
    if re.match(r"P[1-6]\s+(#[^\n]*\s+)*[0-9]", text):
        raise RequestError('this is an image (PBM, PGM or PPM): "Image…" in Make reads its file')
    faults, likely = [], _likely(text)
    for known in likely:
        try:
            puzzles = loads(text, known.name)
        except FormatError as error:
            faults.append((error.line or 0, f"as {known.name}: {error}"))
        else:
            return [puzzle_json(puzzle) for puzzle in puzzles[:MOST_READ]]
    line, fault = max(faults)  # who came farthest was meant, perhaps
    if line > 1 or len(likely) < len(FORMATS):
        raise RequestError(f"no format that we know; {fault}")
    raise RequestError("no format that we know: paste a puzzle's file, its short text, or the address of a new puzzle")


def _likely(text: str) -> list[Format]:
    """The formats that a text may be in: the one that marks it; those of game IDs; or any."""
    if (marked := detected(text)) is not None:
        return [marked]
    if game := re.match(r"\s*[0-9]+(x)?\w*:", game_id(text), re.ASCII):
        return [FORMATS[name] for name in (["pattern"] if game[1] else ["pattern", "clues"])]
    return list(FORMATS.values())


def of_image(data: bytes, how: ImageOptions) -> Body:
    """The picture in an image, as the page has it."""
    picture = read_image(data, how)
    if max(picture.shape) > MAX_SIDE:
        raise RequestError(f"a board of {picture.shape[0]}x{picture.shape[1]}: say a smaller size")
    return puzzle_json(Nonogram.from_picture(picture))


def data_of(body: Body) -> bytes:
    """The bytes of the image that a page brings."""
    try:
        return base64.b64decode(requests.text(body, "data", longest=MAX_BODY), validate=True)
    except binascii.Error:
        raise RequestError('"data" is an image in base64') from None


def as_png(data: bytes) -> Body:
    """An image that a browser does not read (PBM, TIFF) as PNG, in base64."""
    made = BytesIO()
    opened(data, 1).save(made, "PNG")
    return {"png": base64.b64encode(made.getvalue()).decode()}


def image(body: Body) -> tuple[bytes, ImageOptions]:
    """The image that a page brings, and how it is to be read."""
    data = data_of(body)
    colours = requests.integer(body, "colours", 1, 12, 1)
    dither = requests.choice(body, "dither", DITHERS, "none")
    if colours > 1:
        blank = None if body.get("blank") is None else requests.text(body, "blank", longest=7)
        dither = "none" if dither == "bayer" else dither
        return data, ImageOptions(_size(body), dither=dither, colours=colours, blank=blank)
    threshold = None if body.get("threshold") is None else requests.number(body, "threshold", 0, 1)
    return data, ImageOptions(_size(body), threshold, body.get("invert") is True, dither)


def _size(body: Body) -> int | None:
    return None if body.get("size") is None else requests.integer(body, "size", 1, MAX_SIDE)


def exports(puzzle: Puzzle) -> list[str]:
    """What a puzzle can be written as: drawings, JSON (which holds everything), other formats, mk (a plain list)."""
    pixels = [PIXELS] if puzzle.goal is not None and isinstance(puzzle, Nonogram) else []
    names = (known.name for known in kind_of(puzzle).all_formats)
    texts = sorted(names, key=lambda name: (name != "json", name == "mk", name))
    return ["pdf", "png", *pixels, "svg", *texts]


def exported(puzzle: Puzzle, name: str) -> Body:
    """The file of ``puzzle`` in the format ``name``: its suffix, and its bytes in base64."""
    drawn: dict[str, Callable[[], bytes]] = {
        "svg": lambda: svg(puzzle).encode(),
        "png": lambda: png(puzzle),
        "pdf": lambda: alone(puzzle),
    }
    if name == PIXELS and puzzle.goal is not None:
        return file(pixel_art(puzzle.goal), ".png")
    if name in drawn:
        return file(drawn[name](), f".{name}")
    known = FORMATS.named(name)
    return file(dumps(puzzle, name).encode(), known.suffixes[0])


def played_alone(puzzle: Puzzle) -> Body:
    """``page_to_play`` as a file."""
    return file(page_to_play(puzzle), ".html")


def page_to_play(puzzle: Puzzle) -> bytes:
    """A page of one file to play ``puzzle`` on, without a server; it has the clues, and no solution."""
    if puzzle.kind not in ("nonogram", "skyscrapers"):
        raise RequestError(f"a page to play alone is for nonograms and Skyscrapers, not for {puzzle.kind}")
    text = json.dumps({"puzzle": puzzle_to_wire(puzzle)}, separators=(",", ":"))
    return standalone(puzzle.kind.capitalize(), "play/offline.js", text, ("board.css", "style.css"))


def printed(puzzles: list[Puzzle], title: str, paper: str) -> Body:
    """A booklet."""
    if paper not in PAPERS:
        raise RequestError(f'"paper" is one of {", ".join(PAPERS)}')
    found = solutions(puzzles)
    several = {number for number, (_, others) in enumerate(found, 1) if others}
    return file(booklet(puzzles, [board for board, _ in found], title, paper, several=several), ".pdf")


def solutions(puzzles: list[Puzzle]) -> list[tuple[Board | None, bool]]:
    """Of each puzzle the goal, or what is found in its share of ``SOLVING_S``: a hard one holds up no booklet; and
    whether another solution is known.
    """
    return [_solution(puzzle, SOLVING_S / len(puzzles)) for puzzle in puzzles]


def _solution(puzzle: Puzzle, seconds: float) -> tuple[Board | None, bool]:
    goal = puzzle.goal if puzzle.goal is not None and fault(puzzle, puzzle.goal) is None else None
    try:
        answer = solve(puzzle, unique=True, time_limit_s=seconds)
    except NonosatError:
        return goal, False
    return goal or answer.picture, answer.unique is False


def file(data: bytes, suffix: str) -> dict[str, Any]:
    """A file for the page, which makes a download of it."""
    return {"suffix": suffix, "data": base64.b64encode(data).decode("ascii")}


# What an editor shows after each change: first what is known at once, then more when the page asks again.


SLICE_S = 0.04
"""For changes that make a puzzle unique, at a time: so long the next edit may have to wait for its analysis."""
FRAMED = 0.8
"""The heat from which on the page frames a cell: its change makes the puzzle unique."""
WORDS = {
    "lines": "Solvable by lines",
    "unique": "Unique",
    "several": "Several solutions",
    "none": "No solution",
    "unsettled": "Not settled",
}
LABELLED = ("lines", "unique", "unsettled")
_ONE = threading.Lock()
"""Analyses take turns: they are short, and side by side each would take as long as all."""


def analysed(puzzle: Puzzle, drawn: bool = True) -> Body:
    """What an editor shows of ``puzzle``: of one that is drawn, which changes of a cell help, too.

    ``heat`` is null where no change was tried; not ``done``: ``changed`` has more of it.
    """
    from nonosat.making.editing import (
        analyse,
        unique_changes,  # compiled code
    )

    with _ONE:
        about = analyse(puzzle)
        changes = unique_changes(puzzle, about) if drawn else None
        known = _analysis_json(about, None, drawn) if changes is None else _BEGUN.go_on(_key(puzzle), (about, changes))
    return {
        **(known or {}),
        "verdict": about.verdict.word,
        "headline": headline(about.verdict),
        "shared": about.verdict.shared.ravel().tolist(),
        "picture": None if about.picture is None else cells_of(about.picture),
    }


def changed(puzzle: Puzzle) -> Body | None:
    """More of what ``analysed`` says of changes that make ``puzzle`` unique; null: none were begun, or forgotten."""
    with _ONE:
        return _BEGUN.go_on(_key(puzzle))


class Begun:
    """The puzzles whose changes were wanted last, with what is left to try of each."""

    def __init__(self, most: int = 8) -> None:
        self.known: OrderedDict[str, tuple[Analysis, UniqueChanges]] = OrderedDict()
        self.most = most

    def go_on(self, text: str, new: tuple[Analysis, UniqueChanges] | None = None) -> Body | None:
        """Some more of the changes, and what they are now known to do."""
        if new is not None:
            self.known[text] = new
        if text not in self.known:
            return None
        self.known.move_to_end(text)
        while len(self.known) > self.most:
            self.known.popitem(last=False)
        about, changes = self.known[text]
        changes.go_on(SLICE_S)
        return _analysis_json(about, changes, True)


_BEGUN = Begun()


def _key(puzzle: Puzzle) -> str:
    return native_text(replace(puzzle, title=""))  # type: ignore[type-var]


def _analysis_json(about: Analysis, changes: UniqueChanges | None, drawn: bool) -> Body:
    """The heat of each cell, the verdict's details, and whether no more is to come."""
    share = about.heat() if drawn else None
    details = _details(about.verdict)
    done = changes is None or changes.done
    if share is None:
        return {"heat": None, "details": details, "done": done}
    by_lines = int((share == 1).sum())
    if changes is None:
        details += f" {_some(by_lines)} solvable by lines{'' if about.tried_all else ' (not all were tried)'}."
        return {"heat": _heat(share), "details": details, "done": done}
    unique = changes.cells()
    details += f" {_help(by_lines, int((unique > 0).sum()), int((unique < 0).sum()), done)}"
    most = max(float(np.nan_to_num(share).max(initial=0)), 1e-9)
    helps = 0.35 * share / most  # seen however little the best of them does
    heat = np.where(unique > 0, FRAMED, helps)  # those that make it unique stand out from those that only help
    return {"heat": _heat(np.where(share == 1, 1, heat)), "details": details, "done": done}


def headline(verdict: EditVerdict) -> str:
    """What a puzzle is, in a few words."""
    if verdict.word == "several" and verdict.solutions is not None:
        many = str(verdict.solutions)
        return f"{many if len(many) <= 12 else 'Very many'} solutions"
    return WORDS[verdict.word] + (f" · {verdict.label}" if verdict.label and verdict.word in LABELLED else "")


def _details(verdict: EditVerdict) -> str:
    differ = int((verdict.shared < 0).sum())
    return {
        "lines": "One solution, and nobody has to guess.",
        "unique": "One solution, but lines alone do not find it.",
        "several": f"{'' if verdict.exact else 'At least '}{differ} cells differ between solutions.",
        "none": verdict.reason or "The clues contradict each other.",
        "unsettled": "A second solution was neither found nor ruled out.",
    }[verdict.word]


def _help(by_lines: int, unique: int, still_open: int, done: bool) -> str:
    """Which changes of one cell help, and how far that is known."""
    rest = f" ({still_open} {'could not be settled' if done else 'are still looked at'})" if still_open else ""
    also = " and solvable by lines" if by_lines == unique else f", {by_lines} of them solvable by lines"
    return f"{_some(unique)} unique{also if by_lines else ''}{rest}."


def _some(many: int) -> str:
    return f"{many:,} single cell{'' if many == 1 else 's'} would make it" if many else "No single cell would make it"


def _heat(share: npt.NDArray[np.float64]) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 3) for value in share.ravel().tolist()]
