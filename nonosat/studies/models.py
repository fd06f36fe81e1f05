"""A model as a study runs it: what its processes send each other, what states it, solves it, and judges solutions.

It stands where a puzzle stands. A process gets it by its origin and reads it there: expressions may be nested too deep
to be sent, and most runs need the formula alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nonosat.csp.statement import LoweredStatement, Problem
from nonosat.encodings.registry import MODEL
from nonosat.errors import UnsupportedError
from nonosat.files import shown
from nonosat.modelling.features import constraints_by_kind, facts
from nonosat.modelling.files import is_model, load_all
from nonosat.modelling.solve import ModelAnswer, judge_of_model
from nonosat.puzzles.formats import load_all as puzzles_in
from nonosat.runs.events import Event, Progress, Verdict
from nonosat.solvers import optimum
from nonosat.solvers.judgement import Judge
from nonosat.studies.plan import Instance, generator_of, unchanged

if TYPE_CHECKING:
    from nonosat.csp.model import CSP
    from nonosat.modelling.solve import Solution
    from nonosat.runs.solver import Solver

KEPT = 8
"""Models that a process keeps for the next run that needs them."""


class StudyModel:
    """The model of ``instance``; ``statement`` and what is derived of it are made where they are first used."""

    kind: ClassVar[str] = MODEL
    goal = None

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def __getstate__(self) -> dict[str, Any]:
        return {"instance": self.instance}

    @cached_property
    def statement(self) -> Problem:
        """The model. NonosatError: its origin is gone, or has changed."""
        return statement_of(self.instance)

    @cached_property
    def _lowered(self) -> LoweredStatement:
        return self.statement.lowered()

    @property
    def csp(self) -> CSP:
        """What encodings get. ModelError: it cannot be stated."""
        return self._lowered.csp

    @property
    def goal_variable(self) -> int | None:
        """The variable that is to be least, if there is an objective."""
        return self._lowered.objective

    def facts(self) -> dict[str, Any]:
        """What records have about it."""
        objective = self.statement.objective
        about: dict[str, Any] = facts(self.statement)
        about["title"] = self.statement.name.removeprefix(shown(self.instance.path or "")).lstrip(":") or None
        about["constraint_kinds"] = json.dumps(constraints_by_kind(self.statement))
        if objective is not None:
            about["maximized"] = objective.greatest
        return about

    def search_of(self, solver: Solver) -> Callable[..., Iterable[Event]]:
        """What runs ``solver``: on a formula, if it takes one, else on this model; as a solver's own."""
        if solver.takes_formula:
            assert solver.solved is not None
            return partial(_of_formula, solver.solved)
        return _of_csp if solver.of_csp is not None else solver.search

    def judge(self) -> Judge[Solution]:
        """What judges its solutions."""
        return judge_of_model(self.statement)

    def outcome(self, answer: ModelAnswer, bound: int | None) -> dict[str, Any]:
        """What records have about the ``answer``; ``bound``: the last that the search gave, of what is made least.

        The best solution that is known is no result, unless it is proved to be the best.
        """
        solution = answer.solution
        about: dict[str, Any] = {}
        if solution is not None:
            values = np.array(solution.values, dtype="<i8")
            about["picture"] = hashlib.sha256(values.tobytes()).hexdigest()[:16]
        if (objective := self.statement.objective) is None or answer.verdict is Verdict.WRONG:
            return about
        if bound is not None:
            about["bound"] = -bound if objective.greatest else bound
        if solution is not None:
            about |= {"objective": answer.objective, "optimal": answer.exhausted}
            if not answer.exhausted and answer.stopped is None:
                about |= {"outcome": str(Verdict.UNKNOWN), "reason": answer.reason or "not proved to be the best"}
        return about


def puzzle_of(instance: Instance) -> Any:
    """The puzzle of ``instance``, or its model, a ``StudyModel``.

    NonosatError: its file, or the plug-in that has its generator, is gone, or not what it was when the study was read.
    """
    if is_model(instance.path) if instance.path is not None else generator_of(instance).kind == MODEL:
        return StudyModel(instance)
    if instance.path is not None:
        return puzzles_in(unchanged(instance))[(instance.index or 1) - 1]
    return generator_of(instance).puzzle(instance.values, instance.seed or 0)


def _of_formula(solved: Any, formula: Any, statistics: Any, count: int | None, solver: Solver) -> Iterator[Event]:
    if formula.goal is not None:
        optimum.refuse_several(count)
        solved = optimum.solved
    yield from solved(formula, statistics, count, solver)


def _of_csp(model: StudyModel, encoding: object, count: int | None, solver: Solver) -> Iterator[Event]:
    yield Progress("encoding")
    lowered = model.statement.lowered(ranks=solver.family == "CP")
    if lowered.objective is None:
        assert solver.of_csp is not None
        yield from solver.of_csp(lowered.csp, "", count, solver)
    else:
        optimum.refuse_several(count)
        yield from optimum.search(lowered.csp, lowered.objective, "", solver)


@lru_cache(KEPT)
def statement_of(instance: Instance) -> Problem:
    """The model of ``instance``. NonosatError: its file or plug-in is gone, or not what it was."""
    if instance.path is not None:
        return load_all(str(unchanged(instance)))[(instance.index or 1) - 1]
    made: Problem = generator_of(instance).puzzle(instance.values, instance.seed or 0)  # type: ignore[assignment]
    if not isinstance(made, Problem):
        raise UnsupportedError(f"generator {instance.generator}: a {type(made).__name__} is no nonosat.Model")
    return made
