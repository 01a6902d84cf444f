"""Few crossings: the searches behind `docs/constructions/few-crossings.md`, and seeds of
`heuristics/gadgets/octants-crossings.json`.

python -m benchmarks.few_crossings regimes
python -m benchmarks.few_crossings flux
python -m benchmarks.few_crossings sides --depth 4
python -m benchmarks.few_crossings two-factors --side 8 --side 10
python -m benchmarks.few_crossings fewest --board 8x8 --board 10x12
python -m benchmarks.few_crossings octants --side 80 --seconds 20 --improve 600 -o octants.json
python -m benchmarks.few_crossings octants --again octants.json --improve 0 --seed 2 -o octants.json
python -m benchmarks.few_crossings rectangles --seconds 20 --improve 60 -o rectangles.json
python -m benchmarks.few_crossings smaller --improve 240 -o octants.json
python -m benchmarks.few_crossings smaller-rectangles -o rectangles.json
python -m benchmarks.few_crossings odd -o odd.json
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from benchmarks.few_crossings.octants import Plan, axis_patterns, improve, seed_of
from benchmarks.few_crossings.odd import odd_of
from benchmarks.few_crossings.parts import anew
from benchmarks.few_crossings.rectangles import LONGER, open_blocks, rectangle_of
from benchmarks.few_crossings.regimes import (
    Cell,
    Join,
    Regime,
    bend,
    bottom,
    chevron,
    left,
    ridge,
    seam,
    search,
    turned_seam,
)
from benchmarks.few_crossings.sides import show_sides
from benchmarks.few_crossings.smaller import (
    OWN,
    filled,
    smaller_rectangle,
    smaller_square,
    square_of,
    unmerged_rectangle,
)
from benchmarks.few_crossings.two_factors import show_fewest
from heuristics.constructions.octants import FILES, load_octants
from heuristics.find import find
from heuristics.orbit_search import improve_orbits
from kt_models import Problem, graph_of
from kt_models.certificates.families.codes import count
from kt_models.certificates.families.octant_data import BAND, STEP, Octants
from kt_models.certificates.families.octants import serves
from kt_models.certificates.families.statement import Boards, Bound, FamilyStatement, claim_to_json
from kt_models.errors import CertificateError, KTError
from kt_models.format import FORMAT_VERSION
from kt_models.limits import Limits

SEEDS = ("octants", "rectangles", "smaller", "smaller-rectangles", "odd")
WHAT = ("regimes", "flux", "sides", "two-factors", "fewest", *SEEDS)
SIDES = range(64, 76, 2)
"""Of the seeds of squares that begin with small boards."""
EXCHANGES = 30_000
"""For each cell of a 2-factor that is made better."""


def octant_claims(families: list[Octants]) -> list[dict[str, object]]:
    """The slope of all families, the least constant that all boards keep, and from which width on; or nothing."""
    widths = tuple(sorted({family.width % (2 * STEP) for family in families}))
    classes = (2, (0,)) if len(widths) == STEP else (2 * STEP, widths)
    few = Boards("squares", min(family.size(family.least)[0] for family in families), *classes)
    slope, constant = Fraction(19, 3), Fraction(-10_000)
    if rectangles := any(family.band for family in families):
        gap = max(family.longer - family.rows for family in families) + 1
        few, slope = replace(few, shape="long rectangles", gap=gap), slope / 2
    if any(family.odd for family in families):
        few, slope = replace(few, modulus=2, residues=(0,), sides=(1, 0)), Fraction(91, 24)
    for family in families:
        most, bands = family.most
        for steps in itertools.product(range(family.least, most + 1), range(bands + 1)):
            width, height = family.size(*steps)
            crossings = count(family.board_codes(*steps), "crossings")
            constant = max(constant, crossings - slope * (width + height if rectangles else width))
    claim = FamilyStatement(few, bounds=(Bound("at-most", "crossings", slope, Fraction(math.ceil(constant))),))
    least = [family.size(family.least)[0] for family in families]
    for first in range(min(least), max(least) + 1, 2):
        with contextlib.suppress(CertificateError):
            served = replace(claim, boards=replace(few, least=first))
            serves(families, served)
            return [claim_to_json(served)]
    return []


def regimes(depth: int) -> Iterator[tuple[str, int, int, Regime]]:
    """Name, rows of a side per period, offset, regime."""
    for rows in range(1, 6):
        side = left(rows, depth)
        for offset in (0, 1):
            yield "left, mirrored", rows, offset, Regime((side, side), (Join(0, 0, 1, 0, 1, offset),))
            yield "left, turned", rows, offset, Regime((side, side), (Join(0, 0, 1, 0, -1, offset),))
    for rows in range(1, 4):
        for offset in (0, 1):
            joins = (Join(0, 0, 1, 0, 1, offset),)
            yield "bottom and left", rows, offset, Regime((bottom(2 * rows, depth + 1), left(rows, 2)), joins)
    for steps in (2, 4, 6):
        side = left(steps // 2, 2)
        yield (
            "chevron",
            steps // 2,
            0,
            Regime((chevron(steps, 2), side, side), (Join(0, 0, 1, 0, -1), Join(0, 1, 2, 0, -1))),
        )
    side = left(3, depth)
    yield "bend", 3, 0, Regime((bend(2, 3), side, side), (Join(0, 0, 1, 0), Join(0, 1, 2, 0)))
    yield "seam", 5, 0, turned_seam(2, 11)


def show_regimes(depth: int, seconds: float) -> None:
    """A line for each search: the fewest crossings per period without closed lines."""
    for name, rows, offset, regime in regimes(depth):
        answer = search(regime, limits=Limits(seconds))
        rate = "" if answer.value is None else f"{answer.value / rows:.3f} per row"
        print(f"{name:16} {rows} rows  offset {offset}  {answer.status:10} {answer.value or '-':>4} {rate}", flush=True)


def show_flux(depth: int, seconds: float) -> None:
    """The fewest crossings per period of sides and axes that carry colour along."""
    bands = {
        **{f"left, {rows} rows": left(rows, depth) for rows in range(1, 5)},
        **{f"chevron, {steps} steps": chevron(steps, 2) for steps in range(1, 7)},
        **{f"ridge, {columns} columns": ridge(columns, 2) for columns in range(1, 5)},
        **{f"bend, {steps} steps": bend(steps, 3) for steps in range(1, 3)},
        **{f"seam, {steps} steps": seam(steps, 11) for steps in range(1, 3)},
    }
    for name, band in bands.items():
        alone = Regime((band,), ())
        least = search(alone, limits=Limits(seconds))
        rest = {k: search(alone, flux=(least.flux[0] + k,), limits=Limits(seconds)) for k in (-2, -1, 1, 2)}
        told = ", ".join(f"{k:+d}: {a.value} {a.status}" for k, a in rest.items())
        print(f"{name:20} {least.value} {least.status}, with flux {told}", flush=True)


def show_two_factors(sides: list[int], seed: int) -> None:
    """The fewest crossings of moves with two at each cell, in any number of cycles, that annealing finds."""
    for side in sides:
        graph = graph_of(f"{side}x{side}")
        start = find(Problem(graph), limits=Limits(seed=seed)).edges
        assert start is not None
        problem = Problem(graph, "any", "crossings")
        found = improve_orbits(problem, start, max_steps=EXCHANGES * graph.n, limits=Limits(seed=seed))
        print(f"{side}x{side}: {problem.value(found)}", flush=True)


def find_seed(side: int, seconds: float) -> Octants:
    """The family of a side."""
    for trial in range(100):
        for axis in axis_patterns(20):
            with contextlib.suppress(KTError):
                family = seed_of(Plan(side, axis), seconds, trial)
                if family is not None:
                    return family
    raise KTError(f"no family of side {side} was found: try more seconds")


def find_rectangle(square: Octants, longer: int, seconds: float) -> Octants:
    """The family of rectangles that are so much higher, modulo `BAND`, with all that are higher than wide."""
    for trial in range(20):
        family = rectangle_of(square, longer, seconds, trial)
        if family is not None and family.longer <= BAND:
            return family
    raise KTError(f"no family of width {square.width} was found: try more seconds")


def smaller_squares(seconds: float) -> Iterator[Octants]:
    """Families of all even sides that begin with small boards, put together from those that there are."""
    sides = None
    for side in SIDES:
        old = next(family for family in load_octants() if (family.width - side) % (2 * STEP) == 0)
        for corner, own in itertools.product(range(4) if sides is None else (), OWN):
            with contextlib.suppress(KTError):
                sides = sides or filled(square_of(old, side, corner, own), seconds, 0)
        family = smaller_square(old, side, sides or {})
        if family is None:
            raise KTError(f"no family of side {side} was found: try more seconds")
        yield family


def pairs() -> Iterator[tuple[Octants, Octants]]:
    """Each square with the rectangles from which centres may be taken."""
    for square, old in itertools.product(load_octants(), load_octants(FILES[1])):
        if (square.width - old.width) % (2 * STEP) == 0:
            yield square, old


def find_odd(seconds: float) -> Iterator[Octants]:
    """The families of odd widths: of one column more than squares that have 1 or 2 steps more, and of one or two
    lengths of the band."""
    old = None
    for (square, rectangle), steps, bands in itertools.product(pairs(), (1, 2), (0, 1)):
        even = unmerged_rectangle(square, rectangle) if rectangle.longer % 2 == 0 else None
        if even is not None:
            tries = (odd_of(even, steps, bands, seconds, trial, old) for trial in range(20))
            family = next((found for found in tries if found is not None), None)
            if family is None:
                raise KTError(f"no family of width {square.width + 1} was found: try more seconds")
            old = old or family
            yield family


def better(family: Octants, seconds: float, seed: int, about: Iterable[Cell], parts: bool) -> Octants:
    """The family made better, its parts first if asked, with a line that says how much."""
    found = improve(anew(family, seed) if parts else family, seconds, seed, about)
    before, after = (count(one.codes, "crossings") for one in (family, found))
    print("{}x{}: {} to {} crossings".format(*family.codes.shape, before, after), file=sys.stderr, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--side", type=int, action="append", help="repeat it; of seeds by default 80, 82, ..., 90")
    parser.add_argument("--board", action="append", metavar="WxH", help="of fewest, the shorter side first; repeat it")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each search")
    parser.add_argument("--improve", type=float, default=600.0, help="seconds for each seed")
    parser.add_argument("--again", type=Path, metavar="FILE", help="anneal the parts of the seeds of a file")
    parser.add_argument("--seed", type=int, default=0, help="of two-factors and of --again")
    parser.add_argument("-o", type=Path)
    chosen = parser.parse_args()
    if chosen.what == "two-factors":
        show_two_factors(chosen.side or list(range(8, 17, 2)), chosen.seed)
        return
    if chosen.what == "fewest":
        for board in chosen.board or ["8x8"]:
            show_fewest(*map(int, board.split("x")))
        return
    if chosen.what == "sides":
        show_sides(chosen.depth)
        return
    if chosen.what in ("regimes", "flux"):
        (show_regimes if chosen.what == "regimes" else show_flux)(chosen.depth, chosen.seconds)
        return
    if chosen.again is not None:
        found = [Octants.from_json(entry) for entry in json.loads(chosen.again.read_text())["families"]]
    elif chosen.what == "octants":
        found = [find_seed(side, chosen.seconds) for side in chosen.side or range(80, 92, 2)]
    elif chosen.what == "smaller":
        found = list(smaller_squares(chosen.seconds))
    elif chosen.what == "smaller-rectangles":
        found = [family for pair in pairs() if (family := smaller_rectangle(*pair)) is not None]
    elif chosen.what == "odd":
        found = list(find_odd(chosen.seconds))
    else:
        squares = [family for family in load_octants() if not chosen.side or family.width in chosen.side]
        found = [find_rectangle(square, longer, chosen.seconds) for square in squares for longer in LONGER]
    new = chosen.what == "rectangles" and chosen.again is None  # the rest is as good as in the squares
    about = [set[Cell]().union(*open_blocks(family.width, family.longer)) if new else () for family in found]
    again = chosen.again is not None
    found = [better(one, chosen.improve, chosen.seed, near, again) for one, near in zip(found, about, strict=True)]
    command = f"python -m benchmarks.few_crossings {chosen.what}"
    data = {"version": FORMAT_VERSION, "kind": "octants", "command": command, "claims": octant_claims(found)}
    families = ",\n".join(" " + json.dumps(family.to_json()) for family in found)
    text = json.dumps(data)[:-1] + ', "families": [\n' + families + "\n]}\n"
    if chosen.o is None:
        print(text, end="")
    else:
        chosen.o.write_text(text)


if __name__ == "__main__":
    main()
