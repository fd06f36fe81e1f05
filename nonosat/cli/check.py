"""``nonosat check``: is a picture right?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.commands import Exit
from nonosat.cli.shared.output import warn
from nonosat.errors import FormatError, NonosatError, SizeError

if TYPE_CHECKING:
    from nonosat.puzzles.puzzle import Puzzle


@click.command("check")
@options.file
@click.argument("pictures", metavar="PICTURES...", nargs=-1, required=True, shell_complete=completion.files)
@options.index
@options.from_format
def command(file: str, pictures: tuple[str, ...], index: int | None, from_format: str | None) -> Exit:
    """Are the texts PICTURES ('-': stdin) solutions of the puzzle in FILE?

    Exit code 0: yes, all; 1: no, and why not (the first line that is wrong, or another size than the puzzle's); 2: one
    of PICTURES is no picture, which is named on stderr; the others are checked all the same.
    """
    from nonosat.cli.shared.puzzles import puzzle_of

    puzzle = puzzle_of(file, from_format, index)
    codes = {Exit.DONE}
    for picture in pictures:
        try:
            for line, right in _checked(puzzle, picture):
                print(line)
                codes.add(Exit.DONE if right else Exit.FAILED)
        except NonosatError as error:
            warn(str(error))
            codes.add(Exit.BAD_INPUT)
    return max(codes)


def _checked(puzzle: Puzzle, picture: str) -> Iterator[tuple[str, bool]]:
    """A line about each picture in the text ``picture``, and whether it is right."""
    from nonosat.files import read_text, shown
    from nonosat.puzzles.drawing import read_picture
    from nonosat.puzzles.puzzle import fault

    texts = _several(read_text(picture), puzzle.shape[0])
    for number, text in enumerate(texts, 1):
        wrong: object
        try:
            wrong = fault(puzzle, read_picture(text, puzzle))
        except SizeError as error:
            wrong = error.reason
        except FormatError as error:
            raise error.at(shown(picture)) from None
        which = f"picture {number}: " if len(texts) > 1 else ""
        yield f"{shown(picture)}: {which}" + ("right" if wrong is None else f"wrong: {wrong}"), wrong is None


def _several(text: str, height: int) -> list[str]:
    """The pictures in ``text``: with `--all` and the like, `solve` prints several, with an empty line between them."""
    blocks = [block for block in text.strip("\n").split("\n\n") if block]
    return blocks if len(blocks) > 1 and all(block.count("\n") == height - 1 for block in blocks) else [text]
