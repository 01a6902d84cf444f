"""`kt convert`: tours and graphs from one format to another, and problems as models for solvers."""

from __future__ import annotations

import os
import time
from typing import Any

import click

from cli.command import Command
from cli.files import say, writes
from cli.names import NameOption, cnf_encodings
from cli.option_errors import OptionValues, read_when
from cli.options import (
    TourOptions,
    choices_from,
    format_option,
    formed,
    graph_argument,
    json_option,
    matrix_options,
    print_json,
    print_rows,
    tour_options,
    tour_rules,
)
from cli.problem import constraint_options, objective_options, problem_of, problem_options
from cli.tables import print_table
from kt_models import KTError, MoveGraph
from kt_models.errors import about
from kt_models.files.given import holds_json, holds_tour, may_replace, write_tour
from kt_models.files.graph_forms.write import WRITERS, left_out, may_replace_graph, text_of_graph
from kt_models.files.suffixes import TOUR_TEXTS, allowed_suffix, is_path
from kt_models.files.tour_forms.write import format_for
from kt_models.kernel.certificates import Certificate
from kt_models.problem import require_unnumbered
from kt_models.storage import read_json, read_text
from kt_models.writing import replacing, require_writable, write_atomic, write_json

GRAPH_FILES = tuple(WRITERS)
MODEL_FILES = (".cnf", ".wcnf", ".opb", ".lp", ".mps", ".pb.txt", ".mzn", ".xml", ".smt2")
"""Suffixes of files that hold a problem; a file with the same name and .map behind it lies beside each."""


@click.command("convert", cls=Command)
@click.argument("source", metavar="IN", required=False, default="")
@click.argument("target", metavar="OUT", required=False, default="")
@tour_options()
@matrix_options
@click.option("--encoding", cls=NameOption, describe=cnf_encodings)
@problem_options
@constraint_options
@objective_options("Objective to minimize (in any model but .cnf).", "Objective to maximize.")
@writes("target", kinds=("tour", "graph"))
@click.option(
    "--model", metavar="FILE", help="Read IN as a solver's solution of the model FILE, which FILE.map lies beside."
)
@click.option("--proof", metavar="FILE", help="With --model: an LRAT proof that a .cnf model has no solution.")
@click.option(
    "--family", metavar="NAME", help="Write a family of instances for solvers into the folder of -o: hardness."
)
@click.option("--count", type=click.IntRange(1), help="With --family: the number of instances.  [default: 20]")
@click.option("-o", "--output", "folder", metavar="DIR", help="With --family: the folder, empty or new.")
@click.option("--stats", is_flag=True, help="Print the size of the model.")
@json_option
@format_option
@read_when("proof", when=lambda values: values["model"] is not None, why="with --model")
@read_when("count", "folder", when=lambda values: values["family"] is not None, why="with --family")
@read_when("stats", when=lambda values: _writes_model(values), why="where a model is written")
@read_when("directed", "missing", when=lambda values: _reads_graph_file(values), why="where IN is a file of a graph")
@read_when("as_json", when=lambda values: values["stats"] or values["family"], why="with --stats or --family")
@read_when(
    "board",
    when=lambda values: values["model"] is None and not _is_folder(values["target"]) and _reads_tour(values),
    why="where IN is a tour",
)
@read_when(
    "as_format",
    when=lambda values: not _is_folder(values["target"]) and (values["model"] is not None or _reads_tour(values)),
    why="where a tour is written",
)
@tour_rules(
    lambda values: (
        values["model"] is not None
        or _is_folder(values["target"])
        or not _reads_tour(values)
        or holds_json(values["source"])
    ),
    boards=lambda values: _reads_graph(values),
    graphs=lambda values: _reads_graph_file(values),
)
def command(
    source: str,
    target: str,
    written: TourOptions,
    model: str | None,
    proof: str | None,
    stats: bool,
    as_json: bool,
    as_format: str | None,
    family: str | None,
    count: int | None,
    folder: str | None,
    **problem_values: Any,
) -> int:
    """Convert a tour or a graph, in any form that kt reads, to the form of OUT's suffix.

    \b
    kt convert tour.json tour.tour           TSPLIB tour
    kt convert pasted.txt tour.json          from a grid, squares, coordinates, indices, files of LKH and Concorde
    kt convert tour.json tour.txt            a grid of numbers; .csv coordinates, .moves 1. a1-b3, .coords a list
    kt convert tour.json out.dat --format csv
    kt convert 8x8 knight8.hcp               TSPLIB graph, for other solvers
    kt convert aztec:5 aztec5.col            DIMACS edges
    kt convert graph.hcp graph.edges         an edge list, as networkx reads it
    kt convert graph.gml graph.g6            .g6 .s6 .d6 .gml .graphml .gexf .net .dot .adjlist .graph (METIS) .mtx
    kt convert 8x8 tour8.cnf                 DIMACS CNF, for any SAT solver: its models are the closed tours
    kt convert 5x5 open5.cnf --open --encoding lfsr
    kt convert 8x8 turns8.opb --minimize turns   pseudo-Boolean; .lp and .mps for integer programs, .wcnf for MaxSAT,
                                             .pb.txt for CP-SAT
    kt convert 8x8 turns8.mzn --minimize turns   MiniZinc, with circuit; .xml XCSP3; .smt2 SMT-LIB
    kt convert 8x8 few8.cnf --at-most turns=50   its models are the closed tours with at most 50 turns
    kt convert 8x8 tour8.cnf --stats         also print its numbers of variables, clauses and literals
    kt convert solution.txt tour.json --model turns8.opb   the solver's answer, verified
    kt convert none.txt none.json --model t.cnf --proof t.lrat   "no solution", with its LRAT proof
    kt convert --family hardness --count 20 -o DIR   formulas from easy to hard, and a table of what is known
    kt convert RUN/ DIR/                     formula.cnf and proof.lrat of all cubes of a run, for cake_lpr
    kt convert turns-8x8.json DIR/           formula.opb and proof.pbp of its certificate, for VeriPB
    kt convert turns-8x8.json DIR/ --encoding flow   the same, with a formula that fully defines a tour

    Comments, or the file turns8.opb.map beside a model, name the move of each variable.
    """
    if family is not None:
        return _write_family(family, count or 20, folder, source, as_json)
    if not source or not target:
        raise KTError(f"{'OUT' if source else 'IN'} is missing")
    if _is_folder(target):
        return _write_proof(source, target, problem_values)
    choices = choices_from(written.form, problem_values)
    _only_for_models(target, problem_values)
    # Tours and graphs have different rules on what a file may replace.
    text_of_tour = os.path.splitext(target)[1].lower() in TOUR_TEXTS
    replaced = may_replace(target) if text_of_tour else may_replace_graph(target)
    with replacing(replaced):
        require_writable(target)
    if model is not None:
        return _read_solution(source, target, model, proof, as_format)
    if _reads_tour({"source": source, "target": target, "as_format": as_format, "form": written.form}):
        # Check the format first: an unknown one must not cost the time of a verification.
        format_for(target, as_format)
        write_tour(target, written.read_valid(source), name=as_format)
        return 0
    suffix = allowed_suffix(target, (*GRAPH_FILES, *MODEL_FILES))
    graph = graph_argument(formed(source, choices, written.cells), written.leaper)
    if suffix in MODEL_FILES:
        size = _write_model(graph, target, suffix, **problem_values)
        if as_json:
            print_json({"kind": "model-size", **size})
        elif stats:
            print_rows([(name, f"{number:,}") for name, number in size.items()], width=12)
    else:
        with about(target):
            text = text_of_graph(graph, suffix)
            notes = [left_out(graph, suffix), _dropped(source)]
        write_atomic(target, text, force=replaced)
        for note in filter(None, notes):
            say(f"{target}: {note}")
    return 0


def _write_family(name: str, count: int, folder: str | None, source: str, as_json: bool) -> int:
    """Write instances for solvers, and print their table."""
    from cli.live import limits_of, live_progress
    from cli.options import LimitOptions
    from encoders.instance_families import write_family

    if folder is None or source:
        raise KTError("--family writes a folder: give -o DIR, and no IN and OUT")
    with limits_of(LimitOptions(), as_json=as_json) as limits, live_progress("writing"):
        rows = write_family(name, count, folder, limits=limits)
    if as_json:
        print_json({"kind": "family", "family": name, "instances": rows})
    else:
        columns = ("file", "answer", "variables", "clauses")
        print_table([list(columns), *([str(row[key]) for key in columns] for row in rows)], left=(0, 1))
    return 0


def _write_proof(source: str, directory: str, problem_values: dict[str, Any]) -> int:
    """Write a certificate, or that of a result, as a proof for VeriPB, or the cubes of a run as one LRAT proof."""
    from encoders.enumeration.joined_proof import join_proofs
    from encoders.pb.linear import FLOW
    from encoders.pb.write import write_cutting_planes
    from encoders.proof import require_proof_directory
    from encoders.proof_folder import certified_result, write_answer
    from kt_models.runs.folder import is_run

    _only_for_models(directory, {name: value for name, value in problem_values.items() if name != "encoding"})
    if problem_values["encoding"] not in (None, FLOW):
        raise KTError(
            f"--encoding {problem_values['encoding']}: a proof has connectivity as the cuts it needs, or as {FLOW}"
        )
    require_proof_directory(directory)
    if is_run(source):
        join_proofs(source, directory)
        return 0
    data = read_json(source)
    with about(source):
        embedded = data.get("certificate") if isinstance(data, dict) else None
        if not isinstance(data, dict) or (data.get("kind") != "certificate" and embedded is None):
            raise KTError("neither a certificate nor a result with one, so there is no proof to write")
        certificate = Certificate.from_json(data if embedded is None else embedded)
        write_cutting_planes(certificate, directory, 0 if problem_values["encoding"] == FLOW else None)
        write_answer(certified_result(certificate).to_json() if embedded is None else data, directory)
    return 0


def _dropped(source: str) -> str:
    """Attributes in the file of a graph that kt does not use, in words."""
    from kt_models.files.graph_forms.dropped import NAMES, dropped_attributes, in_words

    suffix = os.path.splitext(source)[1].lower()
    return in_words(dropped_attributes(read_text(source), suffix)) if suffix in NAMES and is_path(source) else ""


def _is_folder(target: str) -> bool:
    return target.endswith("/") or os.path.isdir(target)


def _only_for_models(target: str, problem_values: dict[str, Any]) -> None:
    """Refuse options that the output file cannot express."""
    options = {"is_open": "open", "start": "from", "finish": "to", "at_most": "at-most", "at_least": "at-least"}
    fitting = MODEL_FILES[1:] if problem_values["minimize"] else MODEL_FILES
    for name, value in problem_values.items():
        if value and not target.lower().endswith(fitting if name == "minimize" else MODEL_FILES):
            which = ", ".join(fitting if name == "minimize" else MODEL_FILES)
            raise KTError(f"--{options.get(name, name)}: {target} cannot express it; these files can: {which}")


def _read_solution(source: str, target: str, model: str, proof: str | None, as_format: str | None) -> int:
    """Write the answer of another solver: its tour, or a result with what is only its word."""
    from encoders.pb.models import read_solution

    format_for(target, as_format)
    result = read_solution(source, model, proof)
    if result.status in ("infeasible", "optimal") and target.lower().endswith(".json"):
        write_json(target, result.to_json())
        say(f"{result.status}: {result.known_by}")
        return 0
    if result.tour is None and result.status == "infeasible":
        raise KTError(f"{source}: it says that there is no solution; a .json file would hold that answer")
    if result.tour is not None:
        write_tour(target, result.tour, name=as_format)
    elif target.lower().endswith(".json") and as_format in (None, "json"):
        write_json(target, result.to_json())
    else:
        raise KTError(f"{target}: several paths or cycles, and walks that leave cells out, are written to .json files")
    return 0


def _reads_graph(values: OptionValues) -> bool:
    """Whether IN is a graph or a board."""
    return values["model"] is None and not _is_folder(values["target"]) and not _reads_tour(values)


def _reads_graph_file(values: OptionValues) -> bool:
    """Whether IN is a file of a graph."""
    return _reads_graph(values) and is_path(str(values["source"]))


def _reads_tour(values: OptionValues) -> bool:
    """Whether IN is a tour: it looks like one, or only a tour can be written to OUT."""
    source, target = str(values["source"]), str(values["target"])
    suffix = os.path.splitext(target)[1].lower()
    if values.get("form") and _is_form_of_graphs(values["form"]):
        return False
    if values["as_format"] or (suffix in TOUR_TEXTS and not target.lower().endswith(MODEL_FILES)):
        return True
    if suffix in GRAPH_FILES and suffix != ".json" and os.path.splitext(source)[1].lower() not in (".json", ".tour"):
        return False
    return holds_tour(source)


def _is_form_of_graphs(form: str) -> bool:
    """Whether only graphs are written in a form."""
    from kt_models.files.graph_forms.table import GRAPH_FORMS
    from kt_models.files.tour_forms.table import FORMS, WHOLE

    return form in GRAPH_FORMS and form not in FORMS and form not in WHOLE


def _writes_model(values: OptionValues) -> bool:
    """Whether OUT is a model."""
    return values["model"] is None and str(values["target"]).lower().endswith(MODEL_FILES)


def _write_model(
    graph: MoveGraph, target: str, suffix: str, encoding: str | None, **problem_values: Any
) -> dict[str, int | float]:
    """Write a problem for other solvers, with a map to read a solution back.

    Returns
    -------
    dict
        The size of the model, and the seconds that it took to build.
    """
    from encoders.pb.linear import CIRCUIT
    from encoders.pb.models import FORMATS, MAP, map_text
    from encoders.pb.size import model_size
    from encoders.sat.encodings import default_encoding
    from encoders.sat.formula import require_few_vertices

    require_few_vertices(graph)
    if problem_values["start"] and not problem_values["is_open"]:
        raise KTError("--from: the moves of a closed tour do not say where it starts; give --open")
    beside = f"{target}{MAP}"
    require_writable(beside, f"model {suffix}")
    # Its solutions are orders of cells, as tours are counted, unless a sum depends on the moves
    problem = problem_of(graph, distinguish_moves=False, **problem_values)
    require_unnumbered(problem, "a model file")
    name = encoding or (CIRCUIT if suffix in (".pb.txt", ".mzn", ".xml") else default_encoding())
    begun = time.monotonic()
    text = FORMATS[suffix](problem, name)
    seconds = round(time.monotonic() - begun, 3)
    write_atomic(target, text)
    write_atomic(beside, map_text(problem, name, suffix, text))
    return {**model_size(text, suffix).named(suffix), "seconds": seconds}
