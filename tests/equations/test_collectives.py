from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.estimator.nested import level_times_s

from ridgeline.equations import collectives
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll

BYTES = st.floats(min_value=0, max_value=1e12)
RANKS = st.integers(min_value=1, max_value=4096)
FLAT = (
    collectives.ring_all_reduce_time_s,
    collectives.tree_all_reduce_time_s,
    collectives.all_reduce_time_s,
    collectives.all_gather_time_s,
    collectives.all_to_all_time_s,
)
NESTED = {
    collectives.all_reduce_time_s: AllReduce,
    collectives.all_gather_time_s: AllGather,
    collectives.all_to_all_time_s: AllToAll,
}


@pytest.mark.parametrize("time_s", FLAT)
@given(message_bytes=BYTES)
def test_one_rank_needs_no_message(time_s, message_bytes: float) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  any of the forms
    assert time_s(message_bytes=message_bytes, ranks=1, bytes_per_s=1e9, latency_s=1e-6) == 0


@pytest.mark.parametrize("time_s", FLAT)
@given(message_bytes=BYTES, ranks=RANKS)
def test_more_ranks_are_never_faster(time_s, message_bytes: float, ranks: int) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    now, more = (
        time_s(message_bytes=message_bytes, ranks=count, bytes_per_s=1e9, latency_s=1e-6)
        for count in (ranks, ranks + 1)
    )
    assert now <= more * (1 + 1e-12)  # rounding of the last digit


@given(message_bytes=BYTES, ranks=RANKS)
def test_an_all_reduce_sends_as_much_as_a_scatter_and_a_gather_over_a_ring(message_bytes: float, ranks: int) -> None:
    link = {"message_bytes": message_bytes, "ranks": ranks, "bytes_per_s": 1e9, "latency_s": 0.0}
    both = 2 * collectives.all_gather_time_s(**link)
    assert collectives.ring_all_reduce_time_s(**link) == pytest.approx(both)


@pytest.mark.parametrize("flat", NESTED)
@given(message_bytes=BYTES, ranks=RANKS)
def test_nested_forms_are_the_flat_ones_within_one_domain(flat, message_bytes: float, ranks: int) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    inside, across = level_times_s(
        NESTED[flat], message_bytes=message_bytes, ranks=(ranks, 1), bytes_per_s=(1e9, 1e8), latency_s=(1e-6, 1e-5)
    )
    assert inside == flat(message_bytes=message_bytes, ranks=ranks, bytes_per_s=1e9, latency_s=1e-6)
    assert across == 0


@given(message_bytes=st.floats(min_value=1, max_value=1e12), inner=RANKS, outer=st.integers(min_value=2, max_value=64))
def test_bytes_of_an_all_to_all_are_conserved(message_bytes: float, inner: int, outer: int) -> None:
    """What stays inside a domain, what leaves it and what stays on the chip add up to the buffer."""
    unit = (1.0, 1.0)
    inside, across = level_times_s(
        AllToAll, message_bytes=message_bytes, ranks=(inner, outer), bytes_per_s=unit, latency_s=(0.0, 0.0)
    )
    assert inside + across + message_bytes / (inner * outer) == pytest.approx(message_bytes)


def test_a_grid_of_ranks_gives_what_each_gives_alone() -> None:
    ranks = np.array([1.0, 2.0, 8.0, 72.0, 1024.0])
    grid = collectives.all_reduce_time_s(message_bytes=1e6, ranks=ranks, bytes_per_s=1e11, latency_s=1e-6)
    alone = [
        collectives.all_reduce_time_s(message_bytes=1e6, ranks=float(one), bytes_per_s=1e11, latency_s=1e-6)
        for one in ranks
    ]
    assert grid == pytest.approx(alone, rel=1e-12)
