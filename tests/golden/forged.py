"""Wrong files, made from good ones by a program, and what `kt check` says of each."""

from __future__ import annotations

import copy
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from cli.main import main
from tests.golden.normalise import text
from tests.golden.transcript import in_folder

Data = dict[str, Any]

NEVER_RIGHT = ("version", "kind", "exchange", "shorten", "twice", "outside", "measures", "claim", "least", "infeasible",
               "no-problem", "digest", "words", "path")  # fmt: skip
"""Forgeries after which no file is right; after the others a file may say something else that is true."""
SAYS_LESS = "run-tours-lost-cube"
"""A run that lost a cube without tours is one that is not done, and what it still says is true."""
SHOWN = 100
"""Characters of a verdict that are recorded."""


LONG = ("family-strands", "family-octants", "family-formation", "family-crossings",
        "certificate-belt", "certificate-family", "certificate-bands")  # fmt: skip
"""Files whose check takes long even if they are wrong."""
NO_CLAIMS = ("graph", "state", "random-graphs", "tour-of")
"""Files that claim nothing, or what another one does."""


def verdicts(long: bool, _: str = "") -> str:
    """A line for each forged file: its name, the exit status of `kt check`, and the beginning of what is said."""
    lines = []
    with in_folder():
        for name in _forged_files(Path("samples"), Path("forged"), long):
            answer = CliRunner().invoke(main, ["check", f"forged/{name}"], prog_name="kt")
            words = text(answer.output, tours=True).replace(f"forged/{name}", "FILE").split("\n")[0]
            lines.append(
                f"{name}  {answer.exit_code}  {words.removeprefix('kt: ').removeprefix('FILE: ')[:SHOWN]}".rstrip()
            )
    return "\n".join(lines) + "\n"


def _forged_files(samples: Path, folder: Path, long: bool) -> Iterator[str]:
    """Write the forged files one by one."""
    folder.mkdir()
    shutil.copy(samples / "turns-5x6.jsonl", folder)  # The list of the summary
    for path in sorted(samples.glob("*.json")):
        if path.name.startswith(LONG) != long or path.name.startswith(NO_CLAIMS):
            continue
        data = json.loads(path.read_text())
        for name, forge in FORGERIES.items():
            forged = copy.deepcopy(data)
            forge(forged)
            if forged != data:
                if name != "digest":
                    _seal(forged)
                file = f"{path.stem}-{name}.json"
                (folder / file).write_text(json.dumps(forged))
                yield file
    if not long:
        yield from _forged_texts(samples, folder)
        yield from _forged_folders(samples, folder)


def _seal(data: Data) -> None:
    """Make the digests of certificates right again, as whoever forges a file would."""
    if "certificate" in data and isinstance(data["certificate"], dict):
        _seal(data["certificate"])
    if "sha256" in data and data.get("kind") == "certificate":
        rest = {key: value for key, value in data.items() if key != "sha256"}
        data["sha256"] = hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _version(data: Data) -> None:
    data["version"] = 3


def _kind(data: Data) -> None:
    data["kind"] = "nothing"


def _exchange(data: Data) -> None:
    """Two cells of the tour or the walk change places."""
    cells = data.get("tour") or data.get("walk") or []
    if len(cells) > 4:
        cells[1], cells[4] = cells[4], cells[1]


def _shorten(data: Data) -> None:
    """A cell is left out."""
    (data.get("tour") or data.get("walk") or [None]).pop()


def _twice(data: Data) -> None:
    """A cell is visited twice, in the place of another."""
    cells = data.get("tour") or data.get("walk")
    if cells:
        cells[2] = cells[0]


def _outside(data: Data) -> None:
    """A cell is outside the board."""
    cells = data.get("tour") or data.get("walk")
    if cells:
        cells[0] = [99 for _ in cells[0]]


def _closed(data: Data) -> None:
    if "closed" in data:
        data["closed"] = not data["closed"]


def _measures(data: Data) -> None:
    """A turn fewer than there are."""
    if "turns" in data:
        data["turns"] -= 1


def _claim(data: Data) -> None:
    """The claim is one better than what is shown."""
    target = data.get("certificate", data)
    if "bound" in target:
        upper = data.get("kind") == "longest-walk" or target.get("problem", {}).get("sense") == "maximize"
        target["bound"] += -1 if upper else 1
        if target is not data and "bound" in data:
            data["bound"] += 1
    for claim in data.get("claims", []):
        for bound in claim["bounds"] if isinstance(claim, dict) else []:
            bound["constant"][0] += bound["constant"][1] * (1 if bound["relation"] == "at-least" else -1)


def _least(data: Data) -> None:
    """A claim about all sizes begins with smaller ones."""
    for claim in data.get("claims", []):
        if isinstance(claim, dict) and claim["boards"].get("modulus", 1) < claim["boards"]["least"]:
            claim["boards"]["least"] = 1


def _board(data: Data) -> None:
    """Claim that the file is about another board."""
    for holder in (data, data.get("problem", {}), data.get("certificate", {}).get("problem", {})):
        if "board" in holder and "edges" not in holder:
            holder["board"] = "3x6"


def _leaper(data: Data) -> None:
    for holder in (data, data.get("problem", {}), data.get("certificate", {}).get("problem", {})):
        if "leaper" in holder:
            holder["leaper"] = "1,4"


def _objective(data: Data) -> None:
    """Crossings in the place of turns, and the other way round."""
    for holder in (data, data.get("problem", {}), data.get("certificate", {}).get("problem", {})):
        if holder.get("objective") in ("turns", "crossings"):
            holder["objective"] = "crossings" if holder["objective"] == "turns" else "turns"


def _infeasible(data: Data) -> None:
    """A bound becomes a proof that there is no tour."""
    target = data.get("certificate", data)
    if target.get("kind") == "certificate" and target.pop("bound", None) is not None:
        target["status"] = "infeasible"


def _method(data: Data) -> None:
    target = data.get("certificate", data)
    if "method" in target:
        target["method"] = "cut" if target["method"] != "cut" else "forced"


def _number(data: Data) -> None:
    """The first number of the certificate's data is one more."""
    target = data.get("certificate", data)
    if "data" in target:
        _raise_first(target["data"])


def _last_number(data: Data) -> None:
    """The last number of the certificate's data is one more."""
    target = data.get("certificate", data)
    if "data" in target:
        _raise_first(target["data"], last=True)


def _raise_first(value: Any, last: bool = False) -> bool:
    keys = sorted(value) if isinstance(value, dict) else [*range(len(value))] if isinstance(value, list) else []
    for key in reversed(keys) if last else keys:
        inner = value[key]
        if isinstance(inner, int) and not isinstance(inner, bool):
            value[key] = inner + 1
            return True
        if _raise_first(inner, last):
            return True
    return False


def _no_data(data: Data) -> None:
    target = data.get("certificate", data)
    if "data" in target:
        target["data"] = {}


def _no_problem(data: Data) -> None:
    (data.get("certificate") or data).pop("problem", None)


def _digest(data: Data) -> None:
    target = data.get("certificate") or data
    if "sha256" in target:
        target["sha256"] = "0" * 64


def _words(data: Data) -> None:
    """The claim in words says something else than the numbers."""
    if "claims" in data and data.get("kind") == "result":
        data["claims"] = ["there is no tour"]


def _path(data: Data) -> None:
    """The first path of a gadget loses a cell."""
    gadgets = data.get("gadgets", [data]) if data.get("kind") in ("gadget", "gadgets") else []
    for gadget in gadgets[:1]:
        gadget["paths"][0]["cells"].pop(1)


FORGERIES: dict[str, Callable[[Data], object]] = {
    "version": _version, "kind": _kind, "exchange": _exchange, "shorten": _shorten, "twice": _twice,
    "outside": _outside, "closed": _closed, "measures": _measures, "claim": _claim, "least": _least, "board": _board,
    "leaper": _leaper, "objective": _objective, "infeasible": _infeasible, "method": _method, "number": _number,
    "last-number": _last_number, "no-data": _no_data, "no-problem": _no_problem, "digest": _digest,
    "words": _words, "path": _path,
}  # fmt: skip
"""What is done to a file of JSON, by the name that its forged copy gets."""


def _forged_texts(samples: Path, folder: Path) -> Iterator[str]:
    """Tours in TSPLIB's form and lists, line by line."""
    lines = (samples / "tour.tour").read_text().splitlines()
    start = lines.index("TOUR_SECTION") + 1
    exchanged = [*lines[:start], lines[start + 3], *lines[start + 1 : start + 3], lines[start], *lines[start + 4 :]]
    listed = (samples / "list.jsonl").read_text().splitlines()
    forged = {
        "tour-exchange.tour": exchanged,
        "tour-shorten.tour": [*lines[:start], *lines[start + 1 :]],
        "tour-dimension.tour": [line.replace("36", "35") for line in lines],
        "tour-board.tour": [line.replace("board=6x6", "board=4x9") for line in lines],
        "list-twice.jsonl": [*listed, listed[0]],
        "list-other-board.jsonl": [*listed[:-1], listed[-1].replace('"3x4"', '"4x3"')],
        "list-cut-off.jsonl": [*listed[:-1], listed[-1][:-9]],
    }
    for name, changed in forged.items():
        (folder / name).write_text("\n".join(changed) + "\n")
        yield name


def _forged_folders(samples: Path, folder: Path) -> Iterator[str]:
    """Proof folders and runs, a file of each changed."""

    def copy_of(name: str, change: str) -> Path:
        return Path(shutil.copytree(samples / name, folder / f"{name}-{change}"))

    for name, file in (("proof-lrat", "formula.cnf"), ("proof-lrat", "proof.lrat"), ("proof-pb", "formula.opb"),
                       ("proof-pb", "proof.pbp"), ("proof-pb-flow", "formula.opb")):  # fmt: skip
        forged = copy_of(name, f"without-a-line-of-{file}")
        lines = (forged / file).read_text().splitlines()
        (forged / file).write_text("\n".join([*lines[: len(lines) // 2], *lines[len(lines) // 2 + 1 :]]) + "\n")
        yield forged.name
    for name, file in (("proof-lrat", "manifest.json"), ("proof-pb", "model.json")):
        forged = copy_of(name, f"other-board-in-{file}")
        (forged / file).write_text((forged / file).read_text().replace('"3x8"', '"3x10"').replace('"3x4"', '"4x3"'))
        yield forged.name
    forged = copy_of("proof-pb", "claim")
    (forged / "model.json").write_text((forged / "model.json").read_text().replace('"bound": 10', '"bound": 11'))
    yield forged.name
    for name, change, statement in (
        ("run-tours", "count", "UPDATE record SET count = '7' WHERE id = 1"),
        ("run-tours", "lost-cube", "DELETE FROM record WHERE id = 1"),
        ("run-tours", "lost-tour", "DELETE FROM solution"),
        ("run-lrat", "lost-cube", "DELETE FROM record WHERE id = 1"),
        ("run-lrat", "other-proof", "UPDATE record SET proof = 'x' WHERE id = 1"),
        ("run-lrat", "no-proof", "UPDATE record SET proof = '' WHERE id = 1"),
        ("run-gadgets", "lost-gadget", "DELETE FROM solution"),
    ):
        forged = copy_of(name, change)
        with closing(sqlite3.connect(forged / "ledger.sqlite")) as ledger:
            triggers = ledger.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for trigger, _ in triggers:
                ledger.execute(f"DROP TRIGGER {trigger}")
            ledger.execute(statement)
            for _, script in triggers:
                ledger.execute(script)
            ledger.commit()
        yield forged.name
    forged = copy_of("run-lrat", "lost-proof")
    next(iter(sorted((forged / "proofs").iterdir()))).unlink()
    yield forged.name
    forged = copy_of("run-tours", "other-task")
    (forged / "problem.json").write_text((forged / "problem.json").read_text().replace('"value": 28', '"value": 27'))
    yield forged.name
