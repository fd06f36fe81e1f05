"""The checker of certificates: it reads a statement and a proof, believes neither, and shares no code with a writer.

>>> opb = ["1 xx 1 yy >= 1 ;", "1 xx 1 ~yy >= 1 ;", "1 ~xx >= 1 ;"]
>>> print(check(opb, ["pseudo-Boolean proof version 1.1", "f 3", "rup >= 1 ;", "c 4"]))
no solution
"""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.certificates.checker.claim import Claim, RefusedError

__all__ = ["Claim", "RefusedError", "check"]


def check(opb: Iterable[str], proof: Iterable[str]) -> Claim:
    """What the lines of a proof prove of the models of the lines of a statement. RefusedError: they do not."""
    from nonosat.certificates.checker.proof import Checker  # machine code

    checker = Checker()
    checker.take(opb, checker.state, "statement")
    checker.begin()
    checker.take(proof, checker.step, "proof")
    return checker.claim()
