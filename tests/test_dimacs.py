from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat import formula as pysat_formula
from pysat.solvers import Solver

from nonosat.csp.model import at_most
from nonosat.encodings import dimacs
from nonosat.encodings.formula import DomainMap
from nonosat.encodings.registry import encoding
from nonosat.errors import FormatError, NonosatError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.modelling.files import load_model
from nonosat.modelling.model import Model
from nonosat.puzzles.formats import dumps
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Answer, Verdict
from nonosat.solvers.sat.decode import decode_output, encode

PUZZLE = random_density(6, 7, 0.5, seed=4)


def text_of(puzzle: Nonogram, name: str = "tight+r3+order") -> str:
    return "".join(dimacs.write(encoding(name).formula(puzzle), name, dumps([puzzle], "json")))


@pytest.mark.parametrize("puzzle", [PUZZLE, random_density(5, 4, [0.3, 0.3], seed=1), random_density(1, 1, 0, 0)])
def test_what_is_written_is_read_back(puzzle: Nonogram) -> None:
    formula = encoding("tight+r3+order").formula(puzzle)
    again = dimacs.read(text_of(puzzle))
    assert np.array_equal(again.formula.cnf.literals, formula.cnf.literals)
    assert np.array_equal(again.formula.cnf.ends, formula.cnf.ends)
    assert again.encoding == "tight+r3+order"
    assert again.formula.board.shape == puzzle.shape


@pytest.mark.parametrize("name", ["tight+r3+order", "automaton+log", "2/5"])
def test_a_counter_of_what_is_written_counts_boards(name: str, tmp_path: Path) -> None:
    puzzle = Nonogram.from_lengths([[1]] * 3, [[1]] * 3)
    made = encoding(name).formula(puzzle)
    more = replace(made, cnf=replace(made.cnf, variables=made.cnf.variables + 1))  # an auxiliary that is free
    text = "".join(dimacs.write(more, name, dumps([puzzle], "json")))
    assert text.count(f"\nc p show {' '.join(map(str, made.shown()))} 0\n") == 1
    assert len(made.shown()) == 9  # the cells
    (tmp_path / "p.cnf").write_text(text)
    assert load_model(tmp_path / "p.cnf").count().solutions == 6
    (tmp_path / "p.cnf").write_text(text.replace("c p show", "c"))
    assert load_model(tmp_path / "p.cnf").count().solutions == 12
    assert np.array_equal(dimacs.read(text).formula.cnf.literals, made.cnf.literals)


def test_a_mixture_s_map_is_read_back_and_held_against_its_name() -> None:
    name = "tight+r3+order<=2,support<=4,log"
    text, formula = text_of(PUZZLE, name), encoding(name).formula(PUZZLE)
    again = dimacs.read(text).formula
    assert again.map.lines(formula.names()) == formula.map.lines(formula.names())
    kinds = {line.split()[1] for line in text.splitlines() if line[:4] in ("c or", "c di", "c lo")}
    assert kinds == {"order", "direct", "log"}
    model = solved(PUZZLE, text)
    assert np.array_equal(again.cells(model), formula.cells(model))
    with pytest.raises(FormatError, match="the map in the comments is of several kinds: direct, log, order"):
        dimacs.read(text.replace(name, "tight+r3+mine"))
    with pytest.raises(FormatError, match="the map in the comments is not that of its encoding"):
        dimacs.read(text.replace("support<=4", "support<=3"))


@pytest.mark.parametrize("name", ["order", "direct+ladder", "log<=3,order", "log+adder"])
def test_domains_with_gaps_are_read_back(name: str, tmp_path: Path) -> None:
    model = Model()
    x, y, z = model.integer("x", [0, 5_000, 10_000]), model.integer("y", 1, 3), model.integer("z", [-9, 2**40])
    model.add(x != 5_000 * y, (x > 0) == (z > 0))
    model.encode(name).to_dimacs(tmp_path / "a.cnf")
    text = (tmp_path / "a.cnf").read_text()
    again = dimacs.read(text).formula
    found = set()
    with Solver("g4", bootstrap_with=list(again.cnf)) as solver:
        while solver.solve():
            values = again.values(solver.get_model(), np.arange(3, dtype=np.int32))
            found.add(tuple(values.tolist()))
            solver.add_clause(again.map.differ(np.arange(3, dtype=np.int32), values))
    assert found == {tuple(one.values) for one in model.solve(count=None).solutions}
    assert len(found) == 7
    if name != "log+adder":  # which adds up the digits of values
        for damaged in ("0 10000 : 5000 10000", "0 10000 : 0 10000 5000", "0 10000 : 0 x 10000", "0 10000 : 0"):
            with pytest.raises(FormatError, match="the values of a domain in the comments"):
                dimacs.read(text.replace("0 10000 : 0 5000 10000", damaged))


def test_others_read_it() -> None:
    text = text_of(PUZZLE)
    assert list(pysat_formula.CNF(from_string=text).clauses) == list(encoding("tight+r3+order").formula(PUZZLE).cnf)


def test_empty_clauses_survive() -> None:
    formula = encoding("tight+r3+order").formula(PUZZLE)
    cnf = type(formula.cnf)(3, np.array([1, -2, 3], dtype=np.int32), np.array([0, 1, 1, 3, 3]))
    assert list(cnf) == [[], [1], [], [-2, 3], []]
    assert "".join(dimacs.body(cnf)) == "0\n1 0\n0\n-2 3 0\n0\n"


def solved(puzzle: Nonogram, clauses: str) -> list[int]:
    with Solver("glucose4", bootstrap_with=pysat_formula.CNF(from_string=clauses).clauses) as solver:
        assert solver.solve()
        model: list[int] = solver.get_model()
        return model


def decoded(tmp_path: Path, output: str, cnf: str | None = None) -> Answer:
    (tmp_path / "p.cnf").write_text(text_of(PUZZLE) if cnf is None else cnf)
    (tmp_path / "out").write_text(output)
    return decode_output(str(tmp_path / "p.cnf"), str(tmp_path / "out"))


def test_outputs_of_both_styles_are_decoded_and_checked(tmp_path: Path) -> None:
    model = solved(PUZZLE, text_of(PUZZLE))
    literals = " ".join(map(str, model))
    wrapped = "\n".join(f"v {literal}" for literal in model)
    for output in (f"c x\ns SATISFIABLE\nv {literals} 0\n", f"SAT\n{literals} 0\n", f"s SATISFIABLE\r\n{wrapped}\nv 0"):
        answer = decoded(tmp_path, output)
        assert answer.verdict == Verdict.SAT
        assert answer.picture is not None
        assert answer.record()["verified"] is True


def test_positive_literals_are_enough(tmp_path: Path) -> None:
    positive = " ".join(str(literal) for literal in solved(PUZZLE, text_of(PUZZLE)) if literal > 0)
    assert decoded(tmp_path, f"s SATISFIABLE\nv {positive} 0").verdict == Verdict.SAT


def test_other_verdicts(tmp_path: Path) -> None:
    unknown = text_of(replace(PUZZLE, goal=None))
    assert decoded(tmp_path, "s UNSATISFIABLE\n", unknown).verdict == Verdict.UNSAT
    denied = decoded(tmp_path, "s UNSATISFIABLE\n")
    assert (denied.verdict, denied.exhausted) == (Verdict.WRONG, False)
    assert str(denied.reason).startswith("the puzzle's goal is none of the solutions")
    for output in ("s UNKNOWN\n", "", "c time out\n", "INDET\n"):
        assert decoded(tmp_path, output).verdict == Verdict.UNKNOWN


def test_a_model_that_is_none_is_wrong(tmp_path: Path) -> None:
    model = solved(PUZZLE, text_of(PUZZLE))
    for flip in (0, len(model) - 1):
        broken = [-literal if i == flip else literal for i, literal in enumerate(model)]
        answer = decoded(tmp_path, f"s SATISFIABLE\nv {' '.join(map(str, broken))} 0")
        assert answer.verdict == Verdict.WRONG
        assert answer.picture is None
        assert answer.rejected is None  # the encoding's rules have nothing to do with it
        assert answer.reason is not None
        said = re.fullmatch(
            r"the solver is wrong, or its output .* breaks clause (\d+) \(.*p.cnf:(\d+)\): (.*) 0", answer.reason
        )
        assert said is not None
        # It is the first one, and it is where and as it is said to be.
        clauses = list(encoding("tight+r3+order").formula(PUZZLE).cnf)
        first = next(at for at, clause in enumerate(clauses) if not set(clause) & set(broken))
        assert int(said[1]) == first + 1
        assert said[3] == " ".join(map(str, clauses[first]))
        assert text_of(PUZZLE).split("\n")[int(said[2]) - 1] == f"{said[3]} 0"


def test_a_picture_that_cannot_be_built_is_the_solver_s_fault_too(tmp_path: Path) -> None:
    """Direct encoding, two colours: a cell that has no value, which no clause of the file allows."""
    puzzle = random_density(3, 3, [0.3, 0.3], seed=2)
    for name in ("tight+r3+direct", "tight+r3+order", "tight+r3+log"):
        text = text_of(puzzle, name)
        variables = dimacs.read(text).formula.cnf.variables
        for model in ([-v for v in range(1, variables + 1)], [*range(1, variables + 1)]):
            answer = decoded(tmp_path, f"s SATISFIABLE\nv {' '.join(map(str, model))} 0", text)
            assert answer.verdict == Verdict.WRONG
            assert answer.rejected is None
            assert str(answer.reason).startswith(
                "the solver is wrong, or its output is not whole: the model breaks clause"
            )


def test_a_truncated_model_is_reported(tmp_path: Path) -> None:
    answer = decoded(tmp_path, f"s SATISFIABLE\nv {solved(PUZZLE, text_of(PUZZLE))[0]} 0")
    assert answer.verdict == Verdict.WRONG
    assert re.search(r": [-\d ]+ 0, whose \d+ variables that the model leaves out are false$", str(answer.reason))


@pytest.mark.parametrize(
    "text", ["p cnf 2 3\n1 2 0 -1\n2 0 -2\n0", "c\np cnf 2 3\n\nc 0 0 0\n1 2 00\n-1 2 0\nc 0\n-2 0\n"]
)
def test_where_a_clause_begins(text: str) -> None:
    lines = text.split("\n")
    for clause, literal in enumerate(("1", "-1", "-2")):
        at = dimacs.line_of(text, clause)
        assert literal in lines[at - 1].split()
    with pytest.raises(ValueError, match="no clause 4"):
        dimacs.line_of(text, 3)


def test_a_model_of_too_weak_a_formula_is_wrong(tmp_path: Path) -> None:
    """Clauses dropped from the file: the model satisfies it, the picture breaks the clues."""
    lines = text_of(PUZZLE).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("p "))
    variables = lines[at].split()[2]
    weak = "\n".join([*lines[:at], f"p cnf {variables} 0", ""])
    answer = decoded(tmp_path, f"s SATISFIABLE\nv -{variables} 0", weak)
    assert answer.verdict == Verdict.WRONG
    assert answer.rejected is not None
    assert answer.reason == (
        f"the model satisfies every clause, so the encoding is wrong, or {tmp_path / 'p.cnf'} was changed: "
        "row 1: has 7, the clue says 1 1"
    )


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("s SATISFIABLE\n", "gives no model"),
        ("s SATISFIABLE\nv 1 x 0\n", "not a number"),
        ("s SATISFIABLE\nv 1 -1 0\n", "both true and false"),
        ("s SATISFIABLE\nv 999999 0\n", "beyond"),
        ("s SATISFIABLE\ns UNSATISFIABLE\n", "contradict"),
        ("v 1 0\n", "without a status"),
        ("s MAYBE\n", "unknown status"),
    ],
)
def test_bad_outputs(tmp_path: Path, output: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        decoded(tmp_path, output)
    assert caught.value.source == str(tmp_path / "out")


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda t: "", "no line 'p cnf"),
        (lambda t: "hello", "neither a comment"),
        (lambda t: t.replace("p cnf", "p wcnf"), "expected 'p cnf"),
        (lambda t: re.sub("p cnf .*", "p cnf 12345678901 1", t), "expected 'p cnf"),
        (lambda t: t[: t.rindex(" 0\n")], "does not end in 0"),
        (lambda t: t + "1 2 0\n", "header tells of"),
        (lambda t: t + "1 zwei 0\n", "not a number"),
        (lambda t: t.replace("c board", "c bored"), "comments that nonosat writes are not there"),
        (lambda t: t.replace("c board 6 7", "c board 600 7"), "larger than the map"),
        (lambda t: t.replace("c board 6 7", "c board 7 6"), "not of the puzzle's size"),
        (lambda t: t.replace("c order x_0_0 1 0 1", "c order x_0_0 1 0 99999999"), "points outside"),
        (lambda t: t.replace("c order x_0_0 1 0 1", "c order x_0_0 1"), "damaged"),
        (lambda t: t.replace("c puzzle {", "c puzzle ["), "c puzzle|p.cnf"),
        (lambda t: "\n".join(line for line in t.splitlines() if line[:1] in "p123456789-"), "are not there"),
    ],
)
def test_bad_files(tmp_path: Path, edit: object, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        decoded(tmp_path, "s UNSATISFIABLE\n", edit(text_of(PUZZLE)))  # type: ignore[operator]


def test_faults_name_their_line() -> None:
    text = text_of(PUZZLE)
    header = text.splitlines().index(next(line for line in text.splitlines() if line.startswith("p cnf"))) + 1
    assert header > 10
    for edited, line in (
        (text.replace("p cnf", "p wcnf"), header),
        (text + "1 2 0\n", header),
        (text.replace("\np cnf", "\nhello\np cnf"), header),
        ("hello\n" + text, 1),
        ("c one\nc two\n\nhello\n", 4),
        ("c one\nc two\n", 3),
    ):
        with pytest.raises(FormatError) as caught:
            dimacs.read(edited)
        assert caught.value.line == line


def test_comments_among_the_clauses_are_skipped() -> None:
    text = text_of(PUZZLE)
    again = dimacs.read(text.replace(" 0\n", " 0\nc in between\n", 3))
    assert again.formula.cnf.clauses == dimacs.read(text).formula.cnf.clauses


@pytest.mark.slow
@given(st.text())
def test_any_text_is_an_output_or_an_error(text: str) -> None:
    with contextlib.suppress(FormatError):
        dimacs.read_output(text)


@given(st.data())
def test_damaged_files_are_read_or_refused(data: st.DataObject) -> None:
    text = text_of(random_density(2, 3, 0.5, seed=1))
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 20))
    junk = data.draw(st.text(alphabet="cp0123456789- \nx", max_size=8))
    with contextlib.suppress(NonosatError):
        dimacs.read(text[:at] + junk + text[at + length :])


def test_formulas_of_eight_gibibytes_are_read_and_no_larger_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    from nonosat.solvers.sat import decode

    asked: list[int] = []

    def read_text(path: str, limit: int) -> str:
        asked.append(limit)
        raise FormatError("too long")

    monkeypatch.setattr(decode, "read_text", read_text)
    with pytest.raises(FormatError, match="too long"):
        decode.decode_output("formula.cnf", "output")
    assert asked == [8 * 2**30]


def test_a_map_without_meanings_of_booleans_is_none() -> None:
    ends = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    unsaid = DomainMap(np.array([1], dtype=np.int32), *ends)
    for asked in (
        lambda: DomainMap.sizes(*ends),
        lambda: unsaid.columns(at_most([0], 0)),
        lambda: unsaid.decode(np.zeros(2, dtype=bool), np.array([0], dtype=np.int32)),
    ):
        with pytest.raises(NotImplementedError):
            asked()


def test_a_formula_from_python_is_what_the_command_writes(tmp_path: Path) -> None:
    formula = encode(PUZZLE, "tight+r3")
    formula.to_dimacs(tmp_path / "a.cnf")
    assert (tmp_path / "a.cnf").read_text() == text_of(PUZZLE)
    assert list(formula) == [formula.cnf.clause(i) for i in range(formula.clauses)]
    assert repr(formula) == (
        f"<EncodedPuzzle tight+r3+order of {PUZZLE!r}: {formula.variables:,} variables, {formula.clauses:,} clauses>"
    )


def test_wcnf_and_opb_are_equivalent_to_the_clauses(tmp_path: Path) -> None:
    formula = encode(random_density(4, 5, 0.5, seed=3))
    formula.to_wcnf(tmp_path / "a.wcnf", [(3, [-1, 2])])
    written = pysat_formula.WCNF(from_file=str(tmp_path / "a.wcnf"))
    assert (written.hard, written.soft, written.wght) == (list(formula), [[-1, 2]], [3])
    formula.to_opb(tmp_path / "a.opb")
    lines = [line for line in (tmp_path / "a.opb").read_text().splitlines() if not line.startswith("*")]
    for clause, line in zip(formula, lines, strict=True):
        terms, degree = line.removesuffix(" ;").split(" >= ")
        assert {int(x) for x in re.findall(r"[+]1 x(\d+)", terms)} == {x for x in clause if x > 0}
        assert {-int(x) for x in re.findall(r"-1 x(\d+)", terms)} == {x for x in clause if x < 0}
        assert int(degree) == 1 - sum(x < 0 for x in clause)
    for soft in ((0, [1]), (1, [0]), (1, [formula.variables + 1])):
        with pytest.raises(UnsupportedError, match="soft clause"):
            formula.to_wcnf(tmp_path / "b.wcnf", [soft])


def test_models_of_any_program_are_decoded_and_checked() -> None:
    formula = encode(PUZZLE)
    with Solver("g4", bootstrap_with=formula) as solver:
        assert solver.solve()
        model = solver.get_model()
    assert model is not None
    for literals in (model, model[::-1], np.array(model), iter(model), [literal for literal in model if literal > 0]):
        answer = formula.decode(literals)
        assert (answer.verdict, answer.unique) == (Verdict.SAT, None)
        assert repr(answer) == "<Answer SAT, external tight+r3+order>"
    wrong = formula.decode([-literal for literal in model])
    assert wrong.verdict is Verdict.WRONG
    assert "breaks clause" in (wrong.reason or "")
    for none in (None, 7, ["a"], [1.5], [0], [1, -1], [formula.variables + 1]):
        with pytest.raises(UnsupportedError):
            formula.decode(none)  # type: ignore[arg-type]


def test_the_encoding_is_to_blame_for_a_picture_that_breaks_the_clues() -> None:
    whole = encode(PUZZLE)
    weak = replace(whole, formula=whole.formula.without_clauses())
    answer = weak.decode([-1])
    assert (answer.verdict, answer.rejected is None) == (Verdict.WRONG, False)
    assert answer.reason == (
        "the model satisfies every clause, so the encoding is wrong: row 1: has 7, the clue says 1 1"
    )
