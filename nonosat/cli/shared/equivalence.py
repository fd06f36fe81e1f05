"""Whether an encoding is right for a puzzle, proved in both directions without a solver: as it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nonosat.cli.shared import exits
from nonosat.cli.shared.output import complain, tell

if TYPE_CHECKING:
    from nonosat.certificates.equivalence import Equivalence
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle


def compare(puzzle: Puzzle, encoding: str, limits: Mapping[str, Any], file: str, as_json: bool, show: Ticker) -> int:
    """Prove that the encoding says what the puzzle's statement says, and print it, or what is wrong: the exit code."""
    from nonosat.certificates.equivalence import equivalent
    from nonosat.errors import SolverError

    try:
        found = equivalent(puzzle, encoding, **limits, on_progress=show)
    except SolverError as error:
        complain(f"{file}: {error}")
        return exits.FAILED
    show.hide()
    (_print_json if as_json else _print_text)(found, file)
    if found.stopped is not None:
        return exits.NO_ANSWER
    return exits.DONE if found else exits.FAILED


def _print_text(found: Equivalence, file: str) -> None:
    print(found, flush=True)
    if found.stopped is not None:
        return
    if found.difference is not None and found.difference.board is not None:
        print(f"\n{found.difference.about_board}:\n{found.difference.board}", flush=True)
    verdicts = {True: "equivalent", False: "not equivalent", None: "not known to be equivalent"}
    tell(f"{file}: {verdicts[found.settled]} · {found.lines:,} lines of proof, checked")


def _print_json(found: Equivalence, file: str) -> None:
    import json

    fault = found.difference
    record = {
        "file": file,
        "encoding": found.encoding,
        "equivalent": found.settled,
        "stopped": None if found.stopped is None else str(found.stopped),
        "reason": found.reason,
        "clauses": found.clauses,
        "constraints": found.constraints,
        "lines": found.lines,
        "lost": None if fault is None else fault.lost,
        "part": None if fault is None else fault.part,
        "said": None if fault is None else fault.said,
        "board": None if fault is None or fault.board is None else fault.board.rows(),
    }
    print(json.dumps(record, ensure_ascii=False), flush=True)
