"""``nonosat list``: what the registries hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from nonosat.solvers.solver import Switch

Rows = list[tuple[str, str]]
"""Names, each with a line about it."""


@click.command("list")
@click.argument("what", type=click.Choice(["encodings", "solvers", "formats"]))
def command(what: str) -> None:
    """List what there is: a name and a line about it."""
    rows = {"encodings": _encodings, "solvers": _solvers, "formats": _formats}[what]()
    width = max(len(name) for name, _ in rows)
    print("\n".join(f"{name:{width}}  {about}".rstrip() for name, about in rows))


def _encodings() -> Rows:
    """The parts, those of each kind of puzzle and its sound encodings, the report's, and those that relax a rule."""
    from nonosat.encodings.nonogram.parts import FIGURES, RELAXED, REPORT
    from nonosat.encodings.registry import KINDS, PARTS, encoding

    integers = [name for name, entry in PARTS.items() if entry.slot == "integers"]
    rows = [("parts", "joined by +; an integer encoding goes with any rules")]
    rows += [(f"  {name}", _told_part(name)) for name in integers]
    for kind in KINDS.values():
        forms = "; or ".join(", ".join((*form, "integers")) for form in kind.forms)
        rows += [("", ""), (kind.name, f"parts: {forms}")]
        rows += [(f"  {name}", _told_part(name)) for name in kind.parts]
        rows += [("", ""), (f"{kind.name}, sound", "every model is a solution, and every solution a model")]
        rows += [(f"  {name}", "the default" if name == kind.default else "") for name in kind.tested]
    rows += [("", ""), ("report", "the twelve of Castilho & Welter 2018, by its rules' numbers")]
    for name, parts in REPORT.items():
        relaxed = "" if encoding(name).sound else "; relaxed: models may be WRONG"
        rows.append((f"  {name}", f"{parts}+order; figures {FIGURES[name]}{relaxed}"))
    rows += [("", ""), ("relaxed", "readings of rules 4 and 6 alone, whose models may be WRONG")]
    rows += [(f"  {name}", "") for name in RELAXED]
    return rows


def _told_part(name: str) -> str:
    from nonosat.encodings.registry import PARTS

    entry = PARTS[name]
    faults = ("" if entry.sound else "; NOT SOUND: wrong pictures") + ("" if entry.complete else ", lost ones")
    return f"{entry.slot}: {entry.meaning} ({entry.source}){faults}"


def _solvers() -> Rows:
    from nonosat.solvers.registry import COMMAND_LINE_DEFAULT, DEFAULT, solvers
    from nonosat.solvers.solver import EXTERNAL

    default = {
        DEFAULT: "; the default where an encoding is named, and from Python",
        COMMAND_LINE_DEFAULT.partition("+")[0]: f"; the default of `nonosat solve`, as {COMMAND_LINE_DEFAULT}",
    }
    rows = [
        (
            entry.name,
            f"{entry.family:4} {entry.meaning}"
            + (f"; switches: {', '.join(map(_told_switch, entry.switches))}" if entry.switches else "")
            + (f"; also {', '.join(entry.aliases)}" if entry.aliases else "")
            + default.get(entry.name, ""),
        )
        for entry in solvers().values()
    ]
    about = "SAT  any program that reads DIMACS, such as 'exec:kissat --time={seconds} {cnf}'; also {out}, {memory}"
    return [*rows, (f"{EXTERNAL}COMMAND", about)]


def _told_switch(switch: Switch) -> str:
    """A solver's switch for people: ``+fifo|unchanged (else lifo)``."""
    words, base = switch
    shown = "|".join(word + "N" * word.endswith("=") for word in words)
    return f"+{shown}" + (f" (else {base})" if base else "")


def _formats() -> Rows:
    from nonosat.puzzles.formats import FORMATS

    return [(entry.name, f"{' '.join(entry.suffixes)}: {entry.description}") for entry in FORMATS.values()]
