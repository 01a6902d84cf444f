"""Every complete SAT encoding against brute force: which sets of edges are models, not only whether there is one."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from encoders import solve
from encoders.sat import arcs as arcs_module
from encoders.sat.arcs import Arcs
from encoders.sat.dimacs import to_dimacs
from encoders.sat.encodings import _template, chinese_remainder, encode, lfsr
from encoders.sat.encodings import encodings as known_encodings
from encoders.sat.formula import Formula
from kt_models import InvalidTour, KTError, Leaper, MoveGraph, Problem, Symmetry, graph_of, verify_edges
from kt_models.errors import TooLarge
from tests import brute, command
from tests.engines import BOARDS, models, problem_of
from tests.strategies import small_graphs

SOLVER = "cadical153"
MOST = 60
"""Up to this many solutions are all enumerated; of more, some are looked up."""

encodings = pytest.mark.parametrize("name", known_encodings())


@cache
def loose_solutions(problem: Problem) -> set[frozenset[int]]:
    """Solutions of the degrees alone, which all encodings are compared with."""
    return models(Formula(problem))


def same(formula: Formula, known: set[frozenset[int]]) -> None:
    """The solutions of a formula are those known; if they are many, a few of them and an answer of its own."""
    if len(known) <= MOST:
        assert models(formula) == known
        return
    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        assert solver.solve()
        assert frozenset(formula.edges_of(solver.get_model()).tolist()) in known
        for edges in sorted(known, key=sorted)[:: len(known) // 20]:
            assert solver.solve([x if e in edges else -x for e, x in enumerate(formula.edge)])


def is_solution(problem: Problem, edges: tuple[int, ...] | frozenset[int]) -> bool:
    try:
        verify_edges(problem, np.array(sorted(edges), dtype=np.int64))
    except InvalidTour:
        return False
    return True


@cache
def tours(board: str, closed: bool) -> frozenset[frozenset[int]]:
    graph = graph_of(board)
    return frozenset(brute.edge_set(graph, order, closed) for order in brute.tours(board, closed))


# -- cycles and paths --------------------------------------------------------------------------------------------------


@encodings
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_models_of_a_board_are_its_tours(name: str, closed: bool) -> None:
    for board in BOARDS:
        problem = Problem(graph_of(board), "cycle" if closed else "path")
        same(encode(problem, name), set(tours(board, closed)))


@cache
def status(problem: Problem) -> str:
    return solve(problem).status


@encodings
@pytest.mark.parametrize("board", ["8x8", "10x10", "4x8", "3x8", "aztec:4", "4x3x3", "7x8-a1,b1"])
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_encodings_agree_on_larger_boards(name: str, board: str, closed: bool) -> None:
    """Feasible and not; the answer of `kt solve`'s first engine, and a valid tour."""
    problem = problem_of(board, closed)
    formula = encode(problem, name)
    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        assert solver.solve() == (status(problem) == "feasible")
        if solver.get_model():
            assert is_solution(problem, frozenset(formula.edges_of(solver.get_model()).tolist()))


# -- other connectivities ----------------------------------------------------------------------------------------------


@encodings
@pytest.mark.parametrize("connectivity", ["linkage", "paths"])
@pytest.mark.parametrize("ends", ["a1 d4", "d4 d1 c1 a4", "a1 b1 d1 d2", "d3 c1 a1 b1 d4 a2", "b1 d1 a1 d2 b3 a3"])
def test_linkages_of_a_board(name: str, connectivity: str, ends: str) -> None:
    """Against the models of the degrees alone, a wazir on 4x4; most have cycles, and many join the wrong pairs."""
    graph = graph_of("4x4", Leaper(0, 1))
    problem = Problem(graph, connectivity, None, tuple(graph.find(end) for end in ends.split()))
    loose = loose_solutions(problem)
    known = {edges for edges in loose if is_solution(problem, edges)}
    assert 0 < len(known) < len(loose) or ends == "a1 d4"  # Whose ends are on one side
    assert models(encode(problem, name)) == known


@encodings
def test_partners_are_not_exchanged(name: str) -> None:
    """Joining s1 to t2, s2 to t3 and s3 to t1 covers everything, but is not the linkage asked for."""
    graph = MoveGraph.from_edges(6, [(0, 3), (2, 5), (4, 1)])
    terminals = tuple(range(6))
    assert models(encode(Problem(graph, "linkage", None, terminals), name)) == set()
    assert models(encode(Problem(graph, "paths", None, terminals), name)) == {frozenset(range(3))}


# -- sizes -------------------------------------------------------------------------------------------------------------


@encodings
@pytest.mark.parametrize("board", ["6x6", "8x8", "5x7", "4x4x2", "torus:5x5"])
def test_sizes_are_as_documented(name: str, board: str) -> None:
    problem = Problem(graph_of(board))
    graph = problem.graph
    plain = Formula(problem)
    variables, clauses = known_encodings()[name].size(Arcs(Formula(problem)))
    arcs = 4 * (graph.m + graph.n) + sum(d * (d - 1) + 2 for d in graph.degrees.tolist())
    formula = encode(problem, name)
    assert formula.top - plain.top <= variables + 2 * graph.m + 2 * graph.n
    assert len(formula.clauses) - len(plain.clauses) <= clauses + arcs
    assert max(abs(x) for clause in formula.clauses for x in clause) <= formula.top


@encodings
def test_too_large_is_refused_before_it_is_built(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = len(Formula(Problem(graph_of("20x20"))).clauses)
    for limit in (1000, plain + 1000, plain + 30_000):
        monkeypatch.setattr(arcs_module, "MAX_CLAUSES", limit)
        with pytest.raises(TooLarge, match="20x20"):
            encode(Problem(graph_of("20x20")), name)
    monkeypatch.undo()
    with pytest.raises(TooLarge):
        encode(Problem(graph_of("300x300")), name)


def test_unknown_encoding() -> None:
    with pytest.raises(KTError, match="lfsr"):
        encode(Problem(graph_of("5x6")), "adder")


def test_shift_registers_run_through_all_states_but_zero() -> None:
    for width in range(2, 17):
        state, seen = 1, 0
        while True:
            state, seen = lfsr.next_state(state, width), seen + 1
            if state == 1:
                break
        assert seen == 2**width - 1
    assert all(taps[0] == width for width, taps in lfsr.TAPS.items())


@pytest.mark.parametrize("width", range(17, 25))
def test_long_shift_registers(width: int) -> None:
    """The step is linear: its matrix has order 2^k - 1."""
    step = np.array(
        [[lfsr.next_state(1 << j, width) >> i & 1 for j in range(width)] for i in range(width)], dtype=np.int64
    )

    def power(exponent: int) -> np.ndarray:
        result, base = np.eye(width, dtype=np.int64), step
        while exponent:
            if exponent & 1:
                result = result @ base % 2
            base, exponent = base @ base % 2, exponent >> 1
        return result

    order = 2**width - 1
    assert np.array_equal(power(order), np.eye(width))
    for prime in primefactors(order):
        assert not np.array_equal(power(order // prime), np.eye(width))


def primefactors(number: int) -> list[int]:
    found, divisor = [], 2
    while divisor * divisor <= number:
        if number % divisor:
            divisor += 1
        else:
            found.append(divisor)
            number //= divisor
    return sorted({*found, number} - {1})


@pytest.mark.parametrize("parity", [False, True])
def test_moduli_are_coprime_and_large_enough(parity: bool) -> None:
    for least in (*range(2, 60), *range(60, 1000, 19)):
        chosen = chinese_remainder.moduli(least, parity)
        assert np.prod(chosen) >= least
        assert all(np.gcd(a, b) == 1 for a, b in combinations(chosen, 2))
    assert chinese_remainder.moduli(1) == []
    expected = [[3, 5, 8], [3, 4, 5, 7]] if parity else [[3, 5, 7], [3, 4, 5, 7]]
    assert [chinese_remainder.moduli(n, parity) for n in (100, 400)] == expected
    assert np.prod(chinese_remainder.moduli(10_000_000)) >= 10_000_000


# -- files -------------------------------------------------------------------------------------------------------------


@encodings
def test_dimacs_parses_back(name: str, tmp_path: Path) -> None:
    problem = Problem(graph_of("5x5"), "path", None, (0,), symmetry=(Symmetry.parse("rot180"),))
    formula = encode(problem, name)
    text = to_dimacs(formula, name)
    cnf = CNF(from_string=text)
    assert cnf.clauses == formula.clauses
    assert cnf.nv == formula.top
    head = next(line for line in text.splitlines() if line.startswith("p "))
    assert head == f"p cnf {formula.top} {len(formula.clauses)}"
    for edge, variable in enumerate(formula.edge):
        (line,) = (line for line in text.splitlines() if line.startswith(f"c x{variable} "))
        assert problem.graph.edge_name(edge) in line.split()
    assert f"c x{formula.end[24]} end e5" in text.splitlines()


def kt(*arguments: str | Path) -> tuple[int, str]:
    result = command.kt(*arguments, "-q")
    return result.exit_code, result.stderr


@encodings
def test_convert_writes_cnf(name: str, tmp_path: Path) -> None:
    path = tmp_path / "out.cnf"
    assert kt("convert", "5x6", path, "--encoding", name) == (0, "")
    lines = path.read_text().splitlines()
    moves = dict(line[3:].split() for line in lines if line.startswith("c x"))
    assert len(moves) == graph_of("5x6").m
    with Solver(SOLVER, bootstrap_with=CNF(from_file=str(path)).clauses) as solver:
        assert solver.solve()
        chosen = [moves[str(x)] for x in solver.get_model() if str(x) in moves]
    graph = graph_of("5x6")
    assert is_solution(Problem(graph), frozenset(graph.find_edge(move) for move in chosen))


def test_convert_options(tmp_path: Path) -> None:
    path = tmp_path / "out.cnf"

    def satisfiable(*options: str) -> bool:
        assert kt("convert", "5x5", path, *options) == (0, "")
        with Solver(SOLVER, bootstrap_with=CNF(from_file=str(path)).clauses) as solver:
            return solver.solve()

    assert not satisfiable()
    assert satisfiable("--open")
    assert satisfiable("--open", "--from", "a1", "--to", "e5", "--symmetry", "rot180")
    assert not satisfiable("--open", "--from", "a2")
    assert satisfiable("--open", "--require", "a1-b3", "--forbid", "a1-c2")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["6x6", "out.cnf", "--encoding", "adder"], "vertex-elimination"),
        (["6x6", "out.hcp", "--encoding", "binary"], "--encoding"),
        (["6x6", "out.hcp", "--open"], "--open"),
        (["400x400", "out.cnf", "--encoding", "relative"], "limit"),
        (["6x6", "out.cnf", "--to", "a1"], "--to"),
    ],
)
def test_convert_refusals(arguments: list[str], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, message = kt("convert", *arguments)
    assert status == 2
    assert word in message
    assert message.count("\n") == 1
    assert not list(tmp_path.iterdir())


# -- the template ------------------------------------------------------------------------------------------------------


@given(graph=small_graphs(6), closed=st.booleans())
@settings(max_examples=20, deadline=None)
def test_the_template_is_right(graph: MoveGraph, closed: bool) -> None:
    formula = Formula(Problem(graph, "cycle" if closed else "path"))
    _template.add(formula)
    same(formula, {brute.edge_set(graph, o, closed) for o in (brute.cycles(graph) if closed else brute.paths(graph))})
