"""The record of nonograms: where everything that belongs to this kind of puzzle is, by name."""

from nonosat import references
from nonosat.puzzles.puzzle import Format, PuzzleKind

_HERE = "nonosat.puzzles.nonogram."
_FORMATS = _HERE + "formats."


def _format(name: str, suffixes: tuple[str, ...], description: str) -> Format:
    """A format whose functions are in the file of its name; ``xcsp3-table`` has functions of its own in ``xcsp3``."""
    file, _, variant = name.partition("-") if name == "xcsp3-table" else (name.replace("-", "_"), "", "")
    own = f":{variant}_" if variant else ":"
    module = _FORMATS + file
    return Format(name, suffixes, description, f"{module}:read", f"{module}{own}write", marks=f"{module}{own}marks")


KIND = PuzzleKind(
    name="nonogram",
    puzzle=_HERE + "puzzle:Nonogram",
    board=_HERE + "puzzle:Picture",
    check=_HERE + "check:fault",
    puzzle_text=_HERE + "text:puzzle_text",
    picture_text=_HERE + "text:picture_text",
    read_picture=_HERE + "text:read_picture",
    svg=_HERE + "svg:svg",
    svg_picture=_HERE + "svg:svg_picture",
    paper=_HERE + "svg:paper",
    png=_HERE + "png:png",
    png_picture=_HERE + "png:png_picture",
    drawn=_HERE + "text:drawn",
    image=_HERE + "text:of_image",
    json=_FORMATS + "json:MEMBERS",
    share=_FORMATS + "share:SHARING",
    pzpr=_FORMATS + "pzpr:LINK",
    formats=(
        _format("mk", (".mk",), "one puzzle: plain clues, nothing else"),
        _format("nin", (".nin",), "Jakub Wilk's: as mk, width first"),
        _format("non", (".non", ".nonpack"), "Steve Simpson's: colours, goal, author"),
        _format("tournament", (".txt",), "many square puzzles ($1, $2, ...)"),
        _format("pattern", (".pattern",), "game IDs of Simon Tatham's Pattern, given"),
        _format("webpbn", (".xml",), "webpbn.com's XML: colours, goal and further solutions, author"),
        _format("olsak", (".g",), "Mirek and Petr Olšák's: clues in colours"),
        _format("nonograms-org", (".nonograms",), "the array of nonograms.org's pages: a picture in colours"),
        _format("glpk", (".dat",), "Andrew Makhorin's data for GLPK: plain clues"),
        _format("minizinc", (".dzn",), "data of the MiniZinc challenge's non.mzn: plain clues"),
        _format("xcsp3", (".xcsp3", ".xcsp"), "XCSP3, an automaton a line (Nonogram-regular): colours, given cells"),
        _format("xcsp3-table", (".xcsp3t",), "XCSP3, a table a line (Nonogram-table): colours, given cells"),
    ),
    encodings=references.NONOGRAM_ENCODINGS,
    strategy=references.NONOGRAM_STRATEGY,
    statement=references.NONOGRAM_STATEMENT,
    deduction=references.NONOGRAM_DEDUCTION,
    explain=references.NONOGRAM_EXPLAINER,
    counting=references.NONOGRAM_COUNTERS,
)
