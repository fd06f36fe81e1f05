"""``nonosat draw``: a puzzle with its clues, and a picture in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.commands import Exit, SearchCommand, exit_code
from nonosat.cli.shared.output import drawer_to, note
from nonosat.cli.shared.puzzles import puzzle_of
from nonosat.errors import FormatError, UnsupportedError

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Board


@click.command("draw", cls=SearchCommand)
@options.file
@click.argument("out", shell_complete=completion.files)
@click.option(
    "--picture",
    metavar="PICTURE",
    shell_complete=completion.files,
    help="Draw this text picture into the board (it is not checked).",
)
@click.option("--solve", "solved", is_flag=True, help="Solve the puzzle and draw the picture.")
@click.option("--pixels", is_flag=True, help="The picture alone, a pixel a cell (.png): its own, or with --solve.")
@options.limits()
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    file: str,
    out: str,
    picture: str | None,
    solved: bool,
    pixels: bool,
    limits: dict[str, Any],
    index: int | None,
    from_format: str | None,
) -> Exit:
    """Draw the puzzle in FILE with its clues to OUT: .png, .svg, .pdf or .txt ('-': text on stdout).

    Or a page to play it on: .html, one file that needs no network and has no solution.
    The limits are those of --solve. Exit code: 0, also where a limit is reached, and nothing is drawn then; 1 the
    solver failed; 2 bad input, or no solution.
    """
    from nonosat.files import read_text, shown, suffix_of, write_atomically
    from nonosat.puzzles.drawing import read_picture

    if picture is not None and solved:
        raise click.UsageError("--picture and --solve exclude each other")
    if suffix_of(out) == ".html":
        if picture is not None or solved or pixels:
            raise click.UsageError("a page to play has no picture: --picture, --solve and --pixels are for drawings")
        from nonosat.app.making import page_to_play

        write_atomically(out, page_to_play(puzzle_of(file, from_format, index)))
        return Exit.DONE
    drawer = drawer_to(out, pixels)
    puzzle = puzzle_of(file, from_format, index)
    drawn: Board | None = None
    if picture is not None:
        try:
            drawn = read_picture(read_text(picture), puzzle)
        except FormatError as error:
            raise error.at(shown(picture)) from None
    elif solved:
        from nonosat.solvers.solve import solve

        show("solving")
        answer = solve(puzzle, **limits)
        show.hide()
        code = exit_code([answer])
        if code is Exit.UNSAT:
            raise UnsupportedError(f"{file}: {answer.headline}: there is no picture to draw")
        if answer.picture is None:
            note(f"{file}: {answer.headline}: no picture was found, and none is drawn")
            return code
        drawn = answer.picture
    drawer(puzzle, drawn)
    return Exit.DONE
