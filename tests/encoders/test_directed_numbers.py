"""Given numbers on directed graphs, against brute force of its own."""

from __future__ import annotations

import random
from itertools import pairwise, permutations
from pathlib import Path

import pytest

import kt
from kt_models import KTError, Problem
from kt_models.kernel.certificates import Statement
from tests.command import kt as run
from tests.command import kt_json, one_line_refusal
from tests.effort import part_of

ARCS = "1 2\n2 3\n3 1\n"
HCP = f"TYPE : HCP_DIRECTED\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{ARCS}-1\nEOF\n"


@pytest.mark.parametrize("closed", [True, False])
def test_numberings_agree_with_brute_force(closed: bool) -> None:
    source = random.Random(f"numbers {closed}")
    for _ in range(part_of(60)):
        n = source.randint(2, 5)
        arcs = {pair for pair in permutations(range(n), 2) if source.random() < 0.7}
        if len({v for arc in arcs for v in arc}) < n:
            continue
        chosen = source.sample(range(n), source.randint(0, n))
        allowed = {v: set(source.sample(range(1, n + 1), source.randint(1, n))) for v in chosen}
        walks = [
            walk
            for walk in permutations(range(n))
            if arcs.issuperset(pairwise(walk + walk[:1] if closed else walk))
            and all(walk.index(v) + 1 in numbers for v, numbers in allowed.items())
        ]
        single = [min(numbers) for numbers in allowed.values() if len(numbers) == 1]
        if len(set(single)) < len(single):
            with pytest.raises(KTError, match="is given to"):
                kt.problem(edges=sorted(arcs), directed=True, open=not closed, numbers=allowed)
            continue
        problem = kt.problem(edges=sorted(arcs), directed=True, open=not closed, numbers=allowed)
        labels = problem.graph.labels or range(n)
        assert kt.count(problem) == len(walks), (arcs, allowed)
        listed = [tuple(labels[v] for v in tour.vertices.tolist()) for tour in kt.tours(problem)]
        assert sorted(listed) == sorted(walks)
        for engine in ("auto", "cpsat", "sat"):
            tour = kt.solve(problem, engine=engine).tour
            assert (tour is not None) == bool(walks)
            assert tour is None or tuple(labels[v] for v in tour.vertices.tolist()) in walks
        assert Problem.from_json(problem.to_json()) == problem


def test_words_files_and_checks(tmp_path: Path) -> None:
    path = tmp_path / "three.hcp"
    path.write_text(HCP)
    words = [path, "--open", "--number", "1=2"]
    assert run("solve", *words).stdout.rstrip().endswith("3 1 2")
    answer = kt_json("solve", *words, "-o", tmp_path / "answer.json")
    assert answer["numbers"] == [[0, [2]]] and answer["tour"] == [[2], [0], [1]]
    assert run("check", tmp_path / "answer.json").exit_code == 0
    problem = kt.problem(path, open=True, numbers={1: 2})
    assert Statement(problem, "infeasible").text.endswith("with given numbers 1: 2")
    assert run("check", "3, 1, 2", "--board", path, "--number", "1=2").exit_code == 0
    wrong = run("check", "3, 1, 2", "--board", path, "--number", "1=3")
    assert wrong.exit_code == 1 and "1 has the number 2, not 3" in wrong.stdout
    one_line_refusal(run("solve", path, "--number", "1=4"), "from 1 to 3")
    one_line_refusal(run("solve", path, "--sums", "rows=3"), "directed")
    one_line_refusal(run("solve", path, "--clues", "1 . .\n. . .\n"), "the grid is")
    assert "infeasible" in run("solve", path, "--number", "1=1", "--number", "2=3").stdout
