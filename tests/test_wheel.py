"""What is tested is what is meant: this checkout, or the wheel that `.ci/wheel` built into the folder NONOSAT_WHEEL."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import hostile
import pytest

import nonosat
from nonosat.runs.events import Finished
from nonosat.runs.isolation import isolated
from nonosat.runs.limits import Limits

ROOT = Path(__file__).parents[1]
WHEEL = os.environ.get("NONOSAT_WHEEL")
PACKAGE = (ROOT if WHEEL is None else Path(sysconfig.get_paths()["purelib"])) / "nonosat"
SAYS_WHERE = "import nonosat; print(nonosat.__file__)"

needs_wheel = pytest.mark.skipif(WHEEL is None, reason="`make test TESTED=wheel` (as CI does) builds the wheel")


def test_the_package_is_that_of_the_wheel() -> None:
    assert Path(nonosat.__file__).parent == PACKAGE
    stray = [
        name for name, module in sys.modules.items() if name.startswith("nonosat.") and not inside(module.__file__)
    ]
    assert stray == []


def inside(file: str | None) -> bool:
    return file is not None and Path(file).is_relative_to(PACKAGE)


@pytest.mark.parametrize("cwd", [None, ROOT, ROOT / "tests"], ids=["where pytest is", "root", "tests"])
def test_other_processes_have_it_too(cwd: Path | None) -> None:
    done = subprocess.run([sys.executable, "-c", SAYS_WHERE], cwd=cwd, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).parent == PACKAGE


@pytest.mark.skipif(sys.platform != "linux", reason="limits need Linux")
def test_a_solver_in_its_own_process_has_it_too() -> None:
    *_, last = isolated(hostile.tells_where, (), Limits(wall_s=60))
    assert isinstance(last, Finished)
    assert last.reason == str(PACKAGE)


@needs_wheel
def test_nothing_of_the_source_is_where_the_tests_run() -> None:
    assert not (ROOT / "nonosat").exists()
    assert not any(
        (Path(path or ".") / "nonosat" / "__init__.py").exists() for path in sys.path if Path(path) != PACKAGE.parent
    )


def contents(wheel: Path) -> dict[str, str]:
    """The files of a wheel with their hashes."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


@needs_wheel
def test_the_wheel_of_the_sdist_is_the_wheel_of_the_checkout() -> None:
    [tested], [direct] = ((Path(str(WHEEL)) / folder).glob("*.whl") for folder in ("dist", "direct"))
    assert contents(tested) == contents(direct)


@needs_wheel
def test_the_sdist_has_what_notebooks_and_the_paper_read() -> None:
    [sdist] = (Path(str(WHEEL)) / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    checkout = Path(str(WHEEL)).parent
    folders = ("results", "notebooks", "examples", "docs", "paper", "tests", "benchmarks")
    listed = subprocess.run(["git", "ls-files", *folders], cwd=checkout, capture_output=True, text=True, check=True)
    assert set(listed.stdout.splitlines()) <= names
    assert {"README.md", "CITATION.cff", "LICENSE", "Makefile"} <= names


@needs_wheel
def test_the_wheel_has_all_files_of_the_package_and_no_others() -> None:
    checkout = Path(str(WHEEL)).parent
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "nonosat"]
    listed = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True).stdout.splitlines()
    [tested] = (Path(str(WHEEL)) / "dist").glob("*.whl")
    names = {name for name in contents(tested) if ".dist-info/" not in name}
    manual = {name for name in names if name.endswith(".data/data/share/man/man1/nonosat.1")}
    assert len(manual) == 1
    assert names - manual == set(listed)
