#!/usr/bin/env bash
# Unsigned 64-bit numbers beside signed ones, in numba.
source "$(dirname "$0")/common"
install 'numba==0.68.1' 'numpy==2.4.6'
guess 'In compiled code uint64 with a literal stays unsigned, as x // 2 in NumPy, and a comparison is exact.'
behaviour 'uint64 with int64 is computed as int64: halves of large numbers are negative. == compares as doubles: 2**53 + 1 equals 2**53. x << 64 is x, and 0 in NumPy.'
cat >unsigned.py <<'PYTHON'
import numpy as np
from numba import njit

large, odd = np.array([2**63 + 2], np.uint64), np.array([2**53 + 1], np.uint64)


@njit
def half(values):
    return values[0] // 2


@njit
def equal(values, other):
    return values[0] == other


@njit
def shifted(x, n):
    return x << n


print("x // 2  ", "numba", half(large), "numpy", large[0] // 2)
print("x == y  ", "numba", equal(odd, np.int64(2**53)), "numpy", odd[0] == np.int64(2**53))
print("1 << 64 ", "numba", shifted(np.int64(1), np.int64(64)), "numpy", np.int64(1) << np.int64(64))
PYTHON
seen='x // 2   numba -4611686018427387903 numpy 4611686018427387905
x == y   numba True numpy False
1 << 64  numba 1 numpy 0'
compare python unsigned.py
