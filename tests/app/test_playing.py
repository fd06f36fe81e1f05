"""The game without a server: moves, undo, trials and errors as transactions on a file."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packs_made import HEART, LIVES, heart, towers

from nonosat.app.game import PlayStore, handle, opened
from nonosat.app.packs import Packed
from nonosat.app.requests import RequestError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.rng import Rng

KEY = ("pack", "1")


class Game:
    """A puzzle and who plays it, always with the latest version."""

    def __init__(self, path: Path, style: str = "free", puzzle: Puzzle | None = None) -> None:
        self.progress = PlayStore(path / "progress.sqlite")
        self.packed = Packed("1", "easy", LIVES, puzzle or heart())
        if self.play["style"] != style:
            self.do("restart", style=style)

    @property
    def play(self) -> dict[str, Any]:
        return opened(self.progress, KEY, self.packed)

    @property
    def cells(self) -> dict[int, int]:
        """The cells that are known."""
        return {cell: value for cell, value in enumerate(self.play["cells"]) if value != -1}

    def do(self, action: str, **more: Any) -> dict[str, Any]:
        return handle(self.progress, KEY, self.packed, {"do": action, "version": self.play["version"], **more})

    def move(self, *changes: tuple[int, int]) -> dict[str, Any]:
        return self.do("move", changes=[list(change) for change in changes])


def test_a_move_after_undo_ends_what_was_undone(tmp_path: Path) -> None:
    game = Game(tmp_path)
    for cell in range(4):
        game.move((cell, 0))
    game.do("undo")
    game.do("undo")
    answer = game.move((9, 1))
    assert answer["redo"] is False
    game.do("redo")
    assert game.cells == {0: 0, 1: 0, 9: 1}
    game.do("undo")
    assert game.cells == {0: 0, 1: 0}


def test_an_error_outlives_the_undo_of_older_marks(tmp_path: Path) -> None:
    game = Game(tmp_path, "lives")
    game.move((0, 0))
    game.move((0, -1))
    assert game.move((0, 1))["error_at"] == 0
    for action in ("undo", "undo", "undo", "redo", "redo"):
        game.do(action)
        assert game.cells == {0: 0}
    assert (game.play["wrong"], game.play["lives"]) == ([0], LIVES - 1)
    assert game.move((0, -1))["changed"] == []  # nor by a move


def test_a_move_on_an_error_is_none(tmp_path: Path) -> None:
    game = Game(tmp_path, "lives")
    game.move((0, 1))
    version = game.play["version"]
    assert game.move((0, -1))["changed"] == []
    assert game.play["version"] == version + 1


def test_undo_says_that_an_error_stays_before_it_takes_back_the_move_before(tmp_path: Path) -> None:
    game = Game(tmp_path, "lives")
    game.move((6, 1))
    game.move((0, 1))
    answer = game.do("undo")
    assert (answer["stays"], answer["undo"], answer["redo"], game.cells) == (True, True, False, {0: 0, 6: 1})
    answer = game.do("undo")
    assert (answer["stays"], answer["undo"], answer["redo"], game.cells) == (False, False, True, {0: 0})
    game.do("redo")
    game.move((2, 1))
    game.move((7, 1))
    for stays in (False, True, False):
        assert game.do("undo")["stays"] is stays
    game.do("redo")
    assert game.cells == {0: 0, 2: 0, 6: 1}
    assert game.do("redo")["redo"] is False  # at once over the error
    assert game.cells == {0: 0, 2: 0, 6: 1, 7: 1}


def test_what_stands_before_an_error_in_a_swipe_is_kept(tmp_path: Path) -> None:
    game = Game(tmp_path, "lives")
    game.move((5, 1), (1, 1), (0, 1), (3, 1))
    assert game.cells == {5: 1, 1: 1, 0: 0}
    game.do("undo")
    game.do("undo")
    assert game.cells == {0: 0}


@pytest.mark.parametrize(
    ("losses", "style", "medal"), [(0, "lives", "gold"), (1, "lives", "silver"), (0, "free", "silver")]
)
def test_the_medals(tmp_path: Path, losses: int, style: str, medal: str) -> None:
    game = Game(tmp_path, "lives")
    for _ in range(losses):
        for cell in (0, 2, 4):
            answer = game.move((cell, 1))
        assert answer["lost"] is True
        assert answer["cells"] == [-1] * 25
    game.do("restart", style=style)
    game.move(*((int(cell), 1) for cell in np.flatnonzero(HEART)))
    assert (game.play["state"], game.play["won"]) == ("won", medal)
    with pytest.raises(RequestError, match="solved"):
        game.move((0, 1))
    with pytest.raises(RequestError, match="solved"):
        game.do("undo")
    game.do("restart", style="lives")
    assert (game.play["state"], game.play["won"], game.play["undo"]) == ("untouched", medal, False)


def test_gold_stays_and_silver_does_not_become_gold(tmp_path: Path) -> None:
    solution = [(int(cell), 1) for cell in np.flatnonzero(HEART)]
    for first, then, best in (("lives", "free", "gold"), ("free", "lives", "silver")):
        folder = tmp_path / first
        folder.mkdir()
        game = Game(folder, first)
        game.move(*solution)
        game.do("restart", style=then)
        game.move(*solution)
        assert game.play["won"] == best


def test_trials_end_where_undo_goes_behind_them(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.move((0, 1))
    game.do("trial")
    game.move((1, 1), (2, 0))
    game.do("trial")
    assert game.move((3, 1))["trial"] == [[1, 1], [2, 1], [3, 2]]
    game.do("undo")
    assert game.do("undo")["trials"] == 1
    assert game.do("undo")["trials"] == 0
    assert game.cells == {}
    game.do("reject")  # nothing to take back
    game.do("accept")


def test_with_lives_nothing_is_tried(tmp_path: Path) -> None:
    game = Game(tmp_path, "lives")
    with pytest.raises(RequestError, match="free play"):
        game.do("trial")


def test_the_time_of_a_page_that_is_left_is_kept_by_any_version(tmp_path: Path) -> None:
    game = Game(tmp_path)
    version = game.play["version"]
    game.move((0, 1))
    handle(game.progress, KEY, game.packed, {"do": "leave", "version": version, "seconds": 12.5})
    assert (game.play["seconds"], game.play["version"]) == (12.5, version + 1)
    with pytest.raises(RequestError) as error:
        handle(game.progress, KEY, game.packed, {"do": "undo", "version": version})
    assert error.value.status == 409
    assert error.value.more["play"] == game.play


def test_hints_and_checks_are_counted(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.do("hint")
    game.move((0, 1), (1, 1), (2, 0))
    assert game.do("check")["faults"] == [0]
    assert (game.play["hints"], game.play["checks"]) == (1, 1)


def test_notes_are_no_answers(tmp_path: Path) -> None:
    game = Game(tmp_path, puzzle=towers())
    assert towers().goal is not None
    goal = towers().goal.cells.ravel().tolist()  # type: ignore[union-attr]
    game.move(*((cell, -1 - (1 << height)) for cell, height in enumerate(goal)))
    assert game.play["state"] == "playing"
    game.move(*enumerate(goal))
    assert game.play["state"] == "won"


def test_any_moves_undone_are_the_boards_before(tmp_path: Path) -> None:
    """Moves, undo and redo by chance, beside a list of boards."""
    game, chance = Game(tmp_path), Rng(7)
    boards, at = [{}], 0
    for _ in range(120):
        kind = chance.below(4)
        if kind == 0 and at > 0:
            game.do("undo")
            at -= 1
        elif kind == 1 and at < len(boards) - 1:
            game.do("redo")
            at += 1
        elif kind >= 2:
            changes = {chance.below(25): chance.below(3) - 1 for _ in range(1 + chance.below(3))}
            changed = {cell: value for cell, value in changes.items() if boards[at].get(cell, -1) != value}
            game.move(*changes.items())
            if changed:
                after = {cell: value for cell, value in {**boards[at], **changed}.items() if value != -1}
                boards[at + 1 :] = [after]
                at += 1
        assert game.cells == boards[at]


def test_two_servers_on_one_folder_take_turns(tmp_path: Path) -> None:
    games = [Game(tmp_path), Game(tmp_path)]
    done, failed = [0, 0], []

    def play(which: int) -> None:
        for step in range(40):
            try:
                games[which].move((step % 20, step % 2))
                done[which] += 1
            except RequestError as error:
                if error.status != 409:
                    failed.append(error)
            except Exception as error:
                failed.append(error)

    threads = [threading.Thread(target=play, args=(which,)) for which in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert min(done) > 0
    play_ = games[0].play
    for _ in range(sum(done)):
        if not play_["undo"]:
            break
        play_ = games[0].do("undo")
    assert games[0].cells == {}
