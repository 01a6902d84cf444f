"""kt replaces no file of another kind, and no file by half of one."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import kt
from encoders.compare.run import compare
from encoders.compare.table import page
from encoders.compare.table import plot as compared
from kt_models import file_kinds, writing
from kt_models.errors import KTError
from kt_models.files.suffixes import RESULT_FILES
from kt_models.writing import append, growing_file, whole_file, write_atomic
from tests.command import answered, kt_json, one_line_refusal
from tests.command import kt as kt_command
from tests.effort import slow

WRITERS = {
    "result.json": "find 6x6 -o {}",
    "tour.json": "convert tour.tour {}",
    "tour.tour": "find 6x6 -o {}",
    **{f"tour{ending}": "find 6x6 -o {}" for ending in RESULT_FILES if ending not in (".json", ".tour")},
    "film.gif": "draw result.json -o {} --seconds 1",
    "walk.json": "longest 3x3 -o {}",
    "walk.svg": "longest 3x3 -o {}",
    "board.svg": "draw 6x6 -o {}",
    "certificate.json": "bound 6x6 --minimize turns --certificate {}",
    "argument.svg": "draw certificate.json -o {}",
    "list.jsonl": "enumerate 5x6 -o {}",
    "run.log": "find 6x6 --log {}",
    "graph.json": "convert 4x5 {}",
    **{f"graph{ending}": "convert 4x5 {}" for ending in (".hcp", ".col", ".dimacs", ".edges")},
    **{f"model{ending}": "convert 4x5 {}" for ending in (".cnf",)},
    **{f"sum{ending}": "convert 4x5 {} --minimize turns" for ending in (".opb", ".lp", ".mps", ".wcnf", ".pb.txt")},
}
"""A command for each kind of file; files before it are there."""
FEW = ["list.jsonl", "result.json", "tour.svg", "certificate.json", "model.cnf", "tour.png", "sum.opb"]
"""Those of the default tests where no kind is treated in a way of its own."""
FOREIGN = {
    ".json": '{"name": "my package"}',
    ".jsonl": '{"a": 1}\n{"b": 2}\n',
    ".svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>my own drawing, kt is not in it</text></svg>',
    ".html": "<!doctype html><title>my page</title>",
    ".tour": "NAME : mine\nTYPE : TOUR\nDIMENSION : 2\nTOUR_SECTION\n1\n2\n-1\nEOF\n",
    ".hcp": "NAME : mine\nTYPE : HCP\nDIMENSION : 3\n",
    ".col": "c my graph\np edge 2 1\ne 1 2\n",
    ".dimacs": "p edge 2 1\ne 1 2\n",
    ".edges": "1 2\n2 3\n",
    ".cnf": "c my formula\np cnf 1 1\n1 0\n",
    ".opb": "* #variable= 1 #constraint= 1\n+1 x1 >= 1;\n",
    ".mps": "NAME mine\n",
    ".log": "a log of somebody else\n",
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind that kt writes."""
    folder = tmp_path_factory.mktemp("written")
    before = os.getcwd()
    os.chdir(folder)
    try:
        for name in ["tour.tour", *WRITERS]:
            status, _, complaint = answered(*WRITERS[name].format(name).split())
            assert status == 0 and (folder / name).stat().st_size, (name, complaint)
    finally:
        os.chdir(before)
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of them to work in."""
    for path in written.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_of_the_same_kind_is_replaced(name: str, folder: Path) -> None:
    before = os.stat(name)
    line = WRITERS[name].format(name).replace(" --force", "").split()
    status, _, complaint = answered(*line)
    assert status == 0, complaint
    assert os.stat(name).st_ino != before.st_ino


@pytest.mark.parametrize("name", WRITERS)
def test_a_foreign_file_is_not_replaced(name: str, folder: Path) -> None:
    line = WRITERS[name].format(name).replace(" --force", "").split()
    ending = file_kinds.suffix_in(name)
    for content in (FOREIGN.get(ending, "something of the user\n").encode(), b"\0\1\2 binary \xff"):
        (folder / name).write_bytes(content)
        one_line_refusal(kt_command(*line), name, "--force")
        assert (folder / name).read_bytes() == content
    assert answered(*line, "--force")[0] == 0
    assert (folder / name).read_bytes() != content
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize("name", [*FEW, *slow(name for name in WRITERS if name not in FEW)])
def test_an_empty_file_is_replaced(name: str, folder: Path) -> None:
    (folder / name).write_bytes(b"")
    assert answered(*WRITERS[name].format(name).replace(" --force", "").split())[0] == 0
    assert os.path.getsize(name)


JSON = [name for name in WRITERS if name.endswith((".json", ".jsonl", ".log"))]


@pytest.mark.parametrize("name", JSON)
@pytest.mark.parametrize("other", JSON)
def test_json_of_another_kind_is_not_replaced(name: str, other: str, folder: Path) -> None:
    kinds = [
        file_kinds.json_kind((folder / which).read_bytes(), file_kinds.suffix_in(which)) for which in (name, other)
    ]
    alike = kinds[0] == kinds[1] or {*kinds} <= {"result", "tour"}
    content = (folder / other).read_bytes()
    if name != other:
        (folder / name).write_bytes(content)
    line = WRITERS[name].format(name).split()
    if name.endswith(".jsonl") and kinds[1] == "tour":
        return  # A list of one tour
    if alike:
        assert answered(*line)[0] == 0
    else:
        one_line_refusal(kt_command(*line), name, "--force")
        assert (folder / name).read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [
        '{"kind": "result", "stops": ["Rome"]}',
        '{"kind": "result"',
        '{"version": "2", "kind": "result"}',
        '{"version": 3, "kind": "result", "tour": []}',
        '{"version": 20, "kind": "result", "tour": []}',
        '{"kind": "result", "version": 2.5}',
    ],
)
def test_json_of_another_program_or_of_a_newer_one_is_not_replaced(content: str, folder: Path) -> None:
    (folder / "result.json").write_text(content)
    one_line_refusal(kt_command("find", "6x6", "-o", "result.json"), "result.json", "--force")
    assert (folder / "result.json").read_text() == content


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("solve 5x6 -o new.json --log new.json", "-o and --log"),
        ("solve 5x6 -o new.json --log ./new.json --force", "-o and --log"),
        ("solve 5x6 -o new.json --log link.json", "-o and --log"),
        ("solve 4x6 -o new.json --proof new.json", "-o and --proof"),
        ("improve tour.json --minimize turns -o new.json --log new.json", "-o and --log"),
        ("bound 6x6 --certificate new.json --log new.json", "--certificate and --log"),
        ("bound 6x6 --certificate new.json --state new.json --method branching", "--certificate and --state"),
        ("bound 6x6 --proof new --log new", "--proof and --log"),
        ("aztec 2..3 --ledger new.json --tours new.json", "--ledger and --tours"),
        ("enumerate 5x6 -o new.jsonl --run new.jsonl", "-o and --run"),
        ("experiment random-graphs --state new.json --plot new.json", "--plot and --state"),
    ],
)
def test_two_options_do_not_name_one_file(line: str, options: str, folder: Path) -> None:
    (folder / "link.json").symlink_to("new.json")
    before = sorted(folder.iterdir())
    one_line_refusal(kt_command(*line.split()), "name one file")
    assert set(options.split(" and ")) <= set(kt_command(*line.split()).stderr.replace(",", "").split())
    assert sorted(folder.iterdir()) == before


def test_a_file_that_says_something_is_not_replaced_by_one_that_does_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from encoders.enumeration import Listing
    from kt_models import Problem, Result

    def searched(problem: Problem, *_: object, **__: object) -> Result:
        return Result(problem, "unknown", reason="not found")

    monkeypatch.setattr("heuristics.find.find", searched)
    monkeypatch.setattr("encoders.enumeration.together.list_together", lambda *_: Listing(0, False, "search"))
    for line in ("find 6x6 -o result.json", "enumerate 5x6 -o list.jsonl"):
        name = line.split()[-1]
        before = (folder / name).read_bytes()
        status, _, complaint = answered(*line.split())
        assert status == 3 and f"kt: {name}: left unchanged, as nothing was found\n" in complaint
        assert (folder / name).read_bytes() == before and "written" not in complaint
        assert answered(*line.replace(name, f"new-{name}").split())[0] == 3 and (folder / f"new-{name}").is_file()
    pictures = {
        "tour.svg": "compare 5x6 --minimize turns --time-limit 0 -o tour.svg",
        "tour.png": "experiment random-graphs --graphs 1 --rows 3 --table 1 --time-limit 0 --plot tour.png",
        "gadget.json": "search heel --all --time-limit 0 -o gadget.json",
    }
    (folder / "gadget.json").write_text('{"version": 2, "kind": "gadgets", "gadgets": []}')
    for name, line in pictures.items():
        before = (folder / name).read_bytes()
        status, _, complaint = answered(*line.split())
        assert status == 3 and f"kt: {name}: left unchanged, as nothing was found\n" in complaint
        assert (folder / name).read_bytes() == before
    assert "no tour" in answered("magic", "3x3", "-o", "magic.json")[2] and not (folder / "magic.json").exists()


def test_each_model_has_a_map_of_its_own(folder: Path) -> None:
    before = (folder / "model.cnf.map").read_bytes()
    assert answered("convert", "8x8", "model.opb")[0] == 0
    assert (folder / "model.cnf.map").read_bytes() == before
    assert answered("convert", "6x6", "model.cnf")[0] == 0
    maps = [json.loads((folder / f"model{ending}.map").read_text()) for ending in (".opb", ".cnf")]
    assert [data["problem"]["board"] for data in maps] == ["8x8", "6x6"]
    (folder / "model.cnf.map").write_text("notes of the user")
    one_line_refusal(kt_command("convert", "8x8", "model.cnf"), "model.cnf.map", "--force")


def test_a_log_does_not_replace_a_result(folder: Path) -> None:
    before = (folder / "result.json").read_bytes()
    one_line_refusal(kt_command("solve", "5x6", "--log", "result.json"), "result.json", "log")
    assert (folder / "result.json").read_bytes() == before


def test_files_of_python_keep_to_it(folder: Path) -> None:
    tour = kt.read("tour.tour")
    for write in (
        lambda **force: tour.save("mine.svg", **force),
        lambda **force: kt.draw(tour, "mine.svg", **force),
        lambda **force: kt.solve("4x5", open=True).save("mine.svg", **force),
    ):
        (folder / "mine.svg").write_text(FOREIGN[".svg"])
        with pytest.raises(KTError, match="force=True"):
            write()
        assert (folder / "mine.svg").read_text() == FOREIGN[".svg"]
        write(force=True)
        write()


@pytest.mark.slow
def test_pictures_of_tables_have_marks() -> None:
    rows = list(compare("5x6", "turns", limits=kt_limits()))
    assert file_kinds.json_kind(page(rows, "turns").encode()) is None
    for ending, content in ((".html", page(rows, "turns").encode()), (".svg", compared(rows, "turns"))):
        assert is_of_kt(ending, content)


def kt_limits() -> object:
    from kt_models.limits import Limits

    return Limits(20, workers=1)


def is_of_kt(ending: str, content: bytes) -> bool:
    import re

    return re.match(file_kinds.MARKS[ending], content, re.DOTALL) is not None


# -- how files are written ---------------------------------------------------------------------------------------------


def test_permissions_and_links_stay(folder: Path) -> None:
    os.chmod("result.json", 0o640)
    (folder / "link.json").symlink_to("result.json")
    assert answered("find", "6x6", "-o", "link.json")[0] == 0
    assert (folder / "link.json").is_symlink()
    assert stat.S_IMODE(os.stat("result.json").st_mode) == 0o640
    assert kt_json("check", "result.json")["exit"] == 0
    (folder / "new.json").symlink_to("absent.json")
    assert answered("find", "6x6", "-o", "new.json")[0] == 0 and (folder / "absent.json").is_file()


def test_a_link_to_itself_is_refused_before_the_work(folder: Path) -> None:
    (folder / "loop.json").symlink_to("loop.json")
    for more in ((), ("--force",)):
        one_line_refusal(kt_command("find", "6x6", "-o", "loop.json", *more), "loop.json: cannot write: too many")
    assert (folder / "loop.json").is_symlink()


def test_read_only_files_stay(folder: Path) -> None:
    before = (folder / "result.json").read_bytes()
    os.chmod("result.json", 0o444)
    for more in ((), ("--force",)):
        one_line_refusal(kt_command("find", "6x6", "-o", "result.json", *more), "read-only")
    assert (folder / "result.json").read_bytes() == before


def test_devices_pipes_and_standard_output(folder: Path) -> None:
    assert answered("find", "6x6", "-o", "/dev/null")[0] == 2  # Its name has no ending
    assert answered("find", "6x6", "--log", "/dev/null")[0] == 0 and stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert json.loads(answered("find", "6x6", "-o", "-")[1])["kind"] == "result"
    os.mkfifo("pipe.json")
    reader = subprocess.Popen(["cat", "pipe.json"], stdout=subprocess.PIPE)
    assert answered("find", "6x6", "-o", "pipe.json")[0] == 0
    assert json.loads(reader.communicate()[0])["kind"] == "result" and stat.S_ISFIFO(os.stat("pipe.json").st_mode)


@pytest.mark.parametrize(
    "line", ["find 6x6 -o pipe.json", "solve 5x6 --minimize turns --log pipe.json", "draw 5x6 -o pipe.svg"]
)
def test_a_pipe_that_nobody_reads_ends_in_one_line(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting within `open` would be for ever, and deaf to every signal."""
    monkeypatch.setattr(writing, "READER_SECONDS", 0.2)
    os.mkfifo(line.rpartition(" ")[2])
    status, _, words = answered(*line.split())
    assert status == 2 and "nobody has read this pipe" in words and words.count("\n") == 1, words


def limited(line: list[str], most: int) -> subprocess.CompletedProcess[str]:
    """Run a command that may make no file larger than so many bytes, as on a full disk."""
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}));"
        f"sys.argv = ['kt', *{line!r}]; from cli import run; run()"
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=os.getcwd(),
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONDONTWRITEBYTECODE": "1"}, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", [*FEW[:3], *slow([*FEW[3:], "walk.json"])])
def test_a_full_disk_leaves_the_old_file(name: str, folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    line = WRITERS[name].format(name).split()
    done = limited(line, 300)
    assert done.returncode == 2, done
    # A cache of compiled code that is not filled yet cannot be kept either, which is a warning
    lines = [text for text in done.stderr.splitlines() if text.startswith("kt: ") and "warning" not in text]
    assert len(lines) == 1 and name in lines[0] and "cannot write" in lines[0] and "Traceback" not in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert bool(done.stdout) == (not name.endswith((".jsonl", ".cnf"))), "the answer is not lost with the file"


@pytest.mark.slow
def test_a_proof_on_a_full_disk_is_a_fault_beside_the_answer(folder: Path) -> None:
    for words in ("bound 3x10 --proof proof", "solve 4x6 --proof proof --json"):
        done = limited(words.split(), 1000)
        assert done.returncode == 2 and done.stdout and not (folder / "proof").exists()
        assert done.stderr.startswith("kt: proof: no proof was written: ") and "cannot write" in done.stderr


def test_a_log_on_a_full_disk_keeps_whole_lines(folder: Path) -> None:
    done = limited(["find", "6x6", "--log", "new.log"], 150)
    lines = (folder / "new.log").read_text().splitlines()
    assert done.returncode == 2 and "new.log: cannot write" in done.stderr
    assert "written" not in done.stderr and "status     feasible" in done.stdout
    assert [json.loads(line)["kind"] for line in lines] == ["log"]
    before = (folder / "run.log").read_bytes()
    done = limited(["find", "6x6", "--log", "run.log"], 20)
    assert done.returncode == 2 and (folder / "run.log").read_bytes() == before
    assert not list(folder.glob(".*"))


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"version": 2, "kind": "log"}\n')
    with suppress(ZeroDivisionError), whole_file(path, "log") as stream:
        stream.write(b"half")
        raise ZeroDivisionError
    assert path.read_text() == '{"version": 2, "kind": "log"}\n' and [*tmp_path.iterdir()] == [path]
    with growing_file(path, '{"version": 2, "kind": "log", "again": 1}', "log") as add:
        assert path.read_text() == '{"version": 2, "kind": "log", "again": 1}\n'
        add('{"more": 1}')
        assert path.read_text().count("\n") == 2
    write_atomic(path, '{"version": 2, "kind": "log"}\n')
    write_atomic(tmp_path / "rows.part", b"")
    append(tmp_path / "rows.part", b"12345678")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    import signal

    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (12, before[1]))
    try:
        with pytest.raises(KTError, match="cannot write"):
            append(tmp_path / "rows.part", b"12345678")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert (tmp_path / "rows.part").read_bytes() == b"12345678"


def test_the_same_content_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "formula.txt"
    path.write_text("p cnf 0 0\n")
    write_atomic(path, "p cnf 0 0\n")
    with pytest.raises(KTError):
        write_atomic(path, "p cnf 1 0\n")
