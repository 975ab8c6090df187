"""Claims on what a network need not keep, and on memory against compute: 2:12 to 2:14."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import (
    ACTIVE_PARAMS,
    KV_BYTES_PER_TOKEN,
    NEXT_FLOP_PER_S,
    NEXT_HBM_BYTES,
    REACHED_FRACTION,
    USD_PER_CHIP_S,
)
from ridgeline.catalog import load_model
from ridgeline.equations import activations, caching, training
from ridgeline.estimator.parameters import total_params
from ridgeline.specs.attention import GroupedQueryAttention

__all__ = ["CLAIMS"]

OPTIMIZER_BYTES_PER_PARAM = 16.0
"""Weights and gradients in 16 bits, master weights and two moments in 32: Rajbhandari et al. 2019."""

GPT3, SEQUENCE_TOKENS = "gpt3-175b", 2048.0
"""GPT-3, and the length of its training sequences in tokens: Brown et al. 2020, section 2.1."""

FIVE_MINUTES_S = said(300.0, "1:59:45")
MACHINE = "h100-sxm"
DEPTH = 64.0


def _depth_ratio(*, layers: float, reversible_fraction: float) -> float:
    """Peak of a stack over that of one half as deep."""
    deep, half = (
        float(activations.partly_reversible_peak_layers(layers=count, reversible_fraction=reversible_fraction))
        for count in (layers, layers / 2)
    )
    return deep / half


def _plain() -> Iterable[Step]:
    yield step("no layer reversible", reversible_fraction=0.0)


def _sequences_to_outweigh(
    *, model: str, sequence_tokens: float, bytes_per_param: float, stored_scores_fraction: float
) -> float:
    """Sequences whose activations are as large as a model's weights, gradients and optimizer."""
    found = load_model(model)
    kind = found.groups[0].attention
    if not isinstance(kind, GroupedQueryAttention):
        raise TypeError(f"{model} has {type(kind).__name__}; take a model of plain heads, as {GPT3}")
    one = activations.activation_bytes(
        sequence_tokens=sequence_tokens,
        sequences=1,
        hidden=found.hidden,
        heads=stored_scores_fraction * kind.query_heads,
        layers=found.layers,
    )
    return float(bytes_per_param * total_params(found) / one)


def _fused() -> Iterable[Step]:
    yield step("attention that never stores its scores", stored_scores_fraction=0.0)


def _again_over_held(
    *,
    active_params: float,
    flop_per_s: float,
    reached_fraction: float,
    kv_bytes_per_token: float,
    capacity_bytes: float,
    held_s: float,
    usd_per_chip_s: float,
) -> float:
    """Dollars to make a token's cache again, over those to hold it in HBM; of one chip, whose price falls out."""
    again = caching.recompute_usd_per_token(
        active_params=active_params, flop_per_s=reached_fraction * flop_per_s, usd_per_chip_s=usd_per_chip_s
    )
    a_second = caching.hold_usd_per_token_s(
        kv_bytes_per_token=kv_bytes_per_token, capacity_bytes=capacity_bytes, usd_per_s=usd_per_chip_s
    )
    return float(again / caching.cost_usd(retrieve_usd=0, hold_usd_per_s=a_second, held_s=held_s))


def _deepseek() -> Iterable[Step]:
    facts = fleet.facts(MACHINE)
    terms, machine = controls.terms(facts), facts.machine
    yield step("DeepSeek-V3's active parameters", active_params=terms.active_params)
    yield step("its keys and values of a token", kv_bytes_per_token=controls.kv_bytes(facts))
    yield step("an H100's arithmetic", flop_per_s=terms.flop_per_s / machine.scale_up_chips)
    yield step("an H100's memory", capacity_bytes=machine.chip.hbm_bytes)


def _recomputed_over_stored(*, reversible_fraction: float) -> float:
    """FLOP of a trained token, a part of the layers run forward a second time, over those without."""
    again, stored = (
        float(training.rl_flop_per_param(trained_fraction=1.0, repeated_forward_fraction=part))
        for part in (reversible_fraction, 0.0)
    )
    return again / stored


def _half_reversible() -> Iterable[Step]:
    yield step("half of the layers reversible", reversible_fraction=0.5)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "E3",
        "2:12:40",
        "A reversible stack of layers need not store activations.",
        computed="what a stack of twice the depth holds, over before",
        lecture=implied(1.0, "2:12:40"),
        equation=activations.partly_reversible_peak_layers,
        compute=_depth_ratio,
        inputs={"layers": DEPTH, "reversible_fraction": implied(1.0, "2:12:40")},
        careful=_plain,
        contrast="a plain stack",
        verdict=Verdict.REPRODUCES,
        what="times the memory at twice the depth",
        exactly={1.0: "no more memory at twice the depth", 2.0: "twice the memory at twice the depth"},
        answer="it takes {ours}",
        why="One layer's pair at any depth, in exchange for a second forward pass: 8 FLOP a parameter and token instead"
        " of 6.",
    ),
    claim(
        "E4",
        "2:12:20",
        "Activations can be the largest part of training's memory.",
        computed="sequences from which on they are, for GPT-3",
        equation=activations.activation_bytes,
        compute=_sequences_to_outweigh,
        inputs={
            "model": filled_in(GPT3),
            "sequence_tokens": SEQUENCE_TOKENS,
            "bytes_per_param": OPTIMIZER_BYTES_PER_PARAM,
            "stored_scores_fraction": 1.0,
        },
        careful=_fused,
        careful_of=f"{GPT3} with fused attention",
        verdict=Verdict.REPRODUCES,
        what="sequences until activations are the largest part",
        answer="for GPT-3 they are, from {ours} sequences on if attention's scores are stored, too, or from {careful}"
        " if not",
        why="Some ten sequences of 2,048 tokens outweigh all weights, gradients and the optimizer, or some thirty where"
        " no scores are stored, if nothing is computed again.",
    ),
    claim(
        "E9",
        "2:13:33",
        "Spending memory to save compute generally pays, given where hardware is.",
        computed="cost of computing a token's cache again, over that of holding it in HBM for five minutes",
        equation=caching.recompute_usd_per_token,
        compute=_again_over_held,
        inputs={
            "active_params": ACTIVE_PARAMS,
            "flop_per_s": NEXT_FLOP_PER_S,
            "reached_fraction": REACHED_FRACTION,
            "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
            "capacity_bytes": NEXT_HBM_BYTES,
            "held_s": FIVE_MINUTES_S,
            "usd_per_chip_s": USD_PER_CHIP_S,
        },
        careful=_deepseek,
        careful_of=f"deepseek-v3 on {MACHINE}",
        verdict=Verdict.DEPENDS,
        what="times as much to compute a cache again as to hold it for five minutes",
        answer="a token keeps as little as {kv_bytes_per_token:bytes}: then computing its cache again costs {ours}"
        " times as much as holding it for {held_s:duration}. For DeepSeek-V3 on an H100 it costs {careful} times",
        why="It depends on bytes a token and on the memory. With his 2 kB, holding is far cheaper. DeepSeek-V3's 70 kB"
        " are worth holding in an H100's HBM for under two minutes, and for longer only in a cheaper memory.",
    ),
    claim(
        "E12",
        "2:13:20",
        "A reversible network spends arithmetic to save memory, since on its way back it undoes each layer in turn.",
        computed="its training FLOP over those of a network that stores its activations",
        equation=training.rl_flop_per_param,
        compute=_recomputed_over_stored,
        inputs={"reversible_fraction": implied(1.0, "2:13:20")},
        further=_half_reversible,
        verdict=Verdict.REPRODUCES,
        what="times the training FLOP",
        answer="it takes {ours:3} times the training FLOP, for memory that does not grow with depth",
        why="Each layer's function runs twice, once forward and once more on the way back: two passes forward beside"
        " one backward, 8 FLOP a parameter and token instead of 6. He gives no number.",
    ),
)
