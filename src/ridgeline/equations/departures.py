r"""Departures: a train of fixed seats leaves every period, with whoever has arrived.

A request waits for the next departure, then rides one period. With period :math:`T`, seats :math:`b` and Poisson
arrivals of :math:`\lambda`, those beyond the seats stay behind:

.. math::

    Q_{k+1} = \max(Q_k + A_k - b,\, 0), \qquad A \sim \mathrm{Poisson}(\lambda T), \qquad
    t_{first} = \tfrac{T}{2} + \frac{E[Q]}{\lambda} + T

Sources: lecture 22:21-26:30 (A15-A18); Bailey 1954, "On queueing processes with bulk service".
"""

from ridgeline.equations import normal
from ridgeline.numeric import PI, Numeric, exp, log, maximum, sqrt, where

__all__ = [
    "extra_wait_s",
    "leaving_behind_fraction",
    "left_behind",
    "mean_latency_s",
    "overfull_fraction",
    "racks_needed",
    "sequences_in_flight",
    "tokens_per_s",
    "worst_latency_s",
]

NEAR = 1e-3
"""Relative difference of a bound from the mean at which a series replaces a difference of nearly equal numbers."""


def worst_latency_s(*, period_s: Numeric) -> Numeric:
    """Time to a token for a request that has just missed a departure: one period of waiting, one of riding.

    It assumes that nobody is left behind, and leaves out the prefill.

    >>> worst_latency_s(period_s=0.020)
    0.04

    Source: lecture 22:21 (A17).
    """
    return 2 * period_s


def mean_latency_s(*, period_s: Numeric, extra_wait_s: Numeric) -> Numeric:
    """Mean time to a token, for arrivals at any time alike: ``3/2 T``, and the wait of those who are left behind.

    >>> mean_latency_s(period_s=0.020, extra_wait_s=0)
    0.03

    Source: lecture 22:21 (A17).
    """
    return 1.5 * period_s + extra_wait_s


def tokens_per_s(*, batch: Numeric, period_s: Numeric) -> Numeric:
    """Tokens per second of trains of ``batch`` sequences: ``B / T``.

    The lecture's 2,000 sequences and 64 departures a second:

    >>> tokens_per_s(batch=2000, period_s=1 / 64)
    128000.0

    Source: lecture 26:25 (A18).
    """
    return batch / period_s


def sequences_in_flight(*, tokens_per_s: Numeric, tokens_per_s_per_sequence: Numeric) -> Numeric:
    """Sequences that decode at a time, from the total and each one's tokens per second: Little's law.

    DeepSeek's 18 nodes of 14,800 tokens a second, 21 for each user:

    >>> sequences_in_flight(tokens_per_s=18 * 14_800, tokens_per_s_per_sequence=21)
    12685.7

    Source: Little 1961, "A proof for the queuing formula L = λW"; DeepSeek open-infra-index, day 6 (A26).
    """
    return tokens_per_s / tokens_per_s_per_sequence


def racks_needed(*, tokens_per_s: Numeric, tokens_per_s_per_rack: Numeric) -> Numeric:
    """Racks that write ``tokens_per_s`` together; the inverse of the part of it that one rack serves.

    Google's 1.3 quadrillion tokens of a month, by the lecture's 128,000 a second, if all of them were written:

    >>> racks_needed(tokens_per_s=1.3e15 / (30 * 86400), tokens_per_s_per_rack=128_000)
    3918.3

    Source: lecture 26:40 (A19).
    """
    return tokens_per_s / tokens_per_s_per_rack


def overfull_fraction(*, arrivals: Numeric, seats: Numeric) -> Numeric:
    r"""Part of the periods in which more requests arrive than a train has seats: Poisson's tail, ``P(A > b)``.

    .. math::

        \Phi(\eta \sqrt{a}) - \frac{e^{-a \eta^2 / 2}}{\sqrt{2 \pi a}}
        \left(\frac{1}{\mu} - \frac{1}{\eta}\right), \qquad
        a = b + 1, \quad \mu = \frac{\lambda T}{a} - 1, \quad
        \eta = \pm \sqrt{2 (\mu - \ln(1 + \mu))}

    with the sign of :math:`\mu`. These are the first terms of a series in one over the seats: from 32 seats on within
    four parts in a hundred thousand, also far out in the tail, where the normal approximation would fail. Requests left
    behind by an earlier train are not counted.

    At 2,400 seats, with mean loads of 95 % and 99 %:

    >>> overfull_fraction(arrivals=0.95 * 2400, seats=2400), overfull_fraction(arrivals=0.99 * 2400, seats=2400)
    (0.0061, 0.307)

    Source: Temme 1979, "The asymptotic expansion of the incomplete gamma functions"; lecture 22:21 (A17).
    """
    a = seats + 1
    mu = arrivals / a - 1
    is_near = (mu < NEAR) & (mu > -NEAR)
    eta = sqrt(2 * maximum(mu - log(1 + mu), 0.0)) * where(mu < 0, -1.0, 1.0)
    skew = where(is_near, eta / 12 - 1 / 3, 1 / where(is_near, 1.0, mu) - 1 / where(is_near, 1.0, eta))
    return normal.tail(deviations=-eta * sqrt(a)) - exp(-a * eta * eta / 2) / sqrt(2 * PI * a) * skew


def left_behind(*, arrivals: Numeric, seats: Numeric, dispersion: Numeric = 1.0) -> Numeric:
    """Mean number of requests that a departing train leaves behind, when ``arrivals`` is the mean number in a period.

    ``dispersion`` is the variance of a period's arrivals over their mean, 1 for Poisson's; periods are independent.
    Real requests are burstier, and their bursts outlast a period: then this is too low.

    Poisson arrivals are taken as normal with a small skew: the result is low by up to a tenth where the wait is a
    thousandth of a period and there are 256 seats or more, by 3 % where it is a hundredth, and by less for longer
    waits. It is infinite where arrivals reach the seats. Of 2,400 seats nearly all may be taken:

    >>> left_behind(arrivals=0.97 * 2400, seats=2400), left_behind(arrivals=0.995 * 2400, seats=2400)
    (1.7, 73.9)

    Source: Bailey 1954, for the walk; Chang and Peres 1997, for its highest point.
    """
    spread = sqrt(dispersion * arrivals)
    return spread * normal.walk_maximum(drift=(seats - arrivals) / spread)


def leaving_behind_fraction(*, arrivals: Numeric, seats: Numeric, dispersion: Numeric = 1.0) -> Numeric:
    r"""Part of the trains that leave somebody behind, in the long run: those left behind before them wait too.

    By Spitzer :math:`1 - \exp(-\sum_l P(A_l > l b) / l)`, where :math:`A_l` arrive in :math:`l` periods. The first
    three terms are Poisson's own; all further ones are taken as normal, as in ``normal.staying_below_fraction``. Beyond
    a drift of 2 they are left out. The error is within half a percent from 256 seats on, two percent from 32. With a
    ``dispersion`` as for ``left_behind``, arrivals come in groups of that size. Where arrivals reach the seats, the
    result is 1. Of 2,400 seats:

    >>> leaving_behind_fraction(arrivals=0.95 * 2400, seats=2400)
    0.0062
    >>> leaving_behind_fraction(arrivals=0.99 * 2400, seats=2400)
    0.47

    Source: Spitzer 1956; Chang and Peres 1997; Bailey 1954, for the walk.
    """
    drift = (seats - arrivals) / sqrt(dispersion * arrivals)
    slow = where((drift > 0) & (drift < normal.FAST), drift, 1.0)
    bunches, seated = arrivals / dispersion, seats / dispersion
    first = sum((overfull_fraction(arrivals=n * bunches, seats=n * seated) / n for n in normal.STEPS), start=0.0)
    replaced = sum((normal.tail(deviations=slow * sqrt(n)) / n for n in normal.STEPS), start=0.0)
    near = 1 - normal.staying_below_fraction(drift=slow) * exp(replaced - first)
    return where(drift > 0, where(drift < normal.FAST, near, 1 - exp(-first)), 1.0)


def extra_wait_s(*, arrivals: Numeric, seats: Numeric, period_s: Numeric, dispersion: Numeric = 1.0) -> Numeric:
    """Mean extra wait from being left behind: ``E[Q] / lambda``.

    Full to 99 %, trains of the lecture's 2,400 add a hundredth of a period, and six where arrivals vary twice as much:

    >>> extra_wait_s(arrivals=0.99 * 2400, seats=2400, period_s=1.0)
    0.0112
    >>> extra_wait_s(arrivals=0.99 * 2400, seats=2400, period_s=1.0, dispersion=4.0)
    0.0619

    Source: Little 1961.
    """
    return left_behind(arrivals=arrivals, seats=seats, dispersion=dispersion) * period_s / arrivals
