"""Random small problems of every kind, as the JSON objects that a stranger's file would hold."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import lru_cache
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np

from kt_models import KTError, MoveGraph, Problem, Symmetry, Weights
from kt_models.graph_kinds import graph_from_json
from tests.oracle.truth import Case, case_of

Json = dict[str, Any]

MOST_FREE = 26
"""Most edges that may be chosen or not; the rest is forbidden."""
LEAPERS = ("1,2", "1,2", "1,2", "0,1", "1,1", "0,2", "1,3", "2,2", "2,3", "1,1,2", "0,1,1", "1,1,1", "1,2,2")
AXES = "xyzw"


def problem_json(rng: Random) -> Json:
    """A problem as JSON; what it asks for may not fit together."""
    kinds = (stranger, digraph, box, box, holes, periodic, solid, dense)
    data = rng.choices(kinds, (6, 3, 3, 3, 3, 4, 2, 1))[0](rng)
    dress(rng, data, *size_of(data))
    return data


def problem(rng: Random) -> tuple[Json, Problem]:
    """A problem that fits together, and its JSON object."""
    while True:
        try:
            data = problem_json(rng)
            return data, read(data)
        except KTError:
            continue


def read(data: Json) -> Problem:
    """The toolkit's problem, as `Problem.from_json` makes it, but that a graph met before is not made again."""
    if "arcs" in data:
        return Problem.from_json(data)
    graph, weights = graph_of(data), data.get("objective")
    if "weights" in data:
        if any(not -(2**63) <= row[2] < 2**63 for row in data["weights"]):
            raise KTError("a weight that is too large")
        rows = np.array(data["weights"], dtype=np.int64).reshape(-1, 3)
        if len(rows) and not 0 <= rows[:, :2].min() <= rows[:, :2].max() < graph.m:
            raise KTError("an edge that is not there")
        weights = Weights(rows[:, 0].astype(np.int32), rows[:, 1].astype(np.int32), rows[:, 2], weights or "weight")
    dimension = graph.board.dimension if graph.board else 2
    return Problem(
        graph,
        data["connectivity"],
        weights,
        tuple(data.get("terminals", ())),
        frozenset(data.get("required", ())),
        frozenset(data.get("forbidden", ())),
        tuple(Symmetry.parse(text, dimension) for text in data.get("symmetry", ())),
    )


_graphs: dict[str, MoveGraph] = {}


def graph_of(data: Json) -> MoveGraph:
    """The graph of a problem's JSON object."""
    keys = ("board", "leaper", "cells", "shape", "wraps", "vertices", "edges", "arcs", "edge_weights")
    key = repr([data.get(k) for k in keys])
    if key not in _graphs:
        if len(_graphs) > 3000:
            _graphs.clear()
        _graphs[key] = graph_from_json({k: data[k] for k in keys if k in data})
    return _graphs[key]


def size_of(data: Json) -> tuple[int, int]:
    """How many vertices, and how many edges or arcs there are."""
    if "arcs" in data:
        return data["vertices"], len(data["arcs"])
    return graph_of(data).n, graph_of(data).m


# -- where -----------------------------------------------------------------------------------------------------------


def stranger(rng: Random) -> Json:
    """A graph of 1 to 7 vertices, or of a few more with few edges."""
    n = rng.choice((1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 12))
    pairs = [(u, v) for v in range(n) for u in range(v)]
    density = rng.choice((0.3, 0.5, 0.5, 0.7, 1))
    edges = set(rng.sample(pairs, rng.randint(0, 14)) if n > 7 else [p for p in pairs if rng.random() < density])
    if rng.random() < 0.8:  # Most have a tour
        order = rng.sample(range(n), n)
        closing = rng.random() < 0.8
        following = order[1:] + order[:1] * closing
        edges |= {(min(u, v), max(u, v)) for u, v in zip(order, following, strict=False) if u != v}
    name = rng.choice(("graph", "8x8", "6x6", "x", "4x4", "aztec:3"))
    return {"board": name, "vertices": n, "edges": [list(e) for e in sorted(edges)]}


def digraph(rng: Random) -> Json:
    """A directed graph of 1 to 6 vertices."""
    n = rng.choice((1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6))
    density = rng.choice((0.2, 0.3, 0.5, 0.7))
    arcs = {(u, v) for u in range(n) for v in range(n) if u != v and rng.random() < density}
    if rng.random() < 0.8:  # Most have a tour
        order = rng.sample(range(n), n)
        closing = rng.random() < 0.8
        following = order[1:] + order[:1] * closing
        arcs |= {(u, v) for u, v in zip(order, following, strict=False) if u != v}
    return {"board": rng.choice(("graph", "8x8", "x")), "vertices": n, "arcs": [list(arc) for arc in sorted(arcs)]}


RECTANGLES = "1x1 1x2 2x2 2x3 3x3 3x3 3x4 3x4 4x3 2x4 1x4 2x5 4x4 3x5 3x6 5x3"
NARROW = "1x2 1x4 2x2 2x3 3x2 2x4 4x2 3x3 3x4 4x3 1x5 5x1 2x5 4x4 4x1 6x1 1x7"
"""With sides that are small enough for parallel moves."""


def box(rng: Random) -> Json:
    """A rectangle."""
    return {"board": rng.choice(RECTANGLES.split()), "leaper": rng.choice(LEAPERS)}


def holes(rng: Random) -> Json:
    """A rectangle with holes, told by its cells; its name says anything."""
    w, h = rng.randint(1, 5), rng.randint(2, 5)
    cells = [(x, y) for x in range(w) for y in range(h)]
    kept = rng.sample(cells, rng.randint(max(1, len(cells) // 2), len(cells)))
    if rng.random() < 0.4:  # A symmetric one
        kept = sorted(set(kept) | {(w - 1 - x, h - 1 - y) for x, y in kept})
    data: Json = {
        "board": rng.choice((f"{w}x{h}", "8x8", "holes")),
        "leaper": rng.choice(LEAPERS),
        "cells": [list(c) for c in kept],
    }
    if rng.random() < 0.5:
        data["shape"] = [w, h]
        data["wraps"] = [rng.random() < 0.3, rng.random() < 0.3]
    return data


def periodic(rng: Random) -> Json:
    """A torus or a cylinder."""
    shape = rng.choice(NARROW.split())
    return {"board": f"{rng.choice(('torus', 'cylinder'))}:{shape}", "leaper": rng.choice(LEAPERS)}


def solid(rng: Random) -> Json:
    """A box in three dimensions."""
    sides = rng.choice(((2, 2, 2), (2, 2, 3), (2, 3, 3), (1, 3, 3), (3, 2, 2), (1, 2, 4), (3, 3, 1), (2, 2, 1)))
    kind = rng.choice(("", "", "", "torus:", "cylinder:"))
    return {"board": kind + "x".join(map(str, sides)), "leaper": rng.choice(LEAPERS)}


def dense(rng: Random) -> Json:
    """A board with tours by the hundred."""
    return {
        "board": rng.choice(("3x7", "4x5", "5x5-c3", "5x5", "3x8", "torus:4x4", "torus:3x5", "2x3x3")),
        "leaper": "1,2",
    }


# -- what ------------------------------------------------------------------------------------------------------------


def dress(rng: Random, data: Json, n: int, m: int) -> None:
    """Connectivity, terminals, moves, symmetry and objective for a graph."""
    connect(rng, data, n)
    forbidden = set()
    spare = m - rng.randint(MOST_FREE - 8, MOST_FREE)
    if spare > 0:
        forbidden = set(rng.sample(range(m), spare))
    if m and rng.random() < 0.25:
        forbidden |= set(rng.sample(range(m), min(m, rng.randint(1, 3))))
    if forbidden:
        data["forbidden"] = sorted(forbidden)
    if m and rng.random() < 0.25:
        data["required"] = sorted(
            set(rng.sample(range(m), min(m, rng.randint(1, 3)))) - (forbidden if rng.random() < 0.9 else set())
        )
    if "vertices" not in data and rng.random() < 0.35:
        impose(rng, data)
    aim(rng, data, m)


def connect(rng: Random, data: Json, n: int) -> None:
    """A connectivity and terminals."""
    kind = rng.choice(("cycle", "cycle", "cycle", "path", "path", "path", "linkage", "paths", "any"))
    for key in ("terminals", "start", "end"):
        data.pop(key, None)
    if "arcs" in data:
        data["connectivity"] = kind = rng.choice(("cycle", "path"))
        for key in ("start", "end") if kind == "path" else ():
            if rng.random() < 0.3:
                data[key] = rng.randrange(n)
        return
    data["connectivity"] = kind
    if kind == "path":
        count = min(n, rng.choice((0, 0, 1, 2)))
    elif kind in ("linkage", "paths"):
        count = 2 * rng.randint(1, max(1, min(3, n // 2)))
    else:
        count = rng.choice((0, 0, 1, 2, 2, 3, 4)) if kind == "any" else 0
    if 0 < count <= n:
        data["terminals"] = rng.sample(range(n), count)


def impose(rng: Random, data: Json) -> None:
    """A symmetry; more often than not one that maps terminals and forbidden moves to themselves."""
    graph = graph_of(data)
    texts = board_symmetries(data)
    if not texts:
        return
    data["symmetry"] = rng.sample(texts, 1 if rng.random() < 0.85 else min(2, len(texts)))
    if rng.random() < 0.8:
        images = images_of(case_of(Problem(graph, "any")), data["symmetry"])
        for key in ("forbidden", "required"):
            whole = set(data.get(key, ()))
            grown = True
            while grown:
                more = {image[e] for image in images for e in whole}
                grown = not more <= whole
                whole |= more
            if whole and (key == "forbidden" or rng.random() < 0.5):
                data[key] = sorted(whole)


@lru_cache(maxsize=2000)
def _symmetries(board: str) -> tuple[str, ...]:
    import ast

    shape, wraps, cells = ast.literal_eval(board)
    there, texts = set(cells), []
    for axes in permutations(range(len(shape))):
        if any(shape[a] != shape[i] or wraps[a] != wraps[i] for i, a in enumerate(axes)):
            continue
        shifts = product(*(range(side) if wrap else (0,) for side, wrap in zip(shape, wraps, strict=True)))
        for signs, shift in product(product((1, -1), repeat=len(shape)), shifts):
            parts = list(enumerate(zip(axes, signs, shift, strict=True)))
            images = (
                tuple(((c[a] if s > 0 else shape[i] - 1 - c[a]) + t) % shape[i] for i, (a, s, t) in parts)
                for c in cells
            )
            if all(image in there for image in images):
                words = [("-" if s < 0 else "") + AXES[a] + (f"+{t}" if t else "") for _, (a, s, t) in parts]
                texts.append("(" + ",".join(words) + ")")
    return tuple(texts[1:])


def board_symmetries(data: Json) -> list[str]:
    """The signed axis permutations with translations, but the identity, that map the board to itself."""
    board = graph_of(data).board
    if board is None or board.dimension > 3:
        return []
    return list(
        _symmetries(repr((tuple(board.shape), tuple(map(bool, board.wraps)), tuple(map(tuple, board.cells.tolist())))))
    )


def signed(text: str) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Axes, signs and shifts of `(-y+1,x)`."""
    parts = [part.partition("+") for part in text.strip("()").split(",")]
    return (
        tuple(AXES.index(p[-1]) for p, _, _ in parts),
        tuple(-1 if p[0] == "-" else 1 for p, _, _ in parts),
        tuple(int(shift or 0) for _, _, shift in parts),
    )


def images_of(case: Case, texts: list[str]) -> list[list[int]]:
    """The image of each edge of a board under each symmetry."""
    return replace(case, generators=tuple(map(signed, texts))).images


def aim(rng: Random, data: Json, m: int) -> None:
    """An objective."""
    for key in ("objective", "weights", "edge_weights"):
        data.pop(key, None)
    kind = rng.random()
    if "vertices" in data and rng.random() < 0.2:  # The weights that the graph comes with
        data["objective"] = "weight"
        low, high, step = rng.choice(((0, 9, 1), (-9, 9, 1), (0, 5, 2), (-5, 0, 3), (0, 2**40, 1)))
        data["edge_weights"] = [step * rng.randint(low, high) for _ in range(m)]
    elif "vertices" not in data and kind < 0.6:
        data["objective"] = rng.choice(("turns", "turns", "crossings"))
    elif kind < 0.95:
        data["objective"] = rng.choice(("weight", "turns", "crossings", "price"))
        data["weights"] = weight_rows(rng, data, m)
    elif kind < 0.97:
        data["objective"] = "weight"
        data["weights"] = []


def weight_rows(rng: Random, data: Json, m: int) -> list[list[int]]:
    """Rows [edge, edge, weight]."""
    if not m:
        return []
    ends = data["arcs"] if "arcs" in data else graph_of(data).ends.tolist()
    scale = rng.choice(
        (
            "small",
            "small",
            "small",
            "signed",
            "signed",
            "negative",
            "even",
            "multiple",
            "multiple",
            "huge",
            "huge",
            "mixed",
        )
    )
    step = rng.choice((2, 3, 4, 6, 10))
    base = rng.choice((2**31, 2**40, 2**40, 2**53, 2**61, 2**62, 2**63))

    def weight() -> int:
        if scale == "small":
            return rng.randint(0, 5)
        if scale == "even":
            return 2 * rng.randint(-2, 4)
        if scale == "multiple":
            return step * rng.randint(0, 4)
        if scale == "signed":
            return rng.randint(-4, 6)
        if scale == "negative":
            return rng.randint(-9, 0)
        if scale == "mixed" and rng.random() < 0.7:
            return rng.randint(-3, 3)
        sign = rng.choice((1, -1))
        return max(-(2**63), min(2**63 - 1, sign * (base // rng.choice((1, 1, 1, 2, 3)) + rng.randint(-2, 2))))

    kind = rng.choice(("meeting", "meeting", "any", "self", "far"))
    rows = []
    for _ in range(rng.randint(1, rng.choice((2, 6, 3 * m)))):
        e, f = rng.randrange(m), rng.randrange(m)
        if kind == "self" or rng.random() < 0.1:
            f = e
        if kind == "meeting":
            near = [g for g in range(m) if set(ends[g]) & set(ends[e])]
            f = rng.choice(near)
        if kind == "far":
            far = [g for g in range(m) if not set(ends[g]) & set(ends[e])]
            f = rng.choice(far) if far else e
        rows.append([e, f, weight()])
    if rng.random() < 0.1:
        rows += copy.deepcopy(rng.sample(rows, 1))
    if scale == "multiple" and rng.random() < 0.3:  # Every value that has this edge is off by something
        e = rng.randrange(m)
        rows.append([e, e, rng.randint(1, step)])
    texts = board_symmetries(data) if "vertices" not in data and rng.random() < 0.4 else []
    return symmetrised(data, rows, texts) if texts and len(rows) < 40 else rows


def symmetrised(data: Json, rows: list[list[int]], texts: list[str]) -> list[list[int]]:
    """The rows and their images."""
    images = images_of(case_of(Problem(graph_of(data), "any")), texts)
    table = {}
    for e, f, w in rows:
        table[min(e, f), max(e, f)] = w
        for image in images:
            table[min(image[e], image[f]), max(image[e], image[f])] = w
    return [[e, f, w] for (e, f), w in sorted(table.items())]


# -- edits -----------------------------------------------------------------------------------------------------------


def edited(rng: Random, data: Json) -> Json:
    """A problem with one field changed, as a forger would."""
    data = copy.deepcopy(data)
    n, m = size_of(data)
    board = "vertices" not in data
    key = rng.choice(
        (
            "connect",
            "forbidden",
            "required",
            "symmetry",
            "aim",
            "aim",
            "weights",
            "leaper",
            "name",
            "wraps",
            "terminals",
            "cells",
        )
    )
    if key == "connect":
        connect(rng, data, n)
    elif key in ("forbidden", "required") and m:
        whole = set(data.get(key, ()))
        whole ^= set(rng.sample(range(m), 1))
        data[key] = sorted(whole)
    elif key == "symmetry" and board:
        if "symmetry" in data and rng.random() < 0.5:
            del data["symmetry"]
        elif texts := board_symmetries(data):
            data["symmetry"] = [rng.choice(texts)]
    elif key == "aim":
        aim(rng, data, m)
    elif key == "weights" and data.get("weights"):
        row = rng.choice(data["weights"])
        row[2] = rng.choice((-row[2], row[2] + 1, row[2] - 1, 0, 2 * row[2]))
    elif key == "leaper" and board:
        data["leaper"] = rng.choice(LEAPERS)
    elif key == "name":
        data["board"] = (
            rng.choice(("8x8", "6x6", "torus:4x4", "aztec:2", "@x")) if not board or "cells" in data else data["board"]
        )
    elif key == "wraps" and board:
        if "cells" in data:
            shape = graph_of(data).board.shape
            data["wraps"] = [rng.random() < 0.5 for _ in shape]
            data.setdefault("shape", list(shape))
        else:
            _kind, _, shape = data["board"].rpartition(":")
            if "-" not in shape:
                data["board"] = rng.choice(("", "torus:", "cylinder:")) + shape
    elif key == "terminals" and data.get("terminals"):
        data["terminals"][rng.randrange(len(data["terminals"]))] = rng.randrange(n)
        rng.shuffle(data["terminals"])
    elif key in ("wraps", "leaper") and data.get("arcs"):
        arcs = {(u, v) for u, v in data["arcs"]}
        u, v = rng.choice(sorted(arcs))
        arcs = arcs - {(u, v)} | ({(v, u)} if rng.random() < 0.7 else set())
        data["arcs"] = [list(arc) for arc in sorted(arcs)]
    elif key in ("terminals", "cells") and data.get("connectivity") == "path" and "arcs" in data:
        data[rng.choice(("start", "end"))] = rng.randrange(n)
    elif key == "cells" and "cells" in data and len(data["cells"]) > 1:
        data["cells"].remove(rng.choice(data["cells"]))
    return data
