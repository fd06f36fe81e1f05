"""Compressed files: read whatever their name, written by suffix, never unpacked beyond the limit."""

from __future__ import annotations

import gzip
import io
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard
from commands import complaint, run
from PIL import Image
from pysat.formula import CNF
from pysat.solvers import Solver

from nonosat.errors import FormatError, NonosatError
from nonosat.files import MAX_BYTES, read_bytes, read_text, write_atomically
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load, load_all, save

PUZZLE = random_density(8, 9, 0.5, seed=1)
TEXT = "c eins\n" * 3000 + "1 2 0\n"


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


PACK: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstd}
KIND = {".gz": "gzip", ".xz": "xz", ".zst": "zstd"}
UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}


@pytest.mark.parametrize("suffix", PACK)
def test_what_others_packed_is_read_whatever_its_name(tmp_path: Path, suffix: str) -> None:
    for name in ("x.txt", "x" + suffix):
        (tmp_path / name).write_bytes(PACK[suffix](TEXT.encode()))
        assert read_text(tmp_path / name) == TEXT


@pytest.mark.parametrize("suffix", PACK)
def test_what_is_written_is_read_by_others_and_always_the_same(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / ("x.TXT" + suffix.upper())
    for data in (TEXT, TEXT.encode(), iter([TEXT[:100], TEXT[100:]]), ""):
        write_atomically(path, data)
        first = path.read_bytes()
        assert first.startswith(PACK[suffix](b"")[:3])
        expected = TEXT if data else ""
        assert UNPACK[suffix](first).decode() == expected == read_text(path)
        assert len(first) < 500
        if isinstance(data, str):
            write_atomically(tmp_path / ("other" + suffix), data)  # neither a name nor a time is in it
            assert (tmp_path / ("other" + suffix)).read_bytes() == first
    assert not [left for left in tmp_path.iterdir() if "nonosat" in left.name]


def test_a_gzip_file_has_no_time_and_no_name(tmp_path: Path) -> None:
    write_atomically(tmp_path / "x.gz", TEXT)
    assert (tmp_path / "x.gz").read_bytes()[3:8] == b"\0" * 5  # flags (none of an optional field), time


@pytest.mark.parametrize("suffix", PACK)
def test_several_parts_and_padding(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(PACK[suffix](b"one\n") + PACK[suffix](b"two\n") + b"\0" * 512)
    assert read_text(path) == "one\ntwo\n"


@pytest.mark.parametrize("suffix", PACK)
def test_every_cut_and_every_flipped_byte_is_reported_in_one_line(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / ("x" + suffix)
    write_atomically(path, np.random.default_rng(1).bytes(40).hex())
    packed = path.read_bytes()
    for cut in range(6, len(packed)):
        path.write_bytes(packed[:cut])
        with pytest.raises(FormatError, match=r"cut off|damaged") as caught:
            read_text(path)
        assert str(caught.value).startswith(f"{path}: compressed by {KIND[suffix]}, ")
        assert str(caught.value).isprintable()
    for at in range(len(packed)):
        path.write_bytes(packed[:at] + bytes([packed[at] ^ 0x55]) + packed[at + 1 :])
        read, said = read_or_refused(path)
        assert read is None or read.encode() == UNPACK[suffix](packed)  # gzip's header has bytes that say nothing of it
        assert said.isprintable()
        assert len(said) < 300 + len(str(path))
    path.write_bytes(packed + b"junk")
    with pytest.raises(FormatError, match=f"compressed by {KIND[suffix]}, and (damaged|cut off)"):
        read_text(path)


def read_or_refused(path: Path) -> tuple[str | None, str]:
    try:
        return read_text(path), ""
    except FormatError as error:
        return None, str(error)


@pytest.mark.parametrize("suffix", [".gz", pytest.param(".xz", marks=pytest.mark.slow), ".zst"])
def test_a_bomb_is_not_unpacked(tmp_path: Path, suffix: str) -> None:
    """A gigabyte of zeros, read in a process that may not have so much memory."""
    path = tmp_path / ("bomb.mk" + suffix)
    zeros = b"\0" * 2**24
    if suffix == ".zst":
        packer = zstandard.ZstdCompressor().compressobj()
        path.write_bytes(b"".join(packer.compress(zeros) for _ in range(64)) + packer.flush())
    elif suffix == ".xz":
        lz = lzma.LZMACompressor(preset=0)
        path.write_bytes(b"".join(lz.compress(zeros) for _ in range(64)) + lz.flush())
    else:
        path.write_bytes(PACK[suffix](zeros) * 64)
    assert path.stat().st_size < 2**21
    probe = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_DATA, (2**29, 2**29))\n"
        "from nonosat.files import read_bytes\n"
        "try: read_bytes(sys.argv[1])\n"
        "except Exception as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", probe, path], capture_output=True, text=True, check=True)
    assert done.stdout == f"{path}: unpacks to more than {MAX_BYTES // 2**20} MiB, the most that is read\n"


@pytest.mark.parametrize("suffix", PACK)
def test_the_limit_is_one_of_what_comes_out(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(PACK[suffix](b"a" * 5000))
    assert len(read_bytes(path, 5000)) == 5000
    with pytest.raises(FormatError, match="unpacks to more than 0 MiB"):
        read_bytes(path, 4999)


def test_packed_twice_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(lzma.compress(gzip.compress(b"1")))
    with pytest.raises(FormatError, match="not a text file: it is compressed by gzip"):
        read_text(tmp_path / "x")


@pytest.mark.parametrize("suffix", PACK)
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, suffix: str) -> None:
    def breaks() -> object:
        yield "half"
        raise OSError(28, "No space left on device")

    path = tmp_path / ("x" + suffix)
    path.write_bytes(b"old")
    with pytest.raises(NonosatError, match="no space left"):
        write_atomically(path, breaks())  # type: ignore[arg-type]
    assert [(left.name, left.read_bytes()) for left in tmp_path.iterdir()] == [("x" + suffix, b"old")]


def test_without_zstandard_the_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.zst"
    path.write_bytes(zstd(b"1"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    missing = r"zstd needs the package zstandard: pip install 'nonosat\[zstd\]'"
    with pytest.raises(NonosatError, match=missing):
        read_text(path)
    with pytest.raises(NonosatError, match=missing):
        write_atomically(path, "new")
    assert path.read_bytes() == zstd(b"1")
    assert [left.name for left in tmp_path.iterdir()] == ["x.zst"]


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("name", ["x.mk", "x.json", "x.non"])
def test_puzzles(tmp_path: Path, name: str, suffix: str) -> None:
    save(PUZZLE, tmp_path / (name + suffix))
    again = load(tmp_path / (name + suffix))
    assert (again.rows, again.columns) == (PUZZLE.rows, PUZZLE.columns)  # type: ignore[attr-defined]
    assert [p.shape for p in load_all(tmp_path / (name + suffix))] == [PUZZLE.shape]


def test_images(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.fromarray(np.array([[0, 255], [255, 0]], dtype=np.uint8)).save(out, "PNG")
    (tmp_path / "two.png.gz").write_bytes(gzip.compress(out.getvalue()))
    [puzzle] = load_all(tmp_path / "two.png.gz")
    assert (puzzle.shape, puzzle.title) == ((2, 2), "two")


# ---------------------------------------------------------------- the command line


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_formula_goes_out_and_a_packed_answer_comes_back(tmp_path: Path, suffix: str) -> None:
    puzzle, cnf, out = (str(tmp_path / name) + suffix for name in ("p.json", "p.cnf", "out"))
    save(PUZZLE, puzzle)
    assert run("encode", puzzle, "-o", cnf).returncode == 0
    plain = run("encode", puzzle, "-o", "-").stdout
    text = UNPACK[suffix](Path(cnf).read_bytes()).decode()
    assert text == plain
    with Solver("cadical153", bootstrap_with=CNF(from_string=text).clauses) as solver:
        assert solver.solve()
        Path(out).write_bytes(PACK[suffix](f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n".encode()))
    done = run("decode", cnf, out)
    assert done.returncode == 10
    assert run("decode", cnf, "-", stdin=Path(out).read_bytes()).returncode == 10
    assert run("check", puzzle, "-", stdin=PACK[suffix](done.stdout.encode())).returncode == 0
    csp = str(tmp_path / "p.csp") + suffix
    assert run("encode", puzzle, "-o", csp).returncode == 0
    assert run("encode", puzzle, "-o", str(tmp_path / "q.csp")).returncode == 0
    assert UNPACK[suffix](Path(csp).read_bytes()) == (tmp_path / "q.csp").read_bytes()
    assert run("csp", csp).stdout.startswith("s SATISFIABLE\n")


def test_other_commands_take_packed_files(tmp_path: Path) -> None:
    save(PUZZLE, tmp_path / "p.mk.gz")
    puzzle = str(tmp_path / "p.mk.gz")
    assert run("solve", puzzle).returncode == 10
    assert run("solve", "-", "--from", "mk", stdin=Path(puzzle).read_bytes()).returncode == 10
    assert run("prove", puzzle, "-o", str(tmp_path / "proof")).returncode in (10, 20)
    echo, seen = tmp_path / "echo.py", tmp_path / "seen"
    echo.write_text("import sys; print('s UNKNOWN'); open(sys.argv[2], 'w').write(open(sys.argv[1]).read())")
    assert run("solve", puzzle, "--solver", f"exec:{sys.executable} {echo} {{cnf}} {seen}").returncode == 0
    assert "p cnf " in seen.read_text()  # a program gets a plain formula
    assert run("convert", puzzle, str(tmp_path / "p.non.xz")).returncode == 0
    assert load(tmp_path / "p.non.xz").shape == PUZZLE.shape
    assert run("draw", puzzle, str(tmp_path / "p.svg.gz")).returncode == 0
    assert gzip.decompress((tmp_path / "p.svg.gz").read_bytes()).startswith(b"<svg")


@pytest.mark.parametrize("name", ["x.cnf.bz2", "x.csp.Z", "x.zip"])
def test_what_we_do_not_compress_by_is_refused_and_not_written_plainly(tmp_path: Path, name: str) -> None:
    save(PUZZLE, tmp_path / "p.mk")
    target = tmp_path / name
    said = complaint("encode", str(tmp_path / "p.mk"), "-o", str(target))
    assert said == f"{target}: {target.suffix.lower()} is not written, but .gz, .xz, .zst are"
    assert not target.exists()


@pytest.mark.parametrize("suffix", PACK)
def test_bad_packed_files_are_one_line_and_lose_nothing(tmp_path: Path, suffix: str) -> None:
    save(PUZZLE, tmp_path / "p.json")
    puzzle, target = str(tmp_path / "p.json"), tmp_path / ("t.cnf" + suffix)
    packed = PACK[suffix](Path(puzzle).read_bytes())
    (tmp_path / ("cut.json" + suffix)).write_bytes(packed[: len(packed) // 2])
    target.write_bytes(b"old")
    cut = str(tmp_path / ("cut.json" + suffix))
    assert complaint("encode", cut, "-o", str(target)).startswith(f"{cut}: compressed by {KIND[suffix]}, and cut off")
    assert "cut off" in complaint("solve", "-", "--from", "json", stdin=packed[:-3])
    assert "cut off" in complaint("decode", cut, "-")
    assert "cut off" in complaint("csp", cut)
    assert target.read_bytes() == b"old"
    (tmp_path / ("folder.cnf" + suffix)).mkdir()
    assert "is a directory" in complaint("encode", puzzle, "-o", str(tmp_path / ("folder.cnf" + suffix)))
    assert "no such directory" in complaint("encode", puzzle, "-o", str(tmp_path / "none" / ("x.cnf" + suffix)))
    (tmp_path / ("empty.json" + suffix)).write_bytes(b"")
    assert "the file is empty" in complaint("solve", str(tmp_path / ("empty.json" + suffix)))
    for name, told in (("x.qqq", "no format has the suffix"), ("x", "the name has no suffix")):
        nameless = tmp_path / (name + suffix)
        assert "no such file" in complaint("solve", str(nameless))
        nameless.write_bytes(PACK[suffix](b"what is this?"))
        assert told in complaint("solve", str(nameless))
