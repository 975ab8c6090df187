r"""The memory wall: room that weights leave for keys and values.

.. math::

    B_{full} = \frac{n C - N_t b_w}{L \beta}

Sources: lecture 24:00 (A15, A20) and 1:07 (B14).
"""

from ridgeline.numeric import Numeric, maximum

__all__ = ["balance_step_time_s", "bytes_per_chip", "memory_full_batch"]


def memory_full_batch(*, hbm_bytes: Numeric, weight_bytes: Numeric, kv_bytes_per_sequence: Numeric) -> Numeric:
    """Batch at which KV caches fill the rest of ``hbm_bytes`` beside the weights; zero where weights do not fit.

    It is not the balance batch: the lecture assumes 2,400 sequences and 20 ms together, which needs weights that fill
    the memory. DeepSeek-V3 on 72 chips of 186 GB at 1,576 tokens holds 115,000.

    >>> memory_full_batch(hbm_bytes=72 * 186e9, weight_bytes=671e9, kv_bytes_per_sequence=1576 * 70272)
    114863.7

    Source: lecture 19:22 against 24:00 (A20).
    """
    return maximum(hbm_bytes - weight_bytes, 0) / kv_bytes_per_sequence


def bytes_per_chip(
    *, weight_bytes: Numeric, kv_bytes_per_sequence: Numeric, batch: Numeric, chips_per_stage: Numeric, stages: Numeric
) -> tuple[Numeric, Numeric]:
    r"""Weights and KV on each chip of a pipeline: :math:`N_t b_w / (EP)` and :math:`B L \beta / (EP)`.

    ``batch`` counts all sequences in flight. A pipeline without idle stages has a micro-batch of :math:`b` in each
    stage, so :math:`B = P b`: stages divide the weights and leave the KV of a chip, :math:`b L \beta / E`, unchanged. A
    trillion 8-bit parameters and 2,400 sequences of 100,000 tokens of 2 kB on stages of 64 chips:

    >>> for stages in (1, 4):
    ...     bytes_per_chip(weight_bytes=1e12, kv_bytes_per_sequence=1e5 * 2e3, batch=2400 * stages,
    ...                    chips_per_stage=64, stages=stages)
    (15.6e9, 7.5e9)
    (3.9e9, 7.5e9)

    Source: lecture 1:07-1:12 (B14, B15).
    """
    chips = chips_per_stage * stages
    return weight_bytes / chips, batch * kv_bytes_per_sequence / chips


def balance_step_time_s(*, weights_fraction: Numeric, memory_sweep_time_s: Numeric) -> Numeric:
    """Time of a step at the balance batch: that to read the weights, which are only ``weights_fraction`` of the memory.

    The lecture's 20 ms, where DeepSeek-V3 fills a twentieth of a rack:

    >>> balance_step_time_s(weights_fraction=0.05, memory_sweep_time_s=0.020)
    0.001

    Source: lecture 19:22 against 24:00 (A20).
    """
    return weights_fraction * memory_sweep_time_s
