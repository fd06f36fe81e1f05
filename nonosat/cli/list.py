"""``nonosat list``: what the registries hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat import plugins
from nonosat.cli.shared.output import note
from nonosat.plugins import from_plugin

if TYPE_CHECKING:
    from nonosat.encodings.parts import Part
    from nonosat.runs.solver import Switch

Rows = list[tuple[str, str]]
"""Names, each with a line about it."""


@click.command("list")
@click.argument(
    "what", type=click.Choice(["encodings", "solvers", "counters", "generators", "formats", "kinds", "plugins"])
)
def command(what: str) -> None:
    """List what there is: a name and a line about it."""
    lists = {
        "encodings": _encodings,
        "solvers": _solvers,
        "counters": _counters,
        "generators": _generators,
        "formats": _formats,
        "kinds": _kinds,
        "plugins": _plugins,
    }
    if not (rows := lists[what]()):
        note(f"there are no {'plug-ins' if what == 'plugins' else what}")
        return
    width = max(len(name) for name, _ in rows)
    print("\n".join(f"{name:{width}}  {about}".rstrip() for name, about in rows))


def _encodings() -> Rows:
    """The parts, those of each kind of puzzle and its sound encodings, and the kind's own lists of others."""
    from nonosat.encodings.parts import INTEGERS, WAYS
    from nonosat.encodings.registry import KINDS, encoding, parts_of

    rows = [("parts", "joined by +; an integer encoding goes with any rules")]
    rows += [(f"  {name}", _format_part(part)) for name, part in INTEGERS.items()]
    rows += [
        ("", ""),
        ("ways", "in which integer encodings state things: +ladder; and order<=64,log goes by domains' sizes"),
    ]
    rows += [(f"  {name}", _format_part(way)) for name, way in WAYS.items()]
    for kind in KINDS.values():
        forms = "; or ".join(", ".join((*form, "integers")) for form in kind.forms)
        rows += [("", ""), (kind.name, f"parts: {forms}")]
        rows += [(f"  {name}", _format_part(part)) for name, part in parts_of(kind).items()]
        rows += [("", ""), (f"{kind.name}, sound", "every model is a solution, and every solution a model")]
        rows += [(f"  {name}", "the default" if name == kind.default else "") for name in kind.tested]
        for title, meaning, names in kind.lists:
            rows += [("", ""), (title, meaning)]
            for name, about in names.items():
                relaxed = "" if encoding(name, kind.name).sound or not about else "; relaxed: models may be WRONG"
                rows.append((f"  {name}", about + relaxed))
    return rows


def _format_part(entry: Part) -> str:
    faults = ("" if entry.sound else "; NOT SOUND: wrong pictures") + ("" if entry.complete else ", lost ones")
    return f"{entry.slot}: {entry.meaning} ({entry.source}){faults}{from_plugin(entry)}"


def _solvers() -> Rows:
    from nonosat.runs.solver import EXTERNAL, IPASIR
    from nonosat.solvers.registry import DEFAULT, DEFAULT_SAT, solvers

    default = {
        DEFAULT: "; the default",
        DEFAULT_SAT: "; the default where an encoding is named",
    }
    rows = [
        (
            entry.name,
            f"{entry.family:4} {entry.meaning}"
            + (f"; switches: {', '.join(map(_format_switch, entry.switches))}" if entry.switches else "")
            + (f"; also {', '.join(entry.aliases)}" if entry.aliases else "")
            + default.get(entry.name, ""),
        )
        for entry in solvers().values()
    ]
    about = "SAT  any program that reads DIMACS: 'exec:kissat --time={seconds} {cnf}'; also {out}, {memory}, {proof}"
    library = "SAT  a shared library with IPASIR, such as ipasir:./libcadical.so"
    return [*rows, (f"{EXTERNAL}COMMAND", about), (f"{IPASIR}FILE", library)]


def _counters() -> Rows:
    """The counters that studies may run."""
    from nonosat.studies.counters import COUNTERS

    return [
        (entry.name, f"{entry.kind or 'any kind'}: {entry.meaning}{from_plugin(entry)}") for entry in COUNTERS.values()
    ]


def _format_switch(switch: Switch) -> str:
    """A solver's switch for people: ``+fifo|unchanged (else lifo)``."""
    words, base = switch
    shown = "|".join(word + "N" * word.endswith("=") for word in words)
    return f"+{shown}" + (f" (else {base})" if base else "")


def _generators() -> Rows:
    """Each generator, and below it its parameters."""
    from nonosat.generators.registry import GENERATORS

    rows = []
    for entry in GENERATORS.values():
        rows.append((entry.name, f"{entry.kind}: {entry.meaning}"))
        for each in entry.parameters:
            left_out = "" if each.default is None else f"; else {each.format(each.read(each.default))}"
            rows.append((f"  --{each.word} {each.metavar}", f"{each.meaning}; in studies: {each.key}{left_out}"))
    return rows


def _formats() -> Rows:
    from nonosat.puzzles.formats import FORMATS

    return [
        (entry.name, f"{' '.join(entry.suffixes)}: {entry.description}{from_plugin(entry)}")
        for entry in FORMATS.values()
    ]


def _kinds() -> Rows:
    from nonosat.puzzles.puzzle import KINDS

    return [
        (kind.name, f"formats: {', '.join(known.name for known in kind.all_formats)}{from_plugin(kind)}")
        for kind in KINDS.values()
    ]


def _plugins() -> Rows:
    """Each plug-in with the records that it added."""
    plugins.discover()
    loaded = [
        (plugin.name, ", ".join(f"{record.axis} {record.name}" for record in plugin.records))
        for plugin in plugins.LOADED
    ]
    return [*loaded, *((name, f"broken: {reason}") for name, reason in plugins.BROKEN.items())]
