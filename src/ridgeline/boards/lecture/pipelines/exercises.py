"""Questions on pipelines that a number answers.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one; what is counted, or comes
out round, is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.card import Level
from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Place, Way
from ridgeline.equations import batches, memory, pipelines

__all__ = ["EXERCISES"]

SCHEDULED = {"stages": 8.0, "micro_batches": 32.0, "layers": 64.0, "layer_bytes": 200e6}
LOOPED = {"micro_batches": 12.0, "stages": 4.0, "sequences": 32.0, "kv_bytes_per_sequence": 1.5e9}
MICRO_BATCH_TOKENS = 200e3
"""Tokens of the board's micro-batch; only the critical batch's ratio to it counts."""


def _kept_bytes() -> float:
    kept = pipelines.peak_micro_batches(stages=SCHEDULED["stages"], micro_batches=SCHEDULED["micro_batches"])
    return float(kept * SCHEDULED["layers"] / SCHEDULED["stages"] * SCHEDULED["layer_bytes"])


def _cached_bytes() -> float:
    _, kv = memory.bytes_per_chip(
        weight_bytes=0,
        kv_bytes_per_sequence=LOOPED["kv_bytes_per_sequence"],
        batch=LOOPED["micro_batches"] * LOOPED["sequences"],
        chips_per_stage=1,
        stages=LOOPED["stages"],
    )
    return float(kv)


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "pipelines-idle",
        question="{micro_batches} batches circle through {stages} equal decode stages. What share of its time is a"
        " stage idle?",
        inputs={"stages": 8.0, "micro_batches": 3.0},
        equation=pipelines.idle_fraction,
        dimension="fraction",
        tolerance=0.01,
        working="The stages without work: 1 - {micro_batches} / {stages}",
        time_stamp="0:58:00",
        level=Level.APPLY,
        place=Place(
            board="inference-loop",
            view=2,
            way=Way.UPRIGHT,
            line="idle",
            at=lambda given: given["micro_batches"],
            turned=dict,
        ),
    ),
    compose(
        "pipelines-bubble",
        question="A training step takes {micro_batches} micro-batches through {stages} equal stages, all forward and"
        " then all backward. What share of the step does a stage idle while the pipeline fills and drains?",
        inputs={"stages": 8.0, "micro_batches": 24.0},
        equation=pipelines.training_bubble_fraction,
        dimension="fraction",
        tolerance=0.05,
        working="Idle slots over all slots: ({stages} - 1) / ({micro_batches} + {stages} - 1)",
        time_stamp="0:59:00",
        level=Level.APPLY,
        place=Place(
            board="bubbles",
            view=1,
            way=Way.UPRIGHT,
            line="training",
            at=lambda given: given["micro_batches"],
            turned=dict,
            lines=("decode in a loop",),
        ),
    ),
    compose(
        "pipelines-loop",
        question="A micro-batch takes {path_s} once round a decode pipeline, {slowest_s} of it in the slowest stage."
        " With {micro_batches} micro-batches in flight, how long until each has gained a token?",
        inputs={"path_s": 0.025, "slowest_s": 0.006, "micro_batches": 6.0},
        equation=pipelines.loop_time_s,
        dimension="s",
        tolerance=0.01,
        working="The slowest stage's work takes longer than the way round, {path_s}: {micro_batches} * {slowest_s}",
        time_stamp="1:09:30",
        level=Level.COMBINE,
    ),
    compose(
        "pipelines-fill",
        question="A micro-batch takes {path_s} through an empty pipeline, {slowest_s} of it in the slowest stage. How"
        " long until the last of {micro_batches} micro-batches is through?",
        inputs={"path_s": 0.024, "slowest_s": 0.004, "micro_batches": 10.0},
        equation=pipelines.filled_time_s,
        dimension="s",
        tolerance=0.01,
        working="The way of the first, then one turn of the slowest stage for each other: {path_s} + ({micro_batches}"
        " - 1) * {slowest_s}",
        time_stamp="0:57:01",
        level=Level.APPLY,
    ),
    compose(
        "pipelines-kept",
        question="A model of {layers} layers trains on {stages} stages, and each of {micro_batches} micro-batches"
        " leaves {layer_bytes} of activations per layer. With forward and backward passes in turn (1F1B), how much"
        " does the first stage keep at most?",
        inputs=SCHEDULED,
        equation=pipelines.peak_micro_batches,
        answer=_kept_bytes,
        dimension="bytes",
        tolerance=0.01,
        working="As many micro-batches as stages (fewer than {micro_batches}), for the layers of one stage: {stages} *"
        " {layers} / {stages} * {layer_bytes}",
        time_stamp="1:00:30",
        level=Level.COMBINE,
    ),
    compose(
        "pipelines-cached",
        question="{micro_batches} micro-batches of {sequences} sequences circle through {stages} equal decode stages."
        " A sequence's KV cache takes {kv_bytes_per_sequence} over all layers. How much KV cache does a stage hold?",
        inputs=LOOPED,
        equation=memory.bytes_per_chip,
        answer=_cached_bytes,
        dimension="bytes",
        tolerance=0.01,
        working="All sequences' caches, for its share of the layers: {micro_batches} * {sequences} *"
        " {kv_bytes_per_sequence} / {stages}",
        time_stamp="1:11:00",
        level=Level.APPLY,
    ),
    compose(
        "pipelines-batch",
        question="A pipeline of {stages} equal stages trains a model. At its critical batch of"
        " {critical_micro_batches} micro-batches, a given loss takes twice as many tokens as with small batches. How"
        " many micro-batches per step reach the loss soonest?",
        inputs={"stages": 10.0, "critical_micro_batches": 64.0},
        equation=batches.fastest_micro_batches,
        dimension="count",
        tolerance=0.0,
        working="Where the extra tokens cost as much as the bubble: √(({stages} - 1) * {critical_micro_batches})",
        time_stamp="0:59:50",
        level=Level.COMBINE,
        place=Place(
            board="training-batch",
            way=Way.ALONG,
            line="time to a given loss",
            mark="best",
            turned=lambda given: {
                "stages": given["stages"],
                "micro_batch_tokens": MICRO_BATCH_TOKENS,
                "critical_batch_tokens": given["critical_micro_batches"] * MICRO_BATCH_TOKENS,
            },
            lines=("idle in the bubble",),
            on="idle in the bubble",
        ),
    ),
)
