from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from ridgeline.catalog.quotes import quote
from ridgeline.errors import RidgelineError
from ridgeline.inversion.price import DEEPSEEKS_DAY, Pricing
from ridgeline.verbs import plan, price

MODEL, MACHINE = "llama-3.1-8b", "h100-sxm"
ASKED: dict[str, Any] = {"prompt_tokens": 2000, "output_tokens": 500, "tpot_s": 0.05, "chips": 1}
LISTED = "groq/llama-3.1-8b-instant"


@pytest.fixture(scope="module")
def priced() -> Pricing:
    return price(MODEL, MACHINE, **ASKED, against=LISTED)


def test_chips_at_work_are_the_plans(priced: Pricing) -> None:
    """One formula in one place: the same numbers as ``ridgeline plan``'s."""
    best = plan(MODEL, MACHINE, **ASKED).plans[0]
    (work, *_) = priced.stack
    assert work.usd_per_input_token == pytest.approx(best.usd_per_input_token)
    assert work.usd_per_output_token == pytest.approx(best.usd_per_output_token)


def test_parts_add_up_to_the_lines(priced: Pricing) -> None:
    for side, line in (("input", "input_with_hits"), ("output", "output")):
        whole = sum(getattr(part, f"usd_per_{side}_token") for part in priced.stack)
        assert whole == pytest.approx(priced.usd_per_token[line])
    # No chip of the budget idles, so that only the day's idle hours and failures come on top.
    work = priced.stack[0].usd_per_output_token
    assert priced.usd_per_token["output"] == pytest.approx(work / DEEPSEEKS_DAY / (1 - priced.lost_fraction))


def test_modes_that_fill_idle_hours_cost_less_and_fast_ones_more(priced: Pricing) -> None:
    """Of a whole request; 1 %: the planner takes no larger batch that saves less."""
    costs = priced.usd_per_token
    batch, flex, fast = (
        2000 * costs[f"{one}_input"] + 500 * costs[f"{one}_output"] for one in ("batch", "flex", "fast")
    )
    plain = 2000 * costs["input"] + 500 * costs["output"]
    assert batch <= 1.01 * flex < plain < fast
    assert priced.fast_tpot_s is not None
    assert priced.fast_tpot_s <= priced.operating.tpot_s / 2.5


def test_the_mix_is_billed_as_the_list_says(priced: Pricing) -> None:
    (listed,) = priced.against
    prices = quote(LISTED).prices
    assert listed.mix.usd_per_request == pytest.approx(2000 * prices.input + 500 * prices.output)
    assert listed.mix.cost_usd_per_request == pytest.approx(listed.curve[0].cost_usd_per_request)
    for point in listed.curve:
        assert point.margin_fraction == pytest.approx(1 - point.cost_usd_per_request / point.usd_per_request)


def test_own_chips_break_even_where_both_bills_are_one(priced: Pricing) -> None:
    (listed,) = priced.against
    even = listed.break_even
    assert even.tokens_per_day is not None
    assert even.tokens_per_day * even.paid_usd_per_token == pytest.approx(even.usd_per_day)
    assert even.tokens_per_day <= even.most_tokens_per_day
    assert even.own_usd_per_token <= even.paid_usd_per_token


def test_where_own_chips_cost_more_even_when_full_it_is_said() -> None:
    found = price(MODEL, MACHINE, **ASKED, against=LISTED, usd_per_chip_s=1.0)
    even = found.against[0].break_even
    assert even.tokens_per_day is None
    assert even.own_usd_per_token > even.paid_usd_per_token


def test_hits_save_what_is_not_computed() -> None:
    """At most: a token that is found still comes back, and those behind it are attended to all the same."""
    none, half = (price(MODEL, MACHINE, **ASKED, hit_fraction=part) for part in (0.0, 0.5))
    saved = half.usd_per_token["input_with_hits"] / none.usd_per_token["input_with_hits"]
    assert 0.5 <= saved < 0.7
    assert half.usd_per_token["cached_input"] < 0.01 * half.usd_per_token["input"]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RidgelineError, match=r"--utilisation 1\.2 must be"):
        price(MODEL, MACHINE, **ASKED, utilisation_fraction=1.2)
    with pytest.raises(RidgelineError, match="2 layouts for 1 pools"):
        price(MODEL, MACHINE, **ASKED, layout=("tp1", "tp1"))
    with pytest.raises(RidgelineError, match="--layout tp2 does not serve this"):
        price(MODEL, MACHINE, **ASKED, layout="tp2")
    with pytest.raises(RidgelineError, match="near are"):
        price(MODEL, MACHINE, **ASKED, against="groq/llama-3.1-8b")


def test_what_is_owned_has_its_own_lines() -> None:
    """The same chips at work as rented ones at the price that their parts add up to, with electricity beside them."""
    asked = {**ASKED, "electricity_usd_per_j": 0.08 / 3.6e6}
    own = price(MODEL, MACHINE, **asked, is_owned=True)
    rented = price(MODEL, MACHINE, **asked, usd_per_chip_s=own.served.usd_per_chip_s)
    parts = {part.name: part.usd_per_output_token for part in own.stack}
    assert list(parts)[:5] == ["chips at work", "host", "network", "room and staff", "electricity"]
    # The plan counts electricity among the cost that it minimises, so that batches may part by a little.
    at_work = sum(usd for name, usd in parts.items() if name in {"chips at work", "host", "network", "room and staff"})
    assert at_work == pytest.approx(rented.stack[0].usd_per_output_token, rel=0.02)
    with pytest.raises(RidgelineError, match="add --electricity"):
        price(MODEL, MACHINE, **ASKED, is_owned=True)
    with pytest.raises(RidgelineError, match="what mi300x costs to own is not known"):
        price(MODEL, "mi300x", **asked, is_owned=True)


def test_a_load_keeps_chips_idle(priced: Pricing) -> None:
    """With a queue to keep short, the same tokens take more chip-time; all else of the stack is as it was."""
    loaded = price(MODEL, MACHINE, **{**ASKED, "ttft_s": 0.3, "chips": None}, requests_per_s=3.0)
    names = [part.name for part in loaded.stack]
    assert names == [*(part.name for part in priced.stack[:2]), "idle for latency", "idle hours", "failed work"]
    assert all(dataclasses.astuple(part)[2] >= 0 for part in loaded.stack)
