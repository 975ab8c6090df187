"""The busiest group of experts that are sought unevenly, against tokens that are drawn one by one."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ridgeline.catalog import load_model
from ridgeline.estimator.expert_load import uneven_group
from ridgeline.estimator.expert_placement import (
    copies_of_experts,
    holders_of_experts,
    visit_fractions,
    visits_in_proportion,
)
from ridgeline.estimator.routed_tokens import busiest_group
from ridgeline.specs.expert_load import ExpertLoad
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout

DRAWS = 30


def drawn_visits(chances: np.ndarray, tokens: int, rng: np.random.Generator) -> np.ndarray:
    """Visits to each expert by tokens that visit none twice: systematic sampling in a random order, whose chances are
    those that are asked for."""
    active = round(chances.sum())
    counts = np.zeros(len(chances))
    for _ in range(tokens):
        order = rng.permutation(len(chances))
        edges = np.cumsum(chances[order])
        found = np.searchsorted(edges, rng.random() + np.arange(active), side="right")
        counts[order[np.minimum(found, len(chances) - 1)]] += 1
    return counts


def block(experts: int, active: int) -> RoutedExperts:
    return RoutedExperts(experts=experts, active_experts=active, expert_hidden=512)


@pytest.mark.parametrize("skew", [0.3, 0.5, 1.0])
@pytest.mark.parametrize(
    ("experts", "active", "groups", "tokens"), [(64, 6, 8, 128), (256, 8, 32, 64), (32, 4, 32, 64)]
)
def test_the_busiest_group_is_that_of_drawn_tokens(
    experts: int, active: int, groups: int, tokens: int, skew: float
) -> None:
    """Experts that lie by chance: each draw places them anew."""
    rng = np.random.default_rng(7)
    chances = np.array(visit_fractions(experts=experts, active_experts=active, skew=skew))
    visits, touched = [], []
    for _ in range(DRAWS):
        places = rng.permutation(experts) % groups
        counts = drawn_visits(chances, tokens, rng)
        visits.append(np.bincount(places, counts, groups).max())
        touched.append(np.bincount(places, counts > 0, groups).max())
    load = ExpertLoad(name=f"zipf:{skew}", skew=skew)
    found = uneven_group(block(experts, active), load, float(tokens), groups=groups, redundant_experts=0)
    # 8 % of the form itself, as its docstring says, and two standard errors of the draws.
    for mine, drawn in zip(found, (visits, touched), strict=True):
        slack = 0.08 + 2 * np.std(drawn) / np.sqrt(DRAWS) / np.mean(drawn)
        assert mine == pytest.approx(np.mean(drawn), rel=slack)


def test_counted_loads_lie_where_the_model_has_them() -> None:
    """The first group's experts are sought twice as much as all others."""
    weights = (2.0,) * 8 + (1.0,) * 56
    load = ExpertLoad(name="counted", weights=weights)
    chances = np.array(visits_in_proportion(sought=weights, active_experts=6))
    rng = np.random.default_rng(3)
    drawn = [drawn_visits(chances, 128, rng).reshape(8, 8).sum(axis=1).max() for _ in range(DRAWS)]
    visits, _ = uneven_group(block(64, 6), load, 128.0, groups=8, redundant_experts=0)
    assert visits == pytest.approx(np.mean(drawn), rel=0.08)
    shuffled = ExpertLoad(name="counted", weights=tuple(rng.permutation(weights).tolist()))
    spread, _ = uneven_group(block(64, 6), shuffled, 128.0, groups=8, redundant_experts=0)
    assert spread < visits


def test_copies_of_what_is_sought_even_it_out() -> None:
    load = ExpertLoad(name="zipf:0.8", skew=0.8)
    chances = visit_fractions(experts=64, active_experts=6, skew=0.8)
    copies = copies_of_experts(visits=chances, redundant_experts=16)
    holders = holders_of_experts(visits=chances, copies=copies, chips=8)
    rng = np.random.default_rng(5)
    drawn = []
    for _ in range(DRAWS):
        groups = np.zeros(8)
        for count, held_by in zip(drawn_visits(np.array(chances), 128, rng), holders, strict=True):
            groups[list(held_by)] += count / len(held_by)
        drawn.append(groups.max())
    with_copies, without = (
        float(np.asarray(uneven_group(block(64, 6), load, 128.0, groups=8, redundant_experts=spare)[0]))
        for spare in (16, 0)
    )
    # Above the draws, which split an expert's tokens over its copies evenly, where the form draws each copy by itself.
    assert np.mean(drawn) * 0.97 < with_copies < np.mean(drawn) * 1.08
    assert with_copies < without


@pytest.mark.parametrize("tokens", [1.0, 7.0, 300.0])
@pytest.mark.parametrize("groups", [1, 8, 64])
def test_no_skew_is_the_default(groups: int, tokens: float) -> None:
    even = block(64, 6)
    skewless = dataclasses.replace(even, load=ExpertLoad(name="zipf:0"))
    layout = Layout(dp=groups, ep=groups)
    found, expected = (busiest_group(one, tokens, layout, 1.0) for one in (skewless, even))
    # Sums over experts, in place of a product.
    assert found == pytest.approx(expected, rel=1e-9)


def test_more_skew_is_never_lighter() -> None:
    experts = next(
        group.feed_forward
        for group in load_model("deepseek-v3").groups
        if isinstance(group.feed_forward, RoutedExperts)
    )
    tokens = np.geomspace(1, 1e5, 30)
    before = np.zeros(30)
    for skew in (0.0, 0.2, 0.5, 1.0, 2.0):
        load = ExpertLoad(name="zipf", skew=skew)
        visits, touched = uneven_group(experts, load, tokens, groups=32, redundant_experts=0)
        assert (np.asarray(visits) >= before - 1e-9).all()
        assert (np.asarray(touched) <= np.asarray(visits) + 1e-9).all()
        before = np.asarray(visits)
