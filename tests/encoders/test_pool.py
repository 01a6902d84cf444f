"""Workers on this machine: one that is lost is replaced, and its call is tried again a fixed number of times."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from encoders.enumeration import run as running
from encoders.enumeration.job import solve_cube
from encoders.enumeration.run import RunSettings, begin, resume
from encoders.work.pool import MAX_TRIES, MIN_WORKER_BYTES, LocalPool
from encoders.work.pool import _work as work
from kt_models.errors import KTError
from kt_models.runs.audit import audit
from tests.processes import until
from tests.run_tools import task


def number_of_process() -> int:
    return os.getpid()


def dies_at_first(folder: str, times: int) -> int:
    """Die as often as that, then return how often it was tried."""
    tries = len(list(Path(folder).iterdir())) + 1
    (Path(folder) / str(tries)).touch()
    if tries <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return tries


def wait_for_the_end(folder: str) -> None:
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(1000)


def dies_now_and_then(text: str, name: str, seconds: float, engine: str, *memory: int) -> Any:
    """A cube that is lost with its first worker, whichever cube it is."""
    folder = Path(os.environ["KT_TEST_DEATHS"])
    mark = folder / name.replace("/", "_").replace(" ", "_")
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return solve_cube(text, name, seconds, engine, *memory)


@pytest.fixture
def pool() -> Iterator[LocalPool]:
    with closing(LocalPool(2)) as made:
        yield made


@pytest.fixture(scope="module")
def lasting_pool() -> Iterator[LocalPool]:
    """Pool for calls that leave the workers as they are."""
    with closing(LocalPool(1)) as made:
        yield made


def test_a_worker_that_died_while_it_was_idle_is_replaced(pool: LocalPool) -> None:
    first = pool.submit(number_of_process).result()
    os.kill(first, signal.SIGKILL)
    assert pool.submit(number_of_process).result() != first


def test_a_call_is_tried_again_when_its_worker_is_lost(pool: LocalPool, tmp_path: Path) -> None:
    assert pool.submit(dies_at_first, str(tmp_path), MAX_TRIES - 1).result() == MAX_TRIES


@pytest.mark.slow
def test_a_call_that_kills_every_worker_is_given_up(pool: LocalPool, tmp_path: Path) -> None:
    with pytest.raises(BrokenProcessPool):
        pool.submit(dies_at_first, str(tmp_path), 100).result()
    assert len(list(tmp_path.iterdir())) == MAX_TRIES
    assert pool.submit(number_of_process).result()  # And the pool goes on


def test_a_call_that_is_ended_is_not_tried_again(pool: LocalPool, tmp_path: Path) -> None:
    future: Future[Any] = pool.submit(wait_for_the_end, str(tmp_path))
    until(lambda: list(tmp_path.iterdir()))
    pool.end(future)
    with pytest.raises(BrokenProcessPool):
        future.result()
    assert len(list(tmp_path.iterdir())) == 1


def test_nothing_is_tried_again_once_the_pool_is_closed(tmp_path: Path) -> None:
    pool = LocalPool(1)
    future = pool.submit(wait_for_the_end, str(tmp_path))
    until(lambda: list(tmp_path.iterdir()))
    pool.close()
    with pytest.raises(BrokenProcessPool):
        future.result()
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.slow
def test_a_run_in_which_every_cube_loses_a_worker_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deaths = tmp_path / "deaths"
    deaths.mkdir()
    monkeypatch.setenv("KT_TEST_DEATHS", str(deaths))
    monkeypatch.setattr(running, "solve_cube", dies_now_and_then)
    begin(tmp_path / "run", task("5x6"), 3)
    status = resume(tmp_path / "run", RunSettings(workers=2))
    assert status.complete and status.count == 8 and status.splits == status.failed == 0
    assert "done are all 3 cubes" in audit(tmp_path / "run").text


def full(*_: object) -> None:
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def no_thread(*_: object) -> None:
    raise RuntimeError("can't start new thread")


def test_where_no_process_can_be_started_the_call_fails_and_nothing_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a limit on processes is reached: at the first call, and when a lost worker is replaced."""
    start = "multiprocessing.context.SpawnProcess.start"
    with closing(LocalPool(1)) as pool:
        with monkeypatch.context() as patch:
            patch.setattr(start, full)
            with pytest.raises(KTError, match="no worker can be started: resource temporarily unavailable"):
                pool.submit(number_of_process).result()
        assert pool.submit(number_of_process).result() != os.getpid()
        lost = pool.submit(wait_for_the_end, str(tmp_path))
        until(lambda: list(tmp_path.iterdir()))
        monkeypatch.setattr(start, full)
        os.kill(int(next(tmp_path.iterdir()).name), signal.SIGKILL)
        with pytest.raises(KTError, match="no worker can be started"):
            lost.result()


def test_where_no_thread_can_be_started_the_call_is_refused(pool: LocalPool, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("threading.Thread.start", no_thread)
        with pytest.raises(KTError, match="no more threads can be started"):
            pool.submit(number_of_process)
    assert pool.submit(number_of_process).result() != os.getpid()


def test_where_a_worker_gets_no_thread_the_call_is_given_up_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    """A worker has one, which ends it with its parent."""
    receiver, sender = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_work_without_threads, args=(sender,))
    process.start()
    sender.close()
    with pytest.raises(EOFError):
        receiver.recv_bytes()
    process.join()
    assert not capfd.readouterr().err


def _work_without_threads(pipe: Any) -> None:
    threading.Thread.start = no_thread  # type: ignore[method-assign,assignment]
    work(pipe, MIN_WORKER_BYTES)


class Odd(Exception):
    """One that cannot be read from a pipe: it wants two words, and is given one."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


def fails(kind: str) -> None:
    if kind == "odd":
        raise Odd("a", "b")
    if kind == "unsent":
        raise ValueError(threading.Lock())
    raise EOFError("of a file")


def returns_what_cannot_be_sent() -> Any:
    return threading.Lock()


@pytest.mark.parametrize(
    ("function", "args", "kind"),
    [
        (fails, ("end",), EOFError),
        (fails, ("odd",), TypeError),
        (fails, ("unsent",), RuntimeError),
        (returns_what_cannot_be_sent, (), TypeError),
        (print, (threading.Lock(),), TypeError),
    ],
)
def test_whatever_a_call_raises_is_told_and_the_worker_goes_on(
    lasting_pool: LocalPool, function: Any, args: tuple[Any, ...], kind: type[Exception]
) -> None:
    worker = lasting_pool.submit(number_of_process).result()
    with pytest.raises(kind):
        lasting_pool.submit(function, *args).result()
    assert lasting_pool.submit(number_of_process).result() == worker


def test_many_calls_of_many_threads_each_get_their_own_answer(pool: LocalPool) -> None:
    futures = {pool.submit(divmod, number, 7): number for number in range(200)}
    assert all(future.result() == divmod(number, 7) for future, number in futures.items())


def pool_within() -> int:
    with closing(LocalPool(1)) as inner:
        return inner.submit(number_of_process).result()


def test_a_worker_may_have_workers(pool: LocalPool) -> None:
    assert pool.submit(pool_within).result() not in (os.getpid(), pool.submit(number_of_process).result())
