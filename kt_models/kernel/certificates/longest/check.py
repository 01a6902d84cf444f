"""The check of files of longest walks: it verifies the walk, and sweeps again to show that none is longer."""

from __future__ import annotations

from typing import Any

from kt_models.errors import CertificateError, InvalidTour, KTError, TooLarge, excerpt
from kt_models.fields import require_derived
from kt_models.json_values import is_integer
from kt_models.json_version import read_document
from kt_models.kernel.certificates.longest.answer import KIND, Longest
from kt_models.kernel.certificates.longest.sweep import longest
from kt_models.kernel.certificates.longest.task import LongestStatement, LongestTask, counting_argument, most_moves
from kt_models.kernel.certificates.verdict import Fact, Verdict
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent


def check_longest(data: dict[str, Any], limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Verdict:
    """Verify the walk of a file, and sweep again for a longer one.

    `on_progress` receives a forecast of the seconds of the sweep before it begins.

    Raises
    ------
    InvalidTour, CertificateError
        If the file is readable and wrong.
    KTError
        If it cannot be read.
    """
    data = read_document(data, KIND)
    task = LongestTask.from_json(data)
    moves, bound = data.get("moves"), data.get("bound")
    proved, evidence = [], []
    walked: tuple[int, tuple[int, ...]] = -1, ()
    if "chosen" in data or moves is not None:
        edges = task.edges_of(data.get("chosen"))
        walked = len(edges), tuple(edges.tolist())
        Longest(task, *walked, None, 0)  # Verified
        if moves != len(edges) or not is_integer(moves):
            raise InvalidTour(f"'moves' says {str(moves)[:40]}, but there are {len(edges)}")
        proved.append(LongestStatement(task, "walk", len(edges)))
        evidence.append("walk verified")
    if bound is not None:
        if not is_integer(bound) or bound < 0:
            raise KTError("'bound' is not a number of moves")
        if bound >= most_moves(task):
            evidence.append(counting_argument(task))
        else:
            if on_progress is not silent:
                from kt_models.kernel.check_forecast import seconds_to_sweep

                on_progress(Report(words="every longer walk", expected=seconds_to_sweep(task.core.graph)))
            longer = longest(task, at_least=bound + 1, limits=limits)
            if longer.moves > bound:
                raise CertificateError(f"there is a walk with {longer.moves} moves, and the bound says {bound}")
            if longer.bound is None:
                limits.check()
                raise TooLarge(f"the bound was not shown: {longer.reason}")
            evidence.append("every partial walk that could become longer was followed")
        proved.append(LongestStatement(task, "at-most", bound))
    reason = data.get("reason", "")
    derived = Longest(task, *walked, bound, 0).to_json()
    require_derived({**data, "status": data.get("status")}, {**derived, "reason": reason}, KIND)
    # What is said of the missing bound is not derived
    return Verdict(
        tuple(proved),
        (Fact(f"the reason {excerpt(reason)}"),) if reason else (),
        ", ".join(evidence) or "it claims nothing",
    )
