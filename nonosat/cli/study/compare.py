"""``nonosat study compare``: the same runs twice, such as on two machines or of two commits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.output import plural
from nonosat.cli.shared.studies import store_of
from nonosat.errors import NonosatError
from nonosat.files import shown

if TYPE_CHECKING:
    import pandas as pd


@click.command("compare")
@click.argument("one", metavar="A", shell_complete=completion.files)
@click.argument("other", metavar="B", shell_complete=completion.files)
@options.output()
def command(one: str, other: str, output: str) -> None:
    """Compare the records in A and B: the same configurations on the same puzzles, of two commits or two machines.

    A and B are studies (.toml), stores (.sqlite) or exported records. A line a configuration: the median
    of the ratios of times, B's to A's, on the puzzles that both have, with its 95 % interval (paired bootstrap), and
    what each solved that the other did not. Below 1: B is faster. Then what only one has, and what differs in limits,
    versions and machines.
    """
    from pathlib import Path

    from nonosat.studies.analysis import frames
    from nonosat.studies.analysis.ranking import between
    from nonosat.studies.session import aligned
    from nonosat.studies.study import read

    one, other = (store_of(read(each), None, None) if each.endswith(".toml") else each for each in (one, other))
    about = [frames.about(Path(each)) for each in (one, other)]
    if Path(one).samefile(other):
        raise NonosatError(f"A and B are the same file, {shown(one)}: give the paths of two stores")
    runs = [frames.load(each) for each in (one, other)]
    table, clock = between(*runs)
    if output == "json":
        print(table.to_json(orient="records", lines=True, force_ascii=False), end="")
        return
    rows = [["configuration", "boards", "B/A", "95 % interval", "only B", "only A", "another verdict"]]
    rows += [
        [
            str(row["configuration"]), f"{row['boards']:,}", _ratio(row["ratio"], row["ratio_upper"]),
            f"{_number(row['ratio_low'])} to {_number(row['ratio_high'])}", f"{row['solved_more']:,}",
            f"{row['solved_less']:,}", f"{row['contradictions']:,}",
        ]
        for row in table.to_dict("records")
    ]  # fmt: skip
    print("\n".join(aligned(rows, 1)))
    print(f"A: {one}; B: {other}; B/A: median of the ratios of {clock.words} on the boards that both ran")
    for line in (*_only(*runs), *_limits(*runs)):
        print(line)
    for line in _differences(*(each.provenance for each in about)):
        print(line)


def _number(value: float) -> str:
    return "?" if math.isnan(value) else "inf" if math.isinf(value) else f"{value:.3g}"


def _ratio(low: float, high: float) -> str:
    """One number, or from ... to where a limit hides it."""
    return _number(low) if low == high or math.isnan(low) else f"{_number(low)}..{_number(high)}"


def _only(one: pd.DataFrame, other: pd.DataFrame) -> list[str]:
    """What is not compared, since the other has no such run: ``only A has: 2 configurations (x, y); 9 boards``."""
    said = []
    for name, mine, theirs in (("A", one, other), ("B", other, one)):
        configurations = sorted(set(mine["configuration"]) - set(theirs["configuration"]))
        boards = set(mine["instance"]) - set(theirs["instance"])
        parts = [f"{plural(len(configurations), 'configuration')} ({', '.join(configurations)})"] * bool(configurations)
        parts += [plural(len(boards), "board")] * bool(boards)
        said += [f"only {name} has: {'; '.join(parts)}"] * bool(parts)
    return said


def _limits(one: pd.DataFrame, other: pd.DataFrame) -> list[str]:
    """Limits that are others: ``cpu_limit_s: A 4; B 5``."""
    said = []
    for column in ("time_limit_s", "cpu_limit_s", "memory_limit_mb"):
        each = [", ".join(f"{value:g}" for value in sorted(set(runs[column].dropna()))) for runs in (one, other)]
        said += [f"{column}: A {each[0] or '-'}; B {each[1] or '-'}"] * (each[0] != each[1])
    return said


def _differences(one: object, other: object) -> list[str]:
    """What versions, machines and sources differ: ``source.commit: A 1234, B 5678``."""
    from collections.abc import Mapping

    def flat(value: object, place: str = "") -> dict[str, str]:
        if isinstance(value, Mapping):
            return {key: each for name, inner in value.items() for key, each in flat(inner, f"{place}.{name}").items()}
        return {place.lstrip("."): str(value)}

    def collected(documents: object) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for document in documents.values() if isinstance(documents, Mapping) else ():
            for key, value in flat(document).items():
                found.setdefault(key, set()).add(value)
        return found

    left, right = collected(one), collected(other)
    return [
        f"{key}: A {', '.join(sorted(left.get(key, {'-'})))}; B {', '.join(sorted(right.get(key, {'-'})))}"
        for key in dict.fromkeys((*left, *right))
        if left.get(key) != right.get(key)
    ]
