"""Meanings of the keys of each kind of file to a check: one table, and the comparison of a file with what is derived.

A reader of a file may believe any of its keys. So each is a part of the question or the solution, which the check reads
and verifies; or the claim, which the check proves and prints as it stands; or a part of a proof, from which only what
it proves is taken; or the check derives it and compares; or it is a note about how the answer came about, and claims
nothing. What any other key says is not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kt_models.conditions import CONDITIONS
from kt_models.errors import InvalidTour, KTError, excerpt, unknown
from kt_models.metrics import BOARD_METRICS, METRICS
from kt_models.metrics.cells import CELLS

PLACE_KEYS = (
    "version", "kind", "board", "leaper", "cells", "shape", "wraps", "vertices", "edges", "arcs", "edge_weights",
    "labels", "distinguish_moves", "positions", "unit", "precision",
)  # fmt: skip
"""Keys of a board or graph, and those of every file."""
PROBLEM_KEYS = (
    "connectivity", "objective", "sense", "weights", "terminals", "required", "forbidden", "optional", "start", "end",
    "symmetry", "constraints", "numbers", "line_sums", "tour_shape", *CONDITIONS,
)  # fmt: skip
"""Keys of a problem besides those of its board or graph."""
SEARCH_KEYS = ("minimize", "at_most", "wanted")
"""The question of a search for gadgets."""
SEARCH_CLAIMS = ("status", "value", "bound", "count", "complete")
"""Its statement about all gadgets."""

VISITED = "visited"
"""Key of the number of cells that a solution visits which may leave some out; `cells` are those of a board."""
MEASURED = tuple(name for name in METRICS if name != CELLS)
"""Keys of the metrics of a tour."""


@dataclass(frozen=True)
class Fields:
    """The keys of a kind of file.

    Parameters
    ----------
    question
        The question, and the solution that the check verifies. A key that the reader ignores is refused.
    claimed
        The claim. The check proves and prints it as it stands; a weaker one that it proves as well is no fault.
    proof
        What a proof consists of: the check shows what it proves, whatever it is.
    derived
        What the check derives, and compares.
    notes
        How the answer came about. They claim nothing, and nothing is compared.
    """

    question: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys."""
        return (*self.question, *self.claimed, *self.proof, *self.derived, *self.notes)


_OF_PROOF = ("version", "kind", "problem")
_FAMILIES = Fields(("version", "kind"), ("claims",), ("families",), notes=("command", "prefer"))

FIELDS: Mapping[str, Fields] = {
    "tour": Fields((*PLACE_KEYS, "tour", "closed", "moves", "numbered"), derived=MEASURED),
    "result": Fields(
        (*PLACE_KEYS, *PROBLEM_KEYS, "tour", "moves"),
        proof=("certificate",),
        derived=(
            "status", "value", "bound", "closed", *MEASURED, VISITED, "paths", "cycles", "chosen", "how", "claims",
            "reason", "stated", "sums", "evidence",
        ),
        notes=(
            "engine", "seconds", "warm_start", "statistics", "stated_in", "left_out", "method", "tried", "proof",
            "structure", "number", "line", "tour_source", "bound_source", "checks",
        ),
    ),
    "certificate": Fields(("version", "kind", "method", "problem"), ("status", "bound"), ("data",), ("sha256",)),
    "puzzle": Fields((*PLACE_KEYS, "puzzle", "closed", "clues", "tour", "ways"), notes=("difficulty", "seed")),
    "puzzles": Fields(("version", "kind", "puzzles")),
    "front": Fields(
        (*PLACE_KEYS, *PROBLEM_KEYS, "sums"),
        derived=("status", "closed", "front", "missing", "absent", "claims"),
        notes=("seconds",),
    ),
    "gadget": Fields(
        ("version", "kind", "region", "ports", "period", "leaper", "paths", *SEARCH_KEYS),
        ("bound", "complete"),
        derived=(*BOARD_METRICS, "matching", "status", "value", "count"),
        notes=("seconds", "command"),
    ),
    "gadgets": Fields(
        ("version", "kind", "gadgets", "region", "ports", "period", "leaper", *SEARCH_KEYS),
        ("bound", "complete"),
        derived=("status", "value", "count"),
        notes=("seconds", "command"),
    ),
    "longest-walk": Fields(
        (*PLACE_KEYS, "closed", "uncrossed", "chosen"),
        ("bound",),
        derived=("moves", "walk", "status", "reason"),
        notes=("seconds",),
    ),
    "run-summary": Fields(("version", "kind", "task", "tours"), derived=("count", "orbits", "run", "whole", "sha256")),
    "turns-family": Fields(
        ("version", "kind"),
        ("claims",),
        ("denominator", "period", "side", "corner", "left", "border", "interior", "rings"),
        notes=("made_by", "command"),
    ),
    "crossings-family": Fields(
        ("version", "kind"), ("claims",), ("rows", "full", "laps", "cuts", "penalty"), notes=("command",)
    ),
    "strips": Fields(("version", "kind"), ("strips",), notes=("command",)),
    "rings": Fields(("version", "kind"), ("claims",), ("rings",), notes=("command",)),
    "proof": Fields(_OF_PROOF, ("claim",), ("counted", "constrained", "counters", "groups"), ("sha256",), ("solver",)),
    "numbering-proof": Fields(_OF_PROOF, ("only",)),
    "cutting-planes": Fields(_OF_PROOF, ("status", "bound"), ("cuts", "flow"), ("sha256",)),
    "run": Fields(("version", "kind", "task"), notes=("command",)),
    **dict.fromkeys(
        ("strands", "strands-squares", "strands-chains", "strands-spirals", "octants", "radial"), _FAMILIES
    ),
}  # fmt: skip
"""The keys of each kind of file that `kt check` verifies, alone or in its folder."""

FOLDER_KINDS = ("proof", "numbering-proof", "cutting-planes", "run")
"""Kinds of files that are checked with the others in their folder."""

ALWAYS_READ = ("version", "kind", "moves", "numbered")
"""Keys of a question that a reader always verifies, though what it derives may lack them."""


def unknown_fields(data: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """The keys that a kind of file does not have, such as a user's own note: what they say is not checked.

    Raises
    ------
    InvalidTour
        If files of another kind make a claim under such a key.
    """
    unknown = tuple(key for key in data if key not in FIELDS[kind].keys)
    for key in unknown:
        if any(key in fields.keys and key not in fields.notes for fields in FIELDS.values()):
            raise InvalidTour(f"{key!r} says {excerpt(data[key])}, and a file of kind {kind!r} cannot show that")
    return unknown


def require_fields(data: Mapping[str, Any], kind: str) -> None:
    """Refuse keys that a kind of file does not have, where nobody would say that they are not checked."""
    if unread := unknown_fields(data, kind):
        raise unknown(f"key of a file of kind {kind!r},", unread[0], FIELDS[kind].keys)


def require_only(data: Mapping[str, Any], keys: Iterable[str], place: str) -> None:
    """Refuse a key of a part of a file that its reader does not know; `place` names the part."""
    known = tuple(keys)
    for key in data:
        if key not in known:
            raise unknown(f"key of {place},", key, known)


def require_derived(
    data: Mapping[str, Any],
    derived: Mapping[str, Any],
    kind: str,
    skip: Iterable[str] = (),
    fault: Callable[[str], KTError] = InvalidTour,
) -> None:
    """Compare a file with the one that was derived from what the check has verified.

    Parameters
    ----------
    derived
        The document that kt would write: it has each derived key whose value is known, and the given ones.
    skip
        Keys that were compared before.
    fault
        The error of a contradiction.

    Raises
    ------
    KTError
        The given `fault`, if a key says something else, or has no effect.
    """
    fields, skipped = FIELDS[kind], set(skip)
    for key in fields.derived:
        if key in data and key not in skipped and not _same(data[key], derived.get(key)):
            raise fault(f"{key!r} says {excerpt(data[key])}, but it is {_text(derived.get(key))}")
    for key in fields.question:
        if key in data and key not in ALWAYS_READ and (ignored := _ignored(data[key], derived.get(key), key)):
            raise fault(f"{ignored} says something that has no effect here")


def _text(value: Any) -> str:
    return "nothing that this file could tell" if value is None else excerpt(value)


def _same(value: Any, derived: Any) -> bool:
    """Whether two JSON values are equal; true is not 1 here, and 1.0 is not 1."""
    if isinstance(value, dict) and isinstance(derived, dict):
        return value.keys() == derived.keys() and all(_same(value[key], derived[key]) for key in value)
    if isinstance(value, list) and isinstance(derived, list):
        return len(value) == len(derived) and all(map(_same, value, derived))
    return type(value) is type(derived) and bool(value == derived)


def _ignored(value: Any, derived: Any, name: str) -> str:
    """The first part of a given value that the reader ignored, by its name; empty if there is none."""
    if derived is None:  # Nothing says nothing, but 0 is a vertex, and `false` an answer
        return "" if value is None or value == [] else repr(name)
    if isinstance(value, dict) and isinstance(derived, dict):
        parts = (_ignored(part, derived.get(key), key) for key, part in value.items())
    elif isinstance(value, list) and isinstance(derived, list | tuple) and len(value) == len(derived):
        parts = (_ignored(part, other, name) for part, other in zip(value, derived, strict=True) if part != other)
    elif isinstance(value, list) and isinstance(derived, list | tuple):  # Equal entries were read as one
        known = {key: part for other in derived if isinstance(other, dict) for key, part in other.items()}
        parts = (_ignored(part, known, name) for part in value if isinstance(part, dict))
    else:
        return ""
    return next(filter(None, parts), "")
