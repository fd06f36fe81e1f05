"""What the tree promises: imports run one way, and heavy things are imported when they are used.

Every module of the package is held to it. Exceptions are data, each with its reason; one that is not needed fails.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import nonosat

PACKAGE = Path(nonosat.__file__).parent
LAYERS = [
    *(
        "errors",
        "packages",
        "chance",
        "interrupts",
        "waiting",
        "files",
        "references",
        "plugin_modules",
        "plugins",
        "tables",
        "puzzles",
        "printing",
        "csp",
        "encodings",
        "solvers",
        "counting",
        "generators",
        "certificates",
    ),
    *("experiments", "testing", "progress", "app", "cli", "start", "__main__"),
]
HEAVY = ("ortools", "pandas", "matplotlib", "numba", "llvmlite", "dask", "distributed", "pyarrow", "rich", "PIL")
COMPILED = "compiled code, which is imported when its solver or judge is asked for, by name"
MAY_BE_HEAVY = {
    "solvers/cp/": ("ortools", "imported when CP-SAT is asked for, by name"),
    "encodings/cpsat.py": ("ortools", "imported by the solver of that name"),
    "experiments/analysis/": (
        "pandas matplotlib",
        "the analysis of records is made of them, and imported when asked for",
    ),
    "solvers/placements/": ("llvmlite", COMPILED),
    "solvers/phases/": ("llvmlite", COMPILED),
    "solvers/propagation/": ("llvmlite", COMPILED),
    "solvers/auto/beginning.py": ("llvmlite", COMPILED),
    "certificates/checker/": ("numba llvmlite", "compiles itself, and shares nothing with who writes proofs"),
    **dict.fromkeys(
        (f"solvers/compiled/{name}.py" for name in ("translate", "native_types", "worker")),
        ("numba llvmlite", "the compiler, which processes of its own import"),
    ),
    "certificates/equivalence/": ("numba llvmlite", "searches with what the checker propagates by"),
    "solvers/explain/nonogram/refutations.py": ("llvmlite", COMPILED),
    "solvers/explain/nonogram/searched.py": ("ortools", "imported where a step takes long to check"),
    "solvers/explain/constraints/check.py": ("ortools", "imported when a step is checked"),
    "solvers/explain/skyscrapers/trials.py": ("llvmlite", COMPILED),
    "generators/wishes.py": ("llvmlite", COMPILED),
    "generators/editing.py": ("llvmlite", COMPILED),
    "generators/unique_changes.py": ("llvmlite", COMPILED),
    "generators/counts.py": ("llvmlite", COMPILED),
    "generators/giving.py": ("llvmlite", COMPILED),
    "experiments/counters/searches.py": ("llvmlite", COMPILED),
    "counting/course.py": ("llvmlite", COMPILED),
    "counting/native.py": ("llvmlite", COMPILED),
}
"""A module or folder, what importing it may import, and why."""

KINDS = ("nonogram", "skyscrapers", "picture", "heights", "palette")
MAY_KNOW_KINDS = {
    "__init__.py": "the front door names what users ask for",
    "puzzles/": "what the kinds are, and what is dispatched on them: checks, formats, drawings",
    "generators/": "a generator makes puzzles of a kind",
    "encodings/nonogram/": "its rules",
    "encodings/skyscrapers/": "its rules",
    "certificates/statement/": "what each kind means",
    "certificates/deduction/": "for nonograms: what lines conclude",
    "solvers/placements/": "native solvers are for a kind, and refuse the others by name",
    "solvers/phases/": "native solvers are for a kind, and refuse the others by name",
    "counting/bethe.py": "for nonograms: a line at a time",
    "counting/course.py": "for nonograms: compiled code",
    "counting/native.py": "for nonograms: compiled code",
    "counting/turns.py": "for nonograms: compiled code",
    "counting/sweep/": "for nonograms: compiled code",
    "solvers/propagation/": "native solvers are for a kind, and refuse the others by name",
    "testing/samples.py": "small puzzles of our own kinds",
    "solvers/explain/nonogram/": "what is told of nonograms, and checked",
    "solvers/explain/skyscrapers/": "what is told of skyscrapers, and checked",
    "solvers/cp/automaton.py": "for nonograms: an automaton a line",
    "solvers/auto/": "a strategy a kind",
    "experiments/analysis/style.py": "takes a shade of a colour",
    "app/making.py": "what is drawn is a nonogram, and what is judged while it is drawn",
    "app/wire.py": "what the page is told of nonograms and Skyscrapers, which have boards of their own there",
    "cli/difficulty.py": "for nonograms",
    "cli/encode.py": "Sugar's text is that of nonograms",
    "cli/picture.py": "makes a nonogram of an image",
    "cli/repair.py": "for nonograms",
}
"""A module or folder that imports something of one kind of puzzle, and why."""


def modules() -> list[str]:
    return sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py"))


def excepted(path: str, exceptions: dict[str, str] | dict[str, tuple[str, str]]) -> str | None:
    """The exception that ``path`` falls under."""
    return next((place for place in exceptions if path == place or (place[-1] == "/" and path.startswith(place))), None)


def imported(path: str, everywhere: bool = True) -> set[str]:
    """The modules (and the names from them) that ``path`` imports: anywhere, or only when it is imported itself."""
    todo: list[ast.AST] = [ast.parse((PACKAGE / path).read_text(encoding="utf-8"))]
    found: set[str] = set()
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide which way they run"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if everywhere or not (for_types or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)):
            todo += ast.iter_child_nodes(node)
    return found


@pytest.mark.parametrize("path", modules())
def test_imports_run_one_way(path: str) -> None:
    here = path.partition("/")[0].removesuffix(".py")
    if here == "__init__":
        return  # the package's front door names things of every layer, and imports them when they are asked for
    for name in imported(path):
        there = name.split(".")[1] if name.startswith("nonosat.") else here
        if there in (here, "__version__"):
            continue
        assert LAYERS.index(there) < LAYERS.index(here), f"{path} imports {name}"


@pytest.mark.parametrize("path", modules())
def test_heavy_things_are_imported_when_used(path: str) -> None:
    allowed = MAY_BE_HEAVY[place][0].split() if (place := excepted(path, MAY_BE_HEAVY)) else []
    heavy = {name.split(".")[0] for name in imported(path, everywhere=False)}.intersection(HEAVY)
    assert heavy <= set(allowed)


PROBE = """
import importlib, json, sys
names, heavy = json.loads(sys.argv[1])
for name in names:
    importlib.import_module(name)
print(json.dumps([name for name in heavy if name in sys.modules]))
"""


def loaded(paths: list[str]) -> set[str]:
    """What of the heavy things is there after all of these modules were imported."""
    names = [f"nonosat/{path}".removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in paths]
    command = [sys.executable, "-c", PROBE, json.dumps([names, HEAVY])]
    return set(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def test_importing_everything_that_is_not_excepted_imports_nothing_heavy() -> None:
    paths = [path for path in modules() if excepted(path, MAY_BE_HEAVY) is None and path != "__main__.py"]
    assert len(paths) > 90
    assert loaded(paths) == set()


@pytest.mark.parametrize("place", MAY_BE_HEAVY)
def test_every_exception_for_heavy_things_is_needed(place: str) -> None:
    found = loaded([path for path in modules() if excepted(path, {place: ""})])
    assert set(MAY_BE_HEAVY[place][0].split()) <= found  # and what these bring along


def test_importing_the_package_imports_next_to_nothing() -> None:
    probe = "import sys; before = set(sys.modules); import nonosat; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert "numpy" not in done.stdout
    assert "click" not in done.stdout


def test_the_statement_and_the_checker_share_nothing_with_who_writes_proofs() -> None:
    for path in modules():
        known = {name.split(".")[1] for name in imported(path) if name.startswith("nonosat.")}
        if path.startswith("certificates/checker/"):
            assert known <= {"errors", "certificates"}, path
            assert all(name.startswith("nonosat.certificates.checker") for name in imported(path) if "certif" in name)
        if path.startswith("certificates/statement/"):
            assert known <= {"errors", "puzzles", "certificates"}, path
            assert all(name.startswith("nonosat.certificates.statement") for name in imported(path) if "certif" in name)


SHARED = (
    *("puzzles.", "csp.", "solvers.explain.steps."),
    *("solvers.explain.nonogram.searched.", "solvers.cp.automaton.", "encodings.cpsat."),
)
"""What checkers of explanations use: puzzles and steps as data, and OR-Tools, which no technique asks."""


def test_the_checker_of_explanations_shares_nothing_with_techniques() -> None:
    for path in modules():
        if path.startswith("solvers/explain/") and path.endswith(("check.py", "searched.py")):
            known = {name.removeprefix("nonosat.") for name in imported(path) if name.startswith("nonosat.")}
            assert all(name.startswith(SHARED) for name in known), (path, known)


def test_the_csp_layer_and_the_compilers_know_nothing_of_puzzles() -> None:
    for path in modules():
        compiles = path.startswith("encodings/") and excepted(path, MAY_KNOW_KINDS) is None
        if path.startswith("csp/") or (compiles and path != "encodings/registry.py"):  # that follows the table of kinds
            assert not any(name.startswith("nonosat.puzzles.") for name in imported(path)), path


def knows_kinds(path: str) -> bool:
    return any(word in KINDS for name in imported(path) if "nonosat." in name for word in name.split(".")[1:])


def test_what_serves_every_kind_of_puzzle_knows_none() -> None:
    """No class of a kind of puzzle, its boards or its rules, unless there is a reason."""
    assert [path for path in modules() if knows_kinds(path) and excepted(path, MAY_KNOW_KINDS) is None] == []


@pytest.mark.parametrize("place", MAY_KNOW_KINDS)
def test_every_exception_for_kinds_is_needed(place: str) -> None:
    assert any(knows_kinds(path) for path in modules() if excepted(path, {place: ""}))
