"""Questions on memory and on uneven stages that a number answers.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one; what is counted, or comes
out round, is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.card import Level
from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.lecture.not_wise.not_wise import handed_on
from ridgeline.boards.place import Place, Way
from ridgeline.equations import memory, pipelines, pricing

__all__ = ["EXERCISES"]

FULL = {"hbm_bytes": 640e9, "weight_bytes": 240e9, "context_tokens": 8000.0, "kv_bytes_per_token": 100e3}
DEARER = {"part_fraction": 0.075, "to_fraction": 0.4}
STAGED = {"weight_bytes": 2e12, "chips_per_stage": 32.0, "stages": 5.0}
CACHED = {"batch": 600.0, "stages": 4.0, "chips_per_stage": 32.0, "kv_bytes_per_sequence": 1.6e9}
UNEVEN = {"slowest_s": 0.008, "other_s": 0.006, "stages": 4.0}
ATTENDED = {"layers": 60.0, "stages": 4.0}
CONTEXT_TOKENS = 100e3
"""Context length of the board, over which a sequence's cache is spread."""


def _full() -> float:
    found = memory.memory_full_batch(
        hbm_bytes=FULL["hbm_bytes"],
        weight_bytes=FULL["weight_bytes"],
        kv_bytes_per_sequence=FULL["context_tokens"] * FULL["kv_bytes_per_token"],
    )
    return float(found)


def _weights() -> float:
    weights, _ = memory.bytes_per_chip(batch=0, kv_bytes_per_sequence=0, **STAGED)
    return float(weights)


def _caches() -> float:
    _, kv = memory.bytes_per_chip(weight_bytes=0, **CACHED | {"batch": CACHED["batch"] * CACHED["stages"]})
    return float(kv)


def _waiting() -> float:
    path_s = UNEVEN["slowest_s"] + (UNEVEN["stages"] - 1) * UNEVEN["other_s"]
    found = pipelines.uneven_idle_fraction(path_s=path_s, slowest_s=UNEVEN["slowest_s"], stages=UNEVEN["stages"])
    return float(found)


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "memory-dearer",
        question="Memory is {part_fraction} of what a GB200 rack sells for. How many times as dear must it get, all"
        " else as it is, to be {to_fraction}?",
        inputs=DEARER,
        equation=pricing.part_price_ratio,
        dimension="count",
        tolerance=0.05,
        working="The rest stays: {to_fraction} / (1 - {to_fraction}) * (1 - {part_fraction}) / {part_fraction}",
        time_stamp="1:03:59",
        level=Level.APPLY,
        place=Place(
            board="memory-wall",
            view=1,
            way=Way.ALONG,
            line="GB200 rack",
            mark="GB200 rack there",
            turned=lambda given: {"quoted_fraction": given["to_fraction"]},
            lines=("as quoted",),
            on="as quoted",
        ),
    ),
    compose(
        "pipelines-uneven",
        question="One of {stages} stages takes {slowest_s} per micro-batch, the others {other_s} each. What share of"
        " their time do the stages wait, on average over all of them?",
        inputs=UNEVEN,
        equation=pipelines.uneven_idle_fraction,
        answer=_waiting,
        dimension="fraction",
        tolerance=0.01,
        working="All wait until the slowest is done: 1 - ({slowest_s} + ({stages} - 1) * {other_s}) / ({stages} *"
        " {slowest_s})",
        time_stamp="0:54:40",
        level=Level.APPLY,
    ),
    compose(
        "pipelines-residuals",
        question="{layers} layers lie evenly over {stages} stages, and each layer attends to the outputs of all layers"
        " before it. How many vectors per token do the stages hand on in all?",
        inputs=ATTENDED,
        equation=pipelines.handed_on_outputs,
        answer=lambda: handed_on(attended_layers=ATTENDED["layers"], **ATTENDED),
        dimension="count",
        tolerance=0.0,
        working="At every boundary, the outputs of all layers so far: {layers} / {stages} * (1 + ... + ({stages} - 1))",
        time_stamp="0:54:40",
        level=Level.APPLY,
        place=Place(
            board="not-wise",
            view=1,
            way=Way.UPRIGHT,
            line="look back at all earlier layers",
            at=lambda given: given["stages"],
            turned=dict,
            lines=("no look-back",),
        ),
    ),
    compose(
        "memory-full",
        question="Chips with {hbm_bytes} in all hold {weight_bytes} of weights, and a token takes {kv_bytes_per_token}"
        " of KV cache. How many sequences of {context_tokens} tokens fit?",
        inputs=FULL,
        equation=memory.memory_full_batch,
        answer=_full,
        dimension="count",
        tolerance=0.01,
        working="What the weights leave, over a sequence's cache: ({hbm_bytes} - {weight_bytes}) / ({context_tokens} *"
        " {kv_bytes_per_token})",
        time_stamp="1:05:00",
        level=Level.APPLY,
    ),
    compose(
        "memory-weights",
        question="A pipeline spreads {weight_bytes} of weights over {stages} racks of {chips_per_stage} chips. How"
        " much of them does a chip hold?",
        inputs=STAGED,
        equation=memory.bytes_per_chip,
        answer=_weights,
        dimension="bytes",
        tolerance=0.01,
        working="The weights over all chips: {weight_bytes} / ({chips_per_stage} * {stages})",
        time_stamp="1:07:00",
        level=Level.APPLY,
        place=Place(
            board="memory",
            way=Way.UPRIGHT,
            line="weights",
            at=lambda given: given["stages"],
            turned=dict,
            lines=("memory of a chip",),
        ),
    ),
    compose(
        "memory-caches",
        question="Each of {stages} pipeline stages of {chips_per_stage} chips works on a micro-batch of {batch}"
        " sequences. A sequence's KV cache takes {kv_bytes_per_sequence} over all layers. How much KV cache does a"
        " chip hold?",
        inputs=CACHED,
        equation=memory.bytes_per_chip,
        answer=_caches,
        dimension="bytes",
        tolerance=0.01,
        working="The stages divide each cache, but there are as many times more sequences: {stages} * {batch} *"
        " {kv_bytes_per_sequence} / ({chips_per_stage} * {stages})",
        time_stamp="1:11:00",
        level=Level.APPLY,
        place=Place(
            board="memory",
            way=Way.UPRIGHT,
            line="KV cache",
            at=lambda given: given["stages"],
            turned=lambda given: {
                "batch_per_stage": given["batch"],
                "chips_per_stage": given["chips_per_stage"],
                "context_tokens": CONTEXT_TOKENS,
                "kv_bytes_per_token": given["kv_bytes_per_sequence"] / CONTEXT_TOKENS,
                "stages": given["stages"],
            },
            lines=("weights",),
        ),
    ),
    compose(
        "memory-balance-time",
        question="Weights fill {weights_fraction} of a memory that takes {memory_sweep_time_s} to read. At the batch"
        " where computing takes as long as reading the weights, how long is a step?",
        inputs={"weights_fraction": 0.3, "memory_sweep_time_s": 0.024},
        equation=memory.balance_step_time_s,
        dimension="s",
        tolerance=0.01,
        working="The weights' share of one read of the memory: {weights_fraction} * {memory_sweep_time_s}",
        time_stamp="0:24:22",
        level=Level.COMBINE,
    ),
)
