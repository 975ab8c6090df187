"""One of two pools by itself: the cheapest decode pool, and the time of a layout for prefill."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from ridgeline.planner.candidates import candidates
from ridgeline.planner.compare import asked_of_stages
from ridgeline.planner.formats import by_format
from ridgeline.planner.rejection import Candidate, rejection_of
from ridgeline.planner.served import fitting
from ridgeline.planner.two_pools.sides import Reader, Writer, readers_of, times_of, writers_of
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = ["cheapest_writer", "reader_of"]


def cheapest_writer(
    deployment: Deployment, workload: Workload, *, weights: str | None, chips: int, layout: Layout | None = None
) -> Writer | None:
    """The decode layout with the least chip-time within the limit on its time; None where none meets it.

    No prompt is read there, so that only memory, the engine and that limit bound the batch.

    Args:
        deployment: deployment that serves; its layout does not matter.
        workload: lengths of requests, and the limit.
        weights: name of the requested number format of its layers' weights.
        chips: chips of the budget, in which whole replicas lie.
        layout: layout to take; left out, the cheapest.
    """
    tried = candidates(deployment.model, deployment.machine, chips, prompt_tokens=workload.prompt_tokens)
    able = _able(deployment, workload, weights, tried if layout is None else (layout,))
    writers = [
        one for one in writers_of(able, times_of(able, workload), workload, AS_MUCH_AS_IT_GIVES) if one.best is not None
    ]
    return min(writers, key=lambda one: _paid_chip_s(one, chips), default=None)


def reader_of(deployment: Deployment, workload: Workload, *, weights: str | None, layout: Layout) -> Reader | None:
    """A layout as a prefill pool; None where it has no room for a prompt."""
    able = _able(deployment, workload, weights, (layout,))
    return next(iter(readers_of(able, times_of(able, workload), workload, AS_MUCH_AS_IT_GIVES)), None)


def _able(
    deployment: Deployment, workload: Workload, weights: str | None, layouts: Iterable[Layout]
) -> list[Candidate]:
    """Candidates that fit and that the engine supports."""
    tried = (
        Candidate(deployment=dataclasses.replace(one, layout=layout), weights=name)
        for layout in layouts
        for name, one in by_format(deployment, weights).items()
    )
    return [one for one in tried if rejection_of(one, workload) is None]


def _paid_chip_s(writer: Writer, chips: int) -> float:
    """Paid chip-seconds per request, with idle chips of the budget, and with the saving required of stages."""
    copies = max(fitting(writer.deployment, chips), 1)
    paid = max(chips / copies, writer.chips)
    return paid / float(writer.requests_per_s[writer.best or 0]) * (1 + asked_of_stages(writer.deployment.layout.pp))
