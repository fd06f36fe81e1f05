"""Solvers from outside: found, listed, solved with, limited and refused like ours."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nonosat import plugins
from nonosat.csp.sugar import read
from nonosat.encodings.registry import encoding
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.runs.events import Event, Finished, Found, Statistics, Verdict
from nonosat.runs.solver import Solver, Switch
from nonosat.solvers.registry import solver, solvers
from nonosat.solvers.sat.search import solved
from nonosat.solvers.solve import solve, solve_csp

PUZZLE = Nonogram.from_lengths([[1], [1]], [[1], [1]])
FILE = """
import numpy as np
from nonosat.runs.events import Finished, Found, Statistics
from nonosat.runs.solver import Solver, Switch

def guess(puzzle, encoding, at_most, solver):
    board = np.eye(puzzle.shape[0], dtype=np.uint8)
    yield Found(board[::-1] if "other" in solver.chosen else board)
    yield Finished(False, Statistics(nodes=solver.chosen.get("nodes")))

PARTS = [
    Solver("guess", "own", "the diagonal", guess, aliases=("gu",), kind="nonogram",
           switches=(Switch(("other",)), Switch(("nodes=",))))
]
"""


def search(puzzle: Nonogram, stated: object, at_most: int | None, chosen: Solver) -> Iterator[Event]:
    board = np.ones(puzzle.shape, dtype=np.uint8)
    yield Found(board if "wrong" in chosen.chosen else np.eye(puzzle.shape[0], dtype=np.uint8))
    yield Finished(False, Statistics())


MINE = Solver("mine", "own", "the diagonal", search, switches=(Switch(("wrong",)),), kind="nonogram")


def test_one_of_this_process() -> None:
    with plugins.registered(MINE):
        assert list(solvers())[-1] == "mine"
        assert solve(PUZZLE, solver="mine").picture == PUZZLE.picture(np.eye(2, dtype=np.uint8))
        assert solve(PUZZLE, solver="mine+wrong").verdict is Verdict.WRONG
        with pytest.raises(UnknownNameError, match="unknown switch of solver mine 'right'; known: wrong"):
            solver("mine+right")
        with pytest.raises(UnsupportedError, match="solver mine is for the puzzle nonogram, not for skyscrapers"):
            solve(Skyscrapers.from_clues([0] * 8), solver="mine")
        with pytest.raises(UnsupportedError, match="mine solves puzzles only"):
            solve_csp(read("(int x 0 1)"), solver="mine")
    with pytest.raises(UnknownNameError, match="unknown solver 'mine'"):
        solver("mine")
    assert solve(PUZZLE, solver=MINE).verdict is Verdict.SAT  # the object needs no table


def test_a_sat_solver_needs_to_take_formulas_only() -> None:
    def with_minisat(formula: object, about: Statistics, at_most: int | None, chosen: Solver) -> Iterator[Event]:
        yield from solved(formula, about, at_most, solver("minisat22"))  # type: ignore[arg-type]

    other = Solver("other", "SAT", "MiniSat by another name", solved=with_minisat)
    answer = solve(PUZZLE, solver=other, encoding=encoding("tight+r3+log"), count=None)
    assert (len(answer.pictures), answer.exhausted) == (2, True)
    assert (answer.encoding, answer.solver) == ("tight+r3+log", "other")


@pytest.fixture
def plugin(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "guessing.py"
    path.write_text(FILE)
    brought = plugins.load(str(path))
    yield str(path)
    plugins.LOADED.remove(brought)
    plugins._count_change()


@pytest.mark.skipif(sys.platform != "linux", reason="limits need Linux")
@pytest.mark.parametrize("limit", [None, 60.0])
def test_one_of_a_file_is_known_in_every_process(plugin: str, limit: float | None) -> None:
    one, other = (solve(PUZZLE, solver=name, time_limit_s=limit) for name in ("gu+nodes=7", "guess+other"))
    assert (one.solver, other.solver) == ("guess+nodes=7", "guess+other")
    assert one.statistics.nodes == 7
    assert {one.picture, other.picture} == set(solve(PUZZLE, count=None).pictures)
    assert (one.statistics.cpu_s is None) == (limit is None)


def test_one_that_the_environment_names_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "guessing.py").write_text(FILE)
    monkeypatch.setenv(plugins.VARIABLE, str(tmp_path / "guessing.py"))
    done = subprocess.run([sys.executable, "-m", "nonosat", "list", "solvers"], capture_output=True, text=True)
    assert "guess            own  the diagonal; switches: +other, +nodes=N; also gu\n" in done.stdout


def test_solvers_travel_lightly_and_bring_no_code_along() -> None:
    for name in ("minisat22", "elimination+fifo+limit=7", "cpsat", "auto"):
        whole = pickle.dumps(solver(name), protocol=5)
        assert len(whole) < 1000
        again = pickle.loads(whole)
        assert (again, again.chosen, again.module) == (solver(name), solver(name).chosen, solver(name).module)
    probe = (
        "import pickle, sys; from nonosat.solvers.registry import solver;"
        "pickle.dumps([solver(name) for name in ('cpsat', 'elimination+fifo', 'auto')]);"
        "print([name for name in ('numba', 'ortools') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout == "[]\n"


def test_switches_are_read_once() -> None:
    chosen = solver("elimination+tracking+limit=7+rows+fifo")
    assert chosen.name == "elimination+fifo+tracking+limit=7"
    assert chosen.chosen == {"fifo": None, "tracking": None, "limit": 7}
    assert solver("exec:true {cnf}").command == "true {cnf}"
    assert solver(chosen) is chosen
