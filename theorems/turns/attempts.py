"""Several ways to show the same."""

from collections.abc import Callable, Iterable

from kt_models.errors import CertificateError


def one_of(arguments: Iterable[Callable[[], None]]) -> None:
    """Check that one of some arguments holds; they are tried in order.

    Raises
    ------
    CertificateError
        What the last one raised, if none holds.
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
