r"""Repeated text: worth of the second pass over it, and of the tenth.

.. math::

    D' = U + U R^* (1 - e^{-R / R^*}), \qquad R = D / U - 1

A first pass counts in full; after :math:`R^*` further ones, nearly two thirds of their total worth is reached.
Parameters beyond those that suit the unique text lose worth in the same way.

Source: Muennighoff et al. 2023 (arXiv 2305.16264), equations 5, 6 and 17.
"""

from typing import NamedTuple

from ridgeline.numeric import Numeric, exp, maximum, minimum

__all__ = ["RepeatLaw", "effective", "effective_tokens"]


class RepeatLaw(NamedTuple):
    """Decay of the worth of repeated text and excess parameters.

    Attributes:
        repeated_passes: ``R*_D``, passes over the same text after the first that are worth about as much as new text.
        excess_params: ``R*_N``, excess of parameters, over those that suit the unique text, that is worth as much as
            new ones.
    """

    repeated_passes: float
    excess_params: float


def effective(*, amount: Numeric, base: Numeric, decay: Numeric) -> Numeric:
    r"""Effective amount if all beyond ``base`` is worth ever less: :math:`b + b r (1 - e^{-(x/b - 1)/r})`.

    Up to ``base`` it equals the amount; it never exceeds ``base * (1 + decay)``.

    >>> effective(amount=4, base=1, decay=15.39), effective(amount=1e9, base=1, decay=15.39)
    (3.73, 16.39)

    Source: Muennighoff et al. 2023, equations 5 and 6.
    """
    first = minimum(amount, base)
    excess = maximum(amount / base - 1, 0.0)
    return first + base * decay * (1 - exp(-excess / decay))


def effective_tokens(*, tokens: Numeric, unique_tokens: Numeric, law: RepeatLaw) -> Numeric:
    """New text that ``tokens`` are worth when only ``unique_tokens`` of them are different.

    Four passes are worth nearly as much as new text; 200 trillion tokens of a web of 15 trillion, seven tenths:

    >>> law = RepeatLaw(15.387756, 5.309743)
    >>> effective_tokens(tokens=4e12, unique_tokens=1e12, law=law)
    3.73e12
    >>> effective_tokens(tokens=200e12, unique_tokens=15e12, law=law)
    142e12

    Source: Muennighoff et al. 2023, equation 5.
    """
    return effective(amount=tokens, base=unique_tokens, decay=law.repeated_passes)
