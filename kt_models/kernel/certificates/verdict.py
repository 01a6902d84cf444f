"""`Verdict`: the outcome of checking a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kt_models.display import html


class Assertion(Protocol):
    """A claim: a `Statement`, or its counterpart for families and gadgets."""

    @property
    def text(self) -> str:
        """The claim in words, complete."""
        ...


@dataclass(frozen=True)
class Fact:
    """A claim that consists only of its words."""

    text: str


@dataclass(frozen=True)
class Verdict:
    """The claims that a check showed, and those that the file only makes.

    Parameters
    ----------
    shown
        Claims that were checked and hold.
    stated
        Claims that the file makes without proof.
    how
        What it rests on.
    """

    shown: tuple[Assertion, ...] = ()
    stated: tuple[Assertion, ...] = ()
    how: str = ""

    def _repr_html_(self) -> str | None:
        return html(self)

    @property
    def text(self) -> str:
        """The verdict in one line."""
        words = "; ".join(claim.text for claim in self.shown)
        if self.how:
            words = f"{words} ({self.how})" if words else self.how
        if self.stated:
            claims = "; ".join(claim.text for claim in self.stated)
            words = f"{words}; claimed, not shown: {claims}" if words else f"claimed, not shown: {claims}"
        return words
