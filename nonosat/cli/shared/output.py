"""What commands print: results on stdout, where other programs read them, and notes about them on stderr.

A result is text (such as a picture), or one JSON object on a line.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.making.repair import Repair
    from nonosat.modelling.prove import ModelProof
    from nonosat.puzzles.puzzle import Board, Puzzle
    from nonosat.runs.events import Answer, Statistics
    from nonosat.solvers.sat.proofs import Proof


def note(text: str) -> None:
    """Print a line on stderr. That nobody can read it changes no answer."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Print on stderr what is wrong."""
    note(f"nonosat: {text}")


def json_line(record: Mapping[str, Any]) -> str:
    """The record as JSON on a line."""
    return json.dumps(record, ensure_ascii=False)


def print_json(
    record: Mapping[str, Any],
    puzzle: Puzzle | None = None,
    file: str | None = None,
    index: int | None = None,
    write: Callable[[Mapping[str, Any]], str] = json_line,
) -> None:
    """Print a record on a line, with the puzzle's title, its ``file`` and its ``index`` there, as far as it has them.

    ``write`` makes the line of it.
    """
    place: dict[str, Any] = {} if puzzle is None or not puzzle.title else {"title": puzzle.title}
    place |= {} if file is None else {"file": file}
    place |= {} if index is None else {"index": index}
    print(write({**record, **place}), flush=True)


def plural(count: int, thing: str) -> str:
    """``1 puzzle``, ``2,000 puzzles``."""
    return f"{count:,} {thing}{'s' * (count != 1)}"


def titled(puzzle: Puzzle) -> str:
    """The puzzle's title as the end of a line about it; nothing if it has none."""
    return f" · {puzzle.title}" if puzzle.title else ""


# Answers of solvers.


def print_answer(answer: Answer, file: str) -> None:
    """Print the pictures, or the verdict. A wrong picture is shown on stderr, with what is to blame for it."""
    from nonosat.puzzles.drawing import picture_text

    if answer.pictures:
        colour = sys.stdout.isatty()
        print("\n\n".join(picture_text(picture, colour=colour) for picture in answer.pictures), flush=True)
    else:
        print(answer.verdict, flush=True)
    if answer.rejected is not None:
        note(picture_text(answer.rejected))
        blamed = "the encoding is wrong, or this is a bug" if answer.encoding else "this is a bug of the solver"
        warn(f"the picture above breaks the clues: {blamed}")
    solver = f"{answer.solver}{f', {answer.encoding}' if answer.encoding else ''}"
    parts = [f"{file}: {answer.headline}{', checked' if answer.pictures else ''}", solver, *_cost(answer.statistics)]
    note(" · ".join(part for part in parts if part))


def _cost(about: Statistics) -> list[str]:
    """The formula's size, the times of the stages, and the counters of the search, as far as they are known."""
    parts = []
    if about.clauses is not None:
        parts.append(f"{about.variables:,} variables, {about.clauses:,} clauses")
    times = ((about.encode_s, "encode"), (about.load_s, "load"), (about.solve_s, "solve"))
    parts.append(", ".join(f"{name} {seconds:.4f} s" for seconds, name in times if seconds is not None))
    parts.append(", ".join(f"{count:,} {what}" for what, count in _counters(about) if count is not None))
    return parts


def _counters(about: Statistics) -> list[tuple[str, int | None]]:
    """The counters that describe a search best: of SAT solvers, and of native solvers."""
    names = ("decisions", "conflicts", "placements", "lines_checked", "assumptions", "probes", "nodes")
    return [(name.replace("_", " "), getattr(about, name)) for name in names]


def record_of(answer: Answer, pictures: bool) -> dict[str, Any]:
    """The answer's record; ``pictures``: with all that were found."""
    record: dict[str, Any] = answer.record()
    return record | ({"pictures": [picture.rows() for picture in answer.pictures]} if pictures else {})


def proof_record(proof: Proof | ModelProof, out: str, checked: bool) -> dict[str, Any]:
    """What is proved (null: nothing), and by which files in the folder ``out``."""
    from nonosat.solvers.sat.proofs import FORMULA, PROOF

    names = (None, None) if proof.steps is None else (str(Path(out, name)) for name in (FORMULA, PROOF))
    formula, drat = names
    return {
        "proved": None if proof.steps is None else proof.claim,
        "encoding": proof.encoding,
        "solver": proof.solver,
        "steps": None if proof.steps is None else len(proof.steps),
        "checked": None if proof.steps is None else checked,
        "formula": formula,
        "proof": drat,
    }


# Drawings and repairs.


def drawer_to(out: str, pixels: bool = False) -> Callable[[Puzzle | None, Board | None], None]:
    """A function that draws to the file ``out``. Its suffix is checked now, before anything has been computed.

    ``pixels``: the picture alone, a pixel a cell.
    """
    from nonosat.files import shown, suffix_of

    suffix = suffix_of(out)
    if out != "-" and suffix not in (".png", ".svg", ".txt", ".pdf"):
        raise UnsupportedError(f"{shown(out)}: draws .png, .svg or .txt, and .pdf")
    if pixels and suffix != ".png":
        raise UnsupportedError(f"{shown(out)}: a pixel a cell is for .png")

    def drawer(puzzle: Puzzle | None, picture: Board | None) -> None:
        from nonosat.files import write_atomically

        assert puzzle is not None
        data: str | bytes
        if pixels:
            from nonosat.puzzles.drawing import pixel_art

            board = puzzle.goal if picture is None else picture
            if board is None:
                raise UnsupportedError("the puzzle has no picture of its own for a pixel a cell: --solve finds it")
            data = pixel_art(board)
        elif suffix == ".pdf":
            from nonosat.printing.booklet import alone

            data = alone(puzzle, picture)
        elif suffix == ".png":
            from nonosat.puzzles.drawing import png

            data = png(puzzle, picture)
        elif suffix == ".svg":
            from nonosat.puzzles.drawing import svg

            data = svg(puzzle, picture)
        else:
            from nonosat.puzzles.drawing import puzzle_text

            data = puzzle_text(puzzle, picture, colour=out == "-" and sys.stdout.isatty()) + "\n"
        write_atomically(out, data)

    return drawer


def format_repair(repair: Repair, line_solvable: bool) -> str:
    """What was changed: ``unique, 1 of 9 cells changed (11 %): 2,3 #→.``."""
    goal = "line-solvable" if line_solvable else "unique"
    if not repair.changes and repair.reason is None:
        return f"{goal} as it is, no cell changed"
    puzzle = repair.puzzle
    symbols = "." + "".join(colour.symbol for colour in puzzle.palette)
    changes = "  ".join(f"{c.row + 1},{c.column + 1} {symbols[c.old]}→{symbols[c.new]}" for c in repair.changes)
    cells = puzzle.height * puzzle.width
    if repair.reason is not None:
        goal = f"not {goal} yet, {repair.reason}"
    return f"{goal}, {len(repair.changes):,} of {cells:,} cells changed ({100 * repair.share:.2g} %): {changes}"
