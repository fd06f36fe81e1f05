"""``nonosat warm``: all native code, made now."""

from __future__ import annotations

import click

from nonosat.cli.shared.commands import Exit
from nonosat.cli.shared.output import note


@click.command("warm")
def command() -> Exit:
    """Compile all native code now, so that nothing waits for it later: once a machine, on all cores.

    Without it, each part is compiled at its first use. Exit code 0: all is there.
    """
    from time import perf_counter

    from nonosat.progress import listening

    begin = perf_counter()
    with listening(note):
        _everything()
    note(f"native code is there ({perf_counter() - begin:.1f} s)")
    return Exit.DONE


def _everything() -> None:
    from importlib import import_module
    from pathlib import Path

    import nonosat
    from nonosat.certificates.certify import ready
    from nonosat.compiled.library import LIBRARY

    package = Path(nonosat.__file__).parent
    with LIBRARY.at_once():
        for path in sorted(package.rglob("*.py")):
            if "\n@compiled\n" in path.read_text(encoding="utf-8"):
                module = ".".join(("nonosat", *path.relative_to(package).with_suffix("").parts))
                import_module(module)
                LIBRARY.load(module)
    note("compiling the checker of certificates")
    ready()
