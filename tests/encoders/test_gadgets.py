"""Gadgets: the paper's heels, side patterns, what is refused, and the command."""

from __future__ import annotations

import importlib
import itertools
import json
import shlex
import signal
import threading
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from encoders.gadgets import Wanted, frames, search
from heuristics.papers.taming.formation.giraffe import giraffe_region
from kt_models import InvalidTour, KTError, Leaper
from kt_models.errors import TooLarge
from kt_models.gadgets.frame import Frame, Port
from kt_models.gadgets.gadget import Gadget, gadgets_of_json, line_offsets
from kt_models.gadgets.gadget import Path as Way
from kt_models.limits import Limits
from tests import command
from tests.processes import PATIENCE, at_work

FOLDER = Path(__file__).parents[2] / "heuristics" / "gadgets"
DATA = sorted([*FOLDER.glob("heel-*.json"), *FOLDER.glob("strip-*.json")])
HEEL = frames.formation(*frames.parse_formation(frames.HEEL))


kt = partial(command.kt, "search")


# -- the paper's heels (Besa et al. 2022, section 4.2 and Figure 11) --------------------------------------------------


def test_formations_that_move_straight() -> None:
    """Only the b x b squares among rectangles of (1, b)-leapers, b even, can move up and to the right by one cell."""
    import networkx as nx

    def moves_up(width: int, height: int, a: int, b: int) -> bool:
        graph = nx.Graph()
        graph.add_nodes_from(("from", x) for x in range(width))
        vectors = {(s * u, v) for u, v in ((a, b), (b, a)) for s in (1, -1)}
        for x, y in itertools.product(range(width), repeat=2):
            if (y - x, height) in vectors:
                graph.add_edge(("from", x), ("to", y))
        matching = nx.bipartite.hopcroft_karp_matching(graph, [("from", x) for x in range(width)])
        return len(matching) == 2 * width

    for a, b in ((1, 2), (1, 4), (1, 6), (2, 3), (3, 4), (2, 5), (1, 3)):
        able = [
            (w, h)
            for w, h in itertools.product(range(1, 13), repeat=2)
            if moves_up(w, h, a, b) and moves_up(h, w, a, b)
        ]
        if a == 1 and b % 2 == 0:
            assert able == [(b, b)] and frames.side_of(Leaper(a, b)) == b
        else:
            assert able == []
            with pytest.raises(KTError, match="square formation"):
                frames.side_of(Leaper(a, b))


def test_the_formation_of_giraffes() -> None:
    giraffe = Leaper(1, 4)
    heel = frames.formation(*frames.parse_formation(frames.GIRAFFE_HEEL), (-4, 1), leaper=giraffe)
    assert (heel.turns, heel.crossings) == (208, 1076)  # Per 32 columns: 13 turns and 67.25 crossings on both sides
    for tall in (7, 8):
        ends = [(x, y + tall) for x, y in itertools.product(range(4), repeat=2)]
        cells = (*giraffe_region(tall), *ends)
        assert search(Frame(cells, frames.quartet_ports((0, tall), (4, -1), side=4), leaper=giraffe)).infeasible


def test_the_formation_heel_has_22_turns_and_32_crossings_and_is_neutral() -> None:
    assert (HEEL.turns, HEEL.crossings) == (22, 32)
    assert HEEL.matching == "H>H V>V X>X"
    for move, matching in (((0, -1), "H>H V>X X>V"), ((1, 0), "H>X V>V X>H"), ((2, 1), "H>H V>V X>X")):  # Table 1
        assert frames.formation((0, 5), [move], (-1, 2), line_out=(1, -2)).matching == matching


def test_the_search_finds_all_seven_heels() -> None:
    found = search(HEEL.frame, wanted=Wanted(through=True))
    assert found.complete and HEEL in found.gadgets
    counts = Counter((g.turns, g.crossings) for g in found.gadgets)
    assert counts == {(21, 31): 2, (22, 28): 1, (22, 30): 1, (22, 32): 2, (24, 34): 1}


def test_figure_11_least_turns_and_least_crossings_but_not_both() -> None:
    turns = search(HEEL.frame, minimize="turns", wanted=Wanted(through=True))
    assert Counter((g.turns, g.crossings) for g in turns.gadgets) == {(21, 31): 2}
    crossings = search(HEEL.frame, minimize="crossings", wanted=Wanted(through=True))
    assert Counter((g.turns, g.crossings) for g in crossings.gadgets) == {(22, 28): 1}
    assert turns.complete and crossings.complete
    assert {g.pairing for g in turns.gadgets + crossings.gadgets} == {HEEL.pairing}


@pytest.mark.slow
def test_with_one_more_step_of_the_diagonal_free_one_heel_is_better_at_both() -> None:
    corner, moves = frames.parse_formation("a4 2,-1 S S E E N 2,-1 E E N")
    for steps in (1, 4):  # Of the lines outside
        made = frames.formation(corner, moves, steps=steps)
        assert (made.turns, made.crossings) == (22, 32)
        turns = search(made.frame, minimize="turns", wanted=Wanted(through=True))
        assert Counter((g.turns, g.crossings) for g in turns.gadgets) == {(21, 31): 2, (21, 27): 1, (21, 29): 1}
        (best,) = search(made.frame, minimize="crossings", wanted=Wanted(through=True)).gadgets
        assert (best.turns, best.crossings, best.pairing) == (21, 27, made.pairing)


@pytest.mark.slow
def test_heels_that_share_cells_with_their_neighbours_turn_less() -> None:
    corner, moves = frames.parse_formation("a3 S S E E N 2,-1 E E N -2,1 -2,1")
    frame = frames.formation(corner, moves, period=(8, 0)).frame
    found = search(frame, minimize="turns", wanted=Wanted(through=True, drift=0))
    assert [(g.turns, g.crossings) for g in found.gadgets] == [(18, 31)]
    (gadget,) = found.gadgets
    for path in gadget.paths:
        assert path.start is not None and path.end is not None
        assert path.cells[-1] == frame.ports[path.end].cell


def takes_long(path: Path) -> bool:
    """Whether its command is one of those that take seconds, up to half a minute."""
    return "sharing" in path.stem or path.stem == "strip-bottom-crossings"


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.stem)
def test_each_file_is_a_gadget_and_its_command_finds_it_again(path: Path) -> None:
    data = json.loads(path.read_text())
    gadgets = gadgets_of_json(data)
    words = shlex.split(data["command"])
    assert words[:3] == ["kt", "search", path.stem.split("-")[0]]
    if takes_long(path):
        return  # The slow test below
    result = kt(*words[2:], "--json")
    assert result.exit_code == 0
    assert gadgets_of_json(json.loads(result.stdout)) == gadgets


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in DATA if takes_long(p)], ids=lambda path: path.stem)
def test_each_slow_file_is_found_again(path: Path) -> None:
    data = json.loads(path.read_text())
    result = kt(*shlex.split(data["command"])[2:], "--json")
    assert Gadget.from_json(json.loads(result.stdout)) == Gadget.from_json(data)


# -- side patterns -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [3, 4, 5])
def test_bottoms_with_8_turns_per_4_columns(depth: int) -> None:
    found = search(frames.strip("bottom", 4, depth), minimize="turns")
    assert (found.value, len(found.gadgets), found.complete) == (8, 8, True)
    offsets = {tuple(line_offsets(g).items()) for g in found.gadgets}
    assert len(offsets) == 8
    assert {step for pattern in offsets for _, step in pattern} == {3, -3, 5, -5}
    assert all(sum(path.start is None for path in g.paths) == 2 for g in found.gadgets)


def test_left_sides_with_8_turns_per_4_rows() -> None:
    for side, depth in (("left", 2), ("left", 4), ("right", 2)):
        found = search(frames.strip(side, 4, depth), minimize="turns")
        assert (found.value, len(found.gadgets)) == (8, 16)
    found = search(frames.strip("left", 4, 2), minimize="turns")
    assert {s for g in found.gadgets for c, s in line_offsets(g).items() if c % 2 == 0} == {5, -3}


def test_sides_with_the_fewest_crossings() -> None:
    (gadget,) = search(frames.strip("left", 1, 3), minimize="crossings").gadgets
    assert (gadget.crossings, line_offsets(gadget)) == (1, {0: -3, 1: 3})  # Lines numbered modulo 2
    data = json.loads((FOLDER / "strip-bottom-crossings.json").read_text())  # Whose command is run above
    assert (data["value"], data["count"], data["status"]) == (11, 12, "optimal")


@pytest.mark.slow
def test_large_regions_are_asked_of_the_engines_first(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("encoders.gadgets.search")
    region = tuple((x, y) for x in range(5) for y in range(6))
    frame = Frame(region, frames.quartet_ports((3, 4), (2, -1)))
    for metric, letters in (("turns", ("H",)), ("turns", ("V", "X")), ("crossings", ())):
        # One pairing, a condition that the engines do not know, none
        answers = []
        for large in (10, 1000):
            monkeypatch.setattr(module, "MIN_SOLVED_CELLS", large)
            found = search(frame, minimize=metric, wanted=Wanted(matchings=letters))
            assert found.complete and found.optimal
            answers.append((found.value, found.gadgets))
        assert answers[0] == answers[1]
    monkeypatch.setattr(module, "MIN_SOLVED_CELLS", 5)
    assert search(Frame(tuple((x, y) for x in range(3) for y in range(3)), CORNERS), minimize="turns").infeasible


CORNERS = Port((0, 0), (-2, -1)), Port((2, 2), (2, 1))


def test_no_pattern_where_parity_forbids_it() -> None:
    assert search(frames.strip("bottom", 3, 4)).infeasible


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_paths_that_do_not_cover_are_no_gadget() -> None:
    paths = list(HEEL.paths)
    with pytest.raises(InvalidTour):
        Gadget(HEEL.frame, tuple(paths[:-1]))
    with pytest.raises(InvalidTour):
        Gadget(HEEL.frame, (*paths, paths[0]))
    swapped = Way(paths[0].cells, paths[0].start, paths[1].end), *paths[1:]
    with pytest.raises(InvalidTour):
        Gadget(HEEL.frame, swapped)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Frame((), ()), "at least one cell"),
        (lambda: Frame(((0, 0),), ()), "without a port"),
        (lambda: Frame(((0, 0),), (Port((1, 1), (1, 2)),)), "not in the region"),
        (lambda: Frame(((0, 0),), (Port((0, 0), (1, 1)),)), "not a 1,2 move"),
        (lambda: Frame(((0, 0), (1, 2)), (Port((0, 0), (1, 2)),)), "meets the region"),
        (lambda: Frame(((0, 0), (2, 4)), (Port((0, 0), (1, 2)), Port((2, 4), (-1, -2)))), "meets that of port"),
        (lambda: Frame(((0, 0), (4, 0)), (), (4, 0)), "translates"),
        (lambda: Frame(((0, 0),), (Port((0, 0), (1, 2)),), (4, 4)), "period"),
        (lambda: Frame(((0, 0), (10**5, 10**5)), (Port((0, 0), (1, 2)),)).graph, "too wide"),
        (lambda: frames.strip("inside", 4, 4), "unknown side"),
        (lambda: frames.formation((0, 0), [(0, 1), (0, -1)]), "a cell twice"),
        (lambda: frames.formation((0, 0), [(3, 1)]), "formation move"),
        (lambda: frames.strip("bottom", 4, 4, (-2, 1), Leaper(2, 3)), "slanted 2,3 move"),
        (lambda: frames.strip("bottom", 4, 2, (-3, 2), Leaper(2, 3)), "from 3 to"),
        (lambda: search(HEEL.frame, wanted=Wanted(matchings=("Q",))), "matching Q"),
        (lambda: search(HEEL.frame, at_most=3), "needs an objective"),
        (lambda: search(HEEL.frame, minimize="beauty"), "turns and crossings only"),
        (lambda: search(HEEL.frame, wanted=Wanted(drift=1)), "periodic"),
        (lambda: search(HEEL.frame, wanted=Wanted(joined=((0, 9),))), "numbered"),
        (lambda: search(HEEL.frame, wanted=Wanted(linked=((0, 1),))), "linked outside"),
    ],
)
def test_senseless_frames_are_refused(make, words: str) -> None:
    with pytest.raises(KTError, match=words):
        make()


def test_a_region_too_large_is_refused_before_work() -> None:
    cells = tuple((x, y) for x in range(60) for y in range(60))
    with pytest.raises(TooLarge):
        search(Frame(cells, (Port((0, 0), (-1, -2)), Port((1, 0), (-1, -2)))))


def test_a_search_stops_when_told() -> None:
    stop = threading.Event()
    stop.set()
    found = search(frames.strip("bottom", 12, 6), minimize="crossings", limits=Limits(stop=stop))
    assert (found.status, found.complete) == ("unknown", False)


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_answers_in_full_and_in_json() -> None:
    result = kt("heel", "--minimize", "turns", "--all", "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["status"], data["value"], data["count"]) == (0, "optimal", 21, 2)
    assert [Gadget.from_json(g).turns for g in data["gadgets"]] == [21, 21]
    gadget = json.loads(kt("heel", "--minimize", "turns", "--json").stdout)
    assert gadget["kind"] == "gadget" and gadget["value"] == 21 and "count" not in gadget
    text = kt("strip", "--minimize", "turns", "--all").stdout
    assert "8 (least, proved)" in text and "strand" in text and "lines 0:" in text


@pytest.mark.slow
def test_junctions_have_the_matching_asked_for() -> None:
    for letter in "HVX":
        data = json.loads(kt("junction", "--matching", letter, "--minimize", "turns", "--json").stdout)
        assert data["matching"] == letter
    assert kt("junction", "--region", "3x3", "--matching", "H").exit_code == 0  # Answered: there is none


@pytest.mark.slow
def test_corners_have_the_ports_asked_for() -> None:
    data = json.loads(kt("corner", "--region", "8x8", "--lines", "-2,1", "--minimize", "turns", "--json").stdout)
    assert data["status"] == "optimal"
    assert all(port["move"] in ([-2, 1], [2, -1]) for port in data["ports"])
    cells = [(p["cell"][0] + p["move"][0], p["cell"][1] + p["move"][1]) for p in data["ports"]]
    assert all(x >= 0 and y >= 0 and (x > 7 or y > 7) for x, y in cells)
    words = ["corner", "--region", "5x4", "--enter", "a4:-2,1x3", "--leave", "d4:1,2", "--json"]
    through = json.loads(kt(*words, "--through", "--one-cycle", "--link", "1-2").stdout)
    assert len(through["paths"]) == 1


def test_limits_end_a_search_with_what_there_is(tmp_path: Path) -> None:
    result = kt("junction", "--all", "--max", "3", "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["count"], data["complete"], len(data["gadgets"])) == (3, 3, False, 3)
    output = tmp_path / "none.json"
    result = kt(
        "strip", "--period", "20", "--depth", "8", "--minimize", "crossings", "--time-limit", "0.3", "-o", output
    )
    assert result.exit_code == 3
    assert json.loads(output.read_text())["status"] in ("unknown", "feasible")


def test_ctrl_c_ends_a_search_with_what_there_is() -> None:
    words = ["search", "strip", "--period", "20", "--depth", "8", "--minimize", "crossings", "--json"]
    with at_work("encoders.sat.oracle:solve_in_slices", *words) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert json.loads(out)["status"] in ("unknown", "feasible")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["heel", "--pick", "1"], "--all"),
        (["heel", "--max", "1"], "--all"),
        (["heel", "--all", "--pick", "9", "--minimize", "turns"], "2 found"),
        (["heel", "--sweep", "a3 Q"], "'Q'"),
        (["heel", "--sweep", ""], "--sweep"),
        (["heel", "--line", "1"], "DX,DY"),
        (["heel", "--join", "1-99"], "numbered"),
        (["heel", "--minimize", "both"], "turns and crossings only"),
        (["heel", "--time-limit", "-1", "--minimize", "turns"], "time limit"),
        (["heel", "--period", "3"], "translates"),
        (["heel", "-o", "heel.txt"], "heel.txt"),
        (["heel", "-o", "/nowhere/heel.json"], "/nowhere"),
        (["heel", "--formation", "-o", "heel.txt"], "heel.txt"),
        (["junction", "--quartet", "z9:1,2"], "not in the region"),
        (["junction", "--region", "4x4x4"], "plane"),
        (["junction", "--region", "100x100"], "over the limit"),
        (["corner", "--region", "4x4"], "without a port"),
        (["corner", "--region", "4x4", "--enter", "a1:-1,-2"], "even number"),
        (["corner", "--region", "4x4", "--enter", "a1"], "CELL:DX,DY"),
        (["corner", "--region", "4x4", "--link", "1-2"], "--one-cycle"),
        (["corner", "--region", "4x4", "--lines", "-2,1", "--open", "north"], "unknown side"),
        (["strip", "--period", "0"], "period"),
        (["strip", "--depth", "99999"], "depth"),
        (["strip", "--direction", "1,1"], "slanted 1,2 move"),
    ],
)
def test_bad_usage_is_one_line(words: list[str], message: str) -> None:
    result = kt(*words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_gadgets_are_drawn_as_valid_svg(tmp_path: Path) -> None:
    import xml.etree.ElementTree as ET

    for words in (
        ["heel", "--formation"],
        ["strip", "--minimize", "turns"],
        ["strip", "--side", "left", "--period", "1"],
    ):
        svg, png = tmp_path / "g.svg", tmp_path / "g.png"
        assert kt(*words, "-o", svg).exit_code == kt(*words, "-o", png).exit_code == 0
        assert png.read_bytes().startswith(b"\x89PNG")
        ids = {e.get("class") for e in ET.parse(svg).iter()}
        assert {"paths", "outside", "turns", "crossings", "squares", "border"} <= ids
    assert HEEL._repr_svg_() == HEEL._repr_svg_()
    assert "24 cells, 4 paths, 22 turns, 32 crossings" in HEEL._repr_svg_()
