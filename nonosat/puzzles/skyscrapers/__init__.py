"""Skyscrapers: towers on a square, counted from its edges. All that the kind is; its rules are in encodings."""

from nonosat.puzzles.skyscrapers.puzzle import EDGES, MAX_SIZE, EdgeView, Heights, Skyscrapers, visible

__all__ = ["EDGES", "MAX_SIZE", "EdgeView", "Heights", "Skyscrapers", "visible"]
