"""The options that follow from the generators' records: one for each parameter's word, whoever has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from nonosat.cli.shared import completion
from nonosat.generators.registry import GENERATORS, Generator, Parameter, of_kind

_PREFIX = "parameter_"
"""Of the names that click knows the options by."""


class WithParameters(click.Command):
    """A command with the options of all generators, plug-ins' among them: made when it is asked for them."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Its own first two, then those of the generators, then the rest."""
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
    told: dict[str, list[str]] = {}
    for generator, parameter in whose:
        told.setdefault(parameter.meaning, []).append(generator.name)
    meaning = "; ".join(f"{', '.join(names)}: {meaning}" for meaning, names in told.items())
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
    from nonosat.puzzles.kinds import KINDS, kind_of

    if name is None:
        first = of_kind((KINDS.first() if kind is None else kind_of(kind)).name)
        words = {word for word in _by_word() if given.get(_name(word)) is not None}
        same = (generator for generator in GENERATORS.values() if generator.kind == first.kind)
        return next((other for other in same if words <= {each.word for each in other.parameters}), first)
    generator = GENERATORS.named(name)
    if kind is not None and kind_of(kind).name != generator.kind:
        raise click.UsageError(f"--generator {name} makes puzzles of the kind {generator.kind}, not {kind}")
    return generator


def texts_of(generator: Generator, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The parameters' values, as names tell them. Usage errors: one is missing, wrong, or another generator's."""
    own = {parameter.word for parameter in generator.parameters}
    for word, whose in _by_word().items():
        if given.get(_name(word)) is not None and word not in own:
            others = ", ".join(other.name for other, _ in whose)
            raise click.UsageError(f"--{word} is not for the generator {generator.name}, but for {others}")
    return generator.told([_value(parameter, given.get(_name(parameter.word))) for parameter in generator.parameters])


def _value(parameter: Parameter, text: str | None) -> Any:
    if text is None and parameter.default is None:
        raise click.UsageError(f"--{parameter.word} is missing")
    try:
        return parameter.read(parameter.default if text is None else text)
    except ValueError as error:
        raise click.UsageError(f"--{parameter.word}: {error}") from None
