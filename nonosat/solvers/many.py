"""Many puzzles at once: on all cores, answers in order, and none lost for what another one does."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike
from queue import SimpleQueue
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from nonosat.errors import NonosatError, UnsupportedError, check_count, wrong_type
from nonosat.puzzles.puzzle import Puzzle, PuzzleOrFile, puzzle_kind
from nonosat.runs.events import NOTHING_SPENT, Answer, Event, Finished, Progress, Stopped, Values, Verdict, changed
from nonosat.runs.limits import Limits
from nonosat.runs.run import limits_of, run
from nonosat.runs.solver import Solver
from nonosat.solvers.registry import default_for
from nonosat.solvers.registry import solver as solver_named
from nonosat.solvers.solve import request_of

if TYPE_CHECKING:
    from nonosat.encodings.registry import Encoding
    from nonosat.runs.isolation import Stop

AHEAD = 512
"""Puzzles that are taken beyond the one whose answer is waited for."""
MOST, SHORT_S, LONG_S = 256, 0.1, 0.5
"""Puzzles that a process gets at a time: twice as many, up to ``MOST``, after it was done in ``SHORT_S``; else half."""
TELL_S = 0.02
"""Seconds of work whose answers are sent together: a message costs more than an easy puzzle."""


def solve_many(
    puzzles: Iterable[PuzzleOrFile],
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver | None = None,
    count: int | None = 1,
    unique: bool = False,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    jobs: int | None = None,
) -> Iterator[Answer]:
    """Solve ``puzzles`` (or those in files of these names), ``jobs`` at a time (None: a core each): answers in order.

    All else is as in ``solve``; limits are for each puzzle. What is wrong with one puzzle (a file that cannot be read,
    a kind that the solver is not for, a solver that ends its process) is shown by the verdict and the ``reason`` of its
    answer, and the others go on. Puzzles are taken as they are needed, ``AHEAD`` of the answers at most. Ctrl-C, or
    closing the iterator, ends all that is at work; answers that were given before are whole. Linux; elsewhere it is
    one puzzle after the other, in this process.

    >>> from nonosat import random_density
    >>> boards = [random_density(5, 5, 0.5, seed) for seed in range(3)]
    >>> [str(answer.verdict) for answer in solve_many(boards, jobs=1)]
    ['SAT', 'SAT', 'SAT']
    """
    chosen = solver_named(default_for(encoding) if solver is None else solver)
    check_count(count, "picture")
    if jobs is not None and jobs < 1:
        raise UnsupportedError(f"jobs is {jobs}: at least one puzzle must be solved at a time")
    try:
        puzzles = iter(puzzles)
    except TypeError:
        raise wrong_type("a list of puzzles", puzzles) from None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    limits = {"time_limit_s": time_limit_s, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}
    options = {"encoding": encoding, "solver": chosen, "count": count, "unique": unique, **limits}
    isolated = limits_of(chosen, time_limit_s, memory_limit_mb, cpu_limit_s) is not None
    jobs = cores if jobs is None else jobs
    if jobs == 1:
        return (answered(puzzle, options) for puzzle in puzzles)
    return Crew(puzzles, options, isolated, jobs).answers()


def answered(puzzle: PuzzleOrFile, options: dict[str, Any], stop: Stop | None = None) -> Answer:
    """The answer of ``solve``. A puzzle that is refused, or cannot be read, has one too.

    ``stop`` ends a run with limits from another thread.
    """
    try:
        return request_of(puzzle, **options).solved(stop=stop)
    except UnsupportedError as error:
        verdict, reason = Verdict.UNSUPPORTED, str(error)
    except NonosatError as error:
        verdict, reason = Verdict.ERROR, str(error)
    return Answer(verdict, solver=options["solver"].name, reason=reason, puzzle=_given(puzzle))


def _sent(puzzle: object) -> bytes | None:
    """``puzzle`` for another process; None: it cannot go there, or is neither a puzzle nor the name of a file."""
    try:
        if not isinstance(puzzle, str | PathLike):
            puzzle_kind(puzzle)
            if type(puzzle).__module__ == "__main__":  # which is another module there
                return None
        return pickle.dumps(puzzle, protocol=5)
    except (NonosatError, pickle.PicklingError, AttributeError, TypeError):
        return None


def _given(puzzle: Any) -> Puzzle | None:
    try:
        puzzle_kind(puzzle)
    except NonosatError:  # the name of a file, or something that is no puzzle
        return None
    given: Puzzle = puzzle
    return given


def batch(puzzles: list[bytes], options: dict[str, Any], one_by_one: bool) -> Iterator[Event]:
    """A search whose values are the answers to ``puzzles``, in their order, without the puzzles that were sent."""
    answers: list[Answer] = []
    begin = perf_counter()
    yield Progress("solving")
    for sent in puzzles:
        puzzle = pickle.loads(sent)
        answer = answered(puzzle, options)
        answers.append(answer if _given(puzzle) is None else changed(answer, puzzle=None))
        if one_by_one or perf_counter() - begin > TELL_S:
            yield Values(answers)
            yield Progress("solving")  # with it the answers are sent, before the next puzzle may end the process
            begin, answers = perf_counter(), []
    yield Values(answers)
    yield Finished(True, NOTHING_SPENT)


class Task(NamedTuple):
    """A puzzle and its number. ``sent``: what another process gets; None: it gets none, or the puzzle as it is."""

    number: int
    puzzle: Any
    sent: bytes | None = None


class Crew:
    """Threads that each have a process at work, and the answers that are there already."""

    def __init__(self, puzzles: Iterable[Any], options: dict[str, Any], isolated: bool, jobs: int) -> None:
        self.puzzles, self.options, self.isolated, self.jobs = enumerate(puzzles), options, isolated, jobs
        self.lock, self.room = threading.Lock(), threading.Semaphore(AHEAD)
        self.out: SimpleQueue[tuple[int, Answer] | BaseException | None] = SimpleQueue()
        self.ending = False
        self.stops: list[Stop] = []

    def answers(self) -> Iterator[Answer]:
        """All answers, in order."""
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(self.jobs)]
        waiting: dict[int, Answer] = {}
        at, working = 0, len(threads)
        try:
            for thread in threads:
                thread.start()
            while working or at in waiting:
                while at in waiting:
                    yield waiting.pop(at)
                    at += 1
                    self.room.release()
                if working:
                    item = self.out.get()
                    if isinstance(item, BaseException):
                        raise item
                    if item is None:
                        working -= 1
                    else:
                        waiting[item[0]] = item[1]
        finally:
            self.end(threads)

    def end(self, threads: list[threading.Thread]) -> None:
        """End all that is at work."""
        with self.lock:
            self.ending = True
            stops, self.stops = self.stops, []
        self.room.release(self.jobs * MOST)
        for stop in stops:
            stop.now()
        for thread in threads:
            if thread.ident is not None:
                thread.join()

    def taken(self, most: int) -> list[Task]:
        """The next puzzles; none: there is no more to do."""
        self.room.acquire()
        with self.lock:
            found = [] if self.ending else list(islice(self.puzzles, 1))
            while found and len(found) < most and self.room.acquire(blocking=False):
                found += (more := list(islice(self.puzzles, 1)))
                if not more:
                    break
            return [Task(number, puzzle) for number, puzzle in found]

    def work(self) -> None:
        """Until there is no more to do."""
        size = 1
        try:
            while chunk := self.taken(1 if self.isolated else size):
                begin = perf_counter()
                self.solve(chunk)
                took = perf_counter() - begin
                size = min(MOST, size * 2) if took < SHORT_S else max(1, size // 2) if took > LONG_S else size
        except BaseException as error:
            self.out.put(error)
        self.out.put(None)

    def solve(self, chunk: list[Task]) -> None:
        """Answer the puzzles of a chunk; a process that dies takes the one with it that it was at."""
        from nonosat.runs.isolation import Stop

        one_by_one = False
        if not self.isolated:  # what cannot go to the other process is answered, or refused, in this one
            chunk = [task._replace(sent=_sent(task.puzzle)) for task in chunk]
            for task in chunk:
                if task.sent is None:
                    self.out.put((task.number, answered(task.puzzle, self.options)))
            chunk = [task for task in chunk if task.sent is not None]
        while chunk and not self.ending:
            stop = Stop()
            with self.lock:
                if self.ending:
                    return
                self.stops.append(stop)
            left = self.in_own_process(chunk, stop) if self.isolated else self.in_one_process(chunk, stop, one_by_one)
            chunk, one_by_one = left, True
            with self.lock:
                if stop in self.stops:
                    self.stops.remove(stop)

    def in_own_process(self, chunk: list[Task], stop: Stop) -> list[Task]:
        """Answer the first puzzle of a chunk, in a process of its own, and leave the others."""
        self.out.put((chunk[0].number, answered(chunk[0].puzzle, self.options, stop)))
        return chunk[1:]

    def in_one_process(self, chunk: list[Task], stop: Stop, one_by_one: bool) -> list[Task]:
        """Answer puzzles one after the other; the process may die with one, which leaves those without an answer.

        If they are sent ``one_by_one``, it is known with which one, and that one is answered, too.
        """
        solver, done, reason = self.options["solver"], 0, "the process ended without a word"
        arguments = [task.sent for task in chunk], self.options, one_by_one
        for event in run(batch, arguments, Limits(), (solver.module,), stop):
            match event:
                case Values(answers):
                    for task, answer in zip(chunk[done:], answers, strict=False):
                        self.out.put((task.number, changed(answer, puzzle=_given(task.puzzle) or answer.puzzle)))
                    done += len(answers)
                case Stopped():
                    reason = f"{event.reason}"
        if one_by_one and done < len(chunk) and not self.ending:
            number, puzzle, _ = chunk[done]
            self.out.put((number, Answer(Verdict.CRASH, solver=solver.name, reason=reason, puzzle=_given(puzzle))))
            done += 1
        return chunk[done:]
