"""Rules (puzzle to CSP) and compilers (CSP to CNF, CSP to CP-SAT)."""
