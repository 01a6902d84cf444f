"""What may be chosen about a SAT search."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from encoders.sat.oracle import check_solver
from kt_models.errors import unknown

CUT_SET = "cut-set"
MODES = ("descent", "core")


@dataclass(frozen=True)
class SatOptions:
    """A configuration of the engine.

    Parameters
    ----------
    encoding
        `cut-set`, or one of `encoders.sat.encodings.encodings`.
    solver
        One of `oracle.SOLVERS`.
    merge
        Whether components are merged by local exchanges between two questions to the solver.
    mode
        How an objective is minimised: `descent` from the best value known, or `core` (core-guided, from below).
    """

    encoding: str = CUT_SET
    solver: str = "cadical153"
    merge: bool = True
    mode: str = "descent"

    def __post_init__(self) -> None:
        from encoders.sat.encodings import encodings

        check_solver(self.solver)
        known = (CUT_SET, *encodings())
        if self.encoding not in known:
            raise unknown("SAT encoding", self.encoding, known)
        if self.mode not in MODES:
            raise unknown("mode", self.mode, MODES)

    @property
    def name(self) -> str:
        """As `Result.engine` has it."""
        return f"sat/{self.encoding} {self.solver}" + (" core-guided" if self.mode == "core" else "")

    def to_json(self) -> dict[str, Any]:
        """The fields by name, as `SatOptions(**data)` takes them."""
        return asdict(self)
