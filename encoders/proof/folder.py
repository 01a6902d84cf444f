"""`prove`: a folder that shows that a problem has no solution, or none with at most a given value.

The cut-set engine always makes it, whatever found the answer.  First cut-sets are gathered: a solver is asked again and
again for edges with the right degrees and value, and each separate part of its answer gives one.  When there is no
answer left, the cut-sets that mattered are kept, and a solver that logs its proof starts from scratch.  This is done by
a process of its own, so that it can be ended at any time.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from encoders.cutsets import violated
from encoders.proof.formula import ProofFormula
from encoders.proof.log import PROVER, log_proof
from encoders.sat.oracle import solve_in_slices
from encoders.work.child import Child, Message, serve
from encoders.work.draft import draft_of
from kt_models.board import IntArray
from kt_models.certificates.proofs.dimacs import digest_of
from kt_models.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF, Manifest
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem
from kt_models.storage import write_atomic, writing

POLL_SECONDS = 0.05
"""Seconds between two looks at the limits."""
GATHERER = "cadical195"
"""Asked for answers that cut-sets then forbid."""


def prove(
    problem: Problem,
    at_most: int | None,
    directory: str | os.PathLike[str],
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> bool:
    """Write a proof folder (docs/theory/proofs.md); `kt_models.certificates.proofs.folder.check_folder` checks it.

    Parameters
    ----------
    problem
        What has no solution.
    at_most
        Only solutions of at most this value are ruled out; None rules out all.
    directory
        Where to: a folder that is empty or does not exist.
    limits
        When to give up: nothing is written then.
    on_progress
        Called with a report now and then.

    Returns
    -------
    bool
        False if the time was over first.

    Raises
    ------
    KTError
        If there is such a solution, the folder cannot be written, or the objective has negative weights.
    """
    target = Path(directory)
    require_proof_directory(target)
    if at_most is not None and problem.objective is None:
        raise KTError("a proof of a bound needs an objective")
    with suppress(Stopped), draft_of(target, MANIFEST) as draft:
        task = {"problem": problem.to_json(), "at_most": at_most, "folder": str(draft)}
        _have_done(task, limits, on_progress)
        return True
    return False


def require_proof_directory(directory: str | os.PathLike[str]) -> None:
    """Refuse a folder for a proof before the work: it has to be empty or new, and writable, or those above it have."""
    target = Path(directory)
    with writing(target):
        if target.exists() and not target.is_dir():
            raise KTError(f"{target}: cannot write: it is not a folder")
        if target.exists() and any(target.iterdir()):
            raise KTError(f"{target}: cannot write: the folder is not empty")
        there = next(folder for folder in (target, *target.absolute().parents) if folder.exists())
        with tempfile.TemporaryDirectory(prefix=".draft-", dir=there):
            pass


# -- the process ------------------------------------------------------------------------------------------------------


def _have_done(task: Message, limits: Limits, on_progress: Listener) -> None:
    """Have a worker do a task; `Stopped` if the limits were reached first."""
    with Child(__name__, task) as child:
        try:
            while True:
                limits.check()
                message = child.receive(POLL_SECONDS)
                if message is not None and "words" not in message:
                    return
                if message is not None:
                    on_progress(Report(words=message["words"]))
        except (RuntimeError, MemoryError) as error:
            raise KTError(f"the proof was not finished: its process ended early ({error})") from None


class _Writer:
    def __init__(self, task: Message, say: Callable[..., None]) -> None:
        self._task, self._say = task, say

    def hear(self, message: Message) -> None:
        """Nothing is told to it."""

    def work(self) -> Message:
        """Write the three files."""
        task = self._task
        problem, folder = Problem.from_json(task["problem"]), Path(task["folder"])
        with writing(folder.parent):  # the draft's name says nothing to the user
            write_folder(problem, task["at_most"], folder, lambda now: self._say(words=now.words))
            return {"done": True}


def main() -> None:
    """Do the task that stands on the first line of the input."""
    serve(_Writer)


def write_folder(problem: Problem, at_most: int | None, folder: Path, on_progress: Listener = silent) -> None:
    """Write formula, proof and manifest, in this process and without a limit (see `prove`)."""
    formula = ProofFormula(problem, at_most)
    sets = gather(formula, on_progress=on_progress)
    formula.add_cut_sets(sets)
    write_formula(formula.top, formula.clauses, folder / FORMULA)
    on_progress(Report(words=f"{len(formula.clauses):,} clauses, {len(sets):,} of them cut-sets: {PROVER} proves it"))
    log_proof(formula.clauses, folder / PROOF)
    digests = {name: digest_of(folder / name) for name in (FORMULA, PROOF)}
    manifest = manifest_of(formula, at_most, digests, f"{PROVER} of python-sat {version('python-sat')}")
    write_atomic(folder / MANIFEST, json.dumps(manifest.to_json()) + "\n")
    for name in (FORMULA, PROOF, MANIFEST):
        with open(folder / name, "rb") as stream:
            os.fsync(stream.fileno())


class Refuted(KTError):
    """There is a solution, so there is nothing to prove.

    Attributes
    ----------
    edges
        The solution's.
    """

    def __init__(self, message: str, edges: IntArray) -> None:
        super().__init__(message)
        self.edges = edges


def manifest_of(formula: ProofFormula, at_most: int | None, digests: dict[str, str], solver: str) -> Manifest:
    """What a formula's clauses mean."""
    bound = None if at_most is None else at_most + 1
    parts = tuple(formula.counted), tuple(formula.counters), tuple(formula.groups)
    return Manifest(formula.problem, bound, digests, *parts, solver)


def gather(
    formula: ProofFormula,
    given: Sequence[Sequence[int]] = (),
    on_progress: Listener = silent,
    check: Callable[[], None] = lambda: None,
) -> list[list[int]]:
    """Cut-sets with which a formula has no model.

    Each cut-set holds only while its own variable is assumed, so that the solver can say in the end which were needed.
    `check` is called now and then, and raises when it is time to give up.

    Raises
    ------
    Refuted
        If the problem has a solution (of at most the value asked for).
    """
    from pysat.solvers import Solver

    problem = formula.problem
    sets: list[list[int]] = []
    known: set[frozenset[int]] = set()
    with Solver(name=GATHERER, bootstrap_with=formula.clauses) as solver:

        def add(vertices: Sequence[int]) -> None:
            if frozenset(vertices) not in known:
                known.add(frozenset(vertices))
                sets.append(sorted(int(v) for v in vertices))
                solver.add_clause([*formula.cut_set(vertices), -(formula.top + len(sets))])

        for vertices in given:
            add(vertices)
        while True:
            chosen = [formula.top + i + 1 for i in range(len(sets))]
            if any(not clause for clause in formula.clauses) or not solve_in_slices(solver, chosen, check):
                core = set(solver.get_core() or []) if sets else set()
                return [vertices for vertices, variable in zip(sets, chosen, strict=True) if variable in core]
            edges = formula.edges_of(solver.get_model())
            cuts = violated(problem, edges)[1]
            if not cuts:
                value = problem.value(edges)
                raise Refuted("there is a solution" + ("" if value is None else f" of value {value}"), edges)
            before = len(sets)
            for cut in cuts:
                add(cut.vertices.tolist())
            if len(sets) == before:
                raise KTError("the cut-sets do not rule out what they should")
            on_progress(Report(words=f"{len(sets):,} cut-sets"))


def write_formula(top: int, clauses: Sequence[Sequence[int]], path: Path) -> None:
    """Write DIMACS CNF."""
    write_atomic(path, formula_text(top, clauses))


def formula_text(top: int, clauses: Sequence[Sequence[int]]) -> str:
    """A formula as DIMACS CNF."""
    rows = (" ".join(map(str, [*clause, 0])) for clause in clauses)
    return "\n".join([f"p cnf {top} {len(clauses)}", *rows, ""])
