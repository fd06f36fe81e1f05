"""What the tree promises: imports run one way, and heavy things are imported when they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "nonosat"
LAYERS = [
    *("errors", "chance", "interrupts", "files", "puzzles", "csp", "encodings", "solvers", "experiments", "progress"),
    *("cli", "start", "__main__"),
]
BESIDE = {"generators": "puzzles"}  # generators stand beside encodings, on puzzles
HEAVY = ("ortools", "pandas", "matplotlib", "numba", "dask", "distributed", "pyarrow", "rich", "PIL")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imported(path: Path, everywhere: bool) -> set[str]:
    """The modules that ``path`` imports: anywhere, or only at its top level."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def layer(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def home(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    here = home(path)
    if here == "__init__":
        return  # the package's front door names things of every layer, and imports them when they are asked for
    for name in imported(path, everywhere=True):
        there = layer(name) if name.startswith("nonosat") else ""
        if not there or there == here:
            continue
        if here in BESIDE:
            assert LAYERS.index(there) <= LAYERS.index(BESIDE[here]), f"{path} imports {name}"
        elif there in BESIDE:
            assert LAYERS.index(here) > LAYERS.index("encodings"), f"{path} imports {name}"
        else:
            assert LAYERS.index(there) < LAYERS.index(here), f"{path} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_heavy_things_are_imported_when_used(path: Path) -> None:
    heavy = {name for name in imported(path, everywhere=False) if name.split(".")[0] in HEAVY}
    if path.name in ("cpsat.py", "cpsat_automaton.py"):  # these are imported when CP-SAT is asked for, by name
        heavy = {name for name in heavy if not name.startswith("ortools")}
    if path.parent.name == "analysis":  # so is the analysis of records, which is all pandas and matplotlib
        heavy = {name for name in heavy if name.split(".")[0] not in ("pandas", "matplotlib")}
    if path.name == "bits.py":  # imported by compiled code, which is imported when its solver is asked for, by name
        heavy = set()
    assert not heavy


def test_importing_the_package_imports_next_to_nothing() -> None:
    probe = "import sys; before = set(sys.modules); import nonosat; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert "numpy" not in done.stdout
    assert "click" not in done.stdout


def test_the_layers_know_nothing_of_nonograms_below_their_rules() -> None:
    """What a second puzzle will use as it is: the CSP layer, the compilers and the formulas."""
    shared = [*(PACKAGE / "csp").glob("*.py"), *(PACKAGE / "encodings" / f for f in ("cnf.py", "order.py", "cpsat.py"))]
    shared += [PACKAGE / "encodings" / f for f in ("formula.py", "dimacs.py", "direct.py", "log.py", "coupled.py")]
    for path in shared:
        assert "nonosat.puzzles" not in " ".join(imported(path, everywhere=True)), path


def test_what_serves_every_kind_of_puzzle_knows_none() -> None:
    """Solvers, limits and the runner: no class of a kind of puzzle, its boards or its rules."""
    solvers = ["solve", "sat", "external", "formulas", "cpsat", "answer", "decode", "proof", "registry", "csp_solve"]
    solvers += ["isolation", "zygote", "child", "wire"]
    runner = ["run", "measure", "store", "conduct", "cluster", "batch"]
    paths = [PACKAGE / "encodings" / "parts.py", PACKAGE / "csp" / "model.py"]
    paths += [PACKAGE / "solvers" / f"{name}.py" for name in solvers]
    paths += [PACKAGE / "experiments" / f"{name}.py" for name in runner]
    kinds = ("nonogram", "skyscrapers", "picture", "heights")
    for path in paths:
        for name in imported(path, everywhere=True):
            assert not any(f".{kind}" in name for kind in kinds), f"{path} imports {name}"
