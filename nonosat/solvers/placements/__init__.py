"""Solvers that list the placements of lines: Wałejko's three (2022) and Segers' search (2015)."""
