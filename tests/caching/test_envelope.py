from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.caching.envelope import CostLine, between, cheapest, envelope, nearest_drain, spans_by_drain

USD = st.floats(min_value=1e-9, max_value=1e3)
LINES = st.lists(st.tuples(USD, USD), min_size=1, max_size=8).map(
    lambda pairs: [CostLine(name=str(at), once_usd=once, hold_usd_per_s=hold) for at, (once, hold) in enumerate(pairs)]
)


@given(LINES, st.floats(min_value=1e-6, max_value=1e9))
def test_the_envelope_is_the_least_of_all_lines(lines: list[CostLine], held_s: float) -> None:
    (span,) = [one for one in envelope(lines) if one.from_s <= held_s < one.to_s]
    chosen = next(line for line in lines if line.name == span.name)
    least = min(float(line.cost_usd(held_s)) for line in lines)
    assert float(chosen.cost_usd(held_s)) == pytest.approx(least, rel=1e-9)


@given(LINES)
def test_spans_follow_each_other_without_a_gap_and_hold_for_less_and_less(lines: list[CostLine]) -> None:
    spans = envelope(lines)
    assert spans[0].from_s == 0
    assert math.isinf(spans[-1].to_s)
    holds = {line.name: line.hold_usd_per_s for line in lines}
    for one, other in pairwise(spans):
        assert one.to_s == other.from_s
        assert holds[other.name] < holds[one.name]


@given(LINES)
def test_at_a_break_even_both_cost_the_same(lines: list[CostLine]) -> None:
    dearer, cheaper = max(lines, key=lambda one: one.hold_usd_per_s), min(lines, key=lambda one: one.hold_usd_per_s)
    even_s = between(dearer, cheaper)
    if 0 < even_s < math.inf:
        assert float(dearer.cost_usd(even_s)) == pytest.approx(float(cheaper.cost_usd(even_s)))


def test_what_is_dearer_at_once_and_holds_for_no_less_never_wins() -> None:
    near = CostLine(name="near", once_usd=1, hold_usd_per_s=1)
    far = CostLine(name="far", once_usd=2, hold_usd_per_s=1)
    assert (between(near, far), between(far, near)) == (math.inf, 0.0)
    assert cheapest([near, far], 1e9) is near


@pytest.mark.slow
@given(
    st.dictionaries(st.text(min_size=1), st.floats(min_value=1e-3, max_value=1e6), min_size=1, max_size=6),
    st.floats(min_value=1e-4, max_value=1e7),
)
def test_the_lectures_rule_is_the_same_at_a_time_and_over_times(drains_s: dict[str, float], held_s: float) -> None:
    near = nearest_drain(drains_s, held_s)
    spans = {span.name: span for span in spans_by_drain(drains_s)}
    edges = [edge for span in spans.values() for edge in (span.from_s, span.to_s)]
    if all(not math.isclose(held_s, edge) for edge in edges) and len(set(drains_s.values())) == len(drains_s):
        assert spans[near].from_s <= held_s <= spans[near].to_s
