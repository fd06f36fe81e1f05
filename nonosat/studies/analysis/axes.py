"""What a study varies: the axes of its boards, found in the records and not in their names.

An axis is a parameter of the boards with several values: of generators (size, density, level, a plug-in's own), or the
file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pandas as pd

from nonosat.errors import UnknownNameError
from nonosat.studies.analysis.frames import TEXT, sizes

FILE = "file"
_IN_ORDER = ("size", "density", "level", "difficulty", "colours")
"""Axes whose values follow one another whether they are numbers or not; a plug-in's words or a style's names do not."""


@dataclass(frozen=True)
class Axis:
    """``of``: each run's value as text, absent where it has none. ``places``: where the values stand on a figure.

    ``numeric``: the places are the values' own numbers, else their order.
    """

    name: str
    words: str
    values: tuple[str, ...]
    places: tuple[float, ...]
    numeric: bool
    of: pd.Series

    @property
    def ordered(self) -> bool:
        """Whether its values follow one another, so that a line may join them."""
        return self.numeric or self.name in _IN_ORDER

    def text(self) -> str:
        """The values in words: ``20x20, 30x30``, ``10 to 50 %``."""
        unit = " %" if self.words.endswith(", %") else ""
        if len(self.values) > 4 and (self.numeric or self.name == "size"):
            return f"{self.values[0]} to {self.values[-1]}{unit}"
        if len(self.values) > 12:
            return f"{len(self.values):,} values"
        return ", ".join(self.values) + unit


def axes_of(frame: pd.DataFrame) -> list[Axis]:
    """The axes with at least two values, in a fixed order: size, density, level, other parameters, colours, file."""
    found = [made for make in (_size, _density, _level) if (made := make(frame)) is not None]
    taken = {"size", "density", "level"}
    words = _parameters(frame)
    found += [_axis(frame, word, word, words[word]) for word in sorted(words) if word not in taken]
    found.append(_axis(frame, "difficulty", "difficulty", _texts(frame["difficulty"]), by=_easy_first))
    found.append(_axis(frame, "colours", "colours", _texts(frame["colours"])))
    found.append(_files(frame))
    several = [axis for axis in found if len(axis.values) > 1]
    kept = [axis for at, axis in enumerate(several) if not any(_same(axis, other) for other in several[:at])]
    return [axis for axis in kept if axis.name != "colours" or not any(_follows(axis, other) for other in kept)]


def crossed(one: Axis, other: Axis) -> bool:
    """Whether boards of one value of either have several of the other, so that neither stands for the other."""
    pairs = set(zip(*(axis.of[one.of.notna() & other.of.notna()] for axis in (one, other)), strict=True))
    return len(pairs) > max(len({a for a, _ in pairs}), len({b for _, b in pairs}), 0)


def grid(axes: list[Axis]) -> tuple[Axis, Axis] | None:
    """The first two axes that are crossed; None if none are."""
    pairs = (pair for pair in combinations([axis for axis in axes if axis.name != FILE], 2) if crossed(*pair))
    return next(pairs, None)


def axis_of(frame: pd.DataFrame, axis: Axis | str) -> Axis:
    """The axis of that name ("size"), or it itself. UnknownNameError: the frame has none of the name."""
    if isinstance(axis, Axis):
        return axis
    found = {one.name: one for one in axes_of(frame)}
    if axis not in found:
        raise UnknownNameError("axis", axis, list(found))
    return found[axis]


def _same(one: Axis, other: Axis) -> bool:
    """Whether each value of one goes with one of the other: the second adds nothing."""
    pairs = set(zip(one.of.fillna(""), other.of.fillna(""), strict=True))
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def _follows(one: Axis, other: Axis) -> bool:
    """Whether another axis' value determines that of ``one``, on all runs."""
    pairs = set(zip(other.of.fillna(""), one.of.fillna(""), strict=True))
    return other.name not in (one.name, FILE) and len(pairs) == len({a for a, _ in pairs})


def _size(frame: pd.DataFrame) -> Axis:
    values = sizes(frame)
    parts = [value.split("x") for value in values]
    places = _places([rows for rows, columns in parts if rows == columns], len(parts))
    return Axis("size", "size", tuple(values), places, False, _texts(frame["size"]))


def _density(frame: pd.DataFrame) -> Axis:
    shares = frame["density"].map(lambda share: "" if pd.isna(share) else f"{100 * share:g}")
    several = frame["density"].notna() & frame["colours"].gt(1).fillna(False)
    stated = _parameters(frame).get("density")
    if several.any() and stated is not None:  # a share for each colour, which their sum does not have
        shares = shares.mask(several & stated.notna(), stated.map(_shares, na_action="ignore"))
    return _axis(frame, "density", "density, %", shares.where(shares.ne("")), by=_whole)


def _shares(text: str) -> str:
    return "+".join(f"{100 * float(part):g}" for part in re.findall(r"[\d.]+", text))


def _easy_first(text: str) -> tuple[int, str]:
    known = ("easy", "normal", "hard")
    return known.index(text) if text in known else len(known), text


def _whole(text: str) -> tuple[float, str]:
    return sum(map(float, text.split("+"))), text


def _level(frame: pd.DataFrame) -> Axis:
    stated = _parameters(frame).get("level", pd.Series(pd.NA, index=frame.index))  # 12x12-hard has no number
    return _axis(frame, "level", "level", _texts(frame["level"]).where(frame["level"].notna(), stated))


def _files(frame: pd.DataFrame) -> Axis:
    from_files = frame["instance"].str.startswith("file/").fillna(False).astype(bool)
    names = file_names(frame)
    several = frame.loc[from_files].groupby(names)["instance"].nunique().max() if from_files.any() else 0
    if several > 1:
        names = names + " " + _within(frame)
    return _axis(frame, FILE, "file", names.where(from_files), by=natural)


def file_names(frame: pd.DataFrame) -> pd.Series:
    """The names of the runs' files; of several files with one name, with the beginning of their hashes."""
    names = frame["source"].map(lambda name: Path(str(name)).name)
    hashes = frame["instance"].where(frame["instance"].str.startswith("file/")).str.split("/").str[1]
    shared = hashes.groupby(names).transform("nunique").gt(1)
    return names.where(~shared, names + " (" + hashes.str[:6] + ")")


def _within(frame: pd.DataFrame) -> pd.Series:
    """What tells the instances of a file apart: a title that no other has, nor the file, or the number in the file."""
    ours = frame.drop_duplicates("instance").set_index("instance")
    ours = ours["title"].where(ours["title"].ne(ours["source"].map(lambda name: Path(str(name)).name)), "").fillna("")
    files = ours.index.to_series().str.rpartition("/")[0]
    alone = ours.groupby([files, ours]).transform("size").eq(1) & ~ours.str.fullmatch(r"[\d\s]*")
    return frame["instance"].map(ours.where(alone)).fillna(frame["instance"].str.rpartition("/")[2])


_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def _axis(frame: pd.DataFrame, name: str, words: str, of: pd.Series, by: Callable[[str], Any] | None = None) -> Axis:
    of = of.astype(TEXT)
    texts = set(of.dropna())
    numeric = len(texts) > 0 and all(_NUMBER.fullmatch(text) for text in texts)
    values = sorted(texts, key=by or (float if numeric else natural))
    places = _places(values, len(values))
    return Axis(name, words, tuple(values), places, numeric, of)


def _places(values: Sequence[str], count: int) -> tuple[float, ...]:
    """The numbers that the values are, if all ``count`` are and none stand too near to each other; else their order."""
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        numbers = []
    steps = [b - a for a, b in pairwise(numbers)]
    near = min(steps, default=1.0) < 0.06 * (numbers[-1] - numbers[0]) if numbers else True
    return tuple(map(float, range(count))) if near or len(numbers) < count else tuple(numbers)


def natural(text: str) -> tuple[tuple[int, float, str], ...]:
    """What sorts ``a2`` before ``a10``.

    >>> sorted(["a10", "a2", "10", "9", "-1"], key=natural)
    ['-1', '9', '10', 'a2', 'a10']
    """
    if _NUMBER.fullmatch(text):
        return ((0, float(text), ""),)
    parts = re.findall(r"\d+(?:\.\d+)?|\D+", text)
    return tuple((0, float(part), "") if part[0].isdigit() else (1, 0.0, part) for part in parts)


def _texts(values: pd.Series) -> pd.Series:
    return values.astype(TEXT)


def _parameters(frame: pd.DataFrame) -> dict[str, pd.Series]:
    """The parameters of generators, a column a word."""
    stated = frame["parameters"].map(lambda text: json.loads(text) if isinstance(text, str) else {})
    words = sorted({word for entry in stated for word in entry})
    return {word: pd.Series([entry.get(word) for entry in stated], index=frame.index, dtype=object) for word in words}
