"""Nonograms explained: techniques of a line, and what is done where no line says anything."""
