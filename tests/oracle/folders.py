"""Runs and proof folders of random small problems: honest, edited, spliced; what is shown is held against the truth.

python -m tests.oracle.folders --folders 2000 --seed 1
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import click

from encoders.proof import Refuted, write_folder
from kt_models import CertificateError, InvalidTour, KTError, Problem
from kt_models.files.check import check_directory
from kt_models.kernel.certificates import Statement, Verdict
from kt_models.kernel.certificates.cut_inequalities import Cut, inequality
from kt_models.kernel.certificates.proofs.cutting_planes import FORMULA as OPB
from kt_models.kernel.certificates.proofs.cutting_planes import MODEL, formula_of, model_to_json
from kt_models.kernel.certificates.proofs.cutting_planes import PROOF as PBP
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.folder import PROBLEM
from kt_models.runs.task import Solutions
from kt_models.runs.tour_task import TourTask
from tests.oracle.claims import truth_of
from tests.oracle.forgery import cut
from tests.oracle.problems import Json, board_symmetries, edited, images_of, problem, read
from tests.oracle.tally import Tally, place_of
from tests.oracle.truth import Case, TooMany, case_of
from tests.pb_reader import parse
from tests.proof_tools import seal as seal_proof
from tests.run_mutations import mutate, seal
from tests.run_tools import finished

SECONDS = 40.0


def classes(case: Case, texts: list[str], solutions: list[int]) -> int:
    """How many classes of solutions there are under all symmetries of the board."""
    images = images_of(case, texts)
    left, number = set(solutions), 0
    while left:
        todo = [left.pop()]
        number += 1
        seen = set(todo)
        for mask in todo:
            for image in images:
                other = sum(1 << image[e] for e in range(len(image)) if mask >> e & 1)
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        left -= seen
    return number


def false(claim: Any) -> str | None:
    """Why something that was shown is false; None if it is not."""
    if isinstance(claim, Statement):
        return f"{claim}" if truth_of(claim) is False else None
    if isinstance(claim, Solutions):
        task = claim.task
        case = case_of(task.problem)
        try:
            solutions = [s for s in case.solutions if task.value is None or case.value(s) == task.value]
        except TooMany:
            return None
        if isinstance(task, BoundTask):
            solutions = [s for s in case.solutions if task.at_least is None or case.value(s) < task.at_least]
        number = len(solutions)
        if task.up_to_symmetry:
            number = classes(case, board_symmetries(task.problem.graph.to_json()), solutions)
        return f"{claim.text}: there are {number}" if claim.count > number or claim.complete else None
    return f"something else: {claim}"


def holds(posed: Problem, cut: Cut) -> bool:
    """Whether a cut holds for every solution, as the toolkit sees it."""
    try:
        inequality(posed, cut)
    except KTError:
        return False
    return True


def seal_planes(folder: Path, data: Json, text: str) -> None:
    """A formula in OPB and what is said of it, with the digests that they have now."""
    proof = "pseudo-Boolean proof version 1.2\n"
    digests = {name: sha256(content.encode()).hexdigest() for name, content in ((OPB, text), (PBP, proof))}
    (folder / OPB).write_text(text)
    (folder / PBP).write_text(proof)
    (folder / MODEL).write_text(json.dumps({**data, "sha256": digests}))


def judged(folder: Path, name: str) -> str | None:
    """What a perfect checker says of a formula in OPB: its proof is right if the formula has no solution."""
    from ortools.sat.python import cp_model

    if name != PBP:
        return None
    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 1, SECONDS / 2
    x: dict[int, Any] = {}
    for line in (folder / OPB).read_text().splitlines():
        for terms, degree in [] if line.startswith("*") else parse(line):
            if sum(terms.values()) + abs(degree) > 2**60:
                raise CertificateError("numbers that this checker does not hold")
            for v in map(abs, terms):
                x.setdefault(v, model.new_bool_var(""))
            model.add(sum(c * (x[v] if v > 0 else 1 - x[-v]) for v, c in terms.items()) >= degree)
    if solver.solve(model) != cp_model.INFEASIBLE:
        raise CertificateError("the formula has a solution")
    return "a perfect checker accepts it"


def task_of(rng: Random, posed: Problem, case: Case) -> TourTask | BoundTask | None:
    """Something to be listed or shown."""
    plain = posed
    kind = rng.random()
    try:
        if kind < 0.5:
            if posed.objective is None:  # Where there is a tour, the run that is to rule it out ends with it
                return None if case.solutions else BoundTask(plain, None, rng.random() < 0.9)
            least = case.least if case.solutions else rng.randint(0, 9)
            return BoundTask(plain, least, rng.random() < 0.9)
        value = (
            case.value(rng.choice(case.solutions)) if case.solutions and case.objective and rng.random() < 0.3 else None
        )
        if kind < 0.8:
            return TourTask(plain, value, up_to_symmetry=rng.random() < 0.4)
        by_value = posed.objective is not None and rng.random() < 0.5
        return TourTask(plain, None if by_value else value, counting=True, by_value=by_value)
    except KTError:
        return None


class Folders:
    """A long sequence of folders."""

    def __init__(self, seed: int) -> None:
        self.seed, self.tally = seed, Tally()
        self.counts = self.tally.counts

    def run(self, number: int, place: Path) -> Counter[str]:
        """Make and judge a number of honest folders, each with some forged ones."""
        for i in range(number):
            rng = Random(f"{self.seed}:{i}")
            with tempfile.TemporaryDirectory(dir=place) as name:
                self.round(rng, Path(name))
        return self.counts

    def round(self, rng: Random, place: Path) -> None:
        """One problem, as a run or as a proof folder."""
        while True:
            data, posed = problem(rng)
            case = case_of(posed)
            try:
                if (case.solutions or rng.random() < 0.4) and len(case.solutions) < 500:
                    break
            except TooMany:
                continue
        if posed.connectivity in ("cycle", "path") and rng.random() < 0.4:
            self.as_run(rng, data, posed, case, place)
        elif rng.random() < 0.5:
            self.as_planes(rng, posed, case, place)
        else:
            self.as_proof(rng, data, posed, case, place)

    def verdict(self, folder: Path, kind: str) -> Verdict | None:
        """What `kt check` makes of a folder."""
        self.counts[f"{kind}"] += 1

        def check() -> Verdict | None:
            try:
                return check_directory(folder, ask=lambda name: judged(folder, name))
            except KTError as error:
                if kind.startswith("honest"):
                    self.tally.fault(f"refused {kind}", error=str(error)[-300:], files=_texts(folder))
                return None

        verdict: Verdict | None = self.tally.watch(kind, check, SECONDS, files=_texts(folder))
        if verdict is None:
            return None
        self.counts[f"{kind} accepted"] += 1
        for claim in verdict.shown:
            if words := false(claim):
                self.tally.fault(f"false {kind}", words=words, files=_texts(folder))
        return verdict

    def as_run(self, rng: Random, data: Json, posed: Problem, case: Case, place: Path) -> None:
        task = task_of(rng, posed, case)
        if task is None:
            return
        folder = place / "run"
        try:
            finished(folder, task, rng.choice((1, 2, 4)))
        except (KTError, KeyError) as error:  # `finished` expects every cube to be done
            self.counts[f"no run: {str(error)[:40]}"] += 1
            return
        except Exception as error:
            self.tally.fault(f"maker of runs: {type(error).__name__}", error=repr(error)[:300], task=task.to_json())
            return
        verdict = self.verdict(folder, "honest run")
        if verdict is not None:
            for claim in verdict.stated:  # Of an honest run this is true as well
                if isinstance(claim, Statement) and truth_of(claim) is False:
                    self.tally.fault(
                        "false, though only stated, in an honest run", words=claim.text, files=_texts(folder)
                    )
        for number in range(6):
            forged = shutil.copytree(folder, place / f"forged{number}")
            self._forge_run(rng, forged)
            self.verdict(forged, "forged run")

    def _forge_run(self, rng: Random, folder: Path) -> None:
        try:
            if rng.random() < 0.6:
                mutate(rng, folder)
            if rng.random() < 0.6:
                path = folder / PROBLEM
                data = json.loads(path.read_text())
                task = data["task"]
                if rng.random() < 0.6:
                    task["problem"] = edited(rng, task["problem"])
                elif type(task.get("at_least")) is int:
                    task["at_least"] += rng.choice((1, 1, -1, 1000))
                path.write_text(json.dumps(data) + "\n")
                seal(folder)
        except (KTError, LookupError, TypeError, ValueError, AttributeError, OSError, sqlite3.Error):
            pass

    def as_proof(self, rng: Random, data: Json, posed: Problem, case: Case, place: Path) -> None:
        folder = place / "proof"
        folder.mkdir()
        least = case.least if case.solutions else None
        at_most = None
        if posed.objective is not None:
            at_most = least - 1 if least is not None else rng.randint(0, 20)
        elif case.solutions:
            return
        try:
            write_folder(posed, at_most, folder)
        except Refuted as error:
            self.tally.fault("a maker of proofs found a solution below the least", error=str(error), problem=data)
            return
        except (KTError, InvalidTour) as error:
            self.counts[f"no proof: {str(error)[:40]}"] += 1
            return
        except Exception as error:
            self.tally.fault(f"maker of proofs: {place_of(error)}", error=repr(error)[:300], problem=data)
            return
        self.verdict(folder, "honest proof")
        for number in range(6):
            forged = shutil.copytree(folder, place / f"forged{number}")
            self._forge_proof(rng, forged)
            self.verdict(forged, "forged proof")

    def as_planes(self, rng: Random, posed: Problem, case: Case, place: Path) -> None:
        """A formula in OPB; whatever has no solution counts as refuted, as if a checker had read a proof of it."""
        folder = place / "planes"
        folder.mkdir()
        least = case.least if case.solutions and posed.objective is not None else None
        if posed.objective is not None and least is None:
            least = rng.randint(-9, 20)
        if posed.objective is None and case.solutions:
            return
        try:
            connected = posed.connectivity in ("cycle", "path") and rng.random() < 0.8
            flow = rng.randrange(posed.graph.n) if connected else None
            cuts = [
                Cut(tuple(part), tuple(teeth)) for part, teeth in (cut(rng, posed) for _ in range(rng.randint(0, 4)))
            ]
            cuts = [cut for cut in cuts if holds(posed, cut)]
            model = formula_of(posed, least, cuts, flow)
        except KTError as error:
            self.counts[f"no formula: {str(error)[:40]}"] += 1
            return
        seal_planes(folder, model_to_json(model, posed, least, {}), model.opb())
        self.verdict(folder, "honest formula" if flow is not None else "formula without a flow")
        for number in range(8):
            forged = shutil.copytree(folder, place / f"forged{number}")
            self._forge_planes(rng, forged)
            self.verdict(forged, "forged formula")

    def _forge_planes(self, rng: Random, folder: Path) -> None:
        """Another claim, problem, row or cut: and the formula as it was, or as the claim before had it."""
        data, text = json.loads((folder / MODEL).read_text()), (folder / OPB).read_text()
        try:
            kind = rng.random()
            if kind < 0.5 and type(data.get("bound")) is int:
                data["bound"] += rng.choice((1, 1, 1, 2, 3, 4, 7, -1))
            elif kind < 0.65:
                data["problem"] = edited(rng, data["problem"])
            elif kind < 0.75 and data["cuts"]:
                data["cuts"].append([[rng.randrange(2)], []])
            elif kind < 0.8:
                data["flow"] = 0
            if rng.random() < 0.5:
                lines = text.splitlines()
                i = rng.choice([-1, -1, rng.randrange(len(lines))])
                words = lines[i].split()
                words[-2:-1] = [str(int(words[-2]) + rng.choice((1, 1, 2, -1)))]
                lines[i] = " ".join(words)
                text = "\n".join(lines) + "\n"
            elif rng.random() < 0.8:  # The formula that belongs to it, so that only its truth is in question
                posed = read(data["problem"])
                cuts = [Cut(tuple(part), tuple(teeth)) for part, teeth in data["cuts"]]
                text = formula_of(posed, data.get("bound"), cuts, data.get("flow")).opb()
        except (KTError, LookupError, TypeError, ValueError):
            pass
        seal_planes(folder, data, text)

    def _forge_proof(self, rng: Random, folder: Path) -> None:
        path = folder / "manifest.json"
        data = json.loads(path.read_text())
        try:
            for _ in range(rng.choice((1, 1, 2))):
                kind = rng.random()
                if kind < 0.45:
                    data["problem"] = edited(rng, data["problem"])
                elif kind < 0.6:
                    data["claim"] = rng.choice(
                        ({"bound": data["claim"].get("bound", 0) + 1}, {"status": "infeasible"}, {"bound": 5})
                    )
                elif kind < 0.75 and data["groups"]:
                    group = rng.choice(data["groups"])
                    change = rng.choice(("rule", "clauses", "vertex", "sets"))
                    if change == "rule":
                        group["rule"] = rng.choice(
                            ("degree", "ends", "required", "forbidden", "cut-set", "pair", "counter")
                        )
                    elif change == "sets" and group.get("sets"):
                        rng.choice(group["sets"]).append(rng.randrange(read(data["problem"]).graph.n))
                    elif type(group.get(change)) is int:
                        group[change] += rng.choice((1, -1))
                elif kind < 0.85 and data.get("counted"):
                    rng.choice(data["counted"])[rng.randrange(2)] += rng.choice((1, -1, 1000, -1000))
                else:
                    text = folder / "formula.cnf"
                    lines = text.read_text().splitlines()
                    i = rng.randrange(1, len(lines))
                    words = lines[i].split()
                    if len(words) > 1 and rng.random() < 0.6:
                        del words[rng.randrange(len(words) - 1)]
                        lines[i] = " ".join(words)
                    else:
                        lines[i] = "0"
                    text.write_text("\n".join(lines) + "\n")
                    if rng.random() < 0.5:  # A proof of the changed formula
                        from encoders.proof.log import log_proof

                        clauses = [[int(w) for w in line.split()[:-1]] for line in lines[1:]]
                        log_proof(clauses, folder / "proof.lrat")
        except (KTError, LookupError, TypeError, ValueError, AttributeError, OSError, sqlite3.Error):
            pass
        seal_proof(folder, data)


def _texts(folder: Path) -> dict[str, str]:
    return {
        p.name: p.read_text(errors="replace")[:4000] for p in sorted(folder.iterdir()) if p.suffix in (".json", ".cnf")
    }


@click.command()
@click.option("--folders", default=1000)
@click.option("--seed", default=1)
def main(folders: int, seed: int) -> None:
    """Attack runs and proof folders."""
    attack = Folders(seed)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        attack.run(folders, Path(name))
    print(dict(attack.counts))
    print(dict(attack.tally.kinds))
    for fault in attack.tally.faults:
        print(json.dumps(fault)[:4000])


if __name__ == "__main__":
    main()
