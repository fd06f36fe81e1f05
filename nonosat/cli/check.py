"""``nonosat check``: is a picture right?"""

from __future__ import annotations

import click

from nonosat.cli.shared import exits, options
from nonosat.errors import FormatError, SizeError


@click.command("check")
@click.argument("file")
@click.argument("picture")
@options.index
@options.from_format
def command(file: str, picture: str, index: int | None, from_format: str | None) -> int:
    """Is the text PICTURE ('-': stdin) a solution of the puzzle in FILE?

    Exit code 0: yes; 1: no, and why not (the first line that is wrong, or another size than the puzzle's); 2: PICTURE
    is no picture.
    """
    from nonosat.cli.shared.puzzles import puzzle_of
    from nonosat.files import read_text, shown
    from nonosat.puzzles.check import fault
    from nonosat.puzzles.drawing.text import read_picture

    puzzle = puzzle_of(file, from_format, index)
    pictures = _several(read_text(picture), puzzle.shape[0])
    code = exits.DONE
    for number, text in enumerate(pictures, 1):
        wrong: object
        try:
            wrong = fault(puzzle, read_picture(text, puzzle))
        except SizeError as error:
            wrong = error.reason
        except FormatError as error:
            raise error.at(shown(picture)) from None
        which = f"picture {number}: " if len(pictures) > 1 else ""
        print(f"{shown(picture)}: {which}" + ("right" if wrong is None else f"wrong: {wrong}"))
        code = code if wrong is None else exits.FAILED
    return code


def _several(text: str, height: int) -> list[str]:
    """The pictures in ``text``: with `--all` and the like, `solve` prints several, with an empty line between them."""
    blocks = [block for block in text.strip("\n").split("\n\n") if block]
    return blocks if len(blocks) > 1 and all(block.count("\n") == height - 1 for block in blocks) else [text]
