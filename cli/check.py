"""`kt check`: believe nothing that is not checked."""

from __future__ import annotations

import os

import click

from cli.complain import complain
from cli.live import live_words
from cli.options import graph_argument, json_option, leaper_option, print_json
from kt_models import CertificateError, InvalidTour, KTError, MoveGraph
from kt_models.check_files import check_directory, check_file
from kt_models.format import FORMAT_VERSION


@click.command("check")
@click.argument("files", nargs=-1, required=True)
@click.option("--board", help="The board of a .tour file that does not say it itself.")
@leaper_option
@click.option("--pure", is_flag=True, help="Replay proofs with dratify's pure Python checker, which is slower.")
@json_option
def command(files: tuple[str, ...], board: str | None, leaper: str, pure: bool, as_json: bool) -> int:
    """Verify tours, results, certificates and proof folders; exit status 1 if one is wrong.

    \b
    kt check tour.json certificate.json
    kt check tour.tour --board 8x8
    kt check proof-folder
    """
    graph = graph_argument(board, leaper) if board else None
    rows = []
    for path in files:
        verdict, message = _verdict(path, graph, pure)
        rows.append({"file": path, "ok": verdict == "ok", "verdict": verdict, "message": message})
        if verdict == "unreadable":
            complain(f"{path}: {message}")
        elif not as_json:
            click.echo(f"{path}: {verdict}: {message}")
    if as_json:
        print_json({"version": FORMAT_VERSION, "files": rows})
    verdicts = {row["verdict"] for row in rows}
    return 1 if "WRONG" in verdicts else 2 if "unreadable" in verdicts else 0


def _verdict(path: str, graph: MoveGraph | None, pure: bool) -> tuple[str, str]:
    """`ok`, `WRONG`, `not checked` (it claims nothing that can be) or `unreadable`, and what there is to say."""
    try:
        if os.path.isdir(path):
            with live_words() as say:
                checked = check_directory(path, pure=pure, on_progress=say)
        else:
            from heuristics.check_families import CHECKS

            checked = check_file(path, graph, CHECKS)
    except (InvalidTour, CertificateError) as error:
        return "WRONG", str(error).removeprefix(f"{path}: ")
    except KTError as error:
        return "unreadable", str(error).removeprefix(f"{path}: ")
    return "not checked" if checked.nothing else "ok", checked.message
