"""Figures as files: the same bytes every time."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from nonosat.errors import UnsupportedError
from nonosat.experiments.analysis.style import Drawing
from nonosat.experiments.analysis.theme import settings, theme
from nonosat.files import write_atomically

FORMATS = ("svg", "pdf", "png", "pgf")


def rendered(figure: Figure, form: str) -> bytes:
    """The figure as a file's content: ``svg``, ``pdf``, ``png`` or ``pgf``; the same bytes every time.

    UnsupportedError: PGF, and no LaTeX that measures its letters.
    """
    told: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    chosen = figure.made_for if isinstance(figure, Drawing) else theme()
    buffer = io.BytesIO()
    words: Any = {
        **settings(chosen), "svg.hashsalt": "nonosat", "svg.fonttype": "path", "pdf.fonttype": 42,
        "text.hinting": "none",  # hinted letters are wider at one resolution than at another
        "pgf.texsystem": "pdflatex", "pgf.rcfonts": False,
    }  # fmt: skip
    with mpl.rc_context(words), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a puzzle may be named in any script
        if (layout := figure.get_layout_engine()) is not None:  # once, and not anew for each kind of file
            layout.execute(figure)
            figure.set_layout_engine("none")
        try:
            more: Any = {"metadata": told[form]} if form in told else {}
            figure.savefig(buffer, format=form, dpi=chosen.dpi, **more)
        except (FileNotFoundError, RuntimeError, ValueError) as error:
            if form != "pgf":
                raise
            raise UnsupportedError(
                f"PGF of {figure.get_suptitle() or 'a figure'}: {str(error).splitlines()[0]} (it needs LaTeX with pgf)"
            ) from None
    return buffer.getvalue()


def save(figure: Figure, stem: str | Path, formats: Sequence[str] = ("svg", "pdf", "png")) -> list[Path]:
    """The figure as ``stem.svg``, ``stem.pdf``, ``stem.png``."""
    paths = [Path(f"{stem}.{form}") for form in formats]
    for path, form in zip(paths, formats, strict=True):
        write_atomically(path, rendered(figure, form))
    return paths
