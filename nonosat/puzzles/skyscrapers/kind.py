"""The record of skyscrapers."""

from nonosat.puzzles.kinds import Format, PuzzleKind

_HERE = "nonosat.puzzles.skyscrapers."


def _format(name: str, suffixes: tuple[str, ...], description: str) -> Format:
    """The format in the file of its name."""
    module = _HERE + name
    return Format(name, suffixes, description, module + ":read", module + ":write", marks=module + ":marks")


KIND = PuzzleKind(
    name="skyscrapers",
    puzzle=_HERE + "puzzle:Skyscrapers",
    board=_HERE + "heights:Heights",
    check=_HERE + "check:fault",
    puzzle_text=_HERE + "text:puzzle_text",
    picture_text=_HERE + "text:picture_text",
    read_picture=_HERE + "text:read_picture",
    svg=_HERE + "svg:svg",
    svg_picture=_HERE + "svg:svg_picture",
    png=_HERE + "png:png",
    png_picture=_HERE + "png:png_picture",
    drawn=_HERE + "drawn:drawn",
    json=_HERE + "json:MEMBERS",
    share=_HERE + "share:SHARING",
    pzpr=_HERE + "pzpr:LINK",
    formats=(
        _format("sky", (".sky",), "our own text: the board with its clues, goal"),
        _format("clues", (".clues",), "a line a puzzle: 2//3/..., given"),
    ),
    encodings="nonosat.encodings.skyscrapers.parts:SKYSCRAPERS",
    strategy="nonosat.solvers.auto.skyscrapers:search",
    statement="nonosat.certificates.statement.skyscrapers:statement",
    explain="nonosat.solvers.explain.skyscrapers.explainer:EXPLAINER",
)
