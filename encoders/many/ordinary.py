"""The answer for one graph of a list by the ordinary engines, in this process or in another one.

Processes get the text of a graph, not its arrays, and several small graphs at a time.
"""

from __future__ import annotations

import time
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from encoders.many.question import UNREADABLE, Answer, Question
from kt_models.errors import KTError
from kt_models.files.graph_forms.form import Piece
from kt_models.files.graph_forms.several import graph_of_piece
from kt_models.limits import Limits, Stopped

if TYPE_CHECKING:
    from kt_models.problem import Problem
    from kt_models.runs.tour_task import TourTask


def answer_pieces(pieces: list[Piece], form: str, name: str, question: dict[str, Any], seconds: float) -> list[Answer]:
    """The answers for some graphs, in a process of the pool."""
    limits = Limits(seconds, workers=1)
    return [answered(piece, form, name, Question(**question), limits) for piece in pieces]


def answered(piece: Piece, form: str, name: str, question: Question, limits: Limits) -> Answer:
    """The answer for one graph; a fault of the graph is an answer too."""
    try:
        limits.check()
        share = replace(limits.within(question.seconds), workers=1, seed=question.seed)
        return _answer(piece, form, name, question, share)
    except Stopped as error:
        return without_answer(piece, "unknown", str(error))
    except KTError as error:
        return without_answer(piece, UNREADABLE, str(error).removeprefix(f"{name} ({piece.number}): "))
    except MemoryError:
        return without_answer(piece, "unknown", "not enough memory")
    except Exception as error:  # One fault must not lose the answers for the other graphs.
        why = f"internal error, please report it: {type(error).__name__}: {error}"
        return without_answer(piece, UNREADABLE, " ".join(why.split()))


def _answer(piece: Piece, form: str, name: str, question: Question, limits: Limits) -> Answer:
    from kt_models.files.problems import problem_from
    from kt_models.files.vertices import cell_named

    graph = limits.run(lambda: graph_of_piece(piece, form, name))
    keywords = dict(question.conditions)
    keywords |= {end: cell_named(graph, keywords[end]) for end in ("start", "end") if end in keywords}
    problem = problem_from(graph, **keywords)
    place = {"number": piece.number, "line": piece.line}
    if question.property_name is not None:
        return _property(piece, problem, question, limits)
    if question.at_least is None and not question.counting:
        from encoders.solve import solve

        result = solve(
            problem,
            engine=question.engine,
            encoding=question.encoding,
            solver=question.solver,
            hint=question.hint,
            limits=limits,
        )
        names = () if result.tour is None else tuple(map(str, result.tour.names))
        words = result.how if result.status == "infeasible" else ""
        return Answer(piece.number, piece.line, result.status, words, names, {**place, **result.to_json()})
    from encoders.enumeration.at_least import at_least
    from kt_models.runs.tour_task import TourTask

    began = time.monotonic()
    if question.counting and not question.enough:
        return _count(piece, TourTask(problem, counting=True), limits, began)
    answer = at_least(TourTask(problem), question.at_least or question.enough or 1, limits, question.engine)
    status, words = answer.status, f"{answer.listing.count:,} known" + ", which are all" * answer.listing.complete
    if question.counting:
        status, words = "unknown" if answer.answer is None else "counted", str(answer.listing.count)
    data = {**place, **answer.to_json(), "status": status, "seconds": round(time.monotonic() - began, 3)}
    return Answer(piece.number, piece.line, status, words, (), data)


def _count(piece: Piece, task: TourTask, limits: Limits, began: float) -> Answer:
    """The number of tours: by a sweep if possible, otherwise by a list."""
    from encoders.enumeration import sweep
    from encoders.enumeration.together import list_together

    listing = sweep(task, limits) or list_together(task, limits, written=False)
    status = "counted" if listing.complete else "unknown"
    data = {"number": piece.number, "line": piece.line, "kind": "enumeration", "status": status}
    data |= {**task.problem.to_json(), "closed": task.problem.closed, "complete": listing.complete}
    data |= {"up_to_symmetry": False, "count": listing.count, "engine": listing.engine}
    data["seconds"] = round(time.monotonic() - began, 3)
    words = str(listing.count) if listing.complete else f"{listing.count:,} so far"
    return Answer(piece.number, piece.line, status, words, (), data)


def _property(piece: Piece, problem: Problem, question: Question, limits: Limits) -> Answer:
    from encoders.many.properties import has_property

    assert question.property_name is not None
    began = time.monotonic()
    verdict = has_property(problem.graph, question.property_name, limits)
    if verdict is None:
        return without_answer(piece, "unknown", "the search took too many steps, or the graph is too large for it")
    status = question.statuses[0 if verdict else 1]
    data = {"number": piece.number, "line": piece.line, "kind": "property", "property": question.property_name}
    described = {key: value for key, value in problem.to_json().items() if key != "connectivity"}
    known = {"engine": question.engine, "seconds": round(time.monotonic() - began, 3)}
    return Answer(piece.number, piece.line, status, "", (), data | {"status": status, **described, **known})


def without_answer(piece: Piece, status: str, why: str) -> Answer:
    """An answer with nothing but a status and a reason."""
    data = {"number": piece.number, "line": piece.line, "kind": "result", "status": status, "reason": why}
    return Answer(piece.number, piece.line, status, why, (), data)


def answers_of(future: Future[Any], batch: list[Piece]) -> list[Answer] | None:
    """The answers of a batch; None if its process died, so that one of several graphs is to blame."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        answers: list[Answer] = future.result()
    except (BrokenProcessPool, CancelledError, MemoryError):
        if len(batch) > 1:
            return None
        return [without_answer(batch[0], "unknown", "its process died, perhaps as it had too little memory")]
    return answers
