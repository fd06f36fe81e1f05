"""``nonosat draw``: a puzzle with its clues, and a picture in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.output import drawer_to, headline
from nonosat.errors import FormatError, UnsupportedError

if TYPE_CHECKING:
    from nonosat.puzzles.puzzle import Board


@click.command("draw")
@click.argument("file", shell_complete=completion.files)
@click.argument("out", shell_complete=completion.files)
@click.option(
    "--picture",
    metavar="PICTURE",
    shell_complete=completion.files,
    help="Draw this text picture into the board (it is not checked).",
)
@click.option("--solve", "solved", is_flag=True, help="Solve the puzzle and draw the picture.")
@options.limits
@options.index
@options.from_format
def command(
    file: str,
    out: str,
    picture: str | None,
    solved: bool,
    time_limit: float | None,
    cpu_limit: float | None,
    memory_limit: float | None,
    index: int | None,
    from_format: str | None,
) -> None:
    """Draw the puzzle in FILE with its clues to OUT: .png, .svg or .txt ('-': text on stdout).

    The limits are those of --solve.
    """
    from nonosat.cli.shared.puzzles import puzzle_of
    from nonosat.files import read_text, shown
    from nonosat.puzzles.drawing import read_picture

    if picture is not None and solved:
        raise click.UsageError("--picture and --solve exclude each other")
    drawer = drawer_to(out)
    puzzle = puzzle_of(file, from_format, index)
    drawn: Board | None = None
    if picture is not None:
        try:
            drawn = read_picture(read_text(picture), puzzle)
        except FormatError as error:
            raise error.at(shown(picture)) from None
    elif solved:
        from nonosat.solvers.solve import solve

        limits: dict[str, Any] = {"time_limit_s": time_limit, "cpu_limit_s": cpu_limit, "memory_limit_mb": memory_limit}
        answer = solve(puzzle, **limits)
        if answer.picture is None:
            raise UnsupportedError(f"{file}: {headline(answer)}: there is no picture to draw")
        drawn = answer.picture
    drawer(puzzle, drawn)
