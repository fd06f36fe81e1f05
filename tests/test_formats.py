import os
import re
import subprocess
import sys
import threading
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from clock import no_work
from drawn import puzzles
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples, nightly, spread

from nonosat.errors import FormatError, NonosatError, PuzzleError, UnknownNameError, UnsupportedError
from nonosat.files import decode, printable, read_text, write_atomically
from nonosat.puzzles.formats import FORMATS, dumps, format_of, load, load_all, loads, save
from nonosat.puzzles.formats.texts import CONTROL, game_id
from nonosat.puzzles.nonogram import Given, Nonogram, Run
from nonosat.puzzles.nonogram.puzzle import BLACK, Colour, Picture, lettered, palette_of
from nonosat.puzzles.skyscrapers import Skyscrapers

REPO = Path(__file__).parents[1]
SHARED = REPO.parent / "shared" / "puzzles"
settings.register_profile("formats", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
SETTINGS = settings(settings.get_profile("formats"), max_examples=100)

NONOGRAMS = [name for name, known in FORMATS.items() if "nonogram" in known.kinds]
SMALL = Nonogram.from_lengths([[1], [2]], [[2], [1]])


@st.composite
def mutants(draw, kind):
    """A valid text with a few lines or characters deleted, doubled, swapped or replaced."""
    puzzle = draw(puzzles(most=3))
    if held(puzzle, kind) is None:
        side = min(puzzle.shape)
        cells = [[draw(st.integers(0, 1)) for _ in range(side)] for _ in range(side)]
        puzzle = Nonogram.from_picture(cells)
    text = dumps([puzzle] * (1 if kind in SINGLE else draw(st.integers(1, 2))), kind)
    for _ in range(draw(st.integers(1, 4))):
        by_line = draw(st.booleans())
        parts = text.split("\n") if by_line else list(text)
        if not parts:
            break
        at, other = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        junk = draw(
            st.text(max_size=5) | st.sampled_from(["0", "1", "-1", "1e9", "999999", "#", "[", '"', "null", "true", "$"])
        )
        parts[at : at + 1] = draw(st.sampled_from([[], [parts[at]] * 2, [parts[other]], [junk], [parts[at], junk]]))
        text = ("\n" if by_line else "").join(parts)
    return text


LONG = [
    "0" * 5000,
    "9" * 5000,
    "&#" + "9" * 5000 + ";",
    "&#x110000;",
    "-",
    "\u0663",
    "1_0",
    "0x1",
    "1e400",
    "\0",
    " " * 3000,
]
"""What the small junk above does not find: Python refuses to make numbers of more than 4,300 digits."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", spread(FORMATS, 5))
def test_long_junk_anywhere_is_read_or_refused(kind):
    nonogram = Nonogram.from_picture(Picture([[1, 1], [0, 1]]), "A title")
    puzzle = nonogram if kind in NONOGRAMS else Skyscrapers.from_heights([[1, 2], [2, 1]], "A title")
    text = dumps([puzzle], kind)
    for at in range(0, len(text) + 1, len(text) // 100 + 1):
        for junk in LONG:
            reads_or_refuses(text[:at] + junk + text[at:], kind)
            reads_or_refuses(text[:at] + junk + text[at + 1 :], kind)


def is_one_line(error):
    return str(error).isprintable() and len(str(error)) < 500


def reads_or_refuses(text, kind):
    with no_work():
        try:
            read, error = loads(text, kind, "file"), None
        except FormatError as caught:
            read, error = [], caught
    assert all(puzzle.kind in FORMATS[kind].kinds for puzzle in read)
    assert read or (is_one_line(error) and str(error).startswith("file:"))
    return read


# Round trips: the battery over the registry.


SINGLE = ["mk", "nin", "olsak", "nonograms-org", "glpk", "minizinc", "xcsp3", "xcsp3-table", "opb"]
"""The formats that hold one puzzle."""


def held(puzzle, kind):
    """What is left of ``puzzle`` after a trip through the format ``kind``, or None if that must refuse it."""
    clues = Nonogram(puzzle.rows, puzzle.columns) if puzzle.colours == 1 else None
    texts = puzzle.title + puzzle.author + puzzle.licence + puzzle.source
    match kind:
        case "json" | "opb":
            return puzzle
        case "share":
            return replace(puzzle, goal=None, solutions=(), author="", licence="", source="")
        case "non":
            return None if puzzle.given else replace(puzzle, solutions=())
        case "webpbn":
            return None if puzzle.given or set(texts) & set(CONTROL) else puzzle
        case "mk" | "nin" | "glpk" | "minizinc" | "pzpr":
            return None if puzzle.given else clues
        case "pattern":
            return clues and replace(clues, given=puzzle.given)
        case "olsak":
            return None if puzzle.given else Nonogram(puzzle.rows, puzzle.columns, (), puzzle.palette)
        case "xcsp3" | "xcsp3-table":
            return Nonogram(puzzle.rows, puzzle.columns, puzzle.given, palette_of(puzzle.colours))
        case "nonograms-org":
            if puzzle.given or puzzle.goal is None:
                return None
            shades = [colour.rgb.lower() for colour in puzzle.palette]
            return Nonogram.from_picture(Picture(puzzle.goal.cells, lettered(tuple(shades))))
        case "tournament":
            if puzzle.given or clues is None or puzzle.height != puzzle.width:
                return None
            word = puzzle.title.isprintable() and re.fullmatch(r"\S+", puzzle.title)
            return replace(clues, title=puzzle.title if word else "1")
    pytest.fail(f"say what {kind} holds")


@pytest.mark.parametrize("kind", NONOGRAMS)
@examples(10, 100, SETTINGS, puzzle=puzzles())
def test_a_puzzle_comes_back_or_is_refused(kind, puzzle):
    expected = held(puzzle, kind)
    if expected is None:
        with pytest.raises(UnsupportedError) as caught:
            dumps(puzzle, kind)
        assert is_one_line(caught.value)
        return
    text = dumps(puzzle, kind)
    assert loads(text, kind) == [expected]
    for end in ("\r\n", "\r"):
        assert loads(text.replace("\n", end), kind) == [expected]
    assert loads("\ufeff" + text, kind) == [expected]
    assert dumps(loads(text, kind), kind) == text
    assert decode(text.encode()) == text


@pytest.mark.parametrize("kind", NONOGRAMS)
@examples(8, 40, SETTINGS, several=st.lists(puzzles(), min_size=2, max_size=3))
def test_several_puzzles_come_back_in_order(kind, several):
    expected = [held(puzzle, kind) for puzzle in several]
    if kind in SINGLE or None in expected:
        with pytest.raises(UnsupportedError):
            dumps(several, kind)
        return
    if kind == "tournament":
        expected = [
            replace(held, title=p.title if held.title == p.title else str(k))
            for k, (p, held) in enumerate(zip(several, expected, strict=True), 1)
        ]
    assert loads(dumps(several, kind), kind) == expected


@pytest.mark.parametrize("kind", spread(FORMATS, 6))
@SETTINGS
@given(text=st.text() | st.text('0123456789 \n\t#$,."[]{}:ab=rowscolumnsheightwidth'))
def test_any_text_is_read_or_refused(kind, text):
    reads_or_refuses(text, kind)


@pytest.mark.parametrize("kind", spread(FORMATS, 6))
@SETTINGS
@given(data=st.binary())
def test_any_bytes_are_read_or_refused(kind, data):
    try:
        text, error = decode(data, "file"), None
    except FormatError as caught:
        text, error = "", caught
    assert error is None or is_one_line(error)
    reads_or_refuses(text, kind)


@pytest.mark.parametrize("kind", spread(NONOGRAMS, 5))
@settings(SETTINGS, max_examples=20)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused(kind, data):
    for puzzle in reads_or_refuses(data.draw(mutants(kind)), kind):
        dumps(puzzle, "json")


@pytest.mark.slow
@pytest.mark.parametrize("kind", nightly(NONOGRAMS, 1))
@settings(SETTINGS, max_examples=1000)
@given(data=st.data())
def test_many_damaged_files_are_read_or_refused(kind, data):
    for puzzle in reads_or_refuses(data.draw(mutants(kind)), kind):
        dumps(puzzle, "json")


# What is written, letter by letter.

LETTERS = (BLACK, Colour("b", "#d55e00"))
COLOURED = replace(
    Nonogram.from_picture(Picture([[1, 2], [0, 2]], LETTERS), title='T "q" & é'),
    author="A",
    licence="CC-BY-3.0",
    source="S",
)
GOLDEN = {
    "mk": (SMALL, "2 2\n1\n2\n#\n2\n1\n"),
    "tournament": (
        Nonogram.from_lengths([[1, 1], [], [2]], [[1, 1], [1], [1]], title="12"),
        "$12\n1\t1\n1\n1\n1\t1\n0\n2\n",
    ),
    "non": (
        COLOURED,
        'catalogue "S"\ntitle "T &quot;q&quot; &amp; é"\nby "A"\nlicense CC-BY-3.0\ncolor # #000000\ncolor b #d55e00\n'
        'width 2\nheight 2\n\nrows\n1,1b\n1b\n\ncolumns\n1\n2b\n\ngoal "1b0b"\n',
    ),
    "pattern": (replace(SMALL, given=(Given(0, 1, 0), Given(1, 1, 1))), "2x2:2/1/1/2,bB\n"),
    "nin": (SMALL, "2 2\n1\n2\n2\n1\n"),
    "pzpr": (SMALL, "https://puzz.link/p?nonogram/2/2/2112\n"),
    "glpk": (
        SMALL,
        "data;\n\nparam m := 2;\n\nparam n := 2;\n\nparam row : 1 :=\n  1 1\n  2 2\n;\n\n"
        "param col : 1 :=\n  1 2\n  2 1\n;\n\nend;\n",
    ),
    "minizinc": (
        SMALL,
        "X = 2;\nY = 2;\nmaxlen = 2;\nrows = [| 1, -1\n  | 1, 1\n  |];\ncols = [| 1, 1\n  | 1, -1\n  |];\n",
    ),
    "olsak": (
        Nonogram(COLOURED.rows, COLOURED.columns, (), LETTERS),
        "#d\n   0:.  white\n   1:#  #000000\n   b:b  #d55e00\n: rows\n1 1b\n1b\n: columns\n1\n2b\n: end\n",
    ),
    "nonograms-org": (
        Nonogram.from_picture(Picture([[1, 2], [0, 2]], palette_of(2))),
        "var d=[[0,0,0,1],[2,0,0,100000000],[2,0,0,100000000],[2,0,0,100000000],[0,0,0,0],[0,0,0,0],[213,94,0,213],"
        "[1,1,0,100000000],[0,0,0,0],[1,1,1,1],[2,1,2,1],[2,1,2,2]];\n",
    ),
    "xcsp3": (
        Nonogram.from_lengths([[1]], [[1]], [(0, 0, 1)]),
        '<instance format="XCSP3" type="CSP">\n  <variables>\n    <array id="x" size="[1][1]"> 0 1 </array>\n'
        "  </variables>\n  <constraints>\n"
        + "".join(
            f"    <regular>\n      <list> {cells} </list>\n"
            "      <transitions> (q0,0,q0)(q0,1,q1)(q1,0,q1) </transitions>\n"
            "      <start> q0 </start>\n      <final> q1 </final>\n    </regular>\n"
            for cells in ("x[0][]", "x[][0]")
        )
        + "    <instantiation>\n      <list> x[0][0] </list>\n      <values> 1 </values>\n    </instantiation>\n"
        "  </constraints>\n</instance>\n",
    ),
    "xcsp3-table": (
        Nonogram.from_lengths([[1]], [[1], []]),
        '<instance format="XCSP3" type="CSP">\n  <variables>\n    <array id="x" size="[1][2]"> 0 1 </array>\n'
        "  </variables>\n  <constraints>\n"
        + "".join(
            f"    <extension>\n      <list> {cells} </list>\n      <supports> {tuples} </supports>\n    </extension>\n"
            for cells, tuples in (("x[0][]", "(0,1)(1,0)"), ("x[][0]", "1"), ("x[][1]", "0"))
        )
        + "  </constraints>\n</instance>\n",
    ),
    "opb": (
        Nonogram.from_lengths([[1]], [[1]]),
        '* #variable= 1 #constraint= 2\n* puzzle {\n* puzzle   "nonosat": 1,\n* puzzle   "kind": "nonogram",\n'
        '* puzzle   "rows": [\n* puzzle     [1]\n* puzzle   ],\n* puzzle   "columns": [\n* puzzle     [1]\n'
        "* puzzle   ]\n* puzzle }\n1 x1 = 1 ;\n1 x1 = 1 ;\n",
    ),
    "webpbn": (
        replace(COLOURED, solutions=(Picture([[1, 2], [0, 2]], LETTERS),), goal=None),
        '<?xml version="1.0"?>\n<!DOCTYPE pbn SYSTEM "http://webpbn.com/pbn-0.3.dtd">\n<puzzleset>\n'
        '<puzzle type="grid" defaultcolor="black">\n<title>T "q" &amp; é</title>\n<author>A</author>\n'
        "<copyright>CC-BY-3.0</copyright>\n<source>S</source>\n"
        '<color name="white" char=".">ffffff</color>\n<color name="black" char="X">000000</color>\n'
        '<color name="b" char="b">d55e00</color>\n<clues type="columns">\n<line><count>1</count></line>\n'
        '<line><count color="b">2</count></line>\n</clues>\n<clues type="rows">\n'
        '<line><count>1</count><count color="b">1</count></line>\n<line><count color="b">1</count></line>\n</clues>\n'
        '<solution type="solution">\n<image>\n|Xb|\n|.b|\n</image>\n</solution>\n</puzzle>\n</puzzleset>\n',
    ),
    "share": (
        Nonogram(COLOURED.rows, COLOURED.columns, (Given(0, 1, 2), Given(1, 0, 0)), LETTERS, 'T "q" & é'),
        "n1FqhAROJEQExBh1KTAAAAAC1V4AdrUlao2v-E\n",
    ),
    "json": (
        replace(COLOURED, given=(Given(0, 1, 2), Given(1, 0, 0))),
        '{\n  "nonosat": 1,\n  "kind": "nonogram",\n  "title": "T \\"q\\" & é",\n  "author": "A",\n'
        '  "licence": "CC-BY-3.0",\n  "source": "S",\n  "palette": {"#": "#000000", "b": "#d55e00"},\n'
        '  "rows": [\n    ["1#", "1b"],\n    ["1b"]\n  ],\n  "columns": [\n    ["1#"],\n    ["2b"]\n  ],\n'
        '  "given": [\n    "?b",\n    ".?"\n  ],\n  "goal": [\n    "#b",\n    ".b"\n  ]\n}\n',
    ),
}


@pytest.mark.parametrize("kind", NONOGRAMS)
def test_golden(kind):
    puzzle, text = GOLDEN[kind]
    assert dumps(puzzle, kind) == text
    assert loads(text, kind) == [puzzle]


def test_plain_json_is_readable():
    assert '"rows": [\n    [1, 1],\n    []\n  ]' in dumps(Nonogram.from_lengths([[1, 1], []], [[1], [], [1]]), "json")
    assert loads('{"rows": [[0]], "columns": [[]]}', "json") == [Nonogram(((),), ((),))]
    assert loads('[{"rows": [["1"]], "columns": [[1]]}]', "json") == [Nonogram.from_lengths([[1]], [[1]])]


# What the readers take beside what we write.


def test_mk_takes_blank_lines():
    expected = [Nonogram.from_lengths([[], [1]], [[1], []])]
    assert loads("\n 2  2 \n\n1\n\n#\n1\n\n\n\n", "mk") == expected
    assert loads("2\t2\n0\n1\n # \n1\n0", "mk") == expected


def test_tournament_blank_lines():
    """A blank line at the end is a clue if the number of lines is even, else a separator."""
    assert loads("\n$1\n1\n\n1\n\n$2\n1\n1\n\t\n", "tournament") == [
        Nonogram.from_lengths([[1], []], [[1], []], title="1"),
        Nonogram.from_lengths([[1]], [[1]], title="2"),
    ]
    assert loads("$\n1\n\n1\n\n", "tournament") == [Nonogram.from_lengths([[1], []], [[1], []])]


def test_non_takes_what_others_write():
    text = """
        somebody's header
        title Plain
        copyright "&copy; 2004 J"
        license CC-BY-3.0
        license-url here
        height 2
        width 3

        rows
        3 , 0

        columns
        1
        1

        columns-end
    """.replace("3 , 0", "1, 1")
    text = text.replace("1\n        1\n", "1\n\n        1\n")
    [puzzle] = loads(text + "\n====\n\n", "non")
    assert puzzle == replace(
        Nonogram.from_lengths([[1, 1], []], [[1], [], [1]], title="Plain"), licence="CC-BY-3.0; © 2004 J"
    )


def test_pattern_is_read_as_the_program_writes_it():
    """Columns first; a ``z`` jumps over 25 cells and gives none, the last letter may end the board."""
    [wide] = loads("30x2:" + "/" * 29 + "/2/0,zcAAbzd\n", "pattern")
    assert wide.shape == (2, 30)
    assert [len(clue) for clue in wide.rows] == [1, 0]
    assert wide.given == (Given(0, 27, 0), Given(0, 28, 1), Given(0, 29, 1), Given(1, 1, 0))
    [square] = loads("2:1/1/1/1", "pattern")
    assert square == Nonogram.from_lengths([[1], [1]], [[1], [1]])


def test_non_gives_shades_to_undeclared_colours():
    [puzzle] = loads('color c #FF0000\nheight 1\nwidth 4\nrows\n1,1b,1c,1a\ncolumns\n1\n1b\n1c\n1a\ngoal "1bca"', "non")
    assert puzzle.palette == (
        Colour("#", "#000000"),
        Colour("c", "#FF0000"),
        Colour("a", "#d55e00"),
        Colour("b", "#0072b2"),
    )
    assert puzzle.rows == ((Run(1, 1), Run(1, 4), Run(1, 2), Run(1, 3)),)
    assert loads("height 1\nwidth 1\nrows\n1b\ncolumns\n1b\n", "non")[0].palette == (Colour("b", "#000000"),)


# Errors: every one at its line.

NON = "height 2\nwidth 2\nrows\n1\n2\ncolumns\n2\n1\n"


def board(more=None):
    return "{" + ", ".join(filter(None, ['"rows": [[1], [2]], "columns": [[2], [1]]', more])) + "}"


FAULTS = [
    ("mk", "", None, "the file is empty"),
    ("mk", " \n\n", None, "the file is empty"),
    ("mk", "5\n", 1, 'the first line is "rows columns", not "5"'),
    ("mk", "\n2 x\n", 2, '"x" is not a number of columns'),
    ("mk", "2 -2\n", 1, '"-2" is not a number of columns'),
    ("mk", "0 2\n", 1, "0 rows: a puzzle has at least one row and one column"),
    ("mk", "10000000000 2\n1\n", 1, '"10000000000" rows are announced, the file has 2 lines'),
    ("mk", "100000 100000\n1\n1\n", 4, "row 3 has no clue: 100000 rows are announced, the file has 2"),
    ("mk", "2 2\n1\n#\n2\n1\n", 3, "row 2 has no clue: 2 rows are announced, the file has 1"),
    ("mk", "2 2\n1\n2\n", 4, 'after the 2 row clues, "#" and 2 column clues are missing'),
    ("mk", "2 2\n1\n2\n\n2\n#\n", 5, 'after the 2 row clues comes "#", not "2"'),
    ("mk", "2 2\n1\n2\n#\n2\n", 6, "column 2 has no clue: 2 columns are announced, the file has 1"),
    ("mk", "2 2\n1\n2\n#\n2\n1\n\n7\n", 8, 'after the 2 column clues comes the end, not "7"'),
    ("mk", "2 2\n1\nx\n#\n2\n1\n", 3, '"x" is not a run length'),
    ("mk", "2 2\n1\n-2\n#\n2\n1\n", 3, '"-2" is not a run length'),
    ("mk", "2 2\n1\n2b\n#\n2\n1\n", 3, '"2b" is not a run length'),
    ("mk", "2 2\n1\n²\n#\n2\n1\n", 3, '"²" is not a run length'),
    ("mk", "2 2\n1\n1 0\n#\n2\n1\n", 3, "a run of length 0 (a 0 stands alone, for an empty line)"),
    ("mk", "2 2\n1\n" + "9" * 10**6, 3, f'"{"9" * 24}..." is not a run length (at most 6 digits)'),
    ("mk", "2 2\n1\n\x1b[31m\n#\n2\n1\n", 3, r'"\x1b[31m" is not a run length'),
    ("mk", "3 9\n1\n1\n7 2\n#\n" + "1\n" * 9, 4, "row 3: runs 7 2 need 10 cells, the line has 9"),
    ("mk", "1 2\r1\r#\r1\r2\r", 5, "column 2: runs 2 need 2 cells, the line has 1"),
    ("mk", "0" * 5000 + "1 1\n1\n#\n1\n2\n", 5, 'after the 1 column clues comes the end, not "2"'),
    ("tournament", "1\n$1\n1\n1\n", 1, 'a puzzle begins with a header such as "$1", not "1"'),
    ("tournament", "$1\n1\n1\n$2\n", 4, 'puzzle "$2" has no clues'),
    ("tournament", "$1\n\n\n\n$2\n1\n1\n", 1, 'puzzle "$1" has no clues'),
    ("tournament", "$1\n1\n1\n1\n", 1, 'puzzle "$1" has 3 clues; n column and n row clues are an even number'),
    ("tournament", "$1\n1\n1\n\n\n", 4, '2 blank lines end puzzle "$1": write empty clues as 0'),
    ("tournament", "$1\n1\n1\n$2\n1\nx\n", 6, '"x" is not a run length'),
    ("tournament", "$1\n1\n2\n1\n3\n", 5, "row 2: runs 3 need 3 cells, the line has 2"),
    ("tournament", "$1\n1\n3\n1\n1\n", 3, "column 2: runs 3 need 3 cells, the line has 2"),
    ("non", "hello\n", 1, 'no "height" in this puzzle'),
    ("non", NON + "====\nheight 1\n", 10, 'no "width" in this puzzle'),
    ("non", "====\n====\n", None, "no puzzle in this file"),
    ("non", "height 1\nwidth 1\ncolumns\n1\n", 1, 'no "rows" in this puzzle'),
    ("non", "height 10000000000\n", 1, '"10000000000" rows are announced, the file has 1 lines'),
    ("non", "height 100000\nwidth 100000\nrows\n", 4, "row 1 has no clue: 100000 rows are announced, the file has 0"),
    ("non", "height x\n", 1, '"x" is not a number of rows'),
    ("non", "height\n", 1, '"" is not a number of rows'),
    ("non", "rows\n1\nheight 1\n", 1, '"rows" comes before "height"'),
    ("non", "height 1\nrows x\n", 2, '"rows" has its line to itself'),
    ("non", "height 1\nrows 1\n", 2, 'a second "height", the first is in line 1'),
    ("non", NON + 'title "a"\n\ntitle "b"\n', 11, 'a second "title", the first is in line 9'),
    ("non", NON.replace("2\ncolumns", "columns"), 5, "row 2 has no clue: 2 rows are announced, the file has 1"),
    ("non", NON.replace("columns", "1\ncolumns"), 6, "a clue beyond the 2 rows"),
    ("non", NON + "\n1\n", 10, "a clue beyond the 2 columns"),
    ("non", NON.replace("\n2\n", "\n1,,1\n", 1), 5, '"" is not a run length'),
    ("non", NON.replace("\n2\n", "\n2é\n", 1), 5, '"2é" is not a run length'),
    ("non", NON.replace("\n2\n", "\n3\n", 1), 5, "row 2: runs 3 need 3 cells, the line has 2"),
    ("non", "color é #ff0000\n" + NON, 1, '"é #ff0000" is not a colour, such as "a #ff0000"'),
    ("non", "color a red\n" + NON, 1, '"a #red" is not a colour, such as "a #ff0000"'),
    ("non", "color a #ff0000\ncolor a #00ff00\n" + NON, 2, 'a second color "a"'),
    ("non", NON + 'title "x\n', 9, r'""x" lacks its closing quote'),
    ("non", NON + 'goal "101"\n', 9, "the goal has 3 cells, the board 2 x 2 = 4"),
    ("non", NON + f'goal "&#{"9" * 5000};"\n', 9, f'"&#{"9" * 22}..." has a character\'s number that is too long'),
    ("non", NON + f'title "x&#{"0" * 5000}65;"\n', 9, f'"x&#{"0" * 21}..." has a character\'s number that is too long'),
    ("non", NON + f"by &#{'9' * 5000}\n", 9, f'"&#{"9" * 22}..." has a character\'s number that is too long'),
    ("non", NON.replace("height 2", "height " + "0" * 5000), 1, "0 rows: a puzzle has at least one row and one column"),
    ("non", NON + 'goal "10?1"\n', 9, 'a goal has 0, 1 and colour letters, not "?"'),
    ("non", NON + 'goal "1111"\n', 9, "the goal does not solve the puzzle: row 1: has 2, the clue says 1"),
    ("pattern", "\n", None, "the file is empty"),
    ("pattern", "1/1/1/1\n", 1, 'a game ID is "WIDTHxHEIGHT:clues", not "1/1/1/1"'),
    ("pattern", "2x2#1234\n", 1, 'a game ID is "WIDTHxHEIGHT:clues", not "2x2#1234"'),
    ("pattern", "2xb:1/1/1/1\n", 1, '"b" is not a number of rows'),
    ("pattern", "0:\n", 1, "0 columns: a puzzle has at least one row and one column"),
    ("pattern", "3x1:1/1/1\n", 1, "3 columns and 1 rows are announced, there are clues for 3 lines"),
    ("pattern", "1:1/1/1\n", 1, "1 columns and 1 rows are announced, there are clues for more than 2 lines"),
    ("pattern", "2x1:1/1/2.\n", 1, '"" is not a run length'),
    ("pattern", "2x1:1/1/1.1\n", 1, "row 1: runs 1 1 need 3 cells, the line has 2"),
    ("pattern", "2x1:1/1/2,a\n", 1, "the given cells go over 1 of 2 cells"),
    ("pattern", "2x1:1/1/2,AAA\n", 1, "the given cells go over more than 2 cells"),
    ("pattern", "2x1:1/1/2,1\n", 1, 'given cells are letters, not "1"'),
    ("pattern", "2x2:1/1/1/1\n\n2x2:1/1/1\n", 3, "2 columns and 2 rows are announced, there are clues for 3 lines"),
    ("json", "", None, "the file is empty"),
    ("json", "{\n", 2, "not JSON: Expecting property name enclosed in double quotes"),
    ("json", '{"rows":\n[1,]}', 2, "not JSON: *"),
    ("json", "[" * 10**5, None, "nested too deeply"),
    ("json", "[]", None, "no puzzle in this file"),
    ("json", "3", None, "a puzzle is an object, not 3"),
    ("json", "[null]", None, 'a puzzle is an object, not "None"'),
    ("json", "{}", None, 'no "rows" in this puzzle'),
    ("json", '{"rows": [[1]]}', None, 'no "columns" in this puzzle'),
    ("json", '{"rows": [], "columns": []}', None, "a puzzle has at least one row and one column"),
    ("json", '{"rows": 1, "columns": []}', None, '"rows" is a list of clues, not 1'),
    ("json", '{"rows": [1], "columns": []}', None, "row 1: a clue is a list of runs, not 1"),
    ("json", '{"rows": [[1], [true]], "columns": [[1]]}', None, 'row 2: "True" is not a run length'),
    ("json", '{"rows": [[1.0]], "columns": [[1]]}', None, 'row 1: "1.0" is not a run length'),
    ("json", '{"rows": [[1]], "columns": [[NaN]]}', None, 'column 1: "NaN" is not a run length'),
    ("json", '{"rows": [[-1]], "columns": [[1]]}', None, 'row 1: "-1" is not a run length'),
    (
        "json",
        '{"rows": [[1, 0]], "columns": [[1]]}',
        None,
        "row 1: a run of length 0 (a 0 stands alone, for an empty line)",
    ),
    (
        "json",
        '{"columns": [[1]], "rows": [[' + "9" * 10**5 + "]]}",
        None,
        f'row 1: "{"9" * 24}..." is not a run length (at most 6 digits)',
    ),
    ("json", '{"rows": [["1b"]], "columns": [[1]]}', None, 'row 1: the palette has no colour "b"'),
    ("json", '{"rows": [[2]], "columns": [[1]]}', None, "row 1: runs 2 need 2 cells, the line has 1"),
    (
        "json",
        f'[{board()}, {{"rows": [[2]], "columns": [[1]]}}]',
        None,
        "puzzle 2: row 1: runs 2 need 2 cells, the line has 1",
    ),
    ("json", board('"rows": []'), None, '"rows" is there twice'),
    ("json", board('"license": ""'), None, 'unknown key "license", did you mean "licence"?'),
    ("json", board('"?": ""'), None, 'unknown key "?"'),
    ("json", board('"nonosat": 2'), None, '"nonosat" is 2, this reader knows 1'),
    ("json", board('"kind": "sudoku"'), None, '"kind" is "sudoku", this reader knows "nonogram", "skyscrapers"'),
    ("json", board('"title": 1'), None, '"title": 1 is not a string'),
    ("json", board('"title": "\\ud800"'), None, r'"title": a lone surrogate in "\ud800"'),
    ("json", board('"palette": {}'), None, '"palette" is an object of 1 to 53 colours, not "{}"'),
    ("json", board('"palette": {"ab": "#000000"}'), None, '"ab #000000" is not a colour, such as "a #ff0000"'),
    ("json", board('"palette": {"b": "red"}'), None, '"b red" is not a colour, such as "a #ff0000"'),
    ("json", board('"goal": "#."'), None, '"goal" is a list of strings, not "#."'),
    ("json", board('"goal": ["#."]'), None, '"goal" has 1 rows, the puzzle 2'),
    ("json", board('"goal": ["#.", "#"]'), None, '"goal", row 2: 1 cells, the puzzle has 2 columns'),
    ("json", board('"goal": ["#.", "#?"]'), None, '"goal", row 2: "?" is no colour of the palette'),
    ("json", board('"given": ["#.", "b?"]'), None, '"given", row 2: "b" is no colour of the palette'),
    (
        "json",
        board('"goal": ["##", "##"]'),
        None,
        "the goal does not solve the puzzle: row 1: has 2, the clue says 1",
    ),
]


@pytest.mark.parametrize(("kind", "text", "line", "reason"), FAULTS, ids=[f"{f[0]}-{f[3][:40]}" for f in FAULTS])
def test_fault(kind, text, line, reason):
    with pytest.raises(FormatError) as caught, no_work():
        loads(text, kind, "dir/bad")
    place = "dir/bad:" if line is None else f"dir/bad:{line}:"
    assert str(caught.value).startswith(f"{place} {reason.removesuffix('*')}")
    assert reason.endswith("*") or str(caught.value) == f"{place} {reason}"
    assert caught.value.line == line
    assert is_one_line(caught.value)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    "text", spread(["\n" * 10**6, "1 " * 10**6, " " * 10**6 + "x", "9" * 10**6, "====\n" * 10**5, "$1\n" * 10**5], 2)
)
def test_large_nonsense_takes_no_time(kind, text):
    assert reads_or_refuses(text, kind) == []


def test_a_clue_of_blanks_takes_no_time():
    reads_or_refuses(NON.replace("\n1\n", "\n1" + " " * 10**6 + "x\n", 1), "non")


# What a format can't hold.


@pytest.mark.parametrize(
    ("kind", "puzzle", "reason"),
    [
        ("mk", COLOURED, "mk cannot hold colours, the puzzle has 2; non and json can"),
        ("mk", replace(SMALL, given=(Given(0, 0, 1),)), "mk cannot hold given cells, the puzzle has 1; json can"),
        ("mk", [SMALL] * 3, "mk holds one puzzle, not 3; non, webpbn and json hold many"),
        ("non", replace(SMALL, given=(Given(0, 0, 1),)), "non cannot hold given cells, the puzzle has 1; json can"),
        ("non", replace(SMALL, title="a\0"), r'non cannot hold a character of the title "a\x00"'),
        ("json", replace(SMALL, author="\ud800"), r'json cannot hold a character of the author "\ud800"'),
        ("pattern", COLOURED, "pattern cannot hold colours, the puzzle has 2; non and json can"),
        ("tournament", COLOURED, "tournament cannot hold colours, the puzzle has 2; non and json can"),
        (
            "tournament",
            [SMALL, Nonogram.from_lengths([[1]], [[1], []])],
            "puzzle 2: tournament holds square puzzles, this one has 1 rows and 2 columns; mk, non and json hold any",
        ),
    ],
)
def test_refused(kind, puzzle, reason):
    with pytest.raises(UnsupportedError) as caught:
        dumps(puzzle, kind)
    assert str(caught.value) == reason


@pytest.mark.parametrize("kind", ["non", "json"])
def test_a_goal_that_solves_nothing_is_not_written(kind):
    with pytest.raises(PuzzleError, match="the goal does not solve the puzzle: row 1"):
        dumps(replace(SMALL, goal=Picture([[0, 0], [0, 0]])), kind)


def test_nothing_to_write():
    with pytest.raises(NonosatError, match="no puzzle to write"):
        dumps([], "json")


# Names and files.


def test_every_format_is_found_by_its_suffix():
    suffixes = [suffix for known in FORMATS.values() for suffix in known.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    for name, known in FORMATS.items():
        assert known.name == name
        assert known.description
        for suffix in known.suffixes:
            assert format_of(Path(f"a.b{suffix.upper()}")) is known


def test_unknown_names(tmp_path, monkeypatch):
    names = (
        "mk, nin, non, tournament, pattern, webpbn, olsak, nonograms-org, glpk, minizinc, xcsp3, xcsp3-table, "
        "json, share, pzpr, opb, sky, clues"
    )
    with pytest.raises(UnknownNameError, match=f"unknown format 'csv'; known: {names}"):
        loads("", "csv")
    (tmp_path / "x.CSV").write_text("1,2\n")
    for call in (load, load_all):
        with pytest.raises(NonosatError) as caught:
            call(tmp_path / "x.CSV")
        told = f'{tmp_path}/x.CSV: no format has the suffix ".csv"; name the format ({names}) with --from'
        assert str(caught.value) == told
        with pytest.raises(NonosatError, match=r"^dir/y.csv: no such file"):
            call("dir/y.csv")
    with pytest.raises(NonosatError) as caught:
        save(SMALL, tmp_path / "x")
    assert str(caught.value) == f"{tmp_path}/x: the name has no suffix; name the format ({names}) with format="
    monkeypatch.setattr(sys, "stdin", StringIO("what is this?"))
    with pytest.raises(NonosatError, match=r"^standard input has no suffix: name the format .* with --from$"):
        load("-")
    with pytest.raises(NonosatError, match=r"^standard output has no suffix: name the format .* with format=$"):
        save(SMALL, "-")


@pytest.mark.parametrize("kind", NONOGRAMS)
def test_save_and_load(kind, tmp_path):
    path = tmp_path / f"p{FORMATS[kind].suffixes[0]}"
    small = Nonogram.from_picture([[1, 0], [1, 1]])
    save(small, path)
    assert (load(path).rows, load(str(path)).columns) == (SMALL.rows, SMALL.columns)
    save([small], tmp_path / "any", kind)
    assert (tmp_path / "any").read_bytes() == path.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["any", path.name])


def test_load_by_index(tmp_path):
    path = tmp_path / "p.txt"
    save([SMALL, replace(SMALL, title="other")], path)
    assert load(path, index=2).title == "other"
    with pytest.raises(NonosatError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: 2 puzzles in this file; an index says which (1 is the first)"
    for index in (0, 3, -1):
        with pytest.raises(NonosatError, match=f"no puzzle {index}, there are 2 puzzles \\(1 is the first\\)"):
            load(path, index=index)


def test_errors_name_the_file_and_the_line(tmp_path):
    path = tmp_path / "bad\n.mk"
    path.write_text("1 1\n2\n#\n1\n")
    with pytest.raises(FormatError) as caught:
        load(path)
    assert str(caught.value) == rf"{tmp_path}/bad\n.mk:2: row 1: runs 2 need 2 cells, the line has 1"


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", None, "not a text file: it is a PNG image"),
        (b"GIF89a", None, "not a text file: it is a GIF image"),
        (b"\xff\xd8\xff\xe0", None, "not a text file: it is a JPEG image"),
        (b"\x1f\x8b\x08", None, "compressed by gzip, and cut off: its end is missing"),
        (b"1 1\n\0", 2, "not a text file: a NUL byte"),
        ("é\n".encode() + b"\xe9", 2, "not a text file in UTF-8"),
        ("1 1".encode("utf-16"), 1, "not a text file: a NUL byte"),
    ],
)
def test_no_text(data, line, reason, tmp_path):
    path = tmp_path / "p.mk"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        load(path)
    assert str(caught.value) == f"{path}:{'' if line is None else f'{line}:'} {reason}"


def test_unreadable(tmp_path):
    for path, reason in [(tmp_path / "no.mk", "no such file"), (tmp_path, "is a directory")]:
        with pytest.raises(NonosatError) as caught:
            load(path, "mk")
        assert str(caught.value) == f"{path}: {reason}"
    with pytest.raises(NonosatError, match="null"):
        load("a\0.mk")
    if os.geteuid() != 0:
        (tmp_path / "p.mk").touch(mode=0)
        with pytest.raises(NonosatError, match="no permission"):
            load(tmp_path / "p.mk")


@pytest.mark.parametrize(
    "text", ["#d\n 0:.  white\n b:b #0072b2\n r:r #d55e00\n: rows\n2r\n1b\n: columns\n1r\n1r 1b\n: end\n"]
)
def test_a_format_whose_first_line_may_be_drawn_is_read_from_standard_input(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", StringIO(text))
    assert load("-") == loads(text, "olsak")[0]


def test_endless_input_is_refused(monkeypatch):
    with pytest.raises(FormatError, match="longer than 64 MiB"):
        load("/dev/zero", "mk")
    with Path("/dev/zero").open("rb") as zeros:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=zeros))
        with pytest.raises(FormatError, match=r"^standard input: longer than 64 MiB"):
            load("-", "mk")


def test_standard_input_and_output(monkeypatch, capfdbinary):
    text = dumps(SMALL, "mk")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BytesIO(b"\xef\xbb\xbf" + text.encode())))
    assert load("-", "mk") == SMALL
    monkeypatch.setattr(sys, "stdin", StringIO("1 1\nx\n"))
    with pytest.raises(FormatError, match=r'^standard input:2: "x" is not a run length$'):
        load("-", "mk")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(NonosatError, match=r"^standard input: "):
        load("-", "mk")
    save(SMALL, "-", "mk")
    assert capfdbinary.readouterr().out == text.encode()
    monkeypatch.setattr(sys, "stdout", out := StringIO())
    save(SMALL, "-", "mk")
    assert out.getvalue() == text


# Writing.


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "p.mk"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(NonosatError) as caught:
        save(SMALL, path)
    assert str(caught.value) == f"{path}: no space left on device"
    with pytest.raises(UnsupportedError):
        save(COLOURED, path)
    with pytest.raises(NonosatError, match="lone surrogate"):
        write_atomically(path, "\ud800")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["p.mk"]


def test_unwritable(tmp_path):
    for path, reason in [(tmp_path / "no" / "p", "no such directory"), (tmp_path, "is a directory")]:
        with pytest.raises(NonosatError) as caught:
            write_atomically(path, "x")
        assert str(caught.value) == f"{path}: {reason}"
    with pytest.raises(NonosatError, match="/dev/full: no space left"):
        write_atomically("/dev/full", "x")


def test_modes_and_links_are_kept(tmp_path):
    path, link, loose = tmp_path / "p", tmp_path / "sub" / "link", tmp_path / "loose"
    link.parent.mkdir()
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to("../p")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o640)
    loose.symlink_to("target")
    write_atomically(loose, "x")
    assert (tmp_path / "target").read_text() == "x"
    (tmp_path / "plain").touch()
    assert (tmp_path / "target").stat().st_mode == (tmp_path / "plain").stat().st_mode
    write_atomically(tmp_path / ("n" * 255), "x")


def test_fifo_and_devices(tmp_path):
    write_atomically("/dev/null", "x")
    assert Path("/dev/null").is_char_device()
    fifo, got = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: got.append(read_text(fifo)), daemon=True)
    reader.start()
    write_atomically(fifo, "through the pipe")
    reader.join(10)
    assert got == ["through the pipe"]


def test_dev_stdout_pipe_and_file(tmp_path):
    code = "from nonosat.files import write_atomically as w; print(1); w('-', 'x\\n'); w('/dev/stdout', 'y\\n')"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"1\nx\ny\n"
    out = tmp_path / "out"
    out.write_text("0\n")
    with out.open("ab") as file:
        subprocess.run(command, stdout=file, check=True)
    assert out.read_text() == "0\n1\nx\ny\n"


@given(text=st.text(st.characters()), limit=st.integers(0, 30))
@SETTINGS
def test_printable(text, limit):
    assert printable(text, limit).isprintable()
    if text.isprintable() and len(text) <= limit:
        assert printable(text, limit) == text


# Puzzles from the world.


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared puzzles are not here")
def test_real_puzzles_load():
    for path in sorted((SHARED / "real").glob("*.mk")):
        puzzle = load(path)
        assert loads(dumps(puzzle, "mk"), "mk") == [puzzle]
        assert loads(dumps(puzzle, "non"), "non") == [puzzle]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared puzzles are not here")
@pytest.mark.parametrize("name", spread(["taai2011", "tcga2012"], 0))
def test_tournaments_load(name):
    path = SHARED / "tournament" / f"{name}.txt"
    read = load_all(path)
    assert (len(read), {puzzle.shape for puzzle in read}) == (1000, {(25, 25)})
    assert [puzzle.title for puzzle in read] == [str(number) for number in range(1, 1001)]
    assert "".join(dumps(read, "tournament").split()) == "".join(path.read_text().split())


CHIARK = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/"


def test_links_of_sites_say_what_they_have(tmp_path: Path) -> None:
    links = tmp_path / "links.txt"
    for link, same in (
        (f"{CHIARK}pattern.html#3x2:1/1/1/1.1/1,bAd", "3x2:1/1/1/1.1/1,bAd"),
        (f"{CHIARK}towers.html#2:2///////,a1_2a", "2:2///////,a1_2a"),
    ):
        links.write_text(f"{link}\n")
        found = load(links)
        links.write_text(f"{same}\n")
        assert found == load(links)
    assert game_id('{"source": "https://x.org/p#2:2///////"}') == '{"source": "https://x.org/p#2:2///////"}'
    links.write_text("https://puzz.link/p?slither/5/5/i61c1cici\n")
    with pytest.raises(FormatError, match=r'links\.txt:1: "slither" is no kind of puzzle whose links are read'):
        load(links)
    with pytest.raises(NonosatError, match="an address can come as text"):
        load("https://puzz.link/p?nonogram/2/2/2112")
