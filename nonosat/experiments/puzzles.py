"""From an instance to its puzzle."""

from __future__ import annotations

import hashlib
from pathlib import Path

from nonosat.errors import NonosatError, UnsupportedError
from nonosat.experiments.plan import Instance
from nonosat.files import shown, suffix_of, unpacked_name
from nonosat.generators.density import random_density
from nonosat.generators.skyscrapers import named_level
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Puzzle

IMAGES = (".png", ".gif", ".bmp", ".ppm", ".pgm", ".pbm", ".jpg", ".jpeg", ".webp")
"""Suffixes of files that are taken for pictures, a pixel a cell; their clues are the puzzle."""


def puzzle_of(instance: Instance) -> Puzzle:
    """The puzzle of ``instance``. NonosatError: its file is gone, or not what it was when the study was read."""
    if instance.path is not None:
        if hashed(Path(instance.path)) != instance.name.split("/")[1]:
            raise NonosatError(f"{shown(instance.path)}: the file has changed since the study began")
        return puzzles_in(Path(instance.path))[(instance.index or 1) - 1]
    if instance.difficulty is not None and instance.seed is not None:
        from nonosat.generators.proved import made

        size = instance.shape[0] if instance.shape else 0
        name, level = named_level(instance.level, size, instance.difficulty)
        return made(level, instance.seed, f"{name}, seed {instance.seed}")
    if instance.shape is None or instance.seed is None:
        raise UnsupportedError(f"{instance.name}: neither a file nor a generator's board")
    shares = instance.shares[0] if len(instance.shares) == 1 else instance.shares
    return random_density(*instance.shape, shares, instance.seed)


def puzzles_in(path: Path) -> list[Puzzle]:
    """All puzzles of a file, be it text or a picture."""
    if suffix_of(path) in IMAGES:
        from nonosat.puzzles.images import load_image

        return [Nonogram.from_picture(load_image(path), title=unpacked_name(path).stem)]
    from nonosat.puzzles.formats import load_all

    return list(load_all(path))


def hashed(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise NonosatError(f"{shown(path)}: {(error.strerror or str(error)).lower()}") from None
