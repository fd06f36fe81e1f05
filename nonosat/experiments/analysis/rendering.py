"""Figures as files: the same bytes every time."""

from __future__ import annotations

import contextlib
import io
import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from nonosat.errors import UnsupportedError
from nonosat.experiments.analysis.style import Drawing
from nonosat.experiments.analysis.theme import settings, theme
from nonosat.files import write_atomically

FORMATS = ("svg", "pdf", "png", "pgf")
LATEX = "pdflatex"
"""The program that measures the letters of PGF."""


def lacking(form: str) -> str:
    """What this machine lacks for figures of this kind; "" if nothing that can be seen without drawing one."""
    return f"no {LATEX} is found" if form == "pgf" and shutil.which(LATEX) is None else ""


def rendered(figure: Figure, form: str) -> bytes:
    """The figure as a file's content: ``svg``, ``pdf``, ``png`` or ``pgf``; the same bytes every time.

    UnsupportedError: PGF, and no LaTeX that measures its letters.
    """
    if lack := lacking(form):
        raise UnsupportedError(_unmade(figure, lack))
    told: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    chosen = figure.made_for if isinstance(figure, Drawing) else theme()
    buffer = io.BytesIO()
    words: Any = {
        **settings(chosen), "svg.hashsalt": "nonosat", "svg.fonttype": "path", "pdf.fonttype": 42,
        "text.hinting": "none",  # hinted letters are wider at one resolution than at another
        "pgf.texsystem": LATEX, "pgf.rcfonts": False,
    }  # fmt: skip
    with mpl.rc_context(words), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a puzzle may be named in any script
        if (layout := figure.get_layout_engine()) is not None:  # once, and not anew for each kind of file
            layout.execute(figure)
            figure.set_layout_engine("none")
        more: Any = {"metadata": told[form]} if form in told else {}
        with _latex_errors(figure) if form == "pgf" else contextlib.nullcontext():
            figure.savefig(buffer, format=form, dpi=chosen.dpi, **more)
    return buffer.getvalue()


@contextlib.contextmanager
def _latex_errors(figure: Figure) -> Iterator[None]:
    """What LaTeX says that is there but cannot do it, such as one without the package pgf: its first error."""
    from matplotlib.backends.backend_pgf import LatexError

    try:
        yield
    except (LatexError, BrokenPipeError, RuntimeError, ValueError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        first = next((line for line in lines if line.startswith("! ")), lines[0])
        raise UnsupportedError(_unmade(figure, first.removeprefix("! "))) from None


def _unmade(figure: Figure, why: str) -> str:
    title = " ".join(figure.get_suptitle().split())  # it is broken into lines
    return f"PGF of {title or 'a figure'}: {why} (it needs LaTeX with pgf)"


def save(figure: Figure, stem: str | Path, formats: Sequence[str] = ("svg", "pdf", "png")) -> list[Path]:
    """The figure as ``stem.svg``, ``stem.pdf``, ``stem.png``."""
    paths = [Path(f"{stem}.{form}") for form in formats]
    for path, form in zip(paths, formats, strict=True):
        write_atomically(path, rendered(figure, form))
    return paths
