"""Numbers of the lecture that several chapters start from, each with where it is said and how he limits it."""

from __future__ import annotations

from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.seconds import DAY_S

__all__ = [
    "ACTIVE_PARAMS",
    "BALANCE_BATCH",
    "BALANCE_RATIO",
    "DEPARTURES_PER_S",
    "EXPANSION",
    "EXPERTS",
    "HIDDEN",
    "HOP_S",
    "HUGE_TOKENS",
    "KV_BYTES_PER_TOKEN",
    "LINK_RATIO",
    "MONTH_S",
    "MULTIPLIES_PER_S",
    "NEXT_CHIP",
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

MULTIPLIES_PER_S = filled_in(1e15)
"""Multiplications of a chip a second; twice as many FLOP/s."""

USD_PER_CHIP_S = said(2 / 3600, "0:13:00", hedge="or something like that", name="usd_per_chip_s", claim="A9")
"""Price of a chip: two dollars an hour."""

BALANCE_RATIO = said(300.0, "0:17:00", hedge="somewhere around, on most GPUs", name="balance_ratio", claim="A10")
"""Parameters that a chip multiplies while it reads one."""

EXPERTS = said(256.0, "0:19:22", hedge="for example", name="experts")
"""Experts of DeepSeek's models in a layer."""

EXPANSION = said(EXPERTS.value / 32, "0:19:22", hedge="for example", name="expansion")
"""Total over active parameters: 32 experts of 256."""

BALANCE_BATCH = implied(
    BALANCE_RATIO.value * EXPANSION.value,
    "0:19:22",
    hedge="approximately; a ballpark",
    name="balance_batch",
    claim="A11",
)
"""Balance batch, sequences."""

SEATS = said(
    2000.0, "0:20:30", hedge="2,000-ish; two to three thousand, says the interviewer", name="seats", claim="A14"
)
"""The balance batch as it is spoken of from then on."""

TRAIN_S = said(
    0.020, "0:21:40", hedge="for example; tends to be so over many generations", name="period_s", claim="A15"
)
"""Time between departures, s."""

NEXT_CHIP = "his next chip, Rubin"
"""Chip of which he reads memory and bandwidth where he speaks of the one to come."""

NEXT_HBM_BYTES = said(288e9, "0:24:22", of=NEXT_CHIP, name="next_hbm_bytes", beside="A16")
"""Memory of the next generation's chip."""

DEPARTURES_PER_S = said(64.0, "0:26:25", hedge="about 60, so 64", name="departures_per_s")
"""Departures a second, as spoken where the batch becomes a rate."""

LINK_RATIO = said(8.0, "0:39:00", hedge="typically about", name="link_ratio", claim="B3")
"""Bandwidth inside a rack over that beyond it."""

STAGES = said(4, "0:58:00", hedge="maybe", name="stages")
"""Stages of a pipeline, a rack each."""

HIDDEN = filled_in(7168, why="DeepSeek-V3's")
"""DeepSeek-V3's values between layers, for the hop."""

PORT_BYTES_PER_S = filled_in(50e9, why="a port of 400 Gbit/s")
"""One port of 400 Gbit/s, for the same hop."""

HOP_S = implied(
    10e-3 / STAGES.value,
    "1:15:00",
    hedge="could be off by an order of magnitude",
    between=(0.25e-3, 25e-3),
    claim="B16",
)
"""Time of a hop, s: four take about 10 ms."""

ACTIVE_PARAMS = said(100e9, "1:31:40", hedge="in that range; maybe a bit larger", name="active_params")
"""Active parameters of a frontier model."""

MONTH_S = implied(30 * DAY_S, "1:30:30")
"""Length of a month, s: two of them make the 2.6e15 tokens."""

STEP_TOKENS = said(200e3, "1:33:02", name="price_step_tokens", beside="D1")
"""Context at which a price list steps."""

KV_BYTES_PER_TOKEN = said(2e3, "1:38:45", hedge="around; 1.7 kB, rounded up", name="kv_bytes_per_token", claim="D3")
"""Bytes of keys and values a token, in all layers."""

SHORT_TOKENS = filled_in(20e3, why="a context well short of the 200k at which prices step")
"""A context well short of the step."""

HUGE_TOKENS = said(100e6, "1:52:55", hedge="the interviewer's")
"""A context that is out of reach."""

NEXT_FLOP_PER_S = filled_in(5e15, why="a GB200's in FP8")
REACHED_FRACTION = filled_in(0.4, why="a usual share of peak")
"""Peak arithmetic rate of a chip, and the fraction of it that making a cache again reaches; he says "whatever speed my
GPU does it".
"""
