"""Signals at random moments of every long command, through the real process.

After SIGINT, SIGTERM, SIGHUP or SIGXCPU a command ends within `PATIENCE` seconds, exit status 0 or 3, with nothing but
lines on stderr, and with `--json` one whole object on stdout (or none, where the signal came before the program had
started); what that holds is in the file of `-o` too. After SIGKILL nothing it wrote is half written. Whatever came,
no process is left.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path
from random import Random

from tests.chaos.program import Ending, program, whole_files

PATIENCE = 15.0
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGKILL]
LATEST = 6.0
"""Seconds after which the signal has come."""
LONG = [
    ["solve", "10x10", "--minimize", "crossings", "--json", "-o", "out.json"],
    ["solve", "12x12", "--minimize", "turns", "--no-best", "--json", "-o", "out.json"],
    ["solve", "8x8", "--minimize", "turns", "--no-best", "--json", "--proof", "proof"],
    ["solve", "14x14", "--symmetry", "rot90", "--json", "--engine", "sat"],
    ["find", "300x300", "--json", "-o", "out.json"],
    ["find", "60x60", "--method", "path-conversion", "--json"],
    ["improve", "tour.json", "--minimize", "turns", "--json", "-o", "out.json"],
    ["bound", "40x40", "--minimize", "turns", "--method", "relaxation", "--json", "--certificate", "out.json"],
    ["bound", "12x12", "--minimize", "turns", "--at-least", "77", "--json"],
    ["bound", "8x8", "--at-least", "45", "--method", "branching", "--json", "--state", "state.json"],
    ["enumerate", "6x8", "--json", "-o", "out.jsonl"],
    ["enumerate", "8x8", "--minimize", "turns", "--run", "run", "--json"],
    ["enumerate", "7x8", "--count", "--json"],
    ["search", "heel", "--minimize", "turns", "--at-most", "24", "--all", "--json"],
    ["search", "heel", "--minimize", "turns", "--at-most", "24", "--all", "--json", "--run", "run"],
    ["search", "strip", "--minimize", "crossings", "--json"],
    ["aztec", "1..12", "--json", "--ledger", "out.json"],
    ["longest", "9x9", "--open", "--uncrossed", "--json", "-o", "out.json"],
    ["magic", "8x8", "--open", "--json", "-o", "out.json"],
    ["puzzle", "8x8", "--open", "--leaper", "king", "--count", "200", "--json", "-o", "out.json"],
    ["compare", "8x8..12x12", "--minimize", "turns", "--workers", "1", "--json"],
    ["experiment", "tour-types", "6x6", "--tours", "1000", "--json"],
    ["pareto", "7x8", "--workers", "1", "--json", "-o", "out.json"],
    ["pareto", "6x7", "--workers", "1", "--json", "--run", "run"],
    ["table", "8x8..10x10", "--workers", "1", "--json", "--run", "run"],
]
"""One command line or more for each command that may take long."""


def prepare(line: list[str], folder: Path) -> None:
    """Write the files that a command line reads."""
    if "tour.json" in line:
        from kt import find

        find("20x20", method="warnsdorff").save(folder / "tour.json")


def sent_to(
    line: list[str],
    number: signal.Signals,
    delay: float,
    folder: Path,
    *,
    at: str = "",
    everyone: bool = False,
    patience: float = PATIENCE,
) -> str:
    """Start a command in an empty folder, send it a signal, and judge how it ended.

    Parameters
    ----------
    delay
        Seconds from the start to the signal.
    at
        A function, `module:name`: the signal is sent as soon as it is called, whatever the delay.
    everyone
        Whether its workers get the signal too, as from a terminal.
    patience
        Seconds in which it has to end.

    Returns
    -------
    str
        `finished` before the signal, `stopped` with an answer, `unstarted` or `killed`.

    Raises
    ------
    AssertionError
        If it did not end as it should.
    """
    folder.mkdir()
    prepare(line, folder)
    with program(line, folder, at=at) as made:
        sent = made.pause(0 if at else delay)
        if sent:
            made.send(number, everyone)
        ending = made.wait(patience)
    return judged(ending, number if sent else None, folder, f"{delay:.2f} s, {number.name}{', everyone' * everyone}")


def judged(ending: Ending, number: signal.Signals | None, folder: Path, reason: str) -> str:
    """Judge how a command ended that was sent a signal; None if it had ended before."""
    unstarted = "Traceback" in ending.err and ", in run\n" not in ending.err  # `run` had not been called yet
    if number is not None and unstarted:
        return "unstarted"
    whole_files(folder)
    if number == signal.SIGKILL:
        return "killed"
    if number is not None and ending.status == -number:
        # Before the program has started and after it has answered, the signal does what it does to any process
        return "unstarted"
    ending.require(ending.status in (0, 3), reason)
    ending.foreseen(0, 3)
    if ending.out:
        document = ending.document
        if isinstance(document, dict) and document.get("tour") and "-o" in ending.words:
            ending.require((folder / "out.json").exists(), f"{reason}: an answer, and no file")
            kept = json.loads((folder / "out.json").read_text())
            ending.require(kept.get("tour") == document["tour"], f"{reason}: another tour in the file")
    return "finished" if number is None else "stopped" if ending.out else "unstarted"


def trial(choose: Random, work: Path) -> str:
    """A random command, signal and moment."""
    return sent_to(
        choose.choice(LONG),
        choose.choice(SIGNALS),
        choose.uniform(0, LATEST),
        work / "work",
        everyone=choose.random() < 0.3,
    )
