"""Reading of a tour from text, whose form is recognised or given."""

from __future__ import annotations

import re
from dataclasses import replace

from kt_models.arguments import require_text
from kt_models.errors import InvalidTour, KTError, TooLarge
from kt_models.files.suffixes import sign_of
from kt_models.files.tour_forms.data import tour_of, tour_of_data
from kt_models.files.tour_forms.reading import NO_FACTS, Candidate, GivenFacts, by_indices, choose
from kt_models.files.tour_forms.scan import lines_with_tour
from kt_models.files.tour_forms.table import FORMS, NAMES, form_named, forms_text
from kt_models.files.tours import parse_tour, says_its_board, tsplib_numbers
from kt_models.graph import MoveGraph
from kt_models.graph_kinds import same_place
from kt_models.leaper import Leaper
from kt_models.storage import parse_json
from kt_models.tour import Tour

MAX_TEXT = 100_000_000
"""Longest text that is split into numbers."""
_KEYWORDS = re.compile(r"^\s*(NAME|TYPE|COMMENT|DIMENSION|TOUR_SECTION)\s*(:|\s|$)", re.MULTILINE)


def require_form(form: str | None) -> None:
    """Refuse an unknown name of a form."""
    if form is not None and require_text(form, "form") not in NAMES:
        form_named(form)


def tour_of_text(
    text: str, suffix: str = "", facts: GivenFacts = NO_FACTS, form: str | None = None
) -> tuple[Tour, str]:
    """The tour in a text, and how it was read, in words, where the text can be read in several ways.

    Parameters
    ----------
    suffix
        Suffix of the file's name.
    """
    stripped = text.strip()
    if not stripped:
        raise KTError("it is empty")
    if stripped.startswith("{") and re.match(r"\{\s*\"", stripped):
        return tour_of_data(parse_json(text), facts, form)
    if form == "json":
        raise KTError("it is not a JSON object")
    if (
        form == "tsplib"
        or sign_of(".tour").search(text)
        or (suffix == ".tour" and (_KEYWORDS.search(text) or re.search("[A-Za-z]{3}", text)))
    ):
        if form not in (None, "tsplib") or facts.base == 0:
            raise KTError(f"it is a tour file of TSPLIB, whose vertices count from 1, and not {form or 'from 0'}")
        return _of_tsplib(text, facts)
    if suffix == ".jsonl":
        raise KTError("it has several tours, one a line")
    if len(text) > MAX_TEXT:
        raise TooLarge(f"{len(text):,} characters, over the limit of {MAX_TEXT:,} of a tour that is not JSON or TSPLIB")
    lines = lines_with_tour(text)
    if not lines.rows:
        raise KTError(f"there is no tour in it; these forms are read: {forms_text()}")
    if lines.board is not None:
        graph = MoveGraph.of(lines.board, lines.leaper or Leaper(1, 2))
        if facts.graph is not None and not same_place(facts.graph, graph):
            raise InvalidTour(f"it is a tour of {graph.name}, not of {facts.graph.name}")
        facts = replace(facts, graph=facts.graph or graph)
    if lines.leaper is not None:
        if facts.leaper is not None and facts.leaper != lines.leaper:
            raise InvalidTour(f"it is a tour of the leaper {lines.leaper}, not of {facts.leaper}")
        facts = replace(facts, leaper=lines.leaper)
    if lines.closed is not None and facts.closed is None:
        facts = replace(facts, closed=lines.closed)
    if form is not None:
        chosen = form_named(form)
        return tour_of(choose([(form, lambda: chosen.read(lines, facts))]))
    ways: list[tuple[str, Candidate]] = []
    for name, row in FORMS.items():
        if row.fits(lines, facts):
            ways.append((name, lambda row=row: row.read(lines, facts)))  # type: ignore[misc]
    if not ways:
        raise KTError(f"not a tour in a form that is read; these are: {forms_text()}")
    return tour_of(choose(ways))


def _of_tsplib(text: str, facts: GivenFacts) -> tuple[Tour, str]:
    """The tour of a TSPLIB file; if kt did not write it, cells may be numbered by columns, as in kt, or by rows."""
    if says_its_board(text) or (facts.graph is not None and facts.graph.board is None):
        return parse_tour(text, facts.graph, facts.kind is not False), ""
    numbers = tsplib_numbers(text)
    closed = replace(facts, closed=facts.kind is not False)
    try:
        return tour_of(choose([("tsplib", lambda: by_indices(numbers, closed, own_numbers=True, base=1))]))
    except InvalidTour:
        raise
    except KTError:
        if facts.graph is None:
            raise KTError("the file does not say its board: give --board") from None
        raise
