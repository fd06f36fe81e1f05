"""Is an encoding right for a puzzle? Those that are, are proved so; readings that are not, are told by their rule."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import commands
import numpy as np
import pytest
from sampling import spread
from wrong_rules import apart, nothing

import nonosat
from nonosat import plugins, testing
from nonosat.certificates.equivalence import Equivalence, equivalent
from nonosat.certificates.equivalence.cases import Cases, Outcome
from nonosat.certificates.equivalence.compare import derive_clauses, derive_statement
from nonosat.certificates.statement import statement_of
from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP
from nonosat.encodings import nonogram
from nonosat.encodings.cnf import CNF, Collector
from nonosat.encodings.expand import compiled
from nonosat.encodings.formula import Formula
from nonosat.encodings.nonogram import ENCODINGS, RELAXED
from nonosat.encodings.order import OrderMap
from nonosat.encodings.parts import Integers, Part
from nonosat.encodings.registry import KINDS, encoding
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Board, Given, Puzzle, is_solution
from nonosat.rng import Rng
from nonosat.testing.brute import samples
from nonosat.testing.encodings import boards

ROOT = Path(__file__).parents[1]

TWO = Nonogram.from_lengths([[1, 1], [1]], [[1], [1], [1]])
ORDER = "row 1: nothing keeps run 1 before run 2"


def board(seed: int) -> Nonogram:
    """Up to 6x6, of one to three colours; some with a given cell, right or wrong, some with rows that are moved."""
    stream = Rng(seed)
    colours, height, width = 1 + stream.below(3), 1 + stream.below(6), 1 + stream.below(6)
    found = random_density(height, width, (0.6 / colours,) * colours, seed)
    what = stream.below(4)
    if what == 1:
        given = Given(stream.below(height), stream.below(width), stream.below(colours + 1))
        return replace(found, given=(given,), goal=None)
    return replace(found, rows=found.rows[1:] + found.rows[:1], goal=None) if what == 2 else found


def models(formula: Formula, puzzle: Puzzle) -> set[Board]:
    return set() if formula.cnf.has_empty_clause else {puzzle.picture(cells) for cells in boards(formula)}


def solved(puzzle: Puzzle) -> set[Board]:
    """All solutions, by a SAT solver and an encoding that brute force has been asked about elsewhere."""
    return models(encoding("tight+r3+order").formula(puzzle), puzzle)


def refused(found: Equivalence, wrong: set[Board], solutions: set[Board]) -> None:
    """A relaxed reading: its rule is named, or what it loses; the board shows it."""
    fault = found.difference
    assert fault is not None
    assert not fault.given_up
    rule = next(word for word in found.encoding.split("+") if word.startswith("r"))
    if fault.lost:
        assert "nothing keeps run" in fault.words
        assert not wrong or fault.board is not None
    else:
        assert fault.part == rule
        assert "printed" in rule
        assert "run" in fault.words
        assert fault.board in solutions


def hold(puzzle: Nonogram) -> int:
    """How many relaxed readings differ from the puzzle, all of which must be refused; what is sound must be proved."""
    solutions, differ = solved(puzzle), 0
    for name in (*ENCODINGS, *RELAXED):
        found, parts = equivalent(puzzle, name), encoding(name)
        if parts.sound and parts.complete:
            assert found, f"{found}\n{puzzle}"
            continue
        let_through = models(parts.formula(puzzle), puzzle)
        differ += let_through != solutions
        if let_through != solutions or not found:
            refused(found, let_through - solutions, solutions)
    return differ


@pytest.mark.slow
def test_what_is_sound_is_proved_and_relaxed_readings_are_refused() -> None:
    assert sum(hold(board(seed)) for seed in range(3)) > 7


@pytest.mark.slow
@pytest.mark.parametrize(("boards", "held"), [(8, 46), pytest.param(200, 904, marks=pytest.mark.nightly)])
def test_many_boards(boards: int, held: int) -> None:
    assert sum(hold(board(seed)) for seed in range(boards)) == held


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    spread(
        [
            "different+running+order",
            "permutation+visible+coupled",
            "permutation+states+direct",
            "different+running+support+product+channel",
            "permutation+visible+order<=2,log",
            "different+states+order+channel",
        ],
        2,
    ),
)
def test_skyscrapers(name: str) -> None:
    for puzzle in samples("skyscrapers"):
        assert equivalent(puzzle, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS["skyscrapers"].tested)
def test_skyscrapers_in_every_encoding(name: str) -> None:
    larger = nonosat.Skyscrapers.from_heights([[1, 2, 3, 4], [2, 1, 4, 3], [3, 4, 1, 2], [4, 3, 2, 1]])
    for puzzle in (*samples("skyscrapers"), larger):
        assert equivalent(puzzle, name)


def mutated(formula: Formula, stream: Rng) -> Formula:
    """A clause less, or with a literal turned round; but none of those that say that variables have values."""
    clauses = list(formula.cnf)
    out = Collector(formula.map.booleans)
    formula.map.axioms(out)
    axioms = out.cnf().clauses
    at = axioms + stream.below(len(clauses) - axioms)
    if stream.below(2) or not clauses[at]:
        del clauses[at]
    else:
        place = stream.below(len(clauses[at]))
        clauses[at] = [-x if i == place else x for i, x in enumerate(clauses[at])]
    literals = np.array([x for clause in clauses for x in clause], dtype=np.int32)
    ends = np.cumsum([len(clause) for clause in clauses], dtype=np.int64)
    return replace(formula, cnf=CNF(formula.cnf.variables, literals, ends))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", spread(["tight+r3+order", "plain+r3+iff+direct", "tight+r3+log", "automaton+coupled"], 1)
)
def test_what_is_proved_of_a_mutated_formula_is_true(name: str) -> None:
    """Each direction by itself: nothing is shut out where clauses follow, nothing wrong where the statement does."""
    proved = broken = 0
    for seed in range(40):
        puzzle = board(seed % 20)
        formula = encoding(name).formula(puzzle)
        if not formula.cnf.clauses:
            continue
        formula = mutated(formula, Rng(seed))
        statement, solutions = statement_of(puzzle), solved(puzzle)
        forward = derive_clauses(formula, statement, name, 1000)
        backward = derive_statement(formula, statement, name, 1000)
        if forward.outcome is Outcome.PROVED:
            assert models(formula, puzzle) >= solutions
        if backward.outcome is Outcome.PROVED:
            assert models(formula, puzzle) <= solutions
        proved += (forward.outcome, backward.outcome).count(Outcome.PROVED)
        broken += (forward.outcome, backward.outcome).count(Outcome.BROKEN)
    assert proved > 10
    assert broken > 5


def test_a_clause_has_the_same_text_in_every_integer_encoding() -> None:
    puzzle = random_density(5, 5, 0.5, 2)
    for integers in ("order", "coupled"):
        found = str(equivalent(random_density(5, 5, 0.5, 1), f"plain+r4printed+{integers}"))
        assert found.endswith(
            ": row 1: r4printed: run 1 starts at 4 or later, or run 2 starts at 1: that does not follow"
        )
    told = {
        str(equivalent(puzzle, f"plain+r6printed+{integers}")).partition(": ")[2] for integers in ("order", "coupled")
    }
    assert told == {"row 1: r6printed: run 1 starts at 4 (which is about run 1 and run 2): that does not follow"}
    [fault] = [equivalent(puzzle, "tight+r4printed").difference]
    assert str(fault) == "row 1: r4printed: no values are left to run 1 and run 2: that does not follow"


@pytest.mark.parametrize("integers", ["order", "direct", "support", "log", "coupled"])
@pytest.mark.parametrize("rules", ["plain+r4ends", "plain+r6ends+iff"])
def test_what_the_prose_loses(rules: str, integers: str) -> None:
    puzzle = random_density(5, 5, 0.5, 2)
    fault = equivalent(puzzle, f"{rules}+{integers}").difference
    assert fault is not None
    assert fault.lost
    assert str(fault) == ORDER
    assert fault.board is not None


def test_both_readings_beside_the_right_rule() -> None:
    puzzle = random_density(5, 5, 0.5, 2)
    assert equivalent(puzzle, "tight+r3+r4ends")
    fault = equivalent(puzzle, "tight+r3+r4printed").difference
    assert fault is not None
    assert fault.part == "r4printed"


def part(name: str, slot: str, make: Any) -> Part:
    return Part(name, slot, make, "", "", kind="nonogram")


def late(runs: Any) -> Any:
    lower, upper = nonogram.plain(runs)
    return np.minimum(lower + 1, upper), upper


class Careless(OrderMap):
    """Its Booleans may say that a start is at 1 or before and not at 2 or before."""

    kind = "careless"

    def axioms(self, out: Any) -> None:
        pass


def careless(csp: CSP) -> Formula:
    flat = flatten(csp)
    return compiled(flat, Careless.of(flat.lower, flat.upper))


BROKEN = {
    "plain+loose+order": (part("loose", "ordering", nothing), "nothing keeps run 1 before run 2"),
    "plain+apart+order": (part("apart", "ordering", apart), "apart: run 1 starts at"),
    "late+r3+order": (part("late", "domain", late), "late: run 1 starts at 2"),
    "tight+r3+careless": (
        Integers("careless", careless, "", "", map=Careless),
        "place 1 may have a colour though no run of that colour covers it",
    ),
}


@pytest.mark.parametrize("name", spread(BROKEN, 1))
def test_a_wrong_part_is_reported_with_a_counterexample(name: str) -> None:
    wrong, said = BROKEN[name]
    with plugins.registered(wrong), pytest.raises(AssertionError, match=said) as told:
        testing.follows(name)
    text = str(told.value)
    assert "\nof this puzzle:\n" in text
    assert "│" in text  # as people see it
    assert "Nonogram(" not in text
    with plugins.registered(wrong):
        failed = []
        for check in testing.battery([wrong]):
            if "follow from each other" in str(check):
                try:
                    check()
                except AssertionError:
                    failed.append(check)
    assert failed


def test_parts_marked_unsound_are_skipped() -> None:
    for wrong in (part("loose", "ordering", nothing), part("apart", "ordering", apart)):
        with plugins.registered(replace(wrong, sound=False, complete=False)):
            testing.follows(f"tight+{wrong.name}")


RULE = ROOT / "examples/my_rule.py"
TOWERS = nonosat.Skyscrapers.from_heights([[2, 3, 1], [3, 1, 2], [1, 2, 3]])


@pytest.mark.slow
def test_a_right_board_is_never_shown_as_a_wrong_one(tmp_path: Path) -> None:
    """Boards of the rule are right, but its auxiliaries are not what the rule says that they are."""
    careless, file = tmp_path / "careless.py", tmp_path / "three.sky"
    careless.write_text(RULE.read_text().replace('f"m_{view}_{place}"', 'f"m_{view}_0"'))
    save(TOWERS, file)
    with plugins.registered(*plugins.module_of(careless).PARTS):
        found = equivalent(TOWERS, "cut+permutation+curtain+order")
    fault = found.difference
    assert fault is not None
    assert fault.board == TOWERS.goal
    assert fault.about_board.startswith("a solution that the encoding has, with auxiliaries that do not mean")
    assert found.equivalent is None
    command = ("--plugin", str(careless), "certify", str(file), "--encoding", "cut+permutation+curtain+order")
    done = commands.run(*command)
    assert done.returncode == 3
    assert "cannot tell whether they are equivalent" in done.stderr
    done = commands.run(*command, "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["equivalent"]) == (3, None)


def test_auxiliaries_may_leave_open_what_they_are_about() -> None:
    """Those of the rule say whether the highest so far is N, and the clauses bind them only where it is."""
    with plugins.registered(*plugins.module_of(RULE).PARTS):
        assert equivalent(TOWERS, "cut+permutation+curtain+order")
        assert equivalent(TOWERS, "full+permutation+curtain+direct")


def test_a_lemma_is_given_up_or_broken() -> None:
    stated = ["1 aa 1 bb 1 cc >= 2 ;"]
    cases = Cases(stated, 100)
    one, other, third = cases.literals(["aa", "bb", "cc"])
    assert cases.sum([(1, one), (2, other), (1, third)], 2) is Outcome.PROVED
    assert cases.sum([(1, one), (2, other), (1, third)], 3) is Outcome.BROKEN
    assert cases.model[one]
    assert cases.model[third]
    assert not cases.model[other]
    assert Cases(stated, 0).sum([(1, one), (2, other), (1, third)], 3) is Outcome.OPEN
    found = equivalent(random_density(5, 5, 0.5, 2), "plain+r4printed", most=0)
    assert found.difference is not None
    assert found.difference.given_up
    assert "nothing is known" in str(found)


def test_other_kinds_and_encodings_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="is for the puzzle nonogram"):
        equivalent(nonosat.Skyscrapers.from_heights([[1]]), "tight+r3+order")


LARGE = random_density(60, 60, 0.5, 1)
LIMITS: dict[str, dict[str, float]] = {
    "TIMEOUT": {"time_limit_s": 0.3},
    "CPUOUT": {"cpu_limit_s": 0.3},
    "MEMOUT": {"memory_limit_mb": 40},
}


@pytest.mark.parametrize("verdict", LIMITS)
def test_a_limit_leaves_it_open(verdict: str) -> None:
    found = equivalent(LARGE, "tight+r3", **LIMITS[verdict])  # type: ignore[arg-type]
    assert (found.equivalent, found.stopped, found.difference) == (None, verdict, None)
    assert not found
    assert str(found).startswith("tight+r3+order: not decided: ")
    assert "limit" in str(found)


@pytest.mark.slow
def test_large_limits_change_nothing() -> None:
    """What is found is the same, and so is what is refused."""
    puzzle, limits = random_density(5, 5, 0.5, 2), {"time_limit_s": 100.0, "cpu_limit_s": 100.0}
    for name in ("tight+r3", "plain+r4ends", "plain+r4printed"):
        free, limited = equivalent(puzzle, name), equivalent(puzzle, name, **limits)  # type: ignore[arg-type]
        assert (str(free), free.lines, free.equivalent) == (str(limited), limited.lines, limited.equivalent)
        assert free.difference is None or free.difference.board == limited.difference.board  # type: ignore[union-attr]
    with pytest.raises(UnsupportedError, match="is for the puzzle nonogram"):
        equivalent(nonosat.Skyscrapers.from_heights([[1]]), "tight+r3+order", **limits)  # type: ignore[arg-type]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return commands.run("certify", *arguments)


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    save(random_density(5, 5, 0.5, 2), file)
    done = run(file, "--encoding", "tight+r3+order")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert "follow from the statement, whose" in done.stdout
    done = run(file, "--encoding", "plain+r4ends", "--time-limit", "100")
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, f"plain+r4ends+order: {ORDER}")
    assert "the encoding lets this through:" in done.stdout
    found = json.loads(run(file, "--encoding", "plain+r4printed", "--format", "json").stdout)
    assert (found["equivalent"], found["lost"], found["part"]) == (False, False, "r4printed")
    picture = nonosat.Picture(np.array([[cell == "#" for cell in row] for row in found["board"]], dtype=np.uint8))
    assert is_solution(nonosat.load(file), picture)
    assert run(file, "--encoding", "nonsense").returncode == 2
    for more in (
        (),
        ("--encoding", "tight+r3", "--solver", "glucose4"),
        ("--encoding", "tight+r3", "--count", "2"),
        ("--time-limit", "9"),
    ):
        done = run(file, *more)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "-o DIR is missing" in done.stderr


@pytest.mark.slow
def test_the_command_at_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    save(LARGE, file)
    for option in (("--time-limit", "0.3"), ("--cpu-limit", "0.3"), ("--memory-limit", "40")):
        done = run(file, "--encoding", "tight+r3", *option)
        assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 1, "")
        assert done.stdout.startswith("tight+r3+order: not decided: ")
    done = run(file, "--encoding", "tight+r3", "--cpu-limit", "0.3", "--format", "json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["equivalent"], found["stopped"], found["clauses"]) == (0, None, "CPUOUT", 0)
    assert found["reason"].startswith("CPU-time limit of 0.3 s reached, while ")
    done = run(file, "--encoding", "tight+r3", "--time-limit", "-1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
