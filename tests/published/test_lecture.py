"""Numbers of the lecture "The math behind how LLMs are trained and served", and its corrections."""

from __future__ import annotations

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import collectives, roofline
from ridgeline.estimator.board import board
from ridgeline.estimator.parameters import active_params, kv_bytes_per_token, total_params
from ridgeline.specs.precision import Precision, uniform_precision
from ridgeline.specs.workload import Decode


def test_balance_batch_of_deepseek_v3_at_the_boards_300() -> None:
    """A12: 5,440, where the lecture has 2,400 from 32 of 256 experts; 0.1 %, since 5,440 is rounded to tens."""
    assert roofline.balance_batch(balance_ratio=300, expansion=671 / 37) == pytest.approx(5440, rel=1e-3)


def test_balance_ratio_of_h100_is_295() -> None:
    chip = load_machine("h100-sxm").chip
    ratio = roofline.balance_ratio(
        flop_per_s=chip.flop_per_s["bf16"], hbm_bytes_per_s=chip.hbm_bytes_per_s, bytes_per_param=2
    )
    assert round(float(ratio)) == 295


def _board(model_id: str, machine_id: str, precision: Precision, **lengths: float):  # type: ignore[no-untyped-def]  # noqa: ANN202
    machine = load_machine(machine_id)
    return board(
        load_model(model_id),
        machine.chip,
        chips=machine.scale_up_chips,
        precision=precision,
        step=Decode(batch=1, context_tokens=lengths.get("context", 1)),
        held_tokens=lengths.get("held", 1),
        usd_per_chip_s=None,
    )


def test_deepseek_v3_cannot_step_faster_than_1_16_ms_on_an_nvl72() -> None:
    """A6, all 671 billion parameters at one byte; 0.5 %: the lecture cuts 1.165 to 1.16."""
    numbers = roofline.memory_time_s(
        batch=1,
        weight_bytes=total_params(load_model("deepseek-v3")),
        kv_bytes_per_sequence=0,
        hbm_bytes_per_s=72 * load_machine("gb200-nvl72").chip.hbm_bytes_per_s,
    )
    assert numbers == pytest.approx(1.16e-3, rel=5e-3)
    published = _board("deepseek-v3", "gb200-nvl72", load_model("deepseek-v3").precision)
    # Scales, and embedding and head in 16 bits, add 0.3 %.
    assert published.floor_step_time_s == pytest.approx(numbers, rel=5e-3)


def test_a_dense_model_in_one_format_balances_at_the_chips_own_ratio() -> None:
    numbers = _board("llama-3.1-70b", "h100-sxm", uniform_precision("bf16", kv="bf16"))
    chip = load_machine("h100-sxm").chip
    ratio = chip.flop_per_s["bf16"] / chip.hbm_bytes_per_s
    assert numbers.balance_batch == pytest.approx(ratio, rel=1e-12)


@pytest.mark.parametrize(
    ("model_id", "kv_format", "published"),
    [
        ("llama-3.1-70b", "bf16", 327_680),
        ("llama-3.1-405b", "bf16", 516_096),
        ("qwen3-235b-a22b", "bf16", 192_512),
        ("deepseek-v3", "bf16", 70_272),
        ("deepseek-v3", "fp8", 35_136),
    ],
)
def test_kv_bytes_per_token(model_id: str, kv_format: str, published: int) -> None:
    """D4: exact integers."""
    precision = uniform_precision("bf16", kv=kv_format)
    assert kv_bytes_per_token(load_model(model_id), precision) == published


def test_balance_and_full_memory_are_two_batches() -> None:
    """A20: 20 ms and 2,400 hold together only where weights fill the memory."""
    numbers = _board("deepseek-v3", "gb200-nvl72", load_model("deepseek-v3").precision, context=1500, held=1576)
    assert numbers.memory_full_batch > 10 * numbers.balance_batch


def test_expansion_of_deepseek_v3() -> None:
    """A12: 671 over 37 billion; 2 %: 37 is rounded from 37.55."""
    model = load_model("deepseek-v3")
    assert total_params(model) / active_params(model) == pytest.approx(671 / 37, rel=2e-2)


def test_experts_over_two_racks_take_four_times_as_long() -> None:
    """B4, with as many chips a rack as make the part that a chip keeps to itself vanish."""
    link = {"message_bytes": 1e9, "bytes_per_s": (800e9, 100e9), "latency_s": (0.0, 0.0)}
    times = {
        racks: max(collectives.all_to_all_level_times_s(ranks=(1e9, racks), **link))  # type: ignore[arg-type]
        for racks in (1, 2, 4)
    }
    assert times[2] / times[1] == pytest.approx(4)
    assert times[4] / times[1] == pytest.approx(6)
