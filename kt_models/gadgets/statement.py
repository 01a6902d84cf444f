"""`GadgetStatement`: a claim about the gadgets of a region."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal

from kt_models.errors import CertificateError, InvalidTour, KTError, TooLarge, excerpt
from kt_models.gadgets.count import count_gadgets
from kt_models.gadgets.frame import Frame, name_of
from kt_models.gadgets.gadget import Gadget, gadgets_of_json
from kt_models.gadgets.wanted import MAX_PAIRED, Wanted
from kt_models.json_values import is_boolean, is_integer
from kt_models.kernel.certificates.statement import DIGEST_DIGITS, MAX_LISTED
from kt_models.kernel.certificates.verdict import Fact, Verdict
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.metrics import BOARD_METRICS

COUNTED = "all that there are counted by a sweep"
"""How a complete list of gadgets is known."""
MAX_COUNTED = 64
"""Most cells of a region whose gadgets are counted in a check: the sweep's states grow with its width."""


@dataclass(frozen=True)
class GadgetStatement:
    """A claim about a region, its ports and the paths that cover it.

    Parameters
    ----------
    frame
        The region and its ports.
    kind
        `gadgets`: there are this many different ones (with these turns and crossings). `least`: none of those searched
        for has a smaller value. `complete`: there are no more of them.
    value
        The number, or the least value.
    metric
        What a `least` value counts.
    counts
        Turns and crossings of a single gadget.
    wanted
        For `least` and `complete`: what was searched for; None if the file does not tell.
    at_most
        For `complete`: the claim is about gadgets with at most this value of `metric`.
    """

    frame: Frame
    kind: Literal["gadgets", "least", "complete"]
    value: int
    metric: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    wanted: Wanted | None = None
    at_most: int | None = None

    @property
    def leaper(self) -> Leaper:
        """The piece."""
        return self.frame.leaper

    @property
    def is_trivial(self) -> bool:
        """Whether it says only that numbers of turns or crossings are not negative."""
        return self.kind == "least" and self.value <= 0

    @property
    def text(self) -> str:
        """The statement in words."""
        where = _place(self.frame)
        if self.wanted is not None:
            where = ", ".join([where, *self.wanted.conditions])
        searched = " that was searched for" if self.wanted is None else ""
        if self.kind == "least":
            return f"no gadget{searched} has fewer than {self.value:,} {self.metric}, of {where}"
        if self.kind == "complete" and self.wanted is not None:
            most = "" if self.at_most is None else f" with at most {self.at_most:,} {self.metric}"
            if not self.value:
                return f"there is no gadget{most} of {where}"
            return f"there are no more than {self.value:,} gadgets{most} of {where}"
        if self.kind == "complete":
            return f"there are no more than {self.value:,} gadgets of the kind that was searched for, of {where}"
        if self.value > 1:
            return f"{self.value:,} different gadgets of {where}"
        return f"a gadget with {' and '.join(f'{count:,} {metric}' for metric, count in self.counts)} of {where}"


def _place(frame: Frame) -> str:
    """The region, cell by cell if it is small, with its ports, its piece and its period."""
    cells = [name_of(cell) for cell in frame.cells]
    ports = [f"{port}{' out' if port.leaves else ''}" for port in frame.ports]
    listed = [_listed(cells), _listed(ports)]
    period = f", periodic by ({frame.period[0]},{frame.period[1]})" if frame.periodic else ""
    return f"the {len(cells)} cells {listed[0]} with the {len(ports)} ports {listed[1]}{period}, leaper {frame.leaper}"


def _listed(names: list[str]) -> str:
    if len(names) <= MAX_LISTED:
        return " ".join(names)
    return f"of SHA-256 {sha256(' '.join(names).encode()).hexdigest()[:DIGEST_DIGITS]}"


def verdict_of_gadgets(data: Any, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Verdict:
    """Verify the gadgets of a file, and count the gadgets that it claims; uncounted claims stay claims.

    Raises
    ------
    CertificateError
        If there are more gadgets than the file claims.
    InvalidTour
        If a gadget is not valid or occurs twice, or if the numbers of the file are not those of its gadgets.
    KTError
        If it cannot be read.
    """
    gadgets = gadgets_of_json(data)
    if data["kind"] == "gadgets":
        keys = frame_keys(data)
        if gadgets and keys:
            raise InvalidTour(f"{keys[0]!r} says something that has no effect beside gadgets, which have their own")
        if not gadgets:
            return _verdict_of_none(data, limits, on_progress)
    if len({(gadget.frame, gadget.paths) for gadget in gadgets}) < len(gadgets):
        raise InvalidTour("a gadget occurs twice")
    frames = dict.fromkeys(gadget.frame for gadget in gadgets)
    proved = []
    for frame in frames:
        members = [gadget for gadget in gadgets if gadget.frame == frame]
        counts = tuple((metric, members[0].measure(metric)) for metric in BOARD_METRICS) if len(members) == 1 else ()
        proved.append(GadgetStatement(frame, "gadgets", len(members), counts=counts))
    wanted = Wanted.from_json(data["wanted"]) if data.get("wanted") is not None else None
    if wanted is not None:
        for frame in frames:
            wanted.check(frame)
        if not all(wanted.admits(gadget) for gadget in gadgets):
            raise InvalidTour("a gadget joins ports that are not wanted, or has another drift")
    stated, unlisted, evidence = _stated(data, gadgets), _unlisted(data, gadgets), "each path and pairing verified"
    if stated and wanted is not None:
        claims = tuple(replace(claim, wanted=wanted) for claim in stated)
        if all(claim.is_trivial for claim in claims):
            return Verdict((*proved, *claims), unlisted, evidence)
        if all_counted(claims, "count" in data, limits, on_progress):
            return Verdict((*proved, *claims), unlisted, f"{evidence}, {COUNTED}")
        stated = claims
    return Verdict(tuple(proved), (*stated, *unlisted), evidence)


def frame_keys(data: dict[str, Any]) -> list[str]:
    """The keys of a region that a file without gadgets has."""
    return [key for key in ("region", "ports", "period", "leaper") if key in data]


def _verdict_of_none(data: dict[str, Any], limits: Limits, on_progress: Listener) -> Verdict:
    """The verdict on a search that found nothing: the file names its region, and the check counts there again."""
    if not frame_keys(data):
        raise KTError("it has no gadget, and names no region in which there is none; kt search writes it anew")
    frame = Frame.from_json(data)
    status, count, complete = (
        data.get("status"),
        data.get("count", 0),
        data.get("complete", data.get("status") == "infeasible"),
    )
    at_most, metric = data.get("at_most"), data.get("minimize", "")
    if not is_integer(count) or count or data.get("value") is not None or data.get("bound") is not None:
        raise InvalidTour("it claims gadgets, or their least value, and has none")
    if not is_boolean(complete) or status != ("infeasible" if complete else "unknown"):
        raise InvalidTour(f"its status is {excerpt(status)}, complete {excerpt(complete)}, and it has no gadget")
    if (
        metric not in ("", *BOARD_METRICS)
        or not (at_most is None or is_integer(at_most))
        or (metric == "" and at_most is not None)
    ):
        raise KTError("'minimize' or 'at_most' is of the wrong type, or 'at_most' stands without 'minimize'")
    if not complete:
        return Verdict((), (), "it claims nothing")
    wanted = Wanted.from_json(data["wanted"]) if data.get("wanted") is not None else None
    if wanted is not None:
        wanted.check(frame)
    metric = str(metric) if at_most is not None else ""
    claim = GadgetStatement(frame, "complete", 0, metric=metric, wanted=wanted, at_most=at_most)
    if wanted is not None and all_counted((claim,), True, limits, on_progress):
        return Verdict((claim,), (), COUNTED)
    return Verdict((), (claim,), "")


def _unlisted(data: dict[str, Any], gadgets: tuple[Gadget, ...]) -> tuple[Fact, ...]:
    """The claim that there are more gadgets than a file without all of them has."""
    count = data.get("count")
    return () if data.get("complete") is True or count in (None, len(gadgets)) else (Fact(f"{count:,} gadgets"),)


def all_counted(
    claims: tuple[GadgetStatement, ...], counted: bool, limits: Limits, on_progress: Listener = silent
) -> bool:
    """Whether a sweep shows the claims of one search; false if it cannot be done.

    Parameters
    ----------
    counted
        Whether the file has the number of all gadgets, which then has to be exact.

    Raises
    ------
    CertificateError
        If the sweep shows that a claim is false.
    """
    frame, wanted = claims[0].frame, claims[0].wanted or Wanted()
    # A larger sweep would take too long for a check, so the claim stays stated
    if len(frame.cells) > MAX_COUNTED or (len(frame.ports) > MAX_PAIRED and wanted != Wanted()):
        return False
    caps = [claim.value - 1 if claim.kind == "least" else claim.at_most for claim in claims]
    # One sweep with the largest value counts all smaller values, too
    most = max((cap for cap in caps if cap is not None), default=None)
    metric = next((claim.metric for claim in claims if claim.metric), None)
    if on_progress is not silent:
        from kt_models.kernel.check_forecast import seconds_to_count_gadgets

        seconds = seconds_to_count_gadgets(frame.problem(metric).graph)
        on_progress(Report(words="the count of gadgets", expected=seconds))
    try:
        counts = {cap: count_gadgets(frame, wanted, metric, cap, limits) for cap in {most, *caps} & {most, None}}
    except TooLarge:
        return False
    for claim, cap in zip(claims, caps, strict=True):
        count = sum(n for value, n in counts[most if cap is not None else None].items() if cap is None or value <= cap)
        claimed = 0 if claim.kind == "least" else claim.value
        if count > claimed or (counted and count < claimed):
            raise CertificateError(f"a sweep counts {count:,} gadgets, against the claim: {claim.text}")
    return True


def _stated(data: dict[str, Any], gadgets: tuple[Gadget, ...]) -> tuple[GadgetStatement, ...]:
    """Claims of a file about the search that its gadgets come from."""
    frame, stated = gadgets[0].frame, []
    status, value, bound, at_most = (data.get(key) for key in ("status", "value", "bound", "at_most"))
    count, complete = data.get("count", len(gadgets)), data.get("complete", False)
    if not is_boolean(complete) or not is_integer(count) or count < len(gadgets):
        raise InvalidTour(f"it claims {excerpt(count)} gadgets, complete {excerpt(complete)}, but has {len(gadgets)}")
    if not all(number is None or is_integer(number) for number in (value, bound, at_most)):
        raise KTError("'value', 'bound' or 'at_most' is of the wrong type")
    metric = str(data.get("minimize", ""))
    if bool(metric) != any(number is not None for number in (value, bound, at_most)) or metric not in (
        "",
        *BOARD_METRICS,
    ):
        raise KTError("'minimize' is of the wrong type, or has no 'value', 'bound' or 'at_most' beside it")
    derived = "optimal" if value is not None and bound in (None, value) and status != "feasible" else "feasible"
    if (status is not None and status != derived) or (bound is not None and bound == value and derived != "optimal"):
        raise InvalidTour(f"its status is {excerpt(status)}, but it is {derived!r} by its value and bound")
    if status == "optimal":
        bound = value
    if at_most is not None and any(gadget.measure(metric) > at_most for gadget in gadgets):
        raise InvalidTour(f"a gadget has more {metric} than {at_most:,}")
    if value is not None or bound is not None:
        values = {gadget.measure(metric) for gadget in gadgets}
        if values != {min(values) if value is None else value} or (bound is not None and bound > min(values)):
            raise InvalidTour(
                f"it claims {str(value)[:20]} {metric}, and no fewer than {str(bound)[:20]}, "
                f"but has gadgets with {sorted(values)}"
            )
        if bound is not None:
            stated.append(GadgetStatement(frame, "least", bound, metric))
    if complete:
        at_most = value if at_most is None else at_most
        counted = {"metric": metric, "at_most": at_most} if at_most is not None else {}
        stated.append(GadgetStatement(frame, "complete", count, **counted))
    if stated and any(gadget.frame != frame for gadget in gadgets):
        raise InvalidTour("it claims the outcome of one search, but has gadgets of several regions")
    return tuple(stated)
