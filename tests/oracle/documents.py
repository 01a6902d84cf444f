"""Files of gadgets, lists of tours and files of families: honest ones, and mutations; what is shown is judged.

python -m tests.oracle.documents --files 20000 --seed 1
"""

from __future__ import annotations

import contextlib
import copy
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import click

from kt_models import Problem
from kt_models.files.check import check_file
from kt_models.gadgets.statement import GadgetStatement
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates import Statement, Verdict
from kt_models.limits import Limits
from tests import family_oracle
from tests.oracle import families, files, forgery
from tests.oracle.gadgets import frame_of, judged
from tests.oracle.problems import Json, edited, graph_of, problem
from tests.oracle.tally import Tally, place_of
from tests.oracle.truth import TooMany, case_of
from theorems.statement import FamilyStatement

SECONDS = 30.0
HANG = 60.0
PLACE = ("board", "leaper", "cells", "shape", "wraps", "vertices", "edges", "arcs")
"""What says of a tour where it is."""
Lines = list[Any]
"""A list of tours: a JSON value a line, or a text that is to stand there as it is."""


class Documents:
    """A long sequence of files of three kinds."""

    def __init__(self, seed: int, place: Path) -> None:
        self.seed, self.tally, self.place, self.number = seed, Tally(), place, 0
        self.texts: dict[str, Any] = {}
        self.gadgets = [
            data
            for path in sorted(families.GADGETS.glob("*.json"))
            if (data := json.loads(path.read_text())).get("kind") in ("gadget", "gadgets")
            and len(data.get("region", ())) <= 28  # Larger ones are counted in a minute
        ]
        self.bounds = [_turns(), _turns("-2-mod-4"), _crossings()]
        self.families = [_strands(), _two(), _octants(), json.loads((families.GADGETS / "rings.json").read_text())]

    def run(self, number: int) -> Tally:
        """Make and judge a number of further files."""
        for _ in range(number):
            rng = Random(f"{self.seed}:{self.number}")
            self.number += 1
            started = time.perf_counter()
            rng.choices((self.gadget, self.list, self.family), (6, 6, 1))[0](rng)
            self.tally.seconds += time.perf_counter() - started
        return self.tally

    def check(self, kind: str, name: str, text: str, judge: Callable[[Verdict], Iterator[str]]) -> None:
        """Hold a file, and what is shown of it, against the truth."""
        tally, path = self.tally, self.place / name
        path.write_text(text)
        tally.counts[kind] += 1
        limits = Limits(seconds=SECONDS)
        verdict = tally.watch(kind, lambda: check_file(path, limits=limits), HANG, file=text[:20_000])
        if verdict is None:
            return
        tally.counts[f"{kind} accepted"] += 1
        for claim in (*verdict.shown, *verdict.stated):
            if self.texts.setdefault(claim.text, claim) != claim:
                tally.fault(f"false {kind}: two statements of one text", words=claim.text, file=text[:20_000])
        try:
            for words in judge(verdict):
                tally.fault(f"false {kind}: {words[:60]}", words=words, said=verdict.text[:600], file=text[:20_000])
        except TooMany:
            tally.counts[f"{kind} not judged"] += 1
        except Exception as error:  # The oracle could not read what the toolkit accepted
            tally.fault(f"odd {kind}: {place_of(error)}", error=repr(error)[:300], file=text[:20_000])

    # -- gadgets -----------------------------------------------------------------------------------------------------

    def gadget(self, rng: Random) -> None:
        """A gadget or some, honest, turned, joined, changed."""
        data = copy.deepcopy(rng.choice(self.gadgets))
        if rng.random() < 0.3:
            data = _moved(rng, data)
        kind = rng.random()
        if kind < 0.3:
            data = _edited_gadget(rng, data)
        elif kind < 0.55:
            data = forgery.perturbed(rng, data)
        elif kind < 0.75:
            data = forgery.spoiled(rng, data)
        elif kind < 0.85:
            data = forgery.spliced(rng, data, rng.choice(self.gadgets))
        elif kind < 0.95:
            data = _gathered(rng, [data, *rng.choices(self.gadgets, k=2)])
        self.check("gadgets", "gadget.json", twice(rng, data), lambda verdict: _of_gadgets(verdict, data))

    # -- lists -------------------------------------------------------------------------------------------------------

    def list(self, rng: Random) -> None:
        """Some tours of one board, or of two, a line each."""
        lines: Lines = []
        for _ in range(rng.choice((1, 1, 1, 2))):
            with contextlib.suppress(TooMany):
                lines += _tours(rng)
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            if lines:
                _edit_lines(rng, lines)
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        end = rng.choice(("\n", "\n", "\n", "\r\n", "\u2028", ""))
        text = end.join(texts) + rng.choice(("\n", ""))
        self.check("list", "list.jsonl", text, lambda verdict: _of_list(verdict, text))

    # -- families ----------------------------------------------------------------------------------------------------

    def family(self, rng: Random) -> None:
        """Claims about all sizes."""
        kind = rng.random()
        if kind < 0.25:
            asked = Problem(graph_of({"board": "6x6", "leaper": rng.choice(("1,2", "1,2", "1,2", "1,3", "1,1"))}))
            data = (forgery.family if rng.random() < 0.7 else forgery.belt)(rng, {}, asked)
        elif kind < 0.7:
            data = copy.deepcopy(rng.choice(self.bounds))
        else:
            data = copy.deepcopy(rng.choice(self.families))
        if rng.random() < 0.4 and data["claims"]:
            _edit_claim(rng, rng.choice(data["claims"]))
        elif rng.random() < 0.8:
            data = family_oracle.damaged(data, rng)
        else:
            data = forgery.spliced(rng, data, rng.choice([*self.bounds, *self.families]))
        self.check("families", "family.json", twice(rng, data), lambda verdict: _of_families(verdict, data))


def twice(rng: Random, data: Any) -> str:
    """The text of a file; now and then with a key that stands there twice, first with another value."""
    text = json.dumps(data)
    if rng.random() < 0.03 and isinstance(data, dict) and data:
        key = rng.choice(list(data))
        return "{" + f"{json.dumps(key)}: {json.dumps(rng.choice(forgery.JUNK))}, " + text[1:]
    return text


# -- mutations ---------------------------------------------------------------------------------------------------------


def _moved(rng: Random, data: Json) -> Json:
    """The same gadgets elsewhere, or mirrored: as good as they were, but for the letters of matchings."""
    dx, dy, sign = rng.randint(-3, 40), rng.randint(-3, 40), rng.choice((1, 1, -1))
    for gadget in data.get("gadgets", [data]):
        gadget.pop("matching", None)
        gadget["region"] = [[sign * x + dx, y + dy] for x, y in gadget["region"]]
        for port in gadget["ports"]:
            port["cell"] = [sign * port["cell"][0] + dx, port["cell"][1] + dy]
            port["move"] = [sign * port["move"][0], port["move"][1]]
        for path in gadget["paths"]:
            path["cells"] = [[sign * x + dx, y + dy] for x, y in path["cells"]]
            if rng.random() < 0.2:
                path["cells"].reverse()
                if "from" in path:
                    path["from"], path["to"] = path["to"], path["from"]
    return data


def _gathered(rng: Random, parts: list[Json]) -> Json:
    """Gadgets of several files in one."""
    pool = [copy.deepcopy(gadget) for part in parts for gadget in part.get("gadgets", [part])]
    head = {k: v for k, v in parts[0].items() if k in ("status", "minimize", "value", "bound", "count", "complete")}
    gadgets = rng.sample(pool, rng.randint(1, min(6, len(pool))))
    if rng.random() < 0.2:
        gadgets.append(copy.deepcopy(gadgets[0]))
        for path in gadgets[-1]["paths"]:
            if "from" in path and rng.random() < 0.5:
                path["cells"].reverse()
                path["from"], path["to"] = path["to"], path["from"]
    kept = head if rng.random() < 0.5 else {}
    return {"version": FORMAT_VERSION, "kind": "gadgets", **kept, "gadgets": gadgets}


def _edited_gadget(rng: Random, data: Json) -> Json:
    """A gadget file with one of its claims changed."""
    gadget = rng.choice(data.get("gadgets", [data]))
    change = rng.choice(
        (
            "turns",
            "crossings",
            "matching",
            "value",
            "bound",
            "status",
            "count",
            "steps",
            "period",
            "leaper",
            "drop",
            "swap",
        )
    )
    if change in ("turns", "crossings") and type(gadget.get(change)) is int:
        gadget[change] += rng.choice((-1, 1, -(10**30), 2**63))
    elif change in ("value", "bound", "count"):
        data[change] = rng.choice((0, 1, -1, True, False, 10**40, 3, 5, None, "3", data.get(change)))
    elif change == "status":
        data["status"] = rng.choice(("optimal", "feasible", "infeasible", "unknown", 1))
    elif change == "matching":
        gadget["matching"] = rng.choice(("H", "V", "X", "H>H V>V X>X", None, 1))
    elif change == "steps":
        rng.choice(gadget["ports"] or [{}])["steps"] = rng.choice((1, 2, 3, 10, 0, -1, True, 10**9))
    elif change == "period":
        gadget["period"] = rng.choice(([0, 0], [2, 0], [4, 0], [0, 4], [6, 0], [1, 1], [-4, 0], [True, 0]))
    elif change == "leaper":
        gadget["leaper"] = rng.choice(("1,2", "2,1", "1,3", "1,2,2", "0,1", "x"))
    elif change == "drop":
        gadget.pop(rng.choice([key for key in gadget if key not in ("kind", "version")]))
    elif change == "swap" and gadget["paths"]:
        path = rng.choice(gadget["paths"])
        path["cells"] = files.perturbed(rng, {"cells": path["cells"]})["cells"]
    if rng.random() < 0.3:
        data["bound"] = rng.choice((data.get("value"), 0, 1, 1000))
        data.pop(rng.choice(("status", "value", "minimize", "version")), None)
    return data


def _tours(rng: Random) -> Lines:
    """Some tours of a random board, each a JSON object."""
    while True:
        data, posed = problem(rng)
        if posed.connectivity not in ("cycle", "path"):
            continue
        solutions = case_of(posed).solutions
        if solutions or rng.random() < 0.05:
            break
    place = {key: data[key] for key in PLACE if key in data}
    kept = rng.sample(solutions, min(len(solutions), rng.randint(1, 6)))
    return [
        {"version": FORMAT_VERSION, "kind": "tour", **place, **files.tour_keys(case_of(posed), chosen)}
        for chosen in kept
    ]


def _edit_lines(rng: Random, lines: Lines) -> None:
    """Change one line of a list, or add one."""
    at = rng.randrange(len(lines))
    line = lines[at]
    change = rng.choice(("again", "turned", "edit", "place", "junk", "twice", "spoil", "drop", "splice", "text"))
    if change == "again":
        lines.insert(rng.randrange(len(lines) + 1), copy.deepcopy(line))
    elif change == "junk":
        lines.insert(at, rng.choice(("", "{}", "[]", "null", "1", "x", '{"kind": "tour"}', " ", "[" * 3000)))
    elif change == "drop":
        del lines[at]
    if not isinstance(line, dict):
        return
    if change == "turned" and isinstance(line.get("tour"), list) and "moves" not in line and line["tour"]:
        again, tour = copy.deepcopy(line), line["tour"]
        shift = rng.randrange(len(tour)) if line.get("closed") else 0
        again["tour"] = (tour[shift:] + tour[:shift])[:: rng.choice((1, -1))]
        lines.append(again)
    elif change == "edit":
        lines[at] = files.edited_file(rng, line)
    elif change == "place":
        with contextlib.suppress(*files.BROKEN):
            lines[at] = edited(rng, line)
    elif change == "twice":
        lines[at] = json.dumps(line)[:-1] + ', "closed": ' + rng.choice(("true", "false", "null")) + "}"
    elif change == "spoil":
        lines[at] = forgery.spoiled(rng, line)
    elif change == "splice":
        other = rng.choice(lines)
        lines[at] = forgery.spliced(rng, line, other if isinstance(other, dict) else {})
    elif change == "text":
        text = json.dumps(line)
        cut = rng.randrange(len(text))
        lines[at] = text[:cut] + rng.choice(("", " ", "0", "9", "-", ",", "]", "\\u2028")) + text[cut + 1 :]


def _edit_claim(rng: Random, claim: Json) -> None:
    """Claim something else, mostly more."""
    change = rng.choice(("constant", "constant", "slope", "least", "residues", "closed", "leaper", "shape", "symmetry"))
    if change in ("constant", "slope") and claim["bounds"]:
        fraction = rng.choice(claim["bounds"])[change]
        fraction[0] += rng.choice((-20, -3, -1, 1, 3, 20))
    elif change == "least":
        claim["boards"]["least"] += rng.choice((-4, -1, 1, 8))
    elif change == "residues":
        modulus = rng.choice((1, 2, 3, 8, 12))
        claim["boards"] |= {"modulus": modulus, "residues": sorted(rng.sample(range(modulus), rng.randint(1, modulus)))}
    elif change == "closed":
        claim["closed"] = not claim["closed"]
    elif change == "leaper":
        claim["leaper"] = rng.choice(("1,2", "2,1", "1,3", "1,1"))
    elif change == "shape":
        claim["boards"]["shape"] = rng.choice(("rectangles", "long rectangles", "squares", "aztec diamonds"))
    elif change == "symmetry":
        claim["symmetry"] = rng.choice(("rot180", "rot90", ""))


# -- files of families that are quick to check -------------------------------------------------------------------------


def _turns(sides: str = "") -> Json:
    """Numbers that are the same all along a side, or have a period."""
    return json.loads((families.RESULTS / f"turns-all-n{sides}.json").read_text())


def _crossings() -> Json:
    """A narrow belt."""
    data = json.loads((families.RESULTS / "crossings-all-n.json").read_text()) | {"rows": 1, "full": 12}
    data["claims"][0]["boards"]["least"] = 8
    data["claims"][0]["bounds"][0]["constant"] = [16, 1]
    return data


def _squares(name: str, modulus: int, residue: int, least: int, **bounds: Fraction) -> Json:
    """The first family of a file that has squares of one residue, with a claim on these."""
    data = json.loads((families.GADGETS / name).read_text())
    if data["kind"] == "strands":
        data["families"] = [
            family
            for family in data["families"]
            if len(family["seed"]) % 4 == 0 and len(family["seed"][0]) % 8 == residue
        ]
    data["families"] = data["families"][:1] if data["kind"] == "octants" else data["families"]
    limits = [
        {"relation": "at-most", "metric": metric, "slope": list(slope), "constant": list(constant)}
        for metric, (slope, constant) in bounds.items()
    ]
    boards = {"shape": "squares", "least": least, "modulus": modulus, "residues": [residue]}
    data["claims"] = [{"boards": boards, "leaper": "1,2", "closed": True, "bounds": limits}]
    return data


def _strands() -> Json:
    return _squares("strands-both.json", 8, 4, 12, turns=((8, 1), (-14, 1)), crossings=((37, 4), (3, 1)))


def _two() -> Json:
    return _squares("strands-turns-two.json", 8, 0, 16, turns=((8, 1), (-16, 1)))


def _octants() -> Json:
    return _squares("octants-crossings.json", 12, 4, 64, crossings=((19, 3), (664, 3)))


# -- what came out -----------------------------------------------------------------------------------------------------


def _of_gadgets(verdict: Verdict, data: Json) -> Iterator[str]:
    """What is false in what was shown of gadgets."""
    gadgets = data.get("gadgets", [data]) if data["kind"] == "gadgets" else [data]
    known: dict[Any, dict[Any, tuple[int, int]]] = {}
    for gadget in gadgets:
        answer = judged(gadget)
        if isinstance(answer, str):
            yield f"a gadget was accepted that is none: {answer}"
            return
        moves, turns, crossings = answer
        known.setdefault(frame_of(gadget), {})[moves] = turns, crossings
        for name, value in (("turns", turns), ("crossings", crossings)):
            if name in gadget and (type(gadget[name]) is not int or gadget[name] != value):
                yield f"{name} {gadget[name]!r} were accepted, there are {value}"
    frames, texts, counted = [], set(), []
    for claim in verdict.shown:
        if not isinstance(claim, GadgetStatement):
            yield f"something else was shown: {claim.text}"
            continue
        if claim.kind != "gadgets":
            counted.append(claim)
            continue
        ports = tuple((p.cell, p.move, p.steps, p.leaves) for p in claim.frame.ports)
        frame = claim.frame.cells, ports, claim.frame.period, (claim.frame.leaper.a, claim.frame.leaper.b)
        frames.append(frame)
        texts.add(claim.text)
        counts = known.get(frame)
        if counts is None:
            yield f"another region than that of the file: {claim.text}"
        elif len(counts) != claim.value:
            yield f"{claim.text}: there are {len(counts)} in the file"
        elif len(counts) == 1 and dict(claim.counts) != dict(
            zip(("turns", "crossings"), next(iter(counts.values())), strict=True)
        ):
            yield f"{claim.text}: it has {next(iter(counts.values()))}"
    if len(set(frames)) < len(frames) or len(texts) < len(frames):
        yield "two statements about one region, or with one text"
    for claim in counted:  # Of all gadgets that are searched for: tests/kt_models/test_gadget_count.py counts them anew
        counts = (
            [value for (value, _) in _counts_of(known)]
            if claim.metric == "turns"
            else [v for _, v in _counts_of(known)]
        )
        if claim.kind == "least" and min(counts) < claim.value:
            yield f"{claim.text}: one in the file has {min(counts)}"
        if claim.kind == "complete" and len(counts) > claim.value:
            yield f"{claim.text}: there are {len(counts)} in the file"
    claimed = data.get("status") == "optimal" or data.get("complete") is True or data.get("bound") is not None
    if claimed and not verdict.stated and not counted:
        yield "what is claimed besides was not named"


def _counts_of(known: dict[Any, dict[Any, tuple[int, int]]]) -> list[tuple[int, int]]:
    """Turns and crossings of the gadgets of all frames."""
    return [counts for group in known.values() for counts in group.values()]


def _of_list(verdict: Verdict, text: str) -> Iterator[str]:
    """What is false in what was shown of a list."""
    tours = [json.loads(line) for line in text.splitlines()]
    keys, places = set(), set()
    for data in tours:
        yield from files.falsehoods(verdict, data)
        where = {key: data[key] for key in PLACE if key in data}
        case = case_of(Problem.from_json(where | {"connectivity": "cycle" if data["closed"] else "path"}))
        piece = tuple(sorted(data.get("leaper", "1,2").split(","))) if case.cells else ()
        place = case.directed, case.connectivity, case.edges, case.vectors, case.cells, case.shape, case.wraps, piece
        places.add(place)
        steps = _steps(data)
        keys.add(len(keys) if steps is None else (place, steps))
    if len(keys) < len(tours):
        yield "a tour that stands there twice was accepted"
    if len(tours) > 1 and f"{len(tours):,} different tours" not in verdict.how:
        yield f"{len(tours)} tours: {verdict.how}"
    if len(verdict.shown) != len(places) or not all(isinstance(claim, Statement) for claim in verdict.shown):
        yield f"tours of {len(places)} problems: {verdict.text}"


def _steps(data: Json) -> frozenset[Any] | None:
    """The moves of a tour, whichever way it is walked; None where that is not plain."""
    order = [tuple(cell) for cell in data["tour"]]
    following = order[1:] + (order[:1] if data["closed"] else [])
    vectors = data.get("moves") or None
    if "arcs" in data:
        return frozenset(zip(order, following, strict=False))
    if vectors is None:
        if data.get("board", "").startswith(("torus", "cylinder")) or any(data.get("wraps", ())):
            return None
        return frozenset(frozenset(step) for step in zip(order, following, strict=False))
    steps = zip(order, following, map(tuple, vectors), strict=False)
    return frozenset(min((a, v), (b, tuple(-c for c in v))) for a, b, v in steps)


def _of_families(verdict: Verdict, data: Json) -> Iterator[str]:
    """What is false in what was shown of all sizes."""
    for claim in verdict.shown:
        if not isinstance(claim, FamilyStatement):
            yield f"something else was shown: {claim.text}"
        elif families.truth_of_family(claim) is False:
            yield f"shown, and false: {claim.text}"
    if len(verdict.shown) != len(data["claims"]):
        yield "other claims than those of the file were shown"
    if data["kind"] in ("strands", "octants"):
        most = 36 if data["kind"] == "strands" else 92
        if words := family_oracle.refutation(data, most):
            yield words


@click.command()
@click.option("--files", "number", default=20_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--seconds", default=0.0, help="End after so many; 0 for never.")
def main(number: int, seed: int, seconds: float) -> None:
    """Attack the checkers of gadgets, lists and families."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        attack = Documents(seed, Path(name))
        while attack.number < number and not (seconds and attack.tally.seconds > seconds):
            attack.run(min(100, number - attack.number))
    print(json.dumps(attack.tally.to_json() | {"files": attack.number}, indent=1))
    sys.exit(1 if attack.tally.faults else 0)


if __name__ == "__main__":
    main()
