r"""Scaling laws: loss in parameters and tokens, and training beyond the compute optimum for models that are served.

.. math::

    L(N, D) = E + A N^{-\alpha} + B D^{-\beta}

The least loss of :math:`C = 6ND` has :math:`\alpha A N^{-\alpha} = \beta B D^{-\beta}`: both terms fall alike when
either is grown by the same part. A law is five numbers, which go in as one; the catalog has those of published fits
(``catalog/scaling_laws.toml``), and no formula here has any of its own. Examples take the fit of Besiroglu et al.

Sources: lecture 1:25-1:33 (C10, C11); Hoffmann et al. 2022 (arXiv 2203.15556); Besiroglu et al. 2024 (arXiv
2404.10102); Sardana et al. 2023 (arXiv 2401.00448).
"""

from typing import NamedTuple

from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.numeric import INFINITY, Numeric, exp, log, solve, where

__all__ = [
    "CHINCHILLA_TOKENS_PER_PARAM",
    "ComputeLaw",
    "ScalingLaw",
    "chinchilla_tokens",
    "compute_optimal_tokens",
    "implied_served_tokens",
    "model_loss",
    "optimal_params_when_served",
    "optimal_tokens",
    "optimal_tokens_for_budget",
    "optimal_tokens_when_served",
    "over_training",
    "over_training_when_served",
    "params_for_loss",
    "tokens_for_loss",
]


class ScalingLaw(NamedTuple):
    """Coefficients of a loss in parameters and tokens, ``E + A N**-alpha + B D**-beta``.

    Attributes:
        irreducible_loss: ``E``, loss of infinitely many parameters and tokens, nats per token.
        params_factor: ``A``, factor of the parameters' term.
        params_power: ``alpha``, power of the parameters.
        tokens_factor: ``B``, factor of the tokens' term.
        tokens_power: ``beta``, power of the tokens.
    """

    irreducible_loss: float
    params_factor: float
    params_power: float
    tokens_factor: float
    tokens_power: float


class ComputeLaw(NamedTuple):
    """Coefficients of the best tokens of a compute budget, ``factor * C**power``.

    Attributes:
        factor: tokens of one FLOP.
        power: power of the compute.
    """

    factor: float
    power: float


CHINCHILLA_TOKENS_PER_PARAM = 20
"""Tokens per parameter by the lecture's rule; Hoffmann et al. 2022, table 3. Their own fitted loss gives another."""

MOST_TOKENS = 1e24
"""End of the range in which the best number of tokens is sought."""


def chinchilla_tokens(*, active_params: Numeric) -> Numeric:
    """Training tokens by the rule of thumb: 20 per parameter.

    >>> chinchilla_tokens(active_params=100e9)
    2e12

    Source: lecture 1:32 (C10); Hoffmann et al. 2022.
    """
    return CHINCHILLA_TOKENS_PER_PARAM * active_params


def over_training(*, tokens: Numeric, compute_optimal_tokens: Numeric) -> Numeric:
    """Tokens over those that are optimal for training alone.

    >>> over_training(tokens=200e12, compute_optimal_tokens=chinchilla_tokens(active_params=100e9))
    100.0

    Source: lecture 1:32 (C10).
    """
    return tokens / compute_optimal_tokens


def over_training_when_served(*, later_cost_ratio: Numeric, tokens_power: Numeric) -> Numeric:
    r"""Tokens of the cheapest served model over the optimum of training alone: :math:`(1 + r)^{1/\beta}`.

    :math:`r` is the cost of everything after pre-training over pre-training's. It holds for any model size and loss:
    equal thirds are optimal at 50 times by the power of Hoffmann's printed fit, and at 20 by Besiroglu's:

    >>> [over_training_when_served(later_cost_ratio=2, tokens_power=power) for power in (0.28, 0.3658)]
    [50.6, 20.2]

    Derivation: the first-order condition of Sardana et al. 2023 is :math:`(D / D_{opt}(N))^\beta = 1 + r`.
    """
    return (1 + later_cost_ratio) ** (1 / tokens_power)


def model_loss(*, params: Numeric, tokens: Numeric, law: ScalingLaw) -> Numeric:
    """Loss of a dense model after training, ``E + A N**-alpha + B D**-beta``.

    Fitted on 70 million to 16 billion parameters and 5 to 500 billion tokens; everything beyond extrapolates.

    >>> law = ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> model_loss(params=100e9, tokens=200e12, law=law)
    1.901

    Source: Hoffmann et al. 2022, equation 2.
    """
    by_tokens = law.tokens_factor * tokens**-law.tokens_power
    return law.irreducible_loss + law.params_factor * params**-law.params_power + by_tokens


def tokens_for_loss(*, params: Numeric, loss: Numeric, law: ScalingLaw) -> Numeric:
    r"""Training tokens that bring a model of ``params`` to ``loss``; infinite where none do.

    :math:`D = (B / (L - E - A N^{-\alpha}))^{1/\beta}`. A model a fifth smaller than the board's takes over five times
    the tokens to be as good; one two fifths smaller never is:

    >>> law = ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> loss = model_loss(params=100e9, tokens=200e12, law=law)
    >>> tokens_for_loss(params=80e9, loss=loss, law=law)
    1.1e15
    >>> tokens_for_loss(params=60e9, loss=loss, law=law)
    inf

    Source: Hoffmann et al. 2022, equation 2, solved for D.
    """
    left = loss - law.irreducible_loss - law.params_factor * params**-law.params_power
    return where(left > 0, (law.tokens_factor / where(left > 0, left, 1.0)) ** (1 / law.tokens_power), INFINITY)


def params_for_loss(*, tokens: Numeric, loss: Numeric, law: ScalingLaw) -> Numeric:
    """Parameters that reach ``loss`` on ``tokens``; infinite where none do.

    With infinitely many tokens, the fewest of all:

    >>> law = ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> loss = model_loss(params=100e9, tokens=200e12, law=law)
    >>> params_for_loss(tokens=200e12, loss=loss, law=law), params_for_loss(tokens=1e99, loss=loss, law=law)
    (100e9, 64e9)

    Source: Hoffmann et al. 2022, equation 2, solved for N.
    """
    left = loss - law.irreducible_loss - law.tokens_factor * tokens**-law.tokens_power
    return where(left > 0, (law.params_factor / where(left > 0, left, 1.0)) ** (1 / law.params_power), INFINITY)


def optimal_tokens(*, params: Numeric, law: ScalingLaw) -> Numeric:
    r"""Tokens for which a model of ``params`` is the best use of its training.

    :math:`D = (\beta B N^\alpha / \alpha A)^{1/\beta}`. The fits differ widely where the lecture uses them:

    >>> fits = ScalingLaw(1.69, 406.4, 0.34, 410.7, 0.28), ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> [optimal_tokens(params=100e9, law=fit) for fit in fits]
    [11.8e12, 1.81e12]

    Derivation: least loss at a fixed 6ND.
    """
    ratio = law.tokens_power * law.tokens_factor / (law.params_power * law.params_factor)
    return (ratio * params**law.params_power) ** (1 / law.tokens_power)


def optimal_params_when_served(*, tokens: Numeric, weighted_served_tokens: Numeric, law: ScalingLaw) -> Numeric:
    r"""Parameters that go with ``tokens`` where serving is also paid for.

    It minimises :math:`6ND + 2ND_s` at a given loss: :math:`\alpha A N^{-\alpha} = (1 + D_s / 3D)\, \beta B
    D^{-\beta}`. ``weighted_served_tokens`` are those served over the relative efficiency. Without any, it is the
    optimum of training:

    >>> law = ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> optimal_params_when_served(tokens=1.81e12, weighted_served_tokens=0, law=law)
    100e9

    Source: Sardana et al. 2023, with its first-order condition solved for N.
    """
    dearer = 1 + FLOP_PER_PARAM * weighted_served_tokens / (TRAINING_FLOP_PER_PARAM * tokens)
    by_tokens = dearer * law.tokens_power * law.tokens_factor * tokens**-law.tokens_power
    return (law.params_power * law.params_factor / by_tokens) ** (1 / law.params_power)


def optimal_tokens_when_served(*, loss: Numeric, weighted_served_tokens: Numeric, law: ScalingLaw) -> Numeric:
    """Training tokens of the cheapest model of that loss that is also served, found by bisection up to 1e24.

    Infinite where no model reaches the loss on that many. Along the optimum, more tokens go with more parameters and
    less loss, so the solution is unique. The board's model, with 200 trillion tokens served at a third of training's
    efficiency:

    >>> law = ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> loss = model_loss(params=100e9, tokens=200e12, law=law)
    >>> optimal_tokens_when_served(loss=loss, weighted_served_tokens=3 * 200e12, law=law)
    76e12

    Source: Sardana et al. 2023 (C11).
    """

    def excess(log_tokens: Numeric) -> Numeric:
        tokens = exp(log_tokens)
        params = optimal_params_when_served(tokens=tokens, weighted_served_tokens=weighted_served_tokens, law=law)
        return loss - model_loss(params=params, tokens=tokens, law=law)

    most = log(MOST_TOKENS)
    return where(excess(most) < 0, INFINITY, exp(solve(excess, 0.0, most)))


def optimal_tokens_for_budget(*, budget_flop: Numeric, weighted_served_tokens: Numeric, law: ScalingLaw) -> Numeric:
    r"""Training tokens of the best model that ``budget_flop`` pays to train and serve, found by bisection up to 1e24.

    Least loss at a given :math:`6ND + 2ND_s` has the same first-order condition as least cost at a given loss; along it
    the cost rises with the tokens. The cheapest of the board's loss, found from its cost of 1.01e26 FLOP:

    >>> law = ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> cost = 124.1e9 * (6 * 75.84e12 + 2 * 600e12)
    >>> optimal_tokens_for_budget(budget_flop=cost, weighted_served_tokens=600e12, law=law)
    76e12

    Derivation: the first-order condition of Sardana et al. 2023, with the cost in place of the loss.
    """

    def excess(log_tokens: Numeric) -> Numeric:
        tokens = exp(log_tokens)
        params = optimal_params_when_served(tokens=tokens, weighted_served_tokens=weighted_served_tokens, law=law)
        per_param = TRAINING_FLOP_PER_PARAM * tokens + FLOP_PER_PARAM * weighted_served_tokens
        return log(params) + log(per_param) - log(budget_flop)

    return exp(solve(excess, 0.0, log(MOST_TOKENS)))


def compute_optimal_tokens(*, params: Numeric, law: ComputeLaw) -> Numeric:
    r"""Tokens for which ``params`` are the best use of training, by a law of tokens in compute alone.

    :math:`D = k\,(6ND)^p`, solved for D. Llama 3's largest model, which was trained on 15.6 trillion:

    >>> law = ComputeLaw(0.299, 0.537)
    >>> compute_optimal_tokens(params=405e9, law=law)
    17.1e12

    Source: Grattafiori et al. 2024 (arXiv 2407.21783), section 3.2.1, with C = 6ND.
    """
    return (law.factor * (TRAINING_FLOP_PER_PARAM * params) ** law.power) ** (1 / (1 - law.power))


def implied_served_tokens(*, params: Numeric, tokens: Numeric, law: ScalingLaw) -> Numeric:
    r"""Served tokens, over the relative efficiency, for which a model of ``params`` and ``tokens`` costs least.

    The first-order condition, inverted: :math:`D_s = 3D\,(\alpha A N^{-\alpha} / \beta B D^{-\beta} - 1)`; negative for
    a model with too few tokens even for training alone. Llama 3.1 8B on 15 trillion is optimal for 190 trillion:

    >>> law = ScalingLaw(1.8172, 482.01, 0.3478, 2085.43, 0.3658)
    >>> implied_served_tokens(params=8.03e9, tokens=15e12, law=law)
    1.9e14

    Derivation: Sardana et al. 2023, its first-order condition solved for the served tokens.
    """
    by_params = law.params_power * law.params_factor * params**-law.params_power
    by_tokens = law.tokens_power * law.tokens_factor * tokens**-law.tokens_power
    return TRAINING_FLOP_PER_PARAM / FLOP_PER_PARAM * tokens * (by_params / by_tokens - 1)
