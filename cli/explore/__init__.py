"""`kt explore`: a page in the browser to choose problems and watch solves, served to this machine only."""

from __future__ import annotations

import contextlib
import sys
import threading

import click

from cli.command import Command
from kt_models import KTError


@click.command("explore", cls=Command)
@click.option("--port", type=int, default=0, metavar="N", help="Port to listen on (default: a free one).")
@click.option("--folder", metavar="DIR", help="Let the page save results in DIR, under names of its own.")
@click.option(
    "--time-limit", type=float, default=600.0, show_default=True, metavar="S", help="Maximal time limit of a job."
)
@click.option(
    "--memory", type=float, default=4.0, show_default=True, metavar="GB", help="Memory for each process of a job."
)
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
def command(port: int, folder: str | None, time_limit: float, memory: float, no_browser: bool) -> int:
    """Choose a board, an objective and a method in the browser, and watch the search.

    Only this machine can reach the page, and only with the printed address. Ctrl-C ends it.

    \b
    kt explore
    kt explore --folder results --time-limit 3600
    """
    if not 0 <= port <= 65535:
        raise KTError(f"--port {port}: must be from 1 to 65535")
    import webbrowser

    from cli.explore.job import Allowance
    from cli.explore.save import Folder
    from cli.explore.server import Explorer, listen

    allowance = Allowance(time_limit, int(memory * 1e9) if memory < 1e9 else -1)
    place = Folder(folder) if folder is not None else None
    explorer = Explorer(listen(port), allowance, place)

    def ready() -> None:
        click.echo(f"kt explore: {explorer.url}")
        click.echo("Open it in a browser of this machine; Ctrl-C ends it.", err=True)
        if sys.stdout.isatty() and not no_browser:
            threading.Thread(target=webbrowser.open, args=(explorer.one_visit(),), daemon=True).start()

    with contextlib.suppress(KeyboardInterrupt):  # The usual end.
        explorer.work(ready)
    return 0
