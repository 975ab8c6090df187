r"""The memory wall: what weights leave for keys and values.

.. math::

    B_{full} = \frac{n C - N_t b_w}{L \beta}

Sources: lecture 24:00 (A15, A20) and 1:07 (B14).
"""

from ridgeline.numeric import Numeric, maximum

__all__ = ["memory_full_batch"]


def memory_full_batch(*, hbm_bytes: Numeric, weight_bytes: Numeric, kv_bytes_per_sequence: Numeric) -> Numeric:
    """Batch at which KV fills what the weights leave of ``hbm_bytes``; zero where they do not fit.

    Not the balance batch: the lecture takes 2,400 sequences and 20 ms to hold together, which needs weights that fill
    the memory. DeepSeek-V3 on 72 chips of 186 GB at 1,576 tokens holds 115,000.

    >>> memory_full_batch(hbm_bytes=72 * 186e9, weight_bytes=671e9, kv_bytes_per_sequence=1576 * 70272)
    114863.7

    Source: lecture 19:22 against 24:00 (A20).
    """
    return maximum(hbm_bytes - weight_bytes, 0) / kv_bytes_per_sequence
