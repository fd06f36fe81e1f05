"""Our encodings as solvers of CPMpy: ``nonosat:ENCODING:SOLVER``, such as ``nonosat:order:cadical153``.

CPMpy's solvers stand in a list in its own code, and it has no entry points, so ``register`` is called once in a
program: it replaces the public method ``SolverLookup.base_solvers`` by one that lists ours, too.

>>> import nonosat.cpmpy  # doctest: +SKIP
>>> nonosat.cpmpy.register()  # doctest: +SKIP
>>> model.solve(solver="nonosat:order:cadical153")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from cpmpy import SolverLookup
from cpmpy.exceptions import NotSupportedError
from cpmpy.solvers.solver_interface import Callback, ExitStatus, SolverInterface, SolverStatus
from cpmpy.transformations.get_variables import get_variables

from nonosat.encodings.choice import USUAL
from nonosat.encodings.parts import INTEGERS
from nonosat.errors import ModelError, SolverError, UnsupportedError
from nonosat.modelling.from_cpmpy import Translation
from nonosat.modelling.model import Model
from nonosat.modelling.solve import ModelAnswer, Solution
from nonosat.runs.events import Found, Verdict
from nonosat.solvers.registry import DEFAULT_SAT, solver, solvers
from nonosat.version import __version__

NAME = "nonosat"


def register() -> None:
    """Let CPMpy's ``SolverLookup`` find ``nonosat:ENCODING:SOLVER``; to call it again does nothing."""
    known = SolverLookup.base_solvers
    if all(name != NAME for name, _ in known()):
        SolverLookup.base_solvers = classmethod(lambda cls: [*known(), (NAME, CPMpySolver)])


class CPMpySolver(SolverInterface):  # type: ignore[misc]
    """A model of CPMpy, solved through ``nonosat.Model``; ``subsolver`` is ``ENCODING:SOLVER`` or ``ENCODING``.

    Constraints are kept and stated anew for each search, so that they may be added between searches.
    NotSupportedError: something has no meaning for us, or cannot be stated; the message is a line that names it.
    """

    supported_global_constraints: frozenset[str] = frozenset()
    supported_reified_global_constraints: frozenset[str] = frozenset()

    def __init__(self, cpm_model: Any = None, subsolver: str | None = None) -> None:
        encoding, _, program = (subsolver or "").partition(":")
        self.encoding, self.solver = encoding or None, solver(program or DEFAULT_SAT)
        INTEGERS.named(encoding or USUAL)  # an unknown one raises
        needs_one = self.solver.family == "SAT"
        if encoding and not needs_one:
            self.solver.refuse_encoding(encoding)
        self.model = Model("of CPMpy")
        self._translation = Translation(self.model)
        self._core: list[Any] | None = None
        super().__init__(name=f"{NAME}:{encoding or USUAL * needs_one}:{self.solver.name}", cpm_model=cpm_model)

    @staticmethod
    def supported() -> bool:
        """It is installed, or this could not be asked."""
        return True

    @classmethod
    def version(cls) -> str:
        """Of nonosat."""
        return __version__

    @staticmethod
    def solvernames(installed: bool = True) -> list[str]:
        """Every encoding with every SAT solver that solves models, and CP-SAT, which takes no encoding."""
        able = [one for one in solvers().values() if one.solves_csps]
        with_one = [f"{encoding}:{one.name}" for encoding in INTEGERS.known() for one in able if one.family == "SAT"]
        return [*with_one, *(f":{one.name}" for one in able if one.family != "SAT")]

    @classmethod
    def solverversion(cls, subsolver: str) -> str | None:
        """python-sat does not say."""
        return None

    @property
    def native_model(self) -> Model:
        """The model as ours."""
        return self.model

    def solver_var(self, cpm_var: Any) -> Any:
        """A variable of CPMpy, its negation or a constant in ``native_model``."""
        with refusing():
            return self._translation.leaf(cpm_var)

    def add(self, cpm_expr: Any) -> CPMpySolver:
        """Add a constraint, or a list of them."""
        get_variables(cpm_expr, collect=self.user_vars)
        with refusing():
            self._translation.add(cpm_expr)
        return self

    __add__ = add

    def objective(self, expr: Any, minimize: bool) -> None:
        """The expression that is to be least, or greatest."""
        if not hasattr(expr, "is_bool"):
            raise NotSupportedError(f"{NAME}: {type(expr).__name__} is no objective of whole numbers")
        get_variables(expr, collect=self.user_vars)
        with refusing():
            self._translation.objective(expr, not minimize)

    def has_objective(self) -> bool:
        """Whether there is one."""
        return self.model.objective is not None

    def solve(
        self,
        time_limit: float | None = None,
        assumptions: Iterable[Any] | None = None,
        display: Callback | None = None,
        **options: Any,
    ) -> bool:
        """Find a solution, or the best one. ``options``: limits of ``nonosat.Model.solve``.

        ``display``: shown with each solution on the way to the best. ``assumptions``: literals that must hold now.
        """
        assumed = None if assumptions is None else list(assumptions)
        display = display if self.has_objective() else None
        answer, seconds = self._answered(1, time_limit, assumed or [], options, display)
        self._core = assumed if answer.solution is None and answer.exhausted else None
        if answer.solution is None:
            self._nothing(answer, seconds)
            return False
        self._done(ExitStatus.OPTIMAL if answer.optimal else ExitStatus.FEASIBLE, seconds)
        self._take(answer.solution)
        self.objective_value_ = answer.objective
        return True

    def solveAll(  # noqa: N802 - CPMpy's name
        self,
        display: Callback | None = None,
        time_limit: float | None = None,
        solution_limit: int | None = None,
        call_from_model: bool = False,
        **options: Any,
    ) -> int:
        """Find all solutions, each shown by ``display``, and give their number."""
        if self.has_objective():
            raise NotSupportedError(f"{NAME} does not find all optimal solutions")
        users = self._translation.users
        every = len(users) < len(self.model.domains)  # solutions that differ in auxiliaries alone are one
        answer, seconds = self._answered(None if every else solution_limit, time_limit, [], options)
        found: dict[tuple[int, ...], Solution] = {}
        for solution in answer.solutions:
            found.setdefault(tuple(solution.values[number] for number in users.values()), solution)
        solutions = list(found.values())[:solution_limit]
        for solution in solutions:
            self._take(solution)
            self.print_display(display)
        if not solutions:
            self._nothing(answer, seconds)
        else:
            whole = answer.exhausted and len(solutions) == len(found)
            self._done(ExitStatus.OPTIMAL if whole else ExitStatus.FEASIBLE, seconds)
        return len(solutions)

    def get_core(self) -> list[Any]:
        """Assumptions that cannot hold together: those of the last search, less each that is not needed for that."""
        if self._core is None:
            raise NotSupportedError(f"{NAME}: a core is known after a search under assumptions without a solution")
        core = list(self._core)
        for one in self._core:
            rest = [other for other in core if other is not one]
            answer, _ = self._answered(1, None, rest, {})
            if answer.solution is None and answer.exhausted:
                core = rest
        self._core = core
        return core

    # What a search takes and leaves.

    def _answered(
        self,
        count: int | None,
        time_limit: float | None,
        assumptions: list[Any],
        options: dict[str, Any],
        display: Callback | None = None,
    ) -> tuple[ModelAnswer, float]:
        if time_limit is not None and time_limit <= 0:
            raise ValueError("a time limit is more than 0 seconds")
        begin, constraints = perf_counter(), self.model.constraints
        lasting = len(constraints)
        with refusing():
            self._translation.declare(self.user_vars)
            try:
                self._translation.add(assumptions)
                asked = {"encoding": self.encoding, "solver": self.solver, "count": count, "time_limit_s": time_limit}
                answer = self._search({**asked, **options}, display)
            finally:
                del constraints[lasting:]
        if answer.verdict in (Verdict.WRONG, Verdict.CRASH, Verdict.ERROR):
            raise SolverError(f"{self.name}: {answer.verdict}: {answer.reason}")
        return answer, perf_counter() - begin

    def _search(self, options: dict[str, Any], display: Callback | None) -> ModelAnswer:
        if display is None:
            return self.model.solve(**options)
        for event in self.model.watch(**options):
            if isinstance(event, Found):
                self._take(Solution(self.model, tuple(event.cells.reshape(-1).tolist())))
                self.print_display(display)
        assert isinstance(event, ModelAnswer)  # the last one
        return event

    def _done(self, status: ExitStatus, seconds: float) -> None:
        self.cpm_status = SolverStatus(self.name)
        self.cpm_status.exitstatus, self.cpm_status.solve_time = status, seconds

    def _take(self, solution: Solution) -> None:
        for variable in self.user_vars:
            value = solution.values[self._translation.users[str(variable.name)]]
            variable._value = bool(value) if variable.is_bool() else value

    def _nothing(self, answer: ModelAnswer, seconds: float) -> None:
        self._done(ExitStatus.UNSATISFIABLE if answer.exhausted else ExitStatus.UNKNOWN, seconds)
        self.objective_value_ = None
        for variable in self.user_vars:
            variable.clear()


@contextmanager
def refusing() -> Iterator[None]:
    """What we refuse, as CPMpy's error for that."""
    try:
        yield
    except (ModelError, UnsupportedError) as error:
        raise NotSupportedError(f"{NAME}: {error}") from None
