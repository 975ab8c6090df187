r"""Departures: a train of fixed seats leaves every period, with whoever has arrived.

A request waits for the next departure, then rides one period. With period :math:`T`, seats :math:`b` and Poisson
arrivals of :math:`\lambda`, those beyond the seats stay behind:

.. math::

    Q_{k+1} = \max(Q_k + A_k - b,\, 0), \qquad A \sim \mathrm{Poisson}(\lambda T), \qquad
    t_{first} = \tfrac{T}{2} + \frac{E[Q]}{\lambda} + T

Sources: lecture 22:21-26:30 (A15-A18); Bailey 1954, "On queueing processes with bulk service".
"""

from ridgeline.numeric import INFINITY, Numeric, exp, sqrt, where

__all__ = [
    "extra_wait_s",
    "left_behind",
    "mean_latency_s",
    "normal_tail_mean",
    "normal_walk_maximum",
    "sequences_in_flight",
    "tokens_per_s",
    "worst_latency_s",
]

PI = 3.141592653589793
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
"""Riemann's zeta at 1/2, -1/2, -3/2 and on."""

FAST = 2.0
"""Drift up to which the power series is used; it converges to 3.5, and Spitzer's sum ever faster."""


def worst_latency_s(*, period_s: Numeric) -> Numeric:
    """Time to a token for a request that has just missed a departure: one period of waiting, one of riding.

    Assumes that nobody is left behind, and leaves out the prefill.

    >>> worst_latency_s(period_s=0.020)
    0.04

    Source: lecture 22:21 (A17).
    """
    return 2 * period_s


def mean_latency_s(*, period_s: Numeric, extra_wait_s: Numeric) -> Numeric:
    """The same on the mean, for arrivals at any time alike: ``3/2 T``, and what those wait who are left behind.

    >>> mean_latency_s(period_s=0.020, extra_wait_s=0)
    0.03

    Source: lecture 22:21 (A17).
    """
    return 1.5 * period_s + extra_wait_s


def tokens_per_s(*, batch: Numeric, period_s: Numeric) -> Numeric:
    """Tokens that trains of ``batch`` sequences bring: ``B / T``.

    The lecture's 2,000 sequences and 64 departures a second:

    >>> tokens_per_s(batch=2000, period_s=1 / 64)
    128000.0

    Source: lecture 26:25 (A18).
    """
    return batch / period_s


def sequences_in_flight(*, tokens_per_s: Numeric, tokens_per_s_per_sequence: Numeric) -> Numeric:
    """Sequences that decode at a time, from what all get and what each gets: Little's law.

    DeepSeek's 18 nodes of 14,800 tokens a second, 21 for each user:

    >>> sequences_in_flight(tokens_per_s=18 * 14_800, tokens_per_s_per_sequence=21)
    12685.7

    Source: Little 1961, "A proof for the queuing formula L = λW"; DeepSeek open-infra-index, day 6 (A26).
    """
    return tokens_per_s / tokens_per_s_per_sequence


def normal_tail_mean(*, deviations: Numeric) -> Numeric:
    """Mean excess of a standard normal variable over a bound at 2 or more: ``phi(x) - x Phi(-x)``.

    By Laplace's continued fraction of the tail; a part in a thousand off at 2, less beyond.

    >>> normal_tail_mean(deviations=2.0)
    0.0085

    Source: Abramowitz and Stegun 1964, 26.2.14.
    """
    x = deviations
    tail = 1 / (x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 5 / (x + 6 / (x + 7 / (x + 8 / x))))))))
    return exp(-x * x / 2) / sqrt(2 * PI) * (1 - x * tail)


def normal_walk_maximum(*, drift: Numeric) -> Numeric:
    r"""Mean of the highest point of a walk of normal steps of variance 1 that falls by ``drift`` a step.

    .. math::

        \frac{1}{2\beta} + \frac{\zeta(1/2)}{\sqrt{2\pi}} + \frac{\beta}{4} + \frac{\beta^2}{\sqrt{2\pi}}
        \sum_r \frac{\zeta(-\frac12 - r)}{r!\,(2r+1)(2r+2)} \left(-\frac{\beta^2}{2}\right)^r

    up to a drift of 2; beyond it Spitzer's sum, :math:`\sum_l (\phi(x) - x \Phi(-x)) / \sqrt{l}` at :math:`x = \beta
    \sqrt{l}`, of which three terms are within 0.2 %. Infinite where the walk does not fall.

    >>> normal_walk_maximum(drift=0.1), normal_walk_maximum(drift=1.0), normal_walk_maximum(drift=0.0)
    (4.442, 0.126, inf)

    Source: Chang and Peres 1997, "Ladder heights, Gaussian random walks and the Riemann zeta function"; Spitzer 1956.
    """
    slow = where((drift > 0) & (drift < FAST), drift, 1.0)
    fast = where(drift < FAST, FAST, drift)
    near = 1 / (2 * slow) + slow / 4 + ZETA[0] / sqrt(2 * PI)
    power: Numeric = slow * slow / sqrt(2 * PI)
    for place, zeta in enumerate(ZETA[1:]):
        near = near + power * zeta / ((2 * place + 1) * (2 * place + 2))
        power = power * -slow * slow / 2 / (place + 1)
    far: Numeric = 0.0
    for steps in (1.0, 2.0, 3.0):
        far = far + normal_tail_mean(deviations=fast * sqrt(steps)) / sqrt(steps)
    return where(drift > 0, where(drift < FAST, near, far), INFINITY)


def left_behind(*, arrivals: Numeric, seats: Numeric, dispersion: Numeric = 1.0) -> Numeric:
    """Requests that a departing train leaves behind on the mean, when ``arrivals`` come in a period on the mean.

    ``dispersion`` is the variance of a period's arrivals over their mean, 1 for Poisson's; periods are independent.
    Real requests are burstier, and their bursts outlast a period: then this is too low.

    Poisson arrivals are taken as normal, a little skewed: low by up to a tenth where the wait is a thousandth of a
    period and there are 256 seats or more, by 3 % where it is a hundredth, and ever less. Infinite from as many
    arrivals as seats on. Of 2,400 seats nearly all may be taken:

    >>> left_behind(arrivals=0.97 * 2400, seats=2400), left_behind(arrivals=0.995 * 2400, seats=2400)
    (1.7, 73.9)

    Source: Bailey 1954, for the walk; Chang and Peres 1997, for its highest point.
    """
    spread = sqrt(dispersion * arrivals)
    return spread * normal_walk_maximum(drift=(seats - arrivals) / spread)


def extra_wait_s(*, arrivals: Numeric, seats: Numeric, period_s: Numeric, dispersion: Numeric = 1.0) -> Numeric:
    """What being left behind adds to the wait on the mean: ``E[Q] / lambda``.

    Full to 99 %, trains of the lecture's 2,400 add a hundredth of a period, and six where arrivals vary twice as much:

    >>> extra_wait_s(arrivals=0.99 * 2400, seats=2400, period_s=1.0)
    0.0112
    >>> extra_wait_s(arrivals=0.99 * 2400, seats=2400, period_s=1.0, dispersion=4.0)
    0.0619

    Source: Little 1961.
    """
    return left_behind(arrivals=arrivals, seats=seats, dispersion=dispersion) * period_s / arrivals
