"""`prove`: write an LRAT proof that a problem has no solution, or none with at most a given value.

A solver that logs what it derives is called again and again for edges with the right degrees and value, and each
component of its answer gives a cut-set. When there are no more answers, its log is the proof; cut-sets and steps that
the proof does not need are left out. The work is done in a child process, so that it can be ended at any time.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import numpy as np

from encoders.proof.formula import ProofFormula
from encoders.proof.log import PROVER, LoggedOracle
from encoders.sat.formula import VertexSet
from encoders.sat.search import connect
from encoders.work.child import Child, Message, serve
from encoders.work.draft import draft_of
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.kernel.certificates.proofs.dimacs import digest_of
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF, Manifest
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.problem import Problem
from kt_models.writing import write_atomic, write_json, writing

MIN_MERGED = 200
"""Least number of vertices for merging components; on smaller graphs, loading the code takes longer."""
POLL_SECONDS = 0.05
"""Seconds between two looks at the limits."""


def prove(
    problem: Problem,
    at_most: int | None,
    directory: str | os.PathLike[str],
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> bool:
    """Write a proof folder (docs/theory/proofs.md), which `check_folder` of `kt_models` checks.

    Parameters
    ----------
    problem
        The problem without a solution.
    at_most
        Exclude only solutions of at most this value; None excludes all.
    directory
        An empty or new folder.
    limits
        When to give up; nothing is written then.
    on_progress
        Called with a report now and then.

    Returns
    -------
    bool
        False if time ran out.

    Raises
    ------
    Refuted
        If there is such a solution.
    KTError
        If the folder cannot be written.
    """
    target = Path(directory)
    require_proof_directory(target)
    if at_most is not None and problem.objective is None:
        raise KTError("a proof of a bound needs an objective")
    with suppress(Stopped), draft_of(target, MANIFEST) as draft:
        task = {"problem": problem.to_json(), "at_most": at_most, "folder": str(draft), "seed": limits.seed}
        edges = _have_done(task, limits, on_progress).get("edges")
        if edges is not None:
            raise Refuted(problem, np.array(edges, dtype=np.int32))
        return True
    return False


def require_proof_directory(directory: str | os.PathLike[str]) -> None:
    """Refuse a folder for a proof before the work: it must be empty or new, and writable."""
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


def _have_done(task: Message, limits: Limits, on_progress: Listener) -> Message:
    """Let a worker do a task, and return its answer; raise `Stopped` if the limits are reached first."""
    with Child(__name__, task) as child:
        try:
            while True:
                limits.check()
                message = child.receive(POLL_SECONDS)
                if message is not None and "words" not in message:
                    return message
                if message is not None:
                    on_progress(Report(words=message["words"]))
        except (RuntimeError, MemoryError) as error:
            raise KTError(f"the proof was not finished: its process ended early ({error})") from None


class _Writer:
    def __init__(self, task: Message, say: Callable[..., None]) -> None:
        self._task, self._say = task, say

    def hear(self, message: Message) -> None:
        """Ignore messages."""

    def work(self) -> Message:
        """Write the three files, or return the edges of a solution."""
        task = self._task
        problem, folder = Problem.from_json(task["problem"]), Path(task["folder"])
        limits = Limits(seed=task["seed"])
        try:
            with writing(folder.parent):  # The name of the draft would not help the user.
                write_folder(problem, task["at_most"], folder, lambda now: self._say(words=now.words), limits)
        except Refuted as error:
            return {"edges": error.edges.tolist()}
        return {"done": True}


def main() -> None:
    """Do the task on the first line of the input."""
    serve(_Writer)


def write_folder(
    problem: Problem,
    at_most: int | None,
    folder: Path,
    on_progress: Listener = silent,
    limits: Limits = NO_LIMITS,
) -> None:
    """Write formula, proof and manifest, in this process (see `prove`).

    Raises
    ------
    Refuted
        If there is a solution.
    """
    formula = ProofFormula(problem, at_most)
    sets = write_proof(formula, folder / PROOF, limits=limits, on_progress=on_progress)
    formula.add_cut_sets(sets)
    write_formula(formula.top, formula.clauses, folder / FORMULA)
    digests = {name: digest_of(folder / name) for name in (FORMULA, PROOF)}
    manifest = manifest_of(formula, at_most, digests, f"{PROVER} of python-sat {version('python-sat')}")
    write_json(folder / MANIFEST, manifest.to_json())
    for name in (FORMULA, PROOF, MANIFEST):
        with open(folder / name, "rb") as stream:
            os.fsync(stream.fileno())


class Refuted(KTError):
    """There is a solution, so there is nothing to prove.

    Attributes
    ----------
    edges
        The edges of the solution.
    """

    def __init__(self, problem: Problem, edges: IntArray) -> None:
        value = problem.cost(edges)
        super().__init__("there is a solution" + ("" if value is None else f" of value {value}"))
        self.edges = edges


def manifest_of(formula: ProofFormula, at_most: int | None, digests: dict[str, str], solver: str) -> Manifest:
    """The meaning of a formula's clauses."""
    bound = None if at_most is None else at_most + 1
    parts = tuple(formula.counted), tuple(formula.counters), tuple(formula.groups)
    constrained = tuple(map(tuple, formula.constrained))
    return Manifest(formula.problem, bound, digests, *parts, solver, constrained)


def write_proof(
    formula: ProofFormula,
    path: Path,
    known_sets: Sequence[Sequence[int]] = (),
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> list[list[int]]:
    """Search for a solution, and write the proof that there is none.

    Parameters
    ----------
    formula
        The formula whose clauses come first in the proof.
    known_sets
        Cut-sets to begin with.

    Returns
    -------
    list of list of int
        The cut-sets that the proof needs; their clauses follow the formula's, in this order.

    Raises
    ------
    Refuted
        If the problem has a solution (of at most the requested value).
    Stopped
        If the limits are reached first.
    """
    sets: list[list[int]] = []

    def hear(more: Iterable[Sequence[int]]) -> None:
        sets.extend(some if isinstance(some, VertexSet) else VertexSet(some) for some in more)
        on_progress(Report(words=f"{len(sets):,} cut-sets"))

    problem = formula.problem
    # Merging could exceed the allowed value.
    merge = problem.objective is None and problem.graph.n >= MIN_MERGED
    with LoggedOracle(formula.clauses, limits.check) as oracle:
        oracle.add([formula.cut_set(vertices) for vertices in known_sets])
        sets.extend(map(list, known_sets))
        edges = connect(formula, oracle, limits, merge, hear)
        if edges is not None:
            raise Refuted(problem, edges)
        on_progress(Report(words=f"{len(formula.clauses):,} clauses, {len(sets):,} cut-sets: writing the proof"))
        return [sets[i] for i in oracle.write(path)]


def write_formula(top: int, clauses: Sequence[Sequence[int]], path: Path) -> None:
    """Write DIMACS CNF."""
    write_atomic(path, formula_text(top, clauses))


def formula_text(top: int, clauses: Sequence[Sequence[int]]) -> str:
    """A formula as DIMACS CNF."""
    rows = (" ".join(map(str, [*clause, 0])) for clause in clauses)
    return "\n".join([f"p cnf {top} {len(clauses)}", *rows, ""])
