"""Ludziejewski et al.: with a given number of experts the law is a power of active parameters and one of tokens."""

from __future__ import annotations

from ridgeline.catalog.scaling_laws import JointFit
from ridgeline.equations import scaling, sparsity
from ridgeline.equations.joint_sparsity import experts_exponent, experts_factor, joint_loss
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.lifecycle.laws import dense_worth, loss_of, power_form
from ridgeline.numeric import Numeric


@power_form.register
def _(law: JointFit, experts: float) -> ScalingLaw:
    own = law.coefficients
    many = sparsity.saturated_experts(experts=experts, experts_start=own.experts_start, experts_most=own.experts_most)
    by_params = experts_factor(factor=own.params_factor, exponent=own.params_experts_factor, saturated=many)
    by_tokens = experts_factor(factor=own.tokens_factor, exponent=own.tokens_experts_factor, saturated=many)
    of_params = experts_exponent(exponent=own.params_exponent, slope=own.params_experts_exponent, saturated=many)
    of_tokens = experts_exponent(exponent=own.tokens_exponent, slope=own.tokens_experts_exponent, saturated=many)
    return ScalingLaw(
        irreducible_loss=own.irreducible_loss,
        params_factor=float(by_params),
        params_power=float(-of_params),
        tokens_factor=float(by_tokens),
        tokens_power=float(-of_tokens),
    )


@loss_of.register
def _(law: JointFit, *, params: Numeric, tokens: Numeric, experts: float) -> Numeric:
    return joint_loss(params=params, tokens=tokens, experts=experts, law=law.coefficients)


@dense_worth.register
def _(law: JointFit, *, params: Numeric, tokens: Numeric, experts: Numeric) -> Numeric:
    loss = joint_loss(params=params, tokens=tokens, experts=experts, law=law.coefficients)
    dense = power_form(law, 1.0)
    return params if dense is None else scaling.params_for_loss(loss=loss, tokens=tokens, law=dense)
