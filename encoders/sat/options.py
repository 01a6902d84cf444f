"""The options of a SAT search."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from encoders.sat.oracle import check_solver
from encoders.sat.solver_program import SolverProgram
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
        One of `oracle.SOLVERS`, or a program.
    merge
        Whether to merge components by local exchanges between two calls of the solver.
    mode
        How to minimise: `descent` from the best known value, or `core` (core-guided, from below).
    """

    encoding: str = CUT_SET
    solver: str | SolverProgram = "cadical153"
    merge: bool = True
    mode: str = "descent"

    def __post_init__(self) -> None:
        from encoders.sat.encodings import encodings

        if isinstance(self.solver, str):
            check_solver(self.solver)
        known = (CUT_SET, *encodings())
        if self.encoding not in known:
            raise unknown("SAT encoding", self.encoding, known)
        if self.mode not in MODES:
            raise unknown("mode", self.mode, MODES)

    @property
    def name(self) -> str:
        """The name in `Result.engine`."""
        solver = self.solver if isinstance(self.solver, str) else self.solver.name
        return f"sat/{self.encoding} {solver}" + (" core-guided" if self.mode == "core" else "")

    def to_json(self) -> dict[str, Any]:
        """The fields by name, for `SatOptions(**data)`."""
        if not isinstance(self.solver, str):
            raise ValueError("a program's command line goes into no file or message")
        return asdict(self)
