"""Machine code of compiled loops, cached in files between processes.

numba's own cache trusts what it reads: a file that a power cut left empty raises an error each time, and flipped bits
are run as machine code. Here each file begins with the SHA-256 of the rest, and its name is made from all that the
code depends on. So a file is either valid or replaced, files of other versions of kt, numba or Python are never read,
and checkouts with the same loops share them. A fault of the cache costs at most a compilation and one warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import warnings
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from kt_models.errors import KTWarning, reason_of

SUFFIX = ".ktc"
SYMBOLS = "by digest"
"""How symbols in the machine code are named: files with other names must not be mixed with these."""
UNUSED_DAYS = 60
"""Days after which a file of another version of the same loop is removed: nobody is likely to return to it."""
LOCK_SECONDS = 120
"""Longest wait for another process that compiles the same loop; the slowest loop takes about ten on a busy machine."""
DIGEST_BYTES = hashlib.sha256().digest_size


def cache_folder() -> Path:
    """Folder of machine code: `NUMBA_CACHE_DIR` if it is set, otherwise `kt` in the user's cache folder."""
    import numba
    from numba.misc.appdirs import AppDirs

    chosen = getattr(numba.config, "CACHE_DIR", "")
    return Path(chosen or AppDirs(appname="kt", appauthor=False).user_cache_dir)


def read_checked(path: Path) -> bytes | None:
    """Content of a cache file; `None` if it is missing, unreadable or damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    content = data[DIGEST_BYTES:]
    # A digest in front: a file cut short by a crash or a full disk is recognised
    return content if content and hashlib.sha256(content).digest() == data[:DIGEST_BYTES] else None


def write_checked(path: Path, content: bytes) -> None:
    """Write a cache file under a temporary name and rename it.

    Raises
    ------
    OSError
        If the folder cannot be made or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = mkstemp(prefix=f".{path.name[:80]}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(hashlib.sha256(content).digest() + content)
        # Atomic: readers see the old file or the new one
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def repair(folder: Path) -> tuple[int, int]:
    """Test a cache folder, and remove damaged files from it.

    Returns
    -------
    tuple of int
        How many files are right, and how many were damaged.

    Raises
    ------
    OSError
        If the folder cannot be made, written or read back.
    """
    probe = folder / f"probe-{os.getpid()}{SUFFIX}"
    content = bytes(range(256)) * 256  # About as much as the code of one loop
    write_checked(probe, content)
    back = read_checked(probe)
    probe.unlink()
    if back != content:
        raise OSError("what was written is read back changed")
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    damaged = [path for path in paths if read_checked(path) is None]
    for path in damaged:
        path.unlink(missing_ok=True)
    return len(paths) - len(damaged), len(damaged)


class CodeCache:
    """Cache of one loop, with the interface that numba's dispatchers expect.

    Parameters
    ----------
    name
        The loop's name.
    digest
        Digest of everything in kt that determines its machine code.
    compiling
        Gets the loop's name when it has to be compiled.
    """

    def __init__(self, name: str, digest: str, compiling: set[str]) -> None:
        self.name, self.digest, self.compiling = name, digest, compiling
        self.folder = cache_folder()
        self.cache_path: str | None = str(self.folder)
        """`None` once the folder turned out to be read-only."""
        self.alone = ExitStack()
        """Closed once the loop is ready: other processes that need the same loop wait for it."""

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load the machine code for a signature; `None` if it has to be compiled. numba calls this."""
        from numba.core.runtime import rtsys

        rtsys.initialize(target)  # All that cached code needs; numba's `refresh` would take a quarter of a second more
        path = self._path(signature, target.codegen())
        code = self._load(path, target)
        if code is None:
            self.compiling.add(self.name)
            # Two processes would compile the same loop for seconds each
            self.alone.enter_context(_alone(self.folder / f"{self.name}.lock"))
            code = self._load(path, target)  # Another process may have compiled it meanwhile
        if code is None:
            target.refresh()
        return code

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Save the machine code for a signature. numba calls this."""
        from numba.core.serialize import dumps

        if compiled.library.has_dynamic_globals:  # It contains addresses of this process
            return
        path = self._path(signature, compiled.codegen)
        content: bytes = dumps(compiled._reduce())
        try:
            write_checked(path, content)
            self._remove_unused(path)
        except OSError as error:
            self.cache_path = None
            _warn(self.folder, error)

    def _load(self, path: Path, target: Any) -> Any:
        import pickle

        from numba.core.compiler import CompileResult

        content = read_checked(path)
        if content is None:
            return None
        try:
            return CompileResult._rebuild(target, *pickle.loads(content))
        except Exception:  # A file that another version of numba wrote: it is replaced
            return None

    def _path(self, signature: Any, codegen: Any) -> Path:
        import platform

        import llvmlite
        import numba

        versions = (numba.__version__, llvmlite.__version__, platform.python_version())
        # Everything that the machine code depends on, the processor included (`magic_tuple`)
        words = repr((SYMBOLS, self.name, self.digest, str(signature), codegen.magic_tuple(), versions))
        return self.folder / f"{self.name}-{hashlib.sha256(words.encode()).hexdigest()[:20]}{SUFFIX}"

    def _remove_unused(self, path: Path) -> None:
        long_ago = time.time() - UNUSED_DAYS * 86400
        for unused in self.folder.glob(f"{self.name}-*{SUFFIX}"):
            if unused != path and unused.stat().st_mtime < long_ago:
                unused.unlink(missing_ok=True)


def _alone(path: Path) -> AbstractContextManager[object]:
    """While this is open, other processes that arrive here wait for at most `LOCK_SECONDS`.

    A killed process releases its lock; a stopped one, or a disk without locks, blocks nobody for good.
    """
    try:
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    # Without locks each process compiles for itself: slower, but right
    except (ImportError, OSError):
        return nullcontext()
    until = time.monotonic() + LOCK_SECONDS
    while time.monotonic() < until:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            time.sleep(0.02)
        except OSError:
            break
    return file


_warned = False


def _warn(folder: Path, error: OSError) -> None:
    """Warn, once in a process, that compiled code cannot be cached."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(not_kept(folder, error), KTWarning, stacklevel=2)


def not_kept(folder: Path, error: OSError) -> str:
    """The warning that compiled code cannot be cached in a folder, with its consequence and a remedy."""
    return (
        f"{folder}: compiled code cannot be kept there ({reason_of(error)}), so each run compiles it again; "
        "NUMBA_CACHE_DIR names another folder"
    )
