"""`kt convert`: tours and graphs from one format to another, and problems as CNF."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from cli.names import NameOption, cnf_encodings
from cli.options import graph_argument, leaper_option, suffix_of
from cli.problem import problem_of, problem_options
from kt_models import KTError, MoveGraph, write_tour
from kt_models.files.graphs import graph_to_dimacs, graph_to_edge_list, graph_to_hcp
from kt_models.files.tours import read_valid_tour
from kt_models.format import FORMAT_VERSION
from kt_models.storage import read_json, require_writable, write_atomic

GRAPH_FILES = (".hcp", ".col", ".dimacs", ".edges", ".json", ".cnf")


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--board", help="The board of a .tour file that does not say it itself.")
@leaper_option
@click.option("--encoding", cls=NameOption, describe=cnf_encodings)
@problem_options
def command(source: str, target: str, board: str | None, leaper: str, **asked: Any) -> int:
    """Convert a tour (.json, .tour) or a graph (a board's text, .hcp, .col, .json) to the format that OUT's name says.

    \b
    kt convert tour.json tour.tour           TSPLIB tour
    kt convert 8x8 knight8.hcp               TSPLIB graph, for other people's solvers
    kt convert aztec:5 aztec5.col            DIMACS edges
    kt convert graph.hcp graph.edges         an edge list, as networkx reads it
    kt convert 8x8 tour8.cnf                 DIMACS CNF, for any SAT solver: its models are the closed tours
    kt convert 5x5 open5.cnf --open --encoding lfsr

    Comments in a .cnf file say which variable is which move.
    """
    require_writable(target)
    _only_for_cnf(target, asked)
    if _holds_tour(source):
        suffix_of(target, (".json", ".tour"))
        write_tour(target, read_valid_tour(source, graph_argument(board, leaper) if board else None))
        return 0
    suffix = suffix_of(target, GRAPH_FILES)
    graph = graph_argument(source, leaper)
    write_atomic(target, _cnf_text(graph, **asked) if suffix == ".cnf" else _graph_text(graph, suffix))
    return 0


def _only_for_cnf(target: str, asked: dict[str, Any]) -> None:
    """Refuse options that the file asked for has no room for."""
    options = {"is_open": "open", "start": "from", "finish": "to"}
    for name, value in asked.items():
        if value and not target.lower().endswith(".cnf"):
            raise KTError(f"--{options.get(name, name)}: {target} does not hold it; only a .cnf file does")


def _holds_tour(path: str) -> bool:
    if path.lower().endswith(".tour"):
        return True
    if not path.lower().endswith(".json") or not os.path.exists(path):
        return False
    data = read_json(path)
    return isinstance(data, dict) and "tour" in data


def _cnf_text(graph: MoveGraph, encoding: str | None, **asked: Any) -> str:
    from encoders.sat.dimacs import to_dimacs
    from encoders.sat.encodings import default_encoding, encode

    if asked["start"] and not asked["is_open"]:
        raise KTError("--from: the moves of a closed tour do not say where it starts; give --open")
    name = encoding or default_encoding()
    return to_dimacs(encode(problem_of(graph, **asked), name), name)


def _graph_text(graph: MoveGraph, suffix: str) -> str:
    if suffix == ".hcp":
        return graph_to_hcp(graph)
    if suffix in (".col", ".dimacs"):
        return graph_to_dimacs(graph)
    if suffix == ".edges":
        return graph_to_edge_list(graph)
    return json.dumps({"version": FORMAT_VERSION, "kind": "graph", **graph.to_json()}) + "\n"
