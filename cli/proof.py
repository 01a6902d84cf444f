"""`--proof DIR`: a folder that shows the answer to those who do not believe it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import click

from kt_models import KTError, Result

proof_option = click.option(
    "--proof", "proof", metavar="DIR", help="Write a proof that there is no tour, or none better; kt check reads it."
)


CERTIFIED_SECONDS = 120.0
"""Longest time spent on proving by clauses what a certificate shows already, if no limit is given."""


def check_proof_option(directory: str | None) -> None:
    """Refuse the folder before the work is done rather than after."""
    if directory is not None:
        from encoders.proof import require_proof_directory

        require_proof_directory(directory)


def proof_seconds(result: Result, time_limit: float | None) -> float | None:
    """How long a proof may take: what is left of the limit; without one for ever, unless the answer has a certificate.

    Some of those, as a board whose colours do not balance, have no proof of clauses that anyone would live to see.
    """
    if time_limit is not None:
        return max(0.0, time_limit - result.seconds)
    return CERTIFIED_SECONDS if result.certificate is not None else None


def prove_result(
    result: Result,
    directory: str,
    *,
    seconds: float | None,
    stop: threading.Event,
    on_progress: Callable[[str], None] | None = None,
) -> str:
    """Prove an answer, whoever found it.

    Returns
    -------
    str
        Why no proof was written; empty if it was.
    """
    from encoders.proof import prove

    if result.status == "infeasible":
        at_most = None
    elif result.status == "optimal" and result.value is not None:
        at_most = result.value - 1
    else:
        return "a tour is its own proof" if result.answered else "there is no full answer to prove"
    try:
        proof = prove(result.problem, at_most, directory, seconds=seconds, stop=stop, on_progress=on_progress)
    except KTError as error:  # the answer is not to be lost
        return str(error)
    if proof:
        return ""
    shown = "; the certificate of the answer stands" if result.certificate is not None else ""
    return f"it was not finished in time{shown}"
