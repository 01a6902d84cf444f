"""Entries of an HTML page: the tour, result or certificate of a file, its claims, and how far they were checked.

A tour is always verified. A certificate is replayed, but for methods that may take minutes: the page then says that it
was not, and what does it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from drawing.canvas import TWO_COLOURS, hexadecimal
from drawing.caption import plural
from drawing.clue_marks import is_marked
from drawing.drawn_moves import distinct, tours_of
from drawing.explanation_parts import Parts
from drawing.themes import REMOVED
from kt_models.board import BoolArray
from kt_models.errors import InvalidTour, KTError, about
from kt_models.files.check import result_from_json
from kt_models.files.given import holds_json, is_text, read_valid_tour
from kt_models.files.suffixes import file_suffix
from kt_models.graph import MoveGraph
from kt_models.json_values import is_integer
from kt_models.json_version import read_document
from kt_models.kernel.certificates import Certificate, tree
from kt_models.kernel.certificates.longest.answer import KIND, Longest
from kt_models.kernel.certificates.longest.task import LongestTask
from kt_models.kernel.certificates.methods import theorem_of
from kt_models.kernel.certificates.nodes import LEAF, Instance
from kt_models.metrics import BOARD_METRICS
from kt_models.pairs import count_steps
from kt_models.problem import Problem
from kt_models.quantities import COUNTED, amount, shown_name
from kt_models.result import Result
from kt_models.storage import lines_of, parse_json, read_json, read_text
from kt_models.tour import Tour, tour_from_json, verify
from kt_models.walks import Walk, components

LONG_METHODS = ("frontier", "regions")
"""Methods whose certificates are not replayed for a page: they take long."""
MAX_SYMMETRIES = 8
"""Most symmetries of a tour that are listed."""
MAX_SYMMETRY_CELLS = 20_000
"""Most cells of a tour whose symmetries are listed: finding them compares the whole tour with its images."""
WITHOUT_BOARD = {
    "gadget": "it is a gadget, which has no board; kt search draws gadgets",
    "gadgets": "they are gadgets, which have no board; kt search draws gadgets",
    "aztec-ledger": "it is a ledger of many boards; kt aztec reads it",
}
"""Kinds of files without a board, and why they cannot be shown."""
NOTHING = 255
"""Row of a cell without a class."""
MAX_PIECE_COLOURS = 11
"""Colours of the pieces that a cut leaves; with more pieces, several have the same colour."""
MAX_COST_COLOURS = 24
"""Colours of the least costs of cells."""


class NoBoard(KTError):
    """A valid file without a board of its own that could be shown."""


@dataclass(frozen=True)
class Claim:
    """Content of a file: the claim, how it is known, and further facts."""

    text: str
    known: str = ""
    more: str = ""


@dataclass(frozen=True, eq=False)
class Shading:
    """A class of each cell, as a colour under the moves.

    Parameters
    ----------
    rows
        The class of each cell of the board, or `NOTHING`, shape (n,).
    palette, labels
        A colour `#rrggbb` and some words for each class.
    key
        Classes with an explanation beside the board, and the words of it.
    strong
        Classes whose cells are not tinted but filled.
    """

    rows: npt.NDArray[np.uint8]
    palette: tuple[str, ...]
    labels: tuple[str, ...]
    key: tuple[tuple[int, str], ...]
    strong: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class PageEntry:
    """One board of a page, with the walks on it: a tour, or several `walks` that are also written as tours."""

    name: str
    graph: MoveGraph
    tours: tuple[Tour, ...] = ()
    walks: tuple[Walk, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    claim: Claim | None = None
    parts: Parts | None = None
    certificate: Certificate | None = None
    problem: Problem | None = None
    """A problem whose clues are drawn, without a tour."""

    @cached_property
    def layer(self) -> Shading | None:
        """The claims of its certificate about single cells."""
        return layer_of(self.certificate)


def entry_of_tour(tour: Tour, name: str = "") -> PageEntry:
    """The entry of one valid tour."""
    return PageEntry(name or tour.graph.name, tour.graph, (tour,), facts=tuple(_facts_of(tour)))


def entry_of_result(result: Result) -> PageEntry:
    """The entry of a result, whose certificate was checked by its constructor."""
    return _entry_of_answer(result, result.problem.graph.name, result.certificate, result.engine)


def entry_of_problem(problem: Problem) -> PageEntry:
    """The entry of a problem: its board with the clues.

    Raises
    ------
    KTError
        If it has no clue that can be drawn.
    """
    if not is_marked(problem):
        raise KTError(f"{problem.graph.name}: the problem has no given numbers, stops, paths or walls to draw")
    return PageEntry(problem.graph.name, problem.graph, problem=problem)


def entry_of_longest(answer: Longest) -> PageEntry:
    """The entry of a longest walk.

    Raises
    ------
    KTError
        If there is no walk.
    """
    if answer.walk is None:
        raise KTError("there is no walk to draw; a .json file would hold the answer")
    return _entry_of_walk(answer.task, answer.walk, answer.bound, answer.task.graph.name)


def entry_of_certificate(certificate: Certificate, name: str = "") -> PageEntry:
    """The entry of a certificate, without any tour."""
    problem = certificate.problem
    more = "" if certificate.method in LONG_METHODS else _sentence(certificate.words)
    text = "There is no such tour" if certificate.cost_bound is None else _at_least(problem, certificate.bound)
    facts = (*_about(problem), ("Method", certificate.method))
    claim = Claim(text, _known_by(certificate), more)
    return PageEntry(name or problem.graph.name, problem.graph, (), (), facts, claim, certificate=certificate)


def read_entry(path: str | os.PathLike[str], graph: MoveGraph | None = None, **reading: Any) -> PageEntry:
    """Read a tour, a result, a bound or a certificate, and check it (see the module).

    Parameters
    ----------
    how
        As `kt_models.files.given.read_tour` takes them, of a tour.

    Raises
    ------
    InvalidTour, CertificateError
        If the file can be read and is wrong.
    KTError
        If it cannot be read, or is of a kind without a board; the message names the file.
    """
    name = "tour" if is_text(path) else Path(path).name
    if not holds_json(path):  # Graphs are refused
        return entry_of_tour(read_valid_tour(path, graph, **reading), name)
    with about(path):
        entry = _entry_of_json(read_json(path), name)
        if graph is not None and graph != entry.graph:
            raise InvalidTour(f"it is of {entry.graph.name}, not of {graph.name}")
    return entry


def read_entries(path: str | os.PathLike[str], graph: MoveGraph | None = None, **reading: Any) -> Iterator[PageEntry]:
    """The entry that `read_entry` reads; for a file of tours, one object per line, one entry each."""
    if is_text(path) or file_suffix(path) != ".jsonl":
        yield read_entry(path, graph, **reading)
        return
    stem = Path(path).stem
    with about(path):
        for number, line in enumerate(lines_of(read_text(path)), start=1):
            yield _entry_of_json(parse_json(line), f"{stem}-{number}")


def _entry_of_json(data: Any, name: str) -> PageEntry:
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind in ("result", "bound", KIND):
        data = read_document(data, kind)
    if kind == "result":
        return _entry_of_result(data, name)
    if kind == "certificate":
        return entry_of_certificate(Certificate.from_json(data), name)
    if kind == "bound":
        return _entry_of_bound(data, name)
    if kind == KIND:
        return _entry_of_longest(data, name)
    if isinstance(kind, str) and kind in WITHOUT_BOARD:
        raise NoBoard(WITHOUT_BOARD[kind])
    if isinstance(kind, str) and kind != "tour" and theorem_of(kind) is not None:
        raise NoBoard("it is about boards of all sizes and has no board; kt check reads it")
    tour = tour_from_json(data)
    verify(tour)
    return entry_of_tour(tour, name)


def _facts_of(tour: Tour) -> list[tuple[str, str]]:
    words = tour.graph.words
    kinds = ("Board", "Cells") if tour.graph.board is not None else ("Graph", words.places.capitalize())
    values = (tour.graph.name, f"{len(tour):,}")
    facts = [*zip(kinds, values, strict=True), ("Tour", "closed" if tour.closed else "open")]
    if tour.graph.leaper and str(tour.graph.leaper) != "1,2":
        facts.insert(1, ("Leaper", str(tour.graph.leaper)))
    # The search for symmetries compares all images of the tour
    if len(tour) <= MAX_SYMMETRY_CELLS and tour.graph.board is not None and tour.graph.board.dimension == 2:
        names = [symmetry.name for symmetry in tour.symmetries()[1:]]
        more = f", ... ({len(names):,} beside the identity)" if len(names) > MAX_SYMMETRIES else ""
        facts.append(("Symmetry", (", ".join(names[:MAX_SYMMETRIES]) or "none") + more))
    return facts


# -- results and certificates ------------------------------------------------------------------------------------------


def _entry_of_result(data: dict[str, Any], name: str) -> PageEntry:
    stored = data.get("certificate")
    long = isinstance(stored, dict) and stored.get("method") in LONG_METHODS
    # Reading a result checks its certificate, and these take too long for a page
    kept = {key: value for key, value in data.items() if not long or key not in ("certificate", "how", "reason")}
    result = result_from_json(kept)
    certificate = Certificate.from_json(stored) if isinstance(stored, dict) and long else result.certificate
    engine = data["engine"] if isinstance(data.get("engine"), str) else ""
    return _entry_of_answer(result, name, certificate, engine)


def _entry_of_answer(result: Result, name: str, certificate: Certificate | None, engine: str) -> PageEntry:
    problem = result.problem
    tours = tuple(tours_of(problem.graph, result.walks)) if result.tour is None else (result.tour,)
    walks = result.walks if result.tour is None else ()
    facts = [*_facts_of(tours[0]), *_conditions(problem)] if len(tours) == 1 else list(_about(problem))
    if result.status == "feasible" and problem.objective is None:  # No more than a tour
        if engine:
            facts.append(("Found by", engine))
        return PageEntry(name, problem.graph, tours, walks, tuple(facts))
    known = ["Moves verified."] if tours else []
    if certificate is not None:
        known.append(_known_by(certificate))
    elif result.absence is not None:
        known.append("The bound is not certified." if tours else "This is not certified.")
    more = [_sentence(result.reason), f"Engine {engine}." if engine else ""]
    claim = Claim(_claim_of(result), " ".join(known), " ".join(filter(None, more)))
    return PageEntry(name, problem.graph, tours, walks, tuple(facts), claim, certificate=certificate)


def _claim_of(result: Result) -> str:
    problem, bound, value = result.problem, result.bound, result.value
    maximised = problem.unit.maximised
    if result.status == "infeasible":
        return "There is no such tour"
    if result.status == "optimal" and value is not None:
        return _capital(f"{_amount(problem, value)}, the {_extreme(problem)} possible")
    if problem.objective is None:
        return "Not decided"
    if value is not None:
        least = "at most" if maximised else "at least"
        return _capital(f"{_amount(problem, value)}, {f'{least} {bound:,}' if bound is not None else 'no bound'}")
    return _at_least(problem, bound)


def _extreme(problem: Problem) -> str:
    counted, maximised = problem.objective_name in COUNTED, problem.unit.maximised
    return ("most" if maximised else "fewest") if counted else "greatest" if maximised else "least"


def _at_least(problem: Problem, bound: int | float | None) -> str:
    side = "at most " if problem.unit.maximised else "at least "
    return "Nothing is known" if bound is None else _capital(_amount(problem, bound, side))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _amount(problem: Problem, value: int | float, side: str = "") -> str:
    """A value of the objective or, with `side`, a bound of it in words."""
    return amount(shown_name(problem.graph, problem.objective), f"{value:,}", side)


def _known_by(certificate: Certificate) -> str:
    claim = f"Certificate of the {'impossibility' if certificate.cost_bound is None else 'bound'}"
    if certificate.method in LONG_METHODS:
        return f"{claim} by {certificate.method}: not replayed for this page, kt check replays it."
    return f"{claim} checked."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _entry_of_longest(data: dict[str, Any], name: str) -> PageEntry:
    task = LongestTask.from_json(data)
    if "chosen" not in data:
        raise KTError("there is no walk in it")
    bound = data.get("bound")
    return _entry_of_walk(task, task.verify(task.edges_of(data["chosen"])), bound if is_integer(bound) else None, name)


def _entry_of_walk(task: LongestTask, walk: Walk, bound: int | None, name: str) -> PageEntry:
    kind = f"{'closed' if walk.closed else 'open'}{', uncrossed' if task.uncrossed else ''}"
    facts = (("Board", task.graph.name), ("Walk", kind), ("Cells", f"{len(walk.vertices):,} of {task.graph.n:,}"))
    claim = None
    if bound is not None:
        text = f"{len(walk.edges):,} moves, at most {bound:,}"
        claim = Claim(text, "Walk verified; the bound not shown again for this page, kt check does it.")
    return PageEntry(name, task.graph, tuple(tours_of(task.graph, [walk])), (walk,), facts, claim)


def _entry_of_bound(data: dict[str, Any], name: str) -> PageEntry:
    problem, bound = Problem.from_json(data), data.get("bound")
    if bound is not None and not is_integer(bound):
        raise KTError("'bound' is not a whole number")
    text = "There is no such tour" if data.get("status") == "infeasible" else _at_least(problem, bound)
    known = "Not checked: the certificate is not in this file."
    return PageEntry(name, problem.graph, (), (), _about(problem), Claim(text, known))


def _about(problem: Problem) -> tuple[tuple[str, str], ...]:
    kind = (("Tour", "closed" if problem.closed else "open"),) if problem.connectivity in ("cycle", "path") else ()
    return (("Board", problem.graph.name), *kind, *_conditions(problem))


def _conditions(problem: Problem) -> tuple[tuple[str, str], ...]:
    """The conditions of a problem, besides the board."""
    kinds = {"any": "2-factor", "paths": "paths", "linkage": "linkage", "subcycle": "cycle", "subpath": "path"}
    kinds |= {"sublinkage": "linkage"}
    plain = problem.connectivity in ("cycle", "path")
    rows = [] if plain else [("Asked for", kinds[problem.connectivity])]
    if problem.optional:
        rows.append(("May be left out", f"{len(problem.optional):,} of {problem.graph.n:,}"))
    if problem.terminals:
        rows.append(("Ends", ", ".join(problem.graph.name_of(v) for v in problem.terminals[:12])))
    if problem.symmetry:
        rows.append(("Symmetric by", ", ".join(s.name for s in problem.symmetry)))
    for label, edges in (("Required moves", problem.required), ("Forbidden moves", problem.forbidden)):
        if edges:
            rows.append((label, f"{len(edges):,}"))
    return tuple(rows)


# -- what a certificate says of the cells ------------------------------------------------------------------------------


def layer_of(certificate: Certificate | None) -> Shading | None:
    """The cells a cut removes and the pieces it leaves, or the least cost of each cell in a dual solution without rows.

    None if the certificate has no data about single cells. It was checked, so its data is valid.
    """
    if certificate is None or certificate.problem.graph.board is None:
        return None
    if certificate.method == "cut":
        return _layer_of_cut(certificate)
    if certificate.method == "tree" and not certificate.data.get("cuts") and _is_leaf(certificate):
        return _layer_of_costs(certificate)
    return None


def _is_leaf(certificate: Certificate) -> bool:
    """Whether a tree of cases is a single leaf, with the multipliers of the whole certificate."""
    return certificate.data.get("nodes", [[LEAF]]) == [[LEAF]]


def left_by_cut(certificate: Certificate) -> BoolArray:
    """Edges that may be used and remain after a cut has removed its cells and moves."""
    graph, there = certificate.problem.graph, np.ones(certificate.problem.graph.m, dtype=bool)
    there[[*certificate.problem.forbidden, *certificate.data.get("moves", [])]] = False
    return there & ~np.isin(graph.ends, certificate.data["removed"]).any(axis=1)


def _layer_of_cut(certificate: Certificate) -> Shading:
    graph, removed = certificate.problem.graph, certificate.data["removed"]
    kept = np.ones(graph.n, dtype=bool)
    kept[removed] = False
    inside = graph.ends[left_by_cut(certificate)]
    label = components(graph.n, inside)
    if len(inside) == 0 and len(removed) > 1:  # A class of a two-colouring was taken out, and every other cell is alone
        text = [plural(int(row.sum()), "cell") for row in (~kept, kept)]
        text = [f"{text[0]}, taken out", f"{text[1]}: no move joins two of these"]
        return Shading(kept.astype(np.uint8), TWO_COLOURS, tuple(text), tuple(enumerate(text)), strong=(0, 1))
    # Pieces of several cells first: a colour each as long as there are any, then those of single cells
    pieces, number, sizes = np.unique(label[kept], return_inverse=True, return_counts=True)
    rank = np.empty(len(pieces), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(pieces))
    rows = np.zeros(graph.n, dtype=np.uint8)
    rows[kept] = 1 + rank[number.reshape(-1)] % MAX_PIECE_COLOURS
    palette = (REMOVED, *hexadecimal(distinct(MAX_PIECE_COLOURS)))
    gone = int((~kept).sum())
    key = [(0, f"removed: {plural(gone, 'cell')}")] if gone else []
    key.append((1, "what is left, part by part"))
    return Shading(rows, palette, ("removed", *["in a part that is left"] * MAX_PIECE_COLOURS), tuple(key), strong=(0,))


def _layer_of_costs(certificate: Certificate) -> Shading:
    from fractions import Fraction

    problem, data = certificate.problem, certificate.data
    evaluator = tree.read_evaluator(Instance(problem), data)
    scale = evaluator.denominator
    least = np.concatenate(list(evaluator.minima(evaluator.base)))
    values, rows = np.unique(least, return_inverse=True)
    rows = rows.reshape(-1)
    if len(values) > MAX_COST_COLOURS:
        rows = rows * MAX_COST_COLOURS // len(values)
        values = values[np.arange(MAX_COST_COLOURS) * len(values) // MAX_COST_COLOURS]
    names = [f"{Fraction(int(value), scale)}" for value in values]
    shade = np.linspace(0, 1, len(values))[:, None] if len(values) > 1 else np.zeros((1, 1))
    ramp = (1 - shade) * np.array([0.98, 0.86, 0.55]) + shade * np.array([0.70, 0.13, 0.33])
    chosen = sorted({0, len(values) // 2, len(values) - 1})
    return Shading(
        rows.astype(np.uint8),
        tuple(hexadecimal(ramp)),
        tuple(f"costs at least {name}" for name in names),
        tuple((row, f"costs at least {names[row]}") for row in chosen),
    )


def counts_of(tours: tuple[Tour, ...]) -> dict[str, int]:
    """Turns and crossings of all walks together, as far as they are defined."""
    if not tours:
        return {}
    tails = np.concatenate([tour.steps.tails for tour in tours])
    kinds = np.concatenate([tour.steps.kinds for tour in tours])
    counts = {}
    for metric in BOARD_METRICS:
        if tours[0].graph.board is not None:
            counts[metric] = count_steps(tours[0].graph, metric, tails, kinds)
    return counts
