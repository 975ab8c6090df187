r"""Text that is read again: what the second pass over it, and the tenth, is worth.

.. math::

    D' = U + U R^* (1 - e^{-R / R^*}), \qquad R = D / U - 1

A first pass counts in full; after :math:`R^*` further ones nearly two thirds of what they can give is given. Parameters
beyond those that suit the unique text are worth ever less in the same way.

Source: Muennighoff et al. 2023 (arXiv 2305.16264), equations 5, 6 and 17.
"""

from typing import NamedTuple

from ridgeline.numeric import Numeric, exp, maximum, minimum

__all__ = ["RepeatLaw", "effective", "effective_tokens"]


class RepeatLaw(NamedTuple):
    """How fast repeated text and excess parameters lose their worth.

    Attributes:
        repeated_passes: ``R*_D``, passes over the same text after the first that are worth about as much as new text.
        excess_params: ``R*_N``, the same of parameters beyond those that suit the unique text.
    """

    repeated_passes: float
    excess_params: float


def effective(*, amount: Numeric, base: Numeric, decay: Numeric) -> Numeric:
    r"""What ``amount`` is worth if all beyond ``base`` is worth ever less: :math:`b + b r (1 - e^{-(x/b - 1)/r})`.

    Up to ``base`` it is worth itself; no amount is worth more than ``base * (1 + decay)``.

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
