"""Clark et al.: a routed model has the loss of its equivalent dense model, by another law.

Their own runs all have the same tokens, so that the law alone has no optimum; its equivalent parameters are assumed to
hold for other tokens.
"""

from __future__ import annotations

from ridgeline.catalog.scaling_laws import RoutedFit, power_law
from ridgeline.equations import scaling, sparsity
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.lifecycle.laws import dense_worth, loss_of, power_form
from ridgeline.numeric import Numeric


@power_form.register
def _(law: RoutedFit, experts: float) -> ScalingLaw:
    """Equivalent parameters are a power of the active ones, and so is the dense law's term of them."""
    dense = power_law(law.dense).coefficients
    power = float(sparsity.equivalent_power(experts=experts, law=law.coefficients))
    of_one = float(sparsity.equivalent_params(params=1.0, experts=experts, law=law.coefficients))
    return dense._replace(
        params_factor=dense.params_factor * of_one**-dense.params_power, params_power=dense.params_power * power
    )


@loss_of.register
def _(law: RoutedFit, *, params: Numeric, tokens: Numeric, experts: float) -> Numeric:
    worth = sparsity.equivalent_params(params=params, experts=experts, law=law.coefficients)
    return scaling.model_loss(params=worth, tokens=tokens, law=power_law(law.dense).coefficients)


@dense_worth.register
def _(law: RoutedFit, *, params: Numeric, tokens: Numeric, experts: Numeric) -> Numeric:
    return sparsity.equivalent_params(params=params, experts=experts, law=law.coefficients)
