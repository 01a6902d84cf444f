"""`check_any`: check that at least one of several arguments shows a claim."""

from collections.abc import Callable, Iterable

from kt_models.errors import CertificateError


def check_any(arguments: Iterable[Callable[[], None]]) -> None:
    """Check that at least one of some arguments holds; they are tried in order.

    Raises
    ------
    CertificateError
        The error of the last argument, if none holds.
    """
    refused = CertificateError("turns: there is nothing to show it")
    for argument in arguments:
        try:
            argument()
        except CertificateError as error:
            refused = error
        else:
            return
    raise refused
