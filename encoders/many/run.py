"""A list of graphs as a run: blocks go to a pool of processes, and their answers into a ledger.

A run that was killed tells the answers of its ledger again, in order, and works on the blocks that it lacks. The
answers are told in the order of the list; blocks behind the first unanswered one are answered meanwhile.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future, wait
from typing import Any

from encoders.work.pool import DaskPool, LocalPool
from kt_models.errors import KTError
from kt_models.files.graph_forms.several import GraphList
from kt_models.files.graph_lists.block import GraphBlock, regrouped
from kt_models.limits import Limits, Stopped
from kt_models.machine import Pool, usable_cores
from kt_models.runs.folder import locked
from kt_models.runs.graph_list_ledger import BlockAnswers, ListLedger

BLOCK_GRAPHS = 8192
"""Graphs of a block: seconds of work if each takes a millisecond."""
MAX_TRIES = 3
"""How often a block is given to a pool before the run ends."""
POLL_SECONDS = 0.1

BlockWork = Callable[..., BlockAnswers]
"""Answers a block, in another process, from the block and the arguments given."""


def answer_run(
    graphs: GraphList,
    folder: str,
    about: Mapping[str, Any],
    work: BlockWork,
    arguments: tuple[Any, ...],
    limits: Limits,
    tell: Callable[[GraphBlock, BlockAnswers], None],
    scheduler: str | None = None,
) -> bool:
    """Answer a list in a folder; return whether it was read to its end.

    Parameters
    ----------
    about
        What determines the answers besides the list.
    work, given
        A function of a module, which is called with a block and these arguments in a process of the pool.
    tell
        Hears the answers of each block in the order of the list.
    scheduler
        Address of a Dask scheduler.

    Raises
    ------
    KTError
        If the folder belongs to another run, or a process works there, or a block keeps killing its worker.
    """
    with locked(folder), ListLedger(folder, about) as ledger:
        pools: list[Pool] = []

        def pool() -> Pool:
            if not pools:
                workers = limits.workers or usable_cores()
                pools.append(DaskPool(scheduler) if scheduler else LocalPool(workers, limits.memory))
            return pools[0]

        try:
            return _answer(regrouped(graphs.blocks, BLOCK_GRAPHS), ledger, pool, work, arguments, limits, tell)
        except Stopped:
            return False
        finally:
            for each in pools:
                each.close()


class _Pending:
    """A block that is answered, or waits for its answers."""

    def __init__(self, number: int, block: GraphBlock, answers: BlockAnswers | None) -> None:
        self.number, self.block, self.answers = number, block, answers
        self.future: Future[BlockAnswers] | None = None
        self.tries = 0


def _answer(
    blocks: Iterator[GraphBlock],
    ledger: ListLedger,
    pool: Callable[[], Pool],
    work: BlockWork,
    arguments: tuple[Any, ...],
    limits: Limits,
    tell: Callable[[GraphBlock, BlockAnswers], None],
) -> bool:
    pending: deque[_Pending] = deque()
    number, ended = 0, False
    while pending or not ended:
        limits.check()
        while not ended and len(pending) < 4 * (limits.workers or usable_cores()):
            block = next(blocks, None)
            if block is None:
                ended = True
                break
            pending.append(_Pending(number, block, ledger.answers(number, digest_of(block))))
            number += 1
        for each in pending:
            if each.answers is None and each.future is None:
                each.future = pool().submit(work, each.block, *arguments)
                each.tries += 1
        waiting = [each.future for each in pending if each.future is not None and each.answers is None]
        if waiting:
            wait(waiting, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")
        for each in pending:
            if each.future is not None and each.answers is None and each.future.done():
                each.answers = _outcome(each)
                if each.answers is not None:
                    ledger.add(each.number, digest_of(each.block), each.answers)
        while pending and pending[0].answers is not None:
            first = pending.popleft()
            assert first.answers is not None
            tell(first.block, first.answers)
    ledger.end(number)
    return True


def _outcome(each: _Pending) -> BlockAnswers | None:
    """The answers of a block; None if its worker died, and it is worth another try."""
    from concurrent.futures.process import BrokenProcessPool

    assert each.future is not None
    try:
        return each.future.result()
    except (BrokenProcessPool, CancelledError, MemoryError) as error:
        if each.tries >= MAX_TRIES:
            first, last = each.block.first, each.block.first + len(each.block) - 1
            raise KTError(f"graphs {first:,} to {last:,}: their worker died {MAX_TRIES} times: {error}") from None
        each.future = None
        return None


def digest_of(block: GraphBlock) -> str:
    """Digest of the graphs of a block, and of their numbers and lines."""
    digest = hashlib.sha256(f"{block.first} {len(block)} {block.label_base} {block.names}\n".encode())
    digest.update(block.records.tobytes())
    digest.update(block.rows.tobytes())
    digest.update(block.data.tobytes())
    return digest.hexdigest()
