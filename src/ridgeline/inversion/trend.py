"""Inference over the dated history of a line of models."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.callbacks import Progress, no_progress
from ridgeline.inversion.evidence import Evidence
from ridgeline.inversion.infer import Unknown, named, sampled, unknowns_of

__all__ = ["Dated", "Trend", "trend"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """Inference from the prices of a model from a day on.

    Attributes:
        listing: provider and model of the prices.
        date: first day on which the prices held.
        evidence: evidence of the prices.
        unknowns: quantities with prior and posterior.
        effective_draws: number of guesses of equal weight that would say as much.
    """

    listing: str
    date: dt.date
    evidence: Evidence
    unknowns: tuple[Unknown, ...]
    effective_draws: float

    def unknown(self, name: str) -> Unknown:
        """Unknown by its name.

        Raises:
            RidgelineError: there is none of that name.
        """
        return named(self.unknowns, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """A line of models over time.

    Attributes:
        points: inferences by date, the oldest first.
        until: last day that was looked at.
        left_out: models that are sold under a name of the line, of which no first day is known.
    """

    points: tuple[Dated, ...]
    until: dt.date
    left_out: tuple[str, ...]


def trend(
    points: Sequence[tuple[str, Evidence]],
    *,
    until: dt.date,
    left_out: tuple[str, ...] = (),
    seed: int = 0,
    told: Progress = no_progress,
) -> Trend:
    """Inference at each point of a history, by quasi-random guesses of one seed, so that points part by prices alone.

    Args:
        points: listings with what their prices say, the oldest first.
        until: last day that was looked at.
        left_out: models of the line of which no first day is known.
        seed: seed of the draws.
        told: callback that takes the number of further points that are done.
    """
    found = []
    for listing, evidence in points:
        guesses = sampled(evidence, seed=seed, is_preview=True)
        found.append(
            Dated(
                listing=listing,
                date=evidence.date,
                evidence=evidence,
                unknowns=unknowns_of(guesses, seed=seed),
                effective_draws=guesses.draws.effective,
            )
        )
        told(1)
    return Trend(points=tuple(found), until=until, left_out=left_out)
