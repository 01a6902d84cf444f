"""Every sentence about tiny boards is true: claims, reasons and status lines, in words and in JSON.

The brute force here shares nothing with kt: it makes boards, moves, tours and walks itself, with moves as multi-edges.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from pathlib import Path

import pytest

from tests.command import answered
from tests.effort import slow

Cell = tuple[int, ...]
Move = tuple[Cell, Cell, Cell]
"""A cell, the cell that is reached from it, and the displacement, which is the greater of the two."""
Walk = frozenset[Move]


@dataclass(frozen=True)
class Tiny:
    """A board so small that all its tours can be listed.

    Parameters
    ----------
    text
        As kt reads it.
    cells
        Its cells.
    period
        The length of each axis that wraps; 0 for one that does not.
    """

    text: str
    cells: tuple[Cell, ...]
    period: Cell
    leaper: tuple[int, int] = (1, 2)

    @cached_property
    def moves(self) -> list[Move]:
        """Each move once: from both of its ends the same."""
        axes, steps = range(len(self.period)), set()
        for a, b in permutations(axes, 2):
            for s, t in product((1, -1), repeat=2):
                step = [0] * len(self.period)
                step[a], step[b] = s * self.leaper[0], t * self.leaper[1]
                steps.add(tuple(step))
        found = []
        for cell in self.cells:
            for step in steps:
                there = tuple((c + d) % p if p else c + d for c, d, p in zip(cell, step, self.period, strict=True))
                if there in self.cells and there != cell and step > tuple(-d for d in step):
                    found.append((cell, there, step))
        return found

    @cached_property
    def ways(self) -> dict[Cell, list[tuple[Cell, Move]]]:
        """What can be reached from each cell, and by which move."""
        found: dict[Cell, list[tuple[Cell, Move]]] = {cell: [] for cell in self.cells}
        for move in self.moves:
            found[move[0]].append((move[1], move))
            found[move[1]].append((move[0], move))
        return found

    @cached_property
    def walks(self) -> dict[tuple[bool, int], set[Walk]]:
        """All walks that visit no cell twice, closed and open, by their number of moves."""
        found: dict[tuple[bool, int], set[Walk]] = {(False, 0): {frozenset()}}

        def go(start: Cell, cell: Cell, seen: set[Cell], made: frozenset[Move]) -> None:
            for target, move in self.ways[cell]:
                if target == start and move not in made and len(made) >= 1:
                    found.setdefault((True, len(made) + 1), set()).add(made | {move})
                if target not in seen:
                    found.setdefault((False, len(made) + 1), set()).add(made | {move})
                    go(start, target, seen | {target}, made | {move})

        for cell in self.cells:
            go(cell, cell, {cell}, frozenset())
        return found

    def tours(self, closed: bool) -> set[Walk]:
        """All tours, as sets of moves."""
        length = len(self.cells) if closed else len(self.cells) - 1
        return self.walks.get((closed, length), set())

    def turns(self, walk: Walk) -> int:
        """Cells where the walk does not go straight on."""
        out: dict[Cell, list[Cell]] = {}
        for tail, head, step in walk:
            out.setdefault(tail, []).append(step)
            out.setdefault(head, []).append(tuple(-d for d in step))
        return sum(len(at) == 2 and at[0] != tuple(-d for d in at[1]) for at in out.values())

    def crossings(self, walk: Walk) -> int:
        """Pairs of moves whose segments cross, on a board in the plane that does not wrap."""
        moves = sorted(walk)
        return sum(crosses(first, second) for i, first in enumerate(moves) for second in moves[:i])


def crosses(first: Move, second: Move) -> bool:
    """Whether two segments have a point inside both."""
    (a, b, _), (c, d, _) = first, second

    def side(p: Cell, q: Cell, r: Cell) -> int:
        turn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        return (turn > 0) - (turn < 0)

    if side(a, b, c) == side(a, b, d) == 0:  # On one line
        low, high = sorted((a, b))
        return min(c, d) < high and max(c, d) > low
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def box(*shape: int) -> tuple[Cell, ...]:
    """All cells of a box."""
    return tuple(product(*map(range, shape)))


def name(cell: Cell) -> str:
    """As kt writes a cell."""
    return f"{'abcdefgh'[cell[0]]}{cell[1] + 1}" if len(cell) == 2 else ",".join(map(str, cell))


BOARDS = [
    *(Tiny(f"{w}x{h}", box(w, h), (0, 0)) for w, h in ((1, 1), (1, 2), (2, 1), (2, 2), (1, 5), (2, 3), (3, 3))),
    Tiny("3x3-b2", tuple(c for c in box(3, 3) if c != (1, 1)), (0, 0)),
    Tiny("2x2-a1", box(2, 2)[1:], (0, 0)),
    Tiny("3x3-a1", box(3, 3)[1:], (0, 0)),
    Tiny("3x4", box(3, 4), (0, 0)),
    Tiny("1x1x1", box(1, 1, 1), (0, 0, 0)),
    Tiny("2x2x2", box(2, 2, 2), (0, 0, 0)),
    Tiny("aztec:1", box(2, 2), (0, 0)),
    *(Tiny(f"torus:{w}x{h}", box(w, h), (w, h)) for w, h in ((1, 1), (1, 2), (2, 2), (1, 3), (2, 3))),
    Tiny("cylinder:3x2", box(3, 2), (3, 0)),
]
LEAPERS = ((1, 2), (0, 1), (1, 1))
ALL = [Tiny(board.text, board.cells, board.period, leaper) for board in BOARDS for leaper in LEAPERS]
FEW = [ALL[3 * number + number % 3] for number in range(len(BOARDS))]
"""Each board with one leaper; with the others the test is slow."""
LIMIT = ["--time-limit", "20", "--workers", "1"]
SOME = pytest.mark.parametrize(
    "board",
    [*FEW, *slow(board for board in ALL if board not in FEW)],
    ids=lambda b: f"{b.text} {b.leaper[0]},{b.leaper[1]}",
)


def told(board: Tiny, *line: str) -> tuple[dict, dict[str, list[str]], int]:
    """What a command answers, as JSON and in rows of words, and its exit status, which is the same for both."""
    words = [line[0], board.text, *line[1:], "--leaper", ",".join(map(str, board.leaper))]
    status, out, _ = answered(*words, "--json")
    data = json.loads(out)
    again, text, complaint = answered(*words)
    assert again == status
    rows: dict[str, list[str]] = {}
    for row in [*text.splitlines(), *complaint.splitlines()]:
        key, _, rest = row.partition("  ")
        rows.setdefault(key.strip(), []).append(rest.strip())
    return data, rows, status


def measured(board: Tiny, metric: str) -> Callable[[Walk], int] | None:
    """What a metric counts here, if the brute force knows that."""
    if metric == "turns":
        return board.turns
    return board.crossings if len(board.period) == 2 and not any(board.period) else None


def require_true(board: Tiny, sentence: str, tours: set[Walk], count: Callable[[Walk], int] | None) -> None:
    """A claim about all tours of a kind is true."""
    if re.match(r"there is no (closed|open) ", sentence):
        assert not tours, sentence
    elif found := re.match(r"at least ([\d,]+) \w+ in every ", sentence):
        assert count is None or all(count(tour) >= number(found[1]) for tour in tours), sentence
    elif found := re.match(r"([\d,]+) \w+ are the fewest of any ", sentence):
        assert tours and (count is None or min(map(count, tours)) == number(found[1])), sentence
    elif found := re.match(r"there (?:are|is) exactly ([\d,]+) ", sentence):
        assert len(tours) == number(found[1]), sentence
    else:
        raise AssertionError(f"a sentence that this test does not know: {sentence}")


def require_true_reason(board: Tiny, reason: str, closed: bool, asked: bool = False) -> None:
    """A reason why there is no tour is true, and enough."""
    cells = set(board.cells)
    if found := re.fullmatch(
        r"removing (.+) splits the board into (\d+) parts; an? (closed|open) tour allows at most (\d+)", reason
    ):
        removed = set(re.split(r", (?=[a-z])", found[1]))
        left = [cell for cell in cells if name(cell) not in removed]
        assert parts(board, left) == int(found[2]) > int(found[4]), reason
        assert int(found[4]) == len(removed) + (not closed) and found[3] == ("closed" if closed else "open"), reason
    elif found := re.search(r"cannot reach every cell: the graph has (\d+) separate parts", reason):
        assert parts(board, list(cells)) == int(found[1]) > 1, reason
    elif found := re.match(r"every move joins two classes of (\d+) and (\d+) cells", reason):
        assert sorted(map(int, found.groups())) in classes(board), reason
        assert abs(int(found[1]) - int(found[2])) > (not closed), reason
    elif found := re.fullmatch(r"(\S+) has (only|no) ?(\d*|one) ?moves?.*", reason):
        cell = next(cell for cell in cells if name(cell) == found[1])
        assert len(board.ways[cell]) < 2, reason
    elif reason == "a closed tour needs at least 3 cells":
        assert closed and len(cells) < 3, reason
    elif not re.search(r"\(.*\d{4}\)$", reason):  # A published theorem
        assert re.search("move|cell|bridge|vertex", reason), reason


def parts(board: Tiny, left: list[Cell]) -> int:
    """How many parts some cells make, joined by moves among them."""
    seen: set[Cell] = set()
    count = 0
    for start in left:
        if start in seen:
            continue
        count += 1
        ahead = [start]
        while ahead:
            cell = ahead.pop()
            if cell not in seen:
                seen.add(cell)
                ahead += [target for target, _ in board.ways[cell] if target in left]
    return count


@lru_cache
def classes(board: Tiny) -> list[list[int]]:
    """The sizes of two classes that every move joins: one choice for each part, any sums."""
    sizes = [[0, 0]]
    seen: dict[Cell, int] = {}
    for start in board.cells:
        if start in seen:
            continue
        seen[start], ahead, count = 0, [start], [0, 0]
        while ahead:
            cell = ahead.pop()
            count[seen[cell]] += 1
            for target, _ in board.ways[cell]:
                if target not in seen:
                    seen[target] = 1 - seen[cell]
                    ahead.append(target)
                assert seen[target] != seen[cell]
        sizes = [[a + count[i], b + count[1 - i]] for a, b in sizes for i in (0, 1)]
    return [sorted(size) for size in sizes]


def number(text: str) -> int:
    return int(text.replace(",", ""))


def lines_of(closed: bool) -> list[str]:
    return [] if closed else ["--open"]


@pytest.mark.slow
@SOME
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_sentences_of_solve_and_find_about_tours_are_true(board: Tiny, closed: bool) -> None:
    tours = board.tours(closed)
    for line in (["solve"], ["solve", "--minimize", "turns"], ["solve", "--minimize", "crossings"], ["find"]):
        metric = line[-1] if "--minimize" in line else ""
        data, rows, status = told(board, *line, *lines_of(closed), *LIMIT)
        count = measured(board, metric) if metric else None
        assert rows["status"] == [data["status"]] and status == 0
        assert (data["status"] == "infeasible") == (not tours), line
        claims = [claim for claim in data.get("claims", []) if not claim.startswith("at least 0 ")]
        assert rows.get("claim", []) == claims
        for claim in data.get("claims", []):
            require_true(board, claim, tours, count)
        if not tours and "reason" in data:
            assert rows["reason"] == [data["reason"]]
            require_true_reason(board, data["reason"], closed)
        if metric and tours:
            assert data["status"] == "optimal" and data["value"] == data["bound"] == data[metric]
            assert count is None or data["value"] == min(map(count, tours))
            assert rows[metric][0].startswith(f"{data['value']} (least")


@SOME
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_bounds_and_counts_are_true(board: Tiny, closed: bool) -> None:
    tours = board.tours(closed)
    for metric in ("turns", "crossings"):
        data, rows, status = told(board, "bound", "--minimize", metric, *lines_of(closed), *LIMIT)
        claims = data.get("claims", [])
        assert rows.get("claim", []) == claims and (status == 0) == bool(claims)
        for claim in claims:
            require_true(board, claim, tours, measured(board, metric))
    orders = list({frozenset(frozenset(move[:2]) for move in tour): tour for tour in tours}.values())
    if closed and len(next(iter(tours), ())) == 2:
        orders = tours  # A closed tour of two cells is its two moves.
    apart = [("--distinguish-moves", tours)] if "torus" in board.text else []
    for line, counted in [("", orders), *apart]:
        data, rows, status = told(board, "enumerate", "--count", *filter(None, [line]), *lines_of(closed), *LIMIT)
        assert status == 0 and data["count"] == len(counted) and rows["claim"] == data["claims"]
        assert rows["count"] == [f"{len(counted):,} tour{'' if len(counted) == 1 else 's'}"]
        require_true(board, data["claims"][0], counted, None)


@SOME
@pytest.mark.parametrize("line", [[], ["--open"], ["--uncrossed"], ["--open", "--uncrossed"]], ids=" ".join)
def test_sentences_about_longest_walks_are_true(board: Tiny, line: list[str], tmp_path: Path) -> None:
    uncrossed, closed = "--uncrossed" in line, "--open" not in line
    if uncrossed and measured(board, "crossings") is None:
        return
    lengths = [
        length
        for (around, length), walks in board.walks.items()
        if around == closed and (not uncrossed or any(not board.crossings(walk) for walk in walks))
    ]
    data, rows, status = told(board, "longest", *line, *LIMIT[:2])
    assert status == 0 and rows["status"] == [data["status"]]
    kind = f"{'uncrossed ' if uncrossed else ''}{'closed' if closed else 'open'} walk"
    if not lengths:
        assert data["status"] == "infeasible" and rows["claim"][0].startswith(f"there is no {kind} ")
    else:
        most = max(lengths)
        assert data["status"] == "optimal" and data["moves"] == data["bound"] == most
        assert rows["moves"] == [str(most)] and rows["claim"][0].startswith(f"no {kind} ")
        assert rows["claim"][0].endswith(f" has more than {most} move{'s' * (most != 1)}")
    path = tmp_path / "walk.json"
    words = ["longest", board.text, *line, "--leaper", ",".join(map(str, board.leaper))]
    assert answered(*words, "-o", path)[0] == 0
    status, text, _ = answered("check", path)
    assert status == 0 and rows["claim"][0] in text and ("with" in text) == bool(lengths)
    assert not ("there is no" in text and "walk verified" in text)


CONDITIONS = [
    board for board in ALL if board.text in ("1x2", "2x2", "2x3", "3x3-b2", "2x2-a1", "1x5", "aztec:1", "1x1")
]


@pytest.mark.slow
@pytest.mark.parametrize("board", CONDITIONS, ids=lambda b: f"{b.text} {b.leaper[0]},{b.leaper[1]}")
def test_sentences_under_conditions_are_true(board: Tiny) -> None:
    for line, closed, kept in conditions(board):
        tours = {tour for tour in board.tours(closed) if kept(tour)}
        data, rows, status = told(board, "solve", *line, "--minimize", "turns", *lines_of(closed), *LIMIT)
        assert status == 0 and (data["status"] == "infeasible") == (not tours), line
        for claim in data.get("claims", []):
            require_true(board, claim, tours, board.turns)
        assert rows.get("claim", []) == [
            claim for claim in data.get("claims", []) if not claim.startswith("at least 0 ")
        ]
        data, _, status = told(board, "enumerate", "--count", *line, *lines_of(closed), *LIMIT)
        assert data["count"] == len(tours), line


def conditions(board: Tiny) -> Iterator[tuple[list[str], bool, Callable[[Walk], bool]]]:
    """What a tour can be asked for, and whether it is so."""

    def degree(tour: Walk, cell: Cell) -> int:
        return sum(cell in move[:2] for move in tour)

    first, last = board.cells[0], board.cells[-1]
    yield ["--from", name(first)], False, lambda tour: degree(tour, first) < 2
    if first != last:
        yield (
            ["--from", name(first), "--to", name(last)],
            False,
            lambda tour: degree(tour, first) == degree(tour, last) == 1,
        )
    for move in board.moves[:2]:
        text = f"{name(move[0])}-{name(move[1])}"
        for closed in (True, False):
            yield ["--require", text], closed, lambda tour, move=move: move in tour
            yield ["--forbid", text], closed, lambda tour, move=move: move not in tour


@pytest.mark.parametrize("board", [b for b in ALL if b.text in ("1x1", "2x2", "3x3", "2x3", "1x2")], ids=str)
def test_magic_best_and_compare(board: Tiny) -> None:
    if board.leaper != (1, 2):
        return
    for closed in (True, False):
        tours = board.tours(closed)
        data, rows, status = told(board, "magic", *lines_of(closed), *LIMIT)
        assert data["status"] == ("feasible" if any(is_magic(board, tour, closed) for tour in tours) else "infeasible")
        assert rows["status"] == [data["status"]] and status == 0
        data, rows, status = told(board, "best", "--minimize", "turns", *lines_of(closed), "--time-limit", "20")
        (best,) = data["best"]
        for claim in best.get("claims", []):
            require_true(board, claim, tours, board.turns)
        assert best["status"] == "unknown" or (best["status"] == "infeasible") == (not tours)
        assert (status == 3) == (best["status"] == "unknown")


def is_magic(board: Tiny, tour: Walk, closed: bool) -> bool:
    """Whether the numbers of some walk along a tour have one sum in all rows, and one in all columns."""
    for order in permutations(board.cells):
        steps = list(zip(order, order[1:] + order[: int(closed)], strict=False))
        if {frozenset(step) for step in steps} == {frozenset(move[:2]) for move in tour}:
            sums = [{}, {}]
            for place, cell in enumerate(order, start=1):
                for axis in (0, 1):
                    sums[axis][cell[axis]] = sums[axis].get(cell[axis], 0) + place
            if all(len(set(of.values())) == 1 for of in sums):
                return True
    return False
