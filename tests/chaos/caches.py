"""Files of machine code that are damaged, before and while commands run, and several processes with one cache.

Whatever is in the cache, commands answer as always, and say nothing, or where the cache cannot be used one warning;
what was damaged is replaced.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

from kt_models.code_cache import SUFFIX, cache_folder, read_checked, write_checked
from tests.chaos.program import Ending, Program, ended, lasting

LINES = [
    ("find", "60x60", "--method", "warnsdorff", "--json"),
    ("enumerate", "6x6", "--count", "--by", "turns", "--json"),
    ("find", "20x20", "--method", "random-walk", "--seed", "1", "--workers", "1", "--json"),
]
"""Commands with the same answer each time that use compiled loops."""
OTHER_NUMBA = "import numba; numba.__version__ = '0.1.2'"


# -- damage ------------------------------------------------------------------------------------------------------------


def emptied(path: Path, choose: Random) -> None:
    path.write_bytes(b"")


def cut(path: Path, choose: Random) -> None:
    path.write_bytes(path.read_bytes()[: choose.randrange(path.stat().st_size or 1)])


def flipped(path: Path, choose: Random) -> None:
    data = bytearray(path.read_bytes() or b"\0")
    data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
    path.write_bytes(data)


def zeroed(path: Path, choose: Random) -> None:
    """As a power cut leaves a file of which only the length was written."""
    path.write_bytes(bytes(path.stat().st_size))


def foreign(path: Path, choose: Random) -> None:
    """Right by its digest, and yet not what this numba wrote."""
    write_checked(path, choose.randbytes(500))


def swapped(path: Path, choose: Random) -> None:
    """The code of another loop."""
    others = [other for other in path.parent.glob(f"*{SUFFIX}") if other != path and other.is_file()]
    if others:
        data = choose.choice(others).read_bytes()
        path.write_bytes(data[: len(data) - 1])


def as_folder(path: Path, choose: Random) -> None:
    path.unlink()
    path.mkdir()


def as_loop(path: Path, choose: Random) -> None:
    """A link that leads to itself."""
    path.unlink()
    path.symlink_to(path.name)


def removed(path: Path, choose: Random) -> None:
    path.unlink()


DAMAGE: dict[str, Callable[[Path, Random], None]] = {
    kind.__name__.removeprefix("as_"): kind
    for kind in (emptied, cut, flipped, zeroed, foreign, swapped, removed, as_folder, as_loop)
}
UNUSABLE = ("folder", "loop")
"""Damage that may leave nothing to be replaced."""


def damage(folder: Path, kind: str, choose: Random, share: float = 0.5) -> int:
    """Damage some of the files of a cache; how many."""
    paths = [path for path in sorted(folder.glob(f"*{SUFFIX}")) if path.is_file() and choose.random() < share]
    for path in paths:
        with suppress(FileNotFoundError):  # A command has just replaced it
            DAMAGE[kind](path, choose)
    return len(paths)


# -- commands ----------------------------------------------------------------------------------------------------------


@cache
def usual(words: tuple[str, ...]) -> object:
    """What a command answers; its loops are in the user's cache then."""
    with tempfile.TemporaryDirectory() as folder:
        (work := Path(folder) / "work").mkdir()
        ending = ended(words, work)
    ending.foreseen(0)
    return lasting(ending.document)


def copy_of_cache(place: Path, lines: Sequence[tuple[str, ...]] = LINES) -> Path:
    """A copy of the user's cache that may be damaged, with the loops of some commands in it."""
    for words in lines:
        usual(words)
    place.mkdir()
    for path in cache_folder().glob(f"*{SUFFIX}"):
        shutil.copy(path, place)
    return place


def right(ending: Ending, words: tuple[str, ...], warned: bool) -> None:
    """Require the usual answer, and no word, or one warning."""
    ending.foreseen(0)
    ending.require(lasting(ending.document) == usual(words), "another answer")
    quiet = not ending.err or (warned and ending.err.count("\n") == 1 and ending.err.startswith("kt: warning: "))
    ending.require(quiet, "more than a warning" if warned else "a word about the cache")


def begun(words: tuple[str, ...], work: Path, place: Path, before: str = "") -> Program:
    return Program(words, work, variables={"NUMBA_CACHE_DIR": str(place)}, before=before)


def damaged_before(choose: Random, work: Path, place: Path, words: tuple[str, ...], kind: str) -> str:
    """A command finds a damaged cache, and the next one what it made of it."""
    damage(place, kind, choose)
    for _ in range(2):
        right(ended(words, work, variables={"NUMBA_CACHE_DIR": str(place)}), words, kind in UNUSABLE)
    return f"{kind} before"


def damaged_meanwhile(choose: Random, work: Path, place: Path, words: tuple[str, ...], kind: str) -> str:
    """Files are damaged again and again while two commands run."""
    lines = [words, choose.choice(LINES)]
    programs = [begun(line, work, place) for line in lines]
    try:
        while not all(made.over for made in programs):
            damage(place, kind, choose, 0.2)
            programs[0].pause(choose.uniform(0, 0.2))
        for made, line in zip(programs, lines, strict=True):
            right(made.wait(), line, True)
    finally:
        for made in programs:
            made.end()
    return f"{kind} meanwhile"


def together(choose: Random, work: Path, place: Path, words: tuple[str, ...], kind: str) -> str:
    """Several processes find an empty cache at once, and one of them is killed."""
    shutil.rmtree(place)
    programs = [begun(words, work, place) for _ in range(3)]
    try:
        if programs[0].pause(choose.uniform(0, 4)):
            os.kill(programs[0].process.pid, 9)
        for made in programs[1:]:
            right(made.wait(), words, False)
    finally:
        for made in programs:
            made.end()
    assert all(read_checked(path) is not None for path in place.glob(f"*{SUFFIX}")), "a damaged file is left"
    return "several at once, one killed"


def other_numba(choose: Random, work: Path, place: Path, words: tuple[str, ...], kind: str) -> str:
    """Another version of numba works with the same folder: neither touches the other's files."""
    before = {path.name: path.read_bytes() for path in place.glob(f"*{SUFFIX}")}
    variables = {"NUMBA_CACHE_DIR": str(place)}
    right(ended(words, work, variables=variables, before=OTHER_NUMBA), words, False)
    theirs = [path for path in place.glob(f"*{SUFFIX}") if path.name not in before]
    assert theirs and all((place / name).read_bytes() == content for name, content in before.items())
    right(ended(words, work, variables=variables), words, False)
    return "another numba's"


def trial(choose: Random, work: Path) -> str:
    """A random fault of the cache."""
    (folder := work / "work").mkdir()
    place = copy_of_cache(work / "cache")
    kind = choose.choice(list(DAMAGE))
    damage = choose.choice([damaged_before] * 4 + [damaged_meanwhile] * 3 + [together, other_numba])
    return damage(choose, folder, place, choose.choice(LINES), kind)
