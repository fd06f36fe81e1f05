"""A model that some other program found, decoded and checked like any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nonosat.encodings import dimacs
from nonosat.errors import FormatError
from nonosat.files import read_text
from nonosat.puzzles.check import fault
from nonosat.puzzles.formats import loads
from nonosat.solvers.answer import Answer, Statistics, Verdict

_MAX_BYTES = 2**33  # formulas are larger than puzzles


def decode_output(cnf_path: str, output_path: str) -> Answer:
    """The answer in a solver's output for a CNF file that nonosat wrote.

    The model is checked twice: against the clauses of the file, then as a picture against the clues; an output that
    fails has the verdict WRONG. Variables that the model leaves out count as false. UNSAT is the solver's word.
    """
    try:
        written = dimacs.read(read_text(cnf_path, _MAX_BYTES))
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
    cells = formula.cells(output.literals)
    try:
        picture = puzzle.picture(cells)
    except ValueError as error:
        return replace(answer, verdict=Verdict.WRONG, reason=str(error))
    if (clause := formula.cnf.first_false(true)) is not None:
        return replace(
            answer, verdict=Verdict.WRONG, rejected=picture, reason=f"the model does not satisfy clause {clause + 1}"
        )
    if (wrong := fault(puzzle, picture)) is not None:
        return replace(answer, verdict=Verdict.WRONG, rejected=picture, reason=str(wrong))
    return replace(answer, verdict=Verdict.SAT, pictures=(picture,))
