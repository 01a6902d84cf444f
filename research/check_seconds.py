"""How long the checks of delivered results take: `heuristics/check_seconds.json`.

    python -m research.check_seconds --cap 600

Each file that `tests/golden/checks/slow-check-*.txt` names is checked by a process of its own, and its processor
seconds are noted; null where the check takes more than the cap, or was not measured. Files that take no more than
`MOMENT` are left out. What was measured before is kept: stop it with Ctrl-C and begin it again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from pathlib import Path

from heuristics.best_known import CHECK_SECONDS, DELIVERED, delivered_name
from kt_models.writing import write_atomic

MOMENT = 2.0
"""Processor seconds that need no note; half a second of them goes into starting Python."""
GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "checks"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cap", type=int, default=600, help="processor seconds of a check (default 600)")
    cap = parser.parse_args().cap
    seconds: dict[str, float | None] = json.loads(CHECK_SECONDS.read_text())
    for path in slow_results():
        name = delivered_name(path)
        if seconds.get(name) is not None:
            continue
        took = measured(path, cap)
        if took is None or took > MOMENT:
            seconds[name] = took
        else:
            seconds.pop(name, None)
        print(name, took, flush=True)
        write_atomic(CHECK_SECONDS, json.dumps(dict(sorted(seconds.items())), indent=0) + "\n", force=True)


def slow_results() -> list[Path]:
    """The results whose check takes a while, the small files first."""
    lines = [line for path in sorted(GOLDEN.glob("slow-check-re*.txt")) for line in path.read_text().splitlines()]
    names = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    paths = [DELIVERED.parents[1] / name for name in names]
    return sorted((path for path in paths if path.exists() and is_result(path)), key=lambda path: path.stat().st_size)


def is_result(path: Path) -> bool:
    """Whether a file is a result, not a claim about boards of all sizes."""
    return bool(json.loads(path.read_text()).get("kind") == "result")


def measured(path: Path, cap: int) -> float | None:
    """The processor seconds of a check; None where it takes more than the cap."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (cap, cap))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(sys.executable, [sys.executable, "-m", "kt", "check", str(path)])
    _, status, usage = os.wait4(child, 0)
    return None if status else round(usage.ru_utime + usage.ru_stime, 1)


if __name__ == "__main__":
    main()
