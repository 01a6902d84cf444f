"""Files of longest walks: the walk is verified, and that nothing is longer is shown again by a sweep."""

from __future__ import annotations

from typing import Any

from kt_models.certificates.longest.sweep import Longest, longest
from kt_models.certificates.longest.task import LongestStatement, LongestTask
from kt_models.certificates.verdict import Verdict
from kt_models.errors import CertificateError, InvalidTour, KTError
from kt_models.format import FORMAT_VERSION, require_version
from kt_models.limits import NO_LIMITS, Limits
from kt_models.reading import is_integer
from kt_models.tour import order_to_json

KIND = "longest-walk"


def longest_to_json(task: LongestTask, answer: Longest) -> dict[str, Any]:
    """A walk and its bound as a file has them."""
    data = {"version": FORMAT_VERSION, "kind": KIND, **task.to_json()}
    if answer.moves >= 0:
        walk = task.verify(task.edges_of(list(answer.edges)))
        walked = order_to_json(task.graph, walk.vertices)
        data |= {"moves": answer.moves, "walk": walked, "chosen": list(answer.edges)}
    return data if answer.bound is None else data | {"bound": answer.bound}


def check_longest(data: dict[str, Any], limits: Limits = NO_LIMITS) -> Verdict:
    """Verify the walk of a file, and sweep again for a longer one.

    Raises
    ------
    InvalidTour, CertificateError
        If it was read and is wrong.
    KTError
        If it cannot be read.
    """
    require_version(data, KIND, "kt longest")
    task = LongestTask.from_json(data)
    moves, bound = data.get("moves"), data.get("bound")
    shown, how = [], []
    if "chosen" in data or moves is not None:
        edges = task.edges_of(data.get("chosen"))
        task.verify(edges)
        if moves != len(edges) or not is_integer(moves):
            raise InvalidTour(f"'moves' says {str(moves)[:40]}, but there are {len(edges)}")
        again = longest_to_json(task, Longest(len(edges), tuple(edges.tolist()), None, 0))
        if data.get("walk", again["walk"]) != again["walk"]:
            raise InvalidTour("'walk' says something else than 'chosen'")
        shown.append(LongestStatement(task, "walk", len(edges)))
        how.append("walk verified")
    if bound is not None:
        if not is_integer(bound) or bound < 0:
            raise KTError("'bound' is not a number of moves")
        longer = longest(task, at_least=bound + 1, limits=limits)
        if longer.moves > bound:
            raise CertificateError(f"there is a walk with {longer.moves} moves, and the bound says {bound}")
        if longer.bound is None:
            raise KTError(f"the bound was not shown: {longer.reason}")
        shown.append(LongestStatement(task, "at-most", bound))
        how.append("every partial walk that could become longer was followed")
    if not shown:
        return Verdict(how="it claims nothing")
    return Verdict(tuple(shown), how=", ".join(how))
