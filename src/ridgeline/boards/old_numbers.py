"""Constants of the lecture that several boards and claims start from."""

from __future__ import annotations

__all__ = [
    "ACTIVE_PARAMS",
    "BALANCE_BATCH",
    "BALANCE_RATIO",
    "DEPARTURES_PER_S",
    "EXPANSION",
    "HIDDEN",
    "HOP_S",
    "HUGE_TOKENS",
    "KV_BYTES_PER_TOKEN",
    "LINK_RATIO",
    "MONTH_S",
    "MULTIPLIES_PER_S",
    "NEXT_FLOP_PER_S",
    "NEXT_HBM_BYTES",
    "PORT_BYTES_PER_S",
    "REACHED_FRACTION",
    "SEATS",
    "SHORT_TOKENS",
    "STAGES",
    "STEP_TOKENS",
    "TRAIN_S",
    "USD_PER_CHIP_S",
]

MULTIPLIES_PER_S = 1e15
"""Of a chip, in multiplications; twice as many FLOP/s."""

USD_PER_CHIP_S = 2 / 3600
"""Two dollars an hour, at 13:00."""

BALANCE_RATIO = 300.0
"""Parameters that a chip multiplies while it reads one, at 17:00."""

EXPANSION = 256 / 32
"""Total over active parameters, at 19:22: 32 experts of 256."""

BALANCE_BATCH = BALANCE_RATIO * EXPANSION
"""Sequences, at 19:22."""

SEATS = 2000.0
"""That batch as it is spoken of from 20:30 on."""

TRAIN_S = 0.020
"""Between departures, at 22:21."""

NEXT_HBM_BYTES = 288e9
"""Of the next generation's chip, at 24:22."""

DEPARTURES_PER_S = 64.0
"""As spoken where the batch becomes a rate, at 26:25."""

LINK_RATIO = 8.0
"""Bandwidth inside a rack over that beyond it, at 39:00."""

STAGES = 4
"""Racks of a pipeline, at 58:00."""

HIDDEN = 7168
"""DeepSeek-V3's values between layers, for the hop at 1:15."""

PORT_BYTES_PER_S = 50e9
"""One port of 400 Gbit/s, for the same hop; he names none."""

HOP_S = 10e-3 / STAGES
"""As spoken, at 1:15: four hops take about 10 ms."""

ACTIVE_PARAMS = 100e9
"""Of a frontier model, at 1:31."""

MONTH_S = 30 * 86400.0
"""Two of them make the 2.6e15 tokens at 1:30."""

STEP_TOKENS = 200e3
"""Context at which a price list steps, at 1:33."""

KV_BYTES_PER_TOKEN = 2e3
"""Of keys and values in all layers, at 1:39: 1.7 kB rounded up."""

SHORT_TOKENS = 20e3
"""A context well short of the step."""

HUGE_TOKENS = 100e6
"""A context that is out of reach, at 1:54."""

NEXT_FLOP_PER_S, REACHED_FRACTION = 5e15, 0.4
"""What recomputing a cache runs at, at 1:56: the next generation's peak, and the part of it that is reached."""
