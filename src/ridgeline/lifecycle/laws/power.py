"""Dense laws: a power of the parameters and one of the tokens. Repeated text is the constraint's concern."""

from __future__ import annotations

from ridgeline.catalog.scaling_laws import PowerFit, RepeatedFit
from ridgeline.equations import scaling
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.lifecycle.laws import dense_worth, loss_of, power_form
from ridgeline.numeric import Numeric


@power_form.register
def _(law: PowerFit | RepeatedFit, experts: float) -> ScalingLaw:
    return law.coefficients


@loss_of.register
def _(law: PowerFit | RepeatedFit, *, params: Numeric, tokens: Numeric, experts: float) -> Numeric:
    return scaling.model_loss(params=params, tokens=tokens, law=law.coefficients)


@dense_worth.register
def _(law: PowerFit | RepeatedFit, *, params: Numeric, tokens: Numeric, experts: Numeric) -> Numeric:
    return params
