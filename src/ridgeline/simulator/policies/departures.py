"""The lecture's departures: a step starts every period with all requests that have arrived, full or not.

Source: lecture 22:21-26:30 (A15-A18).
"""

from ridgeline.simulator.orders.first_come import first_come
from ridgeline.simulator.policy import Policy

__all__ = ["departures"]


def departures(period_s: float) -> Policy:
    """Steps that start every ``period_s``; one that takes longer delays those after it.

    Raises:
        RidgelineError: the period is not positive.
    """
    return Policy(
        name="departures",
        says=f"a step leaves every {period_s:.6g} s with whoever has come",
        order=first_come,
        period_s=period_s,
    )
