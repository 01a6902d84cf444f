"""The comparison with other solvers refuses what makes no sense, and gives back what is done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import hamiltonian
from benchmarks.peers.measure import GraphTimings


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--only", "nowhere"], "no graph's name contains the text of --only"),
        (["--seconds", "0"], "--seconds: must be a number of seconds above 0"),
        (["--seconds", "nan"], "--seconds: must be a number of seconds above 0"),
    ],
)
def test_wrong_options_are_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        hamiltonian.main(words)
    assert ended.value.code == 2 and message in capsys.readouterr().err


def test_a_run_that_is_stopped_gives_back_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(graphs, *rest, **options):  # type: ignore[no-untyped-def]
        yield GraphTimings(graphs[0], 64, 168, {})
        raise KeyboardInterrupt

    monkeypatch.setattr(hamiltonian, "time_all", stopped)
    hamiltonian.main(["--small", "--peers", "--only", "8×8", "--only", "GP", "-o", str(tmp_path / "bench.json")])
    out, err = capsys.readouterr()
    assert [row["graph"] for row in json.loads((tmp_path / "bench.json").read_text())["rows"]] == ["8×8"]
    assert "| 8×8 | 64 | 168 |" in out and "stopped after 1 of " in err
