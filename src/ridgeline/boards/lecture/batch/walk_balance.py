"""The walk from 0:19:22: the batch that balances for sparse models and with contexts, and when batches leave."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch import choices, clauses, departures, others, tokens
from ridgeline.boards.lecture.batch.balance_batches import (
    CROWDED,
    PUBLISHED_EXPANSION,
    balance_batches,
    published_batches,
)
from ridgeline.boards.lecture.numbers import BALANCE_RATIO, EXPANSION
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Colour
from ridgeline.boards.tied_to import control, in_picture, mark_x, mark_y, not_drawn, on_mark
from ridgeline.boards.walk import Seen, Step, along, at_mark, height, mark_named
from ridgeline.equations import departures as departures_equations

__all__ = ["PUBLISHED_EXPANSION", "STEPS"]


def _parted_balance(seen: Seen) -> str:
    his, own = (mark_named(seen, name).x for name in ("his balance batch", "balance batch without contexts"))
    expansion = seen.values[seen.mode]["expansion"]
    return (
        "At the balance batch, reading the weights takes as long as computing. In a dense model it is"
        f" {float(BALANCE_RATIO):.0f}. In a sparse one each token needs only a part, so more have to share the read: he"
        f" takes {float(EXPANSION):g} times as many for DeepSeek, {along(seen, his, 3)}. But DeepSeek-V3's published"
        f" sizes give {expansion:.0f} times, or {count_text(own, DIGITS)}."
    )


def _unbalanced(seen: Seen) -> str:
    tokens = count_text(seen.values[seen.mode]["context_tokens"], 3)
    return (
        f"Now count contexts, too: DeepSeek-V3's have {tokens} tokens on average. Reading one"
        " takes longer than multiplying by the parameters. Both grow with the batch, so a larger one does not help:"
        " memory sets the pace, if attention's own arithmetic is left out."
    )


def _worst_s(seen: Seen) -> float:
    """Longest time from arrival to token of who is not left behind."""
    return float(departures_equations.worst_latency_s(period_s=seen.values[seen.mode]["period_s"]))


def _trains(seen: Seen) -> str:
    values = seen.values[seen.mode]
    number, unit = shown(values["period_s"], "s").split()
    return (
        "Must a user wait until all seats of a batch are taken? No: batches leave like trains, full or not, every"
        f" {number} {unit}, in which a chip can read its memory. At worst, a user who finds a seat has the token after"
        f" {shown(_worst_s(seen), 's', 3)}: half waiting, half riding."
    )


def _departures_per_s(seen: Seen) -> float:
    return 1 / seen.values[seen.mode]["period_s"]


def _clocked(seen: Seen) -> str:
    seats = mark_named(seen, "seats").x
    clocked = height(seen, "trains", seats)
    return (
        "How many tokens does such a timetable make? Say batches leave at"
        f" {count_text(_departures_per_s(seen), DIGITS)} a second, about as often as a newer chip can read its memory."
        f" Then {along(seen, seats)} seats make {clocked:,.0f} tokens a second. But by our count a step on the"
        f" earlier chips takes less: leaving at once, batches would make {choices.times_more(seen):.0f} times as many."
    )


STEPS = (
    Step(
        board="latency",
        view=1,
        time_stamp="0:19:22",
        turned={"expansion": PUBLISHED_EXPANSION},
        # Parameters and chips move both sides of a balance alike.
        controls=("expansion", "flop_per_s", "hbm_bytes_per_s", "bytes_per_param"),
        terms=5,
        other=others.parted,
        sentence=_parted_balance,
        named={"reading the weights": Colour.WEIGHTS, "computing": Colour.COMPUTE},
        ties=(
            not_drawn(float(BALANCE_RATIO), "the ratio of the step before"),
            in_picture(float(EXPANSION), "name of the line of his weights"),
            mark_x("his balance batch"),
            control("expansion"),
            mark_x(CROWDED),
        ),
        claims=("A11", "A12"),
        ladder=published_batches,
        clauses=clauses.OWN_BALANCE,
    ),
    Step(
        board="latency",
        time_stamp="0:20:00",
        opened=(Colour.COMPUTE, Colour.WEIGHTS, Colour.KV),
        modes=(Mode.CAREFUL,),
        lines=("compute", "weight fetch", "KV fetch", "step"),
        other=others.unlimited,
        sentence=_unbalanced,
        read_at=at_mark(CROWDED),
        named={"contexts": Colour.KV, "multiplying": Colour.COMPUTE},
        ties=(control("context_tokens"),),
        claims=("A25", "A14"),
        choice=choices.LAST_BINDING,
        ladder=balance_batches,
        clauses=clauses.UNBALANCED,
    ),
    Step(
        board="departures",
        time_stamp="0:21:40",
        formula=departures.WAIT_EQUATION,
        other=others.trains,
        sentence=_trains,
        named={"At worst": Colour.ASIDE},
        ties=(
            control("period_s"),
            in_picture(_worst_s, "the clock after two trains"),
        ),
        claims=("A17",),
        clauses=clauses.SOONEST,
    ),
    Step(
        board="tokens",
        time_stamp="0:26:25",
        formula=tokens.TRAINS_EQUATION,
        other=others.clocked,
        sentence=_clocked,
        read_mark="seats",
        named={"128,000 tokens": Colour.ASIDE},
        ties=(
            not_drawn(_departures_per_s, "one over the time from train to train"),
            mark_x("seats"),
            mark_y("seats"),
            on_mark("at once", choices.times_more),
        ),
        claims=("A18", "A20"),
        choice=choices.AT_ONCE,
        clauses=clauses.CLOCK,
    ),
)
