"""The command behind a solver's name: its places, checked beforehand and filled."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path

from nonosat.errors import UnsupportedError
from nonosat.files import printable

EXTERNAL = "exec:"
"""What the names of such solvers begin with; the rest is the command."""
PLACE = re.compile(r"\{([a-z]+)(?::([0-9.e+-]+))?\}")
_PLACES = ("cnf", "out", "seconds", "memory")


def check(name: str) -> None:
    """UnsupportedError unless ``name`` (``exec:COMMAND``) can be run as far as can be told beforehand."""
    words = words_of(name)
    if not words:
        raise UnsupportedError(f"solver {name!r}: expected {EXTERNAL}COMMAND, such as 'exec:cadical {{cnf}}'")
    for word in words:
        for place in PLACE.finditer(word):
            if place[1] not in _PLACES:
                places = ", ".join(f"{{{known}}}" for known in _PLACES)
                raise UnsupportedError(f"solver {printable(name)!r}: nothing is known as {place[0]}, only {places}")
    if shutil.which(words[0]) is None:
        found = Path(words[0]).exists() and os.sep in words[0]
        reason = "cannot be executed" if found else "no such program"
        raise UnsupportedError(f"solver {printable(name)!r}: {printable(words[0])}: {reason}")


def fill(name: str, time_limit_s: float | None, memory_limit_mb: float | None) -> str:
    """``name`` with the limits in their places: ``{memory}`` becomes its number, ``{seconds}`` ``{seconds:60}``.

    From that the search takes the seconds that have passed. UnsupportedError for a place without its limit.
    """

    def filled(place: re.Match[str]) -> str:
        limit, option = {
            "seconds": (time_limit_s, "time limit (--time-limit)"),
            "memory": (memory_limit_mb, "memory limit (--memory-limit)"),
        }.get(place[1], (0.0, ""))
        if limit is None:
            raise UnsupportedError(f"solver {printable(name)!r}: {place[0]} is a {option}, and there is none")
        if place[1] == "seconds":
            return f"{{seconds:{limit:g}}}"
        return str(max(1, int(limit))) if place[1] == "memory" else place[0]

    return PLACE.sub(filled, name)


def words_of(name: str) -> list[str]:
    """The words of the command in ``name``, as a shell would split it."""
    try:
        return shlex.split(name.removeprefix(EXTERNAL))
    except ValueError as error:  # a quotation without an end
        raise UnsupportedError(f"solver {printable(name)!r}: {str(error).lower()}") from None
