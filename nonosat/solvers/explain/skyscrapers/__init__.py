"""Skyscrapers explained: techniques of a line, a file each, on candidates; and what is done where lines are stuck."""
