from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
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


@pytest.mark.parametrize(("tokens", "groups"), [(64, 8), (512, 64), (4096, 64), (512, 256)])
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
