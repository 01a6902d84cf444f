"""Formulas of cutting-planes proofs: the check that a formula expresses its problem.

A folder has `formula.opb`, `proof.pbp`, which shows that the formula has no solution, and `model.json`: the problem,
the bound that this shows, the cuts, and digests. The checker rebuilds the formula from the problem, the bound and the
cuts, deriving each cut from the problem, and compares every character. The proof is for VeriPB, or any other checker of
its format; here only the rules that its lines name are checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kt_models.errors import CertificateError, KTError, about
from kt_models.fields import require_derived, require_fields
from kt_models.json_values import integer, is_number
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.certificates.cut_inequalities import Cut, read_cuts
from kt_models.kernel.certificates.proofs.dimacs import digest_of, open_file
from kt_models.kernel.certificates.proofs.zero_one import ZeroOneModel
from kt_models.kernel.certificates.rounding import ruled_out
from kt_models.kernel.certificates.statement import Statement
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.storage import read_json

MODEL, FORMULA, PROOF = "model.json", "formula.opb", "proof.pbp"
KIND = "cutting-planes"
RULES = (b"* ", b"pseudo-Boolean proof version 1.", b"f ", b"pol ", b"rup ", b"red ", b"del id ", b"c ")
"""Beginnings of proof lines whose rules a checker verifies step by step; other rules are axioms, and are refused."""


def formula_of(problem: Problem, bound: int | None, cuts: Sequence[Cut], flow: int | None = None) -> ZeroOneModel:
    """Formula whose refutation shows that every solution has at least a value, or that there is none (`None`)."""
    return ZeroOneModel(problem, cuts, ruled_out(claim_of(problem, bound)), flow=flow)


def claim_of(problem: Problem, bound: int | None) -> Statement:
    """The statement that every solution of a problem has at least a value, or that there is none (`None`)."""
    return Statement(problem, "infeasible" if bound is None else "at-least", bound)


def model_to_json(model: ZeroOneModel, problem: Problem, bound: int | None, digests: dict[str, str]) -> dict[str, Any]:
    """The keys of `model.json`."""
    return {
        "version": FORMAT_VERSION,
        "kind": KIND,
        **({"status": "infeasible"} if bound is None else {"bound": problem.unit.value(bound)}),
        "problem": problem.to_json(),
        "cuts": [[list(cut.vertices), list(cut.teeth)] for cut in model.cuts],
        **({} if model.source is None else {"flow": model.source}),
        "sha256": digests,
    }


def check_formula(directory: Path, limits: Limits = NO_LIMITS) -> Statement:
    """The statement that a refutation of the formula in a folder shows.

    Raises
    ------
    CertificateError
        If the formula is not that of the problem, or a line of the proof cannot be read.
    KTError
        If a file cannot be read.
    """
    with about(directory / MODEL):
        data = read_json(directory / MODEL, limits.memory)
        if not isinstance(data, dict) or data.get("kind") != KIND:
            raise KTError(f"not of the kind {KIND!r}")
        data = read_document(data, KIND)
        bound, digests, described = (data.get(key) for key in ("bound", "sha256", "problem"))
        if (
            not (is_number(bound) or (bound is None and data.get("status") == "infeasible"))
            or not isinstance(digests, dict)
            or sorted(digests) != [FORMULA, PROOF]
            or not isinstance(described, dict)
        ):
            raise KTError("'bound', 'problem' or 'sha256' is missing or of the wrong type")
        problem = Problem.from_json(described)
        require_fields(data, KIND)
        require_derived(data, {"problem": problem.to_json()}, KIND, ("status", "sha256"), CertificateError)
        bound = problem.unit.cost(bound, "'bound'")
        flow = integer(data["flow"], "'flow'", 0, problem.graph.n - 1) if "flow" in data else None
        statement = claim_of(problem, bound)
        model = formula_of(problem, bound, read_cuts(problem, data.get("cuts", [])), flow)
        digest = hashlib.sha256(model.opb().encode()).hexdigest()
    if not digest == digest_of(directory / FORMULA, limits) == digests.get(FORMULA):
        raise CertificateError(f"{directory / FORMULA}: not the formula of {statement}")
    if digest_of(directory / PROOF, limits) != digests.get(PROOF):
        raise CertificateError(f"{directory / PROOF}: not the file that {MODEL} was written for")
    with open_file(directory / PROOF) as stream:
        for number, line in enumerate(stream, start=1):
            if number % 4096 == 0:
                limits.check()
            if not line.startswith(RULES):
                raise CertificateError(f"{directory / PROOF}: line {number} has a rule that such a proof does not have")
    return statement
