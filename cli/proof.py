"""`--proof DIR`: a folder that shows the answer to those who do not believe it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import click

from kt_models import KTError, Result

proof_option = click.option(
    "--proof", "proof", metavar="DIR", help="Write a proof that there is no tour, or none better; kt check reads it."
)


def check_proof_option(directory: str | None) -> None:
    """Refuse the folder before the work is done rather than after."""
    if directory is not None:
        from encoders.proof import require_proof_directory

        require_proof_directory(directory)


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
    return "" if proof else "it was not finished in time"
