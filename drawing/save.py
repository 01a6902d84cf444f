"""Saving a tour, a result or a certificate to a file, in the format of its suffix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from drawing.options import DRAWN, DrawOptions
from kt_models.arguments import require_boolean, require_number, require_path
from kt_models.board import Board, is_board
from kt_models.errors import KTError, about, excerpt, row_named, unknown
from kt_models.files.boards import FORM, graph_from
from kt_models.files.calls import apart
from kt_models.files.given import holds_documents, holds_tour, is_text, read_valid_tour, tour_given, write_tour
from kt_models.files.puzzles import Puzzle, puzzles_to_json
from kt_models.files.suffixes import PUZZLE_FILES, RESULT_FILES, TOUR_TEXTS, allowed_suffix, file_suffix
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import Certificate
from kt_models.long_arrays import json_pieces
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.storage import read_json
from kt_models.tour import Tour, tour_document, verify
from kt_models.walks import Walk
from kt_models.writing import write_atomic, write_pieces

if TYPE_CHECKING:
    from drawing.draw import Subject
    from drawing.explanation_parts import Parts
    from drawing.page_entries import PageEntry

FILMS = (".gif", ".mp4")
PICTURE = frozenset(DRAWN)
PAGE = frozenset({"numbers", "turns", "crossings", "title"})
FILM = frozenset({"turns", "theme", "title", "caption", "size"})
READ = {".svg": PICTURE, ".png": PICTURE, ".pdf": PICTURE, ".tex": PICTURE, ".html": PAGE, ".gif": FILM, ".mp4": FILM}
"""Suffixes of files that hold drawings, and the `DrawOptions` that each of them uses."""
SITE = frozenset({"title"})
"""Options that a gallery uses."""
GALLERY = ""
"""Stands for a folder in place of the suffix of a file."""
DRAWN_AS = tuple(READ)
MAX_ENTRIES = {suffix: {".html": 16, ".gif": 16, ".mp4": 16}.get(suffix, 400) for suffix in READ}
"""Most drawings in a file."""
MIN_SECONDS, MAX_SECONDS = 0.5, 600
"""Limits of the length of an animation, in seconds."""


def is_gallery(path: str | os.PathLike[str]) -> bool:
    """Whether a path is that of a folder: it exists, ends in `/`, or is a `Path` without suffix."""
    if isinstance(path, str):
        return path.endswith(tuple(filter(None, ("/", os.sep, os.altsep)))) or os.path.isdir(path)
    return os.path.isdir(path) or not os.path.splitext(os.fspath(path))[1]


def suffix_for(path: str | os.PathLike[str], name: str | None = None) -> str:
    """The suffix that determines how a file is written: its own, or that of a named format of tours."""
    if name is None:
        return allowed_suffix(path, RESULT_FILES)
    from kt_models.files.tour_forms.write import FORMATS

    return row_named(name, FORMATS, "format").suffix


def save(subject: Any, path: str | os.PathLike[str], *, name: str | None = None, force: bool = False) -> None:
    """Write the whole file or nothing.

    Parameters
    ----------
    subject
        A tour, a result, or anything else that has `to_json`.
    path
        Ends in `.json`; or, where there is a tour, in `.tour` (TSPLIB), `.txt` (a grid of numbers), `.csv`
        (coordinates), `.moves`, `.coords`, `.svg`, `.png`, `.pdf`, `.tex` (TikZ) or `.html`, a page to step through.
    name
        The format of a tour, one of `kt_models.files.tour_forms.write.FORMATS`, for any suffix of the path.
    force
        Whether the file may replace one of another kind.

    Raises
    ------
    KTError
        If there is no tour, the suffix is unknown, or the file cannot be written.
    """
    force = require_boolean(force, "force")
    if isinstance(subject, Puzzle):
        save_puzzles([subject], path, force=force)
        return
    suffix = suffix_for(path, name)
    if suffix == ".json":
        data = document_of(subject)
        # In pieces: the text of a large tour is many times the size of its array
        write_pieces(path, chain(json_pieces(data), "\n"), data["kind"], force=force)
        return
    with about(path):
        drawn, walks = drawn_of(subject)
    if walks is None and suffix in (".tour", *TOUR_TEXTS):
        write_tour(path, drawn, name=name, force=force)
    else:
        write_atomic(path, _drawing(drawn, walks, suffix), force=force)


def save_puzzles(
    puzzles: Sequence[Puzzle], path: str | os.PathLike[str], title: str = "", *, force: bool = False
) -> None:
    """Write puzzles: as JSON, as a sheet to print with the solutions at its end, or as a page to play.

    Raises
    ------
    KTError
        If the suffix is not one of `kt_models.files.suffixes.PUZZLE_FILES`, or the file cannot be written.
    """
    suffix = allowed_suffix(path, PUZZLE_FILES)
    if suffix == ".json":
        data = puzzles_to_json(puzzles)
        write_pieces(path, chain(json_pieces(data), "\n"), "puzzle", "puzzles", force=force)
        return
    from drawing.puzzle_page import page_of_puzzles
    from drawing.puzzle_sheet import pdf_of_puzzles, png_of_puzzle, svg_of_puzzles

    if suffix == ".png" and len(puzzles) > 1:
        raise KTError(f"{os.fspath(path)}: a .png file has one puzzle, and {len(puzzles)} are given")
    write: dict[str, Callable[..., str | bytes]] = {
        ".pdf": pdf_of_puzzles,
        ".svg": svg_of_puzzles,
        ".html": page_of_puzzles,
    }
    drawn = png_of_puzzle(puzzles[0]) if suffix == ".png" else write[suffix](puzzles, title)
    write_atomic(path, drawn, force=force)


def document_of(subject: Any) -> dict[str, Any]:
    """The JSON object of it, in which a tour may be a NumPy array."""
    if isinstance(subject, Tour):
        return tour_document(subject)
    data: dict[str, Any] = subject.to_document() if isinstance(subject, Result) else subject.to_json()
    return data


def drawn_of(subject: Any) -> tuple[Any, list[Walk] | None]:
    """The part of an answer to draw: its tour, or walks on a graph.

    Raises
    ------
    KTError
        If there is no tour.
    """
    from kt_models.kernel.certificates.longest.answer import Longest

    if isinstance(subject, Longest):
        if subject.walk is None:
            raise KTError("there is no walk to draw; a .json file would hold the answer")
        return subject.task.graph, [subject.walk]
    tour = subject.tour if isinstance(subject, Result) else subject
    if isinstance(subject, Result) and tour is None and subject.edges is not None:
        return subject.problem.graph, list(subject.walks)
    if not isinstance(tour, Tour):
        raise KTError("there is no tour to draw; a .json file would hold the answer")
    return tour, None


def picture(
    subject: Any,
    path: str | os.PathLike[str] | None,
    look: Mapping[str, Any],
    *,
    seconds: float | None = None,
    explain: Callable[[PageEntry], Parts | None] = lambda entry: None,
    force: bool = False,
) -> str | None:
    """A picture, a page, an animation or a gallery: as SVG, a file at a path, or a folder.

    Parameters
    ----------
    subject
        A tour, a walk, a certificate (to draw its argument), or a board in any form; or a list of these.
    look
        The fields of `drawing.options.DrawOptions`.
    seconds
        The duration of an animation.
    explain
        Makes the explanation, on a page, of the method that made a tour.
    force
        Whether the file may replace one of another kind.

    Raises
    ------
    KTError
        If an argument is not valid, or the file cannot be written.
    """
    force = require_boolean(force, "force")
    puzzles = [subject] if isinstance(subject, Puzzle) else list(subject) if _are_puzzles(subject) else []
    if puzzles:
        return _puzzle_picture(puzzles, path, look, force)
    form, options = _options_of(look)
    if not isinstance(path, str | os.PathLike | None):
        raise KTError(f"file must be a path, got {excerpt(path)}")
    gallery = path is not None and bool(require_path(path, "file")) and is_gallery(path)
    suffix = ".svg" if path is None else GALLERY if gallery else allowed_suffix(path, DRAWN_AS)
    require_drawing(suffix, options)
    if seconds is not None and suffix not in FILMS:
        raise KTError(f"seconds: it is about an animation, and {suffix or 'a gallery'} holds none")
    length = 15.0 if seconds is None else require_number(seconds, "seconds")
    if not MIN_SECONDS <= length <= MAX_SECONDS:
        raise KTError(f"seconds {length:g}: an animation takes {MIN_SECONDS} to {MAX_SECONDS}")
    # A list may also be one tour, given as its cells
    subjects = list(subject) if not form and _are_several(subject) else [subject]
    entries = [entry for item in subjects for entry in _entries_of(item, form)]
    if gallery:
        from drawing.site import require_site, write_gallery

        assert path is not None
        require_site(path, force)
        write_gallery(path, [(replace(entry, parts=explain(entry)), "") for entry in entries], options.title)
        return None
    if len(entries) > MAX_ENTRIES[suffix]:
        raise KTError(f"{len(entries)} to draw: a {suffix} file has at most {MAX_ENTRIES[suffix]}; a gallery has all")
    if suffix == ".html":
        entries = [replace(entry, parts=explain(entry)) for entry in entries]
    drawn = draw_entries(entries, suffix, options, seconds=length)
    if path is None:
        return str(drawn)
    write_atomic(path, drawn, force=force)
    return None


def _options_of(look: Mapping[str, Any]) -> tuple[dict[str, Any], DrawOptions]:
    """Keywords about the form of a subject, and those about its drawing."""
    form, look = apart({name: value for name, value in look.items() if name not in FORM or value is not None}, FORM)
    for name in look:
        if name not in DrawOptions.__dataclass_fields__:
            raise unknown("argument", name, DrawOptions.__dataclass_fields__)
    return form, DrawOptions(**look)


def draw_on(subject: Any, axes: Any, look: Mapping[str, Any]) -> None:
    """Draw one tour, walk or board on the axes of a Matplotlib plot.

    Raises
    ------
    KTError
        If these are no axes, or there is not one thing to draw.
    """
    from drawing.draw import canvas_of
    from drawing.figure import draw_on_axes

    if not hasattr(axes, "add_artist") or not hasattr(axes, "get_window_extent"):
        raise KTError(f"ax must be axes of Matplotlib, got {excerpt(axes)}")
    form, options = _options_of(look)
    require_drawing(".png", options)
    if isinstance(subject, Puzzle) or _are_puzzles(subject) or (not form and _are_several(subject)):
        raise KTError("ax: draw one tour, board or walk on each axes")
    entries = list(_entries_of(subject, form))
    if len(entries) != 1:
        raise KTError(f"{len(entries)} to draw on one axes: draw one on each")
    draw_on_axes(axes, canvas_of(*_subject(entries[0], False), options))


def _are_puzzles(subject: Any) -> bool:
    return isinstance(subject, list | tuple) and bool(subject) and all(isinstance(entry, Puzzle) for entry in subject)


def _puzzle_picture(
    puzzles: Sequence[Puzzle], path: str | os.PathLike[str] | None, look: Mapping[str, Any], force: bool
) -> str | None:
    """Puzzles as SVG or into a file; of the options of drawings they have a title."""
    for name, value in look.items():
        if name != "title" and value != DRAWN.get(name):
            raise KTError(f"{name}: it has no effect on a drawing of puzzles")
    title = DrawOptions(title=look.get("title", "")).title
    if path is None:
        from drawing.puzzle_sheet import svg_of_puzzles

        return svg_of_puzzles(puzzles, title)
    save_puzzles(puzzles, path, title, force=force)
    return None


def draw_entries(
    entries: Sequence[PageEntry], suffix: str, options: DrawOptions, *, argument: bool = False, seconds: float = 15.0
) -> str | bytes:
    """Contents of the files that show these entries, in the format of their suffix.

    Parameters
    ----------
    argument
        Whether to draw the certificate of a result instead of its tour.
    seconds
        The duration of an animation.

    Raises
    ------
    KTError
        If there is nothing to draw, or it cannot be drawn in this format.
    """
    from drawing.draw import draw_page, draw_picture, require_effect

    look = {name: getattr(options, name) for name in DRAWN if name in READ[suffix]}
    parts = entries[0].parts if len(entries) == 1 else None
    if suffix == ".html":
        title = look.pop("title")
        return draw_page(entries, show=look, title=title)
    if suffix in FILMS:
        from drawing.animation import animation

        return animation(entries, suffix, seconds=seconds, parts=parts, **look)
    subjects = [_subject(entry, argument) for entry in entries]
    require_effect(subjects, options)
    return draw_picture(subjects, suffix, parts=parts, **look)


def require_drawing(suffix: str, options: DrawOptions) -> None:
    """Refuse options without effect in a kind of file, and a film without an encoder, before any work is done.

    Raises
    ------
    KTError
        If an option has no effect, or an encoder is not installed; the message names it.
    """
    for name, usual in DRAWN.items():
        if name not in READ.get(suffix, SITE) and getattr(options, name) != usual:
            raise KTError(f"{name}: it has no effect on {f'a {suffix} file' if suffix else 'a gallery'}")
    if suffix in FILMS:
        from drawing.animation import require_encoder

        require_encoder(suffix)


def _subject(entry: PageEntry, argument: bool) -> tuple[Subject, Sequence[Walk] | None]:
    """The part of an entry to draw, and the walks on it."""
    if entry.problem is not None and not argument:
        return entry.problem, None
    if argument and entry.certificate is None:
        raise KTError(f"{entry.name}: --argument: there is no certificate in it")
    if entry.certificate is not None and (argument or not entry.tours):
        return entry.certificate, None
    if entry.claim and not entry.tours:
        raise KTError(f"{entry.name}: there is no tour in it; -o FILE.html shows what it claims")
    return entry.graph if entry.walks else entry.tours[0] if entry.tours else entry.graph, entry.walks or None


def _are_several(subject: Any) -> bool:
    """Whether a list consists of things to draw, rather than being a tour or a board."""
    if not isinstance(subject, list | tuple):
        return False
    if not subject:
        raise KTError("there is nothing to draw: the list is empty")
    from kt_models.kernel.certificates.longest.answer import Longest

    return all(
        isinstance(entry, Tour | Result | Longest | Certificate | Problem | MoveGraph | Board | os.PathLike)
        or (isinstance(entry, str) and (is_board(entry) or os.path.isfile(entry)))
        for entry in subject
    )


def _entries_of(subject: Any, form: Mapping[str, Any]) -> Iterator[PageEntry]:
    """Entries of a subject: one, or for a file of tours (one object per line) one for each."""
    from drawing.page_entries import read_entries

    if isinstance(subject, os.PathLike):
        subject = require_path(subject, "subject")
    if not form and isinstance(subject, str) and _is_answer(subject):
        yield from read_entries(subject)
    else:
        yield _entry_of(subject, form)


def _is_answer(path: str) -> bool:
    """Whether a file of JSON has a tour or a claim, and is not that of a graph or board alone."""
    if is_text(path) or not os.path.isfile(path) or not holds_documents(path):
        return False
    if file_suffix(path) == ".jsonl":
        return True
    data = read_json(path)
    return isinstance(data, dict) and ("tour" in data or data.get("kind") not in (None, "graph"))


def _entry_of(subject: Any, form: Mapping[str, Any]) -> PageEntry:
    from drawing.page_entries import (
        PageEntry,
        entry_of_certificate,
        entry_of_longest,
        entry_of_problem,
        entry_of_result,
        entry_of_tour,
    )
    from kt_models.kernel.certificates.longest.answer import Longest

    if not form:
        if isinstance(subject, Result):
            if subject.edges is None and subject.certificate is None:
                raise KTError("there is no tour to draw; a .json file would hold the answer")
            return entry_of_result(subject)
        if isinstance(subject, Longest):
            return entry_of_longest(subject)
        if isinstance(subject, Certificate):
            return entry_of_certificate(subject)
        if isinstance(subject, Problem):
            return entry_of_problem(subject)
        tour = subject if isinstance(subject, Tour) else _tour_in(subject)
        if tour is not None:
            return entry_of_tour(tour)
    graph = subject if isinstance(subject, MoveGraph) and not form else graph_from(subject, **form)
    return PageEntry(graph.name, graph)


def _tour_in(subject: Any) -> Tour | None:
    """The tour that data hold, if they are no board: a file or text of a tour, or a grid of numbers."""
    if isinstance(subject, Board) or subject is None:
        return None
    if isinstance(subject, str | os.PathLike):
        path = os.fspath(subject)
        # A board's name may be that of a file, too
        is_tour = holds_tour(path) and (is_text(path) or not is_board(path) or os.path.isfile(path))
        return read_valid_tour(path) if is_tour else None
    try:
        # Whatever fails to be a tour may still be a graph, so the error is not the user's
        tour = tour_given(subject)
        verify(tour)
    except KTError:
        return None
    return tour


def _drawing(drawn: Any, walks: list[Walk] | None, suffix: str) -> str | bytes:
    from drawing.draw import PICTURES, draw_page, draw_picture
    from drawing.page_entries import entry_of_tour

    if suffix in PICTURES:
        return draw_picture([(drawn, walks)], suffix)
    if walks is not None:
        raise KTError(f"a walk that leaves cells out is not a tour: use one of {', '.join(('.json', *PICTURES))}")
    return draw_page([entry_of_tour(drawn)])
