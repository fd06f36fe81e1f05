"""Tables as text: LaTeX with booktabs, Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.experiments.analysis.sheets.sheet import Cell, Sheet

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
