"""Reading DIMACS CNF and text DRAT files, strictly: what one reader skips, another might not."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from kt_models.errors import KTError, TooLarge
from kt_models.proofs.manifest import MAX_NUMBER

MAX_FORMULA_BYTES = 400_000_000
MAX_PROOF_BYTES = 20_000_000_000
BLOCK = 1 << 20


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    sha = hashlib.sha256()
    try:
        with open(path, "rb") as stream:
            while block := stream.read(BLOCK):
                sha.update(block)
    except OSError as error:
        raise KTError(f"{path}: cannot read: {(error.strerror or str(error)).lower()}") from None
    return sha.hexdigest()


def read_formula(path: Path) -> tuple[int, list[list[int]]]:
    """The number of variables and the clauses of a DIMACS CNF file; its header has to be true.

    Raises
    ------
    KTError
        If the file cannot be read, or is not DIMACS CNF.
    """
    header: tuple[int, int] | None = None
    clauses: list[list[int]] = []
    clause: list[int] = []
    for number, words in _lines(path, MAX_FORMULA_BYTES):
        if words[0] == b"p":
            if header is not None or len(words) != 4 or words[1] != b"cnf":
                raise KTError(f"{path}: line {number}: not a header 'p cnf VARIABLES CLAUSES', or a second one")
            header = _integer(path, number, words[2]), _integer(path, number, words[3])
            continue
        if header is None:
            raise KTError(f"{path}: line {number}: a clause stands before the header")
        for word in words:
            literal = _integer(path, number, word)
            if literal == 0:
                clauses.append(clause)
                clause = []
            elif abs(literal) > header[0]:
                raise KTError(f"{path}: line {number}: variable {abs(literal)}, but the header says {header[0]}")
            else:
                clause.append(literal)
    if header is None or clause or header[1] != len(clauses):
        raise KTError(f"{path}: it has {len(clauses):,} whole clauses, which is not what its header says")
    return header[0], clauses


def proof_steps(path: Path, top: int) -> Iterator[tuple[bool, tuple[int, ...]]]:
    """The steps of a text DRAT file, one after the other: whether it deletes, and the clause.

    Literals are encoded as dratify has them: 2(v - 1), and one more if negative.  Variables up to `top` may occur.
    Each step stands on a line of its own, as solvers write it.
    """
    known: dict[bytes, int] = {}
    for number, words in _lines(path, MAX_PROOF_BYTES):
        deletes = words[0] == b"d"
        if words[-1] != b"0":
            raise KTError(f"{path}: line {number}: a step does not end in 0 (a proof in binary has to be made text)")
        literals = []
        for word in words[1:-1] if deletes else words[:-1]:
            literal = known.get(word)
            if literal is None:
                value = _integer(path, number, word)
                if not 1 <= abs(value) <= top:
                    raise KTError(f"{path}: line {number}: literal {value}, but there are {top} variables")
                literal = known[word] = 2 * (abs(value) - 1) + (value < 0)
            literals.append(literal)
        yield deletes, tuple(dict.fromkeys(literals))


def _lines(path: Path, limit: int) -> Iterator[tuple[int, list[bytes]]]:
    """Number and words of each line that is neither empty nor a comment."""
    try:
        with open(path, "rb") as stream:
            if os.fstat(stream.fileno()).st_size > limit:
                raise TooLarge(f"{path}: larger than {limit:,} bytes, the most that is read")
            number = 0
            while line := stream.readline(BLOCK):
                number += 1
                if len(line) == BLOCK:
                    raise KTError(f"{path}: line {number}: longer than {BLOCK:,} bytes")
                words = line.split()
                if words and words[0] != b"c":
                    yield number, words
    except OSError as error:
        raise KTError(f"{path}: cannot read: {(error.strerror or str(error)).lower()}") from None


def _integer(path: Path, number: int, word: bytes) -> int:
    digits = word[1:] if word[:1] == b"-" else word
    if not digits.isdigit() or len(digits) > 10 or int(digits) > MAX_NUMBER:
        raise KTError(f"{path}: line {number}: {word[:20].decode('ascii', 'replace')!r} is not a literal")
    return int(word)
