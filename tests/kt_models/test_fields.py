"""No field of a file says more than was shown: each field of each kind of file is changed, and the check judges it."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kt_models.errors import CertificateError, InvalidTour, KTError
from kt_models.fields import FIELDS
from kt_models.files.check import check_again
from kt_models.kernel.certificates import Verdict
from kt_models.kernel.certificates.certificate import digest
from kt_models.kernel.certificates.methods import theorems
from tests.command import answered
from tests.effort import part_of, slow
from tests.run_tools import finished, task

SAMPLES = Path(__file__).parent.parent / "golden" / "samples"
FILES = (
    "tour.json", "result-optimal.json", "result-infeasible.json", "result-graph.json", "result-weights.json",
    "result-numbers.json", "result-torus.json", "result-linkage.json", "result-directed.json", "result-limited.json",
    "certificate-tree-edge.json", "certificate-cut.json", "certificate-theorem.json", "gadget.json", "walk.json",
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
}
"""What commands print, which is checked like the files that they write."""
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
    """So many changes, first one of each key, then any."""
    rng = random.Random(1)
    every = [(path, value) for path in places(data) for value in changed(part(data, path))]
    every = [(path, value) for path, value in every if json.dumps(value) != json.dumps(part(data, path))]
    rng.shuffle(every)
    first = list({path[0]: (path, value) for path, value in every}.values())
    yield from first
    yield from every[: max(0, number - len(first))]


def fault(kind: str, path: Path_, before: Verdict, after: Verdict) -> str:
    """Why a changed file may not be ok; empty if it may."""
    fields, texts = FIELDS[kind], ([said.text for said in verdict.shown] for verdict in (before, after))
    key, same = path[0], len({*map(tuple, texts)}) == 1
    if key in fields.notes:
        return "" if same else "a note changed the claim"
    if key in fields.proof or "certificate" in path:
        return "" if same else "a proof of something else was accepted"
    if key in (*fields.given, *fields.claimed):
        # what is printed speaks of the changed question, unless it is the same question
        return "" if not same or before.shown == after.shown else "the words leave something out"
    return "it was not compared"


@cache
def sample(name: str) -> Document:
    data: Document
    if name in MADE:
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
            assert not (why := fault(data["kind"], path, before, after)), (name, path, value, why)


@pytest.mark.parametrize("name", [*FILES, *MADE, *slow(SLOW_FILES)])
def test_a_changed_field_is_noticed(name: str) -> None:
    require_honest_fields(name, part_of(240) if name not in SLOW_FILES else 40)


def test_every_kind_that_is_checked_has_a_row_and_a_sample() -> None:
    kinds = {sample(name)["kind"] for name in (*FILES, *SLOW_FILES)}
    families = {kind for theorem in theorems().values() for kind in theorem.files}
    assert families < set(FIELDS)
    assert set(FIELDS) - families - kinds == {"run-summary"}


def test_a_key_has_one_meaning() -> None:
    for fields in FIELDS.values():
        assert len(fields.keys) == len(set(fields.keys))


@pytest.mark.parametrize("kind", FIELDS)
def test_what_a_kind_cannot_show_is_refused(kind: str) -> None:
    found = next((sample(name) for name in (*FILES, *SLOW_FILES) if sample(name)["kind"] == kind), None)
    for key, value in (("proved", True), ("claims", ["anything"]), ("note", "optimal"), ("bound", 10**6)):
        if found is not None and key not in found:
            assert judged(sealed({**found, key: value}))[0] in ("WRONG", "unreadable", "not shown")


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_changed_field_of_a_folder_is_noticed(folder: str, tmp_path: Path) -> None:
    honest = SAMPLES / folder if folder != "run" else finished(tmp_path / "run", task("5x6"), 5)
    word, before = judged(str(honest))
    assert before is not None
    texts = {said.text for said in before.shown}
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
            assert path[0] in notes or {said.text for said in after.shown} != texts or after.shown == before.shown
            assert path[0] in {*notes, "task", "problem", "cuts", "flow", "only"} | {
                *FIELDS["result"].given, *FIELDS["result"].proof
            }, (name, path, value)  # fmt: skip
