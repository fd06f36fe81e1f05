"""Parts from outside: loaded once, told where they come from, refused in one line that names them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest
from sampling import spread

from nonosat import plugins, testing
from nonosat.encodings.parts import INTEGERS, Part
from nonosat.encodings.registry import encoding
from nonosat.errors import FormatError, NonosatError, UnknownNameError
from nonosat.plugins import Record, Table
from nonosat.puzzles.puzzle import kind_of
from nonosat.runs.solver import Solver
from nonosat.solvers.registry import solver
from nonosat.studies.plan import groups
from nonosat.studies.session import conduct
from nonosat.studies.store import StoreReader
from nonosat.studies.study import read

ROOT = Path(__file__).parents[1]
MINE = str(ROOT / "examples" / "my_encoding.py")
GCHQ = str(ROOT / "examples" / "gchq.json")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nonosat", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


class Colour(Record):
    axis = "colour"

    def __init__(self, name: str) -> None:
        self.name = name


def test_a_table_has_its_own_records_and_those_from_outside() -> None:
    red, blue = Colour("red"), Colour("blue")
    colours = Table("colour", Colour, [red])
    assert list(colours) == ["red"]
    with plugins.registered(blue, red):  # the same once more says nothing new
        assert dict(colours) == {"red": red, "blue": blue}
        assert colours.first() is red
        assert (brought := plugins.origin(blue)) is not None
        assert (brought.name, plugins.from_plugin(blue)) == ("registered", "; from registered")
        assert colours.own == ("red",)
    assert list(colours) == ["red"]
    assert plugins.origin(blue) is None
    with (
        plugins.registered(Colour("red")),
        pytest.raises(NonosatError, match="colour red: there is one"),
    ):
        list(colours)
    picky = Table("colour", Colour, [red], lambda record, others: f"does not go with {', '.join(others)}")
    with plugins.registered(blue), pytest.raises(NonosatError, match="colour blue: does not go with red"):
        list(picky)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, ": no such file"),
        ("x = 1\ny = x / 0\n", ":2: ZeroDivisionError: division by zero"),
        ("def f(:\n", ":1: SyntaxError: invalid syntax"),
        ("import nothing_of_that_name\n", ":1: ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("x = 1\n", ": has no list PARTS of its parts"),
        ("PARTS = 7\n", ": has no list PARTS of its parts"),
        ("PARTS = [7]\n", ": int is no part (a kind, rule, solver, ...)"),
        ("raise SystemExit(0)\n", ":1: RuntimeError: it calls sys.exit(0)"),
        ("raise ValueError('two\\nlines')\n", ":1: ValueError: two lines"),
    ],
)
def test_a_broken_plug_in_is_one_line_that_names_it(tmp_path: Path, text: str | None, reason: str) -> None:
    path = tmp_path / "broken.py"
    if text is not None:
        path.write_text(text)
    before = list(plugins.LOADED)
    with pytest.raises(NonosatError) as caught:
        plugins.load(str(path))
    assert str(caught.value) == f"plug-in broken.py{reason}"
    assert before == plugins.LOADED


def test_the_command_line_refuses_it_likewise(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("PARTS = 1 / 0\n")
    line = "nonosat: plug-in broken.py:1: ZeroDivisionError: division by zero\n"
    for done in (
        run("--plugin", str(tmp_path / "broken.py"), "list", "solvers"),
        run("list", "solvers", NONOSAT_PLUGINS=str(tmp_path / "broken.py")),
    ):
        assert (done.returncode, done.stdout, done.stderr) == (2, "", line)
    done = run("--plugin", "no_such_module", "list", "solvers")
    assert (done.returncode, done.stderr) == (
        2,
        "nonosat: plug-in no_such_module: ModuleNotFoundError: No module named 'no_such_module'\n",
    )


@pytest.mark.parametrize("source", ["", ".", "../parts", "two words", "parts.txt:x y"])
def test_what_is_neither_a_file_nor_a_module_is_reported(source: str) -> None:
    with pytest.raises(NonosatError, match=r"plug-in .*: neither a file NAME\.py nor a module"):
        plugins.load(source)


def test_a_file_is_one_plug_in_however_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_parts.py").write_text(Path(MINE).read_text().replace('"mine"', '"named"'))
    (tmp_path / "linked.py").symlink_to(tmp_path / "my_parts.py")
    monkeypatch.chdir(tmp_path)
    plugin = plugins.load("my_parts.py")
    try:
        assert plugins.load(str(tmp_path / "my_parts.py")) is plugins.load("linked.py") is plugin
    finally:
        plugins.remove(plugin)


def test_a_package_is_known_by_all_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "of_several").mkdir()
    (tmp_path / "of_several" / "__init__.py").write_text("from of_several.inner import PARTS\n")
    (tmp_path / "of_several" / "inner.py").write_text(Path(MINE).read_text().replace('"mine"', '"inner"'))
    monkeypatch.syspath_prepend(tmp_path)
    plugin = plugins.load("of_several")
    try:
        (tmp_path / "of_several" / "inner.py").write_text("# another one\n")
        with pytest.raises(NonosatError, match="plug-in of_several: the file has changed"):
            plugins.sources()
    finally:
        plugins.remove(plugin)


def test_a_broken_installed_plug_in_is_reported_and_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = metadata.EntryPoint("broken", "nothing_of_that_name:PARTS", plugins.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry])
    monkeypatch.setattr(plugins, "_discovered", False)
    monkeypatch.setattr(plugins, "BROKEN", {})
    with pytest.raises(UnknownNameError, match=r"known: nonogram, .*; broken is plug-in broken: ModuleNotFoundError"):
        kind_of("sudoku")
    assert kind_of("nonogram").name == "nonogram"
    assert list(plugins.BROKEN) == ["broken"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (Part("a+b", "ordering", len, "", "", kind="nonogram"), "encoding part 'a\\+b': a name has letters"),
        (Part("", "ordering", len, "", "", kind="nonogram"), "encoding part '': a name has letters"),
        (Part("new", "ordering", len, "", ""), "encoding part new: there is no kind of puzzle ''"),
        (Part("new", "orderings", len, "", "", kind="nonogram"), "nonogram has no slot 'orderings': channel, domain"),
        (Part("r3", "ordering", len, "", "", kind="nonogram"), "plug-in registered: two parts .* are called r3"),
        (Solver("new", "OWN", ""), "solver new: its family is 'OWN': one of SAT, CP, own"),  # type: ignore[arg-type]
        (Solver("new", "SAT", ""), "solver new: it has neither search nor solved"),
        (Solver("new", "own", ""), "solver new: it has no search"),
        (Solver("new", "SAT", "", solved=len, aliases=("m22",)), "solver new: m22 is another's name"),  # type: ignore[arg-type]
    ],
)
def test_a_record_that_nobody_could_use_is_refused(record: Record, reason: str) -> None:
    with pytest.raises(NonosatError, match=reason), plugins.registered(record):
        encoding("tight+r3+order") if isinstance(record, Part) else solver("minisat22")


def test_a_name_that_a_plug_in_replaces_is_reported(tmp_path: Path) -> None:
    (tmp_path / "again.py").write_text(Path(MINE).read_text().replace('"mine"', '"order"'))
    done = run("--plugin", str(tmp_path / "again.py"), "solve", GCHQ, "--encoding", "tight+r3")
    assert done.returncode == 2
    assert done.stderr == "nonosat: plug-in again.py: integer encoding order: there is one of that name already\n"


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (replace(solver("glucose4"), name="g4", aliases=()), "solver g4: g4 is another's name"),
        (replace(INTEGERS["order"], name="ladder"), "integer encoding ladder: an encoding's name has that word"),
        (replace(INTEGERS["order"], name="r3"), "two parts of encodings are called r3"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_name_that_would_not_be_found_is_refused(record: Record, reason: str) -> None:
    with plugins.registered(record), pytest.raises(NonosatError, match=f"^plug-in registered: {reason}"):
        encoding("tight+r3+order"), solver("g4")


def test_a_file_is_what_it_says_now_though_its_time_and_size_are_the_same(tmp_path: Path) -> None:
    """Python's cache of compiled modules knows a file by its second and size: the old text was run."""
    path = tmp_path / "number.py"
    for number in (1, 2, 3):
        path.write_text(f"PARTS = []\nNUMBER = {number}\ndef twice(x: int) -> int: return 2 * x\n")
        os.utime(path, (10**9, 10**9))
        module = plugins.module_of(path)
        assert number == module.NUMBER
        assert module.twice.__annotations__ == {"x": int, "return": int}  # no future of ours is the file's


def test_a_file_is_loaded_once_and_known_by_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "my_parts.py"
    path.write_text(Path(MINE).read_text().replace('"mine"', '"twice"'))
    before = list(plugins.LOADED)
    try:
        plugin = plugins.load(str(path))
        assert plugins.load(str(path)) is plugin
        assert [*before, plugin] == plugins.LOADED
        assert plugin.identity.startswith("my_parts.py sha256:")
        assert plugins.sources()[-1] == f"{path}\nmy_parts.py\n{plugin.identity}"
        plugins.load_same(plugins.sources()[-1])
        with pytest.raises(NonosatError, match=r"plug-in my_parts\.py: the file has changed since it was loaded"):
            plugins.load_same(f"{path}\nmy_parts.py\nmy_parts.py sha256:0")
        path.write_text(path.read_text() + "# saved again\n")
        with pytest.raises(NonosatError, match=r"plug-in my_parts\.py: the file has changed since it was loaded"):
            plugins.sources()
        assert [record.name for record in plugin.records] == ["twice"]
    finally:
        plugins.remove(plugin)


@pytest.mark.parametrize(
    "limits", spread([((),), (("--time-limit", "60"),)], 0), ids=["here", "in a process of its own"]
)
def test_an_encoding_from_a_file_is_solved_with(limits: tuple[str, ...]) -> None:
    done = run("--plugin", MINE, "solve", GCHQ, "--encoding", "tight+r3+mine", "--solver", "minisat22", *limits)
    assert done.returncode == 10
    assert "SAT, checked · minisat22, tight+r3+mine" in done.stderr
    without = run("solve", GCHQ, "--encoding", "tight+r3+mine")
    assert without.returncode == 2
    assert without.stderr.startswith("nonosat: unknown encoding part 'mine'; known: ")


@pytest.mark.slow
def test_it_is_listed_encoded_and_decoded(tmp_path: Path) -> None:
    formula, answer = str(tmp_path / "g.cnf"), tmp_path / "out"
    assert (
        "order encoding by [v >= a] (this file); from my_encoding.py"
        in run("--plugin", MINE, "list", "encodings").stdout
    )
    assert run("--plugin", MINE, "list", "plugins").stdout == "my_encoding.py  integer encoding mine\n"
    assert run("list", "plugins").stderr == "there are no plug-ins\n"
    assert run("--plugin", MINE, "encode", GCHQ, "--encoding", "tight+r3+mine", "-o", formula).returncode == 0
    answer.write_text("s UNSATISFIABLE\n")
    assert run("--plugin", MINE, "decode", formula, str(answer)).returncode == 20
    alone = run("decode", formula, str(answer))
    assert alone.returncode == 2
    assert "its encoding is tight+r3+mine: unknown encoding part 'mine'" in alone.stderr
    assert alone.stderr.endswith("; one of a plug-in is known with --plugin\n")


STUDY = """
plugins = ["mine.py"]
encodings = ["tight+r3+theirs", "tight+r3"]
solvers = ["minisat22"]
[[puzzles]]
generator = "density"
sizes = [5]
densities = [0.5]
count = 2
"""


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Path]:
    """A study with an encoding of a file beside it."""
    (tmp_path / "mine.py").write_text(Path(MINE).read_text().replace('"mine"', '"theirs"'))
    (tmp_path / "study.toml").write_text(STUDY)
    before = list(plugins.LOADED)
    yield tmp_path / "study.toml"
    for plugin in [plugin for plugin in plugins.LOADED if plugin not in before]:
        plugins.remove(plugin)


@pytest.mark.slow
def test_a_study_loads_its_plug_ins_and_records_them(study: Path) -> None:
    done = conduct(read(str(study)), study.with_suffix(".sqlite"))
    assert (done.total, done.outcomes["SAT"]) == (4, 4)
    with StoreReader(study.with_suffix(".sqlite")) as reader:
        records = list(reader.records())
        [document] = reader.provenances().values()
    assert sorted({record["parts"] for record in records}) == ["tight+r3+order", "tight+r3+theirs"]
    [identity] = document["plugins"]
    assert identity.startswith("mine.py sha256:")


def keys_of(study: Path) -> dict[tuple[str, str | None], str]:
    return {(group.instance.name, group.written): group.runs[0].key for group in groups(read(str(study)))}


def test_the_key_of_a_run_depends_on_the_plug_ins_that_it_uses_and_on_no_others(study: Path) -> None:
    before = keys_of(study)
    plugins.remove(plugins.load(str(study.with_name("mine.py"))))
    study.with_name("mine.py").write_text(study.with_name("mine.py").read_text() + "# another version\n")
    after = keys_of(study)
    assert before.keys() == after.keys()
    assert {encoding for (_, encoding), key in before.items() if after[_, encoding] != key} == {"tight+r3+theirs"}


def test_a_study_whose_plug_in_is_broken_is_refused_in_one_line(study: Path) -> None:
    study.with_name("mine.py").write_text("PARTS = [1 / 0]\n")
    with pytest.raises(FormatError) as caught:
        read(str(study))
    assert str(caught.value) == f"{study}:2: plugins: plug-in mine.py:1: ZeroDivisionError: division by zero"
    study.write_text(STUDY.replace('["mine.py"]', "[7]"))
    with pytest.raises(FormatError, match="plugins: must hold names, not 7"):
        read(str(study))


@pytest.mark.slow
def test_the_example_passes_the_battery() -> None:
    checks = testing.battery(MINE)
    try:
        assert len(checks) == 9
        for check in checks:
            check()
    finally:
        plugins.remove(plugins.load(MINE))
