r"""Requests that arrive at random at a pool whose steps decode and read prompts.

Of :math:`\lambda` requests a second each decodes :math:`O - 1` steps. Steps take :math:`d(n)` with :math:`n` sequences,
and where each prompt that came while the step before ran adds :math:`x`, a step takes :math:`d/(1-\rho)` on the mean
with :math:`\rho = \lambda x`, so that by Little's law

.. math::

    n = \lambda (O - 1) \frac{d(n)}{1 - \rho}

Sources: Little 1961, "A proof for the queuing formula L = λW"; Halfin and Whitt 1981, "Heavy-traffic limits for queues
with many exponential servers"; Kelly 1979, "Reversibility and stochastic networks".
"""

from ridgeline.equations.normal import log_density, tail
from ridgeline.numeric import Numeric, exp, maximum, minimum

__all__ = [
    "admission_chance",
    "admission_queue_s",
    "answered_part",
    "flight_dispersion",
    "passes_that_read",
]

FAR_OFF = 30.0
"""Standard deviations beyond which a probability counts as zero, while its inverse is still finite."""


def flight_dispersion(*, bursts: Numeric, gain: Numeric) -> Numeric:
    r"""Variance over mean of the requests in flight: :math:`D = I / (1 - g)`.

    Here :math:`I` is the variance over mean of the arrivals in many steps, and :math:`g` the number of further requests
    in flight, at the same load, after a batch larger by one has made steps longer. Without prompts, and with equally
    long steps at every batch, requests of a fixed time in flight have a Poisson distributed number:

    >>> flight_dispersion(bursts=1.0, gain=0.0)
    1.0
    >>> flight_dispersion(bursts=4.0, gain=0.5)
    8.0

    Derivation: a fixed number of steps sees arrivals of variance :math:`I` over their mean; requests that share steps
    are a processor-sharing queue, whose number has the variance over mean :math:`1 / (1 - g)`, however their lengths
    are spread (Kelly 1979). Heuristic: the product of both.
    """
    return bursts / (1 - gain)


def admission_chance(*, spare_deviations: Numeric) -> Numeric:
    r"""Part of the requests that find a pool full: :math:`1/(1 + \beta\, \Phi(\beta)/\phi(\beta))`.

    Here :math:`\beta` is the mean number of further sequences that there is room for, in standard deviations of the
    number in flight.

    >>> [admission_chance(spare_deviations=deviations) for deviations in (0.0, 1.0, 3.0)]
    [1.0, 0.223, 0.00148]

    Source: Halfin and Whitt 1981, whose variance is that of a Poisson number; here it is the pool's own.
    """
    beta = minimum(maximum(spare_deviations, 0.0), FAR_OFF)
    return 1 / (1 + beta * tail(deviations=-beta) / exp(log_density(value=beta, mean=0.0, sd=1.0)))


def admission_queue_s(*, stay_s: Numeric, dispersion: Numeric, spare: Numeric) -> Numeric:
    r"""Mean wait of a request that finds a full pool: :math:`I S / (2 m')`.

    Here :math:`S` is the time for which a request decodes in a full pool, :math:`m'` the mean number of places that
    this load would leave free there, and :math:`I` the variance over mean of the arrivals in many steps.

    >>> admission_queue_s(stay_s=20.0, dispersion=2.0, spare=4.0)
    5.0

    Source: Kingman 1962, "On queues in heavy traffic", where all requests take as many steps, so that only arrivals
    vary: in a step :math:`m / (O - 1)` requests leave a full pool, and :math:`(m - m') / (O - 1)` come.
    """
    return dispersion * stay_s / (2 * spare)


def answered_part(*, spare_s: Numeric, step_s: Numeric, waits: Numeric, wait_s: Numeric) -> Numeric:
    r"""Part of the requests that have waited for the end of a step, and for admission, within a time.

    What is left of a step is anything up to all of it. A part :math:`P` of the requests waits for admission besides,
    for an exponential time of mean :math:`\tau`. With :math:`y` the time and :math:`T` the step,

    .. math::

        \min(y/T, 1) - P \frac{\tau}{T} \left(e^{-\max(y - T, 0)/\tau} - e^{-y/\tau}\right)

    >>> answered_part(spare_s=0.5, step_s=2.0, waits=0.0, wait_s=1.0)
    0.25
    >>> answered_part(spare_s=2.0, step_s=2.0, waits=0.5, wait_s=1.0)
    0.784

    Derivation: the sum of two independent times.
    """
    left_s = maximum(spare_s, 0.0)
    missed = exp(-maximum(left_s - step_s, 0.0) / wait_s) - exp(-left_s / wait_s)
    return minimum(left_s / step_s, 1.0) - waits * wait_s / step_s * missed


def passes_that_read(*, prompts: Numeric, passes: Numeric) -> Numeric:
    r"""Mean number of passes with a prompt, where each prompt joins any of those under way: :math:`p(1 - (1-1/p)^k)`.

    In a pipeline of four stages four passes are under way. A lone prompt is in one of them, and four are in fewer than
    four:

    >>> [passes_that_read(prompts=prompts, passes=4.0) for prompts in (0, 1, 4, 100)]
    [0.0, 1.0, 2.73, 4.0]

    Derivation: a pass has none of :math:`k` prompts with the probability :math:`(1 - 1/p)^k`.
    """
    return passes * (1 - (1 - 1 / passes) ** prompts)
