"""Sources of random puzzles."""
