"""External programs as solvers: real ones where they are installed, and small scripts that do what none should."""

from __future__ import annotations

import ctypes.util
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path

import latin
import numpy as np
import pytest
from brute import ambiguous, pictures, random_puzzle
from children import started
from sampling import portions, repeated, spread
from strays import marked, settled, strays

from nonosat.csp.sugar import read
from nonosat.encodings.registry import encoding
from nonosat.errors import SolverError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Statistics, Verdict
from nonosat.runs.limits import Limits
from nonosat.solvers import formulas, registry
from nonosat.solvers.sat.decode import encode
from nonosat.solvers.sat.external import PLACE, ProgramText, fill, header_of, words_of
from nonosat.solvers.sat.external import Program as Begun
from nonosat.solvers.sat.ipasir import IpasirSession
from nonosat.solvers.sat.proofs import check, prove
from nonosat.solvers.solve import solve, solve_csp
from nonosat.studies.plan import Instance, RunGroup, Settings, StudyRun
from nonosat.studies.records import Record
from nonosat.studies.run import execute

REAL = (
    "minisat {cnf} {out}",
    "cadical {cnf}",
    "cadical < {cnf}",  # the formula on its standard input
    "picosat -v {cnf}",
    "glucose -model {cnf}",
    "kissat {cnf}",
    "lingeling {cnf}",
    "cryptominisat5 {cnf}",
)
AMBIGUOUS = Nonogram.from_lengths([[1], [1]], [[1], [1]])
UNSAT = Nonogram.from_lengths([[2], [2], []], [[2], [1], [1]])
Program = Callable[[str], str]
PYTHON = Path(sys.executable).name


@pytest.fixture(autouse=True)
def nothing_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with marked():
        yield
        settled(lambda: not strays())
        assert strays() == []
        assert list(folder.iterdir()) == []


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A solver made of Python code: ``clauses`` and ``variables`` are there, ``say(model)`` prints an answer."""

    def make(code: str) -> str:
        head = """\
        import itertools, os, signal, subprocess, sys, time
        text = open(sys.argv[1]).read() if len(sys.argv) > 1 else sys.stdin.read()
        lines = [line for line in text.splitlines() if line[0] not in "c"]
        variables, count = map(int, lines[0].split()[2:])
        clauses = [list(map(int, line.split()[:-1])) for line in lines[1:]]
        assert lines[0].startswith("p cnf ") and len(clauses) == count, text

        def solved():
            from pysat.solvers import Solver
            with Solver("minisat22", bootstrap_with=clauses) as solver:
                return solver.get_model() if solver.solve() else None

        def say(model, code=None):
            print("s SATISFIABLE\\nv " + " ".join(map(str, model)) + " 0" if model else "s UNSATISFIABLE", flush=True)
            os._exit((10 if model else 20) if code is None else code)
        """
        path = tmp_path / "program.py"
        path.write_text(textwrap.dedent(head) + "\n" + textwrap.dedent(code))
        return f"exec:{sys.executable} {path} {{cnf}}"

    return make


# ---------------------------------------------------------------- real programs


@pytest.fixture(params=REAL, ids=lambda command: "-".join(command.split()[:2]).replace("-{cnf}", ""))
def real(request: pytest.FixtureRequest) -> str:
    name = request.param.split()[0]
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    return f"exec:{request.param}"


@pytest.mark.parametrize("number", repeated(1, 8))
def test_all_solutions_of_small_boards(number: int, real: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(number):
        puzzle = random_puzzle(rng, most=4)
        answer = solve(puzzle, solver=real, count=None)
        assert set(answer.pictures) == pictures(puzzle)
        assert answer.exhausted
    for puzzle, right in ambiguous(12)[: 12 * number // 8]:
        assert set(solve(puzzle, solver=real, count=None).pictures) == right


@pytest.mark.parametrize("seeds", portions(range(3), 1))
def test_agreement_on_larger_boards(seeds: list[int], real: str) -> None:
    for seed in seeds:
        puzzle = random_density(12, 15, 0.45, seed=seed)
        answer, reference = (solve(puzzle, solver=name, unique=True) for name in (real, "minisat22"))
        assert (answer.verdict, answer.unique) == (Verdict.SAT, reference.unique)
        assert answer.solver == real
        assert answer.encoding == "tight+r3+order"
        limited = solve(puzzle, solver=real, unique=True, time_limit_s=600, memory_limit_mb=1000)
        assert (limited.verdict, limited.unique) == (Verdict.SAT, reference.unique)
        assert limited.statistics.peak_memory_mb is not None


def test_statistics_are_read(real: str) -> None:
    about = solve(random_density(20, 20, 0.4, seed=1), solver=real, unique=True).statistics
    assert about.load_s is not None
    assert about.solve_s is not None
    assert about.load_s > 0
    assert about.solve_s > 0
    if "glucose" not in real and "crypto" not in real:
        assert about.decisions
        assert about.conflicts
        assert about.propagations


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("exec:", "expected exec:COMMAND"),
        ("exec:no-such-program {cnf}", "no-such-program: no such program"),
        ("exec:/etc/passwd {cnf}", "/etc/passwd: cannot be executed"),
        ("exec:/etc {cnf}", "/etc: cannot be executed"),
        ("exec:true '{cnf}", "no closing quotation"),
        ("exec:true {cfn}", "nothing is known as {cfn}, only {cnf}, {out}, {seconds}, {memory}"),
        (
            "exec:true {cnf} {seconds}",
            "{seconds} is the limit on wall time (--time-limit, time_limit_s), and there is none",
        ),
        (
            "exec:true {cnf} {memory}",
            "{memory} is the limit on memory (--memory-limit, memory_limit_mb), and there is none",
        ),
        ("exec:true", "solver 'exec:true': it gets no formula: write {cnf} where its file goes, or '< {cnf}'"),
        ("exec:true {out} {proof}", "it gets no formula"),
        ("ipasir:", "expected ipasir:FILE"),
        ("ipasir:./no-such.so", "./no-such.so: no such library"),
        ("ipasir:no-such-library.so", "no-such-library.so: no such library"),
    ],
)
def test_commands_that_cannot_run_are_refused_first(name: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "formula_of", None)  # nothing may be encoded
    with pytest.raises(UnsupportedError) as caught:
        solve(AMBIGUOUS, solver=name)
    assert reason in str(caught.value)


@pytest.mark.slow
def test_on_the_command_line(tmp_path: Path, program: Program) -> None:
    save(AMBIGUOUS, tmp_path / "two.mk")
    nonosat = [sys.executable, "-m", "nonosat", "solve", str(tmp_path / "two.mk"), "--solver"]
    done = subprocess.run([*nonosat, program("say(solved())"), "--all"], capture_output=True, text=True, check=False)
    assert done.returncode == 10
    assert "all 2 solutions" in done.stderr
    done = subprocess.run([*nonosat, "exec:no-such-program"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "nonosat: solver 'exec:no-such-program': no-such-program: no such program\n"


def test_no_shell_reads_the_command(program: Program) -> None:
    code = "print('c', sys.argv[2:], file=sys.stderr)"
    answer = solve(AMBIGUOUS, solver=program(code) + " '$HOME; ls' {cnf}.bak *")
    assert answer.reason is not None
    assert "['$HOME; ls', '" in answer.reason
    assert answer.reason.endswith("formula.cnf.bak', '*']")


def test_limits_are_passed_to_the_program(program: Program) -> None:
    command = program("print(*sys.argv[2:], file=sys.stderr)") + " --time={seconds} --memory={memory}"
    answer = solve(AMBIGUOUS, solver=command, time_limit_s=9.7, memory_limit_mb=1234.5)
    assert answer.verdict == Verdict.UNKNOWN
    assert answer.reason == f"{Path(sys.executable).name} gave no verdict; last words: --time=9 --memory=1234"
    assert answer.solver == command
    answer = solve(AMBIGUOUS, solver=command.replace("{memory}", ""), time_limit_s=1.9)
    assert answer.reason is not None
    assert "--time=1 " in answer.reason


@pytest.mark.slow
def test_a_program_that_a_limit_kills_has_the_cpu_time_that_it_used(program: Program) -> None:
    """Its watcher reaps it, not the process that started it; that one has used next to nothing."""
    answer = solve(AMBIGUOUS, solver=program("while True: pass"), cpu_limit_s=0.6)
    assert answer.verdict == Verdict.CPUOUT
    assert float(answer.record()["cpu_s"]) >= 0.6
    answer = solve(AMBIGUOUS, solver=program("time.sleep(60)"), time_limit_s=1.0)
    assert answer.verdict == Verdict.TIMEOUT
    assert float(answer.record()["cpu_s"]) < 0.9


def test_the_time_that_has_passed_is_taken_off() -> None:
    filled = fill("true {cnf} {seconds}", 9.5, None)
    assert filled == "true {cnf} {seconds:9.5}"
    begun = Begun(words_of(filled), Path("/nowhere"), time.perf_counter() - 3)
    assert [PLACE.sub(begun._place, word) for word in begun.words] == ["true", "/nowhere/formula.cnf", "6"]


def test_the_formula_comes_on_stdin_where_a_shell_would_read_it(program: Program) -> None:
    command = program("say(solved())").removesuffix(" {cnf}") + " < {cnf}"
    assert len(solve(AMBIGUOUS, solver=command, count=None).pictures) == 2


# ---------------------------------------------------------------- what programs say, and what is made of it

PYTHON = Path(sys.executable).name


SAYS = [
    ("say(solved())", Verdict.SAT, None),
    ("say(solved(), code=0)", Verdict.SAT, None),
    ("say([x for x in solved() if x > 0])", Verdict.SAT, None),  # what it leaves out is false
    ("print('SATISFIABLE'); print(*solved(), 0); sys.exit(10)", Verdict.SAT, None),
    ("print('\\n'.join(f'v {x}' for x in (*solved(), 0)), end='\\ns SATISFIABLE')", Verdict.SAT, None),
    ("say(None)", Verdict.UNSAT, None),  # a lie, which nothing here can tell
    # No verdict.
    ("", Verdict.UNKNOWN, "gave no verdict"),
    ("print('s UNKNOWN')", Verdict.UNKNOWN, "gave no verdict"),
    ("print('s INDETERMINATE')", Verdict.UNKNOWN, "gave no verdict"),
    ("print('INDETERMINATE'); print('too hard', file=sys.stderr)", Verdict.UNKNOWN, "last words: too hard"),
    ("print('hello ' * 9999)", Verdict.UNKNOWN, "gave no verdict"),
    ("os.write(1, bytes(range(256)) * 999)", Verdict.UNKNOWN, "gave no verdict"),
    # Contradictions, models that are none, and deaths.
    ("say([-x for x in solved()])", Verdict.CRASH, "gave a model that does not satisfy clause "),
    ("say([1, 99])", Verdict.CRASH, "gave a model that has variables beyond the "),
    ("say([1, -1])", Verdict.CRASH, "both true and false"),
    ("print('s SATISFIABLE'); sys.exit(10)", Verdict.CRASH, "says SATISFIABLE and gives no model"),
    ("print('s SATISFIABLE\\nv 1 x 0')", Verdict.CRASH, "not a number"),
    ("print('s PERHAPS')", Verdict.CRASH, "unknown status"),
    ("say(solved(), code=20)", Verdict.CRASH, "says SATISFIABLE, but its exit code is 20"),
    ("say(None, code=10)", Verdict.CRASH, "says UNSATISFIABLE, but its exit code is 10"),
    ("say(solved(), code=1)", Verdict.CRASH, "says SATISFIABLE, but its exit code is 1"),
    ("sys.exit(10)", Verdict.CRASH, "gives no verdict, but its exit code is 10"),
    ("sys.exit(20)", Verdict.CRASH, "gives no verdict, but its exit code is 20"),
    ("print('v', *solved(), 0); sys.exit(10)", Verdict.CRASH, "without a status line"),
    ("sys.exit('no licence')", Verdict.CRASH, "exit code is 1; last words: no licence"),
    ("print('s UNSATISFIABLE'); say(solved())", Verdict.CRASH, "contradict"),
    ("print('s SATISFIABLE', flush=True); os.abort()", Verdict.CRASH, "was killed by SIGABRT"),
    ("os.kill(os.getpid(), signal.SIGSEGV)", Verdict.CRASH, "was killed by SIGSEGV"),
]


@pytest.mark.parametrize(
    ("code", "verdict", "reason", "limit"), spread(((*says, limit) for says, limit in product(SAYS, [None, 60])), 10)
)
def test_outputs_of_programs(
    code: str, verdict: Verdict, reason: str | None, limit: float | None, program: Program
) -> None:
    puzzle = replace(random_density(6, 6, 0.5, seed=1), goal=None)  # which would show that UNSAT is wrong
    answer = solve(puzzle, solver=program(code), time_limit_s=limit)
    assert answer.verdict == verdict
    if reason is None:
        assert answer.reason is None
    else:
        assert answer.reason is not None
        assert reason in answer.reason
        assert answer.reason.isprintable()


def test_a_result_file_is_read_beside_the_output(program: Program) -> None:
    model = "f'SAT\\n{\" \".join(map(str, solved()))} 0\\n'"
    wrote = f"open(sys.argv[2], 'w').write({model})"
    answer = solve(AMBIGUOUS, solver=program(f"{wrote} if solved() else say(None)") + " {out}", count=None)
    assert (len(answer.pictures), answer.exhausted) == (2, True)
    answer = solve(AMBIGUOUS, solver=program(f"{wrote}; print('UNSATISFIABLE')") + " {out}")
    assert answer.reason == f"{PYTHON} says SATISFIABLE in one place and UNSATISFIABLE in another"


def test_the_same_picture_twice_is_a_crash(program: Program) -> None:
    first = encoding("tight+r3").formula(AMBIGUOUS).cnf.clauses
    code = f"clauses = clauses[:{first}]; say(solved())"
    answer = solve(AMBIGUOUS, solver=program(code), unique=True)
    assert (answer.verdict, answer.stopped, len(answer.pictures)) == (Verdict.SAT, Verdict.CRASH, 1)
    assert answer.reason == f"{PYTHON} gave a model that is that of picture 1, which was ruled out"


@pytest.mark.parametrize(
    ("code", "told"),
    spread(
        [
            ("say([-x for x in solved()])", "gave a model that does not satisfy clause "),
            ("say(solved(), code=20)", "says SATISFIABLE, but its exit code is 20"),
            ("os.kill(os.getpid(), signal.SIGSEGV)", "was killed by SIGSEGV"),
        ],
        0,
    ),
)
def test_a_failure_is_the_same_in_this_process_under_limits_and_in_studies(
    code: str, told: str, tmp_path: Path, program: Program
) -> None:
    file = tmp_path / "board.mk"
    save(random_density(5, 5, 0.5, 1), file)
    named = program(code)
    here, limited = solve(file, solver=named), solve(file, solver=named, time_limit_s=600)
    instance = Instance(f"file/{sha256(file.read_bytes()).hexdigest()}/1", path=str(file), index=1)
    found: list[Record] = []
    group = RunGroup(instance, encoding("tight+r3"), (StudyRun("k", registry.solver(named)),), "tight+r3")
    execute([group], Settings("s", Limits(60)), 1, found.append, threading.Event())
    (record,) = found
    assert (here.verdict, limited.verdict, record["outcome"]) == (Verdict.CRASH, Verdict.CRASH, "CRASH")
    assert here.reason == limited.reason == record["reason"]
    assert told in str(here.reason)


@pytest.mark.parametrize("limit_s", [None, 60.0])
def test_a_solution_that_comes_with_the_puzzle_is_not_denied(limit_s: float | None, program: Program) -> None:
    goal, other = sorted(pictures(AMBIGUOUS), key=str)
    known = replace(AMBIGUOUS, goal=goal)
    answer = solve(known, solver=program("say(None)"), time_limit_s=limit_s)
    assert (answer.verdict, answer.pictures, answer.unique) == (Verdict.WRONG, (), None)
    reason = "the puzzle's goal is none of the solutions that were found, and the search says that there are no others"
    assert answer.reason == reason
    several = replace(AMBIGUOUS, solutions=(goal, other))
    clauses = encoding("tight+r3").formula(AMBIGUOUS).cnf.clauses
    only = program(f"say(solved() if count == {clauses} else None)")
    answer = solve(several, solver=only, unique=True, time_limit_s=limit_s)
    assert (answer.verdict, answer.unique) == (Verdict.WRONG, None)
    assert str(answer.reason).startswith("a solution that comes with the puzzle is none of the solutions")
    wrong = replace(AMBIGUOUS, goal=AMBIGUOUS.picture([[1, 1], [1, 1]]))  # no solution, so nothing is denied
    assert solve(wrong, solver=program("say(None)")).verdict == Verdict.UNSAT
    assert solve(UNSAT, solver=program("say(None)")).verdict == Verdict.UNSAT


def test_a_file_with_a_goal_that_is_denied_ends_with_1(tmp_path: Path, program: Program) -> None:
    file = tmp_path / "goal.json"
    save(replace(AMBIGUOUS, goal=AMBIGUOUS.picture([[1, 0], [0, 1]])), file)
    command = [sys.executable, "-m", "nonosat", "solve", str(file), "--solver", program("say(None)")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "WRONG\n")
    assert "the puzzle's goal is none of the solutions that were found" in done.stderr


def test_a_wrong_picture_of_a_right_model_is_wrong(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Nonogram.from_lengths([[2], [2]], [[2], [2]])
    parts = encoding("tight+r3")
    formula = parts.formula(other)
    monkeypatch.setattr(formulas, "formula_of", lambda puzzle, name: (formula, Statistics()))
    assert solve(AMBIGUOUS, solver=program("say(solved())")).verdict == Verdict.WRONG


def test_giving_up_after_the_first_picture(program: Program) -> None:
    clauses = encoding("tight+r3").formula(AMBIGUOUS).cnf.clauses
    answer = solve(AMBIGUOUS, solver=program(f"say(solved()) if count == {clauses} else 0"), unique=True)
    assert (answer.verdict, answer.unique, len(answer.pictures)) == (Verdict.SAT, None, 1)
    assert answer.reason == f"{PYTHON} gave no verdict"


def test_any_csp_can_be_solved(program: Program) -> None:
    csp = read("(int x 0 3) (int y 0 3) (= (+ x y) 5)")
    for integers in ("order", "log"):
        answer = solve_csp(csp, solver=program("say(solved())"), integers=integers, count=None)
        assert (answer.verdict, answer.exhausted) == (Verdict.SAT, True)
        assert {tuple(solution.values()) for solution in answer.solutions} == {(2, 3), (3, 2)}


@pytest.mark.slow
def test_endless_output_is_bounded(program: Program) -> None:
    answer = solve(
        AMBIGUOUS,
        solver=program("[os.write(1, b'x' * 127 + b'\\n' * (i % 2)) for i in range(1 << 20)]; say(solved())"),
        time_limit_s=600,
        memory_limit_mb=200,
    )
    assert answer.verdict == Verdict.SAT
    for code in ("while True: os.write(1, b'v 1 2 3\\n' * 9999)", "os.write(1, b'v'); print(' 1' * 9**7)"):
        answer = solve(AMBIGUOUS, solver=program(code), time_limit_s=600, memory_limit_mb=200)
        assert answer.verdict == Verdict.CRASH
        assert answer.reason is not None
        assert "prints more than any model" in answer.reason
    answer = solve(AMBIGUOUS, solver=program("for i in range(1 << 13): os.write(2, b'y' * 9999)\nsay(solved())"))
    assert answer.verdict == Verdict.SAT


def test_what_a_program_leaves_behind_does_not_hold_us_up(program: Program) -> None:
    code = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep({})']); say(solved())"
    begin = time.monotonic()
    assert solve(AMBIGUOUS, solver=program(code.format(1000))).verdict == Verdict.SAT
    assert time.monotonic() - begin < 1000 / 2


def test_a_program_that_closes_its_output_is_waited_for(program: Program) -> None:
    code = "print('s UNSATISFIABLE', flush=True); os.close(1); os.close(2); time.sleep(0.3); os._exit(10)"
    assert solve(AMBIGUOUS, solver=program(code)).verdict == Verdict.CRASH


@pytest.mark.slow
def test_all_pictures_and_no_other(program: Program) -> None:
    command = program("say(solved())")
    for puzzle, right in ambiguous(12):
        if len(right) > 2:
            answer = solve(puzzle, solver=command, count=None)
            assert (set(answer.pictures), len(answer.pictures), answer.exhausted) == (right, len(right), True), puzzle
    [(puzzle, squares)] = [(puzzle, right) for puzzle, right in latin.ambiguous(8) if len(right) == 5]
    answer = solve(puzzle, solver=command, count=None)
    assert {board.cells.tobytes() for board in answer.pictures} == squares


def test_an_unsatisfiable_puzzle(program: Program) -> None:
    assert solve(UNSAT, solver=program("say(solved())")).verdict == Verdict.UNSAT


# ---------------------------------------------------------------- limits and interrupts

HOG = "kept = []\nwhile True: kept.append(bytearray(b'x') * (4 << 20))"
CHILD = "subprocess.run([sys.executable, '-c', {!r}], start_new_session={})"


@pytest.mark.parametrize("code", ["time.sleep(1000)", CHILD.format("import time; time.sleep(1000)", True)])
def test_the_time_limit_ends_it(code: str, program: Program) -> None:
    answer = solve(AMBIGUOUS, solver=program(code), time_limit_s=0.5)
    assert answer.verdict == Verdict.TIMEOUT


@pytest.mark.parametrize("code", spread([HOG, CHILD.format(HOG, False), CHILD.format(HOG, True)], 1))
def test_the_memory_limit_counts_it(code: str, program: Program) -> None:
    answer = solve(AMBIGUOUS, solver=program(code), time_limit_s=600, memory_limit_mb=250)
    assert answer.verdict == Verdict.MEMOUT
    assert answer.statistics.peak_memory_mb is not None
    assert 250 < answer.statistics.peak_memory_mb < 250 + 150


@pytest.mark.parametrize("limits", [[], ["--time-limit", "600"]])
def test_an_interrupt_ends_it_at_once(limits: list[str], tmp_path: Path, program: Program) -> None:
    save(AMBIGUOUS, tmp_path / "two.mk")
    here = tmp_path / "started"
    code = f"open({str(here)!r}, 'w'); signal.signal(signal.SIGINT, signal.SIG_IGN);"
    command = program(code + CHILD.format("import time; time.sleep(1000)", False))
    nonosat = [sys.executable, "-m", "nonosat", "solve", str(tmp_path / "two.mk"), "--solver", command, *limits]
    with started(nonosat, stdout=None) as process:
        assert settled(here.exists)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        process.wait(120)
        assert process.stderr is not None
        assert process.stderr.read().endswith("nonosat: interrupted\n")
    assert process.returncode == 130
    assert settled(lambda: not strays())


# ---------------------------------------------------------------- small things


@pytest.mark.parametrize(
    ("output", "counters"),
    [
        ("restarts              : 5\nconflicts             : 496            (30 /sec)", (None, 496, None, 5)),
        ("c decisions             : 12             (0.00 % random)\nc propagations : 7 (1 / sec)", (12, None, 7, None)),
        ("c conflicts:          0         0.00    per second\nc propagations:  9 0.1 M per second", (None, 0, 9, None)),
        ("c restarts:                               36             3.56 interval", (None, None, None, 36)),
        ("c 2 restarts\nc 413 conflicts\nc 722 decisions\nc 319046 propagations", (722, 413, 319046, 2)),
        ("c 34 decisions, 12 conflicts, 5.0 conflicts/sec\nc 99 propagations, 1.0 megaprops/sec", (34, 12, 99, None)),
        ("s SATISFIABLE\nc --- [ statistics ] ---\nc fixed: 2 100 %\nc propagations: 2 0.02 M", (0, 0, 2, 0)),
        ("c --- [ statistics ] ---\nc propagations: 2 0.02 M per second", (None, None, 2, None)),
        ("c decisions/conflicts : 3\nc conflicts : 12K\nc 5 conflicts per restart\nc restarts: 3.5", (None,) * 4),
    ],
)
def test_counters_in_the_output_of_programs(output: str, counters: tuple[int | None, ...]) -> None:
    listener = ProgramText(1000)
    for i in range(0, len(output), 7):
        listener.read(output[i : i + 7].encode())
    listener.end()
    assert tuple(listener.counters[n] for n in ("decisions", "conflicts", "propagations", "restarts")) == counters


def test_the_header_can_be_rewritten_in_place() -> None:
    headers = [header_of(*sizes) for sizes in ((0, 0), (12, 9), (12, 10), (2**31 - 2, 10**15))]
    assert {len(header) for header in headers} == {64}
    assert all(header.startswith(b"c ") and header.count(b"\n") == 2 for header in headers)


def test_the_list_of_solvers_shows_the_form() -> None:
    with pytest.raises(LookupError, match="exec:COMMAND"):
        registry.solver("exac:true")
    assert registry.solver("exec:true {cnf}").family == "SAT"


# ---------------------------------------------------------------- proofs of programs

WRITES = """
model = solved()
if model is None:
    from pysat.solvers import Solver
    with Solver("glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        solver.solve()
        steps = [line.strip() for line in solver.get_proof() or []] + ["0"]
    open(sys.argv[2], "wb").write(FORM(steps))
say(model)
"""
TEXT = "lambda steps: '\\n'.join(steps).encode()"
BINARY = """
def number(literal):
    left, found = 2 * abs(literal) + (literal < 0), b""
    while left > 127:
        left, found = left >> 7, found + bytes([left & 127 | 128])
    return found + bytes([left])
def form(steps):
    found = b""
    for step in steps:
        words = step.split()
        found += b"d" if words[0] == "d" else b"a"
        found += b"".join(number(int(word)) for word in words if word not in "d0") + b"\\0"
    return found
"""
NUMBERED = """
def form(steps):
    ids, made = {tuple(sorted(clause)): i for i, clause in enumerate(clauses, 1)}, []
    for step in steps:
        words = step.split()
        key = tuple(sorted(map(int, words[words[0] == "d":-1])))
        if words[0] == "d":
            made.append(f"{len(ids)} d {ids[key]} 0")
        else:
            ids[key] = len(clauses) + len(made) + 1
            made.append(f"{ids[key]} {step} 0")
    return "\\n".join(made).encode()
"""
FORMS = {
    "text": WRITES.replace("FORM", f"({TEXT})"),
    "binary": BINARY + WRITES.replace("FORM", "form"),
    "lrat": NUMBERED + WRITES.replace("FORM", "form"),
}


@pytest.mark.parametrize("form", spread(FORMS, 1))
def test_proofs_of_every_form_are_checked(form: str, program: Program, tmp_path: Path) -> None:
    solver = program(FORMS[form]) + " {proof}"
    for puzzle in (UNSAT, random_density(5, 5, 0.6, seed=1)):
        answer = solve(puzzle, solver=solver, count=None)
        assert "its proof was checked" in (answer.reason or "")
        assert answer.exhausted
        proof = prove(puzzle, solver=solver)
        assert proof.steps is not None
        proof.write(tmp_path / form)
        assert check(tmp_path / form) is None


def test_proofs_that_do_not_hold_are_the_program_s_fault(program: Program) -> None:
    none = program("say(None)") + " {proof}"
    answer = solve(AMBIGUOUS, solver=none)
    assert (answer.verdict, answer.reason) == (Verdict.CRASH, f"{PYTHON} says UNSATISFIABLE and writes no proof")
    lies = program("open(sys.argv[2], 'w').write('0\\n'); say(None)") + " {proof}"
    answer = solve(AMBIGUOUS, solver=lies)
    assert (answer.verdict, "but its proof does not hold: step " in (answer.reason or "")) == (Verdict.CRASH, True)
    for junk in ("b'hello'", "b'a\\\\x04\\\\x00x\\\\x00'", "b'7 d 99 0'", "b'a\\\\x00\\\\xff'", "b'1 x 0'"):
        bad = program(f"open(sys.argv[2], 'wb').write({junk}); say(None)") + " {proof}"
        assert solve(AMBIGUOUS, solver=bad).verdict is Verdict.CRASH
        with pytest.raises(SolverError):
            prove(AMBIGUOUS, solver=bad)


@pytest.mark.skipif(shutil.which("cadical") is None, reason="cadical is not installed")
@pytest.mark.parametrize("options", ["", "--no-binary "])
def test_cadical_s_proofs_are_checked(options: str, tmp_path: Path) -> None:
    solver = f"exec:cadical {options}{{cnf}} {{proof}}"
    assert "its proof was checked" in (solve(UNSAT, solver=solver).reason or "")
    prove(random_density(8, 8, 0.55, seed=1), solver=solver).write(tmp_path / "proof")
    assert check(tmp_path / "proof") is None


# ---------------------------------------------------------------- shared libraries

LIBRARY = r"""
/* A small SAT solver with IPASIR: depth-first search with unit propagation over lists of literals. */
#include <stdlib.h>
#include <unistd.h>
typedef struct { int *lits, used, room, most; int *assumed, many; signed char *value; int *failed; } S;
const char *ipasir_signature(void) { return "small"; }
void *ipasir_init(void) { return calloc(1, sizeof(S)); }
void ipasir_release(void *p) { S *s = p; free(s->lits); free(s->assumed); free(s->value); free(s); }
static void need(S *s, int x) { x = abs(x); if (x > s->most) {
    s->value = realloc(s->value, x + 1); while (s->most < x) s->value[++s->most] = 0; } }
void ipasir_add(void *p, int x) { S *s = p; if (s->used == s->room)
    s->lits = realloc(s->lits, sizeof(int) * (s->room = 2 * s->room + 64));
    s->lits[s->used++] = x; need(s, x); }
void ipasir_assume(void *p, int x) { S *s = p; need(s, x);
    s->assumed = realloc(s->assumed, sizeof(int) * (s->many + 1)); s->assumed[s->many++] = x; }
static int value(S *s, int x) { int v = s->value[abs(x)]; return x < 0 ? -v : v; }
static int search(S *s) {
    int *trail = malloc(sizeof(int) * (s->most + 1)), n = 0, again = 1, dead = 0;
    while (again && !dead) {
        again = 0;
        for (int i = 0; i < s->used && !dead; i++) {
            int open = 0, unit = 0, true_ = 0;
            for (; s->lits[i]; i++) {
                int v = value(s, s->lits[i]);
                if (v > 0) true_ = 1;
                if (!v) { open++; unit = s->lits[i]; }
            }
            if (true_) continue;
            if (!open) dead = 1;
            else if (open == 1) { s->value[abs(unit)] = unit > 0 ? 1 : -1; trail[n++] = abs(unit); again = 1; }
        }
    }
    int result = 20, x = 1;
    if (!dead) {
        while (x <= s->most && s->value[x]) x++;
        if (x > s->most) result = 10;
        for (int v = -1; result == 20 && v <= 1; v += 2) { s->value[x] = v; result = search(s); }
        if (result == 20) s->value[x] = 0;
    }
    if (result == 20) while (n) s->value[trail[--n]] = 0;
    free(trail); return result;
}
int ipasir_solve(void *p) { S *s = p; int result;
    if (BEHAVE == 1) for (;;) ;
    if (BEHAVE == 2) abort();
    if (BEHAVE == 3) return 0;
    for (int i = 1; i <= s->most; i++) s->value[i] = 0;
    for (int i = 0; i < s->many; i++) { if (value(s, s->assumed[i]) < 0) { s->many = 0; return 20; }
        s->value[abs(s->assumed[i])] = s->assumed[i] > 0 ? 1 : -1; }
    s->many = 0; result = search(s); return BEHAVE == 4 ? 10 : result; }
int ipasir_val(void *p, int x) { S *s = p; int v = value(s, x);
    return BEHAVE == 5 ? x : v > 0 ? x : -x; }
int ipasir_failed(void *p, int x) { return 1; }
void ipasir_set_terminate(void *p, void *state, int (*f)(void *)) { }
void ipasir_set_learn(void *p, void *state, int n, void (*f)(void *, int *)) { }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], str]:
    """The name of a solver that is compiled now; ``behave``: what is wrong with it."""
    if (compiler := shutil.which("gcc")) is None:
        pytest.skip("gcc is not installed")
    folder = tmp_path_factory.mktemp("ipasir")
    (folder / "small.c").write_text(LIBRARY)

    def made(behave: int = 0) -> str:
        file = folder / f"libsmall{behave}.so"
        if not file.exists():
            words = [
                compiler,
                "-O1",
                "-shared",
                "-fPIC",
                f"-DBEHAVE={behave}",
                "-o",
                str(file),
                str(folder / "small.c"),
            ]
            subprocess.run(words, check=True)
        return f"ipasir:{file}"

    return made


@pytest.mark.slow
def test_a_library_finds_what_there_is(library: Callable[[int], str]) -> None:
    for number in range(5):
        puzzle = random_puzzle(np.random.default_rng(number), 4, 4)
        answer = solve(puzzle, solver=library(0), count=None)
        assert (set(answer.pictures), answer.exhausted) == (set(pictures(puzzle)), True)
    assert solve(UNSAT, solver=library(0)).verdict is Verdict.UNSAT
    csp = read("(int x 1 3) (int y 1 3) (< (+ x 1) y)")
    assert solve_csp(csp, solver=library(0), count=None).solutions == ({"x": 1, "y": 3},)


def test_a_library_is_incremental_and_takes_assumptions(library: Callable[[int], str]) -> None:
    name = library(0)
    cnf = encode(AMBIGUOUS).cnf
    with closing(IpasirSession(name, name.removeprefix("ipasir:"), cnf)) as session:
        model = session.solve()
        assert model is not None
        assert session.solve([model[0]]) == session.solve(model)
        assert session.solve([model[0], -model[0]]) is None
        session.add([-literal for literal in model])
        other = session.solve()
        assert other not in (None, model)
        assert session.solve(model) is None


@pytest.mark.parametrize(
    ("behave", "verdict", "reason"),
    spread(
        [
            (1, Verdict.TIMEOUT, "1 s"),
            (2, Verdict.CRASH, "SIGABRT"),
            (3, Verdict.CRASH, "gave no verdict (ipasir_solve returned 0)"),
            (4, Verdict.CRASH, "gave a model that does not satisfy clause"),
            (5, Verdict.CRASH, "gave a model that does not satisfy clause"),
        ],
        2,
    ),
)
def test_a_library_that_misbehaves(behave: int, verdict: Verdict, reason: str, library: Callable[[int], str]) -> None:
    limit = 1.0 if behave == 1 else None
    answer = solve(AMBIGUOUS if behave == 5 else UNSAT, solver=library(behave), time_limit_s=limit)
    assert answer.verdict is verdict
    assert reason in (answer.reason or "")


def test_what_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "text.so").write_text("hello")
    assert "text.so cannot be loaded" in (solve(UNSAT, solver=f"ipasir:{tmp_path}/text.so").reason or "")
    if libc := ctypes.util.find_library("c"):
        answer = solve(UNSAT, solver=f"ipasir:{libc}")
        assert (answer.verdict, answer.reason) == (
            Verdict.CRASH,
            f"{libc} is no IPASIR library: it has no ipasir_init",
        )
