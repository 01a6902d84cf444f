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
    first, second = Asked(), Asked()
    assert first.cells(3) is first.cells(3) and first.cells(2, height=4) == [*range(8)]
    assert (first.asked, second.asked) == (2, 0)
    assert second.cells(3) is not first.cells(3) and second.asked == 1


def test_objects_are_given_up() -> None:
    asked = Asked()
    asked.cells(3)
    left = weakref.ref(asked)
    del asked
    gc.collect()
    assert left() is None
