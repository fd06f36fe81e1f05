"""SAT solvers: python-sat's, any program that reads DIMACS, and what is proved with them."""
