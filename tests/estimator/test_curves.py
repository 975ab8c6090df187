from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.errors import RidgelineError
from ridgeline.estimator.bounds import bounds_of
from ridgeline.estimator.curves import BatchCurves, Lines, decode_curves
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.memory import kv_capacity_tokens, pass_memory
from ridgeline.specs.fidelity import MEASURED, ROOFLINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, chunk, decode, together

V3 = ("deepseek-v3", "gb200-nvl72", "dp8,ep8", 64, 500)
"""At a short context, so that large batches are bound by compute."""
LLAMA = ("llama-3.1-70b", "h100-sxm", "tp8", 64, 8000)


def curves(model: str, machine: str, layout: str, batch: int, context_tokens: int) -> BatchCurves:
    step = decode(batch=batch, context_tokens=context_tokens)
    return decode_curves(
        deploy(load_model(model), load_machine(machine), Layout.from_text(layout), fidelity=MEASURED), step
    )


@pytest.mark.parametrize("case", [V3, LLAMA])
def test_the_lines_are_the_boards(case: tuple[str, str, str, int, int]) -> None:
    found = curves(*case)
    numbers = bounds_of(
        found.deployment,
        Pass(lanes=(found.step,)),
        chips=found.deployment.layout.chips,
        held_tokens=case[-1],
        usd_per_chip_s=found.usd_per_chip_s,
        attention_tp=found.deployment.layout.attention_tp,
    )
    assert found.bounds == numbers
    time_s, usd = found.time_s, found.usd_per_output_token
    assert usd is not None
    assert time_s.weights[0] == pytest.approx(numbers.floor_one_sequence_s)
    assert time_s.weights[-1] == pytest.approx(numbers.floor_step_time_s)
    assert (np.diff(time_s.weights) >= -1e-12 * time_s.weights[-1]).all()  # rounding, where all are read
    assert time_s.floor == pytest.approx(numbers.floor_step_time_s)
    assert time_s.bound == pytest.approx(np.maximum(time_s.compute, time_s.weights + time_s.kv))
    assert usd.compute == pytest.approx(numbers.compute_usd_per_output_token)
    assert usd.kv == pytest.approx(numbers.kv_usd_per_output_token)
    assert usd.weights[-1] * found.batch[-1] == pytest.approx(numbers.weights_usd_per_step)
    assert usd.floor == pytest.approx(numbers.floor_usd_per_output_token)
    for lines in (usd, found.chip_s_per_output_token):
        assert (lines.bound >= lines.floor * (1 - 1e-12)).all()  # rounding
    assert found.batch[0] == 1
    assert found.batch[-1] > found.room_sequences


def test_at_the_balance_batch_computing_takes_as_long_as_reading() -> None:
    found = curves(*V3)
    assert found.balance is not None
    assert found.batch[found.balance] == found.bounds.balance_batch_with_kv
    time_s = found.time_s
    assert time_s.compute[found.balance] == pytest.approx((time_s.weights + time_s.kv)[found.balance])
    assert curves(*LLAMA).balance is None


def test_a_balance_batch_far_beyond_the_memory_is_not_in_sight() -> None:
    found = curves("kimi-k2", "h200-sxm", "dp16,ep16", 64, 2250)
    assert found.bounds.balance_batch_with_kv is not None
    assert found.balance is None
    assert found.batch[-1] < found.bounds.balance_batch_with_kv


@pytest.mark.parametrize("case", [V3, LLAMA, ("qwen3-30b-a3b", "gb200-nvl72", "dp4,ep4", 1, 1000)])
def test_the_asked_batch_is_as_estimate_says(case: tuple[str, str, str, int, int]) -> None:
    """Also where it does not fill the groups of ``dp``."""
    found = curves(*case)
    alone = estimate(found.deployment, Pass(lanes=(found.step,)))
    assert found.estimate_batch[found.asked] == case[3]
    lines = found.time_s
    assert (lines.estimate_low[found.asked], lines.estimate[found.asked], lines.estimate_high[found.asked]) == (
        pytest.approx((alone.low_s, alone.step_time_s, alone.high_s))
    )
    assert found.tpot_s is None


def test_the_estimate_ends_where_memory_does() -> None:
    found = curves(*LLAMA)
    last = float(found.estimate_batch[-1])
    free = [
        pass_memory(found.deployment, Pass(lanes=(dataclasses.replace(found.step, sequences=batch),))).free_bytes
        for batch in (last, last + found.deployment.layout.dp)
    ]
    assert free[0] >= 0 > free[1]
    assert last == found.room_sequences <= found.bounds.memory_full_batch


def test_a_layout_that_keeps_copies_reads_them_and_has_room_for_as_many() -> None:
    """DeepSeek-V3's latent vectors belong to no head: each of eight chips keeps and reads all of them."""
    copied, once = (curves("deepseek-v3", "gb200-nvl72", layout, 64, 4500) for layout in ("tp8,ep8", "dp8,ep8"))
    assert once.kv_copies == 1
    assert copied.kv_copies == pytest.approx(8)
    least = min(len(copied.batch), len(once.batch))
    per_sequence = [(one.time_s.kv / one.batch)[:least] for one in (copied, once)]
    assert per_sequence[0] == pytest.approx(8 * per_sequence[1])
    assert copied.usd_per_output_token is not None
    assert once.usd_per_output_token is not None
    assert copied.usd_per_output_token.floor > once.usd_per_output_token.floor
    assert copied.usd_per_output_token.floor == pytest.approx(copied.bounds.floor_usd_per_output_token)
    memory = pass_memory(copied.deployment, Pass(lanes=(copied.step,)))
    room = kv_capacity_tokens(copied.deployment, memory, held_tokens=4500)
    assert room is not None
    assert copied.room_sequences == room // 4500
    # A step of more sequences has larger activations, which leave a little less room.
    assert copied.estimate_batch[-1] == pytest.approx(copied.room_sequences, rel=0.01)


def test_costs_are_chip_time_at_a_price() -> None:
    priced = curves(*V3)
    assert priced.usd_per_chip_s is not None
    assert priced.usd_per_output_token is not None
    for field in dataclasses.fields(Lines):
        in_chip_s = getattr(priced.chip_s_per_output_token, field.name)
        assert getattr(priced.usd_per_output_token, field.name) == pytest.approx(in_chip_s * priced.usd_per_chip_s)
    chips = priced.deployment.layout.chips
    assert priced.chip_s_per_output_token.estimate * priced.estimate_batch == pytest.approx(
        priced.time_s.estimate * chips
    )


def test_without_a_price_there_is_chip_time_alone() -> None:
    model, machine = load_model("llama-3.1-8b"), dataclasses.replace(load_machine("h100-sxm"), tariff=None)
    found = decode_curves(deploy(model, machine, Layout(), fidelity=MEASURED), decode(batch=8, context_tokens=1000))
    assert found.usd_per_output_token is None
    assert found.price_label == "no price known"


@pytest.mark.parametrize("case", [V3, LLAMA, ("gpt-oss-120b", "h100-sxm", "tp2", 64, 4000)])
def test_no_estimate_is_below_the_step_at_peak(case: tuple[str, str, str, int, int]) -> None:
    """Of routed experts a small batch reads a few, in the bound as in the estimate."""
    model, machine, layout, _, context = case
    for fidelity in (ROOFLINE, MEASURED):
        deployment = deploy(load_model(model), load_machine(machine), Layout.from_text(layout), fidelity=fidelity)
        found = decode_curves(deployment, decode(batch=64, context_tokens=context))
        bound = np.interp(found.estimate_batch, found.batch, found.time_s.bound)
        # Lines between the curve's points lie above a curve that bends down, by under a thousandth.
        assert (found.time_s.estimate >= bound * (1 - 1e-3)).all()


def test_a_pass_of_several_lanes_is_refused_where_one_is_asked_for() -> None:
    mixed = together(decode(batch=4, context_tokens=1000), chunk(batch=1, new_tokens=100, past_tokens=0))
    with pytest.raises(RidgelineError, match="2"):
        mixed.only_lane  # noqa: B018  it raises
    assert decode(batch=4, context_tokens=1000).only_lane.sequences == 4
