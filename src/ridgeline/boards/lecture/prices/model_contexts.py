"""Context at which reading overtakes computing, for models of six years over the same axes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.board import Facts, Values
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.prices.crossover import cost_over_compute, crossover_tokens
from ridgeline.boards.picture import Axis
from ridgeline.boards.scale import LOGARITHMIC
from ridgeline.boards.scene import Multiples, Small, Tick
from ridgeline.catalog import load_machine, load_model
from ridgeline.quantity_text import format_quantity

__all__ = ["CONTEXT_AXIS", "COST_AXIS", "MODELS", "model_contexts"]

MODELS = (
    "gpt3-175b",
    "llama-2-70b",
    "mixtral-8x22b",
    "llama-3.1-405b",
    "deepseek-v3",
    "qwen3-235b-a22b",
    "kimi-k2",
    "qwen3.5-397b-a17b",
    "nemotron-3-ultra-550b-a55b",
)
"""Models of the catalog, in the order in which they came out; all read everything that they keep."""

CONTEXT_AXIS = Axis(caption="context, tokens", dimension="count", is_logarithmic=True)
COST_AXIS = Axis(caption="cost of an output token, relative to its arithmetic", dimension="count", is_logarithmic=True)
X_ENDS, Y_ENDS = (100.0, 1e6), (0.6, 1e3)
POINTS, DIGITS = 81, 5
"""Points of a line, and decimals of its heights."""


def model_contexts(values: Values) -> Multiples:
    """Small multiples of every model at the chosen balance ratio and batch, with its own other numbers."""
    x = np.geomspace(*X_ENDS, POINTS)
    return Multiples(
        chooses="model",
        x=tuple(x.tolist()),
        reference=_heights(values, crossover_tokens(values), x),
        smalls=tuple(_small({**values, **_own(name)}, name, x) for name in MODELS),
        top=Y_ENDS[1],
        bottom=Y_ENDS[0],
        x_ticks=_ticks(X_ENDS),
        y_ticks=_ticks(Y_ENDS),
        text="from where on the cost rises; dashed: the numbers that are set",
    )


@lru_cache
def _own(name: str) -> dict[str, float]:
    """A model's own numbers, by the names of the board's controls; none of them depends on the machine."""
    facts = Facts(model=load_model(name), machine=load_machine("h100-sxm"))
    return {
        "active_params": controls.terms(facts).active_params,
        "bytes_per_param": controls.bytes_a_parameter(facts),
        "kv_bytes_per_token": controls.kv_bytes(facts),
    }


def _heights(values: Values, crossover: float, x: NDArray[np.float64]) -> tuple[float, ...]:
    found = cost_over_compute(context=x, crossover=crossover, balance_batches=values["balance_batches"])
    return tuple(np.asarray(found).round(DIGITS).tolist())


def _small(values: Values, name: str, x: NDArray[np.float64]) -> Small:
    low, high = X_ENDS
    crossover = crossover_tokens(values)
    begins = crossover_tokens(values, balance_batches=values["balance_batches"])
    at = np.array([min(max(begins, low), high)])
    return Small(
        name=name,
        y=_heights(values, crossover, x),
        mark_x=float(at[0]),
        mark_y=_heights(values, crossover, at)[0],
        text=format_quantity(begins, "count") if begins else "from the start",
    )


def _ticks(ends: tuple[float, float]) -> tuple[Tick, ...]:
    return tuple(Tick(at=tick, text=format_quantity(tick, "count")) for tick in LOGARITHMIC.ticks(*ends))
