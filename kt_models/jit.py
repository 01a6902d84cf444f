"""Compilation of hot loops by numba: fixed signatures, and machine code cached in a folder of the user.

numba, which takes half a second to import, is loaded when a loop is first compiled or read from the cache: until then
a module with loops in it costs nothing. The signature is fixed, so a loop is compiled once, and `kt doctor --warm` can
do it beforehand without running it. Short loops that take a few milliseconds in plain Python run there.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection
from functools import cached_property, update_wrapper
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Annotated, Any, TypeVar

import numpy as np

# To colour its messages numba has colorama exchange `sys.stdout` whenever it compiles, in whatever thread that is, and
# put back what was there at first: what the program prints then goes to a stream that is no longer the right one
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

MAX_PLAIN_VERTICES = 12_000
"""Vertices up to which a loop that visits each of them once takes some tenths of a second at most in plain Python:
numba takes as long to load, and a second or two to compile the loop."""
PLAIN_SECONDS = 0.3
"""Total time for which a short loop runs in plain Python: loading numba takes about twice as long."""
T = TypeVar("T")
Template = Annotated[T, "a parameter of the loops of its module"]
"""The type of a global name that `Kernel.instance` gives another value: no constant, but the usual value of a
parameter."""
under_way: set[str] = set()
"""Names of the loops that are being compiled."""
_lock = threading.RLock()


class Kernel:
    """A function that is compiled, or read from the cache, when it is first called.

    The lock of the interpreter is released while it runs, so that a search can run in a thread beside a solver.

    Parameters
    ----------
    function
        Uses only what numba compiles; its globals may be other kernels.
    signature
        Types of the result and of the arguments, in numba's notation. A function without a signature is compiled as a
        part of the kernels that call it, and only kernels may call it.
    plain
        The function runs in plain Python, with the same result, if its first argument has at most this number of rows.
    counts
        Whether it counts references, which it must if it makes an array. Counting takes longer than a short function.
    """

    def __init__(self, function: FunctionType, signature: str, plain: int = 0, counts: bool = True) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.signature = signature
        self._plain = plain
        self._plain_seconds = 0.0
        self._options: dict[str, bool] = {"nogil": True, "no_cfunc_wrapper": True}
        if not counts:
            self._options["_nrt"] = False
        # Only other loops call it, so no wrapper has to unpack Python arguments: a tenth of the time to compile
        if not signature:
            self._options["no_cpython_wrapper"] = True

    @property
    def name(self) -> str:
        """Qualified name of the loop."""
        return f"{self.py_func.__module__}.{self.py_func.__name__}"

    @cached_property
    def machine_code(self) -> Any:
        """The dispatcher of numba."""
        with _lock:  # Two threads must not compile the same loop
            return self.__dict__.get("machine_code") or _machine_code(self)

    @cached_property
    def interpreted(self) -> Callable[..., Any]:
        """The function in plain Python, with all functions that it calls."""
        names = self.py_func.__globals__
        # Plain Python calls plain Python: a mixture would compile after all
        called = {name: names[name].interpreted for name in self.py_func.__code__.co_names if _is_kernel(names, name)}
        function = FunctionType(self.py_func.__code__, {**names, **called}, self.py_func.__name__)
        return np.errstate(over="ignore")(function)  # Machine words wrap around.

    @property
    def _numba_type_(self) -> Any:
        """The value that numba sees where another kernel calls this one."""
        return self.machine_code._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        # Compiled already, or plain Python has been slow for too long, or the input is large
        if "machine_code" in self.__dict__ or self._plain_seconds > PLAIN_SECONDS or len(arguments[0]) > self._plain:
            return self.machine_code(*map(writable, arguments))
        began = time.perf_counter()
        result = self.interpreted(*arguments)
        self._plain_seconds += time.perf_counter() - began
        return result

    def instance(self, name: str, **names: Any) -> Kernel:
        """An instance of this loop as a template, with other values for some `Template`s of its module.

        A loop that calls `merge` is compiled for another `merge` by `loop.instance("loop_least", merge=merge_least)`.
        So there is only one source for linters, type checkers and plain Python, and the machine code has no call
        through a pointer. The digest covers what is bound, so the cache of another process finds it. Functions passed
        as arguments, or closed over, would be compiled anew in every process.

        Parameters
        ----------
        name
            Name of the module's variable for the instance. The instance must be a global of a module to be found by
            `kt doctor --warm`, and must be made below all that the loop names, as the globals are copied now.
        **names
            Kernels and constants. Kernels that the loop calls get them too, if they read one of the names.
        """
        known = self.py_func.__globals__
        constants = {key: value for key, value in names.items() if not isinstance(value, Kernel)}
        bound = {  # A bound value may itself read a bound constant
            key: value.instance(value.py_func.__name__, **constants)
            if isinstance(value, Kernel) and value._reads(constants)
            else value
            for key, value in names.items()
        }
        called = {
            key: known[key].instance(key, **bound)
            for key in self.py_func.__code__.co_names
            if key not in bound and _is_kernel(known, key) and known[key]._reads(bound)
        }
        made = FunctionType(self.py_func.__code__, {**known, **called, **bound}, name)
        made.__module__, made.__qualname__, made.__doc__ = self.py_func.__module__, name, self.py_func.__doc__
        return Kernel(made, self.signature, self._plain, "_nrt" not in self._options)

    def _reads(self, names: Collection[str]) -> bool:
        """Whether the kernel, or one that it calls, reads one of the names."""
        known, read = self.py_func.__globals__, self.py_func.__code__.co_names
        return any(key in names or (_is_kernel(known, key) and known[key]._reads(names)) for key in read)

    def digest(self) -> str:
        """Digest of the code, of the functions it calls and of the constants it reads, which may be in other files."""
        import hashlib

        names = self.py_func.__globals__
        parts: list[object] = [self.signature, sorted(self._options.items()), *_words(self.py_func.__code__)]
        for name in self.py_func.__code__.co_names:
            if _is_kernel(names, name):
                parts.append(names[name].digest())
            # Constants are frozen into the machine code, so their values belong to the digest
            elif name in names and not isinstance(names[name], ModuleType | FunctionType | BuiltinFunctionType | type):
                parts.append((type(names[name]).__name__, repr(names[name])))
        return hashlib.sha256(repr(parts).encode()).hexdigest()


def kernel(signature: str, *, plain: int = 0, counts: bool = True) -> Callable[[Any], Kernel]:
    """Decorate a function to be compiled: see `Kernel`."""
    return lambda function: Kernel(function, signature, plain, counts)


class _Memory:
    """The memory of an array, in a form from which numpy makes another array."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        interface = array.__array_interface__
        # False: the memory may be written; compiled loops write only to their own arrays
        self.__array_interface__ = interface | {"data": (interface["data"][0], False)}


def writable(argument: Any) -> Any:
    """An argument in the form of a signature; numba gives read-only arrays another type.

    No loop writes to the arrays of a board, a graph, a problem or a tour; its text says so, not its signature.
    """
    if isinstance(argument, np.ndarray):
        # numba compiles a second version for read-only arrays: hide the flag
        return argument if argument.flags.writeable else np.asarray(_Memory(argument))
    if isinstance(argument, tuple):
        opened = [writable(part) for part in argument]
        if any(new is not old for new, old in zip(opened, argument, strict=True)):
            return type(argument)(*opened) if hasattr(argument, "_fields") else tuple(opened)
    return argument


def _is_kernel(names: dict[str, Any], name: str) -> bool:
    return isinstance(names.get(name), Kernel)


def _words(code: CodeType) -> list[object]:
    """The parts of a function that determine its machine code."""
    inner = [word for constant in code.co_consts if isinstance(constant, CodeType) for word in _words(constant)]
    plain = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    return [code.co_code, code.co_names, plain, inner]


def _slowly(function: Callable[..., Any]) -> Callable[..., Any]:
    """A loop in plain Python in which sums wrap around on overflow, as they do in machine code."""

    def wrapped(*arguments: Any) -> Any:
        # Hashes wrap around on purpose
        with np.errstate(over="ignore"):
            return function(*arguments)

    return wrapped


def _machine_code(kernel: Kernel) -> Any:
    try:
        import numba
    except ModuleNotFoundError:  # numba comes with an extra: without it checks work, slowly
        return _slowly(kernel.interpreted)
    if numba.config.DISABLE_JIT:  # Set by people who debug the loops
        return _slowly(kernel.interpreted)
    options: Any = kernel._options
    # numba names symbols by this and a number of the process. Without the digest, instances of one loop that two
    # processes compile can have the same symbol, and a third that loads both runs one for the other (its issue 10486)
    digest = kernel.digest()
    kernel.py_func.__qualname__ = f"{kernel.py_func.__name__}_{digest[:20]}"
    dispatcher: Any = numba.njit(**options)(kernel.py_func)
    if not kernel.signature:
        return dispatcher
    from kt_models.code_cache import CodeCache

    cache = CodeCache(kernel.name, digest, under_way)
    dispatcher._cache = cache
    try:
        with cache.alone:
            dispatcher.compile(eval(kernel.signature, {**kernel.py_func.__globals__, **vars(numba.types)}))
    finally:
        under_way.discard(kernel.name)
    # One fixed signature: a call with other types is a mistake, not a reason to compile
    dispatcher.disable_compile()
    return dispatcher
