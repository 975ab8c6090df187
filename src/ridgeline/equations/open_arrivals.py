r"""Requests that arrive at random at a pool whose steps decode and read prompts.

Of :math:`\lambda` requests a second each decodes :math:`O - 1` steps. Steps take :math:`d(n)` with :math:`n` sequences,
and each prompt that came while the step before ran adds :math:`x`, so that a step takes :math:`d/(1-\rho)` on the mean
with :math:`\rho = \lambda x`, and by Little's law

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
    "requests_at_batch_per_s",
]

FAR_OFF = 30.0
"""Deviations beyond which a chance is none, and its inverse still a number."""


def requests_at_batch_per_s(*, batch: Numeric, decode_steps: Numeric, time_per_step_s: Numeric) -> Numeric:
    """Requests a second that keep so many in flight, where each stays for ``O - 1`` steps: ``n / ((O - 1) t)``.

    >>> requests_at_batch_per_s(batch=50, decode_steps=1000, time_per_step_s=0.02)
    2.5

    Source: Little 1961, "A proof for the queuing formula L = λW".
    """
    return batch / (decode_steps * time_per_step_s)


def flight_dispersion(*, prompt_fraction: Numeric, elasticity: Numeric) -> Numeric:
    r"""Variance over mean of the requests in flight: :math:`D = 1 / ((1 - \rho)\, \varepsilon)`.

    With :math:`\rho` the part of the time that prompts add to steps, and :math:`\varepsilon = d \ln \lambda / d \ln n`
    how much more load a larger batch takes. Without prompts, and with steps that are as long at every batch, arrivals
    of a fixed time make a Poisson number:

    >>> flight_dispersion(prompt_fraction=0.0, elasticity=1.0)
    1
    >>> flight_dispersion(prompt_fraction=0.5, elasticity=0.5)
    4

    Derivation: prompts stretch the time in which others arrive, and those read in it stretch it again, as in a busy
    period: a fixed number of steps sees arrivals of variance ``1 / (1 - rho)^2`` over their mean. Requests that share
    steps are a processor-sharing queue, whose ``n`` has the variance over mean ``1 / (1 - g)``, where a batch by 1 %
    larger makes steps by ``g`` % longer; the product of both, with ``1 - g = epsilon / (1 - rho)``.
    """
    return 1 / ((1 - prompt_fraction) * elasticity)


def admission_chance(*, spare_deviations: Numeric) -> Numeric:
    r"""Part of the requests that find a pool full: :math:`1/(1 + \beta\, \Phi(\beta)/\phi(\beta))`.

    With :math:`\beta` the mean number of sequences for which there is still room, in standard deviations of how many
    there are.

    >>> [admission_chance(spare_deviations=deviations) for deviations in (0.0, 1.0, 3.0)]
    [1.0, 0.223, 0.00148]

    Source: Halfin and Whitt 1981, whose variance is that of a Poisson number; here it is the pool's own.
    """
    beta = minimum(maximum(spare_deviations, 0.0), FAR_OFF)
    return 1 / (1 + beta * tail(deviations=-beta) / exp(log_density(value=beta, mean=0.0, sd=1.0)))


def admission_queue_s(*, stay_s: Numeric, dispersion: Numeric, spare: Numeric) -> Numeric:
    r"""Mean wait of a request that finds a full pool: :math:`I S / (2 m')`.

    With :math:`S` the time for which a request decodes in a full pool, :math:`m'` the mean number of sequences that
    this load would leave empty there, and :math:`I` the variance over mean of how many requests come in many steps.

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
