"""Proofs of outside programs: an LRAT proof is checked at once, and any other is kept unchecked.

The formula is that of every proof folder (`encoders.proof.prove`), so that kt explains each clause. A program answers
from the beginning each time, so the proof of its last answer is the proof, as it stands.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from encoders.proof.formula import ProofFormula
from encoders.proof.prove import MIN_MERGED, Refuted, manifest_of, write_formula
from encoders.sat.search import connect
from encoders.sat.solver_program import ProgramOracle, SolverProgram
from kt_models.errors import CertificateError, KTError
from kt_models.kernel.certificates.proofs.check_folder import check_folder
from kt_models.kernel.certificates.proofs.dimacs import digest_of
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.writing import write_json, writing

UNREAD_PROOF = "proof.drat"
"""The file of a proof that kt does not read: DRAT, or a binary form."""


def prove_by_program(
    program: SolverProgram,
    problem: Problem,
    at_most: int | None,
    directory: str | os.PathLike[str] = "",
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> str:
    """Have a program prove that a problem has no solution, or none of at most a value.

    Parameters
    ----------
    directory
        Where the folder of the proof goes, empty or new; without one the proof is checked and dropped.

    Returns
    -------
    str
        How the answer is known, in words.

    Raises
    ------
    Refuted
        If there is such a solution.
    KTError
        If the program fails, or its LRAT proof is wrong.
    Stopped
        If the limits are reached.
    """
    formula = ProofFormula(problem, at_most)
    sets: list[list[int]] = []

    def hear(more: Iterable[Sequence[int]]) -> None:
        sets.extend(sorted(vertices) for vertices in more)

    merge = problem.objective is None and problem.graph.n >= MIN_MERGED
    with ProgramOracle(program, formula.clauses, check=limits.check) as oracle:
        edges = connect(formula, oracle, limits, merge, hear)
        if edges is not None:
            raise Refuted(problem, edges)
        written = oracle.folder / "proof"
        if not written.is_file():
            return f"answer of the {program.name}, which wrote no proof"
        formula.add_cut_sets(sets)
        if is_lrat(written):
            return _checked(formula, at_most, program, written, directory, limits, on_progress)
        if not directory:
            return f"answer of the {program.name}; its proof is not LRAT, and was not checked"
        with writing(directory):
            Path(directory).mkdir(parents=True, exist_ok=True)
            write_formula(formula.top, formula.clauses, Path(directory) / FORMULA)
            shutil.move(written, Path(directory) / UNREAD_PROOF)
        return f"answer of the {program.name}; its proof ({UNREAD_PROOF}) is not LRAT, and was not checked"


def bound_by_program(
    program: SolverProgram, problem: Problem, at_least: int, directory: str = "", *, limits: Limits = NO_LIMITS
) -> Result:
    """The answer of a program to the claim that every solution costs at least so much.

    Parameters
    ----------
    directory
        The folder for its proof, empty or new; empty for none.

    Returns
    -------
    Result
        The bound, with the words for how it is known as `evidence`, or a cheaper solution.

    Raises
    ------
    Stopped
        If the limits are reached.
    KTError
        If the program fails, or its LRAT proof is wrong.
    """
    engine = f"sat/cut-set {program.name}"
    try:
        words = prove_by_program(program, problem, at_least - 1, directory, limits=limits)
    except Refuted as error:
        return Result(problem, "feasible", edges=error.edges, engine=engine, seconds=limits.elapsed)
    bound = problem.unit.value(at_least)
    known = Result(problem, "unknown", bound=bound, engine=engine, seconds=limits.elapsed)
    return known.with_notes(evidence=words)


def _checked(
    formula: ProofFormula,
    at_most: int | None,
    program: SolverProgram,
    proof: Path,
    directory: str | os.PathLike[str],
    limits: Limits,
    on_progress: Listener,
) -> str:
    """Write the folder of an LRAT proof, and check it."""
    with tempfile.TemporaryDirectory(prefix="kt-proof-") as scratch:
        folder = Path(directory or scratch)
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            write_formula(formula.top, formula.clauses, folder / FORMULA)
            shutil.move(proof, folder / PROOF)
        digests = {name: digest_of(folder / name, limits) for name in (FORMULA, PROOF)}
        write_json(folder / MANIFEST, manifest_of(formula, at_most, digests, program.name).to_json())
        try:
            checked = check_folder(folder, limits=limits, on_progress=on_progress)
        except CertificateError as error:
            for name in (MANIFEST, FORMULA, PROOF):
                (folder / name).unlink()
            words = str(error).removeprefix(f"{folder}: ")
            raise KTError(f"solver {program.words[0]}: its LRAT proof is wrong: {words}") from None
    place = f", in {directory}" if directory else ""
    return f"LRAT proof of the {program.name}, {checked.steps:,} steps, checked{place}"


def is_lrat(path: Path) -> bool:
    """Whether the first step of a proof has the text form of LRAT: a number, a clause, hints."""
    with open(path, "rb") as stream:
        for line in iter(lambda: stream.readline(1 << 16), b""):
            words = line.split()
            if not words or words[0] == b"c":
                continue
            if not all(word.lstrip(b"-").isdigit() or word == b"d" for word in words):
                return False
            return words[0].isdigit() and (words[1:2] == [b"d"] or words.count(b"0") == 2)
    return False
