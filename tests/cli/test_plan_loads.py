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
        ("--pue 1.3", "give --power or --electricity"),
        ("--pools 2 --power 5kW", "--power is of one pool on one machine"),
        ("--electricity 0.08", "has no unit"),
    ],
)
def test_refusals(more: str, said: str) -> None:
    result = run(f"{ASKED} {more}")
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.replace("│", " ").split())


def test_power_and_electricity_are_said_where_they_are_asked_for() -> None:
    line = f"{ASKED} --chips 8 --power 3kW --pue 1.3 --electricity 0.08/kWh --price $1/h"
    said = " ".join(run(line).stdout.split())
    assert "at most 3 kW at a PUE of 1.3" in said
    assert "electricity at $0.08/kWh" in said
    assert "of 3 kW, with a PUE of 1.3" in said
    assert "kWh/Mtok out" in said
    found = document(line)
    assert found["inputs"]["electricity_usd_per_j"] == pytest.approx(0.08 / 3.6e6)
    energy = found["plans"][0]["energy"]
    assert energy["site_power_w"] <= 3000
    shown = f"{energy['energy_j_per_output_token'] / 3.6:.3g} kWh/Mtok out"
    assert shown in said
    assert "kWh" not in run(f"{ASKED} --chips 8").stdout
    assert "kWh" in run(f"{ASKED} --chips 8 --details").stdout


def test_electricity_beside_a_rental_price_is_noted() -> None:
    assert "rental price, which has it already" in " ".join(run(f"{ASKED} --electricity $80/MWh").stdout.split())


def test_too_little_power_says_how_much_would_do() -> None:
    result = run(f"{ASKED} --rate 50/s --power 500W")
    assert result.exit_code == 1
    assert "give more --power, or a smaller load" in result.stderr
    assert "draw more power than there is" in " ".join(result.stdout.split())
