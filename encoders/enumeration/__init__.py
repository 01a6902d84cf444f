"""Enumeration of the tours of a problem: in this process (`enumerate_tours`), or cut into cubes (`run`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from encoders.work.spending import Spending
from kt_models.errors import KTError, TooLarge, unknown
from kt_models.limits import NO_LIMITS, Limits, Listener, Stopped, silent
from kt_models.runs.tour_task import TourTask, has_parallel_edges

if TYPE_CHECKING:
    from encoders.sat.solver_program import SolverProgram
    from kt_models.problem import Problem
    from kt_models.result import Result
    from kt_models.tour import Tour

Found = TypeVar("Found")
ENGINES = ("auto", "search", "sat")
GRACE_SECONDS = 0.5
"""Seconds that an engine has to end once the limits are reached."""
SWEEP, SETTLED = "sweep", "obstruction"
FEW_CONFLICTS = 20_000
"""Conflicts of the search for a first and a second set of paths, before a sweep counts them."""
MAX_WHOLE_CELLS = 36
"""Most cells of a graph that is swept as a whole: 6x6 has some thousands of states."""


@dataclass(frozen=True)
class Listing:
    """The number of tours of a task, of all values or by value; the number of all tours if `complete`.

    `reason` says why tours were listed one by one although a sweep counts such tasks, or why there is none.
    """

    count: int
    complete: bool
    engine: str
    by_value: dict[int, int] | None = None
    failed: tuple[str, ...] = ()
    reason: str = ""


def task_of(
    problem: Problem, value: int | None, up_to_symmetry: bool, limits: Limits, *, counting: bool = False
) -> TourTask:
    """The task of listing tours of a problem: those of a value; with an objective and no value, those of least value.

    Raises
    ------
    Stopped
        If the least value was not proved in time.
    """
    if problem.objective is not None and value is None:
        value = least_value(problem, limits)
        if value is None:
            problem = replace(problem, objective=None)
    return TourTask(problem, value, up_to_symmetry, counting)


def least_value(problem: Problem, limits: Limits) -> int | None:
    """The least cost of a tour; None if there is no tour.

    Raises
    ------
    Stopped
        If it was not proved in time.
    """
    from encoders.solve import solve

    result = solve(problem, hint="best", limits=limits)
    if result.status not in ("optimal", "infeasible"):
        raise Stopped("the least value was not proved in time")
    return result.cost


def why_none(problem: Problem) -> str:
    """Why a large graph with few edges has nothing to list or count; empty if it may have a tour."""
    from heuristics.obstruction import too_few_edges

    certificate = too_few_edges(problem)
    return "" if certificate is None else certificate.reason


def is_swept(task: TourTask, engine: str = "auto") -> bool:
    """Whether a sweep over the graph counts the task; a sweep lists nothing."""
    valued = isinstance(task, TourTask) and (task.value is not None or task.by_value)
    problem = task.problem
    plain = not (problem.symmetry or problem.is_constrained or (valued and problem.gains_apart))
    return task.counting and engine == "auto" and plain


def sweep(
    task: TourTask, limits: Limits = NO_LIMITS, on_progress: Listener = silent, folder: str | None = None
) -> Listing | None:
    """Count tours, symmetric tours or classes by sweeps; None if they have to be listed.

    Parameters
    ----------
    folder
        The folder of `sweep_tours`.

    Raises
    ------
    Stopped
        If the limits are reached.
    TooLarge
        If all tours are counted and the tables would exceed the memory of the limits.
    """
    if reason := why_none(task.problem):
        return Listing(0, True, SETTLED, {} if task.by_value else None, reason=reason)
    if task.problem.numbers is not None:
        return sweep_numberings(task, limits, on_progress)
    if task.problem.optional:
        return None
    if (linked := count_linked(task, limits)) is not None or task.problem.conditions:
        return linked
    if task.problem.constraints:
        return sweep_constrained(task, limits)
    if is_swept(task):
        try:
            return sweep_tours(task, limits, on_progress, folder)
        except TooLarge:
            # Values that are too large for a sweep can still be listed.
            if task.problem.objective is None or not _is_heavy(task.problem):
                raise
            return None
    try:
        return sweep_orbits(task, limits, on_progress, folder)
    except TooLarge:
        return None


def _is_heavy(problem: Problem) -> bool:
    """Whether the weights may exceed what a sweep can add up, however it spreads them over the pairs at a vertex."""
    from kt_models.kernel.certificates.frontier.objective import LARGEST

    weights, degrees = problem.weights, problem.graph.degrees
    spread = sum(map(abs, weights.weight.tolist())) if weights is not None else 0
    return spread * int(degrees.max(initial=1)) ** 2 > LARGEST


def sweep_tours(
    task: TourTask, limits: Limits = NO_LIMITS, on_progress: Listener = silent, folder: str | None = None
) -> Listing:
    """Count the tours of a task by a sweep: from both ends of the board if possible, otherwise over all of it.

    Parameters
    ----------
    folder
        Folder for the layers of states of the sweep from both ends.

    Raises
    ------
    Stopped
        If the limits are reached.
    TooLarge
        If the tables would exceed the memory of the limits.
    """
    from encoders.counting.count import count_by_halves
    from encoders.counting.values import count_values_by_halves
    from kt_models.kernel.certificates.frontier import count_solutions

    valued = task.value is not None or task.by_value
    # Without values the sweep needs no objective, and is much smaller.
    problem = task.problem if valued else replace(task.problem, objective=None)
    # The loops that join halves take seconds to compile, and a sweep over a small board has few states.
    whole = valued or (folder is None and problem.graph.n <= MAX_WHOLE_CELLS)
    halved = None if whole else count_by_halves(problem, folder=folder, limits=limits, on_progress=on_progress)
    if halved is not None:
        return Listing(halved.total, True, SWEEP)
    if task.by_value:
        values = count_values_by_halves(problem, folder=folder, limits=limits, on_progress=on_progress)
        if values is not None:
            return Listing(values.total, True, SWEEP, values.by_value)
    counts = count_solutions(problem, by_value=valued, at_most=task.value, limits=limits)
    by_value = counts.by_value or {}
    count = counts.total if task.value is None else by_value.get(task.value, 0)
    return Listing(count, True, SWEEP, dict(sorted(by_value.items())) if task.by_value else None)


def count_linked(task: TourTask, limits: Limits = NO_LIMITS) -> Listing | None:
    """Count tours through stops in order, or few sets of paths; None if the task is another one, or too large.

    A puzzle has one solution, and a short SAT search shows that in less time than it takes to load a sweep.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    from encoders.counting.stops import linkage_in
    from kt_models.kernel.certificates.frontier import count_solutions
    from kt_models.problem import verify_edges

    problem = task.problem
    if not task.counting or task.value is not None or task.by_value or task.up_to_symmetry:
        return None
    linkage = linkage_in(replace(problem, objective=None))
    if linkage is None:
        return None
    from encoders.linked import first_ways  # Not before it is needed: it loads a solver.

    few, complete = first_ways(linkage, 2, FEW_CONFLICTS, limits.check)
    for ways in few:
        verify_edges(problem, linkage.chosen(problem.graph, ways))
    if complete:
        return Listing(len(few), True, "sat")
    if not problem.in_order:  # The sweep that counts tours counts several paths too.
        return None
    try:
        return Listing(count_solutions(linkage.problem, limits=limits).total, True, SWEEP)
    except TooLarge:
        return None


def sweep_constrained(task: TourTask, limits: Limits = NO_LIMITS) -> Listing | None:
    """Count the tours of a task with constraints by a sweep that separates their values; None if that is impossible.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    from encoders.counting.several_sums import count_jointly

    problem = task.problem
    if problem.symmetry or not task.counting or task.up_to_symmetry:
        return None
    # The limit of the first constraint cuts the sweep's table, so an upper limit comes first.
    constraints = sorted(problem.constraints, key=lambda constraint: constraint.at_least)
    quantities = [constraint.quantity for constraint in constraints]
    valued = task.value is not None or task.by_value
    if valued and problem.objective is not None:
        quantities.append(problem.objective)
    cap = None if constraints[0].at_least else constraints[0].cost_limit
    try:
        counts = count_jointly(problem, quantities, at_most=cap, limits=limits)
    except TooLarge:
        return None
    by_value: Counter[int] = Counter()
    for values, number in counts.items():
        if all(constraint.holds(value) for constraint, value in zip(constraints, values, strict=False)):
            by_value[values[-1] if valued else 0] += number
    count = by_value[task.value] if task.value is not None else by_value.total()
    return Listing(count, True, SWEEP, dict(sorted(by_value.items())) if task.by_value else None)


def sweep_numberings(task: TourTask, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Listing | None:
    """Count the numberings of a task by sweeps, if the given numbers are consecutive; otherwise None.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    from heuristics.numbering import counted_as_tours

    parts = counted_as_tours(task.problem) if task.value is None else None
    if parts is None:
        return None
    try:
        count = sum(
            times * sweep_tours(TourTask(problem, counting=True), limits, on_progress).count for problem, times in parts
        )
    except TooLarge:
        return None
    return Listing(count, True, SWEEP)


def sweep_orbits(
    task: TourTask, limits: Limits = NO_LIMITS, on_progress: Listener = silent, folder: str | None = None
) -> Listing | None:
    """Count the tours with one symmetry, or the classes of tours, by sweeps over orbits; None if that is impossible.

    Parameters
    ----------
    folder
        The folder of `sweep_tours`, for the number of all tours.

    Raises
    ------
    Stopped, TooLarge
        As for `sweep_tours`.
    """
    from encoders.counting.quotient import count_classes, count_symmetric

    problem, graph = task.problem, task.problem.graph
    # The theory of orbits counts plain tours only.
    special = problem.required or problem.forbidden or problem.terminals or task.value is not None or task.by_value
    if special or graph.board is None or has_parallel_edges(graph) or len(problem.symmetry) > 1:
        return None
    if problem.symmetry:
        if task.up_to_symmetry:
            return None
        count = count_symmetric(
            graph, problem.connectivity, problem.symmetry[0], limits=limits, on_progress=on_progress
        )
    # The lemma of Burnside: classes follow from all tours and those with each symmetry.
    else:
        whole = replace(task, up_to_symmetry=False, counting=True)
        total = sweep_tours(whole, limits, on_progress, folder).count
        count = count_classes(graph, problem.connectivity, total, limits=limits, on_progress=on_progress)
    return None if count is None else Listing(count, True, SWEEP)


def list_tours(
    task: TourTask,
    limits: Limits,
    engine: str = "auto",
    on_tour: Callable[[Any, int], None] = lambda tour, count: None,
    spending: Spending | None = None,
    program: SolverProgram | None = None,
) -> Listing:
    """List the tours of a task as `enumerate_tours` does, and count them.

    Parameters
    ----------
    spending, program
        As for `enumerate_tours`.
    on_tour
        Called with each tour, or result that `walks_of_task` yields, and its number in the list; it may raise `Stopped`
        to end the list.
    """
    count, complete = 0, True
    values: Counter[int] = Counter()
    name = chosen_engine(task, engine)
    name = name if program is None else f"{name} {program.name}"
    try:
        for tour in enumerate_tours(task, limits, engine=engine, spending=spending, program=program):
            count += 1
            if task.by_value:
                values[task.problem.cost(tour.edges) or 0] += 1
            on_tour(tour, count)
    except Stopped:
        complete = False
    return Listing(count, complete, name, dict(sorted(values.items())) if task.by_value else None)


def walks_of_task(
    task: TourTask,
    limits: Limits = NO_LIMITS,
    spending: Spending | None = None,
    program: SolverProgram | None = None,
) -> Iterator[Result]:
    """Yield sets of paths or cycles, and walks that leave cells out, as results, each once, verified, by SAT.

    Raises
    ------
    Stopped
        If the limits are reached; `Spent` if the work is.
    """
    from encoders.enumeration.blocking import task_formula
    from encoders.sat.listing import Lister
    from kt_models.result import Result

    with Lister(task_formula(task, limits), limits, spending=spending, program=program) as lister:
        for edges in lister.all(images=lambda edges: [edges]):
            yield Result(task.problem, "feasible", edges=edges, engine="sat")


def enumerate_tours(
    task: TourTask,
    limits: Limits = NO_LIMITS,
    *,
    engine: str = "auto",
    spending: Spending | None = None,
    program: SolverProgram | None = None,
) -> Iterator[Any]:
    """Yield every tour of a task once, verified, as it is found; of several paths or cycles, and of walks that leave
    cells out, each as a result.

    Parameters
    ----------
    task
        The tours to list.
    engine
        `search` (depth-first, with edge deletion: for many tours), `sat` (with blocking clauses: for few) or `auto`.
        `auto` takes SAT for a value, a symmetry or constraints, which prune its search, and if two moves join the same
        two cells.
    spending
        Work after which `Spent` is raised; none is for given numbers.
    program
        An outside program that answers in place of the engine `sat`; none is for given numbers.

    Raises
    ------
    Stopped
        If the limits are reached before all tours were found.
    KTError
        If there is no such engine, or it does not apply.
    """
    if why_none(task.problem):
        return iter(())
    if not task.lists_tours:
        if engine == "search":
            raise KTError("engine search: it finds one tour through every cell; leave it out")
        return _begun(walks_of_task(task, limits, spending, program), limits)
    if task.problem.numbers is not None:
        from encoders.enumeration.numbering import numbered_tours

        return _begun(numbered_tours(task, limits), limits)
    return _distinct(task, _begun(_engine(task, limits, engine, spending, program), limits))


def _begun(tours: Iterator[Found], limits: Limits) -> Iterator[Found]:
    """The same tours; writing clauses and loading code before the first one does not look at the limits."""
    first = limits.run(lambda: next(tours, None), GRACE_SECONDS)
    if first is not None:
        yield first
        yield from tours


def chosen_engine(task: TourTask, engine: str) -> str:
    """The engine for a task; `auto` is resolved."""
    if engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    if task.problem.numbers is not None:
        if engine != "auto":
            raise KTError(f"engine {engine}: it does not support given numbers; leave it out")
        return "numbers"
    parallel = has_parallel_edges(task.problem.graph)
    if not task.lists_tours:
        return "sat"
    if engine == "search" and parallel:
        raise KTError(
            f"{task.problem.graph.name}: two moves join the same two cells; the search takes only one of them"
        )
    if engine != "auto":
        return engine
    pruned = task.value is not None or task.problem.symmetry or task.problem.is_constrained
    return "sat" if parallel or pruned else "search"


def _engine(
    task: TourTask, limits: Limits, engine: str, spending: Spending | None, program: SolverProgram | None
) -> Iterator[Tour]:
    if chosen_engine(task, engine) == "sat":
        from encoders.enumeration.blocking import by_blocking

        return by_blocking(task, limits, spending, program)
    from encoders.enumeration.search import by_search

    return by_search(task, limits, spending)


def _distinct(task: TourTask, tours: Iterator[Tour]) -> Iterator[Tour]:
    """The first tour of each class; without classes an engine gives each tour once anyway."""
    if not task.up_to_symmetry:
        yield from tours
        return
    seen: set[str] = set()
    for tour in tours:
        key = task.key(tour)
        if key not in seen:
            seen.add(key)
            yield task.representative(tour)
