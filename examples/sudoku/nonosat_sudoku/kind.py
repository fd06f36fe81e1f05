"""The record of Sudoku: where everything is that is known of it. Nothing is imported until it is asked for."""

from nonosat.puzzles.puzzle import Format, PuzzleKind

KIND = PuzzleKind(
    name="sudoku",
    puzzle="nonosat_sudoku.puzzle:Sudoku",
    board="nonosat_sudoku.puzzle:Grid",
    check="nonosat_sudoku.check:fault",
    puzzle_text="nonosat_sudoku.text:puzzle_text",
    picture_text="nonosat_sudoku.text:picture_text",
    read_picture="nonosat_sudoku.text:read_picture",
    svg="nonosat_sudoku.svg:svg",
    svg_picture="nonosat_sudoku.svg:svg_picture",
    json="nonosat_sudoku.json:MEMBERS",
    formats=(
        Format(
            "sdm",
            (".sdm",),
            "a line a Sudoku: 81 digits, 0 or . for an open cell",
            "nonosat_sudoku.sdm:read",
            "nonosat_sudoku.sdm:write",
        ),
        Format(
            "sudoku",
            (".sudoku",),
            "one Sudoku as people write it, boxes drawn",
            "nonosat_sudoku.grid:read",
            "nonosat_sudoku.grid:write",
        ),
    ),
    encodings="nonosat_sudoku.rules:ENCODINGS",
    statement="nonosat_sudoku.statement:statement",
)
