"""What the hot loops share: how they are compiled and one small random generator.

numba, which takes half a second to import, is loaded when a loop is first run: until then a module with loops in it
costs nothing, so what a method is and which parameters it has can be read from it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["adjacent", "below", "kernel", "random_state"]


class kernel:
    """A function that is compiled when it is first called, by `kt_models.jit.kernel`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function

    @cached_property
    def machine_code(self) -> Callable[..., Any]:
        """The machine code, and before it that of all it calls, whose names then stand for the machine code itself."""
        from kt_models.jit import kernel as compile_kernel

        names = self.py_func.__globals__
        for name in self.py_func.__code__.co_names:
            if isinstance(names.get(name), kernel):
                names[name] = names[name].machine_code
        return compile_kernel(self.py_func)

    def __call__(self, *arguments: Any) -> Any:
        return self.machine_code(*arguments)


def random_state(rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    """The state of the generator that `below` draws from: one number, not 0."""
    return rng.integers(1, 2**63, size=1, dtype=np.uint64)


@kernel
def below(state: npt.NDArray[np.uint64], k: int) -> int:
    """A pseudorandom integer in [0, k): xorshift (Marsaglia 2003).  numba's own generator is global to a thread."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return np.int64(x >> np.uint64(33)) % k  # type: ignore[return-value]  # numba makes it a plain integer


@kernel
def adjacent(indptr: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32], u: int, v: int) -> bool:
    """Whether two vertices of a graph in CSR form are joined: the shorter of their two lists is read."""
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v = v, u
    for slot in range(indptr[u], indptr[u + 1]):  # noqa: SIM110 -- numba has no `any` of a generator
        if neighbours[slot] == v:
            return True
    return False
