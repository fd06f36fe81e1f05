"""Proofs of nonograms without an encoding: lines, probes, and SAT for what these leave open.

``board`` propagates lines and keeps what each concluded. ``lemmas`` turns that into clauses. ``deduce`` is the whole
proof: lines, probes under assumptions, and a SAT solver on the open part of a formula.
"""
