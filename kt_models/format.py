"""The version of the JSON files (docs/format.md), and the one check of it."""

from __future__ import annotations

from typing import Any

from kt_models.errors import KTError

FORMAT_VERSION = 1


def require_version(data: dict[str, Any], what: str = "") -> None:
    """Refuse a JSON object of another version.

    Parameters
    ----------
    what
        The kind of object, for the message.

    Raises
    ------
    KTError
        If its version is not `FORMAT_VERSION`.
    """
    version = data.get("version")
    if version != FORMAT_VERSION or type(version) is not int:
        name = f"{what} version" if what else "version"
        raise KTError(f"{name} {repr(version)[:20]}: this program reads version {FORMAT_VERSION}")
