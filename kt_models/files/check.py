"""Checks of files: the work of `kt check`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from kt_models.arguments import require_path
from kt_models.directed import SplitGraph
from kt_models.errors import CertificateError, InvalidTour, KTError, TooLarge, about, excerpt
from kt_models.fields import FIELDS, require_derived, unknown_fields
from kt_models.files.suffixes import file_suffix
from kt_models.files.tours import parse_tour
from kt_models.graph import MoveGraph
from kt_models.graph_kinds import same_place
from kt_models.json_values import are_integers, is_boolean, is_integer, is_number
from kt_models.json_version import read_document
from kt_models.kernel.certificates import Certificate, Statement, Verdict
from kt_models.kernel.certificates.methods import check_theorem, theorem_of
from kt_models.kernel.certificates.statement import place
from kt_models.kernel.certificates.verdict import Assertion, Fact
from kt_models.kernel.check_forecast import seconds_to_read
from kt_models.leaper import Leaper
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, Stopped, silent
from kt_models.line_sums import line_sums
from kt_models.long_arrays import read_tour_json
from kt_models.metrics import METRICS
from kt_models.numbers import GivenNumbers
from kt_models.problem import Problem, solution_edges
from kt_models.result import PROOF_WRITTEN, REMARKS, Result, Stated
from kt_models.storage import STANDARD, lines_of, parse_json, read_json, read_text
from kt_models.tour import Tour, tour_document, tour_from_json, verify

PROOF_NAMED = re.compile(
    rf"proof (of no other numbering )?{PROOF_WRITTEN.removeprefix('proof ')}, check with kt check \S.*"
)
"""Words for a proof that is written elsewhere."""
REPORT_EVERY = 1000
"""Tours of a list between two reports of progress."""
MAX_UNREAD = 10
"""Most unread parts of a list that a verdict repeats."""
GRACE_SECONDS = 0.5
"""Seconds that a check has to stop by itself once a limit is reached, before it is abandoned."""


def check_again(
    subject: Certificate | Result | Tour | Mapping[str, Any] | str | os.PathLike[str], limits: Limits = NO_LIMITS
) -> Verdict:
    """Verdict on an object, a file, the JSON value of one, or a folder, regardless of earlier checks.

    Raises
    ------
    InvalidTour, CertificateError
        If the subject is wrong.
    KTError
        If the subject is none of these, or a file cannot be read; `Stopped` if a limit is reached.
    """
    if isinstance(subject, Certificate):  # Checked like its file: cached values of the object do not count
        certificate = Certificate.from_json(subject.to_json())
        return Verdict((certificate.statement,), how=certificate.check(limits=limits))
    if isinstance(subject, Result):
        return check_result(subject.to_json(), limits=limits)
    if isinstance(subject, Tour):
        return verdict_of_tour(replace(subject))
    if isinstance(subject, Mapping):
        return check_document(subject, limits)
    if not isinstance(subject, str | os.PathLike):
        raise KTError(f"subject must be a certificate, a result, a tour or a path, got {excerpt(subject)}")
    subject = require_path(subject, "subject")
    return check_directory(subject, limits=limits) if os.path.isdir(subject) else check_file(subject, limits=limits)


def check_file(
    path: str | os.PathLike[str],
    graph: MoveGraph | None = None,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> Verdict:
    """Check a tour, a result or a certificate.

    Parameters
    ----------
    path
        A `.tour` file, a `.jsonl` file of tours or of answers, or JSON of kind `tour`, `result`, `certificate`,
        `gadget`, `gadgets`, `run-summary`, `longest-walk`, or a kind that a theorem declares.
    graph
        The graph that the file must be about; a `.tour` file may leave it open.
    on_progress
        Receives a forecast of the seconds of a long check before it begins, and reports of progress.

    Raises
    ------
    InvalidTour, CertificateError
        If the file is wrong, or about another graph.
    KTError
        If the file cannot be read; `Stopped` if a limit is reached.
    """
    with about(path):
        verdict = _check_file(path, graph, limits, on_progress)
        require_graph(verdict, graph)
    return verdict


def _check_file(
    path: str | os.PathLike[str], graph: MoveGraph | None, limits: Limits, on_progress: Listener
) -> Verdict:
    suffix = file_suffix(path)
    if suffix == ".tour":
        return verdict_of_tour(parse_tour(read_text(path), graph))
    if answers := answers_in(path, limits):
        verdicts = [check_answer(number, text, graph, limits, on_progress) for number, text in answers]
        proved, claimed = ([claim for verdict in verdicts for claim in getattr(verdict, part)] for part in PARTS)
        return Verdict(tuple(proved), tuple(claimed), f"{len(verdicts):,} answers, each checked")
    if suffix == ".jsonl":
        return _check_list(path, limits, on_progress)
    data = read_tour_json(path, limits.memory)
    if isinstance(data, dict) and data.get("kind") == "run-summary":
        from kt_models.runs.summary import check_summary

        return check_summary(path, limits)
    return check_document(data, limits, on_progress)


def answers_in(path: str | os.PathLike[str], limits: Limits = NO_LIMITS) -> list[tuple[int, str]]:
    """The lines of a file of answers, one JSON object each as `kt solve LIST --json` writes them, with their numbers.

    Of any other file there are none: a list of tours is checked as a whole, as its tours must differ.

    Raises
    ------
    KTError
        If the first line is not valid JSON.
    """
    line = _first_of_lines(path, limits) if file_suffix(path) in (".json", ".jsonl") else ""
    first = parse_json(line) if line else None
    if not isinstance(first, dict) or not isinstance(first.get("kind"), str):
        return []
    if first["kind"] == "tour" or "chosen" in first:
        return []
    return list(enumerate(lines_of(read_text(path, limits.memory)), start=1))


def _first_of_lines(path: str | os.PathLike[str], limits: Limits) -> str:
    """The first line of a file, if it ends an object and another one follows; otherwise empty.

    Lists of tours are long, so that the rest of a file is not read.
    """
    if os.fspath(path) == STANDARD:
        return lines_of(read_text(path, limits.memory))[0] if file_suffix(path) == ".jsonl" else ""
    if not os.path.isfile(path):
        return ""
    with open(path, "rb") as stream:
        line = stream.readline().rstrip()
        # What is no text is refused where the file is read as a whole
        return line.decode("utf-8-sig", "replace") if line.endswith(b"}") and stream.read(1) == b"{" else ""


def check_answer(
    number: int, text: str, graph: MoveGraph | None, limits: Limits = NO_LIMITS, on_progress: Listener = silent
) -> Verdict:
    """Check one answer of `answers_in`, which must be about a graph if one is given.

    Raises
    ------
    InvalidTour, CertificateError
        If it is wrong; the message names its line.
    KTError
        If it cannot be read, or is of no kind that can be checked.
    """
    try:
        limits.check()
        data = parse_json(text)
        if isinstance(data, dict) and data.get("status") == "unreadable" and "board" not in data:
            return Verdict(how="a graph that could not be read, of which nothing is claimed")
        verdict = check_document(data, limits, on_progress)
        require_graph(verdict, graph)
        return verdict
    except Stopped:
        raise
    except KTError as error:
        raise type(error)(f"line {number}: {error}") from None


def check_document(data: Any, limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Verdict:
    """Check the JSON value of a file that needs no other file.

    Raises
    ------
    InvalidTour, CertificateError
        If it is wrong.
    KTError
        If it is of no kind that can be checked; `Stopped` if a limit is reached.
    """
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if not isinstance(kind, str):
        raise KTError("it is not a tour, a result or a certificate ('kind' is missing)")
    verdict = _verdict_of_kind(data, kind, limits, on_progress)
    if kind not in FIELDS or kind == "result":  # `check_result` does so
        return verdict
    return replace(verdict, stated=(*verdict.stated, *_unread(data, kind)))


def _unread(data: Mapping[str, Any], kind: str) -> Iterator[Fact]:
    """The values under keys that a kind of file does not have."""
    return (Fact(f"{key!r}: {excerpt(data[key])}") for key in unknown_fields(data, kind))


def _verdict_of_kind(data: Any, kind: str, limits: Limits, on_progress: Listener) -> Verdict:
    if kind == "certificate":
        certificate = Certificate.from_json(data)
        return Verdict((certificate.statement,), how=f"certificate checked: {certificate.check(limits, on_progress)}")
    if kind in ("gadget", "gadgets"):
        from kt_models.gadgets.statement import verdict_of_gadgets

        return verdict_of_gadgets(data, limits, on_progress)
    if kind == "longest-walk":
        from kt_models.kernel.certificates.longest.check import check_longest

        return check_longest(data, limits, on_progress)
    if kind == "front":
        from kt_models.pareto_front import ParetoFront

        front = ParetoFront.from_json(data, limits, on_progress)
        return Verdict(front.shown, front.stated, f"{len(front.tours)} tours verified, certificates checked")
    if kind == "aztec-ledger":
        read_document(data, kind)
        return Verdict(stated=(Fact("a ledger of Aztec diamonds; kt aztec --verify finds its tours again"),))
    if kind == "result":
        return check_result(data, limits=limits, on_progress=on_progress)
    if kind in ("puzzle", "puzzles"):
        from kt_models.files.puzzles import verdict_of_puzzles

        return verdict_of_puzzles(data)
    if kind == "tour":
        return verdict_of_tour(_check_tour(data))
    if theorem_of(kind) is not None:
        return check_theorem(data, limits, on_progress)
    raise KTError(f"it is of kind {excerpt(kind)}, which holds no tour, result or certificate to be checked")


def require_graph(verdict: Verdict, graph: MoveGraph | None) -> None:
    """Check that all claims of a verdict are about one graph.

    Raises
    ------
    CertificateError
        If a claim is about another graph, or about no single board.
    """
    if graph is None:
        return
    if not (verdict.shown or verdict.stated):
        raise KTError(f"it shows and claims nothing about {place(graph)} or any board")
    for claim in (*verdict.shown, *verdict.stated):
        problem = getattr(claim, "problem", None)
        if problem is None:
            raise CertificateError(f"it is not about {place(graph)} alone: {claim.text}")
        if not same_place(problem.graph, graph):
            raise CertificateError(
                f"it is about something else than {place(graph)} by the leaper {graph.leaper}: {claim.text}"
            )
        if not graph.fixed <= getattr(problem, "required", frozenset()):
            raise CertificateError(f"it does not require the fixed edges of {graph.name}: {claim.text}")


def require_leaper(verdict: Verdict, leaper: Leaper | None) -> None:
    """Check that all claims of a verdict are about one piece; raises the errors of `require_graph`."""
    if leaper is None:
        return
    if not (verdict.shown or verdict.stated):
        raise KTError(f"it shows and claims nothing about the leaper {leaper} or any piece")
    for claim in (*verdict.shown, *verdict.stated):
        problem = getattr(claim, "problem", None)
        piece = getattr(claim, "leaper", None) if problem is None else problem.graph.leaper
        if piece != leaper:
            raise CertificateError(f"it is not about the leaper {leaper}: {claim.text}")


def verdict_of_tour(tour: Tour, numbers: GivenNumbers | None = None, problem: Problem | None = None) -> Verdict:
    """Verify a tour, and describe it with its turns and crossings.

    Parameters
    ----------
    numbers
        Given numbers that the tour must keep in the order in which it is written.
    problem
        A problem with other conditions, which the tour must solve.
    """
    verify(tour)
    if problem is None:
        allowed = None if isinstance(tour.graph, SplitGraph) else numbers
        problem = Problem(tour.graph, "cycle" if tour.closed else "path", numbers=allowed)
    else:
        solution_edges(problem, tour)
    if numbers is not None:
        graph, name_of = tour.graph, tour.graph.name_of
        if isinstance(graph, SplitGraph):
            problem = replace(problem, numbers=numbers.in_split(graph.split(open=not tour.closed)))
            name_of = graph.directed.name_of
        if fault := numbers.fault(tour.vertices, name_of):
            raise InvalidTour(fault)
    return Verdict((Statement(problem, "tour"),), how=", ".join(["each move verified", *_counts(tour)]))


def _counts(tour: Tour) -> Iterator[str]:
    """Metrics of a tour, unless the piece has too many or too long moves to count them."""
    for metric in tour.metrics:
        try:
            yield METRICS[metric].text(tour.measure(metric))
        except TooLarge:
            yield f"{metric} not counted"


def _check_tour(data: Any) -> Tour:
    """A verified tour with the counts of its JSON object."""
    tour = tour_from_json(data)
    verify(tour)
    if not is_boolean(data.get("numbered", False)):
        raise KTError("'numbered' is not true or false")
    require_derived(read_document(data, "tour"), tour_document(tour), "tour")
    return tour


def _check_list(path: str | os.PathLike[str], limits: Limits, on_progress: Listener) -> Verdict:
    """Check a file of tours, a JSON object per line, as `kt enumerate` writes them; all must differ.

    With `numbered`, two numberings of one tour count as different.
    """
    keys: dict[tuple[MoveGraph, bool], set[tuple[int, ...] | frozenset[int]]] = {}
    tour: Tour | None = None
    numberings = 0
    unread: dict[str, Fact] = {}
    walks: dict[str, Verdict] = {}
    whole = read_text(path, limits.memory)
    on_progress(Report(words="a list of tours", expected=seconds_to_read(len(whole))))
    for number, text in enumerate(lines_of(whole), start=1):
        limits.check()
        if number % REPORT_EVERY == 0:
            on_progress(Report(words=f"{number:,} tours verified"))
        try:
            data = parse_json(text)
            if isinstance(data, dict) and data.get("kind") == "result" and "chosen" in data:
                walk = check_result(data, limits=limits)
                if (choice := json.dumps([walk.shown[0].text, data["chosen"]])) in walks:
                    raise InvalidTour(f"line {number}: the same choice of moves occurs twice")
                walks[choice] = walk
                continue
            if not isinstance(data, dict) or data.get("kind") != "tour":
                raise KTError("it is not a tour ('kind' is missing or another)")
            tour = _check_tour(data)
            unread |= {fact.text: fact for fact in _unread(data, "tour")}
        except KTError as error:
            raise type(error)(f"line {number}: {error}") from None
        same = keys.setdefault((tour.graph, tour.closed), set())
        # Tours are equal by their moves, numberings by their order
        numbered = data.get("numbered", False)
        key = tuple(tour.order.tolist()) if numbered else frozenset(tour.edges.tolist())
        if key in same:
            raise InvalidTour(f"line {number}: the same {'numbering' if numbered else 'tour'} occurs twice")
        same.add(key)
        numberings += numbered
    if walks:
        if tour is not None:
            raise InvalidTour("tours stand beside choices of moves that are no tours")
        claims = tuple({claim.text: claim for walk in walks.values() for claim in walk.shown}.values())
        others = tuple({claim.text: claim for walk in walks.values() for claim in walk.stated}.values())
        return Verdict(claims, others[:MAX_UNREAD], f"{len(walks):,} different choices of moves, each verified")
    if tour is None:
        return Verdict(how="a list of 0 tours, which claims nothing")
    count = sum(map(len, keys.values()))
    unshown = tuple(unread.values())[:MAX_UNREAD]
    if count == 1:
        return replace(verdict_of_tour(tour), stated=unshown)
    kinds = tuple(Statement(Problem(graph, "cycle" if closed else "path"), "tour") for graph, closed in keys)
    parts = [f"{many:,} different {name}" for many, name in ((count - numberings, "tours"), (numberings, "numberings"))]
    return Verdict(kinds, unshown, f"{' and '.join(words for words in parts if words[0] != '0')}, each verified")


PARTS = ("shown", "stated")
"""The fields of a verdict with claims."""
RESULT = "result.json"
"""The answer in a proof folder: the tour that meets the bound, and a certificate of the bound if there is one."""


def check_directory(
    path: str | os.PathLike[str],
    *,
    on_progress: Listener = silent,
    graph: MoveGraph | None = None,
    ask: Ask = lambda _: None,
    limits: Limits = NO_LIMITS,
) -> Verdict:
    """Check a proof folder: formulas, their proofs, the answer, and that all are about one claim; or audit a run.

    Parameters
    ----------
    graph
        The graph that it must be about.
    ask
        Runs another checker on the proof in a file, and returns its answer, or None for other kinds of files. Only this
        verifies a cutting-planes proof.

    Raises
    ------
    InvalidTour, CertificateError
        If a file is wrong.
    KTError
        If a file cannot be read, or the folder has neither a result nor a proof.
    """
    verdict = _check_directory(Path(path), on_progress, ask, limits)
    require_graph(verdict, graph)
    return verdict


Ask = Callable[[str], str | None]


def _check_directory(folder: Path, on_progress: Listener, ask: Ask, limits: Limits) -> Verdict:
    from kt_models.kernel.certificates.proofs import cutting_planes, manifest
    from kt_models.kernel.certificates.proofs.check_folder import check_folder
    from kt_models.runs.folder import PROBLEM

    answered, modelled = (folder / RESULT).is_file(), (folder / cutting_planes.MODEL).is_file()
    if (folder / PROBLEM).is_file():
        from kt_models.runs.audit import audit

        # A run and another proof in one folder could claim different things
        if answered or (folder / manifest.PROOF).is_file():
            raise KTError(
                f"it is a run, and has a {RESULT if answered else manifest.PROOF} besides: check that by itself"
            )
        return audit(folder, on_progress, recount=True, limits=limits)
    proofs: list[Proof] = []
    more: list[str] = []
    formula = None
    if modelled:
        formula = cutting_planes.check_formula(folder, limits)
        evidence = f"{cutting_planes.FORMULA} made again from the problem"
        if words := ask(cutting_planes.PROOF):
            proofs.append(_Accepted(formula, f"{evidence}, {words}"))
        else:
            more.append(f"{evidence}; {cutting_planes.PROOF} is for --with veripb")
    if manifest.kind_of(folder) == "numbering-proof":
        from kt_models.kernel.certificates.proofs.numbering import check_numbering

        proofs.append(check_numbering(folder, limits=limits, on_progress=on_progress))
        more += filter(None, [ask(manifest.PROOF)])
    elif (folder / manifest.MANIFEST).is_file() or not (answered or modelled):
        proofs.append(check_folder(folder, limits=limits, on_progress=on_progress))
        more += filter(None, [ask(manifest.PROOF)])
    if answered:
        with about(folder / RESULT):
            data = read_json(folder / RESULT, limits.memory)
            if not isinstance(data, dict) or data.get("kind") != "result":
                raise KTError("it is not a result")
            verdict = check_result(data, proofs, limits, on_progress)
    else:
        evidence_of = {proof.statement: proof.how for proof in proofs}
        verdict = Verdict(tuple(evidence_of), how=", ".join(evidence_of.values()))
    claims = (*verdict.shown, *verdict.stated)
    if formula is not None and not claims:
        verdict = Verdict(stated=(formula,))
    elif formula is not None and any(
        getattr(claim, "problem", None) != formula.problem for claim in claims if not isinstance(claim, Fact)
    ):
        raise CertificateError(f"{folder}: {cutting_planes.FORMULA} is about something else than the answer: {formula}")
    return replace(verdict, how=", ".join(filter(None, [verdict.how, *more])))


class Proof(Protocol):
    """The proof of a statement beside a result: a folder of clauses and an LRAT proof."""

    @property
    def statement(self) -> Statement:
        """The statement that it shows."""
        ...

    @property
    def how(self) -> str:
        """The proof in words."""
        ...


class _Accepted(NamedTuple):
    """A cutting-planes proof that an external checker accepts."""

    statement: Statement
    how: str


def check_result(
    data: dict[str, Any],
    proofs: Sequence[Proof] = (),
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> Verdict:
    """Check a result, given as its JSON object.

    Parameters
    ----------
    proofs
        Further proofs of the bound, or that there is no solution; they must be about this claim.
    """
    result = result_from_json(data, limits, on_progress)
    return _verdict(result, proofs, tuple(_unproved_words(data, result)))


def result_from_json(data: dict[str, Any], limits: Limits = NO_LIMITS, on_progress: Listener = silent) -> Result:
    """Recreate a result: its constructor checks the tour, the value and the certificate.

    Raises
    ------
    InvalidTour, CertificateError
        If a part of the result is wrong.
    KTError
        If the result cannot be read.
    """
    data = read_document(data, "result")
    problem = Problem.from_json(data)
    status, bound = data.get("status"), data.get("bound")
    if not isinstance(status, str) or not (bound is None or is_number(bound)):
        raise KTError("'status' or 'bound' is missing or of the wrong type")
    certificate = None
    if "certificate" in data:
        certificate = Certificate.from_json(data["certificate"]).checked(limits, on_progress)
    tour = tour_from_json(data) if "tour" in data else None
    if tour is None and "moves" in data:
        raise InvalidTour("'moves' stands without a tour")
    edges = None
    if tour is None and "chosen" in data:
        chosen = data["chosen"]
        if not are_integers(chosen):
            raise KTError("'chosen' is not a list of edge numbers")
        if chosen and not 0 <= min(chosen) <= max(chosen) < problem.graph.m:
            raise InvalidTour("'chosen' has a number that is not an edge of the graph")
        edges = np.array(chosen, dtype=np.int32)
    stated = None
    if "stated" in data:
        if not is_integer(data["stated"]) or not isinstance(data.get("stated_in"), str):
            raise KTError("'stated' is not an integer, or 'stated_in' is not a text")
        stated = Stated(data["stated"], data["stated_in"])
    try:
        result = Result(problem, status, tour, edges, bound, certificate=certificate, stated=stated)  # type: ignore[arg-type]
    except (InvalidTour, CertificateError):
        raise
    except KTError as error:  # The numbers contradict each other
        raise InvalidTour(str(error)) from None
    _compare(data, result)
    return result


def _compare(data: dict[str, Any], result: Result) -> None:
    """Compare a result's file with what was derived."""
    derived = result.to_document()
    derived.setdefault("claims", [])
    if _names_a_proof(words := data.get("how")):
        derived["how"] = words
    reason = data.get("reason", "")
    if not isinstance(reason, str):
        raise KTError("'reason' is not a text")
    if not isinstance(evidence := data.get("evidence", ""), str):
        raise KTError("'evidence' is not a text")
    derived["evidence"] = evidence  # `_unproved_words` says that it is not shown
    # Without a certificate nothing is derived, and `_verdict` says that the reason is not shown
    if result.certificate is None or reason == result.reason:
        derived["reason"] = reason
    if result.edges is not None and "chosen" in data:
        derived["chosen"] = sorted(result.edges.tolist())
    if result.tour is not None and (sums := line_sums(result.tour)) is not None:
        derived["sums"] = json.loads(json.dumps(asdict(sums) | {"magic": sums.magic}))  # Tuples become lists
    if data.get("value") != result.value:  # A missing value is one, too
        raise InvalidTour(f"'value' says {excerpt(data.get('value'))}, but it is {result.value}")
    require_derived(data, derived, "result")


def _names_a_proof(words: Any) -> bool:
    """Whether the words are those for a written proof, which is checked by itself."""
    return isinstance(words, str) and PROOF_NAMED.fullmatch(words) is not None


def _unproved_words(data: dict[str, Any], result: Result) -> Iterator[Assertion]:
    """Further claims of a result's file, which nothing in it proves."""
    if result.stated is not None:
        yield Statement(result.problem, "at-least", result.stated.bound)
    reason, structure = data.get("reason", ""), data.get("structure", [])
    if result.certificate is None and reason and not reason.startswith(REMARKS):
        yield Fact(f"the reason {excerpt(reason)}")
    if evidence := data.get("evidence"):
        yield Fact(evidence)
    if result.absence is None and _names_a_proof(data.get("how")):
        yield Fact(data["how"])
    if structure:
        yield Fact(f"the structure {excerpt(structure)}")
    yield from _unread(data, "result")


def _verdict(result: Result, proofs: Sequence[Proof], unproved: tuple[Assertion, ...]) -> Verdict:
    """Claims of a result: shown by its tour, its certificate and a proof, or only stated."""
    absence = result.absence
    for proof in proofs:
        # A proof of something else beside the answer would look like its proof
        if absence is None or not proof.statement.implies(absence):
            raise CertificateError(f"a proof and the answer make different claims; the proof shows: {proof.statement}")
    evidence = (
        ["tour verified"] if result.tour is not None else ["solution verified"] if result.edges is not None else []
    )
    if result.tour is not None:
        evidence += _counts(result.tour)
    if result.certificate is not None:
        evidence.append(f"certificate checked: {result.reason}")
    evidence += [f"{proof.statement}; {proof.how}" for proof in proofs]
    claims = result.statements
    if not claims:
        return Verdict(stated=unproved, how="it claims nothing")
    if absence is None or result.certificate is not None or proofs:
        return Verdict(claims, unproved, ", ".join(evidence))
    shown_claims = (Statement(result.problem, "tour", result.cost),) if result.edges is not None else ()
    return Verdict(shown_claims, (*(c for c in claims if c not in shown_claims), *unproved), ", ".join(evidence))
