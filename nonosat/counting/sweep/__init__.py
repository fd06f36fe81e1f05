"""Counting by a sweep over the board, cell by cell, that keeps all states of the lines it has cut."""
