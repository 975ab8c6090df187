"""Boards of the lecture's last part: reading against writing, and where a cache waits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture import fleet as deepseek
from ridgeline.boards.old_numbers import (
    ACTIVE_PARAMS,
    NEXT_FLOP_PER_S,
    NEXT_HBM_BYTES,
    REACHED_FRACTION,
    SHORT_TOKENS,
    STEP_TOKENS,
)
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark
from ridgeline.catalog.storage import storage_device
from ridgeline.equations import caching, contexts, pricing
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

POINTS = 401
HITS = 1e3
LIFE_S = 4 * 365 * 86400.0
"""Of a drive; four years are a guess, and the break-even of two drives does not depend on it."""
HELD_S = 0.1, 1e6


def _prefill(at: Values) -> Curves:
    ratio = float(
        contexts.memory_over_compute(
            context_over_crossover=at["context_tokens"] / at["crossover_tokens"],
            batch_over_balance=at["balance_batches"],
        )
    )
    has_crossing = ratio > 1
    x = np.union1d(np.geomspace(1.0, max(100.0, 20 * ratio), POINTS), [ratio] if has_crossing else [])
    memory = ratio / x
    cost = np.maximum(memory, 1.0)
    decode = Mark(
        name="decode",
        x=1.0,
        y=max(1.0, ratio),
        line="cost",
        text=f"decode: {max(1.0, ratio):.3g} times",
        colour=Colour.BOUND,
    )
    crossing = Mark(
        name="bound by compute from here",
        x=ratio,
        y=1.0,
        line="cost",
        text=f"{ratio:.3g} tokens a pass",
        colour=Colour.BOUND,
    )
    return Curves(
        x=x,
        lines=(
            Line(name="cost", y=cost, colour=Colour.BOUND, is_bold=True),
            Line(name="compute: prefill", y=np.ones_like(x), colour=Colour.COMPUTE, is_floor=True),
            Line(name="memory", y=memory, colour=Colour.KV),
        ),
        marks=(decode, crossing) if has_crossing else (decode,),
        top=2 * max(2.0, ratio),
    )


def _tiers(at: Values) -> Curves:
    tokens = HITS * at["context_tokens"]
    chip = at["usd_per_chip_s"]
    recompute = caching.recompute_usd_per_token(
        active_params=at["active_params"],
        flop_per_s=at["reached_fraction"] * at["flop_per_s"],
        usd_per_chip_s=chip,
    )
    hold = caching.hold_usd_per_token_s(
        kv_bytes_per_token=at["kv_bytes_per_token"], capacity_bytes=at["hbm_bytes"], usd_per_s=chip
    )
    flash, disk = (_device(name, at["kv_bytes_per_token"]) for name in ("flash-tlc-31tb", "disk-30tb"))
    tiers: dict[str, tuple[float, float, Colour]] = {
        "HBM": (0.0, float(hold) * tokens, Colour.COMPUTE),
        "flash": (flash[0] * tokens, flash[1] * tokens, Colour.KV),
        "disk": (disk[0] * tokens, disk[1] * tokens, Colour.WEIGHTS),
        "compute it again": (float(recompute) * tokens, 0.0, Colour.OTHER),
    }

    def cost(name: str, held_s: np.ndarray) -> np.ndarray:
        retrieve, hold, _ = tiers[name]
        found = caching.cost_usd(retrieve_usd=retrieve, hold_usd_per_s=hold, held_s=held_s)
        return np.broadcast_to(np.asarray(found, dtype=float), held_s.shape)

    x = np.geomspace(*HELD_S, POINTS)
    names = list(tiers)
    order = [names[place] for place in np.argmin([cost(name, x) for name in names], axis=0)]
    changes = {}
    for here, there in pairwise(dict.fromkeys(order)):
        changes[f"{here} to {there}"] = (
            float(
                caching.break_even_s(
                    retrieve_usd=tiers[here][0],
                    hold_usd_per_s=tiers[here][1],
                    slower_retrieve_usd=tiers[there][0],
                    slower_hold_usd_per_s=tiers[there][1],
                )
            ),
            there,
        )
    x = np.union1d(x, [where for where, _ in changes.values()])
    costs = {name: cost(name, x) for name in names}
    cheapest = np.minimum.reduce(list(costs.values()))
    return Curves(
        x=x,
        lines=(
            Line(name="cheapest", y=cheapest, colour=Colour.BOUND, is_bold=True),
            *(Line(name=name, y=costs[name], colour=colour) for name, (_, _, colour) in tiers.items()),
        ),
        marks=tuple(
            Mark(
                name=name,
                x=where,
                y=float(np.interp(where, x, cheapest)),
                line="cheapest",
                text=f"{there} from {_time(where)}",
                colour=tiers[there][2],
            )
            for name, (where, there) in changes.items()
        ),
        top=2 * max(float(y[-1]) for y in costs.values()),
        bottom=0.3 * float(cheapest[0]),
    )


def _device(name: str, size: float) -> tuple[float, float]:
    """Of a token: dollars to bring it back from a device that is bought once and lasts, and to hold it a second."""
    found = storage_device(name)
    if found.usd is None:
        raise ValueError(f"storage device {name!r} has no price in the catalog")
    usd_per_s = found.usd.value / LIFE_S
    retrieve = caching.retrieve_usd_per_token(
        kv_bytes_per_token=size, bytes_per_s=found.bytes_per_s.value, usd_per_s=usd_per_s
    )
    hold = caching.hold_usd_per_token_s(
        kv_bytes_per_token=size, capacity_bytes=found.capacity_bytes.value, usd_per_s=usd_per_s
    )
    return float(retrieve), float(hold)


def _time(time_s: float) -> str:
    """As people say it."""
    for name, length in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if time_s >= 2 * length or (name == "h" and time_s >= length):
            return f"{time_s / length:.2g} {name}"
    return format_quantity(time_s, "s", 2)


BOARDS: tuple[Board, ...] = (
    Board(
        name="prefill",
        title="Reading against writing",
        question="What does a token of a prompt cost beside one that is written, by how many one pass takes?",
        caption="Cost of a token over that of its arithmetic: a pass reads weights and context once.",
        formula=(
            Term(tex=r"\dfrac{\$(p)}{\$_{compute}}", colour=Colour.BOUND),
            Term(tex=r"\;=\;\max(\;"),
            Term(tex=r"1", colour=Colour.COMPUTE),
            Term(tex=r",\;\;"),
            Term(tex=r"\dfrac{1}{p}\,(\dfrac{B^{*}}{B}+\dfrac{L}{L^{*}})", colour=Colour.KV),
            Term(tex=r"\;)"),
        ),
        controls=(
            controls.context_tokens(lecture=SHORT_TOKENS, careful=deepseek.MEAN_CONTEXT_TOKENS),
            controls.crossover_context(STEP_TOKENS),
            Control(
                name="balance_batches",
                meaning="balance batches",
                dimension="count",
                low=0.1,
                high=1e6,
                # What it takes for both readings of the price list to hold.
                lecture=float(
                    pricing.balance_batches_at_ratio(ratio=5, context_tokens=SHORT_TOKENS, crossover_tokens=STEP_TOKENS)
                ),
                careful=lambda _: deepseek.balance_batches(),
            ),
        ),
        views=(
            View(
                x=Axis(caption="tokens of a sequence that one pass takes", dimension="count", is_logarithmic=True),
                y=Axis(caption="cost of a token, over that of its arithmetic", dimension="count", is_logarithmic=True),
                compute=_prefill,
            ),
        ),
        claims=("D6", "D7", "D8"),
        exercises=("prices-decode-over-prefill",),
        machine="h100-sxm",
    ),
    Board(
        name="tiers",
        title="Where a cache waits",
        question="Which memory is cheapest to keep a cache in until its next use?",
        caption="Bringing a cache back once and holding it until then; a chip is rented, drives are bought at the"
        " catalog's price and last four years. Only what is taken of a device is paid.",
        formula=(
            Term(tex=r"\$", colour=Colour.BOUND),
            Term(tex=r"\;=\;\min_i\,(r_i\;+\;h_i\,t),\qquad t^{*}=\dfrac{r_j-r_i}{h_i-h_j}"),
        ),
        controls=(
            controls.active_params(ACTIVE_PARAMS),
            controls.flop_per_s(NEXT_FLOP_PER_S),
            Control(
                name="reached_fraction",
                meaning="of it reached",
                dimension="fraction",
                low=0.05,
                high=1,
                lecture=REACHED_FRACTION,
                careful=REACHED_FRACTION,
            ),
            controls.usd_per_chip_s(),
            controls.hbm_bytes(NEXT_HBM_BYTES),
            controls.kv_bytes_per_token(),
            controls.context_tokens(lecture=1e5, careful=1e5, high=1e7),
        ),
        views=(
            View(
                x=Axis(caption="time until the next use", dimension="s", is_logarithmic=True),
                y=Axis(caption="cost of a thousand hits", dimension="usd", is_logarithmic=True),
                compute=_tiers,
            ),
        ),
        claims=("D12", "D13", "D14", "D15", "D16", "D17", "E9"),
        exercises=(
            "tiers-drain",
            "tiers-hold",
            "tiers-recompute",
            "tiers-break-even",
            "prices-hits",
        ),
        machine="h100-sxm",
    ),
)
