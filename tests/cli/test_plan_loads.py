"""Loads, several machines and two pools on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ridgeline import plan as search
from ridgeline.cli import commands
from ridgeline.cli.output import short, show
from ridgeline.cli.rejected import WHAT_REJECTS
from ridgeline.planner.front import thinned
from ridgeline.planner.outcome import Constraint
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

ASKED = "plan llama-3.1-8b --on h100-sxm --prompt 1000 --output 200"


def run(line: str, **environment: str) -> Result:
    return CliRunner().invoke(commands, line.split(), env=environment)


def document(line: str) -> Any:  # noqa: ANN401  JSON
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.slow
def test_a_load_has_its_chips_in_the_table_and_its_terms_in_the_inputs() -> None:
    found = document(f"{ASKED} --rate 50/s --ttft 2s --sure 0.9")
    assert found["inputs"]["requests_per_s"] == 50
    assert (found["inputs"]["sure"], found["inputs"]["ttft_quantile"]) == (0.9, 0.9)
    assert all(plan["machine"] == "h100-sxm" for plan in found["plans"])
    text = run(f"{ASKED} --rate 50/s --details").stdout
    assert "for 50 requests/s" in " ".join(text.split())
    assert "idle" not in text.split("replicas ")[2]  # of a load no chip idles
    assert "e+0" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("load", "rejected", "remedy"),
    [
        ("--users 100000 --chips 1", "Rejected (1 layout) 1 needs more chips for the load", "the budget is 1; give"),
        ("--rate 1000000/s", "need more chips for the load than there are", "without --chips 4,096 replicas are the"),
    ],
)
def test_a_load_that_nothing_serves_is_told_why(load: str, rejected: str, remedy: str) -> None:
    result = run(f"{ASKED} {load} --details")
    assert result.exit_code == 1
    assert rejected in " ".join(result.stdout.split())
    assert remedy in " ".join(result.stderr.split())
    # As many as it says are enough.
    needed = result.stderr.split("needs ")[1].split(" chip")[0].replace(",", "")
    assert run(f"{ASKED} {load.partition(' --chips')[0]} --chips {needed}").exit_code == 0


def test_ties_name_plans_that_are_shown_and_count_the_others() -> None:
    alike = "plan deepseek-v3 --on b200-sxm --prompt 4000 --output 1000 --fidelity napkin"
    said = " ".join(run(alike).stdout.split())
    every = " ".join(run(f"{alike} --top 99").stdout.split())
    further = r"; plans ([\d, ]+) and (\d+) others \(--top \d+\) cost the same"
    ((named, number),) = re.findall(further, said)
    (ranked,) = re.findall(r"; plans ([\d, and]+) cost the same", every)
    ranks = ranked.replace(" and", ",").split(", ")
    assert [rank for rank in ranks if int(rank) <= 5] == named.split(", ")
    assert len(ranks) == len(named.split(", ")) + int(number)


def test_a_batch_that_is_asked_for_is_no_part_of_a_load() -> None:
    assert "64: as asked for (--batch)" in " ".join(run(f"{ASKED} --batch 64").stdout.split())
    assert ": its part of the load" in " ".join(run(f"{ASKED} --users 64").stdout.split())


def test_what_may_be_rejected_has_its_words() -> None:
    assert set(WHAT_REJECTS) == set(Constraint) - {Constraint.COST, Constraint.LOAD}


@pytest.mark.slow
def test_how_sure_and_terms_that_differ_are_said() -> None:
    assert "a probability of 99.999 %" in " ".join(run(f"{ASKED} --users 3 --sure 0.99999").stdout.split())
    mixed = document(f"{ASKED} --on tpu-v5p --chips 8")
    assert "no engine was measured on tpu-v5p" in mixed["notes"][0]
    assert document(f"{ASKED} --on h200-sxm")["notes"] == []


def test_machines_are_compared_by_what_they_cost() -> None:
    found = document(f"{ASKED} --on h200-sxm --top 6")
    assert {plan["machine"] for plan in found["plans"]} <= {"h100-sxm", "h200-sxm"}
    assert len(found["plans"]) == 6
    assert [one["machine"] for one in found["machines"]] == ["h100-sxm", "h200-sxm"]
    assert "h200-sxm: " in run(f"{ASKED} --on h200-sxm").stdout


@pytest.mark.parametrize(
    ("money", "by", "wins"),
    [
        ("--budget $50/h", "requests a second for the money", "serves most"),
        ("--chips 8", "dollars a request", "is the cheapest"),
        ("--users 64", "dollars an hour", "is the cheapest"),
    ],
)
def test_the_order_of_several_machines_is_said(money: str, by: str, wins: str) -> None:
    line = f"plan llama-3.1-8b --on h100-sxm --on mi300x --prompt 2000 --output 256 {money}"
    shown, of_two = (" ".join(run(one).stdout.split()) for one in (line, f"{line} --top 2"))
    assert f"the best plan of each machine first, then the others, both by {by}; plans of one machine" in shown
    # One plan of each has no order of its own.
    assert f"by {by}; " in of_two
    assert "plans of one machine" not in of_two
    assert f"mostly measured, h100-sxm {wins} (" in shown
    if wins == "serves most":
        heads = [plan["requests_per_s"] for plan in document(f"{line} --top 2")["plans"]]
        assert heads == sorted(heads, reverse=True)


UNPRICED = "--on vr200-nvl144 --on rubin-ultra-nvl576"


@pytest.mark.parametrize(
    ("machines", "by"),
    [
        (UNPRICED, "chip time a request"),
        (f"{UNPRICED} --on h100-sxm", "dollars a request, those without a price last"),
    ],
)
def test_machines_without_a_price_are_not_said_to_be_in_order_of_dollars(machines: str, by: str) -> None:
    line = f"plan llama-3.1-8b {machines} --chips 8 --prompt 2000 --output 256 --top 4"
    shown, found = " ".join(run(line).stdout.split()), document(f"{line} --top 1")
    assert f"both by {by}; plans of one machine" in shown
    prices = {one["machine"]: one["usd_per_chip_s"] for one in found["machines"]}
    # The best of each machine: first those with a price, then by chip time.
    heads = [(prices[one["machine"]] is None, one["paid_chip_s_per_request"]) for one in found["plans"]]
    assert [is_unpriced for is_unpriced, _ in heads].count(True) == 2
    assert heads == sorted(heads)


def test_without_prices_the_best_of_what_was_measured_is_not_said_to_be_cheapest() -> None:
    line = "plan llama-3.1-8b --on gh200 --on rubin-ultra-nvl576 --chips 8 --prompt 2000 --output 256 --top 2"
    shown = " ".join(run(line).stdout.split())
    assert "mostly measured on their family, gh200 takes least chip time (" in shown
    assert "cheapest" not in shown


def test_the_cheapest_of_those_measured_is_so_among_those_with_a_price() -> None:
    line = "plan llama-3.1-8b --on mi300x --on h100-sxm {} --prompt 2000 --output 256 --chips 8 --tpot 40ms"
    (all_priced,) = document(line.format(""))["notes"]
    (some,) = document(line.format("--on gh200"))["notes"]
    assert "h100-sxm is the cheapest (" in all_priced
    assert "h100-sxm is the cheapest that has a price (" in some


def test_each_machine_is_there_and_what_carries_its_numbers() -> None:
    """Five plans of the cheaper machine would hide the other."""
    line = "plan llama-3.1-8b --on b200-sxm --on mi300x --on h100-sxm --prompt 2000 --output 256 --chips 8 --tpot 40ms"
    found = document(f"{line} --top 2")["plans"]
    assert sorted(plan["machine"] for plan in found) == ["b200-sxm", "h100-sxm", "mi300x"]
    prices = {one["machine"]: one["usd_per_chip_s"] for one in document(line)["machines"]}
    costs = [prices[plan["machine"]] * plan["paid_chip_s_per_request"] for plan in found]
    assert costs == sorted(costs), "as programs rely on: the best first"
    rows = [one.split() for one in run(line, COLUMNS="120").stdout.splitlines() if re.match(r"\d  ", one)]
    assert sorted(row[1] for row in rows[:3]) == ["b200-sxm", "h100-sxm", "mi300x"]
    assert len(rows) == 5
    assert {row[1]: row[-1] for row in rows} == {"b200-sxm": "measured", "h100-sxm": "measured", "mi300x": "assumed"}
    # The best plan is assumed throughout, which is said beside it, with the best that is not.
    assert found[0]["machine"] == "mi300x"
    measured = next(plan for plan in found if plan["machine"] != "mi300x")
    (note,) = document(line)["notes"]
    assert "plan 1's time, on mi300x, rests on assumed numbers" in note
    assert f"mostly measured, {measured['machine']} is the cheapest ({Layout(**measured['layout'])})" in note
    assert note in " ".join(run(line).stdout.split())
    for row in rows[:3]:
        plan = next(one for one in found if one["machine"] == row[1])
        low, high = map(float, row[6].split("-"))
        assert low == pytest.approx(plan["tpot_low_s"] * 1e3, rel=0.01)
        assert high == pytest.approx(plan["tpot_high_s"] * 1e3, rel=0.01)


def test_money_rents_as_many_chips_as_it_pays_and_buys_the_most() -> None:
    found = document(f"{ASKED} --on h200-sxm --on mi300x --budget $40/h --top 9")
    rates = [plan["requests_per_s"] for plan in found["plans"]]
    assert rates == sorted(rates, reverse=True)
    for machine in found["machines"]:
        price_per_h = 3600 * machine["usd_per_chip_s"]
        assert machine["chips"] * price_per_h <= 40 < (machine["chips"] + 1) * price_per_h
    assert all(plan["usd_per_h"] <= 40 for plan in found["plans"])
    one = document(f"{ASKED} --budget $40/h")
    assert one["inputs"]["chips"] == next(each["chips"] for each in found["machines"] if each["machine"] == "h100-sxm")


def test_an_hour_costs_what_its_chips_cost_with_those_that_no_replica_takes() -> None:
    line = "plan llama-3.1-70b --on h100-sxm --on b200-sxm --prompt 4000 --output 1000 --tpot 30ms --budget $100/h"
    price_per_h = {one["machine"]: 3600 * one["usd_per_chip_s"] for one in document(line)["machines"]}
    said = run(line, COLUMNS="200").stdout
    rows = [re.split(r"\s{2,}", row) for row in said.splitlines() if re.match(r"\d+  ", row)]
    assert len(rows) == 5
    head = re.split(r"\s{2,}", next(row for row in said.splitlines() if row.startswith("#")))
    for row in rows:
        assert float(row[head.index("$/h")]) == pytest.approx(int(row[3]) * price_per_h[row[1]], rel=0.01)
    assert "chips: all that are paid" in " ".join(said.split())
    assert "left out at 80 columns" not in said
    assert "$/Mtok in" not in run(line, COLUMNS="80").stdout.split("left out")[1]


def test_a_model_that_does_not_fit_says_on_how_many_chips_it_does() -> None:
    said = run("plan llama-3.1-70b --on h100-sxm --prompt 1000 --output 1000 --chips 1")
    assert said.exit_code == 1
    assert "it does not fit in memory" in said.output
    # Where memory is short an engine is given more than its default, which explains how much is usable.
    assert re.search(r"usable of 85\.5 GB, [\d.]+ GB of it beyond vllm's default; give", said.output)
    assert "--chips 2 are enough" in said.output


def test_why_not_is_answered_before_the_table_and_little_else() -> None:
    said = run(f"{ASKED} --why-not tp2").stdout
    assert said.index("Why not tp2: ") < said.index("#  layout")
    assert "Best plan" not in said
    assert "Bounds of the lecture's blackboard" not in said
    told = run(f"{ASKED} --why-not tp2 --details").stdout
    assert told.index("Why not tp2: ") < told.index("Plan 1") < told.index("Bounds of the lecture's blackboard")


def test_a_capacity_is_taken_when_it_is_typed_and_refused_above_with_the_layout_that_takes_most() -> None:
    asked = "plan llama-3.1-70b --on h100-sxm --prompt 8k --output 500 --tpot 40ms --chips 8 --rate"
    (most,) = re.findall(r"1\.40 of the ([\d.]+) requests/s", " ".join(run(f"{asked} 1.4/s").stdout.split()))
    taken = document(f"{asked} {most}/s")["plans"][0]
    assert (taken["layout"]["tp"], taken["replicas"], taken["requests_per_s"]) == (8, 1, float(most))
    refused = run(f"{asked} {float(most) + 0.01}/s")
    assert refused.exit_code == 1
    assert refused.stderr.strip().endswith(f"on 8 chips tp8 takes the most, --rate {most}/s")


def test_of_experts_arrivals_are_told_apart_from_loops() -> None:
    asked = "plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --tpot 50ms --chips 72"
    random, loop = (document(f"{asked} {load}")["plans"][0] for load in ("--rate 42/s", "--batch 236"))
    assert random["most_requests_per_s"] > 1.05 * loop["requests_per_s"]
    said = "the same chips serve fewer requests/s for --users"
    assert said in " ".join(run(f"{asked} --rate 42/s").stdout.split())
    assert said not in " ".join(run(f"{ASKED} --rate 2/s").stdout.split())


@pytest.mark.parametrize(("fidelity", "is_bound"), [("napkin", True), ("roofline", True), ("measured", False)])
@pytest.mark.parametrize("more", ["", " --pools 2", " --on h200-sxm"])
def test_a_bound_has_no_interval(more: str, fidelity: str, is_bound: bool) -> None:  # noqa: FBT001  a case
    said = run(f"{ASKED} --chips 4 --fidelity {fidelity}{more}").stdout
    assert ("80 % interval" in said or "80 %: interval" in said) is not is_bound


@pytest.mark.parametrize(
    ("machine", "where"),
    [
        ("h100-sxm", ""),
        ("gb200-nvl72", " (on chips of its family)"),
        ("mi300x", " (on other chips)"),
    ],
)
def test_a_fidelity_says_where_its_measurements_were_made(machine: str, where: str) -> None:
    said = " ".join(run(f"plan llama-3.1-70b --on {machine} --chips 8 --prompt 1000 --output 100").stdout.split())
    assert f"fidelity measured{where}; " in said


def test_two_pools_that_cost_less_are_said_before_the_table() -> None:
    said = " ".join(run("plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000").stdout.split())
    before, _, after = said.partition("Cheaper than plan 1")
    (less,) = re.findall(r"One pool: with a second one, which reads prompts \(--pools 2\), a request (.+?) #", before)
    assert f"two pools (--pools 2): a request {less.partition(' TTFT')[0]};" in after


def test_the_time_per_token_is_its_decode_step_and_others_prompts() -> None:
    line = f"{ASKED} --chips 1 --tpot 50ms"
    found = document(line)["plans"][0]
    parts = found["decode_step_s"], found["tpot_s"] - found["decode_step_s"]
    step, prompts = (show(one, "s") for one in parts)
    assert f"= decode step {step} + {prompts} of others' prompts, 80 %" in " ".join(run(line).stdout.split())


def test_a_step_of_a_draft_is_divided_by_its_tokens() -> None:
    line = "plan deepseek-v3 --on h200-sxm --chips 16 --prompt 1000 --output 500 --speculate mtp:1"
    found = document(line)["plans"][0]
    tokens = found["speculation"]["accepted_tokens"]
    step, prompts = (
        show(one, "s") for one in (found["decode_step_s"], found["tpot_s"] - found["decode_step_s"] / tokens)
    )
    said = (
        f"TPOT {show(found['tpot_s'], 's')} = decode step {step} / {tokens:.3g} tokens + {prompts} of others' prompts"
    )
    assert said in " ".join(run(line).stdout.split())


def test_a_cheaper_way_without_a_price_takes_less_chip_time() -> None:
    line = "plan llama-3.1-8b --on gb300-nvl72 --chips 4 --prompt 4000 --output 200 --tpot 40ms"
    said = " ".join(run(line).stdout.partition("Cheaper than plan 1")[2].partition("Best plan")[0].split())
    assert re.search(r"a request takes [\d.]+ % less chip time [^;]+ chips;", said)
    assert "; ;" not in said
    assert "cost" not in said


def test_a_cheaper_way_says_what_it_is_held_against_and_how_it_is_laid_out() -> None:
    line = "plan llama-3.1-70b --on h100-sxm --chips 8 --prompt 2000 --output 500"
    said = " ".join(run(line).stdout.partition("Cheaper than plan 1")[2].partition("Best plan")[0].split())
    assert said.startswith(", which is one pool, vllm ")
    assert "by its defaults, bf16 weights" in said
    pools = document(f"{line} --pools 2 --top 1")["plans"][0]
    reads, makes = (
        f"{part['replicas']} x {Layout(**part['layout'])}, "
        for part in (pools["pools"]["prefill"], pools["pools"]["decode"])
    )
    assert "(--pools 2): a request" in said
    assert f"prompts {reads}" in said
    assert f"tokens {makes}" in said
    assert f"batch {pools['batch']:,}, TPOT {1e3 * pools['tpot_s']:.3g} ms, TTFT" in said
    given = run(f"{line} --engine-option enforce_eager").stdout
    assert "with the options given" in " ".join(given.partition("Cheaper than plan 1")[2].split())


def test_a_front_has_no_points_that_no_model_of_time_tells_apart() -> None:
    asked = Workload(prompt_tokens=1000, output_tokens=100, tpot_s=0.003)
    whole = search("llama-3.1-70b", "h100-sxm", asked).front
    kept = thinned(whole)
    assert len(kept) < len(whole) / 3
    assert (kept[0], kept[-1]) == (whole[0], whole[-1])
    assert {point.layout for point in kept} == {point.layout for point in whole}
    # Each that is left out has one within three percent of it.
    for point in whole:
        near = min(kept, key=lambda one: abs(one.tpot_s / point.tpot_s - 1) if one.layout == point.layout else 9)
        assert near.tpot_s == pytest.approx(point.tpot_s, rel=0.03)
        assert near.paid_chip_s_per_request == pytest.approx(point.paid_chip_s_per_request, rel=0.03)
    result = run("plan llama-3.1-70b --on h100-sxm --prompt 1000 --output 100 --tpot 3ms --json")
    assert result.exit_code == 1
    assert len(json.loads(result.stdout)["front"]) == len(kept)


def test_which_time_per_token_has_the_limit_is_said() -> None:
    said = " ".join(run(f"{ASKED} --chips 1 --tpot 50ms").stdout.split())
    assert "mean TPOT at most 50 ms" in said
    assert "Longest mean time per output token" in " ".join(run("plan --help").stdout.split())


@pytest.mark.slow
def test_what_a_draft_leaves_out_is_said_beside_the_plans() -> None:
    line = "plan deepseek-v3 --on b200-sxm --chips 8 --prompt 4000 --output 1000"
    shown = " ".join(run(f"{line} --speculate mtp:1").stdout.split())
    said = "layouts with pipeline stages are left out"
    assert shown.count(said) == 1
    assert shown.index("req/s") < shown.index(said) < shown.index("Best plan")
    assert said not in run(line).stdout


@pytest.mark.slow
def test_two_pools_are_asked_about_drawn_and_handed_over(tmp_path: Path) -> None:
    line = f"{ASKED} --pools 2 --chips 8 --why-not tp4/tp2 --export dynamo --figure {tmp_path / 'two.svg'}"
    found = document(line)
    assert found["why_not"]["prefill_layout"]["tp"] == 4
    assert found["why_not"]["layout"]["tp"] == 2
    assert found["why_not"]["kind"] == "cost"
    assert found["front"][0]["tpot_s"] < found["front"][-1]["tpot_s"]
    assert {"name: prefill", "name: decode"} <= {one.strip("- ") for one in found["export"]["manifest"].splitlines()}
    drawn = (tmp_path / "two.svg").read_text(encoding="utf-8")
    assert "two pools: " in drawn
    assert "one pool: " in drawn
    text = " ".join(run(line).stderr.split())  # standard output has the script
    assert "Why not tp4 for prompts and tp2 for tokens: costs" in text


def test_a_machine_beside_others_keeps_its_own_order() -> None:
    alone = [one["layout"] for one in document(f"{ASKED} --top 8")["plans"]]
    beside = document(f"{ASKED} --on h200-sxm --top 8")["plans"]
    mine = [one["layout"] for one in beside if one["machine"] == "h100-sxm"]
    assert mine == alone[: len(mine)]
    assert mine


def test_pools_without_a_price_say_how_chips_count() -> None:
    notes = document(f"{ASKED} --on gb300-nvl72 --pools 2 --chips 8")["notes"]
    assert any(note.startswith("no price of gb300-nvl72 is listed") for note in notes)
    assert not any("price" in note for note in document(f"{ASKED} --pools 2 --chips 8")["notes"])


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
        ("--rate -3/s", "--rate: -3/s asks for nothing; write what arrives, such as 20/s"),
        ("--ttft-quantile 0.9", "give --users or --rate"),
        ("--why-not tp1/tp2", "add --pools 2"),
        ("--on h100-sxm", "names a machine twice"),
        ("--chips 8 --budget $40/h", "give one of them"),
        ("--budget $1/h", "rents no chip of h100-sxm at $2.95/h; --budget '$2.95/h' rents 1 chip, which is enough"),
        ("--on gb300-nvl72 --budget $100/h", "none is listed; add --price"),
        ("--on h200-sxm --pools 2 --budget $100/h", "give --chips of both pools"),
        ("--on h200-sxm --why-not tp1", "--why-not is of one pool on one machine"),
        ("--pools 2 --export vllm", "two pools are handed to dynamo"),
        ("--pools 2 --picture batch --figure x.svg", "--picture batch is of one pool on one machine"),
        ("--on h200-sxm --export vllm", "--export is of one pool on one machine"),
        ("--pools 2 --chips 1", "no pair of layouts serves this"),
        ("--rate 5", "has no unit"),
        ("--pue 1.3", "give --power or --electricity"),
        ("--pools 2 --power 100W", "either pool draws 1.17 kW at least, over 100 W: give --power 1.17kW"),
        (
            "--on h200-sxm --power 100W",
            "on h200-sxm tp1 comes nearest: one replica draws 562 W at least, over 100 W; give --power 563W",
        ),
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
    result = run(f"{ASKED} --rate 50/s --power 500W --details")
    assert result.exit_code == 1
    assert "give --power 1.61kW, or a smaller load" in result.stderr
    assert "draw more power than there is" in " ".join(result.stdout.split())


def test_several_layouts_are_asked_about_one_by_one_and_three_machines_are_listed() -> None:
    twice = run(f"{ASKED} --why-not tp1 --why-not tp2")
    assert twice.exit_code == 2
    assert "is of one layout; ask of the others one by one" in " ".join(twice.stderr.split())
    three = " ".join(run(f"{ASKED} --on h200-sxm --on l40s --chips 2").stdout.split())
    assert "on NVIDIA H100 SXM 80 GB, NVIDIA H200 SXM 141 GB and NVIDIA L40S 48 GB:" in three


def test_two_pools_say_what_one_pool_says() -> None:
    line = f"{ASKED} --pools 2 --chips 8"
    said, found = " ".join(run(line).stdout.split()), document(line)
    best, alone = found["plans"][0], found["one_pool"]["plan"]
    assert "$23.6/h for 8 chips, $2.95/h each (" in said
    each = [f"${1e6 * best[f'usd_per_{name}_token']:.3g}/Mtok" for name in ("input", "output")]
    assert f"cost {each[0]} in, {each[1]} out; ${best['usd_per_h']:.3g}/h" in said
    for pool in best["pools"].values():
        assert f"({100 * pool['bound_fraction']:.0f} % of the time)" in said
        assert pool["carried_by"]
    assert "carried by prompts 100 % measured on h100-sxm; tokens 100 % measured on h100-sxm" in said
    assert "one row for each layout of the tokens' pool" in said
    assert "inside one scale-up domain" in said
    assert "What the runners-up cost" in said
    ratio = found["one_pool"]["cost_ratio"]
    assert f"One pool or two? One is cheaper: it costs {100 * (1 - ratio):.1f} % less a request. " in said
    assert f"batch {alone['batch']:,}, {short(alone['requests_per_s'])} requests/s" in said
    assert alone["layout"] == document(f"{ASKED} --chips 8")["plans"][0]["layout"]
    assert "more: --details, --why-not PROMPTS/TOKENS" in said


@pytest.mark.slow
def test_two_pools_draw_pay_and_are_searched_in_all_formats() -> None:
    line = f"{ASKED} --pools 2 --power 8kW --pue 1.2 --electricity 0.1/kWh --weights auto --price $1/h --on b200-sxm"
    said, found = " ".join(run(line).stdout.split()), document(line)
    energy = found["plans"][0]["energy"]
    assert energy["site_power_w"] <= 8000
    assert f"{energy['site_power_w'] / 1e3:.3g} kW in all of 8 kW, with a PUE of 1.2" in said
    assert f"{energy['energy_j_per_output_token'] / 3.6:.3g} kWh/Mtok out" in said
    part = found["elasticities"]["usd_per_request:electricity_usd_per_j"]
    assert f"1 % more of electricity's price {part:+.2f} %" in said
    assert found["plans"][0]["pools"]["decode"]["weights"] == "nvfp4"
    assert "weights searched in the published formats and in" in said
    assert said.count("weights searched") == 1


def test_each_plan_of_several_machines_says_what_it_draws() -> None:
    line = f"{ASKED} --on h200-sxm --power 5kW"
    lines = run(line).stdout.splitlines()
    head = next(one for one in lines if one.startswith("#") or one.rstrip().endswith("carried by"))
    assert "kW" in head.split()
    drawn = [plan["energy"]["site_power_w"] / 1e3 for plan in document(line)["plans"]]
    shown = [float(one.split()[-2]) for one in lines if one[:1].isdigit()]
    # The table has each machine's best plan first, the document the cheapest of all.
    assert sorted(shown) == pytest.approx(sorted(drawn), rel=5e-3)  # three digits
    said = " ".join(" ".join(lines).split())
    assert "kW: of all replicas of a plan, --pue included" in said
    assert "each layout has as many replicas as the power feeds at its own draw" in said
    given = " ".join(run(f"{line} --chips 16").stdout.split())
    assert "chips of the budget that no replica takes are off, and yet paid for" in given
    assert "kW" not in run(f"{ASKED} --on h200-sxm --chips 8").stdout


def test_two_pools_in_detail_show_every_plan_and_what_carries_either_pool() -> None:
    result = CliRunner().invoke(commands, f"{ASKED} --chips 8 --pools 2 --top 2 --details".split())
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    assert "Plan 1," in said
    assert "Plan 2," in said
    assert said.count("carried by source time %") == 4
    assert "such as" in said.partition("Rejected")[2]


def test_two_pools_take_the_cheapest_of_several_drafts() -> None:
    """That which is cheapest by itself, and a note of what the others cost."""
    drafts = ("none", "eagle3:2=1.8", "ngram:1=1.1")
    alone = {
        draft: document(f"{ASKED} --chips 8 --pools 2 --speculate {draft}")["plans"][0]["usd_per_h"]
        / document(f"{ASKED} --chips 8 --pools 2 --speculate {draft}")["plans"][0]["requests_per_s"]
        for draft in drafts
    }
    together = document(f"{ASKED} --chips 8 --pools 2 {' '.join(f'--speculate {draft}' for draft in drafts)}")
    best = together["plans"][0]
    assert best["usd_per_h"] / best["requests_per_s"] == min(alone.values())
    (note,) = (note for note in together["notes"] if note.startswith("drafts: "))
    assert all(draft.partition("=")[0] in note for draft in drafts)


def test_a_first_plan_that_is_not_the_cheapest_says_why_below_the_table() -> None:
    line = "plan llama-3.1-70b --on h100-sxm --chips 8 --prompt 2000 --output 500"
    text = run(line).stdout
    said = " ".join(text.partition("Plan 1 is not the cheapest: ")[2].partition("\n\n")[0].split())
    held = document(line)["held_back"]
    assert held
    for one in held:
        assert f"plan {one['rank']} costs {100 * one['saves_fraction']:.1f} % less" in said
        assert one["needed_fraction"] > one["saves_fraction"]
    assert "each doubling of stages has to save over 4.8 % to rank first" in said
    assert "no run with pipeline stages was ever measured" in said
    assert " ".join(text.split()).count("no run with pipeline stages was") == 1
    assert text.index("req/s") < text.index("Plan 1 is not the cheapest") < text.index("Cheaper than plan 1")
    alone = f"{ASKED} --chips 1"
    assert document(alone)["held_back"] == []
    assert "not the cheapest" not in run(alone).stdout


def test_power_that_was_asked_about_stays_in_the_table_of_a_narrow_page() -> None:
    said = run(f"{ASKED} --rate 50/s --power 20kW", COLUMNS="80").stdout
    assert re.search(r"^#.* kW$", said, re.MULTILINE)


def test_a_batch_of_less_than_one_request_is_not_rounded_up() -> None:
    line = "plan llama-3.1-70b --on h100-sxm --chips 8 --prompt {} --output 500 --fidelity napkin --details"
    none = run(line.format("2000k"))
    assert "the KV cache of one request does not fit: the memory-full batch is 0.83" in " ".join(none.output.split())
    some = " ".join(run(line.format("500k")).output.split())
    assert re.search(r"at [1-9]\.\d+ requests, the memory-full batch, the KV cache fills memory", some)


def test_runners_up_of_which_the_table_has_said_all_have_no_heading() -> None:
    said = run("plan llama-3.1-70b --on h100-sxm --chips 4 --prompt 2000 --output 500 --top 2").stdout
    assert "Plan 1 is not the cheapest" in said
    assert "What the runners-up cost" not in said


def test_machines_with_a_price_and_without_have_the_words_for_both_costs() -> None:
    line = "plan llama-3.1-8b --on h100-sxm --on gb300-nvl72 --chips 4 --prompt 4000 --output 200"
    said = " ".join(run(line).stdout.split())
    assert "$/k req: of 1,000 requests, idle chips paid; chip-s/req: chip time of a request, idle chips counted" in said


def test_two_pools_save_the_same_wherever_it_is_said() -> None:
    """One base for the share: what one pool costs, as of a cheaper way and as of two pools beside one."""
    asked = "plan llama-3.1-70b --on h100-sxm --prompt 2000 --output 500 --tpot 30ms"
    one, two = (" ".join(run(f"{asked} {more}").stdout.split()) for more in ("", "--pools 2"))
    saved = re.search(r"two pools \(--pools 2\): a request costs ([\d.]+) % less", one)
    assert saved is not None
    assert f"Two are cheaper: a request costs {saved[1]} % less." in two


def test_a_batch_of_a_small_load_says_how_many_are_under_way_on_the_mean() -> None:
    """A whole number of sequences, however few there are."""
    line = f"{ASKED} --rate 0.1/s"
    best, said = document(line)["plans"][0], " ".join(run(line).stdout.split())
    assert best["in_flight"] < 0.5
    assert best["batch"] >= 1
    mean = f"on the mean {show(best['in_flight'], 'count')} have their first token and not their last"
    assert f"its part of the load while there is any, rounded up; {mean}" in said
    assert "batch: requests under way on one replica while there are any" in said


def test_the_table_has_the_cost_that_it_is_sorted_by() -> None:
    line = "plan llama-3.1-70b --on h100-sxm --chips 8 --prompt 2000 --output 500"
    for more in ("", " --price $2/h --pools 2"):
        said, found = run(f"{line}{more}", COLUMNS="160").stdout, document(f"{line}{more}")
        rows = [re.split(r"\s{2,}", row) for row in said.splitlines()]
        place = next(row for row in rows if row[0] == "#").index("$/k req")
        cells = [float(row[place]) for row in rows if row[0].isdigit()]
        costs = [1e3 * one["usd_per_h"] / 3600 / one["requests_per_s"] for one in found["plans"]]
        assert cells == pytest.approx(costs, rel=5e-3)  # three digits
        assert cells[1:] == sorted(cells[1:])


def test_of_plans_that_cost_the_same_it_is_said_what_each_is_better_at() -> None:
    line = "plan llama-3.1-70b --on h100-sxm --chips 8 --prompt 200k --output 500"
    said, plans = " ".join(run(line).stdout.split()), document(line)["plans"]
    best = plans[0]["paid_chip_s_per_request"]
    alike = {rank: one for rank, one in enumerate(plans, 1) if abs(one["paid_chip_s_per_request"] / best - 1) <= 0.02}
    assert len(alike) > 1
    for name in ("tpot_s", "ttft_s"):
        rank = min(alike, key=lambda one: alike[one][name])
        assert f"{name[:4].upper()} shortest in plan {rank} (" in said
    assert "take the one" not in said


def test_room_for_long_requests_of_a_window_is_counted_in_requests() -> None:
    """Of 60,500 tokens a window of 4,096 is kept: tokens beyond it are in no memory."""
    line = "plan mistral-7b --on rtx-4090 --prompt 60k --output 500 --chips 1"
    (plan, *_), said = document(line)["plans"], " ".join(run(line).stdout.split())
    requests = plan["kv_capacity_tokens"] // 60_500
    assert f"room for {requests} requests of 60,500 tokens, not all of them kept, a replica" in said
    assert requests >= plan["batch"]
    whole = " ".join(run("plan llama-3.1-8b --on h100-sxm --prompt 60k --output 500 --chips 1").stdout.split())
    assert re.search(r"room for \d+k tokens a replica", whole)
