"""Skyscrapers: the puzzle, checking, formats, drawings, and reading boards back."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from io import BytesIO
from itertools import permutations

import numpy as np
import pytest
from clock import no_work
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from sampling import RARE, examples, spread

from nonosat.errors import FormatError, PuzzleError, SizeError, UnsupportedError
from nonosat.puzzles.drawing import (
    MOST_PIXELS,
    channels,
    luminance,
    picture_text,
    png,
    png_picture,
    puzzle_text,
    read_picture,
    svg,
    svg_picture,
)
from nonosat.puzzles.formats import FORMATS, dumps, load, loads, save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture
from nonosat.puzzles.puzzle import Given, fault, is_solution
from nonosat.puzzles.skyscrapers import EDGES, Skyscrapers, visible
from nonosat.puzzles.skyscrapers.puzzle import Heights
from nonosat.puzzles.skyscrapers.svg import CLUE_INK, INK, shade

SETTINGS = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
KINDS = [name for name, known in FORMATS.items() if "skyscrapers" in known.kinds]
SAMPLED = [pytest.param(name, marks=pytest.mark.slow) if name == "opb" else name for name in KINDS]
"""A text in OPB has thousands of lines."""
NONOGRAM = Nonogram.from_lengths([[1], [2]], [[2], [1]])
SOLUTION = Heights([[2, 1, 4, 3], [1, 2, 3, 4], [4, 3, 1, 2], [3, 4, 2, 1]])
FULL = Skyscrapers.from_heights(SOLUTION)
EXAMPLE = Skyscrapers((0, 3, 0, 1), (2, 0, 0, 0), (2, 0, 0, 0), (1, 0, 3, 2), (Given(1, 2, 4),), title="an example")
EXAMPLE_TEXT = """\
title: an example
+ . 3 . 1 +
2 . . . . 1
. . . 4 . .
. . . . . 3
. . . . . 2
+ 2 . . . +
"""
TEXTS = st.sampled_from(
    ["", "a", '"', '"a"', "a: b", "# a", " x ", "a\nb", "\r\n", "\x85", "goal:", "+ + +", "é ☃ 日本"]
) | (st.text(st.characters(exclude_categories=["Cs"]), max_size=8))


def latin(size, seed=0):
    """A square of the heights 1 to ``size``, each once a line."""
    rng = np.random.default_rng(seed)
    square = (np.arange(size)[:, None] + np.arange(size)) % size + 1
    return Heights(square[rng.permutation(size)][:, rng.permutation(size)])


@st.composite
def boards(draw, most=6):
    size = draw(st.integers(1, most) | st.sampled_from([9, 10, 12]))
    return latin(size, draw(st.integers(0, 1000)))


@st.composite
def puzzles(draw, with_texts=True):
    """Any puzzle: with some clues or all, with its goal or none, or with clues that contradict each other."""
    heights = draw(boards())
    full, size = Skyscrapers.from_heights(heights), len(heights.cells)
    kept = draw(st.lists(st.booleans(), min_size=4 * size, max_size=4 * size))
    clues = [clue if keep else 0 for clue, keep in zip(full.clues, kept, strict=True)]
    places = draw(st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=2 * size))
    cells = [(row, column, int(heights.cells[row, column])) for row, column in places]
    goal = heights
    if draw(st.booleans()):
        goal, clues = None, draw(st.permutations(clues))
    texts = [draw(TEXTS) for _ in range(4)] if with_texts else [""] * 4
    title, author, licence, source = texts
    puzzle = Skyscrapers.from_clues(clues, cells, title)
    return replace(puzzle, goal=goal, author=author, licence=licence, source=source)


def plain(puzzle):
    """What of ``puzzle`` all formats hold."""
    return Skyscrapers.from_clues(puzzle.clues, puzzle.given)


def with_title(puzzle):
    """What a shared string holds."""
    return replace(plain(puzzle), title=puzzle.title)


KEPT = {"clues": plain, "pzpr": plain, "share": with_title}
"""What of a puzzle a format holds, if it is not all."""

# The puzzle.


def test_the_views_are_the_lines_from_both_ends():
    for view in FULL.views():
        assert view.clue == visible(int(SOLUTION.cells[cell]) for cell in view.cells)
        assert view.clue == getattr(FULL, view.edge)[view.place]
    views = list(FULL.views())
    assert [view.clue for view in views] == list(FULL.clues)
    assert {(view.edge, view.cells[0]) for view in views if view.place == 1} == {
        ("top", (0, 1)),
        ("bottom", (3, 1)),
        ("left", (1, 0)),
        ("right", (1, 3)),
    }


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Skyscrapers((), (), (), ()), "a board of 0x0; sizes from 1 to 99 are supported"),
        (lambda: Skyscrapers.from_clues([0] * 400), "a board of 100x100; sizes from 1 to 99 are supported"),
        (lambda: Skyscrapers.from_clues([0] * 5), "5 clues are not four edges of one length"),
        (lambda: Skyscrapers((0,), (0,), (0, 0), (0,)), "2 clues at the left, 1 at the top"),
        (lambda: Skyscrapers((0,), (0,), (0,), (2,)), "clue 1 at the right: 2 towers can't be seen in a line of 1"),
        (lambda: Skyscrapers((0,), (-1,), (0,), (0,)), "clue 1 at the bottom: -1 is no number of towers"),
        (lambda: Skyscrapers.from_clues([0] * 8, [(0, 2, 1)]), "given cell (0, 2) is outside the board"),
        (lambda: Skyscrapers.from_clues([0] * 8, [(0, 0, 3)]), "given height 3: those of a 2x2 board are from 1 to 2"),
        (lambda: Skyscrapers.from_clues([0] * 8, [(0, 0, 1), (0, 0, 2)]), "cell (0, 0) is given twice, *"),
        (lambda: replace(FULL, goal=Heights([[1]])), "the goal is not of the puzzle's size"),
        (lambda: Heights([[1, 2]]), "the heights of a board are a square, these have the shape (1, 2)"),
        (lambda: Heights([[0]]), "the heights of a 1x1 board are whole numbers from 1 to 1"),
        (lambda: Heights([[1.0]]), "the heights of a 1x1 board are whole numbers from 1 to 1"),
    ],
)
def test_what_no_board_can_be(make, reason):
    with pytest.raises(PuzzleError) as caught:
        make()
    assert str(caught.value).startswith(reason.removesuffix("*"))


# Checking.


def swapped(first, second):
    """``SOLUTION`` with two cells' heights exchanged."""
    cells = SOLUTION.cells.copy()
    cells[first], cells[second] = cells[second], cells[first]
    return Heights(cells)


@pytest.mark.parametrize(
    ("puzzle", "heights", "axis", "index", "text"),
    [
        (FULL, Heights([[1]]), None, None, "the picture is 1x1 (rows x columns), the puzzle 4x4"),
        (FULL, Picture([[1] * 4] * 4), "row", 0, "row 1: 1 stands 4 times"),
        (FULL, Picture([[0] * 4] * 4), "row", 0, "row 1: 0 is no height on a 4x4 board"),
        (FULL, swapped((1, 0), (0, 0)), "row", 0, "row 1: 1 stands twice"),
        (FULL, swapped((1, 0), (1, 3)), "column", 0, "column 1: 4 stands twice"),
        (
            replace(FULL, top=(0, 0, 0, 0), bottom=(1, 0, 0, 0)),
            SOLUTION,
            "column",
            0,
            "column 1 from the bottom: 2 towers are seen, the clue says 1",
        ),
        (
            replace(FULL, right=(0, 0, 2, 3)),
            swapped((0, 0), (0, 0)),
            "row",
            2,
            "row 3 from the right: 3 towers are seen, the clue says 2",
        ),
        (
            replace(FULL, left=(0, 0, 4, 0)),
            SOLUTION,
            "row",
            2,
            "row 3 from the left: 1 tower is seen, the clue says 4",
        ),
        (replace(FULL, given=(Given(0, 1, 3),)), SOLUTION, None, None, "the cell in row 1, column 2 is not as given"),
    ],
)
def test_the_first_fault(puzzle, heights, axis, index, text):
    wrong = fault(puzzle, heights)
    assert (wrong.axis, wrong.index, str(wrong)) == (axis, index, text)
    assert not is_solution(puzzle, heights)


@pytest.mark.parametrize("clues", [(0,) * 12, (2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 0), (1,) * 12])
def test_solutions_are_the_boards_that_the_rules_allow(clues):
    puzzle = Skyscrapers.from_clues(clues, [(1, 1, 2)])
    orders = list(permutations((1, 2, 3)))
    for rows in ((a, b, c) for a in orders for b in orders for c in orders):
        board = np.array(rows)
        right = all(sorted(column) == [1, 2, 3] for column in board.T) and board[1, 1] == 2
        for view in puzzle.views():
            right &= view.clue in (0, visible(board[cell] for cell in view.cells))
        assert is_solution(puzzle, Heights(board)) == right


def test_a_board_of_another_kind_solves_nothing():
    assert fault(NONOGRAM, SOLUTION) is not None
    assert fault(NONOGRAM, Heights([[1, 2], [2, 1]])) is not None


# Formats.


@pytest.mark.parametrize(
    "kind", [*spread([name for name in KINDS if name != "opb"], 2), pytest.param("opb", marks=RARE)]
)
@SETTINGS
@given(several=st.lists(puzzles(), min_size=1, max_size=3))
def test_puzzles_come_back_in_order(kind, several):
    if kind == "opb":  # which holds one
        several = several[:1]
    expected = [KEPT.get(kind, lambda puzzle: puzzle)(puzzle) for puzzle in several]
    text = dumps(several, kind)
    for end in ("\n", "\r\n", "\r"):
        read = loads("\ufeff" + text.replace("\n", end), kind)
        assert read == expected
        assert [puzzle.goal for puzzle in read] == [puzzle.goal for puzzle in expected]
    assert dumps(expected, kind) == text
    assert text.encode()


@st.composite
def mutants(draw, kind):
    """A valid text with a few lines or characters deleted, doubled, swapped or replaced."""
    text = dumps(draw(st.lists(puzzles(), min_size=1, max_size=1 if kind == "opb" else 2)), kind)
    for _ in range(draw(st.integers(1, 3))):
        by_line = draw(st.booleans())
        parts = text.split("\n") if by_line else list(text)
        if not parts:
            break
        at, other = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        junk = draw(st.text(max_size=4) | st.sampled_from(["0", "1", "-1", "9999999", "+", ".", "/", "_", ",", "null"]))
        parts[at : at + 1] = draw(st.sampled_from([[], [parts[at]] * 2, [parts[other]], [junk], [parts[at], junk]]))
        text = ("\n" if by_line else "").join(parts)
    return text


@pytest.mark.parametrize("kind", SAMPLED)
@examples(15, 50, SETTINGS, data=st.data())
def test_a_damaged_file_is_read_or_refused(kind, data):
    text = data.draw(mutants(kind))
    try:
        read, error = loads(text, kind, "file"), None
    except FormatError as caught:
        read, error = [], caught
    if error is not None:
        assert str(error).startswith("file:")
        assert str(error).isprintable()
        assert len(str(error)) < 400
        return
    assert loads(dumps(read, "json"), "json") == read


GOLDEN = {
    "sky": (EXAMPLE, EXAMPLE_TEXT),
    "clues": (plain(EXAMPLE), "/3//1/2////2////1//3/2,f4i\n"),
    "pzpr": (plain(EXAMPLE), "https://puzz.link/p?skyscrapers/4/4/g3g12i2i1g32l4o\n"),
    "opb": (
        Skyscrapers((1,), (0,), (0,), (0,)),
        '* #variable= 2 #constraint= 6\n* puzzle {\n* puzzle   "nonosat": 1,\n* puzzle   "kind": "skyscrapers",\n'
        '* puzzle   "top": [1],\n* puzzle   "bottom": [0],\n* puzzle   "left": [0],\n* puzzle   "right": [0]\n'
        "* puzzle }\n1 x1 = 1 ;\n1 x1 = 1 ;\n1 x1 = 1 ;\n1 x1 -1 x2 >= 0 ;\n1 x2 -1 x1 >= 0 ;\n1 x2 = 1 ;\n",
    ),
    "share": (EXAMPLE, "s1FsLcQMrwwtrg2MpAwUAEACGkeAloVQ\n"),
    "json": (
        EXAMPLE,
        '{\n  "nonosat": 1,\n  "kind": "skyscrapers",\n  "title": "an example",\n  "top": [0, 3, 0, 1],\n'
        '  "bottom": [2, 0, 0, 0],\n  "left": [2, 0, 0, 0],\n  "right": [1, 0, 3, 2],\n  "given": [\n'
        "    [0, 0, 0, 0],\n    [0, 0, 4, 0],\n    [0, 0, 0, 0],\n    [0, 0, 0, 0]\n  ]\n}\n",
    ),
}


@pytest.mark.parametrize("kind", SAMPLED)
def test_golden(kind, tmp_path):
    puzzle, text = GOLDEN[kind]
    assert dumps(puzzle, kind) == text
    assert loads(text, kind) == [puzzle]
    path = tmp_path / f"p{FORMATS[kind].suffixes[0]}"
    save(puzzle, path)
    assert load(path) == puzzle


def test_the_goal_is_written():
    tiny = Skyscrapers.from_heights([[1, 2], [2, 1]])
    assert dumps(tiny, "sky") == "+ 2 1 +\n2 . . 1\n1 . . 2\n+ 1 2 +\ngoal:\n1 2\n2 1\n"
    assert dumps(tiny, "json").endswith('"right": [1, 2],\n  "goal": [\n    [1, 2],\n    [2, 1]\n  ]\n}\n')
    assert dumps(tiny, "clues") == "2/1/1/2/2/1/1/2\n"


def test_sky_aligns_two_digits_and_takes_comments():
    text = dumps(replace(Skyscrapers.from_clues([0] * 40), given=(Given(0, 0, 10),)), "sky")
    assert len({len(line) for line in text.split("\n") if line}) == 1
    loose = "# made by hand\n\n\n  # and\ntitle:a\n" + EXAMPLE_TEXT.split("\n", 1)[1].replace(
        "2 . . . . 1", "2 0 0 . . 1\n#"
    )
    assert loads(f"{loose}\n\n \n{EXAMPLE_TEXT}# end", "sky") == [replace(EXAMPLE, title="a"), EXAMPLE]


def test_clues_takes_what_sites_write():
    for size in ("4:", "4dh:", " 4de :"):  # a difficulty as in the game IDs of Towers
        assert loads(f"# a comment\n\n {size}/3//1/2////2/0///1//3/2,f4i \n", "clues") == [plain(EXAMPLE)]
    adjacent = Skyscrapers.from_clues([0] * 40, [(0, 0, 10), (0, 1, 9), (9, 9, 1)])
    assert dumps(adjacent, "clues") == "/" * 39 + ",10_9" + "z" * 3 + "s1\n"
    assert loads(dumps(adjacent, "clues"), "clues") == [adjacent]


def test_json_of_both_kinds():
    assert loads(dumps([EXAMPLE, NONOGRAM, FULL], "json"), "json") == [EXAMPLE, NONOGRAM, FULL]


@pytest.mark.parametrize(
    ("kind", "puzzle", "reason"),
    [
        ("mk", EXAMPLE, "mk holds nonograms, not skyscrapers"),
        ("non", [NONOGRAM, EXAMPLE], "puzzle 2: non holds nonograms, not skyscrapers"),
        ("tournament", EXAMPLE, "tournament holds nonograms, not skyscrapers"),
        ("sky", NONOGRAM, "sky holds skyscrapers, not nonograms"),
        ("clues", NONOGRAM, "clues holds skyscrapers, not nonograms"),
        ("sky", replace(EXAMPLE, title="\ud800"), r'sky cannot hold a character of the title "\ud800"'),
    ],
)
def test_refused(kind, puzzle, reason):
    with pytest.raises(UnsupportedError) as caught:
        dumps(puzzle, kind)
    assert str(caught.value) == reason


@pytest.mark.parametrize("kind", ["sky", "json"])
def test_a_goal_that_solves_nothing_is_not_written(kind):
    with pytest.raises(PuzzleError, match="the goal does not solve the puzzle: column 1 from the top"):
        dumps(replace(EXAMPLE, top=(4, 0, 0, 0), goal=SOLUTION), kind)


BOARD = "+ . . +\n. . . .\n. . . .\n+ . . +\n"
MILLION = "9" * 10**6


def sky_json(**changes):
    data = {"kind": "skyscrapers", **{edge: [0, 0] for edge in EDGES}, **changes}
    return json.dumps({key: value for key, value in data.items() if value is not None})


FAULTS = [
    ("sky", "", None, "the file is empty"),
    ("sky", "# nothing\n", None, "no puzzle in this file"),
    (
        "sky",
        "hello\n",
        1,
        'a puzzle begins with title:, author:, licence:, source: or its board (+ ... +), not "hello"',
    ),
    ("sky", "title: a\n\n" + BOARD, 2, 'no board after the texts: it begins with "+ ... +", no blank line before it'),
    ("sky", "title: a\ntitle: b\n" + BOARD, 2, "a second title:"),
    ("sky", 'title: "a\n' + BOARD, 1, 'title: ""a" is not a JSON string, as what begins with a quote is'),
    ("sky", 'title: "\\ud800"\n' + BOARD, 1, r'title: a lone surrogate in ""\ud800""'),
    ("sky", "+ +\n", 1, 'a board begins with "+", a clue a column, "+", not "+ +"'),
    ("sky", "+ 1 2\n", 1, 'a board begins with "+", a clue a column, "+", not "+ 1 2"'),
    ("sky", "+ " + ". " * 100 + "+\n", 1, "a board of 100x100; sizes from 1 to 99 are supported"),
    ("sky", "+ " + ". " * 10**6 + "+\n", 1, "a board of 1000000x1000000; sizes from 1 to 99 are supported"),
    ("sky", BOARD.replace(". . . .\n+", ". . .\n+"), 3, "3 words, the first line has 4"),
    ("sky", BOARD.replace(". . . .\n+", ". . . . .\n+"), 3, "more words, the first line has 4"),
    ("sky", BOARD.replace("+\n.", "+\n\n."), 2, "the board has 1 lines, 4 are due"),
    ("sky", BOARD.replace(". . . .\n+", ". . . .\n.", 1), 4, 'a board of 2x2 ends with "+", a clue a column, "+"'),
    ("sky", BOARD.replace("+ .", "+ 3", 1), 1, "3 towers can't be seen in a line of 2"),
    ("sky", BOARD.replace("\n. ", "\n3 ", 1), 2, "3 towers can't be seen in a line of 2"),
    ("sky", BOARD.replace("\n. .", "\n. 3", 1), 2, "height 3: those of a 2x2 board are from 1 to 2"),
    ("sky", BOARD.replace("\n. .", "\n. x", 1), 2, '"x" is not a number'),
    ("sky", BOARD.replace("\n. .", "\n. -1", 1), 2, '"-1" is not a number'),
    ("sky", BOARD.replace("\n. .", f"\n. {MILLION}", 1), 2, f'"{"9" * 24}..." is not a number (at most 6 digits)'),
    ("sky", BOARD + "1 2\n", 5, 'after the board comes "goal:" or a blank line, not "1 2"'),
    ("sky", BOARD + "goal:\n1 2\n", 7, "the goal has 1 rows, the puzzle 2"),
    ("sky", BOARD + "goal:\n1 2\n2 1\n1 2\n", 8, "the goal has 3 rows, the puzzle 2"),
    ("sky", BOARD + "goal:\n1 2\n2\n", 7, "1 words, a row of the goal has 2"),
    ("sky", BOARD + "goal:\n1 2\n2 0\n", 7, "height 0: those of a 2x2 board are from 1 to 2"),
    ("sky", BOARD + "goal:\n1 2\n1 2\n", 5, "the goal does not solve the puzzle: column 1: 1 stands twice"),
    ("clues", "", None, "the file is empty"),
    ("clues", "#\n", None, "no puzzle in this file"),
    ("clues", "hello\n", 1, '"hello" are not clues with "/" between them'),
    ("clues", "///\n//\n", 2, "3 clues are not four edges of one length"),
    ("clues", "2:///\n", 1, '"2:" is said, but there are 4 clues, for 1x1'),
    ("clues", "x:///\n", 1, '"x" is not a number'),
    ("clues", MILLION + ":///\n", 1, f'"{"9" * 24}..." is not a number (at most 6 digits)'),
    ("clues", "/" * 399 + "\n", 1, "a board of 100x100; sizes from 1 to 99 are supported"),
    ("clues", "//2/\n", 1, "2 towers can't be seen in a line of 1"),
    ("clues", "//1 1/\n", 1, '"1 1" is not a number'),
    ("clues", f"//{MILLION}/\n", 1, f'"{"9" * 24}..." is not a number (at most 6 digits)'),
    ("clues", "///////,\n", 1, "the grid has 0 of 4 cells"),
    ("clues", "///////,a1_2\n", 1, "the grid has 3 of 4 cells"),
    ("clues", "///////," + "z" * 10**6 + "\n", 1, "the grid has more than 4 cells"),
    ("clues", "///////,a3\n", 1, "height 3: those of a 2x2 board are from 1 to 2"),
    ("clues", "///////,c_1\n", 1, 'the grid has a-z, heights and _ between two of them, not "_" there'),
    ("clues", "///////,A\n", 1, 'the grid has a-z, heights and _ between two of them, not "A" there'),
    ("clues", "///////,1²b\n", 1, '"²" is not a number'),
    ("json", '{"kind": "skyscrapers"}', None, 'no "top" in this puzzle'),
    ("json", '{"kind": ["skyscrapers"]}', None, '"kind" is "[\'skyscrapers\']", this reader knows *'),
    ("json", '{"kind": 1}', None, '"kind" is 1, this reader knows "nonogram", "skyscrapers"'),
    ("json", sky_json(kind=None), None, 'unknown key "top" for the kind "nonogram" (it is one for "skyscrapers")'),
    ("json", sky_json(rows=[]), None, 'unknown key "rows" for the kind "skyscrapers" (it is one for "nonogram")'),
    ("json", sky_json(botom=[]), None, 'unknown key "botom", did you mean "bottom"?'),
    ("json", sky_json(nonosat=2), None, '"nonosat" is 2, this reader knows 1'),
    ("json", sky_json(top="00"), None, '"top" is a list of clues, not "00"'),
    ("json", sky_json(top=[]), None, "a board of 0x0; sizes from 1 to 99 are supported"),
    ("json", sky_json(top=[0] * 10**5), None, "a board of 100000x100000; sizes from 1 to 99 are supported"),
    ("json", sky_json(left=[0]), None, '"left": 1 numbers, the puzzle is 2x2'),
    ("json", sky_json(left=[0, 3]), None, '"left", clue 2: 3 towers can\'t be seen in a line of 2'),
    ("json", sky_json(left=[0, None]), None, '"left", clue 2: "None" is not a number'),
    ("json", sky_json(left=["1", 0]), None, '"left", clue 1: "1" is not a number'),
    ("json", sky_json(left=[1.5, 0]), None, '"left", clue 1: "1.5" is not a number'),
    ("json", sky_json(left=[-1, 0]), None, '"left", clue 1: "-1" is not a number'),
    (
        "json",
        sky_json().replace("0", MILLION, 1),
        None,
        f'"top", clue 1: "{"9" * 24}..." is not a number (at most 6 digits)',
    ),
    ("json", sky_json(given=[[0, 0]]), None, '"given" has 1 rows, the puzzle 2'),
    ("json", sky_json(given=["..", ".."]), None, '"given", row 1: a row is a list of heights, not ".."'),
    ("json", sky_json(given=[[0, 0], [0]]), None, '"given", row 2: 1 numbers, the puzzle is 2x2'),
    (
        "json",
        sky_json(given=[[0, 0], [0, 3]]),
        None,
        '"given", row 2, column 2: height 3: those of a 2x2 board are from 1 to 2',
    ),
    (
        "json",
        sky_json(goal=[[0, 1], [1, 2]]),
        None,
        '"goal", row 1, column 1: height 0: those of a 2x2 board are from 1 to 2',
    ),
    (
        "json",
        sky_json(goal=[[1, 2], [1, 2]]),
        None,
        "the goal does not solve the puzzle: column 1: 1 stands twice",
    ),
    ("json", sky_json(title=1), None, '"title": 1 is not a string'),
]


@pytest.mark.parametrize(("kind", "text", "line", "reason"), FAULTS, ids=[f"{f[0]}-{f[3][:40]}" for f in FAULTS])
def test_bad_input(kind, text, line, reason):
    with pytest.raises(FormatError) as caught, no_work():
        loads(text, kind, "bad")
    assert caught.value.line == line
    assert caught.value.reason.startswith(reason.removesuffix("*"))
    assert reason.endswith("*") or caught.value.reason == reason
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


# Text, and reading it back.


def test_a_board_in_text():
    assert puzzle_text(EXAMPLE).split("\n") == [
        "      3   1",
        "  ┌─────────┐",
        "2 │ · · · · │ 1",
        "  │ · · 4 · │",
        "  │ · · · · │ 3",
        "  │ · · · · │ 2",
        "  └─────────┘",
        "    2",
    ]
    assert picture_text(SOLUTION) == "2 1 4 3\n1 2 3 4\n4 3 1 2\n3 4 2 1" == str(SOLUTION)


@SETTINGS
@given(puzzles(with_texts=False), boards(), st.booleans())
def test_what_is_printed_is_read_back(puzzle, heights, colour):
    puzzle = puzzle if puzzle.shape == heights.shape else Skyscrapers.from_heights(heights)
    answer = json.dumps({"verdict": "SAT", "picture": heights.rows()})
    for text in (picture_text(heights, colour), puzzle_text(puzzle, heights, colour), str(heights), answer):
        assert read_picture(text, puzzle) == heights
        assert read_picture("\ufeff\n\n" + text.replace("\n", "\r\n") + "\n\n", puzzle) == heights


@SETTINGS
@given(puzzles(with_texts=False))
def test_the_lines_of_a_drawing_are_aligned(puzzle):
    for heights in (None, latin(puzzle.size)):
        for colour in (False, True):
            text = re.sub(r"\x1b\[[\d;]*m", "", puzzle_text(puzzle, heights, colour))
            bars = [line for line in text.split("\n") if "│" in line]
            assert len(bars) == puzzle.size
            assert len({(line.index("│"), line.rindex("│")) for line in bars}) == 1
            assert len(text.split("\n")) <= puzzle.size + 4


@SETTINGS
@given(st.text(st.characters() | st.sampled_from('0123456789 \n┌│└·?{}[]"\x1b['), max_size=60), st.integers(1, 4))
def test_any_text_is_a_board_or_a_format_error(text, size):
    puzzle = Skyscrapers.from_heights(latin(size))
    printed = puzzle_text(puzzle, puzzle.goal)
    for tried in (text, printed[: len(printed) // 2] + text, text + printed, '{"picture": ' + text):
        try:
            shape, error = read_picture(tried, puzzle).shape, None
        except FormatError as caught:
            shape, error = puzzle.shape, caught
        assert shape == puzzle.shape
        assert error is None or str(error).isprintable()
        assert not (error and error.line) or error.line <= len(re.split("\r\n|\r|\n", tried))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", None, "the board has 0 rows, the puzzle has 4"),
        ("1 2 3 4\n" * 3, 3, "the board is 3x4 (rows x columns), the puzzle 4x4"),
        ("1 2 3 4\n" * 5, 5, "the board is 5x4 (rows x columns), the puzzle 4x4"),
        ("1 2 3 4\n1 2 3\n" * 2, 2, "row 2 has 3 cells, the puzzle has 4"),
        ("1 2 3 4\n" * 3 + "1 2 5 4", 4, "row 4, column 3: height 5, those of the puzzle are from 1 to 4"),
        ("1 2 3 4\n" * 3 + "1 2 0 4", 4, "row 4, column 3: height 0, those of the puzzle are from 1 to 4"),
        ("1 2 3 4\n" * 3 + "1 2 ² 4", 4, "row 4, column 3: '²' is not a height"),
        ("1 2 3 " + MILLION + "\n1 2 3 4" * 3, 1, f"row 1, column 4: '{'9' * 23}... is not a height"),
        (puzzle_text(EXAMPLE), 3, "row 1, column 1: cell not decided"),
        (puzzle_text(EXAMPLE).replace("│", " ", 1), 3, "a row of the board stands between │ and │"),
        ('{"verdict": "UNSAT", "picture": null}', None, 'the answer has no "picture", its verdict is UNSAT'),
        ('{"picture": ["1 2 3 4"]}', None, "the board is 1x4 (rows x columns), the puzzle 4x4"),
    ],
)
def test_errors_name_the_line_and_the_reason(text, line, reason):
    with pytest.raises(FormatError) as caught:
        read_picture(text, EXAMPLE)
    assert (caught.value.line, caught.value.reason) == (line, reason)
    assert isinstance(caught.value, SizeError) == ("rows x columns" in reason)


# SVG and PNG.


def svg_numbers(text):
    return [item.text for item in ET.fromstring(text).findall(".//{*}text")]


@pytest.mark.parametrize("size", [1, 2, 4, 9, 12, 99])
def test_svg_shows_every_number(size):
    puzzle = replace(Skyscrapers.from_heights(latin(size)), title="<&>\0")
    heights = [str(value) for value in puzzle.goal.cells.flat]
    clues = [str(clue) for clue in puzzle.clues]
    assert sorted(svg_numbers(svg(puzzle, puzzle.goal))) == sorted(clues + heights)
    assert sorted(svg_numbers(svg(puzzle))) == sorted(clues)
    assert sorted(svg_numbers(svg_picture(puzzle.goal))) == sorted(heights)
    assert svg(puzzle, puzzle.goal) == svg(puzzle, puzzle.goal)
    assert ET.fromstring(svg(puzzle)).find("{*}title").text == "<&>\ufffd"


def test_notebooks_draw_both():
    assert EXAMPLE._repr_svg_() == svg(EXAMPLE)
    assert SOLUTION._repr_svg_() == svg_picture(SOLUTION)
    assert "bold" in svg(EXAMPLE)
    assert "bold" not in svg(FULL, SOLUTION)


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("size", [1, 2, 9, 99])
def test_numbers_can_be_read(size):
    shades = [shade(height, size) for height in range(1, size + 1)]
    assert min(contrast(INK, ground) for ground in shades) >= 4.5
    assert contrast(CLUE_INK, "#ffffff") >= 4.5
    brightness = [luminance(ground) for ground in shades]
    assert brightness == sorted(brightness, reverse=True)


def decoded(data):
    with Image.open(BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize("size", [1, 4, 9, 10])
@pytest.mark.parametrize("cell", [None, 1, 3, 10, 40])
def test_png_cells_have_their_shades(size, cell):
    heights = latin(size)
    puzzle = Skyscrapers.from_heights(heights)
    for data in (png(puzzle, heights, cell), png_picture(heights, cell)):
        pixels = decoded(data)
        side = cell or 72
        margin = (pixels.shape[0] - size * side) // 2
        corners = pixels[margin + side // 8 :: side, margin + side // 8 :: side][:size, :size]
        expected = [[channels(shade(value, size)) for value in row] for row in heights.cells.tolist()]
        assert np.array_equal(corners, expected)


@pytest.mark.slow
def test_png_is_bounded():
    heights = latin(99)
    for data in (png(Skyscrapers.from_heights(heights), heights), png_picture(heights)):
        assert decoded(data).shape[0] ** 2 <= MOST_PIXELS
    for cell in (0, -1, 1000):
        with pytest.raises(UnsupportedError):
            png(Skyscrapers.from_heights(heights), heights, cell)


@pytest.mark.parametrize("draw", [svg, png, puzzle_text])
def test_a_board_of_another_puzzle_is_refused(draw):
    for heights in (Heights([[1]]), Picture([[1] * 4] * 4)):
        with pytest.raises(PuzzleError):
            draw(FULL, heights)
