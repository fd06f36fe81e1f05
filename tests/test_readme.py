"""The README's promises: two commands to begin with, a few lines of Python. That its blocks run: tests/test_docs.py."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pages import PAGES, ROOT, blocks


def test_the_readme_opens_with_the_two_commands() -> None:
    first, second = [line.split("#")[0].strip() for line in blocks("README.md")[0].code.splitlines()]
    assert (first, second) == ("make demo", "make test")
    assert all(re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE) for target in ("demo", "test"))
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_the_description_of_make_test_is_what_it_runs() -> None:
    makefile, ci = ((ROOT / name).read_text() for name in ("Makefile", ".ci/run"))
    recipe = re.search(r"^test:.*\n\t(.*)", makefile, re.MULTILINE)
    slow = re.search(r"^test-slow:.*\n\t(.*)", makefile, re.MULTILINE)
    assert recipe is not None
    assert slow is not None
    workers = "-n $(WORKERS) --dist loadfile --no-loadscope-reorder"
    assert (recipe[1], slow[1]) == (
        f'$(PYTEST) -m "not slow" {workers}',
        f'$(PYTEST) -m "slow and not nightly" {workers}',
    )
    assert all(
        re.search(r"pytest\b(?!.* -[mk] )", line) for line in re.findall(r"^PYTEST := (.*)", makefile, re.MULTILINE)
    )
    lines = ci.splitlines()
    assert lines.index("make demo") < lines.index("export TESTED=wheel") < lines.index("make test")
    assert "make test-slow" in lines
    for text in (PAGES["README.md"], PAGES["CONTRIBUTING.md"]):
        assert "all tests" not in text
        assert "`make test-slow`" in text
        assert "CI runs both" in text


def test_the_python_is_short_and_finds_a_picture() -> None:
    [block] = blocks("README.md", "python")
    done = subprocess.run([sys.executable, "-W", "error", "-c", block.code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("SAT ")
    assert len(block.code.strip().splitlines()) <= 7


@pytest.mark.slow
def test_the_proof_that_is_shown_is_the_one_that_is_made(tmp_path: Path) -> None:
    shown = re.findall(r"^    (rup .*)$", PAGES["README.md"], re.MULTILINE)
    assert len(shown) == 6
    command = [sys.executable, "-m", "nonosat", "certify", str(ROOT / "examples/gchq.json"), "-o", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 20, done.stderr
    assert [line for line in (tmp_path / "gchq.pbp").read_text().splitlines() if line.startswith("rup")][:6] == shown


def test_the_readme_is_short_and_has_pictures() -> None:
    assert len(PAGES["README.md"].split()) < 1000
    assert len(re.findall(r"^!\[", PAGES["README.md"], re.MULTILINE)) == 3
