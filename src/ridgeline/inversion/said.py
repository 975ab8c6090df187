"""What an inference says in words: of each unknown, of each question, of each price."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.inversion.infer import Predicted, Unknown
from ridgeline.inversion.questions import Question
from ridgeline.quantity_text import format_quantity

__all__ = ["LINES", "NAMED", "Named", "said_of", "said_of_price", "said_of_question", "shown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An unknown as it is said.

    Attributes:
        words: that stand for it.
        dimension: of its value; "ratio" for times, "part" for percents.
    """

    words: str
    dimension: str


NAMED = {
    "active_params": Named(words="active parameters", dimension="count"),
    "total_params": Named(words="total parameters", dimension="count"),
    "kv_bytes_per_token": Named(words="KV bytes stored a token", dimension="bytes"),
    "read_bytes_per_token": Named(words="KV bytes read a token", dimension="bytes"),
    "batch": Named(words="batch, sequences", dimension="count"),
    "balance_batches": Named(words="batch over the balance batch", dimension="ratio"),
    "context_tokens": Named(words="mean context, tokens", dimension="count"),
    "prefill_fraction": Named(words="peak reached in prefill", dimension="part"),
    "decode_fraction": Named(words="roofline reached in decode", dimension="part"),
    "utilisation_fraction": Named(words="utilisation over the day", dimension="part"),
    "usd_per_chip_s": Named(words="price of a chip", dimension="usd_per_s"),
    "crossover_tokens": Named(words="crossover context, tokens", dimension="count"),
    "input_price_over_cost": Named(words="input, price over cost", dimension="ratio"),
    "output_price_over_cost": Named(words="output, price over cost", dimension="ratio"),
    "cached_input_price_over_cost": Named(words="cached input, price over cost", dimension="ratio"),
    "hold_price_over_cost": Named(words="holding, price over cost", dimension="ratio"),
}
"""All unknowns, in the order in which they are reported."""

LINES = {"input": "input", "output": "output", "cached_input": "cached input", "hold": "holding a token"}

UNLIKELY = 0.05
"""Chance of a price as far out, below which it is said that the model does not explain it."""


def shown(name: str, value: float) -> str:
    """A value of an unknown, with its unit.

    >>> shown("active_params", 37e9), shown("utilisation_fraction", 0.6), shown("output_price_over_cost", 7.3)
    ('37B', '60 %', '7.3 x')
    """
    named = NAMED[name]
    if named.dimension == "ratio":
        return f"{value:.2g} x" if value < 99.5 else f"{value:,.0f} x"  # noqa: PLR2004  rounds to two digits
    if named.dimension == "part":
        return f"{100 * value:.0f} %"
    return format_quantity(value, named.dimension, 2)


def said_of(unknown: Unknown) -> str:
    """A plain sentence: what the prices say of an unknown, or that they say nothing."""
    words = NAMED[unknown.name].words
    low, middle, high = (shown(unknown.name, getattr(unknown.posterior, end)) for end in ("p05", "p50", "p95"))
    if not unknown.informed:
        return f"The prices say next to nothing of the {words}: still anything from {low} to {high}."
    before_low, before_high = (shown(unknown.name, getattr(unknown.prior, end)) for end in ("p05", "p95"))
    return f"{words.capitalize()}: {middle}, from {low} to {high}; {before_low} to {before_high} before the prices."


def said_of_question(question: Question) -> str:
    """What the prices say of a discrete question, by the factor of the odds."""
    # Of two answers the odds of either change alike: the one that gains is named.
    best = max(question.options, key=lambda one: (round(abs(math.log(one.bayes_factor)), 6), one.bayes_factor))
    if not question.informed:
        return (
            f"{question.asked} The prices do not tell: no answer's odds change by more than {question.strongest:.1f}."
        )
    said = "for" if best.bayes_factor > 1 else "against"
    factor = max(best.bayes_factor, 1 / best.bayes_factor)
    times = f"{factor:,.0f}" if factor < 1e4 else "more than 10,000"  # noqa: PLR2004  beyond what draws tell
    return f"{question.asked} The prices speak {said} {best.name}: its odds change {times} times."


def said_of_price(predicted: Predicted) -> str:
    """Whether a price is what all others lead to expect."""
    line = LINES[predicted.line]
    if predicted.chance_beyond < UNLIKELY:
        chance = f"{100 * predicted.chance_beyond:.1f} %"
        return f"The price of {line} does not fit the others: one as far out has a chance of {chance}."
    return f"The price of {line} fits the others."
