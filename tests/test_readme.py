"""The README's commands and its Python run as they stand, in a copy of the project."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    return [line for block in blocks("") for line in block.splitlines() if line.startswith("nonosat ")]


def test_the_readme_opens_with_the_two_commands() -> None:
    first, second = [line.split("#")[0].strip() for line in blocks("")[0].splitlines()]
    assert (first, second) == ("make demo", "make test")
    assert all(re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE) for target in ("demo", "test"))
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_what_is_said_of_make_test_is_what_it_runs() -> None:
    makefile, ci = ((ROOT / name).read_text() for name in ("Makefile", ".ci/run"))
    recipe = re.search(r"^test:.*\n\t(.*)", makefile, re.MULTILINE)
    slow = re.search(r"^test-slow:.*\n\t(.*)", makefile, re.MULTILINE)
    assert recipe is not None
    assert slow is not None
    assert (recipe[1], slow[1]) == ('$(PYTEST) -m "not slow"', "$(PYTEST) -m slow")
    assert all(
        re.search(r"pytest\b(?!.* -[mk] )", line) for line in re.findall(r"^PYTEST := (.*)", makefile, re.MULTILINE)
    )
    lines = ci.splitlines()
    assert lines.index("make demo") < lines.index("export TESTED=wheel") < lines.index("make test")
    assert "make test-slow" in lines
    for text in (README, (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        assert "all tests" not in text
        assert "`make test-slow`" in text
        assert "CI runs both" in text


def test_there_is_something_to_run() -> None:
    assert len(commands()) >= 8


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


@pytest.mark.parametrize("command", commands())
def test_commands(command: str, copy: Path) -> None:
    _, *arguments = shlex.split(command)
    done = subprocess.run([sys.executable, "-m", "nonosat", *arguments], cwd=copy, capture_output=True, check=False)
    assert done.returncode == (10 if arguments[0] == "solve" else 0), done.stderr.decode()


@pytest.mark.parametrize("code", blocks("python"))
def test_python(code: str) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("SAT ")
    assert len(code.strip().splitlines()) <= 7
