"""Tree certificates as cutting-planes proofs: true formulas, proofs that an independent reader (and VeriPB) accepts."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from pathlib import Path
from random import Random

import pytest

from encoders.bounds.methods.branching import make
from encoders.pb import sweep
from encoders.pb.proof import CuttingPlanes, Derivation
from encoders.pb.sweep import refute_by_sweep
from encoders.pb.write import prove_by_cutting_planes, write_cutting_planes
from kt_models import CertificateError, KTError, MoveGraph, Problem, Symmetry, graph_of
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.kernel.certificates.cut_inequalities import Cut, inequality
from kt_models.kernel.certificates.proofs.cutting_planes import FORMULA, MODEL, PROOF, check_formula
from kt_models.kernel.certificates.proofs.zero_one import ZeroOneModel
from kt_models.kernel.certificates.rounding import value_step
from tests import brute
from tests.command import kt, one_line_refusal
from tests.effort import part_of
from tests.house import ROOT
from tests.pb_reader import WrongProof, derive, normal, parse, refuted
from tests.small_problems import random_problem, solutions, value

RESULTS = ROOT / "heuristics" / "delivered" / "results"
SMALL = ["3x4-open", "4x6-open", "5x6", "6x6-open", "aztec-3", "5x8"]


def certificate_of(name: str) -> Certificate:
    """The certificate of a turns optimum in heuristics/delivered/results."""
    return Certificate.from_json(json.loads((RESULTS / f"turns-{name}.json").read_text())["certificate"])


def tree_of(problem: Problem, bound: int) -> Certificate:
    """A certificate by branch and bound."""
    data = make(problem, at_least=bound)
    assert data is not None
    return Certificate("tree", Statement(problem, "at-least", bound), data)


def accept(proved: CuttingPlanes) -> None:
    refuted(proved.model.opb(), proved.proof)


BOTH = pytest.mark.parametrize("flow", [None, 0], ids=["cuts", "flow"])


def values_of(model: ZeroOneModel, chosen: frozenset[int]) -> dict[int, int]:
    """The value of each variable in a solution, by its meaning."""
    graph, options = model.problem.graph, model.instance.options
    values = {x: int(e in chosen) for e, x in enumerate(model.edge)}
    for v, x in enumerate(model.end):
        if x:
            values[x] = int(sum((graph.ends[e] == v).any() for e in chosen) == 1)
    for v in range(graph.n):
        incident = {e for e in chosen if (graph.ends[e] == v).any()}
        for k in range(options.start[v], options.start[v + 1]):
            values[model.option + k] = int({int(options.first[k]), int(options.second[k])} - {-1} == incident)
    ends = [set(pair) for pair in graph.ends.tolist()]
    pairs = [
        (e, f)
        for e, f, _ in model.problem.weights.canonical()
        if e != f and not ends[e] & ends[f] and model.edge[e] != model.edge[f]
    ]
    values |= {model.option + len(options.first) + i: int({e, f} <= chosen) for i, (e, f) in enumerate(pairs)}
    return values


@pytest.mark.parametrize("seed", range(part_of(150)))
def test_every_solution_fulfils_the_formula(seed: int) -> None:
    random = Random(seed)
    problem = random_problem(random, objective=True, most=14, positive=False)
    n = problem.graph.n
    if n < 3:
        return
    cuts = []
    for _ in range(6):
        cut = Cut(tuple(sorted(random.sample(range(n), random.randrange(1, n)))))
        inside = set(cut.vertices)
        leaving = [e for e, (u, v) in enumerate(problem.graph.ends.tolist()) if (u in inside) != (v in inside)]
        for teeth in ((), tuple(random.sample(leaving, min(len(leaving), random.choice((1, 2, 3)))))):
            with contextlib.suppress(CertificateError):
                inequality(problem, Cut(cut.vertices, teeth))
                cuts.append(Cut(cut.vertices, teeth))
    for chosen in solutions(problem):
        worth = value(problem, chosen)
        try:
            model = ZeroOneModel(problem, cuts, worth)
        except CertificateError:  # Weights that 64 bits do not hold
            return
        values = values_of(model, chosen)
        rows = [line for line in model.opb().splitlines() if not line.startswith("*")]
        for line in rows:
            for terms, degree in parse(line):
                assert sum(c for x, c in terms.items() if values[abs(x)] == (x > 0)) >= degree, line
        if worth is not None:
            assert sum(c * values[x] for c, x in model.objective) == worth


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_with_a_flow_the_formula_is_fulfilled_by_tours_alone(seed: int) -> None:
    from ortools.sat.python import cp_model

    random = Random(seed)
    problem = random_problem(random, objective=False, most=12)
    graph = problem.graph
    if graph.n < 3 or problem.connectivity not in ("cycle", "path"):
        return
    model = ZeroOneModel(problem, flow=random.randrange(graph.n))
    solver, asked = cp_model.CpSolver(), cp_model.CpModel()
    solver.parameters.num_workers = 1
    variables = [asked.new_bool_var("") for _ in range(model.top)]
    for row in model.rows:
        total = sum(c * variables[x - 1] for c, x in row.terms)
        asked.add(total == row.right if row.equal else total >= row.right)
    tours = {frozenset(chosen) for chosen in solutions(problem)}
    met = set()
    while solver.solve(asked) == cp_model.OPTIMAL:  # Each set of edges once
        values = [int(solver.value(variables[x - 1])) for x in model.edge]
        met.add(frozenset(e for e, value in enumerate(values) if value))
        pairs = zip(model.edge, values, strict=True)
        asked.add_bool_or(variables[x - 1].negated() if value else variables[x - 1] for x, value in pairs)
    assert met == tours


@BOTH
@pytest.mark.parametrize("name", SMALL)
def test_proofs_of_results_are_accepted(name: str, flow: int | None) -> None:
    proved = prove_by_cutting_planes(certificate_of(name), flow)
    assert flow is None or not proved.model.cuts
    accept(proved)


@BOTH
@pytest.mark.parametrize("seed", range(part_of(40)))
def test_proofs_by_forced_moves_are_accepted(seed: int, flow: int | None) -> None:
    problem = random_problem(Random(seed), objective=False, most=14)
    certificate = Certificate("forced", Statement(problem, "infeasible"), {})
    if problem.graph.n < 3:
        return
    with contextlib.suppress(CertificateError):
        certificate.check()
        accept(prove_by_cutting_planes(certificate, flow))


@pytest.mark.parametrize("seed", range(part_of(40)))
def test_cuts_follow_from_degrees_and_a_flow(seed: int) -> None:
    random = Random(seed)
    problem = random_problem(random, objective=False, most=14)
    n = problem.graph.n
    if n < 3 or problem.connectivity not in ("cycle", "path"):
        return
    inside = set(random.sample(range(n), random.randrange(1, n)))
    leaving = [e for e, (u, v) in enumerate(problem.graph.ends.tolist()) if (u in inside) != (v in inside)]
    for teeth in ((), tuple(random.sample(leaving, min(len(leaving), random.choice((1, 2, 3)))))):
        cut = Cut(tuple(sorted(inside)), teeth)
        with contextlib.suppress(CertificateError):
            says = inequality(problem, cut)
            proof = Derivation(problem, None, [cut], flow=random.randrange(n))
            terms = [
                (sign, proof.model.edge[e]) for e, sign in zip(says.edges.tolist(), says.signs.tolist(), strict=True)
            ]
            terms += [(1, proof.model.end[v]) for v in says.vertices.tolist()]
            wanted, least = normal(terms, says.least)
            derived, degree = derive(proof.model.opb(), proof.lines)[proof.numbers[proof.cut_row]]
            assert degree - sum(max(0, c - wanted.get(x, 0)) for x, c in derived.items()) >= least


@pytest.mark.parametrize(("board", "closed", "symmetry"), [("5x6", True, "mirror-y"), ("3x4", False, None)])
def test_proofs_with_symmetry_and_free_ends(board: str, closed: bool, symmetry: str | None) -> None:
    group = (Symmetry.parse(symmetry),) if symmetry else ()
    problem = Problem(graph_of(board), "cycle" if closed else "path", "turns", symmetry=group)
    if symmetry is None:
        least = min(brute.values(board, closed, "turns"))
    else:
        from encoders.solve import solve

        answer = solve(problem).value
        assert answer is not None
        least = answer
    accept(prove_by_cutting_planes(tree_of(problem, least)))
    assert value_step(problem) in (1, 2, 4)


def test_given_ends_are_told_apart() -> None:
    graph = graph_of("3x8")
    problem = Problem(graph, "path", "turns", (graph.find("a1"), graph.find("b1")))
    with contextlib.suppress(KTError):
        from encoders.solve import solve

        answer = solve(problem)
        if answer.value is not None:
            accept(prove_by_cutting_planes(tree_of(problem, answer.value)))


def test_the_reader_refuses_what_does_not_follow() -> None:
    proved = prove_by_cutting_planes(certificate_of("5x6"))
    formula, proof = proved.model.opb(), proved.proof
    refuted(formula, proof)
    weaker = formula.rsplit(">=", 1)[0] + f">= {-28} ;\n"  # Of 28 turns there is a tour
    with pytest.raises(WrongProof):
        refuted(weaker, proof)
    with pytest.raises(WrongProof):
        refuted(
            formula,
            f"{proof.splitlines()[0]}\n{proof.splitlines()[1]}\nrup >= 1 ;\nc {proved.model.inequalities + 1}\n",
        )


@pytest.mark.parametrize(
    "words",
    [["7x7"], ["9x9"], ["4x8"], ["3x5", "--open"], ["4x4", "--open"], ["5x5", "--open", "--from", "a2"]],
    ids=" ".join,
)
def test_cutting_planes_prove_that_there_is_no_tour(words: list[str], tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    assert kt("solve", *words, "-o", answer).exit_code == 0
    certificate = Certificate.from_json(json.loads(answer.read_text())["certificate"])
    if certificate.method == "cut":
        accept(prove_by_cutting_planes(certificate))
        assert kt("convert", answer, f"{tmp_path}/proof/").exit_code == 0
        assert kt("check", tmp_path / "proof").exit_code == 0
        if shutil.which("veripb"):
            assert kt("check", tmp_path / "proof", "--with", "veripb").exit_code == 0


def petersen(size: int) -> Problem:
    """Closed tours of a generalized Petersen graph GP(n, 2); there are none if n = 5 mod 6."""
    steps = [((i, (i + 1) % size), (i, size + i), (size + i, size + (i + 2) % size)) for i in range(size)]
    return Problem(MoveGraph.from_edges(2 * size, [pair for three in steps for pair in three]), "cycle")


@pytest.mark.parametrize(
    ("problem", "bound"),
    [
        (petersen(5), None),
        (Problem(graph_of("3x4"), "cycle"), None),
        (Problem(graph_of("aztec:2"), "cycle", "crossings"), 26),
        (Problem(graph_of("aztec:2"), "cycle", "turns"), 12),
    ],
    ids=["GP(5,2)", "3x4", "crossings", "turns"],
)
def test_proofs_by_sweeps_are_accepted_and_claim_no_more(problem: Problem, bound: int | None) -> None:
    proved = refute_by_sweep(problem, bound)
    accept(proved)
    if bound is not None:
        with pytest.raises(KTError, match="there is a solution"):
            refute_by_sweep(problem, bound + 2 * value_step(problem))


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_sweeps_of_random_problems(seed: int) -> None:
    problem = random_problem(Random(seed), objective=True, most=12)
    weights = problem.weights
    if problem.connectivity != "cycle" or len(problem.group) > 1 or problem.graph.n < 3:
        return
    if weights is not None and (weights.weight < 0).any():
        return
    with contextlib.suppress(CertificateError):
        values = [value(problem, chosen) for chosen in solutions(problem)]
        least = min((v for v in values if v is not None), default=None)
        accept(refute_by_sweep(problem, least))
        if least is not None:
            with pytest.raises(KTError, match="there is a solution"):
                refute_by_sweep(problem, least + value_step(problem))


def test_a_forged_definition_is_refused() -> None:
    proved = refute_by_sweep(petersen(5), None)
    red = next(i for i, line in enumerate(proved.lines) if line.startswith("red "))
    for old, new in ((" >= 1 ", " >= 99 "), ("-> 0", "-> 1")):
        lines = [*proved.lines[:red], proved.lines[red].replace(old, new), *proved.lines[red + 1 :]]
        with pytest.raises(WrongProof):
            refuted(proved.model.opb(), "\n".join(lines) + "\n")


def test_what_is_too_large_or_of_another_kind_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, words in (("4x5-open", "closed tours"), ("6x6", "states")):
        monkeypatch.setattr(sweep, "MAX_STATES", 500)
        data = json.loads((RESULTS / f"crossings-{name}.json").read_text())
        certificate = Certificate.from_json(data["certificate"])
        certificate.__dict__["_reason"] = "not looked at"  # It takes a while
        with pytest.raises(KTError, match=words):
            prove_by_cutting_planes(certificate)


# -- folders ----------------------------------------------------------------------------------------------------------


def test_a_formula_has_to_be_the_one_of_its_problem(tmp_path: Path) -> None:
    write_cutting_planes(certificate_of("5x6"), tmp_path)
    assert check_formula(tmp_path).value == 28
    model = json.loads((tmp_path / MODEL).read_text())
    formula, proof = (tmp_path / FORMULA).read_text(), (tmp_path / PROOF).read_text()

    def write(formula: str = formula, proof: str = proof, **changed: object) -> None:
        digests = {
            FORMULA: hashlib.sha256(formula.encode()).hexdigest(),
            PROOF: hashlib.sha256(proof.encode()).hexdigest(),
        }
        (tmp_path / FORMULA).write_text(formula)
        (tmp_path / PROOF).write_text(proof)
        (tmp_path / MODEL).write_text(json.dumps({**model, "sha256": digests, **changed}))

    write()
    check_formula(tmp_path)
    refused = [
        {"formula": formula.replace(">= -27", ">= -26")},
        {"formula": formula + "+1 x1 >= 1 ;\n"},
        {"bound": 29},
        {"cuts": [[[0, 1], []]]},
        {"cuts": [[[0], [0, 1]]]},
        {"proof": proof.replace("rup ", "a ", 1)},
    ]
    for change in refused:
        write(**change)  # type: ignore[arg-type]
        with pytest.raises(CertificateError):
            check_formula(tmp_path)
    for change in ({"sha256": {}}, {"bound": "x"}, {"problem": 3}, {"kind": "proof"}, {"version": 99}, {"cuts": 3}):
        write(**change)  # type: ignore[arg-type]
        with pytest.raises(KTError):
            check_formula(tmp_path)


def test_convert_writes_a_proof_and_check_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "proof"
    assert kt("convert", RESULTS / "turns-5x6.json", f"{folder}/").exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == [FORMULA, MODEL, PROOF, "result.json"]
    checked = kt("check", folder)
    assert checked.exit_code == 0
    assert FORMULA in checked.stdout
    monkeypatch.setenv("PATH", str(tmp_path))
    one_line_refusal(kt("check", folder, "--with", "veripb"), "veripb", "PATH")
    one_line_refusal(kt("convert", RESULTS / "turns-5x6.json", f"{folder}/"), "not empty")
    one_line_refusal(kt("convert", RESULTS / "crossings-4x5-open.json", f"{tmp_path}/other/"), "closed tours")
    one_line_refusal(kt("convert", "8x8", f"{tmp_path}/other/"), "8x8")
    assert not (tmp_path / "other").exists()
    (folder / "result.json").unlink()
    assert kt("check", folder).exit_code == 3


def test_a_certificate_alone_is_converted(tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    path.write_text(json.dumps(certificate_of("5x6").to_json()))
    assert kt("convert", path, f"{tmp_path}/proof/").exit_code == 0
    assert kt("check", tmp_path / "proof").exit_code == 0


def test_another_checker_is_asked_and_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, place = tmp_path / "proof", tmp_path / "bin"
    kt("convert", RESULTS / "turns-3x4-open.json", f"{folder}/")
    place.mkdir()
    program = place / "veripb"
    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    for script, status in (("echo 'Verification succeeded.'", 0), ("echo no >&2; exit 1", 1), ("true", 1)):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        assert kt("check", folder, "--with", "veripb").exit_code == status
    one_line_refusal(kt("check", RESULTS / "turns-5x6.json", "--with", "veripb"), PROOF)
    (folder / "result.json").unlink()
    for script, status, proved in (("echo 'Verification succeeded.'", 0, 1), ("exit 1", 1, 0)):  # Its word alone counts
        program.write_text(f"#!/bin/sh\n{script}\n")
        checked = kt("check", folder, "--with", "veripb", "--json")
        assert checked.exit_code == status
        assert len(json.loads(checked.stdout)["files"][0]["shown"]) == proved
    program.write_text("#!/bin/sh\necho 'Verification succeeded.'\n")
    model = json.loads((folder / MODEL).read_text())
    (folder / MODEL).write_text(json.dumps({**model, "bound": 11}))
    assert kt("check", folder, "--with", "veripb").exit_code == 1


@pytest.mark.skipif(shutil.which("veripb") is None, reason="VeriPB is not installed")
@pytest.mark.parametrize("name", [*SMALL, "6x8", "7x8", "8x8"])
def test_veripb_accepts_the_proofs(name: str, tmp_path: Path) -> None:
    assert kt("convert", RESULTS / f"turns-{name}.json", f"{tmp_path}/proof/").exit_code == 0
    checked = kt("check", tmp_path / "proof", "--with", "veripb")
    assert checked.exit_code == 0
    assert "veripb accepts" in checked.stdout
