"""The tables of the random-graph experiment as a figure, with a row of two panels for each table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from drawing.figure import image_of
from heuristics.papers.aztec.measurement import Measurement
from heuristics.papers.aztec.tables import TABLES
from heuristics.papers.statistics import Rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HERE, PAPER = "#1f5fa8", "#c8553d"


def plot(measured: Sequence[Measurement], kind: str) -> bytes:
    """Conversion and success rates with 95 % intervals beside those of the paper, as SVG or PNG.

    Parameters
    ----------
    kind
        `svg` or `png`.
    """
    from matplotlib.figure import Figure

    names = [name for name in TABLES if any(m.row.table == name and m.graphs for m in measured)]
    figure = Figure(figsize=(8.5, 0.4 + 2.7 * max(1, len(names))), layout="constrained")
    grid = figure.subplots(max(1, len(names)), 2, squeeze=False)
    for axes, name in zip(grid, names, strict=False):
        rows = [m for m in measured if m.row.table == name and m.graphs]
        _panel(axes[0], rows, "conversion rate, %")
        _panel(axes[1], rows, "success rate, %")
        axes[0].set_title(TABLES[name].title, loc="left", fontsize=9)
    return image_of(figure, kind)


def _panel(axes: Axes, rows: list[Measurement], label: str) -> None:
    conversion = label.startswith("conversion")
    places = list(range(len(rows)))
    rates: list[Rate] = [m.conversion if conversion else m.success for m in rows]
    known = [i for i in places if not math.isnan(rates[i].value)]
    values: list[Any] = [100 * rates[i].value for i in known]
    below = [100 * (rates[i].value - rates[i].low) for i in known]
    above = [100 * (rates[i].high - rates[i].value) for i in known]
    axes.errorbar(known, values, yerr=[below, above], fmt="o", ms=4, capsize=2, color=HERE, label="measured, 95%")
    printed = [(i, m.row.printed) for i, m in enumerate(rows) if m.row.printed]
    if printed:
        paper = [
            100 * (p.cycles / p.paths if conversion else p.graphs_with_cycle / p.graphs_with_path) for _, p in printed
        ]
        axes.plot([i for i, _ in printed], paper, "x", ms=5, color=PAPER, label="paper (its fractions)")
    axes.set_xticks(places, [m.row.key for m in rows])
    axes.set_xlabel(TABLES[rows[0].row.table].variable)
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, frameon=False)
