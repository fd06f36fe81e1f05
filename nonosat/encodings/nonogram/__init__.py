"""The rules of a nonogram: puzzle to CSP (Castilho & Welter 2018, ch. 4)."""
