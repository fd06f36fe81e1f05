"""How `nonosat app` begins and ends, and what it says when it cannot."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import spread
from serving import Server

from nonosat.app.server import data_folder, listening
from nonosat.errors import NonosatError


def said(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "nonosat", "app", "--no-open", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("number", spread([signal.SIGINT, signal.SIGTERM], 1))
def test_it_ends_by_a_signal(tmp_path: Path, number: int) -> None:
    server = Server(tmp_path)
    server.enter()
    server.process.send_signal(number)
    out, complaint = server.process.communicate(timeout=120)
    assert (out, complaint) == ("", "")
    assert server.process.returncode in (0, -number)
    assert (tmp_path / "progress.sqlite").exists()
    assert not (tmp_path / "progress.sqlite-wal").exists()  # closed, not dropped


@pytest.mark.slow
def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = said("--port", port, "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"nonosat: cannot listen at 127.0.0.1, port {port}: address already in use\n"


@pytest.mark.parametrize("host", spread(["no.such.host.invalid", "203.0.113.7", "", "a" * 300], 2))
def test_a_foreign_address_is_reported(tmp_path: Path, host: str) -> None:
    done = said("--host", host, "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("nonosat: ")
    assert "None" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_usual_port_is_left_to_who_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr("nonosat.app.server.PORT", taken.getsockname()[1])
        with listening("127.0.0.1", None) as other:
            assert other.getsockname()[1] != taken.getsockname()[1]


@pytest.mark.slow
def test_listening_on_all_addresses_prints_a_warning(tmp_path: Path) -> None:
    server = Server(tmp_path, "--host", "0.0.0.0")
    assert server.url.startswith(f"http://127.0.0.1:{server.port}/?token=")
    server.enter()
    assert server.ask("GET", "/api/play/packs", headers={"Host": f"192.0.2.1:{server.port}"})[0] == 200
    assert server.ask("GET", "/api/play/packs", headers={"Host": f"evil.example:{server.port}"})[0] == 421
    server.process.terminate()
    assert "other machines can reach this" in server.process.communicate(timeout=120)[1]


def test_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_folder(None) == tmp_path / "xdg" / "nonosat"
    assert (tmp_path / "xdg" / "nonosat").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(NonosatError, match="is a file, not a folder"):
        data_folder(str(tmp_path / "file"))


PACKS = {
    "{": "pack.json:1: not JSON",
    "[]": "a pack is an object",
    '{"puzzles": []}': "a pack is an object",
    '{"puzzles": [7]}': "puzzle 1: an entry is an object",
    '{"puzzles": [{"puzzle": {}}]}': 'puzzle 1: no "rows"',
    '{"puzzles": [{"puzzle": {"rows": [[9]], "columns": [[1]]}}]}': "puzzle 1: row 1: runs 9 need 9 cells",
    '{"puzzles": [{"puzzle": {"rows": [[1]], "columns": [[1]]}, "lives": 0}]}': "puzzle 1: ",
    '{"icon": ["#", "##"], "puzzles": [{"puzzle": {"rows": [[1]], "columns": [[1]]}}]}': '"icon"',
    '{"puzzles": [{"puzzle": {"rows": [[1]], "columns": [[1]]}, "picture": {"palette": ["red"]}}]}': "puzzle 1: ",
    '{"puzzles": [{"puzzle": {"rows": [[1]], "columns": [[1]]}, "picture": {"palette": [], "rows": ["1"]}}]}': "puzzle",
    "[" * 100_000: "pack.json: ",
}


@pytest.mark.parametrize("text", spread(PACKS, 3), ids=range(len(PACKS)))
def test_a_broken_pack_is_reported(tmp_path: Path, text: str) -> None:
    from nonosat.app.packs import packs

    (tmp_path / "pack.json").write_text(text)
    with pytest.raises(NonosatError) as error:
        packs(tmp_path)
    assert PACKS[text] in str(error.value)
    assert "pack.json" in str(error.value)
    assert "\n" not in str(error.value)
