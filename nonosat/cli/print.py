"""``nonosat print``: puzzles as a booklet on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, exits, options
from nonosat.cli.shared.output import tell
from nonosat.cli.shared.puzzles import Sources, files_argument
from nonosat.errors import NonosatError, UnsupportedError
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.puzzles.puzzle import Board, Puzzle


@click.command("print")
@files_argument
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    metavar="OUT",
    shell_complete=completion.files,
    help="The booklet: .pdf ('-': stdout).",
)
@click.option(
    "--title", default="", metavar="TEXT", shell_complete=completion.nothing, help="A heading for the first page."
)
@click.option(
    "--paper",
    default="A4",
    show_default=True,
    metavar="NAME",
    shell_complete=completion.papers,
    help="A4, Letter or A3.",
)
@click.option("--no-solutions", is_flag=True, help="Print no solutions at the end.")
@click.option(
    "--time-limit",
    type=options.POSITIVE,
    default=10.0,
    show_default=True,
    metavar="S",
    help="Wall seconds to solve a puzzle.",
)
@options.from_format
def command(
    files: tuple[str, ...],
    out: str,
    title: str,
    paper: str,
    no_solutions: bool,
    time_limit: float,
    from_format: str | None,
) -> int:
    """Print the puzzles in FILES as a booklet to OUT, several a page where they fit, then their solutions.

    FILES may be folders, too; what can't be read is told and left out, and the exit code is 2 then. Vectors on A4,
    Letter or A3; clues in colours have letters too.
    """
    from nonosat.files import shown, suffix_of, write_atomically

    if out != "-" and suffix_of(out) != ".pdf":
        raise UnsupportedError(f"{shown(out)}: prints .pdf")
    with ticker() as show:
        show("reading")
        sources = Sources(files, from_format, None, show)
        puzzles = [asked.puzzle for asked in sources]
        if not puzzles:  # which was told, file by file
            return sources.code(exits.DONE)
        boards: list[Board | None] = []
        for number, puzzle in enumerate(puzzles if not no_solutions else [], 1):
            show(f"solving {number} of {len(puzzles)}")
            boards.append(_solution(puzzle, time_limit))
            if boards[-1] is None:
                show.hide()
                tell(f"puzzle {number}: no solution was found, and none is printed")
        show("printing")
        from nonosat.printing.booklet import booklet

        data = booklet(puzzles, boards, title, paper)
    write_atomically(out, data)
    return sources.code(exits.DONE)


def _solution(puzzle: Puzzle, time_limit: float) -> Board | None:
    """Its goal, if that is right, or what the default solver finds."""
    from nonosat.puzzles.puzzle import fault
    from nonosat.solvers.solve import solve

    if puzzle.goal is not None and fault(puzzle, puzzle.goal) is None:
        return puzzle.goal
    try:
        return solve(puzzle, time_limit_s=time_limit).picture
    except NonosatError as error:
        tell(str(error))
        return None
