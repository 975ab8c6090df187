r"""Failures of a training run: checkpoint intervals, and the useful part of its time.

.. math::

    M = \frac{M_{chip}}{n}, \qquad
    F = \frac{M}{q}\left(\left(1 + q(e^{(\tau + \delta_1)/M} - 1)\right)^{k-1}
    \left(1 + q(e^{(\tau + \delta_1 + \delta)/M} - 1)\right) - 1\right), \qquad
    \text{useful} = e^{-R/M}\, \frac{k \tau}{F}

Failures are random, with mean time :math:`M`; each stops all chips, takes a restart of :math:`R` and sets the run back
to its last checkpoint. Checkpoints on storage take :math:`\delta` each. Between two of them there may be :math:`k - 1`
in the memory of other chips, :math:`\delta_1` each, which survive all failures but a part :math:`q`; :math:`\tau` of
work lies between any two checkpoints. :math:`F` is the time of a period, from storage to storage, without restarts. One
tier of checkpoints is :math:`k = q = 1, \delta_1 = 0`.

Sources: Young 1974, "A first order approximation to the optimum checkpoint interval"; Daly 2006, "A higher order
estimate of the optimum checkpoint interval for restart dumps"; Vaidya 1995, "A case for two-level distributed recovery
schemes"; the slowest of many: David and Nagaraja 2003, "Order statistics", 2.1.
"""

from collections.abc import Callable

from ridgeline.equations.normal import tail
from ridgeline.numeric import PI, Numeric, ceil, exp, maximum, minimum, solve, sqrt, total_of

__all__ = [
    "best_interval_s",
    "checkpoint_fraction",
    "checkpoints_per_storage",
    "job_mtbf_s",
    "lost_work_fraction",
    "period_s",
    "restart_fraction",
    "slowest_lognormal_ratio",
    "useful_fraction",
    "young_interval_s",
]

LOWEST, HIGHEST, SPACING = -8.0, 12.0, 0.05
"""Range and spacing of the deviations in the sum for the slowest of many: the trapezoid rule is exact to ten digits for
a smooth hump, and for up to ten million chips this one is four spacings wide.
"""

NODES = tuple(LOWEST + SPACING * place for place in range(round((HIGHEST - LOWEST) / SPACING) + 1))
LAYERS = tuple((z, SPACING * exp(-z * z / 2) / sqrt(2 * PI), tail(deviations=-z)) for z in NODES)
"""Deviations, the probability of a normal variable to lie about there, and its probability to lie below."""


def job_mtbf_s(*, chip_mtbf_s: Numeric, chips: Numeric) -> Numeric:
    """Mean time between failures of a job that any chip's failure stops: ``M_chip / n``.

    Chips fail independently, at a constant rate, with their share of hosts and network. Small jobs fail more often than
    that, for reasons other than chips.

    419 interruptions in 54 days of 16,384 chips, one per chip in 5.8 years; 1,024 of them run for 49 hours:

    >>> job_mtbf_s(chip_mtbf_s=16384 * 54 * 24 / 419, chips=1024)
    49.49

    Source: Kokolis et al. 2024 (arXiv 2410.21680).
    """
    return chip_mtbf_s / chips


def young_interval_s(*, checkpoint_s: Numeric, mtbf_s: Numeric) -> Numeric:
    r"""Work between checkpoints that loses least, to first order: :math:`\sqrt{2 \delta M}`.

    It is accurate where checkpoints take far less than the time between failures, ``delta << M``.

    Five minutes of checkpoint, a failure a day, in minutes:

    >>> young_interval_s(checkpoint_s=5, mtbf_s=24 * 60)
    120.0

    Source: Young 1974.
    """
    return sqrt(2 * checkpoint_s * mtbf_s)


def checkpoints_per_storage(*, interval_s: Numeric, checkpoint_s: Numeric, storage_mtbf_s: Numeric) -> Numeric:
    r"""Checkpoints in memory to one on storage that lose least: the better whole number beside :math:`\tau' / \tau`.

    With Young's interval :math:`\tau'` for checkpoints on storage and failures that memory does not survive. To first
    order, one in ``k`` costs ``delta / k tau + k tau / 2 M``, which stops falling at the first ``k`` with ``k (k + 1)
    >= (tau' / tau)^2``.

    Every 150 s in memory; a minute on storage, and a failure in 100,000 s that needs it:

    >>> checkpoints_per_storage(interval_s=150, checkpoint_s=60, storage_mtbf_s=100e3)
    23.0

    Derivation: the cost of ``k + 1`` less that of ``k``; Young 1974 for each tier, as in Vaidya 1995.
    """
    ratio = young_interval_s(checkpoint_s=checkpoint_s, mtbf_s=storage_mtbf_s) / interval_s
    return maximum(1.0, ceil((sqrt(1 + 4 * ratio * ratio) - 1) / 2))


def period_s(
    *,
    interval_s: Numeric,
    checkpoint_s: Numeric,
    mtbf_s: Numeric,
    memory_checkpoint_s: Numeric = 0.0,
    per_storage: Numeric = 1.0,
    storage_failure_fraction: Numeric = 1.0,
) -> Numeric:
    r"""Mean time from one checkpoint on storage to the next, repeated work included and restarts left out.

    :math:`F` above; exact for failures at random. One tier: :math:`M (e^{(\tau + \delta)/M} - 1)`.

    Excess of that over an hour of work and six minutes of checkpoint with a failure every two hours, in minutes:

    >>> period_s(interval_s=60, checkpoint_s=6, mtbf_s=120) - 66
    21.99

    Derivation: mean time to pass a sequence of segments where a failure leads back by one, or to its start; one tier:
    Daly 2006, without its restarts.
    """
    back = storage_failure_fraction
    segment_s = interval_s + memory_checkpoint_s
    once = 1 + back * (exp(segment_s / mtbf_s) - 1)
    last = 1 + back * (exp((segment_s + checkpoint_s) / mtbf_s) - 1)
    return mtbf_s / back * (once ** (per_storage - 1) * last - 1)


def best_interval_s(
    *,
    checkpoint_s: Numeric,
    mtbf_s: Numeric,
    memory_checkpoint_s: Numeric = 0.0,
    per_storage: Numeric = 1.0,
    storage_failure_fraction: Numeric = 1.0,
) -> Numeric:
    """Work between checkpoints that makes up the largest part of a period, found by bisection.

    It is exact where Young's and Daly's are series, and holds with checkpoints in memory, too:

    >>> best_interval_s(checkpoint_s=5, mtbf_s=24 * 60)
    116.69
    >>> best_interval_s(
    ...     checkpoint_s=60, mtbf_s=10000, memory_checkpoint_s=1, per_storage=23, storage_failure_fraction=0.1
    ... )
    147.45

    Derivation: where ``tau dF/dtau - F``, which rises, is zero; below ``M`` and ``M / (q k)``.
    """
    back, others = storage_failure_fraction, per_storage - 1

    def rising(interval_s: Numeric) -> Numeric:
        grown = exp((interval_s + memory_checkpoint_s) / mtbf_s)
        grown_last = exp((interval_s + memory_checkpoint_s + checkpoint_s) / mtbf_s)
        once, last = 1 + back * (grown - 1), 1 + back * (grown_last - 1)
        slope = back * interval_s / mtbf_s * (others * grown / once + grown_last / last)
        return once**others * last * (slope - 1) + 1

    return solve(rising, 0.0, minimum(mtbf_s, mtbf_s / (back * per_storage)))


def useful_fraction(*, interval_s: Numeric, period_s: Numeric, per_storage: Numeric = 1.0) -> Numeric:
    """Part of the time between restarts with work that lasts: ``k tau / F``.

    An hour of work in each 88 minutes:

    >>> useful_fraction(interval_s=60, period_s=87.99)
    0.682

    Source: Daly 2006.
    """
    return per_storage * interval_s / period_s


def checkpoint_fraction(
    *, checkpoint_s: Numeric, period_s: Numeric, memory_checkpoint_s: Numeric = 0.0, per_storage: Numeric = 1.0
) -> Numeric:
    """Part of the time between restarts in which lasting checkpoints keep chips waiting: ``(k d_1 + d) / F``.

    >>> checkpoint_fraction(checkpoint_s=6, period_s=87.99)
    0.068

    Source: Daly 2006.
    """
    return (per_storage * memory_checkpoint_s + checkpoint_s) / period_s


def lost_work_fraction(*, useful_fraction: Numeric, checkpoint_fraction: Numeric) -> Numeric:
    """Part of the time between restarts whose work a failure undoes: the rest of both others.

    To first order it is half an interval for each failure, ``tau / 2M``; here, with a failure every two hours:

    >>> lost_work_fraction(useful_fraction=0.682, checkpoint_fraction=0.068)
    0.25

    Source: Daly 2006.
    """
    return 1 - useful_fraction - checkpoint_fraction


def restart_fraction(*, restart_s: Numeric, mtbf_s: Numeric) -> Numeric:
    r"""Part of all time that restarts take: :math:`1 - e^{-R/M}`.

    A restart that is interrupted by a failure begins again, so that each takes ``M (1 - exp(-R / M))``, one in ``M``.

    Ten minutes every three hours:

    >>> restart_fraction(restart_s=10, mtbf_s=180)
    0.054

    Source: Daly 2006, whose time has the factor ``exp(R / M)``.
    """
    return 1 - exp(-restart_s / mtbf_s)


def slowest_lognormal_ratio(*, chips: Numeric, log_sd: Numeric) -> Numeric:
    """Time of a step that waits for the slowest of ``chips``, over the mean chip's, where their times are lognormal.

    Valid for any spread up to 0.5.

    >>> [slowest_lognormal_ratio(chips=chips, log_sd=0.015) for chips in (1, 16384)]
    [1.0, 1.061]

    Source: David and Nagaraja 2003, 2.1.
    """
    return _mean_over_slowest(value=lambda z: exp(log_sd * z), chips=chips) / exp(log_sd * log_sd / 2)


def _mean_over_slowest(*, value: Callable[[float], Numeric], chips: Numeric) -> Numeric:
    r"""Mean of a function of the largest of ``chips`` standard normal variables: :math:`\int f(z)\, d\Phi(z)^n`.

    >>> _mean_over_slowest(value=lambda z: z, chips=2)
    0.5642

    Derivation: the trapezoid rule, over its own sum of a constant.
    """
    weights = [(chips * chance * below ** (chips - 1), z) for z, chance, below in LAYERS]
    return total_of(weight * value(z) for weight, z in weights) / total_of(weight for weight, _ in weights)
