r"""Batch sizes of a training step: small batches learn more from each token, large ones fill a pipeline.

With :math:`B` tokens a step and the critical batch :math:`B_c`, a loss is reached with

.. math::

    D = D_{min} \left(1 + \frac{B}{B_c}\right)

tokens; a pipeline of :math:`p` stages takes :math:`1 + (p - 1)/m` times as long per token as one without bubbles.

Sources: McCandlish et al. 2018, "An Empirical Model of Large-Batch Training" (arXiv 1812.06162); Kaplan et al. 2020,
"Scaling Laws for Neural Language Models" (arXiv 2001.08361); lecture 0:59:50.
"""

from ridgeline.numeric import Numeric, sqrt

__all__ = ["critical_batch_tokens", "fastest_micro_batches", "token_ratio", "training_time_ratio"]

CRITICAL_TOKENS, CRITICAL_POWER = 2.1e8, 0.21
"""Coefficients of the power law in the loss that Kaplan et al. fit to their models on WebText2, in tokens."""


def critical_batch_tokens(*, loss: Numeric) -> Numeric:
    """Batch size from which on larger batches bring little: ``2.1e8 / L^(1 / 0.21)`` tokens.

    It does not depend on the model's size. At a loss of 2 nats per token:

    >>> critical_batch_tokens(loss=2.0) / 1e6
    7.74

    Source: Kaplan et al. 2020, equation 5.3.
    """
    return CRITICAL_TOKENS * loss ** (-1 / CRITICAL_POWER)


def token_ratio(*, batch_over_critical: Numeric) -> Numeric:
    """Tokens to a given loss, over those that small batches need: ``1 + B / B_c``.

    >>> token_ratio(batch_over_critical=0.5)
    1.5

    Source: McCandlish et al. 2018, equation 2.11.
    """
    return 1 + batch_over_critical


def training_time_ratio(*, micro_batches: Numeric, stages: Numeric, critical_micro_batches: Numeric) -> Numeric:
    """Time of training to a given loss, over that with small batches and without bubbles: ``(1+m/m_c)(1+(p-1)/m)``.

    ``critical_micro_batches`` are those that make up the critical batch. Four stages, and a critical batch of 12:

    >>> training_time_ratio(micro_batches=6, stages=4, critical_micro_batches=12)
    2.25

    Derivation: ``token_ratio`` times the time of a step over that of its work, ``(m + p - 1) / m``.
    """
    filled = 1 + (stages - 1) / micro_batches
    return token_ratio(batch_over_critical=micro_batches / critical_micro_batches) * filled


def fastest_micro_batches(*, stages: Numeric, critical_micro_batches: Numeric) -> Numeric:
    """Micro-batches of a step with which a loss is reached soonest: ``sqrt((p - 1) m_c)``.

    >>> fastest_micro_batches(stages=4, critical_micro_batches=12)
    6.0

    Derivation: where the product's ``m / m_c`` and ``(p - 1) / m`` are equal, its sum is least.
    """
    return sqrt((stages - 1) * critical_micro_batches)
