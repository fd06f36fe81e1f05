"""``nonosat encode``: a puzzle as DIMACS, or its CSP as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import models, options
from nonosat.cli.shared.output import note

if TYPE_CHECKING:
    from nonosat.encodings.registry import Encoding
    from nonosat.puzzles.puzzle import Puzzle

_OTHERS = (".xml", ".json", ".mk", ".py", ".png", ".svg", ".pdf")
"""Suffixes of what is no encoding; any other name gets DIMACS."""


@click.command("encode")
@options.file
@options.out("OUT.cnf|OUT.csp", "Where to write ('-': stdout).", required=True)
@options.encoding()
@options.index
@options.from_format
def command(file: str, out: str, encoding: str | None, index: int | None, from_format: str | None) -> None:
    """Write the puzzle in FILE as DIMACS CNF, with comments that say how to decode a model.

    An OUT that ends in .csp gets the CSP of the encoding's rules instead, in Sugar's language; one in .opb or .wcnf the
    formula in that format. FILE may be a model, too (.py, .csp, .xml, .cnf), whose objective only .csp, .opb and .wcnf
    have. A further suffix .gz, .xz or .zst (OUT.cnf.gz) compresses it.
    """
    from nonosat.errors import UnsupportedError
    from nonosat.files import shown, suffix_of

    suffix = suffix_of(out)
    if suffix in _OTHERS:
        raise UnsupportedError(f"{shown(out)}: an encoding is written as .cnf, .csp, .opb or .wcnf, not as {suffix}")
    if models.named([file], from_format):
        models.refuse(from_format=from_format)
        models.encode(file, index, out, encoding)
        return
    from nonosat.cli.shared.puzzles import puzzle_of
    from nonosat.encodings.registry import encoding_of
    from nonosat.files import write_atomically
    from nonosat.solvers.sat.decode import encode

    puzzle = puzzle_of(file, from_format, index)
    parts = encoding_of(puzzle, encoding)
    if suffix == ".csp":
        write_atomically(out, _sugar(puzzle, parts))
        return
    formula = encode(puzzle, parts)
    write_atomically(out, formula.pieces("opb" if suffix == ".opb" else "wcnf" if suffix == ".wcnf" else "cnf"))
    note(f"{out}: {formula.variables:,} variables, {formula.clauses:,} clauses ({parts.name})")


def _sugar(puzzle: Puzzle, parts: Encoding) -> str:
    """A puzzle in Sugar's language: a nonogram by the rules of the encoding, one that states itself as its model."""
    from nonosat.csp.sugar.writing import sugar
    from nonosat.encodings.nonogram_sugar import sugar_text
    from nonosat.modelling.kind import BOARD, ModelPuzzle
    from nonosat.puzzles.nonogram import nonogram_of

    if isinstance(puzzle, ModelPuzzle):
        statement = puzzle.model()
        statement.add(*(statement[BOARD][row, column] == value for row, column, value in puzzle.given))
        return sugar(statement)
    return sugar_text(nonogram_of(puzzle, "Sugar's text"), parts)
