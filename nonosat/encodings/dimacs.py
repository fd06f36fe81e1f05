"""Writes formulas as DIMACS files that can be decoded, and reads such files and the output of SAT solvers.

The comments at the head of a file hold what decodes a model: the encoding's name, the puzzle as JSON, the board's shape
(its cells are the first variables, row by row), and the map, one integer variable a line::

    c encoding tight+r3+order
    c puzzle {"nonosat": 1, ...
    c board 2 2
    c order x_0_0 1 0 1        <- x_0_0 is in 0..1; DIMACS variable 1 is [x_0_0 <= 0], the next [x_0_0 <= 1], ...
    c order cost 2 5 90 : 5 40 90    <- cost is 5, 40 or 90; variable 2 is [cost <= 5], the next [cost <= 40]
    c p show 1 0               <- the board's Booleans: a counter that projects on them counts boards
    p cnf 8 16
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import LARGEST, Gaps, ints
from nonosat.csp.model import numbers as numbers_of
from nonosat.encodings.cnf import CNF
from nonosat.encodings.formula import DomainMap, Formula, RankedMap
from nonosat.encodings.parts import COMMENTS, INTEGERS, composed, maps
from nonosat.encodings.registry import encoding
from nonosat.errors import FormatError, UnknownNameError
from nonosat.files import printable
from nonosat.version import __version__

_CHUNK = 1 << 16
_LARGEST = 2**31 - 2


@dataclass(frozen=True, eq=False)
class Dimacs:
    """What a CNF file that nonosat wrote contains: the formula, its variables' names, the encoding's, and the puzzle.

    ``puzzle`` is JSON; of a model, its name.
    """

    formula: Formula
    names: list[str]
    encoding: str
    puzzle: str


def write(formula: Formula, encoding: str, puzzle: str, shown: Sequence[int] | None = None) -> Iterator[str]:
    """The DIMACS text of ``formula``, in pieces; counters project on the Booleans ``shown`` (else the board's)."""
    height, width = formula.board.shape
    yield f"c nonosat {__version__}\nc encoding {encoding}\n"
    yield "".join(f"c puzzle {line}\n" for line in puzzle.removesuffix("\n").split("\n"))
    yield f"c board {height} {width}\n"
    lines = formula.map.lines(formula.names())
    for at in range(0, len(lines), _CHUNK):
        yield "".join(f"c {line}\n" for line in lines[at : at + _CHUNK])
    yield f"c p show {''.join(f'{variable} ' for variable in (formula.shown() if shown is None else shown))}0\n"
    yield f"p cnf {formula.cnf.variables} {formula.cnf.clauses}\n"
    yield from body(formula.cnf)


def body(cnf: CNF) -> Iterator[str]:
    """The clauses as lines of DIMACS, in pieces."""
    start = 0
    for at in range(0, cnf.clauses, _CHUNK):
        ends = cnf.ends[at : at + _CHUNK]
        literals = np.insert(cnf.literals[start : ends[-1]], ends - start, 0)
        # The only token "0" is a clause's end; 10 or 200 have no blank before their 0.
        yield ("\n" + " ".join(map(str, literals.tolist())) + " ").replace(" 0 ", " 0\n").replace("\n0 ", "\n0\n")[1:]
        start = int(ends[-1])


def wcnf(cnf: CNF, head: str, soft: Sequence[tuple[int, Sequence[int]]] = ()) -> Iterator[str]:
    """WCNF of 2022, for MaxSAT solvers, in pieces: ``head``, every clause hard, then ``soft``: (weight, clause)."""
    yield head
    yield from ("h " + piece[:-1].replace("\n", "\nh ") + "\n" for piece in body(cnf))
    yield from (f"{weight} {' '.join(map(str, clause))} 0\n" for weight, clause in soft)


def opb(cnf: CNF, head: str, least: Sequence[tuple[int, int]] = ()) -> Iterator[str]:
    """The clauses as pseudo-Boolean constraints in pieces, ``x7`` for variable 7.

    ``least``: pairs of a weight and a literal, whose sum is to be as small as can be. It is written without its
    constant: a literal ``-7`` of weight 2 is ``-2 x7``.
    """
    yield f"* #variable= {cnf.variables or int(cnf.has_empty_clause)} #constraint= {cnf.clauses}\n{head}"
    if least:
        terms = "".join(f"{weight if literal > 0 else -weight:+d} x{abs(literal)} " for weight, literal in least)
        yield f"min: {terms};\n"
    for clause in cnf:
        terms = "".join(f"{'+' if literal > 0 else '-'}1 x{abs(literal)} " for literal in clause)
        yield f"{terms}>= {1 - sum(literal < 0 for literal in clause)} ;\n" if clause else "0 x1 >= 1 ;\n"


def read(text: str) -> Dimacs:
    """The contents of a file that nonosat wrote. FormatError: another one, which has no comments to decode a model."""
    comments: dict[str, list[str]] = {key: [] for key in (*COMMENTS, "map")}
    known, kinds = maps(), dict[str, None]()
    words: list[str] = []
    header = header_of(text)
    for line in text[: header.end].split("\n"):
        if line.startswith("c"):
            key, _, rest = line[2:].partition(" ")
            if key in known:
                kinds[key] = None
                words.append(key)
                comments["map"].append(rest)
            elif key in comments and key != "map":
                comments[key].append(rest)
    cnf = clauses_of(text, header)
    if comments["encoding"] and not comments["map"]:
        _known(comments["encoding"][0])
    if not all(comments.values()):
        missing = ", ".join(key for key, lines in comments.items() if not lines)
        raise FormatError(f"the comments that nonosat writes are not there ({missing}), so nothing can be decoded")
    kind = _mixture(comments["encoding"][0]) if len(kinds) > 1 else known[words[0]]
    if kind is None:
        raise FormatError(f"the map in the comments is of several kinds: {', '.join(sorted(kinds))}")
    mapped = _map(kind, comments["map"], cnf.variables)
    if len(kinds) > 1 and [line.split()[0] for line in mapped.lines(["v"] * len(words))] != words:
        raise FormatError("the map in the comments is not that of its encoding")
    return Dimacs(
        Formula(cnf, mapped, _board(comments["board"][0], len(mapped.first))),
        [line.partition(" ")[0] for line in comments["map"]],
        comments["encoding"][0],
        "\n".join(comments["puzzle"]),
    )


class Header(NamedTuple):
    """The line ``p cnf VARIABLES CLAUSES``: its number, and where in the text it ends."""

    variables: int
    clauses: int
    line: int
    end: int


def header_of(text: str) -> Header:
    """The header of a CNF file, and nothing but comments before it. FormatError: there is none."""
    position, number = 0, 0
    while 0 <= position <= len(text):
        number += 1
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)]
        if line.startswith("p"):
            words = line.split()
            if (
                len(words) != 4
                or words[:2] != ["p", "cnf"]
                or not all(w.isdecimal() and len(w) < 11 for w in words[2:])
            ):
                raise FormatError("expected 'p cnf VARIABLES CLAUSES'", number)
            return Header(int(words[2]), int(words[3]), number, end + 1 if end >= 0 else len(text))
        if line.strip() and not line.startswith("c"):
            raise FormatError("neither a comment nor the line 'p cnf VARIABLES CLAUSES'", number)
        if end < 0:
            break
        position = end + 1
    raise FormatError("no line 'p cnf VARIABLES CLAUSES'", number)


def _mixture(name: str) -> type[DomainMap] | None:
    """The maps of an encoding that is a mixture of several; None: it is none, or unknown."""
    word = next((word for word in name.split("+") if composed(word)), "")
    return INTEGERS[word].map if word in INTEGERS else None


def _known(name: str) -> None:
    """FormatError: the encoding has unknown parts, such as those of a plug-in that is not loaded."""
    try:
        encoding(name)
    except UnknownNameError as error:
        name = printable(name, 60)
        raise FormatError(f"its encoding is {name}: {error}; one of a plug-in is known with --plugin") from None


def clauses_of(text: str, header: Header) -> CNF:
    """The clauses below the header. FormatError: they are not what it says."""
    body = text[header.end :].partition("\n%")[0]  # with which SATLIB's files end
    if "\nc" in body or body.startswith("c"):
        body = "\n".join(line for line in body.split("\n") if not line.startswith("c"))
    literals = numbers(body)
    if literals is None:
        raise FormatError("a clause holds something that is not a number", header.line + 1)
    is_end = literals == 0
    if len(literals) and not is_end[-1]:
        raise FormatError("the last clause does not end in 0")
    if beyond(literals, header.variables):
        raise FormatError(f"a clause has a literal beyond the {header.variables} variables that the header tells of")
    ends = np.flatnonzero(is_end)
    if len(ends) != header.clauses:
        raise FormatError(f"the header tells of {header.clauses} clauses, the file has {len(ends)}", header.line)
    return CNF(header.variables, literals[~is_end].astype(np.int32), ends - np.arange(len(ends)))


def line_of(text: str, clause: int) -> int:
    r"""The line (from 1) of the DIMACS ``text`` on which its clause number ``clause`` (from 0) begins.

    >>> line_of("c a clause may take several lines\np cnf 2 3\n1 2 0 -1\nc between\n2 0\n\n-2 0\n", 2)
    7
    """
    header, ended = False, 0
    for number, line in enumerate(text.split("\n"), 1):
        if not header:
            header = line.startswith("p")
            continue
        words = [] if line.startswith("c") else line.split()
        for word in words:
            if ended == clause:
                return number
            ended += not word.strip("+-0")
    raise ValueError(f"no clause {clause + 1}")


def beyond(literals: npt.NDArray[np.int64], variables: int) -> bool:
    """Whether some literal has a variable above ``variables``."""
    # No abs(): the least int64 has no absolute value.
    return bool(len(literals)) and (int(literals.max()) > variables or int(literals.min()) < -variables)


def numbers(text: str) -> npt.NDArray[np.int64] | None:
    """The whole numbers in ``text``, separated by white space, or None if anything else is there."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # numpy warns when it meets something else
        try:
            return np.fromstring(text, dtype=np.int64, sep=" ") if text.strip() else np.empty(0, dtype=np.int64)
        except (DeprecationWarning, ValueError):
            return None


def _map(kind: type[DomainMap], lines: list[str], variables: int) -> DomainMap:
    entries, gaps = [line.partition(" ")[2] for line in lines], dict[int, npt.NDArray[np.int64]]()
    for variable, entry in enumerate(entries):
        if ":" in entry:
            entries[variable], _, values = entry.partition(":")
            gaps[variable] = _values(entries[variable], values)
    columns = numbers(" ".join(entries))
    if columns is None or len(columns) != 3 * len(lines):
        raise FormatError(f"a comment 'c {kind.kind} NAME FIRST LOWER UPPER' is damaged")
    firsts, *domains = columns.reshape(-1, 3).T
    if beyond(firsts, _LARGEST) or any(beyond(column, LARGEST) for column in domains):
        raise FormatError("the map in the comments has numbers beyond 32 bits, or values beyond 62")
    first, (lower, upper) = ints(firsts), map(numbers_of, domains)
    if (lower > upper).any() or (first < 1).any():
        raise FormatError("the map in the comments is damaged")
    gapped = Gaps.of(gaps)
    ranks = kind(first, *((lower, upper) if gapped is None else gapped.ranks(lower, upper)))
    if (first + ranks.widths - 1 > variables).any():
        raise FormatError("the map in the comments points outside the formula")
    return ranks if gapped is None else RankedMap(first, lower, upper, ranks, gapped)


def _values(ends: str, text: str) -> npt.NDArray[np.int64]:
    """The values of a domain with gaps, FIRST LOWER UPPER of which are ``ends``."""
    values, numbered = numbers(text), ends.split()[1:]
    if values is None or len(values) < 2 or beyond(values, LARGEST) or (np.diff(values) <= 0).any():
        raise FormatError("the values of a domain in the comments are damaged")
    if [str(values[0]), str(values[-1])] != numbered:
        raise FormatError("the values of a domain in the comments do not reach from its LOWER to its UPPER")
    return values


def _board(line: str, mapped: int) -> npt.NDArray[np.int32]:
    words = line.split()
    if len(words) != 2 or not all(word.isdecimal() and len(word) < 8 for word in words):
        raise FormatError("the comment 'c board ROWS COLUMNS' is damaged")
    height, width = int(words[0]), int(words[1])
    if height * width > mapped or not height * width:
        raise FormatError("the board in the comments is larger than the map")
    return np.arange(height * width, dtype=np.int32).reshape(height, width)


@dataclass(frozen=True, eq=False)
class Output:
    """What a SAT solver printed: ``satisfiable`` (None: unknown) and the model's literals."""

    satisfiable: bool | None
    literals: npt.NDArray[np.int64]


_STATUS = {
    "s SATISFIABLE": True,
    "s UNSATISFIABLE": False,
    "s UNKNOWN": None,
    "s INDETERMINATE": None,
    # MiniSat and Glucose write these into their result files, with the model on the next line.
    "SAT": True,
    "UNSAT": False,
    "INDET": None,
    "SATISFIABLE": True,
    "UNSATISFIABLE": False,
    "INDETERMINATE": None,
}


def read_output(text: str) -> Output:
    r"""A solver's answer, in ``s`` and ``v`` lines as at SAT competitions, or as MiniSat writes it.

    >>> read_output("c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n").literals.tolist()
    [1, -2, 3]
    """
    verdicts: set[bool | None] = set()
    model: list[str] = []
    bare = False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if words in _STATUS:
            verdicts.add(_STATUS[words])
            bare = not words.startswith("s ")
        elif words.startswith("p cnf "):
            raise FormatError("a formula, and not what a solver printed", number)
        elif words.startswith("s "):
            raise FormatError(f"unknown status {words[:40]!r}", number)
        elif words.startswith("v ") or words == "v":
            model.append(words[1:])
        elif bare and words and (words[0] == "-" or words[0].isdecimal()):
            model.append(words)
    literals = numbers(" ".join(model))
    if literals is None:
        raise FormatError("the model holds something that is not a number")
    if len(verdicts) > 1:
        raise FormatError("the output has two statuses that contradict each other")
    if not verdicts and model:
        raise FormatError("a model without a status line ('s SATISFIABLE')")
    literals = literals[literals != 0]
    positive = np.sort(literals[literals > 0])
    if len(np.intersect1d(positive, -literals[literals < 0])):
        raise FormatError("the model has a variable both true and false")
    return Output(verdicts.pop() if verdicts else None, literals)
