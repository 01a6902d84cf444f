"""The tests against an installed wheel, in which all rooms are inside `kt`:

    python .ci/against_wheel.py [WORDS FOR PYTEST]

It builds a wheel of the checkout, installs it into an environment that sees the other packages of this one, and copies
the tests beside it with their imports rewritten. Tests marked `checkout` are left out: they are about its sources, its
pages or its tools.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from hatch_build import ROOMS, inside  # noqa: E402

BESIDE = (".ci", "tests", "docs", "benchmarks", "research", "heuristics/gadgets", "heuristics/delivered")
"""Folders that tests read, and that are not in a wheel or have another place there."""
CHOSEN = ("-m", "not slow and not checkout")


def in_the_wheel(text: str) -> str:
    """The text of a test as the wheel's modules are written, and what only tests do: import a module of a room without
    `from`, name one in a string, and import from one in a string."""
    rooms = "|".join(ROOMS)
    text = re.sub(rf"([\"';] ?)from ({rooms})\b(?=[\w.]* import\b)", r"\1from kt.\2", text)
    text = re.sub(rf"^([ \t>.]*)import ({rooms})(\.[\w.]+)", r"\1from kt import \2; import kt.\2\3", text, flags=re.M)
    return re.sub(rf"([\"'])({rooms})(?=\.\w)", r"\1kt.\2", inside(text))


def copy_tests(root: Path, place: Path) -> None:
    """Put the tests of a checkout, and what they read, into a folder, as they are where a wheel is installed."""
    for name in BESIDE:
        shutil.copytree(root / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(root / name, place)
    for name in BESIDE:
        for path in (place / name).rglob("*.py"):
            path.write_text(in_the_wheel(path.read_text()))


def install(place: Path) -> Path:
    """Build a wheel and install it beside the packages of this environment; the folder of its programs."""
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place / "dist", ROOT]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = (place / "dist").iterdir()
    venv.create(place / "environment", with_pip=False)
    programs = place / "environment" / "bin"
    others = [entry for entry in sys.path if Path(entry).name == "site-packages"]
    (site,) = (place / "environment" / "lib").glob("python*/site-packages")
    (site / "others.pth").write_text("\n".join(others) + "\n")
    pip = [sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--force-reinstall", wheel], check=True)
    return programs


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="kt-wheel-") as folder:
        place = Path(folder)
        programs = install(place)
        copy_tests(ROOT, place)
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        command = [programs / "python", "-m", "pytest", *CHOSEN, *sys.argv[1:]]
        return subprocess.run(command, cwd=place, env={**os.environ, "PATH": path}).returncode


if __name__ == "__main__":
    sys.exit(main())
