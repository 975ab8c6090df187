r"""KV cache and context: what attention adds to a step, and what it keeps.

A new token asks with :math:`n_q` heads over a context of :math:`L` tokens:

.. math::

    \text{FLOP} = 2\, n_q (d_{qk} + d_v)\, L

and reads what those tokens have stored, :math:`\beta` bytes each. Grouped heads store :math:`2 n_{kv} d_h` values a
token and layer; multi-head latent attention stores one vector of :math:`d_c + d_r` for all heads.

Sources: lecture 1:37-1:54; scaling book, "All the Transformer Math You Need to Know";
DeepSeek-V2 (arXiv 2405.04434) for the latent form.
"""

from ridgeline.numeric import Numeric, maximum

__all__ = [
    "causal_pairs",
    "grouped_kv_values",
    "heads_per_chip",
    "latent_kv_values",
    "pairs_flop",
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
    """
    return prompt_tokens * (prompt_tokens + 1) / 2


def grouped_kv_values(*, kv_heads: Numeric, head_dim: Numeric) -> Numeric:
    """Values that a token stores in one layer, a key and a value for each stored head: ``2 n_kv d_h``.

    Llama-3.1-70B keeps 327,680 bytes a token in its 80 layers at two bytes a value:

    >>> 80 * 2 * grouped_kv_values(kv_heads=8, head_dim=128)
    327680

    Source: lecture 1:39 (D4).
    """
    return 2 * kv_heads * head_dim


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

    Source: how tensor parallel engines lay out grouped heads.
    """
    return maximum(heads / tp, 1)
