"""Timing of solvers on graphs: each solve in a process of its own, with its outcome and its processor seconds."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from benchmarks.peers.contestants import BASE, Contestant, GaveUp, contestants
from benchmarks.peers.graphs import KnownGraph, instances, petersen, published, relabelled
from encoders.work.child import Child, ChildEnded, Message, serve
from kt_models import graph_of
from kt_models.errors import TooLarge
from kt_models.graph import MoveGraph
from kt_models.limits import Limits, Stopped
from kt_models.machine import limit_resources
from kt_models.walks import walks_of

MAX_REPEATED_SECONDS = 1.0
"""Seconds below which a solve is repeated, if precise figures are wanted."""
MAX_CLOCK_FACTOR = 40  # On a busy machine a process gets a small share
"""A process also ends after this many times its limit of processor time by the wall clock."""
MAX_LOADING_SECONDS = 300.0
"""Most seconds to load a contestant and to compile its code."""
POLL_SECONDS = 0.1
"""Seconds between two looks at the limits."""


@dataclass(frozen=True)
class Timing:
    """The outcome of a solve.

    Parameters
    ----------
    status
        `found`, `none`, `gave up`, `too large` or `limit`.
    seconds
        Processor seconds from the edges to the answer; None at the limit.
    """

    status: str
    seconds: float | None = None

    @property
    def answered(self) -> bool:
        """Whether there is an answer."""
        return self.status in ("found", "none")


@dataclass(frozen=True)
class GraphTimings:
    """The timings for one graph.

    Parameters
    ----------
    instance, vertices, edges
        The graph and its size.
    timings
        Timings by contestant, without those that the graph does not suit.
    """

    instance: KnownGraph
    vertices: int
    edges: int
    timings: dict[str, Timing]

    def ratio(self, name: str) -> float | None:
        """The seconds of a contestant as a multiple of those of `kt solve`, if both answered."""
        base, timing = self.timings.get(BASE), self.timings.get(name)
        if base is None or timing is None or not (base.answered and timing.answered):
            return None
        return (timing.seconds or 0.0) / (base.seconds or 1e-3)


def time_all(
    graphs: list[KnownGraph],
    solvers: list[Contestant],
    seconds: float,
    limits: Limits,
    repeat: int = 1,
    on_start: Callable[[str], None] = lambda words: None,
) -> Iterator[GraphTimings]:
    """Time every solver on every graph, one graph after the other; a graph that the limits cut short is left out.

    A contestant that failed on a graph of a family is not tried on the larger ones, except `kt solve`.

    Parameters
    ----------
    seconds
        Limit of processor time for each solve.
    repeat
        Repetitions of a quick solve; the median counts.
    on_start
        Called with the names of the next graph and contestant, in words.
    """
    beaten: set[tuple[str, str]] = set()
    for instance in graphs:
        graph = instance.draw()
        timings: dict[str, Timing] = {}
        for solver in solvers:
            if (solver.name, instance.family) in beaten or not solver.applies(graph, instance.hamiltonian):
                continue
            on_start(f"{instance.name}: {solver.name}")
            try:
                runs = [measure(solver.name, instance, graph, seconds, limits)]
                if (runs[0].seconds or MAX_REPEATED_SECONDS) < MAX_REPEATED_SECONDS:
                    runs += [measure(solver.name, instance, graph, seconds, limits) for _ in range(repeat - 1)]
            except Stopped:
                break
            timings[solver.name] = timing = _median(runs)
            if not timing.answered and solver.name != BASE:
                beaten.add((solver.name, instance.family))
        if timings:
            yield GraphTimings(instance, graph.n, graph.m, timings)
        if limits.over:
            return


def measure(name: str, instance: KnownGraph, graph: MoveGraph, seconds: float, limits: Limits) -> Timing:
    """Measure one solve.

    Raises
    ------
    RuntimeError
        If the contestant's answer is wrong.
    Stopped
        If the limits are reached.
    """
    task = {"contestant": name, "instance": instance.name, "file": instance.file, "seconds": seconds}
    with Child(__name__, task, quiet=True) as child:
        try:
            _receive(child, MAX_LOADING_SECONDS, limits)
            message = _receive(child, MAX_CLOCK_FACTOR * seconds, limits)
        except ChildEnded:  # The system ended it, since its time was up.
            message = None
    if message is None or message["seconds"] > seconds:
        return Timing("limit")
    status = message["status"]
    if status == "found" and not _is_cycle(graph, message["pairs"]):
        raise RuntimeError(f"{name} on {instance.name}: its answer is not a Hamiltonian cycle")
    if status in ("found", "none") and (status == "found") != instance.hamiltonian:
        raise RuntimeError(f"{name} on {instance.name}: it says {status}")
    return Timing(status, round(max(message["seconds"], 0.001), 4))


def _receive(child: Child, seconds: float, limits: Limits) -> Message | None:
    """The next message of a child; None if there is none in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        limits.check()
        if (message := child.receive(POLL_SECONDS)) is not None:
            return message
    return None


def _is_cycle(graph: MoveGraph, pairs: list[list[int]]) -> bool:
    """Whether pairs of vertices are the edges of a Hamiltonian cycle."""
    there = {frozenset(pair) for pair in graph.ends.tolist()}
    chosen = {frozenset(pair) for pair in pairs}
    if len(chosen) != graph.n or not chosen <= there:
        return False
    degrees = [0] * graph.n
    for pair in chosen:
        for v in pair:
            degrees[v] += 1
    return set(degrees) == {2} and len(walks_of(graph.n, np.array([sorted(pair) for pair in chosen]))) == 1


def _median(runs: list[Timing]) -> Timing:
    middle = statistics.median_low([float("inf") if run.seconds is None else run.seconds for run in runs])
    return next((run for run in runs if run.seconds == middle), runs[0])


# -- the child's side --------------------------------------------------------------------------------------------------


class _Solver:
    def __init__(self, task: Message, say: Callable[..., None]) -> None:
        self._task, self._say = task, say

    def hear(self, message: Message) -> None:
        """Ignore messages: the parent sends none."""

    def work(self) -> Message:
        """Solve after all code is loaded."""
        solve = contestants()[self._task["contestant"]].solve
        file, name = self._task["file"], self._task["instance"]
        graph = (published(file) if file else next(i for i in instances() if i.name == name)).draw()
        graph.degrees  # noqa: B018 -- made when first asked for, as are the edges
        for small in (graph_of("8x8"), relabelled(petersen(15), "GP(15,2)")):  # Load and compile what is loaded late.
            with suppress(GaveUp, TooLarge):
                solve(small)
        self._say(ready=True)
        started = processor_seconds()
        limit_resources(None, int(time.process_time() + self._task["seconds"]) + 2)
        pairs = None
        try:
            pairs = solve(graph)
            status = "none" if pairs is None else "found"
        except GaveUp:
            status = "gave up"
        except TooLarge:
            status = "too large"
        return {"status": status, "seconds": processor_seconds() - started, "pairs": pairs}


def processor_seconds() -> float:
    """Processor seconds of this process and of its ended children."""
    now = os.times()
    return time.process_time() + now.children_user + now.children_system


def main() -> None:
    """Do the task on the first line of the input."""
    serve(_Solver)
