"""Replay of LRAT proofs: each clause follows by unit propagation along the hints beside it.

A step is valid if its clause cannot be false. Suppose that all its literals are false. Then each hint names an existing
clause with one literal left that may be true, which is set to true, until a clause has none left. So every assignment
that satisfies the formula satisfies each clause of the proof, and the empty clause shows that there is none.

Only such steps are accepted. Hints to missing clauses, negative hints (of RAT steps) and repeated numbers are refused.
Deletions are harmless, because a deleted clause supports nothing.

The format is that of Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, "Efficient certified RAT verification",
2017. Verified checkers such as `cake_lpr` read the same file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kt_models.errors import CertificateError
from kt_models.kernel.certificates.proofs.dimacs import ProofStep, Room
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent

REPORT_EVERY = 1 << 16
"""Steps between two reports of progress."""


def replay(
    clauses: Sequence[Sequence[int]],
    steps: Iterable[ProofStep],
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> int:
    """Check that a proof derives the empty clause from a formula.

    Parameters
    ----------
    clauses
        The formula, with DIMACS literals. The proof calls its clauses 1, 2, ..., in this order.
    steps
        The proof.
    limits
        Limits on time and on the memory for clauses.
    on_progress
        The function that receives reports of progress.

    Returns
    -------
    int
        The number of steps up to the empty clause, deletions included.

    Raises
    ------
    CertificateError
        If a step does not follow, or the empty clause is not among the steps.
    Stopped
        If a limit is reached.
    """
    room = Room(limits)
    standing: dict[int, frozenset[int]] = {}
    for number, literals in enumerate(clauses, start=1):
        room.take(len(literals))
        # Sets make the test for unit clauses a single difference
        standing[number] = frozenset(literals)
    last = len(standing)
    for count, (number, clause, hints) in enumerate(steps, start=1):
        if not count % REPORT_EVERY:
            on_progress(Report(words=f"step {count:,} of the proof"))
        if clause is None:
            for gone in hints:
                if (deleted := standing.pop(gone, None)) is None:
                    raise CertificateError(f"step {count:,} of the proof deletes clause {gone}, which does not exist")
                room.give_back(len(deleted))
            continue
        # Increasing numbers, as LRAT demands, so no clause is replaced unseen
        if number <= last:
            raise CertificateError(f"step {count:,} of the proof has number {number}, which is repeated")
        if not _follows(standing, clause, hints):
            raise CertificateError(f"step {count:,} of the proof does not follow: clause {number}")
        if not clause:
            return count
        room.take(len(clause))
        standing[number], last = frozenset(clause), number
    raise CertificateError("the proof is cut short: it does not end in the empty clause")


def _follows(standing: dict[int, frozenset[int]], clause: Sequence[int], hints: Sequence[int]) -> bool:
    """Whether, if the clause is false, the hints' clauses become unit in turn until one of them is false."""
    false = set(clause)
    for hint in hints:
        named = standing.get(hint)
        if named is None:
            return False
        # Literals of the hint's clause that are not yet false
        left = named - false
        if not left:
            return True
        # Not unit under the assignment: the hint shows nothing
        if len(left) > 1:
            return False
        (literal,) = left
        false.add(-literal)
    return False
