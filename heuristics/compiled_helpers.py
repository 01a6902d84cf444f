"""Helpers of the compiled loops: grouping, random numbers, adjacency, union-find, and the list of all kernels."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kt_models.jit import Kernel, kernel
from kt_models.kernel.certificates.integers import Ints


def random_state(rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    """The state of the generator of `below`: one nonzero number."""
    return rng.integers(1, 2**63, size=1, dtype=np.uint64)


def grouped(rows: Ints, values: Ints, height: int) -> tuple[Ints, Ints]:
    """Values grouped by row, in the given order: offsets, shape (height + 1,), and values."""
    order = np.argsort(rows, kind="stable")
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=height))]).astype(np.int64), values[order]


@kernel("int64(uint64[::1], int64)")
def below(state: npt.NDArray[np.uint64], k: int) -> int:
    """A pseudorandom integer in [0, k): xorshift (Marsaglia 2003), as numba's generator is global to a thread."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return np.int64(x >> np.uint64(33)) % k  # type: ignore[return-value]  # numba makes it a plain integer


@kernel("boolean(int64[::1], int32[::1], int64, int64)")
def adjacent(indptr: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32], u: int, v: int) -> bool:
    """Whether two vertices of a graph in CSR form are adjacent; it reads the shorter of their two lists."""
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v = v, u
    for slot in range(indptr[u], indptr[u + 1]):  # noqa: SIM110 -- numba has no `any` of a generator
        if neighbours[slot] == v:
            return True
    return False


@kernel("int64(int32[::1], int64)")
def find_root(root: npt.NDArray[np.int32], u: int) -> int:
    """The root of a vertex in a union-find, where each vertex points nearer to it."""
    while root[u] != u:
        # Path halving: every second vertex of the way is pointed nearer to the root, at no extra pass.
        root[u] = root[root[u]]
        u = root[u]
    return u


def kernels(*packages: str) -> list[Kernel]:
    """All kernels with a signature in some packages, each once; modules whose solver is not installed have none."""

    def modules() -> Iterator[object]:
        for package in packages:
            path = importlib.import_module(package).__path__
            for module in pkgutil.walk_packages(path, f"{package}."):
                try:
                    yield importlib.import_module(module.name)
                except ModuleNotFoundError as error:
                    if (error.name or "").startswith(packages):
                        raise

    every = [v for module in modules() for v in vars(module).values() if isinstance(v, Kernel) and v.signature]
    return list(dict.fromkeys(every))
