r"""KV cache and context: work and memory traffic of attention in a step, and the size of its cache.

A new token asks with :math:`n_q` heads over the tokens that it attends to, :math:`a(L)` of a context of :math:`L`:

.. math::

    \text{FLOP} = 2\, n_q (d_{qk} + d_v)\, a(L), \qquad \text{bytes read} = \beta\, a(L)

with :math:`\beta` bytes stored for each. Full attention has :math:`a(L) = L`; windows, blocks, indexers and compression
make it smaller, each by its own formula here. Over a prompt of :math:`S` tokens, the query-key pairs are
:math:`\sum_{i=1}^{S} a(i)`.

Sources: lecture 12:31 and 1:37-1:54; scaling book, "All the Transformer Math You Need to Know". Each formula names its
own source.
"""

from ridgeline.numeric import Numeric, floor, maximum, minimum, sqrt

__all__ = [
    "block_sparse_pairs",
    "block_sparse_tokens",
    "capped_entry_pairs",
    "causal_pairs",
    "chunk_pairs",
    "chunk_tokens",
    "entries",
    "entry_pairs",
    "grouped_kv_values",
    "heads_per_chip",
    "indexed_pairs",
    "indexed_tokens",
    "latent_kv_values",
    "pairs_flop",
    "square_root_pairs",
    "square_root_tokens",
    "state_flop",
]


def pairs_flop(*, pairs: Numeric, query_heads: Numeric, query_key_dim: Numeric, value_dim: Numeric) -> Numeric:
    """FLOP of scores and weighted values over ``pairs`` of a query and a key: ``2 n_q (d_qk + d_v)`` each.

    One token of Llama-3.1-405B against 100,000 others, in one layer:

    >>> pairs_flop(pairs=100_000, query_heads=128, query_key_dim=128, value_dim=128)
    6553600000

    Source: scaling book, transformers; with equal widths, 4 n_q d_h a pair.
    """
    return 2 * pairs * query_heads * (query_key_dim + value_dim)


def causal_pairs(*, prompt_tokens: Numeric) -> Numeric:
    """Pairs of a query and a key in a prompt where each token sees itself and those before: ``S (S + 1) / 2``.

    >>> causal_pairs(prompt_tokens=4)
    10.0

    Derivation: arithmetic series.
    """
    return prompt_tokens * (prompt_tokens + 1) / 2


def grouped_kv_values(*, kv_heads: Numeric, key_dim: Numeric, value_dim: Numeric) -> Numeric:
    """Values that a token stores in one layer, a key and a value for each stored head: ``n_kv (d_k + d_v)``.

    Llama-3.1-70B keeps 327,680 bytes a token in its 80 layers at two bytes a value:

    >>> 80 * 2 * grouped_kv_values(kv_heads=8, key_dim=128, value_dim=128)
    327680

    Source: lecture 1:39 (D4).
    """
    return kv_heads * (key_dim + value_dim)


def latent_kv_values(*, kv_rank: Numeric, position_head_dim: Numeric) -> Numeric:
    """Values that a token stores in one layer of latent attention: ``d_c + d_r``, shared by all heads.

    DeepSeek-V3 keeps 70,272 bytes a token in its 61 layers at two bytes a value:

    >>> 61 * 2 * latent_kv_values(kv_rank=512, position_head_dim=64)
    70272

    Source: DeepSeek-V2 (arXiv 2405.04434), section 2.1.
    """
    return kv_rank + position_head_dim


def heads_per_chip(*, heads: Numeric, tp: Numeric) -> Numeric:
    """Heads that one of ``tp`` chips holds; a stored head is copied where there are more chips than heads.

    >>> heads_per_chip(heads=8, tp=4), heads_per_chip(heads=8, tp=16)
    (2.0, 1)

    Heuristic: as tensor-parallel engines cut grouped heads, copying those that do not divide.
    """
    return maximum(heads / tp, 1)


def entries(*, tokens: Numeric, ratio: Numeric) -> Numeric:
    """Entries of ``ratio`` tokens each that ``tokens`` have filled: summaries, compressed keys, or tokens themselves.

    >>> entries(tokens=1023, ratio=4)
    255.0

    Source: DeepSeek-V4 technical report (2026), section 2.3.
    """
    return floor(tokens / ratio)


def entry_pairs(*, prompt_tokens: Numeric, ratio: Numeric) -> Numeric:
    """Pairs over a prompt whose tokens each attend to the entries filled so far: the sum of ``floor(i / m)``.

    With ``q`` full entries and ``r`` further tokens it is ``m q (q - 1) / 2 + q (r + 1)``; with a ratio of 1, the
    causal pairs.

    >>> entry_pairs(prompt_tokens=10, ratio=4)  # 0 0 0 1 1 1 1 2 2 2
    10.0
    >>> entry_pairs(prompt_tokens=4, ratio=1)
    10.0

    Derivation: arithmetic series.
    """
    full = entries(tokens=prompt_tokens, ratio=ratio)
    return ratio * full * (full - 1) / 2 + full * (prompt_tokens - full * ratio + 1)


def capped_entry_pairs(*, prompt_tokens: Numeric, ratio: Numeric, cap: Numeric) -> Numeric:
    """Pairs over a prompt where no token attends to more than ``cap`` entries: a window (ratio 1), or the best ones.

    >>> capped_entry_pairs(prompt_tokens=6, ratio=1, cap=3)  # 1 2 3 3 3 3
    15.0

    Derivation: arithmetic series.
    """
    growing = minimum(prompt_tokens, cap * ratio)
    return entry_pairs(prompt_tokens=growing, ratio=ratio) + (prompt_tokens - growing) * cap


def chunk_tokens(*, context_tokens: Numeric, chunk: Numeric) -> Numeric:
    """Tokens of its own chunk up to itself that the last of ``context_tokens`` attends to.

    >>> chunk_tokens(context_tokens=8192, chunk=8192), chunk_tokens(context_tokens=8193, chunk=8192)
    (8192, 1)

    Source: Llama 4 model card (2025), chunked attention.
    """
    return (context_tokens - 1) % chunk + 1


def chunk_pairs(*, prompt_tokens: Numeric, chunk: Numeric) -> Numeric:
    """Pairs over a prompt cut into chunks: a full triangle for each full chunk, and one for the rest.

    >>> chunk_pairs(prompt_tokens=5, chunk=2)  # 1 2 1 2 1
    7.0

    Derivation: arithmetic series.
    """
    full = floor(prompt_tokens / chunk)
    rest = prompt_tokens - full * chunk
    return full * causal_pairs(prompt_tokens=chunk) + causal_pairs(prompt_tokens=rest)


def square_root_tokens(*, context_tokens: Numeric) -> Numeric:
    """Keys that a two-level index reads: about ``sqrt(L)`` of blocks, then ``sqrt(L)`` of the best block's tokens.

    This is the lecture's form, which no published mechanism has: it arises only where the block grows with the context.

    >>> square_root_tokens(context_tokens=10_000)
    200.0

    Source: lecture 12:31 (A8).
    """
    return minimum(context_tokens, 2 * sqrt(context_tokens))


def block_sparse_tokens(
    *, context_tokens: Numeric, summary_stride: Numeric, chosen_tokens: Numeric, window: Numeric
) -> Numeric:
    """Keys that block-sparse attention (NSA) reads: ``L / stride`` summaries, the best blocks' tokens, and a window.

    It is linear in the context, with a small slope. The paper's own example, 16 blocks of 64 tokens:

    >>> block_sparse_tokens(context_tokens=65_536, summary_stride=16, chosen_tokens=16 * 64, window=512)
    5632.0

    Source: Yuan et al. 2025, "Native Sparse Attention" (arXiv 2502.11089); lecture 12:31 (A8).
    """
    summaries = entries(tokens=context_tokens, ratio=summary_stride)
    return summaries + minimum(context_tokens, chosen_tokens) + minimum(context_tokens, window)


def indexed_tokens(
    *, context_tokens: Numeric, top_k: Numeric, index_bytes: Numeric, bytes_per_token: Numeric
) -> Numeric:
    """Keys and values that attention behind an indexer (DSA) reads, with its index counted as parts of them.

    ``index_bytes`` of every token are scored, and the ``top_k`` best are read in full: linear in the context, with a
    small slope. DeepSeek-V3.2 stores 576 values of two bytes and 128 index values of one byte with a scale:

    >>> indexed_tokens(context_tokens=65_536, top_k=2048, index_bytes=132, bytes_per_token=1152)
    9557.3

    Source: DeepSeek-V3.2-Exp technical report (2025), section 2; lecture 12:31 (A8).
    """
    return minimum(context_tokens, top_k) + context_tokens * index_bytes / bytes_per_token


def block_sparse_pairs(
    *, prompt_tokens: Numeric, summary_stride: Numeric, chosen_tokens: Numeric, window: Numeric
) -> Numeric:
    """Pairs over a prompt with block-sparse attention (NSA): the sum over its tokens of the keys that each reads.

    The paper's own example, where full attention has 2.1 billion:

    >>> block_sparse_pairs(prompt_tokens=65_536, summary_stride=16, chosen_tokens=16 * 64, window=512) / 1e6
    234.2

    Source: Yuan et al. 2025, "Native Sparse Attention" (arXiv 2502.11089), summed over the prompt.
    """
    summaries = entry_pairs(prompt_tokens=prompt_tokens, ratio=summary_stride)
    chosen = capped_entry_pairs(prompt_tokens=prompt_tokens, ratio=1, cap=chosen_tokens)
    return summaries + chosen + capped_entry_pairs(prompt_tokens=prompt_tokens, ratio=1, cap=window)


def indexed_pairs(
    *, prompt_tokens: Numeric, top_k: Numeric, scored_flop_fraction: Numeric, chosen_flop_ratio: Numeric
) -> Numeric:
    """Pairs over a prompt behind an indexer (DSA), counted by their FLOP as those of full attention.

    Every pair is scored at ``scored_flop_fraction`` of a full one; the ``top_k`` best of each token are read at
    ``chosen_flop_ratio``, above 1 where selection rules out expanding a latent cache head by head. DeepSeek-V3.2 at its
    longest, where full attention has 13.4 billion pairs: scoring takes seven tenths of the rest.

    >>> indexed_pairs(prompt_tokens=163_840, top_k=2048, scored_flop_fraction=0.2, chosen_flop_ratio=3.4) / 1e9
    3.82

    Source: DeepSeek-V3.2-Exp technical report (2025), section 2, summed over the prompt.
    """
    scored = causal_pairs(prompt_tokens=prompt_tokens)
    chosen = capped_entry_pairs(prompt_tokens=prompt_tokens, ratio=1, cap=top_k)
    return scored * scored_flop_fraction + chosen * chosen_flop_ratio


def square_root_pairs(*, prompt_tokens: Numeric) -> Numeric:
    """Pairs over a prompt with the two-level index, ``4/3 S**1.5``: the sum's integral, and never above full attention.

    The error is less than 1 % from 100 tokens on.

    >>> square_root_pairs(prompt_tokens=10_000)
    1333333.3

    Derivation: the integral of ``2 sqrt(i)``.
    """
    return minimum(causal_pairs(prompt_tokens=prompt_tokens), 4 / 3 * prompt_tokens**1.5)


def state_flop(*, tokens: Numeric, heads: Numeric, key_dim: Numeric, value_dim: Numeric, products: Numeric) -> Numeric:
    """FLOP of tokens that each update and query a state of keys by values in every head: ``2 p d_k d_v`` a head.

    ``products`` counts passes over the state: one to write and one to read; a delta rule adds one to recall.

    >>> state_flop(tokens=1, heads=32, key_dim=128, value_dim=128, products=3)
    3145728

    Source: Yang et al. 2024, "Gated Delta Networks" (arXiv 2412.06464).
    """
    return 2 * products * tokens * heads * key_dim * value_dim
