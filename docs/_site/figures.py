"""Figures that the build draws: puzzles as the program draws them, and records as studies' reports show them.

Each is written to ``docs/_made/``, light and dark where it is drawn by matplotlib; a puzzle is ink without paper, which
the page inverts (``_static/site.css``). What is there already is not drawn again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

import nonosat
from nonosat.files import write_atomically
from nonosat.puzzles import drawing
from nonosat.puzzles.formats import load
from nonosat.studies.analysis import frames, plots, transition
from nonosat.studies.analysis.style import rendered

ROOT = Path(__file__).parents[2]
MADE = ROOT / "docs" / "_made"
DARK = "#cfd0d0"
"""Ink on a dark page."""
TURNED = (("#000000", DARK), ("#666666", "#a0a0a0"), ("#dddddd", "#3a3a3a"), ("#b0b0b0", "#3a3a3a"))
"""Shades that figures have of their own, and what they are on a dark page: a black line, notes, grids."""


def heart() -> str:
    """A small puzzle with its solution."""
    return _solved("heart.mk")


def _solved(name: str) -> str:
    puzzle = load(ROOT / "examples" / name)
    return drawing.svg(puzzle, nonosat.solve(puzzle).picture)


def within_time() -> Figure:
    """How many boards are solved within a time: the encodings of the study `encodings-small`, by MiniSat."""
    frame = frames.load(ROOT / "results/encodings-small.parquet")
    return plots.cactus(frame[frame["solver"].eq("minisat22")])


def peaks() -> Figure:
    """Where finding, proving and counting are hard."""
    runs = transition.load_boards(ROOT / "results/transition")
    return transition.three_peaks(transition.by_cell(transition.boards(runs)))


PUZZLES: dict[str, Callable[[], str]] = {"heart": heart}
PLOTS: dict[str, Callable[[], Figure]] = {"within-time": within_time, "peaks": peaks}


def shown(name: str, *words: str) -> str:
    """The Markdown of a figure: ``name`` of ``PUZZLES`` or ``PLOTS``, and what it shows in words."""
    MADE.mkdir(exist_ok=True)
    text = " ".join(words)
    if name in PUZZLES:
        path = MADE / f"{name}.svg"
        if not path.exists():
            write_atomically(path, PUZZLES[name]().encode())
        return f"![{text}](/_made/{name}.svg){{.ink}}"
    for mode, ink in (("light", None), ("dark", DARK)):
        if not (path := MADE / f"{name}-{mode}.svg").exists():
            write_atomically(path, _drawn(PLOTS[name], ink))
    return "\n".join(f"![{text}](/_made/{name}-{mode}.svg){{.only-{mode}}}" for mode in ("light", "dark"))


def _drawn(make: Callable[[], Figure], ink: str | None) -> bytes:
    words: dict[str, Any] = {"figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none"}
    if ink is not None:
        keys = ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color")
        words |= dict.fromkeys(keys, ink)
    with mpl.rc_context(words):
        drawing = rendered(make(), "svg")
    for light, dark in () if ink is None else TURNED:
        drawing = drawing.replace(light.encode(), dark.encode())
    return drawing
