"""A table and how its columns are read: headings in words, units, one number format each, the best marked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Sheet:
    """A table under the name of its files. ``aside``: how many rows at the end are not compared with the others."""

    name: str
    caption: str
    frame: pd.DataFrame
    columns: Sequence[Column]
    opened: bool = False
    aside: int = 0
    note: str = ""

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


def plain_columns(frame: pd.DataFrame, meanings: Mapping[str, str] | None = None) -> list[Column]:
    """Columns for a frame whose own headings are good enough: ``time_s`` is "time, s"."""
    made: list[Any] = []
    for name in map(str, frame.columns):
        numeric = pd.api.types.is_numeric_dtype(frame[name]) and not pd.api.types.is_bool_dtype(frame[name])
        kind: Kind = "text" if not numeric else "count" if pd.api.types.is_integer_dtype(frame[name]) else "number"
        head = f"{name[:-2]}, s" if name.endswith("_s") else name
        made.append(Column(name, head.replace("_", " "), kind, meaning=(meanings or {}).get(name, "")))
    return made


# Tables as text: LaTeX with booktabs, Markdown.


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "–": "--", "∞": r"$\infty$", "≥": r"$\geq$", "≤": r"$\leq$", "×": r"$\times$", "·": r"\textperiodcentered{}",
    "\N{MINUS SIGN}": r"$-$", "✗": r"$\times$", "→": r"$\rightarrow$", '"': "''", "|": r"\textbar{}",
}  # fmt: skip


def latex(sheet: Sheet) -> str:
    r"""A table for ``\input``, which needs the package booktabs; the best is bold.

    Letters that pdfLaTeX with UTF-8 does not know are written as a question mark.
    """
    numeric = [c.kind != "text" for c in sheet.columns]
    rows = sheet.cells()
    lines = [
        "% needs \\usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(sheet.caption)}}}",
        rf"\label{{tab:{''.join(c if c.isascii() and c.isalnum() else '-' for c in sheet.name)}}}",
        rf"\begin{{tabular}}{{{''.join('r' if number else 'l' for number in numeric)}}}",
        r"\toprule",
        " & ".join(map(escaped, sheet.heads())) + r" \\",
        r"\midrule",
    ]
    for at, row in enumerate(rows):
        if sheet.aside and at == len(rows) - sheet.aside:
            lines.append(r"\midrule")
        lines.append(" & ".join(_bold(cell) for cell in row) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


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
