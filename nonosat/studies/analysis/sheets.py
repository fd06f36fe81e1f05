"""A table and how its columns are read: headings in words, units, one number format each, the best marked."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import pandas as pd

Kind = Literal["text", "count", "seconds", "share", "number", "factor", "mib"]
SHORT, LONG = 0.1, 100.0
"""Seconds: a table that has times below one, and none above the other, is shown in milliseconds."""
NONE = "–"
"""Where there is no value."""


@dataclass(frozen=True)
class Column:
    """``low`` and ``high``: columns of the frame with an interval of this one. ``beyond``: what inf is more than.

    ``upper``: where a limit hides the value, it lies between ``name`` and ``upper``. ``after``: a column of text to
    stand behind it. A table of short times is shown in milliseconds. ``meaning``: a sentence for readers.
    ``minor``: what a narrow paper can do without.
    """

    name: str
    head: str
    kind: Kind = "text"
    low: str = ""
    high: str = ""
    upper: str = ""
    best: Literal["", "least", "most"] = ""
    beyond: float = math.nan
    signed: bool = False
    after: str = ""
    meaning: str = ""
    minor: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table under the name of its files. ``aside``: how many rows at the end are not compared with the others.

    ``study``: the name of the study, for labels in a paper.
    """

    name: str
    caption: str
    frame: pd.DataFrame
    columns: Sequence[Column]
    opened: bool = False
    aside: int = 0
    note: str = ""
    study: str = ""

    def heads(self) -> list[str]:
        """The headings, with units."""
        return [f"{c.head}{_unit(c, self._scale(c))}" for c in self.columns]

    def cells(self) -> list[list[Cell]]:
        """The rows as they are shown."""
        columns = [_column(c, self.frame, self.aside, self._scale(c)) for c in self.columns]
        return [list(row) for row in zip(*columns, strict=True)] if len(self.frame) else []

    def _scale(self, column: Column) -> float:
        """What numbers are multiplied by: all seconds of a table by the same."""
        if column.kind != "seconds":
            return 100.0 if column.kind == "share" else 1.0
        every = [abs(v) for c in self.columns if c.kind == "seconds" for v in _floats(self.frame, c.name)]
        known = [value for value in every if math.isfinite(value) and value]
        return 1000.0 if known and min(known) < SHORT and max(known) < LONG else 1.0


class Cell(NamedTuple):
    """``sort``: a number to sort by; None for text."""

    text: str
    sort: float | None = None
    best: bool = False


def _column(column: Column, frame: pd.DataFrame, aside: int, scale: float) -> list[Cell]:
    if column.kind == "text":
        return [Cell("" if pd.isna(value) else str(value)) for value in frame[column.name]]
    values = _floats(frame, column.name)
    digits = digits_of([value * scale for value in values], column.kind)
    ends = [
        _floats(frame, name) if name else [math.nan] * len(values) for name in (column.upper, column.low, column.high)
    ]
    compared = [value for value in values[: len(values) - aside] if not math.isnan(value)]
    winner = {"least": min, "most": max}[column.best](compared) if column.best and len(compared) > 1 else math.nan
    behind = frame[column.after] if column.after else [""] * len(values)
    cells = []
    for at, (value, upper, low, high, word) in enumerate(zip(values, *ends, behind, strict=True)):
        numbers = [_format_value(end * scale, digits, column, scale) for end in (value, upper, low, high)]
        text = numbers[0]
        if not math.isnan(upper) and upper != value:
            text = f"≥ {numbers[0]}" if math.isinf(upper) else f"{numbers[0]} to {numbers[1]}"
        if not (math.isnan(low) or math.isnan(high)):
            text += f" [{numbers[2]}, {numbers[3]}]"
        text += f" {word}" if word else ""
        cells.append(Cell(text, value, at < len(values) - aside and value == winner and math.isfinite(value)))
    return cells


def _floats(frame: pd.DataFrame, name: str) -> list[float]:
    return [math.nan if pd.isna(value) else float(value) for value in frame[name]]


def _unit(column: Column, scale: float) -> str:
    if column.kind == "seconds":
        return ", ms" if scale > 1 else ", s"
    return {"share": ", %", "mib": ", MiB"}.get(column.kind, "")


def digits_of(values: Sequence[float], kind: Kind) -> int:
    """Behind the point: so many that the least of them has three digits that count, three at most; of factors two.

    >>> digits_of([0.0123, 5], "seconds"), digits_of([1.5, 20], "factor"), digits_of([12.3, 1000], "seconds")
    (3, 2, 1)
    """
    if kind == "factor":
        return 2
    if kind in ("count", "share"):
        return 0
    known = [abs(value) for value in values if math.isfinite(value) and value]
    if not known or all(value.is_integer() for value in known):
        return 0
    return max(0, min(3, 2 - math.floor(math.log10(min(known)))))


def _format_value(value: float, digits: int, column: Column, scale: float) -> str:
    if math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞" if math.isnan(column.beyond) else f"> {column.beyond * scale:,.4g}"
    text = f"{value:+,.{digits}f}" if column.signed else f"{value:,.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}") if column.signed else text


def csv(frame: pd.DataFrame) -> str:
    """The table as CSV: absent values are empty, numbers are whole."""
    return str(frame.to_csv(index=False, lineterminator="\n"))


def plain_columns(
    frame: pd.DataFrame, meanings: Mapping[str, str] | None = None, heads: Mapping[str, str] | None = None
) -> list[Column]:
    """Columns for a frame whose own headings are good enough, but for ``heads``: ``time_s`` is "time", in seconds."""
    made: list[Any] = []
    for name in map(str, frame.columns):
        numeric = pd.api.types.is_numeric_dtype(frame[name]) and not pd.api.types.is_bool_dtype(frame[name])
        kind: Kind = "text" if not numeric else "count" if pd.api.types.is_integer_dtype(frame[name]) else "number"
        kind = "seconds" if name.endswith("_s") and kind != "text" else kind
        head = (heads or {}).get(name, name.removesuffix("_s").replace("_", " "))
        made.append(Column(name, head, kind, meaning=(meanings or {}).get(name, "")))
    return made


# Tables as text: LaTeX with booktabs, Markdown.


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "–": "--", "∞": r"$\infty$", "≥": r"$\geq$", "≤": r"$\leq$", "×": r"$\times$", "·": r"\textperiodcentered{}",
    "\N{MINUS SIGN}": r"$-$", "✗": r"$\times$", "→": r"$\rightarrow$", '"': "''", "|": r"\textbar{}",
}  # fmt: skip


ARTICLE_PT = 345.0
"""Points of the text of LaTeX's article: what a table is made for if nothing is said. Wider papers have room for it."""
PT_PER_CM = 72.27 / 2.54
TOO_WIDE = "pt too wide"
LONGER = 1.5
"""A page is at least so many times as high as a table's width: the room of one that is turned."""


@dataclass(frozen=True)
class TableStyle:
    """How tables are written as LaTeX.

    ``width_pt``: they are no wider. ``columns``: names or headings of those that are kept, in tables that have some.
    ``rules``: by booktabs, or LaTeX's own. ``siunitx``: plain numbers are in its columns. ``spanning``: over the two
    columns of a page (``table*``).
    """

    width_pt: float = ARTICLE_PT
    columns: tuple[str, ...] = ()
    rules: Literal["booktabs", "plain"] = "booktabs"
    siunitx: bool = False
    spanning: bool = False


class _Fit(NamedTuple):
    """A way to make a table narrower: the size of letters, the space between columns, and what is broken into lines.

    ``scale``: of the width of letters; in Computer Modern, small ones are wider than their height says. ``names``: how
    many points of 10-point letters a line of a name may have; longer ones are broken behind a plus or before a solver.
    """

    size: str
    scale: float
    gap: float
    heads: bool
    intervals: bool
    names: float = math.inf
    turned: bool = False
    minor: bool = True


_FITS = (
    _Fit("", 1.0, 6, False, False),
    _Fit("", 1.0, 6, True, False),
    _Fit(r"\small", 0.92, 5, True, False),
    _Fit(r"\footnotesize", 0.85, 4, True, False),
    _Fit(r"\footnotesize", 0.85, 4, True, True),
    *(_Fit(r"\footnotesize", 0.85, 4, True, True, names) for names in (150, 120, 95)),
    *(_Fit(r"\scriptsize", 0.8, 3, True, True, names) for names in (150, 120, 95)),
    _Fit(r"\footnotesize", 0.85, 4, True, True, 62),
    _Fit(r"\scriptsize", 0.8, 3, True, True, 62),
    _Fit(r"\scriptsize", 0.8, 1.5, True, True, 62),
    *(_Fit(r"\footnotesize", 0.85, 4, True, True, names, minor=False) for names in (120, 62)),
    _Fit(r"\scriptsize", 0.8, 3, True, True, 62, minor=False),
    _Fit(r"\scriptsize", 0.8, 1.5, True, True, 62, minor=False),
    _Fit(r"\tiny", 0.68, 1.5, True, True, 62, minor=False),
    _Fit(r"\footnotesize", 0.85, 4, True, False, turned=True),
    _Fit(r"\scriptsize", 0.8, 3, True, False, turned=True),
    *(_Fit(r"\scriptsize", 0.8, 3, True, True, names, turned=True) for names in (math.inf, 120, 62)),
    *(_Fit(r"\footnotesize", 0.85, 4, True, True, names, turned=True, minor=False) for names in (math.inf, 62)),
    *(_Fit(r"\scriptsize", 0.8, gap, True, True, 62, turned=True, minor=False) for gap in (3, 1.5)),
)
"""In order: the first that is narrow enough is taken."""


def points(text: str, scale: float = 1.0, bold: bool = False) -> float:
    """About how many points a text takes in Computer Modern at 10 points, rather too many than too few."""
    ems = 0.0
    for letter in text:
        if letter in "iljft.,;:!|()[]'/ ":
            ems += 0.36
        elif letter in "mwMW%":
            ems += 0.9
        else:
            ems += 0.74 if letter.isupper() or letter in "+=<>≥≤–·&_" else 0.53
    return 10 * ems * scale * (1.15 if bold else 1.0)


def latex(sheet: Sheet, style: TableStyle | None = None) -> str:
    r"""A table for ``\input``, no wider than ``style`` says if that can be; the best is bold.

    Its first line names the packages that it needs. Headings and intervals are broken into lines, and letters made
    smaller, as far as it must be; as a last resort the table is turned (by the package rotating, if it is loaded). One
    that is longer than a page is continued on the next.
    Letters that pdfLaTeX with UTF-8 does not know are written as a question mark.
    """
    style = style or TableStyle()
    whole, sheet = sheet, chosen_columns(sheet, style.columns)
    less = replace(sheet, columns=[column for column in sheet.columns if not column.minor or sheet is not whole])
    shown = {True: sheet, False: less}
    widths = {fit: _width(shown[fit.minor].heads(), shown[fit.minor].cells(), fit) for fit in _FITS}
    fit = next((fit for fit in _FITS if widths[fit] <= _room(fit, style)), _FITS[-1])
    excess = widths[fit] - _room(fit, style)
    left_out = [column.head for column in sheet.columns if not fit.minor and column not in less.columns]
    sheet = shown[fit.minor]
    heads, rows = sheet.heads(), sheet.cells()
    top, middle, bottom = (r"\toprule", r"\midrule", r"\bottomrule") if style.rules == "booktabs" else [r"\hline"] * 3
    kind = "table*" if style.spanning else "table"
    begin, end = rf"\begin{{{kind}}}", rf"\end{{{kind}}}"
    if fit.turned:
        kind = "table*" if style.spanning or style.width_pt < ARTICLE_PT else "table"  # a column is too low for it
        begin, end = (
            rf"\ifdefined\sidewaystable\csname {word}sideways{kind}\endcsname"
            rf"\else\csname {word}{kind}\endcsname\fi"
            for word in ("", "end")
        )
    plain_numbers = [style.siunitx and _plain(row[at] for row in rows) for at in range(len(heads))]
    align = "".join(
        f"S[table-format={shape}]" if shape else "l" if column.kind == "text" else "r"
        for column, shape in zip(sheet.columns, plain_numbers, strict=True)
    )
    lines = [
        f"% needs {', '.join(_packages(style, fit)) or 'no package'}",
        *([f"% some {excess:.0f} {TOO_WIDE}: choose --columns"] if excess > 0 else []),
        *([f"% left out, as there is no room: {', '.join(left_out)}"] if left_out else []),
    ]
    head_row = " & ".join(
        _head(head, column, [row[at].text for row in rows], fit, bool(plain_numbers[at]))
        for at, (head, column) in enumerate(zip(heads, sheet.columns, strict=True))
    )
    for first, behind in _pages(rows, fit):
        label = rf"\label{{tab:{'-'.join(_label(word) for word in (sheet.study, sheet.name) if word)}}}"
        lines += [begin, r"\centering", *([r"\addtocounter{table}{-1}"] if first else [])]
        lines.append(rf"\caption{{{escaped(sheet.caption)}{' (Continued.)' if first else ''}}}")
        lines += [] if first else [label]
        lines += [rf"{fit.size}\setlength{{\tabcolsep}}{{{fit.gap:g}pt}}"] if fit.size else []
        lines += [rf"\begin{{tabular}}{{{align}}}", top, head_row + r" \\", middle]
        for at, row in enumerate(rows[first:behind], first):
            if sheet.aside and at == len(rows) - sheet.aside:
                lines.append(middle)
            written = [_written(cell, fit, bool(s)) for cell, s in zip(row, plain_numbers, strict=True)]
            gap = rf"[{LEADING_PT:g}pt]" if any(r"\shortstack" in text for text in written) else ""
            lines.append(" & ".join(written) + rf" \\{gap}")
        lines += [bottom, r"\end{tabular}", *(_notes(sheet) if behind == len(rows) else []), end]
    return "\n".join(lines) + "\n"


HEIGHT_PT = 440.0
"""Points of a page for the rows of a table; its caption, headings and notes need the rest of LaTeX's 550."""
LINE_PT = 12.0
"""Points of a line of 10-point letters."""
LEADING_PT = 3.0
"""Points between the lines of a stacked cell, besides."""


def _pages(rows: Sequence[Sequence[Cell]], fit: _Fit) -> list[tuple[int, int]]:
    """The rows of each part, as many as a page has room for: the first, and the one behind the last."""
    room = ARTICLE_PT - (550.0 - HEIGHT_PT) if fit.turned else HEIGHT_PT
    pages, first, height = [], 0, 0.0
    for at, row in enumerate(rows):
        stacked = max((len(_parts(cell.text, fit)) for cell in row), default=1)
        needed = stacked * LINE_PT * fit.scale + (stacked if stacked > 1 else 0) * LEADING_PT
        if at > first and height + needed > room:
            pages.append((first, at))
            first, height = at, 0.0
        height += needed
    return [*pages, (first, len(rows))]


def chosen_columns(sheet: Sheet, names: Sequence[str]) -> Sheet:
    """``sheet`` with the columns of these names or headings, in its own order; all, if none of these is of numbers."""
    kept = columns_named(sheet, names)[0]
    columns = [column for at, column in enumerate(sheet.columns) if at in kept]
    return replace(sheet, columns=columns) if any(column.kind != "text" for column in columns) else sheet


def columns_named(sheet: Sheet, names: Sequence[str]) -> tuple[set[int], set[int]]:
    """The places of the columns that ``names`` name, by their name or heading, and of the names that do.

    A heading that has commas ("PAR2 (CPU time), ms") may be several of ``names``.
    """
    known: dict[str, set[int]] = {}
    for at, (column, head) in enumerate(zip(sheet.columns, sheet.heads(), strict=True)):
        for text in {column.name, column.head, head}:
            known.setdefault(text, set()).add(at)
    columns: set[int] = set()
    used: set[int] = set()
    for first in range(len(names)):
        for behind in range(len(names), first, -1):
            if first not in used and (found := known.get(", ".join(names[first:behind]))):
                columns |= found
                used |= set(range(first, behind))
    return columns, used


def _label(word: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in word)


def _packages(style: TableStyle, fit: _Fit) -> list[str]:
    """What the preamble must load."""
    names = ["booktabs"] * (style.rules == "booktabs") + ["siunitx"] * style.siunitx + ["rotating"] * fit.turned
    return [rf"\usepackage{{{name}}}" for name in names]


def _room(fit: _Fit, style: TableStyle) -> float:
    return max(LONGER * style.width_pt, LONGER * ARTICLE_PT) if fit.turned else style.width_pt


def _width(heads: Sequence[str], rows: Sequence[Sequence[Cell]], fit: _Fit) -> float:
    """The points that the table takes."""
    total = 0.0
    for at, head in enumerate(heads):
        cells = [max(points(part, fit.scale, row[at].best) for part in _parts(row[at].text, fit)) for row in rows]
        widest = max(cells, default=0.0)
        names = _broken(head, widest / fit.scale) if fit.heads else [head]
        total += max(widest, *(points(part, fit.scale) for part in names)) + 2 * fit.gap
    return total


def _broken(head: str, room: float) -> list[str]:
    """A heading in lines that are no wider than ``room`` or their only word."""
    lines: list[str] = []
    for word in head.split():
        if lines and points(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def _parts(text: str, fit: _Fit) -> list[str]:
    """A cell in lines: its value and its interval, or a name in pieces."""
    value, bracket, rest = text.partition(" [")
    if bracket:
        return [value, f"[{rest}"] if fit.intervals else [text]
    if points(text) <= fit.names:
        return [text]
    lines: list[str] = []
    for piece in re.findall(r"[^+·]*[+·]?", text)[:-1]:
        if lines and not lines[-1].endswith("·") and points(lines[-1] + piece) <= fit.names:
            lines[-1] += piece
        else:
            lines.append(piece.strip() if lines else piece)
    return lines


def _stacked(lines: Sequence[str], side: str) -> str:
    """Lines above each other, without a package; a bracket at a line's beginning would be read as an option."""
    return rf"\shortstack[{side}]{{{(chr(92) * 2 + '{}').join(lines)}}}" if len(lines) > 1 else lines[0]


def _head(head: str, column: Column, cells: Sequence[str], fit: _Fit, number: bool) -> str:
    if not fit.heads:
        return f"{{{escaped(head)}}}" if number else escaped(head)
    widest = max((points(part) for text in cells for part in _parts(text, fit)), default=0.0)
    text = _stacked([escaped(line) for line in _broken(head, widest)], "l" if column.kind == "text" else "r")
    return f"{{{text}}}" if number else text


def _written(cell: Cell, fit: _Fit, number: bool) -> str:
    """A cell; ``number``: in a column of siunitx, which reads it."""
    if number and not cell.best:
        return cell.text.replace(",", "") if _NUMBER.fullmatch(cell.text) else f"{{{escaped(cell.text)}}}"
    parts = [_bold(cell._replace(text=part)) for part in _parts(cell.text, fit)]
    text = _stacked(parts, "l" if cell.sort is None else "r")
    return f"{{{text}}}" if number else text


_NUMBER = re.compile(r"-?[\d,]+(\.\d+)?")


def _plain(cells: Iterable[Cell]) -> str:
    """The shape of numbers for siunitx (``3.2``: digits before and behind the point); nothing: there are others."""
    texts = [cell.text for cell in cells if cell.text not in ("", NONE)]
    if not texts or not all(_NUMBER.fullmatch(text) for text in texts):
        return ""
    whole, _, part = zip(*(text.replace(",", "").partition(".") for text in texts), strict=True)
    digits = max(map(len, part))
    return f"{max(map(len, whole))}" + (f".{digits}" if digits else "")


def _notes(sheet: Sheet) -> list[str]:
    """The note of a table, and what its columns mean, below it."""
    meanings = [f"{column.head}: {column.meaning}" for column in sheet.columns if column.meaning]
    text = " ".join(
        part for part in (sheet.note, "; ".join(meanings) + "." if meanings and len(meanings) < 9 else "") if part
    )
    return [rf"\par\smallskip{{\footnotesize {escaped(text)}\par}}"] if text else []


def _bold(cell: Cell) -> str:
    return rf"\textbf{{{escaped(cell.text)}}}" if cell.best else escaped(cell.text)


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> escaped("a_b & 50 %"), escaped("2alt/5+6 · x")
    ('a\\_b \\& 50 \\%', '2alt/5+6 \\textperiodcentered{} x')
    """
    return "".join(_LATEX.get(letter, letter if _printed(letter) else "?") for letter in text)


def _printed(letter: str) -> bool:
    """Latin letters with their accents, which pdfLaTeX's inputenc has in any font."""
    return " " <= letter <= "~" or ("\u00a1" <= letter <= "\u017e" and letter not in "\u00ad")


def markdown(sheet: Sheet) -> str:
    """The caption and the table with pipes; the best is bold."""
    marks = ["---:" if c.kind != "text" else "---" for c in sheet.columns]
    rows: list[Sequence[str]] = [list(map(_piped, sheet.heads())), marks]
    rows += [[f"**{_piped(cell.text)}**" if cell.best else _piped(cell.text) for cell in row] for row in sheet.cells()]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    note = f"\n\n{sheet.note}" if sheet.note else ""
    return f"{sheet.caption}\n\n{table}{note}\n"


def _piped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
