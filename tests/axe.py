"""axe-core, from npm's registry into a cache, once; None where it is not to be had."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

VERSION = "4.10.3"
CACHE = Path.home() / ".cache" / "nonosat-tests" / f"axe-{VERSION}.js"


def source() -> str | None:
    """The script's text."""
    if not CACHE.exists() and shutil.which("npm"):
        with tempfile.TemporaryDirectory() as folder:
            command = ["npm", "pack", "--silent", f"axe-core@{VERSION}"]
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
            for packed in Path(folder).glob("*.tgz") if done.returncode == 0 else []:
                with tarfile.open(packed) as archive:
                    script = archive.extractfile("package/axe.min.js")
                    assert script is not None
                    CACHE.parent.mkdir(parents=True, exist_ok=True)
                    CACHE.write_bytes(script.read())
    return CACHE.read_text(encoding="utf-8") if CACHE.exists() else None


def violations(page: Any, script: str) -> list[str]:
    """What axe finds on a page: the rule, and the first element that breaks it."""
    page.evaluate(script)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in found["violations"]]
