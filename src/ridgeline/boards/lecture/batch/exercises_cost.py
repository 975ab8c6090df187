"""Exercises on what a token costs, put on the board's own curve.

Five percent leaves room for mental arithmetic in several steps.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Given, Place, Way
from ridgeline.equations import pricing, roofline

__all__ = ["EXERCISES"]

WEIGHTS = {
    "batch": 100.0,
    "total_params": 500e9,
    "active_params": 25e9,
    "hbm_bytes_per_s": 4e12,
    "usd_per_chip_s": 3 / 3600,
}
CONTEXTS = {
    "context_tokens": 50e3,
    "kv_bytes_per_token": 64e3,
    "hbm_bytes_per_s": 4e12,
    "usd_per_chip_s": 2 / 3600,
}
ANY_BATCH = 1000.0


def _usd(given: Given, read_bytes: float) -> float:
    """Cost of the chip time that reads ``read_bytes``, $."""
    time_s = roofline.memory_time_s(
        batch=1, weight_bytes=read_bytes, kv_bytes_per_sequence=0, hbm_bytes_per_s=given["hbm_bytes_per_s"]
    )
    return float(pricing.usd_per_token(time_s=time_s, chips=1, tokens=1, usd_per_chip_s=given["usd_per_chip_s"]))


def _of_weights(given: Given) -> dict[str, float]:
    return {
        "active_params": given["active_params"],
        "expansion": given["total_params"] / given["active_params"],
        "hbm_bytes_per_s": given["hbm_bytes_per_s"],
        "usd_per_chip_s": given["usd_per_chip_s"],
    }


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "cost-weights",
        time_stamp="0:13:00",
        question="A model has {total_params} parameters of one byte, {active_params} of them active. Its chips read"
        " {hbm_bytes_per_s} and rent for {usd_per_chip_s} each. At a batch of {batch}, how much of a token's cost is"
        " reading the weights?",
        inputs=WEIGHTS,
        equation=pricing.usd_per_token,
        answer=lambda: _usd(WEIGHTS, WEIGHTS["total_params"]) / WEIGHTS["batch"],
        dimension="usd_per_token",
        tolerance=0.05,
        working="The batch shares the chip-seconds of one read of all weights, however many chips share the read:"
        " {total_params} * 1 B / {hbm_bytes_per_s} * {usd_per_chip_s} / {batch}",
        place=Place(
            board="cost",
            way=Way.UPRIGHT,
            line="weight fetch",
            at=lambda given: given["batch"],
            turned=_of_weights,
            lines=("compute",),
        ),
    ),
    compose(
        "cost-contexts",
        time_stamp="0:15:39",
        question="Each token of context leaves {kv_bytes_per_token} of KV cache, and contexts are {context_tokens}"
        " tokens long. Chips read {hbm_bytes_per_s} and rent for {usd_per_chip_s} each. How much of a new token's cost"
        " is reading its context?",
        inputs=CONTEXTS,
        equation=pricing.usd_per_token,
        answer=lambda: _usd(CONTEXTS, CONTEXTS["context_tokens"] * CONTEXTS["kv_bytes_per_token"]),
        dimension="usd_per_token",
        tolerance=0.05,
        working="Nobody else reads this context, so no batch shares the cost: {context_tokens} * {kv_bytes_per_token}"
        " / {hbm_bytes_per_s} * {usd_per_chip_s}",
        place=Place(
            board="cost",
            way=Way.UPRIGHT,
            line="KV fetch",
            at=lambda _: ANY_BATCH,
            turned=dict,
            lines=("weight fetch",),
        ),
    ),
)
