"""MiniZinc as an engine: its solvers get the model that `kt convert` writes, and kt verifies what they answer."""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from encoders.pb.constraint_models import to_minizinc
from encoders.pb.models import says_none, says_optimal, true_variables
from encoders.sat.solver_program import run_program
from encoders.work.run import Run
from kt_models.errors import KTError, excerpt
from kt_models.kernel.certificates.proofs.zero_one import edge_variables
from kt_models.limits import Report, Stopped
from kt_models.problem import Problem
from kt_models.writing import write_atomic

PREFIX, PROGRAM = "minizinc:", "minizinc"
SOLUTION = "----------"
"""The line that ends a solution."""


@dataclass(frozen=True)
class MiniZincSolver:
    """A solver of MiniZinc, such as `gecode`, for `minizinc --solver`.

    Raises
    ------
    KTError
        If there is no program `minizinc`, or the name is not one word.
    """

    solver: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[\w.@-]{1,80}", self.solver) or self.solver.startswith("-"):
            raise KTError(f"solver {excerpt(PREFIX + self.solver)}: name one of `minizinc --solvers`")
        if shutil.which(PROGRAM) is None:
            raise KTError(f"solver {PREFIX}{self.solver}: there is no program {PROGRAM} on the PATH")

    @property
    def name(self) -> str:
        """The name for `Result.engine`."""
        return f"{PROGRAM} {self.solver}"

    @property
    def words(self) -> tuple[str, ...]:
        """The name that the user gave."""
        return (f"{PREFIX}{self.solver}",)


class MiniZincEngine:
    """An engine (see `encoders.work.run.Engine`) that lets MiniZinc solve the model of a problem."""

    def __init__(self, problem: Problem, solver: MiniZincSolver) -> None:
        self._problem, self._solver = problem, solver
        self.name = solver.name
        self._interrupted = threading.Event()

    def interrupt(self) -> None:
        """Ask for the end."""
        self._interrupted.set()

    def work(self, run: Run) -> Report:
        """Solve; with an objective, report each better solution until the last is the best."""
        limits, minimises = run.limits.until(self._interrupted.is_set), self._problem.objective is not None
        with tempfile.TemporaryDirectory(prefix="kt-minizinc-") as folder:
            model = Path(folder) / "model.mzn"
            write_atomic(model, to_minizinc(self._problem))
            words = [PROGRAM, "--solver", self._solver.solver, *(["-a"] if minimises else []), str(model)]
            with open(Path(folder) / "output", "w+b") as output, open(Path(folder) / "errors", "w+b") as errors:
                place = 0

                def hear() -> None:
                    nonlocal place
                    limits.check()
                    if minimises:
                        place = self._hear(run, Path(output.name), place)

                try:
                    status = run_program(words, output, errors, hear)
                finally:
                    self._hear(run, Path(output.name), place)
                output.seek(0)
                errors.seek(0)
                text, faults = (stream.read().decode("utf-8", "replace") for stream in (output, errors))
        known = f"answer of {self._solver.name}, not checked"
        lines = text.splitlines()
        if says_none(lines):
            return Report(self.name, status="infeasible", conclusive=True, words=known)
        if SOLUTION not in lines:
            messages = [line for line in (text + faults).splitlines() if line.strip()] or ["it printed nothing"]
            wrong = next((line for line in messages if "rror" in line), messages[-1])
            raise KTError(f"solver {self._solver.words[0]}: no answer (exit status {status}): {wrong.strip()[:200]}")
        if not minimises:
            return Report(self.name, edges=run.edges, status="feasible", conclusive=True)
        if not says_optimal(lines):
            raise Stopped("MiniZinc ended without a proof")
        return Report(self.name, run.value, run.value, run.edges, status="optimal", conclusive=True, words=known)

    def _hear(self, run: Run, path: Path, place: int) -> int:
        """Report the last solution that was printed from a place on, and return the place after it."""
        with open(path, "rb") as stream:
            stream.seek(place)
            printed = stream.read()
        mark = SOLUTION.encode() + b"\n"
        end = printed.rfind(mark)
        if end < 0:
            return place
        last = printed[:end].rpartition(mark)[2].decode("utf-8", "replace")
        variables = edge_variables(self._problem)
        true = true_variables(last, max(variables, default=0))
        edges = np.array([e for e, x in enumerate(variables) if x in true], dtype=np.int32)
        run.report(self.name, edges=edges, value=self._problem.cost(edges))
        return place + end + len(mark)
