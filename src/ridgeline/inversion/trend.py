"""The same inference over the dated history of a line of models."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ridgeline.inversion.evidence import Evidence
from ridgeline.inversion.infer import Inference, infer

__all__ = ["Dated", "trend"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """What the prices of a model said from a day on.

    Attributes:
        listing: provider and model.
        date: from which on they held.
        inference: of them.
    """

    listing: str
    date: dt.date
    inference: Inference


def trend(
    points: Sequence[tuple[str, Evidence]], *, seed: int = 0, told: Callable[[int], object] = lambda _: None
) -> tuple[Dated, ...]:
    """Inference at each point of a history, by quasi-random guesses of one seed, so that points part by prices alone.

    Args:
        points: listings with what their prices say, the oldest first.
        seed: of the draws.
        told: takes how many more are done.
    """
    found = []
    for listing, evidence in points:
        inference = infer(evidence, seed=seed, is_preview=True)
        found.append(Dated(listing=listing, date=evidence.date, inference=inference))
        told(1)
    return tuple(found)
