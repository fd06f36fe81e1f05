"""A complete line solver, and on it probing and backtracking."""
