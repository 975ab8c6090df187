"""Jobs: layers over stages, and batches that do not divide."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.training.jobs import job

from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import total_params
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import LayoutError
from ridgeline.training.schedules import SCHEDULES


@given(st.sampled_from(["llama-3.1-8b", "deepseek-v3", "llama-3.1-405b"]), st.integers(1, 16), st.integers(1, 4))
def test_every_layer_is_on_one_stage(model: str, pp: int, vpp: int) -> None:
    assume(pp * vpp <= 32)  # as many as the smallest has layers
    one = job(model, f"pp{pp},vpp{vpp}" if pp > 1 else "dp1")
    assert Counter(layer for stage in one.stages for layer in stage) == Counter(one.layers)
    sizes = [len(stage) for stage in one.stages]
    # Of parts that do not divide, each may be one larger.
    assert max(sizes) - min(sizes) <= one.layout.virtual_stages + 2


def test_ends_stand_for_layers_where_those_then_divide() -> None:
    """Llama 3's 126 layers over 16 stages: its first and last hold one less (arXiv 2407.21783, section 3.3.2)."""
    sizes = [len(stage) for stage in job("llama-3.1-405b", "pp16,vpp8").stages]
    assert sizes == [7, *[8] * 14, 7]


def test_dense_layers_come_before_routed_ones() -> None:
    one = job("deepseek-v3", "pp4")
    kinds = [type(one.model.groups[place].feed_forward).__name__ for place in one.layers]
    assert kinds == ["DenseFeedForward"] * 3 + ["RoutedExperts"] * 58


def test_a_way_that_turns_round_ends_where_it_began() -> None:
    assert job(layout="pp4,vpp2", schedule=SCHEDULES["zb-v"]).last_stage == 0
    assert job(layout="pp4,vpp2").last_stage == 3


def test_parts_that_a_schedule_does_not_hold_are_refused() -> None:
    with pytest.raises(LayoutError, match="write vpp2, or leave it out"):
        _ = job(layout="pp4,vpp4", schedule=SCHEDULES["zb-v"]).stages
    with pytest.raises(LayoutError, match="the most is vpp8"):
        _ = job(layout="pp4,vpp9").stages


def test_the_ends_have_less_to_do_where_layers_do_not_divide() -> None:
    """DeepSeek-V3's 61 layers over 16 stages: the loss stands for one, so that its stage has no fourth."""
    assert [len(stage) for stage in job("deepseek-v3", "pp16").stages][-1] == 3


def test_domains_of_a_rack_are_filled_evenly() -> None:
    """16 racks of 72, of which 64 are used, hold 1,024 chips."""
    one = job("deepseek-v3", "dp1024,ep64", "gb200-nvl72", batch=1024)
    assert one.fabric[0].chips == 64
    assert job("deepseek-v3", "dp144,ep16", "gb200-nvl72", batch=144).fabric[0].chips == 72


def test_more_stages_than_layers_are_refused() -> None:
    with pytest.raises(LayoutError, match="the most is pp32"):
        _ = job(layout="pp64").stages


@pytest.mark.parametrize(
    ("layout", "batch", "said"),
    [
        ("dp8", 60, "the nearest are 56 and 64"),
        ("dp8,mb2", 8, "the nearest is 16"),
        ("pp4,vpp2,dp8", 48, "give 4 or 8"),
    ],
)
def test_a_batch_that_does_not_divide_is_refused_with_the_nearest(layout: str, batch: int, said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        job(layout=layout, batch=batch).require_whole()


def test_parameters_of_stages_are_those_of_the_model() -> None:
    """But for norms' vectors, which the model's count leaves out; without ``tp``, of which all hold routers."""
    one = job("deepseek-v3", "pp4,dp8,ep8")
    dense = sum(dense for dense, _ in one.stage_params)
    experts = sum(experts for _, experts in one.stage_params) * 8
    assert dense + experts == pytest.approx(total_params(one.model), rel=1e-4)


def test_a_layer_that_predicts_ahead_has_the_parameters_that_are_published() -> None:
    """11.5 billion of DeepSeek-V3's own, its README_WEIGHTS says, with neither the embedding nor the head."""
    plain, one, two = (job("deepseek-v3", "dp1", predicted_tokens=count) for count in (0, 1, 2))
    assert sum(plain.prediction_params) == 0
    assert sum(one.prediction_params) == pytest.approx(11.5e9, rel=0.01)
    assert sum(two.prediction_params) == 2 * sum(one.prediction_params)
    assert sum(one.most_params) - sum(plain.most_params) == pytest.approx(sum(one.prediction_params))


def test_a_layer_that_is_run_again_for_each_token_ahead_is_held_once_and_has_full_attention() -> None:
    """Nemotron 3.5 Lightning: mtp_num_layers 2, mtp_use_repeated_layer, pattern "*E" of Megatron-Bridge's recipe."""
    one, two = (job("nemotron-3.5-lightning-30b-a3b", "dp8,ep8", predicted_tokens=count) for count in (1, 2))
    assert sum(one.prediction_params) == sum(two.prediction_params) > 0
    group = two.model.groups[two.prediction_place]
    assert isinstance(group.attention, GroupedQueryAttention)
    assert isinstance(group.feed_forward, RoutedExperts)


def test_what_predicts_ahead_is_on_the_last_stage_with_a_copy_of_the_embedding() -> None:
    plain, ahead = (job("deepseek-v3", "tp2,pp4,dp8,ep8", predicted_tokens=count) for count in (0, 1))
    assert ahead.stage_params[:-1] == plain.stage_params[:-1]
    more = sum(ahead.stage_params[-1]) - sum(plain.stage_params[-1])
    copied = ahead.model.vocab * ahead.model.hidden / 2
    assert more == pytest.approx(sum(ahead.prediction_params) + copied)
    # Where the way turns round, the first stage is the last one, and has the embedding.
    folded = job("deepseek-v3", "pp4,vpp2", schedule=SCHEDULES["zb-v"], predicted_tokens=1)
    vocabulary = folded.model.vocab * folded.model.hidden
    dense = sum(folded.layer_params[place].dense for place in folded.stages[0]) + folded.prediction_params.dense
    assert folded.stage_params[0].dense == pytest.approx(dense + 2 * vocabulary)
