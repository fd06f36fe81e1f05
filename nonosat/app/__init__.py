"""The workbench: a local page to play, make, watch and explain puzzles (``nonosat app``; docs/workbench.md)."""
