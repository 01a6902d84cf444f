"""Rates with their intervals: Wilson's for independent trials, a ratio estimate for trials in clusters.

The success rate counts graphs, which are drawn independently, so it has Wilson's score interval. The conversion rate
counts paths, and the paths of one graph succeed and fail together, so Wilson's interval for a million paths would be
far too narrow. Its unit is the graph: the rate is a ratio of two sums over graphs, and its standard error is that of
the linearised ratio (Cochran, Sampling Techniques, 1977, section 6.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Rate:
    """A share with a confidence interval at `CONFIDENCE`; all three numbers are NaN without trials."""

    value: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The rate in percent: `12.34% (11.90–12.80)`."""
        if math.isnan(self.value):
            return "-"
        return f"{100 * self.value:.2f}% ({100 * self.low:.2f}–{100 * self.high:.2f})"

    def to_json(self) -> list[float] | None:
        """The value with the lower and the upper end of the interval; None without trials."""
        return None if math.isnan(self.value) else [round(x, 6) for x in (self.value, self.low, self.high)]


def wilson(successes: int, trials: int) -> Rate:
    """Wilson's score interval for the success rate of independent trials."""
    if trials == 0:
        return Rate(math.nan, math.nan, math.nan)
    from scipy.stats import binomtest

    interval = binomtest(successes, trials).proportion_ci(CONFIDENCE, method="wilson")
    return Rate(successes / trials, float(interval.low), float(interval.high))


def cluster_rate(successes: npt.ArrayLike, trials: npt.ArrayLike) -> Rate:
    """The rate of successes in all trials, if the trials of a cluster depend on each other.

    Parameters
    ----------
    successes, trials
        The numbers for each cluster.
    """
    x, t = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    if t.sum() == 0:
        return Rate(math.nan, math.nan, math.nan)
    rate = float(x.sum() / t.sum())
    if len(t) < 2:
        return Rate(rate, 0.0, 1.0)
    error = math.sqrt(len(t) / (len(t) - 1) * float(((x - rate * t) ** 2).sum())) / float(t.sum())
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    return Rate(rate, max(0.0, rate - reach), min(1.0, rate + reach))


def same_rate(a: tuple[int, int], b: tuple[int, int]) -> float:
    """Fisher's exact p-value (two-sided) for (successes, trials) of two samples of one rate; NaN without trials."""
    from scipy.stats import fisher_exact

    if not a[1] or not b[1]:
        return math.nan
    return float(fisher_exact([[a[0], a[1] - a[0]], [b[0], b[1] - b[0]]]).pvalue)
