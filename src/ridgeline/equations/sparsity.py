r"""Sparsity and quality: worth of experts that a token does not visit.

Laws fitted by others to the losses of trained models; the coefficients of one are passed together, and have the names
of ``scaling`` where they are the same. The catalog has them (``catalog/scaling_laws.toml``). They hold near their
fitted range: at most a few billion active parameters and 512 experts.

Sources: lecture 30:13-30:51 (A23, A24); Clark et al. 2022 (arXiv 2202.01169), whose logarithms are to base 10, as their
example of 5 million with 128 experts shows; Krajewski et al. 2024 (arXiv 2402.07871); Abnar et al. 2025 (arXiv
2501.12370). The law of experts and tokens together is in ``joint_sparsity``.
"""

from typing import NamedTuple

from ridgeline.numeric import INFINITY, Numeric, exp, log, solve, where

__all__ = [
    "MANY",
    "GranularLaw",
    "RoutingLaw",
    "SparseLaw",
    "equivalent_params",
    "equivalent_power",
    "granular_factor",
    "granular_loss",
    "routed_total_params",
    "saturated_experts",
    "sparse_equivalent_params",
    "sparse_loss",
    "sparse_optimal_tokens",
]


class RoutingLaw(NamedTuple):
    """Coefficients of the loss of a model whose tokens go to one expert each, in base-10 logarithms.

    Attributes:
        size_slope: ``a``, slope in the logarithm of the dense parameters.
        experts_slope: ``b``, slope in the logarithm of the experts.
        cross_slope: ``c``, slope in the product of both.
        experts_start: ``E_s``, effective number of a single expert.
        experts_most: ``E_m``, effective number of infinitely many experts.
    """

    size_slope: float
    experts_slope: float
    cross_slope: float
    experts_start: float
    experts_most: float


class GranularLaw(NamedTuple):
    """Coefficients of a loss in parameters, tokens and granularity of experts.

    Attributes:
        irreducible_loss: ``c``, in nats per token.
        params_factor: ``a``, factor of the parameters' term.
        params_power: ``alpha``, power of the parameters.
        tokens_factor: ``b``, factor of the tokens' term.
        tokens_power: ``beta``, power of the tokens.
        grain_factor: ``g``, factor of the granularity's term.
        grain_power: ``gamma``, power of the granularity.
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
        irreducible_loss: ``e``, in nats per token.
        params_factor: ``a``, factor of the parameters' term.
        params_power: ``alpha``, power of the parameters.
        tokens_factor: ``b``, factor of the tokens' term.
        tokens_power: ``beta``, power of the tokens.
        active_factor: ``c``, factor of the active part's term.
        active_power: ``lambda``, power of the active part.
        cross_factor: ``d``, factor of the cross term.
        cross_active_power: ``delta``, power of the active part in the cross term.
        cross_params_power: ``gamma``, power of the parameters in the cross term.
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


MANY = 1e12
"""Number of experts that is large enough to show the limit of their worth."""

SMALLEST, LARGEST = 1e3, 1e18
"""Range in which a size is sought, in parameters."""

TOKENS = 1e12
"""Tokens for which losses are compared; any number gives the same, since it adds equally to both sides."""


def saturated_experts(*, experts: Numeric, experts_start: Numeric, experts_most: Numeric) -> Numeric:
    r"""Experts as the law counts them: :math:`1/\hat E = 1/(E - 1 + (1/E_s - 1/E_m)^{-1}) + 1/E_m`.

    From ``experts_start`` for one it grows to at most ``experts_most``, so that further experts help ever less.

    >>> saturated_experts(experts=1, experts_start=1.847, experts_most=314.478)
    1.847
    >>> saturated_experts(experts=1e9, experts_start=1.847, experts_most=314.478)
    314.478

    Source: Clark et al. 2022, section 4.
    """
    offset = 1 / (1 / experts_start - 1 / experts_most)
    return 1 / (1 / (experts - 1 + offset) + 1 / experts_most)


def equivalent_params(*, params: Numeric, experts: Numeric, law: RoutingLaw) -> Numeric:
    r"""Parameters of the dense model equivalent to ``params`` with ``experts`` in every other layer.

    .. math::

        \lg \bar N = \frac{a \lg N + b (\lg \hat E - \lg E_s) + c \lg N \lg \hat E}{a + c \lg E_s}

    Logarithms are to base 10, as the coefficients need. One expert per token, 130 billion tokens; the advantage shrinks
    with size. The lecture's 370 million with 64 experts, which it sets equal to 1.3 billion:

    >>> law = RoutingLaw(-0.082, -0.108, 0.009, 1.847, 314.478)
    >>> equivalent_params(params=370e6, experts=64, law=law)
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


def equivalent_power(*, experts: Numeric, law: RoutingLaw) -> Numeric:
    r"""Power of the parameters in those of the equivalent dense model, :math:`(a + c \lg \hat E)/(a + c \lg E_s)`.

    It is below one, so that the advantage shrinks with size:

    >>> law = RoutingLaw(-0.082, -0.108, 0.009, 1.847, 314.478)
    >>> equivalent_power(experts=64, law=law)
    0.834

    Source: Clark et al. 2022, section 5.
    """
    start = log(law.experts_start)
    found = saturated_experts(experts=experts, experts_start=law.experts_start, experts_most=law.experts_most)
    ten = log(10.0)
    return (law.size_slope + law.cross_slope * log(found) / ten) / (law.size_slope + law.cross_slope * start / ten)


def routed_total_params(*, params: Numeric, routed_fraction: Numeric, experts: Numeric) -> Numeric:
    """Parameters in memory when a part of a dense model's is held once for each expert: ``N (1 + f (E - 1))``.

    Blocks have two thirds of a layer's parameters, and every other layer is routed, so a third is: 64 experts make 370
    million 8 billion, 22 times as many and not 64 times.

    >>> routed_total_params(params=370e6, routed_fraction=1 / 3, experts=64)
    8.14e9

    Source: lecture 30:13 (A23).
    """
    return params * (1 + routed_fraction * (experts - 1))


def granular_factor(*, granularity: Numeric, law: GranularLaw) -> Numeric:
    r"""Factor of the parameters where experts are cut into ``granularity`` finer ones: :math:`g/G^\gamma + a`.

    >>> law = GranularLaw(0.47, 18.1, 0.115, 30.8, 0.147, 2.1, 0.58)
    >>> granular_factor(granularity=16, law=law)
    18.5

    Source: Krajewski et al. 2024, section 4.
    """
    return law.grain_factor / granularity**law.grain_power + law.params_factor


def granular_loss(*, params: Numeric, tokens: Numeric, granularity: Numeric, law: GranularLaw) -> Numeric:
    r"""Loss where experts are cut into ``granularity`` finer ones: :math:`c + (g/G^\gamma + a)/N^\alpha + b/D^\beta`.

    ``params`` are all, experts included. At 6 billion and 20 billion tokens, whole and cut into 16:

    >>> law = GranularLaw(0.47, 18.1, 0.115, 30.8, 0.147, 2.1, 0.58)
    >>> [granular_loss(params=6e9, tokens=20e9, granularity=pieces, law=law) for pieces in (1, 16)]
    [2.929, 2.803]

    Source: Krajewski et al. 2024, section 4.
    """
    size = granular_factor(granularity=granularity, law=law) / params**law.params_power
    return law.irreducible_loss + size + law.tokens_factor / tokens**law.tokens_power


def sparse_loss(*, params: Numeric, tokens: Numeric, active_fraction: Numeric, law: SparseLaw) -> Numeric:
    r"""Loss where a token visits a part :math:`x` of the experts, ``active_fraction``.

    .. math::

        e + \frac{a}{N^\alpha} + \frac{b}{D^\beta} + c\, x^\lambda + \frac{d}{x^\delta N^\gamma}

    ``params`` are all. At the same total a dense model is better; at the same active size the sparse one is:

    >>> law = SparseLaw(0.94, 16612.5, 0.5962, 5455.67, 0.3954, 0.4598, 0.1666, 17.26, 0.1603, 0.1595)
    >>> sparse_loss(params=8e9, tokens=1e11, active_fraction=1, law=law)
    2.12
    >>> sparse_loss(params=8e9, tokens=1e11, active_fraction=1 / 8, law=law)
    2.16
    >>> sparse_loss(params=1e9, tokens=1e11, active_fraction=1, law=law)
    2.35

    Source: Abnar et al. 2025, section 5, whose sparsity is ``1 - x``.
    """
    alone = law.params_factor / params**law.params_power + law.tokens_factor / tokens**law.tokens_power
    cross = law.cross_factor / (active_fraction**law.cross_active_power * params**law.cross_params_power)
    return law.irreducible_loss + alone + law.active_factor * active_fraction**law.active_power + cross


def sparse_optimal_tokens(*, params: Numeric, active_fraction: Numeric, law: SparseLaw) -> Numeric:
    r"""Tokens for which a model of ``params`` in all is the best use of its training.

    .. math::

        D = \left(\frac{\beta b}{\alpha a N^{-\alpha} + \gamma d\, x^{-\delta} N^{-\gamma}}\right)^{1/\beta}

    >>> law = SparseLaw(0.94, 16612.5, 0.5962, 5455.67, 0.3954, 0.4598, 0.1666, 17.26, 0.1603, 0.1595)
    >>> sparse_optimal_tokens(params=8e9, active_fraction=1 / 8, law=law)
    6.6e10

    Derivation: least loss of Abnar et al. 2025, equation 6, at a fixed 6ND; both powers of N count.
    """
    alone = law.params_power * law.params_factor * params**-law.params_power
    cross = law.cross_params_power * law.cross_factor * params**-law.cross_params_power
    rising = alone + cross / active_fraction**law.cross_active_power
    return (law.tokens_power * law.tokens_factor / rising) ** (1 / law.tokens_power)


def sparse_equivalent_params(*, params: Numeric, active_fraction: Numeric, law: SparseLaw) -> Numeric:
    """Parameters of the dense model with the loss of a sparse one of ``params`` in all, found by bisection.

    It does not depend on the tokens, since their part of the loss is the same in both; infinite where no dense model is
    as good. The lecture's 370 million with 64 experts in every other layer, 22 times the parameters:

    >>> law = SparseLaw(0.94, 16612.5, 0.5962, 5455.67, 0.3954, 0.4598, 0.1666, 17.26, 0.1603, 0.1595)
    >>> sparse_equivalent_params(params=22 * 370e6, active_fraction=1 / 64, law=law)
    1.25e9

    Source: Abnar et al. 2025, section 5, its loss set equal to that of a dense model.
    """
    loss = sparse_loss(params=params, tokens=TOKENS, active_fraction=active_fraction, law=law)

    def excess(log_params: Numeric) -> Numeric:
        return loss - sparse_loss(params=exp(log_params), tokens=TOKENS, active_fraction=1.0, law=law)

    found = exp(solve(excess, log(SMALLEST), log(LARGEST)))
    return where(excess(log(LARGEST)) < 0, INFINITY, found)
