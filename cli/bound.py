"""`kt bound`: a lower bound for all tours, with a certificate."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cli.bound_output import of_certificate
from cli.command import Command
from cli.error_messages import complain
from cli.evidence import verbose_option
from cli.files import output_suffix, tell_fault, writes
from cli.live import limits_of, live_progress
from cli.log import log_option, log_to
from cli.names import NameOption, bound_methods
from cli.option_errors import read_when
from cli.options import (
    LimitOptions,
    board_options,
    graph_argument,
    grouped,
    json_option,
    limit_options,
    no_best_option,
    print_json,
    stand_aside,
)
from cli.problem import MEASURES, Number, problem_of, problem_options
from cli.proof import check_proof_option, proof_option, tell_unproved
from cli.run_options import RunOptions, run_options
from cli.solver_option import program_option
from cli.status import REFUTED, UNANSWERED
from kt_models import KTError, Problem, Result
from kt_models.board import named_box
from kt_models.errors import CannotWrite
from kt_models.files.graphs import with_moves
from kt_models.kernel.certificates import Certificate
from kt_models.leaper import parse_piece
from kt_models.limits import Limits, Stopped
from kt_models.problem import require_plain
from kt_models.writing import write_json

if TYPE_CHECKING:
    from encoders.sat.solver_program import SolverProgram


@dataclass(frozen=True)
class BoundOptions:
    """The bound to prove, the method, and the files to write."""

    minimize: str = "turns"
    method: str = "auto"
    at_least: Any = None
    infeasible: bool = False
    no_proofs: bool = False
    state: str | None = None
    small: bool = False
    no_best: bool = False
    certificate: str | None = None
    proof: str | None = None
    log_file: str | None = None
    verbose: bool = False
    program: SolverProgram | None = None


@click.command("bound", cls=Command)
@click.argument("board", required=False)
@board_options
@problem_options
@grouped(
    "options",
    BoundOptions,
    click.option("--minimize", default="turns", show_default=True, metavar=MEASURES, help="The objective to bound."),
    click.option("--method", cls=NameOption, describe=bound_methods, default="auto", show_default=True),
    click.option("--at-least", type=Number(), metavar="K", help="Prove this bound, however long it takes."),
    click.option("--state", metavar="FILE", help="Keep the state of branching or bands in FILE, and continue from it."),
    click.option("--small", is_flag=True, help="Build the tree twice, which at least halves the certificate."),
    no_best_option,
    program_option,
    click.option(
        "--certificate",
        metavar="FILE",
        help="Write the certificate to FILE (.json); kt check reads it.",
        callback=stand_aside,
    ),
    proof_option,
    log_option,
    click.option("--infeasible", is_flag=True, help="With --run: prove that no tour exists."),
    click.option("--no-proofs", is_flag=True, help="With --run: trust the solver, and write no proofs."),
    verbose_option,
)
@run_options
@limit_options(memory="Memory limit; in a run, for each worker.")
@json_option
@writes("certificate", "proof", "log_file", kinds=("certificate",), going_on=("state",))
@read_when(
    "verbose",
    when=lambda values: not values["as_json"] and not values["folder"],
    why="without --json and without --run",
)
@read_when("no_best", when=lambda values: values["method"] == "auto" and not values["folder"], why="with --method auto")
@read_when("minimize", when=lambda values: not values["infeasible"], why="with a bound, and --infeasible is about none")
@read_when(
    "minimize", "leaper", when=lambda values: not values["resume"], why="where a run begins; --resume goes on with it"
)
def command(
    board: str | None,
    leaper: str | None,
    options: BoundOptions,
    run_values: RunOptions,
    limit_values: LimitOptions,
    as_json: bool,
    **problem_values: Any,
) -> int:
    """Prove a lower bound on the turns or crossings of every tour of BOARD.

    \b
    kt bound 100x100 --minimize turns --certificate c.json
    kt bound aztec:5 --open
    kt bound 8x8 --minimize turns --at-least 45       by cases, until it is proved
    kt bound 14x14 --at-least 91 --method branching --state s.json
                                                      for days, if need be; run it again to continue
    kt bound 12x12 --proof DIR                        for VeriPB, or cake_lpr: kt check DIR --with veripb
    kt bound 6x6 --at-least 32 --solver "/usr/bin/cadical -q"
                                                      by any program that reads DIMACS
    kt bound 1000x1000 --method crown                 the bound of the paper's Theorem 8
    kt bound 8x8 --at-least 45 --run DIR              cube by cube on all cores, each with a proof; kt check DIR audits
    kt bound --run DIR --resume                       continue it, whatever stopped it
    """

    def given_problem() -> Problem:
        if board is None:
            raise KTError("BOARD is missing")
        box = named_box(board)
        piece = None if leaper is None or box is None else parse_piece(leaper)
        graph = graph_argument(board, leaper) if box is None else with_moves(box, piece)
        problem = problem_of(graph, None if options.infeasible else options.minimize, **problem_values)
        require_plain(problem, "a bound")
        return problem

    if run_values.folder:
        from cli.bound_run import by_cubes

        further = (options.certificate, options.proof, options.state, options.small, options.log_file, options.program)
        if any(further) or options.method != "auto":
            raise KTError(
                "--run: the folder itself proves the bound; leave out --solver, "
                "--method, --state, --small, --log, --certificate and --proof"
            )
        if run_values.resume and (
            board
            or options.at_least is not None
            or options.infeasible
            or options.no_proofs
            or any(problem_values.values())
        ):
            raise KTError("--resume: the claim is read from the run's folder; leave out BOARD and all conditions")
        if not run_values.resume and (options.at_least is None) != options.infeasible:
            raise KTError("--run: name the claim with --at-least K or --infeasible")
        with limits_of(limit_values, as_json=as_json) as limits:
            return by_cubes(given_problem, options.at_least, not options.no_proofs, run_values, limits, as_json)
    check_proof_option(options.proof)
    if options.infeasible or options.no_proofs:
        raise KTError("--infeasible and --no-proofs are for runs: give --run DIR")
    with limits_of(replace(limit_values, workers=run_values.workers), as_json=as_json, watched=True) as limits:
        if options.program is not None:
            return _ask_program(limits.run(given_problem), options, options.program, limits, as_json)
        return _certify(limits.run(given_problem), options, limits, as_json)


def _ask_program(problem: Problem, options: BoundOptions, program: SolverProgram, limits: Limits, as_json: bool) -> int:
    """Have an outside program prove a bound, and print the outcome."""
    if (
        options.at_least is None
        or options.method != "auto"
        or options.certificate
        or options.state
        or options.small
        or options.log_file
    ):
        raise KTError(
            "--solver: a program answers yes or no: give --at-least K, and leave out --method, --certificate, --state, "
            "--small and --log"
        )
    from cli.bound_output import of_result
    from encoders.proof.program import bound_by_program

    at_least = problem.unit.cost(options.at_least, "--at-least")
    assert at_least is not None
    try:
        result = bound_by_program(program, problem, at_least, options.proof or "", limits=limits)
    except Stopped as error:
        complain(f"{problem.objective_name} >= {options.at_least} was not shown: {error}")
        return UNANSWERED
    if options.proof and result.bound is not None:
        from encoders.proof_folder import prove_result

        prove_result(result, options.proof, limits)
    of_result(result, options.at_least).print(result.seconds, as_json)
    if result.edges is not None:
        complain(f"{problem.objective_name} >= {options.at_least} is wrong")
        return REFUTED
    return 0


def _certify(problem: Problem, options: BoundOptions, limits: Limits, as_json: bool) -> int:
    """Prove a bound with a certificate, and print the outcome."""
    for path in (options.certificate, options.state):
        output_suffix(path, (".json",))
    from encoders.bounds import NotShown, certify_lower_bound
    from encoders.bounds.methods import method_named
    from encoders.lp.branching import TooHigh
    from encoders.proof_folder import certified_result, write_bound_proof

    started, method = time.monotonic(), options.method
    at_least = problem.unit.cost(options.at_least, "--at-least")
    argument: tuple[str, str, int] | None = None
    # A method with a number has an argument of a paper, not a certificate of its own.
    row = None if method == "auto" else method_named(method)
    if row is not None and row.number is not None:
        argument = method, row.summary, limits.run(partial(row.number, problem))
    unshown = ""
    best: Certificate | None
    with log_to(options.log_file, problem, limits) as log:
        against: Result | None = None
        try:
            with live_progress() as on_progress:
                best = certify_lower_bound(
                    problem,
                    at_least if argument is None else None,
                    method=method,
                    limits=limits,
                    on_progress=log.beside(on_progress),
                    state=options.state,
                    small=options.small,
                    known=not options.no_best,
                )
        except NotShown as error:
            best, unshown = error.best, str(error) if argument is None else ""
        except TooHigh as error:
            best, unshown = None, str(error)
            # The tour was verified when the error was raised.
            against = Result(problem, "feasible", edges=error.edges, engine="branching")
        log.end(against or (Result(problem, "unknown") if best is None else certified_result(best)))
    if against is not None:
        if as_json:
            print_json(against.to_json() | {"kind": "bound", "claimed": problem.unit.value(at_least), "refuted": True})
        complain(unshown)
        return REFUTED
    seconds = time.monotonic() - started
    certificate = options.certificate
    if best is not None and certificate:
        # A full disk must not lose the answer, which is printed next.
        try:
            write_json(certificate, best.to_json())
        except CannotWrite as error:
            tell_fault(str(error))
            certificate = None
    of_certificate(problem, best, certificate, argument).print(seconds, as_json, options.verbose)
    unproved: KTError | None = None
    if best is not None and options.proof:
        try:
            write_bound_proof(best, options.proof, limits=limits)
        except KTError as error:
            unproved = error
            tell_unproved(options.proof, error)
    if argument is not None and options.certificate and best is None:
        unshown = f"{method}: there is only the paper's argument; no certificate was written"
    elif argument is not None and at_least is not None and argument[2] < at_least:
        unshown = f"{problem.objective_name} >= {options.at_least} was not shown; {method} gives {argument[2]}"
    if not unshown and at_least is None and argument is None and limits.unfinished:
        unshown = f"cut off or left out: {', '.join(limits.unfinished)}; with more time the bound may be better"
    if unshown:
        complain(unshown)
    return UNANSWERED if unshown or unproved else 0
