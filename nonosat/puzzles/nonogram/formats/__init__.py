"""Nonograms as texts: a format a file, and what they share (``written_clues``)."""
