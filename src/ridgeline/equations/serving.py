r"""One pool for both phases: prefills run between decode steps.

A prefill gives a request its first token; its other :math:`O - 1` take a decode step each. In a steady state, a batch
of :math:`n` finishes :math:`n/(O-1)` requests per step, and admits as many. With :math:`t_p` seconds of the pool for a
prefill, the time per output token and the requests in flight are

.. math::

    t_{token} = t_{decode}(n) + \frac{n}{O-1} t_p, \qquad
    n = C\, \frac{(O-1)\, t_{token}}{(O-1)\, t_{token} + t_{first}}

where, of :math:`C` users, those are in flight that have their first token. A pass has a fixed cost, which prompts
share: :math:`t_p = t_{more} + t_{once}/b` with :math:`b` prompts in one pass.

Sources: conservation of requests (as many finish as are admitted); Little 1961, "A proof for the queuing formula L =
λW".
"""

from collections.abc import Sequence

from ridgeline.numeric import INFINITY, NEXT_TO_NOTHING, Numeric, exp, log, maximum, minimum, sqrt, where

__all__ = [
    "admission_wait_s",
    "answered_within_s",
    "arrivals_wait_s",
    "burst_wait_s",
    "closed_loop_wait",
    "decode_time_fraction",
    "decoding_by_steps",
    "in_flight",
    "pooled_time_per_token_s",
    "prompt_time_s",
    "prompts_gathered",
    "prompts_together",
    "queue_wait_s",
    "sequences_of_a_step",
    "unaligned_prompt_time_s",
    "wait_quantile_s",
]


def pooled_time_per_token_s(
    *, decode_step_time_s: Numeric, prefill_time_per_prompt_s: Numeric, batch: Numeric, decode_steps: Numeric
) -> Numeric:
    """Time per output token of a pool whose prefills run between decode steps: ``t_decode + n / (O - 1) * t_prefill``.

    It assumes that no prefill overlaps a decode step and that a request is admitted for each that finishes.

    >>> pooled_time_per_token_s(decode_step_time_s=0.02, prefill_time_per_prompt_s=0.1, batch=100, decode_steps=1000)
    0.03

    Derivation: in a steady state, as many requests are admitted as finish.
    """
    return decode_step_time_s + batch / decode_steps * prefill_time_per_prompt_s


def decode_time_fraction(
    *, decode_steps: Numeric, decode_step_time_s: Numeric, batch: Numeric, prefill_time_per_prompt_s: Numeric
) -> Numeric:
    r"""Part of a pool's time that decode steps take; prompts take the rest: :math:`\frac{t_d}{t_d + t_p}`.

    A request's part of its decode steps is :math:`t_d = (O - 1) t_{decode} / n`. Of 100 requests of 1000 steps of 20 ms
    each has 0.2 s; its prompt takes half as long:

    >>> decode_time_fraction(decode_steps=1000, decode_step_time_s=0.02, batch=100, prefill_time_per_prompt_s=0.1)
    0.667

    Derivation: in a steady state, each request has an equal part of a step, and one prompt is read for each.
    """
    decode_s = decode_steps * decode_step_time_s / batch
    return decode_s / (decode_s + prefill_time_per_prompt_s)


def sequences_of_a_step(*, in_flight: Numeric, users: Numeric) -> Numeric:
    r"""Mean sequences of a decode step, where ``in_flight`` is the mean over all time: :math:`n/(1 - (1 - n/C)^C)`.

    A lone user's request decodes alone, however long its prompt took; of two who decode for half of the time each, both
    do for a quarter of it, and one alone for a half:

    >>> sequences_of_a_step(in_flight=0.5, users=1)
    1.00
    >>> sequences_of_a_step(in_flight=1.0, users=2)
    1.33

    Derivation: the mean of a binomial number given that it is not zero. Heuristic: users decode independently.
    """
    return in_flight / (1 - maximum(1 - in_flight / users, 0.0) ** users)


def prompts_together(
    *, batch: Numeric, decode_steps: Numeric, groups: Numeric, most: Numeric, interval_steps: Numeric = 1.0
) -> Numeric:
    r"""Mean number of prompts in a prefill pass: those that arrived since the last chance of one, given that any did.

    Arrivals are Poisson with :math:`x = n/(O-1)` a step; steps with any have :math:`x/(1-e^{-x})`. 512 requests of 128
    steps in 2 groups make two arrivals a step in each, and eight in four steps:

    >>> prompts_together(batch=512, decode_steps=128, groups=2, most=8)
    2.31
    >>> prompts_together(batch=512, decode_steps=128, groups=2, most=32, interval_steps=4)
    8.00

    Derivation: the mean of a Poisson number given that it is not zero.
    """
    arrivals = interval_steps * batch / decode_steps / groups
    return minimum(minimum(arrivals / (1 - exp(-arrivals)), most), maximum(batch / groups, 1.0))


def prompts_gathered(*, batch: Numeric, decode_steps: Numeric, groups: Numeric, hold_steps: Numeric) -> Numeric:
    """Mean number of prompts in a pass whose first prompt is held back a number of steps for others to join it.

    >>> prompts_gathered(batch=64, decode_steps=1000, groups=1, hold_steps=20)
    2.28

    Derivation: one, and the arrivals of the steps for which it waits.
    """
    return 1 + hold_steps * batch / decode_steps / groups


def prompt_time_s(*, once_s: Numeric, more_s: Numeric, together: Numeric) -> Numeric:
    """Pool time of one prompt in a prefill pass over ``together``: its own cost, and its share of the fixed cost.

    >>> prompt_time_s(once_s=0.02, more_s=0.1, together=4)
    0.105

    Heuristic: the time of a pass is linear in its prompts, since its FLOP are.
    """
    return more_s + once_s / together


def unaligned_prompt_time_s(
    *,
    once_s: Numeric,
    more_s: Numeric,
    together: Numeric,
    batch: Numeric,
    decode_steps: Numeric,
    interval_steps: Numeric = 1.0,
    groups: Numeric = 1.0,
    shared_s: Numeric = 0.0,
) -> Numeric:
    r"""Pool time of one prompt where groups of data-parallel attention start their prefills each on its own.

    Experts are spread over all groups, so that all wait while one reads. Of the prompts that arrive in :math:`k` steps,
    :math:`kA` of all groups, any make a pass: with probability :math:`p = 1-e^{-kA}`, and with a mean of :math:`kA/p`.
    A pass takes the separate work of the fullest group, with :math:`b` prompts, and all groups' part of the shared
    work:

    .. math::

        t_p = \frac{p}{kA} \left( t_{once} + b\,(t_{more} - t_{shared})
            + \frac{kA}{p\,G}\, t_{shared} \right)

    Of 64 requests of 1000 steps, each pass has a prompt of one group alone, and with prefills once in 16 steps one in
    two; where half of a pass's time is the experts', a lone prompt has an eighth of that:

    >>> unaligned_prompt_time_s(once_s=0.0, more_s=0.1, together=1, batch=64, decode_steps=1000)
    0.0969
    >>> unaligned_prompt_time_s(once_s=0.0, more_s=0.1, together=1, batch=64, decode_steps=1000, interval_steps=16)
    0.0626
    >>> unaligned_prompt_time_s(
    ...     once_s=0.0, more_s=0.1, together=1, batch=64, decode_steps=1000, groups=8, shared_s=0.05
    ... )
    0.0547

    Derivation: the probability of a Poisson number to be positive, and its mean where it is. Heuristic: the fullest
    group has the mean number of prompts of groups that have any.
    """
    arrivals = interval_steps * batch / decode_steps
    own_s = once_s + (more_s - shared_s) * together
    return (1 - exp(-arrivals)) / arrivals * own_s + shared_s / groups


def in_flight(*, users: Numeric, decode_steps: Numeric, time_per_token_s: Numeric, first_token_s: Numeric) -> Numeric:
    """Requests of a closed loop of ``users`` that have their first token and not yet their last.

    >>> in_flight(users=64, decode_steps=1000, time_per_token_s=0.01, first_token_s=2.5)
    51.2

    Source: Little 1961, "A proof for the queuing formula L = λW".
    """
    answered_s = decode_steps * time_per_token_s
    return users * answered_s / (answered_s + first_token_s)


def decoding_by_steps(*, users: Numeric, decode_steps: Numeric, round_steps: Numeric) -> Numeric:
    r"""Mean sequences of a step in a closed loop, by the clock of steps: :math:`n = C\, \frac{O - 1}{R}`.

    While a prompt is read, the others gain one token in each of its passes, however long these take. So a user's round
    is counted in steps: those that decode his request, and those for which it waits for its prompt's last pass.

    Of 8 users' requests of 1,000 steps, whose prompts take 12 passes and wait for 28 of others:

    >>> decoding_by_steps(users=8, decode_steps=1000, round_steps=1040)
    7.69

    Derivation: Little 1961, "A proof for the queuing formula L = λW", with steps for time.
    """
    return users * decode_steps / round_steps


def closed_loop_wait(*, users: Numeric, apart: Numeric, service: Numeric, variation: Numeric = 0.0) -> Numeric:
    r"""Mean wait in the queue of a closed loop's one server, here the reading of prompts, in the unit of its times.

    Each of :math:`C` users spends a time :math:`z` of a round outside the queue, in which the server serves him for
    :math:`s`. He finds the others waiting for :math:`W'` of a round of :math:`z + W'`, each :math:`s` of work, and one
    of them served for another :math:`r = \frac{1 + c^2}{2} s`, half of it where all are alike:

    .. math::

        W = (C - 1) \frac{s W' + s r}{z + W'}, \qquad W' = k W, \quad k = \frac{C - 2}{C - 1}

    The others' own wait :math:`W'` is that of a loop without him, of which each waits for one user less. That is a
    quadratic equation, :math:`k W^2 + (z - k v) W = r v` with all others' prompts :math:`v = (C - 1) s`. And the server
    serves one at a time, so that a round takes :math:`C s` or more, which is what it takes with many users:

    .. math::

        W = \max\left( \frac{2 r v}{b + \sqrt{b^2 + 4 k r v}},\; C s - z \right), \qquad b = z - k v

    A lone user waits for nobody. Where prompts take 12 steps each, and 100 others come between them, the server is
    always busy for 32 users, who wait for :math:`272/12 = 23` others:

    >>> [closed_loop_wait(users=users, apart=112, service=12) for users in (1, 2, 8, 32)]
    [0.0, 0.643, 10.32, 272]

    Derivation: mean value analysis, by which who comes sees the queue of a loop of the others (Reiser and Lavenberg
    1980), and its bound of a busy server (Muntz and Wong 1974). Heuristic: the theorem is exact for exponential
    services, here with the mean residual of others; a wait in proportion to the others is exact for few. A queue that
    was played, with times even over half to one and a half of their means, has rounds within 3 %.
    """
    others = maximum(users - 1, 0.0)
    kept = 1 - 1 / maximum(others, 1.0)
    ahead = others * service
    residual = (1 + variation) / 2 * service
    slack = apart - kept * ahead
    found = residual * ahead
    root = sqrt(slack**2 + 4 * kept * found)
    return maximum(2 * found / (slack + root), users * service - apart)


def burst_wait_s(*, users: Numeric, prompt_s: Numeric, burst_share: Numeric) -> Numeric:
    """Mean queueing delay behind other prefills when all users start together, averaged over each user's requests.

    A request of the burst waits for half of the others on average; later ones, ``1 - burst_share`` of all, for none.

    >>> burst_wait_s(users=101, prompt_s=0.1, burst_share=0.1)
    0.5

    Heuristic: the mean position in a queue, for the burst alone; the wait of later requests is another equation's.
    """
    return burst_share * maximum(users - 1, 0.0) / 2 * prompt_s


def arrivals_wait_s(*, users: Numeric, busy: Numeric, prompt_s: Numeric, variation: Numeric = 0.0) -> Numeric:
    """Queueing delay behind other prefills from fluctuations of a closed loop: ``sqrt((C - 1) rho (1 + c^2)) * t_p``.

    Of ``C`` users, ``C rho`` are in prefill on average, with ``rho`` the pool's share of time for prefills, plus or
    minus its square root. Prompts of different times, with variance ``c^2`` over the square of their mean, fluctuate
    more: a sum of a Poisson number of terms has each one's second moment in its variance.

    >>> arrivals_wait_s(users=101, busy=0.25, prompt_s=0.1)
    0.5
    >>> arrivals_wait_s(users=101, busy=0.25, prompt_s=0.1, variation=3)
    1.0

    Heuristic: Poisson-like fluctuations; the engine's fitted ``arrivals_wait_fraction`` scales them to measurements.
    """
    return sqrt(maximum(users - 1, 0.0) * busy * (1 + variation)) * prompt_s


def queue_wait_s(*, busy: Numeric, service_s: Numeric, variation: Numeric = 0.0) -> Numeric:
    """Mean wait of requests that arrive at random at one server: ``rho / (1 - rho) * (1 + c^2) / 2 * s``.

    With ``c^2`` the variance of what requests take over the square of its mean; 0 where all take the same. A server
    that is asked for more than it can do has a queue without end.

    >>> queue_wait_s(busy=0.5, service_s=0.2)
    0.1
    >>> queue_wait_s(busy=1.2, service_s=0.2)
    inf

    Source: Pollaczek 1930; Khinchine 1932.
    """
    spare = where(busy < 1, 1 - busy, 1.0)
    return where(busy < 1, (1 + variation) / 2 * busy / spare * service_s, INFINITY)


def wait_quantile_s(*, mean_wait_s: Numeric, busy: Numeric, quantile: Numeric) -> Numeric:
    """Quantile of the wait: ``(W / rho) ln(rho / (1 - q))``, and nothing below ``1 - rho``.

    A part ``rho`` of the requests finds the server busy, and then waits for an exponential time of mean ``W / rho``.

    >>> [wait_quantile_s(mean_wait_s=0.5, busy=0.5, quantile=part) for part in (0.5, 0.9)]
    [0.0, 1.609]

    Heuristic: exact for exponential services of one server, and the limit of heavy traffic for others (Kingman 1962).
    """
    waits = busy > 1 - quantile
    some = where(waits, busy, 1.0)
    return where(waits, mean_wait_s / some * log(some / (1 - quantile)), 0.0)


def answered_within_s(
    *, services_s: Sequence[Numeric], mean_wait_s: Numeric, busy: Numeric, quantile: Numeric
) -> Numeric:
    r"""Quantile of the sum of waiting and service, when services differ.

    With :math:`K` equally likely services, the shortest first, those up to the :math:`j`-th alone give a probability of
    :math:`\sum_{i \le j} (1 - \rho\, e^{-(t - s_i)\rho/W}) / K` at :math:`t \ge s_j`, which is :math:`q` at

    .. math::

        t_j = s_j + \frac{W}{\rho} \ln \frac{\rho A_j}{j - qK}, \qquad A_j = 1 + A_{j-1}\, e^{-(s_j - s_{j-1})\rho/W}

    The least of all :math:`\max(s_j, t_j)` is the time. Without a wait, it is a quantile of the services, and with
    equal services one of the wait:

    >>> answered_within_s(services_s=(1.0, 2.0, 3.0, 4.0), mean_wait_s=0.0, busy=0.0, quantile=0.6)
    3.0
    >>> answered_within_s(services_s=(1.0, 1.0), mean_wait_s=0.5, busy=0.5, quantile=0.9)
    2.609
    >>> answered_within_s(services_s=(0.0, 4.0), mean_wait_s=0.5, busy=0.5, quantile=0.9)
    4.934

    Derivation: the sum of two independent times. Heuristic: the wait is that of ``wait_quantile_s``.
    """
    scale_s = maximum(mean_wait_s, NEXT_TO_NOTHING) / maximum(busy, NEXT_TO_NOTHING)
    answered_s, late, before_s = INFINITY + 0.0 * scale_s, 0.0 * scale_s, services_s[0]
    for place, service_s in enumerate(services_s, 1):
        late, before_s = 1 + late * exp((before_s - service_s) / scale_s), service_s
        spare = place - quantile * len(services_s)
        reached_s = service_s + scale_s * log(maximum(busy * late / maximum(spare, NEXT_TO_NOTHING), 1.0))
        answered_s = where(spare > 0, minimum(answered_s, reached_s), answered_s)
    return answered_s


def admission_wait_s(*, users: Numeric, admitted: Numeric, request_s: Numeric) -> Numeric:
    """Wait for admission where memory holds fewer requests than there are users: the whole time of earlier ones.

    >>> admission_wait_s(users=150, admitted=100, request_s=10.0)
    5.0

    Source: Little 1961, "A proof for the queuing formula L = λW".
    """
    return maximum(users / admitted - 1, 0.0) * request_s
