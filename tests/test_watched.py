"""A search that is watched shows itself, at a bounded rate, and comes to what it would have come to unwatched."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise, product
from threading import Timer

import numpy as np
import pytest
from sampling import spread

import nonosat
from nonosat.encodings.registry import encoding
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import COUNTERS, Answer, Finished, Found, Glimpse, Statistics, Verdict
from nonosat.runs.isolation import Stop
from nonosat.runs.watched import EARLY, WatchSettings, watch, watched
from nonosat.solvers.registry import search, solver

SMALL = nonosat.random_density(12, 12, 0.42, seed=5)
OTHERS = nonosat.random_density(25, 25, 0.42, seed=3)


def events(puzzle: Puzzle, named: str, count: int | None = 1, watching: dict[str, float] | None = None) -> list[object]:
    """What a search says, in this process."""
    arguments = (puzzle, encoding("tight+r3+order"), count, solver(named))
    return list(search(*arguments) if watching is None else watched(search, arguments, **watching))  # type: ignore[arg-type]


def counters(said: list[object]) -> dict[str, int]:
    finished = said[-1]
    assert isinstance(finished, Finished)
    return {counter.name: asdict(finished.statistics)[counter.name] for counter in COUNTERS}


LINES = ["propagation", "propagation+noprobe", "beliefs", "auto"]
PLACEMENTS = ["elimination", "elimination+min", "axis", "axis+partial", "rowsearch"]


@pytest.mark.slow
@pytest.mark.parametrize(("named", "closely"), spread(product([*LINES, *PLACEMENTS], [0, 300]), 3))
def test_native_searches_take_the_same_way_watched(named: str, closely: int) -> None:
    puzzle = nonosat.random_density(6, 6, 0.5, seed=2) if named == "axis" else SMALL
    usual = events(puzzle, named, 2)
    seen = events(puzzle, named, 2, {"every_s": 1e-4, "closely": closely})
    assert counters(seen) == counters(usual)
    found = [[event.cells.tolist() for event in said if isinstance(event, Found)] for said in (usual, seen)]
    assert found[0] == found[1]
    assert not any(isinstance(event, Glimpse) for event in usual)
    assert sum(isinstance(event, Glimpse) for event in seen) > 1


@pytest.mark.parametrize("named", ["propagation", "auto", "minisat22", "mergesat3", "minicard", "maplesat", "ergo"])
def test_what_rests_on_no_guess_is_so_in_the_only_picture(named: str) -> None:
    puzzle = nonosat.random_density(25, 25, 0.5, seed=17)
    answer = nonosat.solve(puzzle, solver="auto", unique=True)
    assert answer.unique
    assert answer.picture is not None
    right = answer.picture.cells
    looks = [event for event in events(puzzle, named, 1, {"every_s": 0.1, "closely": 40}) if isinstance(event, Glimpse)]
    sure = [look.cells for look in looks if look.cells is not None and not look.guesses]
    assert sure
    for cells in sure:
        assert ((cells == right) | (cells == -1)).all()
    assert max((cells >= 0).sum() for cells in sure) > 20


def test_beliefs_show_odds_of_open_cells() -> None:
    looks = [e for e in events(OTHERS, "beliefs", 1, {"every_s": 1e-4, "closely": 30}) if isinstance(e, Glimpse)]
    told = [look for look in looks if look.odds is not None and (look.cells < 0).any()]
    assert told
    for look in told:
        assert (np.isnan(look.odds) == (look.cells >= 0)).all()
        odds = look.odds[look.cells < 0]
        assert ((odds >= 0) & (odds <= 1)).all()
    assert any(np.ptp(look.odds[look.cells < 0]) > 0.5 for look in told)


def test_glimpses_come_at_a_bounded_rate_in_the_order_of_time() -> None:
    puzzle = nonosat.random_density(30, 30, 0.4, seed=3)
    arguments = (puzzle, None, 1, solver("propagation"))
    looks: list[Glimpse] = []
    for event in watched(search, arguments, every_s=0.05):
        looks += [event] if isinstance(event, Glimpse) else []
        if len(looks) == 8:
            break
    times = [look.at_s for look in looks]
    assert all(later - before >= 0.05 * (0.5 - EARLY) for before, later in pairwise(times))  # after a late one
    assert times[-1] - times[0] >= 0.05 * (len(times) - 1.5 - EARLY)


def test_close_looks_put_off_none_of_those_that_follow() -> None:
    watching = WatchSettings(every_s=0.1, closely=300)
    while watching.closely:
        assert watching.due()
        list(watching.look(lambda: Glimpse("", Statistics())))
    assert watching.due_s - watching.now_s() <= 0.1  # it was 0.1 s for each of them: half a minute of silence


def test_what_watching_takes_is_on_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [0.0]
    monkeypatch.setattr("nonosat.runs.watched.perf_counter", lambda: now_s[0])
    watching = WatchSettings(every_s=0.0, began=0.0)
    for look in watching.look(lambda: Glimpse("", Finished(True, None).statistics)):  # type: ignore[arg-type]
        now_s[0] += 0.1
        assert look.at_s == 0
    assert watching.now_s() == 0


def test_two_searches_at_a_time_are_watched_each_by_itself() -> None:
    one = watched(search, (SMALL, None, 1, solver("propagation")), closely=5)
    next(one)
    assert watch() is None
    assert not any(isinstance(event, Glimpse) for event in search(SMALL, None, 1, solver("propagation")))
    assert sum(isinstance(event, Glimpse) for event in one) == 5


@pytest.mark.parametrize("named", ["kissat404", "lingeling", "maplecm", "maplechrono", "cadical195"])
def test_solvers_without_glimpses_are_not_watched(named: str) -> None:
    assert not any(isinstance(event, Glimpse) for event in events(SMALL, named, 1, {"every_s": 0.0}))


@pytest.mark.slow
def test_cpsat_shows_its_log_and_no_cells() -> None:
    looks = [e for e in events(OTHERS, "cpsat", 1, {"every_s": 0.02}) if isinstance(e, Glimpse)]
    assert looks
    assert all(look.cells is None and look.doing for look in looks[1:])


@pytest.mark.parametrize("limit", [None, 600])
def test_watch_ends_with_the_answer_that_solve_gives(limit: float | None) -> None:
    *said, answer = nonosat.watch(SMALL, solver="elimination", count=None, time_limit_s=limit, closely=20)
    assert isinstance(answer, Answer)
    assert answer.pictures == nonosat.solve(SMALL, solver="elimination", count=None).pictures
    assert sum(isinstance(event, Glimpse) for event in said) >= 20


def test_a_watched_run_is_stopped_from_another_thread() -> None:
    stop = Stop()
    puzzle = nonosat.random_density(40, 40, 0.4, seed=1)
    list(nonosat.watch(SMALL, solver="lingeling", time_limit_s=600))  # its code is loaded
    Timer(0.3, stop.now).start()
    *_, answer = nonosat.watch(puzzle, solver="lingeling", time_limit_s=6000, stop=stop)
    assert isinstance(answer, Answer)
    assert answer.verdict is Verdict.INTERRUPTED
    *_, again = nonosat.watch(puzzle, solver="lingeling", time_limit_s=600, stop=stop)
    assert isinstance(again, Answer)
    assert again.verdict is Verdict.INTERRUPTED  # one that is stopped does not begin
