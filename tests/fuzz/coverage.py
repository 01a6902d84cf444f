"""The readers of files under a fuzzer that watches which lines it reaches (atheris, which is libFuzzer for Python)."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

SUFFIXES = [".json", ".tour", ".hcp", ".col", ".txt"]


def guided(seconds: int) -> None:
    """Run for so many seconds; atheris reports, and ends the process at the first fault.

    Raises
    ------
    ModuleNotFoundError
        If atheris is not installed.
    """
    import atheris

    with atheris.instrument_imports(include=["kt_models"]):
        import kt_models  # noqa: F401
        from kt_models.files import check, graphs, tours  # noqa: F401
    from kt_models import graph_of
    from kt_models.errors import KTError
    from kt_models.files.check import check_file
    from tests.alarm import alarm
    from tests.fuzz.corpus import corpus

    folder = Path(tempfile.mkdtemp())
    seeds = folder / "seeds"
    seeds.mkdir()
    made = folder / "made"
    made.mkdir()
    for name, content in corpus(made).items():
        if len(content) < 8000:
            (seeds / name).write_bytes(bytes([SUFFIXES.index(Path(name).suffix)]) + content)

    def read(data: bytes) -> None:
        if not data:
            return
        suffix = SUFFIXES[data[0] % len(SUFFIXES)]
        path = folder / f"input{suffix}"
        path.write_bytes(data[1:])
        try:
            with alarm(20):
                if suffix in (".json", ".tour"):
                    check_file(path, graph_of("6x6") if suffix == ".tour" else None)
                else:
                    graph_of(f"@{path}" if suffix == ".txt" else str(path))
        except KTError:
            pass

    try:
        atheris.Setup(
            [sys.argv[0], f"-max_total_time={seconds}", "-max_len=9000", "-rss_limit_mb=4000", str(seeds)], read
        )
        atheris.Fuzz()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
