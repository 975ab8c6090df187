"""Numbers of the claims on reading, writing and caches, and what their reasons say in numbers."""

from __future__ import annotations

import pytest

from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.prices.cache_prices import DDR, FLASH, LIFE_S, byte_cost
from ridgeline.catalog.list_prices import list_price
from ridgeline.equations import caching, pricing


def row(name: str) -> Claim:
    return next(one for one in CLAIMS if one.id == name)


@pytest.mark.parametrize(
    ("name", "lecture_mode", "careful"),
    [
        ("D6", 5, 2.18),
        ("D7", 1, 1 / 2.409 + 4989 / 1715),
        ("D8", 5, 1 / 2.409 + 4989 / 1715),
        ("D12", 0.1, 0.05),
        ("D13", 1.25, 2),
        ("D14", 0.0556e-6, 0.0475e-6),
        ("D15", 548.6, 2194),
        ("D16", 1, 1.3 / 29.8),
        ("D17", 0.278, 0.263),
        ("D25", 3.56, 2.5),
    ],
)
def test_numbers_of_rows(name: str, lecture_mode: float, careful: float) -> None:
    """1 %: the numbers here have two or three digits."""
    claim = row(name)
    assert (claim.lecture_mode(), claim.careful()) == pytest.approx((lecture_mode, careful), rel=0.01)


def test_a_disk_takes_more_than_a_day() -> None:
    """D26: 30 TB at 0.28 GB/s."""
    assert row("D26").lecture_mode() == pytest.approx(30e12 / 0.28e9)


def test_five_depends_on_whether_cache_hits_are_read() -> None:
    """D6: five on the list and by throughput, 2.2 without hits, six on another list."""
    values = [round(value, 1) for _, value in row("D6").bridge()]
    assert values == [5.0, 5.0, 2.2, 6.0]


def test_a_write_for_an_hour_is_another_product() -> None:
    assert row("D13").contrast
    assert not row("D13").careful_of


def test_the_first_guess_is_kept_beside_the_claim() -> None:
    lecture = row("D15").lecture
    assert lecture is not None
    assert "HBM for five minutes and DDR for an hour" in lecture.hedge


def test_a_drive_that_wears_beats_ddr_only_after_half_an_hour() -> None:
    """D15, by hand: $11,000 over 56.064 PB written, against what a byte in DDR costs a second more."""
    flash, ddr = (byte_cost(name, life_s=LIFE_S) for name in (FLASH, DDR))
    once = 11_000 / 56.064e15 + flash.retrieve_usd - ddr.retrieve_usd
    minutes = once / (ddr.hold_usd_per_s - flash.hold_usd_per_s) / 60
    assert f"it beats DDR only after {minutes:.0f} minutes." in row("D15").why


@pytest.mark.parametrize(("kv_bytes", "usd"), [(2e3, 0.00116), (70e3, 0.041), (328e3, 0.19)])
def test_five_minutes_in_hbm_cost_far_less_than_the_premium(kv_bytes: float, usd: float) -> None:
    """D14: a million tokens on a chip of 288 GB at $2/h; 2 %: two digits. The premium would pay for 2.2 MB a token."""
    a_byte = caching.hold_usd_per_token_s(kv_bytes_per_token=1.0, capacity_bytes=288e9, usd_per_s=2 / 3600)
    assert 1e6 * kv_bytes * a_byte * 300 == pytest.approx(usd, rel=0.02)
    premium_usd = 1e6 * 0.25 * row("D14").lecture.value  # type: ignore[union-attr]
    assert premium_usd / (1e6 * a_byte * 300) == pytest.approx(2.2e6, rel=0.02)


def test_an_hour_is_three_times_cheaper_a_second_than_five_minutes() -> None:
    """D14: $0.00417 and $0.00139 a million tokens and second."""
    price = list_price("claude-opus-4-5")
    writes = {300: price.of("cache_write_5min"), 3600: price.of("cache_write_1h")}
    five, hour = ((usd - price.input) * 1e6 / held_s for held_s, usd in writes.items())
    assert (five, hour) == pytest.approx((0.00417, 0.00139), rel=0.003)  # three digits
    assert five / hour == pytest.approx(3)


def test_what_the_reasons_say_in_numbers() -> None:
    """D7: 83 kB and a fifth; D14: 90 times; D12: 12.5 and 20 times; D17: about one hit for an hour."""
    crossover = pricing.kv_bytes_at_crossover(
        active_params=100e9, bytes_per_param=1, balance_ratio=300, context_tokens=20e3 / 5
    )
    assert crossover == pytest.approx(83e3, rel=0.01)
    batches = pricing.balance_batches_at_ratio(ratio=5, context_tokens=20e3, crossover_tokens=200e3)
    assert batches == pytest.approx(1 / 5, rel=0.03)
    again = row("D14").lecture_mode()
    assert again is not None
    assert 5e-6 / again == pytest.approx(90, rel=0.01)
    price = list_price("claude-opus-4-5")
    writes = [price.of(field) / price.of("cache_read") for field in ("cache_write_5min", "cache_write_1h")]
    assert writes == pytest.approx([12.5, 20])
    *_, (_, for_an_hour) = row("D17").bridge()
    assert for_an_hour == pytest.approx(1, rel=0.1)
