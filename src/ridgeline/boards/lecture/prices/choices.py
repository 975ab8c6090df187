"""A question with a few answers on prices: how many models have as small a KV cache as a price step implies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.choice import Choice, Sketch, nearest
from ridgeline.boards.lecture.prices import kv_bytes
from ridgeline.boards.walk import Seen, drawn, upright
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["AS_LITTLE", "implied_bytes", "models"]


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
    return f"How many of the {len(read)} published models in our catalog read as little for a token of context?"


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
        lines=("crossover", lambda seen: format_quantity(implied_bytes(seen), "bytes")),
        marks=("crossover at that context",),
        dots=("GPT-3 175B", "Llama 3.1 405B"),
    ),
)
