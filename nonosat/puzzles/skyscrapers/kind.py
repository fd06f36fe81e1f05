"""The record of Skyscrapers: where everything that belongs to this kind of puzzle is, by name."""

from nonosat import references
from nonosat.puzzles.puzzle import Format, PuzzleKind

_HERE = "nonosat.puzzles.skyscrapers."
_FORMATS = _HERE + "formats."


def _format(name: str, suffixes: tuple[str, ...], description: str) -> Format:
    """A format whose functions are in the file of its name."""
    module = _FORMATS + name
    return Format(name, suffixes, description, module + ":read", module + ":write", marks=module + ":marks")


KIND = PuzzleKind(
    name="skyscrapers",
    puzzle=_HERE + "puzzle:Skyscrapers",
    board=_HERE + "puzzle:Heights",
    check=_HERE + "check:fault",
    puzzle_text=_HERE + "text:puzzle_text",
    picture_text=_HERE + "text:picture_text",
    read_picture=_HERE + "text:read_picture",
    svg=_HERE + "svg:svg",
    svg_picture=_HERE + "svg:svg_picture",
    png=_HERE + "png:png",
    png_picture=_HERE + "png:png_picture",
    drawn=_HERE + "text:drawn",
    json=_FORMATS + "json:MEMBERS",
    share=_FORMATS + "share:SHARING",
    pzpr=_FORMATS + "pzpr:LINK",
    formats=(
        _format("sky", (".sky",), "our own text: the board with its clues, goal"),
        _format("clues", (".clues",), "a line a puzzle: 2//3/..., given"),
    ),
    encodings=references.SKYSCRAPERS_ENCODINGS,
    strategy=references.SKYSCRAPERS_STRATEGY,
    statement=references.SKYSCRAPERS_STATEMENT,
    explain=references.SKYSCRAPERS_EXPLAINER,
)
