"""Sentences of the chapter's steps on the numbers that they do not open in."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.training.budget import is_as_much
from ridgeline.boards.lecture.training.laws import HOFFMANN
from ridgeline.boards.lecture.training.over_training import RULE
from ridgeline.boards.lecture.whose import where_he
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import FAIR, Seen, along, drawn, height, is_as_opened, mark_named, upright

__all__ = ["THIRD", "lives", "of_third", "over", "smaller", "two_costs"]

THIRD = 1 / 3
"""Part of all costs that he gives to pre-training."""
FAR = 3.0
"""Ratio to his third from which a part is far from it."""
ROUNDED = 2
"""Significant digits of ratios and parts."""


def of_third(part: float) -> str:
    """A part of all costs beside his: near as a guess has to come that counts as right, or above or below."""
    ratio = part / THIRD
    if 1 / FAIR <= ratio <= FAIR:
        how = "not far"
    else:
        how = "far" if max(ratio, 1 / ratio) > FAR else "well"
    return f"{how} {'above' if ratio > 1 else 'below'} his third"


def _own(seen: Seen) -> str:
    is_known = is_as_opened(seen, "tokens", "active_params")
    return "DeepSeek-V3" if is_known else "this model"


def two_costs(seen: Seen) -> str:
    """Sentence on the powers of two costs, which he draws alike."""
    values = seen.values[seen.mode]
    rising, falling = values["rising_power"], values["falling_power"]
    powers = " and ".join(shown(one, "count", DIGITS) for one in (rising, falling))
    by = (
        "By Besiroglu's fit of quality to size and data they are"
        if is_as_opened(seen, "rising_power", "falling_power")
        else "Here they are"
    )
    ratio = falling / rising
    return (
        f"He draws both costs as powers with equal exponents. {by} {powers}. The sum is then smallest where the rising"
        f" cost is {shown(ratio, 'count', ROUNDED)} times the falling one:"
        f" {'his rule nearly holds' if 1 / FAIR <= ratio <= FAIR else 'his rule fails'}."
    )


def smaller(seen: Seen) -> str:
    """Sentence on the training of a smaller model that is as good."""
    values = seen.values[seen.mode]
    each = count_text(values["tokens"] / values["active_params"], DIGITS)
    begins = f"With {each} training tokens for each of its active parameters, {_own(seen)}"
    if not any(mark.name == "smaller" for mark in drawn(seen).marks):
        return f"{begins} has no smaller model beside it that gets as good with affordable training."
    less = mark_named(seen, "smaller").x
    return (
        f"{begins} could be replaced by a model of {along(seen, less)} that is as good, for"
        f" {_times(_more(seen), ' the')} training. By his numbers the smaller model takes"
        f" {_times(_more(seen, Mode.LECTURE))}."
    )


def _times(more: float, the: str = "") -> str:
    return "about as much" if is_as_much(more) else f"{shown(more, 'count', ROUNDED)} times{the}"


def _more(seen: Seen, mode: Mode | None = None) -> float:
    here, own = (height(seen, "pre-training", mark_named(seen, one, mode).x, mode) for one in ("smaller", "board"))
    return here / own


def _part(seen: Seen, place: float) -> float:
    return height(seen, "pre-training", place) / height(seen, "all", place)


def lives(seen: Seen) -> str:
    """Sentence on how the three bills compare for a model that exists."""
    served = count_text(seen.values[seen.mode]["served_tokens"], DIGITS)
    own, best = (mark_named(seen, one).x for one in ("board", "least"))
    return (
        f"If {_own(seen)} serves {served} tokens, pre-training is {shown(_part(seen, own), 'fraction', ROUNDED)} of its"
        f" bills. The cheapest model that is as good has {along(seen, best)}: it spends"
        f" {shown(_part(seen, best), 'fraction', ROUNDED)}, {of_third(_part(seen, best))}."
    )


def over(seen: Seen) -> str:
    """Sentence on a published model's tokens over the optimum."""
    values = seen.values[seen.mode]
    rule, printed = (upright(seen, mark_named(seen, f"by {one}").y, ROUNDED) for one in (RULE, HOFFMANN.name))
    his = upright(seen, mark_named(seen, f"by {RULE}", Mode.LECTURE).y, ROUNDED)
    return (
        f"With {along(seen, values['active_params'])} active parameters, {_own(seen)} saw"
        f" {count_text(values['tokens'], DIGITS)} tokens: {rule} times the rule's"
        f" optimum{where_he('he expects', his, rule)}. By"
        f" Hoffmann's fit, printed in the Chinchilla paper, it is {printed} times."
    )
