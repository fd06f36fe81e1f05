"""nonosat: how puzzles are encoded into SAT and CSP, as an instrument.

>>> import nonosat
>>> puzzle = nonosat.random_density(10, 10, 0.6, seed=1)
>>> answer = nonosat.solve(puzzle, encoding="tight+r3+order", solver="glucose4", unique=True)
>>> str(answer.verdict), answer.picture == puzzle.goal, answer.unique
('SAT', True, True)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nonosat.version import __version__ as __version__

# Imported at first use: `import nonosat` costs nothing, and a command pays for what it uses.
_HOME = {
    "Answer": "nonosat.runs.events",
    "Colour": "nonosat.puzzles.nonogram.puzzle",
    "FormatError": "nonosat.errors",
    "Heights": "nonosat.puzzles.skyscrapers",
    "InterruptedSolve": "nonosat.errors",
    "Model": "nonosat.modelling.model",
    "ModelError": "nonosat.errors",
    "Nonogram": "nonosat.puzzles.nonogram",
    "NonosatError": "nonosat.errors",
    "Picture": "nonosat.puzzles.nonogram",
    "PuzzleError": "nonosat.errors",
    "Run": "nonosat.puzzles.nonogram",
    "Skyscrapers": "nonosat.puzzles.skyscrapers",
    "UnknownNameError": "nonosat.errors",
    "UnsupportedError": "nonosat.errors",
    "Verdict": "nonosat.runs.events",
    "backbone": "nonosat.counting.count",
    "certify": "nonosat.certificates.certify",
    "count": "nonosat.counting.count",
    "difficulty": "nonosat.solvers.propagation.difficulty",
    "encode": "nonosat.solvers.sat.decode",
    "encoding": "nonosat.encodings.registry",
    "equivalent": "nonosat.certificates.equivalence",
    "explain": "nonosat.explanations.explain",
    "fault": "nonosat.puzzles.puzzle",
    "load": "nonosat.puzzles.formats",
    "load_all": "nonosat.puzzles.formats",
    "load_image": "nonosat.puzzles.nonogram.images",
    "load_model": "nonosat.modelling.files",
    "prove": "nonosat.solvers.sat.proofs",
    "random_density": "nonosat.generators.density",
    "repair": "nonosat.making.criteria",
    "sample": "nonosat.counting.count",
    "save": "nonosat.puzzles.formats",
    "solve": "nonosat.solvers.solve",
    "solve_many": "nonosat.solvers.many",
    "watch": "nonosat.solvers.solve",
    "widget": "nonosat.app.widget",
}

if TYPE_CHECKING:
    from nonosat.app.widget import widget
    from nonosat.certificates.certify import certify
    from nonosat.certificates.equivalence import equivalent
    from nonosat.counting.count import backbone, count, sample
    from nonosat.encodings.registry import encoding
    from nonosat.errors import (
        FormatError,
        InterruptedSolve,
        ModelError,
        NonosatError,
        PuzzleError,
        UnknownNameError,
        UnsupportedError,
    )
    from nonosat.explanations.explain import explain
    from nonosat.generators.density import random_density
    from nonosat.making.criteria import repair
    from nonosat.modelling.files import load_model
    from nonosat.modelling.model import Model
    from nonosat.puzzles.formats import load, load_all, save
    from nonosat.puzzles.nonogram import Nonogram, Picture, Run
    from nonosat.puzzles.nonogram.images import load_image
    from nonosat.puzzles.nonogram.puzzle import Colour
    from nonosat.puzzles.puzzle import fault
    from nonosat.puzzles.skyscrapers import Heights, Skyscrapers
    from nonosat.runs.events import Answer, Verdict
    from nonosat.solvers.many import solve_many
    from nonosat.solvers.propagation.difficulty import difficulty
    from nonosat.solvers.sat.decode import encode
    from nonosat.solvers.sat.proofs import prove
    from nonosat.solvers.solve import solve, watch

__all__ = [
    "Answer",
    "Colour",
    "FormatError",
    "Heights",
    "InterruptedSolve",
    "Model",
    "ModelError",
    "Nonogram",
    "NonosatError",
    "Picture",
    "PuzzleError",
    "Run",
    "Skyscrapers",
    "UnknownNameError",
    "UnsupportedError",
    "Verdict",
    "backbone",
    "certify",
    "count",
    "difficulty",
    "encode",
    "encoding",
    "equivalent",
    "explain",
    "fault",
    "load",
    "load_all",
    "load_image",
    "load_model",
    "prove",
    "random_density",
    "repair",
    "sample",
    "save",
    "solve",
    "solve_many",
    "watch",
    "widget",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'nonosat' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
