"""Puzzles made unique, or solvable by lines: by rejection and by repair; proved by MiniSat, not by the solver used."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import count, islice, product
from pathlib import Path

import brute
import numpy as np
import pytest
from commands import complaint, run
from sampling import repeated, spread
from test_cli import GCHQ
from test_difficulty import NEEDS_PROBING, puzzle_of

import nonosat
from nonosat.errors import NonosatError, SolverError, UnknownNameError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.making import criteria as judges
from nonosat.making.criteria import accepted, judge, repair, solutions
from nonosat.making.repair import Repair, RepairChange, freedom, repaired, unlikeness
from nonosat.puzzles.formats import load, load_all, loads, save
from nonosat.puzzles.nonogram import Given, Nonogram, Run, clue_text
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.solvers.propagation.difficulty import difficulty, line_solvable, propagated

CHERRIES = str(Path(__file__).parents[1] / "examples" / "pictures" / "20-cherries.png")


def is_unique(puzzle: Nonogram) -> bool:
    """Proved by MiniSat, and the goal is the solution."""
    answer = nonosat.solve(puzzle, unique=True)
    assert answer.picture is not None
    return bool(answer.unique) and (puzzle.goal is None or answer.picture == puzzle.goal)


def is_sound(before: Nonogram, after: Repair) -> bool:
    """Are the changes told exactly those between the two goals, and the clues those of the new one?"""
    old, new = before.goal, after.puzzle.goal
    assert old is not None
    assert new is not None
    differ = [
        RepairChange(int(row), int(column), int(old.cells[row, column]), int(new.cells[row, column]))
        for row, column in np.argwhere(old.cells != new.cells)
    ]
    assert nonosat.fault(after.puzzle, new) is None
    assert after.share == len(differ) / old.cells.size
    assert after.puzzle.given == before.given
    return list(after.changes) == differ


def checkerboard(height: int, width: int) -> Nonogram:
    return Nonogram.from_picture(np.indices((height, width)).sum(axis=0) % 2, "checkers")


# ---------------------------------------------------------------- repair


@pytest.mark.parametrize("by_lines", spread([False, True], 1))
@pytest.mark.parametrize(
    ("size", "density"),
    [((5, 5), 0.5), ((10, 10), 0.3), ((6, 15), 0.4), ((15, 15), 0.4), ((20, 20), 0.5), ((12, 12), [0.2, 0.1, 0.2])],
)
def test_random_boards(size: tuple[int, int], density: float | list[float], by_lines: bool) -> None:
    for seed in range(6):
        before = random_density(*size, density, seed)
        after = repair(before, line_solvable=by_lines, seed=seed)
        assert is_sound(before, after)
        assert is_unique(after.puzzle)
        assert line_solvable(after.puzzle) or not by_lines
        assert after.puzzle.title == before.title


@pytest.mark.slow
def test_every_small_picture() -> None:
    """All 512 of 3x3, by brute force: one change at most, and none without need."""
    for bits in product((0, 1), repeat=9):
        before = Nonogram.from_picture(np.array(bits).reshape(3, 3))
        for by_lines in (False, True):
            after = repair(before, line_solvable=by_lines)
            assert is_sound(before, after)
            assert brute.pictures(after.puzzle) == {after.puzzle.goal}
            needed = not line_solvable(before) if by_lines else len(brute.pictures(before)) > 1
            assert len(after.changes) == needed


def test_no_change_can_be_taken_back() -> None:
    for seed, by_lines in product(range(4), (False, True)):
        after = repair(random_density(12, 12, 0.35, seed), line_solvable=by_lines)
        assert after.puzzle.goal is not None
        assert after.changes
        for change in after.changes:
            cells = after.puzzle.goal.cells.copy()
            cells[change.row, change.column] = change.old
            undone = Nonogram.from_picture(cells)
            assert not (line_solvable(undone) if by_lines else is_unique(undone))


@pytest.mark.parametrize("size", [(2, 2), (2, 5), (3, 3), (4, 4), (7, 6), (10, 10), (16, 16)])
def test_checkerboards(size: tuple[int, int]) -> None:
    for by_lines in (False, True):
        before = checkerboard(*size)
        after = repair(before, line_solvable=by_lines)
        assert is_sound(before, after)
        assert is_unique(after.puzzle)
        assert line_solvable(after.puzzle) or not by_lines


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (8, 8), (70, 3)])
def test_blank_and_full_pictures_stay(size: tuple[int, int], value: int) -> None:
    before = Nonogram.from_picture(np.full(size, value), "plain")
    assert repair(before) == repair(before, line_solvable=True) == Repair(before, ())


def test_a_single_row_or_column_is_always_settled() -> None:
    for seed in range(10):
        for size in ((1, 12), (12, 1)):
            assert repair(random_density(*size, [0.3, 0.3], seed), line_solvable=True).changes == ()


def test_what_is_unique_stays() -> None:
    before = puzzle_of(*NEEDS_PROBING)
    assert repair(before) == Repair(before, ())
    after = repair(before, line_solvable=True)
    assert len(after.changes) == 1
    assert line_solvable(after.puzzle)
    [gchq] = load_all(GCHQ)
    solved = Nonogram(gchq.rows, gchq.columns, gchq.given, goal=nonosat.solve(gchq).picture)
    assert repair(solved, line_solvable=True).changes == ()


def test_given_cells_stay_and_stay_given() -> None:
    cells = np.indices((6, 6)).sum(axis=0) % 2
    given = tuple((row, column, int(cells[row, column])) for row in range(3) for column in range(6))
    plain = Nonogram.from_picture(cells)
    before = Nonogram(plain.rows, plain.columns, given, goal=plain.goal)  # type: ignore[arg-type]
    for by_lines in (False, True):
        after = repair(before, line_solvable=by_lines)
        assert is_sound(before, after)
        assert all(change.row >= 3 for change in after.changes)
        assert is_unique(after.puzzle)


@pytest.mark.parametrize("number", repeated(50, 150))
def test_random_small_pictures_with_colours_and_given_cells(number: int) -> None:
    """Beside brute force: every shape, one to three colours, some cells given."""
    rng = np.random.default_rng(12)
    changed = 0
    for seed in range(number):
        colours = int(rng.integers(1, 4))
        size = rng.integers(2, 6, 2)
        cells = np.where(rng.random(size) < 0.4, rng.integers(1, colours + 1, size), 0)
        drawn = Picture(cells, palette_of(colours))
        plain = Nonogram.from_picture(drawn)
        some = [tuple(cell) for cell in np.argwhere(rng.random(drawn.shape) < 0.1).tolist()]
        given = tuple(Given(row, column, int(drawn.cells[row, column])) for row, column in some)
        before = Nonogram(plain.rows, plain.columns, given, plain.palette, goal=drawn)
        for by_lines in (False, True):
            after = repair(before, line_solvable=by_lines, seed=seed)
            assert is_sound(before, after)
            assert brute.pictures(after.puzzle) == {after.puzzle.goal}
            assert line_solvable(after.puzzle) or not by_lines
            changed += len(after.changes)
    assert changed >= number // 5


def test_colours_and_what_else_is_known_of_a_puzzle_stay() -> None:
    picture = Picture([[1, 2, 0, 3], [2, 1, 0, 0], [0, 0, 3, 3], [3, 1, 0, 0]], palette_of(3))
    plain = Nonogram.from_picture(picture)
    before = Nonogram(plain.rows, plain.columns, (), plain.palette, "a", "b", "c", "d", picture)
    after = repair(before)
    assert is_sound(before, after)
    assert is_unique(after.puzzle)
    assert after.puzzle.palette == before.palette
    assert (after.puzzle.author, after.puzzle.licence, after.puzzle.source) == ("b", "c", "d")


@pytest.mark.slow
def test_the_repaired_boards_are_pinned() -> None:
    """The same seed gives the same repair on every platform and version, if the solver gives the same solutions."""

    def first_two(puzzle: Nonogram) -> list[Picture]:
        return sorted(brute.pictures(puzzle), key=Picture.rows)[:2]

    cells = b""
    for density, seed in product((0.3, 0.45, [0.2, 0.2]), range(4)):
        for puzzle, solver in (
            (random_density(12, 14, density, seed), None),
            (random_density(6, 7, density, seed), first_two),
        ):
            goal = repaired(puzzle, propagated, solver, seed=seed).puzzle.goal
            assert goal is not None
            cells += goal.cells.tobytes()
    assert hashlib.sha256(cells).hexdigest()[:16] == GOLDEN_REPAIR
    assert len({repair(checkerboard(6, 6), seed=seed).changes for seed in range(5)}) > 1  # the seed decides something


GOLDEN_REPAIR = "255e87cb02bd17eb"


def test_the_bound_on_changes() -> None:
    board = random_density(15, 15, 0.35, seed=2)
    needed = len(repair(board).changes)
    assert needed > 2
    assert repair(board, max_changes=needed).changes == repair(board).changes
    with pytest.raises(UnsupportedError, match=f"at most {needed - 1} cells, but one by changing {needed}$"):
        repair(board, max_changes=needed - 1)
    with pytest.raises(UnsupportedError, match=r"^no unique puzzle was found by changing at most 1 cell$"):
        repair(board, max_changes=1)
    with pytest.raises(UnsupportedError, match=r"^no line-solvable puzzle was found by changing at most 0 cells$"):
        repair(puzzle_of(*NEEDS_PROBING), line_solvable=True, max_changes=0)
    assert repair(puzzle_of(*NEEDS_PROBING), max_changes=0).changes == ()


def test_what_cannot_be_repaired() -> None:
    with pytest.raises(UnsupportedError, match="no goal picture"):
        repair(Nonogram.from_lengths([[1]], [[1]]))
    with pytest.raises(UnsupportedError, match="does not solve it: row 1: "):
        repair(Nonogram(((), ()), ((), ()), goal=Picture([[0, 1], [0, 1]])))
    board = checkerboard(3, 3)
    for arguments in ({"max_changes": -1}, {"seed": -1}):
        with pytest.raises(UnsupportedError):
            repair(board, **arguments)


def test_solvers_that_are_wrong_or_give_up() -> None:
    board = checkerboard(4, 4)
    with pytest.raises(SolverError):
        repaired(board, lambda _: None)
    with pytest.raises(SolverError):
        repaired(board, propagated, lambda _: [])
    assert repaired(board, propagated, lambda _: None) == repaired(board, propagated)  # lines decide then
    patient = repaired(board, propagated, lambda p: nonosat.solve(p, unique=True).pictures)
    assert is_unique(patient.puzzle)


def test_freedom_is_the_logarithm_of_the_placements() -> None:
    for colours, length in ((1, 9), (2, 7)):
        for clue, lines in brute.placements(length, colours).items():
            said = freedom(tuple(Run(*run) for run in clue), length)
            assert abs(said - 64 * np.log2(len(lines))) <= 1, clue_text(clue, palette_of(colours))


def test_unlikeness() -> None:
    cells = np.array([[1, 1, 1], [1, 1, 1], [1, 1, 2]], dtype=np.uint8)
    assert unlikeness(cells, 1, 1, 0) == 7
    assert unlikeness(cells, 1, 1, 2) == 6
    assert unlikeness(cells, 2, 2, 1) == -3
    assert unlikeness(cells, 0, 0, 0) == 3 - 5  # beyond the edges lie blanks


# ---------------------------------------------------------------- rejection


def test_rejection_gives_the_first_boards_that_are_wanted() -> None:
    for wish, proved in (("unique", is_unique), ("line-solvable", line_solvable)):
        found = list(accepted((random_density(8, 8, 0.5, s) for s in count()), judge(wish), wish, count=6))
        right = (s for s in count() if proved(random_density(8, 8, 0.5, s)) and is_unique(random_density(8, 8, 0.5, s)))
        assert [place for place, _ in found] == list(islice(right, 6))
        assert all(puzzle == random_density(8, 8, 0.5, place) for place, puzzle in found)


@pytest.mark.parametrize("label", ["trivial", "easy", "medium", "hard", "ambiguous"])
def test_labels(label: str) -> None:
    boards = (random_density(6, 8, 0.5, s) for s in count(100))
    for _, puzzle in accepted(boards, judge(label), label, count=2):
        assert difficulty(puzzle).label == label
        assert is_unique(puzzle) == (label != "ambiguous")


def test_labels_of_searches() -> None:
    board = random_density(13, 13, 0.45, seed=1480)
    assert judge("very hard")(board)
    assert not judge("extreme")(board)
    assert not judge("hard")(board)


def test_too_few() -> None:
    boards = [random_density(20, 20, 0.3, s) for s in range(30)]
    with pytest.raises(UnsupportedError, match=r"^0 of 30 boards tried are unique; 1 wanted$"):
        list(accepted(boards, judge("unique"), "unique"))
    with pytest.raises(UnsupportedError, match=r"^0 of 7 boards tried are unique \(7 too hard to tell\); 2 wanted$"):
        list(accepted(boards, lambda _: None, "unique", count=2, attempts=7))
    with pytest.raises(UnsupportedError, match=r"^1 of 2 boards tried are full; 2 wanted$"):
        list(accepted([checkerboard(2, 2), checkerboard(2, 3)], lambda b: b.width == 3, "full", count=2))


def test_judges_are_bounded_by_work() -> None:
    board = random_density(40, 40, 0.35, seed=1)
    assert solutions(board, work=1000) is None
    assert judges.quick_solutions(board) is None
    assert solutions(checkerboard(2, 2), work=None) is not None
    several = Nonogram.from_lengths([[1]] * 4, [[1]] * 4)
    assert len(set(solutions(several, 5, work=None) or [])) == 5
    assert solutions(Nonogram.from_lengths([[2], []], [[1], []])) == []
    with pytest.raises(UnknownNameError, match="known: trivial, easy"):
        judge("simple")
    assert set(judges.JUDGES) == {"unique", "line-solvable", *judges.LINE_LABELS}


# ---------------------------------------------------------------- the commands


def test_generate_unique(tmp_path: Path) -> None:
    arguments = ["generate", "--size", "12x12", "--density", "0.55", "--seed", "1", "--count", "4"]
    result = run(*arguments, "--unique", "-o", str(tmp_path / "unique"))
    assert result.returncode == 0
    puzzles = {path.name: load(path) for path in (tmp_path / "unique").iterdir()}
    assert len(puzzles) == 4
    seeds = sorted(int(name.split("-s")[1].removesuffix(".json")) for name in puzzles)
    assert result.stderr.endswith(f"the first unique ones from seed 1 to {seeds[-1]}\n")
    for seed in range(1, seeds[-1] + 1):
        assert is_unique(random_density(12, 12, 0.55, seed)) == (seed in seeds)
    for name, puzzle in puzzles.items():
        assert puzzle == random_density(12, 12, 0.55, int(name.split("-s")[1].removesuffix(".json")))
    result = run(*arguments, "--line-solvable", "-o", "-", "--to", "json")
    assert result.stdout.count('"title"') == 4


def test_generate_by_label(tmp_path: Path) -> None:
    arguments = ["generate", "--size", "10", "--density", "0.45", "--count", "2", "-o", str(tmp_path)]
    assert run(*arguments, "--label", "hard").returncode == 0
    assert [difficulty(load(path)).label for path in tmp_path.iterdir()] == ["hard", "hard"]


@pytest.mark.slow
def test_generate_repaired(tmp_path: Path) -> None:
    arguments = ["generate", "--size", "12", "--density", "0.1,0.2", "--seed", "5", "--count", "3", "--repair"]
    done = run(*arguments, "--unique", "-o", str(tmp_path))
    assert done.returncode == 0
    for seed, line in zip((5, 6, 7), done.stderr.splitlines(), strict=False):
        path = tmp_path / f"density-12x12-0.1+0.2-s{seed}-unique.json"
        puzzle = load(path)
        assert is_unique(puzzle)
        expected = repair(random_density(12, 12, [0.1, 0.2], seed), seed=seed)
        assert puzzle == replace(expected.puzzle, title=puzzle.title)
        assert puzzle.title.endswith(f"seed {seed}, {len(expected.changes)} cells changed")
        assert line == f"{path}: unique, {told(expected)}"
    assert len(done.stderr.splitlines()) == 4  # and what was written
    assert run(*arguments, "--line-solvable", "-o", str(tmp_path)).returncode == 0
    assert line_solvable(load(tmp_path / "density-12x12-0.1+0.2-s5-line-solvable.json"))


def told(repair: Repair) -> str:
    """What `repair` and `generate --repair` say was changed."""
    symbols = ".#r"
    cells = "  ".join(
        f"{row + 1},{column + 1} {symbols[old]}→{symbols[new]}" for row, column, old, new in repair.changes
    )
    return f"{len(repair.changes)} of 144 cells changed ({100 * repair.share:.2g} %): {cells}"


def test_generate_repaired_to_standard_output() -> None:
    arguments = ["generate", "--size", "12", "--density", "0.1,0.2", "--count", "2", "--repair", "-o", "-"]
    done = run(*arguments, "--unique", "--seed", "5")
    expected = [repair(random_density(12, 12, [0.1, 0.2], seed), seed=seed) for seed in (5, 6)]
    titles = [f"{each.puzzle.title}, {len(each.changes)} cells changed" for each in expected]
    assert loads(done.stdout, "json") == [
        replace(each.puzzle, title=title) for each, title in zip(expected, titles, strict=True)
    ]
    assert done.stderr.splitlines() == [f"seed {5 + at}: unique, {told(each)}" for at, each in enumerate(expected)]
    full = run("generate", "--size", "3", "--density", "1", "--repair", "--line-solvable", "-o", "-")
    assert full.stderr == "seed 0: line-solvable as it is, no cell changed\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--unique", "--line-solvable"],
            "--unique, --solutions, --line-solvable, --label and --technique exclude each other",
        ),
        (
            ["--unique", "--label", "easy"],
            "--unique, --solutions, --line-solvable, --label and --technique exclude each other",
        ),
        (["--repair"], "--repair needs --unique or --line-solvable"),
        (["--repair", "--label", "easy"], "--repair needs --unique or --line-solvable"),
        (["--unique", "--max-changes", "3"], "--max-changes needs --repair"),
        (
            ["--attempts", "3"],
            "--attempts needs --unique, --solutions, --line-solvable, --label or --technique; not --repair",
        ),
        (
            ["--unique", "--repair", "--attempts", "3"],
            "--attempts needs --unique, --solutions, --line-solvable, --label or",
        ),
        (["--label", "simple"], "unknown label 'simple'; known: trivial, easy, medium, long, hard, very hard, extreme"),
        (["--label", ""], "unknown label ''"),
        (["--unique", "--attempts", "20"], "0 of 20 boards tried are unique; 1 wanted"),
        (
            ["--unique", "--repair", "--max-changes", "2"],
            "seed 0: no unique puzzle was found by changing at most 2 cells",
        ),
    ],
)
def test_what_generate_refuses(tmp_path: Path, arguments: list[str], message: str) -> None:
    said = complaint("generate", "--size", "20", "--density", "0.3", "-o", str(tmp_path), *arguments)
    assert said.startswith(message)
    assert list(tmp_path.iterdir()) == []


def test_repair_of_an_image(tmp_path: Path) -> None:
    result = run("repair", CHERRIES, "cherries.json", cwd=tmp_path)
    assert result.returncode == 0
    [line] = result.stderr.splitlines()
    assert line == f"{CHERRIES}: unique, 1 of 400 cells changed (0.25 %): 6,8 #→."
    assert load(tmp_path / "cherries.json").title == "20-cherries"
    assert is_unique(load(tmp_path / "cherries.json"))
    assert run("repair", "cherries.json", "again.json", cwd=tmp_path).stderr == (
        "cherries.json: unique as it is, no cell changed\n"
    )


@pytest.mark.slow
def test_a_repair_under_limits_is_the_same_or_partial(tmp_path: Path) -> None:
    small, told = random_density(6, 6, 0.4, 1), list[tuple[str, int]]()
    assert repair(small, time_limit_s=600, on_progress=lambda *at: told.append(at)) == repair(small)
    assert told == [("repairing", 1), ("repairing", 1)]
    with pytest.raises(UnsupportedError, match="at most 0 cells"):
        repair(small, max_changes=0, time_limit_s=600)
    large = random_density(60, 60, 0.25, 1)  # takes minutes
    done = repair(large, cpu_limit_s=1)
    assert done.reason is not None
    assert done.puzzle.goal is not None
    assert large.goal is not None
    assert int((done.puzzle.goal.cells != large.goal.cells).sum()) == len(done.changes)
    save([large], str(tmp_path / "in.json"), "json")
    result = run("repair", "in.json", "out.json", "--cpu-limit", "1", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr.startswith("in.json: not unique yet, CPU-time limit of 1 s reached, ")
    assert not (tmp_path / "out.json").exists()


@pytest.mark.slow
def test_boards_are_generated_under_limits(tmp_path: Path) -> None:
    """The same ones; where a limit is reached, as many as were found."""
    options = ("generate", "--size", "5", "--density", "0.6", "--unique", "--count", "3", "-o")
    run(*options, "all", cwd=tmp_path)
    run(*options, "limited", "--time-limit", "600", cwd=tmp_path)
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert len(names) == 3
    for name in names:
        assert (tmp_path / "limited" / name).read_text() == (tmp_path / "all" / name).read_text()
    never = ("generate", "--size", "30", "--density", "0.2", "--unique", "--cpu-limit", "1", "-o")  # tries for hours
    for where in ("none", "-"):
        result = run(*never, where, cwd=tmp_path)
        assert (result.returncode, result.stdout) == (0, "")
        assert result.stderr == "0 of 1 puzzle: CPU-time limit of 1 s reached\n"
    assert not (tmp_path / "none").exists()


def test_repair_of_puzzles(tmp_path: Path) -> None:
    save([checkerboard(4, 4), puzzle_of(*NEEDS_PROBING), puzzle_of("#.", ".#")], tmp_path / "in.txt")  # no goals
    result = run("repair", "in.txt", "out.txt", "--line-solvable", cwd=tmp_path)
    assert result.returncode == 0
    assert len(result.stderr.splitlines()) == 3
    assert result.stderr.startswith("in.txt: puzzle 1: line-solvable, ")
    assert all(line_solvable(puzzle) for puzzle in load_all(tmp_path / "out.txt"))
    result = run("repair", "in.txt", "-", "--to", "json", "--index", "2", cwd=tmp_path)
    assert json.loads(result.stdout)["goal"] == NEEDS_PROBING
    assert result.stderr == "in.txt: unique as it is, no cell changed\n"


def test_what_repair_refuses(tmp_path: Path) -> None:
    (tmp_path / "unsat.mk").write_text("3 3\n2\n2\n0\n#\n2\n1\n1\n")
    save(random_density(15, 15, 0.3, seed=1), tmp_path / "board.json")
    wrong = json.loads((tmp_path / "board.json").read_text())
    wrong["goal"][0] = "." * 15
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    for arguments, message in (
        (["unsat.mk", "x.json"], "unsat.mk: UNSAT: there is no picture to repair"),
        (
            ["board.json", "x.json", "--max-changes", "1"],
            "board.json: no unique puzzle was found by changing at most 1",
        ),
        (["wrong.json", "x.json"], "wrong.json"),
        (["board.json", "x.foo"], "x.foo: "),
        (["nowhere.png", "x.json"], "nowhere.png: no such file"),
        (["nowhere.json", "x.json"], "nowhere.json: no such file"),
    ):
        assert complaint("repair", *arguments, cwd=tmp_path).startswith(message)
        assert not (tmp_path / "x.json").exists()


def test_errors_are_for_people() -> None:
    assert issubclass(SolverError, NonosatError)
    assert nonosat.repair is repair
