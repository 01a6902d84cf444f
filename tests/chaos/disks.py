"""Disks that take no more: one clear line, nothing half written, nothing lost that was there before.

Where mounting is not allowed, a limit on the size of files stands in for a full disk.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.chaos.program import Ending, answer, ended, lasting, whole_files

WRITERS = [
    ["solve", "6x6", "-o", "{}/out.json"],
    ["solve", "6x6", "-o", "{}/out.tour"],
    ["solve", "6x6", "--minimize", "turns", "--no-best", "--log", "{}/log.jsonl"],
    ["solve", "6x6", "--minimize", "turns", "--no-best", "--proof", "{}/proof"],
    ["find", "60x60", "-o", "{}/out.json"],
    ["improve", "tour.json", "--minimize", "turns", "--time-limit", "3", "-o", "{}/out.json"],
    ["bound", "20x20", "--minimize", "turns", "--method", "relaxation", "--certificate", "{}/out.json"],
    ["bound", "10x10", "--minimize", "turns", "--at-least", "60", "--state", "{}/state.json"],
    ["bound", "6x6", "--minimize", "turns", "--proof", "{}/proof"],
    ["bound", "6x6", "--at-least", "32", "--cubes", "12", "--run", "{}/run"],
    ["enumerate", "6x6", "-o", "{}/out.jsonl"],
    ["enumerate", "6x6", "--run", "{}/run"],
    ["enumerate", "6x8", "--count", "--folder", "{}/states"],
    ["search", "heel", "--minimize", "turns", "-o", "{}/heel.json"],
    ["search", "heel", "--minimize", "turns", "--all", "--cubes", "8", "--run", "{}/run"],
    ["longest", "5x5", "--open", "-o", "{}/out.json"],
    ["magic", "8x8", "--open", "--time-limit", "3", "-o", "{}/out.json"],
    ["puzzle", "5x5", "--open", "--leaper", "king", "-o", "{}/out.json"],
    ["puzzle", "5x5", "--kind", "paths", "-o", "{}/out.pdf"],
    ["best", "8x8", "-o", "{}/out.json"],
    ["pareto", "5x6", "-o", "{}/out.json"],
    ["pareto", "5x6", "-o", "{}/out.svg"],
    ["pareto", "5x6", "--run", "{}/run"],
    ["pareto", "5x5", "--open", "--proof", "{}/proof"],
    ["table", "5x6", "--seconds", "3", "--csv", "{}/out.csv", "-o", "{}/out.svg"],
    ["table", "5x6", "--seconds", "3", "--run", "{}/run"],
    ["aztec", "1..6", "--ledger", "{}/ledger.json"],
    ["aztec", "1..6", "--tours", "{}/tours"],
    ["experiment", "random-graphs", "--graphs", "3", "--table", "1", "--rows", "3", "--state", "{}/state.json"],
    ["draw", "8x8", "-o", "{}/out.svg"],
    ["draw", "8x8", "-o", "{}/out.png"],
    ["draw", "8x8", "-o", "{}/out.html"],
    ["convert", "8x8", "{}/out.cnf"],
    ["convert", "8x8", "{}/out.hcp"],
]
"""A command line or more for each command that writes; `{}` is the folder."""
DISKS = {
    "read-only": "ro",
    "4 kB": "size=4k,nr_inodes=4",
    "few inodes": "size=8m,nr_inodes=3",
    "24 kB": "size=24k,nr_inodes=40",
    "64 kB": "size=64k,nr_inodes=40",
    "200 kB": "size=200k,nr_inodes=40",
}
"""Options of a file system in memory."""
BYTES = [0, 500, 5_000, 50_000, 500_000]
"""Limits on the size of a file; standard error is one, so it takes no line or a whole one."""
KEPT = '{"version": 2, "kind": "graph", "vertices": 4, "edges": [[0, 1], [1, 2], [2, 3], [3, 0]]}\n'
"""What was there before, for a command that would replace it."""


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A file system of its own in memory, with these mount options; needs root.

    Raises
    ------
    PermissionError
        Where mounting is not allowed.
    """
    folder.mkdir(exist_ok=True)
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "kt-chaos", str(folder)], capture_output=True, text=True
    )
    if made.returncode:
        raise PermissionError(made.stderr.strip())
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def remounted(folder: Path, options: str) -> None:
    """Give a file system other options: room, say."""
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


def words_for(line: list[str], folder: Path) -> list[str]:
    """The words of one of `WRITERS` that writes into this folder; what it reads is written beside the folder."""
    if "tour.json" in line:
        from kt import find

        find("12x12", method="warnsdorff").save(folder.parent / "tour.json")
    return [word.replace("{}", str(folder)).replace("tour.json", str(folder.parent / "tour.json")) for word in line]


def written_to(folder: Path, line: list[str], before: str = "", variables: dict[str, str] | None = None) -> str:
    """Run a command that writes into a folder that takes no more, and judge how it ended.

    Returns
    -------
    str
        `refused` or, where everything found room, `fitted`.
    """
    # Python leaves half a file of bytecode where the size of files is limited, and every later process stumbles over it
    quiet = {"PYTHONDONTWRITEBYTECODE": "1", **(variables or {})}
    ending = ended(words_for(line, folder), folder.parent, before=before, variables=quiet)
    ending.foreseen(0, 2, 3)
    whole_files(folder)
    left_over(folder, ending)
    return "refused" if ending.status == 2 else "fitted"


def left_over(folder: Path, ending: Ending) -> None:
    """Require that no temporary file was left."""
    left = [path.name for path in folder.rglob(".*") if path.is_file()]
    ending.require(not left, f"left behind: {left}")


def little_room(choose: Random, work: Path) -> str:
    """A command writes to a disk of some kind."""
    line, kind = choose.choice(WRITERS), choose.choice(list(DISKS))
    with mounted(work / "disk", DISKS[kind]) as place:
        outcome = written_to(place, line)
        assert kind != "read-only" or outcome == "refused", f"{' '.join(line)}: where did it write?"
        return outcome


def short_files(choose: Random, work: Path) -> str:
    """A command may write no long files; Python ignores the signal that comes with it."""
    (work / "disk").mkdir()
    most = choose.choice(BYTES)
    before = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
    cache = {"NUMBA_CACHE_DIR": str(work / "cache")} if choose.random() < 0.1 else None
    return written_to(work / "disk", choose.choice(WRITERS), before, cache)


def no_temporary_files(choose: Random, work: Path) -> str:
    """There is room for the files of a command, but not in the folder of temporary files."""
    (work / "out").mkdir()
    with mounted(work / "disk", choose.choice(["ro", "size=4k,nr_inodes=2"])) as place:
        outcome = written_to(work / "out", choose.choice(WRITERS), variables={"TMPDIR": str(place)})
    return f"no temporary files: {outcome}"


def replaced_or_kept(choose: Random, work: Path) -> str:
    """What stood in the place of an output file is there afterwards, unless the whole new file is."""
    with mounted(work / "disk", DISKS["24 kB"]) as place:
        line = choose.choice([["find", "100x100"], ["find", "60x60"], ["solve", "6x6"], ["find", "20x20"]])
        (place / "out.json").write_text(KEPT)
        ending = ended([*line, "-o", place / "out.json", "--force"], work)
        ending.foreseen(0, 2)
        kept = (place / "out.json").read_text() == KEPT
        ending.require(kept == (ending.status == 2), "what was there before is lost")
        whole_files(place)
        left_over(place, ending)
    return "kept" if kept else "replaced"


RUN = ("enumerate", "6x6", "--by", "turns", "--value", "34", "--cubes", "30", "--run", "run", "--json")


def run_with_room_later(choose: Random, work: Path) -> str:
    """The disk of a run fills up; with more room the run goes on, and nothing is missing."""
    with mounted(work / "disk", f"size={choose.randint(30, 500)}k,nr_inodes=40") as place:
        first = ended(RUN, place)
        first.foreseen(0, 2)
        if first.status == 0:
            return "fitted"
        remounted(place, "size=8m,nr_inodes=400")
        begun = (place / "run" / "problem.json").exists() and (place / "run" / "ledger.sqlite").exists()
        then = ended(("enumerate", "--run", "run", "--resume", "--json") if begun else RUN, place)
        then.foreseen(0)
        assert lasting(then.document)["count"] == answer(RUN)["count"], then
    return "resumed with more room"


def cache_without_room(choose: Random, work: Path) -> str:
    """Machine code cannot be kept: one warning, and the answer."""
    with mounted(work / "disk", choose.choice(["ro", "size=4k,nr_inodes=4", "size=40k"])) as place:
        ending = ended(["find", "60x60", "--method", "warnsdorff"], work, variables={"NUMBA_CACHE_DIR": str(place)})
    ending.foreseen(0)
    ending.require("tour verified" in ending.out, "no answer")
    ending.require(ending.err.count("\n") == 1 and ending.err.startswith("kt: warning: "), "not one warning")
    return "compiled without a cache"


MOUNTED = [little_room] * 5 + [replaced_or_kept, run_with_room_later, no_temporary_files, cache_without_room]


def can_mount(work: Path) -> bool:
    """Whether mounting is allowed."""
    try:
        with mounted(work / "probe", "size=4k"):
            return True
    except (PermissionError, FileNotFoundError):
        return False


def trial(choose: Random, work: Path) -> str:
    """One of the above."""
    kind = choose.choice([short_files, *MOUNTED])
    return (kind if kind is short_files or can_mount(work) else short_files)(choose, work)
