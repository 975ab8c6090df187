"""Number formats of weights that a search tries, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.engine_support import format_faults
from ridgeline.estimator.precision import QUALITY, offered_weight_formats
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.precision import with_formats

__all__ = ["by_format", "format_notes"]


def by_format(deployment: Deployment, weights: str | None) -> dict[str | None, Deployment]:
    """Deployments by the format that their weights were asked for in; the one given comes first."""
    if weights != "auto":
        return {weights: deployment}
    others: dict[str | None, Deployment] = {
        name: deploy(
            deployment.model,
            deployment.machine,
            fidelity=deployment.fidelity,
            engine=deployment.engine,
            weights=name,
            kv=deployment.precision.kv.name,
            speculation=deployment.speculation,
        )
        for name in _other_formats(deployment)
    }
    return {None: deployment, **others}


def format_notes(searched: Sequence[tuple[str | None, Deployment]]) -> tuple[str, ...]:
    """What is to be said of number formats; of several that were searched, each plan names its own.

    Args:
        searched: deployments, each with the format that its weights were asked for in.
    """
    notes = tuple(dict.fromkeys(note for _, one in searched for note in one.notes))
    names = dict.fromkeys(name for name, _ in searched)
    if len(names) == 1:
        return notes
    others = ", ".join(filter(None, names))
    kept = [note for note in notes if not note.startswith("weights in")]
    return (f"weights searched in the published formats and in {others}; {QUALITY}", *kept)


def _other_formats(deployment: Deployment) -> tuple[str, ...]:
    """Weight formats that the chip and the engine have, and the checkpoint is not published in."""
    model, machine = deployment.model, deployment.machine
    offered = {
        name: with_formats(model.precision, weights=name) for name in offered_weight_formats(model, machine.chip)
    }
    return tuple(
        name
        for name, precision in offered.items()
        if precision != model.precision and not format_faults(deployment.engine, machine, precision)
    )
