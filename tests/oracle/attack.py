"""The attack: problems, forgeries, and whether what the toolkit accepts is true.

    python -m tests.oracle.attack --problems 1000000 --seed 1 --out oracle.json

One core; stopped with Ctrl-C and started again with the same `--out`, it goes on. The file has the figures, and every
fault with the problem and the data that show it.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import click

from kt_models import CertificateError, KTError, Problem
from kt_models.kernel.certificates import Statement
from tests.oracle import files, forgery
from tests.oracle.claims import Names, truth_of_bound
from tests.oracle.methods import CHECKERS, Checker
from tests.oracle.problems import Json, edited, problem, read
from tests.oracle.tally import SLOW, Tally, place_of
from tests.oracle.truth import Case, TooMany, case_of

POOL = 150
CLIMB = 0.1
BESIEGED = 0.006


def words_of(tally: Tally) -> str:
    """The figures in a line."""
    c = tally.counts
    return (
        f"{c['problems']:,} problems ({c['solvable']:,} solvable), {c['tried']:,} certificates tried, "
        f"{c['accepted']:,} accepted ({c['tight']:,} of them with the least value itself), {c['files']:,} files, "
        f"{c['files accepted']:,} accepted; false: {tally.of('false')}, internal errors: {tally.of('internal')}, "
        f"hangs: {tally.of('hang')}; {tally.seconds:,.0f} s"
    )


class Attack:
    """A long sequence of rounds, each with a problem of its own."""

    def __init__(self, seed: int, methods: list[str] | None = None, *, with_files: bool = True) -> None:
        self.seed, self.tally, self.names = seed, Tally(), Names()
        self.checkers = {name: c for name, c in CHECKERS.items() if methods is None or name in methods}
        self.pool: dict[str, list[tuple[Json, Json]]] = {name: [] for name in self.checkers}
        self.with_files = with_files
        self.folder = tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
        self.path = Path(self.folder.name)
        self._warm_up()

    def _warm_up(self) -> None:
        """Let what is compiled be compiled before anything is timed."""
        from kt_models import graph_of

        for connectivity in ("cycle", "path"):
            for body in ({}, {"relaxed": True}, {"at_least": 3}):
                with contextlib.suppress(KTError):
                    if "frontier" in self.checkers:
                        self.checkers["frontier"].call(Problem(graph_of("3x4"), connectivity, "turns"), body)

    def run(self, until: int) -> Tally:
        """Rounds until so many problems were tried."""
        while self.tally.counts["problems"] < until:
            start = time.perf_counter()
            self.round(Random(f"{self.seed}:{self.tally.counts['problems']}"))
            self.tally.seconds += time.perf_counter() - start
        return self.tally

    def round(self, rng: Random) -> None:
        """One problem, attacked by some methods, and as files."""
        data, posed, case = self._problem(rng)
        self.tally.counts["problems"] += 1
        self.tally.counts["solvable"] += bool(_solutions(case))
        certificates: list[Json] = []
        names = [n for n, c in self.checkers.items() if c.refute or posed.objective is not None]
        heavy = [n for n in names if n in forgery.RANDOM]
        for name in {*rng.sample(names, min(2, len(names))), *rng.sample(heavy, min(1, len(heavy)))}:
            outcome = self.forge(rng, self.checkers[name], data, posed, case)
            if outcome is not None:
                certificates.append(files.certificate_json(name, data, *outcome))
        if rng.random() < BESIEGED:
            self.besiege(rng, data, posed, case)
        if self.with_files and rng.random() < 0.15:
            self.as_files(rng, data, posed, case, certificates)
        if rng.random() < 0.2:
            for _ in range(3):
                self.name(data, posed, rng)

    def _problem(self, rng: Random) -> tuple[Json, Problem, Case]:
        """A problem, more often than not one with a solution: nothing false can be shown of any other."""
        while True:
            data, posed = problem(rng)
            case = case_of(posed)
            if _solutions(case) or rng.random() < 0.25:
                return data, posed, case

    # -- certificates ------------------------------------------------------------------------------------------------

    def forge(
        self, rng: Random, checker: Checker, data: Json, posed: Problem, case: Case
    ) -> tuple[int | None, Json] | None:
        """Forged data of one method; what it shows, if anything."""
        pool = self.pool[checker.name]
        kind = rng.random()
        if kind < 0.45 or not pool:
            body = forgery.random_data(rng, checker.name, data, posed)
        elif kind < 0.6:
            body = rng.choice(pool)[1]
        elif kind < 0.75:
            body = forgery.perturbed(rng, rng.choice(pool)[1])
        elif kind < 0.85:
            body = forgery.spliced(rng, rng.choice(pool)[1], rng.choice(pool)[1])
        else:
            body = forgery.spoiled(rng, rng.choice(pool)[1])
        climb = not checker.refute and checker.name in forgery.RANDOM and rng.random() < CLIMB
        outcome = self.call(checker, data, posed, case, body, rng, climb)
        if outcome is None:
            return None
        if len(pool) >= POOL:
            pool.pop(rng.randrange(POOL))
        pool.append((data, outcome[1]))
        if rng.random() < 0.5:  # The same data for a problem that was changed a little
            try:
                changed = edited(rng, data)
                other = read(changed)
            except KTError:
                return outcome
            if checker.refute or other.objective is not None:
                self.call(checker, changed, other, case_of(other), outcome[1], rng, False)
        return outcome

    def call(
        self, checker: Checker, data: Json, posed: Problem, case: Case, body: Json, rng: Random, climb: bool
    ) -> tuple[int | None, Json] | None:
        """Ask a checker, and hold what it says against the truth."""
        tally, name = self.tally, checker.name
        tally.counts["tried"] += 1
        tally.counts[f"{name} tried"] += 1

        def ask() -> tuple[Any, Json] | None:
            if checker.refute:
                return checker.call(posed, body), body
            if not climb:
                return forgery.mended(checker, posed, body, rng)
            best = forgery.climbed(checker, posed, body, rng, 20)
            return None if best[0] is None else best

        answer = tally.watch(name, ask, 10 * SLOW if climb else SLOW, problem=data, data=body)
        if answer is None:
            return None
        statement, body = answer
        if (type(statement) is not str or not statement) if checker.refute else type(statement) is not int:
            tally.fault(f"internal {name}: neither a bound nor a reason", problem=data, data=body)
        value: int | None = None if checker.refute else statement
        tally.counts["accepted"] += 1
        tally.counts[f"{name} accepted"] += 1
        true = truth_of_bound(case, value)
        if true is False:
            least = None if checker.refute else case.least
            tally.fault(f"false {name}", shown=value, least=least, problem=data, data=body)
        elif true and value is not None and _solutions(case):
            tally.counts["tight"] += value == case.least
            tally.counts[f"{name} tight"] += value == case.least
        return value, body

    def besiege(self, rng: Random, data: Json, posed: Problem, case: Case) -> None:
        """A genuine certificate, changed again and again, for its problem and for such as are a little different."""
        solutions = _solutions(case)
        if solutions is None:
            return
        least = None if not solutions else case.least if case.objective is not None else 0
        try:
            made = forgery.genuine(rng, posed, least)
        except Exception as error:  # Of a maker, not of a checker
            self.tally.fault(f"maker: {type(error).__name__}", error=repr(error)[:300], problem=data)
            return
        if made is None or made[0] not in self.checkers:
            return
        checker, body = self.checkers[made[0]], made[1]
        self.tally.counts["genuine"] += 1
        self.pool[checker.name].append((data, body))
        for _ in range(15):
            target, changed, truth = posed, data, case
            if rng.random() < 0.5:
                try:
                    changed = edited(rng, data)
                    target = read(changed)
                    truth = case_of(target)
                except KTError:
                    continue
            if checker.refute or target.objective is not None:
                trial = forgery.perturbed(rng, body) if rng.random() < 0.8 else body
                self.call(checker, changed, target, truth, trial, rng, False)

    # -- files -------------------------------------------------------------------------------------------------------

    def as_files(self, rng: Random, data: Json, posed: Problem, case: Case, certificates: list[Json]) -> None:
        """Certificates, results and tours as files, edited."""
        documents: list[Json] = []
        for certificate in certificates:
            documents.append(certificate)
            if type(certificate.get("bound")) is int:
                raised = {**certificate, "bound": certificate["bound"] + 1}
                documents.append(files.resealed(raised))
                solutions = _solutions(case)
                if solutions and certificate["bound"] == case.least:
                    self._must_fail(documents[-1])
        with contextlib.suppress(TooMany):
            documents += [files.result_json(rng, data, case, certificates) for _ in range(2)]
            if case.solutions and case.connectivity in ("cycle", "path"):
                chosen = rng.choice(case.solutions)
                documents.append(
                    {"version": files.FORMAT_VERSION, "kind": "tour", **data, **files.tour_keys(case, chosen)}
                )
                self._tour_text(rng, data, case, chosen)
        for document in documents:
            self._file(document)
            if rng.random() < 0.7:
                self._file(files.resealed(files.edited_file(rng, document)))

    def _must_fail(self, document: Json) -> None:
        try:
            files.check(self.path / "raised.json", document)
        except KTError:
            return
        except Exception:  # Told by `_file`
            return
        self.tally.fault(f"false raised {document['method']}", file=document)

    def _file(self, document: Json) -> None:
        tally = self.tally
        tally.counts["files"] += 1
        kind = f"file {document.get('kind')}"[:20]
        verdict = tally.watch(kind, lambda: files.check(self.path / "file.json", document), file=document)
        if verdict is None:
            return
        tally.counts["files accepted"] += 1
        tally.counts[f"{kind} accepted"] += 1
        try:
            for words in files.falsehoods(verdict, document):
                tally.fault(f"false {kind}: {words[:60]}", words=words, verdict=str(verdict)[:600], file=document)
        except TooMany:
            pass
        except Exception as error:  # The oracle could not read what the toolkit accepted
            tally.fault(f"odd {kind}: {place_of(error)}", error=repr(error)[:300], file=document)

    def _tour_text(self, rng: Random, data: Json, case: Case, chosen: int) -> None:
        from kt_models.files.check import check_file

        path = self.path / "file.tour"
        path.write_text(files.tour_text(case, chosen, data["board"].replace(" ", ""), data.get("leaper", ""), rng))
        self.tally.counts["files"] += 1
        if self.tally.watch("file .tour", lambda: check_file(path), text=path.read_text()) is not None:
            self.tally.counts["files accepted"] += 1

    def name(self, data: Json, posed: Problem, rng: Random) -> None:
        """Texts and digests of statements."""
        with contextlib.suppress(KTError):
            posed = read(edited(rng, data)) if rng.random() < 0.7 else posed
        kinds: list[tuple[Any, ...]] = [("infeasible",), ("count", rng.randint(0, 3))]
        if posed.objective is not None:
            kinds += [("at-least", rng.randint(0, 3)), ("optimum", 2)]
        try:
            wrong = self.names.see(Statement(posed, *rng.choice(kinds)))
        except (KTError, CertificateError):
            return
        self.tally.counts["statements"] += 1
        if wrong:
            self.tally.fault("false name: " + wrong[:40], words=wrong)


def _solutions(case: Case) -> list[int] | None:
    try:
        return case.solutions
    except TooMany:
        return None


@click.command()
@click.option("--problems", default=1_000_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--methods", default="", help="Only these, with commas between.")
@click.option("--files/--no-files", "with_files", default=True)
@click.option("--seconds", default=0.0, help="End after so many; 0 for never.")
def main(problems: int, seed: int, out: Path, methods: str, with_files: bool, seconds: float) -> None:
    """Attack every checker."""
    attack = Attack(seed, methods.split(",") if methods else None, with_files=with_files)
    if out.exists():
        attack.tally = Tally.from_json(json.loads(out.read_text()))
    started = told = time.monotonic()
    try:
        while attack.tally.counts["problems"] < problems and not (seconds and time.monotonic() - started > seconds):
            attack.run(min(problems, attack.tally.counts["problems"] + 200))
            out.write_text(json.dumps(attack.tally.to_json(), indent=1) + "\n")
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(words_of(attack.tally), file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        pass
    print(words_of(attack.tally))
    for kind, count in attack.tally.kinds.most_common():
        print(f"{count:>8,} {kind}")
    sys.exit(1 if attack.tally.faults else 0)


if __name__ == "__main__":
    main()
