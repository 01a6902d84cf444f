"""The tables of section 5 of Davies, Xue and Yerger (2017), with their figures, and one of our own.

`spread` examines the paper's conjecture that the distribution of the degrees matters. All its graphs have average
degree 10. Half the vertices have degree 10 - k and half 10 + k, which raises the variance from 0 to 9, while the least
degree falls only from 10 to 7. `low` and `high` have nearly the variance of the last of these (9.2), but are skewed: a
fifth of the vertices has degree 4 (which is then the least) or 16 (then the least is 8). G(n, p) has a variance of
about 10 and vertices of degree 2. So the effects of the variance and of the vertices of low degree can be
distinguished.
"""

from __future__ import annotations

from dataclasses import dataclass

from heuristics.papers.aztec.graphs import GraphFamily
from kt_models.errors import KTError, unknown

VERTICES = 1000
SPREAD = ("0", "1", "2", "3", "low", "high", "p")
SPREAD_DEGREE = 10


@dataclass(frozen=True)
class Printed:
    """A row of the paper: two percentages, each with its fraction."""

    conversion: float
    cycles: int
    paths: int
    success: float
    graphs_with_cycle: int
    graphs_with_path: int

    @property
    def misprints(self) -> tuple[str, ...]:
        """The percentages that differ from their fractions."""
        wrong = []
        if abs(100 * self.cycles / self.paths - self.conversion) > 0.0051:
            wrong.append("conversion")
        if abs(100 * self.graphs_with_cycle / self.graphs_with_path - self.success) > 0.0051:
            wrong.append("success")
        return tuple(wrong)


@dataclass(frozen=True)
class PaperRow:
    """A row: a distribution of graphs, and the paper's measurements."""

    table: str
    key: str
    family: GraphFamily
    printed: Printed | None = None


@dataclass(frozen=True)
class Table:
    """A table: its title, the name of its first column, the paper's rows, and the default rows if they are others."""

    name: str
    title: str
    variable: str
    printed: dict[str, Printed]
    keys: tuple[str, ...] = ()

    @property
    def default(self) -> tuple[str, ...]:
        """The rows that are measured by default."""
        return self.keys or tuple(self.printed)

    def row(self, key: str, vertices: int = VERTICES) -> PaperRow:
        """The row with a value in the first column, which need not be one of the paper's.

        Raises
        ------
        KTError
            If there are no such graphs.
        """
        family = _family(self.name, key, vertices)
        same = vertices == VERTICES or self.name == "size"
        return PaperRow(self.name, key, family, self.printed.get(key) if same else None)


def _family(table: str, key: str, n: int) -> GraphFamily:
    if table == "spread":
        return _spread(key, n)
    if not (key.isascii() and key.isdecimal() and len(key) <= 5):
        raise KTError(f"table {table}, row {key!r}: it is a whole number")
    if table == "size":
        return GraphFamily(int(key), 8)
    return GraphFamily(n, int(key)) if table == "degree" else GraphFamily(n, shares=((int(key), n),))


def _spread(key: str, n: int) -> GraphFamily:
    d = SPREAD_DEGREE
    if key == "p":
        return GraphFamily(n, d)
    if key == "0":
        return GraphFamily(n, shares=((d, n),))
    if n % 10:
        raise KTError(f"table spread: {n} vertices cannot be divided as needed, a multiple of 10 can")
    if key in ("low", "high"):
        sign = 1 if key == "high" else -1
        fifths = ((d + 6 * sign, n // 5), (d - sign, 2 * n // 5), (d - 2 * sign, 2 * n // 5))
        return GraphFamily(n, shares=fifths)
    if key in SPREAD:
        return GraphFamily(n, shares=((d - int(key), n // 2), (d + int(key), n // 2)))
    raise KTError(f"table spread, row {key!r}: use one of {', '.join(SPREAD)}")


TABLES = {
    table.name: table
    for table in (
        Table(
            "degree",
            "Table 1: G(n, p) by expected average degree",
            "degree",
            {
                "7": Printed(6.78, 4, 59, 25.00, 1, 4),
                "8": Printed(9.02, 1967, 21804, 42.01, 92, 219),
                "9": Printed(13.66, 19841, 145207, 53.91, 338, 627),
                "10": Printed(18.74, 75764, 410166, 77.09, 700, 908),
                "11": Printed(23.57, 141773, 601410, 88.13, 861, 977),
                "12": Printed(28.53, 212320, 744178, 95.36, 946, 992),
                "13": Printed(33.33, 272710, 818283, 97.90, 979, 1000),
                "14": Printed(37.96, 332630, 876159, 99.30, 990, 997),
                "15": Printed(42.40, 388014, 915194, 99.90, 999, 1000),
            },
        ),
        Table(
            "size",
            "Table 2: G(n, p) of expected average degree 8 by n",
            "vertices",
            {
                "100": Printed(69.67, 56676, 81354, 87.73, 858, 978),
                "200": Printed(50.47, 61280, 121407, 76.29, 708, 928),
                "300": Printed(37.44, 43992, 117502, 64.90, 514, 792),
                "400": Printed(28.34, 33034, 116568, 60.03, 428, 713),
                "500": Printed(21.87, 19129, 87478, 48.58, 309, 636),
                "600": Printed(18.27, 12085, 66157, 44.18, 220, 498),
                "700": Printed(14.14, 7323, 51784, 46.55, 182, 391),
                "800": Printed(12.42, 5068, 40801, 44.03, 140, 318),
                "900": Printed(10.35, 2868, 27703, 37.96, 104, 274),
            },
        ),
        Table(
            "regular",
            "Table 3: random regular graphs by degree",
            "degree",
            {
                "7": Printed(2.67, 142, 5328, 13.66, 134, 981),
                "8": Printed(4.13, 1118, 28549, 67.20, 672, 1000),
                "9": Printed(5.94, 4300, 80293, 97.60, 976, 1000),
                "10": Printed(8.24, 11087, 151781, 99.90, 999, 1000),
                "11": Printed(11.07, 23181, 241791, 100.0, 1000, 1000),
                "12": Printed(14.28, 39929, 323588, 100.0, 1000, 1000),
                "13": Printed(17.91, 60671, 401756, 100.0, 1000, 1000),
                "14": Printed(21.86, 85501, 470826, 100.0, 1000, 1000),
                "15": Printed(25.83, 114657, 534245, 100.0, 1000, 1000),
            },
        ),
        Table("spread", "Average degree 10, by spread of the degrees", "spread", {}, SPREAD),
    )
}


def table_named(name: str) -> Table:
    """The table with a name, or with its number in the paper.

    Raises
    ------
    KTError
        Naming the known ones.
    """
    names = list(TABLES)
    if name in ("1", "2", "3"):
        name = names[int(name) - 1]
    if name not in TABLES:
        raise unknown("table", name, ("1", "2", "3", *names))
    return TABLES[name]
