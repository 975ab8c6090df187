r"""Training, reinforcement learning and serving: how a budget of compute is split, and how far past Chinchilla it goes.

.. math::

    C = 6 N_a D_{pre} + (2 \ldots 6)\, N_a D_{RL} / \eta + 2 N_a D_{served} / \eta, \qquad
    L(N, D) = E + A N^{-\alpha} + B D^{-\beta}

:math:`\eta` is the efficiency of generating over that of training. The least loss of :math:`C = 6ND` has
:math:`\alpha A N^{-\alpha} = \beta B D^{-\beta}`: both terms fall alike when either is grown by the same part.

Sources: lecture 1:19-1:33 (C1-C13); Hoffmann et al. 2022 (arXiv 2203.15556); Besiroglu et al. 2024 (arXiv 2404.10102);
Sardana et al. 2023 (arXiv 2401.00448).
"""

from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.numeric import INFINITY, Numeric, exp, log, where

__all__ = [
    "BACKWARD_FLOP_PER_PARAM",
    "BESIROGLU",
    "CHINCHILLA_TOKENS_PER_PARAM",
    "HOFFMANN",
    "HOFFMANN_UNROUNDED",
    "SARDANA",
    "TRAINING_FLOP_PER_PARAM",
    "balanced_cost_ratio",
    "chinchilla_tokens",
    "equal_share",
    "justified_served_tokens",
    "matching_pretraining_tokens",
    "model_loss",
    "optimal_params",
    "optimal_params_when_served",
    "optimal_tokens",
    "optimal_tokens_when_served",
    "over_training",
    "params_for_loss",
    "rl_flop_per_param",
    "served_tokens",
    "token_flop",
    "tokens_for_loss",
    "training_share",
]

BACKWARD_FLOP_PER_PARAM = 2 * FLOP_PER_PARAM
"""Gradients of a matrix product are two products of its size: of its input, and of its weights."""

TRAINING_FLOP_PER_PARAM = FLOP_PER_PARAM + BACKWARD_FLOP_PER_PARAM
"""The 6 of 6ND."""

CHINCHILLA_TOKENS_PER_PARAM = 20
"""The rule of thumb that the lecture uses; Hoffmann et al. 2022, table 3. Their own fitted loss does not give it."""

HOFFMANN = {
    "irreducible_loss": 1.69,
    "params_factor": 406.4,
    "params_power": 0.34,
    "tokens_factor": 410.7,
    "tokens_power": 0.28,
}
"""As printed in Hoffmann et al. 2022, equation 10; powers rounded to two digits."""

HOFFMANN_UNROUNDED = {
    "irreducible_loss": 1.6934,
    "params_factor": 406.4,
    "params_power": 0.3392,
    "tokens_factor": 410.7,
    "tokens_power": 0.2849,
}
"""The same with the digits of the paper's source file, as Besiroglu et al. 2024 quote them."""

BESIROGLU = {
    "irreducible_loss": 1.8172,
    "params_factor": 482.01,
    "params_power": 0.3478,
    "tokens_factor": 2085.43,
    "tokens_power": 0.3658,
}
"""Besiroglu et al. 2024: the same runs fitted again; at Chinchilla's own budget 18 tokens a parameter."""

SARDANA = {
    "irreducible_loss": 1.69,
    "params_factor": 406.4,
    "params_power": 0.336,
    "tokens_factor": 410.7,
    "tokens_power": 0.283,
}
"""Hoffmann et al.'s with a third digit, as Sardana et al. 2023 use them for their examples."""

HALVINGS = 100
"""Of the interval in which an optimum is sought: more than a float has bits."""


def balanced_cost_ratio(*, rising_power: Numeric, falling_power: Numeric) -> Numeric:
    """Rising over falling cost where their sum is least: ``b / a`` for ``k1 x**a + k2 x**-b``.

    Whatever the factors; the costs are equal only where the powers are.

    >>> balanced_cost_ratio(rising_power=1, falling_power=1), balanced_cost_ratio(rising_power=1, falling_power=0.35)
    (1.0, 0.35)

    Source: the sum's derivative; lecture 1:20 takes them as equal (C1).
    """
    return falling_power / rising_power


def token_flop(*, flop_per_param: Numeric, active_params: Numeric, tokens: Numeric) -> Numeric:
    """Compute for ``tokens``: 6 FLOP a parameter to train on one, 2 to read or write one.

    Leaves out attention over the context.

    The board's 100 billion active parameters on 200 trillion tokens:

    >>> token_flop(flop_per_param=TRAINING_FLOP_PER_PARAM, active_params=100e9, tokens=200e12)
    1.2e26

    Source: lecture 1:22-1:24 (C2, C4).
    """
    return flop_per_param * active_params * tokens


def rl_flop_per_param(*, trained_fraction: Numeric, repeated_forward_fraction: Numeric = 0.0) -> Numeric:
    """FLOP for a parameter and a token that reinforcement learning writes: ``2 + f (4 + 2 g)``.

    All are written; a part ``f`` is trained on. The board counts the forward pass once; a trainer that repeats it, as
    most do because the sampler keeps no activations, adds 2 for a part ``g`` of those.

    >>> rl_flop_per_param(trained_fraction=0), rl_flop_per_param(trained_fraction=1)
    (2.0, 6.0)
    >>> rl_flop_per_param(trained_fraction=1, repeated_forward_fraction=1)
    8

    Source: lecture 1:23 (C3).
    """
    return FLOP_PER_PARAM + trained_fraction * (BACKWARD_FLOP_PER_PARAM + FLOP_PER_PARAM * repeated_forward_fraction)


def matching_pretraining_tokens(
    *, tokens: Numeric, flop_per_param: Numeric, relative_efficiency_fraction: Numeric
) -> Numeric:
    """Pre-training tokens that cost as much as ``tokens`` of another kind: ``k D / (6 eta)``; the model cancels.

    With 3 FLOP and a third of pre-training's efficiency, a token of RL costs one and a half; one served, the same:

    >>> matching_pretraining_tokens(tokens=1, flop_per_param=3, relative_efficiency_fraction=1 / 3)
    1.5
    >>> matching_pretraining_tokens(tokens=1, flop_per_param=2, relative_efficiency_fraction=1 / 3)
    1.0

    Source: lecture 1:25 (C5).
    """
    return tokens * flop_per_param / (TRAINING_FLOP_PER_PARAM * relative_efficiency_fraction)


def equal_share(*, groups: Numeric, members: Numeric) -> Numeric:
    """Share of one of ``members`` that split a group's part evenly, of ``groups`` with even parts.

    Thirds, or halves of which training halves its own again:

    >>> equal_share(groups=3, members=1), equal_share(groups=2, members=2)
    (0.33, 0.25)

    Source: lecture 1:26 (C6).
    """
    return 1 / (groups * members)


def served_tokens(*, tokens_per_s: Numeric, lifetime_s: Numeric, traffic_fraction: Numeric = 1.0) -> Numeric:
    """Tokens that a model handles before it is replaced, with its part of all traffic.

    A chance of never being deployed derates it: give the expected fraction.

    500 million a second for two months of 30 days, a tenth of it on one model:

    >>> served_tokens(tokens_per_s=5e8, lifetime_s=60 * 86400, traffic_fraction=0.1)
    259.2e12

    Source: lecture 1:30-1:31 (C7, C8, C13).
    """
    return tokens_per_s * lifetime_s * traffic_fraction


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


def model_loss(
    *,
    params: Numeric,
    tokens: Numeric,
    irreducible_loss: Numeric,
    params_factor: Numeric,
    params_power: Numeric,
    tokens_factor: Numeric,
    tokens_power: Numeric,
) -> Numeric:
    """Loss of a dense model after training, ``E + A N**-alpha + B D**-beta``.

    Fitted on 70 million to 16 billion parameters and 5 to 500 billion tokens; everything beyond extrapolates.

    >>> model_loss(params=100e9, tokens=200e12, **BESIROGLU)
    1.901

    Source: Hoffmann et al. 2022, equation 2.
    """
    return irreducible_loss + params_factor * params**-params_power + tokens_factor * tokens**-tokens_power


def tokens_for_loss(
    *,
    params: Numeric,
    loss: Numeric,
    irreducible_loss: Numeric,
    params_factor: Numeric,
    params_power: Numeric,
    tokens_factor: Numeric,
    tokens_power: Numeric,
) -> Numeric:
    r"""Training tokens that bring a model of ``params`` to ``loss``; infinite where none do.

    :math:`D = (B / (L - E - A N^{-\alpha}))^{1/\beta}`. A model a fifth smaller than the
    board's takes over five times the tokens to be as good; one two fifths smaller never is:

    >>> loss = model_loss(params=100e9, tokens=200e12, **BESIROGLU)
    >>> tokens_for_loss(params=80e9, loss=loss, **BESIROGLU)
    1.1e15
    >>> tokens_for_loss(params=60e9, loss=loss, **BESIROGLU)
    inf

    Source: Hoffmann et al. 2022, equation 2, solved for D.
    """
    left = loss - irreducible_loss - params_factor * params**-params_power
    return where(left > 0, (tokens_factor / where(left > 0, left, 1.0)) ** (1 / tokens_power), INFINITY)


def params_for_loss(
    *,
    tokens: Numeric,
    loss: Numeric,
    irreducible_loss: Numeric,
    params_factor: Numeric,
    params_power: Numeric,
    tokens_factor: Numeric,
    tokens_power: Numeric,
) -> Numeric:
    """Parameters that reach ``loss`` on ``tokens``; infinite where none do.

    With endless tokens, the fewest of all:

    >>> loss = model_loss(params=100e9, tokens=200e12, **BESIROGLU)
    >>> params_for_loss(tokens=200e12, loss=loss, **BESIROGLU), params_for_loss(tokens=1e99, loss=loss, **BESIROGLU)
    (100e9, 64e9)

    Source: Hoffmann et al. 2022, equation 2, solved for N.
    """
    left = loss - irreducible_loss - tokens_factor * tokens**-tokens_power
    return where(left > 0, (params_factor / where(left > 0, left, 1.0)) ** (1 / params_power), INFINITY)


def optimal_tokens(
    *,
    params: Numeric,
    irreducible_loss: Numeric,
    params_factor: Numeric,
    params_power: Numeric,
    tokens_factor: Numeric,
    tokens_power: Numeric,
) -> Numeric:
    r"""Tokens for which a model of ``params`` is the best use of its training.

    :math:`D = (\beta B N^\alpha / \alpha A)^{1/\beta}`. The fits part by far where the lecture uses them:

    >>> optimal_tokens(params=100e9, **HOFFMANN), optimal_tokens(params=100e9, **BESIROGLU)
    (11.8e12, 1.81e12)

    Source: least loss at a fixed 6ND.
    """
    return (tokens_power * tokens_factor / (params_power * params_factor) * params**params_power) ** (1 / tokens_power)


def optimal_params(
    *,
    flop: Numeric,
    irreducible_loss: Numeric,
    params_factor: Numeric,
    params_power: Numeric,
    tokens_factor: Numeric,
    tokens_power: Numeric,
) -> Numeric:
    r"""Parameters of the least loss for a training budget: :math:`G (C/6)^{\beta/(\alpha+\beta)}`.

    :math:`G = (\alpha A / \beta B)^{1/(\alpha+\beta)}`. Chinchilla's own budget:

    >>> optimal_params(flop=5.76e23, **BESIROGLU)
    72.2e9

    Source: Hoffmann et al. 2022, equation 4.
    """
    powers = params_power + tokens_power
    scale = (params_power * params_factor / (tokens_power * tokens_factor)) ** (1 / powers)
    return scale * (flop / TRAINING_FLOP_PER_PARAM) ** (tokens_power / powers)


def optimal_params_when_served(
    *,
    tokens: Numeric,
    weighted_served_tokens: Numeric,
    irreducible_loss: Numeric,
    params_factor: Numeric,
    params_power: Numeric,
    tokens_factor: Numeric,
    tokens_power: Numeric,
) -> Numeric:
    r"""Parameters that go with ``tokens`` where serving is paid for too.

    Least :math:`6ND + 2ND_s` at a given loss: :math:`\alpha A N^{-\alpha} = (1 + D_s / 3D)\, \beta B D^{-\beta}`.
    ``weighted_served_tokens`` are those served over the relative efficiency. Without any, the optimum of training:

    >>> optimal_params_when_served(tokens=1.81e12, weighted_served_tokens=0, **BESIROGLU)
    100e9

    Source: Sardana et al. 2023, with its first-order condition solved for N.
    """
    dearer = 1 + FLOP_PER_PARAM * weighted_served_tokens / (TRAINING_FLOP_PER_PARAM * tokens)
    by_tokens = dearer * tokens_power * tokens_factor * tokens**-tokens_power
    return (params_power * params_factor / by_tokens) ** (1 / params_power)


def optimal_tokens_when_served(
    *,
    loss: Numeric,
    weighted_served_tokens: Numeric,
    irreducible_loss: Numeric,
    params_factor: Numeric,
    params_power: Numeric,
    tokens_factor: Numeric,
    tokens_power: Numeric,
) -> Numeric:
    """Training tokens of the cheapest model of that loss that is also served, found by halving between 1 and 1e24.

    Along the optimum more tokens go with more parameters and less loss, so there is one answer. The board's model, 200
    trillion tokens served at a third of training's efficiency:

    >>> loss = model_loss(params=100e9, tokens=200e12, **BESIROGLU)
    >>> optimal_tokens_when_served(loss=loss, weighted_served_tokens=3 * 200e12, **BESIROGLU)
    76e12

    Source: Sardana et al. 2023 (C11).
    """
    law = {
        "irreducible_loss": irreducible_loss,
        "params_factor": params_factor,
        "params_power": params_power,
        "tokens_factor": tokens_factor,
        "tokens_power": tokens_power,
    }
    low: Numeric = 0.0
    high = log(1e24)
    for _ in range(HALVINGS):
        tokens = exp((low + high) / 2)
        params = optimal_params_when_served(tokens=tokens, weighted_served_tokens=weighted_served_tokens, **law)
        is_too_few = model_loss(params=params, tokens=tokens, **law) > loss
        low, high = where(is_too_few, log(tokens), low), where(is_too_few, high, log(tokens))
    return exp((low + high) / 2)


def justified_served_tokens(
    *,
    params: Numeric,
    tokens: Numeric,
    irreducible_loss: Numeric,
    params_factor: Numeric,
    params_power: Numeric,
    tokens_factor: Numeric,
    tokens_power: Numeric,
) -> Numeric:
    r"""Served tokens, over their relative efficiency, for which a trained model would be the cheapest of its loss.

    :math:`3 D (\rho - 1)` with :math:`\rho = \alpha A N^{-\alpha} / \beta B D^{-\beta}`; negative where it has too few
    tokens even for training alone. The board's model is right only for far more than it serves:

    >>> justified_served_tokens(params=100e9, tokens=200e12, **BESIROGLU)
    2.75e15

    Source: Sardana et al. 2023, its first-order condition turned round (C11).
    """
    by_params = params_power * params_factor * params**-params_power
    by_tokens = tokens_power * tokens_factor * tokens**-tokens_power
    return TRAINING_FLOP_PER_PARAM / FLOP_PER_PARAM * tokens * (by_params / by_tokens - 1)


def training_share(*, tokens: Numeric, weighted_served_tokens: Numeric) -> Numeric:
    """Pre-training's share of what pre-training and serving cost together: ``3 D / (3 D + D_served / eta)``.

    >>> training_share(tokens=200e12, weighted_served_tokens=3 * 200e12)
    0.5

    Source: lecture 1:25 (C5).
    """
    trained = TRAINING_FLOP_PER_PARAM * tokens
    return trained / (trained + FLOP_PER_PARAM * weighted_served_tokens)
