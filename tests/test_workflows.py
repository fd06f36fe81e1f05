"""GitHub's workflows: pinned, with no right that they do not need. zizmor (`make release`) looks at the rest."""

from __future__ import annotations

import re

import pytest
from pages import ROOT

WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}


def test_there_is_one_for_changes_and_one_for_releases() -> None:
    assert set(WORKFLOWS) == {"ci.yml", "release.yml"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_pinned_and_rights_are_given_by_the_job(name: str) -> None:
    text = WORKFLOWS[name]
    uses = re.findall(r"uses: (.*)", text)
    assert uses
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action) for action in uses)
    assert "\npermissions: {}\n" in text
    assert text.count("\n    permissions:\n") == text.count("runs-on:")
    assert "secrets." not in text
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")


def test_the_same_version_of_an_action_everywhere() -> None:
    pins = {tuple(use.split("@")) for text in WORKFLOWS.values() for use in re.findall(r"uses: (\S+@\w+)", text)}
    assert len(pins) == len({action for action, _ in pins})


def test_what_is_made_is_a_target_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for text in (*WORKFLOWS.values(), (ROOT / ".ci/run").read_text(encoding="utf-8")):
        for call in re.findall(r"^(?: +- run: )?make ((?:[a-z][a-z-]* ?)+)", text, re.MULTILINE):
            assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in call.split()), call
