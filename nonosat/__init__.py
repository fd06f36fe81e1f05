"""nonosat: how puzzles are encoded into SAT and CSP, as an instrument."""
__version__ = "0.1.0"
