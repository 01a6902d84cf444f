"""`check_any`: check that at least one of several arguments shows a claim."""

from collections.abc import Callable, Iterable

from kt_models.errors import CertificateError


def check_any(arguments: Iterable[Callable[[], None]]) -> None:
    """Check that at least one of some arguments holds; they are tried in order.

    Raises
    ------
    CertificateError
        Why each argument fails, in the order in which they are tried, if none holds.
    """
    reasons = []
    for argument in arguments:
        try:
            argument()
        except CertificateError as error:
            reasons.append(str(error).removeprefix("turns: "))
        else:
            return
    # Several arguments may fail for one reason
    raise CertificateError(f"turns: {'; '.join(dict.fromkeys(reasons)) or 'there is nothing to show it'}")
