"""`kt experiment`: the papers' tables, measured here."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cli.command import CommandGroup
from cli.error_messages import complain
from cli.files import leaves_alone, output_suffix, writes
from cli.live import limits_of, live_progress
from cli.options import (
    LimitOptions,
    graph_argument,
    grouped,
    json_option,
    leaper_option,
    limit_options,
    listing_option,
    print_json,
    print_rows,
)
from cli.status import UNANSWERED
from cli.tables import print_table
from kt_models import KTError, MoveGraph
from kt_models.files.suffixes import allowed_suffix
from kt_models.machine import usable_cores
from kt_models.writing import write_atomic

if TYPE_CHECKING:
    from heuristics.papers.aztec.measurement import Measurement
    from heuristics.papers.cube.tour_census import Census
    from heuristics.papers.euler.closing import Experiment


@click.group("experiment", cls=CommandGroup)
def command() -> None:
    """Repeat the papers' experiments, and print their figures beside the new ones.

    \b
    tour-types      Miller (2018): random tours of the 4x4x4 cube, how many are closed,
                    how many types by location, how many inequivalent under symmetry
    random-graphs   Davies, Xue, Yerger (2017), Tables 1 to 3: how often path-conversion
                    finds a Hamiltonian cycle of a random graph; and a fourth table
                    on whether the distribution of the degrees matters
    closing         Euler's method (1759): how many turns of its end close an open tour
    lemmas          Besa et al. (2022), Lemmas 5 to 7 and Theorem 9: clean cells and turns in
                    crowns, the share of the sides in crowns, crossings of a triplet

    \b
    kt experiment tour-types 4x4x4 --tours 1000
    kt experiment random-graphs --table 3 --graphs 100
    kt experiment random-graphs --state runs.json --workers 4 --plot rates.svg
    kt experiment closing 8x8 --tours 10000

    After Ctrl-C an experiment prints its results so far (exit status 3).
    """


def _free(graph: MoveGraph) -> MoveGraph:
    """A graph without fixed edges, which experiments require."""
    if graph.fixed:
        raise KTError(f"{graph.name} has fixed edges, which experiments do not support")
    return graph


@command.command("tour-types")
@click.argument("board", default="4x4x4")
@leaper_option
@click.option("--tours", type=int, default=1000, show_default=True, metavar="N", help="Number of tours to find.")
@click.option("--tries", type=int, default=1000, show_default=True, metavar="N", help="Random walks per run.")
@limit_options(seed="table")
@json_option
def tour_types(
    board: str, leaper: str | None, tours: int, tries: int, limit_values: LimitOptions, as_json: bool
) -> int:
    """Find tours of BOARD (default 4x4x4) by random moves and count their types.

    The type of a tour lists for each cell how many exterior faces it has: 3 at corners of a cube, 0 within. A type and
    its reversal are the same type, and so are those of a closed tour from different starts. Tours are equivalent if a
    symmetry of the board maps one to the other.

    \b
    kt experiment tour-types                      the paper's board, 1000 tours
    kt experiment tour-types 3x4 --tours 200      few enough to find all
    kt experiment tour-types 4x4x5 --time-limit 60

    On 4x4x4 the last column is the paper's; "with its slip" counts as its program does, which misreads some positions
    and so takes some closed tours for open ones.
    """
    from heuristics.papers.cube.tour_census import census

    with limits_of(limit_values, as_json=as_json) as limits, live_progress() as on_progress:
        graph = limits.run(lambda: _free(graph_argument(board, leaper)))
        result = census(graph, tours=tours, tries=tries, limits=limits, on_progress=on_progress)
    if as_json:
        print_json({"kind": "tour-types", "seed": limit_values.seed, **result.to_json()})
    else:
        _print_census(result)
    return _status(result.complete, f"{result.tours} of {tours} tours found")


@command.command("lemmas")
@click.argument("size", type=click.IntRange(24, 400), default=100)
@limit_options(workers="", memory="", seed="")
@json_option
def lemmas(size: int, limit_values: LimitOptions, as_json: bool) -> int:
    """Repeat Lemmas 5 to 7 and Theorem 9 of Besa et al. (2022) by computation.

    \b
    Lemma 5     crowns of the formation tour of SIZE x SIZE (default 100): m edge cells, k of them clean,
                and at least m + (m - k)/2 turns inside
    Lemma 6     the most clean cells that any crown can have, by a search of all of them
    Lemma 7     the share of a side in the bases of crowns, on larger and larger squares
    Theorem 9   the fewest crossings of a triplet, over all cycles of the 216 triplets

    \b
    kt experiment lemmas
    kt experiment lemmas 30 --json
    """
    from heuristics.find import find
    from heuristics.papers.taming import lemmas as paper
    from heuristics.papers.taming.bounds.crown import MAX_CLEAN_CELLS, breaks_in_box
    from kt_models.problem import Problem

    with limits_of(limit_values, as_json=as_json) as limits, live_progress("computing"):
        graph = limits.run(lambda: graph_argument(f"{size}x{size}", None))
        tour = find(Problem(graph), "formation", limits=limits).tour
        if tour is None:
            raise KTError(f"{size}x{size} has no formation tour: choose an even size from 24 on")
        crowns = paper.crowns_of(tour)
        clean = limits.run(paper.most_clean_cells)
        shares = {n: paper.share_in_crowns(n) for n in (100, 1_000, 10_000, 100_000, 1_000_000)}
        crossings = limits.run(paper.crossings_per_triplet)
    holds = all(count.turns >= count.least for count in crowns) and clean == MAX_CLEAN_CELLS and crossings == 3
    if as_json:
        keys = {
            "crowns": [{**vars(count), "at_least": count.least} for count in crowns],
            "most_clean": clean,
            "shares": {str(n): round(float(share), 6) for n, share in shares.items()},
            "crossings": int(crossings),
        }
        print_json({"kind": "taming-lemmas", "board": graph.name, "complete": holds, **keys})
    else:
        total, least = sum(count.turns for count in crowns), sum(count.least for count in crowns)
        rows = [
            ("Lemma 5", f"{graph.name}, formation: {len(crowns)} crowns, {total} turns inside, at least {least}"),
            ("Lemma 6", f"a crown has at most {clean} clean cells (the paper shows 122)"),
            *(
                ("Lemma 7", f"n = {n:,}: {float(s):.3f} of a side in crowns, {breaks_in_box(n, n) / n:.3f}n turns")
                for n, s in shares.items()
            ),
            ("Theorem 9", f"the best cycle of triplets has {crossings} crossings to a triplet"),
        ]
        print_rows(rows)
    return 0 if holds else 1


@command.command("closing")
@click.argument("board", default="8x8")
@leaper_option
@click.option("--tours", type=int, default=1000, show_default=True, metavar="N", help="Number of open tours to close.")
@click.option(
    "--turns", type=int, default=0, metavar="N", help="Turns allowed per tour (default: 1000, plus one per cell)."
)
@limit_options(seed="table")
@json_option
def closing_of(
    board: str, leaper: str | None, tours: int, turns: int, limit_values: LimitOptions, as_json: bool
) -> int:
    """Close open tours of BOARD (default 8x8) by turning their ends, as Euler did, and count the turns.

    The open tours are walks by Warnsdorff's rule from random cells, ties at random. Every rule gets the same ones:

    \b
    wander      what `kt find --method euler` does: nearer if possible, otherwise the end that was left longest ago
    nearer      the note's rule: only turns that bring the last cell nearer to the first, as near as possible
    least       as near as possible, even if not nearer than before

    \b
    kt experiment closing                          the paper's board, 1000 tours
    kt experiment closing 6x6 --tours 200
    kt experiment closing aztec:5 --time-limit 10
    """
    from heuristics.papers.euler.closing import close_open_tours

    with limits_of(limit_values, as_json=as_json) as limits, live_progress() as on_progress:
        graph = limits.run(lambda: _free(graph_argument(board, leaper)))
        experiment = close_open_tours(graph, tours=tours, turns=turns, limits=limits, on_progress=on_progress)
    if as_json:
        print_json({"kind": "closing", "seed": limit_values.seed, **experiment.to_json()})
    else:
        _print_closings(experiment)
    return _status(experiment.complete, f"{experiment.tours} of {tours} open tours closed")


def _variants() -> Iterable[tuple[str, str]]:
    from heuristics.papers.aztec.variants import VARIANTS

    return ((name, variant.text) for name, variant in VARIANTS.items())


@dataclass(frozen=True)
class GraphOptions:
    """Which random graphs, how many, and where to keep the state."""

    tables: tuple[str, ...] = ()
    rows: str | None = None
    vertices: int | None = None
    graphs: int = 1000
    pairs: bool = True
    variant: str = "text"
    state: str | None = None
    figure: str | None = None


@command.command("random-graphs")
@grouped(
    "options",
    GraphOptions,
    click.option(
        "--table",
        "tables",
        multiple=True,
        metavar="NAME",
        help="1 or degree, 2 or size, 3 or regular, spread (repeatable; default: all).",
    ),
    click.option(
        "--rows", metavar="A,B,..", help="Rows of one --table: values of its first column (default: the paper's)."
    ),
    click.option("--vertices", type=int, metavar="N", help="Vertices per graph (default: 1000; not in table 2)."),
    click.option("--graphs", type=int, default=1000, show_default=True, metavar="N", help="Connected graphs per row."),
    click.option("--pairs/--no-pairs", default=True, help="Allow pieces of two vertices when a path is cut."),
    click.option(
        "--variant",
        default="text",
        show_default=True,
        metavar="NAME",
        help="Interpretation of the rule; see --variants.",
    ),
    listing_option("--variants", 'List the readings of the paper\'s "slight modifications" of the rule.', _variants),
    click.option("--state", metavar="FILE", help="Keep the progress in FILE (.json), and continue from it."),
    click.option("--plot", "figure", metavar="FILE", help="Plot the rates to FILE (.svg .png)."),
)
@limit_options(workers="Processes", seed="table")
@json_option
@writes("figure", going_on=("state",))
def random_graphs(options: GraphOptions, limit_values: LimitOptions, as_json: bool) -> int:
    """Run path-conversion on random graphs, from every vertex of each.

    \b
    2+, path, cycle        graphs without a vertex of degree 1 (no other has a cycle), with a path found, with a cycle
    paths/starts           walks by Warnsdorff's rule that reach every vertex
    cycles/paths           the paper's conversion rate: how many of these paths became cycles
    cycle/path found       the paper's success rate: graphs with a cycle, divided by graphs with a path
    p                      Fisher's exact test of this rate against the paper's

    Intervals are at 95%: Wilson's for graphs; for paths, those of one graph hang together, the graph is the unit.
    Rows of table spread, all of average degree 10: half the vertices k more and half k less (0 1 2 3), a fifth of
    degree 4 (low) or 16 (high), G(n, p) (p).

    \b
    kt experiment random-graphs --table 3 --workers 2
    kt experiment random-graphs --table 2 --graphs 100
    kt experiment random-graphs --table size --rows 50,1200 --graphs 20
    kt experiment random-graphs --state runs.json --plot rates.svg
    kt experiment random-graphs --table 3 --graphs 20 --variant few-forced
    """
    from heuristics.papers.aztec.random_graphs import run
    from heuristics.papers.aztec.tables import TABLES, VERTICES, table_named

    chosen = list(dict.fromkeys(table_named(name).name for name in options.tables)) or list(TABLES)
    if options.rows is not None and len(chosen) != 1:
        raise KTError("--rows: name the one --table that has these rows")
    if options.vertices is not None and chosen == ["size"]:
        raise KTError("--vertices: the rows of table 2 are numbers of vertices: use --rows")
    keys = list(dict.fromkeys(key.strip() for key in options.rows.split(","))) if options.rows is not None else None
    size = VERTICES if options.vertices is None else options.vertices
    wanted = [TABLES[name].row(key, size) for name in chosen for key in keys or TABLES[name].default]
    kind = output_suffix(options.figure, (".svg", ".png"))[1:]
    if options.state:
        allowed_suffix(options.state, (".json",))
    with limits_of(limit_values) as limits, live_progress() as on_progress:
        from encoders.work.pool import local_pool

        with local_pool(limits.workers or usable_cores()) as pool:
            done = run(
                wanted,
                graphs=options.graphs,
                pairs=options.pairs,
                variant=options.variant,
                state=options.state,
                limits=limits,
                pool=pool,
                on_progress=on_progress,
            )
    if as_json:
        data = {"kind": "random-graphs", "seed": limit_values.seed, "pairs": options.pairs, "variant": options.variant}
        print_json(data | {"rows": [m.to_json() for m in done]})
    else:
        for name in chosen:
            _print_table(name, [m for m in done if m.row.table == name])
    if options.figure and not leaves_alone(options.figure, says_nothing=not any(m.graphs for m in done)):
        from heuristics.papers.aztec.plot import plot

        write_atomic(options.figure, plot(done, kind))
    complete = sum(m.complete for m in done)
    return _status(complete == len(done), f"{complete} of {len(done)} rows complete")


def _status(complete: bool, words: str) -> int:
    if not complete:
        complain(f"stopped: {words}")
    return 0 if complete else UNANSWERED


def _print_census(result: Census) -> None:
    data = result.to_json()
    paper = data["paper"]
    head = f"{result.graph.name}, leaper {result.graph.leaper}, {data['symmetries']} symmetries"
    click.echo(f"{'board':<24} {head}")
    lines: list[tuple[str, str, str]] = []
    for code, count in result.cells.items():
        name = f"{code} exterior face{'s' * (code != 1)}"
        lines.append((name, f"{count} cells", f"{paper['cells'][code]}" if paper else ""))
    failed = f"{result.failed} of {result.runs} runs, {result.failing.text}"
    lines.append(("walks to a tour", f"{result.walks / result.tours:.1f}" if result.tours else "-", ""))
    lines.append((f"no tour in {result.tries} walks", failed, f"{paper['failed_percent']}%" if paper else ""))
    lines.append(("tours", str(result.tours), str(paper["tours"]) if paper else ""))
    for name, kind in (("open", result.open), ("closed", result.closed)):
        theirs = paper[name] if paper else None
        lines.append((f"{name} tours", str(kind.tours), str(theirs["tours"]) if theirs else ""))
        lines.append(("  types", str(len(kind.types)), str(theirs["types"]) if theirs else ""))
        if theirs:
            counted = f"{kind.paper_tours} tours, {len(kind.paper_types)} types"
            lines.append(("  with its slip", counted, f"{theirs['tours']} tours, {theirs['types']} types"))
        lines.append(("  distinct tours", str(len(kind.distinct)), ""))
        lines.append(("  inequivalent", str(len(kind.inequivalent)), ""))
        lines.append(("  symmetric", str(kind.symmetric), ""))
    lines.append(("closed share", result.closed_share.text, ""))
    if paper:
        click.echo(f"{'':<24} {'here':<36} paper")
    for name, measured, published in lines:
        click.echo(f"{name:<24} {measured:<36} {published}".rstrip())


def _print_closings(experiment: Experiment) -> None:
    from heuristics.papers.euler.closing import MANY_TURNS

    click.echo(f"{'board':<32} {experiment.graph.name}")
    click.echo(
        f"{'walks that visit every cell':<32} {experiment.full} of {experiment.walks}, {experiment.full_share.text}"
    )
    click.echo(f"{'  and happen to close':<32} {experiment.closed}, {experiment.closed_share.text}")
    click.echo(f"{'open tours':<32} {experiment.tours}, at most {experiment.most} turns each")
    head = ["rule", "closed", "stuck", "given up", "mean", "median", "9 of 10", "most", f"over {MANY_TURNS}"]
    body = []
    for rule, closings in experiment.rules.items():
        quantiles = ("-" if value is None else str(value) for value in map(closings.quantile, (0.5, 0.9, 1.0)))
        mean = "-" if closings.mean is None else f"{closings.mean:.1f}"
        counts = map(str, (closings.closed, closings.stuck, closings.given_up))
        body.append([rule, *counts, mean, *quantiles, str(closings.many)])
    print_table([head, *body], left=(0,))


def _print_table(name: str, rows: list[Measurement]) -> None:
    from heuristics.papers.aztec.tables import TABLES

    table = TABLES[name]
    paper = any(m.row.printed for m in rows)
    head = [table.variable, "graphs", "2+", "path", "cycle", "paths/starts", "cycles/paths (95%)", "paper"]
    head += ["cycle/path found (95%)", "paper", "p"]
    body = [_cells(m) for m in rows]
    if not paper:
        # Without figures of a paper, drop the columns that compare with it.
        head, *body = [[line[i] for i in (0, 1, 2, 3, 4, 5, 6, 8)] for line in [head, *body]]
    sizes = {m.row.family.n for m in rows}
    click.echo(table.title + (f", {max(sizes)} vertices" if name != "size" else ""))
    print_table([head, *body], left=range(len(head)))
    for m in rows:
        printed = m.row.printed
        for wrong in printed.misprints if printed else ():
            assert printed is not None
            click.echo(f"* row {m.row.key}: the paper prints {getattr(printed, wrong):.2f}%, which its fraction is not")
    click.echo()


def _cells(m: Measurement) -> list[str]:
    printed = m.row.printed
    walked = m.path_rate.value
    line = [m.row.key, *map(str, (m.graphs, m.leafless, m.with_path, m.with_cycle))]
    line += ["-" if math.isnan(walked) else f"{100 * walked:.3f}%", m.conversion.text]
    line += [
        f"{100 * printed.cycles / printed.paths:.2f}%{'*' * ('conversion' in printed.misprints)}" if printed else ""
    ]
    line += [m.success.text, f"{100 * printed.graphs_with_cycle / printed.graphs_with_path:.2f}%" if printed else ""]
    p: Any = m.agreement
    return [*line, "" if p is None or math.isnan(p) else f"{p:.2g}"]
