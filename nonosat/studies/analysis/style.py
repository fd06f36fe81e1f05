"""How figures look: shades for the colour-blind, and for each a marker and a dash, which print in grey.

matplotlib's objects are used without pyplot, which keeps figures in a global list. Files are the same on every run.
"""

from __future__ import annotations

import contextlib
import functools
import io
import math
import re
import shutil
import subprocess
import tempfile
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import Formatter

from nonosat.errors import NonosatError, UnsupportedError
from nonosat.files import printable, shown, write_atomically
from nonosat.puzzles.nonogram.puzzle import shade

GREY = "#666666"
MOST_LINES = 7
"""In one panel: more cannot be followed."""


class Look(NamedTuple):
    """Of one line: colour, marker and dash, each of which distinguishes it from the others by itself."""

    colour: str
    marker: str
    dash: Any


_MARKERS = "osD^v<>p*hPX"
"""Those that can be seen open come first: a plus or a cross has no inside at the size of a point."""
_DASHES: tuple[Any, ...] = (
    *("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (2.5, 2.5)), (0, (9, 2))),
    *((0, (5, 1.2, 1.2, 1.2, 1.2, 1.2)), (0, (9, 1.5, 3, 1.5))),
)
_RULES = ("3", "4", "5", "6", "3+4", "5+6")
_STEPS = (1.0, 2.0, 5.0)
_COLOURS = 7
"""Of the palette's eight; the last is yellow, which is hardly seen on white."""


def look(index: int) -> Look:
    """The ``index``-th look; 84 differ, of 12 no two have one marker, and of 7 no two have a marker, dash or colour."""
    return Look(shade(index % _COLOURS), _MARKERS[index % len(_MARKERS)], _DASHES[index % len(_DASHES)])


_STUDY: ContextVar[tuple[tuple[str, ...], tuple[str, ...]]] = ContextVar("_STUDY", default=((), ()))
"""The encodings and the solvers of the study that is drawn, in order."""


@contextlib.contextmanager
def coloured(names: Iterable[str]) -> Iterator[None]:
    """What is drawn in this context has a colour an encoding and a marker a solver, whatever else a figure shows.

    ``names``: the study's configurations.
    """
    pairs = [_parts(name) for name in names]
    solvers = tuple(dict.fromkeys(solver for _, solver in pairs if solver))
    token = _STUDY.set((tuple(dict.fromkeys(encoding for encoding, _ in pairs)), solvers))
    try:
        yield
    finally:
        _STUDY.reset(token)


def _parts(name: str) -> tuple[str, str]:
    encoding, _, solver = name.partition(" · ")
    return encoding, solver


def looks(names: Iterable[str]) -> dict[str, Look]:
    """A look for each name: the report's rules have the same in every figure, and so have a study's configurations.

    In a study of several solvers an encoding has a colour and a dash, and a solver a marker.
    """
    names = list(dict.fromkeys(names))
    encodings, solvers = _STUDY.get()
    if names and all(one in encodings and two in (*solvers, "") for one, two in map(_parts, names)):
        found: dict[str, Look] = {}
        for name in names:
            encoding, solver = _parts(name)
            one = look(encodings.index(encoding))
            several = solver and len(solvers) > 1
            found[name] = one._replace(marker=look(solvers.index(solver)).marker) if several else one
        return found
    rules = {name: name.rpartition("/")[2].partition(" ")[0] for name in names}
    if len(set(rules.values())) == len(names) and all(rule in _RULES for rule in rules.values()):
        return {name: look(_RULES.index(rule)) for name, rule in rules.items()}
    return {name: look(index) for index, name in enumerate(names)}


def marks(styles: Mapping[str, Look]) -> list[Line2D]:
    """What markers without lines look like, for ``lines.name_handles``."""
    size = theme().marker
    return [Line2D([], [], linestyle="none", marker=s.marker, color=s.colour, markersize=size) for s in styles.values()]


def shortened(text: str, longest: int) -> str:
    """``text`` without its middle if it is too long: names of files differ at their ends.

    >>> shortened("pictures-15x15-0.2-blobs-s3.json", 20)
    'pictures-…bs-s3.json'
    """
    if len(text) <= longest:
        return text
    return f"{text[: (longest - 1) // 2]}…{text[-(longest // 2) :]}"


def plain(text: object, longest: int = 80) -> str:
    """``text`` as a figure shows it: on one line, not too long, and never as mathematics."""
    return printable(str(text), longest).replace("$", r"\$")


class TitledFigure(Figure):
    """A figure with its title, its foot (what a caption says of it), and the theme that it was made for."""

    title: str
    foot: str
    made_for: Theme

    @property
    def caption(self) -> str:
        """Title and foot as one paragraph."""
        foot = " ".join(self.foot.split())
        return f"{self.title}. {foot}" if foot else f"{self.title}."


def drawn(title: str, foot: str, panels: int = 1, columns: int | None = None, size: tuple[float, float] | None = None,
          names: Sequence[str] = (), fixed: bool = False, **axes: Any) -> tuple[TitledFigure, list[Axes]]:  # fmt: skip
    """A figure with its panels in reading order, and room for ``names``, the key.

    ``columns``: how many panels stand side by side if there is room; ``size``: of one panel in inches, else the
    theme's, scaled to the width that there is; ``fixed``: but not its height.
    """
    chosen = theme()
    wide, high = size or chosen.panel
    room = key_width(names, chosen) if chosen.key == "right" else 0.0
    across = columns or min(panels, 3)
    if chosen.width is not None:
        across = panels_across(wide, across)
        high = high if fixed else high * min(1.0, chosen.width / across / wide)
        high = max(high, 0.58 * chosen.width) if across == 1 and size is None else high
    deep = -(-panels // across)
    width = chosen.width or wide * across + 0.6 + room
    lines = plain_lines(foot, int(width * 16)) if chosen.footed else []
    height = (
        high * deep
        + 0.25
        + (0.2 + 0.1 * (1 + len(title) // int(width * 10)) if chosen.titled else 0.0)
        + 0.15 * len(lines)
    )
    height += key_height(names, width, chosen) if chosen.key == "below" else 0.0
    with mpl.rc_context(settings(chosen)):
        figure = TitledFigure(figsize=(width, height), dpi=chosen.dpi, layout="constrained")
        figure.title, figure.foot, figure.made_for = title, foot, chosen
        figure.get_layout_engine().set(w_pad=0.03, h_pad=0.03)  # type: ignore[union-attr, call-arg]
        if chosen.titled:
            figure.suptitle(broken(plain(title, 160), int(width * 10)), fontsize=chosen.size + 2)
        if lines:
            figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=chosen.small, color=GREY)
        found = figure.subplots(deep, across, squeeze=False, **axes)
    flat: list[Axes] = list(found.flat)
    for axis in flat[panels:]:
        axis.remove()
    for axis in flat[:panels]:
        axis.tick_params(which="both", labelsize=chosen.small, length=2.5, pad=2)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, flat[:panels]


def panels_across(wide: float, most: int) -> int:
    """How many panels of this width, in inches, stand side by side in the theme's figures, at most ``most``."""
    width = theme().width
    return most if width is None else max(1, min(most, int(width / min(wide, width / 2 + 0.01))))


def plain_lines(text: str, width: int) -> list[str]:
    """``text`` broken at spaces to lines of at most ``width`` characters; it is shown as it is."""
    paragraphs = [textwrap.wrap(printable(line, 2000), width) for line in text.split("\n")]
    return [line.replace("$", r"\$") for lines in paragraphs for line in lines]


def no_data(title: str, foot: str, why: str = "no data") -> TitledFigure:
    """What a figure is when there is nothing to draw."""
    figure, (axes,) = drawn(title, foot, size=(4.6, 1.2))
    axes.set_axis_off()
    axes.text(0.5, 0.5, plain(why), ha="center", va="center", fontsize=theme().size, transform=axes.transAxes)
    return figure


def headed(axes: Axes, text: str, width: int = 60) -> None:
    """A panel's heading, in lines of at most ``width`` letters where it can be broken."""
    axes.set_title(broken(plain(text, 80), width), fontsize=theme().size)


def broken(text: str, width: int) -> str:
    r"""``text`` in lines of ``width`` letters, broken at spaces and behind plus signs.

    >>> broken("permutation+visible+coupled", 20)
    'permutation+visible+\ncoupled'
    """
    lines = [""]
    for part in re.split(r"(?<=[+ ])", text):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def labelled(axes: Axes, x: str = "", y: str = "") -> None:
    """What the axes of a panel show."""
    axes.set_xlabel(plain(x), fontsize=theme().size - 0.5, labelpad=2)
    axes.set_ylabel(plain(y), fontsize=theme().size - 0.5, labelpad=2)


def logarithmic(axes: Axes, which: str = "y") -> None:
    """A log scale with plain numbers: of powers of ten, and of twos and fives where there are few of these."""
    (axes.set_yscale if which == "y" else axes.set_xscale)("log")
    axis = axes.yaxis if which == "y" else axes.xaxis
    axis.set_major_formatter(Numbers())
    axis.set_minor_formatter(Numbers(minor=True))


class Numbers(Formatter):
    """Of log scales: 0.01, and between powers of ten (``minor``) 0.02 and 0.05 where few of them are in view.

    Where fewer than two of these and powers of ten are in view, every tick has its number.
    """

    def __init__(self, minor: bool = False) -> None:
        self.minor = minor

    def __call__(self, x: float, pos: int | None = None) -> str:
        """A tick's number; "" for one without a number."""
        low, high = self.axis.get_view_interval()  # type: ignore[union-attr]
        if not self.minor:
            return f"{x:g}"
        if not 0 < low < high:
            return ""
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        powers, twos, fives = (sum(low <= step * 10.0**decade <= high for decade in decades) for step in _STEPS)
        if powers > 1 and high >= 30 * low:
            return ""
        return f"{x:g}" if powers + twos + fives < 2 or float(f"{x:.3e}"[:5]) in _STEPS else ""


def panel_grid(axes: Axes) -> None:
    """Faint lines behind the data."""
    axes.grid(True, color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)


# What figures are for: a page on the screen, or a paper of a given width.
#
# A theme is in force for all that is drawn inside ``with drawn_for(theme)``, as matplotlib's own settings are.


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
COLUMNS = {1: 8.4, 2: 17.8}
"""Centimetres of the usual one and two columns."""
SMALLEST = 7.0
"""Points of the smallest text that is read in print."""
HIGHEST = 20.0
"""Centimetres that a page has for a figure."""

_theme: ContextVar[Theme] = ContextVar("theme", default=ALONE)


def paper(width_cm: float = COLUMNS[1], size: float = 8.0, font: str | None = "STIXGeneral") -> Theme:
    """A paper's figures: no title and no foot inside, lines named below. NonosatError: a font that is not there."""
    if not 4 <= width_cm <= 60:
        raise NonosatError(f"a width of {width_cm:g} cm: expected 4 to 60")
    if not SMALLEST <= size <= 24:
        raise NonosatError(f"text of {size:g} points: expected {SMALLEST:g} to 24")
    if font is not None:
        _findable(font)
    width = width_cm / 2.54
    panel = max(1.5, min(2.6, width / 2))
    small = max(SMALLEST, size - 1)
    return Theme(width, (panel, 0.78 * panel), size, small, 1.0, 3.2, False, False, "below", 300, font)


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
    """Inches that names need with their handles."""
    return max((min(60, len(name)) for name in names), default=-3) * 0.56 * chosen.small / 72 + 0.45 if names else 0.0


def key_columns(names: Sequence[str], width: float, chosen: Theme) -> int:
    """How many names stand side by side below a figure of ``width`` inches."""
    return max(1, min(len(names), 4, int((width - 0.1) / key_width(names, chosen))))


def key_height(names: Sequence[str], width: float, chosen: Theme) -> float:
    """Inches that the names need below a figure of ``width`` inches."""
    return -(-len(names) // key_columns(names, width, chosen)) * 1.45 * chosen.small / 72 + 0.1 if names else 0.0


# Figures as files: the same bytes every time.


FORMATS = ("svg", "pdf", "png", "pgf")
LATEX = "pdflatex"
"""The program that measures the letters of PGF."""
NEEDED = "it needs LaTeX with pgf"


def lacking(form: str) -> str:
    """What this machine lacks for figures of this kind; "" if nothing that can be seen without drawing one."""
    if form != "pgf":
        return ""
    program = shutil.which(LATEX)
    return f"no {LATEX} is found" if program is None else _fault_of(program)


@functools.cache
def _fault_of(program: str) -> str:
    """Why this LaTeX cannot take PGF; "" if it can.

    Matplotlib writes to it line by line, and learns of one that ends at once by a broken pipe, which says nothing.
    """
    text = "\\documentclass{article}\n\\usepackage{pgf}\n\\begin{document}\n\\end{document}\n"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [program, "-halt-on-error", "-no-shell-escape"],
            cwd=folder, input=text, capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
    if not done.returncode:
        return ""
    faults = (line.removeprefix("! ") for line in done.stdout.splitlines() if line.startswith("! "))
    return f"{next(faults, f'{LATEX} ends with exit code {done.returncode}')} ({NEEDED})"


def rendered(figure: Figure, form: str) -> bytes:
    """The figure as a file's content: ``svg``, ``pdf``, ``png`` or ``pgf``; the same bytes every time.

    UnsupportedError: PGF, and no LaTeX that measures its letters.
    """
    if lack := lacking(form):
        raise UnsupportedError(_unmade(figure, lack))
    metadata: dict[str, dict[str, Any]] = {
        "svg": {"Date": None},
        "pdf": {"CreationDate": None},
        "png": {"Software": None},
    }
    chosen = figure.made_for if isinstance(figure, TitledFigure) else theme()
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
        more: Any = {"metadata": metadata[form]} if form in metadata else {}
        with _latex_errors(figure) if form == "pgf" else contextlib.nullcontext():
            figure.savefig(buffer, format=form, dpi=chosen.dpi, **more)
    return buffer.getvalue()


@contextlib.contextmanager
def _latex_errors(figure: Figure) -> Iterator[None]:
    """Raise the first error of a LaTeX that cannot draw the figure, such as one without the package pgf."""
    from matplotlib.backends.backend_pgf import LatexError

    try:
        yield
    except (LatexError, BrokenPipeError, RuntimeError, ValueError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        first = next((line for line in lines if line.startswith("! ")), lines[0])
        raise UnsupportedError(_unmade(figure, first.removeprefix("! "))) from None


def _unmade(figure: Figure, why: str) -> str:
    title = " ".join(figure.get_suptitle().split())  # it is broken into lines
    return f"PGF of {title or 'a figure'}: {why}" + f" ({NEEDED})" * (NEEDED not in why)


def save(figure: Figure, stem: str | Path, formats: Sequence[str] = ("svg", "pdf", "png")) -> list[Path]:
    """The figure as ``stem.svg``, ``stem.pdf``, ``stem.png``."""
    paths = [Path(f"{stem}.{form}") for form in formats]
    for path, form in zip(paths, formats, strict=True):
        write_atomically(path, rendered(figure, form))
    return paths


def publish(figure: TitledFigure, stem: str | Path) -> None:
    """The figure as ``stem.png``, and its caption as ``stem.txt``."""
    save(figure, stem, ("png",))
    write_atomically(Path(f"{stem}.txt"), f"{figure.caption}\n".encode())


def print_faults(figure: Figure) -> list[str]:
    """What makes a figure unfit for print at its size: its width, its height, text that is too small.

    A column is 84 mm wide, two are 178 mm.
    """
    figure.draw_without_rendering()
    wide, high = 2.54 * figure.get_figwidth(), 2.54 * figure.get_figheight()
    faults = [] if any(abs(wide - width) < 0.05 for width in COLUMNS.values()) else [f"{10 * wide:.0f} mm wide"]
    faults += [f"{10 * high:.0f} mm high"] if high > HIGHEST else []
    shown = [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_visible() and text.get_text()]
    small = [(text.get_text(), float(text.get_fontsize())) for text in shown if float(text.get_fontsize()) < SMALLEST]
    return faults + [f"{words!r} of {size:g} points" for words, size in small]
