"""Number formats of weights that a search tries, and notes on them."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.engine_support import format_faults
from ridgeline.estimator.parameters import main_format
from ridgeline.estimator.precision import QUALITY, offered_weight_formats, weights_note
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.number_format import FORMATS
from ridgeline.specs.precision import with_formats

__all__ = ["by_format", "format_notes", "in_eight_bits"]

SIXTEEN_BITS = 16


def by_format(deployment: Deployment, weights: str | None) -> dict[str | None, Deployment]:
    """Deployments by the requested format of their weights; the one given comes first."""
    if weights != "auto":
        return {weights: deployment}
    others: dict[str | None, Deployment] = {name: _in_weights(deployment, name) for name in _other_formats(deployment)}
    return {None: deployment, **others}


def format_notes(searched: Sequence[tuple[str | None, Deployment]]) -> tuple[str, ...]:
    """Notes on number formats; where several were searched, each plan names its own.

    Args:
        searched: deployments, each with the requested format of its weights.
    """
    notes = tuple(dict.fromkeys(note for _, one in searched for note in one.notes))
    names = dict.fromkeys(name for name, _ in searched)
    if len(names) == 1:
        return notes
    others = [name for name in names if name is not None]
    kept = [note for note in notes if note not in map(weights_note, others)]
    return (f"weights searched in the published formats and in {', '.join(others)}; {QUALITY}", *kept)


def in_eight_bits(deployment: Deployment) -> tuple[str, Deployment] | None:
    """A model of 16-bit weights in 8-bit floats, and the format's name; None where chip or engine lacks them."""
    published = main_format(deployment.model, deployment.precision)
    name = next((one for one in _other_formats(deployment) if FORMATS[one].arithmetic == "fp8"), None)
    if FORMATS[published].value_bits != SIXTEEN_BITS:
        return None
    return None if name is None else (name, _in_weights(deployment, name))


def _in_weights(deployment: Deployment, name: str) -> Deployment:
    """A deployment with its layers' weights in another format."""
    return deploy(
        deployment.model,
        deployment.machine,
        fidelity=deployment.fidelity,
        engine=deployment.engine,
        weights=name,
        kv=deployment.precision.kv.name,
        speculation=deployment.speculation,
    )


def _other_formats(deployment: Deployment) -> tuple[str, ...]:
    """Weight formats that the chip and the engine support, and in which the checkpoint is not published."""
    model, machine = deployment.model, deployment.machine
    offered = {
        name: with_formats(model.precision, weights=name) for name in offered_weight_formats(model, machine.chip)
    }
    return tuple(
        name
        for name, precision in offered.items()
        if precision != model.precision and not format_faults(deployment.engine, machine, precision)
    )
