"""Counters: what studies run beside solvers, and that finds no picture but counts or measures."""
