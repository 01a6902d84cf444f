"""Certificates as cutting-planes proofs: how large they are, and what it takes to write and to check them.

    python benchmarks/cutting_planes.py heuristics/delivered/results/turns-*.json

A row of a Markdown table for each certificate; the last column is empty where VeriPB is not on the PATH. Seconds are
of the processor, of this process or the checker's: what else the machine does counts little.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from cli.checkers import run_checker
from encoders.pb.write import METHODS, write_cutting_planes
from kt_models import KTError
from kt_models.kernel.certificates import Certificate
from kt_models.kernel.certificates.proofs.cutting_planes import FORMULA, PROOF, check_formula
from kt_models.limits import Limits


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="Certificates, or results with one.")
    parser.add_argument("--flow", action="store_true", help="The formula says in full what a tour is.")
    asked = parser.parse_args()
    print("| claim | nodes | formula, kB | proof, kB | certificate checked | written | formula checked | VeriPB |")
    print("|---|---|---|---|---|---|---|---|")
    for path in asked.files:
        data = json.loads(Path(path).read_text())
        embedded = data.get("certificate", data)
        if embedded.get("method") not in METHODS:
            print(f"{path}: not of a method that is written", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(_row(Certificate.from_json(embedded), Path(folder), 0 if asked.flow else None), flush=True)
            except KTError as error:
                print(f"{path}: {error}", file=sys.stderr)


def _row(certificate: Certificate, folder: Path, flow: int | None) -> str:
    times = [time.process_time()]
    certificate.check()
    times.append(time.process_time())
    write_cutting_planes(certificate, folder, flow)
    times.append(time.process_time())
    check_formula(folder)
    times.append(time.process_time())
    foreign = ""
    if shutil.which("veripb"):
        before = _children()
        run_checker("veripb", str(folder), Limits())
        foreign = f"{_children() - before:.2f}"
    nodes = len(certificate.data.get("nodes", [0]))
    sizes = [f"{(folder / name).stat().st_size / 1000:,.1f}" for name in (FORMULA, PROOF)]
    rounds = [f"{after - before:.3f}" for before, after in pairwise(times)]
    return "| " + " | ".join([certificate.statement.text, str(nodes), *sizes, *rounds, foreign]) + " |"


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
