"""Hypothesis says nothing of time: the machines that run the tests are shared. One browser for all tests of pages.

After the last test a line says how much processor time the tests of each room used; nothing depends on it.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import kt_models.jit  # noqa: F401  its word to numba about sys.stdout has to come before a test module imports numba
from tests.effort import part_of, processor_seconds, used_by_rooms

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # Hundreds of processes would each compile the source anew
sys.dont_write_bytecode = False
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # As `kt` has it: threads that wait take time of each process
settings.register_profile("kt", deadline=None, max_examples=part_of(100), suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kt")
os.fsync = lambda descriptor: None  # Files of tests need not outlast a power cut: thousands of them wait for the disk
gc.set_threshold(100_000, 20, 100)  # Not after every 700 objects that modules and tests make

BROWSERS = {
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "firefox": ("firefox-esr", "firefox"),
}
CHROMIUM_OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Meter:
    """Processor time since it was last read."""

    def __init__(self) -> None:
        self.before = processor_seconds()

    def read(self) -> float:
        """Seconds; also those of whatever has ended that a test started."""
        before, self.before = self.before, processor_seconds()
        return self.before - before


METER = Meter()


def pytest_collection_finish() -> None:
    """What is there now stays to the end: the collector of garbage need not go through it again and again."""
    gc.collect()
    gc.freeze()
    METER.read()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Put the processor time into the report, which a worker of xdist sends with all that it has."""
    report = yield
    report.processor_seconds = METER.read()
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what the tests used."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    used = [(report.nodeid, report.processor_seconds) for report in reports if hasattr(report, "processor_seconds")]
    if used:
        terminalreporter.write_line(used_by_rooms(used))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium under Playwright, or its Firefox with `KT_BROWSER=firefox`.

    Tests that ask for it are skipped where browser or Playwright is missing.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")
    name = os.environ.get("KT_BROWSER", "chromium")
    program = next(filter(None, map(shutil.which, BROWSERS[name])), None)
    if program is None:
        pytest.skip(f"no {name} on the PATH (apt-get install {BROWSERS[name][0]})")
    with sync_api.sync_playwright() as playwright:
        if name == "firefox":  # By the protocol that every Firefox speaks, and not Playwright's own build alone
            started = playwright.firefox.launch(executable_path=program, channel="moz-firefox")
        else:
            started = playwright.chromium.launch(executable_path=program, args=CHROMIUM_OPTIONS)
        yield started
        started.close()


@pytest.fixture
def emulation(browser: Any) -> None:
    """Browser for tests of touch, themes and downloads, which Playwright cannot ask of the system's Firefox."""
    if browser.browser_type.name != "chromium":
        pytest.skip("only Chromium emulates it")
