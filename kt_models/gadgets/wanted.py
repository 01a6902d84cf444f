"""`Wanted`: the pairings of a frame's ports that a search accepts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import combinations, permutations
from typing import Any

from kt_models.errors import KTError
from kt_models.fields import require_only
from kt_models.gadgets.frame import MATCHINGS, MAX_COORDINATE, Frame, matching_of
from kt_models.gadgets.gadget import Gadget, Path
from kt_models.json_values import is_boolean, is_integer

MAX_PAIRED = 10
"""Most ports for which all pairings are enumerated beforehand: 945."""

Pairing = frozenset[frozenset[int]]


@dataclass(frozen=True)
class Wanted:
    """Conditions on the pairings of the ports; all of them must hold.

    Parameters
    ----------
    through
        Whether every path must run from a port that enters to one that leaves.
    matchings
        For one quartet: the letters allowed (`H`, `V`, `X`). For two: conditions that must all hold, written `H>V`.
    joined
        Pairs of ports that must be joined.
    linked
        Pairs of ports joined outside; together with them the paths must make one cycle. None for no such condition.
    drift
        Of a periodic frame: how many periods from where its ports say every path leaves, seen from its lower
        port; strands are not allowed then. None for no such condition.
    """

    through: bool = False
    matchings: tuple[str, ...] = ()
    joined: tuple[tuple[int, int], ...] = ()
    linked: tuple[tuple[int, int], ...] | None = None
    drift: int | None = None

    def check(self, frame: Frame) -> None:
        """Raise `KTError` if the conditions do not fit a frame."""
        leaving = sum(port.leaves for port in frame.ports)
        if self.through and 2 * leaving != len(frame.ports):
            raise KTError(f"{len(frame.ports) - leaving} ports enter and {leaving} leave: no way to pair them")
        letters = set(MATCHINGS) if len(frame.quartets) == 1 else {f"{a}>{b}" for a in MATCHINGS for b in MATCHINGS}
        for text in self.matchings:
            if len(frame.quartets) not in (1, 2):
                raise KTError(f"matching {text}: the ports are not one or two quartets")
            if text not in letters:
                single = len(frame.quartets) == 1
                form = "H, V or X" if single else "written H>V: entered as H, left as V"
                raise KTError(
                    f"matching {text}: with {'one quartet' if single else 'two quartets'} a matching is {form}"
                )
        if self.linked is not None and sorted(k for pair in self.linked for k in pair) != list(range(len(frame.ports))):
            raise KTError(f"one cycle: each of the {len(frame.ports)} ports has to be linked outside to one other")
        if self.drift is not None and not frame.periodic:
            raise KTError("drift: only of a periodic region")
        if abs(self.drift or 0) >= MAX_COORDINATE:
            raise KTError(f"drift: it is below {MAX_COORDINATE:,}")
        for a, b in self.joined:
            if not (0 <= a < len(frame.ports) and 0 <= b < len(frame.ports)) or a == b:
                raise KTError(f"join {a}-{b}: the ports are numbered 0 to {len(frame.ports) - 1}")

    def allows(self, frame: Frame, pairing: Pairing) -> bool:
        if any(frozenset(pair) not in pairing for pair in self.joined):
            return False
        if self.through and any(len({frame.ports[k].leaves for k in pair}) == 1 for pair in pairing):
            return False
        if self.linked is not None and not _one_cycle(pairing, self.linked):
            return False
        if not self.matchings:
            return True
        words = set((matching_of(frame, pairing) or "").split())
        return bool(words & set(self.matchings)) if len(frame.quartets) == 1 else words >= set(self.matchings)

    def admits(self, gadget: Gadget) -> bool:
        """Whether a gadget is wanted."""
        drifts = {drift_of(gadget.frame, path) for path in gadget.paths} if self.drift is not None else {None}
        return self.allows(gadget.frame, gadget.pairing) and drifts <= {self.drift}

    def pairs(self, frame: Frame) -> set[frozenset[int]]:
        """Pairs of ports in some wanted pairing (or in a possible one, if there are too many to enumerate)."""
        count = len(frame.ports)
        if count > MAX_PAIRED:
            return {frozenset(pair) for pair in combinations(range(count), 2)}
        return {pair for pairing in self.pairings(frame) for pair in pairing}

    def pairings(self, frame: Frame) -> list[Pairing]:
        """Wanted pairings of at most `MAX_PAIRED` ports."""
        return [p for p in _pairings(tuple(range(len(frame.ports)))) if self.allows(frame, p)]

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions on the ports in words."""
        parts = ["each path from a port that is not marked out to one that is"] if self.through else []
        if self.matchings:
            parts.append(f"matched as {' '.join(self.matchings)}")
        if self.joined:
            parts.append(f"joined {_pairs(self.joined)}")
        if self.linked is not None:
            parts.append(f"in one cycle with ports joined outside {_pairs(self.linked)}")
        if self.drift is not None:
            parts.append(f"each path drifting by {self.drift} periods")
        return tuple(parts)

    @classmethod
    def from_json(cls, data: Any) -> Wanted:
        """Read the conditions of a JSON object with the keys `through`, `matchings`, `joined`, `linked`, `drift`.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        """
        if not isinstance(data, dict):
            raise KTError("'wanted' is missing or is not an object")
        require_only(data, (field.name for field in fields(cls)), "what is wanted of a gadget")
        through, matchings, drift = data.get("through"), data.get("matchings"), data.get("drift")
        if not is_boolean(through) or not (drift is None or is_integer(drift)):
            raise KTError("'through' or 'drift' is of the wrong type")
        if not isinstance(matchings, list) or not all(isinstance(text, str) for text in matchings):
            raise KTError("'matchings' is not a list of texts")
        linked = data.get("linked")
        pairs = None if linked is None else _pairs_of_json(linked)
        return cls(through, tuple(matchings), _pairs_of_json(data.get("joined")), pairs, drift)


def drift_of(frame: Frame, path: Path) -> int | None:
    """Periods by which a path leaves its place, seen from its lower port; `None` for a strand."""
    axis = 0 if frame.period[0] else 1
    if path.end is None or not frame.periodic:
        return None
    return (path.cells[-1][axis] - frame.ports[path.end].cell[axis]) // frame.period[axis]


def _pairs_of_json(data: Any) -> tuple[tuple[int, int], ...]:
    if isinstance(data, list):
        pairs = [tuple(row) for row in data if isinstance(row, list)]
        if len(pairs) == len(data) and all(len(pair) == 2 and all(is_integer(k) for k in pair) for pair in pairs):
            return tuple((a, b) for a, b in pairs)
    raise KTError("'joined' or 'linked' is not a list of pairs of ports")


def _pairs(pairs: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{a}-{b}" for a, b in pairs)


def _one_cycle(pairing: Pairing, linked: tuple[tuple[int, int], ...]) -> bool:
    inside = {a: b for pair in pairing for a, b in permutations(pair, 2)}
    outside = {a: b for pair in linked for a, b in permutations(pair, 2)}
    port, count = 0, 0
    while inside:
        # Walks through the region, then outside, until it returns to port 0
        port, count = outside[inside[port]], count + 2
        if port == 0:
            return count == len(inside)
    return False


def _pairings(ports: tuple[int, ...]) -> list[Pairing]:
    if not ports:
        return [frozenset()]
    first, rest = ports[0], ports[1:]
    return [
        pairing | {frozenset((first, partner))}
        for partner in rest
        for pairing in _pairings(tuple(k for k in rest if k != partner))
    ]
