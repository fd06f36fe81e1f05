"""What commands take for puzzles: several files, folders, drawings, and what `nonosat solve` printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import complaint, run

import nonosat
from nonosat.errors import FormatError
from nonosat.puzzles.formats import load, load_all, save
from nonosat.puzzles.formats.pictured import drawn
from nonosat.puzzles.nonogram import Nonogram, Picture
from nonosat.puzzles.nonogram.puzzle import Colour
from nonosat.puzzles.skyscrapers import Skyscrapers

HEART = Nonogram.from_picture([".#.#.", "#####", ".###.", "..#.."])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two puzzles, a folder with one more and a pack of two, a broken file, and what is no puzzle's file."""
    save(HEART, tmp_path / "b.mk")
    save(HEART, tmp_path / "a.json")
    (tmp_path / "below").mkdir()
    save(HEART, tmp_path / "below" / "c.non")
    square = Nonogram.from_picture(["##", ".#"], title="S")
    save([square, square], tmp_path / "below" / "d.txt")
    (tmp_path / "e.mk").write_text("4 4\n")
    (tmp_path / "notes.md").write_text("no puzzle")
    (tmp_path / ".hidden.mk").write_text("no puzzle")
    return tmp_path


@pytest.mark.parametrize("command", ["solve", "difficulty", "count"])
def test_a_folder_is_all_that_is_in_it_and_a_bad_file_stops_nothing(folder: Path, command: str) -> None:
    done = run(command, str(folder))
    lines = [line for line in done.stdout.splitlines() if line.startswith(str(folder))]
    names = [line.removeprefix(f"{folder}/").split(":")[0] for line in lines]
    assert names == ["a.json", "b.mk", "below/c.non", "below/d.txt 1", "below/d.txt 2"]
    [told] = done.stderr.splitlines()
    assert told.startswith(f"nonosat: {folder}/e.mk:")
    assert done.returncode == 2


@pytest.mark.parametrize("command", ["solve", "difficulty", "count", "sample", "backbone"])
def test_json_is_an_object_a_line_with_its_file(folder: Path, command: str) -> None:
    names = [str(folder / name) for name in ("b.mk", "below/d.txt", "none.mk", "a.json")]
    done = run(command, *names, "--format", "json")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(record["file"], record.get("index")) for record in records] == [
        (names[0], None), (names[1], 1), (names[1], 2), (names[3], None),
    ]  # fmt: skip
    assert done.stderr == f"nonosat: {names[2]}: no such file\n"
    assert done.returncode == 2


def test_of_puzzles_that_are_all_read_the_exit_code_is_that_of_the_answers(folder: Path) -> None:
    assert run("solve", str(folder / "a.json"), str(folder / "b.mk")).returncode == 10
    (folder / "unsat.mk").write_text("1 2\n1\n#\n1\n1\n")
    assert run("solve", str(folder / "unsat.mk"), str(folder / "unsat.mk")).returncode == 20
    assert run("difficulty", str(folder / "a.json"), str(folder / "b.mk")).returncode == 0


def test_several_boards_of_one_command_have_an_empty_line_between(folder: Path) -> None:
    done = run("backbone", str(folder / "a.json"), str(folder / "b.mk"))
    assert done.stdout == "\n".join([*(row for row in HEART.goal.rows()), "", *HEART.goal.rows(), ""])  # type: ignore[union-attr]


def test_a_usage_error_is_one_line_for_any_number_of_files(folder: Path) -> None:
    two = [str(folder / "a.json"), str(folder / "b.mk")]
    assert complaint("solve", *two, "--encoding", "nope").startswith("unknown encoding part")
    assert complaint("count", *two, "--counter", "nope").startswith("unknown counter")
    assert complaint("solve", *two, "--from", "nope").startswith("unknown format")
    assert "--draw takes one" in complaint("solve", *two, "--draw", "x.png")
    (folder / "empty").mkdir()
    assert "no file in this folder" in complaint("solve", str(folder / "empty"))


def test_a_puzzle_that_a_command_is_not_for_stops_nothing(folder: Path) -> None:
    save(Skyscrapers.from_heights([[1, 2], [2, 1]]), folder / "x.sky")
    done = run("difficulty", str(folder / "x.sky"), str(folder / "a.json"))
    said = "difficulty is for nonograms, not for skyscrapers; with --explained it is for all"
    assert done.stderr == f"nonosat: {folder}/x.sky: {said}\n"
    assert (done.stdout.count("\n"), done.returncode) == (2, 2)


def test_check_goes_through_several_pictures(folder: Path) -> None:
    right, wrong, junk = (str(folder / name) for name in ("right.txt", "wrong.txt", "junk.txt"))
    Path(right).write_text("\n".join(HEART.goal.rows()))  # type: ignore[union-attr]
    Path(wrong).write_text("#####\n#####\n.###.\n..#..\n")
    Path(junk).write_text("?")
    done = run("check", str(folder / "b.mk"), wrong, junk, right)
    assert [line.split(": ")[1] for line in done.stdout.splitlines()] == ["wrong", "right"]
    assert done.stderr.startswith(f"nonosat: {junk}")
    assert (done.stderr.count("\n"), done.returncode) == (1, 2)
    assert run("check", str(folder / "b.mk"), right, wrong).returncode == 1
    assert run("check", str(folder / "b.mk"), right, right).returncode == 0


@pytest.mark.slow
def test_a_booklet_of_a_folder(folder: Path) -> None:
    done = run("print", str(folder), "-o", str(folder / "book.pdf"))
    assert (done.returncode, (folder / "book.pdf").read_bytes()[:5]) == (2, b"%PDF-")
    assert "e.mk" in done.stderr


def test_what_solve_prints_is_a_puzzle_again(folder: Path) -> None:
    for how in ([], ["--format", "json"], ["--all"]):
        printed = run("solve", str(folder / "a.json"), *how).stdout
        assert run("count", "-", stdin=printed).stdout == "1\n"
        for name in ("printed.txt", "printed"):
            (folder / name).write_text(printed)
            assert load(folder / name) == nonosat.Nonogram.from_picture(HEART.goal.rows())  # type: ignore[union-attr]
    save(Skyscrapers.from_heights([[1, 2, 3], [2, 3, 1], [3, 1, 2]]), folder / "x.sky")
    for how in ([], ["--format", "json"]):
        printed = run("solve", str(folder / "x.sky"), *how).stdout
        assert run("solve", "-", stdin=printed).stdout == "1 2 3\n2 3 1\n3 1 2\n"


def test_what_draw_writes_is_a_puzzle_again(folder: Path) -> None:
    for picture in (HEART.goal, Picture.from_text(["r.g.#.r", "rrggg.#", ".......", "g......", "######.", "...r..."])):
        save(nonosat.Nonogram.from_picture(picture), folder / "drawn.json")
        printed = run("draw", str(folder / "drawn.json"), "-", "--solve").stdout
        (folder / "drawn.txt").write_text(printed)
        assert "┼" in printed
        assert load(folder / "drawn.txt") == nonosat.Nonogram.from_picture(picture)
        (folder / "drawn.txt").write_text(f"\n\n{printed}\n{printed}")
        assert load_all(folder / "drawn.txt") == [nonosat.Nonogram.from_picture(picture)] * 2
    (folder / "open.txt").write_text(run("draw", str(folder / "a.json"), "-").stdout)
    said = complaint("solve", str(folder / "open.txt"))
    assert re.search(r"open\.txt:\d+: a cell that is not drawn: nonosat draw --solve draws them all", said)


def test_answers_to_several_puzzles_are_several_puzzles(folder: Path) -> None:
    printed = run("solve", str(folder / "a.json"), str(folder / "below"), "--format", "json").stdout
    (folder / "answers.json").write_text(printed)
    assert [puzzle.shape for puzzle in load_all(folder / "answers.json")] == [(4, 5), (4, 5), (2, 2), (2, 2)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("#.#\n.##\n", ["#.#", ".##"]),
        ("\n\n#-b \n_b#\n\n", ["#.b", ".b#"]),
        ("██··\n··██\n", ["#.", ".#"]),
        ("█·\n·█\n", ["#.", ".#"]),
        ("##..\n..##\n", ["##..", "..##"]),
        ("rrgg\n····\n", ["rg", ".."]),
        ("rrgg\nggrr\n", ["rg", "gr"]),
    ],
)
def test_drawings(text: str, rows: list[str]) -> None:
    found = drawn(text)
    assert found is not None
    assert [str(puzzle.goal).split("\n") for puzzle in found] == [rows]


@pytest.mark.parametrize("text", ["", "hello\n", "2 2\n1\n1\n#\n1\n1\n", "$1\n1\n1\n", "1 2\n1 2\n", "{}", "[1]", "{"])
def test_what_is_no_drawing(text: str) -> None:
    assert drawn(text) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("#.#\n.#\n", "line 2: row 2 of the drawing has 2 characters, row 1 has 3"),
        ("\n#.#\n.?.\n", "line 3: row 2 of the drawing: '?' is no colour"),
        ("#.\n\n1 2\n2 1\n", "line 3: board 2 is none, though board 1 is"),
        ('{"verdict": "UNSAT", "picture": null}', 'the answer has no "picture", its verdict is UNSAT'),
    ],
)
def test_a_truncated_drawing_is_reported_with_its_line(text: str, told: str) -> None:
    with pytest.raises(FormatError, match=told.replace("?", r"\?")):
        drawn(text)


def test_images_load_and_solve_from_python(tmp_path: Path) -> None:
    (tmp_path / "x.pbm").write_text("P1 3 2  1 0 1  0 1 1")
    assert load(tmp_path / "x.pbm").title == "x"
    assert nonosat.solve(tmp_path / "x.pbm").picture == Picture([[1, 0, 1], [0, 1, 1]])


@pytest.mark.slow
def test_the_number_found_is_shown_during_the_search() -> None:
    permutations = Nonogram.from_lengths([[1]] * 7, [[1]] * 7)
    told: list[int] = []
    nonosat.solve(permutations, solver="minisat22", count=None, on_progress=lambda stage, found: told.append(found))
    assert told == sorted(told)
    assert max(told) > 1  # it is told five times a second, and all 5,040 take more than that


def test_a_puzzle_is_described_in_one_line() -> None:
    colours = (Colour("#", "#000000"), Colour("r", "#ff0000"))
    coloured = Nonogram.from_lengths([[1], [1]], [[1], [1]], given=[(0, 0, 1)], title="Two\nlines " * 20)
    assert repr(coloured).startswith("<Nonogram 2x2, 1 given: 'Two")
    assert "\n" not in repr(coloured)
    assert repr(Nonogram.from_picture(Picture([[1, 2]], colours))) == "<Nonogram 1x2, 2 colours>"
    assert repr(Skyscrapers.from_heights([[1, 2], [2, 1]], title="T")) == "<Skyscrapers 2x2, 8 clues: 'T'>"
    assert len(repr(coloured)) < 100


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("x.sqlite", b"\0junk", "not a store of runs"),
        ("x.sqlite", b"SQLite format 3\0junk", "x.sqlite: "),
        ("x.parquet", b"PAR1junk", "not a Parquet file"),
        ("x.parquet", b"", "x.parquet"),
        ("x.jsonl", b"{", "x.jsonl"),
        ("x.csv", b"\0", "x.csv"),
    ],
)
def test_a_report_of_what_are_no_records_is_one_line(name: str, data: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    assert told in complaint("study", "report", name, cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_that_is_a_file_is_reported(folder: Path) -> None:
    (folder / "boards").write_text("")
    said = complaint("generate", "--size", "5", "--density", "0.5", "-o", str(folder / "boards"))
    assert said == f"{folder}/boards: is a file, not a folder"
