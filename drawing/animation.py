"""Animations: a tour drawn move by move, as GIF (by Pillow) or as MP4 (by ffmpeg, if it is installed).

A long tour makes many moves in a frame, because the number of frames is limited by `MAX_FRAMES` and `MAX_PIXELS`.
Lines are drawn at twice the size and averaged, which makes them smooth.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from drawing.canvas import INK, PAPER, hexadecimal
from drawing.caption import board_of, caption_of
from drawing.draw import MIN_MARKED_PIXELS, draw_ground
from drawing.drawn_moves import Cells, FloatArray, Way, way_of
from drawing.explanation_parts import Parts
from drawing.lines import on_page, pieces
from drawing.options import DrawOptions
from drawing.page import Page
from drawing.page_entries import PageEntry
from drawing.sheet import Panel, sheet_of, single
from drawing.themes import MAX_GREYS, painted, require_fixed
from kt_models.board import Board, IntArray
from kt_models.errors import KTError, TooLarge

if TYPE_CHECKING:
    from PIL import ImageDraw
    from PIL.Image import Image

MAX_FRAMES, MAX_PIXELS = 300, 100_000_000
OVERSAMPLING = 2
"""Factor by which frames are drawn larger and then averaged: smooth lines, which Pillow does not draw."""
MAX_RATE = {".gif": 20, ".mp4": 30}
"""Most frames per second."""
LAST_FRAME_SECONDS = 2.0
"""Seconds for which the last frame is shown."""
DEFAULT_SIZE, MAX_SIZE = 520, 2000
"""Pixels along the longer side: by default (doubled for more than 100 cells along it), and at most."""


def require_encoder(suffix: str) -> None:
    """Refuse `.mp4` without ffmpeg, before any work is done.

    Raises
    ------
    KTError
        Saying what works without it.
    """
    if suffix == ".mp4" and shutil.which("ffmpeg") is None:
        raise KTError("ffmpeg is not installed, and it writes .mp4; -o FILE.gif works without it")


def animation(
    entries: Sequence[PageEntry],
    suffix: str,
    *,
    seconds: float = 15.0,
    parts: Parts | None = None,
    **look: Any,
) -> bytes:
    """Walks of an entry, move by move, as the bytes of a GIF or MP4 file; several entries are side by side.

    Parameters
    ----------
    suffix
        `.gif` or `.mp4`.
    seconds
        Duration of the longest walk, without the two seconds that show its end.
    parts
        Colours of the steps of a single entry.
    look
        `turns`, `theme`, `title`, `caption` and `size` of `drawing.options.DrawOptions`.

    Raises
    ------
    KTError
        If there is no walk to show or no encoder, or if the encoder fails.
    TooLarge
        If it would have more than `MAX_SIZE` pixels, or too many cells.
    """
    options = DrawOptions(**look)
    require_encoder(suffix)
    require_fixed(options.theme, f"a {suffix} file")
    for entry in entries:
        if not entry.tours:
            raise KTError(f"{entry.name}: there is no tour to animate; -o FILE.html shows the board")
    if options.size and options.size > MAX_SIZE:
        raise TooLarge(f"size {options.size:,}: an animation has at most {MAX_SIZE:,} pixels along its longer side")
    film = _film(entries, options, parts)
    moves = max(actor.moves for actor in film.actors)
    room = max(2, MAX_PIXELS // (film.width * film.height))
    count = min(MAX_FRAMES, room, moves + 1, max(2, round(seconds * MAX_RATE[suffix])))
    stops = np.unique(np.linspace(0, moves, count).round().astype(np.int64))
    per_frame = seconds / max(1, len(stops) - 1)
    return (_gif if suffix == ".gif" else _mp4)(film, stops / max(moves, 1), per_frame)


class Actor(NamedTuple):
    """Walks of an entry: lines and dots with the move that draws each, in pixels of the whole picture."""

    way: Way
    cell: float
    """Pixels of a cell."""
    palette: tuple[str, ...]
    lines: FloatArray
    """Lines, shape (k, 2, 2), in order of `line_moves`."""
    line_moves: IntArray
    cells: FloatArray
    """Position of the walker after each number of moves, shape (moves + 1, 2)."""
    turns: FloatArray
    """Turns, shape (t, 2), in order of `turn_moves`, the number of moves that make each."""
    turn_moves: IntArray

    @property
    def moves(self) -> int:
        return len(self.way.starts)


class Film(NamedTuple):
    """Elements of the frames: a background, and the walks on it."""

    width: int
    height: int
    ground: bytes
    actors: list[Actor]
    theme: str


def _film(entries: Sequence[PageEntry], options: DrawOptions, parts: Parts | None) -> Film:
    from drawing.figure import png_of

    inner = options if len(entries) == 1 else replace(options, title="", caption=None)
    grounds, ways = [], []
    for entry in entries:
        board = board_of(entry.graph)
        way = way_of(board, list(entry.tours), along=len(entry.tours) == 1)
        if parts:
            parts.require_fit(board, len(entry.tours), len(way.starts))
            way = parts.coloured(way)
        ways.append(way)
        usual = DEFAULT_SIZE if max(board.shape) <= 100 else 2 * DEFAULT_SIZE
        caption = caption_of(board, way)
        grounds.append((draw_ground(board, caption, replace(inner, size=options.size or usual)), caption))
    sheet = single(*grounds[0]) if len(entries) == 1 else sheet_of(grounds, options)
    sheet.require_size("film", 2 * MAX_SIZE)
    panels = {id(panel.canvas): panel for panel in sheet.panels}
    actors = [
        _actor(entry, way, panels[id(canvas)], options)
        for entry, way, (canvas, _) in zip(entries, ways, grounds, strict=True)
    ]
    return Film(sheet.width, sheet.height, png_of(sheet, grounds[0][1], exact=True), actors, options.theme)


def _actor(entry: PageEntry, way: Way, panel: Panel, options: DrawOptions) -> Actor:
    board, page = board_of(entry.graph), panel.canvas.page
    lines, index = _lines(board, way, page)
    ends = way.starts[-1:] + way.vectors[-1:] if len(way.starts) else way.cells[-1:]
    ends = np.where(board.wraps, ends % np.array(board.shape), ends)
    corner = np.array([panel.x, panel.y])
    cells = panel.canvas.in_pixels(_centres(np.concatenate([way.starts, ends]), page)) + corner
    marked = options.turns and page.cell >= MIN_MARKED_PIXELS
    where, when = _turns(way) if marked else (np.zeros(0, dtype=np.int32),) * 2
    palette = tuple(painted(colour, options.theme) for colour in hexadecimal(way.palette))
    if options.theme == "print" and len(palette) > MAX_GREYS:
        palette = (painted(INK, "print"),) * len(palette)
    return Actor(way, page.cell, palette, panel.canvas.in_pixels(lines) + corner, index, cells, cells[where], when)


def _turns(way: Way) -> tuple[IntArray, IntArray]:
    """Moves that begin at a turn, and the number of moves that make it: the first turn of a closed tour comes last."""
    pairs_of_steps: list[tuple[int, int]] = []
    first = 0
    for tour in way.tours:
        vectors = way.vectors[first : first + len(tour.steps.kinds)]
        turns = np.flatnonzero((vectors[1:] != vectors[:-1]).any(axis=1)) + 1 + first
        pairs_of_steps += [(move, move + 1) for move in turns.tolist()]
        if tour.closed and (vectors[0] != vectors[-1]).any():
            pairs_of_steps.append((first, first + len(vectors)))
        first += len(vectors)
    pairs = np.array(pairs_of_steps, dtype=np.int32).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _lines(board: Board, way: Way, page: Page) -> tuple[FloatArray, IntArray]:
    """All lines and the move of each, in order; a move between layers has a stub at both ends."""
    within = np.flatnonzero((way.vectors[:, 2:] == 0).all(axis=1))
    lines, index = pieces(board, way.starts[within], way.vectors[within], page.offsets)
    moves = within[index]
    between = np.flatnonzero((way.vectors[:, 2:] != 0).any(axis=1))
    if len(between):
        starts, vectors = way.starts[between], way.vectors[between]
        heads = np.where(board.wraps, (starts + vectors) % np.array(board.shape), starts + vectors)
        stubs = [
            np.stack([roots, roots + 0.33 * sign * np.sign(vectors[:, :2])], axis=1)
            for roots, sign in ((_centres(starts, page), 1), (_centres(heads, page), -1))
        ]
        lines = np.concatenate([lines, *stubs])
        moves = np.concatenate([moves, between, between])
    order = np.argsort(moves, kind="stable")
    return lines[order], moves[order].astype(np.int32)


def _centres(cells: Cells, page: Page) -> FloatArray:
    return on_page(cells, page.offsets).astype(np.float64)


def _frames(film: Film, shares: FloatArray) -> Iterator[Image]:
    """One picture for each share of the moves, from 0 to 1, in order."""
    from PIL import Image, ImageDraw

    ground = Image.open(io.BytesIO(film.ground)).convert("RGB")
    large = ground.resize((OVERSAMPLING * ground.width, OVERSAMPLING * ground.height), Image.Resampling.NEAREST)
    brush = ImageDraw.Draw(large)
    ink, paper = painted(INK, film.theme), painted(PAPER, film.theme)
    made = [0] * len(film.actors)
    for share in shares.tolist():
        now = [round(share * actor.moves) for actor in film.actors]
        for actor, before, moves in zip(film.actors, made, now, strict=True):
            _draw_moves(brush, actor, before, moves, ink)
        made = now
        frame = large
        if any(moves < actor.moves for actor, moves in zip(film.actors, now, strict=True)):
            frame = large.copy()
            walker = ImageDraw.Draw(frame)
            for actor, moves in zip(film.actors, now, strict=True):
                if moves < actor.moves:
                    radius = OVERSAMPLING * max(0.3 * actor.cell, 4.0)
                    x, y = (OVERSAMPLING * actor.cells[moves]).tolist()
                    walker.ellipse(_disc(x, y, radius + OVERSAMPLING), fill=paper)
                    shade = actor.palette[int(actor.way.colours[moves])]
                    walker.ellipse(_disc(x, y, radius), fill=shade, outline=ink, width=OVERSAMPLING + 1)
        yield frame.reduce(OVERSAMPLING)


def _draw_moves(brush: ImageDraw.ImageDraw, actor: Actor, before: int, moves: int, ink: str) -> None:
    """Additions of the moves from `before` to `moves`: their lines, and the turns that they make."""
    width = max(1, round(OVERSAMPLING * max(0.09 * actor.cell, 0.7)))
    radius = OVERSAMPLING * max(0.1 * actor.cell, 0.8)
    first, last = np.searchsorted(actor.line_moves, [before, moves]).tolist()
    for k in range(first, last):
        x0, y0, x1, y1 = (OVERSAMPLING * actor.lines[k]).reshape(-1).tolist()
        shade = actor.palette[int(actor.way.colours[actor.line_moves[k]])]
        brush.line((x0, y0, x1, y1), fill=shade, width=width)
        if width > 3:  # Round ends
            for x, y in ((x0, y0), (x1, y1)):
                brush.ellipse(_disc(x, y, width / 2 - 0.5), fill=shade)
    first, last = np.searchsorted(actor.turn_moves, [before, moves], side="right").tolist()
    for x, y in (OVERSAMPLING * actor.turns[first:last]).tolist():
        brush.ellipse(_disc(x, y, radius), fill=ink)


def _disc(x: float, y: float, radius: float) -> tuple[float, float, float, float]:
    return x - radius, y - radius, x + radius, y + radius


def _gif(film: Film, shares: FloatArray, per_frame: float) -> bytes:
    from PIL import Image

    middle, end = _frames(film, shares[[len(shares) // 2, -1]])
    both = Image.new("RGB", (2 * end.width, end.height))  # The walker's colours are in the middle, not at the end
    both.paste(middle, (0, 0))
    both.paste(end, (end.width, 0))
    palette = both.quantize(256)
    first, *others = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in _frames(film, shares))
    milliseconds = max(20, round(1000 * per_frame / 10) * 10)  # Browsers slow down what is faster
    durations = [milliseconds] * len(others) + [round(1000 * LAST_FRAME_SECONDS)]
    stream = io.BytesIO()
    first.save(stream, "GIF", save_all=True, append_images=others, duration=durations, loop=0, comment=b"kt")
    return stream.getvalue()


def _mp4(film: Film, shares: FloatArray, per_frame: float) -> bytes:
    width, height = film.width // 2 * 2, film.height // 2 * 2  # What the format asks for
    rate = 1 / per_frame
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tour.mp4"
        source = f"-f rawvideo -pix_fmt rgb24 -video_size {width}x{height} -framerate {rate:.6f} -i -"
        made = f"-an -c:v {_codec()} -pix_fmt yuv420p -movflags +faststart -metadata comment=kt"
        command = ["ffmpeg", "-loglevel", "error", "-y", *source.split(), *made.split(), str(path)]
        with tempfile.TemporaryFile() as complaints:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints)
            assert process.stdin is not None
            try:
                for frame in _frames(film, shares):
                    last = frame.crop((0, 0, width, height)).tobytes()
                    process.stdin.write(last)
                for _ in range(round(LAST_FRAME_SECONDS * rate)):
                    process.stdin.write(last)
                process.stdin.close()
            except BrokenPipeError:
                pass
            finally:
                status = process.wait()
            complaints.seek(0)
            words = complaints.read().decode(errors="replace").split("\n")
        if status or not path.is_file():
            raise KTError(f"ffmpeg: {next((line for line in words if line.strip()), f'exit status {status}')[:200]}")
        return path.read_bytes()


def _codec() -> str:
    """H.264 if ffmpeg was built with it, because every player knows it."""
    listed = subprocess.run(["ffmpeg", "-hide_banner", "-encoders"], capture_output=True, text=True)
    return "libx264 -crf 20 -preset fast" if " libx264 " in listed.stdout else "mpeg4 -q:v 3"
