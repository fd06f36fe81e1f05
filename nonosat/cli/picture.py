"""``nonosat picture``: a puzzle of an image."""

from __future__ import annotations

from collections.abc import Iterable

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.output import note


def _dithers(begun: str) -> Iterable[str]:
    from nonosat.puzzles.nonogram.images import DITHERS

    return DITHERS


@click.command("picture")
@click.argument("image", metavar="IMAGE", shell_complete=completion.files)
@click.argument("out", metavar="OUT", shell_complete=completion.files)
@click.option(
    "--size",
    metavar="HxW",
    shell_complete=completion.nothing,
    help="Rows x columns; 30x or x40 in proportion, 40 the longer side, or auto.",
)
@click.option(
    "--threshold", type=float, metavar="T", help="Cells darker than T (0 to 1) are filled; Otsu's by default."
)
@click.option("--invert", is_flag=True, help="Fill the light cells, not the dark ones.")
@click.option(
    "--dither",
    default="none",
    show_default=True,
    metavar="NAME",
    shell_complete=completion.names_of(_dithers),
    help="none, floyd-steinberg or bayer.",
)
@click.option("--colours", type=int, metavar="N", help="A puzzle in at most N colours.")
@click.option(
    "--blank",
    metavar="#RRGGBB",
    shell_complete=completion.nothing,
    help="The colour that is blank; by default transparency, or the lightest.",
)
@click.option("--frame", type=click.IntRange(min=1), default=1, show_default=True, help="Of an animation, from 1.")
@options.title("The puzzle's title.")
@options.to_format()
def command(
    image: str,
    out: str,
    size: str | None,
    threshold: float | None,
    invert: bool,
    dither: str,
    colours: int | None,
    blank: str | None,
    frame: int,
    title: str,
    to_format: str | None,
) -> None:
    """Make a puzzle of the picture in IMAGE ('-': stdin): PNG, GIF, JPEG, PBM, ..., a cell a pixel unless --size says.

    With --size auto, pixel art that was enlarged gets a cell for each of its squares. A puzzle may have solutions
    other than the picture: `nonosat solve --unique` finds out.
    """
    from nonosat.files import read_bytes
    from nonosat.puzzles.formats import format as format_named
    from nonosat.puzzles.formats import format_of, save
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.nonogram.images import ImageOptions, drawn_in, load_image, size_of

    chosen = format_of(out, "--to") if to_format is None else format_named(to_format)
    wanted = None if size is None else size_of(size)
    drawn = load_image(image, ImageOptions(wanted, threshold, invert, dither, colours, blank, frame))
    puzzle = Nonogram.from_picture(drawn, title)
    save(puzzle, out, chosen.name)
    shades = f"{puzzle.colours} colours" if colours and puzzle.colours > 1 else "one colour"
    note(f"{out}: {puzzle.height}x{puzzle.width}, {shades}, {(drawn.cells > 0).mean():.0%} filled ({chosen.name})")
    if colours is None and image != "-" and (own := drawn_in(read_bytes(image), frame)) > 1:
        note(f"{image}: is drawn in {own} colours besides blank; --colours {own} keeps them")
