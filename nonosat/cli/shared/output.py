"""An answer as it is printed: the picture on stdout and what is said about it on stderr, or a record in JSON."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.making.repair import Repair
    from nonosat.puzzles.puzzle import Board, Puzzle
    from nonosat.runs.events import Answer, Statistics


# Phrases that several commands print.


def plural(count: int, thing: str) -> str:
    """``1 puzzle``, ``2,000 puzzles``."""
    return f"{count:,} {thing}{'s' * (count != 1)}"


def titled(puzzle: Puzzle) -> str:
    """The puzzle's title as the end of a line about it; nothing if it has none."""
    return f" · {puzzle.title}" if puzzle.title else ""


# What is said on stderr; what is asked for goes to stdout, so that another program can read it.


def tell(text: str) -> None:
    """Say something on stderr. That nobody can hear it changes no answer."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def complain(text: str) -> None:
    """Say what is wrong."""
    tell(f"nonosat: {text}")


def headline(answer: Answer) -> str:
    """The answer in a few words: ``SAT, the only solution``."""
    text = str(answer.verdict)
    if answer.pictures:
        found = len(answer.pictures)
        if answer.unique:
            text += ", the only solution"
        elif answer.exhausted:
            text += f", all {found} solutions"
        elif found > 1:
            text += f", {found} solutions found, there may be more"
    if answer.stopped is not None and answer.pictures:
        text += f"; then {answer.stopped}"
    if answer.reason:
        text += f" ({answer.reason})"
    return text


def print_answer(answer: Answer, file: str) -> None:
    """The pictures, or the verdict; a picture that is wrong is shown, and told whose fault it is."""
    from nonosat.puzzles.drawing import picture_text

    if answer.pictures:
        colour = sys.stdout.isatty()
        print("\n\n".join(picture_text(picture, colour=colour) for picture in answer.pictures), flush=True)
    else:
        print(answer.verdict, flush=True)
    if answer.rejected is not None:
        tell(picture_text(answer.rejected))
        blamed = "the encoding is wrong, or this is a bug" if answer.encoding else "this is a bug of the solver"
        complain(f"the picture above breaks the clues: {blamed}")
    solver = f"{answer.solver}{f', {answer.encoding}' if answer.encoding else ''}"
    parts = [f"{file}: {headline(answer)}{', checked' if answer.pictures else ''}", solver, *_cost(answer.statistics)]
    tell(" · ".join(part for part in parts if part))


def _cost(about: Statistics) -> list[str]:
    """What is known of the formula's size, of the stages' times, and of the search."""
    parts = []
    if about.clauses is not None:
        parts.append(f"{about.variables:,} variables, {about.clauses:,} clauses")
    times = ((about.encode_s, "encode"), (about.load_s, "load"), (about.solve_s, "solve"))
    parts.append(", ".join(f"{name} {seconds:.4f} s" for seconds, name in times if seconds is not None))
    parts.append(", ".join(f"{count:,} {what}" for what, count in _counters(about) if count is not None))
    return parts


def _counters(about: Statistics) -> list[tuple[str, int | None]]:
    """The counters that tell most of a search: of SAT solvers, and of native ones."""
    names = ("decisions", "conflicts", "placements", "lines_checked", "assumptions", "probes", "nodes")
    return [(name.replace("_", " "), getattr(about, name)) for name in names]


def print_json(answer: Answer, index: int | None, pictures: bool, file: str | None = None) -> None:
    """The answer's record on a line, with the puzzle's title, its ``file`` and its ``index`` there, if it has them."""
    import json

    record: dict[str, Any] = answer.record()
    if answer.puzzle is not None and answer.puzzle.title:
        record["title"] = answer.puzzle.title
    if file is not None:
        record["file"] = file
    if index is not None:
        record["index"] = index
    if pictures:
        record["pictures"] = [picture.rows() for picture in answer.pictures]
    print(json.dumps(record, ensure_ascii=False), flush=True)


# Drawings of puzzles and pictures, to the file that the user names.


def drawer_to(out: str) -> Callable[[Puzzle | None, Board | None], None]:
    """What draws to the file ``out``; its suffix is looked at now, before anything has been computed."""
    from nonosat.files import shown, suffix_of

    suffix = suffix_of(out)
    if out != "-" and suffix not in (".png", ".svg", ".txt"):
        raise UnsupportedError(f"{shown(out)}: draws .png, .svg or .txt")

    def drawer(puzzle: Puzzle | None, picture: Board | None) -> None:
        from nonosat.files import write_atomically

        assert puzzle is not None
        data: str | bytes
        if suffix == ".png":
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


# What a repair has changed, for people.


def format_repair(repair: Repair, line_solvable: bool) -> str:
    """What was changed: ``unique, 1 of 9 cells changed (11 %): 2,3 #→.``."""
    goal = "line-solvable" if line_solvable else "unique"
    if not repair.changes and repair.reason is None:
        return f"{goal} as it is, no cell changed"
    puzzle = repair.puzzle
    symbols = "." + "".join(colour.symbol for colour in puzzle.palette)
    told = "  ".join(f"{c.row + 1},{c.column + 1} {symbols[c.old]}→{symbols[c.new]}" for c in repair.changes)
    cells = puzzle.height * puzzle.width
    if repair.reason is not None:
        goal = f"not {goal} yet, {repair.reason}"
    return f"{goal}, {len(repair.changes):,} of {cells:,} cells changed ({100 * repair.share:.2g} %): {told}"
