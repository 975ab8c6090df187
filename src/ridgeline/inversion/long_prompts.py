"""Costs of tokens of long prompts, and of answers to them: on chips that plain prompts run on, one by one."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ridgeline.inversion.operating import Operating, PricedDeployment
from ridgeline.inversion.spread import Cost, cost_of
from ridgeline.inversion.stack import Stack
from ridgeline.planner.details import limit_of
from ridgeline.planner.outcome import Constraint
from ridgeline.planner.two_pools.one_side import cheapest_writer, reader_of
from ridgeline.planner.two_pools.sides import Writer
from ridgeline.serving.interval import load_interval
from ridgeline.serving.passes import pool_passes
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES
from ridgeline.specs.layout import Layout

__all__ = ["LongPrompts", "long_prompts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPrompts:
    """Prompts beyond a list's step, and answers to them.

    Attributes:
        prompt_tokens: tokens of such a prompt.
        read_on: layout that reads them: that of plain prompts where it holds one.
        layout: layout that writes the answers, with no prompts beside it.
        batch: requests under way on a replica that writes answers.
        limited_by: constraint that keeps them from being more.
        tpot_s: time per output token there.
        input: cost of a token that is computed.
        output: cost of a token that is made.
    """

    prompt_tokens: int
    read_on: str
    layout: str
    batch: int
    limited_by: Constraint
    tpot_s: float
    input: Cost
    output: Cost


def long_prompts(
    served: PricedDeployment, at_work: Operating, stack: Stack, plain: Cost, *, prompt_tokens: int
) -> LongPrompts | None:
    """Costs of long prompts; None where nothing of the budget has room for one.

    Long prompts are read by the chips that read plain ones, at the time that a token takes there. Answers are made on
    chips that read no prompts, since long prompts would leave them hardly any time: as many requests are under way as
    memory, and the limit on the time per token, allow. Idle hours and failures come on top as for plain requests.

    Args:
        served: deployment, workload and prices of what is served.
        at_work: operating point at which the chips are full.
        stack: cost of plain requests, part by part.
        plain: cost of a token of a plain prompt that is computed.
        prompt_tokens: tokens of a long prompt.
    """
    # A longer prompt may take longer to its first token.
    longer = dataclasses.replace(served.workload, prompt_tokens=prompt_tokens, ttft_s=None)
    budget = served.deployment.machine.scale_up_chips if served.chips is None else served.chips
    named = served.layouts[-1] if served.layouts else None
    writer = cheapest_writer(served.deployment, longer, weights=served.weights, chips=budget, layout=named)
    if writer is None or writer.best is None:
        return None
    made_on, batch = writer.deployment.layout, round(float(writer.batch[writer.best]))
    plain_on = Layout.from_text(at_work.layout.partition("/")[0])
    for layout in (plain_on, made_on):
        reads = reader_of(served.deployment, longer, weights=served.weights, layout=layout)
        of_plain = reader_of(served.deployment, served.workload, weights=served.weights, layout=layout)
        if reads is not None and of_plain is not None:
            dearer = of_plain.prompts_per_s / reads.prompts_per_s
            dearer *= served.workload.read_tokens / longer.read_tokens
            return LongPrompts(
                prompt_tokens=prompt_tokens,
                read_on=str(layout),
                layout=str(made_on),
                batch=batch,
                limited_by=limit_of(
                    writer.deployment,
                    batch // made_on.dp,
                    most_sequences=writer.most_sequences,
                    demand=AS_MUCH_AS_IT_GIVES,
                    breaks=Constraint.TPOT if writer.best == writer.last else None,
                ),
                tpot_s=float(writer.tpot_s[writer.best]),
                input=plain.times(dearer),
                output=_made(writer, writer.best, served, at_work, stack, longer.output_tokens),
            )
    return None


def _made(
    writer: Writer, place: int, served: PricedDeployment, at_work: Operating, stack: Stack, output_tokens: float
) -> Cost:
    """Cost of a token that is made, with idle hours and failures."""
    usd = writer.chips * served.usd_per_chip_s / float(writer.requests_per_s[place]) / output_tokens
    # Chips draw as much power for their rent as those of plain requests.
    electricity_usd = usd * at_work.output_electricity_usd / at_work.output_usd
    sequences = max(float(writer.batch[place]) / writer.deployment.layout.dp, 1.0)
    longer = dataclasses.replace(served.workload, output_tokens=output_tokens)
    times = load_interval(pool_passes(writer.deployment, longer, sequences), "disaggregated_tpot_s")
    return cost_of(usd, electricity_usd, times=times, rents=served.rents).times(stack.over_work[1])
