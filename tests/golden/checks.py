"""What `kt check` says of every file that is delivered, and of the samples."""

from __future__ import annotations

from click.testing import CliRunner

from cli.main import main
from tests.golden.normalise import ROOT, text
from tests.golden.transcript import HERE, in_folder

DELIVERED = {
    "results": ("heuristics/delivered/results/**/*.json",),
    "records": ("heuristics/delivered/records/*.json",),
    "runs": ("docs/runs/*",),
    "gadgets": ("heuristics/gadgets/*.json",),
    "samples": ("tests/golden/samples/*",),
}
"""Which files there are, by the name of the recording."""


def quick(name: str, _: str = "") -> str:
    """The verdicts on all files of a kind, but for those that the slow recording names."""
    long = set(_named((HERE / "checks" / f"slow-check-{name}.txt").read_text()))
    paths = {str(path.relative_to(ROOT)) for pattern in DELIVERED[name] for path in ROOT.glob(pattern)}
    return _verdicts(sorted(paths - long))


def slow(recorded: str) -> str:
    """The verdicts on the files that the recording names, as long as they are there.

    A line with `?` in the place of a status is left as it is: its check takes hours, or nobody has waited for it yet.
    What is known of it follows the `?`, such as the time after which it was given up.
    """
    left = {line.split()[0]: line for line in recorded.splitlines() if line.split()[1:2] == ["?"]}
    made = _verdicts([path for path in _named(recorded) if (ROOT / path).exists() and path not in left])
    return "\n".join([*(left[path] for path in sorted(left)), made])


def _named(recorded: str) -> list[str]:
    return [line.split()[0] for line in recorded.splitlines() if line and not line.startswith(" ")]


def _verdicts(paths: list[str]) -> str:
    """Two lines for each file: the exit status, and the message."""
    blocks = []
    with in_folder():
        for path in paths:
            name = path.removeprefix("tests/golden/")  # Samples are beside the inputs
            answer = CliRunner().invoke(main, ["check", name], prog_name="kt")
            words = text(answer.output, tours=True).replace(f"{name}: ", "").splitlines()
            # How long a check takes is measured anew with each release, and depends on the load.
            words = [line for line in words if not line.startswith(("the check takes about ", "the check goes on "))]
            blocks.append("\n".join([f"{path} {answer.exit_code}", *(f"  {line}" for line in words)]))
    return "\n".join(blocks) + "\n" if blocks else ""
