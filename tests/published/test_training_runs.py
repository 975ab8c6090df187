"""What training runs say of their failures and of the time that was of use.

Llama 3 (arXiv 2407.21783, section 3.3.4), Meta's clusters (Kokolis et al., arXiv 2410.21680), BLOOM's chronicles,
GEMINI (Wang et al. 2023, SOSP), Daly 2006; rates and restarts are the catalog's facts.
"""

from __future__ import annotations

import dataclasses

import pytest
from tests.published.closed_forms import daly_interval_s

from ridgeline.catalog.reliability import reliability_facts, usual_reliability
from ridgeline.equations.reliability import (
    job_mtbf_s,
    period_s,
    restart_fraction,
    useful_fraction,
)
from ridgeline.specs.reliability import CheckpointTier, Reliability
from ridgeline.training.run import TimedStep, TrainingRun, train_run

HOUR_S, DAY_S = 3600, 86_400
FACTS = reliability_facts()

STATE_BYTES = 405e9 * 14
"""A weight in 16 bits, and its master copy and two moments in 32 bits each."""


def llama(reliability: Reliability) -> TrainingRun:
    """54 days of Llama 3's steps: 16M tokens at 400 TFLOP/s a chip, six for each of 405 billion parameters."""
    step_time_s = 6 * 405e9 * 16e6 / (16_384 * 400e12)
    step = TimedStep(
        step_time_s=step_time_s,
        batch_tokens=16e6,
        chips=16_384,
        checkpoint_bytes=STATE_BYTES,
        waited_for_chips=16_384,
    )
    return train_run(step, tokens=54 * DAY_S / step_time_s * 16e6, reliability=reliability)


def test_llama_3_trains_for_more_than_nine_tenths_of_its_time() -> None:
    """From its failures and its storage; the paper gives neither restarts nor checkpoints, which are others'.

    More than 90 % is all that it says, so nothing is allowed for: what others publish of runs as large, ten minutes,
    and at most fifteen until all work is done again, must give as much. Twenty, the most of Meta's older clusters,
    do not.
    """
    usual = usual_reliability("hopper")
    for restart in (FACTS.restarts["byterobust"], FACTS.restarts["megascale"]):
        assert llama(dataclasses.replace(usual, restart_s=restart.seconds.value)).goodput_fraction > 0.9
    assert llama(dataclasses.replace(usual, restart_s=20 * 60)).goodput_fraction < 0.9


def test_llama_3_is_interrupted_every_three_hours() -> None:
    """As is said of it, with one digit: 4 %."""
    assert llama(usual_reliability("hopper")).mtbf_s == pytest.approx(3 * HOUR_S, rel=0.04)


@pytest.mark.parametrize(("chips", "hours"), [(16_384, 1.8), (131_072, 0.23)])
def test_large_jobs_fail_as_meta_projects(chips: int, hours: float) -> None:
    """Half a digit of 0.23; jobs of 1,024 chips failed each 7.9 h and not each 29: not by their hardware."""
    found = job_mtbf_s(chip_mtbf_s=FACTS.runs["rsc-1"].chip_mtbf_s, chips=chips) / HOUR_S
    assert found == pytest.approx(hours, rel=0.025)


def test_useful_time_is_what_meta_expects() -> None:
    """(1 - N r (u + w / 2)) / (1 + c / w), to first order; the square of its losses is allowed.

    Of 256 nodes as on its clusters: five failures in a thousand node-days, hourly checkpoints of five minutes, and
    restarts of 5 to 20 minutes.
    """
    mtbf_s = DAY_S / (5e-3 * 256)
    for restart_s in (5 * 60, 20 * 60):
        undone = (restart_s + HOUR_S / 2) / mtbf_s
        expected = (1 - undone) / (1 + 300 / HOUR_S)
        period = period_s(interval_s=HOUR_S, checkpoint_s=300, mtbf_s=mtbf_s)
        stays = useful_fraction(interval_s=HOUR_S, period_s=period)
        found = stays * (1 - restart_fraction(restart_s=restart_s, mtbf_s=mtbf_s))
        assert found == pytest.approx(expected, abs=(1 - expected) ** 2)


def test_bloom_loses_half_its_interval() -> None:
    """1.5 h for each failure with a checkpoint every three; 2 %: a failure may strike while work is done again."""
    tier = CheckpointTier(name="storage", bytes_per_s=57.5e9, interval_s=3 * HOUR_S)
    step = TimedStep(
        step_time_s=105.0, batch_tokens=2048 * 2048, chips=384, checkpoint_bytes=2.3e12, waited_for_chips=384
    )
    chip_mtbf_s = FACTS.runs["bloom-176b"].chip_mtbf_s
    reliability = Reliability(chip_mtbf_s=chip_mtbf_s, restart_s=0.0, tiers=(tier,))
    found = train_run(step, tokens=366e9, reliability=reliability)
    lost_h = found.lost.lost_work_fraction * found.mtbf_s / HOUR_S
    assert lost_h == pytest.approx(1.5, rel=0.02)


@pytest.mark.parametrize(("mtbf_min", "interval_min"), [(24 * 60, 117), (6 * 60, 57), (15, 9.1)])
def test_dalys_intervals(mtbf_min: float, interval_min: float) -> None:
    """His figures 3 to 5, checkpoints of five minutes; half a digit."""
    assert daly_interval_s(checkpoint_s=5, mtbf_s=mtbf_min) == pytest.approx(interval_min, rel=0.006)
