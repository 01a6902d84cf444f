"""The measurement of a row of the random-graph tables: counts for each graph, and the resulting rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heuristics.papers.aztec.tables import PaperRow
from heuristics.papers.statistics import Rate, cluster_rate, same_rate, wilson

Tallies = list[list[int]]
"""For each graph of a row: paths, cycles, dropped, least degree."""


@dataclass(frozen=True)
class Measurement:
    """The counts of the finished graphs of a row."""

    row: PaperRow
    counts: Tallies
    wanted: int

    @property
    def graphs(self) -> int:
        """Number of finished graphs."""
        return len(self.counts)

    @property
    def complete(self) -> bool:
        """Whether all wanted graphs are finished."""
        return self.graphs >= self.wanted

    @property
    def paths(self) -> int:
        """Hamiltonian paths found in all graphs."""
        return sum(paths for paths, *_ in self.counts)

    @property
    def cycles(self) -> int:
        """Hamiltonian cycles made from them."""
        return sum(cycles for _, cycles, *_ in self.counts)

    @property
    def drops(self) -> int:
        """Disconnected graphs, which are not counted."""
        return sum(dropped for *_, dropped, _ in self.counts)

    @property
    def with_path(self) -> int:
        """Graphs with a path that was found."""
        return sum(paths > 0 for paths, *_ in self.counts)

    @property
    def with_cycle(self) -> int:
        """Graphs with a cycle that was made."""
        return sum(cycles > 0 for _, cycles, *_ in self.counts)

    @property
    def leafless(self) -> int:
        """Graphs without a vertex of degree 1: the others have no Hamiltonian cycle."""
        return sum(least > 1 for *_, least in self.counts)

    @property
    def path_rate(self) -> Rate:
        """Share of the starts that gave a Hamiltonian path."""
        return cluster_rate([paths for paths, *_ in self.counts], [self.row.family.n] * self.graphs)

    @property
    def conversion(self) -> Rate:
        """Share of the paths that became cycles."""
        return cluster_rate([cycles for _, cycles, *_ in self.counts], [paths for paths, *_ in self.counts])

    @property
    def mean_conversion(self) -> float | None:
        """Mean of the conversion rates of the graphs with a path: every graph counts once, not every path."""
        rates = [cycles / paths for paths, cycles, *_ in self.counts if paths]
        return sum(rates) / len(rates) if rates else None

    @property
    def success(self) -> Rate:
        """Share of the graphs with a path that have a cycle."""
        return wilson(self.with_cycle, self.with_path)

    @property
    def agreement(self) -> float | None:
        """Fisher's p-value for equal success rates here and in the paper; None without a row of the paper."""
        printed = self.row.printed
        if printed is None or not self.with_path:
            return None
        return same_rate((self.with_cycle, self.with_path), (printed.graphs_with_cycle, printed.graphs_with_path))

    def to_json(self) -> dict[str, Any]:
        """Counts, rates with their intervals, and the figures of the paper."""
        printed = self.row.printed
        mean = self.mean_conversion
        return {
            "table": self.row.table,
            "row": self.row.key,
            "family": self.row.family.text,
            "graphs": self.graphs,
            "complete": self.complete,
            "dropped": self.drops,
            "degree_variance": round(self.row.family.variance, 4),
            "graphs_without_leaf": self.leafless,
            "paths": self.paths,
            "cycles": self.cycles,
            "graphs_with_path": self.with_path,
            "graphs_with_cycle": self.with_cycle,
            "path_rate": self.path_rate.to_json(),
            "conversion_rate": self.conversion.to_json(),
            "mean_conversion_rate": None if mean is None else round(mean, 6),
            "success_rate": self.success.to_json(),
            "paper": None
            if printed is None
            else {
                "conversion_percent": printed.conversion,
                "cycles": printed.cycles,
                "paths": printed.paths,
                "success_percent": printed.success,
                "graphs_with_cycle": printed.graphs_with_cycle,
                "graphs_with_path": printed.graphs_with_path,
                "misprints": list(printed.misprints),
                "success_p_value": self.agreement,
            },
        }
