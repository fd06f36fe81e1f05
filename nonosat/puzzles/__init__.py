"""Puzzles: what they are, what solves them, how they are written and drawn."""
