"""`kt check` on families of tours: the theorem files, and what is wrong with a damaged one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main

GADGETS = Path(__file__).parents[1] / "heuristics" / "gadgets"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("strands-turns", "24 families of strands tours: one cycle each, on all boards; at most 4(w + h) - 14 turns"),
        ("strands-both", "at most 4(w + h) - 13 turns"),
        (
            "octants-crossings",
            "6 families of octant tours: one cycle each, on all boards; at most 19n/3 + 222 crossings",
        ),
    ],
)
def test_the_theorems_are_checked_in_one_command(name: str, words: str) -> None:
    result = CliRunner().invoke(main, ["check", str(GADGETS / f"{name}.json")])
    assert result.exit_code == 0, result.output
    assert words in result.stdout


@pytest.mark.parametrize("name", ["strands-turns", "octants-crossings"])
@pytest.mark.parametrize("families", [None, [], [3], [{}], "all"])
def test_what_is_no_list_of_families(name: str, families: object, tmp_path: Path) -> None:
    data = json.loads((GADGETS / f"{name}.json").read_text())
    (tmp_path / "damaged.json").write_text(json.dumps(data | {"families": families}))
    result = CliRunner().invoke(main, ["check", str(tmp_path / "damaged.json")])
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["strands-turns", "octants-crossings"])
def test_a_family_with_another_move_in_the_corner_is_refused(name: str, tmp_path: Path) -> None:
    data = json.loads((GADGETS / f"{name}.json").read_text())
    seed = data["families"][0]["seed"]
    seed[0] = ("b" if seed[0][0] != "b" else "c") + seed[0][1:]
    data["families"] = data["families"][:1]
    (tmp_path / "damaged.json").write_text(json.dumps(data))
    result = CliRunner().invoke(main, ["check", str(tmp_path / "damaged.json")])
    assert result.exit_code in (1, 2), result.output
    assert "Traceback" not in result.output
