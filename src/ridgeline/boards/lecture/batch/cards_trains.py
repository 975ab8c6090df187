"""Cards on trains, tokens a second and sparsity: what is asked in words, with numbers that the equations give."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.lecture.batch.quality import CLARK_ROUTED_FRACTION, DENSE_PARAMS, EXPERTS
from ridgeline.boards.lecture.numbers import DEPARTURES_PER_S, NEXT_HBM_BYTES, SEATS, TRAIN_S
from ridgeline.catalog.scaling_laws import routed_law
from ridgeline.equations import departures, roofline, sparsity
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["CARDS"]


def _ms(seconds: Numeric) -> str:
    return format_quantity(float(seconds), "s", 3)


def _overfull(load: float) -> str:
    seats = float(SEATS)
    return format_quantity(float(departures.overfull_fraction(arrivals=load * seats, seats=seats)), "fraction", 2)


RUBIN_S = roofline.memory_sweep_time_s(hbm_bytes=float(NEXT_HBM_BYTES), hbm_bytes_per_s=20e12)
WORST_S = departures.worst_latency_s(period_s=float(TRAIN_S))
MEAN_S = departures.mean_latency_s(period_s=float(TRAIN_S), extra_wait_s=0)
SPOKEN_RATE = departures.tokens_per_s(batch=float(SEATS), period_s=1 / float(DEPARTURES_PER_S))
SLOWER_RATE = departures.tokens_per_s(batch=float(SEATS), period_s=float(TRAIN_S))
WORTH = sparsity.equivalent_params(
    params=float(DENSE_PARAMS), experts=float(EXPERTS), law=routed_law("clark-2022").coefficients
)
HELD = sparsity.routed_total_params(params=1.0, routed_fraction=CLARK_ROUTED_FRACTION, experts=float(EXPERTS))

CARDS: tuple[Card, ...] = (
    Card(
        id="batch-train-period",
        kind=Kind.DERIVATION,
        level=Level.RECALL,
        time_stamp="0:24:00",
        question="Batches depart like trains, one every 20 ms or so. Which two numbers of a chip give that time, and"
        " what do they give for 288 GB read at 20 TB/s?",
        answer="Memory capacity over memory bandwidth: the time to read everything once that the memory holds, weights"
        f" and KV cache. 288 GB at 20 TB/s take {_ms(RUBIN_S)}.",
        board="departures",
    ),
    Card(
        id="batch-train-slower",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="0:25:00",
        question="What is gained by letting trains depart more slowly than the memory is read, and what is lost by"
        " letting them depart faster?",
        answer="More slowly, there is time to read the memory a second time, but nothing in it that has to be read"
        " twice: bandwidth idles and users wait. Faster, a step has not the time to read a full memory, so that part of"
        " the capacity has to stay empty and the batch smaller.",
        board="departures",
    ),
    Card(
        id="batch-train-worst",
        kind=Kind.NUMBER,
        level=Level.RECALL,
        time_stamp="0:22:21",
        question="A train departs every 20 ms, full or not. How long does a request take to its token at worst, and on"
        " the mean?",
        answer=f"At worst it has just missed one: a period of waiting and one of riding, {_ms(WORST_S)}. On the mean it"
        f" waits for half a period: {_ms(MEAN_S)}.",
        board="departures",
    ),
    Card(
        id="batch-train-full",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="0:22:21",
        question="Does a batch of 2,000 seats have to wait until it has filled up? And how near to full may it run"
        " before it leaves requests behind?",
        answer="No: it departs on time with whoever is there. With Poisson arrivals more come in a period than there"
        f" are seats in {_overfull(0.95)} of the periods at 95 % of the seats taken, and in {_overfull(0.99)} of them"
        " at 99 %; bursts make it far more.",
        board="departures",
    ),
    Card(
        id="batch-timetable-sketch",
        kind=Kind.SKETCH,
        level=Level.APPLY,
        time_stamp="0:21:40",
        question="Sketch the timetable: trains on a line of time, a request that has just missed one, and one that the"
        " next, full train leaves behind. How long does each take, in periods T?",
        answer="Trains follow each other without a gap, each T long. Just missed: a wait of T up to the next departure,"
        " then a ride of T, 2 T in all. Left behind: up to T for the train that is full, T for the next one, and T of"
        " riding, 3 T in all at most.",
        board="departures",
    ),
    Card(
        id="batch-tokens-a-second",
        kind=Kind.NUMBER,
        level=Level.RECALL,
        time_stamp="0:26:25",
        question="How many tokens a second do 2,000 sequences make at 64 departures a second, and at one every 20 ms?",
        answer=f"{SPOKEN_RATE:,.0f}; every 20 ms only {SLOWER_RATE:,.0f}, since 64 a second are one every"
        f" {_ms(1 / float(DEPARTURES_PER_S))}.",
        board="tokens",
    ),
    Card(
        id="batch-sparsity-worth",
        kind=Kind.NUMBER,
        level=Level.APPLY,
        time_stamp="0:30:13",
        question="A model with 370 million active parameters gets 64 experts in every other layer. How large a dense"
        " model is it as good as, by the law of Clark et al., and how many times as many parameters does it hold?",
        answer=f"As good as {format_quantity(float(WORTH), 'count', 3)}, {float(WORTH) / float(DENSE_PARAMS):.2g} times"
        f" its active parameters; it holds {float(HELD):.3g} times as many. 64 is the number of experts, and of"
        " parameters only if all of them are experts'.",
        board="quality",
    ),
    Card(
        id="batch-sparsity-win",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="0:30:51",
        question="Twice the experts, and as many active parameters as before: why does a token cost no more, and what"
        " ends that?",
        answer="Twice the weights have to be read, but twice the batch shares the reading, and a token's arithmetic is"
        " as before. It ends with the users, who have to fill the batch; with the memory, which has to hold the"
        " experts; with the scale-up domain that has to reach them; and with quality, which gains ever less.",
        board="quality",
    ),
)
