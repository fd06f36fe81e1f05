"""What the tree promises: imports run one way, and heavy things are imported when they are used.

Every module of the package is held to it. Exceptions are data, each with its reason; one that is not needed fails.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from sampling import sampled

import nonosat
import nonosat.references
from nonosat.plugins import resolved

PACKAGE = Path(nonosat.__file__).parent
LAYERS = (
    *("version", "errors", "interrupts", "rng", "files", "plugins", "progress", "references", "compiled", "puzzles"),
    *("printing", "csp", "encodings", "runs", "solvers", "explanations", "counting", "generators", "making"),
    *("certificates", "modelling", "cpmpy", "studies", "testing", "app", "__init__", "cli", "start", "__main__"),
)
"""The rooms, from the ground up: each imports only from those before it. ``__init__`` is the package's front door."""

HEAVY = ("ortools", "pandas", "matplotlib", "numba", "llvmlite", "dask", "distributed", "pyarrow", "rich", "PIL")
COMPILED = "compiled code, which is imported when its solver or judge is asked for, by name"
MAY_BE_HEAVY = {
    "compiled/compiler.py": ("numba llvmlite", "the compiler, which processes of its own import"),
    "compiled/fallback.py": ("numba llvmlite", "imported where numba is not the version that was tested"),
    "encodings/cpsat.py": ("ortools", "imported by the solver of that name"),
    "solvers/cp.py": ("ortools", "imported when CP-SAT is asked for, by name"),
    "solvers/published/": ("llvmlite", COMPILED),
    "solvers/propagation/": ("llvmlite", COMPILED),
    "solvers/auto/presolve.py": ("llvmlite", COMPILED),
    "solvers/auto/nonogram.py": ("llvmlite", COMPILED),
    "explanations/by_cpsat.py": ("ortools", "imported when a step is checked"),
    "explanations/nonogram/refutations.py": ("llvmlite", COMPILED),
    "explanations/skyscrapers/trials.py": ("llvmlite", COMPILED),
    "counting/native.py": ("llvmlite", COMPILED),
    "making/": ("llvmlite", COMPILED),
    "certificates/checker/": ("numba llvmlite", "compiles itself, and shares nothing with who writes proofs"),
    "certificates/equivalence/": ("numba llvmlite", "searches with what the checker propagates by"),
    "cpmpy.py": ("ortools pandas pyarrow", "CPMpy imports them, on whose interface it stands; imported by its users"),
    "studies/counter_searches.py": ("llvmlite", COMPILED),
    "studies/analysis/": (
        "pandas matplotlib",
        "the analysis of records is made of them, and imported when asked for",
    ),
}
"""A module or folder, what importing it may import, and why."""

KINDS = ("nonogram", "skyscrapers")
MAY_KNOW_KINDS = {
    "__init__.py": "the front door names what users ask for",
    "puzzles/": "what the kinds are, and what is dispatched on them: checks, formats, drawings",
    "encodings/nonogram.py": "its rules",
    "encodings/nonogram_sugar.py": "its rules as text",
    "encodings/skyscrapers.py": "its rules",
    "solvers/published/": "native solvers are for a kind, and refuse the others by name",
    "solvers/propagation/": "native solvers are for a kind, and refuse the others by name",
    "solvers/auto/": "a strategy a kind",
    "solvers/cp.py": "for nonograms: an automaton a line",
    "explanations/by_cpsat.py": "for nonograms: an automaton a line",
    "explanations/nonogram/": "what is explained of nonograms, and checked",
    "explanations/skyscrapers/": "what is explained of skyscrapers, and checked",
    "counting/native.py": "for nonograms: compiled code",
    "counting/bethe.py": "for nonograms: a line at a time",
    "counting/sweep/": "for nonograms: compiled code",
    "generators/": "a generator makes puzzles of a kind",
    "making/": "pictures, repaired and edited, are nonograms",
    "certificates/statement/": "what each kind means",
    "certificates/deduction/": "for nonograms: what lines conclude",
    "testing/brute.py": "small puzzles of our own kinds",
    "studies/analysis/style.py": "takes a shade of a colour",
    "app/making.py": "what is drawn is a nonogram, and what is judged while it is drawn",
    "app/wire.py": "what the page is told of nonograms and Skyscrapers, which have boards of their own there",
    "cli/difficulty.py": "for nonograms",
    "cli/encode.py": "Sugar's text is that of nonograms",
    "cli/picture.py": "makes a nonogram of an image",
    "cli/repair.py": "for nonograms",
}
"""A module or folder that imports something of one kind of puzzle, and why."""


@cache
def modules() -> list[str]:
    return sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py"))


def excepted(path: str, exceptions: dict[str, str] | dict[str, tuple[str, str]]) -> str | None:
    """The exception that ``path`` falls under."""
    return next((place for place in exceptions if path == place or (place[-1] == "/" and path.startswith(place))), None)


@cache
def imported(path: str, everywhere: bool = True) -> set[str]:
    """The modules (and the names from them) that ``path`` imports: anywhere, or only when it is imported itself."""
    todo: list[ast.AST] = [parsed(path)]
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


def room(name: str) -> str:
    """The room that a file's path or a module's name is in; ``nonosat`` itself is the front door."""
    return re.split(r"[./:]", name.removeprefix("nonosat").removeprefix("."))[0] or "__init__"


def test_imports_run_one_way() -> None:
    for path, name in [(module, name) for module in modules() for name in imported(module)]:
        if name.split(".")[0] == "nonosat" and room(name) != room(path):
            assert LAYERS.index(room(name)) < LAYERS.index(room(path)), f"{path} imports {name}"


def test_no_modules_import_each_other() -> None:
    """Nor by way of others; imports for types alone, and those in functions, count too."""
    there = {f"nonosat.{path[:-3].replace('/', '.')}".removesuffix(".__init__"): path for path in modules()}

    def module(name: str) -> str | None:
        return there.get(name) or there.get(name.rpartition(".")[0])

    above = {path: {module(name) for name in imported(path)} - {None, path, "__init__.py"} for path in modules()}
    while free := [path for path, below in above.items() if not below]:
        for path in free:
            del above[path]
        for below in above.values():
            below.difference_update(free)
    assert above == {}


_REFERENCE = re.compile(r"nonosat\.([a-z_]\w*)(?:[.:][\w.:]*)?")


def references(tree: ast.AST) -> set[str]:
    """The texts of ``tree`` that name a module or what is in it, whole or their beginning; docstrings have blanks."""
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return {text for text in texts if (match := _REFERENCE.fullmatch(text)) and match[1] in LAYERS}


def upward(path: str, tree: ast.AST) -> set[str]:
    """Those that name a room above that of the file ``path``."""
    here = LAYERS.index(room(path))
    return {name for name in references(tree) if room(name) != room(path) and LAYERS.index(room(name)) > here}


@cache
def parsed(path: str) -> ast.Module:
    return ast.parse((PACKAGE / path).read_text(encoding="utf-8"))


def test_names_of_code_run_one_way_too() -> None:
    """Code that is imported by name, such as a solver's search. What must run up stands in one file."""
    for path in modules():
        if path != "references.py":
            assert upward(path, parsed(path)) == set(), f"{path}: such a name belongs into nonosat/references.py"


def test_a_name_that_runs_up_is_seen() -> None:
    """Written out, as an f-string's beginning, or as a prefix to which the rest is added."""
    for text in (
        "'nonosat.cli.main:run'",
        "f'nonosat.solvers.{name}'",
        "'nonosat.solvers.' + name",
        "'nonosat.explanations'",
    ):
        assert upward("puzzles/puzzle.py", ast.parse(text)), text
    for text in ("'nonosat.toml'", "'nonosat.files:read'", "'nonosat.puzzles.plain:'", "'see nonosat.cli for more'"):
        assert not upward("puzzles/puzzle.py", ast.parse(text)), text


UP = {name: value for name, value in vars(nonosat.references).items() if name.isupper()}


@cache
def users_of_references() -> dict[str, list[str]]:
    """Each name of nonosat/references.py: the modules that use it, once for each use."""
    users: dict[str, list[str]] = {name: [] for name in UP}
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "references" and node.attr in users:
                users[node.attr].append(path)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name in users:
                        users[alias.name].append(path)
    return users


@pytest.mark.parametrize("name", UP)
def test_every_reference_that_runs_up_leads_somewhere_and_is_needed(name: str) -> None:
    resolved(UP[name])
    users = users_of_references()[name]
    assert users
    assert all(LAYERS.index(room(path)) < LAYERS.index(room(UP[name])) for path in users), users


def test_one_module_decides_whether_a_search_is_isolated() -> None:
    names = {"nonosat.runs.isolation.isolated", "nonosat.runs.run.in_process"}
    assert [path for path in modules() if names & imported(path) and path != "runs/run.py"] == []


def test_heavy_things_are_imported_when_used() -> None:
    for path in modules():
        allowed = MAY_BE_HEAVY[place][0].split() if (place := excepted(path, MAY_BE_HEAVY)) else []
        heavy = {name.split(".")[0] for name in imported(path, everywhere=False)}.intersection(HEAVY)
        assert heavy <= set(allowed), path


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


@pytest.mark.whole
@pytest.mark.parametrize("place", sampled(MAY_BE_HEAVY, 2))
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


SHARED = ("puzzles.", "csp.", "explanations.steps.", "explanations.by_cpsat.", "encodings.cpsat.")
"""What checkers of explanations use: puzzles and steps as data, and OR-Tools, which no technique asks."""


def test_the_checker_of_explanations_shares_nothing_with_techniques() -> None:
    for path in modules():
        if path.startswith("explanations/") and path.endswith(("check.py", "by_cpsat.py")):
            known = {name.removeprefix("nonosat.") for name in imported(path) if name.startswith("nonosat.")}
            assert all(name.startswith(SHARED) for name in known), (path, known)
            assert not any("nonogram.placements" in name for name in known), path  # the techniques' line solver


def test_the_csp_layer_and_the_compilers_know_nothing_of_puzzles() -> None:
    for path in modules():
        compiles = path.startswith("encodings/") and excepted(path, MAY_KNOW_KINDS) is None
        if path.startswith("csp/") or (compiles and path != "encodings/registry.py"):  # that follows the table of kinds
            assert not any(name.startswith("nonosat.puzzles.") for name in imported(path)), path


def test_the_name_of_a_class_is_unique_in_the_package() -> None:
    defined: dict[str, list[str]] = {}
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                defined.setdefault(node.name, []).append(path)
    assert {name: paths for name, paths in defined.items() if len(paths) > 1} == {}


def test_files_that_the_package_names_are_there() -> None:
    """In docstrings and comments, by their last words: ``zygote.py``, ``puzzles/puzzle.py``, ``tests/test_rng.py``."""
    root = Path(__file__).parents[1]
    there = [f"/nonosat/{path}" for path in modules()]
    there += [f"/{path.relative_to(root)}" for room in ("tests", "benchmarks") for path in (root / room).rglob("*.py")]
    for path in modules():
        named = re.findall(r"(?<![\w.])[a-z][\w/]*\.py\b", (PACKAGE / path).read_text(encoding="utf-8"))
        missing = {name for name in named if not any(file.endswith(f"/{name}") for file in there)}
        assert missing <= {"my_parts.py"}, path


def knows_kinds(path: str) -> bool:
    return any(word in KINDS for name in imported(path) if "nonosat." in name for word in name.split(".")[1:])


def test_what_serves_every_kind_of_puzzle_knows_none() -> None:
    """No class of a kind of puzzle, its boards or its rules, unless there is a reason."""
    assert [path for path in modules() if knows_kinds(path) and excepted(path, MAY_KNOW_KINDS) is None] == []


@pytest.mark.parametrize("place", MAY_KNOW_KINDS)
def test_every_exception_for_kinds_is_needed(place: str) -> None:
    assert any(knows_kinds(path) for path in modules() if excepted(path, {place: ""}))
