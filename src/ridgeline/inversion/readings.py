"""The lecture's readings of a price list: the same inference with his assumptions pinned, beside the joint posterior.

He reads one number from one price: bytes a token from where the list steps, how far decode is bound by memory from
output over input, where caches wait from how long they are sold. Each needs the others' assumptions, and two of them
contradict each other.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import partial

from frozendict import frozendict

from ridgeline.caching.envelope import nearest_drain
from ridgeline.caching.tiers import Ownership, hbm_tier, offered, tier_of
from ridgeline.callbacks import Progress, no_progress
from ridgeline.catalog import load_machine
from ridgeline.catalog.quote import Quote
from ridgeline.catalog.storage import storage_devices
from ridgeline.equations import pricing
from ridgeline.errors import RidgelineError
from ridgeline.inversion.assumed import Assumed
from ridgeline.inversion.evidence import Evidence
from ridgeline.inversion.infer import BOARD, Inference, infer, sampled
from ridgeline.inversion.intervals import Interval
from ridgeline.inversion.likelihood import CROSSOVER, MEANINGS
from ridgeline.seconds import HOUR_S

__all__ = ["BOARD_ASSUMES", "Reading", "Readings", "readings"]

ACTIVE_PARAMS, BYTES_PER_PARAM, BALANCE_RATIO, CONTEXT_TOKENS = 100e9, 1.0, 300.0, 20e3
"""Numbers that he assumes on the board: 1:37 and 1:45; 8-bit weights are what gives his 1,667 bytes."""

BOARD_ASSUMES = Assumed(
    values=frozendict(
        active_params=ACTIVE_PARAMS,
        read_fraction=1.0,
        prefill_fraction=1.0,
        decode_fraction=1.0,
        utilisation_fraction=1.0,
        context_tokens=CONTEXT_TOKENS,
        chip_price_ratio=1.0,
        byte_price_ratio=1.0,
    ),
    has_one_margin=True,
    meaning=MEANINGS[CROSSOVER],
)
"""Board's assumptions for an inference: no efficiency, one margin for all lines, and a step that is a crossover."""

LARGE_BATCH = dataclasses.replace(BOARD_ASSUMES, has_large_batch=True)
"""Board's assumptions for his reading of a step: a batch so large that weights do not matter."""

SMALL_CACHES = dataclasses.replace(
    BOARD_ASSUMES, values=frozendict({**BOARD_ASSUMES.values, "kv_bytes_per_token": 1.0})
)
"""Board's assumptions for his reading of an output price: caches that take no time to read."""

BOTH = ("input", "output")
"""Lines that he reads one from another."""

INFERENCES = 3
"""Inferences that the readings of a list take, beside those that only ask how likely prices are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One number that is read from one price.

    Attributes:
        name: name of the unknown.
        said: sentence on what is read from what.
        by_formula: value by the board's equation.
        pinned: interval by inference from that price alone, with his assumptions.
        joint: interval by inference from all prices, with none of his assumptions.
    """

    name: str
    said: str
    by_formula: float
    pinned: Interval
    joint: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """All that he reads from a list.

    Attributes:
        step: bytes a token from the step of the list; None where it has none.
        decode: batch over the balance batch from output over input, where caches take no time; None where output costs
            no more than input.
        decode_with_caches: batch over the balance batch where nothing is known of caches; None as for ``decode``.
        tiers: times that caches are sold for, s, each with the tier whose drain time is nearest.
        together_factor: chance of both prices together over that of each by itself, with his assumptions and one
            batch: below 1 where they contradict; None where the list lacks one of them.
        batch_for_both: batch over the balance batch at which output costs as much over input, if the step is where
            reading overtakes arithmetic at a large batch (D7); below 1 no context is a crossover. None as above.
    """

    step: Reading | None
    decode: Reading | None
    decode_with_caches: Reading | None
    tiers: tuple[tuple[float, str], ...]
    together_factor: float | None
    batch_for_both: float | None


def readings(
    quote: Quote,
    evidence: Evidence,
    joint: Inference,
    *,
    seed: int = 0,
    is_preview: bool = False,
    told: Progress = no_progress,
) -> Readings:
    """The lecture's readings of a list.

    Args:
        quote: the price list.
        evidence: evidence of the list.
        joint: inference from the whole list.
        seed: seed of the draws.
        is_preview: whether to take quasi-random guesses in place of a walk.
        told: callback that takes the number of further ``INFERENCES`` that are done.
    """
    # On the board's chip, an H100 in 8 bits: its ratio is 295.
    board = dataclasses.replace(evidence, provider=BOARD, multipliers=())

    def drawn(lines: tuple[str, ...], assumed: Assumed, *, with_step: bool) -> Inference:
        found = infer(_only(board, lines, with_step=with_step), assumed=assumed, seed=seed, is_preview=is_preview)
        told(1)
        return found

    ratio = evidence.usd["output"] / evidence.usd["input"]
    step = None if evidence.step is None else evidence.step.threshold_tokens
    by_step = None if step is None else drawn(("input",), LARGE_BATCH, with_step=True)
    by_output = drawn(BOTH, SMALL_CACHES, with_step=False) if ratio > 1 else None
    with_caches = drawn(BOTH, BOARD_ASSUMES, with_step=False) if ratio > 1 else None
    factor = batch = None
    if step is not None and with_caches is not None:
        factor = _together(board, with_caches, seed)
        batch = pricing.balance_batches_at_ratio(ratio=ratio, context_tokens=CONTEXT_TOKENS, crossover_tokens=step)
    return Readings(
        step=None if by_step is None or step is None else _step_reading(step, by_step, joint),
        decode=None if by_output is None else _decode_reading(ratio, by_output, joint, "caches take no time"),
        decode_with_caches=None
        if with_caches is None
        else _decode_reading(ratio, with_caches, joint, "caches are not known"),
        tiers=_tiers(quote),
        together_factor=factor,
        batch_for_both=None if batch is None else float(batch),
    )


def _together(board: Evidence, by_output: Inference, seed: int) -> float:
    """Chance of a step and an output price together over that of each, all of one batch that is not known."""
    quick = partial(sampled, assumed=BOARD_ASSUMES, seed=seed, is_preview=True)
    both = quick(_only(board, BOTH, with_step=True)).first.log_evidence
    step = quick(_only(board, ("input",), with_step=True)).first.log_evidence
    alone = quick(_only(board, ("input",), with_step=False)).first.log_evidence
    return math.exp(both + alone - step - by_output.log_evidence)


def _only(evidence: Evidence, lines: tuple[str, ...], *, with_step: bool) -> Evidence:
    """Evidence of some lines of a list, and nothing of other models."""
    kept = {name: usd for name, usd in evidence.usd.items() if name in lines}
    step = None if evidence.step is None or not with_step else dataclasses.replace(evidence.step, shared_by=1)
    return dataclasses.replace(evidence, usd=kept, step=step)


def _step_reading(threshold_tokens: float, pinned: Inference, joint: Inference) -> Reading:
    """Reading of the bytes a token from the step."""
    by_formula = pricing.kv_bytes_at_crossover(
        active_params=ACTIVE_PARAMS,
        bytes_per_param=BYTES_PER_PARAM,
        balance_ratio=BALANCE_RATIO,
        context_tokens=threshold_tokens,
    )
    name = "read_bytes_per_token"
    return Reading(
        name=name,
        said=f"bytes a token from a step at {threshold_tokens:,.0f} tokens",
        by_formula=float(by_formula),
        pinned=pinned.unknown(name).posterior,
        joint=joint.unknown(name).posterior,
    )


def _decode_reading(ratio: float, pinned: Inference, joint: Inference, caches: str) -> Reading:
    """Reading of the batch over the balance batch from output over input."""
    found = pricing.balance_batches_at_ratio(ratio=ratio, context_tokens=0.0, crossover_tokens=1.0)
    name = "balance_batches"
    return Reading(
        name=name,
        said=f"batch over the balance batch from output at {ratio:.3g} times input, where {caches}",
        by_formula=float(found),
        pinned=pinned.unknown(name).posterior,
        joint=joint.unknown(name).posterior,
    )


def _tiers(quote: Quote) -> tuple[tuple[float, str], ...]:
    """Tier with the nearest drain time for each time that caches are sold for, as he matches them (D15)."""
    machine = load_machine("h100-sxm")
    if machine.tariff is None:
        raise RidgelineError("h100-sxm has no price of a chip in the catalog, by which its HBM is a tier")
    taken, _ = offered(storage_devices(), machine)
    tiers = [hbm_tier(machine, machine.tariff.usd_per_chip_s)]
    tiers += [tier_of(one, f"{one.tier} ({key})", key, machine, Ownership()) for key, one in taken.items() if one.usd]
    drains_s = {one.name: one.drain_s for one in tiers if one.drain_s is not None}
    sold = {quote.write_hold_s, HOUR_S if quote.prices.cache_write_1h is not None else None} - {None}
    return tuple((held_s, nearest_drain(drains_s, held_s)) for held_s in sorted(one for one in sold if one))
