"""Jobs: layers over stages, and batches that do not divide."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.training.jobs import job

from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import total_params
from ridgeline.specs.layout import LayoutError
from ridgeline.training.schedules import SCHEDULES


@given(st.sampled_from(["llama-3.1-8b", "deepseek-v3", "llama-3.1-405b"]), st.integers(1, 16), st.integers(1, 4))
def test_every_layer_is_on_one_stage(model: str, pp: int, vpp: int) -> None:
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


def test_more_stages_than_layers_are_refused() -> None:
    with pytest.raises(LayoutError, match="the most is pp32"):
        _ = job(layout="pp64").stages


@pytest.mark.parametrize(
    ("layout", "batch", "said"),
    [
        ("dp8", 60, "the nearest are 56 and 64"),
        ("dp8,mb2", 8, "the nearest are 16"),
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
