"""Families of instances for solvers, from easy to hard, as DIMACS CNF, with a table of what is known of each."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count as counted_from
from itertools import islice
from pathlib import Path

from encoders.best import best
from encoders.pb.models import FORMATS, MAP, map_text
from encoders.pb.size import model_size
from encoders.proof import require_proof_directory
from encoders.sat.encodings import default_encoding
from encoders.solve import solve
from kt_models.errors import KTError, unknown
from kt_models.files.problems import problem_from
from kt_models.kernel.certificates.statement import description
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.writing import write_atomic, writing

TABLE = "table.csv"
MAX_COUNT = 100
"""Most instances: the last ones have formulas of hundreds of megabytes."""
SUFFIX = ".cnf"
SOLVING_SECONDS = 60.0
"""Longest time for an answer of kt's own, if there is no limit."""


@dataclass(frozen=True)
class FamilyInstance:
    """An instance of a family.

    Parameters
    ----------
    kind
        What it is hard for.
    grade
        Its place among those of its kind, from 1; larger ones are harder.
    board
        The board.
    at_most
        How far the turns may exceed the best known value: 0 or -1; None for any tour.
    """

    kind: str
    grade: int
    board: str
    at_most: int | None = None

    @property
    def name(self) -> str:
        """The name of its file, without the suffix."""
        return f"{self.kind}-{self.grade:02}-{self.board}"


KINDS: dict[str, Callable[[int], tuple[str, int | None]]] = {
    "tour": lambda grade: (f"{2 * grade + 4}x{2 * grade + 4}", None),
    "cut": lambda grade: (f"4x{grade + 3}", None),
    "parity": lambda grade: (f"{2 * ((grade + 1) // 2) + 3}x{2 * (grade // 2) + 5}", None),
    "fewest": lambda grade: (_fewest(grade), 0),
    "fewer": lambda grade: (_fewest(grade), -1),
}
"""Board and limit of each grade of each kind. Satisfiable: tours of n×n; tours with the fewest turns. Unsatisfiable:
closed tours of 4×n, where a cut is the reason; of odd boards, whose colours differ in number, which resolution cannot
count quickly; and fewer turns than the fewest."""


def _fewest(grade: int) -> str:
    """Boards whose fewest turns are known, by size: 5x6, 6x6, 6x7, 6x8, ..."""
    return ("5x6", "6x6", "5x8", "6x7", "6x8", "7x8", "8x8")[grade - 1] if grade <= 7 else f"{2 * grade - 6}x10"


def hardness() -> Iterator[FamilyInstance]:
    """Instances of every kind in turn, the easiest of each first."""
    for grade in counted_from(1):
        for kind, of_grade in KINDS.items():
            board, at_most = of_grade(grade)
            yield FamilyInstance(kind, grade, board, at_most)


FAMILIES = {"hardness": hardness}


def write_family(name: str, count: int, directory: str, *, limits: Limits = NO_LIMITS) -> list[dict[str, object]]:
    """Write the first instances of a family, each with its map, and the table.

    Parameters
    ----------
    directory
        An empty or new folder.

    Returns
    -------
    list of dict
        The rows of the table.

    Raises
    ------
    KTError
        If there is no such family, or a file cannot be written.
    """
    if name not in FAMILIES:
        raise unknown("family", name, tuple(FAMILIES))
    if not 1 <= count <= MAX_COUNT:
        raise KTError(f"a family has 1 to {MAX_COUNT} instances, not {count}")
    require_proof_directory(directory)
    folder = Path(directory)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    rows = [_written(instance, folder, limits) for instance in islice(FAMILIES[name](), count)]
    table = io.StringIO()
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_atomic(folder / TABLE, table.getvalue())
    return rows


def _written(instance: FamilyInstance, folder: Path, limits: Limits) -> dict[str, object]:
    """Write an instance, and return its row."""
    limits.check()
    problem, answer, known_by = _known(instance, limits)
    text = FORMATS[SUFFIX](problem, "")
    path = folder / f"{instance.name}{SUFFIX}"
    write_atomic(path, text)
    write_atomic(folder / f"{path.name}{MAP}", map_text(problem, default_encoding(), SUFFIX, text))
    size = model_size(text, SUFFIX)
    return {
        "file": path.name, "kind": instance.kind, "grade": instance.grade,
        "problem": description(problem, False),
        "answer": answer, "known_by": known_by, "variables": size.variables, "clauses": size.constraints,
    }  # fmt: skip


def _known(instance: FamilyInstance, limits: Limits) -> tuple[Problem, str, str]:
    """The problem of an instance, whether it is satisfiable, and how that is known."""
    limits = limits.within(SOLVING_SECONDS) if limits.seconds is None else limits
    if instance.at_most is None:
        problem = problem_from(instance.board)
        result = solve(problem, hint="best", limits=limits)
        words = {"feasible": "satisfiable", "infeasible": "unsatisfiable"}
        return problem, words.get(result.status, "unknown"), result.reason or result.known_by
    least = best(problem_from(instance.board, minimize="turns"), limits=limits).result
    if least.value is None:
        raise KTError(f"{instance.board}: no tour is known for the family")
    problem = problem_from(instance.board, at_most={"turns": int(least.value) + instance.at_most})
    if instance.at_most == 0:
        return problem, "satisfiable", f"a tour with {least.value} turns"
    known = least.status == "optimal"
    return problem, "unsatisfiable" if known else "unknown", least.known_by if known else f"bound {least.bound}"
