"""Explanations: from a position to the solution in steps that a person can follow, smallest first, each one checked.

``explain.explain`` is the door; ``steps`` is the data; a kind of puzzle has a room, or takes what its CSP gives. The
room is not called ``explain``, since Python would put the package in the place of the function ``nonosat.explain``.
"""
