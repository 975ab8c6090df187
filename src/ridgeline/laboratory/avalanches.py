"""Reach of one changed bit through rounds of ciphers, and through layers of random and trained networks.

A cipher's bits are its block's; a network's are its stream's, each read as one bit: whether it lies above its median
over many inputs, so that either value is as likely. Both then have one matrix, the chance that bit ``j`` changes when
bit ``i`` of the input does, which the strict avalanche criterion wants at one half everywhere.

For study; nothing here protects anything.

Sources: lecture 2:05-2:07 (E6, E8, E10); Webster and Tavares 1985, the strict avalanche criterion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.laboratory import random_networks
from ridgeline.laboratory.adversarial import classifiers
from ridgeline.laboratory.ciphers import RoundCipher, drawn_ciphers, small_cipher
from ridgeline.laboratory.glyphs import PIXELS, Floats, draw_glyphs, flipped
from ridgeline.laboratory.stacks import Stack, run, stretches

__all__ = ["Avalanche", "avalanches", "find_avalanche"]

SMALL_ROUNDS = 8
LIPSCHITZ_INPUTS = 10
"""Number of inputs at which the largest stretch of a derivative is computed."""

Changes = NDArray[np.bool_]
"""Whether a bit of the output changes: inputs, by changed bit of the input, by bit of the output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Avalanche:
    """Effect of one changed input bit, before the first round or layer and after each.

    Attributes:
        name: name of the cipher or network.
        kind: cipher, random network or trained network.
        bits: width of its block or stream, in bits.
        samples: number of inputs, each with each of its bits changed.
        changed_fraction: fraction of the output's bits that change, on average: one half where it is well mixed.
        deviation: root mean square distance of the matrix's entries from one half.
        chance_deviation: deviation of a matrix of fair coins, counted over as many inputs: the least that sampling
            allows.
        stretch: largest stretch of a small change, a lower bound of the Lipschitz constant, averaged over inputs; null
            for what has no derivative.
        matrices: chance that each bit of the input (a row) changes each bit of the output, before the first round or
            layer and after each.
    """

    name: str
    kind: str
    bits: int
    samples: int
    changed_fraction: tuple[float, ...]
    deviation: tuple[float, ...]
    chance_deviation: float
    stretch: tuple[float, ...] | None
    matrices: tuple[Floats, ...]


def avalanches(*, layers: int = 8, steps: int = 250, samples: int = 32, seed: int = 0) -> tuple[Avalanche, ...]:
    """Measure avalanches in ciphers, in random networks and in the same networks trained.

    Args:
        layers: number of layers of each network.
        steps: number of training steps.
        samples: number of inputs, each with each of its bits changed.
        seed: seed of all random draws.
    """
    draw = Random(seed)  # noqa: S311  an experiment
    ciphers = (*drawn_ciphers(draw), small_cipher(draw, rounds=SMALL_ROUNDS))
    return (
        *(_of_cipher(one, samples, draw) for one in ciphers),
        _of_signs(layers, samples, seed),
        *(
            _of_network(stack, kind, samples, seed)
            for pair in classifiers(layers=layers, steps=steps, seed=seed)
            for kind, stack in zip(("random network", "trained network"), pair, strict=True)
        ),
    )


def _summed(name: str, kind: str, changes: Iterable[Changes], stretch: tuple[float, ...] | None = None) -> Avalanche:
    """Avalanche from a mixing's changes, round by round."""
    matrices, samples = [], 0
    for one in changes:
        matrices.append(one.mean(axis=0))
        samples = len(one)
    return Avalanche(
        name=name,
        kind=kind,
        bits=matrices[-1].shape[-1],
        samples=samples,
        changed_fraction=tuple(float(one.mean()) for one in matrices),
        deviation=tuple(float(np.sqrt(np.mean((one - 0.5) ** 2))) for one in matrices),
        chance_deviation=0.5 / samples**0.5,
        stretch=stretch,
        matrices=tuple(matrices),
    )


def _of_cipher(cipher: RoundCipher, samples: int, draw: Random) -> Avalanche:
    bits = cipher.bits

    def changes() -> Iterator[Changes]:
        blocks = [draw.getrandbits(bits) for _ in range(samples)]
        families = [[block, *(block ^ 1 << bit for bit in range(bits))] for block in blocks]
        yield _bits_changed(families, bits)
        for one_round in cipher.rounds:
            families = [[one_round(block) for block in family] for family in families]
            yield _bits_changed(families, bits)

    return _summed(cipher.name, "cipher", changes())


def _bits_changed(families: list[list[int]], bits: int) -> Changes:
    """Changed bits of each family of blocks, against the family's first block; bit 0 is the lowest."""
    raw = b"".join(block.to_bytes(bits // 8, "little") for family in families for block in family)
    unpacked = np.unpackbits(np.frombuffer(raw, dtype=np.uint8), bitorder="little")
    found = unpacked.reshape(len(families), -1, bits)
    return np.asarray(found[:, 1:] != found[:, :1])


def _of_signs(layers: int, samples: int, seed: int) -> Avalanche:
    """Avalanche in random layers of signs, as wide as the other networks."""
    weights = random_networks.random_weights(layers=layers, width=PIXELS, seed=seed)
    first = random_networks.random_signs(inputs=samples, width=PIXELS, seed=seed)[:, np.newaxis, :]

    def changes() -> Iterator[Changes]:
        one, other = first, first * (1 - 2 * np.eye(PIXELS))
        yield np.asarray(one != other)
        for layer in weights:
            one, other = (random_networks.sign_layer(stream=stream, weights=layer) for stream in (one, other))
            yield np.asarray(one != other)

    return _summed("signs", "random network", changes())


def _of_network(stack: Stack, kind: str, samples: int, seed: int) -> Avalanche:
    """Avalanche in a network, from digits of pure ink and paper, each of whose dots is flipped."""
    images = draw_glyphs(count=samples, noise=0.0, seed=seed + 1).images
    around = flipped(images)

    def changes() -> Iterator[Changes]:
        yield np.asarray(around != images[:, np.newaxis, :])
        starts = run(stack, images).streams[1:]
        ends = run(stack, around.reshape(-1, PIXELS)).streams[1:]
        for start, end in zip(starts, ends, strict=True):
            middle = np.median(end, axis=0)
            yield np.asarray(((end > middle).reshape(*around.shape[:2], -1)) != (start > middle)[:, np.newaxis, :])

    stretch = np.mean([stretches(stack, image) for image in images[:LIPSCHITZ_INPUTS]], axis=0)
    return _summed(stack.name, kind, changes(), tuple(stretch.tolist()))


def find_avalanche(found: Sequence[Avalanche], name: str, after: int) -> Avalanche:
    """Avalanche by name, as "AES" or "trained plain", with as many rounds or layers.

    Raises:
        RidgelineError: none has the name, or it has fewer.
    """
    names = {one.name if one.kind == "cipher" else f"{one.kind.partition(' ')[0]} {one.name}": one for one in found}
    if name not in names:
        raise RidgelineError(f"no matrix of {name!r}; there are {', '.join(names)}")
    rounds = len(names[name].matrices) - 1
    if after > rounds:
        raise RidgelineError(f"{name} has {rounds} rounds or layers, not {after}; ask after 0 to {rounds}")
    return names[name]
