"""Child processes: what they say and hear, how they fail, and that nothing of them is left."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from encoders.work.child import Child, ChildEnded, Message, alive, serve
from encoders.work.run import Run, race
from heuristics.find import find
from kt_models import Problem, graph_of
from kt_models.errors import CertificateError, InvalidTour, KTError, TooLarge
from kt_models.limits import Limits, Report, Stopped
from tests.processes import descendants, environment, running, until


class Echo:
    """Does what its task says."""

    def __init__(self, task: Message, say: Callable[..., None]) -> None:
        self.task, self.say = task, say
        self.words: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def hear(self, message: Message) -> None:
        self.words.put(message)

    def work(self) -> Message:
        return getattr(self, self.task["do"])()

    def echo(self) -> Message:
        print("this is not for the pipe")
        while (message := self.words.get()) != {"enough": True}:
            self.say(**message)
        return {"task": self.task}

    def fail(self) -> Message:
        kinds: dict[str, Any] = {
            kind.__name__: kind
            for kind in (KTError, TooLarge, CertificateError, InvalidTour, Stopped, MemoryError, KeyError)
        }
        raise kinds[self.task["kind"]]("in two\nlines")

    def greedy(self) -> Message:
        return {"bytes": len(bytearray(10**12))}

    def wait(self) -> Message:
        self.say(ready=True)
        threading.Event().wait()
        return {}

    def parent(self) -> Message:
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        self.say(pid=process.pid)
        return self.wait()

    def without_threads(self) -> Message:
        raise RuntimeError("can't start new thread")

    def vanish(self) -> Message:
        os.kill(os.getpid(), signal.SIGKILL)
        return self.wait()


def main() -> None:
    serve(Echo)


def child(do: str, **more: Any) -> Child:
    return Child(__name__, {"do": do, **more}, memory=2_000_000_000, quiet=True)


def message_of(worker: Child) -> Message:
    message = worker.receive()
    assert message is not None
    return message


def test_messages_go_both_ways() -> None:
    with child("echo", number=5) as worker:
        for number in range(3):
            worker.send({"number": number, "text": "ä\n"})
            assert message_of(worker) == {"number": number, "text": "ä\n"}
        assert worker.receive(0.01) is None
        worker.send({"enough": True})
        assert message_of(worker)["task"]["number"] == 5
        with pytest.raises(ChildEnded):
            worker.receive()
        worker.send({"number": 6})  # Nobody is there to take it
        assert worker.wait() == 0
    assert worker not in alive


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        pytest.param("KTError", KTError, marks=pytest.mark.slow),
        ("TooLarge", TooLarge),
        pytest.param("CertificateError", CertificateError, marks=pytest.mark.slow),
        pytest.param("Stopped", Stopped, marks=pytest.mark.slow),
        ("InvalidTour", KTError),
        pytest.param("MemoryError", MemoryError, marks=pytest.mark.slow),
        ("KeyError", RuntimeError),
    ],
)
def test_a_fault_is_raised_again_in_the_parent(kind: str, seen: type[Exception]) -> None:
    with child("fail", kind=kind) as worker, pytest.raises(seen) as caught:
        message_of(worker)
    assert type(caught.value) is seen and "\n" not in str(caught.value).replace("\\n", "")


def test_more_memory_than_allowed_is_a_fault() -> None:
    with child("greedy") as worker, pytest.raises(MemoryError):
        message_of(worker)


def test_a_child_that_is_killed_says_nothing() -> None:
    with child("vanish") as worker, pytest.raises(ChildEnded) as caught:
        message_of(worker)
    assert caught.value.status == -signal.SIGKILL


def test_leaving_the_context_ends_a_child_and_what_it_started() -> None:
    with child("parent") as worker:
        grandchild = message_of(worker)["pid"]
        assert running(worker.pid) and running(grandchild)
    assert worker not in alive
    until(lambda: not running(worker.pid) and not running(grandchild))


def test_a_child_ends_with_its_parent() -> None:
    program = (
        "from tests.encoders.test_work import child\n"
        "import time\n"
        "own = child('wait')\n"
        "own.receive()\n"
        "print(own.pid, flush=True)\n"
        "time.sleep(1000)\n"
    )
    words = [sys.executable, "-c", program]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment()) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert descendants(parent.pid) == [pid]
        parent.kill()
    until(lambda: not running(pid))


def test_a_lost_process_is_one_line_and_loses_no_solution() -> None:
    """The system may end a process of a search, for want of memory or by a signal."""

    class Lost:
        name = "lost"

        def work(self, run: Run) -> Report:
            raise ChildEnded(-9)

        def interrupt(self) -> None:
            pass

    problem = Problem(graph_of("5x6"), objective="turns")
    with pytest.raises(KTError, match="signal 9"):
        race(Run.of(problem), [Lost()])
    run = Run.of(problem)
    run.standing.accept(find(problem, limits=Limits(workers=1), quick=True))
    assert race(run, [Lost()]).edges is not None


@pytest.mark.parametrize("whose", ["parent", "child"])
def test_where_there_is_no_thread_the_child_ends(whose: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parent has one that reads what the child says, and the child has one that ends it with the parent."""

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = set(alive)
    if whose == "parent":
        with monkeypatch.context() as patch:
            patch.setattr("threading.Thread.start", refuse)
            with pytest.raises(RuntimeError, match="new thread"):
                child("wait")
    else:
        with child("without_threads") as worker, pytest.raises(KTError, match="no more threads can be started"):
            worker.receive()
    assert alive == before
