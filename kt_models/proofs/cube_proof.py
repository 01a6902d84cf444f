"""Proofs of cubes: that a part of a problem has no solution, or none below a bound.

All cubes of a run share one formula, which says what every solution of the whole problem (of a value below the bound)
satisfies: `formula.cnf`, with `manifest.json`, which explains each clause as in a proof folder (docs/proofs.md).  The
formula of a cube is that one, a unit clause for each decision, and a clause for each of some cut-sets.  A cube's proof
is one file, compressed with gzip and named by its digest.  It is either

- text: `c {"version": 1, "kind": "cube-proof", "cube": "+12-15"}`, a line `c cut-set 3 7 8` for each cut-set, by its
  vertices, and then the steps of a DRAT proof from the formula of the cube to the empty clause; or
- a certificate (`kt_models.certificates`) of the problem that the cube is, as JSON.

`CubeProofs` believes nothing that these files say.
"""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zlib
from collections import Counter as Multiset
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from kt_models.certificates import Certificate, Statement, check
from kt_models.errors import CertificateError, KTError, TooLarge, named
from kt_models.problem import Problem
from kt_models.proofs import MORE_VARIABLES
from kt_models.proofs.dimacs import digest_of, proof_steps, read_formula
from kt_models.proofs.drat import Clock, Engine, replay
from kt_models.proofs.manifest import FORMULA, PROOF, Group, Manifest
from kt_models.proofs.meaning import Meaning
from kt_models.runs.cubes import Cube

VERSION, KIND, CUT_SET = 1, "cube-proof", "c cut-set "
MAX_PROOF_BYTES = 4_000_000_000
"""Of a proof when it is not compressed."""
MAX_CERTIFICATE_BYTES = 400_000_000
BLOCK = 1 << 20


class CubeProofs:
    """Checks the proofs of cubes of one problem.

    Parameters
    ----------
    folder
        Holds `formula.cnf` and `manifest.json`; both are checked here, once for all cubes.
    problem, bound
        The claim; with bound None that there is no solution.
    engine
        As for `check_folder`.

    Raises
    ------
    CertificateError
        If the formula says more than follows from the claim's denial, or is about something else.
    KTError
        If it cannot be read.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        problem: Problem,
        bound: int | None,
        engine: Engine = "auto",
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.problem, self.bound, self._engine, self._clock = problem, bound, engine, Clock(None, None, say)
        path = Path(folder)
        manifest = Manifest.read(path)
        if manifest.problem.to_json() != problem.to_json() or manifest.bound != bound:
            raise CertificateError(f"{folder}: the formula is about another claim than the run")
        if digest_of(path / FORMULA) != manifest.digests[FORMULA] or manifest.digests[PROOF]:
            raise CertificateError(f"{path / FORMULA}: not the file that the manifest was written for")
        self._top, self._clauses = read_formula(path / FORMULA)
        meaning = Meaning(manifest)
        self.explained = meaning.check(manifest.groups, self._clauses)
        self._top = max(self._top, meaning.top)
        self.checked: Multiset[str] = Multiset()
        self.steps = 0

    def check(self, path: Path, digest: str, cube: Cube) -> None:
        """Check the proof of a cube.

        Raises
        ------
        CertificateError
            If it is not there, is not the one with this digest, or does not show that the cube has no solution.
        KTError
            If it cannot be read.
        """
        if not path.is_file():
            raise CertificateError(f"cube {cube.name}: its proof {path.name} is missing")
        if digest_of(path) != digest:
            raise CertificateError(f"cube {cube.name}: its proof {path.name} is not the one it was done with")
        part = cube.of(self.problem)
        try:
            with tempfile.TemporaryDirectory() as scratch:
                plain = Path(scratch) / PROOF
                _expand(path, plain)
                with open(plain, "rb") as stream:
                    certified = stream.read(1) == b"{"
                if certified:
                    self._check_certificate(plain, part)
                else:
                    self._check_steps(plain, cube, part)
        except KTError as error:
            raise named(f"proof of cube {cube.name}", error) from None

    @property
    def summary(self) -> str:
        """What was checked: `510 DRAT proofs of 123,456 steps, 2 certificates (relaxation)`."""
        drat = self.checked.get("DRAT", 0)
        words = [f"{drat:,} DRAT proofs of {self.steps:,} steps"] if drat else []
        words += [f"{n:,} certificates ({method})" for method, n in sorted(self.checked.items()) if method != "DRAT"]
        return ", ".join(words) or "none"

    def _check_certificate(self, plain: Path, part: Problem) -> None:
        if plain.stat().st_size > MAX_CERTIFICATE_BYTES:
            raise TooLarge(f"a certificate of over {MAX_CERTIFICATE_BYTES:,} bytes")
        try:
            data = json.loads(plain.read_bytes())
        except (ValueError, RecursionError):
            raise CertificateError("the certificate is not valid JSON") from None
        certificate = Certificate.from_json(data)
        claim = Statement(part, "infeasible") if self.bound is None else Statement(part, "at-least", self.bound)
        if not certificate.statement.implies(claim):
            raise CertificateError(
                f"the certificate shows something else than the cube claims: {certificate.statement}"
            )
        check(certificate)
        self.checked[certificate.method] += 1

    def _check_steps(self, plain: Path, cube: Cube, part: Problem) -> None:
        header, sets = _head(plain)
        if header != {"version": VERSION, "kind": KIND, "cube": cube.name}:
            raise CertificateError("it is not a proof of this cube")
        made = [edge for edge, made in cube.decisions if made]
        left = [edge for edge, made in cube.decisions if not made]
        groups = (
            Group("required", len(made)),
            Group("forbidden", len(left)),
            Group("cut-set", len(sets), {"sets": sets}),
        )
        meaning = Meaning(Manifest(part, None, {}, (), (), groups))
        ends = part.graph.ends.tolist()
        clauses = [[meaning.edge[edge]] for edge in made] + [[-meaning.edge[edge]] for edge in left]
        for vertices in sets:
            inside = set(vertices)
            clauses.append(sorted({meaning.edge[e] for e, (u, v) in enumerate(ends) if (u in inside) != (v in inside)}))
        meaning.check(groups, clauses)
        done = replay(
            self._top,
            [*self._clauses, *clauses],
            lambda: proof_steps(plain, self._top + MORE_VARIABLES),
            self._engine,
            self._clock,
        )
        self.checked["DRAT"] += 1
        self.steps += done.steps


def packed(text: bytes) -> bytes:
    """The content of a proof's file: always the same for the same text."""
    return gzip.compress(text, 6, mtime=0)


def head_of(cube: Cube, sets: list[list[int]]) -> str:
    """The lines that a DRAT proof of a cube begins with."""
    header = json.dumps({"version": VERSION, "kind": KIND, "cube": cube.name})
    return "".join(f"{line}\n" for line in [f"c {header}", *(CUT_SET + " ".join(map(str, one)) for one in sets)])


def formula_digest(text: str) -> str:
    """What a manifest has of a formula."""
    return sha256(text.encode()).hexdigest()


def _head(plain: Path) -> tuple[Any, list[list[int]]]:
    """The first line's JSON, and the cut-sets of those that follow."""
    sets: list[list[int]] = []
    try:
        with open(plain, encoding="ascii") as stream:
            header = json.loads(stream.readline(BLOCK).removeprefix("c "))
            while (line := stream.readline(BLOCK)).startswith(CUT_SET):
                sets.append([int(word) for word in line.removeprefix(CUT_SET).split()])
    except (ValueError, RecursionError):
        raise CertificateError("its first lines cannot be read") from None
    return header, sets


def _expand(path: Path, plain: Path) -> None:
    """Decompress a file, up to a limit."""
    size = 0
    try:
        with gzip.open(path, "rb") as source, open(plain, "wb") as target:
            while block := source.read(BLOCK):
                size += len(block)
                if size > MAX_PROOF_BYTES:
                    raise TooLarge(f"{path}: a proof of over {MAX_PROOF_BYTES:,} bytes")
                target.write(block)
    except (OSError, EOFError, zlib.error) as error:
        raise CertificateError(f"{path.name} cannot be read: {error}") from None
