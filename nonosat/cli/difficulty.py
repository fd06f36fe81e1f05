"""``nonosat difficulty``: how hard a puzzle is for somebody who reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import exits, options
from nonosat.cli.shared.output import plural, titled
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources, files_argument
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.explain.measures import Explained
    from nonosat.puzzles.puzzle import Puzzle
    from nonosat.solvers.propagation.difficulty import Difficulty


@click.command("difficulty")
@files_argument
@click.option(
    "--time-limit", type=options.POSITIVE, default=10.0, show_default=True, metavar="S", help="Wall seconds a search."
)
@click.option(
    "--explained", is_flag=True, help="Tell the hardest technique of its explanation, and steps by technique."
)
@options.output
@options.index
@options.from_format
def command(
    files: tuple[str, ...], time_limit: float, explained: bool, output: str, index: int | None, from_format: str | None
) -> int:
    """How hard is the puzzle in FILES for somebody who reasons, and which kind of reasoning does it take?

    By lines alone: the number of sweeps (all rows, all columns, all rows, ..) until the board is full, as in Batenburg,
    Henstra, Kosters and Palenstijn 2009, and Batenburg and Kosters 2012. By probing, where lines are stuck: each value
    of a cell is tried for what it implies (Wu et al. 2013); the number of rounds over all cells. By guessing, where
    probing is stuck: the size and depth of a search tree.

    Labels (ours): trivial (up to 2 sweeps), easy (10), medium (30), long; hard (probing); very hard (up to 3 guesses
    deep), extreme (deeper, or the time limit came first); ambiguous (several solutions), unsolvable. With --explained,
    what `nonosat explain` takes is told beside: a label from that (docs/explain.md), the hardest technique, steps by
    technique, lines of the widest step. Of puzzles that are no nonograms that is all there is to tell.

    FILES may be folders, too. Of several puzzles a line each is printed, or a JSON object each on a line; what can't be
    read is told on stderr, and is exit code 2 in the end.
    """
    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.puzzles.nonogram import Nonogram
        from nonosat.solvers.propagation.difficulty import difficulty

        sources = Sources(files, from_format, index, show)
        measured, late = [], 0
        for asked in sources:
            with sources.told(asked.label):
                sources.showing("measuring")
                by_steps_alone = explained and not isinstance(asked.puzzle, Nonogram)
                about = None if by_steps_alone else difficulty(asked.puzzle, time_limit)
                told = _explained(asked.puzzle, time_limit, sources) if explained else None
                measured.append(about.label if about else told.label or "not finished" if told else "")
                late += about is not None and about.solutions is None
                show.hide()
                if output == "json":
                    _print_json(about, told, asked)
                elif sources.several:
                    _print_line(about, told, asked)
                else:
                    _print_table(about, told)
    if output == "text" and sources.several and measured:
        _print_summary(measured, late)
    return sources.code(exits.DONE)


def _explained(puzzle: Puzzle, time_limit: float, sources: Sources) -> Explained:
    from nonosat.explain.measures import explained

    sources.showing("explaining")
    return explained(puzzle, time_limit)


def _print_json(about: Difficulty | None, told: Explained | None, asked: LocatedPuzzle) -> None:
    import json
    from dataclasses import asdict

    title = {"title": asked.puzzle.title} if asked.puzzle.title else {}
    measured = {} if about is None else asdict(about)
    by_technique = {} if told is None else {"explained": asdict(told)}
    numbered = {"file": asked.file} | ({} if asked.index is None else {"index": asked.index})
    print(json.dumps({**measured, **by_technique, **title, **numbered}, ensure_ascii=False), flush=True)


def _print_line(about: Difficulty | None, told: Explained | None, asked: LocatedPuzzle) -> None:
    measured = [] if about is None else [f"{about.label} · {_effort(about)}, {_solutions(about)}"]
    by = [] if told is None else [f"explained {told.label or 'in part'}{f', {told.hardest}' if told.hardest else ''}"]
    print(f"{asked.label}: {'; '.join([*measured, *by])}{titled(asked.puzzle)}", flush=True)


def _print_summary(labels: list[str], late: int) -> None:
    from collections import Counter

    counts = Counter(labels).most_common()
    settled = f"; {late} not settled in time" if late else ""
    print(f"{len(labels)} puzzles: {', '.join(f'{count} {label}' for label, count in counts)}{settled}")


def _print_table(about: Difficulty | None, told: Explained | None) -> None:
    """What is known of one puzzle."""
    rows = [] if about is None else _measures(about)
    if told is not None:
        end = "" if told.finished else ", not finished in time"
        rows += [
            ("explained", told.label or "not known"),
            ("hardest", f"{told.hardest or 'nothing'}{end}"),
            ("steps", ", ".join(f"{count:,} {name}" for name, count in told.steps.items())),
            ("widest step", plural(told.widest, "line" if about else "constraint")),
        ]
    print("\n".join(f"{name:12}{text}" for name, text in rows))


def _measures(about: Difficulty) -> list[tuple[str, str]]:
    return [
        ("difficulty", about.label),
        ("reasoning", about.kind),
        ("solutions", _solutions(about)),
        ("lines", f"{plural(about.sweeps, 'sweep')}, {plural(about.lines_checked, 'line')} checked"),
        ("left open", f"{about.open_cells:,} of {plural(about.cells, 'cell')}"),
        ("probing", f"{plural(about.rounds, 'round')}, {plural(about.probes, 'probe')}"),
        ("search", f"{plural(about.nodes, 'node')}, {about.depth:,} deep"),
    ]


def _solutions(about: Difficulty) -> str:
    return {0: "no solution", 1: "a single solution", 2: "several solutions"}.get(
        -1 if about.solutions is None else about.solutions, "not settled in time"
    )


def _effort(about: Difficulty) -> str:
    """The measure that goes with the kind of reasoning."""
    if about.kind == "lines":
        return f"lines, {plural(about.sweeps, 'sweep')}"
    if about.kind == "probing":
        return f"probing, {plural(about.rounds, 'round')}"
    return f"guessing, {plural(about.nodes, 'node')}, {about.depth:,} deep"
