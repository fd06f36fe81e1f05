"""The command behind a solver's name: its places, checked beforehand and filled."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path

from nonosat.errors import UnsupportedError
from nonosat.files import printable
from nonosat.solvers.solver import EXTERNAL

PLACE = re.compile(r"\{([a-z]+)(?::([0-9.e+-]+))?\}")
_PLACES = ("cnf", "out", "seconds", "memory")


def check(command: str) -> None:
    """UnsupportedError unless ``command`` can be run as far as can be told beforehand."""
    words, name = words_of(command), EXTERNAL + command
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


def fill(command: str, time_limit_s: float | None, memory_limit_mb: float | None) -> str:
    """``command`` with the limits in their places: ``{memory}`` becomes its number, ``{seconds}`` ``{seconds:60}``.

    From that the search takes the seconds that have passed. UnsupportedError for a place without its limit.
    """

    def filled(place: re.Match[str]) -> str:
        limit, option = {
            "seconds": (time_limit_s, "time limit (--time-limit)"),
            "memory": (memory_limit_mb, "memory limit (--memory-limit)"),
        }.get(place[1], (0.0, ""))
        if limit is None:
            told = printable(EXTERNAL + command)
            raise UnsupportedError(f"solver {told!r}: {place[0]} is a {option}, and there is none")
        if place[1] == "seconds":
            return f"{{seconds:{limit:g}}}"
        return str(max(1, int(limit))) if place[1] == "memory" else place[0]

    return PLACE.sub(filled, command)


def words_of(command: str) -> list[str]:
    """The words of ``command``, as a shell would split it."""
    try:
        return shlex.split(command)
    except ValueError as error:  # a quotation without an end
        raise UnsupportedError(f"solver {printable(EXTERNAL + command)!r}: {str(error).lower()}") from None
