"""`formation`: four knights in formation, with a choice of heels and junctions.

It differs from the paper (Besa et al. 2022) in three things:

- On boards of height 12 whose width is a multiple of 8, the junction of height 8 of Algorithm 1 leaves no room to turn
  in the bottom right corner. Junctions of heights 6 and 7 are used.
- Of the exits (4, 4), (5, 5), (6, 6) of the 6x6 junction, only the first admits a junction.
- The worked example of Lemma 3 has the cell (13, 13) at index 85, counted from 1. Here it has index 91 (`kt find 62x62
  --heel plain --cell-at 90`, which counts from 0, prints `12,12`), because our bottom left junction has 6 more cells
  before the regular pattern. All figures of the example hold with this shift.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heuristics.method import Method
from heuristics.papers.taming.formation.styles import Corner, Style
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.tour import Tour

if TYPE_CHECKING:
    from drawing.explanation_parts import Parts
    from kt_models.graph import MoveGraph


def formation(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    heel: Style = "turns",
    junction: Corner = "heights",
) -> Result:
    """The formation tour of a board, in time linear in its cells.

    Parameters
    ----------
    heel
        `plain`: the four knights stay in formation; `turns`, `crossings`: with the heels and corners that have the
        fewest (Besa et al. 2022, Figure 11); `both`: heels a diagonal move longer, which have as few turns as those and
        fewer crossings than these.
    junction
        Of rectangles and boxes: `heights`, those of Algorithm 1; `best`, of the same ones the two with the fewest turns
        (crossings, with that heel), and the better way around where both sides are even. Of rectangles: `square`, the
        6×6 one of Figure 8, from 26 × 18 on.

    Raises
    ------
    KTError
        If the construction does not cover the board or the symmetry.
    """
    from heuristics.papers.taming.formation.boards import formation_order

    if limits.over:
        return Result(problem, "unknown")
    order = formation_order(problem, heel, junction)
    tour = Tour(problem.graph, order, True)
    if problem.required or problem.forbidden:
        edges = set(tour.edges.tolist())
        if not problem.required <= edges or problem.forbidden & edges:
            return Result(problem, "unknown")
    return Result(problem, "feasible", tour)


def explain(subject: Tour | MoveGraph) -> Parts:
    """The strands of the leapers in a formation tour; for a board, the moves of the formation on it."""
    from heuristics.papers.taming.formation.picture import moves_of, strands_of

    return strands_of(subject) if isinstance(subject, Tour) else moves_of(subject)


METHOD = Method(
    formation,
    "Four knights in formation along diagonals; few turns and crossings (Besa et al. 2022).",
    ("cycle",),
    symmetric=True,
    near_optimal=True,
    explain=explain,
    constructs=True,
)
