"""States of one or two words do what plain numbers of Python do, where words end most of all."""

from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from kt_models.limits import NO_LIMITS
from tests.effort import part_of, slow
from theorems.turns.planes import KNIGHT_MOVES, planes
from theorems.turns.sweeps import NEVER, START, CellSweep, SweepStates

ENDS = [0, 1, 31, 62, 63, 64, 65, 66, 126, 127]
MASK = (1 << 64) - 1


def states_of(numbers: list[int], words: int, *excess: list[int]) -> SweepStates:
    """States of plain numbers, in this order, with the excess from each origin."""
    parts = (np.array([number >> 64 * k & MASK for number in numbers], dtype=np.uint64) for k in range(words))
    return SweepStates(tuple(parts), np.array(excess or [[0] * len(numbers)], dtype=np.int64))


def numbers_of(states: SweepStates) -> list[int]:
    return [sum(int(word[i]) << 64 * k for k, word in enumerate(states.words)) for i in range(len(states))]


def some_numbers(rng: Random, words: int, least: int = 0) -> list[int]:
    """Many have few bits, or few that are 0, near the ends of words."""
    found = []
    for _ in range(rng.randrange(least, 9)):
        ends = sum(1 << place for place in set(rng.choices(ENDS, k=rng.randrange(6))))
        number = rng.choice([rng.getrandbits(128), ends, ~ends, (1 << rng.choice(ENDS)) - 1])
        found.append(number & (1 << 64 * words) - 1)
    return found


@pytest.mark.parametrize("words", [1, 2])
def test_bits_of_states(words: int) -> None:
    rng = Random(words)
    for place, count in product([*range(8), *range(56, 72), *range(120, 128)], [0, 1, 2, 8, 9, 63, 64]):
        numbers = some_numbers(rng, words, 1)
        found = states_of(numbers, words).bits(place, count)
        assert found.dtype == np.uint64
        assert found.tolist() == [number >> place & (1 << count) - 1 for number in numbers]


@pytest.mark.parametrize("words", [1, 2])
def test_bits_that_fall_out(words: int) -> None:
    rng = Random(words)
    for count in range(64):
        numbers = some_numbers(rng, words)
        assert numbers_of(states_of(numbers, words).without(count)) == [number >> count for number in numbers]


@pytest.mark.parametrize("words", [1, 2])
def test_bits_that_are_put_in(words: int) -> None:
    """The highest bit of the last word falls out: states have room for what is put in (`CellSweep.words`)."""
    rng, room = Random(words), (1 << 64 * words) - 1
    for place in [*range(64 * words), *ENDS[: 5 * words]]:
        numbers = some_numbers(rng, words, 1)
        wanted = [(number & (1 << place) - 1 | number >> place << place + 1) & room for number in numbers]
        assert numbers_of(states_of(numbers, words).widened(place)) == wanted


def test_states_with_more_words_and_with_fewer() -> None:
    rng = Random(0)
    for _ in range(part_of(100)):
        parts = [(some_numbers(rng, words), words) for words in rng.choices([1, 2], k=rng.randrange(1, 4))]
        joined = SweepStates.joined([states_of(*part) for part in parts], 2)
        assert len(joined.words) == 2
        assert numbers_of(joined) == [number for numbers, _ in parts for number in numbers]
    assert numbers_of(START.wide(2)) == [0]


@pytest.mark.parametrize("words", [1, 2])
def test_each_state_once(words: int) -> None:
    rng = Random(words)
    for _ in range(part_of(600)):
        numbers = rng.choices(some_numbers(rng, words, 1), k=rng.randrange(12))
        excess = [[rng.randrange(4) for _ in numbers] for _ in range(rng.randrange(1, 4))]
        found = states_of(numbers, words, *excess).least_of_each()
        assert numbers_of(found) == sorted({*numbers})
        for least, row in zip(found.excess.tolist(), excess, strict=True):
            assert least == [
                min(e for n, e in zip(numbers, row, strict=True) if n == number) for number in sorted({*numbers})
            ]
        assert found.least == min(map(min, excess), default=None) if numbers else found.least is None


@pytest.mark.parametrize("words", [1, 2])
def test_new_states_are_those_that_are_not_known(words: int) -> None:
    """As `repeated` asks: the known ones are among these, with as much excess, or more."""
    rng = Random(words)
    for _ in range(part_of(600)):
        numbers = sorted({*some_numbers(rng, words), *some_numbers(rng, words)})
        excess = [(rng.randrange(4), rng.choice([rng.randrange(4), NEVER])) for _ in numbers]
        more = ((0, 0), (0, 0), (1, 0), (0, 1))
        old = [
            (n, *np.minimum(np.add(e, rng.choice(more)), NEVER).tolist())
            for n, e in zip(numbers, excess, strict=True)
            if rng.random() < 0.6
        ]
        known = states_of([n for n, *_ in old], words, [e for _, e, _ in old], [e for *_, e in old])
        found = states_of(numbers, words, [e for e, _ in excess], [e for _, e in excess]) - known
        new = [(n, *e) for n, e in zip(numbers, excess, strict=True) if (n, *e) not in old]
        assert list(zip(numbers_of(found), *found.excess.tolist(), strict=True)) == new


def swept(sweep: CellSweep, below: int) -> list[dict[frozenset[tuple[int, int]], int]]:
    """Before each cell: which moves lead on (by the cell, and its move), and the least excess; by sets of Python."""
    place = {cell: k for k, cell in enumerate(sweep.cells)}
    found: list[dict[frozenset[tuple[int, int]], int]] = [{frozenset(): 0}]
    for (x, y), number in place.items():
        following: dict[frozenset[tuple[int, int]], int] = {}
        for state, before in found[-1].items():
            moves = {move for k, move in state if k == number}
            for more, *pair in sweep.options[x, y]:
                numbers = {m: place.get((x + m[0], y + m[1]), -1) for m in pair}
                if moves == {sweep.moves.index(m) for m in pair if 0 <= numbers[m] < number} and before + more < below:
                    later = {(k, sweep.moves.index((-m[0], -m[1]))) for m, k in numbers.items() if k > number}
                    new = frozenset({(k, move) for k, move in state if k > number} | later)
                    following[new] = min(before + more, following.get(new, below))
        found.append(following)
    return found


@pytest.mark.parametrize("seed", [0, *slow([1, 2])])
def test_a_sweep_whose_states_have_two_words(seed: int) -> None:
    """Round a plane that costs nothing: the states that are led on to the end are those of plain sets."""
    rng, ways = Random(seed), KNIGHT_MOVES
    rows = 14 + seed % 2
    cells = [(x, y) for x in range(6) for y in range(rows)]
    plane, options = rng.choice(list(planes())), {}
    for cell in cells:
        dx, dy = plane.direction(*cell)
        # All other moves have bits, too
        dear = [(9, *pair) for pair in combinations(ways, 2)]
        options[cell] = [(0, (dx, dy), (-dx, -dy)), *((1, *rng.sample(ways, 2)) for _ in range(6)), *dear]
    sweep, below = CellSweep(cells, options, 3, ways, NO_LIMITS), 3
    plain, states, most = swept(sweep, below), START, 0
    for number in range(len(cells)):
        states = sweep.advance(states, number, number + 1, below)
        names = [(number + 1 + move // 8, move % 8) for move in sweep.open_moves(number + 1)]
        states_by_name = [
            frozenset(name for k, name in enumerate(names) if bits >> k & 1) for bits in numbers_of(states)
        ]
        excess_of = dict(zip(states_by_name, states.excess[0].tolist(), strict=True))
        most = max(most, len(excess_of))
        # States that some later cell has no pair for are dropped, early or late
        assert excess_of.items() <= plain[number + 1].items()
    assert sweep.words == 2 and excess_of == plain[-1] == {frozenset(): 0} and most > 20


@pytest.mark.parametrize("seed", [0, 1, *slow([2, 3])])
def test_sweeps_from_several_origins(seed: int) -> None:
    """A sweep from many states at once finds what the sweeps from each of them find, and so do columns that repeat."""
    rng, rows = Random(seed), 4
    cells = [(x, y) for x in range(8) for y in range(rows)]
    ways = list(combinations(KNIGHT_MOVES, 2))
    column = [[(rng.choice([0, 0, 1, 2, 3]), *pair) for pair in rng.sample(ways, 20)] for _ in range(rows)]
    sweep, below = CellSweep(cells, {(x, y): column[y] for x, y in cells}, 6, KNIGHT_MOVES, NO_LIMITS), 6
    first = 2 * rows
    starts = sweep.advance(START, 0, first, below)
    starts = starts.select(np.array(rng.sample(range(len(starts)), 5)))
    eye = np.where(np.eye(5, dtype=np.bool_), starts.excess, NEVER)
    together = SweepStates(starts.words, eye).least_of_each()

    def each(states: SweepStates, origin: int) -> dict[int, int]:
        return {n: e for n, e in zip(numbers_of(states), states.excess[origin].tolist(), strict=True) if e < NEVER}

    ahead, (known,) = sweep.advance(together, first, 4 * rows, below), sweep.repeated(together, first, rows, 1, below)
    for k in range(5):
        single = starts.select(np.array([k]))
        assert each(sweep.advance(single, first, 4 * rows, below), 0) == each(ahead, k)
        assert each(sweep.repeated(single, first, rows, 1, below)[0], 0) == each(known, k)
    least = known.least_at(starts)
    wanted = [[each(known, k).get(number, NEVER) for number in numbers_of(starts)] for k in range(5)]
    assert least.tolist() == wanted and len(ahead) > 5 < len(known)
