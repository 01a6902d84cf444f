"""A cut certificate (toughness, with colour balance as a special case) as a cutting-planes proof of one line.

Two moves lead out of each piece that is left, except where the path ends in it. They end in the removed vertices, each
of which has room for two. The sum of these constraints is a contradiction.
"""

from __future__ import annotations

import networkx as nx

from encoders.pb.proof import CuttingPlanes, Derivation
from kt_models.kernel.certificates import Certificate
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.limits import NO_LIMITS, Limits


def refute_cut(certificate: Certificate, flow: int | None = None, limits: Limits = NO_LIMITS) -> CuttingPlanes:
    """The formula and the refutation of a certificate of method `cut`, which must be right."""
    problem, graph = certificate.problem, certificate.problem.graph
    removed, moves = certificate.data["removed"], certificate.data.get("moves", [])
    left = nx.Graph()
    left.add_nodes_from(range(graph.n))
    left.add_edges_from(pair for e, pair in enumerate(graph.ends.tolist()) if e not in {*problem.forbidden, *moves})
    left.remove_nodes_from(removed)
    pieces = [Cut(tuple(sorted(piece))) for piece in nx.connected_components(left)]
    limits.check()
    proof = Derivation(problem, None, pieces, flow)
    words = [proof.row(proof.cut_row + i, 1) for i in range(len(pieces))] + proof.degrees(removed, -1)
    if problem.free_ends:
        words.append(proof.row(proof.model.ends_row, -1))
    proof.pol(words)
    return proof.conclude(proof.rup())
