import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from sampling import spread

from nonosat.errors import FormatError, PuzzleError, SizeError, UnsupportedError
from nonosat.puzzles import drawing as png_module
from nonosat.puzzles.drawing import (
    channels,
    ink_of,
    ink_on,
    luminance,
    picture_text,
    png,
    png_picture,
    puzzle_text,
    read_picture,
    svg,
    svg_picture,
)
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.nonogram.puzzle import BLACK, Colour, Picture, palette_of
from nonosat.puzzles.nonogram.svg import layout

HEART = Picture([[0, 1, 0, 1, 0], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0]])
PUZZLE = Nonogram.from_picture(HEART, "A heart")
NARROW = Nonogram.from_picture(Picture(HEART.cells[:, :3]))
BROAD = Nonogram.from_picture(Picture(np.ones((2, 7), dtype=int)))


@st.composite
def pictures(draw, most_colours=4):
    height, width = draw(st.integers(1, 13)), draw(st.integers(1, 13))
    colours = draw(st.integers(1, most_colours))
    cells = draw(st.lists(st.integers(0, colours), min_size=height * width, max_size=height * width))
    palette = palette_of(colours)
    if draw(st.booleans()):  # no black among the colours
        palette = tuple(Colour("XabZ"[i], colour.rgb) for i, colour in enumerate(palette))
    return Picture(np.reshape(cells, (height, width)), palette)


def random_picture(height, width, colours=1, seed=1):
    cells = np.random.default_rng(seed).integers(0, colours + 1, (height, width))
    return Picture(cells, palette_of(colours))


# text


@given(pictures(), st.booleans())
def test_what_is_printed_is_read_back(picture, colour):
    puzzle = Nonogram.from_picture(picture)
    for text in (picture_text(picture, colour), puzzle_text(puzzle, picture, colour), str(picture)):
        assert read_picture(text, puzzle) == picture
        assert read_picture("\n\n" + text.replace("\n", "\r\n") + "\n\n", puzzle) == picture


@given(pictures())
def test_blanks_may_be_spaces_and_cut_from_the_ends_of_lines(picture):
    puzzle = Nonogram.from_picture(picture)
    text = str(picture).replace(".", " ")
    assert read_picture(text, puzzle) == picture
    if "" not in (lines := [line.rstrip() for line in text.split("\n")]) and puzzle.width > 1:
        assert read_picture("\n".join(lines), puzzle) == picture


@given(pictures())
def test_the_json_of_an_answer_is_read(picture):
    puzzle = Nonogram.from_picture(picture)
    assert read_picture(json.dumps({"verdict": "SAT", "picture": picture.rows()}), puzzle) == picture


@given(st.text(st.characters() | st.sampled_from("#.·█ \n┼│┊┄?{}[]\"'\x1b["), max_size=80), pictures(2))
@settings(max_examples=100)
def test_any_text_is_a_picture_or_a_format_error(text, picture):
    puzzle = Nonogram.from_picture(picture)
    printed = puzzle_text(puzzle, picture)
    for tried in (text, printed[: len(printed) // 2] + text, text + printed, '{"picture": ' + text):
        try:
            shape, line = read_picture(tried, puzzle).shape, None
        except FormatError as error:
            shape, line = puzzle.shape, error.line
        assert shape == puzzle.shape
        assert line is None or 1 <= line <= len(re.split("\r\n|\r|\n", tried))


def test_a_file_of_bytes_is_a_format_error():
    for text in (
        bytes(range(256)).decode("latin-1"),
        "\udcff\0",
        "",
        "{" * 100_000,
        '{"a":' * 100_000,
        '{"a":' + "1" * 9999,
    ):
        with pytest.raises(FormatError):
            read_picture(text, PUZZLE)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (".#.#.\n#####\n####\n.###.\n..#..", 3, "row 3 has 4 cells, the puzzle has 5 columns"),
        (".#.#.\n#####\n#####.\n.###.\n..#..", 3, "row 3 has 6 cells, the puzzle has 5 columns"),
        ("\n.#.#.\n#####\n##q##\n.###.\n..#..\n", 4, "row 3, column 3: unknown symbol 'q'"),
        (".#.#.\n#####\n#####\n.#?#.\n..#..", 4, "row 4, column 3: cell not decided"),
        (".#.#.\n#####", 2, "the picture is 2x5 (rows x columns), the puzzle 5x5"),
        (".#.#.\n#####\n#####\n.###.\n..#..\n.....", 6, "the picture is 6x5 (rows x columns), the puzzle 5x5"),
        (puzzle_text(PUZZLE), 3, "row 1, column 1: cell not decided"),
        (puzzle_text(PUZZLE, HEART).replace("██··██", "██··█·"), 3, "row 1, column 4: half a cell"),
        (puzzle_text(PUZZLE, HEART).replace("  5 │", "  5  ", 1), 4, "no │ between clue and cells"),
        ('{"picture": ["....."]}', None, "the picture is 1x5 (rows x columns), the puzzle 5x5"),
        ('{"verdict": "UNSAT", "picture": null}', None, "its verdict is UNSAT"),
        ('{"picture": [1, 2]}', None, "not a list of strings"),
        ('{\n"picture": \n}', 3, "not JSON"),
    ],
)
def test_errors_name_the_line_and_the_reason(text, line, reason):
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        read_picture(text, PUZZLE)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("##.\n##.", "2x3"),
        ("##\n##\n..\n##\n##\n", "5x2"),
        ("\n\n" + "#....\n" * 4, "4x5"),
        ("████··\n" * 5, "5x3"),
        ("█·█\n" * 5, "5x3"),
        ("#" * 6 + "\n" + "#\n" * 4, "5x6"),
        ('{"picture": ["#.", ".#"]}', "2x2"),
        (puzzle_text(NARROW, NARROW.goal), "5x3"),
        (puzzle_text(BROAD, BROAD.goal), "2x7"),
    ],
)
def test_a_picture_of_another_size_is_distinguished_from_junk(text, shape):
    with pytest.raises(SizeError, match=re.escape(f"the picture is {shape} (rows x columns), the puzzle 5x5")):
        read_picture(text, PUZZLE)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "   \n  ", "hello", "##.\n##", "#?#\n###", "##.\n#q.", "##.\n\n##.", '{"picture": []}']
)
def test_junk_of_another_size_is_junk(text):
    with pytest.raises(FormatError) as caught:
        read_picture(text, PUZZLE)
    assert not isinstance(caught.value, SizeError)


def test_sizes_in_colours():
    puzzle = Nonogram.from_picture(Picture([[1, 2], [2, 0]], palette_of(2)))
    for text, shape in (("#r#\nr..", "2x3"), ("██rr··\nrr····", "2x3"), (".r", "1x2")):
        with pytest.raises(SizeError, match=re.escape(f"the picture is {shape} (rows x columns), the puzzle 2x2")):
            read_picture(text, puzzle)
    with pytest.raises(FormatError, match="row 1 has 3 cells"):
        read_picture("#c#\nc..", puzzle)  # no colour of the puzzle


@pytest.mark.parametrize("mark", "#Xx1█■")
def test_the_marks_of_a_filled_cell(mark):
    assert read_picture(str(HEART).replace("#", mark), PUZZLE) == HEART


def test_a_board_in_text():
    puzzle = Nonogram.from_lengths([[1, 1], []], [[1], [], [1], [], [], []], given=[(0, 0, 1), (1, 1, 0)])
    assert puzzle_text(puzzle).split("\n") == [
        "    │ 1 0 1 0 0┊ 0",
        "────┼─────────────",
        "1 1 │██        ┊",
        "  0 │  ··      ┊",
    ]


def test_numbers_of_two_digits_do_not_run_into_each_other():
    puzzle = Nonogram.from_lengths([[2]] * 12, [[12], [12]])
    assert puzzle_text(puzzle).split("\n")[0] == "  │ 12 12"


def test_in_colour_the_letters_are_in_their_own_shade():
    picture = Picture([[0, 2]], palette_of(2))
    assert "\x1b[38;2;213;94;0;48;2;213;94;0mrr\x1b[0m" in picture_text(picture, colour=True)
    assert re.sub(r"\x1b\[[\d;]*m", "", picture_text(picture, colour=True)) == "··rr"


# SVG


def parsed(text):
    return ET.fromstring(text)


def filled_area(text):
    paths = [path for path in parsed(text).findall(".//{*}path") if path.get("fill", "none") != "none"]
    return sum(int(length) for path in paths for length in re.findall(r"h(\d+)v1", path.get("d")))


@given(pictures())
@settings(max_examples=40)
def test_svg_is_xml_with_as_many_filled_cells_as_the_picture(picture):
    puzzle = Nonogram.from_picture(picture)
    count = int((picture.cells > 0).sum())
    assert filled_area(svg(puzzle, picture)) == filled_area(svg_picture(picture)) == count
    assert filled_area(svg(puzzle)) == 0
    numbers = [text.text for text in parsed(svg(puzzle)).findall(".//{*}text")]
    assert numbers == [str(run[0]) for _, _, clue in puzzle.lines() for run in clue or [(0,)]]


def test_svg_escapes_the_title():
    title = "</title><script>&\x00\ud800\"'"
    shown = parsed(svg(replace(PUZZLE, title=title))).find("{*}title").text
    assert shown == "</title><script>&\ufffd\ufffd\"'"


def test_svg_is_the_same_every_time_and_small():
    picture = random_picture(200, 200)
    text = svg(Nonogram.from_picture(picture), picture)
    assert text == svg(Nonogram.from_picture(picture), picture)
    assert len(text.encode()) < 1_000_000
    assert len(svg_picture(picture)) < 250_000


def test_svg_shows_given_cells():
    puzzle = replace(PUZZLE, given=(Given(0, 0, 0), Given(1, 1, 1)))
    assert filled_area(svg(puzzle)) == 1
    assert (
        len(list(parsed(svg(puzzle)).findall(".//{*}path")))
        == len(list(parsed(svg(PUZZLE, HEART)).findall(".//{*}path"))) + 2
    )


@given(pictures())
@settings(max_examples=60)
def test_clues_keep_within_their_margins_and_apart(picture):
    plan = layout(Nonogram.from_picture(picture))
    for lines, margin in ((plan.rows, plan.left), (plan.columns, plan.top)):
        for line in lines:
            sizes = [label.width if lines is plan.rows else plan.chip for label in line]
            assert line[-1].away - sizes[-1] / 2 > 0
            assert line[0].away + sizes[0] / 2 < margin
            for i in range(len(line) - 1):
                assert line[i].away - sizes[i] / 2 >= line[i + 1].away + sizes[i + 1] / 2 - 1e-9
    assert all(label.width < 1 for line in plan.columns for label in line)


def test_inks_can_be_read():
    for colour in palette_of(16):
        assert luminance(ink_of(colour.rgb)) < 0.184
        dark, light = sorted((luminance(colour.rgb), luminance(ink_on(colour.rgb))))
        assert (light + 0.05) / (dark + 0.05) > 3.4


# PNG


def decoded(data):
    with Image.open(BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


def expected(picture):
    return np.array([(255, 255, 255), *(channels(colour.rgb) for colour in picture.palette)], dtype=np.uint8)[
        picture.cells
    ]


def centres(pixels, shape, cell, edge):
    """The pixels in the middle of the cells of a board that ends ``edge`` pixels from the right and the bottom."""
    height, width = (np.arange(size) * cell + cell // 2 for size in shape)
    top, left = (pixels.shape[i] - edge - shape[i] * cell for i in (0, 1))
    return pixels[np.ix_(height + top, width + left)]


@pytest.mark.parametrize("shape", spread([((1, 1),), ((5, 8),), ((13, 4),), ((30, 25),)], 2))
@pytest.mark.parametrize("colours", [1, 5])
@pytest.mark.parametrize("cell", spread([16, 24, 50], 1))
def test_png_cells_have_their_shades(shape, colours, cell):
    picture = random_picture(*shape, colours)
    puzzle = Nonogram.from_picture(picture)
    edge = round(cell * 0.25) + 1
    assert np.array_equal(centres(decoded(png(puzzle, picture, cell)), shape, cell, edge), expected(picture))
    assert (centres(decoded(png(puzzle, None, cell)), shape, cell, edge) == 255).all()


@pytest.mark.parametrize("cell", [1, 2, 5, 12, 40])
def test_png_of_a_picture_alone(cell):
    picture = random_picture(9, 14, 3)
    edge = min(6, cell + 1)
    for data in (png_picture(picture, cell), png(Nonogram.from_picture(picture), picture, min(cell, 15))):
        size = cell if data == png_picture(picture, cell) else min(cell, 15)
        assert np.array_equal(centres(decoded(data), (9, 14), size, min(6, size + 1)), expected(picture))
    assert decoded(png_picture(picture, cell)).shape == (9 * cell + 2 * edge, 14 * cell + 2 * edge, 3)


@pytest.mark.parametrize("size", [5, 15, 25, 40])
def test_png_of_an_ordinary_board_is_of_a_size_to_look_at(size):
    picture = random_picture(size, size)
    assert 500 <= decoded(png(Nonogram.from_picture(picture), picture)).shape[1] <= 1200
    assert 350 <= decoded(png_picture(picture)).shape[1] <= 1200


@pytest.mark.parametrize("size", spread([512, 2000], 0))
def test_png_of_a_large_board_is_bounded(size):
    picture = Picture(np.ones((size, size), dtype=np.uint8))
    with Image.open(BytesIO(png(Nonogram.from_picture(picture), picture))) as image:
        assert size <= image.width < 5000
        assert image.width * image.height <= png_module.MOST_PIXELS


def test_png_of_too_many_pixels_is_refused():
    for cell in (0, -3, 5000):
        with pytest.raises(UnsupportedError):
            png(PUZZLE, HEART, cell)
        with pytest.raises(UnsupportedError):
            png_picture(HEART, cell)


def test_a_white_colour_is_not_drawn_as_blank():
    picture = Picture([[0, 1, 2]], (BLACK, Colour("w", "#ffffff")))
    _, _, white = decoded(png_picture(picture, 9))[picture.shape[0] + 6, [11, 20, 29]].tolist()
    assert white != [255, 255, 255]
    assert "#ffffff" not in svg_picture(picture).split("</title>")[1].split("/>", 1)[1]


@pytest.mark.parametrize("draw", [svg, png, puzzle_text])
def test_a_picture_of_another_puzzle_is_refused(draw):
    for picture in (Picture([[1]]), Picture([[2] * 5] * 5, palette_of(2))):
        with pytest.raises(PuzzleError):
            draw(PUZZLE, picture)
