"""Calls of `import kt`: parsing of their common keyword arguments, and the history of a search."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Literal, TypedDict, TypeVar

from kt_models.arguments import require_callable, require_number, require_whole
from kt_models.criteria import Criterion, History
from kt_models.errors import KTError, unknown
from kt_models.files.boards import FORM, BoardKeywords, BoardLike, graph_from
from kt_models.files.problems import CellLike, MoveLike, ObjectiveLike, problem_from
from kt_models.files.vertices import vertex_from
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper
from kt_models.limits import Flag, Limits, Listener, Report
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.symmetry import Symmetry


class LimitKeywords(TypedDict, total=False):
    """Arguments for the time limit and other limits."""

    time_limit: float | None
    workers: int | None
    memory: int | None
    seed: int | None
    stop: Criterion | Flag | Callable[[], bool] | None


class ProblemKeywords(BoardKeywords, total=False):
    """Arguments of a problem: those of `problem_from`."""

    minimize: Literal["turns", "crossings", "weight"] | ObjectiveLike | None
    maximize: Literal["turns", "crossings", "weight"] | ObjectiveLike | None
    near: Any
    open: bool
    start: CellLike | None
    end: CellLike | None
    symmetry: str | Symmetry | Iterable[str | Symmetry]
    require: MoveLike | Iterable[MoveLike]
    forbid: MoveLike | Iterable[MoveLike]
    leaper: Leaper | str | tuple[int, ...] | None
    numbers: Mapping[Any, int | Iterable[int]] | None
    clues: Any
    sums: Mapping[str, int | Iterable[int]] | None
    in_order: Iterable[CellLike]
    waypoints: Any
    straight: Iterable[CellLike]
    turn: Iterable[CellLike]
    white_pearls: Iterable[CellLike]
    black_pearls: Iterable[CellLike]
    forbid_triples: Any
    shape: str | None
    paths: Any
    cycles: int | None
    equal: bool
    optional: Any
    visit: Any
    sum_of_edges: Any


class ConstraintKeywords(TypedDict, total=False):
    """Arguments for bounds on sums."""

    at_most: Mapping[Any, int] | None
    at_least: Mapping[Any, int] | None


class ConstrainedProblem(ProblemKeywords, ConstraintKeywords, total=False):
    """Arguments of a problem with constraints."""


class Keywords(ProblemKeywords, LimitKeywords, total=False):
    """Arguments of a problem, and limits."""


class ConstrainedKeywords(ConstrainedProblem, LimitKeywords, total=False):
    """Arguments of a problem with constraints, and limits."""


class LongestKeywords(BoardKeywords, LimitKeywords, total=False):
    """Forms of a board, and limits."""


PROBLEM = frozenset(ConstrainedProblem.__annotations__)
LIMITS = frozenset(LimitKeywords.__annotations__)
WORDS = {
    "minimize": ("minimise", "objective", "goal", "metric", "cost", "optimize", "optimise", "fewest", "least"),
    "maximize": ("maximise", "most", "greatest"),
    "at_most": ("atmost", "maximum", "upper", "subject_to", "constraints", "budget"),
    "at_least": ("atleast", "minimum", "lower"),
    "open": ("closed", "path", "is_open", "cycle"),
    "start": ("begin", "first", "source", "from", "from_"),
    "end": ("to", "finish", "last", "target"),
    "symmetry": ("symmetric", "sym", "group", "symmetries"),
    "require": ("forced", "must", "fixed", "force", "include", "required", "with"),
    "forbid": ("exclude", "avoid", "without", "forbidden", "ban"),
    "leaper": ("piece", "moves", "jump", "knight"),
    "time_limit": ("timeout", "time", "seconds", "max_time", "limit", "timelimit", "max_seconds", "deadline"),
    "workers": ("threads", "jobs", "cores", "n_jobs", "processes", "cpus", "num_workers", "num_threads", "parallel"),
    "memory": ("mem", "ram", "memory_limit", "max_memory"),
    "seed": ("random_seed", "random_state", "rng", "random"),
    "stop": ("cancel", "until", "stopping"),
    "in_order": ("order", "stops", "visit_in_order", "sequence", "checkpoints"),
    "straight": ("straight_at", "straight_cells", "go_straight"),
    "turn": ("turning", "turn_at", "turn_cells", "bend"),
    "white_pearls": ("white", "white_cells", "masyu"),
    "black_pearls": ("black", "black_cells"),
    "forbid_triples": ("triples", "forbidden_triples", "celtic"),
    "shape": ("snake", "turns_along", "pattern"),
    "paths": ("pairs", "linkage", "links", "terminals", "flows"),
    "cycles": ("tours_count", "number_of_cycles", "parts"),
    "equal": ("equal_length", "same_length"),
    "optional": ("skip", "leave_out", "may_skip", "partial"),
    "visit": ("through", "include_cells", "visit_at_least", "waypoint"),
    "sum_of_edges": ("edge_sums", "slitherlink", "faces", "sums_of_edges"),
    "numbers": ("given", "fixed_numbers", "number"),
    "hint": ("initial", "warm_start", "warmstart", "initial_tour"),
    "engine": ("backend", "solver_engine"),
    "on_progress": ("callback", "progress", "verbose", "log"),
    "up_to_symmetry": ("unique", "distinct", "classes"),
    "method": ("algorithm", "heuristic"),
}
"""Synonyms of arguments that people guess; messages suggest the right name."""
SYNONYMS = {word: name for name, words in WORDS.items() for word in words}

Arguments = dict[str, Any]
F = TypeVar("F", bound=Callable[..., Any])


@cache
def default_of(name: str) -> object:
    """Default of an argument of a problem, or of a limit."""
    if name in LIMITS:
        return getattr(Limits(), name, None)  # `time_limit` is not a field: its default is no limit
    return inspect.signature(problem_from).parameters[name].default


@cache
def _keyword(name: str, hint: str) -> inspect.Parameter:
    """An argument of a problem, or a limit, as signatures show it; most functions share them."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default_of(name), annotation=hint)


def spelt_out(table: type, **defaults: object) -> Callable[[F], F]:
    """Make `help` and notebooks show each keyword of a table for a function that takes `**name: Unpack[table]`.

    Parameters
    ----------
    table
        A `TypedDict`.
    defaults
        Defaults of arguments that differ from those of `default_of`.
    """

    def spell(function: F) -> F:
        signature = inspect.signature(function)
        *named, gathered = signature.parameters.values()
        hints = {name: getattr(hint, "__forward_arg__", hint) for name, hint in table.__annotations__.items()}
        keywords = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hint)
            if name in defaults
            else _keyword(name, hint)
            for name, hint in hints.items()
        ]
        more = [gathered] if gathered.annotation == "Any" else []  # For the parameters of single methods
        function.__signature__ = signature.replace(parameters=[*named, *keywords, *more])  # type: ignore[attr-defined]
        return function

    return spell


def problem_from_arguments(
    board: BoardLike,
    arguments: Mapping[str, Any],
    further: frozenset[str] = frozenset(),
    *,
    distinguish_moves: bool | None = None,
) -> Problem:
    """The problem of some arguments, or the given problem in place of a board.

    Parameters
    ----------
    further
        Further known arguments, for the advice about an unknown one.
    distinguish_moves
        As for `problem_from`.

    Raises
    ------
    KTError
        If an argument is not valid.
    """
    require_known(arguments, PROBLEM, further)
    if isinstance(board, Problem):
        if arguments:
            raise KTError(f"{min(arguments)}: a problem was given, which says this itself")
        return board.by_cells if distinguish_moves is False else board
    return problem_from(board, **arguments, distinguish_moves=distinguish_moves)


def problem_and_ends(
    board: BoardLike, arguments: Arguments, further: frozenset[str] = frozenset()
) -> tuple[Problem, tuple[int | None, int | None]]:
    """The problem of `problem_from_arguments`, and the cells at which a tour is to begin and end, if named.

    The start of a closed tour is not a condition.
    """
    if isinstance(board, Problem):
        return problem_from_arguments(board, arguments, further), (None, None)
    numbered = any(arguments.get(name) is not None for name in ("numbers", "clues", "sums"))
    whole = numbered or arguments.get("open", False) is not False
    named = arguments if whole else {k: v for k, v in arguments.items() if k != "start"}
    problem = problem_from_arguments(board, named, further)
    start, end = (
        None if (cell := arguments.get(k)) is None else vertex_from(problem.graph, cell) for k in ("start", "end")
    )
    return problem, (start, end)


def graph_from_arguments(board: BoardLike, form: Mapping[str, Any], leaper: Any = None) -> MoveGraph:
    """The graph of some arguments.

    Raises
    ------
    KTError
        If an argument is not valid.
    """
    for name in form:
        if name not in FORM:
            raise unknown("argument", name, sorted(FORM), SYNONYMS)
    return graph_from(board, leaper, **form)


def limits_from_arguments(arguments: Mapping[str, Any]) -> tuple[Limits, Arguments]:
    """Limits, and the remaining arguments.

    Raises
    ------
    KTError
        If a limit is not valid.
    """
    limits, rest = apart(arguments, LIMITS)
    seconds, stop = limits.pop("time_limit", None), limits.pop("stop", None)
    if stop is not None and not hasattr(stop, "is_set"):
        stop = Criterion(
            require_callable(stop, "stop", 0, "no arguments; a criterion or a threading.Event will do too")
        )
    whole: dict[str, Any] = {name: require_whole(number, name) for name, number in limits.items() if number is not None}
    if seconds is not None:
        require_number(seconds, "time_limit")
    return Limits(stop=stop, **whole).with_time_limit(seconds), rest


def require_listener(listener: object) -> None:
    """Refuse a callback that does not accept a report."""
    require_callable(listener, "on_progress", 1, "one argument, a report")


def recorded(work: Callable[[Listener], Result], limits: Limits, on_progress: Listener) -> Result:
    """Outcome of work, with every better value and bound that it reported, also to criteria among the limits."""
    require_listener(on_progress)
    history = History()

    def hear(now: Report) -> None:
        if isinstance(limits.stop, Criterion):
            limits.stop.hear(now)
        history.hear(now)
        on_progress(now)

    result = work(hear)
    end = Report(result.engine, result.value, result.bound, seconds=result.seconds, status=result.status)
    history.hear(replace(end, unit=result.problem.unit))
    return result.with_notes(history=tuple(history.reports))


def apart(arguments: Mapping[str, Any], names: frozenset[str]) -> tuple[Arguments, Arguments]:
    """Arguments with these names, and the others."""
    return {k: v for k, v in arguments.items() if k in names}, {k: v for k, v in arguments.items() if k not in names}


def require_known(
    arguments: Mapping[str, Any], names: frozenset[str] = frozenset(), further: frozenset[str] = frozenset()
) -> None:
    """Refuse unknown arguments; the advice names limits and `further` arguments, too."""
    for name, value in arguments.items():
        if name not in names:
            if name == "closed" and value is False and "open" in names:
                raise KTError("unknown argument 'closed', did you mean 'open=True'?")
            raise unknown("argument", name, sorted(names | LIMITS | further), SYNONYMS)
