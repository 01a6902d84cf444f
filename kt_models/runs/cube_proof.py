"""Proofs of cubes: part of a problem has no solution, or none below a bound.

All cubes of a run share one formula, which says what every solution of the whole problem (of a value below the bound)
satisfies: `formula.cnf`, with `manifest.json`, which explains each clause as in a proof folder (docs/theory/proofs.md).
The formula of a cube is that one, a unit clause for each decision, and a clause for each of some cut-sets. A cube's
proof is one file, compressed with gzip and named by its digest. It is either

- text: `c {"version": 2, "kind": "cube-proof", "cube": "+12-15", "proof": "lrat"}`, a line `c cut-set 3 7 8` for each
  cut-set, by its vertices, and then the steps of an LRAT proof from the formula of the cube to the empty clause; or
- a certificate (`kt_models.kernel.certificates`) of the problem that the cube is, as JSON.

`CubeProofs` trusts nothing in these files.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections import Counter as Multiset
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from kt_models.errors import CertificateError, TooLarge, about
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.certificates.certificate import Certificate
from kt_models.kernel.certificates.proofs.dimacs import ProofStep, digest_of, open_file, proof_steps, read_formula
from kt_models.kernel.certificates.proofs.lrat import replay
from kt_models.kernel.certificates.proofs.manifest import FORMULA, PROOF, Group, Manifest
from kt_models.kernel.certificates.proofs.meaning import Meaning
from kt_models.kernel.certificates.statement import Statement
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.runs.cubes import Cube
from kt_models.storage import parse_json

KIND, FORMAT, CUT_SET = "cube-proof", "lrat", b"c cut-set "
MAX_PROOF_BYTES = 4_000_000_000
"""Most bytes of an expanded proof; it is read while it expands, and is never held whole."""
MAX_CERTIFICATE_BYTES = 400_000_000
MAX_RATIO = 40
"""Most expansion of a proof's file: honest proofs expand 3 to 6 times, compression bombs a thousand times."""
EXTRA_BYTES = 1_000_000
"""Bytes of expansion allowed beyond that ratio, for small files."""
BLOCK = 1 << 20
MAX_SETS = 10_000
"""Most cut-sets of a proof; each of them is compared with all edges."""


class CubeProofs:
    """Checks the proofs of cubes of one problem.

    Parameters
    ----------
    folder
        Holds `formula.cnf` and `manifest.json`; both are checked here, once for all cubes.
    statement
        The claim: that there is no solution, or none below a bound.
    limits
        Limits on the time for all proofs together, and on the memory for clauses.

    Raises
    ------
    CertificateError
        If the formula has a clause that does not follow from the negated claim, or is about something else.
    Stopped
        If a limit is reached.
    KTError
        If a file cannot be read.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        statement: Statement,
        limits: Limits = NO_LIMITS,
    ) -> None:
        self.statement, self._limits = statement, limits
        path = Path(folder)
        manifest = Manifest.read(path)
        if manifest.statement != statement:
            raise CertificateError(f"{folder}: the formula and the run have different claims: {manifest.statement}")
        # The folder of a run has no proof of its own: each cube brings one
        if digest_of(path / FORMULA, limits) != manifest.digests[FORMULA] or manifest.digests[PROOF]:
            raise CertificateError(f"{path / FORMULA}: not the file that the manifest was written for")
        self._clauses = read_formula(path / FORMULA, limits)
        self.explained = Meaning(manifest).check(manifest.groups, self._clauses, limits)
        self.checked: Multiset[str] = Multiset()
        self.steps = 0

    def check(self, path: Path, digest: str, cube: Cube) -> None:
        """Check the proof of a cube.

        Raises
        ------
        CertificateError
            If the proof is missing, has another digest, or does not show that the cube has no solution.
        Stopped
            If a limit is reached.
        KTError
            If a file cannot be read.
        """
        if not path.is_file():
            raise CertificateError(f"cube {cube.name}: its proof {path.name} is missing")
        if digest_of(path, self._limits) != digest:
            raise CertificateError(f"cube {cube.name}: its proof {path.name} is not the one it was done with")
        part = cube.of(self.statement.problem)
        with about(f"proof of cube {cube.name}"):
            try:
                with _expanded(path) as stream:
                    # Proofs begin with a comment line, certificates with a JSON object
                    certified = stream.read(1) == b"{"
                if certified:
                    self._check_certificate(path, Statement(part, self.statement.kind, self.statement.value))
                else:
                    self._check_steps(path, cube, part)
            except (OSError, EOFError, zlib.error) as error:
                raise CertificateError(f"{path.name} cannot be read: {error}") from None

    @property
    def summary(self) -> str:
        """The checked proofs in words: `510 LRAT proofs of 123,456 steps, 2 certificates (relaxation)`."""
        proofs = self.checked.get("LRAT", 0)
        words = [f"{proofs:,} LRAT proofs of {self.steps:,} steps"] if proofs else []
        words += [f"{n:,} certificates ({method})" for method, n in sorted(self.checked.items()) if method != "LRAT"]
        return ", ".join(words) or "none"

    def _check_certificate(self, path: Path, claim: Statement) -> None:
        with _expanded(path) as stream:
            text = stream.read(MAX_CERTIFICATE_BYTES + 1)
        if len(text) > MAX_CERTIFICATE_BYTES:
            raise TooLarge(f"a certificate of over {MAX_CERTIFICATE_BYTES:,} bytes")
        try:
            certificate = Certificate.from_json(parse_json(text.decode()))
        except UnicodeDecodeError:
            raise CertificateError("the certificate is not a text") from None
        # A certificate may show more than the cube needs
        if not certificate.statement.implies(claim):
            raise CertificateError(f"the certificate is about another statement: {certificate.statement}")
        certificate.check(self._limits)
        self.checked[certificate.method] += 1

    def _check_steps(self, path: Path, cube: Cube, part: Problem) -> None:
        with _expanded(path) as stream:
            header, sets = _head(stream)
        header = read_document(header, KIND) if isinstance(header, dict) and header.get("kind") == KIND else None
        if header != _header(cube):
            raise CertificateError("it is not a proof of this cube")
        required = [edge for edge, made in cube.decisions if made]
        forbidden = [edge for edge, made in cube.decisions if not made]
        # The decisions of the cube and its cut-sets become clauses whose meaning is checked like those of the formula
        groups = (
            Group("required", len(required)),
            Group("forbidden", len(forbidden)),
            Group("cut-set", len(sets), {"sets": sets}),
        )
        meaning = Meaning(Manifest(part, None, {}, (), (), groups))
        ends = part.graph.ends.tolist()
        clauses = [[meaning.edge[edge]] for edge in required] + [[-meaning.edge[edge]] for edge in forbidden]
        for vertices in sets:
            self._limits.check()
            inside = set(vertices)
            # A connected solution uses an edge that leaves the set
            clauses.append(sorted({meaning.edge[e] for e, (u, v) in enumerate(ends) if (u in inside) != (v in inside)}))
        meaning.check(groups, clauses, self._limits)
        with _expanded(path) as stream:
            self.steps += replay([*self._clauses, *clauses], proof_steps(stream, path, self._limits), self._limits)
        self.checked["LRAT"] += 1


def holds_steps(path: Path) -> bool:
    """Whether the proof of a cube is an LRAT proof, and not a certificate."""
    with about(path.name), _expanded(path) as stream:
        if stream.read(1) == b"{":
            return False
        stream.seek(0)
        header = _head(stream)[0]
    return isinstance(header, dict) and header.get("proof") == FORMAT


def sets_of(path: Path) -> list[list[int]]:
    """Cut-sets of an LRAT proof of a cube."""
    with about(path.name), _expanded(path) as stream:
        return _head(stream)[1]


def steps_of(path: Path, limits: Limits = NO_LIMITS) -> Iterator[ProofStep]:
    """Steps of an LRAT proof of a cube."""
    with about(path.name), _expanded(path) as stream:
        yield from proof_steps(stream, path, limits)


def packed(text: bytes) -> bytes:
    """Content of a proof's file, which depends on the text alone."""
    # Without the time equal proofs have equal digests; 6 is the default of gzip
    return gzip.compress(text, 6, mtime=0)


def head_of(cube: Cube, sets: list[list[int]]) -> str:
    """First lines of an LRAT proof of a cube."""
    rows = [f"c {json.dumps(_header(cube))}", *(CUT_SET.decode() + " ".join(map(str, vertices)) for vertices in sets)]
    return "".join(f"{row}\n" for row in rows)


def _header(cube: Cube) -> dict[str, Any]:
    return {"version": FORMAT_VERSION, "kind": KIND, "cube": cube.name, "proof": FORMAT}


def formula_digest(text: str) -> str:
    """The part of a manifest that describes a formula."""
    return sha256(text.encode()).hexdigest()


def _head(stream: BinaryIO) -> tuple[Any, list[list[int]]]:
    """JSON of the first line, and the cut-sets in the lines that follow."""
    sets: list[list[int]] = []
    try:
        header = parse_json(stream.readline(BLOCK).decode("ascii").removeprefix("c "))
        # A bounded read: a file without line ends must not fill the memory
        while (line := stream.readline(BLOCK)).startswith(CUT_SET):
            sets.append([int(word) for word in line.removeprefix(CUT_SET).split()])
            if len(sets) > MAX_SETS:
                raise TooLarge(f"over {MAX_SETS:,} cut-sets")
    except (ValueError, RecursionError):
        raise CertificateError("its first lines cannot be read") from None
    return header, sets


class _Expansion(io.RawIOBase):
    """Expanded content of a gzip file, read only up to a size that is plausible for the file."""

    def __init__(self, packed: BinaryIO) -> None:
        self._packed = packed
        self._gzip = gzip.GzipFile(fileobj=self._packed)
        # A small file may expand to terabytes, so the size of the file bounds the expansion
        self._size, self._most = (
            0,
            min(MAX_PROOF_BYTES, EXTRA_BYTES + MAX_RATIO * os.fstat(self._packed.fileno()).st_size),
        )

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._size = self._gzip.seek(offset, whence)
        return self._size

    def readinto(self, buffer: Any) -> int:
        data = self._gzip.read(len(buffer))
        self._size += len(data)
        if self._size > self._most:
            raise TooLarge(f"it expands to over {self._most:,} bytes, more than a proof in such a file")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._gzip.close()
        self._packed.close()
        super().close()


def _expanded(path: Path) -> BinaryIO:
    """Content of a gzip file, expanded while it is read."""
    return io.BufferedReader(_Expansion(open_file(path)), BLOCK)
