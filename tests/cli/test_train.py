"""``ridgeline train``: what is printed, the document's contract, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands

ASKED = ("train", "llama-3.1-70b", "--on", "h100-sxm", "--tokens", "1T", "--batch-tokens", "4M")


def run(*more: str) -> Result:
    return CliRunner().invoke(commands, [*ASKED, *more])


def document(*more: str) -> dict[str, Any]:
    result = run(*more, "--json")
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


@pytest.mark.slow
def test_a_search_prints_layouts_the_run_and_where_numbers_come_from() -> None:
    result = run("--chips", "128", "--details", "--why-not", "tp8,pp8,dp2", "--measured", "32s")
    assert result.exit_code == 0, result.output
    text = re.sub(r"\s+", " ", result.output)
    for said in (
        "80 % interval",
        "goodput",
        "Why not:",
        "Measured 32 s",
        "Searched",
        "part of the step",
        "time lost to",
    ):
        assert said in text
    assert "4,000,000 tokens are no whole number of sequences" in text
    assert text.count("note: ") >= 5


@pytest.mark.slow
def test_a_layout_that_nearly_fills_its_memory_is_marked_and_one_with_room_is_named() -> None:
    line = "train llama-3.1-70b --on h100-sxm --chips 2048 --tokens 15T --batch-tokens 16M"
    shown = CliRunner().invoke(commands, line.split()).stdout
    marked = re.findall(r"^(tp\S+) .* ([\d.]+) GB!", shown, re.MULTILINE)
    assert marked
    assert "memory !: nearly all of the" in shown
    roomier = re.search(r"With room to spare: (\S+) with recompute \S+ fills ([\d.]+) %", " ".join(shown.split()))
    assert roomier is not None
    assert float(roomier[2]) <= 95
    assert roomier[1] not in dict(marked)
    assert "vpp41 on pp2: embedding and loss count as a layer each, so that 80 layers are cut as 82" in re.sub(
        r"\s+", " ", shown
    )


@pytest.mark.parametrize(
    ("model", "more", "said"),
    [
        ("qwen3-30b-a3b", (), "by alltoall, not hidden behind computing (--dispatcher deepep --hide-dispatch"),
        ("qwen3-30b-a3b", ("--dispatcher", "deepep"), "by deepep, not hidden behind computing (--hide-dispatch"),
        ("llama-3.1-8b", (), "of the chip's bf16 peak"),
        ("llama-3.1-8b", ("--format", "fp8-block"), "of the chip's fp8 peak"),
    ],
)
def test_what_a_step_rests_on_is_said(model: str, more: tuple[str, ...], said: str) -> None:
    """How tokens go to experts where there are any, and which peak utilisation is a part of."""
    line = f"train {model} --on h100-sxm --tokens 1T --batch-tokens 4Mi --layout dp8 --recompute full".split()
    shown = re.sub(r"\s+", " ", CliRunner().invoke(commands, [*line, *more]).stdout)
    assert said in shown
    assert ("go to experts" in shown) is (model != "llama-3.1-8b")


@pytest.mark.parametrize("tokens", ["20M", "1T", "15T"])
def test_money_has_as_many_digits_whatever_its_size(tokens: str) -> None:
    """Three, as all else: the price of a chip is known to fewer."""
    line = f"train llama-3.1-8b --on h100-sxm --chips 64 --tokens {tokens} --batch-tokens 4Mi --layout dp64".split()
    shown = CliRunner().invoke(commands, line).stdout
    usd = json.loads(CliRunner().invoke(commands, [*line, "--json"]).stdout)["run"]["usd"]
    (row,) = (one for one in shown.splitlines() if one.startswith("dp64"))
    money = row.split()[-1].removeprefix("$")
    assert f", ${money}, " in " ".join(shown.split()), "in the sentence on the run, too"
    value = float(money.rstrip("M").replace(",", "")) * (1e6 if money.endswith("M") else 1)
    assert value == float(f"{usd:.3g}")


def test_the_document_has_what_others_rely_on() -> None:
    found = document("--chips", "128")
    contract = ("inputs", "layout", "step_time_s", "mfu_fraction", "hfu_fraction", "memory", "bubble_fraction", "run")
    assert {*contract, "step_time_low_s", "step_time_high_s"} <= set(found)
    assert {"days", "usd", "kwh", "goodput_fraction"} <= set(found["run"])
    assert found["step_time_low_s"] < found["step_time_s"] < found["step_time_high_s"]
    assert sum(found["parts_s"].values()) == pytest.approx(found["step_time_s"])
    assert found["plans"][0]["step_time_s"] == found["step_time_s"]
    again = document("--layout", found["layout"]["text"], "--recompute", found["recompute"])
    assert again["step_time_s"] == pytest.approx(found["step_time_s"])
    assert again["search"] == []


@pytest.mark.parametrize(
    ("given", "chips", "head"),
    [
        ("2,048", [2048], "on 2,048 chips of"),
        ("512,1024", [512, 1024], "on 512 and 1,024 chips of"),
        ("256, 512", [256, 512], "on 256 and 512 chips of"),
        ("2,048, 4,096", [2048, 4096], "on 2,048 and 4,096 chips of"),
        ("1,024 , 2,048", [1024, 2048], "on 1,024 and 2,048 chips of"),
        ("2,048,4096,512", [2048, 4096, 512], "on 512, 2,048 and 4,096 chips of"),
        ("64", [64], "on 64 chips of"),
        ("2,64", [2, 64], "on 2 and 64 chips of"),
    ],
)
def test_digits_in_groups_of_three_are_one_number_of_chips(given: str, chips: list[int], head: str) -> None:
    """As plan reads them; a list is headed by all of its members, those on which nothing fits, too."""
    line = "train llama-3.1-8b --on h100-sxm --tokens 1T --batch-tokens 16M --micro-batch 1 --recompute full --chips"
    result = CliRunner().invoke(commands, [*line.split(), given])
    assert head in " ".join(result.stdout.split())
    assert json.loads(CliRunner().invoke(commands, [*line.split(), given, "--json"]).stdout)["inputs"]["chips"] == chips


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("256,512", "write 256512 or '256, 512'"),
        ("8,192,16,384", "write '8192, 16384' or '8, 192, 16, 384'"),
        ("1,024,512", "write 1024512 or '1,024, 512'"),
        ("4096,048", "'048' in '4096,048' begins with 0"),
    ],
)
def test_digits_that_may_be_one_number_of_chips_or_several_are_refused(given: str, said: str) -> None:
    line = "train llama-3.1-8b --on h100-sxm --tokens 1T --batch-tokens 16M --chips"
    result = CliRunner().invoke(commands, [*line.split(), given])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


@pytest.mark.slow
def test_several_numbers_of_chips_have_a_line_each() -> None:
    result = run("--chips", "64, 128")
    assert result.exit_code == 0, result.output
    assert re.search(r"^ *64 .*\n *128 ", result.output, re.MULTILINE)


def test_a_layout_that_does_not_fit_says_what_does() -> None:
    result = run("--layout", "dp64")
    assert result.exit_code == 1
    assert "Does not fit as given: " in result.output
    assert re.search(r"--layout dp64,zero3.*: .* GB, a step of .* s, .* days", re.sub(r"\s+", " ", result.output))
    assert "dp64 does not fit in memory; --layout dp64,zero3" in result.stderr
    # No run is timed that cannot be.
    assert not re.search(r"^(Step|Run) ", result.output, re.MULTILINE)


@pytest.mark.slow
def test_the_pipeline_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "pipeline.svg"
    result = run("--layout", "tp8,pp4,dp4,vpp2", "--schedule", "zb-v", "--figure", str(path))
    assert result.exit_code == 0, result.output
    assert "ZB-V" in path.read_text()
    for layout, said in (("tp8,dp16", "no pipeline"), ("tp1,pp80,dp1,zero3", "too fine to be seen")):
        refused = run("--layout", layout, "--figure", str(tmp_path / "no.svg"))
        assert refused.exit_code == 2
        # A plan whose passes are too fine is told all the same; a layout without stages is refused before it is timed.
        assert refused.stdout.startswith("Llama 3.1 70B on ") is (said != "no pipeline")
        assert said in re.sub(r"[│\s]+", " ", refused.output)
        assert not (tmp_path / "no.svg").exists()


def test_what_memory_is_not_modelled_for_is_said_in_words() -> None:
    line = "train deepseek-v3.2 --on h100-sxm --chips 64 --batch-tokens 4Mi --tokens 1T"
    refused = CliRunner().invoke(commands, line.split())
    assert refused.exit_code != 0
    assert "for the indexed sparse attention of deepseek-v3.2" in re.sub(r"\s+", " ", refused.output)


def test_what_fits_nowhere_is_said_without_a_number() -> None:
    result = run("--chips", "8")
    assert result.exit_code == 1
    assert "fits in memory" in result.output
    assert not result.stdout
    assert "8 chips" in run("--chips", "8, 128").output


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--chips", "x"), "x"),
        ((), "Missing option '--chips': give those of the run"),
        (("--layout", "tp3"), "does not divide the 64 heads"),
        (("--layout", "tp8,pp4,dp4", "--measured", "0s"), "above 0; write what was measured: 5.2s"),
        (("--chips", "128", "--format", "fp4"), "fp4"),
        (("--chips", "128", "--framework", "mine"), "mine"),
        (("--chips", "128", "--sequence", "5001"), "the nearest are"),
        (("--layout", "tp8,pp4,dp4", "--pue", "0.5"), "pue"),
    ],
)
def test_what_is_wrong_is_said_without_a_number(more: tuple[str, ...], said: str) -> None:
    result = run(*more)
    assert result.exit_code == 2
    assert said in re.sub(r"[│\s]+", " ", result.output)
    assert "step" not in result.stdout


def test_what_more_of_a_machine_changes_is_said_in_words() -> None:
    said = re.sub(r"\s+", " ", run("--chips", "128", "--details").stdout)
    assert "what 1 % more changes of a step's time" in said
    assert re.search(r"HBM bandwidth -?[\d.]+ %", said)
    assert "_per_s" not in said


@pytest.mark.slow
def test_what_more_chips_cost_is_said() -> None:
    several = re.sub(r"\s+", " ", run("--chips", "512,4096").stdout)
    assert re.search(
        r"Cheapest: 512 chips; the fastest, 4,096, are done 6\.\d+ times as soon for 1\.\d+ times", several
    )
    assert "each doubling beyond 512 chips" in several
    assert "megatron ran on more than 3,072 chips" in several
    alone = re.sub(r"\s+", " ", run("--layout", "tp8,pp8,dp64,vpp10").stdout)
    assert re.search(r"Fewer chips are cheaper: half of them take .* fewer chip-hours, in tp8,pp8,dp32,vpp10", alone)
    assert "Fewer chips" not in run("--layout", "tp4,pp4,dp4,vpp20").stdout


def test_the_wait_for_the_slowest_of_many_chips_is_counted_once() -> None:
    """A step's loss at scale holds it beyond 512 chips, and the run names the chips that it adds."""
    few, many = (
        re.sub(r"\s+", " ", run("--layout", layout, "--details").stdout)
        for layout in ("tp8,pp4,dp16,vpp4", "tp8,pp4,dp64,vpp4")
    )
    assert "the slowest chip" in few
    assert "loss at scale" not in few
    assert "the slowest of 512 chips" in many
    counted = "counted by itself from 8 chips, whose wait every measured step has in it, up to 512"
    assert f"The wait for the slowest chip is {counted}; beyond, it is a part of this loss" in many
    assert "a standard deviation between chips' times of 1.5 %" in many


def test_where_all_the_fastest_nearly_fill_the_memory_the_best_with_room_is_searched() -> None:
    line = "train qwen3-30b-a3b --on h100-sxm --chips 16 --tokens 1T --batch-tokens 4Mi --count 1"
    found = json.loads(CliRunner().invoke(commands, [*line.split(), "--json"]).stdout)
    shown = " ".join(CliRunner().invoke(commands, line.split()).stdout.split())
    roomy = found["roomier"]
    assert "GB!" in shown
    assert roomy["step_time_s"] >= found["step_time_s"]
    assert f"{roomy['run']['days']:.3g} days" in shown.partition("With room to spare:")[2]


def test_no_other_recompute_mode_of_the_fastest_layouts_has_room_and_is_faster() -> None:
    """A search keeps the fastest mode of each layout, which may be the one that nearly fills the memory."""
    line = "train llama-3.1-8b --on h100-sxm --tokens 1T --batch-tokens 4Mi --json"
    found, other = (
        json.loads(CliRunner().invoke(commands, [*line.split(), *more]).stdout)
        for more in (("--chips", "256"), ("--layout", "dp256", "--recompute", "selective:layernorm"))
    )
    assert other["memory"]["total_bytes"] <= 0.95 * other["memory"]["room_bytes"]
    assert found["roomier"]["step_time_s"] <= other["step_time_s"]


def test_notes_that_are_alike_for_every_run_are_one_without_details() -> None:
    line = "train llama-3.1-8b --on h100-sxm --tokens 1T --batch-tokens 4Mi --layout dp8 --recompute full"
    brief, full = (
        " ".join(CliRunner().invoke(commands, [*line.split(), *more]).stdout.split()) for more in ((), ("--details",))
    )
    assert "note: failures, restart, checkpoints and stragglers: of published runs" in brief
    assert "Tectonic" not in brief
    assert "Tectonic" in full


def test_failures_of_any_published_run_are_in_that_one_note_and_ones_own_are_not() -> None:
    line = "train llama-3.1-8b --on a100-80-sxm --tokens 1T --batch-tokens 4Mi --layout dp8 --recompute full"
    usual, own = (
        " ".join(CliRunner().invoke(commands, [*line.split(), *more]).stdout.split())
        for more in ((), ("--mtbf", "9e4h"))
    )
    assert "note: failures, restart, checkpoints and stragglers: of published runs" in usual
    assert "RSC-1" not in usual
    assert "note: failures: as given" in own
    assert "note: restart, checkpoints and stragglers: of published runs" in own
