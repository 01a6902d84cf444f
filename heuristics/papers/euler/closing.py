"""An experiment: how many changes of its end close an open tour by Euler's method (1759).

Two versions are compared: the one that a note describes, and that of `heuristics.papers.euler.search`. The open tours
are walks by Warnsdorff's rule from random starts, with random choices among ties. Every rule gets the same ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from heuristics.papers.euler.search import EulerPath, Rule
from heuristics.papers.statistics import Rate, wilson
from heuristics.searches.warnsdorff import Walker
from heuristics.simple_graph import simple_graph_or_result
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem
from kt_models.result import Result

RULES: tuple[Rule, ...] = get_args(Rule)
MANY_TURNS = 40
"""A number of turns that some runs of the note exceeded."""
MAX_TOURS = 1_000_000
MAX_WALKS_IN_VAIN = 10_000
"""Walks without a single open tour after which an experiment ends."""


@dataclass
class Closings:
    """The outcomes of one rule.

    Attributes
    ----------
    turns
        Number of tours by the number of turns that closed them.
    stuck
        Tours without a possible turn of the tail.
    given_up
        Tours still open after the most turns allowed.
    """

    turns: Counter[int] = field(default_factory=Counter)
    stuck: int = 0
    given_up: int = 0

    @property
    def closed(self) -> int:
        """Number of closed tours."""
        return sum(self.turns.values())

    @property
    def mean(self) -> float | None:
        """Mean number of turns of the closed tours; None without any."""
        return sum(turns * count for turns, count in self.turns.items()) / self.closed if self.closed else None

    @property
    def many(self) -> int:
        """Number of tours that took more than `MANY_TURNS` turns."""
        return sum(count for turns, count in self.turns.items() if turns > MANY_TURNS)

    def quantile(self, share: float) -> int | None:
        """The least number of turns within which this share of the closed tours closed."""
        seen = 0
        for turns, count in sorted(self.turns.items()):
            seen += count
            if seen >= share * self.closed:
                return turns
        return None

    def to_json(self) -> dict[str, Any]:
        """Counts, and the mean, median, ninth decile and maximum of the turns."""
        return {
            "closed": self.closed,
            "stuck": self.stuck,
            "given_up": self.given_up,
            "mean": None if self.mean is None else round(self.mean, 3),
            "median": self.quantile(0.5),
            "nine_tenths": self.quantile(0.9),
            "most": self.quantile(1.0),
            f"over_{MANY_TURNS}": self.many,
            "turns": {str(turns): count for turns, count in sorted(self.turns.items())},
        }


@dataclass
class Experiment:
    """The findings of an experiment.

    Attributes
    ----------
    walks
        All walks; `full` of them visited every vertex, and `closed` of these happened to close.
    """

    graph: MoveGraph
    wanted: int
    most: int
    walks: int = 0
    full: int = 0
    closed: int = 0
    rules: dict[Rule, Closings] = field(default_factory=lambda: {rule: Closings() for rule in RULES})

    @property
    def tours(self) -> int:
        """Open tours that every rule tried to close."""
        return self.full - self.closed

    @property
    def complete(self) -> bool:
        """Whether the wanted number of tours was tried."""
        return self.tours >= self.wanted

    @property
    def full_share(self) -> Rate:
        """The share of the walks that visited every vertex."""
        return wilson(self.full, self.walks)

    @property
    def closed_share(self) -> Rate:
        """The share of the complete walks that happened to close."""
        return wilson(self.closed, self.full)

    def to_json(self) -> dict[str, Any]:
        """The counts, with those of every rule."""
        return {
            "board": self.graph.name,
            "leaper": None if self.graph.leaper is None else str(self.graph.leaper),
            "tours": self.tours,
            "complete": self.complete,
            "most_turns": self.most,
            "walks": self.walks,
            "walks_with_every_vertex": self.full,
            "walks_that_close": self.closed,
            "rules": {rule: closings.to_json() for rule, closings in self.rules.items()},
        }


def close_open_tours(
    graph: MoveGraph,
    *,
    tours: int = 1000,
    turns: int = 0,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> Experiment:
    """Find open tours and close each by every rule.

    Parameters
    ----------
    tours
        Number of open tours.
    turns
        Most turns of each; 0 for 1000 and one for each vertex.

    Raises
    ------
    KTError
        If a number is out of range, the graph has no tour for a simple reason, or no walk visits every vertex.
    """
    if not 1 <= tours <= MAX_TOURS or turns < 0:
        raise KTError(f"between 1 and {MAX_TOURS:,} tours, and turns not negative")
    experiment = Experiment(graph, tours, turns or 1000 + graph.n)
    instance = simple_graph_or_result(Problem(graph))
    if isinstance(instance, Result):
        raise KTError(f"{graph.name} has no closed tour")
    rng = np.random.default_rng(limits.seed)
    walker = Walker(instance, "random", rng)
    generators = {rule: np.random.default_rng((limits.seed, number)) for number, rule in enumerate(RULES)}
    while not experiment.complete and not limits.over:
        if experiment.walks == MAX_WALKS_IN_VAIN and not experiment.full:
            raise KTError(
                f"{graph.name}: none of {MAX_WALKS_IN_VAIN:,} walks by Warnsdorff's rule visited every vertex"
            )
        experiment.walks += 1
        if not walker.walk(int(rng.integers(len(walker.openings)))):
            continue
        if walker.closes():
            experiment.full += 1
            experiment.closed += 1
            continue
        made = {rule: _close(walker, generators[rule], experiment.most, limits, rule) for rule in RULES}
        if limits.over:  # A tour that was cut short does not count.
            break
        experiment.full += 1
        for rule, (closes, used) in made.items():
            closings = experiment.rules[rule]
            if closes:
                closings.turns[used] += 1
            elif used < experiment.most:
                closings.stuck += 1
            else:
                closings.given_up += 1
        on_progress(Report(words=f"{experiment.tours:,} of {tours:,} open tours"))
    return experiment


def _close(walker: Walker, rng: np.random.Generator, most: int, limits: Limits, rule: Rule) -> tuple[bool, int]:
    """Close an open tour; return whether it closed, and the number of turns."""
    path = EulerPath(walker, rng, most, limits, rule)
    used = sum(kind != "reverse" for kind in path.steps())
    return path.complete, used
