"""What the registries hold, as tables: the same that ``nonosat list`` prints, and the fields of records."""

from __future__ import annotations

from markup import code, table

from nonosat.cli import list as listed
from nonosat.encodings.parts import INTEGERS, Kind
from nonosat.encodings.registry import KINDS, PARTS, encoding, parts_of
from nonosat.studies.records import FIELDS


def encodings() -> str:
    """The parts of each kind's encodings, the integer encodings, and the whole encodings that are named."""
    told = ["## Integer encodings", "They go with any rules.", _parts(list(INTEGERS))]
    for kind in KINDS.values():
        forms = "; or ".join(", ".join((*form, "integers")) for form in kind.forms)
        told += [f"## {kind.name.capitalize()}: parts", f"An encoding has: {forms}.", _parts(list(parts_of(kind)))]
        told += [f"## {kind.name.capitalize()}: encodings", _whole(kind)]
    return "\n\n".join(told)


def _parts(names: list[str]) -> str:
    entries = [PARTS[name] for name in names]
    rows = [(code(entry.name), entry.slot, entry.meaning, entry.source, _fault(entry)) for entry in entries]
    return table(("part", "slot", "meaning", "source", "sound and complete"), rows)


def _fault(entry: object) -> str:
    sound, complete = getattr(entry, "sound", True), getattr(entry, "complete", True)
    return ("" if sound else "lets wrong pictures through") + ("" if complete else " loses solutions") or "yes"


def _whole(kind: Kind) -> str:
    rows = [(code(name), "the default" if name == kind.default else "", "yes") for name in kind.tested]
    for title, _, names in kind.lists:
        rows += [
            (code(name), f"{title}: {about}".rstrip(": "), "yes" if encoding(name).sound else "no")
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


def generators() -> str:
    """Every generator with its parameters."""
    return _lines("generator", listed._generators())


def formats() -> str:
    """Every format with its suffixes."""
    return _lines("format", listed._formats())


def _lines(head: str, rows: listed.Rows) -> str:
    return table((head, "what it is"), [(code(name.strip()), about) for name, about in rows])
