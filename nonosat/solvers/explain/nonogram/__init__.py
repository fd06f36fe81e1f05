"""Nonograms explained: techniques of a line, a file each, and what is done where lines are stuck."""
