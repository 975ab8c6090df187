r"""The normal distribution, and walks of normal steps that fall on the mean.

.. math::

    \Phi(-x) = \tfrac12 \operatorname{erfc}\!\left(\frac{x}{\sqrt 2}\right), \qquad
    \phi(x) = \frac{e^{-x^2/2}}{\sqrt{2\pi}}, \qquad
    M_k = \max(M_{k-1} + Z_k - \beta,\, 0)

A step :math:`Z` has variance 1, and :math:`\beta`, the drift, is the mean fall per step. Sums over all steps of a walk
become power series in the drift whose coefficients are values of Riemann's zeta.

Sources: Spitzer 1956, "A combinatorial lemma and its application to probability theory"; Chang and Peres 1997, "Ladder
heights, Gaussian random walks and the Riemann zeta function".
"""

from itertools import accumulate
from operator import mul

from ridgeline.numeric import INFINITY, INTERVAL_DEVIATIONS, PI, Numeric, erfc, exp, log, sqrt, where

__all__ = [
    "FAST",
    "STEPS",
    "log_density",
    "pair_log_density",
    "staying_below_fraction",
    "tail",
    "tail_mean",
    "two_sided_probability",
    "walk_maximum",
]

ZETA = (
    -1.4603545088095868,
    -0.20788622497735457,
    -0.025485201889833036,
    0.008516928777850332,
    0.004441011335479434,
    -0.0030916692472158307,
    -0.0026714580198992236,
    0.0027467679395368665,
    0.0032690395726002203,
)
"""Riemann's zeta at 1/2, -1/2, -3/2 and so on."""

FACTORIALS = (1, *accumulate(range(1, len(ZETA)), mul))

MAXIMUM_SERIES = tuple(zeta / (FACTORIALS[r] * (2 * r + 1) * (2 * r + 2)) for r, zeta in enumerate(ZETA[1:]))
STAYING_SERIES = tuple(zeta / (FACTORIALS[r] * (2 * r + 1)) for r, zeta in enumerate(ZETA))
"""Coefficients of the powers of minus half the squared drift."""

FAST = 2.0
"""Drift up to which the power series are used; they converge to 3.5, and Spitzer's sums ever faster."""

STEPS = (1.0, 2.0, 3.0)
"""Terms of Spitzer's sums that are taken one by one."""


def tail(*, deviations: Numeric) -> Numeric:
    """Probability that a standard normal variable exceeds a bound, ``Phi(-x) = erfc(x / sqrt(2)) / 2``.

    >>> tail(deviations=0.0), tail(deviations=2.0), tail(deviations=-2.0)
    (0.5, 0.02275, 0.97725)

    Derivation: the density's integral, in units of ``sqrt(2)`` deviations.
    """
    return erfc(deviations / sqrt(2.0)) / 2


def log_density(*, value: Numeric, mean: Numeric, sd: Numeric) -> Numeric:
    r"""Logarithm of a normal variable's density, ``-((x - m) / s)**2 / 2 - ln(s sqrt(2 pi))``.

    At the middle, and two deviations off:

    >>> exp(log_density(value=0.0, mean=0.0, sd=1.0)), exp(log_density(value=2.0, mean=0.0, sd=1.0))
    (0.39894, 0.05399)

    Source: de Moivre 1738.
    """
    return -(((value - mean) / sd) ** 2) / 2 - log(sd * sqrt(2 * PI))


def pair_log_density(
    *, first: Numeric, second: Numeric, first_variance: Numeric, second_variance: Numeric, shared_variance: Numeric
) -> Numeric:
    """Logarithm of the joint density of two normal variables, at given deviations, that share a part of their variance.

    It is the density of the first, times that of the second given it; each also has a variance of its own. Two with a
    correlation of one half, both a deviation off; and two without a common part:

    >>> far = {"first": 1.0, "second": 1.0}
    >>> exp(pair_log_density(**far, first_variance=0.5, second_variance=0.5, shared_variance=0.5))
    0.09435
    >>> exp(pair_log_density(**far, first_variance=1.0, second_variance=1.0, shared_variance=0.0))
    0.05855

    Derivation: given the first, the second is normal around its common part, with the remaining variance.
    """
    part = shared_variance / (first_variance + shared_variance)
    left = sqrt(second_variance + (1 - part) * shared_variance)
    given = log_density(value=second, mean=part * first, sd=left)
    return log_density(value=first, mean=0.0, sd=sqrt(first_variance + shared_variance)) + given


def two_sided_probability(*, off: Numeric, half_width: Numeric) -> Numeric:
    """Probability that a normal variable is off by at least as much in either direction, by its 80 % interval.

    >>> two_sided_probability(off=1.0, half_width=1.0), two_sided_probability(off=0.0, half_width=1.0)
    (0.2, 1.0)

    Args:
        off: distance from its middle, not negative.
        half_width: half-width of its 80 % interval.

    Derivation: both tails beyond ``off``, in units of the interval's half-width.
    """
    return 2 * tail(deviations=off / half_width * INTERVAL_DEVIATIONS)


def tail_mean(*, deviations: Numeric) -> Numeric:
    """Mean excess of a standard normal variable over a bound at 2 or more: ``phi(x) - x Phi(-x)``.

    It uses Laplace's continued fraction of the tail; the error is a thousandth at 2, less beyond.

    >>> tail_mean(deviations=2.0)
    0.0085

    Source: Abramowitz and Stegun 1964, 26.2.14.
    """
    x = deviations
    tail = 1 / (x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 5 / (x + 6 / (x + 7 / (x + 8 / x))))))))
    return exp(-x * x / 2) / sqrt(2 * PI) * (1 - x * tail)


def walk_maximum(*, drift: Numeric) -> Numeric:
    r"""Mean of the highest point of a walk of normal steps of variance 1 that falls by ``drift`` a step.

    .. math::

        \frac{1}{2\beta} + \frac{\zeta(1/2)}{\sqrt{2\pi}} + \frac{\beta}{4} + \frac{\beta^2}{\sqrt{2\pi}}
        \sum_r \frac{\zeta(-\frac12 - r)}{r!\,(2r+1)(2r+2)} \left(-\frac{\beta^2}{2}\right)^r

    up to a drift of 2; beyond it Spitzer's sum, :math:`\sum_l (\phi(x) - x \Phi(-x)) / \sqrt{l}` at :math:`x = \beta
    \sqrt{l}`, of which three terms are within 0.2 %. Infinite where the walk does not fall.

    >>> walk_maximum(drift=0.1), walk_maximum(drift=1.0), walk_maximum(drift=0.0)
    (4.442, 0.126, inf)

    Source: Chang and Peres 1997, "Ladder heights, Gaussian random walks and the Riemann zeta function"; Spitzer 1956.
    """
    slow = where((drift > 0) & (drift < FAST), drift, 1.0)
    fast = where(drift < FAST, FAST, drift)
    series = sum((coefficient * (-slow * slow / 2) ** r for r, coefficient in enumerate(MAXIMUM_SERIES)), start=0.0)
    near = 1 / (2 * slow) + slow / 4 + (ZETA[0] + slow * slow * series) / sqrt(2 * PI)
    far = sum((tail_mean(deviations=fast * sqrt(n)) / sqrt(n) for n in STEPS), start=0.0)
    return where(drift > 0, where(drift < FAST, near, far), INFINITY)


def staying_below_fraction(*, drift: Numeric) -> Numeric:
    r"""Probability that a walk of normal steps that falls by ``drift`` a step never rises above its start.

    .. math::

        \sqrt{2}\,\beta \exp\left(\frac{\beta}{\sqrt{2\pi}}
        \sum_r \frac{\zeta(\frac12 - r)}{r!\,(2r+1)} \left(-\frac{\beta^2}{2}\right)^r\right)
        = \exp\left(-\sum_l \frac{\Phi(-\beta \sqrt{l})}{l}\right)

    for a drift above 0 and up to 2.

    >>> staying_below_fraction(drift=0.1), staying_below_fraction(drift=1.0)
    (0.1334, 0.8005)

    Source: Chang and Peres 1997; Spitzer 1956, for the sum.
    """
    series = sum((coefficient * (-drift * drift / 2) ** r for r, coefficient in enumerate(STAYING_SERIES)), start=0.0)
    return sqrt(2.0) * drift * exp(drift * series / sqrt(2 * PI))
