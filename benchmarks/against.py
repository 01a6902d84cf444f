"""This checkout beside an older kt: time and memory of thirty commands, pair by pair.

    python benchmarks/against.py kt-0.1.0-py3-none-any.whl
    python benchmarks/against.py v0.1.0 --only 'enumerate' --runs 5 -o against.json

The older kt is a wheel, or a revision of git from which a wheel is built. A wheel is built of the checkout too, as it
stands. Each is installed without its dependencies into an environment of its own, which sees the packages of this one,
so nothing is downloaded and both start alike. The environments stay in a cache folder, with what numba compiles.

Each command runs once on both sides, which compiles what numba compiles and shows whether both answer alike. Then it
runs by turns, old, new, old, new. A figure is the median of a side, a ratio the median of the ratios of the pairs: a
disturbance of the machine that lasts longer than a pair leaves the ratio alone. Memory is that of the largest process.
A ratio below 1 says that the checkout takes less. Ctrl-C ends it; what was measured by then is told.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import file_digest, sha256
from pathlib import Path
from statistics import median
from threading import Timer
from types import FrameType
from typing import Any, Literal, NoReturn

# Nothing large is imported or read here: a child's peak of memory begins with that of its parent.

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "heuristics" / "delivered" / "results"
MAX_SECONDS = 120.0
"""Longest run of one command."""
ONE = "--workers 1 --seed 1 --json"
IMPORT = "import kt"
COMMANDS = (
    IMPORT,
    "kt --help",
    f"kt solve 8x8 --minimize turns --no-best {ONE}",
    f"kt solve 6x6 --minimize crossings --no-best {ONE}",
    "kt solve 12x12 --minimize turns --json",
    f"kt solve 20x20 {ONE}",
    f"kt solve 6x6 --open --minimize turns --no-best {ONE}",
    f"kt solve 10x10 --symmetry rot90 {ONE}",
    f"kt solve 6x6 --engine sat --minimize turns --no-best {ONE}",
    f"kt solve prisms.hcp {ONE}",
    "kt solve petersen.hcp --json",
    "kt solve 4x6 --json",
    "kt find 500x500 --seed 1 --json",
    "kt find 60x60 --method warnsdorff --seed 1 --json",
    "kt find aztec:12 --method path-conversion --seed 1 --json",
    "kt find 200x200 --method formation --json",
    "kt bound 100x100 --metric turns --json",
    "kt bound 40x40 --metric crossings --json",
    "kt bound 8x8 --metric turns --method relaxation --json",
    "kt bound 6x8 --metric turns --at-least 39 --workers 1 --json",
    "kt check RESULTS/turns-8x8.json RESULTS/turns-10x10.json RESULTS/turns-12x12.json --json",
    "kt check RESULTS/crossings-6x8.json --json",
    "kt enumerate 6x7 --count --json",
    "kt enumerate 6x6 --count --by turns --json",
    "kt enumerate 5x6 --up-to-symmetry --workers 1 --json",
    "kt longest 5x6 --uncrossed --json",
    "kt magic 5x5 --open --workers 1 --seed 1 --json",
    "kt measure RESULTS/turns-28x28.json --json",
    "kt convert 8x8 turns.opb --minimize turns",
    "kt draw RESULTS/turns-28x28.json -o tour.svg",
)
"""Each ends by itself after a few seconds at most; a time limit would be all that is measured."""
ANSWERS = ("status", "value", "bound", "count", "by_value", "files")
"""What both have to say alike; a tour may be another one as good."""
BAD_USAGE = 2

Status = Literal["same", "differs", "new", "gone", "too long"]
Side = Literal["old", "new"]


@dataclass(frozen=True)
class Run:
    """What one run of a command took: seconds by the clock and of processors, and the peak of memory in MiB."""

    wall: float
    cpu: float
    memory: float


@dataclass(frozen=True)
class Outcome:
    """How a run ended: its exit status (None: it took too long) and what it answered."""

    code: int | None
    answer: dict[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """Text of the run for a message."""
        told = ", ".join(f"{key} {value}" for key, value in self.answer.items())
        return f"exit {self.code}{f', {told}' if told else ''}" if self.code is not None else "too long"


@dataclass(frozen=True)
class Row:
    """A command: whether both answered alike, in words where not, and the runs of both, pair by pair."""

    command: str
    status: Status
    words: str = ""
    old: tuple[Run, ...] = ()
    new: tuple[Run, ...] = ()

    def medians(self, quantity: str) -> tuple[float, float]:
        """Medians of the old and of the new runs."""
        old, new = ([getattr(run, quantity) for run in runs] for runs in (self.old, self.new))
        return median(old), median(new)

    def ratio(self, quantity: str) -> float:
        """The median over the pairs of new by old."""
        return median(
            getattr(new, quantity) / getattr(old, quantity) for old, new in zip(self.old, self.new, strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """Medians, ratios and every run."""
        data = asdict(self)
        for quantity in ("wall", "cpu", "memory") if self.old else ():
            old, new = self.medians(quantity)
            data[quantity] = {"old": round(old, 4), "new": round(new, 4), "ratio": round(self.ratio(quantity), 4)}
        return data


def judge(command: str, old: Outcome, new: Outcome) -> Row:
    """What the first runs say of a command."""
    if old.code is None or new.code is None:
        return Row(command, "too long", f"old: {old.words}; new: {new.words}")
    if BAD_USAGE in (old.code, new.code) and old.code != new.code:
        return Row(command, "new" if old.code == BAD_USAGE else "gone")
    return Row(command, "same") if old == new else Row(command, "differs", f"old: {old.words}; new: {new.words}")


def answer_of(text: str) -> dict[str, Any]:
    """What of a JSON object both sides have to say alike; nothing of other texts."""
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(data, dict):
        return {}
    answer = {key: data[key] for key in ANSWERS if key in data}
    if "files" in answer:
        answer["files"] = [verdict.get("verdict") for verdict in answer["files"]]
    return answer


def table(rows: Iterable[Row]) -> str:
    """The rows as Markdown, and the geometric means of the ratios."""
    lines = [
        "| command | wall old, s | new, s | ratio | CPU old, s | new, s | ratio | memory old, MiB | new, MiB | ratio |",
        f"| --- |{' ---: |' * 9}",
    ]
    ratios: list[list[float]] = []
    for row in rows:
        command = f"`{shlex.join(shlex.split(row.command.replace('RESULTS/', '')))}`"
        if not row.old:
            lines.append(f"| {command} | {row.status} |{' |' * 8}")
            continue
        cells = []
        for quantity in ("wall", "cpu", "memory"):
            old, new = row.medians(quantity)
            digits = 0 if quantity == "memory" else 2
            cells += [f"{old:.{digits}f}", f"{new:.{digits}f}", f"{row.ratio(quantity):.2f}"]
        mark = " (differs)" if row.status == "differs" else ""
        lines.append(f"| {command}{mark} | {' | '.join(cells)} |")
        ratios.append([row.ratio(quantity) for quantity in ("wall", "cpu", "memory")])
    if ratios:
        means = [geometric_mean(column) for column in zip(*ratios, strict=True)]
        lines.append("| geometric mean | | | " + " | | | ".join(f"**{mean:.2f}**" for mean in means) + " |")
    return "\n".join(lines)


def geometric_mean(ratios: Iterable[float]) -> float:
    """Geometric mean of positive numbers."""
    numbers = list(ratios)
    product = 1.0
    for number in numbers:
        product *= number ** (1 / len(numbers))
    return product


# -- the two sides ---------------------------------------------------------------------------------------------------


def refuse(words: str) -> NoReturn:
    """End with a line that says what is wrong."""
    print(f"against: {words}", file=sys.stderr)
    sys.exit(BAD_USAGE)


def wheel_of(old: str, folder: Path) -> Path:
    """The wheel that is meant: a file, or built from a revision of git into a folder."""
    path = Path(old)
    if path.suffix == ".whl":
        if not path.is_file():
            refuse(f"{old}: there is no such wheel")
        return path
    tar = folder / "source.tar"  # Not in memory: see the imports
    git = ["git", "archive", "--format=tar", f"--output={tar}", "--end-of-options", old]
    archive = subprocess.run(git, cwd=ROOT, capture_output=True, text=True)
    if archive.returncode:
        refuse(f"{old}: neither a wheel nor a revision: {archive.stderr.strip()}")
    with tarfile.open(tar) as members:
        members.extractall(folder / "source", filter="data")
    return build_wheel(folder / "source", folder / "old")


def build_wheel(source: Path, folder: Path) -> Path:
    """A wheel of a source tree, in a new folder."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(source)]
    built = subprocess.run(build, capture_output=True, text=True)
    if built.returncode:
        refuse(f"no wheel could be built: {(built.stdout + built.stderr).strip()[-500:]}")
    (wheel,) = folder.glob("*.whl")
    return wheel


def cache_folder() -> Path:
    """Where environments are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kt-against"


def environment_of(wheel: Path, folder: Path) -> Path:
    """Install a wheel in a folder, beside the packages of this environment, unless it is there already."""
    packages = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    contents = name_of(digest_of(wheel), sys.executable, *packages)
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != contents:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--clear", str(folder)], check=True)
        (site,) = folder.glob("lib/python*/site-packages")
        # The lines of a .pth file come behind the environment's own packages on the path, and no .pth file in the
        # folders that they name is read: an editable install of the checkout stays unseen
        (site / "packages-beside.pth").write_text("".join(f"{path}\n" for path in packages))
        python = str(folder / "bin" / "python")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
        done = subprocess.run([*pip, str(wheel)], capture_output=True, text=True)
        if done.returncode:
            refuse(f"{wheel}: it could not be installed: {done.stderr.strip()[-500:]}")
        ready.write_text(contents)
    return folder


def sides_of(old: str, folder: Path) -> dict[Side, Path]:
    """The environments of an older kt, a wheel or a revision, and of the checkout; what is built goes into a folder.

    Another environment of Python has others: it would make these anew for its packages, perhaps while they are in use.
    """
    wheel = wheel_of(old, folder)
    return {
        "old": environment_of(wheel, cache_folder() / f"old-{name_of(digest_of(wheel), sys.prefix)}"),
        "new": environment_of(build_wheel(ROOT, folder / "new"), cache_folder() / f"new-{name_of(str(ROOT))}"),
    }


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def name_of(*parts: str) -> str:
    """A short name for some texts."""
    return sha256(repr(parts).encode()).hexdigest()[:16]


def run_once(environment: Path, command: str, inputs: Path) -> tuple[Run, Outcome]:
    """Run a command with the programs of an environment, in a folder of its own."""
    programs = environment / "bin"
    words = shlex.split(command.replace("RESULTS/", f"{RESULTS}/"))
    program = [str(programs / "python"), "-c", command] if command == IMPORT else [str(programs / words[0]), *words[1:]]
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env["NUMBA_CACHE_DIR"] = str(environment / "numba")
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile() as out:
        for path in inputs.iterdir():
            (Path(name) / path.name).symlink_to(path)
        began = time.perf_counter()
        child = subprocess.Popen(
            program, cwd=name, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        late = Timer(MAX_SECONDS, lambda: os.killpg(child.pid, signal.SIGKILL))
        late.daemon = True
        late.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise
        finally:
            late.cancel()
        wall = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        answer = answer_of(out.read().decode(errors="replace"))
    memory = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    code = None if wall >= MAX_SECONDS else child.returncode
    return Run(wall, usage.ru_utime + usage.ru_stime, memory), Outcome(code, answer)


def write_inputs(folder: Path) -> None:
    """The graphs that commands read: a ladder with rungs of prisms, and the Petersen graph, which has no cycle."""
    prisms = []
    for k in range(40):
        a, b = range(6 * k, 6 * k + 3), range(6 * k + 3, 6 * k + 6)
        prisms += [(s[i], s[(i + 1) % 3]) for s in (a, b) for i in range(3)]
        prisms += list(zip(a, b, strict=True)) + [(b[i], 6 * ((k + 1) % 40) + i) for i in range(3)]
    petersen = [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)]
    petersen += [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
    for name, edges in (("prisms", prisms), ("petersen", petersen)):
        head = f"NAME: {name}\nTYPE: HCP\nDIMENSION: {1 + max(map(max, edges))}\nEDGE_DATA_FORMAT: EDGE_LIST\n"
        body = "".join(f"{u + 1} {v + 1}\n" for u, v in edges)
        (folder / f"{name}.hcp").write_text(f"{head}EDGE_DATA_SECTION\n{body}-1\nEOF\n")


def compare(runs: int, command: str, once: Callable[[Side, str], tuple[Run, Outcome]]) -> Iterator[Row]:
    """The row of a command, after the first runs and again after each pair."""
    row = judge(command, once("old", command)[1], once("new", command)[1])
    yield row
    for _ in range(runs if row.status in ("same", "differs") else 0):
        old, new = once("old", command)[0], once("new", command)[0]
        row = replace(row, old=(*row.old, old), new=(*row.new, new))
        yield row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], allow_abbrev=False)
    parser.add_argument("old", metavar="OLD", help="a wheel, or a revision of git")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="pairs of runs of each command (default 3)")
    parser.add_argument("--only", default="", metavar="PATTERN", help="commands in which this regular expression is")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write the figures to FILE, as JSON")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error(f"--runs: at least 1, not {options.runs}")
    try:
        commands = [command for command in COMMANDS if re.search(options.only, command)]
    except re.error as error:
        parser.error(f"--only: {options.only!r} is not a regular expression: {error}")
    if not commands:
        parser.error(f"--only: no command has {options.only!r} in it")

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    rows: list[Row] = []
    stopped = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = folder / "inputs"
        inputs.mkdir()
        write_inputs(inputs)
        try:
            sides = sides_of(options.old, folder)
            for command in commands:
                rows.append(Row(command, "same"))
                for row in compare(options.runs, command, lambda side, line: run_once(sides[side], line, inputs)):
                    rows[-1] = row
                ratios = f"wall {row.ratio('wall'):.2f}, CPU {row.ratio('cpu'):.2f}" if row.old else row.status
                print(f"{len(rows)}/{len(commands)} {command}: {ratios}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            stopped = True
            if rows and not rows[-1].old:
                rows.pop()
    print(table(rows))
    for row in rows:
        if row.words:
            print(f"\n{row.command}: {row.status}: {row.words}")
    if stopped:
        print(f"\nstopped: {len(rows)} of {len(commands)} commands were measured")
    if options.output:
        data = {"old": options.old, "runs": options.runs, "complete": not stopped, "rows": [r.to_json() for r in rows]}
        Path(options.output).write_text(json.dumps(data, indent=1) + "\n")
    return 3 if stopped else 1 if any(row.status in ("differs", "gone", "too long") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
