"""No field of a file says more than was shown: each field of each kind of file is changed, and the check judges it."""

from __future__ import annotations

import copy
import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from kt_models import Problem, graph_of
from kt_models.errors import CertificateError, InvalidTour, KTError
from kt_models.fields import FIELDS, FOLDER_KINDS
from kt_models.files.check import check_again
from kt_models.kernel.certificates import Verdict
from kt_models.kernel.certificates.certificate import digest
from kt_models.kernel.certificates.methods import theorems
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.task import Task
from tests.command import answered
from tests.effort import THOROUGH, part_of, slow
from tests.run_tools import finished, forge, task

SAMPLES = Path(__file__).parent.parent / "golden" / "samples"
FILES = (
    "tour.json", "result-optimal.json", "result-infeasible.json", "result-graph.json", "result-weights.json",
    "result-numbers.json", "result-torus.json", "result-linkage.json", "result-directed.json", "result-limited.json",
    "certificate-tree-edge.json", "certificate-cut.json", "certificate-theorem.json", "gadget.json", "walk.json",
    "puzzle-numbers.json", "puzzle-waypoints.json", "puzzle-paths.json", "puzzles.json",
    "family-rings.json", "family-strips.json", "family-radial.json",
)  # fmt: skip
"""Files of kt that are checked quickly."""
SLOW_FILES = (
    "front.json", "gadgets.json", "family-turns-all-n.json", "family-strands-squares-places.json",
    "family-octants-crossings.json", "certificate-turned-strip.json", "certificate-frontier.json",
)  # fmt: skip
MADE = {
    "magic": "magic 3x3 --leaper 0,1+1,1+1,2 --open --json",
    "find": "find 6x6 --json",
    "solve": "solve 5x6 --minimize turns --no-best --no-hint --json",
    "open": "solve 3x4 --open --json",
    "longest": "longest 4x4 --json",
    "pareto": "pareto 3x4 --open --json",
    "search": "search heel --minimize turns --json",
    "no gadget": "search heel --minimize turns --at-most 3 --json",
}
"""What commands print, which is checked like the files that they write."""
ROADS = {
    "vertices": 5, "labels": ["a", "b", "c", "d", "e"],
    "edges": [[0, 1], [1, 2], [2, 3], [3, 4], [0, 4], [0, 2], [1, 3]],
    "positions": [[0, 0], [2, 0], [3, 1], [1, 3], [0, 1.5]],
}  # fmt: skip
DISTANCES = "0 2 3 4\n9 0 5 1\n3 5 0 7.5\n4 1 8 0\n"
"""Weights of the arcs of a directed graph."""
OF_FILES = {
    "roads-length": "solve roads.json --minimize length",
    "roads-turns": "solve roads.json --minimize turns --open",
    "roads-angle": "solve roads.json --minimize angle",
    "roads-sum": "solve roads.json --minimize turns+2*crossings",
    "roads-most": "solve roads.json --maximize length:manhattan",
    "roads-front": "pareto roads.json --minimize turns,crossings",
    "roads-longest": "longest roads.json --open",
    "points": "solve points.txt --form points --edges nearest:3 --precision 0.01 --minimize length",
    "matrix": "solve matrix.txt --form matrix --minimize weight",
    "exact-edges": "solve list.edges --minimize weight",
    "in-order": "solve 5x6 --in-order a1,c4,e2",
    "in-order-open": "solve 5x5 --open --in-order a1,c3,e5",
    "waypoints": "solve 4x5 --open --waypoints stops.txt --leaper 0,1",
    "triples": "solve 6x6 --forbid-triples celtic",
    "classes": "solve torus:4x4 --leaper 0,1 --minimize turns",
}
"""What commands print about files: positions, exact weights, points, and stops in order."""
FOLDERS = {
    "proof-lrat": ("manifest.json", "result.json"),
    "proof-numbering": ("manifest.json",),
    "proof-pb": ("model.json", "result.json"),
    "run": ("problem.json",),
}
FOLDER_NOTES = {"solver", "command"}
"""Keys of the files in a folder that claim nothing."""

Document = dict[str, Any]
Path_ = tuple[str | int, ...]


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Paths to all parts of a JSON value; of a long list, to a few entries."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        few = range(len(value)) if len(value) < 5 else (0, len(value) // 2, len(value) - 1)
        for index in few:
            yield from places(value[index], (*path, index))


def changed(value: Any) -> list[Any]:
    """Other values of the same type, and of other types."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, 0, -1, 10**9, float(value), str(value)]
    if isinstance(value, float):
        return [value + 1]
    if isinstance(value, str):
        return [f"{value}x", "anything", "optimal", "feasible", ""]
    if isinstance(value, list):
        return [[], ["anything"], value + value[:1], value[:-1]]
    return [{}, {**value, "anything": 1}] if isinstance(value, dict) else [0, "anything"]


def part(data: Any, path: Path_) -> Any:
    for step in path:
        data = data[step]
    return data


def replaced(data: Document, path: Path_, value: Any) -> Document:
    data = copy.deepcopy(data)
    part(data, path[:-1])[path[-1]] = value
    return sealed(data) if path != ("sha256",) else data


def sealed(value: Any) -> Any:
    """The same with the digests that belong to certificates: a forger computes them."""
    if isinstance(value, list):
        return [sealed(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    value = {key: sealed(entry) for key, entry in value.items()}
    if value.get("kind") == "certificate" and "sha256" in value:
        value["sha256"] = digest({key: entry for key, entry in value.items() if key != "sha256"})
    return value


def judged(subject: Any) -> tuple[str, Verdict | None]:
    try:
        verdict = check_again(subject)
    except (InvalidTour, CertificateError):
        return "WRONG", None
    except KTError:
        return "unreadable", None
    return "not shown" if verdict.stated or not verdict.shown else "ok", verdict


def changes(data: Document, number: int) -> Iterator[tuple[Path_, Any]]:
    """A number of changes, first one of each key, then any."""
    rng = random.Random(1)
    every = [(path, value) for path in places(data) for value in changed(part(data, path))]
    every = [(path, value) for path, value in every if json.dumps(value) != json.dumps(part(data, path))]
    rng.shuffle(every)
    first = list({path[0]: (path, value) for path, value in every}.values())
    yield from first
    yield from every[: max(0, number - len(first))]


def another_number(value: Any, before: Any) -> bool:
    """Whether a value is a number or a boolean, which has no second form, and not the one before."""
    return isinstance(value, bool | int | float) and bool(value != before)


def fault(kind: str, path: Path_, other: bool, before: Verdict, after: Verdict) -> str:
    """Why a changed file may not be ok; empty if it may."""
    fields, texts = FIELDS[kind], ([claim.text for claim in verdict.shown] for verdict in (before, after))
    key, same = path[0], len({*map(tuple, texts)}) == 1
    if key in fields.notes:
        return "" if same else "a note changed the claim"
    if key in fields.proof or "certificate" in path:
        return "" if same else "a proof of something else was accepted"
    if key in (*fields.question, *fields.claimed):
        # What is printed speaks of the changed question, unless it is the same question in other words
        ignored = before.shown != after.shown or (len(path) == 1 and other)
        return "it was not compared" if same and ignored else ""
    return "it was not compared"


@cache
def sample(name: str) -> Document:
    data: Document
    if name in OF_FILES:
        with TemporaryDirectory() as folder:
            for file, content in (
                ("roads.json", json.dumps(ROADS)),
                ("points.txt", "0 0\n1 0\n2 1\n0 2\n2.25 2\n1 3\n"),
                ("matrix.txt", DISTANCES),
                ("list.edges", "a b 1.5\nb c 2\nc d 0.25\nd a 1\na c 3\n"),
                ("stops.txt", "1 . . .\n. . . .\n. 2 . .\n. . . .\n. . . 3\n"),
            ):
                (Path(folder) / file).write_text(content)
            words = [
                str(Path(folder) / word) if "." in word and (Path(folder) / word).exists() else word
                for word in OF_FILES[name].split()
            ]
            status, text, complaint = answered(*words, "--json")
        assert status in (0, 3), complaint
        data = {"version": 2, **json.loads(text)}
    elif name in MADE:
        status, text, complaint = answered(*MADE[name].split())
        assert status in (0, 3), complaint
        data = {"version": 2, **json.loads(text)}
    else:
        data = json.loads((SAMPLES / name).read_text())
    return data


def require_honest_fields(name: str, number: int) -> None:
    data = sample(name)
    word, before = judged(data)
    assert before is not None, name
    for path, value in changes(data, number):
        changed_word, after = judged(replaced(data, path, value))
        if changed_word == "ok" and after is not None:
            assert word == "ok", (name, path, value)
            assert not (why := fault(data["kind"], path, another_number(value, part(data, path)), before, after)), (
                name,
                path,
                value,
                why,
            )


@pytest.mark.parametrize("name", [*FILES, *MADE, *OF_FILES, *slow(SLOW_FILES)])
def test_a_changed_field_is_noticed(name: str) -> None:
    require_honest_fields(name, part_of(120) if name not in SLOW_FILES else 40)


ADDED_KEYS = ("start", "end", "closed", "at_most", "moves", "numbered", "anything")
"""Keys of some kinds of files, and one of none."""
ADDED_VALUES = (0, False, "", {}, 1, "anything", [0])
"""Values that say something, also those that Python takes for nothing."""


def objects(data: Any) -> Iterator[Path_]:
    """Paths to the objects that are read as a question, of each list the first one."""
    yield from ((), *(path for path in places(data) if isinstance(part(data, path), dict) and not unread(data, path)))


def unread(data: Document, path: Path_) -> bool:
    """Whether a place belongs to notes, or to what only proves."""
    fields = FIELDS[data["kind"]]
    return (path[0] != "certificate" and path[0] in (*fields.notes, *fields.proof)) or "data" in path


def additions(data: Document, number: int) -> Iterator[tuple[Path_, str, Any]]:
    rows = [
        (path, key, value)
        for path in objects(data)
        for key in ADDED_KEYS
        for value in ADDED_VALUES
        if key not in (part(data, path) if path else data)
    ]
    random.Random(2).shuffle(rows)
    yield from rows[:number]


def with_key(data: Document, path: Path_, key: str, value: Any) -> Document:
    data = copy.deepcopy(data)
    part(data, path)[key] = value
    return sealed(data)


@pytest.mark.parametrize("name", [*FILES, *MADE, *OF_FILES, *slow(SLOW_FILES)])
def test_an_added_key_is_read_or_noticed(name: str) -> None:
    data = sample(name)
    _, before = judged(data)
    assert before is not None
    for path, key, value in additions(data, part_of(36) if name not in SLOW_FILES else 20):
        word, after = judged(with_key(data, path, key, value))
        assert word != "ok" or (after is not None and after.shown != before.shown), (name, path, key, value)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_key_that_is_added_in_a_folder_is_read_or_noticed(folder: str, tmp_path: Path) -> None:
    honest = SAMPLES / folder if folder != "run" else finished(tmp_path / "run", task("5x6"), 5)
    _, before = judged(str(honest))
    assert before is not None
    for name in FOLDERS[folder]:
        if not (honest / name).exists():
            continue
        data = json.loads((honest / name).read_text())
        assert data["kind"] in ("result", *FOLDER_KINDS)
        for number, (path, key, value) in enumerate(additions(data, part_of(40))):
            place = tmp_path / f"{name}-{number}"
            shutil.copytree(honest, place)
            text = json.dumps(with_key(data, path, key, value))
            (place / name).write_text(text)
            if folder == "run":
                forge(f"UPDATE about SET value = '{sha256(text.encode()).hexdigest()}'")(place)
            word, after = judged(str(place))
            shutil.rmtree(place)
            claims = None if after is None else {claim.text for claim in after.shown}
            assert word in ("WRONG", "unreadable") or claims != {claim.text for claim in before.shown}, (
                name,
                path,
                key,
            )


def test_moves_stand_beside_a_tour() -> None:
    """The vectors of the steps tell nothing without the steps, and are as many as they."""
    absent = {**sample("result-infeasible.json"), "moves": [[0, 1]]}
    assert judged(absent)[0] == "WRONG"
    assert judged({**sample("result-torus.json"), "moves": []})[0] == "unreadable"


def test_every_kind_that_is_checked_has_a_row_and_a_sample() -> None:
    kinds = {sample(name)["kind"] for name in (*FILES, *SLOW_FILES)}
    families = {kind for theorem in theorems().values() for kind in theorem.files}
    assert families < set(FIELDS)
    assert set(FIELDS) - families - kinds == {"run-summary", *FOLDER_KINDS}


def test_a_key_has_one_meaning() -> None:
    for fields in FIELDS.values():
        assert len(fields.keys) == len(set(fields.keys))


@pytest.mark.parametrize("kind", FIELDS)
def test_keys_that_a_kind_cannot_show_are_refused(kind: str) -> None:
    found = next((name for name in (*FILES, *SLOW_FILES) if sample(name)["kind"] == kind), None)
    if found is None:
        return
    added = (("bound", 10**6), ("proved", True), ("claims", ["anything"]), ("note", "optimal"))
    for key, value in added if found in FILES or THOROUGH else added[:1]:
        if key not in (data := sample(found)):
            assert judged(sealed({**data, key: value}))[0] in ("WRONG", "unreadable", "not shown")


RUNS: dict[str, Callable[[], Task]] = {
    "list": lambda: task("3x4", "path"),
    "classes": lambda: task("3x4", "path", up_to_symmetry=True),
    "count": lambda: task("3x4", "path", counting=True),
    "values": lambda: task("3x4", "path", "turns", counting=True, by_value=True),
    "bound": lambda: BoundTask(Problem(graph_of("3x4"), "path", "turns"), 10),
}
RUN_NOTES = {("record", column) for column in ("id", "engine", "reason", "seconds", "at", "parts")}
"""Columns of a ledger that claim nothing of a cube that is done."""


def other_cells(value: Any) -> list[Any]:
    """Other values for a cell of a ledger."""
    if isinstance(value, bytes):
        return [value[4:], value[:-4] + value[:4], b""]
    if isinstance(value, str):
        return ["", "7", f"{value}1", "[]", '[[10, "9"]]', "split", "failed", value[:-1]]
    return [value + 1, 0, -1]


def literal(value: Any) -> str:
    """A value in SQL."""
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


@pytest.mark.parametrize("kind", RUNS)
def test_a_changed_cell_of_a_ledger_is_noticed(kind: str, tmp_path: Path) -> None:
    honest = finished(tmp_path / "run", RUNS[kind](), 4)
    word, before = judged(str(honest))
    assert before is not None and word == ("ok" if kind == "bound" else "not shown")
    database = sqlite3.connect(honest / "ledger.sqlite")
    cells: list[tuple[str, str, Any, str]] = []
    for table in ("about", "cube", "record", "solution", "place"):
        rows = database.execute(f"SELECT * FROM {table} LIMIT 3")
        columns = [column[0] for column in rows.description]
        for row in rows:
            same = " AND ".join(f"{column} IS {literal(value)}" for column, value in zip(columns, row, strict=True))
            cells += [
                (table, column, other, f"UPDATE {table} SET {column} = {literal(other)} WHERE {same}")
                for column, value in zip(columns, row, strict=True)
                for other in other_cells(value)
                if other != value
            ]
    database.close()
    random.Random(3).shuffle(cells)
    for place, (table, column, other, statement) in enumerate(cells[: part_of(120)]):
        folder = tmp_path / str(place)
        shutil.copytree(honest, folder)
        with suppress(sqlite3.IntegrityError):
            forge(statement)(folder)
        _, after = judged(str(folder))
        shutil.rmtree(folder)
        if after is None or (table, column) in RUN_NOTES:
            continue
        # What a count says of itself is never shown; of a list and a bound less is left
        less = column == "state" or kind in ("count", "values")
        assert {claim.text for claim in after.shown} <= {claim.text for claim in before.shown}
        assert less or after == before, (table, column, other)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_changed_field_of_a_folder_is_noticed(folder: str, tmp_path: Path) -> None:
    honest = SAMPLES / folder if folder != "run" else finished(tmp_path / "run", task("5x6"), 5)
    word, before = judged(str(honest))
    assert before is not None
    texts = {claim.text for claim in before.shown}
    for name in FOLDERS[folder]:
        if not (honest / name).exists():
            continue
        data = json.loads((honest / name).read_text())
        for number, (path, value) in enumerate(changes(data, part_of(60))):
            place = tmp_path / f"{name}-{number}"
            shutil.copytree(honest, place)
            (place / name).write_text(json.dumps(replaced(data, path, value)))
            changed_word, after = judged(str(place))
            shutil.rmtree(place)
            if changed_word != "ok" or after is None:
                continue
            assert word == "ok"
            notes = FOLDER_NOTES | {*(FIELDS["result"].notes if name == "result.json" else ())}
            assert path[0] in notes or {claim.text for claim in after.shown} != texts or after.shown == before.shown
            assert path[0] in {*notes, "task", "problem", "cuts", "flow", "only"} | {
                *FIELDS["result"].question, *FIELDS["result"].proof
            }, (name, path, value)  # fmt: skip
