"""Questions on what pipelines cost and bring that words or a drawing answer."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.lecture.not_wise.hop import token_time_s
from ridgeline.boards.lecture.numbers import BALANCE_BATCH, HOP_S, KV_BYTES_PER_TOKEN, TRAIN_S
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.equations import memory
from ridgeline.quantity_text import format_quantity

__all__ = ["CARDS"]

STAGES, CHIPS = numbers.STAGES_ASSUMED.value, numbers.CHIPS_PER_STAGE.value
CONTEXT_TOKENS = 100e3


def _parts(stages: int) -> tuple[str, str]:
    """Weights and KV of a chip of the lecture's example."""
    weights, kv = memory.bytes_per_chip(
        weight_bytes=float(numbers.TRILLION_BYTES),
        kv_bytes_per_sequence=CONTEXT_TOKENS * float(KV_BYTES_PER_TOKEN),
        batch=float(BALANCE_BATCH) * stages,
        chips_per_stage=CHIPS,
        stages=stages,
    )
    return format_quantity(float(weights), "bytes"), format_quantity(float(kv), "bytes")


def _token() -> str:
    found = token_time_s(period_s=float(TRAIN_S), stages=STAGES, hop_s=float(HOP_S))
    return format_quantity(float(found), "s")


CARDS: tuple[Card, ...] = (
    Card(
        id="not_wise-why-kv-stays",
        kind=Kind.DERIVATION,
        level=Level.APPLY,
        time_stamp="1:11:00",
        question="Derive what P stages do to the weights and to the keys and values of each chip, if no stage is to"
        " idle.",
        answer="All in flight is divided by E chips times P stages. No stage idles with P micro-batches, so that B is P"
        " times b: in the term of the weights P stays below, in that of the caches it cancels.",
        board="memory",
    ),
    Card(
        id="not_wise-memory-number",
        kind=Kind.NUMBER,
        level=Level.APPLY,
        time_stamp="1:07:00",
        question=f"A trillion parameters of a byte on {CHIPS} chips a stage, {float(BALANCE_BATCH):,.0f} sequences a"
        f" stage with {CONTEXT_TOKENS:,.0f} tokens of {format_quantity(float(KV_BYTES_PER_TOKEN), 'bytes')}: what does"
        f" a chip hold of weights and of caches, with one stage and with {STAGES}?",
        answer=f"One stage: {_parts(1)[0]} and {_parts(1)[1]}. {STAGES} stages: {_parts(STAGES)[0]} and"
        f" {_parts(STAGES)[1]}.",
        board="memory",
    ),
    Card(
        id="not_wise-too-much-memory",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="1:03:00",
        question="Memory is scarce and dear. In which sense does a rack have too much of it all the same?",
        answer="Its weights would need little: they fit one rack many times over, and stages could divide them further."
        " What fills memory is contexts, which neither a larger batch nor more stages share out.",
        board="memory",
    ),
    Card(
        id="not_wise-reasons",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="0:54:27",
        question="Name reasons why somebody may say that pipelining is not wise.",
        answer="Bubbles in training. It ties the architecture down: layers that attend to outputs of far earlier ones"
        " need these sent from stage to stage, and stages of unlike layers wait for the slowest. It leaves caches as"
        " they are. And each such constraint slows down research.",
        board="not-wise",
    ),
    Card(
        id="not_wise-sketch-uneven",
        kind=Kind.SKETCH,
        level=Level.COMBINE,
        time_stamp="0:54:40",
        question="Every sixth layer attends to the whole context, the others to a window. Sketch which part of the time"
        " stages with as many layers each wait for the slowest, against the context.",
        answer="Next to nothing up to the window, where all layers are alike; then it rises with the context, and"
        " levels off where the global layers take nearly all the time: now only their number in each stage counts.",
        board="uneven-stages",
    ),
    Card(
        id="not_wise-hops",
        kind=Kind.NUMBER,
        level=Level.RECALL,
        time_stamp="1:15:50",
        question=f"A token takes {format_quantity(float(TRAIN_S), 's')}. What does it take over {STAGES} stages, if"
        f" handing on takes {format_quantity(float(HOP_S), 's')} each time, and why do the hops not overlap?",
        answer=f"{_token()}: the next token needs this one, so that a sequence is at one place at a time.",
        board="hop",
    ),
    Card(
        id="not_wise-capacity-and-bandwidth",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="1:18:31",
        question="Pipelines solve the capacity problem. What does a larger scale-up domain solve that they do not?",
        answer="Bandwidth: all chips of a domain read their part of a layer at once, while stages read one after"
        " another. More stages leave the time of a token as it is, a larger domain shortens it.",
        board="memory",
    ),
)
