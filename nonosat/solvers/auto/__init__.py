"""The solver ``auto``: one strategy a kind of puzzle, each of the parts that serve it best."""
