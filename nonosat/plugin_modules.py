"""The modules of plug-ins: how a file becomes one, what is said of one that is broken, and what it is known by."""

from __future__ import annotations

import hashlib
import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

Stamp = tuple[int, int] | None
"""When a file was changed, in nanoseconds, and its size; None: there is none."""


def module_of(path: Path) -> ModuleType:
    """The file as a module, by a name that is the same in every process, so that what is in it can be pickled.

    A file with other contents is another module.
    """
    digest = hashlib.sha256(f"{path}\n".encode() + path.read_bytes()).hexdigest()[:8]
    name = f"nonosat_plugin_{''.join(c if c.isalnum() else '_' for c in path.stem)}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def told(error: BaseException, place: str) -> str:
    """What went wrong while a plug-in was loaded, in one line, with the line of its file if there is one."""
    if isinstance(error, FileNotFoundError) and str(error.filename) == place:
        return "no such file"
    frames = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == place]
    line = error.lineno if isinstance(error, SyntaxError) else frames[-1] if frames else None
    reason = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    return f"{'' if line is None else f'line {line}: '}{type(error).__name__}: {reason}"


def identified(module: ModuleType, named: str) -> tuple[str, tuple[tuple[Path, Stamp], ...]]:
    """The identity, ``named`` and a SHA-256, and the files: the module's own; of a package, or in one, all of it."""
    path = getattr(module, "__file__", None)
    if path is None:
        return named, ()
    top = sys.modules.get(module.__name__.partition(".")[0], module)
    folders = [Path(folder) for folder in getattr(top, "__path__", [])]
    found = sorted((file.relative_to(folder).as_posix(), file) for folder in folders for file in folder.rglob("*.py"))
    files = found or [("", Path(path))]
    stamps = tuple((file, stamp(file)) for _, file in files)  # before it is read: a change after that is seen
    digest = hashlib.sha256()
    for name, file in files:
        digest.update(f"{name}\n".encode() * bool(name) + file.read_bytes())
    return f"{named} sha256:{digest.hexdigest()}", stamps


def stamp(file: Path) -> Stamp:
    """The file's, as it is now."""
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
