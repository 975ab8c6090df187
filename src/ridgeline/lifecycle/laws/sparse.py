"""Abnar et al.: total parameters, tokens, and the part that is active. No closed form: N has two powers."""

from __future__ import annotations

from ridgeline.catalog.scaling_laws import SparseFit
from ridgeline.equations import sparsity
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.lifecycle.laws import best_tokens, dense_worth, loss_of, power_form
from ridgeline.numeric import Numeric


@power_form.register
def _(law: SparseFit, experts: float) -> ScalingLaw | None:
    return None


@loss_of.register
def _(law: SparseFit, *, params: Numeric, tokens: Numeric, experts: float) -> Numeric:
    total = sparsity.routed_total_params(params=params, routed_fraction=law.routed_fraction, experts=experts)
    return sparsity.sparse_loss(params=total, tokens=tokens, active_fraction=1 / experts, law=law.coefficients)


@best_tokens.register
def _(law: SparseFit, *, params: Numeric, experts: float = 1.0) -> Numeric:
    total = sparsity.routed_total_params(params=params, routed_fraction=law.routed_fraction, experts=experts)
    return sparsity.sparse_optimal_tokens(params=total, active_fraction=1 / experts, law=law.coefficients)


@dense_worth.register
def _(law: SparseFit, *, params: Numeric, tokens: Numeric, experts: Numeric) -> Numeric:
    total = sparsity.routed_total_params(params=params, routed_fraction=law.routed_fraction, experts=experts)
    return sparsity.sparse_equivalent_params(params=total, active_fraction=1 / experts, law=law.coefficients)
