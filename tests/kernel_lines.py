"""The table of docs/theory/kernel.md: what has to be trusted, in the order of reading, with its lines of code.

`python -m tests.kernel_lines` writes it into the page.
"""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "theory" / "kernel.md"
BEGIN, END = "<!-- kernel table -->\n", "<!-- end of kernel table -->"
PARTS = {
    "What boards, moves, tours and problems are": (
        "errors reading registry limits format storage long_arrays cells shapes/__init__ shapes/[a-z]* board symmetry "
        "leaper graph weights directed pairs walks tour problem existence"
    ),
    "Statements and certificates": (
        "certificates/integers certificates/statement certificates/certificate certificates/verdict "
        "certificates/rounding certificates/turned certificates/rewritten"
    ),
    "Results and files": "result files/tours files/graphs files/check",
    "Obstructions": "certificates/obstructions",
    "Trees": "certificates/cuts certificates/nodes certificates/tree",
    "Regions": "certificates/states certificates/regions",
    "Frontier sweeps": "jit certificates/bits certificates/frontier/* certificates/quotient",
    "Straight lines": "certificates/straight",
    "Bands of columns": "certificates/bands/*",
    "Longest walks": "certificates/longest/*",
    "Families": "certificates/families/*",
    "Clauses": "certificates/proofs/*",
    "Runs": (
        "runs/task runs/tours runs/bounds runs/kinds runs/cubes runs/folder runs/rows runs/audit runs/cube_proof "
        "runs/summary"
    ),
    "Gadgets": "gadgets/frame gadgets/gadget gadgets/wanted gadgets/count gadgets/statement runs/gadgets",
}
"""The parts, each with its modules in `kt_models`."""


def lines_of(path: Path) -> int:
    """Lines of code: none of comments, docstrings (of attributes too) and blank lines."""
    text = path.read_text()
    prose: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            prose |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in layout:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - prose)


def modules_of(part: str) -> list[Path]:
    """The files of a part, in the order of reading."""
    return [path for name in PARTS[part].split() for path in sorted((ROOT / "kt_models").glob(f"{name}.py"))]


def table() -> str:
    """The table, as the page has it."""
    rows = ["| part | modules of `kt_models`, each with its lines | lines |", "| --- | --- | --- |"]
    total = 0
    for part in PARTS:
        counts = {path: lines_of(path) for path in modules_of(part)}
        names = [
            f"`{path.relative_to(ROOT / 'kt_models').with_suffix('')}` {count}"
            for path, count in counts.items()
            if count and path.stem != "__init__"
        ]
        rows.append(f"| {part} | {', '.join(names)} | {sum(counts.values()):,} |")
        total += sum(counts.values())
    rows.append(f"| all of it | | {total:,} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    """Write the table into the page."""
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(text[:begin] + table() + text[end:])


if __name__ == "__main__":
    main()
