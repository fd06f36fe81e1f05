"""TOML taken apart strictly, key by key: every error names the file, the key and the reason, in one line."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from nonosat.errors import FormatError
from nonosat.files import printable


def section(text: str, source: str) -> Section:
    """The top level of a file; ``source`` is its name in errors."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        line = place.partition(",")[0]
        raise FormatError(f"no TOML: {printable(reason)}", int(line) if line.isdigit() else None, source) from None
    except ValueError:  # of tomllib's int(), which says no line; a TOMLDecodeError is caught above
        raise FormatError("no TOML that can be read: a number of too many digits", source=source) from None
    except RecursionError:
        raise FormatError("no TOML that can be read: nested too deep", source=source) from None
    return Section(values, source)


class Section:
    """A table of the file, taken apart key by key. ``place`` is what its keys are named with: ``limits.``."""

    def __init__(self, values: dict[str, Any], source: str, place: str = "") -> None:
        self.values, self.source, self.place = values, source, place

    def fail(self, key: str, reason: str) -> NoReturn:
        """FormatError."""
        raise FormatError(f"{self.place}{printable(key, 60)}: {reason}", source=self.source)

    def only(self, known: Sequence[str], elsewhere: Sequence[str] = ()) -> None:
        """Refuse keys that are not ``known``; those of ``elsewhere`` belong to the file's top level."""
        for key in self.values:
            if key in known:
                continue
            if key in elsewhere:
                self.fail(key, "belongs above the first [[puzzles]] and [limits]")
            close = get_close_matches(key, known, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            self.fail(key, f"unknown key; {hint}")

    def need(self, key: str) -> Any:
        """The value of a key that must be there."""
        if key not in self.values:
            self.fail(key, "missing")
        return self.values[key]

    def text(self, key: str, default: str = "") -> str:
        """A string."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            self.fail(key, f"must be a string, not {told(value)}")
        return value

    def integer(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``."""
        return self.whole(key, self.values.get(key, default), least, most)

    def whole(self, key: str, value: Any, least: int, most: int) -> int:
        """``value``, if it is such a number."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(key, f"must be a whole number, not {told(value)}")
        if not least <= value <= most:
            self.fail(key, f"must be from {least:,} to {most:,}, not {value:,}")
        return value

    def positive(self, key: str) -> float | None:
        """A positive number, or None if the key is not there."""
        if (value := self.values.get(key)) is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.fail(key, f"must be a number, not {told(value)}")
        if not (math.isfinite(value) and value > 0):
            self.fail(key, f"must be a positive number, not {value}")
        return float(value)  # 10 and 10.0 are the same limit, and must give the same keys

    def items(self, key: str) -> list[Any]:
        """A list with something in it."""
        value = self.need(key)
        if not isinstance(value, list):
            self.fail(key, f"must be a list, not {told(value)}")
        if not value:
            self.fail(key, "is empty")
        return value

    def names(self, key: str, needed: bool = True) -> tuple[str, ...]:
        """A list of strings."""
        if key not in self.values and not needed:
            return ()
        for value in self.items(key):
            if not isinstance(value, str) or not value.strip():
                self.fail(key, f"must hold names, not {told(value)}")
        return tuple(self.values[key])

    def each(self, key: str, read: Callable[[Any], Any]) -> tuple[Any, ...]:
        """A list, whose items ``read`` turns into values; its ValueErrors say what is wrong with them."""
        try:
            return tuple(read(value) for value in self.items(key))
        except FormatError:
            raise
        except ValueError as error:
            self.fail(key, str(error))


def told(value: Any) -> str:
    """A value as an error shows it: short and on one line."""
    kinds = {dict: "a table", list: "a list", str: "the string ", bool: ""}
    kind = kinds.get(type(value), "")
    return kind if kind.startswith("a ") else f"{kind}{printable(repr(value), 60)}"
