"""Parts of a run: each in a folder of its own, for jobs that share only a file system, and the run that they make.

A part has all cubes of the run, and works on those that fall to it. So no two processes write into one ledger, which
SQLite allows on one machine only, and the parts may lie anywhere. To merge them is to record in one ledger what each
has done; the audit then trusts neither the parts nor the merging.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from kt_models.errors import KTError
from kt_models.runs.folder import DONE, PROOFS, SPLIT, is_run, locked, proof_path, sync
from kt_models.runs.ledger import PART_FOLDER, Ledger, create
from kt_models.writing import writing

MAX_PARTS = 100_000


class RunPart(NamedTuple):
    """A part of a run: its number, from 1, and the number of all parts."""

    number: int
    parts: int

    @classmethod
    def parse(cls, text: str) -> RunPart:
        """The part that `3/20` names."""
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
        part = cls(int(match[1]), int(match[2])) if match else cls(0, 0)
        if not 1 <= part.number <= part.parts <= MAX_PARTS:
            raise KTError(f"part {text}: write 3/20 for the third of 20 parts")
        return part

    @classmethod
    def of_folder(cls, folder: str | os.PathLike[str]) -> RunPart | None:
        """The part whose folder this is, by its name."""
        match = PART_FOLDER.fullmatch(Path(folder).name)
        return cls(int(match[1]), int(match[2])) if match else None

    def folder(self, run: str | os.PathLike[str]) -> str:
        """The folder of the part in that of the run."""
        return str(Path(run) / f"part-{self.number}-of-{self.parts}")

    def cubes(self, ledger: Ledger) -> set[str]:
        """Names of the cubes that fall to the part, those cut from them included."""
        first = sorted(ledger.first_cubes())
        share = set(first[self.number - 1 :: self.parts])
        for record in ledger.records(SPLIT):  # A cube is cut before its parts are.
            if record.cube in share:
                share.update(record.parts)
        return share


def parts_in(folder: str | os.PathLike[str]) -> list[str]:
    """The folders of parts in that of a run, in the order of their numbers."""
    path = Path(folder)
    entries = [entry for entry in path.iterdir() if is_run(entry)] if path.is_dir() else []
    parts = [(part, str(entry)) for entry in entries if (part := RunPart.of_folder(entry)) is not None]
    return [entry for _, entry in sorted(parts)]


def merge(folder: str | os.PathLike[str], parts: Sequence[str | os.PathLike[str]] = ()) -> None:
    """Record in one run what its parts have done.

    Parameters
    ----------
    folder
        The run; it is made if there is none, from the first part.
    parts
        Folders of parts or whole runs, of the same task and cubes, or folders with parts in them. The parts in `folder`
        are always merged.

    Raises
    ------
    KTError
        If there are no parts, they are of different tasks or cubes, or a file cannot be read or written.
    """
    sources: list[str | os.PathLike[str]] = [*parts_in(folder)]
    for named in parts:
        inside = [] if is_run(named) else parts_in(named)
        sources += inside or [named]
    if not sources:
        raise KTError(f"{folder}: there are no parts in it; name their folders")
    with locked(folder):
        if not is_run(folder):
            with Ledger.read(sources[0]) as ledger:
                create(folder, ledger.task, list(ledger.cubes_at_the_start()), _files(sources[0]))
        with Ledger(folder, writable=True) as whole:
            for source in sources:
                with Ledger.read(source) as part:
                    _take(whole, part)


def _files(part: str | os.PathLike[str]) -> dict[str, str]:
    """The further files of a run: the formula of its proofs, and what its clauses mean."""
    from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST

    names = [name for name in (FORMULA, MANIFEST) if (Path(part) / name).is_file()]
    return {name: (Path(part) / name).read_text(encoding="utf-8") for name in names}


def _take(whole: Ledger, part: Ledger) -> None:
    """Record what a part has done and the whole has not."""
    if part.task.to_json() != whole.task.to_json():
        raise KTError(f"{part.folder}: it is about another task than {whole.folder}: {part.task.text}")
    if sorted(part.first_cubes()) != sorted(whole.first_cubes()):
        raise KTError(f"{part.folder}: it begins with other cubes than {whole.folder}; give all parts the same --cubes")
    settled = {record.cube for state in (DONE, SPLIT) for record in whole.records(state)}
    for record in part.records():
        if record.state in (DONE, SPLIT) and record.cube not in settled:
            if record.proof:
                _copy_proof(part.folder, whole.folder, record.proof)
            whole.record(replace(record, solutions=tuple(part.solutions_in(record.cube))))
            settled.add(record.cube)


def _copy_proof(source: Path, target: Path, digest: str) -> None:
    """Copy the proof of a cube; its name is its digest, which the audit compares."""
    with writing(target):
        (target / PROOFS).mkdir(exist_ok=True)
        if not proof_path(target, digest).exists():
            shutil.copyfile(proof_path(source, digest), proof_path(target, digest))
    sync(target / PROOFS)
