"""Requests with random classes, in given proportions."""

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
"""Stream of random numbers of a seed, distinct from those of ``synthetic``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classed:
    """Requests of another source with random classes.

    Attributes:
        source: source of the requests.
        shares: share of each class, in the order of ``CLASSES``.
        seed: seed of the draws; equal seeds give equal classes, however many are asked for at a time.
    """

    source: RequestSource
    shares: tuple[float, ...]
    seed: int = 0

    @property
    def name(self) -> str:
        """Name of the source."""
        return self.source.name

    @property
    def format(self) -> str:
        """Format of the source."""
        return self.source.format

    @property
    def block_tokens(self) -> int | None:
        """Tokens of the source's blocks."""
        return self.source.block_tokens

    @property
    def has_arrivals(self) -> bool:
        """Whether the source says when requests arrive."""
        return self.source.has_arrivals

    def blocks(self, most: int = BLOCK) -> Iterator[Requests]:
        """Requests with their classes, at most ``most`` at a time."""
        rng, edges = np.random.default_rng([self.seed, DRAWS]), np.cumsum(self.shares)[:-1]
        for block in self.source.blocks(most):
            kinds = np.searchsorted(edges, rng.random(len(block)), side="right")
            yield dataclasses.replace(block, classes=kinds)


def classed(source: RequestSource, shares: Mapping[str, float], seed: int = 0) -> Classed:
    """Requests of a source with random classes.

    Args:
        source: source of the requests.
        shares: share of each class by its name; those left out have none.
        seed: seed of the draws.

    Raises:
        RidgelineError: a class is unknown, or shares do not add up to 1.
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
