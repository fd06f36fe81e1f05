"""Explanations: from a position to the solution in steps that a person can follow, smallest first, each one checked.

``explaining.explain`` is the door; ``steps`` is the data; a kind of puzzle has a room, or takes what its CSP gives.
"""
