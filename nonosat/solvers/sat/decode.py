"""A puzzle's formula for other programs, and the models that they find, decoded and checked like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from os import PathLike
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import CSP
from nonosat.encodings import dimacs
from nonosat.encodings.cnf import CNF
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding, encoding_of
from nonosat.errors import FormatError, UnsupportedError
from nonosat.files import read_text, shown, written
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.puzzle import Puzzle, PuzzleOrFile, puzzle_from
from nonosat.runs.events import Answer, Conclusion, Statistics, Verdict
from nonosat.solvers.judgement import Judgement, judged, missed

_MAX_BYTES = 2**33  # formulas are larger than puzzles
_BLAMED = "the solver is wrong, or its output is not whole"
_SHOWN = 12
"""Literals of a clause that messages show."""


C = TypeVar("C", bound=Conclusion[Any])


def decode_output(cnf_path: str, output_path: str) -> Answer:
    """The answer in a solver's output for a CNF file that nonosat wrote of a puzzle.

    The model is checked twice: against the clauses of the file, then as a picture against the clues. One that fails has
    the verdict WRONG, and the reason says whose fault it is: a clause that the model breaks is the solver's (no picture
    is given then); a wrong picture of a model that satisfies all clauses is the encoding's. Variables that the model
    leaves out count as false. UNSAT is the solver's word; where a solution comes with the puzzle it is WRONG.
    """
    read = read_files(cnf_path, output_path)
    puzzle = _puzzle(read.written, cnf_path)
    statistics = Statistics(variables=read.formula.cnf.variables, clauses=read.formula.cnf.clauses)
    answer = Answer(
        Verdict.UNKNOWN, solver="external", encoding=read.written.encoding, puzzle=puzzle, statistics=statistics
    )
    if read.output.satisfiable is False and (denied := missed(puzzle, ())) is not None:
        return replace(answer, verdict=Verdict.WRONG, reason=denied)
    return read.concluded(answer, lambda: judged(puzzle, read.formula.cells(read.output.literals)))


@dataclass(frozen=True)
class FormulaAndOutput:
    """A CNF file that nonosat wrote, and what a solver printed for it."""

    path: str
    text: str
    written: dimacs.Dimacs
    output: dimacs.Output

    @property
    def formula(self) -> Formula:
        """The formula in the file."""
        return self.written.formula

    def concluded(self, answer: C, judge: Callable[[], Judgement[Any]]) -> C:
        """``answer`` with what the output says; ``judge`` decodes and checks a model that breaks no clause."""
        if self.output.satisfiable is None:
            return replace(answer, reason="the solver gave no verdict")
        if not self.output.satisfiable:
            return replace(answer, verdict=Verdict.UNSAT, exhausted=True, reason="the solver's word, not proved")
        place = partial(_place, self.text, self.path)
        broken = _broken_clause(self.formula.cnf, self.output.literals, place)
        return _concluded(answer, broken, judge, f", or {shown(self.path)} was changed")


def read_files(cnf_path: str, output_path: str) -> FormulaAndOutput:
    """Both files. FormatError: one of them is not of its format, or they do not fit together."""
    text = read_text(cnf_path, _MAX_BYTES)
    try:
        written = dimacs.read(text)
    except FormatError as error:
        raise error.at(cnf_path) from None
    output = _read_output(output_path, cnf_path, written.formula.cnf.variables)
    return FormulaAndOutput(cnf_path, text, written, output)


def _concluded(answer: C, broken: str | None, judge: Callable[[], Judgement[Any]], otherwise: str = "") -> C:
    """``answer`` with a model's solution; ``broken``: what of the formula it breaks; ``otherwise``: who may err."""
    if broken is not None:
        return replace(answer, verdict=Verdict.WRONG, reason=f"{_BLAMED}: {broken}")
    solution, wrong, _ = judge()
    if solution is None or wrong is not None:
        unsound = f"the model satisfies every clause, so the encoding is wrong{otherwise}"
        return replace(answer, verdict=Verdict.WRONG, rejected=solution, reason=f"{unsound}: {wrong}")
    return replace(answer, verdict=Verdict.SAT, found=(solution,))


def _puzzle(written: dimacs.Dimacs, path: str) -> Puzzle:
    """The puzzle in a file's comments."""
    try:
        if not written.puzzle.startswith("{"):
            raise FormatError(
                "the formula of a model: name the model's file by --model FILE, so that it can be checked"
            )
        [puzzle] = loads(written.puzzle, "json", source="c puzzle")
        if written.formula.board.shape != puzzle.shape:
            raise FormatError("the board in the comments is not of the puzzle's size")
    except FormatError as error:
        raise error.at(path) from None
    return puzzle


def _read_output(path: str, cnf_path: str, variables: int) -> dimacs.Output:
    """The solver's output."""
    text = read_text(path, _MAX_BYTES)
    try:
        output = dimacs.read_output(text)
        if dimacs.beyond(output.literals, variables):
            raise FormatError(f"the model has variables beyond the {variables} of {cnf_path}")
        if output.satisfiable and not len(output.literals):
            raise FormatError("the solver says SATISFIABLE and gives no model ('v' lines)")
    except FormatError as error:
        raise error.at(path) from None
    return output


def _broken_clause(cnf: CNF, model: npt.NDArray[np.int64], place: Callable[[int], str]) -> str | None:
    """The first clause that the ``model`` breaks, with its ``place``, or None."""
    true = np.zeros(cnf.variables + 1, dtype=bool)
    true[model[model > 0]] = True
    if (clause := cnf.first_false(true)) is None:
        return None
    return f"the model breaks clause {clause + 1}{place(clause)}: {_format_clause(cnf.clause(clause), model)}"


def _place(text: str, path: str, clause: int) -> str:
    """Where a clause is in a file, in brackets."""
    return f" ({shown(path)}:{dimacs.line_of(text, clause)})"


def _format_clause(clause: list[int], model: npt.NDArray[np.int64]) -> str:
    """A clause that the model breaks, for people: ``1 -2 0``, and how many of its variables the model leaves out."""
    literals = [*map(str, clause[:_SHOWN]), *["..."] * (len(clause) > _SHOWN), "0"]
    left_out = len({abs(literal) for literal in clause} - set(np.abs(model).tolist()))
    return " ".join(literals) + (
        f", whose {left_out} variables that the model leaves out are false" if left_out else ""
    )


# A puzzle as a formula, from Python.


@dataclass(frozen=True, eq=False, repr=False)
class EncodedPuzzle:
    """The formula of ``puzzle`` by ``encoding``, to be written, to be solved by any program, and to be decoded.

    ``list(...)`` has the clauses, each a list of literals; ``cnf`` has them as arrays.
    """

    puzzle: Puzzle
    encoding: Encoding
    formula: Formula

    @property
    def cnf(self) -> CNF:
        """The clauses as two arrays."""
        return self.formula.cnf

    @property
    def variables(self) -> int:
        """How many Booleans there are; the board's cells come first, row by row."""
        return self.cnf.variables

    @property
    def clauses(self) -> int:
        """How many clauses there are."""
        return self.cnf.clauses

    @cached_property
    def csp(self) -> CSP:
        """The CSP that the clauses were made of."""
        return self.encoding.csp(self.puzzle)

    def __iter__(self) -> Iterator[list[int]]:
        """The clauses as lists of literals, such as ``bootstrap_with`` of python-sat's solvers takes."""
        return iter(self.cnf)

    def __len__(self) -> int:
        return self.cnf.clauses

    def __repr__(self) -> str:
        return f"<EncodedPuzzle {self.encoding.name} of {self.puzzle!r}: {self._size}>"

    @property
    def _size(self) -> str:
        return f"{self.variables:,} variables, {self.clauses:,} clauses"

    def to_dimacs(self, path: str | PathLike[str] | None = None) -> str:
        """DIMACS CNF, as ``nonosat encode`` writes it: its comments decode a model; written to ``path``, if given.

        ``c p show`` names the Booleans of the cells: a counter that counts these alone counts solutions.
        ``.gz``, ``.xz``, ``.zst`` pack, ``-`` is standard output. NonosatError: the file cannot be written.
        """
        return written(path, self.pieces())

    def to_wcnf(self, path: str | PathLike[str] | None = None, soft: Iterable[tuple[int, Sequence[int]]] = ()) -> str:
        """WCNF (of 2022) for MaxSAT solvers: every clause is hard; ``soft`` are pairs of a weight and a clause.

        UnsupportedError: a weight below 1, or a literal that is not of the formula.
        """
        return written(path, self.pieces("wcnf", soft))

    def to_opb(self, path: str | PathLike[str] | None = None) -> str:
        """The clauses as pseudo-Boolean constraints (OPB), ``x7`` for variable 7.

        What the puzzle itself means, without an encoding, is written by ``nonosat.save(puzzle, "FILE.opb")``.
        """
        return written(path, self.pieces("opb"))

    def pieces(
        self, form: Literal["cnf", "wcnf", "opb"] = "cnf", soft: Iterable[tuple[int, Sequence[int]]] = ()
    ) -> Iterator[str]:
        """The text of a format piece by piece, for formulas that are too large for one string."""
        if form == "cnf":
            return dimacs.write(self.formula, self.encoding.name, dumps([self.puzzle], "json"))
        if form == "opb":
            return dimacs.opb(self.cnf, self._head("*"))
        wanted = [(weight, list(clause)) for weight, clause in soft]
        for weight, clause in wanted:
            if weight < 1 or any(not 1 <= abs(literal) <= self.variables for literal in clause):
                raise UnsupportedError(f"soft clause {clause}, weight {weight}: weights and variables are from 1 on")
        return dimacs.wcnf(self.cnf, self._head("c"), wanted)

    def _head(self, comment: str) -> str:
        return f"{comment} nonosat: {self.encoding.name} of a puzzle {self.puzzle.kind}, {self._size}\n"

    def decode(self, model: Iterable[int] | str) -> Answer:
        """The checked answer of a model: its literals, or what a solver printed.

        Literals stand in any order; variables that a model leaves out count as false.

        A model that breaks a clause has the verdict WRONG, and so has one whose picture breaks the puzzle's clues.
        UnsupportedError: this is no model of the formula's variables.

        >>> from nonosat.puzzles.nonogram import Nonogram
        >>> formula = encode(Nonogram.from_lengths([[1], []], [[], [1]]))
        >>> str(formula.decode([1, 2, 3, 4]).verdict)
        'WRONG'
        """
        if isinstance(model, str):
            output = dimacs.read_output(model)
            if not output.satisfiable:
                raise UnsupportedError("the output says nothing of a solution")
            model = output.literals.tolist()
        literals = literals_of(model, self.variables)
        about = Statistics(variables=self.variables, clauses=self.clauses)
        answer = Answer(
            Verdict.UNKNOWN, solver="external", encoding=self.encoding.name, puzzle=self.puzzle, statistics=about
        )
        broken = _broken_clause(self.cnf, literals, lambda clause: "")
        return _concluded(answer, broken, lambda: judged(self.puzzle, self.formula.cells(literals)))


def literals_of(model: Any, variables: int) -> npt.NDArray[np.int64]:
    """The literals of a model of so many ``variables``. UnsupportedError: it is none, or None, as solvers say it."""
    if model is None:
        raise UnsupportedError("None is no model: the solver has found none")
    try:
        literals = np.array([*model])
    except TypeError:
        raise UnsupportedError(f"{model!r:.60} is no model: expected literals such as [1, -2, 3]") from None
    if literals.ndim != 1 or (len(literals) and literals.dtype.kind not in "iu"):
        raise UnsupportedError("a model is a list of whole numbers, such as [1, -2, 3]")
    literals = literals.astype(np.int64)
    if dimacs.beyond(literals, variables) or not literals.all():
        raise UnsupportedError(f"a model's variables are 1 to {variables}, this one has others")
    if len(np.intersect1d(literals[literals > 0], -literals[literals < 0])):
        raise UnsupportedError("the model has a variable both true and false")
    return literals


def encode(puzzle: PuzzleOrFile, encoding: str | Encoding | None = None) -> EncodedPuzzle:
    """The formula of ``puzzle`` (or that in the file of this name) by ``encoding`` (None: the default of its kind).

    UnsupportedError: an encoding that is for another kind of puzzle.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> formula = encode(Nonogram.from_lengths([[1], [2]], [[2], [1]]), "tight+r3+order")
    >>> formula
    <EncodedPuzzle tight+r3+order of <Nonogram 2x2>: 6 variables, 12 clauses>
    >>> from pysat.solvers import Cadical153
    >>> with Cadical153(bootstrap_with=formula) as solver:
    ...     print(solver.solve(), formula.decode(solver.get_model()).picture.rows())
    True ['#.', '##']
    """
    puzzle = puzzle_from(puzzle)
    parts = encoding_of(puzzle, encoding)
    return EncodedPuzzle(puzzle, parts, parts.formula(puzzle))
