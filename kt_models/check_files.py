"""Checking files: what `kt check` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from kt_models.certificate import Certificate, check
from kt_models.errors import CertificateError, InvalidTour, KTError, named
from kt_models.files import parse_json, read_json, read_text
from kt_models.format import require_version
from kt_models.graph import MoveGraph
from kt_models.pairs import METRICS
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.runs import PROBLEM
from kt_models.tour import Tour, verify
from kt_models.tour_files import read_tour, tour_from_json


class Checked(NamedTuple):
    """What was checked, in a line; `nothing` if the claim was no more than somebody's word."""

    message: str
    nothing: bool = False


def check_file(
    path: str | os.PathLike[str],
    graph: MoveGraph | None = None,
    more: Mapping[str, Callable[[dict[str, Any]], str]] = MappingProxyType({}),
) -> Checked:
    """Check a tour, a result or a certificate.

    Parameters
    ----------
    path
        A `.tour` file, a `.jsonl` file of tours, or JSON of kind `tour`, `result`, `certificate`,
        `family-certificate`, `gadget`, `gadgets` or `run-summary`.
    graph
        What a `.tour` file tours, where it does not say it itself; any other tour has to be of it.
    more
        What checks the kinds of files that belong to other rooms.

    Raises
    ------
    InvalidTour, CertificateError
        If it was read and is wrong.
    KTError
        If it cannot be read.
    """
    try:
        if str(path).lower().endswith(".tour"):
            return Checked(describe(read_tour(path, graph), graph))
        if str(path).lower().endswith(".jsonl"):
            return Checked(_check_list(path, graph))
        data = read_json(path)
        kind = data.get("kind") if isinstance(data, dict) else None
        if kind == "certificate":
            certificate = Certificate.from_json(data)
            return Checked(
                f"certificate of {certificate.problem.graph.name}, {certificate.claim}: {check(certificate)}"
            )
        if kind == "family-certificate":
            from kt_models.bounds.family import check_family

            return Checked(check_family(data))
        if kind in ("gadget", "gadgets"):
            from kt_models.gadget import gadgets_of_json

            found = gadgets_of_json(data)
            return Checked(f"{len(found)} gadget{'s' if len(found) != 1 else ''}, each path and pairing verified")
        if kind == "run-summary":
            from kt_models.run_summary import check_summary

            return Checked(check_summary(path))
        if kind == "aztec-ledger":
            return Checked("a ledger of Aztec diamonds; kt aztec --verify finds its tours again", nothing=True)
        if kind == "result":
            return check_result(data)
        if kind == "tour":
            return Checked(_check_tour(data, graph)[1])
        if isinstance(kind, str) and kind in more:
            return Checked(more[kind](data))
        raise KTError("it is not a tour, a result or a certificate ('kind' is missing or unknown)")
    except KTError as error:
        raise named(path, error) from None


def _check_tour(data: Any, graph: MoveGraph | None) -> tuple[Tour, str]:
    """A verified tour whose counts are what its JSON object says, and a line about it."""
    tour = tour_from_json(data)
    line = describe(tour, graph)
    _compare(data, tour)
    return tour, line


def _check_list(path: str | os.PathLike[str], graph: MoveGraph | None) -> str:
    """Check a file of tours, a JSON object a line, as `kt enumerate` writes them; no two may be the same."""
    keys, line = set(), ""
    for number, text in enumerate(read_text(path).splitlines(), start=1):
        try:
            tour, line = _check_tour(parse_json(text), graph)
        except KTError as error:
            raise type(error)(f"line {number}: {error}") from None
        key = frozenset(tour.edges.tolist())
        if (tour.graph, key) in keys:
            raise InvalidTour(f"line {number}: the same tour stands there twice")
        keys.add((tour.graph, key))
    if not keys:
        raise KTError("it has no tour")
    return line if len(keys) == 1 else f"{len(keys):,} different tours, each verified; the last: {line}"


RESULT = "result.json"
"""The answer in a proof folder: the tour that meets the bound, and a certificate of the bound if there is one."""


def check_directory(
    path: str | os.PathLike[str], *, pure: bool = False, on_progress: Callable[[str], None] | None = None
) -> Checked:
    """Check a proof folder: the clauses and their proof, the answer, and that they speak of the same; or audit a run.

    Parameters
    ----------
    pure
        Whether the proof is replayed by dratify's pure Python checker.

    Raises
    ------
    InvalidTour, CertificateError
        If it was read and is wrong.
    KTError
        If it cannot be read, or has neither.
    """
    from kt_models.proofs import check_folder
    from kt_models.proofs.manifest import MANIFEST

    folder = Path(path)
    if (folder / PROBLEM).is_file():
        from kt_models.run_audit import audit

        return Checked(*audit(folder, on_progress, pure=pure))
    answered = (folder / RESULT).is_file()
    if not answered:
        return Checked(str(check_folder(folder, engine="python" if pure else "auto", on_progress=on_progress)))
    try:
        data = read_json(folder / RESULT)
        if not isinstance(data, dict) or data.get("kind") != "result":
            raise KTError("it is not a result")
        if not (folder / MANIFEST).is_file():
            return check_result(data)
        answer = check_result(data, proved=True)
    except KTError as error:
        raise named(folder / RESULT, error) from None
    proof = check_folder(folder, engine="python" if pure else "auto", on_progress=on_progress)
    if proof.problem.to_json() != Problem.from_json(data).to_json() or proof.bound != data.get("bound"):
        raise CertificateError(f"{folder}: the proof and the answer are about different claims")
    return Checked(f"{answer.message}; {proof}")


def describe(tour: Tour, graph: MoveGraph | None = None) -> str:
    """Verify a tour and say what it is: `closed tour of 8x8, 45 turns, 101 crossings`."""
    if graph is not None and graph != tour.graph:
        raise InvalidTour(f"it is a tour of {tour.graph.name}, not of {graph.name}")
    verify(tour)
    counts = [f", {tour.measure(metric):,} {metric}" for metric in METRICS if tour.has_metric(metric)]
    return f"{'closed' if tour.closed else 'open'} tour of {tour.graph.name}{''.join(counts)}"


def check_result(data: dict[str, Any], proved: bool = False) -> Checked:
    """Rebuild a result from its JSON object: the tour, its value and its certificate are checked on the way.

    `proved` says that its bound, or that there is no solution, is shown by something else.
    """
    require_version(data)
    problem = Problem.from_json(data)
    status, bound, value = data.get("status"), data.get("bound"), data.get("value")
    if not isinstance(status, str) or not (bound is None or type(bound) is int):
        raise KTError("'status' or 'bound' is missing or of the wrong type")
    certificate = None
    if "certificate" in data:
        certificate = Certificate.from_json(data["certificate"])
        if certificate.problem.to_json() != problem.to_json():
            raise CertificateError("the certificate is about another problem")
    tour = tour_from_json(data) if "tour" in data else None
    edges = None
    if tour is None and "chosen" in data:
        chosen = data["chosen"]
        if not isinstance(chosen, list) or not all(type(e) is int for e in chosen):
            raise KTError("'chosen' is not a list of edge numbers")
        if chosen and not 0 <= min(chosen) <= max(chosen) < problem.graph.m:
            raise InvalidTour("'chosen' has a number that is not an edge of the graph")
        edges = np.array(chosen, dtype=np.int32)
    try:
        result = Result(problem, status, tour, edges, bound, certificate=certificate)  # type: ignore[arg-type]
    except (InvalidTour, CertificateError):
        raise
    except KTError as error:  # numbers that do not fit together
        raise InvalidTour(str(error)) from None
    if value != result.value:
        raise InvalidTour(f"'value' says {value}, but it is {result.value}")
    how = data.get("how", result.how)
    if how != result.how and not str(how).startswith("proof written"):
        raise InvalidTour(f"'how' says {str(how)[:40]!r}, but it is {result.how!r}")
    if tour is not None:
        _compare(data, tour)
        line = describe(tour)
    else:
        line = f"{problem.graph.name}: {status}"
    word = "" if proved else " is the solver's word, not checked"
    if certificate is not None and certificate.bound is not None:
        line += f"; none has fewer than {certificate.bound}, by its certificate ({result.reason})"
    elif problem.objective is not None and status == "optimal":
        line += f"; that {result.value} {problem.objective_name} are the least{word}" if word else ""
    elif bound is not None:
        line += f"; the bound {bound}{word}" if word else ""
    if status == "infeasible":
        line += f" ({result.how}: {result.reason})" if certificate else word
    return Checked(line, nothing=result.edges is None and certificate is None and not proved)


def _compare(data: dict[str, Any], tour: Tour) -> None:
    for metric in METRICS:
        if metric in data and tour.has_metric(metric) and data[metric] != tour.measure(metric):
            raise InvalidTour(f"{metric!r} says {str(data[metric])[:20]}, but it is {tour.measure(metric)}")
