"""docs/data/encodings.md: how large each encoding of connectivity is, on ten boards.

python -m benchmarks.encodings > docs/data/encodings.md
"""

from __future__ import annotations

from encoders.pb.size import ModelSize, model_size
from encoders.sat.dimacs import to_dimacs
from encoders.sat.encodings import encode, encodings
from kt_models import Problem, TooLarge, graph_of

BOARDS = ("5x6", "6x6", "8x8", "10x10", "12x12", "16x16", "20x20", "aztec:5", "torus:8x8", "4x4x4")
HEAD = """# Sizes of encodings

Each table gives the size of a formula for the closed tours of ten boards. The formula has the clauses of the degrees
and of one encoding of connectivity ([explained here](../theory/models.md)). For any problem,
`kt convert 8x8 tour8.cnf --encoding lfsr --stats` prints the size and the seconds that making the formula takes.
`python -m benchmarks.encodings` writes this page.
"""


def size_of(board: str, encoding: str) -> ModelSize | None:
    """The size of a formula; None where it would be too large."""
    try:
        text = to_dimacs(encode(Problem(graph_of(board)), encoding), encoding)
    except TooLarge:
        return None
    return model_size(text, ".cnf")


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(name) for name in encodings())]).rstrip() + "\n"


def section(encoding: str) -> str:
    """The table of an encoding."""
    rows = [f"## {encoding}\n", "| board | variables | clauses | literals |", "| --- | ---: | ---: | ---: |"]
    for board in BOARDS:
        size = size_of(board, encoding)
        numbers = (size.variables, size.constraints, size.literals) if size else ()
        cells = [f"{number:,}" for number in numbers] or ["too large", "", ""]
        rows.append(f"| {board} | {' | '.join(cells)} |")
    return "\n".join([*rows, ""])


if __name__ == "__main__":
    print(page(), end="")
