r"""Kernel time beyond the roofline: tile and wave quantisation, partial overlap, and tails.

A roofline is a lower bound. A real kernel cuts its work into tiles of which a chip with :math:`u` units runs :math:`u`
at a time, starts each with a prologue, and overlaps computing and memory traffic only in part:

.. math::

    t = t_0 + \left(t_c^p + t_m^p\right)^{1/p}, \qquad
    t_c = \left\lceil T / u \right\rceil u \, \frac{2\, b_m b_n (k + k_0)}{F\, e}, \qquad
    e = \frac{1}{1 + c (1/b_m + 1/b_n)}

Sources: NVIDIA, "Matrix multiplication background user's guide" (tile and wave quantisation); Osama et al. 2023,
"Stream-K" (arXiv 2301.03598), for splitting the inner dimension.
"""

from ridgeline.numeric import Numeric, ceil, maximum, minimum, sqrt

__all__ = [
    "BLOCK_QUERIES",
    "attention_block_time_s",
    "cached_fraction",
    "overlapped_time_s",
    "padded_pairs",
    "split_sum_time_s",
    "tiled_time_s",
    "wave_value_time_s",
]

BLOCK_QUERIES = 128
"""Queries of a block that prefill attention computes at a time (FlashAttention)."""


def overlapped_time_s(*, first_s: Numeric, second_s: Numeric, squarings: int) -> Numeric:
    """Time of two partly overlapping kinds of work: ``(a**p + b**p)**(1/p)`` with ``p = 2**squarings``.

    Without squarings it is the sum; the more of them, the closer to the larger.

    >>> overlapped_time_s(first_s=3.0, second_s=4.0, squarings=1)
    5.0
    >>> overlapped_time_s(first_s=3.0, second_s=4.0, squarings=0)
    7.0

    Heuristic: the p-norm; between no overlap (the sum) and full overlap (the larger), with one parameter.
    """
    for _ in range(squarings):
        first_s, second_s = first_s * first_s, second_s * second_s
    both = first_s + second_s
    for _ in range(squarings):
        both = sqrt(both)
    return both


def cached_fraction(*, used_bytes: Numeric, cache_bytes: Numeric) -> Numeric:
    """Hit rate of a cache under a cyclic scan: ``min(1, cache / used) ** 4``.

    All accesses hit where the bytes fit. Where they do not, part of the evicted data is needed next:

    >>> cached_fraction(used_bytes=50e6, cache_bytes=100e6), cached_fraction(used_bytes=200e6, cache_bytes=100e6)
    (1, 0.0625)

    Heuristic: a power between LRU replacement under a cyclic scan (no hits) and random replacement.
    """
    part = minimum(1, cache_bytes / used_bytes)
    return part * part * part * part


def wave_value_time_s(
    *,
    tile_rows: int,
    tile_columns: int,
    units: Numeric,
    flop_per_s: Numeric,
    penalty_values: Numeric,
    value_s: Numeric,
) -> Numeric:
    """Time of a wave of tiles, one on each of ``units``, for one value of the inner dimension.

    Small tiles reuse less of their data: ``penalty_values`` over their sides. However small, a tile takes at least
    ``value_s`` (latency bound). A chip of 132 units at 990 TFLOP/s, in its largest tiles:

    >>> kwargs = dict(tile_rows=128, tile_columns=128, units=132, flop_per_s=990e12, penalty_values=0)
    >>> wave_value_time_s(value_s=0, **kwargs), wave_value_time_s(value_s=1e-8, **kwargs)
    (4.37e-09, 1e-08)

    Source: NVIDIA, "Matrix multiplication background user's guide".
    """
    tile_flop = 2 * tile_rows * tile_columns * (1 + penalty_values * (1 / tile_rows + 1 / tile_columns))
    return maximum(units * tile_flop / flop_per_s, value_s)


def tiled_time_s(
    *, tiles: Numeric, units: Numeric, inner: Numeric, prologue_values: Numeric, wave_value_s: Numeric
) -> Numeric:
    """Time to compute ``tiles`` of a GEMM on ``units`` that run one tile each at a time, in whole waves.

    Each tile starts with a prologue of ``prologue_values`` of the inner dimension. 133 tiles on 132 units take two
    waves:

    >>> kwargs = dict(units=132, inner=4096, prologue_values=0, wave_value_s=4.37e-9)
    >>> tiled_time_s(tiles=133, **kwargs) / tiled_time_s(tiles=132, **kwargs)
    2.0

    Source: NVIDIA, "Matrix multiplication background user's guide".
    """
    return ceil(tiles / units) * wave_value_s * (inner + prologue_values)


PART_VALUE_BYTES = 8
"""Bytes of traffic per value of a partial sum: written and read once, in 32 bits."""

L2_OVER_HBM = 3
"""Bandwidth of an L2 cache over that of the memory behind it; a round number, assumed for every chip and not fitted."""


def split_sum_time_s(
    *, products: Numeric, rows: Numeric, columns: Numeric, splits: int, split_s: Numeric, hbm_bytes_per_s: Numeric
) -> Numeric:
    """Time of the split-K reduction of ``products`` equal GEMMs in ``splits`` parts; 0 for one part.

    It takes a launch of ``split_s``, and ``8 m n (s - 1)`` bytes at three times the memory's bandwidth: the block that
    sums keeps its own part in registers, and the others are written and read once in 32 bits (the fix-up of Osama et
    al. 2023, "Stream-K", arXiv 2301.03598). They stay in the L2 cache, since they are read immediately.

    >>> kwargs = dict(products=1, rows=64, columns=4096, split_s=3e-6, hbm_bytes_per_s=3.35e12)
    >>> split_sum_time_s(splits=1, **kwargs), split_sum_time_s(splits=8, **kwargs)
    (0.0, 4.46e-06)

    Heuristic: the traffic is derived and the launch fitted; an L2 cache three times as fast as its memory is assumed.
    """
    parts_bytes = PART_VALUE_BYTES * products * rows * columns * (splits - 1)
    return minimum(splits - 1, 1) * split_s + parts_bytes / (L2_OVER_HBM * hbm_bytes_per_s)


def padded_pairs(
    *, pairs: Numeric, queries: Numeric, query_blocks: Numeric, block_keys: Numeric, window_tiles: Numeric
) -> Numeric:
    """Query-key pairs that prefill attention computes in blocks of 128 queries: half a block extra for each query.

    A block of queries has a fixed cost of ``block_keys`` keys, filled or not; the edge of a sliding window crosses
    ``window_tiles`` further key tiles.

    >>> padded_pairs(pairs=1024 * 1025 / 2, queries=1024, query_blocks=8, block_keys=0, window_tiles=0)
    590336.0

    Source: Dao 2023, "FlashAttention-2" (arXiv 2307.08691).
    """
    return pairs + queries * BLOCK_QUERIES * (0.5 + window_tiles) + query_blocks * BLOCK_QUERIES * block_keys


def attention_block_time_s(*, keys: Numeric, widths: Numeric, unit_flop_per_s: Numeric) -> Numeric:
    """Time of the last block of 128 queries over its ``keys`` on one unit, while the other units idle (tail).

    >>> attention_block_time_s(keys=8192, widths=256, unit_flop_per_s=7.5e12)
    7.16e-05

    Source: Dao 2023.
    """
    return 2 * BLOCK_QUERIES * keys * widths / unit_flop_per_s
