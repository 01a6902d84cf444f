"""A formula with its refutation, and how lines of the proof name its rows."""

from __future__ import annotations

from typing import NamedTuple

from kt_models.certificates.proofs.zero_one import ZeroOneModel

HEADER = "pseudo-Boolean proof version 1.2"


class CuttingPlanes(NamedTuple):
    """A formula and its refutation."""

    model: ZeroOneModel
    lines: list[str]

    @property
    def proof(self) -> str:
        """The text of a `.pbp` file."""
        return "\n".join(self.lines) + "\n"


def numbers_of(model: ZeroOneModel) -> list[int]:
    """The number of each row as a checker counts; that of an equation turned round is the next one."""
    numbers, number = [], 1
    for row in model.rows:
        numbers.append(number)
        number += 1 + row.equal
    return numbers


def pol(words: list[str], after: str = "") -> str:
    """The line that adds constraints up, each of them as words of `pol`."""
    return "pol " + words[0] + "".join(f" {word} +" for word in words[1:]) + after


def times_row(numbers: list[int], row: int, times: int) -> str:
    """A row so often, as words of `pol`; less than 0 times is an equation turned round."""
    number = numbers[row] + (times < 0)
    return f"{number} {abs(times)} *" if abs(times) != 1 else f"{number}"
