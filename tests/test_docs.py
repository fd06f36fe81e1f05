"""Every block of code on the pages for people is run or read, and what they name is there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from commands import command
from matplotlib.figure import Figure
from pages import NOT_RUN, PAGES, ROOT, blocks, exit_code, saved
from sampling import spread

import nonosat
from nonosat.puzzles.formats import loads
from nonosat.studies.analysis import plots
from nonosat.studies.checking import check
from nonosat.studies.study import parse

PACKAGE = Path(nonosat.__file__).parent

RUN = {"sh", "python"}
READ = {
    "toml": "a study, which is checked; or of somebody's pyproject.toml",
    "sky": "a puzzle, which is solved",
    "pbm": "a picture, which is made a puzzle",
    "text": "an example of a format, which the comment above it names: tests/test_formats_page.py reads it",
    "opb": "a puzzle's statement: tests/test_statement.py compares it with what is written",
    "cnf": "a formula, which the page's commands read",
    "counts": "formulas: tests/test_counts.py and tests/test_skyscrapers_counts.py evaluate them",
}

STUDY = """
encodings = ["tight+r3", "2alt/3"]
solvers = ["minisat22"]

[[puzzles]]
generator = "density"
sizes = [6]
densities = [0.5]
count = 3
"""
SHARD = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "2"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """As a reader has it: folders of the checkout, a study of their own, and the command ``nonosat``."""
    for name in ("examples", "experiments", "results"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "my-study.toml").write_text(STUDY)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "nonosat").write_text(f'#!/bin/sh\nexec {sys.executable} -W error -m nonosat "$@"\n')
    (tmp_path / "bin" / "nonosat").chmod(0o755)
    return tmp_path


def of(languages: set[str]) -> list[str]:
    return [page for page in PAGES if any(block.language in languages and not block.reason for block in blocks(page))]


SLOW = {
    *(
        ("sh", f"docs/{name}.md")
        for name in ("tutorial/first-study", "tutorial/first-booklet", "how-to/encoding", "explain")
    ),
    *(("python", f"docs/{name}.md") for name in ("how-to/encoding", "extending")),
}
NEEDS = {"docs/how-to/sat-solver.md": "minisat"}
"""Programs that are no part of nonosat."""


def timed(language: str) -> list[Any]:
    return [pytest.param(page, marks=[pytest.mark.slow] * ((language, page) in SLOW)) for page in of({language})]


@pytest.mark.whole
@pytest.mark.parametrize("page", spread(timed("sh"), 2))
def test_commands_run(page: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line by line in one folder, with the files that the page has its reader write; a shell reads what is for one."""
    if page in NEEDS and shutil.which(NEEDS[page]) is None:
        pytest.skip(f"no {NEEDS[page]} here")
    for name, text in saved(page).items():
        (place / name).write_text(text)
    monkeypatch.setenv("PATH", f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}")
    for name, value in SHARD.items():
        monkeypatch.setenv(name, value)
    for block in blocks(page, "sh"):
        for line in [] if block.reason else block.code.splitlines():
            if line.startswith("nonosat ") and not re.search(r"[|<>&;$`*?~\\]", line.partition(" #")[0]):
                done = command(*shlex.split(line, comments=True)[1:], cwd=place)
            else:
                done = subprocess.run(["bash", "-c", line], cwd=place, capture_output=True, check=False)
            assert done.returncode == exit_code(line), f"{page}:{block.line}: {line}: {done.stderr.decode()}"


@pytest.mark.whole
@pytest.mark.parametrize("page", spread(timed("python"), 1))
def test_python_runs(page: str, place: Path) -> None:
    """All of a page in one namespace; a warning is an error. What is CPMpy's half of a page is left out without it."""
    without = () if find_spec("cpmpy") else ("cp.", "cpmpy")
    code = "\n".join(
        block.code
        for block in blocks(page, "python")
        if not block.reason and not any(name in block.code for name in without)
    )
    environment = {**os.environ, "MPLBACKEND": "agg"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", of({"toml"}))
def test_studies_are_in_order(page: str) -> None:
    for block in blocks(page, "toml"):
        if set(tomllib.loads(block.code)) == {"project"}:
            continue
        assert not check(parse(block.code, ROOT / "study.toml")).problems, f"{page}:{block.line}"


@pytest.mark.parametrize("page", of({"sky"}))
def test_puzzles_have_a_solution(page: str) -> None:
    for block in blocks(page, "sky"):
        assert nonosat.solve(*loads(block.code, "sky")).verdict == "SAT", f"{page}:{block.line}"


def test_no_block_is_passed_over() -> None:
    for page, text in PAGES.items():
        assert len(re.findall("^ *```", text, re.MULTILINE)) == 2 * len(blocks(page)), page
        for block in blocks(page):
            assert block.language in RUN | set(READ), f"{page}:{block.line}: a block of {block.language or 'what?'}"


def test_few_blocks_are_not_run_and_each_has_a_reason() -> None:
    reasons = [block.reason for page in PAGES for block in blocks(page) if block.reason is not None]
    assert len(reasons) == sum(text.count(f"<!-- {NOT_RUN}") for text in PAGES.values())  # each stands above a block
    assert len(reasons) <= 8
    assert all(len(reason.split()) >= 3 for reason in reasons)


@pytest.mark.slow
def test_the_scatter_of_the_docs_has_points(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Figure] = []
    scatter = plots.scatter
    monkeypatch.setattr(plots, "scatter", lambda *words: made.append(scatter(*words)))
    monkeypatch.chdir(ROOT)
    block, *_ = blocks("docs/analysis.md", "python")
    exec(block.code, {})
    [axes] = made[0].axes
    assert sum(len(line.get_xdata()) for line in axes.lines if line.get_linestyle() == "None") > 50


def heading_anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


MEASURED = [path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("results/*.md"), *ROOT.glob("*/*/README.md"))]
"""Pages of measurements, and of the folders of examples."""


@pytest.mark.parametrize("page", [*PAGES, *sorted(MEASURED)])
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", (ROOT / page).read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), target
        if anchor:
            assert anchor in heading_anchors(file), target


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page: str) -> None:
    """Paths in backticks, and whatever ends in .py: from the root, or from some folder of package or tests."""
    text = re.sub(r"```.*?```", "", PAGES[page], flags=re.DOTALL)
    paths = re.findall(r"`((?:[\w.-]+/)+(?:[\w.-]+\.(?:md|toml|parquet|json|ipynb))?)`", text)
    for path in paths + re.findall(r"(?<![\w/*.-])((?:[\w.-]+/)*(?!my_)\w+\.py)\b", text):
        inside = path.removeprefix("nonosat/").rstrip("/")
        assert (ROOT / inside).exists() or any(any(top.rglob(inside)) for top in (PACKAGE, ROOT / "tests")), path


@pytest.mark.parametrize("page", PAGES)
def test_quoted_files_have_the_quoted_text(page: str) -> None:
    """`TABLE` of `nonosat/file.py`."""
    for name, path in re.findall(r"`(\w+)`\s+(?:of|in)\s+`nonosat/([\w/]+\.py)`", PAGES[page]):
        assert re.search(rf"\b{name}\b", (PACKAGE / path).read_text(encoding="utf-8")), f"{name} of {path}"


def test_the_docs_can_be_read_in_an_afternoon() -> None:
    """What is made of the program counts no word."""
    made = {"reference", "_made"}
    pages = [path for path in (ROOT / "docs").rglob("*.md") if not made & set(path.parts)]
    assert sum(len(path.read_text(encoding="utf-8").split()) for path in pages) <= 30_000
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120
