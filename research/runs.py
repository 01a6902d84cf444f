"""The runs of exhaustive search whose summaries are in docs/runs, and its lists of heels: makes what is missing.

    python -m research.runs --folder DIR              all of them; DIR keeps the run folders
    python -m research.runs --folder DIR turns-8x8    these

Every case is run twice, with and without symmetry, by `kt enumerate --run`; a run that was cut short is resumed. Both
are audited, and the summary is checked against both before it is written.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

from kt_models.errors import KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.runs.audit import account
from kt_models.runs.folder import DONE, digest_of
from kt_models.runs.ledger import Ledger
from kt_models.runs.summary import KIND, check_summary, images_of, sizes_of
from kt_models.runs.tour_task import TourTask
from kt_models.tour import tour_to_json
from kt_models.writing import write_atomic

KT = [sys.executable, "-m", "kt"]
DOCS = Path(__file__).parent.parent / "docs" / "runs"
BOARDS = {"3x10": 8, "5x6": 16, "5x8": 32, "6x6": 64, "6x7": 64, "6x8": 64, "7x8": 128, "8x8": 256}
"""Rectangles, and the cubes that a run is cut into at first."""
CASES = {
    **{f"turns-{board}": f"{board} --minimize turns --cubes {cubes}" for board, cubes in BOARDS.items()},
    **{
        f"crossings-{board}": f"{board} --minimize crossings --cubes {cubes}"
        for board, cubes in BOARDS.items()
        if board not in ("7x8", "8x8")
    },
    "turns-5x5-open": "5x5 --open --minimize turns --cubes 32",
    "crossings-5x5-open": "5x5 --open --minimize crossings --cubes 32",
    "turns-6x6-open": "6x6 --open --minimize turns --cubes 64",
    "crossings-6x6-open": "6x6 --open --minimize crossings --cubes 64",
    "tours-5x5-open": "5x5 --open --cubes 64",
    "tours-6x6-rot90": "6x6 --symmetry rot90 --cubes 16",
    "tours-6x6-rot180": "6x6 --symmetry rot180 --cubes 32",
    "turns-8x8-rot180": "8x8 --symmetry rot180 --minimize turns --cubes 64",
    "turns-10x10-rot90": "10x10 --symmetry rot90 --minimize turns --cubes 64",
    "turns-6x10": "6x10 --minimize turns --cubes 256",
    "turns-8x10": "8x10 --minimize turns --cubes 256",
}
_24, _28 = "a3 S S E E N 2,-1 E E N", "a4 2,-1 S S E E N 2,-1 E E N"
_BACK = " -2,1"
SWEEPS = {"24": _24, "28": _28, "32": _28 + _BACK, "36": _28 + 2 * _BACK, "figure-11": _24 + 2 * _BACK}
"""What the formation's quartet sweeps: its heel of 24 cells, with more of the diagonals before and after it."""
BEST = ("turns", "crossings")
HEELS = {
    **{f"heels-{name}": ["--sweep", SWEEPS[name]] for name in ("24", "28")},
    **{f"heels-{name}-{best}": ["--sweep", SWEEPS[name], "--minimize", best] for name in SWEEPS for best in BEST},
    **{
        f"heels-sharing-36-{best}": ["--sweep", SWEEPS["36"], "--period", "8", "--drift", "0", "--minimize", best]
        for best in BEST
    },
}
"""Searches for heels; heels of `sharing` share cells with the next."""


def write_summary(
    path: str | os.PathLike[str], folder: str | os.PathLike[str], command: str, whole: tuple[str, str] | None = None
) -> dict[str, Any]:
    """Audit a finished run, write its tours to `path` with the ending `.jsonl`, and a summary to `path`.

    Parameters
    ----------
    command
        What makes the run again.
    whole
        Folder and command of a run of the same problem without symmetry.

    Raises
    ------
    KTError
        If a run is wrong, not complete, or of another problem.
    """
    data: dict[str, Any] = {"version": FORMAT_VERSION, "kind": KIND}
    with Ledger.read(folder) as ledger:
        task = ledger.task
        if not isinstance(task, TourTask) or task.counting:
            raise KTError(f"{folder}: it is not a run that lists tours")
        tours = [task.representative(tour) for tour in ledger.verified()]
    orbits = sizes_of(images_of(task, tour) for tour in tours)
    data |= {"task": task.to_json(), "count": len(tours), "orbits": orbits, "run": _page(folder, command)}
    if whole is not None:
        with Ledger.read(whole[0]) as ledger:
            other = ledger.task
        if other.up_to_symmetry or {**other.to_json(), "up_to_symmetry": True} != task.to_json():
            raise KTError(f"{whole[0]}: it is not the same problem without symmetry")
        data["whole"] = _page(*whole)
    lines = "".join(json.dumps(tour_to_json(tour)) + "\n" for tour in tours)
    tours_file = Path(path).with_suffix(".jsonl")
    data |= {"tours": tours_file.name, "sha256": sha256(lines.encode()).hexdigest()}
    write_atomic(tours_file, lines)
    write_atomic(path, json.dumps(data, indent=1) + "\n")
    check_summary(path)
    return data


def _page(folder: str | os.PathLike[str], command: str) -> dict[str, Any]:
    """What a finished run did: its cubes, their records, and digests of its keys and of the whole ledger."""
    whole = account(folder)
    if not whole.complete:
        raise KTError(f"{folder}: {whole.cubes - whole.done} cubes are not done")
    with Ledger.read(folder) as ledger:
        records = list(ledger.records())
        keys = [solution.key for solution in ledger.solutions()]
    rows = sorted(f"{r.cube} {r.state} {r.count} {r.digest * (r.state == DONE)} {' '.join(r.parts)}" for r in records)
    return {
        "command": command,
        "count": whole.count,
        "cubes": whole.cubes,
        "records": dict(sorted(Counter(record.state for record in records).items())),
        "engines": sorted({record.engine for record in records}),
        "seconds": round(sum(record.seconds for record in records), 1),
        "keys": digest_of(keys),
        "ledger": sha256("\n".join(rows).encode()).hexdigest(),
    }


def finished(folder: Path, words: list[str], more: list[str]) -> str:
    """Run it until it is complete; the command that makes it again."""
    command = ["enumerate", *words]
    resumed = (folder / "problem.json").exists()
    asked = ["enumerate", "--resume"] if resumed else command
    done = subprocess.run([*KT, *asked, "--run", str(folder), "--json", *more], stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise SystemExit(f"{folder}: kt {' '.join(asked)} ended with exit status {done.returncode}")
    return f"kt {' '.join(command)} --run DIR"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*CASES, *HEELS]))
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--again", action="store_true", help="also those whose summary is there already")
    parser.add_argument("--workers", metavar="N", help="processes of a run (default: one per core)")
    options = parser.parse_args()
    more = ["--workers", options.workers] if options.workers else []
    for name in [*CASES, *HEELS]:
        path = DOCS / f"{name}.json"
        if (options.names and name not in options.names) or (path.exists() and not options.again):
            continue
        if name in HEELS:
            subprocess.run([*KT, "search", "heel", *HEELS[name], "--all", "-o", str(path)], check=True)
            continue
        words = CASES[name]
        classes, everything = options.folder / f"{name}-classes", options.folder / name
        whole = (str(everything), finished(everything, words.split(), more))
        write_summary(path, classes, finished(classes, [*words.split(), "--up-to-symmetry"], more), whole)
        print(f"{name}: {check_summary(path).text}", flush=True)


if __name__ == "__main__":
    main()
