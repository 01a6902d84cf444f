"""The proofs of a run's cubes, joined to one proof folder that other LRAT checkers can read (docs/theory/proofs.md).

All cubes begin from one formula. Suppose a clause follows by unit propagation from this formula and the decisions of a
cube. Then the clause together with the negated decisions follows from the formula alone, by the same hints without
those to the decisions. So each cube ends in the clause "not these decisions". The clauses of two cubes that differ in
their last decision give the clause of the cube that they are halves of, and so on down to the empty clause. The
cut-sets of all cubes belong to the formula.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import IO

from encoders.enumeration.refute import Base, refute
from encoders.proof.prove import manifest_of, write_formula
from kt_models.errors import KTError
from kt_models.kernel.certificates.proofs.dimacs import ProofStep, digest_of
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from kt_models.limits import NO_LIMITS
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.cube_proof import holds_steps, sets_of, steps_of
from kt_models.runs.cubes import Cube, Decision
from kt_models.runs.folder import DONE, proof_path, read_task
from kt_models.runs.ledger import Ledger
from kt_models.writing import whole_file, write_atomic, write_json, writing


def join_proofs(folder: str | os.PathLike[str], directory: str | os.PathLike[str]) -> None:
    """Write the proofs of a complete run as one.

    A cube that was closed by a certificate is refuted once more, by clauses.

    Raises
    ------
    KTError
        If the run proves nothing, is not complete or has no proofs, or a file cannot be read or written.
    """
    task = read_task(folder)
    if not isinstance(task, BoundTask) or not task.proving:
        raise KTError(f"{folder}: its cubes have no proofs")
    with Ledger.read(folder) as ledger:
        cubes = [Cube.parse(name) for name in ledger.cubes()]
        proofs = {record.cube: record.proof for record in ledger.records(DONE) if not record.count}
    for cube in cubes:
        if cube.name not in proofs:
            raise KTError(f"{folder}: cube {cube.name} is not refuted; the run must be complete")
    base, target = Base(task), Path(directory)
    if digest_of(Path(folder) / FORMULA) != base.digest:
        raise KTError(f"{Path(folder) / FORMULA}: it was written by another version")
    with writing(target), tempfile.TemporaryDirectory() as scratch:
        target.mkdir(exist_ok=True)
        paths, sets = [], []
        for number, cube in enumerate(cubes):
            path = proof_path(folder, proofs[cube.name])
            if not holds_steps(path):  # The cube was closed by a certificate.
                path = Path(scratch) / str(number)
                write_atomic(path, refute(base, cube, NO_LIMITS, relaxed=False)["proof"])
            paths.append(path)
            sets.append(list(map(tuple, sets_of(path))))
        formula = base.formula
        first = len(formula.clauses)
        place = {vertices: first + i for i, vertices in enumerate(dict.fromkeys(chain.from_iterable(sets)), start=1)}
        formula.add_cut_sets([list(vertices) for vertices in place])
        write_formula(formula.top, formula.clauses, target / FORMULA)
        with whole_file(target / PROOF) as stream:
            out = io.TextIOWrapper(stream, "ascii", newline="\n")
            joined = _Joined(formula.edge, first, len(formula.clauses), out)
            for cube, path, needed in zip(cubes, paths, sets, strict=True):
                joined.add(cube, [place[vertices] for vertices in needed], steps_of(path))
            out.detach()
        digests = {name: digest_of(target / name) for name in (FORMULA, PROOF)}
        manifest = manifest_of(formula, task.at_most, digests, f"{len(cubes)} cubes")
        write_json(target / MANIFEST, manifest.to_json())


class _Joined:
    """A proof that grows by one cube at a time, in the order of their names.

    Parameters
    ----------
    edge
        The variable of each edge.
    shared
        Number of clauses that all cubes share.
    clauses
        Number of clauses of the formula.
    """

    def __init__(self, edge: Sequence[int], shared: int, clauses: int, out: IO[str]) -> None:
        self._edge, self._shared, self._last, self._out = edge, shared, clauses, out
        self._refuted: list[tuple[tuple[Decision, ...], int]] = []

    def add(self, cube: Cube, sets: Sequence[int], steps: Iterable[ProofStep]) -> None:
        """Add the proof of a cube, and the clauses that follow from it and earlier ones.

        Parameters
        ----------
        sets
            The numbers of the cube's cut-set clauses in the formula.
        """
        denied = self._denied(cube.decisions)
        # 0 stands for a decision, whose hint is dropped.
        numbers = [*range(1, self._shared + 1), *[0] * len(cube.decisions), *sets]
        name = dict(enumerate(numbers, start=1))
        remaining: dict[int, None] = {}
        for number, clause, hints in steps:
            if clause is None:
                gone = [name[hint] for hint in hints if hint > len(numbers)]
                self._delete(gone)
                for hint in gone:
                    del remaining[hint]
                continue
            name[number] = self._write(sorted({*clause, *denied}), [name[hint] for hint in hints if name[hint]])
            remaining[name[number]] = None
            if not clause:
                break
        remaining.pop(self._last)
        if denied:  # An empty clause ends the proof.
            self._delete(remaining)
        self._refuted.append((cube.decisions, self._last))
        while len(self._refuted) > 1 and self._siblings(self._refuted[-2][0], self._refuted[-1][0]):
            (decisions, first), (_, second) = self._refuted[-2:]
            number = self._write(self._denied(decisions[:-1]), [first, second])
            self._refuted[-2:] = [(decisions[:-1], number)]

    @staticmethod
    def _siblings(first: tuple[Decision, ...], second: tuple[Decision, ...]) -> bool:
        return bool(first and second) and first[:-1] == second[:-1] and first[-1][0] == second[-1][0]

    def _denied(self, decisions: Iterable[Decision]) -> list[int]:
        return sorted({-self._edge[edge] if made else self._edge[edge] for edge, made in decisions})

    def _write(self, clause: Sequence[int], hints: Sequence[int]) -> int:
        self._last += 1
        self._out.write(" ".join(map(str, (self._last, *clause, 0, *hints, 0))) + "\n")
        return self._last

    def _delete(self, numbers: Iterable[int]) -> None:
        if numbers:
            self._out.write(" ".join(map(str, (self._last, "d", *numbers, 0))) + "\n")
