"""Experiments: what to run, running it, and reporting what came out."""
