"""Loads, several machines and two pools on the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands
from ridgeline.cli.plan_text import WHAT_REJECTS
from ridgeline.planner.outcome import Constraint

ASKED = "plan llama-3.1-8b --on h100-sxm --prompt 1000 --output 200"


def run(line: str) -> Result:
    return CliRunner().invoke(commands, line.split())


def document(line: str) -> Any:  # noqa: ANN401  JSON
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_load_has_its_chips_in_the_table_and_its_terms_in_the_inputs() -> None:
    found = document(f"{ASKED} --rate 50/s --ttft 2s --sure 0.9")
    assert found["inputs"]["requests_per_s"] == 50
    assert (found["inputs"]["sure"], found["inputs"]["ttft_quantile"]) == (0.9, 0.9)
    assert all(plan["machine"] == "h100-sxm" for plan in found["plans"])
    text = run(f"{ASKED} --rate 50/s --details").stdout
    assert "for 50 requests/s" in " ".join(text.split())
    assert "idle" not in text.split("replicas ")[2]  # of a load no chip idles
    assert "e+0" not in text


@pytest.mark.parametrize("load", ["--users 100000 --chips 1", "--rate 1000000000/s"])
def test_a_load_that_nothing_serves_is_told_why(load: str) -> None:
    result = run(f"{ASKED} {load}")
    assert result.exit_code == 1
    assert "need more chips for the load than there are" in " ".join(result.stdout.split())


def test_what_may_be_rejected_has_its_words() -> None:
    assert set(WHAT_REJECTS) == set(Constraint) - {Constraint.COST, Constraint.LOAD}


def test_how_sure_and_terms_that_differ_are_said() -> None:
    assert "a chance of 99.999 %" in " ".join(run(f"{ASKED} --users 3 --sure 0.99999").stdout.split())
    mixed = document(f"{ASKED} --on tpu-v5p --chips 8")
    assert "no engine was measured on tpu-v5p" in mixed["notes"][0]
    assert document(f"{ASKED} --on h200-sxm")["notes"] == []


def test_machines_are_compared_by_what_they_cost() -> None:
    found = document(f"{ASKED} --on h200-sxm --top 6")
    assert {plan["machine"] for plan in found["plans"]} <= {"h100-sxm", "h200-sxm"}
    assert len(found["plans"]) == 6
    assert [one["machine"] for one in found["machines"]] == ["h100-sxm", "h200-sxm"]
    assert "h200-sxm: " in run(f"{ASKED} --on h200-sxm").stdout


def test_two_pools_say_both_and_what_they_rest_on() -> None:
    found = document(f"{ASKED} --pools 2 --chips 8")
    for plan in found["plans"]:
        assert set(plan["pools"]) == {"prefill", "decode"}
        assert plan["chips"] == sum(pool["chips"] * pool["replicas"] for pool in plan["pools"].values())
    assert found["inputs"]["engine_options"]
    text = " ".join(run(f"{ASKED} --pools 2 --chips 8").stdout.split())
    assert "cache's move" in text
    assert "note: engine vllm" in text


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--users 5 --rate 1/s", "give one of them"),
        ("--rate 0/s", "--rate: 0/s asks for nothing; write what arrives, such as 20/s"),
        ("--ttft-quantile 0.9", "give --users or --rate"),
        ("--pools 2 --why-not tp1", "--why-not is of one pool on one machine"),
        ("--on h200-sxm --export vllm", "--export is of one pool on one machine"),
        ("--pools 2 --chips 1", "no pair of layouts serves this"),
        ("--rate 5", "has no unit"),
    ],
)
def test_refusals(more: str, said: str) -> None:
    result = run(f"{ASKED} {more}")
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.replace("│", " ").split())
