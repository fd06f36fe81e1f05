"""Random boards of a given density (Castilho & Welter 2018, ch. 4): each cell is drawn independently.

At least one solution exists by construction; it need not be the only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from nonosat import references
from nonosat.errors import UnsupportedError, check_whole, wrong_type
from nonosat.files import printable
from nonosat.generators.registry import Generator, Parameter

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram


_SIZE = re.compile(r"([0-9]{1,6})(?:[xX]([0-9]{1,6}))?")


def size(value: Any) -> tuple[int, int]:
    """``20``, ``"20"`` or ``"20x30"`` as (rows, columns). ValueError: it is no size of a board.

    >>> size(20), size("20x30")
    ((20, 20), (20, 30))
    """
    from nonosat.puzzles.nonogram import MAX_CELLS

    if isinstance(value, int) and not isinstance(value, bool):
        height = width = value
    elif isinstance(value, str) and (match := _SIZE.fullmatch(value.strip())):
        height, width = int(match[1]), int(match[2] or match[1])
    else:
        raise ValueError(f"expected rows x columns such as 20 or '20x30', not {printable(repr(value), 60)}")
    if height < 1 or width < 1 or height * width > MAX_CELLS:
        raise ValueError(f"{printable(str(value), 60)}: a board has 1 to {MAX_CELLS:,} cells")
    return height, width


def format_size(value: tuple[int, int]) -> str:
    """``20x30``."""
    return "{}x{}".format(*value)


SIZE = Parameter(
    word="size",
    key="sizes",
    metavar="HxW",
    meaning="rows x columns, such as 30x20 (30 is 30x30)",
    read=size,
    format=format_size,
)


def random_density(height: int, width: int, density: float | Sequence[float], seed: int | None = None) -> Nonogram:
    """A random puzzle; ``density`` is the share of filled cells, or one share for each of several colours.

    A seed gives the same board on every machine (see ``nonosat.rng``); None: a seed is drawn. The title
    has it. For each cell, row by row, a number u in 0..1 is drawn; the cell gets the first colour for which the sum of
    the shares so far exceeds u.

    >>> random_density(3, 5, 0.5, seed=7).goal.rows()
    ['...##', '.#..#', '####.']
    """
    import numpy as np

    from nonosat import rng
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.nonogram.puzzle import Picture, palette_of

    shares = refuse(height, width, density)
    seed = rng.new_seed() if seed is None else seed
    u = rng.Rng(seed).uniforms(height * width)
    cells = np.zeros(height * width, dtype=np.uint8)
    for colour in range(len(shares), 0, -1):
        cells[u < sum(shares[:colour])] = colour
    picture = Picture(cells.reshape(height, width), palette_of(len(shares)))
    shown = "+".join(f"{share:g}" for share in shares)
    return Nonogram.from_picture(picture, title=f"random {height}x{width}, density {shown}, seed {seed}")


def refuse(height: int, width: int, density: float | Sequence[float]) -> list[float]:
    """The shares as a list. UnsupportedError: the size or the shares are out of range."""
    from nonosat.puzzles.nonogram import MAX_CELLS

    try:
        shares = [float(share) for share in density] if isinstance(density, Iterable) else [float(density)]
    except (TypeError, ValueError):
        raise wrong_type("a number, or a list of them, as density", density) from None
    check_whole(height=height, width=width)
    if not _are_shares(shares):
        raise UnsupportedError(f"density {density}: shares lie in 0..1 and add up to at most 1")
    if height < 1 or width < 1 or height * width > MAX_CELLS:
        raise UnsupportedError(f"size {height}x{width}: a board has 1 to {MAX_CELLS:,} cells")
    return shares


def _are_shares(shares: Sequence[float]) -> bool:
    return len(shares) > 0 and all(0 <= share <= 1 for share in shares) and sum(shares) <= 1 + 1e-9


def shares_of(value: Any) -> tuple[float, ...]:
    """The shares in ``0.4``, in ``[0.2, 0.1]`` (one for each colour), or in a text: ``0.4``, ``0.2,0.1``, ``0.2+0.1``.

    ValueError: these are no shares.
    """
    found = re.split("[,+]", value) if isinstance(value, str) else value if isinstance(value, list) else [value]
    try:
        if not all(isinstance(share, int | float | str) and not isinstance(share, bool) for share in found):
            raise ValueError
        shares = tuple(float(share) for share in found)
    except (ValueError, OverflowError):
        shown = printable(repr(value), 60)
        raise ValueError(f"expected a share such as 0.4, or one a colour: 0.2,0.1; not {shown}") from None
    if not _are_shares(shares) or len(shares) > 255:
        raise ValueError(f"{printable(str(value), 60)}: shares lie in 0..1 and add up to at most 1")
    return shares


def format_shares(shares: tuple[float, ...]) -> str:
    """The text of ``shares`` in names of instances.

    >>> format_shares((0.2, 0.1)), format_shares((1.0,))
    ('0.2+0.1', '1')
    """
    return "+".join(repr(share).removesuffix(".0") for share in shares)


def _made(size: tuple[int, int], shares: tuple[float, ...], seed: int) -> Nonogram:
    return random_density(*size, shares, seed)


def facts(size: tuple[int, int], shares: tuple[float, ...]) -> dict[str, float]:
    """The facts of a board of these shares."""
    return {"density": sum(shares)}


DENSITY = Parameter(
    word="density",
    key="densities",
    metavar="D",
    meaning="share of filled cells; one share a colour: 0.2,0.3",
    read=shares_of,
    format=format_shares,
)

GENERATOR = Generator(
    name="density",
    kind="nonogram",
    meaning="each cell is filled by a draw of its own; a solution exists, perhaps several",
    parameters=(SIZE, DENSITY),
    make=_made,
    facts=facts,
    judge=references.JUDGE,
    repair=references.REPAIR,
    give=references.GIVE,
)
