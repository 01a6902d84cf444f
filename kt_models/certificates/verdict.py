"""`Verdict`: what came of checking a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Assertion(Protocol):
    """Something that is claimed: a `Statement`, or its like for families and gadgets."""

    @property
    def text(self) -> str:
        """In words that leave nothing out."""
        ...


@dataclass(frozen=True)
class Fact:
    """A claim that is no more than its words."""

    text: str


@dataclass(frozen=True)
class Verdict:
    """What was shown, and what a file claims besides.

    Parameters
    ----------
    shown
        What was checked, and holds.
    stated
        What the file claims and nothing in it shows; it is only claimed.
    how
        What it rests on.
    """

    shown: tuple[Assertion, ...] = ()
    stated: tuple[Assertion, ...] = ()
    how: str = ""

    @property
    def text(self) -> str:
        """All of it in a line."""
        words = "; ".join(said.text for said in self.shown)
        if self.how:
            words = f"{words} ({self.how})" if words else self.how
        if self.stated:
            claims = "; ".join(said.text for said in self.stated)
            words = f"{words}; claimed, not shown: {claims}" if words else f"claimed, not shown: {claims}"
        return words
