"""Fast modes of lists: which of them promise a speed, so that a cost can be held against them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from frozendict import frozendict

from ridgeline.catalog.fast_modes import fast_modes
from ridgeline.catalog.quote import Quote

__all__ = ["comparable", "fast_speed_ratio"]

FAST = "fast"


def fast_speed_ratio(quotes: Sequence[Quote] = ()) -> float:
    """Speed of the fastest mode that these lists promise, over the plain one; of all that are sold where none does.

    >>> fast_speed_ratio()
    2.5
    """
    promised = [ratio for one in quotes if (ratio := _promised(one)) is not None]
    return max(promised or [one.speed_ratio for one in fast_modes().values()])


def comparable(quotes: Sequence[Quote], speed_ratio: float) -> tuple[tuple[Quote, ...], tuple[str, ...]]:
    """Lists without the fast modes that promise another speed or none, and what is left out.

    Args:
        quotes: price lists to compare.
        speed_ratio: speed of the fast mode whose cost is known, over the plain mode's.
    """
    found, notes = [], []
    for one in quotes:
        if FAST not in one.modes or _promised(one) == speed_ratio:
            found.append(one)
            continue
        promised = _promised(one)
        said = "promises no speed that is known" if promised is None else f"promises {promised:g} times the speed"
        notes.append(f"{one.id}: its fast mode {said}, and is not held against the cost of {speed_ratio:g} times")
        modes = {name: prices for name, prices in one.modes.items() if name != FAST}
        found.append(dataclasses.replace(one, modes=frozendict(modes)))
    return tuple(found), tuple(notes)


def _promised(quote: Quote) -> float | None:
    """Promised speed of a list's fast mode over the plain one; None where it promises none."""
    if FAST not in quote.modes:
        return None
    return next((one.speed_ratio for one in fast_modes().values() if quote.id in one.listings), None)
