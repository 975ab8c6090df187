"""A small task for a small classifier: ten digits of five by seven dots, moved by a dot and blurred by noise.

Drawn from a seed, so that no images have to be kept anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["CLASSES", "PIXELS", "Floats", "Glyphs", "draw_glyphs", "flipped"]

Floats = NDArray[np.float64]

ROWS = (
    "01110 00100 01110 11110 00010 11111 00110 11111 01110 01110",
    "10001 01100 10001 00001 00110 10000 01000 00001 10001 10001",
    "10011 00100 00001 00001 01010 11110 10000 00010 10001 10001",
    "10101 00100 00010 01110 10010 00001 11110 00100 01110 01111",
    "11001 00100 00100 00001 11111 00001 10001 01000 10001 00001",
    "10001 00100 01000 00001 00010 10001 10001 01000 10001 00010",
    "01110 01110 11111 11110 00010 01110 01110 01000 01110 01100",
)
"""The digits from 0 to 9, side by side."""

CLASSES, SIDE = 10, 8
PIXELS = SIDE * SIDE
HEIGHT, WIDTH = len(ROWS), 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """Images and what they show.

    Attributes:
        images: images as rows of 64 values from 0 (paper) to 1 (ink).
        digits: digit that each image shows.
    """

    images: Floats
    digits: NDArray[np.int64]


def draw_glyphs(*, count: int, noise: float, seed: int) -> Glyphs:
    """Digits on eight by eight dots, each at one of the places where it fits, with noise on every dot.

    >>> draw_glyphs(count=3, noise=0.2, seed=0).images.shape
    (3, 64)

    Args:
        count: number of images.
        noise: standard deviation of the noise of a dot, in ink.
        seed: seed of all random draws.
    """
    rng = np.random.default_rng(seed)
    shapes = np.array([[[int(dot) for dot in row.split()[digit]] for row in ROWS] for digit in range(CLASSES)])
    digits = rng.integers(CLASSES, size=count)
    images = np.zeros((count, SIDE, SIDE))
    down, across = rng.integers(SIDE - HEIGHT + 1, size=count), rng.integers(SIDE - WIDTH + 1, size=count)
    for image, digit, top, left in zip(images, digits, down, across, strict=True):
        image[top : top + HEIGHT, left : left + WIDTH] = shapes[digit]
    images += noise * rng.standard_normal(images.shape)
    return Glyphs(images=np.clip(images, 0.0, 1.0).reshape(count, PIXELS), digits=digits)


def flipped(images: Floats) -> Floats:
    """Copies of each image, one for each of its dots, with that dot turned from paper to ink or back.

    >>> flipped(np.array([[0.0, 1.0]])).tolist()
    [[[1.0, 1.0], [0.0, 0.0]]]
    """
    turned = np.eye(images.shape[-1])
    return np.asarray(images[:, np.newaxis, :] * (1 - turned) + (1 - images)[:, np.newaxis, :] * turned)
