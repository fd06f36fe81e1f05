"""Puzzles as their makers want them: repaired, given cells, judged at every edit."""
