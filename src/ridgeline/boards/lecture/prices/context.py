"""Cost against context: where reading overtakes computing, and the price that he lays over it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ridgeline.boards.board import Board, Control, LetterNumber, Term, Values, View
from ridgeline.boards.companions import Batched
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, BALANCE_RATIO, STEP_TOKENS
from ridgeline.boards.lecture.prices.crossover import (
    BATCHES,
    CROSSOVER_KV_BYTES,
    PRICE_RATIO,
    cost_over_compute,
    crossover_tokens,
)
from ridgeline.boards.lecture.prices.model_contexts import CONTEXT_AXIS, COST_AXIS, model_contexts
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, at, curve, curves, logarithmic
from ridgeline.equations import contexts
from ridgeline.numeric import INFINITY, Numeric, where
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "COST_EQUATION"]

STEPS = 2.2
"""End of the axis, as a multiple of the price's step, or of the crossover where that comes later."""
BEFORE = 1 / 50
"""Start of the axis, as a part of the crossover, or of the step where that comes first."""
LEAST = 0.7
"""Bottom of the cost axis: arithmetic alone is one, and faster reading costs nothing beside it."""

WEIGHT_FETCH, KV_FETCH = "weight fetch", "KV fetch"
COST, KV, BOTH = "cost", "KV alone", "weights + KV"


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Costs of an output token over that of its arithmetic.

    Attributes:
        crossover_tokens: L*, at which reading the KV cache alone takes as long as computing.
        batches: balance batches that are decoded together.
        step_tokens: context at which the price steps.
        low: price before the step, the cost of the step's context.
        high: price beyond the step.
    """

    crossover_tokens: float
    batches: float
    step_tokens: float
    low: float
    high: float

    def reading(self, context: Numeric, batches: float | None = None) -> Numeric:
        """Cost of reading weights and KV cache."""
        return contexts.memory_over_compute(
            context_over_crossover=context / self.crossover_tokens, batch_over_balance=batches or self.batches
        )

    def cost(self, context: Numeric) -> Numeric:
        """Cost of a token: the larger of reading and computing."""
        return cost_over_compute(context=context, crossover=self.crossover_tokens, balance_batches=self.batches)

    def price(self, context: Numeric) -> Numeric:
        """Price of a context in two tiers."""
        return where(context > self.step_tokens, self.high, self.low)

    def reached_at(self, cost: float) -> float:
        """Context at which reading reaches a cost; zero where weights alone cost more."""
        return max(cost - float(self.reading(0.0)), 0.0) * self.crossover_tokens


def _costs(values: Values) -> Costs:
    crossover, step, batches = crossover_tokens(values), values["price_step_tokens"], values["balance_batches"]
    over = contexts.memory_over_compute(context_over_crossover=step / crossover, batch_over_balance=batches)
    low = max(1.0, float(over))
    return Costs(
        crossover_tokens=crossover, batches=batches, step_tokens=step, low=low, high=values["price_ratio"] * low
    )


def _context(values: Values) -> Curves:
    costs = _costs(values)
    end = STEPS * max(costs.step_tokens, costs.reached_at(1.0))
    price = f"list price: {100 * (costs.high / costs.low - 1):.0f} % more"
    compute = curve("compute", 1.0, Colour.COMPUTE)
    kv = curve(KV, lambda context: costs.reading(context, INFINITY), Colour.KV, is_floor=True)
    return curves(
        logarithmic(BEFORE * min(costs.crossover_tokens, costs.step_tokens), end),
        curve(price, costs.price, Colour.MONEY, is_floor=True),
        kv,
        curve(BOTH, costs.reading, Colour.ALSO),
        compute,
        curve(COST, costs.cost, Colour.BOUND, is_bold=True),
        marks=_marks(costs, price),
        also=(costs.step_tokens, costs.step_tokens * (1 + 1e-9)),
        top=1.15 * max(float(costs.cost(end)), costs.high),
        bottom=LEAST,
        bill=((compute,), (curve(WEIGHT_FETCH, float(costs.reading(0.0)), Colour.WEIGHTS), replace(kv, name=KV_FETCH))),
        companion=Batched(
            balance_batches=costs.batches,
            crossover_tokens=costs.crossover_tokens,
            price=price,
            price_at_tokens=costs.step_tokens,
            text="What a token is paid for: reading or computing, whichever takes longer",
        ),
    )


def _marks(costs: Costs, price: str) -> list[At]:
    """Marks where the cost begins to rise, where it would without weights, and up to where the price covers it."""
    begins, covered = costs.reached_at(1.0), costs.reached_at(costs.high)
    alone = costs.crossover_tokens
    text = f"if weights took no time: {_tokens(alone)}"
    marks = [at("without weights", alone, on=KV, text=text, colour=Colour.KV)]
    if begins > 0:
        text = f"with weights at {_counted(costs.batches)} B*: {_tokens(begins)}"
        marks.append(at("crossover", begins, on=COST, text=text))
    if covered > costs.step_tokens:
        text = f"covered up to {_tokens(covered)}"
        marks.append(at("end of the price", covered, on=BOTH, text=text, colour=Colour.MONEY, crosses=price))
    return marks


def _tokens(count: float) -> str:
    """A context, of which no part of a token is written."""
    return _counted(round(count))


def _counted(count: float) -> str:
    return format_quantity(count, "count", 3)


COST_EQUATION = (
    Term(tex=r"\dfrac{\$_{tok}}{\$_{arith}}", colour=Colour.BOUND),
    Term(tex=r"\;=\;\max(\;"),
    Term(tex=r"1", colour=Colour.COMPUTE),
    Term(tex=r",\;\;"),
    Term(tex=r"\dfrac{B^{*}}{B}+\dfrac{R\,\beta\,L}{N_a\,b_w}", colour=Colour.ALSO),
    Term(tex=r"\;)"),
)
"""Cost of an output token, over that of its arithmetic, with the crossover written out."""

BOARD = Board(
    name="context",
    time_stamp="1:33:30",
    title="Cost against context",
    question="Where does a longer context begin to cost more, and how far does a price with a step cover it?",
    caption="A token costs the longer of two times: that of computing, and that of reading weights and KV cache. A"
    " list gives only the rise of a price; we set the price equal to the cost at the step. His 200,000 tokens"
    " leave the weights out. How much of the cost they are in his drawing is our assumption.",
    formula=(
        Term(tex=r"\dfrac{\$_{tok}}{\$_{arith}}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\max(\;"),
        Term(tex=r"1", colour=Colour.COMPUTE),
        Term(tex=r",\;\;"),
        Term(tex=r"\dfrac{B^{*}}{B}+\dfrac{L}{L^{*}}", colour=Colour.ALSO),
        Term(tex=r"\;)"),
        Term(tex=r",\qquad L^{*}=\dfrac{N_a\,b_w}{R\,\beta}"),
    ),
    letter_numbers=(LetterNumber(tex="L^{*}", value=crossover_tokens),),
    controls=(
        controls.active_params(ACTIVE_PARAMS),
        controls.bytes_per_param(),
        controls.parameters_per_read(BALANCE_RATIO),
        controls.kv_bytes_per_token(CROSSOVER_KV_BYTES),
        fleet.batch_over_balance(BATCHES),
        Control(
            name="price_step_tokens",
            meaning="tokens at the price step",
            short="price step",
            dimension="count",
            low=10,
            high=1e8,
            lecture=STEP_TOKENS,
            careful=float(STEP_TOKENS),
        ),
        Control(
            name="price_ratio",
            meaning="times the price beyond it",
            called="price ratio beyond the step",
            short="price ratio",
            dimension="count",
            low=1,
            high=4,
            lecture=PRICE_RATIO,
            careful=float(PRICE_RATIO),
        ),
    ),
    views=(
        View(
            compute=_context,
            x=Axis(caption="context, tokens", dimension="count", is_logarithmic=True, is_whole=True),
            y=Axis(caption=COST_AXIS.caption, dimension="count", is_logarithmic=True),
        ),
        View(heading="Nine models", x=CONTEXT_AXIS, y=COST_AXIS, compute=model_contexts),
    ),
    claims=("D1", "D2", "D3", "D18", "A7", "D5"),
    exercises=(
        "contexts-crossover",
        "contexts-busy",
        "prices-cache-bytes",
        "prices-reach",
        "prices-request",
    ),
    first_move=FirstMove(
        control="kv_bytes_per_token",
        to=200e3,
        then="the crossing moves left: shorter contexts begin to cost more",
        seen=(Moves(what="crossover", way=Way.LEFT),),
    ),
)
