"""Models in files: a Python file that makes one, a text in Sugar's language, an instance of XCSP3."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nonosat.errors import FormatError, ModelError, NonosatError, UnsupportedError
from nonosat.files import read_text, shown, suffix_of
from nonosat.plugins import load_error, module_of

if TYPE_CHECKING:
    from nonosat.modelling.model import Model

SUFFIXES = (".csp", ".py", ".xml")
"""Of files that have models. One of XCSP3 has a puzzle if it states a nonogram, and nothing else."""
_XCSP3 = (".xml", ".xcsp3", ".xcsp")


def is_model(name: str, sniff: bool = True) -> bool:
    """Is there a model in the file of this name, and no puzzle? ``sniff``: the text says where the suffix does not."""
    suffix = suffix_of(name)
    if suffix not in _XCSP3:
        return suffix in SUFFIXES
    if not sniff:
        return False
    from nonosat.puzzles.formats import detected

    try:
        text = read_text(name)
    except NonosatError:
        return False  # which whoever reads puzzles reports
    if _INSTANCE.search(text) is None:
        return False
    if (puzzles := detected(text)) is None:
        return True
    try:
        puzzles.read(text)
    except NonosatError:
        return True
    return False


_INSTANCE = re.compile(r"<instance\b")


def load(name: str) -> Model:
    """The model in a file. NonosatError: what is wrong with it, in a line with the file's name."""
    if suffix_of(name) == ".py":
        return _of_python(name)
    return xcsp3_model(name) if suffix_of(name) in _XCSP3 else sugar_model(name)


def xcsp3_model(name: str) -> Model:
    """The model in a file (``-``: standard input) that is an instance of XCSP3."""
    from nonosat.modelling.xcsp3 import read

    return _of_text(name, read)


def sugar_model(name: str) -> Model:
    """The model in a file (``-``: standard input) that is in Sugar's language."""
    from nonosat.csp.sugar import read_statement

    return _of_text(name, read_statement)


def _of_text(name: str, read: Callable[[str, Model], object]) -> Model:
    from nonosat.modelling.model import Model

    model = Model(shown(name))
    try:
        read(read_text(name), model)
    except FormatError as error:
        raise (error if error.source else error.at(shown(name))) from None
    except (UnsupportedError, ModelError) as error:
        raise type(error)(f"{shown(name)}: {error}") from None
    return model


def _of_python(name: str) -> Model:
    """What the file calls ``model``, or the only model in it."""
    from nonosat.modelling.model import Model

    path = Path(name).resolve()
    try:
        module = module_of(path)
    except NonosatError as error:
        raise ModelError(f"{shown(name)}: {load_error(error, str(path))}") from None
    except OSError as error:
        raise FormatError(load_error(error, str(path)), source=shown(name)) from None
    except Exception as error:
        raise ModelError(f"{shown(name)}: {load_error(error, str(path))}") from error
    found = vars(module).get("model")
    models = {id(one): one for one in vars(module).values() if isinstance(one, Model)}
    if not isinstance(found, Model):
        if len(models) != 1:
            many = f"{len(models)} models" if models else "no nonosat.Model"
            raise ModelError(f"{shown(name)}: there {'are' if models else 'is'} {many} in it: call one `model`")
        [found] = models.values()
    found.name = found.name or shown(name)
    return found
