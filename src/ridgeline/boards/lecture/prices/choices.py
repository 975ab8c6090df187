"""Questions with a few answers on prices: which models have so small a KV cache, and in which store it waits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.choice import Choice, Sketch, longest, nearest
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture.prices import kv_bytes, tiers
from ridgeline.boards.picture import Colour
from ridgeline.boards.walk import Seen, along, drawn, height, mark_named, upright
from ridgeline.quantity_text import format_number

__all__ = ["AS_LITTLE", "CHEAPEST", "held_s", "implied_bytes", "models"]


def models(seen: Seen) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Active parameters and KV bytes of all models that are drawn."""
    params, read = (np.concatenate([getattr(dots, axis) for dots in drawn(seen).dots]) for axis in "xy")
    return params, read


def implied_bytes(seen: Seen) -> float:
    """KV bytes per token that the crossover asks for, also where they lie off the picture."""
    return kv_bytes.own_crossover_bytes(seen.values[seen.mode])


def _as_little(seen: Seen) -> float:
    """Number of models that read no more than the crossover asks for."""
    _, read = models(seen)
    return float(np.sum(read <= implied_bytes(seen)))


def _as_little_prompt(seen: Seen) -> str:
    _, read = models(seen)
    return f"How many of the {len(read)} published models in our catalog read as little per token of context?"


def _as_little_why(seen: Seen) -> str:
    _, read = models(seen)
    middle = float(np.median(read))
    more = format_number(middle / implied_bytes(seen), 2)
    return f"half of the models read {upright(seen, middle, 2)} or more, {more} times as much"


AS_LITTLE = Choice(
    prompt=_as_little_prompt,
    options=nearest(_as_little, {"none": 0.0, "2 of them": 2.0, "10 of them": 10.0, "30 of them": 30.0}),
    why=_as_little_why,
    sentences=1,  # the bars above the chart name the models
    sketch=Sketch(
        asked="crossover",
        lines=("crossover", "at the crossover"),
        marks=("crossover at that context",),
        dots=("GPT-3 175B", "Llama 3.1 405B"),
    ),
)


STORES = {
    "the chip's HBM": ("HBM", Colour.KV),
    "the server's DDR": ("DDR", Colour.ASIDE),
    "flash drives": ("flash", Colour.ALSO),
    "hard disks": ("disk", Colour.BOUND),
}
"""Names of the answers, each with the line and the colour of its store."""
SOON_S = 1.0
"""Time up to which the lines of the stores are drawn before the answer: there the order is another."""


def held_s(seen: Seen) -> float:
    """Holding time of a cache that is sold for five minutes."""
    return mark_named(seen, "5 min in the cheapest").x


def _saved(store: str) -> Callable[[Seen], float]:
    """How cheap a store is for that long: the largest of them is the cheapest."""
    return lambda seen: -height(seen, store, held_s(seen))


def _cheapest_prompt(seen: Seen) -> str:
    return (
        f"A cache is used again after {along(seen, held_s(seen))}. Per {shown(tiers.TOKENS, 'count')} tokens, which"
        " store is cheapest for that long, wear left out?"
    )


def _cheapest_why(seen: Seen) -> str:
    at = held_s(seen)
    hbm, cheapest, disk = (height(seen, name, at) for name in ("HBM", "cheapest", "disk"))
    return (
        f"without wear, to hold and read it costs {upright(seen, cheapest)}, against {upright(seen, hbm)} in"
        f" HBM and {upright(seen, disk)} on disk"
    )


CHEAPEST = Choice(
    prompt=_cheapest_prompt,
    options=longest({name: (_saved(store), colour) for name, (store, colour) in STORES.items()}),
    why=_cheapest_why,
    sentences=2,
    sketch=Sketch(
        asked="cheapest",
        lines=tuple(store for store, _ in STORES.values()),
        until=lambda _: SOON_S,
        asked_at=held_s,
    ),
)
