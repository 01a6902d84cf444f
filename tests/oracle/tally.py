"""Counts of an attack, and the faults that it found."""

from __future__ import annotations

import json
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kt_models import KTError
from tests.alarm import Hang, alarm
from tests.oracle.problems import Json

SLOW = 15.0
"""Seconds after which a check of so small a problem is a fault."""
SAVED = 200
"""Most faults that are kept whole."""
WRONG = ("false", "internal", "hang")
"""What a fault's kind begins with, where the toolkit is at fault."""


@dataclass
class Tally:
    """The figures."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Json] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def fault(self, kind: str, **details: Any) -> None:
        """Note a fault; only the first ones of a kind are kept whole."""
        self.counts["faults"] += 1
        self.kinds[kind] += 1
        if self.kinds[kind] <= 3 and len(self.faults) < SAVED:
            self.faults.append({"fault": kind, **{key: safe(value) for key, value in details.items()}})

    def of(self, *kinds: str) -> int:
        """How many faults are of kinds that begin so."""
        return sum(count for kind, count in self.kinds.items() if kind.startswith(kinds))

    def watch(self, name: str, call: Callable[[], Any], seconds: float = SLOW, **details: Any) -> Any:
        """What a call returns: None where it refuses, or where it hangs or fails, which is a fault."""
        start = time.perf_counter()
        try:
            with alarm(seconds):
                return call()
        except KTError:
            return None
        except Hang:
            self.fault(f"hang {name}", **details)
        except Exception as error:
            self.fault(f"internal {name}: {place_of(error)}", error=repr(error)[:300], **details)
        finally:
            self.slowest[name] = max(self.slowest.get(name, 0.0), round(time.perf_counter() - start, 2))
        return None

    def to_json(self) -> Json:
        return {
            "seconds": round(self.seconds, 1),
            "counts": dict(sorted(self.counts.items())),
            "kinds": dict(self.kinds),
            "slowest": self.slowest,
            "faults": self.faults,
        }

    @classmethod
    def from_json(cls, data: Json) -> Tally:
        return cls(Counter(data["counts"]), data["faults"], Counter(data["kinds"]), data["slowest"], data["seconds"])


def place_of(error: Exception) -> str:
    """Which error was raised where."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}"


def safe(data: Any) -> Any:
    """As JSON can hold it."""
    try:
        json.dumps(data)
    except (ValueError, TypeError, RecursionError):
        return repr(data)[:2000]
    return data
