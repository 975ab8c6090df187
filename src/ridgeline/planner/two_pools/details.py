"""A chosen pair in full: intervals, time of each pool by cause, room for caches, energy and price."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.estimator.memory import kv_capacity_tokens
from ridgeline.estimator.timing import Cause
from ridgeline.planner.details import largest, limit_of, with_electricity
from ridgeline.planner.outcome import Constraint, Energy
from ridgeline.planner.two_pools.matching import Match
from ridgeline.planner.two_pools.outcome import Part, TwoPoolPlan
from ridgeline.planner.two_pools.queues import first_token_s, mean_first_token_s
from ridgeline.planner.two_pools.sides import Reader, Writer
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.planner.when_read import SequenceWhenRead
from ridgeline.seconds import HOUR_S
from ridgeline.serving.admission import pool_memory
from ridgeline.serving.energy import Draw, reading_draw, writing_draw
from ridgeline.serving.interval import least_step_s, least_ttft_s, load_interval
from ridgeline.serving.passes import PoolPasses, pool_passes
from ridgeline.serving.pool import most_sequences as sequences_that_fit
from ridgeline.serving.pool import pass_causes
from ridgeline.serving.request_carriers import request_carriers
from ridgeline.serving.transfer import cache_move_s, level_between
from ridgeline.specs.provenance import Carrier

__all__ = ["plan_of"]


def plan_of(match: Match, terms: Terms) -> TwoPoolPlan:
    """A match in full."""
    reader, writer, place = match.reader, match.writer, match.place
    workload, demand = terms.workload, terms.demand
    tpot_s, batch = float(writer.tpot_s[place]), float(writer.batch[place])
    queue, chips = match.queue, match.chips
    first_s = first_token_s(reader, writer, terms, queue, chips)
    sequences = max(batch / writer.deployment.layout.dp, 1.0)
    reading = pool_passes(reader.deployment, workload, 1.0)
    writing = pool_passes(writer.deployment, workload, sequences)
    low, high = load_interval(writing, "disaggregated_tpot_s")
    first_low, first_high = load_interval(reading, "disaggregated_ttft_s")
    least_s = least_step_s(writer.deployment, workload, batch) / writer.deployment.speculation.checked_tokens
    prefill, decode = _prefill(match, reading, terms), _decode(match, writing, terms)
    energy = _energy(prefill, decode, match, terms)
    room = pool_memory(writer.deployment, workload, round(sequences))
    return TwoPoolPlan(
        prefill=prefill,
        decode=decode,
        batch=int(batch),
        tpot_s=tpot_s,
        tpot_low_s=min(max(tpot_s * low, least_s), tpot_s),
        tpot_high_s=tpot_s * high,
        ttft_s=first_s,
        ttft_low_s=min(max(first_s * first_low, least_ttft_s(reader.deployment, workload)), first_s),
        ttft_high_s=first_s * first_high,
        mean_ttft_s=None if queue is None else mean_first_token_s(reader, writer, terms, queue, chips),
        ttft_quantile=demand.ttft_quantile if demand.has_load or workload.lengths else None,
        move_s=cache_move_s(reader.deployment, writer.deployment, workload.prompt_tokens, chips=match.chips),
        move_over=level_between(reader.deployment, writer.deployment, match.chips).name,
        kv_capacity_tokens=kv_capacity_tokens(writer.deployment, room, held_tokens=workload.ending_tokens),
        limited_by=limit_of(
            writer.deployment,
            round(sequences),
            most_sequences=writer.most_sequences,
            demand=demand,
            breaks=Constraint.TPOT if workload.tpot_s is not None and place == writer.last else None,
        ),
        limits_met_at_high=workload.tpot_s is None or tpot_s * high <= workload.tpot_s,
        requests_per_s=match.requests_per_s,
        output_tokens_per_s_per_chip=match.requests_per_s * workload.output_tokens / match.chips,
        idle_chips=match.idle_chips,
        usd_per_h=match.paid * HOUR_S if terms.usd_per_chip_s else None,
        usd_per_input_token=with_electricity(
            _usd(prefill, match, terms, workload.prompt_tokens),
            None if energy is None else energy.electricity_usd_per_input_token,
        ),
        usd_per_output_token=with_electricity(
            _usd(decode, match, terms, workload.output_tokens),
            None if energy is None else energy.electricity_usd_per_output_token,
        ),
        paid_chip_s_per_request=match.paid_chips / match.requests_per_s,
        energy=energy,
    )


def _usd(part: Part, match: Match, terms: Terms, tokens: float) -> float | None:
    """Cost of a pool's chips per token of a request, $; None without a price."""
    price = terms.usd_per_chip_s.get(part.deployment.machine.id)
    return None if price is None else part.chips * price / match.requests_per_s / tokens


def _prefill(match: Match, passes: PoolPasses, terms: Terms) -> Part:
    """The prefill pool."""
    reader = match.reader
    _, causes = pass_causes(passes, 1.0, float(reader.together))
    carried_by = SequenceWhenRead(
        lambda: request_carriers(
            reader.deployment, passes.workload, batch=1, decode_s=0.0, prompt_s=1.0 / reader.prompts_per_s
        )
    )
    return _part(
        reader,
        replicas=match.readers,
        batch=reader.together,
        most_sequences=sequences_that_fit(reader.deployment, terms.workload) if terms.demand.has_load else None,
        requests_per_s=reader.prompts_per_s,
        asked_per_s=match.requests_per_s,
        causes=causes,
        carried_by=carried_by,
        draw=reading_draw(passes, reader.prompts_per_s),
    )


def _decode(match: Match, passes: PoolPasses, terms: Terms) -> Part:
    """The decode pool."""
    writer = match.writer
    batch, rate = float(writer.batch[match.place]), float(writer.requests_per_s[match.place])
    causes, _ = pass_causes(passes, batch, 1.0)
    carried_by = SequenceWhenRead(
        lambda: request_carriers(
            writer.deployment, passes.workload, batch=max(int(batch), 1), decode_s=1.0 / rate, prompt_s=0.0
        )
    )
    return _part(
        writer,
        replicas=match.writers,
        batch=int(batch),
        most_sequences=writer.most_sequences if terms.demand.has_load else None,
        requests_per_s=rate if writer.best is None else float(writer.requests_per_s[writer.best]),
        asked_per_s=match.requests_per_s,
        causes=causes,
        carried_by=carried_by,
        draw=writing_draw(passes, batch, rate),
    )


def _part(
    side: Reader | Writer,
    *,
    replicas: int,
    batch: int,
    most_sequences: int | None,
    requests_per_s: float,
    asked_per_s: float,
    causes: dict[Cause, float],
    carried_by: Sequence[Carrier],
    draw: Draw,
) -> Part:
    """One of the pools, from its capacity and the load on all its replicas; ``most_sequences`` of a group of a load."""
    bound, chips = largest(causes), replicas * side.chips
    is_known = side.deployment.machine.chip.power_w is not None
    return Part(
        deployment=side.deployment,
        weights=side.candidate.weights,
        replicas=replicas,
        batch=batch,
        most_at_once=batch if most_sequences is None else most_sequences * side.deployment.layout.dp,
        requests_per_s=requests_per_s,
        busy_fraction=asked_per_s / (replicas * requests_per_s),
        bound=bound,
        bound_fraction=causes[bound] / sum(causes.values()),
        carried_by=carried_by,
        chip_power_w=float(draw.power_w(replicas, asked_per_s)) / chips if is_known else None,
    )


def _energy(prefill: Part, decode: Part, match: Match, terms: Terms) -> Energy | None:
    """Power of both pools; None where a chip's power is unknown."""
    if prefill.chip_power_w is None or decode.chip_power_w is None:
        return None
    demand, workload = terms.demand, terms.workload
    read_w, made_w = (demand.pue * one.chips * (one.chip_power_w or 0.0) for one in (prefill, decode))
    input_j = read_w / match.requests_per_s / workload.prompt_tokens
    output_j = made_w / match.requests_per_s / workload.output_tokens
    usd_per_j = demand.electricity_usd_per_j
    return Energy(
        chip_power_w=(read_w + made_w) / demand.pue / match.chips,
        site_power_w=read_w + made_w,
        energy_j_per_output_token=output_j,
        energy_j_per_input_token=input_j,
        electricity_usd_per_output_token=None if usd_per_j is None else usd_per_j * output_j,
        electricity_usd_per_input_token=None if usd_per_j is None else usd_per_j * input_j,
    )
