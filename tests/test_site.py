"""The site: what its pages have of the program; every page has a place. `make docs` builds it and checks links."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from pages import PAGES, ROOT, blocks

import nonosat
from nonosat.cli import COMMANDS
from nonosat.encodings.registry import KINDS
from nonosat.studies.records import FIELDS

sys.path.insert(0, str(ROOT / "docs" / "_site"))

import links
import made
import reference
import tree
from reference import roff


def test_every_page_has_one_place() -> None:
    listed = [page for pages in tree.PAGES.values() for page in pages]
    assert len(listed) == len(set(listed))
    shown = re.findall(r"^/(\S+)$", "\n".join(tree.pages(kind) for kind in tree.PAGES), re.MULTILINE)
    there = {page.removeprefix("docs/").removesuffix(".md") for page in PAGES if page.startswith("docs/")}
    assert sorted(shown) == sorted(there - {"index"})


def test_the_four_kinds_of_page_are_apart() -> None:
    captions = re.findall(r"<!-- made: tree ([\w-]+) -->", PAGES["docs/index.md"])
    assert captions == ["tutorial", "how-to", "reference", "explanation", "project"] == list(tree.PAGES)
    for kind in ("tutorial", "how-to", "reference"):
        folder = {page for page in PAGES if page.startswith(f"docs/{kind}/")}
        assert folder <= {f"docs/{page}.md" for page in tree.PAGES[kind]}


def test_the_reference_has_every_command_s_help() -> None:
    text = made.filled(PAGES["docs/reference/commands.md"])
    for name in COMMANDS:
        assert f"## `nonosat {name}`\n" in text
    assert "### `nonosat study run`" in text
    assert "--time-limit S" in text


def test_encodings_and_fields_are_all_documented() -> None:
    text = made.filled(PAGES["docs/reference/encodings.md"])
    for kind in KINDS.values():
        assert all(f"`{name}`" in text for name in kind.tested)
    for field in FIELDS:
        row = f"| `{field.name}` | {field.type} | {field.unit} | {field.meaning} | {field.absent or 'never'} |\n"
        assert row in PAGES["docs/reference/fields.md"]


@pytest.mark.parametrize("page", made.REFERENCE, ids=lambda page: page.name)
def test_the_reference_is_current(page: Path) -> None:
    """Else: `make reference`."""
    text = page.read_text(encoding="utf-8")
    assert text.count("<!-- made: ") == 2 * text.count("<!-- made: end -->") > 0
    assert made.filled(text) == text


def test_the_manual_page_is_current() -> None:
    """Else: `make reference`."""
    text = made.MANUAL.read_text(encoding="utf-8")
    assert text == made.reference.manual()
    assert all(f".SS nonosat {roff(name)}" in text for name in COMMANDS if name != "study")
    if program := shutil.which("man"):
        done = subprocess.run(
            [program, "-l", "--warnings", str(made.MANUAL)], capture_output=True, text=True, check=True
        )
        assert "NONOSAT(1)" in done.stdout
        assert done.stderr == ""


def test_a_reference_that_is_out_of_date_is_made_again() -> None:
    wanted = made.filled("<!-- made: formats -->\n<!-- made: end -->\n")
    assert "| `mk` |" in wanted
    assert made.filled(wanted.replace("| `mk` |", "| `old` |")) == wanted
    assert "<!--" not in made.filled("<!-- made: formats -->\n")  # on the site alone: nothing stays of the line


def test_names_that_pages_import_are_in_the_reference() -> None:
    """All that `import nonosat` offers, and every module that a page's Python imports from."""
    told = made.filled(PAGES["docs/reference/python.md"])
    assert all(f"## `{name}`\n" in told for name in nonosat.__all__)
    listed = re.findall(r"[\w.]+", re.search(r"<!-- made: module (.*) -->", PAGES["docs/reference/modules.md"])[1])  # type: ignore[index]
    for page in PAGES:
        for block in blocks(page, "python"):
            for module, names in re.findall(r"^from (nonosat[\w.]*) import (.*)", block.code, re.MULTILINE):
                wanted = {f"{module}.{name}" for name in names.split(", ")} | {module}
                assert module == "nonosat.studies.analysis" or wanted & set(listed) or module == "nonosat", page
                if module == "nonosat.studies.analysis":
                    assert wanted - {module} <= set(listed), page


@pytest.mark.slow
def test_a_figure_has_a_twin_for_dark_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import figures

    monkeypatch.setattr(figures, "MADE", tmp_path)
    monkeypatch.setattr(figures, "PLOTS", {"within-time": figures.within_time})
    text = figures.shown("within-time", "some", "words")
    assert "within-time-light.svg){.only-light}" in text
    light, dark = ((tmp_path / f"within-time-{mode}.svg").read_text() for mode in ("light", "dark"))
    assert figures.DARK in dark
    assert figures.DARK not in light
    assert "#000000" not in dark


def test_glossary_entries_are_sorted_and_complete() -> None:
    words = re.findall(r"^(\w[^\n]*)\n  \S", PAGES["docs/glossary.md"], re.MULTILINE)
    assert words == sorted(words, key=str.lower)
    assert {"PAR2", "decision", "channel", "encoding"} <= set(words)
    assert "tight+r3+order" in PAGES["docs/glossary.md"]


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a id="x" href="b.html#y"></a><a href="#x"></a><a href="https://no.example"></a>')
    (tmp_path / "b.html").write_text('<a id="y" href="c.html"></a><a href="a.html#z"></a>')
    (tmp_path / "searchindex.js").write_text('Search.setIndex({"docnames": ["a"]})')
    assert sorted(links.faults(tmp_path)) == ["b.html: a.html#z", "b.html: c.html", "b: the search does not know it"]


def test_links_that_leave_the_docs_lead_to_the_repository() -> None:
    pytest.importorskip("pygments")
    import leaving

    docs = ROOT / "docs"
    url = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"]
    assert leaving.rewritten("[a](../examples/sudoku)", docs) == f"[a]({url}/tree/main/examples/sudoku)"
    assert leaving.rewritten("[a](../notebooks/04-the-transition.ipynb)", docs).startswith(f"[a]({url}/blob/main/")
    assert leaving.rewritten("[a](design.md#formats)", docs) == "[a](design.md#formats)"
    twins = leaving.rewritten("![a](images/play-dark.png)", docs)
    assert twins == "![a](images/play-light.png){.only-light}\n![a](images/play-dark.png){.only-dark}"
    assert leaving.rewritten("![a](images/trial-light.png)", docs) == "![a](images/trial-light.png)"


def test_the_reference_tells_what_is_returned() -> None:
    """Of every function of the front door, and of a model's methods, the results of our own that users hold."""
    calls = [value for name in nonosat.__all__ if inspect.isfunction(value := getattr(nonosat, name))]
    calls += [value for name, value in inspect.getmembers(nonosat.Model, inspect.isfunction) if name[0] != "_"]
    words = {
        word for call in calls for word in re.findall(r"\b[A-Z]\w+", str(inspect.signature(call).return_annotation))
    }
    shown = {*nonosat.__all__, *(name for some in reference.RESULTS.values() for name in some)}
    others = "Any Iterator Generator None Event Fault Puzzle Encoding Problem NotebookStudy PuzzleWidget"  # no results
    inner = "CSP LoweredStatement BooleanExpression IntegerExpression ExpressionArray"  # what models are made of
    assert words - shown == {*others.split(), *inner.split()}
