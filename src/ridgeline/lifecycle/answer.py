"""Result of a budget by every law that was asked, and the spread between laws."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.catalog.scaling_laws import FittedLaw
from ridgeline.lifecycle.asked import Asked
from ridgeline.lifecycle.budget import Solved, solve
from ridgeline.lifecycle.flows import Distilled, Revenue
from ridgeline.lifecycle.goal import AsGoodAs
from ridgeline.lifecycle.lives import Lives
from ridgeline.lifecycle.named import Implied, implied_by
from ridgeline.lifecycle.phases import MeasuredPhases
from ridgeline.lifecycle.uncertainty import Bands, bands_of

__all__ = ["MOST_BEYOND", "Answer", "Budget", "answer", "told"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Result of one law.

    Attributes:
        solved: model, and the loss of other choices.
        bands: uncertainty of the law; None where its paper prints no errors.
        implied: serving that the model asked for is optimal for; None without one, and for laws that do not say.
    """

    solved: Solved
    bands: Bands | None
    implied: Implied | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Result of ``ridgeline budget``.

    Attributes:
        asked: options of the budget, resolved.
        answers: results, one per law, in the order in which they were asked.
        spread: ratio of the largest to the smallest of the laws' results, by quantity; empty for one law.
        phases: costs of each phase on the machine; None where costs are FLOP.
        distilled: smaller model beside the best of the first law that has one; None where none was asked for.
        revenue: revenue from the tokens; None where no price was given.
        notes: remarks to show beside the numbers.
    """

    asked: Asked
    answers: tuple[Answer, ...]
    spread: dict[str, float]
    phases: MeasuredPhases | None = None
    distilled: Distilled | None = None
    revenue: Revenue | None = None
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Lives | None:
        """Best model of the first law that has one."""
        return next((one.solved.best for one in self.answers if one.solved.best is not None), None)

    def by(self, law: str) -> Answer:
        """Result of a law, by its id."""
        return next(one for one in self.answers if one.solved.law.id == law)


MOST_BEYOND = 10_000
"""Ratio to the largest model, or the longest training, of a law's runs beyond which the law gives no result.

The lecture's model is asked of laws at up to 1,800 times their longest training; ten thousand leaves room for that.
"""


def told(law: FittedLaw, asked: Asked) -> Solved:
    """Result of a law for a budget, without a model where that is too far from the law's runs."""
    found = solve(law, asked)
    far = {name: max(times, 1 / times) for name, times in found.beyond.items()}
    name = max(far, key=lambda one: far[one], default="")
    if not name or far[name] <= MOST_BEYOND:
        return found
    which = "more" if found.beyond[name] > 1 else "fewer"
    return dataclasses.replace(
        found,
        best=None,
        experts=1.0,
        expansion=1.0,
        equal=None,
        equal_lost_fraction=None,
        beyond={},
        bound_by="",
        worth_tokens=None,
        why=f"its answer has {far[name]:,.0f} times {which} {EXTENTS[name]} than the runs it was fitted on, and beyond"
        f" {MOST_BEYOND:,} times none is given",
    )


EXTENTS = {"active_params": "active parameters", "tokens": "tokens", "experts": "experts"}
"""Plain names of the quantities whose range in a law's runs is known."""


def answer(laws: Sequence[FittedLaw], asked: Asked, *, draws: int, seed: int) -> Budget:
    """Budget by each law."""
    answers = tuple(
        Answer(
            solved=(solved := told(law, asked)),
            bands=None if solved.best is None else bands_of(law, asked, draws=draws, seed=seed),
            implied=implied_by(law, asked.goal, asked.costs) if isinstance(asked.goal, AsGoodAs) else None,
        )
        for law in laws
    )
    return Budget(asked=asked, answers=answers, spread=_spread(answers), notes=_notes(asked))


def _spread(answers: tuple[Answer, ...]) -> dict[str, float]:
    """Largest over smallest result; laws in dense and in routed parameters are each compared with their own kind."""
    found = [one.solved.best for one in answers if one.solved.best is not None and not one.solved.law.is_routed]
    if len(found) < 2:  # noqa: PLR2004  one agrees with itself
        return {}
    values = {
        "active_params": [one.active_params for one in found],
        "tokens": [one.tokens for one in found],
        "total_cost": [one.total_cost for one in found],
        "over_training": [one.over_training for one in found],
    }
    return {name: max(numbers) / min(numbers) for name, numbers in values.items()}


def _notes(asked: Asked) -> tuple[str, ...]:
    found = [*asked.costs.notes]
    if asked.unique is not None:
        found.append("by every law text that is read again is worth what Muennighoff et al. 2023 found")
        if isinstance(asked.goal, AsGoodAs):
            found.append("the model to be as good as is taken to have read new text only")
    if asked.served.cost_fraction != 1:
        found.append(f"a FLOP of serving costs {asked.served.cost_fraction:.2f} of today's on the mean of the life")
    return tuple(found)
