"""What commands say of what carries their times."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline import deploy, estimate, prefill
from ridgeline.cli import commands
from ridgeline.serving.request_carriers import request_carriers
from ridgeline.specs.provenance import Carrier
from ridgeline.specs.workload import Workload

STEP = "estimate minimax-m3 --on h200-sxm --layout tp8 --batch 64 --context 8k"
PLAN = "plan llama-3.1-8b --on h200-sxm --prompt 1000 --output 200 --top 2"
FIELDS = {"part", "source", "grade", "machine", "rows", "time_s", "time_fraction"}


def printed(words: str) -> str:
    result = CliRunner(env={"COLUMNS": "160"}).invoke(commands, words.split())
    assert result.exit_code == 0, result.output
    return result.stdout


def document(words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(f"{words} --json"))
    return found


def test_an_estimate_says_in_a_line_what_carries_it_and_names_the_worst() -> None:
    lines = printed(STEP).splitlines()
    (place,) = (number for number, line in enumerate(lines) if line.startswith("carried by "))
    assert "measured on h200-sxm, " in lines[place]
    assert "on its family (h100-sxm), " in lines[place]
    assert " % routed experts, " in lines[place + 1]
    assert "taken from h100-sxm, " in lines[place + 1]


def test_details_list_every_part_that_json_has() -> None:
    shown, carried = printed(f"{STEP} --details"), document(STEP)["carried_by"]
    assert carried[0]["grade"] == "assumed"
    for one in carried:
        assert set(one) == FIELDS
        assert one["part"] in shown or len(one["part"]) > 40  # which wraps


def test_json_adds_up_to_the_step() -> None:
    found = document(STEP)
    total_s = sum(one["time_s"] for one in found["carried_by"])
    # The same times are added in another order.
    assert total_s == pytest.approx(found["step_time_s"], rel=1e-9)


def test_plans_say_it_too_each_in_json() -> None:
    assert "carried by " in printed(PLAN).replace("  carried by  ", "carried by ")
    found = document(f"{PLAN} --why-not tp2")
    for one in (*found["plans"], found["why_not"]["plan"]):
        assert all(set(carrier) == FIELDS for carrier in one["carried_by"])
        assert sum(carrier["time_fraction"] for carrier in one["carried_by"]) == pytest.approx(1)
        # A replica's time for a request, by what it goes to and by what carries it.
        spent_s = sum(one["chip_s_per_output_token"].values()) * found["inputs"]["output_tokens"]
        carried_s = sum(carrier["time_s"] for carrier in one["carried_by"])
        assert carried_s * (one.get("chips") or 2) == pytest.approx(spent_s, rel=1e-9)


def test_an_engines_note_says_whether_it_was_measured_with_the_model_here() -> None:
    def note(words: str) -> str:
        return next(str(one) for one in document(words)["notes"] if one.startswith("engine "))

    assert "MiniMax-M3 on b200-sxm is among them" in note(STEP)
    assert "none of Llama 3.1 8B, none on l40s" in note(
        "estimate llama-3.1-8b --on l40s --layout tp1 --batch 1 --context 1k"
    )


def test_a_release_that_does_not_exist_is_no_answer() -> None:
    result = CliRunner().invoke(commands, f"{STEP} --engine vllm-9.9".split())
    assert result.exit_code != 0
    assert "newer than any in the index" in result.output.replace("\n", " ")


def test_a_pool_that_is_always_busy_rests_on_no_bubbles_of_a_lone_prompt() -> None:
    """Two stages leave a lone prompt half of its time waiting; where others follow none of them does."""
    deployment = deploy("llama-3.1-8b", "h100-sxm", "pp2")
    workload = Workload(prompt_tokens=4000, output_tokens=100)
    carried = request_carriers(deployment, workload, batch=1, decode_s=0.0, prompt_s=1.0)
    lone = estimate("llama-3.1-8b", "h100-sxm", "pp2", prefill(batch=1, prompt_tokens=4000)).carried_by

    def waits(found: Sequence[Carrier]) -> float:
        return sum(one.time_fraction for one in found if one.part == "pipeline bubbles")

    assert waits(lone) > 0.4
    assert waits(carried) < 0.1
    assert sum(one.time_s for one in carried) == pytest.approx(1.0)
