"""Make puzzles: a random solution, the fewest clues that leave no other, and the difficulty that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import combinations, islice, pairwise
from random import Random
from typing import Any, Protocol, TypeVar

import numpy as np

from encoders.counting.stops import CellLinkage, allowed_pairs, as_linkage, linkage_of_stops
from encoders.enumeration.numbering import every_numbering
from encoders.linked import Linked, rival_of
from encoders.puzzles.numbered import Numbered, NumberRivals
from encoders.puzzles.rules import Person
from encoders.puzzles.task import MAX_PUZZLES, PuzzleTask
from heuristics.numbering import neighbours_of
from heuristics.random_tours import random_way
from kt_models.arguments import require_whole
from kt_models.conditions.in_order import order_fault
from kt_models.errors import KTError
from kt_models.files.clues import WAZIR
from kt_models.files.puzzles import DIFFICULTIES, Puzzle
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem

MAX_TRIES = 1000
"""Solutions that are tried for one puzzle, before kt says that it found none as asked for."""

FEW_WALLS = 0.2
WALL_SHARES = {None: 0.5, "easy": 0.9, "medium": 0.5, "hard": FEW_WALLS}
"""Share of the rivals that a wall rules out rather than a stop, where both can: walls make a puzzle easy."""
SHORTEST_PATH = 3
"""Fewest cells of a path: two neighbours are joined at a glance."""

Clue = TypeVar("Clue")


def without_superfluous(clues: Iterable[Clue], suffice: Callable[[list[Clue]], bool]) -> list[Clue]:
    """Clues that suffice and of which none can be left out; those that come first are left out first."""
    kept = list(clues)
    for clue in list(kept):
        fewer = [other for other in kept if other != clue]
        if suffice(fewer):
            kept = fewer
    return kept


class Maker(Protocol):
    """Makes puzzles of one kind on one board."""

    def attempt(self, random: Random) -> Puzzle | int:
        """A puzzle as asked for; or, if this solution has none, how many clues it took, 0 if that was right."""
        ...


class NumberMaker:
    """Makes puzzles with given numbers."""

    def __init__(self, task: PuzzleTask, limits: Limits, stack: ExitStack) -> None:
        self.task, self.limits = task, limits
        self.problem = Problem(task.graph, "cycle" if task.closed else "path")
        self.first = first_way(self.problem, limits)
        self.numbered = Numbered(self.problem, limits)
        self.rivals = stack.enter_context(NumberRivals(self.numbered, limits.check))
        self.person = stack.enter_context(Person(self.numbered))

    def attempt(self, random: Random) -> Puzzle | int:
        """A puzzle as asked for; or, if this tour has none, how many clues it took, 0 if that was right."""
        task, n = self.task, self.problem.graph.n
        way = random_way(self.numbered.near, self.first, task.closed, random, self.limits)
        if way is None:
            raise KTError(f"no random closed tour of {task.graph.name} came up; --open may help")
        self.rivals.want(way)
        numbers = random.sample(range(n), n)
        kept = without_superfluous(numbers, self.rivals.is_only)
        others = [k for k in numbers if k not in set(kept)]
        if task.redundant:
            kept = self._with_more(way, kept, others)
        if task.clues is not None and len(kept) != task.clues:
            return len(kept)
        literals = [self.numbered.at(k, way[k]) for k in kept]
        difficulty = self.person.difficulty(literals, self.limits, task.difficulty)
        if task.difficulty not in (None, difficulty):
            return 0
        clues = [0] * n
        for k in kept:
            clues[way[k]] = k + 1
        return Puzzle("numbers", task.graph, task.closed, tuple(clues), (tuple(way),), difficulty=difficulty)

    def _with_more(self, way: Sequence[int], clues: list[int], others: list[int]) -> list[int]:
        """The given numbers and some superfluous ones, up to the count or the difficulty that is asked for."""
        task, more = self.task, list(others)
        if task.clues is not None:
            return clues + more[: max(0, task.clues - len(clues))]
        while task.difficulty == DIFFICULTIES[0]:
            known = self.person.known(self.numbered.at(k, way[k]) for k in clues)
            unknown = [k for k in more if known is not None and self.numbered.at(k, way[k]) not in known]
            if not unknown:
                break
            clues = [*clues, unknown[0]]
        return clues


def first_way(problem: Problem, limits: Limits) -> list[int]:
    """The vertices of any tour of a problem.

    Raises
    ------
    KTError
        If there is none.
    Stopped
        If the limits are reached first.
    """
    from encoders.solve import solve
    from heuristics.find import find

    result = find(problem, quick=True, limits=limits)
    if result.tour is None and result.status != "infeasible":
        result = solve(problem, limits=limits)
    if result.tour is None:
        limits.check()
        kind = "closed" if problem.closed else "open"
        reason = f": {result.reason}" if result.reason else ""
        raise KTError(f"{problem.graph.name} has no {kind} tour{reason}")
    order: list[int] = result.tour.order.tolist()
    return order


class LinkedMaker:
    """The common part of makers of waypoints and of paths: rivals show at once which clues do not suffice."""

    def __init__(self, task: PuzzleTask, limits: Limits, stack: ExitStack) -> None:
        self.task, self.limits = task, limits
        self.graph = task.graph
        problem = Problem(task.graph, "cycle" if task.closed else "path")
        self.first = first_way(problem, limits)
        near, degrees = neighbours_of(problem)
        self.near: list[list[int]] = [near[v, : degrees[v]].tolist() for v in range(self.graph.n)]
        self.pairs = allowed_pairs(self.graph)

    def way(self, random: Random) -> list[int]:
        """A random tour."""
        way = random_way(self.near, self.first, self.task.closed, random, self.limits)
        if way is None:
            raise KTError(f"no random closed tour of {self.graph.name} came up; --open may help")
        return way

    def difficulty(self, linkage: CellLinkage) -> str:
        """How difficult a puzzle is."""
        with Person(Linked(linkage)) as person:
            return person.difficulty((), self.limits, self.task.difficulty)


class WaypointMaker(LinkedMaker):
    """Makes puzzles with stops: random ones first, and then what rules out each rival that is found, stop or wall."""

    def attempt(self, random: Random) -> Puzzle | int:
        """A puzzle as asked for; or, if this tour has none, how many stops it took, 0 if that was right."""
        task, n = self.task, self.graph.n
        way = self.way(random)
        place = {v: k for k, v in enumerate(way)}
        steps = {frozenset(step) for step in pairwise([*way, way[0]] if task.closed else way)}
        ends = [0] if task.closed else [0, n - 1]
        least = 3 if task.closed else 2
        most = task.clues or max(least, n // 5)
        if most < least:
            raise KTError(f"clues {most}: {'a closed' if task.closed else 'an open'} tour has at least {least} stops")
        # Stops that are added because of a rival are rarely superfluous: random ones are fewer than are asked for.
        count = random.randint(max(least, most // 2), most)
        wall_share = WALL_SHARES[task.difficulty]
        between = list(range(1, n if task.closed else n - 1))
        stops = sorted([*ends, *random.sample(between, min(len(between), count - len(ends)))])
        walls: list[frozenset[int]] = []
        rivals: list[list[int]] = []

        def linkage(stops: Sequence[int], walls: Collection[frozenset[int]]) -> CellLinkage:
            open_pairs = [pair for pair in self.pairs if frozenset(pair) not in walls]
            return linkage_of_stops(n, open_pairs, [way[k] for k in stops], task.closed)

        def rival(stops: Sequence[int], walls: Collection[frozenset[int]]) -> list[int] | None:
            for other in rivals:
                cut = any(frozenset(step) in walls for step in pairwise([*other, other[0]] if task.closed else other))
                if not cut and order_fault([way[k] for k in stops], np.array(other), task.closed, False) is None:
                    return other
            linked = linkage(stops, walls)
            bounds = [*stops, n] if task.closed else stops
            wanted = [[*way, way[0]][i : j + 1] for i, j in pairwise(bounds)]
            found = rival_of(linked, wanted, self.limits.check)
            if found is None:
                return None
            rivals.append([v for part in found for v in part[:-1]] + ([] if task.closed else [found[-1][-1]]))
            return rivals[-1]

        while (other := rival(stops, walls)) is not None:
            barred = [frozenset(step) for step in pairwise([*other, other[0]] if task.closed else other)]
            barred = [step for step in barred if step not in steps]
            more = [
                k for k in between if k not in stops and _is_other_order(way, other, sorted([*stops, k]), task.closed)
            ]
            is_full = not more or len(stops) == task.clues
            share = 1.0 if is_full else FEW_WALLS if task.clues else wall_share
            if self.graph.leaper == WAZIR and random.random() < share:
                walls.append(random.choice(sorted(barred, key=sorted)))
            elif more and len(stops) != task.clues:
                stops = sorted([*stops, random.choice(more)])
            else:
                return len(stops) + 1
        random.shuffle(walls)
        walls = without_superfluous(walls, lambda fewer: rival(stops, fewer) is None)
        if not task.redundant:
            inner = [k for k in stops if k not in ends]
            random.shuffle(inner)
            kept = without_superfluous(
                inner,
                lambda fewer: len(fewer) + len(ends) >= least and rival(sorted([*ends, *fewer]), walls) is None,
            )
            stops = sorted([*ends, *kept])
        if task.clues is not None and len(stops) != task.clues:
            return len(stops)
        difficulty = self.difficulty(linkage(stops, walls))
        if task.difficulty not in (None, difficulty):
            return 0
        clues = [0] * n
        for number, k in enumerate(stops, start=1):
            clues[way[k]] = number
        cells = [tuple(cell) for cell in self.graph.geometry[0].cells.tolist()]
        drawn = tuple((cells[u], cells[v]) for u, v in map(sorted, walls))
        assert len(place) == n
        return Puzzle("waypoints", self.graph, task.closed, tuple(clues), (tuple(way),), drawn, difficulty)


def _is_other_order(way: Sequence[int], other: Sequence[int], stops: Sequence[int], closed: bool) -> bool:
    """Whether another tour visits the stops, places in a tour, in another order."""
    return order_fault([way[k] for k in stops], np.array(other), closed, False) is not None


class PathMaker(LinkedMaker):
    """Makes puzzles of several paths: a random tour is cut until there is no rival, and then joined where possible."""

    def attempt(self, random: Random) -> Puzzle | int:
        """A puzzle as asked for; or, if this tour has none, how many paths it took, 0 if that was right."""
        task, n = self.task, self.graph.n
        way = self.way(random)
        count = min(task.clues or random.randint(max(1, n // 9), max(1, n // 6)), n // SHORTEST_PATH)
        paths = [way]
        while len(paths) < count:
            cut = self._cut(paths, [v for path in paths for v in path], random)
            if cut is None:
                return len(paths) + 1
            paths = cut
        while (rival := self._rival(paths)) is not None:
            # Where a rival leaves the paths, one of these has to be cut.
            steps = {frozenset(step) for path in rival for step in pairwise(path)}
            left = [v for path in paths for step in pairwise(path) if frozenset(step) not in steps for v in step]
            cut = self._cut(paths, left, random)
            if cut is None or (task.clues is not None and len(cut) > max(task.clues, count) + 2):
                return len(paths) + 1
            paths = cut
        if not task.redundant:
            paths = self._joined(paths, random)
        if task.clues is not None and len(paths) != task.clues:
            return len(paths)
        linkage = self._linkage(paths)
        difficulty = self.difficulty(linkage)
        if task.difficulty not in (None, difficulty):
            return 0
        paths = sorted((path if path[0] < path[-1] else path[::-1] for path in paths), key=lambda path: path[0])
        clues = [0] * n
        for number, path in enumerate(paths, start=1):
            clues[path[0]] = clues[path[-1]] = number
        return Puzzle("paths", self.graph, False, tuple(clues), tuple(map(tuple, paths)), difficulty=difficulty)

    def _linkage(self, paths: Sequence[Sequence[int]]) -> CellLinkage:
        return CellLinkage.of(self.graph.n, self.pairs, [(path[0], path[-1]) for path in paths])

    def _rival(self, paths: Sequence[Sequence[int]]) -> list[tuple[int, ...]] | None:
        return rival_of(self._linkage(paths), paths, self.limits.check)

    def _cut(self, paths: list[list[int]], at: Sequence[int], random: Random) -> list[list[int]] | None:
        """The paths with one of them cut in two behind one of some cells; None if all would be too short."""
        inside = set(at)
        places = [
            (p, k)
            for p, path in enumerate(paths)
            for k in range(SHORTEST_PATH, len(path) - SHORTEST_PATH + 1)
            if path[k - 1] in inside or path[k] in inside
        ]
        if not places:
            return None
        p, k = random.choice(places)
        return [*paths[:p], paths[p][:k], paths[p][k:], *paths[p + 1 :]]

    def _joined(self, paths: list[list[int]], random: Random) -> list[list[int]]:
        """The paths, joined end to end wherever the solution then still is the only one."""
        edges = {frozenset(pair) for pair in self.pairs}
        while True:
            ways = [
                (i, j, first, second)
                for i, j in combinations(range(len(paths)), 2)
                for first in (paths[i], paths[i][::-1])
                for second in (paths[j], paths[j][::-1])
                if frozenset((first[-1], second[0])) in edges
            ]
            random.shuffle(ways)
            for i, j, first, second in ways:
                joined = [*(path for k, path in enumerate(paths) if k not in (i, j)), [*first, *second]]
                if self._rival(joined) is None:
                    paths = joined
                    break
            else:
                return paths


MAKERS: dict[str, Any] = {"numbers": NumberMaker, "waypoints": WaypointMaker, "paths": PathMaker}
"""Who makes each kind."""


def make_puzzles(
    task: PuzzleTask, count: int = 1, *, limits: Limits = NO_LIMITS, on_progress: Listener = silent
) -> Iterator[Puzzle]:
    """Yield different puzzles, each verified to have exactly one solution.

    Parameters
    ----------
    count
        How many.
    limits
        Of everything. The same seed gives the same puzzles.
    on_progress
        Called before each puzzle.

    Raises
    ------
    KTError
        If there is no tour, or no puzzle as asked for was found.
    Stopped
        If the limits are reached first.
    """
    count = require_whole(count, "count", 1, MAX_PUZZLES)
    limits = limits.within(None)
    seen: set[tuple[int, ...]] = set()
    with ExitStack() as stack:
        maker: Maker = MAKERS[task.kind](task, limits, stack)
        for number in range(count):
            on_progress(Report(words=f"{number} of {count} made"))
            puzzle = _puzzle(maker, task, Random(f"kt {limits.seed} {number}"), seen, limits)
            require_only_solution(puzzle, limits)
            seen.add(puzzle.numbers)
            yield puzzle


def _puzzle(maker: Maker, task: PuzzleTask, random: Random, seen: set[tuple[int, ...]], limits: Limits) -> Puzzle:
    """A puzzle that was not made before."""
    sizes: set[int] = set()
    for _ in range(MAX_TRIES):
        limits.check()
        made = maker.attempt(random)
        if isinstance(made, Puzzle):
            if made.numbers not in seen:
                return made
        elif made:
            sizes.add(made)
    if seen and not sizes and task.difficulty is None:
        raise KTError(f"no other puzzle was found in {MAX_TRIES:,} tries than the {len(seen)} before")
    wanted = " and ".join(
        [*([] if task.clues is None else [f"{task.clues} clues"]), *([task.difficulty] if task.difficulty else [])]
    )
    taken = f" (clues: {min(sizes)} to {max(sizes)})" if sizes else ""
    hint = "" if task.redundant else "; with superfluous clues (--redundant) there are more"
    raise KTError(f"no puzzle with {wanted} was found in {MAX_TRIES:,} tries{taken}{hint}")


def require_only_solution(puzzle: Puzzle, limits: Limits = NO_LIMITS) -> None:
    """Count the solutions of a puzzle in another way than it was made.

    Raises
    ------
    KTError
        If it has not exactly one: then kt has a fault.
    Stopped
        If the limits are reached first.
    """
    if (found := _solutions(puzzle, limits)) != 1:
        raise KTError(f"internal error, please report it: a puzzle has {'several' if found else 'no'} solutions")


def _solutions(puzzle: Puzzle, limits: Limits) -> int:
    """The number of solutions; of given numbers at most 2."""
    from kt_models.kernel.certificates.frontier import count_solutions

    if puzzle.kind == "numbers":
        return sum(1 for _ in islice(every_numbering(puzzle.problem, limits), 2))
    linkage = as_linkage(puzzle.problem) if puzzle.kind == "waypoints" else None
    return count_solutions(puzzle.problem if linkage is None else linkage.problem, limits=limits).total
