from __future__ import annotations

import datetime as dt

import pytest

from ridgeline.caching.memory_wall import memory_bought, memory_taken
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.memory_costs import memory_shares, sold_machines
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.parameters import kv_bytes_held


def test_short_contexts_leave_memory_over_and_long_ones_do_not_fit() -> None:
    """The lecture at once misses memory and has too much of it: which of both depends on the context."""
    found = memory_taken(load_model("deepseek-v3"), load_machine("gb200-nvl72"))
    assert found.weights_fraction == pytest.approx(0.05, rel=0.1)  # A20
    assert found.weights_fraction + found.short_fraction < 1 < found.long_fraction


def test_at_one_context_weights_and_a_balance_batch_fill_the_memory() -> None:
    model, machine = load_model("deepseek-v3"), load_machine("gb300-nvl72")
    found = memory_taken(model, machine)
    held = float(kv_bytes_held(model, deploy(model, machine).precision, found.full_tokens))
    assert found.weights_fraction + found.balance_batch * held / found.hbm_bytes == pytest.approx(1)
    assert memory_taken(model, load_machine("gh200")).full_tokens < 1  # whose memory holds not even the weights


def test_memorys_part_of_a_rack_rises_with_its_price_and_lies_near_the_published_one() -> None:
    sold = {one.of: one for one in sold_machines()}
    rack = load_machine("gb200-nvl72")
    before, after = (memory_bought(sold[rack.id], rack, dt.date(*day)) for day in ((2025, 9, 30), (2026, 6, 30)))
    # Published as 5 to 10 % of the rack, when DDR5 cost a third of what it does.
    assert 0.05 < before.fraction < 0.10 < after.fraction
    assert after.host_usd / before.host_usd == pytest.approx(2655 / 765)
    chip = load_machine("h100-sxm")
    alone = memory_bought(sold[chip.id], chip, dt.date(2026, 6, 30))
    assert alone.host_usd == 0
    assert alone.fraction == pytest.approx(chip.chip.hbm_bytes * 11e-9 / 30_000)


def test_shares_are_dated_and_lie_between_nothing_and_all() -> None:
    for one in memory_shares():
        assert 0 < one.low.value <= one.fraction < 1
        assert one.low.date.year >= 2026


def test_memorys_part_of_a_rack_has_grown() -> None:
    racks = {one.of: one.fraction for one in memory_shares() if one.what == "a rack to buy"}
    assert racks["vr200-nvl144"] > 2 * racks["gb200-nvl72"]
