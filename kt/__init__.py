"""Knight's tours and Hamiltonian cycles with a geometric objective: find, optimise, count, prove.

A board is its text (`8x8`, `aztec:5`, `8x8-a1,h8`, a file of a graph), a `Board`, a mask (an array or nested list of 0
and 1, the top row first), or `cells=[(0, 0), (1, 2), ...]`. A graph is a `networkx.Graph` or `DiGraph`, an
`igraph.Graph`, a sparse matrix of SciPy, or `edges=[(0, 1), ...]` or `adjacency=`, a matrix or dictionary, with
`directed=`. Answers use the graph's own nodes. A bare list is accepted only if it can mean one thing. Every tour is
verified before it is returned. Invalid arguments raise `KTError` with a message of one line.

Examples
--------
>>> import kt
>>> result = kt.solve("6x6", minimize="turns")
>>> result.status, result.value
('optimal', 32)
"""

from __future__ import annotations

from kt import _command  # noqa: F401  before all that takes time

# isort: split
from kt import _checkout  # noqa: F401  before anything that could be hidden

# isort: split
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from drawing.options import DRAWN, DrawKeywords
from kt_models import (
    KNIGHT,
    Board,
    Certificate,
    CertificateError,
    InvalidTour,
    KTError,
    Leaper,
    MoveGraph,
    Problem,
    Result,
    Symmetry,
    TooLarge,
    Tour,
    Weights,
    __version__,
)
from kt_models.arguments import require_boolean, require_items, require_path, require_text, require_whole
from kt_models.board import named_box
from kt_models.criteria import Criterion, gap_reached, no_improvement, value_reached, when
from kt_models.errors import KTWarning, naming_extras
from kt_models.expressions import CROSSINGS as crossings
from kt_models.expressions import TURNS as turns
from kt_models.expressions import Expression
from kt_models.files.boards import FORM, BoardKeywords, BoardLike, graph_from
from kt_models.files.calls import (
    ConstrainedKeywords,
    ConstrainedProblem,
    Keywords,
    LimitKeywords,
    LongestKeywords,
    apart,
    graph_from_arguments,
    limits_from_arguments,
    problem_and_ends,
    problem_from_arguments,
    recorded,
    require_known,
    require_listener,
    spelt_out,
)
from kt_models.files.given import tour_given
from kt_models.files.graph_forms.entries import choices_from
from kt_models.files.graphs import graph_of
from kt_models.files.problems import cell_weights, edge_weights, objective_from, pair_weights
from kt_models.files.puzzles import Puzzle
from kt_models.files.vertices import vertex_from
from kt_models.kernel.certificates import Verdict
from kt_models.limits import Limits, Listener, Report, Stopped, silent
from kt_models.problem import LEFT_OUT
from kt_models.tour import from_start_or_to_end, of_board
from kt_models.tour import verify as verify_tour

if TYPE_CHECKING:
    from encoders.best import Best
    from encoders.compare import Comparison, Effort
    from encoders.magic import MagicResult
    from encoders.many.graphs import ListedGraphs
    from kt_models.kernel.certificates.longest.answer import Longest
    from kt_models.pareto_front import ParetoFront
    from kt_models.runs.tour_task import TourTask

TourLike = Any
"""A tour in any form that `read` takes."""

__all__ = [
    "at_least", "best", "bound", "check", "compare", "count", "draw", "find", "graph", "graphs", "improve", "longest",
    "magic", "pareto", "problem", "puzzle", "puzzles", "read", "solve", "tours", "walks", "gap_reached",
    "no_improvement", "value_reached", "when", "KNIGHT", "Board", "Certificate", "CertificateError", "Criterion",
    "InvalidTour", "KTError", "Leaper", "MoveGraph", "Weights", "Problem", "Puzzle", "Report", "Result", "Stopped",
    "Symmetry", "TooLarge", "Tour", "Verdict", "__version__", "cell_weights", "crossings", "edge_weights", "live",
    "pair_weights", "turns", "verify",
]  # fmt: skip


def __dir__() -> list[str]:
    """The public names only, for completion in a shell or a notebook."""
    return sorted(__all__)


@naming_extras()
@spelt_out(ConstrainedProblem)
def problem(board: BoardLike | None = None, **keywords: Unpack[ConstrainedProblem]) -> Problem:
    """A problem that several functions can take.

    Parameters
    ----------
    board
        In any form that the module's docstring lists.
    minimize
        The sum to minimise: `turns` or `crossings`; a sum, `2 * kt.turns + kt.crossings` or its text; `weight`, the
        weights of a graph's edges; a mapping from edges to numbers, which may be decimals; a function of two moves,
        each a pair of cells; or `Weights`, such as a sum of `edge_weights` and `pair_weights`.
    maximize
        The sum to maximise, in the same forms. The value is that of the sum, and the bound an upper one.
    near
        A tour in any form that `read` takes; the solution keeps as many of its moves as possible.
    open, start, end
        Whether the tour is open, and its first and last cell: `a1`, `(0, 0)`, or a node of the graph.
    symmetry
        Symmetries of the tour, one or several: `rot180`, `rot90`, `mirror-x`, ...
    require, forbid
        Moves that the tour must make, or must not make: `a1-b3`, or pairs of cells.
    leaper
        The piece: `1,2` by default.
    numbers
        The numbers that cells may have: `{"a1": 1, "h8": {49, 64}}`. An open tour is numbered from its
        start, a closed one from any cell in either direction. Functions that list or count then list or count
        numberings.
    clues
        A grid of given numbers, the top row first: a text, its path, a nested list or an array (0 is free, -1 a hole).
        Without a board the grid defines the board.
    in_order
        Stops: cells that the tour visits in this order. An open tour goes from the first to the last, unless `start` or
        `end` says otherwise.
    waypoints
        A grid of stops in the forms of `clues`, with the numbers 1, 2, 3, ..., each once; walls may be drawn in it.
    straight, turn
        Cells where the tour goes straight on, or where it turns; it ends at none of them.
    white_pearls, black_pearls
        Cells of a closed tour as in Masyu: it goes straight on at a white pearl, and turns just before or just after;
        it turns at a black pearl, and goes straight on just before and just after.
    forbid_triples
        Triples of moves of which the tour does not make all three: `celtic`, a list of triples, or a function of three
        moves, each a pair of cells or nodes, which is true if they are forbidden.
    shape
        Where along the tour it goes straight on and where it turns: a text of `S` and `T`, or the lengths of the
        straight pieces of a snake cube, `3,2,2`.
    paths
        Several paths instead of one tour, which together visit every cell: pairs of ends, `"a1-h8,b2-c7"`, or a grid
        where the two ends of each path have its number (Numberlink).
    cycles, equal
        The number of closed tours that together visit every cell, instead of one, and whether their lengths are equal.
    optional, visit
        The cells that may be left out, or `all`; or the cells that are visited, where all others may be left out.
    sum_of_edges
        How many of some moves are made: `{"a1-b1-b2-a2-a1": 3}`, or the least and the greatest number.
    sums
        The sums of the numbers of lines: `{"rows": 260, "columns": 260, "diagonals": 260}`, or a sum for each line.
    at_most, at_least
        Constraints: upper or lower limits of sums: `{"turns": 34, "2*turns + crossings": 90}`.

    Returns
    -------
    Problem
        The other functions take it in place of the board and these arguments.

    Raises
    ------
    KTError
        If the arguments are invalid.
    """
    return problem_from_arguments(board, keywords)


@naming_extras()
@spelt_out(BoardKeywords)
def graph(
    board: BoardLike | None = None,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    *,
    form: str | None = None,
    **place: Unpack[BoardKeywords],
) -> MoveGraph:
    """The graph of moves on a board, in any form that the module's docstring lists, or the graph of a file.

    Parameters
    ----------
    form
        The form of the file, if its suffix and content do not determine it: one of
        `kt_models.files.graph_forms.table.GRAPH_FORMS`.
    """
    if form is None:
        return graph_from_arguments(board, place, leaper)
    if place.keys() - {"directed", "missing"} or not isinstance(board, str | os.PathLike):
        raise KTError("form: only a graph in a file has a form")
    choices = choices_from(require_text(form, "form"), place.get("directed"), place.get("missing"))
    return graph_from_arguments(graph_of(os.fspath(board), None, choices), {}, leaper)


@naming_extras()
def graphs(path: str | os.PathLike[str], form: str | None = None, *, directed: bool | None = None) -> ListedGraphs:
    """Read the graphs of a file one by one: a list of graph6, sparse6, digraph6, or of neighbours.

    Parameters
    ----------
    path
        A file in any form that kt reads; `-` is standard input.
    form, directed
        As for `graph`.

    Returns
    -------
    ListedGraphs
        An iterator. It raises a `KTError` for a damaged graph, and the next call continues with the next graph. Its
        method `filter` keeps graphs with an answer: `kt.graphs("list.g6").filter("hypohamiltonian")`.
    """
    from encoders.many.graphs import ListedGraphs

    return ListedGraphs(path, choices_from(form, directed))


@naming_extras()
@spelt_out(ConstrainedKeywords)
def solve(
    board: BoardLike | None = None,
    *,
    hint: TourLike | bool | Literal["best"] = "best",
    check_stated: bool = False,
    on_progress: Listener = silent,
    engine: str = "auto",
    encoding: str = "",
    solver: str | Sequence[str] | os.PathLike[str] = "",
    presolve: bool = True,
    display: bool = False,
    verbose: bool = False,
    **keywords: Unpack[ConstrainedKeywords],
) -> Result:
    """Find a tour, an optimal tour, or a proof that none exists.

    Parameters
    ----------
    board
        In any form, or a `Problem`.
    hint
        A tour to start from, in any form that `read` takes. `best` starts from the best known tour (see `best`), as
        `kt solve` does; if its delivered certificate is valid, its bound may complete the answer. True first constructs
        a tour, False starts without one.
    check_stated
        Whether to check the certificate of the best known tour however long it takes; otherwise `Result.stated` is the
        unchecked bound.
    on_progress
        Called with every better value or bound.
    engine, encoding
        See `encoders.solve`.
    solver
        The name of a SAT solver; or a program that reads DIMACS, as a path or a list of words, such as `["cadical",
        "--lrat", "--no-binary", "{cnf}", "{proof}"]`; or a solver of MiniZinc, such as `minizinc:gecode`.
    presolve
        Whether other stages than the engines may answer, such as reasons why there is no tour.
    display
        Whether to show the progress: in place in a notebook, line by line elsewhere.
    verbose
        Whether to print the progress line by line, in a notebook too.
    keywords
        The keywords of `problem`; `time_limit` in seconds, `workers`, `memory` in bytes, `seed`; and `stop`: a
        criterion (`value_reached`, `gap_reached`, `no_improvement`, `when`, joined by `|` and `&`), a
        `threading.Event`, or a function of no arguments.

    Returns
    -------
    Result
        A verified answer, with the history of values and bounds. Its status is `unknown` if a limit came first and
        nothing was found.

    Raises
    ------
    KTError
        If an argument is invalid.
    """
    from encoders.solve import solve

    check_stated = require_boolean(check_stated, "check_stated")
    limits, rest = limits_from_arguments(keywords)
    named: dict[str, Any] = {"engine": engine, "encoding": encoding}
    if isinstance(solver, str) and not solver.startswith("minizinc:"):
        named["solver"] = solver
    presolve = require_boolean(presolve, "presolve")
    answering = frozenset({*named, "solver", "hint", "on_progress", "check_stated", "presolve", "display", "verbose"})
    question, ends = problem_and_ends(board, rest, answering)
    start: Tour | bool | Literal["best"] = "best"
    if not (isinstance(hint, str) and hint == "best"):
        start = hint if isinstance(hint, bool) else tour_given(hint, question.graph, otherwise=question.closed)
    for name, word in named.items():
        require_text(word, name)
    if "solver" not in named:
        from encoders.pb.minizinc import PREFIX, MiniZincSolver
        from encoders.sat.solver_program import program_of

        minizinc = isinstance(solver, str)
        named["solver"] = MiniZincSolver(str(solver).removeprefix(PREFIX)) if minizinc else program_of(solver)
    return recorded(
        lambda hear: solve(
            question, presolve=presolve, hint=start, check_stated=check_stated, limits=limits, on_progress=hear, **named
        ).starting_at(*ends),
        limits,
        _listener(on_progress, display, verbose),
    )


def _listener(on_progress: Listener, display: bool, verbose: bool) -> Listener:
    """The listener of a call: the one that was given, or one that shows the progress."""
    asked = {"display": require_boolean(display, "display"), "verbose": require_boolean(verbose, "verbose")}
    named = [name for name, value in asked.items() if value]
    if not named:
        return on_progress
    if on_progress is not silent:
        raise KTError(f"{named[0]}: on_progress hears the progress already; leave one of them out")
    if len(named) > 1:
        raise KTError("display and verbose both show the progress; leave one of them out")
    from drawing.live import progress_display, progress_lines

    return progress_display() if display else progress_lines()


@overload
def find(
    board: BoardLike | None = None,
    method: None = None,
    *,
    on_progress: Listener = silent,
    display: bool = False,
    verbose: bool = False,
    **keywords: Unpack[Keywords],
) -> Result: ...
@overload
def find(
    board: BoardLike | None,
    method: str,
    *,
    on_progress: Listener = silent,
    display: bool = False,
    verbose: bool = False,
    **keywords: Any,
) -> Result: ...
@overload
def find(
    board: BoardLike | None = None,
    *,
    method: str,
    on_progress: Listener = silent,
    display: bool = False,
    verbose: bool = False,
    **keywords: Any,
) -> Result: ...
@naming_extras()
@spelt_out(Keywords)
def find(
    board: BoardLike | None = None,
    method: str | None = None,
    *,
    on_progress: Listener = silent,
    display: bool = False,
    verbose: bool = False,
    **keywords: Any,
) -> Result:
    """Find a tour without a solver, by a named or automatically chosen method, and improve it by the objective.

    Parameters
    ----------
    board, on_progress, display, verbose
        As for `solve`.
    method
        One of `encoders.find.METHODS`; its parameters are further keywords.
    keywords
        The keywords of `problem`, and the limits of `solve`.
    """
    from encoders.find import find, method_named

    limits, rest = limits_from_arguments(keywords)
    parameters = frozenset(method_named(method).parameters) if method is not None else frozenset()
    named, rest = apart(rest, parameters)
    question, ends = problem_and_ends(board, rest, parameters | {"method", "on_progress", "display", "verbose"})
    return recorded(
        lambda hear: find(question, method, limits=limits, on_progress=hear, **named).starting_at(*ends),
        limits,
        _listener(on_progress, display, verbose),
    )


@naming_extras()
@spelt_out(LimitKeywords)
def improve(
    tour: TourLike,
    minimize: str | Weights | Mapping[Any, int] | Problem | None = None,
    *,
    on_progress: Listener = silent,
    display: bool = False,
    verbose: bool = False,
    **keywords: Unpack[LimitKeywords],
) -> Result:
    """Improve a tour for `time_limit` seconds (60 by default); the result is never worse.

    Parameters
    ----------
    tour
        In any form that `read` takes.
    minimize
        As for `problem`; or a problem that the tour solves, with further conditions to keep.
    display, verbose
        As for `solve`.
    """
    from encoders.improve import improve

    limits, rest = limits_from_arguments(keywords)
    require_known(rest)
    asked = minimize if isinstance(minimize, Problem) else None
    graph, closed = (None, None) if asked is None else (asked.graph, asked.closed)
    base = of_board(tour_given(tour, graph, otherwise=closed))
    verify_tour(base)
    objective = objective_from(base.graph, minimize)
    listener = _listener(on_progress, display, verbose)
    return recorded(lambda hear: improve(base, objective, limits=limits, on_progress=hear), limits, listener)


@naming_extras()
@spelt_out(Keywords, minimize="turns")
def bound(
    board: BoardLike | None = None,
    at_least: float | None = None,
    *,
    method: str = "auto",
    known: bool = True,
    on_progress: Listener = silent,
    **keywords: Unpack[Keywords],
) -> Certificate:
    """Prove a lower bound on all tours, or an upper one if the sum is maximised, with a checked certificate.

    Parameters
    ----------
    board
        In any form, or a `Problem`; `minimize` is the sum to bound, `turns` by default.
    at_least
        The bound to prove; by default the best bound that relaxations and theorems give.
    method
        `auto`, or one of `encoders.bounds.methods.methods`.
    known
        Whether `auto` starts from the delivered certificate.

    Raises
    ------
    KTError
        If `at_least` was not proved in time: its subclass `encoders.bounds.certify.NotShown` has the best bound.
    """
    from encoders.bounds import certify_lower_bound

    require_listener(on_progress)
    require_text(method, "method")
    if not isinstance(board, Problem) and not keywords.keys() & {"maximize", "near"}:
        keywords.setdefault("minimize", "turns")
    limits, rest = limits_from_arguments(keywords)
    about = problem((isinstance(board, str) and named_box(board)) or board, **rest)
    certificate = certify_lower_bound(
        about,
        about.unit.cost(at_least, "at_least"),
        method=method,
        limits=limits,
        on_progress=on_progress,
        known=require_boolean(known, "known"),
    )
    if at_least is None and limits.unfinished:
        unfinished = ", ".join(limits.unfinished)
        warnings.warn(
            f"cut off or left out: {unfinished}; with more time the bound may be better", KTWarning, stacklevel=2
        )
    return certificate


@naming_extras()
@spelt_out(LongestKeywords)
def longest(
    board: BoardLike | None = None,
    *,
    open: bool = False,
    uncrossed: bool = False,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    **keywords: Unpack[LongestKeywords],
) -> Longest:
    """Find the longest walk that visits no cell twice; it may leave cells out.

    Parameters
    ----------
    board, leaper
        As for `graph`.
    open
        Whether the walk may end anywhere, rather than one move from its start.
    uncrossed
        Whether no two moves of the walk may cross.
    keywords
        Limits.

    Returns
    -------
    Longest
        With `moves`, `cells` and `bound`; `status` is `optimal` if no walk is longer.
    """
    from encoders.longest import longest
    from kt_models.kernel.certificates.longest.task import LongestTask

    limits, rest = limits_from_arguments(keywords)
    form, rest = apart(rest, FORM)
    require_known(rest, further=frozenset({"leaper", "open", "uncrossed"}))
    closed, uncrossed = not require_boolean(open, "open"), require_boolean(uncrossed, "uncrossed")
    return longest(LongestTask(graph_from(board, leaper, **form), closed, uncrossed), limits=limits)


@naming_extras()
@spelt_out(LongestKeywords)
def puzzle(
    board: BoardLike | None = None,
    *,
    kind: str = "numbers",
    open: bool = False,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    clues: int | None = None,
    difficulty: str | None = None,
    redundant: bool = False,
    **keywords: Unpack[LongestKeywords],
) -> Puzzle:
    """Make a puzzle on a board in the plane that has exactly one solution.

    Parameters
    ----------
    board, leaper
        As for `graph`; the piece of the kinds `waypoints` and `paths` is the wazir by default.
    kind
        What the numbers mean: `numbers`, places in the tour (Hidato, Numbrix); `waypoints`, an order in which it visits
        some cells, perhaps with walls (Zip); or `paths`, pairs of ends of several paths (Numberlink).
    open
        Whether the tour is open.
    clues
        The number of given numbers, of stops, or of pairs; by default as many as it takes.
    difficulty
        `easy` if rules suffice, `medium` if it takes a look ahead, or `hard`; by default any.
    redundant
        Whether there may be superfluous clues.
    keywords
        Limits; `seed` chooses the puzzle.

    Returns
    -------
    Puzzle
        With `clues`, the grid, and `problem`, which other functions take. Its solution was counted in two ways.

    Raises
    ------
    KTError
        If the board has no tour, or no such puzzle was found.
    Stopped
        If the limits are reached first.
    """
    return next(_puzzles(board, 1, kind, open, leaper, clues, difficulty, redundant, keywords))


@naming_extras()
@spelt_out(LongestKeywords)
def puzzles(
    board: BoardLike | None = None,
    count: int = 12,
    *,
    kind: str = "numbers",
    open: bool = False,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    clues: int | None = None,
    difficulty: str | None = None,
    redundant: bool = False,
    on_progress: Listener = silent,
    **keywords: Unpack[LongestKeywords],
) -> Iterator[Puzzle]:
    """Yield different puzzles with exactly one solution each; `kt.draw(list, "sheet.pdf")` makes a sheet of them.

    Parameters
    ----------
    count
        How many.
    board, kind, open, leaper, clues, difficulty, redundant, keywords
        As for `puzzle`.
    on_progress
        Called before each puzzle.

    Raises
    ------
    KTError
        If the board has no tour, or not so many such puzzles were found.
    Stopped
        If the limits are reached first.
    """
    return _puzzles(board, count, kind, open, leaper, clues, difficulty, redundant, keywords, on_progress)


def _puzzles(
    board: BoardLike | None, count: int, kind: str, open: bool, leaper: Any, clues: int | None, difficulty: str | None,
    redundant: bool, keywords: Mapping[str, Any], on_progress: Listener = silent,
) -> Iterator[Puzzle]:  # fmt: skip
    from encoders.puzzles import PuzzleTask, make_puzzles
    from encoders.puzzles.task import piece_for

    require_listener(on_progress)
    limits, rest = limits_from_arguments(keywords)
    form, rest = apart(rest, FORM)
    further = {"kind", "open", "leaper", "clues", "difficulty", "redundant", "count", "on_progress"}
    require_known(rest, further=frozenset(further))
    graph = graph_from(board, piece_for(kind, leaper), **form)
    task = PuzzleTask(graph, not require_boolean(open, "open"), kind, clues, difficulty, redundant)
    return make_puzzles(task, require_whole(count, "count", 1), limits=limits, on_progress=on_progress)


@naming_extras()
@spelt_out(Keywords)
def magic(
    board: BoardLike | None = None,
    *,
    diagonals: bool = False,
    quartes: bool = False,
    halves: bool = False,
    on_progress: Listener = silent,
    **keywords: Unpack[Keywords],
) -> MagicResult:
    """Find a semi-magic tour: all rows have the same sum, and all columns have the same sum.

    Parameters
    ----------
    board
        A full rectangle, or a `Problem` on one.
    diagonals
        Whether the main diagonals of a square have that sum too.
    quartes, halves
        Structures that `kt magic --help` explains; without one, 8x8 takes long.
    keywords
        The keywords of `problem`, and limits; `start` and `end` are the cells of the first and the last number.

    Returns
    -------
    MagicResult
        With `status`, and with `result` and `sums` if a tour was found.
    """
    from encoders.magic import MagicTask, search_magic

    require_listener(on_progress)
    limits, rest = limits_from_arguments(keywords)
    question = problem(board, **rest)
    ends = [None if rest.get(name) is None else vertex_from(question.graph, rest[name]) for name in ("start", "end")]
    if isinstance(board, Problem):
        ends = [*board.terminals, None, None]
    flags = {"diagonals": diagonals, "quartes": quartes, "halves": halves}
    for name, flag in flags.items():
        require_boolean(flag, name)
    task = MagicTask(question, start=ends[0], finish=ends[1], **flags)
    return search_magic(task, limits=limits, on_progress=on_progress)


@naming_extras()
@spelt_out(Keywords, minimize="turns")
def best(board: BoardLike | None = None, *, check_stated: bool = False, **keywords: Unpack[Keywords]) -> Best:
    """Look up the best known tour and bound in the package, and how to check them.

    Parameters
    ----------
    board
        In any form, or a `Problem`; `minimize` is the objective, `turns` by default.
    check_stated
        Whether to check certificates however long it takes.
    keywords
        The keywords of `problem`, and the limits of `solve`.
    """
    from encoders.best import best

    if not isinstance(board, Problem) and not keywords.keys() & {"maximize", "near"}:
        keywords.setdefault("minimize", "turns")
    limits, rest = limits_from_arguments(keywords)
    return best(problem(board, **rest), limits=limits, check_stated=require_boolean(check_stated, "check_stated"))


@naming_extras()
@spelt_out(ConstrainedKeywords)
def pareto(
    board: BoardLike | None = None,
    measures: Sequence[str | Expression | Weights] = ("turns", "crossings"),
    *,
    folder: str | os.PathLike[str] | None = None,
    on_progress: Listener = silent,
    **keywords: Unpack[ConstrainedKeywords],
) -> ParetoFront:
    """Find the Pareto front of two sums, and prove that it is complete.

    Parameters
    ----------
    board
        In any form, or a `Problem`.
    measures
        The two sums to minimise, as `minimize` of `problem`.
    folder
        Folder that keeps the results; the same call continues there, whatever stopped it.
    keywords
        The arguments of `problem` without an objective, and limits.

    Returns
    -------
    ParetoFront
        With `points` (each with `values`, `tour`, `proved` and `how`), `complete`, and `undecided`: where tours may be
        missing.

    Examples
    --------
    >>> import kt
    >>> [tuple(point.values) for point in kt.pareto("6x6").points]
    [(32, 54), (34, 52)]
    """
    from encoders.pareto import pareto

    require_listener(on_progress)
    limits, rest = limits_from_arguments(keywords)
    question = problem_from_arguments(board, rest, frozenset({"measures", "folder", "on_progress"}))
    if question.objective is not None:
        raise KTError("a front has two sums: leave out minimize, maximize and near")
    quantities = [
        objective_from(question.graph, quantity) for quantity in require_items(measures, "measures", "a pair of sums")
    ]
    folder = None if folder is None else require_path(folder, "folder")
    return pareto(question, quantities, folder=folder, limits=limits, on_progress=on_progress)


@naming_extras()
@spelt_out(LimitKeywords)
def compare(
    boards: str | Iterable[str],
    minimize: str = "turns",
    *,
    open: bool = False,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    effort: Effort | None = None,
    **keywords: Unpack[LimitKeywords],
) -> Iterator[Comparison]:
    """Compare every method of `find` with the bound and the optimum, board by board.

    Parameters
    ----------
    boards
        Texts of boards, and ranges: `6x6..12x12`.
    minimize
        A sum of measures, such as `turns` or `length + 2*angle`.
    open
        Whether the tours are open.
    effort
        The effort for each board: an `encoders.compare.Effort`.
    keywords
        The limits of `solve`.
    """
    from encoders.compare import compare

    limits, rest = limits_from_arguments(keywords)
    require_known(rest, further=frozenset({"leaper", "effort"}))
    closed = not require_boolean(open, "open")
    return compare(boards, minimize, closed=closed, leaper=leaper, effort=effort, limits=limits)


@naming_extras()
@spelt_out(ConstrainedKeywords)
def tours(
    board: BoardLike | None = None,
    *,
    value: float | None = None,
    by: str | Weights | Mapping[Any, int] | None = None,
    up_to_symmetry: bool = False,
    distinguish_moves: bool = False,
    **keywords: Unpack[ConstrainedKeywords],
) -> Iterator[Tour]:
    """Yield every tour once, verified, as it is found; tours of undirected graphs have no direction.

    Parameters
    ----------
    board
        In any form, or a `Problem`.
    value, by
        The value that the tours must have, and its objective: `turns`, `crossings` or weights.
    up_to_symmetry
        Whether to yield one tour of each class under the symmetries of the board.
    distinguish_moves
        On a small torus or cylinder two moves may join the same two cells. A tour is an order of cells, and `require`,
        `forbid` and `symmetry` are about pairs of cells, unless this is set, or there is an objective or a limit of a
        sum, which depend on the moves; then tours of one order with different moves are different.
    keywords
        The keywords of `problem`, and limits. With an objective and no value, the tours are those of least value, which
        is proved first.

    Raises
    ------
    Stopped
        If the limits are reached before all tours are found.
    """
    from encoders.enumeration import enumerate_tours

    limits, rest = limits_from_arguments(keywords)
    task = _tour_task(board, rest, value, by, up_to_symmetry, limits, distinguish_moves)
    if not task.lists_tours:
        raise KTError(f"{LEFT_OUT if task.problem.optional else 'several paths or cycles'}: kt.walks lists them")
    listed = map(of_board, enumerate_tours(task, limits))
    if (end := rest.get("end")) is None or rest.get("start") is not None:
        return listed
    last = vertex_from(task.problem.graph, end)  # A tour begins at the only end that is named
    return (from_start_or_to_end(tour, None, last) for tour in listed)


@naming_extras()
@spelt_out(ConstrainedKeywords)
def walks(
    board: BoardLike | None = None,
    *,
    value: float | None = None,
    by: str | Weights | Mapping[Any, int] | None = None,
    distinguish_moves: bool = False,
    **keywords: Unpack[ConstrainedKeywords],
) -> Iterator[Result]:
    """Yield every walk that may leave cells out, or set of paths or cycles, as a result, once, verified.

    Parameters
    ----------
    board, value, by, distinguish_moves, keywords
        As for `tours`, with `optional`, `visit`, `paths` or `cycles`.

    Raises
    ------
    Stopped
        If the limits are reached before all are found.

    Examples
    --------
    >>> import kt
    >>> sorted(walk.cells for walk in kt.walks("3x3", leaper="wazir", visit=["a1", "c3"]))
    [8, 8, 8]
    """
    from encoders.enumeration import walks_of_task

    limits, rest = limits_from_arguments(keywords)
    task = _tour_task(board, rest, value, by, False, limits, distinguish_moves)
    if task.lists_tours:
        raise KTError("walks: name the cells that may be left out, paths or cycles; kt.tours lists single tours")
    return walks_of_task(task, limits)


@naming_extras()
@spelt_out(ConstrainedKeywords)
def count(
    board: BoardLike | None = None,
    *,
    value: float | None = None,
    by: str | Weights | Mapping[Any, int] | None = None,
    up_to_symmetry: bool = False,
    distinguish_moves: bool = False,
    **keywords: Unpack[ConstrainedKeywords],
) -> int:
    """Count the tours; the arguments are those of `tours`.

    Tours are counted by a sweep if possible. If it is too large, they are listed, and a `KTWarning` says so.

    Raises
    ------
    Stopped
        If the limits are reached before all tours were counted.
    TooLarge
        If a sweep is too large, no time limit is given, and a list takes long.
    """
    from encoders.enumeration import sweep

    limits, rest = limits_from_arguments(keywords)
    counting = not require_boolean(up_to_symmetry, "up_to_symmetry")
    task = _tour_task(board, rest, value, by, up_to_symmetry, limits, distinguish_moves, counting=counting)
    try:
        listing, too_large = sweep(task, limits), None
    except TooLarge as error:
        listing, too_large = None, error
    if listing is None:
        from encoders.enumeration.together import list_instead, list_together  # A sweep needs no solver.

        listing = list_instead(task, limits, too_large) if too_large else list_together(task, limits, written=False)
    if not listing.complete:
        raise Stopped(f"stopped before the end: {listing.count:,} so far")
    return listing.count


@naming_extras()
@spelt_out(ConstrainedKeywords)
def at_least(
    board: BoardLike | None,
    number: int,
    *,
    value: float | None = None,
    by: str | Weights | Mapping[Any, int] | None = None,
    up_to_symmetry: bool = False,
    distinguish_moves: bool = False,
    **keywords: Unpack[ConstrainedKeywords],
) -> bool:
    """Decide whether at least `number` tours exist, and stop as soon as the answer is known.

    Parameters
    ----------
    board, value, by, up_to_symmetry, distinguish_moves, keywords
        As for `tours`.
    number
        A positive number of tours. A graph is uniquely Hamiltonian if it has at least 1 tour and not at least 2.

    Raises
    ------
    Stopped
        If the limits are reached before the answer is known.
    """
    from encoders.enumeration.at_least import at_least

    number = require_whole(number, "number", 1)
    limits, rest = limits_from_arguments(keywords)
    answer = at_least(_tour_task(board, rest, value, by, up_to_symmetry, limits, distinguish_moves), number, limits)
    if answer.answer is None:
        raise Stopped(f"stopped before the end: {answer.listing.count:,} so far")
    return answer.answer


def _tour_task(
    board: BoardLike | None,
    asked: dict[str, Any],
    value: float | None,
    by: str | Weights | Mapping[Any, int] | None,
    up_to_symmetry: bool,
    limits: Limits,
    distinguish_moves: bool,
    counting: bool = False,
) -> TourTask:
    """The tours that `kt enumerate` would list with the same options."""
    from encoders.enumeration import task_of
    from kt_models.runs.tour_task import TourTask, require_periodic

    if by is not None:
        if value is None or asked.get("minimize") is not None:
            raise KTError("by names the sum that value is about: give value, and leave out minimize")
        asked = {**asked, "minimize": by}
    require_boolean(distinguish_moves, "distinguish_moves")
    question = problem_from_arguments(board, asked, frozenset({"by"}), distinguish_moves=distinguish_moves)
    require_periodic(question.graph, "distinguish_moves", asked=distinguish_moves)
    cost = question.unit.cost(value, "value")
    TourTask(question, cost, up_to_symmetry, counting)  # Refused before the least value is looked for
    return task_of(question, cost, up_to_symmetry, limits, counting=counting)


@naming_extras()
@spelt_out(LimitKeywords)
def check(
    subject: Certificate | TourLike,
    board: BoardLike | None = None,
    *,
    closed: bool | None = None,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    form: str | None = None,
    base: int | None = None,
    numbers: Mapping[Any, int | Iterable[int]] | None = None,
    clues: Any = None,
    sums: Mapping[str, int | Iterable[int]] | None = None,
    in_order: Iterable[Any] = (),
    waypoints: Any = None,
    straight: Iterable[Any] = (),
    turn: Iterable[Any] = (),
    white_pearls: Iterable[Any] = (),
    black_pearls: Iterable[Any] = (),
    forbid_triples: Any = (),
    shape: str | None = None,
    cells: str | None = None,
    **keywords: Unpack[LimitKeywords],
) -> Verdict:
    """Verify a certificate, a result or a tour, a file of one, or the folder of a proof or a run.

    Parameters
    ----------
    subject
        The object to check, or the JSON object of its file; earlier checks have no effect. A tour may have any form
        that `read` takes.
    board, closed, leaper, form, base
        Of a tour, as for `read`.
    numbers, clues, sums, shape
        As for `problem`: the numbers that the cells must have in the tour as it is written, and its shape.
    in_order, waypoints
        As for `problem`: the stops that it must visit in their order.
    straight, turn, white_pearls, black_pearls, forbid_triples
        As for `problem`: cells where it goes straight on or turns, and triples of moves that it must not make.
    cells
        The signs of cells in a mask or in the grid; all others are holes.
    keywords
        Limits.

    Raises
    ------
    InvalidTour, CertificateError
        If the subject is wrong.
    KTError
        If a file cannot be read.
    """
    from kt_models.files.check import GRACE_SECONDS, verdict_of_tour
    from kt_models.files.clues import clues_from
    from kt_models.files.given import check_given
    from kt_models.files.problems import given_numbers, is_given, problem_from

    limits, rest = limits_from_arguments(keywords)
    require_known(rest)
    if clues is not None and waypoints is not None:
        raise KTError("clues, waypoints: the numbers of a grid are places in the tour or stops, not both")
    grid = (
        None
        if clues is None and waypoints is None
        else clues_from(waypoints if clues is None else clues, cells, stops=clues is None)
    )
    if cells is not None and (board is not None or grid is None):
        board, leaper = graph_from(board, leaper, cells=cells), None
    place = grid.board if board is None and grid is not None else board
    conditions = {
        "in_order": in_order,
        "straight": straight,
        "turn": turn,
        "white_pearls": white_pearls,
        "black_pearls": black_pearls,
        "forbid_triples": forbid_triples,
    }
    is_conditioned = waypoints is not None or any(map(is_given, conditions.values()))
    if not all(allowed is None for allowed in (numbers, grid, sums, shape)) or is_conditioned:
        tour = tour_given(subject, place, closed=closed, leaper=leaper, form=form, base=base)
        if not is_conditioned:
            value = given_numbers(tour.graph, numbers, grid, sums, open=not tour.closed, shape=shape)
            return verdict_of_tour(tour, value)
        stopped = problem_from(
            tour.graph,
            open=not tour.closed,
            numbers=numbers,
            clues=grid if waypoints is None else None,
            sums=sums,
            shape=shape,
            waypoints=grid if clues is None else None,
            **conditions,
        )
        return verdict_of_tour(tour, problem=stopped)
    facts = {"board": board, "closed": closed, "leaper": leaper, "form": form, "base": base}
    return limits.run(lambda: check_given(subject, limits, **facts), GRACE_SECONDS)


def verify(
    tour: TourLike,
    board: BoardLike | None = None,
    *,
    closed: bool | None = None,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    form: str | None = None,
    base: int | None = None,
) -> Tour:
    """Check that a tour visits every cell exactly once by moves of its board, and return it as a `Tour`.

    Parameters
    ----------
    tour
        In any form that `read` takes.
    board, closed, leaper, form, base
        As for `read`.

    Raises
    ------
    InvalidTour
        Naming the first error: a cell visited twice, one missed, a step that is not a move.
    KTError
        If it is not a tour in one of these forms.
    """
    checked = tour_given(tour, board, closed=closed, leaper=leaper, form=form, base=base)
    verify_tour(checked)
    return checked


@naming_extras()
@spelt_out(BoardKeywords)
def read(
    source: TourLike,
    board: BoardLike | None = None,
    *,
    closed: bool | None = None,
    leaper: Leaper | str | tuple[int, ...] | None = None,
    form: str | None = None,
    base: int | None = None,
    **place: Unpack[BoardKeywords],
) -> Tour:
    """Read and verify a tour in any of the usual forms.

    Parameters
    ----------
    source
        The path of a file or its text: JSON, TSPLIB, LKH, Concorde, linkern, a grid of numbers, coordinates, squares
        (`a1 b3`, `1. Na1-b3`), or numbers of cells row by row. Or cells in order, `[(0, 0), (1, 2), ...]` or `["a1",
        "b3", ...]`; moves; numbers of cells; an array or nested list of the numbers of the cells, the top row first; a
        dictionary from cells to numbers; a JSON object as kt writes it; a `Tour`, or a `Result` that has one.
    board, leaper, place
        The board or graph of the tour, or the piece alone, if the data do not determine it; if they do, it must agree.
    closed
        Whether the tour is closed; by default as the data state it, or else whether its ends are a move apart.
    form
        The form, if the data fit several: one of `kt_models.files.tour_forms.table.NAMES`.
    base
        The least number, 0 or 1, of visits or of cells, if both are possible.

    Raises
    ------
    InvalidTour
        Naming the first error.
    KTError
        If the source cannot be read, or can be read in several ways.
    """
    graph = graph_from_arguments(board, place) if place or board is not None else None
    return verify(source, graph, closed=closed, leaper=leaper, form=form, base=base)


@naming_extras()
@spelt_out(DrawKeywords, **DRAWN)
def draw(
    subject: Tour | Result | Longest | Certificate | Problem | Puzzle | BoardLike | Sequence[Any] | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    seconds: float | None = None,
    force: bool = False,
    ax: Any = None,
    **look: Unpack[DrawKeywords],
) -> str | None:
    """Draw a tour, a longest walk, a board, clues, or the argument of a certificate: as SVG, or into a file.

    Parameters
    ----------
    subject
        What to draw: one of these, the path of a file that holds one, or a list of them for one sheet or page. Of a
        `Problem` the given numbers, stops, ends of paths and walls are drawn. Several puzzles become a sheet with their
        solutions at its end, or a page to play.
    path
        A file that ends in `.svg`, `.png`, `.pdf`, `.tex` (TikZ), `.html` (a page to step through), `.gif` or `.mp4`
        (if ffmpeg is installed). A text that ends in `/`, or a `Path` without suffix, is a folder for a gallery: a
        table of all subjects, with a page for each.
    seconds
        Length of an animation, 15 by default.
    force
        Whether to replace a file of another kind.
    ax
        Axes of Matplotlib, on which one tour, walk or board is drawn in place of a file.
    look
        The fields of `drawing.options.DrawOptions`; fields without effect on the kind of file are rejected.

    Examples
    --------
    >>> import kt
    >>> sheet = kt.draw([kt.find("6x6"), kt.find("5x6")], title="Two boards", theme="auto")
    """
    from drawing.save import draw_on, picture
    from heuristics.explain import parts_of

    if ax is not None:
        if path is not None or seconds is not None or force:
            raise KTError("ax: the drawing goes to the axes; leave out path, seconds and force")
        draw_on(subject, ax, dict(look))
        return None
    return picture(subject, path, dict(look), seconds=seconds, explain=lambda side: parts_of(side, False), force=force)


def live() -> Listener:
    """A listener for `on_progress` that shows value, bound and gap in a notebook; elsewhere it shows nothing.

    >>> import kt
    >>> kt.solve("6x6", minimize="turns", on_progress=kt.live()).value
    32
    """
    from drawing.live import live

    return live()
