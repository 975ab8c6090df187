"""Speculation in plans and estimates: what a step checks and adds, what drafting costs, where it stops paying."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from ridgeline import decode, deploy, estimate, load_machine, plan, prefill, verify
from ridgeline.catalog.engine_options import run_with
from ridgeline.catalog.engines import load_engine
from ridgeline.cli import commands
from ridgeline.equations.experts import experts_touched
from ridgeline.equations.speculation import speed_up
from ridgeline.errors import RidgelineError
from ridgeline.estimator.estimate import Estimate
from ridgeline.planner.front import thinned
from ridgeline.planner.outcome import Constraint
from ridgeline.planner.two_pools.search import plan_two_pools
from ridgeline.serving.interval import tpot_interval
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.pool import pool_curves
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine_options import AS_BY_DEFAULT, EngineOptions
from ridgeline.specs.speculation import NO_SPECULATION, Speculation
from ridgeline.specs.workload import Workload

ROOT = Path(__file__).parents[2]
SHOWN = re.findall(r"^ridgeline (.*)$", (ROOT / "docs" / "speculation.md").read_text(), re.MULTILINE)

CHAT = Workload(prompt_tokens=4000, output_tokens=1000)
FAST = dataclasses.replace(CHAT, tpot_s=0.03)


def tpots_s(deployment: Deployment, batches: NDArray[np.float64]) -> NDArray[np.float64]:
    """Time per token with so many requests under way on one group."""
    times = pool_times([deployment], CHAT, float(batches[-1]))
    return pool_curves(times, [deployment], CHAT, [batches])[0].tpot_s


def row(found: Estimate, name: str) -> dict[str, Any]:
    """An operation of a step by its name."""
    return next(one for one in found.to_rows() if one["name"] == name)


@pytest.mark.slow
def test_no_drafted_tokens_are_no_speculation_to_the_last_bit() -> None:
    plain = plan("deepseek-v3", "h200-sxm", FAST, chips=8, why_not="tp8")
    assert plan("deepseek-v3", "h200-sxm", FAST, chips=8, why_not="tp8", speculate="mtp:0") == plain
    assert deploy("deepseek-v3", "h200-sxm", speculate="none") == deploy("deepseek-v3", "h200-sxm")
    step = verify(batch=8, context_tokens=4096, drafted_tokens=0)
    checked = estimate("deepseek-v3", "h200-sxm", "tp8", step, speculate="mtp:0")
    assert checked == estimate("deepseek-v3", "h200-sxm", "tp8", decode(batch=8, context_tokens=4096))


@pytest.mark.parametrize("draft", ["mtp:1", "mtp:3", "ngram:3", "eagle3:2", "dspark:5"])
def test_drafts_of_which_nothing_is_accepted_are_never_faster(draft: str) -> None:
    """Nor is one that costs nothing, such as n-grams: checking more tokens takes no less time."""
    batches = np.array([1.0, 4.0, 16.0, 64.0])
    plain = deploy("deepseek-v3", "h200-sxm", "tp8,ep8")
    drafted = deploy("deepseek-v3", "h200-sxm", "tp8,ep8", speculate=f"{draft}=1")
    assert (tpots_s(drafted, batches) >= tpots_s(plain, batches)).all()
    best = plan("deepseek-v3", "h200-sxm", CHAT, chips=8, speculate=f"{draft}=1").plans[0]
    assert (best.pays_from_batch, best.pays_to_batch) == (None, None)


@pytest.mark.parametrize(("over_balance", "tolerance"), [(0.01, 0.03), (2.0, 0.1)])
def test_gain_is_acceptance_while_weights_are_read_and_a_loss_once_arithmetic_counts(
    over_balance: float, tolerance: float
) -> None:
    """As of the equation, which leaves contexts (short ones here), norms and the head's sampling out."""
    drafted, accepted = 3, 2.5
    machine, model = "h100-sxm", "llama-3.1-70b"
    chip = load_machine(machine).chip
    batch = round(over_balance * chip.flop_per_s["bf16"] / chip.hbm_bytes_per_s)
    plain = estimate(model, machine, "tp1", decode(batch=batch, context_tokens=8), fidelity="roofline")
    checked = estimate(
        model,
        machine,
        "tp1",
        verify(batch=batch, context_tokens=8, drafted_tokens=drafted),
        fidelity="roofline",
        speculate=f"ngram:{drafted}={accepted}",
    )
    assert plain.tpot_s is not None
    assert checked.tpot_s is not None
    expected = speed_up(batch_over_balance=over_balance, drafted_tokens=drafted, accepted_tokens=accepted)
    assert plain.tpot_s / checked.tpot_s == pytest.approx(float(expected), rel=tolerance)


def test_a_plan_says_up_to_where_speculation_pays() -> None:
    best = plan("llama-3.1-70b", "h100-sxm", CHAT, chips=4, speculate="eagle3:3=1.6").plans[0]
    first, last = best.pays_from_batch, best.pays_to_batch
    assert first is not None
    assert last is not None
    drafted = deploy("llama-3.1-70b", "h100-sxm", best.layout, speculate="eagle3:3=1.6")
    plain = dataclasses.replace(drafted, speculation=NO_SPECULATION)
    around = np.array([first, last, last + 1], dtype=float) / best.layout.dp
    assert (tpots_s(drafted, around) < tpots_s(plain, around)).tolist() == [True, True, False]


def test_verification_touches_more_experts() -> None:
    """Bytes of experts that a step reads follow the tokens that it checks, and not its sequences."""
    plain = estimate("deepseek-v3", "h200-sxm", "tp8,ep8", decode(batch=1, context_tokens=4096))
    checked = estimate(
        "deepseek-v3",
        "h200-sxm",
        "tp8,ep8",
        verify(batch=1, context_tokens=4096, drafted_tokens=3),
        speculate="mtp:3=2.4",
    )
    four = estimate("deepseek-v3", "h200-sxm", "tp8,ep8", decode(batch=4, context_tokens=4096))
    read = [row(one, "experts")["weight_bytes"] for one in (plain, checked, four)]
    assert read[1] == read[2]
    touched = [float(experts_touched(experts=256, active_experts=8, tokens=tokens)) for tokens in (1, 4)]
    assert touched[1] > 3 * touched[0]
    assert read[1] > 2 * read[0]  # of the busiest chip, which has more than its part of few tokens


def test_a_draft_model_is_timed_by_the_same_estimator() -> None:
    """Its first pass takes what the last step checked, each further one a token of each sequence."""
    batch, context, drafted = 16, 2048, 3
    found = estimate(
        "llama-3.1-70b",
        "h100-sxm",
        "tp4",
        verify(batch=batch, context_tokens=context, drafted_tokens=drafted),
        speculate=f"llama-3.1-8b:{drafted}=3",
    )
    first = estimate(
        "llama-3.1-8b", "h100-sxm", "tp4", verify(batch=batch, context_tokens=context, drafted_tokens=drafted)
    )
    further = estimate("llama-3.1-8b", "h100-sxm", "tp4", decode(batch=batch, context_tokens=context))
    for name in ("attention qkv", "attention core", "dense up", "dense all-reduce"):
        alone = row(first, name)["time_s"] + (drafted - 1) * row(further, name)["time_s"]
        assert row(found, f"draft {name}")["time_s"] == pytest.approx(alone, rel=1e-12), name
    small = deploy("llama-3.1-8b", "h100-sxm", "tp4")
    plain = deploy("llama-3.1-70b", "h100-sxm", "tp4")
    step = decode(batch=1, context_tokens=context)
    weights = [float(estimate(one.model, "h100-sxm", "tp4", step).memory.weights_bytes) for one in (plain, small)]
    assert float(found.memory.weights_bytes) == pytest.approx(sum(weights), rel=1e-12)


def test_a_layer_that_predicts_takes_memory_of_weights_and_cache_but_no_second_head() -> None:
    plain = estimate("deepseek-v3", "h200-sxm", "tp8,ep8", decode(batch=8, context_tokens=4096))
    step = verify(batch=8, context_tokens=4096, drafted_tokens=1)
    found = estimate("deepseek-v3", "h200-sxm", "tp8,ep8", step, speculate="mtp:1")
    layers = plain.deployment.model.layers
    assert float(found.memory.kv_bytes) == pytest.approx(float(plain.memory.kv_bytes) * (layers + 1) / layers)
    more = float(found.memory.weights_bytes - plain.memory.weights_bytes) * 8
    # The layer of the published checkpoint has 11.5 billion parameters at a byte, besides embedding and head; what
    # joins its two inputs lies on every chip (0.2 GB, here eight times).
    assert 11e9 < more < 14e9
    assert not any("multi-token prediction" in note for note in found.notes if note.startswith("not "))


def test_a_time_per_token_is_as_unsure_as_its_acceptance() -> None:
    def width(speculate: str) -> tuple[float, Speculation]:
        deployment = deploy("deepseek-v4-pro", "b200-sxm", "tp8,ep8", speculate=speculate)
        _, high = tpot_interval(pool_passes(deployment, CHAT, 16.0))
        return math.log(high), deployment.speculation

    (measured, of_measured), (given, of_given) = width("mtp:2"), width("mtp:2=2.44")
    assert of_measured.accepted_tokens == of_given.accepted_tokens == 2.44  # of 2.27 and 2.61
    assert of_given.accepted_width == 0 < of_measured.accepted_width
    assert measured == pytest.approx(math.hypot(given, of_measured.accepted_width))
    assert of_measured.to_row() is not None


@pytest.mark.slow
def test_auto_chooses_among_none_and_all_that_was_measured() -> None:
    measured = ["none", *(f"eagle3:{count}" for count in range(1, 9))]
    every = plan("kimi-k2.5", "b200-sxm", FAST, chips=8, speculate="auto")
    alone = [plan("kimi-k2.5", "b200-sxm", FAST, chips=8, speculate=one) for one in measured]
    cheapest = min(one.plans[0].paid_chip_s_per_request for one in alone if one.plans)
    assert min(one.paid_chip_s_per_request for one in every.plans) == pytest.approx(cheapest, rel=1e-12)
    layouts = [(one.layout, one.weights) for one in every.plans]
    assert len(set(layouts)) == len(layouts)
    assert every.points_evaluated == sum(one.points_evaluated for one in alone)
    points = [point for one in alone for point in one.front]
    kept = [
        point
        for point in points
        if not any(
            other.tpot_s <= point.tpot_s
            and other.paid_chip_s_per_request <= point.paid_chip_s_per_request
            and (other.tpot_s, other.paid_chip_s_per_request) != (point.tpot_s, point.paid_chip_s_per_request)
            for other in points
        )
    ]
    assert {(one.speculate, one.layout, one.batch) for one in every.front} == {
        (one.speculate, one.layout, one.batch) for one in kept
    }
    # The fastest drafts many, the cheapest per request few or none.
    drafted = [0 if one.speculate is None else int(one.speculate.partition(":")[2]) for one in every.front]
    assert drafted[0] > drafted[-1]


@pytest.mark.slow
def test_stages_are_left_out_where_a_draft_runs_beside_them() -> None:
    found = plan("deepseek-v3", "h200-sxm", CHAT, chips=16, speculate="mtp:1", why_not="tp8,pp2")
    assert all(one.layout.pp == 1 for one in found.plans)
    assert found.why_not is not None
    assert found.why_not.kind is Constraint.DIVIDES
    assert "stages" in found.why_not.reason
    looked_up = plan("llama-3.1-70b", "h100-sxm", CHAT, chips=4, speculate="ngram:2=1.4")
    assert any(one.layout.pp > 1 for one in looked_up.plans)


@pytest.mark.slow
def test_two_pools_keep_their_limit_where_rates_dip_as_the_batch_grows() -> None:
    """Checking several tokens a sequence moves whole tiles, so that a larger batch may finish fewer requests."""
    deployment = deploy("deepseek-v4-pro", "b300-sxm", speculate="dspark:5")
    found = plan_two_pools([deployment], [deployment], FAST, chips=None, demand=Demand(requests_per_s=20.0))
    assert found.plans
    assert max(one.tpot_s for one in found.plans) <= 0.03


def test_the_documents_are_what_python_says() -> None:
    line = "plan deepseek-v3 --on h200-sxm --prompt 4000 --output 1000 --tpot 30ms --speculate none --speculate mtp:1"
    document = json.loads(CliRunner().invoke(commands, [*line.split(), "--json"]).stdout)
    found = plan("deepseek-v3", "h200-sxm", FAST, speculate=["none", "mtp:1"])
    best, said = found.plans[0], document["plans"][0]
    assert said["speculation"] == best.speculation.to_row()
    assert said["speculation"]["accepted_tokens"] == 1.875
    assert [said[name] for name in ("tpot_s", "batch", "pays_to_batch")] == [
        best.tpot_s,
        best.batch,
        best.pays_to_batch,
    ]
    assert [point["speculate"] for point in document["front"]] == [point.speculate for point in thinned(found.front)]
    assert document["inputs"]["speculate"] == ["none", "mtp:1"]
    line = "estimate deepseek-v3 --on h200-sxm --layout tp8,ep8 --batch 64 --context 4k --speculate mtp:1"
    document = json.loads(CliRunner().invoke(commands, [*line.split(), "--json"]).stdout)
    step = verify(batch=64, context_tokens=4000, drafted_tokens=1)
    one = estimate("deepseek-v3", "h200-sxm", "tp8,ep8", step, speculate="mtp:1")
    assert document["tpot_s"] == one.tpot_s == one.step_time_s / 1.875
    assert (document["tpot_low_s"], document["tpot_high_s"]) == one.tpot_interval_s
    printed = CliRunner().invoke(commands, line.split()).stdout
    assert "checks 2 tokens of each sequence and adds 1.88" in " ".join(printed.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--speculate mtp:3", "measured with deepseek-v3: mtp:1); say how many"),
        ("--speculate mtp", "is not DRAFT:TOKENS"),
        ("--speculate mtp:1=2.5", "must be from 1, a step's own, to 2"),
        ("--speculate mtp:99=2", "a whole number from 0 to 16"),
        (
            "--speculate medusa:3=2",
            "is none of mtp, eagle3, ngram (what was measured: ridgeline catalog acceptance), and no model",
        ),
        ("--speculate llama-3.1-8b:3=2", "its guesses are not tokens of the other"),
        ("--speculate mtp:1 --fidelity napkin", "take roofline or measured"),
        ("--speculate mtp:1 --figure plan.svg --picture batch", "leave out --figure"),
        ("--speculate dspark:1=1.5 --engine tensorrt-llm --why-not tp8", ""),
    ],
)
def test_what_is_refused_says_what_to_write_instead(arguments: str, said: str) -> None:
    line = f"plan deepseek-v3 --on h200-sxm --prompt 4000 --output 1000 {arguments}"
    result = CliRunner().invoke(commands, line.split())
    told = " ".join(result.output.split())
    if said:
        assert result.exit_code == 2
        assert said in told
    else:
        assert "whether tensorrt-llm runs drafts of dspark is not known" in told


def test_a_step_that_checks_something_else_is_refused() -> None:
    with pytest.raises(RidgelineError, match=r"give verify\(.*drafted_tokens=1\)"):
        estimate("deepseek-v3", "h200-sxm", "tp8", decode(batch=1, context_tokens=100), speculate="mtp:1")
    with pytest.raises(RidgelineError, match="no draft was measured with qwen3-32b"):
        plan("qwen3-32b", "h200-sxm", CHAT, speculate="auto")


@pytest.mark.parametrize("line", SHOWN)
def test_what_the_page_on_speculation_shows_runs(line: str) -> None:
    result = CliRunner().invoke(commands, line.split())
    assert result.exit_code == 0
    assert result.stdout


def test_a_plan_with_speculation_draws_for_prompts_too() -> None:
    """A step takes longer than a token, and no longer than from one step to the next."""
    best = plan("deepseek-v3", "h200-sxm", FAST, speculate="mtp:1").plans[0]
    assert best.tpot_s < best.decode_step_s < best.tpot_s * best.speculation.accepted_tokens
    assert best.energy is not None
    assert best.energy.energy_j_per_input_token > 0


def test_curves_are_the_same_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    deployments = [
        deploy("deepseek-v3", "h200-sxm", layout, speculate="mtp:1") for layout in ("tp8,ep8", "tp4,dp2,ep8")
    ]
    grids = [np.arange(1.0, 40.0), np.array([3.0, 9.0])]
    times = pool_times(deployments, CHAT, 64.0)
    whole = pool_curves(times, deployments, CHAT, grids)
    monkeypatch.setattr("ridgeline.serving.pool.BLOCK", 7)
    for one, other in zip(whole, pool_curves(times, deployments, CHAT, grids), strict=True):
        assert (one.tpot_s == other.tpot_s).all()
        assert (one.requests_per_s == other.requests_per_s).all()


def printed(line: str) -> str:
    return " ".join(CliRunner().invoke(commands, line.split()).stdout.split())


@pytest.mark.slow
def test_a_plan_without_a_draft_says_that_none_is_cheaper_and_its_notes_agree() -> None:
    line = "plan deepseek-v3 --on h200-sxm --prompt 4000 --output 1000 --speculate auto"
    staged = printed(line.replace("h200-sxm", "h100-sxm --chips 16"))
    assert "speculation none: drafts (mtp) are not modelled beside pipeline stages" in staged
    assert "with a draft, layouts with pipeline stages are left out" in staged
    assert "not counted here: the multi-token prediction layer" not in staged
    drafted = printed(f"{line} --tpot 30ms")
    assert "1.88 tokens a step" in drafted
    assert drafted.count("with speculation no load was measured here") == 1
    looked_up = "plan llama-3.1-8b --on h100-sxm --prompt 4000 --output 1000 --speculate none --speculate ngram:1=1"
    assert "speculation none: no draft that was searched (ngram) is cheaper" in printed(looked_up)
    assert "1 token a step" in printed(looked_up.replace("--speculate none ", ""))
    plain = printed(line.replace("--speculate auto", "").replace("h200-sxm", "h100-sxm --chips 16"))
    assert "not counted here: the multi-token prediction layer" in plain
    assert "--speculate mtp:1 counts it" in plain


def test_the_option_that_counts_a_layer_is_named_only_where_it_can_be_given() -> None:
    step = "--on h200-sxm --batch 8 --context 2000"
    assert "--speculate mtp:1 counts it" in printed(f"estimate deepseek-v3 {step} --layout tp8,ep8")
    for line in (
        f"estimate deepseek-v3 {step} --layout tp8,ep8,pp2",  # no draft beside stages
        f"estimate glm-4.5 {step} --layout tp8,ep8",  # acceptance is not known
        "price deepseek-v3 --on h200-sxm --prompt 4000 --output 1000",  # has no such option
    ):
        said = printed(line)
        assert "not counted here: the multi-token prediction layer" in said
        assert "counts it" not in said


@pytest.mark.parametrize("speculate", ["auto", "mtp:1", "mtp", "medusa:3=2", "eagle3:2"])
def test_a_model_that_predicts_nothing_ahead_is_offered_no_layer_that_does(speculate: str) -> None:
    line = f"plan llama-3.1-8b --on h100-sxm --prompt 4000 --output 1000 --speculate {speculate}"
    result = CliRunner().invoke(commands, line.split())
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "ridgeline catalog acceptance" in said
    assert "eagle3" in said
    offered = re.findall(r"(?:such as|is none of|name|: none,|DRAFT is|among them:) [^;(]*", said)
    assert offered
    assert not any("mtp" in one for one in offered)


@pytest.mark.parametrize(("model", "draft"), [("deepseek-v3", "mtp:1"), ("llama-3.1-70b", "eagle3:3=2.6")])
def test_a_draft_leaves_the_first_token_as_sure_as_it_was(model: str, draft: str) -> None:
    """The prompt's pass is the same but for the draft's own layer."""
    asked = Workload(prompt_tokens=1000, output_tokens=500)
    plain, drafted = (
        plan(
            model, "h200-sxm", asked, chips=8, demand=Demand(batch=8), why_not="tp8", engine="sglang", speculate=one
        ).why_not
        for one in ("none", draft)
    )
    assert plain is not None
    assert drafted is not None
    assert plain.plan is not None
    assert drafted.plan is not None
    for end in ("ttft_low_s", "ttft_high_s"):
        before = getattr(plain.plan, end) / plain.plan.ttft_s
        assert getattr(drafted.plan, end) / drafted.plan.ttft_s == pytest.approx(before, rel=0.02)


@pytest.mark.parametrize("options", [AS_BY_DEFAULT, EngineOptions(aligned_prompt_steps=16)])
@pytest.mark.parametrize("machine", ["h100-sxm", "mi300x", "tpu-v6e"])
def test_no_interval_reaches_below_the_rooflines(machine: str, options: EngineOptions) -> None:
    """Chips that were not measured have the widest intervals."""
    asked = Workload(prompt_tokens=2000, output_tokens=200)
    engine = run_with(load_engine("vllm"), options)
    found = plan("llama-3.1-8b", machine, asked, chips=4, engine=engine)
    assert found.plans
    for one in found.plans[:5]:
        floor = estimate(
            "llama-3.1-8b", machine, str(one.layout), prefill(batch=1, prompt_tokens=2000), fidelity="roofline"
        )
        assert floor.step_time_s * (1 - 1e-9) <= one.ttft_low_s <= one.ttft_s
        assert 0 < one.tpot_low_s <= one.tpot_s


@pytest.mark.slow
def test_a_plan_says_what_the_same_layout_and_batch_give_without_a_draft() -> None:
    line = "plan deepseek-v3 --on h200-sxm --chips 8 --prompt 1000 --output 1000 --batch 8 --engine sglang"
    drafted, plain = (
        json.loads(CliRunner().invoke(commands, f"{line} --json{more}".split()).stdout)["plans"]
        for more in (" --speculate mtp:1", " --top 50")
    )
    best = drafted[0]
    same = next(one for one in plain if one["layout"] == best["layout"])
    assert best["plain_tpot_s"] == pytest.approx(same["tpot_s"], rel=1e-9)
    rate = "output_tokens_per_s_per_chip"
    assert best[f"plain_{rate}"] == pytest.approx(same[rate], rel=1e-9)
    assert same["plain_tpot_s"] is None
    said = " ".join(CliRunner().invoke(commands, f"{line} --speculate mtp:1".split()).stdout.split())
    assert f"without: TPOT {same['tpot_s'] * 1e3:.3g} ms, {same[rate]:.3g} tok/s per chip (" in said


def test_a_load_that_comes_at_a_rate_has_another_batch_without_a_draft() -> None:
    loaded = plan("llama-3.1-8b", "h100-sxm", CHAT, demand=Demand(requests_per_s=2.0), speculate="ngram:3=2")
    assert loaded.plans[0].plain_tpot_s is None
