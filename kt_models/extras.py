"""What an extra of the package brings: checking and drawing need none of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kt_models.errors import KTError

EXTRAS = {
    "solve": ("highspy", "networkx", "numba", "ortools", "pysat", "rich", "scipy"),
    "pictures": ("matplotlib", "PIL"),
    "explore": ("starlette", "uvicorn"),
}
"""The modules of each, as they are imported."""


class MissingExtra(KTError):
    """Something is needed that was not installed; the message has the command."""


@contextmanager
def naming_extras() -> Iterator[None]:
    """Where a module of an extra is missing within, say how it is had."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        for extra, modules in EXTRAS.items():
            if module in modules:
                raise MissingExtra(f"this needs {module}, which is not installed: pip install 'kt[{extra}]'") from None
        raise
