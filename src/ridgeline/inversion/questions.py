"""Discrete questions that a list may answer: chances before and after, and how strongly prices speak for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.costs import KINDS
from ridgeline.inversion.likelihood import MEANINGS, Explained, Likelihood
from ridgeline.inversion.machines import TIERS

__all__ = ["Option", "Question", "questions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer.

    Attributes:
        name: of it.
        prior: its chance before prices are looked at.
        posterior: after.
        bayes_factor: odds of the answer after over those before: above 1 where prices speak for it.
    """

    name: str
    prior: float
    posterior: float
    bayes_factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its answers.

    Attributes:
        name: of it.
        asked: the question.
        options: answers, the likeliest first.
        strongest: largest factor for or against an answer.
        informed: whether that is at least three, below which evidence is not worth a mention (Kass and Raftery 1995).
    """

    name: str
    asked: str
    options: tuple[Option, ...]
    strongest: float
    informed: bool


WORTH_A_MENTION = 3.0


def questions(likelihood: Likelihood, explained: Explained, weights: NDArray[np.float64]) -> tuple[Question, ...]:
    """All of them.

    Args:
        likelihood: of guesses.
        explained: the guesses that were kept.
        weights: of them.
    """
    joint = np.einsum("g,gmkts->mkts", weights, explained.joint)
    of, known = likelihood.of, likelihood.priors
    found = [
        _question(
            "machine",
            "On which chips does it run?",
            _by_name(of.ids, of.chances),
            _by_name(of.ids, joint.sum(axis=(1, 2, 3))),
        ),
        _question(
            "format",
            "In which numbers are its weights?",
            _by_name(of.formats, of.chances),
            _by_name(of.formats, joint.sum(axis=(1, 2, 3))),
        ),
        _question(
            "kind",
            "Dense, or with experts?",
            _by_name(KINDS, np.array([1 - known.chances.dense, known.chances.dense])),
            _by_name(KINDS, joint.sum(axis=(0, 2, 3))),
        ),
    ]
    if {"cached_input", "hold"} & set(likelihood.lines) and "tier" not in likelihood.pins:
        tiers = np.array([getattr(known.tiers, name) for name in TIERS])
        found.append(
            _question(
                "tier",
                "Where do its caches wait?",
                _by_name(TIERS, tiers),
                _by_name(TIERS, joint.sum(axis=(0, 1, 3))),
            )
        )
    if likelihood.evidence.step is not None and "meaning" not in likelihood.pins:
        chance = known.chances.crossover
        found.append(
            _question(
                "step",
                "Is the step of the list where reading overtakes arithmetic, or a policy?",
                _by_name(MEANINGS, np.array([chance, 1 - chance])),
                _by_name(MEANINGS, joint.sum(axis=(0, 1, 2))),
            )
        )
    return tuple(found)


def _by_name(names: tuple[str, ...], chances: NDArray[np.float64]) -> dict[str, float]:
    """Chances by name; those of one name add up."""
    return {name: float(sum(chances[place] for place, one in enumerate(names) if one == name)) for name in names}


def _question(name: str, asked: str, before: dict[str, float], after: dict[str, float]) -> Question:
    options = tuple(
        Option(name=one, prior=prior, posterior=after[one], bayes_factor=_odds(after[one]) / _odds(prior))
        for one, prior in before.items()
        if prior
    )
    strongest = max(max(one.bayes_factor, 1 / one.bayes_factor) for one in options)
    return Question(
        name=name,
        asked=asked,
        options=tuple(sorted(options, key=lambda one: -one.posterior)),
        strongest=strongest,
        informed=strongest >= WORTH_A_MENTION,
    )


def _odds(chance: float) -> float:
    """Chance for over chance against, both kept off 0: draws do not tell a chance of one in a million from none."""
    kept = min(max(chance, 1e-6), 1 - 1e-6)
    return kept / (1 - kept)
