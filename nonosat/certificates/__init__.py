"""Certificates: what is claimed of a puzzle, proved from its own pseudo-Boolean statement.

``statement`` says what a puzzle means, ``checker`` reads a proof over that; neither knows of encodings or solvers.
``certify`` makes proofs of what SAT solvers learn, ``equivalence`` of what encodings say.
"""
