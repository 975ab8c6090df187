"""What a fitted law says of a loss; one file a form.

A form answers four questions. Each is a function that dispatches on the form's record, so that a new form is a new file
that registers its answers, and one line here that imports it.

Parameters are always active ones. A dense law sees no experts: of a routed model it is asked with one expert.
"""

from __future__ import annotations

from functools import singledispatch

from ridgeline.catalog.scaling_laws import FittedLaw, TokensFit
from ridgeline.equations import scaling
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.numeric import Numeric

__all__ = ["best_tokens", "dense_worth", "loss_of", "power_form"]


@singledispatch
def power_form(law: FittedLaw, experts: float) -> ScalingLaw | None:
    """The law as two powers, of active parameters and of tokens, for models with so many experts.

    Args:
        law: the law.
        experts: for each that a token visits.

    Returns:
        Its coefficients; None where it is no such sum.
    """
    raise _unknown(law)


@singledispatch
def loss_of(law: FittedLaw, *, params: Numeric, tokens: Numeric, experts: float) -> Numeric:
    """Loss after training, in nats a token.

    Args:
        law: the law.
        params: active parameters.
        tokens: that the model is trained on, each worth a new one.
        experts: for each that a token visits.
    """
    raise _unknown(law)


@singledispatch
def best_tokens(law: FittedLaw, *, params: Numeric, experts: float = 1.0) -> Numeric:
    """Tokens for which a model of ``params`` is the best use of its training alone.

    Args:
        law: the law.
        params: active parameters.
        experts: for each that a token visits.
    """
    form = power_form(law, experts)
    if form is None:
        raise _unknown(law)
    return scaling.optimal_tokens(params=params, law=form)


@best_tokens.register
def _(law: TokensFit, *, params: Numeric, experts: float = 1.0) -> Numeric:
    return scaling.compute_optimal_tokens(params=params, law=law.coefficients)


@singledispatch
def dense_worth(law: FittedLaw, *, params: Numeric, tokens: Numeric, experts: Numeric) -> Numeric:
    """Parameters of the dense model that is as good; infinite where none is.

    Args:
        law: the law.
        params: active parameters of the routed model.
        tokens: that both are trained on; some laws do not ask.
        experts: for each that a token visits.
    """
    raise _unknown(law)


def _unknown(law: FittedLaw) -> TypeError:
    return TypeError(f"{type(law).__name__} gives no loss")


# Each registers its answers above.
from ridgeline.lifecycle.laws import granular, joint, power, routed, sparse  # noqa: E402, F401
