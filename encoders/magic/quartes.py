"""A search for tours of quartes and halves, without a solver.

Each quarter consists of four quartes, so each of its lines has a cell of each of them. The sum of a half line is then
four times that of the quartes' places in the tour, which is the same for all lines of the quarter, plus the places of
its cells within the quartes, which have to sum to 10. So few sets of four quartes are possible in a quarter (52 of the
knight's). The search extends a sequence of quartes, and keeps which of these sets each quarter may still have.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np

from encoders.magic.task import QUARTER_SIDE, MagicTask
from encoders.work.run import Run
from heuristics.numbering import NumberTable, neighbours_of
from kt_models.limits import Limits, Report, Stopped
from kt_models.numbers import Order

Quarte = tuple[int, ...]
FIRST_STEPS = 100_000
"""Steps before the first fresh start, in another order; after each start there are twice as many."""
MAX_SETS = 20_000
"""Most sets of quartes of a quarter."""
STEPS_BETWEEN_CHECKS = 1024


class QuarteSearch:
    """An engine: a complete search with fresh starts, in an order that the seed decides.

    Attributes
    ----------
    order
        The cells of the tour, if one was found.
    """

    name = "search/quartes"

    def __init__(self, task: MagicTask, table: NumberTable, limits: Limits) -> None:
        self.task, self.table, self.limits = task, table, limits
        self.order: Order | None = None
        self._ended = False

    @staticmethod
    def serves(task: MagicTask) -> bool:
        """Whether the tour has to consist of quartes, with shares for half lines, and need not be symmetric."""
        return task.quartes and task.halves and not task.problem.symmetry

    def interrupt(self) -> None:
        """End the search soon."""
        self._ended = True

    def work(self, run: Run) -> Report:
        """Search until a tour is found, or all sequences were tried."""
        try:
            quartes = self._prepare()
            steps, rng = FIRST_STEPS, random.Random(run.limits.seed)
            while quartes is not None:
                status = self._search(quartes, steps, rng)
                if status:
                    return Report(self.name, status=status, conclusive=True)
                steps *= 2
        except Stopped:
            return Report(self.name)
        return Report(self.name)

    def _check(self) -> None:
        self.limits.check()
        if self._ended:
            raise Stopped("ended")

    def _prepare(self) -> list[Quarte] | None:
        """The quartes, and what the search reads of each; None if there are too many sets of them."""
        task, problem = self.task, self.task.numbered
        quarters = (task.board.cells // QUARTER_SIDE).tolist()
        self.needed: list[set[int]] = [set() for _ in range(task.board.n)]
        for edge in problem.required:
            u, v = problem.graph.ends[edge].tolist()
            self.needed[u].add(v)
            self.needed[v].add(u)
        inside: dict[tuple[int, ...], list[Quarte]] = {}
        for path in task.paths:
            if all(self.needed[v] <= {path[i - 1], path[i + 1]} for i, v in enumerate(path[1:-1], 1)):
                inside.setdefault(tuple(quarters[path[0]]), []).append(path)
        names = sorted({tuple(quarter) for quarter in quarters})
        self.may: dict[Quarte, tuple[int, int]] = {}
        self.all_sets = []
        for number, name in enumerate(names):
            cells = [v for v, quarter in enumerate(quarters) if tuple(quarter) == name]
            sets = []
            for some in self._sets(cells, inside.get(name, [])):
                sets.append(some)
                if len(sets) > MAX_SETS:
                    return None
            self.all_sets.append((1 << len(sets)) - 1)
            for j, some in enumerate(sets):
                for path in some:
                    self.may[path] = number, self.may.get(path, (number, 0))[1] | 1 << j
        near, degrees = neighbours_of(problem)
        self.near = [near[v, : degrees[v]].tolist() for v in range(task.board.n)]
        return sorted(self.may)

    def _sets(self, cells: list[int], paths: list[Quarte]) -> Iterator[list[Quarte]]:
        """The sets of paths that cover a quarter, and whose places sum to the share of each line."""
        x, y = self.task.board.cells.T.tolist()
        share = QUARTER_SIDE * (QUARTER_SIDE + 1) // 2
        through: dict[int, list[Quarte]] = {v: [path for path in paths if v in path] for v in cells}

        def extend(chosen: list[Quarte], left: set[int]) -> Iterator[list[Quarte]]:
            self._check()
            if not left:
                sums: Counter[tuple[str, int]] = Counter()
                for path in chosen:
                    for place, v in enumerate(path, 1):
                        sums["x", x[v]] += place
                        sums["y", y[v]] += place
                if set(sums.values()) == {share}:
                    yield chosen
                return
            for path in through[min(left)]:
                if left.issuperset(path):
                    yield from extend([*chosen, path], left.difference(path))

        yield from extend([], set(cells))

    def _search(self, quartes: list[Quarte], most: int, rng: random.Random) -> str:
        """Search with a number of steps: `feasible`, `infeasible`, or nothing if they did not suffice."""
        closed, count = self.task.problem.closed, self.task.board.n // QUARTER_SIDE
        share = QUARTER_SIDE * (count - 1) // 2
        begins: dict[int, list[Quarte]] = {}
        for path in rng.sample(quartes, len(quartes)):
            begins.setdefault(path[0], []).append(path)
        after = {path: [q for v in self.near[path[-1]] for q in begins.get(v, [])] for path in quartes}
        for some in after.values():
            rng.shuffle(some)
        # Where in the tour a quarte can be, by the table of numbers.
        fits = {path: np.all([self.table[j::QUARTER_SIDE, v] for j, v in enumerate(path)], axis=0) for path in quartes}
        sets, left = list(self.all_sets), [QUARTER_SIDE] * len(self.all_sets)
        total = [0] * len(left)
        sequence: list[Quarte] = []
        todo: list[Iterator[Quarte]] = [iter(rng.sample(quartes, len(quartes)))]
        undo: list[tuple[int, int]] = []
        for step in range(most):
            if step % STEPS_BETWEEN_CHECKS == 0:
                self._check()
            k = len(sequence)
            path = next(todo[-1], ())
            if not path:
                todo.pop()
                if not sequence:
                    return "infeasible"
                sequence.pop()
                quarter, before = undo.pop()
                sets[quarter] = before
                left[quarter] += 1
                total[quarter] -= k - 1
                continue
            quarter, having = self.may[path]
            rest, places = left[quarter] - 1, total[quarter] + k
            if rest < 0 or not sets[quarter] & having or path in sequence or not fits[path][k]:
                continue
            # The least and the greatest sum of the places that are left to the quarter.
            about = rest * (rest - 1) // 2
            if not places + rest * (k + 1) + about <= share <= places + rest * (count - 1) - about:
                continue
            if (sequence and not self._joined(sequence[-1], path)) or not (sequence or closed or self._starts(path)):
                continue
            sequence.append(path)
            undo.append((quarter, sets[quarter]))
            sets[quarter] &= having
            left[quarter], total[quarter] = rest, places
            if k + 1 < count:
                todo.append(iter(after[path]))
                continue
            if self._ends(sequence):
                self.order = np.array([v for some in sequence for v in some], dtype=np.int32)
                return "feasible"
            todo.append(iter(()))
        return ""

    def _joined(self, first: Quarte, second: Quarte) -> bool:
        """Whether the required moves at the end of a quarte and the beginning of the next are made."""
        return self.needed[first[-1]] <= {first[-2], second[0]} and self.needed[second[0]] <= {first[-1], second[1]}

    def _starts(self, path: Quarte) -> bool:
        """Whether an open tour can begin with a quarte."""
        return self.needed[path[0]] <= {path[1]}

    def _ends(self, sequence: list[Quarte]) -> bool:
        """Whether a sequence of all quartes has the sums, and its ends what they need."""
        first, last = sequence[0], sequence[-1]
        if self.task.problem.closed:
            if first[0] not in self.near[last[-1]] or not self._joined(last, first):
                return False
        elif not self.needed[last[-1]] <= {last[-2]}:
            return False
        number = {v: k for k, v in enumerate((v for path in sequence for v in path), 1)}
        numbers = self.task.numbered.numbers
        return numbers is None or all(sum(number[v] for v in line) == total for line, total in numbers.sums)
