"""Proof folders about given numbers that were made to break things: refused in one line, and nothing false is shown."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import kt
from encoders.proof.numbering import prove_numbering
from kt_models import KTError, Problem, Tour
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from kt_models.kernel.certificates.proofs.numbering import check_numbering, formula_of, variables_of
from tests.command import kt as run
from tests.effort import part_of

ONE = kt.problem("2x3", leaper="wazir", open=True, numbers={"a1": 1, "b1": 6})
NONE = kt.problem("2x3", leaper="wazir", numbers={"a1": 1, "b1": 3})
ORDER = [0, 1, 2, 5, 4, 3]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {}
    for name, problem, only in (("one", ONE, ORDER), ("none", NONE, None)):
        made[name] = tmp_path_factory.mktemp(name)
        prove_numbering(problem, made[name], only)
    return made


def without(*names: str, **more: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda data: {**{k: v for k, v in data.items() if k not in names}, **more}


def about(problem: Problem | dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return without(problem=problem.to_json() if isinstance(problem, Problem) else problem)


FORGED = {
    "a tour more is allowed": ("one", about(kt.problem("2x3", leaper="wazir", open=True, numbers={"a1": 1}))),
    "nothing is given": ("one", about(kt.problem("2x3", leaper="wazir", open=True))),
    "another cell": ("one", about(kt.problem("2x3", leaper="wazir", open=True, numbers={"a3": 1, "b1": 6}))),
    "another board": ("none", about(kt.problem("3x2", leaper="wazir", numbers={"a1": 1, "b1": 3}))),
    "another piece": ("none", about(kt.problem("2x3", leaper="king", numbers={"a1": 1, "b1": 3}))),
    "open instead": ("none", about(kt.problem("2x3", leaper="wazir", open=True, numbers={"a1": 1, "b1": 3}))),
    "sums": ("none", about(kt.problem("2x3", leaper="wazir", numbers={"a1": 1}, sums={"rows": 7}))),
    "a symmetry": ("none", about(kt.problem("2x3", leaper="wazir", numbers={"a1": 1}, symmetry="rot180"))),
    "an objective": ("none", about(kt.problem("2x3", leaper="wazir", numbers={"a1": 1, "b1": 3}, minimize="turns"))),
    "too large": ("none", about(kt.problem("13x13", numbers={"a1": 1}))),
    "paths": ("none", about({**NONE.to_json(), "connectivity": "paths", "terminals": [0, 1]})),
    "no problem": ("none", without("problem")),
    "a problem that is none": ("none", without(problem=[])),
    "numbers that are none": ("none", about({**NONE.to_json(), "numbers": [[0, [7]]]})),
    "a cell with numbers twice": ("none", about({**NONE.to_json(), "numbers": [[0, [1]], [0, [2]]]})),
    "numbers of no cell": ("none", about({**NONE.to_json(), "numbers": [[6, [1]]]})),
    "numbers as texts": ("none", about({**NONE.to_json(), "numbers": [["a1", [1]]]})),
    "numbers without a list": ("none", about({**NONE.to_json(), "numbers": {"0": 1}})),
    "a number that is true": ("none", about({**NONE.to_json(), "numbers": [[0, [True]]]})),
    "an empty list of numbers": ("none", about({**NONE.to_json(), "numbers": [[0, []]]})),
    "a line twice through a cell": ("none", about({**NONE.to_json(), "line_sums": [[[0, 0], 3]]})),
    "a version from afar": ("none", without(version=99)),
    "only where there is none": ("none", without(only=ORDER)),
    "not the only one": ("one", without("only")),
    "the other way round": ("one", without(only=ORDER[::-1])),
    "another order": ("one", without(only=[0, 1, 2, 5, 4, 4])),
    "a short order": ("one", without(only=ORDER[:-1])),
    "an order of texts": ("one", without(only=["a1"] * 6)),
    "an order with a jump": ("one", without(only=[0, 2, 1, 4, 5, 3])),
    "no order": ("one", without(only=7)),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_claim_is_refused(name: str, folders: dict[str, Path], tmp_path: Path) -> None:
    which, change = FORGED[name]
    folder = Path(shutil.copytree(folders[which], tmp_path / "forged"))
    data = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(change(data)))
    with pytest.raises(KTError) as error:
        check_numbering(folder)
    assert "\n" not in str(error.value) and len(str(error.value)) < 500
    done = run("check", folder)
    assert done.exit_code in (1, 2) and (done.stdout + done.stderr).count("\n") == 1


def test_damaged_files_are_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    """Any line left out, doubled or changed: refused, or the claim is shown all the same, as it is true."""
    random = Random(5)
    refused, words = 0, []
    for number in range(part_of(60)):
        which = random.choice(("one", "none"))
        folder = Path(shutil.copytree(folders[which], tmp_path / str(number)))
        path = folder / random.choice((FORMULA, PROOF))
        lines = path.read_text().splitlines()
        at = random.choice([at for at, line in enumerate(lines) if line[0] != "c"])
        old = lines[at].split()
        word = random.randrange(len(old))
        kind = random.randrange(4)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[at])
        elif kind == 2:
            lines[at] = " ".join([*old[:word], random.choice(("0", "-1", "7", "x", "999999")), *old[word + 1 :]])
        else:
            lines = lines[:at]
        path.write_text("\n".join(lines) + "\n")
        try:
            check_numbering(folder)
        except KTError as error:
            refused += 1
            words.append(str(error))
        else:
            assert path.name == PROOF or lines == (folders[which] / FORMULA).read_text().splitlines()
    assert refused > part_of(60) // 2 and not any("\n" in line for line in words)


def test_missing_files_and_what_is_no_folder(folders: dict[str, Path], tmp_path: Path) -> None:
    for number, name in enumerate((FORMULA, PROOF, MANIFEST)):
        folder = Path(shutil.copytree(folders["one"], tmp_path / str(number)))
        (folder / name).unlink()
        done = run("check", folder)
        assert done.exit_code == 2 and done.stderr.count("\n") == 1, name
    with pytest.raises(KTError, match="not empty"):
        prove_numbering(ONE, folders["one"], ORDER)


@pytest.mark.parametrize("seed", range(part_of(30)))
def test_every_numbering_is_a_model_and_nothing_else_is(seed: int) -> None:
    """By the meaning of the variables, tried with all orders of five or six cells."""
    random = Random(seed)
    board, leaper = random.choice((("2x3", "king"), ("2x3", "wazir"), ("5x1", "wazir"), ("3x2-a1", "king")))
    n = kt.graph(board, leaper).n
    cells = [kt.graph(board, leaper).name_of(v) for v in range(n)]
    numbers = {cell: random.sample(range(1, n + 1), random.randint(1, n)) for cell in random.sample(cells, 2)}
    try:
        problem = kt.problem(board, leaper=leaper, open=random.random() < 0.6, numbers=numbers)
    except KTError:
        return
    only = random.choice((None, random.sample(range(n), n)))
    if only is not None and any((k, v) not in variables_of(problem) for k, v in enumerate(only)):
        only = None
    variables, clauses = variables_of(problem), list(formula_of(problem, only))
    assert problem.numbers is not None
    for order in permutations(range(n)):
        true = {variables.get((k, v)) for k, v in enumerate(order)}
        holds = None not in true and all(any((x in true) if x > 0 else (-x not in true) for x in c) for c in clauses)
        tour = Tour(problem.graph, np.array(order), problem.closed)
        try:
            kt.verify(tour)
            right = problem.numbers.fault(tour.order) is None
        except KTError:
            right = False
        assert holds == (right and list(order) != only)


def test_the_claims_of_honest_folders(folders: dict[str, Path]) -> None:
    for name, words in (("one", "there is exactly 1 numbering"), ("none", "there is no closed")):
        assert str(check_numbering(folders[name]).statement).startswith(words)
        assert kt.check(folders[name]).text
