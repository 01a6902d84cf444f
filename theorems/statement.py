"""`FamilyStatement`: a claim about boards of all sizes, comparable and in words.

Its text depends on nothing else and leaves nothing out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Generic, Literal, TypeVar

from kt_models.errors import CertificateError, KTError
from kt_models.json_values import fraction, integer, integers
from kt_models.json_version import read_document
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import Limits
from kt_models.metrics import BOARD_METRICS

Shape = Literal["rectangles", "long rectangles", "squares", "aztec diamonds"]
Relation = Literal["at-least", "at-most"]
SHAPES = ("rectangles", "long rectangles", "squares", "aztec diamonds")
TURNS = {"rot180": "a half turn", "rot90": "a quarter turn"}
MAX_NUMBER = 2**40
"""Largest numerator, denominator or size in a claim."""
MAX_MODULUS = 1000
MAX_CLAIMS = 8
MAX_LEAPER_TEXT = 20
MAX_HOLES = 100


@dataclass(frozen=True)
class Boards:
    """A class of boards.

    Parameters
    ----------
    shape
        Rectangles w x h, long ones, where w is the shorter side, squares n x n, or Aztec diamonds of radius n.
    least
        Least value of both sides, of the side, or of the radius.
    modulus, residues
        Only sizes (w h of a rectangle, w of a long one, n of the others) that leave one of these remainders; modulus 1
        for all.
    sides
        Instead of `residues`, the remainders of the two sides: of rectangles the lesser first, of long ones that of the
        shorter side first. A board turned over is the same board.
    gap
        For long rectangles: the least difference h - w.
    holes
        The number of cells that each board lacks, anywhere.
    """

    shape: Shape
    least: int
    modulus: int = 1
    residues: tuple[int, ...] = (0,)
    sides: tuple[int, ...] = ()
    gap: int = 0
    holes: int = 0

    def __post_init__(self) -> None:
        if self.holes and self.shape not in ("rectangles", "squares"):
            raise KTError("only rectangles and squares can lack cells")
        if self.shape not in SHAPES:
            raise KTError(f"unknown shape of boards {self.shape!r}")
        good = all(0 <= r < self.modulus for r in self.residues) and list(self.residues) == sorted({*self.residues})
        if not good or not self.residues:
            raise KTError("the residues of a class of boards are different numbers below the modulus, in order")
        if self.gap and self.shape != "long rectangles":
            raise KTError("only long rectangles have a gap between the sides")
        if len(self.residues) == self.modulus and self.modulus > 1:
            raise KTError("a class of all boards has the modulus 1")
        if self.sides and (self.shape not in ("rectangles", "long rectangles") or self.residues != (0,)):
            raise KTError("only rectangles have remainders of both sides, and then no other remainders")
        if self.sides and not (len(self.sides) == 2 and all(0 <= r < self.modulus != 1 for r in self.sides)):
            raise KTError("the remainders of both sides are two numbers below the modulus")
        if self.shape == "rectangles" and list(self.sides) != sorted(self.sides):
            raise KTError("the remainders of both sides are in order")

    @property
    def text(self) -> str:
        """The class in words: `board w x h with w, h >= 12 and w h = 0 (mod 2)`."""
        size = {"rectangles": "w h", "long rectangles": "w"}.get(self.shape, "n")
        less = f" less {'one cell' if self.holes == 1 else f'{self.holes} cells'}" if self.holes else ""
        which = {
            "rectangles": f"board w x h{less} with w, h >= {self.least}",
            "long rectangles": f"board w x h with w >= {self.least} and h >= w{f' + {self.gap}' if self.gap else ''}",
            "squares": f"board n x n{less} with n >= {self.least}",
            "aztec diamonds": f"Aztec diamond of radius n >= {self.least}",
        }[self.shape]
        if self.modulus == 1:
            return which
        if self.sides:
            return f"{which} and w = {self.sides[0]}, h = {self.sides[1]} (mod {self.modulus})"
        return f"{which} and {size} = {' or '.join(map(str, self.residues))} (mod {self.modulus})"

    def includes(self, *size: int, holes: int = 0) -> bool:
        """Whether a board is in the class, given its columns and rows, or its side or radius, and its missing cells."""
        if holes != self.holes:
            return False
        if self.shape in ("squares", "aztec diamonds") and len({*size}) > 1:
            return False
        if self.shape == "long rectangles" and max(size) - min(size) < self.gap:
            return False
        if self.sides:
            remainders = [side % self.modulus for side in sorted(size)]
            in_order = remainders if self.shape == "long rectangles" else sorted(remainders)
            return min(size) >= self.least and tuple(in_order) == self.sides
        product = size[0] * size[1] if self.shape == "rectangles" else min(size)
        return min(size) >= self.least and product % self.modulus in self.residues

    def remainders(self, modulus: int) -> set[int]:
        """Remainders of the sides of squares, or of radii, modulo a number."""
        sizes = range(self.least, self.least + lcm(modulus, self.modulus))
        return {size % modulus for size in sizes if self.includes(size, holes=self.holes)}


@dataclass(frozen=True)
class Bound:
    """A bound on turns or crossings: at least, or at most, slope * (w + h) + constant, or slope * n + constant."""

    relation: Relation
    metric: str
    slope: Fraction
    constant: Fraction

    def __post_init__(self) -> None:
        if self.relation not in ("at-least", "at-most") or self.metric not in BOARD_METRICS:
            raise KTError("a bound says 'at-least' or 'at-most' of a metric")

    def at(self, size: int) -> Fraction:
        """The bound for w + h, or for n."""
        return self.slope * size + self.constant

    def text(self, size: str) -> str:
        """The bound in words: `at least 4 (w + h) - 24 turns`."""
        slope = size if self.slope == 1 else f"{self.slope} {size}"
        constant = f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}" if self.constant else ""
        return f"{self.relation.replace('-', ' ')} {slope}{constant} {self.metric}"


@dataclass(frozen=True)
class FamilyStatement:
    """A claim about all boards of a class.

    Parameters
    ----------
    boards
        The class of boards.
    leaper
        The piece.
    closed
        Whether the claim is about closed tours.
    bounds
        All `at-least`: every tour of each board keeps them. All `at-most`: each board has a tour that keeps them, all
        at once. None: each board has a tour.
    symmetry
        A turn that maps the tours of the claim to themselves, or an empty string.

    Raises
    ------
    KTError
        If these are inconsistent.
    """

    boards: Boards
    leaper: Leaper = KNIGHT
    closed: bool = True
    bounds: tuple[Bound, ...] = ()
    symmetry: str = ""

    def __post_init__(self) -> None:
        relations = {bound.relation for bound in self.bounds}
        if len(relations) > 1 or len({bound.metric for bound in self.bounds}) < len(self.bounds):
            raise KTError("the bounds of a statement are all from below or all from above, one for a metric")
        if self.boards.holes and (self.symmetry or {"turns"} != {bound.metric for bound in self.bounds} or self.exists):
            raise KTError("of boards that lack cells only bounds of turns from below are claimed, without a symmetry")
        if self.symmetry and self.symmetry not in TURNS:
            raise KTError(f"a symmetry of a claim is {' or '.join(TURNS)}")

    @property
    def exists(self) -> bool:
        """Whether the claim says that tours exist, rather than something about all tours."""
        return not any(bound.relation == "at-least" for bound in self.bounds)

    def half_perimeter_bound(self, metric: str) -> Bound:
        """The single lower bound on a metric of rectangles or squares, in terms of w + h even for squares.

        Raises
        ------
        CertificateError
            If the statement has another form.
        """
        if self.boards.shape not in ("rectangles", "squares") or self.exists or len(self.bounds) != 1:
            raise CertificateError(f"{metric}: a claim is 'at-least' on rectangles or squares")
        bound = self.bounds[0]
        if bound.metric != metric:
            raise CertificateError(f"{metric}: the claim is on another metric")
        # w + h of a square is 2 n.
        return replace(bound, slope=bound.slope / 2) if self.boards.shape == "squares" else bound

    @cached_property
    def text(self) -> str:
        """In words: `every closed knight's tour of a board w x h with w, h >= 12 has at least 4 (w + h) - 24 turns`."""
        tour = tour_of(self.leaper, self.closed)
        size = "(w + h)" if self.boards.shape in ("rectangles", "long rectangles") else "n"
        bounds = " and ".join(bound.text(size) for bound in self.bounds)
        symmetry = f" that {TURNS[self.symmetry]} maps to itself" if self.symmetry else ""
        if not self.exists:
            article = "an" if self.boards.shape == "aztec diamonds" else "a"
            return f"every {tour}{symmetry} of {article} {self.boards.text} has {bounds}"
        return f"every {self.boards.text} has a{'' if self.closed else 'n'} {tour}{symmetry}" + (
            f" with {bounds}" if bounds else ""
        )

    def __str__(self) -> str:
        return self.text


def tour_of(leaper: Leaper, closed: bool) -> str:
    """A kind of tour in words: `closed knight's tour`."""
    return f"{'closed' if closed else 'open'} {leaper.piece}'s tour"


# -- the claim of a file -----------------------------------------------------------------------------------------------


def document_of(data: Any, kind: str) -> dict[str, Any]:
    """A file of a kind, in the current version of its format.

    Raises
    ------
    CertificateError
        If the file is of another kind.
    KTError
        If the version cannot be read.
    """
    if type(data) is not dict or data.get("kind") != kind:
        raise CertificateError(f"not a file of kind {kind!r}")
    return read_document(data, kind)


def claims_of(data: Any, kind: str) -> tuple[FamilyStatement, ...]:
    """Distinct claims of a file of a kind, under its key `claims` (docs/use/format.md).

    Raises
    ------
    CertificateError
        If the file is of another kind, or its claims are malformed.
    KTError
        If its version cannot be read, or it claims nothing.
    """
    claims = document_of(data, kind).get("claims")
    if claims == []:
        raise KTError("it claims nothing that could be checked")
    if type(claims) is not list or len(claims) > MAX_CLAIMS:
        raise CertificateError(f"'claims' is not a list of at most {MAX_CLAIMS} claims")
    statements = tuple(map(_claim, claims))
    if len(set(statements)) < len(statements):
        raise CertificateError("a claim occurs twice")
    return statements


def _claim(claim: Any) -> FamilyStatement:
    if type(claim) is not dict:
        raise CertificateError("a claim is not an object")
    _known_keys(claim, ("boards", "leaper", "closed", "bounds", "symmetry"), "claim")
    boards, bounds = claim.get("boards"), claim.get("bounds", [])
    if type(boards) is not dict or type(bounds) is not list or len(bounds) > len(BOARD_METRICS):
        raise CertificateError("claim: 'boards' is not an object, or 'bounds' is not a short list")
    if type(claim.get("closed")) is not bool or type(claim.get("leaper")) is not str:
        raise CertificateError("claim: 'closed' is not true or false, or 'leaper' is not a text")
    if type(claim.get("symmetry", "")) is not str or type(boards.get("shape")) is not str:
        raise CertificateError("claim: 'symmetry' or 'shape' is not a text")
    _known_keys(boards, ("shape", "least", "modulus", "residues", "sides", "gap", "holes"), "claim: boards")
    try:
        modulus = integer(boards.get("modulus", 1), "modulus", 1, MAX_MODULUS)
        residues = boards.get("residues", [0])
        if type(residues) is not list or len(residues) > modulus:
            raise CertificateError("claim: 'residues' is not a list of remainders")
        return FamilyStatement(
            Boards(
                boards["shape"],
                integer(boards.get("least"), "least", 1, MAX_NUMBER),
                modulus,
                tuple(integer(r, "residues", 0, modulus - 1) for r in residues),
                tuple(integers(boards["sides"], "sides", 0, modulus - 1)) if "sides" in boards else (),
                integer(boards.get("gap", 0), "gap", 0, MAX_NUMBER),
                integer(boards.get("holes", 0), "holes", 0, MAX_HOLES),
            ),
            leaper_of(claim["leaper"]),
            claim["closed"],
            tuple(_bound(bound) for bound in bounds),
            claim.get("symmetry", ""),
        )
    except KTError as error:
        raise CertificateError(f"claim: {error}") from None


def leaper_of(text: str) -> Leaper:
    """The leaper of a claim.

    Raises
    ------
    KTError
        If the text is not a leaper, or too long.
    """
    if len(text) > MAX_LEAPER_TEXT:
        raise KTError(f"leaper {text[:MAX_LEAPER_TEXT]!r}...: the text is too long")
    return Leaper.parse(text)


M = TypeVar("M")


def sharing(cells: int, follow: Callable[[M, Limits, int], int]) -> Callable[[M, Limits], None]:
    """Make `FamilyKind.prove` with a number of cells that all families of a file share.

    Parameters
    ----------
    follow
        Shows that each board of a family has the tour, and returns the number of cells that it followed, at most its
        last argument.
    """
    left = cells

    def prove(family: M, limits: Limits) -> None:
        nonlocal left
        left -= follow(family, limits, left)

    return prove


@dataclass(frozen=True)
class FamilyKind(Generic[M]):
    """A kind of files of tour families; each claim says that closed knight's tours exist, and some families show it.

    Parameters
    ----------
    kind
        The kind of the file.
    key, most
        The key of the families in the file, and their greatest number.
    shapes
        Shapes of the boards that a claim may be about.
    read, prove
        Makes a family from a JSON object; shows that each of its boards has the tour.
    satisfies, check_covered
        Whether every tour of a family satisfies a claim; checks that families have each board of a claim.
    symmetric
        Whether a claim may name a symmetry.
    """

    kind: str
    key: str
    max_families: int
    shapes: Sequence[str]
    read: Callable[[Any], M]
    prove: Callable[[M, Limits], object]
    satisfies: Callable[[M, FamilyStatement], bool]
    check_covered: Callable[[list[M], FamilyStatement], None]
    symmetric: bool = False

    def check(self, data: Any, limits: Limits) -> tuple[FamilyStatement, ...]:
        """Check the claims of a file.

        Raises
        ------
        CertificateError
            If a claim is not shown, or the data are malformed.
        Stopped
            If a limit is reached.
        """
        data = document_of(data, self.kind)
        claims, entries = claims_of(data, self.kind), data.get(self.key)
        if type(entries) is not list or not 1 <= len(entries) <= self.max_families:
            raise CertificateError(f"{self.kind}: {self.key!r} is not a list of 1 to {self.max_families} entries")
        families = [self.read(entry) for entry in entries]
        for family in families:
            self.prove(family, limits)
        for claim in claims:
            if claim.boards.shape not in self.shapes or not claim.exists or not claim.closed:
                raise CertificateError(f"{self.kind}: a claim is that {' or '.join(self.shapes)} have closed tours")
            if claim.leaper != KNIGHT or (claim.symmetry and not self.symmetric):
                also = "" if self.symmetric else ", without a symmetry"
                raise CertificateError(f"{self.kind}: a claim is about knights{also}")
            kept = []
            for family in families:
                limits.check()
                if self.satisfies(family, claim):
                    kept.append(family)
            self.check_covered(kept, claim)
        return claims


def claim_to_json(statement: FamilyStatement) -> dict[str, Any]:
    """The JSON object that `claims_of` reads."""
    boards = statement.boards
    return {
        "boards": {
            "shape": boards.shape,
            "least": boards.least,
            **({"modulus": boards.modulus} if boards.modulus > 1 else {}),
            **({"sides": list(boards.sides)} if boards.sides else {}),
            **({"gap": boards.gap} if boards.gap else {}),
            **({"holes": boards.holes} if boards.holes else {}),
            **({"residues": list(boards.residues)} if boards.modulus > 1 and not boards.sides else {}),
        },
        "leaper": str(statement.leaper),
        "closed": statement.closed,
        **({"symmetry": statement.symmetry} if statement.symmetry else {}),
        "bounds": [
            {
                "relation": bound.relation,
                "metric": bound.metric,
                "slope": [bound.slope.numerator, bound.slope.denominator],
                "constant": [bound.constant.numerator, bound.constant.denominator],
            }
            for bound in statement.bounds
        ],
    }


def _bound(data: Any) -> Bound:
    if type(data) is not dict or type(data.get("relation")) is not str or type(data.get("metric")) is not str:
        raise CertificateError("a bound has a 'relation' and a 'metric'")
    _known_keys(data, ("relation", "metric", "slope", "constant"), "a bound")
    return Bound(
        data["relation"],
        data["metric"],
        fraction(data.get("slope"), MAX_NUMBER),
        fraction(data.get("constant"), MAX_NUMBER),
    )


def _known_keys(data: dict[str, Any], known: tuple[str, ...], name: str) -> None:
    if unknown := set(data) - set(known):
        raise CertificateError(f"{name}: {str(min(unknown))[:20]!r} is not one of its keys")
