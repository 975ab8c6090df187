"""Reading against writing: what a token costs, by how many of a sequence one pass takes."""

from __future__ import annotations

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.companions import Bar, BarGroup, Bars, Length
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, SHORT_TOKENS, STEP_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.boards.schedules import ticks_of
from ridgeline.boards.two_chips import Side, TwoChips
from ridgeline.equations import caching, contexts, pricing
from ridgeline.numeric import INFINITY, Numeric, maximum
from ridgeline.quantity_text import counted, format_number, format_quantity

__all__ = ["BOARD", "LIST_RATIO", "OUTPUT_EQUATION", "over_arithmetic"]

LIST_RATIO = 5.0
"""Price of a written token over the price of a read one, as the lecture takes it (D6)."""
PASSES = 8
"""Decode passes up to which both chips are watched."""
PROMPT_TOKENS = filled_in(1000, why="a prompt of a page or two, read in one pass")


def _read(values: Values) -> tuple[float, float]:
    """Times to read the weights and the KV caches in a pass, over that of one token's arithmetic of all sequences."""
    batches, context = values["balance_batches"], values["context_tokens"] / values["crossover_tokens"]
    weights = contexts.memory_over_compute(context_over_crossover=0.0, batch_over_balance=batches)
    kv = contexts.memory_over_compute(context_over_crossover=context, batch_over_balance=INFINITY)
    return float(weights), float(kv)


def _two_chips(values: Values) -> TwoChips:
    """Passes of decode and of prefill by the same chip: memory is read once a pass, whatever its tokens."""
    weights, kv = _read(values)
    arithmetic_usd = caching.recompute_usd_per_token(
        active_params=values["active_params"],
        flop_per_s=values["flop_per_s"],
        usd_per_chip_s=values["usd_per_chip_s"],
    )
    # Of all sequences' one token: the arithmetic takes one, and reading as often as long.
    decode_pass = max(weights + kv, 1.0)

    def side(name: str, tokens: float, tokens_text: str) -> Side:
        usd = float(arithmetic_usd) * max((weights + kv) / tokens, 1.0)
        return Side(
            name=name,
            tokens=tokens,
            tokens_text=tokens_text,
            weights=weights / decode_pass,
            kv=kv / decode_pass,
            compute=tokens / decode_pass,
            rate_text=f"{float(format(values['usd_per_chip_s'] / usd, '.2g')):,.10g} tokens/s a chip",
            price_text=format_quantity(usd, "usd_per_token", 2),
        )

    read = values["tokens_per_pass"]
    tokens = f"{read:,.0f} token{'s' if read > 1 else ''}"
    sides = (
        side("decode", 1.0, "a pass writes 1 token of each sequence"),
        side("prefill", read, f"a pass reads {tokens} of each prompt"),
    )
    return TwoChips(
        sides=sides,
        end=float(PASSES),
        ticks=ticks_of(float(PASSES), "count"),
        text="; ".join(f"{one.name}, {one.tokens_text}: {one.rate_text}, {one.price_text}" for one in sides),
    )


NONE = 0.005
"""Cost below which it is none as people read it."""


def _price_list(values: Values) -> Bars:
    """Input and output token: the ratio of their prices beside what each costs, and for what."""
    weights, kv = _read(values)

    def group(name: str, tokens: float, listed: float, *, answers: bool | None = None) -> BarGroup:
        memory = {"weights": (Colour.WEIGHTS, weights / tokens), "KV": (Colour.KV, kv / tokens)}
        read = (weights + kv) / tokens
        seen = [f"{part} {format_number(cost, 2)}" for part, (_, cost) in memory.items() if cost >= NONE]
        ends = (f"{_times(read)}: {' + '.join(seen)}", _times(read)) if len(seen) > 1 else (_times(read),)
        return BarGroup(
            names=(f"{name} token, {counted(tokens, 'token')} of a sequence per pass", f"{name} token"),
            bars=(
                Bar(
                    name="list price",
                    parts=(Length(colour=Colour.MONEY, length=listed),),
                    ends=(_times(listed),),
                    is_strong=True,
                ),
                Bar(
                    name="computing",
                    parts=(Length(colour=Colour.COMPUTE, length=1.0),),
                    ends=(_times(1.0),),
                    is_strong=read <= 1,
                    answers=answers,
                ),
                Bar(
                    name="memory",
                    parts=tuple(Length(colour=colour, length=cost) for colour, cost in memory.values()),
                    ends=ends,
                    is_strong=read > 1,
                    answers=answers,
                ),
            ),
        )

    return Bars(
        groups=(group("input", values["tokens_per_pass"], 1.0), group("output", 1.0, LIST_RATIO, answers=True)),
        heads=(
            "cost of a token over its arithmetic; paid: the longer of computing and memory",
            "paid: the longer of computing and memory",
        ),
        text="A price list beside costs; computing and reading memory go on at once, so the longer of the two is paid",
    )


def _times(value: float) -> str:
    return f"under {NONE:g}×" if value < NONE else f"{format_number(value, 2)}×"


def over_arithmetic(cost: float, of: str = "") -> str:
    """Cost of a token over that of its arithmetic, in words; behind a number stands what it is of."""
    return f"{format_number(cost, 2)} times{of}" if cost > 1 else "just its arithmetic"


def _prefill(values: Values) -> Curves:
    ratio = float(
        contexts.memory_over_compute(
            context_over_crossover=values["context_tokens"] / values["crossover_tokens"],
            batch_over_balance=values["balance_batches"],
        )
    )
    marks = [
        at(
            "decode",
            1.0,
            on="cost",
            text=lambda y: f"decode: {over_arithmetic(y)}",
            colour=Colour.MONEY,
            is_fixed=True,
        )
    ]
    if ratio > 1:
        # The name comes first for those who read it; a mark without a crossing would say what is not there.
        marks.append(
            at(
                "bound by compute from here",
                ratio,
                on="cost",
                text=f"{format_number(ratio)} tokens a pass",
                colour=Colour.MONEY,
            )
        )
    most = max(100.0, 20 * ratio)
    return curves(
        logarithmic(1.0, most),
        curve("cost", lambda tokens: maximum(ratio / tokens, 1.0), Colour.MONEY, is_bold=True),
        curve("compute", 1.0, Colour.COMPUTE, is_floor=True),
        curve("memory", lambda tokens: ratio / tokens, Colour.ALSO),
        marks=marks,
        top=2 * max(2.0, ratio),
        bottom=0.5 * ratio / most,
        companion=_price_list(values),
    )


AS_LISTED = "as on the list"
LEAST_BATCHES, MOST_BATCHES = 0.05, 20.0
"""Ends of the axis, in balance batches."""


def _by_batch(values: Values) -> Curves:
    """Cost of an output token by the batch: it shares the weights, and then waits for its own context alone."""
    here, context = values["balance_batches"], values["context_tokens"] / values["crossover_tokens"]

    def read(batches: Numeric) -> Numeric:
        return contexts.memory_over_compute(context_over_crossover=context, batch_over_balance=batches)

    def told(cost: float) -> str:
        return f"{format_number(here)}: {over_arithmetic(cost)}"

    marks = [at("this batch", here, on="cost", text=told, colour=Colour.MONEY)]
    if context < LIST_RATIO:
        listed = float(
            pricing.balance_batches_at_ratio(
                ratio=LIST_RATIO,
                context_tokens=values["context_tokens"],
                crossover_tokens=values["crossover_tokens"],
            )
        )
        text = f"{format_number(listed)}: {format_number(LIST_RATIO)} times,\n{AS_LISTED}"
        marks.append(at(AS_LISTED, listed, on="cost", text=text, colour=Colour.ASIDE))
    low, high = min(LEAST_BATCHES, here / 2), max(MOST_BATCHES, 2 * here)
    return curves(
        logarithmic(low, high),
        curve("cost", lambda batches: maximum(read(batches), 1.0), Colour.MONEY, is_bold=True),
        curve("compute", 1.0, Colour.COMPUTE, is_floor=True),
        curve("memory", read, Colour.ALSO),
        marks=marks,
        top=1.5 * float(read(low)),
        bottom=0.5 * min(1.0, float(read(high))),
        companion=_price_list(values),
    )


PRICE_EQUATION = (
    Term(tex=r"\$_{tok}", colour=Colour.MONEY),
    Term(tex=r"\;=\;\dfrac{2\,N_a}{F}\,\$_{chip}\;\max(\;"),
    Term(tex=r"\dfrac{1}{n_{new}}\,(\dfrac{B^{*}}{B}+\dfrac{L}{L^{*}})", colour=Colour.ALSO),
    Term(tex=r",\;\;"),
    Term(tex=r"1", colour=Colour.COMPUTE),
    Term(tex=r"\;)"),
)
"""Cost of a token: that of its arithmetic, or of what it waits for."""

OUTPUT_EQUATION = (
    Term(tex=r"\dfrac{\$_{tok}}{\$_{arith}}", colour=Colour.MONEY),
    Term(tex=r"\;=\;\max(\;"),
    Term(tex=r"\dfrac{B^{*}}{B}+\dfrac{L}{L^{*}}", colour=Colour.ALSO),
    Term(tex=r",\;\;"),
    Term(tex=r"1", colour=Colour.COMPUTE),
    Term(tex=r"\;)"),
)
"""Cost of an output token over that of its arithmetic: a pass writes one of each sequence."""

BOARD = Board(
    name="prefill",
    time_stamp="1:45:30",
    title="Prefill against decode",
    question="Why is an input token cheaper than an output token, and how does that depend on the tokens per pass?",
    caption="Cost of a token over the cost of its arithmetic. A pass reads weights and context once, for all its"
    " tokens. The lecture gives no batch, so one is filled in: a fifth of a balance batch, at which decode is five"
    " times as expensive if the crossover lies at the price step (D7).",
    formula=(
        Term(tex=r"\dfrac{\$_{tok}}{\$_{arith}}", colour=Colour.MONEY),
        Term(tex=r"\;=\;\max(\;"),
        Term(tex=r"\dfrac{1}{n_{new}}\,(\dfrac{B^{*}}{B}+\dfrac{L}{L^{*}})", colour=Colour.ALSO),
        Term(tex=r",\;\;"),
        Term(tex=r"1", colour=Colour.COMPUTE),
        Term(tex=r"\;)"),
    ),
    controls=(
        controls.context_tokens(lecture=SHORT_TOKENS, careful=fleet.MEAN_CONTEXT_TOKENS),
        controls.crossover_context(STEP_TOKENS),
        fleet.batch_over_balance(
            filled_in(
                float(
                    pricing.balance_batches_at_ratio(
                        ratio=LIST_RATIO, context_tokens=SHORT_TOKENS.value, crossover_tokens=STEP_TOKENS.value
                    )
                ),
                why="so that output costs five times as much as input",
            ),
            low=0.1,
        ),
        Control(
            name="tokens_per_pass",
            meaning="tokens of a prompt per pass",
            short="tokens a pass",
            dimension="count",
            low=1,
            high=1e5,
            lecture=PROMPT_TOKENS,
            careful=PROMPT_TOKENS.value,
            is_whole=True,
        ),
        controls.active_params(ACTIVE_PARAMS),
        controls.flop_per_s(),
        controls.usd_per_chip_s(),
    ),
    views=(
        View(
            heading="Cost by tokens a pass",
            compute=_prefill,
            x=Axis(caption="tokens of a sequence per pass", dimension="count", is_logarithmic=True),
            y=Axis(caption="cost of a token, relative to its arithmetic", dimension="count", is_logarithmic=True),
        ),
        View(
            heading="Decode beside prefill",
            compute=_two_chips,
            x=Axis(caption="time, in decode passes", dimension="count"),
        ),
        View(
            heading="Cost of output by batch",
            compute=_by_batch,
            x=Axis(caption="batch, in balance batches", dimension="count", is_logarithmic=True),
            y=Axis(caption="cost of an output token over its arithmetic", dimension="count", is_logarithmic=True),
        ),
    ),
    claims=("D6", "D22", "D7", "D8"),
    exercises=("prices-decode-over-prefill",),
    first_move=FirstMove(
        control="balance_batches",
        to=0.1,
        then="decode rises: a smaller batch shares the weights among fewer",
        seen=(Moves(what="decode", way=Way.UP),),
    ),
)
