"""Make: draw or type a puzzle, see at once what it is, repair, keep, share and print it."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route

from nonosat.app import making, own, requests
from nonosat.app.answers import reading, writing
from nonosat.app.game import PlayStore
from nonosat.app.jobs import call_isolated
from nonosat.app.requests import Body, RequestError
from nonosat.errors import FormatError, PuzzleError
from nonosat.puzzles.formats.share import shared

MOST_PRINTED = 100
DRAWS = ("matplotlib.backends.backend_pdf", "matplotlib.figure", "matplotlib.font_manager", "PIL.ImageFont")
"""What booklets and drawings load; images and texts need not wait for it."""


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Load what an analysis needs while nobody waits for it."""
    threading.Thread(target=_warm, daemon=True).start()
    yield


def _warm() -> None:
    from nonosat.making.editing import warm

    warm()


def _progress(request: Request) -> PlayStore:
    found: PlayStore = request.app.state.progress
    return found


def analyse(request: Request, body: Body) -> object:
    """What there is to say of a puzzle as it is drawn or typed now; ``fault``: why its clues are none."""
    try:
        puzzle = making.made(body)
    except (FormatError, PuzzleError) as error:
        return {"fault": str(error)}  # nothing is wrong with the request: somebody is still typing
    return making.analysed(puzzle, drawn="cells" in body)


def changes(request: Request, body: Body) -> object:
    """More of the changes that make the puzzle unique, as the analysis began them."""
    return making.changed(making.made(body))


def repair(request: Request, body: Body) -> object:
    """The puzzle with few cells changed, so that it is unique, or solvable by lines."""
    return call_isolated(making.repaired, making.made(body), body.get("by_lines") is True, wall_s=making.REPAIR_S)


def read(request: Request, body: Body) -> object:
    """The puzzles in a text of any format, a shared string or a link; ``draft``: where Make has the first already."""
    puzzles = call_isolated(making.read, requests.text(body, "text", longest=making.LONGEST))
    known = own.same_draft(_progress(request), puzzles[0], making.made) if body.get("made") is True else None
    return {"puzzles": puzzles, "draft": known}


def image(request: Request, body: Body) -> object:
    """The picture in an image, for a preview or to go on with."""
    return call_isolated(making.of_image, *making.image(body), preload=("PIL.ImageOps",))


def bitmap(request: Request, body: Body) -> object:
    """An image as PNG."""
    return call_isolated(making.as_png, making.data_of(body), preload=("PIL.ImageOps",))


def export(request: Request, body: Body) -> object:
    """A file of the puzzle."""
    puzzle = making.made(body)
    return call_isolated(
        making.exported, puzzle, requests.choice(body, "format", tuple(making.exports(puzzle))), preload=DRAWS
    )


def formats(request: Request, body: Body) -> object:
    """What the puzzle can be written as; nothing, while its clues are none."""
    try:
        return making.exports(making.made(body))
    except (FormatError, PuzzleError):
        return []


def share(request: Request, body: Body) -> object:
    """The puzzle as a short string."""
    return {"share": shared(making.made(body))}


def page(request: Request, body: Body) -> object:
    """The puzzle as a page to play alone."""
    return making.played_alone(making.made(body))


def mine(request: Request) -> object:
    """The puzzles that were entered or made; the newest with their picture, where they have one that may be seen."""
    cards = own.cards(_progress(request))
    small = [card for card in cards[: own.MOST_PICTURES] if card.height * card.width <= own.MOST_CELLS]
    pictures = own.pictures(_progress(request), [card.id for card in small if not card.secret])

    def shown(card: own.Card) -> Body:
        picture = pictures.get(card.id)
        return {**card._asdict(), "picture": picture and {**picture, "width": card.width}}

    return [shown(card) for card in cards]


def one(request: Request) -> object:
    """One of them."""
    return making.puzzle_json(own.get(_progress(request), own.number_of(request.path_params["number"])))


def save(request: Request, body: Body) -> object:
    """Keep a puzzle, as a new one or in place of ``id``; the ``draft`` that it was is gone then.

    ``received``: it is somebody else's, to be played; one that is there already is not kept twice (``there``).
    """
    number = None if body.get("id") is None else requests.integer(body, "id", 1, 2**53)
    draft = requests.text(body, "draft", "")
    received = body.get("received") is True
    puzzle, progress = making.made(body), _progress(request)
    if received and (there := own.same(progress, puzzle)) is not None:
        return {"id": there, "there": True}
    return {"id": own.save(progress, puzzle, number, draft, received)}


def delete(request: Request, body: Body) -> object:
    """Forget one."""
    own.delete(_progress(request), requests.integer(body, "id", 1, 2**53))
    return {}


def draft(request: Request, body: Body) -> object:
    """Keep a draft."""
    return own.keep_draft(_progress(request), making.draft(body), *requests.sender(body))


def drafts(request: Request) -> object:
    """The drafts that are kept."""
    return own.drafts(_progress(request))


def one_draft(request: Request) -> object:
    """One of them, as it was sent."""
    return own.draft(_progress(request), request.path_params["name"])


def discard(request: Request, body: Body) -> object:
    """Forget a draft."""
    own.delete_draft(_progress(request), requests.text(body, "draft"))
    return {}


def booklet(request: Request, body: Body) -> object:
    """A booklet of the puzzle, or of those with these ``ids``."""
    paper = requests.text(body, "paper", "A4")
    title = requests.text(body, "title", "")
    if body.get("ids") is None:
        return call_isolated(making.printed, [making.made(body)], "", paper, preload=DRAWS)
    ids = requests.integers(body["ids"], '"ids"')
    if not 1 <= len(ids) <= MOST_PRINTED:
        raise RequestError(f"a booklet has 1 to {MOST_PRINTED} puzzles")
    puzzles = [own.get(_progress(request), number) for number in ids]
    return call_isolated(making.printed, puzzles, title, paper, preload=DRAWS)


def _post(name: str, function: object) -> Route:
    return Route(f"/api/make/{name}", writing(function), methods=["POST"])  # type: ignore[arg-type]


ROUTES = [
    Route("/api/make/own", reading(mine)),
    Route("/api/make/own/{number}", reading(one)),
    Route("/api/make/drafts", reading(drafts)),
    Route("/api/make/drafts/{name}", reading(one_draft)),
    *(_post(function.__name__, function) for function in (analyse, changes, repair, read, image, bitmap, export)),
    *(_post(function.__name__, function) for function in (formats, share, page, save, delete, booklet, draft, discard)),
]
