"""The checker of certificates: it reads a statement and a proof, believes neither, and shares no code with a writer.

>>> opb = ["1 xx 1 yy >= 1 ;", "1 xx 1 ~yy >= 1 ;", "1 ~xx >= 1 ;"]
>>> print(check(opb, ["pseudo-Boolean proof version 1.1", "f 3", "rup >= 1 ;", "c 4"]))
no solution
"""

from nonosat.certificates.checker.proof import Claim, check
from nonosat.certificates.checker.text import RefusedError

__all__ = ["Claim", "RefusedError", "check"]
