"""What auxiliaries mean: with every sound encoding, certificates of random boards are accepted, and are true."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
import weighed
from brute import ambiguous, pictures, random_puzzle
from latin import at_most_two, clues_of, subsets
from sampling import nightly, repeated, spread

import nonosat
from nonosat import plugins
from nonosat.certificates.checker.proof import check
from nonosat.certificates.quantities import Facts, Unary, bounded, total
from nonosat.certificates.statement import PBConstraint, Statement
from nonosat.certificates.steps import VERSIONS, Steps, negation
from nonosat.csp import flatten
from nonosat.csp.meanings import Means
from nonosat.encodings import nonogram, skyscrapers
from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import KINDS, encoding
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.generators.skyscrapers_made import latin_square
from nonosat.puzzles.puzzle import Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.rng import Rng
from nonosat.testing import solutions
from nonosat.testing.kinds import means

NONOGRAMS, TOWERS = KINDS["nonogram"].tested, KINDS["skyscrapers"].tested
ALL = pytest.param(slice(None), marks=pytest.mark.slow)


@cache
def nonograms(count: int, most: int, seed: int) -> list[tuple[Puzzle, int]]:
    """Random boards of 1 to 3 colours, with given cells, contradictions, several solutions; and how many, up to two."""
    rng = np.random.default_rng(seed)
    puzzles = [random_puzzle(rng, most) for _ in range(count)]
    several = [puzzle for puzzle, _ in ambiguous(count // 15, seed)]
    return [(puzzle, min(len(pictures(puzzle)), 2)) for puzzle in (*puzzles, *several)]


@cache
def towers(count: int, most: int, seed: int) -> list[tuple[Puzzle, int]]:
    """Random boards of all sizes to ``most``, some with clues of wrong lines; and how many solutions, up to two."""
    stream, found = Rng(seed), []
    for at in range(count):
        size = (2, 2, 3)[stream.below(3)] if at % 8 else 1 + stream.below(most)
        square = latin_square(size, stream)
        share = 20 + 20 * stream.below(5)
        clues = [clue if stream.below(100) < share else 0 for clue in clues_of(tuple(map(tuple, square.tolist())))]
        if at % 5 == 4:
            clues = clues[1:] + clues[:1]
        given = [(row, column, int(value)) for (row, column), value in np.ndenumerate(square) if stream.below(20) == 0]
        puzzle = Skyscrapers.from_clues(clues, given)
        found.append((puzzle, at_most_two(puzzle)))
    return found


def certified(name: str, puzzles: list[tuple[Puzzle, int]]) -> None:
    seen = set()
    for at, (puzzle, count) in enumerate(puzzles):
        made = nonosat.certify(puzzle, encoding=name, proof=VERSIONS[at % 2])
        assert made.claim is not None
        assert (made.claim.solutions, made.claim.complete) == (count, count < 2), puzzle
        seen.add(count)
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("name", NONOGRAMS)
@pytest.mark.parametrize("part", [slice(6, None, 5), ALL])
def test_nonograms(name: str, part: slice) -> None:
    certified(name, nonograms(30, 4, seed=5)[part])


@pytest.mark.parametrize("name", spread(TOWERS, 6))
@pytest.mark.parametrize("part", [slice(4, 9, 2), ALL])
def test_skyscrapers(name: str, part: slice) -> None:
    certified(name, towers(12, 4, seed=3)[part])


@pytest.mark.slow
@pytest.mark.parametrize("name", nightly(NONOGRAMS, 1))
def test_many_nonograms(name: str) -> None:
    certified(name, nonograms(500, 7, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("name", nightly(TOWERS, 4))
@pytest.mark.parametrize("boards", [60, pytest.param(500, marks=pytest.mark.nightly)])
def test_many_skyscrapers(name: str, boards: int) -> None:
    certified(name, towers(boards, 5, seed=2))


@pytest.mark.parametrize("size", spread([6, pytest.param(7, marks=pytest.mark.slow)], 1))
@pytest.mark.parametrize("seen", ["running", "visible", "states"])
def test_larger_skyscrapers(seen: str, size: int) -> None:
    """Chains are longer, and what is behind them is further away."""
    board = Skyscrapers.from_heights(latin_square(size, Rng(size)).tolist())
    clues = [clue if at % 3 else 0 for at, clue in enumerate(board.clues)]
    for full in (board, Skyscrapers.from_clues(clues, [(0, 0, int(board.goal.cells[0, 0]))])):  # type: ignore[union-attr]
        made = nonosat.certify(full, encoding=f"permutation+{seen}+order")
        assert made.claim is not None
        assert made.claim.solutions >= 1


def test_a_larger_coloured_board() -> None:
    for name in ("tight+r3+iff+log", "automaton+order"):
        made = nonosat.certify(random_density(9, 9, (0.3, 0.3), seed=4), encoding=name)
        assert made.claim is not None
        assert made.claim.solutions >= 1


def test_crowded_clauses_name_what_they_name() -> None:
    """Those of the log encoding from 5x5 on."""
    board, name = Skyscrapers.from_heights(latin_square(5, Rng(1)).tolist()), "permutation+visible+log"
    assert encoding(name).formula(board).named is not None
    assert not refusal(board, name)


def shifted(entries: Any, by: int) -> Any:
    """What is said, with bounds that are one off."""

    def changed(*arguments: Any) -> Iterator[Any]:
        for entry in entries(*arguments):
            if isinstance(entry, Means) and entry.conditions and isinstance(entry.conditions[0].high, int):
                first, *others = entry.conditions
                entry = Means(entry.variable, [first._replace(high=first.high + by), *others])
            yield entry

    return changed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "function", "name"),
    [
        (flatten, "_memberships", "tight+r3+iff+order"),
        (nonogram, "_meanings", "automaton+order"),
        (skyscrapers, "state_meanings", "different+states+direct"),
    ],
)
@pytest.mark.parametrize("by", spread([-1, 1], 1))
def test_wrong_meanings_are_refused(
    module: Any, function: str, name: str, by: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, function, shifted(getattr(module, function), by))
    puzzles = towers(12, 4, seed=3) if name in TOWERS else nonograms(30, 4, seed=5)
    refused = [said for puzzle, _ in puzzles if (said := refusal(puzzle, name))]
    assert len(refused) > 2
    assert all("propagation does not show that it follows" in said for said in refused)


def refusal(puzzle: Puzzle, name: str) -> str:
    """Why there is no certificate; nothing, if there is one."""
    try:
        nonosat.certify(puzzle, encoding=name)
    except UnsupportedError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("part", spread(["_counts", "_heights", "_rest"], 1))
def test_definitions_of_views_are_needed(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skyscrapers, part, lambda line: iter(()))
    assert any(refusal(puzzle, "different+states+order") for puzzle in subsets(12, seed=1))


@pytest.fixture
def weighing() -> Iterator[None]:
    """A kind of puzzle with sums over cells."""
    with plugins.registered(weighed.KIND):
        yield


def certified_sums(seeds: range, integers: str) -> None:
    """Claims of random rows with sums are those of brute force."""
    for seed in seeds:
        puzzle = weighed.random_weighed(seed)
        count = len(solutions(puzzle))
        made = nonosat.certify(puzzle, encoding=f"sums+{integers}", proof=VERSIONS[seed % 2])
        assert made.claim is not None
        assert (made.claim.solutions, made.claim.complete) == (min(count, 2), count < 2), (seed, puzzle)


COMPOSED = (
    *("order+mdd", "direct+mdd", "support+mdd", "log+mdd", "coupled+mdd", "order+totalizer", "direct+totalizer"),
    *("order+channel", "direct+channel", "log+channel", "support+pairs+ladder", "direct+product", "support+bitwise"),
    *("order<=4,log", "support<=4,order<=6,log+commander+mdd", "coupled<=5,log+channel+totalizer"),
    *("log+adder", "order+adder", "direct<=3,log+adder"),
)


@pytest.mark.slow
@pytest.mark.usefixtures("weighing")
@pytest.mark.parametrize("integers", spread(COMPOSED, 4))
@pytest.mark.parametrize("seeds", repeated(6, 30, 100))
def test_sums_of_cells_in_every_way(integers: str, seeds: int) -> None:
    certified_sums(range(seeds), integers)


@pytest.mark.slow
@pytest.mark.usefixtures("weighing")
@pytest.mark.parametrize("integers", spread(COMPOSED, 4))
def test_permutations_in_every_way(integers: str) -> None:
    """Four cells from 1 to 4, all different, with a sum: certificates, and proofs in both directions."""
    row = (tuple(range(1, 5)),) * 4
    for whole in (18, 21, 30):
        puzzle = weighed.Weighed(
            row, ((((1, 0), (1, 1), (2, 2), (3, 3)), "=", whole), (((1, 0),), "<=", 2)), different=True
        )
        found = len(solutions(puzzle))
        made = nonosat.certify(puzzle, encoding=f"sums+{integers}")
        assert made.claim is not None
        assert (made.claim.solutions, made.claim.complete) == (min(found, 2), found < 2), whole
        assert nonosat.equivalent(puzzle, f"sums+{integers}")


@pytest.mark.usefixtures("weighing")
@pytest.mark.parametrize("integers", spread(INTEGERS.own, 0))
def test_sums_of_cells(integers: str) -> None:
    """Domains that begin anywhere, have gaps or are narrower than the statement's; coefficients of both signs."""
    certified_sums(range(25), integers)


@pytest.mark.slow
@pytest.mark.usefixtures("weighing")
@pytest.mark.parametrize("integers", INTEGERS.own)
@pytest.mark.parametrize("most", [200, pytest.param(1_000, marks=pytest.mark.nightly)])
def test_many_sums_of_cells(integers: str, most: int) -> None:
    certified_sums(range(25, most), integers)


@pytest.mark.usefixtures("weighing")
def test_statements_of_sums_mean_it() -> None:
    means([weighed.random_weighed(seed) for seed in range(12)])


@pytest.mark.usefixtures("weighing")
@pytest.mark.parametrize("integers", spread(INTEGERS.own, 3))
def test_kakuro(integers: str) -> None:
    """Cells from 1 to 9, all different, and their sum: 6 + 8 + 9 in some order, 1 to 4, and what cannot be."""
    for cells, whole, given, count in ((3, 23, (6, 9), 1), (3, 23, (), 2), (4, 10, (1, 2, 4), 1), (3, 5, (), 0)):
        names = tuple((1, at) for at in range(cells))
        sums = [(names, "=", whole), *((((1, at),), "=", value) for at, value in enumerate(given))]
        for pairs in (False, True):
            puzzle = weighed.Weighed((tuple(range(1, 10)),) * cells, tuple(sums), different=True, pairs=pairs)
            made = nonosat.certify(puzzle, encoding=f"sums+{integers}")
            assert made.claim is not None
            assert (made.claim.solutions, made.claim.complete) == (count, count < 2)


FREE = [f"p{at}" for at in range(6)]


def clause(literals: list[str]) -> str:
    return f"rup {''.join(f'1 {literal} ' for literal in literals)}>= 1 ;"


def solution(bits: int) -> list[str]:
    """An assignment to six variables."""
    return [name if bits >> at & 1 else f"~{name}" for at, name in enumerate(FREE)]


@pytest.mark.parametrize("seed", range(12))
def test_counters_count(seed: int) -> None:
    """Random weights: as many counters are true as the terms come to, whatever these are, and propagation sees it."""
    stream = Rng(seed)
    proof: list[str] = []
    steps = Steps("1.1", 1, lambda line: proof.append(line.rstrip()))
    low, parts = -2, []
    for name in FREE:
        coefficient = (-2, -1, 1, 2, 3)[stream.below(5)]
        parts.append((coefficient, Unary(low, [name], low, [(1, name)])))
    names = [f"c{at:02}" for at in range(sum(abs(c) for c, _ in parts))]
    found = total(parts, names, steps)
    for bits in range(64):
        value = sum(c * (low + (bits >> at & 1)) for at, (c, _) in enumerate(parts))
        assert value == found.least + sum(w * (bits >> FREE.index(leaf) & 1) for w, leaf in found.leaves)
        unless = [negation(literal) for literal in solution(bits)]
        for bound in range(found.low - 1, found.low + len(names) + 1):
            said = found.at_most(bound)
            if isinstance(said, bool):
                assert said == (value <= bound)
            else:
                proof.append(clause([*unless, said if value <= bound else negation(said)]))
    claim = check([f"{''.join(f'1 {name} ' for name in FREE)}>= 0 ;"], [*proof, f"v {' '.join(solution(0))}"])
    assert claim.solutions == 1


@pytest.mark.parametrize("seed", range(40))
def test_a_bound_of_the_statement_is_one_of_the_counters(seed: int) -> None:
    """Of a sum of sums; of an equality both halves; a stricter bound does not follow."""
    stream = Rng(seed)
    weights, bits = [(-2, -1, 1, 2)[stream.below(4)] for _ in FREE], stream.below(64)
    bound = sum(weight * (bits >> at & 1) for at, weight in enumerate(weights))
    stated = PBConstraint(list(zip(weights, FREE, strict=True)), bound, equal=True)
    proof: list[str] = []
    steps = Steps("1.1", 2, lambda line: proof.append(line.rstrip()))
    parts = [(a, Unary(0, [name], 0, [(1, name)])) for a, name in stated.terms]
    first = total(parts[:3], [f"b{at:02}" for at in range(sum(map(abs, weights[:3])))], steps)
    every = total([(1, first), *parts[3:]], [f"c{at:02}" for at in range(sum(map(abs, weights)))], steps)
    before, facts = len(proof), Facts(Statement({}, lambda: [stated]), steps, ())
    bounded([(1, every)], bound - 1, facts, steps)
    assert len(proof) == before
    for sign in (1, -1):
        bounded([(sign, every)], sign * bound, facts, steps)
    assert len(proof) == before + 2
    for literal in (every.at_most(bound), negation(every.at_most(bound - 1))):
        if isinstance(literal, str):
            proof.append(clause([literal]))
    told = "".join(f"{a} {name} " for a, name in stated.terms)
    assert check([f"{told}= {bound} ;"], [*proof, f"v {' '.join(solution(bits))}"]).solutions == 1


def test_a_sum_that_is_never_reached() -> None:
    proof: list[str] = []
    Steps("1.1", 1, lambda line: proof.append(line.rstrip())).define_sum("never", [(1, "p0"), (2, "~p1")], 5)
    told = f"{''.join(f'1 {name} ' for name in FREE)}>= 0 ;"
    assert check([told], [*proof, clause(["~never"]), f"v {' '.join(solution(0))}"]).solutions == 1
