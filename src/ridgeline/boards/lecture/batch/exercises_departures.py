"""Exercises on trains of requests and on tokens a second.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one; what is counted, or comes
out round, is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Place, Way
from ridgeline.equations import departures, roofline

__all__ = ["EXERCISES"]

MONTH = {"tokens": 518.4e12, "lifetime_s": 30 * 86400.0, "tokens_per_s_per_rack": 160e3}
LOAD = 0.95
"""Load of the board's trains where the question is about one that just left."""
PERIOD_S = 0.01
"""Period of a rack's departures, s; with its seats it makes the tokens a second."""

EXERCISES: tuple[Exercise, ...] = (
    compose(
        "departures-sweep",
        time_stamp="0:24:00",
        question="A chip has {hbm_bytes} of memory and reads {hbm_bytes_per_s}. How long does it take to read its"
        " whole memory once?",
        inputs={"hbm_bytes": 192e9, "hbm_bytes_per_s": 8e12},
        equation=roofline.memory_sweep_time_s,
        dimension="s",
        tolerance=0.01,
        working="Capacity over bandwidth: {hbm_bytes} / {hbm_bytes_per_s}",
    ),
    compose(
        "departures-worst",
        time_stamp="0:22:21",
        question="A train leaves every {period_s} and takes as long to arrive. A request has just missed one, and the"
        " next has room. How long until it gets its token?",
        inputs={"period_s": 0.035},
        equation=departures.worst_latency_s,
        dimension="s",
        tolerance=0.01,
        working="One period of waiting and one of riding: 2 * {period_s}",
        place=Place(
            board="departures",
            view=1,
            way=Way.UPRIGHT,
            line="just missed",
            at=lambda _: LOAD,
            turned=lambda given: {"period_s": given["period_s"]},
            lines=("mean, Poisson",),
        ),
    ),
    compose(
        "departures-mean",
        time_stamp="0:22:21",
        question="A train leaves every {period_s} and takes as long to arrive. Requests come evenly over time, and"
        " full trains cost them {extra_wait_s} more on average. How long does a request wait for its token on average?",
        inputs={"period_s": 0.026, "extra_wait_s": 0.001},
        equation=departures.mean_latency_s,
        dimension="s",
        tolerance=0.01,
        working="Half a period of waiting, one of riding, and the delay by full trains: 1.5 * {period_s} +"
        " {extra_wait_s}",
    ),
    compose(
        "departures-rate",
        time_stamp="0:26:25",
        question="A train with {batch} sequences leaves every {period_s}. How many tokens per second is that?",
        inputs={"batch": 1800.0, "period_s": 0.015},
        equation=departures.tokens_per_s,
        dimension="tokens_per_s",
        tolerance=0.01,
        working="Every sequence gains one token per period: {batch} / {period_s}",
        place=Place(
            board="tokens",
            way=Way.UPRIGHT,
            line="trains",
            at=lambda given: given["batch"],
            turned=lambda given: {"seats": given["batch"], "period_s": given["period_s"]},
            lines=("compute",),
        ),
    ),
    compose(
        "departures-in-flight",
        time_stamp="0:26:10",
        question="A service writes {tokens_per_s} in all, and each user sees {tokens_per_s_per_sequence}. How many"
        " sequences does it decode at a time?",
        inputs={"tokens_per_s": 90e3, "tokens_per_s_per_sequence": 30.0},
        equation=departures.sequences_in_flight,
        dimension="count",
        tolerance=0.01,
        working="The rate of all over the rate of one: {tokens_per_s} / {tokens_per_s_per_sequence}",
    ),
    compose(
        "departures-overfull",
        time_stamp="0:22:21",
        question="Each train has {seats} seats, and on average {arrivals} requests arrive in a period, as a Poisson"
        " process. In what share of periods do more arrive than there are seats?",
        inputs={"arrivals": 9800.0, "seats": 10_000.0},
        equation=departures.overfull_fraction,
        dimension="fraction",
        tolerance=0.1,
        working="The spare seats are ({seats} - {arrivals}) / √{arrivals} = 2.02 standard deviations; the normal"
        " distribution's tail beyond that",
        place=Place(
            board="departures",
            view=2,
            way=Way.UPRIGHT,
            line="one period by itself",
            at=lambda given: given["arrivals"] / given["seats"],
            turned=lambda given: {
                "seats": given["seats"],
                "load_fraction": given["arrivals"] / given["seats"],
            },
            lines=("bursty",),
        ),
    ),
    compose(
        "departures-racks",
        time_stamp="0:26:40",
        question="A provider writes {tokens} tokens in {lifetime_s} at a steady rate, and one rack writes"
        " {tokens_per_s_per_rack}. How many racks does it need?",
        inputs=MONTH,
        equation=departures.racks_needed,
        answer=lambda: departures.racks_needed(
            tokens_per_s=MONTH["tokens"] / MONTH["lifetime_s"], tokens_per_s_per_rack=MONTH["tokens_per_s_per_rack"]
        ),
        dimension="count",
        tolerance=0.05,
        working="All tokens per second over those of one rack: {tokens} / {lifetime_s} / {tokens_per_s_per_rack}",
        place=Place(
            board="tokens",
            view=1,
            way=Way.UPRIGHT,
            line="with trains",
            at=lambda given: given["tokens"] / given["lifetime_s"],
            turned=lambda given: {
                "period_s": PERIOD_S,
                "seats": given["tokens_per_s_per_rack"] * PERIOD_S,
            },
            lines=("back to back",),
        ),
    ),
)
