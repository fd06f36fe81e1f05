"""Random boards, CSPs and formulas through everything that solves them: ``make fuzz`` (see CONTRIBUTING.md).

A *case* (``cases.py``) is drawn (``draw.py``) and asked of many *ways* to solve it (``ways.py``) in forked processes
(``alone.py``). What they say is held against brute force (``truth.py``) and against each other (``judge.py``). What is
wrong is made small (``shrink.py``) and written into ``tests/regressions`` (``drive.py``).
"""
