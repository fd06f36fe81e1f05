"""``nonosat.Model``: a constraint problem in Python, and all that can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from nonosat.csp.statement import Problem
from nonosat.encodings.formula import Formula
from nonosat.errors import ModelError, UnsupportedError, takes
from nonosat.files import written

if TYPE_CHECKING:
    import cpmpy

    from nonosat.counting.answer import Count
    from nonosat.modelling.certify import ModelCertificate
    from nonosat.modelling.explain import ModelExplanation
    from nonosat.modelling.knowledge import ModelBackbone, ModelEquivalence, ModelSample
    from nonosat.modelling.prove import ModelProof
    from nonosat.modelling.solve import ModelAnswer, Solution
    from nonosat.runs.events import Event
    from nonosat.runs.run import OnProgress
    from nonosat.runs.solver import Solver


LIMITS = ("time_limit_s", "cpu_limit_s", "memory_limit_mb")
SOLVING = ("encoding", "solver", "count", "unique", *LIMITS)
"""What passes for options of ``solve``."""


@dataclass(frozen=True, eq=False)
class EncodedModel:
    """The ``formula`` of a ``statement`` in an ``encoding``, and the way back.

    ``goal``: the variable of the CSP that is to be least, if there is an objective, whose value is ``sign`` times its.
    """

    statement: Problem
    encoding: str
    formula: Formula
    goal: int | None = None
    sign: int = 1

    def __repr__(self) -> str:
        cnf, domains = self.formula.cnf, len(self.statement.domains)
        size = f"{cnf.variables:,} Booleans, {cnf.clauses:,} clauses, {len(cnf.literals):,} literals"
        return f"<EncodedModel {self.statement.name!r} ({self.encoding}): {domains} variables, {size}>"

    def __iter__(self) -> Iterator[list[int]]:
        """The clauses: ``Solver(bootstrap_with=encoded)`` of python-sat takes them."""
        return iter(self.formula.cnf)

    @property
    def variables(self) -> int:
        """How many Booleans there are."""
        return self.formula.cnf.variables

    @property
    def clauses(self) -> int:
        """How many clauses there are."""
        return self.formula.cnf.clauses

    def to_dimacs(self, path: str | Path | None = None) -> str:
        """The CNF in DIMACS format, with comments that say what its variables mean; written to ``path``, if given.

        ``c p show`` names the Booleans of the model's variables, or of its projection: a counter that counts these
        alone counts solutions. The other Booleans of an encoding may have several values in one solution.
        """
        from nonosat.encodings.dimacs import write

        return written(path, write(self._whole(), self.encoding, self.statement.name, self.formula.shown()))

    def to_wcnf(self, path: str | Path | None = None) -> str:
        """WCNF of 2022 for MaxSAT solvers: the clauses are hard, and soft ones state the objective, if there is one.

        A comment says which objective a cost stands for. UnsupportedError: the encoding has no sum of literals for it.
        """
        from nonosat.encodings.dimacs import wcnf

        cost, least = self._cost()
        return written(path, wcnf(self.formula.cnf, self._head("c", least), [(a, [-one]) for a, one in cost]))

    def to_opb(self, path: str | Path | None = None) -> str:
        """Pseudo-Boolean constraints (OPB), ``x7`` for variable 7: the clauses and the objective, if there is one.

        A comment says which objective a sum stands for. UnsupportedError: as of ``to_wcnf``.
        """
        from nonosat.encodings.dimacs import opb

        cost, least = self._cost()
        constant = sum(weight for weight, literal in cost if literal < 0)
        return written(path, opb(self.formula.cnf, self._head("*", least + constant), cost))

    def _cost(self) -> tuple[list[tuple[int, int]], int]:
        """What is to be least, above its least value: pairs of a weight and a literal; and that value."""
        if self.goal is None:
            return [], 0
        try:
            return self.formula.map.weighted(self.goal), int(self.formula.map.lower[self.goal])
        except UnsupportedError as error:
            raise UnsupportedError(f"the objective in encoding {self.encoding}: {error}") from None

    def _head(self, comment: str, least: int) -> str:
        head = f"{comment} nonosat: {self.encoding} of {' '.join(self.statement.name.split()) or 'a model'}\n"
        if self.goal is None:
            return head
        return f"{head}{comment} objective = {self.sign * least} {'+' if self.sign > 0 else '-'} cost\n"

    def decode(self, model: npt.ArrayLike | str) -> Solution:
        """The solution that a SAT solver's ``model`` stands for: its literals, or what the solver printed.

        ModelError, UnsupportedError: it is none.
        """
        from nonosat.encodings.dimacs import read_output
        from nonosat.modelling.solve import Solution
        from nonosat.solvers.sat.decode import literals_of

        if isinstance(model, str):
            output = read_output(model)
            if not output.satisfiable:
                raise ModelError("the output says nothing of a solution")
            model = output.literals
        literals = literals_of(model, self.variables)
        values = self.formula.values(literals, np.arange(len(self.statement.domains), dtype=np.int32))
        if (broken := self.statement.broken(values)) is not None:
            raise ModelError(f"these literals are no model of the formula: they break {broken!r}")
        return Solution(self.statement, tuple(values.tolist()))

    def _whole(self) -> Formula:
        """The formula with all variables of the statement for its board."""
        return replace(self.formula, board=np.arange(len(self.statement.domains), dtype=np.int32).reshape(1, -1))


class Model(Problem):
    """A constraint problem: declare variables, ``add`` constraints, then ``solve`` it, or ask what else is known.

    ``encoding`` names an integer encoding (``order``, ``direct``, ``log``, ...; None: ``encodings/choice.py`` chooses),
    ``solver`` a SAT solver or CP-SAT.
    ModelError: something cannot be stated; the message says what to write instead.

    >>> model = Model("send more money")
    >>> s, e, n, d, m, o, r, y = letters = model.integer("letters", 0, 9, shape=8)
    >>> send, more, money = (sum(10**i * x for i, x in enumerate(reversed(word)))
    ...                      for word in ([s, e, n, d], [m, o, r, e], [m, o, n, e, y]))
    >>> model.add(model.all_different(letters), s > 0, m > 0, send + more == money)
    >>> answer = model.solve(unique=True)
    >>> answer[money], answer.unique
    (10652, True)
    """

    @classmethod
    def from_cpmpy(cls, model: cpmpy.Model) -> Self:
        """A model of CPMpy as ours: the same variables, by their names there, constraints and objective.

        Global constraints that we do not have are replaced by CPMpy's decompositions. ModelError: something cannot be
        stated.
        """
        from nonosat.modelling.from_cpmpy import translated

        made = cls("of CPMpy")
        translated(model, made)
        return made

    @takes()
    def solve(
        self,
        *,
        encoding: str | None = None,
        solver: str | Solver = "minisat22",
        count: int | None = 1,
        unique: bool = False,
        time_limit_s: float | None = None,
        cpu_limit_s: float | None = None,
        memory_limit_mb: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> ModelAnswer:
        """Find at most ``count`` solutions (None: all), or the best one if there is an objective.

        Each is checked by what the constraints mean; one that fails is the verdict WRONG. ``unique`` looks for two, to
        see if one is alone. Limits and ``on_progress`` are those of ``nonosat.solve``; where one is reached, what was
        found counts, and ``bound`` is what is known of the best. InterruptedSolve: Ctrl-C, with the answer so far.
        """
        from nonosat.modelling.solve import request_of

        limits = {"time_limit_s": time_limit_s, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}
        options: dict[str, Any] = {"encoding": encoding, "solver": solver, "count": count, "unique": unique, **limits}
        return request_of(self, **options).solved(on_progress)

    @staticmethod
    @takes(*SOLVING)
    def solve_many(models: Iterable[Problem], jobs: int | None = None, **options: Any) -> Iterator[ModelAnswer]:
        """Solve ``models``, ``jobs`` at a time (None: a core each); answers in their order. Options as of ``solve``."""
        from nonosat.modelling.solve import solve_many

        return solve_many(models, jobs, **options)

    @takes(*SOLVING)
    def watch(self, **options: Any) -> Iterator[Event | ModelAnswer]:
        """Solve, and give the events of the search meanwhile; the answer comes last. Options as of ``solve``."""
        from nonosat.modelling.solve import watch

        return watch(self, **options)

    def encode(self, encoding: str | None = None) -> EncodedModel:
        """The CNF in an integer encoding; of an objective, the variable is there and free in DIMACS.

        >>> model = Model("two")
        >>> x, y = model.integer("x", 0, 2), model.integer("y", 0, 2)
        >>> model.add(x < y)
        >>> model.encode("direct")
        <EncodedModel 'two' (direct): 2 variables, 6 Booleans, 11 clauses, 22 literals>
        """
        from nonosat.modelling.knowledge import formula_of
        from nonosat.modelling.solve import encoding_for

        csp, goal, sign = (lowered := self.lowered()).csp, lowered.objective, lowered.sign
        encoding = encoding_for(csp, encoding)
        return EncodedModel(self, encoding, formula_of(csp, encoding)[0], goal, sign)

    @takes(*LIMITS)
    def count(
        self,
        encoding: str | None = None,
        *more: Any,
        approximate: bool = False,
        epsilon: float = 0.8,
        delta: float = 0.2,
        seed: int = 1,
        **limits: Any,
    ) -> Count:
        """How many solutions, listed or counted by Ganak; ``limits`` as of ``solve``. An objective plays no part.

        ``approximate``: those that are not listed are estimated by ApproxMC, as ``nonosat.count`` does.

        ModelError: it is called as if it were ``count_of``.
        """
        from nonosat.modelling.knowledge import count

        if more or not isinstance(encoding, str | None):
            raise ModelError("count() counts the solutions; how often a value occurs is count_of(values, value)")
        return count(self, encoding, (epsilon, delta, seed) if approximate else None, **limits)

    @takes(*LIMITS)
    def sample(self, count: int = 1, seed: int = 0, encoding: str | None = None, **limits: float | None) -> ModelSample:
        """Draw ``count`` solutions uniformly, with replacement; a seed gives the same ones on every machine.

        ``limits`` as of ``solve``, here and in what follows; LimitReachedError: one was reached.
        """
        from nonosat.modelling.knowledge import sample
        from nonosat.modelling.within import within

        return within(limits, sample, self, count, seed, encoding)

    @takes(*LIMITS)
    def backbone(self, encoding: str | None = None, **limits: float | None) -> ModelBackbone:
        """The variables that have the same value in all solutions; ``limits`` as of ``solve``."""
        from nonosat.modelling.knowledge import backbone

        return backbone(self, encoding, **limits)

    @takes(*SOLVING)
    def equivalent(self, other: Problem, **options: Any) -> ModelEquivalence:
        """Whether ``other`` has the same solutions, by the variables' names. Options as of ``solve``."""
        from nonosat.modelling.knowledge import equivalent

        return equivalent(self, other, **options)

    @takes(*LIMITS)
    def prove(self, encoding: str | None = None, solver: str = "glucose4", **limits: float | None) -> ModelProof:
        """A DRAT proof that there is no solution, no other than one, or none better than the best.

        It is about the formula; that the formula states the model is tested, and not proved. ``fault()`` checks it.
        """
        from nonosat.modelling.prove import prove
        from nonosat.modelling.within import within

        return within(limits, prove, self, encoding, solver)

    @takes(*LIMITS)
    def certify(
        self,
        encoding: str | None = None,
        solver: str = "cadical195",
        count: int | None = 2,
        proof: str = "3.0",
        **limits: float | None,
    ) -> ModelCertificate:
        """Find at most ``count`` solutions (None: all), or the best one, and prove that these are all, or that is best.

        The proof, in VeriPB's format, is about the constraints as pseudo-Boolean lines; it has been checked.
        UnsupportedError: a model whose certificate would be too large, or a solver whose proofs do not hold.

        >>> model = Model("two")
        >>> x, y = model.integer("x", 0, 2), model.integer("y", 0, 2)
        >>> model.add(x + y == 4)
        >>> model.certify("log").claim
        'there is one solution, and no other'
        """
        from nonosat.modelling.certify import certify
        from nonosat.modelling.within import within

        return within(
            limits, certify, self, encoding, solver, count, proof, preload=("nonosat.certificates.checker.proof",)
        )

    @takes(*LIMITS)
    def explain(self, claim: Any = None, **limits: float | None) -> ModelExplanation:
        """Why there is no solution, or why ``claim`` holds in all: constraints that imply it, by name.

        They are the fewest that are found within ``time_limit_s``, or else within 400 questions to a solver;
        ``smallest`` tells whether fewer are impossible. Where a limit ends the search before, those that are known
        then are given, with ``stopped``; ``minimal`` tells whether one of them can perhaps be left out.
        LimitReachedError: none were known.
        """
        from nonosat.modelling.explain import explain

        return explain(self, claim, **limits)
