"""Help, completion, and messages that say what was probably meant."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from cli.command import COMPLETION, EXPERT, SECTIONS, hidden
from cli.completion import BOARDS, SHELLS
from cli.help import SYNONYMS
from cli.main import COMMANDS, main
from kt_models import Board, KTError
from kt_models.metrics import METRICS
from kt_models.shapes._meant import meant_board
from tests.processes import PATIENCE


def kt(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def every_command() -> Iterator[tuple[str, click.Command]]:
    """All commands and theirs, by what is typed."""
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)  # type: ignore[attr-defined]
        assert command is not None
        yield name, command
        for inner, subcommand in command.commands.items() if isinstance(command, click.Group) else ():
            yield f"{name} {inner}", subcommand


ALL = dict(every_command())


# -- help --------------------------------------------------------------------------------------------------------------


def test_the_help_of_kt_teaches_by_example() -> None:
    text = kt("--help").stdout
    for command in ("solve", "find", "bound", "check", "draw", "enumerate"):
        assert re.search(rf"^    kt {command} ", text, flags=re.MULTILINE), command
    for name, summary in COMMANDS.items():
        assert name in text and summary.split()[0] in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does_with_examples_and_exit_statuses(name: str) -> None:
    text = kt(name, "--help").stdout
    assert text.startswith(f"Usage: main {name}")
    assert re.search(rf"^ +(eval \"\$\()?kt {name} ?", text, flags=re.MULTILINE), "no example"
    assert "Exit status\n    0  " in text and "See also" in text
    for mentioned in re.search(r"See also\n +(.*)", text)[1].split(","):  # type: ignore[index]
        assert mentioned.split()[0] in COMMANDS


def examples() -> list[tuple[str, str]]:
    found = [("kt", line) for line in re.findall(r"^ +(kt .*)$", main.help or "", flags=re.MULTILINE)]
    for name, command in ALL.items():
        found += [(name, line) for line in re.findall(r"^ *(kt .*)$", command.help or "", flags=re.MULTILINE)]
    return found


def test_every_example_in_help_can_be_parsed() -> None:
    assert len(examples()) > 50
    for name, line in examples():
        words = re.split(r"  +|\s+>\s", line)[0].strip()
        _, command, *arguments = shlex.split(words)
        if any(word.isupper() and word not in ("DIR", "FILE") and len(word) > 3 for word in arguments):
            continue
        assert command in COMMANDS, (name, line)
        try:
            parsed = ALL[command]
            with parsed.make_context(command, list(arguments)) as context:
                if isinstance(parsed, click.Group):
                    inner, *rest = [*context._protected_args, *context.args]
                    ALL[f"{command} {inner}"].make_context(inner, rest)
        except click.UsageError as error:
            raise AssertionError((name, line, error.format_message())) from error
        except click.exceptions.Exit:
            pass


@pytest.mark.parametrize("name", ALL)
def test_every_option_and_command_says_what_it_is_for(name: str) -> None:
    assert ALL[name].help
    for parameter in ALL[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help and parameter.help.rstrip()[-1] in ".)]", parameter.name


def own_options(command: click.Command) -> set[str]:
    """All but those that are hidden: what is deprecated is read, and no longer shown."""
    options = [p for p in command.params if isinstance(p, click.Option) and not p.hidden]
    return {max(option.opts, key=len) for option in options}


def listed_options(help_text: str) -> set[str]:
    sections = re.split(r"^[A-Z][a-z]+:$", help_text, maxsplit=1, flags=re.MULTILINE)[1]
    return set(re.findall(r"^  (?:-., )?(--[a-z-]+)", sections, flags=re.MULTILINE))


@pytest.mark.parametrize("name", [name for name, command in ALL.items() if not isinstance(command, click.Group)])
def test_help_all_shows_every_option_and_help_the_common_ones(name: str) -> None:
    words = name.split()
    short = listed_options(kt(*words, "--help").stdout)
    left_out = set(hidden(ALL[name]))
    assert own_options(ALL[name]) == (short - {"--help", "--help-all"}) | left_out
    assert not short & left_out
    assert ("--help-all" in short) == bool(left_out)
    if left_out:
        everything = kt(*words, "--help-all")
        assert everything.exit_code == 0
        assert listed_options(everything.stdout) == own_options(ALL[name]) | {"--help", "--help-all"}


def test_sections_of_help_name_options_that_there_are() -> None:
    options = set().union(*map(own_options, ALL.values()))
    for names in (EXPERT, *SECTIONS.values()):
        assert names <= options, names - options
    assert sum(map(len, SECTIONS.values())) == len(frozenset().union(*SECTIONS.values())), "an option in two sections"


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("slove 8x8", "'kt solve'"),
        ("sovle", "'kt solve'"),
        ("verify", "'kt check'"),
        ("plot", "'kt draw'"),
        ("count", "'kt enumerate'"),
        ("SOLVE 6x6", "'kt solve'"),
        ("8x8", "'kt solve 8x8'"),
        ("zzz", "kt --help lists them"),
        ("solve 8x8 --minimise turns", "--minimize"),
        ("solve 8*8", "'8x8'"),
        ("solve 8x8 --minimize turn", "'turns'"),
        ("solve 8x8 --minimize bends", "'turns'"),
        ("bound 8x8 --minimize intersections", "'crossings'"),
        ("bound 8x8 --method branch", "'branching'"),
        ("find 8x8 --method warnsdorf", "'warnsdorff'"),
        ("find 8x8 --method Formation-Tour", "'formation'"),
        ("find 8x8 --method path-conversion --set cut=few", "'fewest'"),
        ("find 8x8 --method path-conversion --set cuts=even", "'cut'"),
        ("solve 8x8 --engine cp-sat", "'cpsat'"),
        ("solve 8x8 --encoding bin", "'binary'"),
        ("solve 8x8 --solver cadical", "'cadical"),
        ("solve 8x8 --symmetry rot-180", "'rot180'"),
        ("solve 8x8 --symmetry half-turn", "'rot180'"),
        ("solve 8x8 --from i9", "from a1 to h8"),
        ("solve 8x8-d4 --open --from d4", "the nearest cell is"),
        ("solve 8x8 --require a1b4", "a1 leads to b3, c2"),
        ("solve 8x8 --require a1-b4", "a1 leads to b3, c2"),
        ("search heal", "search heel'"),
        ("solve 8x8 --objective turns", "--minimize"),
        ("solve 8x8 --minimise turns", "did you mean --minimize"),
        ("solve 8x8 --closed", "--open"),
        ("solve 8x8 --timeout 3", "--time-limit"),
        ("solve 8x8 --threads 2", "--workers"),
        ("solve 8x8 --start a1", "--from"),
        ("solve 8x8 --end a1", "--to"),
        ("solve 8x8 --piece camel", "--leaper"),
        ("solve 8x8 --out x.json", "--output"),
        ("solve 8x8 --save x.json", "--output"),
        ("solve 8x8 --verbose", "--log"),
        ("solve 8x8 --xyzzy", "kt solve --help"),
        ("bound 8x8 --run DIR --forecast", "kt runs status DIR"),
        ("search heel --forecast", "kt enumerate --forecast"),
        ("gallery x.json", "draw"),
        ("view x.json", "draw"),
        ("hamiltonian 8x8", "solve"),
        ("solve 8x8 --leaper knigt", "'knight'"),
        ("solve 8x8 --leaper girafe", "'giraffe'"),
        ("solve 8x8 --leaper 1x4", "'1,4'"),
        ("solve 8x8 -o tour.jsn", "'tour.json'"),
        ("help", "kt COMMAND --help"),
        ("completion bsh", "bash"),
    ],
)
def test_mistyped_words_get_a_suggestion(typed: str, meant: str) -> None:
    result = CliRunner().invoke(main, shlex.split(typed), prog_name="kt")
    assert result.exit_code == 2, result.output
    assert result.stdout == "" and result.stderr.count("\n") == 1
    assert meant in result.stderr, result.stderr


def test_a_file_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("result.json", "result.txt", "other.json"):
        Path(name).write_text("x")
    assert "did you mean 'result.json'?" in kt("check", "resutl.json").stderr
    assert "did you mean 'result.txt'?" in kt("check", "result.tex").stderr
    assert f"did you mean '{tmp_path}/other.json'?" in kt("measure", f"{tmp_path}/othr.json").stderr
    assert "did you mean" not in kt("check", "elsewhere.json", "nothing/result.json").stderr


def test_synonyms_are_of_commands_there_are_and_are_none_themselves() -> None:
    assert set(SYNONYMS) & set(COMMANDS) == set()
    assert set(SYNONYMS.values()) - set(COMMANDS) <= {"explore", "improve"}


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("8*8", "8x8"),
        ("8 X 8", "8x8"),
        ("8by6", "8x6"),
        ("(8,8)", "8x8"),
        ("4 × 4 × 4", "4x4x4"),
        ("8", "8x8"),
        ("Aztec diamond of radius 5", "aztec:5"),
        ("aztek:5", "aztec:5"),
        ("diamond-7", "aztec:7"),
        ("torus8x8", "torus:8x8"),
        ("strip 4 x 10", "cylinder:4x10"),
        ("cylindrical 6x8", "cylinder:6x8"),
        ("8x8 without a1 and h8", ""),
        ("8x8 without a1, h8", "8x8-a1,h8"),
        ("8x8-a1-h8", "8x8-a1,h8"),
        ("board.txt", "@board.txt"),
        ("nonsense", ""),
        ("", ""),
    ],
)
def test_other_spellings_of_boards(text: str, board: str) -> None:
    assert meant_board(text) == board


@given(st.text(alphabet="0123456789xX*×-:,()@ abhztecorus", max_size=20))
def test_a_board_that_is_suggested_is_one(text: str) -> None:
    guess = meant_board(text)
    if guess and not guess.startswith("@") and not re.search(r"[0-9]{4}", guess):
        try:
            Board.parse(guess)
        except KTError as error:  # A cell that is not there, a side of 0
            fault = str(error)
        else:
            fault = ""
        assert not fault.startswith("unknown board"), (text, guess)


# -- completion --------------------------------------------------------------------------------------------------------


def completed(line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What bash is told for a line; it ends where the cursor is."""
    words = shlex.split(line)
    place = len(words) - (not line.endswith(" "))
    monkeypatch.setenv(COMPLETION, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(place))
    return CliRunner().invoke(main, [], prog_name="kt").stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kt so", ["plain,solve"]),
        ("kt solve 8x8 --mini", ["plain,--minimize"]),
        ("kt solve 8x8 --minimize ", [f"plain,{name}" for name in METRICS]),
        ("kt solve 8x8 --engine s", ["plain,sat"]),
        ("kt solve az", ["plain,aztec:5"]),
        ("kt solve ./gr", ["file,./gr"]),
        ("kt find 8x8 --method wa", ["plain,warnsdorff"]),
        ("kt find 8x8 --method path-conversion --set cut=f", ["plain,cut=fewest"]),
        ("kt bound 8x8 --method fr", ["plain,frontier"]),
        ("kt solve 8x8 --solver glucose42", ["plain,glucose42"]),
        ("kt solve 8x8 --symmetry rot", ["plain,rot180", "plain,rot90"]),
        ("kt check t", ["file,t"]),
        ("kt draw x.json -o y", ["file,y"]),
        ("kt solve 8x8 --proof pr", ["dir,pr"]),
        ("kt search he", ["plain,heel"]),
        ("kt search junction --region 6x", ["plain,6x6"]),
        ("kt completion z", ["plain,zsh"]),
    ],
)
def test_values_are_completed(line: str, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed(line, monkeypatch) == expected


def test_the_boards_that_are_offered_are_boards() -> None:
    for text in BOARDS:
        Board.parse(text)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_every_shell(shell: str, tmp_path: Path) -> None:
    script = kt("completion", shell).stdout
    assert COMPLETION in script and "kt" in script
    if program := shutil.which(shell):
        (tmp_path / "script").write_text(script)
        subprocess.run([program, "-n", str(tmp_path / "script")], check=True)


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_bash_completes_kt(tmp_path: Path) -> None:
    """The script is loaded by a real bash, and asks a real process."""
    (tmp_path / "kt").write_text(
        f'#!/bin/sh\nexec {sys.executable} -c \'import sys; sys.argv[0] = "kt"; from cli import run; run()\' "$@"\n'
    )
    (tmp_path / "kt").chmod(0o755)
    script = 'eval "$(kt completion bash)"; COMP_WORDS=(kt solve 8x8 --minimize c); COMP_CWORD=4; _kt_completion kt; '
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": root}
    result = subprocess.run(
        ["bash", "-c", script + 'echo "${COMPREPLY[@]}"'],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert result.stdout == "crossings cells\n", result.stderr
