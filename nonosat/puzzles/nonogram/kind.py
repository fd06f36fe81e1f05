"""The record of nonograms."""

from nonosat.puzzles.kinds import Format, PuzzleKind

_HERE = "nonosat.puzzles.nonogram."

KIND = PuzzleKind(
    name="nonogram",
    puzzle=_HERE + "puzzle:Nonogram",
    board=_HERE + "picture:Picture",
    check=_HERE + "check:fault",
    puzzle_text=_HERE + "text:puzzle_text",
    picture_text=_HERE + "text:picture_text",
    read_picture=_HERE + "picture_reader:read_picture",
    svg=_HERE + "svg:svg",
    svg_picture=_HERE + "svg:svg_picture",
    paper=_HERE + "svg:paper",
    png=_HERE + "png:png",
    png_picture=_HERE + "png:png_picture",
    drawn=_HERE + "drawn:drawn",
    image=_HERE + "drawn:of_image",
    json=_HERE + "json:MEMBERS",
    share=_HERE + "share:SHARING",
    formats=(
        Format("mk", (".mk",), "one puzzle: plain clues, nothing else", _HERE + "mk:read", _HERE + "mk:write"),
        Format(
            "non",
            (".non", ".nonpack"),
            "Steve Simpson's: colours, goal, author",
            _HERE + "non:read",
            _HERE + "non:write",
        ),
        Format(
            "tournament",
            (".txt",),
            "many square puzzles ($1, $2, ...)",
            _HERE + "tournament:read",
            _HERE + "tournament:write",
        ),
        Format(
            "pattern",
            (".pattern",),
            "game IDs of Simon Tatham's Pattern, given",
            _HERE + "pattern:read",
            _HERE + "pattern:write",
        ),
    ),
    encodings="nonosat.encodings.nonogram.parts:NONOGRAM",
    strategy="nonosat.solvers.auto.nonogram:search",
    statement="nonosat.certificates.statement.nonogram:statement",
    deduction="nonosat.certificates.deduction.deduce:deduced",
    explain="nonosat.solvers.explain.nonogram.explainer:EXPLAINER",
    counting="nonosat.counting.nonogram:COUNTING",
)
