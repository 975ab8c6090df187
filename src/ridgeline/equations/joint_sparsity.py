r"""Experts and tokens together: worth of experts where training is long.

.. math::

    L = a \hat E^\delta N^{\alpha + \gamma \ln \hat E} + b \hat E^\omega D^{\beta + \zeta \ln \hat E} + c

With a given number of experts this is a power of active parameters and one of tokens, as of a dense model.

Source: Ludziejewski et al. 2025 (arXiv 2502.05172).
"""

from typing import NamedTuple

from ridgeline.equations.sparsity import saturated_experts
from ridgeline.numeric import Numeric, log

__all__ = ["JointLaw", "experts_exponent", "experts_factor", "joint_loss"]


class JointLaw(NamedTuple):
    """Coefficients of a loss in active parameters, tokens and experts, whose exponents are negative, as printed.

    Attributes:
        irreducible_loss: ``c``, in nats per token.
        params_factor: ``a``, factor of the parameters' term.
        params_exponent: ``alpha``, exponent of the parameters.
        params_experts_factor: ``delta``, exponent of the experts in the factor of the parameters.
        params_experts_exponent: ``gamma``, by which the parameters' exponent moves with the experts' logarithm.
        tokens_factor: ``b``, factor of the tokens' term.
        tokens_exponent: ``beta``, exponent of the tokens.
        tokens_experts_factor: ``omega``, as ``delta`` for the tokens.
        tokens_experts_exponent: ``zeta``, as ``gamma`` for the tokens.
        experts_start: effective number of a single expert.
        experts_most: effective number of infinitely many experts.
    """

    irreducible_loss: float
    params_factor: float
    params_exponent: float
    params_experts_factor: float
    params_experts_exponent: float
    tokens_factor: float
    tokens_exponent: float
    tokens_experts_factor: float
    tokens_experts_exponent: float
    experts_start: float
    experts_most: float


def experts_factor(*, factor: Numeric, exponent: Numeric, saturated: Numeric) -> Numeric:
    r"""Factor of a term of the loss with a number of experts, as the law counts them: :math:`a \hat E^\delta`.

    >>> experts_factor(factor=35.91, exponent=-0.2285, saturated=8.812)
    21.8

    Source: Ludziejewski et al. 2025, equation 6.
    """
    return factor * saturated**exponent


def experts_exponent(*, exponent: Numeric, slope: Numeric, saturated: Numeric) -> Numeric:
    r"""Exponent of a term of the loss with a number of experts: :math:`\alpha + \gamma \ln \hat E`.

    >>> experts_exponent(exponent=-0.1889, slope=0.0098, saturated=8.812)
    -0.1676

    Source: Ludziejewski et al. 2025, equation 6.
    """
    return exponent + slope * log(saturated)


def joint_loss(*, params: Numeric, tokens: Numeric, experts: Numeric, law: JointLaw) -> Numeric:
    r"""Loss in active parameters, tokens and experts, of which a token visits one.

    .. math::

        a \hat E^\delta N^{\alpha + \gamma \ln \hat E} + b \hat E^\omega D^{\beta + \zeta \ln \hat E} + c

    The lecture's 370 million with 32 experts on 130 billion tokens, and the dense 1.3 billion that it is set equal to:

    >>> law = JointLaw(1.3637, 35.91, -0.1889, -0.2285, 0.0098, 35.98, -0.1775, 0.5529, -0.0259, 2.0732, 290.4521)
    >>> joint_loss(params=370e6, tokens=130e9, experts=32, law=law)
    2.395
    >>> joint_loss(params=1.3e9, tokens=130e9, experts=1, law=law)
    2.388

    Source: Ludziejewski et al. 2025, equation 6 and table 3.
    """
    many = saturated_experts(experts=experts, experts_start=law.experts_start, experts_most=law.experts_most)
    by_params = experts_factor(factor=law.params_factor, exponent=law.params_experts_factor, saturated=many)
    by_tokens = experts_factor(factor=law.tokens_factor, exponent=law.tokens_experts_factor, saturated=many)
    of_params = experts_exponent(exponent=law.params_exponent, slope=law.params_experts_exponent, saturated=many)
    of_tokens = experts_exponent(exponent=law.tokens_exponent, slope=law.tokens_experts_exponent, saturated=many)
    return law.irreducible_loss + by_params * params**of_params + by_tokens * tokens**of_tokens
