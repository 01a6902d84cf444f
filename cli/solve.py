"""`kt solve`: find a tour, the best tour, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import click

from cli.command import Command
from cli.live import limits_of, live_progress
from cli.log import log_option, log_to
from cli.many import ListOptions, answer_graphs, conditions_of, list_in, list_options, refuse
from cli.names import NameOption, encodings, engines
from cli.option_errors import read_when
from cli.options import (
    MEMORY,
    LimitOptions,
    Output,
    TourOptions,
    board_options,
    check_stated_option,
    grouped,
    limit_options,
    no_best_option,
    output_options,
    print_json,
)
from cli.output import check_output, print_result, proved_words, rotate_result, save_after
from cli.problem import constraint_options, objective_options, place_of, problem_of, problem_options
from cli.proof import check_proof_option, proof_option, tell_unproved
from cli.solver_option import solver_option
from cli.status import UNANSWERED
from kt_models import KTError, MoveGraph, Problem, Result, Tour
from kt_models.expressions import Greatest
from kt_models.files.given import holds_json, reading_of
from kt_models.files.suffixes import RESULT_FILES
from kt_models.tour import of_graph

if TYPE_CHECKING:
    from encoders.pb.minizinc import MiniZincSolver
    from encoders.sat.solver_program import SolverProgram
    from kt_models.files.graph_forms.several import GraphList


@dataclass(frozen=True)
class SolveOptions:
    """The solver, its start, and the form of the answer."""

    engine: str = "auto"
    encoding: str = ""
    solver: str | SolverProgram | MiniZincSolver = ""
    no_presolve: bool = False
    hint: str | None = None
    no_hint: bool = False
    no_best: bool = False
    check_stated: bool = False
    proof: str | None = None
    log_file: str | None = None


@click.command("solve", cls=Command)
@click.argument("board", required=False)
@board_options
@problem_options
@constraint_options
@click.option("--near", metavar="FILE", help="Keep as many moves of the tour in FILE as possible.")
@objective_options("Objective to minimize, with a proof.", "Objective to maximize, with a proof.")
@grouped(
    "settings",
    SolveOptions,
    click.option("--engine", cls=NameOption, describe=engines, default="auto", show_default=True),
    click.option("--encoding", cls=NameOption, describe=encodings, default=""),
    solver_option,
    click.option("--no-presolve", is_flag=True, help="Let the engines answer: no reasons seen at once, no reductions."),
    click.option("--hint", metavar="FILE", help="Tour to start from."),
    click.option("--no-hint", is_flag=True, help="Start without a tour."),
    no_best_option,
    check_stated_option,
    proof_option,
    log_option,
)
@read_when(
    "check_stated",
    when=lambda values: values["minimize"] and not (values["no_best"] or values["no_hint"] or values["hint"]),
    why="with --minimize, where the best known is asked",
)
@partial(list_options, solves=True)
@limit_options(workers="Threads", memory=MEMORY, seed="answer, on one worker")
@output_options(" ".join(RESULT_FILES), "result", "tour", beside=("proof", "log_file"))
def command(
    board: str | None,
    leaper: str | None,
    near: str | None,
    minimize: str | Greatest | None,
    settings: SolveOptions,
    limit_values: LimitOptions,
    out: Output,
    each: ListOptions,
    **problem_values: Any,
) -> int:
    """Find a tour of BOARD, an optimal tour, or a proof that none exists.

    Every tour is verified before it is shown. With --minimize, kt proves that its value is least, with a certificate if
    it can make one. --time-limit and Ctrl-C end with the best tour and bound so far.

    \b
    kt solve 8x8 --minimize turns          the fewest turns, proved
    kt solve 8x8 -o tour.json              any tour, in a file; .svg draws it
    kt solve aztec:8 --open                an open tour
    kt solve 5x5 --open --from a1          an open tour from a corner
    kt solve 10x10 --symmetry rot90        a tour symmetric under a quarter turn
    kt solve 4x6                           none, with the reason
    kt solve 8x8 --minimize crossings --at-most turns=50
    kt solve graph.hcp                     a Hamiltonian cycle of any graph
    kt solve list.g6 --graph-time 10       several graphs, one line each, on all cores
    kt solve list.g6 --only infeasible --as graph6      the graphs without a cycle
    kt solve list.g6 --property hypohamiltonian --only yes
    kt solve --clues hidato.txt --leaper king --open    a puzzle with given numbers
    kt solve 6x6 --minimize turns --proof DIR
    kt solve 10x10 --solver "/usr/bin/cadical -q"       any program that reads DIMACS
    kt solve 18x18 --minimize turns        known: the tour and its certificate come with kt
    kt solve 10x10 --minimize turns --no-best           solved here

    With --minimize kt starts from the best known tour (kt best), and uses its bound if the certificate is valid.
    """
    if (graphs := list_in(board, each)) is not None:
        refuse({"--leaper": leaper, "--minimize": minimize, "--near": near}, graphs)
        return _solve_each(graphs, settings, limit_values, out, each, problem_values)
    proof = settings.proof
    start: Tour | bool | Literal["best"] = not settings.no_hint if settings.no_hint or settings.no_best else "best"
    if settings.hint and settings.no_hint:
        raise KTError("--hint and --no-hint cannot be combined")
    with limits_of(limit_values, as_json=out.as_json, watched=True) as limits:
        graph = limits.run(lambda: place_of(board, leaper, problem_values))
        each.require_list()
        given_near = None if near is None else _tour_of(near, graph, not problem_values["is_open"])
        problem = limits.run(lambda: problem_of(graph, minimize, near=given_near, written=True, **problem_values))
        start = _hint(settings.hint, problem) if settings.hint else start
        check_output(out, graph)
        check_proof_option(proof)

        from encoders import solve

        with log_to(settings.log_file, problem, limits) as log, live_progress("searching") as on_progress:
            result = solve(
                problem,
                engine=settings.engine,
                encoding=settings.encoding,
                solver=settings.solver,
                presolve=not settings.no_presolve,
                hint=start,
                check_stated=settings.check_stated,
                proof=proof or "",
                limits=limits,
                on_progress=log.beside(on_progress),
            )
            log.end(result)
        result = rotate_result(result, problem_values["start"], problem_values["finish"])
        unproved = None
        if proof:
            from encoders.proof_folder import prove_result

            with live_progress() as on_progress:
                result, unproved = prove_result(result, proof, limits, on_progress=on_progress)
        proved = proof if unproved is None and not result.evidence else None
        with save_after(out, result):
            if out.as_json:
                proof_keys = {"proof": proved, "how": proved_words(result, proved)} if proved else {}
                print_json(result.to_document() | proof_keys)
            else:
                print_result(result, proved)
            if unproved is not None:
                tell_unproved(proof, unproved)
    shown_by_tour = result.status == "feasible" and result.answered  # A tour needs no further proof.
    return 0 if result.answered and (shown_by_tour or unproved is None) else UNANSWERED


def _tour_of(path: str, graph: MoveGraph, closed: bool) -> Tour:
    """Read the tour of a file."""
    if holds_json(path):
        return of_graph(TourOptions().read(path), graph)
    return reading_of(path, graph, otherwise=closed)[0]


def _solve_each(
    graphs: GraphList,
    settings: SolveOptions,
    limit_values: LimitOptions,
    out: Output,
    each: ListOptions,
    problem_values: dict[str, Any],
) -> int:
    """Print the answer of each graph of a list."""
    from encoders.engines import check_choice
    from encoders.many import Question

    refuse(
        {
            "--hint": settings.hint, "--no-best": settings.no_best,
            "--proof": settings.proof, "--log": settings.log_file, "-o": out.output, "--format": out.as_format,
            "--no-presolve": settings.no_presolve,
        },
        graphs,
    )  # fmt: skip
    if not isinstance(settings.solver, str):
        raise KTError("--solver: a program answers one graph, and a list is answered by kt's own solvers")
    check_choice(settings.engine, settings.encoding, settings.solver)
    conditions = conditions_of(problem_values, graphs)
    if each.property_name is not None and (conditions or each.certificates or settings.engine != "auto"):
        raise KTError("--property: it says what is asked; leave out --open, --certificates, --engine and conditions")
    with limits_of(limit_values, as_json=out.as_json) as limits:
        question = Question(
            None,
            conditions,
            settings.engine,
            settings.encoding,
            settings.solver,
            not settings.no_hint,
            each.graph_time,
            limits.seed,
            each.certificates,
            property_name=each.property_name,
        )
        return answer_graphs(graphs, question, limits, out.as_json, each)


def _hint(path: str, problem: Problem) -> Tour:
    """Read the tour of a file, and require that it solves the problem."""
    tour = _tour_of(path, problem.graph, problem.closed)
    try:
        Result(problem, "feasible", tour)
    except KTError as error:
        raise type(error)(f"{path}: {error}") from None
    return tour
