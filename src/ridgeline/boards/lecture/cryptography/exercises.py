"""Exercises on ciphers, and on what a network keeps that it could compute again.

Five percent leaves room for several steps of mental arithmetic, one percent for one; what is counted is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Place, Way
from ridgeline.equations import activations, duality, training
from ridgeline.laboratory import ciphers, networks
from ridgeline.numeric import Numeric

__all__ = ["EXERCISES"]

KEPT_BYTES = 2e3
"""Bytes kept for a token of the board; with its parameters they make the FLOP that a byte saves."""

DEEP = {"layers": 48.0}
ROTATED = {"bits": 8.0, "places": 3.0}
FEISTEL = {"left": 3.0, "right": 5.0, "modulus": 100.0, "rounds": 2.0}
BACK = {"left": 41.0, "right": 6.0, "modulus": 64.0}
LINEAR = {"values": 16.0, "constant": 9.0}
TABLE = {"first": 0.0, "second": 1.0, "third": 3.0, "fourth": 2.0}
MOVED = {"bits": 64.0, "last": 63.0, "place": 20.0, "factor": 16.0}
KEPT = {"layers": 100.0, "interval": 10.0, "kept_fraction": 0.06}
STORED = {
    "layers": 80.0,
    "micro_batch_tokens": 4096.0,
    "hidden": 8192.0,
    "value_bytes": float(activations.ACTIVATION_BYTES),
}
AGAIN = {"repeated_forward_fraction": 0.75}


def _square(value: Numeric) -> Numeric:
    return value * value


HELD = {"flop_per_byte": 1e6, "flop_per_s": 4e14, "capacity_bytes": 80e9}


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "ciphers-forward",
        time_stamp="2:09:10",
        question="A Feistel round turns (x, y) into (y + x², x), modulo {modulus}. It starts from ({left}, {right})."
        " What is the left half after {rounds} rounds?",
        inputs=FEISTEL,
        equation=ciphers.feistel,
        answer=lambda: ciphers.feistel(
            left=FEISTEL["left"],
            right=FEISTEL["right"],
            round_functions=[_square] * int(FEISTEL["rounds"]),
            modulus=FEISTEL["modulus"],
        )[0],
        dimension="count",
        tolerance=0.0,
        working="The first round's left half is {right} + {left}², which the second round squares and adds to {left}:"
        " ({left} + ({right} + {left}²)²) mod {modulus}",
    ),
    compose(
        "ciphers-back",
        time_stamp="2:09:32",
        question="A Feistel round turned (x, y) into (y + x², x) = ({left}, {right}), modulo {modulus}. What was y?",
        inputs=BACK,
        equation=ciphers.feistel_inverse,
        answer=lambda: ciphers.feistel_inverse(round_functions=[_square], **BACK)[1],
        dimension="count",
        tolerance=0.0,
        working="The half x came through unchanged, so its square can be subtracted again: ({left} - {right}²) mod"
        " {modulus}",
    ),
    compose(
        "ciphers-linear",
        time_stamp="2:06:17",
        question="An S-box maps each of {values} values to its XOR with {constant}, so it always flips the same bits."
        " Change every input by the same XOR, other than zero. How many inputs show the most frequent change of the"
        " output?",
        inputs=LINEAR,
        equation=ciphers.difference_table_maximum,
        answer=lambda: ciphers.difference_table_maximum(
            s_box=[value ^ int(LINEAR["constant"]) for value in range(int(LINEAR["values"]))]
        ),
        dimension="count",
        tolerance=0.0,
        working="Flipping the same bits in both outputs leaves their difference as it was, so every input shows it:"
        " all {values} values",
    ),
    compose(
        "ciphers-rotation",
        time_stamp="2:06:50",
        question="A cipher's round only rotates {bits} bits by {places}. If one input bit changes, what share of the"
        " output bits changes?",
        inputs=ROTATED,
        equation=ciphers.avalanche_fractions,
        answer=lambda: ciphers.avalanche_fractions(
            rounds=[lambda value: ciphers.rotated_left(byte=value, places=int(ROTATED["places"]))],
            inputs=[0, 77],
            bits=int(ROTATED["bits"]),
        )[0],
        dimension="fraction",
        tolerance=0.01,
        working="A moved bit is still one bit: 1 / {bits}",
    ),
    compose(
        "ciphers-reversible",
        time_stamp="2:12:40",
        question="A network of {layers} layers keeps the input of every layer for its backward pass. How many times as"
        " many activations as a reversible network does it hold at most?",
        inputs=DEEP,
        equation=networks.activations_alive_plain,
        answer=lambda: (
            max(networks.activations_alive_plain(layers=int(DEEP["layers"])))
            / max(networks.activations_alive_reversible(layers=int(DEEP["layers"])))
        ),
        dimension="count",
        tolerance=0.0,
        working="A reversible layer computes its input from its output, so one layer's activations are enough:"
        " {layers} / 1",
    ),
    compose(
        "ciphers-table",
        time_stamp="2:06:17",
        question="An S-box maps 0, 1, 2 and 3 to {first}, {second}, {third} and {fourth}. For how many of these four"
        " inputs does a change of the input by 2 (as XOR) change the output by 3?",
        inputs=TABLE,
        equation=ciphers.difference_table,
        answer=lambda: ciphers.difference_table(s_box=[int(value) for value in TABLE.values()])[2][3],
        dimension="count",
        tolerance=0.0,
        working="0 and 2 go to {first} and {third}, 1 and 3 to {second} and {fourth}. Both pairs differ by 3, and each"
        " counts from both sides: 2 * 2",
    ),
    compose(
        "ciphers-permutation",
        time_stamp="2:06:50",
        question="PRESENT's last layer moves bit i of {bits}, counted from 0, to {factor} i modulo {last}; only bit"
        " {last} stays. Where does bit {place} go?",
        inputs=MOVED,
        equation=ciphers.present_permuted,
        answer=lambda: ciphers.present_permuted(block=1 << int(MOVED["place"])).bit_length() - 1,
        dimension="count",
        tolerance=0.0,
        working="The remainder of the product after division by {last}: ({factor} * {place}) mod {last}",
    ),
    compose(
        "ciphers-checkpoints",
        time_stamp="2:12:40",
        question="A network of {layers} layers keeps the input of one layer in {interval}, which takes {kept_fraction}"
        " of a layer's activations. On the way back it recomputes {interval} layers at a time. How many layers'"
        " activations does it hold at most?",
        inputs=KEPT,
        equation=activations.checkpointed_peak_layers,
        dimension="count",
        tolerance=0.05,
        working="All kept inputs and one group of layers: {kept_fraction} * {layers} / {interval} + {interval}",
    ),
    compose(
        "ciphers-activations",
        time_stamp="2:12:20",
        question="Each value of the residual stream leaves {value_bytes} of activations per layer, attention scores"
        " not stored. How much do {layers} layers, {hidden} values wide, keep for {micro_batch_tokens} tokens?",
        inputs=STORED,
        equation=activations.activation_bytes,
        answer=lambda: activations.activation_bytes(
            sequence_tokens=STORED["micro_batch_tokens"],
            sequences=1,
            hidden=STORED["hidden"],
            heads=0,
            layers=STORED["layers"],
        ),
        dimension="bytes",
        tolerance=0.05,
        working="Bytes per value, times tokens, width and layers: {value_bytes} * {micro_batch_tokens}"
        " * {hidden} * {layers}",
        place=Place(
            board="reversible",
            way=Way.UPRIGHT,
            line="store all",
            at=lambda given: given["layers"],
            turned=lambda given: {name: given[name] for name in ("layers", "micro_batch_tokens", "hidden")},
            lines=("reversible",),
        ),
    ),
    compose(
        "ciphers-again",
        time_stamp="2:13:20",
        question="In a network, {repeated_forward_fraction} of the layers are reversible and run forward a second time"
        " for their gradients. How many FLOP does training take per parameter and token?",
        inputs=AGAIN,
        equation=training.rl_flop_per_param,
        answer=lambda: training.rl_flop_per_param(trained_fraction=1, **AGAIN),
        dimension="count",
        tolerance=0.01,
        working="Two forward, four backward, and two again for a share of the layers: 6 + 2 *"
        " {repeated_forward_fraction}",
    ),
    compose(
        "duality-hold",
        time_stamp="2:13:33",
        question="A byte of KV cache takes {flop_per_byte} FLOP to recompute. A chip does {flop_per_s} and holds"
        " {capacity_bytes}. For how long at most is the byte worth holding in its memory?",
        inputs=HELD,
        equation=duality.break_even_hold_s,
        dimension="s",
        tolerance=0.05,
        working="FLOP per byte times all bytes, over FLOP per second: {flop_per_byte} * {capacity_bytes} /"
        " {flop_per_s}",
        place=Place(
            board="duality",
            view=1,
            way=Way.UPRIGHT,
            line="KV cache",
            at=lambda given: given["flop_per_s"] / given["capacity_bytes"],
            turned=lambda given: {
                "active_params": given["flop_per_byte"] * KEPT_BYTES / 2,
                "kv_bytes_per_token": KEPT_BYTES,
            },
            lines=("held",),
        ),
    ),
)
