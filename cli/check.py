"""`kt check`: verify files and their claims."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import click

from cli.checkers import CHECKERS, program, run_checker
from cli.command import Command
from cli.error_messages import complain, printable
from cli.evidence import evidence, verbose_option
from cli.files import await_input
from cli.live import Overdue, end_on_signal, end_overdue, gigabytes, shown_if_long
from cli.options import (
    FormOptions,
    cells_rule,
    formed,
    graph_argument,
    grouped,
    json_option,
    print_json,
    read_saying,
    tour_options,
)
from cli.problem import GIVEN_OPTIONS, GivenOptions, condition_options, given_options
from cli.status import ANSWERED, REFUTED, UNANSWERED, UNUSABLE
from kt_models import KNIGHT, CertificateError, InvalidTour, KTError, Leaper, MoveGraph, TooLarge, Tour
from kt_models.files.check import (
    GRACE_SECONDS,
    answers_in,
    check_answer,
    check_directory,
    check_file,
    require_leaper,
    verdict_of_tour,
)
from kt_models.files.clues import clues_from
from kt_models.files.given import holds_documents, piece_on, reading_of
from kt_models.files.graph_forms.form import NO_CHOICES
from kt_models.files.graphs import with_moves
from kt_models.files.problems import given_numbers, problem_from
from kt_models.kernel.certificates import Verdict
from kt_models.leaper import parse_piece
from kt_models.limits import Limits, Listener, Report, Stopped, check_seconds, in_seconds

OK, WRONG, UNREADABLE, NOT_SHOWN, STOPPED = "ok", "WRONG", "unreadable", "not shown", "stopped"
STATUS = ((WRONG, REFUTED), (UNREADABLE, UNUSABLE), (NOT_SHOWN, UNANSWERED), (STOPPED, UNANSWERED))
"""The exit status for the worst verdict on any file."""


@click.command("check", cls=Command)
@click.argument("files", nargs=-1, required=True)
@click.option("--board", help="Board that every file must be about; needed for a tour that does not name it.")
@click.option("--leaper", help="Piece that every file must be about, such as 1,2.")
@click.option("--time-limit", type=float, metavar="SECONDS", help="Seconds for all files together.")
@click.option("--memory", type=float, metavar="GIB", help="Memory limit for tables and input, in GiB.")
@click.option(
    "--with", "checker", type=click.Choice(sorted(CHECKERS)), help="Also check the proofs with another checker."
)
@tour_options(FormOptions)
@grouped("conditions", GivenOptions, *GIVEN_OPTIONS)
@verbose_option
@json_option
@cells_rule
def command(
    files: tuple[str, ...],
    board: str | None,
    leaper: str | None,
    time_limit: float | None,
    memory: float | None,
    checker: str | None,
    written: FormOptions,
    conditions: GivenOptions,
    verbose: bool,
    as_json: bool,
) -> int:
    """Verify tours in any form that kt reads, results, certificates, proof folders and run folders.

    `ok` means that everything printed was shown; further claims of a file are printed as claimed. The exit status is 1
    if a file is wrong, 2 if it cannot be read, and 3 if time ran out, or if a file makes no claim, or one that it does
    not prove.

    \b
    kt check tour.json certificate.json
    kt check tour.tour --board 8x8
    kt check tour.txt                     a grid of numbers, coordinates, squares, or what LKH and Concorde write
    kt check 'a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4'
    kt check solution.txt --clues hidato.txt --leaper king
    kt check proof-folder --with veripb
    kt check proof-folder
    """
    asked = parse_piece(leaper) if leaper else None
    check_seconds(time_limit)
    memory_bytes = gigabytes(memory)
    # A missing checker is an error of the whole command, so find out first.
    if checker is not None:
        program(checker)
    await_input()
    limits = Limits(time_limit, memory=memory_bytes)
    graph = limits.run(lambda: graph_argument(formed(board, NO_CHOICES, written.cells), leaper)) if board else None
    if isinstance(conditions.clues, str):
        conditions = replace(conditions, clues=clues_from(conditions.clues, written.cells))
    if isinstance(conditions.waypoints, str):
        conditions = replace(conditions, waypoints=clues_from(conditions.waypoints, written.cells, stops=True))
    place = with_moves(conditions.grid.board, asked) if graph is None and conditions.grid is not None else graph
    piece = piece_on(asked, place)
    reading = {**written.reading, "leaper": None if board else piece, "conditions": conditions}
    rows = []
    with end_on_signal():
        for path, answer in ((file, line) for file in files for line in _answers(file, checker, limits, reading)):
            verdict, message, proved, stated = _verdict(path, answer, graph, piece, checker, limits, reading)
            message = evidence(message, verbose)
            line = {} if answer is None else {"line": answer[0]}
            message = message.removeprefix(f"line {answer[0]}: ") if answer else message
            rows.append(
                {"file": path, **line, "ok": verdict == OK, "verdict": verdict, "message": message}
                | {"shown": proved, "stated": stated}
            )
            name = path if answer is None else f"{path}: line {answer[0]}"
            if verdict in (UNREADABLE, STOPPED):
                complain(f"{name}: {message}")
            elif not as_json:
                click.echo(printable(f"{name}: {verdict}: {message}"))
    if as_json:
        print_json({"files": rows})
    # The worst verdict decides the exit status.
    verdicts = {row["verdict"] for row in rows}
    return next((status for verdict, status in STATUS if verdict in verdicts), ANSWERED)


def _answers(
    path: str, checker: str | None, limits: Limits, reading: dict[str, Any]
) -> Sequence[tuple[int, str] | None]:
    """The answers of a file that has one a line, each to be checked alone; None for a file that is checked whole."""
    conditions, form, base = (reading[name] for name in ("conditions", "form", "base"))
    if checker is None and conditions == GivenOptions() and form is None and base is None and not os.path.isdir(path):
        # What is wrong with the file is said where it is checked
        with suppress(KTError, MemoryError):
            return limits.run(lambda: answers_in(path, limits) if holds_documents(path) else []) or [None]
    return [None]


def _verdict(
    path: str,
    answer: tuple[int, str] | None,
    graph: MoveGraph | None,
    leaper: Leaper | None,
    checker: str | None,
    limits: Limits,
    reading: dict[str, Any],
) -> tuple[str, str, list[str], list[str]]:
    """The verdict on a file, its message, the shown statements and those that are only claimed."""
    try:
        limits.check()
        # Some checks run in libraries that never look at the limits; the signal ends these.
        with end_overdue(None if limits.seconds is None else limits.left):
            with _announced(path) as on_progress:
                if answer is None:
                    work = partial(_checked, path, graph, checker, limits, reading, on_progress)
                else:
                    work = partial(check_answer, *answer, graph, limits, on_progress)
                checked = limits.run(work, GRACE_SECONDS)
            require_leaper(checked, leaper)
            proved, stated = ([claim.text for claim in part] for part in (checked.shown, checked.stated))
            message = checked.text
    except (InvalidTour, CertificateError) as error:
        return WRONG, str(error).removeprefix(f"{path}: "), [], []
    except Stopped as error:
        return STOPPED, f"not decided: {str(error).removeprefix(f'{path}: ')}", [], []
    except Overdue:
        return STOPPED, f"not decided: not done within {in_seconds(limits.seconds or 0)}", [], []
    except KTError as error:
        message = str(error).removeprefix(f"{path}: ")
        # With another limit the file might be readable, so this says nothing against it.
        if isinstance(error, TooLarge) and limits.memory is not None:
            return STOPPED, f"not decided: {message}", [], []
        return UNREADABLE, message, [], []
    except MemoryError:
        return STOPPED, "not decided: checking it takes more memory than there is", [], []
    return NOT_SHOWN if stated or not proved else OK, message, proved, stated


def _numbered(path: str, graph: MoveGraph | None, conditions: GivenOptions, reading: dict[str, Any]) -> Tour:
    """Read a tour to be compared with given numbers; their grid is its board if nothing else names one."""
    if graph is None and conditions.grid is not None:
        # A tour that names its own board does not need that of the clues.
        with suppress(KTError):
            return reading_of(path, None, **reading)[0]
        graph = MoveGraph.of(conditions.grid.board, reading["leaper"] or KNIGHT)
    return read_saying(path, graph, reading)


def _of_file(
    path: str, graph: MoveGraph | None, limits: Limits, reading: dict[str, Any], on_progress: Listener
) -> Verdict:
    """The verdict on a file; for a tour also the convention by which it was read, if others would fit."""
    reading = dict(reading)
    conditions: GivenOptions = reading.pop("conditions")
    if conditions != GivenOptions():
        tour = _numbered(path, graph, conditions, reading)
        numbers, others = given_options(tour.graph, conditions), condition_options(tour.graph, conditions)
        if not conditions.has_conditions:
            return verdict_of_tour(tour, given_numbers(tour.graph, **numbers, open=not tour.closed))
        return verdict_of_tour(tour, problem=problem_from(tour.graph, open=not tour.closed, **numbers, **others))
    if holds_documents(path):
        if option := next((name for name in ("form", "base") if reading[name] is not None), None):
            raise KTError(f"--{option} has no effect here: it applies only to tours that are not JSON")
        return check_file(path, graph, limits, on_progress)
    return verdict_of_tour(read_saying(path, graph, reading))


@contextmanager
def _announced(path: str) -> Iterator[Listener]:
    """Say before a check that is known, or expected, to be long how long it takes, and show that any long one goes on.

    Delivered files are measured, and others forecast themselves.
    """
    from heuristics.best_known import expected_seconds

    with shown_if_long(printable(path)) as say:
        if seconds := expected_seconds(path) if os.path.isfile(path) else 0.0:
            say(Report(words="the check", expected=seconds), measured=True)
        yield say


def _checked(
    path: str,
    graph: MoveGraph | None,
    checker: str | None,
    limits: Limits,
    reading: dict[str, Any],
    on_progress: Listener,
) -> Verdict:
    used: list[str] = []

    def ask(proof: str) -> str | None:
        if checker is None or CHECKERS[checker].proof != proof:
            return None
        used.append(proof)
        return run_checker(checker, path, limits)

    if os.path.isdir(path):
        if reading["conditions"] != GivenOptions():
            raise KTError("--number, --clues and --sums have no effect here: they are for tours")
        verdict = check_directory(path, on_progress=on_progress, graph=graph, ask=ask, limits=limits)
    else:
        verdict = _of_file(path, graph, limits, reading, on_progress)
    # A checker that had nothing to read must not look like one that agreed.
    if checker is not None and not used:
        raise KTError(f"--with {checker}: there is no {CHECKERS[checker].proof} for it to read")
    return verdict
