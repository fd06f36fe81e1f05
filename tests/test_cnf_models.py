"""CNF files as models: solved, counted and certified, by the variables that they are projected on."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest
from commands import run
from pysat.solvers import Minisat22

from nonosat import Model
from nonosat.errors import FormatError, ModelError
from nonosat.modelling import knowledge
from nonosat.modelling.cnf_file import read

HEAD = "c t pmc\n"


def model_of(text: str) -> Model:
    model = Model("cnf")
    read(text, model)
    return model


def drawn(seed: int) -> tuple[str, list[int], set[tuple[bool, ...]]]:
    """A random CNF file, the variables that it is projected on, and its solutions there."""
    rng = random.Random(seed)
    n = rng.randint(1, 7)
    sizes = [rng.randint(1, min(3, n)) for _ in range(rng.randint(0, 10))]
    clauses = [[rng.choice((v, -v)) for v in rng.sample(range(1, n + 1), size)] for size in sizes]
    shown = rng.choice([None, sorted(rng.sample(range(1, n + 1), rng.randint(0, n)))])
    lines = [] if shown is None else [f"{rng.choice(('c p show', 'c ind'))} {' '.join(map(str, [*shown, 0]))}"]
    lines += [f"p cnf {n} {len(clauses)}", *(" ".join(map(str, [*clause, 0])) for clause in clauses)]
    on = list(range(1, n + 1)) if shown is None else shown
    solutions = {
        tuple(values[v - 1] for v in on)
        for values in product((False, True), repeat=n)
        if all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
    }
    return HEAD + "\n".join(lines) + "\n", on, solutions


@pytest.mark.parametrize("seed", range(12))
def test_all_that_is_known_of_a_cnf_is_that_of_its_projection(seed: int) -> None:
    text, on, solutions = drawn(seed)
    model = model_of(text)
    for how in ({"encoding": "order"}, {"encoding": "log"}, {"solver": "cpsat"}):
        answer = model.solve(count=None, **how)
        found = [tuple(solution.dict()[f"x{v}"] for v in on) for solution in answer.solutions]
        assert answer.exhausted, text
        assert len(found) == len(set(found)), text
        assert set(found) == solutions, text
    assert model.count().solutions == len(solutions)
    values = {f"x{v}": {solution[place] for solution in solutions} for place, v in enumerate(on)}
    assert model.backbone().fixed == {name: int(*some) for name, some in values.items() if len(some) == 1}
    certificate = model.certify(count=None)
    assert certificate.fault() is None
    assert len(certificate.solutions) == len(solutions)
    proof = model.prove()
    assert (proof.steps is None) == (len(solutions) > 1)
    assert proof.steps is None or proof.fault() is None
    again = model_of(model.encode().to_dimacs())  # of no projection, all Booleans are variables
    assert again.count().solutions == len(solutions)


def test_draws_are_of_the_projection(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of("p cnf 4 2\n1 2 0\n-3 4 0\nc p show 1 2 0\n")
    assert model.sample(3).solutions == 3
    monkeypatch.setattr(knowledge, "MOST_LISTED", 1)
    drawn = model.sample(5, seed=1)
    assert drawn.solutions == 3
    assert all(model.holds(solution.values) for solution in drawn.draws)


def test_a_certificate_with_one_solution_twice_is_refused() -> None:
    model = model_of("p cnf 3 1\n1 2 0\nc p show 1 2 0\n")
    certificate = model.certify(count=2)
    assert certificate.fault() is None
    again = type(certificate)(**{**vars(certificate), "solutions": (certificate.solutions[0],) * 2})
    assert again.fault() == "a solution is there twice"


def test_projections_of_a_model() -> None:
    model = Model()
    x = model.integer("x", 0, 4, shape=3)
    model.add(x[0] + x[1] + x[2] == 4, x[0] < 2)
    model.project(x[0], x[:1])
    assert model.count().solutions == 2
    assert model.solve(count=None).exhausted
    with pytest.raises(ModelError, match="is no variable"):
        model.project(x[0] + 1)
    with pytest.raises(ModelError, match="projection"):
        model.equivalent(model)
    encoded = model.encode()
    with Minisat22(bootstrap_with=list(encoded.formula.cnf)) as solver:
        assert solver.solve()
        decoded = encoded.decode(solver.get_model())
    assert len(decoded.values) == 3


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("p cnf 2 1\n1 3 0\n", "beyond"),
        ("p cnf 2 2\n1 2 0\n", "2 clauses"),
        ("c p show 3 0\np cnf 2 0\n", "x3 is shown"),
        ("c p show 1 2\np cnf 2 0\n", "a 0 at the end"),
        ("c p weight 1 0.5 0\np cnf 2 0\n", "weights"),
        ("1 2 0\n", "neither a comment"),
        ("p cnf 3000000 0\n", "the limit"),
    ],
)
def test_a_bad_file_is_refused(text: str, fault: str) -> None:
    with pytest.raises(FormatError, match=fault):
        model_of(text)


def test_files_of_satlib_end_in_a_percent_sign() -> None:
    assert model_of("p cnf 2 1\n1 2 0\n%\n0\n").count().solutions == 3


def test_commands_read_cnf_files(tmp_path, capfd) -> None:
    file = tmp_path / "a.cnf"
    file.write_text("c p show 1 2 0\np cnf 3 2\n1 2 0\n-1 3 0\n")
    assert json.loads(run("count", file, "--format", "json").stdout)["solutions"] == 3
    assert len(json.loads(run("solve", file, "--all", "--format", "json").stdout)["solutions"]) == 3
    file.write_text("p cnf 2 3\n1 0\n-1 2 0\n-2 0\n")
    assert run("explain", file).stdout.split("\n")[:3] == ["clause 1", "clause 2", "clause 3"]
    file.write_text("p cnf 2 3\n1 0\n")
    bad = run("solve", file)
    assert bad.returncode == 2
    assert "a.cnf:1: " in bad.stderr
