"""Strict readers of DIMACS CNF and text LRAT files: a lenient reader might skip what another one reads."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.kernel.certificates.proofs.manifest import MAX_NUMBER
from kt_models.limits import NO_LIMITS, Limits

MAX_FORMULA_BYTES = 400_000_000
MAX_PROOF_BYTES = 20_000_000_000
MAX_STEPS = 1_000_000_000
MAX_LINE_BYTES = 1 << 24
"""Most bytes of a line (a step of a long proof names many clauses), and of a block in which files are read."""
MAX_KNOWN_WORDS = 1 << 20
"""Most words whose numbers are cached: most words of a proof recur."""
DEFAULT_MEMORY = 8_000_000_000
"""Bytes that clauses may take, unless the limits say otherwise."""
CLAUSE_BYTES, LITERAL_BYTES = 400, 50
"""Bytes of a clause, and of each of its literals, while a proof is replayed: all copies together, roughly."""
CHECK_EVERY = 4096
"""Lines between two checks of the clock."""


class ProofStep(NamedTuple):
    """A step of an LRAT proof.

    Parameters
    ----------
    number
        Number of the clause; a deletion has the number of an earlier step, which means nothing.
    clause
        The clause as DIMACS literals; None for a deletion.
    hints
        Numbers of the clauses that imply it, in the order in which they become unit; or of the deleted clauses.
    """

    number: int
    clause: list[int] | None
    hints: list[int]


class Room:
    """A budget of memory for clauses: a clause is refused before its memory is allocated."""

    def __init__(self, limits: Limits) -> None:
        self._left = self._size = limits.room(DEFAULT_MEMORY)

    def take(self, literals: int) -> None:
        """Reserve memory for a clause with a number of literals; raise `TooLarge` if there is none."""
        self._left -= CLAUSE_BYTES + LITERAL_BYTES * literals
        if self._left < 0:
            raise TooLarge(f"the clauses take more than the {self._size:,} bytes of memory that they may")

    def give_back(self, literals: int) -> None:
        """Release the memory of a clause with a number of literals."""
        self._left += CLAUSE_BYTES + LITERAL_BYTES * literals


def open_file(path: Path) -> BinaryIO:
    """Open a regular file to read it (a pipe could block for ever)."""
    try:
        if path.exists() and not path.is_file():
            raise KTError(f"{path}: cannot read: it is not a file")
        return open(path, "rb")
    except OSError as error:
        raise _unreadable(path, error) from None


def digest_of(path: Path, limits: Limits = NO_LIMITS) -> str:
    """SHA-256 of a file, in hexadecimal."""
    sha = hashlib.sha256()
    with open_file(path) as stream:
        try:
            while block := stream.read(MAX_LINE_BYTES):
                sha.update(block)
                limits.check()
        except OSError as error:
            raise _unreadable(path, error) from None
    return sha.hexdigest()


def read_formula(path: Path, limits: Limits = NO_LIMITS) -> list[list[int]]:
    """Clauses of a DIMACS CNF file, whose header must be accurate.

    Raises
    ------
    KTError
        If the file cannot be read, is not DIMACS CNF, or is too large.
    """
    header: tuple[int, int] | None = None
    clauses: list[list[int]] = []
    clause: list[int] = []
    room = Room(limits)
    with open_file(path) as stream:
        for number, words in lines(stream, path, MAX_FORMULA_BYTES, limits):
            if words[0] == b"p":
                if header is not None or len(words) != 4 or words[1] != b"cnf":
                    raise KTError(f"{path}: line {number}: not a header 'p cnf VARIABLES CLAUSES', or a second one")
                header = _integer(path, number, words[2]), _integer(path, number, words[3])
                if min(header) < 0:
                    raise KTError(f"{path}: line {number}: a number of the header is below 0")
                continue
            if header is None:
                raise KTError(f"{path}: line {number}: a clause stands before the header")
            # Counted before the clause is built, so that a huge file is refused in time
            room.take(len(words))
            for word in words:
                literal = _integer(path, number, word)
                if literal == 0:
                    room.take(0)
                    clauses.append(clause)
                    clause = []
                elif abs(literal) > header[0]:
                    raise KTError(f"{path}: line {number}: variable {abs(literal)}, but the header says {header[0]}")
                else:
                    clause.append(literal)
    if header is None or clause or header[1] != len(clauses):
        raise KTError(f"{path}: it has {len(clauses):,} whole clauses, which is not what its header says")
    return clauses


def proof_steps(stream: BinaryIO, path: Path, limits: Limits = NO_LIMITS) -> Iterator[ProofStep]:
    """Steps of a text LRAT file, one after the other.

    Each step stands on a line of its own, as solvers write it.

    Raises
    ------
    KTError
        If the file cannot be read, or has another form.
    """
    known: dict[bytes, int] = {}
    for line, words in lines(stream, path, MAX_PROOF_BYTES, limits):
        if line > MAX_STEPS:
            raise TooLarge(f"{path}: over {MAX_STEPS:,} lines")
        numbers = []
        deletes = len(words) > 1 and words[1] == b"d"
        for word in (words[0], *words[2:]) if deletes else words:
            # A dictionary lookup is faster than parsing, and equal numbers share one object
            number = known.get(word)
            if number is None:
                number = _integer(path, line, word)
                if len(known) < MAX_KNOWN_WORDS:
                    known[word] = number
            numbers.append(number)
        if numbers.count(0) != (1 if deletes else 2) or numbers[-1] or not numbers[0]:
            raise KTError(f"{path}: line {line}: not a step 'NUMBER CLAUSE 0 HINTS 0' or 'NUMBER d NUMBERS 0'")
        if deletes:
            yield ProofStep(numbers[0], None, numbers[1:-1])
        else:
            middle = numbers.index(0)
            yield ProofStep(numbers[0], numbers[1:middle], numbers[middle + 1 : -1])


def lines(stream: BinaryIO, path: Path, most: int, limits: Limits) -> Iterator[tuple[int, list[bytes]]]:
    """Number and words of each line that is neither empty nor a comment, with a limit on the bytes of all lines."""
    number = size = 0
    try:
        while line := stream.readline(MAX_LINE_BYTES):
            number += 1
            size += len(line)
            # `readline` stops at this length, so the line may be longer
            if len(line) == MAX_LINE_BYTES:
                raise KTError(f"{path}: line {number}: longer than {MAX_LINE_BYTES:,} bytes")
            if size > most:
                raise TooLarge(f"{path}: larger than {most:,} bytes, the most that is read")
            if not number % CHECK_EVERY:
                limits.check()
            words = line.split()
            if words and words[0] != b"c":
                yield number, words
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> KTError:
    """Errors for a file that is missing or unreadable or, if it is compressed, damaged."""
    if isinstance(error, OSError) and error.strerror:
        return KTError(f"{path}: cannot read: {error.strerror.lower()}")
    return CertificateError(f"{path}: cannot read: {str(error)[:100]}")


def _integer(path: Path, number: int, word: bytes) -> int:
    digits = word[1:] if word[:1] == b"-" else word
    # The length first: `int` takes quadratic time on long texts
    if not digits.isdigit() or len(digits) > 10 or int(digits) > MAX_NUMBER:
        raise KTError(f"{path}: line {number}: {word[:20].decode('ascii', 'replace')!r} is not a literal")
    return int(word)
