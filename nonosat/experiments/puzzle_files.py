"""What the file of a study's puzzle is known by."""

from __future__ import annotations

import hashlib
from pathlib import Path

from nonosat.errors import NonosatError
from nonosat.files import shown


def hashed(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise NonosatError(f"{shown(path)}: {(error.strerror or str(error)).lower()}") from None
