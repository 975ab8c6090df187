"""Bounds on a model's size from its serving: the memory of a scale-up domain, and a time per token."""

from __future__ import annotations

import dataclasses
from math import log2

from ridgeline.errors import RidgelineError
from ridgeline.estimator.divisibility import require_divides
from ridgeline.estimator.parameters import active_params, total_params, weight_bytes
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import launched_operations, time_step, with_engine
from ridgeline.lifecycle.constraints import MostParams
from ridgeline.numeric import bracket
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.model import Model
from ridgeline.specs.passes import decode

__all__ = ["domain_bound", "latency_bound"]

HBM_FRACTION = 0.9
"""Default part of the memory that engines use; caches share it with the weights."""
SMALLEST, LARGEST = 1 / 16, 64.0
"""Range of depths, over that of the example model."""
HALVINGS = 14


def domain_bound(deployment: Deployment) -> MostParams:
    """Parameters whose weights one scale-up domain holds, in the formats of a deployment."""
    machine, model = deployment.machine, deployment.model
    room = HBM_FRACTION * machine.scale_up_chips * machine.chip.hbm_bytes
    per_param = weight_bytes(model, deployment.precision) / total_params(model)
    held = format_quantity(room, "bytes")
    return MostParams(total=room / per_param, why=f"memory of a scale-up domain of {machine.id} ({held})")


def latency_bound(deployment: Deployment, *, tpot_s: float, context_tokens: float) -> MostParams:
    """Active parameters of the deepest model like that of a deployment which writes a token in time.

    The time is that of a lone sequence on a whole scale-up domain, from the estimate of a decode step; layers are added
    or left out.

    Raises:
        RidgelineError: even the shallowest model takes longer.
    """
    whole = dataclasses.replace(deployment, layout=_widest(deployment))
    if _step_s(whole, SMALLEST, context_tokens) > tpot_s:
        raise RidgelineError(
            f"budget: no model like {deployment.model.id} writes a token in {format_quantity(tpot_s, 's')} on"
            f" {deployment.machine.id}; allow more, or take another --like"
        )
    log_depth, _ = bracket(
        lambda log_depth: _step_s(whole, 2**log_depth, context_tokens) > tpot_s,
        log2(SMALLEST),
        log2(LARGEST),
        halvings=HALVINGS,
    )
    most = active_params(_deep(deployment.model, 2**log_depth))
    why = f"{format_quantity(tpot_s, 's')} a token on {deployment.machine.id}"
    return MostParams(active=float(most), why=why)


def _widest(deployment: Deployment) -> Layout:
    """Layout with tensor parallelism over as much of a domain as divides the model."""
    chips = deployment.machine.scale_up_chips
    for tp in range(chips, 0, -1):
        layout = Layout(tp=tp)
        try:
            require_divides(deployment.model, deployment.machine, layout)
        except LayoutError:
            continue
        return layout
    return Layout()


def _deep(model: Model, times: float) -> Model:
    """The model with its layers multiplied by a factor, at least one of each kind."""
    groups = tuple(dataclasses.replace(group, layers=max(round(times * group.layers), 1)) for group in model.groups)
    return dataclasses.replace(model, groups=groups)


def _step_s(deployment: Deployment, times: float, context_tokens: float) -> float:
    deep = dataclasses.replace(deployment, model=_deep(deployment.model, times))
    shares = shares_of(decode(batch=1, context_tokens=context_tokens), deep.layout)
    time_s, _ = time_step(with_engine(launched_operations(deep, shares), deep, shares))
    return float(time_s)
