"""No circle in the house: imports inside functions count too, those for type checkers do not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import nonosat
from nonosat.puzzles.puzzle import KINDS

pytestmark = pytest.mark.slow  # they read all modules, of which test_architecture.py looks for circles, too

PACKAGE = Path(nonosat.__file__).parent

CIRCLES: dict[frozenset[str], str] = {}
"""Those that are known, and why they stand."""


def modules() -> dict[str, Path]:
    """Every file of the package by the name that it is imported by."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        words = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(words[:-1] if words[-1] == "__init__" else words)] = path
    return found


def statements(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports under ``node``, but for those that only a type checker sees."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and ast.unparse(child.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            yield from statements(ast.Module(child.orelse, []))
        else:
            yield from statements(child)


def imports(name: str, path: Path, known: dict[str, Path]) -> set[str]:
    """The files that importing or running the file ``name`` runs."""
    found = set()
    for statement in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            asked = [alias.name for alias in statement.names]
        else:
            assert statement.module, f"{path}: imports are written out"
            assert not statement.level, f"{path}: imports are written out"
            inside = [f"{statement.module}.{alias.name}" for alias in statement.names]
            asked = [other if other in known else statement.module for other in inside]
        for module in asked:
            words = module.split(".")
            # A package runs before what is in it; one that the importer is in itself is running already.
            packages = (".".join(words[:end]) for end in range(1, len(words)))
            found |= {module, *(package for package in packages if not f"{name}.".startswith(f"{package}."))} & set(
                known
            )
    return found - {name}


@cache
def graph_of_all() -> dict[str, set[str]]:
    """What each file of the package imports."""
    known = modules()
    return {name: imports(name, path, known) for name, path in known.items()}


def reached(start: str, graph: dict[str, set[str]]) -> set[str]:
    """What can be come to from ``start``, by one import or more."""
    found: set[str] = set()
    ahead = [*graph[start]]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += graph[name]
    return found


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The strongly connected components of more than one file."""
    beyond = {name: reached(name, graph) for name in graph}
    groups = {frozenset(other for other in beyond[name] if name in beyond[other]) for name in graph}
    return {group for group in groups if len(group) > 1}


def test_imports_have_no_circle() -> None:
    found = circles(graph_of_all())
    told = sorted(", ".join(sorted(group)) for group in found - set(CIRCLES))
    assert not told, f"files that import each other: {told}"
    assert found == set(CIRCLES), "a circle that is listed is gone: strike it off"


def test_circles_are_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {frozenset("bc")}
    inside = ast.parse("if TYPE_CHECKING:\n    import a\nelse:\n    import b\ndef f():\n    from c import d\n")
    assert [ast.unparse(found) for found in statements(inside)] == ["import b", "from c import d"]


def test_the_table_of_kinds_imports_nothing_above_it() -> None:
    assert reached("nonosat.puzzles.puzzle", graph_of_all()) == {
        f"nonosat.{name}" for name in ("errors", "files", "interrupts", "plugins", "references")
    }


def test_what_kinds_share_imports_none_of_them() -> None:
    known = modules()
    rooms = tuple(f"nonosat.{floor}.{kind}" for floor in ("puzzles", "encodings") for kind in KINDS.own)
    shared = [name for name in known if name.startswith(("nonosat.puzzles", "nonosat.encodings"))]
    for name in shared:
        if not name.startswith(rooms):
            assert not [other for other in imports(name, known[name], known) if other.startswith(rooms)], name
