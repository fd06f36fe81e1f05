"""The command line as people use it: exit codes, one-line errors, and output that other commands read."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from children import started
from clock import children_s, in_time, under_way, worked_s
from commands import complaint, run
from sampling import spread

from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load, load_all, save
from nonosat.puzzles.nonogram import Nonogram

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}  # as people have it
GCHQ = str(ROOT / "examples" / "gchq.json")


def started_anew(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command by a Python of its own, whose CPU time is known when it has ended."""
    command = [sys.executable, "-m", "nonosat", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)


@pytest.fixture
def unsatisfiable(tmp_path: Path) -> str:
    (tmp_path / "unsat.mk").write_text("3 3\n2\n2\n0\n#\n2\n1\n1\n")
    return str(tmp_path / "unsat.mk")


@pytest.fixture
def ambiguous(tmp_path: Path) -> str:
    (tmp_path / "two.mk").write_text("2 2\n1\n1\n#\n1\n1\n")
    return str(tmp_path / "two.mk")


@pytest.fixture
def hard(tmp_path: Path) -> str:
    """A board that takes any SAT solver minutes at least: seen to, below, by nobody finishing it."""
    save(random_density(70, 70, 0.4, seed=1), tmp_path / "hard.mk")
    return str(tmp_path / "hard.mk")


@pytest.fixture
def harder(tmp_path: Path) -> str:
    """A board that takes ``auto`` longer than any limit below, too: it draws 70x70 in two seconds."""
    save(random_density(150, 150, 0.4, seed=1), tmp_path / "harder.mk")
    return str(tmp_path / "harder.mk")


@cache
def five_starts_s() -> float:
    """CPU seconds for five starts of Python and a bit."""
    return 1.0 + 5 * children_s(lambda: started_anew("list", "solvers"))


# ---------------------------------------------------------------- solve


@pytest.mark.slow
def test_a_printed_picture_is_one_that_check_reads(tmp_path: Path) -> None:
    result = run("solve", GCHQ, "--unique", "--draw", str(tmp_path / "gchq.png"))
    assert result.returncode == 10
    assert "SAT, the only solution (by lines and probing), checked" in result.stderr
    (tmp_path / "picture.txt").write_text(result.stdout)
    assert run("check", GCHQ, str(tmp_path / "picture.txt")).returncode == 0
    assert (tmp_path / "gchq.png").read_bytes().startswith(b"\x89PNG")
    wrong = run("check", GCHQ, "-", stdin=result.stdout.replace("██", "··", 1))
    assert (wrong.returncode, wrong.stdout) == (
        1,
        "standard input: wrong: row 1: has 6 3 1 1 7, the clue says 7 3 1 1 7\n",
    )


def test_a_picture_of_another_size_is_wrong_and_junk_is_bad_input(ambiguous: str) -> None:
    for picture, size in (("#.\n.#\n#.\n", "3x2"), ("#..\n.#.\n", "2x3"), ("██····\n··██··\n", "2x3")):
        done = run("check", ambiguous, "-", stdin=picture)
        said = f"standard input: wrong: the picture is {size} (rows x columns), the puzzle 2x2\n"
        assert (done.returncode, done.stdout, done.stderr) == (1, said, "")
    for junk in ("", "hello\n", "#.\n.#\n#\n", "#.#\n.?.\n", b"\xff\xfe", b"\0" * 9, "{}", '{"picture": [1]}'):
        line = complaint("check", ambiguous, "-", stdin=junk)
        assert line.startswith("standard input")
    assert "the picture has 1 row, the puzzle has 25" in complaint("check", GCHQ, "-", stdin="hello\n")
    assert "is a directory" in complaint("check", ambiguous, "/")
    assert "no such file" in complaint("check", ambiguous, "/nowhere")


def test_exit_codes(unsatisfiable: str, ambiguous: str) -> None:
    assert (run("solve", unsatisfiable).returncode, run("solve", ambiguous).returncode) == (20, 10)
    assert run("solve", unsatisfiable).stdout == "UNSAT\n"


def test_json_has_the_promised_fields(ambiguous: str) -> None:
    [line] = run("solve", ambiguous, "--all", "--format", "json").stdout.splitlines()
    record = json.loads(line)
    assert record["verdict"] == "SAT"
    assert (record["solutions"], record["unique"], record["verified"]) == (2, False, True)
    assert sorted(record["pictures"]) == [["#.", ".#"], [".#", "#."]]
    assert record["picture"] in record["pictures"]
    assert (record["solver"], record["encoding"]) == ("auto", None)
    assert record["reason"] is not None
    for key in ("lines_checked", "assumptions", "probes", "nodes"):
        assert isinstance(record[key], int)
    [line] = run("solve", ambiguous, "--encoding", "plain+r3+order", "--format", "json").stdout.splitlines()
    record = json.loads(line)
    assert [record[key] for key in ("encoding", "solver")] == ["plain+r3+order", "minisat22"]
    for key in ("variables", "clauses", "encode_s", "load_s", "solve_s"):
        assert record[key] is not None
    for key in ("decisions", "conflicts", "propagations", "restarts"):
        assert isinstance(record[key], int)
    [line] = run("solve", ambiguous, "--solver", "kissat", "--format", "json").stdout.splitlines()
    assert json.loads(line)["decisions"] is None
    assert json.loads(line)["unique"] is None


def test_counting(ambiguous: str) -> None:
    assert "all 2 solutions" in run("solve", ambiguous, "--count", "5").stderr
    assert "SAT (by lines, probing and guesses), checked" in run("solve", ambiguous, "--count", "1").stderr
    assert "SAT, all 2 solutions" in run("solve", ambiguous, "--unique").stderr


def test_several_printed_pictures_are_checked_one_by_one(ambiguous: str) -> None:
    printed = run("solve", ambiguous, "--all").stdout
    assert run("check", ambiguous, "-", stdin=printed).returncode == 0
    wrong = run("check", ambiguous, "-", stdin=printed.replace("··", "██", 1))
    assert wrong.returncode == 1
    assert "picture 1: wrong: row 1" in wrong.stdout


def test_the_exit_code_of_several_answers() -> None:
    from nonosat.cli.shared.commands import exit_code
    from nonosat.runs.events import Answer, Verdict

    def answers(*verdicts: str) -> list[Answer]:
        return [Answer(Verdict(verdict)) for verdict in verdicts]

    assert exit_code(answers("SAT", "UNSAT")) == 10
    assert exit_code(answers("UNSAT", "UNSAT")) == 20
    assert exit_code(answers("SAT", "TIMEOUT", "UNSAT")) == 0
    assert exit_code(answers("SAT", "WRONG", "TIMEOUT")) == 1
    assert exit_code([Answer(Verdict.SAT, stopped=Verdict.CRASH)]) == 1
    assert exit_code([Answer(Verdict.SAT, stopped=Verdict.TIMEOUT)]) == 10


def test_a_file_with_many_puzzles(tmp_path: Path) -> None:
    path = str(tmp_path / "many.txt")
    save([random_density(8, 8, 0.6, seed=seed) for seed in range(4)], path)
    result = run("solve", path, "--unique")
    assert result.returncode == 10
    *lines, summary = result.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["1", "2", "3", "4"]
    assert summary.startswith("4 puzzles: 4 SAT; ")
    records = [json.loads(line) for line in run("solve", path, "--format", "json").stdout.splitlines()]
    assert [record["index"] for record in records] == [1, 2, 3, 4]
    one = run("solve", path, "--index", "3")
    assert run("check", path, "-", "--index", "3", stdin=one.stdout).returncode == 0
    assert "4 puzzles" in complaint("check", path, "-", stdin=one.stdout)
    assert "no puzzle 5, there are 4" in complaint("solve", path, "--index", "5")


@pytest.mark.slow
def test_no_answer_within_the_limits(harder: str, ambiguous: str) -> None:
    for solver in ("minisat22", "lingeling"):

        def stopped_s(solver: str = solver) -> None:
            result = started_anew("solve", harder, "--time-limit", "0.5", "--solver", solver)
            assert (result.returncode, result.stdout) == (0, "TIMEOUT\n")

        def easy_s(solver: str = solver) -> float:
            return children_s(lambda: started_anew("solve", ambiguous, "--time-limit", "600", "--solver", solver))

        in_time(lambda: children_s(stopped_s) - 0.5, times=3, floor_s=easy_s)
    limited = ("--cpu-limit", "1", "--solver", "minisat22")  # however busy the machine is, it has encoded by then
    [line] = run("solve", harder, *limited, "--format", "json").stdout.splitlines()
    record = json.loads(line)
    assert (record["verdict"], record["picture"], record["verified"], record["unique"]) == ("CPUOUT", None, None, None)
    assert record["clauses"] > 100_000  # what was known by then is told
    assert record["encode_s"] > 0
    result = run("solve", harder, "--memory-limit", "60")
    assert (result.returncode, result.stdout) == (0, "MEMOUT\n")


@pytest.mark.parametrize(
    ("solver", "limits"),
    spread(
        product(
            ["minisat22", "glucose4", "cadical153", "cadical300", "lingeling", "kissat404", "cpsat", "cpsat-automaton"],
            [[], ["--time-limit", "100"]],
        ),
        1,
    ),
)
def test_ctrl_c_stops_at_once(hard: str, solver: str, limits: list[str]) -> None:
    process = started([sys.executable, "-m", "nonosat", "solve", hard, "--solver", solver, "--format", "json", *limits])
    try:
        under_way(process, 2.5 if solver.startswith("cpsat") else 1.2)  # it has begun to solve
        worked = worked_s(process.pid)
        out, err = "", ""

        def interrupted() -> None:
            nonlocal out, err
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=120)

        whole = children_s(interrupted)
    finally:
        process.kill()
    assert whole - worked < five_starts_s()
    assert process.returncode == 130
    record = json.loads(out)
    assert record["verdict"] == "INTERRUPTED"
    assert "index" not in record
    assert (record["decisions"], record["conflicts"]) == (None, None)  # not known is null, never 0
    assert err == "nonosat: interrupted\n"


STARTED = re.compile(r"/nonosat/(?!(__init__|__main__|version|start|interrupts)\.py)|, in run\n")
"""What a traceback has once ``run`` of nonosat/start.py, which sees to Ctrl-C, has begun; these are imported before."""


@pytest.mark.slow
@pytest.mark.parametrize("every", [130, pytest.param(40, marks=pytest.mark.nightly)])
def test_ctrl_c_at_any_moment_leaves_no_traceback(harder: str, every: int) -> None:
    for moment in range(0, 1200, every):
        process = started([sys.executable, "-m", "nonosat", "solve", harder])
        try:
            under_way(process, 0.06 + moment / 1000)  # Python itself takes a while to start
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=120)
        finally:
            process.kill()
        if err and not err.startswith("nonosat") and not STARTED.search(err):
            continue  # Python was still importing the package, and said so
        assert process.returncode in (130, -signal.SIGINT), (moment, err)
        assert err in ("", "nonosat: interrupted\n"), moment


def test_ctrl_c_where_python_forgets_exceptions_is_not_forgotten() -> None:
    """In a finalizer or a weak reference's callback, which every import has."""
    script = """
        from nonosat.cli import main as command

        class Module:
            def __del__(self):
                raise {error}

        def run():
            Module()
            return 0

        command._run = run
        command.main()
    """
    for error, code in (("KeyboardInterrupt", 130), ("ValueError('a bug')", 0)):
        text = textwrap.dedent(script).format(error=error)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert ("a bug" in done.stderr) if code == 0 else (done.stderr == "nonosat: interrupted\n")


def test_ctrl_c_that_another_exception_comes_of_is_ctrl_c() -> None:
    """While a class is made, as imports do, Python turns it into a RuntimeError."""
    script = """
        import sys
        from nonosat.cli import main as command

        class Field:
            def __set_name__(self, owner, name):
                raise {error}

        def run():
            type("Record", (), {{"field": Field()}})

        command._run = run
        command.main()
    """
    for error, code, said in (
        ("KeyboardInterrupt", 130, "nonosat: interrupted\n"),
        ("ValueError('a bug')", 1, "a bug"),
    ):
        text = textwrap.dedent(script).format(error=error)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert said in done.stderr


def on_a_terminal(*arguments: str) -> tuple[int, str, str]:
    """Run the command with its stderr on a terminal: exit code, stdout, and what the terminal got."""
    main, other = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "nonosat", *arguments], stdout=subprocess.PIPE, stderr=other, text=True, env=ENVIRONMENT
    )
    os.close(other)
    try:
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    shown = b""
    with contextlib.suppress(OSError):
        while piece := os.read(main, 1 << 16):
            shown += piece
    os.close(main)
    return process.returncode, out, shown.decode()


@pytest.mark.slow
def test_progress_on_a_terminal(hard: str) -> None:
    code, out, shown = on_a_terminal("solve", hard, "--time-limit", "2", "--solver", "minisat22")
    assert (code, out) == (0, "TIMEOUT\n")
    before, erased, after = shown.rpartition("\r\x1b[K")
    assert re.search(r"solving with minisat22 · \d+ s", before)
    assert erased
    assert after.startswith(f"{hard}: TIMEOUT")


# ---------------------------------------------------------------- encode, decode


def test_a_formula_goes_out_and_an_answer_comes_back(tmp_path: Path) -> None:
    cnf = str(tmp_path / "gchq.cnf")
    assert run("encode", GCHQ, "-o", cnf).returncode == 0
    assert run("encode", GCHQ, "-o", "-").stdout == Path(cnf).read_text()
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver("cadical153", bootstrap_with=CNF(from_file=cnf).clauses) as solver:
        assert solver.solve()
        output = "s SATISFIABLE\nv " + " ".join(map(str, solver.get_model())) + " 0\n"
    (tmp_path / "out").write_text(output)
    result = run("decode", cnf, str(tmp_path / "out"), "--draw", str(tmp_path / "d.svg"))
    assert result.returncode == 10
    assert run("check", GCHQ, "-", stdin=result.stdout).returncode == 0
    assert (tmp_path / "d.svg").read_text().startswith("<svg")
    assert run("decode", cnf, "-", stdin="s UNSATISFIABLE\n").returncode == 20
    assert run("decode", cnf, "-", stdin="s UNKNOWN\n").returncode == 0
    flipped = output.replace("v 1 ", "v -1 ") if "v 1 " in output else output.replace("v -1 ", "v 1 ")
    wrong = run("decode", cnf, "-", "--format", "json", stdin=flipped)
    assert wrong.returncode == 1
    assert json.loads(wrong.stdout)["verdict"] == "WRONG"
    # It is told whose fault it is: the solver's, if a clause is broken; else the encoding's.
    blamed = run("decode", cnf, "-", stdin=flipped)
    assert (blamed.returncode, blamed.stdout) == (1, "WRONG\n")
    assert "the solver is wrong" in blamed.stderr
    assert "encoding is wrong" not in blamed.stderr
    text = Path(cnf).read_text()
    head = text[: text.index("\np cnf ")]
    Path(cnf).write_text(f"{head}\np cnf {text.split('p cnf ')[1].split()[0]} 0\n")
    blamed = run("decode", cnf, "-", stdin=flipped)
    assert (blamed.returncode, blamed.stdout) == (1, "WRONG\n")
    assert "the picture above breaks the clues: the encoding is wrong" in blamed.stderr
    assert "the solver is wrong" not in blamed.stderr


@pytest.mark.skipif(shutil.which("minisat") is None, reason="minisat is not installed")
def test_minisat_s_own_files(tmp_path: Path) -> None:
    cnf, out = str(tmp_path / "g.cnf"), str(tmp_path / "g.out")
    run("encode", GCHQ, "-o", cnf)
    subprocess.run(["minisat", "-verb=0", cnf, out], check=False, capture_output=True)
    assert run("decode", cnf, out).returncode == 10


# ---------------------------------------------------------------- generate, convert, draw, list


def test_generate(tmp_path: Path) -> None:
    folder = str(tmp_path / "d")
    done = run("generate", "--size", "6x9", "--density", "0.4", "--seed", "7", "--count", "3", "-o", folder)
    assert done.returncode == 0
    files = sorted((tmp_path / "d").iterdir())
    assert [file.name for file in files] == [f"density-6x9-0.4-s{seed}.json" for seed in (7, 8, 9)]
    assert load(files[1]) == random_density(6, 9, 0.4, seed=8)
    packed = folder + ".json.gz"
    done = run("generate", "--size", "6x9", "--density", "0.4", "--seed", "7", "--count", "3", "-o", packed)
    assert done.stderr.endswith("d.json.gz: 3 puzzles of density 6x9 0.4 (json)\n")
    assert load_all(tmp_path / "d.json.gz") == [random_density(6, 9, 0.4, seed=seed) for seed in (7, 8, 9)]
    coloured = run("generate", "--size", "5", "--density", "0.3,0.3", "-o", "-", "--to", "non").stdout
    assert "width 5\n" in coloured
    for size in ("0x5", "-3", "axb", "3x3x3", "99999999x2", ""):
        assert run("generate", "--size", size, "--density", "0.4", "-o", str(tmp_path)).returncode == 2
    for density in ("2", "-1", "x", "0.7,0.7", "nan"):
        assert run("generate", "--size", "5", "--density", density, "-o", str(tmp_path)).returncode == 2


def test_convert(tmp_path: Path) -> None:
    save(random_density(7, 7, 0.5, seed=1), tmp_path / "a.mk")
    for there in ("b.non", "c.txt", "d.json"):
        assert run("convert", str(tmp_path / "a.mk"), str(tmp_path / there)).returncode == 0
        assert run("convert", str(tmp_path / there), "-", "--to", "mk").stdout == (tmp_path / "a.mk").read_text()
    text = (tmp_path / "a.mk").read_text()
    assert run("convert", "-", "-", "--from", "mk", "--to", "mk", stdin=text).stdout == text
    assert "cannot hold given cells, the puzzle has 22; json can" in complaint("convert", GCHQ, str(tmp_path / "x.mk"))
    assert not (tmp_path / "x.mk").exists()


def test_convert_sets_a_title(tmp_path: Path) -> None:
    (tmp_path / "cup.txt").write_text("#.#\n###\n")
    done = run("convert", "cup.txt", "cup.json", "--title", "A cup", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert load(tmp_path / "cup.json").title == "A cup"
    assert run("convert", "cup.json", "cup.mk", "--title", "Mug", cwd=tmp_path).stderr == (
        'cup.mk: lost: the title "Mug"\ncup.mk: lost: the goal\n'
    )


def test_draw(tmp_path: Path) -> None:
    for suffix, begin in ((".png", b"\x89PNG"), (".svg", b"<svg"), (".txt", b" ")):
        target = tmp_path / f"drawing{suffix}"
        assert run("draw", GCHQ, str(target), "--solve").returncode == 0
        assert target.read_bytes().startswith(begin)
    assert run("check", GCHQ, str(tmp_path / "drawing.txt")).returncode == 0
    assert "draws .png, .svg or .txt" in complaint("draw", GCHQ, "x.jpg")


def test_list() -> None:
    assert "minisat22" in run("list", "solvers").stdout
    assert "tight+r3+order" in run("list", "encodings").stdout
    assert ".mk" in run("list", "formats").stdout


# ---------------------------------------------------------------- bad input

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.mk", b"", "empty.mk: the file is empty"),
        ("junk.mk", b"\x00\x01\xff", "junk.mk:1: not a text file: a NUL byte"),
        ("picture.mk", PNG, "picture.mk: not a text file: it is a PNG image"),
        ("picture.png", PNG, "picture.png: not an image"),
        ("long.mk", b"2 9\n1\n7 2\n#" + b"\n1" * 9, "long.mk:3: row 2: runs 7 2 need 10 cells, the line has 9"),
        ("minus.mk", b"1 2\n-1\n#\n1\n1\n", "minus.mk:2: "),
        ("huge.mk", b"1 2\n" + b"9" * 100_000 + b"\n#\n1\n1\n", "huge.mk:2: "),
        ("claim.mk", b"10000000000 10000000000\n1\n#\n1\n", "claim.mk:1: "),
        ("wide.mk", b"2 2\n" + b"1 " * 200_000 + b"\n1\n#\n1\n1\n", "wide.mk:2: a clue of more than 100,000 runs"),
        (
            "vast.mk",
            b"9000 9000\n" + b"0\n" * 9000 + b"#\n" + b"0\n" * 9000,
            "vast.mk:2: a board of 9000x9000; at most",
        ),
        ("bad.non", b"width 2\nheight 1\nrows\nx\ncolumns\n1\n1\n", "bad.non:4: "),
        ("bad.txt", b"$1\n1\n1\n1\n", "bad.txt:"),
        ("bad.json", b'{"rows": [[1],', "bad.json:1: "),
        ("list.json", b"3", "list.json: "),
    ],
)
@pytest.mark.parametrize("command", ["solve", "encode"])
def test_bad_puzzles(tmp_path: Path, command: str, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    arguments = ["-o", "out.cnf"] if command == "encode" else []
    assert complaint(command, name, *arguments, cwd=tmp_path).startswith(message)
    assert not (tmp_path / "out.cnf").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "nowhere.mk"], "nowhere.mk: no such file"),
        (["solve", "."], ""),
        (["solve", "-"], ""),
        (["solve", GCHQ, "--solver", "glucoze"], "unknown solver 'glucoze'; known: "),
        (["solve", GCHQ, "--encoding", "tight+r9"], "unknown encoding part 'r9'; known: plain, tight"),
        (["solve", GCHQ, "--time-limit", "0"], ""),
        (["solve", GCHQ, "--time-limit", "nan"], ""),
        (["solve", GCHQ, "--memory-limit", "-5"], ""),
        (["solve", GCHQ, "--count", "0"], ""),
        (["solve", GCHQ, "--all", "--count", "2"], "--all and --count exclude each other"),
        (["solve", GCHQ, "--encoding", ""], "unknown encoding part ''"),
        (["solve", GCHQ, "--encoding", "tight+r3+r3"], "encoding 'tight+r3+r3' names r3 twice"),
        (["draw", GCHQ, "x.png", "--solve", "--picture", GCHQ], "--picture and --solve exclude each other"),
        (["solve", GCHQ, "--draw", "x.bmp"], "x.bmp: draws .png, .svg or .txt"),
        (["solve", GCHQ, "--from", "mkk"], "unknown format 'mkk'; known: mk, nin, non, tournament, pattern, webpbn"),
        (["solve"], "Missing argument 'FILES...'"),
        (["draw", GCHQ, ""], "'': draws .png, .svg or .txt"),
        (["print", GCHQ, "-o", ""], "'': prints .pdf"),
        (["prove", GCHQ, "-o", GCHQ], f"{GCHQ}: is a file, not a folder"),
        (["app", "--studies", "nowhere"], "nowhere: no such directory"),
        (["app", "--studies", GCHQ], f"{GCHQ}: is a file, not a folder"),
        (["app", "--data", GCHQ], f"{GCHQ}: is a file, not a folder"),
        (
            ["solve", GCHQ, "--encoding", "direct"],
            "encoding 'direct' needs one domain: plain, tight; a whole name is tight+r3+d",
        ),
        (["slove", GCHQ], "No such command 'slove'"),
        (["report", "s.toml"], "No such command 'report'. Did you mean 'study report'?"),
        (["encode", GCHQ, "-o", "/nowhere/x.cnf"], "/nowhere/x.cnf: no such directory"),
        (["encode", GCHQ, "-o", "/proc/x.cnf"], "/proc/x.cnf: "),
        (["check", GCHQ, GCHQ], ""),
        (["check", GCHQ, "-"], ""),
        (["decode", GCHQ, GCHQ], ""),
        (["generate", "--size", "5", "--density", "0.5", "-o", GCHQ + "/boards"], f"{GCHQ}/boards: "),
        (["generate", "--size", "5", "--density", "0.5", "-o", "/nowhere/x.mk"], "/nowhere/x.mk: no such directory"),
        (
            ["generate", "--size", "5", "--density", "0.5", "--count", "3", "-o", "/nowhere/x.mk"],  # before the work
            "/nowhere/x.mk: no such directory",
        ),
        (["generate", "--size", "5", "--density", "0.5", "--count", "3", "-o", "x.mk"], "mk holds one puzzle, not 3"),
    ],
)
def test_bad_arguments(tmp_path: Path, arguments: list[str], message: str) -> None:
    assert complaint(*arguments, cwd=tmp_path).startswith(message)


def test_no_command_is_a_help_text() -> None:
    result = run()
    assert result.returncode == 2
    assert "Usage" in result.stderr
    assert "solve" in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk(tmp_path: Path) -> None:
    assert "no space left" in complaint("encode", GCHQ, "-o", "/dev/full")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "nonosat", "solve", GCHQ],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
            env=ENVIRONMENT,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "nonosat: cannot write: no space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_streams_that_are_closed() -> None:
    command = f"{sys.executable} -m nonosat"
    for rest, expected in (
        ("solve {} >&-", 10),
        ("solve {} 2>&-", 10),
        ("list solvers >&-", 0),
        ("solve {} 2>/dev/full", 10),
    ):
        done = subprocess.run(
            f"{command} {rest.format(GCHQ)}", shell=True, capture_output=True, text=True, check=False, env=ENVIRONMENT
        )
        assert done.returncode == expected, (rest, done)
        assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    save([random_density(5, 5, 0.5, seed=seed) for seed in range(50)], tmp_path / "many.txt")
    command = f"{sys.executable} -m nonosat solve many.txt | head -n 1"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False, env=ENVIRONMENT
    )
    assert done.stderr == ""


def test_a_cold_start_imports_what_it_uses() -> None:
    probe = (
        "import sys; from nonosat.cli import cli; "
        f"cli.main(['solve', {GCHQ!r}], standalone_mode=False); "
        "print(*(m for m in ('ortools', 'pandas', 'matplotlib', 'PIL', 'numba', 'hypothesis') if m in sys.modules), "
        "file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == ""


def real_puzzles() -> list[Path]:
    folder = ROOT.parent / "shared" / "puzzles" / "real"
    return sorted(p for p in folder.glob("*.mk") if p.stem not in ("survey-faase", "survey-knotty"))


@pytest.mark.skipif(not real_puzzles(), reason="the collection of real puzzles is not here")
def test_real_puzzles_are_solved() -> None:
    from nonosat.runs.events import Verdict
    from nonosat.solvers.solve import solve

    several = set()
    for path in real_puzzles():
        [puzzle] = load_all(path)
        answer = solve(puzzle, unique=True)
        assert answer.verdict == Verdict.SAT
        assert answer.unique is not None
        if not answer.unique:
            several.add(path.stem)
    assert "gecode-non_unique" in several


def test_environment_is_not_needed(tmp_path: Path) -> None:
    """Paths with blanks and other letters, another working folder, a bare environment."""
    odd = tmp_path / "ein Ordner ü"
    odd.mkdir()
    save(Nonogram.from_lengths([[1]], [[1]]), odd / "ein Rätsel.mk")
    environment: dict[str, Any] = {"PATH": os.environ["PATH"], "LANG": "C", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "nonosat", "solve", "ein Rätsel.mk"], cwd=odd, env=environment, capture_output=True
    )
    assert done.returncode == 10, done.stderr


def test_an_option_of_all_commands_and_a_study_say_where_they_belong(tmp_path: Path) -> None:
    assert "'--plugin': it comes before the command" in complaint("solve", "--plugin", "x.py", "y.mk")
    (tmp_path / "my.toml").write_text("")
    assert "`nonosat study run` runs them" in complaint("solve", str(tmp_path / "my.toml"))
