"""Drawings of puzzles and pictures: text, SVG, PNG. Each kind brings its own; here is what they share."""
