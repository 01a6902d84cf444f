"""`count_solutions` and `least_value`: the two tasks of a sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates.frontier.both_ends import BothEnds
from kt_models.kernel.certificates.frontier.objective import Costs, Potentials, costs_of
from kt_models.kernel.certificates.frontier.sweep import Sweep, run, whole_sweep
from kt_models.kernel.sweeps.net import Winding, checked_order, good_order, net_of
from kt_models.limits import NO_LIMITS, Limits, Listener, silent
from kt_models.problem import Problem, require_plain


@dataclass(frozen=True)
class Counts:
    """Numbers of solutions.

    Attributes
    ----------
    total
        Number of solutions of all counted values.
    by_value
        Number of solutions of each value of the objective; None unless requested.
    peak_states, peak_bytes
        Largest number of states, and most memory, of the sweep.
    """

    total: int
    by_value: dict[int, int] | None
    peak_states: int
    peak_bytes: int


@dataclass(frozen=True)
class Joining:
    """Which terminals must be joined, and how walks may wind around a periodic board.

    Parameters
    ----------
    terminals
        Pair after pair; None: as the problem says.
    winding
        None: it does not matter.
    """

    terminals: tuple[int, ...] | None = None
    winding: Winding | None = None

    def of(self, problem: Problem) -> Problem:
        """The problem with this linkage."""
        if self.terminals is None:
            return problem
        return replace(problem, connectivity="linkage", terminals=self.terminals)


@dataclass(frozen=True)
class Least:
    """The least value of an objective.

    Attributes
    ----------
    value
        The least value; None if there is no solution of at most `at_most`.
    at_most
        The cap; None if there was none (and then no value means no solution).
    peak_states, peak_bytes
        Largest number of states, and most memory, of the sweep.
    """

    value: int | None
    at_most: int | None
    peak_states: int
    peak_bytes: int


def count_solutions(
    problem: Problem,
    *,
    by_value: bool = False,
    at_most: int | None = None,
    order: Sequence[int] | None = None,
    limits: Limits = NO_LIMITS,
) -> Counts:
    """The exact number of solutions of a problem, undirected, not up to symmetry.

    Parameters
    ----------
    by_value
        Also count by value of the objective.
    at_most
        Count only the solutions of at most this value.
    order
        The vertices in the order they are taken; None: a good one.
    limits
        Limits on time, and on the memory of the tables of states.

    Raises
    ------
    TooLarge
        If the tables would take more memory, or the graph is too wide to begin with.
    Stopped
        If the limits end it.
    KTError
        If the problem has a symmetry, or `by_value` is given without an objective or with negative weights of pairs
        apart.
    """
    require_plain(problem, "a sweep")
    if problem.symmetry:
        raise KTError("a sweep does not count symmetric solutions")
    valued = by_value or at_most is not None
    if valued and problem.objective is None:
        raise KTError("counting by value needs an objective")
    if problem.connectivity == "path" and problem.graph.n == 1:
        count = int(at_most is None or at_most >= 0)
        return Counts(count, {0: 1} if by_value and count else {} if by_value else None, 1, 0)
    net, taken = net_of(problem), checked_order(problem.graph, order)
    costs = costs_of(net, problem.weights, limits=limits) if valued else None
    rest = cap = None
    if at_most is not None and costs is not None:
        cap, both = costs.cap(at_most), BothEnds(net, taken, costs, limits)
        _, rest = both.within(cap)
    sweep = run(whole_sweep(net, taken, costs), counting=True, cap=cap, rest=rest, limits=limits)
    numbers = _by_value(sweep, costs)
    return Counts(sum(numbers.values()), numbers if by_value else None, sweep.peak_states, sweep.peak_bytes)


def count_linkages(
    problem: Problem,
    linkages: Sequence[Joining],
    *,
    at_most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> dict[int, int]:
    """The number of solutions of a problem with any of several linkages, each counted for itself.

    The degrees alone identify partial solutions that exceed the cap, once for all linkages.

    Parameters
    ----------
    at_most
        Count only the solutions of at most this value. None: all of them, regardless of value.

    Returns
    -------
    dict
        By value of the objective, or all of them under 0.

    Raises
    ------
    TooLarge, Stopped, KTError
        As for `count_solutions`.
    """
    taken, total = good_order(problem.graph), Counter[int]()
    cap = rest = None
    for linkage in linkages:
        if linkage.terminals is not None and set(linkage.terminals) != set(problem.terminals):
            raise KTError("a linkage joins other vertices than the terminals")
        net = net_of(linkage.of(problem), winding=linkage.winding)
        costs = None if at_most is None else costs_of(net, problem.weights, limits=limits)
        if at_most is not None and costs is not None and rest is None:
            cap = costs.cap(at_most)
            _, rest = BothEnds(net, taken, costs, limits).within(cap)
        total.update(
            _by_value(run(whole_sweep(net, taken, costs), counting=True, cap=cap, rest=rest, limits=limits), costs)
        )
    return dict(total)


def _by_value(sweep: Sweep, costs: Costs | None) -> dict[int, int]:
    """The numbers of solutions of a sweep, by value."""
    value = costs.value if costs else int
    return {value(cost): number for cost, number in sorted(sweep.counts().items())}


def least_value(
    problem: Problem,
    *,
    at_most: int | None = None,
    potentials: Potentials | None = None,
    relaxed: bool = False,
    inner: Sequence[int] = (),
    order: Sequence[int] | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> Least:
    """The least value of the objective over all solutions of a problem; its symmetry is ignored.

    Parameters
    ----------
    at_most
        Look only for solutions of at most this value, which is much faster. Otherwise caps are tried upwards from the
        lower bound until a solution exists.
    potentials
        See `objective`; any are valid, good ones make the sweep much smaller.
    relaxed
        Use only the degrees: a lower bound.
    inner
        Vertices where the cost is small: see `both_ends`.
    order, limits
        As for `count_solutions`.
    on_progress
        Called with a line on each sweep.

    Raises
    ------
    TooLarge, Stopped
        As for `count_solutions`.
    KTError
        If there is no objective, pairs apart have negative weights, or the potentials are not of this graph.
    """
    if problem.objective is None:
        raise KTError("the least value needs an objective")
    if problem.connectivity == "path" and problem.graph.n == 1:
        return Least(0 if at_most is None or at_most >= 0 else None, at_most, 1, 0)
    net, taken = net_of(problem, relaxed=relaxed, inner=inner), checked_order(problem.graph, order)
    costs = costs_of(net, problem.weights, potentials, limits)
    both = BothEnds(net, taken, costs, limits, on_progress)
    value = None
    for cap in [at_most] if at_most is not None else _caps(costs, both.lower_bound()):
        sweep, _ = both.within(None if cap is None else costs.cap(cap))
        if sweep.least is not None:
            value = costs.value(sweep.least)
        if value is not None or not sweep.dropped:
            break
    return Least(value, at_most, both.peak_states, both.peak_bytes)


def has_solution(problem: Problem, *, order: Sequence[int] | None = None, limits: Limits = NO_LIMITS) -> bool:
    """Whether a problem has a solution; its symmetry is ignored.

    Parameters
    ----------
    order, limits
        As for `count_solutions`.

    Raises
    ------
    TooLarge, Stopped
        As for `count_solutions`.
    """
    if problem.connectivity == "path" and problem.graph.n == 1:
        return True
    plan = whole_sweep(net_of(problem), checked_order(problem.graph, order), None)
    return run(plan, counting=False, limits=limits).least is not None


def fits(problem: Problem, potentials: Potentials | None) -> bool:
    """Whether the objective rewritten with potentials stays within the sums that a sweep can hold."""
    try:
        costs_of(net_of(problem), problem.weights, potentials)
    except TooLarge:
        return False
    return True


def _caps(costs: Costs, lowest: int) -> Iterator[int | None]:
    """Caps upwards from a lower bound of the cost, in growing strides; the last is None, no cap."""
    cap, stride = -(-(costs.constant + lowest) // costs.denominator), 1
    most = (costs.constant + int(costs.weight.sum())) // costs.denominator
    while cap < most:
        yield cap
        cap, stride = cap + stride, stride + 1
    yield None
