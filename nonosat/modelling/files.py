"""Models in files: a Python file that makes one, or a text in Sugar's language."""

from __future__ import annotations

from pathlib import Path

from nonosat.errors import FormatError, ModelError, NonosatError, UnsupportedError
from nonosat.files import read_text, shown, suffix_of
from nonosat.modelling.model import Model
from nonosat.plugins import load_error, module_of

SUFFIXES = (".csp", ".py")


def is_model(name: str) -> bool:
    """Is the file of this name one that has a model, by its suffix?"""
    return suffix_of(name) in SUFFIXES


def load(name: str) -> Model:
    """The model in a file. NonosatError: what is wrong with it, in a line with the file's name."""
    return _of_python(name) if suffix_of(name) == ".py" else sugar_model(name)


def sugar_model(name: str) -> Model:
    """The model in a file (``-``: standard input) that is in Sugar's language."""
    from nonosat.csp.sugar import read_statement

    model = Model(shown(name))
    try:
        read_statement(read_text(name), model)
    except FormatError as error:
        raise (error if error.source else error.at(shown(name))) from None
    except (UnsupportedError, ModelError) as error:
        raise type(error)(f"{shown(name)}: {error}") from None
    return model


def _of_python(name: str) -> Model:
    """What the file calls ``model``, or the only model in it."""
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
