"""Studies: what their files say, what follows from it, and carrying them out."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import commands
import fake_execute
import pytest
from children import started
from strays import settled

from nonosat.errors import FormatError, NonosatError, UnknownNameError, UnsupportedError
from nonosat.studies import run as running
from nonosat.studies import session
from nonosat.studies import session as state
from nonosat.studies.checking import MAX_RUNS, check
from nonosat.studies.models import puzzle_of
from nonosat.studies.plan import FileEntry, Instance, RunGroup, Study, groups, instances, key_of, shard_of
from nonosat.studies.session import Shard, StudyProgress, conduct
from nonosat.studies.store import Store, StoreReader
from nonosat.studies.study import EXAMPLES, analysis_of, known, parse, read

ROOT = Path(__file__).parents[1]
SMALL = """
name = "small"
encodings = ["tight+r3", "2/4"]
solvers = ["minisat22", "cpsat", "rowsearch"]
[limits]
time_limit_s = 10
[[puzzles]]
generator = "density"
sizes = [5, "4x6"]
densities = [0.3, [0.2, 0.1]]
count = 3
seed = 7
"""


def study(text: str = SMALL, folder: Path = ROOT) -> Study:
    return parse(text, folder / "study.toml")


def changed(*pairs: tuple[str, str]) -> str:
    text = SMALL
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


# ---------------------------------------------------------------- the file


def test_a_file_is_read() -> None:
    made = study()
    assert (made.name, made.settings.limits.wall_s, made.settings.count) == ("small", 10.0, 1)
    names = [instance.name for instance in instances(made)]
    assert names[:4] == ["density/5x5/0.3/7", "density/5x5/0.3/8", "density/5x5/0.3/9", "density/5x5/0.2+0.1/7"]
    assert len(names) == 12
    assert puzzle_of(next(instances(made))).shape == (5, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nx = ]", "study.toml:2: no TOML: Invalid value"),
        ("seed = " + "9" * 5000, "study.toml: no TOML that can be read: a number of too many digits"),
        (changed(("solvers", "solver")), "study.toml:4: solver: unknown key; did you mean 'solvers'?"),
        (changed(("count = 3", "count = 3\nlimit = 1")), "puzzles[1].limit: unknown key; known: generator, sizes"),
        (changed(("count = 3", "cuont = 3")), "puzzles[1].cuont: unknown key; did you mean 'count'?"),
        (changed(("seed = 7", "encoding = 7")), "puzzles[1].encoding: unknown key"),
        (changed(("seed = 7", "encodings = ['log']")), "puzzles[1].encodings: belongs above the first [[puzzles]]"),
        (changed(("time_limit_s", "time_limits")), "limits.time_limits: unknown key; did you mean 'time_limit_s'?"),
        (changed(("time_limit_s = 10", "time_limit_s = 0")), "limits.time_limit_s: must be a positive number, not 0"),
        (changed(("limit_s = 10", "limit_s = inf")), "limits.time_limit_s: must be a positive number, not inf"),
        (changed(("limit_s = 10", "limit_s = '10'")), "limits.time_limit_s: must be a number, not the string '10'"),
        (changed(("time_limit_s = 10", "time_limit_s = true")), "limits.time_limit_s: must be a number, not True"),
        (changed(('name = "small"', 'name = "../small"')), "name: the string '../small' is no name"),
        (changed(('name = "small"', "name = 3")), "name: must be a string, not 3"),
        (changed(('name = "small"', "repetitions = 0")), "repetitions: must be from 1 to 1,000,000, not 0"),
        (changed(('name = "small"', "repetitions = 1.5")), "repetitions: must be a whole number, not 1.5"),
        (changed(('name = "small"', "count = 'every'")), "count: must be a whole number, not the string 'every'"),
        (changed(('name = "small"', "unique = 1")), "unique: must be true or false, not 1"),
        (changed(('name = "small"', "order = 'random'")), "order: must be one of by-instance, interleaved, shuffled"),
        (changed(('name = "small"', "order_seed = 1")), "order_seed: goes with order = 'shuffled'"),
        (changed(('"density"', '"perlin"')), "puzzles[1].generator: unknown generator 'perlin'; known: density, "),
        (changed(("sizes = [5", "sizes = [0")), "puzzles[1].sizes: 0: a board has 1 to"),
        (changed(("sizes = [5", "sizes = [true")), "puzzles[1].sizes: expected rows x columns such as 20 or '20x30'"),
        (changed(("sizes = [5", "sizes = ['5by5'")), "puzzles[1].sizes: expected rows x columns"),
        (changed(("sizes = [5", "sizes = [999999999")), "puzzles[1].sizes: 999999999: a board has 1 to"),
        (changed(('sizes = [5, "4x6"]', "sizes = []")), "puzzles[1].sizes: is empty"),
        (changed(('sizes = [5, "4x6"]', "sizes = 5")), "puzzles[1].sizes: must be a list, not 5"),
        (changed(("densities = [0.3", "densities = [1.3")), "puzzles[1].densities: 1.3: shares lie in 0..1"),
        (changed(("densities = [0.3", "densities = [nan")), "puzzles[1].densities: nan: shares lie in 0..1"),
        (changed(("[0.2, 0.1]", "[0.7, 0.4]")), "puzzles[1].densities: [0.7, 0.4]: shares lie in 0..1 and add up"),
        (changed(("[0.2, 0.1]", "'dense'")), "puzzles[1].densities: expected a share"),
        (changed(("count = 3", "count = 1_000_000_000")), "puzzles[1].count: must be from 1 to 1,000,000"),
        (changed(("count = 3\n", "")), "puzzles[1].count: missing"),
        (changed(("seed = 7", "seed = -1")), "puzzles[1].seed: must be from 0"),
        (changed(("seed = 7", "files = ['x']")), "puzzles[1].files: and generator exclude each other"),
        (changed(('generator = "density"\n', "")), "puzzles[1].generator: missing; an entry has either"),
        (SMALL.split("[[")[0], "study.toml: puzzles: missing"),
        ("puzzles = 3\nsolvers = ['m22']", "puzzles: must be a list, not 3"),
        ("puzzles = [3]\nsolvers = ['m22']", "puzzles: must be tables"),
        (changed(("[limits]\ntime_limit_s = 10", "limits = 3")), "limits: must be a table"),
        (changed(('"rowsearch"', "3")), "solvers: must hold names, not 3"),
        (changed(("seed = 7", "seed = -1")), "study.toml:12: puzzles[1].seed: must be from 0"),
        (changed(("time_limit_s = 10", "time_limit_s = 0")), "study.toml:6: limits.time_limit_s: must be"),
        (changed(("count = 3\n", "")), "study.toml:7: puzzles[1].count: missing"),
    ],
)  # fmt: skip
def test_errors_name_file_key_and_reason(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        study(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(ROOT / "study.toml"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed(('"tight+r3"', '"tigth+r3"')), "encodings: unknown encoding part 'tigth'; known: plain, tight"),
        (changed(('"tight+r3"', '"tight"')), "encodings: encoding 'tight' needs at least one ordering"),
        (changed(('"minisat22"', '"minista"')), "solvers: unknown solver 'minista'; known: "),
        (changed(('"minisat22"', '"rowsearch+fifo"')), "solvers: unknown switch of solver rowsearch"),
        (changed(('"minisat22"', '"exec:no-such-program {cnf}"')), "solvers: "),
        (changed(('"minisat22"', '"exec:true"')), "solvers: solver 'exec:true': it gets no formula"),
        (changed(('"minisat22"', '"exec:true {cnf} {memory}"')), "is the limit on memory (--memory-limit, "),
        (changed(('"minisat22"', '"exec:true {cnf} {seconds}"'), ("time_limit_s = 10", "cpu_limit_s = 10")),
         "is the limit on wall time (--time-limit, time_limit_s), and there is none"),
        (changed(('encodings = ["tight+r3", "2/4"]\n', "")), "encodings: missing; solver minisat22 needs one"),
        (changed(('[[puzzles]]', '[[puzzles]]\nfiles = ["*.nix"]\n[[puzzles]]')), "files: *.nix matches no file in"),
        (changed(('[[puzzles]]', '[[puzzles]]\nfiles = ["*.md"]\n[[puzzles]]')), 'README.md: no format has the suffix'),
        (changed(('seed = 7', 'seed = 7\n[[puzzles]]\nfiles = ["examples/heart.mk"]\nindex = [2]')), "no puzzle 2"),
        (changed(("count = 3", "count = 1_000_000"), ('name = "small"', "repetitions = 1000")), "more than one study"),
    ],
)  # fmt: skip
def test_what_checking_finds(text: str, message: str, tmp_path: Path) -> None:
    report = check(study(text))
    assert any(message in problem for problem in report.problems), report.problems
    assert all(re.search(r"study\.toml(:\d+)?: ", problem) for problem in report.problems)
    assert not any("\n" in problem for problem in report.problems)
    with pytest.raises(NonosatError, match=re.escape(report.problems[0])):
        conduct(study(text), tmp_path / "s.sqlite")
    assert not list(tmp_path.iterdir())


def test_checking_names_every_problem_at_once() -> None:
    text = changed(('"tight+r3"', '"tigth+r3", "nix"'), ('"minisat22"', '"minista"'))
    assert len(check(study(text)).problems) == 3


def test_unique_looks_for_two_at_least() -> None:
    for words, count in (("unique = true", 2), ("unique = true\ncount = 5", 5), ('unique = true\ncount = "all"', None)):
        assert study(changed(('name = "small"', words))).settings.count == count
    assert study(changed(('name = "small"', "unique = false"))).settings.count == 1


def test_the_count_and_the_worst_time() -> None:
    report = check(study(), slots=2)
    assert (report.instances, report.groups, report.runs) == (12, 12 * 5, 12 * 5)
    assert report.worst_s == 12 * 5 * 10 / 2
    assert any("unsound, may give WRONG: 2/4" in note for note in report.notes)
    assert any("no limit on time" in note for note in check(study(changed(("time_limit_s = 10", "")))).notes)


def test_nothing_is_run_twice() -> None:
    text = changed(
        ('["tight+r3", "2/4"]', '["2/3", "plain+r3+iff+order", "plain+r3+iff+log"]'),
        ('"minisat22"', '"minisat22", "m22"'),
        (
            "[[puzzles]]",
            '[[puzzles]]\ngenerator = "density"\nsizes = ["5x5"]\ndensities = [0.3]\ncount = 9\n[[puzzles]]',
        ),
    )
    made = study(text.replace('name = "small"', 'name = "small"\nanalysis = "gone.py"'))
    runs = [(g.instance.name, g.written, run.solver.name, run.key) for g in groups(made) for run in g.runs]
    assert len({key for *_, key in runs}) == len(runs) == check(made).runs == (9 + 12 - 2) * (2 + 1 + 1)
    assert {(e, s) for _, e, s, _ in runs} == {
        ("2/3", "minisat22"), ("plain+r3+iff+log", "minisat22"), ("plain+r3+iff", "cpsat"), (None, "rowsearch"),
    }  # fmt: skip
    notes = " ".join(check(made).notes)
    assert "encodings 2/3 and plain+r3+iff+order are the same: 2/3 is run" in notes
    assert "CP solvers see an encoding's rules only: 1 of the 2 encodings" in notes
    assert "gone.py: the report will have no analysis of its own" in notes


def test_keys_stay_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.studies.plan.versions", lambda solver: ("1.2.3", "4.5"))
    group = next(groups(study()))
    assert group.instance.name == "density/5x5/0.3/7"
    assert [run.key for run in group.runs] == ["a141025fcfb27d70d96c4370bb62de0f"]
    for group in groups(study()):
        for run in group.runs:
            assert run.key == key_of(group.instance.name, group.encoding, run.solver, 0, study().settings)


@pytest.mark.slow
def test_a_hundred_thousand_keys() -> None:
    made = study(changed(("count = 3", "count = 5000")))
    assert len({run.key for group in groups(made) for run in group.runs}) == 100_000


def test_interleaved_has_a_bit_of_every_cell_first() -> None:
    made = study(changed(('name = "small"', 'order = "interleaved"')))
    first = [instance.name.rsplit("/", 1)[0] for instance in instances(made)][:4]
    assert len(set(first)) == 4
    assert Counter(map(str, groups(made))) == Counter(map(str, groups(study())))


def test_shuffled_is_the_same_every_time() -> None:
    one, two = (study(changed(('name = "small"', f'order = "shuffled"\norder_seed = {seed}'))) for seed in (1, 2))
    assert list(groups(one)) == list(groups(one)) != list(groups(two))
    assert [g.instance.name for g in groups(one)][:3] == [
        "density/4x6/0.3/7",
        "density/5x5/0.3/7",
        "density/4x6/0.2+0.1/7",
    ]
    assert Counter(map(str, groups(one))) == Counter(map(str, groups(study())))


def test_shards_are_a_partition() -> None:
    made = study(changed(("count = 3", "count = 50")))
    parts = [[g for g in groups(made) if shard_of(g, 7) == number] for number in range(1, 8)]
    assert sum(map(len, parts)) == len(list(groups(made)))
    assert len({run.key for part in parts for g in part for run in g.runs}) == check(made).runs
    assert min(map(len, parts)) > len(list(groups(made))) / 7 / 2
    for number, of in ((0, 3), (4, 3)):
        with pytest.raises(UnsupportedError, match="numbered from 1 to 3"):
            Shard(number, of)


# ---------------------------------------------------------------- puzzles from files


def test_puzzles_from_files(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples/heart.mk", tmp_path / "a.mk")
    shutil.copy(ROOT / "examples/heart.mk", tmp_path / "b.mk")
    (tmp_path / "many.txt").write_text("$1\n1\n1\n1\n1\n$2\n2\n2\n2\n2\n$3\n1\n\n1\n\n")
    (tmp_path / "picture.pbm").write_text("P1 3 2  1 0 1  0 1 1")
    text = 'solvers = ["rowsearch"]\n[[puzzles]]\nfiles = ["*.mk", "many.txt", "*.pbm"]\n'
    made = study(text, tmp_path)
    found = list(instances(made))
    assert [(i.source, i.index) for i in found] == [
        ("a.mk", 1), ("many.txt", 1), ("many.txt", 2), ("many.txt", 3), ("picture.pbm", 1),
    ]  # fmt: skip
    assert puzzle_of(found[2]).rows == (((2, 1),), ((2, 1),))
    assert puzzle_of(found[4]).shape == (2, 3)
    assert "puzzles that are named twice, and run once: 1" in check(made).notes[0]
    picked = study('solvers = ["rowsearch"]\n[[puzzles]]\nfiles = ["many.txt"]\nindex = [3]\n', tmp_path)
    assert [i.index for i in instances(picked)] == [3]


def test_a_file_that_has_changed_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.mk"
    shutil.copy(ROOT / "examples/heart.mk", path)
    [instance] = FileEntry(("a.mk",), str(tmp_path), None, "study.toml").inside(path)
    puzzle_of(instance)
    path.write_text("1 1\n1\n#\n1\n")
    with pytest.raises(NonosatError, match=r"a\.mk: the file has changed since the study began"):
        puzzle_of(instance)
    path.unlink()
    with pytest.raises(NonosatError, match=r"a\.mk: no such file"):
        puzzle_of(instance)
    with pytest.raises(UnsupportedError, match="neither a file"):
        puzzle_of(Instance("x"))


# ---------------------------------------------------------------- those that come along


EXPERIMENTS = ROOT / "experiments"
FILES = [path for folder in (EXPERIMENTS, EXAMPLES) for path in folder.rglob("*.toml")]
READY = sorted(path for path in FILES if '"$' not in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_studies_of_the_checkout_are_in_order(path: Path) -> None:
    study = read(str(path))
    report = check(study)
    assert not report.problems
    assert (report.worst_s is None) == (study.settings.limits.wall_s is None)
    assert path.stem.startswith(study.name), "several files may go into one store"
    assert study.analysis is None or study.analysis.is_file()


def test_the_report_in_full() -> None:
    assert check(read(str(EXPERIMENTS / "castilho2018/castilho2018.toml"))).runs == 92_160


def test_the_pictures() -> None:
    assert check(read(str(EXPERIMENTS / "walejko2022/walejko2022.toml"))).runs == 18 * 12 * 5


def test_studies_have_names_in_the_package_and_in_experiments_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert read("encodings-small").path == str(EXAMPLES / "encodings-small.toml")
    folder = tmp_path / "experiments/mine"
    folder.mkdir(parents=True)
    text = (EXAMPLES / "encodings-small.toml").read_text(encoding="utf-8")
    (folder / "one.toml").write_text('analysis = "mine.py"\n' + text, encoding="utf-8")
    assert list(known()) == ["encodings-small", "one"]
    assert read("one").analysis == analysis_of("one") == Path("experiments/mine/mine.py")
    assert analysis_of("encodings-small") is analysis_of("nix") is None


def test_a_study_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    looked = rf"nix: no such file, and no study of that name in {re.escape(str(EXPERIMENTS))}/\*/ or in the package; "
    with pytest.raises(NonosatError, match=looked + "known: cadical-options, castilho2018, "):
        read("nix")
    with pytest.raises(NonosatError, match=r"nix\.toml: no such file"):
        read("nix.toml")


# ---------------------------------------------------------------- carrying out


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "execute", fake_execute.execute)


@pytest.mark.usefixtures("quick")
def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    path, made = tmp_path / "s.sqlite", study()
    taken: list[StudyProgress] = []
    with Store(path, "small") as store:
        store.add(fake_execute.record(next(groups(made)).runs[0].key))
    first = conduct(made, path, on_progress=taken.append)
    assert (first.total, first.before, first.done, first.left, first.interrupted) == (60, 1, 59, 0, False)
    assert len(taken) == 60
    again = conduct(made, path)
    assert (again.before, again.done) == (60, 0)
    larger = study(changed(("count = 3", "count = 4")))
    assert (conduct(larger, path).done, check(larger).runs) == (20, 80)
    with StoreReader(path) as reader:
        records = list(reader.records())
        assert len({r["key"] for r in records}) == len(records) == 80
        kept = reader.provenances()
        assert {r["provenance"] for r in records[1:]} == set(kept)
        assert reader.meta("toml") == larger.text


def test_what_is_left_is_told_by_the_runs_of_each_cell() -> None:
    easy, hard, later = ((name, "2/4", "minisat22") for name in ("density/5x5", "hard", "later"))
    cells = {**{f"e{i}": easy for i in range(10)}, **{f"h{i}": hard for i in range(10)}}
    progress = StudyProgress(total=20, cells=cells, began=time.monotonic() - 30)
    assert progress.left_s is None

    more = StudyProgress(total=21, cells={**cells, "l": later}, began=progress.began)

    def take(key: str, seconds: float) -> None:
        for one in (progress, more):
            one.take(
                {
                    "key": key,
                    "outcome": "SAT",
                    "encoding": "2/4",
                    "solver": "minisat22",
                    "wall_s": seconds,
                    "sound": True,
                }
            )

    for number in range(10):
        take(f"e{number}", 1.0)
    assert progress.unknown
    assert progress.left_s == pytest.approx(30, rel=0.1)  # as long as those before, for want of better
    take("h0", 20.0)
    assert not progress.unknown
    assert progress.left_s == pytest.approx(9 * 20, rel=0.1)
    assert more.unknown


@pytest.mark.usefixtures("quick")
def test_shards_put_together_are_the_study(tmp_path: Path) -> None:
    from nonosat.studies.export import merge

    stores = [tmp_path / f"{number}.sqlite" for number in (1, 2, 3)]
    done = [conduct(study(), path, shard=Shard(number, 3)).done for number, path in enumerate(stores, 1)]
    assert sum(done) == 60
    for number, path in enumerate(stores, 1):
        with StoreReader(path) as reader:
            assert reader.shard == f"{number}/3"
    merged = merge(stores, tmp_path / "all.sqlite")
    assert (merged.records, merged.same, merged.conflicts) == (60, 0, ())
    merge(stores[1:], stores[0])
    conduct(study(), stores[1], shard=Shard(3, 3))
    for path in (tmp_path / "all.sqlite", *stores[:2]):  # of no shard alone
        with StoreReader(path) as reader:
            assert reader.shard == ""
    assert conduct(study(), tmp_path / "all.sqlite").done == 0


def test_an_interruption_keeps_what_is_done_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "execute", fake_execute.execute)

    def ctrl_c(progress: StudyProgress) -> None:
        if progress.done == 20:
            signal.raise_signal(signal.SIGTERM)

    first = conduct(study(), tmp_path / "s.sqlite", on_progress=ctrl_c)
    assert (first.done, first.left, first.interrupted) == (20, 40, True)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with StoreReader(tmp_path / "s.sqlite") as reader:
        assert reader.count() == {"SAT": 20, "INTERRUPTED": 1}
        assert len(reader.finished_keys()) == 20
    second = conduct(study(), tmp_path / "s.sqlite")
    assert (second.before, second.done, second.interrupted) == (20, 40, False)
    with StoreReader(tmp_path / "s.sqlite") as reader:
        assert reader.count() == {"SAT": 60}


def test_a_disk_that_fails_ends_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nonosat.studies import store as storing

    def full(self: Store, rows: object) -> None:
        import sqlite3

        raise sqlite3.OperationalError("database or disk is full")

    def patient(groups: object, settings: object, slots: int, on_record, stop: threading.Event) -> None:  # type: ignore[no-untyped-def]
        for number in range(1000):
            on_record(fake_execute.record(str(number)))
            time.sleep(0.01)

    monkeypatch.setattr(storing.Store, "_commit", full)
    monkeypatch.setattr(running, "execute", patient)
    with pytest.raises(NonosatError, match=r"s\.sqlite: the disk is full; what was stored before is kept"):
        conduct(study(), tmp_path / "s.sqlite")


@pytest.mark.usefixtures("quick")
def test_the_state_of_a_study(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    conduct(study(), path, shard=Shard(1, 2))
    with Store(path, "small") as store:
        store.add(fake_execute.record("stranger"))
    with StoreReader(path) as reader:
        found = state.status(study(), reader, ("encoding", "solver"))
        assert (found.total["SAT"] + found.total["left"], found.strangers) == (60, ("stranger",))
        lines = state.lines(found)
        assert lines[0].split() == ["encoding", "solver", "runs", "SAT", "left"]
        assert [line.split()[:2] for line in lines[1:]] == [
            ["tight+r3", "minisat22"], ["tight+r3", "cpsat"], ["2/4", "minisat22"], ["plain+r4ends+iff", "cpsat"],
            ["-", "rowsearch"], ["all", "60"],
        ]  # fmt: skip
        assert state.status(study(), reader, ("size",), Shard(1, 2)).total["left"] == 0
        with pytest.raises(UnknownNameError, match="unknown column 'colour'"):
            state.status(study(), reader, ("colour",))


def test_a_bug_is_distinguished_from_an_unsound_encoding() -> None:
    for sound, bug in ((True, True), (None, True), (False, False)):
        assert session.is_bug(fake_execute.record("k", outcome="WRONG", sound=sound)) is bug
    assert not session.is_bug(fake_execute.record("k"))


# ---------------------------------------------------------------- the command line


def nonosat(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return commands.run("study", *arguments, cwd=folder)


@pytest.mark.slow
def test_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL.replace("count = 3", "count = 1"))
    done = nonosat("check", "small.toml", folder=tmp_path)
    assert done.returncode == 0
    assert "4 puzzles, 20 groups (a puzzle and its formula), 20 runs" in done.stdout
    done = nonosat("status", "small.toml", folder=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "nothing done, 20 left")
    (tmp_path / "small.sqlite").touch()  # by a session that was killed before it made the tables
    done = nonosat("status", "small.toml", folder=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "nothing done, 20 left")
    done = nonosat("run", "small.toml", "--jobs", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "small.sqlite: 20 of 20 runs" in done.stderr
    done = nonosat("status", "small.toml", "--by", "size,density", folder=tmp_path)
    assert re.search(r"^5x5 +0\.2\+0\.1 +5 .* \.$", done.stdout, re.MULTILINE), done.stdout
    done = nonosat("export", "small.toml", "-o", "r.jsonl", folder=tmp_path)
    assert (done.returncode, len((tmp_path / "r.jsonl").read_text().splitlines())) == (0, 20)
    done = nonosat("export", "small.sqlite", "--output", "r.xlsx", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "nonosat: r.xlsx: records are exported as .jsonl, .csv or .parquet\n")
    done = nonosat("merge", "all.sqlite", "small.sqlite", folder=tmp_path)
    assert (done.returncode, done.stderr[:26]) == (0, "all.sqlite: 20 records; 0 ")
    done = nonosat("run", "small.toml", "--shard", "three", folder=tmp_path)
    assert (done.returncode, "expected I/N" in done.stderr) == (2, True)
    assert nonosat("run", "small.toml", "--shard", "2/3", folder=tmp_path).returncode == 0
    done = nonosat("status", "small-2-of-3.sqlite", folder=tmp_path)
    assert re.fullmatch(r"shard 2/3: (\d+) of \1 done, 0 left", done.stdout.splitlines()[-1])
    assert done.stdout == nonosat("status", "small.toml", "--shard", "2/3", folder=tmp_path).stdout


@pytest.mark.slow
def test_a_crash_shows_in_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "crash.toml").write_text(
        'encodings = ["tight+r3"]\nsolvers = ["exec:false {cnf}"]\n'
        '[[puzzles]]\ngenerator = "density"\nsizes = [3]\ndensities = [0.5]\ncount = 1\n'
    )
    done = nonosat("run", "crash.toml", folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert re.search("1 (CRASH|ERROR)", done.stderr)


@pytest.mark.slow
def test_ctrl_c_ends_a_study_soon_and_it_goes_on(tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(
        'encodings = ["tight+r3"]\nsolvers = ["glucose4"]\n[limits]\ntime_limit_s = 600\n'
        '[[puzzles]]\ngenerator = "density"\nsizes = [5]\ndensities = [0.4]\ncount = 3\n'
        '[[puzzles]]\ngenerator = "density"\nsizes = [50]\ndensities = [0.4]\ncount = 2\n'
    )
    command = [sys.executable, "-m", "nonosat", "study", "run", "slow.toml", "--jobs", "2"]
    process = started(command, cwd=tmp_path, stdout=None)

    def small_ones_done() -> bool:
        if not (tmp_path / "slow.sqlite").exists():
            return False
        try:
            with StoreReader(tmp_path / "slow.sqlite") as reader:
                return len(reader.finished_keys()) >= 3
        except NonosatError:
            return False  # being made

    assert settled(small_ones_done)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=600 / 2)  # long before the limit of what is at work
    assert process.returncode == 130
    assert "interrupted; the same command goes on" in said
    with StoreReader(tmp_path / "slow.sqlite") as reader:
        assert reader.count()["SAT"] >= 3
    assert not list(tmp_path.glob("*.lock"))
    assert not list(tmp_path.glob("*-wal"))


def test_groups_are_made_lazily() -> None:
    made = study(changed(("count = 3", "count = 1_000_000")))
    assert isinstance(next(groups(made)), RunGroup)
    assert check(made).problems
    assert check(made).runs > MAX_RUNS


# ---------------------------------------------------------------- a study's life, by the command


def test_a_study_from_options_to_a_comparison(tmp_path: Path) -> None:
    words = (
        "--size",
        "5",
        "--size",
        "4x6",
        "--density",
        "0.4,0.2+0.2",
        "--encoding",
        "tight+r3",
        "--encoding",
        "plain+r3+direct",
    )
    made = nonosat("new", "a.toml", *words, "--solver", "minisat22", "--count", "2", folder=tmp_path)
    assert (made.returncode, made.stderr) == (0, "a.toml: 8 puzzles, 16 runs; next: nonosat study run a.toml\n")
    text = (tmp_path / "a.toml").read_text()
    assert all(" # " in line for line in text.splitlines() if line.startswith(("encodings", "time_limit_s", "count")))
    again = nonosat("new", "a.toml", *words, folder=tmp_path)
    assert (again.returncode, again.stderr) == (2, "nonosat: a.toml: is there already\n")

    before = nonosat("status", "a.toml", folder=tmp_path)
    assert (before.returncode, before.stdout.splitlines()[-1]) == (0, "nothing done, 16 left")
    done = nonosat("run", "a.toml", "--watch", "a.toml", folder=tmp_path)
    assert (done.returncode, (tmp_path / "a.toml").read_text()) == (2, text)
    assert "--watch a.toml: the page is a file PAGE.html" in done.stderr
    done = nonosat("run", "a.toml", "--watch", "live.html", folder=tmp_path)
    assert done.returncode == 0
    assert "slowest: " in done.stderr
    page = (tmp_path / "live.html").read_text()
    assert "done: 16 of 16 runs" in page
    assert "refresh" not in page  # it is over
    for file in ("a.toml", "a.sqlite"):
        assert nonosat("status", file, folder=tmp_path).stdout.splitlines()[-1] == "16 of 16 done, 0 left"
    one = nonosat("status", "a.sqlite", "--by", "size", folder=tmp_path).stdout
    assert [line.split()[0] for line in one.splitlines()[1:3]] == ["5x5", "4x6"]

    shutil.copy(tmp_path / "a.sqlite", tmp_path / "b.sqlite")
    both = nonosat("compare", "a.sqlite", "b.sqlite", folder=tmp_path)
    assert both.returncode == 0
    rows = [line for line in both.stdout.splitlines() if "minisat22" in line]
    assert [re.split(r" {2,}", row)[1:] for row in rows] == 2 * [["8", "1", "1 to 1", "0", "0", "0"]]
    assert "only A has" not in both.stdout
    words = ("--size", "5", "--density", "0.4", "--encoding", "tight+r3", "--solver", "minisat22", "--time-limit", "7")
    assert nonosat("new", "c.toml", *words, "--count", "3", folder=tmp_path).returncode == 0
    assert nonosat("run", "c.toml", folder=tmp_path).returncode == 0
    part = nonosat("compare", "a.sqlite", "c.sqlite", folder=tmp_path).stdout.splitlines()
    assert "only A has: 1 configuration (plain+r3+direct · minisat22); 6 boards" in part
    assert "only B has: 1 board" in part
    assert any(line.startswith("time_limit_s: A ") and line.endswith("; B 7") for line in part)
    itself = nonosat("compare", "a.toml", "a.sqlite", folder=tmp_path)
    assert (itself.returncode, itself.stdout) == (2, "")
    assert itself.stderr == "nonosat: A and B are the same file, a.sqlite: give the paths of two stores\n"


@pytest.mark.slow
def test_a_store_whose_puzzles_are_gone_is_listed(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards/one.mk").write_text("1 1\n1\n#\n1\n")
    assert nonosat("new", "f.toml", "--puzzles", "boards/*.mk", folder=tmp_path).returncode == 0
    assert nonosat("run", "f.toml", folder=tmp_path).returncode == 0
    (tmp_path / "boards/one.mk").unlink()
    found = nonosat("status", "f.sqlite", folder=tmp_path)
    assert (found.returncode, found.stdout.splitlines()[-1]) == (0, "1 of 1 done, 0 left")
    assert "what is left is not known" in found.stderr
    assert nonosat("status", "f.sqlite", "--by", "colour", folder=tmp_path).returncode == 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("x.toml",), "no puzzles: --size and --density, --level, or --puzzles"),
        (("x.toml", "--size", "5"), "--size and --density go together"),
        (("x.toml", "--size", ",", "--density", "0.5"), "x.toml is not written: puzzles[1].sizes: is empty"),
        (
            ("x.toml", "--size", "5", "--density", "0.5", "--solver", "minisat22,glucose4"),
            "one name each: --solver minisat22 --solver glucose4",
        ),
        (("x.json", "--level", "0"), "x.json: a study's file is called NAME.toml"),
        (("x.toml", "--level", "99"), "x.toml is not written: puzzles[1].levels: "),
        (
            ("x.toml", "--size", "5", "--density", "0.5", "--encoding", "direct"),
            "x.toml:5: encodings: ",
        ),
        (("x.toml", "--size", "5", "--density", "2"), "x.toml is not written: puzzles[1].densities: 2.0: shares"),
    ],
)
def test_options_that_make_no_study(words: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    done = nonosat("new", *words, folder=tmp_path)
    assert (done.returncode, reason in done.stderr) == (2, True), done.stderr
    assert list(tmp_path.iterdir()) == []
