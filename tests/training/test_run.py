from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.published.closed_forms import daly_interval_s

from ridgeline.equations.power import chip_power_w
from ridgeline.equations.reliability import slowest_lognormal_ratio
from ridgeline.errors import RidgelineError
from ridgeline.specs.reliability import CheckpointTier, Reliability
from ridgeline.specs.tariff import Tariff
from ridgeline.training.run import ChipPower, TimedStep, TrainingRun, train_run

STEP = TimedStep(step_time_s=5.0, batch_tokens=16e6, chips=16_384, checkpoint_bytes=5.67e12, waited_for_chips=16_384)
STORAGE = CheckpointTier(name="storage", bytes_per_s=2e11)
MEMORY = CheckpointTier(name="memory", chip_bytes_per_s=25e9, blocking_fraction=0.2, mended_fraction=0.9)
USUAL = Reliability(chip_mtbf_s=2e8, restart_s=600.0, tiers=(STORAGE,), step_log_sd=0.01)
NEVER = dataclasses.replace(USUAL, chip_mtbf_s=1e12, restart_s=0.0)
TARIFF = Tariff(usd_per_chip_s=2 / 3600, label="as asked")
POWER = ChipPower(power_w=700.0, idle_power_fraction=0.1, working_fraction=0.9, pue=1.2)


def run(step: TimedStep = STEP, reliability: Reliability = USUAL, **more: Any) -> TrainingRun:  # noqa: ANN401  its arguments
    return train_run(step, tokens=1.6e12, reliability=reliability, **more)


def losses(found: TrainingRun) -> dict[str, float]:
    return dataclasses.asdict(found.lost)


def test_without_failures_a_run_is_its_steps() -> None:
    """1e-3: of the few that a chip in 30,000 years still fails."""
    found = run(reliability=NEVER, tariff=TARIFF, power=POWER)
    assert found.steps == 100_000
    assert found.days == pytest.approx(100_000 * 5 / 86_400, rel=1e-3)
    assert found.usd == pytest.approx(100_000 * 5 * 16_384 * 2 / 3600, rel=1e-3)
    watts = chip_power_w(most_w=700, idle_fraction=0.1, working_fraction=0.9)
    assert found.kwh == pytest.approx(1.2 * watts * 16_384 * 100_000 * 5 / 3.6e6, rel=1e-3)
    assert max(losses(found).values()) < 1e-3


@given(
    st.floats(1e7, 1e10),
    st.floats(0, 1200),
    st.sampled_from([(STORAGE,), (MEMORY, STORAGE)]),
    st.floats(0.01, 1),
    st.sampled_from([1, 512, 16_384]),
    st.floats(0, 0.05),
)
def test_time_is_all_accounted_for(
    chip_mtbf_s: float,
    restart_s: float,
    tiers: tuple[CheckpointTier, ...],
    blocking_fraction: float,
    waited_for_chips: int,
    spread: float,
) -> None:
    tiers = (*tiers[:-1], dataclasses.replace(tiers[-1], blocking_fraction=blocking_fraction))
    reliability = Reliability(chip_mtbf_s=chip_mtbf_s, restart_s=restart_s, tiers=tiers, step_log_sd=spread)
    step = dataclasses.replace(STEP, waited_for_chips=waited_for_chips)
    assume(chip_mtbf_s / STEP.chips > restart_s + 100)
    found = run(step, reliability, power=POWER)
    assert found.goodput_fraction + sum(losses(found).values()) == pytest.approx(1, rel=1e-9)
    assert min(losses(found).values()) >= 0
    assert found.days * 86_400 * found.goodput_fraction == pytest.approx(found.steps * 5.0)
    assert found.failures == pytest.approx(found.days * 86_400 / found.mtbf_s)
    assert found.checkpoint_interval_s >= 5.0
    whole = found.storage_interval_s / found.checkpoint_interval_s
    assert whole == pytest.approx(round(whole))
    assert found.storage_interval_s >= (1 - blocking_fraction) * STEP.checkpoint_bytes / 2e11
    assert found.kwh is not None
    hours = STEP.chips * found.days * 24
    assert 0.1 * 0.7 * 1.2 * hours < found.kwh < 0.7 * 1.2 * hours


@given(st.floats(1.05, 3), st.sampled_from([(STORAGE,), (MEMORY, STORAGE)]))
def test_what_is_worse_takes_longer(more: float, tiers: tuple[CheckpointTier, ...]) -> None:
    usual = dataclasses.replace(USUAL, tiers=tiers)
    days = run(reliability=usual).days
    storage = dataclasses.replace(tiers[-1], bytes_per_s=2e11 / more)
    for worse in (
        dataclasses.replace(usual, chip_mtbf_s=2e8 / more),
        dataclasses.replace(usual, restart_s=600 * more),
        dataclasses.replace(usual, tiers=(*tiers[:-1], storage)),
    ):
        assert run(reliability=worse).days > days
    assert run(dataclasses.replace(STEP, waited_for_chips=round(16_384 / more)), usual).days > days


def test_the_best_interval_is_dalys_and_no_other_does_better() -> None:
    found = run()
    pause_s = STEP.checkpoint_bytes / 2e11
    daly = float(daly_interval_s(checkpoint_s=pause_s, mtbf_s=found.mtbf_s))
    assert found.checkpoint_interval_s == pytest.approx(daly, rel=1e-4)  # his series' next term
    for factor in (0.5, 0.9, 1.1, 2.0):
        given_s = dataclasses.replace(STORAGE, interval_s=factor * found.checkpoint_interval_s)
        other = run(reliability=dataclasses.replace(USUAL, tiers=(given_s,)))
        assert other.checkpoint_interval_s == given_s.interval_s
        assert other.goodput_fraction < found.goodput_fraction


@pytest.mark.parametrize("storage_factor", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("memory_factor", [0.5, 1.0, 2.0])
def test_no_other_nested_intervals_do_better(memory_factor: float, storage_factor: float) -> None:
    """1e-4 of the time: the number in memory to one on storage is the best to first order."""
    best = run(reliability=dataclasses.replace(USUAL, tiers=(MEMORY, STORAGE)))
    inner = max(memory_factor * best.checkpoint_interval_s, 5.0)
    per_storage = max(round(storage_factor * best.storage_interval_s / inner), 1)
    tiers = (
        dataclasses.replace(MEMORY, interval_s=inner),
        dataclasses.replace(STORAGE, interval_s=per_storage * inner),
    )
    other = run(reliability=dataclasses.replace(USUAL, tiers=tiers))
    assert other.storage_interval_s == pytest.approx(per_storage * inner)
    assert other.goodput_fraction < best.goodput_fraction + 1e-4


def test_memory_of_other_chips_saves_time_and_so_does_writing_beside_training() -> None:
    alone = run().goodput_fraction
    assert run(reliability=dataclasses.replace(USUAL, tiers=(MEMORY, STORAGE))).goodput_fraction > alone + 0.02
    beside = dataclasses.replace(STORAGE, blocking_fraction=0.01)
    assert run(reliability=dataclasses.replace(USUAL, tiers=(beside,))).goodput_fraction > alone + 0.02


def test_work_behind_a_checkpoint_that_is_still_written_is_lost_too() -> None:
    """Half an interval and the writing for each failure, to first order; 2 %: the second."""
    beside = dataclasses.replace(STORAGE, blocking_fraction=1e-6)
    found = run(reliability=dataclasses.replace(USUAL, restart_s=0.0, tiers=(beside,)))
    written_s = STEP.checkpoint_bytes / 2e11
    assert found.checkpoint_interval_s == pytest.approx(written_s, rel=1e-5)
    assert found.lost.lost_work_fraction == pytest.approx(1.5 * written_s / found.mtbf_s, rel=0.02)


def test_slow_chips_hold_up_what_the_step_did_not_wait_for() -> None:
    found = run(dataclasses.replace(STEP, waited_for_chips=512), NEVER)
    ratio = slowest_lognormal_ratio(chips=16_384, log_sd=0.01) / slowest_lognormal_ratio(chips=512, log_sd=0.01)
    assert found.lost.stragglers_fraction == pytest.approx(1 - 1 / ratio, rel=1e-3)
    assert found.days == pytest.approx(run(reliability=NEVER).days * ratio, rel=1e-4)


def test_chips_that_wait_draw_less() -> None:
    """The whole time at idle power, and what kernels add in all steps that are run, the undone ones too."""
    found = run(dataclasses.replace(STEP, waited_for_chips=512), power=POWER)
    parts = found.lost
    slowest = 1 + parts.stragglers_fraction / found.goodput_fraction
    stepping = found.goodput_fraction + parts.lost_work_fraction / slowest
    watts = 700 * (0.1 + 0.9 * 0.9 * stepping)
    assert found.kwh == pytest.approx(1.2 * watts * STEP.chips * found.days * 24 / 1000)


def test_electricity_with_a_price_of_its_own_is_added() -> None:
    dear = dataclasses.replace(POWER, electricity_usd_per_j=0.1 / 3.6e6)
    chips, both, electricity = run(tariff=TARIFF), run(tariff=TARIFF, power=dear), run(power=dear)
    assert (chips.kwh, run(power=POWER).usd) == (None, None)
    assert chips.usd is not None
    assert electricity.kwh is not None
    assert electricity.usd == pytest.approx(0.1 * electricity.kwh)
    assert both.usd == pytest.approx(chips.usd + 0.1 * electricity.kwh)
    assert both.notes == ("price: as asked",)


@pytest.mark.parametrize(
    ("tokens", "step", "said"),
    [
        (1e3, STEP, r"less than one batch of 16,000,000; give more"),
        (float("nan"), STEP, r"train_run: tokens=nan is outside"),
        (
            1.6e12,
            dataclasses.replace(STEP, chips=10_000_000),
            r"hardly gets on: one of its chips fails every 20 s.* take fewer chips",
        ),
        (1.6e12, dataclasses.replace(STEP, checkpoint_bytes=1e16), "faster tiers of checkpoints"),
        (1.6e12, dataclasses.replace(STEP, step_time_s=1e8), "smaller batches"),
    ],
)
def test_a_run_that_makes_no_sense_is_refused(tokens: float, step: TimedStep, said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        train_run(step, tokens=tokens, reliability=USUAL)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"step_time_s": 0.0}, "step_time_s=0 trains in no time; write"),
        ({"step_time_s": -1.0}, "step_time_s=-1.0 is outside"),
        ({"chips": 0}, "chips=0 is outside"),
        ({"chips": 8.5}, "write 8"),
        ({"waited_for_chips": 0}, "waited_for_chips=0 is outside"),
        ({"waited_for_chips": 20_000}, "more than the 16384 that take the step; write 16384 at most"),
        ({"checkpoint_bytes": 5.67}, "checkpoint_bytes=5.67 is outside.*base units"),
        ({"batch_tokens": "16M"}, "batch_tokens='16M' is not a number"),
    ],
)
def test_a_step_that_makes_no_sense_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        dataclasses.replace(STEP, **fields)


@pytest.mark.parametrize("interval_s", [1.0, 20_000.0])
def test_intervals_that_no_run_can_keep_are_refused(interval_s: float) -> None:
    tier = dataclasses.replace(STORAGE, interval_s=interval_s)
    with pytest.raises(RidgelineError, match=r"is outside 5 s to .* leave it out for the best"):
        run(reliability=dataclasses.replace(USUAL, tiers=(tier,)))
