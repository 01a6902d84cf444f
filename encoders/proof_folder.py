"""The folder of `--proof`: an answer with all its proofs (certificate, LRAT, cutting planes), written together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from encoders.bounds import certified
from encoders.pb.write import find_cutting_planes, write_files
from encoders.proof import prove
from encoders.proof.program import UNREAD_PROOF
from kt_models.errors import KTError
from kt_models.files.check import RESULT
from kt_models.kernel.certificates import Certificate
from kt_models.kernel.certificates.proofs.manifest import MANIFEST
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.result import Result, Status, proof_written
from kt_models.writing import write_json, writing

CERTIFIED_SECONDS = 30.0
"""Longest time for a proof by clauses of what a certificate shows already, if there is no limit."""
CERTIFYING_SECONDS = 60.0
"""Longest time for a certificate, if there is no limit; with a limit, half of the time that is left."""


def prove_result(
    result: Result, directory: str, limits: Limits, *, on_progress: Listener = silent
) -> tuple[Result, KTError | None]:
    """Write a folder that proves an answer: a short certificate, clauses with an LRAT proof, or both.

    Returns
    -------
    Result
        The result with its certificate, if there is one.
    KTError
        The reason why nothing was written; None if a folder was written.
    """
    checked, unread = ((Path(directory) / name).exists() for name in (MANIFEST, UNREAD_PROOF))
    if checked or unread:  # `solve` has written the folder already.
        try:
            data = result.to_json()
            if checked:  # The proof shows what the words say.
                data = {key: value for key, value in data.items() if key != "evidence"}
                data |= {} if result.certificate is not None else {"how": proof_written(directory)}
            write_answer(data, directory)
        except KTError as error:  # A failed proof must not lose the answer.
            return result, error
        return result, None
    if result.problem.numbers is not None:
        return _prove_numbers(result, directory, limits)
    if result.status == "infeasible":
        at_most = None
    elif result.status == "optimal" and result.cost is not None:
        at_most = result.cost - 1
    else:
        return result, KTError("a tour is its own proof" if result.answered else "there is no full answer to prove")
    result = certified(result, limits=limits.part(0.5).within(CERTIFYING_SECONDS), on_progress=on_progress)
    bound = None if at_most is None else at_most + 1
    if result.certificate is not None and result.certificate.method == "isolated":
        # A formula would have a clause for each of millions of vertices, to say what the certificate says of one.
        return result, _written_answer(result, directory)
    planes = find_cutting_planes(result.problem, bound, result.certificate, limits.part(0.5).within(CERTIFYING_SECONDS))
    # Some statements, such as that of a board with unbalanced colours, have no proof by clauses of reasonable length.
    if limits.seconds is None and (result.certificate or planes):
        limits = limits.within(CERTIFIED_SECONDS)
    try:
        proved = prove(result.problem, at_most, directory, limits=limits, on_progress=on_progress)
        if not proved and result.certificate is None and planes is None:
            return result, KTError("the proof was not finished in time")
        data = result.to_json()
        if proved:  # The proof shows what the words say.
            data.pop("evidence", None)
        if result.certificate is None:
            foreign = " --with veripb" if not proved else ""
            data["how"] = proof_written(directory) + foreign
        with writing(directory):
            Path(directory).mkdir(parents=True, exist_ok=True)
        write_answer(data, directory)
        if planes is not None:
            write_files(planes, result.problem, bound, directory)
    except KTError as error:  # A failed proof must not lose the answer.
        return result, error
    return result, None


def _written_answer(result: Result, directory: str) -> KTError | None:
    """Write a folder with an answer and its certificate only; the reason why it could not be written, or None."""
    try:
        with writing(directory):
            Path(directory).mkdir(parents=True, exist_ok=True)
        write_answer(result.to_json(), directory)
    except KTError as error:  # A failed proof must not lose the answer.
        return error
    return None


def _prove_numbers(result: Result, directory: str, limits: Limits) -> tuple[Result, KTError | None]:
    """Write a folder that proves that given numbers have no solution, or no other one than the tour that was found."""
    from encoders.proof.numbering import prove_numbering

    tour = result.tour
    if not result.answered:
        return result, KTError("there is no full answer to prove")
    if result.status == "optimal":
        return result, KTError("a proof about given numbers cannot show a least value")
    try:
        prove_numbering(result.problem, directory, None if tour is None else tour.order.tolist(), limits=limits)
        if tour is None:  # If there is a tour, the folder has the answer already.
            write_answer(result.to_json() | {"how": proof_written(directory)}, directory)
    except KTError as error:  # A failed proof must not lose the answer.
        return result, error
    return result, None


def write_bound_proof(certificate: Certificate, directory: str, limits: Limits = NO_LIMITS) -> None:
    """Write a folder that proves the statement of a certificate: as cutting planes, or clauses with LRAT."""
    problem, bound = certificate.problem, certificate.cost_bound
    if limits.seconds is None:
        limits = limits.within(CERTIFIED_SECONDS)
    planes = find_cutting_planes(problem, bound, certificate, limits.part(0.5))
    if planes is not None:
        write_files(planes, problem, bound, directory)
    elif not prove(problem, None if bound is None else bound - 1, directory, limits=limits):
        raise KTError(
            f"a certificate of method {certificate.method!r} is not written as cutting planes, "
            "and a proof by clauses was not finished in time"
        )
    write_answer(certified_result(certificate).to_json(), directory)


def certified_result(certificate: Certificate) -> Result:
    """A result with the statement of a certificate and nothing else."""
    bound = certificate.bound
    status: Status = "infeasible" if bound is None else "unknown"
    return Result(certificate.problem, status, bound=bound, certificate=certificate)


def write_answer(data: dict[str, Any], directory: str) -> None:
    """Write an answer beside its proofs."""
    write_json(Path(directory) / RESULT, data)
