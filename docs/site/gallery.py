"""Draws every picture of docs/data/gallery.md again: the commands are those that the page shows."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent


def commands(page: Path = DOCS / "data" / "gallery.md") -> list[list[str]]:
    """The arguments of each `$ kt` on the page."""
    return [shlex.split(line)[1:] for line in re.findall(r"^\$ (kt .*)$", page.read_text(), flags=re.MULTILINE)]


def main() -> None:
    sys.path.insert(0, str(DOCS.parent))
    from cli.main import main as kt

    os.chdir(DOCS)
    for arguments in commands():
        print("kt", *arguments, flush=True)
        try:
            kt(arguments)
        except SystemExit as ended:
            if ended.code:
                sys.exit(f"failed with exit status {ended.code}: kt {shlex.join(arguments)}")


if __name__ == "__main__":
    main()
