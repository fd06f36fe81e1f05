"""``nonosat print``: puzzles as a booklet on paper."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.commands import Exit, SearchCommand
from nonosat.cli.shared.output import note
from nonosat.cli.shared.puzzles import Sources
from nonosat.errors import NonosatError, UnknownNameError, UnsupportedError

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Board, Puzzle


@click.command("print", cls=SearchCommand)
@options.files
@options.out("OUT", "The booklet: .pdf ('-': stdout).", required=True)
@options.title("A heading for the first page.")
@click.option(
    "--paper",
    default="A4",
    show_default=True,
    metavar="NAME",
    shell_complete=completion.papers,
    help="A4, Letter or A3.",
)
@click.option("--titles", is_flag=True, help="Print titles next to the puzzles, too; they give the picture away.")
@click.option(
    "--order",
    type=click.Choice(["given", "size", "difficulty"]),
    default="given",
    show_default=True,
    help="Of the puzzles. By difficulty: as `difficulty` labels nonograms, and `difficulty --explained` others.",
)
@click.option("--cover", is_flag=True, help="A first page with the title, and how many puzzles of which sizes.")
@click.option("--contents", is_flag=True, help="A list of the puzzles with their pages.")
@click.option(
    "--duplex", is_flag=True, help="For both sides of the paper: right-hand beginnings, room for the binding."
)
@click.option("--no-solutions", is_flag=True, help="Print no solutions at the end.")
@options.limits("to solve a puzzle", time_limit=10.0)
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    files: tuple[str, ...],
    out: str,
    title: str,
    paper: str,
    titles: bool,
    order: str,
    cover: bool,
    contents: bool,
    duplex: bool,
    no_solutions: bool,
    limits: dict[str, Any],
    from_format: str | None,
) -> Exit:
    """Print the puzzles in FILES as a booklet to OUT, several a page where they fit, then their solutions.

    Next to a puzzle stand its number, its size and, if that is the order, its difficulty; titles stand with the
    solutions.
    FILES may be folders, too; what can't be read, or is too large for the paper, is named and left out, and the exit
    code is 2 then. So is a solution
    that is not found within the limits; the exit code is 0. Puzzles with several solutions, or none, are named. Vectors
    on A4, Letter or A3; clues in colours have letters too.
    """
    from nonosat.files import shown, suffix_of, write_atomically
    from nonosat.printing.booklet import PAPERS, booklet, refuse_large

    if paper not in PAPERS:  # before a large folder is read
        raise UnknownNameError("paper", paper, list(PAPERS))
    if out != "-" and suffix_of(out) != ".pdf":
        raise UnsupportedError(f"{shown(out)}: prints .pdf")
    sources = Sources(files, from_format, None, show)
    found = []
    for located in sources:
        with sources.guarded(located.label):
            refuse_large(located.puzzle, paper)
            found.append(located)
    puzzles = [located.puzzle for located in found]
    names = {id(each.puzzle): shown(each.file) + (f" {each.index}" if each.index else "") for each in found}
    if not puzzles:  # each file was named with its error
        return sources.code(Exit.DONE)
    puzzles, notes = _ordered(puzzles, order, limits, show)
    boards: list[Board | None] = []
    several = set()
    for number, puzzle in enumerate(puzzles if not no_solutions else [], 1):
        show(f"solving {number} of {len(puzzles)}")
        board, others = _solution(puzzle, limits, names[id(puzzle)], show)
        boards.append(board)
        several |= {number} if others else set()
    show("printing")
    data = booklet(
        puzzles,
        boards,
        title,
        paper,
        titles=titles,
        cover=cover,
        contents=contents,
        duplex=duplex,
        notes=notes,
        several=several,
    )
    write_atomically(out, data)
    return sources.code(Exit.DONE)


def _ordered(puzzles: list[Puzzle], order: str, limits: dict[str, Any], show: Ticker) -> tuple[list[Puzzle], list[str]]:
    """The puzzles in their order, and the label of each, if that is by difficulty."""
    if order != "difficulty":
        key = {"given": lambda puzzle: 0, "size": lambda puzzle: puzzle.shape[0] * puzzle.shape[1]}[order]
        return sorted(puzzles, key=key), []
    from nonosat.explanations.measures import LABELS
    from nonosat.making.criteria import LINE_LABELS

    harder, found = (*LINE_LABELS, *LABELS), []  # of `difficulty` and of explanations, easy first
    for number, puzzle in enumerate(puzzles, 1):
        show(f"trying how hard {number} of {len(puzzles)} is")
        label, work = _measured(puzzle, limits)
        rank = harder.index(label) if label else len(harder)
        found.append(((rank, *work, puzzle.shape[0] * puzzle.shape[1]), label, puzzle))
    found.sort(key=lambda each: each[0])
    return [puzzle for _, _, puzzle in found], [label for _, label, _ in found]


def _measured(puzzle: Puzzle, limits: dict[str, Any]) -> tuple[str, tuple[int, int]]:
    """A label of difficulty, and what tells puzzles of one label apart. "": it is not known, or not found in time."""
    from nonosat.explanations.measures import explained
    from nonosat.solvers.propagation.difficulty import difficulty

    with suppress(UnsupportedError):  # it is for nonograms
        about = difficulty(puzzle, **limits)
        return about.label, (about.nodes, about.rounds + about.sweeps)
    with suppress(UnsupportedError):  # a kind may have no explanations
        steps = explained(puzzle, **limits)
        return steps.label or "", (steps.widest, sum(steps.steps.values()))
    return "", (0, 0)


def _solution(puzzle: Puzzle, limits: dict[str, Any], name: str, show: Ticker) -> tuple[Board | None, bool]:
    """Its goal, if that is right, or what the default solver finds, and whether there are others.

    A line says that there is none, or another.
    """
    from nonosat.puzzles.puzzle import fault
    from nonosat.runs.events import Verdict
    from nonosat.solvers.solve import solve

    picture = puzzle.goal if puzzle.goal is not None and fault(puzzle, puzzle.goal) is None else None
    several, none = False, False
    try:
        answer = solve(puzzle, unique=True, **limits)
    except NonosatError as error:
        show.hide()
        note(f"{name}: {error}")
    else:
        picture = picture or answer.picture
        several, none = len(answer.pictures) > 1, answer.verdict is Verdict.UNSAT
    if picture is None or several:
        show.hide()
        found = "it has several solutions; one is printed" if several else "it has no solution" if none else ""
        note(f"{name}: {found or 'no solution was found, and none is printed'}")
    return picture, several
