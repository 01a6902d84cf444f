"""`pareto`: the front of two sums (`kt_models.pareto_front`).

First `solve` finds the least value of either sum. Then the largest area is searched again and again, for the least
second sum of a tour in it: a problem with an objective and constraints (the epsilon-constraint method).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

from encoders.proof import prove
from encoders.solve import solve
from kt_models.errors import KTError, about
from kt_models.files.workbook import workbook
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.pareto_front import Absence, ParetoFront, Undecided, known_by
from kt_models.problem import Problem
from kt_models.quantities import Quantity
from kt_models.result import Result, proof_written
from kt_models.runs.folder import locked
from kt_models.storage import read_json
from kt_models.writing import write_json

FILE = "front.json"
"""File of a folder that keeps a front."""
EXTREME_SHARE, AREA_SHARE = 0.25, 0.3
"""Shares of the remaining time: for the least value of either sum, and for each search of an area."""


def pareto(
    problem: Problem,
    quantities: Sequence[Quantity],
    *,
    folder: str | os.PathLike[str] | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> ParetoFront:
    """Find the front of two sums, as far as the limits allow.

    Parameters
    ----------
    problem
        The problem; its objective has no effect.
    quantities
        The two sums to minimise.
    folder
        A folder that keeps the front; the same call continues there, whatever stopped it.

    Raises
    ------
    KTError
        If the folder holds another kind of data.
    """
    front = ParetoFront(problem, quantities)
    with ExitStack() as stack:
        path = None
        if folder is not None:
            stack.enter_context(locked(folder))
            path = Path(folder) / FILE
            if path.exists():
                front = _begun(path, front, limits)
        search = _Search(front, path, limits, on_progress)
        with suppress(Stopped):
            search.work()
    return front


def _begun(path: Path, asked: ParetoFront, limits: Limits) -> ParetoFront:
    """Read the front of a file, which must have the same problem and sums."""
    with about(path):
        front = ParetoFront.from_json(read_json(path), limits)
        if front.problem != asked.problem or front.quantities != asked.quantities:
            raise KTError("it is about another board or other sums: name another folder")
    return front


def prove_absences(
    front: ParetoFront, folder: str | os.PathLike[str], limits: Limits = NO_LIMITS, on_progress: Listener = silent
) -> bool:
    """Write an LRAT proof of each absence without a certificate; return whether all were finished in time.

    Parameters
    ----------
    folder
        A folder for the folders of the proofs, such as `turns-33-crossings-53`.
    """
    for absence in list(front.absences):
        if absence.certificate is not None:
            continue
        limits_of_sums = zip(front.names, (absence.first, absence.second), strict=True)
        words = "-".join(f"{name}-{value:g}" for name, value in limits_of_sums if value != inf) or "tours"
        name = re.sub(r"[^a-z0-9-]+", "", words)
        on_progress(Report(words=f"proof {name}"))
        if not prove(front.limited(absence.first, absence.second), None, Path(folder) / name, limits=limits):
            return False
        front.absences.remove(absence)
        front.absences.append(replace(absence, how=proof_written(Path(folder) / name)))
    return True


def sheet(front: ParetoFront) -> bytes:
    """The tours of a front as a workbook."""
    rows = ([*point.values, point.proved, point.how, " ".join(point.tour.names)] for point in front.points)
    return workbook((*front.names, "proved", "how", "tour"), rows, "front")


def plot(front: ParetoFront) -> bytes:
    """The tours of a front as SVG, with the areas that may have others."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import MaxNLocator

    from drawing.figure import image_of

    figure = Figure(figsize=(5.5, 4.5), layout="constrained")
    axes = figure.subplots()
    for proved, style, label in ((True, "o", "on the front"), (False, "o", "perhaps on the front")):
        pairs = [pair for pair, point in zip(front.pairs, front.points, strict=True) if point.proved == proved]
        if pairs:
            face = None if proved else "none"
            axes.plot(*zip(*pairs, strict=True), style, color="#1f5fa8", markerfacecolor=face, label=label)
    for pair in front.pairs:
        axes.annotate("({}, {})".format(*front.seen(pair)), pair, xytext=(5, 5), textcoords="offset points", fontsize=8)
    values: list[tuple[float, float]] = [*front.pairs]
    values += [
        (x, y) for area in front.undecided for x, y in (area.least, area.most) if abs(x) != inf and abs(y) != inf
    ]
    if values:
        (left, bottom), (right, top) = ([edge(v[side] for v in values) for side in (0, 1)] for edge in (min, max))
        ends = ((left - 1.5, bottom - 1.5), (right + 1.5, top + 1.5))
        for area in front.undecided:
            low, high = (
                [min(max(v + step, least), most) for v, least, most in zip(corner, *ends, strict=True)]
                for corner, step in ((area.least, -0.5), (area.most, 0.5))
            )
            axes.add_patch(Rectangle((low[0], low[1]), high[0] - low[0], high[1] - low[1], color="#c8553d", alpha=0.15))
        axes.set_xlim(ends[0][0], ends[1][0])
        axes.set_ylim(ends[0][1], ends[1][1])
    axes.set_xlabel(front.names[0])
    axes.set_ylabel(front.names[1])
    for side, axis in enumerate((axes.xaxis, axes.yaxis)):
        axis.set_major_locator(MaxNLocator(integer=True))
        axis.set_major_formatter(partial(_tick, front, side))
    complete = "complete" if front.complete else "tours may be missing where it is shaded"
    axes.set_title(f"{front.problem.graph.name}: {complete}", loc="left", fontsize=9)
    axes.grid(alpha=0.3)
    return image_of(figure, "svg")


def _tick(front: ParetoFront, side: int, cost: float, _: int) -> str:
    """The text at a place of an axis."""
    return str(front.seen((int(cost), int(cost)))[side])


class _Search:
    """The search for the missing parts of a front, which it records."""

    def __init__(self, front: ParetoFront, path: Path | None, limits: Limits, on_progress: Listener) -> None:
        self.front, self._path, self._limits, self._on_progress = front, path, limits, on_progress

    def work(self) -> None:
        """Search until nothing is missing or the limits are reached."""
        front, limits = self.front, self._limits
        if front.complete:
            return
        # The least value of either sum bounds the front at its ends.
        for side in (0, 1):
            if front.infeasible:
                return
            lows = [front.absence_of(*_on_side(side, pair[side] - 1)) for pair in front.pairs]
            if not any(lows):
                self._extreme(side, limits.part(EXTREME_SHARE))
        tried: set[Undecided] = set()
        while undecided := front.undecided:
            limits.check()
            # Largest areas first, each once before any is tried again with more time.
            fresh = [area for area in undecided if area not in tried] or undecided
            area = max(fresh, key=lambda area: (area.size, area))
            tried.add(area)
            self._area(area, limits.part(AREA_SHARE))

    def _extreme(self, side: int, limits: Limits) -> None:
        """Find the least value of one sum."""
        front = self.front
        self._on_progress(Report(words=f"the least {front.names[side]}"))
        problem = replace(front.problem, objective=front.quantities[side])
        result = solve(problem, hint=True if problem.is_constrained else "best", limits=limits)
        self._take(result)
        if result.status == "infeasible":
            self._learn(Absence(inf, inf, _evidence(result), result.certificate))
        elif result.cost_bound is not None:
            self._learn(Absence(*_on_side(side, result.cost_bound - 1), _evidence(result), result.certificate))

    def _area(self, area: Undecided, limits: Limits) -> None:
        """Find the least second sum of a tour in an area."""
        front = self.front
        first, second = area.most
        self._on_progress(Report(words=f"{len(front.tours)} tours; is there one with at most {self._words(area)}"))
        problem = replace(front.limited(first, second), objective=front.quantities[1])
        result = solve(problem, limits=limits)
        self._take(result)
        if result.status == "infeasible":
            self._learn(Absence(first, second, _evidence(result), result.certificate))
        elif result.cost_bound is not None:
            self._learn(Absence(first, min(second, result.cost_bound - 1), _evidence(result), result.certificate))

    def _words(self, area: Undecided) -> str:
        return self.front.words(*area.most)

    def _take(self, result: Result) -> None:
        if result.tour is not None and self.front.add_tour(result.tour):
            self._keep()

    def _learn(self, absence: Absence) -> None:
        if self.front.add_absence(absence):
            self._keep()

    def _keep(self) -> None:
        if self._path is not None:
            write_json(self._path, self.front.to_json())


def _on_side(side: int, value: float) -> tuple[float, float]:
    return (value, inf) if side == 0 else (inf, value)


def _evidence(result: Result) -> str:
    """The source of a bound."""
    if result.certificate is not None:
        return known_by(result.certificate)
    if result.status == "infeasible":
        return result.how
    return f"{result.engine}, not certified"
