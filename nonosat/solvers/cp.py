"""OR-Tools CP-SAT on the CSP of an encoding: its rules count, its integer encoding does not.

One worker, so that a run says something about the model and is the same every time. Where many solutions are wanted,
CP-SAT lists them in one search. What it lists is ruled out by clauses over the cells, and solved again: that finds what
the list lacks, or proves that it is whole. CP-SAT is not incremental, so each further solve begins from the start.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter, process_time
from typing import Any, Protocol

import numpy as np
from ortools.sat.python import cp_model

from nonosat.csp.model import CSP, Ints, numbers
from nonosat.encodings.cpsat import CpModel, engine_of
from nonosat.encodings.registry import Encoding
from nonosat.errors import NonosatError, SolverError, UnsupportedError
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.automaton import clue_automaton
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import Event, Finished, Found, Glimpse, Measured, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.runs.watched import glimpse, watch

LONGEST = 100
"""Characters of a line of CP-SAT's log."""


MANY = 2
"""Solutions up to which each is a solve of its own: for a list, presolve keeps all solutions, and is weaker."""
REPEATED = 1000
"""Solutions in a row that a list may have again, since they differ beside the board only."""


class BoardModel(Protocol):
    """A CP-SAT ``model`` whose variables ``board``, row by row, are the cells."""

    model: cp_model.CpModel
    variables: list[Any]

    def differ(self, variables: list[int], values: list[int]) -> None:
        """Rule out that the variables of these numbers all have ``values``."""


def search(puzzle: Puzzle, encoding: Encoding, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """State ``puzzle`` for CP-SAT and find at most ``at_most`` pictures (None: all of them)."""
    yield Progress("encoding")
    begin = perf_counter()
    csp = encoding.csp(puzzle, for_cp=True)
    model = CpModel(csp)
    yield from boards(model, csp.board, at_most, solver.name, perf_counter() - begin)


def search_csp(csp: CSP, integers: str, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """State ``csp`` for CP-SAT and find at most ``at_most`` solutions (None: all) that differ on its board."""
    yield Progress("encoding")
    begin = perf_counter()
    model = CpModel(csp)
    every = np.arange(len(csp), dtype=np.int32)
    encode_s = perf_counter() - begin
    yield from boards(model, csp.board, at_most, solver.name, encode_s, decoded=every, presolve=not model.large)


def boards(
    model: BoardModel,
    cells: Ints,
    at_most: int | None,
    solver: str,
    encode_s: float,
    decoded: Ints | None = None,
    presolve: bool = True,
) -> Iterator[Event]:
    """Solve ``model`` until it has no more than the boards found, or ``at_most`` are.

    ``cells`` are the numbers of the board's variables, by which solutions differ; ``encode_s`` is what stating it took.
    What is found are the values of ``decoded``: the cells by default.
    """
    proto = model.model.proto
    statistics = Statistics(
        variables=len(proto.variables),
        clauses=len(proto.constraints),
        encode_s=encode_s,  # no load_s: the model is handed over and solved in one call
    )
    board = cells.reshape(-1).tolist()
    shown = cells if decoded is None else decoded
    found = 0
    if at_most is None or at_most > MANY:
        yield Progress("solving", statistics)
        engine = _engine(presolve)
        engine.parameters.enumerate_all_solutions = True
        listed = SolutionList(model.variables, board, shown, at_most)
        begin = perf_counter(), process_time()
        yield from _solve(engine, model.model, statistics, listed)
        statistics = _spent(statistics, engine, begin)
        found = len(listed.seen)
        for different in listed.seen:
            model.differ(board, list(different))
    while at_most is None or found < at_most:
        yield Progress("solving", statistics)
        engine = _engine(presolve)
        begin = perf_counter(), process_time()
        status = yield from _solve(engine, model.model, statistics)
        statistics = _spent(statistics, engine, begin)
        if status == cp_model.INFEASIBLE:
            yield Finished(True, statistics)
            return
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise _without_result(solver, engine, status)
        values = [engine.value(model.variables[v]) for v in shown.reshape(-1).tolist()]
        yield Found(numbers(values).reshape(shown.shape))
        model.differ(board, [engine.value(model.variables[v]) for v in board])
        found += 1
    yield Finished(False, statistics)


def search_optimum(csp: CSP, goal: int, solver: Solver) -> Iterator[Event]:
    """Find solutions of ``csp``, each with a lower value of the variable ``goal``, until the last is best."""
    yield Progress("encoding")
    begin = perf_counter()
    model = CpModel(csp)
    model.model.minimize(model.variables[goal])
    proto = model.model.proto
    statistics = Statistics(len(proto.variables), len(proto.constraints), perf_counter() - begin)
    yield Progress("solving", statistics)
    engine = _engine(not model.large)
    better = Better(model.variables[: len(csp)])
    begun = perf_counter(), process_time()
    status = yield from _solve(engine, model.model, statistics, better)
    statistics = _spent(statistics, engine, begun)
    if status == cp_model.OPTIMAL:
        yield Measured({"bound": engine.value(model.variables[goal])})
    elif status != cp_model.INFEASIBLE:
        raise _without_result(solver.name, engine, status)
    yield Finished(True, statistics)


def _engine(presolve: bool) -> cp_model.CpSolver:
    engine = engine_of(presolve)
    engine.parameters.catch_sigint_signal = False
    return engine


def _without_result(solver: str, engine: cp_model.CpSolver, status: cp_model.CpSolverStatus) -> NonosatError:
    """The error for a status that says nothing of the model's solutions."""
    if status == cp_model.MODEL_INVALID:  # which ``CpModel`` has validated: what presolve makes of it is too large
        return UnsupportedError(f"{solver}: numbers too large for CP-SAT's presolve; give smaller ones")
    return SolverError(f"{solver} ended with the status {engine.status_name(status)}")


class SolutionCallback(cp_model.CpSolverSolutionCallback):
    """Takes solutions in CP-SAT's thread, and hands them to the search in its own, as ``news``."""

    def __init__(self) -> None:
        super().__init__()
        self.news: SimpleQueue[Event | None] = SimpleQueue()


class Better(SolutionCallback):
    """The solutions of an optimization, with what is known of the best."""

    def __init__(self, variables: list[Any]) -> None:
        super().__init__()
        self.variables = variables

    def on_solution_callback(self) -> None:
        """A better solution."""
        values = [self.value(variable) for variable in self.variables]
        self.news.put(Found(numbers(values)))
        least = self.best_objective_bound  # a float, which over 2**53 may be rounded up
        bound = int(np.ceil(least - 1e-6) if abs(least) < 2**53 else np.nextafter(least, -np.inf))
        self.news.put(Measured({"bound": bound}))


class SolutionList(SolutionCallback):
    """At most ``at_most`` solutions (None: all) that differ on the ``board``, whose values are ``seen``."""

    def __init__(self, variables: list[Any], board: list[int], shown: Ints, at_most: int | None) -> None:
        super().__init__()
        self.board = [variables[v] for v in board]
        self.shown, self.shape = [variables[v] for v in shown.reshape(-1).tolist()], shown.shape
        self.at_most = at_most
        self.seen: dict[tuple[int, ...], None] = {}
        self.again = 0

    def on_solution_callback(self) -> None:
        """Another one, or one of those before with other values beside the board."""
        if len(self.seen) == self.at_most:  # it goes on for a moment after it was stopped
            return
        before = len(self.seen)
        self.seen[tuple(self.value(variable) for variable in self.board)] = None
        self.again = 0 if len(self.seen) > before else self.again + 1
        if not self.again:
            self.news.put(Found(numbers([self.value(one) for one in self.shown]).reshape(self.shape)))
        if len(self.seen) == self.at_most or self.again > REPEATED:
            self.stop_search()


def _solve(
    engine: cp_model.CpSolver, model: cp_model.CpModel, before: Statistics, solutions: SolutionCallback | None = None
) -> Generator[Event, None, cp_model.CpSolverStatus]:
    """Give what ``engine.solve`` does; Ctrl-C comes back at once.

    CP-SAT takes no notice of Python's interrupts while it works, and its own handler is as slow as the search's next
    check: so a thread works (the call gives up Python's lock), this one waits, and an interrupted search is made to
    stop and left to itself. If it is watched, the last line of its log is all that can be seen of it meanwhile.
    """
    result: list[cp_model.CpSolverStatus] = []
    news: SimpleQueue[Event | None] = SimpleQueue() if solutions is None else solutions.news

    def work() -> None:
        try:
            result.append(engine.solve(model, solutions))
        finally:
            news.put(None)

    lines = [""]
    watching = watch()
    if watching is not None:
        engine.parameters.log_search_progress, engine.parameters.log_to_stdout = True, False
        engine.log_callback = lambda text: lines.extend(line for line in text.splitlines() if line.strip())
    Thread(target=work, daemon=True).start()
    try:
        while True:
            with suppress(Empty):
                event = news.get(timeout=None if watching is None else watching.every_s)
                if event is None:
                    break
                yield event
                if news.empty():
                    yield Progress("solving", before)
            yield from glimpse(lambda: Glimpse(" ".join(lines[-1].split())[:LONGEST], before))
    except KeyboardInterrupt:
        engine.stop_search()
        raise
    if not result:
        raise SolverError("CP-SAT raised an exception")
    return result[0]


def _spent(before: Statistics, engine: cp_model.CpSolver, begin: tuple[float, float]) -> Statistics:
    """``before`` and one more solve, which began at these wall and CPU seconds.

    CP-SAT's counters start anew with every call, so they are added up.
    """
    response = engine.response_proto
    return replace(
        before,
        solve_s=(before.solve_s or 0.0) + perf_counter() - begin[0],
        solve_cpu_s=(before.solve_cpu_s or 0.0) + process_time() - begin[1],
        decisions=(before.decisions or 0) + response.num_branches,
        conflicts=(before.conflicts or 0) + response.num_conflicts,
        propagations=(before.propagations or 0) + response.num_binary_propagations + response.num_integer_propagations,
        restarts=(before.restarts or 0) + response.num_restarts,
    )


# OR-Tools CP-SAT on one automaton a line: a variable a cell, and no encoding.
# CP-SAT unfolds the automaton over the line's length, and so finds all that follows for the line alone.


def automaton_search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """State ``puzzle`` for CP-SAT and find at most ``at_most`` pictures (None: all). No encoding plays a part."""
    yield Progress("encoding")
    begin = perf_counter()
    model = LinesModel(puzzle)
    cells = np.arange(puzzle.height * puzzle.width, dtype=np.int32).reshape(puzzle.shape)
    yield from boards(model, cells, at_most, solver.name, perf_counter() - begin)


class LinesModel:
    """The cells, row by row, and the automaton of every line."""

    def __init__(self, puzzle: Nonogram) -> None:
        height, width = puzzle.shape
        self.model = cp_model.CpModel()
        self.last = puzzle.colours
        self.variables = [self.model.new_int_var(0, puzzle.colours, "") for _ in range(height * width)]
        self._within: dict[tuple[int, int, int], Any] = {}
        for axis, index, clue in puzzle.lines():
            line = slice(index * width, (index + 1) * width) if axis == "row" else slice(index, None, width)
            reader = clue_automaton(clue, "all")
            self.model.add_automaton(self.variables[line], 0, reader.accepting, reader.transitions)
        for row, column, value in puzzle.given:
            self.model.add(self.variables[row * width + column] == value)

    def differ(self, variables: list[int], values: list[int]) -> None:
        """Rule out that ``variables`` all have ``values``: one of them is less or more.

        A clause and no forbidden assignment, with which the presolve of OR-Tools 9.15 may end the process.
        """
        sides = ((v, low, high) for v, a in zip(variables, values, strict=True) for low, high in self._beside(a))
        self.model.add_bool_or([self._literal(*side) for side in sides])

    def _beside(self, value: int) -> list[tuple[int, int]]:
        return [(low, high) for low, high in ((0, value - 1), (value + 1, self.last)) if low <= high]

    def _literal(self, variable: int, low: int, high: int) -> Any:
        """A literal that takes a variable between the two: the same for all boards that are ruled out."""
        key = variable, low, high
        if key not in self._within:
            self._within[key] = self.model.new_bool_var("")
            self.model.add_linear_constraint(self.variables[variable], low, high).only_enforce_if(self._within[key])
        return self._within[key]
