"""What claims rest on cannot be changed once it is made, and a check computes everything again."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import copy, deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kt
from kt_models.directed import DirectedGraph
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.kernel.certificates.methods import Argument, methods
from tests.command import answered

DEEPEST = 6
"""Attributes of attributes that are looked at."""


def reachable(root: Any) -> Iterator[Any]:
    """Every object that attributes and elements lead to."""
    seen: dict[int, Any] = {}
    level = [root]
    for _ in range(DEEPEST):
        following: list[Any] = []
        for thing in level:
            if id(thing) in seen or isinstance(thing, str | bytes | int | float | bool | type(None) | type):
                continue
            seen[id(thing)] = thing
            yield thing
            following += parts(thing)
        level = following


def parts(thing: Any) -> list[Any]:
    """What attributes and elements lead to at once."""
    if isinstance(thing, dict):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, list | tuple | set | frozenset):
        return list(thing)
    if not type(thing).__module__.startswith("kt_models"):
        return []
    values = list(getattr(thing, "__dict__", {}).values())
    for name in dir(type(thing)):
        if not name.startswith("__") and not callable(getattr(type(thing), name, None)):
            try:
                values.append(getattr(thing, name))
            except kt.KTError:
                continue
    return values


def attack(thing: Any) -> None:
    """Change an object by all ordinary means: either that raises, or it was a copy."""
    if isinstance(thing, np.ndarray) and thing.size:
        with suppress(ValueError):
            thing.setflags(write=True)
        with suppress(ValueError):
            thing[...] = 1
    elif isinstance(thing, dict | list | set):
        thing.clear()
    elif type(thing).__module__.startswith("kt_models"):
        for name in [*getattr(thing, "__dict__", {}), "n", "problem", "data", "new"]:
            with pytest.raises((AttributeError, TypeError)):
                setattr(thing, name, None)
            with pytest.raises((AttributeError, TypeError)):
                delattr(thing, name)


def claimed(data: dict[str, Any]) -> dict[str, Any]:
    """A JSON object without the counts of the search, which are no claims."""
    return {key: value for key, value in data.items() if key != "statistics"}


def subjects() -> dict[str, Any]:
    """Objects that claim something, of every kind."""
    bound = kt.bound("6x6", at_least=32)
    optimal = kt.solve("6x6", minimize="turns")
    return {
        "bound": bound,
        "bound, unchecked": Certificate.from_json(bound.to_json()),
        "cut": kt.solve("4x6").certificate,
        "optimal": optimal,
        "infeasible": kt.solve("4x6"),
        "symmetric": kt.solve("6x6", symmetry="rot90"),
        "torus": kt.solve("torus:3x4"),
        "two cycles": kt.Result(kt.Problem(kt.graph("3x3"), "any", forbidden=(0,)), "unknown"),
        "graph": kt.solve([("a", "b"), ("b", "c"), ("c", "a")]),
        "holes": kt.solve("3x3-b2"),
        "tour": optimal.tour,
    }


NAMES = (
    "bound", "bound, unchecked", "cut", "optimal", "infeasible", "symmetric", "torus", "two cycles", "graph", "holes",
    "tour",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_claims_cannot_be_changed(name: str, made: dict[str, Any]) -> None:
    subject = made[name]
    text = kt.check(subject).text
    written = None if isinstance(subject, kt.Tour) else subject.to_json()
    for thing in reachable(subject):
        attack(thing)
    assert kt.check(subject).text == text
    assert written is None or claimed(subject.to_json()) == claimed(written)


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return subjects()


def test_arrays_are_read_only() -> None:
    board = kt.Board.parse("4x5-a1")
    mask, first = board.mask.copy(), np.array([0])
    weights = kt.Weights(first, first, first)
    problem = kt.problem(mask, minimize="turns")
    graph, tour = problem.graph, kt.Tour(kt.graph("torus:3x3"), np.arange(9), False, np.zeros((8, 2), np.int64))
    first[0] = 5
    mask[...] = True
    assert weights.first[0] == 0 and graph.n == 19
    arrays = [graph.ends, graph.tails, graph.edge_at, graph.edge_move, graph.indptr, graph.neighbours, graph.incident]
    arrays += [graph.moves, board.mask, board.grid, board.cells, weights.first, weights.second, weights.weight]
    arrays += [problem.weights.first, problem.edge_orbits, tour.order, tour.displacements]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        with pytest.raises(ValueError, match="read-only"):
            array.view()[...] = 0


def test_a_certificate_has_what_it_was_given_and_no_more() -> None:
    data: dict[str, Any] = {"at_least": 32, "nested": [[1, 2], {"a": (3,)}]}
    statement = Statement(kt.problem("6x6", minimize="turns"), "at-least", 32)
    certificate = Certificate("tree", statement, data)
    data["nested"][0].append(5)
    data.clear()
    assert certificate.data == {"at_least": 32, "nested": [[1, 2], {"a": [3]}]}
    certificate.data["nested"].clear()
    assert certificate.data["nested"]
    again = Certificate("tree", statement, certificate.data)
    assert again == certificate and hash(again) == hash(certificate) and replace(certificate) == certificate
    assert Certificate("tree", statement, {}) != certificate
    with pytest.raises(kt.KTError):
        Certificate("tree", statement, [1])  # type: ignore[arg-type]
    for other in (copy(certificate), deepcopy(certificate), pickle.loads(pickle.dumps(certificate))):
        assert other == certificate


def test_the_data_of_a_checked_certificate_cannot_be_emptied() -> None:
    certificate = kt.bound("6x6", at_least=32)
    certificate.data.clear()
    assert certificate.data and "at least 32" in kt.check(certificate).text
    emptied = Certificate(certificate.method, replace(certificate.statement, value=33), certificate.data)
    with pytest.raises(kt.CertificateError):
        kt.check(emptied)


def test_checked_is_only_what_was_checked() -> None:
    checked = kt.bound("6x6", at_least=32)
    assert isinstance(checked, Checked)
    false = replace(checked.statement, value=40)
    for make in (
        lambda: replace(checked, statement=false),
        lambda: checked.claiming(40),
        lambda: Checked(checked.method, false, checked.data),
        lambda: kt.Result(checked.problem, "unknown", bound=40, certificate=replace(checked, statement=false)),
        lambda: kt.Result(
            checked.problem, "unknown", bound=40, certificate=Certificate(checked.method, false, checked.data)
        ),
    ):
        with pytest.raises(kt.CertificateError):
            make()
    assert checked.claiming(20).reason == checked.reason and kt.check(checked.claiming(20)).shown


def test_a_check_computes_everything_again(monkeypatch: pytest.MonkeyPatch) -> None:
    swept = kt.bound("3x10", minimize="crossings", method="frontier", at_least=55)
    certificates = [kt.bound("6x6", at_least=32), kt.solve("4x6").certificate, swept]
    for certificate in certificates:
        assert certificate is not None
        calls: list[str] = []
        monkeypatch.setattr(Argument, "call", counted(calls, Argument.call))
        for _ in range(3):
            kt.check(certificate)
        assert calls == [certificate.method] * 3
        monkeypatch.undo()


def counted(calls: list[str], call: Any) -> Any:
    """The same, which says what was checked."""

    def wrapped(self: Argument, problem: kt.Problem, data: dict[str, Any], *others: Any) -> Any:
        calls.append(next(name for name, argument in methods().items() if argument is self))
        return call(self, problem, data, *others)

    return wrapped


@pytest.mark.parametrize(
    "words",
    [
        "solve 6x6 --minimize turns --no-best",
        "solve 6x6 --minimize turns",
        "solve 4x6",
        "find 4x6",
        "bound 8x8 --minimize turns --certificate {0}/c.json",
        "bound 3x10 --minimize crossings --method frontier --at-least 55",
        pytest.param("bound 20x20 --minimize turns --method family --certificate {0}/c.json", marks=pytest.mark.slow),
        "best 8x8 --minimize turns",
        "check heuristics/delivered/results/turns-6x6.json",
        "check heuristics/delivered/results/turns-8x8.json",
    ],
)
def test_one_command_checks_no_certificate_twice(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[tuple[str, str, str]] = Counter()
    call = Argument.call

    def counting(self: Argument, problem: kt.Problem, data: dict[str, Any], *others: Any) -> Any:
        calls[self.module, problem.digest, repr(data)] += 1
        return call(self, problem, data, *others)

    monkeypatch.setattr(Argument, "call", counting)
    assert answered(*words.format(tmp_path).split())[0] == 0
    assert calls and set(calls.values()) == {1}


def test_nothing_that_an_object_remembers_counts_in_a_check() -> None:
    """As in `kt check` of its file: what somebody put where a problem keeps its weights is not looked at."""
    certificate = kt.bound("6x6", at_least=32)
    weights = certificate.problem.weights
    vars(certificate.problem)["weights"] = replace(weights, weight=2 * weights.weight)
    doubled = replace(certificate.statement, value=56)  # What the data shows of weights that are twice as large
    vars(doubled.problem)["weights"] = vars(certificate.problem)["weights"]
    with pytest.raises(kt.CertificateError, match="shows only 32"):
        kt.check(Certificate("tree", doubled, certificate.data))


@pytest.mark.parametrize("wrong", [{}, None, "tree", []])
def test_a_certificate_whose_parts_were_exchanged_by_force_is_refused(wrong: Any) -> None:
    certificate = kt.bound("6x6", at_least=32)
    object.__setattr__(certificate, "statement", wrong)
    for use in (kt.check, Certificate.check, Certificate.to_json):
        with pytest.raises(kt.KTError, match="statement must be a Statement"):
            use(certificate)


def test_labels_that_are_lists_cannot_be_changed() -> None:
    labels: list[Any] = [["x", [1]], ["y", [2]], ["z", [3]]]
    for graph in (
        kt.MoveGraph.from_edges(3, [(0, 1), (1, 2), (0, 2)], labels=labels),
        DirectedGraph.from_arcs(3, [(0, 1), (1, 2), (2, 0)], labels=labels).split(),
    ):
        named = kt.check(kt.solve(graph, open=True, start=("x", (1,)))).text
        labels[0][1].append(4)
        assert graph.labels is not None and graph.labels[0] == ("x", (1,))
        assert kt.check(kt.solve(graph, open=True, start=("x", (1,)))).text == named
        labels[0][1].pop()
