"""Proof folders: a formula whose clauses are explained, and a DRAT proof that it has no model.

`check_folder` believes nothing that the folder says.  It shares no code with `encoders.proof`, which writes it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import numpy as np

from kt_models.board import Board
from kt_models.certificates import Statement
from kt_models.errors import CertificateError, KTError
from kt_models.graph import KNIGHT
from kt_models.problem import Problem
from kt_models.proofs.dimacs import digest_of, proof_steps, read_formula
from kt_models.proofs.drat import Clock, Engine, Replay, replay
from kt_models.proofs.manifest import FORMULA, MANIFEST, PROOF, Manifest
from kt_models.proofs.meaning import Meaning

MORE_VARIABLES = 1_000_000
"""How many variables a proof may add to those of the formula."""


@dataclass(frozen=True)
class Checked:
    """What a proof folder shows, and the parts that were checked."""

    problem: Problem
    bound: int | None
    explained: dict[str, int]
    replay: Replay

    @property
    def claim(self) -> str:
        """The claim in words."""
        return self.statement.text

    @property
    def statement(self) -> Statement:
        """What it shows."""
        if self.bound is None:
            return Statement(self.problem, "infeasible")
        return Statement(self.problem, "at-least", self.bound)

    def __str__(self) -> str:
        rules = ", ".join(f"{count:,} {rule}" for rule, count in self.explained.items())
        total = sum(self.explained.values())
        return (
            f"{self.claim}; checked: digests; all {total:,} clauses against the problem ({rules}); "
            f"the DRAT proof, {self.replay.text}"
        )


def check_folder(
    directory: str | os.PathLike[str],
    *,
    engine: Engine = "auto",
    seconds: float | None = None,
    stop: Event | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Checked:
    """Check a proof folder: its digests, every clause against the problem, and the proof.

    Parameters
    ----------
    directory
        Holds `manifest.json`, `formula.cnf` and `proof.drat`.
    engine
        Which part of dratify replays the proof: `native`, `python`, or `auto`, the first if it is there.
    seconds, stop
        When to give up, after a time or by a signal (looked at between blocks of the proof).
    on_progress
        Called with a few words now and then.

    Raises
    ------
    CertificateError
        If it was read and does not show what it claims.
    KTError
        If it cannot be read, or the time was over.
    """
    folder, clock = Path(directory), Clock(seconds, stop, on_progress)
    if not (folder / MANIFEST).is_file():
        raise KTError(f"{folder}: not a proof folder: it has no {MANIFEST}")
    manifest = Manifest.read(folder)
    try:
        for name in (FORMULA, PROOF):
            clock.tick(f"the digest of {name}")
            if digest_of(folder / name) != manifest.digests[name]:
                raise CertificateError(f"{name} is not the file that the manifest was written for")
        top, clauses = read_formula(folder / FORMULA)
        clock.tick("the meaning of the clauses")
        meaning = Meaning(manifest)
        explained = meaning.check(manifest.groups, clauses)
        limit = max(top, meaning.top) + MORE_VARIABLES
        done = replay(top, clauses, lambda: proof_steps(folder / PROOF, limit), engine, clock)
    except CertificateError as error:
        raise CertificateError(f"{folder}: {error}") from None
    return Checked(manifest.problem, manifest.bound, explained, done)


def claim_text(problem: Problem, bound: int | None) -> str:
    """A claim in words: `no closed tour of 4x6`, `at least 32 turns in any closed tour of 6x6`.

    A manifest may give any graph, cells or weights any name: names are passed on only where they say it all.
    """
    names = {"cycle": "closed tour", "path": "open tour", "any": "choice of edges"}
    graph = problem.graph
    if graph.board is None:
        place = f"the graph of {graph.n:,} vertices and {graph.m:,} edges in the manifest, there called {graph.name!r}"
    elif _says_it_all(graph.board):
        place = graph.name
    else:
        place = f"the board of {graph.n:,} cells in the manifest, there called {graph.name!r}"
    if graph.leaper is not None and graph.leaper != KNIGHT:
        place += f" (leaper {graph.leaper})"
    given = [
        f"{len(values)} {name}" for name in ("required", "forbidden", "terminals") if (values := getattr(problem, name))
    ]
    given += [f"symmetric under {symmetry.name}" for symmetry in problem.symmetry]
    what = f"{names.get(problem.connectivity, problem.connectivity)} of {place}"
    what += f" ({', '.join(given)})" if given else ""
    if bound is None:
        return f"no {what}"
    metric = problem.objective if isinstance(problem.objective, str) else "by the weights in the manifest"
    return f"at least {bound:,} {metric} in any {what}"


def _says_it_all(board: Board) -> bool:
    """Whether a board is the one that its text means (and not another, given cell by cell)."""
    if board.text.startswith("@"):
        return False
    try:
        same = Board.parse(board.text)
    except KTError:
        return False
    return same.wraps == board.wraps and np.array_equal(same.cells, board.cells)
