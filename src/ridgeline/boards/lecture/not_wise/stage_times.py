"""Layers of a decoding pipeline by their time: what two boards take of a model whose layers differ."""

from __future__ import annotations

from functools import partial
from math import fsum

from ridgeline.boards.board import Control, Values
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.not_wise import layer_kinds
from ridgeline.boards.lecture.numbers import BALANCE_BATCH, EXPANSION
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.boards.lecture.pipelines.hand_over import MOST_STAGES, stages
from ridgeline.equations import pipelines, roofline
from ridgeline.estimator.stage_cuts import Cut, even_cut, stage_times_s

__all__ = [
    "MACHINE",
    "MODEL",
    "WHY_MODEL",
    "chips_per_stage",
    "controls_of",
    "even_times_s",
    "idle_fraction",
    "kv_bytes_of_a_layer",
    "kv_bytes_per_sequence",
    "layer_times_s",
    "layers_of",
]

MODEL, MACHINE = "gemma-3-27b", "h100-sxm"
WHY_MODEL = "a model with layers of two kinds"
"""Five windows to each layer that attends to everything; on a node of eight chips a stage."""

SEQUENCES = 64
"""Sequences of a micro-batch in careful mode: what a node still answers quickly."""


def chips_per_stage() -> Control:
    """Chips that share the layers of one stage."""
    return Control(
        name="chips_per_stage",
        meaning="chips per stage",
        dimension="count",
        low=1,
        high=16384,
        lecture=numbers.CHIPS_PER_STAGE,
        careful=lambda facts: facts.machine.scale_up_chips,
        is_whole=True,
    )


def controls_of(context_tokens: float) -> tuple[Control, ...]:
    """Controls that the time of each layer depends on."""
    return (
        stages(numbers.STAGES_DRAWN, numbers.STAGES_DRAWN.value),
        Control(
            name="layers",
            meaning="layers",
            dimension="count",
            low=MOST_STAGES,
            high=256,
            lecture=numbers.LAYERS,
            careful=lambda facts: facts.model.layers,
            is_whole=True,
        ),
        Control(
            name="global_every",
            meaning="layers per global layer",
            short="global every",
            dimension="count",
            low=1,
            high=64,
            lecture=filled_in(4, why="a usual mix of layers"),
            careful=layer_kinds.global_every,
            is_whole=True,
        ),
        Control(
            name="window",
            meaning="tokens of window",
            called="attention window, in tokens",
            short="window",
            dimension="count",
            low=1,
            high=1e6,
            lecture=filled_in(1024, why="a usual window"),
            careful=layer_kinds.window_tokens,
        ),
        controls.context_tokens(lecture=filled_in(100e3, why="a context as they are sold"), careful=context_tokens),
        controls.kv_bytes_per_token(),
        Control(
            name="batch_per_stage",
            meaning="sequences per micro-batch",
            short="sequences",
            dimension="count",
            low=1,
            high=1e5,
            lecture=BALANCE_BATCH,
            careful=SEQUENCES,
            is_whole=True,
        ),
        controls.active_params(
            filled_in(float(numbers.TRILLION_PARAMS) / float(EXPANSION), why="a trillion, at his sparsity")
        ),
        controls.weight_bytes(numbers.TRILLION_BYTES),
        chips_per_stage(),
        controls.flop_per_s(),
        controls.hbm_bytes_per_s(),
    )


def kv_bytes_of_a_layer(values: Values, context_tokens: float) -> tuple[float, float]:
    """Keys and values of a sequence in a layer with a window, and in one that attends to everything."""
    layers, every = int(values["layers"]), int(values["global_every"])
    entry_bytes = values["kv_bytes_per_token"] / max(1, layer_kinds.global_layers(layers, every))
    return entry_bytes * min(values["window"], context_tokens), entry_bytes * context_tokens


def kv_bytes_per_sequence(values: Values, context_tokens: float) -> float:
    """Bytes of keys and values of a sequence in all layers."""
    layers, every = int(values["layers"]), int(values["global_every"])
    near_bytes, whole_bytes = kv_bytes_of_a_layer(values, context_tokens)
    whole = layer_kinds.global_layers(layers, every)
    return (layers - whole) * near_bytes + whole * whole_bytes


def layer_times_s(values: Values, context_tokens: float) -> list[float]:
    """Time of each layer for a micro-batch, s: the board's roofline for its share of parameters and KV cache."""
    layers, every = int(values["layers"]), int(values["global_every"])
    layer_s = partial(
        roofline.step_time_s,
        batch=values["batch_per_stage"],
        active_params=values["active_params"] / layers,
        weight_bytes=values["weight_bytes"] / layers,
        flop_per_s=values["chips_per_stage"] * values["flop_per_s"],
        hbm_bytes_per_s=values["chips_per_stage"] * values["hbm_bytes_per_s"],
    )
    near, whole = (
        float(layer_s(kv_bytes_per_sequence=kv_bytes)) for kv_bytes in kv_bytes_of_a_layer(values, context_tokens)
    )
    return [whole if is_whole else near for is_whole in layer_kinds.are_global(layers, every)]


def layers_of(values: Values, stages: int | None = None) -> Cut:
    """The cut by numbers of layers; into as many stages as the board has, or into others."""
    return even_cut(layers=int(values["layers"]), stages=stages or int(values["stages"]))


def even_times_s(values: Values, context_tokens: float, stages: int | None = None) -> tuple[float, ...]:
    """Times of equally large stages, s."""
    return stage_times_s(layer_times_s(values, context_tokens), layers_of(values, stages))


def idle_fraction(times_s: tuple[float, ...]) -> float:
    """Part of their time that stages wait for the slowest."""
    found = pipelines.uneven_idle_fraction(path_s=fsum(times_s), slowest_s=max(times_s), stages=len(times_s))
    return float(found)
