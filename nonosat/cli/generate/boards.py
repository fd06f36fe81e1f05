"""The boards that were asked for: as they come, those that are as wished, or repaired until they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count as numbers
from typing import TYPE_CHECKING, NamedTuple

from nonosat.cli.shared.repairs import told_repair
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.generators.registry import GENERATORS

if TYPE_CHECKING:
    from nonosat.generators.registry import Generator
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle
    from nonosat.solvers.answer import Stopped

Board = tuple[int, "Puzzle", str | None]
"""A seed, its puzzle, and what was changed, for people (None: nothing was to be)."""


class Wish(NamedTuple):
    """Which boards are wanted: ``unique``, ``3-solution``, ``line-solvable``, or of a difficulty; None: any.

    Boards that are not are passed over (``attempts`` in all, None: the default), or with ``repair`` changed
    (``max_changes`` cells at most, None: the default), or with ``give`` have cells given.
    """

    what: str | None
    attempts: int | None
    repair: bool
    give: bool
    max_changes: int | None

    @property
    def chooses(self) -> bool:
        """Are boards passed over?"""
        return self.what is not None and not (self.repair or self.give)

    def of(self, generator: Generator) -> Wish:
        """The wish, of this generator: none where it comes true by itself. UnsupportedError: it can't be told."""
        if self.what is None or (self.what == "unique" and generator.unique):
            return Wish(None, None, False, False, None)
        field = "repair" if self.repair else "give" if self.give else "judge"
        if not generator.has(field):
            asked = self._asked() if field == "judge" else f"--{field}"
            raise UnsupportedError(f"{asked} is not for the generator {generator.name}")
        if field == "judge":
            self._known_to(generator)
        return self

    def _known_to(self, generator: Generator) -> None:
        """The generator's judge may know labels only; a label that nobody knows is told as such."""
        assert generator.judge is not None
        assert self.what is not None
        try:
            generator.judge(self.what)
        except UnknownNameError:
            if self._asked().startswith("--label"):
                raise
            raise UnsupportedError(f"{self._asked()} is not for the generator {generator.name}") from None

    def _asked(self) -> str:
        """The option that says what is wanted."""
        if self.what in ("unique", "line-solvable"):
            return f"--{self.what}"
        return "--solutions" if self.solutions > 1 else "--label or --technique"

    @property
    def solutions(self) -> int:
        """How many solutions a board is to have; 1 for wishes that do not say so."""
        number = (self.what or "").removesuffix("-solution")
        return int(number) if number.isdigit() else 1


def boards_within(
    generator: Generator,
    texts: Sequence[str],
    seed: int,
    count: int,
    wish: Wish,
    limits: Mapping[str, float | None],
    show: Ticker,
) -> Iterator[Board | Stopped]:
    """``boards`` under limits on all of them together; where one was reached, a ``Stopped`` comes last."""
    from nonosat.solvers.running import values_within

    if all(limit is None for limit in limits.values()):
        yield from boards(generator, texts, seed, count, wish, show)
        return
    for found, board in enumerate(values_within(_boards, (generator.name, tuple(texts), seed, count, wish), limits), 1):
        yield board
        show(f"generating, {found:,} of {count:,} found")


def _boards(name: str, texts: Sequence[str], seed: int, count: int, wish: Wish) -> Iterator[Board]:
    """``boards`` in a process of its own, which has no terminal."""
    return boards(GENERATORS.named(name), texts, seed, count, wish, lambda _: None)


def boards(
    generator: Generator, texts: Sequence[str], seed: int, count: int, wish: Wish, show: Callable[[str], None]
) -> Iterator[Board]:
    """``count`` boards, from that of ``seed`` on."""

    def drawn(number: int) -> Puzzle:
        show(f"generating, seed {number}")
        return generator.puzzle(texts, number)

    if wish.chooses:
        return _chosen(generator, texts, drawn, seed, count, wish, show)
    puzzles = ((number, drawn(number)) for number in range(seed, seed + count))
    if wish.give:
        return _given(generator, puzzles, wish)
    return _repaired(generator, puzzles, wish) if wish.repair else ((number, made, None) for number, made in puzzles)


def _chosen(
    generator: Generator,
    texts: Sequence[str],
    drawn: Callable[[int], Puzzle],
    seed: int,
    count: int,
    wish: Wish,
    show: Callable[[str], None],
) -> Iterator[Board]:
    """The first boards from ``seed`` on that are as wished. UnsupportedError: too few, and which density has more."""
    from nonosat.generators.densities import advice
    from nonosat.generators.rejection import ATTEMPTS, accepted

    assert generator.judge is not None
    assert wish.what is not None
    name = "very hard" if wish.what == "very-hard" else wish.what
    judge = generator.judge(name)
    every = map(drawn, numbers(seed))
    try:
        for place, puzzle in accepted(every, judge, name, count, wish.attempts or ATTEMPTS):
            yield seed + place, puzzle, None
    except UnsupportedError as error:
        raise UnsupportedError(f"{error}{advice(generator, texts, judge, show)}") from None


def _repaired(generator: Generator, puzzles: Iterable[tuple[int, Puzzle]], wish: Wish) -> Iterator[Board]:
    """The puzzles, changed until they are as wished."""
    assert generator.repair is not None
    by_lines = wish.what == "line-solvable"
    for number, puzzle in puzzles:
        try:
            done = generator.repair(puzzle, by_lines=by_lines, max_changes=wish.max_changes, seed=number)
        except UnsupportedError as error:
            raise UnsupportedError(f"seed {number}: {error}") from None
        yield number, done.puzzle, told_repair(done, by_lines)


def _given(generator: Generator, puzzles: Iterable[tuple[int, Puzzle]], wish: Wish) -> Iterator[Board]:
    """The puzzles, with cells given until they have as many solutions as wanted."""
    assert generator.give is not None
    for number, puzzle in puzzles:
        try:
            done = generator.give(puzzle, wish.solutions, seed=number)
        except UnsupportedError as error:
            raise UnsupportedError(f"seed {number}: {error}") from None
        cells = puzzle.shape[0] * puzzle.shape[1]
        more = len(done.given) - len(puzzle.given)
        yield number, done, f"{wish.what}, {more:,} of {cells:,} cells given ({100 * more / cells:.2g} %)"
