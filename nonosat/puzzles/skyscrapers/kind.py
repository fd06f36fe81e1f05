"""The record of skyscrapers."""

from nonosat.puzzles.kinds import Format, PuzzleKind

_HERE = "nonosat.puzzles.skyscrapers."

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
    formats=(
        Format(
            "sky", (".sky",), "our own text: the board with its clues, goal", _HERE + "sky:read", _HERE + "sky:write"
        ),
        Format("clues", (".clues",), "a line a puzzle: 2//3/..., given", _HERE + "clues:read", _HERE + "clues:write"),
    ),
    encodings="nonosat.encodings.skyscrapers.parts:SKYSCRAPERS",
    strategy="nonosat.solvers.auto.skyscrapers:search",
    statement="nonosat.certificates.statement.skyscrapers:statement",
    explain="nonosat.solvers.explain.skyscrapers.explainer:EXPLAINER",
)
