"""Claims on what a decode step takes: 0:03 to 0:10."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS
from ridgeline.boards.lecture.numbers import (
    BALANCE_BATCH,
    BALANCE_RATIO,
    EXPANSION,
    KV_BYTES_PER_TOKEN,
    MULTIPLIES_PER_S,
    SHORT_TOKENS,
)
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import experts, roofline
from ridgeline.estimator.parameters import total_params
from ridgeline.quantity_text import format_quantity

__all__ = [
    "BOARD_PARAMS",
    "BYTES_PER_PARAM",
    "CHIPS",
    "CLAIMS",
    "MACHINE",
    "TOTAL_PARAMS",
    "own_context",
    "own_weights",
    "read_over_written",
]

MACHINE = "gb200-nvl72"

TOTAL_PARAMS = said(700e9, "0:04:52", hedge="about", claim="A5")
"""Total parameters of DeepSeek-V3, as he rounds them."""

BYTES_PER_PARAM = implied(1.0, "0:05:00")
"""Bytes of a parameter; the board adds parameters to bytes."""

BOARD_PARAMS = implied(float(ACTIVE_PARAMS) * float(EXPANSION), "0:19:22", hedge="8 times the active ones")
"""Total parameters of the board's model."""

CHIPS = said(72.0, "0:02:30")
HBM_BYTES_PER_S = filled_in(controls.LECTURE_HBM_BYTES_PER_S)
"""Memory bandwidth of one of the board's chips."""

READ_ON = (
    f"{format_quantity(float(ACTIVE_PARAMS), 'count')} × {float(EXPANSION):g} parameters on {float(CHIPS):.0f} chips of"
    f" {format_quantity(float(HBM_BYTES_PER_S), 'bytes_per_s')}"
)


def _without_overlap(*, batch_over_balance: float, balance_ratio: float, expansion: float) -> float:
    """Step time without overlap over that with, for a model of one active parameter of one byte, without contexts."""
    batch = batch_over_balance * float(roofline.balance_batch(balance_ratio=balance_ratio, expansion=expansion))
    work = {
        "batch": batch,
        "active_params": 1.0,
        "weight_bytes": expansion,
        "kv_bytes_per_sequence": 0.0,
        "flop_per_s": roofline.FLOP_PER_PARAM * balance_ratio,
        "hbm_bytes_per_s": 1.0,
    }
    return float(roofline.serial_step_time_s(**work)) / float(roofline.step_time_s(**work))


def _other_batches() -> Iterable[Step]:
    yield step("half the balance batch", batch_over_balance=0.5)
    yield step("twice the balance batch", batch_over_balance=2.0)


def _read_s(
    *,
    batch: float,
    total_params: float,
    bytes_per_param: float,
    context_tokens: float,
    kv_bytes_per_token: float,
    chips: float,
    hbm_bytes_per_s: float,
) -> float:
    found = roofline.memory_time_s(
        batch=batch,
        weight_bytes=total_params * bytes_per_param,
        kv_bytes_per_sequence=context_tokens * kv_bytes_per_token,
        hbm_bytes_per_s=chips * hbm_bytes_per_s,
    )
    return float(found)


def read_over_written(
    *, batch: float, total_params: float, bytes_per_param: float, context_tokens: float, kv_bytes_per_token: float
) -> float:
    """Weights and contexts that a decode step reads, over the keys and values that it adds."""
    work = {"batch": batch, "bytes_per_param": bytes_per_param, "kv_bytes_per_token": kv_bytes_per_token}
    at = {"chips": 1.0, "hbm_bytes_per_s": 1.0}
    written = _read_s(total_params=0.0, context_tokens=1.0, **work, **at)
    return _read_s(total_params=total_params, context_tokens=context_tokens, **work, **at) / written


def _floor_s(
    *, total_params: float, bytes_per_param: float, read_fraction: float, chips: float, hbm_bytes_per_s: float
) -> float:
    return _read_s(
        batch=1,
        total_params=total_params * read_fraction,
        bytes_per_param=bytes_per_param,
        context_tokens=0,
        kv_bytes_per_token=0,
        chips=chips,
        hbm_bytes_per_s=hbm_bytes_per_s,
    )


def own_weights() -> Iterable[Step]:
    """Steps from the board's weights to those that a step of DeepSeek-V3 reads."""
    terms = controls.terms(fleet.facts(MACHINE))
    yield step("DeepSeek-V3's parameters, without the embedding that is looked up", total_params=terms.params)
    yield step("the formats of its checkpoint", bytes_per_param=terms.bytes_per_param)


def _own_machine() -> Iterable[Step]:
    yield from own_weights()
    yield step("a GB200's memory", hbm_bytes_per_s=load_machine(MACHINE).chip.hbm_bytes_per_s)


def _own_machine_and_context() -> Iterable[Step]:
    yield from own_context()
    yield step("a GB200's memory", hbm_bytes_per_s=load_machine(MACHINE).chip.hbm_bytes_per_s)


def own_context() -> Iterable[Step]:
    """Steps from the board's weights and contexts to those of DeepSeek-V3's fleet."""
    yield from own_weights()
    yield step("the KV cache of its latent attention", kv_bytes_per_token=controls.kv_bytes(fleet.facts(MACHINE)))
    yield step("the mean context of its fleet", context_tokens=fleet.MEAN_CONTEXT_TOKENS)


def _wider() -> Iterable[Step]:
    yield step("weights of 16 bits", bytes_per_param=2.0)


def _alone() -> Iterable[Step]:
    terms = controls.terms(fleet.facts(MACHINE))
    read = experts.read_fraction(expert_share=terms.expert_share, expansion=terms.expansion, tokens=1)
    yield step("one sequence alone, which activates 8 of 256 experts", read_fraction=float(read))


def _on_one_chip() -> Iterable[Step]:
    facts = fleet.facts("h100-sxm")
    terms = controls.terms(facts)
    yield step("the parameters that a token is multiplied with, not the embedding", active_params=terms.active_params)
    yield step(
        "an H100's peak in the formats of the checkpoint", flop_per_s=terms.flop_per_s / facts.machine.scale_up_chips
    )


def _published_params(*, model: str) -> float:
    return float(total_params(load_model(model)))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "A1",
        "0:03:16",
        "A decode step takes at least as long as its arithmetic and at least as long as its memory reads; the longer"
        " of the two is the bound.",
        computed="step time over that bound at the balance batch, if arithmetic and reads do not overlap",
        equation=roofline.serial_step_time_s,
        compute=_without_overlap,
        inputs={"batch_over_balance": filled_in(1.0), "balance_ratio": BALANCE_RATIO, "expansion": EXPANSION},
        further=_other_batches,
        verdict=Verdict.REPRODUCES,
        what="times the bound if nothing overlaps",
        given="at the balance batch, without contexts",
        answer="without any overlap a step takes at most {ours} times that bound",
        why="The bound assumes that arithmetic and reads overlap perfectly. Without any overlap a step takes their sum,"
        " at most twice the bound.",
    ),
    claim(
        "A2",
        "0:03:45",
        "The arithmetic of one token takes its active parameters divided by the chip's rate.",
        computed="time of one token's arithmetic on one chip",
        equation=roofline.compute_time_s,
        inputs={
            "tokens": filled_in(1.0),
            "active_params": ACTIVE_PARAMS,
            "flop_per_s": filled_in(roofline.FLOP_PER_PARAM * float(MULTIPLIES_PER_S)),
        },
        careful=_on_one_chip,
        careful_of="deepseek-v3 on one chip of h100-sxm",
        verdict=Verdict.DEPENDS,
        what="for one token on one chip",
        answer="the rate counts multiply-accumulates, each 2 FLOP of a data sheet: then one token takes {ours} on"
        " one chip",
        why="It depends on what the rate counts. The board's FLOP is one multiplication, as he says at 0:17:00. A"
        " data sheet counts the multiplication and the addition, so each parameter takes 2 FLOP.",
        unit="s",
    ),
    claim(
        "A3",
        "0:05:00",
        "A decode step reads all weights, and every sequence's context, at the memory's bandwidth.",
        computed="time to read both for 2,400 sequences of 20,000 tokens",
        equation=roofline.memory_time_s,
        compute=_read_s,
        inputs={
            "batch": BALANCE_BATCH,
            "total_params": BOARD_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "context_tokens": SHORT_TOKENS,
            "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
            "chips": CHIPS,
            "hbm_bytes_per_s": HBM_BYTES_PER_S,
        },
        given=f"with weights of {READ_ON}",
        careful=_own_machine_and_context,
        further=_wider,
        careful_of=f"deepseek-v3 on {MACHINE}, 2,400 sequences at its fleet's mean context",
        verdict=Verdict.DEPENDS,
        what="to read both for 2,400 sequences of 20,000 tokens",
        answer="a parameter takes one byte: then {batch} sequences of {context_tokens:3} tokens take {ours:3}. Weights"
        " of 16 bits take twice as long to read",
        why="It depends on the format of the weights. The board counts a byte per parameter, which is true of 8-bit"
        " weights. 16-bit weights take twice as long to read.",
        unit="s",
    ),
    claim(
        "A5",
        "0:04:52",
        "DeepSeek-V3 has about 700 billion parameters.",
        lecture=said(700e9, "0:04:52", hedge="about"),
        equation=total_params,
        compute=_published_params,
        inputs={"model": filled_in(fleet.MODEL)},
        verdict=Verdict.ROUNDED,
        answer="{ours:3}, by its report and by adding up its matrices",
        why="671 billion, by its report and by adding up its matrices, without the layer that predicts a second token."
        " 37 billion of them are active, as he says.",
        unit="params",
        tolerance=0.05,  # rounded to one digit
    ),
    claim(
        "A6",
        "0:09:54",
        "No decode step is shorter than one read of all parameters.",
        computed="time of that reading",
        equation=roofline.memory_time_s,
        compute=_floor_s,
        inputs={
            "total_params": BOARD_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "read_fraction": filled_in(1.0),
            "chips": CHIPS,
            "hbm_bytes_per_s": HBM_BYTES_PER_S,
        },
        careful=_own_machine,
        further=_alone,
        careful_of=f"deepseek-v3 on {MACHINE}",
        verdict=Verdict.REPRODUCES,
        what="to read all parameters",
        given=READ_ON,
        answer="one such read takes {ours:3}, once a batch activates nearly every expert",
        why="True once the batch activates nearly every expert, from about a hundred sequences on. A single sequence"
        " reads only its active parameters.",
        unit="s",
    ),
)
