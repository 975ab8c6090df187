"""Amounts counted by hand: what each piece of a step moves, and what lies in memory."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.bounds import bounds_of
from ridgeline.estimator.clock import kernel_timing, message_timing
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.kernels import AttentionCore, ExpertMatmul, Matmul, work
from ridgeline.estimator.memory import activation_bytes
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Group
from ridgeline.estimator.messages.levels import message_bytes
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import step_operations
from ridgeline.specs.efficiency import IDEAL
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import matmul_format
from ridgeline.specs.passes import Pass, decode, prefill

DEEPSEEK, LLAMA = load_model("deepseek-v3"), load_model("llama-3.1-70b")
GB200, H100 = load_machine("gb200-nvl72"), load_machine("h100-sxm")
FP8_ROW = 1 + 4 / 128  # a byte, and a float32 scale for 128 of them
FP8_BLOCK = 1 + 4 / 128**2


def operation(model: Model, layout: Layout, pass_: Pass, name: str, machine: Machine = GB200) -> Any:  # noqa: ANN401  any kernel
    found = step_operations(deploy(model, machine, layout, precision=model.precision), shares_of(pass_, layout))
    return next(one.kernel for one in found if one.name == name)


def groups_visited(groups: int) -> float:
    """Groups that one of DeepSeek's tokens visits: half of them, and of these such as hold one of 8 drawn from 128."""
    held = 256 // groups
    return groups / 2 * (1 - math.comb(128 - held, 8) / math.comb(128, 8))


@pytest.mark.parametrize(
    ("layout", "rows", "copies"),
    [
        (Layout(dp=64, ep=64), 64, groups_visited(64)),
        # Two chips share 128 tokens, so that each sends 64; two chips share each expert, so that both get a copy.
        (Layout(tp=2, dp=32, ep=32), 64, 2 * groups_visited(32)),
    ],
)
def test_tokens_travel_in_8_bits_and_return_in_16(layout: Layout, rows: int, copies: float) -> None:
    step = decode(batch=4096, context_tokens=1)
    out = operation(DEEPSEEK, layout, step, "expert dispatch")
    back = operation(DEEPSEEK, layout, step, "expert combine")
    assert type(out) is AllToAll
    assert out.buffer_bytes == pytest.approx(rows * copies * 7168 * FP8_ROW)
    assert back.buffer_bytes == pytest.approx(rows * copies * 7168 * 2)
    assert [float(ranks) for ranks in out.group.ranks] == [64, 1]
    inside, across = message_bytes(out)
    assert inside == pytest.approx(float(out.buffer_bytes) * 63 / 64)
    assert across == 0


def test_results_are_gathered_where_they_are_whole_and_summed_where_they_are_parts() -> None:
    step = decode(batch=64, context_tokens=1)
    split = Layout(tp=2, dp=4, ep=8)
    whole = operation(load_model("qwen3-30b-a3b"), split, step, "expert results")
    assert isinstance(whole, AllGather)
    assert whole.buffer_bytes == 16 * 2048 * 2
    assert isinstance(operation(DEEPSEEK, split, step, "expert results"), AllReduce)  # its shared expert is cut
    assert isinstance(operation(load_model("qwen3-30b-a3b"), Layout(tp=4), step, "expert results"), AllReduce)


def test_logits_are_gathered_for_every_sequence() -> None:
    gathered = operation(LLAMA, Layout(tp=8), prefill(batch=3, prompt_tokens=1000), "logits all-gather", H100)
    assert gathered.buffer_bytes == 3 * 128256 * 2


def test_a_prompt_writes_its_keys_and_values_once() -> None:
    core = operation(LLAMA, Layout(tp=4), prefill(batch=3, prompt_tokens=1000), "attention core", H100)
    assert isinstance(core, AttentionCore)
    assert core.cache_bytes == 3 * 1000 * 2 * (8 / 4) * 128 * 2
    latent = operation(DEEPSEEK, Layout(tp=4), prefill(batch=3, prompt_tokens=1000), "attention core")
    assert latent.cache_bytes == 3 * 1000 * 576 * 2


def test_an_absorbed_projection_has_an_input_for_each_head() -> None:
    lifted = operation(DEEPSEEK, Layout(tp=2), decode(batch=10, context_tokens=1), "attention key absorbed")
    assert isinstance(lifted, Matmul)
    done = work(lifted)
    heads = 64
    assert done.flop == 2 * 10 * 128 * heads * 512
    assert done.weight_bytes == pytest.approx(128 * heads * 512 * FP8_BLOCK)
    assert done.activation_bytes == pytest.approx(10 * (heads * 128 * FP8_ROW + heads * 512 * 2))


def test_experts_move_their_tokens_in_and_out_and_their_middle_twice() -> None:
    kernel = ExpertMatmul(
        visits=7, experts_touched=3, hidden=100, expert_hidden=10, gated=True, format=matmul_format("bf16")
    )
    done = work(kernel)
    assert done.flop == 2 * 7 * 3 * 100 * 10
    assert done.weight_bytes == 3 * 3 * 100 * 10 * 2
    # In and out; up and gate, written and read; their product, written and read.
    assert done.activation_bytes == 7 * (100 * (2 + 2) + 2 * 2 * 10 * 2 + 2 * 10 * 2)


def test_memory_of_more_chips_than_stored_heads() -> None:
    """Llama-3.1-70B on 16 H100: queries are cut in 16, the 8 stored heads are in two copies."""
    found = estimate(deploy(LLAMA, H100, Layout(tp=16)), decode(batch=32, context_tokens=1000)).memory
    hidden, ffn, vocab = 8192, 28672, 128256
    layer = hidden * (64 * 128 / 16 + 2 * 128) + 64 * 128 * hidden / 16 + 3 * hidden * ffn / 16
    assert found.weights_bytes == pytest.approx(2 * (80 * layer + 2 * vocab * hidden / 16))
    assert found.kv_bytes == 32 * 1000 * 80 * 2 * 128 * 2
    assert found.reserved_bytes == pytest.approx(81559 * 2**20 / 10)
    assert found.activation_bytes == 32 * (2 * hidden + 3 * ffn / 16) * 2 + 32 * vocab * 4


def test_memory_of_experts_spread_over_groups() -> None:
    """DeepSeek-V3 over 8 groups: an eighth of the routed experts, and a copy of all else."""
    found = estimate(deploy(DEEPSEEK, GB200, Layout(dp=8, ep=8)), decode(batch=80, context_tokens=1000)).memory
    routed = 58 * 256 * 3 * 7168 * 2048
    router = 58 * 7168 * 256
    ends = 2 * 129280 * 7168
    rest = 671_025_397_760 - routed - router - ends
    assert found.weights_bytes == pytest.approx((routed / 8 + rest) * FP8_BLOCK + (router + ends) * 2)
    assert found.kv_bytes == 10 * 1000 * 70_272


def test_activations_of_experts_count_the_visits_of_all_groups() -> None:
    """Of 8 groups' tokens, each with 8 of 256 experts, a chip's share is as many as its own tokens make."""
    alone = activation_bytes(DEEPSEEK, Layout(), rows=100, sampled=0)
    spread = activation_bytes(DEEPSEEK, Layout(dp=8, ep=8), rows=100, sampled=0)
    assert alone == spread == 100 * 2 * (2 * 7168 + 8 * (2 * 7168 + 3 * 2048) + 3 * 2048)


def test_the_bounds_of_deepseek_v3_by_hand() -> None:
    found = bounds_of(
        deploy(DEEPSEEK, GB200, precision=DEEPSEEK.precision),
        decode(batch=1, context_tokens=4500),
        chips=72,
        held_tokens=5000,
        usd_per_chip_s=1.0,
    )
    weights = 673.15e9  # as test_memory_of_experts_spread_over_groups adds them up
    looked_up = 129280 * 7168 * 2  # the input embedding: kept, and never read whole
    assert found.memory_full_batch == pytest.approx((72 * 189471 * 2**20 - weights) / (5000 * 70_272), rel=1e-4)
    assert found.kv_usd_per_output_token == pytest.approx(4500 * 70_272 / 8e12)
    assert found.weights_usd_per_step == pytest.approx((weights - looked_up) / 8e12, rel=1e-4)
    assert found.floor_step_time_s == pytest.approx((weights - looked_up) / (72 * 8e12), rel=1e-4)


def _slower(machine: Machine, **changes: Any) -> Machine:  # noqa: ANN401  any field
    return machine.with_efficiency(dataclasses.replace(IDEAL, **changes))


def test_each_efficiency_acts_where_it_belongs() -> None:
    product = Matmul(rows=1, columns=8192, inner=8192, format=matmul_format("bf16"))
    large = Matmul(rows=8192, columns=8192, inner=8192, format=matmul_format("bf16"))
    reading = operation(LLAMA, Layout(), decode(batch=64, context_tokens=4000), "attention core", H100)
    prompt = operation(LLAMA, Layout(), prefill(batch=1, prompt_tokens=8000), "attention core", H100)
    message = AllReduce(buffer_bytes=1e9, group=Group(ranks=(8, 2)))

    def slowed(kernel: Any, **changes: Any) -> float:  # noqa: ANN401  any kernel, any field
        timed = message_timing if isinstance(kernel, AllReduce) else kernel_timing
        return float(timed(kernel, _slower(H100, **changes)).time_s) - float(
            timed(kernel, H100.with_efficiency(IDEAL)).time_s
        )

    def ideal(kernel: Any) -> float:  # noqa: ANN401
        return float(kernel_timing(kernel, H100.with_efficiency(IDEAL)).time_s)

    assert slowed(product, hbm_fraction=0.5) == pytest.approx(ideal(product))
    assert slowed(large, compute_fraction={"bf16": 0.5}) == pytest.approx(ideal(large))
    assert slowed(large, default_compute_fraction=0.5) == pytest.approx(ideal(large))
    assert slowed(reading, kv_hbm_fraction=0.5) == pytest.approx(ideal(reading))
    assert slowed(reading, hbm_fraction=0.5) == 0
    assert slowed(prompt, attention_compute_fraction=0.5) == pytest.approx(ideal(prompt))
    assert slowed(product, kernel_launch_s=1e-6) == pytest.approx(1e-6)
    assert slowed(message, kernel_launch_s=1e-6) == pytest.approx(1e-6)
    # Three rounds up and three down inside, one and one across; the ring sends as fast, so rings of 14 and 2 hops win.
    assert slowed(message, message_latency_s={"scale_up": 1e-6, "scale_out": 1e-5}) == pytest.approx(14e-6 + 2e-5)
    assert slowed(message, link_fraction={"scale_up": 0.5}) == pytest.approx(2 * 7 / 8 * 1e9 / 450e9)
    assert slowed(message, link_fraction={"scale_out": 0.5}) == pytest.approx(2 * 1 / 2 * 1e9 / 8 / 50e9)


def test_imbalance_and_reserve_act_where_they_belong() -> None:
    step = decode(batch=4096, context_tokens=1)
    even = estimate(deploy(DEEPSEEK, _slower(GB200), Layout(dp=8, ep=8)), step)
    skewed = estimate(deploy(DEEPSEEK, _slower(GB200, expert_imbalance=2.0), Layout(dp=8, ep=8)), step)

    def expert_flop(found: Any) -> float:  # noqa: ANN401
        return float(next(one.timing.work.flop for one in found.operations if one.name == "experts"))

    assert expert_flop(skewed) == pytest.approx(2 * expert_flop(even))
    reserved = estimate(deploy(DEEPSEEK, _slower(GB200, usable_hbm_fraction=0.75), Layout(dp=8, ep=8)), step).memory
    assert reserved.reserved_bytes == pytest.approx(189471 * 2**20 / 4)


def test_a_mesh_reaches_as_many_neighbours_as_a_group_has() -> None:
    """MI300X: seven links of 64 GB/s, one to each neighbour; two chips share one of them."""
    mi300x = load_machine("mi300x")
    two, eight = (
        float(
            message_timing(
                AllReduce(buffer_bytes=1e9, group=Group(ranks=(ranks, 1))), mi300x.with_efficiency(IDEAL)
            ).time_s
        )
        for ranks in (2, 8)
    )
    assert two == pytest.approx(2 * 1 / 2 * 1e9 / 64e9)
    assert eight == pytest.approx(2 * 7 / 8 * 1e9 / 448e9)
