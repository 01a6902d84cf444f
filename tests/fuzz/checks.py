"""The fuzzers themselves; each stops at the first fault, shrunk to its least form."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fuzz.corpus import corpus
from tests.fuzz.inputs import command_lines, damaged_files
from tests.fuzz.watch import Tally, report, watched


def _settings(inputs: int, seeded: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        derandomize=seeded,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def readers(folder: Path, inputs: int, *, seeded: bool = False) -> Tally:
    """Damaged files, each through one of the commands that read it."""
    good = corpus(folder)
    tally = Tally()
    ways = {
        ".json": [
            ["check"],
            ["check"],
            ["measure"],
            ["convert", "{}", "out.tour"],
            ["solve", "8x8", "--hint", "{}", "--time-limit", "0.2"],
        ],
        ".tour": [["check", "--board", "6x6"], ["check"], ["measure", "--board", "6x6"]],
        **{
            ending: [["convert", "{}", "out.json"], ["solve", "{}", "--time-limit", "0.2", "--workers", "1"]]
            for ending in (".hcp", ".col", ".g6", ".gml", ".graphml", ".dot", ".net", ".mtx", ".graph", ".lst")
        },
        ".txt": [["solve", "@{}", "--time-limit", "0.2", "--workers", "1"], ["find", "@{}", "--time-limit", "0.2"]],
    }

    @_settings(inputs, seeded)
    @given(st.data())
    def each(data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(good)))
        suffix = Path(name).suffix
        path = f"damaged{suffix}"
        Path(path).write_bytes(data.draw(damaged_files(good[name])))
        way = data.draw(st.sampled_from(ways[suffix]))
        line = [word.replace("{}", path) for word in way]
        watched(line if any(path in word for word in line) else [*line, path], tally)
        report(tally)

    with _inside(folder):
        each()
    return tally


def commands(folder: Path, inputs: int, *, seeded: bool = False) -> Tally:
    """Command lines of every command."""
    good = corpus(folder)
    tally = Tally()

    @_settings(inputs, seeded)
    @given(command_lines(sorted(good)))
    def each(line: list[str]) -> None:
        watched(line, tally)
        report(tally, 1000)

    with _inside(folder):
        each()
    return tally
