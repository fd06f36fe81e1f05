"""The store: what was acknowledged is there, each run once, whatever happens meanwhile."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow
import pytest
from fake_execute import record
from pyarrow import parquet

from nonosat.encodings.registry import encoding
from nonosat.errors import FormatError, NonosatError, UnsupportedError
from nonosat.runs.events import Verdict
from nonosat.studies.analysis import frames
from nonosat.studies.export import export, merge
from nonosat.studies.provenance import identity, provenance, versions
from nonosat.studies.records import NAMES, SCHEMA
from nonosat.studies.store import Store, StoreError, StoreReader, written_to


def filled(path: Path, *keys: str, study: str = "s", **values: object) -> Path:
    with Store(path, study, "text of the study") as store:
        for key in keys:
            store.add(record(key, **values))
    return path


def test_what_is_stored_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    stored = record("k", unique=True, goal=False, density=0.4, rows=20, wall_s=1.5, reason="ü\n'\"", propagations=2**60)
    with Store(path, "s") as store:
        store.add(stored)
    with StoreReader(path) as reader:
        (found,) = reader.records()
        assert found == stored
        assert list(found) == list(NAMES)
        assert found["unique"] is True
        assert found["goal"] is False
        assert (reader.study, reader.meta("schema")) == ("s", str(SCHEMA))


def test_what_is_no_number_is_absent(tmp_path: Path) -> None:
    with StoreReader(filled(tmp_path / "s.sqlite", "k", wall_s=float("nan"), cpu_s=float("inf"))) as reader:
        (found,) = reader.records()
        assert (found["wall_s"], found["cpu_s"]) == (None, None)


def test_a_finished_run_is_kept_and_an_interrupted_one_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    for outcome, expected in (("INTERRUPTED", "INTERRUPTED"), ("TIMEOUT", "TIMEOUT"), ("SAT", "TIMEOUT")):
        filled(path, "k", outcome=outcome)
        with StoreReader(path) as reader:
            assert reader.outcomes() == {"k": expected}
            assert reader.finished_keys() == ({"k"} if expected != Verdict.INTERRUPTED else set())
            assert reader.count() == {expected: 1}


def test_records_are_acknowledged_once_a_reader_can_see_them(tmp_path: Path) -> None:
    path, seen = tmp_path / "s.sqlite", []

    def acknowledged(keys: object) -> None:
        with StoreReader(path) as reader:
            seen.append((keys, reader.finished_keys()))

    with Store(path, "s", stored=acknowledged) as store:
        store.add(record("a"))
        store.flush()
        with StoreReader(path) as reader:
            assert reader.finished_keys() == {"a"}
        for number in range(2000):
            store.add(record(str(number)))
    assert sum(len(keys) for keys, _ in seen) == 2001
    assert all(set(keys) <= there for keys, there in seen)
    assert len(seen) < 200  # they are committed together


def test_a_second_writer_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path, "s") as store:
        with pytest.raises(StoreError, match=r"s\.sqlite: another process is writing to it"):
            Store(path, "s")
        store.add(record("a"))
        store.flush()
        with StoreReader(path) as reader:
            assert reader.count() == {"SAT": 1}
    filled(path, "b")
    assert [p.name for p in tmp_path.iterdir()] == ["s.sqlite"]


@pytest.mark.slow
def test_readers_while_it_is_written(tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite", "first")
    stop, counts = threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            with StoreReader(path) as reader:
                counts.append(len(list(reader.records())))

    thread = threading.Thread(target=read)
    thread.start()
    with Store(path, "s") as store:
        for number in range(5000):
            store.add(record(str(number)))
    stop.set()
    thread.join()
    assert counts == sorted(counts)
    with StoreReader(path) as reader:
        assert reader.count() == {"SAT": 5001}


def test_what_is_no_store_or_another_one(tmp_path: Path) -> None:
    text, other, newer = tmp_path / "text", tmp_path / "other.sqlite", filled(tmp_path / "newer.sqlite", "k")
    text.write_text("hello, this is no database at all" * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE runs (key TEXT)")
    connection.close()
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE name = 'schema'")
    connection.close()
    for path, reason in (
        (text, "not a store of nonosat"),
        (other, "not a store of nonosat"),
        (newer, "a store of schema 99; this nonosat knows"),
        (tmp_path, "no such file|unable to open"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(StoreError, match=reason) as caught:
            Store(path, "s")
        assert str(caught.value).startswith(str(path))
        with pytest.raises(StoreError, match=reason):
            StoreReader(path)
        assert before == (path.read_bytes() if path.is_file() else b"")
    (tmp_path / "empty.sqlite").touch()
    with pytest.raises(StoreError, match=r"empty\.sqlite: empty: nothing is stored yet"):
        StoreReader(tmp_path / "empty.sqlite")
    with pytest.raises(StoreError, match=r"s\.sqlite: the store of study 's', not of 'another'"):
        Store(filled(tmp_path / "s.sqlite", "k"), "another")
    with pytest.raises(StoreError, match="no such directory"):
        Store(tmp_path / "nix" / "s.sqlite", "s")
    with pytest.raises(StoreError, match="no such file"):
        StoreReader(tmp_path / "nix.sqlite")


def test_a_store_from_before_a_field_was_new(tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite", "old", nodes=3)
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE runs DROP COLUMN nodes")
    connection.close()
    with StoreReader(path) as reader:
        assert [r["nodes"] for r in reader.records()] == [None]
    filled(path, "new", nodes=4)
    with StoreReader(path) as reader:
        assert [r["nodes"] for r in reader.records()] == [None, 4]


@pytest.mark.slow
def test_an_older_schema_s_encodings_have_today_s_names(tmp_path: Path) -> None:
    """What was called ``direct`` was support clauses; runs of it keep their keys."""
    path = filled(tmp_path / "s.sqlite", "k", encoding="tight+r3+direct", parts="tight+r3+direct")
    for suffix in ("parquet", "jsonl", "csv"):
        with StoreReader(path) as reader:
            export(reader, tmp_path / f"new.{suffix}")
            older = replace_schema(reader.path, tmp_path / f"old-{suffix}.sqlite")
        with StoreReader(older) as reader, pytest.MonkeyPatch.context() as patched:
            patched.setattr("nonosat.studies.export.SCHEMA", 2)
            patched.setattr("nonosat.studies.store.renamed", lambda name, schema: name)
            export(reader, tmp_path / f"old.{suffix}")
        for file, name in ((f"new.{suffix}", "tight+r3+direct"), (f"old.{suffix}", "tight+r3+support")):
            table = frames.load(tmp_path / file)
            assert table[["encoding", "parts"]].to_numpy().tolist() == [[name, name]]
        assert frames.load(older)["parts"].tolist() == ["tight+r3+support"]
    with StoreReader(older) as reader:
        [found] = reader.records()
        assert (found["encoding"], found["parts"]) == ("tight+r3+support", "tight+r3+support")
    with Store(older, "s") as store:
        store.add(record("new", encoding="tight+r3+direct", parts="tight+r3+direct"))
    with StoreReader(older) as reader:
        assert [each["parts"] for each in reader.records()] == ["tight+r3+support", "tight+r3+direct"]
        assert (reader.meta("schema"), reader.meta("made_by_schema")) == (str(SCHEMA), "2")
    assert encoding("tight+r3+support").key == "tight+r3+direct"
    assert len({encoding(f"tight+r3+{name}").key for name in ("order", "direct", "support")}) == 3


def test_an_older_schema_s_limits_have_today_s_names(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path, "s", "[limits]\ntime_limit_s = 5\n") as store:
        store.add(record("k", time_limit_s=5.0, memory_limit_mb=100.0))
    older = replace_schema(path, tmp_path / "old.sqlite")
    with sqlite3.connect(older) as connection:
        for now, then in (("time_limit_s", "limit_wall_s"), ("memory_limit_mb", "limit_memory_mb")):
            connection.execute(f"ALTER TABLE runs RENAME COLUMN {now} TO {then}")
        connection.execute("UPDATE meta SET value = '[limits]\nwall_s = 5\n' WHERE name = 'toml'")
    connection.close()
    with StoreReader(older) as reader:
        assert [(each["time_limit_s"], each["memory_limit_mb"]) for each in reader.records()] == [(5.0, 100.0)]
        assert reader.toml == "[limits]\ntime_limit_s = 5\n"
    assert frames.load(older)["time_limit_s"].tolist() == [5.0]
    (tmp_path / "old.csv").write_text("key,outcome,limit_wall_s\nk,SAT,5\n")
    assert frames.load(tmp_path / "old.csv")["time_limit_s"].tolist() == [5.0]
    with Store(older, "s") as store:
        store.add(record("new", time_limit_s=6.0))
    with StoreReader(older) as reader:
        assert [each["time_limit_s"] for each in reader.records()] == [5.0, 6.0]
        assert (reader.toml, reader.meta("toml")) == ("[limits]\ntime_limit_s = 5\n",) * 2


def replace_schema(path: Path, copy: Path) -> Path:
    """A copy of a store as schema 2 left it."""
    copy.write_bytes(path.read_bytes())
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE meta SET value = '2' WHERE name = 'schema'")
    connection.close()
    return copy


def test_a_store_whose_maker_was_killed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    sqlite3.connect(path).execute("PRAGMA journal_mode = WAL").connection.close()
    filled(path, "k")
    with StoreReader(path) as reader:
        assert reader.count() == {"SAT": 1}


# ---------------------------------------------------------------- accidents


def test_a_store_whose_writer_was_killed_as_it_closed(tmp_path: Path) -> None:
    """What it had begun to write into the file itself is undone by whoever opens it next, readers as well."""
    path = filled(tmp_path / "s.sqlite", *map(str, range(200)))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("journal_mode = DELETE", "synchronous = OFF", "cache_size = 1"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE runs SET outcome = 'TIMEOUT'")
        for name in ("by a reader", "by a writer", "by a table"):
            shutil.copy(path, tmp_path / name)
            shutil.copy(f"{path}-journal", tmp_path / f"{name}-journal")
    assert b"TIMEOUT" in (tmp_path / "by a reader").read_bytes(), "nothing was half done"
    with StoreReader(tmp_path / "by a reader") as reader:
        assert reader.count() == {"SAT": 200}
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.connection.execute("DELETE FROM runs")
    with Store(tmp_path / "by a writer", "s") as store:
        assert store.count() == {"SAT": 200}
    assert set(frames.load(tmp_path / "by a table")["outcome"]) == {"SAT"}


WRITER = """
import sys, os
sys.path.insert(0, {root!r})
from nonosat.studies.store import Store
from fake_execute import record
name = sys.argv[2]
with Store(sys.argv[1], "s", stored=lambda keys: os.write(1, "".join(key + "\\n" for key in keys).encode())) as store:
    for number in range(1_000_000):
        store.add(record(f"{{name}}-{{number}}"))
        if number % 50 == 49:
            store.flush()
"""


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_to_kill_9(tmp_path: Path) -> None:
    path, acknowledged = tmp_path / "s.sqlite", set()
    script = WRITER.format(root=str(Path(__file__).parent))
    for attempt in range(5):
        command = [sys.executable, "-c", script, str(path), str(attempt)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(100 * attempt + 1):
            acknowledged.add(process.stdout.readline().strip())
        process.send_signal(signal.SIGKILL)
        rest = process.communicate()[0]
        acknowledged.update(rest.split("\n")[:-1])
        with StoreReader(path) as reader:
            assert acknowledged <= reader.finished_keys()
            assert reader.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(acknowledged) > 1000
    filled(path, "after")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_reported_and_keeps_what_is_committed(small_disk: Path) -> None:
    path, acknowledged = small_disk / "s.sqlite", []
    store = Store(path, "s", stored=acknowledged.extend)

    def fill() -> None:
        for number in range(100_000):
            store.add(record(str(number), reason="x" * 100))
            if number % 100 == 0:
                store.flush()

    with pytest.raises(StoreError, match=r"s\.sqlite: the disk is full; what was stored before is kept"):
        fill()
    store.close()
    assert len(acknowledged) > 100
    with StoreReader(path) as reader:
        assert set(acknowledged) == reader.finished_keys()
        assert reader.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# ---------------------------------------------------------------- provenance


def test_provenance_has_the_listed_fields_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NONOSAT_SECRET", "xyzzy")
    document = provenance(["minisat22", f"exec:{sys.executable} -c pass {{cnf}}"])
    assert set(document) == {"versions", "system", "files", "source", "machine"}
    assert document["versions"] == versions()
    assert len(document["files"]["pysolvers"]) == 64
    assert len(document["files"][Path(sys.executable).name]) == 64
    text = json.dumps(document)
    assert "xyzzy" not in text
    assert str(Path.home()) not in text
    assert os.uname().nodename not in text
    assert identity(document) == identity(json.loads(text))
    assert len(identity(document)) == 16


def test_provenance_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    from nonosat.studies import provenance as module

    monkeypatch.setenv("PATH", "/nowhere")
    module._checkout.cache_clear()
    assert module._checkout() == {"commit": None, "dirty": None}
    module._checkout.cache_clear()


# ---------------------------------------------------------------- out of it


def test_json_lines(tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite", "a", "b", unique=True)
    with Store(path, "s") as store:
        name = store.provenance({"versions": {"nonosat": "0"}})
    with StoreReader(path) as reader:
        assert export(reader, tmp_path / "r.jsonl") == 2
        lines = (tmp_path / "r.jsonl").read_text().splitlines()
        assert [json.loads(line) for line in lines] == list(reader.records())
        assert list(json.loads(lines[0])) == list(NAMES)
        about = json.loads((tmp_path / "r.provenance.json").read_text())
        assert about["provenance"] == {name: {"versions": {"nonosat": "0"}}}
        assert about["toml"] == "text of the study"
        with pytest.raises(UnsupportedError, match=r"r\.xls: records are exported as \.jsonl, \.csv or \.parquet"):
            export(reader, tmp_path / "r.xls")
        with pytest.raises(NonosatError, match="no such directory"):
            export(reader, tmp_path / "nix" / "r.jsonl")


def test_parquet(tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite", "a", "b", unique=True, rows=20)
    with Store(path, "s") as store:
        name = store.provenance({"versions": {"nonosat": "0"}})
    with StoreReader(path) as reader:
        assert export(reader, tmp_path / "r.parquet") == 2
        table = parquet.read_table(tmp_path / "r.parquet")
        assert table.to_pylist() == list(reader.records())
        assert table.column_names == list(NAMES)
        assert table.schema.field("rows").type == "int64"
        assert table.schema.field("unique").type == "bool"
        metadata = table.schema.metadata
        assert json.loads(metadata[b"nonosat.provenance"]) == {name: {"versions": {"nonosat": "0"}}}
        assert metadata[b"nonosat.toml"] == b"text of the study"
        assert metadata[b"nonosat.schema"] == str(SCHEMA).encode()


def test_csv(tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite", "a", "b", unique=True, rows=20, reason='said "no", and left')
    with StoreReader(path) as reader:
        assert export(reader, tmp_path / "r.csv") == 2
        with (tmp_path / "r.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [list(row) for row in rows] == [list(NAMES)] * 2
        assert [row["unique"] for row in rows] == ["true", "true"]
        assert rows[0]["reason"] == 'said "no", and left'
        assert rows[0]["density"] == ""
    assert frames.load(tmp_path / "r.csv").equals(frames.load(path))
    assert frames.about(tmp_path / "r.csv") == frames.about(path)
    assert frames.about(path).toml == "text of the study"


@pytest.mark.parametrize(("text", "says"), [("", "no column is called outcome"), ("a,b\n1,2\n", "no column")])
def test_csv_of_something_else(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(FormatError, match=says):
        frames.load(tmp_path / "x.csv")


def test_merging(tmp_path: Path) -> None:
    one = filled(tmp_path / "1.sqlite", "a", "b", wall_s=1.0)
    two = filled(tmp_path / "2.sqlite", "b", "c", wall_s=2.0)
    for store, outcome in ((one, "INTERRUPTED"), (two, "SAT")):
        filled(store, "d", outcome=outcome)
    for store, outcome in ((one, "SAT"), (two, "INTERRUPTED")):
        filled(store, "e", outcome=outcome)
    for store, outcome in ((one, "SAT"), (two, "UNSAT")):
        filled(store, "f", outcome=outcome)
    for key, outcomes in (("g", ("TIMEOUT", "SAT")), ("h", ("UNSAT", "MEMOUT"))):
        for store, outcome in zip((one, two), outcomes, strict=True):
            filled(store, key, outcome=outcome)
    for store, found in ((one, 3), (two, 5)):
        filled(store, "i", outcome="CPUOUT", solutions=found)
    for store, unique in ((one, None), (two, False)):  # an older record did not say it
        filled(store, "j", outcome="UNSAT", unique=unique)
    target = tmp_path / "all.sqlite"
    merged = merge([one, two], target)
    assert (merged.records, merged.same, merged.limited, len(merged.conflicts)) == (10, 6, 3, 1)
    assert merged.conflicts[0].startswith("f (density/2x2/0.5/0, tight+r3, minisat22): SAT is kept, ")
    with StoreReader(target) as reader:
        ends = {"g": "TIMEOUT", "h": "UNSAT", "i": "CPUOUT", "j": "UNSAT"}
        assert reader.outcomes() == dict.fromkeys("abcdef", "SAT") | ends
        assert {r["key"]: r["wall_s"] for r in reader.records()}["b"] == 1.0
        assert reader.meta("toml") == "text of the study"
    assert merge([one, two], target).records == 10
    with pytest.raises(StoreError, match="is among the stores"):
        merge([one, two], one)
    with pytest.raises(StoreError, match="different studies"):
        merge([one, filled(tmp_path / "3.sqlite", "x", study="other")], target)


def test_exported_records_become_a_store_again(tmp_path: Path) -> None:
    one = filled(tmp_path / "1.sqlite", "a", "b", outcome="SAT", load_average=1.25, unique=False)
    with StoreReader(one) as reader:
        export(reader, tmp_path / "records.parquet")
        records, provenances = list(reader.records()), reader.provenances()
    assert merge([tmp_path / "records.parquet"], tmp_path / "again.sqlite").records == 2
    with StoreReader(tmp_path / "again.sqlite") as reader:
        assert list(reader.records()) == records
        assert reader.provenances() == provenances
        assert (reader.study, reader.toml) == ("s", "text of the study")
    published = Path(__file__).parents[1] / "results"
    for name in ("cadical-options", "castilho2018-readings"):  # of older schemas
        if not published.is_dir():  # the tests of a wheel
            continue
        merge([published / f"{name}.parquet"], tmp_path / f"{name}.sqlite")
        with StoreReader(tmp_path / f"{name}.sqlite") as reader:
            again = {record["key"]: record for record in reader.records()}
        frame = frames.load(published / f"{name}.parquet").set_index("key")
        assert {key: record["encoding"] for key, record in again.items()} == frame["encoding"].to_dict()
        assert {record["time_limit_s"] for record in again.values()} == set(frame["time_limit_s"])
    for name, text, says in (("none", None, "no such file"), ("text", "a,b\n1,2\n", r"text\.parquet: Parquet magic")):
        if text is not None:
            (tmp_path / f"{name}.parquet").write_text(text)
        with pytest.raises(StoreError, match=says):
            merge([tmp_path / f"{name}.parquet"], tmp_path / "again.sqlite")
    parquet.write_table(pyarrow.table({"key": ["a"]}), tmp_path / "other.parquet")
    with pytest.raises(StoreError, match="no records of a study"):
        merge([tmp_path / "other.parquet"], tmp_path / "again.sqlite")


def test_the_lock_file_of_a_dead_writer_does_not_count(tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite", "a")
    assert not written_to(path)
    with Store(path, "s"):
        assert written_to(path)
    path.with_name("s.sqlite.lock").touch()  # as kill -9 leaves it
    assert not written_to(path)
    with Store(path, "s"):
        assert written_to(path)


def test_checking_whether_a_store_is_written_to_does_not_lock_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.sqlite"
    beside = path.with_name("s.sqlite.lock")
    beside.touch()
    asking = beside.open()
    fcntl.flock(asking, fcntl.LOCK_SH)
    monkeypatch.setattr("nonosat.studies.store.time.sleep", lambda _: asking.close())  # who asks is done then
    with Store(path, "s"):
        assert asking.closed


def test_a_study_is_called_by_its_title(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    for toml, title in (("", "s"), ('title = "At the peak"', "At the peak"), ("of another [version", "s")):
        with Store(path, "s", toml or "# none"):
            pass
        with StoreReader(path) as reader:
            assert reader.title == title
