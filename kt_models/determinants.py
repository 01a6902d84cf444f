"""Exact signs of sums of products, such as determinants and dot products, for arrays of integers of any size.

Integers whose products fit into 64 bits are multiplied. Larger ones are multiplied as floats first; wherever the error
of that could change the sign, Python's integers decide. No integer has over a hundred digits (`MAX_INTEGER_BITS` in
`kt_models/positions.py`), so that the floats do not overflow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Signs = npt.NDArray[np.int8]
IntegerArray = npt.NDArray[Any]
"""Integers of 64 bits, or Python's (of the type `object`)."""
RELATIVE_ERROR = 2.0**-49
"""More than the error of a product of two rounded integers, and of the sum of a few such products, relative to the sum
of their absolute values: each of the roundings has at most 2**-53."""


def signs(*products: tuple[IntegerArray, IntegerArray]) -> Signs:
    """Sign of the sum of x * y over pairs (x, y) of arrays of one shape: -1, 0 or 1."""
    sizes = [(_most(x), _most(y)) for x, y in products]
    if sum(a * b for a, b in sizes) < 2**63 and all(x.dtype != object and y.dtype != object for x, y in products):
        total = sum((x.astype(np.int64) * y for x, y in products), np.zeros(products[0][0].shape, dtype=np.int64))
        return np.sign(total).astype(np.int8)
    floats = [(x.astype(np.float64), y.astype(np.float64)) for x, y in products]
    near = sum((x * y for x, y in floats), np.zeros(products[0][0].shape))
    bound = RELATIVE_ERROR * sum((np.abs(x * y) for x, y in floats), np.zeros(products[0][0].shape))
    result: Signs = np.sign(near).astype(np.int8)
    for place in np.flatnonzero(~(np.abs(near) > bound)).tolist():
        exact = sum(int(x[place]) * int(y[place]) for x, y in products)
        result[place] = (exact > 0) - (exact < 0)
    return result


def minor_signs(a: IntegerArray, b: IntegerArray, i: int = 0, j: int = 1) -> Signs:
    """Sign of the determinants of two columns of vectors, shape (p,): 1 where b lies to the left of a."""
    return signs((a[:, i], b[:, j]), (-a[:, j], b[:, i]))


def dot_signs(a: IntegerArray, b: IntegerArray) -> Signs:
    """Sign of the dot products of vectors, shape (p,)."""
    return signs(*((a[:, axis], b[:, axis]) for axis in range(a.shape[1])))


def parallel(a: IntegerArray, b: IntegerArray) -> npt.NDArray[np.bool_]:
    """Whether vectors are parallel: all their minors are 0. A vector 0 is parallel to all."""
    yes = np.ones(len(a), dtype=bool)
    for i in range(a.shape[1]):
        for j in range(i + 1, a.shape[1]):
            left = np.flatnonzero(yes)
            yes[left] = minor_signs(a[left], b[left], i, j) == 0
    return yes


def _most(array: IntegerArray) -> int:
    """The largest absolute value."""
    return max(abs(int(array.max())), abs(int(array.min()))) if array.size else 0
