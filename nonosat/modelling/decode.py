"""What an outside solver printed for a model's formula, decoded and checked."""

from __future__ import annotations

import numpy as np

from nonosat.csp.model import CSP
from nonosat.csp.statement import Problem
from nonosat.encodings.dimacs import Dimacs
from nonosat.errors import FormatError
from nonosat.modelling.knowledge import formula_of
from nonosat.modelling.solve import ModelAnswer, Solution
from nonosat.runs.events import Statistics, Verdict
from nonosat.solvers.judgement import Judgement
from nonosat.solvers.sat.decode import read_files


def decode_output(statement: Problem, cnf_path: str, output_path: str) -> ModelAnswer:
    """The answer in a solver's output for a CNF file that nonosat wrote of the model ``statement``.

    Checked twice, as a puzzle's (``solvers/sat/decode.py``): against the clauses, then by what the model means. A file
    with more clauses will do, as long as its solution is the model's; UNSAT is believed of the model's own formula. An
    objective plays no part: the solution is not called the best. FormatError: the file is of another model.
    """
    read = read_files(cnf_path, output_path)
    csp, board = statement.lowered().csp, read.formula.board.reshape(-1)
    if [read.written.names[number] for number in board.tolist()] != csp.names()[: len(statement.domains)]:
        raise FormatError("its variables are not the model's", source=cnf_path)
    about = Statistics(variables=read.formula.cnf.variables, clauses=read.formula.cnf.clauses)
    encoding = read.written.encoding
    answer = ModelAnswer(Verdict.UNKNOWN, solver="external", encoding=encoding, statement=statement, statistics=about)

    def judge() -> Judgement[Solution]:
        values = tuple(read.formula.values(read.output.literals, board).tolist())
        broken = statement.broken(values)
        return Judgement(Solution(statement, values), None if broken is None else f"it breaks {broken!r}")

    answer = read.concluded(answer, judge)
    settled = answer.verdict is Verdict.UNSAT or answer.rejected is not None
    if settled and not _is_formula_of(csp, read.written):
        raise FormatError("not the formula of this model, so that nothing follows for it", source=cnf_path)
    return answer


def _is_formula_of(csp: CSP, written: Dimacs) -> bool:
    made, there = formula_of(csp, written.encoding)[0].cnf, written.formula.cnf
    return np.array_equal(made.literals, there.literals) and np.array_equal(made.ends, there.ends)
