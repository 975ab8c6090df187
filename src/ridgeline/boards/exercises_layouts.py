"""Exercises on layouts: experts and their copies, cuts of a layer, stages across racks, cables, and pipelines.

Tolerances as among the exercises on serving.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.equations import collectives, cuts, memory, pipelines, racks
from ridgeline.estimator import expert_placement

__all__ = ["EXERCISES"]

SOUGHT = {"first": 9.0, "second": 5.0, "third": 4.0, "fourth": 2.0, "redundant_experts": 2.0}
LOADS = {"first": 14.0, "second": 9.0, "third": 8.0, "fourth": 9.0}
HOP = {"batch": 1500.0, "hidden": 8000.0, "value_bytes": 2.0, "ports": 16.0, "bytes_per_s": 50e9}
SCHEDULED = {"stages": 8.0, "micro_batches": 32.0, "layers": 64.0, "layer_bytes": 200e6}
LOOPED = {"micro_batches": 12.0, "stages": 4.0, "sequences": 32.0, "kv_bytes_per_sequence": 1.5e9}


def _sought() -> tuple[float, ...]:
    return tuple(SOUGHT[name] for name in ("first", "second", "third", "fourth"))


def _busiest_copy() -> float:
    copies = expert_placement.copies_of_experts(visits=_sought(), redundant_experts=int(SOUGHT["redundant_experts"]))
    return max(load / held for load, held in zip(_sought(), copies, strict=True))


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "racks-busiest",
        question="Four chips of a layer's experts serve {first}, {second}, {third} and {fourth} visits. How many times"
        " as long as with even work does the layer's arithmetic take?",
        inputs=LOADS,
        equation=expert_placement.load_over_mean,
        answer=lambda: expert_placement.load_over_mean(loads=tuple(LOADS.values())),
        dimension="count",
        tolerance=0.01,
        working="all wait for the busiest: {first} / (({first} + {second} + {third} + {fourth}) / 4)",
    ),
    compose(
        "racks-copies",
        question="Of four experts one token in a batch of twenty goes {first}, {second}, {third} and {fourth} times;"
        " there is room for {redundant_experts} further copies, over which visits are split evenly. How many visits"
        " does the busiest copy serve, if the copies go where they help most?",
        inputs=SOUGHT,
        equation=expert_placement.copies_of_experts,
        answer=_busiest_copy,
        dimension="count",
        tolerance=0.0,
        working="the first copy halves {first}, the next halves {second}; now the busiest of {first} / 2, {second} / 2,"
        " {third} and {fourth}",
    ),
    compose(
        "racks-local",
        question="Experts lie evenly over {ranks} racks, each once. Which part of all visits leaves its rack?",
        inputs={"ranks": 5.0},
        equation=collectives.others_fraction,
        dimension="fraction",
        tolerance=0.01,
        working="all but those to the own rack: ({ranks} - 1) / {ranks}",
    ),
    compose(
        "racks-tensor",
        question="Every matrix of a layer is cut over {ranks} chips, which sum their results twice a layer. How much"
        " does a chip send for {tokens} tokens that are {hidden} values wide, {value_bytes} each?",
        inputs={"tokens": 256.0, "hidden": 4000.0, "value_bytes": 2.0, "ranks": 8.0},
        equation=cuts.tensor_bytes,
        dimension="bytes",
        tolerance=0.05,
        working="two sums, each sent nearly twice: 4 * ({ranks} - 1) / {ranks} * {tokens} * {hidden} * {value_bytes}",
    ),
    compose(
        "racks-expert",
        question="{tokens} tokens lie evenly on {ranks} chips, {hidden} values wide. Each goes to {copies_per_token}"
        " other places in {dispatch_bytes} a value and returns in {combine_bytes}. How much does a chip send a layer,"
        " if places are chosen evenly and its own chip costs nothing?",
        inputs={
            "tokens": 3200.0,
            "copies_per_token": 5.0,
            "hidden": 4000.0,
            "dispatch_bytes": 1.0,
            "combine_bytes": 2.0,
            "ranks": 32.0,
        },
        equation=cuts.expert_bytes,
        dimension="bytes",
        tolerance=0.05,
        working="its own tokens, there and back: ({ranks} - 1) / {ranks} * {tokens} / {ranks} * {copies_per_token} *"
        " {hidden} * ({dispatch_bytes} + {combine_bytes})",
    ),
    compose(
        "racks-hand-over",
        question="A stage of {ranks} chips runs {layers_per_stage} layers for {tokens} tokens of {hidden} values,"
        " {value_bytes} each, and hands them on. How much does each chip send for a layer?",
        inputs={"tokens": 3200.0, "hidden": 4000.0, "value_bytes": 2.0, "ranks": 32.0, "layers_per_stage": 20.0},
        equation=cuts.pipeline_bytes,
        dimension="bytes",
        tolerance=0.01,
        working="its own tokens, once for all layers: {tokens} / {ranks} * {hidden} * {value_bytes} /"
        " {layers_per_stage}",
    ),
    compose(
        "racks-enough",
        question="One layer's traffic inside a rack takes {ratio_of_one_layer} times as long as handing the batch on"
        " to the next rack. How many layers must a stage have at least for the hand-over to cost no time?",
        inputs={"ratio_of_one_layer": 0.4},
        equation=racks.layers_to_hide,
        dimension="count",
        tolerance=0.0,
        working="each layer adds as much, rounded up: ⌈1 / {ratio_of_one_layer}⌉",
    ),
    compose(
        "racks-hop",
        question="A rack hands {batch} tokens of {hidden} values, {value_bytes} each, to the next through {ports} ports"
        " of {bytes_per_s}. How long does that take, latencies left out?",
        inputs=HOP,
        equation=collectives.send_time_s,
        answer=lambda: collectives.send_time_s(
            message_bytes=HOP["batch"] * HOP["hidden"] * HOP["value_bytes"] / HOP["ports"],
            ranks=2,
            bytes_per_s=HOP["bytes_per_s"],
            latency_s=0,
        ),
        dimension="s",
        tolerance=0.05,
        working="each port its part: {batch} * {hidden} * {value_bytes} / {ports} / {bytes_per_s}",
    ),
    compose(
        "racks-torus",
        question="{chips} chips form a torus of {axes} axes of equal sides. How many links join its two halves?",
        inputs={"chips": 512.0, "axes": 3.0},
        equation=racks.torus_bisection_links,
        dimension="count",
        tolerance=0.01,
        working="rings are cut in two places, a plane of links each: 2 * {chips}^(1 - 1 / {axes})",
    ),
    compose(
        "racks-cables",
        question="How many cables join {chips} chips, each to every other, without a switch?",
        inputs={"chips": 24.0},
        equation=racks.mesh_cables,
        dimension="count",
        tolerance=0.0,
        working="pairs: {chips} * ({chips} - 1) / 2",
    ),
    compose(
        "pipelines-kept",
        question="{layers} layers lie over {stages} stages; {micro_batches} micro-batches each leave {layer_bytes} of"
        " activations a layer. How much does the first stage keep at most, one forward and one backward in turn?",
        inputs=SCHEDULED,
        equation=pipelines.peak_micro_batches,
        answer=lambda: (
            pipelines.peak_micro_batches(stages=SCHEDULED["stages"], micro_batches=SCHEDULED["micro_batches"])
            * SCHEDULED["layers"]
            / SCHEDULED["stages"]
            * SCHEDULED["layer_bytes"]
        ),
        dimension="bytes",
        tolerance=0.01,
        working="as many micro-batches as stages, fewer than {micro_batches}, each with a stage's layers: {stages} *"
        " {layers} / {stages} * {layer_bytes}",
    ),
    compose(
        "pipelines-cached",
        question="{micro_batches} micro-batches of {sequences} sequences, {kv_bytes_per_sequence} of cache each, circle"
        " through {stages} equal stages that decode. How much cache does a stage hold?",
        inputs=LOOPED,
        equation=memory.bytes_per_chip,
        answer=lambda: memory.bytes_per_chip(
            weight_bytes=0,
            kv_bytes_per_sequence=LOOPED["kv_bytes_per_sequence"],
            batch=LOOPED["micro_batches"] * LOOPED["sequences"],
            chips_per_stage=1,
            stages=LOOPED["stages"],
        )[1],
        dimension="bytes",
        tolerance=0.01,
        working="every micro-batch's, for a stage's part of the layers: {micro_batches} * {sequences} *"
        " {kv_bytes_per_sequence} / {stages}",
    ),
)
