"""Experiments of the chapter: ciphers round by round, networks layer by layer, a Feistel round on bytes.

Keys, inputs and weights are drawn once, always alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, reduce
from random import Random

import numpy as np

from ridgeline.laboratory import ciphers, random_networks
from ridgeline.laboratory.random_networks import Floats
from ridgeline.numeric import Numeric

__all__ = [
    "AES",
    "BYTE",
    "PRESENT",
    "RESIDUAL",
    "ROUNDS",
    "SAMPLES",
    "SIGNS",
    "STEP",
    "Network",
    "Run",
    "SBox",
    "aes_run",
    "byte_rounds",
    "cipher_avalanches",
    "left_as_they_were_fractions",
    "network_avalanche",
    "network_run",
    "power_of_byte",
    "residual_network",
    "stretch_ratio",
]

BYTE = 256
ROUNDS = ciphers.AES_ROUNDS
SAMPLES = 8
NET_WIDTH = 64
WEIGHTS_SEED, INPUTS_SEED = 0, 1
STEP = ROUNDS**-0.5
"""Step of a residual layer, with which all layers together add as much as came in."""

Half = Callable[[Numeric], Numeric]
Layer = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class SBox:
    """A cipher's substitution.

    Attributes:
        name: name of the cipher.
        table: output of every input.
    """

    name: str
    table: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A stack of layers with random weights.

    Attributes:
        name: name on the picture.
        layer: function of a stream and a layer's weights.
    """

    name: str
    layer: Layer


AES, PRESENT = (
    SBox(name="AES", table=ciphers.aes_s_box()),
    SBox(name="PRESENT", table=ciphers.PRESENT_S_BOX),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Effect of one change of an input, bit by bit.

    Attributes:
        bits: bits of a block, or signs of a stream.
        changed: bits that differ before any round or layer and after each, as those of a number, the first the highest.
        substituted: bits that differ within the first round, after its S-boxes; None without any.
    """

    bits: int
    changed: tuple[int, ...]
    substituted: int | None = None


SIGNS = Network(
    name="layers of signs",
    layer=lambda stream, weights: random_networks.sign_layer(stream=stream, weights=weights),
)


@cache
def _weights() -> Floats:
    """Weights of all layers, the same for every network."""
    return random_networks.random_weights(layers=ROUNDS, width=NET_WIDTH, seed=WEIGHTS_SEED)


@cache  # by which its avalanche is kept
def residual_network(added: float) -> Network:
    """A residual stream, by the weight of what each layer adds to it."""
    return Network(
        name="residual stream",
        layer=lambda stream, weights: random_networks.residual_layer(
            stream=stream, weights=weights, kept=1.0, step=added
        ),
    )


RESIDUAL = residual_network(STEP)


@cache
def network_avalanche(network: Network, inputs: int, layers: int, flipped: int = 1) -> tuple[float, ...]:
    """Part of the signs that so many changed signs change, before any layer and after each."""
    weights = _weights()[:layers]
    return random_networks.sign_avalanche_fractions(
        layers=[_with(network.layer, one) for one in weights],
        inputs=random_networks.random_signs(inputs=inputs, width=NET_WIDTH, seed=INPUTS_SEED),
        flipped=flipped,
    )


def _with(layer: Layer, weights: Floats) -> Callable[[Floats], Floats]:
    return lambda stream: layer(stream, weights)


def stretch_ratio(*, kept: float, step: float, layers: float) -> float:
    """Stretch ratio of a stack of tanh layers with the same weights, at the first of the same inputs."""
    weights = _weights()[: int(layers)]
    (start,) = random_networks.random_signs(inputs=1, width=NET_WIDTH, seed=INPUTS_SEED)
    return random_networks.stretch_ratio(weights=weights, start=start, kept=kept, step=step)


@cache
def cipher_avalanches(inputs: int, exponent: int, flipped: int = 1) -> dict[str, tuple[float, ...]]:
    """Fraction of the bits that so many changed bits change, before any round and after each, by cipher."""
    found = {}
    for one, blocks in _drawn(inputs, exponent):
        fractions = ciphers.avalanche_fractions(rounds=one.rounds, inputs=blocks, bits=one.bits, flipped=flipped)
        found[one.name] = (flipped / one.bits, *fractions)
    return found


def _drawn(inputs: int, exponent: int = 2) -> Iterator[tuple[ciphers.RoundCipher, list[int]]]:
    """Each cipher with the blocks that are put into it."""
    draw = Random(0)  # noqa: S311  nothing is kept secret here
    for one in ciphers.drawn_ciphers(draw, exponent=exponent):
        yield one, [draw.getrandbits(one.bits) for _ in range(inputs)]


@cache
def aes_run(flipped: int = 1) -> Run:
    """The first of the runs of AES that its avalanche is the mean of: the first bits of its first block are flipped."""
    aes, (block,) = next(_drawn(1))
    other = block ^ (1 << flipped) - 1 << aes.bits - flipped
    one, another = (ciphers.blocks_of_rounds(rounds=aes.rounds, block=each) for each in (block, other))
    substituted = [ciphers.substituted(block=each[0], s_box=AES.table, bits=aes.bits) for each in (one, another)]
    return Run(
        bits=aes.bits,
        changed=tuple(first ^ second for first, second in zip(one, another, strict=True)),
        substituted=substituted[0] ^ substituted[1],
    )


@cache
def network_run(network: Network, flipped: int = 1) -> Run:
    """The first of the runs of a network that its avalanche is the mean of: its input's first signs are changed."""
    layers = [_with(network.layer, one) for one in _weights()]
    (start,) = random_networks.random_signs(inputs=1, width=NET_WIDTH, seed=INPUTS_SEED)
    other = start * np.where(np.arange(NET_WIDTH) < flipped, -1.0, 1.0)
    one, another = (random_networks.signs_of_layers(layers=layers, start=each) for each in (start, other))
    return Run(
        bits=NET_WIDTH,
        changed=tuple(
            _as_number(first != second for first, second in zip(*pair, strict=True))
            for pair in zip(one, another, strict=True)
        ),
    )


def _as_number(bits: Iterable[bool]) -> int:
    """Number of which these are the bits, the highest first."""
    return reduce(lambda found, bit: 2 * found + bit, bits, 0)


def power_of_byte(exponent: int) -> Half:
    """A power modulo 256: not invertible for even exponents, as 3 and 253 have one square."""
    return lambda half: int(half) ** exponent % BYTE


def byte_rounds(function: Half, halves: tuple[int, int], rounds: int) -> tuple[int, int]:
    """Two bytes after ``rounds`` Feistel rounds, all with the same function."""
    left, right = ciphers.feistel(left=halves[0], right=halves[1], round_functions=[function] * rounds, modulus=BYTE)
    return int(left), int(right)


STRIDE = 7
"""Stride between the inputs that are tried, of all pairs of bytes: it divides no power of two, so both bytes vary."""


@cache
def left_as_they_were_fractions(function: tuple[int, ...], rounds: int) -> tuple[float, ...]:
    """Fraction of the halves that come out as one of the two that went in, over many pairs, after each round.

    Args:
        function: output of the round function for every byte.
        rounds: number of rounds.
    """
    table, starts = np.array(function), np.arange(0, BYTE**2, STRIDE)
    first, second = left, right = starts // BYTE, starts % BYTE
    found = []
    for _ in range(rounds):
        left, right = (right + table[left]) % BYTE, left
        kept = [(half == first) | (half == second) for half in (left, right)]
        found.append(float(np.mean(kept)))
    return tuple(found)
