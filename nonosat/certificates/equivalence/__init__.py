"""Whether an encoding is right for a puzzle: its clauses and the puzzle's statement follow from each other."""

from nonosat.certificates.equivalence.compare import Difference, Equivalence, equivalent

__all__ = ["Difference", "Equivalence", "equivalent"]
