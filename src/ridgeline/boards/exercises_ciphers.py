"""Exercises on difference tables, on activations that are computed again, and on what a pipeline's schedule keeps.

Tolerances as among the others: five percent for several steps, one for one, none for what is counted.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.equations import ciphers, memory, pipelines, training

__all__ = ["EXERCISES"]

TABLE = {"first": 0.0, "second": 1.0, "third": 3.0, "fourth": 2.0}
MOVED = {"bits": 64.0, "place": 21.0, "factor": 16.0}
KEPT = {"layers": 100.0, "interval": 10.0, "kept_fraction": 0.06}
STORED = {"layers": 80.0, "batch_tokens": 4096.0, "hidden": 8192.0}
AGAIN = {"repeated_forward_fraction": 0.75}
SCHEDULED = {"stages": 8.0, "micro_batches": 32.0, "layers": 64.0, "layer_bytes": 200e6}
LOOPED = {"micro_batches": 12.0, "stages": 4.0, "sequences": 32.0, "kv_bytes_per_sequence": 1.5e9}

CIPHERS = (
    compose(
        "ciphers-table",
        question="A substitution takes 0, 1, 2 and 3 to {first}, {second}, {third} and {fourth}. How many of its four"
        " inputs change by 3 (as XOR) in the output when they are changed by 2?",
        inputs=TABLE,
        equation=ciphers.difference_table,
        answer=lambda: ciphers.difference_table(s_box=[int(value) for value in TABLE.values()])[2][3],
        dimension="count",
        tolerance=0.0,
        working="0 and 2 go to {first} and {third}, 1 and 3 to {second} and {fourth}; both pairs differ by 3, each"
        " counted from either side: 2 * 2",
    ),
    compose(
        "ciphers-permutation",
        question="PRESENT's last layer takes bit number i of {bits}, but for the last, to {factor} i modulo 63. Where"
        " does bit number {place} go?",
        inputs=MOVED,
        equation=ciphers.present_permuted,
        answer=lambda: ciphers.present_permuted(block=1 << int(MOVED["place"])).bit_length() - 1,
        dimension="count",
        tolerance=0.0,
        working="what is left of the product after dividing by 63: ({factor} * {place}) mod 63",
    ),
    compose(
        "ciphers-checkpoints",
        question="A network of {layers} layers keeps the input of every tenth, which takes {kept_fraction} of a layer's"
        " activations, and computes {interval} layers again at a time. How many layers' activations does it hold at"
        " most?",
        inputs=KEPT,
        equation=ciphers.checkpointed_peak_layers,
        dimension="count",
        tolerance=0.05,
        working="all kept inputs and one interval: {kept_fraction} * {layers} / {interval} + {interval}",
    ),
    compose(
        "ciphers-activations",
        question="Each value of the stream leaves 34 bytes of activations a layer, scores not stored. How many do"
        " {layers} layers, {hidden} wide, keep for {batch_tokens} tokens?",
        inputs=STORED,
        equation=training.activation_bytes,
        answer=lambda: training.activation_bytes(
            sequence_tokens=STORED["batch_tokens"],
            sequences=1,
            hidden=STORED["hidden"],
            heads=0,
            layers=STORED["layers"],
        ),
        dimension="bytes",
        tolerance=0.05,
        working="34 bytes * {batch_tokens} * {hidden} * {layers}",
    ),
    compose(
        "ciphers-again",
        question="{repeated_forward_fraction} of a network's layers are reversible, and run forward a second time for"
        " their gradients. How many FLOP does training take for a parameter and a token?",
        inputs=AGAIN,
        equation=training.rl_flop_per_param,
        answer=lambda: training.rl_flop_per_param(trained_fraction=1, **AGAIN),
        dimension="count",
        tolerance=0.01,
        working="two forward, four backward, two again for a part: 6 + 2 * {repeated_forward_fraction}",
    ),
)

PIPELINES = (
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

EXERCISES: tuple[Exercise, ...] = (*PIPELINES, *CIPHERS)
