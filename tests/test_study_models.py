"""Studies of models: files, generators, encodings by name, objectives; choosing by instance; ASlib's form."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import commands
import numpy as np
import pandas as pd
import pytest
import yaml
from records_made import record, stopped

from nonosat import Model
from nonosat.csp.model import ints
from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import encoding
from nonosat.errors import LimitReachedError, NonosatError, UnsupportedError
from nonosat.modelling.solve import ModelAnswer, Solution
from nonosat.runs.events import Finished, Found, Statistics, Verdict
from nonosat.studies.analysis.aslib import write_scenario
from nonosat.studies.analysis.axes import axes_of
from nonosat.studies.analysis.boards import WALL
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.report.tables import ReportedStudy, objectives_sheet, paragraph, selection_sheet
from nonosat.studies.analysis.selection import CHOOSER, SINGLE, folds_of, selection
from nonosat.studies.checking import check
from nonosat.studies.models import StudyModel, puzzle_of
from nonosat.studies.plan import Instance, groups, instances
from nonosat.studies.run import Trace, outcome
from nonosat.studies.session import conduct
from nonosat.studies.store import StoreReader
from nonosat.studies.study import parse

HERE = Path(__file__).parent
TWO = """
import nonosat
first = nonosat.Model("sums")
x = first.integer("x", 0, 40, shape=2)
first.add(x[0] + x[1] == 41, x[0] * x[1] == 400)
second = nonosat.Model()
deep = second.boolean("b", shape=1200)
held = deep[0]
for one in deep[1:]:
    held = (held & one) | ~one
second.add(held)
"""
STUDY = f"""
plugins = ["{HERE / "crossing.py"}"]
encodings = ["order", "support+ladder", "order<=8,log+adder"]
solvers = ["cadical153", "cpsat"]
[limits]
time_limit_s = 60
[[puzzles]]
files = ["*.py", "least.csp", "{HERE.parent / "examples" / "golomb_ruler.xml"}"]
[[puzzles]]
generator = "in-order"
wides = [4, 12]
count = 1
seed = 2
"""


def study(folder: Path, text: str = STUDY) -> Any:
    (folder / "two.py").write_text(TWO)
    (folder / "least.csp").write_text("(int x 1 9) (int y 1 9) (< (+ x 3) y) (objective minimize y)\n")
    return parse(text, folder / "models.toml")


@pytest.mark.slow
def test_models_are_run_as_puzzles_are(tmp_path: Path) -> None:
    stated = study(tmp_path)
    report = check(stated)
    assert (report.instances, report.runs, report.problems, report.notes) == (6, 6 * 4, (), ())
    progress = conduct(stated, tmp_path / "s.sqlite")
    assert (progress.done, progress.failed) == (24, 0)
    with StoreReader(tmp_path / "s.sqlite") as reader:
        records = list(reader.records())
    assert {row["outcome"] for row in records} == {"SAT"}
    assert {row["kind"] for row in records} == {"model"}
    by_source: dict[str, list[Any]] = {}
    for row in records:
        by_source.setdefault(str(row["source"]), []).append(row)
    ruler = by_source["golomb_ruler.xml"]
    assert {(row["objective"], row["optimal"], row["bound"], row["maximized"]) for row in ruler} == {
        (11, True, 11, False)
    }
    assert json.loads(str(ruler[0]["constraint_kinds"]))["all_different"] == 1
    assert (ruler[0]["model_variables"], ruler[0]["domain_most"], ruler[0]["rows"]) == (5, 17, None)
    ordered = {(row["parameters"], row["objective"], row["maximized"]) for row in by_source["in-order"]}
    assert ordered == {('{"wide": "4"}', 5, True), ('{"wide": "12"}', 30, True)}
    assert {row["objective"] for row in by_source["least.csp"]} == {5}
    first = [row for row in by_source["two.py"] if str(row["instance"]).endswith("/1")]
    assert {(row["solutions"], row["objective"], row["unique"]) for row in first} == {(1, None, None)}
    for row in records:
        formula = row["solver"] != "cpsat"
        assert (row["encoding"] is not None, row["literals"] is not None) == (formula, formula)
    again = conduct(stated, tmp_path / "s.sqlite")
    assert (again.done, again.before) == (0, 24)
    frame = load(tmp_path / "s.sqlite")
    assert frame["solved"].all()
    whole = ReportedStudy(frame, "models")
    assert "model" in " ".join(paragraph(whole, pd.DataFrame()))
    [file] = [axis for axis in axes_of(frame) if axis.name == "file"]
    assert {"two.py sums", "two.py second", "golomb_ruler.xml 1"} < set(file.values)
    sheet = objectives_sheet(whole)
    assert sheet is not None
    assert sheet.frame["proved"].tolist() == [4] * 4
    solvers = frame["solver"].replace("cpsat", "ganak")
    without = objectives_sheet(ReportedStudy(frame.assign(solver=solvers), "models"))  # a counter looks for no best one
    assert without is not None
    assert len(without.frame) == 4 - solvers.eq("ganak").any()


@pytest.mark.slow
def test_several_solutions_of_a_model_with_an_objective_are_refused(tmp_path: Path) -> None:
    (tmp_path / "any.csp").write_text("(int x 1 9)\n")
    (tmp_path / "least.csp").write_text("(int x 1 9) (objective minimize x)\n")

    def stated(asked: str, solver: str = "minisat22", entry: str = 'files = ["*.csp"]') -> Any:
        text = f'plugins = ["{HERE / "crossing.py"}"]\n{asked}\nencodings = ["order"]\nsolvers = ["{solver}"]\n'
        return parse(f"{text}[[puzzles]]\n{entry}\n", tmp_path / "s.toml")

    why = f"{tmp_path}/least.csp: a model with an objective is solved for its one best solution"
    for asked, key in (("unique = true", "unique"), ('count = "all"', "count"), ("count = 3", "count")):
        assert check(stated(asked)).problems == (f"{tmp_path}/s.toml:2: {key}: {why}",)
    others = stated("unique = true", entry='files = ["any.csp"]')
    for fine in (stated("count = 1"), stated("count = 3", "ganak"), others):
        assert check(fine).problems == ()
    made = stated("unique = true", entry='generator = "in-order"\nwides = [4]\ncount = 1')  # is known when it is made
    assert check(made).problems == ()
    for solver in ("minisat22", "cpsat"):
        conduct(replace(made, solvers=(solver,)), tmp_path / f"{solver}.sqlite")
        with StoreReader(tmp_path / f"{solver}.sqlite") as reader:
            [row] = reader.records()
        assert (row["outcome"], row["solutions"]) == ("UNSUPPORTED", 0)
        assert row["reason"] == "2 solutions: a model with an objective is solved for its one best solution"


@pytest.mark.slow
def test_what_ends_while_it_is_encoded_has_the_time_that_it_took(tmp_path: Path) -> None:
    pytest.importorskip("pyganak")
    text = f"""
encodings = ["order"]
solvers = ["minisat22", "ganak"]
[limits]
cpu_limit_s = 0.1
[[puzzles]]
files = ["{tmp_path / "different.csp"}"]
"""
    names = [f"x{number}" for number in range(300)]
    declared = " ".join(f"(int {name} 0 299)" for name in names)
    (tmp_path / "different.csp").write_text(f"{declared} (alldifferent {' '.join(names)})\n")
    conduct(parse(text, tmp_path / "ended.toml"), tmp_path / "s.sqlite")
    with StoreReader(tmp_path / "s.sqlite") as reader:
        one, other = reader.records()
    for row in (one, other):
        assert row["outcome"] == "CPUOUT"
        assert float(str(row["cpu_s"])) >= 0.1
        assert row["encode_cpu_s"] == row["cpu_s"]


@pytest.mark.slow
def test_only_unique_solutions_are_called_so(tmp_path: Path) -> None:
    text = STUDY.replace("[limits]", "unique = true\n[limits]").partition("[[puzzles]]")[0]
    for name, total in (("one", 18), ("two", 17), ("none", 19)):
        (tmp_path / f"{name}.csp").write_text(f"(int x 0 9) (int y 0 9) (= (+ x y) {total})\n")
    conduct(study(tmp_path, f'{text}[[puzzles]]\nfiles = ["one.csp", "two.csp", "none.csp"]'), tmp_path / "s.sqlite")
    with StoreReader(tmp_path / "s.sqlite") as reader:
        found = {(row["source"], row["unique"], row["solutions"]) for row in reader.records()}
    assert found == {("one.csp", True, 1), ("two.csp", False, 2), ("none.csp", False, 0)}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"order",', '"tight+r3",', "encoding tight+r3+order is for the puzzle nonogram, not for models: the name of"),
        ('"cpsat"]', '"auto"]', "solvers: auto is for puzzles only"),
        ('"cpsat"]', '"bethe"]', "solvers: solver bethe is for the puzzle nonogram, not for model"),
        ('"order",', '"ordre",', "unknown integer encoding 'ordre'; known: order, direct"),
        ('"least.csp"', '"wrong.csp"', "wrong.csp:1: "),
        ('"least.csp"', f'"{HERE.parent / "examples" / "gchq.json"}"', "puzzles: of 2 kinds (model, nonogram)"),
    ],
)
def test_what_is_wrong_is_a_line(tmp_path: Path, old: str, new: str, reason: str) -> None:
    (tmp_path / "wrong.csp").write_text("(int x 1 0)\n")
    assert old in STUDY
    problems = check(study(tmp_path, STUDY.replace(old, new))).problems
    assert reason in problems[0], problems
    assert "\n" not in problems[0]


def test_encodings_of_models_are_refused_for_puzzles(tmp_path: Path) -> None:
    text = 'encodings = ["order"]\nsolvers = ["minisat22"]\n[[puzzles]]\ngenerator = "density"\n'
    problems = check(parse(text + "sizes = [4]\ndensities = [0.5]\ncount = 1\n", tmp_path / "s.toml")).problems
    assert "encoding order is for models, not for the puzzle nonogram: such as tight+r3" in problems[0]


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    stated = study(tmp_path)
    found = next(one for one in instances(stated) if one.source == "least.csp")
    (tmp_path / "least.csp").write_text("(int x 1 9)\n")
    with pytest.raises(NonosatError, match="has changed since the study began"):
        puzzle_of(found).statement  # noqa: B018


def test_a_study_of_models_with_cpsat_alone_needs_no_encoding(tmp_path: Path) -> None:
    text = "\n".join(line for line in STUDY.splitlines() if not line.startswith("encodings")).replace(
        '"cadical153", ', ""
    )
    stated = study(tmp_path, text)
    assert check(stated).problems == ()
    assert {group.written for group in groups(stated)} == {None}


@pytest.mark.parametrize("name", ["order<=64,log", "support+ladder", "direct<=4,coupled<=9,log+adder", "order"])
def test_maps_of_composed_encodings_go_to_other_processes(name: str) -> None:
    kind = INTEGERS.named(name).map
    lower, upper = ints([0, -3, 5]), ints([2, 4, 30])
    made = kind.of(lower, upper)
    again = pickle.loads(pickle.dumps(made))
    assert type(again).__name__ == kind.__name__
    assert again.booleans == made.booleans
    true = np.arange(made.booleans + 1) % 2 == 0
    assert again.decode(true, ints([0, 1, 2])).tolist() == made.decode(true, ints([0, 1, 2])).tolist()


def test_the_names_of_encodings_of_models() -> None:
    assert encoding("support").key == "direct", "records of support clauses keep their keys"
    assert [encoding(name).kind for name in ("log+adder", "tight+r3+log")] == ["model", "nonogram"]
    with pytest.raises(UnsupportedError, match="needs one domain"):
        encoding("order", "nonogram")


@pytest.mark.slow
def test_what_an_encoding_cannot_state_is_a_verdict(tmp_path: Path) -> None:
    (tmp_path / "wide.csp").write_text("(int x 0 20000) (int y 0 20000) (int z 0 20000) (= (+ x y) (* 7 z))\n")
    text = 'encodings = ["order", "log+adder"]\nsolvers = ["minisat22"]\n[[puzzles]]\nfiles = ["wide.csp"]\n'
    progress = conduct(parse(text, tmp_path / "s.toml"), tmp_path / "s.sqlite")
    assert (dict(progress.outcomes), progress.failed) == ({"UNSUPPORTED": 1, "SAT": 1}, 0)
    with StoreReader(tmp_path / "s.sqlite") as reader:
        [reason] = [row["reason"] for row in reader.records() if row["outcome"] == "UNSUPPORTED"]
    assert "clauses; give smaller domains" in str(reason)


def trace_of(tmp_path: Path, values: list[list[int]], exhausted: bool) -> dict[str, Any]:
    (tmp_path / "m.csp").write_text("(int x 1 9) (objective maximize x)\n")
    text = 'encodings = ["order"]\nsolvers = ["minisat22"]\n[[puzzles]]\nfiles = ["m.csp"]\n'
    [instance] = instances(parse(text, tmp_path / "s.toml"))
    trace = Trace(StudyModel(instance), found=[Found(ints(row)) for row in values])
    trace.measured = {"bound": -8}
    trace.finished = Finished(exhausted, Statistics())
    return outcome(trace, Trace())


def test_a_solution_that_is_not_proved_to_be_best_is_no_result(tmp_path: Path) -> None:
    known = trace_of(tmp_path, [[3], [7]], exhausted=False)
    assert (known["outcome"], known["objective"], known["optimal"], known["bound"]) == ("UNKNOWN", 7, False, 8)
    best = trace_of(tmp_path, [[3], [7]], exhausted=True)
    assert (best["outcome"], best["optimal"], best.get("unique"), "counted" in best) == ("SAT", True, None, False)
    assert trace_of(tmp_path, [[3], [11]], exhausted=True)["outcome"] == "WRONG"


def test_a_best_solution_that_is_not_is_found_out() -> None:
    about = {"kind": "model", "density": None, "maximized": False, "optimal": True}
    rows = [
        record(key="a", instance="file/x/1", encoding="order", objective=11, **about),
        record(key="b", instance="file/x/1", encoding="log", objective=12, **about),
        record(key="c", instance="file/x/1", encoding="direct", **about | {"optimal": False, "objective": 12}),
        record(key="d", instance="file/x/1", encoding="support", outcome="UNSAT", kind="model", density=None),
    ]
    frame = load(rows).set_index("key")
    assert frame["false_unsat"].to_dict() == {"a": False, "b": True, "c": False, "d": True}
    assert not frame.loc["b", "solved"]


# Choosing by instance.


def chosen_rows(boards: int = 20) -> list[Any]:
    """``a`` takes a second where the domain is small and has no result elsewhere; ``b`` the other way round."""
    rows = []
    for board in range(boards):
        small = board % 2 == 0
        about = {"instance": f"g/{board}", "kind": "model", "density": None, "domain_most": 4 if small else 400}
        about |= {"constraint_kinds": '{"linear": 2}', "parts": None}
        for name, good in (("a", small), ("b", not small)):
            values = {"key": f"{name}{board}", "encoding": name, **about}
            rows.append(record(solve_s=0.98, **values) if good else stopped(**values))
    rows.append(record(**{**rows[0], "key": "more", "instance": "g/-", "encoding": "a"}))  # that b has not run on
    return rows


def test_what_choosing_gains() -> None:
    found = selection(load(chosen_rows()), WALL)
    assert found is not None
    table = found.table.set_index("chooser")
    assert found.boards == 20
    assert table.loc["virtual best", "par10_s"] == pytest.approx(1)
    assert table.loc[SINGLE, "par10_s"] == pytest.approx((10 * 1 + 10 * 100) / 20)
    assert table["closed"].to_dict() == pytest.approx({"virtual best": 1, CHOOSER: 1, SINGLE: 0})
    assert table["solved"].to_dict() == {"virtual best": 20, CHOOSER: 20, SINGLE: 10}
    sheet = selection_sheet(ReportedStudy(load(chosen_rows()), "t"))
    assert sheet is not None
    assert "on 20 models, by wall time: single best is" in sheet.caption


def test_a_chooser_does_not_see_the_board_that_it_chooses_for() -> None:
    """Features that say nothing: it cannot be right more often than by chance, and would be if it saw the board."""
    rows = [{**row, "domain_most": hash_of(row["instance"])} for row in chosen_rows(40)]
    found = selection(load(rows), WALL)
    assert found is not None
    assert found.table.set_index("chooser").loc[CHOOSER, "closed"] < 0.5


def hash_of(name: Any) -> int:
    return sum(map(ord, str(name))) * 7919 % 1009


def test_there_is_nothing_to_choose() -> None:
    rows = [row for row in chosen_rows() if row["encoding"] == "a"]
    assert selection(load(rows), WALL) is None
    unlimited = [{**row, "time_limit_s": None} for row in chosen_rows()]
    assert selection(load(unlimited), WALL) is None


def test_folds_are_equal_in_size() -> None:
    folds = folds_of([str(board) for board in range(25)])
    assert sorted(folds.count(fold) for fold in range(1, 11)) == [2] * 5 + [3] * 5


def arff(path: Path) -> tuple[list[str], list[list[str]]]:
    head, _, data = path.read_text().partition("@DATA\n")
    names = [line.split()[1].strip("'") for line in head.splitlines() if line.startswith("@ATTRIBUTE")]
    return names, [line.split(",") for line in data.splitlines()]


def test_a_scenario_of_aslib(tmp_path: Path) -> None:
    assert write_scenario(load(chosen_rows()), tmp_path / "s", "chosen") == 41
    about = yaml.safe_load((tmp_path / "s" / "description.txt").read_text())
    assert about["algorithm_cutoff_time"] == 10
    assert sorted(about["metainfo_algorithms"]) == ["a · minisat22", "b · minisat22"]
    assert about["feature_steps"]["facts"]["provides"] == about["features_deterministic"]
    names, runs = arff(tmp_path / "s" / "algorithm_runs.arff")
    assert names == ["instance_id", "repetition", "algorithm", "runtime", "runstatus"]
    assert sorted({row[4] for row in runs}) == ["ok", "timeout"]
    assert len(runs) == 41
    names, values = arff(tmp_path / "s" / "feature_values.arff")
    assert names[2:] == about["features_deterministic"]
    boards = {row[0] for row in runs}
    for file in ("feature_values", "feature_runstatus", "cv"):
        assert {row[0] for row in arff(tmp_path / "s" / f"{file}.arff")[1]} == boards
    assert all(len(row) == len(names) for row in values)
    with pytest.raises(NonosatError, match="one limit on time"):
        write_scenario(load([{**row, "time_limit_s": None} for row in chosen_rows()]), tmp_path / "t", "x")


# Models on the command line.


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "one.csp").write_text("(int x 0 5) (int y 0 5) (= (+ x y) 10)\n")
    (tmp_path / "two.csp").write_text("(int x 0 5) (int y 0 5) (= (+ x y) 9)\n")
    (tmp_path / "none.csp").write_text("(int x 0 5) (int y 0 5) (= (+ x y) 11)\n")
    (tmp_path / "best.csp").write_text("(int x 0 5) (int y 0 5) (< x y) (objective minimize y)\n")
    return tmp_path


@pytest.mark.slow
def test_models_are_certified(place: Path) -> None:
    for name, code, words, excluded in (
        ("one", 20, "there is one solution, and no other", "1 solution"),
        ("none", 20, "there is no solution", ""),
        ("best", 20, "there is no better solution than 1", "what is not better than a solution"),
    ):
        done = commands.run("certify", f"{name}.csp", "-o", "c", "--time-limit", "100", cwd=place)
        assert (done.returncode, done.stdout) == (code, f"{words}\n"), done.stderr
        checked = commands.run("check-certificate", f"c/{name}.opb", f"c/{name}.pbp", cwd=place)
        beside = f" beside what is excluded: {excluded}" if excluded else ""
        assert (checked.returncode, checked.stdout) == (0, f"no solution{beside}\n"), checked.stderr
        checked = commands.run(
            "check-certificate", f"c/{name}.opb", f"c/{name}.pbp", "--puzzle", f"{name}.csp", cwd=place
        )
        assert (checked.returncode, checked.stdout) == (0, f"{words}\n"), checked.stderr
    (place / "more.csp").write_text("(int x 0 5) (int y 0 5) (int z 0 5) (= (+ x y z) 15)\n")
    other = commands.run("check-certificate", "c/one.opb", "c/one.pbp", "--puzzle", "more.csp", cwd=place)
    assert other.returncode == 1
    assert "c/one.opb is of another model: its solutions have 2 numbers, and this model has 3 variables" in other.stderr
    done = commands.run("certify", "two.csp", "-o", "c", cwd=place)
    assert (done.returncode, done.stdout) == (10, "there are 2 solutions or more\n")
    assert not (place / "c" / "two.pbp").exists()
    words = ("certify", "two.csp", "-o", "c", "--count", "3", "--encoding", "log", "--format", "json")
    record = json.loads(commands.run(*words, cwd=place).stdout)
    assert (record["proved"], len(record["solutions"])) == ("there are 2 solutions, and no others", 2)
    assert "-o DIR is missing" in commands.complaint("certify", "one.csp", cwd=place)


def test_models_are_proved_and_compared(place: Path) -> None:
    done = commands.run("prove", "best.csp", "-o", "p", cwd=place)
    assert (done.returncode, (place / "p" / "proof.drat").exists()) == (20, True)
    assert "there is no better solution than 1: proved and checked" in done.stderr
    assert commands.run("prove", "two.csp", "-o", "q", cwd=place).returncode == 10
    assert commands.run("equivalent", "one.csp", "one.csp", cwd=place).stdout == "the same solutions\n"
    done = commands.run("equivalent", "none.csp", "one.csp", "--format", "json", cwd=place)
    assert (done.returncode, json.loads(done.stdout)) == (
        1,
        {"equivalent": False, "only": "one.csp", "solution": {"x": 5, "y": 5}, "reason": None},
    )
    assert "models are compared" in commands.complaint("equivalent", "a.non", "b.non", cwd=place)


@pytest.mark.slow
def test_limits_end_what_has_no_result_before_its_end(place: Path) -> None:
    model = Model("wide")
    x = model.integer("x", 0, 30, shape=9)
    model.add(model.sum(x) == 100)
    for work in (model.certify, model.prove, model.sample):
        with pytest.raises(LimitReachedError) as caught:
            work(memory_limit_mb=20)
        assert caught.value.verdict == "MEMOUT"
    assert model.explain(memory_limit_mb=4000).holds is False
    done = commands.run("certify", "best.csp", "-o", "c", "--memory-limit", "20", cwd=place)
    assert (done.returncode, done.stdout) == (0, "MEMOUT\n")
    assert not (place / "c" / "best.pbp").exists()


def test_a_model_keeps_its_answer_in_records() -> None:
    """``StudyModel.outcome`` of a wrong answer says nothing of objectives."""
    model = Model("m")
    x = model.integer("x", 0, 3)
    model.minimize(x)
    answer = ModelAnswer(Verdict.WRONG, found=(Solution(model, (2,)),), statement=model)
    one = StudyModel(Instance("i"))
    one.__dict__["statement"] = model
    assert set(one.outcome(answer, 0)) == {"picture"}
