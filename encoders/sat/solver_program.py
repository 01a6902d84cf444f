"""SAT solvers that are programs: any program that reads DIMACS CNF, and prints its answer or writes it to a file.

A command line is data that runs, so a `SolverProgram` is made only from the command line and in Python: names in files,
of the explorer and in run folders are texts, and those stand for the solvers of PySAT alone.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from encoders.sat.oracle import Count, Oracle, shuffle
from kt_models.errors import KTError, excerpt

CNF, RESULT, PROOF = "{cnf}", "{result}", "{proof}"
"""The words of a command line that stand for its files."""
KNOWN_FILES = {"minisat": (CNF, RESULT)}
"""The files that a program takes by its name, if the command line names none; all others take the formula alone."""
POLL_SECONDS = 0.01
SATISFIABLE, UNSATISFIABLE = 10, 20
"""The exit statuses of the SAT competitions."""
VERDICTS = {"SATISFIABLE": True, "SAT": True, "UNSATISFIABLE": False, "UNSAT": False}


@dataclass(frozen=True)
class SolverProgram:
    """A program that reads a formula.

    Parameters
    ----------
    words
        Its command line: the program, and its options. `{cnf}` stands for the formula, `{result}` for a file in which
        it writes its answer as MiniSat does, `{proof}` for its proof. Without `{cnf}` the formula comes last.

    Raises
    ------
    KTError
        If there is no such program.
    """

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.words or not all(isinstance(word, str) for word in self.words):
            raise KTError("a solver's command line is a list of words: the program, and its options")
        if shutil.which(self.words[0]) is None:
            raise KTError(f"solver {excerpt(self.words[0])}: there is no such program, or it may not be run")

    @property
    def name(self) -> str:
        """The name for `Result.engine`."""
        return f"program {Path(self.words[0]).name}"

    @property
    def proves(self) -> bool:
        """Whether it is told where to write a proof."""
        return any(PROOF in word for word in self.words)

    def command(self, folder: Path) -> list[str]:
        """Its command line for a formula in a folder."""
        words = list(self.words)
        if not any(CNF in word for word in words):
            words += KNOWN_FILES.get(Path(words[0]).name, (CNF,))
        files = {CNF: str(folder / "formula.cnf"), RESULT: str(folder / "result"), PROOF: str(folder / "proof")}
        for place, file in files.items():
            words = [word.replace(place, file) for word in words]
        return words


def solver_of_text(text: str) -> str | SolverProgram:
    """The solver that a command line names: a program if there is a path or `{cnf}` in it, otherwise one of PySAT's."""
    if os.sep not in text and CNF not in text:
        return text
    try:
        return SolverProgram(tuple(shlex.split(text)))
    except ValueError as error:
        raise KTError(f"solver {excerpt(text)}: {str(error).lower()}") from None


def program_of(solver: object) -> SolverProgram:
    """The program that a path or a list of words names in Python."""
    if isinstance(solver, os.PathLike):
        return SolverProgram((os.fspath(solver),))
    if not isinstance(solver, Sequence):
        raise KTError(f"solver must be a name, a path or a list of words, got {type(solver).__name__}")
    return SolverProgram(tuple(solver))


class ProgramOracle(Oracle):
    """A program that answers a growing formula, from the beginning each time.

    Attributes
    ----------
    folder
        The files of its last answer: `formula.cnf`, and `proof` if it was told to write one.
    """

    def __init__(
        self,
        program: SolverProgram,
        clauses: Iterable[Sequence[int]],
        seed: int = 0,
        check: Callable[[], None] = lambda: None,
        count: Count = lambda counts: None,
    ) -> None:
        self.program = program
        self._check, self._count = check, count
        self._scratch = tempfile.TemporaryDirectory(prefix="kt-solver-")
        self.folder = Path(self._scratch.name)
        self._clauses: list[list[int]] = []
        self._model: list[int] = []
        self.add(shuffle(clauses, np.random.default_rng(seed)) if seed else clauses)

    def close(self) -> None:
        """Remove its files."""
        self._scratch.cleanup()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        for number, clause in enumerate(clauses):
            self._clauses.append([int(literal) for literal in clause])
            if number % 100_000 == 0:
                self._check()

    def phases(self, literals: Sequence[int]) -> None:
        """Do nothing: a formula in a file has no preferences."""

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Decide whether the clauses and the assumptions are satisfiable.

        Raises
        ------
        KTError
            If the program cannot be run, fails, gives up, or has a model that is none.
        """
        clauses = [*self._clauses, *([literal] for literal in assumptions)]
        for old in ("result", "proof"):
            (self.folder / old).unlink(missing_ok=True)
        top = max((abs(literal) for clause in clauses for literal in clause), default=0)
        with open(self.folder / "formula.cnf", "w", encoding="ascii") as out:
            out.write(f"p cnf {top} {len(clauses)}\n")
            out.writelines(" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
        with open(self.folder / "output", "w+b") as output, open(self.folder / "errors", "w+b") as errors:
            status = run_program(self.program.command(self.folder), output, errors, self._check)
            output.seek(0)
            errors.seek(0)
            answer, self._model = self._answer(status, output, errors)
        self._count({"searches": 1})
        if answer:
            true = set(self._model)
            wrong = next((clause for clause in clauses if true.isdisjoint(clause)), None)
            if wrong is not None:
                raise self._fault(f"its model breaks the clause {excerpt(' '.join(map(str, wrong)))}")
        return answer

    def solve_within(self, conflicts: int) -> tuple[bool | None, int]:
        """Decide it, however many conflicts that takes: a program has no budget."""
        return self.solve(), 0

    def model(self) -> list[int]:
        """The true literals of the last answer."""
        return self._model

    def _answer(self, status: int, output: IO[bytes], errors: IO[bytes]) -> tuple[bool, list[int]]:
        """The verdict and the model in what the program printed, or wrote to its result file."""
        verdicts: list[bool] = []
        model: list[int] = []
        listed = False
        printed = list(output)
        result = self.folder / "result"
        with open(result, "rb") if result.is_file() else open(os.devnull, "rb") as written:
            for line in (*printed, *written):
                head, *rest = line.decode("ascii", "replace").split() or [""]
                if head == "s":
                    head, *rest = rest or [""]
                    if head == "UNKNOWN":
                        raise self._fault("it gave up (s UNKNOWN)")
                if head in VERDICTS and not rest:
                    verdicts.append(VERDICTS[head])
                elif head in ("v", "V") or (written.name == str(result) and head.lstrip("-").isdigit()):
                    listed = True
                    model += self._literals(rest if head in ("v", "V") else [head, *rest])
        verdicts += [status == SATISFIABLE] if status in (SATISFIABLE, UNSATISFIABLE) else []
        if not verdicts:
            *_, last = [line.strip() for line in (*printed, *errors)] or [b""]
            ended = f"exit status {status}" if status >= 0 else f"signal {-status}"
            words = last.decode("utf-8", "replace") or "it printed nothing"
            raise self._fault(f"no line 's SATISFIABLE' or 's UNSATISFIABLE' ({ended}): {words[:200]}")
        if len(set(verdicts)) > 1:
            raise self._fault("it says both that there is a model and that there is none")
        if verdicts[0] and not listed:
            raise self._fault(
                f"it prints no lines 'v 1 -2'; if it writes its model to a file, name that: '{self.program.words[0]} "
                f"{CNF} {RESULT}'"
            )
        return verdicts[0], model

    def _literals(self, words: Sequence[str]) -> list[int]:
        try:
            return [literal for literal in map(int, words) if literal]
        except ValueError:
            raise self._fault(f"{excerpt(' '.join(words))} in its model is not a list of literals") from None

    def _fault(self, words: str) -> KTError:
        return KTError(f"solver {self.program.words[0]}: {words}")


def run_program(words: Sequence[str], output: IO[bytes], errors: IO[bytes], check: Callable[[], None]) -> int:
    """Run a program to its end, and return its status; kill it, and all that it started, if `check` raises.

    Raises
    ------
    KTError
        If it cannot be started.
    """
    try:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True)
    except OSError as error:
        raise KTError(f"solver {words[0]}: it cannot be started: {error.strerror}") from None
    with _watched(child.pid):
        try:
            pause = POLL_SECONDS / 10
            while (status := child.poll()) is None:
                check()
                time.sleep(pause)
                pause = min(POLL_SECONDS, 1.5 * pause)
            return status
        finally:
            if child.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, 9)
                child.wait()


@contextmanager
def _watched(group: int) -> Iterator[None]:
    """Have a shell kill a process group if this process ends within, as SIGKILL lets it do nothing itself.

    The shell waits for a line from a pipe that only this process holds, and the system closes it in any case.
    """
    words = ("/bin/sh", "-c", f"read -r line || kill -9 -{group}")
    pipe, silence = subprocess.PIPE, subprocess.DEVNULL
    try:
        watcher = subprocess.Popen(words, stdin=pipe, stdout=silence, stderr=silence, start_new_session=True)
    except OSError:  # No shell, or no more processes: without one all other ends are still heeded
        yield
        return
    try:
        yield
    finally:
        with suppress(BrokenPipeError):
            watcher.communicate(b"done\n")


def open_oracle(
    solver: str | SolverProgram,
    clauses: Iterable[Sequence[int]],
    seed: int = 0,
    check: Callable[[], None] = lambda: None,
    count: Count = lambda counts: None,
) -> Oracle:
    """A solver of PySAT by its name, or a program."""
    if isinstance(solver, SolverProgram):
        return ProgramOracle(solver, clauses, seed, check, count)
    return Oracle(solver, clauses, seed, check, count)
