r"""Training, reinforcement learning and serving: the split of a compute budget between them.

.. math::

    C = 6 N_a D_{pre} + (2 \ldots 6)\, N_a D_{RL} / \eta + 2 N_a D_{served} / \eta

:math:`\eta` is the efficiency of generation over that of training. ``scaling`` has the loss in tokens and parameters.

Source: lecture 1:19-1:33 (C1-C9, C12, C13).
"""

from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.numeric import Numeric, exp, log, maximum, near_zero
from ridgeline.seconds import JULIAN_YEAR_S

__all__ = [
    "BACKWARD_FLOP_PER_PARAM",
    "TRAINING_FLOP_PER_PARAM",
    "balanced_cost_ratio",
    "distillation_break_even_tokens",
    "equal_share",
    "matching_pretraining_tokens",
    "mean_fraction_over_life",
    "rl_flop_per_param",
    "scale_ratio",
    "served_tokens",
    "token_flop",
    "training_share",
    "utilisation",
]


BACKWARD_FLOP_PER_PARAM = 2 * FLOP_PER_PARAM
"""FLOP per parameter of a backward pass: two products of the forward's size, for inputs and for weights."""

TRAINING_FLOP_PER_PARAM = FLOP_PER_PARAM + BACKWARD_FLOP_PER_PARAM
"""FLOP per parameter and token of training: the 6 of 6ND."""


def balanced_cost_ratio(*, rising_power: Numeric, falling_power: Numeric) -> Numeric:
    """Rising over falling cost where their sum is least: ``b / a`` for ``k1 x**a + k2 x**-b``.

    It does not depend on the factors; the costs are equal only where the powers are.

    >>> balanced_cost_ratio(rising_power=1, falling_power=1), balanced_cost_ratio(rising_power=1, falling_power=0.35)
    (1.0, 0.35)

    Derivation: the sum's derivative; lecture 1:20 takes them as equal (C1).
    """
    return falling_power / rising_power


def token_flop(*, flop_per_param: Numeric, active_params: Numeric, tokens: Numeric) -> Numeric:
    """Compute for ``tokens``: 6 FLOP per parameter to train on one, 2 to read or write one.

    It leaves out attention over the context.

    The board's 100 billion active parameters on 200 trillion tokens:

    >>> token_flop(flop_per_param=TRAINING_FLOP_PER_PARAM, active_params=100e9, tokens=200e12)
    1.2e26

    Source: lecture 1:22-1:24 (C2, C4).
    """
    return flop_per_param * active_params * tokens


def rl_flop_per_param(*, trained_fraction: Numeric, repeated_forward_fraction: Numeric = 0.0) -> Numeric:
    """FLOP per parameter and generated token of reinforcement learning: ``2 + f (4 + 2 g)``.

    All tokens are generated; a part ``f`` is trained on. The board counts the forward pass once; a trainer that repeats
    it, as most do because the sampler keeps no activations, adds 2 for a part ``g`` of those.

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

    A probability of never being deployed reduces it: give the expected fraction.

    500 million a second for two months of 30 days, a tenth of it on one model:

    >>> served_tokens(tokens_per_s=5e8, lifetime_s=60 * 86400, traffic_fraction=0.1)
    259.2e12

    Source: lecture 1:30-1:31 (C7, C8, C13).
    """
    return tokens_per_s * lifetime_s * traffic_fraction


def training_share(*, tokens: Numeric, weighted_served_tokens: Numeric) -> Numeric:
    """Pre-training's share of what pre-training and serving cost together: ``3 D / (3 D + D_served / eta)``.

    >>> training_share(tokens=200e12, weighted_served_tokens=3 * 200e12)
    0.5

    Source: lecture 1:25 (C5).
    """
    trained = TRAINING_FLOP_PER_PARAM * tokens
    return trained / (trained + FLOP_PER_PARAM * weighted_served_tokens)


def mean_fraction_over_life(*, yearly_factor: Numeric, lifetime_s: Numeric) -> Numeric:
    r"""Mean over a life of a quantity that falls by a factor a year, over its start: :math:`(1 - e^{-r t}) / r t`.

    A FLOP that gets cheaper by 1.4 times a year costs 0.97 of today's on average over two months, 0.85 over a year:

    >>> day_s = 86400
    >>> [mean_fraction_over_life(yearly_factor=1.4, lifetime_s=days * day_s) for days in (60, 365.25)]
    [0.97, 0.85]

    Derivation: the integral of an exponential, at an even rate.
    """
    decay = log(yearly_factor) * lifetime_s / JULIAN_YEAR_S
    return near_zero(decay, 1 - decay / 2, lambda steep: (1 - exp(-steep)) / steep)


def distillation_break_even_tokens(
    *, training_cost: Numeric, teacher_cost_per_token: Numeric, student_cost_per_token: Numeric
) -> Numeric:
    """Served tokens from which on a smaller model that was distilled has paid for itself.

    20 billion parameters, distilled on 2 trillion tokens that 100 billion read first, save 480 GFLOP a token at a third
    of the efficiency:

    >>> training_cost = 6 * 20e9 * 2e12 + 2 * 100e9 * 2e12
    >>> distillation_break_even_tokens(
    ...     training_cost=training_cost, teacher_cost_per_token=600e9, student_cost_per_token=120e9
    ... )
    1.33e12

    Derivation: training cost over the saving per token.
    """
    return training_cost / (teacher_cost_per_token - student_cost_per_token)


def utilisation(*, flop: Numeric, time_s: Numeric, peak_flop_per_s: Numeric) -> Numeric:
    """Part of a peak that some work reaches: ``C / (t F)``; MFU for FLOP without recompute, HFU for all FLOP.

    PaLM 540B on 6,144 TPU v4 of 275 TFLOP/s: 2,048 sequences of 2,048 tokens, 3.3 TFLOP each with attention, in 17.9 s:

    >>> utilisation(flop=3.31e12 * 2048 * 2048, time_s=17.9, peak_flop_per_s=6144 * 275e12)
    0.46

    Source: Chowdhery et al. 2022 (arXiv 2204.02311), section 4.1 and appendix B.
    """
    return flop / (time_s * peak_flop_per_s)


def scale_ratio(*, chips: Numeric, from_chips: Numeric, exponent: Numeric) -> Numeric:
    """Time of a step over that of its kernels and messages alone, on many chips: ``(n / n0) ** p`` from ``n0`` on.

    With the same work a chip a step still lengthens on more chips: by jitter, stragglers and flows that meet in the
    network, which no link's rate tells of. On 16,384 chips, 2.5 % longer with each doubling from 512 on:

    >>> scale_ratio(chips=16384, from_chips=512, exponent=0.036)
    1.133

    Heuristic: the logarithms of steps of one model on more and more chips lie near a line in that of their number.
    """
    return maximum(chips / from_chips, 1.0) ** exponent
