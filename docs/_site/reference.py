"""The reference as Markdown, made of the program: commands, Python's names, modules, and what the registries hold.

Each function is a word of a line ``<!-- made: WORD ... -->`` (see ``made``).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from inspect import cleandoc

import click

import nonosat
from nonosat.cli import cli
from nonosat.cli import list as listed
from nonosat.encodings.parts import INTEGERS, WAYS, Kind
from nonosat.encodings.registry import KINDS, PARTS, encoding, parts_of
from nonosat.explanations.techniques import TECHNIQUES
from nonosat.studies.records import FIELDS

# Markdown.


def row(*cells: object) -> str:
    """A line of a table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def code(text: object) -> str:
    """As code, or nothing if there is nothing."""
    return f"`{text}`" if str(text) else ""


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """A whole table."""
    return "\n".join([row(*head), "|" + "---|" * len(head), *(row(*cells) for cells in rows)])


def plain(text: str) -> str:
    """Text whose angle brackets and stars are no markup, but for what stands in backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if at % 2 else part.replace("<", "&lt;").replace("*", "\\*") for at, part in enumerate(parts))


def block(text: str) -> str:
    """Code that is shown and not run: indented."""
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


# Commands.


def commands() -> str:
    """All commands by their own help, a heading each, those of groups below their group."""
    return "\n".join(_group(cli, click.Context(cli, info_name="nonosat"), 2)).strip()


def _group(group: click.Group, context: click.Context, level: int) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context, terminal_width=200)
        yield from _command(command, inner, level)
        if isinstance(command, click.Group):
            yield from _group(command, inner, level + 1)


def _command(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    yield f"\n{'#' * level} `{context.command_path}`\n"
    yield plain(cleandoc(command.help or "").replace("\b\n", ""))
    yield f"\n{block(command.get_usage(context))}\n"
    options = [(code(name), plain(about)) for name, about in _options(command, context)]
    if options:
        yield table(("option", "what it does"), options)


def _options(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """The options that are a command's own: names and help.

    Not --help, which all have. (Click makes it at the first call and keeps it: its names depend on who asked first.)
    """
    for each in command.get_params(context):
        if isinstance(each, click.Option) and "--help" not in each.opts:
            record = each.get_help_record(context)
            if record is not None:
                yield record


# The same as a manual page.


def manual() -> str:
    """The manual page nonosat(1), in roff: what ``nonosat --help`` and the help of every command say."""
    context = click.Context(cli, info_name="nonosat")
    lines = [
        f'.TH NONOSAT 1 "" "nonosat {nonosat.__version__}" "User Commands"',
        ".SH NAME",
        "nonosat \\- puzzles as SAT and CSP: solve, encode, count, prove, make and study them",
        ".SH SYNOPSIS",
        ".B nonosat",
        "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]",
        ".SH OPTIONS",
        *_manual_options(cli, context),
        *(".TP", ".B \\-h, \\-\\-help", "Show the help of a command."),
        ".SH COMMANDS",
        *_manual_group(cli, context),
        ".SH EXIT STATUS",
        *("0: done, or no answer within the limits; 1: a solver or a check failed; 2: bad input; 10: satisfiable;",),
        "20: unsatisfiable, or proved; 130: interrupted. The help of a command says which it has.",
        ".SH SEE ALSO",
        "The pages in docs/ of the source.",
    ]
    return "\n".join(lines) + "\n"


def _manual_group(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context, terminal_width=200)
        if isinstance(command, click.Group):
            yield from _manual_group(command, inner)
            continue
        yield f".SS {roff(' '.join([*inner.command_path.split(), *command.collect_usage_pieces(inner)]))}"
        for paragraph in cleandoc(command.help or "").replace("\b\n", "").split("\n\n"):
            yield from (".PP", roff(" ".join(paragraph.split())))
        yield from _manual_options(command, inner)


def _manual_options(command: click.Command, context: click.Context) -> Iterator[str]:
    for name, about in _options(command, context):
        yield from (".TP", f".B {roff(name)}", roff(" ".join(about.split())))


def roff(text: str) -> str:
    """A line of text that roff takes as it is."""
    plain_text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return f"\\&{plain_text}" if plain_text[:1] in (".", "'") else plain_text


# Python's names.


def names() -> str:
    """Every name of ``nonosat.__all__`` with its signature and docstring, classes with their own members."""
    return "\n\n".join(_name(name, getattr(nonosat, name)) for name in sorted(nonosat.__all__, key=str.lower))


RESULTS = {
    "nonosat.certificates.certify": ("Certificate",),
    "nonosat.certificates.equivalence.compare": ("Equivalence",),
    "nonosat.counting.answer": ("Backbone", "Count", "Sample"),
    "nonosat.explanations.steps": ("Step",),
    "nonosat.making.repair": ("Repair",),
    "nonosat.modelling.certify": ("ModelCertificate",),
    "nonosat.modelling.explain": ("ModelExplanation",),
    "nonosat.modelling.knowledge": ("ModelBackbone", "ModelEquivalence", "ModelSample"),
    "nonosat.modelling.model": ("EncodedModel",),
    "nonosat.modelling.prove": ("ModelProof",),
    "nonosat.modelling.solve": ("ModelAnswer", "Solution"),
    "nonosat.solvers.propagation.difficulty": ("Difficulty",),
    "nonosat.solvers.sat.decode": ("EncodedPuzzle",),
    "nonosat.solvers.sat.proofs": ("Proof",),
}
"""Classes of results, by the module that defines them: functions of the front door return them, which has them not."""


def results() -> str:
    """Every class of ``RESULTS``, as ``names`` shows those of the front door."""
    found = {name: getattr(import_module(module), name) for module, some in RESULTS.items() for name in some}
    return "\n\n".join(_name(name, found[name], "###") for name in sorted(found))


def _name(name: str, value: object, level: str = "##") -> str:
    parts = [f"{level} `{name}`", block(name + _signature(value)), _prose(inspect.getdoc(value) or "")]
    members = [f"- `{member}`: {sentence}" for member, sentence in _members(value)] if inspect.isclass(value) else []
    return "\n\n".join(part for part in (*parts, "\n".join(members)) if part)


def _signature(value: object) -> str:
    """How it is called, with types as they are written; nothing of enumerations and exceptions."""
    if inspect.isclass(value) and issubclass(value, Enum | BaseException):
        return ""
    try:
        signature = inspect.signature(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    words, starred = [], False
    for known in signature.parameters.values():
        if known.kind is known.KEYWORD_ONLY and not starred:
            words.append("*")
        starred = starred or known.kind in (known.KEYWORD_ONLY, known.VAR_POSITIONAL)
        mark = {known.VAR_POSITIONAL: "*", known.VAR_KEYWORD: "**"}.get(known.kind, "")
        typed = "" if known.annotation is known.empty else f": {_type(known.annotation)}"
        default = "" if known.default is known.empty else f" = {_default(known.default)}"
        words.append(f"{mark}{known.name}{typed}{default}")
    result = signature.return_annotation
    back = "" if result in (signature.empty, None, "None") or inspect.isclass(value) else f" -> {_type(result)}"
    return f"({', '.join(words)}){back}"


def _type(annotation: object) -> str:
    written = getattr(annotation, "__forward_arg__", annotation)  # a named tuple's
    return written if isinstance(written, str) else inspect.formatannotation(written)


def _default(value: object) -> str:
    """As it is written, if that is short and the same in every process."""
    return "..." if "<" in repr(value) or len(repr(value)) > 40 else repr(value)


def _members(value: type) -> Iterator[tuple[str, str]]:
    """The public methods and properties that nonosat's classes define, with the first sentence of each."""
    if issubclass(value, Enum):
        yield from ((member.name, "") for member in value)
    seen: set[str] = set()
    for owner in value.__mro__:
        for name, member in vars(owner).items() if owner.__module__.startswith("nonosat") else ():
            known = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if name.startswith("_") or name in seen or not (inspect.isfunction(known) or isinstance(known, property)):
                continue
            seen.add(name)
            call = "" if isinstance(known, property) else _signature(getattr(value, name))
            yield name + re.sub(r"^\(self(, )?", "(", call), _sentence(known)


def _sentence(value: object) -> str:
    """The first sentence of a docstring."""
    first = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    return plain(re.split(r"(?<=[.?]) (?=[A-Z`])", first)[0].replace("``", "`"))


def _prose(text: str) -> str:
    """A docstring: its examples as code, its literals in single backticks."""
    shown, example = [], False
    for line in text.splitlines():
        example = line.startswith(">>>") or (example and bool(line.strip()))
        literal = example or line.startswith("    ")
        shown.append(block(line) if example else line if literal else plain(line.replace("``", "`")).replace("::", ":"))
    return "\n".join(shown)


def module(*wanted: str) -> str:
    """Modules with what they offer: their ``__all__``, else what they define and does not begin with ``_``."""
    return "\n\n".join(_module(name) for name in wanted)


def _module(name: str) -> str:
    found = import_module(name)
    offered = {
        each: value
        for each, value in vars(found).items()
        if (inspect.isfunction(value) or inspect.isclass(value))
        and (each in found.__all__ if hasattr(found, "__all__") else value.__module__ == name and each[0] != "_")
    }
    lines = [f"- `{each}{_signature(value)}`: {_sentence(value)}" for each, value in offered.items()]
    return f"## `{name}`\n\n{_sentence(found)}\n\n" + "\n".join(lines)


# Registries: the same that ``nonosat list`` prints, and the fields of records.


def encodings() -> str:
    """The parts of each kind's encodings, the integer encodings, and the whole encodings that are named."""
    shown = ["## Integer encodings", "They go with any rules.", _parts(list(INTEGERS))]
    shown += ["## Ways to state constraints", "They follow an integer encoding's name.", _parts(list(WAYS))]
    for kind in KINDS.values():
        forms = "; or ".join(", ".join((*form, "integers")) for form in kind.forms)
        shown += [f"## {kind.name.capitalize()}: parts", f"An encoding has: {forms}.", _parts(list(parts_of(kind)))]
        shown += [f"## {kind.name.capitalize()}: encodings", _whole(kind)]
    return "\n\n".join(shown)


def _parts(names: list[str]) -> str:
    entries = [PARTS[name] for name in names]
    rows = [(code(entry.name), entry.slot, entry.meaning, entry.source, _fault(entry)) for entry in entries]
    return table(("part", "slot", "meaning", "source", "sound and complete"), rows)


def _fault(entry: object) -> str:
    sound, complete = getattr(entry, "sound", True), getattr(entry, "complete", True)
    faults = [*(["lets wrong pictures through"] if not sound else []), *(["loses solutions"] if not complete else [])]
    return "; ".join(faults) or "yes"


def _whole(kind: Kind) -> str:
    rows = [(code(name), "the default" if name == kind.default else "", "yes") for name in kind.tested]
    for title, meaning, names in kind.lists:
        rows += [
            (code(name), f"{title}: {about or meaning}", "yes" if encoding(name).sound else "no")
            for name, about in names.items()
            if name not in kind.tested
        ]
    return table(("encoding", "what it is", "sound"), list(rows))


def fields() -> str:
    """Every field of a record."""
    rows = [(code(f.name), f.type, f.unit, f.meaning, f.absent or "never") for f in FIELDS]
    return table(("field", "type", "unit", "meaning", "absent"), list(rows))


def solvers() -> str:
    """Every solver, and what studies may run beside solvers."""
    return _lines("solver", listed._solvers()) + "\n\n" + _lines("counter", listed._counters())


def techniques(kind: str = "") -> str:
    """The techniques of explanations of a kind, or those of any kind, easy before hard."""
    entries = sorted(map(TECHNIQUES.named, TECHNIQUES.own), key=lambda entry: entry.level)
    rows = [(code(one.name), f"{one.level:g}", one.meaning) for one in entries if (one.kind or "") == kind]
    return table(("technique", "level", "what it finds"), list(rows))


def generators() -> str:
    """Every generator with its parameters."""
    return _lines("generator", listed._generators())


def formats() -> str:
    """Every format with its suffixes."""
    return _lines("format", listed._formats())


def _lines(head: str, rows: listed.Rows) -> str:
    return table((head, "what it is"), [(code(name.strip()), about) for name, about in rows])
