"""Discrete questions that a list may answer: chances before and after, and how strongly prices speak for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.inversion.likelihood import BY_TIER, MEANINGS, Explained, Likelihood
from ridgeline.inversion.priors import KINDS, TIERS

__all__ = ["Option", "Question", "questions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Answer to a question, with its chances.

    Attributes:
        name: name of the answer.
        prior: chance of the answer before prices are looked at.
        posterior: chance of the answer with the prices.
        bayes_factor: odds of the answer after over those before: above 1 where prices speak for it.
        is_bound: whether the factor is at least that far from 1, since draws tell no smaller chance from none.
    """

    name: str
    prior: float
    posterior: float
    bayes_factor: float
    is_bound: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its answers.

    Attributes:
        name: name of the question, one word.
        asked: the question as a sentence.
        options: possible answers, the likeliest first.
        strongest: largest factor for or against an answer.
        informed: whether ``strongest`` is at least three, below which evidence is not worth a mention (Kass and Raftery
            1995).
    """

    name: str
    asked: str
    options: tuple[Option, ...]
    strongest: float
    informed: bool


WORTH_A_MENTION = 3.0


def questions(likelihood: Likelihood, explained: Explained, weights: NDArray[np.float64]) -> tuple[Question, ...]:
    """Discrete questions with their answers.

    Args:
        likelihood: likelihood of the guesses.
        explained: the guesses that were kept.
        weights: weights of the guesses.
    """
    joint = np.einsum("g,gmkts->mkts", weights, explained.joint)
    of, assumed = likelihood.of, likelihood.assumed
    by_machine = joint.sum(axis=(1, 2, 3))
    found = [
        _question("machine", "On which chips does it run?", _by_name(of.ids, of.chances), _by_name(of.ids, by_machine)),
        _question(
            "format",
            "In which numbers are its weights?",
            _by_name(of.formats, of.chances),
            _by_name(of.formats, by_machine),
        ),
    ]
    if assumed.kind is None:
        before, after = _by_name(KINDS, likelihood.kinds()), _by_name(KINDS, joint.sum(axis=(0, 2, 3)))
        found.append(_question("kind", "Dense, or with experts?", before, after))
    if set(BY_TIER) & set(likelihood.lines) and assumed.tier is None:
        before, after = _by_name(TIERS, likelihood.tiers()), _by_name(TIERS, joint.sum(axis=(0, 1, 3)))
        found.append(_question("tier", "Where do its caches wait?", before, after))
    if likelihood.evidence.step is not None and assumed.meaning is None:
        asked = "Is the step of the list where reading overtakes arithmetic, or a policy?"
        before, after = _by_name(MEANINGS, likelihood.meanings()), _by_name(MEANINGS, joint.sum(axis=(0, 1, 2)))
        found.append(_question("step", asked, before, after))
    return tuple(found)


def _by_name(names: tuple[str, ...], chances: NDArray[np.float64]) -> dict[str, float]:
    """Chances by name; those of equal names add up."""
    return {name: float(sum(chances[place] for place, one in enumerate(names) if one == name)) for name in names}


def _question(name: str, asked: str, before: dict[str, float], after: dict[str, float]) -> Question:
    options = tuple(_option(one, prior, after[one]) for one, prior in before.items() if prior)
    strongest = max(max(one.bayes_factor, 1 / one.bayes_factor) for one in options)
    return Question(
        name=name,
        asked=asked,
        options=tuple(sorted(options, key=lambda one: -one.posterior)),
        strongest=strongest,
        informed=strongest >= WORTH_A_MENTION,
    )


LEAST_CHANCE = 1e-6
"""Smallest chance that draws can tell from none."""


def _option(name: str, prior: float, posterior: float) -> Option:
    kept = min(max(posterior, LEAST_CHANCE), 1 - LEAST_CHANCE)
    # A single answer teaches nothing.
    factor = 1.0 if prior == 1 else _odds(kept) / _odds(prior)
    return Option(
        name=name, prior=prior, posterior=posterior, bayes_factor=factor, is_bound=prior < 1 and kept != posterior
    )


def _odds(chance: float) -> float:
    """Odds of a chance."""
    return chance / (1 - chance)
