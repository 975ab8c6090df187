"""Losses by fitted laws; one file a form.

A form answers four questions. Each is a function that dispatches on the form's record, so a new form is a new file that
registers its answers, and one line here that imports it.

Parameters are always active ones. A dense law does not depend on experts: for a routed model it is called with one
expert.
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
    """The law as two powers, of active parameters and of tokens, for models with a given number of experts.

    Args:
        law: fitted scaling law.
        experts: experts per active expert.

    Returns:
        The result is its coefficients; None where it is no such sum.
    """
    raise _unknown(law)


@singledispatch
def loss_of(law: FittedLaw, *, params: Numeric, tokens: Numeric, experts: float) -> Numeric:
    """Loss after training, in nats per token.

    Args:
        law: fitted scaling law.
        params: number of active parameters.
        tokens: training tokens, each worth a new one.
        experts: experts per active expert.
    """
    raise _unknown(law)


@singledispatch
def best_tokens(law: FittedLaw, *, params: Numeric, experts: float = 1.0) -> Numeric:
    """Tokens for which a model of ``params`` is the best use of its training alone.

    Args:
        law: fitted scaling law.
        params: number of active parameters.
        experts: experts per active expert.
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
    """Parameters of the equivalent dense model; infinite where there is none.

    Args:
        law: fitted scaling law.
        params: active parameters of the routed model.
        tokens: training tokens of both; some laws do not depend on them.
        experts: experts per active expert.
    """
    raise _unknown(law)


def _unknown(law: FittedLaw) -> TypeError:
    return TypeError(f"{type(law).__name__} gives no loss")


# Each registers its answers above.
from ridgeline.lifecycle.laws import granular, joint, power, routed, sparse  # noqa: E402, F401
