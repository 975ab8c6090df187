"""Plans against each other: why one costs more, and what going faster costs."""

from __future__ import annotations

from ridgeline.planner.plan import FrontPoint, Plan, Planning

__all__ = ["faster", "why_dearer"]


def why_dearer(loser: Plan, winner: Plan) -> str:
    """One clause: how much more a request costs, and on what most of the difference goes."""
    extra = loser.chip_s_per_request / winner.chip_s_per_request - 1
    differences = {
        cause: part_s - winner.chip_s_per_output_token[cause] for cause, part_s in loser.chip_s_per_output_token.items()
    }
    cause = max(differences, key=lambda one: differences[one])
    lost = sum(loser.chip_s_per_output_token.values()) - sum(winner.chip_s_per_output_token.values())
    share = f", {differences[cause] / lost:.0%} of it" if 0 < differences[cause] <= lost else ""
    mine, best = loser.chip_s_per_output_token[cause], winner.chip_s_per_output_token[cause]
    return (
        f"{extra:.1%} dearer{share} for {cause} ({mine * 1e6:.3g} against {best * 1e6:.3g} chip-µs a token),"
        f" {loser.batch // loser.layout.dp:,} sequences a group, limited by {loser.limited_by}"
    )


def faster(found: Planning, factor: float) -> FrontPoint | None:
    """The cheapest point, of all layouts and batches, that is ``factor`` times as fast as the best plan, or faster.

    None where no layout reaches it.
    """
    limit_s = found.plans[0].tpot_s / factor
    # The front runs from the fastest to the cheapest.
    return next((point for point in reversed(found.front) if point.tpot_s <= limit_s), None)
