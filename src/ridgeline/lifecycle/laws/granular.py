"""Krajewski et al.: total parameters, tokens, and experts cut into pieces; one expert is their dense law."""

from __future__ import annotations

from ridgeline.catalog.scaling_laws import GranularFit, power_law
from ridgeline.equations import scaling, sparsity
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.lifecycle.laws import dense_worth, loss_of, power_form
from ridgeline.numeric import Numeric


@power_form.register
def _(law: GranularFit, experts: float) -> ScalingLaw:
    if experts == 1:
        return power_law(law.dense).coefficients
    own = law.coefficients
    factor = sparsity.granular_factor(granularity=law.granularity, law=own)
    expansion = sparsity.routed_total_params(params=1.0, routed_fraction=law.routed_fraction, experts=experts)
    return ScalingLaw(
        irreducible_loss=own.irreducible_loss,
        params_factor=float(factor * expansion**-own.params_power),
        params_power=own.params_power,
        tokens_factor=own.tokens_factor,
        tokens_power=own.tokens_power,
    )


@loss_of.register
def _(law: GranularFit, *, params: Numeric, tokens: Numeric, experts: float) -> Numeric:
    if experts == 1:
        return scaling.model_loss(params=params, tokens=tokens, law=power_law(law.dense).coefficients)
    total = sparsity.routed_total_params(params=params, routed_fraction=law.routed_fraction, experts=experts)
    return sparsity.granular_loss(params=total, tokens=tokens, granularity=law.granularity, law=law.coefficients)


@dense_worth.register
def _(law: GranularFit, *, params: Numeric, tokens: Numeric, experts: Numeric) -> Numeric:
    total = sparsity.routed_total_params(params=params, routed_fraction=law.routed_fraction, experts=experts)
    loss = sparsity.granular_loss(params=total, tokens=tokens, granularity=law.granularity, law=law.coefficients)
    return scaling.params_for_loss(loss=loss, tokens=tokens, law=power_law(law.dense).coefficients)
