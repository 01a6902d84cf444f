"""Lists of graphs at the terminal: a line each, streamed, with an exit status that says if one failed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner

from cli.main import main
from kt import check
from kt_models import InvalidTour
from tests.command import answered, one_line_refusal
from tests.command import kt as run
from tests.processes import KT, PATIENCE, ROOT, environment

PETERSEN = nx.to_graph6_bytes(nx.petersen_graph(), header=False).decode()
LIST = f">>graph6<<Bw\n\nB\n{PETERSEN}C~\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "list.g6").write_text(LIST)
    return tmp_path / "list.g6"


def test_a_line_for_each_graph(path: Path) -> None:
    code, out, err = answered("solve", path, "--workers", "1")
    rows = [line.split(maxsplit=2) for line in out.splitlines()]
    assert [row[:2] for row in rows] == [["1", "feasible"], ["2", "unreadable"], ["3", "infeasible"], ["4", "feasible"]]
    assert sorted(rows[0][2].split()) == ["0", "1", "2"] and rows[2][2] == "exhaustive"
    assert code == 2 and "list.g6: 4 graphs: 2 feasible, 1 infeasible, 1 unreadable" in err and "line 3" in err


def test_json_is_a_line_for_each_graph(path: Path) -> None:
    code, out, _ = answered("solve", path, "--json", "--workers", "1")
    data = [json.loads(line) for line in out.splitlines()]
    assert [(row["number"], row["line"], row["status"]) for row in data] == [
        (1, 1, "feasible"), (2, 3, "unreadable"), (3, 4, "infeasible"), (4, 5, "feasible")
    ]  # fmt: skip
    assert code == 2 and {row["kind"] for row in data} == {"result"} and "vertices take" in data[1]["reason"]
    assert len(data[0]["tour"]) == 3 and data[2]["how"] == "exhaustive"


def test_certificates_are_made_where_they_are_asked_for(path: Path) -> None:
    code, out, _ = answered("solve", path, "--json", "--workers", "1", "--certificates")
    data = [json.loads(line) for line in out.splitlines()]
    assert code == 2 and data[2]["certificate"]["status"] == "infeasible" and data[0]["how"] == "tour verified"
    _, out, _ = answered("solve", path, "--workers", "1", "--certificates")
    assert out.splitlines()[2].split(maxsplit=2)[1:] == ["infeasible", "certificate checked"]
    one_line_refusal(run("solve", "6x6", "--certificates"), "--certificates", "lists")


@pytest.mark.parametrize("name", ["answers.jsonl", "answers.json"])
def test_each_answer_of_a_list_is_checked(path: Path, tmp_path: Path, name: str) -> None:
    """A wrong line, one that is cut off and a graph that could not be read do not hide the others."""
    lines = answered("solve", path, "--certificates", "--json", "--workers", "1")[1].splitlines()
    first = json.loads(lines[0])
    wrong = json.dumps({**first, "tour": [[0], [1], [1]]})
    answers = tmp_path / name
    answers.write_text("\n".join([*lines, wrong, lines[0][:40]]) + "\n")
    code, out, err = answered("check", answers)
    verdicts = [line.removeprefix(f"{answers}: ").split(":")[:2] for line in out.splitlines()]
    assert [verdict.strip() for _, verdict in verdicts] == ["ok", "not shown", "ok", "ok", "WRONG"]
    assert [place for place, _ in verdicts] == [f"line {number}" for number in range(1, 6)]
    assert f"{name}: line 6: not valid JSON" in err and code == 1
    rows = json.loads(answered("check", answers, "--json")[1])["files"]
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 5, 6]
    answers.write_text("\n".join([lines[0], lines[2], lines[3]]) + "\n")
    assert len(check(answers).shown) == 3
    answers.write_text(f"{lines[2]}\n{wrong}\n")
    with pytest.raises(InvalidTour, match="line 2: "):
        check(answers)


def test_only_some_graphs_as_lines_or_themselves(path: Path) -> None:
    """The lines chosen are unchanged, and alone on standard output, whether or not there is a header in front."""
    code, out, err = answered("solve", path, "--only", "feasible", "--as", "graph6")
    assert (code, out) == (2, "Bw\nC~\n") and "2 feasible" in err
    assert answered("solve", path, "--only", "infeasible", "--as", "graph6")[1] == PETERSEN
    assert answered("solve", path, "--only", "infeasible", "--as", "graph6", "--certificates")[1] == PETERSEN
    assert answered("solve", path, "--only", "feasible", "--as", "graph6", "--engine", "sat")[1] == "Bw\nC~\n"
    assert answered("solve", path, "--only", "unknown", "--as", "graph6")[1] == ""
    assert answered("solve", path, "--only", "unknown", "--as", "graph6", "--graph-time", "0")[1] != ""
    sparse = answered("solve", path, "--only", "feasible", "--as", "sparse6")[1].splitlines()
    assert [nx.from_sparse6_bytes(line.encode()).number_of_edges() for line in sparse] == [3, 6]
    assert [line.split()[1] for line in answered("solve", path, "--only", "infeasible")[1].splitlines()] == [
        "infeasible"
    ]
    assert len(answered("solve", path, "--only", "feasible", "--json")[1].splitlines()) == 2
    one_line_refusal(run("solve", path, "--only", "hamiltonian"), "feasible")
    one_line_refusal(run("solve", path, "--as", "graph6"), "--only")
    one_line_refusal(run("solve", path, "--only", "feasible", "--as", "gml"), "graph6")
    one_line_refusal(run("solve", "6x6", "--only", "feasible"), "--only")


def test_the_reader_of_a_pipe_may_go_away_silently(tmp_path: Path) -> None:
    """As `head -5` does: after five lines nothing more is said."""
    (tmp_path / "long.g6").write_text("Bw\n" * 200_000)
    with subprocess.Popen(
        [*KT, "solve", str(tmp_path / "long.g6")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(),
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        lines = [process.stdout.readline() for _ in range(5)]
        process.stdout.close()
        assert [line.split()[:2] for line in lines] == [[str(number), "feasible"] for number in range(1, 6)]
        assert process.wait(PATIENCE) == 3 and process.stderr.read() == ""


def test_status_lines_load_no_engine(path: Path) -> None:
    """A list that the compiled search answers pays for no solver, no drawing and no progress."""
    (path.parent / "list.g6").write_text("Bw\nC~\nC?\n")
    missing = ("ortools", "pysat", "highspy", "networkx", "scipy", "rich", "matplotlib", "distributed")
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({missing!r}))\n"
        f"sys.argv = ['kt', 'solve', {str(path)!r}]\n"
        "from cli import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 3, done.stderr


def test_without_damage_the_status_is_0(tmp_path: Path) -> None:
    """Every kind of list, and questions of both commands."""
    triangle, petersen = (
        "1: 2 3\n2: 1 3\n3: 1 2\n",
        "".join(f"{v + 1}: {' '.join(str(u + 1) for u in nx.petersen_graph()[v])}\n" for v in range(10)),
    )
    rows = [" ".join(map(str, nx.petersen_graph()[v])) for v in range(10)]
    texts = {
        "a.lst": f"{triangle}\n{petersen}",
        "b.lst": "\n".join(["2", "1", "3", "1 2", "0 2", "0 1", "{ Petersen }", "2", "10", *rows]),
        "c.s6": "".join(
            nx.to_sparse6_bytes(graph, header=False).decode() for graph in (nx.complete_graph(3), nx.petersen_graph())
        ),
        "d.unknown": f"Bw\n{PETERSEN}",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        code, out, _ = answered("solve", tmp_path / name, "--workers", "1")
        assert code == 0 and [line.split()[1] for line in out.splitlines()] == ["feasible", "infeasible"], name
        code, out, _ = answered("enumerate", tmp_path / name, "--at-least", "1", "--workers", "1")
        assert code == 0 and [line.split()[1] for line in out.splitlines()] == ["yes", "no"], name


def test_a_list_of_one_graph_is_that_graph(tmp_path: Path) -> None:
    (tmp_path / "one.g6").write_text(f">>graph6<<\n{PETERSEN}")
    assert "evidence   certificate checked" in run("solve", tmp_path / "one.g6").stdout


def test_standard_input_is_a_list_too(path: Path) -> None:
    result = CliRunner().invoke(main, ["solve", "-", "--workers", "1"], input=LIST)
    assert result.stdout == run("solve", path, "--workers", "1").stdout and result.exit_code == 2
    lists = "1: 2 3\n2: 1 3\n3: 1 2\n\n1: 2 3\n2: 1\n3: 1\n"
    result = CliRunner().invoke(main, ["solve", "-", "--workers", "1"], input=lists)
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["feasible", "infeasible"]
    single = CliRunner().invoke(main, ["convert", "-", "-"], input=PETERSEN)
    assert "DIMENSION : 10" in single.stdout and single.exit_code == 0


def test_a_limit_for_each_graph(path: Path) -> None:
    code, out, _ = answered("solve", path, "--graph-time", "0", "--workers", "1")
    assert [line.split()[1] for line in out.splitlines()] == ["unknown", "unknown", "unknown", "unknown"] and code == 3
    one_line_refusal(run("solve", path, "--graph-time", "-1"), "--graph-time")
    one_line_refusal(run("solve", "6x6", "--graph-time", "1"), "--graph-time", "--time-limit")
    one_line_refusal(run("enumerate", "6x6", "--graph-time", "1"), "--graph-time", "--time-limit")


def test_options_without_effect_on_a_list_are_refused(path: Path, tmp_path: Path) -> None:
    refused = [["--minimize", "turns"], ["--symmetry", "rot90"], ["-o", tmp_path / "x.json"], ["--from", "0"]]
    refused += [["--proof", tmp_path / "proof"], ["--hint", path], ["--engine", "none"], ["--leaper", "1,2"]]
    for words in refused:
        one_line_refusal(run("solve", path, *words))
    for command in ("find", "bound", "longest"):
        one_line_refusal(run(command, path), "several graphs", "kt solve")
    one_line_refusal(run("enumerate", path, "--minimize", "turns"), "several graphs", "--at-least")
    one_line_refusal(run("convert", path, tmp_path / "x.hcp"), "several graphs")


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_signal_ends_a_list_that_is_still_written(number: int) -> None:
    """Answers come while the pipe is open; the signal gives back what is known."""
    with subprocess.Popen(
        [*KT, "solve", "-", "--workers", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=environment(),
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(f"Bw\n{PETERSEN}")
        process.stdin.flush()
        first = [process.stdout.readline().split()[1] for _ in range(2)]
        process.send_signal(number)
        assert process.wait(PATIENCE) == 3
        assert first == ["feasible", "infeasible"] and process.stdout.read() == ""
        assert "stopped after 2 graphs" in process.stderr.read()


def test_counts_are_lines_a_histogram_and_a_filter(path: Path) -> None:
    path.write_text(f"Bw\nC~\n{PETERSEN}B?\n")
    _, out, err = answered("enumerate", path, "--count")
    assert [line.split() for line in out.splitlines()] == [
        ["1", "counted", "1"], ["2", "counted", "3"], ["3", "counted", "0"], ["4", "counted", "0"]
    ]  # fmt: skip
    assert "4 counted" in err
    _, out, _ = answered("enumerate", path, "--count", "--open", "--json")
    data = [json.loads(line) for line in out.splitlines()]
    assert [row["count"] for row in data] == [3, 12, 120, 0] and all(row["complete"] for row in data)
    assert {row["kind"] for row in data} == {"enumeration"} and not any(row["closed"] for row in data)
    _, out, _ = answered("enumerate", path, "--histogram")
    assert [line.split() for line in out.splitlines()] == [["cycles", "graphs"], ["0", "2"], ["1", "1"], ["3", "1"]]
    _, out, _ = answered("enumerate", path, "--histogram", "--json")
    assert json.loads(out)["histogram"] == [[0, 2], [1, 1], [3, 1]]
    for only, lines in {"count=1": ["Bw"], "count=2..": ["C~"], "count=..1": ["Bw", PETERSEN.strip(), "B?"]}.items():
        _, out, _ = answered("enumerate", path, "--only", only, "--as", "graph6")
        assert out.splitlines() == lines, only
    for only in ("count=", "count=3..2", "count=x", "yes"):
        one_line_refusal(run("enumerate", path, "--count", "--only", only), "count=1")
    one_line_refusal(run("enumerate", path, "--histogram", "--only", "count=1"), "--histogram")
    one_line_refusal(run("enumerate", path, "--count", "--minimize", "turns"), "several graphs")


def test_the_ordinary_engines_count_what_the_compiled_search_leaves(path: Path) -> None:
    """Other engines, and graphs of more than 64 vertices."""
    long = nx.to_graph6_bytes(nx.circular_ladder_graph(33), header=False).decode()
    path.write_text(f"{long}C~\n")
    counts = [line.split()[2] for line in answered("enumerate", path, "--count", "--workers", "1")[1].splitlines()]
    assert counts == ["33", "3"]
    _, out, _ = answered("enumerate", path, "--only", f"count={counts[0]}", "--as", "graph6", "--workers", "1")
    assert out == long
    _, out, _ = answered("enumerate", path, "--histogram", "--workers", "1")
    assert out.splitlines()[1:] == [f"{'3':>10}  {'1':>10}", f"{counts[0]:>10}  {'1':>10}"]


def test_properties_are_lines_and_filters(path: Path) -> None:
    path.write_text(f"Bw\nC~\n{PETERSEN}C]\n")
    _, out, _ = answered("solve", path, "--property", "hypohamiltonian")
    assert [line.split()[1] for line in out.splitlines()] == ["no", "no", "yes", "no"]
    assert answered("solve", path, "--property", "hypohamiltonian", "--only", "yes", "--as", "graph6")[1] == PETERSEN
    _, out, _ = answered("solve", path, "--property", "edges-in-every-cycle")
    assert [line.split()[1:] for line in out.splitlines()] == [
        ["yes", "0-1", "0-2", "1-2"], ["no"], ["no"], ["yes", "0-2", "0-3", "1-2", "1-3"]
    ]  # fmt: skip
    _, out, _ = answered("solve", path, "--property", "edges-in-every-cycle", "--json")
    data = [json.loads(line) for line in out.splitlines()]
    assert data[0]["named_edges"] == [[0, 1], [0, 2], [1, 2]] and "named_edges" not in data[1]
    assert {row["kind"] for row in data} == {"property"} and data[2]["property"] == "edges-in-every-cycle"
    one_line_refusal(run("solve", path, "--property", "hypohamilton"), "did you mean 'hypohamiltonian'")
    one_line_refusal(run("solve", path, "--property", "traceable", "--open"), "--open")
    one_line_refusal(run("solve", "6x6", "--property", "traceable"), "--property")


def test_unknown_properties_match_no_filter(path: Path) -> None:
    """A large graph whose cycles nobody asks the ordinary engines for; the status says that it is unknown."""
    path.write_text(nx.to_graph6_bytes(nx.cycle_graph(70), header=False).decode() + "Bw\n")
    code, out, err = answered("solve", path, "--property", "pancyclic")
    assert code == 3 and [line.split()[1] for line in out.splitlines()] == ["unknown", "yes"] and "1 unknown" in err
    for only in ("yes", "no", "unknown"):
        code, out, _ = answered("solve", path, "--property", "pancyclic", "--only", only)
        assert code == 3 and [line.split()[1] for line in out.splitlines()] == [only] * (only != "no")


_PROMISED = {"version", "number", "line", "kind", "status", "board", "vertices", "edges", "engine", "seconds"}
_SEARCHED = {"connectivity", "closed"}
_COUNTED = {*_SEARCHED, "complete", "up_to_symmetry", "count"}


@pytest.mark.parametrize(
    ("words", "kind", "statuses", "more"),
    [
        (["solve"], "result", ["feasible", "infeasible"], {*_SEARCHED, "how"}),
        (["solve", "--certificates"], "result", ["feasible", "infeasible"], {*_SEARCHED, "how"}),
        (["solve", "--open"], "result", ["feasible", "feasible"], {*_SEARCHED, "how", "tour"}),
        (["solve", "--property", "hamiltonian"], "property", ["yes", "no"], {"property"}),
        (["enumerate", "--count"], "enumeration", ["counted", "counted"], _COUNTED),
        (["enumerate", "--at-least", "1"], "enumeration", ["yes", "no"], {*_COUNTED, "at_least"}),
    ],
)
def test_lines_have_the_same_keys_whoever_answered(
    words: list[str], kind: str, statuses: list[str], more: set[str], tmp_path: Path
) -> None:
    """The compiled search, for 64 vertices, and the ordinary engines, for 65."""
    text = "".join(
        nx.to_graph6_bytes(graph, header=False).decode()
        for n in (64, 65)
        for graph in (nx.cycle_graph(n), nx.path_graph(n))
    )
    (tmp_path / "list.g6").write_text(text)
    code, out, _ = answered(words[0], tmp_path / "list.g6", *words[1:], "--json", "--workers", "1")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and [row["status"] for row in rows] == 2 * statuses and {row["kind"] for row in rows} == {kind}
    for row in rows:
        tour = {"tour"} if row["status"] == "feasible" else set()
        assert _PROMISED | more | tour <= set(row), (_PROMISED | more | tour) - set(row)
