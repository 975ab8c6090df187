r"""Scaling laws: what parameters and tokens buy, and how far past the optimum of training serving makes them go.

.. math::

    L(N, D) = E + A N^{-\alpha} + B D^{-\beta}

The least loss of :math:`C = 6ND` has :math:`\alpha A N^{-\alpha} = \beta B D^{-\beta}`: both terms fall alike when
either is grown by the same part. A law is five numbers, which go in as one.

Sources: lecture 1:25-1:33 (C10, C11); Hoffmann et al. 2022 (arXiv 2203.15556); Besiroglu et al. 2024 (arXiv
2404.10102); Sardana et al. 2023 (arXiv 2401.00448).
"""

from typing import NamedTuple

from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.numeric import INFINITY, Numeric, exp, log, solve, where

__all__ = [
    "BESIROGLU",
    "CHINCHILLA_TOKENS_PER_PARAM",
    "HOFFMANN",
    "HOFFMANN_UNROUNDED",
    "SARDANA",
    "ScalingLaw",
    "chinchilla_tokens",
    "model_loss",
    "optimal_params_when_served",
    "optimal_tokens",
    "optimal_tokens_when_served",
    "over_training",
    "params_for_loss",
    "tokens_for_loss",
]


class ScalingLaw(NamedTuple):
    """Coefficients of a loss in parameters and tokens, ``E + A N**-alpha + B D**-beta``.

    Attributes:
        irreducible_loss: ``E``, in nats a token: what is left of endless parameters and tokens.
        params_factor: ``A``.
        params_power: ``alpha``.
        tokens_factor: ``B``.
        tokens_power: ``beta``.
    """

    irreducible_loss: float
    params_factor: float
    params_power: float
    tokens_factor: float
    tokens_power: float


CHINCHILLA_TOKENS_PER_PARAM = 20
"""The rule of thumb that the lecture uses; Hoffmann et al. 2022, table 3. Their own fitted loss does not give it."""

HOFFMANN = ScalingLaw(
    irreducible_loss=1.69,
    params_factor=406.4,
    params_power=0.34,
    tokens_factor=410.7,
    tokens_power=0.28,
)
"""As printed in Hoffmann et al. 2022, equation 10; powers rounded to two digits."""

HOFFMANN_UNROUNDED = ScalingLaw(
    irreducible_loss=1.6934,
    params_factor=406.4,
    params_power=0.3392,
    tokens_factor=410.7,
    tokens_power=0.2849,
)
"""The same with the digits of the paper's source file, as Besiroglu et al. 2024 quote them."""

BESIROGLU = ScalingLaw(
    irreducible_loss=1.8172,
    params_factor=482.01,
    params_power=0.3478,
    tokens_factor=2085.43,
    tokens_power=0.3658,
)
"""Besiroglu et al. 2024: the same runs fitted again; at Chinchilla's own budget 18 tokens a parameter."""

SARDANA = ScalingLaw(
    irreducible_loss=1.69,
    params_factor=406.4,
    params_power=0.336,
    tokens_factor=410.7,
    tokens_power=0.283,
)
"""Hoffmann et al.'s with a third digit, as Sardana et al. 2023 use them for their examples."""

MOST_TOKENS = 1e24
"""End of the range in which the best number of tokens is sought."""


def chinchilla_tokens(*, active_params: Numeric) -> Numeric:
    """Training tokens by the rule of thumb: 20 a parameter.

    >>> chinchilla_tokens(active_params=100e9)
    2e12

    Source: lecture 1:32 (C10); Hoffmann et al. 2022.
    """
    return CHINCHILLA_TOKENS_PER_PARAM * active_params


def over_training(*, tokens: Numeric, compute_optimal_tokens: Numeric) -> Numeric:
    """How many times as many tokens as are optimal for training alone.

    >>> over_training(tokens=200e12, compute_optimal_tokens=chinchilla_tokens(active_params=100e9))
    100.0

    Source: lecture 1:32 (C10).
    """
    return tokens / compute_optimal_tokens


def model_loss(*, params: Numeric, tokens: Numeric, law: ScalingLaw) -> Numeric:
    """Loss of a dense model after training, ``E + A N**-alpha + B D**-beta``.

    Fitted on 70 million to 16 billion parameters and 5 to 500 billion tokens; everything beyond extrapolates.

    >>> model_loss(params=100e9, tokens=200e12, law=BESIROGLU)
    1.901

    Source: Hoffmann et al. 2022, equation 2.
    """
    by_tokens = law.tokens_factor * tokens**-law.tokens_power
    return law.irreducible_loss + law.params_factor * params**-law.params_power + by_tokens


def tokens_for_loss(*, params: Numeric, loss: Numeric, law: ScalingLaw) -> Numeric:
    r"""Training tokens that bring a model of ``params`` to ``loss``; infinite where none do.

    :math:`D = (B / (L - E - A N^{-\alpha}))^{1/\beta}`. A model a fifth smaller than the
    board's takes over five times the tokens to be as good; one two fifths smaller never is:

    >>> loss = model_loss(params=100e9, tokens=200e12, law=BESIROGLU)
    >>> tokens_for_loss(params=80e9, loss=loss, law=BESIROGLU)
    1.1e15
    >>> tokens_for_loss(params=60e9, loss=loss, law=BESIROGLU)
    inf

    Source: Hoffmann et al. 2022, equation 2, solved for D.
    """
    left = loss - law.irreducible_loss - law.params_factor * params**-law.params_power
    return where(left > 0, (law.tokens_factor / where(left > 0, left, 1.0)) ** (1 / law.tokens_power), INFINITY)


def params_for_loss(*, tokens: Numeric, loss: Numeric, law: ScalingLaw) -> Numeric:
    """Parameters that reach ``loss`` on ``tokens``; infinite where none do.

    With endless tokens, the fewest of all:

    >>> loss = model_loss(params=100e9, tokens=200e12, law=BESIROGLU)
    >>> params_for_loss(tokens=200e12, loss=loss, law=BESIROGLU), params_for_loss(tokens=1e99, loss=loss, law=BESIROGLU)
    (100e9, 64e9)

    Source: Hoffmann et al. 2022, equation 2, solved for N.
    """
    left = loss - law.irreducible_loss - law.tokens_factor * tokens**-law.tokens_power
    return where(left > 0, (law.params_factor / where(left > 0, left, 1.0)) ** (1 / law.params_power), INFINITY)


def optimal_tokens(*, params: Numeric, law: ScalingLaw) -> Numeric:
    r"""Tokens for which a model of ``params`` is the best use of its training.

    :math:`D = (\beta B N^\alpha / \alpha A)^{1/\beta}`. The fits part by far where the lecture uses them:

    >>> optimal_tokens(params=100e9, law=HOFFMANN), optimal_tokens(params=100e9, law=BESIROGLU)
    (11.8e12, 1.81e12)

    Derivation: least loss at a fixed 6ND.
    """
    ratio = law.tokens_power * law.tokens_factor / (law.params_power * law.params_factor)
    return (ratio * params**law.params_power) ** (1 / law.tokens_power)


def optimal_params_when_served(*, tokens: Numeric, weighted_served_tokens: Numeric, law: ScalingLaw) -> Numeric:
    r"""Parameters that go with ``tokens`` where serving is paid for too.

    Least :math:`6ND + 2ND_s` at a given loss: :math:`\alpha A N^{-\alpha} = (1 + D_s / 3D)\, \beta B D^{-\beta}`.
    ``weighted_served_tokens`` are those served over the relative efficiency. Without any, the optimum of training:

    >>> optimal_params_when_served(tokens=1.81e12, weighted_served_tokens=0, law=BESIROGLU)
    100e9

    Source: Sardana et al. 2023, with its first-order condition solved for N.
    """
    dearer = 1 + FLOP_PER_PARAM * weighted_served_tokens / (TRAINING_FLOP_PER_PARAM * tokens)
    by_tokens = dearer * law.tokens_power * law.tokens_factor * tokens**-law.tokens_power
    return (law.params_power * law.params_factor / by_tokens) ** (1 / law.params_power)


def optimal_tokens_when_served(*, loss: Numeric, weighted_served_tokens: Numeric, law: ScalingLaw) -> Numeric:
    """Training tokens of the cheapest model of that loss that is also served, found by halving up to 1e24.

    Along the optimum more tokens go with more parameters and less loss, so there is one answer. The board's model, 200
    trillion tokens served at a third of training's efficiency:

    >>> loss = model_loss(params=100e9, tokens=200e12, law=BESIROGLU)
    >>> optimal_tokens_when_served(loss=loss, weighted_served_tokens=3 * 200e12, law=BESIROGLU)
    76e12

    Source: Sardana et al. 2023 (C11).
    """

    def excess(log_tokens: Numeric) -> Numeric:
        tokens = exp(log_tokens)
        params = optimal_params_when_served(tokens=tokens, weighted_served_tokens=weighted_served_tokens, law=law)
        return loss - model_loss(params=params, tokens=tokens, law=law)

    return exp(solve(excess, 0.0, log(MOST_TOKENS)))
