"""Files of a forger: certificates, results, tours; and whether what is accepted is true."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from kt_models import KTError, MoveGraph, Problem
from kt_models.json_version import FORMAT_VERSION
from tests.oracle.claims import truth_of, truth_of_bound
from tests.oracle.forgery import JUNK, number, perturbed, spoiled
from tests.oracle.problems import Json, edited
from tests.oracle.truth import Case, TooMany, case_of


def certificate_json(method: str, problem: Json, value: int | None, data: Json) -> Json:
    """A certificate file; its digest is right."""
    from kt_models.kernel.certificates.certificate import digest

    made = {
        "version": FORMAT_VERSION,
        "kind": "certificate",
        "method": method,
        **({"status": "infeasible"} if value is None else {"bound": value}),
        "problem": problem,
        "data": data,
    }
    try:
        return {**made, "sha256": digest(made)}
    except (ValueError, RecursionError):
        return made


def sealed(data: Json) -> Json:
    """A certificate with the digest that belongs to it."""
    from kt_models.kernel.certificates.certificate import digest

    data = {k: v for k, v in data.items() if k != "sha256"}
    return {**data, "sha256": digest(data)}


# -- results ---------------------------------------------------------------------------------------------------------


def walk_of(case: Case, chosen: int) -> tuple[list[int], list[int]]:
    """The vertices of one path or cycle in order, and its edges."""
    if case.directed:
        arcs = {u: (v, e) for e, (u, v) in enumerate(case.edges) if chosen >> e & 1}
        entered = {v for v, _ in arcs.values()}
        order, edges = [next((v for v in range(case.n) if v not in entered), 0)], []
        while order[-1] in arcs:
            vertex, edge = arcs[order[-1]]
            edges.append(edge)
            if vertex == order[0]:
                break
            order.append(vertex)
        return order, edges
    at: dict[int, list[tuple[int, int]]] = {v: [] for v in range(case.n)}
    for e, (u, v) in enumerate(case.edges):
        if chosen >> e & 1:
            at[u].append((v, e))
            at[v].append((u, e))
    start = next((v for v in at if len(at[v]) < 2), 0)
    order, edges, vertex = [start], [], start
    while True:
        onward = [(v, e) for v, e in at[vertex] if e not in edges]
        if not onward:
            return order, edges
        vertex, edge = onward[0]
        edges.append(edge)
        if vertex == start:
            return order, edges
        order.append(vertex)


def tour_keys(case: Case, chosen: int) -> Json:
    """`tour`, `closed`, `moves` of a solution."""
    order, edges = walk_of(case, chosen)
    data: Json = {"tour": [list(case.cells[v]) if case.cells else [v] for v in order], "closed": len(edges) == case.n}
    if case.cells and any(case.wraps):
        vectors = []
        for vertex, e in zip(order, edges, strict=False):
            sign = 1 if case.edges[e][0] == vertex else -1
            if case.edges[e][0] == case.edges[e][1]:
                sign = 1
            vectors.append([sign * c for c in case.vectors[e]])
        data["moves"] = vectors
    return data


def result_json(rng: Random, problem: Json, case: Case, certificates: list[Json]) -> Json:
    """A result file that claims something, true or not."""
    data: Json = {"version": FORMAT_VERSION, "kind": "result", **problem}
    solutions = case.solutions
    status = rng.choice(("optimal", "optimal", "feasible", "infeasible", "unknown", "unknown"))
    data["status"] = status
    if solutions and (status in ("optimal", "feasible") or rng.random() < 0.1):
        chosen = rng.choice(solutions)
        if rng.random() < 0.5 and case.objective is not None:
            chosen = min(solutions, key=case.value)
        if case.connectivity in ("cycle", "path"):
            data |= tour_keys(case, chosen)
        else:
            data["chosen"] = [e for e in range(len(case.edges)) if chosen >> e & 1]
            data["closed"] = False
        if case.objective is not None:
            data["value"] = case.value(chosen)
            if status == "optimal" or rng.random() < 0.5:
                data["bound"] = data["value"] - rng.choice((0, 0, 0, 1))
        if case.vectors:
            for name in ("turns", "crossings"):
                if name == "turns" or len(case.shape) == 2:
                    data[name] = case.asks(name).value(chosen)
    elif case.objective is not None and rng.random() < 0.5:
        data["bound"] = number(rng)
    if certificates and rng.random() < 0.6:
        certificate = rng.choice(certificates)
        data["certificate"] = certificate
        if "bound" in certificate and rng.random() < 0.8:
            data["bound"] = certificate["bound"]
            data["how"] = "tour verified; certificate of the bound checked (tree)"
        elif "status" in certificate and rng.random() < 0.8:
            data["status"] = "infeasible"
            for key in ("tour", "chosen", "value", "bound"):
                data.pop(key, None)
    if rng.random() < 0.1:
        data["how"] = rng.choice(("certificate checked", "proof written to x", "solver's answer, not certified", ""))
    return data


BROKEN = (KTError, LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What an edit of a file may fail with that was spoiled before."""
FIELDS = (
    "status",
    "bound",
    "value",
    "tour",
    "chosen",
    "how",
    "reason",
    "closed",
    "moves",
    "turns",
    "crossings",
    "certificate",
    "engine",
)


def edited_file(rng: Random, data: Json) -> Json:
    """A file with one or two things changed, the digest made to fit."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2))):
        kind = rng.random()
        if kind < 0.35:
            key = rng.choice(FIELDS)
            if key == "status":
                data[key] = rng.choice(("optimal", "feasible", "infeasible", "unknown", "x"))
            elif key in ("bound", "value", "turns", "crossings") and type(data.get(key)) is int:
                data[key] += rng.choice((1, -1, 5, 1000))
            elif key in data and rng.random() < 0.5:
                del data[key]
            elif key in ("tour", "chosen", "moves") and key in data:
                data[key] = perturbed(rng, {key: data[key]})[key]
            elif key in ("bound", "value", "reason", "how"):
                data[key] = rng.choice((0, 5, 1000, "certificate checked", None))
        elif kind < 0.6:
            fields = {
                k: v
                for k, v in data.items()
                if k not in FIELDS and k not in ("kind", "version", "problem", "data", "method", "sha256")
            }
            try:
                data = {k: v for k, v in data.items() if k not in fields} | edited(rng, fields)
            except BROKEN:
                continue
        elif kind < 0.75 and "problem" in data:
            try:
                data["problem"] = edited(rng, data["problem"])
            except BROKEN:
                continue
        elif kind < 0.85:
            data = spoiled(rng, data)
        else:
            data = perturbed(rng, data)
    return data


def resealed(data: Json) -> Json:
    """Digests that fit again, wherever they are."""
    try:
        if type(data.get("certificate")) is dict and "sha256" in data["certificate"]:
            data = {**data, "certificate": sealed(data["certificate"])}
        return sealed(data) if "sha256" in data else data
    except (ValueError, RecursionError, TypeError):
        return data


# -- what came out ---------------------------------------------------------------------------------------------------


def check(path: Path, data: Any) -> Any:
    """What `kt check` makes of a file: its verdict, or a `KTError`."""
    from kt_models.files.check import check_file

    path.write_text(json.dumps(data))
    return check_file(path)


def falsehoods(verdict: Any, data: Json) -> Iterator[str]:
    """What is false in what was accepted."""
    claims = getattr(verdict, "shown", None)
    if claims is not None:
        for statement in claims:
            if hasattr(statement, "problem") and truth_of(statement) is False:
                yield f"shown, and false: {statement}"
    kind = data.get("kind")
    if kind == "certificate":
        case = case_of(Problem.from_json(data["problem"]))
        if truth_of_bound(case, data.get("bound")) is False:
            yield f"a certificate of {data.get('status') or data.get('bound')} was accepted"
    elif kind == "result":
        yield from _of_result(verdict, data)
    elif kind == "tour":
        yield from _of_tour(data)


def _of_result(verdict: Any, data: Json) -> Iterator[str]:
    case = case_of(Problem.from_json(data))
    certificate = data.get("certificate")
    try:
        solutions = case.solutions
    except TooMany:
        return
    if certificate is not None:
        claimed = None if data["status"] == "infeasible" else data.get("bound")
        if (claimed is not None or data["status"] == "infeasible") and truth_of_bound(case, claimed) is False:
            yield f"a result with a certificate, {data['status']}, bound {claimed}, was accepted"
    if data["status"] in ("optimal", "feasible"):
        if not solutions:
            yield "a solution where there is none was accepted"
        elif case.objective is not None and data.get("value") not in map(case.value, solutions):
            yield f"the value {data.get('value')} was accepted"
        for name in ("turns", "crossings"):
            if name in data and "tour" in data and case.vectors and (name == "turns" or len(case.shape) == 2):
                values = set(map(case.asks(name).value, solutions))
                if data[name] not in values:
                    yield f"{name} {data[name]} were accepted"
    if "tour" in data:
        yield from _of_tour(data)


def _of_tour(data: Json) -> Iterator[str]:
    """Walk the tour."""
    if "arcs" in data:
        yield from _of_directed_tour(data)
        return
    graph = MoveGraph.from_json(data)
    order = [tuple(cell) for cell in data["tour"]]
    names = [(v,) for v in range(graph.n)] if graph.board is None else [tuple(c) for c in graph.board.cells.tolist()]
    if sorted(order) != sorted(names):
        yield "a tour that does not visit every cell once was accepted"
        return
    number_of = {name: v for v, name in enumerate(names)}
    pairs = {frozenset(e) for e in graph.ends.tolist()}
    steps = [(number_of[a], number_of[b]) for a, b in zip(order, order[1:] + order[:1], strict=True)]
    if not data["closed"]:
        steps.pop()
    if any(frozenset(step) not in pairs for step in steps):
        yield "a tour with a step that is no move was accepted"
    if data["closed"] and len(order) < 3 and graph.m < 2:
        yield "a closed tour of too few cells was accepted"


def _of_directed_tour(data: Json) -> Iterator[str]:
    order = [v for (v,) in data["tour"]]
    if sorted(order) != list(range(data["vertices"])):
        yield "a tour that does not visit every vertex once was accepted"
    steps = list(zip(order, order[1:] + order[:1], strict=True))[: len(order) - (not data["closed"])]
    if any([*step] not in data["arcs"] for step in steps):
        yield "a tour with a step that is no arc was accepted"


def tour_text(case: Case, chosen: int, board: str, leaper: str, rng: Random) -> str:
    """A TSPLIB file of a tour, damaged now and then."""
    order, edges = walk_of(case, chosen)
    if rng.random() < 0.4 and order:
        i, j = rng.randrange(len(order)), rng.randrange(len(order))
        order[i], order[j] = order[j], order[rng.choice((i, i, j))]
    lines = [str(v + 1) for v in order]
    if rng.random() < 0.1:
        lines[rng.randrange(len(lines))] = str(rng.choice(JUNK))
    closed = int(len(edges) == case.n) if rng.random() < 0.9 else rng.choice((0, 1))
    head = f"COMMENT : kt board={board} leaper={leaper} closed={closed}\nTYPE : TOUR\nDIMENSION : {len(lines)}"
    return "\n".join([head, "TOUR_SECTION", *lines, "-1", "EOF", ""])
