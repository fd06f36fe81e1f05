"""Whether an encoding is right for a puzzle, proved in both directions without a solver: as it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.cli.shared import exits
from nonosat.cli.shared.telling import tell

if TYPE_CHECKING:
    from nonosat.certificates.equivalence import Equivalence
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle


def compare(puzzle: Puzzle, encoding: str, file: str, as_json: bool, show: Ticker) -> int:
    """Prove that the encoding says what the puzzle's statement says, and print it, or what is wrong: the exit code."""
    from nonosat.certificates.equivalence import equivalent

    found = equivalent(puzzle, encoding, on_progress=show)
    show.hide()
    (_print_json if as_json else _print_text)(found, file)
    return exits.DONE if found else exits.FAILED


def _print_text(found: Equivalence, file: str) -> None:
    print(found, flush=True)
    if found.difference is not None and found.difference.board is not None:
        print(f"\n{found.difference.about_board}:\n{found.difference.board}", flush=True)
    given_up = found.difference is not None and found.difference.given_up
    verdict = "equivalent" if found else "not known to be equivalent" if given_up else "not equivalent"
    tell(f"{file}: {verdict} · {found.lines:,} lines of proof, checked")


def _print_json(found: Equivalence, file: str) -> None:
    import json

    fault = found.difference
    record = {
        "file": file,
        "encoding": found.encoding,
        "equivalent": None if fault is not None and fault.given_up else bool(found),
        "clauses": found.clauses,
        "constraints": found.constraints,
        "lines": found.lines,
        "lost": None if fault is None else fault.lost,
        "part": None if fault is None else fault.part,
        "said": None if fault is None else fault.said,
        "board": None if fault is None or fault.board is None else fault.board.rows(),
    }
    print(json.dumps(record, ensure_ascii=False), flush=True)
