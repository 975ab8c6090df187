r"""Sparsity and quality: what experts that a token does not visit are worth.

Laws fitted by others to the losses of trained models; the coefficients of one go in together, as in
``equivalent_params(params=370e6, experts=64, law=S_BASE)``, and are named as in ``scaling`` where they are alike. They
hold near what they were fitted on: at most a few billion active parameters and 512 experts.

Sources: lecture 30:13-30:51 (A23, A24); Clark et al. 2022 (arXiv 2202.01169); Krajewski et al. 2024 (arXiv 2402.07871);
Abnar et al. 2025 (arXiv 2501.12370). All coefficients here were compared with a second, public record of the papers'
tables and agree to the last digit; the logarithms of Clark et al. are to base 10, which that record leaves open and
their example of 5 million with 128 experts decides. Ludziejewski et al. 2025 (arXiv 2502.05172) is left out: the signs
of its powers could not be confirmed.
"""

from typing import NamedTuple

from ridgeline.equations.scaling import ScalingLaw
from ridgeline.numeric import INFINITY, Numeric, exp, log, solve, where

__all__ = [
    "ABNAR",
    "HASH",
    "KRAJEWSKI",
    "KRAJEWSKI_DENSE",
    "MANY",
    "RL_R",
    "S_BASE",
    "GranularLaw",
    "RoutingLaw",
    "SparseLaw",
    "equivalent_params",
    "granular_loss",
    "routed_total_params",
    "saturated_experts",
    "sparse_equivalent_params",
    "sparse_loss",
]


class RoutingLaw(NamedTuple):
    """Coefficients of the loss of a model whose tokens go to one expert each, in base-10 logarithms.

    Attributes:
        size_slope: ``a``, of the logarithm of the dense parameters.
        experts_slope: ``b``, of that of the experts.
        cross_slope: ``c``, of the product of both.
        experts_start: ``E_s``, as how many a single expert counts.
        experts_most: ``E_m``, as how many endless ones do.
    """

    size_slope: float
    experts_slope: float
    cross_slope: float
    experts_start: float
    experts_most: float


class GranularLaw(NamedTuple):
    """Coefficients of a loss in parameters, tokens and how finely experts are cut.

    Attributes:
        irreducible_loss: ``c``.
        params_factor: ``a``.
        params_power: ``alpha``.
        tokens_factor: ``b``.
        tokens_power: ``beta``.
        grain_factor: ``g``.
        grain_power: ``gamma``.
    """

    irreducible_loss: float
    params_factor: float
    params_power: float
    tokens_factor: float
    tokens_power: float
    grain_factor: float
    grain_power: float


class SparseLaw(NamedTuple):
    """Coefficients of a loss in parameters, tokens and the part of the experts that a token visits.

    Attributes:
        irreducible_loss: ``e``.
        params_factor: ``a``.
        params_power: ``alpha``.
        tokens_factor: ``b``.
        tokens_power: ``beta``.
        active_factor: ``c``.
        active_power: ``lambda``.
        cross_factor: ``d``.
        cross_active_power: ``delta``.
        cross_params_power: ``gamma``.
    """

    irreducible_loss: float
    params_factor: float
    params_power: float
    tokens_factor: float
    tokens_power: float
    active_factor: float
    active_power: float
    cross_factor: float
    cross_active_power: float
    cross_params_power: float


S_BASE = RoutingLaw(
    size_slope=-0.082,
    experts_slope=-0.108,
    cross_slope=0.009,
    experts_start=1.847,
    experts_most=314.478,
)
"""Clark et al. 2022, balanced assignment of tokens to experts."""

RL_R = RoutingLaw(
    size_slope=-0.083,
    experts_slope=-0.126,
    cross_slope=0.012,
    experts_start=1.880,
    experts_most=469.982,
)
"""Clark et al. 2022, a router trained by reinforcement."""

HASH = RoutingLaw(
    size_slope=-0.087,
    experts_slope=-0.136,
    cross_slope=0.012,
    experts_start=4.175,
    experts_most=477.741,
)
"""Clark et al. 2022, experts by a hash of the token."""

KRAJEWSKI = GranularLaw(
    irreducible_loss=0.47,
    params_factor=18.1,
    params_power=0.115,
    tokens_factor=30.8,
    tokens_power=0.147,
    grain_factor=2.1,
    grain_power=0.58,
)
"""Krajewski et al. 2024, 64 times the parameters of the dense block."""

KRAJEWSKI_DENSE = ScalingLaw(
    irreducible_loss=0.47,
    params_factor=16.3,
    params_power=0.126,
    tokens_factor=26.7,
    tokens_power=0.127,
)
"""Krajewski et al. 2024, dense models on the same data; it has the form of ``scaling.model_loss``."""

ABNAR = SparseLaw(
    irreducible_loss=0.94,
    params_factor=16612.50,
    params_power=0.5962,
    tokens_factor=5455.67,
    tokens_power=0.3954,
    active_factor=0.4598,
    active_power=0.1666,
    cross_factor=17.26,
    cross_active_power=0.1603,
    cross_params_power=0.1595,
)
"""Abnar et al. 2025; explains 68 % of the variance of models held out."""

MANY = 1e12
"""As many experts as to see the end of what they are worth."""

SMALLEST, LARGEST = 1e3, 1e18
"""Ends of the range in which a size is sought."""

TOKENS = 1e12
"""Any number would do: what they add to the loss is the same on both sides."""


def saturated_experts(*, experts: Numeric, experts_start: Numeric, experts_most: Numeric) -> Numeric:
    r"""Experts as the law counts them: :math:`1/\hat E = 1/(E - 1 + (1/E_s - 1/E_m)^{-1}) + 1/E_m`.

    From ``experts_start`` for one it grows to at most ``experts_most``, so that ever more experts help ever less.

    >>> saturated_experts(experts=1, experts_start=1.847, experts_most=314.478)
    1.847
    >>> saturated_experts(experts=1e9, experts_start=1.847, experts_most=314.478)
    314.478

    Source: Clark et al. 2022, section 4.
    """
    offset = 1 / (1 / experts_start - 1 / experts_most)
    return 1 / (1 / (experts - 1 + offset) + 1 / experts_most)


def equivalent_params(*, params: Numeric, experts: Numeric, law: RoutingLaw) -> Numeric:
    r"""Parameters of the dense model that is as good as ``params`` with ``experts`` in every other layer.

    .. math::

        \lg \bar N = \frac{a \lg N + b (\lg \hat E - \lg E_s) + c \lg N \lg \hat E}{a + c \lg E_s}

    Logarithms to base 10, as their coefficients need. One expert a token, 130 billion tokens; the advantage shrinks
    with size. The lecture's 370 million with 64 experts, which it sets equal to 1.3 billion:

    >>> equivalent_params(params=370e6, experts=64, law=S_BASE)
    1.37e9

    Source: Clark et al. 2022, section 5; lecture 30:13 (A23).
    """
    ten = log(10.0)
    size = log(params) / ten
    start = log(law.experts_start) / ten
    found = saturated_experts(experts=experts, experts_start=law.experts_start, experts_most=law.experts_most)
    spread = log(found) / ten
    top = law.size_slope * size + law.experts_slope * (spread - start) + law.cross_slope * size * spread
    return exp(top / (law.size_slope + law.cross_slope * start) * ten)


def routed_total_params(*, params: Numeric, routed_fraction: Numeric, experts: Numeric) -> Numeric:
    """Parameters in memory when a part of a dense model's is held once for each expert: ``N (1 + f (E - 1))``.

    Blocks have two thirds of a layer's parameters, and every other layer is routed, so a third is: 64 experts make 370
    million 8 billion, 22 times as many and not 64 times.

    >>> routed_total_params(params=370e6, routed_fraction=1 / 3, experts=64)
    8.14e9

    Source: lecture 30:13 (A23).
    """
    return params * (1 + routed_fraction * (experts - 1))


def granular_loss(*, params: Numeric, tokens: Numeric, granularity: Numeric, law: GranularLaw) -> Numeric:
    r"""Loss where experts are cut into ``granularity`` finer ones: :math:`c + (g/G^\gamma + a)/N^\alpha + b/D^\beta`.

    ``params`` are all, those of experts among them. At 6 billion and 20 billion tokens, whole and cut into 16:

    >>> granular_loss(params=6e9, tokens=20e9, granularity=1, law=KRAJEWSKI)
    2.929
    >>> granular_loss(params=6e9, tokens=20e9, granularity=16, law=KRAJEWSKI)
    2.803

    Source: Krajewski et al. 2024, section 4.
    """
    size = (law.grain_factor / granularity**law.grain_power + law.params_factor) / params**law.params_power
    return law.irreducible_loss + size + law.tokens_factor / tokens**law.tokens_power


def sparse_loss(*, params: Numeric, tokens: Numeric, active_fraction: Numeric, law: SparseLaw) -> Numeric:
    r"""Loss where a token visits a part :math:`x` of the experts, ``active_fraction``.

    .. math::

        e + \frac{a}{N^\alpha} + \frac{b}{D^\beta} + c\, x^\lambda + \frac{d}{x^\delta N^\gamma}

    ``params`` are all. At the same total a dense model is better; at the same active size the sparse one is:

    >>> sparse_loss(params=8e9, tokens=1e11, active_fraction=1, law=ABNAR)
    2.12
    >>> sparse_loss(params=8e9, tokens=1e11, active_fraction=1 / 8, law=ABNAR)
    2.16
    >>> sparse_loss(params=1e9, tokens=1e11, active_fraction=1, law=ABNAR)
    2.35

    Source: Abnar et al. 2025, section 5, whose sparsity is ``1 - x``.
    """
    alone = law.params_factor / params**law.params_power + law.tokens_factor / tokens**law.tokens_power
    cross = law.cross_factor / (active_fraction**law.cross_active_power * params**law.cross_params_power)
    return law.irreducible_loss + alone + law.active_factor * active_fraction**law.active_power + cross


def sparse_equivalent_params(*, params: Numeric, active_fraction: Numeric, law: SparseLaw) -> Numeric:
    """Parameters of the dense model with the loss of a sparse one of ``params`` in all, found by halving.

    Whatever the tokens, since their part of the loss is the same in both; infinite where no dense model is as good. The
    lecture's 370 million with 64 experts in every other layer, 22 times the parameters:

    >>> sparse_equivalent_params(params=22 * 370e6, active_fraction=1 / 64, law=ABNAR)
    1.25e9

    Source: Abnar et al. 2025, section 5, its loss set equal to that of a dense model.
    """
    loss = sparse_loss(params=params, tokens=TOKENS, active_fraction=active_fraction, law=law)

    def excess(log_params: Numeric) -> Numeric:
        return loss - sparse_loss(params=exp(log_params), tokens=TOKENS, active_fraction=1.0, law=law)

    found = exp(solve(excess, log(SMALLEST), log(LARGEST)))
    return where(excess(log(LARGEST)) < 0, INFINITY, found)
