"""Skyscrapers through studies: the file, the runs, the records, and the tables by level."""

from __future__ import annotations

import subprocess
from pathlib import Path

import commands
import pandas as pd
import pytest
from majdandzic2022 import analysis as levels
from records_made import record, stopped

from nonosat.errors import FormatError
from nonosat.generators.skyscrapers import LEVELS, Level
from nonosat.generators.skyscrapers_made import made
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.report.write import write_report
from nonosat.studies.checking import check
from nonosat.studies.models import puzzle_of
from nonosat.studies.plan import Study, instances
from nonosat.studies.session import conduct
from nonosat.studies.store import StoreReader
from nonosat.studies.study import parse

STUDY = """
name = "towers"
encodings = ["permutation+visible+coupled", "different+states"]
solvers = ["minisat22", "cpsat", "phases", "phases+no4"]
[limits]
time_limit_s = 60
[[puzzles]]
generator = "skyscrapers"
levels = [0, 2]
count = 2
seed = 5
[[puzzles]]
generator = "skyscrapers"
levels = ["5x5-hard"]
count = 1
"""


def study(text: str) -> Study:
    return parse(text, Path("study.toml"))


def test_instances_and_their_puzzles() -> None:
    found = list(instances(study(STUDY)))
    assert [instance.name for instance in found] == [
        *("skyscrapers/level-0/5", "skyscrapers/level-0/6", "skyscrapers/level-2/5", "skyscrapers/level-2/6"),
        "skyscrapers/5x5-hard/0",
    ]
    assert puzzle_of(found[2]) == made(LEVELS[2], 5, "level 2, seed 5")
    assert puzzle_of(found[4]) == made(Level(5, "hard"), 0, "5x5 hard, seed 0")
    report = check(study(STUDY))
    assert (report.instances, report.groups, report.runs, report.problems) == (5, 25, 30, ())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[0, 2]", "[0, 12]", "puzzles[1].levels: levels are 0 to 11, not 12"),
        ("[0, 2]", "[true]", "puzzles[1].levels: expected a level from 0 to 11, or one such as '12x12-hard', not True"),
        ("[0, 2]", "[0.5]", "puzzles[1].levels: expected a level from 0 to 11, or one such as '12x12-hard', not 0.5"),
        ("[0, 2]", "[]", "puzzles[1].levels: is empty"),
        ("levels = [0, 2]\n", "", "puzzles[1].levels: missing"),
        ("levels = [0, 2]", 'levels = [0, 2]\ndensities = [0.4]', "puzzles[1].densities: unknown key"),
        ("levels = [0, 2]", 'level = [0, 2]', "puzzles[1].level: unknown key; did you mean 'levels'?"),
        ("5x5-hard", "5x5-harder", "puzzles[2].levels: difficulty 'harder': known are easy, normal, hard"),
        ("5x5-hard", "16x16-hard", "puzzles[2].levels: a board of 16x16: sizes from 1 to 15 are generated"),
        ("5x5-hard", "5x6-hard", "puzzles[2].levels: '5x6-hard': skyscrapers stand on a square"),
        ('"skyscrapers"', '"skyscraper"', "puzzles[1].generator: unknown generator 'skyscraper'; known: density, pic"),
    ],
)  # fmt: skip
def test_errors(old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        study(STUDY.replace(old, new, 1))
    assert message in str(caught.value)


def test_puzzles_of_one_kind_and_what_is_for_it() -> None:
    both = STUDY + '[[puzzles]]\ngenerator = "density"\nsizes = [5]\ndensities = [0.5]\ncount = 1\n'
    [problem] = check(study(both)).problems
    assert "puzzles: of 2 kinds (nonogram, skyscrapers): make a study of each" in problem
    wrong = STUDY.replace('"different+states"', '"tight+r3"').replace('"phases+no4"', '"axis"')
    problems = check(study(wrong)).problems
    assert [problem.partition(": ")[2] for problem in problems] == [
        "encodings: encoding tight+r3 is for the puzzle nonogram, not for skyscrapers",
        "solvers: solver axis is for the puzzle nonogram, not for skyscrapers",
    ]


@pytest.mark.slow
def test_runs_and_records(tmp_path: Path) -> None:
    done = conduct(study(STUDY), tmp_path / "s.sqlite", jobs=2)
    assert done.outcomes == {"SAT": 30}
    with StoreReader(tmp_path / "s.sqlite") as reader:
        records = list(reader.records())
    for found in records:
        puzzle = made(LEVELS[int(found["level"] or 0)], int(found["seed"] or 0)) if found["level"] is not None else None
        assert (found["kind"], found["goal"], found["rows"] == found["columns"]) == ("skyscrapers", True, True)
        assert (found["colours"], found["fill"], found["density"]) == (None, None, None)
        assert (found["parts"] is None) == (found["family"] == "own")
        assert (found["nodes"] is not None) == (found["family"] == "own")
        if puzzle is not None:
            assert found["clues"] == sum(clue > 0 for clue in puzzle.clues)
            assert found["given"] == len(puzzle.given)
            assert found["difficulty"] == LEVELS[int(found["level"] or 0)].difficulty
    hashes = {(r["instance"], r["encoding"]): set() for r in records if r["cnf"]}  # type: ignore[var-annotated]
    for found in records:
        if found["cnf"]:
            hashes[found["instance"], found["encoding"]].add(found["cnf"])
    assert len(hashes) == 10
    assert all(len(same) == 1 for same in hashes.values())
    frame = load(tmp_path / "s.sqlite")
    table = levels.by_level(frame)
    assert set(table["level"]) == {0, 2}
    assert table["solved"].eq(2).all()
    assert set(levels.by_level(frame, "rows")["rows"]) == {4, 5}
    page = write_report(frame, tmp_path / "report", "towers", formats=["svg"])
    assert page.stat().st_size > 10_000


@pytest.fixture
def frame() -> pd.DataFrame:
    """Two levels: with four phases 1 ms, without the fourth 10 ms, or at level 8 over the limit; SAT 5 ms."""
    made_up = []
    for level in (7, 8):
        for seed in range(5):
            about = {
                "kind": "skyscrapers", "level": level, "difficulty": "hard" if level == 8 else "normal", "rows": 6,
                "columns": 6, "density": None, "instance": f"skyscrapers/level-{level}/{seed}", "seed": seed,
            }  # fmt: skip
            own = {"family": "own", "encoding": None, "parts": None, "encode_s": None, "load_s": None, **about}
            made_up.append(record(solver="phases", solve_s=0.001, nodes=level, key=f"a{level}{seed}", **own))
            slow = {"solver": "phases+no4", "key": f"b{level}{seed}", **own}
            made_up.append(stopped(**slow) if level == 8 else record(**slow, solve_s=0.01, nodes=100))
            name = {"encoding": "different+states", "parts": "different+states+order"}
            sat = {"encode_s": 0.002, "load_s": 0.001, "solve_s": 0.002, "key": f"c{level}{seed}", **name}
            made_up.append(record(solver="minisat22", **about, **sat))
    return load(made_up)


def test_the_table_by_level(frame: pd.DataFrame) -> None:
    table = levels.by_level(frame).set_index(["level", "way"])
    four = table.loc[7, "phases 1-4, 5"]
    assert (four["mean_ms"], four["boards_mean"], four["thesis_mean_ms"]) == pytest.approx((1.0, 7.0, 2.21))
    assert table.loc[(7, "minisat22 different+states"), "mean_ms"] == pytest.approx(5.0)
    assert table.loc[(8, "phases 1-3, 5"), "solved"] == 0
    assert table.loc[(8, "phases 1-3, 5"), "median_ms"] == float("inf")
    worth = levels.worth(table.reset_index())
    assert worth.loc[7, "phases 1-3, 5 / phases 1-4, 5"] == pytest.approx(10.0)
    ratio = levels.overtaken(table.reset_index())
    assert ratio.loc[8, "minisat22 different+states"] == pytest.approx(5.0)


def test_ways_against_the_five_phases_board_by_board(frame: pd.DataFrame) -> None:
    slower = frame["solver"].eq("minisat22") & frame["seed"].eq(4)
    frame.loc[slower, ["time_s", "cpu_time_s"]] = 0.025  # instead of 5 ms, on one board of five
    table = levels.against(frame).set_index(["rows", "way"])
    assert list(table.index) == [(6, "phases 1-3, 5"), (6, "minisat22 different+states")]
    sat, weak = table.loc[(6, "minisat22 different+states")], table.loc[(6, "phases 1-3, 5")]
    assert (sat["boards"], sat["typical"], sat["ratio_of_means"]) == pytest.approx((5, 5.0, 9.0))
    assert sat["typical_low"] <= 5.0 <= sat["typical_high"]
    assert weak["typical"] == float("inf"), "no board of level 8 is solved without phase 4"
    assert weak[["ratio_of_means", "ratio_of_means_low", "ratio_of_means_high"]].isna().all()


def test_lines_by_level(frame: pd.DataFrame) -> None:
    drawn = levels.lines_by_level(frame)
    assert [text.get_text() for text in drawn.axes[0].texts]
    assert levels.lines_by_level(frame, "boards_median").axes
    assert levels.lines_by_level(frame, by="rows").axes
    assert "no data" in levels.lines_by_level(frame[:0]).axes[0].texts[0].get_text()


def test_the_figure_says_what_was_not_run(frame: pd.DataFrame) -> None:
    assert "Not run" not in levels.lines_by_level(frame).foot
    weak = frame["solver"].eq("phases+no4")
    told = levels.lines_by_level(frame[~(weak & frame["level"].eq(8))]).foot
    assert told.endswith("Not run: phases 1-3, 5 at 8."), told


@pytest.mark.slow
def test_what_results_has_is_written_by_one_function(frame: pd.DataFrame, tmp_path: Path) -> None:
    levels.write(frame, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("against.csv", "boards-by-level.png", "boards-by-level.txt", "by-level.csv", "by-size.csv"),
        *("time-by-level.png", "time-by-level.txt", "time-by-size.png", "time-by-size.txt"),
    ]
    again = pd.read_csv(tmp_path / "out" / "by-level.csv").set_index(["level", "way"])["solved"]
    assert again.equals(levels.by_level(frame).set_index(["level", "way"])["solved"])


def nonosat(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return commands.run(*arguments, cwd=folder)


@pytest.mark.slow
def test_every_verb_of_the_command_line(tmp_path: Path) -> None:
    arguments = ["--puzzle", "skyscrapers", "--level", "2", "--seed", "4", "--count", "2"]
    generated = nonosat("generate", *arguments, folder=tmp_path)
    assert generated.returncode == 0, generated.stderr
    name = "skyscrapers-level-2-s4.json"
    assert {path.name for path in tmp_path.iterdir()} == {name, "skyscrapers-level-2-s5.json"}
    solved = nonosat("solve", name, "--unique", "--draw", "board.png", folder=tmp_path)
    assert (solved.returncode, "the only solution (by five phases)" in solved.stderr) == (10, True), solved.stderr
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "board.txt").write_text(solved.stdout)
    checked = nonosat("check", name, "board.txt", folder=tmp_path)
    assert (checked.returncode, checked.stdout) == (0, "board.txt: right\n")
    (tmp_path / "bad.txt").write_text("\n".join(reversed(solved.stdout.splitlines())))
    checked = nonosat("check", name, "bad.txt", folder=tmp_path)
    assert (checked.returncode, "wrong: " in checked.stdout) == (1, True)
    for target in ("board.sky", "board.clues"):
        assert nonosat("convert", name, target, folder=tmp_path).returncode == 0
        again = nonosat("solve", target, "--solver", "phases", folder=tmp_path)
        assert (again.returncode, again.stdout) == (10, solved.stdout)
    assert nonosat("encode", name, "-o", "board.cnf", folder=tmp_path).returncode == 0
    (tmp_path / "out.txt").write_text(_model(tmp_path / "board.cnf"))
    decoded = nonosat("decode", "board.cnf", "out.txt", folder=tmp_path)
    assert (decoded.returncode, decoded.stdout) == (10, solved.stdout)
    proved = nonosat("prove", name, "-o", "proof", folder=tmp_path)
    assert (proved.returncode, "no other solution" in proved.stderr) == (20, True), proved.stderr
    everything = nonosat("solve", "board.clues", "--all", "--format", "json", folder=tmp_path)
    assert '"solutions": 1' in everything.stdout
    drawn = nonosat("draw", "board.sky", "-", "--solve", folder=tmp_path)
    assert drawn.returncode == 0
    (tmp_path / "drawn.txt").write_text(drawn.stdout)
    assert nonosat("check", name, "drawn.txt", folder=tmp_path).returncode == 0


def _model(cnf: Path) -> str:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver("cadical153", bootstrap_with=CNF(from_file=str(cnf))) as solver:
        assert solver.solve()
        return "s SATISFIABLE\nv " + " ".join(map(str, solver.get_model() or [])) + " 0\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--puzzle", "skyscrapers"), "--level is missing"),
        (("--puzzle", "skyscrapers", "--level", "12"), "--level: levels are 0 to 11, not '12'"),
        (
            ("--puzzle", "skyscrapers", "--level", "hard"),
            "--level: expected a level from 0 to 11, or one such as '12x1",
        ),
        (("--puzzle", "skyscrapers", "--level", "4x5-hard"), "--level: '4x5-hard': skyscrapers stand on a square"),
        (("--puzzle", "skyscrapers", "--level", "999x999-hard"), "sizes from 1 to 15 are generated"),
        (("--puzzle", "skyscrapers", "--level", "4x4-odd"), "known are easy, normal, hard"),
        (
            ("--puzzle", "skyscrapers", "--level", "3", "--size", "4"),
            "--size is not for the generator skyscrapers, but",
        ),
        (("--generator", "skyscrapers", "--level", "3", "--density", "0.4"), "--density is not for the generator sky"),
        (
            ("--puzzle", "skyscrapers", "--level", "3", "--label", "eassy"),
            "unknown label 'eassy'; known: easy, medium",
        ),
        (
            ("--puzzle", "skyscrapers", "--level", "3", "--line-solvable"),
            "--line-solvable is not for the generator sky",
        ),
        (
            ("--puzzle", "skyscrapers", "--level", "3", "--line-solvable", "--repair"),
            "--repair is not for the generator",
        ),
        (("--puzzle", "skyscraper", "--level", "3"), "unknown kind of puzzle 'skyscraper'; known: nonogram, skyscr"),
        (
            ("--generator", "densiti", "--size", "3"),
            "unknown generator 'densiti'; known: density, pictures, skyscrapers; did you",
        ),
        (("--puzzle", "nonogram", "--generator", "skyscrapers"), "makes puzzles of the kind skyscrapers, not nonogram"),
        (("--puzzle", "skyscrapers", "--level", "3", "--to", "mk"), "mk holds nonograms, not skyscrapers"),
        (
            ("--level", "3", "--size", "4", "--density", "0.4"),
            "--level is not for the generator density, but for skyscrapers",
        ),
        (("--size", "4"), "--density is missing"),
    ],
)
def test_what_generate_refuses(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = nonosat("generate", *arguments, folder=tmp_path)
    assert (done.returncode, message in done.stderr, done.stderr.count("\n")) == (2, True, 1), done.stderr


def test_verbs_for_nonograms_only(tmp_path: Path) -> None:
    (tmp_path / "x.clues").write_text("1///////\n")
    for verb in (("difficulty", "x.clues"), ("repair", "x.clues", "y.json"), ("encode", "x.clues", "-o", "x.csp")):
        done = nonosat(*verb, folder=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "for nonograms, not for skyscrapers" in done.stderr or "is for the puzzle nonogram" in done.stderr
