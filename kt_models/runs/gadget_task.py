"""`GadgetTask`: a run that searches all wanted gadgets of a frame, cube by cube."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from kt_models.errors import InvalidTour, KTError
from kt_models.gadgets.frame import Frame, name_of
from kt_models.gadgets.gadget import Gadget
from kt_models.gadgets.statement import COUNTED, GadgetStatement, all_counted
from kt_models.gadgets.wanted import Wanted, drift_of
from kt_models.json_values import is_boolean, is_integer
from kt_models.kernel.certificates.statement import DIGEST_DIGITS, MAX_LISTED
from kt_models.kernel.certificates.verdict import Assertion
from kt_models.limits import Limits
from kt_models.metrics import BOARD_METRICS
from kt_models.problem import Problem
from kt_models.runs.task import Edges, Solutions, Task


@dataclass(frozen=True)
class GadgetTask(Task):
    """All wanted gadgets of a frame.

    Parameters
    ----------
    frame
        The region to cover.
    wanted
        Conditions on the joined ports.
    minimize
        `turns` or `crossings`: what `at_most` is about; None for every gadget.
    at_most
        The greatest value wanted.
    least
        Whether `at_most` is the least possible value, so that all gadgets have it.

    Raises
    ------
    KTError
        If these are inconsistent.
    """

    kind: ClassVar[str] = "gadgets"
    frame: Frame
    wanted: Wanted = field(default_factory=Wanted)
    minimize: str | None = None
    at_most: int | None = None
    least: bool = False

    def __post_init__(self) -> None:
        self.wanted.check(self.frame)
        if (self.minimize is None) != (self.at_most is None):
            raise KTError("a greatest value needs turns or crossings, and these need a greatest value")

    @cached_property
    def problem(self) -> Problem:  # type: ignore[override]
        return self.frame.problem(self.minimize)

    def solution(self, edges: Edges) -> Gadget:
        """The gadget of a set of edges, verified to be a wanted one.

        Raises
        ------
        InvalidTour
            If the edges do not make such a gadget.
        """
        gadget = Gadget.of_edges(self.frame, np.asarray(edges, dtype=np.int32))
        if not self.wanted.allows(self.frame, gadget.pairing):
            raise InvalidTour("it joins ports that are not wanted")
        if self.wanted.drift is not None and {drift_of(self.frame, path) for path in gadget.paths} != {
            self.wanted.drift
        }:
            raise InvalidTour(f"a path leaves elsewhere than {self.wanted.drift} periods on")
        if self.minimize is not None and self.at_most is not None and gadget.measure(self.minimize) > self.at_most:
            raise InvalidTour(f"it has {gadget.measure(self.minimize)} {self.minimize}, more than {self.at_most}")
        return gadget

    @property
    def text(self) -> str:
        frame, conditions = self.frame, [*self.wanted.conditions]
        ports = [f"{number}: {port}{' out' if port.leaves else ''}" for number, port in enumerate(frame.ports)]
        text = f"sets of {frame.leaper.piece}'s paths that cover the region "
        text += f"of {len(frame.cells):,} cells {_listing([name_of(cell) for cell in frame.cells])}"
        if frame.periodic:
            conditions.insert(0, f"repeated every {max(frame.period)} along {'x' if frame.period[0] else 'y'}")
        text += f" with {len(ports):,} ports ({_listing(ports)})"
        if self.at_most is not None:
            conditions.append(f"with at most {self.at_most:,} {self.minimize}")
        return ", ".join([text, *conditions])

    def conclusion(self, count: int, by_value: Mapping[int, int]) -> tuple[Solutions, ...]:
        """Statement that the listed gadgets are all."""
        return (Solutions(self, count, complete=True),)

    def recount(self, count: int, limits: Limits) -> tuple[tuple[Assertion, ...], str]:
        claimed = GadgetStatement(
            self.frame, "complete", count, self.minimize or "", wanted=self.wanted, at_most=self.at_most
        )
        least: tuple[GadgetStatement, ...] = ()
        if self.least and self.minimize is not None and self.at_most is not None:
            least = (GadgetStatement(self.frame, "least", self.at_most, self.minimize, wanted=self.wanted),)
        if not all_counted((*least, claimed), True, limits):
            return (), ""
        return (*self.conclusion(count, {}), *least), COUNTED

    def to_json(self) -> dict[str, Any]:
        """The keys `kind`, `frame`, `wanted`, `least`, and `minimize` and `at_most` if there is a greatest value."""
        data = {"kind": self.kind, "frame": self.frame.to_json(), "wanted": asdict(self.wanted), "least": self.least}
        return data if self.minimize is None else {**data, "minimize": self.minimize, "at_most": self.at_most}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GadgetTask:
        frame, minimize, at_most, least = (data.get(key) for key in ("frame", "minimize", "at_most", "least"))
        if not isinstance(frame, dict) or not is_boolean(least):
            raise KTError("'frame' or 'least' is missing or of the wrong type")
        if not (minimize is None or minimize in BOARD_METRICS) or not (at_most is None or is_integer(at_most)):
            raise KTError("'minimize' or 'at_most' is of the wrong type")
        return cls(Frame.from_json(frame), Wanted.from_json(data.get("wanted")), minimize, at_most, least)


def _listing(names: list[str]) -> str:
    """Names or, if there are many, the digest of the things they name."""
    if len(names) <= MAX_LISTED:
        return " ".join(names) or "none"
    return f"of SHA-256 {sha256(chr(10).join(names).encode()).hexdigest()[:DIGEST_DIGITS]}"
