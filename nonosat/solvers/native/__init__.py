"""Solvers that work on placements of lines: Wałejko's three (2022) and Segers' search (2015)."""
