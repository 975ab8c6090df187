"""Attention that reads less than its context, as published: the numbers behind boards and claims that compare kinds.

A board that draws such kinds beside full attention takes from a model what its layers would do if they read all.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ridgeline.boards.board import LetterNumber, Term
from ridgeline.boards.picture import Colour
from ridgeline.catalog import load_model
from ridgeline.equations import attention
from ridgeline.estimator.attention import cache_bytes
from ridgeline.specs.attention import (
    BlockSparseAttention,
    CompressedAttention,
    IndexedSparseAttention,
    LatentAttention,
    LinearAttention,
    SquareRootAttention,
)
from ridgeline.specs.model import Model

__all__ = [
    "BLOCKS",
    "INDEXED_MODEL",
    "READ",
    "STATE_MODEL",
    "indexed_pair_flop",
    "indexed_read",
    "read_numbers",
    "reading_all",
    "state_bytes",
]

INDEXED_MODEL = "deepseek-v3.2"
STATE_MODEL = "qwen3.5-397b-a17b"

BLOCKS = {"summary_stride": 16.0, "chosen_tokens": 16 * 64.0, "window": 512.0}
"""NSA: a summary for every 16 tokens, 16 blocks of 64, and a window; Yuan et al. 2025 (arXiv 2502.11089)."""


def _indexed() -> tuple[IndexedSparseAttention, LatentAttention]:
    """DeepSeek-V3.2's attention, and what it reads with."""
    kinds = (group.attention for group in load_model(INDEXED_MODEL).groups)
    kind = next(kind for kind in kinds if isinstance(kind, IndexedSparseAttention))
    if not isinstance(kind.base, LatentAttention):
        raise TypeError(f"{INDEXED_MODEL} reads by {type(kind.base).__name__}; its attention is taken for latent")
    return kind, kind.base


@lru_cache(maxsize=1)
def indexed_read() -> dict[str, float]:
    """DSA as DeepSeek-V3.2 has it: tokens that it chooses, bytes of a token's index, and of the token, in a layer."""
    kind, base = _indexed()
    kv_format = load_model(INDEXED_MODEL).precision.kv
    kept, entry = (float(cache_bytes(one, 1.0, tp=1, kv_format=kv_format)) for one in (kind, base))
    return {"top_k": float(kind.top_k), "index_bytes": kept - entry, "bytes_per_token": entry}


READ = (
    Term(tex="L_r"),
    Term(tex=r"\;=\;"),
    Term(tex="L", colour=Colour.BOUND),
    Term(tex=r"\;\;\mathrm{or}\;\;"),
    Term(tex=r"K+f_{idx}\,L", colour=Colour.OTHER),
    Term(tex=r"\;\;\mathrm{or}\;\;"),
    Term(
        tex=rf"\dfrac{{L}}{{{BLOCKS['summary_stride']:.0f}}}+{BLOCKS['chosen_tokens'] + BLOCKS['window']:.0f}",
        colour=Colour.ALSO,
    ),
    Term(tex=r"\;\;\mathrm{or}\;\;"),
    Term(tex=r"2\sqrt{L}", colour=Colour.ASIDE),
)
"""Tokens of a context that attention reads: all, DSA's share, NSA's, and the square root."""


def read_numbers() -> tuple[LetterNumber, ...]:
    """Numbers of that equation's letters."""
    kind = indexed_read()
    chosen, scanned = kind["top_k"], kind["index_bytes"] / kind["bytes_per_token"]
    return (
        LetterNumber(tex="K", value=lambda _: chosen),
        LetterNumber(tex="f_{idx}", value=lambda _: scanned, dimension="fraction"),
    )


@lru_cache(maxsize=1)
def indexed_pair_flop() -> dict[str, float]:
    """FLOP of a prompt's pair with an index, over full attention's, which expands keys and values by the head."""
    kind, base = _indexed()
    stored = attention.latent_kv_values(kv_rank=base.kv_rank, position_head_dim=base.position_head_dim)
    heads, content = base.query_heads, base.content_head_dim + base.position_head_dim
    full = attention.pairs_flop(pairs=1, query_heads=heads, query_key_dim=content, value_dim=base.value_head_dim)
    chosen = attention.pairs_flop(pairs=1, query_heads=heads, query_key_dim=stored, value_dim=base.kv_rank)
    scored = attention.pairs_flop(pairs=1, query_heads=kind.index_heads, query_key_dim=kind.index_head_dim, value_dim=0)
    return {
        "top_k": float(kind.top_k),
        "scored_flop_fraction": float(scored / full),
        "chosen_flop_ratio": float(chosen / full),
    }


@lru_cache(maxsize=1)
def state_bytes() -> float:
    """State of a sequence, bytes, if every layer of Qwen3.5-397B-A17B were one of its linear ones."""
    model = load_model(STATE_MODEL)
    kinds = (group.attention for group in model.groups)
    linear = next(kind for kind in kinds if isinstance(kind, LinearAttention))
    return model.layers * float(cache_bytes(linear, 1.0, tp=1, kv_format=model.precision.kv))


def reading_all(model: Model) -> Model | None:
    """Model whose layers read all tokens instead of choosing some; None where only summaries of tokens are kept.

    Windows and states stay: such layers keep no more than they read.
    """
    if any(isinstance(group.attention, CompressedAttention) for group in model.groups):
        return None
    choosing = IndexedSparseAttention | BlockSparseAttention | SquareRootAttention
    groups = (
        replace(group, attention=group.attention.base) if isinstance(group.attention, choosing) else group
        for group in model.groups
    )
    return replace(model, groups=tuple(groups))
