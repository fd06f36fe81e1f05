"""An answer as it is printed: the picture on stdout and what is said about it on stderr, or a record in JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from nonosat.cli.shared.telling import complain, tell

if TYPE_CHECKING:
    from nonosat.solvers.answer import Answer, Statistics


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
    from nonosat.puzzles.drawing.text import picture_text

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
