"""Machine code: what is handed over, what object files are made and kept, and who makes them."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from nonosat import random_density, solve
from nonosat.compiled import kernel, library
from nonosat.compiled.kernel import (
    ArrayType,
    NumberType,
    RecordLayout,
    RecordType,
    SeveralTypes,
    copy_of,
    kinds_of,
    release,
)
from nonosat.compiled.library import Library, name_of, units_for

CALLED = """
from __future__ import annotations
from typing import Annotated, NamedTuple
import numpy as np
import numpy.typing as npt
from nonosat.compiled import compiled, inlined

STEP = 3
Ints = npt.NDArray[np.int64]

class Pair(NamedTuple):
    left: Ints
    many: int
    table: Annotated[npt.NDArray[np.float64], 2]
    on: bool

@inlined
def stepped(value: int) -> int:
    return value + STEP

@compiled
def added(pair: Pair, at: int) -> int:
    '''The number at a place, and more.'''
    if pair.on:
        pair.table[at, 1] = float(pair.many)
    return stepped(pair.left[at]) + len(pair.left)

@compiled
def both(values: Ints, up: bool) -> tuple[int, np.uint64]:
    first = values[0]
    return (first + 1 if up else first - 1), np.uint64(2**63)

@compiled
def mean(values: npt.NDArray[np.float64]) -> float:
    return values.sum() / len(values)
"""
RECORDED = CALLED.replace("class Pair", "@record\nclass Pair").replace("inlined\n", "inlined, record\n", 1)
CALLING = """
from __future__ import annotations
from nonosat.compiled import compiled
from called_NAME import Pair, added, both, Ints

@compiled
def twice(pair: Pair, at: int) -> int:
    first, _ = both(pair.left, True)
    return added(pair, at) * 1000 + first

@compiled
def beyond(values: Ints, at: int) -> int:
    return values[at]
"""


class Modules:
    """The two modules above, written into a folder under names of their own."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.write("called", CALLED)
        self.write("calling", CALLING.replace("NAME", name))

    def write(self, which: str, text: str) -> None:
        (self.folder / f"{which}_{self.name}.py").write_text(text)

    def module(self, which: str) -> ModuleType:
        """It, as it is now."""
        sys.modules.pop(f"{which}_{self.name}", None)
        invalidate_caches()
        return import_module(f"{which}_{self.name}")


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Modules]:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(library, "kept_in", lambda: tmp_path)
    monkeypatch.setattr("nonosat.compiled.LIBRARY", Library())
    name = request.node.name
    yield Modules(tmp_path, name)
    for which in ("called", "calling"):
        sys.modules.pop(f"{which}_{name}", None)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.o"))


class Told(NamedTuple):
    number: int
    words: npt.NDArray[np.uint64]


def about(a: int | np.int64, b: Told, c: Annotated[npt.NDArray[np.uint8], 2], d: bool, e: float) -> tuple[int, int]:
    raise NotImplementedError


def test_kinds_are_read_off_annotations() -> None:
    assert kinds_of(about) == (
        (
            NumberType("int64"),
            RecordType("Told", (("number", NumberType("int64")), ("words", ArrayType("uint64", 1)))),
            ArrayType("uint8", 2),
            NumberType("boolean"),
            NumberType("float64"),
        ),
        SeveralTypes((NumberType("int64"), NumberType("int64"))),
    )

    def strange(a: str) -> None: ...

    with pytest.raises(TypeError, match="no kind of value"):
        kinds_of(strange)


@pytest.mark.slow
def test_numbers_arrays_records_and_several_results(modules: Modules) -> None:
    called, calling = modules.module("called"), modules.module("calling")
    pair = called.Pair(np.array([5, 6, 7]), 9, np.zeros((3, 2)), True)
    assert called.added(pair, 1) == 6 + 3 + 3
    assert pair.table.tolist() == [[0, 0], [0, 9], [0, 0]]
    assert called.added(pair._replace(on=False), 2) == 7 + 3 + 3
    assert pair.table[2].tolist() == [0, 0]
    assert called.both(np.array([5]), True) == (6, 2**63)
    assert called.both(np.array([5]), False) == (4, 2**63)
    assert called.mean(np.array([1.0, 2.0])) == 1.5
    assert calling.twice(pair, 0) == (5 + 3 + 3) * 1000 + 6
    frozen = np.array([1.0, 3.0])
    frozen.flags.writeable = False
    assert called.mean(frozen) == 2.0
    assert called.stepped(1) == 4
    assert called.added.__doc__ == "The number at a place, and more."


@pytest.mark.slow
def test_records_of_a_layout_are_as_if_they_were_packed_at_their_first_call(modules: Modules) -> None:
    modules.write(
        "called", CALLED.replace("class Pair", "@record\nclass Pair").replace("inlined\n", "inlined, record\n", 1)
    )
    called, calling = modules.module("called"), modules.module("calling")
    blocks = RecordLayout(called.Pair, {"many": 9, "on": True}, {"left": np.array([5, 6, 7]), "table": (3, 2)})
    shared = RecordLayout(called.Pair, {"many": 9, "on": True, "left": np.array([5, 6, 7])}, {"table": (3, 2)})
    plain = called.Pair(np.array([5, 6, 7]), 9, np.zeros((3, 2)), True)
    for pair in (blocks.record(), shared.record()):
        assert all(np.array_equal(one, other) for one, other in zip(pair, plain, strict=True))
        assert [type(one) for one in pair] == [type(other) for other in plain]
        packed = pair._packed
        assert called.added(pair, 1) == called.added(plain, 1)
        assert calling.twice(pair, 0) == calling.twice(plain, 0)
        assert pair.table.tolist() == plain.table.tolist()
        assert pair._packed is packed
        assert called.added(pair._replace(left=np.array([50, 60, 70])), 1) == 66
        plain.table[:] = 0
    first, second = blocks.record(), blocks.record()
    first.left[1], first.table[0, 0] = 60, 1.0  # each record's own
    assert (second.left.tolist(), second.table.sum(), blocks.record().left.tolist()) == ([5, 6, 7], 0.0, [5, 6, 7])


def test_equal_kinds_of_records_are_one_object() -> None:
    """A kernel asks by identity whether a record is packed as what it takes."""

    def pair() -> type:
        class Pair(NamedTuple):
            left: npt.NDArray[np.int64]
            many: int

        return Pair

    one, other = pair(), pair()
    assert one is not other
    assert kernel.kind_of(one) is kernel.kind_of(other)


@pytest.mark.slow
def test_a_released_record_is_the_next_one(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    modules.write("called", RECORDED)
    called = modules.module("called")
    layout = RecordLayout(called.Pair, {"many": 9, "on": True}, {"left": np.array([5, 6, 7])}, {"table": (3, 2)})
    first, other = layout.record(), layout.record()
    first.left[1], first.table[0, 0] = 60, 7.0
    block, packed = first.left.base, first._packed
    release(first._replace(left=first.left.copy()))  # a copy has no block
    assert not layout.spare
    release(first)
    del first
    again = layout.record()
    assert (again.left.base is block, again._packed is packed) == (True, True)
    assert (again.left.tolist(), again.table[0, 0]) == ([5, 6, 7], 7.0)
    assert called.added(again, 1) == called.added(other, 1)
    assert other.left.base is not block
    assert layout.record().left.base is not block
    monkeypatch.setattr(kernel, "KEPT", 8)
    large = RecordLayout(called.Pair, {"many": 9, "on": True}, {"left": np.array([5, 6, 7])}, {"table": (3, 2)})
    release(large.record())
    assert not large.spare


@pytest.mark.slow
def test_a_copy_has_arrays_of_its_own_and_needs_no_scratch(modules: Modules) -> None:
    modules.write("called", RECORDED)
    called = modules.module("called")
    layout = RecordLayout(called.Pair, {"many": 9, "on": True}, {"left": np.array([5, 6, 7])}, {}, {"table": (3, 2)})
    first = layout.record()
    first.left[1], first.table[:] = 60, 7.0
    for _ in range(2):  # in new memory, and in what the last one left
        other = copy_of(first)
        assert (other.left.tolist(), other.many, other.on, other.table.shape) == ([5, 60, 7], 9, True, (3, 2))
        other.left[2], other.table[:] = 70, 1.0
        assert (first.left.tolist(), first.table[0].tolist()) == ([5, 60, 7], [7.0, 7.0])
        assert called.added(other, 2) == called.added(first, 2) + 63
        release(other)


@pytest.mark.slow
def test_where_too_much_is_kept_it_begins_anew(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    modules.write("called", RECORDED)
    called = modules.module("called")
    layouts = [
        RecordLayout(called.Pair, {"many": 9, "on": True}, {"left": np.array([5, 6, 7])}, {"table": (3, 2)})
        for _ in range(5)
    ]
    monkeypatch.setattr(kernel, "_KEPT", kernel.KeptRecords())
    monkeypatch.setattr(kernel, "KEPT_IN_ALL", 3 * (layouts[0].size + kernel.OBJECTS))
    for layout in layouts[:3]:
        for _ in range(2):  # one that was kept before is not counted again
            release(layout.record())
    assert [len(layout.spare) for layout in layouts] == [1, 1, 1, 0, 0]
    release(layouts[3].record())
    release(layouts[4].record())
    assert [len(layout.spare) for layout in layouts] == [0, 0, 0, 1, 1]
    assert kernel._KEPT.words == 2 * (layouts[0].size + kernel.OBJECTS)
    assert layouts[0].record().left.tolist() == [5, 6, 7]


@pytest.mark.slow
def test_a_record_is_packed_once_and_its_copies_anew(modules: Modules) -> None:
    modules.write("called", RECORDED)
    called, calling = modules.module("called"), modules.module("calling")
    pair = called.Pair(np.array([5, 6, 7]), 9, np.zeros((3, 2)), True)
    first = called.added(pair, 1)
    packed = pair._packed
    pair.left[1] = 60  # what stands in its arrays is no part of what is packed
    assert (called.added(pair, 1), calling.twice(pair, 0)) == (first + 54, 11_006)
    assert pair._packed is packed
    others = [pair._replace(left=pair.left.copy()), copy.deepcopy(pair), pickle.loads(pickle.dumps(pair))]
    for other in others:
        other.left[1] = 600
        assert called.added(other, 1) == first + 594
        assert called.added(pair, 1) == first + 54
        assert type(other) is called.Pair
    with pytest.raises(TypeError):
        called.added(pair._replace(left=np.array([5.0])), 0)


@pytest.mark.slow
def test_a_packed_record_is_not_taken_for_one_of_another_kind(modules: Modules) -> None:
    text = CALLED.replace("class Pair", "@record\nclass Pair").replace("inlined\n", "inlined, record\n", 1)
    modules.write(
        "called",
        text
        + """
@record
class Other(NamedTuple):
    many: int
    left: Ints
    table: Ints
    on: int

@compiled
def of_other(other: Other) -> int:
    return other.many
""",
    )
    called = modules.module("called")
    other = called.Other(3, np.array([5]), np.array([6]), 1)
    assert called.of_other(other) == 3
    with pytest.raises((TypeError, AttributeError)):
        called.added(other, 0)


@pytest.mark.slow
def test_an_array_of_another_kind_is_refused(modules: Modules) -> None:
    called = modules.module("called")
    narrow, floats, two_dimensions, with_gaps = (
        *(np.array([5], dtype=np.int32), np.array([5.0]), np.array([[5]]), np.arange(8)[::2]),
    )
    for values in (narrow, floats, two_dimensions, with_gaps):
        with pytest.raises((TypeError, BufferError, ValueError)):
            called.both(values, True)


def test_a_file_a_module_and_a_name_for_all_that_it_rests_on(modules: Modules) -> None:
    def names() -> tuple[str, str]:
        modules.module("called"), modules.module("calling")
        return name_of(f"called_{modules.name}"), name_of(f"calling_{modules.name}")

    assert set(units_for(f"calling_{modules.name}" if modules.module("calling") else "")) == {
        f"called_{modules.name}",
        f"calling_{modules.name}",
    }
    before = names()
    modules.write("called", "# a comment\n" + CALLED)
    assert names() == before
    modules.write("called", CALLED.replace("STEP = 3", "STEP = 4"))  # a number that a built-in function uses
    assert names()[0] != before[0]
    assert names()[1] == before[1]
    modules.write("called", CALLED.replace("value + STEP", "value - STEP"))
    assert names()[0] != before[0]
    assert names()[1] == before[1]
    modules.write("called", CALLED.replace("    many: int\n", "    many: int\n    more: int\n"))  # another layout
    assert names()[0] != before[0]
    assert names()[1] != before[1]


@pytest.mark.slow
def test_an_edit_is_compiled_anew_and_nothing_else(modules: Modules) -> None:
    calling = modules.module("calling")
    called = sys.modules[f"called_{modules.name}"]
    pair = called.Pair(np.array([5, 6, 7]), 9, np.zeros((3, 2)), True)
    assert calling.twice(pair, 0) == 11_006
    before = files(modules.folder)
    assert len(before) == 2
    modules.write("called", CALLED.replace("STEP = 3", "STEP = 40"))
    environment = {**os.environ, "PYTHONPATH": str(modules.folder)}
    code = f"""
import sys
from pathlib import Path
import numpy as np
from nonosat.compiled import library as keeping
keeping.kept_in = lambda: Path({str(modules.folder)!r})
import calling_{modules.name} as calling
pair = calling.Pair(np.array([5, 6, 7]), 9, np.zeros((3, 2)), True)
print(calling.twice(pair, 0), "numba" in sys.modules)
"""
    both = [subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[0] for process in both] == [b"48006 False\n"] * 2
    after = files(modules.folder)
    assert len(after) == 3  # two at once made one file, and the caller's was kept
    assert set(before) < set(after)


@pytest.mark.slow
def test_what_cannot_be_compiled_is_an_error(modules: Modules) -> None:
    modules.write("called", CALLED.replace("return value + STEP", "return value.nowhere"))
    called = modules.module("called")
    with pytest.raises(RuntimeError, match=r"(?s)compiling failed.*nowhere"):
        called.added(called.Pair(np.array([5]), 9, np.zeros((3, 2)), True), 0)
    assert files(modules.folder) == []


@pytest.mark.slow
def test_an_index_out_of_bounds_is_an_error_where_bounds_are_checked(modules: Modules) -> None:
    code = f"""
from pathlib import Path
import numpy as np
from nonosat.compiled import library as keeping
keeping.kept_in = lambda: Path({str(modules.folder)!r})
from calling_{modules.name} import beyond
assert beyond(np.array([1, 2]), 1) == 2
for at in (2, -1):  # in compiled code none is counted from the end
    try:
        beyond(np.array([1, 2]), at)
    except IndexError as error:
        print(error)
assert beyond(np.array([1, 2]), 1) == 2
"""
    environment = {**os.environ, "PYTHONPATH": str(modules.folder), "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.count("beyond: an index out of bounds") == 2


@pytest.mark.slow
def test_warm_compiles_all_native_code_and_reports_it() -> None:
    done = subprocess.run([sys.executable, "-m", "nonosat", "warm"], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    assert "native code is there" in done.stderr.splitlines()[-1]
    import_module("nonosat.solvers.propagation.tree")
    names = {name_of(unit) for unit in units_for("nonosat.solvers.propagation.tree")}
    folder = library.kept_in()
    assert folder is not None
    assert names <= set(files(folder))


def test_the_range_of_numba_is_what_was_tested() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    major, minor = library.TESTED.split(".")
    assert f"numba>={major}.{minor},<{major}.{int(minor) + 1}" in project["project"]["dependencies"]
    assert library.untested() is None


def test_a_numba_whose_version_cannot_be_read_is_not_the_tested_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_version", lambda package: "")
    assert library.untested.__wrapped__() == "(of unknown version)"


SOLVES = """
import nonosat
board = nonosat.random_density(6, 6, 0.5, seed=1)
for limits in ({}, {}, {"time_limit_s": 600}):
    answer = nonosat.solve(board, solver="rowsearch", count=None, **limits)
    print(answer.verdict, len(answer.pictures))
board = nonosat.random_density(20, 20, 0.5, seed=3)
print(*[nonosat.solve(board, solver=solver).verdict for solver in ("propagation", "beliefs", "auto")])
"""
INSTRUCTIONS = """
import numba
import numpy as np
from nonosat.compiled.fallback import dispatcher_of
from nonosat.compiled.words import leading_zeros, lowest, mirrored, population
words = [np.uint64(word) for word in (0, 1, 6, 2**63, 2**64 - 1, 0x0123456789ABCDEF)]
for each in (leading_zeros, lowest, mirrored, population):
    instruction = dispatcher_of(each)
    compiled = numba.njit(lambda word: instruction(word))
    assert [int(compiled(word)) for word in words] == [int(each(word)) for word in words], each.name
"""


@pytest.mark.slow
def test_another_numba_compiles_by_itself_with_one_warning(tmp_path: Path) -> None:
    board = random_density(6, 6, 0.5, seed=1)
    (tmp_path / "sitecustomize.py").write_text("from nonosat.compiled import library\nlibrary.TESTED = '0.1'\n")
    cache = tmp_path / "cache"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-c", SOLVES], env=environment, capture_output=True, text=True, check=True)
    many = len(solve(board, solver="rowsearch", count=None).pictures)
    assert done.stdout == f"SAT {many}\n" * 3 + "SAT SAT SAT\n"
    [line] = done.stderr.splitlines()
    assert "is not the tested 0.1: compiled code is left to numba's cache" in line
    assert list(cache.rglob("*.nbc"))
    subprocess.run([sys.executable, "-c", INSTRUCTIONS], env=environment, check=True)


@pytest.mark.slow
def test_importing_the_compiler_leaves_numba_and_the_library_as_they_are() -> None:
    """Doctests import all modules, and so may others: only a process that compiles is taken over."""
    code = """
import nonosat.compiled.compiler
import numba
assert numba.njit(lambda x: x + 1)(1) == 2
import nonosat
assert nonosat.solve(nonosat.random_density(9, 9, 0.5, seed=1), solver="rowsearch").verdict == "SAT"
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
