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

from ridgeline.caching.envelope import nearest_drain
from ridgeline.caching.tiers import Ownership, hbm_tier, offered, tier_of
from ridgeline.catalog import load_machine
from ridgeline.catalog.quotes import Quote
from ridgeline.catalog.storage import storage_devices
from ridgeline.equations import pricing
from ridgeline.inversion.evidence import Evidence
from ridgeline.inversion.infer import Inference, infer
from ridgeline.inversion.intervals import Interval
from ridgeline.inversion.likelihood import CROSSOVER

__all__ = ["Reading", "Readings", "readings"]

ACTIVE_PARAMS, BYTES_PER_PARAM, BALANCE_RATIO, CONTEXT_TOKENS = 100e9, 1.0, 300.0, 20e3
"""What he assumes on the board: 1:37 and 1:45; 8-bit weights are what gives his 1,667 bytes."""

PINNED = {
    "active_params": ACTIVE_PARAMS,
    "read_fraction": 1.0,
    "prefill_fraction": 1.0,
    "decode_fraction": 1.0,
    "utilisation_fraction": 1.0,
    "context_tokens": CONTEXT_TOKENS,
    "chip_price_ratio": 1.0,
    "byte_price_ratio": 1.0,
    "line_margins": 1.0,
    "meaning": float(CROSSOVER),
}
"""The same as pins: no efficiency, one margin for all lines, and a step that is a crossover."""

HOUR_S = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One number that is read from one price.

    Attributes:
        name: of the unknown.
        said: what is read from what.
        by_formula: by the board's equation.
        pinned: by inference from that price alone, with his assumptions.
        joint: by inference from all prices, with none of them.
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
        decode: batch over the balance batch from output over input; None where that is not above 1.
        tiers: times that caches are sold for, s, each with the tier whose drain time is nearest.
        together: the batch over the balance batch, from both at once; None where one of them is not there.
        together_factor: chance of both prices together over that of each by itself, with his assumptions: below 1 where
            they contradict.
        batch_for_both: the one batch over the balance batch at which both hold (D7); None where one is not there.
    """

    step: Reading | None
    decode: Reading | None
    tiers: tuple[tuple[float, str], ...]
    together: Interval | None
    together_factor: float | None
    batch_for_both: float | None


def readings(
    quote: Quote, evidence: Evidence, joint: Inference, *, seed: int = 0, is_preview: bool = False
) -> Readings:
    """The lecture's readings of a list.

    Args:
        quote: the list.
        evidence: what is taken of it.
        joint: inference from all of it.
        seed: of the draws.
        is_preview: whether quasi-random guesses do.
    """
    draw = partial(infer, pins=PINNED, seed=seed, is_preview=is_preview)
    # On the board's chip, an H100 in 8 bits: its ratio is 295.
    board = dataclasses.replace(evidence, provider="lecture", multipliers=())
    ratio = evidence.usd["output"] / evidence.usd["input"]
    inputs = _only(board, ("input",), with_step=False)
    by_step = by_output = both = None
    if evidence.step is not None:
        alone = _only(dataclasses.replace(board, step=dataclasses.replace(evidence.step, shared_by=1)), ("input",))
        by_step = draw(alone)
    if ratio > 1:
        by_output = draw(_only(board, ("input", "output"), with_step=False))
    if by_step is not None and by_output is not None and evidence.step is not None:
        with_both = dataclasses.replace(board, step=dataclasses.replace(evidence.step, shared_by=1))
        both = draw(_only(with_both, ("input", "output")))
    step = None if evidence.step is None else evidence.step.threshold_tokens
    return Readings(
        step=None if by_step is None or step is None else _step_reading(step, by_step, joint),
        decode=None if by_output is None else _decode_reading(ratio, by_output, joint),
        tiers=_tiers(quote),
        together=None if both is None else both.unknown("balance_batches").posterior,
        together_factor=None
        if both is None or by_step is None or by_output is None
        else math.exp(
            both.log_evidence
            + infer(inputs, pins=PINNED, seed=seed, is_preview=True).log_evidence
            - by_step.log_evidence
            - by_output.log_evidence
        ),
        batch_for_both=None
        if both is None or step is None
        else float(pricing.balance_batches_at_ratio(ratio=ratio, context_tokens=CONTEXT_TOKENS, crossover_tokens=step)),
    )


def _only(evidence: Evidence, lines: tuple[str, ...], *, with_step: bool = True) -> Evidence:
    """A part of what a list says."""
    kept = {name: usd for name, usd in evidence.usd.items() if name in lines}
    return dataclasses.replace(evidence, usd=kept, step=evidence.step if with_step else None)


def _step_reading(threshold_tokens: float, pinned: Inference, joint: Inference) -> Reading:
    """Bytes a token from the step."""
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


def _decode_reading(ratio: float, pinned: Inference, joint: Inference) -> Reading:
    """Batch over the balance batch from output over input, where caches are small."""
    found = pricing.balance_batches_at_ratio(ratio=ratio, context_tokens=0.0, crossover_tokens=1.0)
    name = "balance_batches"
    return Reading(
        name=name,
        said=f"batch over the balance batch from output at {ratio:.3g} times input, small caches",
        by_formula=float(found),
        pinned=pinned.unknown(name).posterior,
        joint=joint.unknown(name).posterior,
    )


def _tiers(quote: Quote) -> tuple[tuple[float, str], ...]:
    """For each time that caches are sold for, the tier with the nearest drain time, as he matches them (D15)."""
    machine = load_machine("h100-sxm")
    usd_per_chip_s = 0.0 if machine.tariff is None else machine.tariff.usd_per_chip_s
    taken, _ = offered(storage_devices(), machine)
    tiers = [hbm_tier(machine, usd_per_chip_s)]
    tiers += [tier_of(one, f"{one.tier} ({key})", key, machine, Ownership()) for key, one in taken.items() if one.usd]
    drains_s = {one.name: one.drain_s for one in tiers if one.drain_s is not None}
    sold = {quote.write_hold_s, HOUR_S if quote.prices.cache_write_1h is not None else None} - {None}
    return tuple((held_s, nearest_drain(drains_s, held_s)) for held_s in sorted(one for one in sold if one))
