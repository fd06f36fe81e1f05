"""What newcomers try first: paths, drawings and images as puzzles, names from the top, completion by shells."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import commands
import pytest

import nonosat
from nonosat.making.giving import give
from nonosat.puzzles.nonogram import Nonogram, Picture

ROOT = Path(__file__).parents[1]


def nonosat_(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    if not environment:
        return commands.run(*arguments)
    command = [sys.executable, "-W", "error", "-m", "nonosat", *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def test_every_name_from_the_top_is_there() -> None:
    for name in nonosat.__all__:
        assert getattr(nonosat, name) is not None
    assert {"NonosatError", "PuzzleError", "Run", "Colour", "load_image"} <= set(nonosat.__all__)


def test_a_path_is_solved_as_the_puzzle_in_it() -> None:
    for path in (ROOT / "examples/heart.mk", str(ROOT / "examples/heart.mk")):
        assert nonosat.solve(path).verdict == "SAT"
    with pytest.raises(nonosat.NonosatError, match=r"no-such\.mk"):
        nonosat.solve("no-such.mk")


def test_a_drawing_is_a_picture() -> None:
    drawn = nonosat.Nonogram.from_picture(["#.b", "·# "])
    assert drawn == nonosat.Nonogram.from_picture(nonosat.Picture([[1, 0, 2], [0, 1, 0]], drawn.palette))
    assert [colour.symbol for colour in drawn.palette] == ["#", "b"]
    assert nonosat.Nonogram.from_picture([".."]).rows == ((),)


@pytest.mark.parametrize(
    ("rows", "says"), [(["#", "##"], "row 2 has 2 cells"), (["#?"], "row 1: '\\?'"), ([""], "row")]
)
def test_an_invalid_drawing_is_reported(rows: list[str], says: str) -> None:
    with pytest.raises(nonosat.PuzzleError, match=says):
        nonosat.Nonogram.from_picture(rows)


def test_an_image_is_a_puzzle_to_every_command() -> None:
    done = nonosat_("solve", str(ROOT / "examples/pictures/05-flame.png"), "--solver", "minisat22")
    assert done.returncode == 10
    assert done.stdout.count("\n") == 5
    large = nonosat_("solve", str(ROOT / "docs/images/pictures.png"))
    assert large.returncode == 2
    assert "nonosat picture" in large.stderr
    assert large.stderr.count("\n") == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete(shell: str) -> None:
    assert "_NONOSAT_COMPLETE" in nonosat_(_NONOSAT_COMPLETE=f"{shell}_source").stdout
    asked = {"COMP_WORDS": "nonosat so", "COMP_CWORD": "so" if shell == "fish" else "1"}
    assert "solve" in nonosat_(_NONOSAT_COMPLETE=f"{shell}_complete", **asked).stdout


def test_an_image_is_drawn_and_encoded_too(tmp_path: Path) -> None:
    image = str(ROOT / "examples/pictures/05-flame.png")
    assert nonosat_("draw", image, str(tmp_path / "a.svg")).returncode == 0
    assert nonosat_("encode", image, "-o", str(tmp_path / "a.cnf")).returncode == 0
    assert nonosat_("difficulty", image).stdout.startswith("difficulty")


class Foreign:
    """Neither a puzzle nor the name of a file."""

    kind = "nonogram"


OUTSIDE: list[Any] = [3, None, [[1]], Foreign(), Picture([[1]]), Nonogram]
DOORS: dict[str, Callable[[Any], Any]] = {
    "solve": nonosat.solve,
    "watch": lambda puzzle: list(nonosat.watch(puzzle)),
    "count": nonosat.count,
    "backbone": nonosat.backbone,
    "sample": lambda puzzle: nonosat.sample(puzzle, 1),
    "difficulty": nonosat.difficulty,
    "explain": nonosat.explain,
    "certify": nonosat.certify,
    "equivalent": nonosat.equivalent,
    "repair": nonosat.repair,
    "save": lambda puzzle: nonosat.save(puzzle, "never-written.json"),
    "fault": lambda puzzle: nonosat.fault(puzzle, Picture([[1]])),
    "given": give,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("what", OUTSIDE, ids=lambda what: type(what).__name__)
def test_what_is_no_puzzle_is_refused_in_one_line(door: str, what: Any) -> None:
    if door == "save" and isinstance(what, list):
        what = [3]
    with pytest.raises(nonosat.NonosatError, match=r"^a puzzle is expected, not an? \w+$"):
        DOORS[door](what)


@pytest.mark.parametrize(("door", "told"), [("difficulty", "difficulty is"), ("repair", "repair is")])
def test_what_is_for_nonograms_refuses_other_kinds(door: str, told: str) -> None:
    with pytest.raises(nonosat.UnsupportedError, match=f"^{told} for nonograms, not for skyscrapers$"):
        DOORS[door](nonosat.Skyscrapers.from_heights([[1]]))


FROM_A_FILE: dict[str, Callable[[Any], object]] = {
    "solve": lambda puzzle: nonosat.solve(puzzle).picture,
    "solve_many": lambda puzzle: [answer.picture for answer in nonosat.solve_many([puzzle], jobs=1)],
    "encode": lambda puzzle: nonosat.encode(puzzle).to_dimacs(),
    "count": lambda puzzle: nonosat.count(puzzle).solutions,
    "backbone": lambda puzzle: nonosat.backbone(puzzle).solutions,
    "sample": lambda puzzle: nonosat.sample(puzzle, 2, seed=1).boards,
    "certify": lambda puzzle: nonosat.certify(puzzle).claim,
    "prove": lambda puzzle: nonosat.prove(puzzle).steps,
    "equivalent": lambda puzzle: str(nonosat.equivalent(puzzle)),
    "explain": lambda puzzle: list(nonosat.explain(puzzle)),
    "difficulty": lambda puzzle: nonosat.difficulty(puzzle).label,
    "repair": lambda puzzle: nonosat.repair(puzzle).changes,
}


@pytest.mark.parametrize("name", FROM_A_FILE)
def test_a_puzzle_may_be_the_name_of_its_file(name: str, tmp_path: Path) -> None:
    puzzle = nonosat.random_density(3, 3, 0.5, seed=1)
    nonosat.save(puzzle, tmp_path / "puzzle.json")
    made = FROM_A_FILE[name]
    assert made(tmp_path / "puzzle.json") == made(str(tmp_path / "puzzle.json")) == made(puzzle)


def wrong_types() -> dict[str, Callable[[], object]]:
    """Calls with an argument of a wrong type, by what their message is to say."""
    puzzle = nonosat.random_density(3, 3, 0.5, seed=1)
    model = nonosat.Model()
    x = model.integer("x", 0, 5, shape=2)
    bad: Any = 5
    return {
        "the name of an encoding is expected, not 5 (an int)": lambda: nonosat.solve(puzzle, encoding=bad),
        "the name of an encoding is expected, not 6": lambda: nonosat.encode(puzzle, bad + 1),
        "the name of an encoding is expected, not 7": lambda: nonosat.equivalent(puzzle, bad + 2),
        "the name of an encoding is expected, not 8": lambda: nonosat.certify(puzzle, encoding=bad + 3),
        "the name of an integer encoding is expected, not 5": lambda: model.solve(encoding=bad),
        "the name of an integer encoding is expected, not [1]": lambda: model.encode([1]),  # type: ignore[arg-type]
        "the name of a solver is expected": lambda: nonosat.solve(puzzle, solver=bad),
        "a number as time limit is expected, not 'x' (a str)": lambda: nonosat.solve(
            puzzle,
            time_limit_s="x",  # type: ignore[arg-type]
        ),
        "a list of puzzles is expected": lambda: nonosat.solve_many(bad),
        "a puzzle is expected, not a NoneType": lambda: nonosat.solve(None),  # type: ignore[arg-type]
        "a model is expected": lambda: model.equivalent(bad),
        "None is no model: the solver has found none": lambda: model.encode().decode(None),  # type: ignore[arg-type]
        "a model's variables are 1 to 10": lambda: model.encode("order").decode([99]),
        "a whole number as count is expected, not 'a'": lambda: nonosat.sample(puzzle, "a"),  # type: ignore[arg-type]
        "a whole number as count is expected, not 2.5": lambda: model.sample(2.5),  # type: ignore[arg-type]
        "a whole number as height is expected": lambda: nonosat.random_density("a", 5, 0.5),  # type: ignore[arg-type]
        "a whole number as seed is expected": lambda: nonosat.random_density(5, 5, 0.5, seed="x"),  # type: ignore[arg-type]
        "as density is expected, not 'x'": lambda: nonosat.random_density(5, 5, "x"),
        "the name of a file is expected": lambda: nonosat.load(bad),
        "a list of clues is expected": lambda: nonosat.Nonogram(bad, bad),
        "a clue of Run(..), as from_lengths makes of [1, 2], is expected": lambda: nonosat.Nonogram(([1],), ([1],)),  # type: ignore[arg-type]
        "a list of clues such as [[1, 2], [], [3]] is expected": lambda: nonosat.Nonogram.from_lengths(bad, bad),
        "'5' is no list of expressions": lambda: nonosat.Model.element(bad, x[0]),
        "a whole number as count, or None for all, is expected, not 'all'": lambda: nonosat.solve(puzzle, count="all"),  # type: ignore[arg-type]
        "a whole number as count, or None for all, is expected, not 'b'": lambda: model.solve(count="b"),  # type: ignore[arg-type]
        "the name of an encoding is expected, not 9": lambda: nonosat.backbone(puzzle, encoding=bad + 4),
        "the name of an encoding is expected, not a b": lambda: nonosat.backbone(
            puzzle,
            encoding=type("Two", (), {"__repr__": lambda self: "a\nb"})(),
        ),
        "the name of a file is expected, not 5": lambda: nonosat.load_model(bad),
        "the name of a file is expected, not 10": lambda: nonosat.encode(puzzle).to_dimacs(bad + 5),
        "the name of a file is expected, not 11": lambda: model.encode("order").to_dimacs(bad + 6),
        "the name of a file is expected, not b'a.mk'": lambda: nonosat.save(puzzle, b"a.mk"),  # type: ignore[arg-type]
    }


@pytest.mark.parametrize("message", wrong_types())
def test_arguments_of_a_wrong_type_are_named(message: str) -> None:
    with pytest.raises(nonosat.NonosatError) as raised:
        wrong_types()[message]()
    assert message in str(raised.value)
