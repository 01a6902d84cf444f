"""The answer for one graph of a list by the ordinary engines, in this process or in another one.

Processes get the text of a graph, not its arrays, and several small graphs at a time.
"""

from __future__ import annotations

import time
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from typing import Any

from encoders.many.question import UNREADABLE, Answer, Question
from kt_models.errors import KTError
from kt_models.files.graph_forms.form import Piece
from kt_models.files.graph_forms.several import graph_of_piece
from kt_models.limits import Limits, Stopped


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
    from kt_models.files.problems import cell_named, problem_from

    graph = limits.run(lambda: graph_of_piece(piece, form, name))
    keywords = dict(question.conditions)
    keywords |= {end: cell_named(graph, keywords[end]) for end in ("start", "end") if end in keywords}
    problem = problem_from(graph, **keywords)
    place = {"number": piece.number, "line": piece.line}
    if question.at_least is None:
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
    task = TourTask(problem)
    answer = at_least(task, question.at_least, limits, question.engine)
    data = answer.to_json() | {"seconds": round(time.monotonic() - began, 3)}
    words = f"{answer.listing.count:,} known" + (", which are all" if answer.listing.complete else "")
    return Answer(piece.number, piece.line, answer.status, words, (), {**place, **data})


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
