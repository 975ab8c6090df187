"""Layouts as they are written, and where their chips lie in the levels of a fabric."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.estimator.plain import DEEPSEEK, H100, LLAMA, MI300X, TPU

from ridgeline.catalog import load_machine
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.placement import domain_sizes, group, placement_faults, torus_box
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.model import Model
from ridgeline.specs.topology import Switch

ROWS = FabricLevel(name="row", chips=64, bytes_per_s=200e9, topology=Switch())
THREE_LEVELS = dataclasses.replace(H100, id="three-levels", fabric=(H100.fabric[0], ROWS, H100.fabric[1]))


@given(
    tp=st.sampled_from([1, 2, 8]),
    dp=st.sampled_from([1, 4, 8]),
    others=st.tuples(*(st.sampled_from([1, 2, 4]) for _ in range(5))),
    redundant=st.integers(0, 64),
)
def test_every_degree_is_read_back(tp: int, dp: int, others: tuple[int, ...], redundant: int) -> None:
    pp, cp, tp_rows, kv_dp, fsdp = others
    assume(tp % tp_rows == 0 and tp % kv_dp == 0 and dp % fsdp == 0)
    layout = Layout(tp=tp, dp=dp, pp=pp, cp=cp, tp_rows=tp_rows, kv_dp=kv_dp, fsdp=fsdp, redundant_experts=redundant)
    assert Layout.from_text(str(layout)) == layout
    assert Layout.from_text(str(layout).replace(",", "x")) == layout
    assert layout.chips == tp * dp * pp * cp


@pytest.mark.parametrize("text", ["dp72,ep72,redundant32", "dp72xep72xredundant32", "dp72 ep=72 redundant_experts=32"])
def test_a_layout_is_read_however_it_is_written(text: str) -> None:
    assert Layout.from_text(text) == Layout(dp=72, ep=72, redundant_experts=32)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tp8,tp_rows3", "tp_rows=3 does not divide tp=8"),
        ("tp2,kv_dp4", "kv_dp=4 does not divide tp=2"),
        ("tp8,dp2,fsdp8", "fsdp=8 does not divide dp=2"),
        ("tp2,pp8,ep16", r"ep=16 does not divide tp\*dp=2"),
        ("tp8,fsdp", "'fsdp' is not one of"),
        ("redundant4,redundant2", "given twice"),
    ],
)
def test_a_degree_that_cuts_what_is_not_there_is_refused(text: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        Layout.from_text(text)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=3), st.booleans(), st.integers(1, 2000))
def test_a_replica_lies_evenly_over_the_fewest_domains(factors: list[int], unbounded: bool, chips: int) -> None:  # noqa: FBT001
    """Level by level: what lies in a domain of the levels outside is divided among as few inside as hold it."""
    innermost, *others = itertools.accumulate(factors, lambda inner, factor: inner * factor)
    outside: list[int | None] = [*others, None] if unbounded else [*others]
    found = domain_sizes((innermost, *outside), chips)
    around = domain_sizes(tuple(outside), chips)
    if around is None:
        assert found is None
        return
    whole = around[0] if around else chips
    domains = next(count for count in itertools.count(1) if count * innermost >= whole)
    assert found == (None if whole % domains else (whole // domains, *around))


def met(members: list[int], sizes: tuple[int, ...]) -> tuple[float, ...]:
    """Chips in a domain, domains in the next: how many of each a group's members lie in, counted one by one."""
    ranks, units = [], len(members)
    for size in sizes:
        in_domain = Counter(chip // size for chip in members)
        assert len(set(in_domain.values())) == 1, "as many in each"
        ranks.append(units / len(in_domain))
        units = len(in_domain)
    return tuple(ranks)


DEGREES = (1, 2, 3, 4, 6, 8, 16)
REPLICAS = [
    (machine, layout)
    for machine in (H100, MI300X, TPU, THREE_LEVELS)
    for tp, dp, cp, pp in itertools.product(DEGREES, DEGREES, (1, 2, 3), (1, 2, 3, 8))
    for rows, fsdp in ((1, 1), (2, 1), (4, 2), (3, 3))
    if tp % rows == dp % fsdp == 0
    for layout in (Layout(tp=tp, dp=dp, cp=cp, pp=pp, tp_rows=rows, fsdp=fsdp),)
    if layout.chips <= 600 and not placement_faults(machine, layout)
]


@settings(max_examples=200)
@given(st.sampled_from(REPLICAS))
def test_every_group_meets_as_many_chips_of_each_level_as_lie_there(replica: tuple[Machine, Layout]) -> None:
    """Counted chip by chip, for every group of a replica without faults."""
    machine, layout = replica
    tp, rows, chips = layout.tp, layout.tp_rows, layout.chips
    sizes = domain_sizes(tuple(level.chips for level in machine.fabric), chips)
    assert sizes is not None
    plane = tp * layout.dp
    groups = ((tp, 1), (tp // rows, 1), (rows, tp // rows), (plane, 1), (layout.fsdp, tp), (layout.cp, plane))
    for ranks, stride in groups:
        found = group(machine.fabric, chips, ranks=ranks, stride=stride).ranks
        assert math.prod(int(count) for count in found) == ranks
        starts = (chip for chip in range(chips) if chip % (ranks * stride) < stride)
        for start in starts:
            assert met([start + stride * place for place in range(ranks)], sizes) == found


@pytest.mark.parametrize(
    ("machine", "text", "said"),
    [
        (H100, "dp9", "9 chips do not divide evenly over the domains of up to 8 chips of h100-sxm"),
        (H100, "tp4,dp3", "tp=4 neither divides nor is a multiple of the 6 chips in each domain"),
        (H100, "dp4,cp3", r"tp\*dp=4 neither divides nor is a multiple of the 6 chips"),
        (H100, "tp2,cp2,pp5", r"tp\*dp\*cp=4 neither divides nor is a multiple of the 5 chips|20 chips"),
        (THREE_LEVELS, "tp8,dp9", "tp=8 neither divides nor is a multiple of the 6|72 chips"),
        (H100, "tp24,tp_rows2", r"tp/tp_rows=12 neither divides nor is a multiple of the 8 chips"),
        (H100, "tp2,dp12,fsdp6", r"tp\*fsdp=12 neither divides nor is a multiple of the 8 chips"),
        (TPU, "tp17", "17 chips are no box of the 16 x 16 x 16 torus of tpu-v4"),
        (load_machine("tpu-v5e"), "tp2,pp17", "34 chips are no box of the 16 x 16 torus of tpu-v5e"),
    ],
)
def test_a_replica_that_does_not_lie_evenly_says_which_number(machine: Machine, text: str, said: str) -> None:
    faults = placement_faults(machine, Layout.from_text(text))
    assert len(faults) >= 1
    assert re.search(said, "; ".join(faults))


def test_a_machine_without_links_beyond_its_domains_holds_no_more_than_one() -> None:
    lone = dataclasses.replace(H100, fabric=H100.fabric[:1])
    assert not placement_faults(lone, Layout(tp=8))
    assert placement_faults(lone, Layout(tp=8, pp=2)) == (
        "16 chips do not fit the 8 of h100-sxm, which has no links beyond them",
    )


@pytest.mark.parametrize(
    ("machine_id", "chips", "sides", "rings"),
    [
        ("tpu-v4", 64, (4, 4, 4), (True, True, True)),
        ("tpu-v4", 8, (2, 2, 2), (False, False, False)),
        ("tpu-v4", 4096, (16, 16, 16), (True, True, True)),
        ("tpu-v5e", 8, (4, 2), (False, False)),
        ("tpu-v5e", 16, (4, 4), (False, False)),
        ("tpu-v5e", 32, (16, 2), (True, False)),
        ("tpu-v5e", 256, (16, 16), (True, True)),
    ],
)
def test_a_group_takes_the_box_with_the_most_links(
    machine_id: str, chips: int, sides: tuple[int, ...], rings: tuple[bool, ...]
) -> None:
    topology = load_machine(machine_id).fabric[0].topology
    found = torus_box(topology, chips)
    assert found is not None
    assert sorted(zip(*found, strict=True)) == sorted(zip(sides, rings, strict=True))


@given(chips=st.integers(1, 300), machine_id=st.sampled_from(["tpu-v4", "tpu-v5e", "tpu-v5p", "trainium2"]))
def test_no_box_has_more_links_than_the_one_taken(chips: int, machine_id: str) -> None:
    torus = load_machine(machine_id).fabric[0].topology
    found = torus_box(torus, chips)
    sides, every = torus.sides, torus.wraps_every  # type: ignore[union-attr]
    boxes = [box for box in itertools.product(*(range(1, side + 1) for side in sides)) if math.prod(box) == chips]

    def links(box: tuple[int, ...]) -> int:
        return sum((side > 1) + (side > 1 and side % every == 0) for side in box)

    if found is None:
        assert not boxes
        return
    box, rings = found
    assert box in boxes
    assert rings == tuple(side > 1 and side % every == 0 for side in box)
    assert links(box) == max(map(links, boxes))


@pytest.mark.parametrize(
    ("model", "text", "said"),
    [
        (LLAMA, "tp96,tp_rows2", "tp/tp_rows=48 does not divide query_heads=64"),
        (LLAMA, "tp12,tp_rows4", "tp/tp_rows=3 does not divide query_heads=64"),
        (DEEPSEEK, "tp8,tp_rows2,dp4,ep32", "tp_rows=2 is for models without experts"),
        (DEEPSEEK, "dp32,ep32,redundant257", "redundant=257 is over experts=256"),
        (LLAMA, "tp24,tp_rows3", "tp_rows=3 does not divide hidden=8192"),
        (LLAMA, "pp81", "pp=81 stages are more than layers=80"),
    ],
)
def test_a_layout_that_does_not_divide_a_model_says_which_number(model: Model, text: str, said: str) -> None:
    found = "; ".join(layout_faults(model, H100, Layout.from_text(text)))
    assert said in found
