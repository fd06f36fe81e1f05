"""The batteries for other people's parts: what is right passes, and each kind of mistake is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import odd_maps
import pytest
import squares
from sampling import RARE, spread
from squares import BACKWARDS, KIND, Latin
from wrong_rules import apart, nothing

import nonosat
from nonosat import plugins, testing
from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP, Comparison, Paths, Precedes, ints
from nonosat.encodings import nonogram
from nonosat.encodings.direct import SupportMap
from nonosat.encodings.expand import compiled
from nonosat.encodings.formula import Formula
from nonosat.encodings.log import LogMap
from nonosat.encodings.nonogram import by_automaton
from nonosat.encodings.parts import Part
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.generators.registry import Generator, Parameter
from nonosat.plugins import Record
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Format, Given, Puzzle
from nonosat.rng import Rng
from nonosat.testing.brute import samples
from nonosat.testing.encodings import promises, random_csps

SQUARES = [Latin(2), Latin(3, (Given(0, 0, 2), Given(1, 1, 3))), Latin(2, (Given(0, 0, 1), Given(0, 1, 1)))]


def failures(parts: Sequence[Record], puzzles: Sequence[Puzzle] = (), **values: Any) -> dict[str, str]:
    """What the battery finds: the names of the checks that fail, with the reasons."""
    found = {}
    with plugins.registered(*parts):
        for check in testing.battery(parts, puzzles, values):
            try:
                check()
            except AssertionError as error:
                found[str(check).partition(": ")[2]] = str(error)
    return found


@pytest.mark.parametrize("parts", [[KIND], pytest.param([KIND, BACKWARDS], marks=RARE)])
def test_a_kind_and_an_integer_encoding_that_are_right_pass(parts: list[Record]) -> None:
    assert failures(parts, SQUARES) == {}


def test_a_kind_without_puzzles_is_not_passed() -> None:
    assert "no puzzles to test with" in failures([KIND])["has puzzles to test with"]
    assert "none of the puzzles has a solution" in failures([KIND], SQUARES[2:])["has puzzles to test with"]


def test_brute_force_refuses_large_puzzles() -> None:
    with plugins.registered(KIND):
        with pytest.raises(UnsupportedError, match=r"25 open cells of 5 values are [\d,]+ boards, too many"):
            testing.solutions(Latin(5))
        assert len(testing.solutions(Latin(3))) == 12


def test_a_check_that_knows_less_than_the_rules_is_found() -> None:
    found = failures([replace(KIND, check=lambda puzzle, board: None)], SQUARES)
    assert "shuts out solutions" in found["squares+order: all models are all solutions"]


def test_rules_that_lose_something_are_found() -> None:
    half = Part("squares", "squares", lambda puzzle: squares.differ(Latin(puzzle.size)), "", "")
    about = replace(squares.ENCODINGS, parts=(half,))
    found = failures([replace(KIND, encodings=about)], SQUARES)
    assert "lets boards through" in found["squares+order: all models are all solutions"]


def before_the_next_but_one(runs: Any) -> Precedes:
    """Right but for a blank too many between a run and the next but one, which only lines of three runs have."""
    followed = np.zeros(len(runs), dtype=bool)
    followed[runs.with_next] = True
    here = np.array([run for run in runs.with_next.tolist() if followed[run + 1]], dtype=np.int32)
    step = runs.length + runs.gap
    return Precedes(runs.start[here], ints(step[here] + step[here + 1] + 1), runs.start[here + 2])


@pytest.mark.slow
def test_a_wrong_rule_about_three_runs_is_found() -> None:
    wrong = Part("skip", "ordering", before_the_next_but_one, "", "", kind="nonogram")
    with plugins.registered(wrong), pytest.raises(AssertionError, match="does not follow"):
        testing.follows("tight+r3+skip")


@pytest.mark.slow
def test_a_rule_with_a_wrong_claim_is_found() -> None:
    loose = Part("loose", "ordering", nothing, "", "", kind="nonogram")
    tight = Part("two-apart", "ordering", apart, "", "", kind="nonogram")
    again = Part("again", "ordering", nonogram.rule_3, "", "", kind="nonogram")
    found = failures([loose, tight, again])
    assert {name.partition(":")[0].split("+")[1] for name in found} == {"loose", "two-apart"}
    assert failures([replace(loose, sound=False), replace(tight, complete=False)]) == {}


class Misread(SupportMap):
    kind = "misread"

    def decode(self, true: Any, variables: Any) -> Any:
        return self.lower[variables] + self.upper[variables] - super().decode(true, variables)


class Several(SupportMap):
    kind = "several"

    def axioms(self, out: Any) -> None:
        large = np.flatnonzero(self.upper - self.lower > 1)
        for first, last in zip(self.first[large], (self.first + self.upper - self.lower)[large], strict=True):
            out.add(*(np.array([literal], dtype=np.int32) for literal in range(first, last + 1)))


@pytest.mark.parametrize("wrong", spread([Misread, Several], 0))
def test_an_integer_encoding_that_misses_something_is_found(wrong: type[SupportMap]) -> None:
    def make(csp: CSP) -> Formula:
        flat = flatten(csp, supports=True, memberships=True)
        return compiled(flat, wrong.of(flat.lower, flat.upper))

    found = failures([replace(BACKWARDS, name=wrong.kind, make=make, map=wrong)])
    assert "the models of random CSPs are all their solutions" in found


class WrongDiffer(LogMap):
    kind = "wrong-differ"

    def differ(self, variables: Any, values: Any) -> list[int]:
        return super().differ(variables, values)[:1]


class WrongColumns(SupportMap):
    kind = "wrong-columns"

    def columns(self, column: Any) -> Any:
        at = replace(column, bounds=column.bounds + (column.bounds == 1)) if isinstance(column, Comparison) else column
        return super().columns(at)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (Misread, "Misread"),
        (Several, "Several.axioms"),
        (WrongDiffer, "WrongDiffer.differ: v != "),
        (WrongColumns, "WrongColumns.columns: v >= 1"),
    ],
)
def test_the_battery_prints_a_small_csp_and_names_the_method(wrong: type[SupportMap], told: str) -> None:
    record = odd_maps.ODD["digits"]
    record = replace(record, name=wrong.kind, make=odd_maps.compiler(wrong, False), map=wrong)
    with pytest.raises(AssertionError) as promised:
        promises(record)
    with pytest.raises(AssertionError) as random:
        random_csps(record)
    assert told in str(promised.value)
    said, _, csp = str(random.value).partition("\n")
    assert wrong.__name__ in said
    assert len(csp.splitlines()) < 6
    assert "in this CSP" in said
    assert csp.startswith("v0 in ")


@pytest.mark.slow
def test_the_battery_does_not_blame_a_map_that_is_right() -> None:
    record = odd_maps.ODD["digits"]

    def forgetful(csp: CSP) -> Formula:
        formula: Formula = record.make(replace(csp, constraints=csp.constraints[:-1]))
        return formula

    with pytest.raises(AssertionError, match=r"what is wrong is forgetful, or nonosat's own expand\.py; in this CSP"):
        random_csps(replace(record, make=forgetful))


@pytest.mark.parametrize("name", spread(odd_maps.ODD, 0))
def test_lists_of_columns_and_conjunctions_pass(name: str) -> None:
    promises(odd_maps.ODD[name])
    random_csps(odd_maps.ODD[name])


@pytest.mark.slow
def test_odd_integer_encodings_have_certificates() -> None:
    """What is named in crowded clauses has a meaning, each column of a list its own."""
    with plugins.registered(odd_maps.ODD["halves"]):
        for puzzle in samples("skyscrapers"):
            made = nonosat.certify(puzzle, encoding="permutation+visible+halves")
            assert made.claim is not None
            assert made.claim.solutions == min(2, len(testing.solutions(puzzle)))


def test_what_follows_from_nothing_is_no_consequence() -> None:
    with plugins.registered(KIND):
        names = [str(check) for check in testing.battery([KIND], SQUARES)]
        assert not any("follow from each other" in name for name in names)
        with pytest.raises(UnsupportedError, match="the puzzle latin has no pseudo-Boolean statement"):
            testing.follows("squares+order", SQUARES)


class Silent(SupportMap):
    kind = "silent"

    def meanings(self) -> Any:
        raise NotImplementedError


class Turned(SupportMap):
    kind = "turned"

    def meanings(self) -> Any:
        return ((b, v, [self.lower[v] + self.upper[v] - value]) for b, v, [value] in super().meanings())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "told"),
    spread(
        [
            (Silent, "integer encoding silent makes Booleans without a meaning: encoding tight+r3+silent does not say"),
            (Turned, "propagation does not show that it follows"),
        ],
        1,
    ),
)
def test_an_integer_encoding_without_meanings_is_found(wrong: type[SupportMap], told: str) -> None:
    def make(csp: CSP) -> Formula:
        flat = flatten(csp, supports=True, memberships=True)
        return compiled(flat, wrong.of(flat.lower, flat.upper))

    found = failures([replace(BACKWARDS, name=wrong.kind, make=make, map=wrong)])
    certificates = {name: said for name, said in found.items() if name.endswith(": certificates")}
    assert {name.partition("+turned")[0].partition("+silent")[0] for name in certificates} == {
        "tight+r3",
        "permutation+visible",
    }
    for name, said in certificates.items():
        assert told.replace("tight+r3", name.partition(f"+{wrong.kind}")[0]) in said
    others = set(found) - set(certificates)  # a Boolean that is told wrong shows in both, one that is not told in one
    assert all("follow from each other" in name for name in others)
    assert bool(others) == (wrong is Turned)


@pytest.mark.slow
def test_a_rule_whose_auxiliaries_have_no_meaning_is_found() -> None:
    def silent(puzzle: Nonogram) -> CSP:
        csp = by_automaton(puzzle)
        paths = (replace(one, meanings=None) if isinstance(one, Paths) else one for one in csp.constraints)
        return replace(csp, constraints=tuple(paths))

    def by_another(puzzle: Nonogram) -> CSP:
        return by_automaton(puzzle)

    lines = Part("silent", "lines", silent, "", "", kind="nonogram")
    [(name, said)] = failures([lines]).items()
    assert name == "silent+order: certificates"
    assert said.startswith(
        "part silent makes auxiliaries without a meaning: encoding silent+order does not say what aux_0"
    )
    assert failures([replace(lines, name="other", make=by_another)]) == {}
    with plugins.registered(lines), pytest.raises(UnsupportedError, match="does not say what aux_0 means"):
        nonosat.certify(samples("nonogram")[4], encoding="silent+order")


@pytest.mark.slow
def test_formats_that_lose_something_or_break_are_found() -> None:
    def without_given(puzzles: Sequence[Nonogram]) -> str:
        return dumps([replace(puzzle, given=()) for puzzle in puzzles], "json")

    def read(text: str) -> Any:
        return loads(text, "json")

    def careless(text: str) -> Any:
        if text.count("{") != text.count("}"):
            raise ValueError("a brace")
        return loads(text, "json")

    def write(puzzles: Any) -> str:
        return dumps(puzzles, "json")

    loses = Format("loses", (".loses",), "", read, without_given, holds=("nonogram",))
    breaks = Format("breaks", (".breaks",), "", careless, write, holds=("nonogram",))
    right = Format("right", (".right",), "", read, write, holds=("nonogram",))
    assert "another puzzle comes back" in failures([loses])["loses: what is written is read back (nonogram)"]
    assert failures([right]) == {}
    with plugins.registered(breaks):
        [check] = [check for check in testing.battery([breaks]) if "broken" in str(check)]
        with pytest.raises(ValueError, match="a brace"):
            check()


def test_generators_that_break_their_word_are_found() -> None:
    size = Parameter(word="size", key="sizes", metavar="N", meaning="", read=int, default=3)
    chances = [0]

    def changing(size: int, seed: int) -> Nonogram:
        chances[0] += 1
        return random_density(size, size, 0.5, Rng(seed).below(2) + chances[0])

    def make(size: int, seed: int) -> Nonogram:
        return random_density(size, size, 0.5, seed)

    about: Any = {"kind": "nonogram", "meaning": "", "parameters": (size,)}
    assert failures([Generator(name="right", make=make, **about)], right=[(3,), (5,)]) == {}
    [said] = failures([Generator(name="changing", make=changing, **about)]).values()
    assert "another puzzle the second time" in said
    [said] = failures([Generator(name="not-unique", make=make, unique=True, **about)]).values()
    assert "not the only solution" in said


@pytest.mark.slow
def test_strength_is_compared() -> None:
    own = samples("nonogram")
    testing.at_least_as_strong("tight+r3+order", "plain+r3+order", own)
    with pytest.raises(AssertionError, match="does not fix"):
        testing.at_least_as_strong("tight+r3+log", "tight+r3+order", own, trials=20)
