"""SAT solvers: python-sat's, any program that reads DIMACS, and what is proved with them."""

from __future__ import annotations

# Whose proofs hold.


PROVERS = (
    *("cadical103", "cadical153", "cadical195", "cadical300", "ergo", "glucose3", "glucose4", "glucose42"),
    *("gluecard3", "gluecard4", "lingeling", "maplechrono", "maplecm"),
)
"""The solvers of python-sat whose proofs have been verified; the tests do it again.

MapleSAT writes every literal one too high; Kissat, MergeSat, MiniCard, MiniSat 2.2, GH and EP write none.
"""
DRAT = "glucose4"
"""The default of ``prove``: quick to prove and to check on the real puzzles tried (results/running); maplecm and
cadical153 are as good or better on some."""
CERTIFICATES = "cadical195"
"""The default of certificates. Glucose deletes many clauses that fixed literals rest on: those deletions have to be
left out."""
