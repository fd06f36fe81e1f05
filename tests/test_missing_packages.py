"""Who has left a package out gets what can work without it, and one line that names it for what cannot."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pages import ROOT
from sampling import spread

from nonosat.errors import NEEDED

HIDE = """
import os
from importlib.machinery import PathFinder
hidden, found = os.environ["HIDDEN"].split(","), PathFinder.find_spec
PathFinder.find_spec = lambda name, *more: None if name.partition(".")[0] in hidden else found(name, *more)
"""
"""As Python's ``sitecustomize``, in every process: as if the packages were not there."""
HEART = str(ROOT / "examples/heart.mk")
RECORDS = str(ROOT / "results/encodings-small.parquet")
NUMBA = "numba,llvmlite"
WORKS = [
    (NUMBA, "solve", HEART, "--unique"),
    (NUMBA, "certify", HEART, "--solver", "glucose4", "-o", "proof"),
    ("ortools", "solve", HEART, "--time-limit", "60"),
    ("matplotlib", "solve", HEART, "--unique"),
    ("PIL", "draw", HEART, "heart.svg"),
]
SAYS = [
    (NUMBA, "numba", 2, "solve", HEART, "--solver", "propagation"),
    (NUMBA, "numba", 1, "solve", HEART, "--solver", "auto", "--time-limit", "60"),
    (NUMBA, "numba", 2, "count", HEART),
    ("ortools", "ortools", 1, "solve", HEART, "--solver", "cpsat"),
    ("matplotlib", "matplotlib", 2, "print", HEART, "-o", "book.pdf"),
    ("pandas", "pandas", 2, "study", "report", RECORDS, "-o", "report"),
    ("PIL", "pillow", 2, "draw", HEART, "heart.png"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    (folder / "hide").mkdir()
    (folder / "hide/sitecustomize.py").write_text(HIDE)
    return folder


def run(place: Path, hidden: str, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (str(place / "hide"), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "HIDDEN": hidden, "PYTHONPATH": path}
    command = [sys.executable, "-m", "nonosat", *words]
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("case", spread([(case,) for case in WORKS], 2), ids=str)
def test_what_can_work_works(place: Path, case: tuple[str, ...]) -> None:
    done = run(place, *case)
    assert done.returncode in (0, 10, 20), done.stderr


@pytest.mark.parametrize("case", spread([(case,) for case in SAYS], 3), ids=str)
def test_a_missing_package_is_named_in_one_line(place: Path, case: tuple[Any, ...]) -> None:
    hidden, package, code, *words = case
    done = run(place, hidden, *words)
    told = done.stderr.strip()
    assert done.returncode == code, told
    assert f"{package} is not installed" in told
    assert f"pip install {package}" in told
    assert "\n" not in told


def test_named_packages_are_the_dependencies() -> None:
    words = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    packages = {word.partition(">")[0] for word in words}
    assert {package for package, _ in NEEDED.values()} == packages - {"click", "numpy", "python-sat"}
