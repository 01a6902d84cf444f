"""Semi-magic and magic tours: problems with given sums of rows and columns, and of the long diagonals if requested.

Two structures make the search of an 8x8 shorter. With `quartes` the numbers are cut into blocks of four; each block
stays in one 4x4 quarter of the board and has a cell in each row and each column of the quarter (Beverley's tour of 1848
consists of sixteen such blocks). With `halves` each half row and half column of a quarter has its share of the sum.
Some semi-magic tours have these structures and others do not, so with them "none" says less.

Without them the search assumes the symmetries of published tours in turn (`structures`), and then none.
"""

from __future__ import annotations

from math import inf

from encoders.magic.model import magic_model, magic_table
from encoders.magic.quartes import QuarteSearch
from encoders.magic.structures import Structure, structures
from encoders.magic.task import MagicResult, MagicTask
from encoders.numbering.engine import NumberEngine
from encoders.work.run import Run, race
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.line_sums import line_sums
from kt_models.result import Result
from kt_models.tour import Tour

__all__ = ["MagicResult", "MagicTask", "search_magic"]
FIRST_WORK, STRUCTURE_WORK = 2.0, (10.0, 40.0)
"""CP-SAT's deterministic seconds for the problem as it is, at first, and for each structure, round by round."""
STRUCTURE_SHARE = 0.5
"""Share of a time limit after which no other structure is begun."""


def search_magic(task: MagicTask, *, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> MagicResult:
    """Search for a tour with the sums of a task.

    Raises
    ------
    Stopped
        If the limits are reached before the model is built.
    """
    # Every row has the same sum, so their number divides the total, and the same for columns. This needs no solver.
    for side, many in zip(task.board.shape, ("columns", "rows"), strict=True):
        if task.total % side:
            why = f"the numbers sum to {task.total:,}, which {side} {many} cannot share equally"
            return MagicResult(task, "infeasible", reason=why)
    if task.problem.closed and task.board.n < 3:
        return MagicResult(task, "infeasible", reason="a closed tour needs at least 3 cells")
    problem = task.numbered
    run = Run(limits, False, on_progress)
    engine, status = _search(task, run, on_progress)
    if engine.order is None:
        return MagicResult(task, status, seconds=run.elapsed, engine=engine.name)
    tour = Tour(problem.graph, engine.order, problem.closed)
    result = Result(problem, "feasible", tour, engine=engine.name, seconds=run.elapsed)
    return MagicResult(task, "feasible", result, line_sums(tour), seconds=run.elapsed, engine=engine.name)


def _search(task: MagicTask, run: Run, on_progress: Listener) -> tuple[NumberEngine | QuarteSearch, str]:
    """The engine that ended the search, and the status."""

    def cpsat(work: float | None = None, structure: Structure = ()) -> tuple[NumberEngine, str]:
        engine = NumberEngine(task.numbered, run.threads, magic_model(task, run.limits, structure), work)
        return engine, race(run, [engine]).status

    if QuarteSearch.serves(task):
        search = QuarteSearch(task, magic_table(task, run.limits), run.limits)
        status = race(run, [search]).status
        if status != "unknown" or run.over:
            return search, status
    open_ones = [] if task.quartes else structures(task)
    if open_ones:
        engine, status = cpsat(FIRST_WORK)
        if status != "unknown":
            return engine, status
    for work in STRUCTURE_WORK:
        for structure in list(open_ones):
            if run.limits.elapsed >= STRUCTURE_SHARE * (run.limits.seconds or inf):
                break
            names = " and ".join(str(part.symmetry) for part in structure)
            on_progress(Report(words=f"tours symmetric under {names}"))
            engine, status = cpsat(work, structure)
            if engine.order is not None:
                return engine, status
            if status == "infeasible":
                open_ones.remove(structure)
    return cpsat()
