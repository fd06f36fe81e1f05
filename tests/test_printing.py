"""Booklets: everything is on the paper, nothing is on top of something else, and all of it can be read."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import commands
import numpy as np
import pytest
from commands import complaint
from PIL import Image
from sampling import spread

import nonosat
from nonosat.cli.print import _ordered
from nonosat.errors import PuzzleError, UnknownNameError, UnsupportedError
from nonosat.explanations.nonogram.line import names
from nonosat.generators.density import random_density
from nonosat.printing import booklet as booklet_module
from nonosat.printing.booklet import (
    CAPTION,
    FOOT,
    GAP,
    MARGIN,
    PAPERS,
    Item,
    booklet,
    laid_out,
    name,
    numbered,
    paper_svg,
    size,
)
from nonosat.printing.pdf import POINT, Outline, Page, Text, drawing
from nonosat.puzzles import plain
from nonosat.puzzles.drawing import svg, svg_picture
from nonosat.puzzles.formats import load, save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.images import load_image
from nonosat.puzzles.nonogram.puzzle import Colour, Picture, lettered, name_of, palette_of
from nonosat.puzzles.puzzle import Given
from nonosat.puzzles.skyscrapers import Skyscrapers

EXAMPLES = Path(__file__).parents[1] / "examples"
TOWERS = Skyscrapers.from_heights([[2, 1, 3], [3, 2, 1], [1, 3, 2]], "Towers")
COLOURED = Nonogram.from_picture(Picture([[1, 2, 3], [0, 2, 2], [3, 3, 1]], palette_of(3)), "Rags")


def boards(*sides: int) -> list[Nonogram]:
    return [nonosat.random_density(side, side, 0.5, side) for side in sides]


def pages_of(puzzles: list, paper: str = "A4", heading: str = "") -> list[Page]:
    items = [Item(drawing(paper_svg(puzzle)), name(n, puzzle), size(puzzle)) for n, puzzle in enumerate(puzzles, 1)]
    return numbered(laid_out(items, paper, heading))


def texts(page: Page) -> list[str]:
    return [shape.text for shape in page.shapes if isinstance(shape, Text)]


def corners(shape: Outline | Text) -> tuple[float, float, float, float]:
    if isinstance(shape, Text):  # DejaVu's letters are at most as wide as high
        wide = len(shape.text) * shape.size * 0.75
        left = shape.x - {"start": 0, "middle": wide / 2, "end": wide}[shape.anchor]
        return left, shape.y - shape.size, left + wide, shape.y
    points = [point for line, _ in shape.lines for point in line]
    return (*map(min, zip(*points, strict=True)), *map(max, zip(*points, strict=True)))


def papers(page: Page) -> list[tuple[float, float, float, float]]:
    """The white grounds of the drawings: each is as large as its drawing."""
    return [corners(shape) for shape in page.shapes if isinstance(shape, Outline) and shape.fill == "#ffffff"]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("puzzles", [[TOWERS] * 9, [COLOURED, TOWERS], boards(5, 5, 8, 10, 10, 10, 10, 15, 20, 30, 3)])
def test_all_is_on_the_paper_and_nothing_overlaps(paper: str, puzzles: list) -> None:
    pages = pages_of(puzzles, paper, "A heading")
    for page in pages:
        assert sorted((page.width, page.height)) == sorted(PAPERS[paper])
        grounds = papers(page)
        for number, (left, top, right, low) in enumerate(grounds):
            assert left >= MARGIN - 1e-6
            assert top >= MARGIN
            assert right <= page.width - MARGIN + 1e-6
            assert low <= page.height - MARGIN - FOOT + 1e-6
            for left2, top2, right2, low2 in grounds[:number]:
                beside = right + GAP <= left2 + 1e-6 or right2 + GAP <= left + 1e-6
                assert beside or low + GAP + CAPTION <= top2 + 1e-6 or low2 + GAP + CAPTION <= top + 1e-6
        for shape in page.shapes:
            left, top, right, low = corners(shape)
            assert 0 < left < right < page.width or left == right
            assert 0 < top <= low < page.height
    assert sum(len(papers(page)) for page in pages) == len(puzzles)


def test_all_clues_are_printed_and_can_be_read() -> None:
    puzzles = boards(10, 25, 40, 64)
    pages = pages_of(puzzles)
    printed = [text for page in pages for text in texts(page) if text.isdigit()]
    wanted = [str(run.length) for puzzle in puzzles for _, _, clue in puzzle.lines() for run in clue]
    wanted += ["0" for puzzle in puzzles for _, _, clue in puzzle.lines() if not clue]
    assert sorted(printed) == sorted(wanted)
    sizes = [shape.size * POINT for page in pages for shape in page.shapes if isinstance(shape, Text)]
    assert min(sizes) >= 3.5


def test_small_puzzles_stand_side_by_side_in_order() -> None:
    pages = pages_of([replace(puzzle, title="Board") for puzzle in boards(*[5] * 12)])
    assert len(pages) == 1
    titles = [shape for shape in pages[0].shapes if isinstance(shape, Text) and re.match(r"\d+  ", shape.text)]
    assert [int(shape.text.split()[0]) for shape in titles] == list(range(1, 13))
    assert [(round(shape.y), shape.x) for shape in titles] == sorted((round(s.y), s.x) for s in titles)
    assert len({shape.x for shape in titles}) == 3


def test_pages_are_numbered_and_have_a_heading_once() -> None:
    pages = pages_of(boards(20, 20, 20), heading="Ten")
    assert len(pages) > 1
    assert [f"{number} / {len(pages)}" in texts(page) for number, page in enumerate(pages, 1)] == [True] * len(pages)
    assert ["Ten" in texts(page) for page in pages] == [True] + [False] * (len(pages) - 1)


def test_a_wide_board_lies() -> None:
    wide = nonosat.random_density(10, 60, 0.5, 1)
    before, page, after = pages_of([TOWERS, wide, TOWERS])
    assert page.width > page.height
    assert before.width < before.height
    assert after.width < after.height


@pytest.mark.parametrize("shape", [(10, 10), (5, 12), (12, 30)])
def test_a_puzzle_alone_fills_its_page(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Page] = []
    monkeypatch.setattr(booklet_module, "pdf", lambda pages, title: made.extend(pages) or b"")
    booklet([nonosat.random_density(*shape, 0.5, 1)])
    [page] = made
    [(left, top, right, bottom)] = papers(page)
    rooms = (page.width - 2 * MARGIN, page.height - 2 * MARGIN - FOOT - CAPTION)
    assert max((right - left) / rooms[0], (bottom - top) / rooms[1]) == pytest.approx(1)
    assert left - MARGIN == pytest.approx(page.width - MARGIN - right)
    assert (page.width > page.height) == (shape != (10, 10))  # turned where it is larger so
    booklet(boards(10, 10))
    assert len(papers(made[-1])) == 2


def test_colours_have_letters_and_a_legend() -> None:
    [page] = pages_of([COLOURED])
    assert {"1", "1r", "2r", "2b", "r", "b", "black", "red", "blue"} <= set(texts(page))
    assert not [text for text in texts(page) if "#" in text]  # black is no letter
    plain_one = replace(COLOURED, palette=palette_of(1), rows=((),) * 3, columns=((),) * 3, goal=None)
    assert not {"#", "0#"} & set(texts(pages_of([plain_one])[0]))
    assert "1#" not in svg(COLOURED)


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(
        UnsupportedError, match=r"1  .* is too large for A4: its clues would be 2\.1 points high; A3 has more room"
    ):
        booklet(boards(120))
    with pytest.raises(UnknownNameError, match="unknown paper 'A5'"):
        booklet([TOWERS], paper="A5")
    with pytest.raises(UnsupportedError, match="no puzzle"):
        booklet([])


def media(data: bytes) -> list[tuple[float, ...]]:
    return [tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox \[ ?([^\]]*?) ?\]", data)]


@pytest.mark.slow
def test_the_file_is_vectors_and_the_same_every_time() -> None:
    puzzles = [*boards(5, 10), COLOURED, TOWERS]
    data = booklet(puzzles, [puzzle.goal for puzzle in puzzles], "Wałejko's", "Letter")
    assert data == booklet(puzzles, [puzzle.goal for puzzle in puzzles], "Wałejko's", "Letter")
    assert data.startswith(b"%PDF-")
    assert b"/Subtype /Image" not in data
    assert [tuple(map(round, box)) for box in media(data)] == [(0, 0, 612, 792)] * 2
    assert len(media(booklet(puzzles))) == 1  # without solutions
    assert len(media(booklet(puzzles, [None] * 4))) == 1


@pytest.mark.parametrize("title", spread(["🙂 日本", "a\nb\x00c", "x" * 300, "", "<&>", "$x^2$ \\frac"], 2))
def test_any_title_can_be_printed(title: str) -> None:
    puzzle = replace(TOWERS, title=title)
    assert booklet([puzzle], [puzzle.goal], title).startswith(b"%PDF-")


def test_a_kind_without_drawings_is_printed_as_text() -> None:
    plan = drawing(plain.svg(TOWERS, TOWERS.goal))
    assert any(isinstance(shape, Text) and shape.mono for shape in plan.shapes)


@pytest.mark.parametrize(
    "document",
    [
        svg(replace(COLOURED, given=(Given(0, 0, 1), Given(1, 0, 0)))),
        svg(TOWERS, TOWERS.goal),
        svg_picture(COLOURED.goal),
        svg_picture(TOWERS.goal),
    ],
)
def test_all_of_our_drawings_can_be_printed(document: str) -> None:
    plan = drawing(document)
    for shape in plan.shapes:
        left, top, right, low = corners(shape)
        assert -1 <= left <= right <= plan.width + 1
        assert -1 <= top <= low <= plan.height + 1


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ("<circle/>", "the drawing has <circle>"),
        ('<path d="M0 0C1 1 2 2 3 3"/>', "the drawing has a path with C"),
        ('<g transform="rotate(3)"/>', r"the drawing has rotate\(3\)"),
    ],
)
def test_a_drawing_that_cannot_be_printed_is_refused(inside: str, said: str) -> None:
    with pytest.raises(UnsupportedError, match=said):
        drawing(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>')


def test_shapes_are_where_the_document_places_them() -> None:
    plan = drawing(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -20 100 100"><g transform="translate(1 2) scale(2)">'
        '<path d="M1 1h2v3m-1-1L0 0zl5 5" stroke="#ff0000"/><text x="3" y="4" font-size="5">a</text></g></svg>'
    )
    outline, text = plan.shapes
    assert outline.lines == (
        (((13, 24), (17, 24), (17, 30)), False),
        (((15, 28), (11, 22)), True),
        (((15, 28), (25, 38)), False),
    )
    assert (outline.stroke, outline.wide, text.x, text.y, text.size) == ("#ff0000", 2, 17, 30, 10)


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return commands.run("print", *arguments)


def test_the_command_leaves_out_what_is_too_large(tmp_path: Path) -> None:
    nonosat.save(boards(120)[0], tmp_path / "large.json")
    done = run(EXAMPLES / "heart.mk", tmp_path / "large.json", "-o", tmp_path / "book.pdf", "--no-solutions")
    reason = "120x120 is too large for A4: its clues would be 2.1 points high; A3 has more room"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"nonosat: {tmp_path / 'large.json'}: {reason}\n")
    assert len(media((tmp_path / "book.pdf").read_bytes())) == 1


@pytest.mark.slow
def test_the_command_prints_files_and_images_with_solutions(tmp_path: Path) -> None:
    out = tmp_path / "book.pdf"
    done = run(EXAMPLES / "heart.mk", EXAMPLES / "towers.sky", EXAMPLES / "pictures" / "10-dog.png", "-o", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(media(out.read_bytes())) == 2
    without = run(EXAMPLES / "heart.mk", "-o", out, "--no-solutions", "--paper", "A3")
    assert without.returncode == 0
    assert [tuple(map(round, box)) for box in media(out.read_bytes())] == [(0, 0, 1191, 842)]  # turned: it is wide


@pytest.mark.slow
def test_a_puzzle_without_a_solution_is_printed_without_one(tmp_path: Path) -> None:
    (tmp_path / "no.mk").write_text("2 2\n1\n\n#\n2\n\n")
    done = run(tmp_path / "no.mk", "-o", tmp_path / "book.pdf")
    assert done.returncode == 0
    assert done.stderr == f"{tmp_path}/no.mk: it has no solution\n"
    assert len(media((tmp_path / "book.pdf").read_bytes())) == 1


@pytest.mark.slow
def test_a_puzzle_with_several_solutions_is_named(tmp_path: Path) -> None:
    (tmp_path / "two.mk").write_text("2 2\n1\n1\n#\n1\n1\n")
    done = run(EXAMPLES / "heart.mk", tmp_path / "two.mk", "-o", tmp_path / "book.pdf")
    assert (done.returncode, done.stderr) == (0, f"{tmp_path}/two.mk: it has several solutions; one is printed\n")


def test_the_paper_is_looked_at_before_the_puzzles(tmp_path: Path) -> None:
    done = run(tmp_path / "no.mk", "-o", tmp_path / "book.pdf", "--paper", "A5")
    assert done.returncode == 2
    assert done.stderr.startswith("nonosat: unknown paper 'A5'")
    assert "no.mk" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "x.png"], "x.png: prints .pdf"),
        (["-o", "x.pdf", "--paper", "A5"], "unknown paper 'A5'; known: A4, Letter, A3"),
        (["nowhere.mk", "-o", "x.pdf"], "nowhere.mk: no such file"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = run(EXAMPLES / "heart.mk", *(str(tmp_path / name) if name == "x.pdf" else name for name in arguments))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def written(puzzles: list[Nonogram], monkeypatch: pytest.MonkeyPatch, **how: object) -> list[list[str]]:
    """The texts of each page of a booklet."""
    made: list[list[str]] = []
    monkeypatch.setattr(
        booklet_module,
        "pdf",
        lambda pages, title: made.extend([s.text for s in page.shapes if isinstance(s, Text)] for page in pages) or b"",
    )
    booklet(puzzles, [puzzle.goal for puzzle in puzzles], "Ten", **how)  # type: ignore[arg-type]
    return made


def test_titles_are_hidden_until_the_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzles = boards(5, 6)
    hidden = written(puzzles, monkeypatch)
    first, last = " ".join(hidden[0]), " ".join(hidden[-1])
    assert not any(puzzle.title in first for puzzle in puzzles)
    assert all(puzzle.title.split()[0] in last for puzzle in puzzles)
    assert "5x5" in hidden[0]
    shown = " ".join(written(puzzles, monkeypatch, titles=True)[0])
    assert puzzles[0].title.split()[0] in shown


def test_a_duplex_booklet_has_cover_contents_and_right_hand_beginnings(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = written(boards(5, 8), monkeypatch, cover=True, contents=True, duplex=True, notes=["easy", "hard"])
    assert pages[0][:2] == ["Ten", "2 puzzles, 5x5, 8x8"]
    assert pages[1][0] == "Contents"
    listed = [text for text in pages[1][1:] if not text.startswith(". ")]
    assert listed[:6] == ["1", "nonogram · 5x5 · easy", "3", "2", "nonogram · 8x8 · hard", "3"]
    assert pages[2][0] == "1"  # the third page: a right one
    assert pages[3] == []
    assert pages[4][0] == "Solutions"
    one = written(boards(5, 8), monkeypatch)
    assert [page[-1] for page in one] == ["1 / 2", "2 / 2"]


def test_names_have_two_lines_and_contents_all_the_room_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    titles = [
        "A rose in a glass",
        "random 15x15, density 0.5, seed 3",
        "A name that is longer than two lines can be " * 3,
    ]
    puzzles = [replace(puzzle, title=title) for puzzle, title in zip(boards(5, 5, 5), titles, strict=True)]
    pages = written(puzzles, monkeypatch, contents=True, titles=True)
    assert pages[0][1] == "1  A rose in a glass"
    assert "2  random 15x15, density 0.5, seed 3" in pages[0]
    assert pages[-1][:5] == [
        "Solutions",
        "1  A rose in a glass",
        "2  random 15x15,",
        "density 0.5, seed 3",
        "3  A name that is",
    ]
    assert pages[-1][5].endswith("…")
    item = Item(drawing(svg_picture(puzzles[1].goal)), name(2, puzzles[1]), most=38)
    long, short = (laid_out([item._replace(name=text)], "A4", "")[0] for text in (item.name, "2"))
    assert papers(long)[0][1] == papers(short)[0][1] + booklet_module.NAME_LINE


@pytest.mark.slow
def test_other_kinds_are_ordered_by_their_explanation() -> None:
    hard = nonosat.load(EXAMPLES / "towers.sky")
    easy = Nonogram.from_picture([[1, 1], [0, 1]], "L")
    limits = {"time_limit_s": 60.0, "cpu_limit_s": None, "memory_limit_mb": None}
    puzzles, labels = _ordered([hard, easy, TOWERS], "difficulty", limits, lambda text: None)  # type: ignore[arg-type]
    assert puzzles[0] is easy
    assert labels[0] == "trivial"
    assert all(labels)


def test_letters_of_colours_are_those_of_their_names() -> None:
    shades = ("#000000", "#e01010", "#0040d0", "#10a040")
    assert lettered(shades) == tuple(map(Colour, "#rbg", shades))
    assert [colour.symbol for colour in palette_of(8)] == list("#rbgpoly")
    assert lettered(("#e01010",)) == (Colour("#", "#e01010"),)
    assert len({colour.symbol for colour in palette_of(52)}) == 52
    assert len({colour.symbol for colour in lettered(shades[1:2] * 53)}) == 53
    with pytest.raises(PuzzleError, match="shade 'blue'"):
        lettered(("blue",))


def test_a_colour_has_one_letter_in_files_explanations_and_booklets(tmp_path: Path) -> None:
    shades = ("#1040c0", "#20a040", "#787820", "#5c649f")
    image = np.array([[255, 255, 255], *([int(rgb[at : at + 2], 16) for at in (1, 3, 5)] for rgb in shades)], np.uint8)
    Image.fromarray(image[[[1, 1, 0, 2], [1, 3, 2, 2], [4, 4, 3, 0]]]).save(tmp_path / "four.png")
    assert commands.run("picture", "four.png", "four.json", "--colours", "4", cwd=tmp_path).returncode == 0
    puzzle = load(tmp_path / "four.json")
    assert {colour.rgb: colour.symbol for colour in puzzle.palette} == dict(zip(shades, "bgos", strict=True))
    assert names(puzzle.palette) == ("blank", *(name_of(colour.rgb) for colour in puzzle.palette))
    [page] = pages_of([puzzle])
    assert {"blue", "green", "olive", "slate blue", *"bgos"} <= set(texts(page))
    assert {text[-1] for text in texts(page) if re.fullmatch(r"\d+\w", text)} == set("bgos")


@pytest.mark.slow
def test_print_and_draw_by_the_command(tmp_path: Path) -> None:
    puzzles = [random_density(12, 12, 0.5, 3), random_density(5, 5, 0.6, 1), random_density(5, 5, 0.9, 1)]
    save(puzzles, tmp_path / "some.json")
    words = ("--order", "difficulty", "--cover", "--contents", "--duplex")
    done = commands.run("print", "some.json", "-o", "b.pdf", *words, cwd=tmp_path)
    assert (done.returncode, (tmp_path / "b.pdf").read_bytes()[:5]) == (0, b"%PDF-")
    assert commands.run("draw", "some.json", "a.pdf", "--index", "2", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.pdf").read_bytes()[:5] == b"%PDF-"
    assert commands.run("draw", "some.json", "a.png", "--index", "2", "--pixels", cwd=tmp_path).returncode == 0
    read = load_image(tmp_path / "a.png")
    assert read == puzzles[1].goal
    assert "`nonosat draw` draws it" in complaint("convert", "some.json", "a.svg", cwd=tmp_path)
    assert commands.run("draw", "some.json", "a.html", "--index", "2", cwd=tmp_path).returncode == 0
    page = (tmp_path / "a.html").read_bytes()
    assert page.startswith(b"<!doctype html>")
    assert len(page) < 100_000
    assert "a page to play has no picture" in complaint("draw", "some.json", "b.html", "--solve", cwd=tmp_path)
    assert "a pixel a cell is for .png" in complaint("draw", "some.json", "a.svg", "--pixels", cwd=tmp_path)
