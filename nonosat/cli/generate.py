"""``nonosat generate``: random puzzles, by any generator of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count as numbers
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.commands import Exit, SearchCommand
from nonosat.cli.shared.output import format_repair, note, plural
from nonosat.errors import NonosatError, UnknownNameError, UnsupportedError
from nonosat.files import made_folder, shown, suffix_of
from nonosat.generators.registry import GENERATORS, Generator, Parameter, of_kind

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle
    from nonosat.runs.events import Stopped


# The options of the generators' parameters: one for each word. Generators may share a word.


_PREFIX = "parameter_"
"""Of the names that click knows the options by."""


class GenerateCommand(SearchCommand):
    """A command with the options of all generators, those of plug-ins too: they are made when they are needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's first two options, then those of the generators, then the rest."""
        own = super().get_params(ctx)
        return [*own[:2], *(_option(word, whose) for word, whose in _by_word().items()), *own[2:]]


def _by_word() -> dict[str, list[tuple[Generator, Parameter]]]:
    found: dict[str, list[tuple[Generator, Parameter]]] = {}
    for generator in GENERATORS.values():
        for parameter in generator.parameters:
            found.setdefault(parameter.word, []).append((generator, parameter))
    return found


def _option(word: str, whose: list[tuple[Generator, Parameter]]) -> click.Option:
    metavar = "|".join(dict.fromkeys(parameter.metavar for _, parameter in whose))
    meanings: dict[str, list[str]] = {}
    for generator, parameter in whose:
        meanings.setdefault(parameter.meaning, []).append(generator.name)
    meaning = "; ".join(f"{', '.join(names)}: {meaning}" for meaning, names in meanings.items())
    return click.Option(
        [f"--{word}", _name(word)],
        metavar=metavar,
        shell_complete=completion.nothing,
        help=f"{meaning[0].upper()}{meaning[1:]}.",
    )


def _name(word: str) -> str:
    return _PREFIX + word.replace("-", "_")


def chosen(kind: str | None, name: str | None, given: Mapping[str, Any]) -> Generator:
    """The generator of that name, or the first of that kind of puzzle that has the parameters ``given``.

    Without a kind the usual one's. If none has them all, the first of the kind, which then says so.
    """
    from nonosat.encodings.registry import MODEL
    from nonosat.puzzles.puzzle import KINDS, kind_of

    if name is None:
        first = of_kind((KINDS.first() if kind is None else kind_of(kind)).name)
        words = {word for word in _by_word() if given.get(_name(word)) is not None}
        same = (generator for generator in GENERATORS.values() if generator.kind == first.kind)
        return next((other for other in same if words <= {each.word for each in other.parameters}), first)
    generator = GENERATORS.named(name)
    if generator.kind == MODEL:
        raise UnsupportedError(f"the generator {name} makes models; name it in a study")
    if kind is not None and kind_of(kind).name != generator.kind:
        raise click.UsageError(f"--generator {name} makes puzzles of the kind {generator.kind}, not {kind}")
    return generator


def texts_of(generator: Generator, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The parameters' values as texts, as in names. Usage errors: one is missing, wrong, or another generator's."""
    own = {parameter.word for parameter in generator.parameters}
    for word, whose in _by_word().items():
        if given.get(_name(word)) is not None and word not in own:
            others = ", ".join(other.name for other, _ in whose)
            raise click.UsageError(f"--{word} is not for the generator {generator.name}, but for {others}")
    return generator.texts([_value(parameter, given.get(_name(parameter.word))) for parameter in generator.parameters])


def _value(parameter: Parameter, text: str | None) -> Any:
    if text is None and parameter.default is None:
        raise click.UsageError(f"--{parameter.word} is missing: {parameter.meaning}")
    try:
        return parameter.read(parameter.default if text is None else text)
    except ValueError as error:
        raise click.UsageError(f"--{parameter.word}: {error}") from None


# Boards: as they come, those that meet a criterion, or those that are changed until they meet it.


Board = tuple[int, "Puzzle", str | None]
"""A seed, its puzzle, and a note of what was changed (None: nothing was to be changed)."""


class Criterion(NamedTuple):
    """Which boards are wanted: ``unique``, ``3-solution``, ``line-solvable``, or of a difficulty; None: any.

    Other boards are passed over (``attempts`` in all, None: the default). With ``repair`` they are changed
    (``max_changes`` cells at most, None: the default); with ``give``, cells of them are given.
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

    def of(self, generator: Generator) -> Criterion:
        """The criterion for this generator: none if all its boards meet it. UnsupportedError: it cannot be judged."""
        if self.what is None or (self.what == "unique" and generator.unique):
            return Criterion(None, None, False, False, None)
        field = "repair" if self.repair else "give" if self.give else "judge"
        if not generator.has(field):
            option = self._option() if field == "judge" else f"--{field}"
            raise UnsupportedError(f"{option} is not for the generator {generator.name}")
        if field == "judge":
            self._check_judge(generator)
        return self

    def _check_judge(self, generator: Generator) -> None:
        """Refuse what the generator's judge does not know: some know labels only."""
        assert generator.judge is not None
        assert self.what is not None
        try:
            generator.judge(self.what)
        except UnknownNameError:
            if self._option().startswith("--label"):
                raise
            raise UnsupportedError(f"{self._option()} is not for the generator {generator.name}") from None

    def _option(self) -> str:
        """The option that names the criterion."""
        if self.what in ("unique", "line-solvable"):
            return f"--{self.what}"
        return "--solutions" if self.solutions > 1 else "--label or --technique"

    @property
    def solutions(self) -> int:
        """How many solutions a board is to have; 1 for criteria that do not name a number."""
        number = (self.what or "").removesuffix("-solution")
        return int(number) if number.isdigit() else 1


def boards_within(
    generator: Generator,
    texts: Sequence[str],
    seed: int,
    count: int,
    criterion: Criterion,
    limits: Mapping[str, Any],
    show: Ticker,
) -> Iterator[Board | Stopped]:
    """``boards`` under limits for all of them together; where one was reached, a ``Stopped`` comes last."""
    from nonosat.runs.run import values_within

    if all(limit is None for limit in limits.values()):
        yield from boards(generator, texts, seed, count, criterion, show)
        return
    arguments = generator.name, tuple(texts), seed, count, criterion
    for found, board in enumerate(values_within(_boards, arguments, limits), 1):
        yield board
        show(f"generating, {found:,} of {count:,} found")


def _boards(name: str, texts: Sequence[str], seed: int, count: int, criterion: Criterion) -> Iterator[Board]:
    """``boards`` in a process of its own, which has no terminal."""
    return boards(GENERATORS.named(name), texts, seed, count, criterion, lambda _: None)


def boards(
    generator: Generator, texts: Sequence[str], seed: int, count: int, criterion: Criterion, show: Callable[[str], None]
) -> Iterator[Board]:
    """``count`` boards, from that of ``seed`` on."""

    def drawn(number: int) -> Puzzle:
        show(f"generating, seed {number}")
        return generator.puzzle(texts, number)

    if criterion.chooses:
        return _chosen(generator, texts, drawn, seed, count, criterion, show)
    puzzles = ((number, drawn(number)) for number in range(seed, seed + count))
    if criterion.give:
        return _given(generator, puzzles, criterion)
    if criterion.repair:
        return _repaired(generator, puzzles, criterion)
    return ((number, puzzle, None) for number, puzzle in puzzles)


def _chosen(
    generator: Generator,
    texts: Sequence[str],
    drawn: Callable[[int], Puzzle],
    seed: int,
    count: int,
    criterion: Criterion,
    show: Callable[[str], None],
) -> Iterator[Board]:
    """The first boards from ``seed`` on that meet the criterion. UnsupportedError: too few; which density has more."""
    from nonosat.making.criteria import ATTEMPTS, accepted, advice

    assert generator.judge is not None
    assert criterion.what is not None
    name = "very hard" if criterion.what == "very-hard" else criterion.what
    judge = generator.judge(name)
    every = map(drawn, numbers(seed))
    try:
        for place, puzzle in accepted(every, judge, name, count, criterion.attempts or ATTEMPTS):
            yield seed + place, puzzle, None
    except UnsupportedError as error:
        raise UnsupportedError(f"{error}{advice(generator, texts, judge, show)}") from None


def _repaired(generator: Generator, puzzles: Iterable[tuple[int, Puzzle]], criterion: Criterion) -> Iterator[Board]:
    """The puzzles, changed until they meet the criterion. Their titles name seeds, so they tell that boards differ."""
    assert generator.repair is not None
    by_lines = criterion.what == "line-solvable"
    for number, puzzle in puzzles:
        try:
            done = generator.repair(puzzle, line_solvable=by_lines, max_changes=criterion.max_changes, seed=number)
        except UnsupportedError as error:
            raise UnsupportedError(f"seed {number}: {error}") from None
        changed = f", {plural(len(done.changes), 'cell')} changed" if done.changes else ""
        named: Any = replace(done.puzzle, title=f"{done.puzzle.title}{changed}")
        yield number, named, format_repair(done, by_lines)


def _given(generator: Generator, puzzles: Iterable[tuple[int, Puzzle]], criterion: Criterion) -> Iterator[Board]:
    """The puzzles, with cells given until they have as many solutions as wanted."""
    assert generator.give is not None
    for number, puzzle in puzzles:
        try:
            done = generator.give(puzzle, criterion.solutions, seed=number)
        except UnsupportedError as error:
            raise UnsupportedError(f"seed {number}: {error}") from None
        cells = puzzle.shape[0] * puzzle.shape[1]
        more = len(done.given) - len(puzzle.given)
        yield number, done, f"{criterion.what}, {more:,} of {cells:,} cells given ({100 * more / cells:.2g} %)"


# Boards are written as they come, with notes of what was changed in them.


@contextmanager
def new_folder(path: str) -> Iterator[Path]:
    """The folder ``path``, made before the work, so that an error comes early. It is removed if it stays empty."""
    missing = [folder for folder in (Path(path), *Path(path).parents) if not folder.exists()]
    try:
        yield made_folder(path)
    finally:
        for folder in missing:
            with suppress(OSError):  # there is something in it
                folder.rmdir()


class GeneratedBoards:
    """Boards as they come. ``stopped``: why there are no more, if a limit was reached or Ctrl-C came."""

    def __init__(self, found: Iterable[Board | Stopped]) -> None:
        self.found = found
        self.stopped: Stopped | None = None

    def __iter__(self) -> Iterator[Board]:
        from nonosat.runs.events import Stopped, Verdict

        boards = iter(self.found)
        while True:
            try:
                each = next(boards, None)
            except KeyboardInterrupt:
                each = Stopped(Verdict.INTERRUPTED, "interrupted")
            if isinstance(each, tuple):
                yield each
                continue
            self.stopped = each
            return


def saved_together(boards: GeneratedBoards, count: int, path: str, to_format: str, show: Ticker) -> list[int]:
    """Write all into the one file ``path`` at once, and then notes of what was changed; the seeds."""
    from nonosat.puzzles.formats import dumps, save

    made: list[Board] = []
    for board in boards:
        if not made:
            dumps([board[1]] * min(count, 50), to_format)  # a format for one says so before the others are made
        made.append(board)
    if made or boards.stopped is None:
        save([puzzle for _, puzzle, _ in made], path, to_format)
    show.hide()
    for number, _, changes in made:
        if changes is not None:
            note(f"seed {number}: {changes}")
    return [number for number, _, _ in made]


def saved(boards: GeneratedBoards, folder: Path, stem: str, ending: str, to_format: str, show: Ticker) -> list[int]:
    """Write a file for each board, as soon as it is there; the seeds."""
    from nonosat.puzzles.formats import save

    numbers = []
    for number, puzzle, changes in boards:
        path = folder / f"{stem}-s{number}{ending}"
        save(puzzle, path, to_format)
        numbers.append(number)
        if changes is not None:
            show.hide()
            note(f"{shown(path)}: {changes}")
    return numbers


@click.command("generate", cls=GenerateCommand)
@click.option(
    "--puzzle", "kind", metavar="KIND", shell_complete=completion.kinds, help="The kind of puzzle [default: nonogram]."
)
@click.option(
    "--generator",
    "name",
    metavar="NAME",
    shell_complete=completion.generators,
    help="One of `list generators` [default: the kind's first].",
)
@options.seed("Puzzle i gets seed + i.")
@options.number("How many puzzles.")
@options.unique("Only boards with a single solution.")
@options.line_solvable("Only boards that lines by themselves solve (these are unique, too).")
@click.option(
    "--label",
    metavar="LABEL",
    shell_complete=completion.labels,
    help="Only boards of this difficulty, such as medium; see `difficulty`, and docs/explain.md.",
)
@click.option(
    "--technique",
    metavar="NAME",
    shell_complete=completion.techniques,
    help="Only boards that take this technique of `explain`, and nothing harder.",
)
@click.option(
    "--solutions", type=click.IntRange(min=1), metavar="N", help="Only boards with exactly so many solutions."
)
@click.option("--attempts", type=click.IntRange(min=1), metavar="N", help="Boards to try in all [default: 10,000].")
@click.option("--repair", is_flag=True, help="Change cells until a board is as wanted, rather than try other seeds.")
@click.option("--give", is_flag=True, help="Give cells until a board is as wanted, rather than try other seeds.")
@options.max_changes("Of a board [default: a quarter].")
@options.limits("for all boards", "ends the search")
@options.out("DIR|FILE", "A folder for a file each, or a file for all, such as boards.json ('-': stdout).", default=".")
@options.to_format("Format to write [default: FILE's, or json].")
@click.pass_obj
def command(
    show: Ticker,
    /,
    kind: str | None,
    name: str | None,
    seed: int,
    count: int,
    limits: dict[str, Any],
    out: str,
    to_format: str | None,
    **given: Any,
) -> Exit:
    """Write random puzzles: nonograms of a given density, or skyscrapers of a given level.

    Cells are filled one by one, or with --style so that boards look like pictures. Puzzles have a solution by
    construction, perhaps several; those of some generators, such as skyscrapers, have one. With --unique, --solutions,
    --line-solvable, --label or --technique, boards that are not as wanted are passed over: seed after seed is tried, so
    that the boards are random ones, given that they are as wanted. That is of no use where such boards are rare; where
    there are too few, the error names densities that have some. With --give, as few cells as we can find are given from
    the start, until a random board is unique or has N solutions. With --repair, a board that is not as wanted has cells
    changed (the title says how many; the changes are printed). Both work at every density; repaired boards are not
    random ones any more. Exit code 0; where a limit is reached, those found before are written, and a line says that
    there are fewer.
    """
    what = _criterion_of(given)
    generator = chosen(kind, name, given)
    show("generating")
    from nonosat.puzzles.formats import format as format_named
    from nonosat.puzzles.formats import of_suffix

    _check_technique(given["technique"])
    texts = texts_of(generator, given)
    criterion = Criterion(what, *(given[word] for word in ("attempts", "repair", "give", "max_changes"))).of(generator)
    own = None if Path(out).is_dir() else of_suffix(suffix_of(out))
    if own is not None and not Path(out).parent.is_dir():  # before the work, not after it
        raise NonosatError(f"{shown(out)}: no such directory")
    target = format_named(to_format or (own.name if own else "json"))
    made = GeneratedBoards(boards_within(generator, texts, seed, count, criterion, limits, show))
    if out == "-" or own is not None:
        numbers = saved_together(made, count, out, target.name, show)
    else:
        stem = "-".join((generator.name, *texts))
        ending = f"{f'-{criterion.what}' if criterion.repair or criterion.give else ''}{target.suffixes[0]}"
        with new_folder(out) as folder:
            numbers = saved(made, folder, stem, ending, target.name, show)
    show.hide()
    if made.stopped is None and out != "-":
        tried = f", the first {criterion.what} ones from seed {seed} to {numbers[-1]}" if criterion.chooses else ""
        note(f"{out}: {plural(count, 'puzzle')} of {' '.join((generator.name, *texts))} ({target.name}){tried}")
    return _code(made, len(numbers), count)


def _code(made: GeneratedBoards, found: int, count: int) -> Exit:
    """The exit code; after a note, if a limit was reached. KeyboardInterrupt: Ctrl-C came."""
    from nonosat.runs.events import Verdict

    if made.stopped is None:
        return Exit.DONE
    note(f"{found:,} of {plural(count, 'puzzle')}: {made.stopped.reason}")
    if made.stopped.verdict is Verdict.INTERRUPTED:
        raise KeyboardInterrupt
    return Exit.NO_ANSWER


def _criterion_of(given: dict[str, Any]) -> str | None:
    """The criterion for boards, as in ``Criterion``; None: there is none. Usage errors."""
    solutions = given["solutions"]
    exactly = None if solutions is None else "unique" if solutions == 1 else f"{solutions}-solution"
    criteria = ["unique"] * given["unique"] + ["line-solvable"] * given["line_solvable"]
    criteria += [criterion for criterion in (given["label"], given["technique"], exactly) if criterion is not None]
    _check_criteria(criteria, given["attempts"], given["repair"], given["give"], given["max_changes"])
    return criteria[0] if criteria else None


def _check_technique(name: str | None) -> None:
    """Refuse an unknown technique before anything is made."""
    from nonosat.explanations.techniques import TECHNIQUES

    if name is not None:
        TECHNIQUES.named(name)


def _check_criteria(
    criteria: list[str], attempts: int | None, repair: bool, give: bool, max_changes: int | None
) -> None:
    """Usage errors: options that exclude, or need, each other."""
    number = [criterion for criterion in criteria if criterion == "unique" or criterion.endswith("-solution")]
    if len(criteria) > 1:
        raise click.UsageError("--unique, --solutions, --line-solvable, --label and --technique exclude each other")
    if repair and give:
        raise click.UsageError("--repair and --give exclude each other")
    if repair and criteria not in (["unique"], ["line-solvable"]):
        raise click.UsageError("--repair needs --unique or --line-solvable")
    if give and not number:
        raise click.UsageError("--give needs --unique or --solutions")
    if max_changes is not None and not repair:
        raise click.UsageError("--max-changes needs --repair")
    if attempts is not None and (repair or give or not criteria):
        raise click.UsageError(
            "--attempts needs --unique, --solutions, --line-solvable, --label or --technique; not --repair or --give"
        )
