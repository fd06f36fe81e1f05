"""Do the tests notice? ``python benchmarks/mutants.py FOLDER [--number 200] [--seed 0] [--again] [--map [TESTS...]]``.

Small changes (mutants) of the core are sampled by seed; each is made in a copy of the tree in FOLDER, and those of the
default tests that run its line are run on it, quick ones first, until one fails. The first call runs all of them once
under coverage, to learn which run what; it needs pytest-cov. FOLDER/results.tsv has a line a mutant, and a call goes on
where the last one was ended. ``--again``: those that survived, on the tree as it is now; ``--map``: learn anew what
these tests run. results/mutants.md tells of the survivors. Compiled functions are not seen by coverage: for them, all
tests of their folder are run.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
MUTATED = (
    "nonosat/encodings",
    "nonosat/csp",
    "nonosat/solvers",
    "nonosat/runs",
    "nonosat/counting",
    "nonosat/explanations",
    "nonosat/making",
    "nonosat/certificates",
    "nonosat/puzzles/puzzle.py",
    "nonosat/puzzles/nonogram/check.py",
    "nonosat/puzzles/skyscrapers/check.py",
)
ELSEWHERE = dict.fromkeys(
    ("zygote.py", "limits.py", "protocol.py"),
    "tests/test_isolation.py",
)  # run in other processes
MOST_FILES = 8
SWAPS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
PLUGIN = """
import faulthandler, os, pathlib
def file(name):
    return name in os.environ and pathlib.Path(os.environ[name])
USUAL, CHOSEN, TOOK = map(file, ("USUAL", "CHOSEN", "TOOK"))
usual = dict(line.rsplit("\\t", 1) for line in USUAL.read_text().splitlines()) if USUAL else {}
terminal = os.dup(2)  # pytest will take it
def watch(seconds):
    faulthandler.dump_traceback_later(seconds, exit=True, file=terminal)
watch(300)
def pytest_runtest_logstart(nodeid, location):
    watch(900 if TOOK else 40 + 5 * float(usual.get(nodeid, 4)))
def pytest_runtest_logfinish(nodeid, location):
    watch(300)
def pytest_runtest_logreport(report):
    if TOOK:
        with TOOK.open("a") as file:
            print(report.nodeid, report.outcome, report.duration, sep="\\t", file=file)
def pytest_collection_modifyitems(config, items):
    if CHOSEN:
        place = {name: i for i, name in enumerate(CHOSEN.read_text().split("\\n"))}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])
def pytest_unconfigure():
    faulthandler.cancel_dump_traceback_later()
"""


class Mutant(NamedTuple):
    """``begin`` .. ``end`` of the source becomes ``text``. ``line``: of the statement; ``traced``: coverage sees it."""

    path: str
    line: int
    begin: int
    end: int
    text: str
    what: str
    traced: bool


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """All that can be made of a file."""
    starts = [0]
    for line in source.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)

    def place(line: int, column: int) -> int:
        return len(source.encode()[: starts[line - 1] + column].decode())

    def of(node: ast.AST) -> tuple[int, int]:
        return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)  # type: ignore

    def swapped(left: ast.AST, op: ast.AST, right: ast.AST) -> Iterator[tuple[int, int, str]]:
        old, new = SWAPS.get(type(op), ("", ""))
        if old:
            begin = source.index(old, of(left)[1], of(right)[0])
            yield begin, begin + len(old), new

    def changes(node: ast.AST) -> Iterator[tuple[int, int, str]]:
        """(begin, end, text) of what can be made of one node."""
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
                yield from swapped(left, op, right)
        elif isinstance(node, ast.BoolOp):
            yield from swapped(node.values[0], node.op, node.values[1])
        elif isinstance(node, ast.BinOp):
            yield from swapped(node.left, node.op, node.right)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield *of(node), source[slice(*of(node.operand))]
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield *of(node.test), f"(not ({source[slice(*of(node.test))]}))"
        elif isinstance(node, ast.Return) and ast.unparse(node) not in ("return", "return None"):
            yield *of(node), "return None"
        elif isinstance(node, ast.Break | ast.Continue):
            yield *of(node), "continue" if isinstance(node, ast.Break) else "break"
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            yield *of(node), str(not node.value) if type(node.value) is bool else str(node.value + 1)
        elif isinstance(node, ast.AugAssign | ast.Raise) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ):
            yield *of(node), "pass"

    def walk(node: ast.AST, line: int, traced: bool) -> Iterator[Mutant]:
        if isinstance(node, ast.FunctionDef):
            if node.name in ("__repr__", "__str__"):
                return
            named = {getattr(mark, "id", "") for mark in node.decorator_list}
            traced, inside = not named & {"compiled", "inlined"}, node.body
        else:
            inside = [
                child
                for field, value in ast.iter_fields(node)
                if field not in ("annotation", "returns", "decorator_list", "type_params")
                for child in (value if isinstance(value, list) else [value])
                if isinstance(child, ast.AST)
            ]
        line = node.lineno if isinstance(node, ast.stmt) else line
        text = ast.unparse(node) if isinstance(node, ast.Expr) else ""
        if isinstance(node, ast.JoinedStr) or text.startswith(("log.", "compile_now(")):
            return  # texts, log lines
        for begin, end, new in changes(node):
            old, around = " ".join(source[begin:end].split()), source[:begin].rpartition("\n")[2].lstrip()[-30:]
            yield Mutant(path, line, begin, end, new, f"{around}[{old} -> {' '.join(new.split())}]", traced)
        if not isinstance(node, ast.Raise) and getattr(node, "arg", "") != "repr":  # nor what an error says
            for child in inside:
                yield from walk(child, line, traced)

    for statement in ast.parse(source).body:
        yield from walk(statement, statement.lineno, False)


@cache
def in_compiled_folder(path: str) -> bool:
    """Does any change to this file let numba compile something anew?"""
    return any("@compiled" in other.read_text() for other in (ROOT / path).parent.glob("*.py"))


class Tests:
    """Which tests run a line, and how long each takes."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self.seconds: dict[str, float] = defaultdict(float)
        bad = set()
        for line in (folder / "took.tsv").read_text().splitlines():
            name, outcome, seconds = line.split("\t")
            self.seconds[name] += float(seconds)
            bad |= {name} if outcome == "failed" else set()
        (folder / "usual.tsv").write_text("".join(f"{n}\t{s}\n" for n, s in self.seconds.items()))
        data = coverage.CoverageData(str(folder / "coverage.db"))
        data.read()
        self.by_line: dict[str, dict[int, set[str]]] = {}
        for path in data.measured_files():
            contexts = {n: {c.partition("|")[0] for c in cs if c} for n, cs in data.contexts_by_lineno(path).items()}
            self.by_line[path.split("/tree/")[-1]] = {n: some - bad for n, some in contexts.items()}

    def of(self, mutant: Mutant, tree: Path) -> list[list[str]]:
        """The tests to run, in order: quick ones of the files that name the module, the others, and those of the files
        that import it and are not known to run it: they start processes, or are new.
        """
        texts = {f"tests/{p.name}": p.read_text() for p in (tree / "tests").glob("test_*.py")}
        here = self.by_line.get(mutant.path, {})
        chosen = set(here.get(mutant.line, ())) if mutant.traced else set[str]()
        if not chosen:  # of the file, and if that is compiled code, of its folder; and who imports it
            home = Path(mutant.path).parent
            compiled = in_compiled_folder(mutant.path)
            files = [p for p in self.by_line if Path(p).parent == home] if compiled else [mutant.path]
            chosen = {test for path in files for tests in self.by_line.get(path, {}).values() for test in tests}
            word = ".".join((home if compiled else Path(mutant.path).with_suffix("")).parts)
            files = [name for name, text in texts.items() if word in text] + [ELSEWHERE.get(Path(mutant.path).name, "")]
            chosen |= {test for test in self.seconds if test.partition("::")[0] in files}
        stem = Path(mutant.path).stem
        first = {test for test in chosen if self.seconds[test] < 1 and stem in texts.get(test.partition("::")[0], "")}
        imports = re.compile(rf"^(from|import) nonosat.*\b{stem}\b", re.MULTILINE)
        others = sorted(name for name, text in texts.items() if imports.search(text))

        def key(test: str) -> tuple[int, str]:  # quick ones first, but those of a file together
            return sum(self.seconds[test] > s for s in (0.2, 1, 5, 20)), test

        parts = [sorted(part, key=key) for part in (first, chosen - first) if part]
        return parts + [others] * (0 < len(others) <= MOST_FILES)


def pytest(folder: Path, arguments: list[str], **environment: str) -> tuple[str, str]:
    """Run it on the copy: (how it ended, what killed the mutant)."""
    paths = os.pathsep.join((str(folder / "tree"), str(folder), os.environ.get("PYTHONPATH", ""))).rstrip(":")
    command = [sys.executable, "-m", "pytest", "-p", "plugin_of_mutants", "-p", "no:cacheprovider", "-q", *arguments]

    def alone() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30))  # a mutant may take all memory there is
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with subprocess.Popen(
        [*command, "-m", "not slow"],
        cwd=folder / "tree",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=alone,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", **environment},
    ) as process:
        said = process.communicate()[0]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    reason = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if "Timeout (" in said:
        return "killed", "a hang"
    if process.returncode == 0:
        return "survived", ""
    return "killed", reason[0][:150] if reason else f"exit code {process.returncode}: {said[-80:]!r}"


def copied(folder: Path) -> Path:
    """A fresh copy of the tree."""
    tree = folder / "tree"
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    (folder / "plugin_of_mutants.py").write_text(PLUGIN)
    return tree


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--map", nargs="*", default=None)
    chosen = parser.parse_args()
    folder = chosen.folder.resolve()
    tree, results = copied(folder), folder / "results.tsv"
    if chosen.map is not None or not (folder / "coverage.db").exists():
        learn = ["--cov=nonosat", "--cov-context=test", "--cov-append", "--cov-report=", *(chosen.map or [])]
        about = {"TOOK": str(folder / "took.tsv"), "COVERAGE_FILE": str(folder / "coverage.db")}
        print("the tests themselves:", *pytest(folder, learn, **about), flush=True)
    files = sorted(
        p for name in MUTATED for p in ([tree / name] if name.endswith(".py") else (tree / name).rglob("*.py"))
    )
    everything = [m for p in files for m in mutants(str(p.relative_to(tree)), p.read_text())]
    sample = random.Random(chosen.seed).sample(everything, min(chosen.number, len(everything)))
    print(f"{len(sample)} of {len(everything):,} mutants of {len(files)} files", flush=True)
    tests = Tests(folder)
    told = [line.split("\t") for line in results.read_text().splitlines()] if results.exists() else []
    state = {int(number): said for number, said, *_ in told}
    for number, mutant in sorted(
        enumerate(sample), key=lambda pair: in_compiled_folder(pair[1].path)
    ):  # they take long
        if number in state and not (chosen.again and state[number] == "survived"):
            continue
        path, begin = tree / mutant.path, time.monotonic()
        source, times = path.read_text(), (path.stat().st_atime, path.stat().st_mtime)
        path.write_text(source[: mutant.begin] + mutant.text + source[mutant.end :])
        run = tests.of(mutant, tree)
        said, by = "survived", "" if run else "no test runs it"
        for part in run:
            if said == "survived":
                (folder / "chosen.txt").write_text("\n".join(part))
                about = {"USUAL": str(folder / "usual.tsv")} | (
                    {"CHOSEN": str(folder / "chosen.txt")} if "::" in part[0] else {}
                )
                said, by = pytest(folder, ["-x", *sorted({test.partition("::")[0] for test in part})], **about)
        path.write_text(source)
        os.utime(path, times)
        state[number] = said
        where = f"{mutant.path}:{mutant.line}"
        line = [number, said, where, mutant.what, sum(map(len, run)), f"{time.monotonic() - begin:.0f} s", by]
        print(*line, sep="\t", flush=True)
        with results.open("a") as file:
            print(*line, sep="\t", file=file)
    alive = sum(said == "survived" for said in state.values())
    print(f"{len(state)} mutants, {len(state) - alive} killed, {alive} survived")
    return 0


if __name__ == "__main__":
    sys.exit(main())
