"""``plan --figure``: cost against speed of the layouts that were searched."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.cli.asked import Asked
from ridgeline.cli.demand import limits_said, load_said
from ridgeline.cli.figure import draw_front
from ridgeline.cli.output import counted, listed
from ridgeline.estimator.parameters import main_format
from ridgeline.planner.fronts import Front
from ridgeline.specs.deployment import Deployment

__all__ = ["draw_fronts"]

SHOWN = "Of all layouts and batches that fit, whatever the limits, those that no other beats in speed and in cost."


def draw_fronts(
    fronts: Sequence[Front | None], deployments: Sequence[Deployment], asked: Asked, chips: int | None, prices: str
) -> None:
    """Draw the fronts of one search, or of several side by side.

    Args:
        fronts: front of each search; None where nothing fits.
        deployments: deployments that were searched, one a machine.
        asked: options of the command, with the picture's path.
        chips: the budget; None where the load decides.
        prices: source of the prices of chips.
    """
    there = [one for one in fronts if one is not None]
    if asked.figure is None or not there:
        return
    first, workload = deployments[0], asked.workload
    ids = list(dict.fromkeys(one.machine.id for one in deployments))
    machines = first.machine.name if len(ids) == 1 else f"{', '.join(ids[:-1])} or {ids[-1]}"
    on = machines if chips is None else f"{counted(chips, 'chip')} of {machines}"
    limits = "".join([*limits_said(workload), *load_said(asked.demand)])
    others = " and others" if asked.weights == "auto" else ""
    formats = f"weights {main_format(first.model, first.precision)}{others}, KV {first.precision.kv.name}"
    engines = listed(one.engine.title for one in deployments)
    draw_front(
        there,
        words=(
            f"{first.model.name} on {on}",
            f"{workload.prompt_tokens:,.0f} tokens in, {workload.output_tokens:,.0f} out{limits}; {formats}",
            f"{SHOWN} Engine {engines}, fidelity {first.fidelity.name}. Prices: {prices}.",
        ),
        output_tokens=workload.output_tokens,
        path=asked.figure,
        theme=asked.theme,
    )
