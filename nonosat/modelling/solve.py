"""Models solved: checked solutions, the best one of an objective, under limits, by every encoding and solver."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.csp.expressions import Expression, value_of
from nonosat.csp.model import CSP
from nonosat.csp.statement import LoweredStatement, Problem
from nonosat.encodings.choice import chosen as chosen_for
from nonosat.errors import ModelError, NonosatError, UnknownNameError, UnsupportedError, check_count, with_article
from nonosat.runs.events import Conclusion, Event, Measured, Verdict
from nonosat.runs.limits import Limits
from nonosat.runs.run import ENDLESS, OnProgress, consume, limits_of, run
from nonosat.runs.solver import Solver
from nonosat.runs.watched import EVERY_S, watched
from nonosat.solvers import optimum
from nonosat.solvers.judgement import Judge, Judgement, Judging
from nonosat.solvers.registry import DEFAULT_SAT, csp_solver, with_limits
from nonosat.solvers.solve import check_integers, csp_search

if TYPE_CHECKING:
    from nonosat.runs.isolation import Stop


@dataclass(frozen=True, eq=False)
class Solution:
    """A solution of a model: ``solution[x]`` is the value of a variable, an array or any expression, or by its name."""

    statement: Problem
    values: tuple[int, ...]

    def __getitem__(self, what: Any) -> Any:
        if isinstance(what, str):
            if what in self.statement.blocks:
                what = self.statement[what]
            elif what in (known := self.dict()):
                return known[what]
            else:
                raise UnknownNameError("variable", what, [*self.statement.blocks])
        if isinstance(what, Expression):
            self.statement.refuse_foreign(what)
            return value_of(what, self.values)
        if isinstance(what, np.ndarray | list | tuple):
            entries = np.asarray(what, dtype=object).view(np.ndarray)
            found = [self[entry] for entry in entries.reshape(-1).tolist()]
            return np.array(found).reshape(entries.shape)
        return what  # a constant among expressions

    def dict(self) -> dict[str, int | bool]:
        """The values by the variables' names; those of Booleans are true and false."""
        pairs = zip(self.statement.names(), self.statement.variables, self.values, strict=True)
        return {name: bool(value) if one.op == "boolean" else value for name, one, value in pairs}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)

    def __repr__(self) -> str:
        parts: list[str] = []
        for name, (first, shape) in self.statement.blocks.items():
            some = self.values[first : first + int(np.prod(shape))]
            shown = str(some[0]) if shape == () else str(np.array(some).reshape(shape).tolist())
            parts.append(f"{name} = {shown if len(shown) < 60 else f'{shown[:56]}..]'}")
        text = ", ".join(parts)
        return f"<Solution {text if len(text) < 100 else f'{text[:97]}...'}>"


@dataclass(frozen=True)
class ModelAnswer(Conclusion[Solution]):
    """What came of a search in a model. Where it has an objective, the last solution found is the best.

    ``bound``: no solution has a better value of the objective, as far as is known; it is the best one's if that is
    ``optimal``.
    """

    statement: Problem | None = None
    bound: int | None = None

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """All that were found; with an objective, the best one only."""
        return self.found[-1:] if self._goal else self.found

    @property
    def solution(self) -> Solution | None:
        """The first that was found; with an objective, the best."""
        return self.solutions[0] if self.solutions else None

    @property
    def _goal(self) -> bool:
        return self.statement is not None and self.statement.objective is not None

    @property
    def objective(self) -> int | None:
        """The objective's value in the best solution."""
        if self.solution is None or not self._goal:
            return None
        return self.solution.statement.value(self.solution.values)

    @property
    def optimal(self) -> bool | None:
        """Is it proved that no solution is better? None: there is no objective, or no solution."""
        return None if self.objective is None else self.exhausted

    @property
    def proved(self) -> str:
        """What is known of the best solution's objective, in words: ``optimal``, or its ``bound``."""
        return "optimal" if self.optimal else "no bound" if self.bound is None else f"bound {self.bound}"

    @property
    def unique(self) -> bool | None:
        """Whether there is one solution and no other; None: that is not known."""
        return None if self._goal and self.found else super().unique

    @property
    def headline(self) -> str:
        """The answer in a few words: ``SAT, objective 7 (optimal)``."""
        if self.objective is None or self.verdict is not Verdict.SAT:
            return super().headline
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.verdict}, objective {self.objective} ({self.proved}){reason}"

    def __getitem__(self, what: Any) -> Any:
        if self.solution is None:
            raise ModelError(f"there is no solution: {self.verdict}{f' ({self.reason})' if self.reason else ''}")
        return self.solution[what]

    def __repr__(self) -> str:
        parts = [str(self.verdict)]
        if self.objective is not None:
            parts.append(f"objective {self.objective} ({self.proved})")
        elif len(self.found) > 1 or (self.found and self.exhausted):
            one = len(self.found) == 1
            parts.append(
                "the only solution" if one else f"{len(self.found)} solutions{'' if self.exhausted else ' or more'}"
            )
        parts += [f"{self.stopped}"] if self.stopped is not None and self.stopped is not self.verdict else []
        parts += [repr(self.solution)] if self.solution is not None else []
        parts += [str(self.reason)] if self.reason and self.solution is None else []
        by = f"{self.encoding}, {self.solver}" if self.encoding else self.solver
        return f"<ModelAnswer {': '.join((', '.join(parts[:2]), *parts[2:]))} ({by})>"

    def _solutions(self) -> dict[str, Any]:
        return {
            "solutions": [solution.dict() for solution in self.solutions],
            "exhausted": self.exhausted,
            "unique": self.unique,
            "objective": self.objective,
            "bound": self.bound,
            "optimal": self.optimal,
        }


class ModelJudging(Judging[ModelAnswer]):
    """Collects solutions, each checked by what the model means, and the bound of its objective."""

    def __init__(self, request: ModelRequest, on_progress: OnProgress | None) -> None:
        super().__init__(request.answer, judge_of_model(request.statement), on_progress)
        self.sign = request.sign

    def other(self, event: object) -> ModelAnswer | None:
        """Take note of a bound."""
        if isinstance(event, Measured):
            self.answer = replace(self.answer, bound=self.sign * event.values["bound"])
            return None
        return super().other(event)


def judge_of_model(statement: Problem) -> Judge[Solution]:
    """What judges the values of all variables of a model's CSP, by what the model means."""
    return Judge(partial(_judged, statement))


def _judged(statement: Problem, values: npt.NDArray[Any]) -> Judgement[Solution]:
    own = values[: len(statement.domains)]
    solution = Solution(statement, tuple(own.tolist()))
    broken = statement.broken(own)
    wrong = None if broken is None else f"a model breaks {broken!r}: the encoding is unsound, or this is a bug"
    return Judgement(solution, wrong, statement.projected(solution.values))


class ModelRequest(NamedTuple):
    """A solve that makes sense, before it is run: the search with its arguments, and the answer without its results."""

    statement: Problem
    answer: ModelAnswer
    search: Callable[..., Iterable[Event]]
    arguments: tuple[Any, ...]
    solver: Solver
    limits: Limits | None
    sign: int
    one: bool

    def solved(self, on_progress: OnProgress | None = None, stop: Stop | None = None) -> ModelAnswer:
        """The answer. InterruptedSolve: Ctrl-C, with the answer so far."""
        events = run(self.search, self.arguments, self.limits, (self.solver.module,), stop)
        answer = consume(events, ModelJudging(self, on_progress))
        return self.finished(answer)

    def finished(self, answer: ModelAnswer) -> ModelAnswer:
        """Where a second solution is out of the question, the first is all."""
        return replace(answer, exhausted=True) if self.one and answer.verdict is Verdict.SAT else answer


def request_of(
    statement: Problem,
    lowered: LoweredStatement | None = None,
    *,
    encoding: str | None = None,
    solver: str | Solver = DEFAULT_SAT,
    count: int | None = 1,
    unique: bool = False,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    isolated: bool = False,
) -> ModelRequest:
    """The arguments of ``Model.solve``, looked up. ``isolated``: in a process of its own, limits or not."""
    goal = statement.objective is not None
    check_count(count, "solution")
    if goal:
        optimum.refuse_several(count, unique)
    count = max(count, 2) if unique and count is not None else count
    chosen = csp_solver(solver)
    lowered = statement.lowered(ranks=chosen.family == "CP") if lowered is None else lowered
    csp, needs_booleans = lowered.csp, chosen.family == "SAT"
    if encoding is not None and not needs_booleans:
        from nonosat.encodings.parts import INTEGERS

        INTEGERS.named(encoding)  # a misspelt one is told first
        chosen.refuse_encoding(encoding)
    encoding = encoding_for(csp, encoding) if needs_booleans else ""
    if needs_booleans:
        check_integers(csp, encoding)
    limits = limits_of(chosen, time_limit_s, memory_limit_mb, cpu_limit_s)
    if isolated and limits is None:
        limits = Limits(None, None, None)
    board = csp.board.reshape(-1)
    one = not goal and bool((csp.lower[board] == csp.upper[board]).all())
    limited = with_limits(chosen, time_limit_s, memory_limit_mb)
    answer = ModelAnswer(
        Verdict.UNKNOWN, solver=chosen.name, encoding=encoding if needs_booleans else None, statement=statement
    )
    if goal:
        assert lowered.objective is not None
        arguments: tuple[Any, ...] = (csp, lowered.objective, encoding, limited)
        return ModelRequest(statement, answer, optimum.search, arguments, chosen, limits, lowered.sign, one)
    arguments = (csp, encoding, 1 if one else count, limited)
    return ModelRequest(statement, answer, csp_search, arguments, chosen, limits, 1, one)


def encoding_for(csp: CSP, encoding: str | None) -> str:
    """``encoding``, or what is chosen if none is named."""
    return chosen_for(csp) if encoding is None else encoding


def solve_many(statements: Iterable[Problem], jobs: int | None = None, **options: Any) -> Iterator[ModelAnswer]:
    """Solve models, ``jobs`` at a time (None: a core each), each in a process of its own: answers in their order.

    What is wrong with one model is in the verdict and the ``reason`` of its answer, and the others go on.
    """
    import os

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    with ThreadPoolExecutor(jobs or cores) as crew:
        waiting = [crew.submit(_answered, statement, options) for statement in statements]
        try:
            for one in waiting:
                yield one.result()
        finally:
            for one in waiting:
                one.cancel()


def _answered(statement: Problem, options: dict[str, Any]) -> ModelAnswer:
    try:
        if not isinstance(statement, Problem):
            raise ModelError(f"a model is expected, not {with_article(type(statement).__name__)}")
        return request_of(statement, isolated=True, **options).solved()
    except UnsupportedError as error:
        return ModelAnswer(Verdict.UNSUPPORTED, reason=str(error), statement=statement)
    except NonosatError as error:
        return ModelAnswer(Verdict.ERROR, reason=str(error), statement=statement)


def watch(
    statement: Problem, every_s: float = EVERY_S, closely: int = 0, stop: Stop | None = None, **options: Any
) -> Generator[Event | ModelAnswer, None, None]:
    """Solve a model, and give the events of the search meanwhile; the answer comes last."""
    request = request_of(statement, **options)
    consumer = ModelJudging(request, None)
    arguments = (request.search, request.arguments, every_s, closely)
    with closing(run(watched, arguments, request.limits, (request.solver.module,), stop)) as events:
        for event in events:
            if (answer := consumer.take(event)) is not None:
                yield request.finished(answer)
                return
            yield event
    yield consumer.stopped(ENDLESS)


def solutions_of(statement: Problem, values: Sequence[Sequence[int]]) -> tuple[Solution, ...]:
    """Values of all variables as solutions."""
    return tuple(Solution(statement, tuple(int(value) for value in row)) for row in values)
