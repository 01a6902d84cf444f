"""All that is recorded: a file each, and the program that says what is the case now."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.golden import checks, forged, keys, surface
from tests.golden.normalise import ROOT
from tests.golden.transcript import HERE, TRANSCRIPTS, renewed, unfolded


@dataclass(frozen=True)
class Recording:
    """A file, and how its text is made."""

    path: Path
    make: Callable[[str], str]
    slow: bool = False
    root: Path = ROOT

    @property
    def name(self) -> str:
        return self.path.stem

    def recorded(self) -> str:
        return self.path.read_text() if self.path.exists() else ""

    def renew(self) -> str:
        return self.make(self.recorded())

    def difference(self) -> str:
        """What differs now from what is recorded, as a unified diff with the command that accepts it."""
        before, after = self.recorded(), self.renew()
        if before == after:
            return ""
        lines = difflib.unified_diff(_leaves(before), _leaves(after), "recorded", "now", lineterm="")
        accept = f"If this is intended: python -m tests.golden {self.name}"
        return "\n".join([f"{self.path.relative_to(ROOT)} differs.  {accept}", *lines])


def _leaves(recorded: str) -> list[str]:
    """The lines of a recording, with a line for each value of a JSON object."""
    return [
        text
        for line in unfolded(recorded)
        for text in (json.dumps(line, indent=2, ensure_ascii=False).splitlines() if isinstance(line, dict) else [line])
    ]


def recordings() -> list[Recording]:
    """All of them, by name."""
    return [
        *(Recording(path, renewed, slow=path.stem.startswith("slow-")) for path in sorted(TRANSCRIPTS.glob("*.txt"))),
        *(Recording(HERE / "checks" / f"check-{name}.txt", partial(checks.quick, name)) for name in checks.DELIVERED),
        *(Recording(HERE / "checks" / f"slow-check-{name}.txt", checks.slow, slow=True) for name in checks.DELIVERED),
        Recording(HERE / "checks" / "forged.txt", partial(forged.verdicts, False)),
        Recording(HERE / "checks" / "slow-forged.txt", partial(forged.verdicts, True), slow=True),
        Recording(HERE / "surface" / "commands.txt", surface.commands),
        Recording(HERE / "surface" / "keys.txt", keys.keys),
        Recording(HERE / "surface" / "names.txt", surface.names),
    ]
