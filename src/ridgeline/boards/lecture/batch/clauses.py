"""Words of the chapter's steps that hold under a condition, with what holds where they do not."""

from __future__ import annotations

import math

from ridgeline.boards.clause import Clause
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text, whole_text
from ridgeline.boards.lecture.batch.claims_balance import PUBLISHED_PARAMS
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS, step_times
from ridgeline.boards.lecture.batch.trains import least_period_s
from ridgeline.boards.lecture.numbers import BALANCE_BATCH, BALANCE_RATIO
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Seen, drawn, height, is_as_opened, mark_named, upright

__all__ = [
    "BALANCED",
    "CLOCK",
    "FLAT",
    "FLOOR",
    "HIS",
    "OFFERED",
    "OWN_BALANCE",
    "PATIENCE",
    "SOONEST",
    "UNBALANCED",
]

HUNDRED, THOUSAND = 100.0, 1000.0
"""Sequences of which it is said that their weights take equally long to fetch."""


HIS = Clause(
    words="numbers are now Reiner Pope's",
    holds=lambda seen: is_as_opened(seen, *seen.values[seen.mode]),
    otherwise="numbers that you leave as they are come from Reiner Pope",
)


def _is_flat(seen: Seen) -> bool:
    """Whether both batches take as long, as far as the axis tells."""
    few, many = (upright(seen, height(seen, "weight fetch", batch)) for batch in (HUNDRED, THOUSAND))
    return few == many


FLAT = Clause(
    words="He counts all … as for a thousand",
    holds=_is_flat,
    otherwise="An expert is a part that only some tokens use. A hundred sequences use fewer experts than a thousand,"
    " so their line rises",
)


def _is_balanced(seen: Seen) -> bool:
    return math.isclose(step_times(seen.values[seen.mode]).balance_batch, float(BALANCE_BATCH), rel_tol=1e-9)


def _off_balance(seen: Seen) -> str:
    at = float(BALANCE_BATCH)
    weights, compute = (upright(seen, height(seen, name, at)) for name in ("weight fetch", "compute"))
    balance = whole_text(step_times(seen.values[seen.mode]).balance_batch, DIGITS)
    return (
        f", reading the weights takes {weights} and computing {compute}. Both are equal at {balance}, the balance batch"
        " B*"
    )


BALANCED = Clause(
    words=", the balance batch B*, computing takes as long as reading weights: …",
    holds=_is_balanced,
    otherwise=_off_balance,
)


def _is_the_offer(seen: Seen) -> bool:
    return is_as_opened(seen, "speed_ratio", "price_ratio")


OFFERED = (
    Clause(words="Back to the offer", holds=_is_the_offer, otherwise="Take another offer"),
    Clause(words=" (… sequences in the first chart)", holds=_is_the_offer),
)


def _is_compute_the_floor(seen: Seen) -> bool:
    times = step_times(seen.values[seen.mode])
    return times.compute_s >= times.kv_s


FLOOR = Clause(
    words=", which sets a floor",
    holds=_is_compute_the_floor,
    otherwise=", nor is reading its context: that takes longer and sets the floor",
)


def _saved_from(seen: Seen) -> str:
    """Savings of a slow mode where the balance batch is too far off to be drawn, or where there is none."""
    balance = step_times(seen.values[seen.mode]).balance_batch_with_kv
    if math.isinf(balance):
        return "Here the caches take longer than computing at any batch, so a larger one always saves a little"
    own, twice = (whole_text(one, DIGITS) for one in (balance, 2 * balance))
    return (
        f"From {own} sequences on, computing takes longer than all reading. So a slow mode with twice as many,"
        f" {twice}, saves nothing more"
    )


PATIENCE = Clause(
    words="From … saves nothing more",
    holds=lambda seen: any(mark.name == "balance batch" for mark in drawn(seen).marks),
    otherwise=_saved_from,
)


def _ratio(seen: Seen) -> float:
    """Balance ratio of the chip as it is set: balance batch over sparsity."""
    values = seen.values[seen.mode]
    return step_times(values).balance_batch / values["expansion"]


def _is_his_ratio(seen: Seen) -> bool:
    return math.isclose(_ratio(seen), float(BALANCE_RATIO), rel_tol=1e-9)


def _is_published(seen: Seen) -> bool:
    published = float(PUBLISHED_PARAMS) / float(ACTIVE_PARAMS)
    return math.isclose(seen.values[seen.mode]["expansion"], published, rel_tol=1e-9)


OWN_BALANCE = (
    Clause(
        words=f"In a dense model it is {float(BALANCE_RATIO):.0f}",
        holds=_is_his_ratio,
        otherwise=lambda seen: f"In a dense model it is {count_text(_ratio(seen), DIGITS)}",
    ),
    Clause(
        words="But DeepSeek-V3's published sizes give … times, or",
        holds=_is_published,
        otherwise="With the sizes set here it is",
    ),
)


def _balanced(seen: Seen) -> str:
    values = seen.values[seen.mode]
    tokens = count_text(values["context_tokens"], 3)
    balance = whole_text(step_times(values).balance_batch_with_kv, DIGITS)
    return (
        f"Reading one of {tokens} tokens takes less time than multiplying by the parameters, so above {balance}"
        " sequences compute is the limit"
    )


UNBALANCED = (
    Clause(
        words=": DeepSeek-V3's … on average",
        holds=lambda seen: is_as_opened(seen, "context_tokens"),
        otherwise=lambda seen: f", of {count_text(seen.values[seen.mode]['context_tokens'], 3)} tokens each",
    ),
    Clause(
        words="Reading one takes longer … memory sets the pace",
        holds=lambda seen: math.isinf(step_times(seen.values[seen.mode]).balance_batch_with_kv),
        otherwise=_balanced,
    ),
)


def _at_once(seen: Seen) -> float:
    """Tokens a second of trains that leave one as soon as the other arrives."""
    return height(seen, "B / t", mark_named(seen, "seats").x)


def _keeps_the_clock(seen: Seen) -> bool:
    return _at_once(seen) * seen.values[seen.mode]["period_s"] > mark_named(seen, "seats").x


def _late(seen: Seen) -> str:
    seats = mark_named(seen, "seats").x
    step = shown(seats / _at_once(seen), "s", 3)
    return f"But a step of {count_text(seats, DIGITS)} sequences takes {step}, so none keeps that clock"


_NEAR_SOONEST = 2.0
"""Up to so many times the least period a clock is near it: there one asks why it goes no faster."""

SOONEST = (
    Clause(
        words=", in which a chip can read its memory",
        holds=lambda seen: is_as_opened(seen, "period_s"),
    ),
    Clause(
        words="half waiting, half riding",
        holds=lambda seen: seen.values[seen.mode]["period_s"] > _NEAR_SOONEST * least_period_s(),
        otherwise=lambda _: (
            "half waiting, half riding. "
            f"No ride can be shorter than the {shown(least_period_s(), 's', 3)} of reading weights"
        ),
    ),
)
"""Step on trains: a step reads its weights, whatever the clock says."""

CLOCK = (
    Clause(
        words=", about as often as a newer chip can read its memory",
        holds=lambda seen: is_as_opened(seen, "period_s"),
    ),
    Clause(
        words="Then … tokens a second",
        holds=_keeps_the_clock,
        otherwise=_late,
    ),
    Clause(
        words="But by our count a step on the earlier chips takes less: …",
        holds=_keeps_the_clock,
        otherwise=lambda seen: f"One after the other, they make {count_text(_at_once(seen), DIGITS)} tokens a second",
    ),
)
