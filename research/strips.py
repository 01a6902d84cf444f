"""The fewest turns and crossings on all boards of one width: where the costs of a sweep by columns begin to repeat.

    python -m research.strips 3x closed 3x open 4x open --most 120 -o strips.json    some minutes
    python -m research.strips 5x closed -o strips-5.json                             half an hour
    python -m research.strips 6x closed --metric crossings --most 30 -o strips-6.json    an hour

`theorems.narrow_boards.strips` has the argument. Of a claim, as many smaller boards are tried as follow the
same rule, down to twice the columns that a step looks at.
"""

from __future__ import annotations

import argparse
import json
import sys

from encoders.bounds.methods.strip import period_of
from kt_models.errors import CertificateError
from kt_models.json_version import FORMAT_VERSION
from kt_models.metrics import BOARD_METRICS
from kt_models.writing import write_atomic
from theorems.narrow_boards.strips import KIND, Strip, StripStatement, claim_to_json, periodic_statement


def longest_claim(strip: Strip, column: int, period: int, lowest: int) -> StripStatement:
    """The claim about the most boards, of at least so many columns."""
    low, high = max(lowest, 2 * strip.margin), column + strip.margin
    claim, middle = periodic_statement(strip, high, column, period), low  # Which is likely, and takes the longest
    while low < high:
        try:
            claim, high = periodic_statement(strip, middle, column, period), middle
        except CertificateError:
            low = middle + 1
        middle = (low + high) // 2
    return claim


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="+", help="a width and which tours: 3x closed, 4x open")
    parser.add_argument("--metric", choices=BOARD_METRICS, help="one of the two; both by default")
    parser.add_argument("--most", type=int, default=200, help="columns after which it is given up")
    parser.add_argument("--lowest", type=int, default=0, help="columns of the smallest board that is tried")
    parser.add_argument("-o", "--output", default="strips.json")
    options = parser.parse_args()
    entries = []
    for width, tours in zip(options.what[::2], options.what[1::2], strict=True):
        for metric in [options.metric] if options.metric else BOARD_METRICS:
            strip = Strip(int(width.removesuffix("x")), metric, tours == "closed")
            found = period_of(strip, options.most)
            if found is None:
                print(f"{width} {tours} {metric}: not repeated up to column {options.most}", file=sys.stderr)
                continue
            claim = longest_claim(strip, *found, options.lowest)
            print(claim, file=sys.stderr)
            entries.append({"claim": claim_to_json(claim), "column": found[0], "period": found[1]})
            data = {"version": FORMAT_VERSION, "kind": KIND, "command": " ".join(["python", *sys.argv])}
            write_atomic(options.output, json.dumps(data | {"strips": entries}) + "\n")


if __name__ == "__main__":
    main()
