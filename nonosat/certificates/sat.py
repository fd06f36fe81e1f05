"""A SAT solver's work as a proof over the puzzle's own statement.

Every clause of the encoding is a lemma of the statement, then come the solutions, and what the solver learnt. Neither
the encoding nor the solver need be trusted: the checker looks at every line.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from nonosat.certificates.booleans import literals
from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps, negation
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.sat.proofs import attempt, refuse_incomplete
from nonosat.solvers.sat.search import models
from nonosat.solvers.sat.session import session_of


def certified_by(
    prover: str, puzzle: Puzzle, encoding: Encoding, at_most: int | None, statement: Statement, steps: Steps
) -> Generator[Event, None, Statistics]:
    """Find at most ``at_most`` boards, and if there are no others, prove it: the whole proof goes to ``steps``."""
    refuse_incomplete(encoding)
    yield Progress("encoding")
    formula, about = formula_of(puzzle, encoding)
    boards: list[npt.NDArray[Any]] = []
    spent = Statistics()
    if at_most is None or at_most > 2:
        spent = yield from _many(prover, formula, at_most, about, boards)
    drat: tuple[str, ...] | None = None
    while drat is None and (at_most is None or len(boards) < at_most):
        yield Progress("solving", about.plus(spent))
        cnf = formula.cnf.extended_by([formula.block(board) for board in boards])
        found = attempt(prover, replace(formula, cnf=cnf))
        spent = spent.plus(found.statistics)
        if found.cells is None:
            drat = found.steps
        else:
            boards.append(found.cells)
            yield Found(found.cells)
    yield Progress("writing", about.plus(spent))
    texts = literals(formula, statement, steps, encoding.name)
    write(formula, texts, statement, boards, drat, steps)
    return about.plus(spent)


def _many(
    prover: str, formula: Formula, at_most: int | None, about: Statistics, boards: list[npt.NDArray[Any]]
) -> Generator[Event, None, Statistics]:
    """Find them one by one in one solver: those proofs that solvers write do not hold when clauses are added later."""
    session = session_of(prover, formula.cnf)
    spent = Statistics()
    for event in models(session, formula, at_most, about):
        if isinstance(event, Found):
            boards.append(event.cells)
            yield event
        elif isinstance(event, Progress):
            yield event
        elif isinstance(event, Finished):
            spent = replace(event.statistics, variables=None, clauses=None, encode_s=None)
    return spent


def write(
    formula: Formula,
    texts: list[str],
    statement: Statement,
    boards: Sequence[npt.NDArray[Any]],
    drat: Sequence[str] | None,
    steps: Steps,
) -> None:
    """The clauses of the encoding, the solutions, what the solver did (None: there may be others), and the end.

    ``texts``: by Boolean, its literal in the statement's terms.
    """
    lemmas = ClauseLemmas(texts, steps, drat or ())
    for clause in formula.cnf:
        lemmas.add(clause)
    for board in boards:
        steps.solution(statement.literals(board.tolist()))
        lemmas.add(formula.block(board))
    for line in drat or ():
        words = line.split()
        if words[0] == "d":
            lemmas.delete([int(word) for word in words[1:-1]])
        elif words[0] != "0":
            lemmas.add([int(word) for word in words[:-1]])
    steps.conclude(drat is not None)


class ClauseLemmas:
    """Clauses as steps. Only the numbers of those that will be deleted are kept: there may be a million others."""

    def __init__(self, texts: list[str], steps: Steps, drat: Iterable[str]) -> None:
        self.steps = steps
        self.repeated = len({text.removeprefix("~") for text in texts[1:]}) < len(texts) - 1
        # By literal: a negative one counts from the end.
        self.terms = [f"1 {text} " for text in texts] + [f"1 {negation(text)} " for text in reversed(texts[1:])]
        deleted = (line.split()[1:-1] for line in drat if line.startswith("d"))
        self.numbers: dict[int, list[int]] = {_key(map(int, words)): [] for words in deleted}

    def add(self, clause: list[int]) -> None:
        """One that follows from those before. The checker wants each variable once."""
        words = [self.terms[literal] for literal in clause]
        if self.repeated or len(set(map(abs, clause))) < len(clause):  # some solvers learn a literal twice
            words = list(dict.fromkeys(words))
            if len({word[2:].removeprefix("~") for word in words}) < len(words):
                return  # one of two opposites is true
        number = self.steps.rup("".join(words))
        if self.numbers and (known := self.numbers.get(_key(clause))) is not None:
            known.append(number)

    def delete(self, clause: list[int]) -> None:
        """One that is not needed any more."""
        if known := self.numbers[_key(clause)]:
            self.steps.delete(known.pop())


def _key(clause: Iterable[int]) -> int:
    """The same for the same literals in any order. Should others have it too, a proof lacks a clause and is refused."""
    return hash(tuple(sorted(clause)))
