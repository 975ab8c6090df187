r"""Adversarial examples: small changes of an image that change what a trained network sees in it.

The gradient-sign attack adds :math:`\varepsilon\,\mathrm{sign}(\nabla_x \ell)` to an image, the change of every dot by
at most :math:`\varepsilon` that raises the loss most where it is linear. Beside it stands the same change with random
signs. How far either drives a network's streams apart, layer by layer, is drawn on one axis with how far one changed
bit drives a cipher's blocks apart, round by round: as a part of the distance between unrelated inputs.

Sources: lecture 2:06-2:08 (E6, E11); Goodfellow et al. 2015 (arXiv 1412.6572), the gradient-sign attack; Szegedy et al.
2014 (arXiv 1312.6199).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.laboratory.ciphers import PRESENT_S_BOX
from ridgeline.laboratory.ciphers.small import SMALL_BITS, small_encrypted, small_permuted
from ridgeline.laboratory.glyphs import CLASSES, PIXELS, Floats, Glyphs, draw_glyphs
from ridgeline.laboratory.learning import accuracy, class_slope, fitted
from ridgeline.laboratory.stacks import Stack, draw_stack, gradients, jacobian, run
from ridgeline.laboratory.trails import difference_chances, spread

__all__ = ["Adversarial", "Attacked", "Propagated", "adversarial", "classifiers", "random_over_gradient"]

VARIANTS = ((False, False), (False, True), (True, False), (True, True))
"""Classifiers that are attacked: whether each has residual connections, and whether it has norms."""

NOISE = 0.2
TRAINED, TESTED, FEW = 4000, 500, 400
"""Numbers of images to train on, to attack, and to train on where two networks are compared quickly."""
WIDTH = PIXELS
JACOBIANS = 50
"""Number of images at which the derivative is computed."""
PAIRS = 2000
"""Number of pairs of blocks from which the spread of a difference in a cipher is estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked:
    """Classifier, and its robustness to small changes of its images.

    Attributes:
        network: name of the network by its residual connections and norms.
        accuracy_fraction: fraction of unchanged test images that are classified correctly.
        stretch: largest change of the outputs for one unit of the input: the largest singular value of the Jacobian,
            averaged over images.
        epsilons: changes of every dot, in ink.
        gradient_fraction: fraction of the correctly classified images whose class each epsilon changes, with the
            gradient's signs.
        random_fraction: fraction of the correctly classified images whose class each epsilon changes, with random
            signs.
        half_gradient: change of every dot that turns half of the images, with the gradient's signs; null where none of
            the epsilons does.
        half_random: change of every dot that turns half of the images, with random signs; null where none of the
            epsilons does.
    """

    network: str
    accuracy_fraction: float
    stretch: float
    epsilons: tuple[float, ...]
    gradient_fraction: tuple[float, ...]
    random_fraction: tuple[float, ...]
    half_gradient: float | None
    half_random: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Propagated:
    """Course of a small change, before the first round or layer and after each.

    Attributes:
        name: name of the network or cipher that the change passes through.
        change: kind of change of the input.
        distance_fraction: distance between the two streams or blocks over that between unrelated inputs: 1 where they
            look unrelated.
        foretold_fraction: agreement of the derivative with the difference: of a network the cosine between both, of a
            cipher the chance of the likeliest difference.
    """

    name: str
    change: str
    distance_fraction: tuple[float, ...]
    foretold_fraction: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adversarial:
    """Small changes in networks and in a cipher.

    Attributes:
        attacked: trained classifiers under attack.
        propagated: courses of a gradient's and a random change through each classifier, and of a bit through a cipher.
        epsilon: size of the change of every dot that is followed, in ink.
    """

    attacked: tuple[Attacked, ...]
    propagated: tuple[Propagated, ...]
    epsilon: float


def classifiers(*, layers: int, steps: int, seed: int) -> tuple[tuple[Stack, Stack], ...]:
    """Classifiers of digits, plain, with norms, with residual connections and with both: as drawn, and trained."""
    glyphs = draw_glyphs(count=TRAINED, noise=NOISE, seed=seed)
    drawn = [_drawn(layers=layers, has_residual=one, has_norm=other, seed=seed) for one, other in VARIANTS]
    return tuple(
        (one, fitted(one, glyphs.images, glyphs.digits, slope=class_slope, steps=steps, batch=128, seed=seed))
        for one in drawn
    )


def _drawn(*, layers: int, has_residual: bool, has_norm: bool, seed: int) -> Stack:
    return draw_stack(
        inputs=PIXELS,
        width=WIDTH,
        layers=layers,
        outputs=CLASSES,
        has_residual=has_residual,
        has_norm=has_norm,
        seed=seed,
    )


def adversarial(
    *,
    layers: int = 8,
    steps: int = 250,
    epsilons: Sequence[float] = (0.01, 0.02, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64),
    epsilon: float = 0.1,
    rounds: int = 8,
    seed: int = 0,
) -> Adversarial:
    """Train four classifiers, attack them, and follow small changes through them and through a cipher.

    Args:
        layers: number of layers of each classifier.
        steps: number of training steps.
        epsilons: changes of every dot to attack with, in ink, rising.
        epsilon: size of the changes that are followed through the layers, in ink.
        rounds: number of rounds of the cipher.
        seed: seed of all random draws.
    """
    test = draw_glyphs(count=TESTED, noise=NOISE, seed=seed + 1)
    trained = [stack for _, stack in classifiers(layers=layers, steps=steps, seed=seed)]
    return Adversarial(
        attacked=tuple(_attacked(one, test, tuple(epsilons), seed) for one in trained),
        propagated=(
            *(_through_network(one, test, epsilon, change) for one in trained for change in ("gradient", "random")),
            _through_cipher(rounds, seed),
        ),
        epsilon=epsilon,
    )


def random_over_gradient(*, layers: int, steps: int, has_residual: bool, has_norm: bool, seed: int) -> float:
    """Ratio of the random-sign change to the gradient-sign change that turns half of the images.

    A classifier of digits is trained for it. Where random signs never turn half of the images, their change counts as
    all of the ink.

    >>> random_over_gradient(layers=1, steps=60, has_residual=False, has_norm=False, seed=0) > 2
    True

    Source: Goodfellow et al. 2015; lecture 2:07 (E11).
    """
    train, test = (
        draw_glyphs(count=count, noise=NOISE, seed=seed + place) for place, count in enumerate((FEW, FEW // 4))
    )
    drawn = _drawn(layers=layers, has_residual=has_residual, has_norm=has_norm, seed=seed)
    stack = fitted(drawn, train.images, train.digits, slope=class_slope, steps=steps, batch=32, seed=seed)
    seen = _seen_rightly(stack, test)
    steps_of_ink = [step / 25 for step in range(1, 26)]
    half = {
        change: _half(steps_of_ink, [_turned(stack, seen, epsilon * signs) for epsilon in steps_of_ink])
        for change in ("gradient", "random")
        for signs in (_signs(stack, seen, change),)
    }
    if half["gradient"] is None:
        raise RidgelineError(
            f"no change turns half of the images of a network after {steps} steps; train it for longer"
        )
    return (half["random"] or 1.0) / half["gradient"]


def _signs(stack: Stack, glyphs: Glyphs, change: str) -> Floats:
    """Sign of the change of each dot."""
    if change == "random":
        return np.random.default_rng(0).choice((-1.0, 1.0), size=glyphs.images.shape)
    tape = run(stack, glyphs.images)
    return np.asarray(np.sign(gradients(stack, tape, class_slope(tape.outputs, glyphs.digits))[1]))


def _attacked(stack: Stack, test: Glyphs, epsilons: tuple[float, ...], seed: int) -> Attacked:
    seen = _seen_rightly(stack, test)
    gradient, random = (
        tuple(_turned(stack, seen, epsilon * signs) for epsilon in epsilons)
        for signs in (_signs(stack, seen, change) for change in ("gradient", "random"))
    )
    return Attacked(
        network=stack.name,
        accuracy_fraction=len(seen.digits) / len(test.digits),
        stretch=float(np.mean([np.linalg.norm(jacobian(stack, image), 2) for image in seen.images[:JACOBIANS]])),
        epsilons=epsilons,
        gradient_fraction=gradient,
        random_fraction=random,
        half_gradient=_half(epsilons, gradient),
        half_random=_half(epsilons, random),
    )


def _seen_rightly(stack: Stack, glyphs: Glyphs) -> Glyphs:
    right = run(stack, glyphs.images).outputs.argmax(axis=-1) == glyphs.digits
    return Glyphs(images=glyphs.images[right], digits=glyphs.digits[right])


def _turned(stack: Stack, glyphs: Glyphs, change: Floats) -> float:
    """Fraction of the images that are misclassified once they are changed; ink stays between none and all."""
    return 1 - accuracy(stack, np.clip(glyphs.images + change, 0.0, 1.0), glyphs.digits)


def _half(epsilons: Sequence[float], fractions: Sequence[float]) -> float | None:
    """Smallest change at which the fraction reaches one half, interpolated linearly; None where none does."""
    points = list(zip((0.0, *epsilons), (0.0, *fractions), strict=True))
    for (low, before), (high, after) in pairwise(points):
        if before < 0.5 <= after:  # noqa: PLR2004  a half
            return low + (high - low) * (0.5 - before) / (after - before)
    return None


def _through_network(stack: Stack, test: Glyphs, epsilon: float, change: str) -> Propagated:
    """Distances between streams, and cosines between a difference and what a thousandth of the change foretells."""
    signs = _signs(stack, test, change)
    start, end, near = (run(stack, test.images + part * epsilon * signs).streams for part in (0.0, 1.0, NEARBY))
    others = run(stack, np.roll(test.images, 1, axis=0)).streams
    distances, cosines = [], []
    for one, other, beside, unrelated in zip(start, end, near, others, strict=True):
        distances.append(float(np.mean(_length(other - one)) / np.mean(_length(unrelated - one))))
        slope = (beside - one) / NEARBY
        cosines.append(float(np.mean(((other - one) * slope).sum(-1) / (_length(other - one) * _length(slope)))))
    return Propagated(
        name=stack.name,
        change=f"{change} signs",
        distance_fraction=tuple(distances),
        foretold_fraction=tuple(cosines),
    )


NEARBY = 1e-3
"""Fraction of a change at which a network is still linear in it."""


def _length(rows: Floats) -> Floats:
    return np.asarray(np.linalg.norm(rows, axis=-1))


def _through_cipher(rounds: int, seed: int) -> Propagated:
    """Course of one bit through the small cipher, averaged over blocks, bits and keys; likeliest ends over all bits."""
    rng = np.random.default_rng(seed)
    blocks, keys = rng.integers(1 << SMALL_BITS, size=PAIRS), rng.integers(1 << SMALL_BITS, size=rounds + 1)
    bits = 1 << rng.integers(SMALL_BITS, size=PAIRS)
    distances = [2 / SMALL_BITS]
    for count in range(1, rounds + 1):
        one, other = (small_encrypted(blocks=blocks ^ add, round_keys=keys[: count + 1]) for add in (0, bits))
        distances.append(2 * float(np.mean(np.bitwise_count(one ^ other))) / SMALL_BITS)
    step = difference_chances(PRESENT_S_BOX)
    by_bit = [
        spread(chances=step, permuted=small_permuted(), rounds=rounds, start=1 << bit) for bit in range(SMALL_BITS)
    ]
    chances = [float(np.mean([one.max() for one in after])) for after in zip(*by_bit, strict=True)]
    return Propagated(
        name="cipher of 16 bits",
        change="one bit",
        distance_fraction=tuple(distances),
        foretold_fraction=tuple(chances),
    )
