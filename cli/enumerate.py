"""`kt enumerate`: list or count all tours."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, TYPE_CHECKING, Any

import click

from cli.command import Command
from cli.error_messages import complain
from cli.files import leaves_alone, output_suffix, say
from cli.live import limits_of, live_progress
from cli.many import ListOptions, answer_graphs, conditions_of, list_in, list_options, refuse
from cli.option_errors import read_when
from cli.options import (
    LimitOptions,
    Output,
    board_options,
    grouped,
    limit_options,
    output_options,
    print_json,
    print_rows,
    problem_json,
    problem_rows,
)
from cli.problem import (
    MEASURES,
    NUMBER_OPTIONS,
    WALK_OPTIONS,
    Number,
    constraint_options,
    objective_options,
    place_of,
    problem_of,
    problem_options,
)
from cli.proof import check_proof_option, tell_unproved
from cli.run_options import RunOptions, run_options, task_of, work
from cli.solver_option import program_option
from cli.status import UNANSWERED
from kt_models import KTError, Problem, Result, TooLarge
from kt_models.expressions import Greatest
from kt_models.file_kinds import LIST
from kt_models.files.workbook import SUFFIX
from kt_models.kernel.certificates import Statement
from kt_models.limits import Limits, Report, Stopped
from kt_models.result import SEARCH_SAYS, proof_written
from kt_models.storage import STANDARD, standard_output
from kt_models.tour import tour_from_json
from kt_models.writing import whole_file

if TYPE_CHECKING:
    from encoders.counting.forecast import Forecast
    from encoders.enumeration import Listing
    from encoders.enumeration.at_least import AtLeast
    from encoders.enumeration.sample import SampleForecast
    from encoders.sat.solver_program import SolverProgram
    from kt_models.files.graph_forms.several import GraphList
    from kt_models.runs.tour_task import TourTask

MAX_QUICK_LIST = 1_000_000
"""Most tours of a list of which nothing is said before it begins: minutes."""
MAX_SYMMETRIES = 8
"""Most symmetries of a rectangle, and so tours in a class."""
SWEPT_WHOLE = ("symmetry", "at_most", "at_least", *WALK_OPTIONS, *NUMBER_OPTIONS)
"""Conditions with which a count keeps no layers."""


@dataclass(frozen=True)
class Wish:
    """Which tours to list or count."""

    counting: bool = False
    by: str | None = None
    minimize: str | Greatest | None = None
    value: int | None = None
    up_to_symmetry: bool = False
    distinguish_moves: bool = False
    engine: str = "auto"
    layers: str | None = None
    ahead: bool = False
    wanted: int | None = None
    proof: str | None = None
    program: SolverProgram | None = None

    def __post_init__(self) -> None:
        objective = "--maximize" if isinstance(self.minimize, Greatest) else "--minimize"
        if self.wanted is not None and (self.counting or self.ahead or self.layers):
            raise KTError("--at-least cannot be combined with --count, --forecast or --folder")
        if self.program and (self.engine == "search" or self.ahead or self.layers or self.wanted or self.proof):
            raise KTError("--solver lists or counts tours: leave out --engine search, --forecast, --folder and --proof")
        if self.ahead and (self.engine != "auto" or self.minimize or (self.by and not self.counting)):
            raise KTError(f"--forecast predicts a list or a count of all tours: leave out --engine and {objective}")
        if self.layers and not (self.counting and self.engine == "auto" and self.value is None and not self.minimize):
            raise KTError("--folder keeps the layers of a sweep that counts all tours: give --count, or --count --by")
        if self.proof and (self.ahead or self.wanted or self.minimize or self.by or self.layers):
            raise KTError(f"--proof proves a list of all numberings: leave out {objective}, --by and --at-least")
        if self.minimize and self.value is not None:
            raise KTError(f"{objective} and --value cannot be combined")
        if self.minimize and self.by and self.minimize != self.by:
            raise KTError(f"{objective} and --by name different objectives")
        if self.value is not None and not self.by:
            raise KTError("--value: name the objective with --by turns or --by crossings")


def _count_asked(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> int | None:
    """The number of `--at-least K`; what `--at-least SUM=N` says is a constraint of the problem."""
    context.params["at_least"] = tuple(text for text in texts if "=" in text)
    number: click.ParamType = click.IntRange(1)
    numbers = [number.convert(text, option, context) for text in texts if "=" not in text]
    if len(numbers) > 1:
        raise KTError("--at-least: the number of tours is given twice")
    return numbers[0] if numbers else None


@click.command("enumerate", cls=Command)
@click.argument("board", required=False)
@board_options
@problem_options
@partial(constraint_options, least=False)
@grouped(
    "wish",
    Wish,
    click.option("--count", "counting", is_flag=True, help="Only count, with a frontier sweep if possible."),
    click.option("--by", metavar=MEASURES, help="Objective of --value; with --count: count by value."),
    objective_options("Only tours that minimize this.", "Only tours that maximize this."),
    click.option("--value", type=Number(), metavar="V", help="Only tours with this value of --by."),
    click.option(
        "--at-least",
        "wanted",
        multiple=True,
        callback=_count_asked,
        metavar="K|SUM=N",
        help="Only decide whether K tours exist; SUM=N: only tours whose SUM is at least N (repeatable).",
    ),
    click.option("--up-to-symmetry", is_flag=True, help="One tour of each class under the board's symmetries."),
    click.option(
        "--distinguish-moves",
        is_flag=True,
        help="Where two moves join the same cells, tell tours apart by moves, not only by the order of cells.",
    ),
    click.option(
        "--engine", default="auto", show_default=True, metavar="auto|search|sat", help="Engine that lists the tours."
    ),
    program_option,
    click.option("--forecast", "ahead", is_flag=True, help="Only predict the cost of a count or a list."),
    click.option(
        "--folder", "layers", metavar="DIR", help="Keep the states of a count in DIR; the same command continues there."
    ),
    click.option("--proof", metavar="DIR", help="With given numbers: write a proof that no tour, or only one, exists."),
)
@list_options
@limit_options(memory="Memory for a count (default: 4), or for each worker of a run.")
@run_options
@output_options(".jsonl, one tour per line, .xlsx", LIST, beside=("proof",))
@read_when("by", when=lambda values: not values["minimize"], why="without --minimize, which names the objective")
@read_when(
    *("layers", "folder", "output"),
    when=lambda values: not values["ahead"],
    why="where tours are counted or listed, and --forecast does neither",
)
def command(
    board: str | None,
    leaper: str | None,
    wish: Wish,
    limit_values: LimitOptions,
    run_values: RunOptions,
    out: Output,
    each: ListOptions,
    **problem_values: Any,
) -> int:
    """List all tours of BOARD, or count them; tours have no direction.

    Without -o kt prints the tours as it finds them, one JSON object per line.

    \b
    kt enumerate 8x6 --count                     by a sweep: exact, for any length
    kt enumerate 8x8 --count --memory 16         minutes; --up-to-symmetry counts classes
    kt enumerate 8x10 --count --forecast         predict time and memory
    kt enumerate 8x8 --symmetry rot180 --up-to-symmetry --forecast      the same of a list, from random parts
    kt enumerate 8x10 --count --folder DIR       after a kill, the same command continues
    kt enumerate 6x6 --count --by turns          how many tours have how many turns
    kt enumerate 6x6 --count --at-most turns=34 --at-least crossings=60
    kt enumerate 6x6 --up-to-symmetry -o all.jsonl
    kt enumerate 6x6 --minimize crossings        only those with the fewest
    kt enumerate 6x6 --by turns --value 33 --symmetry rot180
    kt enumerate 8x8 --minimize turns --run DIR  on all cores; after a kill, continue with
    kt enumerate --run DIR --resume
    kt enumerate 6x7 --count --by crossings --run DIR
    kt enumerate unique.g6 --at-least 2          no, if its Hamiltonian cycle is unique
    kt enumerate list.g6 --at-least 2            several graphs, one line each
    kt enumerate list.g6 --count                 the number of each; --histogram, --only count=1
    kt enumerate list.g6 --count --run DIR       after a kill, the same command continues
    kt enumerate --clues hidato.txt --leaper king --open --count --proof DIR

    With given numbers (--number, --clues, --sums) kt lists or counts every numbering. --proof writes a proof that there
    is none, or only one; kt check reads it.
    """
    # A run's folder keeps the whole problem, so options beside `--resume` could only contradict it.
    others = leaper is not None or each != ListOptions() or any(problem_values.values())
    if run_values.resume and (board or wish != Wish(engine=wish.engine) or others):
        raise KTError("--resume: the run's folder names the tours; leave out BOARD and all conditions")
    if not board and not run_values.resume and not any(map(problem_values.get, ("clues", "waypoints", "paths"))):
        raise KTError("BOARD is missing")
    output = out.output
    if wish.layers and (run_values.folder or any(map(problem_values.get, SWEPT_WHOLE))):
        raise KTError(
            "--folder cannot be combined with --run, --symmetry, limits of sums or given numbers: such counts keep no "
            "layers"
        )
    if output and (wish.counting or wish.wanted):
        raise KTError(f"{'--count' if wish.counting else '--at-least'} lists nothing that -o could write")
    output_suffix(output, (".jsonl", SUFFIX), LIST)
    # A list of graphs asks the same question of each, without a task of its own here.
    each_counted = wish.counting or each.histogram or (each.only or "").startswith("count")
    if (wish.wanted is not None or each_counted) and (graphs := list_in(board, each)) is not None:
        refuse(
            {"--resume": run_values.resume, "--cubes": run_values.cubes, "--cube-time": run_values.cube_time}, graphs
        )
        return _ask_of_each(
            graphs,
            wish,
            leaper,
            replace(limit_values, workers=run_values.workers),
            replace(each, folder=run_values.folder, scheduler=run_values.scheduler),
            out.as_json,
            problem_values,
        )
    if wish.wanted and run_values.folder:
        raise KTError("--at-least needs no run: leave out --run")
    if wish.program and run_values.folder:
        raise KTError("--run: others may go on with a run, so a program has no part in it; leave out --solver")
    from kt_models.runs.tour_task import TourTask, require_periodic

    # The clock of the answer starts before the graph is read, which can take most of the time for a large file.
    started = time.monotonic()
    with limits_of(replace(limit_values, workers=run_values.workers), as_json=out.as_json) as limits:
        if run_values.resume:
            task = task_of(run_values.required_folder, TourTask, "kt enumerate")
        else:
            graph = limits.run(lambda: place_of(board, leaper, problem_values))
            each.require_list()
            require_periodic(graph, "--distinguish-moves", asked=wish.distinguish_moves)
            problem = problem_of(
                graph, wish.minimize or wish.by, distinguish_moves=wish.distinguish_moves, **problem_values
            )
            begun = _task(problem, wish, bool(run_values.folder), limits)
            if begun is None:
                return UNANSWERED
            task = begun
        if wish.program and task.problem.numbers is not None:
            raise KTError("--solver: given numbers have engines of their own; leave it out")
        if wish.proof:
            if task.problem.numbers is None or run_values.folder:
                raise KTError("--proof is for lists with given numbers, outside runs; see kt solve --proof")
            check_proof_option(wish.proof)
        if wish.ahead:
            return _foretell(task, limits, out.as_json)
        if wish.wanted is not None:
            return _ask(task, wish.wanted, wish.engine, limits, out.as_json)
        if run_values.folder:
            listing = _run(task, run_values, wish.engine, limits)
            if output and not task.counting:
                _export(run_values.folder, output)
        else:
            listing = _list(task, wish, limits, output, silent=out.as_json or wish.counting)
        proved = bool(wish.proof) and _prove(task, listing, str(wish.proof), limits)
    proof = wish.proof if proved else None
    _print(task, listing, time.monotonic() - started, out.as_json, proof, apart=output is None and not wish.counting)
    return 0 if listing.complete and (proved or not wish.proof) else UNANSWERED


def _prove(task: TourTask, listing: Listing, folder: str, limits: Limits) -> bool:
    """Write a proof that there is no numbering, or only one; return whether it was written."""
    from encoders.enumeration import enumerate_tours
    from encoders.proof_folder import prove_result

    unproved: KTError | None
    if not listing.complete or listing.count > 1:
        unproved = KTError(f"there {'are' if listing.complete else 'may be'} more than one")
    else:
        tour = next(enumerate_tours(task, limits), None)
        result = Result(task.problem, "infeasible" if tour is None else "feasible", tour, engine=listing.engine)
        _, unproved = prove_result(result, folder, limits)
    if unproved is not None:
        tell_unproved(folder, unproved)
    return unproved is None


def _task(problem: Problem, wish: Wish, running: bool, limits: Limits) -> TourTask | None:
    """The task; None if it needs the least value and time ran out before that was known."""
    from kt_models.runs.tour_task import TourTask

    # Up to symmetry a count has to see each tour, so it is a list whose tours are not printed.
    value, counting = problem.unit.cost(wish.value, "--value"), wish.counting and not wish.up_to_symmetry
    if wish.minimize:
        from encoders.enumeration import least_value

        try:
            value = least_value(problem, limits)
        except Stopped as error:
            complain(str(error))
            return None
    by_value = wish.by is not None and value is None and not wish.minimize
    if by_value and not counting:
        raise KTError("--by: give --value, or --count without --up-to-symmetry")
    if by_value and not running and wish.engine != "auto":
        raise KTError("--by: give --value, or --count without --engine, or with --run")
    # An objective that does not restrict the list would only make its problem larger.
    if not by_value and value is None:
        problem = replace(problem, objective=None)
    return TourTask(problem, value, wish.up_to_symmetry, counting, by_value)


def _foretell(task: TourTask, limits: Limits, as_json: bool) -> int:
    """Print what a count or a list will take."""
    from encoders.counting.forecast import forecast

    if task.problem.numbers is not None:
        raise KTError("--forecast: it predicts lists and counts of tours, and not of numberings")
    swept = task.counting and task.value is None
    expected: Forecast | SampleForecast | None = None
    with live_progress("listing parts") as on_progress:
        if swept:
            expected = limits.run(lambda: forecast(task.problem, limits, by_value=task.by_value))
        if expected is None:
            from encoders.enumeration.sample import forecast_by_sample

            listed = replace(task, counting=False, by_value=False)
            expected = limits.run(lambda: forecast_by_sample(listed, limits, on_progress))
    if as_json:
        print_json(problem_json("forecast", task.problem) | expected.to_json())
    else:
        print_rows([*problem_rows(task.problem), ("forecast", expected.text)])
    return 0


def _list(task: TourTask, wish: Wish, limits: Limits, output: str | None, *, silent: bool) -> Listing:
    """Count by a sweep, or list each tour as it is found."""
    from encoders.enumeration import GRACE_SECONDS, SWEEP, Listing, sweep
    from encoders.enumeration.together import list_instead, list_together

    engine = wish.engine if wish.program is None else "sat"
    with live_progress() as on_progress:
        if wish.counting and engine == "auto":
            # A list of one, so that the function below can replace it.
            latest = [Report(words="sweeping")]
            expected, too_large = "", None

            def hear(now: Report) -> None:
                latest[:] = [now]
                on_progress(replace(now, words=now.words + expected))

            hear(*latest)
            try:
                expected = _expected(task, limits, wish.layers)
                try:
                    swept = limits.run(lambda: sweep(task, limits, hear, wish.layers), GRACE_SECONDS)
                except TooLarge as error:
                    # A forecast is about a rectangle, and a list of its tours would not end.
                    if expected or wish.layers:
                        raise
                    swept, too_large = None, error
            except Stopped as error:
                on = f"; the same command goes on in {wish.layers}" if wish.layers else ""
                complain(f"{error}, in the sweep: {latest[0].words}{on}")
                return Listing(0, False, SWEEP)
            if too_large is not None:
                return list_instead(
                    task, limits, too_large, lambda line, count: on_progress(Report(words=f"{count:,} found"))
                )
            if swept is not None:
                return swept
        total = _total(task)
        with suppress(_Empty), _stream(output, silent) as stream:

            def take(line: str, count: int) -> None:
                try:
                    if stream is not None:
                        # A reader of a pipe gets each tour as soon as it is known.
                        stream.write(line)
                        stream.flush()
                except BrokenPipeError:  # The reader of a pipe went away, as `head` does.
                    raise Stopped("the reader of the output has gone") from None
                on_progress(Report(words=f"{count:,} found{total}"))

            listing = list_together(task, limits, engine, take, stream is not None, wish.program)
            if output and leaves_alone(output, says_nothing=not (listing.count or listing.complete)):
                raise _Empty
        return listing


def _total(task: TourTask) -> str:
    """How many tours a list will have, for the live line, if that is known; said at once where the list is long."""
    from heuristics.known_counts import known_count

    count = known_count(task.problem) if task.value is None and not task.by_value else None
    if count is None:
        return ""
    total = f"{count:,}"
    if task.up_to_symmetry:
        total = f"at least {-(-count // MAX_SYMMETRIES):,}"
    if count > MAX_QUICK_LIST:
        kind = "classes of tours" if task.up_to_symmetry else "tours"
        name = task.problem.graph.name
        say(f"{name}: {total} {kind} are known to exist, so that a list takes long; --count is quicker")
    return f" of {total}"


def _ask(task: TourTask, number: int, engine: str, limits: Limits, as_json: bool) -> int:
    """Print whether there are that many tours."""
    from encoders.enumeration.at_least import at_least

    with live_progress("searching") as on_progress:
        answer = at_least(task, number, limits, engine, on_progress)
    if as_json:
        print_json(answer.to_json(), limits.elapsed)
    else:
        print_rows(_question_rows(task, answer, limits.elapsed))
    return UNANSWERED if answer.answer is None else 0


def _ask_of_each(
    graphs: GraphList,
    wish: Wish,
    leaper: str | None,
    limit_values: LimitOptions,
    each: ListOptions,
    as_json: bool,
    problem_values: dict[str, Any],
) -> int:
    """Print for each graph of a list how many tours it has, or whether it has that many."""
    from encoders.many import Question

    refuse(
        {
            "--leaper": leaper,
            "--minimize": wish.minimize,
            "--by": wish.by,
            "--up-to-symmetry": wish.up_to_symmetry,
            "--distinguish-moves": wish.distinguish_moves,
            "--forecast": wish.ahead,
            "--folder": wish.layers,
            "--value": wish.value is not None,
            "--proof": wish.proof,
            "--solver": wish.program,
        },
        graphs,
    )
    if each.histogram and (each.only or wish.wanted is not None):
        raise KTError("--histogram: it counts the graphs of each number of tours; leave out --only and --at-least")
    conditions = conditions_of(problem_values, graphs)
    with limits_of(limit_values, as_json=as_json) as limits:
        question = Question(
            wish.wanted,
            conditions,
            wish.engine,
            seconds=each.graph_time,
            seed=limits.seed,
            counting=wish.wanted is None,
        )
        return answer_graphs(graphs, question, limits, as_json, each)


def _question_rows(task: TourTask, answer: AtLeast, seconds: float) -> list[tuple[str, str]]:
    """The rows of an answer to `--at-least`."""
    listing = answer.listing
    rows = problem_rows(task.problem)
    if task.value is not None:
        rows.append((str(task.problem.objective_name), task.problem.unit.words(task.value)))
    rows.append(("at least", f"{answer.number:,}: {answer.status}"))
    rows.append(("count", _counted(task, listing.count) + ("" if listing.complete else " so far")))
    rows += [("claim", statement.text) for statement in answer.statements]
    if answer.answer is not None:
        known = listing.reason or (SEARCH_SAYS if listing.complete else "each tour verified")
        rows.append(("evidence", known))
    return [*rows, ("engine", f"{listing.engine}, {seconds:.2f} s")]


def _counted(task: TourTask, count: int) -> str:
    """A number of tours, or of classes of tours, in words."""
    problem = task.problem
    words = problem.graph.words
    tour = "tour" if problem.graph.board else words.cycle if problem.closed else words.path
    tour = tour if problem.numbers is None else "numbering"
    if problem.connectivity in ("subcycle", "subpath"):
        kind = problem.graph.words.walk(problem.closed).rpartition(" ")[2]
        return f"{count:,} {kind if count == 1 else f'{kind}s'}"
    if problem.connectivity not in ("cycle", "path"):
        kind = "paths" if problem.terminals else "cycles"
        return f"{count:,} set{'' if count == 1 else 's'} of {kind}"
    if task.up_to_symmetry:
        return f"{count:,} class{'' if count == 1 else 'es'} of {tour}s"
    return f"{count:,} {tour if count == 1 else f'{tour}s'}"


class _Empty(Exception):
    """An empty list, which must not replace an older file."""


def _expected(task: TourTask, limits: Limits, folder: str | None) -> str:
    """The forecast of a long count, for the live line."""
    from encoders.counting.folder import is_count_folder
    from encoders.counting.forecast import LONG, WRONG, forecast
    from kt_models.kernel.sweeps.run import DEFAULT_MEMORY

    if task.problem.graph.n < LONG or (folder and is_count_folder(folder)):  # A count in a folder has begun already.
        return ""
    expected = limits.run(lambda: forecast(task.problem, limits, by_value=task.by_value))
    if expected is None:
        return ""
    if expected.memory > WRONG * limits.room(DEFAULT_MEMORY) and not folder:
        raise TooLarge(f"this needs more memory than --memory allows, {expected.text}")
    return f"; expected {expected.text}"


@contextmanager
def _stream(output: str | None, silent: bool) -> Iterator[IO[str] | None]:
    """The stream for the tours; the file gets its name only when the list ends, so an old file stays until then."""
    if output is None or output == STANDARD:
        yield None if silent else standard_output()
        return
    tabled = output.lower().endswith(SUFFIX)
    with whole_file(output, *(() if tabled else (LIST,))) as stream:
        text = io.TextIOWrapper(io.BytesIO() if tabled else stream, "utf-8", newline="\n")
        yield text
        if tabled:
            text.seek(0)
            stream.write(_sheet(text))
        text.detach()


ROW_KEYS = ("closed", "turns", "crossings", "length", "angle", "weight")
"""Keys of the line of a tour that become columns of a workbook."""


def _sheet(lines: Iterable[str]) -> bytes:
    """The tours of a list as a workbook, a row each."""
    from kt_models.files.workbook import workbook

    every = [json.loads(line) for line in lines]
    columns = [name for name in ROW_KEYS if every and name in every[0]]
    rows = ([number, *(data.get(name) for name in columns), _way(data)] for number, data in enumerate(every, start=1))
    return workbook(("number", *columns, "tour"), rows, "tours")


def _way(data: dict[str, Any]) -> str:
    """The cells of a tour, or the moves that are chosen of a walk that leaves cells out."""
    return " ".join(tour_from_json(data).names) if data["kind"] == "tour" else json.dumps(data["chosen"])


def _run(task: TourTask, run_values: RunOptions, engine: str, limits: Limits) -> Listing:
    """Begin a run, or continue it."""
    from encoders.enumeration import Listing, chosen_engine
    from kt_models.runs.audit import account

    chosen_engine(task, engine)  # Refuse now rather than in every worker.
    begun = None if run_values.resume else task
    status = work(run_values, begun, limits=limits, engine=engine)
    if status is None:
        return Listing(0, False, "run")
    whole = account(run_values.required_folder, verify=False)
    by_value = dict(sorted(whole.by_value.items())) if task.by_value else None
    failed = tuple(name for name, _ in status.failures)
    return Listing(whole.count, whole.complete, f"run, {whole.cubes:,} cubes", by_value, failed)


def _export(folder: str, output: str) -> None:
    """Write the tours of a run, in the order of their keys."""
    from kt_models.runs.ledger import Ledger
    from kt_models.tour import tour_to_json

    with Ledger.read(folder) as ledger, _stream(output, False) as stream:
        for tour in ledger.verified():
            print(json.dumps(tour_to_json(tour)), file=stream)


def _print(task: TourTask, listing: Listing, seconds: float, as_json: bool, proof: str | None, *, apart: bool) -> None:
    """Print the outcome; on stderr if the tours may have gone to standard output (`apart`)."""
    from encoders.enumeration import SETTLED

    # A count on a long board has thousands of digits, and Python refuses to print more than 4300.
    sys.set_int_max_str_digits(0)
    problem, classes = task.problem, task.up_to_symmetry
    claims = []
    if listing.complete:
        claims = [Statement(problem, "count", listing.count, of_value=task.value, classes=classes).text]
    known = listing.complete or listing.engine != "sweep"  # A sweep that was stopped has no partial count.
    by_value = {str(problem.unit.value(cost)): count for cost, count in (listing.by_value or {}).items()}
    known_by = proof_written(proof) if proof else SEARCH_SAYS
    program = listing.engine.partition("program ")[2]
    if program:
        known_by = f"each tour verified; that there is no other, answer of the program {program}, not checked"
    if as_json:
        data = problem_json("enumeration", problem) | {"complete": listing.complete, "up_to_symmetry": classes}
        data |= {"distinguish_moves": True} if task.distinguishes_moves else {}
        data |= {"count": listing.count} if known else {}
        data |= {} if task.value is None else {"value": problem.unit.value(task.value)}
        data |= {} if listing.by_value is None else {"by_value": by_value}
        data |= {"reason": listing.reason} if listing.reason else {}
        data |= {"failed": list(listing.failed)} if listing.failed else {}
        data |= {"claims": claims} if claims else {}
        data |= {"proof": proof} if proof else {}
        data |= {"evidence": known_by} if program and claims else {}
        print_json(data | {"engine": listing.engine}, seconds)
        return
    rows = problem_rows(problem)
    if task.value is not None:
        rows.append((str(problem.objective_name), problem.unit.words(task.value)))
    rows += [(value, f"{count:,}") for value, count in by_value.items()]
    if known:
        rows.append(("count", _counted(task, listing.count) + ("" if listing.complete else " so far")))
    if not listing.complete:
        rows.append(("status", "not complete"))
    if listing.engine == SETTLED:
        known_by = listing.reason
    rows += [row for text in claims for row in (("claim", text), ("evidence", known_by))]
    rows += [("listed", listing.reason)] if listing.reason and listing.engine != SETTLED else []
    rows.append(("engine", f"{listing.engine}, {seconds:.2f} s"))
    one_by_one = listing.engine.split(" ")[0] in ("search", "sat", "numbers")
    print_rows(rows, err=apart and not listing.by_value and one_by_one)
