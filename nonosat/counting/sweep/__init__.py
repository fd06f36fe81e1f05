"""A count by dynamic programming, row by row: ``states`` plans it, ``counts`` carries it out."""
