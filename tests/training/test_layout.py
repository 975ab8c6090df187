"""Training layouts: their text, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.training.layout import TrainingLayout

POWERS = st.sampled_from([1, 2, 4, 8])


@given(st.tuples(*[POWERS] * 7), st.integers(0, 3), st.booleans())
def test_a_layout_is_read_as_it_is_written(degrees: tuple[int, ...], zero: int, divided: bool) -> None:  # noqa: FBT001
    tp, pp, cp, dp, ep, vpp, micro_batch = degrees
    assume(tp * cp * dp % ep == 0 and (pp > 1 or vpp == 1))
    layout = TrainingLayout(
        layout=Layout(tp=tp, pp=pp, cp=cp),
        replicas=dp,
        ep=ep,
        expert_tp=1 if ep > 1 else tp,
        zero_stage=zero,
        virtual_stages=vpp,
        sequence_parallel=divided and tp > 1,
        micro_batch=micro_batch,
    )
    assert TrainingLayout.from_text(str(layout)) == layout
    assert layout.chips == tp * pp * cp * dp


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tp8,pp", "'pp' is not one of"),
        ("tp8,tp4", "tp is given twice"),
        ("dp8,ep3", "does not divide the tp\\*cp\\*dp=8 chips of a stage, over which experts lie; 2 and 4 do"),
        ("dp8,ep16", "; 8 does"),
        ("vpp2", "write pp4,vpp2"),
        ("zero4,dp8", "must be 0, 1, 2 or 3"),
        ("dp8,shards3", "shards=3 does not divide the cp\\*dp=8 chips that hold the same weights; 2 and 4 do"),
        ("dp8,zero0,shards4", "zero0 spreads nothing"),
        ("tp2,sp,nosp", "contradict each other"),
        ("dp0", "must be at least 1"),
        ("tp0", "tp"),
    ],
)
def test_what_contradicts_itself_is_refused(text: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        TrainingLayout.from_text(text)


def test_experts_are_not_of_the_layout_within() -> None:
    with pytest.raises(LayoutError, match="experts and replicas are given beside it"):
        TrainingLayout(layout=Layout(dp=8, ep=8))


def test_states_are_spread_over_shards_and_copied_among_them() -> None:
    layout = TrainingLayout.from_text("tp2,dp16,ep8,zero3,shards4")
    assert (layout.sharded_chips, layout.expert_replicas, layout.sharded_expert_chips) == (4, 4, 4)
    assert TrainingLayout.from_text("dp16,zero0").sharded_chips == 1


@pytest.mark.parametrize(
    ("text", "degree", "doubled"),
    [
        ("dp8", "tp", "tp2,dp4"),
        ("tp2,dp8,nosp", "tp", "tp4,dp4,nosp"),
        ("tp2,dp8,ep8,mb2", "cp", "tp2,cp2,dp4,ep8,mb2"),
        ("dp8,zero3,shards4", "pp", "pp2,dp4,zero3,shards4"),
    ],
)
def test_twice_a_degree_is_as_it_would_be_written(text: str, degree: str, doubled: str) -> None:
    assert TrainingLayout.from_text(text).doubled(degree) == TrainingLayout.from_text(doubled)
