"""What each choice in the CP-SAT formulation buys: time to a proof, variant beside variant, in one run.

    python benchmarks/formulation.py --limit 60 -o benchmarks/results/formulation.json

Every variant starts from nothing (no hint) but the last, which is `kt solve` as it is. The seconds depend on the
machine and on what else it does; the ratios to the first row (the plain model) are what to read.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

from encoders import solve
from encoders.cpsat import engine as cpsat
from encoders.cpsat.model import Model
from encoders.work.run import Engine, Run, race
from kt_models import Problem, graph_of
from kt_models.limits import Limits

CASES = [("8x8", "turns"), ("10x10", "turns"), ("6x6", "crossings"), ("6x8", "crossings")]


class Plain(Model):
    """Edges, arcs, straightness or products bounded from the one side the objective pulls; nothing to strengthen."""

    def _group_products(self, literal: dict) -> None:
        pass

    def _product_cost(self, pairs: list) -> list:
        return [w * self._product(e, f, at_most=w < 0, at_least=w > 0) for e, f, w in pairs]


class OneSided(Model):
    """Grouped rows, but products bounded from one side."""

    def _product(self, e: int, f: int, at_most: bool, at_least: bool) -> Any:
        return super()._product(e, f, at_most and not at_least, at_least)


class Ungrouped(Model):
    """Products bounded from both sides, no grouped rows."""

    def _group_products(self, literal: dict) -> None:
        pass


class MovePairs(Model):
    """A variable for each pair of edges at a vertex (28 at most), exactly one of them chosen, the edges their sums."""

    def _degrees(self) -> None:
        super()._degrees()
        graph = self.problem.graph
        self.pair: dict[tuple[int, int, int], Any] = {}
        for v in range(graph.n):
            at = sorted(graph.edges_of(v).tolist())
            pairs = {(e, f): self.cp.new_bool_var("") for i, e in enumerate(at) for f in at[i + 1 :]}
            self.cp.add_exactly_one(pairs.values())
            for e in at:
                self.cp.add(sum(y for pair, y in pairs.items() if e in pair) == self.edge[e])
            self.pair |= {(v, e, f): y for (e, f), y in pairs.items()}

    def _vertex_cost(self, v: int, weight: dict[tuple[int, int], int]) -> Any:
        return sum(w * self.pair[v, e, f] for (e, f), w in weight.items())


def circuit(*searches: str) -> Callable[[Problem], list[Engine]]:
    return lambda problem: [cpsat.CpSatEngine(problem, "circuit", 2, searches)]


def cut_sets(*searches: str) -> Callable[[Problem], list[Engine]]:
    return lambda problem: [cpsat.CpSatEngine(problem, "cut-set", 2, searches)]


def side_by_side(problem: Problem) -> list[Engine]:
    searches = {"circuit": ["max_lp"], "cut-set": ["lb_tree_search"]}
    return [cpsat.CpSatEngine(problem, encoding, 1, search) for encoding, search in searches.items()]


VARIANTS: list[tuple[str, type[Model], Callable[[Problem], list[Engine]]]] = [
    ("plain model, default searches", Plain, circuit()),
    ("our model, default searches", Model, circuit()),
    ("plain model, max_lp + core", Plain, circuit("max_lp", "core")),
    ("our model, max_lp + core", Model, circuit("max_lp", "core")),
    ("  less the grouped rows", Ungrouped, circuit("max_lp", "core")),
    ("  less one side of the products", OneSided, circuit("max_lp", "core")),
    ("  with a variable for each pair of moves at a cell", MovePairs, circuit("max_lp", "core")),
    ("our model, max_lp + reduced_costs", Model, circuit("max_lp", "reduced_costs")),
    ("our model, max_lp + quick_restart", Model, circuit("max_lp", "quick_restart")),
    ("cut-sets, default searches", Model, cut_sets()),
    ("cut-sets, max_lp + core", Model, cut_sets("max_lp", "core")),
    ("cut-sets, lb_tree_search + max_lp", Model, cut_sets("lb_tree_search", "max_lp")),
    ("circuit max_lp beside cut-sets lb_tree_search", Model, side_by_side),
]


def measure(
    board: str, metric: str, model: type[Model], engines: Callable[[Problem], list[Engine]], limit: float
) -> dict:
    problem = Problem(graph_of(board), objective=metric)
    run = Run(Limits(limit, workers=2))
    with mock.patch.object(cpsat, "Model", model):
        answer = race(run, engines(problem))
    return {
        "seconds": round(run.elapsed, 2),
        "proved": answer.status == "optimal",
        "value": run.value,
        "bound": run.bound,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("-o", "--output", default="benchmarks/results/formulation.json")
    options = parser.parse_args()
    solve(Problem(graph_of("6x6"), objective="turns"))  # Compile the heuristics before anything is timed
    rows: dict[str, dict[str, dict]] = {}
    for board, metric in CASES:
        for name, model, engines in VARIANTS:
            rows.setdefault(name, {})[f"{metric} {board}"] = measure(board, metric, model, engines, options.limit)
            print(f"{metric:9} {board:6} {name:45} {rows[name][f'{metric} {board}']}", flush=True)
        started = time.monotonic()
        result = solve(Problem(graph_of(board), objective=metric), limits=Limits(options.limit, workers=2))
        row = {"seconds": round(time.monotonic() - started, 2), "proved": result.status == "optimal"}
        rows.setdefault("kt solve (with its warm start)", {})[f"{metric} {board}"] = row | {
            "value": result.value,
            "bound": result.bound,
        }
        print(f"{metric:9} {board:6} {'kt solve':45} {row}", flush=True)
    with open(options.output, "w") as stream:
        json.dump({"limit": options.limit, "workers": 2, "rows": rows}, stream, indent=1)
        stream.write("\n")
    print(table(rows))


def table(rows: dict[str, dict[str, dict]]) -> str:
    """A Markdown table: seconds, and times faster than the first row (at least, where that was not proved)."""
    cases = list(next(iter(rows.values())))
    lines = ["| variant | " + " | ".join(cases) + " |", "| --- |" + " ---: |" * len(cases)]
    first = next(iter(rows.values()))
    for name, cells in rows.items():
        texts = []
        for case in cases:
            cell, base = cells[case], first[case]
            if not cell["proved"]:
                texts.append(f"open: {cell['bound']}..{cell['value']}")
                continue
            ratio = base["seconds"] / cell["seconds"]
            texts.append(f"{cell['seconds']:.1f} s, {'' if base['proved'] else '>'}{ratio:.1f}x")
        lines.append(f"| {name.replace('  ', '… ')} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
