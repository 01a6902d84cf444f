"""Few crossings: the searches behind `docs/constructions/few-crossings.md`, and seeds of families.

python -m research.few_crossings regimes
python -m research.few_crossings flux
python -m research.few_crossings sides --depth 4
python -m research.few_crossings two-factors --side 8 --side 10
python -m research.few_crossings fewest --board 8x8 --board 10x12
python -m research.few_crossings strands-crossings -o strands-crossings.json
python -m research.few_crossings strands-both -o strands-both-squares.json
python -m research.few_crossings octants -o octants-crossings.json
python -m research.few_crossings rectangles -o octants-rectangles.json
python -m research.few_crossings odd --again octants-odd.json --seed 2 -o octants-odd.json
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

from heuristics.constructions.octants.boards import load_octants
from heuristics.find import find
from heuristics.orbit_search import improve_orbits
from kt_models import Problem, graph_of
from kt_models.errors import CertificateError, KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Limits
from kt_models.writing import write_atomic
from research.few_crossings.one_direction import LAYOUTS, save
from research.few_crossings.parts import anew
from research.few_crossings.rectangles import LONGER, rectangle_family
from research.few_crossings.regimes import (
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
from research.few_crossings.sides import show_sides
from research.few_crossings.squares import SIDES, square_family
from research.few_crossings.two_factors import show_fewest
from theorems.growing_tours.codes import count
from theorems.growing_tours.octant_data import STEP, Octants
from theorems.growing_tours.octants import check_covered
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json

SEEDS = ("octants", "rectangles", "odd")
WHAT = ("regimes", "flux", "sides", "two-factors", "fewest", *LAYOUTS, *SEEDS)
TRIES = {"strands-crossings": 2, "strands-both": 1, "octants": 8, "rectangles": 2, "odd": 1}
"""Annealings of each block, or of all blocks for each two patterns."""
EXCHANGES = 30_000
"""For each cell of a 2-factor that is made better."""


def octant_claims(families: list[Octants]) -> list[dict[str, object]]:
    """The slopes of all families, the least constants that all boards keep, and from which width on; or nothing."""
    widths = tuple(sorted({family.width % (2 * STEP) for family in families}))
    classes = (2, (0,)) if len(widths) == STEP else (2 * STEP, widths)
    few = Boards("squares", min(family.size(family.least)[0] for family in families), *classes)
    slopes = {"turns": Fraction(38, 3), "crossings": Fraction(19, 3)}
    if rectangles := any(family.height_zone for family in families):
        gap = max(family.extra_height - family.rows for family in families) + 1
        few, slopes = replace(few, shape="long rectangles", gap=gap), {"crossings": Fraction(19, 6)}
    if any(family.odd for family in families):
        few, slopes = replace(few, modulus=2, residues=(0,), sides=(1, 0)), {"crossings": Fraction(91, 24)}
    bounds = []
    for metric, slope in slopes.items():
        constant = Fraction(-10_000)
        for family in families:
            most, bands = family.max_steps
            for steps in itertools.product(range(family.least, most + 1), range(bands + 1)):
                width, height = family.size(*steps)
                value = count(family.board_codes(*steps), metric)
                constant = max(constant, value - slope * (width + height if rectangles else width))
        bounds.append(Bound("at-most", metric, slope, Fraction(math.ceil(constant))))
    claim = FamilyStatement(few, bounds=tuple(bounds))
    least = [family.size(family.least)[0] for family in families]
    for first in range(min(least), max(least) + 1, 2):
        with contextlib.suppress(CertificateError):
            served = replace(claim, boards=replace(few, least=first))
            check_covered(families, served)
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
        print(f"{side}x{side}: {problem.cost(found)}", flush=True)


def find_squares(sides: Iterable[int], tries: int) -> Iterator[Octants]:
    """The families of squares."""
    for side in sides:
        yield found(square_family(side, tries), f"side {side}")


def find_rectangles(tries: int) -> Iterator[Octants]:
    """The families of rectangles that are higher than wide by an odd and by an even number."""
    for square, longer in itertools.product(load_octants(), LONGER):
        yield found(rectangle_family(square, longer, tries), f"width {square.width}")


def found(family: Octants | None, name: str) -> Octants:
    """A family, with a line that says what it costs.

    Raises
    ------
    KTError
        If there is none.
    """
    if family is None:
        raise KTError(f"no family of {name} was found: try more seeds")
    turns, crossings = (count(family.codes, metric) for metric in ("turns", "crossings"))
    size = "{}x{}".format(*family.codes.shape)
    print(f"{size}: {turns} turns, {crossings} crossings", file=sys.stderr, flush=True)
    return family


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--side", type=int, action="append", help="of two-factors and of octants; repeat it")
    parser.add_argument("--board", action="append", metavar="WxH", help="of fewest, the shorter side first; repeat it")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each search for regimes")
    parser.add_argument("--tries", type=int, help="annealings of each block of a seed")
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
    tries, command = chosen.tries or TRIES[chosen.what], f"python -m research.few_crossings {chosen.what}"
    if chosen.what in LAYOUTS:
        save(LAYOUTS[chosen.what], chosen.o, command, tries)
        return
    if chosen.again is not None:
        command += f" --again {chosen.again.name}"
        old = [Octants.from_json(entry) for entry in json.loads(chosen.again.read_text())["families"]]
        families = [found(anew(family, chosen.seed, tries), "this") for family in old]
    elif chosen.what == "odd":
        parser.error("families of odd widths are made better, with --again FILE, but not made")
    else:
        families = list(
            find_squares(chosen.side or SIDES, tries) if chosen.what == "octants" else find_rectangles(tries)
        )
    data = {"version": FORMAT_VERSION, "kind": "octants", "command": command, "claims": octant_claims(families)}
    rows = ",\n".join(" " + json.dumps(family.to_json()) for family in families)
    text = json.dumps(data)[:-1] + ', "families": [\n' + rows + "\n]}\n"
    if chosen.o is None:
        print(text, end="")
    else:
        write_atomic(chosen.o, text)


if __name__ == "__main__":
    main()
