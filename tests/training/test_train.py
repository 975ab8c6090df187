"""The verb: what is asked in words, what is answered, what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.each import of_each

from ridgeline import train
from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.training.batch import sequences_of
from ridgeline.training.outcome import Training
from ridgeline.training.usual import usual_recipe

ASKED: dict[str, Any] = {"tokens": 1e12, "batch_tokens": 2**22}


def trained(**asked: Any) -> Training:  # noqa: ANN401  as train has them
    return train("llama-3.1-70b", "h100-sxm", **{"chips": 128, **ASKED, **asked})


@pytest.fixture(scope="module")
def found() -> Training:
    """A search."""
    return trained(why_not="tp8,pp8,dp2", measured_s=32.0)


@pytest.mark.slow
def test_the_run_is_of_the_step(found: Training) -> None:
    for plan, run in zip(found.plans, found.runs, strict=True):
        assert run.steps == math.ceil(1e12 / 2**22)
        useful_days = run.steps * plan.time.step_time_s / 86_400
        assert run.days * run.goodput_fraction == pytest.approx(useful_days)
    low, high = found.plans[0].interval_s or (0, 0)
    assert low * high == pytest.approx(found.plans[0].time.step_time_s ** 2)


@pytest.mark.slow
def test_one_percent_of_everything_is_one_percent_of_the_step_at_most(found: Training) -> None:
    changes = found.elasticities.values()
    assert all(change <= 1e-9 for change in changes)
    assert -1 <= sum(changes) < -0.5


def test_a_measured_step_is_held_beside_the_predicted(found: Training) -> None:
    assert found.expected is not None
    assert found.expected.ratio == pytest.approx(32.0 / found.plans[0].time.step_time_s)
    best = found.plans[0]
    one = {"layout": str(best.job.layout), "recompute": str(best.job.recipe.recompute)}
    near = trained(**one, measured_s=best.time.step_time_s).expected
    assert near is not None
    assert near.probability == pytest.approx(1)
    assert (found.expected.probability or 0) < 1
    ideal = trained(**one, framework="ideal", measured_s=32.0).expected
    assert ideal is not None
    assert ideal.probability is None


@pytest.mark.slow
def test_why_not_names_the_parts_that_take_longer(found: Training) -> None:
    assert "tp8,pp8,dp2,vpp10 with recompute" in found.why_not
    assert "% more than" in found.why_not
    assert (
        "does not divide" in trained(why_not="dp128,ep64,tp1").why_not
        or "no routed" in trained(why_not="dp128,ep64").why_not
    )
    assert "needs at least" in trained(why_not="dp128,zero0").why_not
    assert "nothing speaks against it" in trained(why_not=str(found.plans[0].job.layout)).why_not
    assert "has 64 chips, not 128" in trained(why_not="tp8,dp8").why_not


def test_why_not_takes_a_layout_with_its_fastest_schedule_unless_one_is_given() -> None:
    asked = {"layout": "tp8,pp2,dp8", "why_not": "tp8,pp4,dp4", "chips": None}
    said = trained(**asked).why_not
    alone = trained(chips=None, layout="tp8,pp4,dp4").plans[0].time.step_time_s
    cut = trained(chips=None, layout="tp8,pp4,dp4", schedule="interleaved").plans[0]
    assert cut.time.step_time_s < alone
    assert f"tp8,pp4,dp4 takes {alone:.3g} s; {cut.job.layout} with recompute" in said
    assert f"its fastest way (interleaved), takes {cut.time.step_time_s:.3g} s" in said
    assert "vpp" not in trained(**asked, schedule="1f1b").why_not
    assert "tp8,pp4,dp4,vpp2 with recompute" in trained(**{**asked, "why_not": "tp8,pp4,dp4,vpp2"}).why_not


def test_a_layout_that_does_not_fit_comes_with_changes_that_do() -> None:
    found = trained(chips=None, layout="dp128")
    assert not found.plans[0].fits
    assert found.ways
    assert all(way.plan.fits and way.plan.job.layout.chips == 128 for way in found.ways)
    times = [way.plan.time.step_time_s for way in found.ways]
    assert times == sorted(times)
    first = found.ways[0]
    assert first.option == f"--layout {first.plan.job.layout} --recompute {first.plan.job.recipe.recompute}"
    again = trained(chips=None, layout=str(first.plan.job.layout), recompute=str(first.plan.job.recipe.recompute))
    assert (again.plans[0].time.step_time_s, again.runs[0].days) == (times[0], first.days)


def test_a_given_layout_takes_the_fastest_recompute_that_fits() -> None:
    asked = {"chips": None, "layout": "tp8,dp16,mb4"}
    found = trained(**asked)
    (plan,) = found.plans
    assert plan.fits
    assert not plan.job.recipe.recompute.is_full
    assert found.notes[0].startswith(f"recompute {plan.job.recipe.recompute} is the fastest that fits; without any")
    full, none = (trained(**asked, recompute=mode) for mode in ("full", "none"))
    assert full.plans[0].time.step_time_s > plan.time.step_time_s
    # As given it does not fit: that is kept to, and the option that fits is named.
    assert not none.plans[0].fits
    assert f"--recompute {plan.job.recipe.recompute}" in [way.option for way in none.ways]


def test_changes_that_fit_keep_a_given_micro_batch_apart() -> None:
    asked = {"chips": None, "recompute": "none"}
    found = trained(**asked, layout="tp4,pp4,dp8", micro_batch=2)
    assert not found.plans[0].fits
    layouts = [way for way in found.ways if "--layout" in way.option]
    assert "--layout tp4,pp4,dp8 --micro-batch 1" in [way.option for way in layouts]
    for way in layouts:
        # As a reader would follow it: what is not named stays as it was given.
        words = way.option.split()
        given = dict(zip(words[::2], words[1::2], strict=True))
        micro_batch = int(given.get("--micro-batch", 2))
        (plan,) = trained(**asked, layout=given["--layout"], micro_batch=micro_batch).plans
        assert plan.job.layout == way.plan.job.layout


@pytest.mark.slow
def test_several_numbers_of_chips_are_set_beside_each_other() -> None:
    found = trained(chips=(256, 128))
    assert [plan.job.layout.chips for plan in found.plans] == [128, 256]
    assert found.runs[0].days > found.runs[1].days
    assert (found.runs[0].usd or 0) < (found.runs[1].usd or 0)


@pytest.mark.parametrize("layout", ["tp8,pp8,dp64,vpp10", "tp8,pp8,dp2,vpp10"])
def test_half_of_the_chips_take_longer_and_fewer_chip_hours(layout: str) -> None:
    """Each of their replicas has twice as many micro-batches, over which a pipeline's bubble is spread."""
    found = trained(chips=None, layout=layout)
    assert found.fewer is not None
    half, run = found.fewer
    best = found.plans[0]
    assert half.job.layout.chips * 2 == best.job.layout.chips
    assert half.job.micro_batches == 2 * best.job.micro_batches
    assert found.runs[0].days < run.days < 2 * found.runs[0].days


def test_a_chip_that_waits_for_the_pipeline_draws_idle_power() -> None:
    """The bubble is its part of the whole step."""
    found = trained(layout="tp8,pp4,dp4,vpp2")
    best, run = found.plans[0], found.runs[0]
    chip, lost = best.job.machine.chip, run.lost
    assert chip.power_w is not None
    slowest = 1 + lost.stragglers_fraction / run.goodput_fraction
    stepping = run.goodput_fraction + lost.lost_work_fraction / slowest
    working = stepping * (1 - best.time.parts_s["pipeline bubble"] / best.time.step_time_s)
    watts = chip.power_w * (chip.idle_power_fraction + (1 - chip.idle_power_fraction) * working)
    assert run.kwh == pytest.approx(watts * best.job.layout.chips * run.days * 24 / 1000)


def test_half_of_the_chips_are_not_named_where_there_is_no_half() -> None:
    assert trained(chips=None, layout="tp8,pp8,vpp10").fewer is None
    several = train("llama-3.1-8b", "h100-sxm", chips=(16, 32), **ASKED)
    assert (len(several.plans), several.fewer) == (2, None)


def test_price_energy_and_failures_are_those_that_are_given() -> None:
    plain = trained(layout="tp8,pp4,dp4,vpp2", usd_per_chip_s=1e-3)
    dear = trained(layout="tp8,pp4,dp4,vpp2", usd_per_chip_s=2e-3)
    assert (dear.runs[0].usd or 0) == pytest.approx(2 * (plain.runs[0].usd or 0))
    powered = trained(layout="tp8,pp4,dp4,vpp2", usd_per_chip_s=1e-3, electricity_usd_per_j=3e-8, pue=1.3)
    assert (powered.runs[0].usd or 0) > (plain.runs[0].usd or 0)
    assert (powered.runs[0].kwh or 0) == pytest.approx(1.3 * (plain.runs[0].kwh or 0))
    fragile = trained(layout="tp8,pp4,dp4,vpp2", chip_mtbf_s=3.6e6)
    assert fragile.runs[0].goodput_fraction < plain.runs[0].goodput_fraction
    assert "failures: as given" in fragile.notes


def test_a_schedule_brings_its_parts() -> None:
    plan = trained(layout="tp8,pp4,dp4", schedule="zb-v").plans[0]
    assert (plan.job.pipeline.id, plan.job.layout.virtual_stages) == ("zb-v", 2)


@of_each(
    ("asked", "said"),
    [
        ({"chips": None}, "how many chips"),
        ({"layout": "tp8,pp4,dp8"}, "has 256 chips, not 128; tp8,pp4,dp4 has as many"),
        ({"layout": "tp3"}, "its replicas have 3; give --chips 126 or 129, or sizes whose product divides 128"),
        ({"batch_tokens": 5000}, "the nearest is 8,192"),
        ({"schedule": "dualpipe"}, "not timed in a training step"),
        ({"schedule": "zigzag"}, "there is no schedule"),
        ({"recompute": "some"}, "recompute 'some' is not known"),
        ({"number_format": "fp4"}, "not one of bf16, fp8"),
        ({"framework": "mine"}, "not in the catalog"),
        ({"chips": 8}, "none of .* fits in memory"),
        ({"measured_s": 0.0}, "must be above 0"),
        (
            {"layout": "tp8,pp4,dp4", "measured_s": 9.0},
            "of the chips. peak FLOP/s, which nothing reaches; check its unit",
        ),
        ({"tokens": 5.0}, "tokens"),
        ({"layout": "tp8,pp4,dp4", "batch_tokens": 2**20 + 8192}, "the nearest are 128 and 132"),
        (
            {"layout": "tp8,pp4,dp4,vpp2", "batch_tokens": 88 * 8192},
            "cuts 88 sequences into 22 micro-batches a replica; .* give 20 or 24",
        ),
        ({"micro_batch": 3}, "in micro-batches of 3; leave that out"),
        ({"layout": "tp8,dp16", "schedule": "zigzag"}, "there is no schedule"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_remedy(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        trained(**asked)


@pytest.mark.parametrize(
    ("tokens", "sequence", "sequences"),
    [(2**24, 8192, 2048), (16e6, 8192, 2048), (16e6, 4000, 4000), (512e3, 4096, 125), (64e3, 4096, 16)],
)
def test_a_batch_is_read_as_it_is_meant(tokens: float, sequence: int, sequences: int) -> None:
    found, said = sequences_of(tokens, sequence)
    assert found == sequences
    assert bool(said) == (found * sequence != tokens)


@pytest.mark.parametrize(
    ("tokens", "sequence", "said"),
    [
        # DeepSeek-V3 was trained on batches of 15,360 sequences of 4,096 tokens, published as 62.9M.
        (62.9e6, 4096, "nearest are 62,898,176 or 62,902,272; 62,914,560 is 62.9M to 3 digits, too: 15,360 sequences"),
        (
            1.2e6,
            8192,
            "nearest are 1,196,032 or 1,204,224; 1,179,648 is 1.2M to 2 digits, too: 144 sequences, which 16",
        ),
        (100e3, 8192, "nearest are 98,304 or 106,496$"),
        # 962,072,674,304 would be 0.96T to as many digits.
        (1e12, 8192, "nearest are 999,999,995,904 or 1,000,000,004,096$"),
        (100, 4096, "nearest is 4,096$"),
        # As Mi it would be 5 % more than was asked for, and 63 is no power of two: it is DeepSeek-V3's batch, rounded.
        (
            63e6,
            4096,
            "62,996,480 or 63,000,576; 62,914,560 is 63M to 2 digits, too: 15,360 sequences, which 1,024 divides",
        ),
    ],
)
def test_a_batch_of_broken_sequences_is_refused_with_the_nearest(tokens: float, sequence: int, said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        sequences_of(tokens, sequence)


def test_what_a_batch_was_taken_as_is_said_where_nothing_serves_it_too() -> None:
    with pytest.raises(UnservedError, match=r"no layout divides .*: 32Ki tokens"):
        trained(batch_tokens=32e3, sequence_tokens=4096, chips=997)


def test_numbers_of_chips_that_divide_are_named_beside_one_that_does_not() -> None:
    with pytest.raises(UnservedError, match=r"a power of two \(there are 64 and 128\)"):
        trained(chips=99)


def test_a_batch_that_divides_is_named_where_the_chips_are_a_power_of_two() -> None:
    with pytest.raises(UnservedError, match=r"a batch of a power of two: 512 sequences are 524,288 tokens"):
        trained(chips=4096, batch_tokens=500 * 1024, sequence_tokens=1024)


def test_sequences_longer_than_the_model_was_made_for_are_said() -> None:
    found = trained(chips=None, layout="tp8,pp8,cp8", sequence_tokens=262_144, recompute="full")
    assert "262,144 tokens are more than the 131,072 that Llama 3.1 70B was made for" in found.notes


def test_thousands_are_written_as_they_are_read() -> None:
    sequences, said = sequences_of(32e3, 4096)
    assert (sequences, said.rpartition(": ")[2]) == (8, "32Ki tokens")


def test_a_recipe_is_the_frameworks() -> None:
    assert usual_recipe("megatron").gradients == "bf16"
    assert usual_recipe("maxtext").hides_tp
    assert usual_recipe("ideal").hides_tp
    assert usual_recipe("megatron", number_format="mxfp8").scaling == "mx"


def test_what_is_asked_and_makes_no_difference_is_said() -> None:
    one = trained(layout="tp8,dp16", schedule="zb-v", dispatcher="deepep", hides_dispatch=True)
    assert one.plans[0].job.pipeline.id == "1f1b"
    assert "llama-3.1-70b has no routed experts, for which dispatcher and hides_dispatch would be" in one.notes
    assert "tp8,dp16 has one stage, which schedule zb-v makes no difference to" in one.notes
    plain = trained(layout="tp8,dp16")
    assert not any("makes no difference" in note or "routed experts" in note for note in plain.notes)


def test_a_layout_that_lies_unevenly_over_racks_is_refused_by_its_name() -> None:
    with pytest.raises(RidgelineError, match=r"training layout tp8,pp2,dp12: 12 chips.* do not lie evenly.* leave"):
        train("llama-3.1-70b", "gb200-nvl72", tokens=1e12, batch_tokens=9 * 2**20, layout="tp8,pp2,dp12")


@pytest.mark.parametrize("framework", ["megatron", "torchtitan", "maxtext", "llm-foundry"])
@pytest.mark.parametrize("layout", ["dp512", "dp512,zero3,shards8"])
def test_no_framework_is_faster_than_the_ideal_one(layout: str, framework: str) -> None:
    """With few micro-batches, where what replicas exchange weighs most."""
    asked = {**ASKED, "layout": layout}
    ideal, other = (
        train("llama-3.1-8b", "h100-sxm", **asked, framework=name).plans[0].time.step_time_s
        for name in ("ideal", framework)
    )
    assert ideal < other
