"""Growth of a branch and bound tree by several processes.

A *part* is a pending node of the tree with all below it. A process grows one part at a time, in preorder. An idle
process gets the last pending node of another process, which is the one nearest to the root. So the nodes of a part are
those grown by its process, followed by those of the parts that were given away, the last one first. Put together in
this order, the parts are the tree that one process would write.

Every process has cuts of its own beyond those of the root; they are renumbered when its nodes are inserted.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from encoders.lp.branching import Care, CaseTree, TooHigh
from encoders.lp.compact import START
from encoders.lp.pseudocosts import Gains
from encoders.work.child import Child, ChildEnded, Message, raise_fault, serve
from kt_models.kernel.certificates.cut_inequalities import Cut, read_cuts
from kt_models.kernel.certificates.nodes import LEAF, State
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem

POLL_SECONDS = 0.1
"""Seconds between two looks at the limits."""


@dataclass
class Part:
    """A node with all below it, and its outcome."""

    depth: int
    state: State
    nodes: list[list[int]] = field(default_factory=list)
    children: list[Part] = field(default_factory=list)

    def all_nodes(self) -> list[list[int]]:
        """The nodes in preorder."""
        nodes, parts = [], [self]
        while parts:
            part = parts.pop()
            nodes += part.nodes
            parts += part.children
        return nodes


class Crew:
    """Processes that grow trees of a problem; they get ready while their parent does other work.

    A context that ends them. Trees have numbers, and messages about an earlier tree are ignored.
    """

    def __init__(self, problem: Problem, workers: int) -> None:
        self._inbox: queue.SimpleQueue[tuple[int, Message | None]] = queue.SimpleQueue()
        self._tree = 0
        self.ready = threading.Event()
        """Whether a process is ready, or has failed."""
        task = {"problem": problem.to_json()}
        self._open = ExitStack()
        self.children = [
            self._open.enter_context(Child(__name__, task, partial(self._hear, number))) for number in range(workers)
        ]

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _hear(self, number: int, message: Message | None) -> None:
        self._inbox.put((number, message))
        self.ready.set()

    def begin(self, begun: Message) -> None:
        """Let all processes begin with a tree and leave their present one; with None, only leave it."""
        self._tree += 1
        for child in self.children:
            child.send({**begun, "tree": self._tree})

    def receive(self, timeout: float) -> tuple[int, Message] | None:
        """The next message about the tree, with the number of its process; None if there is none in time.

        Raises
        ------
        KTError, MemoryError
            The fault of a process.
        ChildEnded
            If a process ended.
        """
        try:
            number, message = self._inbox.get(timeout=timeout)
        except queue.Empty:
            return None
        if message is None:
            raise ChildEnded(self.children[number].wait())
        raise_fault(message)
        return (number, message) if message["tree"] == self._tree else None


def grow(tree: CaseTree, limits: Limits, crew: Crew, on_progress: Listener = silent) -> bool:
    """Continue a tree, with a crew as soon as that is ready; return whether it is complete.

    The crew's nodes of an incomplete tree are lost.

    Raises
    ------
    TooHigh
        If a solution of smaller value was met.
    """
    # Before the root is solved there are no multipliers to share, so the tree grows alone.
    while tree.base is None or not crew.ready.is_set():
        if tree.grow(limits, 1, on_progress) or limits.over:
            return not tree.walk.pending
    try:
        work = _Growth(tree, limits, crew, on_progress)
        if not work.wait():
            return False
    finally:
        crew.begin({})
    while tree.walk.pending:
        tree.give()
    whole = Part(0, work.parts[0].state, children=work.parts).all_nodes()
    tree.complete(whole, sum(node[0] == LEAF for node in whole))
    tree.share = 1.0
    return True


@dataclass
class _Worker:
    """A child as its parent sees it."""

    child: Child
    cuts: list[Cut]
    part: Part | None = None
    spare: int | None = None
    """Depth of the pending node that it could give away; None without one."""
    requested: bool = False


class _Growth:
    """A tree and its crew, seen from the parent; they share the tree's cuts, multipliers and pseudo-costs."""

    def __init__(self, tree: CaseTree, limits: Limits, crew: Crew, on_progress: Listener) -> None:
        assert tree.base is not None
        self.tree, self.limits, self.on_progress = tree, limits, on_progress
        pending = zip(tree.depths, tree.walk.pending, strict=True)
        self.parts = [Part(depth, state) for depth, (state, _) in pending]
        # The deepest part is last in preorder and is handed out last; a shallow one is the larger piece of work.
        self.waiting = sorted(self.parts, key=lambda part: -part.depth)
        self.count, self.share = len(tree.nodes), tree.share
        self.crew = crew
        cuts = list(tree.rows)
        self.workers = [_Worker(child, cuts.copy()) for child in crew.children]
        crew.begin(
            {
                "at_least": tree.at_least,
                "cuts": [[list(cut.vertices), list(cut.teeth)] for cut in cuts],
                "base": tree.base.tolist(),
                "gains": tree.costs.rows(),
                "care": tree.care,
            }
        )

    def wait(self) -> bool:
        """Hand out parts until all are grown; False if the limits come first."""
        while True:
            idle = [worker for worker in self.workers if worker.part is None]
            while idle and self.waiting:
                self._hand_out(idle.pop(), self.waiting.pop())
            if len(idle) == len(self.workers):
                return True
            # As many requests as there are idle workers, to those whose spare node is nearest to the root.
            spare = [w for w in self.workers if w.spare is not None and not w.requested]
            for worker in sorted(spare, key=lambda w: w.spare or 0)[
                : len(idle) - sum(w.requested for w in self.workers)
            ]:
                worker.child.send({"give": True})
                worker.requested = True
            if self.limits.over:
                return False
            if heard := self.crew.receive(POLL_SECONDS):
                self._hear(self.workers[heard[0]], heard[1])

    def _hand_out(self, worker: _Worker, part: Part) -> None:
        worker.part, worker.spare, worker.requested = part, None, False
        worker.child.send({"depth": part.depth, "state": list(part.state)})

    def _hear(self, worker: _Worker, message: Message) -> None:
        if "edges" in message:
            edges = np.array(message["edges"], dtype=np.int32)
            raise TooHigh(self.tree.at_least, message["value"], edges)
        part = worker.part
        assert part is not None
        if "state" in message:
            child = Part(message["depth"], State(*message["state"]))
            part.children.append(child)
            self.waiting.append(child)
            worker.requested = False
        elif "nodes" in message:
            worker.cuts += read_cuts(self.tree.problem, message["cuts"])
            part.nodes = self._numbered(worker, message["nodes"])
            worker.part, worker.spare, worker.requested = None, None, False
        else:
            self.count += 1
            self.share += message["share"]
            worker.spare = message["spare"]
            # Gains are worth sending: strong branching is the most expensive part of a node.
            if message["gains"]:
                self._share_out(worker, message["gains"])
            self.on_progress(Report(words=f"{self.count:,} nodes, {100 * self.share:.1f} % of the tree"))

    def _share_out(self, worker: _Worker, gains: list[Gains]) -> None:
        """Tell the others the gains that a worker measured, so that they need not measure them again."""
        self.tree.costs.take(gains)
        for recipient in self.workers:
            if recipient is not worker:
                recipient.child.send({"gains": gains})

    def _numbered(self, worker: _Worker, nodes: list[list[int]]) -> list[list[int]]:
        """Nodes of a worker, with the cuts in the tree's numbering."""
        tree, first = self.tree, self.tree.instance.m + 1
        # Only cuts with a multiplier somewhere are admitted, so that the tree does not grow by unused rows.
        used = sorted({i - first for node in nodes for i in node[START[node[0]] :: 2] if i >= first})
        tree.admit([cut for cut in (worker.cuts[i] for i in used) if cut not in tree.rows])
        place = {cut: first + i for i, cut in enumerate(tree.rows)}
        for node in nodes:
            for k in range(START[node[0]], len(node), 2):
                if node[k] >= first:
                    node[k] = place[worker.cuts[node[k] - first]]
        return nodes


# -- the child's side ----------------------------------------------------------------------------------------------


class _Grower:
    def __init__(self, task: Message, say: Callable[..., None]) -> None:
        self._task, self._say_to_parent = task, say
        self._parts: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._number = self._newest = 0
        self._gains: queue.SimpleQueue[list[Gains]] = queue.SimpleQueue()
        self._give = False

    def hear(self, message: Message) -> None:
        """Take a new tree, a part to grow, a request for a part, or gains of other processes."""
        self._newest = message.get("tree", self._newest)
        if "give" in message:
            self._give = True
        elif "gains" in message and "at_least" not in message:
            self._gains.put(message["gains"])
        else:
            self._parts.put(message)

    def _say(self, **message: Any) -> None:
        self._say_to_parent(tree=self._number, **message)

    def work(self) -> Message:
        """Grow parts of one tree after the other; it does not end by itself."""
        problem = Problem.from_json(self._task["problem"])
        tree = CaseTree(problem, 0)  # This loads the code that the first part needs.
        limits = NO_LIMITS.until(lambda: self._number < self._newest)
        self._say()
        while True:
            message = self._parts.get()
            if "tree" in message:
                self._number = message["tree"]
            if self._number < self._newest:
                continue
            if "at_least" in message:
                tree = CaseTree(problem, message["at_least"], care=Care(*message["care"]))
                tree.append(read_cuts(problem, message["cuts"]))
                tree.base = np.array(message["base"], dtype=np.int64)
                tree.costs.take(message["gains"])
            elif "state" in message:
                self._give = False
                tree.take(message["depth"], State(*message["state"]), limits)
                sent = len(tree.rows)
                try:
                    if self._grow(tree):
                        cuts = [[list(cut.vertices), list(cut.teeth)] for cut in list(tree.rows)[sent:]]
                        self._say(nodes=tree.nodes, cuts=cuts)
                except TooHigh as better:
                    self._say(edges=better.edges.tolist(), value=better.value)

    def _grow(self, tree: CaseTree) -> bool:
        """Grow the part; return whether it was finished rather than left for another tree."""
        while tree.walk.pending:
            before = tree.share
            while not self._gains.empty():
                tree.costs.take(self._gains.get())
            if not tree.step():
                return False
            if self._give and len(tree.walk.pending) > 1:
                self._give = False
                depth, state = tree.give()
                self._say(depth=depth, state=list(state))
            spare = tree.depths[0] if len(tree.depths) > 1 else None
            self._say(share=tree.share - before, spare=spare, gains=tree.costs.news())
        return True


def main() -> None:
    """Grow the parts on the lines of the input."""
    serve(_Grower)
