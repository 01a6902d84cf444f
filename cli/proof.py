"""The option `--proof DIR` and its message; `encoders.proof_folder` writes the folder."""

from __future__ import annotations

import click

from cli.error_messages import complain
from cli.files import tell_fault
from kt_models.errors import CannotWrite, KTError

proof_option = click.option(
    "--proof", "proof", metavar="DIR", help="Write a proof that no tour, or no better tour, exists (for kt check)."
)


def tell_unproved(directory: str | None, reason: KTError) -> None:
    """Report that no proof was written, and why; a full disk is a fault of the command."""
    message = f"{directory}: no proof was written: {reason}"
    if isinstance(reason, CannotWrite):
        tell_fault(message)
    else:
        complain(message)


def check_proof_option(directory: str | None) -> None:
    """Refuse an invalid folder before the work is done."""
    if directory is not None:
        from encoders.proof import require_proof_directory

        require_proof_directory(directory)
