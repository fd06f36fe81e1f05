"""OR-Tools CP-SAT: on the CSP of an encoding's rules, and on one automaton a line."""
