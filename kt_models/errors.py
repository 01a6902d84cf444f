"""The one exception root.  The command line turns a `KTError` into one line and exit status 2."""

from __future__ import annotations

import os


class KTError(Exception):
    """Something the caller gave cannot be used; the message names it and says why."""


class InvalidTour(KTError):
    """A tour, or a set of chosen moves, breaks a rule; the message names the first one broken."""


class CertificateError(KTError):
    """A certificate does not show what it claims."""


class TooLarge(KTError):
    """Refused before memory is taken: the message gives the size and the limit."""


def named(path: str | os.PathLike[str], error: KTError) -> KTError:
    """The same error with the file's name before it, if it does not stand there already."""
    return error if str(error).startswith(str(path)) else type(error)(f"{path}: {error}")
