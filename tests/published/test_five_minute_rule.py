"""Break-even intervals of Appuswamy, Graefe, Borovica-Gajic and Ailamaki, "The Five-Minute Rule 30 Years Later".

Communications of the ACM 62(11), 2019, and its first version at ADMS 2017; 2007 after Graefe, ACM Queue, July 2008. An
interval is the price of an access over the price of the memory that saves it: the tier that is dearer to read back and
cheaper to hold, whose own holding is left out. Intervals, rates of access, pages of 4 KB, $999 for 32 GB of flash and
DRAM's $0.05 (2007) per MB were read in these articles and in what quotes them; unit prices of the others are of the
articles' first table, a picture there, from memory (unverified): eleven intervals hold them together, and so do the
ratios that the text states.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ridgeline.equations.caching import break_even_s

KIB, MIB = 1024, 1024**2
MINUTE_S, HOUR_S, DAY_S = 60.0, 3600.0, 86400.0
PAGE_BYTES = 4 * KIB


@dataclass(frozen=True, kw_only=True)
class Device:
    """Dollars of a unit, what it holds, and random accesses a second."""

    usd: float
    capacity_bytes: float
    accesses_per_s: float = 0.0

    @property
    def usd_per_byte(self) -> float:
        return self.usd / self.capacity_bytes


DRAM_1987 = Device(usd=5000, capacity_bytes=MIB)
HDD_1987 = Device(usd=30_000, capacity_bytes=180 * MIB, accesses_per_s=15)
DRAM_1997 = Device(usd=15, capacity_bytes=MIB)
HDD_1997 = Device(usd=2000, capacity_bytes=9 * 1024 * MIB, accesses_per_s=64)
DRAM_2007 = Device(usd=0.05, capacity_bytes=MIB)
HDD_2007 = Device(usd=80, capacity_bytes=250e9, accesses_per_s=83)
SSD_2007 = Device(usd=999, capacity_bytes=32 * 1024 * MIB, accesses_per_s=6200)
DRAM_2017 = Device(usd=80, capacity_bytes=16 * 1024 * MIB)
HDD_2017 = Device(usd=49, capacity_bytes=2e12, accesses_per_s=200)
SSD_2017 = Device(usd=560, capacity_bytes=800e9, accesses_per_s=67_000)
SSD_2017_WRITTEN = Device(usd=560, capacity_bytes=800e9, accesses_per_s=20_000)
SSD_2018 = Device(usd=415, capacity_bytes=800e9, accesses_per_s=67_000)


@pytest.mark.parametrize(
    ("cached_in", "read_from", "page_bytes", "published_s"),
    [
        pytest.param(DRAM_1987, HDD_1987, KIB, 400, id="1987, disk, 1 KB: 400 s, rounded to five minutes"),
        pytest.param(DRAM_1997, HDD_1997, 8 * KIB, 5 * MINUTE_S, id="1997, disk, 8 KB"),
        pytest.param(DRAM_2007, HDD_2007, PAGE_BYTES, 1.5 * HOUR_S, id="2007, disk"),
        pytest.param(DRAM_2007, SSD_2007, PAGE_BYTES, 15 * MINUTE_S, id="2007, flash"),
        pytest.param(SSD_2007, HDD_2007, PAGE_BYTES, 2.25 * HOUR_S, id="2007, disk behind flash"),
        pytest.param(DRAM_2017, HDD_2017, PAGE_BYTES, 4 * HOUR_S, id="2017, disk"),
        pytest.param(DRAM_2017, SSD_2017, PAGE_BYTES, 7 * MINUTE_S, id="2017, flash read"),
        pytest.param(DRAM_2017, SSD_2017_WRITTEN, PAGE_BYTES, 24 * MINUTE_S, id="2017, flash written"),
        pytest.param(SSD_2017, HDD_2017, PAGE_BYTES, DAY_S, id="2017, disk behind flash"),
        pytest.param(DRAM_2017, SSD_2018, PAGE_BYTES, 5 * MINUTE_S, id="2018, flash"),
        pytest.param(SSD_2018, HDD_2017, PAGE_BYTES, 1.5 * DAY_S, id="2018, disk behind flash"),
    ],
)
def test_break_even_intervals(cached_in: Device, read_from: Device, page_bytes: int, published_s: float) -> None:
    """12 %: intervals are published with one digit, or one and a half."""
    found_s = break_even_s(
        retrieve_usd=0.0,
        hold_usd_per_s=page_bytes * cached_in.usd_per_byte,
        slower_retrieve_usd=read_from.usd / read_from.accesses_per_s,
        slower_hold_usd_per_s=0.0,
    )
    assert found_s == pytest.approx(published_s, rel=0.12)


@pytest.mark.parametrize(
    ("found", "stated"),
    [
        pytest.param(HDD_2017.accesses_per_s / HDD_2007.accesses_per_s, 2.5, id="accesses of a disk since 2007"),
        pytest.param(SSD_2018.accesses_per_s / SSD_2007.accesses_per_s, 11.0, id="accesses of flash since 2007"),
    ],
)
def test_ratios_that_the_text_states(found: float, stated: float) -> None:
    """5 %: they are stated with two digits."""
    assert found == pytest.approx(stated, rel=0.05)
