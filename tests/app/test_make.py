"""Make without a page: what the server says of puzzles that are drawn or typed, reads, keeps and writes."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from serving import Server

import nonosat
from nonosat.app import generated, making
from nonosat.app.making import PIXELS
from nonosat.app.requests import RequestError
from nonosat.app.wire import puzzle_to_wire
from nonosat.puzzles.formats import FORMATS, dumps, loads
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.images import ImageOptions, read_image
from nonosat.puzzles.skyscrapers import Skyscrapers

EXAMPLES = Path(__file__).parents[2] / "examples"
DIAGONAL = [1, 0, 0, 0, 1, 0, 0, 0, 0]
TOWERS = Skyscrapers.from_heights([[2, 1, 3], [3, 2, 1], [1, 3, 2]], "Towers")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("made"))
    found.enter()
    yield found
    found.close()


def drawn(cells: list[int], height: int = 3, width: int = 3, **more: Any) -> dict[str, Any]:
    puzzle = {"kind": "nonogram", "height": height, "width": width, "palette": ["#ffffff", "#000000"], "title": ""}
    return {"puzzle": {**puzzle, **more}, "cells": cells}


def typed(puzzle: Any) -> dict[str, Any]:
    return {"puzzle": puzzle_to_wire(puzzle)}


def ask(server: Server, name: str, body: Any) -> Any:
    status, answer = server.post(f"/api/make/{name}", body)
    assert status == 200, answer
    return answer


def refused(server: Server, name: str, body: Any) -> str:
    status, answer = server.post(f"/api/make/{name}", body)
    assert status == 400
    assert "\n" not in answer["error"]
    return answer["error"]


def analysed(server: Server, body: Any) -> Any:
    """All of the analysis of a drawing: on a busy machine it comes bit by bit, as pages ask for more."""
    about = ask(server, "analyse", body)
    while not about["done"]:
        about = ask(server, "changes", body)
    return about


def test_a_drawing_is_judged(server: Server) -> None:
    about = analysed(server, drawn(DIAGONAL))
    assert (about["verdict"], about["headline"]) == ("several", "2 solutions")
    assert about["details"] == (
        "4 cells differ between solutions. 6 single cells would make it unique and solvable by lines."
    )
    assert about["shared"] == [-1, -1, 0, -1, -1, 0, 0, 0, 0]
    assert about["heat"] == [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    assert about["done"] is True
    assert ask(server, "analyse", drawn([1, 1, 0, 0, 1, 0, 0, 0, 0]))["verdict"] == "lines"


def test_changes_that_make_it_unique_come_bit_by_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "SLICE_S", 0)
    puzzle = nonosat.random_density(14, 14, 0.5, seed=0)
    said = [making.analysed(puzzle)]
    while not said[-1]["done"]:
        said.append(making.changed(replace(puzzle, title="another")))
    assert len(said) > 5
    unique = [{cell for cell, heat in enumerate(some["heat"]) if heat and heat >= making.FRAMED} for some in said]
    assert unique[0] < unique[-1]
    assert all(before <= after for before, after in pairwise(unique))
    assert "are still looked at" in said[0]["details"]
    assert f"{len(unique[-1])} single cells would make it unique" in said[-1]["details"]
    assert "looked at" not in said[-1]["details"]
    assert making.changed(nonosat.random_density(14, 14, 0.5, seed=1)) is None  # nobody asked for its analysis
    assert making.analysed(nonosat.random_density(5, 5, 0.7, seed=1))["done"] is True  # it is unique
    for seed in range(20):
        making.analysed(nonosat.random_density(6, 6, 0.4, seed=seed))
    assert making.changed(puzzle) is None  # forgotten


def test_clues_are_judged_as_they_are_typed(server: Server) -> None:
    about = ask(server, "analyse", typed(Nonogram.from_lengths([[2], [1]], [[2], [1]])))
    assert (about["verdict"], about["picture"], about["heat"]) == ("lines", [1, 1, 1, 0], None)
    about = ask(server, "analyse", typed(Nonogram.from_lengths([[1], []], [[2], []])))
    assert (about["verdict"], about["details"]) == ("none", "the rows fill 1 cells, the columns 2")
    wrong = typed(Nonogram.from_lengths([[1], []], [[1], []]))
    wrong["puzzle"]["rows"][0] = [[3, 1]]
    assert "row 1: runs 3 need 3 cells, the line has 2" in ask(server, "analyse", wrong)["fault"]
    assert ask(server, "formats", wrong) == []
    assert "row 1: runs 3 need 3 cells, the line has 2" in refused(server, "save", wrong)
    assert ask(server, "analyse", typed(TOWERS))["verdict"] == "unique"


@pytest.mark.slow
def test_a_repair_is_unique_and_lists_its_changes(server: Server) -> None:
    for body in (drawn(DIAGONAL), typed(Nonogram.from_lengths([[1], [1], []], [[1], [1], []]))):
        done = ask(server, "repair", {**body, "by_lines": True})
        assert len(done["changes"]) == 1
        assert ask(server, "analyse", {"puzzle": done["puzzle"]})["verdict"] == "lines"
    assert "repair is for nonograms" in refused(server, "repair", typed(TOWERS))
    assert "no solution" in refused(server, "repair", typed(Nonogram.from_lengths([[1], []], [[2], []])))


@pytest.mark.parametrize("name", ["mk", "non", "json", "share", "tournament", "pattern"])
def test_text_is_read_whatever_its_format(server: Server, name: str) -> None:
    puzzle = nonosat.load(EXAMPLES / "heart.mk")
    if name == "tournament":
        puzzle = Nonogram.from_lengths([[2], [1]], [[2], [1]])
    [found] = ask(server, "read", {"text": dumps(puzzle, name)})["puzzles"]
    assert found["puzzle"]["rows"] == puzzle_to_wire(puzzle)["rows"]


def test_other_kinds_and_links_are_read_too(server: Server) -> None:
    for name in ("sky", "clues", "json", "share"):
        [found] = ask(server, "read", {"text": dumps(TOWERS, name)})["puzzles"]
        assert found["puzzle"]["clues"]["top"] == [2, 3, 1]
    link = f"http://127.0.0.1:1/#/make/{dumps(TOWERS, 'share')}"
    assert ask(server, "read", {"text": link})["puzzles"][0]["puzzle"]["size"] == 3


def test_game_ids_are_read_and_their_errors_reported(server: Server) -> None:
    [pattern] = ask(server, "read", {"text": " 3x2:1/1/1/1.1/1,bAd\n"})["puzzles"]
    assert pattern["puzzle"]["rows"] == [[[1, 1], [1, 1]], [[1, 1]]]
    assert pattern["puzzle"]["given"] == [[0, 1, 0], [0, 2, 1]]
    [towers] = ask(server, "read", {"text": "4dh:/3//1/2////2////1//3/2,f4i"})["puzzles"]
    assert (towers["puzzle"]["kind"], towers["puzzle"]["given"]) == ("skyscrapers", [[1, 2, 4]])
    [given] = ask(server, "read", {"text": "3:///////////,a1_2c3b"})["puzzles"]  # its end looks like a shared string
    assert given["puzzle"]["given"] == [[0, 1, 1], [0, 2, 2], [2, 0, 3]]
    assert "as pattern: line 1: 3 columns and 2 rows" in refused(server, "read", {"text": "3x2:1/1/1"})
    assert "clues" in refused(server, "read", {"text": "4:/3//1"})
    assert "paste a puzzle's file" in refused(server, "read", {"text": "hello"})


def test_drawings_are_read_as_in_files(server: Server) -> None:
    texts = {".##.\n####\n": [[[2, 1]], [[4, 1]]], "#b.\nb##\n": [[[1, 1], [1, 2]], [[1, 2], [2, 1]]]}
    texts["aabb\nbbaa\n"] = [[[1, 1], [1, 2]], [[1, 2], [1, 1]]]  # two characters a cell, as `solve` prints
    for text, rows in texts.items():
        [found] = ask(server, "read", {"text": text})["puzzles"]
        assert found["puzzle"]["rows"] == rows
        assert found["cells"] is not None
    assert len(ask(server, "read", {"text": "#.\n.#\n\n##\n"})["puzzles"]) == 2
    assert "row 2 of the drawing has 3 characters" in refused(server, "read", {"text": "#.\n.##\n"})


def test_the_address_of_a_new_puzzle_is_read(server: Server) -> None:
    address = "http://127.0.0.1:8731/#/play/new/nonogram-10-50-waves-78096415"
    [found] = ask(server, "read", {"text": f"{address}\n"})["puzzles"]
    assert (found["puzzle"]["height"], found["puzzle"]["width"]) == (10, 10)
    assert "no puzzle" in refused(server, "read", {"text": address.replace("waves", "wives")})


def test_a_difficulty_that_was_not_found_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {"kind": "nonogram", "size": 5, "difficulty": "easy"}
    assert generated.generated(wanted)["missed"] is None
    monkeypatch.setattr(generated, "WITHIN_S", 0.0)
    monkeypatch.setattr(generated, "_label", lambda puzzle: "medium")
    monkeypatch.setattr(generated.secrets, "randbelow", lambda limit: 7)  # among others, one board in some is hard
    found = generated.generated({**wanted, "difficulty": "hard"})
    assert found["missed"] == generated.puzzle_of(found["name"]).label != "hard"


@pytest.mark.parametrize("colours", [1, 2, 4])
def test_a_new_puzzle_has_the_colours_that_are_wanted(colours: int) -> None:
    wanted = {"kind": "nonogram", "size": 10, "style": "blobs", "colours": colours, "difficulty": "easy"}
    name = generated.generated(wanted)["name"]
    for one in (name, generated.generated({"like": name})["name"]):
        found = generated.puzzle_of(one)
        assert (len(found.palette or []), found.label in generated.NONOGRAMS["easy"]) == (1 + colours, True)
        assert found.title == ("Nonogram 10x10" + (f" in {colours} colours" if colours > 1 else ""))
    with pytest.raises(RequestError, match="from 1 to 4"):
        generated.generated({**wanted, "colours": 5})


@pytest.mark.parametrize(
    "name",
    ["nonogram-10-60-blobs-7", "nonogram-15-50-waves-3-7", "skyscrapers-4-easy-7", "daily-2026-11-23"],
)
def test_the_card_of_a_new_puzzle_is_known_by_its_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = generated.puzzle_of(name)
    monkeypatch.setattr(generated, "_made", None)  # nothing is made for it
    card = generated.shelved(name)
    for key in ("name", "title", "kind", "shape", "palette", "secret"):
        assert getattr(card, key) == getattr(found, key), key
    assert card.filled == pytest.approx(found.filled, abs=1)
    assert card.label in ("", found.label)


def test_a_draft_is_found_by_what_is_read_again(server: Server) -> None:
    text = dumps(TOWERS, "json")
    [found] = ask(server, "read", {"text": text, "made": True})["puzzles"]
    for name, kept in (
        ("drawing", drawn(DIAGONAL, title="D")),
        ("towers", found),
        ("empty", drawn([0] * 9, title="D")),
    ):
        ask(server, "draft", {**kept, "draft": name, "drawn": name != "towers"})
    assert ask(server, "read", {"text": text})["draft"] is None  # in Play, which has no drafts
    assert ask(server, "read", {"text": text, "made": True})["draft"] == "towers"
    picture = dumps(nonosat.Nonogram.from_picture([[1, 0, 0], [0, 1, 0], [0, 0, 0]], "D"), "json")
    assert ask(server, "read", {"text": picture, "made": True})["draft"] == "drawing"
    assert ask(server, "read", {"text": picture.replace('"D"', '"E"'), "made": True})["draft"] is None
    # Of the drawing's clues alone, and of another drawing with these clues, there is no draft.
    crossed = [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    for other in (
        nonosat.Nonogram.from_lengths([[1], [1], []], [[1], [1], []], title="D"),
        nonosat.Nonogram.from_picture(crossed, "D"),
    ):
        assert ask(server, "read", {"text": dumps(other, "json"), "made": True})["draft"] is None


def test_a_draft_of_skyscrapers_has_a_picture_with_its_clues(server: Server) -> None:
    puzzle = {**puzzle_to_wire(TOWERS), "given": [[1, 1, 2]]}
    puzzle["clues"] = {"top": [2, 0, 1], "bottom": [0, 0, 0], "left": [0, 3, 0], "right": [0, 0, 0]}
    for name, clues in (("good", puzzle["clues"]), ("bad", {"top": [99]}), ("worse", None)):
        ask(server, "draft", {"puzzle": {**puzzle, "clues": clues}, "cells": None, "draft": name, "drawn": False})
    found = {one["draft"]: one["picture"] for one in server.get("/api/make/drafts")}
    assert found["good"] == {
        "size": 3,
        "width": 5,
        "cells": [0, 5, 0, 4, 0, 0, 0, 0, 0, 0, 6, 0, 2, 0, 0, *[0] * 10],
    }
    assert (found["bad"], found["worse"]) == (None, None)


@pytest.mark.parametrize("text", ["", "hello", "n1xxxx", "\0" * 10, "9" * 5000, "[" * 5000, "{}", "2 2\n1\n#\n", "💥"])
def test_other_text_is_refused_in_one_line(server: Server, text: str) -> None:
    assert refused(server, "read", {"text": text})


def image(width: int = 40, height: int = 30) -> str:
    file = BytesIO()
    picture = Image.new("RGB", (width, height), "#ffffff")
    picture.paste("#cc2222", (0, 0, width // 2, height))
    picture.paste("#2222cc", (0, 0, width // 4, height // 2))
    picture.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.slow
def test_an_image_becomes_cells(server: Server) -> None:
    found = ask(server, "image", {"data": image(), "size": 8})
    assert (found["puzzle"]["height"], found["puzzle"]["width"]) == (6, 8)
    assert found["cells"][:8] == [1, 1, 1, 1, 0, 0, 0, 0]
    coloured = ask(server, "image", {"data": image(), "size": 8, "colours": 2})
    assert coloured["puzzle"]["palette"] == ["#ffffff", "#2222cc", "#cc2222"]
    assert coloured["cells"][:8] == [1, 1, 2, 2, 0, 0, 0, 0]
    red = ask(server, "image", {"data": image(), "size": 8, "colours": 2, "blank": "#cc2222"})
    assert red["puzzle"]["palette"] == ["#ffffff", "#2222cc", "#ffffff"]
    assert red["cells"][:8] == [1, 1, 0, 0, 2, 2, 2, 2]
    light = ask(server, "image", {"data": image(), "size": 8, "invert": True, "threshold": 0.9})
    assert light["cells"][:8] == [0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    "body",
    [
        {"data": "???"},
        {"data": base64.b64encode(b"no image").decode()},
        {"data": image()[:120]},
        {"data": image(), "size": 0},
        {"data": image(), "size": 8, "dither": "magic"},
        {"data": image(), "colours": 99},
        {"data": image(), "colours": 2, "blank": "red"},
        {"data": image(600, 600)},
        {},
    ],
)
def test_what_is_no_image_is_refused_in_one_line(server: Server, body: dict[str, Any]) -> None:
    refused(server, "image", body)


@pytest.mark.slow
def test_every_format_is_written(server: Server) -> None:
    body = drawn([1, 1, 0, 0, 1, 0, 0, 0, 0], title="T")
    names = ask(server, "formats", body)
    texts = [name for name, known in FORMATS.items() if "nonogram" in known.kinds]
    assert names[:5] == ["pdf", "png", PIXELS, "svg", "json"]
    assert sorted(names[4:]) == sorted(texts)
    assert names[-1] == "mk"  # which holds least
    files = {name: ask(server, "export", {**body, "format": name}) for name in names}
    data = {name: base64.b64decode(file["data"]) for name, file in files.items()}
    assert files["tournament"]["suffix"] == ".txt"
    for name in texts:
        [puzzle] = loads(data[name].decode(), name)
        [pasted] = ask(server, "read", {"text": data[name].decode()})["puzzles"]  # by what marks it
        assert [[run[0] for run in clue] for clue in pasted["puzzle"]["rows"]] == [[2], [1], []]
        assert puzzle.rows == loads(data["json"].decode(), "json")[0].rows
    assert data["svg"].startswith(b"<svg")
    assert data["png"].startswith(b"\x89PNG")
    assert data["pdf"].startswith(b"%PDF-")
    assert b"/Count 1 " in data["pdf"]  # a drawing; a booklet has a page of solutions, too
    picture = read_image(data[PIXELS], ImageOptions())
    assert picture.cells.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
    assert {"sky", "clues", "svg"} <= set(ask(server, "formats", typed(TOWERS)))
    assert PIXELS not in ask(server, "formats", typed(TOWERS))
    assert "one of" in refused(server, "export", {**body, "format": "../../etc"})


@pytest.mark.slow
def test_puzzles_are_kept_changed_printed_and_deleted(server: Server) -> None:
    first = ask(server, "save", drawn(DIAGONAL, title="First"))["id"]
    second = ask(server, "save", typed(TOWERS))["id"]
    assert [(one["id"], one["title"]) for one in server.get("/api/make/own")][:2] == [
        (second, "Towers"),
        (first, "First"),
    ]
    assert server.get("/api/make/own")[1]["picture"]["cells"] == DIAGONAL
    assert server.get(f"/api/make/own/{first}")["cells"] == DIAGONAL
    assert ask(server, "save", {**drawn([1] * 9, title="Changed"), "id": first})["id"] == first
    assert server.get(f"/api/make/own/{first}")["puzzle"]["title"] == "Changed"
    book = ask(server, "booklet", {"ids": [first, second], "title": "Mine", "paper": "Letter"})
    assert base64.b64decode(book["data"]).startswith(b"%PDF-")
    assert refused(server, "booklet", {"ids": []})
    assert refused(server, "booklet", {"ids": [first], "paper": "A9"})
    ask(server, "delete", {"id": first})
    assert [one["id"] for one in server.get("/api/make/own")] == [second]
    status, answer = server.post("/api/make/booklet", {"ids": [first]})
    assert (status, answer["error"]) == (404, "that puzzle is not here any more")


@pytest.mark.slow
def test_what_is_saved_survives_kill_9(tmp_path: Path) -> None:
    for attempt in range(3):
        server = Server(tmp_path)
        server.enter()
        assert len(server.get("/api/make/own")) == attempt
        ask(server, "save", drawn(DIAGONAL, title=str(attempt)))
        server.kill()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"puzzle": 3},
        {"puzzle": {"kind": "nonogram"}},
        drawn([1] * 8),
        drawn([1.5] * 9),
        drawn([7] * 9),
        drawn([1] * 9, palette=["#ffffff", "red"]),
        drawn([1] * 9, palette=[]),
        drawn([1] * 9, palette="#" * 9),
        drawn([], height=0),
        drawn([1] * 9, height=10**9),
        drawn([1] * 9, title="x" * 1000),
        {"puzzle": {"kind": "skyscrapers", "clues": {"top": [99]}}},
        {"puzzle": {"kind": "sudoku"}},
    ],
)
def test_junk_is_refused_in_one_line(server: Server, body: dict[str, Any]) -> None:
    for name in ("save", "share", "repair"):
        refused(server, name, body)
    for name, said in (("analyse", "fault"), ("formats", "")):  # which a page asks while somebody types
        status, answer = server.post(f"/api/make/{name}", body)
        assert status == 400 or answer == [] or "\n" not in answer[said]
    assert json.loads(server.ask("GET", "/api/make/own")[2]) is not None


@pytest.mark.slow
def test_a_hard_puzzle_holds_up_no_booklet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "SOLVING_S", 1.0)
    hard = nonosat.random_density(200, 200, 0.33, seed=1)
    easy = nonosat.random_density(5, 5, 0.6, seed=1)
    known, none = making.solutions([easy, replace(hard, goal=None)])
    assert (known[0], none) == (easy.goal, (None, False))
    diagonal = nonosat.Nonogram.from_picture([[1, 0], [0, 1]])
    assert making.solutions([diagonal]) == [(diagonal.goal, True)]
