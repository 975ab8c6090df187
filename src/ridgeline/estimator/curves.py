"""The board's two plots: time and cost of a decode step over its batch, with a layout's estimate beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations import pricing, roofline
from ridgeline.estimator.bounds import Bounds, bounds_of
from ridgeline.estimator.capacity import largest_that_fits
from ridgeline.estimator.memory import kv_capacity_tokens, pass_memory
from ridgeline.estimator.parameters import kv_bytes_read
from ridgeline.estimator.pass_interval import pass_interval
from ridgeline.estimator.terms import Terms, read_weight_bytes, terms_of
from ridgeline.estimator.timed import time_step, timed_operations
from ridgeline.numeric import Numeric
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Lane, Pass

__all__ = ["BatchCurves", "Lines", "Planned", "batch_curves", "decode_curves"]

Grid = NDArray[np.float64]

POINTS = 240
"""Number of batches on a curve, more than a picture can resolve, so that its corners stay sharp."""
BEYOND = 1.6
"""End of the grid over the last batch that is marked, so that its mark has room."""
FARTHEST_BALANCE = 10
"""Largest balance batch shown, over the sequences that there is room for; one further out would squeeze all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The lines of one picture, in the unit of the field that holds them.

    Attributes:
        compute: line of the arithmetic alone, over the board's batches.
        kv: line of KV reads alone.
        weights: line of weight reads alone; of routed experts, those that the step's tokens touch.
        bound: line of the whole step, the larger of computing and reading: a lower bound at peak rates.
        floor: lower bound on time, from a step that reads every weight; on cost, the infimum of ``bound``.
        estimate: line of the layout's estimate, over its own batches.
        estimate_low: lower end of the estimate's 80 % interval.
        estimate_high: upper end of the estimate's 80 % interval.
    """

    compute: Grid
    kv: Grid
    weights: Grid
    bound: Grid
    floor: float
    estimate: Grid
    estimate_low: Grid
    estimate_high: Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan at the batch that is marked.

    Attributes:
        batch: requests in flight, those in prefill included.
        step_s: time of a decode step, s.
        tpot_s: time per output token, other requests' prefills included, s.
        usd_per_output_token: cost of an output token, the time included in which chips wait, $; None without a price.
    """

    batch: float
    step_s: float
    tpot_s: float
    usd_per_output_token: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchCurves:
    """Time and cost of a decode step over its batch, for one replica of a layout.

    Attributes:
        deployment: deployment that is served; the board's lines are for its layout's chips and copies of KV cache, too.
        step: the decode step asked for; its batch is the one that the picture marks.
        usd_per_chip_s: price of a chip; None where there is none.
        price_label: source of the price.
        bounds: the board's numbers for the chips of the replica and its copies of KV cache.
        room_sequences: whole sequences at their longest that the replica's chips have room for beside the step that was
            asked for, whatever the engine admits. A step of more sequences leaves up to 1 % less.
        kv_copies: KV bytes that all chips read over those of one copy, 1 where the layout keeps nothing twice.
        batch: the board's batches, from 1 to beyond what fits.
        balance: index in ``batch`` at which computing takes as long as reading; None where it is out of range.
        estimate_batch: the layout's batches, from one sequence per group to the last that fits.
        asked: index in ``estimate_batch`` of the step that was planned or asked for.
        asked_batch: label of its mark: the batch asked for, or that of a plan, some of which are in prefill.
        asked_step_s: label of its mark: the step's time, s; of a plan between whole batches, whose estimate has edges.
        tpot_s: time per output token there, other requests' prefills included, s; None where only the step is known.
        paid_usd_per_output_token: cost of an output token there, the time included in which chips wait, $; None where
            only the step is known, and without a price.
        time_s: times of the step, s.
        chip_s_per_output_token: chip-time per output token, chip-s.
        usd_per_output_token: cost per output token, $; None without a price.
    """

    deployment: Deployment
    step: Lane
    usd_per_chip_s: float | None
    price_label: str
    bounds: Bounds
    room_sequences: int
    kv_copies: float
    batch: Grid
    balance: int | None
    estimate_batch: Grid
    asked: int
    asked_batch: float
    asked_step_s: float
    tpot_s: float | None
    paid_usd_per_output_token: float | None
    time_s: Lines
    chip_s_per_output_token: Lines
    usd_per_output_token: Lines | None


def decode_curves(deployment: Deployment, step: Pass) -> BatchCurves:
    """Curves of one decode step, at the catalog's price, up to its largest batch that fits.

    Args:
        deployment: deployment whose layout divides model and machine, and has memory for the step.
        step: decode step of one lane, with a number as batch.
    """

    def free_bytes(sequences: int) -> float:
        return float(pass_memory(deployment, _of_batch(step, sequences * deployment.layout.dp)).free_bytes)

    tariff = deployment.machine.tariff
    return batch_curves(
        deployment,
        step,
        most_sequences=largest_that_fits(free_bytes),
        held_tokens=float(step.only_lane.context_tokens),
        usd_per_chip_s=None if tariff is None else tariff.usd_per_chip_s,
        price_label="no price known" if tariff is None else tariff.label,
    )


def _of_batch(step: Pass, batch: Numeric) -> Pass:
    """The step with another batch."""
    return Pass(lanes=(dataclasses.replace(step.only_lane, sequences=batch),))


def batch_curves(
    deployment: Deployment,
    step: Pass,
    *,
    most_sequences: int,
    held_tokens: float,
    usd_per_chip_s: float | None,
    price_label: str,
    steps_per_output_token: float = 1.0,
    planned: Planned | None = None,
) -> BatchCurves:
    """The board's lines and the layout's over a logarithmic grid of batches.

    Args:
        deployment: deployment of one replica.
        step: decode step of one lane, with the positions in the context and the batch to mark.
        most_sequences: sequences that fit each group of ``dp``.
        held_tokens: tokens whose keys and values a sequence keeps at its longest.
        usd_per_chip_s: price of a chip; None where there is none.
        price_label: source of the price.
        steps_per_output_token: decode steps per output token; below 1 where reading the prompt gives the first.
        planned: numbers of the plan whose step is marked; left out, the step is alone.
    """
    layout = deployment.layout
    chips = layout.chips
    numbers = bounds_of(
        deployment,
        step,
        chips=chips,
        held_tokens=held_tokens,
        usd_per_chip_s=usd_per_chip_s,
        steps_per_output_token=steps_per_output_token,
        attention_tp=layout.attention_tp,
    )
    room = kv_capacity_tokens(deployment, pass_memory(deployment, step), held_tokens=held_tokens)
    room_sequences = most_sequences * layout.dp if room is None else int(room / held_tokens)
    asked_batch = float(step.only_lane.sequences)
    balance_batch = _balance_batch_shown(numbers, room_sequences)
    last = BEYOND * max(asked_batch, room_sequences, balance_batch or 1.0)
    # The corner of the bound is one of its points.
    batch = np.union1d(np.geomspace(1.0, last, POINTS), [] if balance_batch is None else [balance_batch])
    estimate_batch = np.union1d(_whole_numbers(most_sequences) * layout.dp, [asked_batch])
    asked = int(np.searchsorted(estimate_batch, asked_batch))
    terms = terms_of(
        deployment.model,
        deployment.machine.chip,
        chips=chips,
        precision=deployment.precision,
        step=step,
        attention_tp=layout.attention_tp,
    )
    kept_once = float(kv_bytes_read(deployment.model, deployment.precision, step.only_lane))
    steps = _of_batch(step, estimate_batch)
    operations = timed_operations(deployment, steps)
    factors = pass_interval(deployment, steps, operations)
    weight_bytes = read_weight_bytes(deployment.model, deployment.precision, tokens=batch)
    time_s = _time_lines(terms, batch, np.asarray(weight_bytes), time_step(operations)[0], factors)

    def per_output_token(usd_per_chip_s: float) -> Lines:
        def cost(step_time_s: Grid, tokens: Grid) -> Grid:
            return np.asarray(
                pricing.usd_per_token(
                    time_s=step_time_s * steps_per_output_token,
                    chips=chips,
                    tokens=tokens,
                    usd_per_chip_s=usd_per_chip_s,
                )
            )

        return _cost_lines(time_s, cost, batch, estimate_batch)

    return BatchCurves(
        deployment=deployment,
        step=step.only_lane,
        usd_per_chip_s=usd_per_chip_s,
        price_label=price_label,
        bounds=numbers,
        room_sequences=room_sequences,
        kv_copies=terms.kv_bytes_per_sequence / kept_once,
        batch=batch,
        balance=None if balance_batch is None else int(np.searchsorted(batch, balance_batch)),
        estimate_batch=estimate_batch,
        asked=asked,
        asked_batch=asked_batch if planned is None else planned.batch,
        asked_step_s=float(time_s.estimate[asked]) if planned is None else planned.step_s,
        tpot_s=None if planned is None else planned.tpot_s,
        paid_usd_per_output_token=None if planned is None else planned.usd_per_output_token,
        time_s=time_s,
        # At a price of one, costs are in chip-seconds.
        chip_s_per_output_token=per_output_token(1.0),
        usd_per_output_token=None if usd_per_chip_s is None else per_output_token(usd_per_chip_s),
    )


def _balance_batch_shown(numbers: Bounds, room_sequences: int) -> float | None:
    """Balance batch to show; None where there is none, or where it is too far out for the picture."""
    found = numbers.balance_batch_with_kv
    return None if found is None or found > FARTHEST_BALANCE * room_sequences else found


def _whole_numbers(most: int) -> Grid:
    """Whole numbers from 1 to ``most``, evenly spaced in their logarithm where they are many."""
    return np.unique(np.round(np.geomspace(1.0, most, POINTS)))


def _time_lines(
    terms: Terms, batch: Grid, touched_bytes: Grid, estimate_s: Numeric, interval: tuple[Numeric, Numeric]
) -> Lines:
    """Times of a step by the board's formulas, and the estimate with its interval."""

    def read_s(weight_bytes: Numeric, kv_bytes_per_sequence: float) -> Grid:
        time_s = roofline.memory_time_s(
            batch=batch,
            weight_bytes=weight_bytes,
            kv_bytes_per_sequence=kv_bytes_per_sequence,
            hbm_bytes_per_s=terms.hbm_bytes_per_s,
        )
        return np.asarray(time_s)

    return Lines(
        compute=np.asarray(
            roofline.compute_time_s(tokens=batch, active_params=terms.active_params, flop_per_s=terms.flop_per_s)
        ),
        kv=read_s(0.0, terms.kv_bytes_per_sequence),
        weights=read_s(touched_bytes, 0.0),
        bound=np.asarray(
            roofline.step_time_s(
                batch=batch,
                active_params=terms.active_params,
                weight_bytes=touched_bytes,
                kv_bytes_per_sequence=terms.kv_bytes_per_sequence,
                flop_per_s=terms.flop_per_s,
                hbm_bytes_per_s=terms.hbm_bytes_per_s,
            )
        ),
        floor=terms.weight_bytes / terms.hbm_bytes_per_s,
        estimate=np.asarray(estimate_s),
        estimate_low=np.asarray(estimate_s * interval[0]),
        estimate_high=np.asarray(estimate_s * interval[1]),
    )


def _cost_lines(time_s: Lines, cost: Callable[[Grid, Grid], Grid], batch: Grid, estimate_batch: Grid) -> Lines:
    """Lines of time as cost per token of the batch: compute and KV become flat, and so does the floor."""
    compute, kv = cost(time_s.compute, batch), cost(time_s.kv, batch)
    return Lines(
        compute=compute,
        kv=kv,
        weights=cost(time_s.weights, batch),
        bound=cost(time_s.bound, batch),
        floor=float(max(compute[0], kv[0])),
        estimate=cost(time_s.estimate, estimate_batch),
        estimate_low=cost(time_s.estimate_low, estimate_batch),
        estimate_high=cost(time_s.estimate_high, estimate_batch),
    )
