"""A cut certificate (toughness; colour balance is a case of it) as a cutting-planes proof of a line.

Two moves lead out of each piece that is left, save where the path ends in it, and these end in the vertices taken out,
each of which has room for two.  The sum of these constraints fails.
"""

from __future__ import annotations

import networkx as nx

from encoders.pb.proof import HEADER, CuttingPlanes, numbers_of, pol, times_row
from kt_models.certificates import Certificate
from kt_models.certificates.cuts import Cut
from kt_models.certificates.proofs.cutting_planes import formula_of


def refute_cut(certificate: Certificate) -> CuttingPlanes:
    """The formula and the refutation that a certificate of method `cut` makes; it has to be right."""
    problem, graph = certificate.problem, certificate.problem.graph
    removed, moves = certificate.data["removed"], certificate.data.get("moves", [])
    left = nx.Graph()
    left.add_nodes_from(range(graph.n))
    left.add_edges_from(pair for e, pair in enumerate(graph.ends.tolist()) if e not in {*problem.forbidden, *moves})
    left.remove_nodes_from(removed)
    model = formula_of(problem, None, [Cut(tuple(sorted(piece))) for piece in nx.connected_components(left)])
    numbers = numbers_of(model)
    words = [times_row(numbers, model.cut_row + i, 1) for i in range(len(model.cuts))]
    for v in removed:
        at = [(e, side) for e in graph.edges_of(v).tolist() for side in (0, 1) if graph.ends[e][side] == v]
        words += [times_row(numbers, int(model.edge_rows[e, side]), 1) for e, side in at]
        words += [times_row(numbers, int(row), 1) for row in [model.end_row[v]] if row >= 0]
        words.append(times_row(numbers, model.vertex_row + v, -1 if v in problem.terminals else -2))
    if model.instance.free_ends:
        words.append(times_row(numbers, model.ends_row, -1))
    number = model.inequalities + 1
    lines = [pol(words), "rup >= 1 ;", f"c {number + 1}"]
    return CuttingPlanes(model, [HEADER, f"f {model.inequalities}", *lines])
