"""The command `kt` before anything else is loaded: whatever stops it then is an exit status and one line, no traceback.

Loading takes tenths of a second.  Nothing is under way yet, so a signal ends the program at once.  A program that
imports `kt` is not meant: nothing of it changes.
"""

import os
import sys

STOPPED, UNUSABLE = 3, 2
"""Exit statuses, as `cli.status` has them."""
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU")
NUMBERS = {"NUMBA_NUM_THREADS": (1, 10**6), "SOURCE_DATE_EPOCH": (0, 253_402_300_799)}
"""Variables in which libraries expect a number, from the least to the greatest that they bear."""
MIN_MEMORY = {"AS": ("-v", 500_000_000), "DATA": ("-d", 256_000_000)}
"""Bytes of address space and of data without which not all libraries can be loaded, and the options of `ulimit`."""
MAX_LINE = 300


def is_the_program() -> bool:
    """Whether this process is the command itself, as a script or as `python -m kt`, and none that it started."""
    words = sys.orig_argv
    if sys.argv[:1] == ["-m"]:  # as long as Python looks for what it is to run
        return "-mkt" in words or ("-m" in words and words[words.index("-m") + 1 :][:1] == ["kt"])
    script = sys.argv[0] if sys.argv else ""
    name = os.path.basename(script).removesuffix(".exe").removesuffix(".py").removesuffix("-script")
    return name == "kt" and script in words


def begin() -> None:
    """Be quiet about signals and faults while modules are loaded."""
    sys.excepthook = _tell
    import signal

    for number in (getattr(signal, name, None) for name in SIGNALS):
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: os._exit(STOPPED))
    _tidy_variables()
    _require_memory()


def _tell(kind, error, trace):  # type: ignore[no-untyped-def]
    """One line about what nobody has caught, and no status that means anything else."""
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
    except OSError:  # standard error may be closed
        return


def _tidy_variables() -> None:
    """Leave out values of variables at which libraries would fail, and say so."""
    os.environ["MPLBACKEND"] = "agg"  # no command opens a window
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # it takes memory and a thread for each core; nothing here gains
    for name, (least, most) in NUMBERS.items():
        value = os.environ.get(name, str(least))
        if not (value.isascii() and value.isdigit() and len(value) < 20 and least <= int(value) <= most):
            del os.environ[name]
            _say(f"warning: {name}={value[:60]!a} is left out: it is no number from {least:,} to {most:,}")


def _require_memory() -> None:
    """Some libraries end the process where they get too little, and OpenBLAS asks for it again without end."""
    try:
        import resource
    except ImportError:  # not on every system
        return
    for kind, (option, least) in MIN_MEMORY.items():
        most = resource.getrlimit(getattr(resource, f"RLIMIT_{kind}"))[0]
        if most != resource.RLIM_INFINITY and most < least:
            allowed, needed = most // 10**6, least // 10**6
            _say(f"cannot start: ulimit {option} allows {allowed} MB of memory, and it takes {needed} MB")
            os._exit(UNUSABLE)


if is_the_program():
    begin()
