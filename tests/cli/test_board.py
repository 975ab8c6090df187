from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import BOARDS
from ridgeline.boards.picture import Curves
from ridgeline.cli import commands


def run(line: str, *extra: object) -> Any:  # noqa: ANN401  click's result
    return CliRunner().invoke(commands, [*line.split(), *map(str, extra)])


def test_boards_are_listed_one_a_line_with_the_name_first_and_no_header() -> None:
    result = run("boards")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    lines = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in lines] == [one.name for one in BOARDS]
    assert [one["name"] for one in json.loads(run("boards --json").stdout)["boards"]] == [one.name for one in BOARDS]


@pytest.mark.parametrize("name", [one.name for one in BOARDS])
@pytest.mark.parametrize("mode", ["lecture", "careful"])
def test_every_board_prints_controls_curves_and_claims(name: str, mode: str) -> None:
    one = next(one for one in BOARDS if one.name == name)
    result = run(f"board {name} --mode {mode}")
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    assert " ".join(one.question.split()) in said
    first = one.views[0].compute(one.values(Mode(mode)))
    words = one.views[0].x.caption if isinstance(first, Curves) else first.text
    for word in (*(control.name for control in one.controls), *one.claims, *words.split()):
        assert word in said


def test_what_is_believed_is_a_row_for_each_light() -> None:
    said = run("board output-evidence").stdout
    assert "exclude each other" in " ".join(said.split())
    assert re.search(r"his reading of output over input +0\.17 +0\.2 +0\.24", said)
    tiers = run("board tier-evidence").stdout
    assert re.search(r"where a cache waits +HBM +DDR +flash +disk", tiers)
    assert re.search(r"before any price +25.% +25.% +25.% +25.%", tiers)


def test_a_board_as_json_repeats_what_it_was_drawn_with() -> None:
    result = run("board latency --json --mode careful --set context_tokens=2k --set chips=8")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {"board": "latency", "mode": "careful"}.items() <= found["inputs"].items()
    assert found["inputs"]["controls"]["context_tokens"] == 2000
    assert found["inputs"]["controls"]["chips"] == 8
    view = found["views"][0]
    assert {len(line["y"]) for line in view["lines"]} == {len(view["x"])}
    assert json.loads(run("board latency --json").stdout)["views"][0]["x"] != view["x"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("board latincy", "nearest: latency. All: ridgeline boards"),
        ("board latency --set chips", "write chips=VALUE"),
        ("board latency --set batch=3", "it has active_params"),
        ("board latency --set chips=0", "outside 1 to 16.38k"),
        ("board latency --set flop_per_s=2e15", "has no unit"),
        ("board latency --theme dark", "add --figure FILE"),
    ],
)
def test_what_is_wrong_is_refused_with_what_to_write(line: str, said: str) -> None:
    result = run(line)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.slow
def test_a_board_is_drawn_in_both_formats_and_themes(tmp_path: Path) -> None:
    for name, extra in {"a.png": (), "a.svg": (), "b.svg": (), "dark.svg": ("--theme", "dark")}.items():
        result = run("board latency", "--figure", tmp_path / name, *extra)
        assert result.exit_code == 0, result.output
        assert result.stderr == f"figure: {tmp_path / name}\n"
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert ET.parse(tmp_path / "a.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  our own
    first, again, dark = ((tmp_path / f"{name}.svg").read_bytes() for name in ("a", "b", "dark"))
    assert first == again != dark


def test_a_height_that_nothing_reaches_is_said_in_words() -> None:
    """Below the fewest parameters of a fit no tokens reach the loss."""
    shown = run("board budget --set tokens=20T --set active_params=20B").stdout
    rows = shown.split("Their sum by each fit\n")[1].split("FLOP over the least")[0].splitlines()
    assert "out of reach" in shown
    assert not [row for row in rows if re.search(r"\b1M\b", row)]


def test_spans_in_which_nothing_changes_are_one_row() -> None:
    """Steps have a row each, what counts none twice, and a level as far as it goes."""
    shown = {name: run(f"board {name}").stdout for name in ("domains", "scale-out", "utilisation")}
    steps = [line.split() for line in shown["domains"].splitlines() if "  5T  " in line]
    assert [row[-1] for row in steps[1:]] == ["618B", "1.09T", "12.9T", "19.3T", "133T"]
    assert steps[1][:3] == ["2020", "to", "2024"]
    racks = shown["scale-out"].split("all-to-all\n")[1].split("all-to-all time")[0].splitlines()[1:]
    assert [row.split()[0] for row in racks if row] == [str(count) for count in range(1, 9)]
    assert re.search(r"2k to 66\.7k +100 % +100 %", shown["utilisation"])
