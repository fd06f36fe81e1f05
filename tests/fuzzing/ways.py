"""The ways to ask for solutions, and what they say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from fuzzing import proofs, xml
from fuzzing.cases import Case, PlainCsp, PlainFormula, PlainModel, PlainProof, SugarText
from nonosat.counting.count import COUNTERS, backbone, count, sample
from nonosat.csp.statement import Problem
from nonosat.csp.sugar import read_statement
from nonosat.csp.sugar.writing import sugar as sugar_of
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import ALL_DIFFERENT, AT_MOST_ONE, LINEAR, WAYS
from nonosat.encodings.parts import INTEGERS as MADE
from nonosat.encodings.registry import KINDS, PARTS, encoding
from nonosat.errors import NonosatError, SolverError, UnsupportedError
from nonosat.explanations.explain import explain, fault
from nonosat.explanations.steps import GUESS
from nonosat.modelling import xcsp3
from nonosat.modelling.solve import request_of
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.runs.events import Event, Finished, Found, Statistics, Stopped, Verdict
from nonosat.runs.isolation import isolated
from nonosat.runs.limits import Limits
from nonosat.solvers import registry
from nonosat.solvers import solve as csp_solve
from nonosat.solvers.auto import nonogram, presolve
from nonosat.solvers.auto import search as auto
from nonosat.solvers.formulas import whole
from nonosat.solvers.propagation import decimation, greedy
from nonosat.solvers.sat import search as sat
from nonosat.solvers.sat.session import names
from nonosat.solvers.solve import solve

FORMULA, SOLVE, SUGAR, LINES = "formula", "solve", "sugar", "lines"
"""Through what a way goes: a formula made once for all SAT solvers, the function for users, Sugar's language; of a
proof, line by line."""
CHECKER = "checker"
"""The checker of certificates in both of its modes, whose judgement of a proof is held against brute force."""
COUNTS, STEPS = "count", "steps"
"""Ways that find no boards: a counter's number and the cells that all solutions share; an explanation, step by step."""
TEXT, BEST = "text", "best"
"""Of a model: written in a language and read back, with brute force for a solver; its best solution."""
DRAWS = 9
"""How many solutions are drawn."""

LIMIT_S = 60.0

INTEGERS = tuple(name for name, part in PARTS.items() if part.slot == "integers")


class Question(NamedTuple):
    """At most ``count`` solutions (None: all of them); ``unique``: is there one alone?"""

    count: int | None
    unique: bool = False

    @property
    def at_most(self) -> int | None:
        """How many are looked for."""
        return None if self.count is None else max(self.count, 2) if self.unique else self.count

    def __str__(self) -> str:
        return "unique" if self.unique else "all" if self.count is None else f"at most {self.count}"


LARGE = "large"
"""Of a model with large numbers: its best solution."""
ADDERS = ("log+adder", "order<=6,log+adder", "direct<=4,log+adder", "support<=5,log+adder", "log+adder+channel")
"""Encodings of large numbers."""

FIRST, ALL, UNIQUE = Question(1), Question(None), Question(1, unique=True)


class Way(NamedTuple):
    """``constants``: of ``auto``, set to make parts of it work that small boards do not reach.

    ``limited``: in a process of its own, by a time limit.
    """

    solver: str
    encoding: str = ""
    through: str = SOLVE
    constants: tuple[tuple[str, int], ...] = ()
    limited: bool = False

    def __str__(self) -> str:
        name = self.solver + (f" on {self.encoding}" if self.encoding else "")
        if self.constants:
            name += " [" + " ".join(f"{key}={value}" for key, value in self.constants) + "]"
        return name + (f" by {self.through}" if self.through != FORMULA else "") + (" limited" if self.limited else "")


@dataclass
class Said:
    """What a way said: ``boards`` in the order they came; ``unique`` where it was told.

    ``solutions``: how many it counted. ``shared``: the value of each cell that all solutions share, -1 elsewhere.

    ``complaint``: (sort, text) of what is wrong whatever is true.
    """

    boards: list[bytes] = field(default_factory=list)
    exhausted: bool = False
    unique: bool | None = None
    solutions: int | None = None
    shared: list[int] | None = None
    complaint: tuple[str, str] | None = None


class Formulas:
    """The formula of a case in the encoding that was asked for last: one for all solvers."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.name: str | None = None
        self.formula: Any = None
        self.csp: Any = case.csp() if isinstance(case, PlainCsp | PlainModel | SugarText) else None

    def get(self, name: str) -> Formula:
        """In the encoding ``name`` (an integer encoding of a CSP; nothing for a formula)."""
        if self.name != name:
            case = self.case
            if isinstance(case, PlainFormula):
                self.formula = case.formula()
            elif isinstance(case, Nonogram | Skyscrapers):
                self.formula = encoding(name).formula(case)
            else:
                self.formula = MADE.named(name).make(self.csp)
            self.name = name
        made: Formula = self.formula
        return made


def ask(case: Case, way: Way, question: Question, formulas: Formulas) -> Said:
    """What ``way`` says to ``question``. An exception is what it says, too; a lost process is not caught here."""
    try:
        if isinstance(case, PlainProof):
            return Said(complaint=proofs.fault(case))
        if way.through == COUNTS and isinstance(case, Nonogram | Skyscrapers):
            return _by_counting(case, way)
        if way.through == STEPS and isinstance(case, Nonogram | Skyscrapers):
            return _by_explaining(case)
        if isinstance(case, PlainModel) and way.through == TEXT:
            return _by_text(case, way)
        if isinstance(case, PlainModel) and way.through == BEST:
            return _by_optimum(case, way)
        with _set(way.constants):
            if way.through == FORMULA:
                return _by_formula(case, way, question, formulas)
            if isinstance(case, Nonogram | Skyscrapers):
                return _by_solve(case, way, question)
            return _by_solve_csp(case, way, question)
    except SolverError as error:
        return Said(complaint=("failure", f"SolverError: {error}"))
    except NonosatError as error:
        return Said(complaint=("refused", f"{type(error).__name__}: {error}"))
    except Exception as error:
        return Said(complaint=(f"exception {type(error).__name__}", f"{type(error).__name__}: {error}"))


@contextmanager
def _set(constants: tuple[tuple[str, int], ...]) -> Iterator[None]:
    """Few attempts of the decimation, and the ``constants`` of ``auto``."""
    wanted = [*constants, ("ATTEMPTS", 20)]
    parts = (auto, nonogram, presolve, decimation, greedy)
    homes = [next(part for part in parts if hasattr(part, name)) for name, _ in wanted]
    before = [(home, name, getattr(home, name)) for home, (name, _) in zip(homes, wanted, strict=True)]
    for home, (name, value) in zip(homes, wanted, strict=True):
        setattr(home, name, value)
    try:
        yield
    finally:
        for module, name, old in before:
            setattr(module, name, old)


def _by_formula(case: Case, way: Way, question: Question, formulas: Formulas) -> Said:
    solver = registry.solver(way.solver)
    if solver.of_csp is not None:
        return _heard(solver.of_csp(formulas.csp, "", question.at_most, solver), formulas.csp)
    formula = formulas.get(way.encoding)
    if way.limited:
        about = formula, Statistics(), question.at_most, solver
        return _heard(isolated(sat.solved, about, Limits(LIMIT_S), preload=("nonosat.solvers.sat.search",)))
    if isinstance(case, Nonogram | Skyscrapers | PlainFormula):
        return _heard(sat.solved(formula, Statistics(), question.at_most, solver))
    return _heard(sat.solved(whole(formulas.csp, formula), Statistics(), question.at_most, solver), formulas.csp)


def _heard(events: Iterator[Event], csp: Any = None) -> Said:
    """The events of a search, told; of a CSP's models the values of the board."""
    said = Said()
    for event in events:
        if isinstance(event, Found):
            if csp is None:
                said.boards.append(np.asarray(event.cells, dtype=np.uint8).tobytes())
            else:
                values = np.asarray(event.cells, dtype=np.int64)
                said.boards.append(values[csp.board.reshape(-1)].tobytes())
                if not csp.holds(values):
                    said.complaint = ("wrong board", f"the values {values.tolist()} break the CSP")
        elif isinstance(event, Finished):
            said.exhausted = event.exhausted
            said.complaint = said.complaint or _miscounted(event.statistics)
            return said
        elif isinstance(event, Stopped):
            said.complaint = (str(event.verdict), event.reason)
            return said
    said.complaint = ("verdict", "the search ended without a verdict")
    return said


def _miscounted(statistics: Statistics) -> tuple[str, str] | None:
    below = [f"{name} = {value}" for name, value in vars(statistics).items() if value is not None and value < 0]
    return ("counter", ", ".join(below)) if below else None


def _by_solve(puzzle: Nonogram | Skyscrapers, way: Way, question: Question) -> Said:
    answer = solve(
        puzzle,
        solver=way.solver,
        encoding=way.encoding or None,
        count=question.count,
        unique=question.unique,
        time_limit_s=LIMIT_S if way.limited else None,
    )
    said = Said([board.cells.tobytes() for board in answer.pictures], answer.exhausted, answer.unique)
    said.complaint = _verdict(answer, bool(said.boards), registry.solver(way.solver).complete)
    if said.complaint is None and (answer.unique is None) != (len(said.boards) < 2 and not answer.exhausted):
        said.complaint = ("unique", f"unique={answer.unique}, {len(said.boards)} boards, {answer.exhausted=}")
    return said


def _by_solve_csp(case: Any, way: Way, question: Question) -> Said:
    csp = csp_of(case, way)
    answer = csp_solve.solve_csp(
        csp,
        solver=way.solver,
        count=question.at_most,
        time_limit_s=LIMIT_S if way.limited else None,
        **({"integers": way.encoding} if way.encoding else {}),
    )
    boards = [np.array(list(values.values()), dtype=np.int64).tobytes() for values in answer.solutions]
    return Said(boards, answer.exhausted, None, _verdict(answer, bool(boards), True))


def csp_of(case: Any, way: Way) -> Any:
    """The CSP that ``way`` solves: said in Sugar's language and read again, or as it is."""
    from nonosat.csp import sugar

    return sugar.read(case.sugar()) if way.through == SUGAR else case.csp()


def _by_text(case: PlainModel, way: Way) -> Said:
    """All solutions of what is read, by brute force; of a model that the language has not, those of the model."""
    statement, read = case.statement, Problem()
    if way.solver == "xcsp3":
        text = xml.instance(case)
        if text is None:
            return Said()
        xcsp3.read(text, read)
    else:
        try:
            text = sugar_of(statement)
        except UnsupportedError:
            return Said()
        read_statement(text, read)
    order = [read.names().index(name) for name in statement.names()]
    mine = sorted(range(len(order)), key=lambda variable: order[variable])
    said = Said(exhausted=True)
    for values in case.assignments():
        if read.holds([values[variable] for variable in mine]):
            said.boards.append(np.array(values, dtype=np.int64).tobytes())
    domains = [read.domains[place] for place in order]
    if [np.array(d).tolist() for d in domains] != [np.array(d).tolist() for d in statement.domains]:
        said.complaint = ("domains", str(domains))
    return said


def _by_optimum(case: PlainModel, way: Way) -> Said:
    encoded = {"encoding": way.encoding} if way.encoding else {}
    answer = request_of(case.statement, solver=way.solver, **encoded).solved()
    said = Said([np.array(answer.solution.values, dtype=np.int64).tobytes()] if answer.solution else [])
    right = Verdict.UNSAT if case.best is None else Verdict.SAT
    if answer.verdict is not right or answer.objective != case.best or (said.boards and answer.optimal is not True):
        said.complaint = ("not the best", f"{answer}, and {case.best} is the best")
    elif answer.bound != case.best and said.boards:
        said.complaint = ("bound", f"{answer.bound}, and {case.best} is the best")
    return said


def _by_counting(puzzle: Nonogram | Skyscrapers, way: Way) -> Said:
    if way.solver == "backbone":
        found: Any = backbone(puzzle, encoding=way.encoding or None)
        said = Said(solutions=found.solutions)
        if found.verdict == Verdict.SAT and found.cells is not None:
            said.shared = found.cells.reshape(-1).tolist()
    elif way.solver == "sample":
        found = sample(puzzle, DRAWS, seed=1)
        said = Said(boards=list({board.cells.tobytes() for board in found.boards}), solutions=found.solutions)
    else:
        found = count(puzzle, counter=way.solver, encoding=way.encoding or None)
        said = Said(solutions=found.solutions)
    right = Verdict.UNSAT if said.solutions == 0 else Verdict.SAT
    if found.verdict not in (right, Verdict.UNSAT) or found.stopped is not None:
        said.complaint = (str(found.stopped or found.verdict), f"{found.verdict}, {found.solutions}: {found.reason}")
    return said


def _by_explaining(puzzle: Nonogram | Skyscrapers) -> Said:
    """Each step is checked by code that shares nothing with what finds steps; the last one ends in a solution.

    What is fixed before the first guess is what all solutions share: where they are known it is held against them.
    """
    cells = np.full(puzzle.shape, -1)
    shared, certain, last = None, True, None
    for row, column, value in puzzle.given:
        cells[row, column] = value
    for step in explain(puzzle):
        if (wrong := fault(puzzle, step)) is not None:
            return Said(complaint=("wrong step", f"{step.technique}: {step.sentence} {wrong}"))
        if step.technique == GUESS and certain:
            shared, certain = cells.reshape(-1).tolist(), False
        for row, column, values in step.fixes:
            cells[row, column] = values[0] if len(values) == 1 else cells[row, column]
        last = step
    if certain and last is not None and not last.fixes:
        return Said(exhausted=True)  # it is shown that there is no solution
    if (cells < 0).any():
        return Said(complaint=("stuck", f"the explanation ends with {int((cells < 0).sum())} open cells"))
    board = cells.astype(np.uint8).tobytes()
    return Said(boards=[board], exhausted=certain, shared=shared)


def _verdict(answer: Any, some: bool, complete: bool) -> tuple[str, str] | None:
    """What is wrong with a verdict by itself."""
    right = {Verdict.SAT} if some else {Verdict.UNSAT} if answer.exhausted else {Verdict.UNKNOWN}
    told = f"{answer.verdict}, stopped={answer.stopped}: {answer.reason}"
    if answer.verdict not in right or answer.stopped is not None:
        return str(answer.stopped or answer.verdict), told
    if answer.verdict is Verdict.UNKNOWN and complete:
        return "UNKNOWN", told
    return _miscounted(answer.statistics)


def is_complete(way: Way) -> bool:
    """Whether it must find all there is."""
    if way.solver == CHECKER or way.through in (COUNTS, STEPS, TEXT, BEST):
        return False
    return registry.solver(way.solver).complete


# Which there are.


def switched(name: str) -> tuple[str, ...]:
    """The solver ``name`` with all its switches in all combinations, but for numbers."""
    switches = registry.solvers()[name].switches
    words = [("", *switch.words) for switch in switches if not any(word.endswith("=") for word in switch.words)]
    return tuple("+".join((name, *filter(None, chosen))) for chosen in product(*words))


AUTO = (
    (),
    (("WORK", 0), ("ROOT", 0), ("UPDATES", 0), ("EARLY", 0)),
    (
        ("WORK", 0),
        ("ROOT", 0),
        ("PIECE", 3),
        ("UPDATES", 1),
        ("TRIES", 1),
        ("EARLY", 0),
        ("CONFLICTS", 1),
        ("SECOND", 0),
    ),
    (
        ("WORK", 0),
        ("ROOT", 0),
        ("PIECE", 3),
        ("UPDATES", 2),
        ("TRIES", 0),
        ("EARLY", 1),
        ("CONFLICTS", 1),
        ("PAIRS", 5),
    ),
    (
        ("WORK", 0),
        ("ROOT", 0),
        ("UPDATES", 0),
        ("EARLY", 0),
        ("TRIES", 3),
        ("LEAST", 0),
        ("DEPTHS", 2),
        ("BUDGET", 0),
        ("CONFLICTS", 0),
    ),
    (
        ("WORK", 0),
        ("ROOT", 0),
        ("UPDATES", 0),
        ("EARLY", 0),
        ("TRIES", 9),
        ("LEAST", 1),
        ("DEPTHS", 3),
        ("BUDGET", 1),
        ("CONFLICTS", 1),
    ),
    (("WORK", 1), ("ROOT", 1), ("PIECE", 3), ("UPDATES", 500), ("EARLY", 5), ("BOARDS", 3), ("EACH", 2), ("FIRST", 0)),
    (("WORK", 0), ("ROOT", 1), ("PIECE", 1), ("UPDATES", 500), ("EARLY", 500), ("BOARDS", 0), ("SECOND", 1)),
    (("WORK", 1), ("ROOT", 2), ("PIECE", 2), ("UPDATES", 3), ("EARLY", 3), ("CONFLICTS", 0), ("SECOND", 500)),
    (("WORK", 9), ("ROOT", 9), ("PIECE", 2), ("UPDATES", 3), ("DEAD_ENDS", 2), ("FIRST", 0), ("FEW", 0), ("SECOND", 0)),
    (("WORK", 9), ("ROOT", 0), ("PIECE", 1), ("EARLY", 0), ("DEAD_ENDS", 1), ("FIRST", 0), ("FEW", 0)),
    (("WORK", 9), ("ROOT", 0), ("PIECE", 1), ("EARLY", 0), ("FEW_DEAD_ENDS", 1), ("FIRST", 0), ("GREEDY", 1)),
    (("WORK", 0), ("ROOT", 0), ("PIECE", 2), ("UPDATES", 500), ("EARLY", 500), ("EACH", 8), ("SECOND", 500)),
    (("WORK", 1), ("ROOT", 9), ("PIECE", 2), ("EARLY", 500), ("EACH", 1), ("SECOND", 1), ("AGAIN", 20)),
)
QUICK = (
    (("FRESH", 1),),
    (("FRESH", 1), ("QUICK", 0), ("WORK", 0), ("ROOT", 0), ("UPDATES", 1), ("CONFLICTS", 1)),
    (("FRESH", 1), ("QUICK", 1), ("BOARDS", 1)),
)


OPTIMIZERS = ("cadical153", "minisat22", "glucose4", "minicard", "kissat404")


def composed(rng: np.random.Generator) -> str:
    """An encoding of several, or with ways of its own to state things, or both."""
    names = [str(name) for name in rng.choice(INTEGERS, int(rng.integers(1, 4)))]
    limits = np.cumsum(rng.integers(1, 5, len(names) - 1)).tolist()
    first = ",".join([*(f"{name}<={limit}" for name, limit in zip(names[:-1], limits, strict=True)), names[-1]])
    slots = [ALL_DIFFERENT, LINEAR] + [AT_MOST_ONE] * any(name in ("direct", "support") for name in names)
    ways = [str(rng.choice([name for name, part in WAYS.items() if part.slot == slot])) for slot in slots]
    return "+".join([first, *ways])


@cache
def ways_of(kind: str) -> dict[str, tuple[Way, ...]]:
    """All ways for cases of ``kind``, by families."""
    engines = tuple(names())
    if kind == "formula":
        return {"SAT": tuple(Way(name, "", FORMULA) for name in engines)}
    if kind == "proof":
        return {CHECKER: (Way(CHECKER, through=LINES),)}
    if kind == "csp":
        pairs = tuple(product(engines, INTEGERS))
        return {
            "SAT": tuple(Way(name, integers, FORMULA) for name, integers in pairs),
            "SAT by solve": tuple(Way(name, integers, SOLVE) for name, integers in pairs),
            "SAT by sugar": tuple(Way(name, integers, SUGAR) for name, integers in pairs),
            "cpsat": (Way("cpsat"), Way("cpsat", through=SUGAR)),
        }
    if kind == "model":
        return {
            "SAT": tuple(Way(name, "order", FORMULA) for name in engines),
            "cpsat": (Way("cpsat", through=FORMULA),),
            TEXT: (Way("sugar", through=TEXT), Way("xcsp3", through=TEXT)),
            BEST: (
                Way("cpsat", through=BEST),
                *(Way(name, coded, BEST) for name in OPTIMIZERS for coded in (*INTEGERS, "log+adder", "order<=4,log")),
            ),
            LARGE: tuple(Way(name, coded, BEST) for name in OPTIMIZERS for coded in ADDERS),
        }
    rules = dict.fromkeys(encoding(name).rules for name in KINDS[kind].tested)
    families = {
        "SAT": tuple(Way(name, coded, FORMULA) for coded in KINDS[kind].tested for name in engines),
        "SAT by solve": tuple(Way(name, coded) for coded in KINDS[kind].tested for name in engines),
        "cpsat": tuple(Way("cpsat", coded) for coded in rules),
        "auto": tuple(Way("auto", constants=constants) for constants in (*AUTO, *QUICK)),
        "certified": tuple(Way("certified", coded) for coded in KINDS[kind].tested if encoding(coded).complete),
        "certified-auto": (Way("certified-auto"),),
    }
    for name in ("backbone", "ganak"):
        families[name] = tuple(Way(name, coded, COUNTS) for coded in KINDS[kind].tested if encoding(coded).complete)
    families["explain"] = (Way("explain", through=STEPS),)
    if kind == "nonogram":
        families["count"] = tuple(Way(name, through=COUNTS) for name in (*COUNTERS[:3], "sample"))
        families["cpsat-automaton"] = (Way("cpsat-automaton"),)
    for solver in registry.NATIVE:
        if solver.kind == kind:
            families[solver.name] = tuple(Way(name) for name in switched(solver.name))
    return families


def family_of(kind: str, way: Way) -> str:
    """The family of ``way``."""
    if way.through == FORMULA:
        return "cpsat" if way.solver == "cpsat" else "SAT"
    if way.solver == CHECKER:
        return CHECKER
    if way.through in (TEXT, BEST):
        return way.through
    if way.through in (COUNTS, STEPS):
        return way.solver if way.encoding or way.through == STEPS else "count"
    solver = registry.solver(way.solver)
    if solver.name.startswith("certified"):
        return solver.name
    if solver.family == "SAT":
        return f"SAT by {way.through}"
    return solver.name.partition("+")[0]
