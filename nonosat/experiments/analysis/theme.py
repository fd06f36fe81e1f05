"""What figures are for: a page on the screen, or a paper of a given width.

A theme is in force for all that is drawn inside ``with drawn_for(theme)``, as matplotlib's own settings are.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from nonosat.errors import NonosatError
from nonosat.files import shown


@dataclass(frozen=True)
class Theme:
    """``width``: inches of a figure; None: as wide as its panels need. ``size``: points of text; ``small``: of ticks.

    ``titled``, ``footed``: whether title and foot are drawn; the caption has them anyway. ``key``: where the lines are
    named, "right" or "below". ``font``: of all text; None: matplotlib's own.
    """

    width: float | None
    panel: tuple[float, float]
    size: float
    small: float
    line: float
    marker: float
    titled: bool
    footed: bool
    key: str
    dpi: int
    font: str | None = None


ALONE = Theme(None, (3.9, 3.0), 9.0, 7.5, 1.4, 4.5, True, True, "right", 130)
"""A figure by itself, as in a notebook."""
PAGE = replace(ALONE, footed=False)
"""A figure with its caption below it."""
COLUMNS = {1: 8.5, 2: 17.6}
"""Centimetres of the usual one and two columns."""

_theme: ContextVar[Theme] = ContextVar("theme", default=ALONE)


def paper(width_cm: float = COLUMNS[1], size: float = 8.0, font: str | None = "STIXGeneral") -> Theme:
    """A paper's figures: no title and no foot inside, lines named below. NonosatError: a font that is not there."""
    if not 4 <= width_cm <= 60:
        raise NonosatError(f"a width of {width_cm:g} cm: expected 4 to 60")
    if not 4 <= size <= 24:
        raise NonosatError(f"text of {size:g} points: expected 4 to 24")
    if font is not None:
        _findable(font)
    width = width_cm / 2.54
    panel = max(1.5, min(2.6, width / 2))
    return Theme(width, (panel, 0.78 * panel), size, max(4.0, size - 1), 1.0, 3.2, False, False, "below", 300, font)


def _findable(font: str) -> None:
    from matplotlib import font_manager

    try:
        font_manager.findfont(font, fallback_to_default=False)
    except ValueError:
        names = sorted({entry.name for entry in font_manager.fontManager.ttflist if entry.name[:1].isalpha()})
        raise NonosatError(f"no font {shown(font)}; there are: {', '.join(names)}") from None


def theme() -> Theme:
    """The theme in force."""
    return _theme.get()


@contextlib.contextmanager
def drawn_for(chosen: Theme) -> Iterator[None]:
    """All figures made inside the block are made for ``chosen``."""
    import matplotlib as mpl

    token = _theme.set(chosen)
    try:
        with mpl.rc_context(settings(chosen)):
            yield
    finally:
        _theme.reset(token)


def settings(chosen: Theme) -> Any:
    """Matplotlib's settings for a theme."""
    family: dict[str, Any] = {} if chosen.font is None else {"font.family": [chosen.font, "DejaVu Sans"]}
    return {**family, "font.size": chosen.small, "axes.linewidth": 0.7, "mathtext.fontset": "stix"}


def key_width(names: Sequence[str], chosen: Theme) -> float:
    """Inches that names need beside their handles."""
    return max((min(60, len(name)) for name in names), default=-3) * 0.56 * chosen.small / 72 + 0.45 if names else 0.0


def key_columns(names: Sequence[str], width: float, chosen: Theme) -> int:
    """How many names stand side by side below a figure of ``width`` inches."""
    return max(1, min(len(names), 4, int((width - 0.1) / key_width(names, chosen))))


def key_height(names: Sequence[str], width: float, chosen: Theme) -> float:
    """Inches that the names need below a figure of ``width`` inches."""
    return -(-len(names) // key_columns(names, width, chosen)) * 1.45 * chosen.small / 72 + 0.1 if names else 0.0
