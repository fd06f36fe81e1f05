"""Packages that some parts need and others do not: who has left one out is told which, and what for, in one line."""

from __future__ import annotations

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
