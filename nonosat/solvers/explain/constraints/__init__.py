"""Any kind of puzzle explained from its CSP: a smallest set of constraints from which a cell follows."""
