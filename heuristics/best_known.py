"""The best known tours and bounds, delivered with the package as result files with their certificates.

They are the files of `heuristics/delivered`. There is no other list: the name of a file tells what it is about. Nothing
in a file is trusted. A tour is verified like any other, and a bound counts only if its certificate is checked. A bound
that a file states without a certificate is `stated`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from kt_models.errors import KTError
from kt_models.json_values import is_number
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem
from kt_models.result import Result, Stated
from kt_models.speed import fits
from kt_models.storage import read_json
from kt_models.tour import Tour, tour_from_json

DELIVERED = Path(__file__).parent / "delivered"
FOLDERS = ("results", "records")
CHECK_SECONDS = Path(__file__).parent / "check_seconds.json"
"""Reference seconds of each check that takes long (`python -m research.check_seconds`)."""
MAX_CHECK_SECONDS = 60.0
"""Longest measured time of a check that is made if there is no time limit."""
GRACE_SECONDS = 0.5
"""Seconds that the check of a certificate has to end once the limits are reached."""


@dataclass(frozen=True)
class BestKnown:
    """The knowledge about a problem from files.

    Parameters
    ----------
    result
        The best tour, with the best bound that a certificate proves.
    source
        Source of the tour, in the words of its file.
    tour_file, bound_file
        The files of the tour and of the bound; None without a bound.
    stated
        A better bound that a file states and that was not checked; None without one.
    """

    result: Result
    source: str
    tour_file: Path
    bound_file: Path | None = None
    stated: Stated | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the tour, the bound and the stated bound."""
        stated = None if self.stated is None else DELIVERED / self.stated.file
        return tuple(path for path in dict.fromkeys((self.tour_file, self.bound_file, stated)) if path is not None)


def shown_path(path: Path) -> str:
    """A file's name; a delivered one is relative to the folder of delivered files."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def delivered_name(path: Path) -> str:
    """The name of a delivered file: `results/crossings-8x8.json`."""
    return path.relative_to(DELIVERED).as_posix()


@cache
def _measured() -> dict[str, float | None]:
    data = read_json(CHECK_SECONDS)
    return data if isinstance(data, dict) else {}


def check_seconds(path: Path) -> float:
    """Reference seconds (`kt_models.speed`) that the check of a delivered file takes.

    They are 0 if too few to list, and infinite if they were never measured.
    """
    seconds = _measured().get(delivered_name(path), 0.0)
    return inf if seconds is None else seconds


def expected_seconds(path: str | os.PathLike[str]) -> float:
    """Measured processor seconds of the check of a file, if it is a copy of a delivered one; otherwise 0."""
    from filecmp import cmp

    for name in _measured():
        if os.path.basename(name) == os.path.basename(path):
            twin = DELIVERED / name
            if twin.exists() and cmp(path, twin, shallow=False):
                return check_seconds(twin)
    return 0.0


def best_known(
    problem: Problem,
    limits: Limits = NO_LIMITS,
    on_tour: Callable[[Result], object] | None = None,
    *,
    check_stated: bool = False,
) -> BestKnown | None:
    """The best delivered tour that solves a problem, and the best bound; None if there is no tour.

    A tour of the board with exchanged sides is transposed, and its certificate is used. A tour with a symmetry also
    solves a problem without one.

    Parameters
    ----------
    limits
        Limits for checking certificates. A check is left out, and its bound is `stated`, if it is expected to take more
        seconds than are left now, or than `MAX_CHECK_SECONDS` without a time limit. The same holds for a check that is
        not done in time.
    on_tour
        Called with the best tour before any certificate is checked, which may take minutes.
    check_stated
        Whether to check certificates however long that takes.
    """
    files = [(path, data) for path, data in _files(problem) if bool(data.get("closed")) == problem.closed]
    best: BestKnown | None = None
    # Nothing in a file is trusted, but the order of the values that they claim is right: one tour has to be verified.
    for path, data in sorted(files, key=lambda file: _claimed(file[1], "value", inf)):
        tour = _tour_of(data, problem)
        if tour is None:
            continue
        try:
            result = Result(problem, "feasible", tour, engine=f"best known ({delivered_name(path)})")
        except KTError:  # The file is about another problem.
            continue
        best = BestKnown(result, data["engine"], path)
        break
    if best is None:
        return None
    if on_tour is not None:
        on_tour(best.result)
    certificates = [
        (int(bound), path, data.get("certificate") or {})
        for path, data in files
        if (bound := _claimed(data, "bound", -inf)) > -inf and _answers(Problem.from_json(data), problem)
    ]
    certificates.sort(key=lambda row: -row[0])
    room = limits.within(MAX_CHECK_SECONDS) if limits.seconds is None else limits
    for bound, path, written in certificates:
        if not (check_stated or fits(check_seconds(path), room)):
            continue
        if certificate := _checked(written, problem, limits):
            status: Any = "optimal" if bound == best.result.value else "feasible"
            best = replace(best, result=best.result.with_bound(status, bound, certificate), bound_file=path)
            break
    if certificates and certificates[0][0] > (best.result.bound or 0):
        bound, path, _ = certificates[0]
        best = replace(best, stated=Stated(bound, delivered_name(path), check_seconds(path)))
    return best


def _claimed(data: dict[str, Any], key: str, otherwise: float) -> float:
    """The number at a key of a file, if it is one."""
    return float(data[key]) if is_number(data.get(key)) else otherwise


def _answers(known: Problem, problem: Problem) -> bool:
    """Whether a known problem answers the given one: it is the same, or the one with exchanged sides."""
    from kt_models.kernel.certificates.transposed import exchanged

    return known == problem or known == exchanged(problem)


def _files(problem: Problem) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The files whose names match a problem."""
    board, metric = problem.graph.board, problem.objective_name
    if board is None or not isinstance(problem.objective, str):
        return
    texts = [board.text.replace(":", "-")]
    if board.is_box and board.dimension == 2:
        texts.append(f"{board.shape[1]}x{board.shape[0]}")
    for text in dict.fromkeys(texts):
        for folder in FOLDERS:
            for path in sorted((DELIVERED / folder).glob(f"{metric}-{text}*.json")):
                if path.stem == f"{metric}-{text}" or path.stem.startswith(f"{metric}-{text}-"):
                    data = read_json(path)
                    if isinstance(data, dict) and data.get("kind") == "result":
                        yield path, data


def _tour_of(data: dict[str, Any], problem: Problem) -> Tour | None:
    """The tour of a file on the problem's board, transposed if necessary; None if it is of another board."""
    tour, board = tour_from_json(data), problem.graph.board
    tour_board = tour.graph.board
    if tour.graph == problem.graph:
        return tour
    if (
        board is None
        or tour_board is None
        or board.dimension != 2
        or tour_board.shape != board.shape[::-1]
        or not tour_board.is_box
    ):
        return None
    order = board.numbers(tour_board.cells[tour.order][:, ::-1])
    return Tour(problem.graph, order, tour.closed)


def _checked(written: dict[str, Any], problem: Problem, limits: Limits) -> Checked | None:
    """The certificate of a file, if it is right and about this problem."""
    try:
        certificate = Certificate.from_json(written)
        if certificate.cost_bound is None:
            return None
        if certificate.problem != problem:
            certificate = Certificate(
                "turned", Statement(problem, "at-least", certificate.cost_bound), {"certificate": certificate.to_json()}
            )
        return limits.run(lambda: certificate.checked(limits), GRACE_SECONDS)
    except (KTError, Stopped):
        return None
