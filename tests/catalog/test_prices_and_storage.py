from __future__ import annotations

import datetime as dt

import pytest
from pydantic import TypeAdapter

from ridgeline.catalog import CatalogError
from ridgeline.catalog.fast_modes import fast_modes
from ridgeline.catalog.list_prices import list_price, list_prices
from ridgeline.catalog.machines import machine_ids
from ridgeline.catalog.storage import StorageDevice, link_bytes_per_s, price_at, storage_device, storage_devices
from ridgeline.equations.caching import drain_time_s

HOUR_S = 3600


def test_all_list_prices_read_and_step_up() -> None:
    for price in list_prices().values():
        assert 0 < price.input < price.output
        assert price.source
        if price.threshold_tokens is not None:
            assert price.of("input_above") > price.input
            assert price.of("output_above") > price.output


@pytest.mark.parametrize(
    ("device", "drain_s"),
    [
        ("hbm3e-stack", 0.0305),
        ("hbm4-stack", 0.0176),
        ("ddr5-socket", 2.5),
        ("ddr5-over-pcie", 3.6),
        ("lpddr5x-gh200", 1.25),
        ("lpddr5x-gb200", 1.25),
        ("lpddr5x-vr200", 1.25),
        ("cxl-256gb", 7.1),
        ("ddr5-over-rdma", 8.1),
        ("flash-tlc-8tb", 9.1 * 60),
        ("flash-tlc-31tb", 36.6 * 60),
        ("flash-qlc-61tb", 2.44 * HOUR_S),
        ("flash-qlc-123tb", 4.6 * HOUR_S),
        ("disk-30tb", 29.8 * HOUR_S),
    ],
)
def test_drain_times(device: str, drain_s: float) -> None:
    """2 %: written with two digits."""
    found = storage_device(device)
    computed = drain_time_s(capacity_bytes=found.capacity(), bytes_per_s=found.bytes_per_s.value)
    assert computed == pytest.approx(drain_s, rel=0.02)


def test_each_device_has_a_drain_time_here() -> None:
    (marks,) = (mark for mark in test_drain_times.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]
    bought = {key for key, device in storage_devices().items() if device.capacity_bytes is not None}
    assert {device for device, _ in marks.args[1]} == bought


def test_what_is_not_there_is_refused_with_what_is() -> None:
    with pytest.raises(CatalogError, match="has no cache_write_1h"):
        list_price("gemini-3-1-pro").of("cache_write_1h")
    with pytest.raises(CatalogError, match=r"there are .*claude-opus-4-5"):
        list_price("claude")
    with pytest.raises(CatalogError, match=r"there are .*disk-30tb"):
        storage_device("tape")


def test_each_tier_has_a_device_with_a_price_and_slower_ones_are_cheaper_a_byte() -> None:
    per_byte: dict[str, float] = {}
    for one in storage_devices().values():
        price = price_at(one, dt.date(2026, 3, 31))
        if price is not None:
            per_byte[one.tier] = max(per_byte.get(one.tier, 0.0), price.value / one.capacity())
    assert per_byte["DDR"] > per_byte["flash"] > per_byte["disk"]


def test_prices_of_memory_moved_three_and_a_half_times_within_a_year() -> None:
    """Counterpoint and CFM for DDR5, desifounder for flash; 10 %: of ranges the middle is taken."""
    for device, earlier in (("ddr5-over-pcie", dt.date(2025, 9, 30)), ("flash-tlc-31tb", dt.date(2025, 6, 30))):
        old, new = price_at(storage_device(device), earlier), price_at(storage_device(device))
        assert old is not None
        assert new is not None
        assert new.value / old.value == pytest.approx(3.5, rel=0.1)
        assert (new.date - old.date).days < 365


def test_no_price_is_known_before_the_first() -> None:
    assert price_at(storage_device("disk-30tb"), dt.date(2020, 1, 1)) is None


def test_every_link_and_machine_of_a_device_is_one() -> None:
    for device in storage_devices().values():
        assert set(device.machines) <= set(machine_ids())
        assert link_bytes_per_s(device.link, "h100-sxm") > 0


def test_prices_out_of_order_and_devices_neither_bought_nor_rented_are_refused() -> None:
    plain = {"name": "x", "tier": "flash", "link": "PCIe", "bytes_per_s": fact("1 GB/s")}
    with pytest.raises(ValueError, match="either capacity_bytes"):
        TypeAdapter(StorageDevice).validate_python(plain)
    prices = [fact("$2", "2026-01-01"), fact("$1", "2025-01-01")]
    with pytest.raises(ValueError, match="oldest first"):
        TypeAdapter(StorageDevice).validate_python({**plain, "capacity_bytes": fact("1 TB"), "usd": prices})


def fact(value: str, date: str = "2026-01-01") -> dict[str, str]:
    return {"value": value, "source": "here", "date": date}


def test_fast_modes_are_dated_facts_that_cost_more_and_are_faster() -> None:
    for mode in fast_modes().values():
        assert mode.source.startswith("https://")
        assert mode.date.year >= 2026
        assert mode.price_unit
        assert (mode.price_ratio > 1, mode.speed_ratio > 1) == (True, True)
    assert fast_modes()["claude-opus-4-6"].price_ratio == 6  # the lecture's opening question
