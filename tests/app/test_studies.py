"""The cards of studies, without a server."""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fake_execute import record

from nonosat.app.game import PlayStore
from nonosat.app.requests import RequestError, integers
from nonosat.app.rooms.studies import every
from nonosat.studies.store import Store


def cards(folder: Path) -> list[dict[str, Any]]:
    request: Any = SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(studies=folder)))
    told: Any = every(request)
    return list(told["studies"])


def test_the_data_of_a_workbench_are_no_study(tmp_path: Path) -> None:
    progress = PlayStore(tmp_path / "progress.sqlite")
    (tmp_path / "broken.sqlite").write_text("no store")
    assert [card["name"] for card in cards(tmp_path)] == ["broken.sqlite"]
    progress.close()
    assert [card["name"] for card in cards(tmp_path)] == ["broken.sqlite"]


def test_a_study_runs_while_somebody_writes_and_is_as_old_as_its_last_record(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path, "s", 'title = "At the peak"') as store:
        store.add(record("a"))
        store.flush()
        hour_ago = time.time() - 3700
        os.utime(path, (hour_ago, hour_ago))  # SQLite writes to its log first, and to the store when it likes
        [card] = cards(tmp_path)
        assert (card["title"], card["running"], card["runs"]) == ("At the peak", True, 1)
        assert "second" in card["age"]
    path.with_name("s.sqlite.lock").touch()  # as kill -9 leaves it
    os.utime(path, (hour_ago, hour_ago))
    [card] = cards(tmp_path)
    assert (card["running"], card["age"]) == (False, "1 hour ago")


def test_a_file_that_is_no_store_is_a_card_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "junk.sqlite").write_bytes(b"junk" * 999)
    [card] = cards(tmp_path)
    assert (card["title"], card["runs"]) == ("junk.sqlite", 0)
    assert "junk.sqlite: " in card["summary"]


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 10**30, True, 1.0, "1"])
def test_a_cell_is_a_number_of_32_bits(value: object) -> None:
    assert integers([0, -(2**31), 2**31 - 1], '"cells"', 3) == [0, -(2**31), 2**31 - 1]
    with pytest.raises(RequestError, match='"cells" is a list of whole numbers'):
        integers([value], '"cells"')
