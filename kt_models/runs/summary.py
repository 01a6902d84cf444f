"""Summaries of finished runs: the task, the results of the cubes, and the tours, checked from the summary alone.

The folder of a run has a ledger of some hundred kilobytes. A summary keeps what can be checked without it: the tours
(in a separate file, one per line, as `kt enumerate -o` writes them), and digests of the rest. A summary of classes can
also hold the digest of a second run, without symmetry, of the same problem: the images of the tours under the
symmetries of the board then have to be exactly what that one found, so two searches confirm each other.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from kt_models.errors import CertificateError, InvalidTour, KTError, about, excerpt
from kt_models.fields import unknown_fields
from kt_models.json_version import read_document
from kt_models.kernel.certificates.verdict import Assertion, Fact, Verdict
from kt_models.limits import NO_LIMITS, Limits
from kt_models.runs.folder import digest_of
from kt_models.runs.kinds import task_of_json
from kt_models.runs.task import Solutions
from kt_models.runs.tour_task import TourTask
from kt_models.storage import lines_of, parse_json, read_json, read_text
from kt_models.tour import Tour, tour_from_json

KIND = "run-summary"


def images_of(task: TourTask, tour: Tour) -> list[Tour]:
    """Wanted tours that count as the same: the distinct images under the board's symmetries."""
    images = {}
    for edges in task.images(tour.edges):
        try:
            images[tuple(np.sort(edges).tolist())] = task.solution(edges)
        except InvalidTour:  # The image lacks a required move or a symmetry that this tour has
            continue
    return list(images.values())


def check_summary(path: str | os.PathLike[str], limits: Limits = NO_LIMITS) -> Verdict:
    """Check a summary and its tours, and return what they show.

    Every tour must solve the problem and have the required value, no two may count as one, their keys must be those of
    the run, and the sizes of their classes must be as given. If a run without symmetry was made, the images of the
    tours must be exactly what it found. Only the search vouches that there are no others, twice if there are two runs.

    Raises
    ------
    InvalidTour, CertificateError
        If a claim is wrong; the message names the file.
    KTError
        If a file cannot be read.
    """
    with about(path):
        return _checked(Path(path), limits)


def _checked(path: Path, limits: Limits) -> Verdict:
    data = read_json(path)
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise KTError("it is not a summary of a run")
    data = read_document(data, KIND)
    unread = [Fact(f"{key!r}: {excerpt(data[key])}") for key in unknown_fields(data, KIND)]
    task, run, whole = task_of_json(data.get("task")), data.get("run"), data.get("whole")
    if not isinstance(task, TourTask) or task.counting:
        raise KTError("it is not about a run that lists tours")
    if not isinstance(run, dict) or not (whole is None or isinstance(whole, dict)):
        raise KTError("'run' or 'whole' is missing or is not an object")
    name = data.get("tours")
    if not isinstance(name, str) or Path(name).name != name:
        raise KTError("'tours' is not the name of a file beside it")
    text = read_text(path.parent / name)
    if sha256(text.encode()).hexdigest() != data.get("sha256"):
        raise CertificateError(f"{name} is not the file that was summarised")
    tours = [_tour(task, line, limits) for line in lines_of(text)]
    keys = [task.key(tour) for tour in tours]
    if len(set(keys)) < len(keys):
        raise CertificateError("two tours count as one")
    if not len(keys) == data.get("count") == run.get("count") or digest_of(keys) != run.get("keys"):
        raise CertificateError("the tours are not those that the run found")
    images = [images_of(task, tour) for tour in tours]
    if sizes_of(images) != data.get("orbits"):
        raise CertificateError("the classes have other sizes")
    each = replace(task, up_to_symmetry=False)
    proved: list[Assertion] = [Solutions(task, len(tours))] if tours else []
    stated: list[Assertion] = [*unread, *task.conclusion(len(tours), {})]
    everything = [each.key(tour) for members in images for tour in members]
    if len(set(everything)) < len(everything):
        raise CertificateError("two classes have a tour in common")
    if task.up_to_symmetry and tours:
        proved.append(Solutions(each, len(everything)))
    if whole is not None:
        if len(everything) != whole.get("count") or digest_of(everything) != whole.get("keys"):
            raise CertificateError("the run without symmetry found other tours")
        stated += each.conclusion(len(everything), {})
    agreement = "two runs, with and without symmetry, agree; " if whole is not None else ""
    return Verdict(tuple(proved), tuple(stated), f"each verified; {agreement}that there are no others is not certified")


def sizes_of(images: Iterable[list[Tour]]) -> dict[str, int]:
    """Number of classes of each size."""
    sizes = Counter(len(members) for members in images)
    return {str(size): sizes[size] for size in sorted(sizes)}


def _tour(task: TourTask, line: str, limits: Limits) -> Tour:
    limits.check()
    tour = tour_from_json(parse_json(line))
    if tour.graph != task.problem.graph or tour.closed != task.problem.closed:
        raise InvalidTour("a tour of another board")
    return task.solution(tour.edges)
