"""Claims of the lecture's first half hour: roofline, batch, departures, and sparsity (A).

Lecture mode takes the lecture's own constants, careful mode the catalog's models and machines. DeepSeek-V3 on a rack
of GB200, in the formats in which it is published, stands for careful wherever a claim asks for a model and a machine
and its inputs name no other. What a board starts from in careful mode, ``controls`` says, and so it does here.
"""

from __future__ import annotations

from ridgeline.boards.claim import Claim, Verdict, old_claim
from ridgeline.boards.claims_sparse import CLAIMS as SPARSE
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture import fleet as deepseek
from ridgeline.boards.old_numbers import (
    BALANCE_BATCH,
    BALANCE_RATIO,
    DEPARTURES_PER_S,
    EXPANSION,
    MONTH_S,
    MULTIPLIES_PER_S,
    NEXT_HBM_BYTES,
    SEATS,
    TRAIN_S,
    USD_PER_CHIP_S,
)
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import contexts, departures, experts, memory, modes, roofline, sparsity
from ridgeline.estimator.parameters import total_params
from ridgeline.estimator.terms import Terms, terms_of
from ridgeline.numeric import INFINITY
from ridgeline.specs.machine import Chip
from ridgeline.specs.model import Model
from ridgeline.specs.passes import decode

__all__ = ["CLAIMS", "GOOGLE_TOKENS_PER_MONTH"]

ACTIVE_PARAMS = 37e9
TOTAL_PARAMS = 671e9
"""DeepSeek-V3, as published; the lecture says 700 billion."""

MACHINE = "gb200-nvl72"

GOOGLE_TOKENS_PER_MONTH = {"May 2025": 480e12, "July 2025": 980e12, "Oct 2025": 1.3e15, "May 2026": 3.2e15}
"""Of all products, input included, as Google published them."""

TRAFFIC_TOKENS_PER_S = 100e6
"""Gemini's, the least that "hundreds of millions" can mean."""

FAST = {"price_ratio": 6.0, "speed_ratio": 2.5}


def _model() -> Model:
    return load_model(deepseek.MODEL)


def _terms(context_tokens: float = 1) -> Terms:
    """DeepSeek-V3 on the rack."""
    model, machine = _model(), load_machine(MACHINE)
    return terms_of(
        model,
        machine.chip,
        chips=machine.scale_up_chips,
        precision=model.precision,
        step=decode(batch=1, context_tokens=context_tokens),
    )


def _ratio(flop_per_s: float, hbm_bytes_per_s: float, bytes_per_param: float) -> float:
    return float(
        roofline.balance_ratio(flop_per_s=flop_per_s, hbm_bytes_per_s=hbm_bytes_per_s, bytes_per_param=bytes_per_param)
    )


def _chip_ratio(chip: Chip) -> float:
    """In 16 bits, as data sheets compare."""
    return _ratio(chip.flop_per_s["bf16"], chip.hbm_bytes_per_s, 2)


def _balance(ratio: float, expansion: float) -> float:
    return float(roofline.balance_batch(balance_ratio=ratio, expansion=expansion))


def _careful_balance() -> float:
    return controls.balance_batch(deepseek.facts(MACHINE))


def _floor_s(weight_bytes: float, hbm_bytes_per_s: float) -> float:
    return float(
        roofline.memory_time_s(
            batch=1, weight_bytes=weight_bytes, kv_bytes_per_sequence=0, hbm_bytes_per_s=hbm_bytes_per_s
        )
    )


def _careful_floor_s() -> float:
    terms = _terms()
    return _floor_s(terms.weight_bytes, terms.hbm_bytes_per_s)


def _sweep_s(machine: str) -> float:
    chip = load_machine(machine).chip
    return float(roofline.memory_sweep_time_s(hbm_bytes=chip.hbm_bytes, hbm_bytes_per_s=chip.hbm_bytes_per_s))


def _token_time_s(active: float, flop_per_s: float) -> float:
    return float(roofline.compute_time_s(tokens=1, active_params=active, flop_per_s=flop_per_s))


def _cost(*, batch: float, weight_s: float, compute_s: float, kv_s: float) -> float:
    return float(
        modes.cost_over_floor(
            batch=batch, weight_time_s=weight_s, compute_time_per_sequence_s=compute_s, kv_time_per_sequence_s=kv_s
        )
    )


def _read(terms: Terms, batch: float) -> float:
    """Part of the weights that a step of so many sequences reads."""
    found = experts.read_fraction(expert_share=terms.expert_share, expansion=terms.expansion, tokens=batch)
    return float(found)


def _careful_cost(batch: float, context_tokens: float) -> float:
    terms = _terms(context_tokens)
    return _cost(
        batch=batch,
        weight_s=_floor_s(terms.weight_bytes, terms.hbm_bytes_per_s) * _read(terms, batch),
        compute_s=_token_time_s(terms.active_params, terms.flop_per_s),
        kv_s=terms.kv_bytes_per_sequence / terms.hbm_bytes_per_s,
    )


def _overlap() -> float:
    """Step time over the time of either part, where both take as long."""
    numbers = {"active_params": ACTIVE_PARAMS, "weight_bytes": TOTAL_PARAMS, "kv_bytes_per_sequence": 0.0}
    batch = _balance(BALANCE_RATIO, TOTAL_PARAMS / ACTIVE_PARAMS)
    step_s = roofline.step_time_s(batch=batch, flop_per_s=2 * BALANCE_RATIO, hbm_bytes_per_s=1.0, **numbers)
    return float(step_s / _floor_s(TOTAL_PARAMS, 1.0))


def _busy(batch_over_balance: float) -> float:
    return float(contexts.compute_fraction(batch_over_balance=batch_over_balance, context_over_crossover=2))


def _seats_per_s(period_s: float = 1 / DEPARTURES_PER_S) -> float:
    """Tokens a second of a train whose seats are all taken."""
    return float(departures.tokens_per_s(batch=SEATS, period_s=period_s))


def _weights_fraction() -> float:
    machine = load_machine(MACHINE)
    return _terms().weight_bytes / (machine.scale_up_chips * machine.chip.hbm_bytes)


def _balance_step_s(weights_fraction: float, sweep_s: float) -> float:
    return float(memory.balance_step_time_s(weights_fraction=weights_fraction, memory_sweep_time_s=sweep_s))


def _worth(law: sparsity.RoutingLaw) -> float:
    return float(sparsity.equivalent_params(params=370e6, experts=64, law=law) / 370e6)


def _balance_growth(*, context_over_crossover: float) -> float:
    """Balance batch with keys and values, over that without."""
    found = roofline.balance_batch_with_kv(
        weight_time_s=1.0, compute_time_per_sequence_s=1.0, kv_time_per_sequence_s=context_over_crossover
    )
    return float(found)


def _careful_crossover_tokens() -> float:
    return deepseek.crossover_tokens(MACHINE)


def _careful_token_time_s() -> float:
    facts = deepseek.facts("h100-sxm")
    terms = controls.terms(facts)
    return _token_time_s(terms.active_params, terms.flop_per_s / facts.machine.scale_up_chips)


CLAIMS: tuple[Claim, ...] = (
    old_claim(
        id="A1",
        time_stamp="3:16",
        chapter="roofline",
        claim="A step takes at least the longer of its arithmetic and its reading; over either, where both are alike.",
        lecture=None,
        inputs={"balance ratio": BALANCE_RATIO, "active_params": ACTIVE_PARAMS, "total_params": TOTAL_PARAMS},
        equation="roofline.step_time_s",
        lecture_mode=_overlap,
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="A bound from below that needs perfect overlap; without any, the sum bounds it at no more than twice that.",
    ),
    old_claim(
        id="A2",
        time_stamp="4:50",
        chapter="roofline",
        claim="Arithmetic for a token takes the active parameters over the chip's rate, in seconds.",
        lecture=None,
        unit="s",
        inputs={
            "active_params": ACTIVE_PARAMS,
            "multiplications per second": MULTIPLIES_PER_S,
            "careful": f"{deepseek.MODEL} on one chip of h100-sxm",
        },
        equation="roofline.compute_time_s",
        lecture_mode=lambda: _token_time_s(ACTIVE_PARAMS, roofline.FLOP_PER_PARAM * MULTIPLIES_PER_S),
        careful=_careful_token_time_s,
        verdict=Verdict.DEPENDS,
        why="Holds while the rate counts multiplications, as said later; with a data sheet's FLOP/s a 2 is due.",
    ),
    old_claim(
        id="A3",
        time_stamp="5:00",
        chapter="roofline",
        claim="Reading takes the weights and every sequence's context, over the memory's bandwidth, in seconds.",
        lecture=None,
        unit="s",
        inputs={
            "total_params": TOTAL_PARAMS,
            "chips": 72.0,
            "hbm_bytes_per_s": 8e12,
            "bytes per parameter": "1; careful: 2",
        },
        equation="roofline.memory_time_s",
        lecture_mode=lambda: _floor_s(TOTAL_PARAMS * 1.0, 72 * 8e12),
        careful=lambda: _floor_s(total_params(_model()) * 2.0, _terms().hbm_bytes_per_s),
        verdict=Verdict.DEPENDS,
        why="Parameters are bytes on the board, which is right for 8-bit weights; 16-bit ones take twice as long.",
    ),
    old_claim(
        id="A4",
        time_stamp="4:26",
        chapter="roofline",
        claim="Without batching a token can cost a thousand times what it costs in a large batch.",
        lecture=1000.0,
        inputs={"balance ratio": BALANCE_RATIO, "expansion": EXPANSION},
        equation="modes.cost_over_floor",
        lecture_mode=lambda: _cost(batch=1, weight_s=_balance(BALANCE_RATIO, EXPANSION), compute_s=1.0, kv_s=0.0),
        careful=lambda: _careful_cost(1, 1),
        verdict=Verdict.DEPENDS,
        why="It is the balance ratio, some 300, for a dense model and for a sparse one alike: alone, a sequence of"
        " DeepSeek-V3 reads its active parameters and no others. Were all of its weights read for one sequence, it"
        " would be thousands; long contexts make it less.",
    ),
    old_claim(
        id="A5",
        time_stamp="4:52",
        chapter="roofline",
        claim="DeepSeek-V3 has 700 billion parameters, 37 billion of them active.",
        lecture=700e9,
        unit="params",
        inputs={"total_params": TOTAL_PARAMS},
        equation="",
        lecture_mode=lambda: TOTAL_PARAMS,
        careful=lambda: float(total_params(_model())),
        verdict=Verdict.ROUNDED,
        why="671 billion by its report and by its matrices, without the layer that predicts a second token.",
        tolerance=0.05,
    ),
    old_claim(
        id="A6",
        time_stamp="9:54",
        chapter="roofline",
        claim="No step is shorter than one reading of all parameters, in seconds, here on a rack of 72 chips.",
        lecture=None,
        unit="s",
        inputs={"total_params": TOTAL_PARAMS, "chips": 72.0, "hbm_bytes_per_s": 8e12},
        equation="roofline.memory_time_s",
        lecture_mode=lambda: _floor_s(TOTAL_PARAMS, 72 * 8e12),
        careful=_careful_floor_s,
        verdict=Verdict.REPRODUCES,
        why="True once a batch wakes every expert; one sequence alone wakes few and reads only the active parameters.",
    ),
    old_claim(
        id="A7",
        time_stamp="11:00",
        chapter="roofline",
        claim="Doubling a context that is at the crossover halves the arithmetic's utilisation.",
        lecture=0.5,
        inputs={"context over crossover": 2.0, "batch over balance": INFINITY},
        equation="contexts.compute_fraction",
        lecture_mode=lambda: _busy(INFINITY),
        # At three times the balance batch (A13) the crossover lies where weights and context together take as long.
        careful=lambda: float(contexts.compute_fraction(batch_over_balance=3, context_over_crossover=2 * (1 - 1 / 3))),
        verdict=Verdict.REPRODUCES,
        why="Exact when weights take no time; at three times the balance batch they take a third, and 60 % is left.",
    ),
    *SPARSE,
    old_claim(
        id="A9",
        time_stamp="13:00",
        chapter="roofline",
        claim="A chip rents for about $2 an hour, in dollars a second.",
        lecture=USD_PER_CHIP_S,
        unit="$/s",
        inputs={},
        equation="",
        lecture_mode=None,
        careful=None,
        verdict=Verdict.NOT_DERIVABLE,
        why="A market price: it moves, and the catalog dates each one it knows.",
    ),
    old_claim(
        id="A10",
        time_stamp="17:00",
        chapter="roofline",
        claim="A chip makes about 300 multiplications for each parameter it reads, whatever its generation.",
        lecture=BALANCE_RATIO,
        inputs={"machine": "h100-sxm; careful: h200-sxm"},
        equation="roofline.balance_ratio",
        lecture_mode=lambda: _chip_ratio(load_machine("h100-sxm").chip),
        careful=lambda: _chip_ratio(load_machine("h200-sxm").chip),
        verdict=Verdict.ROUNDED,
        why="True of H100 and B200; in 16 bits the catalog's chips go from 37 (H20) to 560 (TPU v6e).",
        tolerance=0.03,
    ),
    old_claim(
        id="A11",
        time_stamp="19:22",
        chapter="roofline",
        claim="Weights and arithmetic balance at a batch of 300 times total over active parameters.",
        lecture=BALANCE_RATIO * EXPANSION,
        inputs={"balance ratio": BALANCE_RATIO, "expansion": EXPANSION},
        equation="roofline.balance_batch",
        lecture_mode=lambda: _balance(BALANCE_RATIO, EXPANSION),
        careful=_careful_balance,
        verdict=Verdict.REPRODUCES,
        why="Exact without context, and independent of the model's size and the number of chips.",
    ),
    old_claim(
        id="A12",
        time_stamp="19:22",
        chapter="roofline",
        claim="DeepSeek-V3 wakes 32 of 256 experts, so that it balances at 2,400 sequences.",
        lecture=BALANCE_BATCH,
        inputs={"balance ratio": BALANCE_RATIO, "total_params": TOTAL_PARAMS, "active_params": ACTIVE_PARAMS},
        equation="roofline.balance_batch",
        lecture_mode=lambda: _balance(BALANCE_RATIO, TOTAL_PARAMS / ACTIVE_PARAMS),
        careful=_careful_balance,
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="It wakes 8 of 256, and attention is dense: total over active is 18, not 8, and the batch grows as much.",
        tolerance=0.5,
    ),
    old_claim(
        id="A13",
        time_stamp="19:50",
        chapter="roofline",
        claim="Operators run two to three times the balance batch.",
        lecture=None,
        inputs={},
        equation="",
        lecture_mode=None,
        careful=None,
        verdict=Verdict.NOT_DERIVABLE,
        why="Practice: the roofline gains nothing past the balance, real kernels do; A26 finds one fleet that does so.",
    ),
    old_claim(
        id="A14",
        time_stamp="20:30",
        chapter="roofline",
        claim="About 2,000 distinct sequences gain a token in one pass, rather than one sequence 2,000.",
        lecture=SEATS,
        inputs={"balance ratio": BALANCE_RATIO, "expansion": EXPANSION},
        equation="roofline.balance_batch",
        lecture_mode=lambda: _balance(BALANCE_RATIO, EXPANSION),
        careful=_careful_balance,
        verdict=Verdict.ROUNDED,
        why="The 2,400 rounded down; a decode step has as many tokens as sequences, so only the words differ.",
        tolerance=0.25,
    ),
    old_claim(
        id="A15",
        time_stamp="24:00",
        chapter="departures",
        claim="For many generations a memory has been read once in about 20 ms, in seconds.",
        lecture=TRAIN_S,
        unit="s",
        inputs={"hbm_bytes": 80e9, "hbm_bytes_per_s": 3.35e12, "machine": "careful: gb300-nvl72"},
        equation="roofline.memory_sweep_time_s",
        lecture_mode=lambda: float(roofline.memory_sweep_time_s(hbm_bytes=80e9, hbm_bytes_per_s=3.35e12)),
        careful=lambda: _sweep_s("gb300-nvl72"),
        verdict=Verdict.ROUNDED,
        why="HBM chips lie from 13 ms (VR200) to 46 ms (MI325X): within a factor of 2.3; cards with GDDR reach 69 ms.",
        tolerance=0.2,
    ),
    old_claim(
        id="A16",
        time_stamp="24:22",
        chapter="departures",
        claim="Rubin's 288 GB at 20 TB/s are read in about 15 ms, in seconds.",
        lecture=0.015,
        unit="s",
        inputs={"hbm_bytes": NEXT_HBM_BYTES, "hbm_bytes_per_s": 20e12},
        equation="roofline.memory_sweep_time_s",
        lecture_mode=lambda: float(roofline.memory_sweep_time_s(hbm_bytes=NEXT_HBM_BYTES, hbm_bytes_per_s=20e12)),
        careful=lambda: _sweep_s("vr200-nvl144"),
        verdict=Verdict.REPRODUCES,
        why="14.4 ms, said as 15; the bandwidth announced since is a tenth higher.",
        tolerance=0.05,
    ),
    old_claim(
        id="A17",
        time_stamp="22:21",
        chapter="departures",
        claim="With a departure every 20 ms nobody waits longer than 40 ms for a token, in seconds.",
        lecture=0.040,
        unit="s",
        inputs={"period in seconds": TRAIN_S},
        equation="departures.worst_latency_s",
        lecture_mode=lambda: float(departures.worst_latency_s(period_s=TRAIN_S)),
        careful=lambda: float(departures.worst_latency_s(period_s=_sweep_s("h100-sxm"))),
        verdict=Verdict.REPRODUCES,
        why="30 ms on the mean; Poisson arrivals overflow only near 99 % load, the bursts of real ones long before.",
    ),
    old_claim(
        id="A18",
        time_stamp="26:25",
        chapter="departures",
        claim="2,000 sequences at 64 departures a second make 128,000 tokens a second.",
        lecture=128_000.0,
        unit="tokens/s",
        inputs={"batch": SEATS, "departures per second": DEPARTURES_PER_S},
        equation="departures.tokens_per_s",
        lecture_mode=_seats_per_s,
        careful=lambda: _seats_per_s(_sweep_s("h100-sxm")),
        verdict=Verdict.REPRODUCES,
        why="64 a second are every 15.6 ms; at the 20 ms of before the same batch makes 100,000.",
    ),
    old_claim(
        id="A19",
        time_stamp="26:40",
        chapter="departures",
        claim="Such a machine is about a thousandth of Gemini's traffic of hundreds of millions of tokens a second.",
        lecture=1e-3,
        inputs={
            "batch": SEATS,
            "departures per second": DEPARTURES_PER_S,
            "tokens per second of Gemini": TRAFFIC_TOKENS_PER_S,
        },
        equation="departures.tokens_per_s",
        lecture_mode=lambda: _seats_per_s() / TRAFFIC_TOKENS_PER_S,
        careful=lambda: _seats_per_s() / (GOOGLE_TOKENS_PER_MONTH["Oct 2025"] / MONTH_S),
        verdict=Verdict.ROUNDED,
        why="The order holds; what Google publishes counts inputs and small models too, so decoding's part is unknown.",
        tolerance=0.3,
    ),
    old_claim(
        id="A20",
        time_stamp="24:00",
        chapter="departures",
        claim="The balance batch and the 20 ms of a whole memory hold at the same time, in seconds.",
        lecture=TRAIN_S,
        unit="s",
        inputs={"total_params": TOTAL_PARAMS, "chips": 72.0, "hbm_bytes": 186e9, "bytes per parameter": 1.0},
        equation="memory.balance_step_time_s",
        lecture_mode=lambda: _balance_step_s(TOTAL_PARAMS / (72 * 186e9), TRAIN_S),
        careful=lambda: _balance_step_s(_weights_fraction(), _sweep_s(MACHINE)),
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="Only where weights fill the memory; DeepSeek-V3 fills a twentieth of a rack, and its step is as short.",
        tolerance=0.5,
    ),
    old_claim(
        id="A21",
        time_stamp="15:39",
        chapter="roofline",
        claim="Waiting longer saves little: part of the price that a slow mode can save, at twice the balance batch.",
        lecture=0.0,
        inputs={"batch over balance": 2.0, "balance ratio": BALANCE_RATIO, "expansion": EXPANSION},
        equation="modes.cost_over_floor",
        lecture_mode=lambda: (
            1
            - 1
            / _cost(
                batch=2 * _balance(BALANCE_RATIO, EXPANSION),
                weight_s=_balance(BALANCE_RATIO, EXPANSION),
                compute_s=1.0,
                kv_s=0.0,
            )
        ),
        careful=lambda: 1 - 1 / _careful_cost(2 * _careful_balance(), 2 * _careful_crossover_tokens()),
        verdict=Verdict.REPRODUCES,
        why="Nothing where arithmetic binds; past the crossover context the weights' part of a step can be saved.",
    ),
    old_claim(
        id="A22",
        time_stamp="0:01",
        chapter="roofline",
        claim="Six times the price for 2.5 times the speed is a smaller batch: how many times smaller.",
        lecture=None,
        inputs={"price ratio": FAST["price_ratio"], "speed ratio": FAST["speed_ratio"]},
        equation="modes.batch_ratio",
        lecture_mode=lambda: float(modes.batch_ratio(**FAST)),
        careful=None,
        verdict=Verdict.REPRODUCES,
        why="Fifteen times; the two numbers also bound any speed-up at 2.8, and a slow mode's saving at 36 %.",
    ),
    old_claim(
        id="A23",
        time_stamp="29:00",
        chapter="sparsity",
        claim="64 times the experts are worth 4 times the parameters of a dense model.",
        lecture=4.0,
        inputs={"dense parameters": 370e6, "experts": 64.0, "law": "Clark et al. 2022, S-BASE; careful: RL-R"},
        equation="sparsity.equivalent_params",
        lecture_mode=lambda: _worth(sparsity.S_BASE),
        careful=lambda: _worth(sparsity.RL_R),
        verdict=Verdict.ROUNDED,
        why="3.7 by the best router's fit; but 64 experts in every other layer are 22 times the parameters, not 64.",
        tolerance=0.1,
    ),
    old_claim(
        id="A24",
        time_stamp="31:14",
        chapter="sparsity",
        claim="More sparsity is pure gain while there are users: growth of the balance batch when sparsity doubles.",
        lecture=None,
        inputs={"balance ratio": BALANCE_RATIO, "expansion": 2 * EXPANSION},
        equation="roofline.balance_batch",
        lecture_mode=lambda: _balance(BALANCE_RATIO, 2 * EXPANSION) / _balance(BALANCE_RATIO, EXPANSION),
        careful=None,
        verdict=Verdict.DEPENDS,
        why="Twice the users share the weights, if memory holds them, one domain routes them and quality still gains.",
    ),
    old_claim(
        id="A25",
        time_stamp="20:00",
        chapter="roofline",
        claim="With contexts the balance batch is larger: how many times, at half the crossover context.",
        lecture=None,
        inputs={"context over crossover": 0.5},
        equation="roofline.balance_batch_with_kv",
        lecture_mode=lambda: _balance_growth(context_over_crossover=0.5),
        careful=lambda: _balance_growth(context_over_crossover=1000 / _careful_crossover_tokens()),
        verdict=Verdict.REPRODUCES,
        why="More than larger: it has no bound at the crossover, beyond which no batch is bound by arithmetic.",
    ),
    old_claim(
        id="A26",
        time_stamp="",
        chapter="departures",
        claim="A fleet in production runs two to three times its balance batch (A13): DeepSeek's, over the balance.",
        lecture=2.5,
        inputs={
            "nodes": deepseek.DECODE_NODES,
            "output tokens per node and second": deepseek.OUTPUT_TOKENS_PER_NODE_S,
            "output tokens per user and second": deepseek.TOKENS_PER_USER_S,
            "balance ratio": BALANCE_RATIO,
            "careful": f"{deepseek.MODEL} on h800-sxm",
        },
        equation="departures.sequences_in_flight",
        lecture_mode=lambda: deepseek.decode_batch() / _balance(BALANCE_RATIO, TOTAL_PARAMS / ACTIVE_PARAMS),
        careful=deepseek.balance_batches,
        verdict=Verdict.ROUNDED,
        why="Agrees with the corrected balance batch; its step takes near 50 ms, though, and not the 20 of a sweep.",
        tolerance=0.2,
    ),
)
"""Every claim of the section, in the ledger's order."""
