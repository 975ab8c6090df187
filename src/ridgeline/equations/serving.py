r"""One pool that does both phases: prompts are read between decode steps.

In a steady state a batch of :math:`B` sequences with :math:`O` output tokens each finishes :math:`B/O` requests a step,
and takes in as many new prompts. With :math:`t_p` seconds of the pool for a prompt, a user sees

.. math::

    t_{token} = t_{decode} + \frac{B}{O} t_p

Source: conservation of requests: as many finish as are taken in.
"""

from ridgeline.numeric import Numeric

__all__ = ["pooled_time_per_token_s"]


def pooled_time_per_token_s(
    *, decode_step_time_s: Numeric, prefill_time_per_prompt_s: Numeric, batch: Numeric, output_tokens: Numeric
) -> Numeric:
    """Time per output token of a pool that also reads the prompts of the requests it serves.

    Assumes that no prefill overlaps a decode step and that requests arrive as others leave.

    >>> pooled_time_per_token_s(decode_step_time_s=0.02, prefill_time_per_prompt_s=0.1, batch=100, output_tokens=1000)
    0.03
    """
    return decode_step_time_s + batch / output_tokens * prefill_time_per_prompt_s
