"""Requests of which each has a class by chance, so many of either in the mean."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.traces.requests import CLASSES, Requests
from ridgeline.traces.source import BLOCK, RequestSource

__all__ = ["Classed", "classed"]

DRAWS = 2
"""What a generator of a seed is for, beside those of ``synthetic``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classed:
    """The requests of another source with classes of their own.

    Attributes:
        source: where they come from.
        shares: of each class, in the order of ``CLASSES``.
        seed: of what is drawn; the same gives the same classes, however many are asked for at a time.
    """

    source: RequestSource
    shares: tuple[float, ...]
    seed: int = 0

    @property
    def name(self) -> str:
        """That of the source."""
        return self.source.name

    @property
    def format(self) -> str:
        """That of the source."""
        return self.source.format

    @property
    def block_tokens(self) -> int | None:
        """Those of the source."""
        return self.source.block_tokens

    @property
    def has_arrivals(self) -> bool:
        """Whether the source says when requests come."""
        return self.source.has_arrivals

    def blocks(self, most: int = BLOCK) -> Iterator[Requests]:
        """Its requests, at most so many at a time."""
        rng, edges = np.random.default_rng([self.seed, DRAWS]), np.cumsum(self.shares)[:-1]
        for block in self.source.blocks(most):
            kinds = np.searchsorted(edges, rng.random(len(block)), side="right")
            yield dataclasses.replace(block, classes=kinds)


def classed(source: RequestSource, shares: Mapping[str, float], seed: int = 0) -> Classed:
    """Requests of a source, of classes by chance.

    Args:
        source: where they come from.
        shares: of each class by its name; those that are left out have none.
        seed: of what is drawn.

    Raises:
        RidgelineError: a class has no such name, or shares do not add up to 1.
    """
    unknown = set(shares) - set(CLASSES)
    known = all(0 <= share <= 1 for share in shares.values())
    if unknown or not known or not math.isclose(sum(shares.values()), 1.0, abs_tol=1e-9):
        said = ",".join(f"{name}:{share:g}" for name, share in shares.items())
        raise RidgelineError(
            f"classes {said!r} must be shares of {', '.join(CLASSES)} that add up to 1, such as"
            " fast:0.2,standard:0.6,batch:0.2"
        )
    return Classed(source=source, shares=tuple(shares.get(name, 0.0) for name in CLASSES), seed=seed)
