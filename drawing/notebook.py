"""Notebook displays of problems, results and certificates: a few rows, and a drawing if there is one.

Plain HTML, everything in it escaped, no style sheet and no script: it looks the same in every front end, follows its
light or dark theme, and is safe whatever a board's name or a solver's words hold. A drawing is an image with its data
in the address, so that two drawings on one page cannot meet in their identifiers.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from kt_models.board import Board
from kt_models.errors import KTError
from kt_models.files.puzzles import Puzzle
from kt_models.gadgets.gadget import Gadget
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import Certificate, Checked, Verdict
from kt_models.kernel.certificates.longest.answer import Longest
from kt_models.pareto_front import ParetoFront
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.result_rows import measure_rows
from kt_models.tour import Tour
from kt_models.walks import Walk

MAX_WIDTH, MIN_WIDTH = 420, 260
"""Pixels of a drawing in a notebook, and of the drawing and the facts while they are side by side."""
CELL = "text-align:left;vertical-align:top;padding:0.15em 1em 0.15em 0"
MAX_FRONT_DRAWN = 9
"""Most tours of a front that are drawn."""
MAX_LISTED = 12
"""Most moves or cells that are listed by name."""

PageRow = tuple[str, str]


def svg(subject: Board | MoveGraph | Tour | Gadget | Puzzle, walks: Sequence[Walk] | None = None) -> str | None:
    """The drawing for a notebook; `None` (for the text instead) if it is too large or has no board."""
    from drawing.draw import draw_svg
    from drawing.gadget import gadget_svg

    if isinstance(subject, Gadget):
        return gadget_svg(subject)
    if isinstance(subject, Puzzle):
        from drawing.puzzle_sheet import puzzle_svg

        return puzzle_svg(subject)
    try:
        return draw_svg(subject, walks)
    except KTError:
        return None


def html(subject: Problem | Result | Certificate | Verdict | Longest | ParetoFront) -> str:
    """Rows of a problem, an answer, a certificate or a verdict."""
    return next(card(subject) for kind, card in CARDS.items() if isinstance(subject, kind))


def card(rows: Iterable[PageRow], drawing: str | None = None, seen: str = "drawing") -> str:
    """An HTML table of two columns, beside or below an image; `seen` describes the image."""
    cells = "".join(
        f'<tr><th style="{CELL};white-space:nowrap">{escape(name)}</th>'
        f'<td style="{CELL};font-weight:normal">{escape(words)}</td></tr>'
        for name, words in rows
        if words
    )
    table = f'<table style="margin:0">{cells}</table>'
    if not drawing:
        return table
    data = base64.b64encode(drawing.encode()).decode()
    source = f"data:image/svg+xml;base64,{data}"
    image = f'<img alt="{escape(seen)}" style="width:100%;height:auto" src="{source}">'
    # Both may shrink, so that a long line in the table is broken before the table leaves the image's side
    left = f'<div style="flex:1 1 {MIN_WIDTH}px;min-width:0;max-width:{MAX_WIDTH}px">{image}</div>'
    right = f'<div style="flex:1 1 {MIN_WIDTH}px;min-width:0">{table}</div>'
    return f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">{left}{right}</div>'


def problem_rows(problem: Problem) -> list[PageRow]:
    """The question of a problem in words."""
    graph, words = problem.graph, problem.graph.words
    kind = {"cycle": words.a_cycle, "path": words.a_path, "linkage": f"paths joining given pairs of {words.places}"}
    kind |= {"paths": f"disjoint paths between given {words.places}", "any": f"{words.moves} of the right degrees"}
    kind |= {"subcycle": f"a {words.walk(True)}", "subpath": f"a path through some {words.places}"}
    kind |= {"sublinkage": kind["linkage"]}
    piece = f", {graph.leaper.piece}" if graph.leaper else ""
    rows = [("board" if graph.board is not None else "graph", f"{graph.name}{piece}, {graph.vertex_count:,} vertices")]
    best = "greatest" if problem.unit.maximised else "least"
    least = f" with the {best} {problem.objective_name or 'value'}" if problem.objective is not None else ""
    rows.append(("asked", kind[problem.connectivity] + least))
    ends = () if graph.directed is not None else problem.terminals  # The split graph requires edges at them
    rows.append(("ends", _some([graph.name_of(vertex) for vertex in ends])))
    for name in ("required", "forbidden"):
        rows.append((name, _some([graph.edge_name(edge) for edge in sorted(getattr(problem, name))])))
    rows.append(("symmetry", " ".join(symmetry.name for symmetry in problem.symmetry)))
    if problem.optional:
        rows.append(("optional", f"{len(problem.optional):,} of {graph.n:,} {words.places}"))
    return rows


def problem_card(problem: Problem) -> str:
    """The question as a table, and its clues as a drawing."""
    from drawing.clue_marks import is_marked
    from drawing.draw import draw_svg

    try:
        drawn = draw_svg(problem) if is_marked(problem) else None
    except KTError:
        drawn = None
    return card(problem_rows(problem), drawn, f"clues on {problem.graph.name}")


def result_card(result: Result) -> str:
    """Status, measures, bound, how it is known, and the drawing."""
    rows = [*problem_rows(result.problem), ("status", result.status), *measure_rows(result)]
    rows += [("reason", result.reason), ("evidence", result.known_by)]
    rows += [(name.replace("_", " "), f"{value:,}") for name, value in result.statistics.items()]
    rows.append(("engine", f"{result.engine}, {result.seconds:.2f} s"))
    measures = ", ".join(f"{words} {name}" for name, words in measure_rows(result))
    seen = f"{result.problem.graph.name}: {measures or result.status}"
    return card(rows, result._repr_svg_() if result.edges is not None else None, seen)


def certificate_card(certificate: Certificate) -> str:
    """The claim, and whether it was checked; displaying it does not check it, which may take long."""
    checked = certificate.reason if isinstance(certificate, Checked) else ""
    rows = [
        ("claim", certificate.statement.text),
        *problem_rows(certificate.problem),
        ("method", certificate.method),
        ("holds", ", ".join(certificate.data)),
        ("checked", checked or "not yet: kt.check(certificate) replays it"),
    ]
    return card(rows)


def verdict_card(verdict: Verdict) -> str:
    """The claims that were shown, and those that were not."""
    rows = [("shown", claim.text) for claim in verdict.shown]
    rows += [("claimed, not shown", claim.text) for claim in verdict.stated]
    return card([*rows, ("evidence", verdict.how)])


def longest_card(longest: Longest) -> str:
    """The walk, its length, and the bound."""
    moves = f"{longest.moves:,}" if longest.walk is not None else ""
    bound = "" if longest.bound is None else f"{longest.bound:,}"
    rows = [("task", longest.task.text), ("status", longest.status), ("moves", moves), ("bound", bound)]
    drawn = None if longest.walk is None else svg(longest.task.graph, [longest.walk])
    return card([*rows, ("reason", longest.reason)], drawn, f"walk of {moves} moves on {longest.task.graph.name}")


def front_card(front: ParetoFront) -> str:
    """The values of the tours and how they are known, where others may be missing, and the tours."""
    rows = [*problem_rows(front.problem), ("status", front.status)]
    for pair, point in zip(front.pairs, front.points, strict=True):
        rows.append((front.words(*pair), point.how or "perhaps beaten by another"))
    for area in front.undecided:
        ends = zip(front.names, *map(front.seen, area), strict=True)
        spans = (
            f"{name} {'any' if low is None else low} to {'any' if high is None else high}" for name, low, high in ends
        )
        rows.append(("perhaps missing", ", ".join(spans)))
    tours = [point.tour for point in front.points[:MAX_FRONT_DRAWN]]
    return card(rows, svg_of_several(tours), f"{len(tours)} tours of the front of {front.problem.graph.name}")


def svg_of_several(tours: Sequence[Tour]) -> str | None:
    """A sheet of tours; `None` if there are none, or they cannot be drawn."""
    from drawing.draw import draw_picture

    try:
        return str(draw_picture([(tour, None) for tour in tours], ".svg")) if tours else None
    except KTError:
        return None


def _some(names: list[str]) -> str:
    more = f" and {len(names) - MAX_LISTED:,} more" if len(names) > MAX_LISTED else ""
    return ", ".join(names[:MAX_LISTED]) + more


CARDS: dict[type, Callable[[Any], str]] = {
    Problem: problem_card,
    Result: result_card,
    Certificate: certificate_card,
    Verdict: verdict_card,
    Longest: longest_card,
    ParetoFront: front_card,
}
"""Display of each type, besides its text."""
