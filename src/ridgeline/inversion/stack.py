"""Cost of a token by what it pays for: chips at work, idle ones, idle hours, failures."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.catalog.reliability import usual_reliability
from ridgeline.equations import pricing, reliability
from ridgeline.inversion.operating import Operating, PricedDeployment
from ridgeline.inversion.spread import InOut
from ridgeline.seconds import YEAR_S
from ridgeline.specs.workload import Workload

__all__ = ["Part", "Stack", "stack_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Share of the cost of a token that one thing adds.

    Attributes:
        name: name of what is paid for.
        usd_per_input_token: dollars added to a token of a prompt, whether computed or found.
        usd_per_output_token: dollars added to a token of an answer.
        why: reason for its size.
    """

    name: str
    usd_per_input_token: float
    usd_per_output_token: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """The cost of tokens, part by part.

    Attributes:
        parts: parts of the cost in the order in which they add up.
        usd_per_input_token: cost of a token of a prompt, whether computed or found.
        usd_per_output_token: cost of a token of an answer.
        over_work: cost with all parts over that of the chips at work, of a token of a prompt and of one of an answer.
        lost_fraction: fraction of the work that failures take.
    """

    parts: tuple[Part, ...]
    usd_per_input_token: float
    usd_per_output_token: float
    over_work: InOut
    lost_fraction: float

    def over_paid(self, at_work: Operating, workload: Workload) -> InOut:
        """Cost with all parts over that of all chips of ``at_work``, of a token of a prompt and of one of an answer."""
        over_waiting = at_work.over_waiting(workload)
        return self.over_work[0] / over_waiting[0], self.over_work[1] / over_waiting[1]


def stack_of(
    at_work: Operating,
    served: PricedDeployment,
    *,
    loaded: Operating | None,
    utilisation_fraction: float,
    utilisation_why: str,
) -> Stack:
    """Add up the parts of the cost of a token.

    Args:
        at_work: operating point at which the chips are full.
        served: deployment, workload and prices of what is served.
        loaded: operating point at the given load's most; None without one.
        utilisation_fraction: the day's mean load over its most.
        utilisation_why: source of the utilisation.
    """
    lost_fraction, lost_why = _lost(at_work, served)
    paid = (at_work if loaded is None else loaded).paid_usd(served.workload)
    over = paid[0] / at_work.input_usd, paid[1] / at_work.output_usd
    idle = (
        ("idle chips", "of the budget, or of a pool, which its own tokens pay for")
        if loaded is None
        else (
            "idle for latency",
            "what whole replicas, and the limits in queues, take when the load is at its most",
        )
    )
    hours = float(pricing.usd_per_token_served(usd_per_token=1.0, utilisation_fraction=utilisation_fraction))
    lost = float(pricing.usd_per_token_served(usd_per_token=1.0, lost_fraction=lost_fraction))
    ratios = [
        (idle[0], (max(over[0], 1.0), max(over[1], 1.0)), idle[1]),
        ("idle hours", (hours, hours), utilisation_why),
        ("failed work", (lost, lost), lost_why),
    ]
    # Under a load there may be more chips than one domain has, and among them a cheaper way.
    parts = _at_work(at_work, served, (min(over[0], 1.0), min(over[1], 1.0)))
    chips = [sum(one.usd_per_input_token for one in parts), sum(one.usd_per_output_token for one in parts)]
    electricity = [at_work.input_electricity_usd, at_work.output_electricity_usd]
    if any(electricity):
        parts.append(
            Part(
                name="electricity",
                usd_per_input_token=electricity[0],
                usd_per_output_token=electricity[1],
                why="of chips at work, with their servers'" if served.owned else "of chips at work",
            )
        )
    first = [one + more for one, more in zip(chips, electricity, strict=True)]
    # Idle chips draw little: what they add is what they are paid for.
    for name, ratio, why in ratios:
        added = [(one_ratio - 1) * one for one_ratio, one in zip(ratio, chips, strict=True)]
        parts.append(Part(name=name, usd_per_input_token=added[0], usd_per_output_token=added[1], why=why))
        chips = [one + more for one, more in zip(chips, added, strict=True)]
    sums = [one + more for one, more in zip(chips, electricity, strict=True)]
    return Stack(
        parts=tuple(parts),
        usd_per_input_token=sums[0],
        usd_per_output_token=sums[1],
        over_work=(sums[0] / first[0], sums[1] / first[1]),
        lost_fraction=lost_fraction,
    )


def _at_work(at_work: Operating, served: PricedDeployment, times: InOut) -> list[Part]:
    """Chips at work: their rent, or what it is made of where they are owned; ``times`` as much in and out."""
    input_usd, output_usd = times[0] * at_work.input_usd, times[1] * at_work.output_usd
    rented = Part(
        name="chips at work",
        usd_per_input_token=input_usd,
        usd_per_output_token=output_usd,
        why="rent, which has the host and the network in it"
        + ("" if at_work.output_electricity_usd else ", and power"),
    )
    if served.owned is None:
        return [rented]
    whole_usd = sum(one.value for one in served.owned.parts.values())
    return [
        Part(
            name=f"{name} at work" if name == "chips" else name,
            usd_per_input_token=input_usd * fact.value / whole_usd,
            usd_per_output_token=output_usd * fact.value / whole_usd,
            why=f"{fact.written} a chip over {served.owned.life_s / YEAR_S:.0f} years ({fact.source}, {fact.date})",
        )
        for name, fact in served.owned.parts.items()
    ]


def _lost(at_work: Operating, served: PricedDeployment) -> tuple[float, str]:
    """Fraction of the work that failures take, and its source."""
    usual = usual_reliability(served.deployment.machine.family)
    unit = at_work.units[0]
    request_s = at_work.ttft_s + served.workload.output_tokens * at_work.tpot_s
    mtbf_s = reliability.job_mtbf_s(chip_mtbf_s=usual.chip_mtbf_s, chips=unit.chips)
    found = pricing.failed_work_fraction(mtbf_s=mtbf_s, restart_s=usual.restart_s, request_s=request_s)
    return float(found), "; ".join(usual.notes[:2])
