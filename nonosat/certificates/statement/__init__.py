"""Puzzles as pseudo-Boolean statements, by what they mean alone: a file a kind, short enough to be read and believed.

>>> from nonosat.puzzles.nonogram import Nonogram
>>> for line in opb_lines(statement_of(Nonogram.from_lengths([[1]], [[1], []]))):
...     print(line)
* #variable= 3 #constraint= 4
preserved: x0_0_1 x0_1_1 ;
1 x0_0_1 -1 h0_0_0 = 0 ;
1 x0_1_1 1 h0_0_0 = 1 ;
1 x0_0_1 = 1 ;
1 x0_1_1 = 0 ;
"""

from nonosat.certificates.statement.model import (
    PBConstraint,
    Statement,
    VariableWords,
    constraint,
    opb_lines,
    statement_of,
    write_opb,
)

__all__ = ["PBConstraint", "Statement", "VariableWords", "constraint", "opb_lines", "statement_of", "write_opb"]
