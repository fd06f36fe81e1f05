"""All puzzles of a file, be it a text of some format or a picture, and what the file is known by."""

from __future__ import annotations

import hashlib
from pathlib import Path

from nonosat.errors import NonosatError
from nonosat.files import shown, suffix_of, unpacked_name
from nonosat.puzzles.formats import load_all
from nonosat.puzzles.puzzle import Puzzle

IMAGES = (".png", ".gif", ".bmp", ".ppm", ".pgm", ".pbm", ".jpg", ".jpeg", ".webp")
"""Suffixes of files that are taken for pictures, a pixel a cell; their clues are the puzzle."""


def puzzles_in(path: Path) -> list[Puzzle]:
    """All puzzles of a file."""
    if suffix_of(path) in IMAGES:
        from nonosat.puzzles.nonogram import Nonogram
        from nonosat.puzzles.nonogram.images import load_image

        return [Nonogram.from_picture(load_image(path), title=unpacked_name(path).stem)]
    return list(load_all(path))


def hashed(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise NonosatError(f"{shown(path)}: {(error.strerror or str(error)).lower()}") from None
