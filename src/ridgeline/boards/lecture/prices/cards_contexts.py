"""Cards on contexts and list prices: what is asked in words, with numbers that the equations give."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, BALANCE_RATIO, STEP_TOKENS
from ridgeline.boards.lecture.prices.crossover import CROSSOVER_KV_BYTES, PRICE_RATIO
from ridgeline.boards.lecture.prices.long_context import NOTICED_TOKENS
from ridgeline.boards.lecture.prices.shapes import HEAD_DIM, KV_HEADS, SHARED_LAYERS, SHORT_VALUE, shape_kv_bytes
from ridgeline.equations import pricing
from ridgeline.quantity_text import format_quantity

__all__ = ["CARDS"]


def _bytes(value: float) -> str:
    return format_quantity(value, "bytes", 3)


SHARED = float(
    shape_kv_bytes(
        layers=float(SHARED_LAYERS),
        kv_heads=float(KV_HEADS),
        head_dim=float(HEAD_DIM),
        bytes_per_value=float(SHORT_VALUE),
    )
)
REACH = float(pricing.price_step_reach_tokens(crossover_tokens=float(STEP_TOKENS), price_ratio=float(PRICE_RATIO)))
STEP = format_quantity(float(STEP_TOKENS), "count")

CARDS: tuple[Card, ...] = (
    Card(
        id="prices-why-a-step",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="1:33:30",
        question="Why would a provider charge more for a token at a long context than at a short one?",
        answer="Up to the crossover a decode step is bound by arithmetic, which does not grow with the context, so a"
        " token costs the same. Beyond it, reading the KV cache takes longer than computing, and the cost rises in"
        " proportion to the context; the second tier of the price stands for that.",
        board="context",
    ),
    Card(
        id="prices-sketch-context",
        kind=Kind.SKETCH,
        level=Level.APPLY,
        time_stamp="1:34:00",
        question="Sketch the cost of an output token against its context: the line of compute, the line of memory, the"
        " larger of both, and a price of two tiers over it. Where does the line of memory start?",
        answer="Compute is flat. Memory starts at what reading the weights takes, shared by the batch, and rises"
        " straight with the context. The cost follows compute up to the crossover and memory from there. The price is"
        " two steps that nowhere lie under the cost, the second beginning near the crossover.",
        board="context",
    ),
    Card(
        id="prices-kv-bytes",
        kind=Kind.DERIVATION,
        level=Level.COMBINE,
        time_stamp="1:36:30",
        question=f"A price steps at {STEP} tokens. What does it tell about a model's KV cache, if the model has"
        f" {format_quantity(float(ACTIVE_PARAMS), 'count')} active parameters of one byte, and which assumptions does"
        " that take?",
        answer="Set reading a sequence's cache equal to computing its token: L times the bytes a token, over the"
        " bandwidth, equals active parameters over multiplications a second. A chip multiplies"
        f" {float(BALANCE_RATIO):.0f} parameters while it reads one, so a token has N_a / ({float(BALANCE_RATIO):.0f}"
        f" L) = {_bytes(float(CROSSOVER_KV_BYTES))}. It takes a batch so large that reading weights does not count, and"
        " a step that lies at the crossover.",
        board="kv-bytes",
    ),
    Card(
        id="prices-two-ways",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="1:38:50",
        question="By which two ways does attention come down to a kilobyte or two for each token of context?",
        answer="Dense attention whose layers share caches of the whole context: one cache of"
        f" {float(KV_HEADS):.0f} KV heads of {float(HEAD_DIM):.0f} at a byte a value is {_bytes(SHARED)}, and so are"
        " fewer heads in more layers. Or sparse attention: more is kept, and one token in so many is read.",
        board="kv-shapes",
    ),
    Card(
        id="prices-kv-heads",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="1:40:20",
        question="What is the difference between a query head and a KV head, and which of them does a long context"
        " make expensive?",
        answer="KV heads are stored: their keys and values stay in memory for every earlier token. Query heads belong"
        " to the token that is computed now and are forgotten after it. Only KV heads grow with the context.",
        board="kv-shapes",
    ),
    Card(
        id="prices-covered",
        kind=Kind.NUMBER,
        level=Level.COMBINE,
        time_stamp="1:35:20",
        question=f"A price rises by half at {STEP} tokens, which is the crossover, and leaves no margin. Up to"
        " which context is every token still sold above its cost?",
        answer=f"Up to {format_quantity(REACH, 'count')} tokens: beyond the crossover the cost grows in proportion to"
        f" the context, and {float(PRICE_RATIO):g} times the price covers {float(PRICE_RATIO):g} times the context.",
        board="context",
    ),
    Card(
        id="prices-quadratic",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="1:52:00",
        question="Attention computes on every pair of tokens. Why is that term left out of the cost, and until when?",
        answer="For one token it is a straight line in the context whose slope is small beside the flat part, the"
        " multiplications with the weights. He sees it in the millions of tokens or so"
        f" ({format_quantity(float(NOTICED_TOKENS), 'count')} and more); with full attention in all layers of open"
        " models it is as large as the flat part at tens of thousands already.",
        board="long-context",
    ),
    Card(
        id="prices-what-limits",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="1:53:30",
        question="What keeps contexts from growing to a hundred million tokens, and why is sparse attention not the"
        " whole answer?",
        answer="Memory: its bandwidth, since each step reads the cache, and its capacity, since the cache must be held;"
        " neither grows fast. Sparse attention reads less, but what is read too sparsely costs quality.",
        board="long-context",
    ),
)
