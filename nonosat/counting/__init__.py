"""How many solutions a puzzle has, some of them drawn at random, and what all of them share."""
