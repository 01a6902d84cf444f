"""Public names of `kt` answer or raise a `KTError` if an argument is None, of the wrong type or of the wrong shape.

The names, their parameters and their methods are read from the package itself. `RIGHT` has one right call of each, and
the first test fails for a name without one. Every parameter in turn is then given everything in `WRONG`; where several
functions that search read a parameter in the same way, the default suite gives each of them a sixth of it.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
import scipy.sparse

import kt
from kt_models.files.boards import FORM
from kt_models.limits import Limits
from tests.effort import part_of

Call = dict[str, Any]

ORDER = [10, 3, 8, 1, 6, 11, 4, 9, 2, 7, 0, 5]
GRAPH = kt.graph("3x4")
TOUR = kt.find("3x4", open=True).tour
RESULT = kt.solve("3x4", open=True, minimize="turns", start=TOUR[0] if TOUR is not None else None)
NONE = kt.solve("4x4")
CERTIFICATE = kt.bound("3x4", open=True)
BOARD = kt.Board.parse("3x4-b2")
WEIGHTS = kt.pair_weights("3x4", "turns")
EDGES = RESULT.edges.tolist() if RESULT.edges is not None else []
PUZZLE = kt.puzzle("4x4", leaper="wazir", open=True)
LIMITS = Limits(seed=1)
LAST = int(TOUR.order[-1]) if TOUR is not None else 0
HALF = kt.Symmetry.parse("rot180")
PAIR = kt.MoveGraph.from_edges(2, [(0, 1)])


WRONG: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "0": lambda: 0,
    "3": lambda: 3,
    "-1": lambda: -1,
    "10**9": lambda: 10**9,
    "1.5": lambda: 1.5,
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "no text": lambda: "",
    "a word": lambda: "nonsense",
    "a board": lambda: "3x4",
    "a cell": lambda: "a1",
    "a path": lambda: Path("nowhere.json"),
    "an empty list": list,
    "a list of a number": lambda: [1],
    "a list of a text": lambda: ["a1"],
    "a list of a cell": lambda: [(0, 0)],
    "lists of lists": lambda: [[0, 1], [2]],
    "a pair": lambda: (0, 0),
    "pairs": lambda: ((0, 0), (1, 2)),
    "a pair of floats": lambda: (0.0, 1.5),
    "a dict": lambda: {"turns": 1},
    "an empty dict": dict,
    "a set": lambda: {1, 2},
    "a function of three": lambda: lambda a, b, c: 1,
    "booleans": lambda: np.ones((2, 2), dtype=bool),
    "integers": lambda: np.arange(6).reshape(3, 2),
    "an integer of numpy": lambda: np.int32(2),
    "a sparse matrix": lambda: scipy.sparse.coo_matrix([[0, 1], [1, 0]]),
    "floats": lambda: np.linspace(0, 1, 4),
    "an empty array": lambda: np.zeros((0, 2)),
    "a graph of networkx": lambda: networkx.path_graph(3),
    "a Board": lambda: BOARD,
    "a MoveGraph": lambda: kt.MoveGraph.from_edges(3, [(0, 1), (1, 2)]),
    "a Tour": lambda: TOUR,
    "a Result": lambda: RESULT,
    "a Problem": lambda: kt.problem("4x4"),
    "a Certificate": lambda: CERTIFICATE,
}
"""Makers of values that people pass by mistake: None, another type of number, text, another shape or object."""

limits: Call = {"time_limit": 20.0, "workers": 1, "memory": 10**9, "seed": 0, "stop": None}
asked: Call = {
    "minimize": "turns", "maximize": None, "near": None, "open": True, "start": "a1", "end": None, "symmetry": (),
    "require": (), "forbid": (), "leaper": (1, 2), "numbers": None, "clues": None, "sums": None, "in_order": (),
    "waypoints": None, "straight": (), "turn": (), "white_pearls": (), "black_pearls": (),
    "forbid_triples": (), "shape": None, "paths": None, "cycles": None,
    "equal": False, "optional": (), "visit": (), "sum_of_edges": None,
}  # fmt: skip
sums: Call = {"at_most": {"turns": 12}, "at_least": {"crossings": 0}}
conditions: Call = {"numbers": {"a1": 1}, "clues": [[0, 0, 0]] * 3 + [[1, 0, 0]], "sums": {"columns": 26}}
counted: Call = {"up_to_symmetry": False, "distinguish_moves": False}
tour_words: Call = {"closed": False, "leaper": (1, 2), "form": None, "base": None}
look: Call = {
    "numbers": True, "turns": True, "crossings": True, "direction": True, "moves": False, "degrees": False,
    "colours": False, "names": True, "theme": "dark", "size": 200,
    "title": "a title", "caption": None,
}  # fmt: skip


def silent(now: kt.Report) -> None:
    """Hears nothing."""


RIGHT: dict[str, Call] = {
    "best": {"board": "3x4", "check_stated": False, **asked, **limits},
    "bound": {
        "board": "3x4", "at_least": 3, "method": "auto", "known": True, "on_progress": silent, **asked, **limits,
        "start": None,
    },
    "at_least": {
        "board": "3x4", "number": 1, "value": 4, "by": None, **counted, **asked, **sums, **limits
    },
    "check": {
        "subject": TOUR, "board": "3x4", **tour_words, **limits, "numbers": None, "clues": None, "sums": None,
        "in_order": (), "waypoints": None, "straight": (), "turn": (), "white_pearls": (), "black_pearls": (),
        "forbid_triples": (), "shape": None,
    },
    "compare": {
        "boards": ["3x4"], "minimize": "turns", "open": True, "leaper": (1, 2), "effort": None, **limits
    },
    "count": {
        "board": "3x4", "value": 4, "by": None, **counted, **asked, **sums, **limits, "time_limit": 0.3
    },
    "draw": {"subject": TOUR, "force": True, "path": None, "seconds": None, "ax": None, **look},
    "find": {
        "board": "3x4", "method": "warnsdorff", "on_progress": silent, "display": False, "verbose": False,
        **asked, **limits, "minimize": None, "time_limit": 0.1,
    },
    "graph": {"board": "3x4", "leaper": (1, 2), "form": None},
    "graphs": {"path": str(Path(__file__).parent / "golden/inputs/petersen.lst"), "form": None},
    "improve": {
        "tour": TOUR, "minimize": "turns", "on_progress": silent, "display": False, "verbose": False, **limits,
        "time_limit": 0.1,
    },
    "longest": {"board": "3x4", "open": True, "uncrossed": True, "leaper": (1, 2), **limits, "time_limit": 0.1},
    "magic": {
        "board": "3x4", "diagonals": False, "quartes": False, "halves": False, "on_progress": silent, **asked, **limits,
        "minimize": None,
    },
    "pareto": {
        "board": "3x4", "measures": ("turns", "crossings"), "folder": None, "on_progress": silent, **asked, **sums,
        **limits, "minimize": None,
    },
    "problem": {"board": "3x4", **asked, **conditions, "at_most": None, "at_least": None},
    "puzzle": {
        "board": "4x4", "kind": "numbers", "open": True, "leaper": (0, 1), "clues": None, "difficulty": None,
        "redundant": False, **limits,
    },
    "puzzles": {
        "board": "4x4", "count": 1, "kind": "numbers", "open": True, "leaper": (0, 1), "clues": None,
        "difficulty": None, "redundant": False, "on_progress": silent, **limits,
    },
    "read": {"source": TOUR, "board": "3x4", **tour_words},
    "solve": {
        "board": "3x4", "hint": "best", "check_stated": False, "on_progress": silent, "engine": "cpsat",
        "encoding": "circuit", "solver": "", "presolve": True, "display": False, "verbose": False,
        **asked, **sums, **limits,
    },
    "tours": {"board": "3x4", "value": None, "by": None, **counted, **asked, **sums, **limits},
    "walks": {
        "board": "3x4", "value": None, "by": None, "distinguish_moves": False, **asked, **sums, **limits,
        "optional": "all", "at_most": {"turns": 2},
    },
    "gap_reached": {"gap": 3},
    "no_improvement": {"seconds": 3.0},
    "value_reached": {"value": 3},
    "when": {"holds": lambda now: True},
    "cell_weights": {"board": "3x4", "weights": {"a1": 3}, "leaper": (1, 2)},
    "edge_weights": {"board": "3x4", "weights": {"a1-b3": 3}, "leaper": (1, 2)},
    "pair_weights": {"board": "3x4", "pairs": "turns", "leaper": (1, 2)},
    "live": {},
    "verify": {"tour": TOUR, "board": "3x4", **tour_words},
    "Board": {"shape": (3, 4), "mask": np.ones((3, 4), dtype=bool), "wraps": (False, False), "text": "3x4"},
    "Board.box": {"shape": (3, 4)},
    "Board.torus": {"shape": (3, 4)},
    "Board.cylinder": {"around": 3, "rest": (4,)},
    "Board.aztec": {"radius": 3},
    "Board.from_cells": {"cells": [(0, 0), (1, 2)], "text": "cells"},
    "Board.from_mask": {"lines": ["##", "#."], "text": "mask"},
    "Board.parse": {"text": "3x4", "most": 100},
    "Board.without": {"cells": [(0, 0)]},
    "Board.numbers": {"cells": np.array([[0, 0]])},
    "Board.number": {"cell": (0, 0)},
    "Board.name": {"number": 0},
    "Board.find": {"name": "a1"},
    "Board.to_json": {},
    "Board.from_json": {"data": BOARD.to_json(), "most": 100},
    "Certificate": {"method": "tree", "statement": CERTIFICATE.statement, "data": {}},
    "Certificate.check": {"limits": LIMITS},
    "Certificate.checked": {"limits": LIMITS},
    "Certificate.save": {"path": "certificate.json", "force": True},
    "Certificate.to_json": {},
    "Certificate.from_json": {"data": CERTIFICATE.to_json()},
    "Criterion": {"holds": lambda: True, "hear": lambda now: None},
    "Leaper": {"offsets": (1, 2)},
    "Leaper.parse": {"text": "1,2"},
    "Leaper.half_moves": {"dimension": 2},
    "MoveGraph": {"board": BOARD, "leaper": kt.KNIGHT, "n": 0, "edges": None, "name": "graph", "labels": None},
    "MoveGraph.of": {"board": BOARD, "leaper": kt.KNIGHT},
    "MoveGraph.from_edges": {"n": 3, "pairs": [(0, 1)], "name": "graph", "labels": ["a", "b", "c"]},
    "MoveGraph.from_networkx": {"graph": networkx.path_graph(3), "name": "graph"},
    "MoveGraph.to_networkx": {},
    "MoveGraph.edges_of": {"vertex": 0},
    "MoveGraph.edges_between": {"u": 0, "v": 7},
    "MoveGraph.name_of": {"vertex": 0},
    "MoveGraph.edge_name": {"edge": 0},
    "MoveGraph.find": {"name": "a1"},
    "MoveGraph.ends_written": {"text": "a1-b3"},
    "MoveGraph.find_edge": {"text": "a1-b3"},
    "MoveGraph.joining": {"u": 0, "v": 6},
    "MoveGraph.vertex_labelled": {"label": 3},
    "MoveGraph.weighed": {"pairs": [(0, 1)], "weights": [3]},
    "MoveGraph.weights_in_unit": {},
    "MoveGraph.symmetries": {},
    "MoveGraph.edge_permutation": {"symmetry": HALF},
    "MoveGraph.to_json": {},
    "MoveGraph.from_json": {"data": GRAPH.to_json(), "most": 100},
    "Weights": {
        "first": [0], "second": [1], "weight": [1], "name": "weight", "graph": GRAPH, "decimals": 1, "maximised": False,
        "offset": 0,
    },
    "Weights.value": {"edges": np.array([0, 1])},
    "Weights.cost": {"edges": np.array([0, 1])},
    "Weights.to_maximise": {},
    "Weights.to_minimise": {},
    "Weights.canonical": {},
    "Weights.require_graph": {"graph": GRAPH},
    "Weights.require_edges": {"graph": GRAPH},
    "Weights.of_edges": {"weight": [1, 2], "name": "weight", "decimals": 1},
    "Problem": {
        "graph": GRAPH, "connectivity": "path", "objective": "turns", "terminals": (0,), "required": frozenset({0}),
        "forbidden": frozenset({1}), "symmetry": (), "numbers": None, "constraints": (), "conditions": (),
        "optional": frozenset(),
    },
    "Problem.cost": {"edges": EDGES},
    "Problem.value": {"edges": EDGES},
    "Problem.to_json": {},
    "Problem.from_json": {"data": kt.problem("3x4").to_json(), "most": 100},
    "Puzzle": {
        "kind": "numbers", "graph": PUZZLE.graph, "closed": False, "numbers": PUZZLE.numbers, "ways": PUZZLE.ways,
        "walls": (), "difficulty": "hard",
    },
    "Puzzle.save": {"path": "puzzle.json", "force": True},
    "Puzzle.to_json": {},
    "Puzzle.from_json": {"data": PUZZLE.to_json()},
    "Result": {
        "problem": RESULT.problem, "status": "optimal", "tour": RESULT.tour, "edges": None, "bound": RESULT.bound,
        "engine": "", "seconds": 0.0, "certificate": None, "reason": "", "statistics": {}, "warm_start": None,
        "history": (), "stated": None, "left_out": (),
    },
    "Result.with_notes": {
        "evidence": "x",
        "engine": "", "seconds": 0.0, "reason": "", "warm_start": None, "statistics": {}, "history": (),
        "stated": None, "left_out": (),
    },
    "Result.with_bound": {"status": "feasible", "bound": 3, "certificate": None},
    "Result.starting_at": {"start": int(TOUR.order[0]) if TOUR is not None else 0, "end": None},
    "Result.save": {"path": "result.json", "force": True},
    "Result.is_feasible": {},
    "Result.is_optimal": {},
    "Result.summary": {},
    "Result.to_document": {},
    "Result.to_json": {},
    "Symmetry": {"axes": (0, 1), "signs": (1, -1), "shifts": (0, 0)},
    "Symmetry.parse": {"text": "rot180", "dimension": 2},
    "Symmetry.identity": {"dimension": 2},
    "Symmetry.apply_vectors": {"vectors": np.array([[1, 2]])},
    "Symmetry.fits_box": {"board": BOARD},
    "Symmetry.fixes": {"board": BOARD},
    "Symmetry.on": {"board": BOARD},
    "Symmetry.permutation": {"board": kt.Board.box(3, 4)},
    "Tour": {"graph": GRAPH, "order": ORDER, "closed": False, "displacements": None},
    "Tour.along": {"graph": GRAPH, "order": ORDER, "edges": EDGES, "closed": False},
    "Tour.of": {"graph": GRAPH, "vertices": ORDER, "closed": False},
    "Tour.starting_at": {"vertex": LAST},
    "Tour.measure": {"metric": "turns"},
    "Tour.pairs": {"metric": "turns"},
    "Tour.transformed": {"symmetry": HALF},
    "Tour.normalised": {},
    "Tour.canonical": {},
    "Tour.symmetries": {},
    "Tour.reversed": {},
    "Tour.save": {"path": "tour.json", "force": True},
}  # fmt: skip
"""One right call of each: the arguments by name."""
SAMPLES = {
    "Board": BOARD, "Certificate": CERTIFICATE, "Leaper": kt.KNIGHT, "MoveGraph": GRAPH, "Weights": WEIGHTS,
    "Problem": RESULT.problem, "Puzzle": PUZZLE, "Result": RESULT, "Symmetry": HALF, "Tour": TOUR,
}  # fmt: skip
PASSIVE = (
    "MoveGraph.edge_type",
    "MoveGraph.edges_by",
    "MoveGraph.having",
    "MoveGraph.weighed_by_attributes",
    "Report",
    "Verdict",
    "Criterion.is_set",
    "Criterion.hear",
)
"""What kt makes and a user only looks at; and the functions that a user gave to a criterion."""


def public() -> dict[str, Callable[..., Any]]:
    """Every function, constructor and method that `import kt` offers."""
    names = {}
    for name in kt.__all__:
        thing = getattr(kt, name)
        if inspect.isclass(thing):
            if issubclass(thing, Exception):
                continue
            if name not in PASSIVE:
                names[name] = thing
            holder = SAMPLES.get(name, thing)
            for method, member in inspect.getmembers(thing):
                if not method.startswith("_") and callable(member) and f"{name}.{method}" not in PASSIVE:
                    names[f"{name}.{method}"] = getattr(PAIR if method == "weighed" else holder, method)
        elif callable(thing):
            names[name] = thing
    return names


NAMES = public()


def test_every_public_name_has_a_right_call() -> None:
    assert set(RIGHT) == set(NAMES)
    for name, function in NAMES.items():
        parameters = inspect.signature(function).parameters
        known = {p for p, parameter in parameters.items() if parameter.kind is not parameter.VAR_KEYWORD}
        known -= FORM  # In the place of a board: tests/test_doors.py gives them
        assert name in PASSIVE or known <= set(RIGHT[name]) | {"limits", "on_progress"}, name


def called(name: str, call: Call) -> Any:
    """What comes of a call, with all that an iterator gives."""
    function = NAMES[name]
    parameters = inspect.signature(function).parameters.values()
    spread = [p.name for p in parameters if p.kind is p.VAR_POSITIONAL]
    leading = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD] if spread else []
    arguments = dict(call)
    args = [arguments.pop(name) for name in leading]
    for some in spread:
        values = arguments.pop(some)
        args += values if isinstance(values, tuple) else [values]
    answer = function(*args, **arguments)
    return list(answer) if isinstance(answer, Iterator) else answer


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the file of a tour; what is written goes there."""
    monkeypatch.chdir(tmp_path)
    assert TOUR is not None
    TOUR.save("tour.json")


@pytest.mark.parametrize("name", NAMES)
def test_right_calls_are_right(name: str) -> None:
    """A count without time raises: it gets enough of it, whatever else the machine does."""
    called(name, {**RIGHT[name], "time_limit": 60.0} if name == "count" else RIGHT[name])


CALLS = [(name, parameter, call) for name, call in RIGHT.items() for parameter in call]
CALLS += [(name, form, {}) for name in ("graph", "problem") for form in sorted(FORM)]
SLOW = pytest.mark.slow
LONG = ("compare", "improve", "longest", "pareto", "tours", "walks")
"""Functions that take long with each value that they can use."""
PARTS = 6 // part_of(6)
READ_BY = dict.fromkeys(limits, "bound") | dict.fromkeys(RIGHT["problem"], "problem")
"""Functions that search read these parameters as the function here does, which is given everything by default."""


def parts(number: int, name: str, parameter: str, call: Call) -> Iterator[Any]:
    """Rows of the test below: a part of the values for the default suite, another for each row, and the rest.

    Where a parameter of problems and bounds is read, all values come at once.
    """
    row = (name, parameter, call)
    slow = [SLOW] if name in LONG else []
    if READ_BY.get(parameter) == name:
        yield pytest.param(*row, list(WRONG), id=f"{name}-{parameter}", marks=slow)
        return
    step = PARTS if "time_limit" in call and parameter in READ_BY else max(1, PARTS // 2)
    now = list(WRONG)[number % step :: step]
    yield pytest.param(*row, now, id=f"{name}-{parameter}", marks=slow)
    if rest := [wrong for wrong in WRONG if wrong not in now]:
        yield pytest.param(*row, rest, id=f"{name}-{parameter}-rest", marks=SLOW)


@pytest.mark.parametrize(
    ("name", "parameter", "call", "values"), [row for n, call in enumerate(CALLS) for row in parts(n, *call)]
)
def test_wrong_values_are_refused_in_one_line_or_used(name: str, parameter: str, call: Call, values: list[str]) -> None:
    faults = []
    for wrong in values:
        try:
            called(name, {**call, parameter: WRONG[wrong]()})
        except kt.KTError as error:
            if "\n" in str(error) or len(str(error)) > 500:
                faults.append(f"{wrong}: {len(str(error))} characters: {str(error)[:200]!r}")
        except Exception as error:
            faults.append(f"{wrong}: {type(error).__name__}: {str(error)[:100]}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", SAMPLES)
def test_properties_answer_or_say_why_not(name: str) -> None:
    kind = type(SAMPLES[name])
    for attribute, member in inspect.getmembers(kind):
        if isinstance(member, property | cached_property) and not attribute.startswith("_"):
            try:
                getattr(SAMPLES[name], attribute)
            except kt.KTError:
                continue


@pytest.mark.parametrize("name", ["at_most", "at_least"])
def test_limits_of_sums_that_have_no_truth_value_are_refused(name: str) -> None:
    """Without an objective, the limits themselves are asked whether there are any."""
    wrong: Any = {name: np.linspace(0, 1, 4)}
    with pytest.raises(kt.KTError, match=f"{name} must be a mapping"):
        kt.problem("3x4", **wrong)


HIDING = np.ma.masked_array([[0, 0], [1, 2]], [[0, 1], [0, 0]])


@pytest.mark.parametrize(
    "read",
    [
        lambda: kt.Board.from_cells(HIDING),
        lambda: kt.graph(cells=HIDING),
        lambda: kt.graph(points=HIDING),
        lambda: kt.graph(points={"a": HIDING[0], "b": HIDING[1]}),
        lambda: kt.graph(edges=[(0, 1)], pos=HIDING),
        lambda: kt.problem("3x4", open=True, in_order=HIDING),
        lambda: kt.check(TOUR, in_order=HIDING),
        lambda: kt.problem("3x4", straight=HIDING),
        lambda: kt.check(TOUR, turn=HIDING),
    ],
    ids=[
        "from_cells",
        "cells",
        "points",
        "a mapping of points",
        "pos",
        "stops",
        "stops of a check",
        "straight",
        "turns of a check",
    ],
)
def test_masked_arrays_are_refused(read: Callable[[], Any]) -> None:
    """NumPy shows the entries that they hide to whoever asks for an array."""
    with pytest.raises(kt.KTError, match="masked array hides"):
        read()


def test_arrays_are_read_while_another_thread_loads_masked_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module is in `sys.modules` before it has its names."""
    monkeypatch.setitem(sys.modules, "numpy.ma", types.ModuleType("numpy.ma"))
    assert kt.solve(np.ones((5, 6), dtype=int)).status == "feasible"
