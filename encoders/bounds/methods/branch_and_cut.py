"""`branch-and-cut`: branch and cut for sums over single edges, such as lengths."""

from __future__ import annotations

from collections.abc import Iterator

from encoders.bounds.methods import BoundMethod
from kt_models.errors import KTError
from kt_models.kernel.certificates import Checked
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem


def make(problem: Problem, *, limits: Limits = NO_LIMITS, enough: int | None = None) -> Iterator[Checked]:
    """Checked certificates, of the root first, then of the growing tree, until the bound is enough or the best one."""
    from encoders.branch_and_cut.prove import serves, steps

    if not serves(problem):
        raise KTError(
            "branch-and-cut: it needs one cycle or path, without constraints, and weights of single edges alone"
        )
    for step in steps(problem, None, limits):
        if step.certificate is not None:
            yield step.certificate
            if enough is not None and step.certificate.cost_bound is not None and step.certificate.cost_bound >= enough:
                return


def _worth(problem: Problem, at_least: int | None) -> bool:
    from encoders.branch_and_cut.prove import serves

    return serves(problem)


METHOD = BoundMethod(
    "branch-and-cut",
    "branch and cut by edges, for sums over single edges",
    make,
    kind="edge-tree",
    rank=1,
    worth=_worth,
)
