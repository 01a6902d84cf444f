"""Families of closed tours with few turns or crossings, from which method `strands` makes a tour of any size.

python -m research.strands strands-turns.json                          all classes of sizes, two minutes
python -m research.strands FILE --class 2,2 --compare 50               width 2 modulo 8, height 2 modulo 4
python -m research.strands FILE --class 0,0 --prefer crossings --compare 4
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace

from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Limits
from research.strands.claims import claims_of_families, write_families
from research.strands.families import ALL_CLASSES, search_strands
from research.strands.slab_search import find_slabs


def size_class(text: str) -> tuple[int, int]:
    """A class of sizes as `--class` takes it."""
    width, height = map(int, text.split(","))
    return width, height


def main(arguments: list[str]) -> None:
    """Find the families, print what each has beyond 4(w + h) turns and crossings, and write them."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {__package__}", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--class", dest="classes", type=size_class, action="append", metavar="W,H")
    parser.add_argument("--prefer", choices=("turns", "crossings"), default="turns")
    parser.add_argument("--corner", type=int, choices=range(4, 9), default=4, help="least side of a corner block")
    parser.add_argument("--compare", type=int, default=8, help="families of a class that are compared by crossings")
    parser.add_argument("--seed", type=int, default=0, help="order of equals")
    asked = parser.parse_args(arguments)
    candidates = search_strands(
        asked.classes or ALL_CLASSES,
        prefer=asked.prefer,
        corner=asked.corner,
        compare=asked.compare,
        limits=Limits(seed=asked.seed),
    )
    for candidate in candidates:
        size = "{}x{}".format(*candidate.family.size)
        print(f"seed {size}   turns {candidate.turns:+d}   crossings {candidate.crossings:+d}")
    families = [candidate.family for candidate in candidates]
    options = [word for word in arguments if word != asked.file]
    data = {
        "version": FORMAT_VERSION,
        "kind": "strands",
        "prefer": asked.prefer,
        "command": shlex.join(["python", "-m", str(__package__), *options]),
        "claims": claims_of_families(families, asked.prefer),
        "families": [replace(family, inflations=find_slabs(family)).to_json() for family in families],
    }
    write_families(asked.file, data)


if __name__ == "__main__":
    main(sys.argv[1:])
