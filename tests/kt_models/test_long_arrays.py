"""Long arrays of JSON, read by blocks: what is read is what `json` reads, and what it refuses is refused."""

from __future__ import annotations

import json
import random
import resource
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kt_models import KTError, graph_of, read_tour
from kt_models.files.check import check_file
from kt_models.long_arrays import json_pieces, read_tour_json, with_lists
from kt_models.storage import read_json
from kt_models.tour import tour_document, tour_to_json
from tests.processes import KT, environment

BLOCK = 200
"""Bytes of a block here, so that small files have many."""


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kt_models.long_arrays.MAX_PLAIN_TEXT", BLOCK)
    monkeypatch.setattr("kt_models.long_arrays.ROWS_AT_ONCE", 7)


def outcome(read: Any, path: Path) -> tuple[str, Any]:
    """What a reader makes of a file: its value, as lists, or its complaint."""
    try:
        data = read(path)
    except KTError as error:
        return "refused", str(error)
    return "read", with_lists(data) if isinstance(data, dict) else data


def tour_text(kind: str = "tour", indent: int | None = None, board: str = "8x8") -> str:
    from heuristics.find import find
    from kt_models import Problem

    result = find(Problem(graph_of(board)))
    assert result.tour is not None
    return json.dumps(tour_to_json(result.tour) if kind == "tour" else result.to_json(), indent=indent)


@pytest.mark.parametrize("kind", ["tour", "result"])
@pytest.mark.parametrize("indent", [None, 0, 3])
@pytest.mark.parametrize("board", ["8x8", "torus:6x6", "3x4x2"])
def test_a_tour_is_read_as_an_array(kind: str, indent: int | None, board: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(tour_text(kind, indent, board))
    data = read_tour_json(path)
    assert isinstance(data["tour"], np.ndarray) and with_lists(data) == read_json(path)
    assert isinstance(data.get("moves", np.zeros(0)), np.ndarray)
    assert check_file(path).shown and read_tour(path).closed


def test_text_in_pieces_is_what_json_writes() -> None:
    tour = read_tour_of(tour_text())
    document = tour_document(tour) | {"name": 'é "\n', "empty": np.zeros((0, 2), dtype=int), "none": None}
    pieces = list(json_pieces(document))
    assert "".join(pieces) == json.dumps(with_lists(document)) and len(pieces) > 2
    assert "".join(json_pieces({})) == "{}"


def read_tour_of(text: str) -> Any:
    from kt_models.tour import tour_from_json

    return tour_from_json(json.loads(text))


ROWS = ", ".join(["[1, 2]"] * 60)
HOSTILE = [
    '{{"kind": "tour", "tour": [{rows}]}}',
    '{{"kind": "other", "tour": [{rows}]}}',
    '{{"kind": "tour", "tour": [{rows}], "tour": [{rows}]}}',
    '{{"kind": "tour", "tour": 1, "tour": [{rows}]}}',
    '{{"kind": "tour", "deep": {{"tour": [{rows}]}}}}',
    '{{"kind": "tour", "deep": {{"tour": [{rows}]}}, "tour": [[1, 2]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1, 2.0]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1, true]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1, null]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1, NaN]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1, 02]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1, +2]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1, 2],]}}',
    '{{"kind": "tour", "tour": [{rows},, [1, 2]]}}',
    '{{"kind": "tour", "tour": [{rows} [1, 2]]}}',
    '{{"kind": "tour", "tour": [{rows}, [1, 99999999999999999999]]}}',
    '{{"kind": "tour", "tour": [{rows}, [[1, 2]]]}}',
    '{{"kind": "tour", "tour": [{rows}, []]}}',
    '{{"kind": "tour", "tour": [{rows}, 7]}}',
    '{{"kind": "tour", "tour": [{rows}, "], [1, 2"]}}',
    '{{"kind": "tour", "tour": [{rows}], "moves": [{rows}, [1, 2]]}}',
    '{{"kind": "tour", "tour": [{rows}], "moves": [{rows}, [1]]}}',
    '{{"kind": "tour", "text": "\\"tour\\": [[1, 2]]", "tour": [{rows}]}}',
    '{{"kind": "tour", "text": "\\ud800", "tour": [{rows}]}}',
    '[{{"kind": "tour", "tour": [{rows}]}}]',
    '{{"kind": "tour", "tour": [{rows}]}} x',
    '{{"kind": "tour", "tour": [{rows}',
    '{{"kind": "tour", "tour": [{rows}]',
]


@pytest.mark.parametrize("form", HOSTILE)
def test_hostile_files_are_read_as_json_reads_them(form: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(form.format(rows=ROWS), encoding="utf-8")
    assert outcome(read_tour_json, path) == outcome(read_json, path)


PIECES = (b"[", b"]", b",", b" ", b"1", b"-", b".", b'"', b"e", b"], [", b"\n", b"\xff", b"]]")


def test_damaged_files_are_read_as_json_reads_them(tmp_path: Path) -> None:
    """Bytes changed, removed, inserted, doubled, at random: the same value or the same complaint."""
    chance, path, text = random.Random(48), tmp_path / "t.json", tour_text("result").encode()
    begin, end, kinds, arrays = text.index(b'"tour"'), text.index(b"]]") + 3, set(), 0
    for _ in range(1500):
        damaged = bytearray(text)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            place = chance.randrange(begin, end) if chance.random() < 0.9 else chance.randrange(len(text))
            piece = chance.choice(
                (b"[", b"]", b",", b" ", b"1", b"-", b".", b'"', b"e", b"], [", b"\n", b"\xff", b"]]")
            )
            damaged[place : place + chance.choice((0, 1, 1, 3))] = piece if chance.random() < 0.8 else b""
        path.write_bytes(bytes(damaged))
        read = outcome(read_tour_json, path)
        assert read == outcome(read_json, path), bytes(damaged)
        kinds.add(read[0])
        if read[0] == "read" and isinstance(read_tour_json(path).get("tour"), np.ndarray):
            arrays += 1
    assert kinds == {"read", "refused"} and arrays > 50


# -- memory ------------------------------------------------------------------------------------------------------------

LEAST, SIDE, MAX_BYTES = 60, 1000, 100
"""Side of the board whose command shows what the interpreter and its libraries take, side of the measured board, and
the bytes for each of its cells that the project promises (docs/use/limits.md)."""


def peak(*words: object) -> int:
    """Most bytes that a `kt` command held, measured by itself."""
    import subprocess

    code = "import atexit, resource; atexit.register(lambda: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))"
    line = [KT[0], "-c", f"{code}; from cli import run; run()", *map(str, words)]
    done = subprocess.run(line, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1]) * 1024


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems count the peak in other units")
@pytest.mark.parametrize("ending", ["json"])
def test_a_large_tour_takes_few_bytes_a_cell(ending: str, tmp_path: Path) -> None:
    """Found and written, and checked."""
    soft = resource.getrlimit(resource.RLIMIT_DATA)[0]
    assert soft == resource.RLIM_INFINITY or soft > 2**30
    small, large = tmp_path / f"small.{ending}", tmp_path / f"large.{ending}"
    for before, after in (
        (("find", f"{LEAST}x{LEAST}", "-o", small), ("find", f"{SIDE}x{SIDE}", "-o", large)),
        (("check", small), ("check", large)),
    ):
        assert peak(*after) - peak(*before) < MAX_BYTES * SIDE**2, after
