"""`GadgetStatement`: what is claimed of the gadgets of a region."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from kt_models.cells import cell_name
from kt_models.certificates.statement import DIGITS, LISTED
from kt_models.certificates.verdict import Verdict
from kt_models.errors import InvalidTour, KTError
from kt_models.gadgets.frame import Frame
from kt_models.gadgets.gadget import Gadget, gadgets_of_json
from kt_models.leaper import Leaper
from kt_models.pairs import METRICS
from kt_models.reading import is_integer


@dataclass(frozen=True)
class GadgetStatement:
    """What is claimed of a region, its ports and the paths that cover it.

    Parameters
    ----------
    frame
        The region and its ports.
    kind
        `gadgets`: there are this many different ones (with these turns and crossings).  `least`: none of those searched
        for has a smaller value.  `complete`: there are no more of them.
    value
        How many, or the least value.
    metric
        What a `least` value counts.
    counts
        Turns and crossings of a single gadget.
    """

    frame: Frame
    kind: Literal["gadgets", "least", "complete"]
    value: int
    metric: str = ""
    counts: tuple[tuple[str, int], ...] = ()

    @property
    def leaper(self) -> Leaper:
        """The piece."""
        return self.frame.leaper

    @property
    def text(self) -> str:
        """The statement in words."""
        where = _place(self.frame)
        if self.kind == "least":
            return f"no gadget that was searched for has fewer than {self.value:,} {self.metric}, of {where}"
        if self.kind == "complete":
            return f"there are no more than {self.value:,} gadgets of the kind that was searched for, of {where}"
        if self.value > 1:
            return f"{self.value:,} different gadgets of {where}"
        return f"a gadget with {' and '.join(f'{count:,} {metric}' for metric, count in self.counts)} of {where}"


def _place(frame: Frame) -> str:
    """The region, cell by cell where it is small, its ports, its piece and its period."""
    cells = [cell_name(cell) if min(cell) >= 0 else f"({cell[0]},{cell[1]})" for cell in frame.cells]
    ports = [f"{cell_name(p.cell)} by ({p.move[0]},{p.move[1]})" for p in frame.ports]
    listed = [_listed(cells), _listed(ports)]
    period = f", periodic by ({frame.period[0]},{frame.period[1]})" if frame.periodic else ""
    return f"the {len(cells)} cells {listed[0]} with the {len(ports)} ports {listed[1]}{period}, leaper {frame.leaper}"


def _listed(names: list[str]) -> str:
    if len(names) <= LISTED:
        return " ".join(names)
    return f"of SHA-256 {sha256(' '.join(names).encode()).hexdigest()[:DIGITS]}"


def verdict_of_gadgets(data: Any) -> Verdict:
    """Verify the gadgets of a file; what it says of those that it does not hold is somebody's word.

    Raises
    ------
    InvalidTour
        If a gadget is none, stands there twice, or the numbers of the file are not those of its gadgets.
    KTError
        If it cannot be read.
    """
    gadgets = gadgets_of_json(data)
    if not gadgets:
        raise KTError("it has no gadget")
    if len({(gadget.frame, gadget.paths) for gadget in gadgets}) < len(gadgets):
        raise InvalidTour("a gadget stands there twice")
    frames = dict.fromkeys(gadget.frame for gadget in gadgets)
    shown = []
    for frame in frames:
        here = [gadget for gadget in gadgets if gadget.frame == frame]
        counts = tuple((metric, here[0].measure(metric)) for metric in METRICS) if len(here) == 1 else ()
        shown.append(GadgetStatement(frame, "gadgets", len(here), counts=counts))
    return Verdict(tuple(shown), _stated(data, gadgets), "each path and pairing verified")


def _stated(data: dict[str, Any], gadgets: tuple[Gadget, ...]) -> tuple[GadgetStatement, ...]:
    frame, stated = gadgets[0].frame, []
    if data.get("status") == "optimal":
        metric, value = data.get("minimize"), data.get("value")
        if metric not in METRICS or not is_integer(value):
            raise KTError("'minimize' or 'value' is missing or of the wrong type")
        values = {gadget.measure(metric) for gadget in gadgets}
        if values != {value} or data.get("bound", value) != value:
            raise InvalidTour(f"it says that {value} {metric} are the fewest, and has gadgets with {sorted(values)}")
        stated.append(GadgetStatement(frame, "least", value, metric))
    if data.get("complete") is True:
        count = data.get("count", len(gadgets))
        if not is_integer(count) or count < len(gadgets):
            raise InvalidTour(f"it says {str(count)[:20]} gadgets, and has {len(gadgets)}")
        stated.append(GadgetStatement(frame, "complete", count))
    return tuple(stated)
