"""`--proof DIR`: a folder that shows the answer to those who do not believe it."""

from __future__ import annotations

import click

proof_option = click.option(
    "--proof", "proof", metavar="DIR", help="Write a proof that there is no tour, or none better; kt check reads it."
)


def check_proof_option(directory: str | None) -> None:
    """Refuse the folder before the work is done rather than after."""
    if directory is not None:
        from encoders.proof import require_proof_directory

        require_proof_directory(directory)
