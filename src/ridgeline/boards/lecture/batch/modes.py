"""His opening question: what a fast mode's price and speed give away, and the other way to buy speed."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Board, Control, Symbol, Term, Values, View
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import at, curve, curves, linear, logarithmic
from ridgeline.equations import modes, speculation
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

PRICE_RATIO, SPEED_RATIO = said(6.0, "0:00:52", name="price_ratio"), said(2.5, "0:00:52", name="speed_ratio")

FAST_MODES = {"Claude Opus 4.6": (2.5, 6.0)}
"""Speed and price over the regular mode's, as published: "up to 2.5 times" at $30 and $150 in place of $5 and $25 a
million tokens; Anthropic's documentation of fast mode, read in 2026-11."""

SLOWEST = 0.2
NEARLY = 0.98
"""Of the largest speed-up, at which its price is off the picture."""


def _modes(values: Values) -> Curves:
    ratios = {"price_ratio": values["price_ratio"], "speed_ratio": values["speed_ratio"]}
    share = float(modes.sequence_share_ratio(**ratios))
    fastest, saving = float(modes.largest_speed_up(**ratios)), float(modes.largest_saving_fraction(**ratios))
    batches = format_quantity(float(modes.batch_ratio(**ratios)), "count", 3)
    return curves(
        linear(SLOWEST, NEARLY * fastest),
        curve("the least that a\nslow mode can cost", 1 - saving, Colour.KV, is_floor=True),
        curve(
            "price",
            lambda speed: modes.price_at_speed(speed_up=speed, sequence_share_ratio=share),
            Colour.BOUND,
            is_bold=True,
        ),
        marks=[
            at("regular mode", 1.0, on="price", text="regular mode"),
            at("fast mode", values["speed_ratio"], on="price", text=f"a batch {batches}\ntimes smaller"),
        ],
        dots=_published(fastest),
        top=4 * values["price_ratio"],
        bottom=0.5 * (1 - saving),
    )


def _published(fastest: float) -> tuple[Dots, ...]:
    """Fast modes that are sold, as far as the picture goes."""
    shown = {name: mode for name, mode in FAST_MODES.items() if mode[0] <= NEARLY * fastest}
    if not shown:
        return ()
    speeds, prices = (np.array([mode[place] for mode in shown.values()]) for place in (0, 1))
    return (Dots(name="fast modes", x=speeds, y=prices, labels=tuple(shown), colour=Colour.OTHER),)


def _speculation(values: Values) -> Curves:
    drafted, share = values["drafted_tokens"], values["acceptance_fraction"]
    accepted = float(speculation.accepted_tokens(drafted_tokens=drafted, acceptance_fraction=share))

    def speed_up(batch: np.ndarray) -> np.ndarray:
        found = speculation.speed_up(batch_over_balance=batch, drafted_tokens=drafted, accepted_tokens=accepted)
        return np.asarray(found)

    even = accepted / (drafted + 1)  # where checking takes as much from others as it gives
    return curves(
        logarithmic(0.01, 10.0),
        curve("no gain", 1.0, Colour.ASIDE, is_floor=True),
        curve("with drafts", speed_up, Colour.OTHER, is_bold=True),
        marks=[
            at("small batches", 0.02, on="with drafts", text=f"{accepted:.2f} tokens a step", colour=Colour.OTHER),
            at("no gain from here", even, on="with drafts", text=f"no gain from {even:.2g}", colour=Colour.ASIDE),
        ],
        top=1.3 * (drafted + 1),
    )


BOARD = Board(
    name="modes",
    time_stamp="0:00:52",
    title="Fast mode and slow mode",
    question="What do a fast mode's price and speed say of its batch, and how far could either be pushed?",
    caption="If nothing but the batch differs, two numbers of a price list fix the curve: the most speed that any price"
    " buys, and the most that waiting saves. Beside it the other way to buy speed: guessing tokens and checking them"
    " together, which costs nothing until arithmetic binds.",
    formula=(
        Term(tex=r"\dfrac{B_0}{B}=p\,v", colour=Colour.BOUND),
        Term(tex=r",\qquad r=\dfrac{v-1}{1-1/p},\qquad"),
        Term(tex=r"v_{max}=1+r", colour=Colour.BOUND),
        Term(tex=r",\qquad"),
        Term(tex=r"\mathrm{saving}\leq\dfrac{1}{1+r}", colour=Colour.KV),
        Term(tex=r",\qquad"),
        Term(tex=r"a=\dfrac{1-\alpha^{d+1}}{1-\alpha}", colour=Colour.OTHER),
    ),
    symbols=(Symbol(tex="r", meaning="time for a regular step's sequences over that for its weights"),),
    controls=(
        Control(
            name="price_ratio",
            meaning="times the price",
            dimension="count",
            low=1.1,
            high=100,
            lecture=PRICE_RATIO,
            careful=PRICE_RATIO.value,
        ),
        Control(
            name="speed_ratio",
            meaning="times the speed",
            dimension="count",
            low=1.05,
            high=10,
            lecture=SPEED_RATIO,
            careful=SPEED_RATIO.value,
        ),
        Control(
            name="drafted_tokens",
            meaning="tokens guessed a step",
            dimension="count",
            low=1,
            high=16,
            lecture=filled_in(3),
            careful=3,
            is_whole=True,
        ),
        Control(
            name="acceptance_fraction",
            meaning="of the guesses right, each behind right ones",
            dimension="fraction",
            low=0.05,
            high=0.95,
            lecture=filled_in(0.7),
            careful=0.7,
        ),
    ),
    views=(
        View(
            heading="A smaller batch",
            compute=_modes,
            x=Axis(caption="speed of a user over the regular mode's", dimension="count"),
            y=Axis(caption="price of a token, over the regular price", dimension="count", is_logarithmic=True),
        ),
        View(
            heading="Guessed tokens",
            compute=_speculation,
            x=Axis(caption="batch over the balance batch", dimension="count", is_logarithmic=True),
            y=Axis(caption="speed of a user, over that without guesses", dimension="count"),
        ),
    ),
    claims=("A22", "A21", "A28", "A30"),
    exercises=("modes-batch", "modes-limit", "modes-saving", "modes-small-batch", "modes-lecture-batch", "modes-slow"),
)
