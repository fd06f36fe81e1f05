"""Jobs of a server process: refused when there are too many, ended when nobody listens, and no harm when they die."""

from __future__ import annotations

import http.client
import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from serving import Server
from strays import settled

import nonosat
from nonosat.app.jobs import WAITING
from nonosat.app.wire import puzzle_to_wire
from nonosat.runs.limits import children

EASY = puzzle_to_wire(nonosat.random_density(8, 8, 0.6, seed=1))
HARD = puzzle_to_wire(nonosat.random_density(45, 45, 0.4, seed=3))
LONG = {"puzzle": HARD, "lanes": [{"solver": "lingeling"}], "seconds": 600}
WATCHED = {"puzzle": HARD, "lanes": [{"solver": "propagation"}] * 4, "seconds": 600}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("data"))
    found.enter()
    yield found
    found.close()


def opened(server: Server, path: str, body: object) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    headers = {
        "Host": server.host,
        "Cookie": server.cookie,
        "Origin": server.origin,
        "Content-Type": "application/json",
    }
    connection.request("POST", path, json.dumps(body), headers)
    response = connection.getresponse()
    response.connection = connection  # type: ignore[attr-defined]
    return response


def told(response: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    try:
        for line in response:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])
    finally:
        leave(response)


@pytest.mark.slow
def test_a_silent_run_sends_pulses(server: Server) -> None:
    """Lingeling and Kissat show nothing of themselves; the other lane's talk is not theirs."""
    lanes = [{"solver": name} for name in ("lingeling", "kissat404", "propagation")]
    pulses: dict[int, list[float]] = {0: [], 1: []}
    for said in told(opened(server, "/api/watch/run", {"puzzle": HARD, "lanes": lanes, "seconds": 600})):
        assert said["type"] != "look" or said["lane"] == 2
        if said["type"] == "pulse" and said["lane"] < 2:
            pulses[said["lane"]].append(said["s"])
        if all(len(seconds) >= 15 for seconds in pulses.values()):
            break
    for seconds in pulses.values():
        assert all(later - before >= 0.09 for before, later in pairwise(seconds))


def solvers_of(server: Server) -> list[int]:
    """The processes that solve: children of the server's watchers."""
    return [pid for watcher in children(server.process.pid) for pid in children(watcher)]


def _state(server: Server, response: http.client.HTTPResponse) -> str:
    """What is known of a run that is not at work: the processes, and the last events."""
    below = {pid: children(pid) for pid in children(server.process.pid)}
    return f"{response.status}, processes {below}, {response.read1(100_000)[-2_000:]!r}"


def at_work(server: Server, body: object, processes: int) -> http.client.HTTPResponse:
    response = opened(server, "/api/watch/run", body)
    assert settled(lambda: len(solvers_of(server)) == processes), _state(server, response)
    return response


def leave(response: http.client.HTTPResponse) -> None:
    response.close()
    response.connection.close()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_fifty_solves_at_once_are_done_or_refused(server: Server) -> None:
    body = {"puzzle": EASY, "lanes": [{"solver": "minisat22"}], "count": 2}

    def ask(_: int) -> tuple[int, list[dict[str, Any]]]:
        response = opened(server, "/api/watch/run", body)
        if response.status == 200:
            return 200, list(told(response))
        refusal = json.loads(response.read())
        leave(response)
        return response.status, [refusal]

    with ThreadPoolExecutor(50) as many:
        answers = list(many.map(ask, range(50)))
    done = [said for status, said in answers if status == 200]
    assert len(done) >= WAITING
    assert all(said[-1]["verdict"] == "SAT" for said in done)
    refused = [said for status, said in answers if status == 429]
    assert len(done) + len(refused) == 50
    assert all("try again" in said[0]["error"] for said in refused)
    assert ask(0)[1][-1]["type"] == "answer"  # all places are free again


@pytest.mark.parametrize(("body", "processes"), [(LONG, 1), (WATCHED, 4)])
def test_who_goes_takes_its_processes_along(server: Server, body: object, processes: int) -> None:
    list(told(opened(server, "/api/watch/run", {**body, "puzzle": EASY})))  # type: ignore[dict-item] # its code is loaded
    response = at_work(server, body, processes)
    leave(response)
    assert settled(lambda: not solvers_of(server))


def test_who_waits_and_goes_gives_up_its_place(server: Server) -> None:
    first = at_work(server, LONG, 1)
    second = opened(server, "/api/watch/run", LONG)
    waiting = opened(server, "/api/watch/run", {**LONG, "puzzle": EASY})
    if (os.cpu_count() or 2) <= 2:
        assert json.loads(waiting.readline()[6:]) == {"type": "waiting", "before": 2}
    leave(second)
    leave(first)
    assert list(told(waiting))[-1]["type"] == "answer"


def test_a_solver_that_is_killed_ends_its_run_and_nothing_else(server: Server) -> None:
    response = at_work(server, LONG, 1)
    os.kill(solvers_of(server)[0], signal.SIGKILL)
    last = list(told(response))[-1]
    assert (last["type"], last["verdict"]) == ("answer", "CRASH")
    response = at_work(server, LONG, 1)
    watcher = next(pid for pid in children(server.process.pid) if children(pid))
    os.kill(watcher, signal.SIGKILL)
    assert list(told(response))[-1]["verdict"] == "CRASH"
    assert list(told(opened(server, "/api/watch/run", {**LONG, "puzzle": EASY})))[-1]["verdict"] == "SAT"


def test_what_makes_no_sense_is_refused_in_one_line(server: Server) -> None:
    lanes = [
        ([], "1 to 4"),
        ([{}] * 5, "1 to 4"),
        ([{"solver": "exec:/bin/sh {cnf}"}], "command line"),
        ([{"solver": "phases"}], "skyscrapers"),
        ([{"solver": "minisat22", "encoding": "nonsense"}], "nonsense"),
        ([{"solver": "nobody"}], "nobody"),
    ]
    for wanted, reason in lanes:
        status, answer = server.post("/api/watch/run", {"puzzle": EASY, "lanes": wanted})
        assert status == 400
        assert reason in answer["error"]
    status, _ = server.post("/api/watch/run", {"puzzle": EASY, "lanes": [{"solver": "auto"}], "count": 10**9})
    assert status == 400
    for path in ("a/b", "x/..%2f..%2fprogress.sqlite", "x/puzzle.cnf"):
        assert server.ask("GET", f"/api/watch/files/{path}")[0] == 404


@pytest.mark.slow
def test_files_are_made_once_and_fetched(server: Server) -> None:
    said = list(told(opened(server, "/api/watch/certify", {"puzzle": EASY})))
    [words] = [one["summary"] for one in said if one["type"] == "written"]
    assert words.startswith("One solution, and no other. ")
    names = {file["name"]: file["href"] for file in said[-1]["files"]}
    assert set(names) == {"puzzle.opb", "puzzle.pbp"}
    status, headers, body = server.ask("GET", names["puzzle.pbp"])
    assert status == 200
    assert body.startswith(b"pseudo-Boolean proof")
    assert headers["content-disposition"].startswith("attachment")
    folder = names["puzzle.pbp"].rpartition("/")[0]
    assert server.ask("GET", f"{folder}/..%2f..%2f")[0] == 404


@pytest.mark.slow
def test_the_server_ends_while_jobs_run(tmp_path: Path) -> None:
    own = Server(tmp_path)
    own.enter()
    response = at_work(own, LONG, 1)
    pids = solvers_of(own)
    own.close()
    assert settled(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
    leave(response)
