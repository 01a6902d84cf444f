"""In a checkout the rooms go by their installed names too: `kt.kt_models` is `kt_models`, module by module."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from importlib.resources import files

import pytest

import kt
from tests.house import ROOMS, ROOT, modules

pytestmark = pytest.mark.checkout


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_has_its_installed_name(room: str) -> None:
    for name in [name for name in modules() if name.partition(".")[0] == room and "_template" not in name][::7]:
        module = importlib.import_module(name)
        assert importlib.import_module(f"kt.{name}") is module is sys.modules[name]
        assert module.__name__ == module.__spec__.name == name  # type: ignore[union-attr]


@pytest.mark.parametrize("order", ["kt_models.tour", "kt.kt_models.tour"])
def test_one_module_is_loaded_by_either_name_first(order: str) -> None:
    other = {"kt_models.tour": "kt.kt_models.tour", "kt.kt_models.tour": "kt_models.tour"}[order]
    code = (
        f"import importlib; first = importlib.import_module({order!r}); import kt\n"
        f"assert importlib.import_module({other!r}) is first and first.Tour is kt.Tour\n"
        "from kt.kt_models.kernel.certificates import tree; from kt.kt_models import Problem\n"
        "import kt_models.kernel.certificates.tree as same; assert tree is same and Problem is kt.Problem\n"
        "import pickle; assert pickle.loads(pickle.dumps(kt.Board.parse('3x4'))) == kt.Board.parse('3x4')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_function_with_the_name_of_its_module_stays() -> None:
    code = (
        "import encoders, kt; solve = encoders.solve\n"
        "import kt.encoders.solve; from kt.encoders import solve as again\n"
        "assert encoders.solve is solve is again is kt.encoders.solve and callable(solve)\n"
        "from kt.encoders.solve import begin; encoders.solve = None; assert encoders.solve is None"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_there_are_no_other_names() -> None:
    for name in ("kt.kt_models.nothing", "kt.research", "kt.nothing"):
        with pytest.raises(ModuleNotFoundError, match=name):
            importlib.import_module(name)
        assert importlib.util.find_spec(name) is None
    assert files("kt.drawing") == files("drawing")
    assert not hasattr(kt, "research")
