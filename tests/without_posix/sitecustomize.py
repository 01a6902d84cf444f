"""Python without what Windows lacks, with `PYTHONPATH=tests/without_posix`, in processes that it starts too.

What the standard library itself needs here, as `SIGKILL`, stays.
"""

import os
import signal
import sys

SIGNALS = ("SIGALRM", "SIGHUP", "SIGSTOP", "SIGXCPU", "setitimer", "ITIMER_REAL", "pthread_sigmask")
CALLS = ("fork", "nice", "killpg", "getuid", "geteuid", "fchmod", "chown", "mkfifo", "pread", "pwrite")
OTHERS = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "sched_getaffinity", "sysconf")
MODULES = ("fcntl", "resource", "pwd", "grp", "termios")

for module, names in ((signal, SIGNALS), (os, (*CALLS, *OTHERS))):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for name in MODULES:
    sys.modules[name] = None
