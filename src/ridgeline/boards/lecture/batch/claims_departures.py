"""Claims on trains of requests and on tokens a second: 0:21 to 0:28."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.batch.claims_roofline import (
    BYTES_PER_PARAM,
    TOTAL_PARAMS,
    own_context,
    read_over_written,
)
from ridgeline.boards.lecture.batch.trains import GOOGLE_TOKENS_PER_MONTH, MONTH_S, Train, full_train, sweep_s
from ridgeline.boards.lecture.numbers import (
    BALANCE_RATIO,
    DEPARTURES_PER_S,
    EXPANSION,
    KV_BYTES_PER_TOKEN,
    NEXT_HBM_BYTES,
    SEATS,
    SHORT_TOKENS,
    TRAIN_S,
)
from ridgeline.equations import departures, roofline

__all__ = ["CLAIMS", "FLEET_CLAIMS"]

MACHINE, OWN_MACHINE = "gb200-nvl72", "h800-sxm"
"""Machine of DeepSeek-V3's careful numbers, and the machine of its own fleet."""

NEXT_MACHINE = "vr200-nvl144"
FIRST_MONTH, CAREFUL_MONTH, LAST_MONTH = "May 2025", "Oct 2025", "May 2026"

NEXT_HBM_BYTES_PER_S = said(20e12, "0:24:22", hedge="something like")
"""Memory bandwidth of the next generation's chip."""

TRAFFIC_TOKENS_PER_S = said(
    100e6, "0:26:40", hedge="hundreds of millions, as remembered from last year's announcements", between=(100e6, 1e9)
)
"""Tokens a second of Gemini."""

FULL_OF = f"deepseek-v3 in a full memory of {MACHINE}, at its fleet's mean context"


def _train() -> Train:
    """DeepSeek-V3 with as many sequences as the rack holds."""
    found = full_train(fleet.facts(MACHINE))
    if found is None:
        raise ValueError(f"deepseek-v3 does not fit {MACHINE}; take a larger machine")
    return found


def _machine_sweep_s(*, machine: str) -> float:
    return sweep_s(machine)


def _sweeps() -> Iterable[Step]:
    yield step("GB200 instead of H100", machine=MACHINE)


def _other_sweeps() -> Iterable[Step]:
    yield step("Rubin as announced, the shortest", machine=NEXT_MACHINE)
    yield step("MI325X, the longest of all with HBM", machine="mi325x")


def _announced() -> Iterable[Step]:
    chip = fleet.facts(NEXT_MACHINE).machine.chip
    yield step("the capacity that was announced", hbm_bytes=chip.hbm_bytes)
    yield step("the bandwidth that was announced", hbm_bytes_per_s=chip.hbm_bytes_per_s)


def _full_period() -> Iterable[Step]:
    yield step("the step that reads a full GB200", period_s=_train().period_s)


def _rate(*, batch: float, departures_per_s: float) -> float:
    return float(departures.tokens_per_s(batch=batch, period_s=1 / departures_per_s))


def _full_train() -> Iterable[Step]:
    train = _train()
    yield step("departures as often as a full GB200 is read", departures_per_s=1 / train.period_s)
    yield step("as many sequences as that memory holds beside DeepSeek-V3's weights", batch=train.seats)


def _share(*, batch: float, departures_per_s: float, traffic_tokens_per_s: float) -> float:
    rate = _rate(batch=batch, departures_per_s=departures_per_s)
    return 1 / float(departures.racks_needed(tokens_per_s=traffic_tokens_per_s, tokens_per_s_per_rack=rate))


def _month(month: str) -> Iterable[Step]:
    published = GOOGLE_TOKENS_PER_MONTH[month] / MONTH_S
    yield step(f"what Google published for {month}", traffic_tokens_per_s=published)


def _fleet_over_balance(
    *, nodes: float, node_tokens_per_s: float, user_tokens_per_s: float, balance_ratio: float, expansion: float
) -> float:
    batch = departures.sequences_in_flight(
        tokens_per_s=nodes * node_tokens_per_s, tokens_per_s_per_sequence=user_tokens_per_s
    )
    return float(batch) / float(roofline.balance_batch(balance_ratio=balance_ratio, expansion=expansion))


def _to_its_own_chips() -> Iterable[Step]:
    facts = fleet.facts(OWN_MACHINE)
    yield step("DeepSeek-V3's own total over active parameters", expansion=controls.terms(facts).expansion)
    yield step("its checkpoint's formats on H800", balance_ratio=controls.balance_ratio(facts))


def _sweeps_in(*, period_s: float, hbm_bytes: float, hbm_bytes_per_s: float) -> float:
    return period_s / float(roofline.memory_sweep_time_s(hbm_bytes=hbm_bytes, hbm_bytes_per_s=hbm_bytes_per_s))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "A15",
        "0:24:00",
        "Reading all of a chip's memory once takes about 20 ms, and has done so for many generations of HBM.",
        computed="time to read all of an H100's memory",
        lecture=TRAIN_S,
        equation=roofline.memory_sweep_time_s,
        compute=_machine_sweep_s,
        inputs={"machine": filled_in("h100-sxm")},
        careful=_sweeps,
        further=_other_sweeps,
        careful_of=MACHINE,
        verdict=Verdict.DEPENDS,
        what="to read all of a chip's memory",
        answer="the chip is an H100 or a GB200: then {ours} and {at[1]}. VR200 takes {at[2]}, MI325X {at[3]}",
        why="It depends on the chip: from 13 ms (VR200) to 46 ms (MI325X), within a factor of 2.3 of the 20 ms.",
        unit="s",
        tolerance=0.2,  # he calls it a rule of thumb
    ),
    claim(
        "A16",
        "0:24:22",
        "Rubin reads its 288 GB at 20 TB/s in about 15 ms.",
        lecture=said(0.015, "0:24:22", hedge="about"),
        equation=roofline.memory_sweep_time_s,
        inputs={"hbm_bytes": replace(NEXT_HBM_BYTES, beside=""), "hbm_bytes_per_s": NEXT_HBM_BYTES_PER_S},
        careful=_announced,
        careful_of=NEXT_MACHINE,
        verdict=Verdict.REPRODUCES,
        what="to read Rubin's memory",
        answer="{ours}, which he rounds; {careful} at the bandwidth announced since",
        why="14.4 ms, which he rounds to 15. The bandwidth announced since is a tenth higher.",
        unit="s",
        tolerance=0.05,  # rounded to a whole millisecond, and up
    ),
    claim(
        "A17",
        "0:22:21",
        "With a departure every 20 ms, a request has its token after 40 ms at worst: 20 ms of waiting and 20 ms on"
        " board.",
        computed="longest time from a request to its token",
        lecture=said(0.040, "0:22:21", hedge="at worst"),
        equation=departures.worst_latency_s,
        inputs={"period_s": TRAIN_S},
        careful=_full_period,
        careful_of=FULL_OF,
        verdict=Verdict.REPRODUCES,
        what="at worst",
        answer="at worst it takes {ours}, if no departing batch is full",
        why="The mean is 30 ms. Requests that a full train leaves behind take longer: they are rare with Poisson"
        " arrivals up to 95 % of the seats, common at 99 % and with bursts.",
        unit="s",
    ),
    claim(
        "A18",
        "0:26:25",
        "2,000 sequences at 64 departures a second make 128,000 tokens a second.",
        lecture=said(128_000.0, "0:26:25", hedge="around"),
        equation=departures.tokens_per_s,
        compute=_rate,
        inputs={"batch": SEATS, "departures_per_s": DEPARTURES_PER_S},
        careful=_full_train,
        careful_of=FULL_OF,
        verdict=Verdict.REPRODUCES,
        answer="they make {ours:3} tokens a second",
        why="64 departures a second are one every 15.6 ms. At the 20 ms that he used before, the same batch makes"
        " 100,000 tokens a second.",
        unit="tokens/s",
    ),
    claim(
        "A19",
        "0:26:40",
        "128,000 tokens a second are about a thousandth of Gemini's hundreds of millions.",
        computed="the first over 100 million tokens a second",
        lecture=said(1e-3, "0:26:40", hedge="numbers that I remember"),
        equation=departures.racks_needed,
        compute=_share,
        inputs={
            "batch": SEATS,
            "departures_per_s": DEPARTURES_PER_S,
            "traffic_tokens_per_s": TRAFFIC_TOKENS_PER_S,
        },
        careful=partial(_month, CAREFUL_MONTH),
        further=lambda: (*_month(FIRST_MONTH), *_month(LAST_MONTH)),
        careful_of=f"all of Google's products in {CAREFUL_MONTH}, what they read included",
        verdict=Verdict.DEPENDS,
        what="of Gemini's tokens",
        answer="Gemini handles {traffic_tokens_per_s} tokens a second: then they are {ours}. Of what all of Google's"
        " products handled in October 2025 they are {careful}",
        why="It depends on how many hundreds of millions: 128,000 is a thousandth of 128 million. What Google"
        " publishes counts inputs and small models too, so the decoded share is unknown.",
        tolerance=1 / 3,  # "about": he gives the power of ten alone
    ),
)
"""Claims on trains; those on the fleet and on units follow in the order of their ids."""

FLEET_CLAIMS: tuple[Claim, ...] = (
    claim(
        "A26",
        "0:19:50",
        "If operators run at two to three times the balance batch (A13), so does DeepSeek's production fleet of"
        " February 2025.",
        computed="its batch over the balance batch",
        equation=departures.sequences_in_flight,
        compute=_fleet_over_balance,
        inputs={
            "nodes": filled_in(float(fleet.DECODE_NODES)),
            "node_tokens_per_s": filled_in(fleet.OUTPUT_TOKENS_PER_NODE_S),
            "user_tokens_per_s": filled_in(fleet.TOKENS_PER_USER_S),
            "balance_ratio": BALANCE_RATIO,
            "expansion": EXPANSION,
        },
        careful=_to_its_own_chips,
        careful_of=f"deepseek-v3 on {OWN_MACHINE}; {fleet.REPORT}",
        verdict=Verdict.DEPENDS,
        what="times the balance batch, for DeepSeek's fleet",
        answer="one takes the model's own parameters: then it runs at {careful} times the balance batch. With his 32 of"
        " 256 experts active it runs at {ours} times",
        why="Not said in the lecture: what he says of operators, tested on one. With his 32 of 256 experts the fleet"
        " runs at five times the balance batch, with its own parameters at two to three. But its step takes nearly"
        " 50 ms, not the 20 ms of one read of the memory.",
    ),
    statement(
        "A31",
        "0:26:10",
        "Tokens a second say more about a system's size than users at a time.",
        answer="a choice of unit",
        why="A choice of unit. Users at a time depend on how fast each is served. Tokens a second compare with what"
        " providers publish.",
    ),
    claim(
        "A33",
        "0:25:00",
        "A step longer than one read of the memory gains nothing.",
        computed="how many times all of Rubin's memory is read in 30 ms",
        lecture=said(2.0, "0:25:00", hedge="in around 30 ms"),
        equation=roofline.memory_sweep_time_s,
        compute=_sweeps_in,
        inputs={
            "period_s": said(0.030, "0:25:00", hedge="around"),
            "hbm_bytes": NEXT_HBM_BYTES,
            "hbm_bytes_per_s": NEXT_HBM_BYTES_PER_S,
        },
        careful=_announced,
        careful_of=NEXT_MACHINE,
        verdict=Verdict.REPRODUCES,
        what="reads of the memory in 30 ms",
        answer="Rubin reads its memory {ours} times in {period_s:s}, and a token needs each byte only once",
        why="Neither weights nor contexts have to be read twice for a token, so a second read buys nothing. A"
        " shorter step leaves part of the memory unread, and so unused.",
        tolerance=0.05,  # "around": 2.08 times
    ),
    statement(
        "A35",
        "0:27:00",
        "To compete at scale one has to serve at least a thousandth of Gemini's traffic.",
        answer="a judgement on a market. From the model follows only that a batch has to be filled",
        why="A judgement of the interviewer's. A thousandth comes from one train's tokens over a traffic of which he"
        " names the power of ten (A19). What follows from the model is that a batch has to be filled.",
    ),
    claim(
        "A36",
        "0:25:10",
        "Almost all accesses to memory are reads.",
        computed="bytes that a decode step reads over those that it writes",
        equation=roofline.memory_time_s,
        compute=read_over_written,
        inputs={
            "batch": SEATS,
            "total_params": TOTAL_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "context_tokens": SHORT_TOKENS,
            "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
        },
        careful=own_context,
        careful_of=f"deepseek-v3 on {MACHINE}, 2,000 sequences at its fleet's mean context",
        verdict=Verdict.REPRODUCES,
        what="bytes read for each one written",
        answer="{ours:3} bytes are read for each one written",
        why="A sequence writes the keys and values of one token, and reads those of its whole context besides all"
        " the weights. Activations, which a chip writes and reads back within the step, are left out.",
    ),
)
