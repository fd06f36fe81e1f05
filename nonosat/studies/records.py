"""What a run leaves behind: one flat record, all of whose fields are listed here.

The store's columns, the exports, the data frames and ``docs/reference/fields.md`` are made from this list. A field
whose value is not known is absent: NULL in the store and in Parquet, null in JSON, NaN or None in a frame, and never 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal

from nonosat.runs.events import COUNTERS, Verdict

SCHEMA = 4
"""Goes up when a field changes its meaning or goes away; a new field needs no new number.

4: limits have the names that they have in Python: ``time_limit_s``, ``cpu_limit_s``, ``memory_limit_mb``. ``FORMERLY``
has those of older records and of older texts of studies.
3: ``encoding`` and ``parts`` call support clauses ``support``, and conflict clauses ``direct``. In records of schemas 1
and 2 ``direct`` is what is ``support`` now; they are renamed when they are read, and their keys stay (``renamed``).
2: ``wall_s``, ``cpu_s`` and ``peak_memory_mb`` cover what the limits cover, however runs were grouped. In records of
schema 1 they are those of the run's process: with the making of the puzzle and the formula where a run was alone with
them, and without where it was not.
"""

FORMERLY = {
    "time_limit_s": ("limit_wall_s", "wall_s"),
    "cpu_limit_s": ("limit_cpu_s", "cpu_s"),
    "memory_limit_mb": ("limit_memory_mb", "memory_mb"),
}
"""What limits were called up to schema 3: the field, and the key in the text of a study."""

Value = str | int | float | bool | None
Record = dict[str, Value]


SOLVED = (Verdict.SAT, Verdict.UNSAT, Verdict.MEASURED)
CENSORED = (Verdict.TIMEOUT, Verdict.CPUOUT, Verdict.MEMOUT)
"""Ended at a limit: the time to a result is longer than the time spent."""
FAILED = (Verdict.CRASH, Verdict.ERROR, Verdict.UNKNOWN, Verdict.UNSUPPORTED)


@dataclass(frozen=True)
class Field:
    """One column. ``absent``: when there is no value ("" if there always is one)."""

    name: str
    type: Literal["text", "integer", "real", "boolean"]
    unit: str
    meaning: str
    absent: str = ""


_PUZZLE = "for puzzles, or if the model could not be made"
_ENDED = "for runs that did not get there"

FIELDS = (
    Field("key", "text", "", "SHA-256 of what makes this run the run it is (plan.key_of), 32 hexadecimal digits"),
    Field("study", "text", "", "name of the study"),
    # the instance
    Field(
        "instance",
        "text",
        "",
        "what it is made from: generator, its arguments, seed; or file/SHA-256/index",
    ),
    Field("source", "text", "", "the file's name, or the generator's"),
    Field("title", "text", "", "of the puzzle, or the model's name", "if it has none"),
    Field("kind", "text", "", "of the puzzle: nonogram or skyscrapers; or model", "if it could not be made"),
    Field("rows", "integer", "cells", "height of the board", "for models, or if the puzzle could not be made"),
    Field("columns", "integer", "cells", "width of the board", "for models, or if the puzzle could not be made"),
    Field("colours", "integer", "", "of a nonogram, without blank", "for other kinds"),
    Field(
        "parameters",
        "text",
        "",
        'of the generator, as JSON: {"size": "20x20", "density": "0.4"}',
        "for puzzles from files",
    ),
    Field("density", "real", "share", "density requested of the generator, all colours together", "for other puzzles"),
    Field("fill", "real", "share", "cells that a nonogram's clues fill", "for other kinds"),
    Field("level", "integer", "", "requested of the generator of skyscrapers", "for other puzzles"),
    Field("difficulty", "text", "", "requested of the generator: easy, normal or hard", "for other puzzles"),
    Field("clues", "integer", "", "at the edges of skyscrapers", "for other kinds"),
    Field("given", "integer", "cells", "known from the start", "for models, or if the puzzle could not be made"),
    Field("model_variables", "integer", "", "of a model, without auxiliaries", _PUZZLE),
    Field("domain_median", "real", "values", "median of their domains' sizes", _PUZZLE),
    Field("domain_most", "integer", "values", "size of the largest domain", _PUZZLE),
    Field("constraints", "integer", "", "of a model, as it is written", _PUZZLE),
    Field("constraint_kinds", "text", "", 'of them by kind, as JSON: {"all_different": 3, "linear": 1}', _PUZZLE),
    Field("maximized", "boolean", "", "is the objective to be greatest? false: least", "without an objective"),
    Field("seed", "integer", "", "the generator's seed", "for puzzles from files"),
    # what was done with it
    Field("encoding", "text", "", "as written in the study", "for solvers without an encoding"),
    Field(
        "parts", "text", "", "the encoding's parts, written out; that a solver chose itself, too", "if there is none"
    ),
    Field("sound", "boolean", "", "does the encoding let only solutions through?", "for solvers without an encoding"),
    Field("solver", "text", "", "with its switches"),
    Field("family", "text", "", "SAT, CP or own"),
    Field("count", "integer", "pictures", "how many were looked for at most", "if all were"),
    Field("repetition", "integer", "", "from 0"),
    Field("time_limit_s", "real", "s", "limit on wall time", "if there was none"),
    Field("cpu_limit_s", "real", "s", "limit on CPU time", "if there was none"),
    Field("memory_limit_mb", "real", "MiB", "limit on resident memory", "if there was none"),
    # what came out
    Field("outcome", "text", "", "SAT, UNSAT, WRONG, TIMEOUT, CPUOUT, MEMOUT, CRASH, ERROR, ... (Verdict)"),
    Field("reason", "text", "", "one line about it", "if there is nothing to say"),
    Field("exit_code", "integer", "", "of the run's process; minus the signal's number if one ended it", "if unknown"),
    Field(
        "solutions",
        "integer",
        "pictures",
        "so many at least: found, and right (of an objective, ever better ones); or counted, 2^63 - 1 for more, too",
    ),
    Field(
        "counted",
        "text",
        "pictures",
        "how many there are, no more and no less; decimal digits, any number of them",
        "if that is not known",
    ),
    Field("log10_solutions", "real", "decades", "decimal logarithm of that", "if that is not known, or 0"),
    Field("log10_approximate", "real", "decades", "the same, by ApproxMC", "for other solvers"),
    Field("entropy_bethe", "real", "decades", "the same, by Bethe's estimate", "for other solvers, or if it has none"),
    Field("backbone", "real", "share", "cells that have the same value in all solutions", "if that is not known"),
    Field("backbone_least", "real", "share", "cells surely in the backbone", "for solvers that do not look for them"),
    Field("backbone_most", "real", "share", "cells perhaps in the backbone", "for solvers that do not look for them"),
    Field("by_lines", "real", "share", "cells that lines alone fix", "for solvers that do not report them"),
    Field("sweeps", "integer", "", "of lines alone, until they are stuck", "for solvers but `difficulty`"),
    Field("rounds", "integer", "", "of probing after them, until it is stuck", "for solvers but `difficulty`"),
    Field("hardness", "text", "", "the label of `nonosat difficulty`", "for solvers but `difficulty`"),
    Field("unique", "boolean", "", "is there one picture and no other?", "if that is not known"),
    Field("objective", "integer", "", "value of the best solution that was found", "without an objective or solution"),
    Field("bound", "integer", "", "no solution has a better value, as far as was proved", "if no bound was proved"),
    Field("optimal", "boolean", "", "is that solution proved to be the best?", "without an objective or solution"),
    Field("goal", "boolean", "", "is the first picture the one that the clues were read from?", "without either"),
    Field(
        "picture",
        "text",
        "",
        "SHA-256 of the first picture's cells, 16 digits; WRONG: of the wrong one; of a model's first or best solution",
        "if none",
    ),
    # what it cost
    Field(
        "variables",
        "integer",
        "",
        "of the formula; CP-SAT's: of its own model",
        "for solvers without one, or if it was not made",
    ),
    Field(
        "clauses",
        "integer",
        "",
        "of the formula; CP-SAT's: constraints of its own model",
        "for solvers without one, or if it was not made",
    ),
    Field("literals", "integer", "", "in the formula's clauses", "for solvers without one, or if it was not made"),
    Field("cnf", "text", "", "SHA-256 of the clauses, 16 digits", "for solvers without one, or if it was not made"),
    Field("encode_s", "real", "s", "wall time of encoding; shared by the runs of a puzzle and encoding", _ENDED),
    Field("load_s", "real", "s", "wall time of handing the formula to the solver", _ENDED),
    Field("solve_s", "real", "s", "wall time of solving, until the end or the kill", _ENDED),
    Field("encode_cpu_s", "real", "s", "CPU time of encoding", _ENDED),
    Field("load_cpu_s", "real", "s", "CPU time of loading, and of making the solver ready", _ENDED),
    Field(
        "solve_cpu_s",
        "real",
        "s",
        "CPU time of solving; of SAT solvers and CP-SAT: of their calls, as `solve_s`",
        _ENDED,
    ),
    Field("wall_s", "real", "s", "wall time that its limit covers: encoding, loading, solving, some ms of its process"),
    Field(
        "cpu_s",
        "real",
        "s",
        "CPU time that its limit covers: these, and what is done between them, such as checks",
        "if unknown",
    ),
    Field("encode_peak_mb", "real", "MiB", "peak resident memory while encoding", _ENDED),
    Field("load_peak_mb", "real", "MiB", "peak resident memory while loading", _ENDED),
    Field("solve_peak_mb", "real", "MiB", "peak resident memory while solving", _ENDED),
    Field("peak_memory_mb", "real", "MiB", "peak resident memory of encoding and of the run's process", "if unknown"),
    Field("first_s", "real", "s", "wall time until the first picture: encoding, loading, solving", "if none was found"),
    Field("first_cpu_s", "real", "s", "CPU time until then", "if none was found"),
    Field("first_conflicts", "integer", "", "until then", "if none was found, or the solver does not report them"),
    # counters
    *(Field(counter.name, **counter.metadata) for counter in COUNTERS),
    # where and when
    Field("started", "text", "UTC", "when the run began, as 2026-01-31T12:00:00.000Z"),
    Field("load_average", "real", "processes", "of the machine over the minute before", "if unknown"),
    Field("slot", "integer", "", "which of the runs at the same time, from 0"),
    Field("slots", "integer", "", "runs at the same time at most"),
    Field("provenance", "text", "", "id of the versions, machine and commit (table provenance)"),
)

NAMES = tuple(field.name for field in FIELDS)


_TYPES: dict[str, type] = {"integer": Integral, "real": Real, "text": str, "boolean": bool}


def renamed(name: str | None, schema: int) -> str | None:
    """What an encoding that a record of ``schema`` names is called now.

    >>> renamed("tight+r3+direct", 2), renamed("tight+r3+direct", 3), renamed("2alt/3", 1)
    ('tight+r3+support', 'tight+r3+direct', '2alt/3')
    """
    if name is None or schema > 2:
        return name
    return "+".join("support" if word == "direct" else word for word in name.split("+"))


def stated(toml: str, schema: int) -> str:
    r"""The text of a study that was kept beside records of ``schema``, with the keys that limits have now.

    >>> stated("[limits]\nwall_s = 5", 3)
    '[limits]\ntime_limit_s = 5'
    """
    if schema > 3:
        return toml
    now = {key: name for name, (_, key) in FORMERLY.items()}
    limit = rf"(?m)^(\s*(?:limits\.)?)({'|'.join(now)})(?=\s*=)"
    return re.sub(limit, lambda found: found[1] + now[found[2]], toml)


def complete(values: Mapping[str, Any]) -> Record:
    """``values`` as a record with every field, in order; the rest is absent.

    KeyError: a field that does not exist. TypeError: a value that is not of its field's type.

    >>> complete({"key": "k", "outcome": "SAT"})["solve_s"] is None
    True
    """
    if unknown := set(values) - set(NAMES):
        raise KeyError(f"no such field: {', '.join(sorted(unknown))}")
    for field in FIELDS:
        value = values.get(field.name)
        if value is not None and not isinstance(value, _TYPES[field.type]):
            raise TypeError(f"{field.name} is {value!r:.60}, which is no {field.type}")
    return {name: values.get(name) for name in NAMES}
