"""The recurrences that the numbers of tours of one width satisfy, proved where that can be done.

    python benchmarks/recurrences.py                    3×n and 4×n, closed and open: half a minute
    python benchmarks/recurrences.py 5x closed          the order of closed 5×n modulo a prime: two minutes
    python benchmarks/recurrences.py 3x closed --leaper 1,4
    python benchmarks/recurrences.py --coefficients     with all coefficients and the generating function

The states between two rows are finitely many (`tests.oracle.row_states`), so the numbers satisfy a recurrence of no
larger order. The shortest is found modulo primes (Berlekamp and Massey), put together by the Chinese remainder
theorem, and then tried exactly on as many lengths in a row as there are states, which proves it. Where there are too
many states for that, the shortest recurrence modulo one prime is proved in this way; that of the numbers themselves is
no shorter.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable

import numpy as np

from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.leaper import Leaper
from tests.oracle.row_states import RowMatrix, primes_below, row_matrix

PROVED = 2000
"""States up to which the terms are made exactly, to prove a recurrence."""
AGREE = 3
"""Primes more that must give the same coefficients."""
MOST_PRIMES = 1000
"""Coefficients that have not come together by then are no integers."""


def shortest(terms: list[int], prime: int) -> list[int]:
    """c of the shortest recurrence terms[i] = c[0] terms[i - 1] + ... modulo a prime below 2**31.

    It is determined by the terms, and so shows something, where these are more than twice as many (Massey 1969).
    """
    current, before, longer = np.zeros((3, len(terms) + 1), dtype=np.int64)
    order = _massey(np.array(terms, dtype=np.int64), prime, current, before, longer)
    return [int(-c % prime) for c in current[1 : order + 1]]


@kernel("int64(int64[::1], int64, int64[::1], int64[::1], int64[::1])", counts=False)
def _massey(s: Ints, prime: int, current: Ints, before: Ints, longer: Ints) -> int:
    """The order; `current` gets 1 and the coefficients with the other sign. All three are zeros at first."""
    current[0] = before[0] = 1
    order, gap, last, width = 0, 1, 1, 1
    for i in range(len(s)):
        misses = 0
        for k in range(order + 1):
            misses = (misses + current[k] * s[i - k]) % prime
        if misses == 0:
            gap += 1
            continue
        factor, power, left = misses, last, prime - 2  # Misses / last, by Fermat
        while left:
            if left & 1:
                factor = factor * power % prime
            power = power * power % prime
            left >>= 1
        room = min(width, len(current) - gap)
        for k in range(order + 1):
            longer[k] = current[k]
        for k in range(room):
            current[gap + k] = (current[gap + k] + (prime - factor) * before[k]) % prime
        if 2 * order <= i:
            for k in range(order + 1):
                before[k] = longer[k]
            last, width, order, gap = misses, order + 1, i + 1 - order, 1
        else:
            gap += 1
    return order


def coefficients(modulo: Callable[[int], list[int]]) -> list[int]:
    """Coefficients of the shortest recurrence, from its remainders; `modulo` gives the terms modulo a prime."""
    known: list[int] = []
    modulus, same = 1, 0
    for prime in itertools.islice(primes_below(1 << 31), MOST_PRIMES):
        found = shortest(modulo(prime), prime)
        if len(found) != len(known):
            known, modulus, same = [0] * len(found), 1, 0
        inverse = pow(modulus, -1, prime)
        larger = modulus * prime
        joined = [c + modulus * ((residue - c) * inverse % prime) for c, residue in zip(known, found, strict=True)]
        joined = [(c + larger // 2) % larger - larger // 2 for c in joined]
        same = same + 1 if joined == known else 0
        known, modulus = joined, larger
        if same == AGREE:
            break
    return known


def holds(known: list[int], terms: list[int]) -> bool:
    """Whether terms satisfy a recurrence, from the first to which it applies."""
    return all(
        terms[i] == sum(c * terms[i - 1 - j] for j, c in enumerate(known)) for i in range(len(known), len(terms))
    )


def recurrence(terms: list[int]) -> list[int] | None:
    """The shortest recurrence with integer coefficients, exact on all terms; None if these are too few to tell."""
    prime = next(primes_below(1 << 31))
    if 2 * len(shortest([term % prime for term in terms], prime)) >= len(terms):
        return None
    known = coefficients(lambda prime: [term % prime for term in terms])
    return known if holds(known, terms) else None


def exact_recurrence(matrix: RowMatrix, step: int) -> tuple[list[int], list[int]] | None:
    """Coefficients of a recurrence and its terms, every `step` lengths; None if they do not hold for all lengths."""
    start = start_of(step, matrix)
    known = coefficients(lambda prime: matrix.terms(2 * step * matrix.states + step, prime)[start::step])
    terms = matrix.exact_terms(step * (len(known) + matrix.states) + step)[start::step]
    return (known, terms) if holds(known, terms) else None


def start_of(step: int, matrix: RowMatrix) -> int:
    """Where the even lengths begin, if only these have tours."""
    return matrix.first % 2 if step == 2 else 0


def numerator(known: list[int], terms: list[int]) -> list[int]:
    """Numerator of the generating function, whose denominator is 1 - c[0] z - c[1] z² - ..."""
    denominator = [1, *(-c for c in known)]
    made = [sum(denominator[j] * terms[i - j] for j in range(i + 1)) for i in range(len(known))]
    while made and made[-1] == 0:
        made.pop()
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only these: 3x, closed")
    parser.add_argument("--leaper", default="1,2")
    parser.add_argument("--terms", type=int, metavar="N", help="lengths looked at where no proof is tried")
    parser.add_argument("--coefficients", action="store_true")
    options = parser.parse_args()
    sys.set_int_max_str_digits(0)
    cases = [f"{width}x {kind}" for width, kind in itertools.product((3, 4, 5), ("closed", "open"))]
    for case in cases:
        if not set(options.words) <= set(case.split()) or (not options.words and case.startswith("5")):
            continue
        began = time.process_time()
        matrix = row_matrix(int(case[0]), Leaper.parse(options.leaper), ends=case.endswith("open"))
        few = matrix.terms(12, 2**31 - 1)
        step = 2 if not any(few[1 - matrix.first % 2 :: 2]) and case.endswith("closed") else 1
        print(f"{case[0]}×n {case[3:]}: {matrix.states:,} states between two rows", flush=True)
        if matrix.states > PROVED:
            prime = 2**31 - 1
            terms = matrix.terms(options.terms or 2 * step * matrix.states, prime)[start_of(step, matrix) :: step]
            order = len(shortest(terms, prime))  # Of fewer terms it is no larger, and modulo a prime neither
            sure = len(terms) >= matrix.states + order and 2 * order < len(terms)
            evidence = f"order {order:,} modulo {prime:,}, proved for all lengths" if sure else "order"
            evidence += f", at least {order:,}, every {step} lengths, by {len(terms):,} terms"
        else:
            known = exact_recurrence(matrix, step)
            if known is None:
                evidence = "the recurrence found does not hold"
            else:
                found, proof = known
                order = max((i for i, c in enumerate(found, 1) if c), default=0)
                shift = matrix.first + start_of(step, matrix)
                since = f"from length {shift + step * len(found):,} on, every {step} lengths"
                evidence = f"order {order:,} {since}; proved by {len(proof):,} terms"
                if options.coefficients:
                    print(f"  denominator: {[1, *(-c for c in found[:order])]}")
                    print(f"  numerator, from length {shift}: {numerator(found, proof)}")
        print(f"  {evidence}; {time.process_time() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
