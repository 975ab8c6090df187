r"""One pool that does both phases: prompts are read between decode steps.

Reading a prompt gives a request its first token; its other :math:`O - 1` take a decode step each. In a steady state a
batch of :math:`n` finishes :math:`n/(O-1)` requests a step, and takes in as many prompts. With :math:`t_p` seconds of
the pool for a prompt, a user sees

.. math::

    t_{token} = t_{decode}(n) + \frac{n}{O-1} t_p, \qquad
    n = C\, \frac{(O-1)\, t_{token}}{(O-1)\, t_{token} + t_{first}}

where of :math:`C` users those are in flight that have their first token. A prompt is dearer by itself than in company:
:math:`t_p = t_{more} + t_{once}/b` with :math:`b` read in one pass.

Sources: conservation of requests (as many finish as are taken in); Little 1961, "A proof for the queuing formula
L = λW".
"""

from ridgeline.numeric import Numeric, exp, maximum, minimum, sqrt

__all__ = [
    "admission_wait_s",
    "arrivals_wait_s",
    "burst_wait_s",
    "in_flight",
    "pooled_time_per_token_s",
    "prompt_time_s",
    "prompts_together",
]


def pooled_time_per_token_s(
    *, decode_step_time_s: Numeric, prefill_time_per_prompt_s: Numeric, batch: Numeric, decode_steps: Numeric
) -> Numeric:
    """Time per output token of a pool that also reads the prompts of the requests it serves.

    Assumes that no prefill overlaps a decode step and that requests arrive as others leave.

    >>> pooled_time_per_token_s(decode_step_time_s=0.02, prefill_time_per_prompt_s=0.1, batch=100, decode_steps=1000)
    0.03

    Source: as many requests finish as are taken in.
    """
    return decode_step_time_s + batch / decode_steps * prefill_time_per_prompt_s


def prompts_together(*, batch: Numeric, decode_steps: Numeric, groups: Numeric, most: Numeric) -> Numeric:
    r"""Prompts of a group that are read in one pass: those that came while a step lasted, where any did.

    Requests end by chance: where :math:`x = n/(O-1)` do a step, those steps with any have :math:`x/(1-e^{-x})`. 512
    requests of 128 steps in 2 groups end twice a step in each:

    >>> prompts_together(batch=512, decode_steps=128, groups=2, most=8)
    2.31

    Source: the mean of a Poisson number that is not none.
    """
    a_step = batch / decode_steps / groups
    return minimum(minimum(a_step / (1 - exp(-a_step)), most), maximum(batch / groups, 1.0))


def prompt_time_s(*, once_s: Numeric, more_s: Numeric, together: Numeric) -> Numeric:
    """Time for a prompt of a pass over ``together``: what each adds, and its part of what a pass takes once.

    >>> prompt_time_s(once_s=0.02, more_s=0.1, together=4)
    0.105

    Source: a pass is a line over its prompts where its work is.
    """
    return more_s + once_s / together


def in_flight(*, users: Numeric, decode_steps: Numeric, time_per_token_s: Numeric, first_token_s: Numeric) -> Numeric:
    """Of ``users`` who ask again as soon as they are answered, those that have their first token.

    >>> in_flight(users=64, decode_steps=1000, time_per_token_s=0.01, first_token_s=2.5)
    51.2

    Source: Little 1961.
    """
    answered_s = decode_steps * time_per_token_s
    return users * answered_s / (answered_s + first_token_s)


def burst_wait_s(*, users: Numeric, prompt_s: Numeric, burst_share: Numeric) -> Numeric:
    """Mean wait behind others' prompts where all users begin at once, over all of their requests.

    Of a burst one waits for half of the others on the mean; later requests are taken not to.

    >>> burst_wait_s(users=101, prompt_s=0.1, burst_share=0.1)
    0.5

    Source: the mean place in a queue.
    """
    return burst_share * maximum(users - 1, 0.0) / 2 * prompt_s


def arrivals_wait_s(*, users: Numeric, busy: Numeric, prompt_s: Numeric) -> Numeric:
    """Scale of the wait behind prompts that come together, by chance and because those who began together end so.

    Of ``users`` so many are at their prompts as the pool's share of time for prompts, give or take its root.

    >>> arrivals_wait_s(users=101, busy=0.25, prompt_s=0.1)
    0.5

    Source: fluctuations of a closed queue; a number of the engine says how much of it users see.
    """
    return sqrt(maximum(users - 1, 0.0) * busy) * prompt_s


def admission_wait_s(*, users: Numeric, admitted: Numeric, decode_steps: Numeric, time_per_token_s: Numeric) -> Numeric:
    """Wait to be let in where memory admits fewer than ask: as long as those before take to be answered.

    >>> admission_wait_s(users=150, admitted=100, decode_steps=1000, time_per_token_s=0.01)
    5.0

    Source: Little 1961.
    """
    return maximum(users / admitted - 1, 0.0) * decode_steps * time_per_token_s
