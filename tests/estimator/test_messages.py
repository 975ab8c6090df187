"""Messages over the links of machines: the closed forms, level by level, and what joins the chips of each."""

from __future__ import annotations

import dataclasses
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import collectives
from ridgeline.equations.collectives import Levels
from ridgeline.estimator.clock import message_timing
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Group, Message, Send
from ridgeline.estimator.messages.levels import times_and_parts
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import step_operations
from ridgeline.estimator.timing import Cause
from ridgeline.specs.efficiency import IDEAL, Efficiency
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.passes import decode, prefill
from ridgeline.specs.topology import Mesh, Switch

DEEPSEEK = load_model("deepseek-v3")
H100, MI300X, V4, V5E = (load_machine(name) for name in ("h100-sxm", "mi300x", "tpu-v4", "tpu-v5e"))
ROW = FabricLevel(name="row", chips=64, bytes_per_s=200e9, topology=Switch())
THREE_LEVELS = dataclasses.replace(H100, id="three-levels", fabric=(H100.fabric[0], ROW, H100.fabric[1]))

REACHED = dataclasses.replace(
    IDEAL,
    link_fraction={"scale_up": 0.8, "row": 0.7, "scale_out": 0.6},
    message_latency_s={"scale_up": 1e-6, "row": 4e-6, "scale_out": 1e-5},
)
INSIDE_AND_OUT = dataclasses.replace(
    IDEAL,
    link_fraction={"scale_up": 0.8, "scale_out": 0.6},
    message_latency_s={"scale_up": 1e-6, "scale_out": 1e-5},
)

SIZES = st.floats(min_value=0, max_value=1e10)
RANKS = st.tuples(st.integers(1, 8), st.integers(1, 8), st.integers(1, 64))
FLAT = {
    AllReduce: collectives.all_reduce_time_s,
    AllGather: collectives.all_gather_time_s,
    AllToAll: collectives.all_to_all_time_s,
}


def part_bytes(kind: type[Message], message_bytes: float, ranks: tuple[int, ...], level: int) -> float:
    """Of a rank's buffer what is under way at a level: its own part beyond a domain, or what stays inside of it."""
    return message_bytes / (prod(ranks[level + 1 :]) if kind is AllToAll else prod(ranks[:level]))


def times_at_levels(message: Message, machine: Machine) -> Levels:
    return times_and_parts(message, machine)[0]


@pytest.mark.parametrize("kind", FLAT, ids=lambda kind: kind.__name__)
@given(message_bytes=SIZES, ranks=RANKS)
def test_over_switches_messages_take_the_closed_forms(
    kind: type[AllReduce | AllGather | AllToAll], message_bytes: float, ranks: tuple[int, int, int]
) -> None:
    """On two levels and on three; a level that is not fitted is taken as one beyond the domain."""
    rates = (450e9, 200e9, 50e9)
    for machine, levels, efficiency, fractions, latencies in (
        (H100, (0, 2), REACHED, (0.8, 0.7, 0.6), (1e-6, 4e-6, 1e-5)),
        (THREE_LEVELS, (0, 1, 2), REACHED, (0.8, 0.7, 0.6), (1e-6, 4e-6, 1e-5)),
        (THREE_LEVELS, (0, 1, 2), INSIDE_AND_OUT, (0.8, 0.6, 0.6), (1e-6, 1e-5, 1e-5)),
        (THREE_LEVELS, (0, 1, 2), IDEAL, (1, 1, 1), (0, 0, 0)),
    ):
        among = tuple(ranks[level] for level in levels)
        expected = [
            FLAT[kind](
                message_bytes=part_bytes(kind, message_bytes, among, place),
                ranks=among[place],
                bytes_per_s=rates[level] * fractions[level],
                latency_s=latencies[level],
            )
            for place, level in enumerate(levels)
        ]
        message = kind(buffer_bytes=message_bytes, group=Group(ranks=among))
        assert times_at_levels(message, machine.with_efficiency(efficiency)) == pytest.approx(expected, rel=1e-12)
        times_s = [float(time_s) for time_s in expected]
        whole_s = max(times_s) if kind is AllToAll else sum(times_s)
        timing = message_timing(message, machine.with_efficiency(efficiency))
        assert timing.time_s == pytest.approx(whole_s, rel=1e-12)
        assert sum(float(part) for part in timing.causes.values()) == pytest.approx(whole_s, rel=1e-12)


@pytest.mark.parametrize("place", [0, 1, 2])
@given(message_bytes=SIZES)
def test_a_stage_sends_over_the_level_where_it_meets_the_next(place: int, message_bytes: float) -> None:
    ranks = [1, 1, 1]
    ranks[place] = 2
    found = times_at_levels(
        Send(buffer_bytes=message_bytes, group=Group(ranks=tuple(ranks))), THREE_LEVELS.with_efficiency(REACHED)
    )
    rate, latency_s = ((450e9 * 0.8, 1e-6), (200e9 * 0.7, 4e-6), (50e9 * 0.6, 1e-5))[place]
    expected = [0.0, 0.0, 0.0]
    expected[place] = latency_s + message_bytes / rate
    assert found == pytest.approx(expected, rel=1e-12)


@given(level_bytes=st.tuples(SIZES, SIZES, SIZES), buffer_bytes=SIZES, ranks=RANKS)
def test_a_forwarded_message_passes_every_level_and_is_taken_where_it_is_faster(
    level_bytes: tuple[float, float, float], buffer_bytes: float, ranks: tuple[int, int, int]
) -> None:
    links = {
        "ranks": ranks,
        "bytes_per_s": (450e9 * 0.8, 200e9 * 0.7, 50e9 * 0.6),
        "latency_s": (1e-6, 4e-6, 1e-5),
    }
    direct = times_at_levels(
        AllToAll(buffer_bytes=buffer_bytes, group=Group(ranks=ranks)), THREE_LEVELS.with_efficiency(REACHED)
    )
    through = collectives.forwarded_all_to_all_level_times_s(level_bytes=level_bytes, **links)
    # The latencies of the levels that are passed besides the slowest.
    hops_s = [latency_s if count > 1 else 0.0 for count, latency_s in zip(ranks, (1e-6, 4e-6, 1e-5), strict=True)]
    forwarded = [float(time_s) + sum(hops_s) - hop_s for time_s, hop_s in zip(through, hops_s, strict=True)]
    message = AllToAll(buffer_bytes=buffer_bytes, group=Group(ranks=ranks), forwarded_bytes=level_bytes)
    found = message_timing(message, THREE_LEVELS.with_efficiency(REACHED)).time_s
    assert found == pytest.approx(min(max(direct), max(forwarded)), rel=1e-12)


def exchange(layout: Layout, sequences: int, name: str = "expert dispatch") -> AllToAll:
    """Of DeepSeek-V3 on H100, so many sequences for each chip."""
    pass_ = decode(batch=sequences * layout.chips, context_tokens=1)
    found = step_operations(deploy(DEEPSEEK, H100, layout, precision=DEEPSEEK.precision), shares_of(pass_, layout))
    return next(one.kernel for one in found if one.name == name and isinstance(one.kernel, AllToAll))


@pytest.mark.parametrize("nodes", [2, 4, 8, 16, 32])
@pytest.mark.parametrize(
    "efficiency", [IDEAL, dataclasses.replace(H100.efficiency, kernels=None)], ids=["ideal", "reached"]
)
@given(sequences=st.integers(1, 4096))
def test_forwarding_is_never_slower_and_carries_less_between_nodes(
    nodes: int, efficiency: Efficiency, sequences: int
) -> None:
    message = exchange(Layout(dp=8 * nodes, ep=8 * nodes), sequences)
    assert message.forwarded_bytes is not None
    inside, across = (float(part) for part in message.forwarded_bytes)
    assert inside == pytest.approx(float(message.buffer_bytes))  # every copy passes its node's links
    chosen, direct = (
        message_timing(one, H100.with_efficiency(efficiency))
        for one in (message, dataclasses.replace(message, forwarded_bytes=None))
    )
    assert chosen.time_s <= direct.time_s
    assert across * (nodes - 1) / nodes < direct.scale_out_bytes
    if chosen.time_s < direct.time_s:
        assert chosen.scale_out_bytes == pytest.approx(across * (nodes - 1) / nodes)
        assert chosen.scale_up_bytes == pytest.approx(inside * 7 / 8)
    else:
        assert chosen.scale_out_bytes == direct.scale_out_bytes == pytest.approx(inside * (nodes - 1) / nodes)
        assert chosen.scale_up_bytes == direct.scale_up_bytes == pytest.approx(inside / nodes * 7 / 8)
    assert chosen.time_s < direct.time_s or sequences < 64  # bytes count for more than latencies


@pytest.mark.parametrize("nodes", [1, 2, 8])
@given(sequences=st.integers(1, 4096))
def test_tokens_are_sent_directly_or_in_bulk_whichever_is_faster(nodes: int, sequences: int) -> None:
    message = exchange(Layout(dp=8 * nodes, ep=8 * nodes), sequences)
    assert message.routed is not None
    chosen, direct, bulk = (
        message_timing(dataclasses.replace(message, routed=routed), H100)
        for routed in (
            message.routed,
            dataclasses.replace(message.routed, has_high_throughput=False),
            dataclasses.replace(message.routed, has_low_latency=False),
        )
    )
    assert chosen.time_s == min(direct.time_s, bulk.time_s)
    assert chosen.time_s == pytest.approx(sum(float(part) for part in chosen.causes.values()), rel=1e-12)
    copies = 8 * sequences * DEEPSEEK.hidden * DEEPSEEK.precision.experts.operand.bytes_per_value
    assert direct.scale_up_bytes + direct.scale_out_bytes == pytest.approx(copies * (1 - 1 / (8 * nodes)))
    assert bulk.scale_up_bytes < direct.scale_up_bytes + direct.scale_out_bytes
    if sequences == 1:
        assert direct.time_s < bulk.time_s  # a start decides
    if sequences > 2048:
        assert bulk.time_s < direct.time_s or nodes == 1  # bytes do, and few compute units copy them inside a node


@pytest.mark.parametrize("name", ["expert dispatch", "expert combine"])
@given(sequences=st.integers(1, 4096), tp=st.sampled_from([1, 2, 8]))
def test_tokens_that_keep_to_4_of_8_nodes_are_sent_4_times_at_most(name: str, sequences: int, tp: int) -> None:
    """Each node is one of the 8 groups that DeepSeek-V3 routes by: 3.6 copies a token, in 8 bits out and 16 back."""
    message = exchange(Layout(tp=tp, dp=64 // tp, ep=64), sequences, name)
    assert message.forwarded_bytes is not None
    width = 2 if name == "expert combine" else 1 + 4 / 128
    copies = float(message.forwarded_bytes[1]) / (sequences * 7168 * width)
    assert 3.6 < copies < 3.7
    assert float(message.buffer_bytes) / (sequences * 7168 * width) > 7  # of 8, without forwarding


def test_routing_without_limits_sends_more_copies() -> None:
    block = DEEPSEEK.groups[1].feed_forward
    assert isinstance(block, RoutedExperts)
    free = dataclasses.replace(block, routing_groups=1, routed_groups=1)
    model = dataclasses.replace(
        DEEPSEEK, groups=(DEEPSEEK.groups[0], dataclasses.replace(DEEPSEEK.groups[1], feed_forward=free))
    )
    pass_, layout = decode(batch=64 * 64, context_tokens=1), Layout(dp=64, ep=64)

    def between_nodes(model: object) -> float:
        found = step_operations(deploy(model, H100, layout, precision=DEEPSEEK.precision), shares_of(pass_, layout))  # type: ignore[arg-type]
        message = next(one.kernel for one in found if one.name == "expert dispatch")
        assert isinstance(message, AllToAll)
        assert message.forwarded_bytes is not None
        return float(message.forwarded_bytes[1])

    # 8 of 256 experts visit 5.3 of 8 nodes, and 3.6 where they keep to 4; tests/equations/test_experts.py counts both.
    assert between_nodes(model) / between_nodes(DEEPSEEK) == pytest.approx(5.2946 / 3.6290, rel=1e-4)


def test_within_one_node_nothing_is_forwarded() -> None:
    assert exchange(Layout(dp=8, ep=8), 64).forwarded_bytes is None


# Meshes.


@given(message_bytes=SIZES, ranks=st.integers(2, 8))
def test_chips_of_a_mesh_use_one_link_for_each_pair(message_bytes: float, ranks: int) -> None:
    """MI300X: 7 links of 64 GB/s; of a group of 4 each chip uses 3."""
    links = {"message_bytes": message_bytes, "ranks": ranks, "bytes_per_s": (ranks - 1) * 64e9 * 0.8, "latency_s": 1e-6}
    for kind, time_s in (
        (AllReduce, collectives.all_reduce_time_s),
        (AllGather, collectives.all_gather_time_s),
        (AllToAll, collectives.all_to_all_time_s),
    ):
        found = times_at_levels(
            kind(buffer_bytes=message_bytes, group=Group(ranks=(ranks, 1))), MI300X.with_efficiency(REACHED)
        )
        assert found == pytest.approx((time_s(**links), 0.0), rel=1e-12)
    pair = Group(ranks=(2, 1))
    sent_s, _ = times_at_levels(Send(buffer_bytes=message_bytes, group=pair), MI300X.with_efficiency(REACHED))
    assert sent_s == pytest.approx(1e-6 + message_bytes / (64e9 * 0.8), rel=1e-12)


@given(message_bytes=SIZES, domains=st.integers(2, 8))
def test_domains_of_a_mesh_use_one_link_for_each_pair_of_domains(message_bytes: float, domains: int) -> None:
    """Eight nodes of 8 chips in a mesh of nodes: a chip's 200 GB/s there are 7 links."""
    mesh = dataclasses.replace(ROW, topology=Mesh())
    machine = dataclasses.replace(THREE_LEVELS, fabric=(H100.fabric[0], mesh, H100.fabric[1]))
    found = times_at_levels(
        AllGather(buffer_bytes=message_bytes, group=Group(ranks=(1, domains, 1))), machine.with_efficiency(IDEAL)
    )
    across_s = (domains - 1) / domains * message_bytes / ((domains - 1) * 200e9 / 7)
    assert found == pytest.approx((0.0, across_s, 0.0), rel=1e-12)


# Tori.

TORUS_FORMS = {
    AllReduce: collectives.torus_all_reduce_time_s,
    AllGather: collectives.torus_all_gather_time_s,
    AllToAll: collectives.torus_all_to_all_time_s,
}


@pytest.mark.parametrize(
    ("machine", "ranks", "sides", "wraps", "link_bytes_per_s"),
    [
        (V4, 64, (4, 4, 4), (1.0, 1.0, 1.0), 45e9),
        (V4, 8, (2, 2, 2), (0.0, 0.0, 0.0), 45e9),
        (V5E, 8, (4, 2), (0.0, 0.0), 45e9),
        (V5E, 256, (16, 16), (1.0, 1.0), 45e9),
    ],
)
@pytest.mark.parametrize("kind", TORUS_FORMS, ids=lambda kind: kind.__name__)
@given(message_bytes=SIZES)
def test_messages_over_a_torus_take_its_forms(
    machine: Machine,
    ranks: int,
    sides: tuple[int, ...],
    wraps: tuple[float, ...],
    link_bytes_per_s: float,
    kind: type[AllReduce | AllGather | AllToAll],
    message_bytes: float,
) -> None:
    """A chip's 270 GB/s on v4 are six links, its 180 GB/s on v5e four."""
    inside_s = TORUS_FORMS[kind](
        message_bytes=message_bytes,
        sides=sides,
        wraps=wraps,
        link_bytes_per_s=link_bytes_per_s * 0.8,
        latency_s=1e-6,
    )
    found = times_at_levels(
        kind(buffer_bytes=message_bytes, group=Group(ranks=(ranks, 1))), machine.with_efficiency(REACHED)
    )
    assert found == pytest.approx((inside_s, 0.0), rel=1e-12)


def test_a_gigabyte_gathered_over_a_torus_by_hand() -> None:
    """Over 4 x 4 x 4 rings six links bring 63 of 64 parts; over 4 x 2 lines a corner's two links bring 7 of 8.

    A pod of 256 has four links a chip, and only four: both of each ring.
    """
    for machine, ranks, expected_s in (
        (V4, 64, 63 / 64 * 1e9 / (6 * 45e9)),
        (V5E, 8, 7 / 8 * 1e9 / (2 * 45e9)),
        (V5E, 256, 255 / 256 * 1e9 / (4 * 45e9)),
    ):
        message = AllGather(buffer_bytes=1e9, group=Group(ranks=(ranks, 1)))
        assert message_timing(message, machine.with_efficiency(IDEAL)).time_s == pytest.approx(expected_s, rel=1e-12)


def test_two_slices_exchange_what_each_chip_holds_of_the_sum() -> None:
    """Two pods of 256 v5e: an all-reduce inside, and a 256th of the buffer between them at 3.125 GB/s a chip."""
    message = AllReduce(buffer_bytes=1e9, group=Group(ranks=(256, 2)))
    inside_s, across_s = times_at_levels(message, V5E.with_efficiency(IDEAL))
    assert inside_s == pytest.approx(2 * 255 / 256 * 1e9 / (4 * 45e9), rel=1e-12)
    assert across_s == pytest.approx(2 * (1 / 2) * 1e9 / 256 / 3.125e9, rel=1e-12)


@given(message_bytes=SIZES)
def test_neighbours_on_a_torus_share_one_link(message_bytes: float) -> None:
    sent_s, _ = times_at_levels(Send(buffer_bytes=message_bytes, group=Group(ranks=(2, 1))), V4.with_efficiency(IDEAL))
    assert sent_s == pytest.approx(message_bytes / 45e9, rel=1e-12)


def test_a_group_that_is_no_box_of_a_torus_is_refused() -> None:
    with pytest.raises(ValueError, match="17 chips are no box of a torus"):
        times_at_levels(AllReduce(buffer_bytes=1.0, group=Group(ranks=(17, 1))), V4.with_efficiency(IDEAL))


# Better links.


def messages(size: float, ranks: tuple[int, int]) -> list[Message]:
    group = Group(ranks=ranks)
    return [
        AllReduce(buffer_bytes=size, group=group),
        AllGather(buffer_bytes=size, group=group),
        AllToAll(buffer_bytes=size, group=group),
        AllToAll(buffer_bytes=size, group=group, forwarded_bytes=(size, size / 2)),
        Send(buffer_bytes=size, group=Group(ranks=(1, 2))),
    ]


FACTORS = st.tuples(st.floats(1, 10), st.floats(1, 10))


@pytest.mark.parametrize("machine", [H100, MI300X, V4], ids=lambda machine: machine.id)
@given(
    size=SIZES,
    ranks=st.tuples(st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 2, 5])),
    wider=FACTORS,
    later=FACTORS,
)
def test_no_message_gains_by_latency_or_loses_by_bandwidth(
    machine: Machine,
    size: float,
    ranks: tuple[int, int],
    wider: tuple[float, float],
    later: tuple[float, float],
) -> None:
    fabric = tuple(
        dataclasses.replace(level, bytes_per_s=level.bytes_per_s * factor)
        for level, factor in zip(machine.fabric, wider, strict=True)
    )
    wide = dataclasses.replace(machine, fabric=fabric)
    slow = dataclasses.replace(REACHED, message_latency_s={"scale_up": 1e-6 * later[0], "scale_out": 1e-5 * later[1]})
    for message in messages(size, ranks):
        now_s = float(message_timing(message, machine.with_efficiency(REACHED)).time_s)
        rounding = 1 + 1e-12
        assert float(message_timing(message, wide.with_efficiency(REACHED)).time_s) <= now_s * rounding
        assert now_s <= float(message_timing(message, machine.with_efficiency(slow)).time_s) * rounding


LAYOUTS = ("tp8,pp2", "tp2,dp8,ep16", "tp4,dp4,ep16,cp2,kv_dp2")


@pytest.mark.parametrize("text", LAYOUTS)
@given(batch=st.integers(1, 5000), factor=st.floats(1, 10), decodes=st.booleans())
def test_no_step_gains_by_latency_or_loses_by_bandwidth(text: str, batch: int, factor: float, decodes: bool) -> None:  # noqa: FBT001
    layout = Layout.from_text(text)
    pass_ = decode(batch=batch, context_tokens=2000) if decodes else prefill(batch=batch, prompt_tokens=500)
    efficiency = H100.efficiency
    later = dataclasses.replace(
        efficiency,
        message_latency_s={name: factor * hop_s for name, hop_s in efficiency.message_latency_s.items()},
    )
    fabric = tuple(dataclasses.replace(level, bytes_per_s=factor * level.bytes_per_s) for level in H100.fabric)
    chip = dataclasses.replace(H100.chip, hbm_bytes_per_s=factor * H100.chip.hbm_bytes_per_s)
    now, slow, wide, fast_memory = (
        estimate(deploy(DEEPSEEK, machine, layout), pass_).step_time_s
        for machine in (
            H100,
            H100.with_efficiency(later),
            dataclasses.replace(H100, fabric=fabric),
            dataclasses.replace(H100, chip=chip),
        )
    )
    rounding = 1 + 1e-12
    assert max(wide, fast_memory) <= now * rounding
    assert now <= slow * rounding


def test_a_pipeline_over_nodes_sends_over_the_links_between_them() -> None:
    found = estimate(deploy(DEEPSEEK, H100, Layout(tp=8, pp=2, ep=8)), decode(batch=64, context_tokens=100))
    assert found.causes[Cause.SCALE_OUT] > 0
