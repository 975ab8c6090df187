"""Comparison of plans: why one costs more, and what more speed costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import takewhile

from ridgeline.planner.choice import Choice
from ridgeline.planner.outcome import Constraint, FrontPoint, Plan, Planning, Rejection
from ridgeline.quantity_text import counted, format_apart, format_quantity
from ridgeline.seconds import HOUR_S

__all__ = [
    "INDISTINCT",
    "MANY_TIMES",
    "SAME_COST",
    "UNPROVEN",
    "asked_against",
    "asked_of_stages",
    "enough_power",
    "faster",
    "fastest_of_equals",
    "fewest_stages_first",
    "lacks_memory",
    "least_memory",
    "load_cost",
    "paid_chip_s_per_output_token",
    "remedy",
    "simplest_first",
    "tied",
    "times_the_cost",
    "why_behind",
    "why_dearer",
]

SAME_COST = 0.0005
"""Relative difference in cost below which two plans cost the same."""

INDISTINCT = 0.02
"""Relative difference in cost below which no model of time can tell plans apart."""

UNPROVEN = 0.05
"""Part of the cost that each doubling of pipeline stages has to save: no engine was ever measured with stages."""

MANY_TIMES = 2.0
"""Ratio from which a cost is stated as a multiple."""

LAST_DIGITS = 1e-9
"""Rounding error by which a float may exceed the whole number that it stands for."""

WORTH_SAYING = 0.3
"""Part of a difference above which an opposite saving is stated, too."""


def asked_of_stages(stages: int) -> float:
    """Part of a request's cost that a pipeline has to save against layouts without stages.

    >>> asked_of_stages(1), asked_of_stages(2), asked_of_stages(8)
    (0.0, 0.05, 0.158)
    """
    return math.pow(1 + UNPROVEN, math.log2(stages)) - 1


def asked_against(stages: int, of_other: int) -> float:
    """Part by which a way to serve has to cost less than another of other stages to be the better one; 0 at least.

    >>> asked_against(3, 1), asked_against(1, 4)
    (0.08, 0.0)
    """
    return max((1 + asked_of_stages(stages)) / (1 + asked_of_stages(of_other)) - 1, 0.0)


def fewest_stages_first(plans: Sequence[Choice]) -> list[Choice]:
    """Plans for a load, the cheapest first, except that the first is so after the saving required of its stages.

    Args:
        plans: plans sorted by the cost of the whole load.
    """
    if not plans:
        return []
    best = min(plans, key=lambda one: tuple(cost * (1 + asked_of_stages(one.layout.pp)) for cost in one.rank))
    # Of those with as many stages, the one that is first already is the fastest of equals.
    first = next(one for one in plans if one.layout.pp == best.layout.pp)
    return [first, *(one for one in plans if one is not first)]


def simplest_first(plans: Sequence[Choice]) -> list[Choice]:
    """Plans, the cheapest first, except that the first is the cheapest after the saving required of its stages.

    Among those with as many stages that no model of time can tell apart in cost, it is the simplest against which
    plans of other stages save no more than is required of them.

    Args:
        plans: plans sorted by cost per request.
    """
    if not plans:
        return []

    def asked(one: Choice) -> float:
        return one.paid_chip_s_per_request * (1 + asked_of_stages(one.layout.pp))

    best = min(plans, key=asked)
    limit = min([asked(best) * (1 + INDISTINCT), *(asked(one) for one in plans if one.layout.pp != best.layout.pp)])
    alike = [one for one in plans if one.layout.pp == best.layout.pp and asked(one) <= limit]
    # Among equals, the cheapest stays first.
    first = min(alike, key=lambda one: len(str(one.layout).split(",")))
    return [first, *(one for one in plans if one is not first)]


def fastest_of_equals(plans: Sequence[Choice]) -> list[Choice]:
    """Plans in the order of cost, the shortest time per token first of those that cost the same.

    Args:
        plans: plans sorted by cost, the cheapest first.
    """
    ordered: list[Choice] = []
    while len(ordered) < len(plans):
        first = plans[len(ordered)]
        equal = takewhile(partial(_costs_as, first), plans[len(ordered) :])
        ordered += sorted(equal, key=lambda one: one.tpot_s)
    return ordered


def _costs_as(cheaper: Choice, other: Choice) -> bool:
    """Whether a plan costs the same as one before it in the order of costs."""
    return all(one <= (1 + SAME_COST) * cost for one, cost in zip(other.rank, cheaper.rank, strict=True))


def why_dearer(loser: Plan, winner: Plan, *, has_load: bool = False) -> str:
    """Clause on why a plan is ranked below another: more chips for the load, or a request's cost, with its main cause.

    Args:
        loser: plan that is ranked lower.
        winner: plan that is ranked higher.
        has_load: whether plans are ranked by the chips that a load takes, and then by cost.
    """
    ratio = loser.paid_chip_s_per_request / winner.paid_chip_s_per_request
    mine, best = _spent(loser), _spent(winner)
    differences = {name: mine[name] - best[name] for name in mine}
    cause = max(differences, key=lambda name: differences[name])
    saved = min(differences, key=lambda name: differences[name])
    if has_load and (chips := _other_chips(loser, winner, ratio)):
        return chips
    if abs(ratio - 1) < SAME_COST:
        return f"costs the same within {100 * SAME_COST:.2f} %"
    if ratio < 1:
        behind = why_behind(loser.layout.pp, winner.layout.pp, what="the load" if has_load else "it")
        return f"{times_the_cost(ratio)}, {behind}"
    dearer = times_the_cost(ratio)

    def spent(name: str) -> str:
        took, (least, _) = format_apart(mine[name], (best[name], best[name]), "s")
        return f"{took} of chip time per output token on {name}, against {least} in plan 1"

    less = f"; in return {spent(saved)}" if -differences[saved] > WORTH_SAYING * differences[cause] else ""
    return f"{dearer}: {spent(cause)}{less}"


def _other_chips(loser: Plan, winner: Plan, ratio: float) -> str:
    """Clause on the chips that a load takes, where it costs less and a request more, or a request less and it more."""
    mine, theirs = loser.all_chips, winner.all_chips
    of_load = load_cost(loser) / load_cost(winner)
    is_cheaper_load = of_load < 1 - SAME_COST
    if mine == theirs or is_cheaper_load != (ratio >= 1) or is_cheaper_load != (mine < theirs):
        return ""
    said = f"takes {counted(mine, 'chip')}, not {theirs:,}"
    if loser.usd_per_h is not None and winner.usd_per_h is not None:
        cost, other = (format_quantity(one / HOUR_S, "usd_per_s") for one in (loser.usd_per_h, winner.usd_per_h))
        said += f": {cost}, not {other}"
    said += f"; a request {times_the_cost(ratio)}"
    behind = why_behind(loser.layout.pp, winner.layout.pp, what="the load")
    return f"{said}; {behind}" if is_cheaper_load else said


def load_cost(plan: Plan) -> float:
    """Paid chip-seconds per second of all replicas of a plan."""
    return plan.paid_chip_s_per_request * plan.requests_per_s


def why_behind(stages: int, of_winner: int, *, what: str = "it") -> str:
    """Clause on why a cheaper plan is ranked lower, by the stages of both.

    Args:
        stages: pipeline stages of the plan that is ranked lower.
        of_winner: pipeline stages of the plan that is ranked higher.
        what: name of what has to cost less: the plan's request, or its load.

    >>> why_behind(4, 1)
    'but no run with pipeline stages was ever measured; with 4, it has to cost over 9.3 % less to rank first'
    """
    if stages <= of_winner:
        return "which no model of time can tell apart"
    less = 100 * (1 - 1 / (1 + asked_against(stages, of_winner)))
    return (
        f"but no run with pipeline stages was ever measured; with {stages}, {what} has to cost over {less:.1f} % less"
        " to rank first"
    )


def times_the_cost(ratio: float) -> str:
    """Ratio of two costs as a clause.

    >>> times_the_cost(1.25), times_the_cost(0.9), times_the_cost(3.0)
    ('costs 25.0 % more', 'costs 10.0 % less', '3.0 times the cost')
    """
    if ratio >= MANY_TIMES:
        return f"{ratio:.1f} times the cost"
    return f"costs {100 * (ratio - 1):.1f} % more" if ratio >= 1 else f"costs {100 * (1 - ratio):.1f} % less"


def _spent(plan: Plan) -> dict[str, float]:
    """Chip-seconds of an output token in both phases by cause, idle chips of the budget included."""
    used = {cause.text: part_s for cause, part_s in plan.chip_s_per_output_token.items()}
    total = sum(used.values())
    idle = paid_chip_s_per_output_token(plan) - total
    is_paid = plan.energy is not None and plan.energy.electricity_usd_per_output_token is not None
    beside = "chips that idle and electricity" if is_paid else "chips that idle"
    return used | {beside: idle}


def paid_chip_s_per_output_token(plan: Plan) -> float:
    """Chip-seconds of an output token in both phases, idle chips of the budget included."""
    return sum(plan.chip_s_per_output_token.values()) * plan.paid_chip_s_per_request / plan.chip_s_per_request


def faster(found: Planning, factor: float) -> FrontPoint | None:
    """Cheapest point, over all layouts and batches, that is at least ``factor`` times as fast as the best plan.

    It is None where no layout reaches that speed.
    """
    limit_s = found.plans[0].tpot_s / factor
    # The front runs from the fastest to the cheapest.
    return next((point for point in reversed(found.front) if point.tpot_s <= limit_s), None)


def remedy(found: Planning) -> str:
    """Advice where no layout serves a workload: more chips, or relaxing the closest layouts' constraint."""
    kinds = {rejection.kind for rejection in found.rejected}
    if short := _short_of(found):
        return short
    slow = []
    if Constraint.TTFT in kinds and found.front:
        first = min(found.front, key=lambda point: point.ttft_s)
        slow.append(
            f"the fastest first token takes {format_quantity(first.ttft_s, 's')} ({first.layout}; relax --ttft)"
        )
    if Constraint.TPOT in kinds and found.front:
        fast = found.front[0]
        slow.append(
            f"the fastest token takes {format_quantity(fast.tpot_s, 's')} ({fast.layout}, batch {fast.batch:,}; relax"
            " --tpot)"
        )
    if slow:
        return "every layout that fits is too slow: " + ", and ".join(slow)
    if small := [one for one in found.rejected if one.most_requests is not None]:
        largest = max(small, key=lambda one: one.most_requests or 0)
        return f"{largest.layout} comes nearest: {largest.reason}; give a smaller --batch, or more --chips"
    if least := least_memory(found.rejected):
        return f"{least}; give it more --chips, or narrower --weights or --kv"
    if Constraint.ENGINE in kinds:
        reason = next(one.reason for one in found.rejected if one.kind is Constraint.ENGINE)
        return f"{reason}: name another --engine, or ideal, which runs all"
    return "no layout splits the model and the chips evenly: try another number of --chips"


def lacks_memory(found: Planning) -> bool:
    """Whether no layout serves since none fits in memory."""
    is_fitting = any(one.kind in TOO_LITTLE for one in found.rejected)
    return not found.plans and not is_fitting and least_memory(found.rejected) is not None


def _short_of(found: Planning) -> str | None:
    """Closest layout where chips or power are short, with advice; None where neither is."""
    if short := [one for one in found.rejected if one.needed_chips is not None]:
        least = min(short, key=lambda one: one.needed_chips or 0)
        return f"{least.layout} comes nearest: {least.reason}; give as many as --chips, or a smaller load"
    if hungry := [one for one in found.rejected if one.needed_power_w is not None]:
        least = min(hungry, key=lambda one: one.needed_power_w or 0.0)
        what = ", or a smaller load" if found.demand.has_load else ""
        return f"{least.layout} comes nearest: {least.reason}; give {enough_power(least.needed_power_w or 0.0)}{what}"
    return None


def least_memory(rejected: Sequence[Rejection]) -> str | None:
    """Clause on the layout that needs the least memory of a chip, where chips have less; None without one."""
    large = [one for one in rejected if one.needed_bytes is not None]
    if not large:
        return None
    least = min(large, key=lambda one: one.needed_bytes or 0.0)
    return f"it does not fit in memory: {least.layout} comes nearest, where {least.reason}"


def unserved(found: Planning) -> str:
    """Clause on why no layout serves a workload, of the layout that comes nearest."""
    if lacks_memory(found):
        return least_memory(found.rejected) or ""
    nearest = [one for one in found.rejected if one.kind in TOO_LITTLE] or found.rejected
    return f"{nearest[0].layout}: {nearest[0].reason}" if nearest else "no layout splits the model and the chips evenly"


TOO_LITTLE = frozenset(Constraint) - {Constraint.DIVIDES, Constraint.ENGINE, Constraint.MEMORY}
"""Constraints that a layout can break only if a chip holds it."""


def enough_power(least_w: float) -> str:
    """Option that gives at least this power, W, rounded up so that it suffices as written.

    >>> enough_power(1400.0), enough_power(1234.5)
    ('--power 1.4kW', '--power 1.24kW')
    """
    last = 10.0 ** (math.floor(math.log10(least_w)) - 2)
    return f"--power {format_quantity(math.ceil(least_w / last - LAST_DIGITS) * last, 'w').replace(' ', '')}"


def tied(found: Planning) -> list[Plan]:
    """The best plan and those whose cost this model of time cannot tell from its."""
    best = found.plans[0].paid_chip_s_per_request
    # Plans are ranked by cost, and each is computed when it is accessed.
    as_cheap = takewhile(lambda one: one.paid_chip_s_per_request <= (1 + INDISTINCT) * best, found.plans)
    return [one for one in as_cheap if one.paid_chip_s_per_request >= (1 - INDISTINCT) * best]
