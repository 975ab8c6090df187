from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline.equations.experts import busiest, experts_touched, groups_visited, largest_score


@given(st.integers(1, 512), st.data(), st.integers(1, 10_000))
def test_experts_touched_lie_between_one_tokens_and_all(experts: int, data: st.DataObject, tokens: int) -> None:
    active = data.draw(st.integers(1, experts))
    touched = experts_touched(experts=experts, active_experts=active, tokens=tokens)
    assert active * (1 - 1e-9) <= touched <= experts
    assert touched <= active * tokens * (1 + 1e-9)


def test_groups_visited_is_the_mean_over_all_choices() -> None:
    """Counted out: 2 of 6 experts over 3 groups of 2."""
    choices = list(itertools.combinations(range(6), 2))
    counted = sum(len({expert // 2 for expert in choice}) for choice in choices) / len(choices)
    assert groups_visited(experts=6, active_experts=2, groups=3) == pytest.approx(counted)


@given(st.sampled_from([(256, 8), (128, 8), (8, 2), (384, 8)]), st.integers(0, 7))
def test_a_token_visits_no_more_groups_than_there_are_or_than_its_experts(
    shape: tuple[int, int], exponent: int
) -> None:
    experts, active = shape
    groups = math.gcd(experts, 2**exponent)
    visited = groups_visited(experts=experts, active_experts=active, groups=groups)
    assert 1 - 1e-9 <= visited <= min(groups, active) * (1 + 1e-9)


@pytest.mark.parametrize("draws", [2, 8, 64, 512])
def test_the_largest_of_normal_draws_lies_where_simulation_puts_it(draws: int) -> None:
    """The approximations of position and quantile are together 4 % off at two draws, and 2 % beyond."""
    simulated = np.random.default_rng(1).standard_normal((4_000_000 // draws, draws)).max(axis=1).mean()
    assert largest_score(draws=draws) == pytest.approx(simulated, rel=0.045 if draws == 2 else 0.02)


@pytest.mark.parametrize(
    ("tokens", "groups"), [(64, 8), (512, 64), pytest.param(4096, 64, marks=pytest.mark.slow), (512, 256)]
)
def test_the_busiest_group_is_met_by_choosing_experts_at_random(tokens: int, groups: int) -> None:
    """DeepSeek-V3's 256 experts.

    6 %: counts are whole, and skewed where few visits fall to a group.
    """
    experts, active = 256, 8
    random = np.random.default_rng(2)
    peaks = []
    for _ in range(200):
        chosen = random.random((tokens, experts)).argpartition(active, axis=1)[:, :active]
        peaks.append(np.bincount(chosen.ravel() // (experts // groups), minlength=groups).max())
    mean = tokens * active / groups
    # Drawn without repetition: hypergeometric for a token, and tokens are independent.
    share = 1 / groups
    variance = tokens * active * share * (1 - share) * (experts - active) / (experts - 1)
    found = busiest(mean=mean, variance=variance, groups=groups, most=tokens * active)
    assert found == pytest.approx(np.mean(peaks), rel=0.06)


def counted_groups(experts: int, active: int, groups: int, routing_groups: int, routed_groups: int) -> Fraction:
    """Groups visited on the mean over every choice of routing groups, and of experts in them."""
    of_group, held = experts // routing_groups, experts // groups
    visited = choices = 0
    for chosen in itertools.combinations(range(routing_groups), routed_groups):
        open_to = [place * of_group + expert for place in chosen for expert in range(of_group)]
        for visits in itertools.combinations(open_to, active):
            visited += len({expert // held for expert in visits})
            choices += 1
    return Fraction(visited, choices)


NESTED_SHAPES = [
    (experts, active, groups, routing_groups, routed_groups)
    for experts in (4, 6, 8, 12)
    for groups in range(1, experts + 1)
    for routing_groups in range(1, experts + 1)
    if experts % groups == 0 == experts % routing_groups
    # A group of chips holds whole routing groups, or a part of one.
    and (groups % routing_groups == 0 or routing_groups % groups == 0)
    for routed_groups in range(1, routing_groups + 1)
    for active in (1, 2, 3, 5)
    if active <= routed_groups * experts // routing_groups
]


@given(st.sampled_from(NESTED_SHAPES))
@settings(max_examples=200)
def test_groups_visited_under_limited_routing_is_the_mean_over_all_choices(shape: tuple[int, ...]) -> None:
    experts, active, groups, routing_groups, routed_groups = shape
    found = groups_visited(
        experts=experts,
        active_experts=active,
        groups=groups,
        routing_groups=routing_groups,
        routed_groups=routed_groups,
    )
    assert found == pytest.approx(float(counted_groups(*shape)), rel=1e-12)


@pytest.mark.parametrize(
    ("experts", "active", "routing_groups", "routed_groups"), [(256, 8, 8, 4), (160, 6, 8, 3), (64, 6, 4, 1)]
)
@pytest.mark.parametrize("groups", [2, 4, 8, 16, 32])
def test_groups_visited_is_met_by_choosing_at_random(
    experts: int, active: int, routing_groups: int, routed_groups: int, groups: int
) -> None:
    """DeepSeek-V3's and V2's routing, and one that keeps to a group; fewer groups of chips than routed by, and more.

    1 %: five standard deviations of the mean of 20,000 tokens, which differ by at most a group and a half.
    """
    random, tokens, of_group = np.random.default_rng(3), 20_000, experts // routing_groups
    chosen = random.random((tokens, routing_groups)).argsort(axis=1)[:, :routed_groups]
    places = random.random((tokens, routed_groups * of_group)).argpartition(active, axis=1)[:, :active]
    visits = np.take_along_axis(chosen, places // of_group, axis=1) * of_group + places % of_group
    visited = np.sort(visits // (experts // groups), axis=1)
    simulated = 1 + (np.diff(visited, axis=1) > 0).sum(axis=1).mean()
    found = groups_visited(
        experts=experts,
        active_experts=active,
        groups=groups,
        routing_groups=routing_groups,
        routed_groups=routed_groups,
    )
    assert found == pytest.approx(simulated, rel=0.01)


@given(st.sampled_from([1, 2, 4, 8, 16, 32, 64, 128, 256]), st.integers(1, 8))
def test_limits_on_routing_never_add_groups(groups: int, routed_groups: int) -> None:
    """A token visits no more groups of chips than hold its routing groups."""
    shape = {"experts": 256, "active_experts": 8, "groups": groups}
    limited = groups_visited(**shape, routing_groups=8, routed_groups=routed_groups)
    assert limited <= groups_visited(**shape) * (1 + 1e-12)
    assert limited <= min(8, groups, routed_groups * max(groups / 8, 1)) * (1 + 1e-12)
    assert groups_visited(**shape, routing_groups=8, routed_groups=8) == pytest.approx(groups_visited(**shape))
