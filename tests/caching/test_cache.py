from __future__ import annotations

import dataclasses
import math
from dataclasses import replace
from itertools import pairwise

import pytest

import ridgeline
from ridgeline.caching.cache import cache
from ridgeline.caching.found import Caching
from ridgeline.caching.links import carried_by_replica
from ridgeline.caching.loaded import like_whole_hits
from ridgeline.caching.tiers import HBM, RECOMPUTE
from ridgeline.errors import RidgelineError
from ridgeline.estimator.memory import sequence_cache_bytes
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.specs.workload import Workload


def asked(**changes: object) -> Caching:
    plain: dict[str, object] = {"context_tokens": 20_000, "hold_s": 300.0, "reuse": 0.3, "layout": "tp4"}
    return ridgeline.cache("llama-3.1-70b", "h100-sxm", **{**plain, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def found() -> Caching:
    return asked()


def again(found: Caching, **changes: object) -> Caching:
    return cache(dataclasses.replace(found.asked, **changes))  # type: ignore[arg-type]


def test_tiers_stand_by_what_holding_costs_and_recomputing_is_last(found: Caching) -> None:
    held = [one.usd_per_token_s_held for one in found.tiers]
    assert held == sorted(held, reverse=True)
    assert (found.tiers[0].tier, found.tiers[-1].tier, held[-1]) == (HBM, RECOMPUTE, 0.0)
    assert found.tiers[-1].break_even_s is None


def test_a_hit_is_bringing_back_and_its_part_of_writing_and_holding(found: Caching) -> None:
    for one in found.tiers:
        hold_usd = one.usd_per_token_s_held * 20_000 * 300
        assert one.usd_per_hit == pytest.approx(one.retrieve_usd + (one.write_usd + hold_usd) / 0.3)
        assert one.wear_usd <= one.write_usd


def test_at_a_break_even_two_tiers_cost_the_same(found: Caching) -> None:
    pairs = pairwise(found.tiers)
    between = [(one, other) for one, other in pairs if one.break_even_s and not math.isinf(one.break_even_s)]
    assert between
    for one, other in between:
        even = again(found, hold_s=one.break_even_s)
        assert even.held(one.tier).usd_per_hit == pytest.approx(even.held(other.tier).usd_per_hit)


def test_the_choice_is_the_envelopes(found: Caching) -> None:
    for hold_s in (0.01, 60.0, 3600.0, 1e7):
        one = again(found, hold_s=hold_s)
        (span,) = [span for span in one.envelope if span.from_s <= hold_s < span.to_s]
        assert one.choice == span.name
    assert again(found, hold_s=1e9).choice == RECOMPUTE


def test_a_context_that_is_never_used_again_is_not_worth_writing(found: Caching) -> None:
    assert again(found, reuse=1e-6).choice == RECOMPUTE


def test_minutes_are_too_short_for_flash_that_wears(found: Caching) -> None:
    """The lecture's rule takes flash for five minutes; a drive that was written anew so often would last a week."""
    assert (found.choice, found.choice_by_drain) == ("DDR", "flash")
    flash = found.held("flash")
    assert flash.wear_usd > 10 * flash.usd_per_token_s_held * 20_000 * 300


def test_recomputing_is_the_plans_price_of_a_token_that_is_read(found: Caching) -> None:
    (best,) = (
        one
        for one in ridgeline.plan("llama-3.1-70b", "h100-sxm", prompt_tokens=20_000, output_tokens=500).plans
        if str(one.layout) == "tp4"
    )
    assert best.usd_per_input_token is not None
    assert found.held(RECOMPUTE).usd_per_hit == pytest.approx(20_000 * best.usd_per_input_token)


def test_a_tier_is_late_where_it_reads_slower_than_the_machine(found: Caching) -> None:
    late = {one.tier for one in found.tiers if one.slower}
    assert late == {one.tier for one in found.tiers if one.retrieve_s > found.loaded.prefill_s} == {"disk"}
    quicker = again(found, owned=dataclasses.replace(found.asked.owned, devices_per_chip=100))
    assert not any(one.slower for one in quicker.tiers)


def test_slower_is_who_gives_a_later_first_token_under_load(found: Caching) -> None:
    """Where little is recomputed and all is read over one link, its queue counts, too."""
    often = again(found, reuse=50.0, hold_s=36_000.0)
    for of in (found, often):
        later = {one.tier for one in of.tiers if one.ttft_s > of.held(RECOMPUTE).ttft_s}
        assert {one.tier for one in of.tiers if one.slower} == later
    disk = often.held("disk")
    assert disk.link_wait_s > found.held("disk").link_wait_s > 0
    assert found.held(HBM).link_wait_s == 0


def test_a_limit_on_the_first_token_leaves_out_what_is_late(found: Caching) -> None:
    day = {"hold_s": 3600.0 * 24, "reuse": 5.0}
    free = again(found, **day)
    slow = free.held(free.choice)
    most_s = slow.ttft_s - slow.retrieve_s / 10
    limited = again(found, **day, ttft_s=most_s)
    assert limited.held(limited.choice).ttft_s <= most_s
    assert limited.held(limited.choice).usd_per_hit >= slow.usd_per_hit
    with pytest.raises(RidgelineError, match="allow more --ttft"):
        again(found, ttft_s=1e-3)


def test_memory_goes_to_prefixes_where_they_come_back_soon(found: Caching) -> None:
    assert found.hbm.share_fraction == 0
    soon = again(found, hold_s=2.0, reuse=1.0).hbm
    assert 0 < soon.share_fraction < 1
    assert soon.requests_per_s > soon.requests_per_s_without
    assert soon.all_kept_fraction > found.hbm.all_kept_fraction


def test_the_least_of_stores_network_and_chips_binds(found: Caching) -> None:
    pools = again(found, pools=2, layout=None).two_pools
    assert pools is not None
    assert any("two pools take the best layouts" in note for note in again(found, pools=2).notes)
    for one in pools.stores:
        assert one.headroom * pools.requests_per_s == pytest.approx(
            min(one.prompts_requests_per_s, one.tokens_requests_per_s, pools.network_requests_per_s)
        )
        carried = {
            "chips": pools.requests_per_s,
            "network": pools.network_requests_per_s,
            "prompts' store": one.prompts_requests_per_s,
            "tokens' store": one.tokens_requests_per_s,
        }
        assert carried[one.binds] == min(carried.values())


def test_each_chip_of_a_pool_reads_back_its_own_part_copies_too() -> None:
    deployment = ridgeline.deploy("deepseek-v3", "h200-sxm", "tp8")
    on_chip = float(sequence_cache_bytes(deployment, 32_000))
    assert on_chip == pytest.approx(kv_bytes_held(deployment.model, deployment.precision, 32_000.0))  # a latent a token
    once = carried_by_replica(deployment, bytes_per_s=54e9, bytes_on_chip=on_chip)
    assert once == pytest.approx(54e9 / on_chip)  # eight chips read eight copies
    apart = ridgeline.deploy("deepseek-v3", "h200-sxm", "ep8,dp8")
    assert carried_by_replica(apart, bytes_per_s=54e9, bytes_on_chip=on_chip) == pytest.approx(8 * once)
    assert carried_by_replica(apart, bytes_per_s=54e9, bytes_on_chip=0.0) == math.inf


def test_a_store_that_hardly_reads_binds(found: Caching) -> None:
    slow = dict(found.asked.devices)
    disk = slow["disk-30tb"]
    rate = replace(disk.bytes_per_s, value=1e6)
    slow["disk-30tb"] = replace(disk, bytes_per_s=rate)
    pools = again(found, pools=2, layout=None, devices=slow).two_pools
    assert pools is not None
    assert {one.tier: one.binds for one in pools.stores}["disk"] == "prompts' store"


def test_ratios_of_prices_do_not_depend_on_the_margin(found: Caching) -> None:
    low, high = (again(found, margin_fraction=margin).prices for margin in (0.0, 0.8))
    assert [one.over_input for one in low.written] == [one.over_input for one in high.written]
    assert high.input_usd_per_token == pytest.approx(5 * low.input_usd_per_token)
    assert low.input_usd_per_token * 20_000 == pytest.approx(found.held(RECOMPUTE).usd_per_hit)


def test_lists_are_read_as_they_are(found: Caching) -> None:
    opus = next(one for one in found.prices.lists if one.model == "Claude Opus 5.5")
    ratios = (opus.write_5min_over_input, opus.write_1h_over_input, opus.hit_over_input)
    assert ratios == pytest.approx((1.25, 2.0, 0.05))
    assert opus.storage_usd_per_token_s == pytest.approx(3.27e-6 / 3600, rel=0.01)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hold_s": 0.0}, "--hold 0 s must be above 0"),
        ({"hold_s": math.inf}, "--hold inf s must be above 0 and at most 3.2e.09 s"),
        ({"hold_s": 1e300, "reuse": 1e300}, "--hold 1e.300 s must be above 0 and at most"),
        ({"reuse": 1e300}, "--reuse 1e.300 must be above 0 and at most 1e.09"),
        ({"life_s": 0.0}, "--life 0 s must be above 0"),
        ({"devices_per_chip": 0}, "--devices 0 must be 1 or more"),
        ({"usd_per_chip_s": 0.0}, "a price of 0 a chip"),
        ({"device_usd": {"tape": 1.0}}, "no storage device 'tape' to give a price"),
        ({"device_usd": {"ddr": 0.0}}, "must be above 0"),
        ({"reuse": 0.0}, "never used again"),
        ({"margin_fraction": 1.0}, "write --margin 0.6"),
        ({"tiers": ("optane",)}, "no storage device 'optane' in the catalog; there are ddr, tlc, qlc"),
        ({"tiers": ("flash-qlc-123tb",)}, "has no price"),
        ({"context_tokens": 3_000_000}, "a shorter --context"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(changes: dict[str, object], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        asked(**changes)


def test_a_machine_without_a_price_needs_one() -> None:
    with pytest.raises(RidgelineError, match="no price of vr200-nvl144 is listed"):
        ridgeline.cache("llama-3.1-70b", "vr200-nvl144", context_tokens=10_000, hold_s=300, reuse=1)


def test_requests_that_find_their_context_are_finished_sooner_up_to_the_tiers_bandwidth(found: Caching) -> None:
    chips = [one for one in found.tiers if one.limited_by == "chips" and one.tier != RECOMPUTE]
    assert {one.tier for one in chips} >= {"DDR", "flash"}
    for one in chips:
        assert one.requests_per_s == found.cached.requests_per_s > found.loaded.requests_per_s
    disk = found.held("disk")
    limits = {"reading": disk.fetches_per_s / found.cached.found_fraction}  # type: ignore[operator]
    limits["writing"] = disk.writes_per_s / (1 - found.cached.found_fraction)  # type: ignore[operator]
    assert disk.requests_per_s == min(limits.values())
    assert disk.limited_by == min(limits, key=lambda name: limits[name])
    assert disk.overloaded == (disk.requests_per_s < found.loaded.requests_per_s)


def test_room_is_taken_by_what_comes_in_the_hold_time(found: Caching) -> None:
    ddr, longer = found.held("DDR"), again(found, hold_s=3000.0).held("DDR")
    assert ddr.taken_fraction is not None
    new_bytes_per_s = (1 - found.cached.found_fraction) * ddr.requests_per_s * found.kv_bytes
    assert ddr.taken_fraction == pytest.approx(new_bytes_per_s * 300 / (4 * 192e9))  # of four chips, 192 GB each
    assert longer.taken_fraction == pytest.approx(10 * ddr.taken_fraction)
    assert found.held(HBM).taken_fraction is found.held("object store").taken_fraction is None
    owned = dataclasses.replace(found.asked.owned, devices_per_chip=2)
    assert again(found, owned=owned).held("DDR").taken_fraction == pytest.approx(ddr.taken_fraction / 2)


def test_without_load_a_first_token_waits_for_no_other_request(found: Caching) -> None:
    """A hit is then read back and the rest computed; what is under load adds queues and other requests' steps."""
    for one in found.tiers:
        assert one.idle_ttft_s < one.ttft_s
        assert one.tier == RECOMPUTE or one.retrieve_s < one.idle_ttft_s
    ddr, again_s = found.held("DDR"), found.held(RECOMPUTE).idle_ttft_s
    assert ddr.idle_ttft_s - ddr.retrieve_s == found.held(HBM).idle_ttft_s
    assert again_s <= found.loaded.prefill_s
    assert ddr.idle_ttft_s < again_s


def test_a_hit_waits_for_less_and_computes_the_last_token(found: Caching) -> None:
    hbm, again_s = found.held(HBM), found.held(RECOMPUTE).ttft_s
    assert hbm.ttft_s == found.cached.wait_s + found.cached.last_pass_s
    assert 0 < found.cached.last_pass_s < found.loaded.prefill_s
    assert hbm.ttft_s < found.held("DDR").ttft_s < again_s
    often = again(found, reuse=20.0)
    assert often.cached.wait_s < found.cached.wait_s
    assert often.cached.requests_per_s > found.cached.requests_per_s


def test_a_tier_read_as_fast_as_recomputing_makes_cache_is_no_sooner(found: Caching) -> None:
    """The rate that is said to be the least: a disk that reads at it takes as long as the prefill."""
    devices = dict(found.asked.devices)
    rate = replace(devices["disk-30tb"].bytes_per_s, value=found.recompute_bytes_per_s)
    devices["disk-30tb"] = replace(devices["disk-30tb"], bytes_per_s=rate, latency_s=None)
    assert again(found, devices=devices).held("disk").retrieve_s == pytest.approx(found.loaded.prefill_s)


def test_without_wear_flash_begins_sooner(found: Caching) -> None:
    pair = found.break_even("DDR", "flash")
    assert 0 < pair.without_wear_s < pair.break_even_s
    assert found.break_even("flash", "DDR") == pair


def test_whole_contexts_that_are_found_save_more_than_a_part_of_each(found: Caching) -> None:
    """The end of a context attends to all before it: a third of each is its cheap beginning."""
    deployment = found.loaded.deployment
    workload = Workload(prompt_tokens=100_000, output_tokens=500)
    like = like_whole_hits(deployment, workload, found_fraction=1 / 3)
    assert 1 / 3 < like.hit_fraction < 0.6
    assert like_whole_hits(deployment, workload, found_fraction=0.0).hit_fraction < 2e-3  # a halving's width


def test_memory_for_prefixes_holds_what_comes_while_it_waits(found: Caching) -> None:
    """Little's law: new contexts a second, for as long as each is kept, fill the share."""
    hbm, long_held = again(found, hold_s=5.0, reuse=2.0).hbm, again(found, hold_s=500.0, reuse=2.0).hbm
    new, found_again = 1 / 3, 2 / 3
    assert 0 < hbm.hit_fraction <= found_again
    assert long_held.all_kept_fraction < 1
    room_contexts = long_held.all_kept_fraction * new * long_held.requests_per_s_without * 500.0
    kept_contexts = new * hbm.requests_per_s * hbm.hit_fraction / found_again * 5.0
    assert hbm.share_fraction * room_contexts == pytest.approx(kept_contexts, rel=0.01)  # steps of the search
