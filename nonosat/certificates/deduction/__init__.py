"""Proofs of nonograms without an encoding: what lines conclude and what probes refute, as lemmas of the statement.

``line`` and ``board`` settle lines and remember what each concluded; ``lemmas`` says that in clauses; ``refutation``
and ``probing`` do the same under assumptions. What is open then goes to a SAT solver (``remainder``), of whose formula
only the open part is said.
"""
