"""Exercises on the roofline of a decode step.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one; what is counted, or comes
out round, is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS
from ridgeline.boards.lecture.numbers import BALANCE_RATIO, EXPANSION, SHORT_TOKENS
from ridgeline.boards.place import Given, Place, Way
from ridgeline.equations import contexts, roofline
from ridgeline.quantity_text import counted, format_quantity

__all__ = ["EXERCISES"]

BITS = 8
"""Bits of a byte; parameters are told in bits, since a B beside billions could be either."""
FLOP_PER_S = 2e15
"""Arithmetic rate of the board's chip, FLOP/s."""

FLOOR = {
    "params": 120e9,
    "bits_per_param": 8.0,
    "active_params": 15e9,
    "chips": 16.0,
    "hbm_bytes_per_s": 4e12,
    "flop_per_s": FLOP_PER_S,
    "batch": 512.0,
}
FLOOR_BYTES = FLOOR["params"] * FLOOR["bits_per_param"] / BITS
CHIP = {"flop_per_s": 1.8e15, "hbm_bytes_per_s": 4.5e12, "bits_per_param": 16.0}
SPARSE = {"balance_ratio": 300.0, "total_params": 480e9, "active_params": 32e9}
OWN = {"balance_ratio": float(BALANCE_RATIO), "total_params": 671e9, "active_params": float(ACTIVE_PARAMS)}
"""DeepSeek-V3's parameters, as published, and the lecture's 300."""

ALONE = "balance batch without contexts"
CHIPS = 8.0
"""Chips over which a domain's numbers are summed, for a board that asks for those of one chip."""
EMPTY_CONTEXT_TOKENS = 1.0
"""Least context of the board: its cache is read in next to no time."""
CROSSOVER_TOKENS = 100e3
THIS_YEAR = 2026.0


def _bandwidth(given: Given) -> float:
    """Memory bandwidth at which the board's chip has the given balance ratio, for parameters of one byte."""
    return FLOP_PER_S / 2 / given["balance_ratio"]


def _of_a_model(given: Given) -> dict[str, float]:
    return {
        "active_params": given["active_params"],
        "expansion": given["total_params"] / given["active_params"],
        "hbm_bytes_per_s": _bandwidth(given),
    }


def _of_times(given: Given) -> dict[str, float]:
    """A chip and a model that take these times."""
    active = given["compute_time_per_sequence_s"] * FLOP_PER_S / 2
    bandwidth = active * float(EXPANSION) / given["weight_time_s"]
    return {
        "chips": 1.0,
        "active_params": active,
        "hbm_bytes_per_s": bandwidth,
        "kv_bytes_per_token": given["kv_time_per_sequence_s"] * bandwidth / float(SHORT_TOKENS),
    }


def _ratio(given: Given) -> float:
    found = roofline.balance_ratio(
        flop_per_s=given["flop_per_s"],
        hbm_bytes_per_s=given["hbm_bytes_per_s"],
        bytes_per_param=given["bits_per_param"] / BITS,
    )
    return float(found)


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "roofline-floor",
        time_stamp="0:09:54",
        question="A model has {params} parameters of {bits_per_param} bits, {active_params} of them active, spread over"
        " {chips} chips that read {hbm_bytes_per_s} and compute {flop_per_s} each. How long does a decode step of"
        " {batch} sequences take at least, at an empty context and with all experts in use?",
        inputs=FLOOR,
        equation=roofline.memory_time_s,
        answer=lambda: roofline.memory_time_s(
            batch=1,
            weight_bytes=FLOOR_BYTES,
            kv_bytes_per_sequence=0,
            hbm_bytes_per_s=FLOOR["chips"] * FLOOR["hbm_bytes_per_s"],
        ),
        dimension="s",
        tolerance=0.05,
        working="Reading takes longer than computing. Every weight, of {bits_per_param} bits or"
        f" {counted(FLOOR['bits_per_param'] / BITS, 'byte')}, is read once:"
        f" {format_quantity(FLOOR_BYTES, 'bytes')} / ({{chips}} * {{hbm_bytes_per_s}})",
        place=Place(
            board="latency",
            way=Way.UPRIGHT,
            line="weight fetch",
            at=lambda given: given["batch"],
            turned=lambda given: {
                "active_params": given["active_params"],
                "expansion": given["params"] / given["active_params"],
                "bytes_per_param": given["bits_per_param"] / BITS,
                "chips": given["chips"],
                "flop_per_s": given["flop_per_s"],
                "hbm_bytes_per_s": given["hbm_bytes_per_s"],
                "context_tokens": EMPTY_CONTEXT_TOKENS,
            },
            lines=("compute",),
        ),
    ),
    compose(
        "roofline-compute",
        time_stamp="0:03:45",
        question="A chip at {flop_per_s} passes {tokens} tokens through {active_params} active parameters. How long"
        " does the arithmetic take, without attention?",
        inputs={"tokens": 512.0, "active_params": 20e9, "flop_per_s": 2e15},
        equation=roofline.compute_time_s,
        dimension="s",
        tolerance=0.05,
        working="A multiply and an add for each parameter and token: 2 * {tokens} * {active_params} / {flop_per_s}",
        place=Place(
            board="latency",
            way=Way.UPRIGHT,
            line="compute",
            at=lambda given: given["tokens"],
            turned=lambda given: {
                "active_params": given["active_params"],
                "flop_per_s": given["flop_per_s"],
                "chips": 1.0,
            },
            lines=("weight fetch",),
        ),
    ),
    compose(
        "roofline-ratio",
        time_stamp="0:17:00",
        question="A chip computes {flop_per_s} and reads {hbm_bytes_per_s}; a parameter has {bits_per_param} bits. How"
        " many parameters can it multiply while it reads one?",
        inputs=CHIP,
        equation=roofline.balance_ratio,
        answer=lambda: _ratio(CHIP),
        dimension="count",
        tolerance=0.01,
        working="Two FLOP per multiplication, 8 bits to a byte: {flop_per_s} / 2 * {bits_per_param} / 8 /"
        " {hbm_bytes_per_s}",
        place=Place(
            board="ratio",
            way=Way.UPRIGHT,
            line=f"{_ratio(CHIP):g}",
            at=lambda _: THIS_YEAR,
            turned=lambda given: {"balance_ratio": _ratio(given)},
            has_dots=True,
        ),
    ),
    compose(
        "roofline-balance",
        time_stamp="0:19:22",
        question="A chip multiplies {balance_ratio} parameters while it reads one. A model has {total_params}"
        " parameters, {active_params} of them active. Above what batch does the arithmetic take longer than reading"
        " the weights, without KV caches?",
        inputs=SPARSE,
        equation=roofline.balance_batch,
        answer=lambda: roofline.balance_batch(
            balance_ratio=SPARSE["balance_ratio"], expansion=SPARSE["total_params"] / SPARSE["active_params"]
        ),
        dimension="count",
        tolerance=0.01,
        working="The ratio times total over active parameters: {balance_ratio} * {total_params} / {active_params}",
        place=Place(
            board="latency",
            way=Way.ALONG,
            line="compute",
            mark=ALONE,
            turned=_of_a_model,
            lines=("weight fetch",),
            on="weight fetch",
        ),
    ),
    compose(
        "roofline-lecture-balance",
        time_stamp="0:19:22",
        question="In the lecture's numbers, a chip multiplies {balance_ratio} parameters while it reads one, and a"
        " model has {expansion} times as many parameters as a token uses. At what batch do the arithmetic and reading"
        " the weights take equally long?",
        inputs={"balance_ratio": float(BALANCE_RATIO), "expansion": float(EXPANSION)},
        equation=roofline.balance_batch,
        dimension="count",
        tolerance=0.0,
        working="The ratio times total over active parameters: {balance_ratio} * {expansion}",
        place=Place(
            board="latency",
            way=Way.ALONG,
            line="compute",
            mark=ALONE,
            turned=lambda given: {"expansion": given["expansion"], "hbm_bytes_per_s": _bandwidth(given)},
            lines=("weight fetch",),
            on="weight fetch",
        ),
    ),
    compose(
        "roofline-deepseek-balance",
        time_stamp="0:19:22",
        question="The lecture counts DeepSeek-V3 as 8 times as many parameters as a token uses. As published it has"
        " {total_params}, {active_params} of them active. With the lecture's ratio of {balance_ratio}, at what batch"
        " do the arithmetic and reading the weights take equally long?",
        inputs=OWN,
        equation=roofline.balance_batch,
        answer=lambda: roofline.balance_batch(
            balance_ratio=OWN["balance_ratio"], expansion=OWN["total_params"] / OWN["active_params"]
        ),
        dimension="count",
        tolerance=0.01,
        working="The ratio times total over active parameters: {balance_ratio} * {total_params} / {active_params}",
        place=Place(
            board="latency",
            way=Way.ALONG,
            line="compute",
            mark=ALONE,
            turned=_of_a_model,
            lines=("weight fetch",),
            on="weight fetch",
        ),
    ),
    compose(
        "roofline-step",
        time_stamp="0:03:16",
        question="The chips of a rack together compute {flop_per_s} and read {hbm_bytes_per_s}. They hold"
        " {weight_bytes} of weights, use {active_params} parameters per token, and decode {batch} sequences with"
        " {kv_bytes_per_sequence} of KV cache each. How long does a step take at least?",
        inputs={
            "batch": 256.0,
            "active_params": 30e9,
            "weight_bytes": 240e9,
            "kv_bytes_per_sequence": 2e9,
            "flop_per_s": 16e15,
            "hbm_bytes_per_s": 64e12,
        },
        equation=roofline.step_time_s,
        dimension="s",
        tolerance=0.05,
        working="Reading takes longer than computing, 2 * {batch} * {active_params} / {flop_per_s}: ({weight_bytes} +"
        " {batch} * {kv_bytes_per_sequence}) / {hbm_bytes_per_s}",
        place=Place(
            board="latency",
            way=Way.UPRIGHT,
            line="step",
            at=lambda given: given["batch"],
            turned=lambda given: {
                "active_params": given["active_params"],
                "expansion": given["weight_bytes"] / given["active_params"],
                "flop_per_s": given["flop_per_s"] / CHIPS,
                "hbm_bytes_per_s": given["hbm_bytes_per_s"] / CHIPS,
                "chips": CHIPS,
                "kv_bytes_per_token": given["kv_bytes_per_sequence"] / float(SHORT_TOKENS),
            },
            lines=("compute", "weight fetch"),
        ),
    ),
    compose(
        "roofline-balance-with-caches",
        time_stamp="0:20:00",
        question="Reading all weights takes {weight_time_s}. Each sequence adds {compute_time_per_sequence_s} of"
        " arithmetic and {kv_time_per_sequence_s} of reading its cache. At what batch do computing and reading take"
        " equally long?",
        inputs={
            "weight_time_s": 2e-3,
            "compute_time_per_sequence_s": 4e-6,
            "kv_time_per_sequence_s": 1.5e-6,
        },
        equation=roofline.balance_batch_with_kv,
        dimension="count",
        tolerance=0.01,
        working="The read of the weights, over the time by which a sequence's arithmetic is longer than its read:"
        " {weight_time_s} / ({compute_time_per_sequence_s} - {kv_time_per_sequence_s})",
        place=Place(
            board="latency",
            way=Way.ALONG,
            line="step",
            mark="balance batch",
            turned=_of_times,
            lines=("KV fetch", "weight fetch"),
            on="weight fetch",
        ),
    ),
    compose(
        "roofline-utilisation",
        time_stamp="0:11:00",
        question="A batch is {batch_over_balance} times the balance batch of the weights alone, and contexts are"
        " {context_over_crossover} times the crossover, where reading a cache takes as long as computing a token. For"
        " what share of a step can the arithmetic be busy at most?",
        inputs={"batch_over_balance": 3.0, "context_over_crossover": 2.0},
        equation=contexts.compute_fraction,
        dimension="fraction",
        tolerance=0.01,
        working="Time to compute over time to read weights and contexts: 1 / (1 / {batch_over_balance} +"
        " {context_over_crossover})",
        place=Place(
            board="utilisation",
            way=Way.UPRIGHT,
            line="this batch",
            at=lambda given: given["context_over_crossover"] * CROSSOVER_TOKENS,
            turned=lambda given: {
                "crossover_tokens": CROSSOVER_TOKENS,
                "balance_batches": given["batch_over_balance"],
            },
        ),
    ),
)
