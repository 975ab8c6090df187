"""Cards on reading against writing, and on caches."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.lecture.numbers import SHORT_TOKENS, STEP_TOKENS
from ridgeline.boards.lecture.prices.cache_prices import DISK, FLASH, HIT_USD, INPUT_USD, WRITE_USD, byte_cost
from ridgeline.boards.lecture.prices.prefill import LIST_RATIO
from ridgeline.equations import pricing
from ridgeline.quantity_text import format_quantity

__all__ = ["CARDS"]

HITS = float(
    pricing.hits_to_pay_back(write_ratio=WRITE_USD.value / INPUT_USD.value, read_ratio=HIT_USD.value / INPUT_USD.value)
)
BATCHES = float(
    pricing.balance_batches_at_ratio(
        ratio=LIST_RATIO, context_tokens=SHORT_TOKENS.value, crossover_tokens=STEP_TOKENS.value
    )
)
FLASH_S, DISK_S = (format_quantity(byte_cost(name, life_s=1.0).drain_s, "duration", 2) for name in (FLASH, DISK))

CARDS: tuple[Card, ...] = (
    Card(
        id="prices-why-output-is-dear",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="1:45:30",
        question="Why does a token that is written cost several times one that is read, though both pass through the"
        " same weights?",
        answer="A pass reads the weights and the context from memory once. A prompt's pass shares that reading among"
        " all its tokens and is bound by arithmetic; a decode step has one token a sequence and waits for memory.",
        board="prefill",
    ),
    Card(
        id="prices-pass-memory",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="1:44:27",
        question="A pass takes a thousand tokens of a prompt instead of one. What becomes of its time for arithmetic,"
        " and of its time for memory?",
        answer="Arithmetic takes a thousand times as long. Memory takes as long as before: weights and the context so"
        " far are read once for all of them, and what passes among them stays on the chip. Only their own keys and"
        " values are written.",
        board="prefill",
    ),
    Card(
        id="prices-sketch-the-pass",
        kind=Kind.SKETCH,
        level=Level.APPLY,
        time_stamp="1:46:30",
        question="Sketch the time for one token against the number of tokens that a pass takes: computing, reading"
        " memory, and the larger of the two. Where is decode, where prefill?",
        answer=f"Computing is flat; reading falls as one over the tokens. Decode is the point at one token, at"
        f" {LIST_RATIO:.0f} times the flat line if the price list is read so; prefill is right of the crossing, at"
        f" {LIST_RATIO:.0f} tokens, on the flat line.",
        board="prefill",
    ),
    Card(
        id="prices-two-readings",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="1:47:40",
        question="One list price is read as a crossover at 200,000 tokens in a large batch, another as decode bound by"
        " memory five times over. Why can both not be true of a context of 20,000 tokens?",
        answer="Short of the crossover a large batch is bound by arithmetic, and then decode costs what prefill does."
        f" Five times needs weights to be read for few sequences: {BATCHES:.2g} of the balance batch, which nobody"
        " would run.",
        board="prefill",
    ),
    Card(
        id="prices-retrieve-and-hold",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="1:57:30",
        question="A KV cache can be made again, or wait in HBM, DDR, flash or on disk. Which two costs has each of"
        " these, and for which is one of them nothing?",
        answer="Bringing it back, paid once, and holding it, paid by the second. Making it again holds nothing and"
        " costs a forward pass; HBM brings back for nothing and holds at the chip's price; the others take some of"
        " both.",
        board="tiers",
    ),
    Card(
        id="prices-why-drain-time",
        kind=Kind.DERIVATION,
        level=Level.APPLY,
        time_stamp="2:03:41",
        question="Why does a cache that is held for a time t belong in the memory that is read whole in t?",
        answer="Holding a byte takes 1/C of the device for t, reading it back takes the device for 1/W. The two are"
        " equal at t = C/W, the drain time: a faster device is paid for holding, a slower one for reading.",
        board="tiers",
    ),
    Card(
        id="prices-five-minutes-an-hour",
        kind=Kind.NUMBER,
        level=Level.COMBINE,
        time_stamp="2:02:20",
        question="By drain times the lecture takes five minutes for flash and an hour for spinning disk. What do drives"
        " of today say?",
        answer=f"A flash drive of 31 TB is read in {FLASH_S}, a disk of 30 TB in {DISK_S}. Both spans are flash; a disk"
        " is for caches that wait a day.",
        board="tiers",
    ),
    Card(
        id="prices-when-a-write-pays",
        kind=Kind.NUMBER,
        level=Level.APPLY,
        time_stamp="2:01:00",
        question="An input token costs $5 a million, kept for five minutes $6.25, and a hit a tenth of the input price."
        " How many hits does a write need to pay for itself?",
        answer=f"Its premium over a hit's saving: 0.25 / 0.9 = {HITS:.2g}, so about two hits in seven writes.",
        board="tiers",
    ),
)
