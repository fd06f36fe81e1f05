"""What benchmark programs write: a table as CSV and Markdown, with the machine in its head."""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nonosat.files import write_atomically
from nonosat.studies.provenance import machine

Row = dict[str, Any]


def shown(value: Any) -> str:
    """A number as people read it: three digits that count."""
    if not isinstance(value, float):
        return "-" if value is None else str(value)
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def number(text: str) -> Any:
    """What a cell of a table says: a number, if it is one; None if there is nothing."""
    if not text:
        return None
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def asked(description: str | None, sizes: Sequence[int]) -> tuple[Path | None, list[int]]:
    """The command line ``[-o DIR] [SIZE...]``: where results go, if anywhere, and which sizes are asked for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    parser.add_argument("sizes", metavar="SIZE", nargs="*", type=int, default=list(sizes))
    chosen = parser.parse_args()
    return chosen.out, chosen.sizes


def write_rows(path: Path, columns: Sequence[str], rows: list[Row]) -> None:
    """Write ``rows`` as CSV."""
    text = io.StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n", extrasaction="ignore")
    table.writeheader()
    table.writerows({key: round(v, 5) if isinstance(v, float) else v for key, v in row.items()} for row in rows)
    write_atomically(path, text.getvalue())


def write_table(
    out: Path, name: str, columns: Sequence[str], rows: list[Row], note: str = "", measured_on: str = ""
) -> None:
    """Write ``rows`` to NAME.csv and NAME.md in the folder ``out``; ``measured_on``: a machine that is not this one."""
    out.mkdir(parents=True, exist_ok=True)
    write_rows(out / f"{name}.csv", columns, rows)
    heads = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    body = ["| " + " | ".join(shown(row.get(column)) for column in columns) + " |" for row in rows]
    head = "; ".join(part for part in (measured_on or machine(), note) if part)
    write_atomically(out / f"{name}.md", "\n".join([head, "", *heads, *body]) + "\n")
