"""Solvers: SAT solvers of python-sat, CP-SAT, all behind one function and one ``Answer``."""
