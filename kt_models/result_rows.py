"""The rows of a result for people: its measures, the objective and the bound, for the command and notebooks."""

from __future__ import annotations

from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.weights import WEIGHT, Weights, weights_of


def measure_rows(result: Result) -> list[tuple[str, str]]:
    """Measures of a result, the objective and the bound: names and words."""
    problem, rows, words = result.problem, [], result.problem.unit.words
    name, bound = problem.objective_name or "value", "-" if result.cost_bound is None else words(result.cost_bound)
    best = "most" if problem.unit.maximised else "least"
    least = f" ({best}, proved)" if result.status == "optimal" else f" (bound {bound})"
    if result.tour is not None:
        asked = next((metric for metric in result.tour.metrics if _asks(problem, metric)), None)
        for metric in result.tour.metrics:
            rows.append((metric, f"{result.tour.measure(metric)}{least if metric == asked else ''}"))
        if asked is None and result.cost is not None:
            rows.append((name, f"{words(result.cost)}{least}"))
    elif result.cost is not None or result.measures:
        named = {metric: f"{value:,}" for metric, value in result.measures.items()}
        if result.cost is not None:
            named[name] = f"{words(result.cost)}{least if problem.optional else ''}"
        rows += named.items()
    elif result.cost_bound is not None:
        rows.append(("bound", bound))
    return rows


def _asks(problem: Problem, metric: str) -> bool:
    """Whether the objective is a metric, minimised or maximised."""
    objective = problem.objective
    if metric == WEIGHT:
        edge_weights = weights_of(problem.graph)
        return (
            objective in (edge_weights, edge_weights.to_maximise())
            and objective is not None
            and problem.objective_name == WEIGHT
        )
    if not isinstance(objective, Weights):
        return objective == metric
    expression, maximised = problem.expression, objective.maximised
    return expression is not None and (-expression if maximised else expression).metric == metric
