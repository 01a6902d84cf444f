"""Mutations of run folders, and what may be said of a mutated one: code that shares nothing with the audit.

python -m tests.run_mutations --count 10000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from encoders.gadgets import Wanted, frames, search
from kt_models import KTError, MoveGraph, Problem, graph_of
from kt_models.kernel.certificates import Statement, Verdict
from kt_models.runs.audit import audit
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.folder import DONE, SPLIT, CubeRecord, locked
from kt_models.runs.gadget_task import GadgetTask
from kt_models.runs.kinds import task_of_json
from kt_models.runs.ledger import Ledger
from kt_models.runs.task import Solutions, Task
from tests import brute
from tests.processes import PATIENCE
from tests.run_tools import finished, task

HEEL = frames.formation(*frames.parse_formation(frames.HEEL)).frame


def bound(board: str, metric: str | None, at_least: int | None, proving: bool) -> BoundTask:
    return BoundTask(Problem(graph_of(board), objective=metric), at_least, proving)


TASKS: dict[str, Callable[[], Task]] = {
    "list": lambda: task("5x6"),
    "classes": lambda: task("5x6", up_to_symmetry=True),
    "value": lambda: task("5x6", "cycle", "turns", value=28),
    "open": lambda: task("3x4", "path"),
    "count": lambda: task("5x6", counting=True),
    "by value": lambda: task("5x6", "cycle", "turns", counting=True, by_value=True),
    "proofs": lambda: bound("5x6", "crossings", 49, True),
    "certificates": lambda: bound("5x6", "turns", 28, True),
    "none": lambda: bound("4x6", None, None, True),
    "word": lambda: bound("5x6", "turns", 28, False),
    "gadgets": lambda: GadgetTask(HEEL, Wanted(through=True), "turns", 22),
}


def honest(folder: Path) -> dict[str, Path]:
    """A finished run of each kind; of one, a cube was split; of another, one is open."""
    folders = {name: finished(folder / name, make(), 5) for name, make in TASKS.items()}
    halves = finished(folder / "halves", task("5x6"), 4)
    folders["unfinished"] = shutil.copytree(halves, folder / "unfinished")
    with sqlite3.connect(folder / "unfinished" / "ledger.sqlite") as database:
        attack(database, lambda: database.execute("DELETE FROM record WHERE count = '0'"))
        attack(database, lambda: database.execute("DELETE FROM record WHERE id = (SELECT MAX(id) FROM record)"))
        attack(database, lambda: database.execute("DELETE FROM place WHERE cube NOT IN (SELECT cube FROM record)"))
        attack(database, lambda: database.execute("DELETE FROM solution WHERE key NOT IN (SELECT key FROM place)"))
    folders["split"] = _split(folder / "split", halves)
    return folders


def _split(folder: Path, whole: Path) -> Path:
    """A run that began with one cube, which was split into those of another run."""
    from encoders.enumeration.run import begin

    begin(folder, task("5x6"), 1)
    with Ledger.read(whole) as ledger:
        records, solutions = list(ledger.records()), {s.key: s for s in ledger.solutions()}
    places = sqlite3.connect(whole / "ledger.sqlite").execute("SELECT cube, key FROM place").fetchall()
    with locked(folder), Ledger(folder, writable=True) as ledger:
        ledger.record(CubeRecord(".", SPLIT, parts=tuple(record.cube for record in records)))
        for record in records:
            mine = tuple(solutions[key] for cube, key in places if cube == record.cube)
            ledger.record(CubeRecord(record.cube, DONE, len(mine), mine))
    return folder


# -- the truth ---------------------------------------------------------------------------------------------------------


@cache
def _tours(graph: MoveGraph, closed: bool, metric: str) -> list[tuple[frozenset[int], int]]:
    """The moves and the turns or crossings of every tour."""
    orders = brute.cycles(graph) if closed else brute.paths(graph)
    sets = {brute.edge_set(graph, order, closed): order for order in orders}
    measure = brute.crossings if metric == "crossings" else brute.turns
    return [(edges, measure(graph, order, closed)) for edges, order in sets.items()]


@cache
def _heels() -> list[Any]:
    return list(search(HEEL, wanted=Wanted(through=True)).gadgets)


def values(asked: Task) -> list[int]:
    """The turns or crossings of all that is asked for, or of more."""
    if isinstance(asked, GadgetTask):
        return [heel.turns for heel in _heels() if asked.at_most is None or heel.turns <= asked.at_most]
    problem = asked.problem
    return [
        value
        for edges, value in _tours(problem.graph, problem.closed, str(problem.objective))
        if problem.required <= edges and not problem.forbidden & edges and asked.value in (None, value)
    ]


def refute(folder: Path, verdict: Verdict) -> str:
    """Why a verdict on a folder is false; empty if it is not."""
    asked = task_of_json(json.loads((folder / "problem.json").read_text())["task"])
    if isinstance(asked, GadgetTask) and (asked.frame != HEEL or asked.minimize not in (None, "turns")):
        return ""
    for claim in verdict.shown:
        if isinstance(claim, Solutions):
            if claim.task != asked or claim.complete or claim.count > len(values(asked)):
                return f"shown: {claim.text}"
        elif isinstance(claim, Statement):
            least = min(values(asked), default=None)
            if claim.problem != asked.problem or claim.kind not in ("infeasible", "at-least"):
                return f"shown: {claim.text}"
            if least is not None and (claim.value is None or claim.value > least):
                return f"shown, and {least} is possible: {claim.text}"
        else:
            return f"shown: {claim.text}"
    return "" if "not complete" in verdict.how else _hole(folder, asked)


def _hole(folder: Path, asked: Task) -> str:
    """A set of moves that is in no cube that is done, or in two."""
    database = sqlite3.connect(folder / "ledger.sqlite")
    names = [name for (name,) in database.execute("SELECT name FROM cube NOT INDEXED")]
    split = set()
    for cube, parts in database.execute("SELECT cube, parts FROM record NOT INDEXED WHERE state = 'split'"):
        split.add(cube)
        names += json.loads(parts)
    rows = database.execute("SELECT cube FROM record NOT INDEXED WHERE state = 'done'").fetchall()
    database.close()
    done = Counter(cube for (cube,) in rows)
    leaves = [name for name in names if name not in split]
    rng = random.Random(0)
    sets: list[Any] = [set(rng.sample(range(asked.problem.graph.m), rng.randrange(asked.problem.graph.m)))
                       for _ in range(100)]  # fmt: skip
    if not isinstance(asked, GadgetTask):
        sets += [edges for edges, _ in _tours(asked.problem.graph, asked.problem.closed, "turns")[:50]]
    for edges in sets:
        inside = [name for name in leaves if _inside(name, edges)]
        if len(inside) != 1 or done[inside[0]] != 1:
            return f"complete, and the moves {sorted(edges)} are in {inside}"
    return ""


def _inside(name: str, edges: set[int]) -> bool:
    words = name.replace("+", " +").replace("-", " -").split() if name != "." else []
    return all((int(word[1:]) in edges) == (word[0] == "+") for word in words)


# -- mutations ---------------------------------------------------------------------------------------------------------

LAX = {
    "record": "CREATE TABLE record (id INTEGER PRIMARY KEY, cube, state, count, by_value, digest, parts, proof, "
    "engine, reason, seconds, at)",
    "about": "CREATE TABLE about (name TEXT PRIMARY KEY, value)",
    "solution": "CREATE TABLE solution (key TEXT PRIMARY KEY, edges)",
}
"""The same tables without constraints or affinities."""
WORDS: list[Any] = [
    None, "", " ", "+07", "+7 ", "+７", "+7\n", "+1", "-1", "+0", "-0", ".", "..", "+999", "+1-1", "+1+1",
    "done", "DONE", "Done", "done ", "split", "failed", b"done", 0, 1, -1, 5, 1.5, float("inf"), 10**18,
    "1", "2", "7", "8", "9", "1_000", " 5", "１", "-3", "1e3", "0x10", "00", "9" * 4001, "9" * 9999, b"\xff" * 7, b"",
    "\x00", "a\x00b", "+1\x00", "[]", "[", '["+1"]', '["+1", "-1"]', '["+1", 2]', "[" * 100_000, "{}", "null",
    '[[28, "2"]]', '[[28, "9"], [29, "-1"]]', '[[28, 2]]', '[["28", "2"]]', '[[28, "2"], [28, "2"]]', "0" * 64,
    sha256(b"").hexdigest(), "x" * 2_000_000,
]  # fmt: skip


def attack(database: sqlite3.Connection, change: Callable[[], object], stale: bool = True, lax: bool = False) -> None:
    """Change rows with no trigger, index or constraint in the way, and have the schema read as before.

    With `stale`, indices are as they were before, and so may lie; without, they are made again if that can be. With
    `lax`, the tables are left without constraints.
    """
    every = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master"
    before = database.execute(every).fetchall()
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA writable_schema = ON")
    database.execute("DELETE FROM sqlite_master WHERE type = 'trigger' OR (type = 'index' AND sql IS NOT NULL)")
    for table, text in LAX.items():
        database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, table))
    database.execute("PRAGMA writable_schema = RESET")
    try:
        change()
    finally:
        database.execute("PRAGMA writable_schema = ON")
        for kind, name, table, root, text in before:
            if kind == "table" and not lax:
                database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, name))
            if kind == "trigger" or (kind == "index" and text and stale):
                database.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", (kind, name, table, root, text))
        database.execute("PRAGMA writable_schema = RESET")
        for kind, _, _, _, text in before:
            if kind == "index" and text and not stale:
                database.execute(text)
        database.commit()


def mutate(rng: random.Random, folder: Path) -> str:
    """Change something in a folder; what it was."""
    if rng.random() < 0.12:
        return _mutate_task(rng, folder)
    if rng.random() < 0.15 and (folder / "proofs").is_dir():
        return _mutate_proofs(rng, folder)
    if rng.random() < 0.05:
        path = folder / "ledger.sqlite"
        content = bytearray(path.read_bytes())
        for _ in range(rng.choice((1, 3, 30))):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(bytes(content))
        return "bits"
    database = sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)
    notes: list[str] = []

    def change() -> None:
        for _ in range(rng.choice((1, 1, 2, 3))):
            try:
                notes.append(_change_row(rng, database))
            except sqlite3.Error as error:
                notes.append(str(error))

    try:
        attack(database, change, rng.random() < 0.6, rng.random() < 0.05)
    except sqlite3.Error as error:
        notes.append(str(error))
    database.close()
    return "; ".join(notes)


def _change_row(rng: random.Random, database: sqlite3.Connection) -> str:
    table = rng.choice(("cube", "record", "record", "record", "record", "solution", "place"))
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    rows = database.execute(f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED").fetchall()
    row = list(rng.choice(rows)) if rows else [rng.choice(WORDS) for _ in columns]
    where = " AND ".join(f"{column} IS ?" for column in columns)
    action = rng.choice(("delete", "copy", "update", "update", "fail", "swap"))
    old = tuple(row)
    if action == "delete":
        database.execute(f"DELETE FROM {table} WHERE {where}", old)
        return f"delete {table}"
    if action == "fail" and table == "record":
        row[columns.index("state")], row[0] = rng.choice(("failed", "done", "split", "Done")), None
    number = rng.randrange(len(columns))
    if action == "swap" and rows:
        row[number] = rng.choice(rows)[number]
    elif action != "fail":
        others = [rng.choice(rows)[number]] * 3 if rows else []
        row[number] = rng.choice([*others, *WORDS])
    if action == "copy" and table == "record":
        row[0] = None
    if action in ("copy", "fail"):
        database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    else:
        sets = ", ".join(f"{column} = ?" for column in columns)
        database.execute(f"UPDATE OR REPLACE {table} SET {sets} WHERE {where}", (*row, *old))
    return f"{action} {table}.{columns[number]} {str(row[number])[:30]!r}"


def _mutate_task(rng: random.Random, folder: Path) -> str:
    """Another task, sealed with its digest."""
    path = folder / "problem.json"
    data = json.loads(path.read_text())
    asked = data["task"]
    old = {**asked, "problem": dict(asked.get("problem", {}))}
    key = rng.choice(
        [*asked, "value", "at_least", "at_most", "by_value", "proving", "version", "required", "forbidden"]
    )
    value = rng.choice([None, True, False, 0, 1, 5, 27, 28, 29, 30, 1000, -1, 2**63, "turns", "tours", "bound", [], {}])
    if key == "version":
        data["version"] = value
    elif key in ("required", "forbidden") and "problem" in asked:
        asked["problem"][key] = [rng.randrange(40)]
    elif key != "problem":
        asked[key] = value
        if value is None:
            del asked[key]
    path.write_text(json.dumps(data) + "\n")
    seal(folder)
    return f"task {key} {old.get(key)!r} -> {value!r}"


def seal(folder: Path) -> None:
    """Write the digest of the task into the ledger."""
    digest = sha256((folder / "problem.json").read_bytes()).hexdigest()
    database = sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)
    attack(database, lambda: database.execute("UPDATE about SET value = ? WHERE name = 'task'", (digest,)))
    database.close()


def _mutate_proofs(rng: random.Random, folder: Path) -> str:
    files = sorted((folder / "proofs").glob("*"))
    file, second_file = rng.choice(files), rng.choice(files)
    action = rng.choice(("unlink", "empty", "swap", "bit", "sealed"))
    content = file.read_bytes()
    if action == "unlink":
        file.unlink()
    elif action == "empty":
        file.write_bytes(b"")
    elif action == "swap":
        file.write_bytes(second_file.read_bytes())
    else:
        changed = bytearray(content)
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        file.write_bytes(bytes(changed))
        if action == "sealed":
            digest = sha256(changed).hexdigest()
            file.rename(file.with_name(f"{digest}.gz"))
            database = sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)
            old = file.name.removesuffix(".gz")
            attack(database, lambda: database.execute("UPDATE record SET proof = ? WHERE proof = ?", (digest, old)))
            database.close()
    return f"proofs {action}"


def trial(rng: random.Random, folders: dict[str, Path], scratch: Path) -> tuple[str, str]:
    """Mutate one of the runs and audit it: `refused`, `same` or `other`, and what is wrong with that, if anything."""
    name = rng.choice(sorted(folders))
    folder = scratch / "run"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(folders[name], folder)
    note = mutate(rng, folder)
    started = time.monotonic()
    try:
        verdict = audit(folder)
    except KTError as error:
        return "refused", "two lines" if "\n" in str(error) else _slow(started, note)
    slow = _slow(started, note)
    wrong = refute(folder, verdict) or slow
    same = verdict.shown == _claims(folders[name])
    return "same" if same else "other", f"{name}: {note}: {wrong}" if wrong else ""


@cache
def _claims(folder: Path) -> tuple[Any, ...]:
    return audit(folder).shown


def _slow(started: float, note: str) -> str:
    seconds = time.monotonic() - started
    return f"{seconds:.1f} s: {note}" if seconds > PATIENCE else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folders = honest(Path(name) / "honest")
        for number in range(options.count):
            kind, wrong = trial(random.Random(f"{options.seed} {number}"), folders, Path(name))
            tally[kind] += 1
            if wrong:
                print(f"trial {number}: {wrong}", flush=True)
                tally["WRONG"] += 1
            if number % 500 == 499:
                print(number + 1, dict(tally), flush=True)
    print(dict(tally))
    sys.exit(1 if tally["WRONG"] else 0)


if __name__ == "__main__":
    main()
