"""What a limited search needs is loaded and compiled before its clock starts, whatever it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import hostile
import numpy as np
import pytest
from strays import marked as marked_processes
from strays import settled, strays

import nonosat
from nonosat.compiled.library import kept_in
from nonosat.runs.events import Event, Finished, Found, Loading, Stopped, Verdict
from nonosat.runs.isolation import POOL, isolated
from nonosat.runs.limits import Limits
from nonosat.runs.run import last_attempt, run, values_within
from nonosat.solvers.registry import solvers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits need Linux")

EXAMPLES = Path(__file__).parents[1] / "examples"
SHORT = Limits(wall_s=4.0)

COMPILES = """
from nonosat.compiled import compiled
import sys
import numpy as np
import numpy.typing as npt

@compiled
def total(values: npt.NDArray[np.float64]) -> float:
    found = 0.0
    for i in range(len(values)):
        found += values[i] * i
    return found

def said():
    assert total(np.arange(4.0)) == 14
    return f"numba here: {'numba' in sys.modules}"
"""


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    POOL.close()
    with marked_processes():
        yield tmp_path
        POOL.close()
        settled(lambda: not strays())
        assert strays() == []


def written(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.py").write_text(text)
    return name


def forget(name: str) -> None:
    """Remove the machine code of a module that was compiled before."""
    folder = kept_in()
    assert folder is not None
    for path in folder.glob(f"{name}-*.o"):
        path.unlink()


def ended(events: list[Event]) -> Finished:
    last = events[-1]
    assert isinstance(last, Finished), last
    return last


@pytest.mark.slow
def test_a_slow_import_is_on_no_clock_and_the_search_begins_anew(modules: Path) -> None:
    name = written(modules, "slow_to_load", "import time\ntime.sleep(5)\ndef said(): return 'all there'")
    events = list(isolated(hostile.needs, (name,), SHORT))
    assert ended(events).reason == "all there"
    begins = max(i for i, event in enumerate(events) if isinstance(event, Loading))
    assert Loading(name) in events
    assert [event.cells.item() for event in events if isinstance(event, Found)] == [0, 0, 1]
    assert [event.cells.item() for event in events[begins:] if isinstance(event, Found)] == [0, 1]
    again = list(isolated(hostile.needs, (name,), SHORT))
    assert not any(isinstance(event, Loading) for event in again)
    assert ended(again).reason == "all there"


@pytest.mark.slow
def test_after_much_work_a_module_is_loaded_in_place_but_in_a_measured_run(modules: Path) -> None:
    limits = Limits(wall_s=600)
    names = [written(modules, f"needed_late_{i}", "def said(): return 'all there'") for i in range(3)]
    events = list(isolated(hostile.works_and_needs, (names[0],), limits))
    assert Loading(names[0]) not in events
    assert [event.cells.item() for event in events if isinstance(event, Found)] == [0, 1]
    again = list(isolated(hostile.needs, (names[0],), limits))  # the next run finds it loaded
    assert not any(isinstance(event, Loading) for event in again)
    assert Loading(names[1]) in isolated(hostile.needs, (names[1],), limits)
    arguments = ("", f"works_and_needs {names[2]}")
    assert Loading(names[2]) in isolated(hostile.from_file, arguments, limits, waits=True)


@pytest.mark.slow
def test_after_much_work_code_is_compiled_on_no_clock_all_the_same(modules: Path) -> None:
    forget("compiles_late")
    name = written(modules, "compiles_late", COMPILES)
    told = [
        event.what
        for event in isolated(hostile.works_and_needs, (name,), Limits(wall_s=600))
        if isinstance(event, Loading)
    ]
    assert "compiling native code, once a machine: 1 of 1, compiles_late" in told


@pytest.mark.slow
def test_what_a_run_repeats_is_dropped(modules: Path) -> None:
    name = written(modules, "loaded_late", "def said(): return 'all there'")
    events = list(run(hostile.needs, (name,), SHORT))
    assert Loading(name) in events
    assert [event.cells.item() for event in events if isinstance(event, Found)] == [0, 1]
    assert ended(events).reason == "all there"
    other = written(modules, "loaded_late_too", "")
    assert list(values_within(hostile.numbers, (other,), {"time_limit_s": 60})) == [0, 1, 2]
    third = written(modules, "loaded_later", "def said(): return 'all there'")
    events = last_attempt(hostile.needs, (third,), SHORT)
    assert [event.cells.item() for event in events if isinstance(event, Found)] == [0, 1]


def test_a_solution_that_comes_twice_in_one_attempt_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = np.zeros((1, 1)), np.ones((1, 1))

    def events(*_: object, **__: object) -> Iterator[Event]:
        yield Found(one)
        yield Loading("more")
        yield Found(other)
        yield Found(one)
        yield Found(one)

    monkeypatch.setattr("nonosat.runs.isolation.isolated", events)
    found = [event.cells.item() for event in run(hostile.needs, (), SHORT) if isinstance(event, Found)]
    assert found == [0, 1, 0]


@pytest.mark.slow
def test_compiling_is_on_no_clock_and_its_memory_in_no_run(modules: Path) -> None:
    """It takes longer than the limit, and is done by processes of their own; its progress is told."""
    forget("compiles")
    name = written(modules, "compiles", COMPILES)
    limits = Limits(cpu_s=0.2)
    events = list(isolated(hostile.needs, (name,), limits))
    assert ended(events).reason == "numba here: False"
    told = [event.what for event in events if isinstance(event, Loading)]
    assert "compiling native code, once a machine: 1 of 1, compiles" in told
    assert not any(isinstance(event, Loading) for event in isolated(hostile.needs, (name,), limits))
    POOL.close()
    told = [event.what for event in isolated(hostile.needs, (name,), limits) if isinstance(event, Loading)]
    assert name in told
    assert not any("compiling" in what for what in told)


def test_a_module_that_fails_fails_where_it_is_imported(modules: Path) -> None:
    name = written(modules, "broken", "raise ValueError('not today')")
    assert ended(list(isolated(hostile.needs_a_broken_one, (name,), SHORT))).reason == "not today"
    *_, last = isolated(hostile.needs, ("no_such_module_anywhere",), SHORT)
    assert isinstance(last, Stopped)
    assert (last.verdict, last.raised) == (Verdict.CRASH, True)
    assert "no_such_module_anywhere" in last.reason


@pytest.mark.slow
def test_limits_still_strike_a_search_that_has_what_it_needs(modules: Path) -> None:
    name = written(modules, "sleeps_after", "import time\ndef said(): time.sleep(600)")
    *_, last = isolated(hostile.needs, (name,), SHORT)
    assert isinstance(last, Stopped)
    assert last.verdict is Verdict.TIMEOUT


HARD = """
from nonosat import random_density, save
save(random_density(30, 30, 0.4, 1), "hard.mk")
save(random_density(3, 70, 0.5, 1), "wide.mk")
"""


@pytest.mark.slow
@pytest.mark.nightly
def test_a_fresh_copy_answers_at_its_first_run_whatever_the_solver(tmp_path: Path) -> None:
    """A limit far shorter than compiling takes: it says what it says once all is compiled."""
    package = Path(nonosat.__file__).parent
    shutil.copytree(package, tmp_path / "nonosat", ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def nonosat_says(*words: str) -> int:
        command = [sys.executable, "-m", "nonosat", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False).returncode

    subprocess.run([sys.executable, "-c", HARD], cwd=tmp_path, env=environment, check=True)
    (tmp_path / "towers.sky").write_text((EXAMPLES / "towers.sky").read_text())
    (tmp_path / "small.mk").write_text("2 2\n1\n1\n#\n1\n1\n")
    asked = [("hard.mk",), ("hard.mk", "--solver", "auto"), ("wide.mk", "--solver", "propagation"), ("towers.sky",)]
    for name, entry in solvers().items():
        asked.append(("towers.sky" if entry.kind == "skyscrapers" else "small.mk", "--solver", name))
    for words in asked:
        assert nonosat_says("solve", *words, "--time-limit", "5") == 10, words


LATE = """
import sys
from importlib import import_module
from nonosat import Model
from nonosat.modelling import certify, within

def run(_, function, *arguments, preload=()):
    for name in (function.__module__, *preload):
        import_module(name)
    before = set(sys.modules)
    result = function(*arguments)
    print(*sorted(name for name in set(sys.modules) - before if name.startswith("nonosat.")))
    return result

within.within = run
model = Model("sum")
x = model.integer("x", 0, 5, shape=3)
model.add(model.all_different(x), x.sum() == 3, x[0] < x[1], x[1] < x[2])
assert model.certify().pbp is not None
model.explain(x[0] == 0)
"""


@pytest.mark.slow
def test_what_models_do_under_limits_imports_nothing_late() -> None:
    """It would begin anew, with all of its work."""
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr
