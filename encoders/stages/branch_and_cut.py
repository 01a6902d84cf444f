"""Tours and bounds of sums over single edges, such as lengths: exchanges, and branch and cut until both meet."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from encoders.stages import Solving, Stage
from encoders.work.run import in_time
from kt_models.errors import CertificateError, TooLarge
from kt_models.limits import Stopped

NAME = "branch and cut"


def work(solving: Solving) -> None:
    """Report every better tour and bound."""
    in_time(solving.run, partial(_steps, solving))


def _steps(solving: Solving) -> None:
    from encoders.branch_and_cut.prove import steps

    problem, run = solving.problem, solving.run
    # Weights may be too large for exact sums, and then other engines go on.
    with suppress(CertificateError, TooLarge, Stopped):
        for step in steps(problem, solving.standing.edges, run.limits):
            if step.edges is not None:
                run.report(step.source, edges=step.edges, value=step.value)
            if step.certificate is not None:
                run.report(NAME, bound=step.certificate.cost_bound, certificate=step.certificate)
                if run.decided:
                    solving.answered_by = NAME
            # Without a time limit, a large graph is done with once the gap is small.
            if run.limits.seconds is None and not solving.missing:
                return


def _applies(solving: Solving) -> bool:
    from encoders.branch_and_cut.prove import serves

    return solving.request.plain and solving.request.searched and serves(solving.problem)


FIRST = Stage(NAME, "exchanges, and branch and cut by edges", frozenset({"tour", "bound"}), work, _applies)
AGAIN = Stage(
    "branch and cut again",
    "the same from the first tour, if exchanges found none",
    frozenset({"tour", "bound"}),
    work,
    lambda solving: (
        solving.standing.edges is not None and not solving.standing.source.startswith("exch") and _applies(solving)
    ),
)
