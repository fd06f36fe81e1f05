"""What is fuzzed: puzzles of the package, and CSPs and formulas as plain data, which shrink and can be written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fuzzing.models import PlainModel
from nonosat.csp import sugar
from nonosat.csp.build import Builder
from nonosat.csp.model import CSP, Block, Clauses, Column, Precedes, at_least, at_most, ints, outside, within
from nonosat.encodings.cnf import CNF
from nonosat.encodings.formula import Formula
from nonosat.encodings.order import OrderMap
from nonosat.puzzles.formats import dumps, load
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import fault
from nonosat.puzzles.skyscrapers import Skyscrapers

_COLUMNS = {"<=": at_most, ">=": at_least, "in": within, "out": outside}


@dataclass(frozen=True)
class PlainCsp:
    """A CSP as data. ``domains``: (low, high) for each variable; a constraint is one of

    - ``("linear", ((coefficient, variable), ...), relation, bound)``
    - ``("different", (variable, ...))``
    - ``("clause", ((variable, "<=" or ">=", bound) or (variable, "in" or "out", low, high), ...))``
    - ``("precedes", variable, distance, variable)``
    """

    domains: tuple[tuple[int, int], ...]
    constraints: tuple[tuple[Any, ...], ...]

    kind: ClassVar[str] = "csp"

    def csp(self) -> CSP:
        """In the package's families: clauses of one shape are one family, and so are all precedences."""
        model = Builder()
        for number, (low, high) in enumerate(self.domains):
            model.integer(f"v{number}", low, high)
        shapes: dict[tuple[str, ...], list[Any]] = {}
        precedences = []
        for what, *about in self.constraints:
            if what == "linear":
                model.linear(*about)
            elif what == "different":
                model.all_different(about[0])
            elif what == "precedes":
                precedences.append(about)
            elif not about[0]:
                model.clause()
            else:
                shapes.setdefault(tuple(entry[1] for entry in about[0]), []).append(about[0])
        csp = model.csp()
        more: list[Any] = []
        for shape, clauses in shapes.items():
            columns: list[Column] = []
            for place, relation in enumerate(shape):
                entries = [clause[place] for clause in clauses]
                bounds = [ints([entry[i] for entry in entries]) for i in range(2, len(entries[0]))]
                columns.append(_COLUMNS[relation](ints([entry[0] for entry in entries]), *bounds))
            more.append(Clauses(tuple(columns)))
        if precedences:
            more.append(Precedes(*(ints(column) for column in zip(*precedences, strict=True))))
        return CSP(csp.lower, csp.upper, (*csp.constraints, *more), csp.board, csp.blocks)

    def sugar(self) -> str:
        """The same in Sugar's language."""
        lines = [f"(int v{number} {low} {high})" for number, (low, high) in enumerate(self.domains)]
        for what, *about in self.constraints:
            if what == "linear":
                terms = " ".join(f"(* {a} v{v})" for a, v in about[0])
                lines.append(f"({about[1]} {f'(+ {terms})' if terms else '0'} {about[2]})")
            elif what == "different":
                if len(about[0]) > 1:
                    lines.append(f"(alldifferent {' '.join(f'v{v}' for v in about[0])})")
            elif what == "precedes":
                lines.append(f"(<= (+ v{about[0]} {about[1]}) v{about[2]})")
            else:
                entries = [_entry_in_sugar(*entry) for entry in about[0]]
                lines.append(f"(or {' '.join(entries)})" if entries else "false")
        return "\n".join(lines) + "\n"


def _entry_in_sugar(variable: int, relation: str, low: int, high: int | None = None) -> str:
    if high is None:
        return f"({relation} v{variable} {low})"
    inside = f"(and (>= v{variable} {low}) (<= v{variable} {high}))"
    return inside if relation == "in" else f"(not {inside})"


@dataclass(frozen=True)
class SugarText:
    """A CSP that is a text in Sugar's language."""

    text: str

    kind: ClassVar[str] = "csp"

    def csp(self) -> CSP:
        """As the package reads it."""
        return sugar.read(self.text)

    def sugar(self) -> str:
        """The text."""
        return self.text


@dataclass(frozen=True)
class PlainFormula:
    """A CNF as data: ``clauses`` of literals over the variables 1 to ``variables``."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]

    kind: ClassVar[str] = "formula"

    def formula(self) -> Formula:
        """With a map by which variable v is a cell, 0 where it is true: as those of a black-and-white puzzle."""
        literals = np.array([literal for clause in self.clauses for literal in clause], dtype=np.int32)
        ends = np.cumsum([len(clause) for clause in self.clauses], dtype=np.int64)
        zeros = np.zeros(self.variables, dtype=np.int32)
        board = np.arange(self.variables, dtype=np.int32).reshape(1, -1)
        blocks = (Block("x", 0, np.arange(1, self.variables + 1, dtype=np.int32).reshape(-1, 1)),)
        return Formula(CNF(self.variables, literals, ends), OrderMap.of(zeros, zeros + 1), board, blocks)


@dataclass(frozen=True)
class PlainProof:
    """The lines of a pseudo-Boolean statement and of a proof, right or wrong ones, for the checker of certificates."""

    statement: tuple[str, ...]
    proof: tuple[str, ...]

    kind: ClassVar[str] = "proof"


Case = Nonogram | Skyscrapers | PlainCsp | PlainModel | SugarText | PlainFormula | PlainProof


def wrong(case: Case, board: bytes) -> str | None:
    """Why ``board`` (uint8 cells of a puzzle or a formula, int64 values of a CSP's board) is no solution, or None.

    Of a CSP whose board is not all of it nothing is known here: that it holds was seen where it was found.
    """
    if isinstance(case, Nonogram | Skyscrapers):
        cells = np.frombuffer(board, dtype=np.uint8)
        if cells.size != case.shape[0] * case.shape[1]:
            return f"{cells.size} cells"
        try:
            found = fault(case, case.picture(cells.reshape(case.shape)))
        except ValueError as error:
            return str(error)
        return None if found is None else str(found)
    if isinstance(case, PlainFormula):
        true = {v if value == 0 else -v for v, value in enumerate(board, 1)}
        return next((f"the clause {clause} is false" for clause in case.clauses if not true & set(clause)), None)
    if isinstance(case, PlainProof):
        return None  # what is found are models of the statement, by brute force
    values = np.frombuffer(board, dtype=np.int64)
    if isinstance(case, PlainModel):
        broken = case.statement.broken(values)
        return None if broken is None else f"it breaks {broken}"
    csp = case.csp()
    return None if len(values) < len(csp) or csp.holds(values) else "a constraint does not hold"


def size_of(case: Case) -> tuple[int, ...]:
    """How large ``case`` is, the most important first: what a smaller one has less of."""
    if isinstance(case, Nonogram):
        runs = [run for clue in (*case.rows, *case.columns) for run in clue]
        lengths, colours = sum(run.length for run in runs), sum(run.colour for run in runs)
        return case.height * case.width, len(runs) + len(case.given), lengths, case.colours, colours
    if isinstance(case, Skyscrapers):
        return case.size, sum(clue > 0 for clue in case.clues) + len(case.given), sum(case.clues)
    if isinstance(case, PlainCsp):
        width = sum(high - low for low, high in case.domains)
        return len(case.constraints), len(case.domains), len(repr(case.constraints)), width
    if isinstance(case, PlainModel):
        text = repr((case.constraints, case.goal))
        return bool(case.goal) + len(case.constraints), text.count("("), len(text), len(repr(case.domains))
    if isinstance(case, PlainFormula):
        return len(case.clauses), sum(map(len, case.clauses)), case.variables
    if isinstance(case, PlainProof):
        lines = case.statement + case.proof
        return len(lines), sum(len(line.split()) for line in lines), sum(map(len, lines))
    return (len(case.text),)


# Files, as tests/regressions/README.md tells of them.


def written(case: Case, why: str) -> tuple[str, str]:
    """The suffix and the text of a file of ``case``, with one line of ``why``."""
    why = " ".join(why.split())
    if isinstance(case, Nonogram | Skyscrapers):
        fields = {name: getattr(case, name) for name in _fields(case)}
        return ".json", dumps(type(case)(**{**fields, "title": why, "goal": None}), "json")
    if isinstance(case, PlainModel):
        parts = {"title": why, "model": case.domains, "constraints": case.constraints, "goal": case.goal}
        return ".json", json.dumps(parts, indent=None) + "\n"
    if isinstance(case, PlainCsp):
        lines = ",\n    ".join(json.dumps(constraint) for constraint in case.constraints)
        constraints = f"[\n    {lines}\n  ]" if lines else "[]"
        domains = json.dumps(case.domains)
        why = json.dumps(why)
        return ".json", f'{{\n  "title": {why},\n  "domains": {domains},\n  "constraints": {constraints}\n}}\n'
    if isinstance(case, SugarText):
        return ".csp", f"; {why}\n{case.text}"
    if isinstance(case, PlainProof):
        return ".proof", "\n".join([f"* {why}", *case.statement, _BETWEEN, *case.proof]) + "\n"
    clauses = "".join(" ".join(map(str, (*clause, 0))) + "\n" for clause in case.clauses)
    return ".cnf", f"c {why}\np cnf {case.variables} {len(case.clauses)}\n{clauses}"


_BETWEEN = "* the proof:"


def _fields(case: Nonogram | Skyscrapers) -> tuple[str, ...]:
    names = ("rows", "columns", "given", "palette") if isinstance(case, Nonogram) else ()
    return names or ("top", "bottom", "left", "right", "given")


def read(path: Path) -> tuple[Case, str]:
    """The case in a file of tests/regressions, and why it is there."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csp":
        return SugarText(text), text.partition("\n")[0].removeprefix(";").strip()
    if path.suffix == ".proof":
        lines = text.splitlines()
        at = lines.index(_BETWEEN)
        return PlainProof(tuple(lines[1:at]), tuple(lines[at + 1 :])), lines[0].removeprefix("*").strip()
    if path.suffix == ".cnf":
        lines = [line for line in text.splitlines() if not line.startswith("c")]
        numbers = [int(word) for line in lines[1:] for word in line.split()]
        clauses: list[tuple[int, ...]] = []
        begun: list[int] = []
        for number in numbers:
            if number:
                begun.append(number)
            else:
                clauses.append(tuple(begun))
                begun = []
        why = text.partition("\n")[0].removeprefix("c").strip()
        return PlainFormula(int(lines[0].split()[2]), tuple(clauses)), why
    if '"model"' in text:
        data = json.loads(text)
        return PlainModel(*(_tuples(data[key]) for key in ("model", "constraints", "goal"))), data["title"]
    if '"domains"' in text:
        data = json.loads(text)
        domains, constraints = (_tuples(data[key]) for key in ("domains", "constraints"))
        return PlainCsp(domains, constraints), data["title"]
    puzzle: Any = load(path)
    return puzzle, puzzle.title


def _tuples(data: Any) -> Any:
    return tuple(map(_tuples, data)) if isinstance(data, list) else data
