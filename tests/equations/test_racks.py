from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import collectives, experts, memory, racks

COUNTS = st.integers(1, 64)


@given(COUNTS, COUNTS, st.floats(1, 20))
def test_the_condition_is_the_ratio_of_the_two_networks_times(copies: int, layers: int, ratio: float) -> None:
    """Copies there and back in every layer, against one hand-over, over links of 900 GB/s and slower ones."""
    sent_bytes, up_bytes_per_s = 7168.0, 900e9
    inside_s = copies * layers * (1 + 2) * sent_bytes / up_bytes_per_s
    across_s = collectives.send_time_s(
        message_bytes=2 * sent_bytes, ranks=2, bytes_per_s=up_bytes_per_s / ratio, latency_s=0
    )
    found = racks.scale_up_over_scale_out(
        copies_per_token=copies,
        layers_per_stage=layers,
        dispatch_bytes=1,
        combine_bytes=2,
        send_bytes=2,
        link_ratio=ratio,
    )
    assert found == pytest.approx(inside_s / across_s)


@given(st.floats(1e9, 1e13), st.floats(0, 1e12), COUNTS, st.floats(1e10, 1e12))
def test_stages_that_fit_do_and_one_fewer_does_not(weights: float, kv: float, chips: int, hbm_bytes: float) -> None:
    stages = float(racks.stages_to_fit(weight_bytes=weights, kv_bytes=kv, chips_per_stage=chips, hbm_bytes=hbm_bytes))
    if np.isinf(stages):
        assert kv >= chips * hbm_bytes
        return

    def held(count: float) -> float:
        parts = memory.bytes_per_chip(
            weight_bytes=weights, kv_bytes_per_sequence=kv, batch=count, chips_per_stage=chips, stages=count
        )
        return float(sum(parts))

    assert held(stages) <= hbm_bytes * (1 + 1e-9)
    if stages > 1:
        assert held(stages - 1) > hbm_bytes * (1 - 1e-9)


def test_a_pipeline_leaves_a_chips_keys_and_values_as_they_are() -> None:
    """B15: weights of 15.6, 7.8, 3.9 and 2.0 GB, and 7.5 GB of keys and values beside each."""
    parts = [
        memory.bytes_per_chip(
            weight_bytes=1e12,
            kv_bytes_per_sequence=1e5 * 2e3,
            batch=2400 * stages,
            chips_per_stage=64,
            stages=stages,
        )
        for stages in (1, 2, 4, 8)
    ]
    assert [weights for weights, _ in parts] == pytest.approx([15.625e9, 7.8125e9, 3.90625e9, 1.953125e9])
    assert [kv for _, kv in parts] == pytest.approx([7.5e9] * 4)


@given(COUNTS, st.integers(0, 64), st.floats(1, 10), st.integers(1, 8))
def test_copies_relieve_the_busiest_chip_and_never_below_the_others(
    slots: int, more: int, load: float, copies: int
) -> None:
    relieved, alone = (
        experts.copied_chip_load(load_over_mean=load, copies=count, slots_per_chip=slots) for count in (copies, 1)
    )
    assert relieved <= alone
    assert relieved >= (slots - 1) / slots
    # Among more experts a sought-after one weighs less.
    wider = experts.copied_chip_load(load_over_mean=load, copies=1, slots_per_chip=slots + more)
    assert wider <= alone * (1 + 1e-12)


def test_slots_hold_every_expert_and_every_copy() -> None:
    for chips, copies in itertools.product((8, 72, 144), (0, 32)):
        slots = experts.slots_per_chip(experts=256, redundant_experts=copies, chips=chips)
        assert slots * chips == pytest.approx(256 + copies)


@given(st.sampled_from([2, 4, 8, 16]), st.integers(1, 3))
def test_a_torus_over_a_switch_is_the_ratio_of_their_all_to_all(side: int, axes: int) -> None:
    """With even sides, where both are exact; a chip's 2 k links together are as fast as its way to the switch."""
    chips, message_bytes, bytes_per_s = side**axes, 1e6, 900e9
    torus_s = collectives.torus_all_to_all_time_s(
        message_bytes=message_bytes,
        sides=(side,) * axes,
        wraps=(1,) * axes,
        link_bytes_per_s=bytes_per_s / (2 * axes),
        latency_s=0,
    )
    switch_s = collectives.all_to_all_time_s(
        message_bytes=message_bytes, ranks=chips, bytes_per_s=bytes_per_s, latency_s=0
    )
    assert racks.torus_over_switch(chips=chips, axes=axes) == pytest.approx(torus_s / switch_s)


@given(st.integers(3, 12), st.integers(1, 3))
def test_the_bisection_of_a_torus_is_counted(side: int, axes: int) -> None:
    places = list(itertools.product(range(side), repeat=axes)) if side**axes < 500 else []
    cables = {
        frozenset({place, tuple((at + (axis == along)) % side for along, at in enumerate(place))})
        for place in places
        for axis in range(axes)
    }
    if places and side % 2 == 0:
        crossing = [cable for cable in cables if len({place[0] < side // 2 for place in cable}) == 2]
        assert racks.torus_bisection_links(chips=len(places), axes=axes) == pytest.approx(len(crossing))


@given(st.floats(0.01, 20))
def test_enough_layers_hide_a_hand_over_and_one_fewer_does_not(ratio: float) -> None:
    layers = racks.layers_to_hide(ratio_of_one_layer=ratio)
    assert ratio * layers >= 1 - 1e-9
    assert ratio * (layers - 1) < 1
