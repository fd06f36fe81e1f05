"""The table of kinds of puzzle: every record is whole, and what comes from outside is a kind like ours."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import squares
from click.testing import CliRunner
from PIL import Image
from pysat.solvers import Solver
from squares import BACKWARDS, KIND, Latin, Square

from nonosat import plugins
from nonosat.cli import cli
from nonosat.encodings import dimacs
from nonosat.encodings.direct import DirectMap
from nonosat.encodings.parts import Part
from nonosat.encodings.registry import KINDS, PARTS, default_for, encoding
from nonosat.errors import NonosatError, UnknownNameError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.plugins import resolved
from nonosat.puzzles import puzzle as kinds
from nonosat.puzzles.drawing import picture_text, png, png_picture, puzzle_text, read_picture, svg, svg_picture
from nonosat.puzzles.formats import FORMATS, dumps, load, loads, save
from nonosat.puzzles.nonogram import Nonogram, Picture
from nonosat.puzzles.puzzle import Format, Given, PuzzleKind, fault, is_solution, kind_of
from nonosat.puzzles.skyscrapers import Heights
from nonosat.runs.events import Verdict
from nonosat.solvers.sat.decode import decode_output
from nonosat.solvers.solve import solve

PUZZLE = Latin(3, (Given(0, 0, 2),), "three by three")
ENCODINGS = ["squares+order", "squares+direct", "squares+log", "squares+coupled", "squares+backwards"]


@pytest.fixture
def latin() -> Iterator[PuzzleKind]:
    """The package with a kind and an integer encoding more."""
    with plugins.registered(KIND, BACKWARDS):
        yield KIND


@pytest.mark.parametrize("kind", kinds.KINDS.values(), ids=repr)
def test_every_record_is_whole(kind: PuzzleKind) -> None:
    for field in fields(kind):
        if field.name not in ("deduction", "counting", "paper", "image"):  # there is a way without them
            assert getattr(kind, field.name) is not None, field.name
        assert not isinstance(getattr(kind, field.name), str) or field.name == "name", field.name
    for known in kind.all_formats:
        assert callable(known.read)
        assert callable(known.write)
        assert kind.name in known.kinds
    assert kind.puzzle.kind == kind.board.kind == kind.encodings.name == kind.name
    folder = Path(kinds.__file__).parent / kind.name
    assert (folder / "kind.py").is_file()


def test_a_kind_is_found_by_name_puzzle_and_board() -> None:
    assert kind_of("nonogram") is kind_of(Nonogram.from_lengths([[1]], [[1]])) is kind_of(Picture([[1]]))
    assert kind_of(Heights([[1]])).name == "skyscrapers"
    with pytest.raises(
        UnknownNameError, match=r"unknown kind of puzzle 'nonogran'; known: .*; did you mean nonogram\?"
    ):
        kind_of("nonogran")
    with pytest.raises(TypeError, match="int is no kind of puzzle, nor a board of one"):
        kind_of(7)
    with pytest.raises(FrozenInstanceError):
        kind_of("nonogram").check = None  # type: ignore[misc]


def test_the_table_imports_no_kind() -> None:
    probe = "import sys; import nonosat.puzzles.puzzle; print([name for name in sys.modules if 'nonogram' in name])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def kind_like(**about: Any) -> PuzzleKind:
    return PuzzleKind(**({"name": "other", "puzzle": Latin, "board": Square, "check": KIND.check} | about))


def test_a_name_is_taken_once(latin: PuzzleKind) -> None:
    with (
        plugins.registered(kind_like(name="nonogram")),
        pytest.raises(NonosatError, match="plug-in registered: kind of puzzle nonogram: there is one of that name"),
    ):
        kind_of("latin")
    for new, reason in (
        (Format("mk", (".latin",), "", loads, dumps), r"two formats are called mk \(plug-in registered\)"),
        (Format("new", (".mk",), "", loads, dumps), r"\.mk is the suffix of two formats, mk and new \(plug-in"),
    ):
        for record in (kind_like(formats=(new,)), replace(new, holds=("nonogram",))):
            with plugins.registered(record), pytest.raises(NonosatError, match=reason):
                list(FORMATS)
    with (
        plugins.registered(replace(BACKWARDS, name="order")),
        pytest.raises(NonosatError, match="integer encoding order: there is one of that name"),
    ):
        encoding("tight+r3")
    for word in ("", "board", "order"):
        taken = replace(BACKWARDS, name="new", map=type("Taken", (DirectMap,), {"kind": word}))
        with plugins.registered(taken), pytest.raises(NonosatError, match=f"needs a word of its own, not '{word}'"):
            encoding("tight+r3")
    for part in (
        Part("tight", "domain", len, "", "", kind="nonogram"),
        Part("order", "squares", len, "", "", kind="latin"),  # an integer encoding is for all kinds
    ):
        with (
            plugins.registered(part),
            pytest.raises(NonosatError, match=f"two parts of encodings .* called {part.name}"),
        ):
            encoding("tight+r3")


def test_two_kinds_may_have_parts_of_one_name(latin: PuzzleKind) -> None:
    """Which is meant, the puzzle tells; without one it is the first kind's."""
    rows = Part("tight", "squares", squares.differ, "Latin squares", "", kind="latin")
    with plugins.registered(rows):
        assert (encoding("tight+r3").kind, encoding("tight+order", "latin").kind) == ("nonogram", "latin")
        assert encoding("tight+r3", "latin").kind == "nonogram"
        answer = solve(PUZZLE, encoding="tight+direct", unique=True)
        assert (answer.verdict, answer.encoding) == (Verdict.SAT, "tight+direct")
        assert solve(PUZZLE, encoding="squares").verdict is Verdict.SAT
        assert solve(random_density(4, 4, 0.5, seed=1), encoding="tight+r3", solver="minisat22").unique is not False
        with pytest.raises(UnsupportedError, match="mixes parts for nonogram and for latin"):
            encoding("r3+squares")


def test_the_tables_that_follow_follow_at_once(latin: PuzzleKind) -> None:
    assert list(KINDS) == ["nonogram", "skyscrapers", "latin"]
    assert "squares" in PARTS
    assert "backwards" in PARTS
    assert FORMATS["json"].kinds == ("nonogram", "skyscrapers", "latin")
    assert default_for(PUZZLE) == default_for("latin") == "squares+order"
    with pytest.raises(UnsupportedError, match="for the puzzle latin, not for nonogram"):
        encoding("squares").csp(Nonogram.from_lengths([[1]], [[1]]))
    with pytest.raises(UnsupportedError, match="mixes parts for latin and for nonogram"):
        encoding("squares+tight")


@pytest.mark.parametrize("name", ENCODINGS)
def test_it_is_solved_and_checked(latin: PuzzleKind, name: str) -> None:
    answer = solve(PUZZLE, encoding=name, count=None)
    assert (answer.verdict, len(answer.pictures), answer.exhausted) == (Verdict.SAT, 4, True)
    assert all(is_solution(PUZZLE, picture) for picture in answer.pictures)
    assert str(fault(PUZZLE, Square([[1, 2, 3]] * 3))) == "column 1: not every number once"
    assert "<svg" in str(answer._repr_svg_())


@pytest.mark.parametrize("solver", ["auto", "cadical153"])
def test_other_solvers_take_it(latin: PuzzleKind, solver: str) -> None:
    assert solve(PUZZLE, solver=solver, unique=True).unique is False


@pytest.mark.slow
def test_processes_of_their_own_take_it(tmp_path: Path) -> None:
    """A module that registers its kind is all that such a process needs."""
    text = Path(squares.__file__).read_text(encoding="utf-8")
    (tmp_path / "squares.py").write_text(f"{text}\nfrom nonosat import plugins\n\nplugins.register(KIND)\n")
    (tmp_path / "ask.py").write_text(
        "from squares import Latin\n"
        "from nonosat.solvers.solve import solve\n"
        "print(solve(Latin(3), time_limit_s=60).verdict, solve(Latin(3), solver='cpsat', unique=True).unique)\n"
    )
    done = subprocess.run([sys.executable, tmp_path / "ask.py"], capture_output=True, text=True, check=True)
    assert done.stdout == "SAT False\n"


def test_its_json_is_read_back(latin: PuzzleKind, tmp_path: Path) -> None:
    assert loads(dumps(PUZZLE, "json"), "json") == [PUZZLE]
    save(PUZZLE, tmp_path / "square.json")
    assert load(tmp_path / "square.json") == PUZZLE
    with pytest.raises(UnsupportedError, match="mk holds nonograms, not latins"):
        dumps(PUZZLE, "mk")


def test_it_is_drawn_as_text_and_what_it_has_not_is_refused(latin: PuzzleKind) -> None:
    board = Square([[2, 1, 3], [1, 3, 2], [3, 2, 1]])
    assert picture_text(board) == "213\n132\n321"
    assert puzzle_text(PUZZLE) == "three by three\n2 . .\n. . .\n. . ."
    assert puzzle_text(PUZZLE, board) == "three by three\n213\n132\n321"
    assert ">132</text>" in svg(PUZZLE, board)
    assert svg_picture(board) == board._repr_svg_()
    for image in (png(PUZZLE), png_picture(board), png(PUZZLE, board, cell=20)):
        assert len(np.unique(np.asarray(Image.open(BytesIO(image)).convert("L")))) > 2  # letters, on paper
    with pytest.raises(UnsupportedError, match="cells of 0 pixels"):
        png(PUZZLE, cell=0)
    with pytest.raises(UnsupportedError, match="boards of the puzzle latin can be printed, but not read"):
        read_picture("213", PUZZLE)


def test_its_own_drawings_are_used() -> None:
    own = PuzzleKind(
        name="latin",
        puzzle=Latin,
        board=Square,
        check=KIND.check,
        puzzle_text=lambda puzzle, picture, colour: "a square",
        read_picture=lambda text, puzzle: Square([[int(cell) for cell in row] for row in text.split()]),
    )
    with plugins.registered(own):
        assert puzzle_text(PUZZLE) == "a square"
        assert ">a square</text>" in svg(PUZZLE)
        assert is_solution(PUZZLE, read_picture("213\n132\n321\n", PUZZLE))
        with pytest.raises(UnsupportedError, match="the puzzle latin has no encodings"):
            solve(PUZZLE)


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_model_that_another_program_finds_is_decoded(latin: PuzzleKind, tmp_path: Path, name: str) -> None:
    formula = encoding(name).formula(PUZZLE)
    (tmp_path / "square.cnf").write_text("".join(dimacs.write(formula, name, dumps(PUZZLE, "json"))))
    with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
        assert solver.solve()
        model = solver.get_model()
    (tmp_path / "out").write_text(f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n")
    answer = decode_output(str(tmp_path / "square.cnf"), str(tmp_path / "out"))
    assert (answer.verdict, answer.puzzle) == (Verdict.SAT, PUZZLE)


def test_the_command_line_takes_it(latin: PuzzleKind, tmp_path: Path) -> None:
    file = str(tmp_path / "square.json")
    save(PUZZLE, file)

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(cli, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit | UnsupportedError)
        return result.exit_code, result.output + str(result.exception)

    assert run("draw", file, str(tmp_path / "square.svg"), "--solve")[0] == 0
    assert run("draw", file, str(tmp_path / "square.png"))[0] == 0
    assert "SAT, checked · minisat22, squares+backwards" in run("solve", file, "--encoding", "squares+backwards")[1]
    assert run("encode", file, "-o", str(tmp_path / "square.cnf"))[0] == 0
    assert "backwards" in run("list", "encodings")[1]


def test_a_reference_is_resolved_by_its_module() -> None:
    assert resolved("nonosat.puzzles.puzzle:kind_of") is kind_of
