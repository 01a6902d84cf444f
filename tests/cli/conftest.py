"""A server of `kt explore` for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.explorer import Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.close()
