"""The proofs of a run's cubes as one proof folder, which `drat-trim` reads as well (docs/theory/proofs.md).

All cubes begin from one formula.  If a clause follows by unit propagation from that and the decisions of a cube, then
with the decisions negated in it, it follows from the formula alone.  So each cube ends in the clause "not these
decisions"; from those of two cubes that differ in their last decision follows that of what they are parts of, and so on
down to the empty clause.  The cut-sets of all cubes belong to the formula.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from encoders.enumeration.refute import Base, refute
from encoders.proof.folder import manifest_of, write_formula
from kt_models.certificates.proofs.dimacs import ProofStep, digest_of
from kt_models.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS
from kt_models.runs.bounds import BoundTask
from kt_models.runs.cube_proof import sets_of, steps_of
from kt_models.runs.cubes import Cube, Decision
from kt_models.runs.folder import DONE, proof_path, read_task
from kt_models.runs.ledger import Ledger
from kt_models.storage import whole_file, write_atomic, writing


def join_proofs(folder: str | os.PathLike[str], directory: str | os.PathLike[str]) -> None:
    """Write the proofs of a complete run as one.

    A cube that a certificate closed is refuted once more, by clauses.

    Raises
    ------
    KTError
        If the run shows nothing, is not complete or comes without proofs, or a file cannot be read or written.
    """
    task = read_task(folder)
    if not isinstance(task, BoundTask) or not task.proving:
        raise KTError(f"{folder}: its cubes come without proofs")
    with Ledger.read(folder) as ledger:
        cubes = [Cube.parse(name) for name in ledger.cubes()]
        proofs = {record.cube: record.proof for record in ledger.records(DONE) if not record.count}
    for cube in cubes:
        if cube.name not in proofs:
            raise KTError(f"{folder}: cube {cube.name} is not refuted; a run has to be complete")
    base, target = Base(task), Path(directory)
    if digest_of(Path(folder) / FORMULA) != base.digest:
        raise KTError(f"{Path(folder) / FORMULA}: it was written by another version")
    with writing(target):
        target.mkdir(exist_ok=True)
        with whole_file(target / PROOF) as stream, tempfile.TemporaryDirectory() as scratch:
            out = io.TextIOWrapper(stream, "ascii", newline="\n")
            joined = _Joined(base, out)
            for cube in cubes:
                path = proof_path(folder, proofs[cube.name])
                if (sets := sets_of(path)) is None:
                    path = Path(scratch) / PROOF
                    write_atomic(path, refute(base, cube, NO_LIMITS, relaxed=False)["proof"], force=True)
                    sets = sets_of(path) or []
                joined.add(cube, sets, steps_of(path))
            out.detach()
        formula = base.formula
        formula.add_cut_sets(list(joined.sets))
        write_formula(formula.top, formula.clauses, target / FORMULA)
        digests = {name: digest_of(target / name) for name in (FORMULA, PROOF)}
        manifest = manifest_of(formula, task.at_most, digests, f"{len(cubes)} cubes")
        write_atomic(target / MANIFEST, json.dumps(manifest.to_json()) + "\n")


class _Joined:
    """A proof that grows by a cube at a time, in the order of their names."""

    def __init__(self, base: Base, out: IO[str]) -> None:
        self._edge, self._out = base.formula.edge, out
        self.sets: dict[tuple[int, ...], None] = {}
        self._refuted: list[tuple[Decision, ...]] = []

    def add(self, cube: Cube, sets: list[list[int]], steps: Iterable[ProofStep]) -> None:
        """Add the proof of a cube, and what follows from it and those before."""
        self.sets |= dict.fromkeys(map(tuple, sets))
        denied = self._denied(cube.decisions)
        own: Counter[tuple[int, ...]] = Counter()
        for deletes, literals in steps:
            clause = tuple(sorted({*literals, *denied}))
            if deletes and own[clause]:
                own[clause] -= 1
                self._write(clause, deletes)
            elif not deletes and literals and not any(-x in clause for x in clause):
                own[clause] += 1
                self._write(clause)
        self._conclude(denied, own.elements())
        self._refuted.append(cube.decisions)
        while len(self._refuted) > 1 and self._siblings(*self._refuted[-2:]):
            parts = self._refuted[-2:]
            self._refuted[-2:] = [parts[0][:-1]]
            self._conclude(self._denied(parts[0][:-1]), map(self._denied, parts))

    def _conclude(self, clause: tuple[int, ...], rest: Iterable[tuple[int, ...]]) -> None:
        """Write a clause, and delete what it came of, unless it is the empty one and the end."""
        self._write(clause)
        for other in rest if clause else ():
            self._write(other, deletes=True)

    @staticmethod
    def _siblings(first: tuple[Decision, ...], second: tuple[Decision, ...]) -> bool:
        return bool(first and second) and first[:-1] == second[:-1] and first[-1][0] == second[-1][0]

    def _denied(self, decisions: Iterable[Decision]) -> tuple[int, ...]:
        return tuple(sorted({-self._edge[edge] if made else self._edge[edge] for edge, made in decisions}))

    def _write(self, clause: tuple[int, ...], deletes: bool = False) -> None:
        self._out.write(f"{'d ' if deletes else ''}{' '.join(map(str, (*clause, 0)))}\n")
