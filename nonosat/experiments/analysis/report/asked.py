"""What was asked, as an author says it: boards, encodings, solvers, limits; and where and when it was run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from nonosat.experiments.analysis import html
from nonosat.experiments.analysis.report.study import Study
from nonosat.experiments.analysis.summary import said

_LISTED = 6
NAMES = {
    "nonosat": "nonosat", "python": "Python", "numpy": "numpy", "python-sat": "python-sat", "ortools": "OR-Tools",
    "numba": "numba", "commit": "commit", "plugins": "plug-ins", "cpu": "processor", "cores": "cores",
    "memory_gib": "memory, GiB", "kernel": "kernel", "libc": "C library",
}  # fmt: skip
IN_ONE_LINE = ("nonosat", "python-sat", "ortools", "python")


def opening(study: Study) -> str:
    """The paragraph below the title as HTML, and the study's own text to be unfolded."""
    lines = [" ".join(sentence for sentence in (boards(study), tried(study), limits(study)) if sentence), made(study)]
    told = "".join(f'<p class="asked">{escape(line)}</p>\n' for line in lines if line)
    if study.toml.strip():
        told += html.folded("The study's file", f"<pre>{escape(study.toml.strip())}</pre>")
    return told


def boards(study: Study) -> str:
    """``24 nonograms: size 15x15, 25x25; density 35, 45 %.``"""
    runs = study.runs
    kinds = sorted(set(runs["kind"].dropna()))
    count = runs["instance"].nunique()
    kind = kinds[0] if len(kinds) == 1 else "puzzle"
    word = kind if kind.endswith("s") else f"{kind}{'' if count == 1 else 's'}"
    told = [f"{axis.words.removesuffix(', %')} {axis.told()}" for axis in study.axes if axis.name != "file"]
    files = runs.loc[runs["instance"].str.startswith("file/").fillna(False), "source"].nunique()
    told += [f"{files:,} {'file' if files == 1 else 'files'}"] if files else []
    varied = {axis.name for axis in study.axes}
    fixed = [name for name in ("size",) if name not in varied and runs[name].nunique() == 1]
    told += [f"all of {name} {runs[name].dropna().iloc[0]}" for name in fixed]
    return f"{count:,} {word}{': ' + '; '.join(told) if told else ''}."


def tried(study: Study) -> str:
    """The encodings and solvers, by name where they are few."""
    parts = []
    for column, word in (("label", "encoding"), ("solver", "solver")):
        names = [name for name in study.of_names(column) if name]
        if names:
            listed = ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
            parts.append(f"{len(names)} {word}{'' if len(names) == 1 else 's'} ({listed})")
    return f"{' and '.join(parts)}; {said(study.runs)}." if parts else ""


def limits(study: Study) -> str:
    """The limits of a run; several of one kind are all named."""
    words = {"limit_cpu_s": "s of CPU time", "limit_wall_s": "s of wall time", "limit_memory_mb": "MiB of memory"}
    parts = []
    for column, word in words.items():
        values = sorted({float(value) for value in study.runs[column].dropna()})
        if values:
            parts.append(f"{' or '.join(f'{value:g}' for value in values)} {word}")
    told = f"Limits of a run: {', '.join(parts)}." if parts else "Runs had no limit."
    interrupted = len(study.whole) - len(study.runs)
    return told + (
        f" {interrupted:,} runs that were interrupted or made again later are left out." if interrupted else ""
    )


def made(study: Study) -> str:
    """When, on what machine and with which versions, in one line."""
    days = sorted({str(value)[:10] for value in study.whole["started"].dropna()})
    when = "" if not days else days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    used = [_flat(document) for document in study.provenance.values()]
    if not used:
        return when and f"Run {when}."
    machine = _all(used, "cpu")
    cores, memory = _all(used, "cores"), _all(used, "memory_gib")
    versions = ", ".join(f"{NAMES[name]} {_all(used, name)}" for name in IN_ONE_LINE if _all(used, name))
    slots = sorted({int(value) for value in study.whole["slots"].dropna()})
    beside = f", {' or '.join(map(str, slots))} at a time" if slots else ""
    return f"Run {when} on {machine} ({cores} cores, {memory} GiB){beside}, with {versions}."


_HASH = re.compile("([0-9a-f]{12})[0-9a-f]{20,}")


def provenance_table(study: Study) -> str:
    """Versions and machine as HTML, a column each that records are from; what is the same for all stands once."""
    used = {name: _flat(document) for name, document in study.provenance.items()}
    if not used:
        return ""
    runs = study.whole["provenance"].value_counts()
    rows: list[tuple[str, Sequence[str]]] = []
    if len(used) > 1:
        rows.append(("runs", [f"{int(runs.get(name, 0)):,}" for name in used]))
    words = list(dict.fromkeys([*NAMES, *(word for flat in used.values() for word in flat)]))
    for word in words:
        texts = [flat.get(word, "") for flat in used.values()]
        if any(texts):
            rows.append((NAMES.get(word, word), texts if len(set(texts)) > 1 else texts[:1]))
    return html.facts(rows)


def _flat(document: Mapping[str, Any]) -> dict[str, str]:
    """A document of provenance as name and text; hashes are cut to twelve digits."""
    flat = {name: str(value) for name, value in document.get("versions", {}).items() if value is not None}
    source = document.get("source", {})
    if source.get("commit"):
        flat["commit"] = str(source["commit"])[:12] + (", changed" if source.get("dirty") else "")
    for group in ("machine", "system"):
        flat |= {name: str(value) for name, value in document.get(group, {}).items() if value is not None}
    if plugins := document.get("plugins"):
        flat["plugins"] = _HASH.sub(r"\1", ", ".join(map(str, plugins)))
    for name, value in document.get("files", {}).items():
        if value:
            flat[f"SHA-256 of {name}"] = str(value)[:12]
    return flat


def _all(used: Sequence[Mapping[str, str]], name: str) -> str:
    return " or ".join(dict.fromkeys(flat[name] for flat in used if name in flat))
