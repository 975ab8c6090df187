from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from ridgeline.catalog.quotes import quote
from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.estimator.parameters import kv_bytes_per_token, weight_bytes
from ridgeline.inversion.items import FAST_TPOT_S
from ridgeline.inversion.pools import kept_by_stages
from ridgeline.inversion.price import DEEPSEEKS_DAY, Pricing
from ridgeline.planner.outcome import Constraint
from ridgeline.specs.demand import Demand
from ridgeline.verbs import TPOT_S, plan, plan_two_pools, price

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
        price(MODEL, MACHINE, **ASKED, pools=1, layout=("tp1", "tp1"))
    with pytest.raises(RidgelineError, match="--layout tp2 does not serve this"):
        price(MODEL, MACHINE, **ASKED, layout="tp2")
    with pytest.raises(RidgelineError, match="near are"):
        price(MODEL, MACHINE, **ASKED, against="groq/llama-3.1-8b")
    with pytest.raises(RidgelineError, match="made for 131,072; write --prompt 130,572 or less"):
        price(MODEL, MACHINE, **{**ASKED, "prompt_tokens": 131_000})
    with pytest.raises(UnservedError, match=r"the fastest token takes .* relax --tpot"):
        price(MODEL, MACHINE, **{**ASKED, "tpot_s": 1e-3})
    with pytest.raises(UnservedError, match="two pools need 2 chips"):
        price(MODEL, MACHINE, **ASKED, pools=2)


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
    assert names == [priced.stack[0].name, "idle for latency", "idle hours", "failed work"]
    assert all(dataclasses.astuple(part)[2] >= 0 for part in loaded.stack)


def test_a_load_pays_for_its_chips_all_day_and_for_nothing_twice() -> None:
    """Whatever fills them: the rent of the chips for the busiest hour over the requests of the mean."""
    rate = 0.01
    found = price(MODEL, MACHINE, **ASKED, requests_per_s=rate, usd_per_chip_s=1e-3)
    assert found.load is not None
    assert found.load.operating.chips == 1
    assert found.usd_per_request == pytest.approx(1e-3 / rate / (1 - found.lost_fraction))
    # Each side pays what the plan for the busiest hour charges it.
    (best,) = plan(
        MODEL, MACHINE, **ASKED, usd_per_chip_s=1e-3, demand=Demand(requests_per_s=rate / DEEPSEEKS_DAY)
    ).plans
    paid = [part for part in found.stack if part.name in {"chips at work", "idle for latency"}]
    assert sum(part.usd_per_input_token for part in paid) == pytest.approx(best.usd_per_input_token)
    assert sum(part.usd_per_output_token for part in paid) == pytest.approx(best.usd_per_output_token)
    # A replica that is full serves what the plan without a load says.
    full = price(MODEL, MACHINE, **ASKED, pools=1).operating
    assert found.load.filled_fraction == pytest.approx(rate / full.requests_per_s)


def test_tokens_of_long_prompts_are_made_by_as_many_as_memory_holds() -> None:
    """Of what the weights leave of the memory 60 to 100 %: the engine keeps a tenth of all for itself."""
    found = price(MODEL, MACHINE, **ASKED)
    long, deployment = found.long_prompts, found.served.deployment
    assert long is not None
    assert (long.layout, long.limited_by) == ("tp1", Constraint.MEMORY)
    # What is beside the weights, without the parameters' own rounding.
    left_bytes = deployment.machine.chip.hbm_bytes - weight_bytes(deployment.model, deployment.precision)
    kept_bytes = long.batch * long.prompt_tokens * kv_bytes_per_token(deployment.model, deployment.precision)
    assert 0.6 * left_bytes < kept_bytes < left_bytes
    assert long.tpot_s <= 0.05
    # By hand: so many tokens a step of the chip, and idle hours and failures on top.
    usd = found.served.usd_per_chip_s * long.tpot_s / long.batch
    by_hand = usd / DEEPSEEKS_DAY / (1 - found.lost_fraction)
    # The first token comes from the prompt, so that an answer takes a step less than it has tokens.
    assert found.usd_per_token["output_above"] == pytest.approx(by_hand, rel=0.01)
    assert found.usd_per_token["input_above"] > found.usd_per_token["input"]


def test_no_line_of_long_prompts_is_shorter_than_the_prompt() -> None:
    found = price(MODEL, MACHINE, **{**ASKED, "prompt_tokens": 130_572, "tpot_s": None})
    assert found.long_prompts is None
    assert "input_above" not in found.usd_per_token


def test_a_step_beyond_the_models_context_is_said() -> None:
    """Gemini steps at 200,000, and Llama goes to 131,072."""
    found = price(MODEL, MACHINE, **ASKED, against="google/gemini-2.5-pro")
    assert any("held against the price below that step" in note for note in found.notes)
    lines = {line.name: line.usd_per_token for line in found.against[0].lines}
    assert lines["input_above"] == lines["input"]


def test_without_a_limit_tokens_are_no_dearer_and_a_fast_mode_is_fast_all_the_same() -> None:
    """1 %: without a limit the planner takes no larger batch that saves less."""
    asked = {**ASKED, "output_tokens": 2000}
    del asked["tpot_s"]
    usual, free = price(MODEL, MACHINE, **asked), price(MODEL, MACHINE, **asked, tpot_s=None)
    assert usual.served.workload.tpot_s == TPOT_S
    assert usual.operating.tpot_s <= TPOT_S
    assert free.usd_per_request <= 1.01 * usual.usd_per_request
    for one in (usual, free):
        assert one.fast_tpot_s is not None
        assert one.fast_tpot_s <= min(one.operating.tpot_s / 2.5, FAST_TPOT_S)


def test_costs_have_ends_by_times_and_by_rents(priced: Pricing) -> None:
    """At a price that is given only times are open; else the year's cheapest and dearest chips are the ends, too."""
    given = price(MODEL, MACHINE, **ASKED, usd_per_chip_s=priced.served.usd_per_chip_s).costs["output"]
    point, known = priced.operating, priced.costs["output"]
    assert given.low_usd / given.usd == pytest.approx(point.tpot_low_s / point.tpot_s)
    assert given.high_usd / given.usd == pytest.approx(point.tpot_high_s / point.tpot_s)
    assert known.usd == pytest.approx(given.usd)
    assert known.high_usd / given.high_usd == pytest.approx(priced.served.rents[1])
    assert known.low_usd < given.low_usd
    assert all(one.low_usd <= one.usd <= one.high_usd for one in priced.costs.values())


def test_the_cheaper_of_one_pool_and_two_is_taken() -> None:
    """2 %: less is alike to anybody's model of time, and one pool is simpler."""
    asked = {**ASKED, "chips": 4}
    each = [price(MODEL, MACHINE, **asked, pools=pools).usd_per_request for pools in (1, 2)]
    left_open = price(MODEL, MACHINE, **asked)
    assert left_open.usd_per_request <= 1.021 * min(each)
    assert left_open.served.pools in {1, 2}


def test_two_pools_that_their_stages_keep_from_being_taken_are_named(priced: Pricing) -> None:
    one = priced.operating
    staged = dataclasses.replace(one, layout="pp2/tp2,pp3", stages=3)
    (note,) = kept_by_stages(staged, one, 0.07)
    # 5 % for each doubling, of 3 stages 8 %, beside the 2 % that any second pool has to save.
    assert "(pp2/tp2,pp3, --pools 2) costs 7 % less" in note
    assert note.endswith(
        "with 3 pipeline stages, of which no run was ever measured, two pools are taken from 9 % less on"
    )
    assert not kept_by_stages(staged, one, 0.01)
    assert not kept_by_stages(one, one, 0.07)


def test_the_chips_of_each_pool_are_paid_by_its_own_tokens() -> None:
    """As ``ridgeline plan --pools 2`` charges them; beside them chips of the budget that neither pool takes."""
    asked = {**ASKED, "chips": 5}
    (best, *_) = plan_two_pools("llama-3.1-70b", MACHINE, **asked).plans
    found = price("llama-3.1-70b", MACHINE, **asked, pools=2)
    (work, idle, *_) = found.stack
    at, spare = found.operating, best.paid_chip_s_per_request * best.requests_per_s / best.chips
    assert (work.name, idle.name) == ("chips at work", "idle chips")
    for side, waits_usd in (("input", at.input_waiting_usd), ("output", at.output_waiting_usd)):
        worked, idled = (getattr(part, f"usd_per_{side}_token") for part in (work, idle))
        usd = getattr(best, f"usd_per_{side}_token")
        assert worked + waits_usd == pytest.approx(usd)
        assert worked + idled == pytest.approx(usd * spare)
    # Prompts wait for tokens, which wait for nothing, and one chip is left.
    assert best.prefill.busy_fraction < 0.5
    assert (best.decode.busy_fraction, best.idle_chips) == (1.0, 1)
    assert at.input_waiting_usd > at.input_usd


def test_a_fast_mode_is_compared_where_a_speed_is_promised() -> None:
    """Opus 5's page says 2.5 times; of Opus 5.5's fast mode, and of OpenAI's priority tier, no speed is known."""
    asked = {**ASKED, "against": ("anthropic/claude-opus-5", "anthropic/claude-opus-5-5", "openai/gpt-5")}
    found = price(MODEL, MACHINE, **asked)
    compared = [one.listing for one in found.against if any(line.name == "fast_output" for line in one.lines)]
    assert compared == ["anthropic/claude-opus-5"]
    assert any("claude-opus-5-5: its fast mode promises no speed" in note for note in found.notes)
