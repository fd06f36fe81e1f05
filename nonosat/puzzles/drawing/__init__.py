"""Drawings of puzzles and pictures: text, SVG, PNG."""
