"""A model that some other program found, decoded and checked like any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nonosat.encodings import dimacs
from nonosat.errors import FormatError
from nonosat.files import read_text, shown
from nonosat.puzzles.check import fault
from nonosat.puzzles.formats import loads
from nonosat.solvers.answer import Answer, Statistics, Verdict

_MAX_BYTES = 2**33  # formulas are larger than puzzles
_SHOWN = 12
"""Literals of a clause that messages show."""


def decode_output(cnf_path: str, output_path: str) -> Answer:
    """The answer in a solver's output for a CNF file that nonosat wrote.

    The model is checked twice: against the clauses of the file, then as a picture against the clues. One that fails has
    the verdict WRONG, and the reason says whose fault it is: a clause that the model breaks is the solver's (no picture
    is told then); a wrong picture of a model that satisfies all clauses is the encoding's. Variables that the model
    leaves out count as false. UNSAT is the solver's word.
    """
    formula_text = read_text(cnf_path, _MAX_BYTES)
    try:
        written = dimacs.read(formula_text)
        [puzzle] = loads(written.puzzle, "json", source="c puzzle")
        if written.formula.board.shape != puzzle.shape:
            raise FormatError("the board in the comments is not of the puzzle's size")
    except FormatError as error:
        raise error.at(cnf_path) from None
    formula = written.formula
    text = read_text(output_path, _MAX_BYTES)
    try:
        output = dimacs.read_output(text)
        if dimacs.beyond(output.literals, formula.cnf.variables):
            raise FormatError(f"the model has variables beyond the {formula.cnf.variables} of {cnf_path}")
        if output.satisfiable and not len(output.literals):
            raise FormatError("the solver says SATISFIABLE and gives no model ('v' lines)")
    except FormatError as error:
        raise error.at(output_path) from None
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
        return replace(
            answer, verdict=Verdict.UNSAT, exhausted=True, unique=False, reason="the solver's word, not proved"
        )
    true = np.zeros(formula.cnf.variables + 1, dtype=bool)
    true[output.literals[output.literals > 0]] = True
    if (clause := formula.cnf.first_false(true)) is not None:
        place = f"{shown(cnf_path)}:{dimacs.line_of(formula_text, clause)}"
        broken = _told_clause(formula.cnf.clause(clause), output.literals)
        reason = (
            f"the solver is wrong, or its output is not whole: the model breaks clause {clause + 1} ({place}): {broken}"
        )
        return replace(answer, verdict=Verdict.WRONG, reason=reason)
    unsound = f"the model satisfies every clause, so the encoding is wrong, or {shown(cnf_path)} was changed"
    try:
        picture = puzzle.picture(formula.cells(output.literals))
    except ValueError as error:
        return replace(answer, verdict=Verdict.WRONG, reason=f"{unsound}: {error}")
    if (wrong := fault(puzzle, picture)) is not None:
        return replace(answer, verdict=Verdict.WRONG, rejected=picture, reason=f"{unsound}: {wrong}")
    return replace(answer, verdict=Verdict.SAT, pictures=(picture,))


def _told_clause(clause: list[int], model: npt.NDArray[np.int64]) -> str:
    """A clause that the model breaks, for people: ``1 -2 0``, and how many of its variables the model leaves out."""
    literals = [*map(str, clause[:_SHOWN]), *["..."] * (len(clause) > _SHOWN), "0"]
    left_out = len({abs(literal) for literal in clause} - set(np.abs(model).tolist()))
    return " ".join(literals) + (
        f", whose {left_out} variables that the model leaves out are false" if left_out else ""
    )
