"""Sequences each of whose terms determines the next one: as soon as a term is met again, everything repeats."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Self, TypeVar

from kt_models.errors import CertificateError
from kt_models.limits import Limits

T = TypeVar("T")


@dataclass(frozen=True)
class Repetition(Generic[T]):
    """A sequence that repeats.

    Parameters
    ----------
    terms
        Its first terms, all different.
    start
        Number of the first of these that is met again, counted from 0.
    """

    terms: tuple[T, ...]
    start: int

    @classmethod
    def of(
        cls, sequence: Iterable[T], most: int, message: str, limits: Limits, key: Callable[[T], Hashable] = lambda t: t
    ) -> Self:
        """Follow a sequence until a term is met again.

        Checks Lemma 1 (sequences that repeat).

        Parameters
        ----------
        most
            Most different terms.
        message
            What is wrong if there are more.
        key
            What the next term depends on; two terms are the same if it is.

        Raises
        ------
        CertificateError
            If there are more.
        Stopped
            If a limit is reached.
        """
        known: dict[Hashable, int] = {}
        terms: list[T] = []
        for term in islice(sequence, most + 1):
            limits.check()
            start = known.setdefault(key(term), len(terms))
            if start < len(terms):
                return cls(tuple(terms), start)
            terms.append(term)
        raise CertificateError(message)

    @property
    def period(self) -> int:
        """How many terms later a term is met again, from `start` on."""
        return len(self.terms) - self.start

    def at(self, number: int) -> T:
        """The term of any number."""
        return self.terms[min(number, self.start + (number - self.start) % self.period)]
