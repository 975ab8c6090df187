from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations.experts import experts_touched, groups_visited


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
