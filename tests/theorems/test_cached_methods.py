"""Methods whose results are kept with their object, and no longer."""

import gc
import weakref

from theorems.turns.cached_methods import cached_method


class Asked:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    @cached_method
    def cells(self, width: int, *, height: int = 1) -> list[int]:
        """Cells of a board."""
        self.asked += 1
        return list(range(width * height))


def test_results_are_found_once_for_each_object() -> None:
    one, other = Asked(), Asked()
    assert one.cells(3) is one.cells(3) and one.cells(2, height=4) == [*range(8)]
    assert (one.asked, other.asked) == (2, 0)
    assert other.cells(3) is not one.cells(3) and other.asked == 1


def test_objects_are_given_up() -> None:
    one = Asked()
    one.cells(3)
    left = weakref.ref(one)
    del one
    gc.collect()
    assert left() is None
