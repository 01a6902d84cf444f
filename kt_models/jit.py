"""How hot loops are compiled: numba, cached on disk where that is possible.

Importing this module imports numba (about half a second): only modules that are themselves imported lazily do so.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

# to colour its messages numba has colorama exchange `sys.stdout` whenever it compiles, in whatever thread that is, and
# put back what was there at first: what the program prints then goes to a stream that is no longer the right one
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

from numba import njit


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function; keep the machine code on disk if there is a folder for it.

    numba looks for a writable `__pycache__`, then for a cache folder of the user; on a read-only installation without
    a home folder it finds neither and raises, and then the function is compiled anew in each process.  The lock of
    the interpreter is released, so that a search can run in a thread beside a solver.
    """
    return _compiled(function, {"nogil": True})


def bare_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that makes no array: it counts no references, which costs more than a short function does."""
    return _compiled(function, {"nogil": True, "_nrt": False})


def _compiled(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:
        return njit(**options)(function)
