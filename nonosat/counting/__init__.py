"""Counts: the number of solutions of a puzzle, uniform draws from them, and their backbone."""
