"""What a layer runs, forward and back: FLOP that are counted by hand, and what recompute adds."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.training.jobs import job

from ridgeline.catalog import load_model
from ridgeline.estimator.clock import message_timing
from ridgeline.estimator.kernels import AttentionCore, ExpertMatmul, Matmul, work
from ridgeline.estimator.messages import AllToAll, Message
from ridgeline.specs.feed_forward import NoFeedForward, RoutedExperts
from ridgeline.training.activations import kept_tensors
from ridgeline.training.breakdown import Item
from ridgeline.training.operations import (
    LayerOperation,
    backward_operations,
    end_operations,
    forward_operations,
    joining_operations,
    recomputed_operations,
    weight_operations,
)
from ridgeline.training.recompute import Recompute


def products_flop(tasks: tuple[LayerOperation, ...]) -> float:
    return sum(float(work(task.kernel).flop) for task in tasks if isinstance(task.kernel, Matmul | ExpertMatmul))


@pytest.mark.parametrize(
    ("model", "layout"),
    [("llama-3.1-8b", "tp2,dp4"), ("deepseek-v3", "dp64,ep64"), ("nemotron-3-super-120b-a12b", "dp8,ep8")],
)
def test_each_gradient_takes_as_many_flop_as_forward(model: str, layout: str) -> None:
    one = job(model, layout)
    for group in one.model.groups:
        forward = forward_operations(one, group)
        assert products_flop(backward_operations(forward)) == pytest.approx(products_flop(forward))
        assert products_flop(weight_operations(one, forward)) == pytest.approx(products_flop(forward))


def test_a_layers_products_are_two_flop_a_parameter_and_token() -> None:
    one = job("llama-3.1-8b", "tp2,dp4")
    forward = forward_operations(one, one.model.groups[0])
    (params, _), *_ = one.layer_params
    norms = 2 * one.model.hidden
    assert products_flop(forward) == pytest.approx(2 * (params - norms) * one.rows)


def test_a_layer_without_a_block_runs_its_attention_alone_and_a_latent_width_takes_two_products() -> None:
    one = job("nemotron-3-super-120b-a12b", "dp8,ep8")
    for group, (params, _) in zip(one.model.groups, one.layer_params, strict=True):
        forward = forward_operations(one, group)
        norms, norm_tasks = 2 * one.model.hidden, sum(task.name.endswith("norm") for task in forward)
        is_alone = isinstance(group.feed_forward, NoFeedForward)
        assert norm_tasks == (1 if is_alone else 2)
        whole = tuple(task for task in forward if task.name != "experts")
        assert products_flop(whole) == pytest.approx(2 * (params - norms) * one.rows)
        assert {task.name for task in forward if task.name.startswith("latent")} == (
            set() if is_alone else {"latent in", "latent out"}
        )


def test_attention_goes_back_with_two_and_a_half_times_its_flop() -> None:
    """Five products for two: Dao 2023 (arXiv 2307.08691), section 3.1.2."""
    one = job()
    forward = forward_operations(one, one.model.groups[0])
    flop = [
        sum(float(work(task.kernel).flop) for task in tasks if isinstance(task.kernel, AttentionCore))
        for tasks in (forward, backward_operations(forward))
    ]
    assert flop[1] == pytest.approx(2.5 * flop[0])


def test_full_recompute_runs_all_of_it_again_and_parts_their_own() -> None:
    def again(
        text: str, model: str = "llama-3.1-8b", layout: str = "tp2,dp4"
    ) -> tuple[tuple[LayerOperation, ...], float]:
        one = job(model, layout, recompute=Recompute.from_text(text))
        forward = forward_operations(one, one.model.groups[-1])
        return recomputed_operations(one, forward), products_flop(forward)

    full, flop = again("full")
    assert products_flop(full) == pytest.approx(flop)
    assert again("none")[0] == ()
    assert {task.module for task in again("selective:mlp+layernorm")[0]} == {"mlp", "layernorm"}
    assert products_flop(again("selective:products")[0]) == pytest.approx(flop / 2)
    acts = again("selective:moe_act", "deepseek-v3", "dp64,ep64")[0]
    assert [task.name for task in acts] == ["expert activation"]
    # The block whole, as of memory it keeps nothing.
    assert {"expert dispatch", "expert combine", "shared experts up"} <= {
        task.name for task in again("selective:moe", "deepseek-v3", "dp64,ep64")[0]
    }


def test_messages_are_those_of_the_degrees() -> None:
    def items(model: str, layout: str) -> set[Item | None]:
        one = job(model, layout)
        return {task.item for task in forward_operations(one, one.model.groups[-1]) if isinstance(task.kernel, Message)}

    assert items("llama-3.1-8b", "dp8") == set()
    assert items("llama-3.1-8b", "tp2,dp4") == {Item.TP}
    assert items("llama-3.1-8b", "tp2,cp2,dp2") == {Item.TP, Item.CP}
    assert items("deepseek-v3", "dp64,ep64") == {Item.DISPATCH}


def test_a_natural_router_fills_the_busiest_chip_above_the_mean() -> None:
    visits = {}
    for routing in ("balanced", "natural"):
        one = job("deepseek-v3", "dp64,ep64", routing=routing)
        tasks = forward_operations(one, one.model.groups[-1])
        (experts,) = (task.kernel for task in tasks if isinstance(task.kernel, ExpertMatmul))
        visits[routing] = float(experts.visits)
    mean = 4096 * 8
    assert visits["balanced"] == mean
    assert mean < visits["natural"] < 1.1 * mean


def test_time_and_memory_count_the_same_visits_but_for_the_excess_of_a_layers_busiest() -> None:
    """Which evens out over the layers that memory sums: a natural router keeps as much as a balanced one."""

    def counted(**recipe: Any) -> tuple[float, float]:  # noqa: ANN401  of the recipe
        one = job("deepseek-v3", "dp64,ep64", **recipe)
        group = one.model.groups[-1]
        (experts,) = (task.kernel for task in forward_operations(one, group) if isinstance(task.kernel, ExpertMatmul))
        (kept,) = (tensor for tensor in kept_tensors(one, group) if tensor.name == "tokens of experts")
        return float(experts.visits), kept.kept_bytes / (2 * one.model.hidden)

    timed, kept = counted(routing="balanced")
    assert timed == kept
    assert counted(routing="natural")[1] == kept
    assert counted(capacity_factor=1.5) == (1.5 * kept, 1.5 * kept)


def test_the_head_is_of_the_last_end() -> None:
    one = job()
    first, last = end_operations(one)
    assert products_flop(first) == 0
    assert products_flop(last) == 2 * one.rows * one.model.vocab * one.model.hidden


def test_nothing_learns_where_adapters_do() -> None:
    one = job(trains_adapters=True)
    assert weight_operations(one, forward_operations(one, one.model.groups[0])) == ()


@pytest.mark.parametrize(("ranks", "received_bytes_per_s"), [(8, 703e9), (16, 630e9), (36, 576e9)])
def test_hybridep_receives_what_its_makers_measured(ranks: int, received_bytes_per_s: float) -> None:
    """Kernels of 16 units on so many GB200 (8 B200), 8 experts a chip, in 16 bits: dispatch and combine in turn.

    To an eighth: what a kernel takes to start is of DeepEP's. Source: DeepEP, docs/README_Hybrid-EP.md.
    """
    model = load_model("deepseek-v3")
    block = RoutedExperts(experts=8 * ranks, active_experts=8, expert_hidden=2048)
    group = dataclasses.replace(model.groups[-1], feed_forward=block)
    one = job("deepseek-v3", f"dp{ranks},ep{ranks}", "gb200-nvl72", batch=ranks, dispatcher="hybridep")
    one = dataclasses.replace(one, model=dataclasses.replace(model, groups=(group,)))
    (message,) = (task.kernel for task in forward_operations(one, group) if task.name == "expert dispatch")
    assert isinstance(message, AllToAll)
    time_s = float(message_timing(message, one.machine).time_s)
    assert float(message.buffer_bytes) / time_s == pytest.approx(received_bytes_per_s, rel=0.13)


def test_hybridep_is_bound_by_links_where_deepep_is_by_its_units() -> None:
    times = {}
    for name in ("deepep", "hybridep"):
        for machine in ("h100-sxm", "b200-sxm"):
            one = job("deepseek-v3", "dp8,ep8", machine, dispatcher=name)
            forward = forward_operations(one, one.model.groups[-1])
            (message,) = (task.kernel for task in forward if task.name == "expert dispatch")
            assert isinstance(message, AllToAll)
            times[name, machine] = float(message_timing(message, one.machine).time_s)
    # Links of Blackwell are twice as fast as Hopper's, and its units no faster.
    assert times["hybridep", "h100-sxm"] > 1.8 * times["hybridep", "b200-sxm"]
    assert times["deepep", "h100-sxm"] < 1.2 * times["deepep", "b200-sxm"]
    assert times["hybridep", "h100-sxm"] < times["deepep", "h100-sxm"]


def test_the_stream_and_an_embedding_are_joined_before_a_layer_that_predicts_ahead() -> None:
    one = job("deepseek-v3", "tp2,dp4", predicted_tokens=1)
    joined = joining_operations(one)
    assert products_flop(joined) == 2 * one.rows * 2 * one.model.hidden**2 / 2
    assert sum(task.name == "joined norm" for task in joined) == 2
