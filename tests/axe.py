"""axe-core over a page: which rules of accessibility it breaks.

axe-core comes with the package axe-playwright-python; no network is asked.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

LOOKS = [("light", (1400, 900)), ("dark", (390, 844))]
"""Colour schemes and sizes in which pages are looked at: the default tests take each for some of them."""
MORE_LOOKS = [("light", (390, 844)), ("dark", (1400, 900))]
"""Those that the slow tests add."""


def violations(page: Any, *, off: tuple[str, ...] = ()) -> list[str]:
    """A line for each element that breaks a rule which is not `off`: the rule, the element, what to do."""
    pytest.importorskip("axe_playwright_python", reason="axe-core is not installed (pip install axe-playwright-python)")
    page.evaluate(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    rules = {name: {"enabled": False} for name in off}
    found = page.evaluate("rules => axe.run(document, { rules, resultTypes: ['violations'] })", rules)
    assert found["passes"], "axe looked at nothing"
    return [
        f"{rule['id']}: {node['html'][:160]}: {node['failureSummary'].splitlines()[-1].strip()}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
