"""A chosen point of a layout's curve in full: interval, time by cause, memory, energy and price."""

from __future__ import annotations

import numpy as np

from ridgeline.equations.pricing import usd_per_token
from ridgeline.estimator.memory import kv_capacity_tokens
from ridgeline.estimator.timing import Cause
from ridgeline.planner.choice import Choice
from ridgeline.planner.headroom import most_requests_per_s
from ridgeline.planner.outcome import Constraint, Energy, Plan
from ridgeline.planner.served import ServedCurve, allowed_batches
from ridgeline.planner.speculated import paying_batches, without_speculation
from ridgeline.planner.when_read import SequenceWhenRead
from ridgeline.seconds import HOUR_S
from ridgeline.serving.admission import pool_memory, sequence_limit
from ridgeline.serving.energy import drawn
from ridgeline.serving.interval import least_step_s, least_ttft_s, tpot_interval, ttft_interval
from ridgeline.serving.passes import PoolPasses, pool_passes
from ridgeline.serving.pool import benchmark_first_tokens_s, causes_per_request
from ridgeline.serving.request_carriers import request_carriers
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment

__all__ = ["largest", "limit_of", "plan_of", "usd", "with_electricity"]


def plan_of(choice: Choice, price: float | None) -> Plan:
    """A choice in full: its interval, time by cause, memory and price."""
    served, index = choice.served, choice.index
    deployment, workload, curve = served.deployment, served.workload, served.curve
    chips, batch = served.chips, round(float(curve.batch[index]))
    sequences = batch // deployment.layout.dp
    passes = pool_passes(deployment, workload, sequences)
    tpot_s, first_s, copies = (float(one[index]) for one in (curve.tpot_s, served.first_token_s, served.copies))
    replicas = int(copies)
    low, high = tpot_interval(passes)
    first_low, first_high = ttft_interval(passes)
    rate = float(served.requests_per_s[index])
    in_flight = float(curve.in_flight[index]) * rate / float(curve.requests_per_s[index])
    decode_batch = float(curve.decoding[index])
    least_s = least_step_s(deployment, workload, decode_batch) / deployment.speculation.checked_tokens
    decode, prefill = causes_per_request(passes, served.times, curve, index, requests_per_s=rate)
    memory = pool_memory(deployment, workload, sequences)
    pays_from, pays_to = paying_batches(deployment, workload)
    is_compared = bool(deployment.speculation) and served.demand.requests_per_s is None
    plain = without_speculation(deployment, workload, batch) if is_compared else None
    energy = _energy(served, index, passes)
    spent = {cause: chips * (decode[cause] + prefill[cause]) / workload.output_tokens for cause in Cause}
    return Plan(
        layout=deployment.layout,
        weights=served.weights,
        speculation=deployment.speculation,
        replicas=replicas,
        idle_chips=choice.all_chips - replicas * chips,
        batch=batch,
        most_at_once=served.most_sequences * deployment.layout.dp if served.demand.has_load else batch,
        in_flight=in_flight,
        decode_batch=decode_batch,
        tpot_s=tpot_s,
        tpot_low_s=min(max(tpot_s * low, least_s), tpot_s),
        tpot_high_s=tpot_s * high,
        decode_step_s=float(curve.decode_step_s[index]),
        ttft_s=first_s,
        ttft_low_s=min(max(first_s * first_low, least_ttft_s(deployment, workload)), first_s),
        ttft_high_s=first_s * first_high,
        benchmark_ttft_s=None
        if served.demand.requests_per_s is not None
        else float(benchmark_first_tokens_s(served.times, deployment, np.array([float(batch)]))[0]),
        output_tokens_per_s_per_chip=rate * workload.output_tokens / chips,
        requests_per_s=replicas * rate,
        most_requests_per_s=most_requests_per_s(served, index),
        usd_per_h=usd(price, replicas * float(served.charged_chips[index]) * HOUR_S),
        usd_per_output_token=with_electricity(
            usd(price, chips * sum(decode.values()) / workload.output_tokens),
            None if energy is None else energy.electricity_usd_per_output_token,
        ),
        usd_per_input_token=with_electricity(
            usd(price, chips * sum(prefill.values()) / workload.prompt_tokens),
            None if energy is None else energy.electricity_usd_per_input_token,
        ),
        energy=energy,
        bound=largest(spent),
        decode_bound=largest(decode),
        prefill_bound=largest(prefill),
        chip_s_per_output_token=spent,
        limited_by=_limit(served, index, sequences),
        memory=memory,
        kv_capacity_tokens=kv_capacity_tokens(deployment, memory, held_tokens=workload.ending_tokens),
        chip_s_per_request=float(served.chip_s_per_request[index]),
        paid_chip_s_per_request=choice.paid_chip_s_per_request,
        limits_met_at_high=workload.tpot_s is None or tpot_s * high <= workload.tpot_s,
        ttft_quantile=served.demand.ttft_quantile if served.demand.has_load or workload.lengths else None,
        is_memory_raised=float(memory.raised_bytes) > 0,
        correction=deployment.correction,
        carried_by=SequenceWhenRead(
            lambda: request_carriers(
                deployment, workload, batch=batch, decode_s=sum(decode.values()), prompt_s=sum(prefill.values())
            )
        ),
        pays_from_batch=pays_from,
        pays_to_batch=pays_to,
        plain_tpot_s=None if plain is None else plain[0],
        plain_output_tokens_per_s_per_chip=None if plain is None else plain[1] * workload.output_tokens / chips,
    )


def _energy(served: ServedCurve, index: int, passes: PoolPasses) -> Energy | None:
    """Power of a choice; None where the power of its chip is unknown."""
    most_w, demand = passes.deployment.machine.chip.power_w, served.demand
    workload, curve = served.workload, served.curve
    if most_w is None:
        return None
    at = np.array([index])
    rate = served.requests_per_s[at]
    found = drawn(
        passes,
        decoding=curve.decoding[at],
        decode_fraction=curve.decode_fraction(passes.decode_steps)[at],
        busy=rate / curve.requests_per_s[at],
        most_w=most_w,
    )
    power_w, of_decode = float(found.chip_power_w[0]), float(found.decode_fraction[0])
    site_w = demand.pue * served.chips * power_w
    per_request_j = site_w / float(rate[0])
    output_j, input_j = of_decode * per_request_j, (1 - of_decode) * per_request_j
    output_j, input_j = output_j / workload.output_tokens, input_j / workload.prompt_tokens
    usd_per_j = demand.electricity_usd_per_j
    return Energy(
        chip_power_w=power_w,
        site_power_w=float(served.copies[index]) * site_w,
        energy_j_per_output_token=output_j,
        energy_j_per_input_token=input_j,
        electricity_usd_per_output_token=None if usd_per_j is None else usd_per_j * output_j,
        electricity_usd_per_input_token=None if usd_per_j is None else usd_per_j * input_j,
    )


def with_electricity(chips_usd: float | None, electricity_usd: float | None) -> float | None:
    """Cost of chips and of electricity; None without a price of chips."""
    return chips_usd if chips_usd is None or electricity_usd is None else chips_usd + electricity_usd


def largest(causes: dict[Cause, float]) -> Cause:
    """Cause with the most time."""
    return max(causes, key=lambda cause: causes[cause])


def _limit(served: ServedCurve, index: int, sequences: int) -> Constraint:
    """Constraint that limits a plan's batch."""
    return limit_of(
        served.deployment,
        sequences,
        most_sequences=served.most_sequences,
        demand=served.demand,
        breaks=_broken_beyond(served, index) if index == np.flatnonzero(allowed_batches(served))[-1] else None,
    )


def _broken_beyond(served: ServedCurve, index: int) -> Constraint | None:
    """Limit that the next larger batch breaks, where there is one: that on TPOT, or, without a load, else on power."""
    workload, beyond = served.workload, index + 1
    if beyond == len(served.copies):
        return None
    is_slow = workload.tpot_s is not None and served.tpot_margin * served.curve.tpot_s[beyond] > workload.tpot_s
    return Constraint.TPOT if is_slow else Constraint.POWER


def limit_of(
    deployment: Deployment, sequences: int, *, most_sequences: int, demand: Demand, breaks: Constraint | None
) -> Constraint:
    """Constraint that limits a batch.

    Args:
        deployment: deployment of a replica.
        sequences: sequences of a group.
        most_sequences: maximum sequences of a group that fit and that the engine admits.
        demand: load, or the batch that was asked for.
        breaks: limit that every larger batch breaks; None where a larger one meets all.
    """
    if sequences == most_sequences:
        return Constraint.ENGINE if sequences == sequence_limit(deployment) else Constraint.MEMORY
    if demand.has_load or demand.batch is not None:
        return Constraint.LOAD
    return breaks or Constraint.COST


def usd(price: float | None, chip_s: float) -> float | None:
    """Cost of chip-seconds, $; None without a price."""
    return None if price is None else float(usd_per_token(time_s=chip_s, chips=1, tokens=1, usd_per_chip_s=price))
