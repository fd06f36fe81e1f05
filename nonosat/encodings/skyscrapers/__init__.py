"""Skyscrapers as a CSP: heights, lines and visibility, in named parts."""
