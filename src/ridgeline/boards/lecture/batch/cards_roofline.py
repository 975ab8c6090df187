"""Cards on the roofline, on cost and on modes: what is asked in words, with numbers that the equations give."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.lecture.numbers import BALANCE_RATIO, EXPANSION, TRAIN_S, USD_PER_CHIP_S
from ridgeline.equations import contexts, modes, pricing, roofline, speculation
from ridgeline.numeric import INFINITY
from ridgeline.quantity_text import format_quantity

__all__ = ["CARDS"]

RACK_CHIPS, RACK_BYTES_PER_S = 72, 72 * 8e12
"""An NVL72 of Blackwell: chips, and bytes a second of their memories."""

TOTAL_PARAMS, ACTIVE_PARAMS = 671e9, 37e9
"""Total and active parameters of DeepSeek-V3, by its report (arXiv 2412.19437)."""

BATCHES = 3
"""Largest batch that is said to be run, in balance batches."""

FAST = {"price_ratio": 6.0, "speed_ratio": 2.5}
"""Price and speed of the fast mode that the lecture opens with, over the regular one's."""

FLOOR_S = roofline.memory_time_s(
    batch=1, weight_bytes=TOTAL_PARAMS, kv_bytes_per_sequence=0, hbm_bytes_per_s=RACK_BYTES_PER_S
)
BALANCE = roofline.balance_batch(balance_ratio=float(BALANCE_RATIO), expansion=float(EXPANSION))
OWN_BALANCE = roofline.balance_batch(balance_ratio=float(BALANCE_RATIO), expansion=TOTAL_PARAMS / ACTIVE_PARAMS)
H100_RATIO = roofline.balance_ratio(flop_per_s=989e12, hbm_bytes_per_s=3.35e12, bytes_per_param=2)
DOUBLED = contexts.compute_fraction(batch_over_balance=INFINITY, context_over_crossover=2)
DOUBLED_AT_BATCHES = contexts.compute_fraction(batch_over_balance=BATCHES, context_over_crossover=2 * (1 - 1 / BATCHES))
STEP_USD_PER_TOKEN = pricing.usd_per_token(
    time_s=float(TRAIN_S), chips=RACK_CHIPS, tokens=float(BALANCE), usd_per_chip_s=float(USD_PER_CHIP_S)
)
FEWER = modes.batch_ratio(**FAST)
FASTEST = modes.largest_speed_up(**FAST)
SAVED = modes.largest_saving_fraction(**FAST)
DRAFTED, ACCEPTED = 3.0, 0.7
"""Tokens drafted a step, and the part of them that is accepted; both filled in."""
DRAFTED_AT_BALANCE = speculation.speed_up(
    batch_over_balance=1.0,
    drafted_tokens=DRAFTED,
    accepted_tokens=speculation.accepted_tokens(drafted_tokens=DRAFTED, acceptance_fraction=ACCEPTED),
)

CARDS: tuple[Card, ...] = (
    Card(
        id="batch-why-a-floor",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="0:09:54",
        question="Why can a decode step not be made arbitrarily short by shrinking its batch? How short is it for 671"
        " billion parameters of a byte on 72 chips that read 8 TB/s each?",
        answer="Every step reads all weights from memory once, however few sequences share them. Total parameters, not"
        f" active ones, over the bandwidth of all chips: {format_quantity(float(FLOOR_S), 's', 3)}. A very small batch"
        " of a sparse model is the exception, since it leaves experts unread.",
        board="latency",
    ),
    Card(
        id="batch-latency-sketch",
        kind=Kind.SKETCH,
        level=Level.APPLY,
        time_stamp="0:09:10",
        question="Sketch the time of a decode step against its batch: arithmetic, weight fetch, KV fetch, and the step"
        " itself. Where does it turn?",
        answer="Arithmetic is a straight line through the origin; the weight fetch a horizontal one; the KV fetch a"
        " line through the origin whose slope grows with the context. Weight and KV fetch add up to a line that starts"
        " at the floor. The step is the higher of that and the arithmetic, and turns where they cross, at the balance"
        " batch. If the KV line is as steep as the arithmetic, they never cross.",
        board="latency",
    ),
    Card(
        id="batch-cost-sketch",
        kind=Kind.SKETCH,
        level=Level.APPLY,
        time_stamp="0:14:00",
        question="Divide the same picture by the batch, and it shows the cost of a token. What becomes of each line,"
        " and where does the cost end?",
        answer="Lines through the origin become constants: arithmetic and KV fetch. The constant weight fetch becomes a"
        " hyperbola, shifted up by the KV fetch. The cost falls along it and ends at the higher of the two constants,"
        " the least that a token can cost. It turns at the same batch as the time does.",
        board="cost",
    ),
    Card(
        id="batch-cost-of-a-step",
        kind=Kind.NUMBER,
        level=Level.APPLY,
        time_stamp="0:13:00",
        question="72 chips at $2 an hour each take 20 ms for a step of 2,400 sequences. What does a million tokens"
        " cost?",
        answer="The chips' time at their price, over the batch, which is the number of tokens that a step writes:"
        f" {format_quantity(float(STEP_USD_PER_TOKEN), 'usd_per_token', 3)}.",
        board="cost",
    ),
    Card(
        id="batch-why-300",
        kind=Kind.DERIVATION,
        level=Level.APPLY,
        time_stamp="0:17:00",
        question="Equate weight fetch and arithmetic. Which side do hardware and model go to, why is the hardware's"
        " side free of units, and what is it for an H100 in 16 bits (989 TFLOP/s, 3.35 TB/s)?",
        answer="Total parameters times their bytes over the bandwidth equals batch times active parameters over the"
        " multiplications a second. So multiplications a second, times bytes a parameter, over bytes a second equals"
        " batch times active over total parameters: bytes cancel. Two FLOP are one multiplication, which gives"
        f" {float(H100_RATIO):.0f}.",
        board="ratio",
    ),
    Card(
        id="batch-own-numbers",
        kind=Kind.NUMBER,
        level=Level.RECALL,
        time_stamp="0:19:22",
        question="Which two numbers does the lecture multiply for DeepSeek's balance batch, and which of them does the"
        " model's report correct?",
        answer=f"{float(BALANCE_RATIO):.0f} and {float(EXPANSION):.0f}, for 32 of 256 experts: {float(BALANCE):,.0f}"
        " sequences. DeepSeek-V3 activates 8 of 256, beside attention and a shared expert; 671 over 37 billion"
        f" parameters make it {float(OWN_BALANCE):,.0f}. Neither size nor the number of chips matters.",
        board="latency",
    ),
    Card(
        id="batch-kv-not-shared",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="0:15:39",
        question="A user is willing to wait for minutes. Why does a slow mode not make tokens ever cheaper?",
        answer="A larger batch divides only the weight fetch. Each sequence has a KV cache of its own to read, and its"
        " own arithmetic. Past the balance batch the arithmetic binds and nothing is left to save; in long contexts the"
        " weights' part of a step is.",
        board="modes",
    ),
    Card(
        id="batch-fast-mode",
        kind=Kind.DERIVATION,
        level=Level.COMBINE,
        time_stamp="0:01:00",
        question="A provider streams 2.5 times as fast for six times the price. If only the batch differs, how much"
        " smaller is it, how fast could any price make it, and how much could a slow mode save?",
        answer=f"Chips that earn as much serve 6 times 2.5 = {float(FEWER):.0f} times fewer sequences. A step is the"
        " weight fetch and a part for each sequence; the two speeds fix their ratio. One sequence alone would be"
        f" {float(FASTEST):.2g} times as fast at most, and a batch without end saves the weights' part,"
        f" {float(SAVED):.0%}. Speculative decoding or more chips go further.",
        board="modes",
    ),
    Card(
        id="batch-other-effect",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="0:01:50",
        question="Which effect beside the batch can make a fast mode fast, and at which batch does it stop helping?",
        answer="Speculative decoding, or multi-token prediction: several drafted tokens are checked in one step. While"
        " a step waits for weights, checking is free; from where its arithmetic binds, checking"
        f" {DRAFTED:.0f} drafts of which {ACCEPTED:.0%} are accepted makes"
        f" {float(DRAFTED_AT_BALANCE):.2g} times the tokens, fewer than without.",
        board="modes",
    ),
    Card(
        id="batch-goldilocks",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="0:11:00",
        question="Which context keeps memory and arithmetic both busy, and what becomes of the arithmetic's utilisation"
        " at twice that?",
        answer="The one at which a sequence's KV cache takes as long to read as its token to compute, less what the"
        f" weights take at the given batch. At twice that it falls to {float(DOUBLED):.0%} for a batch so large that"
        f" weights take no time, and to {float(DOUBLED_AT_BATCHES):.0%} at three balance batches.",
        board="utilisation",
    ),
)
