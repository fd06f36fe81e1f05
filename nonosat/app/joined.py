"""The board as one file, which anywidget wants: its modules one behind the other, without their imports and exports."""

from __future__ import annotations

import re
from pathlib import Path

STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\./[\w/]+\.js)";\n', re.MULTILINE)


def board_module() -> str:
    """``static/board.js`` with all that it imports, as one ES module. Names at the top of its files are unique."""
    written: list[str] = []
    _add(STATIC / "board.js", written, set())
    return "\n".join(written)


def _add(path: Path, written: list[str], done: set[Path]) -> None:
    if path in done:
        return
    done.add(path)
    text = path.read_text(encoding="utf-8")
    for name in _IMPORT.findall(text):
        _add((path.parent / name).resolve(), written, done)
    own = _IMPORT.sub("", text)
    if path.name != "board.js":
        own = re.sub(r"^export ", "", own, flags=re.MULTILINE)
    written.append(own)
