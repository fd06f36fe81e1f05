"""Models in files: a Python file that makes one, Sugar's language, an instance of XCSP3, a CNF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from nonosat.errors import FormatError, ModelError, NonosatError, UnsupportedError
from nonosat.files import named_file, read_text, shown, suffix_of
from nonosat.plugins import load_error, module_of

if TYPE_CHECKING:
    from nonosat.modelling.model import Model

SUFFIXES = (".csp", ".py", ".xml", ".cnf")
"""Of files that have models. One of XCSP3 has a puzzle if it states a nonogram, and nothing else."""
_XCSP3 = (".xml", ".xcsp3", ".xcsp")


def is_other_than_sugar(name: str) -> bool:
    """Does the suffix say that a file has a model, and that it is not in Sugar's language?"""
    return (suffix := suffix_of(name)) != ".csp" and suffix in (*SUFFIXES, *_XCSP3)


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


def load_model(path: str | PathLike[str]) -> Model:
    """The model in a file: ``.csp`` (Sugar's language), ``.xml`` (XCSP3), ``.cnf``, or ``.py``, which is run.

    Of several in Python it is the one called ``model``. NonosatError: what is wrong, in a line with the file's name.
    """
    name = named_file(path)
    (_, model), *others = chosen(name)
    if others:
        raise ModelError(f"{shown(name)}: there are {len(others) + 1} models in it: call one `model`")
    return model


def chosen(name: str, index: int | None = None) -> list[tuple[str, Model]]:
    """The models in a file that a command means, with what to call each: all, or of several the one called ``model``.

    ``index``: that one, from 1. NonosatError: as ``load_model``, or there is none of this number.
    """
    models = _by_name(name)
    words = list(models)
    if index is not None:
        if not 1 <= index <= len(words):
            raise UnsupportedError(f"{shown(name)}: there is no model {index} in it, there are {len(words)}")
        words = [words[index - 1]]
    elif "model" in models:
        return [(name, models["model"])]
    return [(f"{name}:{word}" if len(models) > 1 else name, models[word]) for word in words]


def load_all(name: str) -> list[Model]:
    """All models in a file, in order: a Python file may have several. NonosatError: as ``load_model``."""
    return list(_by_name(name).values())


def _by_name(name: str) -> dict[str, Model]:
    return _of_python(name) if suffix_of(name) == ".py" else {"": _of_suffix(name)}


def _of_suffix(name: str) -> Model:
    if (suffix := suffix_of(name)) in _XCSP3:
        return xcsp3_model(name)
    if suffix not in SUFFIXES:
        which = f"no model has the suffix {suffix!r}" if suffix else "the name has no suffix"
        raise UnsupportedError(f"{shown(name)}: {which}; models have {', '.join(SUFFIXES)}")
    return cnf_model(name) if suffix == ".cnf" else sugar_model(name)


def xcsp3_model(name: str) -> Model:
    """The model in a file (``-``: standard input) that is an instance of XCSP3."""
    from nonosat.modelling.xcsp3 import read

    return _of_text(name, read)


def cnf_model(name: str) -> Model:
    """The model in a file (``-``: standard input) that is a CNF in DIMACS format."""
    from nonosat.modelling.cnf_file import read

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


def _models_in(word: str, value: object) -> Iterator[tuple[str, Model]]:
    """A model that a Python file calls ``word``, or those in a list or table of that name, by what they are called."""
    from nonosat.modelling.model import Model

    if isinstance(value, Model):
        yield word, value
    elif isinstance(value, list | tuple | dict):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(one, Model):
                yield f"{word}[{key!r}]", one


def _of_python(name: str) -> dict[str, Model]:
    """The models in a Python file by what it calls them, each once; one at least."""
    path = Path(name).resolve()
    if path.is_dir():
        raise FormatError("it is a folder", source=shown(name))
    try:
        module = module_of(path)
    except NonosatError as error:
        raise ModelError(load_error(error, str(path), shown(name))) from None
    except OSError as error:
        raise FormatError(load_error(error, str(path), shown(name))) from None
    except Exception as error:
        raise ModelError(load_error(error, str(path), shown(name))) from error
    found: dict[int, tuple[str, Model]] = {}
    for word, value in vars(module).items():
        for label, one in _models_in(word, value):
            if id(one) not in found or label == "model":
                found[id(one)] = label, one
    models = dict(found.values())
    if not models:
        raise ModelError(f"{shown(name)}: it has no name for a nonosat.Model, or for a list of them: call one `model`")
    for word, model in models.items():
        model.name = model.name or (shown(name) if len(models) == 1 else f"{shown(name)}:{word}")
    return models
