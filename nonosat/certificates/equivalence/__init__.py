"""Whether an encoding is right for a puzzle: its clauses and the puzzle's statement follow from each other."""

from nonosat.certificates.equivalence.limited import equivalent
from nonosat.certificates.equivalence.result import Difference, Equivalence

__all__ = ["Difference", "Equivalence", "equivalent"]
