"""The project's own batteries of tests as a library, for people who bring parts of their own.

A part is tested by what it is: a kind of puzzle (texts, drawings, formats, its encodings, its statement), a rule or an
integer encoding (its models are all solutions, by brute force; puzzles have certificates with it; its clauses follow
from the puzzle's statement and that from them: ``follows`` names what does not), a solver (against brute force), a
format (round trips, broken texts), a generator (the same puzzle again, unique if it says so). In pytest::

    import pytest
    from nonosat import testing
    from my_parts import PARTS, PUZZLES

    @pytest.mark.parametrize("check", testing.battery(PARTS, PUZZLES), ids=str)
    def test_parts(check):
        check()
"""

from nonosat.testing.battery import Check, battery
from nonosat.testing.brute import solutions
from nonosat.testing.encodings import at_least_as_strong, follows, propagated_cells

__all__ = ["Check", "at_least_as_strong", "battery", "follows", "propagated_cells", "solutions"]
