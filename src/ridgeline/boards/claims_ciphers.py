"""Claims on ciphers and reversible networks: section E, 2:04-2:13 of the lecture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.claim import Claim, Verdict, old_claim
from ridgeline.boards.claims_prices import hold_usd, recompute_usd
from ridgeline.catalog import load_model
from ridgeline.equations import activations
from ridgeline.estimator.parameters import total_params
from ridgeline.laboratory import ciphers, networks
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import GroupedQueryAttention

__all__ = ["CLAIMS", "NET_BITS", "RESIDUAL_STEP", "net_weights", "residual_layer"]

Round = Callable[[Numeric], Numeric]

OPTIMIZER_BYTES_PER_PARAM = 16
"""Weights and gradients in 16 bits, master weights and two moments in 32: Rajbhandari et al. 2019."""

DEPTH = 64
BYTE = 256
NET_BITS, NET_LAYERS, NET_INPUTS = 64, 16, 16
RESIDUAL_STEP = NET_LAYERS**-0.5
"""So that all layers together add as much as came in."""


def _square(value: Numeric) -> Numeric:
    """A round function that nothing inverts: two inputs share an output."""
    return value * value


def _not_recovered(values: Sequence[float], modulus: float) -> float:
    """Part of all pairs of ``values`` that four rounds and their inverse do not give back to the bit."""
    rounds: list[Round] = [_square] * 4
    pairs = list(product(values, values))
    lost = 0
    for pair in pairs:
        left, right = ciphers.feistel(left=pair[0], right=pair[1], round_functions=rounds, modulus=modulus)
        lost += ciphers.feistel_inverse(left=left, right=right, round_functions=rounds, modulus=modulus) != pair
    return lost / len(pairs)


def _aes_round() -> Callable[[int, int], tuple[int, int]]:
    """A Feistel round on two bytes, with AES's substitution as its function."""
    table = ciphers.aes_s_box()

    def one_round(left: int, right: int) -> tuple[int, int]:
        found = ciphers.feistel(left=left, right=right, round_functions=[lambda value: table[int(value)]], modulus=BYTE)
        return int(found[0]), int(found[1])

    return one_round


def _left_as_it_was(rounds: int) -> float:
    """Part of the halves that come out as one of those that went in, over a spread of inputs."""
    one_round = _aes_round()
    starts = [(value // BYTE, value % BYTE) for value in range(0, BYTE**2, 7)]
    same = 0
    for start in starts:
        state = start
        for _ in range(rounds):
            state = one_round(*state)
        same += sum(half in start for half in state)
    return same / (2 * len(starts))


def _aes_avalanche(rounds: int) -> float:
    one_round = _aes_round()

    def whole(block: int) -> int:
        left, right = one_round(block // BYTE, block % BYTE)
        return left * BYTE + right

    found = ciphers.avalanche_fractions(rounds=[whole] * rounds, inputs=range(0, BYTE**2, 127), bits=16)
    return found[-1]


def net_weights(draw: np.random.Generator) -> NDArray[np.float64]:
    """Of random layers that leave the size of what passes through as it is."""
    return np.asarray(draw.standard_normal((NET_LAYERS, NET_BITS, NET_BITS)) / NET_BITS**0.5)


def residual_layer(*, stream: NDArray[np.float64], weights: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """What a layer leaves of a residual stream, or of many, one in each row: it adds a little to what came in."""
    return np.asarray(stream + step * np.tanh(stream @ weights.T))


def _net_avalanche(*, is_residual: bool) -> float:
    """Of a network with random weights from signs to signs: those of every layer, or a residual stream's at its end."""
    draw = np.random.default_rng(seed=0)
    weights = net_weights(draw)

    def net(block: int) -> int:
        stream = np.array([1.0 if block >> place & 1 else -1.0 for place in range(NET_BITS)])
        for layer in weights:
            stream = (
                residual_layer(stream=stream, weights=layer, step=RESIDUAL_STEP)
                if is_residual
                else np.sign(layer @ stream)
            )
        return sum(1 << place for place, value in enumerate(stream) if value > 0)

    inputs = [int(value) for value in draw.integers(0, 2**NET_BITS, size=NET_INPUTS, dtype=np.uint64)]
    return ciphers.avalanche_fractions(rounds=[net], inputs=inputs, bits=NET_BITS)[-1]


def _depth_ratio(alive: Callable[..., tuple[int, ...]]) -> float:
    """Peak of a stack over that of one half as deep."""
    return max(alive(layers=2 * DEPTH)) / max(alive(layers=DEPTH))


def _sequences_to_outweigh() -> float:
    """Sequences of GPT-3 whose activations are as large as its weights, gradients and optimizer."""
    model = load_model("gpt3-175b")
    kind = model.groups[0].attention
    if not isinstance(kind, GroupedQueryAttention):
        raise TypeError(f"gpt3-175b has {type(kind).__name__}; its heads are plain")
    one = activations.activation_bytes(
        sequence_tokens=2048, sequences=1, hidden=model.hidden, heads=kind.query_heads, layers=model.layers
    )
    return float(OPTIMIZER_BYTES_PER_PARAM * total_params(model) / one)


CLAIMS: tuple[Claim, ...] = (
    old_claim(
        id="E1",
        time_stamp="",
        chapter="ciphers",
        claim="A Feistel network is invertible for any round function: part of inputs not recovered.",
        lecture=0.0,
        inputs={"modulus": 16.0, "rounds": 4.0, "careful": "fractions modulo 1 in 64-bit floats"},
        equation="laboratory.ciphers.feistel_inverse",
        lecture_mode=lambda: _not_recovered(range(16), 16),
        careful=lambda: _not_recovered([place / 37 for place in range(37)], 1.0),
        verdict=Verdict.REPRODUCES,
        why="Every pair of integers comes back, though squares are not invertible; floats come back but for rounding.",
    ),
    old_claim(
        id="E2",
        time_stamp="",
        chapter="ciphers",
        claim="One round leaves half of a block as it was.",
        lecture=0.5,
        inputs={"rounds": 1.0, "round_function": "AES's substitution", "careful": "three rounds"},
        equation="laboratory.ciphers.feistel",
        lecture_mode=lambda: _left_as_it_was(1),
        careful=lambda: _left_as_it_was(3),
        verdict=Verdict.REPRODUCES,
        why="A half passes unchanged, hence the swap; after three rounds neither half does, but by chance.",
        tolerance=0.01,  # a byte is the same by chance once in 256
    ),
    old_claim(
        id="E3",
        time_stamp="",
        chapter="ciphers",
        claim="A reversible stack's activations do not grow with depth: twice as deep over as it is.",
        lecture=1.0,
        inputs={"layers": DEPTH, "careful": "a plain stack"},
        equation="laboratory.networks.activations_alive_reversible",
        lecture_mode=lambda: _depth_ratio(networks.activations_alive_reversible),
        careful=lambda: _depth_ratio(networks.activations_alive_plain),
        verdict=Verdict.REPRODUCES,
        why="One layer's pair whatever the depth, for a second forward pass: 8 FLOP a parameter and token, not 6.",
    ),
    old_claim(
        id="E4",
        time_stamp="",
        chapter="ciphers",
        claim="Activations can be the largest part of training: sequences from which they outweigh all else.",
        lecture=None,
        inputs={"model": "gpt3-175b", "sequence_tokens": 2048.0, "bytes_per_param": OPTIMIZER_BYTES_PER_PARAM},
        equation="activations.activation_bytes",
        lecture_mode=None,
        careful=_sequences_to_outweigh,
        verdict=Verdict.REPRODUCES,
        why="Ten sequences of GPT-3 outweigh its weights, gradients and optimizer, where nothing is recomputed.",
    ),
    old_claim(
        id="E5",
        time_stamp="",
        chapter="ciphers",
        claim="Ciphers make a difference hard to follow: most inputs of AES's substitution that share one.",
        lecture=None,
        inputs={"s_box": "AES, of 256 inputs", "careful": "PRESENT's, of 16"},
        equation="laboratory.ciphers.difference_table_maximum",
        lecture_mode=lambda: float(ciphers.difference_table_maximum(s_box=ciphers.aes_s_box())),
        careful=lambda: float(ciphers.difference_table_maximum(s_box=ciphers.PRESENT_S_BOX)),
        verdict=Verdict.REPRODUCES,
        why="A difference is a derivative over bits, and ciphers flatten it: no change is likelier than 4 in 256.",
    ),
    old_claim(
        id="E6",
        time_stamp="",
        chapter="ciphers",
        claim="One changed bit changes half of a cipher's output, as an adversarial example does a network's.",
        lecture=None,
        inputs={"rounds": 8.0, "round_function": "AES's substitution", "careful": "one round"},
        equation="laboratory.ciphers.avalanche_fractions",
        lecture_mode=lambda: _aes_avalanche(8),
        careful=lambda: _aes_avalanche(1),
        verdict=Verdict.REPRODUCES,
        why="A half, as chance has it: what an adversarial example does to a network is what a cipher does by design.",
    ),
    old_claim(
        id="E7",
        time_stamp="",
        chapter="ciphers",
        claim="99 % of new ciphers get broken.",
        lecture=0.99,
        inputs={},
        equation="",
        lecture_mode=None,
        careful=None,
        verdict=Verdict.NOT_DERIVABLE,
        why="A way of speaking.",
    ),
    old_claim(
        id="E8",
        time_stamp="",
        chapter="ciphers",
        claim="A network with random weights may be a fair cipher: part of bits that one bit changes.",
        lecture=None,
        inputs={
            "bits": NET_BITS,
            "layers": NET_LAYERS,
            "activation": "sign",
            "careful": "a residual stream with the same weights, signs at its end only",
        },
        equation="laboratory.ciphers.avalanche_fractions",
        lecture_mode=lambda: _net_avalanche(is_residual=False),
        careful=lambda: _net_avalanche(is_residual=True),
        verdict=Verdict.DEPENDS,
        why="On the network: layers of signs mix fully; a residual stream, built to keep its input, hardly does. Mixing"
        " alone makes no cipher.",
    ),
    old_claim(
        id="E9",
        time_stamp="",
        chapter="ciphers",
        claim="Memory is worth spending to save compute: recomputing a cache over holding it for five minutes.",
        lecture=None,
        inputs={"held_s": 300.0, "as": "D14", "careful": "deepseek-v3 on h100-sxm, as D14"},
        equation="caching.recompute_usd_per_token",
        lecture_mode=lambda: recompute_usd(careful=False) / hold_usd(careful=False),
        careful=lambda: recompute_usd(careful=True) / hold_usd(careful=True),
        verdict=Verdict.DEPENDS,
        why="On bytes a token and the tier: with his 2 kB by far; 70 kB in an H100's HBM pay for under two minutes, so"
        " they wait in a cheaper memory.",
    ),
)
