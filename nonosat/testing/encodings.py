"""Checks of rules and integer encodings: their models are all solutions, and no others; they have certificates."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pysat.solvers import Solver

from nonosat.certificates.booleans import literals
from nonosat.certificates.certify import certify
from nonosat.certificates.quantities import UndefinedMeaningError
from nonosat.certificates.statement import statement_of
from nonosat.certificates.steps import VERSIONS, Steps
from nonosat.csp.build import Builder, Relation
from nonosat.csp.model import CSP, Clauses, Column, Interval, Ints, at_least, at_most, ints, outside
from nonosat.encodings import dimacs
from nonosat.encodings.cnf import TRUE
from nonosat.encodings.formula import Disjunctions, Formula
from nonosat.encodings.parts import Integers, Part
from nonosat.encodings.registry import KINDS, Encoding, encoding
from nonosat.errors import NonosatError, UnsupportedError
from nonosat.puzzles.drawing import puzzle_text
from nonosat.puzzles.puzzle import Board, Puzzle, given_board, is_solution, kind_of
from nonosat.rng import Rng
from nonosat.testing.brute import samples, solutions, values_of

# The boards of a formula's models, found without the project's own search.


SOLVER = "minisat22"


def boards(formula: Formula) -> list[npt.NDArray[np.uint8]]:
    """The boards of all models, each once. AssertionError: one that was ruled out comes again."""
    found: list[npt.NDArray[np.uint8]] = []
    seen: set[bytes] = set()
    with Solver(SOLVER, bootstrap_with=list(formula.cnf)) as solver:
        while solver.solve():
            cells = formula.cells(solver.get_model())
            assert cells.tobytes() not in seen, f"a board that was ruled out comes again:\n{cells}"
            seen.add(cells.tobytes())
            found.append(cells)
            clause = formula.block(cells)
            solver.add_clause(clause)
            if not clause:
                break
    return found


# Checks that puzzles have certificates: an encoding says what its Booleans mean, and its clauses follow from that.


def checks(name: str, kind: str, puzzles: Sequence[Puzzle], what: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """That of the encoding ``name`` of a kind of puzzle with a statement, if it states puzzles exactly.

    ``what``: who makes the Booleans that have no other meaning.
    """
    parts = encoding(name, kind)
    if parts.sound and parts.complete and kind_of(parts.kind).has("statement"):
        yield f"{name}: certificates", partial(certified, name, puzzles, what)


def certified(name: str, puzzles: Sequence[Puzzle], what: str) -> None:
    """All Booleans have a meaning; a certificate of each puzzle is accepted, and says what brute force does."""
    for puzzle in puzzles:
        meanings_complete(name, puzzle, what)
        try:
            made = certify(puzzle, encoding=name)
        except NonosatError as error:
            raise AssertionError(f"{name} has no certificate of {puzzle}: {error}") from None
        wanted = solutions(puzzle)
        assert made.claim is not None
        found = made.claim.solutions, made.claim.complete
        assert found == (min(len(wanted), 2), len(wanted) < 2), f"{name}: {made.claim} are certified of {puzzle}"
        assert set(made.answer.pictures) <= wanted, f"{name}: another board is certified of {puzzle}"


def meanings_complete(name: str, puzzle: Puzzle, what: str) -> None:
    """All Booleans of the encoding have a meaning."""
    steps = Steps(VERSIONS[0], 0, lambda line: None)
    try:
        literals(encoding(name, puzzle.kind).formula(puzzle), statement_of(puzzle), steps, name)
    except UndefinedMeaningError as error:
        raise AssertionError(f"{what} without a meaning: {error}") from None


# A debugger for encodings: which clause does not follow from the statement of a puzzle, or what is lost of that.


def follows(name: str, puzzles: Sequence[Puzzle] = (), kind: str = "") -> None:
    """AssertionError: the encoding ``name`` does not say what the puzzle's statement says, where, and on which board.

    ``puzzles``: small ones to try besides our samples, those with the fewest cells first. ``kind``: of
    puzzles, if several have parts of these names. An encoding that calls itself
    unsound may lose something, one that is not complete may say more. Of one that does not say what its Booleans mean
    nothing is known, and the test passes. UnsupportedError: the kind of puzzle has no statement.
    """
    from nonosat.certificates.equivalence import equivalent  # machine code

    parts = encoding(name, kind)
    if not kind_of(parts.kind).has("statement"):
        raise UnsupportedError(f"the puzzle {parts.kind} has no pseudo-Boolean statement: {name} follows from nothing")
    own = [*samples(parts.kind), *(puzzle for puzzle in puzzles if puzzle.kind == parts.kind)]
    assert own, "no puzzles to test with: give some to follows(name, puzzles)"
    for puzzle in sorted(own, key=lambda puzzle: puzzle.shape[0] * puzzle.shape[1]):
        try:
            found = equivalent(puzzle, parts).difference
        except UndefinedMeaningError:
            return
        if found is None or not (parts.sound if found.lost else parts.complete):
            continue
        if found.lost and found.board is not None and is_solution(puzzle, found.board):
            continue  # not as the statement has it, and right all the same
        board = "" if found.board is None else f"\n{found.about_board}:\n{found.board}"
        raise AssertionError(f"{name}: {found}\nof this puzzle:\n{puzzle_text(puzzle)}{board}")


# What unit propagation achieves in an encoding: how much of a board it fixes by itself.


Cell = tuple[int, int, int]
"""Row, column, value."""


def propagated_cells(name: str | Encoding, puzzle: Puzzle, known: Iterable[Cell] = ()) -> set[Cell] | None:
    """The cells whose value unit propagation knows, given those of ``known``; None: it finds a contradiction.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> sorted(propagated_cells("tight+r3+order", Nonogram.from_lengths([[2]], [[1], [1]])))
    [(0, 0, 1), (0, 1, 1)]
    """
    parts = encoding(name, puzzle.kind) if isinstance(name, str) else name
    formula = parts.formula(puzzle)
    if formula.cnf.has_empty_clause:
        return None
    values = values_of(puzzle)
    units = [[literal] for cell in known for literal in is_value(formula, cell)]
    if (true := propagated([*formula.cnf, *units])) is None:
        return None
    found = set()
    for row, column in np.ndindex(puzzle.shape):
        left = [v for v in values if not any(literal in true for literal in is_not(formula, (row, column, v)))]
        if len(left) == 1:
            found.add((row, column, left[0]))
    return found


def propagated(clauses: list[list[int]]) -> set[int] | None:
    """The literals that unit propagation makes true; None: it finds a contradiction.

    >>> propagated([[1], [-1, 2], [3, 4]])
    {1, 2}
    """
    true: set[int] = set()
    news = True
    while news:
        news, left = False, []
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            open_literals = [literal for literal in clause if -literal not in true]
            if not open_literals:
                return None
            if len(open_literals) == 1:
                true.add(open_literals[0])
                news = True
            else:
                left.append(open_literals)
        clauses = left
    return true


def is_not(formula: Formula, cell: Cell) -> list[int]:
    """The clause that a cell has another value."""
    row, column, value = cell
    variable = formula.board[row, column].reshape(1)
    return formula.map.differ(variable, np.array([value], dtype=np.int32))


def is_value(formula: Formula, cell: Cell) -> list[int]:
    """The literals that together say that a cell has a value."""
    return [-literal for literal in is_not(formula, cell)]


def at_least_as_strong(one: str, other: str, puzzles: Sequence[Puzzle], seed: int = 0, trials: int = 5) -> None:
    """AssertionError: where some cells are known, unit propagation fixes less in the encoding ``one``.

    ``trials``: so many sets of cells are tried for each puzzle, of one of its solutions, or of none if it has none.
    """
    stream = Rng(seed)
    for puzzle in puzzles:
        cells = list(np.ndindex(puzzle.shape))
        solved = sorted(solutions(puzzle), key=str)
        given = given_board(puzzle, still_open=-1)
        for _ in range(trials):
            board = solved[stream.below(len(solved))].cells if solved else np.array(given)
            chosen = [cells[at] for at in stream.shuffled(len(cells))[: stream.below(len(cells) + 1)]]
            known = [(r, c, int(board[r, c])) for r, c in chosen if int(board[r, c]) >= 0]
            stronger, weaker = (propagated_cells(name, puzzle, known) for name in (one, other))
            if stronger is None:
                continue
            assert weaker is not None, f"{other} finds the contradiction of {known}, {one} does not: {puzzle}"
            assert stronger >= weaker, f"with {known}, {one} does not fix {sorted(weaker - stronger)}: {puzzle}"


RANDOM_CSPS = 60


def checks_of_integers(record: Integers) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of an integer encoding: on random CSPs, and with the default rules of every kind that has samples."""
    yield "each value is one assignment", partial(values_distinct, record)
    yield "columns, differ and decode agree", partial(promises, record)
    yield "the models of random CSPs are all their solutions", partial(random_csps, record)
    for kind in KINDS.values():
        if own := samples(kind.name):
            rules = encoding(kind.default, kind.name).rules
            name = f"{rules}+{record.name}"
            yield f"{name}: all models are all solutions", partial(exact, name, own)
            if kind_of(kind.name).has("statement"):
                yield f"{name}: clauses and statement follow from each other", partial(follows, name, (), kind.name)
            yield from checks(name, kind.name, own, f"integer encoding {record.name} makes Booleans")


def checks_of_rule(part: Part, puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of a rule: with every choice of the kind's own sound parts in the other slots of its form."""
    own = [*samples(part.kind), *(puzzle for puzzle in puzzles if puzzle.kind == part.kind)]
    kind = KINDS[part.kind]
    form = next(form for form in kind.forms if part.slot in form)
    choices = [
        [part.name]
        if slot == part.slot
        else [other.name for other in kind.parts if other.slot == slot and other.sound and other.complete]
        for slot in form
    ]
    for words in product(*choices):
        name = "+".join((*words, encoding(kind.default, kind.name).integers))
        yield f"{name}: models and solutions", partial(exact, name, own)
        if kind_of(part.kind).has("statement"):
            yield f"{name}: clauses and statement follow from each other", partial(follows, name, puzzles, part.kind)
        yield from checks(name, part.kind, own, f"part {part.name} makes auxiliaries")


def exact(name: str, puzzles: Sequence[Puzzle]) -> None:
    """The boards of all models are the solutions: all if the encoding is complete, and no others if it is sound."""
    assert puzzles, "no puzzles to test with: give some to battery(parts, puzzles)"
    parts = encoding(name, puzzles[0].kind)
    for puzzle in puzzles:
        formula = parts.formula(puzzle)
        found: set[Board] = set() if formula.cnf.has_empty_clause else {puzzle.picture(b) for b in boards(formula)}
        wanted = solutions(puzzle)
        if parts.complete:
            assert found >= wanted, f"{name} shuts out solutions of {puzzle}:\n{min(map(str, wanted - found))}"
        if parts.sound:
            more = "\n".join(map(str, found - wanted))
            assert found <= wanted, f"{name} lets boards through that do not solve {puzzle}:\n{more}"
        decoded(name, puzzle)


def decoded(name: str, puzzle: Puzzle) -> None:
    """What a DIMACS file's comments say decodes a model like the formula itself."""
    formula = encoding(name, puzzle.kind).formula(puzzle)
    if formula.cnf.has_empty_clause:
        return
    read = dimacs.read("".join(dimacs.write(formula, name, "{}"))).formula
    with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
        if solver.solve():
            model = solver.get_model()
            assert np.array_equal(formula.cells(model), read.cells(model)), f"{name}: decoded differently from a file"


def values_distinct(record: Integers) -> None:
    """With the literals of ``v = a`` unit propagation finds no contradiction, and what is decoded is a."""
    for low, high in ((0, 0), (0, 1), (3, 4), (-2, 2), (1, 8), (5, 11)):
        model = Builder()
        model.integer("v", low, high)
        formula = record.make(model.csp())
        variable = np.zeros(1, dtype=np.int32)
        with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
            for value in range(low, high + 1):
                clause = formula.map.differ(variable, np.array([value], dtype=np.int32))
                consistent, _ = solver.propagate(assumptions=[-literal for literal in clause])
                assert consistent, f"{record.name}: {value} in {low}..{high} is contradicted"
                assert solver.solve(assumptions=[-literal for literal in clause])
                [found] = formula.values(solver.get_model(), variable).tolist()
                assert found == value, f"{record.name}: {value} in {low}..{high} is decoded as {found}"
                assert low == high or clause, f"{record.name}: {value} in {low}..{high} cannot be ruled out"


def promises(record: Integers) -> None:
    """What the map of a variable says of itself, method by method."""
    for low, high in ((0, 0), (0, 1), (3, 4), (-2, 2), (-3, 4), (1, 8), (5, 11)):
        wrong = broken_promise(record, low, high)
        assert wrong is None, f"{record.name}: {wrong}, for a variable in {low}..{high}"


def broken_promise(record: Integers, low: int, high: int) -> str | None:
    """The method of the map that is wrong for a variable in ``low..high``, and how; None: no method is."""
    model = Builder()
    model.integer("v", low, high)
    formula = record.make(model.csp())
    name, about, one = type(formula.map).__name__, formula.map, np.zeros(1, dtype=np.int32)
    seen: dict[int, npt.NDArray[np.bool_]] = {}
    for true in assignments(formula):
        [value] = about.decode(true, one).tolist()
        if value in seen or not low <= value <= high:
            what = f"two assignments for {value}" if value in seen else f"the value {value}"
            return f"{name}.axioms or {name}.decode: {what}"
        seen[value] = true
    if len(seen) < high - low + 1:
        return f"{name}.axioms: no assignment for {min({*range(low, high + 1)} - {*seen})}"
    for value, true in seen.items():
        for column, text in columns_of(low, high):
            if _true(about.columns(column), true) != bool(column.truth(np.array([value], dtype=np.int32))[0]):
                return f"{name}.columns: {text} is {_true(about.columns(column), true)} of v = {value}"
        for other in range(low, high + 1):
            clause = about.differ(one, np.array([other], dtype=np.int32))
            if any(true[abs(literal)] == (literal > 0) for literal in clause) != (other != value):
                return f"{name}.differ: v != {other} is {other == value} of v = {value}"
    return None


def assignments(formula: Formula) -> Iterator[npt.NDArray[np.bool_]]:
    """All assignments to the Booleans of a formula's map that are part of a model."""
    own = list(range(1, formula.map.booleans + 1))
    with Solver("minisat22", bootstrap_with=list(formula.cnf)) as solver:
        while solver.solve():
            true = np.zeros(max(formula.cnf.variables, len(own)) + 1, dtype=bool)
            true[[literal for literal in solver.get_model() if 0 < literal < len(true)]] = True
            yield true
            if not own:
                return
            solver.add_clause([-boolean if true[boolean] else boolean for boolean in own])


def columns_of(low: int, high: int) -> Iterator[tuple[Column, str]]:
    """All comparisons of a variable in ``low..high``, and intervals that it is outside, each with its words."""
    for bound in range(low - 1, high + 2):
        yield at_most([0], [bound]), f"v <= {bound}"
        yield at_least([0], [bound]), f"v >= {bound}"
        for end in range(bound, high + 2):
            yield outside(ints([0]), ints([bound]), ints([end])), f"v outside {bound}..{end}"


def _true(columns: Sequence[Ints | Disjunctions], true: npt.NDArray[np.bool_]) -> bool:
    """Whether the first entry is true: one of the columns, of which each part has a true literal."""
    for part in columns:
        every = [part] if isinstance(part, np.ndarray) else np.split(part.literals, part.ends)[: len(part.entry)]
        if all(any(x == TRUE or (x != -TRUE and true[abs(x)] == (x > 0)) for x in one.tolist()) for one in every):
            return True
    return False


def random_csps(record: Integers) -> None:
    """Linear constraints, all-different and clauses over a few variables: models and solutions are the same."""
    for seed in range(RANDOM_CSPS):
        case = random_csp(Rng(seed))
        if difference(record, case) is not None:
            raise AssertionError(blamed(record, smallest(case, lambda other: difference(record, other) is not None)))


def difference(record: Integers, case: SmallCsp) -> str | None:
    """How the models of a CSP's formula differ from its solutions; None: they do not."""
    csp = case.csp()
    domains = [range(low, high + 1) for low, high in case.domains]
    wanted = {values for values in product(*domains) if csp.holds(np.array(values, dtype=np.int32))}
    found: set[tuple[int, ...]] = set()
    try:
        formula = record.make(csp)
        board = formula.board.reshape(-1)
        with Solver("minisat22", bootstrap_with=[clause for clause in formula.cnf if clause]) as solver:
            while not formula.cnf.has_empty_clause and solver.solve():
                values = formula.values(solver.get_model(), board)
                if tuple(values.tolist()) in found:
                    return f"the solution {tuple(values.tolist())} comes again after it was ruled out"
                found.add(tuple(values.tolist()))
                clause = formula.map.differ(board, values)
                solver.add_clause(clause)
                if not clause:
                    break
    except Exception as error:  # whatever it is, it is reported with the CSP
        [*_, last] = traceback.extract_tb(error.__traceback__)
        return f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}, {last.name}: {error}"
    if found == wanted:
        return None
    other, what = (min(found - wanted), "a model") if found - wanted else (min(wanted - found), "a solution")
    missing = f"{other} is {what}, and no {'solution' if what == 'a model' else 'model'}"
    return f"{len(found)} models, {len(wanted)} solutions: {missing}"


def blamed(record: Integers, case: SmallCsp) -> str:
    """What is wrong with an encoding in the domains of a CSP that shows it, or that its map is not to blame."""
    text = difference(record, case)
    fault = None
    try:
        for low, high in dict.fromkeys(case.domains):
            fault = fault or broken_promise(record, low, high)
    except Exception as error:  # what is raised for one variable alone
        fault = f"{type(error).__name__}: {error}"
    if fault is None:
        make = getattr(record.make, "__name__", "its function")
        fault = f"its map is right for each of these variables: what is wrong is {make}, or nonosat's own expand.py"
    return f"{record.name}: {fault}; in this CSP {text}:\n{case}"


Entry = tuple[int, int, int, bool]
"""A variable is from low to high (beyond the domain: no bound); or is not, where the last is set."""


@dataclass(frozen=True)
class SmallCsp:
    """``domains``; ``sums``: (terms, relation, bound); ``different``: groups; ``clauses``: of entries.

    ``ragged``: the entries of clauses are one column, and not a column each.
    """

    domains: tuple[tuple[int, int], ...]
    sums: tuple[tuple[tuple[tuple[int, int], ...], Relation, int], ...] = ()
    different: tuple[tuple[int, ...], ...] = ()
    clauses: tuple[tuple[Entry, ...], ...] = ()
    ragged: bool = False

    def csp(self) -> CSP:
        """The CSP, all of whose variables are on the board."""
        model = Builder()
        for at, (low, high) in enumerate(self.domains):
            model.integer(f"v{at}", low, high)
        for terms, relation, bound in self.sums:
            model.linear(terms, relation, bound)
        for group in self.different:
            model.all_different(group)
        csp = model.csp()
        families = [self._family(clause) for clause in self.clauses]
        return replace(csp, constraints=(*csp.constraints, *families))

    def _family(self, clause: tuple[Entry, ...]) -> Clauses:
        rows = np.zeros(1, dtype=np.int32)
        columns: list[Column] = [self._column((entry,), rows if self.ragged else None) for entry in clause]
        if self.ragged:  # those of one sort are one column
            sorts: dict[int, list[Entry]] = {}
            for entry in clause:
                sorts.setdefault(self._sort(entry), []).append(entry)
            columns = [self._column(some, np.zeros(len(some), dtype=np.int32)) for some in sorts.values()]
        return Clauses(tuple(columns), 1)

    def _sort(self, entry: Entry) -> int:
        variable, low, high, negated = entry
        domain = self.domains[variable]
        return 2 + negated if negated or (low > domain[0] and high < domain[1]) else int(high >= domain[1])

    def _column(self, entries: Sequence[Entry], rows: Ints | None) -> Column:
        variables, low, high = (ints([entry[at] for entry in entries]) for at in range(3))
        sort = self._sort(entries[0])
        if sort > 1:
            return Interval(variables, low, high, outside=sort == 3, rows=rows)
        return at_least(variables, low, rows) if sort else at_most(variables, high, rows)

    def __str__(self) -> str:
        lines = [f"v{at} in {low}..{high}" for at, (low, high) in enumerate(self.domains)]
        for terms, relation, bound in self.sums:
            lines.append(f"{' + '.join(f'{c} v{v}' for c, v in terms) or '0'} {relation} {bound}")
        lines += [f"all different: {', '.join(f'v{v}' for v in group)}" for group in self.different]
        for clause in self.clauses:
            words = [f"v{v} {'not ' if negated else ''}in {low}..{high}" for v, low, high, negated in clause]
            lines.append(" or ".join(words) + ("  (as one ragged column of each sort)" if self.ragged else ""))
        return "\n".join(lines)

    def smaller(self) -> Iterator[SmallCsp]:
        """The same with one thing less: a constraint, a part of one, a variable that none is about, a value."""
        for field in ("sums", "different", "clauses"):
            every = getattr(self, field)
            for at in range(len(every)):
                yield replace(self, **{field: every[:at] + every[at + 1 :]})
        for at, (terms, *bound) in enumerate(self.sums):
            for k in range(len(terms)):
                fewer: Any = ((*terms[:k], *terms[k + 1 :]), *bound)
                yield replace(self, sums=(*self.sums[:at], fewer, *self.sums[at + 1 :]))
        for field in ("different", "clauses"):
            every = getattr(self, field)
            for at, one in enumerate(every):
                for k in range(len(one)):
                    less: Any = (*every[:at], one[:k] + one[k + 1 :], *every[at + 1 :])
                    yield replace(self, **{field: less})
        if self.ragged:
            yield replace(self, ragged=False)
        last = len(self.domains) - 1
        if last and last not in self._used():
            yield replace(self, domains=self.domains[:-1])
        for at, (low, high) in enumerate(self.domains):
            for domain in ((low + 1, high), (low, high - 1)) if low < high else ():
                yield replace(self, domains=(*self.domains[:at], domain, *self.domains[at + 1 :]))

    def _used(self) -> set[int]:
        used = [entry[0] for clause in self.clauses for entry in clause]
        used += [variable for group in self.different for variable in group]
        return {*used, *(variable for terms, *_ in self.sums for _, variable in terms)}


def smallest(case: SmallCsp, fails: Callable[[SmallCsp], bool]) -> SmallCsp:
    """A CSP that fails, of which nothing can be left out."""
    found: SmallCsp | None = case
    while found is not None:
        case, found = found, next((other for other in found.smaller() if fails(other)), None)
    return case


def random_csp(stream: Rng) -> SmallCsp:
    """Two to four variables with domains of up to six values, and up to four constraints, some of them long clauses."""
    count = 2 + stream.below(3)
    lows = [stream.below(6) - 3 for _ in range(count)]
    domains = tuple((low, low + stream.below(6)) for low in lows)
    sums, different, clauses = [], [], []
    for _ in range(stream.below(4) + 1):
        chosen = stream.shuffled(count)[: 1 + stream.below(count)]
        what = stream.below(4)
        if what == 0:
            terms = tuple((stream.below(5) - 2, variable) for variable in chosen)
            relation: Relation = ("<=", ">=", "=")[stream.below(3)]
            sums.append((terms, relation, stream.below(9) - 3))
        elif what == 1:
            different.append(tuple(chosen))
        else:
            clause: list[Entry] = []
            for variable in (*chosen, *stream.shuffled(count))[: 1 + stream.below(6)]:
                low, high = domains[variable]
                ends = sorted((low - 1 + stream.below(high - low + 3), low - 1 + stream.below(high - low + 3)))
                below, above = (low - 1, ends[1]), (ends[0], high + 1)
                least, most = (below, above, ends)[stream.below(3)]
                clause.append((variable, least, most, stream.below(3) == 0))
            clauses.append(tuple(clause))
    return SmallCsp(domains, tuple(sums), tuple(different), tuple(clauses), bool(stream.below(2)))
