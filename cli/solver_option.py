"""The option `--solver`: the name of a SAT solver, or the command line of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kt_models import KTError

if TYPE_CHECKING:
    from encoders.pb.minizinc import MiniZincSolver
    from encoders.sat.solver_program import SolverProgram


def _solver(context: click.Context, option: click.Parameter, text: str) -> str | SolverProgram | MiniZincSolver:
    """The solver that the text names; a program exists only if the command line names it, and not in completion."""
    if not text or context.resilient_parsing:
        return text
    return solver_named(text)


def solver_named(text: str) -> str | SolverProgram | MiniZincSolver:
    """The solver of PySAT, the solver of MiniZinc, or the program that a text names."""
    from encoders.pb.minizinc import PREFIX, MiniZincSolver
    from encoders.sat.solver_program import solver_of_text

    return MiniZincSolver(text.removeprefix(PREFIX)) if text.startswith(PREFIX) else solver_of_text(text)


def _program(context: click.Context, option: click.Parameter, text: str | None) -> SolverProgram | None:
    """The program that the text names."""
    from encoders.sat.solver_program import SolverProgram

    if not text or context.resilient_parsing:
        return None
    solver = solver_named(text)
    if not isinstance(solver, SolverProgram):
        raise KTError(f"--solver {text}: give the path of a program that reads DIMACS")
    return solver


solver_option = click.option(
    "--solver",
    default="",
    metavar="NAME|PROGRAM",
    callback=_solver,
    help="SAT solver: cadical153, glucose4, ...; or the path of a program with its options; or minizinc:gecode.",
)
program_option = click.option(
    "--solver",
    "program",
    metavar="PROGRAM",
    callback=_program,
    help="Path of a program that reads DIMACS, with its options.",
)
