"""Certificate data of a forger: random and well formed, genuine, perturbed, spliced, senseless."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

from kt_models import CertificateError, KTError, Problem
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates.quotient import quotient_of
from kt_models.kernel.certificates.rewritten import without_gains_apart
from kt_models.kernel.certificates.transposed import exchanged
from kt_models.limits import Limits
from tests.oracle.methods import Checker
from tests.oracle.problems import Json, board_symmetries

# -- random data, by method ------------------------------------------------------------------------------------------


def number(rng: Random) -> int:
    """An integer: small, mostly."""
    kind = rng.random()
    if kind < 0.75:
        return rng.randint(-3, 3)
    if kind < 0.95:
        return rng.randint(-12, 12)
    return rng.choice((1, -1)) * (2 ** rng.choice((29, 31, 39, 40, 53, 61, 62, 63)) - rng.randint(0, 2))


def some(rng: Random, size: int, most: int) -> list[int]:
    """Distinct numbers below `size`."""
    return rng.sample(range(size), min(size, rng.randint(0, most)))


def symmetries(rng: Random, data: Json, chance: float = 0.3) -> list[str]:
    """Symmetries of a problem's board, perhaps."""
    texts = board_symmetries(data) if "vertices" not in data and rng.random() < chance else []
    return rng.sample(texts, min(len(texts), rng.randint(1, 2))) if texts else []


def cut(rng: Random, problem: Problem) -> tuple[list[int], list[int]]:
    """A set of vertices, and perhaps teeth that leave it."""
    graph = problem.graph
    inside = some(rng, graph.n, graph.n - 1) or [rng.randrange(graph.n)]
    leaving = [e for e, (u, v) in enumerate(graph.ends.tolist()) if (u in inside) != (v in inside)]
    teeth: list[int] = []
    if leaving and rng.random() < 0.5:
        teeth = rng.sample(leaving, min(len(leaving), rng.choice((1, 1, 2, 3, 3, 5))))
    return inside, teeth


def branching(rng: Random, problem: Problem) -> list[int]:
    """What a node is split by."""
    graph = problem.graph
    if rng.random() < 0.7 and graph.m:
        return [rng.choice((1, 2)), rng.randrange(graph.m)]
    return [rng.choice((3, 4)), rng.randrange(graph.n), rng.choice((0, 0, 1, 2, -1, number(rng)))]


def changes(rng: Random, size: int, most: int) -> list[int]:
    """Pairs of a multiplier's number and a change."""
    return [x for i in some(rng, size, most) for x in (i, number(rng))]


def tree(rng: Random, data: Json, problem: Problem) -> Json:
    """Cuts, multipliers, nodes."""
    m = problem.graph.m
    cuts = [list(cut(rng, problem)) for _ in range(rng.choice((0, 0, 1, 2, 4)))]
    size = m + 1 + len(cuts)
    made: Json = {"denominator": rng.choice((1, 1, 1, 2, 3, 2**31, 2**40))}
    if cuts:
        made["cuts"] = cuts
    if rng.random() < 0.8:
        made["multipliers"] = [[i, abs(number(rng)) if i > m else number(rng)] for i in some(rng, size, size)]
    if texts := symmetries(rng, data):
        made["symmetry"] = texts
    if rng.random() < 0.6:
        inner = rng.choice((0, 0, 1, 1, 2, 3, 6))
        made["nodes"] = [branching(rng, problem) for _ in range(inner)]
        made["nodes"] = [[*node, *(changes(rng, size, 3) if rng.random() < 0.3 else [])] for node in made["nodes"]]
        leaves = [[0, *(changes(rng, size, 3) if rng.random() < 0.5 else [])] for _ in range(inner + 1)]
        made["nodes"] += leaves
    return made


def regions(rng: Random, data: Json, problem: Problem) -> Json:
    """Regions that overlap or not, closed or not."""
    n = problem.graph.n
    parts = []
    if rng.random() < 0.5:  # Disjoint
        order = rng.sample(range(n), n)
        while order:
            size = rng.randint(1, len(order))
            parts.append(order[:size])
            order = order[size:]
    else:
        parts = [rng.sample(range(n), rng.randint(1, n)) for _ in range(rng.randint(1, 3))]
    closed = rng.random()
    return {
        "regions": [{"cells": part, "closed": rng.random() < closed} for part in parts],
        "laps": rng.randint(1, 4),
        "penalty": rng.choice((0, 0, 1, 5, rng.randint(0, 1000))),
    }


def frontier(rng: Random, data: Json, problem: Problem) -> Json:
    """An order, a number to look below, potentials."""
    graph = problem.graph
    made: Json = {}
    if rng.random() < 0.6:
        made["at_least"] = rng.choice((rng.randint(-5, 40), rng.randint(0, 10), number(rng)))
    if rng.random() < 0.5:
        made["order"] = rng.sample(range(graph.n), graph.n)
    if rng.random() < 0.2:
        made["relaxed"] = rng.random() < 0.7
    if rng.random() < 0.4 and graph.m:
        made["potentials"] = [[e, number(rng)] for e in some(rng, graph.m, graph.m)]
        if rng.random() < 0.5:
            made["denominator"] = rng.choice((1, 2, 3, 1000))
        if texts := symmetries(rng, data):
            made["symmetry"] = texts
    return made


def quotient(rng: Random, data: Json, problem: Problem) -> Json:
    """The same of orbits, where they make sense."""
    try:
        orbits = quotient_of(problem)
    except KTError:  # Weights that are too large to be added up
        orbits = None
    return frontier(rng, data, orbits or problem)


def bands(rng: Random, data: Json, problem: Problem) -> Json:
    """Columns cut anywhere, prices, and a bound that may be true."""
    board = problem.graph.board
    if board is None or board.dimension != 2:
        return {}
    width, height = sorted(board.shape)
    cuts = [0, *sorted(some(rng, width + 1, 3)), width]
    moves = 2 * ((width - 1) * max(height - 2, 0) + max(width - 2, 0) * (height - 1))
    prices = [[number(rng) % 60 * (rng.random() < 0.5) for _ in range(moves)] for _ in range(2)]
    widths = [b - a for a, b in pairwise(cuts) if b > a]
    return {"at_least": rng.randint(0, 70), "bands": widths, "across": prices[0], "middle": prices[1]}


def swept(rng: Random, data: Json, problem: Problem) -> Json:
    """An order, or none, or half of one."""
    n = problem.graph.n
    return rng.choice(({}, {"order": rng.sample(range(n), n)}, {"order": rng.sample(range(n), n // 2)}))


def claims(rng: Random, metric: str, leaper: str) -> list[Json]:
    """What a file says of all boards: a bound from below, mostly on rectangles."""
    relation = "at-least" if rng.random() < 0.95 else "at-most"
    bound = {
        "relation": relation,
        "metric": metric,
        "slope": [rng.randint(-2, 9), rng.choice((1, 1, 2))],
        "constant": [rng.randint(-40, 40), 1],
    }
    boards = {"shape": rng.choice(("rectangles", "rectangles", "squares")), "least": rng.choice((1, 5, 8, 12, 40))}
    return [{"boards": boards, "leaper": leaper, "closed": rng.random() < 0.6, "bounds": [bound]}]


def piece(rng: Random, problem: Problem) -> str:
    """A leaper in the plane: that of the problem, if it has one."""
    leaper = problem.graph.leaper
    name = str(leaper) if leaper is not None and rng.random() < 0.9 else "1,2"
    return name if name.count(",") == 1 else "1,2"


def family(rng: Random, data: Json, problem: Problem) -> Json:
    """Tables of numbers, often with a period, and a claim."""
    name, period = piece(rng, problem), rng.choice((1, 1, 2, 3, 4))
    legs = [int(leg) for leg in name.split(",")]
    tables: dict[str, dict[tuple[int, ...], int]] = {"side": {}}
    if rng.random() < 0.3:
        tables["left"] = {}
    corner = {}
    for _ in range(rng.choice((0, 1, 3, 6))):
        across, inward = rng.sample(legs, 2)
        position = (rng.randrange(period),) if period > 1 else ()
        rng.choice(list(tables.values()))[(rng.randint(0, 3), across, inward, *position)] = number(rng)
    for _ in range(rng.choice((0, 1, 3))):
        dx, dy = rng.sample(legs, 2)
        corner[rng.randint(0, 3), rng.randint(0, 3), rng.choice((dx, -dx)), rng.choice((dy, -dy))] = number(rng)
    stated = claims(rng, "turns", name)
    if period > 1 and stated[0]["boards"]["shape"] == "rectangles":
        stated[0]["boards"] |= {"modulus": period, "sides": sorted(rng.randrange(period) for _ in range(2))}
    return {
        "kind": "turns-family",
        "version": FORMAT_VERSION,
        "claims": stated,
        "denominator": rng.choice((1, 1, 2, 5)),
        **({"period": period} if period > 1 else {}),
        **{table: [[*row, a] for row, a in rows.items()] for table, rows in tables.items()},
        "corner": [[*row, a] for row, a in corner.items()],
    }


def belt(rng: Random, data: Json, problem: Problem) -> Json:
    """How wide a belt is swept how often, and a claim."""
    name = piece(rng, problem)
    view = 2 * max(map(int, name.split(","))) - 1
    rows = rng.choice((1, 1, 1, 2))
    return {
        "kind": "crossings-family",
        "version": FORMAT_VERSION,
        "claims": claims(rng, "crossings", name),
        "rows": rows,
        "full": 3 * rows + 2 * view + rng.choice((-1, 0, 0, 0, 1, 3)),
        "laps": rng.randint(1, 4),
        **({"penalty": rng.choice((0, 1, 5, 100))} if rng.random() < 0.5 else {}),
    }


def turned(rng: Random, data: Json, problem: Problem) -> Json:
    """A certificate of the board with its sides exchanged, or now and then of another problem."""
    from tests.oracle.files import certificate_json

    other = exchanged(problem) if rng.random() < 0.9 else problem
    if other is None:
        return {}
    method, theirs = rng.choice(("tree", "regions", "frontier", "turned")), other.to_json()
    body = {} if method == "turned" else random_data(rng, method, theirs, other)
    return {"certificate": certificate_json(method, theirs, rng.choice((0, 1, 3, rng.randint(-5, 30))), body)}


def rewritten(rng: Random, data: Json, problem: Problem) -> Json:
    """A certificate of the objective in other words, or now and then of another problem."""
    from tests.oracle.files import certificate_json

    other = without_gains_apart(problem) if rng.random() < 0.9 else problem
    if other is None:
        return {}
    method, theirs = rng.choice(("tree", "regions", "frontier", "rewritten")), other.to_json()
    body = {} if method == "rewritten" else random_data(rng, method, theirs, other)
    return {"certificate": certificate_json(method, theirs, rng.choice((0, 1, 3, rng.randint(-30, 30))), body)}


def removed(rng: Random, data: Json, problem: Problem) -> Json:
    """A set of vertices to be taken out, those of the plain graph that are no cells among them."""
    size = problem.graph.n + 2 + len(problem.required)
    return {"removed": some(rng, size, max(1, size // 2))}


def parts(rng: Random, data: Json, problem: Problem) -> Json:
    """Parts of the plain graph, with vertices that earlier steps made; in the end often all of it."""
    size = problem.graph.n + 2 + len(problem.required)
    steps = [
        {rng.choice(("take", "take", "keep")): some(rng, size + i, max(1, size // 2))} for i in range(rng.randint(0, 2))
    ]
    if rng.random() < 0.5:
        steps.append({"take": rng.sample(range(problem.graph.n + len(steps)), problem.graph.n + len(steps))})
    return {"steps": steps}


def edge_tree(rng: Random, data: Json, problem: Problem) -> Json:
    """A claim, cuts, and a tree of cases by edge."""
    n, m = problem.graph.n, problem.graph.m
    cuts = [list(cut(rng, problem)) for _ in range(rng.choice((0, 0, 1, 2, 4)))]
    size = n + 1 + len(cuts)
    nodes = []
    for _ in range(rng.choice((1, 1, 3, 5))):
        listed = [x for i in some(rng, size, size) for x in (i, abs(number(rng)) if i > n else number(rng))]
        nodes.append([0, *listed] if rng.random() < 0.6 or not m else [1, rng.randrange(m), *listed])
    return {
        "at_least": number(rng),
        "denominator": rng.choice((1, 1, 1, 2, 3, 2**31)),
        "cuts": cuts,
        "nodes": nodes,
    }


def strip(rng: Random, data: Json, problem: Problem) -> Json:
    """Where the costs of columns might repeat."""
    return {"column": rng.choice((8, 13, number(rng))), "period": rng.choice((1, 4, number(rng)))}


def nothing(rng: Random, data: Json, problem: Problem) -> Json:
    """The problem alone is to show it."""
    return {}


RANDOM: dict[str, Callable[[Random, Json, Problem], Json]] = {
    "tree": tree,
    "farkas": tree,
    "edge-tree": edge_tree,
    "regions": regions,
    "frontier": frontier,
    "quotient": quotient,
    "bands": bands,
    "family": family,
    "belt": belt,
    "strip": strip,
    "turned": turned,
    "rewritten": rewritten,
    "cut": removed,
    "sweep": swept,
    "parts": parts,
}


def random_data(rng: Random, method: str, data: Json, problem: Problem) -> Json:
    """Well-formed data of a method."""
    return RANDOM.get(method, nothing)(rng, data, problem)


def genuine(rng: Random, problem: Problem, least: int | None) -> tuple[str, Json] | None:
    """What a maker makes for a problem: method and data."""
    from encoders.bounds import certify_lower_bound
    from encoders.bounds.methods import method_named
    from encoders.branch_and_cut.search import BranchAndCut
    from encoders.lp.farkas import by_cases
    from heuristics.obstruction import find_obstruction

    if least is None or problem.objective is None:
        find = rng.choice((find_obstruction, lambda problem: by_cases(problem, Limits(3), 1000)))
        found = find(problem) if least is None else None
        return (found.method, found.data) if found is not None else None
    maker = rng.choice(
        ("relaxation", "relaxation", "branching", "branching", "regions", "frontier", "quotient", "edge-tree")
    )
    try:
        if maker == "edge-tree":  # As a method it leaves graphs as small as these to others.
            grown = BranchAndCut(problem)
            grown.grow(Limits(3), 50)
            data = grown.data()
            return None if data is None else (maker, data)
        aimed = least if method_named(maker).aims else None
        made = certify_lower_bound(problem, aimed, method=maker, time_limit=3)
    except KTError:
        return None
    return made.method, made.data


# -- from data to data -----------------------------------------------------------------------------------------------

JUNK: tuple[Any, ...] = (
    None, True, False, "", "1", "x", 1.0, -0.5, float("nan"), float("inf"), 2**63, -(2**63), 2**64, 10**30, 10**400, -1,
    [], [[]], {}, {"a": 1}, [0], [None], [[0, 0], [0]],
)  # fmt: skip


def perturbed(rng: Random, data: Any) -> Any:
    """The same, with a number or a list changed a little somewhere; its types stay."""
    data = copy.deepcopy(data)
    places = list(_places(data))
    if not places:
        return data
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        holder, key = rng.choice(places)
        try:
            value = holder[key]
        except (IndexError, KeyError):
            continue
        if type(value) is bool:
            holder[key] = not value
        elif type(value) is int:
            holder[key] = rng.choice(
                (value + 1, value - 1, value + number(rng), -value, 2 * value, number(rng), abs(value))
            )
        elif type(value) is list and value:
            i, j = rng.randrange(len(value)), rng.randrange(len(value))
            kind = rng.randrange(5)
            if kind == 0:
                value[i], value[j] = value[j], value[i]
            elif kind == 1:
                del value[i]
            elif kind == 2:
                value.insert(j, copy.deepcopy(value[i]))
            elif kind == 3:
                value[i:j] = value[i:j][::-1]
            else:
                value[i] = copy.deepcopy(value[j])
    return data


def spoiled(rng: Random, data: Any) -> Any:
    """The same with something senseless in it."""
    data = copy.deepcopy(data)
    places = list(_places(data))
    if not places or rng.random() < 0.05:
        return {rng.choice(("nodes", "cuts", "removed", "regions", "order", "x")): rng.choice(JUNK)}
    holder, key = rng.choice(places)
    kind = rng.random()
    if kind < 0.8:
        holder[key] = rng.choice(JUNK)
    elif kind < 0.9:
        del holder[key]
    else:
        deep: Any = holder[key]
        for _ in range(rng.choice((3, 40, 120))):
            deep = [deep]
        holder[key] = deep
    return data


def spliced(rng: Random, data: Any, other: Any) -> Any:
    """Some keys from one, some from the other."""
    data = copy.deepcopy(data)
    for key, value in other.items():
        if rng.random() < 0.4:
            data[key] = copy.deepcopy(value)
    return data


def _places(value: Any) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield value, key
        yield from _places(inner)


# -- the best of a checker -------------------------------------------------------------------------------------------


def mended(checker: Checker, problem: Problem, data: Json, rng: Random) -> tuple[Any, Json]:
    """What the checker says, after the tree of nodes was made to fit as the checker's words ask for it."""
    data = copy.deepcopy(data)
    for _ in range(40):
        try:
            return checker.call(problem, data), data
        except CertificateError as error:
            words, nodes = str(error), data.get("nodes")
            if type(nodes) is not list:
                raise
            if "breaks off" in words:
                nodes.append([0])
            elif match := re.search(r"complete after (\d+) nodes", words):
                if int(match[1]) == 0:
                    raise
                del nodes[int(match[1]) :]
            elif match := re.search(r"node (\d+) is split", words):
                nodes[int(match[1])] = branching(rng, problem) if rng.random() < 0.5 else [0]
            elif match := re.search(r"node (\d+)", words):
                if int(match[1]) < len(nodes) and nodes[int(match[1])] != [0]:
                    nodes[int(match[1])] = [0]
                else:
                    raise
            else:
                raise
    raise CertificateError("it cannot be mended")


def climbed(checker: Checker, problem: Problem, data: Json, rng: Random, steps: int) -> tuple[int | None, Json]:
    """The data, changed little by little such that the bound that it shows grows."""
    try:
        best, data = mended(checker, problem, data, rng)
    except KTError:
        best = None
    for _ in range(steps):
        try:
            value, trial = mended(checker, problem, perturbed(rng, data), rng)
        except KTError:
            continue
        if best is None or value >= best:
            best, data = value, trial
    return best, data
