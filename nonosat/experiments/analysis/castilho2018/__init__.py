"""Castilho & Welter's report (2018): its ``figures``, what it claims of their ``curves`` (``claims``, ``predicates``),
every claim as a number with a verdict (``verdicts``), and where encodings, solvers and sizes differ (``differences``).
"""
