"""`kt convert`: tours and graphs from one format to another."""

from __future__ import annotations

import json
import os

import click

from cli.options import graph_argument, leaper_option, suffix_of
from kt_models import KTError, MoveGraph, read_tour, verify, write_tour
from kt_models.certificate import FORMAT_VERSION
from kt_models.files import read_json, require_writable, write_atomic
from kt_models.graph_files import graph_to_dimacs, graph_to_edge_list, graph_to_hcp

GRAPH_FILES = (".hcp", ".col", ".dimacs", ".edges", ".json")


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--board", help="The board of a .tour file that does not say it itself.")
@leaper_option
def command(source: str, target: str, board: str | None, leaper: str) -> int:
    """Convert a tour (.json, .tour) or a graph (a board's text, .hcp, .col, .json) to the format that OUT's name says.

    \b
    kt convert tour.json tour.tour           TSPLIB tour
    kt convert 8x8 knight8.hcp               TSPLIB graph, for other people's solvers
    kt convert aztec:5 aztec5.col            DIMACS edges
    kt convert graph.hcp graph.edges         an edge list, as networkx reads it
    """
    require_writable(target)
    if _holds_tour(source):
        suffix_of(target, (".json", ".tour"))
        tour = read_tour(source, graph_argument(board, leaper) if board else None)
        try:
            verify(tour)
        except KTError as error:
            raise type(error)(f"{source}: {error}") from None
        write_tour(target, tour)
        return 0
    suffix = suffix_of(target, GRAPH_FILES)
    write_atomic(target, _graph_text(graph_argument(source, leaper), suffix))
    return 0


def _holds_tour(path: str) -> bool:
    if path.lower().endswith(".tour"):
        return True
    if not path.lower().endswith(".json") or not os.path.exists(path):
        return False
    data = read_json(path)
    return isinstance(data, dict) and "tour" in data


def _graph_text(graph: MoveGraph, suffix: str) -> str:
    if suffix == ".hcp":
        return graph_to_hcp(graph)
    if suffix in (".col", ".dimacs"):
        return graph_to_dimacs(graph)
    if suffix == ".edges":
        return graph_to_edge_list(graph)
    return json.dumps({"version": FORMAT_VERSION, "kind": "graph", **graph.to_json()}) + "\n"
