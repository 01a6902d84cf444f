"""Listing of tours: in this process at first, then cube by cube on all cores.

Nothing is kept here except what is handed on; work of hours is for a run (`encoders.enumeration.run`), in a folder.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import replace
from typing import Any

from encoders.enumeration import Listing, chosen_engine, list_tours
from encoders.enumeration.job import solve_cube
from encoders.enumeration.search import LOOKS_PER_SLICE
from encoders.enumeration.split import Splitter
from encoders.sat.solver_program import SolverProgram
from encoders.work.pool import LocalPool
from encoders.work.spending import Spending, Spent
from kt_models.errors import KTError, KTWarning, TooLarge
from kt_models.limits import Limits, Stopped
from kt_models.machine import usable_cores
from kt_models.result import Result
from kt_models.runs.cubes import Cube
from kt_models.runs.kinds import task_of_json
from kt_models.runs.tour_task import TourTask
from kt_models.tour import Tour, tour_to_json

ALONE_SECONDS = 4.0
"""Seconds of work in this process first: for a list that ends by then, processes and their messages would not pay."""
CUBES_PER_PROCESS = 32
"""Cubes for each process at first; one that is too large is cut into `PARTS_OF_A_CUBE`."""
PARTS_OF_A_CUBE = 8
MAX_SECONDS = 1e6
POLL_SECONDS = 0.1

MAX_LISTED = 20_000
"""Tours that are listed in place of a sweep that is too large, if no time limit is given: half a minute."""
MAX_LISTED_LOOKS, MAX_LISTED_CONFLICTS = 100 * LOOKS_PER_SLICE, 1_000_000
"""Work for this list: a hundred slices of the search, or conflicts of a solver."""

OnLine = Callable[[str, int], None]


def list_together(
    task: TourTask,
    limits: Limits,
    engine: str = "auto",
    on_line: OnLine = lambda line, count: None,
    written: bool = True,
    program: SolverProgram | None = None,
) -> Listing:
    """List the tours of a task, and count them, as `list_tours` does, in another order.

    Parameters
    ----------
    on_line
        Called with each tour as a line of JSON, made by the process that found it, and its number in the list; it may
        raise `Stopped` to end the list.
    written
        Whether the lines are needed; otherwise they are empty.
    program
        As for `enumerate_tours`; it works alone.

    Raises
    ------
    KTError
        If workers keep dying.
    """
    alone_only = task.problem.numbers is not None or not (task.lists_tours or task.counting)
    workers = 1 if alone_only or program is not None else limits.workers or usable_cores()
    listed = _Listed(task, on_line, written)
    # Short lists end here, without the start of any process.
    share = limits if workers == 1 else limits.within(ALONE_SECONDS)
    alone = list_tours(task, share, engine, listed.hear, program=program)
    if alone.complete or workers == 1 or limits.over or listed.refused:
        return alone
    try:
        complete = _in_pool(task, limits, engine, LocalPool(workers), CUBES_PER_PROCESS * workers, listed)
    except Stopped:
        complete = False
    # For a mere count, the list in this process may be ahead of the finished cubes.
    if not complete and alone.count > listed.count:
        return alone
    by_value = dict(sorted(listed.by_value.items())) if task.by_value else None
    return Listing(listed.count, complete, chosen_engine(task, engine), by_value)


def list_instead(
    task: TourTask, limits: Limits, error: TooLarge, on_line: OnLine = lambda line, count: None
) -> Listing:
    """Count the tours of a task one by one, because a sweep is too large for them; a warning says so.

    With a time limit the list ends with it. Otherwise it is given up after `MAX_LISTED` tours, because a count by a
    sweep is asked for where there are many, and a list would not end.

    Raises
    ------
    TooLarge
        If the list is given up.
    """
    warnings.warn(f"{error}; the tours are listed one by one", KTWarning, stacklevel=3)
    if limits.seconds is not None:
        # An engine that lists, so that the cubes are not swept either.
        engine = chosen_engine(task, "auto")
        return replace(list_together(task, limits, engine, on_line, written=False), reason=str(error))

    def hear(tour: Tour, count: int) -> None:
        on_line("", count)
        if count > MAX_LISTED:
            raise Spent

    try:
        listing = list_tours(task, limits, on_tour=hear, spending=Spending(MAX_LISTED_CONFLICTS, MAX_LISTED_LOOKS))
    except Spent:
        raise TooLarge(
            f"{error}; and a list of the tours takes long: with a time limit kt lists as many as it can"
        ) from None
    return replace(listing, reason=str(error))


class _Listed:
    """The tours handed on and their number; each tour counts once, whatever its source."""

    def __init__(self, task: TourTask, on_line: OnLine, written: bool) -> None:
        self.task, self.on_line, self.written = task, on_line, written
        self.keys: set[str] = set()
        self.count = 0
        self.by_value: Counter[int] = Counter()
        self.refused = False

    def hear(self, tour: Tour | Result, count: int) -> None:
        """Take a tour from this process."""
        if self.task.counting:
            return
        if isinstance(tour, Result):
            self._hand_on(line_of_result(tour) if self.written else "")
        else:
            # Tours that this process lists come again from the cubes, and their keys tell which.
            self.keys.add(self.task.key(tour))
            numbered = self.task.problem.numbers is not None
            self._hand_on(line_of(tour, numbered=numbered) if self.written else "")

    def take(self, answer: dict[str, Any]) -> None:
        """Take the outcome of a cube."""
        if self.task.counting:  # Begin again at 0: cubes do not know what was counted here.
            self.count += answer["count"]
            self.by_value.update(dict(answer["by_value"]))
        for key, line in answer["solutions"]:
            if key in self.keys:
                continue
            if self.task.up_to_symmetry:  # Another cube may have found the same class.
                self.keys.add(key)
            self._hand_on(line)

    def _hand_on(self, line: str) -> None:
        self.count += 1
        try:
            self.on_line(line, self.count)
        except Stopped:
            self.refused = True
            raise


def _in_pool(task: TourTask, limits: Limits, engine: str, pool: LocalPool, cubes: int, listed: _Listed) -> bool:
    """Work on cubes until none is left; False if the limits come first."""
    text = json.dumps(task.to_json(), sort_keys=True)
    flying: dict[Future[Any], Cube] = {}
    try:
        with Splitter(task, limits) as splitter:
            waiting = deque(splitter.split(Cube(), cubes))
            while (waiting or flying) and not limits.over:
                # No more cubes than workers are handed out, so that the parts of a large one can come next.
                while waiting and len(flying) < pool.size:
                    cube = waiting.popleft()
                    flying[
                        pool.submit(cube_lines, text, cube.name, min(limits.left, MAX_SECONDS), engine, listed.written)
                    ] = cube
                done, _ = wait(flying, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    cube = flying.pop(future)
                    answer = _answer(future)
                    if "reason" not in answer:
                        listed.take(answer)
                    elif not limits.over:
                        # The cube took too much time or memory, so its parts come next.
                        parts = splitter.split(cube, PARTS_OF_A_CUBE)
                        if len(parts) < 2:
                            raise KTError(f"cube {cube.name}: {answer['reason']}, and it cannot be cut")
                        waiting.extendleft(reversed(parts))
        return not (waiting or flying)
    finally:
        pool.close()


def line_of(tour: Tour, *, numbered: bool = False) -> str:
    """A tour as a line of JSON; if `numbered`, as one of its numberings."""
    return json.dumps(tour_to_json(tour) | ({"numbered": True} if numbered else {})) + "\n"


def line_of_result(result: Result) -> str:
    """Several paths or cycles, or a walk that leaves cells out, as a line of JSON."""
    data = result.to_json()
    return json.dumps({key: value for key, value in data.items() if key not in ("engine", "seconds", "how")}) + "\n"


def cube_lines(text: str, name: str, seconds: float, engine: str, written: bool) -> dict[str, Any]:
    """The outcome of a cube, in a process of the pool: that of `solve_cube`, with a line for each tour."""
    answer = solve_cube(text, name, seconds, engine)
    if answer["solutions"]:
        task = task_of_json(json.loads(text))
        assert isinstance(task, TourTask)
        lines = ((key, line_of(task.solution(edges)) if written else "") for key, edges in answer["solutions"])
        answer["solutions"] = list(lines)
    return answer


def _answer(future: Future[Any]) -> dict[str, Any]:
    """The report of a process on a cube; a process that died had too little memory."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        answer: dict[str, Any] = future.result()
    except (BrokenProcessPool, CancelledError, MemoryError):
        return {"reason": "its process died"}
    return answer
