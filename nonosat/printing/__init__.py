"""Puzzles on paper: booklets as PDF."""
