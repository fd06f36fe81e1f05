"""Play: packs, their puzzles, and the game itself."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from nonosat.app import generated, own, requests
from nonosat.app.answers import reading, writing
from nonosat.app.game import PlayStore, goal_of, handle, opened
from nonosat.app.packs import GENERATED, MINE, Pack, Packed, PackEntry
from nonosat.app.requests import Body, RequestError
from nonosat.app.wire import Cells, picture_shades, puzzle_to_wire

LAST = 3
"""Boards that are offered to go on with."""
MOST_BEGUN = 100
"""Of all that were begun, those that were played last."""
TITLES = {GENERATED: generated.TITLE, MINE: own.TITLE}
"""Of the packs that are no files."""


def _progress(request: Request) -> PlayStore:
    found: PlayStore = request.app.state.progress
    return found


def _pack(request: Request, name: str) -> Pack[Packed]:
    known: dict[str, Pack[Packed]] = request.app.state.packs
    if name not in known:
        raise RequestError("no such pack", 404)
    return known[name]


def _cards(request: Request, name: str) -> Pack[Any]:
    """A pack of which cards are shown."""
    if name == GENERATED:
        return generated.pack()
    return own.pack(_progress(request)) if name == MINE else _pack(request, name)


def _packed(request: Request, pack: str, name: str) -> Packed:
    """A puzzle as it is played."""
    if pack == GENERATED:
        return generated.puzzle_of(name)
    return own.packed(_progress(request), name) if pack == MINE else _pack(request, pack).find(name)


def _shelved(request: Request, pack: str, name: str) -> PackEntry:
    """A puzzle as a card of its board shows it: nothing is generated or solved for that."""
    if pack == GENERATED:
        return generated.shelved(name)
    return own.shelved(_progress(request), name) if pack == MINE else _pack(request, pack).find(name)


def all_packs(request: Request) -> object:
    """The cards of the packs, with how many of their puzzles are solved; one's own come last, if there are any."""
    made = own.pack(_progress(request))
    shown = [*request.app.state.packs.values(), *([made] if made.puzzles else [])]
    return [_card(_progress(request), found) for found in shown]


def _card(progress: PlayStore, found: Pack[Any]) -> Body:
    plays = progress.summary(found.name)
    solved = sum(bool(won) for _, won, _ in plays.values())
    count = len(found.puzzles)
    share = 100 * solved // max(1, count)
    shapes = sorted({packed.shape for packed in found.puzzles}, key=lambda shape: (shape[0] * shape[1], shape))
    return {
        "name": found.name,
        "title": found.title,
        "icon": found.icon,
        "count": count,
        "solved": solved,
        "percent": share,
        "shapes": [shapes[0], shapes[-1]] if shapes else [],
        "labels": list(dict.fromkeys(packed.label for packed in found.puzzles if packed.label)),
        "kinds": list(dict.fromkeys(packed.kind for packed in found.puzzles)),
    }


def one_pack(request: Request) -> object:
    """A pack's puzzles: grey, silver or gold, started or not; what is solved shows its picture."""
    progress = _progress(request)
    found = _cards(request, request.path_params["pack"])
    plays = progress.summary(found.name)
    boards = progress.under_way(found.name)
    pictures = _pictures(progress, found, [name for name, (_, won, _) in plays.items() if won])
    cards = []
    for packed in found.puzzles:
        state, won, seconds = plays.get(packed.name, ("untouched", "", 0.0))
        height, width = packed.shape
        card: Body = {
            "name": packed.name,
            "title": packed.title,
            "label": packed.label,
            "kind": packed.kind,
            "secret": packed.secret,
        }
        card |= {"height": height, "width": width, "state": state, "won": won, "seconds": seconds}
        card["share"] = _share(packed, boards.get((found.name, packed.name)))
        cards.append(card | ({"picture": pictures.get(packed.name)} if won else {}))
    return {**_card(progress, found), "puzzles": cards}


def _share(entry: PackEntry, cells: Cells | None) -> float:
    """How much of a board that is under way is done: of the cells that are to be filled, or of all."""
    if cells is None:
        return 0.0
    filled = entry.filled
    done, all_of_it = ((cells >= 0).sum(), cells.size) if filled is None else ((cells > 0).sum(), filled)
    return min(1.0, round(float(done) / max(1, all_of_it), 3))


def last(request: Request) -> object:
    """The boards that were played last and are not solved, with their cells; one whose puzzle is gone is left out."""
    return _under_way(request, LAST)


def begun(request: Request) -> object:
    """As ``last``, of all that were begun."""
    return _under_way(request, MOST_BEGUN)


def _under_way(request: Request, most: int) -> list[Body]:
    progress = _progress(request)
    shown: list[Body] = []
    for (pack, name), cells in progress.under_way(most=most).items():
        with suppress(RequestError):
            entry = _shelved(request, pack, name)
            height, width = entry.shape
            if cells.size != height * width:
                continue
            shown.append(
                {
                    "pack": pack,
                    "shelf": TITLES.get(pack) or _pack(request, pack).title,
                    "name": entry.name,
                    "title": entry.title,
                    "secret": entry.secret,
                    "label": entry.label,
                    "kind": entry.kind,
                    "height": height,
                    "width": width,
                    "share": _share(entry, cells),
                    "cells": cells.tolist(),
                    "palette": entry.palette,
                }
            )
    return shown


def _pictures(progress: PlayStore, found: Pack[Any], names: list[str]) -> dict[str, Body | None]:
    """The pictures of these puzzles of a pack; those of one's own puzzles are kept, and none of them is read."""
    if found.name == MINE:
        kept = own.pictures(progress, [own.number_of(name) for name in names])
        return {str(number): shown for number, shown in kept.items()}
    return {packed.name: picture(packed) for packed in found.puzzles if packed.name in names}


def picture(packed: Packed) -> Body | None:
    """The solved puzzle: shades, blank first, and a flat list of cells."""
    goal = goal_of(packed.puzzle)
    if packed.picture is not None:
        return packed.picture
    shades = picture_shades(packed.puzzle)
    return None if goal is None or shades is None else {"palette": shades, "cells": goal.tolist()}


def one_puzzle(request: Request) -> object:
    """A puzzle and how far it is; its solution, where lives hang on it."""
    found = _cards(request, request.path_params["pack"])
    packed = _packed(request, found.name, request.path_params["puzzle"])
    play = opened(_progress(request), (found.name, packed.name), packed)
    goal = goal_of(packed.puzzle)
    names = [other.name for other in found.puzzles]
    place = names.index(packed.name) + 1 if packed.name in names else len(names)  # it was made or deleted just now
    return {
        "puzzle": puzzle_to_wire(packed.puzzle),
        "label": packed.label,
        "secret": packed.secret,
        "lives": packed.lives,
        "goal": None if goal is None else goal.tolist(),
        "picture": picture(packed),
        "play": play,
        "lesson": packed.lesson,
        "pack": found.title,
        "next": names[place] if place < len(names) else None,
    }


def new(request: Request, body: Body) -> object:
    """A new puzzle: its name in the pack of those that are generated."""
    return generated.generated(body)


def do(request: Request, body: Body) -> object:
    """A move or another turn of the game."""
    pack = requests.text(body, "pack")
    packed = _packed(request, pack, requests.text(body, "puzzle"))
    return handle(_progress(request), (pack, packed.name), packed, body)


ROUTES = [
    Route("/api/play/packs", reading(all_packs)),
    Route("/api/play/last", reading(last)),
    Route("/api/play/begun", reading(begun)),
    Route("/api/play/packs/{pack}", reading(one_pack)),
    Route("/api/play/packs/{pack}/{puzzle}", reading(one_puzzle)),
    Route("/api/play/new", writing(new), methods=["POST"]),
    Route("/api/play/do", writing(do), methods=["POST"]),
]
