"""Transposed boards: the bound of 8x6 by the certificate of 6x8, for example.

The reflection (x, y) -> (y, x) takes cells to cells and the moves of a leaper to its moves, and so solutions of one
problem to solutions of the other, with as many turns and as many crossings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.board import Board
from kt_models.errors import CertificateError
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates.certificate import Certificate
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

METHOD = "turned"


def exchanged(problem: Problem) -> Problem | None:
    """The same problem on the board with its two sides exchanged.

    None for boards that are not plane, graphs without a board, objectives other than turns and crossings, and problems
    with a symmetry or with required or forbidden moves.
    """
    graph = problem.graph
    board, leaper = graph.board, graph.leaper
    if board is None or leaper is None or board.dimension != 2 or not isinstance(problem.objective, str):
        return None
    if problem.symmetry or problem.required or problem.forbidden:
        return None
    mask = None if board.mask is None else np.ascontiguousarray(board.mask.T)
    transposed = Board(board.shape[::-1], mask, board.wraps[::-1])
    terminals = transposed.numbers(board.cells[list(problem.terminals)][:, ::-1]).tolist() if problem.terminals else ()
    return Problem(MoveGraph.of(transposed, leaper), problem.connectivity, problem.objective, tuple(terminals))


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The bound that the `certificate` of the exchanged problem shows.

    Raises
    ------
    CertificateError
        If the certificate is about another problem, is itself transposed, or does not show its claim.
    Stopped
        If a limit is reached.
    """
    certificate = Certificate.from_json(data.get("certificate"))
    if certificate.method == METHOD or certificate.cost_bound is None:
        raise CertificateError("turned: the certificate shows no bound by itself")
    if certificate.problem != exchanged(problem):
        raise CertificateError("turned: the certificate is not of the board with its sides exchanged")
    certificate.check(limits)
    return certificate.cost_bound
