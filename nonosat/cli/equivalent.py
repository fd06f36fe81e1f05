"""``nonosat equivalent``: whether an encoding is right for a puzzle, proved in both directions without a solver."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import exits, options
from nonosat.cli.shared.telling import tell
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.certificates.equivalence import Equivalence


@click.command("equivalent")
@click.argument("file")
@options.encoding
@click.option("--json", "as_json", is_flag=True, help="Print what was found in JSON.")
@options.index
@options.from_format
def command(file: str, encoding: str | None, as_json: bool, index: int | None, from_format: str | None) -> int:
    """Prove that an encoding says of the puzzle in FILE what its rules say.

    Every clause follows from the puzzle's own statement, and the statement from the clauses; no solver is asked. If
    not, tells the clause (by its rule, line and runs) or the constraint that is lost, and a board that shows it. Exit
    code: 0 both are proved, 1 one is not, 2 bad input.
    """
    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.certificates.equivalence import equivalent
        from nonosat.puzzles.formats import load

        found = equivalent(load(file, from_format, index), encoding, on_progress=show)
    (_print_json if as_json else _print_text)(found, file)
    return exits.DONE if found else exits.FAILED


def _print_text(found: Equivalence, file: str) -> None:
    print(found, flush=True)
    if found.difference is not None and found.difference.board is not None:
        print(f"\n{found.difference.about_board}:\n{found.difference.board}", flush=True)
    tell(f"{file}: {'equivalent' if found else 'not equivalent'} · {found.lines:,} lines of proof, checked")


def _print_json(found: Equivalence, file: str) -> None:
    fault = found.difference
    record = {
        "file": file,
        "encoding": found.encoding,
        "equivalent": bool(found),
        "clauses": found.clauses,
        "constraints": found.constraints,
        "lines": found.lines,
        "lost": None if fault is None else fault.lost,
        "part": None if fault is None else fault.part,
        "said": None if fault is None else fault.said,
        "board": None if fault is None or fault.board is None else fault.board.rows(),
    }
    print(json.dumps(record, ensure_ascii=False), flush=True)
