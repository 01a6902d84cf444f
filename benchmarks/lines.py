"""Lines of code of every room in the wheel, without blank lines, comments and docstrings.

`python benchmarks/lines.py` prints a table of the rooms. `--files 20` adds the longest files, and `--functions` the
short functions that are mentioned once, which may as well stand where they are used.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("kt_models", "drawing", "theorems", "heuristics", "encoders", "cli", "kt")
"""The packages that the wheel holds; one that a checkout lacks counts nothing."""
SHORT = 3
"""Lines of a short function, without its signature and docstring."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def code_lines(text: str) -> set[int]:
    """Numbers of the lines that hold code: no comments, docstrings (those of attributes too) or blank lines."""
    prose: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and _is_text(node):
            prose |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return lines - prose


def functions_of(text: str) -> Iterator[tuple[Function, int]]:
    """Functions and methods of a module, and the lines of code in the body of each."""
    lines = code_lines(text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, Function):
            body = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
            yield node, len(lines.intersection(body))


@dataclass(frozen=True)
class Count:
    """Size of some Python files."""

    files: int = 0
    lines: int = 0
    functions: int = 0
    short: int = 0
    """Functions of at most `SHORT` lines."""

    def __add__(self, other: Count) -> Count:
        return Count(
            self.files + other.files,
            self.lines + other.lines,
            self.functions + other.functions,
            self.short + other.short,
        )

    @classmethod
    def of(cls, text: str) -> Count:
        """Size of one file with this text."""
        bodies = [lines for _, lines in functions_of(text)]
        return cls(1, len(code_lines(text)), len(bodies), sum(lines <= SHORT for lines in bodies))


def modules(root: Path) -> Iterator[Path]:
    """Python files below a folder, without those of no package, such as recordings and caches."""
    return (path for path in sorted(root.rglob("*.py")) if "__pycache__" not in path.parts)


def table(root: Path, rooms: tuple[str, ...] = ROOMS) -> str:
    """A row for each room, and one for all of them."""
    rows = {room: sum((Count.of(path.read_text()) for path in modules(root / room)), Count()) for room in rooms}
    rows["all"] = sum(rows.values(), Count())
    text = f"{'room':12} {'files':>6} {'lines':>7} {'functions':>10} {f'at most {SHORT}':>10}\n"
    for room, size in rows.items():
        text += f"{room:12} {size.files:6,} {size.lines:7,} {size.functions:10,} {size.short:10,}\n"
    return text


def short_and_lonely(root: Path, rooms: tuple[str, ...] = ROOMS) -> Iterator[str]:
    """Short undecorated functions whose name all rooms mention once beside the definition, with their places."""
    texts = {path: path.read_text() for room in rooms for path in modules(root / room)}
    mentions = Counter(word for text in texts.values() for word in re.findall(r"\w+", text))
    for path, text in texts.items():
        for node, lines in functions_of(text):
            if lines <= SHORT and not node.decorator_list and mentions[node.name] == 2:
                yield f"{path.relative_to(root)}:{node.lineno} {node.name} {lines}"


def main() -> None:
    """Print the table, and what was asked for beside it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout; default: this one")
    parser.add_argument("--files", type=int, default=0, metavar="N", help="the N longest files")
    parser.add_argument("--functions", action="store_true", help="short functions that are mentioned once")
    options = parser.parse_args()
    print(table(options.root), end="")
    sizes = {path: len(code_lines(path.read_text())) for room in ROOMS for path in modules(options.root / room)}
    for path in sorted(sizes, key=lambda path: -sizes[path])[: options.files]:
        print(f"{sizes[path]:5} {path.relative_to(options.root)}")
    if options.functions:
        print(*short_and_lonely(options.root), sep="\n")


if __name__ == "__main__":
    main()
