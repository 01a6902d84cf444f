"""Proofs that a cube has no tour below a bound; or a tour of the cube that refutes the bound.

First the relaxation of the cube is solved, if it may be strong enough: its certificate is short and quickly checked.
Otherwise a solver that logs its proof collects cut-sets until the clauses have no model, as `encoders.proof` does for
whole problems. All cubes of a run begin from one formula (`kt_models.runs.cube_proof`), which a process makes once. A
process also remembers the cut-sets of recent proofs and starts the next cube with them.
"""

from __future__ import annotations

import json
import tempfile
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any

from encoders.proof.formula import ProofFormula
from encoders.proof.log import PROVER
from encoders.proof.prove import Refuted, formula_text, manifest_of, write_proof
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.kernel.certificates import Checked
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from kt_models.limits import Limits
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.cube_proof import formula_digest, head_of, packed
from kt_models.runs.cubes import Cube
from kt_models.runs.kinds import task_of_json

MAX_REMEMBERED = 40
"""Most cut-sets that a cube starts with because other cubes needed them: they save searches, and add clauses."""
RELAXED_SECONDS = 60.0


class Base:
    """The common base of all cubes of a run."""

    def __init__(self, task: BoundTask) -> None:
        self.task = task
        self.formula = ProofFormula(task.problem, task.at_most)
        self.text = formula_text(self.formula.top, self.formula.clauses)
        self.digest = formula_digest(self.text)
        self.sets: dict[tuple[int, ...], None] = {}  # Cut-sets that earlier proofs needed, the latest last.

    def files(self) -> dict[str, str]:
        """The files of a run whose cubes have proofs."""
        manifest = manifest_of(self.formula, self.task.at_most, {FORMULA: self.digest, PROOF: ""}, "")
        return {FORMULA: self.text, MANIFEST: json.dumps(manifest.to_json()) + "\n"}

    def remember(self, sets: list[list[int]]) -> None:
        for cut_set in map(tuple, sets):
            self.sets.pop(cut_set, None)
            self.sets[cut_set] = None
        while len(self.sets) > MAX_REMEMBERED:
            del self.sets[next(iter(self.sets))]


@lru_cache(maxsize=2)
def base_of(task_text: str) -> Base:
    """The base of a task, made once in a process."""
    task = task_of_json(json.loads(task_text))
    assert isinstance(task, BoundTask)
    return Base(task)


def refute(base: Base, cube: Cube, limits: Limits, *, relaxed: bool = True) -> dict[str, Any]:
    """Refute a cube, by a certificate of its relaxation if requested and strong enough.

    Returns
    -------
    dict
        `engine` and `count`; `proof`, the content of its file, if the task needs one; `solutions` if a tour refutes the
        claim (see `job`).

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    task = base.task
    if relaxed and task.proving and (certificate := _relaxed(task, cube, limits)) is not None:
        text = json.dumps(certificate.to_json()).encode()
        return {"engine": certificate.method, "count": 0, "proof": packed(text), "formula": base.digest}
    formula = copy(base.formula)
    formula.clauses = [*base.formula.clauses, *_units(base, cube)]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / PROOF
        try:
            sets = write_proof(formula, path, list(base.sets), limits)
        except Refuted as error:
            tour = task.solution(error.edges)
            return {"engine": "sat", "count": 1, "solutions": [(task.key(tour), sorted(tour.edges.tolist()))]}
        base.remember(sets)
        if not task.proving:
            return {"engine": "sat", "count": 0}
        text = head_of(cube, sets).encode() + path.read_bytes()
    return {"engine": PROVER, "count": 0, "proof": packed(text), "formula": base.digest}


def _units(base: Base, cube: Cube) -> list[list[int]]:
    edge = base.formula.edge
    return [[edge[e]] for e, made in cube.decisions if made] + [[-edge[e]] for e, made in cube.decisions if not made]


def _relaxed(task: BoundTask, cube: Cube, limits: Limits) -> Checked | None:
    """A certificate from the linear relaxation, if it is strong enough."""
    from encoders.lp.relaxation import make

    # The relaxation of crossings is too weak (docs/theory/crossing-bounds.md).
    if not task.problem.counts_at_vertices or task.at_least is None:
        return None
    problem = cube.of(task.problem)
    try:
        data = make(problem, limits=limits.within(RELAXED_SECONDS), cuts=False)
        certificate = None if data is None else Checked.of_bound("tree", problem, data)
    except (CertificateError, KTError, TooLarge):
        return None
    if certificate is None or certificate.cost_bound is None or certificate.cost_bound < task.at_least:
        return None
    return certificate.claiming(task.at_least)
