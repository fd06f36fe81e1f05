"""Puzzles that are generated: a pack of all there can be, where a name says how one is made, so that none is kept."""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from datetime import date
from functools import lru_cache
from time import monotonic

from nonosat.app import own, requests
from nonosat.app.packs import GENERATED, LIVES, Pack, Packed
from nonosat.app.requests import Body, RequestError
from nonosat.app.wire import native_text, shades_of
from nonosat.generators.registry import GENERATORS
from nonosat.puzzles.puzzle import Puzzle

TITLE = "New puzzles"
ANY = "any"
STYLES = ("blobs", "symmetric", "waves", "noise")
NONOGRAMS = {"easy": ("trivial", "easy"), "medium": ("medium",), "hard": ("hard",)}
"""The labels of each difficulty."""
TOWERS = ("easy", "normal", "hard")
MOST_COLOURS = 4
"""Of the colours that the generator can have, so many still form areas on small boards."""
SIDES = {"nonogram": (5, 30), "skyscrapers": (4, 7)}
DENSITIES = (60, 50)
"""Percent of the cells that are filled, in turn: denser boards are easier."""
WITHIN_S = 1.5
"""The search for a difficulty ends then: the best so far is taken."""
DAYS = ("easy", "easy", "easy", "easy", "medium", "medium", "medium")
"""The difficulty of the daily puzzle, from Monday on; its size grows with the week."""
MOST_DAILY = 400
_NAME = re.compile(
    r"nonogram-(?P<side>\d{1,2})-(?P<density>\d{2})-(?P<style>blobs|symmetric|waves|noise)"
    r"(?:-(?P<colours>[2-4]))?-(?P<seed>\d{1,15})"
    r"|skyscrapers-(?P<size>[4-7])-(?P<level>easy|normal|hard)-(?P<number>\d{1,15})"
    r"|daily-(?P<day>\d{4}-\d\d-\d\d)"
)


def generated(body: Body) -> Body:
    """The name of a new puzzle of a ``kind``, ``size``, ``style``, ``colours`` and ``difficulty``, or ``like`` another.

    ``missed``: how hard it is instead, where none was found that is as hard as was wanted.
    """
    if body.get("like") is not None:
        return {"name": _like(requests.text(body, "like"))}
    kind = requests.choice(body, "kind", tuple(SIDES))
    size = requests.integer(body, "size", *SIDES[kind])
    if kind == "skyscrapers":
        level = requests.choice(body, "difficulty", TOWERS)
        return {"name": f"skyscrapers-{size}-{level}-{secrets.randbelow(10**9)}"}
    style = requests.choice(body, "style", (ANY, *STYLES), ANY)
    colours = requests.integer(body, "colours", 1, MOST_COLOURS, 1)
    wanted = requests.choice(body, "difficulty", tuple(NONOGRAMS), "easy")
    name = _nonogram(size, style, colours, wanted)
    label = puzzle_of(name).label
    return {"name": name, "missed": None if label in NONOGRAMS[wanted] else label}


def _like(name: str) -> str:
    """Another one of the same kind, size, style and colours, as hard as that one."""
    match = _matched(name)
    if match["level"]:
        return f"skyscrapers-{match['size']}-{match['level']}-{secrets.randbelow(10**9)}"
    label = puzzle_of(name).label
    wanted = next((word for word, labels in NONOGRAMS.items() if label in labels), "easy")
    shown = _matched(_daily(date.fromisoformat(match["day"]))) if match["day"] else match
    return _nonogram(int(shown["side"]), shown["style"], int(shown["colours"] or 1), wanted)


def _nonogram(size: int, style: str, colours: int, difficulty: str) -> str:
    """The first that is as wanted; after ``WITHIN_S`` the nearest with one solution, if there was none."""
    begin, seed = monotonic(), secrets.randbelow(10**9)
    nearest: tuple[int, str] | None = None
    styles = STYLES if style == ANY else (style,)
    shades = f"{colours}-" if colours > 1 else ""
    while nearest is None or monotonic() < begin + WITHIN_S:
        name = f"nonogram-{size}-{DENSITIES[seed % 2]}-{styles[seed // 2 % len(styles)]}-{shades}{seed}"
        label = _label(_made(name))
        if label in NONOGRAMS[difficulty]:
            return name
        if label and (nearest is None or _away(label, difficulty) < nearest[0]):
            nearest = _away(label, difficulty), name
        seed += 1
    return nearest[1]


def _away(label: str, difficulty: str) -> int:
    """How many labels a label is away from a difficulty."""
    labels = [label for labels in NONOGRAMS.values() for label in labels]
    return min(abs(labels.index(label) - labels.index(wanted)) for wanted in NONOGRAMS[difficulty])


def _stem(day: date) -> str:
    """The name of the day's nonogram, but for its seed."""
    size, style = 10 + 5 * (day.weekday() // 3), STYLES[day.toordinal() % len(STYLES)]
    return f"nonogram-{size}-{60 if style != 'waves' else 50}-{style}"


def _daily(day: date) -> str:
    """The name of the day's nonogram: the same one everywhere."""
    names = [f"{_stem(day)}-{day:%Y%m%d}{at:03}" for at in range(MOST_DAILY)]
    easy: str | None = None
    for name in names:
        label = _label(_made(name))
        if label in NONOGRAMS[DAYS[day.weekday()]]:
            return name
        easy = easy or (name if label else None)
    return easy or names[0]


def _label(puzzle: Puzzle) -> str:
    """How hard a nonogram with one solution is; empty: it has several, or that takes too much work to say."""
    from nonosat.making.criteria import labelled  # compiled code

    labels = [label for labels in NONOGRAMS.values() for label in labels]
    return next((label for label in labels if labelled(puzzle, label)), "")  # type: ignore[arg-type]


def _matched(name: str) -> re.Match[str]:
    match = _NAME.fullmatch(name)
    if match is None or (match["side"] and not 5 <= int(match["side"]) <= 30):
        raise RequestError("no puzzle is called so", 404)
    return match


def _made(name: str) -> Puzzle:
    match = _matched(name)
    texts: tuple[str, ...]
    if match["level"]:
        generator, seed = GENERATORS.named("skyscrapers"), match["number"]
        texts = (f"{match['size']}x{match['size']}-{match['level']}",)
    else:
        generator, seed = GENERATORS.named("pictures"), match["seed"]
        colours = int(match["colours"] or 1)
        shares = ",".join([f"{int(match['density']) / 100 / colours:.4g}"] * colours)
        texts = (f"{match['side']}x{match['side']}", shares, match["style"])
    values = [parameter.read(text) for parameter, text in zip(generator.parameters, texts, strict=True)]
    return generator.puzzle(generator.texts(values), int(seed))


@lru_cache(maxsize=256)
def puzzle_of(name: str) -> Packed:
    """The puzzle of that name, ready to play. RequestError (404): no puzzle has it."""
    match, title = _matched(name), _title(name)
    if match["day"]:
        packed = puzzle_of(_daily(date.fromisoformat(match["day"])))
        return replace(packed, name=name, puzzle=_titled(packed.puzzle, title))
    label, puzzle = own.judged(native_text(_made(name)))
    return Packed(name, match["level"] or label, LIVES, _titled(puzzle, title))


def shelved(name: str) -> own.Shelved:
    """The puzzle of that name for the card of its board, of which the name says enough: none is made.

    Its difficulty is known only once it is made, and left out.
    """
    match, title = _matched(name), _title(name)
    if match["level"]:
        side = int(match["size"])
        return own.Shelved(name, title, "skyscrapers", (side, side), label=match["level"])
    if match["day"]:
        match = _matched(f"{_stem(date.fromisoformat(match['day']))}-0")
    side = int(match["side"])
    shades = shades_of(int(match["colours"] or 1))
    filled = round(side * side * int(match["density"]) / 100)
    return own.Shelved(name, title, "nonogram", (side, side), palette=shades, filled=filled)


def _title(name: str) -> str:
    match = _matched(name)
    if match["level"]:
        return f"Skyscrapers {match['size']}x{match['size']}"
    if match["day"]:
        try:
            day = date.fromisoformat(match["day"])
        except ValueError:
            raise RequestError("there is no such day", 404) from None
        return f"Puzzle of the day, {day.day} {day:%B %Y}"
    in_colours = f" in {match['colours']} colours" if match["colours"] else ""
    return f"Nonogram {match['side']}x{match['side']}{in_colours}"


def _titled(puzzle: Puzzle, title: str) -> Puzzle:
    return replace(puzzle, title=title)  # type: ignore[type-var]


def pack() -> Pack[Packed]:
    """The pack that they are in; it lists none of them."""
    return Pack(GENERATED, TITLE, own.ICON, ())
