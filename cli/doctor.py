"""`kt doctor`: an inventory of this machine, with tests of what kt needs."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import click

from cli.command import Command
from cli.live import live_progress
from cli.options import json_option, print_json
from kt_models.errors import DISTRIBUTION, EXTRAS, SOLVE, KTError, install_command, reason_of
from kt_models.limits import Listener, Report
from kt_models.machine import usable_cores, usable_memory

Health = Literal["ok", "absent", "FAILED"]
MIN_MEMORY = 2e9
"""Bytes; with less the system is likely to kill models of boards such as 12x12."""
OPTIONAL = {
    "distributed": f"kt enumerate --scheduler: {install_command('cluster')}",
    "clingo": f"benchmarks beside other solvers: {install_command('peers')}",
    "elkai": f"benchmarks beside other solvers: {install_command('peers')}",
    "mkdocs": f"the documentation site: {install_command('docs')}",
    "IPython": "drawings in notebooks: pip install jupyterlab",
}
MODULES = {"python-sat": "pysat"}
"""Packages whose module has another name."""
_OLD = "tsplib95 and lkh ask for older ones, and need an environment of their own"
WHY = {
    "highspy": "OR-Tools has a HiGHS of its own inside, and not every other one can be loaded in the same process",
    "networkx": _OLD,
    "click": _OLD,
}
"""Reasons for the allowed versions of a package; findings/highspy-beside-ortools.sh tries some others."""
PROGRAMS = {"ffmpeg": "films of tours", "chromium": "pages in a browser, printed", "dask": "a cluster for kt enumerate"}


@dataclass(frozen=True)
class Finding:
    """One row; `absent` is no fault, as it is not needed."""

    group: str
    name: str
    status: Health
    words: str
    seconds: float = 0.0


@click.command("doctor", cls=Command)
@click.option("--quick", is_flag=True, help="Skip the solvers and the compiler, which take some seconds.")
@click.option("--warm", is_flag=True, help="Also compile all loops into the cache, which takes half a minute once.")
@json_option
def command(quick: bool, warm: bool, as_json: bool) -> int:
    """List what this machine has, and test what kt needs: solvers, compiler, folders, memory.

    \b
    kt doctor                  everything: each solver gets a small problem with a known answer
    kt doctor --quick          versions, cores, memory and folders only
    kt doctor --warm           also compile all loops, instead of when they are first needed
    kt doctor --json           for a bug report

    A row says ok, absent (nothing needs it) or FAILED.
    """
    findings: list[Finding] = []
    with live_progress() as on_progress:
        for finding in _findings(quick, warm, on_progress):
            findings.append(finding)
            on_progress(Report(words=finding.name))
    failed = [finding for finding in findings if finding.status == "FAILED"]
    if as_json:
        print_json({"ok": not failed, "findings": [asdict(finding) for finding in findings]})
    else:
        _print(findings)
        click.echo(
            f"\n{len(failed)} FAILED: {', '.join(f.name for f in failed)}" if failed else "\neverything needed works"
        )
    return 1 if failed else 0


def _print(findings: list[Finding]) -> None:
    group = ""
    for finding in findings:
        if finding.group != group:
            click.echo(("\n" if group else "") + finding.group)
            group = finding.group
        seconds = f" ({finding.seconds:.1f} s)" if finding.seconds >= 0.05 else ""
        click.echo(f"  {finding.name:<16} {finding.status:<6}  {finding.words}{seconds}")


def _findings(quick: bool, warm: bool, on_progress: Listener) -> Iterator[Finding]:
    yield from _machine()
    yield from _packages()
    yield from _folders()
    if not quick and find_spec("ortools") is None:
        yield Finding("solvers", "none", "absent", f"{install_command(SOLVE)}; checks and drawings need none")
    elif not quick:
        yield from _solvers()
        yield _compiled("numba", _compiler)
        yield _compiled("cache", _code_cache)
        yield _compiled("speed", _speed)
    if warm:
        yield _compiled("loops", lambda: _warmed(on_progress))
    yield from _optional()


def _machine() -> Iterator[Finding]:
    from kt_models import __version__

    yield Finding("machine", "kt", "ok", f"{__version__}, {Path(__file__).parent.parent}")
    words = f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}"
    yield Finding("machine", "python", "ok" if sys.version_info >= (3, 11) else "FAILED", words)
    yield Finding("machine", "system", "ok", f"{platform.system()} {platform.release()}, {platform.machine()}")
    usable = usable_cores()
    yield Finding("machine", "cores", "ok", f"{usable} of {os.cpu_count() or usable} may be used")
    memory = usable_memory()
    words = f"{memory / 1e9:.1f} GB may be used now"
    if memory < MIN_MEMORY:
        words += ", little: exact proofs will be short of it"
    yield Finding("machine", "memory", "ok", words)


def _packages() -> Iterator[Finding]:
    """Every package that kt requires, with the allowed versions."""
    try:
        requirements = requires(DISTRIBUTION) or []
    except PackageNotFoundError:  # kt was started from a checkout that is not installed.
        import tomllib

        project = Path(__file__).parent.parent / "pyproject.toml"
        named = tomllib.loads(project.read_text())["project"] if project.exists() else {"dependencies": []}
        requirements = [*named["dependencies"]]
        for name in filter(None, EXTRAS):
            requirements += [
                f"{text} ; extra == '{name}'" for text in named.get("optional-dependencies", {}).get(name, [])
            ]
        yield Finding("packages", "kt", "absent", "not installed: it runs from its sources")
    from packaging.requirements import Requirement

    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        extra = next((e for e in EXTRAS if marker is None or marker.evaluate({"extra": e})), None)
        if extra is None or requirement.name == DISTRIBUTION:
            continue
        try:
            installed = version(requirement.name)
        except PackageNotFoundError:
            # A checker of certificates is installed without what solves.
            optional = extra or MODULES.get(requirement.name, requirement.name) in EXTRAS[SOLVE]
            words = install_command(extra) if optional else f"not there; needed is {requirement.specifier}"
            yield Finding("packages", requirement.name, "absent" if optional else "FAILED", words)
            continue
        fits = requirement.specifier.contains(installed, prereleases=True)
        why = f": {WHY[requirement.name]}" if requirement.name in WHY else ""
        words = installed if fits else f"{installed}, but {requirement.specifier} is needed{why}"
        yield Finding("packages", requirement.name, "ok" if fits else "FAILED", words)


def _folders() -> Iterator[Finding]:
    places: list[tuple[str, Callable[[], str], Health]] = [
        ("this folder", os.getcwd, "absent"),
        ("temporary files", tempfile.gettempdir, "FAILED"),
    ]
    for name, place, otherwise in places:
        try:
            folder = place()
        except OSError as error:  # The folder was deleted, or the disks of all temporary folders are full.
            yield Finding("folders", name, otherwise, reason_of(error))
            continue
        writable = os.access(folder, os.W_OK)
        free = f", {shutil.disk_usage(folder).free / 1e9:.1f} GB free" if writable else ", cannot be written to"
        yield Finding("folders", name, "ok" if writable else otherwise, f"{folder}{free}")


def _solvers() -> Iterator[Finding]:
    from encoders.probes import probes

    for probe in probes():
        status: Health = "ok" if probe.ok else "FAILED" if probe.needed else "absent"
        yield Finding("solvers", probe.name, status, probe.words, probe.seconds)


def _compiled(name: str, words: Callable[[], str]) -> Finding:
    """The words of a test of numba, or its failure."""
    began = time.monotonic()
    status: Health = "ok"
    try:
        outcome = words()
    except KTError as error:
        status, outcome = "FAILED", str(error)
    except Exception as error:  # A broken installation can fail in any way.
        status, outcome = "FAILED", " ".join(f"{type(error).__name__}: {error}".split())
    return Finding("compiler", name, status, outcome, time.monotonic() - began)


def _compiler() -> str:
    """Whether numba compiles."""
    from heuristics.compiled_helpers import adjacent
    from heuristics.find import find
    from kt_models import Problem, graph_of

    assert adjacent.machine_code is not None
    if find(Problem(graph_of("20x20")), "merge").tour is None:
        raise KTError("no tour of 20x20 was found")
    return version("numba") + (", switched off by NUMBA_DISABLE_JIT" if _switched_off() else "")


def _switched_off() -> bool:
    import numba

    return bool(numba.config.DISABLE_JIT)


def _code_cache() -> str:
    """Whether compiled code can be kept, and reads back as it was written."""
    from kt_models.code_cache import cache_folder, not_kept, repair

    folder = cache_folder()
    try:
        right, damaged = repair(folder)
    except OSError as error:
        raise KTError(not_kept(folder, error)) from None
    words = f"{folder}: {right} loop{'s' * (right != 1)}"
    return words + (f", and {damaged} damaged file{'s' * (damaged != 1)}, now removed" if damaged else "")


def _speed() -> str:
    """Measure and keep how fast this machine is."""
    from kt_models.code_cache import cache_folder, not_kept
    from kt_models.speed import measure_speed

    try:
        return f"{measure_speed():.2g} times the machine on which the costs of long steps were measured; kept"
    except OSError as error:
        raise KTError(not_kept(cache_folder(), error)) from None


def _warmed(on_progress: Listener) -> str:
    """Compile every loop into the cache."""
    import encoders
    import heuristics
    import kt_models
    from heuristics.compiled_helpers import kernels

    if _switched_off():
        raise KTError("NUMBA_DISABLE_JIT is set, so kt compiles nothing")
    loops = kernels(kt_models.__name__, heuristics.__name__, encoders.__name__)
    missing = 0
    for number, loop in enumerate(loops):
        on_progress(Report(words=f"{number} of {len(loops)} loops are compiled"))
        missing += loop.machine_code.stats.cache_misses.total()
    if loops[0].machine_code.stats.cache_path is None:
        raise KTError("compiled code cannot be kept")
    return f"{len(loops)} are ready, {missing} of them new"


def _optional() -> Iterator[Finding]:
    for package, use in OPTIONAL.items():
        try:
            yield Finding("optional", package, "ok", f"{version(package)}, for {use.partition(':')[0]}")
        except PackageNotFoundError:
            yield Finding("optional", package, "absent", f"for {use}")
    for program, use in PROGRAMS.items():
        path = shutil.which(program)
        yield Finding("optional", program, "ok" if path else "absent", f"{path}, for {use}" if path else f"for {use}")
