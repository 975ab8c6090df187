"""Plans against each other: why one costs more, and what going faster costs."""

from __future__ import annotations

from ridgeline.planner.outcome import Constraint, FrontPoint, Plan, Planning

__all__ = ["faster", "remedy", "why_dearer"]

SAME_COST = 0.0005
"""Below a twentieth of a percent two plans cost the same."""


def why_dearer(loser: Plan, winner: Plan) -> str:
    """One clause: how much more a request costs, and on what most of the difference goes."""
    extra = loser.paid_chip_s_per_request / winner.paid_chip_s_per_request - 1
    mine, best = _spent(loser), _spent(winner)
    differences = {name: mine[name] - best[name] for name in mine}
    lost = sum(differences.values())
    cause = max(differences, key=lambda name: differences[name])
    if extra < SAME_COST:
        return f"costs the same to {SAME_COST:.1%}"
    share = f", {differences[cause] / lost:.0%} of it" if differences[cause] <= lost else ""
    return (
        f"{extra:.1%} dearer{share} for {cause} ({mine[cause] * 1e6:,.0f} against {best[cause] * 1e6:,.0f} chip-µs"
        f" a token); {loser.batch // loser.layout.dp:,} sequences a group, limited by {loser.limited_by.value}"
    )


def _spent(plan: Plan) -> dict[str, float]:
    """Chip-seconds of an output token, both phases, by what they go to; idle chips of the budget among it."""
    used = {cause.value: part_s for cause, part_s in plan.chip_s_per_output_token.items()}
    total = sum(used.values())
    return used | {"idle chips": total * (plan.paid_chip_s_per_request / plan.chip_s_per_request - 1)}


def faster(found: Planning, factor: float) -> FrontPoint | None:
    """The cheapest point, of all layouts and batches, that is ``factor`` times as fast as the best plan, or faster.

    None where no layout reaches it.
    """
    limit_s = found.plans[0].tpot_s / factor
    # The front runs from the fastest to the cheapest.
    return next((point for point in reversed(found.front) if point.tpot_s <= limit_s), None)


def remedy(found: Planning) -> str:
    """What to change where no layout serves a workload: the limit that rejects the layouts which come nearest."""
    kinds = {rejection.kind for rejection in found.rejected}
    slow = []
    if Constraint.TTFT in kinds:
        slow.append("too slow to the first token (relax --ttft)")
    if Constraint.TPOT in kinds and found.front:
        fastest_ms = found.front[0].tpot_s * 1e3
        slow.append(f"too slow a token, {fastest_ms:.3g} ms at the fastest that fits (relax --tpot)")
    if slow:
        return f"every layout that fits is {' or '.join(slow)}; or give it more --chips"
    if Constraint.MEMORY in kinds:
        return "it does not fit in memory: give it more --chips, or narrower --weights or --kv"
    return "no layout divides the model and the machine: try another number of --chips"
