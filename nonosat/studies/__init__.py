"""Experiments: what to run, running it, and telling what came out."""
