"""From an instance to its puzzle, and to what is known of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nonosat.errors import NonosatError, UnsupportedError
from nonosat.experiments.plan import Instance
from nonosat.experiments.puzzle_files import hashed
from nonosat.files import shown
from nonosat.generators.registry import GENERATORS, identity
from nonosat.puzzles.formats import load_all
from nonosat.puzzles.puzzle import Puzzle


def puzzle_of(instance: Instance) -> Puzzle:
    """The puzzle of ``instance``.

    NonosatError: its file, or the plug-in that has its generator, is gone, or not what it was when the study was read.
    """
    if instance.path is not None:
        if hashed(Path(instance.path)) != instance.name.split("/")[1]:
            raise NonosatError(f"{shown(instance.path)}: the file has changed since the study began")
        return load_all(Path(instance.path))[(instance.index or 1) - 1]
    if instance.generator is None or instance.seed is None:
        raise UnsupportedError(f"{instance.name}: neither a file nor a generator's board")
    generator = GENERATORS.named(instance.generator)
    if (here := identity(generator)) != instance.brought_by:
        raise NonosatError(
            f"generator {generator.name}: of {here or 'ours'}, the study's of {instance.brought_by or 'ours'}"
        )
    return generator.puzzle(instance.values, instance.seed)


def parameters_of(instance: Instance) -> dict[str, str]:
    """What its generator was told beside the seed, by the parameters' words; of a file's puzzle nothing.

    >>> parameters_of(Instance("density/2x3/0.5/7", "density", ("2x3", "0.5"), 7))
    {'size': '2x3', 'density': '0.5'}
    """
    if instance.generator is None:
        return {}
    words = [parameter.word for parameter in GENERATORS.named(instance.generator).parameters]
    return dict(zip(words, instance.values, strict=True))


def facts_of(instance: Instance) -> dict[str, Any]:
    """What records tell of the instance, beside its name."""
    about: dict[str, Any] = {"source": instance.source, "seed": instance.seed}
    if instance.generator is None:
        return about
    known = GENERATORS.named(instance.generator).known(instance.values)
    return about | {"parameters": json.dumps(parameters_of(instance), ensure_ascii=False)} | known
