"""Lists of graphs: an answer for each, in order, whatever is damaged, late or killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.many import Answer, Outcome, Question, answer_list, answering
from encoders.many.answering import words_of_row
from encoders.many.ordinary import answer_pieces, answered
from encoders.many.outcome import YES
from encoders.work import pool
from kt_models import KTError, MoveGraph
from kt_models.files.graph_forms.form import Piece
from kt_models.files.graph_forms.several import GraphList
from kt_models.files.graph_lists.block import DIRECTED, KIND, LINE, SIZE, GraphBlock
from kt_models.files.graph_lists.codes import code_blocks
from kt_models.limits import Limits, Stopped
from tests import brute

SOLVE = Question()
PETERSEN = nx.to_graph6_bytes(nx.petersen_graph(), header=False).decode().strip()


class Report:
    """A report that makes an `Answer` of everything."""

    def __init__(self, hear: Callable[[Answer], None], question: Question) -> None:
        self.tell_answer, self.question = hear, question

    def prepare(self, block: GraphBlock, outcome: Outcome) -> None:
        return None

    def tell_rows(self, block: GraphBlock, outcome: Outcome, prepared: None, begin: int, end: int) -> None:
        for row in range(begin, end):
            record, number = block.records[row], block.first + row
            feasible = outcome.statuses[row] == YES
            names: tuple[str, ...] = ()
            if feasible and outcome.orders is not None:
                names = tuple(block.name_of(vertex) for vertex in outcome.orders[row, : record[SIZE]].tolist())
            words = words_of_row(block, outcome, row, self.question)
            data = {"number": number, "line": int(record[LINE]), "kind": "result", "vertices": int(record[SIZE])}
            data |= {"directed": True} if record[KIND] == DIRECTED else {}
            if outcome.counts is not None:
                data["count"] = int(outcome.counts[row])
            status = self.question.statuses[0 if feasible else 1]
            self.tell_answer(Answer(number, int(record[LINE]), status, words, names, data))

    def tell(self, answer: Answer, block: GraphBlock, row: int) -> None:
        self.tell_answer(answer)


ORDINARY = Question(certificates=True)
"""The same question, which the ordinary engines answer where there is no tour."""


def listed(codes: list[str] | Iterator[str]) -> GraphList:
    """Lines of graph6 as a list that comes line by line."""
    return GraphList("list.g6", "graph6", code_blocks(f"{code}\n".encode() for code in codes))


def told(graphs: GraphList, question: Question, limits: Limits, hear: Callable[[Answer], None]) -> tuple[int, bool]:
    return answer_list(graphs, question, limits, Report(hear, question))


def answers(codes: list[str], question: Question = SOLVE, workers: int = 1) -> list[Answer]:
    found: list[Answer] = []
    assert told(listed(codes), question, Limits(workers=workers), found.append) == (len(codes), True)
    return found


def statuses(found: list[Answer]) -> list[str]:
    assert [answer.number for answer in found] == list(range(1, len(found) + 1))
    return [answer.status for answer in found]


networks = st.builds(nx.gnp_random_graph, st.integers(1, 7), st.floats(0.3, 0.9), st.integers(0, 99))
codes = st.lists(networks.map(lambda graph: nx.to_graph6_bytes(graph, header=False).decode().strip()), max_size=5)


@given(codes)
def test_each_graph_is_answered_as_brute_force_does(lines: list[str]) -> None:
    for line, answer in zip(lines, answers(lines), strict=True):
        network = nx.from_graph6_bytes(line.encode())
        graph = MoveGraph.from_networkx(network)[0]
        assert answer.status == ("feasible" if brute.cycles(graph) else "infeasible")
        if answer.status == "feasible":
            order = list(map(int, answer.names))
            assert sorted(order) == sorted(network)
            assert all(network.has_edge(order[i - 1], order[i]) for i in range(len(order)))


def test_damage_is_an_answer_and_the_others_go_on() -> None:
    found = answers(["Bw", "B", "C~", "\ufffd", PETERSEN, "~~~~~~~~", "?", "B?"])
    assert statuses(found) == [
        "feasible", "unreadable", "feasible", "unreadable", "infeasible", "unreadable", "unreadable", "infeasible"
    ]  # fmt: skip
    assert "68,719,476,735" in found[5].words and found[5].data is not None and found[5].data["line"] == 6


def test_conditions_and_other_questions() -> None:
    path = Question(conditions=(("open", True), ("start", "0"), ("require", ("0-1",))))
    assert statuses(answers(["Bw", PETERSEN, "B?"], path)) == ["feasible", "feasible", "unreadable"]
    assert statuses(answers(["Bw", "C~", PETERSEN], Question(at_least=2))) == ["no", "yes", "no"]
    assert statuses(answers(["Bw", PETERSEN], Question(seconds=0.0))) == ["unknown", "unknown"]


def test_processes_answer_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "ALONE_SECONDS", 0.0)
    lines = ["Bw", PETERSEN, "B", "C~"] * 10
    for question in (ORDINARY, Question(engine="sat")):
        found = answers(lines, question, workers=2)
        assert statuses(found) == ["feasible", "infeasible", "unreadable", "feasible"] * 10


def test_a_certificate_that_the_first_moment_had_no_time_for_is_made_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph is given to a process if it was answered in this one without its certificate."""
    process, real = os.getpid(), answered

    def hasty(piece: Piece, form: str, name: str, question: Question, limits: Limits) -> Answer:
        if os.getpid() != process:
            return real(piece, form, name, question, limits)
        while not limits.over:
            time.sleep(0.01)
        return Answer(piece.number, piece.line, "infeasible", "solver's answer, not certified", (), {})

    monkeypatch.setattr(answering, "ALONE_SECONDS", 0.05)
    monkeypatch.setattr(answering, "answered", hasty)
    (answer,) = answers([PETERSEN], ORDINARY, workers=2)
    assert answer.status == "infeasible" and answer.data is not None and "certificate" in answer.data


def fatal(pieces: list[Piece], *arguments: object) -> list[Answer]:
    """The answers of a process that a graph kills."""
    if any(piece.text == "kill" for piece in pieces):
        os.kill(os.getpid(), signal.SIGKILL)
    return answer_pieces(pieces, *arguments)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_graph_that_kills_its_process_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even in a batch: the others of it are answered."""
    monkeypatch.setattr(answering, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(pool, "MAX_TRIES", 1)
    real = answering.LocalPool.submit
    monkeypatch.setattr(answering.LocalPool, "submit", lambda pool, function, *args: real(pool, fatal, *args))
    assert statuses(answers(["Bw", "C~", "kill", *["Bw"] * 9], Question(engine="sat"), workers=1 + 1)) == [
        "feasible", "feasible", "unknown", *["feasible"] * 9
    ]  # fmt: skip


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_known_is_told_when_it_is_time_to_end(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list has no end; the numbers told of have no gap."""
    monkeypatch.setattr(answering, "ALONE_SECONDS", 0.0)
    stop, found = threading.Event(), list[Answer]()

    def hear(answer: Answer) -> None:
        found.append(answer)
        if len(found) == 5:
            stop.set()

    endless = listed("Bw" for _ in count())
    number, complete = told(endless, SOLVE, Limits(stop=stop, workers=workers), hear)
    assert not complete and number == len(found) >= 5
    assert set(statuses(found)) <= {"feasible", "unknown"} and statuses(found)[:5] == ["feasible"] * 5


def test_many_graphs_that_were_read_ahead_do_not_delay_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without time for it, the list ends with the first graph that has no answer."""
    monkeypatch.setattr(answering, "REST_SECONDS", -1.0)
    stop, found = threading.Event(), list[Answer]()

    def hear(answer: Answer) -> None:
        found.append(answer)
        if len(found) == 5:
            stop.set()

    number, complete = told(listed(["?"] * 1000), SOLVE, Limits(stop=stop, workers=1), hear)
    assert not complete and number == len(found) <= 7
    assert [answer.number for answer in found] == list(range(1, number + 1))


def test_a_reader_that_goes_away_ends_it() -> None:
    def hear(answer: Answer) -> None:
        raise Stopped("nobody reads on")

    assert told(listed(["Bw"] * 3), SOLVE, Limits(workers=1), hear) == (1, False)


def test_answers_come_before_the_list_has_ended() -> None:
    """A pipe that is still written to: the first graph is answered before there is a second."""
    heard = threading.Event()

    def slow() -> Iterator[str]:
        yield "Bw"
        assert heard.wait(60)
        yield "C~"

    found: list[Answer] = []

    def hear(answer: Answer) -> None:
        found.append(answer)
        heard.set()

    assert told(listed(slow()), SOLVE, Limits(workers=1), hear) == (2, True)
    assert statuses(found) == ["feasible", "feasible"]


def test_a_pipe_in_which_nothing_comes_keeps_the_time_limit() -> None:
    silence = threading.Event()

    def nothing() -> Iterator[str]:
        silence.wait()
        yield "Bw"

    assert told(listed(nothing()), SOLVE, Limits(0.2, workers=1), lambda answer: None) == (0, False)
    silence.set()


@pytest.mark.slow
def test_a_long_list_is_read_no_further_than_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chunk is a block here; so many blocks are read ahead, in the queue, and in the reader's hand."""
    monkeypatch.setattr(answering, "MAX_BLOCKS_AHEAD", 10)
    read = 0

    def counted() -> Iterator[str]:
        nonlocal read
        for _ in range(5000):
            read += 1
            yield "Bw"

    furthest = 0

    def hear(answer: Answer) -> None:
        nonlocal furthest
        furthest = max(furthest, read - answer.number)
        if answer.number == 300:
            raise Stopped("enough")

    assert told(listed(counted()), SOLVE, Limits(workers=1), hear) == (300, False)
    assert furthest <= 10 + 8 + 2


def test_a_hard_graph_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process works on the first graph until all others are decided, whatever their number."""
    decided = threading.Event()

    def slow(piece: Piece, form: str, name: str, question: Question, limits: Limits) -> Answer:
        assert decided.wait(60)
        return Answer(piece.number, piece.line, "unknown", "slow")

    def submit(pool: object, function: object, pieces: list[Piece], *arguments: object) -> Future[list[Answer]]:
        return threads.submit(lambda: [slow(piece, "", "", SOLVE, Limits()) for piece in pieces])

    rows = 0
    real = answering.outcome_of

    def watched(block: GraphBlock, *rest: Any) -> Any:
        nonlocal rows
        outcome = real(block, *rest)
        rows += len(block)
        if rows == 1 + 30:
            decided.set()
        return outcome

    monkeypatch.setattr(answering, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(answering.LocalPool, "submit", submit)
    monkeypatch.setattr(answering, "outcome_of", watched)
    with ThreadPoolExecutor() as threads:
        hard = nx.to_graph6_bytes(nx.cycle_graph(65), header=False).decode().strip()
        assert statuses(answers([hard, *["Bw"] * 30], workers=2)) == ["unknown", *["feasible"] * 30]


def test_a_list_that_cannot_be_read_to_its_end_is_answered_as_far_as_it_came() -> None:
    def chunks() -> Iterator[bytes]:
        yield b"Bw\nC~\n"
        raise KTError("it ends too early")

    found: list[Answer] = []
    with pytest.raises(KTError, match="too early"):
        told(GraphList("list.g6", "graph6", code_blocks(chunks())), SOLVE, Limits(workers=1), found.append)
    assert statuses(found) == ["feasible", "feasible"]
