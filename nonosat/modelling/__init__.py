"""Any finite constraint problem, stated in Python: solved, encoded, counted, explained as puzzles are."""
