"""Ctrl-C while a SAT solver works: what is known is printed, the exit code is 130, and nothing is left behind.

It comes at a state, never after a time: when the solver is at its second question, or when a picture has been found.
"""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from children import started
from click.testing import CliRunner
from sampling import spread
from strays import marked, settled, strays

from nonosat.cli import cli, generate
from nonosat.encodings.cnf import CNF
from nonosat.encodings.registry import encoding
from nonosat.errors import SolverError
from nonosat.explanations import explain as explaining
from nonosat.explanations import measures
from nonosat.generators.density import random_density
from nonosat.interrupts import answered, answered_interrupts, fatal_interrupts
from nonosat.making import criteria
from nonosat.puzzles.drawing import picture_text
from nonosat.puzzles.formats import save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Statistics
from nonosat.solvers.propagation import difficulty as measure
from nonosat.solvers.sat.session import Forked, Session, names, session_of
from nonosat.solvers.solve import solve

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="strays are looked for in /proc")

AMBIGUOUS = Nonogram.from_lengths([[1], [1]], [[1], [1]])
AT_A_QUESTION = """
    import sys
    from pathlib import Path
    from test_ctrl_c import pigeons
    from nonosat.cli.main import main
    from nonosat.solvers.sat.session import Session

    _, number, here, *arguments = sys.argv
    sys.argv[1:] = arguments
    usual, questions = Session.solve, Path(here + "s")  # a file: each session may be in a process of its own

    def solve(session, *arguments, **named):
        with questions.open("a") as file:
            file.write(".")
        if questions.stat().st_size == int(number):
            session.close()
            session._load(pigeons(14), [])
            Path(here).touch()
        return usual(session, *arguments, **named)

    Session.solve = solve
    main()
"""


def pigeons(holes: int) -> CNF:
    """No solver finishes this: one pigeon more than there are holes."""
    place = np.arange(1, (holes + 1) * holes + 1, dtype=np.int32).reshape(holes + 1, holes)
    clauses = [list(map(int, row)) for row in place]
    for hole in range(holes):
        column = place[:, hole].tolist()
        clauses += [[-one, -other] for i, one in enumerate(column) for other in column[:i]]
    literals = np.array([literal for clause in clauses for literal in clause], dtype=np.int32)
    return CNF(place.size, literals, np.cumsum([len(clause) for clause in clauses], dtype=np.int64))


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    with marked():
        yield
        assert settled(lambda: not strays())


def interrupted(number: int, tmp_path: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the command, and interrupt it when a SAT solver is at its question of this number."""
    here, folder = tmp_path / "asked", tmp_path / "temporary"
    folder.mkdir()
    script = textwrap.dedent(AT_A_QUESTION)
    paths = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": paths, "TMPDIR": str(folder)}
    with started([sys.executable, "-c", script, str(number), str(here), *arguments], env=environment) as process:
        try:
            assert settled(lambda: here.exists() or process.poll() is not None)
            assert process.poll() is None, process.communicate()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert not list(folder.iterdir())
    return process.returncode, out, err


@pytest.mark.parametrize("solver", spread(names(), 0))
def test_what_was_found_before_the_second_question_is_printed(solver: str, tmp_path: Path) -> None:
    save(AMBIGUOUS, tmp_path / "two.mk")
    arguments = ["solve", str(tmp_path / "two.mk"), "--unique", "--solver", solver, "--format", "json"]
    code, out, err = interrupted(2, tmp_path, *arguments)
    assert (code, err) == (130, "nonosat: interrupted\n")
    record = json.loads(out)
    assert (record["verdict"], record["stopped"], record["solutions"]) == ("SAT", "INTERRUPTED", 1)
    assert (record["unique"], record["verified"]) == (None, True)


@pytest.mark.slow
def test_in_text_the_pictures_are_printed(tmp_path: Path) -> None:
    save(AMBIGUOUS, tmp_path / "two.mk")
    code, out, err = interrupted(2, tmp_path, "solve", str(tmp_path / "two.mk"), "--all", "--solver", "cadical195")
    assert code == 130
    assert out.strip() in {picture_text(picture).strip() for picture in solve(AMBIGUOUS, count=None).pictures}
    assert err == "nonosat: SAT; then INTERRUPTED (interrupted)\nnonosat: interrupted\n"


@pytest.mark.slow
def test_a_question_of_the_solver_auto_is_interrupted_too(tmp_path: Path) -> None:
    save(random_density(30, 30, 0.4, 3), tmp_path / "hard.mk")
    code, out, err = interrupted(1, tmp_path, "solve", str(tmp_path / "hard.mk"), "--all", "--format", "json")
    assert (code, err) == (130, "nonosat: interrupted\n")
    assert json.loads(out)["stopped"] in (None, "INTERRUPTED")


@pytest.mark.slow
def test_solutions_of_a_csp_are_printed(tmp_path: Path) -> None:
    (tmp_path / "two.csp").write_text("(int x 0 1)\n")
    arguments = ["csp", str(tmp_path / "two.csp"), "--all", "--solver", "glucose4", "--format", "json"]
    code, out, err = interrupted(2, tmp_path, *arguments)
    assert (code, err) == (130, "nonosat: interrupted\n")
    assert len(json.loads(out)["solutions"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("command", spread(["certify", "prove"], 1))
def test_a_certificate_that_is_interrupted_leaves_nothing(command: str, tmp_path: Path) -> None:
    save(AMBIGUOUS, tmp_path / "two.mk")
    more = ["--solver", "cadical195"] if command == "certify" else []
    target = tmp_path / "above" / "certificate"
    code, out, err = interrupted(1, tmp_path, command, str(tmp_path / "two.mk"), "-o", str(target), *more)
    assert (code, out, err) == (130, "", "nonosat: interrupted\n")
    assert not target.parent.exists()


@pytest.mark.parametrize("solver", spread(["minisat22", "cadical153"], 1))
def test_ctrl_c_on_a_terminal_prints_what_was_found(solver: str, tmp_path: Path) -> None:
    """Typed there, it is for the command and for all that it has started."""
    save(random_density(20, 20, 0.3, 1), tmp_path / "many.mk")
    keyboard, terminal = pty.openpty()
    command = [sys.executable, "-m", "nonosat", "solve", str(tmp_path / "many.mk"), "--all", "--solver", solver]
    with (tmp_path / "out").open("w") as out, started(command, terminal, stdout=out) as process:
        os.close(terminal)
        shown = b""
        while b" found with " not in shown and select.select([keyboard], [], [], 120)[0]:
            shown += os.read(keyboard, 1 << 12)
        os.write(keyboard, b"\x03")
        try:
            while piece := os.read(keyboard, 1 << 12):
                shown += piece
        except OSError:  # its other end is closed
            pass
        assert process.wait(120) == 130
    os.close(keyboard)
    assert shown.endswith(b"nonosat: interrupted\r\n")
    pictures = (tmp_path / "out").read_text().rstrip("\n").split("\n\n")
    assert {len(picture.splitlines()) for picture in pictures} == {20}


@pytest.mark.slow
def test_a_solution_that_was_found_before_a_proof_is_printed(tmp_path: Path) -> None:
    save(AMBIGUOUS, tmp_path / "two.mk")
    target = tmp_path / "above" / "proof"
    code, out, err = interrupted(2, tmp_path, "prove", str(tmp_path / "two.mk"), "-o", str(target))
    assert (code, err) == (130, "nonosat: interrupted\n")
    assert out.strip() in {picture_text(picture).strip() for picture in solve(AMBIGUOUS, count=None).pictures}
    assert not target.parent.exists()


@pytest.mark.slow
def test_a_solution_found_before_a_certificate_is_printed(tmp_path: Path) -> None:
    save(AMBIGUOUS, tmp_path / "two.mk")
    arguments = ["certify", str(tmp_path / "two.mk"), "-o", str(tmp_path / "above"), "--solver", "cadical195"]
    code, out, err = interrupted(2, tmp_path, *arguments)
    assert (code, out) == (130, "")
    first, last = err.splitlines()
    assert first.endswith("two.mk: SAT; then INTERRUPTED (interrupted), nothing is proved")
    assert last == "nonosat: interrupted"
    assert not (tmp_path / "above").exists()


# ---------------------------------------------------------------- commands that find one thing after the other


def broken_off(*arguments: str) -> tuple[str, str]:
    """Run a command, in which Ctrl-C comes, in this process: what it prints on stdout and on stderr."""
    result = CliRunner().invoke(cli, arguments)
    assert isinstance(result.exception, SystemExit), result.exception  # click's end of an interrupted command
    assert result.stderr.endswith("Aborted!\n")
    return result.stdout, result.stderr.removesuffix("Aborted!\n").strip()


def then_interrupted(usual: Callable[..., Iterator[Any]], many: int) -> Callable[..., Iterator[Any]]:
    """``usual``, in which Ctrl-C comes after so many values."""

    def values(*arguments: Any) -> Iterator[Any]:
        yield from islice(usual(*arguments), many)
        raise KeyboardInterrupt

    return values


@pytest.mark.parametrize("limits", [(), ("--time-limit", "1000")])
def test_boards_that_were_generated_are_written(
    limits: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("boards", "boards_within"):
        usual = getattr(generate, name)
        monkeypatch.setattr(generate, name, then_interrupted(usual, 2))
    arguments = ["generate", "--size", "4", "--density", "0.5", "--count", "5", "--to", "mk", *limits]
    _, err = broken_off(*arguments, "-o", str(tmp_path))
    assert err == "2 of 5 puzzles: interrupted"
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"density-4x4-0.5-s{seed}.mk" for seed in (0, 1)]
    out, err = broken_off(*arguments[:-2], "--to", "tournament", "-o", "-")
    assert err == "2 of 5 puzzles: interrupted"
    assert out.count("$") == 2


def test_cells_that_were_changed_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(random_density(8, 8, 0.4, seed=0), tmp_path / "several.json")
    monkeypatch.setattr(criteria, "values_within", then_interrupted(criteria.values_within, 1))
    _, err = broken_off("repair", str(tmp_path / "several.json"), str(tmp_path / "unique.json"))
    assert "several.json: not unique yet, interrupted, " in err
    assert not (tmp_path / "unique.json").exists()


def test_what_was_measured_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(random_density(20, 20, 0.35, seed=1), tmp_path / "hard.mk")
    monkeypatch.setattr(measure, "values_within", then_interrupted(measure.values_within, 1))
    out, _ = broken_off("difficulty", str(tmp_path / "hard.mk"), "--format", "json")
    record = json.loads(out)
    assert (record["kind"], record["solutions"], record["cells"]) == ("lines", None, 400)
    assert record["lines_checked"] > 0


def test_techniques_that_were_found_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(random_density(6, 6, 0.7, seed=0), tmp_path / "easy.mk")
    usual = measures.steps_within
    monkeypatch.setattr(measures, "steps_within", lambda *a, **b: then_interrupted(lambda: usual(*a, **b), 2)())
    out, _ = broken_off("difficulty", str(tmp_path / "easy.mk"), "--explained", "--format", "json")
    explained = json.loads(out)["explained"]
    assert (sum(explained["steps"].values()), explained["finished"], explained["label"]) == (2, False, None)


@pytest.mark.parametrize("output", ["text", "json", "html"])
def test_steps_that_were_explained_are_printed(output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(random_density(6, 6, 0.7, seed=0), tmp_path / "easy.mk")
    usual = explaining.steps_within
    monkeypatch.setattr(explaining, "steps_within", lambda *a, **b: then_interrupted(lambda: usual(*a, **b), 2)())
    out, err = broken_off("explain", str(tmp_path / "easy.mk"), "--format", output)
    assert out
    assert "2 steps, " in err
    assert err.endswith("cells left open; interrupted")


# ---------------------------------------------------------------- a session in a fork


@pytest.mark.parametrize("name", spread(names(), 6))
def test_a_session_in_a_fork_is_like_one_in_this_process(name: str) -> None:
    formula = encoding("tight+r3+order").formula(AMBIGUOUS)
    told = []
    for kind in (Session, Forked):
        session = kind(name, formula.cnf)
        models = []
        while (model := session.solve()) is not None:
            models.append(formula.cells(model).tolist())
            session.add(formula.block(np.array(models[-1])))
        about = session.statistics(Statistics())
        assert (about.load_s, about.solve_s) == (session.load_s, session.solve_s)
        assert session.load_s > 0
        told.append((models, about.conflicts, about.decisions, session.gave_up))
        session.close()
        session.close()
    assert told[0] == told[1]
    assert len(told[0][0]) == 2


def test_questions_with_assumptions_budgets_and_cores() -> None:
    clauses = CNF(3, np.array([-1, 2, -2, 3], dtype=np.int32), np.array([2, 4], dtype=np.int64))
    session = Forked("minisat22", clauses)
    assert session.solve([1, -3]) is None
    assert set(session.core()) <= {1, -3}
    here = Session("minisat22", clauses)
    assert session.known() == here.known()
    session.prefer_false([-1, -2, -3])
    assert session.solve([], 10) == [1, 2, 3]
    session.close()
    here.close()
    hard = Forked("minisat22", pigeons(12))
    assert hard.solve([], 5) is None
    assert hard.gave_up
    hard.close()


def test_a_fork_that_dies_is_reported() -> None:
    session = Forked("minisat22", pigeons(3))
    os.kill(session.pid, signal.SIGSEGV)
    with pytest.raises(SolverError, match="minisat22: killed by SIGSEGV"):
        session.solve()
    session.close()


def test_an_error_in_a_fork_comes_out_with_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Session) -> list[int]:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(Session, "core", broken)
    session = Forked("minisat22", pigeons(3))
    with pytest.raises(ZeroDivisionError, match="a bug") as caught:
        session.core()
    assert "in broken" in caught.value.__notes__[0]
    assert session.solve() is None  # it goes on
    session.close()


def test_a_fork_is_for_commands_alone() -> None:
    assert not answered()
    assert type(session_of("minisat22", pigeons(2))) is Session
    for context in (answered_interrupts, fatal_interrupts):
        with context():
            assert answered()
            session = session_of("minisat22", pigeons(2))
            assert type(session) is Forked
            session.close()
    assert not answered()
