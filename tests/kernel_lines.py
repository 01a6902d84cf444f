"""The tables of docs/theory/kernel.md: what has to be trusted, tier by tier in the order of reading, with its lines.

`python -m tests.kernel_lines` writes them into the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.lines import code_lines

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "theory" / "kernel.md"
BEGIN, END = "<!-- kernel table -->\n", "<!-- end of kernel table -->"
Parts = dict[str, str]
TIERS: dict[str, Parts] = {
    "The core": {
        "Boards, moves, tours, problems": (
            "errors json_values arguments decimals registry limits json_version storage long_arrays cells "
            "shapes/__init__ shapes/[a-z]* board symmetry leaper graph graph_kinds weights pairs walks tour "
            "quantities metrics/__init__ metrics/_patterns metrics/turns metrics/crossings problem existence"
        ),
        "Statements and certificates": (
            "kernel/certificates/integers kernel/certificates/verdict kernel/certificates/statement "
            "kernel/certificates/methods kernel/certificates/certificate kernel/certificates/rounding "
            "kernel/certificates/transposed"
        ),
        "Results and files": "result fields line_sums files/suffixes files/check",
        "Obstructions": "kernel/certificates/obstructions",
        "Parts": "kernel/certificates/elimination kernel/certificates/parts",
        "Trees": "kernel/certificates/cut_inequalities kernel/certificates/nodes kernel/certificates/tree",
        "Clauses": (
            "kernel/certificates/proofs/check_folder kernel/certificates/proofs/cutting_planes "
            "kernel/certificates/proofs/dimacs kernel/certificates/proofs/lrat kernel/certificates/proofs/manifest "
            "kernel/certificates/proofs/meaning kernel/certificates/proofs/zero_one"
        ),
    },
    "Sums": {
        "Sums of measures, and bounds on them": (
            "expressions constraints kernel/certificates/rewritten kernel/certificates/unsatisfiable_constraint"
        ),
        "Fronts": "pareto_front",
    },
    "Graphs and points": {
        "Names, arcs, weights": "labels directed complete_graph metrics/weight",
        "Points": "positions determinants metrics/_segments metrics/angle metrics/length",
        "Trees over edges": "kernel/certificates/edge_tree",
    },
    "Conditions": {
        "Conditions on tours": "conditions/* metrics/cells",
        "Given numbers": "turn_shape numbers kernel/certificates/proofs/numbering",
    },
    "Sweeps": {
        "Regions": "kernel/certificates/states kernel/certificates/regions",
        "Frontier sweeps": (
            "locks code_cache jit kernel/sweeps/* kernel/certificates/frontier/* kernel/certificates/quotient"
        ),
        "Straight lines": "kernel/certificates/torus_lines",
        "Bands of columns": "kernel/certificates/bands/*",
        "Longest walks": "kernel/certificates/longest/*",
    },
    "Runs and gadgets": {
        "Runs": (
            "canonical runs/task runs/tour_task runs/bound_task runs/kinds runs/cubes runs/folder runs/rows runs/audit "
            "runs/cube_proof runs/summary"
        ),
        "Gadgets": "gadgets/frame gadgets/gadget gadgets/wanted gadgets/count gadgets/statement runs/gadget_task",
    },
    "Puzzles and other programs' tours": {
        "Clues, walls and their solutions": (
            "files/puzzles files/clues files/walls files/tour_forms/scan files/tour_forms/reading"
        ),
        "TSPLIB": "files/tours files/tsplib",
    },
    "Theorems": {
        "What the theorems share": "/theorems/statement /theorems/repetition",
        "Turns": "/theorems/turns/*",
        "Crossings": "/theorems/crossings/*",
        "Narrow boards": "/theorems/narrow_boards/*",
        "Growing tours": "/theorems/growing_tours/*",
        "Aztec rings": "/theorems/aztec_rings/*",
    },
}
"""The tiers, and the parts of each with its modules: in `kt_models`, or after a slash in the checkout.

The functions of a tier call those of tiers above it only."""
MINOR = {
    "kt_models.kernel.check_forecast": "how long a check is expected to take; it decides no verdict",
    "kt_models.machine": "the memory and the processors that a check may use",
    "kt_models.writing": "how files are written; a check reads",
    "kt_models.display": "how values are shown in notebooks",
    "kt_models.file_kinds": "the words at the ends of files' names",
    "kt_models.signs": "masks that are drawn; a file of a claim lists the cells",
    "kt_models.shapes._meant": "what a misspelt board was probably meant to be",
}
"""Modules that a check loads and no claim needs, and what they do."""
LINES_PER_HOUR = 200
"""Lines that somebody reads who looks for faults."""
WORDS_PER_HOUR = 3000
"""Words of a proof that somebody reads in an hour."""


def lines_of(path: Path) -> int:
    """Lines of code: none of comments, docstrings (of attributes too) and blank lines."""
    return len(code_lines(path.read_text()))


def modules_of(names: str) -> list[Path]:
    """The files of a part, each once, in the order of reading, without those that need not be right."""
    found = [
        path
        for name in names.split()
        for path in sorted((ROOT if name.startswith("/") else ROOT / "kt_models").glob(f"{name.lstrip('/')}.py"))
        if path.name != "_template.py" and ".".join(path.relative_to(ROOT).with_suffix("").parts) not in MINOR
    ]
    return list(dict.fromkeys(found))


def on_the_page() -> Iterator[Path]:
    """Every module that the page names."""
    for parts in TIERS.values():
        for names in parts.values():
            yield from modules_of(names)


def words_of(names: str) -> int:
    """Words of the proofs beside the modules of a part."""
    folders = {path.parent for path in modules_of(names)}
    return sum(len(path.read_text().split()) for folder in folders for path in folder.glob("proof.md"))


def hours(lines: int, words: int) -> str:
    """A time of reading, in whole hours."""
    number = max(1, round(lines / LINES_PER_HOUR + words / WORDS_PER_HOUR))
    return f"{number} hour{'s' if number > 1 else ''}"


def tables() -> str:
    """A summary of the tiers, and a table for each of them."""
    summary = ["| tier | lines of code | words of proofs | to read |", "| --- | --- | --- | --- |"]
    details = []
    for tier, parts in TIERS.items():
        lines, words = 0, sum(map(words_of, parts.values()))
        details += [f"\n**{tier}**\n", "| part | modules, each with its lines | lines |", "| --- | --- | --- |"]
        for part, names in parts.items():
            counts = {path: lines_of(path) for path in modules_of(names)}
            files = [f"`{_label(path)}` {count}" for path, count in counts.items() if count]
            details.append(f"| {part} | {', '.join(files)} | {sum(counts.values()):,} |")
            lines += sum(counts.values())
        summary.append(f"| {tier} | {lines:,} | {f'{words:,}' if words else 'none'} | {hours(lines, words)} |")
    return "\n".join([*summary, *details]) + "\n"


def _label(path: Path) -> str:
    """A module as the tables name it: a folder for its `__init__`."""
    module = path.parent if path.stem == "__init__" else path.with_suffix("")
    return module.relative_to(ROOT).as_posix().removeprefix("kt_models/")


def main() -> None:
    """Write the tables into the page."""
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(text[:begin] + tables() + text[end:])


if __name__ == "__main__":
    main()
