"""Places of a KV cache as stores, the fastest above, each with its two costs and the times for which it is best."""

from __future__ import annotations

from collections.abc import Mapping

from ridgeline.boards.companions import Store, Stores
from ridgeline.boards.lecture.prices.cache_places import HELD_S, Place, cost_lines
from ridgeline.boards.lecture.prices.drain_times import DIGITS
from ridgeline.caching.envelope import Span, envelope
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import HOUR_S

__all__ = ["hold_text", "retrieve_text", "stores"]

NEVER = "never cheapest"
COST_DIGITS = 3


def stores(places: Mapping[str, Place]) -> Stores:
    """The places as stores, in their order."""
    when = {span.name: _when_text(span) for span in envelope(cost_lines(places))}
    return Stores(
        stores=tuple(
            Store(
                line=name,
                # In as many digits as the sum of both costs has beside them.
                retrieve_text=retrieve_text(place, COST_DIGITS),
                hold_text=hold_text(place, COST_DIGITS),
                when_text=when.get(name, NEVER),
                is_kept=place.hold_usd_per_s > 0,
            )
            for name, place in places.items()
        ),
        thing_text="KV cache",
        text="Where a KV cache waits: in the place that is cheapest for the time until its next use",
    )


def retrieve_text(place: Place, digits: int = DIGITS) -> str:
    """Cost of bringing it back, in words."""
    return format_quantity(place.retrieve_usd, "usd", digits) if place.retrieve_usd else "nothing"


def hold_text(place: Place, digits: int = DIGITS) -> str:
    """Cost of holding it for an hour, in words."""
    return format_quantity(place.hold_usd_per_s * HOUR_S, "usd", digits) if place.hold_usd_per_s else "nothing"


def _when_text(span: Span) -> str:
    """Times for which a place is the cheapest, as far as they are drawn."""
    low, high = HELD_S
    if span.to_s <= low or span.from_s >= high:
        return NEVER
    start, end = (format_quantity(each, "duration", DIGITS) for each in (span.from_s, span.to_s))
    if span.from_s <= low:
        return f"until {end}" if span.to_s < high else "always cheapest"
    return f"{start} to {end}" if span.to_s < high else f"from {start}"
