"""Sentences on an inference: on each unknown, each question, and each price."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.inversion.evidence import Evidence, Multiplier
from ridgeline.inversion.infer import Inference, Predicted, Unknown
from ridgeline.inversion.questions import Option, Question
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import HOUR_S

__all__ = [
    "LINE_WORDS",
    "NAMED",
    "Named",
    "percent",
    "said_of",
    "said_of_check",
    "said_of_multiplier",
    "said_of_price",
    "said_of_question",
    "said_of_step",
    "shown",
    "shown_range",
    "strongest",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Words for an unknown.

    Attributes:
        words: words that stand for it.
        dimension: dimension of its value; "ratio" for times, "part" for percents.
    """

    words: str
    dimension: str


NAMED = {
    "active_params": Named(words="active parameters", dimension="count"),
    "total_params": Named(words="total parameters", dimension="count"),
    "expansion": Named(words="total over active parameters", dimension="ratio"),
    "kv_bytes_per_token": Named(words="KV bytes stored a token", dimension="bytes"),
    "read_bytes_per_token": Named(words="KV bytes read a token", dimension="bytes"),
    "batch": Named(words="batch, sequences", dimension="count"),
    "balance_batches": Named(words="batch over the balance batch", dimension="ratio"),
    "context_tokens": Named(words="mean context, tokens", dimension="count"),
    "prefill_fraction": Named(words="peak reached in prefill", dimension="part"),
    "decode_fraction": Named(words="roofline reached in decode", dimension="part"),
    "utilisation_fraction": Named(words="utilisation over the day", dimension="part"),
    "usd_per_chip_s": Named(words="price of a chip", dimension="usd_per_s"),
    "crossover_tokens": Named(words="crossover context at a large batch", dimension="count"),
    "input_price_over_cost": Named(words="input, price over cost", dimension="ratio"),
    "output_price_over_cost": Named(words="output, price over cost", dimension="ratio"),
    "cached_input_price_over_cost": Named(words="cached input, price over cost", dimension="ratio"),
    "hold_price_over_cost": Named(words="holding, price over cost", dimension="ratio"),
}
"""All unknowns, in the order in which they are reported."""

LINE_WORDS = {"input": "input", "output": "output", "cached_input": "cached input", "hold": "holding a token"}
"""Words for the lines of a list."""

UNLIKELY = 0.05
"""Chance of a price as unusual, below which it is said that the model does not explain it."""

WEAK_SPAN = 30.0
"""Largest over smallest price of a 90 % interval, from which on a check that is passed says little: prices of models
of one generation span as much."""

SURE = 0.999
"""Largest chance that is said as a number."""

MOST_TIMES = 1e4
"""Factor beyond which draws do not tell how large it is."""


def shown(name: str, value: float) -> str:
    """Value of an unknown, with its unit.

    >>> shown("active_params", 37e9), shown("utilisation_fraction", 0.6), shown("output_price_over_cost", 7.3)
    ('37B', '60 %', '7.3 x')
    >>> shown("hold_price_over_cost", 1234.5), shown("balance_batches", 0.00002)
    ('1,200 x', '< 0.001 x')
    """
    named = NAMED[name]
    if named.dimension == "ratio":
        return f"{_two_digits(value)} x"
    if named.dimension == "part":
        return f"{100 * value:.0f} %"
    return format_quantity(value, named.dimension, 2)


def shown_range(name: str, low: float, high: float) -> str:
    """Two values of an unknown, with a unit that they share written once.

    >>> shown_range("prefill_fraction", 0.1, 0.54), shown_range("kv_bytes_per_token", 900, 2e5)
    ('10 to 54 %', '900 B to 200 kB')
    """
    first, last = shown(name, low), shown(name, high)
    number, _, unit = first.partition(" ")
    return f"{number if unit and unit == last.partition(' ')[2] else first} to {last}"


def _two_digits(value: float) -> str:
    """A number in two digits, none of it as a power."""
    if value < 0.001:  # noqa: PLR2004  of which nobody asks how much less
        return "< 0.001"
    if value < 9.95:  # noqa: PLR2004  rounds to two digits
        return f"{value:.2g}"
    digits = max(math.floor(math.log10(value)) - 1, 0)
    return f"{round(value, -digits):,.0f}"


def percent(chance: float) -> str:
    """Chance in percent.

    >>> percent(0.34), percent(0.012), percent(0.99999), percent(0.0)
    ('34 %', '1.2 %', '> 99.9 %', '< 0.1 %')
    """
    if chance > SURE:
        return f"> {100 * SURE:.1f} %"
    if chance < 1 - SURE:
        return f"< {100 * (1 - SURE):.1f} %"
    return f"{100 * chance:.1f} %" if chance < 0.02 else f"{100 * chance:.0f} %"  # noqa: PLR2004  two digits


def said_of(unknown: Unknown) -> str:
    """Sentence on what the prices say of an unknown, or that they say nothing."""
    words = NAMED[unknown.name].words
    low, middle, high = (shown(unknown.name, getattr(unknown.posterior, end)) for end in ("p05", "p50", "p95"))
    if unknown.misleads:
        return f"Open models show that prices do not tell the {words}; {low} to {high} is not to be used."
    if not unknown.informed:
        return f"The prices say next to nothing of the {words}: still anything from {low} to {high}."
    before_low, before_high = (shown(unknown.name, getattr(unknown.prior, end)) for end in ("p05", "p95"))
    return f"{words.capitalize()}: {middle}, from {low} to {high}; {before_low} to {before_high} before the prices."


def strongest(question: Question) -> Option:
    """Answer whose odds changed most; of two answers, whose odds change alike, the one that gains."""
    return max(question.options, key=lambda one: (round(abs(math.log(one.bayes_factor)), 6), one.bayes_factor))


def said_of_question(question: Question) -> str:
    """Sentence on what the prices say of a discrete question, by the factor of the odds."""
    best = strongest(question)
    if not question.informed:
        return f"{question.asked} The prices do not tell."
    more = "more" if best.bayes_factor > 1 else "less"
    factor = max(best.bayes_factor, 1 / best.bayes_factor)
    is_bound = best.is_bound or factor > MOST_TIMES
    times = f"more than {min(factor, MOST_TIMES):,.0f}" if is_bound else _two_digits(factor)
    return f"{question.asked} {best.name}: {times} times {more} likely than before, by its odds."


def said_of_price(predicted: Predicted) -> str:
    """Sentence on whether a price is what all others lead to expect."""
    line = LINE_WORDS[predicted.line]
    if predicted.chance_beyond < UNLIKELY:
        chance = percent(predicted.chance_beyond)
        return f"The price of {line} does not fit the others: one as unusual has a chance of {chance}."
    return f"The price of {line} fits the others."


def said_of_check(found: Inference) -> str:
    """Sentence on what the check on prices is worth."""
    outside = [one for one in found.predictive if one.chance_beyond < UNLIKELY]
    spans = sorted(one.expected.p95 / one.expected.p05 for one in found.predictive)
    if outside or spans[-1] < WEAK_SPAN:
        return " ".join(said_of_price(one) for one in outside) or "Every price is as the others lead to expect."
    least, most = (format_quantity(float(f"{span:.1g}"), "count", 1) for span in (spans[0], spans[-1]))
    return (
        f"Every price is possible, but the check is weak: what the others lead to expect spans {least} to {most} times."
        " That a vendor multiplies its input price is left out of it."
    )


def said_of_multiplier(one: Multiplier) -> str:
    """Clause on how many of the vendor's models share a multiplier."""
    what, ratio = LINE_WORDS[one.line], one.ratio
    if one.line == "hold":
        what, ratio = "an hour of holding", one.ratio * HOUR_S
    return (
        f"{what} is {ratio:.3g} times input at {one.shared_by} of {one.of} of the vendor's input prices, which span"
        f" {one.input_span:.0f} times: a pricing policy, which counts as a single observation"
    )


def said_of_step(evidence: Evidence) -> str:
    """Clause on a list's step, and on how many other lists share it; empty where there is none."""
    step = evidence.step
    if step is None:
        return ""
    said = f"a step at {step.threshold_tokens:,.0f} tokens reprices the whole request"
    others = step.shared_by - 1
    if not others:
        return said
    models = "another of the vendor's input prices" if others == 1 else f"{others} others of the vendor's input prices"
    return f"{said}; the same step stands at {models}, which span {step.input_span:.0f} times"
