r"""Which format is this text of? A format knows its texts by what marks them (``Format.marks``), and no other's.

>>> from nonosat.puzzles.formats import detected
>>> detected("2 2\n1\n2\n#\n2\n1\n").name, detected("2 2\n1\n2\n2\n1\n").name
('mk', 'nin')
>>> detected("hello") is None
True
"""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.puzzles.kinds import Format

COMMON = (".txt", ".xml", ".dat")
"""Suffixes that many formats' files have: what is in the file says more."""


def among(formats: Iterable[Format], text: str) -> Format | None:
    """The one of ``formats`` that ``text`` is marked as; None: none, or several. Nothing else of it is looked at."""
    found = [known for known in formats if known.marks is not None and known.marks(text)]
    return found[0] if len(found) == 1 else None
