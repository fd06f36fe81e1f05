"""The paper says what the records say; and what tells of a release says the same everywhere."""

from __future__ import annotations

import json
import re
import sys
import tomllib

import pytest
from pages import ROOT

import nonosat

sys.path.insert(0, str(ROOT / "paper"))

import make


@pytest.fixture(scope="module")
def template() -> str:
    return (ROOT / "paper/template.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_paper_is_made_of_its_template_and_the_records() -> None:
    """If results/ have changed: `python paper/make.py`, and read what it says now."""
    assert (ROOT / "paper/paper.md").read_text(encoding="utf-8") == make.made()


def test_every_number_of_the_paper_comes_from_the_records(template: str) -> None:
    prose = template.partition("\n# Summary")[2]
    for noise in (r"\{[^{}]*\}", r"\[@\w+\]", r"\]\([^)]*\)", r"`[^`]*`"):
        prose = re.sub(noise, "", prose)
    assert re.findall(r"[^\s(]*\d[^\s)]*", prose) == []


def test_what_is_cited_is_in_the_bibliography_and_the_other_way_round(template: str) -> None:
    cited = set(re.findall(r"@(\w+)\]", template))
    entries = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper/paper.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert cited == entries


def test_its_figures_are_there_and_its_parts_are_those_of_the_journal(template: str) -> None:
    figures = re.findall(r"\]\((\S+\.png)\)", template)
    assert len(figures) == 2
    assert all((ROOT / "paper" / figure).is_file() for figure in figures)
    headings = re.findall(r"^# (.*)$", template, re.MULTILINE)
    assert headings == [
        *("Summary", "Statement of need", "State of the field", "Software design", "Research impact statement"),
        *("AI usage disclosure", "Acknowledgements", "References"),
    ]
    assert all(name in template for name in ("PySAT", "CPMpy", "Pindakaas", "Sugar", "Glasgow", "Downward Lab"))


@pytest.mark.slow
def test_the_paper_is_as_long_as_the_journal_asks_for() -> None:
    text = make.made().partition("\n# Summary")[2].partition("\n# References")[0]
    assert 750 <= len(re.sub(r"[^\w\s]", "", text).split()) <= 1750


def test_release_files_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    zenodo = json.loads((ROOT / ".zenodo.json").read_text())
    citation = dict(re.findall(r'^([\w-]+): "?(.+?)"?$', (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    newest = re.search(r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert project["version"] == nonosat.__version__ == zenodo["version"] == citation["version"] == newest[1]
    assert citation["title"] == zenodo["title"]
    assert citation["license"] == zenodo["license"] == project["license"]
    assert citation["date-released"] == zenodo["publication_date"]
    assert newest[2] in ("unreleased", citation["date-released"])
    assert citation["repository-code"] == project["urls"]["Repository"]
    assert [creator["name"] for creator in zenodo["creators"]] == [author["name"] for author in project["authors"]]
    assert re.findall(r"- name: (.*)", (ROOT / "CITATION.cff").read_text()) == [a["name"] for a in project["authors"]]
    assert citation["keywords"].strip("[]").split(", ") == zenodo["keywords"]
    assert set(zenodo["keywords"]) <= set(project["keywords"])
