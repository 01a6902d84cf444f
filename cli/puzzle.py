"""`kt puzzle`: puzzles with exactly one solution."""

from __future__ import annotations

import os

import click

from cli.command import Command
from cli.error_messages import complain
from cli.files import output_suffix, written_first
from cli.live import limits_of, live_progress
from cli.options import (
    LimitOptions,
    Output,
    graph_argument,
    leaper_option,
    limit_options,
    output_options,
    print_json,
    print_rows,
)
from cli.status import UNANSWERED
from kt_models import KNIGHT, KTError
from kt_models.files.puzzles import DIFFICULTIES, GRIDS, KINDS, Puzzle, puzzles_to_json
from kt_models.files.suffixes import PUZZLE_FILES
from kt_models.limits import Stopped


@click.command("puzzle", cls=Command)
@click.argument("board")
@leaper_option
@click.option("--open", "is_open", is_flag=True, help="An open tour: the ends need not be a move apart.")
@click.option("--kind", type=click.Choice(list(KINDS)), default="numbers", show_default=True, help="What to solve.")
@click.option(
    "--clues", "clue_count", type=click.IntRange(1), metavar="N", help="Number of clues: numbers, stops or pairs."
)
@click.option("--difficulty", type=click.Choice(list(DIFFICULTIES)), help="How much a person has to try.")
@click.option("--redundant", is_flag=True, help="Allow superfluous clues.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Number of puzzles.")
@click.option("--title", default="", help="Line above a sheet or page.")
@limit_options(seed="puzzles")
@output_options(", ".join(PUZZLE_FILES) + ", or FOLDER/ for a JSON file of each", "puzzle", "puzzles", tours=False)
def command(
    board: str,
    leaper: str | None,
    is_open: bool,
    kind: str,
    clue_count: int | None,
    difficulty: str | None,
    redundant: bool,
    count: int,
    title: str,
    limit_values: LimitOptions,
    out: Output,
) -> int:
    """Make puzzles on BOARD, each with exactly one solution, and without a superfluous clue.

    \b
    kt puzzle 6x6 --open --leaper king                      Hidato: fill in the numbers; Numbrix with wazir
    kt puzzle 6x6 --kind waypoints --open                   Zip: visit the numbers in order, between walls
    kt puzzle 6x6 --kind paths                              Numberlink: join equal numbers
    kt puzzle 5x5 --kind paths --count 6 -o sheet.pdf       a sheet to print, with solutions at its end
    kt puzzle 6x6 --kind waypoints --open -o zip.html       a page to play
    kt puzzle 5x6 --seed 7 -o puzzle.json                   kt solve --clues puzzle.json reads it

    A puzzle is easy if the rules of the page on puzzles solve it, medium if it also takes a look one step ahead, and
    hard otherwise. The piece is the knight for --kind numbers, and the wazir for the others.
    """
    from encoders.puzzles import PuzzleTask, make_puzzles
    from encoders.puzzles.task import piece_for

    folder = out.output is not None and (out.output.endswith(("/", os.sep)) or os.path.isdir(out.output))
    suffix = "" if folder else output_suffix(out.output, PUZZLE_FILES, "puzzle", "puzzles")
    if title and suffix in ("", ".json"):
        raise KTError("--title has no effect here: it is the title of a sheet or page")
    if suffix == ".png" and count > 1:
        raise KTError(f"{out.output}: a .png file has one puzzle; .pdf and .svg have all")
    made: list[Puzzle] = []
    stopped = ""
    with limits_of(limit_values, as_json=out.as_json) as limits:
        piece = piece_for(kind, leaper)
        graph = limits.run(lambda: graph_argument(board, piece))
        task = PuzzleTask(graph, not is_open, kind, clue_count, difficulty, redundant)
        with live_progress("making") as on_progress:
            try:
                for puzzle in make_puzzles(task, count, limits=limits, on_progress=on_progress):
                    made += [puzzle]  # One by one: what is made before a limit is kept.
            except Stopped as error:
                if not made:
                    raise
                stopped = str(error)
    with written_first(lambda: _write(made, out.output, folder, title)):
        if out.as_json:
            print_json(puzzles_to_json(made) | {"complete": not stopped})
        else:
            _print(made)
    if stopped:
        complain(f"{stopped}: {len(made)} of {count} puzzles were made")
    return UNANSWERED if stopped else 0


def _write(puzzles: list[Puzzle], output: str | None, folder: bool, title: str) -> None:
    """Write one file, or a JSON file of each puzzle into a folder."""
    from drawing.save import save_puzzles

    if output is None:
        return
    if not folder:
        save_puzzles(puzzles, output, title)
        return
    os.makedirs(output, exist_ok=True)
    width = len(str(len(puzzles)))
    for number, puzzle in enumerate(puzzles, start=1):
        save_puzzles([puzzle], os.path.join(output, f"puzzle-{number:0{width}}.json"))


def _print(puzzles: list[Puzzle]) -> None:
    """Print the grids, and how to solve them."""
    first = puzzles[0]
    piece = "" if first.graph.leaper is None else f", leaper {first.graph.leaper}"
    form = "" if first.kind == "paths" else ", closed" if first.closed else ", open"
    rows = [("board", f"{first.graph.name}{piece}{form}"), ("kind", f"{first.kind}: {KINDS[first.kind]}")]
    rows.append(("solve", f"kt solve --{GRIDS[first.kind]} FILE{_options(first)}"))
    print_rows(rows)
    for number, puzzle in enumerate(puzzles, start=1):
        name = f"{number}: " if len(puzzles) > 1 else ""
        click.echo(f"\n{name}{puzzle.count} clues, {puzzle.difficulty}\n{puzzle.clues.text.rstrip()}")


def _options(puzzle: Puzzle) -> str:
    leaper = "" if puzzle.graph.leaper == KNIGHT else f" --leaper {puzzle.graph.leaper}"
    return leaper + ("" if puzzle.closed or puzzle.kind == "paths" else " --open")
