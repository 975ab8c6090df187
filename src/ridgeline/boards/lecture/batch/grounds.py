"""Known numbers beside what the chapter's questions ask for."""

from __future__ import annotations

from ridgeline.boards.exercise import shown
from ridgeline.boards.grounds import Follows, Grounds
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch.quality import total_params
from ridgeline.boards.lecture.batch.step import step_times
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Seen, height, mark_named, upright
from ridgeline.quantity_text import format_quantity

__all__ = ["all_chips", "fewer_reads", "many_experts", "more_speed", "shared_step"]

DRAWN_PARTS = (0.5, 1.0)
"""Batches that are known before the answer, over the one to which the curve is drawn."""
SOLD_SPEEDS = (1.0, 1.5, 2.0, 2.5)
"""Multiples of the regular speed of which the price is drawn before the answer."""


def shared_step(seen: Seen, drawn_to: float, batch: float) -> Grounds:
    """Speed and time of smaller batches' steps, as far as the curve is drawn."""

    def row(known: float) -> tuple[str, ...]:
        each = height(seen, "speed", known)
        return f"{known:,.0f}", f"{each:,.0f}", shown(1 / each, "s", DIGITS), count_text(known * each, DIGITS)

    return Grounds(
        columns=("sequences", "tokens/s each", "a step takes", "tokens/s together"),
        rows=tuple(row(part * drawn_to) for part in DRAWN_PARTS),
        asked=(
            f"{batch:,.0f}",
            Follows(dimension="count"),
            Follows(dimension="s", is_over=True),
            Follows(dimension="count", times=batch),
        ),
    )


def more_speed(seen: Seen, speed: float) -> Grounds:
    """Prices of slower modes, and the batches that they come to."""

    def row(known: float) -> tuple[str, ...]:
        price = height(seen, "price", known)
        return f"{known:g}×", f"{price:.3g}×", f"1/{price * known:.3g}" if known > 1 else "1"

    return Grounds(
        columns=("speed", "price of a token", "batch"),
        rows=tuple(row(one) for one in SOLD_SPEEDS),
        asked=(
            f"{speed:g}×",
            Follows(dimension="count", form="{}×"),
            Follows(dimension="count", times=speed, form="1/{}"),
        ),
    )


def fewer_reads(seen: Seen, tokens: float) -> Grounds:
    """Reads of other kinds of attention, and what the asked one's are made of."""
    values = seen.values[seen.mode]
    known = {
        "full attention": tokens,
        "square root": height(seen, "square root", tokens),
        "picked by V3.2": values["top_k"],
    }
    index = shown(values["index_fraction"], "fraction", DIGITS)
    return Grounds(
        columns=(f"at {count_text(tokens, DIGITS)} tokens of context", "tokens' worth of bytes"),
        rows=(
            *((name, shown(read, "count", DIGITS)) for name, read in known.items()),
            ("V3.2's index, over all bytes", index),
        ),
        asked=("read by V3.2 in all", Follows(dimension="count")),
    )


def all_chips(seen: Seen) -> Grounds:
    """Time and cost of a step of a large batch, and the time of the weights; a larger batch is asked for next."""
    values = seen.values[seen.mode]
    usd_per_s = values["usd_per_chip_s"] * values["chips"]
    balance = mark_named(seen, "balance batch").x

    usd = height(seen, "cost", balance)
    return Grounds(
        columns=("sequences", "a step takes", "tokens cost"),
        rows=(
            (count_text(balance, DIGITS), shown(usd * balance / usd_per_s, "s", DIGITS), upright(seen, usd)),
            ("weights alone", shown(step_times(values).weights_s, "s", DIGITS), ""),
        ),
        asked=("1", Follows(dimension="s", times=1 / usd_per_s), Follows(dimension="usd_per_token")),
    )


def many_experts(seen: Seen) -> Grounds:
    """Parameters that a dense model and the sparse one hold, and those that a token uses."""
    values = seen.values[seen.mode]
    active = format_quantity(values["active_params"], "count")
    held = format_quantity(float(total_params(values, values["experts"])), "count")
    return Grounds(
        columns=("experts", "a token uses", "the model holds", "as good as"),
        rows=(("1", active, active, active),),
        asked=(f"{values['experts']:g}", active, held, Follows(dimension="count")),
    )
