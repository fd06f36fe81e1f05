"""``nonosat print``: puzzles as a booklet on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.puzzles import puzzles_of
from nonosat.cli.shared.telling import tell
from nonosat.errors import NonosatError, UnsupportedError
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.puzzles.puzzle import Board, Puzzle


@click.command("print")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", "out", required=True, metavar="OUT", help="The booklet: .pdf ('-': stdout).")
@click.option("--title", default="", metavar="TEXT", help="A heading for the first page.")
@click.option("--paper", default="A4", show_default=True, metavar="NAME", help="A4, Letter or A3.")
@click.option("--no-solutions", is_flag=True, help="Print no solutions at the end.")
@click.option(
    "--time-limit", type=float, default=10.0, show_default=True, metavar="S", help="Wall seconds to solve a puzzle."
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
) -> None:
    """Print the puzzles in FILE... as a booklet to OUT, several a page where they fit, then their solutions.

    A FILE is a puzzle, or an image of a cell a pixel. Vectors on A4, Letter or A3; clues in colours have letters too.
    """
    from nonosat.files import suffix_of, write_atomically

    if out != "-" and suffix_of(out) != ".pdf":
        raise UnsupportedError(f"{out}: prints .pdf")
    with ticker() as show:
        show("reading")
        puzzles = [puzzle for file in files for puzzle in _puzzles(file, from_format)]
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


def _puzzles(file: str, from_format: str | None) -> list[Puzzle]:
    from nonosat.experiments.puzzle_files import IMAGES, puzzles_in
    from nonosat.files import suffix_of

    if from_format is None and suffix_of(file) in IMAGES:
        return puzzles_in(Path(file))
    return puzzles_of(file, from_format, None)


def _solution(puzzle: Puzzle, time_limit: float) -> Board | None:
    """Its goal, if that is right, or what the default solver finds."""
    from nonosat.puzzles.check import fault
    from nonosat.solvers.solve import solve

    if puzzle.goal is not None and fault(puzzle, puzzle.goal) is None:
        return puzzle.goal
    try:
        return solve(puzzle, time_limit_s=time_limit).picture
    except NonosatError as error:
        tell(str(error))
        return None
