r"""One pool that does both phases: prompts are read between decode steps.

Reading a prompt gives a request its first token; its other :math:`O - 1` take a decode step each. In a steady state a
batch of :math:`B` finishes :math:`B/(O-1)` requests a step, and takes in as many prompts. With :math:`t_p` seconds of
the pool for a prompt, a user sees

.. math::

    t_{token} = t_{decode} + \frac{B}{O-1} t_p

Source: conservation of requests: as many finish as are taken in.
"""

from ridgeline.numeric import Numeric

__all__ = ["pooled_time_per_token_s"]


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
