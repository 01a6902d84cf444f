"""A finished run on a page: what was asked, what came of the cubes, and the tours; checked again from that page alone.

The folder of a run has a ledger of some hundred kilobytes.  A summary keeps of it what can be checked without it: the
tours (in a file of their own, a line each, as `kt enumerate -o` writes them), and digests of the rest.  A summary of
classes can also hold the digest of a second run, without symmetry, of the same problem: the images of the tours under
the symmetries of the board then have to be exactly what that one found, so two searches vouch for each other.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from kt_models.enumeration import Task
from kt_models.errors import CertificateError, InvalidTour, KTError, named
from kt_models.files import read_json, read_text, write_atomic
from kt_models.format import FORMAT_VERSION
from kt_models.ledger import Ledger
from kt_models.run_audit import audit
from kt_models.runs import digest_of
from kt_models.tour import Tour
from kt_models.tour_files import tour_from_json, tour_to_json

KIND = "run-summary"


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
        if not isinstance(task, Task) or task.counting:
            raise KTError(f"{folder}: it is not a run that lists tours")
        tours = [task.representative(tour) for tour in ledger.verified()]
    orbits = _sizes(images_of(task, tour) for tour in tours)
    data |= {"task": task.to_json(), "found": len(tours), "orbits": orbits, "run": _page(folder, command)}
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
    """What a finished run did: its cubes, their outcomes, and digests of its keys and of the whole ledger."""
    audit(folder)
    with Ledger.read(folder) as ledger:
        status, digests, outcomes = ledger.status(), ledger.digests(), list(ledger.outcomes())
        keys = [solution.key for solution in ledger.solutions()]
    if not status.complete:
        raise KTError(f"{folder}: {status.open} cubes are not done")
    rows = sorted(f"{o.cube} {o.state} {o.found} {digests.get(o.cube, '')} {' '.join(o.parts)}" for o in outcomes)
    return {
        "command": command,
        "found": status.found,
        "cubes": status.cubes,
        "outcomes": dict(sorted(Counter(outcome.state for outcome in outcomes).items())),
        "engines": sorted({outcome.engine for outcome in outcomes}),
        "seconds": round(status.seconds, 1),
        "keys": digest_of(keys),
        "ledger": sha256("\n".join(rows).encode()).hexdigest(),
    }


def images_of(task: Task, tour: Tour) -> list[Tour]:
    """The tours that count as the same and are asked for too: its different images under the board's symmetries."""
    images = {}
    for edges in task.images(tour.edges):
        try:
            images[tuple(np.sort(edges).tolist())] = task.solution(edges)
        except InvalidTour:  # a required move or a symmetry that this one has and the image has not
            continue
    return list(images.values())


def check_summary(path: str | os.PathLike[str]) -> str:
    """Check a summary and the tours that belong to it, and say in a line what they show.

    That is: every tour solves the problem and has the value asked for; no two count as one; they are the keys that the
    run ended with; the sizes of their classes are as given; and, where a run without symmetry was made, the images of
    the tours are what that one found, no more and no fewer.  That there are no others is the word of the search, twice
    where there are two runs.

    Raises
    ------
    InvalidTour, CertificateError
        If something is wrong; the message names the file.
    KTError
        If it cannot be read.
    """
    try:
        return _checked(Path(path))
    except KTError as error:
        raise named(path, error) from None


def _checked(path: Path) -> str:
    data = read_json(path)
    if not isinstance(data, dict) or data.get("kind") != KIND or data.get("version") != FORMAT_VERSION:
        raise KTError("it is not a summary of a run")
    task, run, whole = Task.from_json(data.get("task")), data.get("run"), data.get("whole")
    if not isinstance(run, dict) or not (whole is None or isinstance(whole, dict)):
        raise KTError("'run' or 'whole' is missing or is not an object")
    name = data.get("tours")
    if not isinstance(name, str) or Path(name).name != name:
        raise KTError("'tours' is not the name of a file beside it")
    text = read_text(path.parent / name)
    if sha256(text.encode()).hexdigest() != data.get("sha256"):
        raise CertificateError(f"{name} is not the file that was summarised")
    tours = [_tour(task, line) for line in text.splitlines()]
    keys = [task.key(tour) for tour in tours]
    if len(set(keys)) < len(keys):
        raise CertificateError("two tours count as one")
    if not len(keys) == data.get("found") == run.get("found") or digest_of(keys) != run.get("keys"):
        raise CertificateError("the tours are not those that the run found")
    images = [images_of(task, tour) for tour in tours]
    if _sizes(images) != data.get("orbits"):
        raise CertificateError("the classes have other sizes")
    if whole is not None:
        _check_whole(task, (tour for members in images for tour in members), whole)
    return _verdict(task, len(tours), sum(map(len, images)), whole is not None)


def _sizes(images: Iterable[list[Tour]]) -> dict[str, int]:
    """How many classes have each size."""
    sizes = Counter(len(members) for members in images)
    return {str(size): sizes[size] for size in sorted(sizes)}


def _tour(task: Task, line: str) -> Tour:
    try:
        return task.solution(tour_from_json(json.loads(line)).edges)
    except (ValueError, RecursionError):
        raise KTError("a line is not JSON") from None


def _check_whole(task: Task, images: Iterable[Tour], whole: dict[str, Any]) -> None:
    each = Task(task.problem, task.value)
    keys = [each.key(tour) for tour in images]
    if len(keys) != whole.get("found") or digest_of(keys) != whole.get("keys"):
        raise CertificateError("the run without symmetry found other tours")


def _verdict(task: Task, found: int, total: int, twice: bool) -> str:
    of = f", of {total:,} tours" if task.up_to_symmetry else ""
    how = "two runs, with and without symmetry, agree" if twice else "that there are no others is the search's word"
    return f"{task.asked}: {found:,}{of}, each verified; {how}"
