r"""Speculative decoding: tokens are drafted by something small, and verified by the model in one step.

.. math::

    a = \frac{1 - \alpha^{d+1}}{1 - \alpha}, \qquad
    \text{speed-up} = a\, \frac{\max(1, b)}{\max(1, (d + 1)\, b)}

with :math:`d` draft tokens, each accepted with probability :math:`\alpha`, and :math:`b` the batch over the balance
batch. While reading the weights takes the time, verification is free; once arithmetic does, its time is taken from
other sequences.

Source: Leviathan, Kalman and Matias 2023, "Fast inference from transformers via speculative decoding"
(arXiv 2211.17192), equation 1; the roofline of a step.
"""

from ridgeline.numeric import Numeric, maximum, where

__all__ = ["accepted_tokens", "speed_up"]


def accepted_tokens(*, drafted_tokens: Numeric, acceptance_fraction: Numeric) -> Numeric:
    r"""Mean tokens that a step adds, its own included: :math:`(1 - \alpha^{d+1}) / (1 - \alpha)`.

    Each draft token counts only where all before it were accepted; where all always are, a step adds ``d + 1``.

    >>> [accepted_tokens(drafted_tokens=3, acceptance_fraction=chance) for chance in (0.7, 1)]
    [2.533, 4]

    Source: Leviathan et al. 2023, equation 1.
    """
    some_fail = acceptance_fraction < 1
    added = (1 - acceptance_fraction ** (drafted_tokens + 1)) / where(some_fail, 1 - acceptance_fraction, 1.0)
    return where(some_fail, added, drafted_tokens + 1)


def speed_up(*, batch_over_balance: Numeric, drafted_tokens: Numeric, accepted_tokens: Numeric) -> Numeric:
    r"""Tokens per second of a user with drafts over those without: :math:`a \max(1, b) / \max(1, (d + 1) b)`.

    Drafting itself is assumed to be free, and contexts are left out; a step verifies ``d + 1`` tokens per sequence.

    >>> [speed_up(batch_over_balance=batch, drafted_tokens=3, accepted_tokens=2.5) for batch in (0.1, 1.0)]
    [2.5, 0.625]

    Derivation: a step is the longer of reading the weights and of its arithmetic.
    """
    return accepted_tokens * maximum(1.0, batch_over_balance) / maximum(1.0, (drafted_tokens + 1) * batch_over_balance)
