"""The version of the JSON files (docs/use/format.md), and the one check of it."""

from __future__ import annotations

import re
from typing import Any

from kt_models.errors import KTError
from kt_models.reading import is_integer

FORMAT_VERSION = 2
_HARMLESS = re.compile(r"(kt |python benchmarks/|docs/|the )[\w .,:=/@+()'-]*")
"""What may be told as a command though it comes from a file: whoever copies it runs nothing but that."""
OLDEST_TOUR = 1
"""Tours mean the same in all versions: they are read from files of this one on."""


def require_version(data: dict[str, Any], what: str = "", remake: str = "", oldest: int = FORMAT_VERSION) -> None:
    """Refuse a JSON object of another version.

    Parameters
    ----------
    what
        The kind of object, for the message.
    remake
        The command that makes an older one again, for the message; it may come from the file.
    oldest
        First version that is still read.

    Raises
    ------
    KTError
        If its version is not one from `oldest` to `FORMAT_VERSION`.
    """
    version = data.get("version")
    if is_integer(version) and oldest <= version <= FORMAT_VERSION:
        return
    name = f"{what} version" if what else "version"
    words = f"{name} {repr(version)[:20]}: this program reads version {FORMAT_VERSION}"
    if remake and is_integer(version) and version < oldest:
        known = _HARMLESS.fullmatch(remake)
        words += f"; make it again: {remake[:300] if known else 'docs/use/format.md names the command'}"
    raise KTError(words)


def solving_command(problem: Any, options: str = "-o FILE") -> str:
    """The `kt solve` that asks once more what an older file answers, for its message.

    Parameters
    ----------
    problem
        The keys of a problem, as they stand in the file: nothing is believed of them.
    options
        Further words.
    """
    data = problem if isinstance(problem, dict) else {}
    words = ["kt solve", str(data.get("board", "BOARD"))[:80]]
    if "leaper" in data and data["leaper"] != "1,2":
        words.append(f"--leaper {str(data['leaper'])[:20]}")
    if data.get("connectivity") == "path":
        words.append("--open")
    if "objective" in data:
        words.append(f"--minimize {str(data['objective'])[:20]}")
    if data.keys() & {"terminals", "required", "forbidden", "symmetry", "weights"}:
        words.append("...")
    return " ".join([*words, options])
