"""The finding of an inference in a few sentences, as it is said before any table, and what it is worth."""

from __future__ import annotations

from ridgeline.inversion.infer import Inference, Unknown
from ridgeline.inversion.published import Published
from ridgeline.inversion.questions import Question
from ridgeline.inversion.said import NAMED, percent, shown, shown_range, strongest
from ridgeline.inversion.scored import scores, scores_of
from ridgeline.inversion.trend import Dated, Trend

__all__ = ["answer", "how_right", "said_of_published", "said_of_trend", "title_of", "told_nothing", "trend_title"]


def answer(found: Inference) -> str:
    """The finding in a few sentences: the size first, what else is told, and of what the list says nothing."""
    by_name = {one.name: one for one in found.unknowns}
    sentences = [_size(by_name[name]) for name in ("active_params",) if name in by_name]
    told = [_size(one) for one in found.unknowns if one.informed and one.name in {"total_params", "batch"}]
    answers = [_best(one) for one in found.questions if one.informed]
    return " ".join([*sentences, *told, *answers, told_nothing(found)])


def _size(one: Unknown) -> str:
    words, middle = COUNTED[one.name], shown(one.name, one.posterior.p50)
    after = shown_range(one.name, one.posterior.p05, one.posterior.p95)
    before = f"{shown_range(one.name, one.prior.p05, one.prior.p95)} before the prices"
    if not one.informed:
        return f"The prices hardly tell the {words}: {after}; {before}."
    return f"About {middle} {words}, nine chances in ten of {after}; {before}."


COUNTED = {
    "active_params": "active parameters",
    "total_params": "total parameters",
    "batch": "sequences in a batch",
}
"""Counted quantities of the answer, in words."""


def _best(question: Question) -> str:
    """The answer that the prices speak for or against."""
    best, (for_it, against) = strongest(question), ANSWERED[question.name]
    said = (for_it if best.bayes_factor > 1 else against).format(CALLED.get(best.name, best.name))
    return f"{said} ({percent(best.posterior)}; {percent(best.prior)} before)."


ANSWERED = {
    "machine": ("It runs on {}", "It hardly runs on {}"),
    "format": ("Its weights are in {}", "Its weights are hardly in {}"),
    "kind": ("The model {}", "It is unlikely that the model {}"),
    "tier": ("Its caches are on {}", "Its caches are unlikely to be on {}"),
    "step": ("The step of the list is a {}", "The step of the list is hardly a {}"),
}
"""Sentence for an answer, and sentence against it, by question."""

CALLED = {"experts": "has experts", "dense": "is dense"}


def told_nothing(found: Inference) -> str:
    """All of which the list says next to nothing, in a sentence; the table has what is believed of each."""
    asked = [(one.name, one.informed) for one in found.unknowns] + [(one.name, one.informed) for one in found.questions]
    left = [IN_A_WORD[name] for name, is_told in asked if name in IN_A_WORD and not is_told]
    if not left:
        return ""
    return f"The list says next to nothing of {', '.join(left[:-1])}{' and ' if left[:-1] else ''}{left[-1]}."


IN_A_WORD = {
    "total_params": "total parameters beyond the active ones",
    "kv_bytes_per_token": "KV bytes",
    "batch": "the batch",
    "context_tokens": "the context",
    "decode_fraction": "efficiency",
    "utilisation_fraction": "utilisation",
    "machine": "the chips",
    "format": "their numbers",
    "kind": "whether it is dense",
    "tier": "the caches' tier",
}
"""Quantities in words that are asked of a list, of most of which it says nothing."""


def how_right() -> str:
    """How right such answers were where the truth is known."""
    active, caches = scores_of("active_params"), scores_of("kv_bytes_per_token")
    if active is None or caches is None:
        return ""
    said = (
        f"On {scores().models} open models such an answer was off by {active.error:.1f} times in active parameters"
        f" ({active.error_without_prices:.1f} without any price)"
    )
    if caches.tells:
        return f"{said}, and {caches.error:.1f} times in KV bytes ({caches.error_without_prices:.1f})."
    return (
        f"{said}; in KV bytes by {caches.error:.1f} times, where a guess without prices was off by"
        f" {caches.error_without_prices:.1f}: do not use what is said of these."
    )


def title_of(found: Inference) -> str:
    """The finding in a line: "57B active parameters, 4 times more or less"."""
    active = [one for one in found.unknowns if one.name == "active_params"]
    if not active:
        return f"What the prices of {found.evidence.name} tell beside its active parameters"
    at = active[0].posterior
    if not active[0].informed:
        return f"The prices of {found.evidence.name} hardly tell its size"
    either_way = (at.p95 / at.p05) ** 0.5
    return f"{shown('active_params', at.p50)} active parameters, {either_way:.0f} times more or less"


def said_of_published(found: Inference, known: Published) -> str:
    """Published facts of the model in words, and whether the intervals hold them."""
    active = shown("active_params", known.values["active_params"])
    total = shown("total_params", known.values["total_params"])
    size = f"{active}, dense" if known.is_dense else f"{active} active of {total} parameters"
    caches = shown("kv_bytes_per_token", known.values["kv_bytes_per_token"])
    verdicts = [
        f"{NAMED[one.name].words} {_held(one, known.values[one.name])} its interval"
        for one in found.unknowns
        if one.name in known.values
    ]
    held = f": {', '.join(verdicts)}" if verdicts else ""
    if "active_params" in known.counted or "total_params" in known.counted:
        said = f"Counted from its configuration: {size}, {caches} of KV a token"
    else:
        said = f"Published: {size}; counted from its configuration: {caches} of KV a token"
    return f"{said}; {known.model} in the catalog{held}."


def _held(one: Unknown, truth: float) -> str:
    return "inside" if one.posterior.p05 <= truth <= one.posterior.p95 else "outside"


def said_of_trend(found: Trend) -> str:
    """Sentence on the price of output over time, and on the size that prices tell."""
    first, last = found.points[0], found.points[-1]
    if first is last:
        return f"One day of prices is known, {first.date}: {_active(first)} active parameters."
    sizes = f"{_active(first)} active parameters by the prices of {first.date}, {_active(last)} by those of {last.date}"
    return f"{trend_title(found)}: {sizes}."


def trend_title(found: Trend) -> str:
    """Sentence on the price of output over time, without sizes."""
    first, last = found.points[0], found.points[-1]
    ratio = last.evidence.usd["output"] / first.evidence.usd["output"]
    price = "Output costs what it did"
    if ratio != 1:
        price = f"Output became {max(ratio, 1 / ratio):.2g} times {'dearer' if ratio > 1 else 'cheaper'}"
    before, after = (one.unknown("active_params").posterior for one in (first, last))
    if not before.p05 <= after.p50 <= before.p95 and not after.p05 <= before.p50 <= after.p95:
        return f"{price}, and the size that prices tell moved"
    return f"{price}; that the model changed in size does not follow"


def _active(one: Dated) -> str:
    return shown("active_params", one.unknown("active_params").posterior.p50)
