from __future__ import annotations

import pytest

from ridgeline.catalog import CatalogError
from ridgeline.catalog.fast_modes import fast_modes
from ridgeline.catalog.list_prices import list_price, list_prices
from ridgeline.catalog.storage import storage_device, storage_devices
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
        ("ddr5-socket", 2.5),
        ("ddr5-over-pcie", 3.6),
        ("flash-tlc-8tb", 9.1 * 60),
        ("flash-tlc-31tb", 36.6 * 60),
        ("flash-qlc-123tb", 4.6 * HOUR_S),
        ("disk-30tb", 29.8 * HOUR_S),
    ],
)
def test_drain_times(device: str, drain_s: float) -> None:
    """2 %: written with two digits."""
    found = storage_device(device)
    computed = drain_time_s(capacity_bytes=found.capacity_bytes.value, bytes_per_s=found.bytes_per_s.value)
    assert computed == pytest.approx(drain_s, rel=0.02)


def test_each_device_has_a_drain_time_here() -> None:
    (marks,) = (mark for mark in test_drain_times.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]
    assert {device for device, _ in marks.args[1]} == set(storage_devices())


def test_what_is_not_there_is_refused_with_what_is() -> None:
    with pytest.raises(CatalogError, match="has no cache_write_1h"):
        list_price("gemini-3-1-pro").of("cache_write_1h")
    with pytest.raises(CatalogError, match=r"there are .*claude-opus-4-5"):
        list_price("claude")
    with pytest.raises(CatalogError, match=r"there are .*disk-30tb"):
        storage_device("disk")


def test_each_tier_has_a_device_with_a_price_and_slower_ones_are_cheaper_a_byte() -> None:
    devices = [one for one in storage_devices().values() if one.usd is not None]
    per_byte: dict[str, float] = {}
    for one in devices:
        assert one.usd is not None
        per_byte[one.tier] = max(per_byte.get(one.tier, 0.0), one.usd.value / one.capacity_bytes.value)
    assert per_byte["DDR"] > per_byte["flash"] > per_byte["disk"]


def test_fast_modes_are_dated_facts_that_cost_more_and_are_faster() -> None:
    for mode in fast_modes().values():
        assert mode.source.startswith("https://")
        assert mode.date.year >= 2026
        assert mode.price_unit
        assert (mode.price_ratio > 1, mode.speed_ratio > 1) == (True, True)
    assert fast_modes()["claude-opus-4-6"].price_ratio == 6  # the lecture's opening question
