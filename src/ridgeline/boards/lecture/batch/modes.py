"""Opening question of the lecture: what a fast mode's price and speed reveal, and the other way to buy speed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ridgeline.boards.board import NEXT, Board, Control, LetterNumber, Term, Values, View
from ridgeline.boards.companions import TwoModes
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.picture import Axis, Colour, Curves, Dots, Sheet
from ridgeline.boards.pictures import At, at, curve, curves, linear, logarithmic
from ridgeline.catalog.fast_modes import FastMode, fast_modes
from ridgeline.equations import modes, speculation
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["BOARD", "FASTER", "PRICE_EQUATION", "PRICE_RATIO", "SPEED_RATIO", "others_on_curve"]

PRICE_RATIO, SPEED_RATIO = said(6.0, "0:00:52", name="price_ratio"), said(2.5, "0:00:52", name="speed_ratio")
ANY_PRICE_RATIO = said(100.0, "0:01:10", hedge="asked, not claimed")
"""Price over the regular one that the follow-up question offers."""
FASTER = 2.75
"""Multiple of the regular speed that the walk asks about: more than is sold, and just short of the wall."""

AS_WRITTEN = 1.05
"""Factor within which two prices are the same: they are sold in two digits."""

SLOWEST = 0.2
PRICE = "price"
HIGHEST = 3.0
"""Top of the picture, as a multiple of the price that is asked for."""


def _ratios(values: Values) -> dict[str, float]:
    """Price and speed of the fast mode, over the regular one's."""
    return {"price_ratio": values["price_ratio"], "speed_ratio": values["speed_ratio"]}


def _share(values: Values) -> float:
    """Time for the sequences of a regular step over that for its weights."""
    return float(modes.sequence_share_ratio(**_ratios(values)))


def _modes(values: Values) -> Curves:
    ratios, share = _ratios(values), _share(values)
    least = 1 - float(modes.largest_saving_fraction(**ratios))
    top = HIGHEST * max(float(ANY_PRICE_RATIO), values["price_ratio"])
    fastest = float(modes.speed_at_price(price_ratio=top, sequence_share_ratio=share))
    slow = f"slow mode:\nat least {format_number(least, 2)}"
    return curves(
        linear(SLOWEST, fastest, is_closed=True),  # no price buys the speed after it
        curve(slow, least, Colour.ALSO, is_floor=True),
        curve(
            PRICE,
            lambda speed: modes.price_at_speed(speed_up=speed, sequence_share_ratio=share),
            Colour.MONEY,
            is_bold=True,
        ),
        marks=_marks(values, share),
        also=(FASTER,),  # between two points of so steep a line its price would be read too high
        dots=(_regular(), *_sold(fastest, **ratios)),
        top=top,
        bottom=0.5 * least,
        companion=TwoModes(
            price=PRICE,
            alone=slow,
            regular_rows=float(modes.batch_ratio(**ratios)),
            text="A step of the regular mode, and one of another speed",
        ),
    )


def others_on_curve(sold: Iterable[FastMode], price_ratio: float, speed_ratio: float) -> str:
    """Sentence on which modes that are sold lie on the curve of the one that is set here, which lies there itself."""
    others = [one for one in sold if not _is_it(one, price_ratio, speed_ratio)]
    names = [one.name for one in others if _fits(one, price_ratio, speed_ratio)]
    if not names:
        return "The other fast modes on sale do not lie on this curve."
    return f"Other fast modes that are sold on this curve: {', '.join(names)}."


def _fits(one: FastMode, price_ratio: float, speed_ratio: float) -> bool:
    """Whether a mode that is sold lies on the curve of a given one."""
    share = modes.sequence_share_ratio(price_ratio=price_ratio, speed_ratio=speed_ratio)
    price = float(modes.price_at_speed(speed_up=one.speed_ratio, sequence_share_ratio=share))
    return 1 / AS_WRITTEN < price / one.price_ratio < AS_WRITTEN


def _is_it(one: FastMode, price_ratio: float, speed_ratio: float) -> bool:
    """Whether a mode that is sold is the one that is set here."""
    return (one.price_ratio, one.speed_ratio) == (price_ratio, speed_ratio)


def _marks(values: Values, share: float) -> list[At]:
    """The fast mode, with its name where one is sold so, and what a hundred times the price would buy."""
    price, speed = values["price_ratio"], values["speed_ratio"]
    name = next((f"{one.name}:\n" for one in fast_modes().values() if _is_it(one, price, speed)), "")
    # With as many digits as the sentence beside it.
    batches = format_quantity(float(modes.batch_ratio(price_ratio=price, speed_ratio=speed)), "count", 2)
    dearest = float(modes.speed_at_price(price_ratio=float(ANY_PRICE_RATIO), sequence_share_ratio=share))
    return [
        at("fast mode", speed, on=PRICE, text=f"{name}batch 1/{batches}", colour=Colour.MONEY),
        at(
            "any price",
            dearest,
            on=PRICE,
            text=f"100 times the\nprice: speed {format_number(dearest)}",
            colour=Colour.MONEY,
        ),
    ]


def _regular() -> Dots:
    """Regular mode as the unit of price and speed."""
    return Dots(name="regular", x=np.ones(1), y=np.ones(1), labels=("regular",), colour=Colour.ASIDE)


def _sold(fastest: float, price_ratio: float, speed_ratio: float) -> tuple[Dots, ...]:
    """Fast modes that one can buy, as far as the picture goes; the one that is set here has its name on the mark."""
    shown = [one for one in fast_modes().values() if one.speed_ratio <= fastest]
    if not shown:
        return ()
    dots = Dots(
        name="fast modes as sold",
        x=np.array([one.speed_ratio for one in shown]),
        y=np.array([one.price_ratio for one in shown]),
        labels=tuple("" if _is_it(one, price_ratio, speed_ratio) else one.name for one in shown),
        colour=Colour.ALSO,
        is_named=True,
        names=tuple(one.name for one in shown),
    )
    return (dots,)


def _sheet(values: Values) -> Sheet:
    """Sheet of the mode that is set here, and of every fast mode that is sold."""
    asked = ("here", values["price_ratio"], values["speed_ratio"])
    sold = [(one.name, one.price_ratio, one.speed_ratio) for one in fast_modes().values()]
    return Sheet(
        columns=("mode", "price", "speed", "batch", "limit"),
        rows=tuple(_row(*one) for one in (asked, *sold)),
        text="limit: speed at any price",
        bold=(0,),
    )


def _row(name: str, price_ratio: float, speed_ratio: float) -> tuple[str, ...]:
    ratios = {"price_ratio": price_ratio, "speed_ratio": speed_ratio}
    batches, fastest = float(modes.batch_ratio(**ratios)), float(modes.largest_speed_up(**ratios))
    return (
        name,
        format_number(price_ratio),
        format_number(speed_ratio),
        f"1/{format_number(batches)}",
        format_number(fastest),
    )


def _speculation(values: Values) -> Curves:
    drafted, share = values["drafted_tokens"], values["acceptance_fraction"]
    accepted = float(speculation.accepted_tokens(drafted_tokens=drafted, acceptance_fraction=share))

    def speed_up(batch: np.ndarray) -> np.ndarray:
        found = speculation.speed_up(batch_over_balance=batch, drafted_tokens=drafted, accepted_tokens=accepted)
        return np.asarray(found)

    even = accepted / (drafted + 1)  # where verifying takes as long as all the steps that it saves
    return curves(
        logarithmic(0.01, 10.0),
        curve("no gain", 1.0, Colour.ASIDE, is_floor=True),
        curve("with drafts", speed_up, Colour.ALSO, is_bold=True),
        marks=[
            at(
                "small batches",
                0.02,
                on="with drafts",
                text=f"{accepted:.2f} tokens a step",
                colour=Colour.ALSO,
                is_fixed=True,
            ),
            at(
                "no gain from here",
                even,
                on="with drafts",
                text=f"no gain from {format_number(even, 2)}",
                colour=Colour.ASIDE,
            ),
        ],
        top=1.3 * max(accepted, 1.0),
    )


PRICE_EQUATION = (
    Term(tex=r"P", colour=Colour.MONEY),
    Term(tex=r"\;=\;\dfrac{\kappa}{1+\kappa-v}"),
)
"""Price of a speed, over the regular price."""

BOARD = Board(
    name="modes",
    time_stamp="0:00:52",
    title="Fast mode and slow mode",
    question="How much more speed can a higher price buy, and how much could waiting save?",
    caption="If only the batch differs, one price and one speed fix the whole curve: the speed at any price, and the"
    " most that waiting can save. Fast modes off the curve are of models with other curves, or differ by more than the"
    " batch."
    " Speculative decoding is the other way to be faster: free until compute becomes the limit.",
    formula=(
        *PRICE_EQUATION,
        NEXT,
        Term(tex=r"\dfrac{B_0}{B}=P\,v", colour=Colour.MONEY),
        NEXT,
        Term(tex=r"v_{max}=1+\kappa", colour=Colour.MONEY),
        NEXT,
        Term(tex=r"\mathrm{saving}\leq\dfrac{1}{1+\kappa}", colour=Colour.ALSO),
        NEXT,
        Term(tex=r"\dfrac{\mathrm{tokens}}{\mathrm{step}}=\dfrac{1-\alpha^{\gamma+1}}{1-\alpha}", colour=Colour.ALSO),
    ),
    letter_numbers=(LetterNumber(tex=r"\kappa", value=_share),),
    controls=(
        Control(
            name="price_ratio",
            meaning="times the price",
            called="price, fast over regular",
            short="price ratio",
            dimension="count",
            low=1.1,
            high=100,
            lecture=PRICE_RATIO,
            careful=PRICE_RATIO.value,
        ),
        Control(
            name="speed_ratio",
            meaning="times the speed",
            called="speed, fast over regular",
            short="speed ratio",
            dimension="count",
            low=1.05,
            high=10,
            lecture=SPEED_RATIO,
            careful=SPEED_RATIO.value,
        ),
        Control(
            name="drafted_tokens",
            meaning="drafted tokens per step",
            short="drafted tokens",
            dimension="count",
            low=1,
            high=16,
            lecture=filled_in(3, why="a usual number"),
            careful=3,
            is_whole=True,
        ),
        Control(
            name="acceptance_fraction",
            meaning="of drafted tokens accepted",
            called="share of drafts accepted",
            short="accepted",
            dimension="fraction",
            low=0.05,
            high=0.95,
            lecture=filled_in(0.7, why="a usual share"),
            careful=0.7,
        ),
    ),
    views=(
        View(
            heading="Smaller batches",
            compute=_modes,
            x=Axis(caption="speed per user, relative to the regular mode", dimension="count"),
            y=Axis(caption="price per token, relative to the regular price", dimension="count", is_logarithmic=True),
        ),
        View(
            equations=(4,),
            heading="Speculative decoding",
            compute=_speculation,
            x=Axis(caption="batch, relative to the balance batch", dimension="count", is_logarithmic=True),
            y=Axis(caption="speed per user, relative to decoding without drafts", dimension="count"),
        ),
        View(equations=(1,), heading="Sold in 2026", compute=_sheet),
    ),
    claims=("A22", "A30", "A34"),
    exercises=(
        "modes-lecture-batch",
        "modes-drafts",
        "modes-slow",
        "modes-batch",
        "modes-limit",
        "modes-saving",
        "modes-small-batch",
    ),
    first_move=FirstMove(
        control="price_ratio",
        to=3.0,
        then="the wall that no price gets past moves right",
        seen=(Moves(what="any price", way=Way.RIGHT),),
    ),
)
