"""Certificates of a board with its sides exchanged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kt_models import CertificateError, KTError, Leaper, Problem, Symmetry, graph_of
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.kernel.certificates.transposed import exchanged
from tests import brute


def certificate_of(problem: Problem, inner: Certificate, value: int) -> Certificate:
    return Certificate("turned", Statement(problem, "at-least", value), {"certificate": inner.to_json()})


@pytest.mark.parametrize("board", ["3x4", "5x3-b2", "4x3-a1", "cylinder:3x4"])
@pytest.mark.parametrize("connectivity", ["cycle", "path"])
def test_the_exchanged_problem_has_the_same_values(board: str, connectivity: str) -> None:
    problem = Problem(graph_of(board), connectivity, "turns")
    other = exchanged(problem)
    assert other is not None and exchanged(other) == problem
    found = []
    for graph in (problem.graph, other.graph):
        orders = (brute.cycles if connectivity == "cycle" else brute.paths)(graph)
        found.append(sorted(brute.turns(graph, order, connectivity == "cycle") for order in orders))
    assert found[0] == found[1]


def test_a_given_end_is_exchanged_too() -> None:
    graph = graph_of("3x4")
    other = exchanged(Problem(graph, "path", "crossings", (graph.find("b4"),)))
    assert other is not None and other.graph.name_of(other.terminals[0]) == "d2"


def test_transposed_certificates_show_the_bound_of_the_inner_one() -> None:
    wide, tall = (Problem(graph_of(text), "any", "turns") for text in ("4x3", "3x4"))
    inner = Checked.of_bound("frontier", wide, {})
    assert inner.bound is not None and inner.bound > 0
    assert certificate_of(tall, inner, inner.bound).check()
    for certificate in (
        certificate_of(tall, inner, inner.bound + 1),
        certificate_of(wide, inner, inner.bound),
        certificate_of(replace(tall, connectivity="cycle"), inner, inner.bound),
        certificate_of(replace(tall, objective="crossings"), inner, 0),
        certificate_of(Problem(graph_of("3x4", Leaper(0, 1)), "any", "turns"), inner, 0),
        certificate_of(
            tall, Certificate(inner.method, Statement(wide, "at-least", inner.bound + 1), inner.data), inner.bound
        ),
        certificate_of(wide, certificate_of(tall, inner, inner.bound), inner.bound),
    ):
        with pytest.raises(CertificateError):
            Certificate.from_json(certificate.to_json()).check()
    with pytest.raises(KTError):
        Certificate("turned", Statement(tall, "at-least", 1), {}).check()


def test_other_boards_are_not_transposed() -> None:
    graph = graph_of("4x3")
    half = Symmetry.parse("rot180", 2)
    for problem in (
        Problem(graph), Problem(graph_of("2x3x3"), objective="turns"),
        Problem(graph, objective="turns", symmetry=(half,)), Problem(graph, objective="turns", required=frozenset({0})),
    ):  # fmt: skip
        assert exchanged(problem) is None
