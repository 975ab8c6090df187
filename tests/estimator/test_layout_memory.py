"""What each degree of a layout divides, and what it leaves whole: the memory of a chip."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.estimator.plain import DEEPSEEK, H100, LLAMA, PALM, SMALL, TPU

from ridgeline.catalog import load_model
from ridgeline.equations.memory import bytes_per_chip
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.memory import Memory, kv_capacity_tokens, limits_of, memory_per_chip
from ridgeline.estimator.messages import AllGather
from ridgeline.estimator.parameters import kv_bytes_held, weight_bytes, weight_bytes_per_chip
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.stage_cuts import engine_cut, layer_counts, stages_of
from ridgeline.estimator.step import step_operations
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, decode
from ridgeline.specs.stage_cut import SpareLayers


def memory(model: Model, layout: Layout, pass_: Pass, machine: Machine = TPU) -> Memory:
    return estimate(deploy(model, machine, layout), pass_).memory


def fullest_weight_bytes(model: Model, layout: Layout) -> float:
    """On the chip with the most of them."""
    return weight_bytes_per_chip(model, model.precision, layout, stages_of(deploy(model, TPU, layout)))


STAGES = st.sampled_from([1, 2, 4, 5, 8, 10, 16, 20, 40, 80])


@given(stages=STAGES, per_stage=st.integers(1, 64), context=st.integers(1, 100_000))
def test_stages_divide_weights_and_leave_a_chips_keys_and_values(stages: int, per_stage: int, context: int) -> None:
    """Lecture B15: with a micro-batch for every stage, Llama-3.1-70B's 80 layers of 1.7 GB in 16 bits."""
    layout = Layout(tp=8, pp=stages)
    found = memory(LLAMA, layout, decode(batch=per_stage * stages, context_tokens=context), H100)
    assert found.kv_bytes == pytest.approx(per_stage * context * 80 * 2 * 8 / 8 * 128 * 2, rel=1e-12)
    hidden, ffn = 8192, 28672
    layer = 2 * (hidden * (64 + 2 * 8 + 64) * 128 + 3 * hidden * ffn)
    end = 2 * 128_256 * hidden
    ends = 2 * end if stages == 1 else end  # embedding and head lie in different stages
    assert found.weights_bytes == pytest.approx((80 / stages * layer + ends) / 8, rel=1e-12)


@given(stages=STAGES, tp=st.sampled_from([1, 2, 4, 8]), per_stage=st.integers(1, 64), context=st.integers(1, 50_000))
def test_the_boards_memory_is_that_of_a_chip(stages: int, tp: int, per_stage: int, context: int) -> None:
    """Where stages are equal, all but the larger end."""
    layout, batch = Layout(tp=tp, pp=stages), per_stage * stages
    found = memory(LLAMA, layout, decode(batch=batch, context_tokens=context), TPU if tp * stages > 8 else H100)
    end = LLAMA.vocab * LLAMA.hidden * 2
    weights, kv = bytes_per_chip(
        weight_bytes=weight_bytes(LLAMA, LLAMA.precision) - 2 * end,
        kv_bytes_per_sequence=context * 327_680,
        batch=batch,
        chips_per_stage=tp,
        stages=stages,
    )
    ends = (2 if stages == 1 else 1) * end / tp
    assert found.weights_bytes == pytest.approx(weights + ends, rel=1e-12)
    assert found.kv_bytes == pytest.approx(kv, rel=1e-12)


@given(data=st.data())
def test_the_stages_of_a_pipeline_hold_the_whole_model(varied_model_id: str, data: st.DataObject) -> None:
    model = load_model(varied_model_id)
    stages = data.draw(st.integers(1, model.layers))
    chip = fullest_weight_bytes(model, Layout(pp=stages))
    # Rounding of the last digits.
    assert stages * chip >= weight_bytes(model, model.precision) * (1 - 1e-12)
    assert fullest_weight_bytes(model, Layout(pp=model.layers)) <= chip


# Models with layers that are all alike, with small and large vocabularies beside them, one of them tied.
ALIKE = [LLAMA, load_model("qwen3-8b"), load_model("qwen3-1.7b")]


@pytest.mark.parametrize("model", ALIKE, ids=lambda model: model.id)
@pytest.mark.parametrize("spare_layers", SpareLayers)
@given(stages=st.integers(1, 16), tp=st.sampled_from([1, 8]))
def test_the_stage_that_fills_first_decides_how_many_tokens_there_is_room_for(
    model: Model, spare_layers: SpareLayers, stages: int, tp: int
) -> None:
    """Stage by stage: embedding in the first, head in the last; vLLM, too, takes the least of all stages' blocks."""
    layout, engine = Layout(tp=tp, pp=stages), dataclasses.replace(IDEAL_ENGINE, spare_layers=spare_layers)
    deployment = deploy(model, TPU, layout, engine=engine)
    found = memory_per_chip(deployment, rows=limits_of(deployment).pass_tokens, sampled=1, kv_bytes=0.0)
    given_bytes = float(found.weights_bytes + found.kv_bytes + found.free_bytes)  # to weights and cache
    end = model.vocab * model.hidden * 2 / tp
    layer = (weight_bytes(model, model.precision) - (1 if model.tied_embeddings else 2) * end * tp) / model.layers / tp
    counts = layer_counts(engine_cut(spare_layers, layers=model.layers, stages=stages))
    ends = [0.0] * stages
    ends[0] += end
    ends[-1] += end if stages > 1 or not model.tied_embeddings else 0.0
    per_layer = float(kv_bytes_held(model, model.precision, 1.0, tp=tp)) / model.layers
    room = [
        (given_bytes - count * layer - ends_bytes) / (count * per_layer) if count else math.inf
        for count, ends_bytes in zip(counts, ends, strict=True)
    ]
    # Whole tokens.
    assert kv_capacity_tokens(deployment, found, held_tokens=1.0) == pytest.approx(min(room), rel=1e-9, abs=1)


@pytest.mark.parametrize("model", [LLAMA, DEEPSEEK, load_model("gemma-3-27b")], ids=lambda model: model.id)
@pytest.mark.parametrize("cp", [2, 8])
def test_chips_that_share_a_context_divide_its_keys_and_copy_the_weights(model: Model, cp: int) -> None:
    pass_ = decode(batch=64, context_tokens=30_000)
    alone, shared = memory(model, Layout(tp=8), pass_), memory(model, Layout(tp=8, cp=cp), pass_)
    assert shared.kv_bytes == pytest.approx(alone.kv_bytes / cp, rel=1e-12)
    assert shared.weights_bytes == alone.weights_bytes


@pytest.mark.parametrize(
    ("model", "tp", "kv_dp", "bytes_per_token"),
    [
        (LLAMA, 8, 4, 327_680 / 8),  # heads are cut already
        (LLAMA, 16, 2, 327_680 / 16),  # 8 heads over 16 chips: one of them each, in two copies
        (DEEPSEEK, 8, 8, 70_272 / 8),
        (DEEPSEEK, 8, 2, 70_272 / 2),
        (PALM, 64, 64, 118 * 2 * 256 * 2 / 64),
        (PALM, 64, 1, 118 * 2 * 256 * 2),
    ],
)
def test_groups_with_sequences_of_their_own_divide_what_tp_would_copy(
    model: Model, tp: int, kv_dp: int, bytes_per_token: float
) -> None:
    layout = Layout(tp=tp, tp_rows=4 if tp == 64 else 1, kv_dp=kv_dp)
    found = memory(model, layout, decode(batch=128, context_tokens=1000))
    assert found.kv_bytes == pytest.approx(128 * 1000 * bytes_per_token, rel=1e-12)


@pytest.mark.parametrize("sequences", [1, 7, 9])
def test_a_group_keeps_its_sequences_whole(sequences: int) -> None:
    """Of 8 groups the fullest keeps one of 7 sequences and two of 9, all 80 layers and 8 heads of them."""
    found = memory(LLAMA, Layout(tp=8, kv_dp=8), decode(batch=sequences, context_tokens=1000))
    assert found.kv_bytes == math.ceil(sequences / 8) * 1000 * 327_680


@pytest.mark.parametrize("tp", [1, 4])
@pytest.mark.parametrize("fsdp", [2, 8])
def test_weights_that_lie_spread_are_divided_but_for_the_layers_under_way(tp: int, fsdp: int) -> None:
    pass_ = decode(batch=64, context_tokens=1000)
    whole, spread = (memory(SMALL, Layout(tp=tp, dp=8, fsdp=degree), pass_) for degree in (1, fsdp))
    hidden, ffn = 4096, 14336
    layer = 2 * (hidden * (32 + 2 * 8 + 32) * 128 + 3 * hidden * ffn) / tp
    assert whole.weights_bytes == pytest.approx(32 * layer + 2 * 2 * 128_256 * hidden / tp)
    assert spread.weights_bytes == pytest.approx(whole.weights_bytes / fsdp)
    head = 2 * 128_256 * hidden / tp  # which is larger than a layer, and gathered while the last one runs
    assert spread.activation_bytes == pytest.approx(whole.activation_bytes + layer + max(layer, head))
    assert spread.kv_bytes == whole.kv_bytes


@pytest.mark.parametrize(
    ("model", "text"),
    [(SMALL, "dp4"), (SMALL, "tp4,dp4"), (SMALL, "tp8,dp4,tp_rows2"), (PALM, "tp16,dp4"), (PALM, "tp16,dp4,tp_rows4")],
)
def test_all_layers_gathered_are_the_weights_of_a_chip_that_spreads_none(model: Model, text: str) -> None:
    layout = Layout.from_text(text)
    spread = dataclasses.replace(layout, fsdp=4)
    found = step_operations(
        deploy(model, TPU, spread, precision=model.precision), shares_of(decode(batch=64, context_tokens=1), spread)
    )
    gathered = sum(
        one.repeats * float(one.kernel.buffer_bytes)
        for one in found
        if isinstance(one.kernel, AllGather) and one.name in {"weights gather", "head gather"}
    )
    looked_up = 0 if model.tied_embeddings else model.vocab * model.hidden * 2 / layout.tp
    assert gathered + looked_up == pytest.approx(fullest_weight_bytes(model, layout), rel=1e-12)


def test_a_cut_in_two_dimensions_holds_as_much_as_one_in_one() -> None:
    """PaLM's one stored head is cut along its rows alone: 4 chips share it, where 64 would each have all of it."""
    pass_ = decode(batch=64, context_tokens=1000)
    one, two = (memory(PALM, Layout(tp=16, tp_rows=rows), pass_).weights_bytes for rows in (1, 4))
    key_value = 118 * 2 * 18432 * 2 * 256
    assert float(one) - float(two) == pytest.approx(key_value * (1 - 1 / 4))


@pytest.mark.parametrize("redundant", [0, 32, 256])
def test_experts_held_twice_take_their_share(redundant: int) -> None:
    """Over 32 chips; each of 58 layers has 256 experts of 3 x 7168 x 2048 values in blocks of 8 bits."""
    pass_ = decode(batch=64, context_tokens=1000)
    layout = Layout(dp=32, ep=32)
    once = memory(DEEPSEEK, layout, pass_)
    twice = memory(DEEPSEEK, dataclasses.replace(layout, redundant_experts=redundant), pass_)
    expert = 3 * 7168 * 2048 * (1 + 4 / 128**2)
    assert float(twice.weights_bytes) - float(once.weights_bytes) == pytest.approx(58 * redundant * expert / 32)
    assert twice.kv_bytes == once.kv_bytes
