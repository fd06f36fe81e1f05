"""The machine code of this process: object files, loaded when they are needed, and made first if there are none.

Loading needs neither numba nor a linker: llvmlite's loader takes the files as they are.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import re
import selectors
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from nonosat.compiled.kernel import FAILED, Inlined, Instruction, Kernel, machine_entry, used
from nonosat.progress import announce, notice

if TYPE_CHECKING:
    import subprocess

# Units of machine code: the kernels of one module, an object file each; what it rests on, and a name for all of that.
#
# A unit's name hashes the code of its functions and of those that are built into them, the numbers that they use, the
# layout of what they are handed, and who compiles for which machine. So an edit that changes none of that costs
# nothing,
# and what it does change is compiled anew, wherever it stands.


FORM = "3"
"""Of what is made of kernels: another one for every change of ``compiler.py`` that changes object files."""
SETTINGS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


def kernels_of(module: str) -> list[Kernel]:
    """All kernels that an imported module defines."""
    mine = vars(sys.modules[module]).values()
    return [value for value in mine if isinstance(value, Kernel) and value.function.__module__ == module]


def units_for(*modules: str) -> list[str]:
    """``modules``, and the others whose kernels those of them call, however far off."""
    found: dict[str, None] = {}
    todo: list[Any] = list(modules)
    seen: set[int] = set()
    while todo:
        each = todo.pop()
        if isinstance(each, str):
            if each not in found:
                found[each] = None
                todo += kernels_of(each)
        elif id(each) not in seen:
            seen.add(id(each))
            for _, value in used(each.function):
                todo += [value.function.__module__] if isinstance(value, Kernel) else []
                todo += [value] if isinstance(value, Inlined) else []
    return list(found)


def name_of(module: str) -> str:
    """The name of a unit's object file."""
    digest = hashlib.sha256(toolchain().encode())
    for line in _describe(kernels_of(module)):
        digest.update(line.encode() + b"\n")
    return f"{module}-{digest.hexdigest()[:16]}.o"


@cache
def toolchain() -> str:
    """Who compiles, and for which machine."""
    from llvmlite import binding

    versions = [_version(name) for name in ("numba", "llvmlite")]
    settings = [os.environ.get(name, "") for name in SETTINGS]
    machine = (binding.get_process_triple(), binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())
    return repr((FORM, sys.implementation.cache_tag, *versions, *settings, *machine))


TESTED = "0.68"
"""The version of numba whose private parts ``compiler.py`` replaces, with whatever stands behind these two numbers."""


@cache
def untested() -> str | None:
    """The version of numba that is installed, if it is not the one that was tested, or cannot be read."""
    found = re.search(r'"version": "([^"]+)"', _version("numba"))
    version = "(of unknown version)" if found is None else found[1]
    return None if f"{version}.".startswith(f"{TESTED}.") else version


def _version(package: str) -> str:
    """What a package writes of its version; it is not imported for that: numba takes longer than all else here."""
    spec = find_spec(package)
    path = None if spec is None or spec.origin is None else Path(spec.origin).with_name("_version.py")
    return path.read_text() if path is not None and path.exists() else ""


def _describe(kernels: list[Kernel]) -> Iterator[str]:
    """What machine code depends on, line by line."""
    todo: list[Any] = list(kernels)
    seen: set[int] = set()
    while todo:
        each = todo.pop(0)
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield f"{each.function.__qualname__} {each.kinds if isinstance(each, Kernel) else ''}"
        yield from _code(each.function.__code__)
        for name, value in used(each.function):
            if isinstance(value, Kernel):
                yield f"{name} = {value.symbol} {value.kinds}"
            elif isinstance(value, Instruction):
                yield f"{name} = {value.name}"
            elif isinstance(value, Inlined):
                yield f"{name} = {value.function.__qualname__}"
                todo.append(value)
            elif isinstance(value, ModuleType | type):
                yield f"{name} = {value.__name__}"
            else:
                yield f"{name} = {value!r}"


def _code(code: CodeType) -> Iterator[str]:
    yield repr((code.co_code, code.co_names, code.co_varnames, code.co_argcount))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield repr(constant)


# Object files, made once a machine: by processes of their own, on all cores, into a folder where they are kept.
#
# A process that needs code which is not there makes all of it; another one at the same time waits, and finds it made. A
# process that searches never loads the compiler, which would weigh 200 MiB in it, and in each of its forks.


CODE = "import sys; sys.path[:] = sys.argv[1:]; from nonosat.compiled.compiler import main; main()"
STALE_S = 30 * 86_400.0
"""Files of code that nobody has loaded for so long are removed when others are made."""


def make_missing(names: dict[str, str], folder: Path) -> None:
    """Make the object files of units (module: file name) that are not in ``folder`` yet."""
    with _alone(folder):
        if missing := {unit: name for unit, name in names.items() if not (folder / name).exists()}:
            _forget(folder)
            make(missing, folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else makes files in the folder; the lock ends with the process."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _forget(folder: Path) -> None:
    for path in folder.glob("*.o"):
        with suppress(OSError):
            if time.time() - path.stat().st_atime > STALE_S:
                path.unlink()


def make(names: dict[str, str], folder: Path) -> None:
    """Make the object files of units, the largest first, in as many processes as there are cores."""
    todo = sorted(names, key=lambda unit: sum(len(each.function.__code__.co_code) for each in kernels_of(unit)))
    files = {unit: str(sys.modules[unit].__file__) for unit in names}
    many, done = len(todo), 0
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    import subprocess  # nothing here is needed where the machine code is there already
    import tempfile

    with ExitStack() as stack, selectors.DefaultSelector() as ready, tempfile.TemporaryFile() as complaints:
        for _ in range(min(many, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)):
            worker = subprocess.Popen(
                [sys.executable, "-c", CODE, *sys.path],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, env=environment,
            )  # fmt: skip
            stack.callback(_end, worker)
            assert worker.stdout is not None
            ready.register(worker.stdout, selectors.EVENT_READ, worker)
        announce(f"compiling native code, once a machine: {many} parts")
        while done < many:
            for key, _ in ready.select():
                worker = key.data
                line = worker.stdout.readline().decode()
                if not line:
                    complaints.seek(0)
                    raise RuntimeError(
                        f"compiling failed: {complaints.read().decode(errors='replace')[-2000:].strip()}"
                    )
                if made := line.split()[1:]:
                    done += 1
                    announce(
                        f"compiling native code, once a machine: {done} of {many}, {made[0].removeprefix('nonosat.')}"
                    )
                if todo:
                    unit = todo.pop()
                    worker.stdin.write(f"{unit}\t{files[unit]}\t{folder / names[unit]}\n".encode())
                    worker.stdin.flush()


def _end(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


# Where object files are kept, and how they are got.


@cache
def kept_in() -> Path | None:
    """Where machine code is kept: in this package if possible, else in the user's cache, else nowhere (None)."""
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for folder in (Path(__file__).parent / "__pycache__" / "machine", Path(home).expanduser() / "nonosat" / "machine"):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


def all_there(names: Iterable[str]) -> bool:
    """Are there object files of these names?"""
    folder = kept_in()
    return folder is not None and all((folder / name).exists() for name in names)


def object_files(names: dict[str, str]) -> list[bytes]:
    """The object files of units (module: file name), made now if they are not there."""
    with ExitStack() as stack:
        folder = kept_in()
        if folder is None:
            from tempfile import TemporaryDirectory

            folder = Path(stack.enter_context(TemporaryDirectory(prefix="nonosat-")))
        if any(not (folder / name).exists() for name in names.values()):
            make_missing(names, folder)
        return [(folder / name).read_bytes() for name in names.values()]


before_loading: list[Callable[[str], None]] = []
"""Who hears of a module whose code is to be loaded, before it is."""


class Library:
    """What is loaded. ``compiling``: this process imports modules to compile them, and must not wait for itself."""

    def __init__(self) -> None:
        self.compiling = False
        self.lock = threading.RLock()
        self.units: set[str] = set()
        self.engine: Any = None
        self.failed = ctypes.c_int64()
        self.alive: list[Any] = []
        self.gathered: dict[str, None] | None = None

    def load(self, *modules: str) -> None:
        """Load the kernels of ``modules`` and all that they call."""
        with self.lock:
            if self.gathered is not None:
                self.gathered.update(dict.fromkeys(modules))
            else:
                self.load_now(*modules)

    def load_now(self, *modules: str) -> None:
        """The same, whatever may come of it at the end of ``at_once``."""
        if new := [unit for unit in units_for(*modules) if unit not in self.units]:
            if self.compiling:
                raise RuntimeError(f"{new[0]}: compiled code is called where its module is imported, which compiles it")
            for before in before_loading:
                before(new[0])
            if (version := untested()) is not None:
                from nonosat.compiled import fallback

                notice(f"nonosat: numba {version} is not the tested {TESTED}: compiled code is left to numba's cache")
                fallback.compile_kernels([kernel for unit in new for kernel in kernels_of(unit)])
            else:
                self.add(object_files({unit: name_of(unit) for unit in new}))
            self.units.update(new)

    def has(self, module: str) -> bool:
        """Is it loaded?"""
        return module in self.units

    def made(self, module: str) -> bool:
        """Are the object files there that ``load`` would load? With another numba than was tested there are none."""
        return untested() is not None or all_there(name_of(unit) for unit in units_for(module))

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is to be loaded within this context is loaded at its end, so that all cores have something to make."""
        with self.lock:
            self.gathered = {}
            try:
                yield
                gathered = self.gathered
            finally:
                self.gathered = None
            self.load(*gathered)

    @contextmanager
    def without_loading(self) -> Iterator[None]:
        """Nothing is loaded within this context, so that a module can be imported and none is compiled for it."""
        with self.lock:
            before, self.gathered = self.gathered, {}
            try:
                yield
            finally:
                self.gathered = before

    def add(self, files: list[bytes]) -> None:
        """Add object files, which may call each other and what is there already."""
        from llvmlite import binding

        if self.engine is None:
            binding.initialize_native_target()
            binding.initialize_native_asmprinter()
            machine = binding.Target.from_default_triple().create_target_machine(jit=True)
            self.alive.append(binding.parse_assembly(f'@"{FAILED}" = global i64 0'))
            self.engine = binding.create_mcjit_compiler(self.alive[0], machine)
            self.failed = ctypes.c_int64.from_address(self.engine.get_global_value_address(FAILED))
        for content in files:
            self.alive.append(binding.ObjectFileRef.from_data(content))
            self.engine.add_object_file(self.alive[-1])
        self.engine.finalize_object()

    def entry(self, kernel: Kernel) -> Callable[..., Any]:
        """``kernel``, loaded if it was not, as a function of Python."""
        with self.lock:
            if kernel.function.__module__ not in self.units:
                self.load_now(kernel.function.__module__)
            if untested() is not None:
                from nonosat.compiled import fallback

                return fallback.entry(kernel)
            return machine_entry(kernel, int(self.engine.get_function_address(kernel.symbol)), self.failed)


LIBRARY = Library()
