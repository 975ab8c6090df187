r"""Cuts of a layer over chips: bytes that each chip sends for it, by the way in which the work is divided.

With :math:`T` tokens of width :math:`d` over :math:`n` chips, :math:`b` bytes a value, :math:`c` copies of a token to
experts, :math:`l` layers a stage and :math:`w` bytes of weights in a layer:

.. math::

    \underbrace{4 \tfrac{n-1}{n} T d b}_{tensor}, \quad
    \underbrace{\tfrac{n-1}{n} \tfrac{T}{n} c\, d\,(b_{dispatch} + b_{combine})}_{expert}, \quad
    \underbrace{\tfrac{T}{n} \tfrac{d\,b}{l}}_{pipeline}, \quad
    \underbrace{\tfrac{n-1}{n} w}_{data}, \quad
    \underbrace{\tfrac{n-1}{n} T (d_q + d_v)\, b}_{context}

All hold for a decode step's forward pass, over switches. Sources: lecture 47:12-53:00; Shoeybi et al. 2019,
"Megatron-LM" (tensor); Rajbhandari et al. 2019, "ZeRO" (data); the formulas of ``collectives.py``.
"""

from ridgeline.equations.collectives import others_fraction
from ridgeline.numeric import Numeric

__all__ = ["context_bytes", "data_bytes", "expert_bytes", "hidden_behind_width", "pipeline_bytes", "tensor_bytes"]


def tensor_bytes(*, tokens: Numeric, hidden: Numeric, value_bytes: Numeric, ranks: Numeric) -> Numeric:
    """Every matrix cut: all chips have all tokens, and sum their parts after attention and after the block.

    There are two all-reduces, each of which sends nearly twice its buffer. Chips divide the work, but not these bytes.

    2,400 tokens of DeepSeek-V3's width over 64 chips:

    >>> tensor_bytes(tokens=2400, hidden=7168, value_bytes=2, ranks=64)
    135475200.0

    Source: Shoeybi et al. 2019 (arXiv 1909.08053), section 3.
    """
    return 4 * others_fraction(ranks=ranks) * tokens * hidden * value_bytes


def expert_bytes(
    *,
    tokens: Numeric,
    copies_per_token: Numeric,
    hidden: Numeric,
    dispatch_bytes: Numeric,
    combine_bytes: Numeric,
    ranks: Numeric,
) -> Numeric:
    """Experts spread: each chip sends its tokens to the chips that they visit, and what it computed for others back.

    Each of a chip's ``tokens / ranks`` is sent in ``copies_per_token``, and as many results return.

    >>> expert_bytes(tokens=2400, copies_per_token=8, hidden=7168, dispatch_bytes=1, combine_bytes=2, ranks=64)
    6350400.0

    Source: lecture 34:00-53:00 (B4, B8).
    """
    copies = tokens / ranks * copies_per_token * hidden
    return others_fraction(ranks=ranks) * copies * (dispatch_bytes + combine_bytes)


def pipeline_bytes(
    *, tokens: Numeric, hidden: Numeric, value_bytes: Numeric, ranks: Numeric, layers_per_stage: Numeric
) -> Numeric:
    """Layers spread: a stage of ``ranks`` chips hands its tokens on once, every ``layers_per_stage`` layers.

    >>> pipeline_bytes(tokens=2400, hidden=7168, value_bytes=2, ranks=64, layers_per_stage=25)
    21504.0

    Source: lecture 51:00 (B8).
    """
    return tokens / ranks * hidden * value_bytes / layers_per_stage


def data_bytes(*, weight_bytes: Numeric, ranks: Numeric) -> Numeric:
    """Sequences spread, weights too: before a layer each chip gathers those of it that it does not hold.

    A tenth of a gigabyte over 8 chips:

    >>> data_bytes(weight_bytes=1e8, ranks=8)
    87500000.0

    Source: Rajbhandari et al. 2019 (arXiv 1910.02054), stage 3, which each chip's part is sent once for.
    """
    return others_fraction(ranks=ranks) * weight_bytes


def context_bytes(
    *, tokens: Numeric, query_values: Numeric, result_values: Numeric, value_bytes: Numeric, ranks: Numeric
) -> Numeric:
    """Contexts spread: every chip meets all queries with its part of the keys, and all parts of results are summed.

    ``query_values`` and ``result_values`` are those of all heads. Chips divide the reading of keys and values, but not
    these bytes. DeepSeek-V3's 128 heads, which attend to the compressed keys themselves:

    >>> context_bytes(tokens=64, query_values=128 * 576, result_values=128 * 512, value_bytes=2, ranks=8)
    15597568.0

    Derivation: two gathers of rows, of queries and of partial results.
    """
    return others_fraction(ranks=ranks) * tokens * (query_values + result_values) * value_bytes


def hidden_behind_width(
    *, sent_bytes: Numeric, bytes_per_s: Numeric, layer_time_s: Numeric, expert_hidden: Numeric
) -> Numeric:
    """Width of an expert from which on its layer takes as long as a message that does not depend on the width.

    The layer's time grows with the width. 135 MB over links of 450 GB/s take 0.3 ms, where experts of 2,048 keep a chip
    busy for 53 us:

    >>> hidden_behind_width(sent_bytes=135e6, bytes_per_s=450e9, layer_time_s=53e-6, expert_hidden=2048)
    11592.5

    Source: lecture 47:12, that smaller experts have made the tensor cut much less relevant.
    """
    return sent_bytes / bytes_per_s / layer_time_s * expert_hidden
