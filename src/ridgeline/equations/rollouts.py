r"""Rollouts of reinforcement learning: samples that are generated together and end one after another.

A step generates all of its samples before it trains on them, and the last ones keep nearly empty chips busy. A run
states only the mean :math:`m` and the longest :math:`M` of their lengths. The least informative distribution has an
exponential density up to :math:`M`:

.. math::

    S(t) = \frac{e^{-xt/M} - e^{-x}}{1 - e^{-x}}, \qquad \frac{m}{M} = \frac{1}{x} - \frac{1}{e^x - 1}

Heuristic: the maximum-entropy distribution with that mean and that maximum.
"""

from ridgeline.numeric import Numeric, exp, near_zero, solve

__all__ = ["alive_fraction", "decay_for_mean", "mean_length_fraction"]

STEEPEST = 200.0
"""Largest decay that is sought: means within half a percent of either end."""


def mean_length_fraction(*, decay: Numeric) -> Numeric:
    """Mean length over the longest, of lengths that end with this decay.

    >>> mean_length_fraction(decay=1e-9), mean_length_fraction(decay=-4.8)
    (0.5, 0.8)

    Heuristic: the maximum-entropy distribution, as above.
    """
    return near_zero(decay, 0.5 - decay / 12, lambda steep: 1 / steep - 1 / (exp(steep) - 1))


def decay_for_mean(*, mean_fraction: Numeric) -> Numeric:
    """Decay ``x`` of lengths whose mean is this part of the longest, found by bisection; negative if most are long.

    >>> decay_for_mean(mean_fraction=0.5), decay_for_mean(mean_fraction=0.8)
    (0.0, -4.8)

    Heuristic: the maximum-entropy distribution, as above.
    """
    return solve(lambda decay: mean_fraction - mean_length_fraction(decay=decay), -STEEPEST, STEEPEST)


def alive_fraction(*, length_fraction: Numeric, decay: Numeric) -> Numeric:
    """Part of the samples that are longer than this part of the longest.

    >>> alive_fraction(length_fraction=0.5, decay=1e-9), alive_fraction(length_fraction=0.5, decay=-4.8)
    (0.5, 0.917)

    Heuristic: the maximum-entropy distribution, as above.
    """
    return near_zero(
        decay,
        1 - length_fraction,
        lambda steep: (exp(-steep * length_fraction) - exp(-steep)) / (1 - exp(-steep)),
    )
