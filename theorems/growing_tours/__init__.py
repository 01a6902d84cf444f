"""Growing tours: a tour with repeatable slabs stays one cycle, so there are tours of all sizes.

- *zone*: neighbouring columns or rows of a seed that may be repeated.
- *slab*: a part of a board, such as the lines between two cuts, of which a larger board has more copies.
- *bundle*: parallel lines that run through a slab together, or places along a side.
- *tangle*: which ports a slab joins, and how many cycles it closes; the powers of a tangle repeat.
- *inflation*: a large board follows from one board D(K), by repeating slabs of it.
- *strands*: rectangles and squares whose interior is filled with lines, which form chains or loops.
- *spirals*: squares whose chains of lines become narrower from side to side and do not end.
- *radial* squares: a quarter turn maps the tour to itself.
- *octants*: boards with few crossings, cut into parts like the octants of a square.
"""

from collections.abc import Mapping
from typing import Any

from kt_models.kernel.certificates.methods import Lemmas, Theorem

ZONES = Lemmas(("windows of turns and crossings",), ("two moves at each cell", "bounds with a slope", "boards served"))
INFLATION = Lemmas((), ("inflation", "any number of copies", "what zones fit"))
BY_KIND = {
    "strands": ZONES + INFLATION + Lemmas((), ("one cycle on all boards",)),
    "strands-squares": ZONES + INFLATION + Lemmas((), ("one cycle on all squares",)),
    "strands-chains": ZONES + INFLATION + Lemmas((), ("one cycle on all squares",)),
    "strands-spirals": ZONES
    + Lemmas(
        ("taking lines away",),
        ("squares that grow", "a step is the same for all sizes", "the first spiral", "shapes of spirals"),
    ),
    "radial": INFLATION
    + Lemmas(
        ("cells of radial squares", "turns of radial squares"),
        ("sides of radial squares", "vectors of radial squares", "boards served"),
    ),
    "octants": Lemmas(
        ("cuts of octants",),
        ("parts of octant squares", "pumping octants", "turns and crossings of octants", "boards of octants"),
    ),
}
HALF_TURN = Lemmas(("a half turn of a family",))


def lemmas(data: Mapping[str, Any]) -> Lemmas:
    """Lemmas on which the claims of a file rest."""
    symmetric = data["kind"].startswith("strands") and any("symmetry" in claim for claim in data["claims"])
    return BY_KIND[data["kind"]] + (HALF_TURN if symmetric else Lemmas())


THEOREM = Theorem(
    "growing-tours",
    files={
        "strands": f"{__package__}.strands",
        "strands-squares": f"{__package__}.strands",
        "strands-chains": f"{__package__}.strands",
        "strands-spirals": f"{__package__}.spirals",
        "radial": f"{__package__}.radial",
        "octants": f"{__package__}.octants",
    },
    lemmas=lemmas,
)
