"""What shells make of a line that is begun: real ones, with the line of the README, in a terminal of their own."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from pages import ROOT
from sampling import spread

from nonosat.cli import cli
from nonosat.cli.shared.commands import LazyGroup

SHELLS = {"bash": ["--rcfile", "rc", "-i"], "zsh": ["-i"]}
PATIENCE_S = 120
"""Until a shell is given up, on however busy a machine."""
RC = """\
words() {{ printf '\\n{{'; printf '[%s]' "$@"; printf '}}\\n'; }}
unset PROMPT_COMMAND
PS1='READY''> '
{more}
{line}
"""
"""``words`` prints what the shell made of a line; what is typed does not look like the prompt."""
MORE = {
    "bash": "bind 'set bell-style none'; bind 'set enable-bracketed-paste off'",
    "zsh": "bindkey -e; unset zle_bracketed_paste",
}
OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
"""A program that makes its stdin the terminal of its session, and then becomes another one."""


def readme_line(shell: str) -> str:
    """The README's line for bash, and what it says of zsh."""
    [line] = re.findall(r'`(eval "[^`]*")`', (ROOT / "README.md").read_text(encoding="utf-8"))
    return line.replace("bash_source", f"{shell}_source")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files to complete, the command in ``bin`` and nothing of the user's."""
    folder = tmp_path_factory.mktemp("shell")
    (folder / "bin").mkdir()
    (folder / "bin/nonosat").write_text(f'#!/bin/sh\nexec {sys.executable} -m nonosat "$@"\n')
    (folder / "bin/nonosat").chmod(0o755)
    for name in ("examples", "experiments/castilho2018"):
        (folder / name).mkdir(parents=True)
    study = "experiments/castilho2018/castilho2018-readings.toml"
    for name in ("examples/heart.mk", "examples/towers.sky", "my board.mk", "castle.toml", "at=home.mk", study):
        (folder / name).write_text("")
    return folder


@pytest.fixture(scope="module", params=SHELLS)
def typed(request: pytest.FixtureRequest, place: Path) -> Iterator[Callable[[str], list[str]]]:
    """Types the beginning of a line and what follows, and gives the words that the shell would run."""
    name = request.param
    if (program := shutil.which(name)) is None:
        pytest.skip(f"there is no {name}")
    rc = RC.format(more=MORE[name], line=readme_line(name))
    (place / ("rc" if name == "bash" else ".zshrc")).write_text(rc)
    environment = {"PATH": f"{place / 'bin'}:{os.environ['PATH']}", "HOME": str(place), "ZDOTDIR": str(place)}
    environment |= {"TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    terminal, other = pty.openpty()
    command = [sys.executable, "-c", OWN_TERMINAL, program, *SHELLS[name]]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), other)
    process = subprocess.Popen(command, cwd=place, env=environment, start_new_session=True, **streams)
    os.close(other)
    try:
        _until(terminal, r"READY> ")

        def type_(text: str) -> list[str]:
            # Keys are taken one after the other: what follows a tab is read when it is done. ^A goes to the beginning.
            os.write(terminal, f"{text}\x01words \r".encode())
            found = _until(terminal, r"\n\{((?:\[[^\]]*\])+)\}[\s\S]*READY> ")
            return re.findall(r"\[([^\]]*)\]", found[1])

        yield type_
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def _until(terminal: int, pattern: str) -> re.Match[str]:
    """Read until ``pattern`` is there."""
    seen, end = "", time.monotonic() + PATIENCE_S
    while (found := re.search(pattern, seen)) is None:
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"no {pattern!r} in {seen!r}"
        seen += os.read(terminal, 65536).decode(errors="replace")
    return found


@pytest.mark.parametrize(
    ("begun", "words"),
    spread([
        ("so", ["solve", "X"]),
        ("study re", ["study", "report", "X"]),
        ("solve examples/hea", ["solve", "examples/heart.mk", "X"]),
        ("solve exam", ["solve", "examples/X"]),
        ("solve my", ["solve", "my board.mk", "X"]),
        ('solve "my b', ["solve", "my board.mk", "X"]),
        ("solve my\\ b", ["solve", "my board.mk", "X"]),
        ("solve a --draw examples/to", ["solve", "a", "--draw", "examples/towers.sky", "X"]),
        ("solve a --solver minisat2", ["solve", "a", "--solver", "minisat22", "X"]),
        ("solve --solver elimination+fi", ["solve", "--solver", "elimination+fifo", "X"]),
        ("solve --encoding tight+r3+o", ["solve", "--encoding", "tight+r3+order", "X"]),
        ("solve --encoding=tight+r3+o", ["solve", "--encoding=tight+r3+order", "X"]),
        ("solve --uni", ["solve", "--unique", "X"]),
        ("study run castilho2018-re", ["study", "run", "castilho2018-readings", "X"]),
        ("study run castl", ["study", "run", "castle.toml", "X"]),
        ("study run exam", ["study", "run", "examples/X"]),
        ("generate --puzzle sky", ["generate", "--puzzle", "skyscrapers", "X"]),
        ("generate --generator sky", ["generate", "--generator", "skyscrapers", "X"]),
        ("generate --label very", ["generate", "--label", "very hard", "X"]),
        ("convert --to web", ["convert", "--to", "webpbn", "X"]),
        ("list ki", ["list", "kinds", "X"]),
        ("solve ~/cast", ["solve", "HOME/castle.toml", "X"]),
    ], 4),
)  # fmt: skip
def test_a_tab_completes(typed: Callable[[str], list[str]], place: Path, begun: str, words: list[str]) -> None:
    """X is typed behind the tab: a word of its own, but behind a folder, which is to be gone on with."""
    assert typed(f"nonosat {begun}\tX") == ["nonosat", *(word.replace("HOME", str(place)) for word in words)]


@pytest.mark.slow
def test_fish_completes(place: Path) -> None:
    if (program := shutil.which("fish")) is None:
        pytest.skip("there is no fish")
    environment = {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "HOME": str(place)}
    for begun, told in (
        ("solve examples/hea", "examples/heart.mk"),
        ("solve --encoding tight+r3+o", "tight+r3+order"),
        ("solve --encoding=tight+r3+o", "--encoding=tight+r3+order"),
        ("solve --draw=examples/hea", "--draw=examples/heart.mk"),
    ):
        source = "_NONOSAT_COMPLETE=fish_source nonosat | source"
        command = [program, "--no-config", "-c", f"{source}; complete -C 'nonosat {begun}'"]
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == [told]


def _parameters(command: click.Command, name: str) -> Iterator[tuple[str, click.Parameter]]:
    context = click.Context(command)
    for parameter in command.get_params(context):
        yield f"{name} {parameter.name}", parameter
    if isinstance(command, LazyGroup):
        for below in command.commands:
            made = command.get_command(context, below)
            assert made is not None
            yield from _parameters(made, f"{name} {below}")


def test_every_text_parameter_has_a_completion() -> None:
    texts = [
        (name, each) for name, each in _parameters(cli, "nonosat") if isinstance(each.type, click.types.StringParamType)
    ]
    assert len(texts) > 60
    assert [name for name, each in texts if each._custom_shell_complete is None] == []


def test_the_list_of_commands_imports_none() -> None:
    program = "import sys; from nonosat.cli import cli; import click; cli.shell_complete(click.Context(cli), ''); "
    program += "print([m for m in sys.modules if m.startswith('nonosat.cli.') and 'shared' not in m])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
