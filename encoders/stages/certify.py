"""A certificate for an answer that has none yet."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from encoders.stages import Solving, Stage, parts
from encoders.stages.relaxation import MAX_QUICK_SECONDS, has_quick_certificate
from encoders.standing import least_weight
from encoders.work.run import in_time
from kt_models.errors import CertificateError, TooLarge
from kt_models.kernel.certificates import Checked

UNCERTIFIED = (
    "no certificate: no checker takes weights below 0 of two edges that do not meet where a path may end anywhere, or "
    "weights that are too large"
)
"""The reason for a bound without a certificate."""
REFUTING_CONFLICTS = 10_000
"""Work for a certificate that there is no solution, besides as much as the answer took: about a second. A certificate
must not delay an answer that came quickly, and must not depend on how busy the machine is."""
BYTES_PER_CONFLICT = 10_000
"""Bytes of a sweep's states that take as long as a conflict of a solver."""
CONFLICTS_PER_VERTEX = 3
"""Conflicts that take as long as a node of a tree of cases does for each vertex of the graph."""
MAX_NODES = 10_000
"""Most nodes of a tree of cases for such a certificate; more make a file of many megabytes."""


def work(solving: Solving) -> None:
    """Make a certificate, if that takes little more work than the answer did."""
    problem, run, standing = solving.problem, solving.run, solving.standing
    if standing.refuted_by:
        certificate = in_time(run, partial(_refutation, solving))
        if certificate is not None:
            standing.refute(standing.refuted_by, certificate)
        return
    if run.limits.stopped or standing.bound is None:
        return
    limits = run.limits.within(MAX_QUICK_SECONDS + run.elapsed)
    prover = solving.helpers.start_prover()
    if prover is not None and standing.value is not None:
        with suppress(CertificateError, TooLarge):  # The numbers may be outside the range of a tree of cases.
            if certificate := in_time(run, partial(prover.prove, standing.value, limits)):
                standing.accept_bound(certificate.method, standing.bound, certificate)
    elif has_quick_certificate(problem) or solving.helpers.sweep is not None or standing.bound == least_weight(problem):
        from encoders.bounds import certified

        # A refutation has a stage of its own.
        standing.accept(certified(standing.result(), limits=limits, known=False))
    elif problem.gains_apart:
        from kt_models.kernel.certificates.rewritten import without_gains_apart

        if without_gains_apart(problem) is None:
            solving.reason = UNCERTIFIED


def _refutation(solving: Solving) -> Checked | None:
    """A certificate that there is no solution."""
    from encoders.presolve.refute import refutation, wide_refutation

    problem, run = solving.problem, solving.run
    conflicts = REFUTING_CONFLICTS + sum(n for name, n in run.counts.items() if name.endswith(" conflicts"))
    # Another attempt at the parts would end like the first.
    certificate = None if parts.CERTIFYING.name in solving.done else refutation(problem, run.limits)
    certificate = certificate or wide_refutation(problem, run.limits, BYTES_PER_CONFLICT * conflicts)
    if certificate is None and problem.numbers is None:
        from encoders.lp.farkas import by_cases

        nodes = conflicts // (CONFLICTS_PER_VERTEX * problem.graph.n)
        certificate = by_cases(problem, run.limits, min(MAX_NODES, nodes))
    return certificate


STAGE = Stage("certificate", "a certificate for the answer", frozenset({"certificate"}), work)
