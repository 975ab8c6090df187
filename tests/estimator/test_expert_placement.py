from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.estimator import expert_placement

VISITS = st.lists(st.floats(0.01, 1.0), min_size=2, max_size=6)


def loads(visits: list[float], copies: tuple[int, ...], chips: int) -> tuple[float, ...]:
    holders = expert_placement.holders_of_experts(visits=visits, copies=copies, chips=chips)
    (arriving,) = expert_placement.arriving_visits(visits=visits, holders=holders, chips=chips)
    return arriving


@given(st.integers(1, 300), st.data(), st.floats(0, 2))
def test_visits_add_up_to_the_experts_of_a_token_and_none_is_visited_twice(
    experts: int, data: st.DataObject, skew: float
) -> None:
    active = data.draw(st.integers(1, experts))
    visits = expert_placement.visit_fractions(experts=experts, active_experts=active, skew=skew)
    assert sum(visits) == pytest.approx(active)
    assert all(0 < chance <= 1 for chance in visits)
    assert all(more >= less * (1 - 1e-12) for more, less in itertools.pairwise(visits))
    # Those that are not certain follow the power of their rank.
    open_ranks = [rank for rank, chance in enumerate(visits, start=1) if chance < 1 - 1e-9]
    for first, second in itertools.pairwise(open_ranks):
        assert visits[first - 1] / visits[second - 1] == pytest.approx((second / first) ** skew)


@given(VISITS, st.integers(0, 5))
def test_no_other_way_to_give_copies_leaves_the_busiest_copy_less(visits: list[float], more: int) -> None:
    """Adams' method against all ways."""
    found = expert_placement.copies_of_experts(visits=visits, redundant_experts=more)
    assert sum(found) == len(visits) + more
    assert min(found) >= 1
    best = min(
        max(load / (1 + given.count(expert)) for expert, load in enumerate(visits))
        for given in itertools.combinations_with_replacement(range(len(visits)), more)
    )
    assert max(load / held for load, held in zip(visits, found, strict=True)) == pytest.approx(best)


@given(VISITS, st.integers(0, 2), st.integers(1, 3))
def test_greedy_placement_is_near_the_best_of_all_and_never_below_the_bound(
    visits: list[float], more: int, chips: int
) -> None:
    """A third above the best at most, which is what the heaviest first is known to reach."""
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=more)
    slots = expert_placement.slots_of_chips(copies=copies, chips=chips)
    found = max(loads(visits, copies, chips))
    parts = [load / held for load, held in zip(visits, copies, strict=True) for _ in range(held)]
    best = math.inf
    for places in itertools.product(range(chips), repeat=len(parts)):
        if all(places.count(chip) <= slots for chip in range(chips)):
            best = min(
                best,
                max(sum(part for part, at in zip(parts, places, strict=True) if at == chip) for chip in range(chips)),
            )
    assert best * (1 - 1e-9) <= found <= best * 4 / 3
    bound = expert_placement.least_load_over_mean(visits=visits, copies=copies, chips=chips) * sum(visits) / chips
    assert bound <= best * (1 + 1e-9)


@given(st.integers(8, 64), st.integers(0, 32), st.integers(1, 16), st.floats(0, 2), st.integers(1, 4))
def test_every_copy_has_a_slot_and_every_visit_arrives(
    experts: int, more: int, chips: int, skew: float, racks: int
) -> None:
    visits = expert_placement.visit_fractions(experts=experts, active_experts=4, skew=skew)
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=more)
    holders = expert_placement.holders_of_experts(visits=visits, copies=copies, chips=chips)
    assert [len(chips_of) for chips_of in holders] == list(copies)
    slots = expert_placement.slots_of_chips(copies=copies, chips=chips)
    held = [chip for chips_of in holders for chip in chips_of]
    assert all(held.count(chip) <= slots for chip in range(chips))
    arriving = expert_placement.arriving_visits(visits=visits, holders=holders, chips=chips, racks=racks)
    assert [sum(row) for row in arriving] == pytest.approx([4 / racks] * racks)
    between = expert_placement.visits_between_racks(arriving=arriving)
    assert sum(map(sum, between)) == pytest.approx(1)


def test_an_own_copy_in_every_rack_keeps_all_visits_inside() -> None:
    arriving = expert_placement.arriving_visits(visits=[0.5, 0.5], holders=[[0, 1], [2, 3]], chips=4, racks=2)
    assert expert_placement.visits_between_racks(arriving=arriving) == ((0.5, 0.0), (0.0, 0.5))


def test_deepseeks_32_copies_bring_the_busiest_of_72_chips_near_the_mean() -> None:
    """Where the most sought-after of 256 experts alone is 2.4 times a chip's mean, at a skew of a half."""
    visits = list(expert_placement.visit_fractions(experts=256, active_experts=8, skew=0.5))
    alone, copied = (
        expert_placement.load_over_mean(
            loads=loads(visits, expert_placement.copies_of_experts(visits=visits, redundant_experts=more), 72)
        )
        for more in (0, 32)
    )
    assert alone == pytest.approx(72 * visits[0] / 8)
    assert alone > 2.3
    assert copied < 1.04


def test_copies_of_evenly_sought_experts_fill_slots_and_even_out_nothing() -> None:
    """288 places on 72 chips are four each; but 224 experts have one place only, and four of them meet somewhere."""
    visits = [1.0] * 256
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=32)
    assert expert_placement.slots_of_chips(copies=copies, chips=72) == 4
    assert max(loads(visits, copies, 72)) == 4
