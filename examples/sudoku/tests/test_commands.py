"""Every command of nonosat on a kind that it has never heard of, as it is installed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import nonosat

EASY = str(Path(__file__).parents[1] / "easy.sdm")
STUDY = """
encodings = ["everywhere+direct", "pairwise+order"]
solvers = ["minisat22", "cpsat", "auto"]
[limits]
time_limit_s = 60
[[puzzles]]
generator = "sudoku"
sizes = [4]
levels = ["easy", "hard"]
count = 1
[[puzzles]]
files = ["easy.sdm"]
index = [1]
"""


def run(*arguments: str, stdin: str = "", code: int = 0) -> str:
    """What the command prints; ``code`` is how it must end, and a traceback is never seen."""
    command = [sys.executable, "-m", "nonosat", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    return done.stdout + done.stderr


def test_solve():
    """Ten puzzles, each with one solution; by any solver, within limits, and one of another kind refused."""
    assert "10 of 10 with a single solution" in run("solve", EASY, "--unique", code=10)
    first = ("solve", EASY, "--index", "1", "--unique")
    assert "the only solution" in run(*first, "--time-limit", "60", "--solver", "cadical153", code=10)
    assert "the only solution" in run(*first, "--solver", "cpsat", "--encoding", "pairwise", code=10)
    assert "is for the puzzle nonogram, not for sudoku" in run(*first, "--solver", "propagation", code=2)
    assert "encoding tight+r3 is for the puzzle nonogram" in run(*first, "--encoding", "tight+r3", code=2)


def test_encode_decode_check(tmp_path):
    """A formula goes out and an answer comes back."""
    cnf, out, text = str(tmp_path / "s.cnf"), tmp_path / "out", tmp_path / "board.txt"
    run("encode", EASY, "--index", "1", "-o", cnf)
    answer = json.loads(run("solve", EASY, "--index", "1", "--format", "json", code=10))
    puzzle = nonosat.load(EASY, index=1)
    formula = nonosat.encoding("everywhere+direct").formula(puzzle)
    values = [[int(value) for value in row] for row in answer["picture"]]
    literals = []
    for row in range(9):
        for column in range(9):
            first = int(formula.map.first[formula.board[row, column]])
            literals += [first + v if v == values[row][column] - 1 else -(first + v) for v in range(9)]
    out.write_text(f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n")
    assert "SAT, checked" in run("decode", cnf, str(out), code=10)
    text.write_text("\n".join(answer["picture"]))
    assert run("check", EASY, str(text), "--index", "1").endswith("right\n")
    text.write_text(text.read_text()[::-1])
    assert "wrong" in run("check", EASY, str(text), "--index", "1", code=1)


def test_prove(tmp_path):
    """No second solution, and the proof is checked."""
    assert "checked" in run("prove", EASY, "--index", "1", "-o", str(tmp_path / "proof"), code=20)


def test_certify(tmp_path):
    """From its own statement, in any of its encodings; what is written is checked by itself."""
    first = ("certify", EASY, "--index", "1", "-o", str(tmp_path))
    assert "one solution, and no other" in run(*first, code=20)
    assert "one solution, and no other" in run(*first, "--encoding", "everywhere+log", code=20)
    files = str(tmp_path / "easy-1.opb"), str(tmp_path / "easy-1.pbp")
    run("convert", EASY, "--index", "1", str(tmp_path / "first.json"))
    assert "one solution, and no other" in run("check-certificate", *files, "--puzzle", str(tmp_path / "first.json"))


@pytest.mark.parametrize("suffix", ["svg", "png", "txt"])
def test_draw(tmp_path, suffix):
    """Text and SVG of its own, PNG as text."""
    run("draw", EASY, str(tmp_path / f"board.{suffix}"), "--index", "1", "--solve")
    assert (tmp_path / f"board.{suffix}").stat().st_size > 100


def test_convert_and_generate(tmp_path):
    """Formats of its own and JSON; what is broken is one line with its place."""
    run("convert", EASY, str(tmp_path / "all.json"))
    assert len(nonosat.load_all(tmp_path / "all.json")) == 10
    (tmp_path / "bad.sdm").write_text("1" * 80 + "x\n")
    assert "bad.sdm:1: cell 81: 'x' is no value of a 9x9 Sudoku" in run("solve", str(tmp_path / "bad.sdm"), code=2)
    assert len(run("generate", "--puzzle", "sudoku", "--level", "hard", "-o", "-", "--to", "sdm").strip()) == 81
    assert "levels are easy and hard" in run("generate", "--puzzle", "sudoku", "--level", "mild", code=2)


def test_study(tmp_path):
    """Run, resumed, reported; nothing wrong."""
    (tmp_path / "easy.sdm").write_text(Path(EASY).read_text())
    study = tmp_path / "sudokus.toml"
    study.write_text(STUDY)
    assert "15 of 15 runs; 15 SAT" in run("study", "run", str(study), "--store", str(tmp_path / "s.sqlite"))
    assert "15 of 15 runs" in run("study", "run", str(study), "--store", str(tmp_path / "s.sqlite"))
    run("study", "report", str(tmp_path / "s.sqlite"), "-o", str(tmp_path / "report"))
    assert "everywhere" in (tmp_path / "report" / "index.html").read_text()


def test_lists():
    """It is told of, and who brought it."""
    assert "sudoku" in run("list", "kinds")
    assert "everywhere" in run("list", "encodings")
    assert "sdm" in run("list", "formats")
    assert "nonosat-sudoku 0.1.0" in run("list", "plugins")


def test_notebook():
    """What a notebook shows."""
    puzzle = nonosat.load(EASY, index=1)
    answer = nonosat.solve(puzzle)
    for shown in (puzzle, answer, answer.picture):
        assert shown._repr_svg_().startswith("<svg")
