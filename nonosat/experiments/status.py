"""How far a study is, cell by cell: what is stored, and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from nonosat.errors import UnknownNameError
from nonosat.experiments.entries import Generated
from nonosat.experiments.plan import Group, Run
from nonosat.experiments.puzzles import parameters_of
from nonosat.experiments.session import Shard, planned
from nonosat.experiments.store import Reader
from nonosat.experiments.study import Study
from nonosat.generators.registry import GENERATORS
from nonosat.solvers.answer import Verdict

LEFT = "left"

BY: dict[str, Callable[[Group, Run], str]] = {
    "encoding": lambda group, run: group.written or "-",
    "solver": lambda group, run: run.solver.name,
    "source": lambda group, run: group.instance.source,
    "repetition": lambda group, run: str(run.repetition),
}
"""What a table may be made by, beside the parameters of the study's generators."""


@dataclass
class Status:
    """``cells``: outcomes and what is left, by the values of ``by``; ``strangers``: stored, and not of the study."""

    by: tuple[str, ...]
    cells: dict[tuple[str, ...], Counter[str]] = field(default_factory=dict)
    strangers: int = 0

    @property
    def total(self) -> Counter[str]:
        """All cells together."""
        return sum(self.cells.values(), Counter())


def status(study: Study, reader: Reader, by: Sequence[str], shard: Shard | None = None) -> Status:
    """The state of ``study`` (or of a shard of it) in its store. UnknownNameError: nothing to make a table by."""
    words = parameters(study)
    for name in by:
        if name not in BY and name not in words:
            raise UnknownNameError("column", name, [*BY, *words])
    state, outcomes = Status(tuple(by)), reader.outcomes()
    functions = [BY.get(name) or partial(_parameter, name) for name in by]
    for group in planned(study, shard):
        for run in group.runs:
            cell = tuple(function(group, run) for function in functions)
            outcome = outcomes.pop(run.key, LEFT)
            state.cells.setdefault(cell, Counter())[LEFT if outcome == Verdict.INTERRUPTED else outcome] += 1
    state.strangers = len(outcomes)
    return state


def parameters(study: Study) -> list[str]:
    """The words of the parameters of the study's generators."""
    generators = [GENERATORS.named(entry.generator) for entry in study.puzzles if isinstance(entry, Generated)]
    return list(dict.fromkeys(parameter.word for generator in generators for parameter in generator.parameters))


def _parameter(word: str, group: Group, run: Run) -> str:
    return parameters_of(group.instance).get(word, "-")


def lines(state: Status) -> list[str]:
    """The state as a table in plain text; outcomes that nothing had have no column."""
    total = state.total
    columns = [name for name in (*map(str, Verdict), LEFT) if total[name] or name == LEFT]
    rows = [[*state.by, "runs", *columns]]
    rows += [_row(cell, counts, columns) for cell, counts in state.cells.items()]
    if len(state.cells) > 1:
        rows.append(_row(("all", *[""] * (len(state.by) - 1)), total, columns))
    return aligned(rows, len(state.by))


def _row(cell: Sequence[str], counts: Counter[str], columns: Sequence[str]) -> list[str]:
    return [*cell, f"{counts.total():,}", *(f"{counts[name]:,}" if counts[name] else "." for name in columns)]


def aligned(rows: Iterable[Sequence[str]], left: int) -> list[str]:
    """Rows of equal length as lines; the first ``left`` columns begin, the others end, at the same place."""
    rows = list(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            word.ljust(width) if column < left else word.rjust(width)
            for column, (word, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
