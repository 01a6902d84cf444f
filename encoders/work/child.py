"""A child process for work that must not disturb its parent; parent and child exchange JSON.

PySAT's solvers hold Python's lock while they search, CaDiCaL cannot be interrupted, and a library may take all memory.
In a child none of this does harm. The parent hears signals and clocks, several children use several cores, and the
parent kills a child that it no longer needs.

A child is `python -c` with a `main` that calls `serve`. Both sides write one JSON object a line. The first line to the
child is its task, and further lines go to its `hear`. The child may write any messages, and its answer is the last one.
There is no other tie: when the child's input ends, however the parent ended, the child ends.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from kt_models.errors import CannotWrite, CertificateError, KTError, TooLarge, fault_of_system, out_of_threads
from kt_models.limits import Stopped
from kt_models.machine import child_python, children, leave_stopping_to_parent, limit_resources

Message = dict[str, Any]
FAULTS: dict[str, type[Exception]] = {
    kind.__name__: kind for kind in (KTError, CannotWrite, TooLarge, CertificateError, Stopped, MemoryError)
}
"""Faults that the parent raises again; any other fault of a child is a defect, and a `RuntimeError` in the parent."""
alive: set[Child] = set()
"""The children that are still to be waited for."""


def raise_fault(message: Message) -> None:
    """Raise the fault that a child's message reports, if any."""
    if "fault" in message:
        raise FAULTS.get(message["kind"], RuntimeError)(message["fault"])


class ChildEnded(KTError):
    """A child ended without an answer.

    Attributes
    ----------
    status
        Exit status; a negative one is the signal that ended the child.
    """

    def __init__(self, status: int) -> None:
        ending = f"signal {-status}" if status < 0 else f"exit {status}"
        super().__init__(f"a process of the search ended without an answer ({ending})")
        self.status = status


class Child:
    """A child process as its parent sees it; as a context it is killed at the end.

    Parameters
    ----------
    module
        The module whose `main` the child runs.
    task
        The first message to the child.
    on_message
        Called with each message, and with None at the end, in a thread of its own; without it, `receive` waits for
        messages.
    memory, processor
        Bytes and seconds that the child may use.
    quiet
        Whether to discard what the child writes to stderr.
    """

    def __init__(
        self,
        module: str,
        task: Message,
        on_message: Callable[[Message | None], None] | None = None,
        *,
        memory: int | None = None,
        processor: int | None = None,
        quiet: bool = False,
    ) -> None:
        command, environment = child_python()
        self._process = subprocess.Popen(
            [*command, "-c", f"from {module} import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            text=True,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the parent, which decides what becomes of its children.
        )
        self.pid = self._process.pid
        children.add(self.pid)
        alive.add(self)
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        hear = on_message or self._messages.put
        self._reader = threading.Thread(target=self._read, args=(hear,), name="kt-child", daemon=True)
        try:
            self._reader.start()
        # The system refuses a further thread: without a reader nobody would wait for the child, so end it here.
        except RuntimeError:
            self.kill()
            self._see_to_the_end()
            raise
        self.send({**task, "memory": memory, "processor": processor})

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._reader.join()

    def send(self, message: Message) -> None:
        """Write it a message; one that has ended takes none."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # What it wrote last says why
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def receive(self, timeout: float | None = None) -> Message | None:
        """The next message; None if there is none in time.

        Raises
        ------
        KTError, MemoryError
            The fault that the child reported.
        ChildEnded
            If the child ended without an answer.
        """
        try:
            message = self._messages.get(timeout=timeout)
        except queue.Empty:
            return None
        if message is None:
            raise ChildEnded(self.wait())
        raise_fault(message)
        return message

    def kill(self) -> None:
        """Kill the child and its descendants: a child looks at its input only now and then, and would end late."""
        family: list[int] = []
        if self._process.poll() is None:
            with contextlib.suppress(OSError):
                if hasattr(signal, "SIGSTOP"):  # Windows has no such signal.
                    # A stopped process starts no others while its descendants are listed.
                    self._process.send_signal(signal.SIGSTOP)
                    family = _descendants(self.pid)
            self._process.kill()
        for pid in family:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def wait(self) -> int:
        """The exit status, once the child has ended."""
        return self._process.wait()

    def _read(self, hear: Callable[[Message | None], None]) -> None:
        """Pass messages on until the child has ended, and collect its exit status."""
        stdout = self._process.stdout
        assert stdout is not None
        with contextlib.suppress(ValueError):  # The last message may be cut short.
            for line in stdout:
                hear(json.loads(line))
        self._see_to_the_end()
        hear(None)

    def _see_to_the_end(self) -> None:
        self._process.wait()
        for pipe in filter(None, (self._process.stdin, self._process.stdout)):
            with contextlib.suppress(OSError):  # The child never read this text.
                pipe.close()
        alive.discard(self)
        children.discard(self.pid)


@atexit.register
def _kill_all() -> None:
    for child in list(alive):
        child.kill()


def _descendants(pid: int) -> list[int]:
    """The descendants of a process; none are known on systems without /proc."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):  # The process may have ended meanwhile.
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    family = [pid]
    for member in family:  # The list grows during the loop.
        family += children.get(member, [])
    return family[1:]


# -- the child's side ----------------------------------------------------------------------------------------------


class Worker(Protocol):
    """The work of a child."""

    def __init__(self, task: Message, say: Callable[..., None]) -> None:
        """Take the task; `say` sends its keyword arguments to the parent."""

    def hear(self, message: Message) -> None:
        """Take a further message of the parent, in a thread of its own."""

    def work(self) -> Message:
        """Do the task; return the last message."""


def serve(worker: type[Worker]) -> None:
    """Do the task on the first line of the input, and end."""
    leave_stopping_to_parent()
    task = json.loads(sys.stdin.readline() or "null")
    if task is None:
        return
    limit_resources(task["memory"], task["processor"])
    out, lock = sys.stdout, threading.Lock()
    sys.stdout = sys.stderr  # Only messages may go into the pipe.

    def say(**message: Any) -> None:
        with lock:
            out.write(json.dumps(message) + "\n")
            out.flush()

    try:
        running = worker(task, say)
        threading.Thread(target=_listen, args=(running,), daemon=True).start()
        say(**running.work())
    except KTError as error:
        kind = next(parent.__name__ for parent in type(error).mro() if parent.__name__ in FAULTS)
        say(fault=" ".join(str(error).split()), kind=kind)
    except MemoryError:
        say(fault="not enough memory", kind="MemoryError")
    except OSError as error:
        say(fault=fault_of_system(error), kind="KTError")
    except Exception as error:
        if words := out_of_threads(error):
            say(fault=words, kind="KTError")
        else:
            traceback.print_exc()
            say(fault=f"internal error: {type(error).__name__}: {error}"[:300], kind="")
    os._exit(0)  # Do not wait for late threads, or for a large formula to be freed.


def _listen(worker: Worker) -> None:
    """Pass on the parent's messages; end with the parent."""
    for line in sys.stdin:
        worker.hear(json.loads(line))
    os._exit(1)
