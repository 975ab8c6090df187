r"""Roofline and batch size: one forward pass reads the weights once, whatever the batch.

.. math::

    t \ge \max(t_{compute}, t_{memory}), \qquad
    t_{compute} = \frac{2 B N_a}{F}, \qquad
    t_{memory} = \frac{N_t b_w + B L \beta}{W}

A batch :math:`B` of sequences gains one token each; :math:`N_a` parameters are active per token, :math:`N_t` are in
memory with :math:`b_w` bytes each; a sequence of :math:`L` tokens reads :math:`\beta` bytes of keys and values per
token. :math:`F` counts a multiply and an add as two FLOP; the board counts multiplies, which hides the 2.

Source: lecture 03:16-20:30 (claims A1-A12, A25).
"""

from ridgeline.numeric import INFINITY, Numeric, maximum, ratio_or

__all__ = [
    "FLOP_PER_PARAM",
    "balance_batch",
    "balance_batch_with_kv",
    "balance_ratio",
    "compute_time_s",
    "flop_per_byte",
    "memory_sweep_time_s",
    "memory_time_s",
    "serial_step_time_s",
    "step_time_s",
]

FLOP_PER_PARAM = 2
"""FLOP per active parameter and token: a multiply and an add."""


def compute_time_s(*, tokens: Numeric, active_params: Numeric, flop_per_s: Numeric) -> Numeric:
    """Time to apply every active parameter to every token: ``2 B N_a / F``.

    It assumes peak arithmetic and leaves out attention over the context.

    One token of 37 billion active parameters on an H100 in 8-bit arithmetic:

    >>> compute_time_s(tokens=1, active_params=37e9, flop_per_s=1979e12)
    3.74e-05

    Source: lecture 04:50 (A2).
    """
    return FLOP_PER_PARAM * active_params * tokens / flop_per_s


def memory_time_s(
    *, batch: Numeric, weight_bytes: Numeric, kv_bytes_per_sequence: Numeric, hbm_bytes_per_s: Numeric
) -> Numeric:
    """Time to read the weights once and each sequence's own cache: ``(N_t b_w + B L beta) / W``.

    DeepSeek-V3 in 8-bit over 72 chips of 8 TB/s, at an empty context: the lecture's floor, 1.16 ms.

    >>> memory_time_s(batch=1, weight_bytes=671e9, kv_bytes_per_sequence=0, hbm_bytes_per_s=72 * 8e12)
    0.001165

    Source: lecture 05:00-09:54 (A3, A6).
    """
    return (weight_bytes + batch * kv_bytes_per_sequence) / hbm_bytes_per_s


def step_time_s(
    *,
    batch: Numeric,
    active_params: Numeric,
    weight_bytes: Numeric,
    kv_bytes_per_sequence: Numeric,
    flop_per_s: Numeric,
    hbm_bytes_per_s: Numeric,
) -> Numeric:
    """Time of a decode step when computing and reading overlap fully: the larger of the two.

    It is a lower bound; ``serial_step_time_s`` is the time without overlap, at most twice this.

    Llama 2 13B on eight TPU v5e, one sequence of 8192 tokens:

    >>> step_time_s(batch=1, active_params=13e9, weight_bytes=26e9, kv_bytes_per_sequence=6.7e9,
    ...             flop_per_s=8 * 197e12, hbm_bytes_per_s=8 * 820e9)
    0.00498

    Source: lecture 03:16 (A1).
    """
    compute_s = compute_time_s(tokens=batch, active_params=active_params, flop_per_s=flop_per_s)
    memory_s = memory_time_s(
        batch=batch,
        weight_bytes=weight_bytes,
        kv_bytes_per_sequence=kv_bytes_per_sequence,
        hbm_bytes_per_s=hbm_bytes_per_s,
    )
    return maximum(compute_s, memory_s)


def serial_step_time_s(
    *,
    batch: Numeric,
    active_params: Numeric,
    weight_bytes: Numeric,
    kv_bytes_per_sequence: Numeric,
    flop_per_s: Numeric,
    hbm_bytes_per_s: Numeric,
) -> Numeric:
    """Time of a decode step without overlap of computing and reading: the sum of the two.

    The step of ``step_time_s``'s example, which computes for a sixtieth of its time:

    >>> serial_step_time_s(batch=1, active_params=13e9, weight_bytes=26e9, kv_bytes_per_sequence=6.7e9,
    ...                    flop_per_s=8 * 197e12, hbm_bytes_per_s=8 * 820e9)
    0.00500

    Source: lecture 03:16 (A1).
    """
    return compute_time_s(tokens=batch, active_params=active_params, flop_per_s=flop_per_s) + memory_time_s(
        batch=batch,
        weight_bytes=weight_bytes,
        kv_bytes_per_sequence=kv_bytes_per_sequence,
        hbm_bytes_per_s=hbm_bytes_per_s,
    )


def flop_per_byte(*, flop_per_s: Numeric, hbm_bytes_per_s: Numeric) -> Numeric:
    """Arithmetic intensity at which a chip computes as long as it reads: ``F / W``.

    H100 in 16-bit:

    >>> flop_per_byte(flop_per_s=989e12, hbm_bytes_per_s=3.35e12)
    295.2

    Source: Williams et al. 2009, "Roofline"; lecture 17:00 (A10).
    """
    return flop_per_s / hbm_bytes_per_s


def balance_ratio(*, flop_per_s: Numeric, hbm_bytes_per_s: Numeric, bytes_per_param: Numeric) -> Numeric:
    """The board's "300": parameters multiplied in the time that one is read, ``(F / 2) b_w / W``.

    It is dimensionless, and equals FLOP per byte only where a parameter has two bytes.

    >>> balance_ratio(flop_per_s=989e12, hbm_bytes_per_s=3.35e12, bytes_per_param=2)
    295.2

    Source: lecture 17:00 (A10).
    """
    return flop_per_s / FLOP_PER_PARAM * bytes_per_param / hbm_bytes_per_s


def balance_batch(*, balance_ratio: Numeric, expansion: Numeric) -> Numeric:
    """Batch at which reading the weights takes as long as computing: ``B* = R N_t / N_a``.

    It does not depend on the model's size or the number of chips, and leaves out the KV cache.

    DeepSeek-V3, 671 billion parameters of which 37 are active, at the board's 300:

    >>> balance_batch(balance_ratio=300, expansion=671 / 37)
    5440.5

    Source: lecture 19:22 (A11); the lecture's own 2,400 swaps 8 and 32 experts (A12).
    """
    return balance_ratio * expansion


def balance_batch_with_kv(
    *, weight_time_s: Numeric, compute_time_per_sequence_s: Numeric, kv_time_per_sequence_s: Numeric
) -> Numeric:
    """Batch at which computing takes as long as reading weights and KV; infinite where no batch does.

    It is ``B* = t_w / (2 N_a / F - L beta / W)``. Beyond the context at which a sequence's KV takes longer to read than
    its token to compute, no batch is compute-bound.

    >>> balance_batch_with_kv(weight_time_s=1e-3, compute_time_per_sequence_s=3e-7, kv_time_per_sequence_s=1e-7)
    5000.0
    >>> balance_batch_with_kv(weight_time_s=1e-3, compute_time_per_sequence_s=1e-7, kv_time_per_sequence_s=3e-7)
    inf

    Derivation: both times of a step equal; lecture 20:00 says only "larger" (A25).
    """
    return ratio_or(weight_time_s, compute_time_per_sequence_s - kv_time_per_sequence_s, INFINITY)


def memory_sweep_time_s(*, hbm_bytes: Numeric, hbm_bytes_per_s: Numeric) -> Numeric:
    """Time to read all of a memory once, ``C / W``: the lecture's 20 ms, its drain time.

    H100:

    >>> memory_sweep_time_s(hbm_bytes=80e9, hbm_bytes_per_s=3.35e12)
    0.02388

    Source: lecture 24:00 (A15).
    """
    return hbm_bytes / hbm_bytes_per_s
