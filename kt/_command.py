"""The command `kt` until its modules are loaded: an early fault is one line and an exit status, not a traceback.

Loading takes some tenths of a second. A signal in that time ends the program at once, since no work is lost. A program
that imports `kt` keeps its own handlers.
"""

import os
import sys

STOPPED, UNUSABLE = 3, 2
"""Exit statuses, as `cli.status` has them."""
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU")
NUMBERS = {"NUMBA_NUM_THREADS": (1, 10**6), "SOURCE_DATE_EPOCH": (0, 253_402_300_799)}
"""Variables in which libraries expect a number, with the least and greatest value that the libraries accept."""
MIN_MEMORY = {"AS": ("-v", 500_000_000), "DATA": ("-d", 256_000_000)}
"""Bytes of address space and of data that loading all libraries needs, and the options of `ulimit`."""
# Long enough for a path and a reason; an exception's text can be far longer.
MAX_LINE = 300


def is_the_program() -> bool:
    """Whether this process is the `kt` command itself, as a script or as `python -m kt`, and not a child of it."""
    words = sys.orig_argv
    if sys.argv[:1] == ["-m"]:  # Python sets this until it has located the module to run.
        return "-mkt" in words or ("-m" in words and words[words.index("-m") + 1 :][:1] == ["kt"])
    script = sys.argv[0] if sys.argv else ""
    name = os.path.basename(script).removesuffix(".exe").removesuffix(".py").removesuffix("-script")
    return name == "kt" and script in words


def begin() -> None:
    """Handle early signals and faults while modules load, without garbage collection; `cli.main` enables it again."""
    sys.excepthook = _tell
    import gc
    import signal

    gc.disable()  # Loading leaves little garbage, and collecting it takes a fifteenth of the time.

    for number in (getattr(signal, name, None) for name in SIGNALS):
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: os._exit(STOPPED))
    _tidy_variables()
    _require_memory()


def _tell(kind, error, trace):  # type: ignore[no-untyped-def]
    """Report an uncaught error in one line, with an exit status that has no other meaning."""
    if issubclass(kind, KeyboardInterrupt):
        os._exit(STOPPED)
    if os.environ.get("KT_DEBUG"):
        sys.__excepthook__(kind, error, trace)
    else:
        words = " ".join(str(error).split()) or kind.__name__
        words = words if len(words) <= MAX_LINE else "... " + words[-MAX_LINE:]
        _say(f"cannot start: {words}")
    os._exit(UNUSABLE)


def _say(words: str) -> None:
    try:
        os.write(2, f"kt: {words}\n".encode(errors="backslashreplace"))
    except OSError:  # Standard error may be closed
        return


def _tidy_variables() -> None:
    """Remove values of variables on which libraries would fail, and report them."""
    os.environ["MPLBACKEND"] = "agg"  # No command opens a window
    # OpenBLAS would start a thread, with memory, for each core; kt's matrices are too small to gain from it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name, (least, most) in NUMBERS.items():
        value = os.environ.get(name, str(least))
        if not (value.isascii() and value.isdigit() and len(value) < 20 and least <= int(value) <= most):
            del os.environ[name]
            _say(f"warning: {name}={value[:60]!a} is ignored: it is not a number from {least:,} to {most:,}")


def _require_memory() -> None:
    """Refuse to start with too little memory, at which some libraries end the process and OpenBLAS retries for ever."""
    try:
        import resource
    except ImportError:  # The module does not exist on every system.
        return
    for kind, (option, least) in MIN_MEMORY.items():
        most = resource.getrlimit(getattr(resource, f"RLIMIT_{kind}"))[0]
        if most != resource.RLIM_INFINITY and most < least:
            allowed, needed = most // 10**6, least // 10**6
            _say(f"cannot start: ulimit {option} allows {allowed} MB of memory, and it takes {needed} MB")
            os._exit(UNUSABLE)


if is_the_program():
    begin()
