"""Pipelines, held to a simulation that passes each micro-batch through each stage."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations.pipelines import (
    filled_time_s,
    idle_fraction,
    loop_time_s,
    slowest_stage_time_s,
    training_bubble_fraction,
)

STAGE_TIMES = st.lists(st.integers(1, 20), min_size=1, max_size=8)


def leaving_s(stages_s: list[float], arrivals_s: list[float]) -> list[float]:
    """When each micro-batch leaves stages that work on one at a time, in the order of arrival."""
    for stage_s in stages_s:
        free_s, left_s = 0.0, []
        for arrival_s in arrivals_s:
            free_s = max(free_s, arrival_s) + stage_s
            left_s.append(free_s)
        arrivals_s = left_s
    return arrivals_s


def rounds_s(stages_s: list[float], micro_batches: int, rounds: int) -> float:
    """Mean time of a round in which every micro-batch goes through all stages, once it starts again at the first.

    A stage's work is kept until the next round, so that a micro-batch that comes round waits for those before it.
    """
    free_s = [0.0] * len(stages_s)
    ready_s = [0.0] * micro_batches
    ends_s = []
    for _ in range(rounds):
        for number in range(micro_batches):
            for stage, stage_s in enumerate(stages_s):
                free_s[stage] = ready_s[number] = max(free_s[stage], ready_s[number]) + stage_s
        ends_s.append(ready_s[-1])
    half = rounds // 2  # by then the loop repeats itself
    return (ends_s[-1] - ends_s[half - 1]) / (rounds - half)


@given(stages=STAGE_TIMES, micro_batches=st.integers(1, 10))
def test_a_loop_comes_round_as_simulated(stages: list[int], micro_batches: int) -> None:
    stages_s = [float(stage) for stage in stages]
    # The slowest stage's head start over its micro-batches is used up after a few rounds.
    simulated_s = rounds_s(stages_s, micro_batches, rounds=40)
    found_s = loop_time_s(path_s=sum(stages_s), slowest_s=max(stages_s), micro_batches=micro_batches)
    assert found_s == pytest.approx(simulated_s, rel=1e-12)


@given(stages=STAGE_TIMES, micro_batches=st.integers(1, 30))
def test_an_empty_pipeline_fills_and_drains_as_simulated(stages: list[int], micro_batches: int) -> None:
    stages_s = [float(stage) for stage in stages]
    last_s = leaving_s(stages_s, [0.0] * micro_batches)[-1]
    found_s = filled_time_s(path_s=sum(stages_s), slowest_s=max(stages_s), micro_batches=micro_batches)
    assert found_s == last_s


@given(stages=st.integers(1, 12), micro_batches=st.integers(1, 24))
def test_equal_stages_idle_for_the_part_of_a_loop_that_nobody_fills(stages: int, micro_batches: int) -> None:
    """Lecture B9: three quarters for four stages and one micro-batch; nothing from four on."""
    simulated_s = rounds_s([1.0] * stages, micro_batches, rounds=40)
    assert idle_fraction(stages=stages, micro_batches=micro_batches) == pytest.approx(1 - micro_batches / simulated_s)


@given(stages=st.integers(1, 12), micro_batches=st.integers(1, 24))
def test_a_training_step_idles_while_it_fills_and_drains(stages: int, micro_batches: int) -> None:
    """Lecture B10: each stage works for its micro-batches, and the step takes until the last has left."""
    last_s = leaving_s([1.0] * stages, [0.0] * micro_batches)[-1]
    found = training_bubble_fraction(stages=stages, micro_batches=micro_batches)
    assert found == pytest.approx(1 - micro_batches / last_s)


@given(
    layers=st.integers(1, 60),
    stages=st.integers(2, 8),
    layer_s=st.integers(0, 9),
    ends_s=st.integers(0, 40),
    data=st.data(),
)
def test_the_slowest_stage_is_the_largest_of_all(
    layers: int, stages: int, layer_s: int, ends_s: int, data: st.DataObject
) -> None:
    """Stage by stage, wherever layers are cut."""
    edges = sorted(data.draw(st.lists(st.integers(0, layers), min_size=stages - 1, max_size=stages - 1)))
    counts = [end - start for start, end in itertools.pairwise([0, *edges, layers])]
    times_s = [count * layer_s for count in counts[:-1]] + [counts[-1] * layer_s + ends_s]
    found = slowest_stage_time_s(layer_s=layer_s, ends_s=ends_s, most_layers=max(counts[:-1]), last_layers=counts[-1])
    assert found == max(times_s)


def test_a_grid_of_micro_batches_gives_what_each_gives_alone() -> None:
    stages = np.array([1.0, 2.0, 4.0, 16.0])
    counts = np.array([1.0, 4.0, 3.0, 64.0])
    for form in (idle_fraction, training_bubble_fraction):
        alone = [form(stages=p, micro_batches=m) for p, m in zip(stages.tolist(), counts.tolist(), strict=True)]
        assert form(stages=stages, micro_batches=counts) == pytest.approx(alone, rel=1e-12)
    for timed in (loop_time_s, filled_time_s):
        alone = [timed(path_s=7.0, slowest_s=2.0, micro_batches=m) for m in counts.tolist()]
        assert timed(path_s=7.0, slowest_s=2.0, micro_batches=counts) == pytest.approx(alone, rel=1e-12)


def test_more_micro_batches_than_stages_only_lengthen_a_loop_of_equal_stages() -> None:
    """Lecture B11: with as many as stages the step is that of the whole; every further one adds a stage's time."""
    times_s = [loop_time_s(path_s=0.02, slowest_s=0.005, micro_batches=count) for count in range(1, 9)]
    assert times_s[:4] == [0.02] * 4
    assert [after - before for before, after in itertools.pairwise(times_s[3:])] == pytest.approx([0.005] * 4)
