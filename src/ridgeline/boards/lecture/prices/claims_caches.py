"""Claims on caches: their prices, what making and holding one costs, and which memory it waits in: 1:48 to 2:04."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.in_a_sentence import time_text
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import (
    ACTIVE_PARAMS,
    KV_BYTES_PER_TOKEN,
    NEXT_FLOP_PER_S,
    NEXT_HBM_BYTES,
    REACHED_FRACTION,
    USD_PER_CHIP_S,
)
from ridgeline.boards.lecture.prices.cache_prices import (
    DDR,
    DISK,
    FLASH,
    HIT_USD,
    INPUT_USD,
    LIFE_S,
    LIST_MODEL,
    MACHINE,
    NEWER_MODEL,
    SMALL_FLASH,
    WRITE_HOUR_USD,
    WRITE_USD,
    byte_cost,
    chip_flop_per_s,
    chip_usd_per_s,
    price_ratio,
)
from ridgeline.boards.lecture.prices.drain_times import sized
from ridgeline.caching.tiers import Ownership, bought_tier
from ridgeline.catalog.list_prices import list_price
from ridgeline.catalog.storage import storage_device
from ridgeline.equations import caching, pricing

__all__ = ["CLAIMS"]

LARGE_FLASH, SOCKET = "flash-qlc-123tb", "ddr5-socket"
OLDER, NEWER = list_price(LIST_MODEL), list_price(NEWER_MODEL)
FORWARD_PASS = {
    "active_params": ACTIVE_PARAMS,
    "flop_per_s": NEXT_FLOP_PER_S,
    "reached_fraction": REACHED_FRACTION,
    "usd_per_chip_s": USD_PER_CHIP_S,
}
"""Inputs of the cost of making a token's cache."""
DIGITS_OF_TIME = 2
ANY_LIFE_S = 1.0
"""Life of a device, s: break-evens of bought devices do not depend on it."""


def _device(name: str) -> dict[str, float]:
    """Inputs of a drain time."""
    found = storage_device(name)
    return {"capacity_bytes": found.capacity(), "bytes_per_s": found.bytes_per_s.value}


def _worn_from_text() -> str:
    """Time from which flash is cheaper than DDR to keep a cache in, with the wear of writing it."""
    flash, ddr = (bought_tier(storage_device(name), name, owned=Ownership(life_s=LIFE_S)) for name in (FLASH, DDR))
    found = caching.break_even_s(
        retrieve_usd=ddr.read_usd_per_byte,
        hold_usd_per_s=ddr.hold_usd_per_byte_s,
        slower_retrieve_usd=flash.wear_usd_per_byte + flash.read_usd_per_byte,
        slower_hold_usd_per_s=flash.hold_usd_per_byte_s,
    )
    return time_text(float(found), DIGITS_OF_TIME)


def _size(name: str) -> str:
    return sized(storage_device(name).capacity())


def _pass_usd(*, active_params: float, flop_per_s: float, reached_fraction: float, usd_per_chip_s: float) -> float:
    """Cost of a token that is read anew, $."""
    found = caching.recompute_usd_per_token(
        active_params=active_params, flop_per_s=reached_fraction * flop_per_s, usd_per_chip_s=usd_per_chip_s
    )
    return float(found)


def _on(name: str) -> Step:
    return step(storage_device(name).name, **_device(name))


def _newer_hit() -> Iterable[Step]:
    yield step(f"{NEWER.name}, the newest of the line", usd=NEWER.of("cache_read"), base_usd=NEWER.input)


def _for_an_hour() -> Iterable[Step]:
    yield step("the same model's write for an hour", usd=WRITE_HOUR_USD.value)


def _newer_hits() -> Iterable[Step]:
    write, read = (NEWER.of(field) / NEWER.input for field in ("cache_write_5min", "cache_read"))
    yield step(f"{NEWER.name}, the newest of the line", write_ratio=write, read_ratio=read)


def _kept_an_hour() -> Iterable[Step]:
    yield step(f"a write for an hour, at {OLDER.name}'s prices", write_ratio=WRITE_HOUR_USD.value / OLDER.input)


def _deepseek_on_a_chip() -> Iterable[Step]:
    active_params = controls.terms(fleet.facts(MACHINE)).active_params
    yield step(f"{fleet.MODEL}'s active parameters, but for the embedding", active_params=active_params)
    yield step(f"a chip of {MACHINE} in its formats", flop_per_s=chip_flop_per_s())
    yield step("the catalog's price of that chip", usd_per_chip_s=chip_usd_per_s())


def _denser_flash() -> Iterable[Step]:
    yield _on(FLASH)


def _densest_flash() -> Iterable[Step]:
    yield _on(LARGE_FLASH)


def _at_the_modules() -> Iterable[Step]:
    yield _on(SOCKET)


def _held_over_drained(
    *,
    retrieve_usd: float,
    hold_usd_per_s: float,
    slower_retrieve_usd: float,
    slower_hold_usd_per_s: float,
    drain_s: float,
) -> float:
    """Time between uses from which the slower tier is cheaper, over the time to read the whole of it."""
    even = caching.break_even_s(
        retrieve_usd=retrieve_usd,
        hold_usd_per_s=hold_usd_per_s,
        slower_retrieve_usd=slower_retrieve_usd,
        slower_hold_usd_per_s=slower_hold_usd_per_s,
    )
    return float(even) / drain_s


def _flash_or_disk() -> Iterable[Step]:
    flash = byte_cost(FLASH, life_s=ANY_LIFE_S)
    disk = byte_cost(DISK, life_s=ANY_LIFE_S)
    yield step(
        "a flash drive against the disk, each bought at its price",
        retrieve_usd=flash.retrieve_usd,
        hold_usd_per_s=flash.hold_usd_per_s,
        slower_retrieve_usd=disk.retrieve_usd,
        slower_hold_usd_per_s=disk.hold_usd_per_s,
    )


_disk = byte_cost(DISK, life_s=ANY_LIFE_S)


def _out_of_order(
    *,
    active_params: float,
    flop_per_s: float,
    reached_fraction: float,
    usd_per_chip_s: float,
    hbm_bytes: float,
    kv_bytes_per_token: float,
    life_s: float,
) -> float:
    """Neighbours among places, by what holding takes, of which the dearer to hold is not the cheaper to bring back."""
    held = caching.hold_usd_per_token_s(
        kv_bytes_per_token=kv_bytes_per_token, capacity_bytes=hbm_bytes, usd_per_s=usd_per_chip_s
    )
    again = caching.recompute_usd_per_token(
        active_params=active_params, flop_per_s=reached_fraction * flop_per_s, usd_per_chip_s=usd_per_chip_s
    )
    bought = [byte_cost(device, life_s=life_s) for device in (DDR, FLASH, DISK)]
    places = [
        (float(held), 0.0),
        *((kv_bytes_per_token * one.hold_usd_per_s, kv_bytes_per_token * one.retrieve_usd) for one in bought),
        (0.0, float(again)),
    ]
    ordered = sorted(places, reverse=True)
    return float(sum(first[1] >= second[1] for first, second in pairwise(ordered)))


def _deepseeks_cache() -> Iterable[Step]:
    yield from _deepseek_on_a_chip()
    facts = fleet.facts(MACHINE)
    yield step("all of its memory", hbm_bytes=facts.machine.chip.hbm_bytes, reached_fraction=1.0)
    yield step(f"what {fleet.MODEL} keeps of a token", kv_bytes_per_token=controls.kv_bytes(facts))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "D12",
        "1:48:45",
        "A token that is found in a cache costs a tenth of one that is read anew.",
        lecture=said(0.1, "1:48:45", hedge="the interviewer's: if I remember correctly"),
        equation=pricing.price_step_fraction,
        compute=price_ratio,
        inputs={"usd": HIT_USD, "base_usd": filled_in(OLDER.input)},
        careful=_newer_hit,
        careful_of=f"the list of {NEWER.name}, {NEWER.date}",
        verdict=Verdict.REPRODUCES,
        what="of the input price",
        answer="{ours} of the input price, and {careful} on a newer list",
        why="A tenth of the input price on the list that he quotes from, and less by now. Compared with a write, a hit"
        " is 12.5 or 20 times cheaper.",
        tolerance=1e-9,  # prices are exact; what is left is floating point
    ),
    claim(
        "D13",
        "2:01:00",
        "Keeping a token's cache for five minutes costs 1.25 times the input price: $6.25 against $5 a million.",
        computed="price of that write over the input price",
        lecture=implied(1.25, "2:01:00", hedge="the interviewer's: presumably HBM"),
        equation=pricing.price_step_fraction,
        compute=price_ratio,
        inputs={"usd": WRITE_USD, "base_usd": INPUT_USD},
        careful=_for_an_hour,
        contrast="another product of the same list: a write for an hour",
        verdict=Verdict.REPRODUCES,
        what="times the input price",
        answer="{ours:3} times. A write for an hour costs {careful} times the input price",
        why=f"$6.25 over $5, as on {OLDER.name}'s list. The write for an hour, whose price he does not quote, is twice"
        " the input price.",
        tolerance=1e-9,  # prices are exact
    ),
    claim(
        "D14",
        "2:00:50",
        "The base price of an input token, $5 a million, is the cost of making its cache by a forward pass.",
        computed="cost of that forward pass",
        lecture=said(5e-6, "2:00:50"),
        unit="$/token",
        equation=caching.recompute_usd_per_token,
        compute=_pass_usd,
        inputs=dict(FORWARD_PASS),
        careful=_deepseek_on_a_chip,
        careful_of=f"{fleet.MODEL} on {MACHINE} at the catalog's price",
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="",
        headline="A forward pass costs {ours} per million tokens; the list price of {his} is {factor} times that.",
        answer="{ours} per million tokens, because a chip computes tens of millions in an hour. The list price is"
        " {factor} times that",
        why="The form holds: reading a token is a forward pass. But the list price is 90 times what the pass costs"
        " on a chip of the next generation, so only ratios of prices can tell anything about costs.",
        tolerance=0.5,  # an estimate of a cost may be half off and still be called close to the price
    ),
    claim(
        "D15",
        "2:02:20",
        "Five minutes and an hour, for which caches are sold, are about the drain times of flash and of spinning disk."
        " Flash, he guesses, is read once in about a minute.",
        computed="time to read all of a flash drive",
        lecture=said(
            60.0,
            "2:02:20",
            hedge="plausibly; not memorised. First guess: HBM for five minutes and DDR for an hour, or one tier down",
        ),
        unit="s",
        equation=caching.drain_time_s,
        inputs={name: filled_in(value) for name, value in _device(SMALL_FLASH).items()},
        careful=_denser_flash,
        further=_densest_flash,
        careful_of=storage_device(FLASH).name,
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="to read a flash drive",
        given=f"for one of {_size(SMALL_FLASH)}",
        headline="Even a small flash drive drains in {ours}, not in {his}.",
        answer="a small flash drive takes {ours}, because drives have grown faster than the rate at which they are"
        " read. A usual one takes {careful}",
        why="Nine minutes for a small drive, 37 for a usual one and 4.6 hours for the largest. By his rule, then, a"
        " small flash drive is right for five minutes and a larger one for an hour. By prices too flash is the"
        f" cheapest for both, unless wear is counted: then it beats DDR only after {_worn_from_text()}.",
        tolerance=1.0,  # "on the order of": twice as long would still be near
    ),
    claim(
        "D16",
        "2:03:41",
        "The best tier for a cache is the one that is read once in the time for which the cache is held.",
        computed="time from which on the tier is cheapest, over its drain time",
        lecture=implied(1.0, "2:03:41", hedge="basically"),
        equation=caching.break_even_s,
        compute=_held_over_drained,
        inputs={
            "retrieve_usd": 0.0,
            "hold_usd_per_s": filled_in(_disk.hold_usd_per_s),
            "slower_retrieve_usd": filled_in(_disk.retrieve_usd),
            "slower_hold_usd_per_s": 0.0,
            "drain_s": filled_in(_disk.drain_s),
        },
        careful=_flash_or_disk,
        careful_of=f"{storage_device(FLASH).name} against {storage_device(DISK).name}",
        verdict=Verdict.DEPENDS,
        what="times its drain time",
        exactly={1.0: "a holding time equal to the drain time"},
        answer="other tiers are left out: then {ours} makes holding as dear as reading back. By catalog prices a"
        " disk is cheaper than flash from {careful:number} times its drain time on",
        why="It depends on what the other tiers cost, which he leaves out. At its drain time a tier costs as much for"
        " holding a cache as for reading it back. Which tier is cheapest is another question: by the catalog's prices"
        " disk is from 1.3 hours on, not from 30.",
        tolerance=1e-9,  # floating point
    ),
    claim(
        "D17",
        "2:01:00",
        "Writing a cache for five minutes soon pays for itself.",
        computed="hits that pay for the write",
        equation=pricing.hits_to_pay_back,
        inputs={
            "write_ratio": implied(1.25, "2:01:00", claim="D13"),
            "read_ratio": said(0.1, "1:48:45", hedge="the interviewer's: if I remember correctly", claim="D12"),
        },
        careful=_newer_hits,
        further=_kept_an_hour,
        careful_of=f"the list of {NEWER.name}, {NEWER.date}",
        verdict=Verdict.REPRODUCES,
        what="hits to pay for the write",
        answer="{ours} hits pay for the write, on average",
        why="Not said in the lecture, but it follows from the prices quoted: two hits in seven writes are enough. A"
        " write for an hour needs just over one.",
    ),
    statement(
        "D24",
        "1:42:05",
        "A provider has reason to price close to its costs, since another could undercut it; so prices reveal costs.",
        answer="an argument without a number",
        why="An argument without a number. Against it: input at 90 times what computing it takes (D14), and the same"
        " step of 1.5 and 2 times on several lists (D1).",
    ),
    claim(
        "D25",
        "2:02:10",
        "Reading all of DDR once takes 1 to 10 seconds.",
        computed="time for one chip's share of its host's memory, over PCIe",
        lecture=said(10.0, "2:02:10", hedge="on the order of seconds, like 1 to 10", between=(1.0, 10.0)),
        unit="s",
        equation=caching.drain_time_s,
        inputs={name: filled_in(value) for name, value in _device(DDR).items()},
        careful=_at_the_modules,
        careful_of=storage_device(SOCKET).name,
        verdict=Verdict.REPRODUCES,
        what="to read DDR",
        answer="{ours} for a chip's share of its host's memory, over PCIe",
        why="3.6 s for a chip's share of a host's memory over PCIe, 2.5 s at the memory modules themselves.",
    ),
    claim(
        "D26",
        "2:02:30",
        "Reading a whole spinning disk takes about an hour.",
        computed="time to read a disk of 30 TB",
        lecture=said(3600.0, "2:02:30", hedge="on the order of one hour; not memorised"),
        unit="s",
        equation=caching.drain_time_s,
        inputs={name: filled_in(value) for name, value in _device(DISK).items()},
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="to read a disk",
        given=f"for one of {_size(DISK)}",
        headline="A disk of 30 TB drains in {ours}, not in {his}.",
        answer="it takes {ours}, because disks have grown far faster than the rate at which they are read",
        why="A disk of 30 TB takes 30 hours. Disks hold ever more and are read hardly faster. Of all tiers only flash"
        " drains in an hour.",
        tolerance=1.0,  # "on the order of": twice as long would still be near
    ),
    claim(
        "D21",
        "1:58:50",
        "Of a cache's two costs, to hold it and to bring it back, one falls where the other rises.",
        computed="tiers out of that order, from HBM over DDR, flash and disk to computing it again",
        lecture=implied(0.0, "1:58:50", hedge="in general; you should expect"),
        equation=caching.hold_usd_per_token_s,
        compute=_out_of_order,
        inputs={
            "active_params": ACTIVE_PARAMS,
            "flop_per_s": NEXT_FLOP_PER_S,
            "reached_fraction": REACHED_FRACTION,
            "usd_per_chip_s": USD_PER_CHIP_S,
            "hbm_bytes": NEXT_HBM_BYTES,
            "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
            "life_s": filled_in(LIFE_S),
        },
        careful=_deepseeks_cache,
        careful_of=f"{fleet.MODEL} on {MACHINE}; devices at the catalog's prices",
        verdict=Verdict.REPRODUCES,
        what="tiers out of order",
        exactly={0.0: "no tier out of order"},
        answer="{ours}, from HBM over DDR, flash and disk to computing it again",
        why="HBM brings back for nothing and is the dearest to hold. Computing again holds nothing and is the dearest"
        " to bring back. A place dearer than another in both would not be used.",
    ),
)
