from __future__ import annotations

import datetime as dt

import pytest

from ridgeline.caching.tiers import LIFE_S, Ownership, bought_tier, hbm_tier, offered, tier_of
from ridgeline.catalog import load_machine
from ridgeline.catalog.storage import storage_device, storage_devices
from ridgeline.errors import RidgelineError

H100 = load_machine("h100-sxm")


def test_a_byte_of_the_chips_memory_is_its_part_of_the_chip() -> None:
    tier = hbm_tier(H100, 2 / 3600)
    assert tier.hold_usd_per_byte_s * H100.chip.hbm_bytes == pytest.approx(2 / 3600)
    assert tier.drain_s == pytest.approx(0.0255, rel=0.01)


def test_a_byte_of_a_drive_is_its_part_of_the_drive() -> None:
    tier = bought_tier(storage_device("flash-tlc-31tb"), "flash")
    assert tier.hold_usd_per_byte_s * LIFE_S * 30.72e12 == pytest.approx(11_000)
    assert tier.wear_usd_per_byte * 56.064e15 == pytest.approx(11_000)
    assert tier.read_usd_per_byte / tier.hold_usd_per_byte_s == pytest.approx(tier.drain_s)


def test_more_drives_read_faster_up_to_the_link_and_cost_no_more_a_byte_before() -> None:
    one, two, ten = (
        tier_of(storage_device("flash-tlc-31tb"), "flash", "x", H100, Ownership(devices_per_chip=count))
        for count in (1, 2, 10)
    )
    assert two.bytes_per_s == 2 * one.bytes_per_s
    assert (two.read_usd_per_byte, two.hold_usd_per_byte_s) == pytest.approx(
        (one.read_usd_per_byte, one.hold_usd_per_byte_s)
    )
    assert ten.bytes_per_s == 54e9  # what a chip copies over PCIe 5
    assert ten.read_usd_per_byte > one.read_usd_per_byte


def test_electricity_is_paid_beside_the_device() -> None:
    plain = bought_tier(storage_device("flash-tlc-31tb"), "flash")
    paid = bought_tier(storage_device("flash-tlc-31tb"), "flash", owned=Ownership(electricity_usd_per_j=0.08 / 3.6e6))
    more_usd = (paid.hold_usd_per_byte_s - plain.hold_usd_per_byte_s) * 30.72e12
    assert more_usd == pytest.approx(18 * 0.08 / 3.6e6)


def test_a_machine_is_offered_its_own_memory_in_place_of_the_usual() -> None:
    names = {machine: set(offered(storage_devices(), load_machine(machine))[0]) for machine in ("h100-sxm", "gh200")}
    assert "ddr5-over-pcie" in names["h100-sxm"]
    assert {one for one in names["gh200"] if storage_device(one).tier == "DDR"} == {"lpddr5x-gh200"}


def test_old_prices_are_left_out_with_the_reason_and_taken_at_their_time() -> None:
    now, notes = offered(storage_devices(), H100)
    assert "flash-qlc-61tb" not in now
    assert any("flash-qlc-61tb" in note and "2024-01-15" in note for note in notes)
    then, notes = offered(storage_devices(), H100, dt.date(2024, 6, 30))
    assert set(then) == {"flash-qlc-61tb"}
    assert any("s3-express" in note and "no price up to 2024-06-30" in note for note in notes)


def test_a_device_without_a_price_is_refused() -> None:
    with pytest.raises(RidgelineError, match="has no price"):
        bought_tier(storage_device("flash-qlc-123tb"), "flash")
