"""The `kt` command and how it fails: one line on stderr and exit status 2, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from cli import stopping
from cli.command import COMPLETION
from cli.error_messages import complain, faults_of_threads_in_one_line, warnings_in_one_line
from cli.help import NamingGroup
from cli.option_errors import usage_text
from cli.status import UNANSWERED, UNUSABLE
from cli.streams import LostOutput
from kt_models.errors import KTError, fault_of_system, naming_extras, out_of_threads, reason_of
from kt_models.limits import Stopped

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "solve": "Find a tour, an optimal tour, or a proof that none exists.",
    "find": "Find a tour by a named algorithm, without a solver.",
    "improve": "Improve a given tour by solving windows of it exactly.",
    "best": "Show the best known tours and bounds, and how to check them.",
    "compare": "Compare heuristics with bounds and proved optima, board by board.",
    "table": "Tabulate values and bounds of several boards and measures.",
    "pareto": "Find the exact Pareto front of two sums, such as turns and crossings.",
    "longest": "Find the longest walk, closed or open, with or without crossings.",
    "magic": "Find semi-magic tours: all rows, and all columns, have equal sums.",
    "puzzle": "Make puzzles with exactly one solution, to print or to play.",
    "bound": "Prove a lower bound on all tours, with a certificate.",
    "enumerate": "List or count all tours; long runs can be split, stopped and resumed.",
    "runs": "Show the progress and failures of a long run, or continue it.",
    "aztec": "Keep a ledger of open and closed tours of Aztec diamonds.",
    "search": "Search exhaustively for heels, junctions, corner blocks and side patterns.",
    "check": "Verify tours, results and certificates.",
    "measure": "Show turns, crossings, symmetries and canonical form of a tour.",
    "show": "Show a tour in the terminal: its measures, its numbers, and a picture.",
    "experiment": "Repeat the papers' experiments.",
    "draw": "Draw tours, results and boards: pictures, pages, animations.",
    "convert": "Convert tours and graphs between formats.",
    "explore": "Solve and watch in the browser, on a page only this machine can reach.",
    "doctor": "Test whether solvers, compiler and folders work here.",
    "completion": "Complete commands, options and values in bash, zsh or fish.",
}


class KTGroup(NamingGroup):
    """A group that loads a command's module only when it is called, and turns every expected fault into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"{__package__}.{name}").command
        gc.freeze()  # What is loaded stays, and is not looked at again.
        gc.enable()
        if COMPLETION in os.environ:
            from cli.completion import complete_values

            complete_values(command)
        stopping.interruptible()
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        # Completion imports no command for its help.
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):  # The table has the summaries, so that help imports nothing.
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            with naming_extras(), warnings_in_one_line(), faults_of_threads_in_one_line():
                status = super().main(*args, **kwargs)
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help(), err=True)
            sys.exit(2)
        except click.exceptions.Exit as error:
            sys.exit(error.exit_code)
        except SystemExit as error:  # click exits with 1 if the reader of a pipe has gone; 1 means `wrong` here.
            sys.exit(UNANSWERED if error.code == 1 else error.code)
        except click.ClickException as error:
            _fail(usage_text(error))
        except Stopped as error:
            complain(str(error))
            sys.exit(UNANSWERED)
        except KTError as error:
            _fail(str(error))
        except (click.Abort, KeyboardInterrupt):
            sys.exit(UNANSWERED)
        except MemoryError:
            _fail("not enough memory")
        except (BrokenPipeError, LostOutput) as error:
            _lost_output(error)
        except OSError as error:
            _fail(fault_of_system(error))
        except ImportError as error:
            _fail(f"{error.name or 'a module'} cannot be loaded: {error} (kt doctor says what works)")
        except Exception as error:
            if out_of_threads(error):
                _fail(out_of_threads(error))
            if os.environ.get("KT_DEBUG"):
                raise
            _fail(f"internal error, please report it: {type(error).__name__}: {error} (KT_DEBUG=1 shows where)")
        sys.exit(status if isinstance(status, int) else 0)


def _lost_output(error: OSError) -> None:
    """Standard output fails: prevent further writes to it at exit."""
    with contextlib.suppress(OSError, ValueError):  # click's test runner has no real file here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:  # The reader of the pipe went away, as `head` does.
        sys.exit(UNANSWERED)
    _fail(f"standard output: cannot write: {reason_of(error)}")


def _fail(message: str) -> None:
    complain(message)
    sys.exit(UNUSABLE)


def _version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from kt_models import __version__

        click.echo(f"kt {__version__}")
        ctx.exit()


@click.group(cls=KTGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Show the version.")
def main() -> None:
    """Knight's tours and Hamiltonian cycles with a geometric objective: find, optimise, prove.

    \b
    Find a tour, the best tour, and a picture of it
      kt solve 8x8 --minimize turns                the fewest turns, and a proof
      kt solve 5x5 --open --from a1                an open tour from a corner
      kt solve 10x10 --symmetry rot90 -o tour.json
      kt find 1000x1000 -o big.tour                a million cells, in seconds
      kt draw tour.json -o tour.svg

    \b
    Prove that no tour is better, or that none exists
      kt solve 4x6                                 none, with a reason that kt checks
      kt bound 100x100 --minimize turns --certificate c.json
      kt check tour.json c.json                    check what the files claim
      kt enumerate 6x6 --minimize turns            all tours with the fewest

    \b
    Boards   8x8  4x4x4  aztec:5  8x8-a1,h8  torus:8x8  cylinder:6x8  @mask.txt  graph.hcp
    Pieces   --leaper 1,2 (the knight)  --leaper 1,4  --leaper 1,2,3
    Exit     0  answered in full
             1  a claim is wrong
             2  bad usage, or a file that cannot be read or written
             3  stopped by a limit or a signal, with the best so far

    `kt COMMAND --help` lists the options of a command, with more examples. `kt doctor` tests what works on this
    machine.
    """
