"""Castilho & Welter's report (2018): its ``figures``, what it claims of their ``curves`` (``claims``,
``predicates``), and where encodings, solvers and sizes differ (``differences``).
"""
