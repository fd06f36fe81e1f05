"""Errors for people: one root, and each error is also the builtin that it refines."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import index
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class NonosatError(Exception):
    """The root of every error that nonosat raises on purpose."""


class PuzzleError(NonosatError, ValueError):
    """A puzzle that cannot exist: a clue that does not fit its line, an unknown colour.

    ``axis`` ("row" or "column") and ``index`` (from 0) say which line is to blame where one line is;
    a format's reader turns them into the line number of its file.
    """

    def __init__(self, reason: str, axis: str | None = None, index: int | None = None) -> None:
        self.reason, self.axis, self.index = reason, axis, index
        super().__init__(reason if axis is None or index is None else f"{axis} {index + 1}: {reason}")


class FormatError(NonosatError, ValueError):
    """A text that is not of the format it is read as: ``source:line: reason`` (or ``line 7: reason``)."""

    def __init__(self, reason: str, line: int | None = None, source: str | None = None) -> None:
        self.reason, self.line, self.source = reason, line, source
        if source is not None:
            place = f"{source}: " if line is None else f"{source}:{line}: "
        else:
            place = "" if line is None else f"line {line}: "
        super().__init__(place + reason)

    def at(self, source: str) -> FormatError:
        """The same error with ``source`` as its file."""
        return FormatError(self.reason, self.line, source)


class SizeError(FormatError):
    """A board that can be read, but has not the puzzle's rows and columns. (``at`` makes a plain ``FormatError``.)"""


def alike(name: str, known: list[str] | tuple[str, ...]) -> str | None:
    """That one of the ``known`` names which ``name`` may be meant to be.

    Of those that are like it, the most so without the number of its version.

    >>> alike("slove", ["solve", "count"]), alike("x", ["solve", "count"]), alike("minsat", ["minisatgh", "minisat22"])
    ('solve', None, 'minisat22')
    """
    from difflib import get_close_matches  # which takes milliseconds to import

    close = get_close_matches(name[:40], known, len(known) or 1)
    bare = [one.rstrip("0123456789") for one in close]
    return next((close[bare.index(best)] for best in get_close_matches(name[:40], bare, 1, 0)), None)


class UnknownNameError(NonosatError, LookupError):
    """A name that is not in a registry; the message lists those that are, and says which is like it."""

    def __init__(self, kind: str, name: str, known: list[str] | tuple[str, ...], note: str = "") -> None:
        self.kind, self.name, self.known, self.note = kind, name, tuple(known), note
        close = alike(name, self.known)
        suggestion = f"; did you mean {close}?" if close else ""
        super().__init__(f"unknown {kind} {name!r}; known: {', '.join(self.known)}{suggestion}{note}")


class UnsupportedError(NonosatError, ValueError):
    """A valid request that this format, encoding or solver cannot carry out."""


class ModelError(NonosatError, ValueError):
    """A model that cannot be stated; the message says what to write instead."""


class KindError(NonosatError, TypeError):
    """An argument of the wrong type, or of a name that there is not."""


def wrong_type(expected: str, given: object) -> KindError:
    """The error for an argument ``given`` where something of another type is ``expected``.

    >>> print(wrong_type("the name of a solver", 5))
    the name of a solver is expected, not 5 (an int)
    """
    shown = "" if given is None else f" ({with_article(type(given).__name__)})"
    return KindError(f"{expected} is expected, not {' '.join(repr(given).split()):.60}{shown}")


def no_truth(what: str, instead: str) -> KindError:
    """The error where ``what`` is taken for true or false, and may be neither: what to write ``instead``.

    >>> print(no_truth("an answer", "answer.unique"))
    an answer is neither true nor false: write answer.unique
    """
    return KindError(f"{what} is neither true nor false: write {instead}")


def takes(*options: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """For a function that passes ``options`` on: an argument that is none of its own or of them is a KindError."""

    def checked(function: Callable[P, T]) -> Callable[P, T]:
        code = function.__code__
        own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        known = tuple(name for name in (*own, *options) if name != "self")

        @wraps(function)
        def calling(*arguments: P.args, **named: P.kwargs) -> T:
            for name in named:
                if name not in known:
                    raise KindError(str(UnknownNameError(f"argument of {function.__qualname__}", name, known)))
            return function(*arguments, **named)

        return calling

    return checked


def check_whole(**given: object) -> None:
    """KindError: one of ``given``, by its name, is no whole number."""
    for name, value in given.items():
        try:
            index(value)  # type: ignore[arg-type]
        except TypeError:
            raise wrong_type(f"a whole number as {name}", value) from None


def check_count(count: object, thing: str) -> None:
    """KindError, UnsupportedError: no number of ``thing`` to look for. None: all."""
    if count is None:
        return
    try:
        wanted = index(count)  # type: ignore[arg-type]
    except TypeError:
        raise wrong_type("a whole number as count, or None for all,", count) from None
    if wanted < 1:
        raise UnsupportedError(f"count is {wanted}: at least one {thing} must be looked for")


def with_article(noun: str) -> str:
    """``noun`` behind its article.

    >>> with_article("int"), with_article("solver")
    ('an int', 'a solver')
    """
    return f"{'an' if noun[:1] in 'aeiouAEIOU' else 'a'} {noun}"


class SolverError(NonosatError, RuntimeError):
    """A solver failed and reported it. ``solve`` and studies turn it into the verdict CRASH."""


class LimitReachedError(NonosatError):
    """A limit ended what had no result before its end; ``verdict`` says which one (TIMEOUT, ...)."""

    def __init__(self, verdict: str, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict


class InterruptedSolve(KeyboardInterrupt):
    """Ctrl-C during a search. ``answer``: what was known by then, in the form of the search's result; None: nothing."""

    def __init__(self, answer: object = None) -> None:
        self.answer = answer
        super().__init__("interrupted")


# Optional packages: the error for a missing one names it, and what it is needed for, in one line.


NEEDED = {
    "PIL": ("pillow", "images are read and drawn"),
    "dratify": ("dratify", "DRAT proofs are checked (`prove --no-check` writes them)"),
    "llvmlite": ("numba", "native solvers, auto, counts, difficulties and explanations are compiled"),
    "matplotlib": ("matplotlib", "figures and booklets are drawn"),
    "numba": ("numba", "native solvers, auto, counts, difficulties and explanations are compiled"),
    "ortools": ("ortools", "CP-SAT solves"),
    "pandas": ("pandas", "records are analysed"),
    "pyarrow": ("pyarrow", "Parquet is read and written"),
    "rich": ("rich", "progress is shown"),
    "starlette": ("starlette", "the workbench is served"),
    "uvicorn": ("uvicorn", "the workbench is served"),
}
"""By the name that is imported: the package that brings it, and what is done by it."""


def missing(error: BaseException) -> str | None:
    """The line for an import that failed since a package is not installed; None for any other error.

    >>> missing(ModuleNotFoundError("No module named 'ortools.sat'", name="ortools.sat"))
    'ortools is not installed, by which CP-SAT solves: pip install ortools'
    >>> missing(ModuleNotFoundError("No module named 'nonosat.cli.x'", name="nonosat.cli.x"))
    """
    top = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if top not in NEEDED:
        return None
    package, use = NEEDED[top]
    return f"{package} is not installed, by which {use}: pip install {package}"
