"""Random boards, CSPs, formulas and proofs through all that solves or checks them: ``make fuzz`` (see CONTRIBUTING.md).

A *case* (``cases.py``) is drawn (``draw.py``) and asked of many *ways* to solve it (``ways.py``) in forked processes
(``alone.py``). What they say is held against brute force (``truth.py``) and against each other (``judge.py``). What is
wrong is made small (``shrink.py``) and written into ``tests/regressions`` (``drive.py``). Proofs are drawn, and the
checker of certificates is held to brute force after each line, in ``proofs.py``.
"""
