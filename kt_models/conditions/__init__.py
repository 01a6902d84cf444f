"""Conditions on solutions: one class each in the table `CONDITIONS`, in the order in which claims tell them."""

from __future__ import annotations

from kt_models.conditions.condition import Condition, Exclusion, LocalCondition
from kt_models.conditions.cycles import Cycles
from kt_models.conditions.edge_sums import EdgeSum, EdgeSums
from kt_models.conditions.in_order import InOrder
from kt_models.conditions.straight import BlackPearls, Straight, Turning, WhitePearls
from kt_models.conditions.triples import Triples

CONDITIONS: dict[str, type[Condition]] = {
    kind.name: kind for kind in (Cycles, InOrder, Straight, Turning, WhitePearls, BlackPearls, Triples, EdgeSums)
}
"""All kinds of conditions by name."""

__all__ = [
    "BlackPearls",
    "CONDITIONS",
    "Condition",
    "Cycles",
    "EdgeSum",
    "EdgeSums",
    "Exclusion",
    "InOrder",
    "LocalCondition",
    "Straight",
    "Triples",
    "Turning",
    "WhitePearls",
]
