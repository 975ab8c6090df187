"""Cuts of layers into stages, held to all cuts that there are."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.errors import RidgelineError
from ridgeline.estimator.stage_cuts import best_cut, different_stages, engine_cut, even_cut, layer_counts, stage_times_s
from ridgeline.specs.stage_cut import SpareLayers

LAYERS = st.lists(st.floats(0.1, 10), min_size=1, max_size=9)


@given(layers_s=LAYERS, stages=st.integers(1, 9))
def test_no_cut_has_a_faster_slowest_stage(layers_s: list[float], stages: int) -> None:
    stages = min(stages, len(layers_s))
    cuts = [(0, *inner, len(layers_s)) for inner in combinations(range(1, len(layers_s)), stages - 1)]
    least = min(max(stage_times_s(layers_s, cut)) for cut in cuts)
    found = best_cut(layers_s, stages=stages)
    assert found in cuts
    assert max(stage_times_s(layers_s, found)) == pytest.approx(least, rel=1e-9)  # sums in another order


@given(layers=st.integers(1, 200), stages=st.integers(1, 64))
def test_an_even_cut_has_no_stage_with_two_layers_more(layers: int, stages: int) -> None:
    stages = min(stages, layers)
    counts = stage_times_s([1.0] * layers, even_cut(layers=layers, stages=stages))
    assert sum(counts) == layers
    assert max(counts) - min(counts) <= 1
    assert min(counts) >= 1


@given(layers=st.integers(1, 200), stages=st.integers(1, 64), spare_layers=st.sampled_from(SpareLayers))
def test_stages_of_an_engine_share_all_layers(layers: int, stages: int, spare_layers: SpareLayers) -> None:
    stages = min(stages, layers)
    counts = layer_counts(engine_cut(spare_layers, layers=layers, stages=stages))
    assert (len(counts), sum(counts)) == (stages, layers)
    assert min(counts) >= (layers // stages if spare_layers is not SpareLayers.ROUNDED_UP else 0)
    if spare_layers in {SpareLayers.BEFORE_LAST, SpareLayers.FIRST, SpareLayers.LAST}:
        assert sorted(counts) == sorted(stage_times_s([1.0] * layers, even_cut(layers=layers, stages=stages)))


@given(layers=st.integers(1, 60), stages=st.integers(1, 12), spare_layers=st.sampled_from(SpareLayers))
def test_stages_that_differ_are_the_ends_and_the_fullest_between(
    layers: int, stages: int, spare_layers: SpareLayers
) -> None:
    stages = min(stages, layers)
    cut = engine_cut(spare_layers, layers=layers, stages=stages)
    counts, found = layer_counts(cut), different_stages(cut)
    assert (found[0].layers, found[0].is_first) == (counts[0], True)
    assert (found[-1].layers, found[-1].is_last) == (counts[-1], True)
    assert max(stage.layers for stage in found) == max(counts)
    assert [stage.layers for stage in found[1:-1]] == ([max(counts[1:-1])] if stages > 2 else [])


def test_more_stages_than_layers_are_refused() -> None:
    with pytest.raises(RidgelineError, match="3 layers make no 4 stages"):
        even_cut(layers=3, stages=4)
