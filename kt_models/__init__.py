"""The vocabulary of kt: boards, moves, graphs, tours, problems, results and certificates.

>>> from kt_models import Board, MoveGraph, Problem
>>> graph = MoveGraph.of(Board.parse("8x8"))
>>> graph.n, graph.m
(64, 168)
"""

from kt_models.board import Board
from kt_models.errors import CertificateError, InvalidTour, KTError, TooLarge
from kt_models.files.given import read_tour, write_tour
from kt_models.files.graphs import graph_of, read_graph
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import Certificate, check
from kt_models.leaper import KNIGHT, Leaper
from kt_models.pairs import pair_weights
from kt_models.problem import Problem, verify_edges
from kt_models.result import Result
from kt_models.symmetry import Symmetry
from kt_models.tour import Tour, verify
from kt_models.weights import Weights

__version__ = "0.1.0"

__all__ = [
    "KNIGHT",
    "Board",
    "Certificate",
    "CertificateError",
    "InvalidTour",
    "KTError",
    "Leaper",
    "MoveGraph",
    "Weights",
    "Problem",
    "Result",
    "Symmetry",
    "TooLarge",
    "Tour",
    "check",
    "graph_of",
    "pair_weights",
    "read_graph",
    "read_tour",
    "verify",
    "verify_edges",
    "write_tour",
]
