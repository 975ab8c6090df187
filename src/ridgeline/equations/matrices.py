r"""Matrix products and streams over memory: FLOP and bytes of one operation.

.. math::

    y_{m \times n} = x_{m \times k} W_{k \times n}: \quad 2mnk \text{ FLOP}

Source: scaling book, "All about rooflines".
"""

from ridgeline.numeric import Numeric, maximum

__all__ = ["matmul_flop", "operation_time_s", "stream_bytes"]


def matmul_flop(*, rows: Numeric, columns: Numeric, inner: Numeric) -> Numeric:
    """FLOP of a matrix product, a multiply and an add as two: ``2 m n k``.

    >>> matmul_flop(rows=1, columns=4096, inner=4096)
    33554432

    Source: scaling book, "All about rooflines".
    """
    return 2 * rows * columns * inner


def stream_bytes(*, rows: Numeric, width: Numeric, streams: Numeric, bytes_per_value: Numeric) -> Numeric:
    """Bytes of an elementwise operation that reads and writes ``streams`` tensors of ``rows`` by ``width``.

    >>> stream_bytes(rows=2, width=4096, streams=4, bytes_per_value=2)
    65536

    Derivation: each value of each tensor passes the memory once.
    """
    return rows * width * streams * bytes_per_value


def operation_time_s(
    *, flop: Numeric, moved_bytes: Numeric, flop_per_s: Numeric, hbm_bytes_per_s: Numeric, overhead_s: Numeric
) -> Numeric:
    """Time of one operation on its own roofline: ``max(flop / F, bytes / W) + overhead``.

    Rates are achieved ones, not peaks, where efficiencies are known.

    >>> operation_time_s(flop=2e12, moved_bytes=1e9, flop_per_s=1e15, hbm_bytes_per_s=2e12, overhead_s=1e-6)
    0.002001

    Source: Williams et al. 2009, "Roofline", with a launch latency.
    """
    return maximum(flop / flop_per_s, moved_bytes / hbm_bytes_per_s) + overhead_s
