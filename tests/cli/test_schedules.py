from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.cli import commands
from ridgeline.cli.schedules import HEADERS
from ridgeline.training.schedules import SCHEDULES

ASKED = "schedules --stages 8 --micro-batches 32"


def run(line: str, *extra: object) -> Any:  # noqa: ANN401  click's result
    return CliRunner().invoke(commands, [*line.split(), *map(str, extra)])


def test_every_schedule_has_a_line() -> None:
    printed = run(ASKED).stdout
    assert re.findall(r"^(\S+)  ", printed, re.MULTILINE)[1:] == list(SCHEDULES)
    (half,) = re.findall(r"^v-half .*$", printed, re.MULTILINE)
    assert half.split() == ["v-half", "2", "11.9", "%", "11.9", "%", "5", "0.625x", "1x", "28"]


def test_units_and_bare_numbers_are_the_same_ratios() -> None:
    parts = "--forward {0} --input-gradient {1} --weight-gradient {2} --hop {3}"
    bare = run(f"{ASKED} {parts.format(1, 1.5, 0.5, 0.25)}").stdout
    assert run(f"{ASKED} {parts.format('4ms', '6ms', '2ms', '1ms')}").stdout == bare != run(ASKED).stdout


def test_the_document_repeats_what_was_asked_and_says_why_a_schedule_has_no_such_shape() -> None:
    document = json.loads(run("schedules --stages 7 --micro-batches 30 --virtual-stages 3 --json").stdout)
    inputs = document["inputs"]
    assert (inputs["stages"], inputs["micro_batches"], inputs["virtual_stages"], inputs["hop_s"]) == (7, 30, 3, 0)
    found = {one["schedule"]: one for one in document["schedules"]}
    assert list(found) == list(SCHEDULES)
    assert found["1f1b"]["bubble_fraction"] == pytest.approx(6 / 36)
    assert found["1f1b"]["refusal"] == ""
    assert found["interleaved"]["bubble_fraction"] is None
    assert "give 28 or 35" in found["interleaved"]["refusal"]
    assert "give 6 or 8" in found["dualpipe"]["refusal"]


@pytest.mark.slow
def test_a_schedule_is_drawn_beside_the_table(tmp_path: Path) -> None:
    result = run(ASKED, "--schedule", "ZBV", "--figure", tmp_path / "zb-v.svg")
    assert result.exit_code == 0, result.output
    assert result.stdout == run(ASKED).stdout
    assert "<svg" in (tmp_path / "zb-v.svg").read_text()


def test_steps_that_never_turn_are_played_up_to_a_length() -> None:
    """GPipe and the inference loop alone; the others leap."""
    document = json.loads(run("schedules --stages 16 --micro-batches 1000000 --virtual-stages 2 --json").stdout)
    refused = {one["schedule"]: one["refusal"] for one in document["schedules"] if one["refusal"]}
    assert set(refused) == {"gpipe", "inference-loop"}
    assert "give at most 125,000 micro-batches" in refused["gpipe"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{ASKED} --schedule 1f1b", "add --figure FILE"),
        (f"{ASKED} --figure out.svg", "add --schedule NAME"),
        (f"{ASKED} --figure out.svg --schedule 1f2b", "Is it 1f1b that you mean"),
        ("schedules --stages 7 --micro-batches 28 --figure out.svg --schedule dualpipe", "give 6 or 8"),
        ("schedules --stages 64 --micro-batches 256 --figure out.svg --schedule 1f1b", "give at most 64 micro-batches"),
        ("schedules --stages 0 --micro-batches 8", "not a whole number from 1"),
        (f"{ASKED} --forward -1", "forward_s of -1"),
        (f"{ASKED} --hop nan", "hop_s of nan"),
        (f"{ASKED} --hop soon", "'soon'"),
        (f"{ASKED} --forward 0 --input-gradient 0 --weight-gradient 0", "are all 0"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_write(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(line)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert not list(tmp_path.iterdir())


def test_every_head_of_the_table_is_explained() -> None:
    """But for the schedule's own, all that are there stand in the line below, in their order."""
    shown = " ".join(run(ASKED).stdout.split())
    told = shown.partition("chunks: ")[0]
    assert told != shown
    legend = shown.removeprefix(told)
    assert all(f"{head}:" in legend for head in HEADERS[1:])
    assert sorted(HEADERS[1:], key=lambda head: legend.index(f"{head}:")) == list(HEADERS[1:])
