"""`kt check`: believe nothing that is not checked."""

from __future__ import annotations

import os

import click

from cli.options import graph_argument, json_option, leaper_option, print_json
from kt_models import CertificateError, InvalidTour, KTError
from kt_models.check import check_file


@click.command("check")
@click.argument("files", nargs=-1, required=True)
@click.option("--board", help="The board of a .tour file that does not say it itself.")
@leaper_option
@json_option
def command(files: tuple[str, ...], board: str | None, leaper: str, as_json: bool) -> int:
    """Verify tours, results and certificates; exit status 1 if one is wrong.

    \b
    kt check tour.json certificate.json
    kt check tour.tour --board 8x8
    """
    graph = graph_argument(board, leaper) if board else None
    rows, unreadable, wrong = [], False, False
    for path in files:
        try:
            if os.path.isdir(path):
                raise KTError(f"{path}: it is a folder")
            message, fine = check_file(path, graph), True
        except (InvalidTour, CertificateError) as error:
            message, fine, wrong = str(error), False, True
        except KTError as error:
            click.echo(f"kt: {error}", err=True)
            unreadable = True
            continue
        rows.append({"file": path, "ok": fine, "message": message.removeprefix(f"{path}: ")})
    if as_json:
        print_json({"version": 1, "files": rows})
    else:
        for row in rows:
            click.echo(f"{row['file']}: {'ok' if row['ok'] else 'WRONG'}: {row['message']}")
    return 2 if unreadable else 1 if wrong else 0
