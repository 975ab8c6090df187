"""Pipeline schedules as played, held to their closed forms."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.published import schedules

from ridgeline.equations import pipelines
from ridgeline.training.schedules import SCHEDULES, Times, bubble_fraction, peaks, span_s

STAGES, MICRO_BATCHES = st.integers(1, 16), st.integers(1, 40)
FEW = settings(max_examples=15)
"""Of schedules that take long to play, at up to 16 stages."""
PART_S = st.sampled_from([0.5, 1.0, 2.0]) | st.floats(0.1, 10)


def bubble_s(
    name: str,
    parts_s: tuple[float, float, float],
    *,
    stages: int,
    micro_batches: int,
    virtual_stages: int | None = None,
    bypasses: bool = True,
) -> float:
    """What a step takes beyond its work; times are a whole stage's."""
    schedule = SCHEDULES[name]
    shape = schedule.shape(stages=stages, micro_batches=micro_batches, virtual_stages=virtual_stages)
    held = shape.virtual_stages // schedule.directions
    forward_s, input_s, weight_s = (part_s / held for part_s in parts_s)
    times = Times(forward_s=forward_s, input_gradient_s=input_s, weight_gradient_s=weight_s)
    span = span_s(
        schedule,
        times,
        stages=stages,
        micro_batches=micro_batches,
        virtual_stages=virtual_stages,
        bypasses=bypasses,
    )
    return span - micro_batches * sum(parts_s)


@pytest.mark.parametrize("name", ["gpipe", "1f1b"])
@given(stages=STAGES, micro_batches=MICRO_BATCHES, backward_s=PART_S)
@pytest.mark.slow
def test_both_idle_for_the_closed_forms_part_however_long_backward_takes(
    name: str, stages: int, micro_batches: int, backward_s: float
) -> None:
    times = Times(forward_s=1.0, input_gradient_s=backward_s, weight_gradient_s=0.0)
    found = bubble_fraction(SCHEDULES[name], times, stages=stages, micro_batches=micro_batches)
    expected = pipelines.training_bubble_fraction(stages=stages, micro_batches=micro_batches)
    assert found == pytest.approx(expected, abs=1e-9)  # sums of floats
    in_s = pipelines.flushed_bubble_s(stages=stages, forward_s=1.0, backward_s=backward_s)
    of_work = pipelines.bubble_fraction(bubble_s=in_s, work_s=micro_batches * (1 + backward_s))
    assert found == pytest.approx(of_work, abs=1e-9)


@given(stages=STAGES, groups=st.integers(1, 4), held=st.integers(2, 5), forward_s=PART_S, backward_s=PART_S)
def test_chunks_divide_the_bubble(stages: int, groups: int, held: int, forward_s: float, backward_s: float) -> None:
    found = bubble_s(
        "interleaved",
        (forward_s, backward_s, 0.0),
        stages=stages,
        micro_batches=groups * stages,
        virtual_stages=held,
    )
    expected = pipelines.flushed_bubble_s(
        stages=stages, forward_s=forward_s, backward_s=backward_s, virtual_stages=held
    )
    assert found == pytest.approx(expected, abs=1e-8)


@given(stages=STAGES, more=st.integers(0, 24), parts_s=st.tuples(PART_S, PART_S, PART_S))
def test_zero_bubbles_schedules_idle_as_long_as_their_closed_forms_say(
    stages: int, more: int, parts_s: tuple[float, float, float]
) -> None:
    """From p micro-batches on, and from 2 p - 1 on, however long the parts take; each stage's own step."""
    forward_s, input_s, weight_s = parts_s
    each = {"forward_s": forward_s, "input_gradient_s": input_s, "weight_gradient_s": weight_s}
    found = bubble_s("zb-h1", parts_s, stages=stages, micro_batches=stages + more)
    assert found == pytest.approx(float(pipelines.zb_h1_bubble_s(stages=stages, **each)), abs=1e-8)
    found = bubble_s("zb-h2", parts_s, stages=stages, micro_batches=2 * stages - 1 + more)
    assert found == pytest.approx(float(pipelines.zb_h2_bubble_s(stages=stages, **each)), abs=1e-8)


@FEW
@given(stages=STAGES, more=st.integers(0, 24), parts_s=st.tuples(PART_S, PART_S, PART_S))
def test_zb_v_has_no_bubble_but_for_what_weight_gradients_cannot_fill(
    stages: int, more: int, parts_s: tuple[float, float, float]
) -> None:
    weight_s, forward_s, input_s = sorted(parts_s)
    found = bubble_s("zb-v", (forward_s, input_s, weight_s), stages=stages, micro_batches=2 * stages + more)
    expected = schedules.zb_v_bubble_s(stages=stages, input_gradient_s=input_s, weight_gradient_s=weight_s)
    assert found == pytest.approx(expected, abs=1e-8)


@given(stages=STAGES, more=st.integers(0, 24))
def test_without_the_bypass_all_wait_for_the_last_stage(stages: int, more: int) -> None:
    """ZB-H2's stages end one after another: what is no bubble for each is one for all."""
    count = 2 * stages - 1 + more
    assert bubble_s("zb-h2", (1, 1, 1), stages=stages, micro_batches=count) == 0
    assert bubble_s("zb-h2", (1, 1, 1), stages=stages, micro_batches=count, bypasses=False) == stages - 1


@FEW
@given(stages=st.integers(2, 16), turns=st.integers(3, 5))
def test_v_schedules_idle_about_as_long_as_published(stages: int, turns: int) -> None:
    """Their rates are about so; what is played is known to the slot."""
    half, least = (
        bubble_s(name, (1, 1, 1), stages=stages, micro_batches=turns * stages) for name in ("v-half", "v-min")
    )
    assert half == pytest.approx(7 / 4 * stages - (7 / 4 if stages % 2 else 1))
    assert half <= 7 / 6 * schedules.v_half_bubble_s(stages=stages, work_s=3)
    assert least == pytest.approx(2 * stages - (5 / 2 if stages % 3 else 3 / 2))
    assert least < schedules.v_min_bubble_s(stages=stages, work_s=3)


def test_v_min_idles_ever_longer_where_parts_differ_and_v_half_does_not() -> None:
    """As its authors say: V-Half is robust while W + 2 B >= 2 F and W + 2 F >= 2 B."""
    parts_s = (1.0, 1.2, 0.8)
    half, least = (
        [bubble_s(name, parts_s, stages=8, micro_batches=count) for count in (32, 64, 128)]
        for name in ("v-half", "v-min")
    )
    assert half[0] == pytest.approx(half[1]) == pytest.approx(half[2])
    assert least[0] + 5 < least[1] < least[2] - 10
    assert bubble_s("v-half", (1, 2, 1), stages=8, micro_batches=64) > 2 * half[1]


@FEW
@given(
    half=st.integers(1, 8),
    more=st.integers(0, 12),
    forward_s=PART_S,
    weight_part=st.floats(0.1, 1),
    input_part=st.floats(0.5, 2),
)
def test_dualpipe_idles_as_long_as_its_readme_says(
    half: int, more: int, forward_s: float, weight_part: float, input_part: float
) -> None:
    """Where forward passes and input gradients take as long; else it is off by at most their difference."""
    for input_s in (forward_s, input_part * forward_s):
        weight_s = weight_part * min(forward_s, input_s)
        found = bubble_s(
            "dualpipe", (forward_s, input_s, weight_s), stages=2 * half, micro_batches=2 * (2 * half + more)
        )
        published = schedules.dualpipe_bubble_s(
            stages=2 * half,
            pair_s=forward_s + input_s + weight_s,
            backward_s=input_s + weight_s,
            weight_gradient_s=weight_s,
        )
        assert found == pytest.approx(published, abs=1e-7 + (half - 1) * abs(input_s - forward_s))


@given(stages=STAGES, micro_batches=MICRO_BATCHES, rounds=st.integers(1, 6))
def test_an_inference_loop_waits_between_rounds_for_missing_micro_batches(
    stages: int, micro_batches: int, rounds: int
) -> None:
    times = Times(forward_s=1, input_gradient_s=0, weight_gradient_s=0)
    own_s = span_s(
        SCHEDULES["inference-loop"],
        times,
        stages=stages,
        micro_batches=micro_batches,
        virtual_stages=rounds,
        bypasses=True,
    )
    found = own_s - rounds * micro_batches
    expected = schedules.loop_bubble_s(stages=stages, micro_batches=micro_batches, rounds=rounds, forward_s=1)
    assert found == pytest.approx(expected)
    # Over many rounds that is the part of the lecture's B9.
    waits = schedules.loop_bubble_s(stages=stages, micro_batches=micro_batches, rounds=10**6, forward_s=1)
    fraction = pipelines.bubble_fraction(bubble_s=waits, work_s=10**6 * micro_batches)
    assert fraction == pytest.approx(
        pipelines.idle_fraction(stages=stages, micro_batches=micro_batches), abs=1e-5
    )  # the last round has no wait after it


@FEW
@given(stages=STAGES, micro_batches=MICRO_BATCHES, held=st.integers(2, 5))
def test_stages_keep_what_the_closed_forms_say(stages: int, micro_batches: int, held: int) -> None:
    """Exactly, but for V schedules, whose stages keep as much at most; rounding of chunks of a third aside."""
    counts = {"stages": stages, "micro_batches": micro_batches}
    assert peaks(SCHEDULES["gpipe"], **counts) == (micro_batches,) * stages
    assert peaks(SCHEDULES["inference-loop"], **counts) == (micro_batches,) * stages
    in_turn = tuple(pipelines.peak_micro_batches(**counts, stage=stage) for stage in range(stages))
    assert peaks(SCHEDULES["1f1b"], **counts) == in_turn
    assert max(peaks(SCHEDULES["zb-h1"], **counts)) == schedules.zb_h1_peak_micro_batches(**counts)
    assert max(peaks(SCHEDULES["zb-v"], **counts)) <= schedules.zb_h1_peak_micro_batches(**counts)
    assert max(peaks(SCHEDULES["zb-h2"], **counts)) == schedules.zb_h2_peak_micro_batches(**counts)
    assert max(peaks(SCHEDULES["v-half"], **counts)) <= schedules.v_half_peak_micro_batches(**counts)
    assert max(peaks(SCHEDULES["v-min"], **counts)) <= schedules.v_min_peak_micro_batches(**counts)
    grouped = {"stages": stages, "micro_batches": micro_batches * stages, "virtual_stages": held}
    expected = [pipelines.interleaved_peak_micro_batches(**grouped, stage=stage) for stage in range(stages)]
    assert list(peaks(SCHEDULES["interleaved"], **grouped)) == pytest.approx(expected)


@FEW
@given(stages=st.integers(1, 16), turns=st.integers(3, 5))
def test_full_v_schedules_keep_all_that_the_closed_forms_allow(stages: int, turns: int) -> None:
    counts = {"stages": stages, "micro_batches": turns * stages}
    assert max(peaks(SCHEDULES["zb-v"], **counts)) == stages
    assume(stages > 2)
    assert max(peaks(SCHEDULES["v-half"], **counts)) == schedules.v_half_peak_micro_batches(**counts)
    assert schedules.v_min_peak_micro_batches(**counts) - max(peaks(SCHEDULES["v-min"], **counts)) in {0, 0.5}


@FEW
@given(half=st.integers(1, 12), more=st.integers(0, 9))
def test_dualpipe_keeps_one_more_than_stages(half: int, more: int) -> None:
    counts = {"stages": 2 * half, "micro_batches": 4 * half + 2 * more}
    assert max(peaks(SCHEDULES["dualpipe"], **counts)) == schedules.dualpipe_peak_micro_batches(stages=2 * half)
