"""Nonograms told by their picture: an image, or lines of text such as ``#.#``."""

from __future__ import annotations

import re

from nonosat.errors import FormatError
from nonosat.puzzles.drawing.lines import Lines, counted
from nonosat.puzzles.nonogram.palette import BLANKS, SYMBOLS
from nonosat.puzzles.nonogram.picture import Picture
from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.nonogram.text import BLOCK, DOT

_BLANKS = BLANKS.replace("0", "").replace(" ", "")
"""What is blank in a drawing that nothing else tells of: spaces end lines, and digits are clues."""
_SYMBOLS = str.maketrans(dict.fromkeys(BLOCK + "■", "#"))
_CELLS = re.compile(rf"[{re.escape(_BLANKS + SYMBOLS + BLOCK)}■]+")
_DRAWN = re.compile(rf"[#.{BLOCK}■{DOT}]")


def drawn(lines: Lines) -> Nonogram | None:
    """The puzzle whose picture ``lines`` draw, a character a cell, or two as ``picture_text`` does; None: they do not.

    The first line says whether they do: it is made of colours' symbols and blanks, and there is ``#``, ``█``, ``.`` or
    ``·`` among them all, or all stand in pairs. Pairs are a cell each if there is ``█`` or ``·``, or neither ``#`` nor
    ``.``. FormatError: a further line is not like the first.
    """
    texts = [line for _, line in lines]
    if not _CELLS.fullmatch(texts[0]) or not (_DRAWN.search("".join(texts)) or _in_pairs(texts)):
        return None
    for row, (number, line) in enumerate(lines, 1):
        if len(line) != len(texts[0]):
            has = f"row {row} of the drawing has {counted(len(line), 'character')}"
            raise FormatError(f"{has}, row 1 has {len(texts[0])}", number)
        if odd := [mark for mark in line if not _CELLS.fullmatch(mark)]:
            raise FormatError(f"row {row} of the drawing: {odd[0]!r} is no colour (# or a letter) and no blank", number)
    if _in_pairs(texts):
        texts = [line[::2] for line in texts]
    return Nonogram.from_picture(Picture.from_text([line.translate(_SYMBOLS) for line in texts]))


def _in_pairs(texts: list[str]) -> bool:
    marks = set("".join(texts))
    solved = bool(marks & {BLOCK, DOT}) or not marks & set("#.")
    return solved and all(line[::2] == line[1::2] for line in texts)


def of_image(data: bytes, title: str) -> Nonogram:
    """The puzzle of an image's pixels, in black and white."""
    from nonosat.puzzles.nonogram.images import read_image

    return Nonogram.from_picture(read_image(data), title=title)
