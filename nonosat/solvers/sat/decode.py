"""A model that some other program found, decoded and checked like any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nonosat.encodings import dimacs
from nonosat.encodings.cnf import CNF
from nonosat.errors import FormatError
from nonosat.files import read_text, shown
from nonosat.puzzles.formats import loads
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import Answer, Statistics, Verdict
from nonosat.solvers.judgement import judged, missed

_MAX_BYTES = 2**33  # formulas are larger than puzzles
_SHOWN = 12
"""Literals of a clause that messages show."""


def decode_output(cnf_path: str, output_path: str) -> Answer:
    """The answer in a solver's output for a CNF file that nonosat wrote.

    The model is checked twice: against the clauses of the file, then as a picture against the clues. One that fails has
    the verdict WRONG, and the reason says whose fault it is: a clause that the model breaks is the solver's (no picture
    is given then); a wrong picture of a model that satisfies all clauses is the encoding's. Variables that the model
    leaves out count as false. UNSAT is the solver's word; where a solution comes with the puzzle it is WRONG.
    """
    formula_text = read_text(cnf_path, _MAX_BYTES)
    written, puzzle = _written(formula_text, cnf_path)
    formula = written.formula
    output = _read_output(output_path, cnf_path, formula.cnf.variables)
    answer = Answer(
        Verdict.UNKNOWN,
        solver="external",
        encoding=written.encoding,
        puzzle=puzzle,
        statistics=Statistics(variables=formula.cnf.variables, clauses=formula.cnf.clauses),
    )
    if output.satisfiable is None:
        return replace(answer, reason="the solver gave no verdict")
    if not output.satisfiable:
        if (denied := missed(puzzle, ())) is not None:
            return replace(answer, verdict=Verdict.WRONG, reason=denied)
        return replace(answer, verdict=Verdict.UNSAT, exhausted=True, reason="the solver's word, not proved")
    if (broken := _broken_clause(formula.cnf, output.literals, formula_text, cnf_path)) is not None:
        return replace(answer, verdict=Verdict.WRONG, reason=broken)
    picture, wrong, _ = judged(puzzle, formula.cells(output.literals))
    if picture is None or wrong is not None:
        unsound = f"the model satisfies every clause, so the encoding is wrong, or {shown(cnf_path)} was changed"
        return replace(answer, verdict=Verdict.WRONG, rejected=picture, reason=f"{unsound}: {wrong}")
    return replace(answer, verdict=Verdict.SAT, found=(picture,))


def _written(text: str, path: str) -> tuple[dimacs.Dimacs, Puzzle]:
    """The formula in a file's ``text``, and its puzzle."""
    try:
        written = dimacs.read(text)
        [puzzle] = loads(written.puzzle, "json", source="c puzzle")
        if written.formula.board.shape != puzzle.shape:
            raise FormatError("the board in the comments is not of the puzzle's size")
    except FormatError as error:
        raise error.at(path) from None
    return written, puzzle


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


def _broken_clause(cnf: CNF, model: npt.NDArray[np.int64], text: str, path: str) -> str | None:
    """The first clause that the ``model`` breaks, with its place in the file, or None."""
    true = np.zeros(cnf.variables + 1, dtype=bool)
    true[model[model > 0]] = True
    if (clause := cnf.first_false(true)) is None:
        return None
    place = f"{shown(path)}:{dimacs.line_of(text, clause)}"
    broken = _format_clause(cnf.clause(clause), model)
    return f"the solver is wrong, or its output is not whole: the model breaks clause {clause + 1} ({place}): {broken}"


def _format_clause(clause: list[int], model: npt.NDArray[np.int64]) -> str:
    """A clause that the model breaks, for people: ``1 -2 0``, and how many of its variables the model leaves out."""
    literals = [*map(str, clause[:_SHOWN]), *["..."] * (len(clause) > _SHOWN), "0"]
    left_out = len({abs(literal) for literal in clause} - set(np.abs(model).tolist()))
    return " ".join(literals) + (
        f", whose {left_out} variables that the model leaves out are false" if left_out else ""
    )
